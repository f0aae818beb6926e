"""Algorithm 1 on traces: the interface, the variants, bad input, conservation, and a second implementation."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import packet_comparisons
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from dtmodel.base.errors import InputError
from dtmodel.network import compiled
from dtmodel.packet.dynaq import algorithm, schemes
from dtmodel.packet.dynaq.algorithm import VICTIMS, DynaQ, DynaQPort, claims_after, claims_later, rule
from dtmodel.packet.dynaq.trace import run_trace
from validation.support.dynaq import hardware as dynaq_hardware


def arrive(queue, size=1, time=None):
    return ["arrive", time, queue, size]


def depart(queue, time=None):
    return ["depart", time, queue]


def answer(*events, buffer=4, weights=(1, 1), **more):
    return run_trace({"id": "t", "buffer": buffer, "weights": list(weights), "events": list(events), **more})


def decisions(trace):
    return [(step["decision"], step["victim"], step["packet"]) for step in trace["steps"]]


def test_the_example_of_the_interface():
    trace = answer(arrive(1, 2), depart(1), tie_break="low", admit="port", algorithm="dynaq")
    assert decisions(trace) == [("enqueue", None, 0), ("depart", None, 0)]
    assert trace["id"] == "t"
    assert trace["final"] == {"thresholds": ["2", "2"], "queues": ["0", "0"]}


def test_line_1_is_strict_a_packet_that_fills_the_threshold_passes():
    assert decisions(answer(arrive(1, 2)))[0] == ("enqueue", None, 0)


def test_a_byte_beyond_the_threshold_takes_it_from_the_victim():
    trace = answer(arrive(1, 3), arrive(1, 1), buffer=8)
    assert trace["steps"][0]["thresholds"] == ["4", "4"]
    trace = answer(arrive(1, 4), arrive(1, 1), buffer=8)
    assert decisions(trace)[1] == ("enqueue", 2, 1)
    assert trace["final"] == {"thresholds": ["5", "3"], "queues": ["5", "0"]}


def test_line_3_drops_when_the_victim_has_less_than_the_packet():
    assert decisions(answer(arrive(1, 3)))[0] == ("drop", 2, 0)


def test_line_3_allows_an_idle_victim_to_give_everything():
    trace = answer(arrive(1, 2), arrive(1, 2))
    assert trace["final"]["thresholds"] == ["4", "0"]


def test_line_3_protects_an_active_victim_that_would_fall_below_its_satisfaction_threshold():
    trace = answer(arrive(2, 1), arrive(1, 2), arrive(1, 1))
    assert decisions(trace)[2] == ("drop", 2, 2)
    assert trace["final"]["thresholds"] == ["2", "2"]


def test_line_3_lets_an_active_victim_go_down_to_exactly_its_satisfaction_threshold():
    trace = answer(arrive(1, 2), arrive(1, 1), depart(1), arrive(2, 2), arrive(2, 1), buffer=6)
    assert trace["steps"][-1]["thresholds"] == ["3", "3"]


@pytest.mark.parametrize(("tie_break", "victim"), [("low", 2), ("high", 3)])
def test_ties_go_where_they_are_told(tie_break, victim):
    trace = answer(arrive(1, 1), arrive(1, 1), buffer=3, weights=(1, 1, 1), tie_break=tie_break)
    assert trace["steps"][1]["victim"] == victim


def test_the_sender_is_never_the_victim_even_with_the_largest_extra():
    trace = answer(*[arrive(1)] * 4, buffer=6, weights=(1, 1, 1))
    assert [step["victim"] for step in trace["steps"]] == [None, None, 2, 3]


def test_the_extra_and_not_the_threshold_decides():
    # Extras after queue 3 took one byte from queue 1: -1, 0, 1; thresholds 0, 2, 4.
    trace = answer(*[arrive(3)] * 5, buffer=6, weights=(1, 2, 3))
    assert [step["victim"] for step in trace["steps"]][3:] == [1, 2]


def test_a_full_port_drops_and_the_thresholds_stay_adjusted():
    trace = answer(arrive(1), arrive(1), arrive(2), buffer=2)
    assert decisions(trace)[2] == ("drop", 1, 2)
    assert trace["final"] == {"thresholds": ["1", "1"], "queues": ["2", "0"]}


def test_the_recheck_drops_a_packet_beyond_its_adjusted_threshold_and_keeps_the_adjustment():
    events = [arrive(1), arrive(1), arrive(2), depart(2), arrive(1)]
    port, recheck = (answer(*events, buffer=3, weights=(1, 1, 1), admit=admit) for admit in ("port", "recheck"))
    assert port["steps"][:-1] == recheck["steps"][:-1]
    assert decisions(port)[-1] == ("enqueue", 2, 3)
    assert decisions(recheck)[-1] == ("drop", 2, 3)
    assert port["final"] == {"thresholds": ["2", "0", "1"], "queues": ["3", "0", "0"]}
    assert recheck["final"] == {"thresholds": ["2", "0", "1"], "queues": ["2", "0", "0"]}


def test_without_an_admission_check_the_thresholds_alone_decide():
    trace = answer(arrive(1), arrive(1), arrive(2), buffer=2, admit="thresholds")
    assert trace["final"] == {"thresholds": ["1", "1"], "queues": ["2", "1"]}


def test_the_repaired_line_2_looks_past_an_active_queue_that_may_not_give():
    events = [arrive(1), arrive(2), arrive(1)]
    assert decisions(answer(*events, buffer=3, weights=(1, 1, 1)))[2] == ("drop", 2, 2)
    repaired = answer(*events, buffer=3, weights=(1, 1, 1), victims="eligible")
    assert decisions(repaired)[2] == ("enqueue", 3, 2)


def test_the_repaired_line_2_lets_an_active_queue_give_down_to_exactly_its_satisfaction_threshold():
    events = [*[arrive(1)] * 3, arrive(2), arrive(2), arrive(2)]
    trace = answer(*events, weights=(1, 1), buffer=4, victims="eligible")
    assert [step["thresholds"] for step in trace["steps"]][2:] == [["3", "1"], ["3", "1"], ["2", "2"], ["2", "2"]]


def test_with_one_queue_a_packet_beyond_the_buffer_is_dropped_without_a_victim():
    trace = answer(arrive(1, 3), arrive(1, 2), weights=(1,))
    assert decisions(trace) == [("enqueue", None, 0), ("drop", None, 1)]


def test_a_departure_from_an_empty_queue_is_idle():
    trace = answer(depart(2), arrive(2), depart(2), depart(2))
    assert decisions(trace) == [
        ("idle", None, None), ("enqueue", None, 0), ("depart", None, 0), ("idle", None, None),
    ]  # fmt: skip


def test_queues_are_first_in_first_out_and_dropped_packets_keep_their_number():
    trace = answer(arrive(1, 1), arrive(1, 3), arrive(1, 1), depart(1), depart(1))
    assert decisions(trace) == [
        ("enqueue", None, 0), ("drop", 2, 1), ("enqueue", None, 2), ("depart", None, 0), ("depart", None, 2),
    ]  # fmt: skip


def test_fractional_thresholds_and_sizes_are_exact():
    trace = answer(["arrive", "0", 1, "1/3"], ["arrive", "0.5", 1, "0.5"], buffer=2, weights=("1", "2"))
    assert trace["final"] == {"thresholds": ["7/6", "5/6"], "queues": ["5/6", "0"]}


def test_sizes_and_buffers_may_have_units():
    assert answer(["arrive", "1 ms", 1, "1 KB"], buffer="2 KiB")["final"]["queues"] == ["1000", "0"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"weights": [1, 0]}, "weights[1]"),
        ({"weights": [1, -1]}, "weights[1]"),
        ({"weights": []}, "weights"),
        ({"weights": "11"}, "weights"),
        ({"buffer": 0}, "buffer"),
        ({"buffer": "nan"}, "buffer"),
        ({"bdp": 0}, "bdp"),
        ({"bdp": None}, "bdp"),
        ({"buffer": 1}, "events[0][3]"),
        ({"tie_break": "random"}, "tie_break"),
        ({"admit": "none"}, "admit"),
        ({"admit": None}, "admit"),
        ({"victims": "all"}, "victims"),
        ({"algorithm": "edt"}, "algorithm"),
        ({"surprise": 1}, "surprise"),
        ({"version": 2}, "version"),
        ({"events": [arrive(0)]}, "events[0][2]"),
        ({"events": [arrive(3)]}, "events[0][2]"),
        ({"events": [arrive(1.5)]}, "events[0][2]"),
        ({"events": [depart("any")]}, "events[0][2]"),
        ({"events": [arrive(1, 0)]}, "events[0][3]"),
        ({"events": [arrive(1, -1)]}, "events[0][3]"),
        ({"events": [["arrive", None, 1]]}, "events[0]"),
        ({"events": [["depart", None, 1, 1]]}, "events[0]"),
        ({"events": [["leave", None, 1]]}, "events[0][0]"),
        ({"events": [[]]}, "events[0][0]"),
        ({"events": [7]}, "events[0]"),
        ({"events": [arrive(1, 1, 2), arrive(1, 1, 1)]}, "events[1][1]"),
        ({"events": None}, "events"),
    ],
)
def test_bad_input_is_refused_with_the_name_of_the_field(change, field):
    request = {"buffer": 4, "weights": [1, 1], "events": [arrive(1, 2)], **change}
    with refused(field):
        run_trace(request)


@pytest.mark.parametrize("missing", ["buffer", "weights", "events"])
def test_required_fields(missing):
    request = {"buffer": 4, "weights": [1, 1], "events": []}
    del request[missing]
    with refused(missing):
        run_trace(request)


PORTS = st.builds(
    DynaQ,
    buffer=st.integers(3, 20),
    weights=st.lists(st.integers(1, 4), min_size=1, max_size=5).map(tuple),
    tie_break=st.just("low"),
    admit=st.sampled_from(["port", "recheck", "thresholds"]),
)
EVENTS = st.lists(st.tuples(st.booleans(), st.integers(0, 4), st.integers(1, 3)), max_size=60)


@given(PORTS, EVENTS)
def test_packets_and_bytes_balance_and_thresholds_sum_to_the_buffer(rules, events):
    port, offered, lost, sent = DynaQPort(rules), 0, 0, 0
    for is_arrival, queue, size in events:
        i = queue % len(rules.weights)
        if is_arrival:
            offered += size
            lost += size * (port.arrive(i, size).decision == "drop")
        else:
            head = port.packets[i][0][1] if port.packets[i] else 0
            assert (port.depart(i) is None) == (head == 0)
            sent += head
        assert offered == sent + lost + sum(port.lengths)
        assert [sum(size for _, size in packets) for packets in port.packets] == port.lengths
        assert sum(port.thresholds) == rules.buffer
        assert min(port.thresholds) >= 0
        assert rules.admit == "thresholds" or sum(port.lengths) <= rules.buffer


@given(PORTS, EVENTS)
def test_two_implementations_agree_on_random_traces(rules, events):
    port = DynaQPort(rules)
    for is_arrival, queue, size in events:
        i = queue % len(rules.weights)
        if not is_arrival:
            port.depart(i)
            continue
        before, lengths = port.thresholds, tuple(port.lengths)
        ruling = port.arrive(i, size)
        decision, victim, after = dynaq_hardware.algorithm1(rules.satisfaction, before, lengths, i, size=size)
        assert (ruling.victim, ruling.thresholds) == (victim, after)
        assert ruling.decision == decision or (decision == "enqueue" and ruling.reason[:4] in {"the ", "rech"})


@given(PORTS, EVENTS, st.integers(0, 2), st.sampled_from(VICTIMS), st.none() | st.fractions(1, 20, max_denominator=3))
def test_a_port_rules_on_every_packet_as_algorithm_1_does(rules, events, patience, victims, bdp):
    rules = replace(rules, patience=patience, victims=victims, bdp=bdp)
    port, T, claims = DynaQPort(rules), rules.initial, rules.no_claims
    for is_arrival, queue, size in events:
        i = queue % len(rules.weights)
        if is_arrival:
            lengths = tuple(port.lengths)
            wanted = rule(rules, T, lengths, i, size, claims)
            assert port.arrive(i, size) == wanted
            T, claims = wanted.thresholds, claims_after(rules, claims, lengths, i, size, wanted.decision)
        elif port.depart(i) is not None:
            claims = claims_later(claims)
        assert (port.thresholds, port.claims) == (T, claims)


@pytest.mark.parametrize(("buffer", "room"), [(8, 4), (9, Fraction(9, 2))])
def test_a_packet_with_room_in_its_threshold_and_the_port_is_let_in_at_once(monkeypatch, buffer, room):
    for module in (algorithm, schemes):
        monkeypatch.setattr(module, "rule", lambda *_: pytest.fail("Algorithm 1 was asked"))
    rules = DynaQ(buffer, (1, 1))
    port, scheme = DynaQPort(rules), schemes.DynaQScheme(rules)
    assert [port.arrive(p, room).reason for p in (0, 1)] == ["line 1: within the threshold"] * 2
    assert port.lengths == [room, room]
    assert (port.depart(0), port.arrive(0, room).decision) == (0, "enqueue")
    assert [scheme.admit(rules.initial, q, 1, room) for q in ([0, 0], [room, 0])] == [(True, rules.initial)] * 2


def test_a_bdp_is_greater_than_0_and_keeps_a_scheme_out_of_the_native_core():
    with refused("bdp"):
        DynaQ(6, (1, 1), bdp=0)
    printed, other = (schemes.DynaQScheme(DynaQ(6, (1, 1), bdp=bdp)) for bdp in (None, 3))
    assert compiled._scheme(printed).numbers[-2:] == [3, 3]
    assert compiled._scheme(other) is None


SHORT = [(2, [1, 1], 4), (3, [1, 2], 4), (3, [1, 1, 1], 3)]
LONGER = [(2, [1, 1], 7), (4, [1, 1], 7), (3, [1, 1, 1], 6)]


@pytest.mark.parametrize(
    ("buffer", "weights", "length"), [*SHORT, *(pytest.param(*each, marks=pytest.mark.exhaustive) for each in LONGER)]
)
def test_a_second_implementation_agrees_on_all_traces_of_some_length(buffer, weights, length):
    queues = range(1, len(weights) + 1)
    choices = [*(arrive(queue, size) for queue in queues for size in (1, 2)), *map(depart, queues)]
    for events in product(choices, repeat=length):
        asked = {"algorithm": "dynaq", "buffer": buffer, "weights": weights, "events": list(events)}
        ours, other = packet_comparisons.trace(asked)
        assert ours == other


@given(PORTS, EVENTS, st.integers(2, 5))
def test_scaling_the_buffer_and_every_packet_scales_the_thresholds(rules, events, scale):
    scaled = DynaQ(rules.buffer * scale, rules.weights, rules.tie_break, rules.admit)
    one, other = DynaQPort(rules), DynaQPort(scaled)
    for is_arrival, queue, size in events:
        i = queue % len(rules.weights)
        if is_arrival:
            assert one.arrive(i, size).decision == other.arrive(i, size * scale).decision
        else:
            assert one.depart(i) == other.depart(i)
    assert other.thresholds == tuple(T * scale for T in one.thresholds)


@given(PORTS, EVENTS)
def test_mirroring_the_queues_mirrors_the_trace_with_the_other_tie_break(rules, events):
    M = len(rules.weights)
    mirrored = DynaQ(rules.buffer, rules.weights[::-1], "high", rules.admit)
    one, other = DynaQPort(rules), DynaQPort(mirrored)
    for is_arrival, queue, size in events:
        i = queue % M
        if is_arrival:
            assert one.arrive(i, size).decision == other.arrive(M - 1 - i, size).decision
        else:
            assert one.depart(i) == other.depart(M - 1 - i)
    assert one.thresholds == other.thresholds[::-1]


def trace(*events: Any, **settings: Any) -> dict[str, Any]:
    return run_trace({"buffer": 4, "weights": [1, 1]} | settings | {"events": list(events)})


def refusal(*events: Any, **settings: Any) -> tuple[str, object, str]:
    with pytest.raises(InputError) as error:
        trace(*events, **settings)
    return error.value.field, error.value.value, error.value.accepted


@pytest.mark.parametrize(
    ("field", "buffer", "weights"),
    [("buffer", 0, (1,)), ("buffer", -1, (1,)), ("weights", 4, ()), ("weights[1]", 4, (1, 0))],
)
def test_a_port_has_a_buffer_and_weights_above_0(field, buffer, weights):
    with refused(field):
        DynaQ(buffer, weights)


def test_a_value_is_refused_as_it_was_written():
    assert refusal(buffer="0 KB")[:2] == ("buffer", "0 KB")
    assert refusal(weights=[1, "0.0"])[:2] == ("weights[1]", "0.0")


def test_an_event_says_what_it_needs_and_its_time_is_looked_at_first():
    assert refusal(["arrive"])[0] == "events[0]"
    assert refusal(["arrive", "soon"])[0] == "events[0][1]"
    assert refusal(["arrive", 1])[:2] == ("events[0]", ["arrive", 1])
    assert refusal(["arrive", 1, 1])[2] == '["arrive", time, queue, size]'
    assert refusal(["depart", 1])[2] == '["depart", time, queue]'


def test_events_at_one_instant_are_in_order():
    answer = trace(["arrive", 2, 1, 1], ["arrive", 2, 1, 1], ["depart", 2, 1])
    assert answer["final"]["queues"] == ["1", "0"]
    assert refusal(["arrive", 2, 1, 1], ["depart", None, 1], ["depart", 1, 1])[:2] == ("events[2][1]", 1)
