"""The pages of Coq's theorems: each that a claim rests on, word for word too, with links that lead somewhere."""

import html
import re
from functools import cache

import pytest
from ledger_cases import papers

from docs import ledger, theorems
from docs.build import ROOT
from dtmodel.ledger.html import claim_writer
from dtmodel.ledger.provers import coq_pins

COQ = ROOT / "proofs" / "coq"
CLAIMS = [
    {"id": one.id, "paper": one.id.partition(".")[0], "verdict": one.verdict, "source": one.source}
    for one in papers().claims.values()
]


@cache
def pages() -> dict[str, bytes]:
    return theorems.pages(COQ, CLAIMS, theorems.proving())


def test_every_theorem_that_a_claim_rests_on_has_a_place_and_stands_there_word_for_word() -> None:
    wanted = {name for item in papers().written if item.kernel for name in item.kernel.theorems}
    places = theorems.places(pages())
    assert set(places) == wanted
    pins = coq_pins.read_pins(COQ).theorems
    for name in wanted:
        page = pages()[f"{places[name].partition('.')[0]}.md"].decode()
        (said,) = re.findall(rf'(?s)<section class="theorem" id="{name}">.*?</section>', page)
        (exact,) = re.findall(r"(?s)<pre>(.*?)</pre>", said)
        assert html.unescape(exact).split() == pins[name].statement.split()
        assert "\n\n" not in said


def test_claims_and_sources_are_linked_both_ways() -> None:
    places = theorems.places(pages())
    sections = {f"../../ledger/{one['paper']}/{ledger.place(one)[0]}.html#{one['id']}" for one in CLAIMS}
    seen = set()
    for name, text in pages().items():
        for link in re.findall(r'href="([^"]*)"', text.decode()):
            if link.startswith("../../ledger"):
                assert link in sections
                seen.add(link.partition("#")[2])
            else:
                source, _, word = link.partition("#:~:text=")
                module = source.partition("source/")[2].removesuffix(".txt")
                assert f"extra/theorems/source/{module}.txt" in pages(), name
                assert word in (COQ / module).read_text("utf-8")
    assert seen == set(theorems.proving())
    claim = {"id": "edt.eq10", "coq": ["theorem1", "unknown"], "evidence": [], "forms": [], "faults": []}
    _, (written,) = claim_writer(str, lambda _claim, _item: "", lambda name: places.get(name, ""))([claim])
    assert '<a href="theorems/EDT/Theorem1Statements.html#theorem1"><code>theorem1</code></a>' in written
    assert "<code>unknown</code> " in written


def test_the_pages_need_no_coq(monkeypatch: pytest.MonkeyPatch) -> None:
    with_coq = pages()
    monkeypatch.setenv("PATH", "")
    assert theorems.pages(COQ, CLAIMS, theorems.proving()) == with_coq


def test_every_source_and_every_axiom_is_shown() -> None:
    for path in COQ.rglob("*.v"):
        assert path.read_bytes() == pages()[f"extra/theorems/source/{path.relative_to(COQ)}.txt"]
    index = pages()["theorems/index.md"].decode()
    assert all(f"`{axiom}`" in index for axiom in coq_pins.read_pins(COQ).axioms)


def test_what_the_claims_have_for_a_hypothesis_stands_beside_it() -> None:
    page = pages()["theorems/EDT/Theorem1Statements.md"].decode()
    assert '<dd><span class="coq">C &lt; R <span class="dim">R &gt; C</span>' in page


@pytest.mark.parametrize(
    ("text", "statement", "said"),
    [
        ("0 < R0 -> S0 i >= R0", "", "0 < R → S i ≥ R"),
        ("0 < R0", "forall R R0 : real, R <= R0 -> 0 < R0", "0 < R0"),
        ("INR (M - 1) * INR M", "", "INR (M - 1) · M"),
        ("fun i : nat => tau i /\\ ~ P \\/ x <-> y", "", "λ i : ℕ ↦ τ i ∧ ¬ P ∨ x ↔ y"),
        ("Base.alpha alpha'", "", "Base.alpha alpha'"),
    ],
)
def test_signs_stand_for_the_words_of_coq(text: str, statement: str, said: str) -> None:
    assert theorems.readable(text, statement) == said
