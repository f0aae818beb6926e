"""Isolation: what a queue is left with, by shortest traces and lassos; each reading of "strictly ensures" by itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dtmodel.explore import Lasso, always, explore, reachable_graph, shortest_lasso
from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.packet.dynaq import DynaQ, Port, algorithm1, rule
from dtmodel.packet.dynaq_systems import AnyOrder, AnyTies, Label, PortState, Scheduled, ServedState
from dtmodel.packet.schedulers import WeightedRoundRobin

from .common import changed, refuted_by, request, steps_of, worst_deficit_run


@evidence("dynaq.sec3.2.3.strictly@equality", form="printed", strength="exact")
def a_queue_can_hold_more_than_its_satisfaction_threshold() -> Outcome:
    """Two packets of a queue that is alone: q_1 = 2 > S_1 = 1."""
    return refuted_by(DynaQ(2, (1, 1)), [("arrive", 0, 1)] * 2, "q_1 becomes 2 although S_1 = 1", decision="drop")


def _refused_below_share(rules: DynaQ, size: int, queue: int) -> Callable[[PortState], bool]:
    """Return whether line 3 refuses an unsatisfied queue a packet that fits into S and into the port."""

    def look(state: PortState) -> bool:
        q, S = state.lengths, rules.satisfaction[queue]
        ruling = algorithm1(rules, state.thresholds, q, queue, size)
        room = sum(q) + size <= rules.buffer and q[queue] + size <= S
        return room and state.thresholds[queue] < S and ruling.decision == "drop"

    return look


@evidence("dynaq.sec3.2.3.strictly@mixed-sizes", "dynaq.sec3.2.3.so-eq6", form="printed", strength="exact")
def packets_of_two_sizes_leave_an_active_queue_unsatisfied() -> Outcome:
    """Find the shortest run, packets of 1 and 2 bytes, to a queue that line 3 refuses below S with room to spare."""
    rules = DynaQ(4, (1, 1))
    found = explore(AnyOrder(rules, (1, 2)), _refused_below_share(rules, 2, 0)).found
    check(found is not None and len(found) == 3, "no such run")
    labels = (*found.labels, ("arrive", 0, 2)) if found else ()
    says = "queue 1 has T_1 = 1 < S_1 = 2; queue 2 has 1 byte of extra, the packet has 2"
    return refuted_by(rules, labels, says, decision="enqueue")


@evidence(
    "dynaq.sec3.2.3.strictly@occupancy", "dynaq.sec1.not-take@room", "dynaq.sec3.2.1.prevents-taking@room",
    form="printed", strength="exact",
)  # fmt: skip
def a_queue_that_wakes_up_finds_the_port_full() -> Outcome:
    """Queue 1 alone fills the port; the first packet of queue 2 gets threshold, and no room."""
    labels = [("arrive", 0, 1), ("arrive", 0, 1), ("arrive", 1, 1)]
    return refuted_by(
        DynaQ(2, (1, 1)), labels, "T_2 becomes S_2 = 1, but the port holds 2 of 2 bytes", decision="enqueue"
    )


@evidence("dynaq.sec3.2.3.strictly@occupancy-active", form="printed", strength="exact")
def even_an_always_active_queue_meets_a_full_port() -> Outcome:
    """Find the shortest run of three queues, the first always active, to a drop of its packet within S_1."""
    for admit in ("recheck", "port"):
        rules = DynaQ(6, (1, 1, 1), admit=admit)

        def dropped(state: PortState, rules: DynaQ = rules) -> bool:
            within = state.lengths[0] + 1 <= rules.satisfaction[0]
            return within and rule(rules, state.thresholds, state.lengths, 0, 1).decision == "drop"

        result = explore(AnyOrder(rules, (1,), busy=(0,)), dropped)
        check(result.found is not None, f"no such run with {admit}")
    labels = [("arrive", 0, 1), *(result.found.labels if result.found else ()), ("arrive", 0, 1)]
    says = "T_1 = S_1 = 2 and q_1 = 1, but queue 3 holds 3 > T_3 = 2 bytes and the port is full"
    return refuted_by(DynaQ(6, (1, 1, 1)), labels, says, decision="enqueue")


def starving(rules: DynaQ, sizes: tuple[int, ...], period: int) -> Lasso[ServedState, Label]:
    """Find the shortest lasso under WRR in which queue 1 offers a packet in each `period` services and gets nothing."""
    system = Scheduled(rules, sizes, WeightedRoundRobin((1,) * len(rules.weights)), watched=0, period=period)

    def allowed(state: ServedState, label: Label, after: ServedState) -> bool:
        return system.offers(state, label, after) and label != ("depart", 0)

    def weight(state: ServedState, label: Label, after: ServedState) -> int:
        del state, after
        return -1 if label[0] == "depart" else 0

    lasso = shortest_lasso(reachable_graph(system, bound=100_000), allowed, weight)
    check(lasso is not None, f"queue 1 cannot be starved: {rules}")
    assert lasso is not None
    return lasso


def starved_witness(rules: DynaQ, lasso: Lasso[ServedState, Label], says: str) -> Counterexample:
    """Run two rounds of the lasso: every packet of queue 1 in the cycle is dropped; the claim enqueues the first."""
    asked = request(rules, lasso.labels(2))
    steps, stem = steps_of(asked), len(request(rules, lasso.stem.labels)["events"])
    offered = [i for i, event in enumerate(asked["events"]) if i >= stem and event[0] == "arrive" and event[2] == 1]
    check(len(offered) >= 2 and all(steps[i]["decision"] == "drop" for i in offered), "queue 1 gets something")
    check(steps[-1]["queues"] == steps[stem - 1]["queues"], "the cycle does not close")
    claimed = {"steps": changed(steps, offered[0], decision="enqueue")}
    return Counterexample(Witness("trace", asked, {"steps": changed(steps, offered[0])}, claimed, says), says)


@evidence(
    "dynaq.sec3.2.3.fair-sharing", "dynaq.abstract.only-solution", "dynaq.sec7.ensures",
    "dynaq.sec3.2.1.first", form="printed", strength="exact",
)  # fmt: skip
def a_queue_that_offers_its_share_can_be_starved_for_ever() -> Outcome:
    """Find the shortest lasso with one packet size, equal weights and WRR: the other queue always finds room first."""
    rules = DynaQ(2, (1, 1))
    for period in (1, 2):
        lasso = starving(rules, (1,), period)
        check(len(lasso.stem) == 3 and len(lasso.cycle) == 3, f"{lasso.labels()}")
    says = "after every departure queue 2 refills the port, and the packet of queue 1, which wakes up, finds no room"
    return starved_witness(rules, lasso, says)


@evidence("dynaq.ours.starved", form="printed", strength="exact")
def starvation_under_both_admission_checks() -> Outcome:
    """The same lasso exists with the recheck, with a larger buffer, and with three queues."""
    cases = 0
    for admit in ("port", "recheck"):
        for rules in (DynaQ(2, (1, 1), admit=admit), DynaQ(4, (1, 1), admit=admit), DynaQ(3, (1, 1, 1), admit=admit)):
            starved_witness(rules, starving(rules, (1,), len(rules.weights)), "")
            cases += 1
    return Proved(f"a lasso in each of {cases} ports, one packet size, WRR", {"ports": str(cases)})


@evidence("dynaq.ours.starved-by-thresholds", form="printed", strength="exact")
def starvation_by_line_3_alone() -> Outcome:
    """With packets of 2 and 3 bytes queue 1 is starved by line 3 in every round, although the port has room."""
    rules = DynaQ(6, (1, 1))
    lasso = starving(rules, (2, 3), 2)
    steps = steps_of(request(rules, lasso.labels(2)))
    drops = [step["reason"] for step in steps if step["decision"] == "drop"]
    check(len(drops) >= 2 and all(reason.startswith("line 3") for reason in drops), f"{drops}")
    return Proved("in every round line 3 drops the packet of 3 bytes: T_1 = 1", {"B": "6", "sizes": ["2", "3"]})


@evidence("dynaq.ours.backlogged", form="printed", strength="exact")
def a_queue_that_is_never_empty_gets_its_share_from_the_scheduler() -> Outcome:
    """Find no lasso: with WRR a queue that holds a packet at every service gets its share, whatever the buffer does."""
    states = 0
    for rules in (DynaQ(2, (1, 1)), DynaQ(3, (1, 1)), DynaQ(2, (1, 1), admit="recheck")):
        system = Scheduled(rules, (1,), WeightedRoundRobin((1, 1)), watched=0, period=2)
        graph = reachable_graph(system)

        def busy(state: ServedState, label: Label, after: ServedState) -> bool:
            del after
            return label[0] == "arrive" or bool(state.port.contents[0])

        def less(state: ServedState, label: Label, after: ServedState) -> int:
            del state, after
            return 0 if label[0] == "arrive" else (2 if label[1] == 0 else 0) - 1

        check(shortest_lasso(graph, busy, less, longest=len(graph.steps)) is None, f"{rules}")
        states += len(graph.steps)
    return Agrees(states, "all cycles of two equal queues with 2 or 3 bytes, one packet size")


@evidence("dynaq.ours.deficit-attained", form="printed", strength="exact")
def the_worst_deficit_is_attained() -> Outcome:
    """Drive ports to S_p - T_p = (M - 1)(L - g), a packet of L bytes refused: small ports and the paper's settings."""
    for rules, L in (
        (DynaQ(9, (1, 1, 1)), 2), (DynaQ(24, (1, 1, 1)), 3), (DynaQ(85_000, (1,) * 4), 1500),
        (DynaQ(85_000, (1,) * 5), 1500), (DynaQ(192_000, (1,) * 8), 1500), (DynaQ(10**6, (1,) * 8), 9000),
    ):  # fmt: skip
        port, labels = worst_deficit_run(rules, L, 1)
        check(steps_of(request(rules, labels))[-1]["decision"] == "drop", "the packet passed")
        check(port.lengths[0] > 0, "the queue is not active")
    return Proved(
        "T_p = S_p - (M - 1)(L - 1), and a packet of L bytes is refused", {"M": "5", "L": "1500", "T_p": "11004"}
    )


@evidence("dynaq.ours.deficit-attained", form="printed", strength="exact")
def no_reachable_state_of_small_ports_exceeds_the_bound() -> Outcome:
    """Explore ports with packets of two sizes: no refused active queue has a deficit above (M - 1)(L - g)."""
    states = 0
    for rules, sizes, bound in (
        (DynaQ(8, (1, 1)), (2, 3), 2),
        (DynaQ(8, (1, 1)), (1, 2), 1),
        (DynaQ(6, (1,) * 3), (1, 2), 2),
    ):
        L = max(sizes)

        def fine(state: PortState, rules: DynaQ = rules, L: int = L, bound: int = bound) -> bool:
            S, T, q = rules.satisfaction, state.thresholds, state.lengths
            return all(
                S[p] - T[p] <= bound or not q[p] or algorithm1(rules, T, q, p, L).decision == "enqueue"
                for p in range(len(S))
            )

        result = always(AnyOrder(rules, sizes), fine)
        check(result.complete, f"{result.found}")
        states += result.states
    return Agrees(states, "every reachable state of three ports")


@evidence("dynaq.ours.any-tie", form="printed", strength="exact")
def every_tie_break_keeps_the_invariants() -> Outcome:
    """Explore symmetric ports of two, three and four queues with one packet size, ties broken in every way."""
    states = 0
    for rules in (DynaQ(6, (1, 1)), DynaQ(6, (1, 1, 1)), DynaQ(4, (1, 1, 1, 1)), DynaQ(8, (2, 1, 1), admit="recheck")):

        def sound(state: PortState, rules: DynaQ = rules) -> bool:
            T, q, S = state.thresholds, state.lengths, rules.satisfaction
            balanced = sum(T) == rules.buffer and min(T) >= 0 and sum(q) <= rules.buffer
            return balanced and all(
                T[p] >= S[p] or not algorithm1(rules, T, q, p, 1).reason.startswith("line 3") for p in range(len(T))
            )

        result = always(AnyTies(rules, (1,)), sound)
        check(result.complete, f"{result.found}")
        states += result.states
    return Agrees(states, "every reachable state of four ports, up to the order of alike queues")


@evidence("dynaq.ours.port-bound", form="printed", strength="exact")
def the_port_never_holds_more_than_its_buffer() -> Outcome:
    """Explore small ports under both admission checks; each enqueues only if sum q + size <= B."""
    states = 0
    for admit in ("port", "recheck"):
        for rules in (DynaQ(6, (1, 1), admit=admit), DynaQ(4, (1, 1, 1), admit=admit), DynaQ(6, (2, 1), admit=admit)):
            result = always(AnyOrder(rules, (1, 2)), partial(_fits, rules))
            check(result.complete, f"{result.found}")
            states += result.states
    return Agrees(states, "every reachable state of six ports with packets of 1 and 2 bytes")


def _fits(rules: DynaQ, state: PortState) -> bool:
    return sum(state.lengths) <= rules.buffer


@evidence("dynaq.ours.thresholds-unbounded", form="printed", strength="exact")
def thresholds_alone_do_not_bound_the_occupancy() -> Outcome:
    """With no check of the port's room, a cycle of four events adds a byte to queue 1 and restores everything else."""
    port = Port(DynaQ(2, (1, 1), admit="thresholds"))
    for _ in range(2):
        port.arrive(0, 1)
    before = []
    for _ in range(5):
        before.append((port.thresholds, tuple(port.lengths)))
        port.arrive(1, 1)
        port.depart(1)
        port.arrive(0, 1)
    check(len({T for T, _ in before}) == 1, f"{before}")
    check([q for _, q in before] == [(2 + n, 0) for n in range(5)], f"{before}")
    return Proved(
        "each round: queue 2 comes and goes, queue 1 takes its threshold back and grows", {"B": "2", "q": "6"}
    )
