"""A run of a family in the fluid engine, in numbers or rational functions, and the answers to its questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from dtmodel.derive.algebra.number import LimitError
from dtmodel.derive.search.engine_policies import Laws, laws
from dtmodel.derive.search.family import AT_A_DROP, Ask, Family
from dtmodel.fluid.engine import Engine
from dtmodel.policies.edt import CountersAndTimers
from dtmodel.policies.memory import Changes, Memory, State

Number = Any  # a Fraction or a Ratio


@dataclass(frozen=True)
class Phase:
    """A phase of a run: its start, the free buffer, and the position and motion of every class of queues.

    `lengths`, `slopes`, `losses`, `offered`: for each class. `where`: its position relative to its threshold.
    `thresholds` (tuple of (number, number)): slope and offset in the free buffer. `pieces`: the index of the current
    piece of its arrivals; -1 before the first. `fraction`: the share of all arrivals that a full buffer admits; None
    for all.
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

    def threshold(self, queue: int) -> Number:
        """The threshold of a class at the start of the phase."""
        slope, offset = self.thresholds[queue]
        return slope * self.free + offset


@dataclass
class Observed:
    """The result of a run: its phases, the answers, and the terms that must not be 0 for them to hold on a boundary.

    `answers`: for each key a number, or None for "never". `first`: the terms for first drops, which are discontinuous:
    the rate of loss and the waits of the phase in which the loss begins. `beside` (list of (wait, rate)): waits that
    may be 0 where the rate is nonnegative. `needed`: other terms. `counts`: the number of queues in each class, in the
    units of the run. `policy`: the thresholds, reserves and memory of the run.
    """

    answers: dict[str, Number | None] = field(default_factory=dict)
    phases: list[Phase] = field(default_factory=list)
    first: list[Number] = field(default_factory=list)
    beside: list[tuple[Number, Number]] = field(default_factory=list)
    needed: list[Number] = field(default_factory=list)
    counts: list[Number] = field(default_factory=list)
    policy: Laws | None = None


def without_empty(family: Family, symbols: Mapping[str, Number]) -> Family:
    """Remove the classes that have no queues at these values of the symbols, unless a question is about them."""
    present = [k for k, queue in enumerate(family.queues) if queue.count.value(symbols) != 0]
    kept = sorted({*present, *(queue for ask in family.asks for queue in ask.queues)})
    if len(kept) == len(family.queues):
        return family
    return replace(
        family,
        policy=family.policy.of(kept),
        queues=tuple(family.queues[k] for k in kept),
        asks=tuple(
            replace(ask, queue=kept.index(ask.queue), others=tuple(map(kept.index, ask.others))) for ask in family.asks
        ),
    )


class _EnoughError(Exception):
    """Ends a run after all questions are answered."""


def run_family(
    family: Family,
    symbols: Mapping[str, Number],
    number: Callable[..., Number],
    end: Number,
    one: Number,
    events: int,
    expiries: int | None = None,
) -> Observed:
    """Run a family at these values of its symbols.

    `number`: converts an integer or a fraction. `end`: later than everything, for questions without a time if the
    family has no end. `one`: multiplies a count that is written as a number. `events`: the maximum number of phases.
    `expiries`: the maximum number of expiries of EDT's timers.
    """

    def value(expression: Any) -> Number:
        return number(0) + expression.value(symbols)

    family = without_empty(family, symbols)
    counts = [value(q.count) * (number(1) if q.count.names else one) for q in family.queues]
    rates = [value(q.rate or family.rate) for q in family.queues]
    offers = [[(value(time), value(rate)) for time, rate in q.arrivals] for q in family.queues]
    law = laws(family, counts, value, number)
    times = {ask: value(ask.time) for ask in family.asks if ask.time is not None}
    until = value(family.until) if family.until is not None else end
    jumps = not family.policy.continuous and any(ask.kind == "threshold" for ask in times)
    if len(times) == len(family.asks) and not jumps:  # the value of a threshold at a jump is that after it
        until = max(times.values())
    observed = Observed(counts=counts, policy=law)
    watch = _Watch(family, observed, times, events, expiries, law.memory)

    watch.lost = [number(0) for _ in rates]
    on = [index for index, queue in enumerate(family.queues) if queue.initial is None]
    numbers, thresholds, reserves = cast("type[Any]", number), law.thresholds, law.reserves
    engine: Engine[Any] = Engine(
        numbers, law.buffer, rates, thresholds, offers, law.lengths, on, memory=watch, reserves=reserves, counts=counts
    )
    watch.until = None if family.until is None else until
    try:
        if until > 0:
            engine.run(until)
        watch.finish(engine)
    except _EnoughError:
        pass
    answers = observed.answers
    observed.answers = {key: answers[key] for ask in family.asks for key in ask.keys if key in answers}
    return observed


class _Watch(Memory[Any]):
    """A memory that observes the phases, and delegates all decisions to the policy's memory."""

    def __init__(
        self,
        family: Family,
        observed: Observed,
        times: Mapping[Any, Number],
        events: int,
        expiries: int | None,
        inner: Memory[Any] | None,
    ) -> None:
        self.family, self.observed, self.times, self.events, self.inner = family, observed, dict(times), events, inner
        self.expiries, self.expired = expiries, 0
        self.hears_overflow = inner is not None and inner.hears_overflow
        self.lost: list[Number] = []
        self.until: Number | None = None

    def wakes(self, state: State[Any]) -> list[Number]:
        times = [time for time in self.times.values() if time > state.now]
        return times if self.inner is None else [*times, *self.inner.wakes(state)]

    def act(self, state: State[Any]) -> Changes[Any]:
        """Let the policy act, and limit the expiries of timers."""
        changes = {} if self.inner is None else self.inner.act(state)
        if self.expiries is not None and isinstance(self.inner, CountersAndTimers):
            self.expired += self.inner.expired
            if self.expired > self.expiries:
                raise LimitError(f"more than {self.expiries} expiries of timers")
        return changes

    def admitted(self, state: State[Any]) -> Number | None:
        return None if self.inner is None else self.inner.admitted(state)

    def settled(self, state: State[Any]) -> Changes[Any]:
        """Record the phase after the policy's last change."""
        changes = {} if self.inner is None else self.inner.settled(state)
        if changes:
            return changes
        if len(self.observed.phases) >= self.events:
            raise LimitError(f"more than {self.events} phases")
        self._note(cast("Engine[Any]", state))
        return {}

    def passed(self, state: State[Any], begin: Number) -> None:
        phase = self.observed.phases[-1]
        for queue, loss in enumerate(phase.losses):
            self.lost[queue] = self.lost[queue] + loss * (state.now - begin)
        if self.inner is not None:
            self.inner.passed(state, begin)

    def finish(self, engine: Engine[Any]) -> None:
        self.observed.phases.append(_phase(engine))
        self._answer_times(engine)
        answers, phases = self.observed.answers, self.observed.phases
        for ask in self.family.asks:
            if ask.kind in AT_A_DROP and ask.key not in answers:
                answers |= dict.fromkeys(ask.keys)
            if ask.kind == "recovered":
                answers["recovered"] = self._recovered(phases)
            if ask.steady:
                if any(slope != 0 for slope in phases[-1].slopes):
                    raise LimitError("lengths that do not settle")
                answers[ask.key] = self._settled(engine, phases[-1], ask)

    def _settled(self, engine: Engine[Any], last: Phase, ask: Ask) -> Number | None:
        """Return an answer about the long run from the last phase, in which no length changes."""
        counts, lost = engine.counts, last.losses[ask.queue]
        if ask.kind == "loss_rate":
            return lost
        if ask.kind == "loss_share":
            total = sum((n * loss for n, loss in zip(counts, last.losses, strict=True)), engine.zero)
            return None if total == 0 else lost / total
        if ask.kind == "buffer_share":
            owned = sum((counts[queue] * reserve for queue, reserve in engine.reserves.items()), engine.zero)
            return engine.length(ask.queue) / (engine.buffer + owned)
        return self._values(engine, ask.queue)[ask.kind]

    def _note(self, engine: Engine[Any]) -> None:
        phase = _phase(engine)
        self.observed.phases.append(phase)
        self._answer_times(engine)
        answers = self.observed.answers
        for ask in self.family.asks:
            if ask.kind not in AT_A_DROP or ask.key in answers:
                continue
            if (queue := next((queue for queue in ask.queues if phase.losses[queue] != 0), None)) is not None:
                seen = (engine.now, phase.free) if ask.kind == "first_drop" else (phase.lengths[queue],)
                answers |= dict(zip(ask.keys, seen, strict=True))
                self._need(engine, phase, queue)
        if not self.times and all(ask.key in answers for ask in self.family.asks):
            raise _EnoughError

    def _answer_times(self, engine: Engine[Any]) -> None:
        for ask in [ask for ask, time in self.times.items() if time == engine.now]:
            del self.times[ask]
            self.observed.answers[ask.key] = self._values(engine, ask.queue)[ask.kind]

    def _values(self, engine: Engine[Any], queue: int) -> dict[str, Number]:
        slope, offset = engine.thresholds[queue]
        return {
            "dropped": self.lost[queue],
            "length": engine.length(queue),
            "threshold": slope * engine.free + offset,
        }

    def _need(self, engine: Engine[Any], phase: Phase, queue: int) -> None:
        """Record the terms that must be positive for the loss that begins now.

        Without a memory or reserves F' is the root of F' + sum n_j s_j(F') = 0, where the slope s_j of a class on its
        threshold is alpha_j F', kept between -C_j and R_j - C_j, and that of another class is fixed. The loss lasts
        while F' < (R - C)/alpha. Let classes meet their thresholds, or become empty, in the instant in which it begins.
        If s_j <= alpha_j (R - C)/alpha before that for all of them, none has a smaller s_j afterwards at
        F' = (R - C)/alpha: the sum is positive there, the root is smaller, and the loss lasts.
        """
        ends = [time - engine.now for time in (engine.next_change(), self.until) if time is not None]
        self.observed.first += [phase.losses[queue], *ends]
        steep, growth = phase.thresholds[queue][0], phase.offered[queue] - engine.rates[queue]
        plain = self.inner is None and not engine.reserves
        for other in engine.moving:
            lasting = growth * phase.thresholds[other][0] - phase.slopes[other] * steep if plain else engine.zero - 1
            room = phase.threshold(other) - phase.lengths[other]
            waits = [phase.lengths[other]] if phase.slopes[other] < 0 else []
            waits += [room] if room != 0 and other not in engine.unbounded else []
            self.observed.beside += [(wait, lasting) for wait in waits]

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
        counts = self.observed.counts
        return [k for k, n in enumerate(counts) if n != 0 and phase.lengths[k] != first.lengths[k]]


def _phase(engine: Engine[Any]) -> Phase:
    queues = range(len(engine.rates))
    slopes = tuple(engine.slope(queue) for queue in queues)
    return Phase(
        engine.now,
        engine.free,
        engine.free_slope,
        tuple(engine.length(queue) for queue in queues),
        slopes,
        tuple(engine.loss(queue) for queue in queues),
        tuple(engine.offered),
        tuple(where.value for where in engine.where),
        tuple(engine.thresholds),
        tuple(engine.piece(queue) for queue in queues),
        engine.fraction,
    )
