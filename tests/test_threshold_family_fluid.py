"""The weighted policies and the shared pools in the fluid engine, against closed forms and a second implementation."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
import reference_pools

from dtmodel.errors import InputError
from dtmodel.fluid import answer, run_scenario
from dtmodel.scenario import Scenario
from dtmodel.theory import l2bm, threshold_family
from dtmodel.theory.threshold_family import Burst, Held

ONE = Fraction(1)


def document(policy: dict[str, Any], queues: list[dict[str, Any]], until: str = "1", **more: Any) -> dict[str, Any]:
    switch = {"ports": len(queues), "buffer": "60", "rate": "1"}
    return {"switch": switch, "policy": policy, "queues": queues, "until": until, **more}


def overloaded(number: int) -> list[dict[str, Any]]:
    return [{"arrivals": [["0", "4"]], "initial": "steady"} for _ in range(number)]


MEMBERS: list[tuple[dict[str, Any], tuple[Fraction, ...]]] = [
    ({"name": "dt", "alpha": "1/2"}, threshold_family.dt_weights("1/2", 3)),
    ({"name": "weighted", "weights": ["1", "2", "1/3"]}, (ONE, 2 * ONE, ONE / 3)),
    (
        {"name": "abm", "alphas": ["1/2", "2"], "priorities": [0, 0, 1], "drains": ["1", "1/2", "1"]},
        threshold_family.abm_weights(["1/2", 2], [0, 0, 1], [1, "1/2", 1]),
    ),
    *(
        (
            {"name": "l2bm", "alpha": "1/8", "sojourns": ["1", "2", "9"], "normalisation": how},
            l2bm.weights([1, 2, 9], "1/8", how),
        )
        for how in l2bm.NORMALISATIONS
    ),
]


@pytest.mark.parametrize(("policy", "weights"), MEMBERS)
def test_the_steady_state_of_every_member_equals_the_closed_form(
    policy: dict[str, Any], weights: tuple[Fraction, ...]
) -> None:
    result = answer(document(policy, overloaded(3), sample=["0", "1"]))
    closed = threshold_family.steady_state(60, weights)
    for row in result["queues"]:
        assert [Fraction(length) for length in row] == list(closed.thresholds)


@pytest.mark.parametrize(("policy", "weights"), MEMBERS)
@pytest.mark.parametrize("rate", [2, 5, 40])
def test_the_first_drop_of_every_member_equals_the_closed_form(
    policy: dict[str, Any], weights: tuple[Fraction, ...], rate: int
) -> None:
    for steady in (0, 1, 2):
        bursts = [Burst(w, ONE, Fraction(rate)) for w in weights[steady:]]
        closed = threshold_family.first_drop(60, [Held(w, ONE) for w in weights[:steady]], bursts)
        queues = overloaded(steady) + [{"arrivals": [["0", str(rate)]]} for _ in bursts]
        result = answer(document(policy, queues, until=str(closed.time + 1)))
        assert Fraction(result["first_drop"][steady + closed.burst]) == closed.time
        assert Fraction(result["free_at_first_drop"][steady + closed.burst]) == closed.free
        assert all(first is None or Fraction(first) >= closed.time for first in result["first_drop"][steady:])


def random_pool(rng: random.Random, n: int) -> dict[str, Any]:
    offers = []
    for _ in range(n):
        times = sorted(rng.sample(range(12), rng.randint(1, 3)))
        offers.append([(Fraction(t), Fraction(rng.randint(0, 12), 2)) for t in times])
    return {
        "size": Fraction(rng.randint(4, 12)),
        "rates": [Fraction(rng.randint(1, 4), 2) for _ in range(n)],
        "alphas": [Fraction(rng.randint(1, 6), 2) for _ in range(n)],
        "reserves": [Fraction(rng.choice([0, 0, 1, 2])) for _ in range(n)],
        "caps": [rng.choice([None, Fraction(rng.randint(1, 6))]) for _ in range(n)],
        "offers": offers,
    }


def check_pool(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(1, 4)
    pool = random_pool(rng, n)
    reserved = sum(pool["reserves"])
    limits = [
        {"alpha": str(a), "reserved": str(r), "cap": None if c is None else str(c)}
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


def test_pools_with_reserves_and_caps_agree_with_a_second_implementation() -> None:
    for seed in range(60):
        check_pool(seed)


@pytest.mark.exhaustive
def test_many_pools_with_reserves_and_caps_agree_with_a_second_implementation() -> None:
    for seed in range(3_000):
        check_pool(seed)


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


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        ({"name": "weighted"}, "policy.weights"),
        ({"name": "weighted", "weights": ["1"]}, "policy.weights"),
        ({"name": "weighted", "weights": ["0", "1"]}, "policy.weights[0]"),
        ({"name": "weighted", "weights": []}, "policy.weights"),
        ({"name": "l2bm", "alpha": "1", "sojourns": ["1", "0"]}, "policy.sojourns[1]"),
        ({"name": "l2bm", "alpha": "1", "sojourns": []}, "policy.sojourns"),
        ({"name": "l2bm", "alpha": "1", "sojourns": ["1", "1"], "normalisation": "best"}, "policy.normalisation"),
        ({"name": "abm", "alphas": ["1"], "priorities": [0, 1], "drains": ["1", "1"]}, "policy.priorities[1]"),
        ({"name": "abm", "alphas": ["1"], "priorities": [0, 0], "drains": ["1", "2"]}, "policy.drains[1]"),
        ({"name": "abm", "alphas": ["1"], "priorities": [0, 0], "drains": ["1"]}, "policy.drains"),
        ({"name": "pools", "limits": [{"alpha": 1}]}, "policy.limits"),
        ({"name": "pools", "limits": [{"alpha": 1}, {}]}, "policy.limits[1].cap"),
        ({"name": "pools", "limits": [{"alpha": 1, "reserved": "60"}, {"alpha": 1}]}, "policy.pools"),
        ({"name": "pools", "limits": [{"cap": "1"}, {"alpha": 1}]}, "policy.pools[0]"),
        ({"name": "pools", "limits": [{"cap": "40"}, {"cap": "40"}]}, "policy.pools[0]"),
        ({"name": "pools", "limits": [{"alpha": 1}] * 2, "pools": [{"size": "9", "queues": [0]}]}, "policy.pools"),
    ],
)
def test_bad_policies_are_refused_by_name(policy: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        answer(document(policy, [{}, {}]))
    assert caught.value.field == field
