"""Theorem 4 against the exact fluid engine: what its literal statement misses, in the smallest switches."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Outcome, check, evidence
from dtmodel.theory.varying_rates import Shared, theorem4_roots, varying_first_drop

from .edt_common import Number, Pieces, against, refutes, scenario

F = Fraction
STEADY: Pieces = [(0, 2)]
TOUCHING: Pieces = [(0, 2), (2, 0)]
EARLY_ROOT: Pieces = [(0, 1), (4, 9), ("41/10", 0)]
CASE_C: Pieces = [(0, 1), (1, 5), ("5/4", 3), (2, 1)]
CASE_D: Pieces = [(0, 1), (1, 5), ("5/4", 2)]
SHARED = Shared(F(1), F(6), F(1), 1)


def fractions(rates: Pieces) -> list[tuple[Fraction, Fraction]]:
    return [(F(time), F(rate)) for time, rate in rates]


@evidence("edt.thm4", "edt.eq44", "edt.eq67", form="printed", strength="exact")
def a_queue_that_touches_the_threshold_loses_nothing() -> Outcome:
    """R = 2 for 2 s, then 0: Q meets T at t_1 = 2 and both turn; d_1 = 5 exceeds t_1, and nothing is lost."""
    check(theorem4_roots(SHARED, 1, fractions(TOUCHING), F(5), F(9)).t1[0] == 2, "t_1 = 2 solves (43)")
    return against(scenario([TOUCHING], [STEADY]), {"first_drop": ["2", "0"]}, "t_1 = 2 < d_1, but no packet is lost")


@evidence("edt.eq43.t1", form="printed", strength="exact")
def an_interval_solves_the_first_equation() -> Outcome:
    """R = 2 for 2 s and C afterwards: every t from 2 on is a root."""
    check(len(theorem4_roots(SHARED, 1, [(F(0), F(2)), (F(2), F(1))], F(5), F(9)).t1) > 1, "several roots")
    values = {"alpha": 1, "B": 6, "C": 1, "M": 1, "N": 1, "one": 2, "A_one": 4, "two": 5, "A_two": 7}
    equation = "(1 + alpha*M + alpha*N) * (A_{0} - C*{0}) == alpha*B"
    return refutes(values, [equation.format("one"), equation.format("two")], "one == two", "two roots t_1")


@evidence("edt.eq43.t2", form="printed", strength="exact")
def the_second_equation_has_a_root_before_d1() -> Outcome:
    """R = C for 4 s, then 9: t_2 = 1 and t_2 = 21/5 both solve (43); nothing happens at 1."""
    roots = theorem4_roots(SHARED, 1, [(F(0), F(1)), (F(4), F(9))], F(4), F(9)).t2
    check(roots == (F(1), F(21, 5)), f"the roots are {roots}")
    values: dict[str, Number] = {"alpha": 1, "B": 6, "C": 1, "M": 1, "N": 1, "d1": 4, "A1": 4}
    values |= {"one": 1, "A_one": 1, "two": "21/5", "A_two": "29/5"}
    equation = (
        "((1 + alpha*M) * A_{0} - (1 + alpha*M + alpha*N) * C * {0}) * (1 + alpha*N)"
        " == alpha*B + alpha*N * (alpha*M*A1 - (1 + alpha*M + alpha*N) * C * d1)"
    )
    known = [equation.format("one"), equation.format("two")]
    return refutes(values, known, "one == two", "two roots t_2, one of them before d_1")


@evidence("edt.eq46", "edt.eq61", form="printed", strength="exact")
def a_root_before_d1_is_no_meeting() -> Outcome:
    """The fast phase of the same rates ends at 41/10, before the meeting: d_2 > t_2 = 1, and nothing is lost."""
    return against(
        scenario([EARLY_ROOT], [STEADY]), {"first_drop": ["1", "0"]}, "d_2 exceeds the root t_2 = 1; nothing is lost"
    )


@evidence("edt.thm4.t3@t0", "edt.eq48", "edt.eq50", form="printed", strength="exact")
def with_t3_the_second_meeting_case_c_never_applies() -> Outcome:
    """The bursts meet the threshold at 5/3 while the steady queue is above it; d) says t_1 and F = B / 3 instead."""
    return against(
        scenario([CASE_C], [STEADY]), {"free_at_first_drop": ["2", "3"]}, "case c; d) has another free buffer"
    )


@evidence("edt.thm4.t3@d3", form="printed", strength="exact")
def with_t3_the_end_a_drop_by_c_is_taken_for_one_by_d() -> Outcome:
    """The same rates until d_3 = 4, when the steady queue has met the threshold again: d) would apply."""
    lead = (1 + 5 * F(1, 4) + 3 * F(3, 4) + 2 * 1 - 1) - 3 * 3
    check(lead <= 0, f"the condition of d) holds at d_3: {lead}")
    return against(
        scenario([CASE_C], [STEADY], until=4), {"free_at_first_drop": ["2", "3"]}, "the first drop is that of c)"
    )


@evidence("edt.thm4.t3@d2", form="printed", strength="exact")
def with_t3_the_end_of_the_fast_phase_case_d_never_applies() -> Outcome:
    """The steady queue meets the threshold again before the bursts do: the drop is at t_1 = 9/4, not at t_2 = 5/2."""
    roots = theorem4_roots(SHARED, 1, fractions(CASE_D), F(1), F(9))
    check(roots.t2[-1] == F(5, 2) and roots.t1 == (F(9, 4),), f"the roots are {roots}")
    return against(scenario([CASE_D], [STEADY]), {"first_drop": ["5/2", "0"]}, "the drop is at t_1, by d)")


@evidence("edt.eq42", form="printed", strength="exact")
def the_phases_overlap_at_their_ends() -> Outcome:
    """R(d_1) = 3, the bound: it is not more than the bound; nothing else would be both."""
    return refutes({"R_d1": 3, "bound": 3}, [], "R_d1 <= bound and R_d1 > bound", "no R(d_1) satisfies both lines")


@evidence("edt.eq42", form="repaired", strength="exact")
def half_open_phases_are_possible() -> Outcome:
    """Rates 2, 5, 2 around the bound 3 satisfy the repaired (42) in every instant of a grid that has its ends."""
    rates, bound = fractions([(0, 2), (1, 5), (2, 2)]), F(3)
    grid = [F(k, 4) for k in range(13)]
    value = [next(rate for time, rate in reversed(rates) if time <= at) for at in grid]
    fast = [1 <= at < 2 for at in grid]
    check([rate > bound for rate in value] == fast, "each instant is in one phase")
    return Agrees(len(grid), "a rate of three phases, piecewise constant, with both ends on the grid")


@evidence("edt.sec3.3.slope-slow", form="printed", strength="exact")
def at_the_bound_the_threshold_falls_at_exactly_c() -> Outcome:
    """R = 3 is allowed in the first phase."""
    values = {"alpha": 1, "C": 1, "M": 1, "N": 1, "R": 3}
    allowed = ["R <= C * (1 + (1 + alpha*N) / (alpha*M))"]
    return refutes(values, allowed, "alpha*M*(R - C) / (1 + alpha*N) < C", "the threshold falls at C, not more slowly")


@evidence("edt.sec3.3.two-cases", form="printed", strength="exact")
def a_steady_queue_that_is_offered_little_does_neither() -> Outcome:
    """The burst pauses after 1 s; a steady port that is offered just C keeps its 5/2 while the threshold rises to 3."""
    slow: Pieces = [(0, 1)]
    request = scenario([[(0, 2), (1, 0)]], [slow], sample=["3/2"])
    return against(request, {"queues": [["1/2", "11/4"]]}, "the steady queue neither follows the threshold nor drains")


@evidence("edt.eq52", form="printed", strength="exact")
def a_rate_below_c_makes_the_printed_queue_negative() -> Outcome:
    """R = 1/2: by (52) the queue would be -1/2 after 1 s."""
    request = scenario([[(0, "1/2")]], [STEADY], sample=[1])
    return against(request, {"queues": [["-1/2", "13/4"]]}, "queues are not negative")


@evidence("edt.thm4.proof.no-drop-before-d1", "edt.eq55", form="printed", strength="exact")
def a_queue_can_have_lost_packets_and_be_below_the_threshold_again() -> Outcome:
    """R = 3 for 6/5 s and 0 until d_1 = 4: Q <= T at d_1, but packets are lost from 1 on."""
    request = scenario([[(0, 3), ("6/5", 0)]], [STEADY], until=4)
    return against(request, {"first_drop": [None, "0"]}, "packets are lost before d_1 though Q(d_1) <= T(d_1)")


@evidence("edt.thm4.proof.rate-after-d2", form="printed", strength="exact")
def after_d2_the_queue_grows_at_r_less_c() -> Outcome:
    """R = 2 after d_2 = 5/4, when the queue holds 1: 1/4 s later it holds 5/4, not 3/2."""
    request = scenario([CASE_D], [STEADY], sample=["3/2"])
    return against(request, {"queues": [["3/2", "5/2"]]}, "the port is still served")


@evidence("edt.eq64", form="printed", strength="exact")
def in_case_a_too_the_threshold_can_be_touched_only() -> Outcome:
    """R falls to C at the very meeting, at 5/3: the steady queue still drains, the threshold rises, nothing is lost."""
    touching: Pieces = [(0, 1), (1, 5), ("5/4", 3), ("5/3", 1)]
    check(F(5, 3) in theorem4_roots(SHARED, 1, fractions(touching), F(1), F(9)).t2, "t_2 = 5/3")
    return against(scenario([touching], [STEADY]), {"first_drop": ["5/3", "0"]}, "t_2 = 5/3 < d_3, but nothing is lost")


@evidence("edt.eq66", form="printed", strength="exact")
def d1_solves_the_equation_of_t0_too() -> Outcome:
    """At t_0 = d_1 both terms of (66) vanish."""
    values = {"alpha": 1, "C": 1, "M": 1, "N": 1, "A": 0, "t0": 1, "d1": 1}
    equation = "alpha*M*A - (1 + alpha*M + alpha*N) * (t0 - d1) * C == 0"
    return refutes(values, [equation], "t0 > d1", "d_1 is a root, and no second meeting")


@evidence("edt.thm4.proof.after-t0", form="printed", strength="exact")
def after_t0_a_pause_can_leave_slow_ports_behind() -> Outcome:
    """Case D, with a pause after 2 and a steady port offered C: it does not follow the threshold as (52) says."""
    pausing: Pieces = [(0, 1), (1, 5), ("5/4", 2), (2, 0)]
    request = scenario([pausing], [[(0, 1)]], sample=["5/2"])
    return against(request, {"queues": [["5/4", "19/8"]]}, "T rises while R < C, and the steady port lags behind")


@evidence("edt.eq67.misprint", form="printed", strength="exact")
def with_r_equal_to_c_the_queue_stays_where_it_met_the_threshold() -> Outcome:
    """R = C from t_1 = 2 on: Q(d_3) = T(t_1) for every d_3 > t_1."""
    values = {"Q_d3": 2, "T_t1": 2, "d3": 3, "t1": 2}
    return refutes(values, [], "d3 <= t1 or Q_d3 > T_t1", "d_3 > t_1 but Q(d_3) does not exceed T(t_1)")


@evidence("edt.fig6.two-cases", form="printed", strength="exact")
def bursts_that_end_early_leave_neither_case() -> Outcome:
    """At d_3 = 3/2 the burst is below and the steady queue still above the threshold 9/4."""
    request = scenario([CASE_D], [STEADY], until=2, sample=["3/2"])
    return against(request, {"queues": [["5/4", "9/4"]]}, "neither queue has met the threshold by d_3")


@evidence("edt.sec3.3.no-general-condition", form="printed", strength="exact")
def the_arrivals_decide_though_the_cases_change_again_and_again() -> Outcome:
    """Rates that cross the bound again and again: the functional of the arrivals gives the engine's drop."""
    rates: Pieces = [(0, 2), ("1/2", 5), ("3/4", 0), (1, 4), ("5/4", 2), ("3/2", 7)]
    request = scenario([rates], [[(0, 9)]])
    drop = varying_first_drop(SHARED, [fractions(rates)], F(9))
    check(drop is not None and str(drop.time) == answer(request)["first_drop"][0], "the engine agrees")
    return against(request, {"first_drop": [None, "0"]}, "the arrivals alone give the time of the first drop")


@evidence("edt.fig5.shape", form="printed", strength="exact")
def servers_that_answer_one_after_the_other_do_not_rise_then_fall() -> Outcome:
    """Two answers, in [0, 1] and [2, 3]: the rate is 1, 0, 1."""
    return refutes({"first": 1, "between": 0, "second": 1}, [], "not (first > between and between < second)", "it dips")


@evidence("edt.fig5.shape", form="assumed", strength="sampled")
def overlapping_answers_rise_then_fall() -> Outcome:
    """If all beginnings precede all ends, the number of active servers rises by one n times, then falls n times."""
    cases = 0
    for servers, step in product(range(1, 7), range(1, 4)):
        rates = [step * k for k in range(servers + 1)] + [step * k for k in range(servers - 1, -1, -1)]
        turns = [b > a for a, b in pairwise(rates)]
        check(turns == sorted(turns, reverse=True), "rises come before falls")
        cases += 1
    return Agrees(cases, "the order of the events determines the rates: up to 6 servers, each with the same rate")


@evidence("edt.ours.theorem4", "edt.ours.first-drop", form="printed", strength="sampled")
def the_corrected_theorem_agrees_with_the_engine_on_a_grid() -> Outcome:
    """Every rate of three phases from a grid: the functional, and the corrected cases with it, is the engine."""
    cases = 0
    for slow, fast, last in product((1, 2, 3), (4, 5, 8), (1, 2, 3)):
        for end in (F(5, 4), F(3, 2)):
            rates = [(F(0), F(slow)), (F(1, 2), F(fast)), (end, F(last)), (F(4), F(1))]
            drop = varying_first_drop(SHARED, [rates], F(5))
            found = answer(scenario([[(str(t), str(r)) for t, r in rates]], [STEADY], until=5))["first_drop"][0]
            check((str(drop.time) if drop else None) == found, f"{rates}: {drop} against {found}")
            cases += 1
    return Agrees(cases, "one burst beside one steady port, rates 1..3, 4..8, 1..3, two lengths of the fast phase")
