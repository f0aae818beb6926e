r"""The formulas of EDT, written once for numbers and for SymPy symbols alike.

The symbols are the paper's: ``alpha``, ``B`` (bytes), ``C`` (bytes/s), ``M`` ports that a burst hits at time 0, ``N``
ports in steady state before, ``P`` ports in all, ``d`` a duration (s), and ``r`` = R - C.

Source: DT/EDT paper, Sections 4.2 to 4.4; functions whose docstring says "ours" are our own.
"""

from __future__ import annotations

from typing import Any

from dtmodel.theory.dt import formulas as dt
from dtmodel.theory.quantities import greatest
from dtmodel.weights import edt_counting_number, edt_growth_timer

__all__ = [
    "additional_traffic",
    "additional_traffic_fast",
    "burst_limit",
    "cn2_at",
    "cn2_integer",
    "cn2_offered",
    "cn2_paper",
    "cn2_printed_in_proof",
    "cn2_ratio",
    "cn2_ratio_integer",
    "d_bound",
    "drained_to_threshold",
    "duration_of_unfairness",
    "excess_line",
    "fast_filling",
    "fast_overflow",
    "fast_phase",
    "footnote9",
    "free_when_followed",
    "free_when_left_behind",
    "growth_at_fast_drop",
    "growth_at_slow_drop",
    "growth_limit",
    "growth_offered",
    "growth_to_common",
    "least_share",
    "left_at_overflow",
    "limit_of_growth",
    "limit_of_ratio",
    "most_bursts",
    "overflow_rate",
    "recognised",
    "rising_threshold",
    "slow_filling",
    "slow_overflow",
    "slow_phase",
    "smallest_duration",
    "steady_excess",
    "threshold_beside",
    "tm1_paper",
]


def growth_at_slow_drop(alpha: Any, B: Any, M: Any, N: Any) -> Any:
    """(R - C) t_1: what a burst's queue holds when it meets the threshold slowly; the first line of (69)."""
    return alpha * B / (1 + alpha * (M + N))


def growth_at_fast_drop(alpha: Any, B: Any, C: Any, M: Any, N: Any, r: Any) -> Any:
    """(R - C) t_2: what a burst's queue holds when it meets a threshold that outruns C; the second line of (69)."""
    return r * dt.fast_drop_time(alpha, B, C, M, N, r)


def limit_of_growth(alpha: Any, B: Any, M: Any, N: Any) -> Any:
    """The limit of (R - C) t_2 as R grows without bound, in (71)."""
    return alpha * B / ((1 + alpha * N) * (1 + alpha * M))


def cn2_paper(alpha: Any, B: Any, P: Any) -> Any:
    """The counting number of C2 in bytes, (73)."""
    return edt_counting_number(alpha, B, P)


def cn2_printed_in_proof(alpha: Any, B: Any, P: Any) -> Any:
    """The counting number of C2 as the proof of Theorem 5 prints it, without the square of (73)."""
    return 4 * alpha * B / (2 + alpha * P)


def cn2_at(alpha: Any, B: Any, P: Any, M: Any) -> Any:
    """`limit_of_growth` with M ports that burst while all P - M others are in steady state (ours)."""
    return limit_of_growth(alpha, B, M, P - M)


def cn2_integer(alpha: Any, B: Any, P: int) -> Any:
    """The least limit of growth over whole M and N: the largest counting number that is safe for every R (ours).

    Examples
    --------
    >>> from fractions import Fraction as F
    >>> cn2_integer(F(1), F(48), 3), cn2_paper(F(1), F(48), 3)
    (Fraction(8, 1), Fraction(192, 25))
    """
    return cn2_at(alpha, B, P, (P + 1) // 2)


def limit_of_ratio(alpha: Any, B: Any, M: Any, N: Any, rho: Any) -> Any:
    """What the slowest of M bursts holds at DT's threshold, the others rho times as fast, all without bound (ours)."""
    return alpha * B / ((1 + alpha * N) * (1 + alpha + alpha * (M - 1) * rho))


def cn2_ratio(alpha: Any, B: Any, P: Any, rho: Any) -> Any:
    """A counting number for bursts that begin together, their R - C in a ratio of at most rho (ours); (73) for 1.

    Examples
    --------
    >>> from fractions import Fraction as F
    >>> [str(cn2_ratio(F(1), F(48), 4, rho)) for rho in (1, 2, 10)]
    ['16/3', '96/25', '160/147']
    """
    return 4 * alpha * rho * B / (1 + alpha + rho * (1 + alpha * (P - 1))) ** 2


def cn2_ratio_integer(alpha: Any, B: Any, P: int, rho: Any) -> Any:
    """The largest counting number that does what `cn2_ratio` does: the least limit over whole M and N (ours).

    Examples
    --------
    >>> from fractions import Fraction as F
    >>> [str(cn2_ratio_integer(F(1), F(48), 4, rho)) for rho in (1, 2, 10)]
    ['16/3', '4', '12/11']
    """
    return min(limit_of_ratio(alpha, B, M, P - M, rho) for M in range(1, P + 1))


def growth_offered(alpha: Any, B: Any, M: Any, N: Any, P: Any) -> Any:
    """What a burst holds at DT's drop if M of them are offered all of P C that N steady ports with C leave (ours)."""
    faster = greatest(0, alpha - (1 + alpha * N) / (P - M - N))
    return alpha * B / (1 + alpha * (M + N) + alpha * M * N * faster)


def cn2_offered(alpha: Any, B: Any, P: int) -> Any:
    """The largest counting number for equal bursts that begin together, if at most P C is offered in all (ours).

    Examples
    --------
    >>> from fractions import Fraction as F
    >>> str(cn2_offered(F(1), F(48), 3)), str(cn2_integer(F(1), F(48), 3))
    ('16', '8')
    """
    return min(growth_offered(alpha, B, M, N, P) for M in range(1, P) for N in range(P - M))


def least_share(alpha: Any, B: Any, M: Any, N: Any) -> Any:
    """The infimum of what a queue under DT holds when it loses something, one of M beside N steady ones (ours)."""
    return alpha * B / ((1 + alpha * N) * (1 + alpha) ** M)


def growth_limit(alpha: Any, B: Any, P: Any, d: Any) -> Any:
    """The largest R - C of which (77) says that a burst of duration d loses nothing."""
    return alpha * B / ((1 + alpha * P) * d)


def tm1_paper(alpha: Any, P: Any, d: Any) -> Any:
    """The default of TM1, (78)."""
    return edt_growth_timer(alpha, P, d)


def slow_filling(M: Any, r: Any) -> Any:
    """Return at which rate the buffer fills that steady ports on their threshold leave and give back, (79)."""
    return M * r


def fast_filling(alpha: Any, C: Any, M: Any, N: Any, r: Any) -> Any:
    """Return at which rate the buffer fills, as if nothing were held, where steady ports drain at C (ours)."""
    return (1 + alpha * N) * (M * r - N * C)


def slow_overflow(B: Any, M: Any, r: Any) -> Any:
    """When the buffer overflows with the steady ports still on their threshold, (79) and (80)."""
    return B / slow_filling(M, r)


def fast_overflow(alpha: Any, B: Any, C: Any, M: Any, N: Any, r: Any) -> Any:
    """When the buffer overflows with the steady ports draining at C above their threshold (ours)."""
    return B / fast_filling(alpha, C, M, N, r)


def overflow_rate(alpha: Any, B: Any, C: Any, M: Any, N: Any, d: Any) -> Any:
    """Return the rate of M bursts that fill the buffer in d beside N steady ports that drain at C (ours)."""
    return C + (B / ((1 + alpha * N) * d) + N * C) / M


def footnote9(M: Any, N: Any, R: Any, C: Any) -> Any:
    """The largest M of footnote 9 less M: its assumption is that this is not negative."""
    return most_bursts(N, R, C) - M


def most_bursts(N: Any, R: Any, C: Any) -> Any:
    """The largest number of ports with bursts that footnote 9 allows."""
    return N * R / (R - C)


def recognised(alpha: Any, B: Any, C: Any, M: Any, N: Any, R: Any, c_n2: Any) -> Any:
    """Rule 2, (69): whether C2 counts up to c_n2 before DT would drop; the fast case is multiplied out."""
    r, slow = R - C, dt.rate_bound(alpha, C, M, N) >= R
    fast = c_n2 * (1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C) <= alpha * B * r
    return (slow & (c_n2 <= growth_at_slow_drop(alpha, B, M, N))) | ((dt.rate_bound(alpha, C, M, N) < R) & fast)


def smallest_duration(B: Any, C: Any, R_min: Any, d_mb: Any) -> Any:
    """The least d of (81)."""
    return greatest(d_bound(B, C, R_min), d_mb)


# Section 3.3: rates that vary in time; A is what has arrived by t, A_1 by d_1


def slow_phase(alpha: Any, B: Any, C: Any, M: Any, N: Any, A: Any, t: Any) -> Any:
    """The left side of the first equation (43) less its right side: 0 at t_1."""
    return (1 + alpha * M + alpha * N) * (A - C * t) - alpha * B


def fast_phase(alpha: Any, B: Any, C: Any, M: Any, N: Any, A: Any, A_1: Any, d_1: Any, t: Any) -> Any:
    """The left side of the second equation (43) less its right side, divided by 1 + alpha N: 0 at t_2."""
    right = alpha * B + alpha * N * (alpha * M * A_1 - (1 + alpha * M + alpha * N) * C * d_1)
    return (1 + alpha * M) * A - (1 + alpha * M + alpha * N) * C * t - right / (1 + alpha * N)


def steady_excess(alpha: Any, C: Any, M: Any, N: Any, A: Any, A_1: Any, d_1: Any, t: Any) -> Any:
    """How far the steady ports are above the threshold at t: the condition of c) and d) of Theorem 4."""
    return alpha * M * (A - A_1) - (1 + alpha * M + alpha * N) * (t - d_1) * C


def free_when_followed(alpha: Any, B: Any, C: Any, M: Any, N: Any, A: Any, t: Any) -> Any:
    """F(t_1) by (45) and (51)."""
    return (B - M * A + M * C * t) / (1 + alpha * N)


def free_when_left_behind(alpha: Any, B: Any, C: Any, M: Any, N: Any, A: Any, A_1: Any, d_1: Any, t: Any) -> Any:
    """F(t_2) by (47) and (49)."""
    before = B + N * (alpha * M * A_1 - (1 + alpha * M + alpha * N) * C * d_1)
    return before / (1 + alpha * N) + (M + N) * C * t - M * A


def excess_line(alpha: Any, C: Any, N: Any, S: Any, t: Any) -> Any:
    """Z(t): along which the steady ports' distance from the threshold moves while they drain (ours)."""
    return alpha * S - (1 + alpha * N) * C * t


def threshold_beside(alpha: Any, B: Any, N: Any, S: Any, e: Any) -> Any:
    """T(t) beside queues that hold S together and N ports that lie e above it (ours)."""
    return alpha * (B - S - N * e) / (1 + alpha * N)


def additional_traffic(alpha: Any, M: Any, N: Any) -> Any:
    """Time to the first loss under EDT over that under DT, less 1, for slow bursts (Section 4.3)."""
    return 1 / (alpha * M) + N / M


def additional_traffic_fast(alpha: Any, C: Any, M: Any, N: Any, r: Any) -> Any:
    """Time to the first loss under EDT over that under DT, less 1, for bursts that outrun the steady ports (ours)."""
    return r / (alpha * (M * r - N * C))


def duration_of_unfairness(B: Any, M: Any, r: Any, begin: Any) -> Any:
    """How long the ports with bursts are uncontrolled, from `begin` to the overflow: t_2 - t_1 of Section 4.3."""
    return slow_overflow(B, M, r) - begin


def rising_threshold(alpha: Any, C: Any, M: Any, N: Any) -> Any:
    """How fast the threshold rises while M queues drain at C and N queues that are on it follow it (ours)."""
    return alpha * M * C / (1 + alpha * N)


def left_at_overflow(alpha: Any, B: Any, C: Any, N: Any, t: Any) -> Any:
    """What each of N steady ports holds at an overflow at t, if they have drained at C and are not empty (ours)."""
    return alpha * B / (1 + alpha * N) - C * t


def drained_to_threshold(alpha: Any, C: Any, draining: Any, V: Any) -> Any:
    """How long queues drain at C from V until they meet the threshold, which is 0 at first, rising by all (ours)."""
    return V / (C * (1 + alpha * draining))


def growth_to_common(alpha: Any, B: Any, M: Any, N: Any, V: Any) -> Any:
    """What a steady port that held V at the overflow grows by until all queues have one length (ours)."""
    return alpha * (B - (M + N) * V) / (1 + alpha * (M + N))


def d_bound(B: Any, C: Any, R_min: Any) -> Any:
    """The first bound on d in (81): how long the smoothest burst takes to fill the buffer."""
    return B / (R_min - C)


def burst_limit(B: Any, P: Any, r: Any) -> Any:
    """How long P slow bursts at once may last (ours, from (79) with M = P)."""
    return B / (P * r)
