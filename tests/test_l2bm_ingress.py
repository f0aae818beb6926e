"""The whole of L2BM on one switch, packet by packet."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from dtmodel.errors import InputError
from dtmodel.packet.l2bm_ingress import Arrival, steady_arrivals, switch
from dtmodel.theory import l2bm
from validation.l2bm.packets import averages

ONE = Fraction(1)


def random_arrivals(rng: random.Random) -> list[Arrival]:
    now, arrivals = Fraction(0), []
    for _ in range(30):
        now += Fraction(rng.randint(0, 2), 2)
        arrivals.append(Arrival(now, rng.randrange(2), rng.randrange(2), Fraction(rng.randint(1, 3))))
    return arrivals


@pytest.mark.parametrize("policy", ["dt", "l2bm"])
def test_no_more_is_held_than_the_buffer_and_no_length_is_negative(policy: str) -> None:
    for seed in range(40):
        arrivals = random_arrivals(random.Random(seed))
        run = switch(Fraction(12), ONE, [ONE, 2 * ONE], arrivals, ingress_queues=2, policy=policy)
        for arrival, moment in zip(arrivals, run, strict=True):
            assert min(moment.lengths) >= 0
            assert sum(moment.lengths) <= 12
            if moment.decision == "enqueue":
                assert moment.lengths[arrival.ingress] <= moment.threshold


def test_dt_admits_up_to_alpha_times_the_free_buffer() -> None:
    burst = [Arrival(Fraction(0), 0, 0, ONE)] * 12
    decisions = [m.decision for m in switch(Fraction(12), ONE / 2, [ONE], burst, ingress_queues=1, policy="dt")]
    assert decisions.count("enqueue") == 4  # the fourth: 3 + 1 <= (12 - 3) / 2


def test_with_one_ingress_queue_l2bm_is_dt() -> None:
    arrivals = steady_arrivals([ONE], [3 * ONE], Fraction(20))
    runs = [switch(Fraction(12), ONE, [ONE], arrivals, ingress_queues=1, policy=p) for p in ("dt", "l2bm")]
    assert [m.decision for m in runs[0]] == [m.decision for m in runs[1]]


def test_the_stamped_recorder_knows_what_is_left_if_packets_arrive_at_idle_ports() -> None:
    arrivals = [Arrival(Fraction(2 * k), k % 2, k % 2, ONE) for k in range(10)]
    for moment in switch(Fraction(12), ONE, [ONE, ONE], arrivals, ingress_queues=2, reading="stamped"):
        assert moment.recorded == moment.true


def test_the_printed_recorder_lags_behind_what_is_left() -> None:
    arrivals = [
        Arrival(Fraction(0), 0, 0, 2 * ONE),
        Arrival(Fraction(0), 0, 0, ONE),
        Arrival(Fraction(5, 2), 0, 0, ONE),
    ]
    last = switch(Fraction(100), ONE, [ONE], arrivals, ingress_queues=1)[-1]
    assert (last.recorded, last.true) == (3, ONE / 2)


def test_counters_of_whole_packets_never_make_the_average_negative() -> None:
    # The packet in service is counted whole, so that no packet is later than its estimate.
    for seed in range(40):
        for moment in switch(Fraction(12), ONE, [ONE, ONE], random_arrivals(random.Random(seed)), ingress_queues=2):
            assert moment.recorded is None or moment.recorded >= 0


@pytest.mark.parametrize(("rates", "roots"), [((1, 1), [1, 1]), ((4, 1), [2, 1])])
def test_overloaded_queues_hold_more_than_under_dt_and_what_the_square_root_law_says(
    rates: tuple[int, int], roots: list[int]
) -> None:
    mine, plain = averages(rates, "l2bm"), averages(rates, "dt")
    assert sum(mine) > sum(plain)
    for found, said in zip(mine, l2bm.self_consistent(60, roots, "1/4").thresholds, strict=True):
        assert float(found) == pytest.approx(float(said), rel=0.05)


PACKET = Arrival(Fraction(0), 0, 0, ONE)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"buffer": 0 * ONE}, "buffer"),
        ({"alpha": -ONE}, "alpha"),
        ({"rates": [0 * ONE]}, "rates[0]"),
        ({"policy": "edt"}, "policy"),
        ({"reading": "best"}, "reading"),
        ({"arrivals": [Arrival(ONE, 0, 0, 0 * ONE)]}, "arrivals[0]"),
        ({"arrivals": [Arrival(ONE, 0, 0, ONE), PACKET]}, "arrivals[1]"),
        ({"arrivals": [Arrival(ONE, 1, 0, ONE)]}, "arrivals[0]"),
        ({"arrivals": [Arrival(ONE, 0, 1, ONE)]}, "arrivals[0]"),
    ],
)
def test_bad_input_is_refused_by_name(change: dict[str, Any], field: str) -> None:
    given = {"buffer": ONE, "alpha": ONE, "rates": [ONE], "arrivals": [PACKET], "ingress_queues": 1, **change}
    with pytest.raises(InputError) as caught:
        switch(**given)
    assert caught.value.field == field
