"""Section 2.3: the threshold, the admission rule, and the example with one port; the definitions of Section 3."""

from __future__ import annotations

import sympy as sp

from dtmodel.ledger import Conflict, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.provers import smt
from dtmodel.theory import dt_formulas as formulas

from .dt_common import B, C, N, alpha, at, bursts_meet, free_slope, n, nonnegative, positive, r, same, t, threshold_line


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


@evidence("edt.sec2.3.admission@strict", form="printed", strength="exact")
def a_strict_rule_has_no_steady_state() -> Outcome:
    """With nothing admitted at Q = T the queue shrinks at C; the steady state wants Q' = 0."""
    strict, steady = -C, sp.Integer(0)
    gap = at(steady - strict, C="1")
    check(gap != 0, "the two slopes agree")
    return Conflict(
        "edt.sec3.steady-state",
        "on the threshold the strict rule gives Q' = -C, the steady state Q' = 0",
        {"C": "1", "slope by the strict rule": "-1", "slope in steady state": "0"},
    )


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


@evidence("edt.sec2.3.constrained@growth", form="printed", strength="smt")
def no_queue_grows_above_the_threshold() -> Outcome:
    """On it Q' = clip(T', -C, R - C) <= max(T', -C), above it Q' = -C; z3 and cvc5."""
    slope, R = sp.symbols("Tdot R", real=True)
    on = sp.Max(-C, sp.Min(R - C, slope))
    proof = smt.prove([R >= 0], [on <= sp.Max(slope, -C), sp.Max(slope, -C) >= -C])
    return Proved("Q' <= max(T', -C)", {**proof.example})


@evidence("edt.sec2.3.full-memory", form="printed", strength="symbolic")
def a_full_buffer_has_threshold_zero() -> Outcome:
    """T = alpha F is 0 at F = 0, so Q >= T for every queue."""
    free = formulas.free_of_queues(B, B)
    same(formulas.threshold(alpha, free), 0, "T at F = 0")
    nonnegative(sp.Symbol("Q", nonnegative=True) - formulas.threshold(alpha, free))
    return Proved("T = 0 <= Q", {"alpha": "1", "B": "12", "Q": "12"}, ["Q >= alpha * (B - Q)"])


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


@evidence("edt.sec2.3.example.meets", form="printed", strength="exact")
def a_short_overload_never_meets_the_threshold() -> Outcome:
    """A burst of 1 s instead of 2 s: the queue stops at B / 3."""
    scenario = {
        "switch": {"ports": 1, "buffer": "3", "rate": "1"}, "policy": {"name": "dt", "alpha": "2"},
        "queues": [{"arrivals": [["0", "2"], ["1", "0"]]}], "until": "3", "sample": ["1", "2"],
    }  # fmt: skip
    return Counterexample(
        Witness(
            "fluid", scenario, {"queues": [["1"], ["0"]]}, {"queues": [["1"], ["2"]]}, "the port stops being overloaded"
        )
    )


@evidence("edt.sec2.3.example.stops", form="printed", strength="symbolic")
def a_lone_queue_on_the_threshold_rests() -> Outcome:
    """With one queue on the threshold and none growing the fluid equation gives F' = 0, within [-C, R - C]."""
    slope = free_slope(0, 0, 1).subs(alpha, 2)
    same(slope, 0, "F'")
    nonnegative(2 * slope + C)
    positive(r - 2 * slope)
    return Proved("Q' = T' = 0", {"C": "1", "r": "1"}, ["C > 0", "r > 0"])


@evidence("edt.sec3.steady-state", "edt.sec3.initial", "edt.eq15", "edt.eq16", "edt.sec3.2.F0",
          form="printed", strength="symbolic")  # fmt: skip
def the_steady_state_is_unique_and_rests() -> Outcome:
    """Solve (15), and the fluid equation with N queues on the threshold and none growing."""
    F = sp.Symbol("F_0", positive=True)
    (solution,) = sp.solve(sp.Eq(F, formulas.free_of_queues(B, N * formulas.threshold(alpha, F))), F)
    same(solution, formulas.initial_free(alpha, B, N), "F_0")
    positive(solution)
    same(free_slope(0, 0, N), 0, "F' in steady state")
    same(N * alpha * solution + solution, B, "queues and free buffer fill B")
    nonnegative(alpha * B - alpha * solution)
    example = {"alpha": "1", "B": "12", "N": "2", "F": "4"}
    return Proved(f"F_0 = {solution}, F' = 0", example, ["F == B - N * alpha * F", "F > 0"])


@evidence("edt.sec3.overloaded", "edt.thm2.proof.grow", "edt.thm3.proof.grow", form="printed", strength="symbolic")
@evidence("edt.sec3.onset", form="assumed", strength="symbolic")
def a_queue_below_the_threshold_grows_iff_overloaded() -> Outcome:
    """Below the threshold all is admitted, so Q' = R - C, from an empty queue max(0, R - C)."""
    offered, excess = sp.symbols("R excess", nonnegative=True)
    positive((C + r) - C)  # R = C + r: overloaded
    nonnegative(-(offered - C), {C: offered + excess})  # R <= C: it does not grow
    positive(formulas.threshold(alpha, formulas.initial_free(alpha, B, N)))  # an empty queue is below T(0)
    return Proved("Q' = R - C > 0 iff R > C, and 0 < T(0)", {"R": "2", "C": "1", "T": "6"}, ["R > C", "T > 0"])


@evidence("edt.sec3.onset", form="printed", strength="exact")
def traffic_at_the_port_rate_builds_no_queue() -> Outcome:
    """A burst of rate exactly C."""
    scenario = {
        "switch": {"ports": 1, "buffer": "3", "rate": "1"}, "policy": {"name": "dt", "alpha": "1"},
        "queues": [{"arrivals": [["0", "1"]]}], "until": "4", "sample": ["4"],
    }  # fmt: skip
    return Counterexample(
        Witness(
            "fluid", scenario, {"queues": [["0"]], "first_drop": [None]}, {"queues": [["2"]]}, "R = C: not overloaded"
        )
    )


@evidence("edt.sec3.underloaded", form="printed", strength="symbolic")
def a_port_that_is_not_overloaded_never_queues() -> Outcome:
    """R <= C from an empty queue: Q' = max(0, R - C) = 0, and 0 < T as long as F > 0, so nothing is rejected."""
    R, spare = sp.symbols("R spare", nonnegative=True)
    same(sp.Max(0, (R - C).subs(C, R + spare)), 0, "Q' of an empty queue")
    same(free_slope(r + 0, 0, N), free_slope(r, 0, N), "F' with the port and without it")
    smallest = formulas.initial_free(alpha, B, N) / (1 + alpha * sp.Symbol("M", positive=True))
    positive(formulas.threshold(alpha, smallest))  # edt.ours.reserve: the threshold is never 0
    return Proved("it stays empty below a positive threshold", {"R": "1", "C": "1"}, ["R <= C"])


@evidence("edt.table1.derivative", "edt.fn2", form="printed", strength="exact")
def the_threshold_has_no_derivative_when_bursts_arrive() -> Outcome:
    """Left and right slopes of T at t = 0 differ."""
    left, right = free_slope(0, 0, N), free_slope(r, 0, N)
    values = {"alpha": "1", "N": "1", "r": "1", "left": at(left), "right": at(alpha * right, alpha="1", N="1", r="1")}
    data = {"values": values, "hypotheses": ["right == -alpha * r / (1 + alpha * N)"], "statement": "left == right"}
    return Counterexample(Witness("values", data, says="T is flat before the burst and falls after it"))


@evidence("edt.table1.derivative", "edt.fn2", form="assumed", strength="symbolic")
def from_the_right_the_derivative_always_exists() -> Outcome:
    """On each stage T is a straight line from its left end on, so the quotient from the right is constant."""
    line = threshold_line(formulas.initial_free(alpha, B, N), free_slope(r, 0, N))
    step = sp.Symbol("h", positive=True)
    quotient = (line.subs(t, t + step) - line) / step
    same(sp.diff(sp.cancel(quotient), step), 0, "the quotient does not depend on h")
    return Proved(f"T' from the right is {sp.factor(sp.cancel(quotient))}", {"alpha": "1", "N": "1", "r": "1"})
