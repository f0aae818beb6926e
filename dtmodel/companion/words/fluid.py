"""The vocabulary of the fluid model: groups of queues, runs under a policy, and observables.

The words take ``B`` and ``C`` of the statement as buffer and port rate, unless keywords set them; queues count from 1.
An event that does not happen within the run has the time ``never``.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from inspect import Parameter as Argument
from inspect import Signature
from itertools import pairwise
from string import Formatter
from typing import Any, TypeVar

from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.expressions import Never, Undefined, never
from dtmodel.fluid import Run, run_scenario
from dtmodel.fluid.scenario import QueueScenario, Scenario
from dtmodel.fluid.switch import Arrivals, Switch
from dtmodel.policies import Policy, PolicyParameter

__all__ = ["FLUID", "FluidRun", "policy_word"]

Time = Fraction | Never


@dataclass(frozen=True)
class _Offered:
    """A queue of a statement; without a `rate` it is served at the port rate C."""

    arrivals: Arrivals
    initial: Fraction | None
    rate: Fraction | None

    def served(self, rate: Fraction) -> QueueScenario:
        """Return the queue of a scenario whose ports have this rate."""
        return QueueScenario(self.arrivals, self.initial, Fraction(rate) if self.rate is None else self.rate)


class FluidRun:
    """A finished run of the exact fluid engine, for the observables of statements."""

    def __init__(self, run: Run[Fraction]) -> None:
        self.run = run

    def queue(self, number: Fraction) -> Any:
        """Return the trajectory of queue `number`, counted from 1."""
        if number.denominator != 1 or not 1 <= number <= len(self.run.queues):
            raise InputError("queue", number, f"a queue from 1 to {len(self.run.queues)}")
        return self.run.queues[int(number) - 1]

    @cached_property
    def breakpoints(self) -> list[Fraction]:
        """The sorted instants between which all lengths, thresholds and the free buffer are linear."""
        times = {*self.run.free.times, *(time for queue in self.run.queues for time in queue.breakpoints)}
        return sorted(times | {begin for queue in self.run.queues for begin, _, _ in queue.limits})

    def after(self, time: Fraction) -> Fraction:
        """Return a later instant up to which the run is linear from `time` on."""
        place = bisect_right(self.breakpoints, time)
        if place == len(self.breakpoints):
            raise InputError("time", time, f"a time before {self.run.until}, where the run ends")
        return (time + self.breakpoints[place]) / 2

    def before(self, time: Fraction) -> Fraction:
        """Return an earlier instant from which the run is linear up to `time`."""
        place = bisect_left(self.breakpoints, time)
        if place == 0:
            raise InputError("time", time, "a time after 0")
        return (time + self.breakpoints[place - 1]) / 2


_Word = TypeVar("_Word", bound=Callable[..., Any])


def _needs_scope(word: _Word) -> _Word:
    word.needs_scope = True  # type: ignore[attr-defined]  # the evaluator of statements reads this attribute
    return word


@dataclass(frozen=True)
class Phrase:
    """The LaTeX template for a call of a function, and a second one for calls that omit the last argument."""

    template: str
    without_last: str

    @property
    def words(self) -> bool:
        """True if the template contains English words, as in ``M bursts at R``."""
        return r"\text" in self.template

    @property
    def _places(self) -> int:
        return 1 + max(int(name) for _, name, _, _ in Formatter().parse(self.template) if name)

    def takes(self, count: int) -> bool:
        """Return True if one of the templates has exactly `count` places."""
        return count == self._places or (count == self._places - 1 and bool(self.without_last))

    def __call__(self, *slots: object) -> str:
        return (self.without_last if len(slots) < self._places else self.template).format(*slots)


def says(template: str, without_last: str = "") -> Callable[[_Word], _Word]:
    """Attach LaTeX to a function; ``{0:atom}`` is an argument in parentheses unless it is a symbol or a number."""

    def mark(word: _Word) -> _Word:
        word.phrase = Phrase(template, without_last)  # type: ignore[attr-defined]  # read by the writer
        return word

    return mark


@says(r"{0} \text{{ bursts at }} {1} \text{{ for }} {2}", r"{0} \text{{ lasting bursts at }} {1}")
def bursts(count: Fraction, rate: Fraction, duration: Time = never) -> list[_Offered]:
    """Return empty queues with arrivals at `rate` from 0 to `duration`."""
    return [_queue(Fraction(0), _burst(Fraction(0), rate, duration)) for _ in range(_count(count))]


@says(r"\text{{bursts at }} {0} \text{{ for }} {1}", r"\text{{lasting bursts at }} {0}")
def each_burst(rates: Sequence[Fraction], durations: Time | Sequence[Time] = never) -> list[_Offered]:
    """Return one empty queue for each rate, with a burst of this rate from 0 on; `durations` may be a list, too."""
    ends = durations if isinstance(durations, list) else [durations] * len(rates)
    if len(ends) != len(rates):
        raise InputError("durations", len(ends), f"one for each of the {len(rates)} rates")
    return [_queue(Fraction(0), _burst(Fraction(0), r, end)) for r, end in zip(rates, ends, strict=True)]


@says(
    r"{0} \text{{ bursts at }} {1} \text{{ from }} {2} \text{{ to }} {3}",
    r"{0} \text{{ lasting bursts at }} {1} \text{{ from }} {2}",
)
def late(count: Fraction, rate: Fraction, begin: Fraction, end: Time = never) -> list[_Offered]:
    """Return empty queues with arrivals at `rate` from `begin` to `end`."""
    return [_queue(Fraction(0), _burst(begin, rate, end)) for _ in range(_count(count))]


@says(r"{0} \text{{ steady queues at }} {1}")
def steady(count: Fraction, rate: Fraction | Sequence[Sequence[Fraction]]) -> list[_Offered]:
    """Return queues that are steady at time 0, with unending arrivals at `rate`, or at rates in pairs [time, rate]."""
    rates: Any = rate if isinstance(rate, list) else [[Fraction(0), rate]]
    return [_queue(None, [(begin, value) for begin, value in rates]) for _ in range(_count(count))]


def queue(initial: Fraction | str, *arrivals: Sequence[Fraction], rate: Fraction | None = None) -> list[_Offered]:
    """Return one queue: its length at 0 or "steady", arrivals as pairs [time, rate], and a port rate other than C."""
    if isinstance(initial, str) and initial != "steady":
        raise InputError("initial", initial, 'a length or "steady"')
    return [_queue(None if isinstance(initial, str) else initial, [(pair[0], pair[1]) for pair in arrivals], rate)]


def flow(count: Fraction, rates: Sequence[Sequence[Fraction]]) -> list[_Offered]:
    """Return empty queues with a varying arrival rate, given as pairs [time, rate]."""
    return [_queue(Fraction(0), [(pair[0], pair[1]) for pair in rates]) for _ in range(_count(count))]


@says(r"(\int_{{{1}}}^{{{2}}} {0})")
def integral(rates: Sequence[Sequence[Fraction]], begin: Fraction, end: Fraction) -> Fraction:
    """Return the bytes that arrive from `begin` to `end`, for a rate given as pairs [time, rate]."""
    ends = [*(pair[0] for pair in rates[1:]), max(end, rates[-1][0])]
    parts = ((max(begin, pair[0]), min(end, last), pair[1]) for pair, last in zip(rates, ends, strict=True))
    return sum((rate * (stop - start) for start, stop, rate in parts if stop > start), Fraction(0))


def roots(
    rates: Sequence[Sequence[Fraction]], factor: Fraction, drain: Fraction, level: Fraction, begin: Fraction
) -> list[Fraction]:
    """Return the roots t >= begin of factor * integral of the rate to t - drain * t == level; ends for intervals."""
    return _levels(rates, factor, drain, level, begin)[0]


def exceeds(
    rates: Sequence[Sequence[Fraction]], factor: Fraction, drain: Fraction, level: Fraction, begin: Fraction
) -> Time:
    """Return the infimum of the times after begin with factor * integral of the rate to t - drain * t > level."""
    return _levels(rates, factor, drain, level, begin)[1]


def policy_word(kind: type[Policy]) -> Callable[..., FluidRun]:
    """Return the word that runs queues under a policy: its arguments are ``queues``, ``until`` and the parameters.

    Indices count from 1; a parameter that is never has no value. ``B`` and ``C`` set the switch.
    """
    own = [Argument(p.word, Argument.POSITIONAL_OR_KEYWORD, default=_default(p)) for p in kind.parameters]
    fixed = [Argument(name, Argument.POSITIONAL_OR_KEYWORD) for name in ("queues", "until")]
    switch = [Argument(name, Argument.KEYWORD_ONLY, default=None) for name in ("B", "C", "scope")]
    signature = Signature([*fixed, *sorted(own, key=lambda each: each.default is not Argument.empty), *switch])

    def word(*arguments: Any, **named: Any) -> FluidRun:
        given = signature.bind(*arguments, **named)
        given.apply_defaults()
        values = given.arguments
        queues, until, B, C, scope = (values[name] for name in ("queues", "until", "B", "C", "scope"))
        listed = list(_flat(queues))
        policy = kind.of({p.name: _spoken(p, values[p.word], len(listed)) for p in kind.parameters})
        return _run(listed, until, policy, B or scope["B"], C or scope["C"])

    word.__signature__ = signature  # type: ignore[attr-defined]  # read where claims are read
    return _needs_scope(word)


def _default(parameter: PolicyParameter) -> Any:
    if parameter.default is MISSING:
        return Argument.empty
    return 1 + parameter.default if parameter.unit == "index" else parameter.default


def _spoken(parameter: PolicyParameter, value: Any, queues: int) -> Any:
    """Return the value of a parameter as the policy takes it; one value stands for each queue."""
    if parameter.many == "each" and not isinstance(value, list):
        value = [value] * queues
    if parameter.unit == "index":
        return [number - 1 for number in value]
    if isinstance(value, list):
        return [None if isinstance(each, Never) else each for each in value]
    return None if isinstance(value, Never) else value


@says(r"t^{{\mathrm{{drop}}}}_{{{1}}}({0})")
def drop(run: FluidRun, number: Fraction) -> Time:
    """Return the time of the first drop of a queue."""
    time: Fraction | None = run.queue(number).first_drop
    return never if time is None else time


@says(r"t^{{\mathrm{{full}}}}({0})")
def full(run: FluidRun) -> Time:
    """Return the first time at which the buffer is full."""
    return next((time for time in run.run.free.times if run.run.free.at(time) == 0), never)


@says(r"F_{{{0}}}({1})")
def free(run: FluidRun, time: Fraction) -> Fraction:
    """Return the free buffer at a time."""
    return run.run.free.at(time)


@says(r"Q^{{{0}}}_{{{1}}}({2})")
def length(run: FluidRun, number: Fraction, time: Fraction) -> Fraction:
    """Return the length of a queue at a time."""
    value: Fraction = run.queue(number).at(time)
    return value


@says(r"T^{{{0}}}_{{{1}}}({2})")
def threshold(run: FluidRun, number: Fraction, time: Fraction) -> Fraction:
    """Return the threshold of a queue just after a time."""
    value: Fraction = run.queue(number).threshold_at(time)
    return value


@says(r"\mathrm{{lost}}^{{{0}}}_{{{1}}}({2})", r"\mathrm{{lost}}^{{{0}}}_{{{1}}}")
def lost(run: FluidRun, number: Fraction, until: Fraction | None = None) -> Fraction:
    """Return the bytes that a queue loses up to a time, or in the whole run."""
    value: Fraction = run.queue(number).dropped(until)
    return value


@says(r"\mathrm{{sent}}^{{{0}}}_{{{1}}}({2})", r"\mathrm{{sent}}^{{{0}}}_{{{1}}}")
def sent(run: FluidRun, number: Fraction, until: Fraction | None = None) -> Fraction:
    """Return the bytes that a queue sends up to a time, or in the whole run."""
    value: Fraction = run.queue(number).drained(until)
    return value


@says(r"{{Q^{{{0}}}_{{{1}}}}}^{{\prime}}({2:atom}^{{+}})")
def growth(run: FluidRun, number: Fraction, time: Fraction) -> Fraction:
    """Return the growth rate of a queue just after a time."""
    later = run.after(time)
    return (length(run, number, later) - length(run, number, time)) / (later - time)


@says(r"F_{{{0}}}^{{\prime}}({1:atom}^{{+}})")
def free_growth(run: FluidRun, time: Fraction) -> Fraction:
    """Return the growth rate of the free buffer just after a time."""
    later = run.after(time)
    return (free(run, later) - free(run, time)) / (later - time)


@says(r"{{T^{{{0}}}_{{{1}}}}}^{{\prime}}({2:atom}^{{+}})")
def threshold_growth(run: FluidRun, number: Fraction, time: Fraction) -> Fraction:
    """Return the growth rate of a threshold just after a time."""
    later = run.after(time)
    return (threshold(run, number, later) - threshold(run, number, time)) / (later - time)


@says(r"\mathrm{{offered}}^{{{0}}}_{{{1}}}({2})")
def offered(run: FluidRun, number: Fraction, until: Fraction) -> Fraction:
    """Return the bytes that arrive at a queue up to a time."""
    run.queue(number)
    arrivals = run.run.scenario.queues[int(number) - 1].arrivals
    steps = [(time, rate) for time, rate in zip(arrivals.times, arrivals.rates, strict=True) if time < until]
    ends = [*(time for time, _ in steps[1:]), until] if steps else []
    return sum((rate * (end - begin) for (begin, rate), end in zip(steps, ends, strict=True)), Fraction(0))


@says(r"{{\mathrm{{lost}}^{{{0}}}_{{{1}}}}}^{{\prime}}({2:atom}^{{+}})")
def losing_rate(run: FluidRun, number: Fraction, time: Fraction) -> Fraction:
    """Return the drop rate of a queue, in bytes per second, just after a time."""
    later = run.after(time)
    return (lost(run, number, later) - lost(run, number, time)) / (later - time)


@says(r"\mathrm{{next}}_{{{0}}}({1})")
def linear_until(run: FluidRun, time: Fraction) -> Fraction:
    """Return a later instant up to which the run is linear from a time on."""
    return run.after(time)


@says(r"\text{{port }} {1} \text{{ in run }} {0} \text{{ loses bytes just after }} {2}")
def losing(run: FluidRun, number: Fraction, time: Fraction) -> bool:
    """Return True if a queue loses bytes just after a time."""
    return lost(run, number, run.after(time)) > lost(run, number, time)


def least_losing(run: FluidRun, number: Fraction) -> Time:
    """Return the least length of a queue while it loses bytes; never if it loses none."""
    pieces = [pair for pair in pairwise(run.breakpoints) if losing(run, number, pair[0])]
    return min((length(run, number, time) for pair in pieces for time in pair), default=never)


@says(r"\text{{port }} {1} \text{{ in run }} {0} \text{{ is uncontrolled just after }} {2}")
def uncontrolled(run: FluidRun, number: Fraction, time: Fraction) -> bool:
    """Return True if the threshold of a queue does not depend on the free buffer just after a time."""
    limits = run.queue(number).limits
    return bool(limits[bisect_right([begin for begin, _, _ in limits], time) - 1][1] == 0)


@says(r"\text{{port }} {1} \text{{ in run }} {0} \text{{ is uncontrolled just before }} {2}")
def uncontrolled_before(run: FluidRun, number: Fraction, time: Fraction) -> bool:
    """Return True if the threshold of a queue does not depend on the free buffer just before a time."""
    return uncontrolled(run, number, run.before(time))


def instants(run: FluidRun) -> list[Fraction]:
    """Return the instants between which the run is linear, including 0 and the end."""
    return run.breakpoints


def _run(listed: Sequence[_Offered], until: Fraction, policy: Policy, buffer: Fraction, rate: Fraction) -> FluidRun:
    scenario = Scenario(
        1, Switch(max(1, len(listed)), buffer, rate), policy, tuple(item.served(rate) for item in listed), until
    )
    return FluidRun(run_scenario(scenario, Fraction))


def _levels(
    rates: Sequence[Sequence[Fraction]], factor: Fraction, drain: Fraction, level: Fraction, begin: Fraction
) -> tuple[list[Fraction], Time]:
    """Return the roots of factor * integral - drain * t == level, and the time from which the level is exceeded."""
    found: set[Fraction] = set()
    above: Time = never
    if not any(pair[0] <= begin for pair in rates):
        raise Undefined(f"no rate is given at {begin}")
    starts = sorted({begin, *(pair[0] for pair in rates if pair[0] > begin)})
    for start, end in zip(starts, [*starts[1:], None], strict=True):
        rate = next(pair[1] for pair in reversed(rates) if pair[0] <= start)
        height = factor * integral(rates, Fraction(0), start) - drain * start - level
        slope = factor * rate - drain
        if isinstance(above, Never) and (height > 0 or (height == 0 and slope > 0)):
            above = start
        if height == 0:
            found.add(start)
        if slope == 0:
            continue
        crossing = start - height / slope
        if crossing > start and (end is None or crossing <= end):
            found.add(crossing)
            if slope > 0 and isinstance(above, Never) and crossing != end:
                above = crossing
    return sorted(found), above


def _flat(queues: Any) -> Iterator[_Offered]:
    for item in queues if isinstance(queues, list) else [queues]:
        if isinstance(item, list):
            yield from _flat(item)
        elif isinstance(item, _Offered):
            yield item
        else:
            raise InputError("queues", item, "groups of queues such as bursts(M, R, d)")


def _queue(
    initial: Fraction | None, arrivals: Sequence[tuple[Fraction, Fraction]], rate: Fraction | None = None
) -> _Offered:
    return _Offered(Arrivals(arrivals), initial, rate)


def _burst(begin: Fraction, rate: Fraction, end: Time) -> list[tuple[Fraction, Fraction]]:
    """Return the arrivals of one burst as pairs [time, rate]; none if the burst is empty."""
    if isinstance(end, Never):
        return [(begin, rate)]
    return [(begin, rate), (end, Fraction(0))] if end > begin else []


def _count(value: Fraction) -> int:
    if value.denominator != 1 or value < 0:
        raise InputError("count", value, "a whole number of queues")
    return int(value)


FLUID: Mapping[str, Callable[..., Any]] = {
    "bursts": bursts,
    "each_burst": each_burst,
    "late": late,
    "steady": steady,
    "queue": queue,
    "flow": flow,
    "integral": integral,
    "roots": roots,
    "exceeds": exceeds,
    "drop": drop,
    "full": full,
    "free": free,
    "Q": length,
    "T": threshold,
    "lost": lost,
    "sent": sent,
    "growth": growth,
    "free_growth": free_growth,
    "threshold_growth": threshold_growth,
    "offered": offered,
    "losing": losing,
    "losing_rate": losing_rate,
    "least_losing": least_losing,
    "linear_until": linear_until,
    "uncontrolled": uncontrolled,
    "uncontrolled_before": uncontrolled_before,
    "instants": instants,
}
