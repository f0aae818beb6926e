"""A run of a family whose limits form trees, in numbers or rational functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from dtmodel.derive.search.answers import Answers, Given, Phase
from dtmodel.fluid.forest import ForestRun, Motion
from dtmodel.policies.forest import steady_start


def run_tree(given: Given, answers: Answers) -> None:
    """Run a family with the exact engine of trees."""
    tree = given.family.policy.tree
    assert tree is not None
    forest = tree.forest(given.value(given.family.buffer), given.value, given.one)
    kind = cast("type[Any]", given.number)
    run = ForestRun(kind, forest, given.rates, given.offers, steady_start(forest, given.held()))
    zero = given.number(0)
    last: Sequence[Motion] = [Motion(*[zero] * 7)] * len(forest.nodes)

    def need(phase: Phase, queue: int) -> None:
        ends = [time - run.now for time in run.changes()]
        ends += [] if given.family.until is None else [given.until - run.now]
        answers.observed.first += [(term, None) for term in (phase.losses[queue], *ends)]
        answers.observed.first += [(gap, gap * slope) for gap, slope in run.gaps(last)]

    for last in run.phases(given.until, tuple(answers.times.values())):
        answers.note(_phase(run, last), need)
    answers.finish(_phase(run, last))


def _phase(run: ForestRun, motions: Sequence[Motion]) -> Phase:
    forest, own = run.forest, motions[run.forest.first_queue :]
    limits = []
    for index in range(forest.first_queue, len(forest.nodes)):
        followed = forest.followed(index)
        slope, offset = run.law_of(index, motions[followed].room)
        limits.append((run.zero, slope * run.levels[followed].room + offset))
    return Phase(
        run.now,
        sum((forest.counts[root] * run.levels[root].room for root in forest.roots), run.zero),
        sum((forest.counts[root] * motions[root].room for root in forest.roots), run.zero),
        tuple(run.lengths),
        tuple(motion.used for motion in own),
        tuple(motion.loss for motion in own),
        tuple(run.arriving),
        ("",) * len(own),
        tuple(limits),
        (),
        None,
    )
