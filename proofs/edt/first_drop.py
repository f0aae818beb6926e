"""Section 3.3: the first loss for any arrival rates; proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.ledger.provers import slack, smt
from dtmodel.theory.dt import formulas

from .derivation import (
    FLUID,
    B,
    C,
    M,
    N,
    Z_slope,
    alpha,
    law_of_the_steady_queues,
    r,
    reflection_step,
    same,
    slope_of_the_slow_threshold,
)

lead, lead_slope, queue_slope, slope, growth = sp.symbols("e e' Q' T' S'", real=True)
s_0 = sp.Symbol("s", nonnegative=True)
EXAMPLE_A = {"alpha": "1", "B": "12", "C": "1", "M": "1", "N": "1", "R": "2"}
IN_A = ("R > C", "R <= C * (1 + (1 + alpha * N) / (alpha * M))")


def law_of_slow_steady_queues() -> smt.Proof:
    """A steady queue below the threshold grows at R_b - C, and its lead by Z' + (1 + alpha N) R_b."""
    background = sp.Symbol("R_b", real=True)
    known = [*FLUID, sp.Eq(queue_slope, background - C)]
    smt.prove(known, sp.Eq(lead_slope, Z_slope + (1 + alpha * N) * background))
    following = [*FLUID, sp.Eq(queue_slope, slope), background >= C]
    return smt.prove([*following, Z_slope + (1 + alpha * N) * background >= 0], slope <= background - C)


@evidence("edt.sec3.3.two-cases", form="assumed", strength="smt")
def with_bursts_that_never_pause_there_are_two_cases() -> Outcome:
    """If no burst shrinks, the threshold never rises while steady queues are on it: they follow it or drain."""
    following = [*FLUID, sp.Eq(queue_slope, slope), growth >= 0]
    smt.prove(following, slope <= 0)
    return law_of_the_steady_queues().proved("T' <= 0 <= R_j - C on the threshold; above it a queue drains at C")


@evidence("edt.sec3.3.other-scenarios", form="printed", strength="smt")
def in_every_phase_one_of_two_equations_gives_the_drop() -> Outcome:
    """While e = 0 the threshold is (53); while e > 0 it is (59) with the begin of that phase in the place of d_1."""
    reflection_step()
    return law_of_the_steady_queues().proved("e is 0, or Z less its value when the steady queues left the threshold")


@evidence("edt.fig5.shape", form="assumed", strength="smt")
def overlapping_answers_add_up_to_a_rise_and_a_fall() -> Outcome:
    """By induction over servers: until the first end no rate falls, from then on none rises, so neither do sums."""
    t, later, turn, begin, end = sp.symbols("t later turn begin end", real=True)
    rate, total, total_later = sp.symbols("rate total total_later", nonnegative=True)

    def answers(at: sp.Symbol) -> sp.Expr:
        return sp.Piecewise((rate, sp.And(begin <= at, at < end)), (0, True))

    overlap = [begin <= turn, turn <= end, t <= later]
    rise = smt.prove([*overlap, later < turn, total <= total_later], total + answers(t) <= total_later + answers(later))
    smt.prove([*overlap, turn <= t, total >= total_later], total + answers(t) >= total_later + answers(later))
    return rise.proved("the sum of any number of answers rises before the first end, and falls after it")


@evidence("edt.sec3.3.identical", form="printed", strength="smt")
@evidence("edt.sec4.1.T2.fair", "edt.intro.edt-advantage-2", form="assumed", strength="smt")
def queues_with_equal_arrivals_stay_equal() -> Outcome:
    """A longer queue never grows faster: below the threshold R - C, on it clip(T', -C, R - C), above it -C."""
    slope, clipped, R = sp.symbols("slope clipped R", real=True)
    least, most = -C, R - C
    clip = sp.Or(
        sp.And(slope <= least, sp.Eq(clipped, least)),
        sp.And(slope >= most, sp.Eq(clipped, most)),
        sp.And(slope > least, slope < most, sp.Eq(clipped, slope)),
    )
    return smt.prove([R >= 0, clip], sp.And(least <= clipped, clipped <= most)).proved(
        "the difference of two queues with equal arrivals never grows, so it stays 0"
    )


@evidence("edt.sec3.3.slope-slow", form="repaired", strength="symbolic")
def the_threshold_falls_at_c_at_most_below_the_bound() -> Outcome:
    """C + T' is non-negative for R up to the bound, with the steady queues on the threshold and above it."""
    draining = -alpha * M * r + alpha * N * C
    slack.certificate(C + draining, {C: alpha * M * r / (1 + alpha * N) + s_0})
    return slope_of_the_slow_threshold()


@evidence("edt.sec3.3.slope-fast", form="printed", strength="smt")
def above_the_bound_the_threshold_falls_faster_than_C() -> Outcome:
    """The bursts grow at R - C, and the steady queues, whatever they do, at -C or more: T' < -C; z3 and cvc5."""
    known = [alpha * M * r > (1 + alpha * N) * C, growth >= -N * C, sp.Eq(slope, -alpha * (M * r + growth))]
    return smt.prove(known, slope < -C).proved("T' < -C for every growth of the steady queues")


@evidence("edt.sec3.3.three-parts", form="printed", strength="smt")
def between_two_steps_above_a_bound_all_are_above_it() -> Outcome:
    """A step before the top is no lower than those before it, one after it no lower than those after it; z3 and cvc5.

    So of a step between two that are above the bound one of the two is no higher: those above it have no gap.
    """
    before, between, after, bound = sp.symbols("R_i R_j R_k rho", real=True)
    shape = sp.Or(between >= before, between >= after)
    return smt.prove([shape, before > bound, after > bound], between > bound).proved("no gap: one interval")


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


@evidence("edt.ours.first-drop", form="printed", strength="smt")
def the_threshold_is_a_functional_of_the_arrivals() -> Outcome:
    """Reflection step, the law of the steady queues, and T from e: T (1 + alpha N) = alpha (B - S - N e)."""
    reflection_step()
    T, total, B, steady = sp.symbols("T S B Q_b", real=True)
    smt.prove(
        [sp.Eq(T, alpha * (B - total - N * steady)), sp.Eq(steady, T + lead)],
        sp.Eq(T * (1 + alpha * N), alpha * (B - total - N * lead)),
    )
    return law_of_the_steady_queues().proved("by induction over the spans in which all slopes are constant")


@evidence("edt.ours.first-drop.slow-ports", form="printed", strength="smt")
def ports_that_lag_behind_the_threshold_are_followed_too() -> Outcome:
    """The law below the threshold."""
    law_of_the_steady_queues()
    return law_of_slow_steady_queues().proved("the lead moves by Z' above 0 and by Z' + (1 + alpha N) R_b below it")
