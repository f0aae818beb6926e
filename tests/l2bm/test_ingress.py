"""The whole of L2BM on one switch, packet by packet."""

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest
from refusals import refused

from dtmodel.base.errors import InputError
from dtmodel.packet.l2bm.algorithm import READINGS
from dtmodel.theory.l2bm import formulas as l2bm
from validation.l2bm.incast import averages
from validation.support.l2bm.ingress import IngressPacket, Moment, _common, ingress_moments, steady_arrivals

F = Fraction
ONE = F(1)


def random_arrivals(rng: random.Random) -> list[IngressPacket]:
    now, arrivals = Fraction(0), []
    for _ in range(30):
        now += Fraction(rng.randint(0, 2), 2)
        arrivals.append(IngressPacket(now, rng.randrange(2), rng.randrange(2), Fraction(rng.randint(1, 3))))
    return arrivals


@pytest.mark.parametrize("policy", ["dt", "l2bm"])
def test_no_more_is_held_than_the_buffer_and_no_length_is_negative(policy: str) -> None:
    for seed in range(40):
        arrivals = random_arrivals(random.Random(seed))
        run = ingress_moments(Fraction(12), ONE, [ONE, 2 * ONE], arrivals, ingress_queues=2, policy=policy)
        for arrival, moment in zip(arrivals, run, strict=True):
            assert min(moment.lengths) >= 0
            assert sum(moment.lengths) <= 12
            if moment.decision == "enqueue":
                assert moment.lengths[arrival.ingress] <= moment.threshold


def test_dt_admits_up_to_alpha_times_the_free_buffer() -> None:
    burst = [IngressPacket(Fraction(0), 0, 0, ONE)] * 12
    decisions = [
        m.decision for m in ingress_moments(Fraction(12), ONE / 2, [ONE], burst, ingress_queues=1, policy="dt")
    ]
    assert decisions.count("enqueue") == 4  # the fourth: 3 + 1 <= (12 - 3) / 2


def test_with_one_ingress_queue_l2bm_is_dt() -> None:
    arrivals = steady_arrivals([ONE], [3 * ONE], Fraction(20))
    runs = [ingress_moments(Fraction(12), ONE, [ONE], arrivals, ingress_queues=1, policy=p) for p in ("dt", "l2bm")]
    assert [m.decision for m in runs[0]] == [m.decision for m in runs[1]]


def test_the_thresholds_are_those_of_equation_3_with_the_recorded_averages() -> None:
    packets = [IngressPacket(t * ONE, i, 0, ONE) for t, i in ((0, 0), (0, 1), (ONE / 2, 0), (ONE, 1))]
    met = ingress_moments(F(10), ONE / 8, [ONE], packets, ingress_queues=2)
    assert met[2].threshold == l2bm.thresholds(10, 2, [1, 2], "1/8")[0]
    assert met[3].threshold == l2bm.thresholds(10, 2, [3, 2], "1/8")[1]


def test_the_stamped_recorder_knows_what_is_left_if_packets_arrive_at_idle_ports() -> None:
    arrivals = [IngressPacket(Fraction(2 * k), k % 2, k % 2, ONE) for k in range(10)]
    for moment in ingress_moments(Fraction(12), ONE, [ONE, ONE], arrivals, ingress_queues=2, reading="stamped"):
        assert moment.recorded == moment.true


def test_the_printed_recorder_lags_behind_what_is_left() -> None:
    arrivals = [
        IngressPacket(Fraction(0), 0, 0, 2 * ONE),
        IngressPacket(Fraction(0), 0, 0, ONE),
        IngressPacket(Fraction(5, 2), 0, 0, ONE),
    ]
    last = ingress_moments(Fraction(100), ONE, [ONE], arrivals, ingress_queues=1)[-1]
    assert (last.recorded, last.true) == (3, ONE / 2)


def test_counters_of_whole_packets_never_make_the_average_negative() -> None:
    # The packet in service is counted whole, so that no packet is later than its estimate.
    for seed in range(40):
        for moment in ingress_moments(
            Fraction(12), ONE, [ONE, ONE], random_arrivals(random.Random(seed)), ingress_queues=2
        ):
            assert moment.recorded is None or moment.recorded >= 0


@pytest.mark.parametrize(("rates", "roots"), [((1, 1), [1, 1]), ((4, 1), [2, 1])])
def test_overloaded_queues_hold_more_than_under_dt_and_what_the_square_root_law_says(
    rates: tuple[int, int], roots: list[int]
) -> None:
    mine, plain = averages(rates, "l2bm"), averages(rates, "dt")
    assert sum(mine) > sum(plain)
    for found, said in zip(mine, l2bm.self_consistent(60, roots, "1/4").thresholds, strict=True):
        assert float(found) == pytest.approx(float(said), rel=0.05)


PACKET = IngressPacket(Fraction(0), 0, 0, ONE)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"buffer": 0 * ONE}, "buffer"),
        ({"alpha": -ONE}, "alpha"),
        ({"rates": [0 * ONE]}, "rates[0]"),
        ({"policy": "edt"}, "policy"),
        ({"reading": "best"}, "reading"),
        ({"arrivals": [IngressPacket(ONE, 0, 0, 0 * ONE)]}, "arrivals[0]"),
        ({"arrivals": [IngressPacket(ONE, 0, 0, ONE), PACKET]}, "arrivals[1]"),
        ({"arrivals": [IngressPacket(ONE, 1, 0, ONE)]}, "arrivals[0]"),
        ({"arrivals": [IngressPacket(ONE, 0, 1, ONE)]}, "arrivals[0]"),
    ],
)
def test_bad_input_is_refused_by_name(change: dict[str, Any], field: str) -> None:
    given = {"buffer": ONE, "alpha": ONE, "rates": [ONE], "arrivals": [PACKET], "ingress_queues": 1, **change}
    with refused(field):
        ingress_moments(**given)


@dataclass
class Stay:
    """An admitted packet: its queues, its size, and when it came, is due and leaves."""

    ingress: int
    egress: int
    size: Fraction
    arrival: Fraction
    due: Fraction
    end: Fraction


def recorded(stays, ingress, now, reading):
    """The average of one ingress queue from its packets' due times alone: no running total."""
    mine = [stay for stay in stays if stay.ingress == ingress]
    here, gone = [s for s in mine if s.end > now], [s for s in mine if s.end <= now]
    if not here:
        return None
    early = {stay.end: sum(s.due - s.end for s in gone if s.end == stay.end) for stay in gone}
    if reading == "stamped":
        early = {}
    if reading == "reset":  # what was due before the queue was last empty counts no more
        empty = [end for end in early if not any(s.arrival < end < s.end for s in mine)]
        early = {end: value for end, value in early.items() if end > max(empty, default=F(-1))}
    updated = max(s.arrival for s in mine)
    if reading not in ("literal", "current"):
        updated = max([updated, *(s.end for s in gone)])
    average = (sum(s.due - updated for s in here) + sum(early.values())) / len(here)
    return average - (now - updated) if reading == "current" else average


def second_switch(buffer, alpha, rates, arrivals, ingress_queues, policy, reading):
    """The switch from its definition: every quantity anew at each arrival, from the list of all packets so far."""
    stays, moments = [], []
    for packet in arrivals:
        now = packet.time
        here = [stay for stay in stays if stay.end > now]
        free = buffer - sum(stay.size for stay in here)
        ahead = [stay for stay in here if stay.egress == packet.egress]
        estimate = (packet.size + sum(stay.size for stay in ahead)) / rates[packet.egress]
        averages = [recorded(stays, i, now, reading) for i in range(ingress_queues)]
        known = [estimate if i == packet.ingress and a is None else a for i, a in enumerate(averages)]
        weight = alpha * sum(a for a in known if a is not None) / known[packet.ingress]
        threshold = (alpha if policy == "dt" else weight) * free
        left = [stay.end - now for stay in here if stay.ingress == packet.ingress]
        lengths = [sum((s.size for s in here if s.ingress == i), F(0)) for i in range(ingress_queues)]
        admitted = packet.size <= free and lengths[packet.ingress] + packet.size <= threshold
        if admitted:
            begin = max([now, *(stay.end for stay in ahead)])
            end = begin + packet.size / rates[packet.egress]
            stays.append(Stay(packet.ingress, packet.egress, packet.size, now, now + estimate, end))
            lengths[packet.ingress] += packet.size
        true = sum(left) / len(left) if left else None
        decision = "enqueue" if admitted else "drop"
        moments.append(Moment(now, decision, threshold, averages[packet.ingress], true, tuple(lengths)))
    return moments


@pytest.mark.parametrize(("policy", "reading"), [("dt", "literal"), *(("l2bm", reading) for reading in READINGS)])
def test_whole_runs_of_the_switch_agree_with_a_second_implementation(policy, reading):
    decisions = set()
    for seed in range(25):
        rng = random.Random(seed)
        now, arrivals, queues = F(0), [], rng.randint(1, 3)
        for _ in range(25):
            now += F(rng.choice([0, 0, 1, 1, 2, 9]), 2)
            arrivals.append(IngressPacket(now, rng.randrange(queues), rng.randrange(2), F(rng.randint(1, 4), 2)))
        buffer, alpha = F(rng.randint(4, 12)), F(rng.randint(1, 8), 4)
        rates = [F(rng.randint(1, 4), 2) for _ in range(2)]
        if seed % 5 == 0:  # no common unit is coarse enough
            arrivals = [
                replace(each, time=each.time + F(k, 10**6) + F(1, 10**9 + k)) for k, each in enumerate(arrivals)
            ]
        run = ingress_moments(buffer, alpha, rates, arrivals, ingress_queues=queues, policy=policy, reading=reading)
        assert run == second_switch(buffer, alpha, rates, arrivals, queues, policy, reading), seed
        decisions |= {moment.decision for moment in run}
        assert all(moment.recorded is None or moment.recorded > 0 for moment in run)
    assert decisions == {"enqueue", "drop"}


def test_a_common_unit_is_one_that_is_not_too_fine():
    assert (_common([F(1, 4), F(5, 6), F(3)]), _common([F(1, 2**256)])) == (12, 2**256)
    assert _common([F(1, 2**255), F(1, 3)]) is None


@pytest.mark.parametrize("reading", READINGS)
def test_packets_leave_in_the_order_of_their_ends_and_not_in_that_in_which_they_are_due(reading):
    sizes = [(0, 0, 2), (0, 1, F(7, 2)), (0, 1, 20), (1, 0, 1), (10, 0, 1)]  # (time, egress, size): ends 2, 7/2, .., 3
    arrivals = [IngressPacket(F(now), 0, egress, F(size)) for now, egress, size in sizes]
    given = F(100), F(4), [ONE, ONE]  # at 1 a whole packet of 2 counts as ahead, so that the next is due at 4
    run = ingress_moments(*given, arrivals, ingress_queues=1, reading=reading)
    assert run == second_switch(*given, arrivals, 1, "l2bm", reading)


def test_a_packet_that_just_fits_the_threshold_and_the_buffer_is_admitted():
    arrivals = [IngressPacket(F(0), 0, 0, ONE), IngressPacket(F(0), 0, 0, ONE), IngressPacket(F(0), 0, 0, ONE)]
    half = ingress_moments(F(3), ONE, [ONE], arrivals, ingress_queues=1)  # 1 + 1 <= 3 - 1
    assert [moment.decision for moment in half] == ["enqueue", "enqueue", "drop"]
    full = ingress_moments(F(3), F(9), [ONE], [*arrivals, arrivals[0]], ingress_queues=1)
    assert [moment.decision for moment in full] == ["enqueue"] * 3 + ["drop"]
    assert full[2].lengths == (3,)


@pytest.mark.parametrize(("ingress", "egress"), [(-1, 0), (0, -1), (1, 0), (0, 1)])
def test_a_packet_of_a_queue_that_the_switch_lacks_is_refused(ingress, egress):
    with pytest.raises(InputError, match="queues that the switch has"):
        ingress_moments(ONE, ONE, [ONE], [IngressPacket(F(0), ingress, egress, ONE)], ingress_queues=1)


def test_steady_arrivals_follow_their_rates_in_order_of_time_then_of_queue():
    found = steady_arrivals([F(2), F(3)], [F(4), F(2)], F(2))
    assert [(a.time, a.ingress, a.egress, a.size) for a in found] == [
        (0, 0, 0, 2), (0, 1, 1, 3), (F(1, 2), 0, 0, 2), (1, 0, 0, 2), (F(3, 2), 0, 0, 2), (F(3, 2), 1, 1, 3),
    ]  # fmt: skip
