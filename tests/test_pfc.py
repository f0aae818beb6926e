"""PFC over one memory: pools as virtual counters, pause and resume, and the headroom bound."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

from dtmodel.errors import InputError
from dtmodel.packet.pfc import Egress, Event, Ingress, Link, Pools, arrived_after, headroom, run

ONE = Fraction(1)
LOSSY, LOSSLESS = Ingress(ONE), Ingress(ONE, lossless=True, headroom=2 * ONE, resume_below=ONE)


def pools(size: int = 6, **queues: Ingress) -> Pools:
    return Pools(Fraction(size), Fraction(99), queues, {"out": Egress(), "tight": Egress(Fraction(1, 50))})


def arrivals(name: str, number: int, out: str = "out") -> list[Event]:
    return [("arrive", name, out, ONE)] * number


def test_both_pools_and_the_memory_count_the_same_bytes_after_every_event() -> None:
    for seed in range(100):
        rng = random.Random(seed)
        events: list[Event] = []
        for _ in range(15):
            size = Fraction(rng.randint(1, 4), 2)
            arrival = ("arrive", rng.choice(["a", "b"]), rng.choice(["out", "tight"]), size)
            events.append(arrival if rng.random() < 0.6 else ("depart", rng.choice(["out", "tight"])))
        for step in run(pools(a=LOSSY, b=LOSSLESS), events):
            assert sum(step.ingress.values()) == sum(step.egress.values()) == step.stored


def test_a_lossy_queue_drops_at_its_threshold() -> None:
    assert [s.decision for s in run(pools(a=LOSSY), arrivals("a", 5))] == ["enqueue"] * 3 + ["drop"] * 2


def test_a_lossless_queue_pauses_and_uses_its_headroom_before_it_drops() -> None:
    steps = run(pools(a=LOSSLESS), arrivals("a", 6))
    assert [s.decision for s in steps] == ["enqueue"] * 3 + ["headroom"] * 2 + ["drop"]
    assert [bool(s.paused) for s in steps] == [False] * 3 + [True] * 3


def test_traffic_resumes_below_the_pausing_threshold_only() -> None:
    steps = run(pools(a=LOSSLESS), arrivals("a", 4) + [("depart", "out")] * 3)
    assert [(s.stored, bool(s.paused)) for s in steps[3:]] == [(4, True), (3, True), (2, False), (1, False)]


def test_an_egress_queue_drops_what_its_ingress_queue_would_admit() -> None:
    assert [s.decision for s in run(pools(a=LOSSY), arrivals("a", 2, "tight"))] == ["enqueue", "drop"]


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
    steps = run(pools(2, a=eager), [("arrive", "a", "out", size * ONE) for size in sizes])
    assert [step.decision for step in steps] == decisions


def test_a_lossless_queue_takes_what_does_not_fit_into_the_pool_into_its_headroom() -> None:
    eager = Ingress(8 * ONE, lossless=True, headroom=3 * ONE, resume_below=ONE)
    step = run(pools(2, a=eager), [("arrive", "a", "out", 3 * ONE)])[0]
    assert (step.decision, step.stored) == ("headroom", 3)


def test_an_egress_weight_above_1_admits_no_more_than_is_free() -> None:
    switch = Pools(9 * ONE, 2 * ONE, {"a": LOSSY}, {"out": Egress(8 * ONE)})
    events: list[Event] = [
        ("arrive", "a", "out", 3 * ONE),
        ("arrive", "a", "out", 2 * ONE),
        ("arrive", "a", "out", ONE),
    ]
    assert [step.decision for step in run(switch, events)] == ["drop", "enqueue", "drop"]


def test_a_queue_within_its_reserve_takes_nothing_from_the_shared_pool() -> None:
    own = Ingress(ONE, reserved=2 * ONE)
    alone = [s.decision for s in run(pools(a=LOSSY, b=own), arrivals("a", 4))]
    after = [s.decision for s in run(pools(a=LOSSY, b=own), arrivals("b", 2) + arrivals("a", 4))]
    assert after[2:] == alone == ["enqueue"] * 3 + ["drop"]


def test_nobody_else_can_use_an_empty_queues_reserve() -> None:
    own = Ingress(ONE, reserved=2 * ONE)
    full = run(pools(2, a=Ingress(Fraction(100)), b=own), arrivals("a", 4) + arrivals("b", 2))
    assert [s.decision for s in full] == ["enqueue", "enqueue", "drop", "drop", "enqueue", "enqueue"]


def test_a_static_cap_limits_the_dynamic_threshold() -> None:
    assert [s.decision for s in run(pools(a=Ingress(ONE, cap=ONE)), arrivals("a", 2))] == ["enqueue", "drop"]


def test_a_departure_from_an_empty_queue_is_idle() -> None:
    assert run(pools(a=LOSSY), [("depart", "out")])[0].decision == "idle"


def test_the_headroom_bounds_what_arrives_and_is_attained() -> None:
    worst = []
    for rate, wire, react, sent, received in product((1, 3), (0, 2), (0, 1), (1, 4), (2, 5)):
        link = Link(*(Fraction(x) for x in (rate, wire, react, sent, received)), pause_frame=ONE)
        for part, other in product((0, 1, 2), repeat=2):
            arrived = arrived_after(link, Fraction(part, 2) * sent / rate, Fraction(other, 2) * received / rate)
            assert arrived <= headroom(link)
            worst.append(arrived == headroom(link))
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
        (lambda: run(pools(a=LOSSY), [("arrive", "z", "out", ONE)]), "events[0][1]"),
        (lambda: run(pools(a=LOSSY), [("arrive", "a", "z", ONE)]), "events[0][2]"),
        (lambda: run(pools(a=LOSSY), [("arrive", "a", "out", Fraction(0))]), "events[0][3]"),
        (lambda: run(pools(a=LOSSY), [("leave", "out")]), "events[0]"),
    ],
)
def test_bad_input_is_refused_by_name(make: object, field: str) -> None:
    assert callable(make)
    with pytest.raises(InputError) as caught:
        make()
    assert caught.value.field == field
