"""Every policy over a spread of numbers of bursts and steady ports and of durations, beside those it was set for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import inf
from statistics import mean
from typing import Any

from dtmodel.base import units
from dtmodel.base.tables import Cells
from dtmodel.fluid import Run, simulate
from dtmodel.fluid.switch import Arrivals, Switch
from dtmodel.policies import Configured, PolicySetting

Way = Callable[[PolicySetting], Configured]
"""A policy with the parameters that it sets for a switch."""

ALPHAS = tuple(Fraction(2) ** power for power in range(-4, 5))
"""The grid in which `BurstSpread` looks for the best alpha of a policy."""

SPANS = (Fraction(1, 16), Fraction(1, 4), Fraction(1), Fraction(2))
"""The durations of the bursts of a spread, relative to the duration for which the policies are set."""


@dataclass(frozen=True)
class PolicySpread:
    """The results of one policy, set for bursts of one duration, with bursts of other durations.

    - `name`, `claim`: as in `PolicyOutcome`.
    - `longest` (tuple of Fraction or None): for each M and N the longest duration of the bursts without loss, in
      seconds; None if it is unlimited.
    - `lost`: for each duration the lost share of the bursts' bytes, on average over M and N.
    - `worst`: the shortest of `longest`, in seconds; None if it is unlimited.
    - `alpha`, `worst_at_alpha`: the alpha (the given one or one of `ALPHAS`) for which `worst` is longest, and that
      time; None without alpha.

    >>> from dtmodel import Switch, compare
    >>> (row,) = compare(Switch(8, "1 MB", "1 Gbps"), steady=2, among=["DT"]).spread.rows
    >>> str(row.alpha), units.show_seconds(row.worst), units.show_seconds(row.worst_at_alpha)
    ('1/2', '888.889 us (1/1125 s)', '1 ms (1/1000 s)')
    """

    name: str
    claim: str
    longest: tuple[Fraction | None, ...]
    lost: tuple[Fraction, ...]
    alpha: Fraction | None = None
    worst_at_alpha: Fraction | None = None

    @property
    def worst(self) -> Fraction | None:
        """The shortest of the longest lossless bursts."""
        return min((time for time in self.longest if time is not None), default=None)

    @property
    def best(self) -> Fraction | None:
        """The shortest of the longest lossless bursts with the best alpha, if the policy has an alpha."""
        return self.worst if self.alpha is None else self.worst_at_alpha


@dataclass(frozen=True)
class BurstSpread:
    """Every policy over a spread of M, N and durations.

    - `cases` (tuple of (int, int)): M and N.
    - `durations`: the durations of the bursts, in seconds.
    - `rows` (tuple of PolicySpread): one for each policy that the fluid model runs.

    >>> from dtmodel import Switch, compare
    >>> compare(Switch(8, "1 MB", "1 Gbps"), steady=2, among=["DT"]).spread.cases
    ((1, 0), (1, 2), (4, 0), (4, 2))
    """

    cases: tuple[tuple[int, int], ...]
    durations: tuple[Fraction, ...]
    rows: tuple[PolicySpread, ...]

    def table(self) -> Cells:
        """The table for people: the longest lossless bursts by M and N, the lost share by duration, the best alpha."""
        headings = ["policy", *(f"M={M} N={N}" for M, N in self.cases)]
        headings += [f"in {shown(duration)}" for duration in self.durations]
        rows = [
            (row.name, *(shown(time, nothing="any") for time in row.longest),
             *(f"{float(100 * share):.1f} %" for share in row.lost), plain_or_none(row.alpha) or "")
            for row in self.rows
        ]  # fmt: skip
        title = (
            "set for this duration: lossless up to, by M bursts and N steady ports; share lost, by duration, on "
            f"average of these M, N; best alpha for the worst of these M, N, of the given one and "
            f"{ALPHAS[0]}, {ALPHAS[1]} ... {ALPHAS[-1]}"
        )
        return Cells(title, (*headings, "best alpha"), tuple(rows))

    @property
    def advice(self) -> str:
        """The policy whose shortest lossless burst over M and N is longest, in a sentence; empty without fluid runs."""
        if not self.rows:
            return ""
        best = max(self.rows, key=lambda row: inf if row.best is None else row.best)
        alpha = "" if best.alpha is None else f" with alpha = {best.alpha}"
        claim = f"first drop: claim {best.claim}" if best.claim else "no claim says when it first drops"
        told = shown(best.best, nothing="any duration")
        return f"for each of these M, N {best.name}{alpha} takes in bursts of {told}, and no other longer ones; {claim}"

    def document(self) -> dict[str, Any]:
        """The spread in the answer of ``dtmodel compare --json``."""
        return {
            "cases": [{"bursts": M, "steady": N} for M, N in self.cases],
            "durations": [*map(units.plain, self.durations)],
            "alphas": [*map(units.plain, ALPHAS)],
            "policies": [
                {"name": row.name, "longest_burst": [*map(plain_or_none, row.longest)],
                 "lost": [*map(units.plain, row.lost)], "best_alpha": plain_or_none(row.alpha),
                 "longest_at_best_alpha": plain_or_none(row.worst_at_alpha)}
                for row in self.rows
            ],
            "advice": self.advice,
        }  # fmt: skip


def run_bursts(
    way: Configured, setting: PolicySetting, offered: Fraction, until: Fraction, *, endless: bool
) -> Run[Fraction]:
    """Run bursts beside steady ports under one policy; `endless` bursts have no end."""
    assert way.policy is not None
    burst = Arrivals.constant(setting.burst_rate) if endless else Arrivals.burst(setting.burst_rate, setting.duration)
    M, n = setting.bursts, setting.queues
    return simulate(
        Switch(setting.ports, setting.buffer, setting.rates or setting.rate),
        way.policy,
        {port: burst if port < M else Arrivals.constant(offered) for port in range(n)},
        initial=dict.fromkeys(range(M, n), "steady" if way.held is None else way.held),
        until=until,
    )


def spread_of(
    name: str, claim: str, way: Way, setting: PolicySetting, cases: Sequence[tuple[int, int]], offered: Fraction
) -> PolicySpread:
    """Run a policy in every case, with the alpha of the setting and, if it has one, with each of `ALPHAS`."""

    def over(alpha: Fraction) -> PolicySpread:
        longest, lost = _over(way, replace(setting, alpha=alpha), cases, offered)
        return PolicySpread(name, claim, longest, lost)

    row = over(setting.alpha)
    first, second = (vars(way(replace(setting, alpha=alpha)).policy) for alpha in ALPHAS[:2])
    if first == second:
        return row
    each = [(setting.alpha, row.worst), *((alpha, over(alpha).worst) for alpha in ALPHAS)]  # the first of equals
    alpha, worst = max(each, key=lambda one: inf if one[1] is None else one[1])
    return replace(row, alpha=alpha, worst_at_alpha=worst)


def _over(
    way: Way, setting: PolicySetting, cases: Sequence[tuple[int, int]], offered: Fraction
) -> tuple[tuple[Fraction | None, ...], tuple[Fraction, ...]]:
    """Return the longest lossless bursts of every case, and the lost shares by duration."""
    B, R, times = setting.buffer, setting.burst_rate, [span * setting.duration for span in SPANS]
    longest, shares = list[Fraction | None](), list[list[Fraction]]()
    for M, N in cases:
        here = setting.with_bursts(M, N)
        C = here.rate
        until = max(times[-1], 2 * B / (R - C)) if R > C else times[-1]
        run = run_bursts(way(here), here, offered, until, endless=True)
        longest.append(first_drop(run, M))
        shares.append([sum(run.queue(port).dropped(time) for port in range(M)) / (M * R * time) for time in times])
    return tuple(longest), tuple(map(mean, zip(*shares, strict=True)))


def first_drop(run: Run[Fraction], bursts: int) -> Fraction | None:
    """Return the first drop of the bursts; None if they lose nothing."""
    return min((drop for port in range(bursts) if (drop := run.first_drop(port)) is not None), default=None)


def plain_or_none(value: Fraction | None) -> str | None:
    """Write an exact number, as JSON has it; None for None."""
    return None if value is None else units.plain(value)


def shown(value: Fraction | None, unit: str = "s", nothing: str = "") -> str:
    """Write a quantity for people, to four digits; the JSON answer has its exact form."""
    if value is None:
        return nothing
    if not unit:
        return f"{float(value):.3f}"
    show = {"s": units.show_seconds, "bytes": units.show_bytes}[unit]
    rounded = Fraction(f"{Decimal(value.numerator) / Decimal(value.denominator):.4g}")  # a float would overflow
    return units.brief(show(rounded))
