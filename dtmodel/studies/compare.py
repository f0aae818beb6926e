"""Every policy on one switch and one scenario: ``compare(switch, steady=2, burst_rate="4 Gbps")``.

N ports are overloaded and have been for long; at time 0 bursts of one rate reach M empty ports together. Each policy is
set for the switch by itself (`dtmodel.policies.Policy.for_switch`), and the exact engine runs it; a spread of other M,
N and durations shows the losses where other bursts come than those that it is set for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from html import escape
from itertools import pairwise
from math import inf
from statistics import mean
from typing import Any

from dtmodel import policies
from dtmodel.base import budgets, units
from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError
from dtmodel.base.tables import Cells, csv_of, decimal_text
from dtmodel.base.units import Quantity
from dtmodel.fluid import Run, simulate
from dtmodel.fluid.switch import Arrivals, Switch, checked_switch
from dtmodel.policies import Configured, Policy, PolicySetting

_HEADINGS = (
    "policy", "settings", "free before", "first drop", "free then", "lossless up to", "absorbed", "lost",
    "fairness", "recovery", "claim", "note",
)  # fmt: skip


@dataclass(frozen=True)
class PolicyOutcome:
    """What the bursts meet under one policy. Where the fluid model does not run it, `run` is None and `note` says why.

    Attributes
    ----------
    name, settings, claim, note : str
        As in `dtmodel.policies.Configured`; `claim` is empty if the bursts are not faster than their ports.
    kind : type or None
        The class of the policy; None if the fluid model does not run it.
    run : Run or None
        The run: queues 0 to M - 1 are those of the bursts.
    free_before : Fraction or None
        What is free when the bursts begin, in bytes.
    first_drop, free_at_first_drop : Fraction or None
        When the bursts first lose something, in seconds, and what is free then, in bytes; None: they lose nothing.
    longest_burst : Fraction or None
        The longest duration with which bursts of this rate lose nothing, in seconds; None: any.
    absorbed, lost : Fraction or None
        Of all bursts together, in bytes: what is taken in, and what is not.
    fairness : Fraction or None
        Jain's index of all M + N queues at the end of the bursts: 1 if they are equally long; None: all are empty.
    recovery : Fraction or None
        How long after the bursts every queue is as before them, and stays so, in seconds; None: not within 16 B / C.

    Examples
    --------
    >>> from dtmodel import Switch, compare
    >>> (outcome,) = compare(Switch(8, "1 MB", "1 Gbps"), steady=2, burst_rate="2 Gbps", among=["DT"]).outcomes
    >>> outcome.cells()[:2], str(outcome.first_drop)
    (('DT', 'alpha = 1'), '1/500')
    """

    name: str
    settings: str
    claim: str
    note: str
    kind: type[Policy] | None = field(default=None, repr=False)
    run: Run[Fraction] | None = field(default=None, repr=False)
    free_before: Fraction | None = None
    first_drop: Fraction | None = None
    free_at_first_drop: Fraction | None = None
    longest_burst: Fraction | None = None
    absorbed: Fraction | None = None
    lost: Fraction | None = None
    fairness: Fraction | None = None
    recovery: Fraction | None = None

    def cells(self) -> tuple[str, ...]:
        """What a person reads of it, under the headings of the table."""
        if self.run is None:
            return (self.name, self.settings, *[""] * 8, self.claim, self.note)
        return (
            self.name,
            self.settings,
            _shown(units.show_bytes, self.free_before),
            _shown(units.show_seconds, self.first_drop, "none"),
            _shown(units.show_bytes, self.free_at_first_drop),
            _shown(units.show_seconds, self.longest_burst, "any"),
            _shown(units.show_bytes, self.absorbed),
            _shown(units.show_bytes, self.lost),
            "" if self.fairness is None else f"{float(self.fairness):.3f}",
            _shown(units.show_seconds, self.recovery, "not seen"),
            self.claim,
            self.note,
        )


_UNITS = {
    "free_before": "bytes",
    "first_drop": "s",
    "free_at_first_drop": "bytes",
    "longest_burst": "s",
    "absorbed": "bytes",
    "lost": "bytes",
    "fairness": "",
    "recovery": "s",
}
"""The numbers of an outcome and their units."""


ALPHAS = tuple(Fraction(2) ** power for power in range(-4, 5))
"""The grid in which `BurstSpread` looks for the best alpha of a policy."""

_SPANS = (Fraction(1, 16), Fraction(1, 4), Fraction(1), Fraction(2))
"""How long the bursts of a spread last, where 1 is the duration that policies are set for."""


@dataclass(frozen=True)
class PolicySpread:
    """What one policy, set for bursts of one duration, does with others.

    Attributes
    ----------
    name, claim : str
        As in `PolicyOutcome`.
    longest : tuple of Fraction or None
        For each M and N the longest duration with which the bursts lose nothing, in seconds; None: any.
    lost : tuple of Fraction
        For each duration the share of the bursts' bytes that is lost, on average over M and N.
    worst : Fraction or None
        The shortest of `longest`, in seconds; None: any.
    alpha, worst_at_alpha : Fraction or None
        The given alpha or one of `ALPHAS`, that with which `worst` is longest, and that time; None if the policy has
        no alpha.

    Examples
    --------
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

    Attributes
    ----------
    cases : tuple of (int, int)
        M and N.
    durations : tuple of Fraction
        How long the bursts last, in seconds.
    rows : tuple of PolicySpread
        Of each policy that the fluid model runs.

    Examples
    --------
    >>> from dtmodel import Switch, compare
    >>> compare(Switch(8, "1 MB", "1 Gbps"), steady=2, among=["DT"]).spread.cases
    ((1, 0), (1, 2), (4, 0), (4, 2))
    """

    cases: tuple[tuple[int, int], ...]
    durations: tuple[Fraction, ...]
    rows: tuple[PolicySpread, ...]

    def table(self) -> Cells:
        """The table for people: how long bursts lose nothing for each M, N, the share lost for each duration, alpha."""
        headings = ["policy", *(f"M={M} N={N}" for M, N in self.cases)]
        headings += [f"in {_shown(units.show_seconds, duration)}" for duration in self.durations]
        rows = [
            (row.name, *(_shown(units.show_seconds, time, "any") for time in row.longest), *map(_percent, row.lost),
             "" if row.alpha is None else units.plain(row.alpha))
            for row in self.rows
        ]  # fmt: skip
        title = (
            "set for this duration: lossless up to, by M bursts and N overloaded ports; share lost, by duration, on "
            f"average of these M, N; best alpha for the worst of these M, N, of the given one and "
            f"{ALPHAS[0]}, {ALPHAS[1]} ... {ALPHAS[-1]}"
        )
        return Cells(title, (*headings, "best alpha"), tuple(rows))

    @property
    def advice(self) -> str:
        """The policy whose shortest lossless burst over M and N is longest, and the claim of its first drop.

        Empty if the fluid model runs none of the policies.
        """
        if not self.rows:
            return ""
        best = max(self.rows, key=lambda row: inf if row.best is None else row.best)
        alpha = "" if best.alpha is None else f" with alpha = {best.alpha}"
        claim = f"first drop: claim {best.claim}" if best.claim else "no claim says when it first drops"
        told = _shown(units.show_seconds, best.best, "any duration")
        return f"for each of these M, N {best.name}{alpha} takes in bursts of {told}, and no other longer ones; {claim}"

    def document(self) -> dict[str, Any]:
        """The part of ``dtmodel compare --json`` that this is."""
        return {
            "cases": [{"bursts": M, "steady": N} for M, N in self.cases],
            "durations": [*map(units.plain, self.durations)],
            "alphas": [*map(units.plain, ALPHAS)],
            "policies": [
                {"name": row.name, "longest_burst": [*map(_plain, row.longest)], "lost": [*map(_plain, row.lost)],
                 "best_alpha": _plain(row.alpha), "longest_at_best_alpha": _plain(row.worst_at_alpha)}
                for row in self.rows
            ],
            "advice": self.advice,
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class PolicyComparison:
    """The outcomes of all policies for one setting.

    Attributes
    ----------
    setting : PolicySetting
    steady_rate : Fraction
        What each overloaded port is offered, in bytes per second.
    outcomes : tuple of PolicyOutcome

    Examples
    --------
    >>> from dtmodel import Switch, compare
    >>> made = compare(Switch(8, "1 MB", "1 Gbps"), steady=2, burst_rate="2 Gbps", among=["DT", "EDT"])
    >>> [outcome.name for outcome in made.outcomes]
    ['DT', 'EDT']
    """

    setting: PolicySetting
    steady_rate: Fraction
    outcomes: tuple[PolicyOutcome, ...]

    def __getitem__(self, name: str) -> PolicyOutcome:
        """Return the outcome of the policy called `name`."""
        found = {policies.spelt(outcome.name): outcome for outcome in self.outcomes}
        if policies.spelt(name) not in found:
            choice(name, "policy", tuple(outcome.name for outcome in self.outcomes))
        return found[policies.spelt(name)]

    @cached_property
    def spread(self) -> BurstSpread:
        """The policies over the M of this setting and 1 (or 4), the N of it (or 2) and 0, and four durations."""
        s = self.setting
        numbers = {s.bursts, 1 if s.bursts > 1 else 4}, {0, s.steady or 2}
        cases = tuple((M, N) for M in sorted(numbers[0]) for N in sorted(numbers[1]) if s.ports >= M + N)
        rows = [_spread(o, s, cases, self.steady_rate) for o in self.outcomes if o.run is not None]
        return BurstSpread(cases, tuple(span * s.duration for span in _SPANS), tuple(rows))

    @property
    def title(self) -> str:
        """One sentence that says what is compared."""
        s = self.setting
        bursts = "a burst" if s.bursts == 1 else f"{s.bursts} bursts"
        busy = f"{s.steady} overloaded" if s.steady else "no overloaded"
        ports = "port" if s.steady == 1 else "ports"
        return (
            f"{Switch(s.ports, s.buffer, s.rate)}; {bursts} of {units.show_rate(s.burst_rate)} for "
            f"{_shown(units.show_seconds, s.duration)} beside {busy} {ports}"
        )

    def table(self) -> Cells:
        """The table for people: its title, headings and rows."""
        return Cells(self.title, _HEADINGS, tuple(outcome.cells() for outcome in self.outcomes))

    def numbers(self) -> Cells:
        """The table without what `says` writes under it."""
        return self.table().without("settings", "note", "claim").without_empty()

    def says(self) -> dict[str, str]:
        """By policy what it is set to, the claim of its first drop, and its note: of those that have any."""
        found = {
            o.name: "; ".join(filter(None, (o.settings, o.claim and f"first drop: {o.claim}", o.note)))
            for o in self.outcomes
        }
        return {name: text for name, text in found.items() if text}

    def document(self) -> dict[str, Any]:
        """What ``dtmodel compare --json`` prints: exact fractions in base units."""
        s = self.setting
        rates = {"burst_rate": s.burst_rate, "duration": s.duration, "steady_rate": self.steady_rate, "alpha": s.alpha}
        return {
            "switch": {"ports": s.ports, "buffer": units.plain(s.buffer), "rate": units.plain(s.rate)},
            "scenario": {"bursts": s.bursts, "steady": s.steady} | {k: units.plain(v) for k, v in rates.items()},
            "policies": [
                {"name": o.name, "settings": o.settings}
                | {name: _plain(getattr(o, name)) for name in _UNITS}
                | {"claim": o.claim or None, "note": o.note}
                for o in self.outcomes
            ],
            "spread": self.spread.document(),
        }

    def csv(self) -> str:
        """What ``dtmodel compare --csv`` prints: a row for each policy, numbers as decimals in base units."""
        headings = [f"{name} ({unit})" if unit else name for name, unit in _UNITS.items()]
        cases = [f"longest_burst, M = {M}, N = {N} (s)" for M, N in self.spread.cases]
        lost = [f"share lost in {decimal_text(duration)} s" for duration in self.spread.durations]
        others = {row.name: [*row.longest, *row.lost, row.alpha] for row in self.spread.rows}
        none = [None] * (len(cases) + len(lost) + 1)
        rows = [
            [o.name, o.settings, *(_decimal(getattr(o, name)) for name in _UNITS), o.claim, o.note,
             *map(_decimal, others.get(o.name, none))]
            for o in self.outcomes
        ]  # fmt: skip
        return csv_of(["policy", "settings", *headings, "claim", "note", *cases, *lost, "best_alpha"], rows)

    def plot(self) -> Any:
        """Draw each policy's run in a picture of its own, all to one scale; returns a matplotlib figure."""
        from dtmodel import plot

        return plot.policy_panels(self.title, [(o.name, o.run) for o in self.outcomes if o.run], self.setting)

    def markdown(self) -> str:
        """What ``dtmodel compare --markdown`` prints: both tables, and the advice."""
        told = [self.table().without_empty().markdown(), self.spread.table().without_empty().markdown()]
        return "\n\n".join([*told, self.spread.advice])

    def __repr__(self) -> str:
        return self.markdown()

    def _repr_html_(self) -> str:
        rows = (f"<li>{escape(name)}: {escape(text)}</li>" for name, text in self.says().items())
        spread = f"{self.spread.table().html()}<p>{escape(self.spread.advice)}</p>"
        return f"{self.numbers().html()}<ul>{''.join(rows)}</ul>{spread}"

    def _repr_latex_(self) -> str:
        return f"$${self.table().without_empty().latex()}$$"


def compare(
    switch: Switch,
    *,
    steady: int = 0,
    bursts: int = 1,
    burst_rate: Quantity | None = None,
    duration: Quantity | None = None,
    steady_rate: Quantity | None = None,
    alpha: Quantity = 1,
    among: Sequence[str | type[Policy]] | None = None,
) -> PolicyComparison:
    """Compare the policies on one switch, by bursts that reach empty ports together beside overloaded ones.

    Parameters
    ----------
    switch : Switch
        Ports, buffer and rate.
    steady, bursts : int
        N overloaded ports, which are in steady state when the bursts begin, and M >= 1 ports with bursts.
    burst_rate, duration : quantity, optional
        The rate R of each burst, by default 2 C, and how long it lasts, by default as long as one burst alone takes to
        fill the buffer, B / (R - C), and B / C if it does not.
    steady_rate : quantity, optional
        What each overloaded port is offered, at least C; by default 2 C.
    alpha : quantity
        The control parameter of those policies that have one like DT's.
    among : sequence of str or type, optional
        The policies, by name (`dtmodel.policies.find` says how it is spelt) or as classes; by default all.

    Raises
    ------
    InputError
        If a value is not accepted, or there are more bursts and overloaded ports than ports.

    Examples
    --------
    >>> switch = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
    >>> both = compare(switch, steady=2, burst_rate="2 Gbps", among=["DT", "EDT"])
    >>> [(outcome.name, str(outcome.longest_burst), outcome.claim) for outcome in both.outcomes]
    [('DT', '1/500', 'edt.ours.theorem1'), ('EDT', '1/125', 'edt.ours.drop-time')]
    """
    B, C = checked_switch(switch).buffer, switch.rate
    M, N = units.count(bursts, "bursts", least=1), units.count(steady, "steady")
    if switch.ports < M + N:
        raise InputError("bursts + steady", M + N, f"at most {switch.ports}, the number of ports")
    budgets.keep_within("events", M + N, "bursts + steady")
    R = 2 * C if burst_rate is None else units.rate(burst_rate, "burst_rate", positive=True)
    fill = B / (R - C) if R > C else B / C
    d = fill if duration is None else units.seconds(duration, "duration", positive=True)
    offered = 2 * C if steady_rate is None else units.rate(steady_rate, "steady_rate", positive=True)
    if offered < C:
        raise InputError("steady_rate", steady_rate, f"at least the rate of the port, {units.show_rate(C)}")
    setting = PolicySetting(switch.ports, B, C, M, N, R, d, units.number(alpha, "alpha", positive=True))
    chosen = policies.classes().values() if among is None else units.sequence(among, "among", least=1)
    ways = [(name, way) for name in chosen for way in policies.configured(name, setting, "among")]
    outcomes = [_outcome(_kind(name), way, setting, offered) for name, way in ways]
    return PolicyComparison(setting, offered, tuple(outcomes))


def _kind(name: Any) -> type[Policy]:
    return name if isinstance(name, type) else policies.find(name)[1]


def _outcome(kind: type[Policy], way: Configured, setting: PolicySetting, offered: Fraction) -> PolicyOutcome:
    faster = setting.burst_rate > setting.rate
    names = (way.name, way.settings, way.claim if faster else "", way.note)
    if way.policy is None:
        return PolicyOutcome(*names)
    if why := way.policy.unbounded(setting.buffer, setting.queues):
        return PolicyOutcome(
            *names[:3], f"packets only: the fluid model expects {why.removeprefix('for the fluid model ')}"
        )
    d, M = setting.duration, setting.bursts
    run = _recovered(way, setting, offered)
    first = _first(run, M)
    lost = sum((run.dropped(port) for port in range(M)), Fraction(0))
    lengths = [queue.at(d) for queue in run.queues]
    return PolicyOutcome(
        *names,
        kind=kind,
        run=run,
        free_before=run.free.at(Fraction(0)),
        first_drop=first,
        free_at_first_drop=None if first is None else run.free.at(first),
        longest_burst=_longest(way, setting, offered, first),
        absorbed=M * setting.burst_rate * d - lost,
        lost=lost,
        fairness=_jain(lengths),
        recovery=_recovery(run, d),
    )


def _run(
    way: Configured, setting: PolicySetting, offered: Fraction, until: Fraction, *, endless: bool
) -> Run[Fraction]:
    assert way.policy is not None
    burst = Arrivals.constant(setting.burst_rate) if endless else Arrivals.burst(setting.burst_rate, setting.duration)
    M, n = setting.bursts, setting.queues
    return simulate(
        Switch(setting.ports, setting.buffer, setting.rate),
        way.policy,
        {port: burst if port < M else Arrivals.constant(offered) for port in range(n)},
        initial=dict.fromkeys(range(M, n), "steady" if way.held is None else way.held),
        until=until,
    )


def _spread(
    outcome: PolicyOutcome, setting: PolicySetting, cases: Sequence[tuple[int, int]], offered: Fraction
) -> PolicySpread:
    """Run a policy in every case, set with the alpha of the setting and, if it has one, with each of `ALPHAS`."""
    row = _over(outcome, setting, cases, offered)
    first, second = (vars(_way(outcome, replace(setting, alpha=alpha)).policy) for alpha in ALPHAS[:2])
    if first == second:
        return row
    others = ((alpha, _over(outcome, replace(setting, alpha=alpha), cases, offered).worst) for alpha in ALPHAS)
    each = [(setting.alpha, row.worst), *others]  # the first of those that are equally good
    alpha, worst = max(each, key=lambda one: inf if one[1] is None else one[1])
    return replace(row, alpha=alpha, worst_at_alpha=worst)


def _way(outcome: PolicyOutcome, setting: PolicySetting) -> Configured:
    assert outcome.kind is not None
    return next(way for way in outcome.kind.for_switch(setting) if way.name == outcome.name)


def _over(
    outcome: PolicyOutcome, setting: PolicySetting, cases: Sequence[tuple[int, int]], offered: Fraction
) -> PolicySpread:
    """Run a policy in every case, set with the alpha of the setting."""
    B, C, R, times = setting.buffer, setting.rate, setting.burst_rate, [span * setting.duration for span in _SPANS]
    longest, shares = list[Fraction | None](), list[list[Fraction]]()
    for M, N in cases:
        here = replace(setting, bursts=M, steady=N)
        until = max(times[-1], 2 * B / (R - C)) if R > C else times[-1]
        run = _run(_way(outcome, here), here, offered, until, endless=True)
        longest.append(_first(run, M))
        shares.append([sum(run.queue(port).dropped(time) for port in range(M)) / (M * R * time) for time in times])
    return PolicySpread(outcome.name, outcome.claim, tuple(longest), tuple(map(mean, zip(*shares, strict=True))))


def _recovered(way: Configured, setting: PolicySetting, offered: Fraction) -> Run[Fraction]:
    """Run until all queues are as before the bursts, or for 16 B / C after them."""
    for times in (4, 16):
        run = _run(way, setting, offered, setting.duration + times * setting.buffer / setting.rate, endless=False)
        if _recovery(run, setting.duration) is not None:
            break
    return run


def _first(run: Run[Fraction], bursts: int) -> Fraction | None:
    drops = (run.first_drop(port) for port in range(bursts))
    return min((drop for drop in drops if drop is not None), default=None)


def _longest(way: Configured, setting: PolicySetting, offered: Fraction, first: Fraction | None) -> Fraction | None:
    """When bursts that never end lose their first byte: no policy knows beforehand when a burst will end."""
    if first is not None and first < setting.duration:
        return first
    if setting.burst_rate <= setting.rate:
        return None
    until = 2 * setting.buffer / (setting.burst_rate - setting.rate)
    return _first(_run(way, setting, offered, until, endless=True), setting.bursts)


def _jain(lengths: Sequence[Fraction]) -> Fraction | None:
    from dtmodel.theory.threshold_family import fairness

    return fairness(lengths) if any(lengths) else None


def _recovery(run: Run[Fraction], end: Fraction) -> Fraction | None:
    """How long after `end` every queue has its first length and keeps it until the end of the run."""
    last = max(_settled(run, index) for index in range(len(run.queues)))
    return None if last >= run.until else max(last - end, Fraction(0))


def _settled(run: Run[Fraction], index: int) -> Fraction:
    """The instant from which on a queue has the length that it began with."""
    queue = run.queues[index]
    return max(_departures([(time, queue.at(time)) for time in queue.breakpoints]), default=Fraction(0))


def _departures(points: Sequence[tuple[Fraction, Fraction]]) -> Iterator[Fraction]:
    """The ends of the pieces on which a length is not all the time what it was at first."""
    start = points[0][1]
    for (_, before), (end, after) in pairwise(points):
        if before != start or after != start:
            yield end


def _plain(value: Fraction | None) -> str | None:
    return None if value is None else units.plain(value)


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.1f} %"


def _decimal(value: Fraction | None) -> str | None:
    return None if value is None else decimal_text(value)


def _shown(show: Any, value: Fraction | None, nothing: str = "") -> str:
    """Write a quantity for a person, to four digits: its exact form is in the JSON answer."""
    if value is None:
        return nothing
    rounded = Fraction(f"{Decimal(value.numerator) / Decimal(value.denominator):.4g}")  # a float would overflow
    return units.brief(show(rounded))
