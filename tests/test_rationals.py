"""Exact runs and traces are the same with either kind of rationals, and runs leave fractions behind."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from dtmodel import strategies
from dtmodel.base import rationals
from dtmodel.fluid import Run, run_scenario
from dtmodel.fluid.scenario import Scenario
from dtmodel.packet import streaming, trace
from dtmodel.packet.l2bm import trace as l2bm_trace


def _run(scenario: Scenario, number: type, patch: pytest.MonkeyPatch) -> Run[Fraction]:
    patch.setattr(rationals, "EXACT", number)
    return run_scenario(scenario, Fraction)


@settings(max_examples=60, deadline=None)
@given(scenario=strategies.scenarios())
def test_runs_are_equal_and_in_fractions(scenario: Scenario) -> None:
    gmpy2 = pytest.importorskip("gmpy2")
    with pytest.MonkeyPatch.context() as patch:
        fast, plain = _run(scenario, gmpy2.mpq, patch), _run(scenario, Fraction, patch)
    assert fast == plain
    numbers = {*fast.free.times, *fast.free.values}
    for queue in fast.queues:
        numbers |= {value for limit in queue.limits for value in limit}
        for piece in queue.segments:
            numbers |= {piece.begin, piece.length, piece.slope, piece.loss, piece.drain, *(piece.on or ())}
    assert {type(number) for number in numbers} == {Fraction}
    assert {type(part) for number in numbers for part in number.as_integer_ratio()} == {int}


@given(asked=strategies.traces())
def test_traces_are_equal(asked: dict[str, Any]) -> None:
    gmpy2 = pytest.importorskip("gmpy2")
    answers = []
    for number in (gmpy2.mpq, Fraction):
        with pytest.MonkeyPatch.context() as patch:
            for module in (streaming, l2bm_trace):
                patch.setattr(module, "EXACT", number)
            answers.append(trace(asked))
    assert answers[0] == answers[1]
