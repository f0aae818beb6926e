"""Quotients of polynomials: what the times, the lengths and the rates of a trajectory are."""

from fractions import Fraction
from typing import Any

from .algebra import ONE, Ratio, equal_products, plus, polynomial, refuse_unless, scaled, times

ZERO: Ratio = ({}, ONE)
Goal = tuple[Ratio, bool]
"""What must not be negative, or must be positive."""


def ratio(document: Any) -> Ratio:
    """Read a quotient of polynomials."""
    top, bottom = map(polynomial, document)
    refuse_unless(bool(bottom), "a denominator is 0")
    return top, bottom


def add(left: Ratio, right: Ratio) -> Ratio:
    """Add two quotients of polynomials."""
    if left[1] == right[1]:
        return plus(left[0], right[0]), left[1]
    return plus(times(left[0], right[1]), times(right[0], left[1])), times(left[1], right[1])


def minus(left: Ratio, right: Ratio) -> Ratio:
    """Subtract a quotient from another."""
    return add(left, of(right, -1))


def product(left: Ratio, right: Ratio) -> Ratio:
    """Multiply two quotients of polynomials."""
    return times(left[0], right[0]), times(left[1], right[1])


def of(value: Ratio, unit: int) -> Ratio:
    """Multiply a quotient by a whole number."""
    return scaled(value[0], Fraction(unit)), value[1]


def equal(left: Ratio, right: Ratio) -> bool:
    """Tell whether both are one function."""
    return left == right or equal_products((left[0], right[1]), (right[0], left[1]))


def same(left: Ratio, right: Ratio, what: str) -> None:
    """Refuse unless both are one function."""
    refuse_unless(equal(left, right), what)
