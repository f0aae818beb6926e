"""The formulas of rates that vary in time; each accepts numbers or SymPy symbols and returns the same kind.

The symbols are those of `dtmodel.theory.edt`; ``A`` are the bytes that arrived at a burst's port by t, ``A_1`` by
``d_1``, the end of the phase before; ``S`` is the sum of the bursts' queues (bytes), ``e`` the excess of steady queues
over the threshold. Source: DT/EDT paper, Section 3.3; "ours" are our own.
"""

from fractions import Fraction  # noqa: F401  # for the examples
from typing import Any


def slow_phase(alpha: Any, B: Any, C: Any, M: Any, N: Any, A: Any, t: Any) -> Any:
    """Return the left side of the first equation (43) less its right side: 0 at t_1."""
    return (1 + alpha * M + alpha * N) * (A - C * t) - alpha * B


def fast_phase(alpha: Any, B: Any, C: Any, M: Any, N: Any, A: Any, A_1: Any, d_1: Any, t: Any) -> Any:
    """Return the left side of the second equation (43) less its right side, divided by 1 + alpha N: 0 at t_2."""
    right = alpha * B + alpha * N * (alpha * M * A_1 - (1 + alpha * M + alpha * N) * C * d_1)
    return (1 + alpha * M) * A - (1 + alpha * M + alpha * N) * C * t - right / (1 + alpha * N)


def steady_excess(alpha: Any, C: Any, M: Any, N: Any, A: Any, A_1: Any, d_1: Any, t: Any) -> Any:
    """Return the excess of the steady queues over the threshold at t: the condition of c) and d) of Theorem 4.

    >>> steady_excess(Fraction(1), 1, 2, 1, 4, 1, 1, 2)
    Fraction(2, 1)
    """
    return alpha * M * (A - A_1) - (1 + alpha * M + alpha * N) * (t - d_1) * C


def free_when_followed(alpha: Any, B: Any, C: Any, M: Any, N: Any, A: Any, t: Any) -> Any:
    """Return F(t_1) by (45) and (51).

    >>> free_when_followed(Fraction(1), 6, 1, 1, 1, 4, 2)
    Fraction(2, 1)
    """
    return (B - M * A + M * C * t) / (1 + alpha * N)


def free_when_left_behind(alpha: Any, B: Any, C: Any, M: Any, N: Any, A: Any, A_1: Any, d_1: Any, t: Any) -> Any:
    """Return F(t_2) by (47) and (49)."""
    before = B + N * (alpha * M * A_1 - (1 + alpha * M + alpha * N) * C * d_1)
    return before / (1 + alpha * N) + (M + N) * C * t - M * A


def excess_line(alpha: Any, C: Any, N: Any, S: Any, t: Any) -> Any:
    """Return Z(t), along which the excess of the steady queues over the threshold moves while they drain (ours)."""
    return alpha * S - (1 + alpha * N) * C * t


def threshold_beside(alpha: Any, B: Any, N: Any, S: Any, e: Any) -> Any:
    """Return T(t) beside burst queues of S bytes in sum and N steady queues that exceed the threshold by e (ours)."""
    return alpha * (B - S - N * e) / (1 + alpha * N)
