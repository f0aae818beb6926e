"""Section 3.2.3: equation (7), work conservation; proofs."""

from collections.abc import Sequence
from typing import Any

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import slack, smt
from dtmodel.ledger.provers.symbolic_execution import PathCondition, Unknowns, all_of, every_path, same
from dtmodel.packet.dynaq.algorithm import DynaQ, DynaQPort, rule

from .paths import rules
from .step import QUEUES, Step, for_each_number_of_queues, for_each_role, identity, parts_add_up, step, weights
from .systems import two_active_queues

D, B, C = sp.symbols("D B C", positive=True)
Q, q = sp.symbols("Q q", nonnegative=True)
s, T_o, T_p, q_p, S_p, S_o, T_v, q_o, S_v = sp.symbols("s T_o T_p q_p S_p S_o T_v q_o S_v", real=True)


@evidence("dynaq.sec3.2.3.wc-definition", form="printed", strength="smt")
def rates_that_conserve_work_exist_under_overload() -> Outcome:
    """Any number of queues: C lambda_i / sum lambda adds up to C, each within lambda_i.

    Of any rates within them that add up to C: where lambda_j < s_j the others have s_j - mu_j > 0 more than their
    shares together, so some mu_i > s_i; and then lambda_i > s_i.
    """
    parts_add_up(C)
    lam, Lam = sp.Symbol("lam", nonnegative=True), sp.Symbol("Lam", positive=True)
    smt.prove([Lam >= C, lam <= Lam], C * lam / Lam <= lam)
    excess, more = sp.symbols("excess more", real=True)  # of the first k others together, and of one more
    smt.prove([excess <= 0, more <= 0], excess + more <= 0)
    for M in QUEUES:
        mu, lams = sp.symbols(f"mu1:{M + 1}", nonnegative=True), sp.symbols(f"lam1:{M + 1}", nonnegative=True)
        shares = sp.symbols(f"s1:{M + 1}", positive=True)
        within = [a <= b for a, b in zip(mu, lams, strict=True)]
        rates = [*within, sp.Eq(sum(mu), C), sp.Eq(sum(shares), C), lams[0] < shares[0]]
        gains = (sp.And(a > s, b > s) for a, b, s in zip(mu[1:], lams[1:], shares[1:], strict=True))
        found = smt.prove(rates, sp.Or(*gains))
    return found.proved(
        "such rates exist, and whichever are taken, a queue with enough to send has more than its share"
    )


@evidence("dynaq.eq7.sufficient", form="printed", strength="smt")
@evidence("dynaq.sec3.1.work-conservation", form="assumed", strength="smt")
def a_queued_bdp_is_a_queued_packet() -> Outcome:
    """If every queue is empty the sum is 0, for any number of queues; a work-conserving link idles only then."""
    smt.prove([sp.Eq(Q, 0), sp.Eq(q, 0)], sp.Eq(Q + q, 0))
    busy = sp.Symbol("busy", nonnegative=True)  # the rate of the link: C, or 0 if it idles
    conserving = sp.Or(sp.Eq(busy, C), sp.Eq(Q, 0))
    smt.prove([conserving, Q > 0], sp.Eq(busy, C))
    return smt.prove([conserving, Q >= D], sp.Eq(busy, C)).proved("sum q >= C RTT > 0 leaves some queue to serve")


@evidence("dynaq.ours.alone-equal", form="printed", strength="symbolic")
@evidence("dynaq.sec3.2.3.work-conservation@one-equal", form="printed", strength="symbolic")
def equal_weights_for_every_m() -> Outcome:
    """Certify T_p - (B - (M - 1) s) > 0: with equal S the victim has the largest threshold, below s, of the others."""
    more, E = sp.symbols("more E", nonnegative=True)
    delta, size, share = sp.symbols("delta s S", positive=True)
    M = more + 2
    others = (M - 1) * (size - delta) - E
    held = M * share - others
    certificate = slack.certificate(sp.expand(held - (M * share - (M - 1) * size)), {}, strict=True)
    return certificate.proved("T_p > B - (M - 1) size(P) for every M >= 2")


@evidence("dynaq.ours.alone-equal", "dynaq.sec3.2.3.work-conservation@one-equal", form="printed", strength="smt")
def alone_a_queue_gets_all_but_m_minus_1_packets() -> Outcome:
    """Prove T_p > B - (M - 1) s for equal weights when the others are empty and line 3 refuses."""

    def obligation(x: Step) -> tuple[Sequence[sp.Basic], sp.Basic]:
        empty = [sp.Eq(x.q[i], 0) for i in range(1, x.M)]
        equal = [sp.Eq(x.S[i], x.S[0]) for i in range(1, x.M)]
        return [*x.legal, *x.largest, *empty, *equal, x.refused], x.T[0] > x.M * x.S[0] - (x.M - 1) * x.s

    return for_each_number_of_queues(obligation, "T_p > B - (M - 1) size(P)")


@evidence("dynaq.ours.recheck-alone", form="printed", strength="smt")
def a_refused_packet_takes_threshold_in_use() -> Outcome:
    """Along every path of the port's code, for any h >= 3: two packets, h + 1 bytes, are held, the next two refused."""
    given = Unknowns()
    h: Any = given.positive("h")[0]

    def run() -> tuple[list[str], list[Any]]:
        port, held = rules((h, h), admit="recheck", buffer=h + h), [0, 0]
        thresholds: tuple[Any, ...] = (h, h)
        decisions: list[str] = []
        for queue, size in ((0, 1), (0, h), (1, h), (0, 1)):
            ruling = rule(port, thresholds, held, queue, size)
            thresholds, decisions = ruling.thresholds, [*decisions, ruling.decision]
            held[queue] += size if ruling.decision == "enqueue" else 0
        return decisions, held

    def refused(found: tuple[list[str], list[Any]]) -> PathCondition | bool:
        decisions, held = found
        return decisions == ["enqueue", "enqueue", "drop", "drop"] and all_of(
            same(held[0], h + 1), same(held[1], 0 * h)
        )

    return given.prove_paths(every_path(run), refused, "h + 1 of 2 h bytes are held, one is refused", given=[h >= 3])


@evidence("dynaq.ours.two-queues", form="printed", strength="smt")
def of_two_an_active_queue_is_never_refused_its_share() -> Outcome:
    """Prove the invariant of M = 2 with queue 0 always active: q_1 <= T_1 after every step, so that the port has room.

    With q_1 <= T_1 <= S_1 a packet of queue 0 with q_0 + s <= S_0 passes line 1 (T_0 >= S_0) and finds q_0 + q_1 + s
    <= B. Queue 1 grows within T_1; beyond it queue 0 has to give, and then T_1 grows as much as q_1. Queue 0 takes from
    queue 1 only what leaves T_1 >= S_1, which never happens, or when queue 1 is empty.
    """
    x = step(2)
    invariant = [x.q[0] > 0, x.T[0] >= x.S[0], x.q[1] <= x.T[1]]
    room = smt.prove([*x.legal, *invariant, x.q[0] + x.s <= x.S[0]], x.q[0] + x.q[1] + x.s <= x.S[0] + x.S[1])
    taken = smt.prove([*x.legal, *invariant, *x.may_give], sp.And(x.T_new[0] >= x.S[0], x.q[1] <= x.T_new[1]))
    # Queue 1 sends: the victim is queue 0, which is active.
    grown = x.T[1] + x.s
    given = [x.T[0] - x.s >= x.S[0], x.q[1] + x.s > x.T[1]]
    gave = smt.prove([*x.legal, *invariant, *given], sp.And(x.T[0] - x.s >= x.S[0], x.q[1] + x.s <= grown))
    within = smt.prove([*x.legal, *invariant, x.q[1] + x.s <= x.T[1]], x.q[1] + x.s <= x.T[1])
    del taken, gave, within
    return Proved(
        "queue 0 is refused nothing while q_0 + size(P) <= S_0", {str(k): str(v) for k, v in room.example.items()}
    )


@evidence("dynaq.ours.alone", form="printed", strength="symbolic")
def the_bound_for_one_active_queue_for_every_m() -> Outcome:
    """Certify T_p - S_p - (M - 1)(m - s) > 0 for symbolic M.

    Each other queue has T_i = T_v + (S_i - S_v) - d_i with d_i >= 0 (line 2), and T_v = s - delta with delta > 0 (line
    3, all others empty). So T_p = B - sum of the others = S_p + (M - 1)(S_v - T_v) + E with E the sum of the d_i, and
    S_v = m + e with e >= 0.
    """
    more, least, e, E = sp.symbols("more m e E", nonnegative=True)
    delta, size = sp.symbols("delta s", positive=True)
    M = more + 2
    held = (M - 1) * ((least + e) - (size - delta)) + E  # T_p - S_p
    certificate = slack.certificate(sp.expand(held - (M - 1) * (least - size)), {}, strict=True)
    return certificate.proved("T_p > S_p + (M - 1)(min S - size(P)) for every M >= 2")


@evidence("dynaq.ours.alone", form="printed", strength="smt")
def one_active_queue_is_refused_only_above_the_bound() -> Outcome:
    """Prove T_p > S_p + (M - 1)(m - s), m the smallest of the others' S, if they are empty and line 3 refuses."""

    def obligation(x: Step) -> tuple[Sequence[sp.Basic], sp.Basic]:
        m = sp.Symbol("m", real=True)
        empty = [sp.Eq(x.q[i], 0) for i in range(1, x.M)]
        least = [m > 0, *(m <= x.S[i] for i in range(1, x.M))]
        return [*x.legal, *x.largest, *empty, *least, x.refused], x.T[0] > x.S[0] + (x.M - 1) * (m - x.s)

    return for_each_number_of_queues(obligation, "T_p > S_p + (M - 1)(min S - size(P))")


@evidence("dynaq.ours.together", form="printed", strength="smt")
def several_active_queues_for_every_m() -> Outcome:
    """Prove for an idle victim: extras stay >= -L while a queue other than the sender is active and satisfied.

    `o` is an always active queue other than the sender; the invariant for a third queue is its own hypothesis.
    """
    L = sp.Symbol("L", real=True)
    active = [q_o > 0, T_o >= S_o, q_p > 0, T_p >= S_p, s <= L, T_v - S_v >= -L]
    goals = [T_v - s - S_v >= -L, T_p + s >= S_p, T_o >= S_o]
    return for_each_role(goals, active, "an idle queue never lends more than L")


@evidence("dynaq.ours.together", form="printed", strength="smt")
def an_idle_queue_gives_little_while_two_others_are_active() -> Outcome:
    """Prove the invariant: an active queue has extra >= 0, an idle one extra >= -L.

    Queues 0 (which sends) and M - 1 are always active, queue 1 (the victim) is idle or active; every other queue only
    has to keep its part. From the initial extras of 0, the idle queues never lend more than L each.
    """

    def obligation(x: Step) -> tuple[Sequence[sp.Basic], sp.Basic]:
        L = sp.Symbol("L", real=True)
        last = x.M - 1
        other_active = [x.T[last] >= x.S[last], x.q[last] > 0, x.q[0] > 0, x.T[0] >= x.S[0]]
        before = [x.T[i] - x.S[i] >= -L for i in range(1, x.M)]
        after = [x.T_new[i] - x.S[i] >= -L for i in range(1, x.M)]
        kept = [x.T_new[last] >= x.S[last], x.T_new[0] >= x.S[0]]
        return [*x.legal, *x.largest, *x.may_give, x.s <= L, *other_active, *before], sp.And(*after, *kept)

    examples = {M: smt.prove(*obligation(step(M))).example for M in QUEUES[1:]}
    return Proved(
        "sum over the active of T <= sum over the active of S + (M - |A|) L (M = 3 to 5)",
        {str(k): str(v) for k, v in examples[3].items()},
    )


@evidence("dynaq.ours.together", form="printed", strength="symbolic")
def two_active_queues_by_identities() -> Outcome:
    """Certify the bound for two active queues beside one idle queue, and beside two."""
    example = two_active_queues(3).certificate().example
    two_active_queues(4).certificate()
    return Proved("T_1 + T_2 <= S_1 + S_2 + (M - 2) L is kept for M = 3 and 4", example)


@evidence("dynaq.ours.joint", form="printed", strength="smt")
def both_conditions_fit_for_any_number_of_queues() -> Outcome:
    """The weighted BDPs add up to the BDP; a sum that is at least BDP and at most B needs B >= BDP."""
    parts_add_up(D)
    smt.prove([Q >= D, Q <= B], B >= D)
    return smt.prove([B >= D, sp.Eq(Q, D)], [Q >= D, Q <= B]).proved("q_i = WBDP_i fits iff B >= BDP")


@evidence("dynaq.ours.joint", form="printed", strength="smt")
def both_conditions_hold_iff_the_buffer_holds_a_bdp() -> Outcome:
    """Prove sum q >= BDP and sum q <= B imply B >= BDP; and that q_i = WBDP_i satisfies (6) and (7) if B >= BDP."""
    D = sp.Symbol("D", positive=True)
    for M in QUEUES:
        q = sp.symbols(f"q1:{M + 1}", nonnegative=True)
        smt.prove([sum(q) >= D, sum(q) <= B], B >= D)
    for M in QUEUES:
        w = weights(M)
        identity(sum(D * item / sum(w) for item in w), D)
    return smt.prove([B >= D], D <= B).proved("q_i = WBDP_i has the sum BDP, which fits if and only if B >= BDP")


@evidence("dynaq.ours.joint-room", form="printed", strength="smt")
def the_room_beside_a_queue_that_holds_a_bdp() -> Outcome:
    """The free bytes are B - D; what the others need is a part of D each, D less the first queue's part together."""
    for M in QUEUES:
        w = weights(M)
        parts = [D * item / sum(w) for item in w]
        identity(sum(parts[1:]), D - parts[0])
    p_j, p_i = sp.symbols("p_j p_i", positive=True)  # the parts of j and of the largest other one
    rest = sp.Symbol("rest", nonnegative=True)  # of the others, if there are any
    split = [sp.Eq(p_j + p_i + rest, D)]
    smt.prove([*split, p_i <= B - D], D + p_i <= B)
    smt.prove([*split, D + p_i <= B], p_i <= B - D)
    smt.prove([*split, p_i + rest <= B - D], 2 * D - p_j <= B)
    return smt.prove([*split, 2 * D - p_j <= B], p_i + rest <= B - D).proved("room for all others iff B >= 2 D - p_j")


@evidence("dynaq.ours.not-at-every-instant", form="printed", strength="smt")
def no_buffer_makes_an_empty_port_hold_a_bdp() -> Outcome:
    """A port starts with sum q = 0, and C RTT > 0 whatever B is."""
    for buffer in (4, 10**9):
        check(sum(DynaQPort(DynaQ(buffer, (1, 1))).lengths) == 0, "a port starts empty")
    return smt.prove([sp.Eq(Q, 0), B > 0], sp.Not(Q >= D)).proved("0 < C RTT for every B")
