r"""Theorems 2 and 3 port by port, for numbers, SymPy expressions and arrays alike.

Each function takes the rates $R_1 \ge \dots \ge R_M > C$ as a list and returns a list, one entry for each port.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dtmodel.errors import InputError
from dtmodel.theory.dt import formulas
from dtmodel.theory.quantities import defined, is_symbolic

__all__ = [
    "closed_drain_times",
    "closed_follow_frees",
    "closed_follow_times",
    "free_at_drops",
    "growth_sums",
    "meeting_times",
    "recursive_drains",
    "recursive_follows",
    "stage_frees",
    "stage_times",
]

Points = list[tuple[Any, Any]]
"""(t_k, F_k) for each port."""


def growth_sums(C: Any, R: Sequence[Any]) -> list[Any]:
    """Return G_1, ..., G_M: at which rate the ports grow together that have not met the threshold before port k.

    Examples
    --------
    >>> growth_sums(1, [5, 3, 2])
    [7, 3, 1]
    """
    sums: list[Any] = []
    for rate in reversed(R):
        sums.append(rate - C + (sums[-1] if sums else 0))
    return sums[::-1]


def recursive_follows(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any]) -> Points:
    """Return (t_k, F_k) by the recursion of Theorem 2 as printed, equation (14), whatever the regime."""
    before = (0, formulas.initial_free(alpha, B, N))
    points: Points = []
    for k, (rate, G) in enumerate(zip(R, growth_sums(C, R), strict=True), 1):
        n = N + k - 1
        t = formulas.printed_follow_time(alpha, n, rate - C, G, before)
        before = (t, formulas.printed_follow_free(alpha, n, G, before, t))
        points.append(before)
    return points


def recursive_drains(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any], stages: int | None = None) -> Points:
    """Return (t_k, F_k) by the recursion (31) of Theorem 3 as printed, of the first `stages` ports or of all."""
    before = (0, formulas.initial_free(alpha, B, N))
    points: Points = []
    for k, (rate, G) in enumerate(zip(R[:stages], growth_sums(C, R), strict=False), 1):
        n = N + k - 1
        t = formulas.printed_drain_time(alpha, C, n, rate - C, G, before)
        before = (t, formulas.printed_drain_free(C, n, G, before, t))
        points.append(before)
    return points


def closed_follow_times(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any]) -> list[Any]:
    """Return t_k without recursion while all ports that met the threshold follow it (edt.ours.theorem2)."""
    sums = growth_sums(C, R)
    return [formulas.follow_drop_time(alpha, B, N + k, R[k] - C, sums[k]) for k in range(len(R))]


def closed_follow_frees(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any]) -> list[Any]:
    """Return F(t_k) without recursion while all ports that met the threshold follow it (edt.ours.theorem2)."""
    sums = growth_sums(C, R)
    return [formulas.follow_free(alpha, B, N + k, R[k] - C, sums[k]) for k in range(len(R))]


def closed_drain_times(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any], stages: int | None = None) -> list[Any]:
    """Return t_k as a running product while all ports that met the threshold drain at C (edt.ours.theorem3).

    Only for the first `stages` ports, if they are given.
    """
    share, times = alpha * formulas.initial_free(alpha, B, N), list[Any]()
    for k, (rate, G) in enumerate(zip(R[:stages], growth_sums(C, R), strict=False)):
        D = formulas.closing_rate(alpha, C, N + k, rate - C, G)
        times.append(share / D)
        share = share * formulas.drain_factor(alpha, rate, D)
    return times


def free_at_drops(alpha: Any, C: Any, R: Sequence[Any], times: Sequence[Any]) -> list[Any]:
    """Return F(t_k): what is free when port k meets the threshold at its own length."""
    return [formulas.free_at_drop(alpha, rate - C, time) for rate, time in zip(R, times, strict=True)]


def stage_times(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any]) -> list[Any]:
    """Return t_k of the ports 1 to L of Theorem 3, of which alone it speaks; undefined for the others."""
    drains = [formulas.drains(alpha, C, N + k, G) for k, G in enumerate(growth_sums(C, R))]
    if all(isinstance(drain, bool) for drain in drains):
        stages = sum(drains)  # it holds up to L and not beyond
        return closed_drain_times(alpha, B, C, N, R, stages) + [None] * (len(R) - stages)
    times = closed_drain_times(alpha, B, C, N, R)
    return [defined(time, drain) for time, drain in zip(times, drains, strict=True)]


def stage_frees(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any]) -> list[Any]:
    """Return F(t_k) of the ports 1 to L of Theorem 3; undefined for the others."""
    times = stage_times(alpha, B, C, N, R)
    return [
        None if time is None else formulas.free_at_drop(alpha, rate - C, time)
        for rate, time in zip(R, times, strict=True)
    ]


def meeting_times(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any]) -> list[Any]:
    """Return t_k of every port in every regime: the root at which the buffer is accounted for (edt.ours.theorem3).

    What the buffer holds is convex in t, a maximum of straight lines, one for each set of ports above the threshold.
    The root of the line without such ports is not before the root that is sought; Newton's steps from there end on it.

    Raises
    ------
    InputError
        For symbols, which do not decide which ports are above the threshold.
    """
    if any(is_symbolic(value) for value in (alpha, B, C, N, *R)):
        raise InputError("R", [str(rate) for rate in R], "numbers or arrays: symbols do not say which ports are above")
    lines = [(N, alpha * formulas.initial_free(alpha, B, N))]
    times = []
    for k, (rate, G) in enumerate(zip(R, growth_sums(C, R), strict=True)):
        n, r = N + k, rate - C
        t = formulas.mixed_drop_time(alpha, B, C, r, G, n, (0, 0))
        for _ in range(len(lines) + 1):
            above = [(V - C * t > r * t) * count for count, V in lines]
            how_many, total = sum(above), sum(each * V for each, (_, V) in zip(above, lines, strict=True))
            t = formulas.mixed_drop_time(alpha, B, C, r, G, n - how_many, (how_many, total))
        times.append(t)
        lines.append((1, rate * t))
    return times
