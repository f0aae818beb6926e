"""Section 3.2: Theorem 3, equations (30) to (41); proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.ledger.provers import smt
from dtmodel.theory.dt import formulas

from . import derivation
from .derivation import (
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
    surplus,
    t,
    t_before,
    threshold_line,
)

EXTRA = sp.Symbol("e", positive=True)
above, back, on = sp.symbols("above back on", nonnegative=True)
x = sp.Symbol("x", real=True)
F_0 = B / (1 + alpha * N)
D = sp.Symbol("D", real=True)
G_1 = sp.Symbol("G_1", positive=True)
HYPOTHESIS = sp.Gt(alpha * G_1, (1 + alpha * N) * C)
FAST = {G: ((1 + alpha * n) * C + EXTRA) / alpha}
"""alpha G_k > (1 + alpha n) C, with a positive slack."""


EXAMPLE = {"alpha": "1", "B": "12", "C": "1", "N": "1", "n": "1", "G_1": "3", "G_k": "3", "r_k": "2"}
WITHIN = ("alpha * G_1 > (1 + alpha * N) * C", "alpha * G_k > (1 + alpha * n) * C", "r_k <= G_k")


def stage() -> tuple[sp.Expr, sp.Expr]:
    """Return t_k and F_k from the state before, derived from the fluid equation."""
    slope = free_slope(G, n, 0)
    time = bursts_meet(r_k, threshold_line(F_before, slope, t_before))
    return time, F_before + slope * (time - t_before)


EVERY_PORT = {"alpha": "1", "B": "12", "C": "1", "N": "1", "R_1": "13", "R_2": "3", "R_3": "2"}
WITHIN_EVERY_PORT = ("R_1 >= R_2", "R_2 >= R_3", "R_3 > C", "alpha * (R_1 + R_2 + R_3 - 3 * C) > (1 + alpha * N) * C")
FOLLOWING = {"alpha": "1", "B": "12", "C": "1", "N": "1", "n": "1", "G_1": "2", "G_k": "2", "r_k": "1"}
WITHIN_FOLLOWING = ("alpha * G_1 <= (1 + alpha * N) * C", "r_k <= G_k")


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


@evidence("edt.thm3.L@N+k", "edt.ours.theorem3.stages", "edt.sec3.2.two-theorems", form="printed", strength="symbolic")
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
    return refuted_by_values(
        values, "-alpha * G_1 - alpha * N * D > -C", "(32) bounds T' from above, not from below", hypotheses
    )


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


@evidence("edt.thm3.proof.until", "edt.thm3.proof.basis", form="assumed", strength="symbolic")
@evidence("edt.thm3.proof.step.next", form="printed", strength="symbolic")
def the_largest_rate_meets_the_threshold_first() -> Outcome:
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


@evidence("edt.ours.theorem3", form="printed", strength="symbolic")
def at_a_meeting_all_bytes_are_accounted_for() -> Outcome:
    """Put T = (R_k - C) t into F = B - sum Q; each mixture gives its line, the pure ones Theorems 2 and 3."""
    V, length = sp.Symbol("V", positive=True), r_k * t
    queues = on * length + (V - above * C * t) + G * t  # on the threshold, above it (V in sum), below it
    free = formulas.free_of_queues(B, queues)
    (time,) = sp.solve(sp.Eq(formulas.threshold(alpha, free), length), t)
    same(time, formulas.mixed_drop_time(alpha, B, C, r_k, G, on, (above, V)), "t_k for a mixture")
    same(time.subs({above: 0, V: 0, on: n}), formulas.follow_drop_time(alpha, B, n, r_k, G), "all follow")
    S = sp.Symbol("S", positive=True)  # B less the lines' sum: F_0 - sum of R_j t_j
    all_drain = time.subs({on: 0, above: n, V: B - S})
    same(all_drain, alpha * S / formulas.closing_rate(alpha, C, n, r_k, G), "all drain")
    some_drain = time.subs({V: B - S})  # the lines of the ports 1 to m: all drained when the last of them met it
    mixed = alpha * S / formulas.closing_rate(alpha, C, above, r_k, G + on * r_k)
    same(some_drain, mixed, "those on the threshold count as growing like queue k")
    same(B - N * alpha * formulas.initial_free(alpha, B, N), formulas.initial_free(alpha, B, N), "S = F_0 at k = 1")
    same(formulas.free_at_drop(alpha, r_k, t), length / alpha, "F = T / alpha")
    growth, start = sp.symbols("R_j t_j", positive=True)
    same((growth - C) * start - C * (t - start), growth * start - C * t, "the line of port j")
    return Proved(f"t_k = {time}", EVERY_PORT, WITHIN_EVERY_PORT)


@evidence("edt.ours.theorem3.slopes", "edt.thm3.L@N+k", form="printed", strength="symbolic")
def whether_a_stage_drains_depends_on_counts_alone() -> Outcome:
    """(1 + alpha on)(T' + C) = (1 + alpha n) C - alpha G for every split n = on + above."""
    slope = alpha * free_slope(G, above, on)
    same((slope + C) * (1 + alpha * on), (1 + alpha * (on + above)) * C - alpha * G, "T' + C for every split")
    nonnegative((slope + C).xreplace({C: (alpha * G + surplus) / (1 + alpha * n)}), {n: on + above})
    fast = {G: ((1 + alpha * n) * C + sp.Symbol("e", positive=True)) / alpha}
    positive((-C - slope).xreplace(fast), {n: on + above})
    return Proved("the sign of T' + C is that of (1 + alpha n) C - alpha G", EVERY_PORT, WITHIN_EVERY_PORT)


@evidence("edt.ours.theorem3.rise", form="printed", strength="symbolic")
def the_slope_stays_between_minus_C_and_the_last_growth() -> Outcome:
    """What a meeting and a return do to x = T': identities, and signs by slack."""
    start = alpha * free_slope(G, above, on)
    met = alpha * free_slope(G - r_k, above, on + 1)
    returned = alpha * free_slope(G, above - back, on + back)
    weight, more, all_back = 1 + alpha * on, 1 + alpha * (on + 1), 1 + alpha * (on + back)
    same(r_k - met, weight * (r_k - start) / more, "R_k - C - T' after port k met the threshold")
    same(met + C, (weight * (start + C) + alpha * (r_k + C)) / more, "T' + C after port k met the threshold")
    same(returned + C, weight * (start + C) / all_back, "T' + C after `back` queues came back")
    same(start - returned, alpha * back * (start + C) / all_back, "T' falls when queues come back")
    # Hence: x < r_k before a meeting (queue k comes up to T) gives x < r_k after it; -C <= x is kept by both; a return
    # lowers x. At t_L itself x < -C before, but stage L + 1 does not drain, so -C <= x after it (slopes, above).
    steady = alpha * free_slope(G, 0, on)  # the steady queues come back last: then none is above
    nonnegative(-steady)
    return Proved("meetings and returns keep -C <= T' < R_k - C", EVERY_PORT, WITHIN_EVERY_PORT)


@evidence("edt.ours.theorem3.lines", form="printed", strength="symbolic")
def after_its_meeting_a_queue_is_threshold_or_line() -> Outcome:
    """Above T it drains at C on its line; T less the line moves at T' + C: down until t_L, up after it."""
    slope = alpha * free_slope(G, above, on)
    distance = slope - (-C)
    fast = {G: ((1 + alpha * n) * C + sp.Symbol("e", positive=True)) / alpha}
    positive(-distance.xreplace(fast), {n: on + above})  # until t_L the line stays above T: Q is the line
    nonnegative(
        distance.xreplace({C: (alpha * G + surplus) / (1 + alpha * n)}), {n: on + above}
    )  # then T comes up to it
    room = sp.Symbol("room", positive=True)
    lost_on = (C + r_k) - (C + (r_k - room))  # on T: offered R_j, admitted C + T', T' < R_k - C <= R_j - C
    positive(lost_on)
    positive(C + r_k)  # above T all that is offered is lost
    return Proved("Q_j = max(T, V_j - C t), with losses at every instant", EVERY_PORT, WITHIN_EVERY_PORT)


@evidence("edt.ours.theorem3.one-root", form="printed", strength="smt")
def the_one_root_is_the_earliest_rising_line() -> Outcome:
    """A maximum of lines, below B before, crosses B for good, and the first line to cross rises; z3 and cvc5."""
    a, b, p, q, begin, first, later = sp.symbols("a b p q t_0 t_1 t_2", real=True)

    def highest(time: sp.Expr) -> sp.Expr:
        return sp.Max(a + b * time, p + q * time)

    # Two lines; of more than two the maximum of all but one plays the first line's part, being convex like it.
    below = highest(begin) < B
    proof = smt.prove([below, begin < first, first < later, sp.Eq(highest(first), B)], highest(later) > B)
    smt.prove([a + b * begin < B, begin < first, a + b * first >= B], b > 0)
    smt.prove([p <= a, sp.Max(p - C * t, x) > x], a - C * t > x)  # the sets of lines above are nested by V_j
    slope = r_k / alpha + on * r_k + G - above * C
    same(slope, (1 + alpha * on) * (r_k - alpha * free_slope(G, above, on)) / alpha, "slope of the line that applies")
    # It is positive where T' < R_k - C, so with a tie (equality at t_{k-1}) the root is t_{k-1} itself, and alone.
    return Proved("the left side is convex: one root", {**proof.example})


@evidence("edt.ours.no-earlier-drop", form="printed", strength="symbolic")
def bursts_that_end_early_hasten_no_first_drop() -> Outcome:
    """Compare V = T + C t and X = (steady queue) + C t with what they are, V* and X*, if all bursts last.

    Before a drop the lasting bursts hold delta >= 0 bytes more than the others, and delta does not shrink (they grow at
    R_i - C, the fastest possible). Balances: (V - V*) / alpha + N (X - X*) = delta. X does not shrink, grows only while
    X <= V, and X* >= V*. Let s <= t be the last time with X <= V: there X = V, and X has not changed since.
    """
    delta_s, more, e, h, p, q = sp.symbols("delta_s more e h p q", nonnegative=True)
    # V_t - V*_t from the balance at t, for X_t <= X*_t: X*_t = X_t + q
    nonnegative(alpha * ((delta_s + more) + N * q))
    # and for X_t = X*_t + p: X*_t = X*_s + e, X*_s = V*_s + h, X_s = X_t = V_s
    V_star_s = sp.Symbol("V_s", real=True)
    X_star_s = V_star_s + h
    X_t = X_star_s + e + p
    balance_at_s = ((X_t - V_star_s) + alpha * N * (X_t - X_star_s)) / alpha
    difference = alpha * (balance_at_s + more) - alpha * N * p
    nonnegative(sp.expand(difference))
    # So T >= T* > (R_1 - C) t >= Q_i before t_1: no port can have met the threshold.
    gap = sp.Symbol("gap", nonnegative=True)  # R_1 - R_i
    nonnegative(sp.expand((r_k + gap) * t - r_k * t))
    return Proved(f"T - T* = {sp.expand(difference)} >= 0", {**EVERY_PORT, "d_1": "1/13"}, WITHIN_EVERY_PORT)


@evidence("edt.ours.ties", form="printed", strength="symbolic")
def equal_rates_meet_together_in_the_product_form() -> Outcome:
    """With R_{k+1} = R_k the next closing rate is D_k - alpha R_k, so factor and closing rate cancel."""
    D_k = formulas.closing_rate(alpha, C, n, r_k, G)
    next_one = formulas.closing_rate(alpha, C, n + 1, r_k, G - r_k)
    same(formulas.drain_factor(alpha, C + r_k, D_k) / next_one, 1 / D_k, "t_{k+1} = t_k")
    return Proved(
        "D_(k+1) = D_k - alpha R_k", {**EXAMPLE, "D": str(at(D_k, alpha="1", r_k="2", G_k="3", n="1", C="1"))}
    )


@evidence("edt.ours.ties", "edt.sec3.2.order", form="printed", strength="symbolic")
def equal_rates_meet_the_threshold_together() -> Outcome:
    """Put R_{k+1} = R_k, so G_{k+1} = G_k - r_k and n + 1, into the recursions and the closed form."""
    first, free = derivation.stage()
    for follow in (True, False):
        if not follow:
            first = formulas.printed_drain_time(alpha, C, n, r_k, G, (t_before, F_before))
            free = formulas.printed_drain_free(C, n, G, (t_before, F_before), first)
        later = (first, free)
        second = (
            formulas.printed_follow_time(alpha, n + 1, r_k, G - r_k, later)
            if follow
            else formulas.printed_drain_time(alpha, C, n + 1, r_k, G - r_k, later)
        )
        again = (
            formulas.printed_follow_free(alpha, n + 1, G - r_k, later, second)
            if follow
            else formulas.printed_drain_free(C, n + 1, G - r_k, later, second)
        )
        same(second, first, "t_{k+1} = t_k")
        same(again, free, "F_{k+1} = F_k")
    closed = formulas.follow_drop_time
    same(closed(alpha, B, n + 1, r_k, G - r_k), closed(alpha, B, n, r_k, G), "the closed form")
    return Proved("t_{k+1} = t_k and F_{k+1} = F_k", FOLLOWING, WITHIN_FOLLOWING)
