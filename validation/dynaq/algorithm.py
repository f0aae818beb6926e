"""The lines of Algorithm 1 and the text around them, on traces and in every reachable state of small ports."""

from __future__ import annotations

from dtmodel.explore import explore
from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.packet.dynaq import DynaQ, algorithm1, find_victim
from dtmodel.packet.dynaq_systems import AnyOrder, PortState

from .common import changed, refuted_by, request, steps_of
from .hardware import SMALL, every_arrival


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


@evidence("dynaq.sec3.2.1.every-arrival", form="printed", strength="exact")
def most_arrivals_adjust_nothing() -> Outcome:
    """The first packet of an empty port fits its threshold."""
    asked = request(DynaQ(2, (1, 1)), [("arrive", 0, 1)])
    answer = {"final": {"thresholds": ["1", "1"]}}
    claimed = {"final": {"thresholds": ["2", "0"]}}
    says = "a packet within the threshold ends at line 1"
    return Counterexample(Witness("trace", asked, answer, claimed, says), says)


@evidence("dynaq.sec3.2.1.drop-rule", "dynaq.sec3.2.2.drop-rule", form="printed", strength="exact")
def the_text_drops_for_unsatisfied_victims_the_algorithm_also_for_barely_satisfied_ones() -> Outcome:
    """A victim with T_v = S_v is satisfied (footnote 1); the text adjusts, line 3 drops."""
    rules = DynaQ(4, (1, 1))
    steps = steps_of(request(rules, [("arrive", 1, 1), ("arrive", 0, 2), ("arrive", 0, 1)]))
    check(steps[2]["decision"] == "drop" and steps[2]["victim"] == 2, str(steps[2]))
    check(steps[1]["thresholds"] == ["2", "2"], "queue 2 is satisfied: T_2 = S_2")
    return Conflict(
        "dynaq.alg1.line3.second",
        "the text protects a victim that is unsatisfied, line 3 one that would become so",
        {"T_v": "2", "S_v": "2", "q_v": "1", "size": "1", "text": "adjust", "line 3": "drop"},
    )


@evidence("dynaq.sec3.2.1.threshold-means", form="printed", strength="exact")
def a_queue_can_be_longer_than_its_threshold() -> Outcome:
    """Find the shortest run to q_i > T_i: queue 1 fills the port, and queue 2 takes from it."""
    rules = DynaQ(2, (1, 1))
    found = explore(AnyOrder(rules, (1,)), _beyond).found
    check(found is not None and len(found) == 3, f"{found}")
    asked = request(rules, found.labels if found else ())
    expected = {"final": {"thresholds": ["1", "1"], "queues": ["2", "0"]}}
    claimed = {"final": {"queues": ["1", "0"]}}
    return Counterexample(Witness("trace", asked, expected, claimed, "q_1 = 2 > T_1 = 1"), "three arrivals suffice")


def _beyond(state: PortState) -> bool:
    return any(q > T for q, T in zip(state.lengths, state.thresholds, strict=True))


@evidence("dynaq.sec3.2.2.inactive", "dynaq.ours.idle-to-zero", form="printed", strength="exact")
def an_idle_queue_can_lose_all_of_its_threshold() -> Outcome:
    """Find the shortest run to an empty queue with a threshold of 0."""
    rules = DynaQ(4, (1, 1))
    found = explore(AnyOrder(rules, (1,)), lambda s: any(T == 0 for T in s.thresholds)).found
    check(found is not None and len(found) == 4, f"{found}")
    last = steps_of(request(rules, found.labels if found else ()))[-1]
    return Proved("four packets of 1 byte at a port of 4", {"thresholds": last["thresholds"], "events": "4"})


@evidence("dynaq.sec3.2.2.why-protect", form="printed", strength="exact")
def without_the_second_condition_an_active_queue_loses_everything() -> Outcome:
    """Run lines 1 to 7 with every other queue reported empty: queue 1 strips queue 2, which holds a packet."""
    rules, q = DynaQ(4, (1, 1)), [0, 1]
    T = rules.initial
    while True:
        ruling = algorithm1(rules, T, (q[0], 0), 0, 1)
        if ruling.decision == "drop":
            break
        T, q[0] = ruling.thresholds, q[0] + 1
    check(T == (4, 0) and q == [4, 1], f"T = {T}, q = {q}")
    return Proved("queue 2 holds a packet and has T_2 = 0", {"T": ["4", "0"], "q": ["4", "1"]})


@evidence("dynaq.sec3.2.2.largest-threshold", form="printed", strength="exact")
def the_largest_threshold_can_be_a_minimum() -> Outcome:
    """Weights 1:2:3 at the start: queue 3 has the largest threshold and no extra."""
    rules = DynaQ(6, (1, 2, 3))
    T, S = rules.initial, rules.satisfaction
    check(max(range(3), key=lambda i: T[i]) == 2 and T[2] == S[2], f"{T}")
    return Proved(
        "T = S = (1, 2, 3): the largest threshold, queue 3's, is its satisfaction threshold", {"T": ["1", "2", "3"]}
    )


@evidence("dynaq.fn1", "dynaq.table1", form="printed", strength="exact")
def every_quantity_of_table_1_is_determined() -> Outcome:
    """In every reachable state each queue is satisfied or not, and thresholds, lengths and extras are numbers."""
    cases = 0
    for rules in SMALL:
        for state, p, size in every_arrival(rules, (1,)):
            S, B = rules.satisfaction, rules.buffer
            check(len(S) == len(state.thresholds) == len(rules.weights), "M of each")
            check(sum(state.thresholds) == B and 0 <= sum(state.lengths) <= B and size <= B, f"{state}")
            check(0 <= p < len(S) and min(state.thresholds) >= 0, f"{state}")
            cases += 1
    return Agrees(cases, "every reachable state of small ports")


@evidence("dynaq.sec3.2.2.before-enqueueing", "dynaq.ours.adjusted-then-dropped", form="printed", strength="exact")
def a_full_port_drops_after_the_thresholds_moved() -> Outcome:
    """Queue 1 fills a port of 2; a packet of queue 2 takes a byte of threshold and is dropped all the same."""
    steps = steps_of(request(DynaQ(2, (1, 1)), [("arrive", 0, 1), ("arrive", 0, 1), ("arrive", 1, 1)]))
    check(steps[-1]["reason"] == "the port is full" and steps[-1]["thresholds"] == ["1", "1"], f"{steps[-1]}")
    check(changed(steps, 2)[2] == {"decision": "drop", "victim": 1}, "dropped with a victim")
    return Proved(
        "Algorithm 1 rules first, the port's occupancy second", {"thresholds": ["1", "1"], "queues": ["2", "0"]}
    )
