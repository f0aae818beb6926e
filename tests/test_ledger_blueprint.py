"""The blueprint says what a claim rests on, and how strong the weakest thing below it is."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dtmodel.base.errors import LedgerError
from dtmodel.ledger.claim import Claim
from dtmodel.ledger.html import html_report
from dtmodel.ledger.provers import coq_theorems
from dtmodel.ledger.report import effective, with_blueprint
from tests.test_ledger_report import report


def claim(name: str, strength: str, corrected: str = "", *theorems: str, uses: Sequence[str] = ()) -> dict[str, Any]:
    return {"id": name, "strength": strength, "corrected": corrected, "uses": uses, "coq": list(theorems)}


def test_a_claim_is_as_strong_as_the_weakest_below_it() -> None:
    claims = [claim("a", "kernel", "b", "one"), claim("b", "smt", "c"), claim("c", "exact"), claim("d", "", "c")]
    assert effective(claims) == {"a": "exact", "b": "exact", "c": "exact", "d": ""}
    (first, *_) = with_blueprint(claims, ({"one": ["two"], "two": []}, {"one": ["sum"]}))
    assert first["effective"] == "exact"
    assert first["rests_below"] == [{"theorem": "one", "theorems": ["two"], "definitions": ["sum"]}]


def test_a_claim_rests_on_those_that_its_words_name() -> None:
    said = Claim("x.one", "own", "ours", "It obeys x.two@always.", "holds", reason="See x.three, and x.one.")
    assert said.named == ("x.three", "x.two@always")
    assert effective([claim("a", "kernel", uses=["b"]), claim("b", "smt")])["a"] == "smt"


def test_what_is_not_in_the_selection_is_not_below() -> None:
    assert effective([claim("a", "kernel", "elsewhere")])["a"] == "kernel"


def test_claims_that_correct_each_other_are_refused() -> None:
    with pytest.raises(LedgerError, match="rest on each other"):
        effective([claim("a", "kernel", "b"), claim("b", "smt", "a")])


def test_the_page_shows_what_is_below(tmp_path: Path) -> None:
    document = report(tmp_path)
    other = document["claims"][1]["id"]
    first = document["claims"][0] | {"coq": ["one"], "corrected": other, "uses": [other]}
    claims = with_blueprint(
        [first, document["claims"][1] | {"strength": "sampled"}], ({"one": ["two"]}, {"one": ["sum"]})
    )
    page = html_report(document | {"claims": claims})
    assert "its proof uses <code>two</code>" in page
    assert "it speaks of <code>sum</code>" in page
    assert "the weakest below it is sampled" in page
    assert f">{other}</a>, which its words name" in page


@pytest.mark.needs("coq")
def test_coq_says_which_theorem_uses_which_through_lemmas(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "_CoqProject").write_text("-Q . TINY\nFirst.v\nSecond.v\n")
    (tmp_path / "First.v").write_text(
        "Theorem one : True. Proof. exact I. Qed.\nLemma help : True. Proof. exact one. Qed.\n"
    )
    second = "From TINY Require Import First.\nLemma mine : True. Proof. exact help. Qed.\n"
    (tmp_path / "Second.v").write_text(f"{second}Theorem two : True. Proof. exact mine. Qed.\n")
    monkeypatch.setenv("DTMODEL_COQ_BUILD", str(tmp_path / "build"))
    assert coq_theorems.dependencies(tmp_path) == {}
    coq_theorems.audit(tmp_path)
    assert coq_theorems.dependencies(tmp_path) == {"one": [], "two": ["one"]}
    assert coq_theorems.dependencies(tmp_path) == {"one": [], "two": ["one"]}
