"""Theorems are printed as a mathematician writes them: conditions are solved, and R - C is r where that is shorter."""

import re
from random import Random

import families
import pytest

from dtmodel import InputError
from dtmodel.derive import derive
from dtmodel.derive.algebra.language import read_expression, read_relation
from dtmodel.derive.algebra.writing import Writer
from dtmodel.derive.theorem.check import points_of


def test_conditions_are_bounds_of_R_as_in_the_paper():
    symbols = {"alpha": "> 0", "beta": "> 0"} | families.SYMBOLS
    assert str(derive(families.TWO_ALPHAS | {"symbols": symbols})).splitlines()[3:] == [
        "If R > C*(1 + (1 + beta*N)/(beta*M)):",
        "  first_drop = alpha*B/((1 + beta*N)*(r*(1 + alpha*M) - alpha*C*N))",
        "  free_at_first_drop = B*r/((1 + beta*N)*(r*(1 + alpha*M) - alpha*C*N))",
        "with r = R - C",
    ]


_ONE = {"alpha": "> 0", "B": "> 0", "C": "> 0"}
_ALONE = [{"arrivals": [["0", "R"]]}]
_BESIDE = {"initial": "steady", "arrivals": [["0", "2*C"]]}


@pytest.mark.parametrize("least", ["> C", ">= 0"])
@pytest.mark.parametrize(
    ("queues", "ask", "more", "bounds"),
    [
        ([*_ALONE, {**_BESIDE, "count": "N"}], {"first_drop": 0}, {"N": ">= 1"}, {"C*(1 + N + 1/alpha)"}),
        ([*_ALONE, {**_BESIDE, "count": 2}], {"first_drop": 0}, {}, {"C*(3 + 1/alpha)"}),
        ([{"count": "M", **_ALONE[0]}, {**_BESIDE, "count": "N"}], {"first_drop": 0}, {"M": ">= 1", "N": ">= 1"},
         {"C*(1 + (1 + alpha*N)/(alpha*M))"}),
        ([*_ALONE, {"initial": "B/2", "arrivals": [["0", "0"]]}], {"first_drop": 0}, {},
         {"C*(1 + 2*alpha/(1 + alpha))"}),
        ([*_ALONE, {"initial": "q", "arrivals": [["0", "0"]]}], {"first_drop": 0}, {"q": "> 0, <= B"},
         {"C*(1 + alpha*B/(q*(1 + alpha)))"}),
        (_ALONE, {"length": 0, "at": "d"}, {"d": "> 0"}, {"C + alpha*B/(d*(1 + alpha))"}),
    ],
)  # fmt: skip
def test_bounds_of_R_are_sums_however_R_is_declared(queues, ask, more, bounds, least):
    theorem = derive({"symbols": _ONE | {"R": least} | more, "policy": {"name": "dt", "alpha": "alpha"},
                      "switch": {"buffer": "B", "rate": "C"}, "queues": queues, "ask": [ask]})  # fmt: skip
    lines = theorem.text().replace(":\n", "\n")
    assert {*re.findall(r"R [<>]=? (.*?)(?:$| and)", lines, re.MULTILINE)} - {"C", "0"} == bounds


def test_quotients_are_sums_where_they_are_shorter_in_text_and_in_latex_alike():
    symbols, switch = _ONE | {"R": "> 0", "d": "> 0"}, {"buffer": "B", "rate": "C"}
    theorem = derive({"symbols": symbols, "policy": {"name": "dt", "alpha": "alpha"}, "switch": switch,
                      "queues": _ALONE, "ask": [{"dropped": 0, "by": "d"}]})  # fmt: skip
    assert theorem.text().splitlines()[:2] == [
        "If R >= C + alpha*B/(d*(1 + alpha)):", "  dropped = d*(R - C) - alpha*B/(1 + alpha)"]  # fmt: skip
    assert r"d \left(R - C\right) - \frac{\alpha B}{1 + \alpha}" in theorem.latex()
    assert r"R \geq C + \frac{\alpha B}{d \left(1 + \alpha\right)}" in theorem.latex()


def test_the_name_r_is_used_where_it_is_shorter_and_free():
    short = derive(families.STATIC)
    assert "with" not in str(short)
    taken = families.family([families.BURSTS, families.STEADY], {"first_drop": 0}, {"r": "> 0"})
    assert "with" not in str(derive(taken))
    assert "with r_{1} = R_{1} - C" not in derive(families.TWO_RATES).latex()
    assert r"r_{2} = R_{2} - C" in derive(families.TWO_RATES).latex()


def test_a_writer_solves_a_polynomial_for_each_symbol_on_its_own():
    theorem = derive(families.STATIC)
    writer = Writer(theorem.domain)
    for case in theorem.cases:
        for each in case.when:
            for slack in theorem.domain.slacks:
                alone = Writer(theorem.domain).solved(each.poly, each.relation, slack.symbol, [])
                assert writer.solved(each.poly, each.relation, slack.symbol, []) == alone


@pytest.mark.parametrize("name", ["TWO_ALPHAS", "TWO_RATES", "DURATION", "ABM", "CAP", "LOST"])
def test_printed_conditions_and_answers_say_what_the_theorem_says(name):
    theorem, source = derive(getattr(families, name)), Random(name)
    heads = [line for line in theorem.text().splitlines() if line[0] in "IA"]
    where = dict(re.findall(r"^with (\w+) = (.*)$", theorem.text(), re.MULTILINE))
    names = set(theorem.family.symbols) | set(where)
    printed = [head[3:-1].split(" and ") if head[0] == "I" else [] for head in heads]
    parts = re.split(r"^(?:If|Always)", theorem.text(), flags=re.MULTILINE)[1:]
    answers = [re.findall(r"^  \w+ = (.*)$", part, re.MULTILINE) for part in parts]
    for number, case in enumerate(theorem.cases):
        for point in points_of(theorem, case, 6, source):
            values = theorem.values(point)
            values |= {short: read_expression(text, "", names).value(values) for short, text in where.items()}
            for other, each in zip(theorem.cases, printed, strict=True):
                said = [read_relation(text, "", names) for text in each]
                held = all(
                    {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b}[r.sign]
                    for r in said
                    for a, b in [(r.left.value(values), r.right.value(values))]
                )
                assert held == all(c.holds(point) for c in other.when)
            for text, exact in zip(answers[number], case.answers.values(), strict=True):
                assert (text == "never") == (exact is None)
                assert exact is None or read_expression(text, "", names).value(values) == exact.at(point)


def test_long_conditions_continue_on_the_next_line():
    latex = derive(families.DURATION).latex()
    assert r", \\ & R" in latex
    assert latex.count("{") == latex.count("}")


def test_a_table_shows_the_theorem_on_a_page():
    html = derive(families.STATIC)._repr_html_()
    assert [html.count(tag) for tag in ("<tr>", "<th>", "<td>")] == [3, 2, 6]
    assert re.findall("<th>(.*?)</th>", html) == ["t", "F(t)"]
    assert "<mi>R</mi><mo>&gt;</mo><mi>C</mi><mo>+</mo><mfrac>" in html
    assert derive(families.STATIC)._repr_latex_().startswith(r"$\displaystyle \begin{array}")


def test_an_unknown_symbol_for_the_conditions_is_refused():
    with pytest.raises(InputError, match=r"^symbol: got 'beta'"):
        derive(families.STATIC).text("beta")
