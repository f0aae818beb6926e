"""Sections 2.2, 2.3 and 6: PQL, PMSB, MQ-ECN and TCN; proofs."""

from fractions import Fraction
from itertools import product

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import slack, smt
from dtmodel.ledger.provers.symbolic_execution import largest, same
from dtmodel.packet.dynaq.schemes import PMSB, PQL
from dtmodel.packet.l2bm.switch import PortPacket, passages
from dtmodel.theory.dynaq import schemes

from .paths import PORT, Few, K, K_i, admits, buffer, others, q_p, quota, ruled, size
from .step import parts_add_up

D, B, C, lam, whole = sp.symbols("D B C lam whole", positive=True)
within, beyond = PORT.at_least_0("within", "beyond")  # K_i: what the other queues hold, for PMSB


@evidence("dynaq.sec2.3.mq-ecn.k", form="printed", strength="smt")
def a_capped_rate_gives_at_most_the_whole_threshold() -> Outcome:
    """With T_round = sum of quanta/C it is the part of the whole; min(quantum/T_round, C) is never more than C."""
    rate, RTT, quantum = sp.symbols("rate RTT quantum", positive=True)
    parts_add_up(C * RTT * lam)
    check(sp.cancel(quantum / (whole / C) * RTT * lam - C * RTT * lam * quantum / whole) == 0, "the part")
    smt.prove([rate >= C], sp.Eq(sp.Min(rate, C) * RTT * lam, C * RTT * lam))
    return smt.prove([rate > 0], sp.Min(rate, C) * RTT * lam <= C * RTT * lam).proved("never more than the whole")


@evidence("dynaq.sec2.3.mq-ecn.k", "dynaq.sec2.3.tcn.t", form="printed", strength="symbolic")
def mq_ecn_and_tcn_agree_with_the_port_threshold() -> Outcome:
    """With every queue active T_round = sum of quanta / C, and K_i is its part of K; TCN's T is K / C."""
    quantum, total, C, RTT, lam = sp.symbols("quantum total C RTT lam", positive=True)
    share = quantum / (total / C) * RTT * lam
    check(sp.simplify(share - quantum / total * C * RTT * lam) == 0, "MQ-ECN")
    check(sp.simplify(C * RTT * lam / C - RTT * lam) == 0, "TCN")
    D, rate = Fraction(62_500), Fraction(125_000_000)
    mq = schemes.mq_ecn_threshold(Fraction(1500), Fraction(6000) / rate, rate, D / rate, Fraction(1))
    check(
        mq == D / 4 and schemes.mq_ecn_threshold(Fraction(9), Fraction(1, 10**9), rate, D / rate, Fraction(1)) == D, ""
    )
    return Proved("K_i = K quantum_i / sum quanta, capped at K; T = K / C", {"K_i": str(mq), "K": "62500"})


@evidence("dynaq.sec2.3.pmsb.both", form="printed", strength="smt")
def pmsb_acts_on_both_conditions_only() -> Outcome:
    """Any number of queues: where the port has room, a packet is dropped iff the port and its queue are beyond."""
    both = (q_p + others + size > K) & (q_p + size > K_i)
    lengths, room = Few({0: q_p}, q_p + others), q_p + others + size <= buffer
    return admits(lambda: PMSB(buffer, K, (K_i,)), lengths, ~both, "not beyond K and beyond K_i", [room])


@evidence("dynaq.sec2.3.pmsb.ki-le-k", form="printed", strength="smt")
def a_part_of_the_port_threshold_is_at_most_all_of_it() -> Outcome:
    """Prove K_i <= K; in numbers, the parts of weights 4:3:2:1 add up to 30 KB."""
    w, W, D, lam = sp.symbols("w W D lam", positive=True)
    proof = smt.prove([w <= W], w / W * D * lam <= D * lam)
    parts = schemes.pmsb_queue_thresholds(Fraction(62_500), [Fraction(n) for n in (4, 3, 2, 1)], Fraction(12, 25))
    check(sum(parts) == schemes.pmsb_port_threshold(Fraction(62_500), Fraction(12, 25)) == 30_000, f"{parts}")
    return proof.proved("K w_i / sum w <= K")


@evidence("dynaq.sec2.3.pql-quota", form="printed", strength="smt")
def pql_looks_at_one_queue_only() -> Outcome:
    """Any number of queues, none of which can be looked at but the packet's own: admitted iff q + s <= quota."""
    return admits(lambda: PQL((quota,)), Few({0: q_p}), q_p + size <= quota, "q + s <= quota")


@evidence("dynaq.sec2.3.tcn.dequeue", form="assumed", strength="smt")
def what_comes_later_in_another_queue_is_sent_between() -> Outcome:
    """A packet that comes while the one in front is sent has the next turn: the other leaves by its time later.

    Then the port itself, with sizes and times that do not divide each other.
    """
    front, own, later, mu = sp.symbols("front own later mu", positive=True)
    t = sp.Symbol("t", nonnegative=True)
    leaves = (front + later + own) / mu
    numbers = (Fraction(1), Fraction(5, 2), Fraction(7, 3))
    for a, b, c, rate in product(numbers, repeat=4):
        queue = [PortPacket(Fraction(0), a, 1), PortPacket(Fraction(0), b, 1)]
        one, two = passages(queue, rate), passages([*queue, PortPacket(a / rate * Fraction(2, 7), c, 2)], rate)
        check(one[1].end == (a + b) / rate and two[1].end == (a + b + c) / rate, f"{a}, {b}, {c} at {rate}")
        check(one[1].queue_out == two[1].queue_out, "the same state when it comes")
    return smt.prove([t < front / mu], leaves > (front + own) / mu).proved("later by later / mu")


@evidence("dynaq.table1", form="printed", strength="smt")
def each_quantity_of_table_1_has_one_value() -> Outcome:
    """Equations (1) to (4) each have one solution; the engine's step is a function of thresholds, lengths and packet.

    S_i W = B w_i (and T_i, WBDP_i alike) has one solution since W > 0, and the extra is a difference. The thresholds
    after an arrival are the engine's on every path, with the tie-break named.
    """
    w, W, x, y, amount = sp.symbols("w W x y amount", positive=True)
    one = smt.prove([sp.Eq(x * W, amount * w), sp.Eq(y * W, amount * w)], sp.Eq(x, y))
    for p in range(3):
        ruled(3, p, lambda r: same(sum(r.after), sum(r.before)), "thresholds after an arrival")
    return one.proved("each equation has one solution, and each path one ruling")


@evidence("dynaq.sec6.dts", form="assumed", strength="smt")
def large_reservations_do_not() -> Outcome:
    """Prove that a window halved at BDP + b with b = B - reserved < BDP leaves the pipe partly empty."""
    B, reserved, D = sp.symbols("B reserved D", positive=True)
    proof = smt.prove([reserved < B, B - reserved < D], (D + B - reserved) / 2 < D)
    used = schemes.sawtooth_utilisation(Fraction(85_000 - 3 * 15_000), Fraction(62_500))
    check(used < 1, f"{used}")
    return proof.proved("with 15 KB reserved for each of three idle queues 40 of 62.5 KB are left")


@evidence("dynaq.sec1.per-port-fairness", form="printed", strength="smt")
def a_port_with_more_leaves_another_with_less() -> Outcome:
    """Prove for n ports: if one exceeds memory/n, the others together have less than (n - 1) memory/n."""
    memory, n, x = sp.symbols("memory n x", positive=True)
    rest = sp.Symbol("rest", nonnegative=True)
    proof = smt.prove([n >= 2, x + rest <= memory, n * x > memory], n * rest < (n - 1) * memory)
    return proof.proved("the n - 1 others average less than memory/n, so that one of them has less")


@evidence("dynaq.sec1.pql-single", form="printed", strength="smt")
def a_quota_of_a_shallow_buffer_is_below_the_bdp() -> Outcome:
    """Shallow: B does not hold a BDP for each of M queues. Then an equal quota B/M is below the BDP, and conversely."""
    M = sp.Symbol("M", integer=True)
    share = sp.Symbol("share", positive=True)
    smt.prove([M >= 1, sp.Eq(share * M, B), share < D], B < M * D)
    return smt.prove([M >= 1, sp.Eq(share * M, B), B < M * D], share < D).proved("B/M < BDP iff B < M BDP")


@evidence("dynaq.sec1.large-buffer", form="printed", strength="symbolic")
def any_buffer_fills_under_overload() -> Outcome:
    """Solve (lambda - C) t = B: an overload fills every buffer after B / (lambda - C)."""
    t, B, excess = sp.symbols("t B excess", positive=True)
    (full,) = sp.solve(sp.Eq(excess * t, B), t)
    check(sp.simplify(full - B / excess) == 0 and full.is_positive, str(full))
    return Proved(f"full at t = {full}, for every B", {"B": "1000000", "excess": "125000000", "t": "1/125"})


@evidence("dynaq.ours.pmsb", form="printed", strength="smt")
def dropping_pmsb_protects_k_i_and_stays_below_2k() -> Outcome:
    """Induction for any queues and sizes: what queues hold beyond their K_i, E in all, stays below K.

    E grows only when the port is within K, and then the queue that grows holds K_i that do not count. The rest, at most
    K_i of each queue, is at most K: so sum q < 2K <= B, and a packet within K_i, for which not both conditions hold,
    finds room. The others hold m within theirs (at most K - K_i) and e beyond.
    """
    m, e = within, beyond
    both = (q_p + m + e + size > K) & (q_p + size > K_i)
    fits = q_p + m + e + size <= buffer
    admits(
        lambda: PMSB(buffer, K, (K_i,)),
        Few({0: q_p}, q_p + m + e),
        ~both & fits,
        "it fits, not beyond K and beyond K_i",
    )
    state = [K_i + m <= K, largest(0, q_p - K_i) + e < K, buffer >= 2 * K]
    PORT.prove([*state, ~both, fits], largest(0, q_p + size - K_i) + e < K)  # an arrival
    PORT.prove([*state, size <= q_p], largest(0, q_p - size - K_i) + e < K)  # a departure
    PORT.prove(state, q_p + m + e < 2 * K)
    return PORT.prove([*state, q_p + size <= K_i], ~both & fits).proved("never refused within K_i, never 2K held")


@evidence("dynaq.ours.sawtooth", form="printed", strength="symbolic")
def a_halving_window_uses_three_quarters_or_more() -> Outcome:
    """Certify 3/4 <= U <= 1 for b = BDP u / (1 + u), u >= 0, and compare U with the numbers for PQL's quotas."""
    u = sp.Symbol("u", nonnegative=True)
    top = 1 + u / (1 + u)
    below, above = 1 - top / 2, (top**2 - 1) / 2  # time below the BDP and above it, in base round trips per BDP
    used = ((1 - top**2 / 4) / 2 + above) / (below + above)
    slack.certificate(sp.cancel(used - sp.Rational(3, 4)), {})
    pipe, more = sp.Symbol("BDP", positive=True), sp.Symbol("more", nonnegative=True)
    slack.certificate((pipe + (pipe + more)) / 2 - pipe, {})  # b = BDP + more: half of the peak is a BDP, no time below
    certificate = slack.certificate(sp.cancel(1 - used), {}, strict=True)
    for b, D, quoted in ((21_250, 62_500, "0.93"), (24_000, 105_000, "0.88"), (125_000, 500_000, "0.89")):
        exact = schemes.sawtooth_utilisation(Fraction(b), Fraction(D))
        at = sp.Rational(b, D - b)  # u with b = BDP u / (1 + u)
        check(sp.Rational(exact.numerator, exact.denominator) == used.subs(u, at), f"{exact}")
        check(abs(exact - Fraction(quoted)) <= Fraction(1, 200), f"{float(exact)}")
    return certificate.proved("3/4 <= U < 1 for b < BDP; 0.93, 0.88 and 0.89 for PQL's quotas")
