"""Symbols and the one equation of the fluid model that the derivations about DT start from.

Let queues below the threshold grow together at `growing`, let `above` queues be longer than the threshold and `on`
queues sit on it and follow it. Since F = B - sum Q,

    F' + growing - above C + on alpha F' = 0.

A solution is the motion of the model iff the queues on the threshold can do so, -C <= alpha F' <= R_i - C for each,
and there is only one such motion (edt.sec2.3.admission@sliding).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from dtmodel.ledger import check
from dtmodel.provers import slack

__all__ = [
    "B",
    "C",
    "F_before",
    "G",
    "M",
    "N",
    "alpha",
    "at",
    "bursts_meet",
    "free_slope",
    "n",
    "nonnegative",
    "positive",
    "r",
    "r_k",
    "same",
    "surplus",
    "t",
    "t_before",
    "threshold_line",
]

alpha, B, C, M, r, r_k, t = sp.symbols("alpha B C M r r_k t", positive=True)
"""M >= 1 bursts of rate C + r; r_k = R_k - C."""
N, n, surplus, t_before = sp.symbols("N n s t_{k-1}", nonnegative=True)
"""N steady ports, n = N + k - 1 ports on or above the threshold; a slack; the meeting before."""
F_before, G = sp.symbols("F_{k-1} G_k", positive=True)


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
