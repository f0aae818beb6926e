"""Theorem 3, equations (30) to (41), derived from the fluid equation: the threshold outruns the queues."""

from __future__ import annotations

import sympy as sp

from dtmodel.ledger import Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.provers import smt
from dtmodel.theory import dt_formulas as formulas

from .dt_common import (
    B,
    C,
    F_before,
    G,
    N,
    alpha,
    at,
    bursts_meet,
    free_slope,
    n,
    nonnegative,
    positive,
    r_k,
    same,
    t,
    t_before,
    threshold_line,
)

F_0, D, G_1 = B / (1 + alpha * N), sp.Symbol("D", real=True), sp.Symbol("G_1", positive=True)
HYPOTHESIS = sp.Gt(alpha * G_1, (1 + alpha * N) * C)
EXTRA = sp.Symbol("e", positive=True)
FAST = {G: ((1 + alpha * n) * C + EXTRA) / alpha}
"""alpha G_k > (1 + alpha n) C, with a positive slack."""
EXAMPLE = {"alpha": "1", "B": "12", "C": "1", "N": "1", "n": "1", "G_1": "3", "G_k": "3", "r_k": "2"}
WITHIN = ("alpha * G_1 > (1 + alpha * N) * C", "alpha * G_k > (1 + alpha * n) * C", "r_k <= G_k")


def stage() -> tuple[sp.Expr, sp.Expr]:
    """Return t_k and F_k from the state before, derived from the fluid equation."""
    slope = free_slope(G, n, 0)
    time = bursts_meet(r_k, threshold_line(F_before, slope, t_before))
    return time, F_before + slope * (time - t_before)


@evidence("edt.eq32", "edt.thm3.proof.faster", form="printed", strength="smt")
@evidence("edt.eq33", form="repaired", strength="smt")
def the_threshold_falls_faster_than_C() -> Outcome:
    """(32) from (19) and the hypothesis; with D >= -C it gives T' < -C; z3 and cvc5."""
    slope = -alpha * G_1 - alpha * N * D
    bound = -(1 + alpha * N) * C - alpha * N * D
    proof = smt.prove([HYPOTHESIS], slope < bound)
    smt.prove([D >= -C, slope < bound], slope < -C)
    return Proved("T' < -(1 + alpha N) C - alpha N D <= -C", {**proof.example})


@evidence("edt.eq33", form="printed", strength="smt")
def the_printed_sign_is_wrong() -> Outcome:
    """Find exact numbers with (32) and D = -C, as it then is, at which T' > -C is false."""
    slope = -alpha * G_1 - alpha * N * D
    model = smt.refute([HYPOTHESIS, sp.Eq(D, -C), sp.Eq(N, 1), sp.Eq(alpha, 1), sp.Eq(C, 1)], slope > -C)
    values = {name: str(value) for name, value in model.items()}
    hypotheses = ["alpha * G_1 > (1 + alpha * N) * C", "D >= -C"]
    data = {"values": values, "hypotheses": hypotheses, "statement": "-alpha * G_1 - alpha * N * D > -C"}
    return Counterexample(Witness("values", data, says="(32) bounds T' from above, not from below"))


@evidence("edt.thm3.proof.drain", form="printed", strength="smt")
def the_steady_queues_drain_at_C() -> Outcome:
    """D = clip(T', -C, R - C) with R >= C and T' by (19) has, under the hypothesis, only the solution D = -C."""
    R = sp.Symbol("R", positive=True)
    slope = -alpha * G_1 - alpha * N * D
    rule = sp.Eq(D, sp.Max(-C, sp.Min(R - C, slope)))
    proof = smt.prove([HYPOTHESIS, R >= C, rule], sp.Eq(D, -C))
    return Proved("D = -C", {**proof.example})


@evidence("edt.eq34", "edt.eq35", form="printed", strength="symbolic")
def the_lines_of_the_basis() -> Outcome:
    """F = B - sum Q with the M queues at G_1 in sum and the N queues at -C each."""
    free = formulas.free_of_queues(B, G_1 * t + N * (alpha * F_0 - C * t))
    same(free, F_0 - (G_1 - N * C) * t, "(34)")
    same(formulas.threshold(alpha, free), alpha * (F_0 - (G_1 - N * C) * t), "(35)")
    same(free, F_0 + free_slope(G_1, N, 0) * t, "(34) from the fluid equation")
    same(alpha * free_slope(G_1, N, 0), formulas.drain_slope(alpha, C, N, G_1), "T' in the code")
    return Proved(f"F = {free}", EXAMPLE, WITHIN)


@evidence("edt.eq36", "edt.eq37", "edt.eq38", "edt.thm3.initial", form="printed", strength="symbolic")
def the_first_port_meets_the_threshold() -> Outcome:
    """Solve (R_1 - C) t = T(t) on (35): (37), (38), and (31) with t_0 = 0."""
    r_1, start = sp.Symbol("r_1", positive=True), sp.Symbol("F_0", positive=True)
    line = threshold_line(start, free_slope(G_1, N, 0))
    time = bursts_meet(r_1, line)
    same(time, alpha * start / (alpha * (G_1 - N * C) + r_1), "(37)")
    same(line.subs(t, time), r_1 * time, "(36)")
    free = start + free_slope(G_1, N, 0) * time
    same(free, start - (G_1 - N * C) * time, "(38)")
    same(time, formulas.printed_drain_time(alpha, C, N, r_1, G_1, (sp.Integer(0), start)), "(31) for k = 1")
    same(free, formulas.printed_drain_free(C, N, G_1, (sp.Integer(0), start), time), "F_1 of (31)")
    positive(time, {G_1: ((1 + alpha * N) * C + EXTRA) / alpha})
    return Proved(f"t_1 = {time}", EXAMPLE, WITHIN)


@evidence("edt.thm3.proof.until", "edt.thm3.proof.basis", form="assumed", strength="symbolic")
@evidence("edt.thm3.proof.step.next", form="printed", strength="symbolic")
def the_queue_of_the_largest_rate_meets_the_threshold_first() -> Outcome:
    """The others are shorter at t_k; until then T and queue k approach at a constant rate; then the port rejects."""
    smaller, x = sp.Symbol("r_j", positive=True), sp.Symbol("x", nonnegative=True)
    time, free = stage()
    lag = (r_k - smaller).xreplace({r_k: smaller + x})
    nonnegative(lag)
    positive((r_k - alpha * free_slope(G, n, 0)).xreplace(FAST))
    same(alpha * free, r_k * time, "at t_k they meet")
    return Proved("the largest rate meets it first; its port then rejects", EXAMPLE, WITHIN)


@evidence("edt.thm3.proof.step.count", form="printed", strength="symbolic")
def every_queue_that_has_met_the_threshold_drains() -> Outcome:
    """Were some of the n queues on the threshold, it would outrun them all the same: so all are above and drain."""
    on, above = sp.symbols("on above", nonnegative=True)
    slope = alpha * free_slope(G, above, on)
    positive((-C - slope).xreplace(FAST), {n: on + above})
    return Proved("T' < -C for every split of the n queues", EXAMPLE, WITHIN)


@evidence("edt.eq39", "edt.eq40", "edt.eq41", "edt.eq31.t", "edt.eq31.F", "edt.eq31.G",
          form="printed", strength="symbolic")  # fmt: skip
def the_step_of_theorem_3() -> Outcome:
    """Solve (R_k - C) t = T(t) from the state before, and compare with (31), (39), (40) and (41)."""
    line = threshold_line(F_before, free_slope(G, n, 0), t_before)
    same(line, alpha * (F_before - (G - n * C) * (t - t_before)), "(39)")
    time, free = stage()
    same(
        time, alpha * (F_before + (G - n * C) * t_before) / (alpha * (G - n * C) + r_k), "t_k as printed in (31), (40)"
    )
    same(time, formulas.printed_drain_time(alpha, C, n, r_k, G, (t_before, F_before)), "t_k in the code")
    same(free, F_before - (G - n * C) * (time - t_before), "(41)")
    same(free, formulas.printed_drain_free(C, n, G, (t_before, F_before), time), "F_k in the code")
    positive((-C - alpha * free_slope(G, n, 0)).xreplace(FAST))  # the motion is the right one
    return Proved(f"t_k = {time}", EXAMPLE, WITHIN)


@evidence("edt.thm3.L@N+k", "edt.ours.theorem3.stages", form="printed", strength="symbolic")
def the_stages_that_drain_come_first() -> Outcome:
    """If stage k + 1 drains, stage k does, by slack; for k = 1 the condition is Theorem 3's hypothesis."""
    r_i = sp.Symbol("r_i", positive=True)
    later = ((1 + alpha * (n + 1)) * C + EXTRA) / alpha  # G_{k+1}, for which the condition is true
    positive(alpha * (later + r_i) - (1 + alpha * n) * C)
    k = sp.Symbol("k", positive=True)
    same(1 + alpha * ((N + k) - 1), 1 + alpha * n.subs(n, N + k - 1), "N_k - 1 = n with N_k = N + k")
    condition = formulas.drains(alpha, C, N + k - 1, G)
    check(condition == ((1 + alpha * (N + k - 1)) * C / alpha < G), "the condition in the code")
    same((-C - alpha * free_slope(G, n, 0)), alpha * (G - formulas.growth_bound(alpha, C, n)), "true iff T' < -C")
    check(condition.subs(k, 1) == ((1 + alpha * N) * C / alpha < G), "k = 1 is the hypothesis of Theorem 3")
    return Proved("true for k + 1 implies true for k", {"alpha": "1", "C": "1", "N": "1", "L": "1"}, ["L >= 1"])


@evidence("edt.thm3.L@N+k-1", form="printed", strength="exact")
def the_other_reading_of_N_k_goes_one_port_too_far() -> Outcome:
    """With alpha = 1, N = 0, R = (5, 5/2), C = 1 that condition is true for k = 2, and (31) misses t_2."""
    return _missed_by_31(("5", "5/2"))


def _missed_by_31(rates: tuple[str, str]) -> Outcome:
    """Run the engine on two bursts, and (31) one port beyond L."""
    from dtmodel.fluid import answer

    scenario = {
        "switch": {"ports": 2, "buffer": "12", "rate": "1"}, "policy": {"name": "dt", "alpha": "1"},
        "queues": [{"arrivals": [["0", rate]]} for rate in rates], "until": "10",
    }  # fmt: skip
    r_1, r_2 = (sp.Rational(rate) - 1 for rate in rates)
    one = sp.Integer(1)
    check(r_2 > (1 + (1 - 1)) and not r_2 > (1 + 1), "k = 2 is within L for N_k = N + k - 1 and not for N_k = N + k")
    first = formulas.printed_drain_time(one, one, 0, r_1, r_1 + r_2, (sp.Integer(0), sp.Integer(12)))
    free = formulas.printed_drain_free(one, 0, r_1 + r_2, (sp.Integer(0), sp.Integer(12)), first)
    second = formulas.printed_drain_time(one, one, 1, r_2, r_2, (first, free))
    found = answer(scenario)
    claimed = {"first_drop": [str(first), str(second)]}
    return Counterexample(
        Witness(
            "fluid",
            scenario,
            {"first_drop": found["first_drop"]},
            claimed,
            "port 2 meets the threshold in another regime",
        )
    )


@evidence(
    "edt.thm3",
    "edt.eq30",
    "edt.thm3.proof.conclusion",
    "edt.thm3.proof.step.drop",
    "edt.abstract.sufficient-conditions",
    form="assumed",
    strength="symbolic",
)
@evidence("edt.ours.drain-product", form="printed", strength="symbolic")
def theorem_3_by_induction_and_as_a_product() -> Outcome:
    """Let S = F_{k-1} + (G_k - n C) t_{k-1}. Then t_k = alpha S / D_k, and S becomes S (D_k - alpha R_k) / D_k."""
    S = sp.Symbol("S_k", positive=True)
    state = {F_before: S - (G - n * C) * t_before}
    time, free = stage()
    D_k = formulas.closing_rate(alpha, C, n, r_k, G)
    same(D_k, r_k + alpha * (G - n * C), "D_k")
    same(time.xreplace(state), alpha * S / D_k, "t_k = alpha S / D_k")
    after = free.xreplace(state) + (G - r_k - (n + 1) * C) * alpha * S / D_k
    factor = formulas.drain_factor(alpha, C + r_k, D_k)
    same(factor, (D_k - alpha * (C + r_k)) / D_k, "the factor")
    same(after, S * factor, "S for k + 1")
    same(formulas.drain_drop_time(alpha, F_0, D_k, ()), alpha * F_0 / D_k, "k = 1: S = F_0, no factors")
    same(formulas.drain_drop_time(alpha, F_0, D_k, (factor, factor)), alpha * F_0 / D_k * factor**2, "the product")
    positive(D_k, FAST)
    rest = {G: r_k + ((1 + alpha * (n + 1)) * C + EXTRA) / alpha}  # stage k + 1 drains, too
    positive(factor, rest)
    same(alpha * free, r_k * time, "F_k = (R_k - C) t_k / alpha")
    return Proved(f"t_k = alpha S_k / D_k, S_(k+1) = S_k {sp.factor(factor)}", EXAMPLE, WITHIN)


@evidence("edt.ours.ties", form="printed", strength="symbolic")
def equal_rates_meet_together_in_the_product_form() -> Outcome:
    """With R_{k+1} = R_k the next closing rate is D_k - alpha R_k, so factor and closing rate cancel."""
    D_k = formulas.closing_rate(alpha, C, n, r_k, G)
    next_one = formulas.closing_rate(alpha, C, n + 1, r_k, G - r_k)
    same(formulas.drain_factor(alpha, C + r_k, D_k) / next_one, 1 / D_k, "t_{k+1} = t_k")
    return Proved(
        "D_(k+1) = D_k - alpha R_k", {**EXAMPLE, "D": str(at(D_k, alpha="1", r_k="2", G_k="3", n="1", C="1"))}
    )
