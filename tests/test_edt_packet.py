"""The EDT state machine: each counter, timer, signal and reading, on traces short enough to follow by hand."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dtmodel import InputError
from dtmodel.packet.edt import run_trace


def trace(*events: list[Any], **settings: Any) -> dict[str, Any]:
    request = {"ports": 1, "buffer": 100, "alpha": 1, "cn1": 3, "cn2": 3, "tm1": None, "tm2": None}
    return run_trace(request | settings | {"algorithm": "edt", "events": list(events)})


def arrivals(*times: int, port: int = 1) -> list[list[Any]]:
    return [["arrive", time, port, 1] for time in times]


def departures(*times: int, port: int = 1) -> list[list[Any]]:
    return [["depart", time, port] for time in times]


def history(answer: dict[str, Any], key: str, port: int = 0) -> list[Any]:
    return [step["ports"][port][key] for step in answer["steps"]]


def test_c2_counts_the_growth_of_the_queue_and_frees_the_port_at_cn2() -> None:
    answer = trace(*arrivals(0, 1), *departures(2), *arrivals(3, 4))
    assert history(answer, "c2") == ["1", "2", "1", "2", "0"]
    assert history(answer, "state")[-2:] == ["controlled", "uncontrolled"]
    assert history(answer, "threshold")[-1] == "100"


def test_a_drop_resets_c2() -> None:
    answer = trace(*arrivals(0, 0), buffer=2, cn2=2)
    assert [step["decision"] for step in answer["steps"]] == ["enqueue", "drop"]
    assert history(answer, "c2") == ["1", "0"]


def test_tm1_starts_when_c2_leaves_0_and_resets_it_when_it_expires() -> None:
    answer = trace(*arrivals(0), ["tick", 4], ["tick", 5], *arrivals(6, 7, 8), tm1=5)
    assert history(answer, "tm1") == ["5", "5", None, "11", "11", None]
    assert history(answer, "c2") == ["1", "1", "0", "1", "2", "0"]
    assert history(answer, "state")[-1] == "uncontrolled"


def test_tm1_stops_when_c2_returns_to_0() -> None:
    assert history(trace(*arrivals(0), *departures(1), tm1=5), "tm1") == ["5", None]


def test_tm2_returns_the_port_when_it_expires() -> None:
    answer = trace(*arrivals(0, 0, 0), ["tick", 8], ["tick", 9], tm2=9)
    assert history(answer, "state")[2:] == ["uncontrolled", "uncontrolled", "controlled"]
    assert history(answer, "tm2")[2:] == ["9", "9", None]


def test_cn1_departures_in_a_row_return_the_port() -> None:
    answer = trace(*arrivals(0, 0, 0, 0), *departures(1, 2), *arrivals(3), *departures(4, 5, 6))
    assert history(answer, "c1") == [0, 0, 0, 0, 1, 2, 0, 1, 2, 0]
    assert history(answer, "state")[-2:] == ["uncontrolled", "controlled"]


def test_the_overflow_signal_returns_every_port() -> None:
    events = [*arrivals(0, 0), *arrivals(0, 0, port=2), *arrivals(1)]
    answer = trace(*events, ports=2, buffer=4, cn2=1, cn1=9)
    assert history(answer, "state", 1)[-2:] == ["uncontrolled", "controlled"]
    assert answer["steps"][-1]["decision"] == "drop"


def test_uncontrolled_ports_share_the_buffer_equally() -> None:
    answer = trace(*arrivals(0), *arrivals(0, port=2), ports=2, cn2=1)
    assert history(answer, "threshold")[:2] == ["100", "50"]


FULL = arrivals(0, 0, 0)


@pytest.mark.parametrize(
    ("reading", "state"),
    [("circuit", "controlled"), ("arrivals", "uncontrolled"), ("c1-resets-c2", "uncontrolled")],
)
def test_readings_differ_on_a_port_above_a_threshold_that_has_shrunk(reading: str, state: str) -> None:
    """Port 1 holds 14 when port 2 becomes uncontrolled and T2 falls to 10: what arrives is dropped, the rest leaves."""
    events = [*arrivals(*[0] * 14), *arrivals(1, 1, port=2)]
    for time in (2, 3, 4):
        events += [["depart", time, 1], ["arrive", time, 1, 1]]
    answer = trace(*events, ports=2, buffer=20, cn2=2, reading=reading)
    assert [step["decision"] for step in answer["steps"][-5::2]] == ["drop", "drop", "drop"]
    assert answer["final"]["ports"][0]["state"] == state


def test_c1_resets_c2_in_the_reading_of_its_own_paragraph() -> None:
    events = [*arrivals(0, 0, 0, 0), *departures(1, 2, 3), *arrivals(4)]
    assert history(trace(*events, cn2=9, reading="c1-resets-c2"), "c2")[-2:] == ["0", "1"]
    assert history(trace(*events, cn2=9), "c2")[-2:] == ["1", "2"]


def test_a_free_running_tm1_resets_a_counter_that_has_just_begun() -> None:
    events = [*arrivals(4, 4), ["tick", 5], *arrivals(6)]
    assert history(trace(*events, tm1=5, reading="free-running"), "c2") == ["1", "2", "0", "1"]
    assert history(trace(*events, tm1=5), "state")[-1] == "uncontrolled"


def test_a_signed_c2_remembers_that_the_queue_has_fallen() -> None:
    late = [*arrivals(0, 0), ["tick", 2], *departures(3, 3), *arrivals(4, 4)]
    assert history(trace(*late, tm1=1, reading="signed"), "c2") == ["1", "2", "0", "-1", "-2", "-1", "0"]
    assert history(trace(*late, tm1=1), "c2") == ["1", "2", "0", "0", "0", "1", "2"]


def test_packets_are_counted_when_asked() -> None:
    answer = trace(["arrive", 0, 1, 50], ["arrive", 0, 1, 50], buffer=9, count="packets", cn2=2)
    assert history(answer, "queue") == ["1", "2"]
    assert history(answer, "state")[-1] == "uncontrolled"


def test_a_departure_from_an_empty_queue_is_idle() -> None:
    assert trace(*departures(0))["steps"][0]["decision"] == "idle"


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"tm1": -1}, "tm1"), ({"tm2": 0}, "tm2"), ({"cn2": 0}, "cn2"), ({"cn1": 0}, "cn1"), ({"alpha": 0}, "alpha"),
        ({"buffer": 0}, "buffer"), ({"ports": 0}, "ports"), ({"reading": "best"}, "reading"),
        ({"count": "bits"}, "count"), ({"colour": 1}, "colour"),
        ({"events": [["arrive", 0, 2, 1]]}, "events[0][2]"), ({"events": [["wait", 0]]}, "events[0][0]"),
        ({"events": [["arrive", 0, 1, 101]]}, "events[0][3]"), ({"events": [["arrive", 0, 1]]}, "events[0]"),
        ({"events": [["tick", 2], ["tick", 1]]}, "events[1][1]"),
    ],
)  # fmt: skip
def test_bad_requests_are_refused_by_name(settings: dict[str, Any], field: str) -> None:
    good = {"ports": 1, "buffer": 100, "alpha": 1, "cn2": 3, "events": []}
    with pytest.raises(InputError) as error:
        run_trace(good | settings)
    assert error.value.field == field


def test_a_missing_key_is_named() -> None:
    with pytest.raises(InputError, match="cn2"):
        run_trace({"ports": 1, "buffer": 100, "alpha": 1, "events": []})


def test_requests_and_answers_follow_the_schema() -> None:
    schema = json.loads(files("dtmodel").joinpath("schemas", "trace-edt.json").read_text(encoding="utf-8"))
    request = {"id": "a", "algorithm": "edt", "version": 1, "ports": 2, "buffer": "8 B", "alpha": 1, "cn1": 3, "cn2": 2}
    request |= {"tm1": "5", "tm2": None, "events": [*arrivals(0, 1), *departures(2), ["tick", 3]]}
    Draft202012Validator(schema).validate(request)
    Draft202012Validator({**schema["$defs"]["answer"], "$defs": schema["$defs"]}).validate(run_trace(request))
