"""Table 1, footnote 3: that the notations mean something definite in the fluid model."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from dtmodel import InputError, Switch
from dtmodel.ledger import Agrees, Outcome, Proved, check, evidence
from dtmodel.provers import smt
from dtmodel.theory import dt as dt_theory
from dtmodel.theory import dt_formulas as formulas
from dtmodel.theory.dt_first_drops import Setting, first_hits

from .dt_scenarios import answer, burst, dt, steady, times


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


@evidence("edt.fn3", form="printed", strength="sampled")
def more_ports_than_there_are_is_refused() -> Outcome:
    """Every M >= 1 and N >= 0 up to M + N = 6 on a switch of 4 ports: answered iff M + N <= 4."""
    switch, cases = Switch(4, 12, 1), 0
    for M, N in ((M, total - M) for total in range(1, 7) for M in range(1, total + 1)):
        for ask in (
            lambda M=M, N=N: dt_theory.first_drop(switch, alpha=1, steady=N, bursts=M, burst_rate=2),
            lambda M=M, N=N: dt_theory.first_drops(switch, alpha=1, steady=N, burst_rates=[2] * M),
        ):
            try:
                ask()
                answered = True
            except InputError as error:
                check(error.value == M + N, f"the error names {error.value}")
                answered = False
            check(answered == (M + N <= 4), f"M = {M}, N = {N}")
            cases += 1
    return Agrees(cases, "all M + N up to 6 on 4 ports")


@evidence("edt.table1.P", "edt.fn3", form="printed", strength="symbolic")
def the_number_of_ports_is_only_a_bound() -> Outcome:
    """No formula has P; the engine agrees for M + N = P and with idle ports beside."""
    alpha, B, C, M, N, r = sp.symbols("alpha B C M N r", positive=True)
    slow, fast = formulas.slow_drop_time(alpha, B, M, N, r), formulas.fast_drop_time(alpha, B, C, M, N, r)
    names = {str(symbol) for formula in (slow, fast) for symbol in formula.free_symbols}
    check(names == {"alpha", "B", "C", "M", "N", "r"}, f"the formulas have {names}")
    idle = sp.Max(0, 0 - C)  # an idle port's empty queue
    check(sp.simplify(idle) == 0, "an idle port moves the free buffer")
    setting, rates = Setting(Fraction(1), Fraction(12), Fraction(1), 1), (Fraction(3), Fraction(2))
    expected = times([hit.time for hit in first_hits(setting, rates)])
    for ports in (3, 4, 64):
        found = answer(dt([burst("3"), burst("2"), steady()], buffer="12", until="9", ports=ports))
        check(found["first_drop"][:2] == expected, f"another answer with {ports} ports")
    return Proved("P = M + N and P > M + N alike", {"P": "3", "M": "2", "N": "1"}, ["M + N <= P"])
