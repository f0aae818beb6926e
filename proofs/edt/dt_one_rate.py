"""Theorem 1, equations (2) to (12), derived from the fluid equation: bursts of one rate."""

from __future__ import annotations

import sympy as sp

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.provers import smt
from dtmodel.theory import dt_formulas as formulas

from .dt_common import (
    B,
    C,
    M,
    N,
    alpha,
    bursts_meet,
    free_slope,
    nonnegative,
    positive,
    r,
    same,
    surplus,
    t,
    threshold_line,
)

F_0 = B / (1 + alpha * N)
SLOW = {C: (alpha * M * r + surplus) / (1 + alpha * N)}
"""Case a, R <= C (1 + (1 + alpha N) / (alpha M)), with a slack: (1 + alpha N) C = alpha M r + s."""
FAST = {r: ((1 + alpha * N) * C + sp.Symbol("s", positive=True)) / (alpha * M)}
"""Case b: alpha M r = (1 + alpha N) C + s with s > 0."""
EXAMPLE_A = {"alpha": "1", "B": "12", "C": "1", "M": "1", "N": "1", "R": "2"}
EXAMPLE_B = {"alpha": "1", "B": "12", "C": "1", "M": "1", "N": "1", "R": "4"}
IN_A = ("R > C", "R <= C * (1 + (1 + alpha * N) / (alpha * M))")
IN_B = ("R > C * (1 + (1 + alpha * N) / (alpha * M))",)

follow = free_slope(M * r, 0, N)
"""F' when the steady queues follow the threshold."""
drain = free_slope(M * r, N, 0)
"""F' when they drain at C."""


def case_a() -> tuple[sp.Expr, sp.Expr]:
    """Return t_1 and F(t_1), derived from the fluid equation."""
    time = bursts_meet(r, threshold_line(F_0, follow))
    return time, sp.factor(F_0 + follow * time)


def case_b() -> tuple[sp.Expr, sp.Expr]:
    """Return t_2 and F(t_2), derived from the fluid equation."""
    time = bursts_meet(r, threshold_line(F_0, drain))
    return time, sp.factor(F_0 + drain * time)


@evidence("edt.thm1.case-a.slope", "edt.thm1.case-a.follow", form="printed", strength="symbolic")
def in_case_a_the_steady_queues_can_follow() -> Outcome:
    """With the queues on the threshold -C <= T' < 0: so they stay on it, and this is the motion."""
    slope = alpha * follow
    same(slope, -alpha * M * r / (1 + alpha * N), "T'(0+)")
    same(slope, formulas.follow_slope(alpha, N, M * r), "T'(0+) in the code")
    nonnegative(slope + C, SLOW)
    positive(-slope)
    bound = formulas.rate_bound(alpha, C, M, N) - (C + r)
    same(bound * alpha * M, (1 + alpha * N) * C - alpha * M * r, "the case distinction is the sign of T' + C")
    same((slope + C) * (1 + alpha * N), bound * alpha * M, "T' >= -C iff R is within the bound")
    return Proved(f"T' = {slope}", EXAMPLE_A, IN_A)


@evidence("edt.thm1.case-b.slope", "edt.thm1.case-b.drain", form="printed", strength="symbolic")
def in_case_b_the_steady_queues_cannot_follow() -> Outcome:
    """Draining at C they lie above the threshold, T' < -C, at once and until t_2: this is the motion."""
    slope = alpha * drain
    same(slope, -alpha * (M * r - N * C), "T'(0+)")
    same(slope, formulas.drain_slope(alpha, C, N, M * r), "T'(0+) in the code")
    positive(-C - slope, FAST)
    bound = (C + r) - formulas.rate_bound(alpha, C, M, N)
    same((-C - slope), bound * alpha * M, "T' < -C iff R exceeds the bound")
    time, _ = case_b()
    positive(time, FAST)
    gap = (alpha * F_0 - C * time) - r * time  # steady queue less threshold at t_2
    nonnegative(gap, FAST)
    return Proved(f"T' = {slope} < -C until t_2", EXAMPLE_B, IN_B)


@evidence("edt.sec3.1.threshold-falls", form="printed", strength="symbolic")
def the_threshold_and_the_steady_queues_fall_in_both_cases() -> Outcome:
    """F' < 0 in both cases; the steady queues move at T' < 0 or at -C."""
    positive(-follow)
    positive(-drain, FAST)
    positive(-alpha * follow)
    positive(C)
    return Proved("F' < 0, T' = alpha F' < 0, Q' = T' or -C", EXAMPLE_A, IN_A)


@evidence("edt.eq2", "edt.eq4", "edt.eq5", form="printed", strength="symbolic")
@evidence("edt.thm1.case-a.grow", form="assumed", strength="symbolic")
def case_a_meets_at_the_printed_time() -> Outcome:
    """Solve (R - C) t = T(t) with the slope of case a."""
    time, free = case_a()
    same(time, formulas.slow_drop_time(alpha, B, M, N, r), "t_1, equation (2)")
    same(time, alpha * B / ((1 + alpha * (M + N)) * r), "t_1 as printed")
    same(free, formulas.slow_free(alpha, B, M, N), "F(t_1), equation (5)")
    same(free, B / (1 + alpha * (M + N)), "F(t_1) as printed")
    same(alpha * free, formulas.slow_threshold(alpha, B, M, N), "T(t_1), equation (4)")
    same(alpha * free, r * time, "T(t_1) is the length of the bursts' queues")
    positive(time)
    before = sp.Symbol("x", positive=True)  # t = t_1 x/(1+x): any time before t_1
    positive((threshold_line(F_0, follow) - r * t).subs(t, time * before / (1 + before)) * (1 + before))
    return Proved(f"t_1 = {time}, F = {free}", {**EXAMPLE_A, "t": "4"}, [*IN_A, "t == alpha*B/((1+alpha*(M+N))*(R-C))"])


@evidence("edt.eq6", "edt.eq8", "edt.eq9", form="printed", strength="symbolic")
@evidence("edt.thm1.case-b.grow", form="assumed", strength="symbolic")
def case_b_meets_at_the_printed_time() -> Outcome:
    """Solve (R - C) t = T(t) with the slope of case b."""
    time, free = case_b()
    denominator = (1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C)
    same(time, formulas.fast_drop_time(alpha, B, C, M, N, r), "t_2, equation (6)")
    same(time, alpha * B / denominator, "t_2 as printed")
    same(free, formulas.fast_free(alpha, B, C, M, N, r), "F(t_2), equation (9)")
    same(free, r * B / denominator, "F(t_2) as printed")
    same(alpha * free, formulas.fast_threshold(alpha, B, C, M, N, r), "T(t_2), equation (8)")
    same(alpha * free, r * time, "T(t_2) is the length of the bursts' queues")
    positive(time, FAST)
    before = sp.Symbol("x", positive=True)
    positive((threshold_line(F_0, drain) - r * t).subs(t, time * before / (1 + before)) * (1 + before), FAST)
    return Proved(f"t_2 = {time}, F = {free}", EXAMPLE_B, IN_B)


@evidence("edt.thm1.case-a.limit", form="printed", strength="symbolic")
def after_case_a_all_ports_rest_and_lose() -> Outcome:
    """All M + N queues on the threshold, none growing: F' = 0, so each burst loses all but C."""
    same(free_slope(0, 0, M + N), 0, "F' after t_1")
    admitted = C + alpha * free_slope(0, 0, M + N)
    positive((C + r) - admitted)
    same((C + r) - admitted, r, "the rate of the loss")
    return Proved("Q' = T' = 0, loss at R - C", EXAMPLE_A, IN_A)


@evidence("edt.thm1.case-b.limit", form="printed", strength="symbolic")
@evidence("edt.thm1.case-b.after.rise", form="assumed", strength="symbolic")
def after_case_b_threshold_and_bursts_rise_together() -> Outcome:
    """M queues on the threshold, N draining above it: 0 <= T' < R - C."""
    slope = alpha * free_slope(0, N, M)
    same(slope, alpha * N * C / (1 + alpha * M), "T' after t_2")
    positive(r - slope, FAST)
    at_least_one = {N: 1 + sp.Symbol("n_1", nonnegative=True)}
    positive(slope, at_least_one)
    return Proved(f"T' = {slope}, less than R - C and greater than 0 for N >= 1", EXAMPLE_B, (*IN_B, "N >= 1"))


@evidence(
    "edt.sec2.3.not-starved",
    "edt.thm1.case-b.after.drain",
    "edt.thm1.case-b.after.steady",
    form="printed",
    strength="symbolic",
)
def after_case_b_the_steady_queues_drain_until_all_meet() -> Outcome:
    """For N >= 1 they are above the threshold at t_2; they come down to it, and then all rest at one length."""
    time, free = case_b()
    gap = alpha * F_0 - C * time - alpha * free
    at_least_one = {**FAST, N: 1 + sp.Symbol("n_1", nonnegative=True)}
    positive(gap.xreplace(FAST), {N: at_least_one[N]})
    slope = alpha * free_slope(0, N, M)
    duration = sp.cancel(gap / (slope + C))
    positive(duration.xreplace(FAST), {N: at_least_one[N]})
    share = alpha * B / (1 + alpha * (M + N))
    same(alpha * free + slope * duration, share, "the length at which they meet")
    same(alpha * case_a()[1], share, "in case a they have it at t_1")
    same(free_slope(0, 0, M + N), 0, "F' from then on")
    nonnegative(gap, FAST)  # N = 0 included: then all are steady at t_2 at once
    return Proved(f"they meet {sp.factor(duration)} after t_2", EXAMPLE_B, (*IN_B, "N >= 1"))


@evidence(
    "edt.eq3",
    "edt.eq7",
    "edt.eq10",
    "edt.eq11",
    "edt.thm1",
    "edt.abstract.sufficient-conditions",
    form="assumed",
    strength="symbolic",
)
@evidence("edt.ours.theorem1", form="printed", strength="symbolic")
def theorem_1_if_the_other_bursts_last() -> Outcome:
    """Until the drop time nothing depends on d_k; after it the port rejects; a shorter burst has no arrivals left.

    Before the time the queue is below the threshold (the two derivations above), so nothing is rejected: a burst with
    d_k at most that time loses nothing. A longer one is offered more than the threshold lets in just after it.
    """
    for (time, free), slacks, after in (
        (case_a(), {}, alpha * free_slope(0, 0, M + N)),
        (case_b(), FAST, alpha * free_slope(0, N, M)),
    ):
        positive(time, slacks)
        same(alpha * free, r * time, "queue and threshold meet")
        positive(r - after, slacks)  # what the port is offered beyond what keeps it on the threshold
        nonnegative(after + C, slacks)  # and the queue can follow the threshold
    same(case_a()[0], formulas.slow_drop_time(alpha, B, M, N, r), "t_1")
    same(case_a()[1], formulas.slow_free(alpha, B, M, N), "F(t_1)")
    same(case_b()[0], formulas.fast_drop_time(alpha, B, C, M, N, r), "t_2")
    same(case_b()[1], formulas.fast_free(alpha, B, C, M, N, r), "F(t_2)")
    # One burst may end exactly then: M - 1 go on, k's port drains; the others still lose (edt.ours.equality).
    return Proved("rejecting begins at the drop time and not before", EXAMPLE_A, IN_A)


@evidence("edt.sec3.1.two-cases", form="printed", strength="smt")
def every_rate_is_in_exactly_one_case() -> Outcome:
    """The bound exceeds C, so both cases occur, and they exclude each other; z3 and cvc5."""
    bound = formulas.rate_bound(alpha, C, M, N)
    R = C + r
    proof = smt.prove([], bound > C)
    smt.prove([], sp.Or(bound >= R, bound < R))
    smt.prove([bound >= R], sp.Not(bound < R))
    return Proved("C < bound, and R <= bound or R > bound", {**proof.example})


@evidence("edt.sec3.specific-to-general", form="printed", strength="symbolic")
def equal_rates_give_theorem_1() -> Outcome:
    """Put r_k = r, G_1 = M r, k = 1 into (14), (31) and their hypotheses."""
    start = (sp.Integer(0), formulas.initial_free(alpha, B, N))
    slow = formulas.printed_follow_time(alpha, N, r, M * r, start)
    fast = formulas.printed_drain_time(alpha, C, N, r, M * r, start)
    same(slow, formulas.slow_drop_time(alpha, B, M, N, r), "(14) is (2)")
    same(fast, formulas.fast_drop_time(alpha, B, C, M, N, r), "(31) is (6)")
    same(formulas.printed_follow_free(alpha, N, M * r, start, slow), formulas.slow_free(alpha, B, M, N), "F_1 is (5)")
    same(formulas.printed_drain_free(C, N, M * r, start, fast), formulas.fast_free(alpha, B, C, M, N, r), "F_1 is (9)")
    gap = formulas.rate_bound(alpha, C, M, N) - (C + r)
    same(gap * M, (1 + alpha * N) * C / alpha - M * r, "the hypotheses of Theorems 2 and 3 are the cases of Theorem 1")
    return Proved("the special case R_1 = ... = R_M", EXAMPLE_A, IN_A)


@evidence("edt.ours.equality", form="printed", strength="symbolic")
def a_burst_that_ends_at_its_drop_time_loses_nothing() -> Outcome:
    """Until then it is below the threshold, then it is offered nothing: at no instant is anything rejected."""
    x = sp.Symbol("x", positive=True)  # t = t_1 x / (1 + x): any time before t_1
    for (time, _), slope, slacks in ((case_a(), follow, {}), (case_b(), drain, FAST)):
        room = (threshold_line(F_0, slope) - r * t).subs(t, time * x / (1 + x))
        positive(room * (1 + x), slacks)
        same(sp.limit(room, x, sp.oo), 0, "the room is used up exactly at the drop time")
    return Proved("the rejected rate is 0 before the end (room) and after it (no arrivals)", EXAMPLE_A, IN_A)


@evidence("edt.eq12", form="printed", strength="symbolic")
def equation_12_is_equation_10_multiplied_out() -> Outcome:
    """For R > C, d > t_1 and (R - C) d > (R - C) t_1 are the same, and (R - C) t_1 is the right side of (12)."""
    d = sp.Symbol("d_k", positive=True)
    bound = alpha * B / (1 + alpha * (M + N))
    same((d - formulas.slow_drop_time(alpha, B, M, N, r)) * r, ((C + r) * d - C * d) - bound, "(10) times R - C")
    return Proved("the two sides differ by the positive factor R - C", {**EXAMPLE_A, "d": "5"}, [*IN_A, "d > 4"])


@evidence("edt.ours.continuity", form="printed", strength="symbolic")
def the_cases_meet_continuously() -> Outcome:
    """Put R at the bound: times and free buffers agree; likewise G_k at its bound in (14) and (31)."""
    at_bound = formulas.rate_bound(alpha, C, M, N) - C
    slow = formulas.slow_drop_time(alpha, B, M, N, at_bound), formulas.slow_free(alpha, B, M, N)
    fast = formulas.fast_drop_time(alpha, B, C, M, N, at_bound), formulas.fast_free(alpha, B, C, M, N, at_bound)
    same(slow[0], fast[0], "the drop times at the bound")
    same(slow[1], fast[1], "the free buffers at the bound")
    t_0, F, n, r_k = sp.symbols("t_{k-1} F_{k-1} n r_k", positive=True)
    G = (1 + alpha * n) * C / alpha
    times = (
        formulas.printed_follow_time(alpha, n, r_k, G, (t_0, F)),
        formulas.printed_drain_time(alpha, C, n, r_k, G, (t_0, F)),
    )
    same(*times, "t_k at the bound")
    same(
        formulas.printed_follow_free(alpha, n, G, (t_0, F), times[0]),
        formulas.printed_drain_free(C, n, G, (t_0, F), times[1]),
        "F_k at the bound",
    )
    return Proved("both sides agree at the bound", {**EXAMPLE_A, "R": "3"}, ["R == C * (1 + (1 + alpha*N)/(alpha*M))"])


@evidence("edt.ours.no-steady-ports", form="printed", strength="symbolic")
def without_steady_ports_the_cases_are_one() -> Outcome:
    """Put N = 0 into both cases, as derived and as coded."""
    time, free = alpha * B / ((1 + alpha * M) * r), B / (1 + alpha * M)
    for derived in (case_a(), case_b()):
        same(derived[0].subs(N, 0), time, "the drop time")
        same(derived[1].subs(N, 0), free, "the free buffer")
    same(formulas.fast_drop_time(alpha, B, C, M, 0, r), formulas.slow_drop_time(alpha, B, M, 0, r), "the coded times")
    same(formulas.fast_free(alpha, B, C, M, 0, r), formulas.slow_free(alpha, B, M, 0), "the coded free buffers")
    return Proved(f"t = {time}, F = {free}", {**EXAMPLE_A, "N": "0"}, ["R > C"])


@evidence("edt.ours.extremes", form="printed", strength="symbolic")
def the_limits_for_small_and_large_alpha() -> Outcome:
    """Limits of the formulas of Theorem 1."""
    slow = formulas.slow_drop_time(alpha, B, M, N, r), formulas.slow_free(alpha, B, M, N)
    fast = formulas.fast_drop_time(alpha, B, C, M, N, r), formulas.fast_free(alpha, B, C, M, N, r)
    same(sp.limit(slow[0], alpha, 0), 0, "t_1 for alpha to 0")  # small alpha: always case a
    same(sp.limit(slow[1], alpha, 0), B, "F for alpha to 0")
    same(sp.limit(slow[1], alpha, sp.oo), 0, "F in case a for alpha to infinity")
    same(sp.limit(slow[0], alpha, sp.oo), B / ((M + N) * r), "t_1 for alpha to infinity")
    steady, x = sp.symbols("N_1 x", positive=True)
    beyond = {r: (steady * C + x) / M, N: steady}  # case b for every large alpha: M r > N C
    same(sp.limit(fast[0].xreplace(beyond), alpha, sp.oo), 0, "t_2 for alpha to infinity")
    same(sp.limit(fast[1].xreplace(beyond), alpha, sp.oo), 0, "F in case b for alpha to infinity")
    same(sp.limit(fast[1].subs(N, 0), alpha, sp.oo), 0, "F in case b with N = 0 for alpha to infinity")
    return Proved("limits", EXAMPLE_A, IN_A)
