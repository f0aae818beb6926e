"""EDT, reserves, caps and complete sharing in the native core: it decides generic traffic and ties as exact runs do."""

import os
import random
from collections import Counter
from fractions import Fraction

import pytest
from fluid_cases import batch
from test_native import POLICIES, agrees, traced_agrees

from dtmodel import DT, EDT, Arrivals, QueueLimits, Scenario, SharedPools, Switch, simulate
from dtmodel.fluid import run_scenario
from dtmodel.fluid.batch import Batch, RunSummary, columns_of
from dtmodel.fluid.scenario import QueueScenario
from dtmodel.policies import Policy, Threshold
from dtmodel.policies.complete import CompleteSharing
from dtmodel.strategies.scenario_generator import draw_scenario

F = Fraction
pytestmark = pytest.mark.needs("native")
KINDS = ("edt", "reserves", "caps")


def bursts(kind: str, ports: int, seed: int, parts: int, number: int = 4, constant: tuple[F, ...] = ()) -> Scenario:
    """Random bursts at half of the ports, `constant` rates at others; all numbers are multiples of 1 / `parts`."""
    rng = random.Random(f"{ports} {seed}")

    def between(least: F, most: F) -> F:
        return F(rng.randint(int(least * parts), int(most * parts)), parts)

    queues = [QueueScenario(Arrivals.constant(rate), F(0), F(1)) for rate in constant]
    for _ in range(ports // 2):
        now, pieces = F(0), []
        for _ in range(number):
            begin = now + between(F(1, parts), F(4))
            now = begin + between(F(1, parts), F(4))
            pieces += [(begin, between(F(5, 4), F(4))), (now, F(0))]
        queues.append(QueueScenario(Arrivals(pieces), F(0), F(1)))
    cn2, tm1, tm2 = between(F(1, 4), F(3, 2)), between(F(1, 2), F(3)), between(F(1, 2), F(6))
    limits = [(between(F(1, 4), F(1, 2)), between(F(1, 2), F(3))) for _ in queues]
    policy: Policy = EDT(1, cn2, tm1, tm2)
    if kind == "complete":
        policy = CompleteSharing()
    elif kind != "edt":
        caps = kind == "caps"
        policy = SharedPools([QueueLimits(1, 0 if caps else own, cap if caps else None) for own, cap in limits])
    until = F(4 * number)
    return Scenario(1, Switch(ports, ports, 1), policy, tuple(queues), until, (until / 3, until))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ports", "seeds"), [(4, 12), (8, 4), (32, 1)])
def test_generic_bursts_are_decided_in_the_core_and_agree_with_exact_runs(kind: str, ports: int, seeds: int) -> None:
    for seed in range(seeds):
        scenario = bursts(kind, ports, seed, 10**6)
        (outcome,) = batch(scenario).outcomes()
        assert outcome is not None
        agrees(scenario, outcome)


@pytest.mark.parametrize("kind", KINDS)
def test_queues_that_are_offered_their_rate_or_less_are_certain_to_stay_empty(kind: str) -> None:
    """Also while the buffer is full, where a queue that is only nearly empty would lose bytes."""
    cases = [bursts(kind, 16, seed, 10**6, constant=(F(1, 2), F(1), F(1))) for seed in range(30)]
    made = batch(*cases)
    assert made.run() == 0
    for case, outcome in zip(cases[:8], made.outcomes(), strict=False):
        assert outcome is not None
        agrees(case, outcome)


@pytest.mark.parametrize("step", [F(0), F(1, 10**19), -F(1, 10**19), F(1, 10**14), F(1, 10**10)])
def test_a_queue_that_is_nearly_empty_as_the_buffer_is_full_loses_bytes(step: F) -> None:
    """It drains so slowly that doubles do not say whether it is empty before the buffer is full, after 4 seconds."""
    C = F(10**9, 7)
    rates = ((4 * C, F(0)), (C * 999 / 1000, (4 + step) * C / 1000))
    queues = tuple(QueueScenario(Arrivals.constant(rate), length, C) for rate, length in rates)
    scenario = Scenario(1, Switch(2, 12 * C, C), EDT(1, C), queues, F(8))
    assert (run_scenario(scenario, F).first_drop(1) is None) == (step <= 0)
    agrees(scenario, decided(scenario))


@pytest.mark.parametrize("kind", [*KINDS, "complete"])
@pytest.mark.parametrize("ports", [256, pytest.param(1024, marks=pytest.mark.exhaustive)])
def test_errors_of_many_queues_do_not_add_up_until_a_run_is_undecided(kind: str, ports: int) -> None:
    made = batch(bursts(kind, ports, 1, 10**6))
    assert made.run() == 0
    assert made.arrays["bound"][0] < 1e-11 * ports


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", KINDS)
def test_a_switch_of_256_ports_agrees_with_its_exact_run(kind: str) -> None:
    scenario = bursts(kind, 256, 2, 10**6)
    (outcome,) = batch(scenario).outcomes()
    assert outcome is not None
    agrees(scenario, outcome)


def decided(scenario: Scenario) -> RunSummary:
    (outcome,) = batch(scenario).outcomes()
    assert outcome is not None
    return outcome


@pytest.mark.parametrize("kind", [*KINDS, "complete"])
@pytest.mark.parametrize(("ports", "seeds"), [(4, 12), (16, 1)])
def test_bursts_on_a_round_grid_are_decided_in_the_core_and_agree_with_exact_runs(
    kind: str, ports: int, seeds: int
) -> None:
    for seed in range(seeds):
        scenario = bursts(kind, ports, seed, 4)
        agrees(scenario, decided(scenario))


@pytest.mark.parametrize("kind", [*KINDS, "complete"])
@pytest.mark.parametrize("parts", [4, 10**6])
def test_long_runs_of_many_busy_queues_are_decided_in_numbers_that_decide_ties(kind: str, parts: int) -> None:
    """Their errors stay small, although each event follows from the one before."""
    made = Batch(ties=True)
    for seed in range(3):
        made.add(bursts(kind, 64, seed, parts, 16))
    assert None not in made.outcomes()
    scenario = bursts(kind, 8, 1, parts, 12)
    made = Batch(ties=True)
    made.add(scenario)
    (outcome,) = made.outcomes()
    assert outcome is not None
    agrees(scenario, outcome)


@pytest.mark.parametrize(
    ("buffer", "policy", "pieces", "until"),
    [
        # c2 reaches cn2 as the arrivals of its queue fall to its rate, or below it
        (5, EDT(1, F(4, 3), 4, F(10, 3)), [[("5/3", "5/3"), ("11/3", 1)], [("5/3", "5/3")]], 12),
        (3, EDT(1, 1, 1, 5), [[(2, 4), (3, 1)], [(3, 0), (5, 4), (8, 1)]], 12),
        (3, EDT(1, 1, F(11, 3), 5), [[("7/3", "7/3"), (3, "1/3"), (6, 4), (7, 1)]], 12),
        # an uncontrolled queue is on its cap, which is the buffer, as its arrivals fall to its rate
        (4, EDT(2, 1, 2, 3), [[(0, 1), (2, 3)], [(1, 2)], [(1, 2)], [(1, 3), (3, 1)]], 4),
        (4, EDT(2, 1, 2, 9), [[(0, 5), (1, 1)]], 4),
    ],
)
def test_what_happens_to_a_counting_queue_at_one_instant_is_decided_exactly(
    buffer: int, policy: EDT, pieces: list[list[tuple[object, object]]], until: int
) -> None:
    queues = tuple(QueueScenario(Arrivals([(F(t), F(rate)) for t, rate in each]), F(0), F(1)) for each in pieces)
    scenario = Scenario(1, Switch(len(queues), buffer, 1), policy, queues, F(until), (F(until, 2),))
    agrees(scenario, decided(scenario))


def test_thresholds_steeper_than_floats_can_follow_end_a_run() -> None:
    queues = {0: Arrivals([(0, 3)]), 1: Arrivals([(1, 2)])}
    made, exact = (
        simulate(Switch(2, 6, 1), DT(F(17 * 10**307)), queues, until=4, arithmetic=each) for each in ("float", "exact")
    )
    for index in range(2):
        assert made.queue(index).dropped() == pytest.approx(float(exact.queue(index).dropped()))


def multiplied(number: int) -> Scenario:
    """Bursts that fill the buffer one after the other, each hardly faster than a long queue drains.

    So what is free as one begins, times seven, is when it overflows, and as much more is free as the next one begins.
    """
    buffer, policy = F(100 * number + 1000), EDT(1, F(1, 100), 10**5, 10**5)
    queues = [QueueScenario(Arrivals.constant(0), buffer - 10, F(10))]
    for begin in (F(10 * burst) + F(1, 3) for burst in range(number)):
        so_far = Scenario(1, Switch(number + 1, buffer, 1), policy, tuple(queues), begin)
        rate = 10 + round(run_scenario(so_far, F).free.values[-1] * F(3, 26), 3) + F(1, 7919)
        queues.append(QueueScenario(Arrivals([(begin, rate), (begin + F(29, 3), F(0))]), F(0), F(1, 1000)))
    sample = tuple(F(10 * burst) - F(1, 2) for burst in range(1, number + 1))
    return Scenario(1, Switch(number + 1, buffer, 1), policy, tuple(queues), F(10 * number), sample)


@pytest.mark.parametrize(("number", "least", "state"), [(20, 1e-15, 0), (26, 1e-9, 7)])
def test_errors_that_each_overflow_multiplies_are_known(number: int, least: float, state: int) -> None:
    """They come from the 32nd digit, and the bound grows as they do."""
    scenario, made = multiplied(number), Batch(ties=True)
    made.add(scenario)
    made.run()
    exact, lengths = run_scenario(scenario, F), iter(made.arrays["length"])
    off = max(abs(F(next(lengths)) - queue.at(time)) for time in scenario.sample for queue in exact.queues)
    assert least < off < made.arrays["bound"][0] < 10**6 * off + 1e-8
    assert made.arrays["status"][0] == state


@pytest.mark.parametrize("kind", [*KINDS, "complete"])
def test_numbers_that_decide_ties_have_the_trajectories_of_exact_runs(kind: str) -> None:
    """Also where no tie asks for them."""
    for parts in (4, 10**6):
        scenario = bursts(kind, 4, 3, parts)
        made = Batch(ties=True)
        made.add(scenario)
        (outcome,) = made.outcomes()
        assert outcome is not None
        agrees(scenario, outcome)
        traced_agrees(scenario, run_scenario(scenario, float))


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", [*KINDS, "complete"])
def test_many_bursts_on_a_round_grid_agree_with_exact_runs(kind: str) -> None:
    """ROUND instances (1,000) of 4 to 16 ports."""
    for seed in range(int(os.environ.get("ROUND", "1000"))):
        scenario = bursts(kind, random.Random(seed).randint(2, 8) * 2, seed, 4)
        agrees(scenario, decided(scenario))


def test_a_sample_just_after_an_event_lies_on_the_line_that_begins_there() -> None:
    scenario, made = Scenario.read(draw_scenario(random.Random(40204555), "dt")), Batch(ties=True)
    made.add(scenario)
    (outcome,) = made.outcomes()
    assert outcome is not None
    agrees(scenario, outcome)
    assert outcome.lengths[-1][3] == float(run_scenario(scenario, F).queues[3].at(scenario.until))


def test_a_cap_binds_when_F_begins_to_rise_after_a_rest_at_its_turning_point() -> None:
    """F stands at 1/3, where the last queue's cap begins to bind, from 33/4 on, and rises at 9."""
    limits = [QueueLimits(3, 0, F(3, 2)), QueueLimits(2, 0, 1), QueueLimits(3, 0, 1)]
    pieces = [
        [(2, 2), (3, 0), (5, 3), (9, 1)],
        [(2, 2), (5, 0), (8, 4), (11, 1)],
        [(3, 2), (5, 0), (6, 3), (10, 0)],
    ]
    first, rates = (F(5, 16), F(0), F(0)), (F(2), F(1), F(2))
    queues = tuple(
        QueueScenario(Arrivals([(F(t), F(rate)) for t, rate in each]), initial, rate)
        for each, initial, rate in zip(pieces, first, rates, strict=True)
    )
    scenario, made = Scenario(1, Switch(3, 3, 1), SharedPools(limits), queues, F(12), (F(9), F(10))), Batch(ties=True)
    assert run_scenario(scenario, F).free.at("35/4") == F(1, 3)
    made.add(scenario)
    (outcome,) = made.outcomes()
    assert outcome is not None
    agrees(scenario, outcome)


@pytest.mark.parametrize("seed", [1146, 1230])
def test_steady_queues_of_a_pool_follow_steep_thresholds_to_the_last_digit(seed: int) -> None:
    scenario = Scenario.read(draw_scenario(random.Random(seed), "pools"))
    (outcome,) = batch(scenario).outcomes()
    assert outcome is not None
    agrees(scenario, outcome)


@pytest.mark.parametrize(
    ("policy", "seed"), [("edt", 20990), ("pools", 22778), ("pools", 23097), ("weighted", 3354), ("weighted", 5715)]
)
def test_trajectories_below_steep_thresholds_are_those_of_exact_runs(policy: str, seed: int) -> None:
    """With alpha = 10^12 an error of F is 10^12 times as large in the length; bytes lost do not need F."""
    scenario = Scenario.read(draw_scenario(random.Random(seed), policy))
    run = run_scenario(scenario, float)
    assert run.arithmetic == "rounded"
    traced_agrees(scenario, run)


@pytest.mark.parametrize(("ports", "number", "seeds"), [(4, 1, 24), (4, 16, 8), (16, 4, 4), (64, 1, 1)])
def test_complete_sharing_of_generic_bursts_is_decided_in_doubles(ports: int, number: int, seeds: int) -> None:
    """Also where a queue that has just begun to grow is the only witness of how much is lost."""
    for seed in range(seeds):
        made = batch(scenario := bursts("complete", ports, seed, 10**6, number))
        assert made.run() == 0
        (outcome,) = made.outcomes()
        assert outcome is not None
        agrees(scenario, outcome)


@pytest.mark.parametrize("step", [F(0), F(1, 10**6), F(-1, 10**6)])
def test_a_burst_that_ends_as_the_buffer_is_full_loses_bytes_if_it_lasts_longer(step: F) -> None:
    """B = 6 and R = 3 C are full at 3 s; only the tie itself is not decided in doubles."""
    queue = QueueScenario(Arrivals([(F(0), F(3)), (3 + step, F(0))]), F(0), F(1))
    made = batch(scenario := Scenario(1, Switch(2, 6, 1), CompleteSharing(), (queue,), F(9), (F(9),)))
    assert made.run() == (step == 0)
    agrees(scenario, decided(scenario))
    assert (decided(scenario).first_drop[0] is not None) == (step > 0)


@pytest.mark.parametrize(
    ("policy", "seed"), [("complete", 2669), ("edt", 828), ("pools", 300313203), ("pools", 300284702)]
)
def test_what_an_instant_is_rounded_by_is_in_the_bound(policy: str, seed: int) -> None:
    """A burst of 10^6 C ends between two ticks, or fills a reserve; thresholds of 10^12 F, one with a cap."""
    scenario = Scenario.read(draw_scenario(random.Random(seed), policy))
    agrees(scenario, decided(scenario))


def crowded(seed: int) -> Scenario:
    """Long bursts at 16 ports, of which EDT releases nearly all: each that comes or goes moves the cap B / n."""
    rng, queues = random.Random(seed), []
    for _ in range(16):
        times = sorted(rng.sample(range(1, 20 * 10**6), 6))
        rates = [F(rng.randint(15, 40), 10) for _ in times]
        pieces = [
            (F(time, 10**6), rate * (k % 2 == 0)) for k, (time, rate) in enumerate(zip(times, rates, strict=True))
        ]
        queues.append(QueueScenario(Arrivals(pieces), F(0), F(1)))
    policy = EDT(1, F(rng.randint(5, 20), 10), F(rng.randint(10, 40), 10), F(rng.randint(10, 80), 10))
    return Scenario(1, Switch(16, 64, 1), policy, tuple(queues), F(20), (F(7), F(20)))


def test_uncontrolled_queues_meet_a_cap_that_moves() -> None:
    """Those on the cap leave it whenever it moves; of the others only those that it passes do something else."""
    plain = 0
    for seed in range(16):
        made = batch(scenario := crowded(seed))
        plain += made.run() == 0
        for outcome in made.outcomes():
            assert outcome is not None
            agrees(scenario, outcome)
    assert plain >= 9


def test_a_cap_that_falls_past_a_queue_far_below_it_is_noticed_among_many_queues() -> None:
    """Of more than 384 queues only those near their thresholds are looked at in every event (moving.hpp)."""
    early, late = [(F(0), F(3)), (F(9, 4), F(1))], [(F(5, 2), F(3)), (F(3), F(0))]
    few = [[(F(k, 200), F(1, 2)), (F(5 * k + 1, 1000), F(0))] for k in range(1, 399)]
    queues = [QueueScenario(Arrivals(pieces), F(0), F(1)) for pieces in (early, late, *few)]
    made = batch(scenario := Scenario(1, Switch(400, 8, 1), EDT(1, F(1, 4), 10, 10), tuple(queues), F(4)))
    assert made.run() == 0
    agrees(scenario, outcome := decided(scenario))
    assert outcome.first_drop[0]


def one_queue(policy: EDT, *pieces: tuple[F | int, F | int], until: F | int = 9, steady: bool = False) -> Scenario:
    queue = QueueScenario(Arrivals([(F(time), F(rate)) for time, rate in pieces]), None if steady else F(0), F(1))
    return Scenario(1, Switch(2, 12, 1), policy, (queue,), F(until), (F(until),))


TIES = {
    "the counter is full as the burst ends": one_queue(EDT(1, 2), (0, 3), (1, 0), (F(3, 2), 4)),
    "the counter is full as TM1 expires": one_queue(EDT(1, 2, 1), (0, 3)),
    "the counter is full as the queue meets its threshold": one_queue(EDT(1, 6), (0, 3)),
    "the queue turns as it meets its threshold": one_queue(EDT(1, F(13, 2)), (0, 3), (3, 0), (4, 2)),
    "c2 is 0 as a burst begins": one_queue(
        EDT(1, F(3, 2), 4), (0, 2), (2, 0), (4, F(3, 2)), (6, 0), (7, F(3, 2)), until=F(21, 2), steady=True
    ),
}


@pytest.mark.parametrize("tie", TIES)
def test_a_tie_that_changes_a_counter_is_decided_as_in_the_exact_run(tie: str) -> None:
    made = batch(TIES[tie])
    assert made.run() == 1  # floats alone leave it open
    agrees(TIES[tie], decided(TIES[tie]))


def test_a_tie_at_a_border_is_harmless_where_the_queue_loses_bytes_in_either_order() -> None:
    """The traffic changes as the queue meets its threshold, and it stays there."""
    scenario = one_queue(EDT(1, F(13, 2)), (0, 3), (3, 2))
    (outcome,) = batch(scenario).outcomes()
    assert outcome is not None
    agrees(scenario, outcome)


@pytest.mark.parametrize("step", [F(1, 10**6), F(-1, 10**6)])
def test_beside_a_tie_the_core_decides_as_the_exact_run_does(step: F) -> None:
    for scenario in (
        one_queue(EDT(1, 2 + step), (0, 3), (1, 0), (F(3, 2), 4)),
        one_queue(EDT(1, 2, 1 + step), (0, 3)),
        one_queue(EDT(1, 6 + step), (0, 3)),
    ):
        (outcome,) = batch(scenario).outcomes()
        assert outcome is not None
        agrees(scenario, outcome)


def test_the_counter_of_a_queue_that_empties_is_0_although_it_is_a_difference_of_two_lines() -> None:
    """c2 grew from an empty queue, so that both are 0 at once; TM1 begins again with the next burst."""
    scenario = one_queue(EDT(1, 2, F(7, 2)), (0, F(4, 3)), (1, 0), (2, F(5, 3)), until=8)
    (outcome,) = batch(scenario).outcomes()
    assert outcome is not None
    agrees(scenario, outcome)


def test_a_run_of_many_phases_in_floats_and_of_few_exactly_is_the_exact_one() -> None:
    scenario = Scenario.read(draw_scenario(random.Random(25305), "abm"))
    run, exact = run_scenario(scenario, float), run_scenario(scenario, F)
    assert (run.engine, len(run.free.times), len(exact.free.times)) == ("python", 13, 13)


@pytest.mark.exhaustive
@pytest.mark.parametrize("policy", POLICIES)
def test_drawn_scenarios_of_every_policy_agree_with_exact_runs(policy: str) -> None:
    """INSTANCES scenarios of each policy (12,500, 100,000 in all), with ties on purpose."""
    seen: Counter[str] = Counter()
    for seed in range(int(os.environ.get("INSTANCES", "12500"))):
        scenario = Scenario.read(draw_scenario(random.Random(seed), policy))
        run = run_scenario(scenario, float)
        seen[run.engine] += 1
        if run.engine == "native":
            traced_agrees(scenario, run)
    assert seen["native"] > seen["python"]


def test_residues_are_those_of_the_numbers_negative_ones_too() -> None:
    class Lowered(Policy):
        def thresholds(self, queues: int) -> list[Threshold]:
            return [Threshold(F(1), F(-1)), Threshold(F(1), F(-2, 3))][:queues]

    queues = (QueueScenario(Arrivals([(F(0), F(3))]), F(0), F(1)),) * 2
    columns = columns_of(Scenario(1, Switch(2, 6, 1), Lowered(), queues, F(4)), ties=True)
    exact = {-1.0: F(-1), float(F(-2, 3)): F(-2, 3), 3.0: F(3)}
    found = {high: residue for high, residue in zip(columns["high"], columns["residue"], strict=True) if high in exact}
    prime = 2**61 - 1
    assert found == {high: x.numerator * pow(x.denominator, -1, prime) % prime for high, x in exact.items()}
