"""Answers of a theorem from `dtmodel.simulate`: a family at given numbers, read off the trajectories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.base.units import plain
from dtmodel.derive.algebra.language import Term
from dtmodel.derive.algebra.number import LimitError
from dtmodel.derive.search.family import Ask, Family
from dtmodel.derive.search.run import run_family
from dtmodel.fluid.simulation import Run, simulate
from dtmodel.fluid.switch import Arrivals, Switch
from dtmodel.policies import Policy

EVENTS = 400
"""The maximum number of phases of a run in numbers."""
Values = Mapping[str, Fraction]


def simulated(
    family: Family, values: Values, end: Fraction, period: Fraction = Fraction(0)
) -> dict[str, Fraction | None] | None:
    """Return the answers at given values; None if a count is not whole, or a class in a question is empty.

    `end` is later than everything, for a family without an end; lengths repeat a cycle of the duration `period`.
    """
    counts = [Fraction(queue.count.value(values)) for queue in family.queues]
    tree = family.policy.tree
    whole = [*counts, *(Fraction(n.value(values)) for n in (tree.counts if tree else ()))]
    if any(n.denominator > 1 for n in whole) or any(not counts[queue] for ask in family.asks for queue in ask.queues):
        return None
    present = [index for index, n in enumerate(counts) if n]
    until = end if family.until is None else Fraction(family.until.value(values))
    policy, kept, held = _policy(family, present, counts, values)
    ports = {index: kept.index(index) for index in present}
    queues = [family.queues[index] for index in kept]
    arrivals = [[(t.value(values), rate.value(values)) for t, rate in queue.arrivals] for queue in queues]
    run = simulate(
        Switch(sum(int(n) for n in counts), _exact(family.buffer, values), _exact(family.rate, values)),
        policy,
        {port: Arrivals(pieces) for port, pieces in enumerate(arrivals) if pieces},
        until=until,
        initial=dict(enumerate(held)),
        rates={p: _exact(q.rate, values) for p, q in enumerate(queues) if q.rate is not None},
        counts={port: int(counts[index] / kept.count(index)) for port, index in enumerate(kept)},
    )
    answers: dict[str, Fraction | None] = {}
    for ask in family.asks:
        answers |= _answer(run, ask, [ports[queue] for queue in ask.queues], values, period)
    return answers


def _policy(
    family: Family, present: Sequence[int], counts: Sequence[Fraction], values: Values
) -> tuple[Policy, list[int], list[Any]]:
    """Return the policy at values, and the class and the initial length of each of its queues.

    In a tree the queues of one class in a group are one queue of the scenario. If all queues of each group are alike,
    steady ones begin with the lengths that they have on one level, since a group that is full before them would leave
    their lengths open.
    """

    def value(term: Term) -> Fraction:
        return _exact(term, values)

    many, each = [int(counts[index]) for index in present], [family.queues[index].initial for index in present]
    terms, held = family.policy.of(present), [None if term is None else value(term) for term in each]
    begin: list[Any] = ["steady" if length is None else length for length in held]
    if terms.tree is None:
        return terms.at(many, value), list(present), begin
    policy, kept = terms.tree.at(value)
    if not terms.below:
        begin = list(terms.at(many, value).start(value(family.buffer), held, many))
    return policy, [present[place] for place in kept], [begin[place] for place in kept]


def answers_of(family: Family, run: Any, values: Values) -> dict[str, Fraction | None]:
    """Return the answers that a run of a family shows at given values.

    Raises `InputError` if a count is not whole, the run has another number of ports, or it has rounded numbers.
    """
    counts = [Fraction(queue.count.value(values)) for queue in family.queues]
    ports = sum(counts, Fraction(0))
    if getattr(run, "arithmetic", None) != "exact" or len(run.queues) != ports:
        raise InputError("run", run, f"an exact run of a switch with {plain(ports)} ports")
    first = [int(sum(counts[:index])) for index in range(len(counts))]
    period = _period(family, values, run.until)
    answers: dict[str, Fraction | None] = {}
    for ask in family.asks:
        answers |= _answer(run, ask, [first[queue] for queue in ask.queues], values, period)
    return answers


def _period(family: Family, values: Values, until: Fraction) -> Fraction:
    """Return the duration of the cycle that lengths repeat before `until`; 0 without a question about the long run."""
    with suppress(LimitError):
        if family.steady:
            return Fraction(run_family(family, values, Fraction, until, Fraction(1), EVENTS).period)
    return Fraction(0)


def _exact(term: Any, values: Values) -> Fraction:
    return Fraction(term.value(values))


def _answer(
    run: Run[Any], ask: Ask, asked_of: Sequence[int], values: Values, period: Fraction
) -> dict[str, Fraction | None]:
    if ask.kind == "recovered":
        return {"recovered": None if period else _recovered(run)}
    if ask.time is None and not ask.steady:
        return min((_at_a_drop(run, ask, port) for port in asked_of), key=_moment)  # the class that loses first
    if ask.steady:
        return {ask.key: period if ask.kind == "period" else _mean(run, ask.kind, asked_of[0], period)}
    queue, time = run.queue(asked_of[0]), _exact(ask.time, values)
    asked: dict[str, Any] = {"dropped": queue.dropped, "length": queue.at, "threshold": queue.threshold_at}
    return {ask.key: asked[ask.kind](time)}


def _mean(run: Run[Any], kind: str, port: int, period: Fraction) -> Fraction | None:
    """Return the mean of an answer over the last `period` of a run, or over its last phase if the period is 0."""
    begin, queue = max(run.until - period, Fraction(0)), run.queue(port)
    changes = {time for each in run.queues for time in (*each.breakpoints, *(first for first, *_ in each.limits))}
    times = sorted(time for time in {*changes, begin} if time >= begin) if period else sorted(changes)[-2:]
    if kind in {"loss_rate", "loss_share"}:
        return _lost(run, kind, port, times[0])
    value, whole = queue.threshold_at if kind == "threshold" else queue.at, run.until - times[0]
    if kind == "buffer_share":
        whole *= run.scenario.switch.buffer
    return Fraction(sum(value((since + until) / 2) * (until - since) for since, until in pairwise(times)) / whole)


def _lost(run: Run[Any], kind: str, port: int, begin: Fraction) -> Fraction | None:
    """Return the rate at which a port loses bytes from `begin` to the end of a run, or its part of all losses."""
    losses = [queue.dropped() - queue.dropped(begin) for queue in run.queues]
    total = sum((each.count * loss for each, loss in zip(run.scenario.queues, losses, strict=True)), Fraction(0))
    whole = total if kind == "loss_share" else run.until - begin
    return Fraction(losses[port] / whole) if whole else None


def _at_a_drop(run: Run[Any], ask: Ask, port: int) -> dict[str, Fraction | None]:
    drop = run.first_drop(port)
    if ask.kind == "first_drop":
        return dict(zip(ask.keys, (drop, run.free_at_first_drop(port)), strict=True))
    return {ask.key: None if drop is None else run.queue(port).at(drop)}


def _moment(answers: Mapping[str, Fraction | None]) -> tuple[bool, Fraction]:
    first = next(iter(answers.values()))
    return first is None, first or Fraction(0)


def _recovered(run: Run[Any]) -> Fraction | None:
    """Return the time from which all lengths stay those of time 0."""
    times = sorted({time for queue in run.queues for time in queue.breakpoints} | {Fraction(0)})
    away = [any(queue.at(time) != queue.at(0) for queue in run.queues) for time in times]
    if away[-1]:
        return None
    return next((times[i + 1] for i in range(len(times) - 2, -1, -1) if away[i]), Fraction(0))
