"""A formula that is changed changes everywhere: what computes it, and what shows it."""

import ast
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dtmodel
from dtmodel.policies import L2BM
from dtmodel.policies import formulas as weights
from dtmodel.theory.dt import formulas as dt_formulas
from dtmodel.theory.dt import sheet as dt_sheet
from dtmodel.theory.dynaq import formulas as dynaq
from dtmodel.theory.dynaq import hardware
from dtmodel.theory.dynaq import sheet as dynaq_sheet
from dtmodel.theory.dynaq import statements as dynaq_statements
from dtmodel.theory.edt import formulas as edt_formulas
from dtmodel.theory.edt import sheet as edt_sheet
from dtmodel.theory.l2bm import formulas as l2bm


def formula_of(sheet: Any, name: str) -> str:
    return str(next(row.formula for row in sheet.parameters if row.name == name))


def test_l2bm_weights_of_policy_theory_and_equation_4_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    before = str(l2bm.equations()["eq4"].rhs)
    monkeypatch.setattr(weights, "l2bm_weight", lambda alpha, C, tau: alpha * C / tau**2)
    l2bm.equations.cache_clear()
    assert L2BM(1, [2, 2]).weights == l2bm.weights([2, 2], 1) == (Fraction(1), Fraction(1))
    assert str(l2bm.equations()["eq4"].rhs) != before
    l2bm.equations.cache_clear()


def test_the_statements_of_dynaq_are_what_its_functions_compute(monkeypatch: pytest.MonkeyPatch) -> None:
    condition = dynaq_statements.fair_sharing_condition
    assert str(condition.expressions["q_max"]) == "C*RTT*w_i/W"
    monkeypatch.setattr(dynaq, "bdp", lambda C, RTT: 2 * C * RTT)
    assert str(condition.expressions["q_max"]) == "2*C*RTT*w_i/W"
    monkeypatch.setattr(dynaq, "part", lambda whole, weight, _: whole * weight)
    assert str(condition.expressions["q_max"]) == "2*C*RTT*w_i"


def test_the_sheets_show_what_they_compute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edt_formulas, "cn2_paper", lambda alpha, B, P: alpha * B / P)
    sheet = edt_sheet.parameters(ports=4, buffer=16_000, rate=1, packet=1)
    assert (sheet["cn2"], formula_of(sheet, "cn2")) == (4000, r"\frac{\alpha B}{P}")
    monkeypatch.setattr(dt_formulas, "initial_free", lambda alpha, B, N: B / (2 + alpha * N))
    drops = dt_sheet.parameters(ports=4, buffer=12, rate_=1, steady=2)
    assert (drops["reserve"], formula_of(drops, "reserve")) == (3, r"\frac{B}{2 + \alpha N}")
    monkeypatch.setattr(dynaq, "bdp", lambda C, RTT: 2 * C * RTT)
    monkeypatch.setattr(hardware, "tournament_depth", lambda M: 2 * M)
    port = dynaq_sheet.parameters("85 KB", 8, 4, [1, 1, 1, 1])
    assert (port["cycles"], formula_of(port, "cycles")) == (12, "1 + 2 M + 2 + 1")
    assert (port["bdp"], formula_of(port, "bdp")) == (64, "2 C RTT")


def test_the_fall_of_the_free_buffer_solves_the_equation_that_its_sheet_shows() -> None:
    for steady, alpha in ((2, 1), (3, "1/2"), (0, 1), (1, 8)):
        sheet = dt_sheet.parameters(ports=8, buffer=12, rate_=1, alpha=alpha, steady=steady, bursts=2, burst_rate=3)
        fall = Fraction(sheet["fall"])
        assert dt_formulas.fall_left(Fraction(alpha), 1, 2, steady, 2, fall) == fall
        assert formula_of(sheet, "fall") == r"M \left(R - C\right) - N \min\left(C, \alpha \varphi\right)"


def test_no_fraction_is_typed_where_formulas_are_shown() -> None:
    """Sheets, the laboratory and pictures print fractions from the functions that compute them."""
    root = Path(dtmodel.__file__).parent
    shown = [
        *root.glob("theory/*/sheet.py"),
        root / "switches" / "sheet.py",
        *(p for part in ("lab", "plot", "cli") for p in root.glob(f"{part}/*.py")),
    ]
    assert len(shown) > 30
    assert [(path.name, text) for path in shown for text in typed(path.read_text(encoding="utf-8"))] == []
    assert typed('"""A \\\\frac."""\nx = r"\\frac{B}{M}"') == [r"\frac{B}{M}"]


def typed(code: str) -> list[str]:
    """The strings of a module with a fraction in LaTeX, but for those that stand alone."""
    tree = ast.parse(code)
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [node.value for node in texts if r"\frac" in node.value and id(node) not in alone]
