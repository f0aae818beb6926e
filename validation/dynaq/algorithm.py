"""Section 3.2.2: Algorithm 1, line by line; runs and published numbers."""

from functools import partial

from dtmodel.ledger import Agrees, Conflict, Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.modelcheck import explore
from dtmodel.packet.dynaq.algorithm import DynaQ, admission, algorithm1, find_victim
from dtmodel.packet.dynaq.states import AnyOrder, PortState
from dtmodel.theory.dynaq.hardware import cycles

from ..support.dynaq import hardware as dynaq_hardware
from ..support.dynaq.ties import AnyTies
from .runs import SMALL, changed, every_arrival, refuted_by, request, states_in_which, steps_of


def _fits(rules: DynaQ, state: PortState) -> bool:
    return sum(state.lengths) <= rules.buffer


@evidence("dynaq.alg1.line1", "dynaq.sec3.2.2.nothing-done", form="printed", strength="exact")
def a_packet_within_the_threshold_changes_nothing() -> Outcome:
    """At every arrival in every reachable state: q_p + size <= T_p exactly if line 1 ends the algorithm."""
    cases = 0
    for rules in SMALL:
        for state, p, size in every_arrival(rules, (1,)):
            ruling = algorithm1(rules, state.thresholds, state.lengths, p, size)
            within = state.lengths[p] + size <= state.thresholds[p]
            check(not within or (ruling.decision, ruling.thresholds) == ("enqueue", state.thresholds), str(state))
            check(within == (ruling.reason.startswith("line 1")), str(state))
            cases += 1
    return Agrees(cases, f"every arrival in every reachable state of {len(SMALL)} ports")


@evidence("dynaq.alg1.line2", form="printed", strength="exact")
def the_printed_index_excludes_the_last_queue() -> Outcome:
    """With queues 1 to M and i < M, queue M is never a victim: with two queues, queue 1 has no victim at all."""
    return refuted_by(DynaQ(2, (1, 1)), [("arrive", 0, 1)] * 2, "queue 2 = M gives its threshold", victim=None)


@evidence(
    "dynaq.sec3.2.2.max-idx", "dynaq.alg1.line2", "dynaq.sec3.2.1.victim-definition", form="repaired", strength="exact"
)
@evidence("dynaq.alg1.line2.victim", "dynaq.ours.two-implementations", form="printed", strength="exact")
def the_masked_tournament_is_algorithm_1() -> Outcome:
    """Compare both implementations at every arrival in every reachable state of small ports."""
    cases = 0
    for rules in SMALL:
        for state, p, size in every_arrival(rules, (1, 2) if len(rules.weights) < 3 else (1,)):
            ruling = algorithm1(rules, state.thresholds, state.lengths, p, size)
            wanted = (ruling.decision, ruling.victim, ruling.thresholds)
            got = dynaq_hardware.algorithm1(rules.satisfaction, state.thresholds, state.lengths, p, size=size)
            check(got == wanted, f"{rules}, {state}, queue {p}, {size} bytes: {got} and {wanted}")
            cases += 1
    return Agrees(cases, f"every arrival in every reachable state of {len(SMALL)} ports with 1 to 4 queues")


@evidence("dynaq.alg1.line2.ties", form="printed", strength="exact")
def a_tie_leaves_the_victim_open() -> Outcome:
    """At the start all extras are 0: with three queues, the first adjustment already meets a tie."""
    return refuted_by(DynaQ(3, (1, 1, 1)), [("arrive", 0, 1)] * 2, "queues 2 and 3 both have the extra 0", victim=3)


@evidence("dynaq.alg1.line2.ties", form="assumed", strength="exact")
def a_tie_break_makes_the_victim_unique() -> Outcome:
    """For both tie-breaks, the victim is the lowest or the highest index among the largest extras."""
    cases = 0
    for rules in SMALL:
        S = rules.satisfaction
        for state, p, _ in every_arrival(rules, (1,)):
            others = [i for i in range(len(S)) if i != p]
            extras = {i: state.thresholds[i] - S[i] for i in others}
            largest = [i for i in others if extras[i] == max(extras.values())]
            for tie_break, wanted in (("low", min(largest, default=None)), ("high", max(largest, default=None))):
                check(find_victim(S, state.thresholds, others, tie_break) == wanted, str(state))
                cases += 1
    return Agrees(cases, "every arrival in every reachable state of small ports, both tie-breaks")


@evidence("dynaq.alg1.line2.exists", form="printed", strength="exact")
def one_queue_has_no_victim() -> Outcome:
    """A port of one queue: the second packet exceeds the threshold, and there is no other queue."""
    return refuted_by(DynaQ(1, (1,)), [("arrive", 0, 1)] * 2, "the argmax is over no queue at all", victim=1)


@evidence("dynaq.alg1.line2.exists", form="assumed", strength="exact")
def two_queues_or_more_have_a_victim() -> Outcome:
    """For 2 to 32 queues and each sender, a packet beyond the threshold has a victim other than its own queue."""
    cases = 0
    for M in range(2, 33):
        rules = DynaQ(M, (1,) * M)
        for p in range(M):
            ruling = algorithm1(rules, rules.initial, [1] * M, p, 1)
            check(ruling.victim is not None and ruling.victim != p, f"M = {M}, queue {p}: {ruling}")
            cases += 1
    return Agrees(cases, "2 to 32 queues, every sender: the M - 1 other queues are never an empty set")


@evidence("dynaq.alg1.line4", form="printed", strength="exact")
def a_packet_that_line_4_drops_changes_no_threshold() -> Outcome:
    """Look at every drop of Algorithm 1 in every reachable state of small ports."""
    cases = 0
    for rules in SMALL:
        for state, p, size in every_arrival(rules, (1,)):
            ruling = algorithm1(rules, state.thresholds, state.lengths, p, size)
            check(ruling.decision == "enqueue" or ruling.thresholds == state.thresholds, str(state))
            cases += ruling.decision == "drop"
    return Agrees(cases, "every drop in every reachable state of small ports")


@evidence("dynaq.sec3.2.2.before-enqueueing", "dynaq.ours.adjusted-then-dropped", form="printed", strength="exact")
def a_full_port_drops_after_the_thresholds_moved() -> Outcome:
    """Queue 1 fills a port of 2; a packet of queue 2 takes a byte of threshold and is dropped all the same."""
    steps = steps_of(request(DynaQ(2, (1, 1)), [("arrive", 0, 1), ("arrive", 0, 1), ("arrive", 1, 1)]))
    check(steps[-1]["reason"] == "the port is full" and steps[-1]["thresholds"] == ["1", "1"], f"{steps[-1]}")
    check(changed(steps, 2)[2] == {"decision": "drop", "victim": 1}, "dropped with a victim")
    return Proved(
        "Algorithm 1 rules first, the port's occupancy second", {"thresholds": ["1", "1"], "queues": ["2", "0"]}
    )


@evidence("dynaq.sec3.2.2.order@equality", form="printed", strength="exact")
def the_sum_is_smaller_between_lines_6_and_7() -> Outcome:
    """Follow one adjustment of a port of 4 bytes: 2 + 2, then 2 + 1, then 3 + 1."""
    T_p, T_v, size = 2, 2, 1
    between, after = T_p + (T_v - size), (T_p + size) + (T_v - size)
    check(after == 4, f"{after}")
    return refuted_by_values(
        {"B": 4, "between": between}, "between == B", "after line 6 and before line 7 the sum is 3, not 4"
    )


@evidence("dynaq.sec3.2.2.order@always", form="printed", strength="exact")
def one_cycle_is_not_two_steps_in_order() -> Outcome:
    """Two steps of which one comes before the other take two cycles; Section 4.1 counts one."""
    counted = cycles(8).lines67
    check(counted < 2, f"{counted} cycles")
    return Conflict(
        "dynaq.sec4.1.lines67-cycles",
        "if line 7 always waits for line 6 the two take two cycles of the hardware, not one",
        {"counted": str(counted), "in order": "2"},
    )


@evidence("dynaq.sec3.2.2.largest-threshold", form="printed", strength="exact")
def the_largest_threshold_can_be_a_minimum() -> Outcome:
    """Weights 1:2:3 at the start: queue 3 has the largest threshold and no extra."""
    rules = DynaQ(6, (1, 2, 3))
    T, S = rules.initial, rules.satisfaction
    check(max(range(3), key=lambda i: T[i]) == 2 and T[2] == S[2], f"{T}")
    return Proved(
        "T = S = (1, 2, 3): the largest threshold, queue 3's, is its satisfaction threshold", {"T": ["1", "2", "3"]}
    )


@evidence("dynaq.sec3.2.2.why-protect", form="printed", strength="exact")
def without_condition_2_an_active_queue_loses_all() -> Outcome:
    """Report queue 2, which holds a packet, as empty: queue 1 strips it and fills the port; by line 3 it does not."""
    rules, ends = DynaQ(4, (1, 1)), []
    for seen in (0, 1):
        T, q = rules.initial, [0, 1]
        for _ in range(8):
            ruling = algorithm1(rules, T, (q[0], seen), 0, 1)
            T = ruling.thresholds
            q[0] += admission(rules, ruling, q, 0, 1).decision == "enqueue"
        ends.append((T, q))
    check(ends == [((4, 0), [3, 1]), ((2, 2), [2, 1])], f"{ends}")
    return Proved("queue 2 holds a packet and has T_2 = 0", {"T": ["4", "0"], "q": ["3", "1"]})


@evidence("dynaq.sec3.2.2.inactive", "dynaq.ours.idle-to-zero", form="printed", strength="exact")
def an_idle_queue_can_lose_all_of_its_threshold() -> Outcome:
    """Find the shortest run to an empty queue with a threshold of 0."""
    rules = DynaQ(4, (1, 1))
    found = explore(AnyOrder(rules, (1,)), lambda s: any(T == 0 for T in s.thresholds)).found
    check(found is not None and len(found) == 4, f"{found}")
    last = steps_of(request(rules, found.labels if found else ()))[-1]
    return Proved("four packets of 1 byte at a port of 4", {"thresholds": last["thresholds"], "events": "4"})


@evidence("dynaq.ours.port-bound", form="printed", strength="exact")
def the_port_never_holds_more_than_its_buffer() -> Outcome:
    """Explore small ports under both admission checks; each enqueues only if sum q + size <= B."""
    states = 0
    for admit in ("port", "recheck"):
        for rules in (DynaQ(6, (1, 1), admit=admit), DynaQ(4, (1, 1, 1), admit=admit), DynaQ(6, (2, 1), admit=admit)):
            states += states_in_which(AnyOrder(rules, (1, 2)), partial(_fits, rules))
    return Agrees(states, "every reachable state of six ports with packets of 1 and 2 bytes")


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

        states += states_in_which(AnyTies(rules, (1,)), sound)
    return Agrees(states, "every reachable state of four ports, up to the order of alike queues")
