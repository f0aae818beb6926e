"""Each symbol of a sentence without a form has a meaning, in the sentence or behind it."""

from dataclasses import replace

import pytest
from ledger_cases import papers, told

from dtmodel.ledger.claim import Claim
from dtmodel.ledger.notation import notation, symbols, unintroduced
from dtmodel.ledger.statement import statement_of
from dtmodel.ledger.ties import has_a_run

SENTENCES = [each for each in papers().claims.values() if not each.formal]


def test_each_symbol_of_each_sentence_has_a_meaning() -> None:
    untold = {}
    for each in SENTENCES:
        _, _, here = told(each.id).partition(f"{each.statement} Here ")
        untold[each.id] = [symbol for symbol in unintroduced(each.statement) if f"${symbol}$" not in here]
    assert {claim: left for claim, left in untold.items() if left} == {}


def test_each_meaning_of_a_glossary_is_used() -> None:
    collection = papers()
    for paper in {each.paper for each in collection.claims.values()}:
        lines = collection.preludes.get(f"{paper}.symbols", "").strip().splitlines()
        own = [each for each in collection.claims.values() if each.paper == paper]
        said = "\n".join(told(each.id) for each in own if not has_a_run(each, collection.preludes))
        meanings = [line.split(": ")[1].partition(" #")[0] for line in lines]
        assert [meaning for meaning in meanings if f" {meaning}" not in said] == [], paper


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("A burst of rate $R$ ends.", []),
        ("A burst of rate $R > C$ ends.", ["C"]),
        ("$M$ bursts end.", []),
        ("$M$ is large.", ["M"]),
        ("$M$ is the number of bursts; the port takes $K$.", ["K"]),
        ("With $N = 2$ ports nothing ends.", []),
        ("With $N = M$ ports nothing ends.", ["N", "M"]),
        ("Thresholds $T_i = w_i F$ fall.", ["w_i", "F"]),
        (r"For $\alpha_i \geq 0$ it takes $O(\log n)$ steps of 5 $\mu$s.", [r"\alpha_i", "n"]),
        ("At $t = 0$ queue $i$ holds $q_i(t)$ bytes.", []),
        ("A length $q_i^{max}(t)$ is reached.", []),
        ("At most $N$ packets wait.", ["N"]),
        ("More than $N$ packets wait.", ["N"]),
        (r"It is more than $(1 + \alpha)^P$.", [r"\alpha", "P"]),
        (r"Because $K_i \leq K$, a port drops.", ["K_i", "K"]),
        ("Let $R$ be the rate; $Q = R t$ is the length.", []),
    ],
)
def test_a_symbol_is_introduced_by_a_noun(sentence: str, left: list[str]) -> None:
    assert unintroduced(sentence) == left


def test_meanings_of_a_claim_replace_those_of_its_document() -> None:
    known = Claim("own.a", "here", "ours", "It takes $w_k$.", "holds", symbols="w[]: the weight of port #")
    assert statement_of(known, {}) == "It takes $w_k$. Here $w_k$ is the weight of port $k$."
    assert statement_of(known, {"own.symbols": "w[]: the weight of queue #\nC: a rate"}) == statement_of(known, {})


def test_indices_units_and_words_are_no_symbols() -> None:
    assert symbols(r"$\sum_i x_i \leq 25\,\mu\text{s}$ and $\max\{q, 2\}$ for $\text{all } p$") == ["x_i", "q", "p"]
    assert notation("Nothing is here.", {"B": "the size"}) == ""


def test_words_have_a_meaning_that_may_need_another_one() -> None:
    meanings = {"the scenario": "has the settings and $C$", "the settings": "are two ports", "others": "are not said"}
    assert notation("In the scenario $C$ falls.", meanings | {"C": "a rate"}) == (
        "Here $C$ is a rate. Here the scenario has the settings and $C$. Here the settings are two ports."
    )


def test_the_experiment_of_a_measurement_is_that_of_its_figure_or_section() -> None:
    meanings = {f"the experiment of {place}": f"is {place[-1]}" for place in ("Figure 1", "Figure 12", "Section 5.1")}
    found = [
        notation("It is long.", meanings, f"a paper, {place}")
        for place in ("Figure 12", "Section 5.1.2", "Section 5.1")
    ]
    assert found == ["Here the experiment of Figure 12 is 2.", "", "Here the experiment of Section 5.1 is 1."]


def test_the_number_of_an_equation_has_a_meaning() -> None:
    assert notation("It meets (7) of 17.", {"(7)": "is $q = 0$", "(17)": "is not said"}) == "Here (7) is $q = 0$."


def test_only_measurements_of_a_paper_have_an_experiment() -> None:
    glossary = {"own.symbols": "the experiment of Figure 1: has two queues"}
    known = Claim("own.a", "a paper, Figure 1", "measurement", "It is long.", "holds")
    told_of = [
        statement_of(each, glossary)
        for each in (known, replace(known, kind="remark"), replace(known, source="our own, on Figure 1"))
    ]
    assert told_of == ["It is long. Here the experiment of Figure 1 has two queues.", "It is long.", "It is long."]
