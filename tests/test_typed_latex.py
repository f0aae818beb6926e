"""Formulas are printed from what computes them: the LaTeX that is typed in the package is names."""

import ast
import re
from pathlib import Path
from typing import Any, cast

import pytest
import sympy

from dtmodel.base.mathtext import text_of
from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.statement import Statement
from dtmodel.theorems.writing import searched, tex_of
from dtmodel.theory.dt import theorem1, theorem2, theorem3
from dtmodel.theory.dynaq.hardware import tournament_depth
from dtmodel.theory.dynaq.statements import (
    active_queues_together,
    invariants,
    one_active_queue,
    recovery,
    repair,
    weighted_thresholds,
)
from dtmodel.theory.edt import theorem4, theorem4_corrected, theorem5_corrected
from dtmodel.theory.edt.statements import counting_number
from dtmodel.theory.l2bm.statements import against_dt, first_drop_under_weights, pool_steady, steady_thresholds
from dtmodel.theory.losspass.statements import (
    BURST_IN_PACKETS,
    EXACT_CONDITION,
    LINE_RATE,
    SAME_SIZE,
    UTILISATION,
)

PACKAGE = Path(__file__).parent.parent / "dtmodel"
COMPUTES = re.compile(
    r"\\(?:d?frac|sum|prod|int|min|max|inf|sup|lim|log|sqrt|lceil|lfloor|cdot|times|leq?|geq?|neq?)(?![A-Za-z])"
)
"""Commands that a formula has, and a name such as q_max or phi has not."""

NAME = r"(?:\\?[A-Za-z0-9]+|\|A\|)'?(?:\(\w+\))?(?:[_^](?:\w|\{[^{}]*\}))*"
PLACE = r"<(?:is |in |\w+ (?:[<>]?=|[<>]) )?\w+>"
NAMED = re.compile(rf"(?:{PLACE}|{NAME})(?:, (?:{NAME}|\\dots))*|{NAME} \\in {NAME}")
"""What may stand between dollar signs: a place, names, what an index runs over."""

PRINTERS = {
    "companion/words/fluid.py": "the integral of a rate, as a phrase around its arguments",
    "ledger/joins.py": "signs of relations, which it reads",
    "ledger/settings.py": "signs of relations, which it reads",
    "companion/words/telling.py": "phrases around the arguments of a word",
    "derive/theorem/asked.py": "the display of each line of an answer",
    "derive/theorem/stationary.py": "roots of a derivative that was found",
    "ledger/clauses.py": "the language of executable statements, in English",
    "ledger/signs.py": "signs of relations",
    "ledger/teller.py": "the language of executable statements, in English",
    "companion/words/packet_scenes.py": "phrases around the settings of a run",
    "switches/count_rows.py": "the floor around a printed formula of cells",
    "theorems/evaluation.py": "the display of what it wrote",
    "theory/dt/sheet.py": "sums over ports of different rates, which no statement has",
    "derive/theorem/derived.py": "what stands for them in its answers",
    "derive/algebra/writing.py": "fractions of what was derived",
    "ledger/formal_text.py": "the language of executable statements",
    "base/mathtext.py": "reads LaTeX",
    "ledger/provers/slack.py": "relations that a certificate closes",
    "theorems/written.py": "what a formula computes, as LaTeX around the parts of each operation",
    "theorems/writing.py": "the index of a sum or an extreme",
    "companion/words/packets.py": "a word of executable statements, as LaTeX around its arguments",
}
"""What writes LaTeX for what it is given, and has therefore commands in it."""


def typed(source: str) -> set[str]:
    """Return the strings with a formula that are no docstrings; of an f-string the whole, a place for each value."""
    if "$" not in source and not COMPUTES.search(source):
        return set()
    tree = ast.parse(source)
    inner = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and isinstance(node.body[0], ast.Expr)
    }
    inner |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            whole = "".join(str(part.value) if isinstance(part, ast.Constant) else "<part>" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            whole = node.value
        else:
            continue
        formulas = [piece for piece in re.findall(r"\$([^$]+)\$", whole) if not NAMED.fullmatch(piece)]
        if formulas or COMPUTES.search(whole):
            found.add(whole)
    return found


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_formula_is_printed_and_not_typed(path: Path) -> None:
    assert bool(typed(path.read_text("utf-8"))) == (path.relative_to(PACKAGE).as_posix() in PRINTERS)


@pytest.mark.parametrize(
    "shown",
    [
        r"'\frac{B}{2}'", r"f'\sum_i {x}'", "'if $R > C$'", "f'${x} = B$'", "'$M + N$'", r"'all $i \neq p$'",
        r"'$B \tau$'", "'$<B> = B$'", "'$x/y$ and $z$'", r"'$\alpha, 0 < x$'",
    ],
)  # fmt: skip
def test_a_formula_that_is_typed_is_noticed(shown: str) -> None:
    assert len(typed(f"def f(x):\n    return r{shown}\n")) == 1


@pytest.mark.parametrize(
    "shown",
    [
        r"'q_{max} = \varphi'", r"'$v_1, v_2, \dots$'", "'$<is F>$ at $t_{k-1}$'", r"'$i \in S$'",
        "f'${searched(sum, x)}$'", "'$q(t)$ of $|A|$'", "'$<d_k > first_drop>$, $<in M>$'",
    ],
)  # fmt: skip
def test_a_name_may_be_typed(shown: str) -> None:
    assert not typed(f'def f(x):\n    r"""\\frac{{1}}{{2}}"""\n    return r{shown}\n')


def test_a_search_is_written_from_the_names_of_its_parts() -> None:
    assert searched(max, searched(min, "t", *"MN"), "k") == r"\max_k \min_{M, N} t"


def test_words_take_hypotheses_and_instances_from_the_code_that_computes_them() -> None:
    shown = "; ".join(map(str, (theorem1, theorem2, LINE_RATE, BURST_IN_PACKETS)))
    assert "the others empty; M ≥ 1, N ≥ 0, M + N ≤ P\n" in str(theorem1)
    assert "the others empty; M ≥ 1, N ≥ 0, M + N ≤ P\n" in str(theorem2)
    assert "bursts of one rate R > C begin" in str(theorem1)
    assert "for every rate above C and every M + N ≤ P\n" in str(counting_number)
    assert "the buffer, B, holds the queue at its longest, K + N a ≤ B\n" in str(LINE_RATE)
    assert "for windows that are halved: iff K ≥ D - N a" in str(LINE_RATE)
    assert "F: free bytes, B - Q_s - m v (bytes)" in str(BURST_IN_PACKETS)
    assert "<" not in shown.replace(" < ", "")


def test_equations_with_sums_over_queues_are_written_from_their_parts() -> None:
    assert "the one root of ∑_k (R_k - C_k) = φ + ∑_(i ∈ S) min(C_i, w_i φ)\n" in str(first_drop_under_weights)
    assert "S = F + ∑_i min(c_i, α_i F): every queue is on its threshold\n" in str(pool_steady)


@pytest.mark.parametrize(
    ("statement", "lines"),
    [
        (theorem4, ("if d_1 > t_1 (44)", "if d_1 ≤ t_1 ∧ d_2 > t_2 (46)",
                    "if d_1 ≤ t_1 ∧ d_2 ≤ t_2 ∧ α M (A(t_3) - A(d_1)) - (1 + α M + α N) (t_3 - d_1) C > 0 (48)",
                    "A(t_1): ∫_0^(t_1) R(s) ds, arrivals until then (bytes)", "packets are dropped if d_3 > t_1\n",
                    "packets are dropped if d_3 > t_2\n", "(1 + α M + α N) (A(t_1) - C t_1) - α B = 0 at t_1\n")),
        (theorem4_corrected, ("R(t) ≥ C while", "if d_1 > t_1 (44)", "if d_1 ≤ t_1 ∧ t_2 < t_0 (46)",
                              "if t_2 ≥ t_0 ∧ d_1 ≤ t_1 (50)", "at t_1, if d_3 > t_1\n", "at t_2, if d_3 > t_2\n")),
        (theorem5_corrected, ("c_n2/(R - C) is at most TM1",)),
        (theorem3, ("R_k > C\n", "R_k ≥ R_(k+1)\n", "the last k with G_k > ((1 + α (N + k - 1)) C)/α\n",
                    "F_0 = B/(1 + α N)\n", "loses bytes if d_k > t_k\n", "α > 0\n", "M ≥ 1, N ≥ 0, M + N ≤ P\n")),
        (weighted_thresholds, ("w_i > 0\n", "T_i^ex = T_i - S_i\n", "if and only if B > C RTT\n")),
        (invariants, ("at all times B = ∑_(k=1)^M T_k and T_k ≥ 0\n",)),
        (recovery, ("a victim must also have T_v - L ≥ q_v:",)),
        (one_active_queue, ("min_(i ≠ p) S_i: the least", "T_p > B - (M - 1) L\n", "M ≥ 2\n")),
        (active_queues_together, ("in A, |A| ≥ 2, are",)),
        (repair, ("those with T_i ≥ L ∧ (q_i = 0 ∨ T_i - L ≥ S_i)\n",)),
        (steady_thresholds, ("on its threshold: Q_i = w_i F\n",)),
        (against_dt, ("if C = S\n", "if C = n/H\n", "if C = min_i τ_i\n",
                      "α > 0 and τ_i > 0 for all n active queues, n ≥ 1\n")),
        (BURST_IN_PACKETS, ("n_j = ⌊(F + ∑_(i=1)^j v_i)/s⌋ packets",
                            "with Q_s + (n_j + 1) s > B - B_l ∨ v_(j+1) < s\n")),
        (EXACT_CONDITION, ("μ_max^LP > μ_max^ECN iff K + N a > (1 - τ) B + B_l\n",)),
        (UTILISATION, ("U = 1 - ((D - m)^2)/(2 D (W - m))\n", "U^* = 1 - ((D - m)^2)/(W^2 + D^2 - 2 D m)\n")),
        (SAME_SIZE, ("s_LP = s_TD - x, x ≥ 0:",)),
    ],
    ids=lambda value: getattr(value, "id", ""),
)  # fmt: skip
def test_relations_among_words_are_those_of_the_code(statement: Statement, lines: tuple[str, ...]) -> None:
    assert [line for line in lines if line not in f"{statement}\n"] == []


def test_the_rounds_of_a_tournament_are_written_and_counted_by_one_function() -> None:
    assert text_of(f"${tex_of(tournament_depth, 'M')}$") == "⌈log_2(M)⌉"
    M = sympy.Symbol("M", positive=True)
    assert [tournament_depth(M).subs(M, m) for m in range(1, 70)] == [tournament_depth(m) for m in range(1, 70)]


def test_what_values_a_symbol_takes_is_written_from_its_domain() -> None:
    signs = {"positive": "x > 0", "nonnegative": "x ≥ 0", "count": "x ≥ 0", "number": "x ≥ 1"}
    for domain, shown in signs.items():
        symbol = Symbol("x", "any", domain=cast("Any", domain))
        law = Statement("x.y", "A law", (symbol,), ("$<in x>$",), bibtex="@misc{here}")
        assert str(law).endswith(f"- {shown}")
