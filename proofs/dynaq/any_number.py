"""Sums over any number of queues, by induction over the queues; rates, classes and counters for any values.

A sum over the first k queues is one symbol with a capital letter, what queue k + 1 adds is a small one. What holds for
no queue and is kept when a queue is added holds for every number of them.
"""

from __future__ import annotations

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.packet.dynaq import DynaQ, Port
from dtmodel.packet.service_queues import jain
from dtmodel.provers import smt
from dtmodel.theory import dynaq_formulas

B, D, W, whole, lam, w, C = sp.symbols("B D W whole lam w C", positive=True)
Q, q, T, t, S, X = sp.symbols("Q q T t S X", nonnegative=True)


def parts_add_up(amount: sp.Expr) -> None:
    """Check amount W_k / W + amount w / W = amount (W_k + w) / W: so all parts add up to amount W / W."""
    so_far = sp.Symbol("so_far", nonnegative=True)
    check(sp.cancel(amount * so_far / whole + amount * w / whole - amount * (so_far + w) / whole) == 0, str(amount))
    check(sp.cancel(amount * whole / whole - amount) == 0, "all weights")
    check((amount * w / whole).is_positive, "each part is positive")


@evidence("dynaq.eq1", "dynaq.sec2.3.pmsb.k", "dynaq.sec3.2.4.ecn-thresholds",
          form="printed", strength="symbolic")  # fmt: skip
@evidence("dynaq.sec3.2.4.reinitialise", form="repaired", strength="symbolic")
def weighted_parts_add_up_for_any_number_of_queues() -> Outcome:
    """The parts of the first k weights are their part of the whole; of C RTT, of B, of K = C RTT lambda, of B'."""
    for amount in (D, B, D * lam, sp.Symbol("B'", positive=True)):
        parts_add_up(amount)
    return Proved("parts of the first k + 1 weights", {"W_k": "3", "w": "3", "W": "6"})


@evidence("dynaq.ours.initially-satisfied", form="printed", strength="symbolic")
def equations_2_and_4_are_one_formula() -> Outcome:
    """Subtract the right sides of (2) and (4): the extra of equation (3) at the start is 0 for any weights."""
    start = {"T_i": dynaq_formulas.initial_threshold().rhs, "S_i": dynaq_formulas.satisfaction_threshold().rhs}
    extra = dynaq_formulas.extra_buffer_equation().rhs
    check(sp.cancel(extra.subs({symbol: start[symbol.name] for symbol in extra.free_symbols})) == 0, "the extra")
    return Proved("T_i - S_i = B w_i / sum w - B w_i / sum w = 0", {"B": "6", "w_i": "1", "W": "6"})


@evidence("dynaq.ours.stale-S", form="printed", strength="symbolic")
def stale_satisfaction_thresholds_miss_the_change_for_any_number_of_queues() -> Outcome:
    """The new thresholds add up to B', the old S to B: the extras to B' - B."""
    new = sp.Symbol("B_new", positive=True)
    parts_add_up(new)
    parts_add_up(B)
    check(sp.cancel((new * w / whole - B * w / whole) - (new - B) * w / whole) == 0, "each extra is a part of B' - B")
    return Proved("the extras are the parts of B' - B", {"B": "4", "B'": "6"})


@evidence("dynaq.ours.room", form="printed", strength="smt")
def the_room_of_a_queue_for_any_number_of_others() -> Outcome:
    """Q and T of the others: sums of differences are differences of sums, and B - Q = T_p - (Q - T)."""
    T_p, gap, one = sp.symbols("T_p gap one", real=True)
    smt.prove([sp.Eq(gap, Q - T), sp.Eq(one, q - t)], sp.Eq(gap + one, (Q + q) - (T + t)))
    return smt.prove([sp.Eq(T_p + T, B), sp.Eq(gap, Q - T)], sp.Eq(B - Q, T_p - gap)).proved(
        "the room is T_p less what the others hold beyond theirs"
    )


@evidence("dynaq.ours.joint", form="printed", strength="smt")
def both_conditions_fit_for_any_number_of_queues() -> Outcome:
    """The weighted BDPs add up to the BDP; a sum that is at least BDP and at most B needs B >= BDP."""
    parts_add_up(D)
    smt.prove([Q >= D, Q <= B], B >= D)
    return smt.prove([B >= D, sp.Eq(Q, D)], [Q >= D, Q <= B]).proved("q_i = WBDP_i fits iff B >= BDP")


@evidence("dynaq.sec3.2.1.guideline3", form="assumed", strength="smt")
def quotas_of_a_bdp_each_need_m_bdps() -> Outcome:
    """If each of k quotas is at least D their sum is at least k D: with B < M D not all of M are."""
    k = sp.Symbol("k", integer=True)
    smt.prove([k >= 0, k * D <= Q, q >= D], Q + q >= (k + 1) * D)
    return smt.prove([k >= 1, k * D <= Q, k * D > B], Q > B).proved("quotas of a BDP each do not fit")


@evidence("dynaq.sec3.2.2.sum-above", form="printed", strength="smt")
def thresholds_that_fit_protect_for_any_number_of_queues() -> Outcome:
    """Sums of q_i <= T_i: with sum T <= B a packet within its threshold fits; with sum T > B it need not."""
    q_p, T_p, s = sp.symbols("q_p T_p s", positive=True)
    smt.prove([Q <= T, q <= t], Q + q <= T + t)
    within = [Q <= T, q_p + s <= T_p]
    smt.refute([*within, T_p + T > B, q_p + Q <= B], q_p + Q + s <= B)
    return smt.prove([*within, T_p + T <= B], q_p + Q + s <= B).proved("sum q + s <= sum T <= B")


@evidence("dynaq.sec3.2.2.sum-below", form="printed", strength="smt")
def thresholds_that_sum_to_less_leave_buffer_for_any_number_of_queues() -> Outcome:
    """Sums of q_i <= T_i: B - sum q is at least B - sum T."""
    smt.prove([Q <= T, q <= t], Q + q <= T + t)
    return smt.prove([Q <= T, T < B], [B - Q >= B - T, B - T > 0]).proved("B - sum q >= B - sum T > 0")


@evidence("dynaq.sec3.2.2.order", form="printed", strength="smt")
def the_sum_between_the_lines_for_any_number_of_queues() -> Outcome:
    """T_p, T_v and the others' sum T: after line 6 alone B - s < B; line 7 first would make it B + s."""
    T_p, T_v, s = sp.symbols("T_p T_v s", positive=True)
    whole_sum = sp.Eq(T_p + T_v + T, B)
    smt.prove([whole_sum], (T_p + s) + T_v + T > B)
    return smt.prove([whole_sum], T_p + (T_v - s) + T < B).proved("the sum is B less the packet between the lines")


@evidence("dynaq.ours.recheck", form="printed", strength="smt")
def the_recheck_looks_at_the_senders_queue_only() -> Outcome:
    """Whether lines 6 and 7 ran or not: the packet passes if q_p + s <= T_p as it is then, and q_p grows by s."""
    T_p, q_p, s, after = sp.symbols("T_p q_p s after", positive=True)
    ran = sp.Or(sp.Eq(after, T_p), sp.Eq(after, T_p + s))
    return smt.prove([ran, q_p + s <= after], after - (q_p + s) >= 0).proved("q_p <= T_p after an enqueue")


@evidence("dynaq.ours.repair", form="printed", strength="smt")
def the_repair_refuses_only_if_every_empty_queue_is_used_up() -> Outcome:
    """Line 2 finds nobody iff no queue may give; an empty one that may not has T_i < s. For each queue by itself."""
    s = sp.Symbol("s", positive=True)
    may_give = sp.And(t >= s, sp.Or(q <= 0, t - s >= S))
    return smt.prove([sp.Not(may_give), sp.Eq(q, 0)], t < s).proved("each empty queue has less than the packet left")


@evidence("dynaq.eq7.sufficient", form="printed", strength="smt")
@evidence("dynaq.sec3.1.work-conservation", form="assumed", strength="smt")
def a_queued_bdp_is_a_queued_packet() -> Outcome:
    """If every queue is empty the sum is 0, for any number of queues; a work-conserving link idles only then."""
    smt.prove([sp.Eq(Q, 0), sp.Eq(q, 0)], sp.Eq(Q + q, 0))
    busy = sp.Symbol("busy", nonnegative=True)  # the rate of the link: C, or 0 if it idles
    conserving = sp.Or(sp.Eq(busy, C), sp.Eq(Q, 0))
    smt.prove([conserving, Q > 0], sp.Eq(busy, C))
    return smt.prove([conserving, Q >= D], sp.Eq(busy, C)).proved("sum q >= C RTT > 0 leaves some queue to serve")


@evidence("dynaq.ours.not-at-every-instant", form="printed", strength="smt")
def no_buffer_makes_an_empty_port_hold_a_bdp() -> Outcome:
    """A port starts with sum q = 0, and C RTT > 0 whatever B is."""
    for buffer in (4, 10**9):
        check(sum(Port(DynaQ(buffer, (1, 1))).lengths) == 0, "a port starts empty")
    return smt.prove([sp.Eq(Q, 0), B > 0], sp.Not(Q >= D)).proved("0 < C RTT for every B")


@evidence("dynaq.sec4.1.registers@queue", form="printed", strength="smt")
def counters_follow_the_queue() -> Outcome:
    """Induction over events: a - d = n is kept by an arrival (a + 1, n + 1), a departure (d + 1, n - 1), and at 0."""
    a, d, n = sp.symbols("a d n", integer=True)
    smt.prove([sp.Eq(a - d, n)], sp.Eq((a + 1) - d, n + 1))
    return smt.prove([sp.Eq(a - d, n), n >= 1], [sp.Eq(a - (d + 1), n - 1), n - 1 >= 0]).proved("a - d = n for ever")


@evidence("dynaq.sec3.2.2.log-n@depth", form="printed", strength="smt")
def a_round_halves_the_field() -> Outcome:
    """Induction over rounds: n queues leave c = ceil(n/2); 2^(r-1) < c <= 2^r gives 2^r < n <= 2^(r+1), h = 2^(r-1)."""
    n, c, h = sp.symbols("n c h", integer=True)
    smt.prove([sp.Eq(n, 2)], [n > 1, n <= 2])  # one round
    field = [n >= 3, 2 * c >= n, 2 * c <= n + 1]
    return smt.prove([*field, h >= 1, h < c, c <= 2 * h], [2 * h < n, n <= 4 * h]).proved("ceil(log2 n) rounds")


@evidence("dynaq.sec5.2.1.metrics", form="printed", strength="symbolic")
def equal_shares_have_the_index_one_for_any_number() -> Outcome:
    """Jain's index (sum x)^2 / (n sum x^2) of n equal shares C/n."""
    n = sp.Symbol("n", positive=True)
    check(sp.simplify((n * (C / n)) ** 2 / (n * (n * (C / n) ** 2))) == 1, "the index")
    check(jain([3, 3, 3]) == 1 and jain([1, 0]) != 1, "the numeric form")
    return Proved("n^2 x^2 / (n n x^2) = 1", {"n": "7", "x": "1/7"})


@evidence("dynaq.sec5.1.1.share", form="printed", strength="symbolic")
def shares_of_any_rates_add_up_to_one() -> Outcome:
    """R_k / R + r / R = (R_k + r) / R: for any rates of any number of queues, if something was sent."""
    parts_add_up(sp.Integer(1))
    return Proved("shares of the first k + 1 queues", {"R": "6", "r": "1"}, ["R > 0"])


@evidence("dynaq.sec5.classes", form="printed", strength="smt")
def the_classes_leave_nothing_out() -> Outcome:
    """Any size is in exactly one of (0, 100 KB], (100 KB, 10 MB], (10 MB, infinity)."""
    x = sp.Symbol("x", positive=True)
    classes = [x <= 100_000, sp.And(x > 100_000, x <= 10**7), x > 10**7]
    for i, one in enumerate(classes):
        smt.prove([one], [sp.Not(other) for j, other in enumerate(classes) if i != j])
    return smt.prove([x > 0], sp.Or(*classes)).proved("exactly one class for every size")


@evidence("dynaq.sec1.pql-single", form="printed", strength="smt")
def a_quota_of_a_shallow_buffer_is_below_the_bdp() -> Outcome:
    """Shallow: B does not hold a BDP for each of M queues. Then an equal quota B/M is below the BDP, and conversely."""
    M = sp.Symbol("M", integer=True)
    share = sp.Symbol("share", positive=True)
    smt.prove([M >= 1, sp.Eq(share * M, B), share < D], B < M * D)
    return smt.prove([M >= 1, sp.Eq(share * M, B), B < M * D], share < D).proved("B/M < BDP iff B < M BDP")


@evidence("dynaq.sec2.3.mq-ecn.k", form="printed", strength="smt")
def a_capped_rate_gives_at_most_the_whole_threshold() -> Outcome:
    """With T_round = sum of quanta/C it is the part of the whole; min(quantum/T_round, C) is never more than C."""
    rate, RTT, quantum = sp.symbols("rate RTT quantum", positive=True)
    parts_add_up(C * RTT * lam)
    check(sp.cancel(quantum / (whole / C) * RTT * lam - C * RTT * lam * quantum / whole) == 0, "the part")
    smt.prove([rate >= C], sp.Eq(sp.Min(rate, C) * RTT * lam, C * RTT * lam))
    return smt.prove([rate > 0], sp.Min(rate, C) * RTT * lam <= C * RTT * lam).proved("never more than the whole")
