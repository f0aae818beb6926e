"""Inversion of a derived theorem: exact intervals of one symbol in which an answer is at least or at most a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dtmodel.base.documents import choice
from dtmodel.base.errors import MISSING, InputError
from dtmodel.derive.algebra.dimensions import read_value
from dtmodel.derive.algebra.domain import RELATION
from dtmodel.derive.algebra.number import Field, Polynomial, Ratio, factors_of, fraction_at, key_of
from dtmodel.derive.search.cases import GRADES
from dtmodel.derive.theorem.data import TheoremData


@dataclass(frozen=True)
class Interval:
    """An interval of numbers.

    - `low`, `high` (Fraction, SymPy number or None): the ends; an irrational root is a number of SymPy, and None means
      that the interval is unbounded.
    - `with_low`, `with_high`: whether the interval contains its ends.

    >>> print(Interval(low=Fraction(6), high=None, with_low=True, with_high=False))
    [6, oo)
    """

    low: Any
    high: Any
    with_low: bool
    with_high: bool

    def __str__(self) -> str:
        low, high = (sign if end is None else str(end) for sign, end in (("-oo", self.low), ("oo", self.high)))
        return f"{'[' if self.with_low else '('}{low}, {high}{']' if self.with_high else ')'}"


def inverse(
    theorem: TheoremData, symbol: str, wanted: Any, at: Sequence[Mapping[str, Any]], key: str, *, most: bool = False
) -> tuple[Interval, ...]:
    """Invert a theorem, as `DerivedTheorem.inverse` documents.

    Between neighbouring roots of all polynomials no sign changes, so that one rational number decides each gap.

    >>> from dtmodel.derive import derive
    >>> theorem = derive({"symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "R": "> C"},
    ...     "policy": {"name": "dt", "alpha": "alpha"}, "switch": {"buffer": "B", "rate": "C"},
    ...     "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}]})
    >>> [str(interval) for interval in theorem.inverse("B", 3, {"alpha": 1, "C": 1, "R": 2})]
    ['[6, oo)']
    """
    choice(symbol, "symbol", tuple(slack.symbol for slack in theorem.domain.slacks))
    choice(key, "key", theorem.keys)
    if not at:
        raise InputError("at", at, "values of the other symbols")
    if most and wanted is None:
        raise InputError("wanted", wanted, 'a number, since every answer is at most "never"')
    limit = None if wanted is None else read_value(wanted, "wanted", GRADES[key])
    lines = [_Line(theorem, symbol, limit, values, key, most=most) for values in at]
    roots = _roots([poly for line in lines for poly in line.polys()])
    samples = [_between(low, high) for low, high in pairwise([None, *(root for root, _ in roots), None])]
    good = []
    for index, sample in enumerate(samples):
        good.append(all(line.holds(_signs_at(sample)) for line in lines))
        if index < len(roots):
            good.append(all(line.holds(_signs_at(sample, roots[index][1])) for line in lines))
    return tuple(_intervals([root for root, _ in roots], good))


def _roots(polys: Sequence[Polynomial]) -> list[tuple[Any, Polynomial]]:
    """Return all real roots in order, each with the irreducible polynomial whose root it is."""
    import sympy

    x = sympy.Symbol("x")
    factors = {key_of(factor): factor for poly in polys for factor, _ in factors_of(poly)[1]}
    roots = [(root, f) for f in factors.values() for root in sympy.Poly(_coefficients(f), x).real_roots()]
    return sorted(roots, key=lambda pair: pair[0])


def _coefficients(poly: Polynomial) -> list[int]:
    found = {int(powers[0]): int(c) for powers, c in poly.terms()}
    return [found.get(power, 0) for power in range(max(found, default=0), -1, -1)]


def _between(low: Any, high: Any) -> Fraction:
    """Return a rational number between two real ones; None is infinity."""
    if low is None or high is None:
        end = high if low is None else low
        return Fraction(0) if end is None else Fraction(int(end)) + (-2 if low is None else 2)
    places = 20
    while True:  # different roots are separated at some precision
        middle = Fraction(str(((low + high) / 2).evalf(places)))
        if low < middle < high:
            return middle
        places *= 2


def _signs_at(sample: Fraction, factor: Polynomial | None = None) -> Callable[[Polynomial], int]:
    """Return a function for the sign of a polynomial at a number, or at the next root of a factor above it."""

    def sign(poly: Polynomial) -> int:
        if factor is not None and (poly.is_zero() or not poly.gcd(factor).is_constant()):
            return 0
        value = fraction_at(poly, [sample])
        return (value > 0) - (value < 0)

    return sign


def _intervals(roots: Sequence[Any], good: Sequence[bool]) -> list[Interval]:
    """Join gaps between roots (even places) and roots (odd places) that are good into intervals."""
    found: list[Interval] = []
    ends = [_plain(root) for root in roots]
    begin: int | None = None
    for place, holds in enumerate([*good, False]):
        if holds and begin is None:
            begin = place
        elif not holds and begin is not None:
            last = place - 1
            low = ends[begin // 2] if begin % 2 else ends[begin // 2 - 1] if begin else None
            high = ends[last // 2] if last // 2 < len(ends) else None
            found.append(Interval(low, high, begin % 2 == 1, last % 2 == 1))
            begin = None
    return found


def _plain(root: Any) -> Any:
    return Fraction(int(root.p), int(root.q)) if root.is_Rational else root


class _Line:
    """A theorem restricted to one symbol, at given values of the others: its conditions and answers are univariate."""

    def __init__(
        self,
        theorem: TheoremData,
        symbol: str,
        limit: Fraction | None,
        given: Mapping[str, Any],
        key: str,
        *,
        most: bool,
    ) -> None:
        self.field = field = Field(["x"])
        values = _values(theorem, symbol, given, field)
        into = theorem.domain.slack_values(values)
        relations = [r for each in theorem.family.symbols.values() for r in each]
        self.domain = [(_poly(field(0) + r.left.value(values) - r.right.value(values)), r.sign) for r in relations]
        for relation, (poly, sign) in zip(relations, self.domain, strict=True):
            if poly.is_constant() and not RELATION[sign](_signs_at(Fraction(0))(poly), 0):
                name, text = relation.left.text, f"{relation.left.text} {sign} {relation.right.text}"
                raise InputError(f"at.{name}", str(given.get(name)), text)
        self.cases: list[tuple[list[tuple[Polynomial, str]], Polynomial]] = []
        outer = theorem.domain.outer
        for case in theorem.cases:
            when = [(_poly(Ratio(outer, c.poly, outer.one).replaced(into, field)), c.relation) for c in case.when]
            answer = case.answers[key]
            if answer is None:
                self.cases.append((when, -field.one if most else field.one))
                continue
            bottom = Ratio(outer, answer.bottom, outer.one).replaced(into, field)
            if bottom.top.is_zero():
                continue  # the answer divides by 0 on the whole line, so the case has no point on it
            enough = Ratio(outer, answer.top, outer.one).replaced(into, field) / bottom - (limit or 0)
            self.cases.append((when, -field.one if limit is None else _poly(-enough if most else enough)))

    def polys(self) -> list[Polynomial]:
        """Return all polynomials whose signs decide the result."""
        found = [poly for poly, _ in self.domain]
        for when, enough in self.cases:
            found += [*(poly for poly, _ in when), enough]
        return [poly for poly in found if not poly.is_constant()]

    def holds(self, sign: Callable[[Polynomial], int]) -> bool:
        """Return True if the answer satisfies the bound where polynomials have these signs."""
        if not all(RELATION[relation](sign(poly), 0) for poly, relation in self.domain):
            return False
        for when, enough in self.cases:
            if all(RELATION[relation](sign(poly), 0) for poly, relation in when):
                return sign(enough) >= 0
        return False


def _values(theorem: TheoremData, symbol: str, given: Mapping[str, Any], field: Field) -> dict[str, Ratio]:
    """Read the values of all symbols except the unknown one."""
    for name in given:
        if name == symbol or name not in theorem.family.symbols:
            others = ", ".join(other for other in theorem.family.symbols if other != symbol)
            raise InputError(f"at.{name}", given[name], f"values of {others}")
    values: dict[str, Ratio] = {symbol: field.symbol("x")}
    defined = theorem.family.defined
    for name in theorem.family.symbols:
        if name != symbol and name not in given and name not in defined:
            raise InputError(f"at.{name}", MISSING, "a value: it is a symbol of the theorem")
        if name in given:
            values[name] = field(read_value(given[name], f"at.{name}", theorem.domain.measures.get(name)))
    for name, term in defined.items():
        value = field(0) + term.value(values)
        if values.setdefault(name, value) != value:
            raise InputError(f"at.{name}", given[name], f"{name} == {term.text}")
    return values


def _poly(ratio: Ratio) -> Polynomial:
    return ratio.top * ratio.bottom
