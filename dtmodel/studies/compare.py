"""Compare all policies on one switch and one scenario: ``compare(switch, steady=2, burst_rate="4 Gbps")``.

N ports are steady: overloaded, their queues on the threshold. At time 0 bursts of one rate reach M empty ports. Each
policy sets its parameters for the switch (`dtmodel.policies.Policy.for_switch`), and the exact engine runs it; a spread
of other M, N and durations shows its losses for bursts other than those for which it was set.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from html import escape
from itertools import pairwise
from typing import Any

from dtmodel import policies
from dtmodel.base import budgets, units
from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError
from dtmodel.base.tables import Cells, csv_of, decimal_text
from dtmodel.base.units import Quantity
from dtmodel.fluid import Run
from dtmodel.fluid.switch import Switch, checked_switch
from dtmodel.policies import Configured, Policy, PolicySetting
from dtmodel.studies.spread import (
    SPANS,
    BurstSpread,
    PolicySpread,
    first_drop,
    plain_or_none,
    run_bursts,
    shown,
    spread_of,
)  # fmt: skip

__all__ = ["BurstSpread", "Cells", "PolicyComparison", "PolicyOutcome", "PolicySpread", "compare"]

_HEADINGS = (
    "policy", "settings", "free before", "first drop", "free then", "lossless up to", "absorbed", "lost",
    "fairness", "recovery", "claim", "note",
)  # fmt: skip


@dataclass(frozen=True)
class PolicyOutcome:
    """The results of the bursts under one policy; without a run if the fluid model cannot run it.

    - `name`, `settings`, `claim`, `note`: as in `dtmodel.policies.Configured`; `claim` is empty if the bursts are not
      faster than their ports, or the ports have several rates.
    - `kind` (type or None): the class of the policy; None without a run.
    - `run` (Run or None): the run, in which queues 0 to M - 1 are those of the bursts; None if the fluid model cannot
      run the policy, for the reason in `note`.
    - `free_before`: the free buffer when the bursts begin, in bytes.
    - `first_drop`, `free_at_first_drop`: the first drop of the bursts in seconds, and the free buffer then in bytes;
      None if they lose nothing.
    - `longest_burst`: the longest duration without loss of bursts of this rate, in seconds; None if it is unlimited.
    - `absorbed`, `lost`: the admitted and the lost bytes of all bursts together.
    - `fairness`: Jain's index of all M + N queues at the end of the bursts: 1 if they are equally long; None if all are
      empty.
    - `recovery`: the time in seconds after the bursts until every queue has its earlier length for good; None if above
      16 B / C.

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

    def way(self, setting: PolicySetting) -> Configured:
        """The policy with its parameters for a `setting`."""
        assert self.kind is not None
        return next(way for way in self.kind.for_switch(setting) if way.name == self.name)

    def cells(self) -> tuple[str, ...]:
        """The row of the table for people."""
        numbers = [shown(getattr(self, name), unit, nothing) for name, (unit, nothing) in _NUMBERS.items()]
        found = numbers if self.absorbed is not None else [""] * len(numbers)
        return (self.name, self.settings, *found, self.claim, self.note)


_NUMBERS = {
    "free_before": ("bytes", ""), "first_drop": ("s", "none"), "free_at_first_drop": ("bytes", ""),
    "longest_burst": ("s", "any"), "absorbed": ("bytes", ""), "lost": ("bytes", ""), "fairness": ("", ""),
    "recovery": ("s", "not seen"),
}  # fmt: skip
"""The numbers of an outcome, each with its unit, and the word that stands for None in tables."""


@dataclass(frozen=True, repr=False)
class PolicyComparison:
    """The outcomes of all policies for one setting.

    - `setting`: a `PolicySetting`.
    - `steady_rate`: the arrival rate of each steady port, in bytes per second.
    - `outcomes` (tuple of PolicyOutcome): one for each policy.

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
        """The policies with M and with 1 (or 4) bursts, with N (or 2) and with 0 steady queues, and four durations."""
        s = self.setting
        numbers = {s.bursts, 1 if s.bursts > 1 else 4}, {0, s.steady or 2}
        cases = tuple((M, N) for M in sorted(numbers[0]) for N in sorted(numbers[1]) if s.ports >= M + N)
        rows = [
            spread_of(o.name, o.claim, o.way, s, cases, self.steady_rate) for o in self.outcomes if o.run is not None
        ]
        return BurstSpread(cases, tuple(span * s.duration for span in SPANS), tuple(rows))

    @property
    def title(self) -> str:
        """A description of the comparison."""
        s = self.setting
        bursts = "a burst" if s.bursts == 1 else f"{s.bursts} bursts"
        busy = f"{s.steady} steady" if s.steady else "no steady"
        ports = "port" if s.steady == 1 else "ports"
        return (
            f"{Switch(s.ports, s.buffer, s.rates or s.rate)}; {bursts} of {units.show_rate(s.burst_rate)} for "
            f"{shown(s.duration)} beside {busy} {ports}"
        )

    def table(self) -> Cells:
        """The table for people: its title, headings and rows."""
        return Cells(self.title, _HEADINGS, tuple(outcome.cells() for outcome in self.outcomes))

    def numbers(self) -> Cells:
        """The table without the columns that `says` returns."""
        return self.table().without("settings", "note", "claim").without_empty()

    def says(self) -> dict[str, str]:
        """The parameters, the claim of the first drop and the note of each policy, if it has any."""
        found = {
            o.name: "; ".join(filter(None, (o.settings, o.claim and f"first drop: {o.claim}", o.note)))
            for o in self.outcomes
        }
        return {name: text for name, text in found.items() if text}

    def document(self) -> dict[str, Any]:
        """The answer of ``dtmodel compare --json``: exact fractions in base units."""
        s = self.setting
        rates = {"burst_rate": s.burst_rate, "duration": s.duration, "steady_rate": self.steady_rate, "alpha": s.alpha}
        return {
            "switch": {
                "ports": s.ports,
                "buffer": units.plain(s.buffer),
                "rate": ",".join(map(units.plain, s.rates or [s.rate])),
            },
            "scenario": {"bursts": s.bursts, "steady": s.steady} | {k: units.plain(v) for k, v in rates.items()},
            "policies": [
                {"name": o.name, "settings": o.settings}
                | {name: plain_or_none(getattr(o, name)) for name in _NUMBERS}
                | {"claim": o.claim or None, "note": o.note}
                for o in self.outcomes
            ],
            "spread": self.spread.document(),
        }

    def csv(self) -> str:
        """The output of ``dtmodel compare --csv``: a row for each policy, numbers as decimals in base units."""
        headings = [f"{name} ({unit})" if unit else name for name, (unit, _) in _NUMBERS.items()]
        cases = [f"longest_burst, M = {M}, N = {N} (s)" for M, N in self.spread.cases]
        lost = [f"share lost in {decimal_text(duration)} s" for duration in self.spread.durations]
        others = {row.name: [*row.longest, *row.lost, row.alpha] for row in self.spread.rows}
        none = [None] * (len(cases) + len(lost) + 1)
        rows = [
            [o.name, o.settings, *(_decimal(getattr(o, name)) for name in _NUMBERS), o.claim, o.note,
             *map(_decimal, others.get(o.name, none))]
            for o in self.outcomes
        ]  # fmt: skip
        return csv_of(["policy", "settings", *headings, "claim", "note", *cases, *lost, "best_alpha"], rows)

    def plot(self) -> Any:
        """Draw the run of each policy in a panel of its own, all to one scale, in a matplotlib figure."""
        from dtmodel import plot

        return plot.policy_panels(self.title, [(o.name, o.run) for o in self.outcomes if o.run], self.setting)

    def markdown(self) -> str:
        """The output of ``dtmodel compare --markdown``: both tables, and the advice."""
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
    """Compare the policies on one switch, with bursts that reach empty ports together beside steady ones.

    Parameters
    ----------
    switch : Switch
        Ports, buffer and rate; if ports have several rates, bursts reach the first M ports, and the next N are steady.
    steady, bursts : int
        N steady ports: overloaded, their queues on the threshold when the bursts begin, and M >= 1 ports with bursts.
    burst_rate, duration : quantity, optional
        The rate R of each burst, by default 2 C, and its duration, by default the time in which one burst alone fills
        the buffer, B / (R - C), or B / C if it does not.
    steady_rate : quantity, optional
        The arrival rate of each steady port, at least C; by default 2 C.
    alpha : quantity
        The control parameter of policies that have one like DT's.
    among : sequence of str or type, optional
        Policies, as classes or as names that `dtmodel.policies.find` accepts; by default all that have `for_switch`.

    Raises
    ------
    InputError
        If a value is not accepted, or there are more bursts and steady ports than ports.

    Examples
    --------
    >>> switch = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
    >>> both = compare(switch, steady=2, burst_rate="2 Gbps", among=["DT", "EDT"])
    >>> [(outcome.name, str(outcome.longest_burst), outcome.claim) for outcome in both.outcomes]
    [('DT', '1/500', 'edt.ours.theorem1'), ('EDT', '1/125', 'edt.ours.drop-time')]
    """
    B, rates = checked_switch(switch).buffer, switch.speeds if len(switch.speeds) > 1 else ()
    M, N = units.count(bursts, "bursts", least=1), units.count(steady, "steady")
    if switch.ports < M + N:
        raise InputError("bursts + steady", M + N, f"at most {switch.ports}, the number of ports")
    budgets.keep_within("events", M + N, "bursts + steady")
    C = min(rates[:M]) if rates else switch.rate
    R = 2 * C if burst_rate is None else units.rate(burst_rate, "burst_rate", positive=True)
    fill = B / (R - C) if R > C else B / C
    d = fill if duration is None else units.seconds(duration, "duration", positive=True)
    most = max(rates, default=C)
    offered = 2 * most if steady_rate is None else units.rate(steady_rate, "steady_rate", positive=True)
    if offered < most:
        raise InputError("steady_rate", steady_rate, f"at least the rate of the port, {units.show_rate(most)}")
    setting = PolicySetting(switch.ports, B, C, M, N, R, d, units.number(alpha, "alpha", positive=True), rates)
    settable = (kind for kind in policies.classes().values() if not kind.by_name and kind.for_switch(setting))
    chosen = [*settable] if among is None else units.sequence(among, "among", least=1)
    ways = [(name, way) for name in chosen for way in policies.configured(name, setting, "among")]
    kinds = (name if isinstance(name, type) else policies.find(name)[1] for name, _ in ways)
    outcomes = [_outcome(kind, way, setting, offered) for kind, (_, way) in zip(kinds, ways, strict=True)]
    return PolicyComparison(setting, offered, tuple(outcomes))


def _outcome(kind: type[Policy], way: Configured, setting: PolicySetting, offered: Fraction) -> PolicyOutcome:
    faster = setting.burst_rate > setting.rate
    names = (way.name, way.settings, way.claim if faster else "", way.note)
    if setting.rates:  # the settings and the claims of first drops are about ports of one rate
        equal = f"{way.claim} needs ports of one rate; set for {units.show_rate(setting.rate)}" if way.claim else ""
        names = (way.name, way.settings, "", "; ".join(filter(None, (way.note, equal))))
    if way.policy is None:
        return PolicyOutcome(*names, **({} if setting.rates else _expelling(way, setting, offered)))
    if why := way.policy.unbounded(setting.buffer, setting.queues):
        return PolicyOutcome(
            *names[:3], f"packets only: the fluid model expects {why.removeprefix('for the fluid model ')}"
        )
    d, M = setting.duration, setting.bursts
    run = _recovered(way, setting, offered)
    first = first_drop(run, M)
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


def _expelling(way: Configured, setting: PolicySetting, offered: Fraction) -> dict[str, Any]:
    """Return the numbers of an outcome under a policy with ideal expulsion; none of another policy."""
    if (expulsion := way.expulsion) is None:
        return {}
    longest, lengths, d = expulsion.lossless(setting), expulsion.lengths(setting), setting.duration
    drops = longest is not None and longest < d
    absorbed = setting.bursts * (min(setting.burst_rate, setting.rate) * d + lengths[0])
    return {
        "free_before": expulsion.free(setting, Fraction(0)),
        "first_drop": longest if drops else None,
        "free_at_first_drop": expulsion.free(setting, lengths[0]) if drops else None,
        "longest_burst": longest,
        "absorbed": absorbed,
        "lost": setting.bursts * setting.burst_rate * d - absorbed,
        "fairness": _jain(lengths),
        "recovery": expulsion.recovery(setting, offered),
    }


def _recovered(way: Configured, setting: PolicySetting, offered: Fraction) -> Run[Fraction]:
    """Run until every queue has its length before the bursts, or for 16 B / C after them."""
    for times in (4, 16):
        run = run_bursts(way, setting, offered, setting.duration + times * setting.buffer / setting.rate, endless=False)
        if _recovery(run, setting.duration) is not None:
            break
    return run


def _longest(way: Configured, setting: PolicySetting, offered: Fraction, first: Fraction | None) -> Fraction | None:
    """Return the first drop of bursts without end, which no policy can distinguish from bursts that will end."""
    if first is not None and first < setting.duration:
        return first
    if setting.burst_rate <= setting.rate:
        return None
    until = 2 * setting.buffer / (setting.burst_rate - setting.rate)
    return first_drop(run_bursts(way, setting, offered, until, endless=True), setting.bursts)


def _jain(lengths: Sequence[Fraction]) -> Fraction | None:
    from dtmodel.theory.threshold_family import fairness

    return fairness(lengths) if any(lengths) else None


def _recovery(run: Run[Fraction], end: Fraction) -> Fraction | None:
    """Return the time after `end` from which on every queue has its initial length until the end of the run."""
    last = max(_settled([(time, queue.at(time)) for time in queue.breakpoints]) for queue in run.queues)
    return None if last >= run.until else max(last - end, Fraction(0))


def _settled(points: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """Return the instant from which on a length has its initial value."""
    start = points[0][1]
    pieces = pairwise(points)
    return max((end for (_, before), (end, after) in pieces if not before == start == after), default=Fraction(0))


def _decimal(value: Fraction | None) -> str | None:
    return None if value is None else decimal_text(value)
