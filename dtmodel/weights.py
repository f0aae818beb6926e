"""The formulas of weights, limits and EDT's settings, written once for policies and theory, for numbers and symbols."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

__all__ = [
    "NORMALISATIONS",
    "abm_weight",
    "edt_counting_number",
    "edt_growth_timer",
    "l2bm_weight",
    "pause_headroom",
    "pool_limit",
    "sojourn_constant",
]

NORMALISATIONS = ("sum", "mean", "harmonic", "least", "greatest")
"""How L2BM's C is formed from the sojourn times; the paper takes the sum."""


def abm_weight(alpha: Any, share: Any, congested: Any) -> Any:
    """Return ABM's w = alpha_p / n_p times the queue's share of its port's rate (SIGCOMM 2022).

    Examples
    --------
    >>> abm_weight(Fraction(1), Fraction(1, 2), 2)
    Fraction(1, 4)
    """
    return alpha / congested * share


def l2bm_weight(alpha: Any, C: Any, tau: Any) -> Any:
    """Return L2BM's w = alpha C / tau, its paper's equation (4).

    Examples
    --------
    >>> l2bm_weight(Fraction(1, 8), Fraction(12), Fraction(9))
    Fraction(1, 6)
    """
    return alpha * C / tau


def sojourn_constant(sojourns: Sequence[Any], how: str, counts: Sequence[Any] = ()) -> Any:
    """Return L2BM's C of sojourn times, for one of `NORMALISATIONS`; `counts` says how many queues have each.

    Examples
    --------
    >>> [str(sojourn_constant([Fraction(1), Fraction(3)], how)) for how in NORMALISATIONS]
    ['4', '2', '3/2', '1', '3']
    """
    each = list(zip(counts or (1,) * len(sojourns), sojourns, strict=True))
    n, total = sum(count for count, _ in each), sum((count * tau for count, tau in each), Fraction(0))
    constants: dict[str, Callable[[], Any]] = {
        "sum": lambda: total,
        "mean": lambda: total / n,
        "harmonic": lambda: n / sum((count / tau for count, tau in each), Fraction(0)),
        "least": lambda: min(sojourns),
        "greatest": lambda: max(sojourns),
    }
    return constants[how]()


def edt_counting_number(alpha: Any, B: Any, P: Any) -> Any:
    """Return EDT's counting number of C2 in bytes, its paper's equation (73).

    Examples
    --------
    >>> edt_counting_number(Fraction(1), Fraction(1_000_000), 16)
    Fraction(1000000, 81)
    """
    return 4 * alpha * B / (2 + alpha * P) ** 2


def edt_growth_timer(alpha: Any, P: Any, d: Any) -> Any:
    """Return EDT's default of TM1 for bursts of duration d, its paper's equation (78).

    Examples
    --------
    >>> edt_growth_timer(Fraction(1), 16, Fraction(1, 100))
    Fraction(17, 8100)
    """
    return 4 * (1 + alpha * P) / (2 + alpha * P) ** 2 * d


def pool_limit(free: Fraction, alpha: Fraction | None, cap: Fraction | None) -> Fraction:
    """Return min(alpha F, cap), without what is None: the most that a queue may hold of a pool with F bytes free.

    Examples
    --------
    >>> pool_limit(Fraction(6), Fraction(1, 2), None), pool_limit(Fraction(6), Fraction(1, 2), Fraction(2))
    (Fraction(3, 1), Fraction(2, 1))
    """
    dynamic = None if alpha is None else alpha * free
    return min(limit for limit in (dynamic, cap) if limit is not None)


def pause_headroom(C: Any, p: Any, r: Any, M_s: Any, M_r: Any, F: Any) -> Any:
    """Return what can still arrive on a link after a pause was asked for.

    Parameters
    ----------
    C, p, r
        The link's rate, its propagation delay and the sender's reaction time.
    M_s, M_r, F
        The largest frames at the sender and at the receiver, and the pause frame.

    Examples
    --------
    >>> pause_headroom(1, 1, 1, 2, 2, 1)
    8
    """
    return C * (2 * p + r) + M_s + M_r + F
