"""The answers to the questions about a family, collected phase by phase from a run in numbers or functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from dtmodel.derive.algebra.number import LimitError
from dtmodel.derive.search.family import AT_A_DROP, Ask, Family

Number = Any  # a Fraction or a Ratio


@dataclass(frozen=True)
class Phase:
    """A phase of a run: its start, the free buffer, and the position and motion of every class of queues.

    `lengths`, `slopes`, `losses`, `offered`: for each class. `where`: its position relative to its threshold.
    `thresholds` (tuple of (number, number)): slope and offset in the free buffer. `pieces`: the index of the current
    piece of its arrivals; -1 before the first. `fraction`: the share of all arrivals that a full buffer admits; None
    for all. `counters`: the state of EDT's counters and timers if arrivals no longer change; None where no question
    needs it.
    """

    begin: Number
    free: Number
    free_slope: Number
    lengths: tuple[Number, ...]
    slopes: tuple[Number, ...]
    losses: tuple[Number, ...]
    offered: tuple[Number, ...]
    where: tuple[str, ...]
    thresholds: tuple[tuple[Number, Number], ...]
    pieces: tuple[int, ...]
    fraction: Number | None
    counters: Sequence[Any] | None = None

    def threshold(self, queue: int) -> Number:
        """The threshold of a class at the start of the phase."""
        slope, offset = self.thresholds[queue]
        return slope * self.free + offset


@dataclass
class Observed:
    """The result of a run: its phases, the answers, and the terms that must not be 0 for them to hold on a boundary.

    `answers`: for each key a number, or None for "never". `first` (list of (term, rate)): the terms for first drops,
    which are discontinuous: the rate of loss and the distances from events in the phase in which the loss begins; one
    with a rate may be 0 where the rate is positive or always 0. `needed`: other terms. `counts`: the number of queues
    in each class, in the units of the run. `policy`: the thresholds, reserves and memory of the run.
    """

    answers: dict[str, Number | None] = field(default_factory=dict)
    phases: list[Phase] = field(default_factory=list)
    first: list[tuple[Number, Number | None]] = field(default_factory=list)
    needed: list[Number] = field(default_factory=list)
    counts: list[Number] = field(default_factory=list)
    policy: Any = None

    @property
    def period(self) -> Number:
        """The duration of the cycle that ends with the last phase; 0 if it ends none."""
        first, last = next(iter(cycle_of(self.phases)), self.phases[-1]), self.phases[-1]
        return last.begin - first.begin


@dataclass(frozen=True)
class Given:
    """A family at values of its symbols.

    `value`, `number`: evaluate an expression, and convert an integer or a fraction. `counts`, `rates`, `offers`: for
    each class. `one`: multiplies a count that is written as a number. `until`, `end`: the end of the run, and an
    instant that is later than everything.
    """

    family: Family
    value: Callable[[Any], Number]
    number: Callable[..., Number]
    counts: Sequence[Number]
    rates: Sequence[Number]
    offers: Sequence[Sequence[tuple[Number, Number]]]
    one: Number
    until: Number
    end: Number

    def held(self) -> list[Number | None]:
        """Return the length of each class at time 0; None if it is steady."""
        return [None if queue.initial is None else self.value(queue.initial) for queue in self.family.queues]


class EnoughError(Exception):
    """Ends a run after all questions are answered."""


@dataclass
class Answers:
    """The answers of a run.

    `family`, `observed`: its questions and its result. `times`: the questions with a time that is still to come.
    `events`: the maximum number of phases. `buffer`: B, reserves included. `lost`: the bytes that each class has lost.
    """

    family: Family
    observed: Observed
    times: dict[Ask, Number]
    events: int
    buffer: Number
    lost: list[Number]

    def note(self, phase: Phase, drop: Callable[[Phase, int], None]) -> None:
        """Record a phase, and call `drop` for a class whose first loss is asked for and begins in it."""
        if len(self.observed.phases) >= self.events:
            raise LimitError(f"more than {self.events} phases")
        self._begin(phase)
        answers = self.observed.answers
        for ask in self.family.asks:
            if ask.kind not in AT_A_DROP or ask.key in answers:
                continue
            if (queue := next((queue for queue in ask.queues if phase.losses[queue] != 0), None)) is not None:
                seen = (phase.begin, phase.free) if ask.kind == "first_drop" else (phase.lengths[queue],)
                answers |= dict(zip(ask.keys, seen, strict=True))
                drop(phase, queue)
        if not self.times and (cycle := cycle_of(self.observed.phases)):
            self._close(mean_of(cycle), self.observed.period)
        if not self.times and all(ask.key in answers for ask in self.family.asks):
            raise EnoughError

    def _begin(self, phase: Phase) -> None:
        """Add the losses of the phase that ends now, and answer the questions about this instant."""
        for last in self.observed.phases[-1:]:
            span = phase.begin - last.begin
            self.lost = [lost + loss * span for lost, loss in zip(self.lost, last.losses, strict=True)]
        self.observed.phases.append(phase)
        for ask in [ask for ask, time in self.times.items() if time == phase.begin]:
            del self.times[ask]
            self.observed.answers[ask.key] = self._value(phase, ask)

    def _value(self, phase: Phase, ask: Ask) -> Number:
        if ask.kind == "dropped":
            return self.lost[ask.queue]
        return phase.lengths[ask.queue] if ask.kind == "length" else phase.threshold(ask.queue)

    def finish(self, phase: Phase) -> None:
        """Record the end of a run, and answer the questions that are left."""
        self._begin(phase)
        if self.family.steady and any(slope != 0 for slope in phase.slopes):
            raise LimitError("lengths that do not settle")
        self._close(phase, phase.begin - phase.begin)

    def _close(self, last: Phase, period: Number) -> None:
        """Answer the questions that are left; in the long run the state is `last`, in the mean over a period."""
        answers = self.observed.answers
        for ask in self.family.asks:
            if ask.kind in AT_A_DROP and ask.key not in answers:
                answers |= dict.fromkeys(ask.keys)
            if ask.kind == "recovered":
                answers["recovered"] = None if period else self._recovered(self.observed.phases)
            if ask.steady:
                answers[ask.key] = period if ask.kind == "period" else self._settled(last, ask)

    def _settled(self, last: Phase, ask: Ask) -> Number | None:
        """Return an answer about the long run from a phase in which no length changes."""
        lost = last.losses[ask.queue]
        if ask.kind == "loss_rate":
            return lost
        if ask.kind == "loss_share":
            total = sum((n * loss for n, loss in zip(self.observed.counts, last.losses, strict=True)), lost - lost)
            return None if total == 0 else lost / total
        return last.lengths[ask.queue] / self.buffer if ask.kind == "buffer_share" else self._value(last, ask)

    def _recovered(self, phases: Sequence[Phase]) -> Number | None:
        """Return the time from which everything stays as at time 0, and record the terms that it requires nonzero."""
        first, last = phases[0], len(phases) - 1
        while last >= 0 and not (away := self._away(phases[last], first)):
            last -= 1
        if last < 0:
            return first.begin
        queue = away[0]
        apart = phases[last].lengths[queue] - first.lengths[queue]
        if apart < 0:  # this decides the sign: a cell without a sign would have two answers
            apart = -apart
        self.observed.needed += [apart, self.observed.counts[queue]]
        return None if last == len(phases) - 1 else phases[last + 1].begin

    def _away(self, phase: Phase, first: Phase) -> list[int]:
        """Return the nonempty classes that differ from their state at time 0."""
        return [k for k, n in enumerate(self.observed.counts) if n != 0 and phase.lengths[k] != first.lengths[k]]


def cycle_of(phases: Sequence[Phase]) -> Sequence[Phase]:
    """Return the phases from the one that the last phase repeats to the last; empty if it repeats none.

    Under EDT groups of ports can take the whole buffer in turn, although the arrivals are constant. If lengths,
    thresholds, counters and timers are as before, so is all that follows. A run that approaches a cycle repeats none.
    """
    for place in range(len(phases) - 2, -1, -1) if phases[-1].counters is not None else ():
        if replace(phases[-1], begin=phases[place].begin) == phases[place]:
            return phases[place:]
    return ()


def mean_of(cycle: Sequence[Phase]) -> Phase:
    """Return a phase in which every length, threshold and loss has its mean over a cycle, and nothing changes."""
    spans = [after.begin - phase.begin for phase, after in pairwise(cycle)]
    middle, period, last = list(map(_later, cycle, [span / 2 for span in spans])), sum(spans[1:], spans[0]), cycle[-1]

    def mean(values: Sequence[Number]) -> Number:
        return sum((span * value for span, value in zip(spans, values, strict=True)), period - period) / period

    classes = range(len(last.lengths))
    return replace(
        last,
        lengths=tuple(mean([phase.lengths[k] for phase in middle]) for k in classes),
        losses=tuple(mean([phase.losses[k] for phase in middle]) for k in classes),
        thresholds=tuple((period - period, mean([phase.threshold(k) for phase in middle])) for k in classes),
    )


def _later(phase: Phase, time: Number) -> Phase:
    """Return the state of a phase after a time."""
    lengths = tuple(length + slope * time for length, slope in zip(phase.lengths, phase.slopes, strict=True))
    return replace(phase, free=phase.free + phase.free_slope * time, lengths=lengths)
