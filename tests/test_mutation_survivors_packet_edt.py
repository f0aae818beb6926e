"""What the mutants of EDT's packets taught: timers between signals, readings, defaults, and the explored switch."""

from __future__ import annotations

from typing import Any

import pytest

from dtmodel import InputError
from dtmodel.packet.edt import READINGS, EdtPolicy, Settings, run_trace
from dtmodel.packet.edt_system import EdtSwitch, PortState, Watched, WatchedState, as_events


def trace(*events: list[Any], **settings: Any) -> dict[str, Any]:
    return run_trace({"ports": 1, "buffer": 100, "alpha": 1, "cn2": 3} | settings | {"events": list(events)})


def arrivals(*times: int, port: int = 1) -> list[list[Any]]:
    return [["arrive", time, port, 1] for time in times]


def departures(*times: int, port: int = 1) -> list[list[Any]]:
    return [["depart", time, port] for time in times]


def history(answer: dict[str, Any], key: str, port: int = 0) -> list[Any]:
    return [step["ports"][port][key] for step in answer["steps"]]


def refused(*events: list[Any], **settings: Any) -> tuple[str, object, str]:
    with pytest.raises(InputError) as error:
        trace(*events, **settings)
    return error.value.field, error.value.value, error.value.accepted


def policy_of(reading: str = "circuit", **settings: Any) -> EdtPolicy:
    given = {"alpha": 1, "cn1": 3, "cn2": 3, "tm1": None, "tm2": None} | settings
    return EdtPolicy(Settings(**given, reading=READINGS[reading]), ports=2, buffer=10)


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
    answer = trace(*events, ports=2, buffer=8, alpha=9, cn1=9, cn2=9, reading="arrivals")
    assert answer["steps"][-1]["decision"] == "drop"
    assert [history(answer, "c1", port)[-1] for port in (0, 1)] == [0, 2]


def test_tm1_starts_anew_when_it_runs_always_and_the_port_becomes_uncontrolled() -> None:
    answer = trace(*arrivals(4, 4), cn2=2, tm1=5, reading="free-running")
    assert (history(answer, "tm1"), history(answer, "state")[-1]) == (["5", "9"], "uncontrolled")


def test_tm1_starts_only_when_c2_is_above_0() -> None:
    late = [*arrivals(0, 0), ["tick", 2], *departures(3, 3), *arrivals(4, 4, 4)]
    answer = trace(*late, tm1=1, reading="signed")
    assert history(answer, "c2") == ["1", "2", "0", "-1", "-2", "-1", "0", "1"]
    assert history(answer, "tm1") == ["1", "1", None, None, None, None, None, "5"]


def test_the_pulse_of_c1_stops_tm1_where_it_resets_c2() -> None:
    events = [*arrivals(0, 0, 0, 0), *departures(1, 2, 3)]
    answer = trace(*events, cn2=9, tm1=50, reading="c1-resets-c2")
    assert (history(answer, "c2")[-2:], history(answer, "tm1")[-2:]) == (["2", "0"], ["50", None])


def test_a_tm1_that_runs_always_does_not_stop_when_c2_returns_to_0() -> None:
    assert history(trace(*arrivals(0), *departures(1), tm1=5, reading="free-running"), "tm1") == ["5", "5"]


def test_c2_counts_what_the_buffer_counts() -> None:
    fifty = [["arrive", 0, 1, 50], ["arrive", 0, 1, 50]]
    assert history(trace(*fifty, buffer=9, count="packets", cn2=2), "c2") == ["1", "0"]
    assert history(trace(*fifty, buffer=1000, cn2=60), "c2") == ["50", "0"]


def test_alpha_times_the_free_buffer_is_the_threshold_of_a_controlled_port() -> None:
    assert history(trace(*arrivals(0, 0), alpha="1/2"), "threshold") == ["99/2", "49"]


def test_cn1_is_3_where_nothing_is_said() -> None:
    answer = trace(*arrivals(0, 0, 0), *departures(1, 1, 1))
    assert history(answer, "c1") == [0, 0, 0, 1, 2, 0]
    assert history(answer, "state")[2:] == ["uncontrolled"] * 3 + ["controlled"]


def test_packets_are_numbered_from_0_and_leave_first_in_first_out() -> None:
    events = [["arrive", 0, 1, 2], ["arrive", 0, 1, 7], ["arrive", 0, 1, 3], ["arrive", 0, 1, 1], ["depart", 1, 1]]
    answer = trace(*events, ["depart", 2, 1], buffer=8, alpha=4, cn2=99)
    assert [(step["decision"], step["packet"]) for step in answer["steps"]] == [
        ("enqueue", 0), ("drop", 1), ("enqueue", 2), ("enqueue", 3), ("depart", 0), ("depart", 2),
    ]  # fmt: skip
    assert history(answer, "queue") == ["2", "2", "5", "6", "4", "1"]
    assert answer["final"]["queues"] == [["1"]]


def test_a_packet_as_large_as_the_buffer_is_accepted_and_one_of_no_size_is_not() -> None:
    assert trace(["arrive", 0, 1, 4], buffer=4)["steps"][0]["decision"] == "enqueue"
    assert refused(["arrive", 0, 1, 5], buffer=4) == ("events[0][3]", 5, "a packet no larger than the buffer, 4")
    assert refused(["arrive", 0, 1, 0])[0] == "events[0][3]"


def test_ports_count_from_1_to_their_number() -> None:
    assert refused(["arrive", 0, 0, 1])[0] == "events[0][2]"
    assert refused(["depart", 0, 3], ports=2) == ("events[0][2]", 3, "a port from 1 to 2")
    assert trace(["depart", 0, 2], ports=2)["steps"][0]["decision"] == "idle"


def test_a_trace_describes_at_most_4096_ports() -> None:
    assert len(trace(ports=4096)["final"]["ports"]) == 4096
    assert refused(ports=4097) == ("ports", 4097, "at most 4096 ports: every step describes each")


# the switch that is explored


def test_the_smallest_numbers_that_show_anything_are_what_is_explored_by_default() -> None:
    assert PortState() == (0, True, 0, 0, None, None)
    full = EdtSwitch(1, 4, cn1=2, cn2=2, tm1=1, tm2=1, alpha=1, reading="circuit", time="free")
    assert EdtSwitch(1, 4) == full


def test_a_timer_of_free_time_only_runs_or_does_not() -> None:
    switch = EdtSwitch(1, 4, tm1=7, tm2=9)
    (empty,) = switch.initial()
    _, one = switch.step(empty, ("arrive", 0))
    _, two = switch.step(one, ("arrive", 0))
    assert (one, two) == ((PortState(1, True, 0, 1, 1, None),), (PortState(2, False, 0, 0, None, 1),))
    assert list(switch.labels(one)) == [("arrive", 0), ("depart", 0), ("tm1", 0)]
    assert list(switch.labels(two)) == [("arrive", 0), ("depart", 0), ("tm2", 0)]
    assert switch.step(two, ("tm2", 0)) == ("idle", (PortState(2, True, 0, 0, None, None),))


def test_an_overflow_leaves_the_timers_of_the_other_ports_running() -> None:
    switch = EdtSwitch(2, 2)
    full = (PortState(1, True, 0, 1, 1, None), PortState(1, True, 0, 1, 1, None))
    assert switch.step(full, ("arrive", 0)) == ("drop", (PortState(1, True, 0, 0, None, None), full[1]))


def test_a_port_that_is_served_sends_of_itself() -> None:
    switch = EdtSwitch(2, 4, time="served")
    busy = (PortState(1, True, 0, 1, 1, None), PortState())
    assert list(switch.labels(busy)) == [("arrive", 0), ("arrive", 1), ("tick",)]
    events = as_events(switch, [("arrive", 0), ("arrive", 0), ("tick",), ("tick",), ("tick",)])
    tick = [["tick", time] for time in (1, 2, 3)]
    sent = [["depart", time, 1] for time in (1, 2)]
    assert events == [["arrive", 0, 1, 1], ["arrive", 0, 1, 1], tick[0], sent[0], tick[1], sent[1], tick[2]]


def test_an_observer_sees_lengths_since_a_reset_and_departures_since_an_arrival() -> None:
    """Port 1 alone is busy: two packets enter, the second frees it; three leave (C1 stops at 2), and one arrives."""
    watched = Watched(EdtSwitch(2, 8))
    (state,) = watched.initial()
    assert state == WatchedState((PortState(), PortState()), (0, 0), (0, 0), (0, 0))
    seen = []
    for label in [("arrive", 1)] * 3 + [("depart", 1)] * 3 + [("arrive", 1)]:
        state = dict(watched.successors(state))[label]
        seen.append((state.first, state.least, state.quiet))
    assert seen == [
        ((0, 0), (0, 0), (0, 0)),
        ((0, 2), (0, 2), (0, 0)),  # uncontrolled from here on
        ((0, 2), (0, 2), (0, 0)),
        ((0, 2), (0, 2), (0, 1)),
        ((0, 1), (0, 1), (0, 2)),  # C1 arrives at cn1: controlled again
        ((0, 1), (0, 0), (0, 2)),
        ((0, 1), (0, 0), (0, 0)),
    ]
