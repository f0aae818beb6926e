"""Where an equation holds that is none between polynomials: whole numbers one by one, sign changes in floats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, final

from dtmodel import extras
from dtmodel.theory.quantities import Symbol

__all__ = ["MOST_WHOLE", "FloatRoot", "Solutions", "crossings", "whole_roots"]

MOST_WHOLE = 4096
"""Whole numbers are tried up to this."""
_DECADES = range(-12, 16)
_PER_DECADE = 64
_SMALL = 1e-6


@final
@dataclass(frozen=True)
class FloatRoot:
    """A root in floats: between `low` and `high` the difference of the two sides changes its sign.

    Examples
    --------
    >>> float(FloatRoot(1.0, 1.0000000000000002))
    1.0
    """

    low: float
    high: float

    def __float__(self) -> float:
        return self.low


@final
class Solutions(tuple[Any, ...]):  # noqa: SLOT001 - a tuple has no room for slots
    """Values of a symbol for which a result is as given, and `missed`: which may be missing, nothing if none may.

    Exact ones first, in increasing order: fractions and algebraic numbers of SymPy; then sets of SymPy all of whose
    numbers are solutions; then each `FloatRoot` in floats.

    Examples
    --------
    >>> Solutions([Fraction(1, 2)]).missed
    ''
    """

    missed: str

    def __new__(cls, found: Iterable[Any], missed: str = "") -> Solutions:
        """Make the tuple."""
        made = super().__new__(cls, tuple(found))
        made.missed = missed
        return made


def whole_roots(difference: Callable[[Fraction], Any], least: int) -> list[Fraction]:
    """Return the whole numbers up to `MOST_WHOLE` at which a difference is 0, computed exactly.

    Examples
    --------
    >>> whole_roots(lambda n: n // 2 - 3, 1)
    [Fraction(6, 1), Fraction(7, 1)]
    """
    return [Fraction(n) for n in range(least, MOST_WHOLE + 1) if difference(Fraction(n)) == 0]


def crossings(difference: Callable[[float], float], symbol: Symbol) -> tuple[list[FloatRoot], str]:
    """Return where a difference changes its sign without a jump, on a grid of the symbol's domain, and what is missed.

    Examples
    --------
    >>> roots, missed = crossings(lambda x: x**3 - 2, Symbol("x", "a length", "bytes"))
    >>> [round(root.low, 6) for root in roots], missed[:14]
    ([1.259921], 'two roots betw')
    """
    extras.need("scipy")
    grid = list(_grid(symbol))
    found = []
    points = list(_finite(difference, grid))
    for place, (point, value) in enumerate(points):
        around = [other for _, other in (*points[max(0, place - 1) : place], *points[place + 1 : place + 2])]
        if value == 0 and all(around):  # many zeros in a row are an underflow
            found.append(FloatRoot(point, point))
    for (left, at_left), (right, at_right) in pairwise(points):
        if at_left and at_right and (at_left > 0) != (at_right > 0):
            root = _refined(difference, left, right, _SMALL * (abs(at_left) + abs(at_right)))
            found += [root] if root else []
    missed = f"two roots between neighbours of the {len(grid)} numbers from {grid[0]:g} to {grid[-1]:g} that were tried"
    return sorted(found, key=float), f"{missed}, roots that are touched without a change of sign, and those beyond"


def _grid(symbol: Symbol) -> Iterator[float]:
    """Yield increasing numbers of the domain, 64 a decade."""
    if symbol.domain == "share":
        yield from (step / 4096 for step in range(4097))
        return
    positive = [10.0 ** (decade + step / _PER_DECADE) for decade in _DECADES for step in range(_PER_DECADE)]
    if symbol.domain == "real":
        yield from (-value for value in reversed(positive))
    if symbol.domain != "positive":
        yield 0.0
    yield from positive


def _finite(difference: Callable[[float], float], grid: list[float]) -> Iterator[tuple[float, float]]:
    for point in grid:
        try:
            value = float(difference(point))
        except (ArithmeticError, ValueError, TypeError):  # outside what the formula is defined for
            continue
        if abs(value) < float("inf"):
            yield point, value


def _refined(difference: Callable[[float], float], left: float, right: float, small: float) -> FloatRoot | None:
    """Close in on a sign change as far as floats go; None where the difference jumps over 0."""
    from math import nextafter

    from scipy.optimize import brentq

    try:
        middle = float(brentq(difference, left, right, xtol=5e-324, rtol=8.9e-16))
        if difference(middle) == 0:
            return FloatRoot(middle, middle)
        low, high, step = middle, middle, 1
        while (difference(low) > 0) == (difference(high) > 0):
            for _ in range(step):
                low, high = max(left, nextafter(low, left)), min(right, nextafter(high, right))
            step *= 2
        return FloatRoot(low, high) if abs(difference(high) - difference(low)) <= small else None
    except ZeroDivisionError:  # a pole
        return None
