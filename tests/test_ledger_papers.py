"""The claims of the papers can be read everywhere: in a terminal, in HTML, and by whoever looks for their code."""

import re
import xml.etree.ElementTree as ET

import pytest
from ledger_cases import papers

from dtmodel.base.mathtext import html_of, text_of
from dtmodel.ledger.claim import THEOREMS
from dtmodel.ledger.verdict import deciding_forms

COLLECTION = papers()
LATEX = re.compile(r"\$|\\[A-Za-z]{2,}")
TEXTS = ("statement", "assumption", "repair", "reason", "note", "not_in_kernel")


def test_the_claims_are_well_formed() -> None:
    assert [str(problem) for problem in COLLECTION.problems] == []


@pytest.mark.parametrize("paper", sorted({claim.paper for claim in COLLECTION.claims.values()}))
def test_every_text_of_a_paper_reads_without_latex(paper: str) -> None:
    unreadable = [
        (claim.id, key)
        for claim in COLLECTION.claims.values()
        for key in TEXTS
        if claim.paper == paper and LATEX.search(text_of(getattr(claim, key)))
    ]
    assert unreadable == []


@pytest.mark.parametrize("paper", sorted({claim.paper for claim in COLLECTION.claims.values()}))
def test_every_text_of_a_paper_is_well_formed_mathml(paper: str) -> None:
    for claim in COLLECTION.claims.values():
        if claim.paper == paper:
            for key in TEXTS:
                text = html_of(getattr(claim, key))
                ET.fromstring(f"<p>{text}</p>")  # noqa: S314 - our own text
                assert "<code>\\" not in text, claim.id


def test_a_theorem_that_holds_is_proved_in_coq_or_says_why_not() -> None:
    evidence, _ = COLLECTION.evidence()
    in_coq = {
        (claim, aim.form) for item in evidence for aim in item.aims if aim.strength == "kernel" for claim in aim.claims
    }
    theorems = [
        claim
        for claim in COLLECTION.claims.values()
        if claim.kind in THEOREMS and claim.verdict in ("holds", "holds-under-assumption")
    ]
    proved = {
        claim.id for claim in theorems if any((claim.id, form) in in_coq for form in deciding_forms(claim.verdict))
    }
    explained = {claim.id for claim in COLLECTION.claims.values() if claim.not_in_kernel}
    assert {claim.id for claim in theorems} - proved == explained
    assert len(proved) > len(explained)


EQUATIONS = {"edt": 81, "losspass": 6, "dynaq": 7, "l2bm": 9}
"""The number of each document's last equation."""


@pytest.mark.parametrize("paper", EQUATIONS)
def test_every_numbered_equation_has_a_claim(paper: str) -> None:
    found = (re.match(rf"{paper}\.eq(\d+)(?![^.@])", name) for name in COLLECTION.claims)
    assert {int(match[1]) for match in found if match} == set(range(1, EQUATIONS[paper] + 1))


def test_a_corrected_form_is_recorded_as_true() -> None:
    named = {claim.corrected for claim in COLLECTION.claims.values() if claim.corrected}
    assert len(named) > 20
    assert {COLLECTION.claims[name].verdict for name in named} <= {"holds", "holds-under-assumption"}
