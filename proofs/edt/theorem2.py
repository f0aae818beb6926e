"""Section 3.2: Theorem 2, equations (13) to (29); proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.ledger.provers import smt
from dtmodel.theory.dt import formulas

from .derivation import (
    B,
    C,
    F_before,
    G,
    N,
    alpha,
    bursts_meet,
    free_slope,
    n,
    nonnegative,
    positive,
    r_k,
    same,
    stage,
    surplus,
    t,
    t_before,
    threshold_line,
)

F_0 = B / (1 + alpha * N)
D = sp.Symbol("D", real=True)
G_1 = sp.Symbol("G_1", positive=True)
HYPOTHESIS = sp.Le(alpha * G_1, (1 + alpha * N) * C)
SLOW = {C: (alpha * G + surplus) / (1 + alpha * n)}
"""alpha G_k <= (1 + alpha n) C, with a slack."""


FOLLOWING = {"alpha": "1", "B": "12", "C": "1", "N": "1", "n": "1", "G_1": "2", "G_k": "2", "r_k": "1"}
WITHIN_FOLLOWING = ("alpha * G_1 <= (1 + alpha * N) * C", "r_k <= G_k")


@evidence("edt.ours.theorem2", form="printed", strength="symbolic")
@evidence(
    "edt.thm2",
    "edt.eq13",
    "edt.thm2.proof.conclusion",
    "edt.thm2.proof.step.drop",
    "edt.abstract.sufficient-conditions",
    form="assumed",
    strength="symbolic",
)
def theorem_2_by_induction_and_without_recursion() -> Outcome:
    """The invariant F_{k-1} (1 + alpha n) + G_k t_{k-1} = B turns (14) into the closed form, and carries over."""
    state = {F_before: (B - G * t_before) / (1 + alpha * n)}
    time, free = stage()
    closed = formulas.follow_drop_time(alpha, B, n, r_k, G)
    same(time.xreplace(state), closed, "t_k without recursion")
    same(closed, alpha * B / ((1 + alpha * n) * r_k + alpha * G), "t_k as stated")
    same(free.xreplace(state), formulas.follow_free(alpha, B, n, r_k, G), "F_k without recursion")
    same(formulas.free_at_drop(alpha, r_k, closed), formulas.follow_free(alpha, B, n, r_k, G), "F_k = r_k t_k / alpha")
    same(F_0 * (1 + alpha * N) + G_1 * 0, B, "the invariant at k = 1")
    after = free.xreplace(state) * (1 + alpha * (n + 1)) + (G - r_k) * closed
    same(after, B, "the invariant at k + 1")
    positive(r_k - alpha * free_slope(G - r_k, 0, n + 1), {G: r_k + sp.Symbol("rest", nonnegative=True)})
    return Proved(f"t_k = {closed}; just after it the port rejects", {**FOLLOWING, "t_k": "3"}, WITHIN_FOLLOWING)


@evidence("edt.eq27", "edt.eq28", "edt.eq29", "edt.eq14.t", "edt.eq14.F", "edt.eq14.G",
          form="printed", strength="symbolic")  # fmt: skip
def the_step_of_theorem_2() -> Outcome:
    """Solve (R_k - C) t = T(t) from the state before, and compare with (14), (27), (28) and (29)."""
    line = threshold_line(F_before, free_slope(G, 0, n), t_before)
    same(line, alpha * (F_before - G / (1 + alpha * n) * (t - t_before)), "(27)")
    time, free = stage()
    inner = F_before + alpha * F_before * n + G * t_before
    same(time, alpha * inner / (r_k * (1 + alpha * n) + alpha * G), "t_k as printed in (14)")
    same(time, alpha * (F_before * (1 + alpha * n) + G * t_before) / (r_k * (1 + alpha * n) + alpha * G), "(28)")
    same(time, formulas.printed_follow_time(alpha, n, r_k, G, (t_before, F_before)), "t_k in the code")
    same(free, F_before - G * (time - t_before) / (1 + alpha * n), "(29)")
    same(free, formulas.printed_follow_free(alpha, n, G, (t_before, F_before), time), "F_k in the code")
    nonnegative(alpha * free_slope(G, 0, n) + C, SLOW)  # the motion is the right one
    return Proved(f"t_k = {time}", FOLLOWING, WITHIN_FOLLOWING)


@evidence("edt.sec3.2.tk", "edt.sec3.2.Fk", form="printed", strength="symbolic")
def the_meetings_are_in_order() -> Outcome:
    """Where queue k is not longer than the threshold at t_{k-1}, t_k >= t_{k-1}, with equality iff they are equal."""
    time, free = stage()
    room = sp.Symbol("room", nonnegative=True)  # T(t_{k-1}) - Q_k(t_{k-1})
    state = {F_before: (r_k * t_before + room) / alpha}
    nonnegative(time - t_before, state)
    gap = sp.cancel((time - t_before).xreplace(state) / room)
    positive(gap)  # so t_k = t_{k-1} iff room = 0, and room = (R_{k-1} - R_k) t_{k-1}
    same(alpha * free, r_k * time, "alpha F_k = (R_k - C) t_k")
    previous = sp.Symbol("r_{k-1}", positive=True)
    same((previous * t_before - r_k * t_before), (previous - r_k) * t_before, "the room left by the port before")
    return Proved(f"t_k - t_(k-1) = room times {gap}", FOLLOWING, WITHIN_FOLLOWING)


@evidence("edt.eq24", "edt.eq25", "edt.eq26", "edt.sec3.2.t0", form="printed", strength="symbolic")
def the_first_port_meets_the_threshold() -> Outcome:
    """Solve (R_1 - C) t = T(t) on (23): (25), (26), and (14) with t_0 = 0."""
    r_1, start = sp.Symbol("r_1", positive=True), sp.Symbol("F_0", positive=True)
    line = threshold_line(start, free_slope(G_1, 0, N))
    time = bursts_meet(r_1, line)
    same(time, alpha * start * (1 + alpha * N) / (r_1 * (1 + alpha * N) + alpha * G_1), "(25)")
    same(line.subs(t, time), r_1 * time, "(24)")
    free = start + free_slope(G_1, 0, N) * time
    same(free, start - G_1 * time / (1 + alpha * N), "(26)")
    same(time, formulas.printed_follow_time(alpha, N, r_1, G_1, (sp.Integer(0), start)), "(14) for k = 1")
    same(free, formulas.printed_follow_free(alpha, N, G_1, (sp.Integer(0), start), time), "F_1 of (14)")
    positive(time)
    return Proved(f"t_1 = {time}", FOLLOWING, WITHIN_FOLLOWING)


@evidence("edt.sec3.steady-state", "edt.sec3.initial", "edt.eq15", "edt.eq16", "edt.sec3.2.F0",
          form="printed", strength="symbolic")  # fmt: skip
def the_steady_state_is_unique_and_rests() -> Outcome:
    """Solve (15), and the fluid equation with N queues on the threshold and none growing."""
    F = sp.Symbol("F_0", positive=True)
    (solution,) = sp.solve(sp.Eq(F, formulas.free_of_queues(B, N * formulas.threshold(alpha, F))), F)
    same(solution, formulas.initial_free(alpha, B, N), "F_0")
    positive(solution)
    same(free_slope(0, 0, N), 0, "F' in steady state")
    same(N * alpha * solution + solution, B, "queues and free buffer fill B")
    nonnegative(alpha * B - alpha * solution)
    example = {"alpha": "1", "B": "12", "N": "2", "F": "4"}
    return Proved(f"F_0 = {solution}, F' = 0", example, ["F == B - N * alpha * F", "F > 0"])


@evidence("edt.thm2.proof.threshold-falls", form="printed", strength="symbolic")
def the_bursts_take_free_buffer() -> Outcome:
    """Bursts make free buffer and threshold fall: F' = -G_1 / (1 + alpha N) < 0 and T' = alpha F' < 0."""
    positive(-free_slope(G_1, 0, N))
    positive(-alpha * free_slope(G_1, 0, N))
    return Proved("F' < 0 and T' < 0", FOLLOWING, WITHIN_FOLLOWING)


@evidence("edt.thm2.proof.same-rate", "edt.thm2.proof.D-negative", form="printed", strength="smt")
def only_following_is_possible() -> Outcome:
    """D = clip(T', -C, R - C) with R >= C and T' by (19) has, under the hypothesis, only the solution D = T' < 0."""
    R = sp.Symbol("R", positive=True)
    slope = -alpha * G_1 - alpha * N * D
    rule = sp.Eq(D, sp.Max(-C, sp.Min(R - C, slope)))
    proof = smt.prove([HYPOTHESIS, R >= C, rule], sp.Eq(D, slope))
    smt.prove([HYPOTHESIS, R >= C, rule], D < 0)
    return Proved("D = T' < 0", {**proof.example})


@evidence("edt.eq17", "edt.eq18", "edt.eq19", "edt.thm3.proof.slope", form="printed", strength="symbolic")
def with_the_steady_queues_at_slope_D() -> Outcome:
    """F = B - sum Q with the M queues at G_1 in sum and the N queues at D each; differentiate T = alpha F."""
    free = formulas.free_of_queues(B, G_1 * t + N * (alpha * F_0 + D * t))
    same(free, F_0 - G_1 * t - N * D * t, "(17)")
    line = formulas.threshold(alpha, free)
    same(line, alpha * (F_0 - G_1 * t - N * D * t), "(18)")
    same(sp.diff(line, t), -alpha * G_1 - alpha * N * D, "(19)")
    return Proved("T' = -alpha G_1 - alpha N D", FOLLOWING)


@evidence("edt.eq20", "edt.eq21", "edt.thm2.proof.eq21", form="printed", strength="smt")
def the_contradiction_of_the_basis() -> Outcome:
    """(21) from (19) and the hypothesis; (20) from it with D = -C where T' < -C; z3 and cvc5."""
    slope = -alpha * G_1 - alpha * N * D
    proof = smt.prove([HYPOTHESIS], slope >= -C - alpha * N * (C + D))
    smt.prove([HYPOTHESIS, sp.Eq(D, -C)], slope >= -C)
    # The rule gives D = -C if T' < -C, and -C <= D always; were T' < -C, then T' >= -C:
    smt.prove([HYPOTHESIS, D >= -C, sp.Implies(slope < -C, sp.Eq(D, -C))], slope >= -C)
    return Proved("T' >= -C - alpha N (C + D); so T' >= -C", {**proof.example})


@evidence("edt.thm2.proof.contradiction", form="printed", strength="smt")
def queues_that_cannot_follow_drain() -> Outcome:
    """On the threshold Q' = clip(T', -C, R - C) = -C if T' < -C; above it Q' = -C anyway; z3 and cvc5."""
    slope, R = sp.symbols("Tdot R", real=True)
    proof = smt.prove([slope < -C, R >= C], sp.Eq(sp.Max(-C, sp.Min(R - C, slope)), -C))
    return Proved("clip(T', -C, R - C) = -C", {**proof.example})


@evidence("edt.thm2.proof.lower-rate", form="repaired", strength="smt")
def up_to_the_boundary_it_falls_at_c_at_most() -> Outcome:
    """With the queues on the threshold T' >= -C; z3 and cvc5."""
    proof = smt.prove([HYPOTHESIS], alpha * free_slope(G_1, 0, N) >= -C)
    return Proved("T' >= -C", {**proof.example})


@evidence("edt.eq22", "edt.eq23", form="printed", strength="symbolic")
def the_slope_of_the_basis() -> Outcome:
    """Solve D = -alpha G_1 - alpha N D; it is the fluid equation's slope with N queues on the threshold."""
    (solution,) = sp.solve(sp.Eq(D, -alpha * G_1 - alpha * N * D), D)
    same(solution, -alpha * G_1 / (1 + alpha * N), "(22)")
    same(solution, formulas.follow_slope(alpha, N, G_1), "(22) in the code")
    same(solution, alpha * free_slope(G_1, 0, N), "(22) from the fluid equation")
    same(threshold_line(F_0, free_slope(G_1, 0, N)), alpha * (F_0 - G_1 / (1 + alpha * N) * t), "(23)")
    return Proved(f"D = {solution}", FOLLOWING, WITHIN_FOLLOWING)


@evidence("edt.thm2.proof.until", "edt.thm2.proof.basis", form="assumed", strength="symbolic")
@evidence("edt.thm2.proof.step.next", form="printed", strength="symbolic")
def the_largest_rate_meets_the_threshold_first() -> Outcome:
    """Empty at 0, the others are shorter at t_k by (r_k - r_j) t_k >= 0, and until then T is above."""
    smaller, x = sp.Symbol("r_j", positive=True), sp.Symbol("x", nonnegative=True)
    time, free = stage()
    lag = r_k * time - smaller * time
    nonnegative(lag, {r_k: smaller + x, t_before: sp.Symbol("tau", nonnegative=True)})
    # and before t_k the threshold is above queue k: their distance closes at a constant positive rate
    positive(r_k - alpha * free_slope(G, 0, n))
    same(alpha * free, r_k * time, "at t_k they meet")
    return Proved("the largest rate meets it first; its port then rejects", FOLLOWING, WITHIN_FOLLOWING)


@evidence("edt.thm2.proof.step.condition", form="printed", strength="symbolic")
def the_hypothesis_carries_over() -> Outcome:
    """From alpha (G_{i+1} + r_i) <= (1 + alpha n) C to alpha G_{i+1} <= (1 + alpha (n + 1)) C, by slack."""
    r_i, later = sp.symbols("r_i G_{i+1}", positive=True)
    held = {C: (alpha * (later + r_i) + surplus) / (1 + alpha * n)}
    nonnegative((1 + alpha * (n + 1)) * C - alpha * later, held)
    return Proved("the slack only grows", FOLLOWING, WITHIN_FOLLOWING)


@evidence("edt.thm2.proof.step.count", form="assumed", strength="symbolic")
def every_port_that_has_met_the_threshold_follows_it() -> Outcome:
    """With n queues on the threshold, none above: -C <= T' <= 0 <= R_j - C, so each can and does follow."""
    slope = alpha * free_slope(G, 0, n)
    nonnegative(slope + C, SLOW)
    positive(-slope)
    return Proved(f"-C <= {slope} < 0", FOLLOWING, WITHIN_FOLLOWING)
