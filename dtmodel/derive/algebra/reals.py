"""Exact real roots of polynomials in one variable, and exact values of rational functions at them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, total_ordering
from itertools import count
from math import isqrt
from typing import Any, Final, Union, final

import flint

from dtmodel.base.units import plain

Univariate = Any  # flint.fmpz_poly; python-flint has no types
Key = tuple[int, ...]
_BITS = 64
_DIGITS = 6
_LONGEST = 10**12
_XY: Final = flint.fmpz_mpoly_ctx.get(("x", "y"), flint.Ordering.lex)


@final
@total_ordering
@dataclass(frozen=True, eq=False, repr=False)
class Algebraic:
    """An irrational root of an irreducible polynomial with whole coefficients.

    - `coefficients` (tuple of int): those of the polynomial, the constant first.
    - `index`: the number of smaller real roots of the polynomial.
    - `low`, `high` (Fraction): an interval that contains this root and no other.
    - `bits`: the number of bits with which the interval was computed.

    >>> _, root = real_roots([flint.fmpz_poly([-2, 0, 1])])
    >>> root, float(root), root.document()
    (sqrt(2), 1.4142135623730951, {'polynomial': 'x**2 - 2', 'between': ['141421/100000', '70711/50000']})
    >>> 1 < root < Fraction(3, 2)
    True
    """

    coefficients: Key
    index: int
    low: Fraction
    high: Fraction
    bits: int = _BITS

    def __eq__(self, other: object) -> bool:
        """Compare exactly; intervals of different widths may isolate one root."""
        return isinstance(other, Algebraic) and (self.coefficients, self.index) == (other.coefficients, other.index)

    def __hash__(self) -> int:
        return hash((self.coefficients, self.index))

    def __lt__(self, other: Real) -> bool:
        if self == other:
            return False
        mine, its = self, other
        while mine.low < _top(its) and _bottom(its) < mine.high:
            mine, its = mine.refined(), its.refined() if isinstance(its, Algebraic) else its
        return mine.high <= _bottom(its)

    def refined(self) -> Algebraic:
        """Return the number with an interval that is narrower by a factor of more than 1000."""
        return _isolated(self.coefficients, 2 * self.bits)[self.index]

    def __float__(self) -> float:
        found = self
        while (found.high - found.low) * 2**54 > abs(found.low):
            found = found.refined()
        return float((found.low + found.high) / 2)

    @property
    def polynomial(self) -> str:
        """The polynomial as a text in x."""
        terms = [(c, power) for power, c in reversed(list(enumerate(self.coefficients))) if c]
        text = "".join(f" {'-' if c < 0 else '+'} {_term(abs(c), power)}" for c, power in terms)
        return text.removeprefix(" + ") if text.startswith(" +") else f"-{text[3:]}"

    def document(self) -> dict[str, Any]:
        """Return the polynomial, and an interval of a few digits that isolates the root."""
        digits = _DIGITS
        while True:
            low, high = self._decimals(digits)
            if _sign(self.coefficients, low) != _sign(self.coefficients, high) and self._alone(low, high):
                return {"polynomial": self.polynomial, "between": [plain(low), plain(high)]}
            digits += _DIGITS

    def _decimals(self, digits: int) -> tuple[Fraction, Fraction]:
        """Return the nearest decimal numbers below and above the root with a number of significant digits."""
        size, scale = abs(Fraction(float(self))), Fraction(10) ** (digits - 1)
        while size * scale >= 10**digits:
            scale /= 10
        while size * scale < 10 ** (digits - 1):
            scale *= 10
        close = self
        while (close.high - close.low) * 4 * scale > 1:
            close = close.refined()
        low = (close.low * scale).__floor__()
        return Fraction(low) / scale, Fraction((close.high * scale).__ceil__()) / scale

    def _alone(self, low: Fraction, high: Fraction) -> bool:
        return all(root == self or root < low or root > high for root in _roots_of(_poly(self.coefficients)))

    @property
    def exactly(self) -> str:
        """The number in words: a square root of whole numbers, or the polynomial whose root it is."""
        if len(self.coefficients) == 3:
            c, b, a = self.coefficients
            inside = b * b - 4 * a * c
            if inside < _LONGEST:
                return _surd(-b, 1 if self.index == (a > 0) else -1, inside, 2 * a)
        return f"a root of {self.polynomial}"

    def latex(self) -> str:
        r"""Return the number in LaTeX: a square root, or about a number with its polynomial.

        >>> real_roots([flint.fmpz_poly([-3, 0, 4])])[1].latex()
        '\\frac{\\sqrt{3}}{2}'
        """
        import sympy

        surd = not self.exactly.startswith("a root")
        if surd:
            return str(sympy.latex(sympy.sympify(self.exactly)))
        return rf"{float(self):.6g}\ldots\ \left({sympy.latex(sympy.sympify(self.polynomial))} = 0\right)"

    def __repr__(self) -> str:
        """Write a root of a short quadratic with a square root, others as about a number."""
        text = self.exactly
        return f"about {float(self):.6g}, {text}" if text.startswith("a root") else text


Real = Union[Fraction, "Algebraic"]


def shown_real(value: Real) -> Any:
    """Return a number as ``--json`` has it: ``"p/q"``, or the polynomial of an irrational number and an interval.

    >>> shown_real(Fraction(1, 2))
    '1/2'
    """
    return value.document() if isinstance(value, Algebraic) else plain(value)


def real_roots(polys: Iterable[Univariate]) -> list[Real]:
    """Return all real roots of polynomials in increasing order, each once."""
    factors = {tuple(map(int, f.coeffs())): f for poly in polys if poly.degree() > 0 for f, _ in poly.factor()[1]}
    return sorted(root for factor in factors.values() for root in _roots_of(factor))


def value_at(top: Univariate, bottom: Univariate, root: Real) -> Real:
    """Return the exact value of a quotient of polynomials at a number."""
    if isinstance(root, Fraction):
        return _rational(top, root) / _rational(bottom, root)
    _, y = _XY.gens()
    minimal, over, under = (_in(poly) for poly in (_poly(root.coefficients), top, bottom))
    eliminated = minimal.resultant(y * under - over, "x")
    found = real_roots([flint.fmpz_poly([int(eliminated[0, n]) for n in range(int(eliminated.degrees()[1]) + 1)])])
    while len(found) > 1:  # one of them is the value; more bits exclude the others
        with flint.ctx.workprec(2 * root.bits):
            near = _ball(root)
            value = top(near) / bottom(near)
            found = [each for each in found if value.is_nan() or value.overlaps(_ball(each))]
        root, found = root.refined(), [each.refined() if isinstance(each, Algebraic) else each for each in found]
    return found[0]


def compare_at(top: Univariate, bottom: Univariate, place: Real, value: Real) -> int:
    """Return the sign of a quotient of polynomials at a number less a value."""
    if isinstance(value, Fraction):
        return sign_at(top * value.denominator - bottom * value.numerator, place) * sign_at(bottom, place)
    with flint.ctx.workprec(2 * _BITS):
        near = _ball(place)
        difference = top(near) / bottom(near) - _ball(value)
    if difference > 0 or difference < 0:
        return 1 if difference > 0 else -1
    exact = value_at(top, bottom, place)
    return 0 if exact == value else 1 if value < exact else -1


def sign_at(poly: Univariate, place: Real) -> int:
    """Return the exact sign of a polynomial at a number."""
    if isinstance(place, Fraction):
        return _sign_of(poly, place)
    if poly.degree() < 0:
        return 0
    near = place
    while True:
        with flint.ctx.workprec(2 * near.bits):
            value = poly(_ball(near))
        if value > 0 or value < 0:
            return 1 if value > 0 else -1
        if near is place and poly.gcd(_poly(place.coefficients)).degree() > 0:
            return 0
        near = near.refined()


def sign_beside(poly: Univariate, place: Real | str, *, above: bool = False) -> int:
    """Return the sign of a polynomial just below a number or just above it, or towards ``"oo"`` or ``"-oo"``."""
    if isinstance(place, str):
        turned = poly(flint.fmpz_poly([0, -1])) if place == "-oo" else poly
        return _sign_of(turned.leading_coefficient() * _poly((1,)), Fraction(0)) if poly.degree() >= 0 else 0
    turn = 1
    while poly.degree() >= 0:
        if sign := sign_at(poly, place):
            return sign * turn
        poly, turn = poly.derivative(), turn if above else -turn
    return 0


def between(low: Real | None, high: Real | None) -> Fraction:
    """Return a rational number between two real ones; None is infinity.

    >>> between(Fraction(1), None), between(None, None), between(Fraction(1), Fraction(2))
    (Fraction(3, 1), Fraction(0, 1), Fraction(3, 2))
    """
    if low is None or high is None:
        end = high if low is None else low
        if end is None:
            return Fraction(0)
        side = end if isinstance(end, Fraction) else end.low if low is None else end.high
        return Fraction(side.__floor__()) - 1 if low is None else Fraction(side.__ceil__()) + 2 - (side.denominator > 1)
    while _top(low) >= _bottom(high):
        low, high = (end if isinstance(end, Fraction) else end.refined() for end in (low, high))
    return (_top(low) + _bottom(high)) / 2


def simplest_between(low: Real, high: Real) -> Fraction:
    """Return a rational number with a small denominator between two real ones.

    >>> low, high = real_roots([flint.fmpz_poly([-2, 0, 1])])
    >>> simplest_between(low, high), simplest_between(high, Fraction(3, 2))
    (Fraction(0, 1), Fraction(10, 7))
    """
    middle = between(low, high)
    return next(near for power in count() if low < (near := middle.limit_denominator(2**power)) < high)


def _top(value: Real) -> Fraction:
    return value.high if isinstance(value, Algebraic) else value


def _bottom(value: Real) -> Fraction:
    return value.low if isinstance(value, Algebraic) else value


def _roots_of(factor: Univariate) -> list[Real]:
    """Return the real roots of an irreducible polynomial in increasing order."""
    key = tuple(map(int, factor.coeffs()))
    return [Fraction(-key[0], key[1])] if len(key) == 2 else list(_isolated(key, _BITS))


@lru_cache(4096)
def _isolated(key: Key, bits: int) -> tuple[Algebraic, ...]:
    """Return the real roots of an irreducible polynomial that is not linear, with a number of bits."""
    if len(key) == 3:
        ends = _quadratic(*key, bits)
    else:
        with flint.ctx.workprec(bits):
            ends = [_ends(each.real) for each, _ in _poly(key).complex_roots() if each.imag == 0]
    return tuple(Algebraic(key, index, *pair, bits) for index, pair in enumerate(sorted(ends)))


def _quadratic(c: int, b: int, a: int, bits: int) -> list[tuple[Fraction, Fraction]]:
    """Return intervals around the two roots, by a square root of whole numbers."""
    inside = b * b - 4 * a * c
    if inside < 0:
        return []
    more = max(1, bits + abs(a).bit_length() + abs(b).bit_length() - inside.bit_length() // 2)
    root = isqrt(inside << 2 * more)
    low, high = (Fraction(each, 1 << more) for each in (root, root + 1))
    ends = [((-b - high) / (2 * a), (-b - low) / (2 * a)), ((-b + low) / (2 * a), (-b + high) / (2 * a))]
    return [(min(pair), max(pair)) for pair in ends]


def _ends(ball: Any) -> tuple[Fraction, Fraction]:
    middle, radius = (_dyadic(part) for part in (ball.mid(), ball.rad()))
    return middle - radius, middle + radius


def _dyadic(number: Any) -> Fraction:
    mantissa, exponent = number.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _ball(value: Real) -> Any:
    """Return a ball around a number: of the width of its interval, if it is irrational."""
    low, high = (value, value) if isinstance(value, Fraction) else (value.low, value.high)
    return flint.arb(_q(low)).union(flint.arb(_q(high)))


def _poly(coefficients: Key) -> Univariate:
    return flint.fmpz_poly(list(coefficients))


@lru_cache(4096)
def _q(value: Fraction) -> Any:
    return flint.fmpq(value.numerator, value.denominator)


def _in(poly: Univariate) -> Any:
    return _XY.from_dict({(power, 0): int(c) for power, c in enumerate(poly.coeffs()) if c})


def _rational(poly: Univariate, value: Fraction) -> Fraction:
    found = flint.fmpq(1) * poly(_q(value))
    return Fraction(int(found.p), int(found.q))


def _sign_of(poly: Univariate, value: Fraction) -> int:
    found = poly(_q(value))
    return int(found > 0) - int(found < 0)


def _sign(coefficients: Key, value: Fraction) -> int:
    return _sign_of(_poly(coefficients), value)


def _term(factor: int, power: int) -> str:
    symbol = "" if power == 0 else "x" if power == 1 else f"x**{power}"
    return symbol if symbol and factor == 1 else f"{plain(factor)}*{symbol}" if symbol else plain(factor)


def _surd(whole: int, sign: int, inside: int, under: int) -> str:
    """Write (whole + sign sqrt(inside)) / under in lowest terms."""
    outside = 1
    for prime, power in flint.fmpz(inside).factor():
        outside *= int(prime) ** (int(power) // 2)
    rest, common = inside // outside**2, int(flint.fmpz(whole).gcd(outside).gcd(under)) * (1 if under > 0 else -1)
    whole, factor, under = whole // common, sign * outside // common, under // common
    root = f"sqrt({rest})" if abs(factor) == 1 else f"{abs(factor)}*sqrt({rest})"
    text = f"{whole} {'-' if factor < 0 else '+'} {root}" if whole else f"{'-' if factor < 0 else ''}{root}"
    return text if under == 1 else f"({text})/{under}" if whole else f"{text}/{under}"
