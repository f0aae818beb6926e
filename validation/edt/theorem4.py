"""Section 3.3: Theorem 4, equations (42) to (68); runs and published numbers."""

from fractions import Fraction
from itertools import product

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Counterexample, Outcome, check, evidence, refuted_by_values
from dtmodel.theory.edt.varying_rates import Shared, theorem4_roots, varying_first_drop

from .scenarios import BUSY, SHARED, Number, Pieces, against, fractions, scenario

F = Fraction
STEADY: Pieces = [(0, 2)]
TOUCHING: Pieces = [(0, 2), (2, 0)]
EARLY_ROOT: Pieces = [(0, 1), (4, 9), ("41/10", 0)]
CASE_C: Pieces = [(0, 1), (1, 5), ("5/4", 3), (2, 1)]
CASE_D: Pieces = [(0, 1), (1, 5), ("5/4", 2)]


@evidence("edt.thm4.proof.rate-after-d2", form="repaired", strength="sampled")
def after_the_middle_phase_bursts_grow_at_r_minus_c() -> Outcome:
    """B = 24, one to three bursts beside none to two steady ports: 2 for 1/4, 9 for 1/8, then R from 1 to 5/2."""
    rates = [F(k, 4) for k in range(4, 11)]
    for M, N, R in product((1, 2, 3), (0, 1, 2), rates):
        pieces: Pieces = [(0, 2), (F(1, 4), 9), (F(3, 8), R)]
        request = scenario([pieces] * M, [BUSY] * N, switch={"alpha": 1, "buffer": 24, "rate": 1}, until="7/8",
                           sample=["3/8", "5/8"])  # fmt: skip
        found = answer(request)
        check(found["first_drop"][0] is None, f"M = {M}, N = {N}, R = {R}: something is lost")
        grown = F(found["queues"][1][0]) - F(found["queues"][0][0])
        check(grown == (R - 1) / 4 and F(found["queues"][0][0]) == F(5, 4), f"M = {M}, N = {N}, R = {R}: {grown}")
    return Agrees(9 * len(rates), "M 1..3, N 0..2, R from C to 5/2 C, for a quarter of a second")


@evidence("edt.eq43.t1", form="printed", strength="exact")
def an_interval_solves_the_first_equation() -> Outcome:
    """R = 2 for 2 s and C afterwards: every t from 2 on is a root."""
    check(len(theorem4_roots(SHARED, 1, [(F(0), F(2)), (F(2), F(1))], F(5), F(9)).t1) > 1, "several roots")
    equation = "(1 + alpha*M + alpha*N) * (A_{0} - C*{0}) == alpha*B"
    values = {"alpha": 1, "B": 6, "C": 1, "M": 1, "N": 1, "one": 2, "A_one": 4, "two": 5, "A_two": 7}
    return refuted_by_values(values, "one == two", "two roots t_1", [equation.format("one"), equation.format("two")])


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
    return refuted_by_values(values, "one == two", "two roots t_2, one of them before d_1", known)


@evidence("edt.thm4", "edt.eq44", form="printed", strength="exact")
def a_queue_that_touches_the_threshold_loses_nothing() -> Outcome:
    """R = 2 for 2 s, then 0: Q meets T at t_1 = 2 and both turn; d_1 = 5 exceeds t_1, and nothing is lost."""
    check(theorem4_roots(SHARED, 1, fractions(TOUCHING), F(5), F(9)).t1[0] == 2, "t_1 = 2 solves (43)")
    return against(scenario([TOUCHING], [STEADY]), {"first_drop": ["2", "0"]}, "t_1 = 2 < d_1, but no packet is lost")


@evidence("edt.eq46", "edt.eq61", form="printed", strength="exact")
def a_root_before_d1_is_no_meeting() -> Outcome:
    """The fast phase of the same rates ends at 41/10, before the meeting: d_2 > t_2 = 1, and nothing is lost."""
    return against(
        scenario([EARLY_ROOT], [STEADY]), {"first_drop": ["1", "0"]}, "d_2 exceeds the root t_2 = 1; nothing is lost"
    )


@evidence("edt.eq47", "edt.eq47@below-C", form="printed", strength="exact")
def a_burst_that_begins_late_leaves_more_free() -> Counterexample:
    """B = 6, one steady port, R = 0 for 1 s and 9 then: by (43) t_2 = 13/10, and (47) gives 7/5 there."""
    t, A1, R = F(13, 10), F(0), 9
    check(2 * R * (t - 1) - 3 * t == (6 + A1 - 3) / 2, "t_2 solves the second line of (43) with d_1 = 1")
    free = (6 + A1 - 3) / 2 + 2 * t - R * (t - 1)
    request = scenario([[(1, R)]], [BUSY], until=2)
    return against(request, {"free_at_first_drop": [str(free), "3"]}, "8/5 bytes are free at the first drop, at 6/5")


@evidence("edt.eq62", form="printed", strength="exact")
def at_t_2_a_burst_that_begins_late_leaves_more_free() -> Counterexample:
    """B = 6, one steady port, R = 0 for 1 s and 9 then: at t_2 = 13/10 (57) has 7/5 and 16/5, so 7/5 are free."""
    request = scenario([[(1, 9)]], [BUSY], until=2, sample=["13/10"])
    (row,) = answer(request)["queues"]
    free = 6 - sum(map(F, row))
    check(free != F(7, 5), "as much is free as (62) says")
    return against(request, {"queues": [["7/5", "16/5"]]}, f"{free} bytes are free at 13/10")


@evidence("edt.eq45", "edt.eq56", form="printed", strength="exact")
def a_pause_parts_the_steady_ports() -> Outcome:
    """B = 8, ports offered 9 and 13/10, R = 4, 0 from 1/2 to 3/2, then 4: the drop is at 959/480, not at t_1 = 2.

    The second port lags behind the rising threshold, and the first is left above the falling one: 319/160 are free at
    the drop, 19147/9600 at t_1, and by (45) and (56) it is B / 4 = 2.
    """
    rates: Pieces = [(0, 4), ("1/2", 0), ("3/2", 4)]
    switch: dict[str, Number] = {"alpha": 1, "buffer": 8, "rate": 1}
    request = scenario([rates], [BUSY, [(0, "13/10")]], switch=switch, until="7/2", sample=["2"])
    found = answer(request)
    check(8 - sum(map(F, found["queues"][0])) == F(19147, 9600), "(56) is right at t_1")
    claimed = ["2", *found["free_at_first_drop"][1:]]
    return against(request, {"free_at_first_drop": claimed}, "319/160 bytes are free at the first drop")


@evidence("edt.thm4.t3@t0", form="printed", strength="exact")
def with_t3_the_second_meeting_case_c_never_applies() -> Outcome:
    """The bursts meet the threshold at 5/3 while the steady queue is above it; d) says t_1 and F = B / 3 instead."""
    return against(
        scenario([CASE_C], [STEADY]), {"free_at_first_drop": ["2", "3"]}, "case c; d) has another free buffer"
    )


@evidence("edt.thm4.t3@d3", form="printed", strength="exact")
def with_t3_the_end_a_drop_by_c_is_taken_for_one_by_d() -> Outcome:
    """At d_3 = 4 the steady queue has met the threshold again: d) would apply."""
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


@evidence("edt.eq49", form="printed", strength="exact")
def in_case_c_a_late_burst_leaves_another_part_free() -> Counterexample:
    """B = 6, one steady port, R = 0 for 1 s, 9 for 1/8 s, then 5/2: t_2 = 39/16 by (43), and (49) gives 63/32."""
    t, d2, R = F(39, 16), F(9, 8), F(5, 2)
    A = 9 * (d2 - 1) + R * (t - d2)
    check(2 * A - 3 * t == (6 - 3) / F(2), "t_2 solves the second line of (43) with d_1 = 1")
    check(d2 <= t and A - 3 * (t - 1) > 0, "the condition of c) holds, with t_3 = t_2")
    free = (6 - 3) / F(2) + 2 * t - A
    request = scenario([[(1, 9), (d2, R)]], [BUSY], until=3)
    return against(request, {"free_at_first_drop": [str(free), "3"]}, "59/32 bytes are free at the first drop")


@evidence("edt.eq52", form="printed", strength="exact")
def a_rate_below_c_makes_the_printed_queue_negative() -> Outcome:
    """R = 1/2: by (52) the queue would be -1/2 after 1 s."""
    request = scenario([[(0, "1/2")]], [STEADY], sample=[1])
    return against(request, {"queues": [["-1/2", "13/4"]]}, "queues are not negative")


@evidence("edt.thm4.proof.no-drop-before-d1", "edt.eq55", form="printed", strength="exact")
def below_the_threshold_again_after_a_loss() -> Outcome:
    """R = 3 for 6/5 s and 0 until d_1 = 4: Q <= T at d_1, but packets are lost from 1 on."""
    request = scenario([[(0, 3), ("6/5", 0)]], [STEADY], until=4)
    return against(request, {"first_drop": [None, "0"]}, "packets are lost before d_1 though Q(d_1) <= T(d_1)")


@evidence("edt.eq51", "edt.thm4.proof.free-d", "edt.thm4.t3@t2", form="printed", strength="exact")
def a_pause_makes_d_of_a_drop_in_the_fast_phase() -> Outcome:
    """B = 6, one steady port, R = 0 until 3, 1 until 6, 4 until 7, then 2: t_1 = 9, t_2 = 19/2; the drop is at 33/5.

    The bursts' queues are empty until 6 (the integral less C t is -3 there): (43) comes too late, so that d) applies.
    """
    rates: Pieces = [(0, 0), (3, 1), (6, 4), (7, 2), ("21/2", 0)]
    roots = theorem4_roots(SHARED, 1, [(F(begin), F(rate)) for begin, rate in rates], F(6), F("21/2"))
    check((roots.t1[0], roots.t2[-1]) == (F(9), F(19, 2)), f"{roots}")
    lead = (4 * 1 + 2 * F(5, 2)) - 3 * (F(19, 2) - 6)
    check(lead <= 0, "the condition of d) does not hold at t_2")
    request = scenario([rates], [BUSY], until=10)
    return against(request, {"free_at_first_drop": ["2", "3"]}, "9/5 bytes are free at 33/5; (45) is B / 3")


@evidence("edt.thm4.proof.at-d1", "edt.thm4.proof.drain-after-d2", form="printed", strength="exact")
def a_steady_port_that_fell_behind_does_not_drain() -> Counterexample:
    """B = 12, R = 2, 0 from 2 to 3, 4 until 13/4, then 2; a steady port of rate C: it stays at 5, below the threshold.

    The threshold is 6 at d_1 = 3 and 21/4 at d_2 = 13/4; draining at C the queue would hold 39/8 at 25/8.
    """
    rates: Pieces = [(0, 2), (2, 0), (3, 4), ("13/4", 2)]
    switch: dict[str, Number] = {"alpha": 1, "buffer": 12, "rate": 1}
    request = scenario([rates], [[(0, 1)]], switch=switch, until=4, sample=["25/8", "27/8"])
    return against(request, {"queues": [["11/8", "39/8"], ["15/8", "37/8"]]}, "the steady queue is 5 all the time")


@evidence("edt.eq57", "edt.eq57@below-C", form="printed", strength="exact")
def the_printed_lengths_count_service_of_an_empty_queue() -> Counterexample:
    """B = 6, one steady port, R = 0 for 1 s and 9 then: 1/8 s later (57) and (58) give 0 and 27/8."""
    t, d1 = F(9, 8), F(1)
    burst, steady = 9 * (t - d1) - t, F(6 - 0 + d1) / 2 + d1 - t
    request = scenario([[(1, 9)]], [BUSY], until=2, sample=[t])
    return against(request, {"queues": [[str(burst), str(steady)]]}, "the queues are 1 and 23/8")


@evidence("edt.eq58", form="printed", strength="exact")
def a_pause_is_no_service_saved_up() -> Counterexample:
    """B = 6, one steady port, R = 0 for d_1 = 1 s: (58) says 7/2, for the queue of the burst would be -1."""
    request = scenario([[(1, 9)]], [BUSY], until=2, sample=[1])
    return against(request, {"queues": [["0", str(F(6 - 0 + 1, 2))]]}, "the steady queue is 3 at d_1")


@evidence("edt.thm4.proof.rate-after-d2", form="printed", strength="exact")
def after_d2_the_queue_grows_at_r_less_c() -> Outcome:
    """R = 2 after d_2 = 5/4, when the queue holds 1: 1/4 s later it holds 5/4, not 3/2."""
    request = scenario([CASE_D], [STEADY], sample=["3/2"])
    return against(request, {"queues": [["3/2", "5/2"]]}, "the port is still served")


@evidence("edt.fig6.two-cases", form="printed", strength="exact")
def bursts_that_end_early_leave_neither_case() -> Outcome:
    """At d_3 = 3/2 the burst is below and the steady queue still above the threshold 9/4."""
    request = scenario([CASE_D], [STEADY], until=2, sample=["3/2"])
    return against(request, {"queues": [["5/4", "9/4"]]}, "neither queue has met the threshold by d_3")


@evidence("edt.eq48", "edt.eq64", form="printed", strength="exact")
def in_case_a_too_the_threshold_can_be_touched_only() -> Outcome:
    """R falls to C at the very meeting, at 5/3: the steady queue still drains, the threshold rises, nothing is lost.

    The condition of c) is true for t_3 = t_2 = 5/3.
    """
    touching: Pieces = [(0, 1), (1, 5), ("5/4", 3), ("5/3", 1)]
    check(F(5, 3) in theorem4_roots(SHARED, 1, fractions(touching), F(1), F(9)).t2, "t_2 = 5/3")
    return against(scenario([touching], [STEADY]), {"first_drop": ["5/3", "0"]}, "t_2 = 5/3 < d_3, but nothing is lost")


@evidence("edt.eq50", "edt.eq67", form="printed", strength="exact")
def in_case_b_too_the_threshold_can_be_touched_only() -> Outcome:
    """B = 39/10, R = C for 2 s, 4 for 1/10 s, 2 for 1 s, then C: all meet at t_1 = 31/10 and rest, nothing is lost.

    The steady queue has met the threshold again before: with t_3 from t_0 on the condition of d) is true.
    """
    touching: Pieces = [(0, 1), (2, 4), ("21/10", 2), ("31/10", 1)]
    one = Shared(F(1), F("39/10"), F(1), 1)
    roots = theorem4_roots(one, 1, fractions(touching), F(2), F(9))
    check(roots.t1[0] == F("31/10") and max(roots.t2) < 2, f"the roots are {roots}")
    lead = (4 * F(1, 10) + 2 * 1) - 3 * F(11, 10)
    check(lead <= 0, "the condition of d) is not true at t_1")
    switch: dict[str, Number] = {"alpha": 1, "buffer": "39/10", "rate": 1}
    request = scenario([touching], [STEADY], switch=switch)
    return against(request, {"first_drop": ["31/10", "0"]}, "t_1 = 31/10 < d_3, but nothing is lost")


@evidence("edt.thm4.proof.after-t0", form="printed", strength="exact")
def after_t0_a_pause_can_leave_slow_ports_behind() -> Outcome:
    """Case D, with a pause after 2 and a steady port offered C: it does not follow the threshold as (52) says."""
    pausing: Pieces = [(0, 1), (1, 5), ("5/4", 2), (2, 0)]
    request = scenario([pausing], [[(0, 1)]], sample=["5/2"])
    return against(request, {"queues": [["5/4", "19/8"]]}, "T rises while R < C, and the steady port lags behind")


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
