"""The EDT state machine: each counter, timer, signal and reading, on traces short enough to follow by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from dtmodel import InputError
from dtmodel.packet.edt.trace import run_trace
from dtmodel.policies import edt_circuit
from dtmodel.policies.edt_circuit import READINGS, CircuitSettings, EdtPolicy


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
    ("reading", "state"), [("circuit", "controlled"), ("arrivals", "uncontrolled"), ("c1-resets-c2", "uncontrolled")]
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
    with refused(field):
        run_trace(good | settings)


def test_a_missing_key_is_named() -> None:
    with pytest.raises(InputError, match="cn2"):
        run_trace({"ports": 1, "buffer": 100, "alpha": 1, "events": []})


def with_defaults(*events: list[Any], **settings: Any) -> dict[str, Any]:
    return run_trace({"ports": 1, "buffer": 100, "alpha": 1, "cn2": 3} | settings | {"events": list(events)})


def refusal(*events: list[Any], **settings: Any) -> tuple[str, object, str]:
    with pytest.raises(InputError) as error:
        with_defaults(*events, **settings)
    return error.value.field, error.value.value, error.value.accepted


def policy_of(reading: str = "circuit", **settings: Any) -> EdtPolicy:
    given = {"alpha": 1, "cn1": 3, "cn2": 3, "tm1": None, "tm2": None} | settings
    return EdtPolicy(CircuitSettings(**given, reading=READINGS[reading]), ports=2, buffer=10)


def test_a_port_whose_tm2_has_expired_is_controlled_when_a_packet_asks_to_enter() -> None:
    policy = policy_of(tm2=5)
    policy.enqueued(0, 3, 0)  # C2 arrives at cn2: uncontrolled, with the threshold 10, until 5
    assert policy.admits(0, length=3, free=2, now=4)
    assert not policy.admits(0, length=3, free=2, now=5)


@pytest.mark.parametrize(
    "signal",
    [
        lambda policy: policy.admits(0, 2, 8, 6),
        lambda policy: policy.dequeued(0, 1, 6),
        lambda policy: policy.dropped(0, 6),
        lambda policy: policy.overflowed(6),
    ],
)
def test_a_signal_finds_the_timers_of_all_ports_expired_that_are_due(signal: Any) -> None:
    policy = policy_of(tm1=5)
    for port in (0, 1):
        policy.enqueued(port, 2, 0)
    signal(policy)
    assert [(port.c2, port.tm1) for port in policy.ports] == [(0, None), (0, None)]


SIGNALS = st.sampled_from(["enqueued", "enqueued", "enqueued", "dequeued", "dropped", "overflowed", "admits"])


@given(
    st.sampled_from(list(READINGS)), st.lists(st.tuples(SIGNALS, st.integers(0, 11), st.integers(0, 2)), max_size=60)
)
def test_timers_that_are_looked_at_when_the_first_may_expire_expire_in_time(
    reading: str, events: list[tuple[str, int, int]]
) -> None:
    settings = CircuitSettings(1, cn1=3, cn2=3, tm1=5, tm2=7, reading=READINGS[reading])
    with pytest.MonkeyPatch.context() as patch:
        known: list[Any] = []
        for few in (8, 12):
            patch.setattr(edt_circuit, "FEW", few)
            policy, now = EdtPolicy(settings, ports=12, buffer=40), 0
            for signal, port, later in events:
                now += later
                if signal == "overflowed":
                    policy.overflowed(now)
                elif signal == "dropped":
                    policy.dropped(port, now)
                elif signal == "admits":
                    policy.admits(port, 1, 9, now)
                else:
                    getattr(policy, signal)(port, 1 + later, now)
            known.append(([(each.controlled, each.c1, each.c2) for each in policy.ports], policy.remembered(now + 3)))
    assert known[0] == known[1]


def test_an_arrival_resets_c1_of_its_own_port_only_in_the_reading_of_arrivals() -> None:
    for reading, own in (("arrivals", 0), ("circuit", 2)):
        for enters in (True, False):
            policy = policy_of(reading)
            for port in (0, 1, 0, 1):
                policy.dequeued(port, 1, 0)
            if enters:
                assert policy.admits(0, 1, 9, 1)
            else:
                policy.dropped(0, 1)
            assert [each.c1 for each in policy.ports] == [own, 2]


def test_a_dropped_arrival_resets_c1_of_its_own_port_to_0() -> None:
    """Ports 1 and 2 hold 5 and 1 of 8; two packets leave each, and a third arrival finds port 1 above its threshold."""
    events = [*arrivals(0, 0, 0, 0, 0), *arrivals(0, 0, 0, port=2), *departures(1, 1), *departures(1, 1, port=2)]
    events += [["arrive", 2, 1, 5]]
    answer = with_defaults(*events, ports=2, buffer=8, alpha=9, cn1=9, cn2=9, reading="arrivals")
    assert answer["steps"][-1]["decision"] == "drop"
    assert [history(answer, "c1", port)[-1] for port in (0, 1)] == [0, 2]


def test_tm1_starts_anew_when_it_runs_always_and_the_port_becomes_uncontrolled() -> None:
    answer = with_defaults(*arrivals(4, 4), cn2=2, tm1=5, reading="free-running")
    assert (history(answer, "tm1"), history(answer, "state")[-1]) == (["5", "9"], "uncontrolled")


def test_tm1_starts_only_when_c2_is_above_0() -> None:
    late = [*arrivals(0, 0), ["tick", 2], *departures(3, 3), *arrivals(4, 4, 4)]
    answer = with_defaults(*late, tm1=1, reading="signed")
    assert history(answer, "c2") == ["1", "2", "0", "-1", "-2", "-1", "0", "1"]
    assert history(answer, "tm1") == ["1", "1", None, None, None, None, None, "5"]


def test_the_pulse_of_c1_stops_tm1_where_it_resets_c2() -> None:
    events = [*arrivals(0, 0, 0, 0), *departures(1, 2, 3)]
    answer = with_defaults(*events, cn2=9, tm1=50, reading="c1-resets-c2")
    assert (history(answer, "c2")[-2:], history(answer, "tm1")[-2:]) == (["2", "0"], ["50", None])


def test_a_tm1_that_runs_always_does_not_stop_when_c2_returns_to_0() -> None:
    assert history(with_defaults(*arrivals(0), *departures(1), tm1=5, reading="free-running"), "tm1") == ["5", "5"]


def test_c2_counts_what_the_buffer_counts() -> None:
    fifty = [["arrive", 0, 1, 50], ["arrive", 0, 1, 50]]
    assert history(with_defaults(*fifty, buffer=9, count="packets", cn2=2), "c2") == ["1", "0"]
    assert history(with_defaults(*fifty, buffer=1000, cn2=60), "c2") == ["50", "0"]


def test_alpha_times_the_free_buffer_is_the_threshold_of_a_controlled_port() -> None:
    assert history(with_defaults(*arrivals(0, 0), alpha="1/2"), "threshold") == ["99/2", "49"]


def test_cn1_is_3_where_nothing_is_said() -> None:
    answer = with_defaults(*arrivals(0, 0, 0), *departures(1, 1, 1))
    assert history(answer, "c1") == [0, 0, 0, 1, 2, 0]
    assert history(answer, "state")[2:] == ["uncontrolled"] * 3 + ["controlled"]


def test_packets_are_numbered_from_0_and_leave_first_in_first_out() -> None:
    events = [["arrive", 0, 1, 2], ["arrive", 0, 1, 7], ["arrive", 0, 1, 3], ["arrive", 0, 1, 1], ["depart", 1, 1]]
    answer = with_defaults(*events, ["depart", 2, 1], buffer=8, alpha=4, cn2=99)
    assert [(step["decision"], step["packet"]) for step in answer["steps"]] == [
        ("enqueue", 0),
        ("drop", 1),
        ("enqueue", 2),
        ("enqueue", 3),
        ("depart", 0),
        ("depart", 2),
    ]
    assert history(answer, "queue") == ["2", "2", "5", "6", "4", "1"]
    assert answer["final"]["queues"] == [["1"]]


def test_a_packet_as_large_as_the_buffer_is_accepted_and_one_of_no_size_is_not() -> None:
    assert with_defaults(["arrive", 0, 1, 4], buffer=4)["steps"][0]["decision"] == "enqueue"
    assert refusal(["arrive", 0, 1, 5], buffer=4) == ("events[0][3]", 5, "a packet no larger than the buffer, 4")
    assert refusal(["arrive", 0, 1, 0])[0] == "events[0][3]"


def test_ports_count_from_1_to_their_number() -> None:
    assert refusal(["arrive", 0, 0, 1])[0] == "events[0][2]"
    assert refusal(["depart", 0, 3], ports=2) == ("events[0][2]", 3, "a port from 1 to 2")
    assert with_defaults(["depart", 0, 2], ports=2)["steps"][0]["decision"] == "idle"


def test_a_trace_of_many_ports_and_events_is_refused_by_its_budget() -> None:
    assert len(with_defaults(ports=4097)["final"]["ports"]) == 4097
    field, _, accepted = refusal(ports=10**9)
    assert field == "ports, in every step"
    assert "budget" in accepted
