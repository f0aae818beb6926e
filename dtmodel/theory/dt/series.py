r"""Theorems 2 and 3 by port, for lists of rates $R_1 \ge \dots \ge R_M > C$ (numbers, SymPy expressions, arrays)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import repeat
from operator import and_, ge, gt
from typing import Any

from dtmodel.theorems.operations import defined, everywhere, first_of, somewhere
from dtmodel.theorems.quantities import Numbers
from dtmodel.theory.dt import formulas, meetings

_EXACT = frozenset({int, Fraction})

Points = list[tuple[Any, Any]]
"""(t_k, F_k) for each port."""


def growth_sums(C: Any, R: Sequence[Any]) -> list[Any]:
    """Return G_1, ..., G_M: the rate at which the ports that have not met the threshold before port k grow together."""
    sums: list[Any] = []
    for rate in reversed(R):
        sums.append(rate - C + (sums[-1] if sums else 0))
    return sums[::-1]


def falling(R: Sequence[Any]) -> Any:
    """Tell whether rates do not increase: R_1 >= ... >= R_M.

    >>> falling([Fraction(2), Fraction(4, 3)]), falling([Fraction(4, 3), Fraction(2)])
    (True, False)
    """
    rates = meetings.numbers(R).whole[0] if _exact(R) else R
    return _all(map(ge, rates, rates[1:]))


def exceeding(R: Sequence[Any], C: Any) -> Any:
    """Tell whether every rate is greater than C.

    >>> exceeding([Fraction(2), Fraction(4, 3)], 1), exceeding([Fraction(2), Fraction(1)], 1)
    (True, False)
    """
    if _exact(R, C):
        rates, unit = meetings.numbers(R).whole
        return min(rates) * unit > C
    return _all(map(gt, R, repeat(C)))


def whole_growth(C: Any, R: Sequence[Any]) -> Any:
    """Return G_1, the rate at which all ports grow together at first.

    >>> whole_growth(1, [Fraction(5), Fraction(3, 2)])
    Fraction(9, 2)
    """
    if _exact(R, C):
        rates, unit = meetings.numbers(R).whole
        return sum(rates) * unit - len(rates) * C
    return growth_sums(C, R)[0]


def recursive_follows(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any]) -> Points:
    """Return (t_k, F_k) by the recursion of Theorem 2 as printed, equation (14), in any regime."""
    before = (0, formulas.initial_free(alpha, B, N))
    points: Points = []
    for k, (rate, G) in enumerate(zip(R, growth_sums(C, R), strict=True), 1):
        n = N + k - 1
        t = formulas.printed_follow_time(alpha, n, rate - C, G, before)
        before = (t, formulas.printed_follow_free(alpha, n, G, before, t))
        points.append(before)
    return points


def recursive_drains(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any], stages: int | None = None) -> Points:
    """Return (t_k, F_k) by the recursion (31) of Theorem 3 as printed, for the first `stages` ports or for all."""
    before = (0, formulas.initial_free(alpha, B, N))
    points: Points = []
    for k, (rate, G) in enumerate(zip(R[:stages], growth_sums(C, R), strict=False), 1):
        n = N + k - 1
        t = formulas.printed_drain_time(alpha, C, n, rate - C, G, before)
        before = (t, formulas.printed_drain_free(C, n, G, before, t))
        points.append(before)
    return points


def closed_follow_times(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any]) -> list[Any]:
    """Return t_k without recursion while all ports that met the threshold follow it (edt.ours.theorem2).

    >>> [str(t) for t in closed_follow_times(Fraction(1), Fraction(6), Fraction(1), 1, [Fraction(2), Fraction(3, 2)])]
    ['12/7', '3']
    """
    sums = growth_sums(C, R)
    return [formulas.follow_drop_time(alpha, B, N + k, R[k] - C, sums[k]) for k in range(len(R))]


def closed_follow_frees(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any]) -> list[Any]:
    """Return F(t_k) without recursion while all ports that met the threshold follow it (edt.ours.theorem2).

    >>> [str(f) for f in closed_follow_frees(Fraction(1), Fraction(6), Fraction(1), 1, [Fraction(2), Fraction(3, 2)])]
    ['12/7', '3/2']
    """
    sums = growth_sums(C, R)
    return [formulas.follow_free(alpha, B, N + k, R[k] - C, sums[k]) for k in range(len(R))]


def closed_drain_times(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any]) -> list[Any]:
    """Return t_k as a running product while all ports that met the threshold drain at C (edt.ours.theorem3)."""
    if _exact(R, alpha, B, C, N):
        return list[Any](meetings.all_drain(alpha, B, C, int(N), R))
    share, times = alpha * formulas.initial_free(alpha, B, N), list[Any]()
    for k, (rate, G) in enumerate(zip(R, growth_sums(C, R), strict=True)):
        D = formulas.closing_rate(alpha, C, N + k, rate - C, G)
        times.append(share / D)
        share = share * formulas.drain_factor(alpha, rate, D)
    return times


def free_at_drops(alpha: Any, C: Any, R: Sequence[Any], first_drop: Sequence[Any]) -> list[Any]:
    """Return F(t_k), the free buffer when port k meets the threshold at its own length; `first_drop` has t_k.

    >>> R = [Fraction(4), Fraction(3)]
    >>> [str(f) for f in free_at_drops(Fraction(1), 1, R, meeting_times(Fraction(1), 6, 1, 1, R))]
    ['9/7', '6/5']
    """
    if _exact(R, alpha, C):
        known = list[Any](meetings.frees(alpha, C, R, [time for time in first_drop if time is not None]))
        return known + [None] * (len(R) - len(known))
    return [formulas.free_at_drop(alpha, rate - C, time) for rate, time in zip(R, first_drop, strict=True)]


def stage_times(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any]) -> list[Any]:
    """Return t_k of the ports 1 to L, which Theorem 3 covers; undefined for the others.

    >>> [str(t) for t in stage_times(Fraction(1), Fraction(6), Fraction(1), 1, [Fraction(4), Fraction(3)])]
    ['3/7', 'None']
    """
    if _exact(R, alpha, B, C, N):
        times = list[Any](meetings.draining_times(alpha, B, C, int(N), R))
        return times + [None] * (len(R) - len(times))
    times = closed_drain_times(alpha, B, C, N, R)
    return [defined(time, drain) for time, drain in zip(times, draining(alpha, C, N, R), strict=True)]


def draining(alpha: Any, C: Any, N: Any, R: Sequence[Any]) -> list[Any]:
    """Tell for each port if all that met the threshold before it drain at C; their number is L of Theorem 3."""
    return [formulas.drains(alpha, C, N + k, G) for k, G in enumerate(growth_sums(C, R))]


def meeting_times(alpha: Any, B: Any, C: Any, N: Any, R: Sequence[Any]) -> list[Any]:
    """Return t_k of every port in every regime, in the closed form of `dtmodel.theory.dt.meetings` (edt.ours.theorem3).

    For symbols t_k is a Piecewise with one case for each number of ports that may still drain.
    """
    if _exact(R, alpha, B, C, N):
        return [time for time, _ in meetings.exact_meetings(alpha, B, C, int(N), R)]
    lines = _Lines(alpha, C, N, R, [alpha * formulas.initial_free(alpha, B, N)])
    times = []
    most = 0  # lines that hold anywhere: their number only falls, unless a further port drains
    for k, (rate, G) in enumerate(zip(R, growth_sums(C, R), strict=True)):
        r = rate - C
        cases = []
        for m in range(most, -1, -1):
            D = formulas.closing_rate(alpha, C, N + m, r, G + (k - m) * r)
            cases.append((lines.shares[m] / D, lines.holds(m, rate, D)))
            if everywhere(cases[-1][1]):
                break
        times.append(first_of(cases, alpha * B / formulas.closing_rate(alpha, C, 0, r, G + (N + k) * r)))
        most = next((most - place for place, (_, holds) in enumerate(cases) if somewhere(holds)), 0)
        most = k + 1 if lines.add(k, rate, G) else most
    return times


@dataclass(frozen=True)
class _Lines:
    """The lines on which ports drain: first that of the steady ports, then one for each port that has met T."""

    alpha: Any
    C: Any
    N: Any
    R: Sequence[Any]
    shares: list[Any]
    lefts: list[Any] = field(default_factory=list)
    drains: list[Any] = field(default_factory=list)

    def add(self, k: int, rate: Any, G: Any) -> bool:
        """Add the line of port k (from 0); tell whether it met the threshold while all ports drained."""
        D = formulas.closing_rate(self.alpha, self.C, self.N + k, rate - self.C, G)
        self.drains.append(formulas.drains(self.alpha, self.C, self.N + k, G))
        self.lefts.append(formulas.left_closing(self.alpha, rate, D))
        self.shares.append(self.shares[-1] * formulas.drain_factor(self.alpha, rate, D))
        return somewhere(self.drains[-1])

    def holds(self, m: int, rate: Any, D: Any) -> Any:
        """Tell whether the first m lines of bursts hold when a port of some rate meets the threshold at this D."""
        if m == 0:
            return rate < D
        return self.drains[m - 1] & (self.R[m - 1] * D > rate * self.lefts[m - 1])


def _exact(R: Sequence[Any], *others: Any) -> bool:
    return (isinstance(R, Numbers) or _EXACT.issuperset(map(type, R))) and _EXACT.issuperset(map(type, others))


def _all(conditions: Iterable[Any]) -> Any:
    return reduce(and_, conditions, True)
