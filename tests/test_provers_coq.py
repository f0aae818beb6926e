"""Coq: what is proved is pinned with its definitions and axioms, and every weakening is caught."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dtmodel.errors import ProverError
from dtmodel.ledger import Proved, Skipped
from dtmodel.provers import coq, coq_build, coq_pins

BASE = """
(* Theorem hidden : True. *)
Definition half (x : nat) : nat := x - 1.
Definition room (x : nat) : nat := half x + 2.
Record port := Port { rate : nat; share : nat }.
"""
MAIN = """
From T Require Import Base.
Theorem grows (x : nat) : 0 < x -> 0 < room x.
Proof. intros. unfold room. rewrite <- plus_n_Sm. apply le_n_S. apply le_0_n. Qed.
Theorem grows_instance : 0 < 1.
Proof. apply le_n. Qed.
Theorem faster (p : port) : rate p < S (rate p).
Proof. apply le_n. Qed.
"""
PROOF = MAIN.split("\n")[3]

needs_coq = pytest.mark.usefixtures("builds")


@pytest.fixture
def builds(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DTMODEL_COQ_BUILD", str(tmp_path_factory.getbasetemp() / "builds"))
    assert not coq.unavailable(), "these tests need Coq 8.16"


def development(folder: Path, base: str = BASE, main: str = MAIN) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "_CoqProject").write_text("-Q . T\n\nBase.v\nMain.v\n", encoding="utf-8")
    (folder / "Base.v").write_text(base, encoding="utf-8")
    (folder / "Main.v").write_text(main, encoding="utf-8")
    return folder


def pin(folder: Path) -> None:
    coq_pins.write(folder, coq_build.audit(folder), coq.version())


def one_problem(folder: Path) -> str:
    found = coq.problems(folder)
    assert len(found) == 1, found
    return found[0]


def test_without_coq_a_theorem_is_skipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(coq, "version", lambda: "")
    outcome = coq.theorem("grows", directory=tmp_path)
    assert isinstance(outcome, Skipped)
    assert "coqc is not on the path" in outcome.reason
    assert coq.problems(tmp_path) == []
    assert coq.main([str(tmp_path)]) == 1


def test_another_version_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(coq, "version", lambda: "8.20.1")
    outcome = coq.theorem("grows", directory=tmp_path)
    assert isinstance(outcome, Skipped)
    assert "coqc 8.20.1 is on the path; it prints differently from 8.16" in outcome.reason


def test_what_coq_says_about_assumptions_is_read_whole() -> None:
    said = "Axioms:\nfoo : 1 = 2\nlong.name\n  : Prop\nbar is assumed to be guarded.\n"
    assert coq_build.assumptions(said) == ("bar is assumed to be guarded.", "foo", "long.name")


@pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is optional: verify says what it skips without it")
@needs_coq
class TestDevelopment:
    """A small development, pinned, then spoilt in every way."""

    def test_a_pinned_theorem_is_proved_with_its_instance(self, tmp_path: Path) -> None:
        folder = development(tmp_path / "dev")
        pin(folder)
        outcome = coq.theorem("grows", directory=folder)
        assert isinstance(outcome, Proved)
        assert outcome.example == {"Coq theorem": "grows_instance", "it says": "0 < 1"}
        assert outcome.certificate is not None
        assert outcome.certificate["theorems"] == {"grows": coq_pins.hashes(folder)["grows"]}
        assert coq_pins.statements(folder)["grows"].strip() == "forall x : nat, 0 < x -> 0 < room x"
        assert coq_pins.read(folder)["theorem"]["grows"]["uses"] == ["Base.half", "Base.room"]
        assert "Base.port" in coq_pins.read(folder)["theorem"]["faster"]["uses"]
        assert coq.is_built(folder)
        assert coq.problems(folder) == []
        assert sorted(path.name for path in folder.iterdir()) == ["Base.v", "Main.v", "_CoqProject", "pins.toml"]
        assert coq.main([str(folder)]) == 0

    def test_a_theorem_needs_an_instance_of_its_hypotheses(self, tmp_path: Path) -> None:
        folder = development(tmp_path / "dev")
        pin(folder)
        with pytest.raises(ProverError, match="nothing shows the hypotheses of faster satisfiable"):
            coq.theorem("faster", directory=folder)
        assert isinstance(coq.theorem("faster", directory=folder, example={"rate": "1"}), Proved)
        assert isinstance(coq.theorem("faster", directory=folder, example="grows_instance"), Proved)

    def test_several_theorems_stand_or_fall_together(self, tmp_path: Path) -> None:
        folder = development(tmp_path / "dev")
        pin(folder)
        outcome = coq.theorem("grows", "faster", example="grows_instance", directory=folder)
        assert isinstance(outcome, Proved)
        assert outcome.certificate is not None
        assert list(outcome.certificate["theorems"]) == ["grows", "faster"]
        assert "0 < room x" in outcome.detail
        assert "rate p < S (rate p)" in outcome.detail
        with pytest.raises(ProverError, match="nothing shows the hypotheses of faster satisfiable"):
            coq.theorem("faster", "grows", directory=folder)
        with pytest.raises(ProverError, match="there is no Coq theorem hidden"):
            coq.theorem("grows", "hidden", directory=folder)

    def test_a_theorem_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        folder = development(tmp_path / "dev")
        pin(folder)
        with pytest.raises(ProverError, match="there is no Coq theorem hidden"):
            coq.theorem("hidden", directory=folder)

    def test_an_unpinned_theorem_is_not_accepted(self, tmp_path: Path) -> None:
        folder = development(tmp_path / "dev")
        with pytest.raises(ProverError, match="grows is not pinned"):
            coq.theorem("grows", directory=folder)
        assert coq.main(["--pin", str(folder)]) == 0
        assert isinstance(coq.theorem("grows", directory=folder), Proved)

    @pytest.mark.parametrize(
        ("base", "main", "said"),
        [
            (BASE, MAIN.replace("0 < x -> 0 < room", "1 < x -> 0 < room"), "(changed: its statement)"),
            (BASE.replace("x - 1", "x - 2"), MAIN, "(changed: the definitions Base.half)"),
            (BASE, MAIN.replace(PROOF, "Admitted."), "grows rests on Main.grows"),
            (
                BASE + "Axiom magic : forall x, 0 < room x.\n",
                MAIN.replace(PROOF, "intros. apply magic. Qed."),
                "grows rests on Base.magic",
            ),
            (BASE, MAIN.replace("Theorem grows_instance", "Lemma grows_instance"), "its proof is missing"),
            (BASE, MAIN.replace("0 < x -> 0 < room x", "x < 0"), "does not compile"),
            (BASE, MAIN + "Theorem more : 1 = 1.\nProof. reflexivity. Qed.\n", "more is not pinned"),
            (BASE, MAIN + "Theorem grows : 1 = 1.\n", "does not compile"),
        ],
    )
    def test_every_weakening_is_caught(self, tmp_path: Path, base: str, main: str, said: str) -> None:
        folder = development(tmp_path / "dev")
        pin(folder)
        development(folder, base, main)
        assert said in one_problem(folder)

    def test_a_field_of_a_record_is_part_of_the_statement(self, tmp_path: Path) -> None:
        folder = development(tmp_path / "dev")
        pin(folder)
        development(folder, BASE.replace("share : nat", "share : bool"))
        assert "Coq theorem faster is not what was pinned (changed: the definitions Base.port" in one_problem(folder)

    def test_a_proof_may_change_freely(self, tmp_path: Path) -> None:
        folder = development(tmp_path / "dev")
        pin(folder)
        development(
            folder,
            BASE + "\nLemma aside : True.\nProof. exact I. Qed.\n",
            MAIN.replace("intros. unfold room.", "unfold room. intros."),
        )
        assert coq.problems(folder) == []

    def test_a_file_outside_the_project_is_named(self, tmp_path: Path) -> None:
        folder = development(tmp_path / "dev")
        pin(folder)
        (folder / "Other.v").write_text("Theorem other : True. exact I. Qed.", encoding="utf-8")
        assert "Other.v is not in _CoqProject" in one_problem(folder)


@pytest.mark.parametrize("text", ["", "-Q . T\n", "-Q . T\nMissing.v\n"])
def test_a_broken_project_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "_CoqProject").write_text(text, encoding="utf-8")
    with pytest.raises(ProverError, match="_CoqProject"):
        coq_build.build_directory(tmp_path)


def test_a_folder_without_a_project_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProverError, match="no Coq development here"):
        coq_build.build_directory(tmp_path)
