"""The native core: its answers are within its bounds of the exact engine, and ties run exactly."""

import os
import random
import subprocess
import sys
from fractions import Fraction
from math import inf, isnan
from typing import Any

import pytest
from fluid_cases import batch, on_off
from hypothesis import Phase, given, settings

from dtmodel import (
    DT,
    Arrivals,
    BudgetError,
    Pool,
    QueueLimits,
    Scenario,
    SharedPools,
    Switch,
    Weighted,
    simulate,
)
from dtmodel.base import budgets
from dtmodel.fluid import answer, run_scenario
from dtmodel.fluid.batch import Batch, RunSummary, can_run
from dtmodel.fluid.scenario import QueueScenario
from dtmodel.policies import Policy, Threshold
from dtmodel.policies.memory import Memory, State
from dtmodel.policies.policy import Part
from dtmodel.strategies import scenarios
from dtmodel.studies.sweeps import scenarios as scenario_sweeps
from dtmodel.studies.sweeps.running import read_plan

F = Fraction
pytestmark = pytest.mark.needs("native")
BOUND = 1e-9
KINDS: tuple[Any, Any] = ("float", "exact")
POLICIES = ("dt", "weighted", "abm", "l2bm", "static", "pools", "edt", "complete")


def agrees(scenario: Scenario, outcome: RunSummary) -> None:
    """Compare with the exact engine: who loses, when, how much; lengths within the bound that was carried."""
    exact = run_scenario(scenario, F)
    buffer, until = float(scenario.switch.buffer), float(scenario.until)
    for index, queue in enumerate(exact.queues):
        scale = max(buffer, float(scenario.queues[index].arrivals.offered(scenario.until)))
        first, free = queue.first_drop, exact.free_at_first_drop(index)
        assert (first is None) == (outcome.first_drop[index] is None)
        if first is not None and free is not None:
            assert outcome.first_drop[index] == pytest.approx(float(first), abs=BOUND * until)
            assert outcome.free_at_first_drop[index] == pytest.approx(float(free), abs=BOUND * buffer)
        assert outcome.dropped[index] == pytest.approx(float(queue.dropped()), abs=BOUND * scale)
        assert outcome.drained[index] == pytest.approx(float(queue.drained()), abs=BOUND * scale)
        for time, row in zip(scenario.sample, outcome.lengths, strict=True):
            assert row[index] == pytest.approx(float(queue.at(time)), rel=1e-15, abs=outcome.bound)


def traced_agrees(scenario: Scenario, run: Any) -> None:
    """Compare the trajectories with those of the exact engine."""
    exact, buffer, until = run_scenario(scenario, F), float(scenario.switch.buffer), float(scenario.until)
    for index, (queue, other) in enumerate(zip(run.queues, exact.queues, strict=True)):
        scale = max(buffer, float(scenario.queues[index].arrivals.offered(scenario.until)))
        first, free = other.first_drop, exact.free_at_first_drop(index)
        assert (first is None) == (queue.first_drop is None)
        if first is not None and free is not None:
            assert queue.first_drop == pytest.approx(float(first), abs=BOUND * until)
            assert run.free_at_first_drop(index) == pytest.approx(float(free), abs=BOUND * buffer)
        assert queue.totals == pytest.approx([float(total) for total in other.totals], abs=BOUND * scale)
        for time in scenario.sample:
            assert queue.at(float(time)) == pytest.approx(float(other.at(time)), abs=BOUND * buffer)
        laws = [law for law in queue.limits if law[0] == 0], [tuple(map(float, law)) for law in other.limits[:1]]
        begin = pytest.approx(float(other.threshold_at(0)), abs=BOUND * buffer)
        assert (
            laws[0] == laws[1] or queue.threshold_at(0.0) == begin
        )  # of a weight and a cap that meet, either is named


@pytest.mark.parametrize("policy", POLICIES)
def test_the_core_agrees_with_the_exact_engine(policy: str) -> None:
    decided = []

    @settings(max_examples=25, derandomize=True, deadline=None, database=None, phases=[Phase.generate])
    @given(scenarios(policy))
    def check(scenario: Scenario) -> None:
        run = run_scenario(scenario, float)
        limits = scenario.policy.limits if isinstance(scenario.policy, SharedPools) else ()
        full = any(limit.alpha is None for limit in limits)  # a pool that can be full is not in the core
        assert can_run(scenario) is not full
        if full:
            assert run.arithmetic == "rounded"
            return
        if run.engine == "native":
            traced_agrees(scenario, run)
        parts = scenario.policy.parts(scenario.switch.buffer, len(scenario.queues), *scenario.lumped)
        try:
            (outcome,) = batch(scenario).outcomes()
        except ArithmeticError:  # several parts, or instants that are too close
            outcome = None
        assert outcome is None or len(parts) == 1
        decided.append(run.engine == "native")
        if outcome is not None:
            agrees(scenario, outcome)
        elif len(parts) == 1:
            assert run.arithmetic == "rounded"

    check()
    assert sum(decided) > len(decided) / 3


def among_many(scenario: Scenario) -> Batch:
    """Return the scenario with as many idle queues as make the core look for the next event in another way."""
    made, more = batch(scenario), 400
    nothing = dict.fromkeys(("offset", "initial", "steady", "reserve"), 0)
    idle = nothing | {"rate": 1, "slope": 1, "count": 1, "cap": inf}
    for name, value in idle.items():
        made.arrays[name].extend([value] * more)
    made.arrays["piece_begin"].extend([made.arrays["piece_begin"][-1]] * more)
    made.arrays["queue_begin"][1] += more
    made.arrays["length_begin"][1] += more * len(scenario.sample)
    return made


def test_few_queues_and_many_have_the_same_answers() -> None:
    decided = []

    @settings(max_examples=40, derandomize=True, deadline=None, database=None, phases=[Phase.generate])
    @given(scenarios("dt") | scenarios("weighted") | scenarios("static"))
    def check(scenario: Scenario) -> None:
        try:
            outcomes = [made.outcomes()[0] for made in (batch(scenario), among_many(scenario))]
        except ArithmeticError:  # floats do not suit its numbers
            outcomes = [None]
        decided.append(None not in outcomes)
        for outcome in filter(None, outcomes):
            agrees(scenario, outcome._replace(lengths=[row[: len(scenario.queues)] for row in outcome.lengths]))

    check()
    assert sum(decided) > len(decided) / 3


@pytest.mark.parametrize("slope", [F(1), F(1, 2)])
def test_a_queue_that_the_free_buffer_meets_long_before_the_horizon_is_found(slope: F) -> None:
    """Nothing happens for long, so the core looks far ahead: there a queue that drains is far from F, now it is not."""
    drains = QueueScenario(Arrivals([(F(0), F(1))]), 1100 * slope, 4 * slope)
    burst = QueueScenario(Arrivals([(F(100), F(1400)), (F(101), F(0))]), F(0), F(1))
    weights = Weighted((slope, F(10)))
    scenario = Scenario(1, Switch(2, 1500 + 1100 * slope, 1), weights, (drains, burst), F(1000), (F(101), F(103)))
    (outcome,) = among_many(scenario).outcomes()
    assert outcome is not None
    assert outcome.dropped[0] > 0
    assert outcome.first_drop[0] is not None
    assert 100 < outcome.first_drop[0] < 101
    agrees(scenario, outcome._replace(lengths=[row[:2] for row in outcome.lengths]))


@pytest.mark.parametrize(("queues", "bursts", "until"), [(8, 60, 240), (380, 8, 40)])
def test_long_runs_of_few_queues_and_of_many_have_the_same_answers(queues: int, bursts: int, until: int) -> None:
    long = on_off(queues, bursts, 4, until)
    few, many = (made.outcomes()[0] for made in (batch(long), among_many(long)))
    assert few is not None
    assert many is not None
    assert many.events > 1000
    assert few.events == pytest.approx(many.events, abs=1 + queues // 100)  # events within one tick may be one
    assert few.first_drop == pytest.approx(many.first_drop[:queues], rel=BOUND)
    assert few.dropped == pytest.approx(many.dropped[:queues], rel=BOUND)
    assert few.bound == pytest.approx(many.bound, rel=1e-3)  # a queue found late would be a jump, which it counts


def test_many_queues_that_the_free_buffer_passes_one_after_the_other_are_all_found() -> None:
    """Nothing else changes meanwhile, so that no phase may go as far as the next change."""
    rng, ports = random.Random(3), 300
    stay = [
        QueueScenario(Arrivals.constant(F(rng.randint(201, 300), 200)), F(rng.randint(1, 10**6), 2 * 10**6), F(1))
        for _ in range(ports)
    ]
    grows = QueueScenario(Arrivals.constant(F(ports, 2)), F(0), F(1))
    buffer = sum((queue.initial or F(0) for queue in stay), F(3, 5))
    policy = Weighted((F(1),) * ports + (F(4 * ports),))
    scenario = Scenario(1, Switch(ports + 1, buffer, 1), policy, (*stay, grows), F(64))
    few, many = (made.outcomes()[0] for made in (batch(scenario), among_many(scenario)))
    assert few is not None
    assert many is not None
    assert few.events == pytest.approx(many.events, abs=2)
    assert min(few.first_drop[:ports], key=lambda time: time or 0) is not None
    assert few.first_drop == pytest.approx(many.first_drop[: ports + 1], rel=BOUND)
    assert few.dropped == pytest.approx(many.dropped[: ports + 1], rel=BOUND)


@pytest.mark.parametrize("seed", range(3))
def test_long_runs_stay_within_their_bounds(seed: int) -> None:
    scenario = on_off(8, 12, seed, 60)
    (outcome,) = batch(scenario).outcomes()
    assert outcome is not None
    assert outcome.events > 200
    agrees(scenario, outcome)
    assert outcome.bound < 1e-10


@pytest.mark.parametrize(
    ("queues", "bursts", "until", "parts", "events"),
    [(500, 4, 40, 10, 2000), pytest.param(4096, 80, 320, 10**6, 10**6, marks=pytest.mark.exhaustive)],
)
def test_a_large_switch_is_decided_and_keeps_its_books(
    queues: int, bursts: int, until: int, parts: int, events: int
) -> None:
    """At the full size 4,096 ports are busy for a million events."""
    scenario = on_off(queues, bursts, 1, until, parts)
    with budgets.raised(phases=10**7):
        (outcome,) = batch(scenario).outcomes()
    assert outcome is not None
    assert outcome.events > events
    assert outcome.bound < 1e-16 * outcome.events * queues  # of the buffer, of `queues` bytes: below an ulp an event
    for row in outcome.lengths:
        assert min(row) >= 0
        assert sum(row) <= queues * (1 + BOUND)
    for index, queue in enumerate(scenario.queues):
        sent, held = outcome.dropped[index] + outcome.drained[index], outcome.lengths[0][index]
        assert sent + held == pytest.approx(float(queue.arrivals.offered(scenario.until)), rel=BOUND)


def test_rates_that_tie_in_floats_alone_do_not_stop_the_core() -> None:
    outcomes = batch(*(on_off(8, 150, seed, 600) for seed in range(3))).outcomes()
    assert None not in outcomes


def test_a_queue_that_is_empty_when_its_burst_begins_is_not_on_its_threshold() -> None:
    """Both happen at 1/2 s, in the same tick."""
    queue = QueueScenario(Arrivals([(F(1, 2), 2)]), F(1, 2), F(1))
    scenario = Scenario(1, Switch(1, 9, 1), DT("3/4"), (queue,), F(1), (F(1, 2), F(1)))
    (outcome,) = batch(scenario).outcomes()
    assert outcome is not None
    assert [list(row) for row in outcome.lengths] == [[0.0], [0.5]]
    agrees(scenario, outcome)


def burst_until(end: F) -> Scenario:
    burst = QueueScenario(Arrivals.burst(6, end), F(0), F(2))
    return Scenario(1, Switch(1, 6, 2), Weighted([1]), (burst,), F(1))


def test_a_difference_below_all_digits_of_the_core_runs_exactly() -> None:
    scenario = burst_until(F(3, 4) + F(1, 10**40))
    assert batch(scenario).outcomes() == [None]
    assert run_scenario(scenario, float).arithmetic == "rounded"


@pytest.mark.parametrize(("step", "first", "lost"), [(F(1, 10**12), 0.75, 4e-12), (F(-1, 10**12), None, 0)])
def test_a_burst_that_ends_a_little_later_runs_in_the_core(step: F, first: float | None, lost: float) -> None:
    (outcome,) = batch(burst_until(F(3, 4) + step)).outcomes()
    assert outcome is not None
    assert (outcome.first_drop, outcome.dropped[0]) == ([first], pytest.approx(lost, rel=1e-3))


@pytest.mark.parametrize("step", [F(0), F(1, 10**18), F(-1, 10**15)])
def test_a_burst_that_ends_when_it_meets_its_threshold_is_decided_by_the_last_digit(step: F) -> None:
    """B = 6 and R = 3 C meet at 3/4 s; whether anything is lost depends on the last digit of when the burst ends."""
    scenario = burst_until(F(3, 4) + step)
    assert batch(scenario).run() == 1
    run = run_scenario(scenario, float)
    assert (run.arithmetic, run.engine, run.first_drop(0)) == ("float", "native", 0.75 if step > 0 else None)


@pytest.mark.parametrize("policy", ["alone", "twice"])
def test_queues_that_meet_their_thresholds_together_run_in_the_core(policy: str) -> None:
    burst = {0: Arrivals.burst(F(7, 3), 4), 1: Arrivals.burst(F(7, 3), 4)}
    counts = {"alone": None, "twice": {0: 3, 1: 2}}[policy]
    given = (Switch(9, 7, 1), DT(1), burst)
    run, exact = (simulate(*given, until=9, counts=counts, arithmetic=kind) for kind in KINDS)
    assert (run.arithmetic, run.engine) == ("float", "native")
    for index in (0, 1):
        assert run.first_drop(index) == pytest.approx(float(exact.first_drop(index)), rel=1e-12)
        assert run.queue(index).at(8.0) == pytest.approx(float(exact.queue(index).at(8)), rel=1e-12)
        assert run.queue(index).threshold_at(3.0) == pytest.approx(float(exact.queue(index).threshold_at(3)))
        assert run.dropped(index) == pytest.approx(float(exact.dropped(index)), rel=1e-12)
        assert list(run.queue(index).limits) == [(0.0, 1.0, 0.0)]


@pytest.mark.parametrize("alpha", ["1e12", "1e6", "1e-9"])
def test_a_steep_threshold_follows_a_free_buffer_that_is_known_to_its_last_digit(alpha: str) -> None:
    steady, later = Arrivals.constant(5), Arrivals([("1/3", 1)])
    run, exact = (
        simulate(Switch(2, 5, 5), DT(alpha), {0: steady, 1: later}, initial={0: "steady"}, until=1, arithmetic=kind)
        for kind in KINDS
    )
    assert run.engine == "native" or run.arithmetic == "rounded"
    for time in ("0", "1/4", "1/2", "1"):
        assert run.queue(0).at(time) == pytest.approx(float(exact.queue(0).at(time)), abs=5 * BOUND)


class Rising(Policy):
    """A policy of somebody else's: thresholds with an offset."""

    def thresholds(self, queues: int) -> list[Threshold]:
        return [Threshold(F(1, 2), F(1, 3))] * queues


@pytest.mark.parametrize("ports", [3, 400])
def test_weights_that_are_all_gone_leave_no_rounding_error(ports: int) -> None:
    alphas = [F(2) ** 110, F(2) ** 53, F(3, 2)]  # what the first hides of the others is rounded when these leave it
    offers = [[(0, 2), (1, 0)], [(0, 2), (1, 0)], [(0, 2), (1, 0), (2, 4)]]
    queues = [QueueScenario(Arrivals([(F(t), F(rate)) for t, rate in offer]), None, F(1)) for offer in offers]
    queues += [QueueScenario(Arrivals.constant(0), F(0), F(1))] * (ports - 3)
    scenario = Scenario(1, Switch(ports, 8, 1), DT([*alphas, *[F(1)] * (ports - 3)]), tuple(queues), F(6))
    (outcome,) = batch(scenario).outcomes()
    exact = run_scenario(scenario, F)
    assert outcome is not None
    assert list(outcome.dropped) == [float(exact.dropped(queue)) for queue in range(ports)]  # to the last digit


def test_the_free_buffer_is_that_of_the_pool() -> None:
    pool = SharedPools([QueueLimits(1)], [Pool(3, [0])])
    run, exact = (
        simulate(Switch(1, 8, 1), pool, {0: Arrivals.constant(3)}, until=4, arithmetic=kind) for kind in KINDS
    )
    assert run.engine == "native"
    assert (run.first_drop(0), run.free_at_first_drop(0)) == (exact.first_drop(0), exact.free_at_first_drop(0))
    assert run.free.at(0.0) == 3


def test_a_policy_from_outside_with_offsets_runs_in_the_core() -> None:
    traffic = {0: Arrivals.burst(4, 3), 1: Arrivals.constant(F(3, 2))}
    run, exact = (simulate(Switch(4, 5, 1), Rising(), traffic, until=8, arithmetic=kind) for kind in KINDS)
    assert run.engine == "native"
    assert [run.first_drop(i) for i in (0, 1)] == pytest.approx([float(exact.first_drop(i)) for i in (0, 1)])


TWO = (9, {"name": "edt", "alpha": "1/2", "cn2": 1, "tm1": 1, "tm2": "5/4"}, ([[0, "10/3"]], [["1/2", "7/3"], [3, 0]]))
TM1_FIRST = 100, {"name": "edt", "alpha": 1, "cn2": 2, "tm1": 1}, ([[0, "3/2"], ["3/4", 4]],)
TM2_LAST = 12, {"name": "edt", "alpha": 1, "cn2": "1/3", "tm2": 5}, ([["5/3", 2]],)


@pytest.mark.parametrize(("buffer", "policy", "traffic"), [TWO, TM1_FIRST, TM2_LAST])
def test_thresholds_that_change_are_those_of_the_exact_run(
    buffer: int, policy: dict[str, object], traffic: tuple[Any, ...]
) -> None:
    switch, queues = {"ports": 4, "buffer": buffer, "rate": 1}, [{"arrivals": each} for each in traffic]
    scenario = Scenario.read({"switch": switch, "policy": policy, "queues": queues, "until": 7})
    run, exact = run_scenario(scenario, float), run_scenario(scenario, F)
    assert run.engine == "native"
    for queue, other in zip(run.queues, exact.queues, strict=True):
        assert len(other.limits) > 1
        assert [x for law in queue.limits for x in law] == pytest.approx(
            [float(x) for law in other.limits for x in law]
        )
        begins = [each.begin for each in queue.segments]  # the exact engine begins none where the motion remains
        assert all(any(begin == pytest.approx(float(each.begin)) for begin in begins) for each in other.segments)


class Doubled(Memory[F]):
    """A memory that the core has never heard of."""

    def act(self, state: State[F]) -> dict[int, tuple[F, F]]:
        return {0: (2 * state.buffer / state.buffer, 0 * state.buffer)} if state.now == 0 else {}

    def wakes(self, state: State[F]) -> list[F]:
        del state
        return []


class Remembers(Rising):
    """A policy of somebody else's that remembers something."""

    def memory(self, part: Part, number: Any) -> Any:
        del part, number
        return Doubled()


def test_what_the_core_has_not_runs_in_python() -> None:
    run = simulate(Switch(1, 6, 1), Remembers(), {0: Arrivals.constant(3)}, until=4, arithmetic="float")
    assert not can_run(run.scenario)
    assert (run.engine, run.first_drop(0)) == ("python", 2.0)


def test_a_run_with_too_many_phases_is_refused() -> None:
    with budgets.raised(phases=50):
        assert batch(on_off(4, 20, 1, 90)).outcomes() == [None]
        with pytest.raises(BudgetError):  # by the exact engine, which runs what the core does not
            run_scenario(on_off(4, 20, 1, 90), float)


def test_instants_that_fall_together_run_exactly() -> None:
    close = Arrivals([(F(1, 3), 3), (F(1, 3) + F(1, 10**20), 9)])
    with pytest.raises(ArithmeticError):
        batch(Scenario(1, Switch(1, 6, 2), Weighted([1]), (QueueScenario(close, F(0), F(2)),), F(2)))


def test_a_run_ends_at_the_float_nearest_to_its_end() -> None:
    """From whole ticks of 61 digits it would be rounded twice, here to a float before it."""
    pools = [{"size": 3, "queues": [queue]} for queue in (0, 1)]
    document = {
        "switch": {"ports": 2, "buffer": 6, "rate": 1}, "queues": [{"arrivals": [[0, 3]]}] * 2,
        "policy": {"name": "pools", "limits": [{"alpha": 1}] * 2, "pools": pools},
        "until": "11.561998", "sample": ["11.561998"],
    }  # fmt: skip
    found = answer(document, arithmetic="float")
    assert (found["engine"], found["queues"]) == ("native", [[1.5, 1.5]])


def test_without_the_core_everything_runs_in_python() -> None:
    code = (
        "from dtmodel import *; from dtmodel.native.library import status; print(status());"
        "print(simulate(Switch(1, 6, 1), DT(1), {0: Arrivals.constant(3)}, until=4, arithmetic='float').engine)"
    )
    for value in ("0", "/there/is/none.so"):
        environment = os.environ | {"DTMODEL_NATIVE": value}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
        assert done.stdout.startswith("Python (")
        assert done.stdout.endswith("\npython\n")


def test_a_sweep_in_floats_runs_in_the_core_where_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """A burst that ends as it meets its threshold runs in numbers that decide ties, under both policies."""
    queue = {"arrivals": [[0, 6], ["3/4", 0]]}
    document = {
        "scenario": {
            "switch": {"ports": 1, "buffer": 6, "rate": 2},
            "queues": [queue],
            "until": 1,
            "sample": [1, "1/2"],
        },
        "policies": {"DT": {"name": "dt", "alpha": 1}, "EDT": {"name": "edt", "alpha": 1, "cn2": 6}},
        "axes": {"end": {"set": "queues[0].arrivals[1][0]", "values": ["3/4", "7/8", "15/16"]}},
    }
    seen: list[list[bool]] = []
    in_core = scenario_sweeps.summaries

    def watched(cases: list[Scenario]) -> list[RunSummary | None]:
        found = in_core(cases)
        seen.append([summary is not None for summary in found])
        return found

    monkeypatch.setattr(scenario_sweeps, "summaries", watched)
    here = read_plan(document | {"arithmetic": "float"}).compute(0, 6)
    assert seen == [[True, True]]  # the others are run in columns, without a scenario for each
    assert not here["rounded"].any()
    exactly = read_plan(document | {"arithmetic": "exact"}).compute(0, 6)
    for name in ("first_drop", "free_at_first_drop", "dropped", "drained", "length"):
        expected = [-1.0 if value is None else float(F(value)) for value in exactly[name]]
        assert [-1.0 if isnan(value) else value for value in here[name]] == pytest.approx(expected, rel=BOUND)


@pytest.mark.parametrize("alpha", ["1e-308", "1e-300", "1e200", "1e308"])
@pytest.mark.parametrize("rate", ["2", "1e200"])
def test_a_border_beyond_all_numbers_lets_in_no_place_without_a_queue(alpha: str, rate: str) -> None:
    """The core once wrote beyond its list of meetings there, which ended the process."""
    burst = {"switch": {"ports": 2, "buffer": 10**6, "rate": 1}, "policy": {"name": "dt", "alpha": alpha}, "until": 2}
    document = burst | {"queues": [{"arrivals": [[0, rate]]}]}
    exact, found = answer(document), answer(document, arithmetic="float")
    for name, bound in (("first_drop", 2e-9), ("free_at_first_drop", 1e-3), ("dropped", 1e-3 + 2e-9 * float(rate))):
        for one, other in zip(exact[name], found[name], strict=True):
            assert (one is None) == (other is None)
            assert one is None or abs(float(Fraction(one)) - float(other)) <= bound
