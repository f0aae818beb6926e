"""Algorithm 1 packet by packet: the interface, the readings, two implementations, and the balance of bytes."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

from dtmodel.packet.losspass.algorithm import READINGS, ArbiterRun, Arrival, Departure, PortSettings, run_arbiter
from dtmodel.packet.losspass.trace import run_trace
from validation.losspass.histories import alphabet
from validation.losspass.reference import naive

F = Fraction
ONE = F(1)


def request(events: list[Any], **changes: Any) -> dict[str, Any]:
    base: dict[str, Any] = {"id": "a", "algorithm": "losspass", "buffer": 3, "reserve_large": 0, "events": events}
    return base | changes


def timed(events: Any) -> list[Any]:
    return [[event[0], None, *event[1:]] for event in events]


def typed(events: Any) -> list[Any]:
    return [Arrival(e[1], Fraction(e[2])) if e[0] == "arrive" else Departure(e[1]) for e in events]


def summary(result: ArbiterRun) -> Any:
    steps = [(s.decision, s.packet, s.victim) for s in result.steps]
    return steps, [p.number for p in result.small], [p.number for p in result.large], list(result.marked)


def test_the_example_of_the_design_is_answered_to_the_letter() -> None:
    events = [["arrive", 0, "large", 2], ["arrive", 1, "small", 1], ["depart", 2, "any"]]
    answer = run_trace(request(events, reading="intended", mark={"small": 3, "large": None, "port": None}))
    assert [set(step) for step in answer["steps"]] == [{"decision", "reason", "victim", "packet"}] * 3
    assert [step["decision"] for step in answer["steps"]] == ["enqueue", "enqueue", "depart"]
    assert [step["packet"] for step in answer["steps"]] == [0, 1, 1]
    assert set(answer) == {"id", "steps", "final"}
    assert answer["final"] == {"small": [], "large": [[0, "2"]], "marked": []}


def test_an_eviction_puts_the_packet_in_the_place_of_the_tail_of_q_l() -> None:
    events = [["arrive", None, "large", 1], ["arrive", None, "large", 2], ["arrive", None, "small", 1]]
    answer = run_trace(request(events))
    assert answer["steps"][2]["decision"] == "evict"
    assert answer["steps"][2]["victim"] == 1
    assert answer["final"]["small"] == [[2, "1"]]
    assert answer["final"]["large"] == [[0, "1"]]


def test_the_print_drops_the_packet_that_it_has_just_enqueued() -> None:
    events = [["arrive", None, "large", 1], ["arrive", None, "small", 1]]
    answer = run_trace(request(events, buffer=1, reading="literal"))
    assert answer["steps"][1]["decision"] == "evict+drop"
    assert answer["steps"][1]["victim"] == 0
    assert answer["final"] == {"small": [], "large": [], "marked": []}


@pytest.mark.parametrize(("reading", "marked"), [("intended", [0]), ("literal", [0, 1])])
def test_only_the_print_marks_a_packet_that_was_dropped(reading: str, marked: list[int]) -> None:
    events = [["arrive", None, "large", 1], ["arrive", None, "large", 1]]
    answer = run_trace(request(events, buffer=1, reading=reading, mark={"large": 0}))
    assert answer["final"]["marked"] == marked


@pytest.mark.parametrize(
    ("mark", "marked"),
    [
        ({"small": 1}, [1]),
        ({"large": 0}, [2]),
        ({"port": 2}, [2]),
        ({"small": 2, "large": 1, "port": 3}, []),
        (None, []),
    ],
)
def test_a_packet_is_marked_iff_the_length_with_it_exceeds_the_threshold(mark: Any, marked: list[int]) -> None:
    events = [["arrive", None, "small", 1], ["arrive", None, "small", 1], ["arrive", None, "large", 1]]
    assert run_trace(request(events, mark=mark))["final"]["marked"] == marked


def test_an_empty_q_l_fails_line_3() -> None:
    events = [["arrive", None, "small", 3], ["arrive", None, "small", 1]]
    step = run_trace(request(events))["steps"][1]
    assert step["decision"] == "drop"
    assert "Q_l is empty" in step["reason"]


def test_departures_from_an_empty_queue_are_idle_and_any_serves_small_first() -> None:
    events = [["depart", None, "any"], ["arrive", None, "large", 1], ["depart", None, "small"]]
    events += [["arrive", None, "small", 1], ["depart", None, "any"], ["depart", None, "large"]]
    steps = run_trace(request(events))["steps"]
    assert [(s["decision"], s["packet"]) for s in steps] == [
        ("idle", None),
        ("enqueue", 0),
        ("idle", None),
        ("enqueue", 1),
        ("depart", 1),
        ("depart", 0),
    ]


def test_tail_drop_with_one_queue_departs_in_the_order_of_arrival() -> None:
    events = [["arrive", None, "large", 1], ["arrive", None, "small", 1], ["depart", None, "any"]]
    assert run_trace(request(events, reading="droptail"))["steps"][2]["packet"] == 0
    assert run_trace(request(events, reading="droptail-2q"))["steps"][2]["packet"] == 1


def test_one_queue_serves_the_oldest_packet_of_either_class() -> None:
    events = [["arrive", None, kind, 1] for kind in ("large", "small", "large")] + [["depart", None, "any"]] * 4
    steps = run_trace(request(events, reading="droptail"))["steps"]
    assert [step["packet"] for step in steps[3:]] == [0, 1, 2, None]


def test_the_head_reading_compares_with_the_head() -> None:
    events = [["arrive", None, "large", 2], ["arrive", None, "large", 1], ["arrive", None, "small", 2]]
    assert run_trace(request(events, reading="head"))["steps"][2]["victim"] == 0
    assert run_trace(request(events))["steps"][2]["decision"] == "drop"


def test_the_head_reading_evicts_the_head_of_q_l() -> None:
    events = [["arrive", None, "large", 1], ["arrive", None, "large", 2], ["arrive", None, "small", 1]]
    assert run_trace(request(events, reading="head"))["steps"][2]["victim"] == 0


def test_the_limited_reading_keeps_q_s_within_b_minus_b_l() -> None:
    answer = run_trace(request([["arrive", None, "small", 1]], buffer=1, reserve_large=1, reading="limited"))
    assert answer["steps"][0]["decision"] == "drop"


def test_the_limited_reading_admits_what_stays_within_the_limit_and_limits_no_large_packet() -> None:
    events = [["arrive", None, "small", 1], ["arrive", None, "small", 1], ["arrive", None, "large", 2]]
    steps = run_trace(request(events, buffer=3, reserve_large=2, reading="limited"))["steps"]
    assert [step["decision"] for step in steps] == ["enqueue", "drop", "enqueue"]
    assert "exceed B - B_l = 1" in steps[1]["reason"]


def test_a_reason_names_the_lines_that_decided() -> None:
    evicted = [["arrive", None, "large", 1], ["arrive", None, "small", 1]]
    literal = run_trace(request(evicted, buffer=1, reading="literal"))["steps"][1]["reason"]
    assert literal == "line 1: 2 > 1; lines 2-4 hold; line 5 evicts 0, line 6 enqueues; line 10 drops it again"
    large = run_trace(request([["arrive", None, "large", 1]] * 2, buffer=1))["steps"]
    assert [step["reason"] for step in large] == [
        "line 1 is false; line 12 enqueues",
        "line 1: 2 > 1; line 2: not a small flow; line 10",
    ]
    reserved = run_trace(request(evicted, buffer=1, reserve_large=1))["steps"][1]["reason"]
    assert reserved == "line 1: 2 > 1; line 4: 1 > 0; line 10"
    printed = [["arrive", None, "large", 2], ["arrive", None, "small", 1]]
    assert "line 4: 1 < 2" in run_trace(request(printed, buffer=2, reading="literal"))["steps"][1]["reason"]
    longer = [["arrive", None, "large", 1], ["arrive", None, "small", 3]]
    assert run_trace(request(longer))["steps"][1]["reason"] == "line 1: 4 > 3; line 3: 3 > 1; line 10"


def test_quantities_may_be_fractions_and_carry_units_and_times_may_mix_with_null() -> None:
    events = [["arrive", "1/3", "large", "1500 B"], ["arrive", None, "small", "1/2"], ["depart", "1 s", "any"]]
    answer = run_trace(request(events, buffer="1.5 KB"))
    assert answer["steps"][1]["decision"] == "evict"
    assert answer["final"]["large"] == []


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"reserve_large": 4}, "reserve_large"),
        ({"reserve_large": -1}, "reserve_large"),
        ({"buffer": 0}, "buffer"),
        ({"buffer": True}, "buffer"),
        ({"buffer": None}, "buffer"),
        ({"reading": "loose"}, "reading"),
        ({"algorithm": "dynaq"}, "algorithm"),
        ({"id": 1.5}, "id"),
        ({"mark": {"small": -1}}, "mark.small"),
        ({"mark": {"large": "-1 KB"}}, "mark.large"),
        ({"mark": {"K": 1}}, "mark.K"),
        ({"mark": 3}, "mark"),
        ({"surprise": 3}, "surprise"),
        ({"events": None}, "events"),
        ({"events": ["arrive"]}, "events[0]"),
        ({"events": [[]]}, "events[0][0]"),
        ({"events": [["leave", None, "any"]]}, "events[0][0]"),
        ({"events": [["arrive", None, "small"]]}, "events[0]"),
        ({"events": [["depart", None, "any", 1]]}, "events[0]"),
        ({"events": [["arrive", None, "medium", 1]]}, "events[0][2]"),
        ({"events": [["arrive", None, "any", 1]]}, "events[0][2]"),
        ({"events": [["depart", None, "medium"]]}, "events[0][2]"),
        ({"events": [["arrive", None, "small", 0]]}, "events[0][3]"),
        ({"events": [["arrive", None, "small", "1 ms"]]}, "events[0][3]"),
        ({"events": [["arrive", None, "small", 4]]}, "events[0][3]"),
        ({"events": [["depart", 2, "any"], ["depart", None, "any"], ["depart", 1, "any"]]}, "events[2][1]"),
        ({"events": [["depart", "nan", "any"]]}, "events[0][1]"),
        ({"events": [["depart", -1, "any"]]}, "events[0][1]"),
    ],
)
def test_bad_input_is_named(changes: dict[str, Any], field: str) -> None:
    with refused(field):
        run_trace(request([]) | changes)


@pytest.mark.parametrize("missing", ["buffer", "events"])
def test_what_is_required_is_required(missing: str) -> None:
    body = request([])
    del body[missing]
    with refused(missing):
        run_trace(body)


@pytest.mark.exhaustive
def test_two_implementations_agree_on_every_trace_of_five_events() -> None:
    """Traces of up to three events are the evidence of ``losspass.ours.two-implementations``."""
    for (B, B_l), mark in product(
        [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 3)], [(None, None, None), (1, 0, None), (None, 1, 2)]
    ):
        levels = [None if k is None else Fraction(k) for k in mark]
        for events, reading in product(
            product(alphabet(range(1, min(B, 3) + 1)), repeat=5), ("intended", "literal", "droptail-2q")
        ):
            engine = run_arbiter(PortSettings(Fraction(B), Fraction(B_l), *levels, READINGS[reading]), typed(events))
            other = naive(events, B, B_l, mark=mark, literal=reading == "literal", evict=reading != "droptail-2q")
            assert summary(engine) == (other.steps, other.small, other.large, other.marked), (events, B, B_l, reading)


EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("arrive"), st.sampled_from(["small", "large"]), st.integers(1, 5)),
        st.tuples(st.just("depart"), st.sampled_from(["any", "small", "large"])),
    ),
    max_size=40,
)
READING = st.sampled_from(["intended", "literal", "droptail-2q"])


@settings(max_examples=150, deadline=None)
@given(EVENTS, st.integers(5, 9), st.integers(0, 5), st.sampled_from(sorted(READINGS)))
def test_packets_and_bytes_balance_in_every_reading(events: Any, B: int, B_l: int, reading: str) -> None:
    result = run_arbiter(PortSettings(Fraction(B), Fraction(B_l), reading=READINGS[reading]), typed(events))
    sizes = [Fraction(event[2]) for event in events if event[0] == "arrive"]
    departed = {s.packet for s in result.steps if s.decision == "depart"}
    left = {p.number for p in result.small + result.large}
    assert departed | set(result.lost) | left == set(range(len(sizes)))
    assert len(departed) + len(result.lost) + len(left) == len(sizes)
    assert result.count("evict", "evict+drop") == len({s.victim for s in result.steps} - {None})
    assert sum(p.size for p in result.small + result.large) <= B


@settings(max_examples=100, deadline=None)
@given(EVENTS, st.integers(5, 9), st.integers(0, 5), READING, st.fractions(min_value="1/7", max_value=7))
def test_scaling_all_sizes_changes_no_decision(events: Any, B: int, B_l: int, reading: str, factor: Fraction) -> None:
    scaled = [(e[0], e[1], e[2] * factor) if e[0] == "arrive" else e for e in events]
    one = run_arbiter(PortSettings(Fraction(B), Fraction(B_l), reading=READINGS[reading]), typed(events))
    two = run_arbiter(PortSettings(B * factor, B_l * factor, reading=READINGS[reading]), typed(scaled))
    assert summary(one) == summary(two)
    assert run_trace(request(timed(events), buffer=B, reserve_large=B_l, reading=reading))["final"]["marked"] == []


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
    done = run_arbiter(
        PortSettings(ONE, mark_port=F(0), reading=reading), [Arrival("small", ONE), Arrival("small", ONE)]
    )
    assert [step.decision for step in done.steps] == ["enqueue", "drop"]
    assert done.marked == ((0,) if line15 else (0, 1))


def test_there_are_nine_readings() -> None:
    assert len(READINGS) == 9


def test_nothing_is_reserved_and_nothing_marked_where_nothing_is_said() -> None:
    assert PortSettings(F(3)) == PortSettings(F(3), F(0), None, None, None, READINGS["intended"])


def test_one_queue_serves_the_oldest_packet_whatever_else_has_arrived() -> None:
    arrivals = [Arrival("small", ONE), Arrival("large", ONE), Arrival("small", ONE), Arrival("large", ONE)]
    done = run_arbiter(PortSettings(F(4), reading=READINGS["droptail"]), [*arrivals, *[Departure()] * 5])
    assert [step.packet for step in done.steps[4:]] == [0, 1, 2, 3, None]


def test_one_queue_serves_small_packets_alone() -> None:
    done = run_arbiter(PortSettings(F(4), reading=READINGS["droptail"]), [Arrival("small", ONE), Departure()])
    assert (done.steps[1].decision, done.steps[1].packet) == ("depart", 0)


def test_events_at_one_instant_are_in_order() -> None:
    events = [["arrive", 2, "small", 1], ["arrive", 2, "large", 1], ["depart", 2, "any"]]
    answer = run_trace({"algorithm": "losspass", "buffer": 3, "events": events})
    assert answer["final"] == {"small": [], "large": [[1, "1"]], "marked": []}
