"""Runs in floats: within their bound of the exact run, always, and exact runs where rounding cannot decide."""

import random
from fractions import Fraction
from typing import Any

import pytest
from refusals import refused

from dtmodel import Arrivals, InputError, Scenario, Switch, Weighted, simulate
from dtmodel.fluid import answer, run_scenario
from dtmodel.fluid.dynamics import OnThreshold
from dtmodel.fluid.engine import Engine
from dtmodel.fluid.rounding import Rounding, UndecidedError
from dtmodel.fluid.scenario import QueueScenario
from dtmodel.policies import Changes, Memory, State
from dtmodel.strategies import scenario_generator
from dtmodel.strategies.policy_generator import POLICIES

F = Fraction
BOUND = 1e-9


@pytest.fixture(autouse=True)
def _in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """See that everything runs in Python; `test_native` has the native core."""
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
    arithmetics = set()
    for seed in seeds:
        scenario = Scenario.read(scenario_generator.draw_scenario(random.Random(f"{policy}/{seed}"), policy))
        worst, arithmetic = off(scenario)
        assert worst <= BOUND, (policy, seed)
        arithmetics.add(arithmetic)
    assert arithmetics == {"float", "rounded"}


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
    assert run == run_scenario(scenario, float)
    assert [queue.first_drop for queue in run.queues[:1]] == [run.first_drop(0)]
    assert run.first_drop(0) == (0.75 if step > 0 else None)


def test_queues_that_are_alike_may_tie_in_floats() -> None:
    scenario = Scenario(1, Switch(4, 6, 2), Weighted([1] * 4), queues(7, 7, 7, 7), F(1, 3))
    run = run_scenario(scenario, float)
    assert run.arithmetic == "float"
    assert run.first_drop(0) == pytest.approx(float(run_scenario(scenario, F).first_drop(0) or 0))


def test_queues_are_alike_until_something_happens_to_one_of_them() -> None:
    """Bursts of one rate meet their thresholds together, whenever they end; after rates of its own one has no kin."""
    long, short = (QueueScenario(Arrivals.burst(7, end), F(0), F(2)) for end in (F(2), F(3, 2)))
    alike = run_scenario(Scenario(1, Switch(4, 6, 2), Weighted([1] * 2), (long, short), F(1)), float)
    assert alike.arithmetic == "float"
    split = QueueScenario(Arrivals([(0, F(13, 2)), (F(1, 10), F(15, 2)), (F(1, 5), 7)]), F(0), F(2))
    tied = run_scenario(Scenario(1, Switch(4, 6, 2), Weighted([1] * 2), (long, split), F(1)), float)
    assert tied.arithmetic == "rounded"


def test_a_queue_with_a_threshold_of_its_own_is_no_longer_like_the_others() -> None:
    class Later(Memory[float]):
        def act(self, state: State[float]) -> Changes[float]:
            return {0: (0.0, 1.0)} if state.now == 1 else {}

        def wakes(self, state: State[float]) -> list[float]:
            return [1.0] if state.now < 1 else []

    engine = Engine(float, 6.0, [2.0] * 3, [(1.0, 0.0)] * 3, [[]] * 3, [0.0] * 3, memory=Later(), kinds=[0, 0, 0])
    engine.run(2.0)
    assert engine.kinds[1:] == [0, 0]
    assert engine.kinds[0] != 0


def test_rates_that_floats_do_not_keep_apart_run_exactly() -> None:
    close = queues(7, 7 + F(1, 10**20))
    assert run_scenario(Scenario(1, Switch(4, 6, 2), Weighted([1] * 2), close, F(1)), float).arithmetic == "rounded"


def test_a_run_says_how_it_was_computed() -> None:
    given: Any = Switch(1, 6, 1), Weighted([1]), {0: Arrivals.constant(F(7, 3))}
    exact = simulate(*given, until=4)
    quick = simulate(*given, until=4, arithmetic="float")
    assert (exact.arithmetic, exact.error_bound) == ("exact", 0)
    assert (quick.arithmetic, quick.error_bound) == ("float", BOUND)
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
def test_a_steep_threshold_follows_a_free_buffer_that_is_known_to_its_last_digit(policy: dict[str, str]) -> None:
    """F is 5e-12 of B: taken as B - sum Q it would have no digit left, and alpha F would be wrong by 1e-4 of B."""
    document = {
        "switch": {"ports": 2, "buffer": "5", "rate": "5"},
        "policy": policy,
        "queues": [{"arrivals": [["0", "5"]], "initial": "steady"}, {"arrivals": [["1/3", "1"]]}],
        "until": "1",
    }
    worst, arithmetic = off(Scenario.read(document))
    assert (worst <= BOUND, arithmetic) == (True, "float")


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


def test_a_length_near_a_threshold_is_on_no_certain_side_of_it() -> None:
    account = Rounding(6.0, 2)
    account.side(1e-3, 1.0)
    for room, slope in ((1e-15, 1.0), (-1e-15, 1.0), (1e-8, 1e12)):
        with pytest.raises(UndecidedError, match="side of its threshold"):
            account.side(room, slope)
    for _ in range(10**6):
        account.count()
    with pytest.raises(UndecidedError):
        account.side(1e-9, 1.0)


def test_a_queue_that_just_follows_its_threshold_does_so_with_no_certainty() -> None:
    """F' = 2 is the quotient of sums of the size of 10: it is certain to 1e-10, unless nothing was summed up."""
    account = Rounding(6.0, 2)
    account.phase([(2.1, 2.0), (0.0, 2.0)], 2.0, 10.0, 2.0)
    account.phase([(0.0, 0.0)], 0.0, 0.0, 2.0)
    for border in (2.0, 2 + 1e-11, 2 - 1e-11):
        with pytest.raises(UndecidedError, match="follows its threshold"):
            account.phase([(9.0, 2.0), (border, 2.0)], 2.0, 10.0, 2.0)


def test_a_sign_that_rounding_may_have_made_decides_nothing() -> None:
    account = Rounding(6.0, 2)
    account.decide(1e-3, 6.0)
    for difference in (0.0, 1e-12, -1e-12):
        with pytest.raises(UndecidedError, match="a difference"):
            account.decide(difference, 6.0)


@pytest.mark.parametrize("speed", [1.0, 1e-6])
def test_events_that_are_closer_than_their_uncertainty_have_no_certain_order(speed: float) -> None:
    """Whoever closes in slowly arrives at no certain instant; queues of a kind arrive together."""
    account = Rounding(6.0, 2)
    account.note(1.0, 1.0, speed, (0, False), slope=speed, law=0.0)
    account.note(1.0, 1.0, speed, (0, False), slope=speed, law=0.0)
    account.first(1.0, [2.0])
    for other in (1.0, 1 + 1e-12, 1 - 1e-12):
        account.note(1.0, 1.0, speed, (0, False), slope=speed, law=0.0)
        with pytest.raises(UndecidedError, match="comes first"):
            account.first(min(1.0, other), [other])
    account.note(1.0, 1.0, speed, (0, False), slope=speed, law=0.0)
    if speed == 1.0:
        account.first(1.0, [1 + 1e-9])
    else:
        with pytest.raises(UndecidedError, match="comes first"):
            account.first(1.0, [1 + 1e-9])


def test_a_queue_whose_bytes_do_not_balance_was_led_astray() -> None:
    queue = run_scenario(Scenario(1, Switch(1, 6, 2), Weighted([1]), queues(7), F(1)), float).queues[0]
    account = Rounding(6.0, 1)
    account.balance(queue, 7.0)
    with pytest.raises(UndecidedError, match="neither held"):
        account.balance(queue, 7 + 1e-6)


def test_a_sum_of_slopes_does_not_keep_the_rounding_error_of_a_large_one() -> None:
    on = OnThreshold(float)
    for queue, slope in enumerate((0.1, 1e16, 0.2)):
        on.add(queue, slope, 0.0, -1.0, 1.0, 1.0)
    on.remove(1)
    assert on.slopes == pytest.approx(0.3)


def test_an_event_that_nothing_tells_is_not_certain() -> None:
    with pytest.raises(UndecidedError, match="which event comes first"):
        Rounding(6.0, 2).first(1.0, [2.0])


def test_numbers_beyond_floats_are_named_and_no_fault_inside() -> None:
    far = {"switch": {"ports": 1, "buffer": "1e400", "rate": 1}, "policy": {"name": "dt", "alpha": 1}}
    far |= {"queues": [{"arrivals": [[0, 3]]}], "until": 4}
    assert answer(far)["drained"] == ["4"]
    with refused("arithmetic", "float"):
        answer(far, arithmetic="float")
