"""What the mutants of L2BM's recorder, its switch and its port taught: whole runs against a second implementation."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

import pytest

from dtmodel.errors import InputError
from dtmodel.packet.l2bm import READINGS, Recorder, dequeue, run_trace
from dtmodel.packet.l2bm_ingress import Arrival, Moment, steady_arrivals, switch
from dtmodel.packet.l2bm_switch import Packet, passages, trace_events

F = Fraction
ONE = F(1)


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
            arrivals.append(Arrival(now, rng.randrange(queues), rng.randrange(2), F(rng.randint(1, 4), 2)))
        buffer, alpha = F(rng.randint(4, 12)), F(rng.randint(1, 8), 4)
        rates = [F(rng.randint(1, 4), 2) for _ in range(2)]
        run = switch(buffer, alpha, rates, arrivals, ingress_queues=queues, policy=policy, reading=reading)
        assert run == second_switch(buffer, alpha, rates, arrivals, queues, policy, reading), seed
        decisions |= {moment.decision for moment in run}
        assert all(moment.recorded is None or moment.recorded > 0 for moment in run)
    assert decisions == {"enqueue", "drop"}


def test_a_packet_that_just_fits_the_threshold_and_the_buffer_is_admitted():
    arrivals = [Arrival(F(0), 0, 0, ONE), Arrival(F(0), 0, 0, ONE), Arrival(F(0), 0, 0, ONE)]
    half = switch(F(3), ONE, [ONE], arrivals, ingress_queues=1)  # 1 + 1 <= 3 - 1
    assert [moment.decision for moment in half] == ["enqueue", "enqueue", "drop"]
    full = switch(F(3), F(9), [ONE], [*arrivals, arrivals[0]], ingress_queues=1)
    assert [moment.decision for moment in full] == ["enqueue"] * 3 + ["drop"]
    assert full[2].lengths == (3,)


@pytest.mark.parametrize(("ingress", "egress"), [(-1, 0), (0, -1), (1, 0), (0, 1)])
def test_a_packet_of_a_queue_that_the_switch_lacks_is_refused(ingress, egress):
    with pytest.raises(InputError, match="queues that the switch has"):
        switch(ONE, ONE, [ONE], [Arrival(F(0), ingress, egress, ONE)], ingress_queues=1)


def test_steady_arrivals_follow_their_rates_in_order_of_time_then_of_queue():
    found = steady_arrivals([F(2), F(3)], [F(4), F(2)], F(2))
    assert [(a.time, a.ingress, a.egress, a.size) for a in found] == [
        (0, 0, 0, 2), (0, 1, 1, 3), (F(1, 2), 0, 0, 2), (1, 0, 0, 2), (F(3, 2), 0, 0, 2), (F(3, 2), 1, 1, 3),
    ]  # fmt: skip


def test_packets_are_numbered_and_the_clock_of_the_pause_aware_reading_begins_at_0():
    details = {"queue_out": "1", "rate": "1"}
    events = [["arrive", "1", "a", details], ["arrive", "2", "b", details], ["depart", "2", "b"],
              ["arrive", "3", 7, details], ["depart", "4", "7"]]  # fmt: skip
    steps = run_trace({"algorithm": "l2bm", "reading": "pause-aware", "events": events})["steps"]
    assert [step["packet"] for step in steps] == [0, 1, 1, 2, 2]
    assert [step["updated"] for step in steps] == ["1", "2", "2", "3", "4"]


@pytest.mark.parametrize("reading", READINGS)
def test_the_reason_of_a_pause_says_whether_the_reading_reacts(reading):
    steps = run_trace({"algorithm": "l2bm", "reading": reading, "events": [["pause", "0"], ["resume", "1"]]})["steps"]
    said = "the clock stops or starts" if reading == "pause-aware" else "Algorithm 1 has no line for it"
    assert {step["reason"] for step in steps} == {said}


def test_the_stamped_reading_takes_away_what_a_late_packet_had_left_by_its_own_due_time():
    """The first is due at 1 + 4/2 = 3 and leaves at 4; the second, due at 9, has 5 left then."""
    first, second = {"queue_out": "4", "rate": "2"}, {"queue_out": "16", "rate": "2"}
    events = [["arrive", "1", "a", first], ["arrive", "1", "b", second], ["depart", "4", "a"]]
    last = run_trace({"algorithm": "l2bm", "reading": "stamped", "events": events})["steps"][-1]
    assert (last["total"], last["updated"], last["mean"]) == ("5", "4", "5")


def test_the_stamped_reading_needs_the_due_time():
    with pytest.raises(InputError) as caught:
        dequeue(Recorder(ONE, 1, F(0)), ONE, reading="stamped")
    assert caught.value.field == "due"


@pytest.mark.parametrize("name", [["x"], None, 1.5, False])
def test_a_packet_s_name_is_a_string_or_a_whole_number(name):
    with pytest.raises(InputError) as caught:
        run_trace({"algorithm": "l2bm", "events": [["depart", "0", name]]})
    assert caught.value.field == "events[0][2]"


def test_a_port_s_trace_lists_events_in_order_of_time_and_departures_first():
    """At rate 2: 2 bytes from 0 to 1, 4 from 1 to 3; the third comes when the first has just left."""
    packets = [Packet(F(0), F(2)), Packet(F(1, 2), F(4)), Packet(ONE, F(2)), Packet(F(9), F(1))]
    through = passages(packets, F(2))
    assert [(p.start, p.end, p.queue_out) for p in through] == [(0, 1, 2), (1, 3, 6), (3, 4, 6), (9, F(19, 2), 1)]
    assert trace_events(packets, through, F(2)) == [
        ["arrive", "0", "p0", {"queue_out": "2", "rate": "2"}],
        ["arrive", "1/2", "p1", {"queue_out": "6", "rate": "2"}],
        ["depart", "1", "p0"],
        ["arrive", "1", "p2", {"queue_out": "6", "rate": "2"}],
        ["depart", "3", "p1"],
        ["depart", "4", "p2"],
        ["arrive", "9", "p3", {"queue_out": "1", "rate": "2"}],
        ["depart", "19/2", "p3"],
    ]


def test_round_robin_begins_with_the_lowest_class():
    packets = [Packet(F(0), ONE, 2), Packet(F(0), ONE, 0), Packet(F(0), ONE, 1), Packet(F(0), ONE, 0)]
    assert [p.start for p in passages(packets, ONE)] == [2, 0, 1, 3]


def test_no_class_waits_for_another_that_is_paused_or_has_nothing_yet():
    packets = [Packet(F(0), ONE, 0), Packet(F(0), ONE, 1), Packet(F(5), ONE, 2), Packet(F(5), ONE, 0)]
    through = passages(packets, ONE, pauses=[(1, (F(0), F(3)))])
    assert [p.start for p in through] == [0, 3, 5, 6]
    assert [p.suspended for p in through] == [0, 2, 0, 0]


def test_no_packet_arrives_before_0():
    assert passages([Packet(F(0), ONE)], ONE)[0].end == 1
    with pytest.raises(InputError, match="from 0 on"):
        passages([Packet(F(-1, 2), ONE)], ONE)
