r"""Theorem 3 for every port on exact numbers, without recursion and without a sum over ports: integers all the way.

While all ports drain, t_k = S_k / D_k, where S_1 = alpha F_0 and every port that meets the threshold leaves the share
(D_k - alpha R_k) / D_k of S. Later some lines still hold. Of the lines V_j - C t an earlier port has a higher one, and
T + C t rises after port L met it, so those that hold are the N steady ports and the first m of the L, and m only falls
from port to port. The values of these lines at time 0 add up to B - S_{m+1} / alpha, so that

.. math:: t_k = \frac{S_{m+1}}{r_k + \alpha (G_k + o r_k - (N + m) C)}, \qquad o = k - 1 - m,

with $S = \alpha B$ and o = N + k - 1 where no line holds. Line m does if $R_m D_k > R_k (D_m - \alpha R_m)$, D_k being
the denominator: a comparison of small numbers. Stage k drains if and only if its D_k is greater than R_k.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, repeat
from math import gcd
from operator import add, lt, sub
from typing import NamedTuple, Self

from dtmodel.theorems.quantities import Numbers
from dtmodel.theory.dt import formulas

Parts = list[tuple[int, int]]
"""Fractions in lowest terms, each as its numerator and its denominator."""


class Meeting(NamedTuple):
    """The event that port k meets the threshold, `time` in seconds, with `above` earlier ports longer than it."""

    time: Fraction
    above: int


class Scaled(NamedTuple):
    """Rates and alpha times them as integers: `factor` times C, R_k, alpha C and alpha R_k; closing rates have alpha 1.

    >>> Scaled.of(Fraction(1, 2), Fraction(10, 3), [Fraction(50), Fraction(10)])
    Scaled(factor=Fraction(3, 5), C=2, R=[30, 6], alpha_C=1, alpha_R=[15, 3])
    """

    factor: Fraction
    C: int
    R: list[int]
    alpha_C: int
    alpha_R: list[int]

    @classmethod
    def of(cls, alpha: Fraction, C: Fraction, R: Sequence[Fraction]) -> Self:
        """Scale by the denominator of alpha and the greatest common divisor of all rates."""
        p, q = alpha.numerator, alpha.denominator
        port, rates, unit = numbers(R).beside(C)
        return cls(q / unit, q * port, [q * rate for rate in rates], p * port, [p * rate for rate in rates])

    def growths(self) -> list[int]:
        """Return alpha G_k for each port."""
        return list(accumulate(rate - self.alpha_C for rate in reversed(self.alpha_R)))[::-1]

    def closings(self, N: int) -> tuple[list[int], list[int]]:
        """Return D_k of every port while all before it drain, and D_k - alpha R_k.

        For the port after k, D has that port's own rate and one more draining port: D_k - alpha R_k - (R_k - R_{k+1}).

        >>> one = Fraction(1)
        >>> Scaled.of(one, one, [13 * one, 4 * one]).closings(1)
        ([26, 4], [13, 0])
        """
        first = self.closing(0, sum(self.alpha_R) - len(self.R) * self.alpha_C, N)
        closing = list(accumulate(map(sub, self.R[1:], map(add, self.R, self.alpha_R)), initial=first))
        return closing, list(map(formulas.left_closing, repeat(1), self.alpha_R, closing))

    def drains(self, N: int) -> tuple[list[int], list[int]]:
        """Return D_k of the ports 1 to L, and D_k - alpha R_k."""
        closing, left = self.closings(N)
        L = sum(map(lt, self.R, closing))
        return closing[:L], left[:L]

    def closing(self, k: int, growth: int, above: int) -> int:
        """Return D_k of port k (from 0) while `above` ports drain; `growth` includes that of ports on the threshold."""
        return int(formulas.closing_rate(1, self.alpha_C, above, self.R[k] - self.C, growth))


def numbers(R: Sequence[Fraction]) -> Numbers:
    """Return exact rates as `Numbers`, which cache the common unit of the rates.

    >>> numbers([Fraction(4, 3), Fraction(2)]).whole
    ([2, 3], Fraction(2, 3))
    """
    return R if isinstance(R, Numbers) else Numbers(R)


def _in_lowest_terms(parts: Parts) -> list[Fraction]:
    """Return fractions without reducing them: the gcd of numbers of a thousand digits would take most of the time."""
    made = list(map(object.__new__, repeat(Fraction, len(parts))))
    for one, (top, bottom) in zip(made, parts, strict=True):
        one._numerator, one._denominator = top, bottom  # type: ignore[attr-defined]  # noqa: SLF001 - its slots
    return made


def all_drain(alpha: Fraction, B: Fraction, C: Fraction, N: int, R: Sequence[Fraction]) -> list[Fraction]:
    """Return t_k of every port as if all ports that met the threshold before drained at C.

    >>> one = Fraction(1)
    >>> [str(t) for t in all_drain(one, 12 * one, one, 1, [13 * one, 4 * one])]
    ['3/13', '3/4']
    """
    scaled = Scaled.of(alpha, C, R)
    return _in_lowest_terms(_stages(_start(scaled, alpha, B, N), scaled.closings(N))[0])


def frees(alpha: Fraction, C: Fraction, R: Sequence[Fraction], times: Sequence[Fraction]) -> list[Fraction]:
    """Return F(t_k) for the times t_k of all ports, or of the first ones.

    >>> one = Fraction(1)
    >>> [str(free) for free in frees(one, one, [13 * one, 3 * one], [6 * one / 25])]
    ['72/25']
    >>> [str(frees(alpha * one, one, [7 * one], [3 * one / 4])[0]) for alpha in (1, 2)]
    ['9/2', '9/4']
    """
    port, rates, unit = numbers(R).beside(C)
    over, under = Fraction(formulas.free_at_drop(alpha, unit, 1)).as_integer_ratio()
    if under != 1:
        return [time * Fraction((rate - port) * over, under) for rate, time in zip(rates, times, strict=False)]
    parts = Parts()
    for rate, (top, bottom) in zip(rates, map(Fraction.as_integer_ratio, times), strict=False):
        grown = (rate - port) * over
        common = gcd(bottom, grown)
        parts.append((top * grown, bottom) if common == 1 else (top * (grown // common), bottom // common))
    return _in_lowest_terms(parts)


def draining_times(alpha: Fraction, B: Fraction, C: Fraction, N: int, R: Sequence[Fraction]) -> list[Fraction]:
    """Return t_k of the ports 1 to L of Theorem 3, before which all ports drain at C.

    >>> one = Fraction(1)
    >>> [str(t) for t in draining_times(one, 12 * one, one, 1, [13 * one, 3 * one])]
    ['6/25']
    """
    scaled = Scaled.of(alpha, C, R)
    return _in_lowest_terms(_stages(_start(scaled, alpha, B, N), scaled.drains(N))[0])


def _start(scaled: Scaled, alpha: Fraction, B: Fraction, N: int) -> Fraction:
    return scaled.factor * alpha * Fraction(formulas.initial_free(alpha, B, N))


def _stages(share: Fraction, closings: tuple[list[int], list[int]]) -> tuple[Parts, Parts]:
    """Return t_k of ports that drain, and the shares: the first, then the remainder at each t_k, in lowest terms."""
    top, bottom = share.as_integer_ratio()
    times, shares = Parts(), [(top, bottom)]
    for D, left in zip(*closings, strict=True):
        common = gcd(top, D)
        if common != 1:
            top, D = top // common, D // common  # noqa: PLW2901 - the reduced divisor
        bottom *= D
        times.append((top, bottom))
        common = gcd(bottom, left)
        if common != 1:
            bottom, left = bottom // common, left // common  # noqa: PLW2901 - the reduced factor
        top *= left
        shares.append((top, bottom))
    return times, shares


def exact_meetings(alpha: Fraction, B: Fraction, C: Fraction, N: int, R: Sequence[Fraction]) -> list[Meeting]:
    r"""Return when each port meets the threshold, for rates $R_1 \ge \dots \ge R_M > C$, in every regime."""
    scaled = Scaled.of(alpha, C, R)
    start, (closing, left), growths = _start(scaled, alpha, B, N), scaled.drains(N), scaled.growths()
    L = len(closing)
    first = {rate: k for k, rate in reversed(list(enumerate(scaled.R[:L])))}  # ports of one rate meet it together
    times, shares = _stages(start, (closing, left))
    above = [N + first[rate] for rate in scaled.R[:L]]
    whole, m = scaled.factor * alpha * B, L
    for k in range(L, len(R)):
        m, D = _lines(scaled, (k, growths[k]), N, m, left)
        top, bottom = shares[m] if m >= 0 else whole.as_integer_ratio()
        common = gcd(top, D)
        times.append((top // common, bottom * (D // common)))
        above.append(N + m if m >= 0 else 0)
    return list(map(Meeting, _in_lowest_terms(times), above))


def _lines(scaled: Scaled, port: tuple[int, int], N: int, m: int, left: Sequence[int]) -> tuple[int, int]:
    """Return the number of lines that still hold when port k meets the threshold, or -1, and D_k.

    The line of the steady ports comes first and holds as long as D_k > R_k, as for a port of an infinite rate.
    """
    k, growth = port
    own = scaled.alpha_R[k] - scaled.alpha_C
    while m >= 0:
        D = scaled.closing(k, growth + (k - m) * own, N + m)
        if scaled.R[m - 1] * D > scaled.R[k] * left[m - 1] if m else scaled.R[k] < D:
            return m, D
        m -= 1
    return m, scaled.closing(k, growth + (N + k) * own, 0)
