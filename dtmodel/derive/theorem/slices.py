"""A theorem along one symbol, at values of the others: between its breakpoints each answer is a monotone quotient."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import flint

from dtmodel.base.documents import choice
from dtmodel.base.errors import MISSING, InputError
from dtmodel.derive.algebra.dimensions import read_value
from dtmodel.derive.algebra.domain import RELATION
from dtmodel.derive.algebra.number import Field, Polynomial, Ratio
from dtmodel.derive.algebra.reals import Real, Univariate, between, real_roots, sign_at
from dtmodel.derive.theorem.data import CaseData

Answer = tuple[Univariate, Univariate] | None
"""Numerator and denominator of an answer; None for "never"."""
Signed = tuple[Univariate, str]
Sign = Callable[[Univariate], int]


@dataclass(frozen=True)
class SliceCase:
    """A case along one symbol: its number in the theorem, its conditions and its answer."""

    number: int
    when: tuple[Signed, ...]
    answer: Answer


@dataclass(frozen=True)
class Slice:
    """The domain and the cases of a theorem along one symbol."""

    domain: tuple[Signed, ...]
    cases: tuple[SliceCase, ...]

    def borders(self) -> Iterator[Univariate]:
        """Yield the polynomials at whose roots the domain or the case may change, or the answer is undefined."""
        yield from (poly for poly, _ in self.domain)
        for case in self.cases:
            yield from (poly for poly, _ in case.when)
            yield from () if case.answer is None else (case.answer[1],)

    def slopes(self) -> Iterator[Univariate]:
        """Yield the polynomials at whose roots the answer may turn from rising to falling."""
        yield from (slope(case.answer) for case in self.cases if case.answer is not None)

    def inside(self, sign: Sign) -> bool:
        """Return True if the domain contains the place at which polynomials have these signs."""
        return _hold(self.domain, sign)

    def case(self, sign: Sign) -> SliceCase | None:
        """Return the case that holds where polynomials have these signs; None if none is proved."""
        return next((case for case in self.cases if _hold(case.when, sign)), None)


@dataclass(frozen=True)
class Piece:
    """A breakpoint (`low` == `high`) or the open interval between two; None is infinity.

    `place`: the breakpoint, or a rational number inside. `cases`: the case of each slice; None if none is proved.
    """

    low: Real | None
    high: Real | None
    place: Real
    cases: tuple[SliceCase | None, ...]

    @property
    def point(self) -> bool:
        """True for a breakpoint."""
        return self.low is not None and self.low == self.high


def slope(answer: Answer) -> Univariate:
    """Return a polynomial with the sign of the derivative of an answer."""
    if answer is None:
        return flint.fmpz_poly()
    top, bottom = answer
    return top.derivative() * bottom - top * bottom.derivative()


def pieces(slices: Sequence[Slice], more: Sequence[Univariate] = ()) -> Iterator[Piece]:
    """Yield the breakpoints and the intervals between them that lie in the domains of all slices, in order."""
    roots = real_roots([*(poly for each in slices for poly in each.borders()), *more])
    for low, high in pairwise([None, *roots, None]):
        places = [(low, high, between(low, high))] + ([] if high is None else [(high, high, high)])
        for left, right, place in places:
            sign = partial(_sign_at, place)
            if all(each.inside(sign) for each in slices):
                yield Piece(left, right, place, tuple(each.case(sign) for each in slices))


def _sign_at(place: Real, poly: Univariate) -> int:
    return sign_at(poly, place)


def _hold(signed: Sequence[Signed], sign: Sign) -> bool:
    return all(RELATION[relation](sign(poly), 0) for poly, relation in signed)


class Restriction:
    """A theorem in which all symbols but one and some counts have values.

    - `theorem`, `key`, `symbol`: the theorem, its answer, and the symbol that varies.
    - `given`: the values of all symbols but this and the `counts`.
    - `counts`: symbols whose values `at` takes.
    - `where`: the prefix of a symbol in errors.
    - `name`: the name of the symbol's parameter in errors.
    """

    def __init__(
        self,
        theorem: CaseData,
        key: str,
        symbol: str,
        given: Mapping[str, Any],
        counts: Sequence[str] = (),
        where: str = "",
        name: str = "over",
    ) -> None:
        refuse_symbol(theorem, symbol, name)
        choice(key, "result", theorem.keys)
        self.field = field = Field(["x", *counts])
        values = _values(theorem, symbol, given, field, counts, where)
        into, outer = theorem.domain.slack_values(values), theorem.domain.outer

        def moved(poly: Polynomial) -> Ratio:
            return Ratio(outer, poly, outer.one).replaced(into, field)

        relations = [(name, r) for name, each in theorem.family.symbols.items() for r in each]
        self._domain = [(_poly(field(0) + r.left.value(values) - r.right.value(values)), r.sign) for _, r in relations]
        for (wrong, r), (poly, sign) in zip(relations, self._domain, strict=True):
            if poly.is_constant() and not RELATION[sign](_constant_sign(poly), 0):
                raise InputError(f"{where}{wrong}", str(given.get(wrong)), f"{r.left.text} {sign} {r.right.text}")
        self._cases = []
        for number, case in enumerate(theorem.cases):
            when = [(_poly(moved(c.poly)), c.relation) for c in case.when]
            answer = case.answers[key]
            bottom = field(1) if answer is None else moved(answer.bottom)
            if bottom.top.is_zero():
                continue  # the answer divides by 0 on the whole line, so the case has no point on it
            ratio = None if answer is None else moved(answer.top) / bottom
            self._cases.append((number, when, ratio))

    def at(self, counts: Mapping[str, int]) -> Slice | None:
        """Return the theorem along the symbol at values of the counts; None outside their domain."""
        values = [counts[name] for name in self.field.names[1:]]
        domain, cases = _open_signs(self._domain, values), []
        for number, when, ratio in self._cases if domain is not None else ():
            signed = _open_signs(when, values)
            answer = None if ratio is None else (_univariate(ratio.top, values), _univariate(ratio.bottom, values))
            if signed is not None and (answer is None or answer[1].degree() >= 0):
                cases.append(SliceCase(number, signed, answer))
        return None if domain is None else Slice(domain, tuple(cases))

    def only(self) -> Slice:
        """Return the theorem along the symbol if all other symbols have values."""
        found = self.at({})
        assert found is not None  # the constructor refuses values outside the domain
        return found


def _open_signs(signed: Sequence[tuple[Polynomial, str]], values: Sequence[int]) -> tuple[Signed, ...] | None:
    """Return the relations that depend on the symbol at values of the counts; None if another one is false."""
    found = []
    for poly, relation in signed:
        line = _univariate(poly, values)
        if line.degree() > 0:
            found.append((line, relation))
        elif not RELATION[relation](sign_at(line, Fraction(0)), 0):
            return None
    return tuple(found)


def refuse_symbol(theorem: CaseData, symbol: str, field: str) -> None:
    """Raise `InputError` if a name is not that of a symbol that may vary."""
    choice(symbol, field, tuple(slack.symbol for slack in theorem.domain.slacks))


def _univariate(poly: Polynomial, values: Sequence[int]) -> Univariate:
    """Return a polynomial in the symbol at values of the counts."""
    found: dict[int, int] = {}
    for powers, factor in poly.terms():
        term = int(factor)
        for value, power in zip(values, powers[1:], strict=True):
            term *= value ** int(power)
        found[int(powers[0])] = found.get(int(powers[0]), 0) + term
    return flint.fmpz_poly([found.get(power, 0) for power in range(max(found, default=0) + 1)])


def _values(
    theorem: CaseData, symbol: str, given: Mapping[str, Any], field: Field, counts: Sequence[str], where: str
) -> dict[str, Ratio]:
    """Read the values of all symbols except the one that varies and the counts."""
    free, defined = {symbol, *counts}, theorem.family.defined
    for name in given:
        if name in free or name not in theorem.family.symbols:
            others = [other for other in theorem.family.symbols if other not in free]
            raise InputError(f"{where}{name}", given[name], f"values of {', '.join(others)}")
    values: dict[str, Ratio] = {symbol: field.symbol("x")} | {name: field.symbol(name) for name in counts}
    for name in theorem.family.symbols:
        if name not in free and name not in given and name not in defined:
            raise InputError(f"{where}{name}", MISSING, "a value: it is a symbol of the theorem")
        if name in given:
            values[name] = field(read_value(given[name], f"{where}{name}", theorem.domain.measures.get(name)))
    for name, term in defined.items():
        value = field(0) + term.value(values)
        if values.setdefault(name, value) != value:
            raise InputError(f"{where}{name}", given[name], f"{name} == {term.text}")
    return values


def _poly(ratio: Ratio) -> Polynomial:
    return ratio.top * ratio.bottom


def _constant_sign(poly: Polynomial) -> int:
    return 0 if poly.is_zero() else 1 if poly.leading_coefficient() > 0 else -1
