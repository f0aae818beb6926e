"""The formulas of the DT analysis; each accepts exact numbers or SymPy expressions and returns the same kind.

The symbols are those of `dtmodel.theory.dt`, and further:

- ``free`` the free buffer (bytes), ``F_0`` that before the bursts, ``total`` the sum of all queues (bytes);
- ``before`` = (t_{k-1}, F_{k-1}): the time at which port k - 1 met the threshold, and the free buffer then;
- ``R_j``, ``D_j``, ``D_k`` the rate of a burst and the closing rates of two, ``factors`` those of `drain_factor`;
- ``growth`` = (r_k, G_k), ``t`` a time (s), ``phi`` the rate at which the free buffer falls (bytes/s);
- ``on`` the number of ports on the threshold, ``above`` those above it: a pair or a function, as the function says.

Source: DT/EDT paper, Sections 2.3, 3.1 and 3.2; the last part is our own.
"""

from fractions import Fraction  # noqa: F401  # for the examples
from typing import Any

from dtmodel.theorems.operations import least

# Section 2.3: the policy


def free_of_queues(B: Any, total: Any) -> Any:
    """Return the free buffer F = B - sum Q for queues that hold `total` bytes."""
    return B - total


def threshold(alpha: Any, free: Any) -> Any:
    """Return the threshold of DT, T = alpha F, equation (1)."""
    return alpha * free


def initial_free(alpha: Any, B: Any, N: Any) -> Any:
    """Return F_0, the free buffer while N ports are in steady state and the others empty, equation (16)."""
    return B / (1 + alpha * N)


# Section 3.1: one rate


def rate_bound(alpha: Any, C: Any, M: Any, N: Any) -> Any:
    """Return the largest rate R at which queues can follow the falling threshold: the case distinction of Theorem 1."""
    return C * (1 + (1 + alpha * N) / (alpha * M))


def slow_drop_time(alpha: Any, B: Any, M: Any, N: Any, r: Any) -> Any:
    """Return t_1, the time of the first drop of slow bursts, in case a: equations (2) and (10)."""
    return alpha * B / ((1 + alpha * (M + N)) * r)


def slow_threshold(alpha: Any, B: Any, M: Any, N: Any) -> Any:
    """Return T(t_1), the threshold when slow bursts meet it, in case a: equation (4)."""
    return alpha * B / (1 + alpha * (N + M))


def slow_free(alpha: Any, B: Any, M: Any, N: Any) -> Any:
    """Return F(t_1), the free buffer at the first drop of slow bursts, in case a: equations (5) and (11)."""
    return initial_free(alpha, B, M + N)


def fall_left(alpha: Any, C: Any, M: Any, N: Any, r: Any, phi: Any) -> Any:
    """Return M r less the rate at which N queues drain while the free buffer falls at phi, its fixed point (ours)."""
    return M * r - N * least(alpha * phi, C)


def fast_drop_time(alpha: Any, B: Any, C: Any, M: Any, N: Any, r: Any) -> Any:
    """Return t_2, the time of the first drop of fast bursts, in case b: equations (6) and (10)."""
    return alpha * B / ((1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C))


def fast_threshold(alpha: Any, B: Any, C: Any, M: Any, N: Any, r: Any) -> Any:
    """Return T(t_2), the threshold when fast bursts meet it, in case b: equation (8)."""
    return alpha * r * B / ((1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C))


def fast_free(alpha: Any, B: Any, C: Any, M: Any, N: Any, r: Any) -> Any:
    """Return F(t_2), the free buffer at the first drop of fast bursts, in case b: equations (9) and (11)."""
    return r * B / ((1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C))


# Section 3.2: a rate for each port


def growth_bound(alpha: Any, C: Any, n: Any) -> Any:
    """Return the largest growth G at which n queues can follow the falling threshold, Theorems 2 and 3."""
    return (1 + alpha * n) * C / alpha


def drains(alpha: Any, C: Any, n: Any, G: Any) -> Any:
    """Tell whether the threshold falls faster than n queues can drain, Theorems 2 and 3."""
    return growth_bound(alpha, C, n) < G


def follow_slope(alpha: Any, n: Any, G: Any) -> Any:
    """Return T' = Q' of n ports that follow the threshold, equation (22)."""
    return -alpha * G / (1 + alpha * n)


def drain_slope(alpha: Any, C: Any, n: Any, G: Any) -> Any:
    """Return T' while n ports drain at C, from equation (35)."""
    return -alpha * (G - n * C)


def printed_follow_time(alpha: Any, n: Any, r_k: Any, G: Any, before: tuple[Any, Any]) -> Any:
    """Return t_k of Theorem 2 from ``before`` = (t_{k-1}, F_{k-1}), equations (14) and (28)."""
    t, F = before
    return alpha * (F + alpha * F * n + G * t) / (r_k * (1 + alpha * n) + alpha * G)


def printed_follow_free(alpha: Any, n: Any, G: Any, before: tuple[Any, Any], t_k: Any) -> Any:
    """Return F_k, the free buffer at t_k, of Theorem 2, equations (14) and (29)."""
    t, F = before
    return F - G * (t_k - t) / (1 + alpha * n)


def printed_drain_time(alpha: Any, C: Any, n: Any, r_k: Any, G: Any, before: tuple[Any, Any]) -> Any:
    """Return t_k of Theorem 3 from ``before`` = (t_{k-1}, F_{k-1}), equations (31) and (40)."""
    t, F = before
    return alpha * (F + (G - n * C) * t) / (alpha * (G - n * C) + r_k)


def printed_drain_free(C: Any, n: Any, G: Any, before: tuple[Any, Any], t_k: Any) -> Any:
    """Return F_k, the free buffer at t_k, of Theorem 3, equations (31) and (41)."""
    t, F = before
    return F - (G - n * C) * (t_k - t)


# Our own: no recursion, and every k


def follow_drop_time(alpha: Any, B: Any, n: Any, r_k: Any, G: Any) -> Any:
    """Return t_k without recursion while all n ports follow the threshold (edt.ours.theorem2)."""
    return alpha * B / ((1 + alpha * n) * r_k + alpha * G)


def follow_free(alpha: Any, B: Any, n: Any, r_k: Any, G: Any) -> Any:
    """Return F(t_k) without recursion while all n ports follow the threshold (edt.ours.theorem2)."""
    return r_k * B / ((1 + alpha * n) * r_k + alpha * G)


def closing_rate(alpha: Any, C: Any, n: Any, r_k: Any, G: Any) -> Any:
    """Return D_k = r_k + alpha (G_k - (N + k - 1) C), the rate at which queue k approaches the threshold."""
    return r_k + alpha * (G - n * C)


def left_closing(alpha: Any, R_j: Any, D_j: Any) -> Any:
    """Return D_j - alpha R_j, the remainder of the closing rate when port j meets the threshold (edt.ours.theorem3).

    >>> left_closing(1, 4, 9)
    5
    """
    return D_j - alpha * R_j


def drain_factor(alpha: Any, R_j: Any, D_j: Any) -> Any:
    """Return 1 - alpha R_j / D_j, the factor of later t_k when port j meets the threshold (edt.ours.theorem3)."""
    return left_closing(alpha, R_j, D_j) / D_j


def drain_drop_time(alpha: Any, F_0: Any, D_k: Any, factors: tuple[Any, ...]) -> Any:
    """Return t_k = alpha F_0 / D_k times the earlier factors, while all n ports drain at C (edt.ours.theorem3)."""
    result = alpha * F_0 / D_k
    for factor in factors:
        result = result * factor
    return result


def free_at_drop(alpha: Any, r_k: Any, t_k: Any) -> Any:
    """Return F(t_k) = (R_k - C) t_k / alpha: in every regime, port k meets the threshold at its own length."""
    return r_k * t_k / alpha


def mixed_drop_time(alpha: Any, B: Any, C: Any, r_k: Any, G: Any, on: Any, above: tuple[Any, Any]) -> Any:
    """Return t_k when `on` ports follow the threshold and ``above`` = (number, V) ports drain (edt.ours.theorem3).

    The length of a draining port is V_j - C t; V is the sum of their V_j.
    """
    how_many, V = above
    return (B - V) / (r_k / alpha + on * r_k + G - how_many * C)


def accounted(alpha: Any, C: Any, growth: tuple[Any, Any], above: Any, t: Any) -> Any:
    """Return the sum of queues and free buffer if queue k meets the threshold at t; it is B at t_k (edt.ours.theorem3).

    ``growth`` = (R_k - C, G_k). ``above(length, drained)`` is the sum, over the queues that have met the threshold, of
    the longer of the threshold, `length`, and V_j - C t, where C t is `drained`.
    """
    r_k, G = growth
    return r_k * t / alpha + above(r_k * t, C * t) + G * t
