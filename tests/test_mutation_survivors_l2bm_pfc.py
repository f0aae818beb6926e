"""What the mutants of PFC taught: the borders of every decision, what each counter holds, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dtmodel.errors import InputError
from dtmodel.packet.pfc import Egress, Ingress, Link, Pools, arrived_after, headroom, run

F = Fraction
ONE = F(1)


def decisions(steps):
    return [step.decision for step in steps]


def arrivals(name, number, size=ONE, out="out"):
    return [("arrive", name, out, size)] * number


def test_the_worst_case_fills_the_headroom_whatever_the_pause_frame_holds():
    link = Link(F(2), F(3), F(5), F(8), F(6))
    assert headroom(link) == 2 * (2 * 3 + 5) + 8 + 6 + 64
    assert arrived_after(link, F(0), F(0)) == headroom(link)


def test_an_ingress_queue_is_lossy_and_owns_nothing_unless_it_is_said():
    queue = Ingress(ONE)
    assert (queue.lossless, queue.reserved, queue.headroom, queue.resume_below, queue.cap) == (False, 0, 0, 0, None)
    with pytest.raises(InputError) as caught:
        Pools(ONE, ONE, {"a": Ingress(ONE, lossless=True)}, {})
    assert (caught.value.field, caught.value.value) == ("ingress.a.resume_below", "0")


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Pools(ONE, ONE, {"a": Ingress(ONE, cap=F(-1, 2))}, {}), "ingress.a"),
        (lambda: Pools(ONE, ONE, {"a": Ingress(ONE, reserved=F(-1, 2))}, {}), "ingress.a"),
        (lambda: Pools(ONE, ONE, {"a": Ingress(ONE, lossless=True, headroom=F(-1, 2), resume_below=ONE)}, {}),
         "ingress.a"),
        (lambda: Pools(ONE, ONE, {"a": Ingress(F(-1, 2))}, {}), "ingress.a.alpha"),
        (lambda: Pools(ONE, ONE, {}, {"x": Egress(F(0))}), "egress.x.alpha"),
        (lambda: Pools(ONE, ONE, {}, {"x": Egress(F(-1, 2))}), "egress.x.alpha"),
        (lambda: Pools(ONE, F(0), {}, {}), "egress_pool"),
        (lambda: Pools(ONE, ONE, {}, {}, cell=F(-1, 2)), "cell"),
    ],
)  # fmt: skip
def test_sizes_and_weights_below_their_borders_are_refused(make, field):
    with pytest.raises(InputError) as caught:
        make()
    assert caught.value.field == field


def test_sizes_and_weights_on_their_borders_are_accepted():
    Pools(
        ONE,
        ONE,
        {"a": Ingress(F(1, 9), cap=F(0)), "b": Ingress(ONE, cap=F(1, 2))},
        {"x": Egress(F(1, 9))},
        cell=F(1, 2),
    )
    Pools(ONE, ONE, {"a": Ingress(ONE, lossless=True, resume_below=F(1, 9))}, {}, cell=ONE)


@pytest.mark.parametrize(
    ("event", "field"),
    [
        (("arrive", "a", "out"), "events[0]"),
        (("arrive", "a", "out", ONE, "now"), "events[0]"),
        (("leave", "a", "out", ONE), "events[0]"),
        (("depart",), "events[0]"),
        (("depart", "out", "now"), "events[0]"),
        (("leave", "out"), "events[0]"),
        (("depart", ["out"]), "events[0][1]"),
        (("depart", "in"), "events[0][1]"),
        (("arrive", "a", "out", F(-1, 2)), "events[0][3]"),
    ],
)
def test_an_event_that_is_neither_arrival_nor_departure_is_refused(event, field):
    with pytest.raises(InputError) as caught:
        run(Pools(ONE, ONE, {"a": Ingress(ONE)}, {"out": Egress()}), [event])
    assert caught.value.field == field


def test_a_packet_occupies_whole_cells():
    pools = Pools(F(9999), F(9999), {"a": Ingress(ONE)}, {"out": Egress()}, cell=F(208))
    steps = run(pools, [("arrive", "a", "out", F(size)) for size in (1, 208, 209, 500)])
    assert [step.stored for step in steps] == [208, 416, 832, 1456]


def test_an_egress_queue_takes_a_packet_that_just_fits_its_threshold():
    steps = run(Pools(F(99), F(3), {"a": Ingress(ONE)}, {"out": Egress(ONE)}), arrivals("a", 3))
    assert decisions(steps) == ["enqueue", "enqueue", "drop"]  # the second: 1 + 1 <= 3 - 1


def test_only_lossless_queues_pause():
    steps = run(Pools(F(2), F(99), {"a": Ingress(ONE)}, {"out": Egress()}), arrivals("a", 3))
    assert decisions(steps) == ["enqueue", "drop", "drop"]
    assert all(not step.paused for step in steps)


def test_headroom_does_not_count_in_the_shared_pool():
    queues = {"a": Ingress(ONE, lossless=True, headroom=F(2), resume_below=ONE), "b": Ingress(ONE)}
    steps = run(Pools(F(6), F(99), queues, {"out": Egress()}), arrivals("a", 5) + arrivals("b", 3))
    assert decisions(steps) == ["enqueue"] * 3 + ["headroom"] * 2 + ["enqueue", "enqueue", "drop"]
    assert steps[-1].ingress == {"a": 5, "b": 2}


def test_an_egress_queue_sends_first_what_came_first():
    pools = Pools(F(99), F(99), {"a": Ingress(ONE), "b": Ingress(ONE)}, {"out": Egress()})
    steps = run(pools, [*arrivals("a", 1, F(2)), *arrivals("b", 1, F(3)), ("depart", "out"), ("depart", "out")])
    assert [step.ingress for step in steps[2:]] == [{"a": 0, "b": 3}, {"a": 0, "b": 0}]
    assert [step.egress["out"] for step in steps] == [2, 5, 3, 0]


def test_a_departure_gives_headroom_back_first_and_no_more_than_the_packet_holds():
    """Threshold 3 of 6; headroom 2 is full at 5. A departure of 1/2 leaves 3/2 in it, so that just 1/2 fits again."""
    queues = {"a": Ingress(ONE, lossless=True, headroom=F(2), resume_below=F(5))}
    events = [*arrivals("a", 2, F(1, 2)), *arrivals("a", 4), ("depart", "out")]
    steps = run(Pools(F(6), F(99), queues, {"out": Egress()}), [*events, *arrivals("a", 2, F(1, 2))])
    assert decisions(steps) == ["enqueue"] * 4 + ["headroom"] * 2 + ["depart", "headroom", "drop"]


def test_a_departure_beyond_the_headroom_gives_back_no_headroom_that_was_not_used():
    """Of the 4 bytes 1 lies in the headroom; a departure of 2 frees it, and 1 of the pool: 4 are free, b may hold 3."""
    queues = {"a": Ingress(ONE, lossless=True, headroom=ONE, resume_below=F(1, 2)), "b": Ingress(F(3, 4))}
    events = [*arrivals("a", 1, F(2)), *arrivals("a", 2), ("depart", "out"), *arrivals("b", 2, F(5, 2))]
    steps = run(Pools(F(6), F(99), queues, {"out": Egress()}), events)
    assert decisions(steps) == ["enqueue", "enqueue", "headroom", "depart", "enqueue", "drop"]
    assert [bool(step.paused) for step in steps] == [False, False, True, False, False, False]


def test_traffic_resumes_exactly_at_the_distance_below_the_threshold():
    """After two departures of 1/2 the queue holds 5/2 = 6 - 5/2 - 1."""
    queues = {"a": Ingress(ONE, lossless=True, headroom=F(1, 2), resume_below=ONE)}
    events = [*arrivals("a", 7, F(1, 2)), ("depart", "out"), ("depart", "out")]
    steps = run(Pools(F(6), F(99), queues, {"out": Egress()}), events)
    assert [(step.ingress["a"], bool(step.paused)) for step in steps[6:]] == [
        (F(7, 2), True), (3, True), (F(5, 2), False),
    ]  # fmt: skip


def test_an_empty_queue_resumes_even_where_its_threshold_is_below_the_distance():
    """Queue b holds 3 of 4, so that a's threshold stays at 1 or less, below the distance 2."""
    queues = {"a": Ingress(ONE, lossless=True, headroom=ONE, resume_below=F(2)), "b": Ingress(F(9))}
    events = [("arrive", "b", "other", F(3)), ("arrive", "a", "out", ONE), ("depart", "out")]
    steps = run(Pools(F(4), F(99), queues, {"out": Egress(), "other": Egress()}), events)
    assert decisions(steps) == ["enqueue", "enqueue", "depart"]
    events[1:1] = [("arrive", "a", "out", F(1, 2))]
    steps = run(Pools(F(4), F(99), queues, {"out": Egress(), "other": Egress()}), [*events, ("depart", "out")])
    assert decisions(steps) == ["enqueue", "enqueue", "headroom", "depart", "depart"]
    assert [bool(step.paused) for step in steps] == [False, False, True, True, False]
