"""Shared pools with reserves and caps in the fluid engine, against a second implementation."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
import reference_pools

from dtmodel.errors import InputError
from dtmodel.fluid import answer, run_scenario
from dtmodel.scenario import Scenario


def document(policy: dict[str, Any], queues: list[dict[str, Any]], until: str = "1", **more: Any) -> dict[str, Any]:
    switch = {"ports": len(queues), "buffer": "60", "rate": "1"}
    return {"switch": switch, "policy": policy, "queues": queues, "until": until, **more}


def overloaded(number: int) -> list[dict[str, Any]]:
    return [{"arrivals": [["0", "4"]], "initial": "steady"} for _ in range(number)]


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
        ({"name": "pools", "limits": [{"alpha": 1}]}, "policy.limits"),
        ({"name": "pools", "limits": [{"alpha": 1}, {}]}, "policy.limits[1].cap"),
        ({"name": "pools", "limits": [{"alpha": 1, "reserved": "60"}, {"alpha": 1}]}, "policy.pools"),
        ({"name": "pools", "limits": [{"cap": "1"}, {"alpha": 1}]}, "policy.pools[0]"),
        ({"name": "pools", "limits": [{"cap": "40"}, {"cap": "40"}]}, "policy.pools[0]"),
        ({"name": "pools", "limits": [{"alpha": 1}] * 2, "pools": [{"size": "9", "queues": [0]}]}, "policy.pools"),
    ],
)
def test_bad_pools_are_refused_by_name(policy: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        answer(document(policy, [{}, {}]))
    assert caught.value.field == field
