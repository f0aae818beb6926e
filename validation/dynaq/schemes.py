"""PQL, best effort, MQ-ECN, TCN and PMSB as Section 2.3 analyses them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import sympy

from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.packet.schedulers import DeficitRoundRobin, PriorityOver, WeightedRoundRobin
from dtmodel.packet.service_queues import PMSB, PQL, BestEffort, Scheme, serve
from dtmodel.provers import smt
from dtmodel.theory import service_queue_schemes as schemes


def largest(scheme: Scheme, queues: int, active: Sequence[int], size: int) -> list[int]:
    """Return what the active queues hold when each has been refused a packet, with no departure."""
    memory, lengths, waiting = scheme.start(), [0] * queues, list(active)
    while waiting:
        for p in tuple(waiting):
            admitted, memory = scheme.admit(memory, lengths, p, size)
            if admitted:
                lengths[p] += size
            else:
                waiting.remove(p)
    return lengths


@evidence(
    "dynaq.sec1.monopolise", "dynaq.sec2.1.best-effort", "dynaq.sec3.2.3.best-effort", form="printed", strength="exact"
)
def one_queue_takes_all_of_a_best_effort_buffer() -> Outcome:
    """For every buffer up to 64 packets, one queue fills it and the other is refused its first packet."""
    for B in range(1, 65):
        check(largest(BestEffort(B), 2, (0,), 1) == [B, 0], f"B = {B}")
        check(not BestEffort(B).admit((), (B, 0), 1, 1)[0], f"B = {B}")
    return Proved("q_1 = B and the largest q_2 is 0 < WBDP_2", {"B": "64", "q_1": "64", "q_2": "0"})


@evidence("dynaq.sec1.large-buffer", form="printed", strength="symbolic")
def any_buffer_fills_under_overload() -> Outcome:
    """Solve (lambda - C) t = B: an overload fills every buffer after B / (lambda - C)."""
    t, B, excess = sympy.symbols("t B excess", positive=True)
    (full,) = sympy.solve(sympy.Eq(excess * t, B), t)
    check(sympy.simplify(full - B / excess) == 0 and full.is_positive, str(full))
    return Proved(f"full at t = {full}, for every B", {"B": "1000000", "excess": "125000000", "t": "1/125"})


@evidence("dynaq.sec1.pql-single", form="printed", strength="exact")
@evidence("dynaq.sec3.2.3.pql", "dynaq.sec2.3.pql-underused", form="printed", strength="exact")
def few_active_queues_hold_less_than_a_bdp_under_pql() -> Outcome:
    """In each of the paper's settings, one or two active queues under PQL hold less than the BDP."""
    cases = 0
    for B, BDP, M, size in ((85_000, 62_500, 4, 1500), (192_000, 105_000, 8, 1500), (10**6, 500_000, 8, 9000)):
        scheme = PQL(schemes.pql_quotas(Fraction(B), (Fraction(1),) * M))
        for active in ((0,), (0, 1)):
            held = sum(largest(scheme, M, active, size))
            check(held <= len(active) * Fraction(B, M) and held < BDP, f"{B}: {held}")
            cases += 1
    return Agrees(cases, "85, 192 and 1000 KB, one and two active queues")


@evidence("dynaq.sec2.3.pql-quota", form="printed", strength="exact")
def pql_gives_each_queue_its_quota() -> Outcome:
    """Two queues with quotas of 2 and 3, all lengths up to 3: whatever the other holds, the quota can be filled."""
    scheme = PQL((2, 3))
    for others in range(4):
        check([scheme.admit((), (q, others), 0, 1)[0] for q in range(4)] == [True, True, False, False], f"{others}")
    return Agrees(16, "two queues of up to 3 packets; for any number of queues and bytes: pql_looks_at_one_queue_only")


@evidence("dynaq.sec2.3.pmsb.ki-le-k", form="printed", strength="smt")
def a_part_of_the_port_threshold_is_at_most_all_of_it() -> Outcome:
    """Prove K_i <= K; in numbers, the parts of weights 4:3:2:1 add up to 30 KB."""
    w, W, D, lam = sympy.symbols("w W D lam", positive=True)
    proof = smt.prove([w <= W], w / W * D * lam <= D * lam)
    parts = schemes.pmsb_queue_thresholds(Fraction(62_500), [Fraction(n) for n in (4, 3, 2, 1)], Fraction(12, 25))
    check(sum(parts) == schemes.pmsb_port_threshold(Fraction(62_500), Fraction(12, 25)) == 30_000, f"{parts}")
    return proof.proved("K w_i / sum w <= K")


@evidence("dynaq.sec2.3.pmsb-like-pql", "dynaq.sec1.pmsb-like-pql", form="printed", strength="exact")
def a_single_queue_under_dropping_pmsb_holds_the_port_threshold() -> Outcome:
    """The testbed with lambda = 1: one active queue holds K = 61.5 KB under PMSB, its quota of 21 KB under PQL."""
    D, lam, weights = Fraction(62_500), Fraction(1), (Fraction(1),) * 4
    pmsb = PMSB(85_000, schemes.pmsb_port_threshold(D, lam), schemes.pmsb_queue_thresholds(D, weights, lam))
    pql = PQL(schemes.pql_quotas(Fraction(85_000), weights))
    held = {"pmsb": sum(largest(pmsb, 4, (0,), 1500)), "pql": sum(largest(pql, 4, (0,), 1500))}
    same = PQL(schemes.pmsb_queue_thresholds(D, weights, lam))
    held["pql_with_K_i"] = sum(largest(same, 4, (0,), 1500))
    check(held == {"pmsb": 61_500, "pql": 21_000, "pql_with_K_i": 15_000}, f"{held}")
    says = "a packet is dropped only if both conditions hold: alone, a queue goes up to K, not to K_i"
    values = {key: str(value) for key, value in held.items()}
    return Counterexample(
        Witness("values", {"values": values, "statement": "pmsb <= pql or pmsb == pql_with_K_i"}, says=says), says
    )


@evidence("dynaq.ours.pmsb", form="printed", strength="exact")
def dropping_pmsb_shares_and_protects() -> Outcome:
    """Under dropping PMSB no queue is refused within K_i while B >= 2K, and the port never holds 2K."""
    cases = 0
    for K, parts in ((4, (2, 2)), (6, (2, 2, 2)), (6, (4, 2))):
        scheme = PMSB(2 * K, K, parts)
        seen, front = {(0,) * len(parts)}, [(0,) * len(parts)]
        while front:
            state = front.pop()
            for p in range(len(parts)):
                grown = tuple(q + (i == p) for i, q in enumerate(state))
                admitted = scheme.admit((), state, p, 1)[0]
                check(admitted or state[p] + 1 > parts[p], f"{state}: queue {p} is refused within K_i")
                smaller = tuple(max(0, q - (i == p)) for i, q in enumerate(state))
                for after in ([grown] if admitted else []) + [smaller]:
                    if after not in seen:
                        seen.add(after)
                        front.append(after)
        check(max(map(sum, seen)) < 2 * K, "more than 2K")
        cases += len(seen)
    return Agrees(cases, "every reachable state of three ports, one packet size")


@evidence("dynaq.sec2.3.mq-ecn.k", "dynaq.sec2.3.tcn.t", form="printed", strength="symbolic")
def mq_ecn_and_tcn_agree_with_the_port_threshold() -> Outcome:
    """With every queue active T_round = sum of quanta / C, and K_i is its part of K; TCN's T is K / C."""
    quantum, total, C, RTT, lam = sympy.symbols("quantum total C RTT lam", positive=True)
    share = quantum / (total / C) * RTT * lam
    check(sympy.simplify(share - quantum / total * C * RTT * lam) == 0, "MQ-ECN")
    check(sympy.simplify(C * RTT * lam / C - RTT * lam) == 0, "TCN")
    D, rate = Fraction(62_500), Fraction(125_000_000)
    mq = schemes.mq_ecn_threshold(Fraction(1500), Fraction(6000) / rate, rate, D / rate, Fraction(1))
    check(
        mq == D / 4 and schemes.mq_ecn_threshold(Fraction(9), Fraction(1, 10**9), rate, D / rate, Fraction(1)) == D, ""
    )
    return Proved("K_i = K quantum_i / sum quanta, capped at K; T = K / C", {"K_i": str(mq), "K": "62500"})


def serve_tcn(sojourns: Sequence[int], threshold: int, *, slot_lost: bool) -> list[str]:
    """Serve a FIFO queue slot by slot and drop at dequeue what waited for longer than the threshold.

    Returns what each slot was: "sent", or "idle" although a packet was queued when it began. With `slot_lost` the slot
    belongs to the packet that was taken out; otherwise the scheduler takes out the next one at once.
    """
    queue, slots = deque(sojourns), []
    while queue:
        sent = False
        while queue and not sent:
            sent = queue.popleft() <= threshold
            if slot_lost:
                break
        slots.append("sent" if sent else "idle")
    return slots


@evidence("dynaq.sec2.3.tcn.idle", "dynaq.sec1.tcn-idle", form="printed", strength="exact")
def a_scheduler_that_picks_again_loses_no_time() -> Outcome:
    """A backlog of two packets, the first dropped at dequeue: the second is sent in the same slot."""
    slots = serve_tcn([5, 1], 3, slot_lost=False)
    numbers = {"dropped": str(2 - slots.count("sent")), "idle": str(slots.count("idle"))}
    says = "dropping takes no time on the wire: the link is idle only if nothing else is queued"
    data = {"values": numbers, "hypotheses": ["dropped > 0"], "statement": "idle > 0"}
    return Counterexample(Witness("values", data, says=says), says)


@evidence("dynaq.sec2.3.tcn.idle", "dynaq.sec1.tcn-idle", form="assumed", strength="exact")
def a_slot_that_cannot_be_reused_is_idle() -> Outcome:
    """If the slot belongs to the packet that was taken out, each slot is what its packet is: sent, or dropped and idle.

    A slot looks at one packet, so all queues of up to 8 packets, each dropped or not, show every slot there is.
    """
    cases = 0
    for n in range(1, 9):
        for sojourns in product((1, 5), repeat=n):
            slots = serve_tcn(sojourns, 3, slot_lost=True)
            check(slots == ["idle" if sojourn > 3 else "sent" for sojourn in sojourns], f"{sojourns}")
            cases += 1
    return Agrees(cases, "all queues of up to 8 packets, each dropped or not: one idle slot for each drop")


@evidence("dynaq.sec3.2.3.wrr-bytes", form="printed", strength="exact")
def wrr_counts_packets_and_not_bytes() -> Outcome:
    """Two backlogged queues of weight 1, packets of 1 and 2 bytes: shares of 1/3 and 2/3."""
    arrivals = [(0, i, size) for _ in range(30) for i, size in ((0, 1), (1, 2))]
    tally = serve(BestEffort(1000), WeightedRoundRobin((1, 1)), arrivals, rate=1, until=30, queues=2)
    check(tally.shares() == (Fraction(1, 3), Fraction(2, 3)), f"{tally}")
    values = {"sent1": str(tally.sent[0]), "sent2": str(tally.sent[1])}
    says = "10 and 20 bytes in the same time, with equal weights"
    return Counterexample(Witness("values", {"values": values, "statement": "sent1 == sent2"}, says=says), says)


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


@evidence("dynaq.sec2.3.pmsb.both", form="printed", strength="exact")
def dropping_pmsb_drops_exactly_where_both_conditions_hold() -> Outcome:
    """Compare the scheme with the two conditions for all lengths of two queues that leave room in the port."""
    scheme, cases = PMSB(100, 6, (2, 4)), 0
    for q in range(10):
        for other in range(10):
            dropped = not scheme.admit((), (q, other), 0, 1)[0]
            check(dropped == (q + other + 1 > 6 and q + 1 > 2), f"{q}, {other}")
            cases += 1
    return Agrees(cases, "two queues of up to 9 packets")


@evidence("dynaq.sec5.1.2.spq-first", form="printed", strength="exact")
def the_priority_queue_goes_first() -> Outcome:
    """Pick from every combination of one priority and two DRR queues of up to two packets, in several memories."""
    scheduler, cases = PriorityOver(1, DeficitRoundRobin((2, 2))), 0
    memories = [scheduler.start(), (1, False, (0, 0)), (0, True, (1, 0)), (1, True, (0, 1))]
    for memory in memories:
        for code in range(27):
            queues = [[1] * (code // 3**i % 3) for i in range(3)]
            picked, _ = scheduler.pick(memory, queues)
            check((picked == 0) == bool(queues[0]), f"{queues}: {picked}")
            cases += 1
    return Agrees(cases, "27 combinations of queues, 4 memories of the round robin")
