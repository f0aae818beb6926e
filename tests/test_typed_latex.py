"""Formulas are printed from what computes them: what LaTeX is typed in the theory is a name, or has a reason here."""

import ast
import re
from pathlib import Path

import pytest

from dtmodel.theory.dt import theorem1, theorem2
from dtmodel.theory.edt.statements import counting_number
from dtmodel.theory.l2bm.statements import first_drop_under_weights, pool_steady
from dtmodel.theory.losspass.statements import BURST_IN_PACKETS, LINE_RATE
from dtmodel.theory.writing import searched

THEORY = Path(__file__).parent.parent / "dtmodel" / "theory"
COMPUTES = re.compile(
    r"\\(?:d?frac|sum|prod|int|min|max|inf|sup|lim|log|sqrt|lceil|lfloor|cdot|times|leq?|geq?|neq?)(?![A-Za-z])"
)
"""Commands that a formula has, and a name such as q_max or phi has not."""

CASES = "which course of the dynamics a case is of, by times that no symbol of the statement has"
RANGE = "how many there are, in words; values are held against the domains of symbols and `given`"
GIVEN = "the name of something that is given, a sum or an integral; `relations` or `stands` has it in SymPy"
INDEX = "what an index runs over"
SOME = "words about what the statement does not compute"
TYPED = {
    "dt/statements.py": {
        r"bursts of rates $R_1 \geq \dots \geq R_M > C$ begin at time 0 at ports $1, \dots, M$": RANGE,
        r"at time 0 ports $M+1, \dots, M+N$ are in steady state, the others empty; $M \geq 1$, $N \geq 0$, $<fits>$": RANGE,  # noqa: E501  # as it stands there
        r"the largest $k \leq M$ with $G_k > <bound_k>$": INDEX,
        r"$\sum_{i=k}^{M} (R_i - C)$": GIVEN,
        r"\sum_{i=1}^{M} (R_i - C)": GIVEN,
    },
    "dynaq/sheet.py": {r"i \ne p": INDEX, r"\lceil \log_2 M \rceil": "the rounds, which `tournament_depth` counts"},
    "dynaq/statements.py": {
        r"at all times $<B> = B$ and $T_k \geq 0$": SOME,
        r"a victim must also have $T_v - L \geq q_v$: it gives only what it does not use": SOME,
        r"the queues in $A$, $|A| \geq 2$, are active from the start, the others idle": RANGE,
        r"$v$ is sought among $i \neq p$ with $T_i \geq L$ and ($q_i = 0$ or $T_i - L \geq S_i$)": SOME,
        r"i \neq p": INDEX,
    },
    "edt/statements.py": {
        r"bursts that begin together with $R_i - C \leq \rho (R_j - C)$ for all $i$ and $j$, and $<fits>$": RANGE,
        r"how far the steady ports lie above the threshold, $e = Z - \min_{s \leq t} Z(s)$": GIVEN,
        r"the first packets are lost at $<first_loss>$, which is earlier if $N \geq 1$": SOME,
    },
    "edt/varying_statements.py": {
        r"$\int_0^{t_1} R(s)\,ds$, what has arrived by then": GIVEN,
        r"$\int_0^{t_2} R(s)\,ds$, what has arrived by then": GIVEN,
        r"$\int_0^{d_1} R(s)\,ds$, what has arrived in the slow phase": GIVEN,
        r"$R(t) \geq C$ while the bursts last": RANGE,
        r"$d_1 \leq t_1$ and $d_2 > t_2$": CASES,
        r"$d_1 \leq t_1$, $d_2 \leq t_2$ and the steady ports are above the threshold at $t_3$": CASES,
        r"$d_1 \leq t_1$ and $t_2 < t_0$": CASES,
        r"$d_1 \leq t_1$ and $t_2 \geq t_0$": CASES,
    },
    "l2bm/statements.py": {
        r"$\alpha > 0$ and $\tau_i > 0$ for all $n \geq 1$ active queues": RANGE,
        r"\inf W": "the name of a bound",
    },
    "losspass/statements.py": {
        r"$n_j = \lfloor (F + v_1 + \dots + v_j)/s \rfloor$ packets are absorbed": "packets of several sizes",
        r"$<is small_LP>$, $x \geq 0$: a small packet that LossPass loses is lost by tail drop": SOME,
    },
}  # fmt: skip
"""For each file the LaTeX that is typed in it, and why it is not printed from a function."""


def typed(source: str) -> set[str]:
    """Return the strings with a command of a formula that are no docstrings; of an f-string its parts."""
    tree = ast.parse(source)
    documents = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and isinstance(node.body[0], ast.Expr)
    }
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return {str(node.value) for node in strings if id(node) not in documents and COMPUTES.search(str(node.value))}


@pytest.mark.parametrize("path", sorted(THEORY.rglob("*.py")), ids=lambda path: path.relative_to(THEORY).as_posix())
def test_a_formula_is_printed_and_not_typed(path: Path) -> None:
    assert typed(path.read_text("utf-8")) == set(TYPED.get(path.relative_to(THEORY).as_posix(), ()))


def test_a_formula_that_is_typed_is_noticed() -> None:
    source = 'def f(x):\n    r"""\\frac{1}{2}"""\n    return r"\\frac{B}{2}", rf"\\sum_i {x}", r"q_{max} = \\varphi"\n'
    assert typed(source) == {r"\frac{B}{2}", r"\sum_i "}


def test_a_search_is_written_from_the_names_of_its_parts() -> None:
    assert searched(max, searched(min, "t", *"MN"), "k") == r"\max_k \min_{M, N} t"


def test_words_take_hypotheses_and_instances_from_the_code_that_computes_them() -> None:
    shown = "; ".join(map(str, (theorem1, theorem2, LINE_RATE, BURST_IN_PACKETS)))
    assert "the others empty; M ≥ 1, N ≥ 0, M + N ≤ P\n" in str(theorem1)
    assert "the others empty; M ≥ 1, N ≥ 0, M + N ≤ P\n" in str(theorem2)
    assert "bursts of one rate R > C begin" in str(theorem1)
    assert "for every R > C and every M + N ≤ P\n" in str(counting_number)
    assert "the buffer, B, holds the queue at its longest, K + N a ≤ B\n" in str(LINE_RATE)
    assert "for β = 1/2: iff K ≥ D - N a" in str(LINE_RATE)
    assert "F: free bytes, B - Q_s - m v (bytes)" in str(BURST_IN_PACKETS)
    assert "<" not in shown.replace(" < ", "")


def test_equations_with_sums_over_queues_are_written_from_their_parts() -> None:
    assert "the one root of ∑_k (R_k - C_k) = φ + ∑_(i ∈ S) min(C_i, w_i φ)\n" in str(first_drop_under_weights)
    assert "S = F + ∑_i min(c_i, α_i F): every queue is on its threshold\n" in str(pool_steady)
