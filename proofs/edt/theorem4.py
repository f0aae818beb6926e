"""Section 3.3: Theorem 4, equations (42) to (68); proofs."""

from typing import Any

import sympy as sp

from dtmodel.fluid import answer
from dtmodel.ledger import Counterexample, Outcome, Proved, evidence, refuted_by_values
from dtmodel.ledger.provers import slack, smt

from .derivation import (
    B,
    C,
    M,
    N,
    alpha,
    law_of_the_steady_queues,
    r,
    reflection_step,
    same,
    slope_of_the_slow_threshold,
    slow_threshold,
    t,
)

RATE = sp.Symbol("r", real=True)
A1, d1, A, s_0 = sp.symbols("A_1 d_1 A s", nonnegative=True)
GAP_SLOW = (1 + alpha * M + alpha * N) * RATE
GAP_FAST = (1 + alpha * M) * RATE - alpha * N * C
EXAMPLE = {"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2 on [0, 1), 5 on [1, 2), then 1", "d_1": "1"}


def fast_threshold() -> Any:
    """T of (59): the steady queues have drained at C since d_1."""
    held = slow_threshold().subs({A: A1, t: d1}) - C * (t - d1)
    return alpha * (B - M * (A - C * t) - N * held)


def above() -> Any:
    """Return e of (63): how far the steady queues are above the threshold of (59)."""
    return slow_threshold().subs({A: A1, t: d1}) - C * (t - d1) - fast_threshold()


PRINTED_SLOW = alpha * (B - M * A + M * C * t) / (1 + alpha * N)
BRACKET = alpha * M * A1 - (1 + alpha * M + alpha * N) * C * d1
PRINTED_FAST = (alpha * B + alpha * N * BRACKET) / (1 + alpha * N) + alpha * (M + N) * C * t - alpha * M * A


@evidence("edt.eq43.t1", form="assumed", strength="symbolic")
def without_pauses_the_first_equation_has_one_root() -> Outcome:
    """The left side has the derivative (1 + alpha M + alpha N)(R - C) > 0."""
    left = (1 + alpha * M + alpha * N) * r * t
    return slack.certificate(sp.diff(left, t), {}, strict=True).proved("the left side increases strictly")


@evidence("edt.eq43.t2", "edt.eq61", form="assumed", strength="symbolic")
def the_second_equation_has_at_most_one_root() -> Outcome:
    """For fast bursts Q - T, the difference of the sides, increases strictly from at most 0 at d_1."""
    growth = (1 + alpha * M) * r - alpha * N * C
    found = slack.certificate(growth, {r: (1 + alpha * N) * C / (alpha * M) + s_0}, strict=True)
    return found.proved("(Q - T)' > 0 for R above the bound")


@evidence("edt.ours.theorem4", form="printed", strength="smt")
@evidence("edt.thm4", "edt.eq44", "edt.eq46", "edt.eq55", "edt.eq64", "edt.eq67", form="assumed", strength="smt")
@evidence("edt.thm4.proof.no-drop-before-d1", "edt.thm4.t3@t2", form="assumed", strength="smt")
@evidence("edt.eq48", "edt.eq50", form="repaired", strength="smt")
def theorem4_follows_from_the_functional() -> Outcome:
    """In the three phases: when Q - T comes to be positive, by which equation, and that no loss comes before."""
    slow, fast = alpha * M * RATE <= (1 + alpha * N) * C, alpha * M * RATE > (1 + alpha * N) * C
    never_below_c = RATE >= 0
    law_of_the_steady_queues()
    reflection_step()
    # First phase, and after t_0: (1 + alpha N)(Q - T) does not fall: its first crossing is t_1, no loss is before.
    smt.prove([never_below_c, slow], GAP_SLOW >= 0)
    # Second phase: Q - T rises strictly, so (60) has one root there at most; before it nothing is lost.
    smt.prove([fast], GAP_FAST > 0)
    # Where the lead is e, the two gaps differ by alpha N e / (1 + alpha N): at d_1 and t_0, where e = 0, they agree.
    first, second, e = sp.symbols("g_1 g_2 e", real=True)
    relation = sp.Eq(second * (1 + alpha * N), first + alpha * N * e)
    smt.prove([relation, sp.Eq(e, 0), second <= 0], first <= 0)
    # Before d_1 the line of (59) lies below the threshold (e would be negative), after t_0 above it: roots of (60)
    # there are no meetings; while e > 0 the meeting is by (60), for the threshold is the lower of the two lines.
    smt.prove([relation, e > 0, N > 0], second * (1 + alpha * N) > first)
    return smt.prove([relation, e < 0, N > 0], second * (1 + alpha * N) < first).proved(
        "first crossings: t_1 while e = 0, t_2 while e > 0; t_3 = t_2 decides which comes first"
    )


@evidence("edt.eq53", form="printed", strength="symbolic")
@evidence("edt.eq45", "edt.eq51", "edt.eq56", "edt.thm4.proof.free-d", form="assumed", strength="symbolic")
def the_slow_threshold_is_the_printed_one() -> Outcome:
    """Solve (1) with (52) for T and compare with (53); divide by alpha and compare with (45) and (56)."""
    same(slow_threshold(), PRINTED_SLOW, "(53)")
    same(slow_threshold() / alpha, (B - M * A + M * C * t) / (1 + alpha * N), "(45)")
    return Proved("the only solution of (1) with all steady queues on the threshold", EXAMPLE)


@evidence("edt.eq59", form="printed", strength="symbolic")
@evidence("edt.eq47", "edt.eq49", "edt.eq58", "edt.eq62", form="assumed", strength="symbolic")
def the_fast_threshold_is_the_printed_one() -> Outcome:
    """Put (57) and (58) into (1) and compare with (59); divide by alpha and compare with (47) and (62)."""
    same(slow_threshold().subs({A: A1, t: d1}), alpha * (B - M * A1 + M * C * d1) / (1 + alpha * N), "(58)")
    same(fast_threshold(), PRINTED_FAST, "(59)")
    free = (B + N * BRACKET) / (1 + alpha * N) + (M + N) * C * t - M * A
    same(fast_threshold() / alpha, free, "(47) and (62)")
    return Proved("identities in A, A(d_1), t, d_1 and the parameters", EXAMPLE)


@evidence("edt.eq52", form="assumed", strength="symbolic")
def steady_queues_can_follow_a_threshold_that_falls_slowly() -> Outcome:
    """With C <= R <= bound the motion of (52) obeys the model: -C <= T' <= R_j - C for every steady port."""
    return slope_of_the_slow_threshold()


@evidence("edt.eq54", "edt.eq68", form="printed", strength="symbolic")
def the_slow_meeting_is_the_printed_equation() -> Outcome:
    """Q = T with (52) and (53) is (54), times 1 + alpha N; putting its solution into (45) gives (68)."""
    meeting = (A - C * t) - slow_threshold()
    same((1 + alpha * N) * meeting, (1 + alpha * M + alpha * N) * (A - C * t) - alpha * B, "(54)")
    arrived = C * t + alpha * B / (1 + alpha * M + alpha * N)
    same((slow_threshold() / alpha).subs(A, arrived), B / (1 + alpha * M + alpha * N), "(68)")
    return Proved("identities in A, t and the parameters", EXAMPLE)


@evidence("edt.eq57", "edt.thm4.proof.at-d1", form="assumed", strength="smt")
def above_the_bound_steady_queues_cannot_follow() -> Outcome:
    """With R above the bound T' < -C whether the steady queues drain or not: they cannot stay on the threshold."""
    fast = alpha * M * r > (1 + alpha * N) * C
    slope = sp.Symbol("slope", real=True)
    smt.prove([fast, sp.Eq(slope, -alpha * M * r + alpha * N * C)], slope < -C)
    stay = sp.Eq(slope * (1 + alpha * N), -alpha * M * r)
    return smt.prove([fast, stay], slope < -C).proved("neither on the threshold nor above it is T' >= -C")


@evidence("edt.eq60", form="printed", strength="symbolic")
def the_fast_meeting_is_the_printed_equation() -> Outcome:
    """Equating queue (57) and threshold (59) gives (60)."""
    right = (alpha * B + alpha * N * BRACKET) / (1 + alpha * N)
    left = (1 + alpha * M) * A - (1 + alpha * M + alpha * N) * C * t
    same((A - C * t) - fast_threshold(), left - right, "(60)")
    return Proved("an identity", EXAMPLE)


@evidence("edt.thm4.proof.rate-after-d2", form="repaired", strength="symbolic")
def below_the_threshold_a_queue_grows_at_R_minus_C() -> Outcome:
    """The derivative of (57) is R - C."""
    same(sp.diff(((C + r) * t - C * t), t), r, "Q' of (57)")
    return Proved("d/dt (A - C t) = R - C", EXAMPLE)


@evidence("edt.thm4.proof.drain-after-d2", form="assumed", strength="smt")
def steady_queues_above_drain_until_they_meet_it() -> Outcome:
    """A queue above the threshold drains at C whatever R is; at d_2 the lead e is positive."""
    e, span = sp.symbols("e span", real=True)
    grown = sp.Eq(e, (alpha * M * r - (1 + alpha * N) * C) * span)
    return smt.prove([alpha * M * r > (1 + alpha * N) * C, span > 0, grown], e > 0).proved("e(d_2) > 0")


@evidence("edt.fig6.two-cases", form="assumed", strength="symbolic")
def one_of_the_two_meetings_comes_within_a_bounded_time() -> Outcome:
    """A combination of (Q - T)' and -e' is constant and positive: Q - T < 0 < e cannot last."""
    gap, lead = (1 + alpha * M) * r - alpha * N * C, alpha * M * r - (1 + alpha * N) * C
    combined = sp.expand(alpha * M * gap - (1 + alpha * M) * lead)
    same(combined, C * (1 + alpha * M + alpha * N), "the combination")
    return slack.certificate(combined, {}, strict=True).proved("a combination grows at a constant positive rate")


@evidence("edt.eq63", "edt.eq65", form="printed", strength="symbolic")
def the_steady_queues_lie_above_by_the_printed_amount() -> Outcome:
    """Q_i - T for the steady queues is the left side of (63) and (65)."""
    same(above(), alpha * M * (A - A1) - (1 + alpha * M + alpha * N) * (t - d1) * C, "(63)")
    return Proved("the two sides of (63) and (65) differ by Q_i - T exactly", EXAMPLE)


@evidence("edt.eq66", form="assumed", strength="symbolic")
def steady_queues_meet_it_where_their_lead_vanishes() -> Outcome:
    """(66) is e = 0; e grows from 0 after d_1, then falls at alpha M (bound - R): it has one further zero."""
    growth = alpha * M * r - (1 + alpha * N) * C
    same(sp.diff(above().subs(A, A1 + (C + r) * (t - d1)), t), growth, "e'")
    faster = slack.certificate(growth, {r: (1 + alpha * N) * C / (alpha * M) + s_0})
    slower = slack.certificate(-growth, {C: alpha * M * r / (1 + alpha * N) + s_0})
    return Proved("e' >= 0 above the bound on R, e' <= 0 below it", {**faster.example, **slower.example})


@evidence("edt.thm4.proof.after-t0", form="assumed", strength="symbolic")
def at_the_second_meeting_the_first_phase_is_back() -> Outcome:
    """(59) less (53) is -alpha N e / (1 + alpha N): where e = 0 the two thresholds agree, and (53) follows from (1)."""
    same(fast_threshold() - slow_threshold(), -alpha * N * above() / (1 + alpha * N), "(59) - (53)")
    return slope_of_the_slow_threshold()


@evidence("edt.eq67.misprint", form="assumed", strength="smt")
def for_a_growing_queue_the_threshold_at_t1_decides() -> Outcome:
    """Q(d_3) - T(t_1) = Q(d_3) - Q(t_1) = rho (d_3 - t_1) with rho > 0, the mean of R - C between them."""
    rho, t1, d3, gap = sp.symbols("rho t_1 d_3 gap", real=True)
    known = [rho > 0, sp.Eq(gap, rho * (d3 - t1))]
    smt.prove([*known, gap > 0], d3 > t1)
    return smt.prove([*known, d3 > t1], gap > 0).proved("both directions")


@evidence("edt.thm4.remark.correlation", form="printed", strength="symbolic")
def the_free_buffer_falls_with_every_overloaded_port() -> Outcome:
    """(68) with one port more is less."""
    free = B / (1 + alpha * M + alpha * N)
    return slack.certificate(free - free.subs(M, M + 1), {}, strict=True).proved("F(M + N) - F(M + N + 1) > 0")


@evidence("edt.thm4.remark.small-burst", form="printed", strength="symbolic")
def the_dropped_burst_can_be_any_part_of_the_buffer() -> Outcome:
    """The queue at the drop over B tends to 0 with the number of ports, and so does what arrived."""
    queue = alpha * B / (1 + alpha * (M + N))
    limit = sp.limit(queue / B, N, sp.oo)
    same(limit, 0, "the limit")
    detail = "Q(t_1) / B -> 0 as N grows; what arrived by then is Q R / (R - C)"
    return Proved(detail, {"alpha": "1", "M": "1", "N": "99", "Q / B": "1/101"})


@evidence("edt.thm4.remark.general@case-b", form="printed", strength="kernel")
def a_fourth_steady_port_leaves_more_free() -> Counterexample:
    """M = 3, alpha = 1: R = C for 1 s, then 12/5, which is fast beside 2 steady ports and beside 3."""
    free = {}
    for steady in (2, 3):
        bursts = [{"arrivals": [["0", "1"], ["1", "12/5"]]}] * 3
        found = answer(
            {
                "switch": {"ports": 3 + steady, "buffer": "36", "rate": "1"},
                "policy": {"name": "dt", "alpha": "1"},
                "queues": [*bursts, *[{"arrivals": [["0", "9"]], "initial": "steady"}] * steady],
                "until": "9",
            }
        )
        free[steady] = str(found["free_at_first_drop"][0])
    given = ["min(alpha, B, C) > 0", "M >= 1"]
    given += [f"R > C * (1 + (1 + alpha*{n}) / (alpha*M))" for n in (2, 3)]
    given += [f"F_{n} == (R - C) * B / ((1 + alpha*{n}) * ((1 + alpha*M) * (R - C) - alpha*{n}*C))" for n in (2, 3)]
    says = "one steady port more, and more of the buffer is free"
    values = {"alpha": "1", "B": "36", "C": "1", "M": "3", "R": "12/5", "F_2": free[2], "F_3": free[3]}
    return refuted_by_values(values, "F_3 <= F_2", says, given)
