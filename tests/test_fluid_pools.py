"""Shared pools with reserves and caps in the fluid engine, against a second implementation."""

import random
from fractions import Fraction
from typing import Any

import pytest
import reference_pools
from fluid_cases import document, overloaded
from refusals import refused

from dtmodel import Arrivals, Switch, simulate
from dtmodel.base.errors import InputError
from dtmodel.fluid import answer, run_scenario
from dtmodel.fluid.scenario import QueueScenario, Scenario
from dtmodel.fluid.trajectory import FreeBuffer, total_free
from dtmodel.policies import Pool, QueueLimits, SharedPools, Weighted

F = Fraction


def random_pool(rng: random.Random, n: int, mixed: bool = False) -> dict[str, Any]:
    offers = []
    for _ in range(n):
        times = sorted(rng.sample(range(12), rng.randint(1, 3)))
        offers.append([(Fraction(t), Fraction(rng.randint(0, 12), 2)) for t in times])
    return {
        "size": Fraction(rng.randint(4, 12)),
        "rates": [Fraction(rng.randint(1, 4), 2) for _ in range(n)],
        "alphas": [None if mixed and rng.random() < 0.5 else Fraction(rng.randint(1 - mixed, 6), 2) for _ in range(n)],
        "reserves": [Fraction(rng.choice([0, 0, 1, 2])) for _ in range(n)],
        "caps": [rng.choice([None, Fraction(rng.randint(1, 6))]) for _ in range(n)],
        "offers": offers,
    }


def check_pool(seed: int, mixed: bool = False) -> None:
    rng = random.Random(seed)
    n = rng.randint(1, 4)
    pool = random_pool(rng, n, mixed)
    reserved = sum(pool["reserves"])
    limits = [
        {"alpha": "oo" if a is None else str(a), "reserved": str(r), "cap": None if c is None else str(c)}
        for a, r, c in zip(pool["alphas"], pool["reserves"], pool["caps"], strict=True)
    ]
    queues = [
        {"arrivals": [[str(t), str(r)] for t, r in offer], "rate": str(rate)}
        for offer, rate in zip(pool["offers"], pool["rates"], strict=True)
    ]
    samples = [Fraction(k, 3) for k in range(43)]
    doc = document({"name": "pools", "limits": limits}, queues, until="15", sample=[str(t) for t in samples])
    doc["switch"]["buffer"] = str(pool["size"] + reserved)
    result = answer(doc)
    first, dropped, rows = reference_pools.run(**pool, initial=[Fraction(0)] * n, until=Fraction(15), samples=samples)
    assert result["first_drop"] == [None if t is None else str(t) for t in first], seed
    assert result["dropped"] == [str(d) for d in dropped], seed
    for time, row in zip(samples, result["queues"], strict=True):
        assert [Fraction(x) for x in row] == rows[time][0], (seed, time)
    for queue, offer, lost, sent in zip(range(n), pool["offers"], result["dropped"], result["drained"], strict=True):
        offered = sum(
            rate * (end - begin)
            for (begin, rate), end in zip(offer, [*(t for t, _ in offer[1:]), Fraction(15)], strict=True)
        )
        held = run_scenario(Scenario.read(doc), Fraction).queue(queue).at(Fraction(15))
        assert offered == Fraction(lost) + Fraction(sent) + held, seed


@pytest.mark.parametrize("seeds", [20, pytest.param(3_000, marks=pytest.mark.exhaustive)])
def test_pools_with_reserves_and_caps_agree_with_a_second_implementation(seeds: int) -> None:
    for seed in range(seeds):
        check_pool(seed)


@pytest.mark.parametrize("seeds", [30, pytest.param(3_000, marks=pytest.mark.exhaustive)])
def test_dt_static_limits_caps_and_no_limits_in_one_pool_agree_with_a_second_implementation(seeds: int) -> None:
    for seed in range(seeds):
        check_pool(seed, mixed=True)


def test_a_pool_without_reserves_and_caps_is_dt() -> None:
    queues = [{"arrivals": [["0", "3"], ["20", "0"]]}, {"arrivals": [["0", "5"]]}, {"arrivals": [["4", "2"]]}]
    limits = [{"alpha": "1/2"}] * 3
    pools = answer(document({"name": "pools", "limits": limits}, queues, until="40", sample=["7", "30"]))
    assert pools == answer(document({"name": "dt", "alpha": "1/2"}, queues, until="40", sample=["7", "30"]))


def test_exact_and_fast_runs_of_pools_agree() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        pool = random_pool(rng, 3)
        limits = [
            {"alpha": str(a), "reserved": str(r), "cap": None if c is None else str(c)}
            for a, r, c in zip(pool["alphas"], pool["reserves"], pool["caps"], strict=True)
        ]
        queues = [{"arrivals": [[str(t), str(r)] for t, r in offer]} for offer in pool["offers"]]
        scenario = Scenario.read(document({"name": "pools", "limits": limits}, queues, until="15"))
        exact, fast = run_scenario(scenario, Fraction), run_scenario(scenario, float)
        for queue in range(3):
            assert float(exact.dropped(queue)) == pytest.approx(fast.dropped(queue), abs=1e-6)


def test_two_pools_do_not_see_each_other() -> None:
    policy = {
        "name": "pools",
        "limits": [{"alpha": 1}, {"alpha": 1}],
        "pools": [{"size": "20", "queues": [0]}, {"size": "40", "queues": [1]}],
    }
    result = answer(document(policy, [{"arrivals": [["0", "3"]]}, {"arrivals": [["0", "3"]]}], until="20"))
    assert result["first_drop"] == ["5", "10"]


def test_steady_queues_of_a_pool_start_where_their_limits_meet() -> None:
    policy = {
        "name": "pools",
        "limits": [{"alpha": 2, "reserved": 3, "cap": "9"}, {"alpha": 1}, {"alpha": 1, "reserved": "1"}],
    }
    queues = [*overloaded(2), {"arrivals": [], "initial": "2"}]
    result = answer(document(policy, queues, sample=["0", "1/2"]))
    # 56 shared, 1 of it held: F = (55 - 9) / 2 = 23 beside the cap.
    assert result["queues"] == [["12", "23", "2"], ["12", "93/4", "3/2"]]


def test_static_limits_of_a_pool_are_a_static_partition() -> None:
    limits = [{"alpha": None, "cap": "20"}, {"cap": "30", "reserved": "5"}]
    result = answer(document({"name": "pools", "limits": limits}, [{"arrivals": [["0", "3"]]}] * 2, until="30"))
    assert result["first_drop"] == ["10", "35/2"]


def test_a_pool_without_any_limit_is_complete_sharing() -> None:
    queues = [{"arrivals": [["0", "30"], ["4", "1/2"]]}, {"arrivals": [["0", "50"]]}, {"arrivals": [["1", "20"]]}]
    whole = answer(document({"name": "pools", "limits": [{"alpha": "oo"}] * 3}, queues, until="9", sample=["2", "8"]))
    assert whole["first_drop"][0] is not None
    assert whole == answer(document({"name": "complete"}, queues, until="9", sample=["2", "8"]))


def test_a_full_pool_thins_what_enters_it_and_leaves_reserves_alone() -> None:
    """Beside one reserve of 2, 8 are shared; from 8/3 s on p = 2/5 of the others' 3 and 2 enters, as much as leaves."""
    limits = [{"alpha": 0, "reserved": "2"}, {"alpha": "oo", "cap": "6"}, {"alpha": "oo"}]
    queues = [{"arrivals": [["0", rate]]} for rate in ("1", "3", "2")]
    found = answer(document({"name": "pools", "limits": limits}, queues, until="20", sample=["8/3", "11/3"]) |
                   {"switch": {"ports": 3, "buffer": "10", "rate": "1"}})  # fmt: skip
    assert found["first_drop"] == [None, "8/3", "8/3"]
    assert found["queues"] == [["0", "16/3", "8/3"], ["0", "83/15", "37/15"]]


@pytest.mark.parametrize(("held", "lengths"), [(4, ["3", "7"]), (2, ["2", "8"])])
def test_at_a_full_pool_a_queue_above_its_limit_only_drains_and_one_at_its_limit_keeps_it(held, lengths) -> None:
    """p is (1 + 1)/4 or 1/4; the queue at its limit of 2 admits 5/4 of its 5 and needs only 1."""
    limits = [{"alpha": "oo", "cap": "2"}, {"alpha": "oo"}]
    queues = [{"initial": str(length), "arrivals": [["0", rate]]} for length, rate in ((held, "5"), (10 - held, "4"))]
    found = answer(document({"name": "pools", "limits": limits}, queues, until="1", sample=["1"]) |
                   {"switch": {"ports": 2, "buffer": "10", "rate": "1"}})  # fmt: skip
    assert found["queues"] == [lengths]
    assert found["dropped"] == [["5", "2"], ["4", "3"]][held == 2]


def test_packets_enter_a_mixed_pool_as_their_limits_and_the_pool_allow() -> None:
    """F is 4, 3, then 1: a queue without weight needs room for its packet of 3, one with alpha = 1 less than F."""
    policy = SharedPools([QueueLimits(1), QueueLimits("oo", cap=6), QueueLimits("oo")])
    gate = policy.admission(3, F(9), lambda size: size)
    gate.arriving = F(3)
    for lengths, entered in (
        ([1, 4, 0], [True, True, True]),
        ([0, 6, 0], [True, False, True]),
        ([0, 2, 6], [True, False, False]),
    ):
        gate.lengths = list(map(F, lengths))
        assert [gate.admits(i, gate.lengths[i], 9 - sum(lengths), F(0)) for i in range(3)] == entered


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        ({"name": "pools", "limits": [{"alpha": 1}]}, "policy.limits"),
        ({"name": "pools", "limits": [{"alpha": 1}, {}]}, "policy.limits[1].cap"),
        ({"name": "pools", "limits": [{"alpha": 1}, {"alpha": 1, "cn2": "1"}]}, "policy.limits[1].cn2"),
        ({"name": "pools", "limits": [{"alpha": 1, "reserved": "60"}, {"alpha": 1}]}, "policy.pools"),
        ({"name": "pools", "limits": [{"alpha": 1}] * 2, "pools": [{"size": "9", "queues": [0]}]}, "policy.pools"),
    ],
)
def test_bad_pools_are_refused_by_name(policy: dict[str, Any], field: str) -> None:
    with refused(field):
        answer(document(policy, [{}, {}]))


@pytest.mark.parametrize(
    ("alpha", "cap", "free", "share"),
    [("1/2", 10, 10, 5), ("1/2", 10, 20, 10), ("1/2", 10, 30, 10), (2, 10, 4, 8), (2, 10, 8, 10), (2, None, 8, 16),
     (None, 7, 3, 7)],
)  # fmt: skip
def test_a_queue_may_hold_the_smaller_of_its_part_and_its_cap(alpha, cap, free, share):
    assert QueueLimits(alpha, cap=cap).shared(F(free)) == share


def test_a_cap_that_just_binds_at_first_binds_no_more_when_the_pool_fills():
    """F = 8 at first, where alpha F = cap = 4; the other queue's growth at 1 makes F fall, and T with it."""
    pools = SharedPools([QueueLimits("1/2", cap=4), QueueLimits(1)])
    run = simulate(
        Switch(2, 12, 1), pools, {0: Arrivals.constant(1), 1: Arrivals.constant(2)}, initial={0: 3, 1: 1}, until=2
    )
    assert [run.queue(0).threshold_at(t) for t in (0, 1, 2)] == [4, F(7, 2), 3]
    assert (run.dropped(0), run.dropped(1)) == (0, 0)


def test_reserves_and_pools_fill_the_buffer_together():
    pools = SharedPools([QueueLimits(1, reserved=3), QueueLimits(1)], [Pool(F(4), (0,)), Pool(F(4), (1,))])
    assert pools.partition(F(11)) == pools.pools
    with pytest.raises(InputError, match="bytes at most"):
        pools.partition(F(10))


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: SharedPools([QueueLimits(1), QueueLimits(1, cap=0)]), "policy.limits[1].cap"),
        (lambda: QueueLimits(None), "policy.cap"),
        (lambda: QueueLimits(-1), "policy.alpha"),
        (lambda: QueueLimits("oo").shared(F(2)), "alpha"),
        (lambda: QueueLimits(1, reserved=-1), "policy.reserved"),
        (lambda: SharedPools([QueueLimits(1)] * 2, [Pool(F(0), (0,)), Pool(F(4), (1,))]).partition(F(9)),
         "policy.pools"),
        (lambda: Weighted([]), "policy.weights"),
    ],
)  # fmt: skip
def test_what_is_refused_is_named(make, field):
    with refused(field):
        make()


def test_caps_may_fill_their_pool_and_a_pool_may_be_small():
    half = SharedPools([QueueLimits(None, cap=2), QueueLimits(None, cap=2), QueueLimits(1)],
                       [Pool(F(4), (0, 1)), Pool(F(1, 2), (2,))])  # fmt: skip
    assert half.partition(F(9, 2)) == half.pools


@pytest.mark.parametrize(
    ("limits", "held", "free"),
    [
        # 2 F, at most 6; F, at most 4 beyond a reserve of 3; F / 2: as they bind one after the other.
        ([(2, 0, 6), (1, 3, 4), ("1/2", 0, None)], [None, None, None], {25: 10, 16: 4, 15: F(18, 5), 9: 2}),
        # The last queue holds 5, of which 3 lie in the pool.
        ([(2, 0, 6), (1, 3, 4), ("1/2", 2, None)], [None, None, 5], {23: 10, 9: F(3, 2)}),
        # It holds less than its reserve.
        ([(2, 0, 6), (1, 3, 4), ("1/2", 2, None)], [None, None, 1], {20: 10, 6: F(3, 2)}),
        # Two queues alike, and none.
        ([(2, 0, 6), (2, 0, 6)], [None, None], {22: 10, 15: 3, 5: 1}),
        ([(1, 0, None)], [7], {9: 2}),
        # Static limits.
        ([(None, 0, 6), (None, 3, 4)], [None, None], {10: 0, 22: 12}),
        ([(None, 0, 6), (None, 3, 4)], [None, 5], {10: 2}),
    ],
)
def test_the_free_part_of_a_pool_with_steady_queues_solves_its_balance(limits, held, free):
    policy = SharedPools([QueueLimits(alpha, reserved, cap) for alpha, reserved, cap in limits])
    reserves = sum(reserved for _, reserved, _ in limits)
    for size, left in free.items():
        assert policy.steady_free(F(size + reserves), [None if q is None else F(q) for q in held]) == [left]


def test_the_free_parts_of_three_pools_add_up_at_every_instant_of_any():
    parts = [
        FreeBuffer([F(0), F(4)], [F(4), F(0)]),
        FreeBuffer([F(0), F(1), F(4)], [F(1), F(1), F(7)]),
        FreeBuffer([F(0), F(2), F(4)], [F(0), F(10), F(10)]),
    ]
    whole = total_free(parts)
    assert (whole.times, whole.values) == ([0, 1, 2, 4], [5, 9, 15, 17])
    assert total_free(parts[:1]) == FreeBuffer([F(0), F(4)], [F(4), F(0)])


def test_a_steady_queue_at_its_cap_stays_there_while_as_much_arrives_as_it_sends():
    """56 shared, 9 of them capped: F = 47 / 2 beside the other queue, and 2 F is more than the cap."""
    pools = SharedPools([QueueLimits(2, reserved=3, cap=9), QueueLimits(1)])
    arrivals = {0: Arrivals([(0, 1), (5, 0)]), 1: Arrivals.constant(4)}
    run = simulate(Switch(2, 59, 1), pools, arrivals, initial={0: "steady", 1: "steady"}, until=20)
    assert [run.queue(0).at(t) for t in (0, 5, 12, 17, 20)] == [12, 12, 5, 0, 0]
    assert [run.queue(0).threshold_at(t) for t in (0, 20)] == [12, 12]
    assert [run.free.at(t) for t in (0, 5, 14, 20)] == [F(47, 2), F(47, 2), 28, 28]


def test_a_cap_that_just_binds_at_first_keeps_binding_when_the_pool_empties():
    """F = 8 at first, where alpha F = cap = 4; the other queue drains at 1 and F rises."""
    pools = SharedPools([QueueLimits("1/2", cap=4), QueueLimits(1)])
    run = simulate(Switch(2, 16, 1), pools, {0: Arrivals.constant(2)}, initial={0: 4, 1: 4}, until=4)
    assert [run.queue(0).at(t) for t in (0, 1, 4)] == [4, 4, 4]
    assert [run.queue(0).threshold_at(t) for t in (0, 1, 4)] == [4, 4, 4]
    assert run.free.at(4) == 12
    assert run.dropped(0) == 4


def test_a_queue_that_rests_where_its_cap_begins_to_bind_keeps_it_when_the_pool_empties_later():
    """F = 8 and alpha F = cap = 4 until the other queue begins to drain at 3."""
    pools = SharedPools([QueueLimits("1/2", cap=4), QueueLimits(1)])
    arrivals = {0: Arrivals.constant(2), 1: Arrivals([(0, 1), (3, 0)])}
    run = simulate(Switch(2, 16, 1), pools, arrivals, initial={0: 4, 1: 4}, until=6)
    assert [run.queue(0).at(t) for t in (0, 3, 6)] == [4, 4, 4]
    assert [run.queue(0).threshold_at(t) for t in (0, 2, 3, 6)] == [4, 4, 4, 4]
    assert (run.free.at(3), run.free.at(6)) == (8, 11)


def crowded_pool(rng):
    """A pool of small whole numbers, so that things happen at once: caps begin to bind, reserves fill, rates change."""
    n = rng.randint(1, 4)
    size, reserves = rng.randint(4, 12), [rng.choice([0, 0, 1, 2]) for _ in range(n)]
    caps = [rng.choice([None, 1, 2, 3, 4, 6]) for _ in range(n)]
    endless = 0.4 if rng.random() < 0.5 else 0
    initial, room = [], size
    for reserve in reserves:
        initial.append(rng.choice([0, 0, rng.randint(0, reserve), reserve + rng.randint(0, room)]))
        room -= max(0, initial[-1] - reserve)
    offers = [
        [(F(t), F(rng.randint(0, 6), 2)) for t in [0, *sorted(rng.sample(range(1, 10), rng.randint(0, 3)))]]
        for _ in range(n)
    ]
    return {
        "size": F(size),
        "rates": [F(rng.randint(1, 3), rng.choice([1, 1, 2])) for _ in range(n)],
        "alphas": [None if rng.random() < endless else rng.choice([F(1, 2), 1, 2, F(3, 2)]) for _ in range(n)],
        "reserves": [F(reserve) for reserve in reserves],
        "caps": [None if cap is None else F(cap) for cap in caps],
        "offers": offers,
        "initial": [F(length) for length in initial],
    }


def check_crowded_pool(seed):
    """Return nothing; the whole run is compared: lengths, thresholds, what is free, first drops, and what is lost."""
    rng = random.Random(seed)
    pool = crowded_pool(rng)
    n, until = len(pool["rates"]), F(10)
    each = zip(pool["alphas"], pool["reserves"], pool["caps"], strict=True)
    limits = [QueueLimits("oo" if alpha is None else alpha, reserve, cap) for alpha, reserve, cap in each]
    arrivals = {i: Arrivals(offer) for i, offer in enumerate(pool["offers"])}
    steady = {i for i in range(n) if rng.random() < 0.4 and pool["offers"][i][0][1] >= pool["rates"][i]}
    steady -= {i for i, limit in enumerate(limits) if limit.alpha is None and limit.cap is None}
    initial = {i: "steady" if i in steady else pool["initial"][i] for i in range(n)}
    policy = SharedPools(limits)
    held = [None if i in steady else pool["initial"][i] for i in range(n)]
    buffer = pool["size"] + sum(pool["reserves"])
    (free,) = policy.steady_free(buffer, held)
    if free < 0:
        return
    for i in steady:
        pool["initial"][i] = pool["reserves"][i] + limits[i].shared(free)
    rates = dict(enumerate(pool["rates"]))
    run = simulate(Switch(n, buffer, 1), policy, arrivals, initial=initial, rates=rates, until=until)
    samples = [F(k, 3) for k in range(31)]
    first, dropped, rows = reference_pools.run(**pool, until=until, samples=samples)
    assert [run.first_drop(i) for i in range(n)] == first, seed
    assert [run.dropped(i) for i in range(n)] == dropped, seed
    for time in samples:
        lengths, left = rows[time]
        assert run.free.at(time) == left, (seed, time)
        assert [run.queue(i).at(time) for i in range(n)] == lengths, (seed, time)
        for i, limit in enumerate(limits):
            if limit.alpha is not None or limit.cap is not None:
                assert run.queue(i).threshold_at(time) == limit.reserved + limit.shared(left), (seed, time)


@pytest.mark.parametrize("seeds", [100, pytest.param(3_000, marks=pytest.mark.exhaustive)])
def test_pools_that_begin_anywhere_agree_with_a_second_implementation(seeds):
    for seed in range(seeds):
        check_crowded_pool(seed)


def run_crowded_pool(pool, number):
    """Run a pool with every size and time a seventh, which floats round."""
    limits = [
        QueueLimits(alpha, reserve / 7, cap if cap is None else cap / 7)
        for alpha, reserve, cap in zip(pool["alphas"], pool["reserves"], pool["caps"], strict=True)
    ]
    queues = tuple(
        QueueScenario(Arrivals([(time / 7, rate / 7) for time, rate in offer]), length / 7, rate / 7)
        for offer, length, rate in zip(pool["offers"], pool["initial"], pool["rates"], strict=True)
    )
    buffer = (pool["size"] + sum(pool["reserves"])) / 7
    run = run_scenario(Scenario(1, Switch(len(queues), buffer, 1), SharedPools(limits), queues, F(2)), number)
    return run.free, run.queues


@pytest.mark.parametrize("seeds", [range(25), (45, 50), (918, 1337)])
def test_fast_runs_agree_with_exact_ones_although_they_round(seeds):
    """Rounded, F stops beside the point where a cap begins to bind, and what happens at once happens in turn."""
    for seed in seeds:
        pool = crowded_pool(random.Random(seed))
        if None in pool["alphas"]:
            continue
        (free, exact), (rounded, fast) = run_crowded_pool(pool, F), run_crowded_pool(pool, float)
        for k in range(9):
            assert rounded.at(k / 4) == pytest.approx(float(free.at(F(k, 4))), abs=1e-9), (seed, k)
            for one, other in zip(exact, fast, strict=True):
                assert other.at(k / 4) == pytest.approx(float(one.at(F(k, 4))), abs=1e-9), (seed, k)
        for one, other in zip(exact, fast, strict=True):
            assert other.dropped() == pytest.approx(float(one.dropped()), abs=1e-9), seed
