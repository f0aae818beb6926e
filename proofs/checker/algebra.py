"""Polynomials with exact coefficients: lists of ``[coefficient, {symbol: exponent}]``, coefficients ``"p/q"``."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from typing import Any

__all__ = [
    "ONE",
    "Polynomial",
    "Ratio",
    "RefusedError",
    "names",
    "plus",
    "polynomial",
    "power_of",
    "refuse_unless",
    "scaled",
    "substitute",
    "times",
]

Monomial = tuple[tuple[str, int], ...]
Polynomial = dict[Monomial, Fraction]
Ratio = tuple[Polynomial, Polynomial]

ONE: Polynomial = {(): Fraction(1)}


class RefusedError(Exception):
    """The certificate does not show what it should."""


def refuse_unless(condition: bool, message: str) -> None:
    """Refuse a certificate that fails a check."""
    if not condition:
        raise RefusedError(message)


def polynomial(terms: Iterable[Any]) -> Polynomial:
    """Read a polynomial."""
    result: Polynomial = {}
    for coefficient, exponents in terms:
        monomial = tuple(sorted((str(name), int(power)) for name, power in exponents.items() if power))
        refuse_unless(all(power > 0 for _, power in monomial), "a negative exponent")
        result[monomial] = result.get(monomial, Fraction(0)) + Fraction(coefficient)
    return {monomial: value for monomial, value in result.items() if value}


def names(poly: Polynomial) -> set[str]:
    """Return the symbols of a polynomial."""
    return {name for monomial in poly for name, _ in monomial}


def plus(left: Polynomial, right: Polynomial) -> Polynomial:
    """Add two polynomials."""
    result = dict(left)
    for monomial, value in right.items():
        result[monomial] = result.get(monomial, Fraction(0)) + value
    return {monomial: value for monomial, value in result.items() if value}


def times(left: Polynomial, right: Polynomial) -> Polynomial:
    """Multiply two polynomials, in whole numbers over one denominator."""
    (over, ones), (under, others) = _whole(left), _whole(right)
    result: dict[Monomial, int] = {}
    for first, a in ones:
        for second, b in others:
            powers = dict(first)
            for name, power in second:
                powers[name] = powers.get(name, 0) + power
            monomial = tuple(sorted(powers.items()))
            result[monomial] = result.get(monomial, 0) + a * b
    return {monomial: Fraction(value, over * under) for monomial, value in result.items() if value}


def _whole(poly: Polynomial) -> tuple[int, list[tuple[Monomial, int]]]:
    """Write a polynomial in whole numbers over their denominator."""
    over = lcm(*(value.denominator for value in poly.values()))
    return over, [(monomial, value.numerator * (over // value.denominator)) for monomial, value in poly.items()]


def scaled(poly: Polynomial, number: Fraction) -> Polynomial:
    """Multiply a polynomial by a number."""
    return {monomial: value * number for monomial, value in poly.items() if number}


def power_of(base: Polynomial, exponent: int) -> Polynomial:
    """Raise a polynomial to a power."""
    result = ONE
    for _ in range(exponent):
        result = times(result, base)
    return result


def substitute(expression: Polynomial, values: dict[str, Ratio]) -> Ratio:
    """Replace symbols by ratios, all at once; the result has one denominator."""
    highest = {name: max((dict(m).get(name, 0) for m in expression), default=0) for name in values}
    bottom = ONE
    for name, (_, below) in values.items():
        bottom = times(bottom, power_of(below, highest[name]))
    top: Polynomial = {}
    for monomial, coefficient in expression.items():
        powers = dict(monomial)
        term: Polynomial = {(): coefficient}
        for name, (above, below) in values.items():
            power = powers.pop(name, 0)
            term = times(term, times(power_of(above, power), power_of(below, highest[name] - power)))
        term = times(term, {tuple(sorted(powers.items())): Fraction(1)})
        top = plus(top, term)
    return top, bottom
