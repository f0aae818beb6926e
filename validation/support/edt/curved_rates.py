"""Theorem 4 for rates that are not piecewise constant: surds for piecewise-linear ones, proven bounds for others.

For a piecewise-linear R(t) >= C the queue and the threshold are quadratic in pieces with rational ends, so that the
first loss comes at a quadratic surd, kept exactly. For any other rate, given as a function on intervals, interval
arithmetic encloses the arrivals cell by cell, and so the time of the first loss.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import Any, NamedTuple

from dtmodel.base.errors import InputError
from dtmodel.theory.dt.formulas import rate_bound
from dtmodel.theory.edt.varying_rates import Shared

__all__ = ["Bounds", "Surd", "first_drop_bounds", "first_drop_linear"]

Linear = Sequence[tuple[Fraction, Fraction, Fraction]]
"""A piecewise-linear rate: (time, rate, slope), times increasing from 0."""


@dataclass(frozen=True)
class Surd:
    """The number rational + sign * sqrt(radicand).

    >>> one, two = Surd(Fraction(0), 1, Fraction(2)), Surd(Fraction(3, 2))
    >>> one < two, float(one) < 1.4143, Surd(Fraction(1), 1, Fraction(4)) == Surd(Fraction(3))
    (True, True, True)
    """

    rational: Fraction
    sign: int = 1
    radicand: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        root = _exact_root(self.radicand)
        if root is not None:
            object.__setattr__(self, "rational", self.rational + self.sign * root)
            object.__setattr__(self, "radicand", Fraction(0))
            object.__setattr__(self, "sign", 1)

    def __lt__(self, other: "Surd") -> bool:
        if self == other:
            return False
        bits = 32
        while True:
            (low, high), (other_low, other_high) = self.bounds(bits), other.bounds(bits)
            if high < other_low or other_high < low:
                return high < other_low
            bits *= 2

    def __float__(self) -> float:
        bits = 64
        while True:
            low, high = (float(bound) for bound in self.bounds(bits))
            if low == high:
                return low
            bits *= 2

    def __add__(self, other: Fraction) -> "Surd":
        return Surd(self.rational + other, self.sign, self.radicand)

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Return two rationals that enclose the number, 2**-`bits` apart."""
        root = isqrt((self.radicand.numerator << 2 * bits) // self.radicand.denominator)
        low, high = Fraction(root, 1 << bits), Fraction(root + (self.radicand != 0), 1 << bits)
        if self.sign < 0:
            low, high = -high, -low
        return self.rational + low, self.rational + high

    def polynomial(self) -> tuple[Fraction, Fraction]:
        """Return (p, q) such that the number is a root of x**2 + p x + q."""
        return -2 * self.rational, self.rational**2 - self.radicand


class Bounds(NamedTuple):
    """The interval [earliest, latest] in seconds of the first loss; `latest` is None if no loss is proven.

    >>> Bounds(Fraction(1), None).latest is None
    True
    """

    earliest: Fraction
    latest: Fraction | None


def first_drop_linear(shared: Shared, M: int, rate: Linear, until: Fraction) -> Surd | None:
    """Return the first loss of M equal bursts of a piecewise-linear R(t) >= C; None if there is none before `until`.

    The steady ports are assumed to follow every threshold.

    >>> ramp = [(Fraction(0), Fraction(1), Fraction(1))]
    >>> drop = first_drop_linear(Shared(Fraction(1), Fraction(3), Fraction(1), 1), 1, ramp, Fraction(9))
    >>> drop, drop.polynomial()
    (Surd(rational=Fraction(0, 1), sign=1, radicand=Fraction(2, 1)), (Fraction(0, 1), Fraction(-2, 1)))
    """
    a, N, C = shared.alpha, shared.N, shared.C
    least, queue = Fraction(0), Fraction(0)
    for begin, end, (value, slope) in _monotone(shared, M, rate, until):
        growth = (slope / 2, value - C, queue)
        z = (a * M * growth[0], a * M * growth[1] - (1 + a * N) * C, a * M * queue - (1 + a * N) * C * begin)
        scale = a / (1 + a * N)
        on = tuple(g + scale * M * g for g in growth)
        off = tuple(o + scale * N * c for o, c in zip(on, z, strict=True))
        candidates = [
            _first_positive((on[0], on[1], on[2] - scale * shared.B)),
            _first_positive((off[0], off[1], off[2] - scale * (shared.B + N * least))),
        ]
        found = [root for root in candidates if root is not None and root < Surd(end - begin)]
        if found:
            return min(found) + begin
        span = end - begin
        queue += growth[0] * span**2 + growth[1] * span
        least = min(least, z[0] * span**2 + z[1] * span + z[2])
    return None


def first_drop_bounds(
    shared: Shared, M: int, rate: Callable[[Any], Any], until: Fraction, *, cells: int = 2048
) -> Bounds:
    """Enclose the first loss of M equal bursts of any rate, by interval arithmetic.

    `rate` is R(t) in bytes/s on intervals of ``mpmath.iv``; the steady ports are assumed to follow every threshold. The
    width of the bounds falls as one over `cells`, the number of intervals of time.

    >>> from mpmath import iv
    >>> low, high = first_drop_bounds(Shared(Fraction(1), Fraction(6), Fraction(1), 1), 1, lambda t: 1 + t, Fraction(9))
    >>> low <= 2 <= high, float(high - low) < 0.02
    (True, True)
    """
    from mpmath import iv

    if cells < 1:
        raise InputError("cells", cells, "a whole number of at least 1")
    a, N = _interval(shared.alpha), shared.N
    C, B, step = (_interval(x) for x in (shared.C, shared.B, until / cells))
    zero = _interval(Fraction(0))
    arrivals, least_x, least_z = zero, zero, zero
    earliest: Fraction | None = None
    for cell in range(cells):
        begin, end = until * cell / cells, until * (cell + 1) / cells
        span = iv.mpf([_interval(begin).a, _interval(end).b])
        inside = arrivals + iv.mpf([0, step.b]) * rate(span)
        gaps = []
        after = arrivals + step * rate(span)
        for time, A in ((span, inside), (_interval(end), after)):
            X = A - C * time
            low_x = _minimum(least_x, X)
            Q = X - low_x
            Z = a * M * Q - (1 + a * N) * C * time
            low_z = _minimum(least_z, Z)
            gaps.append(Q - a / (1 + a * N) * (B - M * Q - N * (Z - low_z)))
        if earliest is None and gaps[0].b > 0:
            earliest = begin
        if gaps[1].a > 0:
            return Bounds(begin if earliest is None else earliest, end)
        arrivals, least_x, least_z = after, low_x, low_z
    return Bounds(until if earliest is None else earliest, None)


def _minimum(one: Any, other: Any) -> Any:
    from mpmath import iv

    return iv.mpf([min(one.a, other.a), min(one.b, other.b)])


def _interval(value: Fraction) -> Any:
    from mpmath import iv

    return iv.mpf(value.numerator) / value.denominator


def _monotone(
    shared: Shared, M: int, rate: Linear, until: Fraction
) -> Iterator[tuple[Fraction, Fraction, tuple[Fraction, Fraction]]]:
    """Cut the time where R changes its piece or Z(t) turns; yield begin, end, and (R(begin), slope)."""
    turning = rate_bound(shared.alpha, shared.C, M, shared.N)
    for index, (begin, value, slope) in enumerate(rate):
        end = min(rate[index + 1][0] if index + 1 < len(rate) else until, until)
        if end <= begin:
            continue
        if min(value, value + slope * (end - begin)) < shared.C:
            accepted = f"a rate of at least C = {shared.C} throughout"
            raise InputError(f"rate[{index}]", f"{value} from {begin} s on", accepted)
        cuts = [begin, end]
        if slope and begin < begin + (turning - value) / slope < end:
            cuts.insert(1, begin + (turning - value) / slope)
        for left, right in pairwise(cuts):
            yield left, right, (value + slope * (left - begin), slope)


def _first_positive(coefficients: tuple[Fraction, Fraction, Fraction]) -> Surd | None:
    """Return the infimum of the h >= 0 at which a h**2 + b h + c > 0."""
    a, b, c = coefficients
    if c > 0:
        return Surd(Fraction(0))
    square = b * b - 4 * a * c
    if a > 0:
        return Surd(-b / (2 * a), 1, square / (4 * a * a))
    if a == 0:
        return Surd(-c / b) if b > 0 else None
    if b < 0 or square <= 0:
        return None
    return Surd(-b / (2 * a), -1, square / (4 * a * a))


def _exact_root(value: Fraction) -> Fraction | None:
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    return Fraction(top, bottom) if top * top == value.numerator and bottom * bottom == value.denominator else None
