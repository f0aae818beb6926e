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
from operator import itemgetter
from string import Formatter
from typing import Any, TypeVar

from dtmodel.base import units
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.expressions import Never, Undefined, never
from dtmodel.companion.words.lossless import rate_at
from dtmodel.fluid import Run, run_scenario
from dtmodel.fluid.scenario import QueueScenario, Scenario
from dtmodel.fluid.switch import Arrivals, Switch
from dtmodel.fluid.trajectory import Queue
from dtmodel.policies import Policy, PolicyParameter

__all__ = ["FLUID", "FluidRun", "policy_word"]

Time = Fraction | Never


@dataclass(frozen=True)
class _Offered:
    """A queue of a statement, with pairs [time, rate]; without a `rate` it is served at the port rate C."""

    initial: Fraction | None
    arrivals: Sequence[Any]
    rate: Fraction | None = None

    def served(self, rate: Fraction) -> QueueScenario:
        """Return the queue of a scenario whose ports have this rate."""
        return QueueScenario(Arrivals(self.arrivals), self.initial, Fraction(rate) if self.rate is None else self.rate)


class FluidRun:
    """A finished run of the exact fluid engine, for the observables of statements."""

    def __init__(self, run: Run[Fraction]) -> None:
        self.run = run

    def queue(self, number: Fraction) -> Queue[Fraction]:
        """Return the trajectory of queue `number`, counted from 1."""
        return self.run.queues[place(number, len(self.run.queues), "queue")]

    @cached_property
    def breakpoints(self) -> list[Fraction]:
        """The sorted instants between which all lengths, thresholds and the free buffer are linear."""
        times = {*self.run.free.times, *(time for queue in self.run.queues for time in queue.breakpoints)}
        return sorted(times | {begin for queue in self.run.queues for begin, _, _ in queue.limits})

    def after(self, time: Fraction) -> Fraction:
        """Return a later instant up to which the run is linear from `time` on."""
        later = bisect_right(self.breakpoints, time)
        if later == len(self.breakpoints):
            raise InputError("time", time, f"a time before {self.run.until}, where the run ends")
        return (time + self.breakpoints[later]) / 2

    def slope(self, measure: Callable[[Fraction], Fraction], time: Fraction) -> Fraction:
        """Return the growth rate of a measure just after a time."""
        later = self.after(time)
        return (measure(later) - measure(time)) / (later - time)


def place(number: Fraction, count: int, kind: str) -> int:
    """Return the index of a number that counts from 1, such as that of a queue."""
    if number.denominator != 1 or not 1 <= number <= count:
        raise InputError(kind, number, f"a {kind} from 1 to {count}")
    return int(number) - 1


_Word = TypeVar("_Word", bound=Callable[..., Any])


@dataclass(frozen=True)
class Phrase:
    """The LaTeX template for a call of a function, and a second one for calls that omit the last argument."""

    template: str
    without_last: str = ""

    @property
    def words(self) -> bool:
        """True if the template contains English words, as in ``port k in run x loses bytes``."""
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


def bursts(count: Fraction, rate: Fraction, duration: Time = never) -> list[_Offered]:
    """Return empty queues with arrivals at `rate` from 0 to `duration`."""
    return late(count, rate, Fraction(0), duration)


def each_burst(rates: Sequence[Fraction], durations: Time | Sequence[Time] = never) -> list[_Offered]:
    """Return one empty queue for each rate, with a burst of this rate from 0 on; `durations` may be a list, too."""
    ends = durations if isinstance(durations, list) else [durations] * len(rates)
    if len(ends) != len(rates):
        raise InputError("durations", len(ends), f"one for each of the {len(rates)} rates")
    return [_burst(Fraction(0), rate, end) for rate, end in zip(rates, ends, strict=True)]


def late(count: Fraction, rate: Fraction, begin: Fraction, end: Time = never) -> list[_Offered]:
    """Return empty queues with arrivals at `rate` from `begin` to `end`."""
    return [_burst(begin, rate, end)] * units.count(count, "count")


def steady(count: Fraction, rate: Fraction | Sequence[Sequence[Fraction]]) -> list[_Offered]:
    """Return queues that are steady at time 0, with unending arrivals at `rate`, or at rates in pairs [time, rate]."""
    rates: Any = rate if isinstance(rate, list) else [[Fraction(0), rate]]
    return [_Offered(None, rates)] * units.count(count, "count")


def queue(initial: Fraction | str, *arrivals: Sequence[Fraction], rate: Fraction | None = None) -> list[_Offered]:
    """Return one queue: its length at 0 or "steady", arrivals as pairs [time, rate], and a port rate other than C."""
    if isinstance(initial, str) and initial != "steady":
        raise InputError("initial", initial, 'a length or "steady"')
    return [_Offered(None if isinstance(initial, str) else initial, arrivals, rate)]


def flow(count: Fraction, rates: Sequence[Sequence[Fraction]]) -> list[_Offered]:
    """Return empty queues with a varying arrival rate, given as pairs [time, rate]."""
    return [_Offered(Fraction(0), rates)] * units.count(count, "count")


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
    return [zero for _, end, *_, zero in _lines(rates, factor, drain, level, begin) if zero < end]


def exceeds(
    rates: Sequence[Sequence[Fraction]], factor: Fraction, drain: Fraction, level: Fraction, begin: Fraction
) -> Time:
    """Return the infimum of the times after begin with factor * integral of the rate to t - drain * t > level."""
    lines = _lines(rates, factor, drain, level, begin)
    above = (
        start if height > 0 else zero
        for start, end, height, slope, zero in lines if height > 0 or (slope > 0 and zero < end)
    )  # fmt: skip
    return next(above, never)


def _lines(
    rates: Sequence[Sequence[Fraction]], factor: Fraction, drain: Fraction, level: Fraction, begin: Fraction
) -> Iterator[tuple[Any, ...]]:
    """Yield the lines of factor * integral - drain * t - level: ends, first height, slope, first root or never."""
    if not any(pair[0] <= begin for pair in rates):
        raise Undefined(f"no rate is given at {begin}")
    starts = sorted({begin, *(pair[0] for pair in rates if pair[0] > begin)})
    for start, end in zip(starts, [*starts[1:], never], strict=True):
        height = factor * integral(rates, Fraction(0), start) - drain * start - level
        slope = factor * rate_at(rates, start) - drain
        zero = start - height / slope if height * slope < 0 else never if height else start
        yield start, end, height, slope, zero


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
        rate = C or scope["C"]
        served = tuple(item.served(rate) for item in _flat(queues))
        policy = kind.of({p.name: _spoken(p, values[p.word], len(served)) for p in kind.parameters})
        switch = Switch(max(1, len(served)), B or scope["B"], rate)
        return FluidRun(run_scenario(Scenario(1, switch, policy, served, until), Fraction))

    word.__signature__ = signature  # type: ignore[attr-defined]  # read where claims are read
    word.needs_scope = True  # type: ignore[attr-defined]  # read by the evaluator of statements
    return word


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
    time = run.queue(number).first_drop
    return never if time is None else time


@says(r"t^{{\mathrm{{full}}}}({0})")
def full(run: FluidRun) -> Time:
    """Return the first time at which the buffer is full."""
    return next((time for time in run.run.free.times if run.run.free.at(time) == 0), never)


@says(r"\mathrm{{lost}}^{{{0}}}_{{{1}}}({2})", r"\mathrm{{lost}}^{{{0}}}_{{{1}}}")
def lost(run: FluidRun, number: Fraction, until: Fraction | None = None) -> Fraction:
    """Return the bytes that a queue loses up to a time, or in the whole run."""
    return run.queue(number).dropped(until)


@says(r"\mathrm{{sent}}^{{{0}}}_{{{1}}}({2})", r"\mathrm{{sent}}^{{{0}}}_{{{1}}}")
def sent(run: FluidRun, number: Fraction, until: Fraction | None = None) -> Fraction:
    """Return the bytes that a queue sends up to a time, or in the whole run."""
    return run.queue(number).drained(until)


@says(r"\mathrm{{offered}}^{{{0}}}_{{{1}}}({2})")
def offered(run: FluidRun, number: Fraction, until: Fraction) -> Fraction:
    """Return the bytes that arrive at a queue up to a time."""
    queues = run.run.scenario.queues
    return queues[place(number, len(queues), "queue")].arrivals.offered(until)


def least_losing(run: FluidRun, number: Fraction) -> Time:
    """Return the least length of a queue while it loses bytes; never if it loses none."""
    queue = run.queue(number)
    pieces = [pair for pair in pairwise(run.breakpoints) if queue.dropped(pair[1]) > queue.dropped(pair[0])]
    return min((queue.at(time) for pair in pieces for time in pair), default=never)


@says(r"\text{{port }} {1} \text{{ in run }} {0} \text{{ is uncontrolled just after }} {2}")
def uncontrolled(run: FluidRun, number: Fraction, time: Fraction) -> bool:
    """Return True if the threshold of a queue does not depend on the free buffer just after a time."""
    return _is_fixed(run, number, time, bisect_right)


@says(r"\text{{port }} {1} \text{{ in run }} {0} \text{{ is uncontrolled just before }} {2}")
def uncontrolled_before(run: FluidRun, number: Fraction, time: Fraction) -> bool:
    """Return True if the threshold of a queue does not depend on the free buffer just before a time."""
    if time <= 0:
        raise InputError("time", time, "a time after 0")
    return _is_fixed(run, number, time, bisect_left)


def _is_fixed(run: FluidRun, number: Fraction, time: Fraction, piece: Callable[..., int]) -> bool:
    """True if the slope of a threshold in F is 0, in the piece at a time that a bisection finds."""
    limits = run.queue(number).limits
    return limits[piece(limits, time, key=itemgetter(0)) - 1][1] == 0


def instants(run: FluidRun) -> list[Fraction]:
    """Return the instants between which the run is linear, including 0 and the end."""
    return run.breakpoints


def _flat(queues: Any) -> Iterator[_Offered]:
    for item in queues if isinstance(queues, list) else [queues]:
        if isinstance(item, list):
            yield from _flat(item)
        elif isinstance(item, _Offered):
            yield item
        else:
            raise InputError("queues", item, "groups of queues such as bursts(M, R, d)")


def _burst(begin: Fraction, rate: Fraction, end: Time) -> _Offered:
    """Return an empty queue with one burst, without arrivals if it ends as it begins or before."""
    last = [] if isinstance(end, Never) else [(end, Fraction(0))]
    return _Offered(Fraction(0), [(begin, rate), *last] if end > begin else [])


_OF_BUFFERS: Mapping[str, tuple[str, Callable[[FluidRun, Fraction], Any]]] = {
    "free": (r"F_{{{0}}}({1})", lambda x, t: x.run.free.at(t)),
    "free_growth": (r"F_{{{0}}}^{{\prime}}({1:atom}^{{+}})", lambda x, t: x.slope(x.run.free.at, t)),
    "linear_until": (r"\mathrm{{next}}_{{{0}}}({1})", lambda x, t: x.after(t)),
}
_OF_QUEUES: Mapping[str, tuple[str, Callable[[FluidRun, Fraction, Fraction], Any]]] = {
    "Q": (r"Q^{{{0}}}_{{{1}}}({2})", lambda x, k, t: x.queue(k).at(t)),
    "T": (r"T^{{{0}}}_{{{1}}}({2})", lambda x, k, t: x.queue(k).threshold_at(t)),
    "growth": (r"{{Q^{{{0}}}_{{{1}}}}}^{{\prime}}({2:atom}^{{+}})", lambda x, k, t: x.slope(x.queue(k).at, t)),
    "threshold_growth": (
        r"{{T^{{{0}}}_{{{1}}}}}^{{\prime}}({2:atom}^{{+}})", lambda x, k, t: x.slope(x.queue(k).threshold_at, t),
    ),
    "losing_rate": (
        r"{{\mathrm{{lost}}^{{{0}}}_{{{1}}}}}^{{\prime}}({2:atom}^{{+}})",
        lambda x, k, t: x.slope(x.queue(k).dropped, t),
    ),
    "losing": (
        r"\text{{port }} {1} \text{{ in run }} {0} \text{{ loses bytes just after }} {2}",
        lambda x, k, t: x.slope(x.queue(k).dropped, t) > 0,
    ),
}  # fmt: skip
"""Observables at a time t, and of a queue k: their LaTeX, and their value in a run x."""
_WORDS = (
    bursts, each_burst, late, steady, queue, flow, integral, roots, exceeds, drop, full, lost, sent, offered,
    least_losing, uncontrolled, uncontrolled_before, instants,
)  # fmt: skip
FLUID: Mapping[str, Callable[..., Any]] = {word.__name__: word for word in _WORDS} | {
    name: says(latex)(value) for table in (_OF_BUFFERS, _OF_QUEUES) for name, (latex, value) in table.items()
}
