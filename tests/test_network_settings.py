"""Settings of experiments: workloads, doors and marks, and bad ones that are refused by name."""

from collections import deque
from fractions import Fraction
from typing import Any

import pytest
from network_cases import GIGABIT, TREE

from dtmodel.base.errors import BudgetError, InputError
from dtmodel.network.doors import DROP, ENTER, ENTER_MARKED, Memory, read_door
from dtmodel.network.experiment import EXAMPLE, Experiment, Setting, measured
from dtmodel.network.rounds import Rounds
from dtmodel.network.transport import DATA, Packet
from dtmodel.network.workload import Run

SPREAD = {"sizes": "cache", "load": "0.5", "flows": 6}


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


def test_a_port_forgets_its_round_when_its_queues_are_empty() -> None:
    network = {**EXAMPLE["network"], "queues": 2, "scheduler": "wrr"}
    long = [{"source": 1 + queue, "target": 0, "queue": queue, "stop": "4 ms"} for queue in (0, 1)]
    document = {"network": network, "workload": {"long": long, "duration": "40 ms"},
                "policies": {"MQ-ECN": {"name": "best-effort", "mark_rounds": "240 us"}}}  # fmt: skip
    case = Experiment.read(document).setting("base", "MQ-ECN")
    built, times = case.network(1), []
    (switch,) = built.switches
    switch.sample = lambda port, _: times.append(switch.rounds[port].time)
    Run(built, case.transport, case.workload).finished()
    assert max(times) > 0 == switch.rounds[0].time


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
    rounds.time = 0
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
        ({"network": {"hosts": 200_001}}, "network.hosts"),
        ({"network": {**TREE, "spines": 200_001}}, "network.hosts"),
        ({"network": {"jitter": "60.1 s"}}, "network.jitter"),
        ({"policies": {"P": {"name": {}}}}, "policy.name"),
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
