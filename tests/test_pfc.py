"""PFC over one memory: pools as virtual counters, pause and resume, and the headroom bound."""

import random
from fractions import Fraction
from itertools import product

import pytest
from refusals import refused

from dtmodel.packet.pfc import Egress, Ingress, Link, PfcEvent, Pools, arrived_after, pfc_headroom, run_pools

F = Fraction
ONE = F(1)
LOSSY, LOSSLESS = Ingress(ONE), Ingress(ONE, lossless=True, headroom=2 * ONE, resume_below=ONE)


def pools(size: int = 6, **queues: Ingress) -> Pools:
    return Pools(Fraction(size), Fraction(99), queues, {"out": Egress(), "tight": Egress(Fraction(1, 50))})


def arrivals(name: str, number: int, out: str = "out") -> list[PfcEvent]:
    return [("arrive", name, out, ONE)] * number


def test_both_pools_and_the_memory_count_the_same_bytes_after_every_event() -> None:
    for seed in range(100):
        rng = random.Random(seed)
        events: list[PfcEvent] = []
        for _ in range(15):
            size = Fraction(rng.randint(1, 4), 2)
            arrival = ("arrive", rng.choice(["a", "b"]), rng.choice(["out", "tight"]), size)
            events.append(arrival if rng.random() < 0.6 else ("depart", rng.choice(["out", "tight"])))
        for step in run_pools(pools(a=LOSSY, b=LOSSLESS), events):
            assert sum(step.ingress.values()) == sum(step.egress.values()) == step.stored


def test_a_lossy_queue_drops_at_its_threshold() -> None:
    assert [s.decision for s in run_pools(pools(a=LOSSY), arrivals("a", 5))] == ["enqueue"] * 3 + ["drop"] * 2


def test_a_lossless_queue_pauses_and_uses_its_headroom_before_it_drops() -> None:
    steps = run_pools(pools(a=LOSSLESS), arrivals("a", 6))
    assert [s.decision for s in steps] == ["enqueue"] * 3 + ["headroom"] * 2 + ["drop"]
    assert [bool(s.paused) for s in steps] == [False] * 3 + [True] * 3


def test_traffic_resumes_below_the_pausing_threshold_only() -> None:
    steps = run_pools(pools(a=LOSSLESS), arrivals("a", 4) + [("depart", "out")] * 3)
    assert [(s.stored, bool(s.paused)) for s in steps[3:]] == [(4, True), (3, True), (2, False), (1, False)]


def test_an_egress_queue_drops_what_its_ingress_queue_would_admit() -> None:
    assert [s.decision for s in run_pools(pools(a=LOSSY), arrivals("a", 2, "tight"))] == ["enqueue", "drop"]


@pytest.mark.parametrize(
    ("reserved", "sizes", "decisions"),
    [
        (0, [2, 1], ["enqueue", "drop"]),  # the whole pool, exactly, and nothing beyond it
        (0, [3], ["drop"]),
        (1, [3], ["enqueue"]),  # one byte of its own, two of the pool
        (1, [4], ["drop"]),
        (1, [2, 2], ["enqueue", "drop"]),  # one free byte is left, and the reserve is used up
    ],
)
def test_a_weight_above_1_admits_no_more_than_is_free(reserved: int, sizes: list[int], decisions: list[str]) -> None:
    eager = Ingress(8 * ONE, reserved=reserved * ONE)
    steps = run_pools(pools(2, a=eager), [("arrive", "a", "out", size * ONE) for size in sizes])
    assert [step.decision for step in steps] == decisions


def test_a_lossless_queue_takes_what_does_not_fit_into_the_pool_into_its_headroom() -> None:
    eager = Ingress(8 * ONE, lossless=True, headroom=3 * ONE, resume_below=ONE)
    step = run_pools(pools(2, a=eager), [("arrive", "a", "out", 3 * ONE)])[0]
    assert (step.decision, step.stored) == ("headroom", 3)


def test_an_egress_weight_above_1_admits_no_more_than_is_free() -> None:
    switch = Pools(9 * ONE, 2 * ONE, {"a": LOSSY}, {"out": Egress(8 * ONE)})
    events: list[PfcEvent] = [
        ("arrive", "a", "out", 3 * ONE),
        ("arrive", "a", "out", 2 * ONE),
        ("arrive", "a", "out", ONE),
    ]
    assert [step.decision for step in run_pools(switch, events)] == ["drop", "enqueue", "drop"]


def test_a_queue_within_its_reserve_takes_nothing_from_the_shared_pool() -> None:
    own = Ingress(ONE, reserved=2 * ONE)
    alone = [s.decision for s in run_pools(pools(a=LOSSY, b=own), arrivals("a", 4))]
    after = [s.decision for s in run_pools(pools(a=LOSSY, b=own), arrivals("b", 2) + arrivals("a", 4))]
    assert after[2:] == alone == ["enqueue"] * 3 + ["drop"]


def test_nobody_else_can_use_an_empty_queues_reserve() -> None:
    own = Ingress(ONE, reserved=2 * ONE)
    full = run_pools(pools(2, a=Ingress(Fraction(100)), b=own), arrivals("a", 4) + arrivals("b", 2))
    assert [s.decision for s in full] == ["enqueue", "enqueue", "drop", "drop", "enqueue", "enqueue"]


def test_a_static_cap_limits_the_dynamic_threshold() -> None:
    assert [s.decision for s in run_pools(pools(a=Ingress(ONE, cap=ONE)), arrivals("a", 2))] == ["enqueue", "drop"]


def test_a_departure_from_an_empty_queue_is_idle() -> None:
    assert run_pools(pools(a=LOSSY), [("depart", "out")])[0].decision == "idle"


def test_the_headroom_bounds_what_arrives_and_is_attained() -> None:
    worst = []
    for rate, wire, react, sent, received in product((1, 3), (0, 2), (0, 1), (1, 4), (2, 5)):
        link = Link(*(Fraction(x) for x in (rate, wire, react, sent, received)), pause_frame=ONE)
        for part, other in product((0, 1, 2), repeat=2):
            arrived = arrived_after(link, Fraction(part, 2) * sent / rate, Fraction(other, 2) * received / rate)
            assert arrived <= pfc_headroom(link)
            worst.append(arrived == pfc_headroom(link))
            assert (part == other == 0) == worst[-1]
    assert any(worst)


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Link(Fraction(0), ONE, ONE, ONE, ONE), "link.rate"),
        (lambda: Link(ONE, -ONE, ONE, ONE, ONE), "link.propagation"),
        (lambda: pools(0, a=LOSSY), "ingress_pool"),
        (lambda: pools(a=Ingress(Fraction(0))), "ingress.a.alpha"),
        (lambda: pools(a=Ingress(ONE, reserved=-ONE)), "ingress.a"),
        (lambda: pools(a=Ingress(ONE, headroom=ONE)), "ingress.a.headroom"),
        (lambda: pools(a=Ingress(ONE, lossless=True)), "ingress.a.resume_below"),
        (lambda: Pools(ONE, ONE, {}, {"x": Egress(-ONE)}), "egress.x.alpha"),
        (lambda: run_pools(pools(a=LOSSY), [("arrive", "z", "out", ONE)]), "events[0][1]"),
        (lambda: run_pools(pools(a=LOSSY), [("arrive", "a", "z", ONE)]), "events[0][2]"),
        (lambda: run_pools(pools(a=LOSSY), [("arrive", "a", "out", Fraction(0))]), "events[0][3]"),
        (lambda: run_pools(pools(a=LOSSY), [("leave", "out")]), "events[0]"),
        (lambda: Pools(ONE, ONE, {"a": Ingress(ONE, cap=F(-1, 2))}, {}), "ingress.a"),
        (lambda: Pools(ONE, ONE, {"a": Ingress(ONE, reserved=F(-1, 2))}, {}), "ingress.a"),
        (
            lambda: Pools(ONE, ONE, {"a": Ingress(ONE, lossless=True, headroom=F(-1, 2), resume_below=ONE)}, {}),
            "ingress.a",
        ),
        (lambda: Pools(ONE, ONE, {"a": Ingress(F(-1, 2))}, {}), "ingress.a.alpha"),
        (lambda: Pools(ONE, ONE, {}, {"x": Egress(F(0))}), "egress.x.alpha"),
        (lambda: Pools(ONE, ONE, {}, {"x": Egress(F(-1, 2))}), "egress.x.alpha"),
        (lambda: Pools(ONE, F(0), {}, {}), "egress_pool"),
        (lambda: Pools(ONE, ONE, {}, {}, cell=F(-1, 2)), "cell"),
    ],
)
def test_bad_input_is_refused_by_name(make: object, field: str) -> None:
    assert callable(make)
    with refused(field):
        make()


def decisions(steps):
    return [step.decision for step in steps]


def packets(name, number, size=ONE, out="out"):
    return [("arrive", name, out, size)] * number


def test_the_worst_case_fills_the_headroom_whatever_the_pause_frame_holds():
    link = Link(F(2), F(3), F(5), F(8), F(6))
    assert pfc_headroom(link) == 2 * (2 * 3 + 5) + 8 + 6 + 64
    assert arrived_after(link, F(0), F(0)) == pfc_headroom(link)


def test_an_ingress_queue_is_lossy_and_owns_nothing_unless_it_is_said():
    queue = Ingress(ONE)
    assert (queue.lossless, queue.reserved, queue.headroom, queue.resume_below, queue.cap) == (False, 0, 0, 0, None)
    with refused("ingress.a.resume_below", "0"):
        Pools(ONE, ONE, {"a": Ingress(ONE, lossless=True)}, {})


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
    with refused(field):
        run_pools(Pools(ONE, ONE, {"a": Ingress(ONE)}, {"out": Egress()}), [event])


def test_a_packet_occupies_whole_cells():
    pools = Pools(F(9999), F(9999), {"a": Ingress(ONE)}, {"out": Egress()}, cell=F(208))
    steps = run_pools(pools, [("arrive", "a", "out", F(size)) for size in (1, 208, 209, 500)])
    assert [step.stored for step in steps] == [208, 416, 832, 1456]


def test_an_egress_queue_takes_a_packet_that_just_fits_its_threshold():
    steps = run_pools(Pools(F(99), F(3), {"a": Ingress(ONE)}, {"out": Egress(ONE)}), packets("a", 3))
    assert decisions(steps) == ["enqueue", "enqueue", "drop"]  # the second: 1 + 1 <= 3 - 1


def test_only_lossless_queues_pause():
    steps = run_pools(Pools(F(2), F(99), {"a": Ingress(ONE)}, {"out": Egress()}), packets("a", 3))
    assert decisions(steps) == ["enqueue", "drop", "drop"]
    assert all(not step.paused for step in steps)


def test_headroom_does_not_count_in_the_shared_pool():
    queues = {"a": Ingress(ONE, lossless=True, headroom=F(2), resume_below=ONE), "b": Ingress(ONE)}
    steps = run_pools(Pools(F(6), F(99), queues, {"out": Egress()}), packets("a", 5) + packets("b", 3))
    assert decisions(steps) == ["enqueue"] * 3 + ["headroom"] * 2 + ["enqueue", "enqueue", "drop"]
    assert steps[-1].ingress == {"a": 5, "b": 2}


def test_an_egress_queue_sends_first_what_came_first():
    pools = Pools(F(99), F(99), {"a": Ingress(ONE), "b": Ingress(ONE)}, {"out": Egress()})
    steps = run_pools(pools, [*packets("a", 1, F(2)), *packets("b", 1, F(3)), ("depart", "out"), ("depart", "out")])
    assert [step.ingress for step in steps[2:]] == [{"a": 0, "b": 3}, {"a": 0, "b": 0}]
    assert [step.egress["out"] for step in steps] == [2, 5, 3, 0]


def test_a_departure_gives_headroom_back_first_and_no_more_than_the_packet_holds():
    """Threshold 3 of 6; headroom 2 is full at 5. A departure of 1/2 leaves 3/2 in it, so that just 1/2 fits again."""
    queues = {"a": Ingress(ONE, lossless=True, headroom=F(2), resume_below=F(5))}
    events = [*packets("a", 2, F(1, 2)), *packets("a", 4), ("depart", "out")]
    steps = run_pools(Pools(F(6), F(99), queues, {"out": Egress()}), [*events, *packets("a", 2, F(1, 2))])
    assert decisions(steps) == ["enqueue"] * 4 + ["headroom"] * 2 + ["depart", "headroom", "drop"]


def test_a_departure_beyond_the_headroom_gives_back_no_headroom_that_was_not_used():
    """Of the 4 bytes 1 lies in the headroom; a departure of 2 frees it, and 1 of the pool: 4 are free, b may hold 3."""
    queues = {"a": Ingress(ONE, lossless=True, headroom=ONE, resume_below=F(1, 2)), "b": Ingress(F(3, 4))}
    events = [*packets("a", 1, F(2)), *packets("a", 2), ("depart", "out"), *packets("b", 2, F(5, 2))]
    steps = run_pools(Pools(F(6), F(99), queues, {"out": Egress()}), events)
    assert decisions(steps) == ["enqueue", "enqueue", "headroom", "depart", "enqueue", "drop"]
    assert [bool(step.paused) for step in steps] == [False, False, True, False, False, False]


def test_traffic_resumes_exactly_at_the_distance_below_the_threshold():
    """After two departures of 1/2 the queue holds 5/2 = 6 - 5/2 - 1."""
    queues = {"a": Ingress(ONE, lossless=True, headroom=F(1, 2), resume_below=ONE)}
    events = [*packets("a", 7, F(1, 2)), ("depart", "out"), ("depart", "out")]
    steps = run_pools(Pools(F(6), F(99), queues, {"out": Egress()}), events)
    assert [(step.ingress["a"], bool(step.paused)) for step in steps[6:]] == [
        (F(7, 2), True),
        (3, True),
        (F(5, 2), False),
    ]


def test_an_empty_queue_resumes_even_where_its_threshold_is_below_the_distance():
    """Queue b holds 3 of 4, so that a's threshold stays at 1 or less, below the distance 2."""
    queues = {"a": Ingress(ONE, lossless=True, headroom=ONE, resume_below=F(2)), "b": Ingress(F(9))}
    events = [("arrive", "b", "other", F(3)), ("arrive", "a", "out", ONE), ("depart", "out")]
    steps = run_pools(Pools(F(4), F(99), queues, {"out": Egress(), "other": Egress()}), events)
    assert decisions(steps) == ["enqueue", "enqueue", "depart"]
    events[1:1] = [("arrive", "a", "out", F(1, 2))]
    steps = run_pools(Pools(F(4), F(99), queues, {"out": Egress(), "other": Egress()}), [*events, ("depart", "out")])
    assert decisions(steps) == ["enqueue", "enqueue", "headroom", "depart", "depart"]
    assert [bool(step.paused) for step in steps] == [False, False, True, True, False]
