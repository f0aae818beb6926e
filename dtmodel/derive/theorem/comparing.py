"""Comparison of two derived theorems: the regions in which the answer of one is greater, equal or less."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, cast

from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError
from dtmodel.base.mathtext import MathDisplay
from dtmodel.derive.algebra.consequences import Facts, Sign
from dtmodel.derive.algebra.domain import ONE, Declared, Domain, read_domain, values_of
from dtmodel.derive.algebra.number import Polynomial, Ratio
from dtmodel.derive.algebra.writing import LATEX, Writer
from dtmodel.derive.search.cases import Condition, condition, name_of, natural, solved_conditions
from dtmodel.derive.search.family import Family
from dtmodel.derive.search.paths import Limits, SymbolsProblem, declared_problem, domain_facts, read_problem
from dtmodel.derive.theorem.data import CaseData

OUTCOMES = (">", "==", "<")
_COMPARING = 0.85  # of the time; the rest is for writing


@dataclass(frozen=True, repr=False)
class DerivedComparison(MathDisplay):
    """The regions in which the first theorem's answer is greater than, equal to or less than the second's.

    The answer "never" is greater than every number.

    - `key`: the answer.
    - `greater`, `equal`, `less` (tuple of (Condition, ...)): regions, each with the conditions that hold in it. Regions
      of one outcome may overlap, those of two do not.
    - `complete`: whether the regions cover the domain.
    - `domain` (Domain): the symbols of both theorems.
    - `symbols`: their declarations.
    - `open`: the parts that are not proved, if it is not complete.

    >>> from dtmodel.derive import derive
    >>> family = {"symbols": {"B": "> 0", "C": "> 0", "R": "> C"}, "switch": {"buffer": "B", "rate": "C"},
    ...           "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}]}
    >>> shared = derive(family | {"policy": {"name": "complete"}})
    >>> found = shared.compare(derive(family | {"policy": {"name": "dt", "alpha": "1"}}))
    >>> found.at(B=Fraction(6), C=Fraction(1), R=Fraction(2)), found.complete
    ('>', True)
    """

    key: str
    greater: tuple[tuple[Condition, ...], ...]
    equal: tuple[tuple[Condition, ...], ...]
    less: tuple[tuple[Condition, ...], ...]
    complete: bool
    domain: Domain = field(compare=False)
    symbols: Declared = field(compare=False)
    open: tuple[str, ...] = ()

    def at(self, **values: Any) -> str | None:
        """Return ``">"``, ``"=="`` or ``"<"`` at `values` of all symbols, None outside all regions; or `InputError`."""
        named = self.domain.slack_values(values_of(self.symbols, values, self.domain.measures))
        point = [named[name] for name in self.domain.outer.names]
        for sign, regions in zip(OUTCOMES, (self.greater, self.equal, self.less), strict=True):
            if any(all(c.holds(point) for c in region) for region in regions):
                return sign
        return None

    def document(self) -> dict[str, Any]:
        """Return the regions as texts."""
        outcomes = {"greater": self.greater, "equal": self.equal, "less": self.less}
        shown = {name: [[c.text for c in region] for region in regions] for name, regions in outcomes.items()}
        document = {"key": self.key, **shown, "complete": self.complete}
        return document | ({"open": list(self.open)} if self.open else {})

    def latex(self) -> str:
        """Return the regions in LaTeX; the answers of the two theorems have the indices 1 and 2."""
        rows, name, writer = [], name_of(self.key), Writer(self.domain, latex=True)
        for sign, regions in zip(OUTCOMES, (self.greater, self.equal, self.less), strict=True):
            for region in regions:
                when = r",\ ".join(solved_conditions(writer, region, natural(self.domain)))
                shown = rf"{{{name}}}^{{(1)}} {LATEX[sign]} {{{name}}}^{{(2)}}"
                rows.append(rf"{shown} & \text{{if }} {when}" if when else rf"{shown} & \text{{always}}")
        body = r" \\ ".join(rows)
        return rf"\begin{{array}}{{ll}} {body} \end{{array}}"

    def __repr__(self) -> str:
        lines, writer = [], Writer(self.domain)
        for sign, regions in zip(OUTCOMES, (self.greater, self.equal, self.less), strict=True):
            for region in regions:
                when = " and ".join(solved_conditions(writer, region, natural(self.domain)))
                lines.append(f"{sign} if {when}" if when else f"{sign} always")
        return "\n".join(lines)


Region = tuple[Sign, ...]
Case = tuple[list[Sign], Ratio | None]


def compare_theorems(first: CaseData, second: CaseData, key: str, seconds: float) -> DerivedComparison:
    """Compare the answers of two theorems by pairs of cases; `InputError` for unlike declarations or no answer."""
    theorems = (first, second)
    for theorem in theorems:
        choice(key, "key", theorem.keys)
    begin = time.monotonic()
    problem, declared = _problem(first, second)
    facts = domain_facts(problem, Limits(), begin + _COMPARING * seconds)
    found: dict[str, list[Region]] = {outcome: [] for outcome in OUTCOMES}
    symbols = _symbols(problem)
    left = [f"cases of theorem {number + 1} are missing" for number, t in enumerate(theorems) if not t.complete]
    moved = cache(lambda place, number: _moved(theorems[place], theorems[place].cases[number], key, symbols, facts))
    waiting = list(product(*(range(len(theorem.cases)) for theorem in theorems)))[::-1]
    while waiting and not facts.arena.late():
        (signs, mine_), (others, its) = map(moved, (0, 1), waiting.pop())
        both = list(dict.fromkeys([*signs, *others]))
        if facts.impossible(both):
            continue
        for outcome, more in _outcomes(mine_, its, both, facts):
            region = tuple(dict.fromkeys([*both, *more]))
            if not facts.impossible(region):
                found[outcome].append(region)
    left += [f"{len(waiting)} pairs of cases: the limit of seconds was reached"] if waiting else []
    complete = not left
    simple = {outcome: _simplified(outcome, found, facts, complete) for outcome in OUTCOMES}
    greater, equal, less = (tuple(_shown(r, problem, facts) for r in simple[outcome]) for outcome in OUTCOMES)
    return DerivedComparison(key, greater, equal, less, complete, problem.domain, declared, tuple(left))


def _problem(first: CaseData, second: CaseData) -> tuple[SymbolsProblem, Declared]:
    """Return the symbols of two theorems; the hypotheses of a statement hold beside those of the other theorem."""
    one, other = first.family, second.family
    if isinstance(one, Family) and isinstance(other, Family):
        for name in one.symbols.keys() & other.symbols.keys():
            mine, its = (sorted(f"{r.sign} {r.right.text}" for r in each.symbols[name]) for each in (one, other))
            if mine != its:
                raise InputError(f"symbols.{name}", ", ".join(its), f"{', '.join(mine)}, as in the other theorem")
        return read_problem(one, other), one.symbols | other.symbols
    names = dict.fromkeys([*one.symbols, *other.symbols])
    declared = {name: (*one.symbols.get(name, ()), *other.symbols.get(name, ())) for name in names}
    domain = read_domain(declared, [], [], [], [])
    measures = {**first.domain.measures, **second.domain.measures}
    return declared_problem(replace(domain, measures=measures)), declared


def _symbols(problem: SymbolsProblem) -> Mapping[str, Ratio]:
    """Return each symbol as a function of the inner ones; alpha stands for `ONE` at the outer point."""
    domain = problem.domain
    if ONE not in domain.inner.names:
        return problem.values
    inner = cast("Any", {name: problem.ring.symbol(name) for name in domain.inner.names})
    named = zip(domain.outer.names, domain.outside_point(inner), strict=True)
    return domain.symbol_values({name: problem.ring(0) + value for name, value in named})


def _moved(theorem: CaseData, case: Any, key: str, symbols: Mapping[str, Ratio], facts: Facts) -> Case:
    into, outer, ring = theorem.domain.slack_values(symbols), theorem.domain.outer, facts.arena.ring
    signs: list[Sign] = []
    for c in case.when:
        ratio = Ratio(outer, c.poly, outer.one).replaced(into, ring)
        signs += _signs(ratio.top * ratio.bottom, c.relation, [], facts)
    answer = case.answers[key]
    return signs, None if answer is None else answer.replaced(into, ring)


def _signs(poly: Polynomial, relation: str, premises: Sequence[Sign], facts: Facts) -> list[Sign]:
    """Write a relation to 0 as signs of factors, without those whose sign is known or follows from the premises."""
    if poly.is_zero():
        return [] if relation != ">" else [Sign(facts.one, -1, strict=True)]
    sign, factors = facts.arena.factored(poly)
    product, nonzero = facts.arena.ring.one, []
    for atom, power in factors:
        known = _known(atom, premises, facts)
        if known:
            sign *= known ** (power % 2)
        elif power % 2 == 0 and relation == ">":
            nonzero.append(Sign(atom, 0, strict=True))
        else:  # a square that may be 0 stays beside the factors that must not be negative
            product = product * atom.poly ** (1 if power % 2 or relation == "==" else 2)
    if product.is_one():
        return [Sign(facts.one, sign if relation != "==" else -1, strict=True), *nonzero]
    whole, turned = facts.arena.atom(product)
    if relation == "==":
        return [Sign(whole, 0, strict=False)]
    return [Sign(whole, sign * turned, relation == ">"), *nonzero]


def _known(atom: Any, premises: Sequence[Sign], facts: Facts) -> int:
    """Return the sign of an atom if it follows from the premises without the solver, else 0."""
    return next((sign for sign in (1, -1) if facts.simply(premises, Sign(atom, sign, strict=True))), 0)


def _outcomes(
    mine: Ratio | None, its: Ratio | None, both: Sequence[Sign], facts: Facts
) -> Iterable[tuple[str, list[Sign]]]:
    """Yield the outcomes of comparing two answers, each with its additional conditions, in the region of both."""
    if mine is None or its is None:
        yield "==" if mine is its else ">" if mine is None else "<", []
        return
    difference = mine - its
    turned, parts = 1, facts.arena.ring.one
    for atom, power in facts.arena.factored(difference.bottom)[1]:  # nonzero where both answers are defined
        known = next((s for s in (1, -1) if facts.follows(both, Sign(atom, s, strict=True))), 0)
        turned, parts = turned * (known or 1), parts if known else parts * atom.poly**power
    sign = turned * facts.arena.factored(difference.bottom)[0]
    whole = difference.top * parts * sign
    if whole.is_zero():
        yield "==", []
        return
    for outcome, poly, relation in ((">", whole, ">"), ("==", difference.top, "=="), ("<", -whole, ">")):
        yield outcome, _signs(poly, relation, both, facts)


def _simplified(outcome: str, found: Mapping[str, Sequence[Region]], facts: Facts, complete: bool) -> list[Region]:
    """Drop redundant conditions of regions, then regions inside others.

    Redundant is a condition without which a region meets no other outcome's; if open parts remain, an implied one.
    """
    others = [region for other in OUTCOMES if other != outcome for region in found[other]]
    wide: list[Region] = []
    for region in found[outcome]:
        kept = list(region)
        for sign in [] if facts.arena.late() else sorted(region, key=lambda s: -len(s.atom.poly)):
            rest = [other for other in kept if other is not sign]
            if facts.simply(rest, sign) or (complete and all(facts.impossible([*rest, *other]) for other in others)):
                kept = rest
        wide.append(tuple(kept))
    wide = list(dict.fromkeys(wide))
    for region in sorted(wide, key=len, reverse=True):
        rest_ = [other for other in wide if other is not region]
        if rest_ and not facts.arena.late() and facts.impossible(region, rest_):
            wide = rest_
    return wide


def _shown(region: Region, problem: SymbolsProblem, facts: Facts) -> tuple[Condition, ...]:
    """Write a region in all symbols, with factors that are positive at a sample point of it, if one is known."""
    domain, inner = problem.domain, problem.domain.inner
    inside = _inside(region, problem, facts)
    shown = []
    for sign in region:
        terms = {tuple(map(int, powers[1:])) or (0,): c for powers, c in sign.atom.poly.terms()}
        poly = domain.restore(inner.context.from_dict(terms)) * (sign.sign or 1)
        if sign.sign == 0:
            forms = (condition(domain, turned, "!=" if sign.strict else "==", None) for turned in (poly, -poly))
            shown.append(min(forms, key=lambda form: len(form.text)))
        else:
            shown.append(condition(domain, poly, ">" if sign.strict else ">=", inside))
    return tuple(shown)


def _inside(region: Region, problem: SymbolsProblem, facts: Facts) -> Sequence[Fraction] | None:
    """Return a sample point inside a region, except for its equalities, if one is known."""
    each = [(facts.arena.signs(sign.atom), sign.sign) for sign in (*facts.always, *region) if sign.sign]
    names = facts.arena.ring.names
    for place, point in enumerate(facts.arena.points):
        if all(signs[place] == sign for signs, sign in each):
            return problem.domain.outside_point(dict(zip(names, point, strict=True)))
    return None
