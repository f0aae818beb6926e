"""A run of a family in the fluid engine, in numbers or rational functions, and the answers to its questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, cast

from dtmodel.derive.algebra.number import LimitError
from dtmodel.derive.search.answers import Answers, EnoughError, Given, Observed, Phase
from dtmodel.derive.search.engine_policies import laws
from dtmodel.derive.search.family import Family
from dtmodel.derive.search.tree_run import run_tree
from dtmodel.fluid.engine import Engine
from dtmodel.policies.edt import CountersAndTimers
from dtmodel.policies.memory import Changes, Memory, State

Number = Any  # a Fraction or a Ratio


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
    times = {ask: value(ask.time) for ask in family.asks if ask.time is not None}
    until = value(family.until) if family.until is not None else end
    jumps = not family.policy.continuous and any(ask.kind == "threshold" for ask in times)
    if len(times) == len(family.asks) and not jumps:  # the value of a threshold at a jump is that after it
        until = max(times.values())
    given = Given(family, value, number, counts, rates, offers, one, until, end)
    lost = [number(0) for _ in rates]
    answers = Answers(family, Observed(counts=counts), times, events, value(family.buffer), lost)
    with suppress(EnoughError):
        run_tree(given, answers) if family.policy.below else _run_level(given, answers, expiries)
    found = answers.observed.answers
    answers.observed.answers = {key: found[key] for ask in family.asks for key in ask.keys if key in found}
    return answers.observed


def _run_level(given: Given, answers: Answers, expiries: int | None) -> None:
    """Run a family whose queues have thresholds that follow the free buffer."""
    family, number, rates = given.family, given.number, given.rates
    answers.observed.policy = law = laws(given)

    watch = _Watch(answers, expiries, law.memory)
    on = [index for index, queue in enumerate(family.queues) if queue.initial is None]
    engine: Engine[Any] = Engine(
        cast("type[Any]", number), law.buffer, rates, law.thresholds, given.offers, law.lengths, on, memory=watch,
        reserves=law.reserves, counts=given.counts,
    )  # fmt: skip
    watch.until = None if family.until is None else given.until
    if given.until > 0:
        engine.run(given.until)
    answers.finish(_phase(engine))


class _Watch(Memory[Any]):
    """A memory that observes the phases, and delegates all decisions to the policy's memory."""

    def __init__(self, answers: Answers, expiries: int | None, inner: Memory[Any] | None) -> None:
        self.answers, self.inner = answers, inner
        self.expiries, self.expired = expiries, 0
        self.hears_overflow = inner is not None and inner.hears_overflow
        self.until: Number | None = None

    def wakes(self, state: State[Any]) -> list[Number]:
        times = [time for time in self.answers.times.values() if time > state.now]
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
        engine, phase = cast("Engine[Any]", state), _phase(cast("Engine[Any]", state))
        if self.answers.family.steady and isinstance(self.inner, CountersAndTimers) and engine.next_change() is None:
            phase = replace(phase, counters=self.inner.state(engine.now))
        self.answers.note(phase, partial(self._need, engine))
        return {}

    def passed(self, state: State[Any], begin: Number) -> None:
        if self.inner is not None:
            self.inner.passed(state, begin)

    def _need(self, engine: Engine[Any], phase: Phase, queue: int) -> None:
        """Record the terms that must be positive for the loss that begins now.

        Without a memory or reserves F' is the root of F' + sum n_j s_j(F') = 0, where the slope s_j of a class on its
        threshold is alpha_j F', kept between -C_j and R_j - C_j, and that of another class is fixed. The loss lasts
        while F' < (R - C)/alpha. Let classes meet their thresholds, or become empty, in the instant in which it begins.
        If s_j <= alpha_j (R - C)/alpha before that for all of them, none has a smaller s_j afterwards at
        F' = (R - C)/alpha: the sum is positive there, the root is smaller, and the loss lasts.
        """
        ends = [time - engine.now for time in (engine.next_change(), self.until) if time is not None]
        seen = self.answers.observed
        seen.first += [(term, None) for term in (phase.losses[queue], *ends)]
        steep, growth = phase.thresholds[queue][0], phase.offered[queue] - engine.rates[queue]
        plain = self.inner is None and not engine.reserves
        for other in engine.moving:
            lasting = growth * phase.thresholds[other][0] - phase.slopes[other] * steep if plain else engine.zero - 1
            room = phase.threshold(other) - phase.lengths[other]
            waits = [phase.lengths[other]] if phase.slopes[other] < 0 else []
            waits += [room] if room != 0 and other not in engine.unbounded else []
            seen.first += [(wait, lasting) for wait in waits]


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
