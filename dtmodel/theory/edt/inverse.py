"""Inverse questions: which burst, rate, buffer or alpha is lossless for every M bursts beside every N steady ports.

All answers are exact, for equal bursts that begin together, over all whole M >= 1 and N >= 0 with M + N <= P.

- ``policy``: ``"dt"``, or ``"edt"``, EDT whose counter and timers never stand in the way (cn2 by (73), TM1 and TM2 long
  enough): it loses at the overflow.
- ``carried``: whether to look only at M and N for which M R + N C <= P C: what P inputs of rate C can bring.
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
    """Tell whether P inputs of rate C can bring M bursts of rate R and what N steady ports are offered.

    Examples
    --------
    >>> carried_in(1, 1, 3, 1, 4), carried_in(2, 1, 3, 1, 4)
    (True, False)
    """
    return M * R + N * C <= P * C


def tried_power(k: Any) -> Any:
    """Tell whether `best_alpha` tries 2 to the power of `k`.

    Examples
    --------
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
    """Return the longest duration of bursts of rate R that lose nothing, whatever M and N are.

    Parameters
    ----------
    alpha, B, C, P, R
        The switch (bytes, bytes/s, ports) and the rate of every burst.
    settings : EdtSettings, optional
        The counter and timers of EDT; without them they never stand in the way.

    Examples
    --------
    >>> switch = {"alpha": Fraction(1), "B": Fraction(16), "C": Fraction(1), "P": 2, "R": Fraction(3)}
    >>> [str(longest_burst(policy=policy, **switch)) for policy in ("dt", "edt")]
    ['8/3', '4']
    """
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
    """Return `longest_burst`, whose parameters it takes, and the M and N that bound it: of several the least N.

    Examples
    --------
    >>> switch = {"alpha": Fraction(1), "B": Fraction(16), "C": Fraction(1), "P": 2, "R": Fraction(3)}
    >>> worst_ports(policy="dt", **switch)
    (Fraction(8, 3), 2, 0)
    """
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
    """Return the largest rate of bursts of duration d that lose nothing, whatever M and N are.

    For each M and N the drop time of fast bursts is solved for R - C. Where the answer is slow, the formula for slow
    bursts gives less, but not less than for M = P, N = 0, where both formulas are the same.

    Examples
    --------
    >>> str(largest_rate(alpha=Fraction(1), B=Fraction(16), C=Fraction(1), P=2, d=Fraction(4), policy="edt"))
    '3'
    """
    return min(rate_cases(alpha=alpha, B=B, C=C, P=P, d=d, policy=policy))[0]


def rate_cases(
    *, alpha: Fraction, B: Fraction, C: Fraction, P: int, d: Fraction, policy: PolicyName = "edt"
) -> Iterator[tuple[Fraction, int, int]]:
    """Yield the largest rate for each N with the largest M, then N and M; the least of them is `largest_rate`.

    Examples
    --------
    >>> min(rate_cases(alpha=Fraction(1), B=Fraction(16), C=Fraction(1), P=2, d=Fraction(4)))
    (Fraction(3, 1), 0, 2)
    """
    for M, N in _ports(P):
        if policy == "dt":
            yield C + (alpha * B / ((1 + alpha * N) * d) + alpha * N * C) / (1 + alpha * M), N, M
        else:
            yield Fraction(formulas.overflow_rate(alpha, B, C, M, N, d)), N, M


def smallest_buffer(
    *, alpha: Fraction, C: Fraction, P: int, R: Fraction, d: Fraction, policy: PolicyName = "edt"
) -> Fraction:
    """Return the smallest buffer with which bursts of rate R and duration d lose nothing, whatever M and N are.

    Every drop time is proportional to B, so it is d over the drop time with B = 1.

    Examples
    --------
    >>> str(smallest_buffer(alpha=Fraction(1), C=Fraction(1), P=2, R=Fraction(3), d=Fraction(4), policy="edt"))
    '16'
    """
    return d / longest_burst(alpha=alpha, B=Fraction(1), C=C, P=P, R=R, policy=policy)


def best_alpha(
    *, B: Fraction, C: Fraction, P: int, R: Fraction, policy: PolicyName = "edt"
) -> tuple[Fraction, Fraction]:
    """Return the power of two from 1/128 to 128 with the longest lossless burst, and that duration.

    Powers of two need no multiplier: a shift will do. Of equals the larger alpha is returned.

    Examples
    --------
    >>> [str(x) for x in best_alpha(B=Fraction(16), C=Fraction(1), P=2, R=Fraction(3), policy="dt")]
    ['2', '8/3']
    """
    powers = (Fraction(power_of_two(Fraction(k))) for k in range(-_MOST, _MOST + 1))
    found = {a: longest_burst(alpha=a, B=B, C=C, P=P, R=R, policy=policy) for a in powers}
    best = max(found, key=lambda a: (found[a], a))
    return best, found[best]


def _ports(P: int) -> Iterator[tuple[int, int]]:
    """For each N the largest M, which is the worst: every drop time and rate here falls when M grows.

    The free buffer falls from F_0 at phi = max(M r / (1 + alpha N), M r - N C), r = R - C, which grows with M. So DT's
    drop time alpha F_0 / (r + alpha phi) and the overflow F_0 / phi fall, and the overflow is never the earlier one.
    EDT's drop time rises with either of them, by its cases, and depends on M through nothing else.
    """
    return ((P - N, N) for N in range(P))
