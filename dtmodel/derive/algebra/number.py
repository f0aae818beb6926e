"""Rational functions with exact coefficients, with which the fluid engine computes as with numbers.

The `Ratio` is a quotient of coprime polynomials of python-flint. To compare two, the field's `sign` decides the sign of
a polynomial, or splits the path.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import total_ordering
from typing import Any, Self

import flint

from dtmodel.base.errors import DtmodelError

Polynomial = Any  # flint.fmpz_mpoly; python-flint has no types
Key = tuple[Any, ...]


class LimitError(DtmodelError):
    """A limit was reached: paths, phases, expiries of a timer, or seconds."""


def key_of(poly: Polynomial) -> Key:
    """Return a hashable key of a polynomial: its terms, in the order of the ring."""
    return tuple(poly.terms())


def factors_of(poly: Polynomial) -> tuple[int, list[tuple[Polynomial, int]]]:
    """Return the signed content of a polynomial, and its irreducible factors with their multiplicities."""
    try:
        content, factors = poly.factor()
        return int(content), [(factor, int(power)) for factor, power in factors]
    except OverflowError:  # python-flint sorts integer polynomials by coefficients, which must fit into 64 bits
        context = poly.context()
        rational = flint.fmpq_mpoly_ctx.get(context.names(), context.ordering())
        _, parts = rational.from_dict(poly.to_dict()).factor()
        found = [(context.from_dict({m: int(c) for m, c in part.to_dict().items()}), int(n)) for part, n in parts]
        rest = poly.leading_coefficient()
        for factor, power in found:
            rest = rest / factor.leading_coefficient() ** power
        return int(rest), found


def fraction_at(poly: Polynomial, point: Sequence[Fraction]) -> Fraction:
    """Evaluate a polynomial at a rational point.

    >>> x, y = Field(["x", "y"]).symbols
    >>> fraction_at((x * x - y).top, [Fraction(1, 2), Fraction(1)])
    Fraction(-3, 4)
    """
    total = Fraction(0)
    for powers, factor in poly.terms():
        term = Fraction(int(factor))
        for value, power in zip(point, powers, strict=False):  # flint adds a symbol to a field without symbols
            if power:
                term *= value ** int(power)
        total += term
    return total


class Field:
    """The rational functions in given symbols, with the functions that decide their signs.

    - `names`: the symbols.
    - `sign` (callable): returns the sign of a polynomial, -1, 0 or 1; an exploration sets it for its current path.
    - `earliest` (callable): returns the index of the earliest of some times, from polynomials with the signs of their
      differences; None if the times have to be compared in pairs.
    - `expiries`: the maximum quotient of a division with remainder.

    >>> x, y = Field(["x", "y"]).symbols
    >>> (x * x - y * y) / (x - y)
    x + y
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.context = flint.fmpz_mpoly_ctx.get(self.names or ("_",), flint.Ordering.lex)
        self.one: Polynomial = self.context.constant(1)
        self.symbols = [Ratio(self, gen, self.one) for gen in self.context.gens()[: len(self.names)]]
        self.sign: Callable[[Polynomial], int] = _undecided
        self.earliest: Callable[[Sequence[Sequence[Polynomial]]], int | None] = _no_choice
        self.expiries = 3

    def __call__(self, value: Fraction | int) -> Ratio:
        """Return a constant of this field."""
        exact = Fraction(value)
        return Ratio(self, self.context.constant(exact.numerator), self.context.constant(exact.denominator))

    def symbol(self, name: str) -> Ratio:
        """Return the symbol with a `name`."""
        return self.symbols[self.names.index(name)]

    def ratio(self, top: Polynomial, bottom: Polynomial) -> Ratio:
        """Divide the polynomial `top` by `bottom` and cancel common factors."""
        if bottom.is_zero():
            raise ZeroDivisionError("a rational function with the denominator 0")
        if top.is_zero():
            return Ratio(self, top, self.one)
        if not bottom.is_one():
            common = top.gcd(bottom)
            if not common.is_one():
                top, bottom = top / common, bottom / common
            if bottom.leading_coefficient() < 0:
                top, bottom = -top, -bottom
        return Ratio(self, top, bottom)


@total_ordering
class Operators(ABC):
    """Arithmetic operators of a number type, defined by its operations on two numbers of the type or a fraction."""

    __slots__ = ()
    _negative: Callable[[], Self]
    _constant: Callable[[Fraction | int], Self]
    _plus: Callable[[Self], Self]
    _by: Callable[[Self], Self]
    _over: Callable[[Self], Self]

    @abstractmethod
    def sign(self) -> int:
        """Return -1, 0 or 1."""

    def _read(self, other: object) -> Self | None:
        if isinstance(other, type(self)):
            return other
        return self._constant(other) if isinstance(other, int | Fraction) else None

    def __neg__(self) -> Self:
        return self._negative()

    def __add__(self, other: object) -> Self:
        right = self._read(other)
        return NotImplemented if right is None else self._plus(right)

    __radd__ = __add__

    def __sub__(self, other: object) -> Self:
        right = self._read(other)
        return NotImplemented if right is None else self._plus(-right)

    def __rsub__(self, other: object) -> Self:
        return -self + other

    def __mul__(self, other: object) -> Self:
        right = self._read(other)
        return NotImplemented if right is None else self._by(right)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Self:
        right = self._read(other)
        return NotImplemented if right is None else self._over(right)

    def __rtruediv__(self, other: object) -> Self:
        left = self._read(other)
        return NotImplemented if left is None else left._over(self)

    def __lt__(self, other: object) -> bool:
        return self != other and (self - other).sign() < 0


class Ratio(Operators):
    """A rational function: `top` / `bottom`, coprime; equal functions have equal pairs.

    - `field` (Field): the field of the function.
    - `top`, `bottom` (polynomial): polynomials of python-flint.

    >>> B, C, R = Field(["B", "C", "R"]).symbols
    >>> 2 * B / (R - C) == B / (R - C) - B / (C - R)
    True
    """

    __slots__ = ("bottom", "field", "top")

    def __init__(self, field: Field, top: Polynomial, bottom: Polynomial) -> None:
        self.field, self.top, self.bottom = field, top, bottom

    def _constant(self, value: Fraction | int) -> Ratio:
        return self.field(value)

    def _plus(self, right: Ratio) -> Ratio:
        if self.bottom == right.bottom:
            return self.field.ratio(self.top + right.top, self.bottom)
        mine, its, common = _without_common(self.bottom, right.bottom)
        top = self.top * its + right.top * mine
        if common is None or top.is_zero():  # only `common` can share a factor with the new numerator
            return Ratio(self.field, top, mine * its if top else self.field.one)
        top, common, _ = _without_common(top, common)
        return Ratio(self.field, top, mine * its * common)

    def _negative(self) -> Ratio:
        return Ratio(self.field, -self.top, self.bottom)

    def _by(self, right: Ratio) -> Ratio:
        return self._times(right.top, right.bottom)

    def _over(self, right: Ratio) -> Ratio:
        if right.top.is_zero():
            raise ZeroDivisionError("a rational function with the denominator 0")
        turn = -1 if right.top.leading_coefficient() < 0 else 1
        return self._times(right.bottom * turn, right.top * turn)

    def _times(self, top: Polynomial, bottom: Polynomial) -> Ratio:
        """Multiply by a quotient of two coprime polynomials; the leading coefficient of `bottom` is positive."""
        if self.top.is_zero() or top.is_zero():
            return self.field(0)
        first, below, _ = _without_common(self.top, bottom)
        second, under, _ = _without_common(top, self.bottom)
        return Ratio(self.field, first * second, below * under)

    def __mod__(self, other: Ratio) -> Ratio:
        """Return the remainder of the division of a nonnegative number by a positive one.

        Raises `LimitError` if the quotient is larger than `Field.expiries`.

        >>> one = Field([])(1)
        >>> (one * 5 / 2) % one
        (1)/(2)
        """
        for times in range(self.field.expiries + 1):
            if self < other * (times + 1):
                return self - other * times
        raise LimitError(f"more than {self.field.expiries} expiries of a timer")

    def __pow__(self, exponent: int) -> Ratio:
        if exponent < 0:
            return self.field.ratio(self.bottom**-exponent, self.top**-exponent)
        return Ratio(self.field, self.top**exponent, self.bottom**exponent)

    def __eq__(self, other: object) -> bool:
        """Compare exactly; in an open cell, different functions differ almost everywhere."""
        right = self._read(other)
        return right is not None and bool(self.top == right.top and self.bottom == right.bottom)

    def __hash__(self) -> int:
        return hash((key_of(self.top), key_of(self.bottom)))

    def sign(self) -> int:
        """Return the sign, as the field decides it."""
        if self.top.is_zero():
            return 0
        above = self.field.sign(self.top)
        return above if self.bottom.is_one() else above * self.field.sign(self.bottom)

    def __bool__(self) -> bool:
        return not self.top.is_zero()

    def __repr__(self) -> str:
        return str(self.top) if self.bottom.is_one() else f"({self.top})/({self.bottom})"

    @staticmethod
    def earliest_of(times: Sequence[Ratio]) -> Ratio:
        """Return the least of some `times` with one split for all, instead of one for each pair."""
        different = list(dict.fromkeys(times))
        if len(different) == 1:
            return different[0]
        rows: list[list[Polynomial]] = [[] for _ in different]
        for place, one in enumerate(different):
            for other, row in zip(different[:place], rows, strict=False):
                ratio = one - other
                difference = ratio.top * ratio.bottom
                row.append(difference)
                rows[place].append(-difference)
        index = times[0].field.earliest(rows)
        return min(different) if index is None else different[index]

    def at(self, point: Sequence[Fraction]) -> Fraction:
        """Return the value at a rational `point`."""
        return fraction_at(self.top, point) / fraction_at(self.bottom, point)

    def replaced(self, values: Mapping[str, Ratio], field: Field) -> Ratio:
        """Replace every symbol by one of `values`, functions of another `field`.

        >>> R, C = Field(["R", "C"]).symbols
        >>> D, r = Field(["D", "r"]).symbols
        >>> (R - C).replaced({"R": D + r, "C": D}, D.field)
        r
        """
        return _replaced(self.top, values, field) / _replaced(self.bottom, values, field)


def _replaced(poly: Polynomial, values: Mapping[str, Ratio], field: Field) -> Ratio:
    total = field(0)
    names = poly.context().names()
    for powers, factor in poly.terms():
        term = field(int(factor))
        for name, power in zip(names, powers, strict=True):
            if power:
                term = term * values[name] ** int(power)
        total = total + term
    return total


def in_ring(poly: Polynomial, ring: Field) -> Polynomial:
    """Convert a polynomial to a ring that contains all its symbols."""
    names = poly.context().names()
    terms = {}
    for powers, factor in poly.terms():
        named = dict(zip(names, map(int, powers), strict=True))
        terms[tuple(named.get(name, 0) for name in ring.names) or (0,)] = factor
    return ring.context.from_dict(terms)


def _without_common(first: Polynomial, second: Polynomial) -> tuple[Polynomial, Polynomial, Polynomial | None]:
    """Divide two polynomials by their greatest common divisor; return it, too, or None if it is 1."""
    if first.is_one() or second.is_one():
        return first, second, None
    common = first.gcd(second)
    return (first, second, None) if common.is_one() else (first / common, second / common, common)


def _no_choice(differences: Sequence[Sequence[Polynomial]]) -> None:
    del differences


def _undecided(poly: Polynomial) -> int:
    if poly.is_constant():
        return 1 if poly.leading_coefficient() > 0 else -1
    raise ArithmeticError(f"the sign of {poly} is not known here")
