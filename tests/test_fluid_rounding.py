"""Runs in floats without the native core: exact runs, rounded, within the bound that they state."""

import random
from fractions import Fraction
from typing import Any

import pytest
from refusals import refused

from dtmodel import Arrivals, InputError, Scenario, Switch, Weighted, simulate
from dtmodel.fluid import answer, run_scenario
from dtmodel.fluid.scenario import QueueScenario
from dtmodel.strategies import scenario_generator
from dtmodel.strategies.policy_generator import POLICIES

F = Fraction
BOUND = 1e-9


@pytest.fixture(autouse=True)
def _in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """See that no run is in the native core, which `test_native` tests."""
    monkeypatch.setattr("dtmodel.fluid.simulation.can_run", lambda _: False)


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
            free, about = exact.free_at_first_drop(index), fast.free_at_first_drop(index)
            gaps.append(abs(float(free or 0) - (about or 0)) / buffer)
        worst = max(worst, *gaps)
    return worst, fast.arithmetic


@pytest.mark.parametrize("seeds", [range(16), pytest.param(range(16, 2_000), marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("policy", POLICIES)
def test_floats_keep_their_bound_where_events_tie(policy: str, seeds: range) -> None:
    """One scenario in three is made to tie."""
    for seed in seeds:
        scenario = Scenario.read(scenario_generator.draw_scenario(random.Random(f"{policy}/{seed}"), policy))
        worst, arithmetic = off(scenario)
        assert worst <= BOUND, (policy, seed)
        assert arithmetic == "rounded"


def queues(*rates: Fraction | int) -> tuple[QueueScenario, ...]:
    return tuple(QueueScenario(Arrivals.constant(rate), F(0), F(2)) for rate in rates)


@pytest.mark.parametrize("step", [F(0), F(1, 10**12), F(1, 10**18), F(-1, 10**15)])
def test_a_burst_that_ends_when_it_meets_its_threshold_runs_exactly(step: Fraction) -> None:
    """B = 6 and R = 3 C meet at 3/4 s; whether anything is lost depends on the last digit of when the burst ends."""
    burst = QueueScenario(Arrivals.burst(6, F(3, 4) + step), F(0), F(2))
    scenario = Scenario(1, Switch(1, 6, 2), Weighted([1]), (burst,), F(1))
    run = run_scenario(scenario, float)
    assert run.arithmetic == "rounded"
    assert run == run_scenario(scenario, float)
    assert [queue.first_drop for queue in run.queues[:1]] == [run.first_drop(0)]
    assert run.first_drop(0) == (0.75 if step > 0 else None)


def test_rates_that_floats_do_not_keep_apart_run_exactly() -> None:
    close = queues(7, 7 + F(1, 10**20))
    assert run_scenario(Scenario(1, Switch(4, 6, 2), Weighted([1] * 2), close, F(1)), float).arithmetic == "rounded"


def test_a_run_says_how_it_was_computed() -> None:
    given: Any = Switch(1, 6, 1), Weighted([1]), {0: Arrivals.constant(F(7, 3))}
    exact = simulate(*given, until=4)
    quick = simulate(*given, until=4, arithmetic="float")
    assert (exact.arithmetic, exact.error_bound) == ("exact", 0)
    assert (quick.arithmetic, quick.engine, quick.error_bound) == ("rounded", "python", BOUND)
    assert exact.dropped(0) == F(7, 3)
    assert type(quick.dropped(0)) is float
    assert quick.dropped(0) == pytest.approx(7 / 3, rel=BOUND)
    for arithmetic in ("fast", None, float):
        with pytest.raises(InputError, match="arithmetic"):
            simulate(*given, until=4, arithmetic=arithmetic)  # type: ignore[call-overload]  # on purpose


@pytest.mark.parametrize(
    "policy",
    [
        {"name": "edt", "alpha": "1e12", "cn2": "6", "tm1": "1", "tm2": "1"},
        {"name": "dt", "alpha": "1e12"},
        {"name": "dt", "alpha": "1e6"},
    ],
)
def test_a_run_beside_a_steep_threshold_is_rounded_piece_by_piece(policy: dict[str, str]) -> None:
    """F is 5e-12 of B: read off a rounded F, alpha F would be wrong by 1e-4 of B."""
    document = {
        "switch": {"ports": 2, "buffer": "5", "rate": "5"},
        "policy": policy,
        "queues": [{"arrivals": [["0", "5"]], "initial": "steady"}, {"arrivals": [["1/3", "1"]]}],
        "until": "1",
    }
    worst, arithmetic = off(Scenario.read(document))
    assert (worst <= BOUND, arithmetic) == (True, "rounded")


@pytest.mark.parametrize(
    "arrivals",
    [
        Arrivals([(0, 2 + F(1, 10**20))]),
        Arrivals([(0, 3), (F(1, 3), 2 - F(1, 10**6)), (1, 4)]),
        Arrivals([(F(1, 3), 3), (F(1, 3) + F(1, 10**20), 9)]),
    ],
)
def test_inputs_that_floats_do_not_keep_apart_run_exactly(arrivals: Arrivals) -> None:
    scenario = Scenario(1, Switch(1, 6, 2), Weighted([1]), (QueueScenario(arrivals, F(0), F(2)),), F(2))
    assert run_scenario(scenario, float).arithmetic == "rounded"


def test_numbers_beyond_floats_are_named_and_no_fault_inside() -> None:
    far = {"switch": {"ports": 1, "buffer": "1e400", "rate": 1}, "policy": {"name": "dt", "alpha": 1}}
    far |= {"queues": [{"arrivals": [[0, 3]]}], "until": 4}
    assert answer(far)["drained"] == ["4"]
    with refused("arithmetic", "float"):
        answer(far, arithmetic="float")
