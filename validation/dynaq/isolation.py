"""Section 3.2.3: equations (5) and (6), strict isolation and fair sharing; runs and published numbers."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product

from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence, refuted_by_values
from dtmodel.modelcheck import Lasso, explore, reachable_graph, shortest_lasso
from dtmodel.packet.dynaq.algorithm import VICTIMS, DynaQ, DynaQPort, algorithm1, rule
from dtmodel.packet.dynaq.schemes import BestEffort
from dtmodel.packet.dynaq.states import AnyOrder, Label, PortState, Scheduled, ServedState
from dtmodel.packet.schedulers import WeightedRoundRobin

from ..support.dynaq.ports import serve
from .runs import changed, fill, refuted_by, request, states_in_which, steps_of, worst_deficit_run


def _holds_more(most: int, state: PortState) -> bool:
    return sum(state.lengths) > most


def _refused_below_share(rules: DynaQ, size: int, queue: int) -> Callable[[PortState], bool]:
    """Return whether line 3 refuses an unsatisfied queue a packet that fits into S and into the port."""

    def look(state: PortState) -> bool:
        q, S = state.lengths, rules.satisfaction[queue]
        ruling = algorithm1(rules, state.thresholds, q, queue, size)
        room = sum(q) + size <= rules.buffer and q[queue] + size <= S
        return room and state.thresholds[queue] < S and ruling.decision == "drop"

    return look


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


@evidence("dynaq.sec3.2.3.wrr-bytes", form="printed", strength="exact")
def wrr_counts_packets_and_not_bytes() -> Outcome:
    """Two backlogged queues of weight 1, packets of 1 and 2 bytes: shares of 1/3 and 2/3."""
    arrivals = [(0, i, size) for _ in range(30) for i, size in ((0, 1), (1, 2))]
    tally = serve(BestEffort(1000), WeightedRoundRobin((1, 1)), arrivals, rate=1, until=30, queues=2)
    check(tally.shares() == (Fraction(1, 3), Fraction(2, 3)), f"{tally}")
    says = "10 and 20 bytes in the same time, with equal weights"
    return refuted_by_values({"sent1": tally.sent[0], "sent2": tally.sent[1]}, "sent1 == sent2", says)


@evidence("dynaq.sec3.2.3.wrr-bytes", form="assumed", strength="exact")
def wrr_gives_the_weights_for_one_packet_size() -> Outcome:
    """Backlogged queues with one packet size send in proportion to the weights in every whole number of rounds."""
    cases = 0
    for weights in ((1, 1), (2, 1), (4, 3, 2, 1)):
        for rounds in (1, 2, 5):
            arrivals = [(0, i, 1) for i in range(len(weights)) for _ in range(60)]
            until = rounds * sum(weights)
            scheduler = WeightedRoundRobin(weights)
            tally = serve(BestEffort(1000), scheduler, arrivals, rate=1, until=until, queues=len(weights))
            check(tally.sent == tuple(rounds * w for w in weights), f"{tally}")
            cases += 1
    return Agrees(cases, "three sets of weights, 1, 2 and 5 rounds")


@evidence("dynaq.sec3.2.3.strictly@equality", form="printed", strength="exact")
def a_queue_can_hold_more_than_its_satisfaction_threshold() -> Outcome:
    """Two packets of a queue that is alone: q_1 = 2 > S_1 = 1."""
    return refuted_by(DynaQ(2, (1, 1)), [("arrive", 0, 1)] * 2, "q_1 becomes 2 although S_1 = 1", decision="drop")


@evidence("dynaq.sec3.2.3.strictly@mixed-sizes", "dynaq.sec3.2.3.so-eq6", form="printed", strength="exact")
def packets_of_two_sizes_leave_an_active_queue_unsatisfied() -> Outcome:
    """Find the shortest run, packets of 1 and 2 bytes, to a queue that line 3 refuses below S with room to spare."""
    rules = DynaQ(4, (1, 1))
    found = explore(AnyOrder(rules, (1, 2)), _refused_below_share(rules, 2, 0)).found
    check(found is not None and len(found) == 3, "no such run")
    labels = (*found.labels, ("arrive", 0, 2)) if found else ()
    says = "queue 1 has T_1 = 1 < S_1 = 2; queue 2 has 1 byte of extra, the packet has 2"
    return refuted_by(rules, labels, says, decision="enqueue")


@evidence("dynaq.sec3.2.3.strictly@occupancy", form="printed", strength="exact")
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


@evidence(
    "dynaq.sec3.2.3.fair-sharing", "dynaq.abstract.only-solution@any-arrivals", "dynaq.sec7.ensures@any-arrivals",
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


@evidence("dynaq.sec3.1.fair-any-time", form="printed", strength="exact")
def after_one_packet_one_queue_is_ahead() -> Outcome:
    """Two backlogged queues of equal weight after one service."""
    arrivals = [(0, i, 1) for i in (0, 1, 0, 1)]
    tally = serve(BestEffort(9), WeightedRoundRobin((1, 1)), arrivals, rate=1, until=1, queues=2)
    return refuted_by_values(
        {"sent1": tally.sent[0], "sent2": tally.sent[1]}, "sent1 == sent2", "one packet was sent, by one queue"
    )


@evidence("dynaq.sec3.1.fair-any-time", form="assumed", strength="exact")
def after_whole_rounds_the_shares_are_the_weights() -> Outcome:
    """Backlogged queues with weights 1:1 and 4:3:2:1 after 1 to 5 rounds."""
    cases = 0
    for weights in ((1, 1), (4, 3, 2, 1)):
        for rounds in range(1, 6):
            arrivals = [(0, i, 1) for i in range(len(weights)) for _ in range(30)]
            scheduler, until = WeightedRoundRobin(weights), rounds * sum(weights)
            tally = serve(BestEffort(999), scheduler, arrivals, rate=1, until=until, queues=len(weights))
            check(tally.sent == tuple(rounds * w for w in weights), f"{tally}")
            cases += 1
    return Agrees(cases, "two sets of weights, 1 to 5 rounds; the scheduler's state is the same after each round")


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
    """Explore ports with packets of two sizes: no queue that is refused L bytes lacks more than (M - 1)(L - 1)."""
    states = 0
    for rules, sizes in (
        (DynaQ(8, (1, 1)), (2, 3)),
        (DynaQ(8, (1, 3)), (1, 3)),
        (DynaQ(6, (1,) * 3), (1, 2)),
        (DynaQ(6, (2, 1, 3), "high", "recheck"), (1, 2)),
    ):

        def fine(state: PortState, rules: DynaQ = rules, sizes: tuple[int, int] = sizes) -> bool:
            S, T, q = rules.satisfaction, state.thresholds, state.lengths
            return all(
                S[p] - T[p] <= (len(S) - 1) * (L - 1) or algorithm1(rules, T, q, p, L).decision == "enqueue"
                for p in range(len(S))
                for L in sizes
            )

        states += states_in_which(AnyOrder(rules, sizes), fine)
    return Agrees(states, "every reachable state of four ports, packets of two sizes without a common divisor")


@evidence("dynaq.ours.starved", form="printed", strength="exact")
def starvation_under_both_admission_checks() -> Outcome:
    """The lasso that starves a queue exists with the recheck, a larger buffer, and three queues."""
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
    drops = [step for step in steps if step["decision"] == "drop"]
    check(len(drops) >= 2 and all(step["reason"].startswith("line 3") for step in drops), f"{drops}")
    check(all(sum(map(int, step["queues"])) + 3 <= rules.buffer for step in drops), f"no room: {drops}")
    return Proved("in every round line 3 drops the packet of 3 bytes: T_1 = 1", {"B": "6", "sizes": ["2", "3"]})


@evidence("dynaq.ours.half-forever", form="printed", strength="exact")
def two_queues_can_be_held_to_half_of_the_buffer_for_ever() -> Outcome:
    """Explore a port of 8 bytes, queues 1 and 2 of four always active, ties to the low index: 4 bytes at most."""
    states = 0
    for admit in ("port", "recheck"):
        system = AnyOrder(DynaQ(8, (1, 1, 1, 1), admit=admit), (1,), busy=(0, 1), silent=(2, 3))
        result = explore(system, partial(_holds_more, 4))
        check(result.complete, f"{result.found}")
        states += result.states
    return Agrees(states, "every reachable state under both admission checks")


@evidence("dynaq.ours.leapfrog", form="printed", strength="exact")
def one_lent_packet_lets_two_queues_fill_the_port() -> Outcome:
    """Ties to the high index: two queues hold 42 KB each at thresholds near 21 KB."""
    port, _ = fill(DynaQ(85_000, (1,) * 4, tie_break="high"), (0, 1), 1500)
    check(port.lengths == [42_000, 42_000, 0, 0] and max(port.thresholds) < 23_000, f"{port.lengths}")
    careful, _ = fill(DynaQ(85_000, (1,) * 4, tie_break="high", admit="recheck"), (0, 1), 1500)
    check(sum(careful.lengths) == 45_000, f"{careful.lengths}")
    return Proved(
        "a packet of threshold goes to and fro, and each move admits a packet; with the recheck 45 KB are held",
        {"q": ["42000", "42000", "0", "0"], "T": [str(T) for T in port.thresholds]},
    )


REPAIRED = [
    (DynaQ(8, weights, victims="eligible", tie_break=tie_break), sizes)
    for weights, sizes in (((1, 1), (1,)), ((1, 1, 1), (2,)), ((2, 1, 1), (2,)), ((1, 2), (2,)))
    for tie_break in ("low", "high")
]
"""Ports with the repaired line 2, and the packets that arrive at them."""


def _refused(rules: DynaQ, state: PortState, size: int) -> list[int]:
    """Return the queues to which Algorithm 1 refuses a packet."""
    T, q = state.thresholds, state.lengths
    return [p for p in range(len(T)) if algorithm1(rules, T, q, p, size).decision == "drop"]


@evidence("dynaq.ours.repair", form="printed", strength="exact")
def the_repaired_line_2_leaves_only_remainders() -> Outcome:
    """Explore repaired ports: a packet that the algorithm refuses leaves every idle queue with less than its size."""
    states = 0
    for rules, (size,) in REPAIRED:

        def fine(state: PortState, rules: DynaQ = rules, size: int = size) -> bool:
            T, q = state.thresholds, state.lengths
            used = [sum(T[i] for i in range(len(T)) if i == p or q[i]) for p in _refused(rules, state, size)]
            idle = [T[i] for p in _refused(rules, state, size) for i in range(len(T)) if i != p and q[i] == 0]
            return all(x < size for x in idle) and all(x > rules.buffer - (len(T) - 1) * size for x in used)

        states += states_in_which(AnyOrder(rules, (size,)), fine)
    return Agrees(states, "every reachable state of eight repaired ports")


@evidence("dynaq.ours.repair-occupancy", form="printed", strength="exact")
def a_repaired_port_that_refuses_every_queue_is_nearly_full() -> Outcome:
    """Explore repaired ports: if all queues that hold packets are refused, more than B - M L bytes are held."""
    asked = 0
    for rules, (size,) in REPAIRED:
        for state in reachable_graph(AnyOrder(rules, (size,)), bound=100_000).steps:
            holding = {i for i, length in enumerate(state.lengths) if length}
            if holding and holding <= set(_refused(rules, state, size)):
                check(sum(state.lengths) > rules.buffer - len(rules.weights) * size, f"{state}")
                asked += 1
    check(asked > 0, "no port refuses every queue")
    return Agrees(asked, "every reachable state of eight repaired ports in which each queue with packets is refused")


@evidence("dynaq.ours.repair-unused", form="printed", strength="exact")
def a_queue_that_does_not_ask_keeps_its_threshold_unused() -> Outcome:
    """Fill queue 1 beside a queue with one byte: it is refused at floor(B/2), and ceil(B/2) - 1 are free."""
    for B in (4, 7, 8, 100):
        for victims in ("printed", "eligible"):
            port = DynaQPort(DynaQ(B, (1, 1), victims=victims))
            port.arrive(1, 1)
            decisions = [port.arrive(0, 1).decision for _ in range(B)]
            check(decisions == ["enqueue"] * (B // 2) + ["drop"] * (B - B // 2), f"{decisions}")
            check(B - sum(port.lengths) == (B + 1) // 2 - 1, f"{port.lengths}")
    return Proved("4 and 1 of 8 bytes are held, queue 1 is refused", {"B": "8", "q_1": "4", "q_2": "1", "free": "3"})


@evidence("dynaq.ours.repair-starved", form="printed", strength="exact")
def the_repaired_ports_can_starve_a_queue() -> Outcome:
    """Find the lassos of the printed line 2 in repaired ports of two and three queues, one by line 3 alone."""
    cases = 0
    for admit in ("port", "recheck"):
        for queues, sizes, B in ((2, (1,), 2), (3, (1,), 3), (2, (2, 3), 6)):
            rules = DynaQ(B, (1,) * queues, victims="eligible", admit=admit)
            starved_witness(rules, starving(rules, sizes, queues), "")
            cases += 1
    return Proved(f"a lasso in each of {cases} repaired ports, WRR", {"ports": str(cases)})


@evidence("dynaq.ours.repair-starved", form="printed", strength="exact")
def with_two_queues_the_repair_decides_as_the_print() -> Outcome:
    """One candidate: line 2 finds it if it may give, and line 3 drops if it may not. All small states."""
    cases = 0
    for weights, size in product(((1, 1), (1, 3)), (1, 2, 3)):
        printed, repaired = (DynaQ(8, weights, victims=victims) for victims in ("printed", "eligible"))
        for T_1, q_1, q_2, p in product(range(9), range(9), range(9), (0, 1)):
            T, q = (T_1, 8 - T_1), (q_1, q_2)
            same = [(r.decision, r.thresholds) for r in (algorithm1(x, T, q, p, size) for x in (printed, repaired))]
            check(same[0] == same[1], f"{T} {q} {p} {size}")
            cases += 1
    return Agrees(cases, "two queues, 8 bytes, all whole thresholds and lengths")


@evidence("dynaq.ours.repair-lock-out", form="printed", strength="exact")
def two_repaired_queues_get_the_whole_buffer() -> Outcome:
    """Explore the port that the print holds to half: a refused active queue finds no threshold left elsewhere.

    If all decisions are counted and not line 3 alone, both are refused at a full port only, with the check port.
    """
    refusals, full = 0, 0
    for admit in ("port", "recheck"):
        rules = DynaQ(8, (1, 1, 1, 1), admit=admit, victims="eligible")
        system = AnyOrder(rules, (1,), busy=(0, 1), silent=(2, 3))
        for state in reachable_graph(system, bound=100_000).steps:
            if set(_refused(rules, state, 1)) & {0, 1}:
                check(sum(state.thresholds[:2]) == 8, f"{state}")
                refusals += 1
            decisions = {rule(rules, state.thresholds, state.lengths, p, 1).decision for p in (0, 1)}
            if admit == "port" and decisions == {"drop"}:
                check(sum(state.lengths) == 8, f"{state}")
                full += 1
    check(refusals > 0 and full > 0, "nothing is ever refused")
    return Agrees(refusals, "every reachable state in which an active queue is refused, under both admission checks")


@evidence("dynaq.ours.repair-is-needed", form="printed", strength="exact")
def printed_line_2_refuses_where_the_repair_does_not() -> Outcome:
    """The runs that refute work conservation pass under the repair, in the paper's ports as well."""
    found = []
    for B, weights, active in ((8, (1, 1, 1, 1), (0, 1)), (85_000, (4, 3, 2, 1), (2,)), (85_000, (1, 1, 1, 1), (0, 1))):
        size = 1 if B == 8 else 1500
        found.append([sum(fill(DynaQ(B, weights, victims=v), active, size)[0].lengths) for v in VICTIMS[:2]])
    check(found == [[4, 8], [42_000, 82_500], [42_000, 84_000]], f"{found}")
    return Proved("queues 1 and 2 of the testbed: 42 KB as printed, 84 KB repaired", {"B": "85000"})
