"""Theorems 1 to 3 say what the derivations establish: conditions, signs and formulas, in SymPy and in words."""

from typing import Any

import sympy as sp

from dtmodel.ledger import check
from dtmodel.theorems.statement import Statement
from dtmodel.theory.dt import statements as dt
from proofs.edt.derivation import FAST, SLOW, free_slope, nonnegative, positive, same
from proofs.edt.theorem1 import case_a, case_b

alpha, C, r, B, M = sp.symbols("alpha C r B M", positive=True)
N = sp.Symbol("N", nonnegative=True)

SCENARIO = (
    r"$\alpha > 0$",
    "at time 0 $N$ further ports",
    "in steady state, the others empty",
    r"$M \geq 1$",
    r"$N \geq 0$",
    r"$M + N \leq P$",
)
"""What every theorem of Section 3 assumes: conditions under which the fluid equation was solved."""


def assumptions(theorem: Statement) -> str:
    return " ".join(items for label, texts in theorem.words() if label == "assumptions" for items in texts)


def placed(theorem: Statement, expression: Any) -> Any:
    """Write an expression of a theorem in the symbols of the derivation, with R = C + r."""
    at = {symbol.name: symbol.sympy for symbol in theorem.symbols}
    return expression.subs({at["R"]: C + r, at["M"]: M, at["N"]: N, at["alpha"]: alpha, at["B"]: B, at["C"]: C})


def test_theorem_1_says_the_derived_formulas() -> None:
    """Which sign belongs to which case is decided by the slope; time and free buffer are those of the derivation."""
    nonnegative(alpha * free_slope(M * r, 0, N) + C, SLOW)  # the queues can follow: R is at most the bound
    positive(-C - alpha * free_slope(M * r, N, 0), FAST)  # they cannot: R exceeds it
    bound = C * (1 + (1 + alpha * N) / (alpha * M))
    for theorem, word in ((dt.theorem1, "if"), (dt.theorem1_corrected, "if and only if")):
        check(all(part in assumptions(theorem) for part in (*SCENARIO, "bursts of one rate $R > C$")), theorem.id)
        check(len(theorem.cases) == 2, "two cases")
        for case, kind, derived in zip(theorem.cases, (sp.Le, sp.Gt), (case_a(), case_b()), strict=True):
            check(isinstance(case.condition, kind), f"the condition is {case.condition}")
            same(placed(theorem, case.condition.lhs - case.condition.rhs), C + r - bound, "the bound")
            for conclusion, expected in zip(case.conclusions, derived, strict=True):
                same(placed(theorem, conclusion.rhs), expected, str(conclusion.lhs))
        check(str(theorem).count(f"port k loses bytes {word} d_k > ") == 2, "what follows")
    check(assumptions(dt.theorem1_corrected).endswith("every other burst lasts longer than that"), "what is added")


def test_theorems_2_and_3_say_the_derived_formulas() -> None:
    """Compare the recursions and what needs none with formulas written here."""
    at = {symbol.name: symbol.sympy for symbol in dt.theorem3_corrected.symbols}
    a, b, c, count, k, G, F, t = (at[name] for name in ("alpha", "B", "C", "N", "k", "G_k", "free_before", "before"))
    t_k, grow, n = at["first_drop"], at["R_k"] - at["C"], at["N"] + at["k"] - 1
    for theorem, kind in ((dt.theorem2, sp.Le), (dt.theorem2_corrected, sp.Le), (dt.theorem3, sp.Gt)):
        *rates, relation = theorem.hypotheses
        check(rates == [at["R_k"] > c, at["R_k"] >= at["R_next"]], f"the rates are {rates}")
        check(isinstance(relation, kind) and relation.lhs == at["G_1"], f"the regime is {relation}")
        same(relation.rhs, c * (1 + a * count) / a, "the bound")
    for theorem in (dt.theorem2, dt.theorem2_corrected, dt.theorem3, dt.theorem3_corrected):
        rates = r"bursts begin at time 0 at ports $1, \dots, M$ $R_k > C$ $R_k \geq R_{k+1}$"
        check(all(part in assumptions(theorem) for part in (*SCENARIO, rates)), theorem.id)
        check(("lasts longer than that" in assumptions(theorem)) == theorem.id.startswith("edt.ours"), theorem.id)
    follow = a * (F + a * F * n + G * t) / (grow * (1 + a * n) + a * G), F - G * (t_k - t) / (1 + a * n)
    drain = a * (F + (G - n * c) * t) / (a * (G - n * c) + grow), F - (G - n * c) * (t_k - t)
    closed = a * b / ((1 + a * n) * grow + a * G)
    balance = grow * t_k / a + count * sp.Max(grow * t_k, a * at["free_0"] - c * t_k) + G * t_k
    j = sp.Symbol("j", integer=True)
    earlier = at["R_k"].func(j) * t_k.func(j)
    balance += sp.Sum(sp.Max(grow * t_k, earlier - c * t_k), (j, 1, k - 1))
    for theorem, formulas in (
        (dt.theorem2, follow),
        (dt.theorem3, drain),
        (dt.theorem2_corrected, (closed, grow * closed / a)),
        (dt.theorem3_corrected, (balance, grow * t_k / a)),
    ):
        for conclusion, expected in zip(theorem.conclusions[:2], formulas, strict=True):
            same(conclusion.rhs, expected, f"{theorem.id}: {conclusion.lhs}")
    check(dt.theorem3_corrected.conclusions[0].lhs == b, "the balance is that of the buffer")
    for theorem in (dt.theorem2, dt.theorem3):
        growth, start, begin = theorem.conclusions[2:]
        check(
            growth.rhs
            == sp.Sum(at["R_k"].func(sp.Symbol("i", integer=True)) - c, (sp.Symbol("i", integer=True), k, at["M"])),
            "G_k",
        )
        same(start.rhs, b / (1 + a * count), "F_0")
        check(begin.lhs == t_k.func(0) and begin.rhs == 0, "t_0")
