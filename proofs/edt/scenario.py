"""Section 3 and Table 1: the quantities and the scenario; proofs."""

from fractions import Fraction

import sympy as sp

from dtmodel.fluid import answer
from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import smt
from dtmodel.theory.dt import formulas
from dtmodel.theory.dt.series import meeting_times

from .derivation import B, C, N, alpha, free_slope, nonnegative, positive, r, same, t, threshold_line


@evidence("edt.table1.R", "edt.table1.d", form="printed", strength="symbolic")
def a_constant_rate_brings_rate_times_time() -> Outcome:
    """Integrate R over [0, t] and over the burst's duration."""
    R, d, t, tau = sp.symbols("R d t tau", positive=True)
    check(sp.integrate(R, (tau, 0, t)) == R * t, "offered by time t")
    check(sp.integrate(sp.Piecewise((R, tau < d), (0, True)), (tau, 0, d)) == R * d, "offered by the burst")
    return Proved("R t and R d", {"R": "2", "d": "3", "bytes": "6"}, ["bytes == R * d"])


@evidence("edt.table1.C", form="printed", strength="smt")
def a_busy_port_sends_at_C() -> Outcome:
    """What leaves a non-empty queue is what enters less Q': C in each of the three states; z3 and cvc5."""
    R, C, slope = sp.symbols("R C Tdot", real=True)
    on = sp.Max(-C, sp.Min(R - C, slope))
    entering = sp.Max(0, sp.Min(R, C + slope))  # what the threshold admits
    proof = smt.prove([R >= 0, C > 0], [sp.Eq(entering - on, C), sp.Eq(R - (R - C), C), sp.Eq(0 - (-C), C)])
    return Proved("admitted less Q' is C below, on and above the threshold", {**proof.example})


@evidence("edt.table1.Q", form="printed", strength="smt")
def queues_stay_non_negative_and_balanced() -> Outcome:
    """An empty queue's slope is at least 0, any queue's between -C and R - C; offered = sent + dropped + growth."""
    R, C, slope = sp.symbols("R C Tdot", real=True)
    low, high = sp.Max(0, -C), sp.Max(0, R - C)  # an empty queue
    proof = smt.prove([R >= 0, C > 0], [sp.Max(low, sp.Min(high, slope)) >= 0, sp.Max(low, sp.Min(high, slope)) <= R])
    moving = sp.Max(-C, sp.Min(R - C, slope))
    smt.prove([R >= 0, C > 0], [moving >= -C, moving <= R - C, R - (moving + C) >= 0])
    return Proved("slopes are bounded, so lengths are continuous, and cannot cross 0", {**proof.example})


@evidence("edt.table1.B", form="printed", strength="smt")
def the_buffer_never_overflows() -> Outcome:
    """At F = 0 every non-empty queue is above T = 0 and drains, no empty one shrinks: F' >= 0; z3 and cvc5."""
    slope, C, above, high, alpha = sp.symbols("Fdot C above high alpha", real=True)
    empty = sp.Max(0, sp.Min(high, alpha * slope))  # an empty queue is on its threshold 0, and cannot shrink
    equation = sp.Eq(slope - above * C + empty, 0)
    proof = smt.prove([C > 0, above >= 0, high >= 0, alpha > 0, equation], slope >= 0)
    return Proved("F = 0 implies F' >= 0", {**proof.example})


@evidence("edt.table1.P", "edt.fn3", form="printed", strength="symbolic")
def the_number_of_ports_is_only_a_bound() -> Outcome:
    """No formula has P; the engine agrees for M + N = P and with idle ports beside."""
    alpha, B, C, M, N, r = sp.symbols("alpha B C M N r", positive=True)
    slow, fast = formulas.slow_drop_time(alpha, B, M, N, r), formulas.fast_drop_time(alpha, B, C, M, N, r)
    names = {str(symbol) for formula in (slow, fast) for symbol in formula.free_symbols}
    check(names == {"alpha", "B", "C", "M", "N", "r"}, f"the formulas have {names}")
    idle = sp.Max(0, 0 - C)  # an idle port's empty queue
    check(sp.simplify(idle) == 0, "an idle port moves the free buffer")
    rates = (Fraction(3), Fraction(2))
    expected = list(map(str, meeting_times(Fraction(1), Fraction(12), Fraction(1), 1, rates)))
    queues = [{"arrivals": [["0", "3"]]}, {"arrivals": [["0", "2"]]}, {"arrivals": [["0", "2"]], "initial": "steady"}]
    for ports in (3, 4, 64):
        switch = {"ports": ports, "buffer": "12", "rate": "1"}
        found = answer({"switch": switch, "policy": {"name": "dt", "alpha": "1"}, "queues": queues, "until": "9"})
        check(found["first_drop"][:2] == expected, f"another answer with {ports} ports")
    return Proved("P = M + N and P > M + N alike", {"P": "3", "M": "2", "N": "1"}, ["M + N <= P"])


@evidence("edt.table1.derivative", "edt.fn2", form="assumed", strength="symbolic")
def from_the_right_the_derivative_always_exists() -> Outcome:
    """On each stage T is a straight line from its left end on, so the quotient from the right is constant."""
    line = threshold_line(formulas.initial_free(alpha, B, N), free_slope(r, 0, N))
    step = sp.Symbol("h", positive=True)
    quotient = (line.subs(t, t + step) - line) / step
    same(sp.diff(sp.cancel(quotient), step), 0, "the quotient does not depend on h")
    return Proved(f"T' from the right is {sp.factor(sp.cancel(quotient))}", {"alpha": "1", "N": "1", "r": "1"})


@evidence("edt.sec3.overloaded", "edt.sec3.onset", "edt.thm2.proof.grow", "edt.thm3.proof.grow",
          form="printed", strength="symbolic")  # fmt: skip
def a_queue_below_the_threshold_grows_iff_overloaded() -> Outcome:
    """Below the threshold all is admitted, so Q' = R - C, from an empty queue max(0, R - C)."""
    offered, excess = sp.symbols("R excess", nonnegative=True)
    positive((C + r) - C)  # R = C + r: overloaded
    nonnegative(-(offered - C), {C: offered + excess})  # R <= C: it does not grow
    positive(formulas.threshold(alpha, formulas.initial_free(alpha, B, N)))  # an empty queue is below T(0)
    return Proved("Q' = R - C > 0 iff R > C, and 0 < T(0)", {"R": "2", "C": "1", "T": "6"}, ["R > C", "T > 0"])


@evidence("edt.sec3.underloaded", form="printed", strength="symbolic")
def a_port_that_is_not_overloaded_never_queues() -> Outcome:
    """R <= C from an empty queue: Q' = max(0, R - C) = 0, and 0 < T as long as F > 0, so nothing is rejected."""
    R, spare = sp.symbols("R spare", nonnegative=True)
    same(sp.Max(0, (R - C).subs(C, R + spare)), 0, "Q' of an empty queue")
    same(free_slope(r + 0, 0, N), free_slope(r, 0, N), "F' with the port and without it")
    smallest = formulas.initial_free(alpha, B, N) / (1 + alpha * sp.Symbol("M", positive=True))
    positive(formulas.threshold(alpha, smallest))  # edt.ours.reserve: the threshold is never 0
    return Proved("it stays empty below a positive threshold", {"R": "1", "C": "1"}, ["R <= C"])


@evidence("edt.fn4", form="printed", strength="smt")
def a_port_hears_of_the_sum_of_the_rates_only() -> Outcome:
    """Of rates a and b the part p is admitted: all below the threshold, none above it, what keeps the queue on it else.

    In each state the queue moves and loses as under the one rate a + b; z3 and cvc5.
    """
    a, b, p, slope = sp.symbols("a b p Tdot", real=True)
    moves, loses = p * a + p * b - C, (1 - p) * a + (1 - p) * b
    known = [a >= 0, b >= 0, C > 0]
    smt.prove([*known, sp.Eq(p, 1)], [sp.Eq(moves, a + b - C), sp.Eq(loses, 0)])
    smt.prove([*known, sp.Eq(p, 0)], [sp.Eq(moves, -C), sp.Eq(loses, a + b)])
    on = sp.Max(-C, sp.Min(a + b - C, slope))
    kept = sp.Eq(p * a + p * b, sp.Max(0, sp.Min(a + b, C + slope)))
    proof = smt.prove([*known, kept], [sp.Eq(moves, on), sp.Eq(loses, a + b - C - on)])
    return Proved("Q' and the losses are those of the rate a + b", {**proof.example})


@evidence("edt.fn4@one-duration", form="assumed", strength="smt")
def bursts_that_begin_and_end_together_are_one() -> Outcome:
    """By induction over bursts: a sum that is constant until d and 0 afterwards stays so when another is added."""
    t, d, total, added = sp.symbols("t d total added", positive=True)
    lasting = sp.Piecewise((total, t < d), (0, True))
    one = sp.Piecewise((added, t < d), (0, True))
    both = sp.Piecewise((total + added, t < d), (0, True))
    return smt.prove([d > 0], sp.Eq(lasting + one, both)).proved("one burst of the summed rate and the same duration")
