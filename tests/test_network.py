"""The network of senders that react, held against the packet engine, sums over slow start, and known utilisations."""

import random
from collections import deque
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtmodel.base.errors import BudgetError, InputError
from dtmodel.network.control import CONTROLS, Cubic, Dctcp
from dtmodel.network.doors import DROP, ENTER, ENTER_MARKED, AdmissionDoor, Door, Memory, read_door
from dtmodel.network.experiment import EXAMPLE, Experiment, Setting, measured
from dtmodel.network.fabric import Network, Topology
from dtmodel.network.integers import SECOND, cube_root, draw, transmission
from dtmodel.network.rounds import Rounds
from dtmodel.network.transport import CONNECTIONS, CONTROL, DATA, SACKS, Connection, Packet, Transport
from dtmodel.network.workload import Outcome, Run
from dtmodel.packet.arrivals import listed
from dtmodel.packet.engine import run_packets
from dtmodel.policies import DT, EDT, LQD, CompleteSharing, Harmonic, Occamy, StaticPartition

GIGABIT = Fraction(125_000_000)
PORTS, BUFFER = 3, 9_000
POLICIES = {
    "DT": DT(1),
    "DT with a fractional alpha": DT("3/7"),
    "EDT": EDT(1, cn2=3_000, tm1="40 us", tm2="90 us"),
    "LQD": LQD(),
    "complete sharing": CompleteSharing(),
    "static partition": StaticPartition((2_000, 3_000, 4_000)),
    "Harmonic": Harmonic(),
    "Occamy": Occamy(2),
}


def random_arrivals(seed: int) -> list[tuple[int, int, int]]:
    """Time in picoseconds, port and size of packets that overload a switch, some at one instant."""
    chance, now, found = random.Random(seed), 0, []
    for _ in range(400):
        now += chance.choice((0, 0, 800_000, 4_000_000, 8_000_000, 40_000_000))
        found.append((now, chance.randrange(PORTS), chance.choice((64, 700, 1500))))
    return sorted(found)


def in_the_network(policy: Any, arrivals: list[tuple[int, int, int]]) -> tuple[list[int], list[tuple[Any, ...]]]:
    """The bytes that each port sends, and time, port, size and free memory of each loss."""
    lost: list[tuple[Any, ...]] = []
    door = AdmissionDoor(policy.admission(PORTS, Fraction(BUFFER), lambda size: size))
    network = Network(Topology(PORTS, GIGABIT, 10**9), lambda *_: door, BUFFER)
    (switch,) = network.switches
    sent = [0] * PORTS

    def pushed(place: int, packet: Packet) -> None:
        lost.append((network.now, place, packet.size, switch.memory.free))

    def arrive(packet: Packet, now: int) -> None:
        dropped = sum(switch.dropped)
        switch.arrive(packet, now)
        if sum(switch.dropped) > dropped:
            lost.append((now, packet.target, packet.size, switch.memory.free))

    def count(port: int, now: int, packet: Packet) -> None:
        del now
        sent[port] += packet.size

    switch.memory.lost, switch.watch = pushed, count
    for number, (now, port, size) in enumerate(arrivals):
        network.at(now, arrive, Packet(None, 9, number, size, port, 0, now))
    network.run(10**18)
    assert switch.memory.free == BUFFER
    return sent, lost


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", POLICIES)
def test_without_reaction_the_network_equals_the_packet_engine(name: str, seed: int) -> None:
    arrivals = random_arrivals(seed)
    streams: list[list[tuple[Fraction, int]]] = [[] for _ in range(PORTS)]
    for now, port, size in arrivals:
        streams[port].append((Fraction(now, SECOND), size))
    run = run_packets(
        buffer=Fraction(BUFFER), rates=[GIGABIT] * PORTS, policy=POLICIES[name],
        streams=[listed(stream) for stream in streams], until=1,
    )  # fmt: skip
    sent, lost = in_the_network(POLICIES[name], arrivals)
    assert sent == run.sent
    expected = [(packet.time * SECOND, packet.port, packet.size, packet.free) for packet in run.lost]
    assert (sorted(lost), bool(lost)) == (sorted(expected), True)


def test_times_are_rounded_up_once() -> None:
    assert transmission(64, Fraction(10**10, 8)) == 51_200
    assert transmission(1, Fraction(3)) == 333_333_333_334


@given(st.integers(0, 10**40))
def test_the_cube_root_is_the_integer_part(number: int) -> None:
    assert cube_root(number) ** 3 <= number < (cube_root(number) + 1) ** 3


def test_draws_depend_on_their_keys_alone() -> None:
    draws = {draw(seed, port, packet) for seed in range(3) for port in range(3) for packet in range(100)}
    assert len(draws) == 900
    assert abs(sum(number % 1000 for number in draws) / 900 - 499.5) < 30


def setting(policy: dict[str, Any] | None = None, **changes: Any) -> Setting:
    """The settings of three servers that answer together, with changes of transport and network."""
    incast = {"servers": 3, "size": changes.pop("size", "150 KB"), "queries": changes.pop("queries", 3)}
    document = {**EXAMPLE, "workload": {"incast": incast}, "readings": {"base": changes}}
    if policy:
        document["policies"] = {"P": policy}
    experiment = Experiment.read(document)
    return experiment.setting("base", *experiment.policies, incast["size"])


@pytest.mark.parametrize("segments", [20, 40, 60, 80])
@pytest.mark.parametrize("window", [3, 10])
def test_a_queue_in_slow_start_is_half_of_the_segments_less_the_pipe(segments: int, window: int) -> None:
    """Once acknowledgements come at the rate of the port each departure lets two segments arrive.

    So of 3 S segments 3 (S - w) / 2 have left and been acknowledged when the last is sent.
    """
    case = setting({"name": "complete"}, initial_window=window, size=segments * 1460, queries=1, buffer="2 MB")
    network = case.network(1)
    Run(network, case.transport, case.workload).finished()
    pipe = 200_000_000 // transmission(1500, GIGABIT)
    expected = 3 * (segments + window) / 2 - pipe
    assert abs(network.switches[0].peak[0] / 1500 - expected) <= 6
    assert network.switches[0].dropped == [0] * 4


def test_the_sums_give_the_range_of_figure_22() -> None:
    """DT with alpha 1 has 128 KB for the queue and EDT 256 KB, so they differ for responses of 100 to 170 KB."""
    pipe, window = 16, 3
    least, most = ((Fraction(2, 3) * (room // 1500 + pipe) - window) * 1460 for room in (128_000, 256_000))
    assert 90_000 < least < 100_000
    assert 170_000 < most < 180_000


def shares(policy: dict[str, Any], ms: int, flows: int, warm: int, **changes: Any) -> Fraction:
    """The part of a link of 1 Gbps with a round trip of 500 us that flows use after the first `warm` milliseconds."""
    network = {"hosts": 3, "rate": "1 Gbps", "round_trip": "500 us", "buffer": "500 KB"}
    long = [{"source": 1 + flow % 2, "target": 0} for flow in range(flows)]
    work = {"long": long, "duration": f"{ms} ms", "every": "1 ms"}
    document = {"network": network, "workload": work, "policies": {"P": policy}, "readings": {"base": changes}}
    found = Experiment.read(document).setting("base", "P")
    return Fraction(sum(row[0] for row in found.run(1).bytes[warm:])) / (GIGABIT / 1000 * (ms - warm))


def test_two_flows_of_ecn_star_use_more_than_three_quarters_of_a_link() -> None:
    """Windows that are halved at K = 10 packets go from half to all of a round trip at least, if both are halved."""
    used = shares({"name": "best-effort", "mark": 15_000}, 80, 2, 30, control="ecn*")
    assert Fraction(3, 4) < used < Fraction(97, 100)


def test_dctcp_uses_the_whole_link_above_its_threshold_and_less_below() -> None:
    """DCTCP needs K above 0.17 C RTT, 7 packets here."""
    high, low = (shares({"name": "best-effort", "mark": mark}, 80, 2, 40, control="dctcp") for mark in (30_000, 1_500))
    assert high > Fraction(99, 100)
    assert low < Fraction(95, 100)


def test_tcn_marks_as_dctcp_at_the_length_that_its_sojourn_time_drains() -> None:
    """At 1 Gbps 240 us are 30 KB; a packet is marked when it leaves instead of when it comes."""
    sojourn, length = (
        shares({"name": "best-effort", **mark}, 60, 2, 30, control="dctcp")
        for mark in ({"mark_after": "240 us"}, {"mark": 30_000})
    )
    assert sojourn > Fraction(99, 100)
    assert abs(sojourn - length) < Fraction(1, 100)
    low = shares({"name": "best-effort", "mark_after": "10 us"}, 60, 2, 30, control="dctcp")
    assert low < Fraction(95, 100)


@pytest.mark.parametrize(("control", "sack"), [("newreno", "none"), ("newreno", "rfc6675"), ("cubic", "rfc6675")])
def test_a_buffer_of_a_round_trip_keeps_a_link_busy(control: str, sack: str) -> None:
    assert shares({"name": "best-effort"}, 60, 2, 30, control=control, sack=sack, buffer="80 KB") > Fraction(97, 100)


READINGS = st.fixed_dictionaries(
    {
        "control": st.sampled_from(CONTROLS),
        "sack": st.sampled_from(SACKS),
        "connections": st.sampled_from(CONNECTIONS),
        "initial_window": st.integers(1, 12),
        "delayed_ack": st.booleans(),
        "freed": st.sampled_from(("end", "start")),
        "buffer": st.sampled_from((1_500, 6_000, 40_000)),
    }
)
ALL_DOORS: list[dict[str, Any]] = [
    {"name": "dt", "alpha": "1"},
    {"name": "edt", "alpha": "1", "cn1": 3, "cn2": 3_000, "tm1": "1 ms", "tm2": "1 ms"},
    {"name": "lqd"},
    {"name": "best-effort", "mark": 6_000},
    {"name": "pql"},
    {"name": "dynaq", "mark_port": 3_000},
]


@settings(max_examples=12, deadline=None)
@given(READINGS, st.sampled_from(ALL_DOORS), st.integers(1, 5))
def test_every_response_arrives_and_nothing_is_made_or_lost_in_memory(
    reading: dict[str, Any], policy: dict[str, Any], seed: int
) -> None:
    case = setting(policy, **reading, size=9_000, queries=2)
    network = case.network(seed)
    (switch,) = network.switches
    arrived = [0] * 4
    enter, least = switch.arrive, switch.memory.free
    for link in network.uplinks:

        def counted(packet: Packet, now: int) -> None:
            nonlocal least
            arrived[packet.target] += 1
            enter(packet, now)
            least = min(least, switch.memory.free)
            assert switch.memory.free + sum(switch.memory.lengths) == switch.memory.buffer

        link.far = counted
    run = Run(network, case.transport, case.workload)
    outcome = run.finished()
    network.run(10**18)
    assert (len(outcome.queries), outcome.responses) == (2, 6)
    assert all(flow.expected == flow.una == flow.limit and not flow.ahead for flow in run.connections)
    assert least >= 0
    gone = [a - d - p for a, d, p in zip(arrived, switch.dropped, switch.pushed, strict=True)]
    assert min(gone) >= 0
    assert sum(map(len, switch.memory.waiting)) == 0


def test_losspass_pushes_out_large_flows_and_loses_no_small_ones() -> None:
    network = {"hosts": 5, "rate": "1 Gbps", "round_trip": "500 us", "buffer": "40 KB", "freed": "start", "queues": 2}
    long = [{"source": source, "target": 0, "queue": 1, "flows": 2} for source in (1, 4)]
    incast = {"servers": 3, "size": "10 KB", "queries": 20, "start": "20 ms"}
    work = {"long": long, "duration": "60 ms", "incast": incast}
    policies = {"LossPass": {"name": "losspass"}, "DT": {"name": "best-effort"}}
    experiment = Experiment.read({"network": network, "workload": work, "policies": policies})
    cases = [experiment.setting("base", policy, "10 KB") for policy in policies]
    networks = [case.network(1) for case in cases]
    runs = [Run(one, case.transport, case.workload) for one, case in zip(networks, cases, strict=True)]
    passed, kept = (run.finished() for run in runs)
    assert networks[0].switches[0].pushed[1] > 0 == networks[0].switches[0].dropped[0]
    assert networks[1].switches[0].pushed == [0] * 10 < networks[1].switches[0].dropped
    assert len(passed.queries) > 2 * len(kept.queries) > 0 == passed.late


def leaf_spine(**changes: Any) -> dict[str, Any]:
    return {"topology": "leaf-spine", "hosts": 2, "leaves": 3, "spines": 2, "rate": "10 Gbps", "uplink": "40 Gbps",
            "round_trip": "85.2 us", "buffer": "9 MB", "jitter": 0, **changes}  # fmt: skip


def test_a_packet_crosses_a_leaf_spine_in_half_of_its_round_trip() -> None:
    poisson = {"sizes": [[1000, 0], [1000, 1]], "load": "0.1", "flows": 1, "target": 0}
    document = {"network": leaf_spine(), "workload": {"poisson": poisson}, "policies": {"DT": {"name": "dt"}}}
    case = Experiment.read(document).setting("base", "DT")
    for seed in range(1, 6):
        network = case.network(seed)
        times: list[int] = []
        packet = Packet(None, 9, 0, 1500, 5, 0, 0)
        packet.flow = type("Flow", (), {"number": seed})
        for spine in network.switches[3:]:
            for link in spine.links:
                link.far = lambda packet, now, far=link.far, times=times: (times.append(now), far(packet, now))
        network.uplinks[0].send(packet, 0)
        network.run(10**12)
        delay = case.topology.delay(1500)
        hops = 2 * transmission(1500, GIGABIT * 10) + 2 * transmission(1500, GIGABIT * 40)
        assert (network.now, len(times)) == (4 * delay + hops, 1)


def test_flows_of_a_leaf_spine_take_both_spines_and_all_arrive() -> None:
    poisson = {"sizes": [[1000, 0], [200_000, 1]], "load": "0.3", "flows": 12, "classes": ["100 KB"]}
    document = {"network": leaf_spine(), "workload": {"poisson": poisson}, "policies": {"DT": {"name": "dt"}}}
    case = Experiment.read(document).setting("base", "DT")
    outcome = case.run(1)
    assert all(time is not None and time > 0 for _, time in outcome.flows)
    assert len(measured(case, outcome)["flow_mean"]) == 2


def test_policies_meet_the_same_arrivals_and_the_same_jitter() -> None:
    poisson = {"sizes": [[1000, 0], [90000, 1]], "load": "0.5", "flows": 20}
    document = {**EXAMPLE, "workload": {"poisson": poisson}, "policies": {
        "DT": {"name": "dt", "alpha": "1"}, "complete": {"name": "complete"}}}  # fmt: skip
    first, second = (Experiment.read(document).setting("base", name) for name in ("DT", "complete"))
    assert [size for size, _ in first.run(3).flows] == [size for size, _ in second.run(3).flows]
    assert setting(size="10 KB").run(2) == setting({"name": "complete"}, size="10 KB").run(2)
    assert setting(size="10 KB").run(2) != setting(size="10 KB").run(3)


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


SPREAD = {"sizes": "cache", "load": "0.5", "flows": 6}
TREE = {"topology": "leaf-spine", "hosts": 3, "leaves": 2, "spines": 2, "uplink": "1 Gbps", "spine_buffer": "1 MB"}


def spread(network: dict[str, Any] | None = None, **poisson: Any) -> Setting:
    """Flows between hosts of a star or a leaf-spine."""
    document = {"network": EXAMPLE["network"] | (network or {}), "workload": {"poisson": SPREAD | poisson},
                "policies": {"P": {"name": "port-dt", "alpha": "1"}}}  # fmt: skip
    return Experiment.read(document).setting("base", "P")


def test_responses_of_an_arrival_begin_at_once_at_all_other_hosts() -> None:
    case = spread(responses=3, flows=600)
    arrivals = case.workload.poisson.arrivals(case.topology, 1)  # type: ignore[union-attr]  # it has flows
    queries = [arrivals[at : at + 3] for at in range(0, 600, 3)]
    assert all(len({(now, target) for now, _, target, _ in query}) == 1 for query in queries)
    assert all({source for _, source, _, _ in query} | {query[0][2]} == {0, 1, 2, 3} for query in queries)
    mean = float(sum(flow[3] for flow in arrivals)) / arrivals[-1][0] * 10**12
    assert 0.4 < mean / (4 * 125e6) < 0.6


def test_a_load_of_the_uplinks_makes_flows_rarer_by_the_part_of_them_that_leave_a_leaf() -> None:
    alone, shared = (spread(TREE, uplinks=uplinks) for uplinks in (False, True))
    first, second = (case.workload.poisson.arrivals(case.topology, 1)[-1][0] for case in (alone, shared))  # type: ignore[union-attr]  # both have flows
    assert second / first == pytest.approx(1 / (Fraction(2, 3) * Fraction(5, 3)))


def test_each_service_has_its_sizes() -> None:
    case = spread({"queues": 3}, sizes=["web-search", "data-mining"], services=[1, 2], flows=400)
    poisson = case.workload.poisson
    assert poisson is not None
    sizes: dict[int, list[int]] = {1: [], 2: []}
    for number, flow in enumerate(poisson.arrivals(case.topology, 1)):
        sizes[poisson.service(number, 1)].append(flow[3])
    assert len(sizes[1]) > 150 < len(sizes[2])
    assert max(sizes[1]) <= 20_000 * 1460 < max(sizes[2])
    third = [sorted(each)[len(each) // 3] for each in sizes.values()]
    assert third[1] <= 1460 < third[0]


def test_a_spine_has_a_buffer_of_its_own() -> None:
    case = spread(TREE)
    assert [switch.memory.buffer for switch in case.network(1).switches] == [256_000] * 2 + [1_000_000] * 2


def test_dt_for_ports_counts_all_queues_and_evicts_large_packets_for_small_ones() -> None:
    door = read_door({"name": "port-dt", "alpha": "1", "evict": True}, 9_000, 2, 2)
    memory = Memory(9_000, 4, lambda place, _: lost.append(place))
    lost: list[int] = []
    door.open(memory)
    for place in (1, 1, 1, 1):
        if door.arrive(0, place, 1_500) == ENTER:
            memory.waiting[place].append(Packet(None, DATA, 0, 1_500, 0, 0, 0))
    assert memory.lengths == [0, 4_500, 0, 0]
    assert [door.arrive(0, place, 1_500) for place in (1, 0, 2)] == [DROP, ENTER, ENTER]
    assert (memory.lengths, lost) == ([1_500, 3_000, 1_500, 0], [1])
    assert door.arrive(0, 0, 9_000) == DROP


def test_a_packet_is_marked_above_both_thresholds_alone() -> None:
    door = read_door({"name": "best-effort", "mark": 3_000, "mark_port": 6_000, "mark_both": True}, 90_000, 1, 2)
    door.open(Memory(90_000, 2, lambda *_: None))
    assert [door.arrive(0, place, 1_500) for place in (0, 0, 0, 0, 1, 0)] == [ENTER] * 5 + [ENTER_MARKED]


def of_services(**policy: Any) -> Setting:
    """Forty flows of 20 segments from three hosts, whose first five are in a queue above two services."""
    network = {**EXAMPLE["network"], "queues": 3, "scheduler": "drr", "strict": 1, "buffer": "20 KB"}
    poisson = {"sizes": [[29_200, 0], [29_200, 1]], "load": "0.9", "flows": 40, "target": 0, "classes": ["9 KB"],
               "demote": [7_300], "services": [1, 2]}  # fmt: skip
    document = {"network": network, "workload": {"poisson": poisson}, "policies": {"P": policy}}
    return Experiment.read(document).setting("base", "P")


def test_the_first_bytes_of_a_flow_have_a_queue_of_their_own_and_the_rest_that_of_its_service() -> None:
    case = of_services(name="complete")
    poisson = case.workload.poisson
    assert poisson is not None
    services = [poisson.service(flow, 1) for flow in range(40)]
    outcome = Run(case.network(1), case.transport, case.workload).finished()
    again = sum(outcome.resent)
    assert sum(outcome.sent[1]) - again == 40 * 20
    assert 0 <= outcome.sent[1][0] - 40 * 5 <= again
    assert all(0 <= outcome.sent[1][queue] - 15 * services.count(queue) <= again for queue in (1, 2))
    assert min(services.count(1), services.count(2)) > 10


def test_packets_that_are_sent_arrive_or_are_lost_in_the_queue_and_class_that_count_them() -> None:
    case = of_services(name="dynaq", strict=1)
    network = case.network(1)
    outcome = Run(network, case.transport, case.workload).finished()
    assert outcome.sent[0] == outcome.sent[2] == outcome.lost[0] == outcome.lost[2] == [0, 0, 0]
    assert outcome.lost[1] == [sum(outcome.dropped[queue::3]) for queue in range(3)]
    assert min(outcome.lost[1][1:]) > 0
    found = measured(case, outcome)
    assert found["loss"][1] == sum(outcome.lost[1]) / sum(outcome.sent[1])
    assert found["loss_of_queue"] == [lost / sent for lost, sent in zip(outcome.lost[1], outcome.sent[1], strict=True)]
    assert found["all_mean"] == [found["flow_mean"][1]]


def test_a_policy_moves_all_traffic_to_its_queue() -> None:
    case = of_services(name="best-effort", queue=2)
    outcome = Run(case.network(1), case.transport, case.workload).finished()
    assert outcome.sent[1][:2] == [0, 0] < outcome.sent[1][1:]


def test_a_scheduler_serves_a_queue_with_strict_priority_first() -> None:
    network = of_services(name="complete").network(1)
    (switch,), order = network.switches, []

    def note(port: int, now: int, packet: Packet) -> None:
        del port, now
        order.append((packet.queue, packet.seq))

    switch.watch = note
    for seq, queue in enumerate((2, 1, 1, 1, 2, 0, 2, 0)):
        network.at(0, switch.arrive, Packet(None, 9, seq, 1500, 0, queue, 0))
    network.run(10**12)
    assert order == [(2, 0), (0, 5), (0, 7), (1, 1), (2, 4), (1, 2), (2, 6), (1, 3)]


def test_the_quotas_of_other_queues_are_of_no_use_to_a_queue_with_strict_priority() -> None:
    """It takes what is left of the port, and DynaQ's thresholds are shares of the buffer for the others alone."""
    for policy, left in (("pql", 4_500), ("dynaq", 9_000)):
        door = read_door({"name": policy, "strict": 1}, 9_000, 1, 3)
        door.open(Memory(9_000, 3, print))
        assert [door.arrive(0, 1, 1_500) for _ in range(7)].count(1) * 1_500 == left
        room = 9_000 - left
        assert [door.arrive(0, 0, 1_500) for _ in range(7)].count(1) * 1_500 == room
        assert door.arrive(0, 2, 1_500) == 0


def test_mq_ecn_marks_by_the_share_of_a_queue_in_a_round() -> None:
    """Two flows of a queue of weight 1 beside one of weight 3, both full: a round of 6,000 bytes takes 48 us.

    With RTT lambda = 240 us the queues are marked above 7,500 and 22,500 bytes, a quarter and three quarters of 30 KB.
    """
    network = {**EXAMPLE["network"], "queues": 2, "scheduler": "drr", "weights": [1, 3]}
    long = [{"source": 1 + queue, "target": 0, "queue": queue, "flows": 2} for queue in (0, 1)]
    document = {"network": network, "workload": {"long": long, "duration": "40 ms"}, "transport": {"control": "dctcp"},
                "policies": {"MQ-ECN": {"name": "best-effort", "mark_rounds": "240 us"}}}  # fmt: skip
    case = Experiment.read(document).setting("base", "MQ-ECN")
    built = case.network(1)
    (switch,), marks = built.switches, list[tuple[int, int, bool]]()
    enter = switch.memory.waiting[0].__class__.append
    for queue in (0, 1):

        class Spy(deque):  # type: ignore[type-arg]  # a queue of packets that notes lengths
            place = queue

            def append(self, packet: Packet) -> None:
                marks.append((self.place, switch.memory.lengths[self.place], packet.marked))
                enter(self, packet)

        switch.memory.waiting[queue] = Spy()
    Run(built, case.transport, case.workload).finished()
    assert abs(switch.rounds[0].time - 48_000_000) <= 1_000_000
    for queue, threshold in ((0, 7_500), (1, 22_500)):
        late = [(length, marked) for place, length, marked in marks[len(marks) // 2 :] if place == queue]
        assert min(length for length, marked in late if marked) > threshold - 1_500
        assert max(length for length, marked in late if not marked) <= threshold + 1_500


def test_a_port_with_one_busy_queue_marks_at_the_product_of_rate_and_time_and_forgets_an_idle_round() -> None:
    rounds = Rounds((1_500, 1_500), GIGABIT, 240_000_000)
    for packet in range(9):
        rounds.serve(0, 1_500, 12_000_000 * packet, last=False)
    assert (rounds.time, rounds.marks(0, 30_000), rounds.marks(0, 30_001)) == (12_000_000, False, True)
    times = []
    for packet in range(9, 18):
        rounds.serve(packet % 2, 1_500, 12_000_000 * packet, last=False)
        times.append(rounds.time)
    assert times[:3] == [12_000_000, (3 * 12_000_000 + 24_000_000) // 4, (3 * 15_000_000 + 24_000_000) // 4]
    assert 20_000_000 < rounds.time < 24_000_000
    assert (rounds.marks(0, 18_000), rounds.marks(1, 30_000)) == (True, True)
    for queue in (0, 1):
        rounds.serve(queue, 1_500, 10**9, last=True)
    rounds.idle()
    assert not rounds.marks(0, 30_000)
    rounds.serve(1, 1_500, 2 * 10**9, last=True)
    assert rounds.time == 0


def test_lengths_are_sampled_after_each_packet_that_enters_or_leaves() -> None:
    long = [{"source": 1, "target": 0}, {"source": 2, "target": 0, "queue": 1, "flows": 3}]
    document = {**EXAMPLE, "network": {**EXAMPLE["network"], "queues": 2, "scheduler": "wrr"},
                "workload": {"long": long, "duration": "8 ms", "every": "4 ms", "lengths": True}}  # fmt: skip
    case = Experiment.read(document).setting("base", "DT")
    network, seen = case.network(1), list[tuple[int, list[int]]]()
    memory = network.switches[0].memory

    def noting(change: Any) -> Any:
        def changed(place: int, size: int) -> None:
            change(place, size)
            if place < 2:
                seen.append((network.now, memory.lengths[:2]))

        return changed

    memory.enter, memory.leave = noting(memory.enter), noting(memory.leave)  # type: ignore[method-assign]  # a spy
    outcome = Run(network, case.transport, case.workload).finished()
    for row in range(2):
        expected = [lengths for now, lengths in seen if now // (4 * 10**9) == row]
        assert outcome.samples[row] == len(expected) > 100
        assert outcome.held[row] == [sum(column) for column in zip(*expected, strict=True)]
    means = measured(case, outcome)["length"]
    assert means == [held / outcome.samples[row] for row in range(2) for held in outcome.held[row]]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"network": {"queues": 2, "strict": 2}}, "network.strict"),
        ({"network": {"queues": 3, "strict": 1, "weights": [1, 1, 1]}}, "network.weights"),
        ({"network": {"queues": 2}, "policies": {"P": {"name": "pql", "strict": 2}}}, "policies.P.strict"),
        ({"policies": {"P": {"name": "best-effort", "queue": 1}}}, "workload.incast.queue"),
        ({"policies": {"P": {"name": "best-effort", "strict": 1}}}, "policies.P.strict"),
        ({"policies": {"P": {"name": "best-effort", "mark_rounds": "240 us"}}}, "network.scheduler"),
        ({"transport": {"handshake_sample": 1}}, "transport.handshake_sample"),
        (
            {"workload": {"poisson": {"sizes": "cache", "load": "0.5", "flows": 1, "services": [1]}}},
            "workload.poisson.services",
        ),
        ({"workload": {"poisson": {"sizes": "cache", "load": [], "flows": 1}}}, "workload.poisson.load"),
        ({"workload": {"poisson": {"sizes": "cache", "load": ["0.5", "1"], "flows": 1}}}, "workload.poisson.load"),
        (
            {"workload": {**EXAMPLE["workload"], "poisson": {"sizes": "cache", "load": ["0.5"], "flows": 1}}},
            "workload.poisson.load",
        ),
        ({"workload": {"long": [{"source": 1, "target": 0}], "duration": 1, "lengths": 1}}, "workload.lengths"),
        ({"network": {"round_trip": "10 us"}}, "network.round_trip"),
        ({"network": {"topology": "ring"}}, "network.topology"),
        ({"network": {"topology": "leaf-spine"}}, "network.leaves"),
        ({"network": {"hosts": 1}}, "network.hosts"),
        ({"network": {"buffer": "1 KB"}}, "network.buffer"),
        ({"network": {"queues": 2, "weights": [1]}}, "network.weights"),
        ({"network": {"freed": "never"}}, "network.freed"),
        ({"network": {"jitter": "-1 us"}}, "network.jitter"),
        ({"transport": {"initial_window": 0}}, "transport.initial_window"),
        ({"transport": {"control": "bbr"}}, "transport.control"),
        ({"transport": {"delayed_ack": "yes"}}, "transport.delayed_ack"),
        ({"workload": {}}, "workload"),
        ({"workload": {"poisson": {"sizes": [], "load": "0.5", "flows": 1}}}, "workload.poisson.sizes"),
        ({"workload": {"poisson": {"sizes": [[0, 0], [0, 1]], "load": "0.5", "flows": 1}}}, "workload.poisson.sizes"),
        ({"workload": {"poisson": {"sizes": "cache", "load": "1", "flows": 1}}}, "workload.poisson.load"),
        ({"workload": {"incast": {"servers": 4, "size": 1, "queries": 1}}}, "workload.incast.servers"),
        ({"workload": {"incast": {"servers": 3, "size": [], "queries": 1}}}, "workload.incast.size"),
        ({"workload": {"long": [{"source": 0, "target": 0}], "duration": "1 s"}}, "workload.long[0].target"),
        ({"workload": {"long": [{"source": 0, "target": 1}]}}, "workload.duration"),
        ({"policies": {"P": {"name": "dynaq", "weights": [1, 2]}}}, "policies.P.weights"),
        ({"policies": {"P": {"name": "losspass"}}}, "network.freed"),
        ({"policies": {"P": {"name": "dt", "alpha": 1, "mark_poort": 3}}}, "policies.P.mark_poort"),
        ({"policies": {"P": {"name": "pql", "wieghts": [1]}}}, "policies.P.wieghts"),
        ({"policies": {"P": {"name": "best-effort", "weights": [1]}}}, "policies.P.weights"),
        ({"policies": {"P": {"name": "edt", "cn1": 3, "alpha": 1, "cn2": 1, "tm1": 1}}}, "policies.P.tm2"),
        ({"policies": {}}, "policies"),
        ({"readings": {"odd": {"hosts": 3}}}, "readings.odd"),
        ({"readings": {"odd": {"policies": {"Q": {"alpha": 2}}}}}, "readings.odd.policies"),
        ({"readings": {"odd": {"network": 3}}}, "readings.odd.network"),
        ({"policies": {"P": {"name": "port-dt", "alpha": "1", "evict": True}}}, "policies.P.evict"),
        ({"policies": {"P": {"name": "port-dt", "alpha": "0"}}}, "policies.P.alpha"),
        ({"policies": {"P": {"name": "port-dt"}}}, "policies.P.alpha"),
        ({"policies": {"P": {"name": "complete", "mark": 3000, "mark_both": True}}}, "policies.P.mark_both"),
        ({"workload": {"poisson": {**SPREAD, "sizes": ["cache", "hadoop"]}}}, "workload.poisson.sizes"),
        ({"workload": {"poisson": {**SPREAD, "responses": 4}}}, "workload.poisson.responses"),
        ({"workload": {"poisson": {**SPREAD, "responses": 3, "flows": 7}}}, "workload.poisson.responses"),
        ({"workload": {"poisson": {**SPREAD, "uplinks": "yes"}}}, "workload.poisson.uplinks"),
        ({"workload": {"poisson": {**SPREAD, "uplinks": True}}}, "workload.poisson.uplinks"),
        ({"network": {"spine_buffer": 0}}, "network.spine_buffer"),
        ({"seeds": 0}, "seeds"),
    ],
)
def test_a_bad_experiment_is_refused_by_name_before_it_starts(change: dict[str, Any], field: str) -> None:
    document = {name: dict(value) if isinstance(value, dict) else value for name, value in EXAMPLE.items()}
    for name, value in change.items():
        merges = name in ("network", "transport")
        document[name] = {**document.get(name, {}), **value} if merges else value
    with pytest.raises(InputError) as refused:
        Experiment.read(document)
    assert refused.value.field.startswith(field)


@pytest.mark.parametrize(
    "work",
    [
        {"poisson": {"sizes": "cache", "load": "0.5", "flows": 10**9}},
        {"incast": {"servers": 3, "size": 1, "queries": 10**9}},
        {"long": [{"source": 0, "target": 1, "flows": 10**9}], "duration": "1 s"},
    ],
)
def test_more_flows_than_memory_are_refused(work: dict[str, Any]) -> None:
    with pytest.raises(BudgetError):
        Experiment.read({**EXAMPLE, "workload": work})


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
