"""Runs in floats: within their bound of the exact run, always, and exact runs where rounding cannot decide."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from dtmodel import Arrivals, Scenario, Switch, Weighted, simulate
from dtmodel.fluid import run_scenario
from dtmodel.scenario import QueueScenario
from dtmodel.strategies import scenario_generator
from dtmodel.strategies.policy_generator import POLICIES

F = Fraction
BOUND = 1e-9


def off(scenario: Scenario) -> tuple[float, str]:
    """How far the float run is from the exact one, beside what the bound is relative to."""
    exact, fast = run_scenario(scenario, F), run_scenario(scenario, float)
    buffer, until = float(scenario.switch.buffer), float(scenario.until)
    worst = 0.0
    for index, (queue, quick) in enumerate(zip(exact.queues, fast.queues, strict=True)):
        scale = max(buffer, float(scenario.queues[index].arrivals.offered(scenario.until)))
        instants = [scenario.until * F(k, 24) for k in range(24)]
        gaps = [abs(float(queue.at(t)) - quick.at(float(t))) / buffer for t in instants]
        gaps += [abs(float(queue.dropped()) - quick.dropped()) / scale]
        gaps += [abs(float(queue.drained()) - quick.drained()) / scale]
        assert (queue.first_drop is None) == (quick.first_drop is None)
        if queue.first_drop is not None and quick.first_drop is not None:
            gaps.append(abs(float(queue.first_drop) - quick.first_drop) / until)
        worst = max(worst, *gaps)
    return worst, fast.arithmetic


def check(policy: str, seeds: range) -> set[str]:
    """One scenario in three is made to tie."""
    arithmetics = set()
    for seed in seeds:
        scenario = Scenario.read(scenario_generator.scenario(random.Random(f"{policy}/{seed}"), policy))
        worst, arithmetic = off(scenario)
        assert worst <= BOUND, (policy, seed)
        arithmetics.add(arithmetic)
    return arithmetics


@pytest.mark.parametrize("policy", POLICIES)
def test_floats_keep_their_bound_where_events_tie(policy: str) -> None:
    assert check(policy, range(40)) == {"fast", "rounded"}


@pytest.mark.exhaustive
@pytest.mark.parametrize("policy", POLICIES)
def test_floats_keep_their_bound_in_many_scenarios(policy: str) -> None:
    assert check(policy, range(40, 2_000)) == {"fast", "rounded"}


def queues(*rates: Fraction | int) -> tuple[QueueScenario, ...]:
    return tuple(QueueScenario(Arrivals.constant(rate), F(0), F(2)) for rate in rates)


def test_large_weights_do_not_overfill_the_buffer() -> None:
    """A sum of slopes that lost a large weight kept its rounding error: lengths were wrong by half a percent of B."""
    weights = Weighted([1000, 1000, 5000, 1000])
    scenario = Scenario(1, Switch(4, 6, 2), weights, queues(22, F(97, 7), 20, 8), F(1, 2))
    assert off(scenario)[0] <= BOUND


@pytest.mark.parametrize("step", [F(0), F(1, 10**12), F(1, 10**18), F(-1, 10**15)])
def test_a_burst_that_ends_when_it_meets_its_threshold_runs_exactly(step: Fraction) -> None:
    """B = 6 and R = 3 C meet at 3/4 s; whether anything is lost depends on the last digit of when the burst ends."""
    burst = QueueScenario(Arrivals.burst(6, F(3, 4) + step), F(0), F(2))
    scenario = Scenario(1, Switch(1, 6, 2), Weighted([1]), (burst,), F(1))
    run = run_scenario(scenario, float)
    assert run.arithmetic == "rounded"
    assert run.first_drop(0) == (0.75 if step > 0 else None)


def test_queues_that_are_alike_may_tie_in_floats() -> None:
    scenario = Scenario(1, Switch(4, 6, 2), Weighted([1] * 4), queues(7, 7, 7, 7), F(1, 3))
    run = run_scenario(scenario, float)
    assert run.arithmetic == "fast"
    assert run.first_drop(0) == pytest.approx(float(run_scenario(scenario, F).first_drop(0) or 0))


def test_a_run_says_how_it_was_computed() -> None:
    assert simulate(Switch(1, 6, 1), Weighted([1]), {0: Arrivals.constant(3)}, until=4).arithmetic == "exact"
