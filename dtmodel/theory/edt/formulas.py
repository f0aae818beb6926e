"""The formulas of EDT; each accepts numbers or SymPy symbols and returns the same kind.

The symbols are those of `dtmodel.theory.edt`, and further:

- ``rho`` the largest ratio of two bursts' R - C, ``R_min`` the least rate of a burst, ``d_mb`` the duration of a
  micro-burst (s);
- ``V`` the length of a queue (bytes);
- ``draining`` the number of queues that drain at C, ``begin`` the time at which ports become uncontrolled, ``c_n2`` the
  counting number (bytes).

Source: DT/EDT paper, Sections 4.2 to 4.4; functions whose docstring says "ours" are our own.
"""

from fractions import Fraction  # noqa: F401  # for the examples
from typing import Any

from dtmodel.policies.formulas import edt_counting_number, edt_growth_timer
from dtmodel.theorems.operations import greatest
from dtmodel.theory.dt import formulas as dt


def growth_at_slow_drop(alpha: Any, B: Any, M: Any, N: Any) -> Any:
    """Return (R - C) t_1, the length of a burst's queue when it meets the threshold slowly: the first line of (69)."""
    return dt.slow_threshold(alpha, B, M, N)


def growth_at_fast_drop(alpha: Any, B: Any, C: Any, M: Any, N: Any, r: Any) -> Any:
    """Return (R - C) t_2, a burst's queue length when it meets a threshold that outruns C: second line of (69)."""
    return r * dt.fast_drop_time(alpha, B, C, M, N, r)


def limit_of_growth(alpha: Any, B: Any, M: Any, N: Any) -> Any:
    """Return the limit of (R - C) t_2 as R grows without bound, in (71)."""
    return alpha * B / ((1 + alpha * N) * (1 + alpha * M))


def cn2_paper(alpha: Any, B: Any, P: Any) -> Any:
    """Return the counting number of C2 in bytes, (73)."""
    return edt_counting_number(alpha, B, P)


def cn2_at(alpha: Any, B: Any, P: Any, M: Any) -> Any:
    """Return `limit_of_growth` for M ports with bursts while all P - M others are in steady state (ours).

    >>> cn2_at(Fraction(1), 48, 4, 2) == limit_of_growth(Fraction(1), 48, 2, 2)
    True
    """
    return limit_of_growth(alpha, B, M, P - M)


def cn2_integer(alpha: Any, B: Any, P: int) -> Any:
    """Return the least limit of growth over whole M and N: the largest safe counting number for every R (ours)."""
    return cn2_at(alpha, B, P, (P + 1) // 2)


def limit_of_ratio(alpha: Any, B: Any, M: Any, N: Any, rho: Any) -> Any:
    """Return the limit of the slowest queue at DT's threshold as rates grow, M - 1 bursts rho times as fast (ours)."""
    return alpha * B / ((1 + alpha * N) * (1 + alpha + alpha * (M - 1) * rho))


def cn2_ratio(alpha: Any, B: Any, P: Any, rho: Any) -> Any:
    """Return a counting number for simultaneous bursts with R - C in a ratio of at most rho (ours); (73) for 1."""
    return 4 * alpha * rho * B / (1 + alpha + rho * (1 + alpha * (P - 1))) ** 2


def cn2_ratio_integer(alpha: Any, B: Any, P: int, rho: Any) -> Any:
    """Return the largest counting number with the guarantee of `cn2_ratio`: least limit over whole M, N (ours)."""
    return min(limit_of_ratio(alpha, B, M, P - M, rho) for M in range(1, P + 1))


def least_share(alpha: Any, B: Any, M: Any, N: Any) -> Any:
    """Return the infimum of the length at which one of M queues under DT first drops beside N steady queues (ours).

    >>> least_share(Fraction(1), 48, 2, 1)
    Fraction(6, 1)
    """
    return alpha * B / ((1 + alpha * N) * (1 + alpha) ** M)


def growth_limit(alpha: Any, B: Any, P: Any, d: Any) -> Any:
    """Return the largest R - C at which, by (77), a burst of duration d loses nothing."""
    return alpha * B / ((1 + alpha * P) * d)


def tm1_paper(alpha: Any, P: Any, d: Any) -> Any:
    """Return the default of TM1, (78)."""
    return edt_growth_timer(alpha, P, d)


def slow_filling(M: Any, r: Any) -> Any:
    """Return the rate at which bursts fill the buffer while steady ports drain with their threshold, (79).

    >>> slow_filling(2, 3)
    6
    """
    return M * r


def fast_filling(alpha: Any, C: Any, M: Any, N: Any, r: Any) -> Any:
    """Return the rate at which bursts would fill an empty buffer while steady ports drain at C (ours).

    >>> fast_filling(Fraction(1), 1, 2, 1, 3)
    Fraction(10, 1)
    """
    return (1 + alpha * N) * (M * r - N * C)


def slow_overflow(B: Any, M: Any, r: Any) -> Any:
    """Return the time at which the buffer overflows with the steady ports still on their threshold, (79) and (80)."""
    return B / slow_filling(M, r)


def fast_overflow(alpha: Any, B: Any, C: Any, M: Any, N: Any, r: Any) -> Any:
    """Return the time of the overflow while the steady ports drain at C above their threshold (ours)."""
    return B / fast_filling(alpha, C, M, N, r)


def overflow_rate(alpha: Any, B: Any, C: Any, M: Any, N: Any, d: Any) -> Any:
    """Return the rate of M bursts that fill the buffer in d beside N steady ports that drain at C (ours).

    >>> overflow_rate(Fraction(1), 6, 1, 2, 1, Fraction(1))
    Fraction(3, 1)
    """
    return C + (B / ((1 + alpha * N) * d) + N * C) / M


def most_bursts(N: Any, R: Any, C: Any) -> Any:
    """Return the largest number of ports with bursts that footnote 9 allows.

    >>> most_bursts(3, 2, Fraction(1))
    Fraction(6, 1)
    """
    return N * R / (R - C)


def recognised(alpha: Any, B: Any, C: Any, M: Any, N: Any, R: Any, c_n2: Any) -> Any:
    """Tell whether C2 counts up to c_n2 before DT would drop: Rule 2, (69); the fast case is multiplied out."""
    r, slow = R - C, dt.rate_bound(alpha, C, M, N) >= R
    fast = c_n2 * (1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C) <= alpha * B * r
    return (slow & (c_n2 <= growth_at_slow_drop(alpha, B, M, N))) | ((dt.rate_bound(alpha, C, M, N) < R) & fast)


def smallest_duration(B: Any, C: Any, R_min: Any, d_mb: Any) -> Any:
    """Return the least d of (81).

    >>> smallest_duration(Fraction(6), 1, 4, 5)
    5
    """
    return greatest(d_bound(B, C, R_min), d_mb)


def additional_traffic(alpha: Any, M: Any, N: Any) -> Any:
    """Return the time to the first loss under EDT over that under DT, less 1, for slow bursts (Section 4.3)."""
    return 1 / (alpha * M) + N / M


def additional_traffic_fast(alpha: Any, C: Any, M: Any, N: Any, r: Any) -> Any:
    """Return the time to the first loss under EDT over that under DT, less 1, for bursts of the fast case (ours)."""
    return r / (alpha * (M * r - N * C))


def duration_of_unfairness(B: Any, M: Any, r: Any, begin: Any) -> Any:
    """Return the time from `begin` to the overflow, with uncontrolled bursts: t_2 - t_1 of Section 4.3."""
    return slow_overflow(B, M, r) - begin


def rising_threshold(alpha: Any, C: Any, M: Any, N: Any) -> Any:
    """Return the rate at which the threshold rises while M queues drain at C and N queues follow it (ours)."""
    return alpha * M * C / (1 + alpha * N)


def left_at_overflow(alpha: Any, B: Any, C: Any, N: Any, t: Any) -> Any:
    """Return the length of each of N steady queues at an overflow at t, if they drained at C and have bytes (ours)."""
    return alpha * B / (1 + alpha * N) - C * t


def drained_to_threshold(alpha: Any, C: Any, draining: Any, V: Any) -> Any:
    """Return the time in which queues of length V drain to a threshold that rises from 0 as they drain (ours)."""
    return V / (C * (1 + alpha * draining))


def growth_to_common(alpha: Any, B: Any, M: Any, N: Any, V: Any) -> Any:
    """Return the growth of a steady queue of length V at the overflow until all queues have one length (ours)."""
    return alpha * (B - (M + N) * V) / (1 + alpha * (M + N))


def d_bound(B: Any, C: Any, R_min: Any) -> Any:
    """Return the first bound on d in (81): the time in which the smoothest burst fills the buffer."""
    return B / (R_min - C)
