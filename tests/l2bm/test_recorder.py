"""Algorithm 1 of L2BM: the trace interface, the bookkeeping identity of every reading, and what the print cannot do."""

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_cases import papers
from refusals import refused

from dtmodel.companion.words import VOCABULARY
from dtmodel.ledger.hunting import hunt_target, targets
from dtmodel.packet.l2bm import trace as engine
from dtmodel.packet.l2bm.algorithm import READINGS, Recorder, dequeue, enqueue
from dtmodel.packet.l2bm.trace import run_trace

F = Fraction
ONE = {"queue_out": "1", "rate": "1"}


def trace(*events: Any, reading: str = "literal") -> dict[str, Any]:
    return run_trace({"id": "t", "algorithm": "l2bm", "reading": reading, "events": list(events)})


def random_events(rng: random.Random) -> list[list[Any]]:
    """Arrivals, departures in any order and at any time, unknown departures, simultaneous events."""
    now, queued, events = Fraction(0), [], []
    for number in range(rng.randint(1, 12)):
        now += Fraction(rng.choice([0, 0, 1, 2, 3]), rng.choice([1, 2, 3]))
        if queued and rng.random() < 0.45:
            events.append(["depart", str(now), queued.pop(rng.randrange(len(queued)))])
        elif rng.random() < 0.1:
            events.append(["depart", str(now), "stranger"])
        else:
            size = Fraction(rng.randint(1, 9), rng.randint(1, 3))
            details = {"queue_out": str(size), "rate": str(Fraction(rng.randint(1, 4), rng.randint(1, 2)))}
            events.append(["arrive", str(now), f"p{number}", details])
            queued.append(f"p{number}")
    return events


def expected_totals(events: list[list[Any]], reading: str) -> list[Fraction]:
    """The identity, from due times only: no running sum, nothing of the implementation."""
    due: dict[str, Fraction] = {}
    lateness, updated, totals = Fraction(0), Fraction(0), []
    for verb, time, name, *details in events:
        now = Fraction(time)
        if verb == "arrive":
            due[name] = now + Fraction(details[0]["queue_out"]) / Fraction(details[0]["rate"])
            updated = now
        elif name in due:
            lateness += due.pop(name) - now
            if reading in ("clocked", "reset", "stamped"):
                updated = now
            if reading == "stamped" or (reading == "reset" and not due):
                lateness = Fraction(0)
        totals.append(sum((d - updated for d in due.values()), Fraction(0)) + lateness)
    return totals


@pytest.mark.parametrize("seeds", [1_000, pytest.param(10_000, marks=pytest.mark.exhaustive)])
def test_the_bookkeeping_identity_holds_on_random_traces(seeds: int) -> None:
    for seed in range(seeds):
        events = random_events(random.Random(seed))
        for reading in ("literal", "clocked", "reset", "stamped"):
            totals = [Fraction(step["total"]) for step in trace(*events, reading=reading)["steps"]]
            assert totals == expected_totals(events, reading), (seed, reading)


def test_the_format_of_the_answer() -> None:
    answer = trace(["arrive", "0", "x", ONE], ["depart", "1", "x"], ["depart", "1", "x"])
    assert answer["id"] == "t"
    assert [step["decision"] for step in answer["steps"]] == ["enqueue", "depart", "idle"]
    assert [step["packet"] for step in answer["steps"]] == [0, 0, None]
    assert answer["steps"][0] | {"reason": ""} == {
        "decision": "enqueue", "reason": "", "victim": None, "packet": 0,
        "total": "1", "packets": 1, "updated": "0", "mean": "1",
    }  # fmt: skip
    assert answer["final"] == {"total": "0", "packets": 0, "updated": "0", "mean": None}


def test_line_8_removes_the_elapsed_time_of_every_queued_packet() -> None:
    answer = trace(
        ["arrive", "0", "a", {"queue_out": "4", "rate": "1"}],
        ["arrive", "1", "b", {"queue_out": "4", "rate": "1"}],
        ["arrive", "2", "c", {"queue_out": "4", "rate": "1"}],
    )
    assert [step["total"] for step in answer["steps"]] == ["4", "7", "9"]
    assert answer["final"]["mean"] == "3"


def test_line_14_removes_the_elapsed_time_once_and_leaves_t_prev() -> None:
    events = [["arrive", "0", name, {"queue_out": size, "rate": "1"}] for name, size in zip("abc", "123", strict=True)]
    answer = trace(*events, ["depart", "1", "a"], ["depart", "2", "b"])
    assert [(s["total"], s["updated"], s["mean"]) for s in answer["steps"][2:]] == [
        ("6", "0", "2"),
        ("5", "0", "5/2"),
        ("3", "0", "3"),
    ]


def test_while_a_queue_drains_the_printed_mean_rises_and_the_current_one_falls() -> None:
    events = [["arrive", "0", name, {"queue_out": size, "rate": "1"}] for name, size in zip("abc", "123", strict=True)]
    events += [["depart", "1", "a"], ["depart", "2", "b"]]
    assert [s["mean"] for s in trace(*events, reading="current")["steps"][2:]] == ["2", "3/2", "1"]
    assert [s["mean"] for s in trace(*events, reading="clocked")["steps"][2:]] == ["2", "3/2", "1"]


def test_a_late_departure_makes_the_printed_total_negative_for_ever() -> None:
    late = [["arrive", "0", "x", ONE], ["depart", "2", "x"]]
    assert trace(*late)["final"]["total"] == "-1"
    assert trace(*late, ["arrive", "2", "y", ONE])["final"]["mean"] == "0"
    assert trace(*late, reading="reset")["final"]["total"] == "0"
    assert trace(*late, reading="stamped")["final"]["total"] == "0"


def test_only_the_pause_aware_reading_ignores_a_pause() -> None:
    paused = [["arrive", "0", "x", ONE], ["pause", "1/2"], ["resume", "5/2"], ["depart", "3", "x"]]
    finals = {reading: trace(*paused, reading=reading)["final"]["total"] for reading in READINGS}
    assert finals == {
        "literal": "-2", "current": "-2", "clocked": "-2", "reset": "0", "stamped": "0", "pause-aware": "0",
    }  # fmt: skip


def test_no_events_leave_the_initial_state() -> None:
    assert trace()["final"] == {"total": "0", "packets": 0, "updated": "0", "mean": None}
    assert trace(["depart", "5", "x"])["steps"][0]["updated"] == "0"


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.fractions(min_value=0, max_value=10, max_denominator=7))
def test_a_shift_of_time_shifts_only_t_prev(seed: int, shift: Fraction) -> None:
    events = random_events(random.Random(seed))
    later = [[event[0], str(Fraction(event[1]) + shift), *event[2:]] for event in events]
    for before, after in zip(trace(*events)["steps"], trace(*later)["steps"], strict=True):
        assert (before["total"], before["packets"], before["mean"]) == (after["total"], after["packets"], after["mean"])


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(1, 9))
def test_a_change_of_the_time_unit_scales_the_total(seed: int, factor: int) -> None:
    events = random_events(random.Random(seed))
    scaled = [[e[0], str(Fraction(e[1]) * factor), *e[2:]] for e in events]
    for event in scaled:
        if event[0] == "arrive":
            event[3] = {**event[3], "queue_out": str(Fraction(event[3]["queue_out"]) * factor)}
    for before, after in zip(trace(*events)["steps"], trace(*scaled)["steps"], strict=True):
        assert Fraction(after["total"]) == factor * Fraction(before["total"])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"reading": "best"}, "reading"),
        ({"algorithm": "dynaq"}, "algorithm"),
        ({"buffer": 3}, "buffer"),
        ({"version": 2}, "version"),
        ({"events": [["arrive", None, "x", ONE]]}, "events[0][1]"),
        ({"events": [["depart", None, "x"]]}, "events[0][1]"),
        ({"events": [["arrive", "1", "x", ONE], ["depart", "0", "x"]]}, "events[1][1]"),
        ({"events": [["arrive", "-1", "x", ONE]]}, "events[0][1]"),
        ({"events": [["arrive", "0", "x", {"queue_out": "0", "rate": "1"}]]}, "events[0][3].queue_out"),
        ({"events": [["arrive", "0", "x", {"queue_out": "1", "rate": "0"}]]}, "events[0][3].rate"),
        ({"events": [["arrive", "0", "x", {"queue_out": "1"}]]}, "events[0][3].rate"),
        ({"events": [["arrive", "0", "x", {**ONE, "size": "1"}]]}, "events[0][3].size"),
        ({"events": [["arrive", "0", "x", ONE], ["arrive", "0", "x", ONE]]}, "events[1][2]"),
        ({"events": [["arrive", "0", "x"]]}, "events[0]"),
        ({"events": [["drop", "0", "x"]]}, "events[0][0]"),
        ({"events": [["resume", "0"]]}, "events[0]"),
        ({"events": [["pause", "0"], ["pause", "1"]]}, "events[1]"),
        ({"events": "x"}, "events"),
        ({"events": None}, "events"),
        ({"events": [[]]}, "events[0][0]"),
        ({"events": [["arrive", "0", True, ONE]]}, "events[0][2]"),
    ],
)
def test_bad_requests_are_refused_by_name(change: dict[str, Any], field: str) -> None:
    with refused(field):
        run_trace({"algorithm": "l2bm", "events": [], **change})


def test_packets_are_numbered_and_the_clock_of_the_pause_aware_reading_begins_at_0():
    details = {"queue_out": "1", "rate": "1"}
    events = [
        ["arrive", "1", "a", details],
        ["arrive", "2", "b", details],
        ["depart", "2", "b"],
        ["arrive", "3", 7, details],
        ["depart", "4", "7"],
    ]
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
    with refused("due"):
        dequeue(Recorder(F(1), 1, F(0)), F(1), reading="stamped")


@pytest.mark.parametrize("name", [["x"], None, 1.5, False])
def test_a_packet_s_name_is_a_string_or_a_whole_number(name):
    with refused("events[0][2]"):
        run_trace({"algorithm": "l2bm", "events": [["depart", "0", name]]})


def test_a_request_without_events_is_refused():
    with refused("events"):
        run_trace({"algorithm": "l2bm"})


ALTERED = {
    "l2bm.alg1.line2": ("enqueue", lambda old, new: new._replace(packets=old.packets)),
    "l2bm.alg1.line3": ("enqueue", lambda old, new: new._replace(total=new.total - (old.packets == 0))),
    "l2bm.alg1.line8.elapsed": ("enqueue", lambda old, new: new._replace(total=new.total - old.packets)),
    "l2bm.alg1.line11": ("enqueue", lambda old, new: new._replace(updated=old.updated)),
    "l2bm.alg1.line12": ("dequeue", lambda _, new: new._replace(updated=new.updated + 1)),
    "l2bm.alg1.total": ("dequeue", lambda old, new: new._replace(total=old.total)),
}


@pytest.mark.parametrize("claim", ALTERED)
def test_an_altered_line_makes_its_form_false(claim, monkeypatch):
    line, altered = ALTERED[claim]
    printed = {"enqueue": enqueue, "dequeue": dequeue}[line]
    monkeypatch.setattr(engine, line, lambda old, *rest, **named: altered(old, printed(old, *rest, **named)))
    form = next(form for form in targets([papers().claims[claim]], papers().preludes) if form.recorded)
    assert hunt_target(form, VOCABULARY, cases=150).attack.counterexample is not None
