"""A theorem at values of some of its symbols, or in the limit of one: a theorem about the other symbols."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dtmodel.base.documents import choice
from dtmodel.base.errors import DtmodelError, InputError, one_of
from dtmodel.derive.algebra.dimensions import read_value
from dtmodel.derive.algebra.domain import RELATION, Domain, read_domain
from dtmodel.derive.algebra.language import Relation, Term, read_expression, read_relation
from dtmodel.derive.algebra.number import Field, Polynomial, Ratio, fraction_at
from dtmodel.derive.search.cases import DerivedCase, point_in, said_case
from dtmodel.derive.search.family import Declared, Family
from dtmodel.derive.theorem.data import CaseData, expressed
from dtmodel.theorems.evaluation import never

_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(frozen=True)
class Part:
    """A theorem about some symbols, and the `numbers` of its cases in the theorem about all of them."""

    theorem: CaseData
    numbers: tuple[int, ...]


def restricted(theorem: CaseData, given: Mapping[str, Any], more: Sequence[str] = ()) -> Part:
    """Return a theorem at values of some symbols; `more` are further positive symbols of the part.

    Raises `InputError` if a value is unknown, not accepted or outside its domain.
    """
    family, measures = theorem.family, theorem.domain.measures
    for name in given:
        if name not in family.symbols:
            raise InputError(name, given[name], one_of(family.symbols, name))
    free = [name for name in family.symbols if name not in given and name not in family.defined]
    field = Field([*free, *more])
    values: dict[str, Any] = {name: field.symbol(name) for name in free}
    values |= {name: field(read_value(value, name, measures.get(name))) for name, value in given.items()}
    for name, term in family.defined.items():
        if values.setdefault(name, value := field(0) + term.value(values)) != value:
            raise InputError(name, given[name], f"{name} == {term.text}")
    declared = _declared(theorem, values, field, given)
    declared |= {name: (read_relation(f"{name} > 0", name, field.names),) for name in more}
    domain = _domain(theorem, declared)
    outside = domain.outside()
    inner = {name: value.replaced(outside, domain.outer) for name, value in values.items()}
    into = theorem.domain.slack_values(inner)
    return _part(theorem, declared, domain, lambda ratio: ratio.replaced(into, domain.outer))


def _declared(
    theorem: CaseData, values: Mapping[str, Ratio], field: Field, given: Mapping[str, Any]
) -> dict[str, tuple[Relation, ...]]:
    """Return the relations of the symbols that are left; each stands with a symbol that is alone on a side of it."""
    found: dict[str, list[Relation]] = {name: [] for name in field.names}
    for name, relations in theorem.family.symbols.items():
        for r in relations:
            left, right = (field(0) + side.value(values) for side in (r.left, r.right))
            if not (left - right).top.is_constant() or not (left - right).bottom.is_constant():
                one, sign, other = (left, r.sign, right) if _alone(left) else (right, _TURNED[r.sign], left)
                whose = next(n for n, d in zip(field.names, (one.top * one.bottom).degrees(), strict=False) if int(d))
                found[whose].append(read_relation(f"{_text(one)} {sign} {_text(other)}", whose, field.names))
            elif not RELATION[r.sign](fraction_at((left - right).top, ()), 0):
                raise InputError(name, str(given.get(name)), f"{r.left.text} {r.sign} {r.right.text}")
    return {name: tuple(each) for name, each in found.items()}


def _alone(ratio: Ratio) -> bool:
    return ratio in ratio.field.symbols


def _text(ratio: Ratio) -> str:
    top, bottom = (str(poly).replace("^", "**") for poly in (ratio.top, ratio.bottom))
    return top if bottom == "1" else f"({top})/({bottom})"


def _domain(theorem: CaseData, declared: Mapping[str, Sequence[Relation]]) -> Domain:
    """Return the domain of declared symbols, with the units of these and of the answers."""
    grades = {**theorem.domain.measures, **{key: theorem.grade(key) for key in theorem.keys}}
    return replace(read_domain(declared, [], [], [], []), measures=grades)


def _part(
    theorem: CaseData,
    declared: Mapping[str, tuple[Relation, ...]],
    domain: Domain,
    moved: Callable[[Ratio], Ratio],
    sign: Callable[[Ratio], Ratio] | None = None,
) -> Part:
    """Move all cases into a domain, without those whose conditions are false there or whose answers are undefined."""
    outer, ones = theorem.domain.outer, (Fraction(1),) * len(domain.outer.names)
    cases, numbers = list[DerivedCase](), list[int]()
    for number, case in enumerate(theorem.cases):
        signs = [((sign or moved)(Ratio(outer, c.poly, outer.one)), c.relation) for c in case.when]
        when = said_case(domain, signs, {}, ones).when
        known = [c for c in when if c.poly.is_constant()]
        if not all(c.holds(ones) for c in known):
            continue
        with suppress(ZeroDivisionError):  # the answer divides by 0 in the whole part, so the case has no point in it
            answers = {key: None if a is None else moved(a) for key, a in case.answers.items()}
            left = tuple(c for c in when if c not in known)
            cases.append(DerivedCase(left, answers, case.strength, point_in(domain, left)))
            numbers.append(number)
    counts = theorem.family.counts & declared.keys()
    return Part(theorem.part(Declared(declared, counts), domain, tuple(cases)), tuple(numbers))


def at_least(theorem: CaseData, key: str, wanted: Any, given: Mapping[str, Any], *, most: bool) -> CaseData:
    """Return the cases, each with the further condition that the answer is at least a wanted value, or at `most` it."""
    choice(key, "key", theorem.keys)
    part, term = wanted_part(theorem, key, wanted, given)
    domain, found = part.theorem.domain, list[DerivedCase]()
    target = term and domain.outer(0) + term.value(domain.outside())
    for case in part.theorem.cases:
        answer = case.answers[key]
        if answer is None or target is None:
            found += [case] if not most and answer is None else []
            continue
        ratio, above = answer - target, domain.without_positive(answer.top)
        if isinstance(theorem.family, Family) and above.is_constant() and not above.is_zero():
            # a derived answer is not negative, so its denominator has the sign of its numerator
            ratio = ratio * domain.outer.ratio(answer.bottom * above, domain.outer.one)
        more = said_case(domain, [(ratio, "<=" if most else ">=")], {}).when
        if not more[0].poly.is_constant():
            found.append(replace(case, when=(*case.when, *more)))
        elif more[0].holds(case.example or (Fraction(1),) * len(domain.outer.names)):
            found.append(case)
    return replace(part.theorem, cases=tuple(found))


def wanted_part(theorem: CaseData, key: str, wanted: Any, given: Mapping[str, Any]) -> tuple[Part, Term | None]:
    """Return a theorem at given values with a wanted answer, None for "never"; its new names are positive symbols."""
    if wanted is None or wanted == "never" or wanted is never:
        return restricted(theorem, given), None
    free = [name for name in theorem.family.symbols if name not in given and name not in theorem.family.defined]
    if not expressed(wanted):
        number = read_value(wanted, key, theorem.grade(key))
        return restricted(theorem, given), read_expression(number, key, free)
    words = re.findall(r"[A-Za-z]\w*", str(wanted))
    new = list(dict.fromkeys(word for word in words if word not in theorem.family.symbols))
    return restricted(theorem, given, new), read_expression(str(wanted), key, [*free, *new])


def ends(theorem: CaseData, symbol: str, *, values: bool = True) -> Iterator[tuple[Any, bool, Part]]:
    """Yield the ends of the values of a symbol: a number or ``"oo"``, True if it is a value, and the theorem there.

    Without `values`, the theorem is the limit also at a lower end that is a value. An end that depends on other symbols
    is left out, and so is one at which an answer is not bounded.
    """
    relations = theorem.family.symbols[symbol]
    others = [r for name, each in theorem.family.symbols.items() if name != symbol for r in each]
    if any(symbol in r.left.names | r.right.names for r in others):
        return
    (slack,) = (each for each in theorem.domain.slacks if each.symbol == symbol)
    lower, upper = ([r for r in relations if r.sign in signs] for signs in ({">", ">="}, {"<", "<="}))
    if not any(r.right.names for r in lower):
        least = Fraction(0) if slack.bound is None else Fraction(slack.bound.value({}))
        if all(r.right.value({}) <= least for r in lower):
            yield from _end(theorem, symbol, least, attained=values and slack.weak)
    above = [(Fraction(r.right.value({})), r.sign) for r in upper if not r.right.names]
    if not upper:
        yield from _end(theorem, symbol, None, attained=False)
    elif len(above) == len(upper) and min(above)[1] == "<=":
        yield from _end(theorem, symbol, min(above)[0], attained=True)


def _end(theorem: CaseData, symbol: str, end: Fraction | None, *, attained: bool) -> Iterator[tuple[Any, bool, Part]]:
    with suppress(_UnboundedError):
        part = restricted(theorem, {symbol: end}) if attained else _limit(theorem, symbol, top=end is None)
        yield ("oo" if end is None else end), attained, part


class _UnboundedError(DtmodelError):
    """An answer that is not bounded at an end of a symbol."""


def _limit(theorem: CaseData, symbol: str, *, top: bool) -> Part:
    """Return a theorem as a symbol tends to its lower bound, or to infinity (`top`)."""
    declared = {name: each for name, each in theorem.family.symbols.items() if name != symbol}
    domain, outer = _domain(theorem, declared), theorem.domain.outer
    (slack,) = (each for each in theorem.domain.slacks if each.symbol == symbol)
    place = outer.names.index(slack.name)

    def leading(poly: Polynomial) -> tuple[int, Ratio]:
        power = (max if top else min)(int(powers[place]) for powers in poly.monoms())
        terms = {_without(powers, place): factor for powers, factor in poly.terms() if int(powers[place]) == power}
        return power, Ratio(domain.outer, domain.outer.context.from_dict(terms), domain.outer.one)

    def moved(ratio: Ratio) -> Ratio:
        if not ratio:
            return domain.outer(0)
        (above, over), (below, under) = leading(ratio.top), leading(ratio.bottom)
        order = above - below if top else below - above
        if order > 0:
            raise _UnboundedError(f"unbounded as {symbol} tends to an end")
        return over / under if order == 0 else domain.outer(0)

    return _part(theorem, declared, domain, moved, lambda ratio: leading(ratio.top)[1])


def _without(powers: Sequence[Any], place: int) -> tuple[int, ...]:
    return tuple(int(power) for at, power in enumerate(powers) if at != place) or (0,)
