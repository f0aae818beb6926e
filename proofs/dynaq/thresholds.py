"""Section 3.2: equations (2) to (4), thresholds and satisfaction thresholds; proofs."""

from fractions import Fraction
from itertools import product
from typing import Any, cast

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import every_path, truth
from dtmodel.packet.dynaq.algorithm import DynaQ, DynaQPort, rule
from dtmodel.packet.dynaq.schemes import PMSB, PQL
from dtmodel.theory.dynaq import formulas as dynaq

from .paths import PORT, Few, K, K_i, admits, buffer, q_p, quota, rules, size, total
from .step import QUEUES, for_each_number_of_queues, for_each_role, identity, parts_add_up, weights
from .systems import all_queues, the_sum_by_roles

D, B, lam, w, whole, C, RTT = sp.symbols("D B lam w whole C RTT", positive=True)
q, Q, T, t = sp.symbols("q Q T t", nonnegative=True)
B_real, s, T_p, R, T_v = sp.symbols("B s T_p R T_v", real=True)


@evidence("dynaq.eq1", "dynaq.sec2.3.pmsb.k", "dynaq.sec3.2.4.ecn-thresholds",
          form="printed", strength="symbolic")  # fmt: skip
@evidence("dynaq.sec3.2.4.reinitialise", form="repaired", strength="symbolic")
def weighted_parts_add_up_for_any_number_of_queues() -> Outcome:
    """The parts of the first k weights are their part of the whole; of C RTT, of B, of K = C RTT lambda, of B'."""
    for amount in (D, B, D * lam, sp.Symbol("B'", positive=True)):
        parts_add_up(amount)
    return Proved("parts of the first k + 1 weights", {"W_k": "3", "w": "3", "W": "6"})


@evidence("dynaq.sec3.2.4.sum-breaks", form="printed", strength="symbolic")
def a_changed_buffer_breaks_the_sum() -> Outcome:
    """Thresholds that sum to B do not sum to another B'."""
    new = sp.Symbol("delta", positive=True)
    check(sp.simplify((B + new) - B) == new, "the sum is off by the change")
    return Proved("sum T = B differs from B' by B' - B", {"B": "85000", "new": "192000"}, ["new - B != 0"])


@evidence("dynaq.sec3.2.4.reinitialise", form="repaired", strength="symbolic")
def equation_2_initialises_to_the_new_buffer() -> Outcome:
    """Equation (2) with the new buffer sums to it."""
    for M in QUEUES:
        w = weights(M)
        identity(sum(B * item / sum(w) for item in w), B)
    return Proved("sum of B' w_i / sum w = B'", {"B'": "6"})


@evidence("dynaq.sec3.2.1.guideline3", form="assumed", strength="smt")
def quotas_of_a_bdp_each_need_m_bdps() -> Outcome:
    """If each of k quotas is at least D their sum is at least k D: with B < M D not all of M are."""
    k = sp.Symbol("k", integer=True)
    smt.prove([k >= 0, k * D <= Q, q >= D], Q + q >= (k + 1) * D)
    return smt.prove([k >= 1, k * D <= Q, k * D > B], Q > B).proved("quotas of a BDP each do not fit")


@evidence("dynaq.sec3.2.1.guideline3", form="assumed", strength="smt")
def static_quotas_cannot_give_everybody_a_bdp() -> Outcome:
    """Prove that some quota is below the BDP when the quotas fit into a buffer of less than M BDPs."""
    D = sp.Symbol("D", positive=True)
    example = {}
    for M in QUEUES:
        quota = sp.symbols(f"b1:{M + 1}", nonnegative=True)
        proof = smt.prove([sum(quota) <= B, B < M * D], sp.Or(*(item < D for item in quota)))
        example = {str(key): str(value) for key, value in proof.example.items()}
    return Proved("sum of quotas <= B < M BDP: some quota is below the BDP", example)


@evidence("dynaq.fn1", form="printed", strength="smt")
def a_queue_is_satisfied_or_not() -> Outcome:
    """T < S and T >= S exclude each other and leave nothing out, for any T and S."""
    T, S = sp.Symbol("T", nonnegative=True), sp.Symbol("S", positive=True)
    smt.prove([T < S], sp.Not(T >= S))
    return smt.prove([S > 0], sp.Or(T < S, T >= S)).proved("exactly one of both")


@evidence("dynaq.sec3.2.2.sum", form="printed", strength="smt")
def the_sum_for_every_m() -> Outcome:
    """Prove that an adjustment keeps the sum: (T_p + s) + (T_v - s) + R = B from T_p + T_v + R = B."""
    goal = sp.Eq((T_p + s) + (T_v - s) + R, B_real)
    return for_each_role([goal], [sp.Eq(T_p + T_v + R, B_real)], "the sum stays B")


@evidence("dynaq.sec3.2.2.sum", "dynaq.alg1.line6", "dynaq.alg1.line7", "dynaq.eq3",
          form="printed", strength="symbolic")  # fmt: skip
def the_sum_by_identities() -> Outcome:
    """Certify the sum with signs for all of three queues, and the sum for every M by roles."""
    example = all_queues(3).certificate().example
    the_sum_by_roles().certificate()
    return Proved("every step of three queues keeps sum T = sum S; by roles for every M", example)


@evidence("dynaq.sec3.2.2.sum-above", form="printed", strength="smt")
def thresholds_that_fit_protect_for_any_number_of_queues() -> Outcome:
    """Sums of q_i <= T_i: with sum T <= B a packet within its threshold fits; with sum T > B it need not."""
    q_p, T_p, s = sp.symbols("q_p T_p s", positive=True)
    smt.prove([Q <= T, q <= t], Q + q <= T + t)
    within = [Q <= T, q_p + s <= T_p]
    smt.refute([*within, T_p + T > B, q_p + Q <= B], q_p + Q + s <= B)
    return smt.prove([*within, T_p + T <= B], q_p + Q + s <= B).proved("sum q + s <= sum T <= B")


@evidence("dynaq.sec3.2.2.sum-above", form="printed", strength="smt")
def thresholds_that_fit_protect_and_larger_ones_do_not() -> Outcome:
    """With sum T <= B and q_i <= T_i a packet within its threshold finds room; with sum T > B it need not."""
    for M in QUEUES:
        T = sp.symbols(f"T1:{M + 1}", nonnegative=True)
        q = sp.symbols(f"q1:{M + 1}", nonnegative=True)
        s = sp.Symbol("s", positive=True)
        within = [*(a <= b for a, b in zip(q, T, strict=True)), q[0] + s <= T[0]]
        fits = smt.prove([*within, sum(T) <= B], sum(q) + s <= B)
        smt.refute([*within, sum(T) > B, sum(q) <= B], sum(q) + s <= B)
    return fits.proved("a queue within its threshold can be refused for the others' sake exactly if sum T > B")


@evidence("dynaq.sec3.2.2.sum-below", form="printed", strength="smt")
def lower_thresholds_leave_buffer_for_any_queues() -> Outcome:
    """Sums of q_i <= T_i: B - sum q is at least B - sum T."""
    smt.prove([Q <= T, q <= t], Q + q <= T + t)
    return smt.prove([Q <= T, T < B], [B - Q >= B - T, B - T > 0]).proved("B - sum q >= B - sum T > 0")


@evidence("dynaq.sec3.2.2.sum-below", form="printed", strength="smt")
def thresholds_that_sum_to_less_leave_buffer_unused() -> Outcome:
    """With q_i <= T_i and sum T < B at least B - sum T is never used, as under quotas."""
    for M in QUEUES:
        T = sp.symbols(f"T1:{M + 1}", nonnegative=True)
        q = sp.symbols(f"q1:{M + 1}", nonnegative=True)
        within = [a <= b for a, b in zip(q, T, strict=True)]
        proof = smt.prove([*within, sum(T) < B], B - sum(q) >= B - sum(T))
    return proof.proved("B - sum q >= B - sum T > 0")


@evidence("dynaq.eq1", "dynaq.eq2", "dynaq.eq4", "dynaq.ours.initially-satisfied", form="printed", strength="symbolic")
def weighted_parts_add_up() -> Outcome:
    """Sum equations (1), (2) and (4) over the queues: C RTT, B and B; (2) and (4) are the same numbers."""
    for M in QUEUES:
        w = weights(M)
        identity(sum(C * RTT * item / sum(w) for item in w), C * RTT)
        identity(sum(B * item / sum(w) for item in w), B)
    example = dynaq.initial_thresholds(Fraction(6), [Fraction(1), Fraction(2), Fraction(3)])
    check(example == dynaq.satisfaction_thresholds(Fraction(6), [Fraction(1), Fraction(2), Fraction(3)]), "(2) is (4)")
    check(sum(example) == 6 and min(example) > 0, "positive parts of B")
    return Proved("the parts are positive and sum to C RTT and to B", {"B": "6", "T": list(map(str, example))})


@evidence("dynaq.eq3", form="printed", strength="smt")
def extras_sum_to_nothing() -> Outcome:
    """Prove that the extras T - S sum to 0 before and after a step."""
    return for_each_number_of_queues(
        lambda x: (
            [*x.legal, *x.largest, *x.may_give],
            sp.Eq(sum(T - S for T, S in zip(x.T_new, x.S, strict=True)), 0),
        ),
        "extras sum to 0, so that some other queue has one whenever queue p is unsatisfied",
    )


@evidence("dynaq.sec3.2.2.wbdp-enough", "dynaq.eq6.sufficient", form="assumed", strength="smt")
def a_halving_window_needs_no_more_than_a_bdp() -> Outcome:
    """Half or more is kept of a window that fills its pipe, the weighted BDP or more, and a buffer of that size."""
    b, pipe, kept = sp.symbols("b pipe kept", positive=True)
    cut = [pipe >= D, b >= D, kept <= 1]
    smt.refute(cut, kept * (pipe + b) >= D)
    return smt.prove([*cut, 2 * kept >= 1], kept * (pipe + b) >= D).proved("b >= WBDP leaves a window of the WBDP")


@evidence("dynaq.sec3.2.2.S-greater", form="printed", strength="smt")
def satisfaction_exceeds_wbdp_iff_the_buffer_exceeds_bdp() -> Outcome:
    """Prove B w / W > C RTT w / W from B > C RTT, and the converse."""
    w, W, D = sp.symbols("w W D", positive=True)
    forth = smt.prove([B > D, w <= W], B * w / W > D * w / W)
    smt.prove([B * w / W > D * w / W, w <= W], B > D)
    return forth.proved("S_i > WBDP_i if and only if B > BDP")


@evidence("dynaq.ours.smaller-S", form="printed", strength="smt")
def a_smaller_satisfaction_threshold_is_kept_as_well() -> Outcome:
    """Prove the base from (2) and both steps: an active queue is a victim that line 3 accepts, or the sender."""
    B, D, w, W, T, s = sp.symbols("B D w W T s", positive=True)
    base = smt.prove([B >= D], B * w / W >= D * w / W)
    need = sp.Symbol("need", nonnegative=True)
    smt.prove([need <= T, sp.Not(sp.Or(s > T, T - s < need))], T - s >= need)
    smt.prove([need <= T], T + s >= need)
    return base.proved("T_i starts at B w / W >= BDP w / W, and no step of line 6 or 7 leads below it")


@evidence("dynaq.ours.initially-satisfied", form="printed", strength="symbolic")
def equations_2_and_4_are_one_formula() -> Outcome:
    """Subtract the right sides of (2) and (4): the extra of equation (3) at the start is 0 for any weights."""
    parts = sp.symbols("w_i others", positive=True)
    extra, _ = dynaq.extra_buffer(dynaq.initial_thresholds(B, parts), dynaq.satisfaction_thresholds(B, parts))
    check(sp.cancel(extra) == 0, "the extra")
    return Proved("T_i - S_i = B w_i / sum w - B w_i / sum w = 0", {"B": "6", "w_i": "1", "W": "6"})


@evidence("dynaq.ours.thresholds-unbounded", form="printed", strength="smt")
def the_cycle_that_adds_a_byte_repeats_at_any_length() -> Outcome:
    """With S = 1 each, T = (2, 0) and q = (n, 0), any n >= 2, a round ends with the same T and q_1 = n + 1.

    Queue 2 takes a byte of threshold and leaves; queue 1 takes it back with a packet.
    """
    n: Any = total

    def run() -> tuple[list[str], tuple[Any, ...]]:
        port = rules((1, 1), admit="thresholds")
        one = rule(port, (2, 0), (n, 0), 1, 1)
        two = rule(port, one.thresholds, (n, 0), 0, 1)
        return [one.decision, two.decision], two.thresholds

    return PORT.prove_paths(
        every_path(run), lambda r: r == (["enqueue", "enqueue"], (2, 0)), "a byte more, and the same thresholds",
        given=[n >= 2],
    )  # fmt: skip


@evidence("dynaq.ours.stale-S", form="printed", strength="symbolic")
def stale_satisfaction_thresholds_miss_the_change() -> Outcome:
    """The new thresholds add up to B', the old S to B: the extras to B' - B."""
    new = sp.Symbol("B_new", positive=True)
    parts_add_up(new)
    parts_add_up(B)
    check(sp.cancel((new * w / whole - B * w / whole) - (new - B) * w / whole) == 0, "each extra is a part of B' - B")
    return Proved("the extras are the parts of B' - B", {"B": "4", "B'": "6"})


@evidence("dynaq.ours.stale-S", form="printed", strength="symbolic")
def a_new_buffer_needs_new_satisfaction_thresholds() -> Outcome:
    """With T from (2) for B' and S from (4) for B, the extras sum to B' - B instead of 0."""
    new = sp.Symbol("B_new", positive=True)
    for M in QUEUES:
        w = weights(M)
        identity(sum(new * item / sum(w) - B * item / sum(w) for item in w), new - B)
    return Proved("the extras sum to B' - B: S has to be computed again as well", {"B": "4", "B'": "6"})


@evidence("dynaq.sec3.2.1.every-arrival", form="printed", strength="symbolic")
def a_departure_does_not_look_at_the_thresholds() -> Outcome:
    """Two to five queues, with packets or without: a departure leaves thresholds of which nothing can be asked."""
    for queues in QUEUES:
        for queue, held in product(range(queues), (0, 1, 2)):
            port = DynaQPort(DynaQ(queues * 3, (1,) * queues))
            for _ in range(held):
                port.arrive(queue, 1)
            port.thresholds = unseen = cast(Any, object())
            check((port.depart(queue) is None) == (held == 0) and port.thresholds is unseen, f"{queue} of {queues}")
    return Proved("what stands for the thresholds is the same object afterwards", {"queues": "2", "held": "1"})


@evidence("dynaq.ours.ecn-mode-static", form="printed", strength="smt")
def within_a_quota_below_k_no_packet_is_marked() -> Outcome:
    """A queue that is alone holds q <= quota <= K at every packet that PQL admits: on no path would PMSB act on it."""
    alone = Few({0: q_p}, q_p)
    admits(lambda: PQL((quota,)), Few({0: q_p}), q_p + size <= quota, "the limit")
    within = [q_p + size <= quota, quota <= K, quota <= buffer]
    return admits(lambda: PMSB(buffer, K, (K_i,)), alone, truth(True), "never beyond K", within)
