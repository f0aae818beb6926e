"""Counterexamples before the kernel: what Coq is told, what it accepts, and what a verdict then rests on."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from ledger_cases import claim, evidence, root, verify
from rich.console import Console

from dtmodel.ledger import collect
from dtmodel.ledger.provers import coq_build, coq_negation
from dtmodel.ledger.provers.coq_negation import negations
from dtmodel.ledger.replay import Negation
from dtmodel.ledger.report import claim_document
from dtmodel.ledger.runner import ClaimResult, run_claims
from dtmodel.ledger.settings import Settings
from dtmodel.ledger.terminal import print_claim

FALSE = {"values": {"x": "3"}, "hypotheses": ["x > 0"], "statement": "x < 2"}
COUNTEREXAMPLE = "return Counterexample(FALSE)"


def told(statement: str, hypotheses: Sequence[str] = (), **values: Any) -> str:
    return negations([{"values": values, "hypotheses": list(hypotheses), "statement": statement}])[0].proposition


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a - (b - a) < 1", "a - (b - a) < 1"),
        ("a / (b * a) == 0.25", "a / (b * a) = (1 / 4)"),
        ("(a + b) ** 2 >= -a", "(a + b) ^ 2 >= - a"),
        ("2 * -a != 1/2", "2 * (- a) <> 1 / 2"),
        ("a < b <= 5", "(a < b /\\ b <= 5)"),
        ("not (a < 1 or b < 2) and a < b", "((~ ((a < 1) \\/ (b < 2))) /\\ (a < b))"),
        ("max(a, b, 1) > abs(a)", "Rmax (Rmax a b) 1 > Rabs a"),
        ("floor(a / 2) <= ceil(b)", "IZR (Int_part (a / 2)) <= - IZR (Int_part (- b))"),
    ],
)
def test_the_proposition_says_what_the_text_says(text: str, written: str) -> None:
    assert told(text, a="1", b="7") == f"~ (forall a b : real, {written})"


def test_lists_are_variables_of_their_own() -> None:
    said = told("sum(q) < min(q) + q[0] + q[-1]", q=["1", "2", "3"])
    assert said == "~ (forall q_1 q_2 q_3 : real, q_1 + q_2 + q_3 < Rmin (Rmin q_1 q_2) q_3 + q_1 + q_3)"


def test_hypotheses_come_before_the_statement() -> None:
    assert told("R < B", ["0 < R < 2", "B > 1"], R="1", B="2") == (
        "~ (forall R B : real, (0 < R /\\ R < 2) -> B > 1 -> R < B)"
    )


def test_a_statement_about_numerals_has_no_variable() -> None:
    assert told("2 + 2 == 5") == "~ (2 + 2 = 5)"


def test_words_of_coq_are_avoided() -> None:
    assert told("end - forall < Rmin", end="3", forall="1", Rmin="1", R="1").startswith(
        "~ (forall end_ forall_ Rmin_ R : real, end_ - forall_ < Rmin_"
    )


@pytest.mark.parametrize(
    ("text", "word"),
    [("n % 2 == 1", "Mod"), ("n // 2 == 1", "FloorDiv"), ("2 ** n == 1", "Pow"), ("n ** -1 == 1", "Pow")],
)
def test_what_coq_is_not_told_about_is_named(text: str, word: str) -> None:
    assert negations([{"values": {"n": "4"}, "statement": text}])[0].fault == f"{text!r}: {word} has no form in Coq"


def test_a_number_of_which_nothing_is_supposed_is_named() -> None:
    data = {"values": {"x": "3", "K": "1", "q": ["1"]}, "hypotheses": ["x > 0"], "statement": "x < 2 * K"}
    assert negations([data])[0].fault == ("nothing is supposed of K, q: say in the hypotheses which numbers are meant")


def test_without_coq_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coq_build, "_coqc_says", lambda: ("", "coqc is not on the path"))
    found = negations([FALSE])[0]
    assert (found.fault, found.proposition) == ("", "~ (forall x : real, x > 0 -> x < 2)")
    assert "coqc is not on the path" in found.skipped


@pytest.mark.needs("coq")
class TestKernel:
    """What Coq accepts."""

    @pytest.fixture(autouse=True)
    def cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DTMODEL_COQ_BUILD", str(tmp_path / "cache"))

    def test_every_function_is_carried_through_at_once(self) -> None:
        values = {"a": "1/3", "b": "-7/2", "q": ["1", "2"], "n": "5"}
        texts = [
            "max(a, b, floor(n / 2)) < 2",
            "ceil(b) == -4 or not abs(b) > 3",
            "min(q) ** 2 / sum(q) != 1/3",
            "floor(max(n, ceil(a)) / 3) * 2 >= 3 and b < 0",
        ]
        given = ["a < 1 and b < 0", "n != 4", "not a == b", "1 <= q[0] < q[1] or n < 0"]
        data = [{"values": values, "hypotheses": given, "statement": text} for text in texts]
        assert [item.fault for item in negations(data)] == [""] * 4

    def test_a_true_statement_is_not_negated_and_spoils_no_other(self) -> None:
        good, bad = negations([FALSE, FALSE | {"statement": "x < 4"}])
        assert good.fault == ""
        assert bad.fault.startswith("Coq does not prove the negation: Text.v does not compile")

    def test_a_hypothesis_that_is_violated_gives_no_negation(self) -> None:
        assert negations([FALSE | {"hypotheses": ["x > 5"]}])[0].fault

    def test_a_further_axiom_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        cheat = coq_negation._PREAMBLE + "Axiom magic : False.\nLtac lra ::= destruct magic.\n"
        monkeypatch.setattr(coq_negation, "_PREAMBLE", cheat.replace("Ltac lra ::=", "Ltac lra :="))
        assert (
            negations([FALSE | {"statement": "x < 4"}])[0].fault == "Coq does not prove the negation: it rests on magic"
        )

    def test_what_was_proved_is_not_proved_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert negations([FALSE])[0].fault == ""
        monkeypatch.setattr(coq_negation, "run_text", lambda text: pytest.fail(f"asked again: {text}"))
        assert negations([FALSE, FALSE])[1].fault == ""


def refuted(folder: Path, said: Negation | None, body: str = COUNTEREXAMPLE, **options: Any) -> ClaimResult:
    negate = (lambda data: [said] * len(data)) if said else None
    done = verify(folder, [claim(verdict="refuted")], [evidence(body, strength="kernel")], negate=negate, **options)
    return done.results[0]


def test_a_negation_by_the_kernel_gives_the_verdict_its_strength(tmp_path: Path) -> None:
    result = refuted(tmp_path, Negation("~ (forall x, x < 2)"))
    assert (result.judgement.verdict, result.judgement.strength, result.as_recorded) == ("refuted", "kernel", True)


def test_a_report_shows_what_coq_proved(tmp_path: Path) -> None:
    folder = tmp_path / "claims"
    collection = collect([root(folder, [claim(verdict="refuted")], [evidence(COUNTEREXAMPLE, strength="kernel")])])
    document = claim_document(refuted(tmp_path, Negation("~ (forall x, x < 2)")), collection)
    assert document["evidence"][0]["negation"] == "~ (forall x, x < 2)"
    console = Console(record=True, width=200, file=io.StringIO())
    print_claim(console, document, {}, Settings([]))
    text = console.export_text()
    assert "~ (forall x, x < 2)" in text
    assert "refuted (kernel, relation)" in text


def test_a_theorem_is_more_than_a_relation(tmp_path: Path) -> None:
    """What the kernel closes from a witness has no trajectory in it; a negation that is a theorem may have one."""
    proved = evidence("return Proved('so', {'x': '1'})", name="theorem", strength="kernel", form="negation")
    collection = collect([root(tmp_path, [claim(verdict="refuted")], [evidence(COUNTEREXAMPLE), proved])])
    (result,) = run_claims(collection, replayers={}).results
    assert result.judgement.strength == "kernel"
    assert not claim_document(result, collection)["relation"]


def test_where_the_kernel_is_not_asked_the_counterexample_is_exact(tmp_path: Path) -> None:
    judged = refuted(tmp_path, Negation("", skipped="no Coq here")).judgement
    assert (judged.verdict, judged.strength, judged.fallback) == ("refuted", "exact", "kernel")
    assert judged.skipped == ("first: no Coq here",)


def test_a_kernel_that_is_required_must_be_asked(tmp_path: Path) -> None:
    result = refuted(tmp_path, None, require=("coq",))
    assert result.faults == ("first was skipped, but is required (this run has no kernel)",)


def test_a_kernel_that_refuses_is_a_fault(tmp_path: Path) -> None:
    assert refuted(tmp_path, Negation("", "no")).faults == ("first (proofs/edt/proofs.py:7): no",)


def test_only_values_can_be_put_to_the_kernel(tmp_path: Path) -> None:
    body = "return Counterexample(Witness('double', {'x': '1'}, {'double': '2'}, {'double': '3'}))"
    assert refuted(tmp_path, Negation("x"), body).faults == (
        "first (proofs/edt/proofs.py:7): the kernel checks only witnesses of kind 'values'",
    )
