"""Polynomials with exact coefficients: lists of ``[coefficient, {symbol: exponent}]``, coefficients ``"p/q"``."""

from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from typing import Any

__all__ = [
    "ONE",
    "Polynomial",
    "Ratio",
    "RefusedError",
    "equal_products",
    "impossible",
    "names",
    "plus",
    "polynomial",
    "power_of",
    "refuse_unless",
    "scaled",
    "substitute",
    "sure",
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
    """Multiply two polynomials, in whole numbers over one denominator; monomials are numbers to a base meanwhile."""
    symbols, base = _digits(left, right)
    over, result = _multiplied(left, right, symbols, base)
    return {_monomial(code, symbols, base): Fraction(value, over) for code, value in result.items() if value}


def equal_products(first: tuple[Polynomial, Polynomial], second: tuple[Polynomial, Polynomial]) -> bool:
    """Tell whether two products of two polynomials are the same polynomial."""
    symbols, base = _digits(*first, *second)
    (over, ones), (under, others) = (_multiplied(*pair, symbols, base) for pair in (first, second))
    return all(ones.get(code, 0) * under == others.get(code, 0) * over for code in ones | others)


def _digits(*polys: Polynomial) -> tuple[list[str], int]:
    """Return the symbols, and a base in which their powers in a product of two polynomials are digits."""
    highest = max((power for poly in polys for monomial in poly for _, power in monomial), default=0)
    return sorted(set().union(*map(names, polys))), 2 * highest + 1


def _multiplied(left: Polynomial, right: Polynomial, symbols: list[str], base: int) -> tuple[int, dict[int, int]]:
    """Return a product as whole numbers over one denominator, each monomial being a number to a base."""
    places = {name: base**place for place, name in enumerate(symbols)}
    (over, ones), (under, others) = (
        (denominator, [(sum(power * places[name] for name, power in monomial), value) for monomial, value in terms])
        for denominator, terms in map(_whole, (left, right))
    )
    result: dict[int, int] = {}
    for first, a in ones:
        for second, b in others:
            code = first + second
            result[code] = result.get(code, 0) + a * b
    return over * under, result


def _monomial(code: int, symbols: Iterable[str], base: int) -> Monomial:
    """Read the powers of the symbols, which are the digits of a number."""
    powers = []
    for name in symbols:
        code, power = divmod(code, base)
        if power:
            powers.append((name, power))
    return tuple(powers)


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


def sure(poly: Polynomial, weak: set[str]) -> bool:
    """Tell whether a polynomial of one sign is nowhere 0, if symbols are positive, but for those that may be 0."""
    return any(not any(name in weak for name, _ in monomial) for monomial in poly)


def impossible(given: list[tuple[Polynomial, str]], parts: Any, weak: set[str], where: str) -> None:
    """Refuse unless a sum shows that what is given (``>``, ``>=`` or ``=`` 0) cannot hold where no symbol is negative.

    Each part of it is a product of what is given, times a number and a monomial: not negative. No coefficient of the
    sum is positive. So all of it would be 0, but something in it is not.
    """
    total: Polynomial = {}
    more = False
    for places, number, monomial in parts:
        factor = polynomial([[number, monomial]])
        refuse_unless(all(0 <= place < len(given) for place in places), f"{where}: a place")
        relations = {given[place][1] for place in places}
        refuse_unless(bool(relations), f"{where}: a product of nothing")
        refuse_unless("=" in relations or Fraction(number) > 0, f"{where}: a multiple")
        more = more or (relations == {">"} and sure(factor, weak))
        for place in places:
            factor = times(factor, given[place][0])
        total = plus(total, factor)
    refuse_unless(all(value < 0 for value in total.values()), f"{where}: not a sum that shows it")
    refuse_unless(more or sure(total, weak), f"{where}: all of it may be 0")
