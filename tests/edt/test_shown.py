"""Theorems 1 to 3 as they are shown say what the derivations establish: conditions, signs and formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from dtmodel.ledger import check
from dtmodel.theory.dt import statements as dt
from proofs.edt.derivation import FAST, SLOW, free_slope, nonnegative, positive, same
from proofs.edt.theorem1 import case_a, case_b

alpha, C, r, B, M = sp.symbols("alpha C r B M", positive=True)
N = sp.Symbol("N", nonnegative=True)


POSITIVE = sp.symbols("alpha B C M N k", positive=True)


EXCESS = {sp.Symbol("r", positive=True): "(R - C)", sp.Symbol("r_k", positive=True): "(R_k - C)"}


SCENARIO = (
    r"$\alpha > 0$",
    "at time 0 ports",
    "in steady state, the others empty",
    r"$M \geq 1$",
    r"$N \geq 0$",
    r"$M + N \leq P$",
)
"""What every theorem of Section 3 assumes: conditions under which the fluid equation was solved."""


def reads(text: str, expected: Sequence[str], what: str) -> None:
    """Check that a text contains each of the expected pieces."""
    missing = [piece for piece in expected if piece not in text]
    check(not missing, f"{what} lacks {missing}: {text}")


def shown(formula: Any) -> str:
    """Write a formula of our symbols as the theorem objects do."""
    names = {str(symbol): symbol for symbol in (*POSITIVE, *EXCESS)}
    renamed = {symbol: names[str(symbol)] for symbol in formula.free_symbols if str(symbol) in names}
    return str(sp.latex(formula.xreplace(renamed), symbol_names=EXCESS))


def test_theorem_1_shows_the_derived_formulas() -> None:
    """Which sign belongs to which case is decided by the slope; time and free buffer are compared as shown."""
    nonnegative(alpha * free_slope(M * r, 0, N) + C, SLOW)  # the queues can follow: R is at most the bound
    positive(-C - alpha * free_slope(M * r, N, 0), FAST)  # they cannot: R exceeds it
    bound = C * (1 + (1 + alpha * N) / (alpha * M))
    slow, fast = B * alpha / (r * (alpha * (M + N) + 1)), case_b()[0]
    same(slow, case_a()[0], "t_1")
    denominator = (N * alpha + 1) * (-C * N * alpha + r * (M * alpha + 1))
    same(fast, B * alpha / denominator, "t_2")
    times = (slow, B * alpha / denominator)
    frees = (B / (alpha * (M + N) + 1), B * r / denominator)
    same(frees[0], case_a()[1], "F(t_1)")
    same(frees[1], case_b()[1], "F(t_2)")
    for theorem, word in ((dt.theorem1, "if"), (dt.theorem1_corrected, "if and only if")):
        check(len(theorem.cases) == 2, "two cases")
        reads(" ".join(theorem.assumptions), (*SCENARIO, "bursts of one rate $R > C$ begin at time 0"), theorem.id)
        for case, sign, time, free in zip(theorem.cases, (r"\leq", ">"), times, frees, strict=True):
            check(case.condition == f"$R {sign} {shown(bound)}$", f"the condition is {case.condition}")
            expected = (f"port $k$ loses bytes {word} $d_k > {shown(time)}$", f"then $F = {shown(free)}$")
            check(case.conclusions == expected, f"the conclusions are {case.conclusions}")
    check(dt.theorem1_corrected.assumptions[-1] == "every other burst lasts longer than that", "the assumption added")


def test_theorems_2_and_3_show_the_derived_formulas() -> None:
    """Compare the pieces of the statements, as they are shown, with formulas written here."""
    a, b, c, _, count, k = POSITIVE
    r_k, G, F, t, t_k, now = sp.symbols("r_k G_k F_{k-1} t_{k-1} t_k t", positive=True)
    n = count + k - 1
    bound = c * (1 + a * count) / a
    growth = r"$\sum_{i=1}^{M} (R_i - C) "
    for theorem, sign in ((dt.theorem2, r"\leq"), (dt.theorem2_corrected, r"\leq"), (dt.theorem3, ">")):
        reads(" ".join(theorem.assumptions), [f"{growth}{sign} {shown(bound)}$"], theorem.id)
    for theorem in (dt.theorem2, dt.theorem2_corrected, dt.theorem3, dt.theorem3_corrected):
        rates = r"bursts of rates $R_1 \geq \dots \geq R_M > C$ begin at time 0"
        reads(" ".join(theorem.assumptions), (*SCENARIO, rates), theorem.id)
        check(("lasts longer than that" in theorem.assumptions[-1]) == theorem.id.startswith("edt.ours"), theorem.id)
        growths = next(symbol.meaning for symbol in theorem.symbols if symbol.latex == "G_k")
        check(growths == r"$\sum_{i=k}^{M} (R_i - C)$", f"G_k is {growths}")
    begin = f"$F_0 = {shown(b / (1 + a * count))}$"
    follow = a * (F + a * F * n + G * t) / (r_k * (1 + a * n) + a * G), F - G * (t_k - t) / (1 + a * n)
    drain = a * (F + (G - n * c) * t) / (a * (G - n * c) + r_k), F - (G - n * c) * (t_k - t)
    for theorem, (time, free) in ((dt.theorem2, follow), (dt.theorem3, drain)):
        pieces = [
            "port $k$ loses bytes if $d_k > t_k$",
            f"$t_k = {shown(time)}$, $t_0 = 0$",
            f"$F_k = {shown(free)}$",
            begin,
        ]
        reads(" ".join(theorem.conclusions), [piece.removesuffix("$") for piece in pieces], theorem.id)
    closed = a * b / ((1 + a * n) * r_k + a * G)
    pieces = ["if and only if $d_k > t_k$", f"$t_k = {shown(closed)}$", f"$F_k = {shown(r_k * closed / a)}$"]
    reads(" ".join(dt.theorem2_corrected.conclusions), pieces, "edt.ours.theorem2")
    limit = next(symbol.meaning for symbol in dt.theorem3.symbols if symbol.latex == "L")
    check(limit == rf"the largest $k \leq M$ with $G_k > {shown(c * (1 + a * n) / a)}$", f"L is {limit}")
    R_j, t_j, F_0 = sp.symbols("R_j t_j F_0", positive=True)
    met = sp.Sum(sp.Max(r_k * now, R_j * t_j - c * now), (sp.Symbol("j"), 1, k - 1))
    left = r_k * now / a + count * sp.Max(r_k * now, a * F_0 - c * now) + met + G * now
    pieces = ["if and only if $d_k > t_k$", "one root at or after $t_{k-1}$", f"${shown(left)} = B$"]
    reads(
        " ".join(dt.theorem3_corrected.conclusions), [*pieces, f"$F_k = {shown(r_k * t_k / a)}$"], "edt.ours.theorem3"
    )
