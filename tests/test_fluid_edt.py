"""Fluid EDT against a plain second implementation of its definition, and where its state machine is busy."""

import random
from fractions import Fraction

import pytest
import reference_edt
from fluid_cases import edt_engine

from dtmodel import EDT, Arrivals, Switch
from dtmodel.fluid import answer, run_scenario
from dtmodel.fluid.scenario import QueueScenario, Scenario

F = Fraction


def test_the_burst_of_figure_12_fits_an_edt_switch():
    """One burst of 2 Gbps for 6 ms beside two steady ports: lossless under EDT, lost from 2 ms on under DT."""
    two = {"arrivals": [[0, "2 Gbps"]], "initial": "steady"}
    document = {
        "switch": {"ports": 16, "buffer": "1 MB", "rate": "1 Gbps"},
        "queues": [{"arrivals": [[0, "2 Gbps"], ["6 ms", 0]]}, two, two],
        "until": "20 ms",
    }
    edt = {"name": "edt", "alpha": 1, "cn2": 12000, "tm1": "2.1 ms", "tm2": "10 ms"}
    assert answer(document | {"policy": edt})["first_drop"][0] is None
    assert answer(document | {"policy": {"name": "dt", "alpha": 1}})["first_drop"][0] == "1/500"


def test_a_timer_that_always_expires_first_makes_edt_dt_however_short_it_is():
    document = {
        "switch": {"ports": 2, "buffer": 6, "rate": 1},
        "queues": [{"arrivals": [[0, 3], [2, 0]]}, {"arrivals": [[0, 2]]}],
        "until": 4,
        "sample": ["1/3", 2, 3],
    }
    edt = {"name": "edt", "alpha": 1, "cn2": 1}
    expected = answer(document | {"policy": {"name": "dt", "alpha": 1}})
    for tm1 in ("1/3", "1e-9", "1e-400"):
        assert answer(document | {"policy": edt | {"tm1": tm1}}) == expected


def test_a_timer_that_expired_many_times_leaves_the_count_of_its_last_period():
    """TM1 = 3/4 s at a growth of 1: at 2 s c2 has counted since 3/2 s; the growth of 2 then reaches cn2 = 1 first."""
    document = {
        "switch": {"ports": 1, "buffer": 100, "rate": 1},
        "policy": {"name": "edt", "alpha": "1/8", "cn2": 1, "tm1": "3/4"},
        "queues": [{"arrivals": [[0, 2], [2, 3]]}],
        "until": 60,
    }
    assert answer(document)["first_drop"] == ["51"]
    assert answer(document | {"policy": {"name": "dt", "alpha": "1/8"}})["first_drop"] == ["59/9"]


ALPHAS = [F(1, 4), F(1, 2), F(1), F(2), F(8)]

OFFERS = [F(0), F(1, 2), F(1), F(3, 2), F(2), F(3), F(5)]

TIMERS = [None, F(1, 2), F(1), F(2), F(4)]

UNTIL = F(9)
GRID = [UNTIL * F(k, 12) for k in range(13)]


def busy(rng):
    n = rng.choice([1, 2, 2, 3, 3, 4])
    buffer = F(rng.choice([3, 4, 6, 9]))
    rates = [F(rng.choice([1, 1, 1, 2])) for _ in range(n)]
    offers = []
    for _ in range(n):
        times = sorted(rng.sample(range(14), rng.randint(1, 5)))
        offers.append([(F(time, 2), rng.choice(OFFERS)) for time in times])
    initial = [F(rng.choice([0, 0, 1, 2]), 4) for _ in range(n)]
    alphas = [rng.choice(ALPHAS)] * n if rng.random() < 0.5 else [rng.choice(ALPHAS) for _ in range(n)]
    cn2 = rng.choice([F(1, 4), F(1, 2), F(1), F(3, 2)])
    return buffer, alphas, rates, offers, initial, cn2, rng.choice(TIMERS), rng.choice(TIMERS)


def simulated(buffer, alphas, rates, offers, initial, cn2, tm1, tm2):
    thresholds = [(alpha, F(0)) for alpha in alphas]
    engine = edt_engine(F, buffer, rates, thresholds, offers, initial, cn2=cn2, tm1=tm1, tm2=tm2)
    return engine, *engine.run(UNTIL)


@pytest.mark.parametrize("seed", range(12))
def test_a_busy_state_machine_equals_its_definition(seed):
    rng = random.Random(seed)
    for _ in range(30):
        buffer, alphas, *_ = drawn = busy(rng)
        expected, free, queues = as_defined(drawn)
        assert [q.first_drop for q in queues] == [t if t is None or t < UNTIL else None for t in expected["first"]]
        assert all(free.at(t) == buffer - sum(q.at(t) for q in queues) >= 0 for t in GRID)
        thresholds_fit_the_states(buffer, alphas, queues)


def as_defined(drawn):
    """Run the definition and the engine, which agree on lengths and losses."""
    *state, cn2, tm1, tm2 = drawn
    expected = reference_edt.run(*state, UNTIL, cn2, tm1, tm2, GRID)
    _, free, queues = simulated(*drawn)
    assert [q.dropped() for q in queues] == expected["dropped"]
    assert [[q.at(t) for q in queues] for t in GRID] == expected["rows"]
    return expected, free, queues


def thresholds_fit_the_states(buffer, alphas, queues):
    """T = B / n for the n uncontrolled queues, alpha F for the others; one entry for each instant of a change."""
    for queue in queues:
        begins = [begin for begin, _, _ in queue.limits]
        assert begins[0] == 0
        assert begins == sorted(set(begins))
    for time in GRID:
        laws = [next((a, b) for begin, a, b in reversed(queue.limits) if begin <= time) for queue in queues]
        free = [i for i, (slope, _) in enumerate(laws) if slope == 0]
        assert all(laws[i] == ((0, buffer / len(free)) if i in free else (alphas[i], 0)) for i in range(len(laws)))


def test_the_instants_of_overflow_are_kept():
    """One port of rate 1 offered 2: uncontrolled at c2 = 1, B = 4 is full at t = 4; from then on DT again."""
    engine, free, queues = simulated(F(4), [F(1)], [F(1)], [[(F(0), F(2))]], [F(0)], F(1), None, None)
    assert engine.memory.overflows == [4]
    assert (queues[0].first_drop, free.at(F(4)), queues[0].at(F(6))) == (4, 0, 2)


@pytest.mark.parametrize(
    ("cn2", "tm1", "tm2", "state"),
    [
        (12, None, None, (False, 9, None, None, None)),
        (10, F(10), None, (False, 9, 1, None, None)),
        (12, F(2), None, (False, 9, None, -7, None)),
        (4, None, F(10), (True, 0, None, None, 5)),
    ],
)
def test_the_state_of_counters_and_timers_is_that_of_an_instant(cn2, tm1, tm2, state):
    """One port that is offered 2 grows by 1 a second up to t = 9, recognised or not, or in vain since t = 2."""
    engine, *_ = simulated(F(40), [F(1)], [F(1)], [[(F(0), F(2))]], [F(0)], F(cn2), tm1, tm2)
    assert engine.memory.state(UNTIL) == [state]


def test_tm1_starts_anew_when_the_counter_has_come_back_to_0():
    """c2 is 1/2 at t = 1/2 and 0 again at t = 1; from there it counts to 3/2 before the new TM1 of 2 s ends."""
    traffic = [[(F(0), F(2)), (F(1, 2), F(0)), (F(1), F(2))]]
    engine, _, queues = simulated(F(40), [F(1)], [F(1)], traffic, [F(0)], F(3, 2), F(2), None)
    assert queues[0].limits == [(0, 1, 0), (F(5, 2), 0, 40)]
    assert engine.memory.overflows == []


def test_a_queue_that_touches_its_threshold_without_a_loss_keeps_its_count():
    """At t = 2 four queues of 2 meet T = F = 2, and three bursts end: F rises by 2 a second, the last queue by 1."""
    traffic = [[(F(0), F(2))], *([[(F(0), F(2)), (F(2), F(0))]] * 3)]
    _, _, queues = simulated(F(10), [F(1)] * 4, [F(1)] * 4, traffic, [F(0)] * 4, F(3), None, None)
    assert queues[0].limits[:2] == [(0, 1, 0), (3, 0, 10)]
    assert queues[0].first_drop is None or queues[0].first_drop > 3


def hogged(rng):
    """A few queues that count slowly, and one that takes the buffer at once and lets it go again."""
    n = rng.choice([1, 2])
    calm = [
        [(F(t, 4), rng.choice([F(0), F(1, 4), F(1, 2), F(1), F(2), F(3)])) for t in range(0, 24, 3)] for _ in range(n)
    ]
    start = F(rng.randint(3, 12), 4)
    hog = [(start, F(rng.choice([5, 9, 17]))), (start + F(rng.randint(3, 6), 4), F(rng.choice([0, 0, 1])))]
    offers = [hog, *calm] if rng.random() < 0.5 else [*calm, hog]
    alphas = [rng.choice([F(1, 2), F(1), F(2)])] * (n + 1)
    cn2 = rng.choice([F(1), F(2), F(3)])
    return F(8), alphas, [F(1)] * (n + 1), offers, [F(0)] * (n + 1), cn2, rng.choice([None, F(6)]), None


@pytest.mark.parametrize("seed", range(8))
def test_a_queue_whose_threshold_falls_below_it_loses_its_count_only_if_it_rejects(seed):
    rng = random.Random(seed)
    for _ in range(25):
        as_defined(hogged(rng))


def test_a_counter_reaches_its_goal_in_floats():
    """1.2 (0.9 / 1.2) falls short of 0.9 by an ulp."""
    traffic, alone = [[(0.0, 1.3)]], [(1.0, 0.0)]
    engine = edt_engine(float, 10.0, [0.1], alone, traffic, [0.0], cn2=0.9, tm1=None, tm2=None)
    _, queues = engine.run(3.0)
    assert queues[0].limits == [(0.0, 1.0, 0.0), (pytest.approx(0.75), 0.0, 10.0)]


def test_the_buffer_overflows_once_in_floats():
    """A lone queue meets B / 1 when the buffer is full, at 2.125 s: floats alone cannot decide this tie."""
    burst = QueueScenario(Arrivals.constant("0.9"), F(0), F(1, 10))
    run = run_scenario(Scenario(1, Switch(1, "1.7", "0.1"), EDT(1, "0.3"), (burst,), F(30)), float)
    assert (run.first_drop(0), run.free.at(2.125)) == (pytest.approx(2.125), pytest.approx(0.0, abs=1e-15))


def test_the_last_of_two_thresholds_of_one_instant_counts():
    """At t = 3 TM2 of queue 0 ends, which alone would leave queue 1 all of B; but F = 0, and both return."""
    traffic = [[(F(0), F(3))], [(F(1), F(3))]]
    engine, _, queues = simulated(F(8), [F(1)] * 2, [F(1)] * 2, traffic, [F(0)] * 2, F(1), None, F(5, 2))
    assert engine.memory.overflows == [3]
    assert queues[0].limits[:4] == [(0, 1, 0), (F(1, 2), 0, 8), (F(3, 2), 0, 4), (3, 1, 0)]
    assert queues[1].limits[:3] == [(0, 1, 0), (F(3, 2), 0, 4), (3, 1, 0)]


@pytest.mark.parametrize(
    ("hog", "calm", "cn2"),
    [
        ([(F(9, 4), F(9)), (F(21, 8), F(0))], [(F(0), F(5, 2)), (F(5, 2), F(0)), (F(13, 4), F(2))], F(5)),
        ([(F(9, 4), F(17)), (F(5, 2), F(0))], [(F(0), F(5, 2)), (F(2), F(1, 2)), (F(3), F(2))], F(3)),
    ],
)
def test_a_queue_above_its_threshold_keeps_its_count_while_nothing_arrives(hog, calm, cn2):
    """The threshold falls below the calm queue: with R = 0 the count goes down with it, with R = C / 2 it is reset."""
    grid = [UNTIL * F(k, 36) for k in range(37)]
    expected = reference_edt.run(F(8), [F(2)] * 2, [F(1)] * 2, [hog, calm], [F(0)] * 2, UNTIL, cn2, None, None, grid)
    _, _, queues = simulated(F(8), [F(2)] * 2, [F(1)] * 2, [hog, calm], [F(0)] * 2, cn2, None, None)
    assert [q.dropped() for q in queues] == expected["dropped"]
    assert [[q.at(t) for q in queues] for t in grid] == expected["rows"]


@pytest.mark.parametrize("rate", [F(3), F(9, 4)])
def test_a_queue_grows_in_vain_only_if_its_own_growth_in_tm1_is_less_than_cn2(rate):
    """c2 is 1/4 at t = 1 and less than 2 when TM1 = 3/2 ends; from 0 it takes 2 / (R - C) then, which may be less.

    R = 3: it is 2 at 5/2. R = 9/4 would take 8/5, more than TM1: never. The other queue stays empty all the while.
    """
    traffic = [[(F(0), F(5, 4)), (F(1), rate)], [(F(0), F(1))]]
    _, _, queues = simulated(F(40), [F(1)] * 2, [F(1)] * 2, traffic, [F(0)] * 2, F(2), F(3, 2), None)
    limits = {F(3): [(0, 1, 0), (F(5, 2), 0, 40)], F(9, 4): [(0, 1, 0)]}
    assert queues[0].limits == limits[rate]
    assert queues[1].limits == [(0, 1, 0)]


def test_what_a_queue_counted_in_vain_is_left_when_nothing_arrives():
    """TM1 = 1 ends at 1 and 2; c2 is 1/2 at 5/2, 1/4 at 11/4, and 5/2 at 3 when TM1 ends; it is 3 after 1/3 more."""
    traffic = [[(F(0), F(2)), (F(5, 2), F(0)), (F(11, 4), F(10))]]
    _, _, queues = simulated(F(40), [F(1)], [F(1)], traffic, [F(0)], F(3), F(1), None)
    assert queues[0].limits[:2] == [(0, 1, 0), (F(10, 3), 0, 40)]


def test_a_loss_resets_what_a_queue_counted_in_vain():
    """The first queue loses bytes from 5 to 13/2, when the second begins to drain; it counts 3 anew, by 2 a second."""
    traffic = [[(F(0), F(2)), (F(13, 2), F(3))], [(F(0), F(10)), (F(13, 2), F(0))]]
    _, _, queues = simulated(F(20), [F(1), F(8)], [F(1), F(10)], traffic, [F(0), F(10)], F(3), F(2), None)
    assert queues[0].limits[:2] == [(0, 1, 0), (8, 0, 20)]


@pytest.mark.parametrize(
    ("traffic", "tm1", "freed"),
    [
        # c2 is 1/4 at t = 1 and 3/4 when TM1 = 5/4 ends; from 0 it grows by 2 a second and is 1 at 7/4, not at 11/8.
        ([("0", "5/4"), ("1", "3")], "5/4", "7/4"),
        # c2 is 1/2 at t = 1/4 and grows by 1/2 a second from there: it is 1 at t = 5/4, when TM1 ends or before.
        ([("0", "3"), ("1/4", "3/2")], "5/4", "5/4"),
        ([("0", "3"), ("1/4", "3/2")], "3/2", "5/4"),
        # At C / 4 net TM1 = 1 ends at 1 and 2 and leaves 1/8 of cn2 = 1 at 5/2; from there the new rate counts on.
        ([("0", "5/4"), ("5/2", "3")], "1", "47/16"),
        ([("0", "5/4"), ("2", "3")], "1", "5/2"),
        ([("0", "5/4"), ("5/2", "2")], "1", "4"),
        # c2 is 1/2 at t = 1/4 and 21/40 at t = 1/2, where the queue grows by 2 a second again: 19/80 later it is 1.
        # In between it grows too slowly to be counted within TM1, but TM1 = 1 has not ended.
        ([("0", "3"), ("1/4", "11/10"), ("1/2", "3")], "1", "59/80"),
        # The queue grows by 1/4 from t = 1/4, and TM1 = 1 ends at 5/4 and 9/4; then it begins to grow by 2.
        ([("1/4", "5/4"), ("11/4", "3")], "1", "51/16"),
        ([("1/4", "5/4"), ("9/4", "3")], "1", "11/4"),
    ],
)
def test_when_a_queue_that_has_grown_slowly_has_counted_cn2(traffic, tm1, freed):
    offer = [(F(time), F(rate)) for time, rate in traffic]
    _, _, queues = simulated(F(40), [F(1)], [F(1)], [offer], [F(0)], F(1), F(tm1), None)
    assert queues[0].limits == [(0, 1, 0), (F(freed), 0, 40)]
