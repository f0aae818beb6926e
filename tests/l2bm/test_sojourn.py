"""When packets really leave, beside what L2BM's recorder expects: the exact error of every accounting choice."""

import random
from fractions import Fraction

import pytest
from refusals import refused

from dtmodel.base.errors import InputError
from dtmodel.packet.l2bm.switch import COUNTERS, PortPacket, passages
from dtmodel.packet.l2bm.trace import run_trace
from validation.support.l2bm.events import trace_events

F = Fraction
ONE = F(1)


def random_packets(rng: random.Random, groups: int) -> list[PortPacket]:
    now, packets = Fraction(0), []
    for _ in range(rng.randint(1, 8)):
        now += Fraction(rng.choice([0, 0, 1, 2]), rng.choice([1, 2]))
        packets.append(PortPacket(now, Fraction(rng.randint(1, 4), rng.randint(1, 2)), rng.randrange(groups)))
    return packets


def random_pauses(rng: random.Random) -> list[tuple[int, tuple[Fraction, Fraction]]]:
    begin = Fraction(rng.randint(0, 4))
    return [(0, (begin, begin + rng.randint(1, 3)))] if rng.random() < 0.5 else []


@pytest.mark.parametrize("counter", COUNTERS)
def test_the_error_of_the_estimate_is_the_stated_sum_on_every_random_port(counter: str) -> None:
    for seed in range(300):
        rng = random.Random(seed)
        packets, rate = random_packets(rng, groups=rng.choice([1, 2, 3])), Fraction(rng.randint(1, 3))
        for p, q in zip(packets, passages(packets, rate, counter=counter, pauses=random_pauses(rng)), strict=True):
            assert q.due - q.end == q.counted / rate - q.others - q.suspended
            assert q.end == q.start + p.size / rate
            assert min(q.others, q.suspended) >= 0


def test_alone_unpaused_and_counted_by_the_byte_the_estimate_is_exact_and_the_total_ends_at_zero() -> None:
    for seed in range(200):
        packets = random_packets(random.Random(seed), groups=1)
        through = passages(packets, ONE, counter="fluid")
        assert all(q.due == q.end for q in through)
        events = trace_events(packets, through, ONE)
        assert run_trace({"algorithm": "l2bm", "events": events})["final"]["total"] == "0"


@pytest.mark.parametrize("counter", COUNTERS)
def test_the_printed_total_of_an_emptied_queue_is_the_sum_of_all_errors(counter: str) -> None:
    for seed in range(200):
        rng = random.Random(seed)
        packets, pauses = random_packets(rng, groups=2), random_pauses(rng)
        through = passages(packets, ONE, counter=counter, pauses=pauses)
        total = run_trace({"algorithm": "l2bm", "events": trace_events(packets, through, ONE)})["final"]["total"]
        assert Fraction(total) == sum(q.due - q.end for q in through)


def test_a_counter_that_holds_the_packet_in_service_overestimates_by_what_it_has_sent() -> None:
    packets = [PortPacket(Fraction(0), Fraction(4)), PortPacket(Fraction(3), ONE)]
    assert [q.counted for q in passages(packets, ONE, counter="end")] == [0, 3]


def test_a_counter_that_drops_the_packet_in_service_underestimates_by_what_it_still_sends() -> None:
    packets = [PortPacket(Fraction(0), Fraction(4)), PortPacket(Fraction(3), ONE)]
    assert [q.counted for q in passages(packets, ONE, counter="start")] == [0, -1]


def test_round_robin_makes_packets_late_by_what_the_other_class_sends() -> None:
    packets = [PortPacket(Fraction(0), ONE, 0), PortPacket(Fraction(0), ONE, 0), PortPacket(Fraction(0), ONE, 1)]
    assert [q.end for q in passages(packets, ONE)] == [1, 3, 2]
    assert [q.others for q in passages(packets, ONE)] == [0, 1, 1]


def test_a_pause_makes_packets_late_by_its_length() -> None:
    through = passages([PortPacket(Fraction(0), ONE), PortPacket(Fraction(0), ONE)], ONE, pauses=[(0, (ONE, 4 * ONE))])
    assert [(q.end, q.suspended) for q in through] == [(1, 0), (5, 3)]


@pytest.mark.parametrize(
    ("packets", "rate", "counter", "field"),
    [
        ([PortPacket(ONE, Fraction(0))], ONE, "end", "packets[0]"),
        ([PortPacket(ONE, ONE), PortPacket(Fraction(0), ONE)], ONE, "end", "packets[1]"),
        ([], Fraction(0), "end", "rate"),
        ([], ONE, "middle", "counter"),
    ],
)
def test_bad_input_is_refused_by_name(packets: list[PortPacket], rate: Fraction, counter: str, field: str) -> None:
    with refused(field):
        passages(packets, rate, counter=counter)


def test_a_port_s_trace_lists_events_in_order_of_time_and_departures_first():
    """At rate 2: 2 bytes from 0 to 1, 4 from 1 to 3; the third comes when the first has just left."""
    packets = [PortPacket(F(0), F(2)), PortPacket(F(1, 2), F(4)), PortPacket(ONE, F(2)), PortPacket(F(9), F(1))]
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
    packets = [PortPacket(F(0), ONE, 2), PortPacket(F(0), ONE, 0), PortPacket(F(0), ONE, 1), PortPacket(F(0), ONE, 0)]
    assert [p.start for p in passages(packets, ONE)] == [2, 0, 1, 3]


def test_no_class_waits_for_another_that_is_paused_or_has_nothing_yet():
    packets = [PortPacket(F(0), ONE, 0), PortPacket(F(0), ONE, 1), PortPacket(F(5), ONE, 2), PortPacket(F(5), ONE, 0)]
    through = passages(packets, ONE, pauses=[(1, (F(0), F(3)))])
    assert [p.start for p in through] == [0, 3, 5, 6]
    assert [p.suspended for p in through] == [0, 2, 0, 0]


def test_no_packet_arrives_before_0():
    assert passages([PortPacket(F(0), ONE)], ONE)[0].end == 1
    with pytest.raises(InputError, match="from 0 on"):
        passages([PortPacket(F(-1, 2), ONE)], ONE)


def plainly(
    index: int, packets: list[PortPacket], starts: list[Fraction], rate: Fraction, counter: str
) -> tuple[Fraction, ...]:
    """What a packet meets, summed up over all packets: the counter, what it counts too much, others, suspension."""
    own, end = packets[index], starts[index] + packets[index].size / rate
    queue_out = fluid = own.size
    busy = others = F(0)
    for place, (packet, start) in enumerate(zip(packets, starts, strict=True)):
        over = start + packet.size / rate
        met = max(F(0), min(over, end) - max(start, own.arrival))
        busy += met
        others += met if packet.group != own.group else 0
        if place < index and packet.group == own.group:
            left = min(packet.size, max(F(0), rate * (over - own.arrival)))
            fluid += left
            counted = packet.size if (start if counter == "start" else over) > own.arrival else 0
            queue_out += left if counter == "fluid" else counted
    return queue_out, queue_out - fluid, others, end - own.arrival - busy


@pytest.mark.parametrize("counter", COUNTERS)
def test_a_passage_is_what_the_sums_over_all_packets_say(counter: str) -> None:
    met = set()
    for seed in range(300):
        rng = random.Random(seed)
        packets, rate = random_packets(rng, groups=rng.choice([1, 2, 3])), Fraction(rng.randint(1, 3))
        through = passages(packets, rate, counter=counter, pauses=random_pauses(rng))
        starts = [passage.start for passage in through]
        for index, q in enumerate(through):
            assert (q.queue_out, q.counted, q.others, q.suspended) == plainly(index, packets, starts, rate, counter)
            met.add((q.counted != 0, q.others > 0, q.suspended > 0))
    assert len(met) >= (4 if counter == "fluid" else 5)
