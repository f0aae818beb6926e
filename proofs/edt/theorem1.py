"""Section 3.1: Theorem 1, equations (2) to (11); proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.ledger.provers import smt
from dtmodel.theory.dt import formulas

from .derivation import (
    FAST,
    SLOW,
    B,
    C,
    G,
    M,
    N,
    alpha,
    bursts_meet,
    drain,
    follow,
    free_slope,
    nonnegative,
    positive,
    r,
    same,
    t,
    threshold_line,
)

on = sp.Symbol("on", nonnegative=True)
EVERY_PORT = {"alpha": "1", "B": "12", "C": "1", "N": "1", "R_1": "13", "R_2": "3", "R_3": "2"}
WITHIN_EVERY_PORT = ("R_1 >= R_2", "R_2 >= R_3", "R_3 > C", "alpha * (R_1 + R_2 + R_3 - 3 * C) > (1 + alpha * N) * C")
F_0 = B / (1 + alpha * N)
EXAMPLE_A = {"alpha": "1", "B": "12", "C": "1", "M": "1", "N": "1", "R": "2"}
EXAMPLE_B = {"alpha": "1", "B": "12", "C": "1", "M": "1", "N": "1", "R": "4"}
IN_A = ("R > C", "R <= C * (1 + (1 + alpha * N) / (alpha * M))")
IN_B = ("R > C * (1 + (1 + alpha * N) / (alpha * M))",)


def case_a() -> tuple[sp.Expr, sp.Expr]:
    """Return t_1 and F(t_1), derived from the fluid equation."""
    time = bursts_meet(r, threshold_line(F_0, follow))
    return time, sp.factor(F_0 + follow * time)


def case_b() -> tuple[sp.Expr, sp.Expr]:
    """Return t_2 and F(t_2), derived from the fluid equation."""
    time = bursts_meet(r, threshold_line(F_0, drain))
    return time, sp.factor(F_0 + drain * time)


@evidence("edt.sec3.1.threshold-falls", form="printed", strength="symbolic")
def threshold_and_steady_queues_fall_in_both_cases() -> Outcome:
    """F' < 0 in both cases; the steady queues move at T' < 0 or at -C."""
    positive(-follow)
    positive(-drain, FAST)
    positive(-alpha * follow)
    positive(C)
    return Proved("F' < 0, T' = alpha F' < 0, Q' = T' or -C", EXAMPLE_A, IN_A)


@evidence("edt.sec3.1.two-cases", form="printed", strength="smt")
def every_rate_is_in_exactly_one_case() -> Outcome:
    """The bound exceeds C, so both cases occur, and they exclude each other; z3 and cvc5."""
    bound = formulas.rate_bound(alpha, C, M, N)
    R = C + r
    proof = smt.prove([], bound > C)
    smt.prove([], sp.Or(bound >= R, bound < R))
    smt.prove([bound >= R], sp.Not(bound < R))
    return Proved("C < bound, and R <= bound or R > bound", {**proof.example})


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


@evidence("edt.thm1.case-a.limit", form="printed", strength="symbolic")
def after_case_a_all_ports_rest_and_lose() -> Outcome:
    """All M + N queues on the threshold, none growing: F' = 0, so each burst loses all but C."""
    same(free_slope(0, 0, M + N), 0, "F' after t_1")
    admitted = C + alpha * free_slope(0, 0, M + N)
    positive((C + r) - admitted)
    same((C + r) - admitted, r, "the rate of the loss")
    return Proved("Q' = T' = 0, loss at R - C", EXAMPLE_A, IN_A)


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


@evidence("edt.thm1.case-b.limit", "edt.thm1.case-b.after.rise", form="printed", strength="symbolic")
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


@evidence("edt.ours.steady-rate", form="printed", strength="symbolic")
def the_rates_of_the_steady_ports_do_not_matter() -> Outcome:
    """On the threshold T' <= 0 <= R - C, so the upper clip never binds; above it nothing is admitted anyway."""
    spare = sp.Symbol("spare", nonnegative=True)  # R - C of a steady port
    slope = alpha * free_slope(G, 0, on)
    nonnegative(spare - slope)
    nonnegative(-alpha * free_slope(0, 0, on))  # when all have met the threshold
    return Proved("min(T', R - C) = T' for every R >= C", EVERY_PORT, WITHIN_EVERY_PORT)
