"""What the mutants of the LossPass arbiter taught: the readings as a table, one queue for both classes, and numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dtmodel import InputError
from dtmodel.packet.losspass import READINGS, Arrival, Departure, Settings, run, run_trace
from dtmodel.packet.losspass_system import LossPassPort, PortState

F = Fraction
ONE = F(1)


@pytest.mark.parametrize(
    ("name", "line4", "line10", "line15", "line12", "victim", "fifo"),
    [
        ("intended", True, True, True, False, "tail", False),
        ("literal", False, False, False, False, "tail", False),
        ("mend-line4", True, False, False, False, "tail", False),
        ("mend-line10", False, True, False, False, "tail", False),
        ("mend-lines-4-10", True, True, False, False, "tail", False),
        ("limited", True, True, True, True, "tail", False),
        ("head", True, True, True, False, "head", False),
        ("droptail-2q", True, True, True, False, "none", False),
        ("droptail", True, True, True, False, "none", True),
    ],
)
def test_each_reading_changes_what_its_name_says_and_marks_what_it_drops_if_it_prints_line_15(
    name: str, line4: bool, line10: bool, line15: bool, line12: bool, victim: str, fifo: bool
) -> None:
    reading = READINGS[name]
    assert (reading.line4_at_most, reading.line10_otherwise, reading.line15_enqueued) == (line4, line10, line15)
    assert (reading.line12_limited, reading.victim, reading.fifo) == (line12, victim, fifo)
    done = run(Settings(ONE, mark_port=F(0), reading=reading), [Arrival("small", ONE), Arrival("small", ONE)])
    assert [step.decision for step in done.steps] == ["enqueue", "drop"]
    assert done.marked == ((0,) if line15 else (0, 1))


def test_there_are_nine_readings() -> None:
    assert len(READINGS) == 9


def test_nothing_is_reserved_and_nothing_marked_where_nothing_is_said() -> None:
    assert Settings(F(3)) == Settings(F(3), F(0), None, None, None, READINGS["intended"])


def test_one_queue_serves_the_oldest_packet_whatever_else_has_arrived() -> None:
    arrivals = [Arrival("small", ONE), Arrival("large", ONE), Arrival("small", ONE), Arrival("large", ONE)]
    done = run(Settings(F(4), reading=READINGS["droptail"]), [*arrivals, *[Departure()] * 5])
    assert [step.packet for step in done.steps[4:]] == [0, 1, 2, 3, None]


def test_one_queue_serves_small_packets_alone() -> None:
    done = run(Settings(F(4), reading=READINGS["droptail"]), [Arrival("small", ONE), Departure()])
    assert (done.steps[1].decision, done.steps[1].packet) == ("depart", 0)


def test_events_at_one_instant_are_in_order() -> None:
    events = [["arrive", 2, "small", 1], ["arrive", 2, "large", 1], ["depart", 2, "any"]]
    answer = run_trace({"algorithm": "losspass", "buffer": 3, "events": events})
    assert answer["final"] == {"small": [], "large": [[1, "1"]], "marked": []}


# the port that is explored


@pytest.mark.parametrize("reading", ["droptail", "unknown"])
def test_the_readings_with_two_queues_are_offered(reading: str) -> None:
    with pytest.raises(InputError) as error:
        LossPassPort(3, 1, (1,), reading)
    offered = set(error.value.accepted.removeprefix("one of ").split(", "))
    assert offered == set(READINGS) - {"droptail"}


def departures(port: LossPassPort, small: tuple[int, ...], large: tuple[int, ...]) -> list[str]:
    return [label[1] for label in port.labels(PortState(small, large)) if label[0] == "depart"]


def test_a_service_finds_a_packet() -> None:
    strict, free = LossPassPort(3, 1, (1,)), LossPassPort(3, 1, (1,), service="free")
    contents = [((), ()), ((1,), ()), ((), (1,)), ((1,), (1,))]
    assert [departures(strict, *each) for each in contents] == [[], ["any"], ["any"], ["any"]]
    assert [departures(free, *each) for each in contents] == [[], ["small"], ["large"], ["small", "large"]]


def test_the_packets_of_a_state_have_the_first_numbers_and_an_arriving_one_the_next() -> None:
    port, state = LossPassPort(4, 0, (1, 2)), PortState((1,), (2, 1))
    step, after = port.step(state, ("arrive", "small", 1))
    assert (step.decision, step.packet, step.victim, after) == ("evict", 3, 2, PortState((1, 1), (2,)))
    step, after = port.step(state, ("depart", "large"))
    assert (step.packet, after) == (1, PortState((1,), (1,)))
