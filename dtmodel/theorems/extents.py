"""Exact range of a rational function on an interval, with the points at which its bounds are reached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, final

import sympy

from dtmodel.theorems.evaluation import shown
from dtmodel.theorems.quantities import Symbol


@final
@dataclass(frozen=True)
class End:
    """A bound of a function: its `value`, the point `at` which it lies, and whether the function reaches (`has`) it."""

    value: Any
    at: Any
    has: bool

    def told(self, side: str, result: Symbol, symbol: Symbol, target: Any) -> str:
        """Write the bound in words; `side` is "most" or "least"."""
        strict = {"most": "less than", "least": "more than"}[side]
        bound = strict if not self.has and self.value == target else f"at {side}"
        where = f"at {beyond(symbol, self.at)}" if self.has else f"as {symbol.name} tends to {_shown(symbol, self.at)}"
        return f"{bound} {_shown(result, self.value)}, {where}"


@final
@dataclass(frozen=True)
class Extent:
    """The lower and the upper bound of a function on an interval."""

    low: End
    high: End


def beyond(symbol: Symbol, value: Any) -> str:
    """Write a value of a symbol with its unit.

    >>> beyond(Symbol("R", "rate", "bytes/s"), sympy.Integer(125_000_000))
    'R = 1 Gbps'
    """
    return f"{symbol.name} = {_shown(symbol, value)}"


def _shown(symbol: Symbol, value: Any) -> str:
    if value in (sympy.oo, -sympy.oo):
        return "infinity" if value == sympy.oo else "-infinity"
    if not value.is_Rational:
        return f"about {float(value):.6g} {symbol.unit}".rstrip()
    return shown(Fraction(int(value.p), int(value.q)), symbol.unit)


def extents(value: Any, symbol: Symbol, letter: Any, where: Any) -> Iterator[Extent]:
    """Yield the range of a rational function between each two of its poles in an interval or set of points."""
    whole = symbol.domain in ("count", "number")
    if where.is_FiniteSet:
        for point in where:
            if not whole or point.is_integer:
                end = End(sympy.cancel(value).subs(letter, point), point, True)
                yield Extent(end, end)
        return
    value = sympy.cancel(value)
    _, under = sympy.fraction(value)
    inner = [root for root in _real_roots(under, letter) if bool(where.inf < root) and bool(root < where.sup)]
    for left, right in pairwise([where.inf, *inner, where.sup]):
        part = sympy.Interval(left, right, left not in where or left in inner, right not in where or right in inner)
        ends = list(_ends(value, letter, part, whole=whole))
        if ends:
            yield Extent(min(ends, key=_order), max(ends, key=_order))


def _order(end: End) -> Any:
    return end.value


def _ends(value: Any, letter: Any, where: Any, *, whole: bool) -> Iterator[End]:
    """Yield the candidates for the bounds: the ends of the interval, and the points at which the slope is 0."""
    over, _ = sympy.fraction(sympy.cancel(value.diff(letter)))
    places = [root for root in _real_roots(over, letter) if root in where]
    for end, side in ((where.inf, "+"), (where.sup, "-")):
        if end in where:
            places.append(end)
        elif not whole or end.is_infinite:
            yield End(sympy.limit(value, letter, end, side), end, False)
    if whole:
        last = [sympy.floor(where.inf) + 1, sympy.ceiling(where.sup) - 1]
        places = [f(place) for place in places for f in (sympy.floor, sympy.ceiling)]
        places += [place for place in last if place.is_finite]
    for place in places:
        if place in where:
            yield End(value.subs(letter, place), place, True)


def _real_roots(expression: Any, letter: Any) -> list[Any]:
    if not expression.has(letter):
        return []
    return sorted(set(sympy.real_roots(sympy.Poly(expression, letter))))
