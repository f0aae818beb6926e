"""The sawtooth integrated exactly, without its closed form: Simpson's rule is exact for the polynomials that occur."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

__all__ = ["Tooth", "integrate", "tooth"]


class Tooth(NamedTuple):
    """One period in base RTTs, and what the link carried meanwhile in units of C RTT."""

    period: Fraction
    carried: Fraction


def integrate(f: Callable[[Fraction], Fraction], a: Fraction, b: Fraction) -> Fraction:
    """Integrate a polynomial of degree three or less exactly."""
    return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))


def tooth(D: Fraction, trough: Fraction, peak: Fraction, step: Fraction, *, actual: bool) -> Tooth:
    """Integrate time and carried bytes over the sum of the windows W, from trough to peak.

    A round trip lasts max(1, W/D) base RTTs and in it W grows by `step` (with `actual`; else once a base RTT). The link
    carries min(W, D) per base RTT.
    """

    def pace(W: Fraction) -> Fraction:
        return (max(Fraction(1), W / D) if actual else Fraction(1)) / step

    def carried(W: Fraction) -> Fraction:
        return pace(W) * min(W, D) / D

    corner = min(max(D, trough), peak)
    parts = [(trough, corner), (corner, peak)]
    return Tooth(
        sum((integrate(pace, *p) for p in parts), Fraction(0)),
        sum((integrate(carried, *p) for p in parts), Fraction(0)),
    )
