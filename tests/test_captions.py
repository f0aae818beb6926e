"""Captions promise nothing, and a sentence can be read without another claim: verify names the fault of each."""

from pathlib import Path

import pytest
from ledger_cases import PROVED, claim, evidence, papers, verify

from dtmodel.ledger.captions import caption_fault, sentence_fault, twice

FORMAL = "for x > 0; then x + 1 > 1"


@pytest.mark.parametrize(
    "caption",
    [
        "Theorem 1, corrected: first loss of one burst",
        "What the recorder of Algorithm 1 holds",
        "First loss of bursts whose rate changes twice",
        "Share of the queue that $\\alpha$ gives",
    ],
)
def test_a_noun_phrase_is_a_caption(caption: str) -> None:
    assert caption_fault(caption) == ""


@pytest.mark.parametrize(
    ("caption", "fault"),
    [
        ("Port k loses bytes after the time of the first loss", "it has the verb 'loses'"),
        ("The queue is full", "it has the verb 'is'"),
        ("Loss of every burst", "it has the quantifier 'every'"),
        ("Bursts that lose nothing if they end", "it has the quantifier 'if'"),
        ("Buffer of at least one packet", "it has the quantifier 'at least' or 'at most'"),
        ("A larger threshold", "it has the comparative 'larger'"),
        ("It as a title", "it has the pronoun 'it'"),
        ("Threshold $T = \\alpha F$ of DT", "it has a formula beyond one symbol"),
        ("Threshold T = 2 of DT", "it has a formula beyond one symbol"),
        ("First loss of edt.eq10", "it names the claim edt.eq10"),
        ("One two three four five six seven eight nine ten eleven twelve thirteen", "it has 13 words, and at most 12"),
    ],
)
def test_a_caption_that_promises_something_has_a_named_fault(caption: str, fault: str) -> None:
    assert caption_fault(caption).startswith(fault)


@pytest.mark.parametrize("word", ["It", "That", "Such", "In such", "They", "This", "Then", "So", "The same",
                                  "In the same", "By these", "In our simulation of this"])  # fmt: skip
def test_a_sentence_begins_with_its_subject(word: str) -> None:
    fault = f"it begins with {word!r}, a word for something before it"
    assert sentence_fault(f"{word} queue falls") == fault
    assert sentence_fault(f"{word}x falls") == ""


def test_no_two_claims_of_the_papers_have_one_sentence() -> None:
    assert [*twice((one.id, one.paper, one.statement) for one in papers().claims.values())] == []


def test_every_claim_of_the_papers_has_a_caption_and_a_form_or_a_sentence() -> None:
    found = papers()
    assert [problem for problem in found.problems if problem.claim] == []
    assert [one.id for one in found.claims.values() if bool(one.formal) != bool(one.caption)] == []
    assert [one.id for one in found.claims.values() if bool(one.formal) == bool(one.statement)] == []


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        (claim(formal=FORMAL, caption="The bound is right"), "caption 'The bound is right': it has the verb 'is'"),
        (claim(formal=FORMAL, statement="$x < 2$"), "its form is its statement: remove the sentence, 'statement'"),
        (claim(caption="A bound"), "a caption stands over a form: write one, 'formal', or remove the caption"),
        (claim(statement="It is below 2."), "statement: it begins with 'It', a word for something before it"),
        (claim(formal=FORMAL).replace("caption = ", "note = "), "'caption' is missing"),
        (claim().replace("statement = ", "note = "), "'statement' is missing"),
    ],
)
def test_verify_names_the_fault_of_the_words(said: str, fault: str, tmp_path: Path) -> None:
    done = verify(tmp_path, [said], [evidence(PROVED)])
    told = [str(problem) for problem in done.problems] + [text for each in done.results for text in each.faults]
    assert any(fault in text for text in told), told
    assert not done.as_recorded


def test_two_claims_of_one_document_do_not_share_a_caption(tmp_path: Path) -> None:
    claims = [claim(f"{name}", formal=FORMAL, caption="A bound") for name in ("edt.a", "edt.b", "own.b")]
    done = verify(tmp_path, claims, [evidence(PROVED, "edt.a", "edt.b", "own.b")])
    faults = {each.claim.id: each.faults for each in done.results}
    assert faults == {"edt.a": (), "edt.b": ("its caption is that of edt.a, too: say how they differ",), "own.b": ()}
