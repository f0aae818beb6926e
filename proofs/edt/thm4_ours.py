"""The threshold as a functional of the arrivals, and Theorem 4 corrected: the candidate motion obeys the model's law.

The fluid model has one motion (edt.sec2.3.admission@sliding), so it is enough that a candidate obeys its law at every
instant. Between two changes of slope everything is linear, and the obligations are about such a span: S' is the growth
of the bursts' queues together, e the lead of the steady queues over the threshold, Z' = alpha S' - (1 + alpha N) C.
"""

from __future__ import annotations

import sympy as sp

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import smt

from .dt_common import C, M, N, alpha

growth, slope, lead, lead_slope, queue_slope, span, least = sp.symbols("S' T' e e' Q' h m", real=True)
Z_slope = alpha * growth - (1 + alpha * N) * C
FLUID = [sp.Eq(slope, -alpha * (growth + N * queue_slope)), sp.Eq(lead_slope, queue_slope - slope)]
"""(1) differentiated, and the lead e = Q - T of the steady queues."""


def reflection_step() -> smt.Proof:
    """Z - min Z obeys: it moves by Z', but not below 0 (for one span of length h, with m the minimum so far)."""
    Z, after, floor = sp.symbols("Z Z_after floor", real=True)
    known = [least <= Z, span >= 0, sp.Eq(after, Z + Z_slope * span)]
    lower = sp.Or(sp.And(after <= least, sp.Eq(floor, after)), sp.And(after >= least, sp.Eq(floor, least)))
    moved = Z - least + Z_slope * span
    reflected = sp.Or(sp.And(moved >= 0, sp.Eq(after - floor, moved)), sp.And(moved <= 0, sp.Eq(after - floor, 0)))
    return smt.prove([*known, lower], reflected)


def law_of_the_steady_queues() -> smt.Proof:
    """The reflected lead is the model's: draining at C while e > 0 or Z' > 0, following the threshold otherwise."""
    draining = [*FLUID, sp.Eq(queue_slope, -C)]
    smt.prove(draining, sp.Eq(lead_slope, Z_slope))
    following = [*FLUID, sp.Eq(queue_slope, slope)]
    smt.prove([*following, Z_slope <= 0], slope >= -C)
    smt.prove([*following, Z_slope > 0], slope < -C)
    background = sp.Symbol("R_b", real=True)
    keeps_up = (background - C) * (1 + alpha * N) >= alpha * M * C
    return smt.prove([*following, growth >= -M * C, keeps_up], slope <= background - C)


def law_of_slow_steady_queues() -> smt.Proof:
    """A steady queue below the threshold grows at R_b - C, and its lead by Z' + (1 + alpha N) R_b."""
    background = sp.Symbol("R_b", real=True)
    known = [*FLUID, sp.Eq(queue_slope, background - C)]
    smt.prove(known, sp.Eq(lead_slope, Z_slope + (1 + alpha * N) * background))
    following = [*FLUID, sp.Eq(queue_slope, slope), background >= C]
    return smt.prove([*following, Z_slope + (1 + alpha * N) * background >= 0], slope <= background - C)


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


@evidence("edt.sec3.3.two-cases", form="assumed", strength="smt")
def with_bursts_that_never_pause_there_are_two_cases() -> Outcome:
    """If no burst shrinks, the threshold never rises while steady queues are on it: they follow it or drain."""
    following = [*FLUID, sp.Eq(queue_slope, slope), growth >= 0]
    smt.prove(following, slope <= 0)
    return law_of_the_steady_queues().proved("T' <= 0 <= R_j - C on the threshold; above it a queue drains at C")


@evidence("edt.sec3.3.other-scenarios", form="printed", strength="smt")
def in_every_phase_the_drop_solves_an_equation_of_the_two_kinds() -> Outcome:
    """While e = 0 the threshold is (53); while e > 0 it is (59) with the begin of that phase in the place of d_1."""
    reflection_step()
    return law_of_the_steady_queues().proved("e is 0, or Z less its value when the steady queues left the threshold")


RATE, RISE = sp.symbols("r rise", real=True)
GAP_SLOW = (1 + alpha * M + alpha * N) * RATE
GAP_FAST = (1 + alpha * M) * RATE - alpha * N * C


@evidence("edt.ours.theorem4", form="printed", strength="smt")
@evidence("edt.thm4", "edt.eq44", "edt.eq46", "edt.eq55", "edt.eq64", "edt.eq67", form="assumed", strength="smt")
@evidence("edt.thm4.proof.no-drop-before-d1", form="assumed", strength="smt")
@evidence("edt.eq48", "edt.eq50", form="repaired", strength="smt")
@evidence("edt.thm4.t3@t2", form="printed", strength="smt")
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
