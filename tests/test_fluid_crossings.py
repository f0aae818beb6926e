"""Exact runs that look only at what may change next, against runs that look at every queue at every event."""

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from dtmodel import DT, EDT, Arrivals, Scenario, Switch
from dtmodel.fluid import Run, motion, run_scenario
from dtmodel.fluid.crossings import Crossings
from dtmodel.fluid.scenario import QueueScenario
from dtmodel.policies import Policy
from dtmodel.strategies import scenario_generator
from dtmodel.strategies.policy_generator import POLICIES

F = Fraction


def both(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> tuple[Run[Fraction], Run[Fraction]]:
    """The run that looks at few queues, and the run that looks at all."""
    runs = []
    for looks in (-1, 10**9):
        monkeypatch.setattr(motion, "LOOKS", looks)
        runs.append(run_scenario(scenario, F))
    return runs[0], runs[1]


@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 2_000), marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("policy", POLICIES)
def test_what_may_change_next_is_what_changes_next(policy: str, seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """One scenario in three is made to tie."""
    for seed in seeds:
        document = scenario_generator.draw_scenario(random.Random(f"{policy}/{seed}"), policy)
        few, every = both(Scenario.read(document), monkeypatch)
        assert few == every, (policy, seed)


def bursts(seed: int, queues: int, unit: Fraction) -> tuple[QueueScenario, ...]:
    """Queues of their own rates, offered bursts of their own."""
    rng = random.Random(seed)
    drawn = []
    for _ in range(queues):
        burst = Arrivals.burst(unit * F(rng.randint(101, 900), 100), F(rng.randint(1, 400), 100))
        drawn.append(QueueScenario(burst, F(0), unit * F(rng.randint(50, 150), 100)))
    return tuple(drawn)


@pytest.mark.parametrize("policy", [DT(F(1, 2)), EDT(1, F(1, 4), F(1, 2), 2)], ids=["dt", "edt"])
def test_many_queues_of_different_rates_are_the_same_run(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    few, every = both(Scenario(1, Switch(40, 40, 1), policy, bursts(1, 40, F(1)), F(12)), monkeypatch)
    assert few == every
    assert len(few.free.times) > 100


@pytest.mark.parametrize("until", [F(1, 5), pytest.param(F(20), marks=pytest.mark.exhaustive)])
def test_five_hundred_and_twelve_rates_are_the_same_run(until: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = Scenario(1, Switch(512, 512, 1), DT(F(1, 2)), bursts(6, 512, F(1)), until)
    few, every = both(scenario, monkeypatch)
    assert few == every
    assert len(few.free.times) > 10


def test_numbers_that_floats_do_not_hold_are_left_to_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """10^80 bytes and 10^-400 bytes a second: more than floats are trusted with, less than they tell from 0."""
    for unit in (F(10) ** 80, F(1, 10**400)):
        queues = bursts(2, 9, unit)
        few, every = both(Scenario(1, Switch(9, 9 * unit, unit), DT(F(1, 2)), queues, F(9)), monkeypatch)
        assert few == every
        assert len(few.free.times) > 20


def test_none_that_is_next_is_overlooked() -> None:
    """Random lines on both sides of random thresholds, with ties, and at instants and sizes far apart."""
    rng = random.Random(3)
    few = 0
    for case in range(2_000):
        scale, late = F(10) ** rng.randint(-20, 20), rng.choice([F(0), F(10) ** 9 + F(1, 3)])
        free, fall, now = (
            scale * F(rng.randint(0, 9), 7),
            scale * F(rng.randint(-9, 9), 3),
            late + F(rng.randint(0, 9), 11),
        )
        lines, waits = Crossings(6), {}
        for queue in range(6):
            law = F(rng.randint(0, 4), rng.choice([1, 2, 3, 10**9])), scale * F(rng.randint(0, 4), 13)
            begin, speed = max(F(0), now - F(rng.randint(0, 3), 11)), scale * F(rng.randint(-9, 9), 7)
            side = rng.choice([1, -1])
            if rng.random() < 0.3:  # hardly any faster than its threshold
                speed = law[0] * fall + side * scale * F(1, 10 ** rng.randint(12, 17))
            room = side * scale * F(rng.randint(0, 6), rng.choice([6, 6, 10**12]))
            length = law[0] * free + law[1] - room - speed * (now - begin)
            closing = side * (speed - law[0] * fall)
            if closing > 0:
                waits[queue] = abs(room) / closing
            line = float(begin), float(length), float(speed)
            lines.draw(queue, line, side=side, law=(float(law[0]), float(law[1])))
        found = lines.next(float(now), float(now + 10**30), float(free), float(fall))
        nearest = min(waits.values(), default=None)
        assert {queue for queue, wait in waits.items() if wait == nearest} <= found, case
        few += len(found) < 3
    assert few > 1_000


Line = tuple[Fraction, Fraction, Fraction, Fraction, Fraction]
"""Of a queue below its threshold: an instant, the length then, its rate; the threshold's slope and offset."""
Lines = tuple[list[Line], Fraction, Fraction, Fraction, Fraction]
"""Of all queues; now, until when, F, F'."""
PLAIN = F(0), F(0), F(1), F(0), F(1)
"""Empty at 0 s, and a second from its threshold."""


def found(lines: list[Line], now: Fraction, until: Fraction, free: Fraction, free_slope: Fraction) -> set[int]:
    """The queues among which are all that are next."""
    crossings = Crossings(len(lines))
    for queue, (begin, length, speed, *law) in enumerate(lines):
        slope, offset = map(float, law)
        crossings.draw(queue, (float(begin), float(length), float(speed)), side=1, law=(slope, offset))
    return crossings.next(float(now), float(until), float(free), float(free_slope))


def first(lines: list[Line], now: Fraction, until: Fraction, free: Fraction, free_slope: Fraction) -> set[int]:
    """The queues that are next, where all come nearer to their thresholds."""
    waits = [
        (slope * free + offset - length - speed * (now - begin)) / (speed - slope * free_slope)
        for begin, length, speed, slope, offset in lines
    ]
    return {queue for queue, wait in enumerate(waits) if wait == min(waits) <= until - now}


def long_queue(some: random.Random) -> Lines:
    """10^16 bytes long, and one byte below its threshold."""
    long = some.randint(1, 99) * F(10**15, 7)
    return [(F(0), long - 1, F(1), F(0), long), PLAIN], F(0), F(9), F(0), F(0)


def late_queue(some: random.Random) -> Lines:
    """Hardly any faster than its threshold, which has risen from 0 for as long as the queue has."""
    now, wait, speed = F(10**6), F(1, 2**30), F(some.randint(10, 99), 7)
    closing = speed / 2**20
    lines = [(F(0), F(0), speed, F(1), F(0)), (F(0), F(0), F(1), F(0), now + wait)]
    return lines, now, 2 * now, speed * now + closing * wait, speed - closing


def parallel_lines(some: random.Random) -> Lines:
    """Faster than its threshold by less than floats tell of either."""
    speed, closing = F(some.randint(10, 99), 7), F(some.randint(1, 99), 2**58)
    return [(F(0), F(0), speed, F(1), closing), PLAIN], F(0), F(9), F(0), speed - closing


def empty_queues(some: random.Random) -> Lines:
    """All thresholds are 0 at the same instant."""
    lines = [(F(0), F(0), F(0), F(some.randint(1, 99), 7), F(0)) for _ in range(9)]
    return lines, F(0), F(9), F(some.randint(1, 99), 13), F(-some.randint(100, 900), 11)


def last_instant(some: random.Random) -> Lines:
    """Now and the end are the same float."""
    now = F(2**53) + 4 * some.randint(0, 99)
    return [(now, F(0), F(0), F(1), F(0))], now, now + 1, F(1, 2), F(-1)


@pytest.mark.parametrize("draw", [long_queue, late_queue, parallel_lines, empty_queues, last_instant])
def test_none_is_overlooked_where_rounding_alone_would_overlook_it(draw: Callable[[random.Random], Lines]) -> None:
    for seed in range(60):
        lines = draw(random.Random(seed))
        assert first(*lines) == set(range(len(lines[0])))
        assert found(*lines) == first(*lines), seed


EACH = F(1, 2**46)


@pytest.mark.parametrize(
    ("lines", "now", "until", "free", "free_slope", "widths"),
    [
        ([(F(0), F(1024), F(1), F(1), F(1024))], F(0), F(1), F(1), F(0), 2048),
        ([(F(0), F(0), F(1), F(1), F(1024))], F(1024), F(1025), F(1), F(0), 3072),
        ([(F(0), F(0), F(1025), F(1024), F(0))], F(0), F(1), F(1, 1024), F(1), 1024),
        ([(F(0), F(1024), F(1), F(0), F(1025)), (F(0), F(0), F(0), F(1), F(0))], F(0), F(9), F(1), F(-1), 2048),
        ([(F(0), F(0), F(1), F(0), F(1025)), (F(0), F(0), F(0), F(1), F(0))], F(1024), F(2048), F(1), F(-1), 2048),
    ],
)  # fmt: skip
def test_the_intervals_are_as_wide_as_they_are_said_to_be(
    lines: list[Line], now: Fraction, until: Fraction, free: Fraction, free_slope: Fraction, widths: int
) -> None:
    """The last queue is late by somewhat less, and somewhat more, than the `widths`."""
    last = len(lines) - 1
    for late, there in ((F(3, 4), True), (F(5, 4), False)):
        later = free * (1 + late * widths * EACH)
        assert (last in found(lines, now, until, later, free_slope)) is there


def test_those_that_come_later_are_not_among_the_next() -> None:
    lines = [PLAIN, (F(0), F(0), F(1), F(0), F(3, 2))]
    assert found(lines, F(0), F(9, 5), F(0), F(0)) == {0}
    assert found(lines, F(0), F(0), F(0), F(0)) == set()


def test_queues_that_are_there_already_are_the_next_at_any_speed() -> None:
    crossings = Crossings(3)  # of the third nothing is said
    for queue in range(2):
        crossings.draw(queue, (0.0, 0.0, 1.0 + queue), side=1, law=(1.0, 0.0))
    assert crossings.next(0.0, 9.0, 0.0, 0.0) == {0, 1}


def test_a_level_is_met_on_the_way_to_it() -> None:
    lines = Crossings(3)
    lines.draw(0, (1.0, 5.0, -2.0), side=0, law=(0.0, 0.0), level=0.0)
    lines.draw(1, (0.0, 1.0, 0.5), side=0, law=(0.0, 0.0), level=3.0)
    assert lines.next(1.0, 9.0, 1.0, 0.0) == {0}
    assert lines.next(1.0, 3.4, 1.0, 0.0) == set()
    lines.draw(0, (1.0, 5.0, -2.0), side=0, law=(0.0, 0.0), level=-9.0)
    assert lines.next(1.0, 9.0, 1.0, 0.0) == {1}
    assert lines.next(1.0, 3.9, 1.0, 0.0) == set()
    assert lines.next(1.0, 4.0, 1.0, 0.0) == {1}


def test_a_queue_whose_arrivals_a_full_buffer_thins_is_met_where_its_bent_line_is() -> None:
    """Length 5 at 1 s, where L = 1; 2 bytes a second more, 4 less while L grows by 1 a second: empty at 7/2 s."""
    lines = Crossings(2)
    lines.draw(0, (1.0, 5.0, 2.0), side=1, law=(0.0, 9.0), level=0.0, bend=(4.0, 1.0))
    lines.draw(1, (1.0, 5.0, -1.0), side=0, law=(0.0, 0.0), level=0.0)
    assert lines.next(1.0, 9.0, 0.0, 0.0, 1.0, 1.0) == {0}
    assert lines.next(1.0, 3.4, 0.0, 0.0, 1.0, 1.0) == set()
    assert lines.next(2.0, 9.0, 0.0, 0.0, 2.0, 0.0) == {0}  # 3 bytes at 2 s, and 6 to its threshold at 5 s
    assert lines.next(2.0, 4.9, 0.0, 0.0, 2.0, 0.0) == set()
    assert lines.next(2.0, 9.0, 0.0, 0.0, 2.0, 0.625) == {
        1
    }  # half a byte a second less: empty at 8 s, the other at 6 s
    with pytest.raises(OverflowError):
        lines.next(1.0, 9.0, 0.0, 0.0, 1e71, 1.0)


def test_numbers_beyond_trust_are_refused() -> None:
    lines = Crossings(1)
    for line, law in [
        ((0.0, 1e70, 1.0), (1.0, 0.0)),
        ((0.0, 1.0, 1.0), (1e71, 0.0)),
        ((0.0, float("nan"), 1.0), (1.0, 0.0)),
    ]:
        with pytest.raises(OverflowError):
            lines.draw(0, line, side=1, law=law)
    for now, free in ((1e71, 1.0), (1e70, 1.0), (0.0, 1e71), (0.0, 1e70), (0.0, float("inf"))):
        with pytest.raises(OverflowError):
            lines.next(now, now, free, 0.0)


def test_a_new_threshold_of_queues_that_move_on_is_that_of_queues_drawn_anew() -> None:
    changed, anew = Crossings(3), Crossings(3)
    lines = [(0.5, 1.0, 2.0), (1.0, 3.0, -1.0), (0.0, 2.0, 1.0)]
    for queue, line in enumerate(lines):
        changed.draw(queue, line, side=1, law=(1.0, 0.0))
        anew.draw(queue, line, side=1, law=(0.25, 9.0) if queue != 1 else (1.0, 0.0))
    changed.bound([0, 2], (0.25, 9.0))
    assert (changed._terms == anew._terms).all()
    with pytest.raises(OverflowError):
        changed.bound([0], (0.0, 1e99))
