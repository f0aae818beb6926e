"""The systems for the explorer make the steps of the packet models, and a broken rule is found."""

import dataclasses
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from dtmodel import InputError
from dtmodel.modelcheck import always, explore
from dtmodel.packet.edt import trace as edt_trace
from dtmodel.packet.losspass import algorithm as losspass_algorithm
from dtmodel.packet.losspass import trace as losspass
from dtmodel.packet.losspass.algorithm import READINGS
from dtmodel.policies import edt_circuit as edt
from validation.support.edt.states import EdtPortState as EdtPort
from validation.support.edt.states import EdtSwitch, Time, Watched, WatchedState
from validation.support.edt.states import as_events as edt_events
from validation.support.losspass.states import LossPassPort, LossPassPortState
from validation.support.losspass.states import as_events as losspass_events

TWO_QUEUES = [name for name, reading in losspass_algorithm.READINGS.items() if not reading.fifo]


def random_run(system: Any, seed: int) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the labels, the states after them and what happened in the steps of a random run."""
    choose = random.Random(seed)
    state = next(iter(system.initial()))
    labels, states, decisions = [], [], []
    for _ in range(60):
        label = choose.choice(list(system.labels(state)))
        step, state = system.step(state, label)
        labels.append(label)
        states.append(state)
        decisions.append(step)
    return labels, states, decisions


def losspass_request(port: LossPassPort, labels: list[Any]) -> dict[str, Any]:
    return {"buffer": port.buffer, "reserve_large": port.reserve, "reading": port.reading,
            "events": losspass_events(labels)}  # fmt: skip


def sizes(final: dict[str, Any]) -> LossPassPortState:
    small, large = (tuple(int(size) for _, size in final[kind]) for kind in ("small", "large"))
    return LossPassPortState(small, large)


@pytest.mark.parametrize("reading", TWO_QUEUES)
@pytest.mark.parametrize("service", ["strict", "free"])
def test_a_losspass_port_makes_the_steps_of_the_packet_model(reading: str, service: Any) -> None:
    for seed in range(3):
        port = LossPassPort(7, seed, (1, 2, 3), reading, service)
        labels, states, steps = random_run(port, seed)
        answer = losspass.run_trace(losspass_request(port, labels))
        assert [step["decision"] for step in answer["steps"]] == [step.decision for step in steps]
        for n in range(0, len(labels), 7):
            final = losspass.run_trace(losspass_request(port, labels[: n + 1]))["final"]
            assert sizes(final) == states[n]


def test_the_decisions_of_random_losspass_runs_are_of_every_kind() -> None:
    steps = [step for reading in TWO_QUEUES for step in random_run(LossPassPort(7, 2, (1, 2, 3), reading), 1)[2]]
    assert {step.decision for step in steps} == {"enqueue", "evict", "evict+drop", "drop", "depart"}


def test_strict_priority_serves_small_packets_first_and_free_service_either() -> None:
    state = LossPassPortState((1,), (2,))
    assert [label for label in LossPassPort(4, 0, (1,)).labels(state) if label[0] == "depart"] == [("depart", "any")]
    assert LossPassPort(4, 0, (1,)).step(state, ("depart", "any"))[1] == LossPassPortState((), (2,))
    free = [label for label in LossPassPort(4, 0, (1,), service="free").labels(state) if label[0] == "depart"]
    assert free == [("depart", "small"), ("depart", "large")]
    assert not [label for label in LossPassPort(4, 0, (1,)).labels(LossPassPortState((), ())) if label[0] == "depart"]


def test_runs_of_strict_priority_are_among_those_of_free_service() -> None:
    strict, free = (set(reached(LossPassPort(4, 1, (1, 2), service=service))) for service in ("strict", "free"))
    assert strict <= free


def reached(system: Any) -> Iterator[Any]:
    states = list(system.initial())
    seen = set(states)
    for state in states:
        yield state
        for _, after in system.successors(state):
            if after not in seen:
                seen.add(after)
                states.append(after)


@pytest.mark.parametrize("reading", ["droptail", "nonsense"])
def test_a_reading_with_one_queue_or_none_is_refused(reading: str) -> None:
    with pytest.raises(InputError, match="intended"):
        LossPassPort(3, 0, (1,), reading)


def test_a_line_1_that_does_not_look_is_found_with_the_shortest_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losspass_algorithm.Arbiter, "_lines_1_to_9", losspass_algorithm.Arbiter._line_12)
    found = explore(LossPassPort(3, 0, (1, 2)), lambda state: sum(map(sum, state)) > 3, bound=10_000).found
    assert found is not None
    assert len(found) == 2


def test_a_line_3_that_does_not_compare_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    port = LossPassPort(3, 0, (1, 3))
    assert always(port, lambda state: sum(map(sum, state)) <= 3).complete
    monkeypatch.setattr(losspass_algorithm.Arbiter, "_lines_2_to_4", lambda self, _: "" if self.large else "empty")
    found = explore(port, lambda state: sum(map(sum, state)) > 3, bound=10_000).found
    assert found is not None
    assert found.labels[-1][0] == "arrive"


def test_a_line_4_with_the_printed_comparison_breaks_the_room() -> None:
    """Only evictions are looked at: B = 3, B_l = 2, and Q_s of 2 or more that large packets have made room for."""

    def evicts_beyond(port: LossPassPort) -> bool:
        for state in reached(port):
            for label in port.labels(state):
                step, after = port.step(state, label)
                if step.decision == "evict" and sum(after.small) > port.buffer - port.reserve:
                    return True
        return False

    assert not evicts_beyond(LossPassPort(3, 2, (1,)))
    assert evicts_beyond(LossPassPort(3, 2, (1,), "mend-line10"))


def edt_request(switch: EdtSwitch, labels: list[Any]) -> dict[str, Any]:
    names = ("ports", "buffer", "alpha", "cn1", "cn2", "tm1", "tm2", "reading")
    return {name: getattr(switch, name) for name in names} | {"events": edt_events(switch, labels)}


def timers(value: str | None, now: int) -> Fraction | None:
    return None if value is None else Fraction(value) - now


@pytest.mark.parametrize("reading", list(edt.READINGS))
@pytest.mark.parametrize("time", ["ticks", "served"])
def test_an_edt_switch_makes_the_steps_of_the_packet_model(reading: str, time: Time) -> None:
    for seed, (cn1, cn2, tm1, tm2) in enumerate([(2, 2, 2, 3), (3, 2, 3, 7), (2, 3, None, 4), (3, 3, 5, None)]):
        switch = EdtSwitch(2, 6 + seed, cn1, cn2, tm1, tm2, reading=reading, time=time)
        labels, states, decisions = random_run(switch, seed)
        for n in (*range(0, len(labels), 6), len(labels) - 1):
            request = edt_request(switch, labels[: n + 1])
            answer = edt_trace.run_trace(request)
            now = labels[: n + 1].count(("tick",))
            for port, found in zip(states[n], answer["final"]["ports"], strict=True):
                assert (port.length, port.c1, port.c2) == (Fraction(found["queue"]), found["c1"], Fraction(found["c2"]))
                assert port.controlled == (found["state"] == "controlled")
                assert (port.tm1, port.tm2) == (timers(found["tm1"], now), timers(found["tm2"], now))
            if labels[n] != ("tick",):
                assert answer["steps"][-1]["decision"] == decisions[n]


@pytest.mark.parametrize("reading", list(edt.READINGS))
def test_whatever_ticks_do_free_time_can_do(reading: str) -> None:
    """Project each state to what is not a remaining time: the runs with ticks are among those in free time."""

    def project(state: Any) -> Any:
        return tuple((*port[:4], port.tm1 is None, port.tm2 is None) for port in state)

    free = {project(state) for state in reached(EdtSwitch(2, 4, reading=reading))}
    for tm1, tm2 in ((1, 1), (2, 3), (3, 2)):
        ticks = EdtSwitch(2, 4, tm1=tm1, tm2=tm2, reading=reading, time="ticks")
        assert {project(state) for state in reached(ticks)} <= free


def test_a_free_expiry_cannot_be_written_as_a_trace() -> None:
    with pytest.raises(ValueError, match="no instant"):
        edt_events(EdtSwitch(1, 4), [("arrive", 0), ("tm1", 0)])


def test_a_timer_of_none_never_expires_in_free_time() -> None:
    labels = {
        label[0] for state in reached(EdtSwitch(1, 4, tm1=None, tm2=None)) for label in EdtSwitch(1, 4).labels(state)
    }
    assert labels == {"arrive", "depart"}


def test_a_c2_that_drops_do_not_reset_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    system = Watched(EdtSwitch(1, 6, cn2=3))

    def measures_growth(state: Any) -> bool:
        port = state.switch[0]
        return not port.controlled or bool(port.c2 == port.length - state.least[0])

    assert always(system, measures_growth).complete
    monkeypatch.setattr(edt.EdtPort, "dropped", lambda _: None)
    assert always(system, measures_growth).found is not None


def test_a_c2_that_counts_while_uncontrolled_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    system = EdtSwitch(1, 4)
    assert always(system, lambda state: state[0].controlled or state[0].c2 == 0).complete
    honest = edt.EdtPort.enqueued

    def counting(self: edt.EdtPort, amount: Any, now: Any) -> None:
        honest(self, amount, now)
        if not self.controlled:
            self.c2 = 1

    monkeypatch.setattr(edt.EdtPort, "enqueued", counting)
    assert always(system, lambda state: state[0].controlled or state[0].c2 == 0).found is not None


def test_a_c1_that_arrivals_do_not_reset_is_found() -> None:
    def hears(state: Any) -> bool:
        return all(port.c1 <= quiet for port, quiet in zip(state.switch, state.quiet, strict=True))

    system = EdtSwitch(2, 6, reading="arrivals", tm1=None, tm2=None)
    assert always(Watched(system), hears).complete
    assert always(Watched(dataclasses.replace(system, reading="circuit")), hears).found is not None


@pytest.mark.parametrize("reading", ["droptail", "unknown"])
def test_the_readings_with_two_queues_are_offered(reading: str) -> None:
    with pytest.raises(InputError) as error:
        LossPassPort(3, 1, (1,), reading)
    offered = set(error.value.accepted.removeprefix("one of ").split(", "))
    assert offered == set(READINGS) - {"droptail"}


def services(port: LossPassPort, small: tuple[int, ...], large: tuple[int, ...]) -> list[str]:
    return [label[1] for label in port.labels(LossPassPortState(small, large)) if label[0] == "depart"]


def test_a_service_finds_a_packet() -> None:
    strict, free = LossPassPort(3, 1, (1,)), LossPassPort(3, 1, (1,), service="free")
    contents = [((), ()), ((1,), ()), ((), (1,)), ((1,), (1,))]
    assert [services(strict, *each) for each in contents] == [[], ["any"], ["any"], ["any"]]
    assert [services(free, *each) for each in contents] == [[], ["small"], ["large"], ["small", "large"]]


def test_the_packets_of_a_state_have_the_first_numbers_and_an_arriving_one_the_next() -> None:
    port, state = LossPassPort(4, 0, (1, 2)), LossPassPortState((1,), (2, 1))
    step, after = port.step(state, ("arrive", "small", 1))
    assert (step.decision, step.packet, step.victim, after) == ("evict", 3, 2, LossPassPortState((1, 1), (2,)))
    step, after = port.step(state, ("depart", "large"))
    assert (step.packet, after) == (1, LossPassPortState((1,), (1,)))


def test_the_smallest_numbers_that_show_anything_are_what_is_explored_by_default() -> None:
    assert EdtPort() == (0, True, 0, 0, None, None)
    full = EdtSwitch(1, 4, cn1=2, cn2=2, tm1=1, tm2=1, alpha=1, reading="circuit", time="free")
    assert EdtSwitch(1, 4) == full


def test_a_timer_of_free_time_only_runs_or_does_not() -> None:
    switch = EdtSwitch(1, 4, tm1=7, tm2=9)
    (empty,) = switch.initial()
    _, one = switch.step(empty, ("arrive", 0))
    _, two = switch.step(one, ("arrive", 0))
    assert (one, two) == ((EdtPort(1, True, 0, 1, 1, None),), (EdtPort(2, False, 0, 0, None, 1),))
    assert list(switch.labels(one)) == [("arrive", 0), ("depart", 0), ("tm1", 0)]
    assert list(switch.labels(two)) == [("arrive", 0), ("depart", 0), ("tm2", 0)]
    assert switch.step(two, ("tm2", 0)) == ("idle", (EdtPort(2, True, 0, 0, None, None),))


def test_an_overflow_leaves_the_timers_of_the_other_ports_running() -> None:
    switch = EdtSwitch(2, 2)
    full = (EdtPort(1, True, 0, 1, 1, None), EdtPort(1, True, 0, 1, 1, None))
    assert switch.step(full, ("arrive", 0)) == ("drop", (EdtPort(1, True, 0, 0, None, None), full[1]))


def test_a_port_that_is_served_sends_of_itself() -> None:
    switch = EdtSwitch(2, 4, time="served")
    busy = (EdtPort(1, True, 0, 1, 1, None), EdtPort())
    assert list(switch.labels(busy)) == [("arrive", 0), ("arrive", 1), ("tick",)]
    events = edt_events(switch, [("arrive", 0), ("arrive", 0), ("tick",), ("tick",), ("tick",)])
    tick = [["tick", time] for time in (1, 2, 3)]
    sent = [["depart", time, 1] for time in (1, 2)]
    assert events == [["arrive", 0, 1, 1], ["arrive", 0, 1, 1], tick[0], sent[0], tick[1], sent[1], tick[2]]


def test_an_observer_sees_lengths_since_a_reset_and_departures_since_an_arrival() -> None:
    """Port 1 alone is busy: two packets enter, the second frees it; three leave (C1 stops at 2), and one arrives."""
    watched = Watched(EdtSwitch(2, 8))
    (state,) = watched.initial()
    assert state == WatchedState((EdtPort(), EdtPort()), (0, 0), (0, 0), (0, 0))
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
