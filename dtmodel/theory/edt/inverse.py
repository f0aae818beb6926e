"""Inverse questions: the burst, rate, buffer or alpha that is lossless for every M bursts beside every N steady ports.

All results are exact, for equal bursts that begin together, over all whole M >= 1 and N >= 0 with M + N <= P.

- ``policy``: ``"dt"``, or ``"edt"`` with a counter and timers that never bind (cn2 by (73), TM1 and TM2 long enough),
  so that the first loss is at the overflow.
- ``carried``: restrict M and N to M R + N C <= P C, the traffic that P inputs of rate C can bring.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Literal

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.policies.formulas import power_of_two
from dtmodel.theory.edt import formulas
from dtmodel.theory.edt.drops import Bursts, EdtSettings, edt_drop_time

PolicyName = Literal["dt", "edt"]
_MOST = 7


def carried_in(M: Any, N: Any, R: Any, C: Any, P: Any) -> Any:
    """Tell whether P inputs of rate C can bring M bursts of rate R and C for each of N steady ports.

    >>> carried_in(1, 1, 3, 1, 4), carried_in(2, 1, 3, 1, 4)
    (True, False)
    """
    return M * R + N * C <= P * C


def tried_power(k: Any) -> Any:
    """Tell whether `best_alpha` tries 2 to the power of `k`.

    >>> tried_power(-7), tried_power(8)
    (True, False)
    """
    return abs(k) <= _MOST


def longest_burst(
    *,
    alpha: Fraction,
    B: Fraction,
    C: Fraction,
    P: int,
    R: Fraction,
    policy: PolicyName = "edt",
    settings: EdtSettings | None = None,
    carried: bool = False,
) -> Fraction:
    """Return the longest lossless burst of rate R for any M and N; by default counter and timers never bind."""
    return worst_ports(alpha=alpha, B=B, C=C, P=P, R=R, policy=policy, settings=settings, carried=carried)[0]


def worst_ports(
    *,
    alpha: Fraction,
    B: Fraction,
    C: Fraction,
    P: int,
    R: Fraction,
    policy: PolicyName = "edt",
    settings: EdtSettings | None = None,
    carried: bool = False,
) -> tuple[Fraction, int, int]:
    """Return `longest_burst` and the M and N that bound it, with the least N."""
    found = []
    for M, N in _ports(P):
        most = M if not carried else min(M, int((P - N) * C // R))
        if not most:
            continue
        bursts = Bursts(alpha, B, C, most, N, R)
        if policy == "dt":
            time = bursts.dt_drop
        else:
            time = bursts.overflow if settings is None else edt_drop_time(bursts, settings)
        found.append((time, N, most))
    if not found:
        accepted = f"a rate that {P} inputs can bring: at most {units.plain(P * C)} bytes/s"
        raise InputError("burst_rate", units.plain(R), accepted)
    time, N, M = min(found)
    return time, M, N


def largest_rate(
    *, alpha: Fraction, B: Fraction, C: Fraction, P: int, d: Fraction, policy: PolicyName = "edt"
) -> Fraction:
    """Return the largest rate of bursts of duration d that lose nothing, for any M and N.

    For each M and N the drop time of fast bursts is solved for R - C. Where the result is slow, the formula for slow
    bursts gives less, but not less than for M = P, N = 0, where both formulas agree.
    """
    return min(rate_cases(alpha=alpha, B=B, C=C, P=P, d=d, policy=policy))[0]


def rate_cases(
    *, alpha: Fraction, B: Fraction, C: Fraction, P: int, d: Fraction, policy: PolicyName = "edt"
) -> Iterator[tuple[Fraction, int, int]]:
    """Yield for each N, with the largest M, the largest rate, N and M; the minimum is `largest_rate`."""
    for M, N in _ports(P):
        if policy == "dt":
            yield C + (alpha * B / ((1 + alpha * N) * d) + alpha * N * C) / (1 + alpha * M), N, M
        else:
            yield Fraction(formulas.overflow_rate(alpha, B, C, M, N, d)), N, M


def smallest_buffer(
    *, alpha: Fraction, C: Fraction, P: int, R: Fraction, d: Fraction, policy: PolicyName = "edt"
) -> Fraction:
    """Return the smallest lossless buffer for any M and N: d over the drop time with B = 1 (linear in B)."""
    return d / longest_burst(alpha=alpha, B=Fraction(1), C=C, P=P, R=R, policy=policy)


def best_alpha(
    *, B: Fraction, C: Fraction, P: int, R: Fraction, policy: PolicyName = "edt"
) -> tuple[Fraction, Fraction]:
    """Return the power of two from 1/128 to 128 (a shift) with the longest lossless burst, and that duration."""
    powers = (Fraction(power_of_two(Fraction(k))) for k in range(-_MOST, _MOST + 1))
    found = {a: longest_burst(alpha=a, B=B, C=C, P=P, R=R, policy=policy) for a in powers}
    best = max(found, key=lambda a: (found[a], a))
    return best, found[best]


def _ports(P: int) -> Iterator[tuple[int, int]]:
    """Yield for each N the largest M, which is the worst: every drop time and rate here falls when M grows.

    The free buffer falls from F_0 at phi = max(M r / (1 + alpha N), M r - N C), r = R - C, which grows with M. So DT's
    drop time alpha F_0 / (r + alpha phi) and the overflow F_0 / phi fall, and the overflow is never the earlier one.
    EDT's drop time rises with either of them, by its cases, and depends on M through nothing else.
    """
    return ((P - N, N) for N in range(P))
