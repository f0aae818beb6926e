"""A statement as text, as HTML and as LaTeX, letter by letter."""

import re
from pathlib import Path

import pytest
from refusals import refused
from theory_walk import statements

from dtmodel import InputError
from dtmodel.theorems import citations
from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.statement import Branch, Statement
from dtmodel.theory.dt import statements as dt

STATEMENTS = statements()

LAW = Statement(
    "a.b",
    "A law & more",
    (Symbol("x_k", "length of port $k$ < all", "bytes"), Symbol("n", "how many")),
    ("$x_k > 0$ & 50 %",),
    (r"$x_k \leq n$ in the end",),
    (Branch("$n = 1$", ("$x_1 = 1$", "enough"), "(2)"), Branch("", ("no more",))),
    source="here & there",
    bibtex="@article{x}",
)
BARE = Statement("a.c", "Bare", bibtex="@misc{y}")


def test_a_statement_is_read_in_a_terminal_with_its_symbols_and_sections() -> None:
    assert str(LAW).splitlines() == [
        "A law & more [a.b]",
        "  source: here & there",
        "  symbols",
        "    x_k: length of port k < all (bytes)",
        "    n: how many",
        "  assumptions",
        "    - x_k > 0 & 50 %",
        "  then",
        "    - x_k ≤ n in the end",
        "  if n = 1 (2)",
        "    - x_1 = 1",
        "    - enough",
        "  always",
        "    - no more",
    ]
    assert str(BARE) == "Bare [a.c]"


def test_a_statement_is_a_page_with_a_table_and_lists() -> None:
    html = re.sub(r"<style>.*?</style>", "", re.sub(r"<math.*?</math>", "MATH", LAW._repr_html_()))
    assert html == (
        '<div class="dtmodel">'
        "<p><strong>A law &amp; more</strong> <code>a.b</code><br/><em>here &amp; there</em></p>"
        "<p>assumptions</p><ul><li>MATH &amp; 50 %</li></ul>"
        "<p>then</p><ul><li>MATH in the end</li></ul>"
        "<p>if MATH (2)</p><ul><li>MATH</li><li>enough</li></ul>"
        "<p>always</p><ul><li>no more</li></ul>"
        "<details><summary>symbols</summary><table><tr><th>symbol</th><th>meaning</th><th>unit</th></tr>"
        "<tr><td>MATH</td><td>length of port MATH &lt; all</td><td>bytes</td></tr>"
        "<tr><td>MATH</td><td>how many</td><td></td></tr></table></details></div>"
    )
    assert html.count("span") == 0  # no claim, no verdict
    listed = re.findall(r"<li>(<math[^>]*>)", LAW._repr_html_())
    assert listed
    assert all('displaystyle="true"' in tag for tag in listed)
    assert BARE._repr_html_().endswith("</style><p><strong>Bare</strong> <code>a.c</code><br/><em></em></p></div>")


def test_a_statement_is_an_array_of_lines_in_latex() -> None:
    lines = [
        r"\textbf{A law \& more}",
        r"\text{assumptions}",
        r"\quad x_k > 0\text{ \& 50 \%}",
        r"\text{then}",
        r"\quad x_k \leq n\text{ in the end}",
        r"\text{if }n = 1\text{ (2)}",
        r"\quad x_1 = 1",
        r"\quad \text{enough}",
        r"\text{always}",
        r"\quad \text{no more}",
    ]
    newline = "\\\\\n"
    assert LAW._repr_latex_() == "$$\\begin{array}{l}\n" + f" {newline}".join(lines) + "\n\\end{array}$$"


def test_the_citation_and_the_name_of_a_statement() -> None:
    assert LAW.citation() == "@article{x}"
    assert repr(LAW) == "<A law & more [a.b]>"


def sections(statement: Statement) -> str:
    """What follows the symbols, as text."""
    text = str(statement)
    return text[text.index("  assumptions\n") :]


SETTING = """\
  assumptions
    - a switch of P ports of rate C shares a buffer B under DT with α > 0
    - at time 0 N further ports are in steady state, the others empty; M ≥ 1, N ≥ 0, M + N ≤ P
"""
ONE_RATE = SETTING + "    - bursts of one rate R > C begin at time 0 at ports 1, …, M\n"
MANY_RATES = SETTING + "    - bursts begin at time 0 at ports 1, …, M\n    - R_k > C\n    - R_k ≥ R_(k+1)\n"
OTHERS_LAST = "    - every other burst lasts longer than that\n"
QUIET = "    - a burst of rate at most C loses nothing, and the others do as they would without it\n"


@pytest.mark.parametrize(
    ("theorem", "last", "loses"),
    [(dt.theorem1, "", "if"), (dt.theorem1_corrected, QUIET + OTHERS_LAST, "if and only if")],
)
def test_theorem_1_reads_as_equations_2_to_11(theorem: Statement, last: str, loses: str) -> None:
    assert sections(theorem) == ONE_RATE + last + (
        "  if R ≤ C (1 + (1 + α N)/(α M)) (2)-(5)\n"
        f"    - port k loses bytes {loses} d_k > (α B)/((1 + α (M + N)) (R - C))\n"
        "    - then F = B/(1 + α (M + N))\n"
        "  if R > C (1 + (1 + α N)/(α M)) (6)-(9)\n"
        f"    - port k loses bytes {loses} d_k > (α B)/((1 + α N) ((1 + α M) (R - C) - α N C))\n"
        "    - then F = ((R - C) B)/((1 + α N) ((1 + α M) (R - C) - α N C))"
    )


def test_theorem_2_reads_as_equation_14_and_without_recursion() -> None:
    slow = "    - G_1 ≤ ((1 + α N) C)/α\n"
    assert sections(dt.theorem2) == MANY_RATES + slow + (
        "  then\n"
        "    - port k loses bytes if d_k > t_k\n"
        "    - t_k = (α (F_(k-1) + α F_(k-1) (N + k - 1) + G_k t_(k-1)))"
        "/((R_k - C) (1 + α (N + k - 1)) + α G_k)\n"
        "    - F_k = F_(k-1) - (G_k (t_k - t_(k-1)))/(1 + α (N + k - 1)), F_0 = B/(1 + α N)"
    )
    assert sections(dt.theorem2_corrected) == MANY_RATES + slow + OTHERS_LAST + (
        "  then\n"
        "    - port k loses bytes if and only if d_k > t_k\n"
        "    - t_k = (α B)/((1 + α (N + k - 1)) (R_k - C) + α G_k)\n"
        "    - F_k = ((R_k - C) B)/((1 + α (N + k - 1)) (R_k - C) + α G_k)"
    )


def test_theorem_3_reads_as_equation_31_and_as_the_balance_of_the_buffer() -> None:
    assert sections(dt.theorem3) == MANY_RATES + (
        "    - G_1 > ((1 + α N) C)/α\n"
        "  then\n"
        "    - for k from 1 to L port k loses bytes if d_k > t_k\n"
        "    - t_k = (α (F_(k-1) + (G_k - (N + k - 1) C) t_(k-1)))"
        "/(α (G_k - (N + k - 1) C) + R_k - C)\n"
        "    - F_k = F_(k-1) - (G_k - (N + k - 1) C) (t_k - t_(k-1)), F_0 = B/(1 + α N)"
    )
    assert sections(dt.theorem3_corrected) == MANY_RATES + QUIET + OTHERS_LAST + (
        "  then\n"
        "    - port k loses bytes if and only if d_k > t_k, where t_k is the one root at or after t_(k-1) of\n"
        "    - B = ((R_k - C) t_k)/α + N max((R_k - C) t_k, α F_0 - C t_k)"
        " + ∑_(j=1)^(k - 1) max((R_k - C) t_k, R_j t_j - C t_k) + G_k t_k\n"
        "    - the free buffer is then F_k = ((R_k - C) t_k)/α"
    )


SETTING_OF_ALL = [r"\alpha", "B", "C", "P", "M", "N"]
ONE = [*SETTING_OF_ALL, "R", "d_k", "t_1", "F"]
MANY = [
    *SETTING_OF_ALL,
    "k",
    "R",
    "R_k",
    "R_{k+1}",
    "d_k",
    "t_k",
    "t_{k-1}",
    "F_k",
    "F_{k-1}",
    "G_k",
    "G_1",
    "F_0",
]


def test_every_theorem_explains_its_symbols() -> None:
    theorems = (
        dt.theorem1, dt.theorem1_corrected, dt.theorem2, dt.theorem2_corrected, dt.theorem3, dt.theorem3_corrected,
    )  # fmt: skip
    symbols = [[symbol.latex for symbol in theorem.symbols] for theorem in theorems]
    assert symbols == [ONE, ONE, MANY, MANY, [*MANY, "L"], MANY]
    assert "    L: the last k with G_k > ((1 + α (N + k - 1)) C)/α\n" in str(dt.theorem3)
    assert "    G_k: ∑_(i=k)^M (R_i - C) (bytes/s)\n" in str(dt.theorem2)


ENTRIES = {
    "edt": (citations.ENTRIES["edt"], "shan2017analyzing"),
    "losspass": (citations.ENTRIES["losspass"], "kim2020losspass"),
    "dynaq": (citations.ENTRIES["dynaq"], "kim2023dynaq"),
    "l2bm": (citations.ENTRIES["l2bm"], "liu2023l2bm"),
}


def test_the_citation_of_the_project_is_that_of_its_file() -> None:
    lines = (Path(__file__).parents[1] / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    facts = dict(line.strip(" -").split(": ", 1) for line in lines if ": " in line)
    for field, said in (
        ("title", facts["title"].strip('"')),
        ("author", f"{{{facts['name']}}}"),
        ("note", facts["version"]),
    ):
        assert re.search(rf"^  {field} *= {{.*{re.escape(said)}}},?$", citations.PROJECT, re.MULTILINE), field


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_every_statement_prints_the_citation_of_its_document(statement: Statement) -> None:
    entry, key = ENTRIES[statement.id.partition(".")[0]]
    assert statement.bibtex == statement.citation()
    own, _, document = statement.bibtex.rpartition("\n\n")
    assert document == entry
    assert own == (citations.PROJECT if ".ours." in statement.id else "")
    assert re.match(rf"@\w+{{{key},", entry)
    assert statement.source


def test_a_statement_without_a_citation_cannot_be_made() -> None:
    with pytest.raises(InputError, match="bibtex"):
        Statement("a.b", "A law")


def test_a_statement_without_a_formula_refuses_to_be_evaluated() -> None:
    with refused("evaluate"):
        LAW.evaluate(alpha=1)


def test_a_statement_of_the_papers_shows_its_verdict_and_folds_its_symbols() -> None:
    from dtmodel.theory import dt

    page = dt.theorem1._repr_html_()
    assert re.findall(r"<span [^>]*>([^<]*)</span>", page) == ["holds-under-assumption"]
    assert page.index("<details>") > page.index("if ")
