"""The same invariants for every M: a step touches two queues, and what it does to a third is nothing.

The sender p, the victim v, and one other queue o that stands for each of the M - 2 others; R is the sum of the others'
thresholds. Whatever holds for p, v and any o, and for T_p + T_v + R, holds for all M queues.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.provers import slack, smt

T_p, T_v, T_o, R, S_p, S_v, S_o, q_p, q_v, q_o, s, B = sympy.symbols(
    "T_p T_v T_o R S_p S_v S_o q_p q_v q_o s B", real=True
)

LEGAL = [T_p >= 0, T_v >= 0, T_o >= 0, R >= 0, S_p > 0, S_v > 0, S_o > 0, q_p >= 0, q_v >= 0, q_o >= 0, s > 0]
LARGEST = [T_v - S_v >= T_o - S_o]
MAY_GIVE = [T_v - s >= 0, sympy.Or(q_v <= 0, T_v - s >= S_v)]
AFTER = {"p": (T_p, T_p + s, S_p, q_p), "v": (T_v, T_v - s, S_v, q_v), "o": (T_o, T_o, S_o, q_o)}
"""For each role: the threshold before and after the step, S and q."""


def for_each_role(goals: Sequence[sympy.Basic], hypotheses: Sequence[sympy.Basic], detail: str) -> Proved:
    """Prove one goal for each of the three roles."""
    proofs = [smt.prove([*LEGAL, *LARGEST, *MAY_GIVE, *hypotheses], goal) for goal in goals]
    return proofs[0].proved(f"{detail}, for the sender, the victim and any other queue: for every M >= 2")


@evidence("dynaq.sec3.2.2.sum", form="printed", strength="smt")
def the_sum_for_every_m() -> Outcome:
    """Prove (T_p + s) + (T_v - s) + R = B from T_p + T_v + R = B."""
    goal = sympy.Eq((T_p + s) + (T_v - s) + R, B)
    return for_each_role([goal], [sympy.Eq(T_p + T_v + R, B)], "the sum stays B")


@evidence("dynaq.alg1.line3.first", form="printed", strength="smt")
def non_negative_thresholds_for_every_m() -> Outcome:
    """Prove T' >= 0 for each role."""
    return for_each_role([after >= 0 for _, after, _, _ in AFTER.values()], [], "thresholds stay non-negative")


@evidence("dynaq.alg1.line3.second", "dynaq.ours.active-satisfied", form="printed", strength="smt")
@evidence("dynaq.sec3.2.3.strictly@active-threshold", form="printed", strength="smt")
def satisfaction_for_every_m() -> Outcome:
    """Prove q > 0 and T >= S imply T' >= S for each role."""
    goals = [sympy.Or(q <= 0, T < S, after >= S) for T, after, S, q in AFTER.values()]
    return for_each_role(goals, [], "a satisfied active queue stays satisfied")


@evidence("dynaq.sec1.not-take@threshold", "dynaq.sec3.2.1.prevents-taking@threshold", form="printed", strength="smt")
def unsatisfied_active_queues_give_nothing_for_every_m() -> Outcome:
    """Prove q > 0 and T < S imply T' >= T for each role."""
    goals = [sympy.Or(q <= 0, T >= S, after >= T) for T, after, S, q in AFTER.values()]
    return for_each_role(goals, [], "an unsatisfied active queue gives nothing")


@evidence("dynaq.ours.alone", form="printed", strength="symbolic")
def the_bound_for_one_active_queue_for_every_m() -> Outcome:
    """Certify T_p - S_p - (M - 1)(m - s) > 0 for symbolic M.

    Each other queue has T_i = T_v + (S_i - S_v) - d_i with d_i >= 0 (line 2), and T_v = s - delta with delta > 0 (line
    3, all others empty). So T_p = B - sum of the others = S_p + (M - 1)(S_v - T_v) + E with E the sum of the d_i, and
    S_v = m + e with e >= 0.
    """
    more, least, e, E = sympy.symbols("more m e E", nonnegative=True)
    delta, size = sympy.symbols("delta s", positive=True)
    M = more + 2
    held = (M - 1) * ((least + e) - (size - delta)) + E  # T_p - S_p
    certificate = slack.certificate(sympy.expand(held - (M - 1) * (least - size)), {}, strict=True)
    return certificate.proved("T_p > S_p + (M - 1)(min S - size(P)) for every M >= 2")


@evidence("dynaq.ours.alone-equal", form="printed", strength="symbolic")
@evidence("dynaq.sec3.2.3.work-conservation@one-equal", form="printed", strength="symbolic")
def equal_weights_for_every_m() -> Outcome:
    """Certify T_p - (B - (M - 1) s) > 0: with equal S the victim has the largest threshold, below s, of the others."""
    more, E = sympy.symbols("more E", nonnegative=True)
    delta, size, share = sympy.symbols("delta s S", positive=True)
    M = more + 2
    others = (M - 1) * (size - delta) - E
    held = M * share - others
    certificate = slack.certificate(sympy.expand(held - (M * share - (M - 1) * size)), {}, strict=True)
    return certificate.proved("T_p > B - (M - 1) size(P) for every M >= 2")


@evidence("dynaq.ours.together", form="printed", strength="smt")
def several_active_queues_for_every_m() -> Outcome:
    """Prove for an idle victim: extras stay >= -L while a queue other than the sender is active and satisfied.

    `o` is an always active queue other than the sender; the invariant for a third queue is its own hypothesis.
    """
    L = sympy.Symbol("L", real=True)
    active = [q_o > 0, T_o >= S_o, q_p > 0, T_p >= S_p, s <= L, T_v - S_v >= -L]
    goals = [T_v - s - S_v >= -L, T_p + s >= S_p, T_o >= S_o]
    return for_each_role(goals, active, "an idle queue never lends more than L")


@evidence("dynaq.ours.repair-invariants", form="printed", strength="smt")
def the_repair_for_every_m() -> Outcome:
    """Prove satisfaction and signs for each role without line 2's choice of the largest extra."""
    goals = [sympy.And(after >= 0, sympy.Or(q <= 0, T < S, after >= S)) for T, after, S, q in AFTER.values()]
    proofs = [smt.prove([*LEGAL, *MAY_GIVE], goal) for goal in goals]
    return proofs[0].proved("any victim that line 3 accepts keeps the invariants, for every M >= 2")


@evidence("dynaq.ours.repair-deficit", form="printed", strength="symbolic")
def the_repairs_deficit_for_every_m() -> Outcome:
    """Certify (M - 1) s - (S_p - T_p) > 0: each of the others has an extra s - delta_i when it may not give s bytes.

    Either q_i > 0 and T_i - s < S_i, or T_i < s and then T_i - S_i < s. With D > 0 the sum of the delta_i, the deficit
    S_p - T_p is (M - 1) s - D.
    """
    more = sympy.Symbol("more", nonnegative=True)
    D, size = sympy.symbols("D s", positive=True)
    M = more + 2
    certificate = slack.certificate(sympy.expand((M - 1) * size - ((M - 1) * size - D)), {}, strict=True)
    smt.prove([*LEGAL, sympy.Or(T_v < s, sympy.And(q_v > 0, T_v - s < S_v))], T_v - S_v < s)
    return certificate.proved("S_p - T_p < (M - 1) size(P) for every M >= 2")
