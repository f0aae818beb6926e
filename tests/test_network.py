"""The network of senders that react, held against the packet engine, sums over slow start, and known utilisations."""

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from network_cases import GIGABIT, leaf_spine, setting, shares

from dtmodel.network.control import CONTROLS
from dtmodel.network.doors import AdmissionDoor
from dtmodel.network.experiment import EXAMPLE, Experiment, measured
from dtmodel.network.fabric import Network, Topology
from dtmodel.network.integers import SECOND, cube_root, draw, transmission
from dtmodel.network.transport import CONNECTIONS, SACKS, Packet
from dtmodel.network.workload import Run
from dtmodel.packet.arrivals import listed
from dtmodel.packet.engine import run_packets
from dtmodel.policies import DT, EDT, LQD, CompleteSharing, Harmonic, Occamy, StaticPartition

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
