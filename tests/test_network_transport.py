"""Losses, timeouts and acknowledgements of one connection, held against the RFCs."""

from typing import Any

import pytest
from network_cases import GIGABIT, setting

from dtmodel.network.control import MADE, Cubic, Dctcp
from dtmodel.network.doors import Door, read_door
from dtmodel.network.experiment import EXAMPLE, Experiment
from dtmodel.network.fabric import Network, Topology
from dtmodel.network.integers import SECOND
from dtmodel.network.transport import CONTROL, DATA, SACKS, Connection, Packet, Transport
from dtmodel.network.workload import Outcome, Run


def test_a_lost_request_is_sent_again_after_its_timeout() -> None:
    case = setting(size="10 KB", queries=1, syn_timeout="1 s")
    network = case.network(1)
    far, lost = network.uplinks[0].far, []

    def lose_the_first(packet: Packet, now: int) -> None:
        if lost:
            far(packet, now)
        lost.append(packet.kind)

    network.uplinks[0].far = lose_the_first
    outcome = Run(network, case.transport, case.workload).finished()
    assert lost[0] != DATA
    assert SECOND < outcome.queries[0] < 1.01 * SECOND


class Refusing(Door):
    """A door that drops the packets with some numbers among the full segments for host 0."""

    def __init__(self, dropped: set[int]) -> None:
        self.dropped, self.count = dropped, 0

    def arrive(self, now: int, place: int, size: int) -> int:
        del now
        if size > 1000 and place == 0:
            self.count += 1
            if self.count in self.dropped:
                return 0
        self.memory.enter(place, size)
        return 1


def one_response(dropped: set[int], segments: int, **transport: Any) -> tuple[Outcome, Any]:
    network = Network(Topology(2, GIGABIT, 200_000_000, 0), lambda *_: Refusing(dropped), 10**7)
    spoken = Transport(**transport)
    document = {**EXAMPLE["workload"]["incast"], "servers": 1, "queries": 1, "size": segments * 1460}
    work = (
        Experiment.read({**EXAMPLE, "workload": {"incast": document}}).setting("base", "DT", document["size"]).workload
    )
    run = Run(network, spoken, work)
    outcome = run.finished()
    return outcome, run.connections[0]


@pytest.mark.parametrize("sack", SACKS)
def test_a_loss_within_a_window_is_repaired_without_a_timeout(sack: str) -> None:
    _, flow = one_response({4}, 30, sack=sack)
    assert (flow.timeouts, flow.resent) == (0, 1)


def test_newreno_repairs_a_loss_a_round_trip_and_sack_more_at_once() -> None:
    slow, fast = (one_response({50, 52, 54}, 60, sack=sack)[0].queries[0] for sack in ("none", "rfc6675"))
    assert 1.5 * 200_000_000 < slow - fast < 2.5 * 200_000_000


@pytest.mark.parametrize(("sack", "resent"), [("rfc6675", 2), ("without-rule-3", 1)])
def test_rule_3_sends_a_segment_again_when_nothing_else_is_left(sack: str, resent: int) -> None:
    """Of ten segments two are lost, the second with two behind it, too few to tell: rule 3 sends it again at once."""
    _, flow = one_response({3, 8}, 10, sack=sack)
    assert (flow.timeouts, flow.resent >= resent) == (sack != "rfc6675", True)


@pytest.mark.parametrize("sack", SACKS)
def test_a_last_segment_that_is_lost_with_others_is_rescued(sack: str) -> None:
    """NewReno sends it at the partial acknowledgement, RFC 6675 by its rule 4."""
    _, flow = one_response({20, 30}, 30, sack=sack)
    assert (flow.timeouts, flow.resent) == (0, 2)


def test_the_last_segment_needs_a_timeout() -> None:
    outcome, flow = one_response({10}, 10)
    assert (flow.timeouts, flow.resent) == (1, 1)
    assert outcome.queries[0] > 200 * 10**9


def test_a_window_of_one_segment_follows_a_timeout() -> None:
    """Three lost segments take two round trips after it, one lost segment takes one."""
    slow, fast = (one_response(lost, 10)[0].queries[0] for lost in ({8, 9, 10}, {10}))
    assert 0.8 * 200_000_000 < slow - fast < 1.2 * 200_000_000


@pytest.mark.parametrize(("flight", "window"), [(1, 2), (5, 2), (6, 3), (20, 10)])
def test_a_loss_halves_the_outstanding_segments_to_two_at_least(flight: int, window: int) -> None:
    assert [MADE[name]().reduced(None, flight) for name in ("newreno", "dctcp", "ecn*")] == [window] * 3


@pytest.mark.parametrize(("marked", "window"), [(0, 20), (256, 18), (512, 15), (1024, 10)])
def test_dctcp_cuts_half_of_the_marked_part(marked: int, window: int) -> None:
    flow, control = one_response(set(), 1, control="dctcp")[1], Dctcp()
    flow.window, control.alpha = 20, marked
    assert control.marked_window(flow) == window


def test_cubic_notes_a_lower_maximum_if_the_window_falls() -> None:
    flow, control = one_response(set(), 1, control="cubic")[1], Cubic()
    for window, left, most in ((100, 70, 100), (80, 56, 68), (90, 63, 90)):
        flow.window = window
        assert (control.reduced(flow, 1), control.most) == (left, most)


def test_the_timeout_doubles_while_nothing_is_acknowledged() -> None:
    outcome, flow = one_response({10, 11, 12}, 10)
    assert flow.timeouts == 3
    assert (200 + 400 + 800) * 10**9 < outcome.queries[0] < (200 + 400 + 801) * 10**9


@pytest.mark.parametrize(("sampled", "least", "most"), [(False, 1000, 1001), (True, 200, 201)])
def test_a_sample_of_the_handshake_replaces_a_first_timeout_of_a_second(sampled: bool, least: int, most: int) -> None:
    """All three segments of the first window are lost; the least timeout is 200 ms."""
    outcome, flow = one_response({1, 2, 3}, 3, initial_window=3, handshake_sample=sampled)
    assert flow.timeouts == 1
    assert least * 10**9 < outcome.queries[0] < most * 10**9


def test_a_request_that_is_sent_again_gives_no_sample() -> None:
    case = setting(size="10 KB", queries=1, handshake_sample=True)
    network = case.network(1)
    far, requests = network.uplinks[0].far, []

    def lose_the_first_request(packet: Packet, now: int) -> None:
        if (packet.kind, packet.seq) == (CONTROL, 2):
            requests.append(packet.stamp)
        if len(requests) != 1 or packet.kind != CONTROL:
            far(packet, now)

    network.uplinks[0].far = lose_the_first_request
    Run(network, case.transport, case.workload).finished()
    assert (len(requests), requests[-1], min(requests[:-1]) > 0) == (4, -1, True)


def test_a_door_tells_small_networks_apart() -> None:
    assert read_door({"name": "pql"}, 9_000, 2, 3).own_buffers
    assert not read_door({"name": "dt", "alpha": "1"}, 9_000, 2, 3).own_buffers


class Listening:
    """A network that only writes down the packets of one connection."""

    def __init__(self) -> None:
        self.sent: list[Packet] = []
        self.timers: list[int] = []

    def send(self, host: int, packet: Packet, now: int) -> None:
        del host, now
        self.sent.append(packet)

    def at(self, instant: int, handler: Any, argument: Any) -> None:
        del handler, argument
        self.timers.append(instant)


def connection(segments: int, **transport: Any) -> tuple[Connection, Listening]:
    """A connection whose first window is on its way."""
    heard = Listening()
    flow = Connection(heard, 0, 1, 0, Transport(**transport), lambda sent: sent // 10**9)
    flow.push(segments * 1460, 0, heard.timers.append)
    return flow, heard


def acknowledged(flow: Connection, seq: int, block: int = -1, now: int = 10**9, stamp: int = 0) -> None:
    packet = Packet(flow, 1, seq, 64, 1, 0, stamp)
    packet.block = block
    flow.acknowledge(packet, now)


def test_the_third_duplicate_sends_a_segment_again_and_a_partial_acknowledgement_the_next() -> None:
    """RFC 6582: half of the first window, one more for a duplicate, less for a partial acknowledgement."""
    flow, heard = connection(30, initial_window=10)
    assert [packet.seq for packet in heard.sent] == [*range(10)]
    acknowledged(flow, 0, 1)
    acknowledged(flow, 0, 2)
    assert [packet.seq for packet in heard.sent[10:]] == [10, 11]
    acknowledged(flow, 0, 3)
    assert ([packet.seq for packet in heard.sent[12:]], flow.threshold, flow.window) == ([0], 5, 8)
    for block in range(4, 10):
        acknowledged(flow, 0, block)
    assert (flow.window, [packet.seq for packet in heard.sent[13:]]) == (14, [12, 13])
    acknowledged(flow, 5)
    assert (flow.window, heard.sent[15].seq, flow.recovering) == (10, 5, True)
    acknowledged(flow, 12)
    assert (flow.window, flow.threshold, flow.recovering) == (6, 5, False)


@pytest.mark.parametrize(("delayed", "answers"), [(False, [1, 2, 3, 4, 5, 6]), (True, [2, 4, 6])])
def test_delayed_acknowledgements_come_for_every_second_segment(delayed: bool, answers: list[int]) -> None:
    flow, heard = connection(20, delayed_ack=delayed)
    data = heard.sent[:6]
    for packet in data:
        flow.receive(packet, 10**9)
    assert [packet.seq for packet in heard.sent if packet.kind == 1] == answers
    flow.receive(heard.sent[8], 10**9)
    assert (heard.sent[-1].seq, heard.sent[-1].block) == (6, 8)


def test_a_window_that_was_idle_for_a_timeout_begins_anew() -> None:
    flow, heard = connection(10, initial_window=10)
    acknowledged(flow, 10, now=10**9)
    assert flow.window > 10
    sent = len(heard.sent)
    flow.push(100 * 1460, 10**9 + flow.rto + 1, heard.timers.append)
    assert (flow.window, len(heard.sent) - sent) == (10, 10)


def test_the_timeout_is_the_round_trip_and_four_deviations() -> None:
    """RFC 6298, with its gains of 1/8 and 1/4."""
    flow, _ = connection(30, min_rto=1)
    acknowledged(flow, 1, now=800)
    assert (flow.srtt, flow.deviation, flow.rto) == (800, 400, 2400)
    acknowledged(flow, 2, now=1600)
    assert (flow.srtt, flow.deviation, flow.rto) == (900, 500, 2900)


def test_jitter_keeps_the_order_of_a_link() -> None:
    topology = Topology(2, GIGABIT * 100, 200_000_000, 10_000_000)
    network = Network(topology, lambda *_: Refusing(set()), 10**6)
    order: list[int] = []
    network.uplinks[0].far = lambda packet, _: order.append(packet.seq)
    for seq in range(200):
        network.send(0, Packet(None, 9, seq, 64, 1, 0, 0), 0)
    network.run(10**12)
    assert order == [*range(200)]
