"""Section 2.3: the policy, equation (1), and its example in Figure 2; proofs."""

from typing import Any

import sympy as sp

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import Unknowns, every_path
from dtmodel.policies import Threshold, ThresholdAdmission
from dtmodel.theory.dt import formulas

from .derivation import B, C, alpha, bursts_meet, free_slope, n, nonnegative, positive, r, same, threshold_line


@evidence("edt.eq1", "edt.table1.T", "edt.table1.F", "edt.intro.shared-threshold", form="printed", strength="symbolic")
def the_threshold_equation_has_one_solution_within_bounds() -> Outcome:
    """Solve T = alpha (B - S - n T) for n queues on the threshold; bound it by 0 and alpha B."""
    T, S = sp.Symbol("T", real=True), sp.Symbol("S", nonnegative=True)
    free = formulas.free_of_queues(B, S + n * T)
    (solution,) = sp.solve(sp.Eq(T, formulas.threshold(alpha, free)), T)
    same(solution, alpha * (B - S) / (1 + alpha * n), "T")
    room = sp.Symbol("room", nonnegative=True)
    nonnegative(solution, {B: S + room})
    nonnegative(alpha * B - solution, {B: S + room})
    same(formulas.threshold(alpha, free).subs(T, solution) / alpha, free.subs(T, solution), "T = alpha F")
    example = {"alpha": "1", "B": "12", "S": "3", "n": "2", "T": "3"}
    return Proved(f"T = {solution}, between 0 and alpha B", example, ["T == alpha * (B - S - n * T)", "S <= B"])


@evidence("edt.sec2.3.non-preemptive", "edt.sec3.1.max-rate", form="printed", strength="smt")
def no_queue_shrinks_faster_than_its_port_sends() -> Outcome:
    """In each of the three states of a queue Q' >= -C, with equality iff nothing is admitted; z3 and cvc5."""
    slope, R = sp.symbols("Tdot R", real=True)
    on = sp.Max(-C, sp.Min(R - C, slope))
    admitted = on + C  # what enters a non-empty queue: Q' + C
    proof = smt.prove([R >= 0], [on >= -C, R - C >= -C, admitted >= 0, admitted <= R])
    smt.prove([R >= 0, admitted <= 0], sp.Eq(on, -C))
    smt.prove([R >= 0, sp.Eq(on, -C)], admitted <= 0)
    return Proved("below, on and above the threshold alike", {**proof.example})


@evidence("edt.sec2.3.full-memory", form="printed", strength="symbolic")
def a_full_buffer_has_threshold_zero() -> Outcome:
    """T = alpha F is 0 at F = 0, so Q >= T for every queue."""
    free = formulas.free_of_queues(B, B)
    same(formulas.threshold(alpha, free), 0, "T at F = 0")
    nonnegative(sp.Symbol("Q", nonnegative=True) - formulas.threshold(alpha, free))
    return Proved("T = 0 <= Q", {"alpha": "1", "B": "12", "Q": "12"}, ["Q >= alpha * (B - Q)"])


@evidence("edt.sec2.3.admission@sliding", form="printed", strength="smt")
def the_clipped_motion_exists_and_is_unique() -> Outcome:
    """Each term of the fluid equation is monotone in F', so its left side grows as F' does; z3 and cvc5."""
    x, y, low, high = sp.symbols("x y l u", real=True)

    def clipped(slope: sp.Expr) -> sp.Expr:
        return sp.Max(low, sp.Min(high, alpha * slope))

    # Each term is non-decreasing, so x + (sum of terms) increases at least as fast as x: one root, and there is one.
    proof = smt.prove([low <= high, x < y], clipped(x) <= clipped(y))
    bounded = smt.prove([low <= high], [clipped(x) >= low, clipped(x) <= high])
    return Proved(f"clip is monotone and bounded: {bounded.goal}", {**proof.example})


@evidence("edt.sec2.3.reserves@packets", form="assumed", strength="smt")
def the_last_place_is_not_given_away() -> Outcome:
    """Every path of DT's admission: a packet that it admits leaves a place, if B >= 1 + alpha; B, Q are whole."""
    given = Unknowns()
    alpha, buffer, queue = given.real("alpha"), given.whole("B"), given.whole("Q")
    law: Any = alpha  # an unknown in the place of a number
    paths = every_path(lambda: ThresholdAdmission([Threshold(law)]).admits(0, queue, buffer - queue, 0))
    admitted = [(path.condition, buffer - queue - 1 >= 1) for path in paths if path.result]
    known = [alpha > 0, queue >= 0, buffer - queue >= 1, buffer >= alpha + 1]
    found = given.prove_each(admitted, known, "QF_NIRA")
    return found.proved("from a queue with a place left to a queue with a place left")


@evidence("edt.sec2.3.constrained@growth", form="printed", strength="smt")
def no_queue_grows_above_the_threshold() -> Outcome:
    """On it Q' = clip(T', -C, R - C) <= max(T', -C), above it Q' = -C; z3 and cvc5."""
    slope, R = sp.symbols("Tdot R", real=True)
    on = sp.Max(-C, sp.Min(R - C, slope))
    proof = smt.prove([R >= 0], [on <= sp.Max(slope, -C), sp.Max(slope, -C) >= -C])
    return Proved("Q' <= max(T', -C)", {**proof.example})


@evidence("edt.sec2.3.example.sum", "edt.sec2.3.example.threshold", form="printed", strength="symbolic")
def one_port_has_the_whole_occupancy() -> Outcome:
    """The others are offered at most C and stay empty, so F = B - Q_k and T = 2 (B - Q_k)."""
    Q = sp.Symbol("Q_k", nonnegative=True)
    empty = sp.Max(0, sp.Min(0, r))  # an empty queue offered at most C: the slope is max(0, R - C) = 0
    same(Q + 3 * empty, Q, "sum of the queues")
    T = formulas.threshold(2, formulas.free_of_queues(B, Q + 3 * empty))
    same(T, 2 * (B - Q), "T")
    same(T.subs(Q, 0), 2 * B, "T(0)")
    positive(T.subs(Q, 0) - 0)
    return Proved("sum Q = Q_k, T = 2 (B - Q_k), T(0) = 2 B > 0", {"B": "3", "T": "6"}, ["T == 2 * B", "T > 0"])


@evidence("edt.sec2.3.example.meets", form="assumed", strength="symbolic")
@evidence("edt.sec2.3.example.reserved", "edt.fig2", form="printed", strength="symbolic")
def one_port_meets_the_threshold_at_two_thirds() -> Outcome:
    """Integrate the fluid equation with one growing queue, alpha = 2."""
    slope = free_slope(r, 0, 0)
    meeting = bursts_meet(r, threshold_line(formulas.initial_free(alpha, B, 0), slope)).subs(alpha, 2)
    same(r * meeting, 2 * B / 3, "Q_k at the meeting")
    same(2 * (B - r * meeting), 2 * B / 3, "T at the meeting")
    same(formulas.free_of_queues(B, r * meeting), B / 3, "F at the meeting")
    same(meeting, 2 * B / (3 * r), "the time that the port must stay overloaded")
    return Proved(f"they meet at {meeting}", {"alpha": "2", "B": "3", "r": "1", "t": "2"}, ["r * t == 2 * (B - r * t)"])


@evidence("edt.sec2.3.example.stops", form="printed", strength="symbolic")
def a_lone_queue_on_the_threshold_rests() -> Outcome:
    """With one queue on the threshold and none growing the fluid equation gives F' = 0, within [-C, R - C]."""
    slope = free_slope(0, 0, 1).subs(alpha, 2)
    same(slope, 0, "F'")
    nonnegative(2 * slope + C)
    positive(r - 2 * slope)
    return Proved("Q' = T' = 0", {"C": "1", "r": "1"}, ["C > 0", "r > 0"])
