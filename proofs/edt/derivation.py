"""What the derivations of DT and EDT share: symbols, and the lines on which queues and threshold move."""

from fractions import Fraction
from typing import Any

import sympy as sp

from dtmodel.ledger import Proved, check
from dtmodel.ledger.provers import slack, smt
from dtmodel.theory.edt import formulas as edt

alpha, B, C, M, r, r_k, F_before, G, s, idle, count = sp.symbols(
    "alpha B C M r r_k F_{k-1} G_k s idle t_c2", positive=True
)
N, n, surplus, A, s_0, rest = sp.symbols("N n s A s k", nonnegative=True)
growth, slope, lead_slope, queue_slope, span, least, RISE = sp.symbols("S' T' e' Q' h m rise", real=True)
t = sp.Symbol("t", nonnegative=True)
"""M >= 1 bursts of rate C + r; r_k = R_k - C."""


t_before = sp.Symbol("t_{k-1}", nonnegative=True)
"""N steady ports, n = N + k - 1 ports on or above the threshold; a slack; the meeting before."""


def free_slope(growing: Any, above: Any, on: Any) -> Any:
    """Solve the fluid equation for F', the queues on the threshold following it."""
    slope = sp.Symbol("Fdot", real=True)
    (solution,) = sp.solve(sp.Eq(slope + growing - above * C + on * alpha * slope, 0), slope)
    return sp.factor(solution)


def threshold_line(free: Any, slope: Any, since: Any = 0) -> Any:
    """T(t) = alpha F(t), where F is `free` at `since` and has the slope given."""
    return alpha * (free + slope * (t - since))


def bursts_meet(growth: Any, line: Any) -> Any:
    """Solve (growth) t = T(t) for t; there must be one solution."""
    solutions = sp.solve(sp.Eq(growth * t, line), t)
    check(len(solutions) == 1, f"{len(solutions)} solutions of {growth} t = {line}")
    return solutions[0]


def same(left: Any, right: Any, what: str) -> None:
    """Check that two rational expressions are identical."""
    difference = sp.cancel(sp.together(sp.sympify(left) - sp.sympify(right)))
    check(difference == 0, f"{what}: {left} and {right} differ by {difference}")


def nonnegative(expression: Any, slacks: dict[Any, Any] | None = None) -> slack.Certificate:
    """Certify that an expression is at least 0, each symbol written in non-negative slacks."""
    return slack.certificate(sp.cancel(sp.together(sp.sympify(expression))), slacks or {})


def positive(expression: Any, slacks: dict[Any, Any] | None = None) -> slack.Certificate:
    """Certify that an expression is greater than 0."""
    return slack.certificate(sp.cancel(sp.together(sp.sympify(expression))), slacks or {}, strict=True)


def at(expression: Any, **values: str) -> Fraction:
    """Evaluate an expression exactly at named values."""
    point = {symbol: sp.Rational(values[str(symbol)]) for symbol in sp.sympify(expression).free_symbols}
    result = sp.Rational(sp.sympify(expression).xreplace(point))
    return Fraction(int(result.p), int(result.q))


def stage() -> tuple[sp.Expr, sp.Expr]:
    """Return t_k and F_k from the state before, derived from the fluid equation."""
    slope = free_slope(G, 0, n)
    time = bursts_meet(r_k, threshold_line(F_before, slope, t_before))
    return time, F_before + slope * (time - t_before)


SLOW = {C: (alpha * M * r + surplus) / (1 + alpha * N)}
"""Case a, R <= C (1 + (1 + alpha N) / (alpha M)), with a slack: (1 + alpha N) C = alpha M r + s."""


FAST = {r: ((1 + alpha * N) * C + sp.Symbol("s", positive=True)) / (alpha * M)}
"""Case b: alpha M r = (1 + alpha N) C + s with s > 0."""


follow = free_slope(M * r, 0, N)
"""F' when the steady queues follow the threshold."""


drain = free_slope(M * r, N, 0)
"""F' when they drain at C."""


def excess_of_slow_over_fast() -> Any:
    return edt.growth_at_slow_drop(alpha, B, M, N) - edt.growth_at_fast_drop(alpha, B, C, M, N, r)


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


def slow_threshold() -> Any:
    """T of (53): the steady queues are on the threshold."""
    T = sp.Symbol("T")
    (solution,) = sp.solve(sp.Eq(T, alpha * (B - M * (A - C * t) - N * T)), T)
    return solution


def slope_of_the_slow_threshold() -> Proved:
    """Where R lies between C and the bound, T of (53) falls, at C at most: steady queues can follow it."""
    slope = -alpha * M * r / (1 + alpha * N)
    same(sp.diff(slow_threshold().subs(A, (C + r) * t), t), slope, "T' of (53)")
    found = slack.certificate(C + slope, {C: alpha * M * r / (1 + alpha * N) + s_0})
    slack.certificate(-slope, {})
    return found.proved("-C <= T' <= 0 <= R_j - C")


FAST_BURSTS = {r: (1 + alpha * N) * C / (alpha * M) + rest}


def certify_fast_overflow() -> slack.Certificate:
    """With them draining at C, F = B - M (R - C) t - N (Q_0 - C t) reaches 0 before they are empty, for fast bursts."""
    held = alpha * B / (1 + alpha * N)
    time = edt.fast_overflow(alpha, B, C, M, N, r)
    same((B - M * r * t - N * (held - C * t)).subs(t, time), 0, "F at the overflow")
    slack.certificate(held / C - time, FAST_BURSTS)
    return slack.certificate(edt.slow_overflow(B, M, r) - time, FAST_BURSTS)
