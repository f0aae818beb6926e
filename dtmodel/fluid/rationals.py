"""The rationals that an exact run computes with: gmpy2's where it is installed, else those of this file.

Both are exact, so that every run is the same in either; what leaves a run is a `Fraction`. Those of the standard
library would do as well, and a run take a quarter longer: they ask what they are combined with at every step.
"""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from math import gcd, isfinite
from numbers import Rational
from typing import Any, final

from dtmodel.fluid.trajectory import FreeBuffer, Queue

_bare = object.__new__


@final
class Quotient:
    """An exact rational that computes with its like, with whole numbers and with fractions.

    `value`: a rational.

    >>> Quotient(3) / 2 - Fraction(1, 6), max(Quotient(2), Quotient(1))
    (Quotient(4, 3), Quotient(2, 1))
    """

    __slots__ = ("denominator", "numerator")
    numerator: int
    denominator: int

    def __init__(self, value: int | Fraction | str) -> None:
        exact = Fraction(value)
        self.numerator, self.denominator = exact.numerator, exact.denominator

    def __repr__(self) -> str:
        return f"Quotient({self.numerator}, {self.denominator})"

    def __str__(self) -> str:
        return str(Fraction(self.numerator, self.denominator))

    def __hash__(self) -> int:
        return hash(Fraction(self.numerator, self.denominator))

    def __float__(self) -> float:
        return self.numerator / self.denominator

    def __neg__(self) -> Quotient:
        return reduced(-self.numerator, self.denominator)

    def __add__(self, other: Any) -> Quotient:
        if isinstance(other, (Quotient, int, Fraction)):
            return _sum(self.numerator, self.denominator, other.numerator, other.denominator)
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Quotient:
        if isinstance(other, (Quotient, int, Fraction)):
            return _sum(self.numerator, self.denominator, -other.numerator, other.denominator)
        return NotImplemented

    def __rsub__(self, other: int | Fraction) -> Quotient:
        return -self + other

    def __mul__(self, other: Any) -> Quotient:
        if isinstance(other, (Quotient, int, Fraction)):
            return _product(self.numerator, self.denominator, other.numerator, other.denominator)
        return NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Quotient:
        if isinstance(other, (Quotient, int, Fraction)):
            top, bottom = other.denominator, other.numerator
            if bottom < 0:
                top, bottom = -top, -bottom
            return _product(self.numerator, self.denominator, top, bottom)
        return NotImplemented

    def __rtruediv__(self, other: int | Fraction) -> Quotient:
        return Quotient(other) / self

    def __bool__(self) -> bool:
        return self.numerator != 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Quotient, int, Fraction)):
            return self.numerator == other.numerator and self.denominator == other.denominator
        return NotImplemented

    def __lt__(self, other: Quotient | Fraction | float) -> bool:
        return _order(self, other) < 0

    def __le__(self, other: Quotient | Fraction | float) -> bool:
        return _order(self, other) <= 0

    def __gt__(self, other: Quotient | Fraction | float) -> bool:
        return _order(self, other) > 0

    def __ge__(self, other: Quotient | Fraction | float) -> bool:
        return _order(self, other) >= 0


Rational.register(Quotient)

try:
    EXACT: Any = import_module("gmpy2").mpq
except ImportError:
    EXACT = Quotient


def reduced(numerator: int, denominator: int) -> Quotient:
    """Return a quotient of numbers that have no common divisor; the second is positive.

    >>> reduced(3, 2)
    Quotient(3, 2)
    """
    made = _bare(Quotient)
    made.numerator, made.denominator = numerator, denominator
    return made


def _sum(top: int, bottom: int, other: int, under: int) -> Quotient:
    """Add two quotients, each of them reduced."""
    common = gcd(bottom, under)
    if common == 1:
        return reduced(top * under + bottom * other, bottom * under)
    rest = bottom // common
    total = top * (under // common) + other * rest
    again = gcd(total, common)  # no other divisor is left (Knuth, volume 2, 4.5.1)
    return reduced(total // again, rest * (under // again))


def _product(top: int, bottom: int, factor: int, divisor: int) -> Quotient:
    """Multiply two quotients, each of them reduced."""
    if not divisor:
        raise ZeroDivisionError(f"{top}/{bottom} / 0")
    across, along = gcd(top, divisor), gcd(factor, bottom)
    return reduced((top // across) * (factor // along), (bottom // along) * (divisor // across))


def _order(one: Quotient, two: Quotient | Fraction | float) -> int | float:
    """Return a number of the sign of a difference."""
    if isinstance(two, float):
        return _order(one, Fraction(two)) if isfinite(two) else -two
    top, bottom = two.numerator, two.denominator
    if not top or bottom == one.denominator:
        return one.numerator - top if top else one.numerator
    try:  # a quotient of whole numbers is rounded once, and rounding changes no order but to equality
        apart = one.numerator / one.denominator - top / bottom
    except OverflowError:
        apart = 0.0
    return apart or one.numerator * bottom - top * one.denominator


def in_fractions(free: FreeBuffer[Any], queues: list[Queue[Any]]) -> tuple[FreeBuffer[Any], list[Queue[Any]]]:
    """Return the trajectories of a run in fractions; a number that occurs many times is made once.

    `free` (FreeBuffer): what the engine kept of the free buffer. `queues` (list of Queue): what it kept of each queue.

    >>> free, queues = in_fractions(FreeBuffer([EXACT(0)], [EXACT(1, 2)]), [])
    >>> free.values
    [Fraction(1, 2)]
    """
    made: dict[int, Fraction] = {}

    def fraction(value: Any) -> Fraction:
        """Return the fraction of a number that the run keeps, so that its identity is its own."""
        found = made.get(id(value))
        if found is None:
            exact: Any = reduced(int(value.numerator), int(value.denominator))
            found = made[id(value)] = Fraction(exact)
        return found

    plain = free.given_in(fraction)
    return plain, [queue.given_in(fraction, plain) for queue in queues]
