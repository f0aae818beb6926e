"""What stands behind the words of a Coq statement, read off the sources: every change of it shows, and nothing else."""

import os
import shutil
from pathlib import Path

import pytest

from dtmodel.base.errors import ProverError
from dtmodel.ledger.provers import coq, coq_build, coq_pins, coq_theorems
from dtmodel.ledger.provers.coq_source import Sources

BASE = """
Require Import Reals Lra.
Open Scope R_scope.
Definition half (x : R) : R := x / 2. (* "half" of x *)
Section Port.
  Variables (rate : R) (share : nat -> R).
  Hypothesis rate_pos : 0 < rate.
  Notation twice := (2 * rate).
  Definition room (x : R) : R := half x + twice.
  Definition picked : R.
  Proof. exact (rate + 1). Defined.
  Lemma used : 0 < twice.
  Proof. lra. Qed.
End Port.
Record port := Port { length : R; others : list R }.
Inductive color : Type := | Red | Green (shade : nat) with kind := Kind.
Fixpoint even (n : nat) : bool := match n with O => true | S m => odd m end
with odd (n : nat) : bool := match n with O => false | S m => even m end.
Notation "x +++ y" := (x + half y) (at level 50).
"""
MAIN = """
From T Require Import Base.
Require Import Reals Lra.
Open Scope R_scope.
Theorem grows (r x : R) : 0 < r -> 0 <= x -> 0 < room r x.
Proof. unfold room, half. intros. lra. Qed.
Theorem shown (p : port) : length p +++ 1 = length p +++ 1.
Proof. reflexivity. Qed.
Theorem chosen : picked 1 = picked 1 /\\ even 0 = true /\\ exists c : color, c = Green 1.
Proof. repeat split. exists (Green 1). reflexivity. Qed.
"""
STATED = {
    "grows": "forall r x : R, 0 < r -> 0 <= x -> 0 < room r x",
    "shown": "forall p : port, length p +++ 1 = length p +++ 1",
    "chosen": "picked 1 = picked 1 /\\ even 0 = true /\\ (exists c : color, c = Green 1)",
    "plain": "1 = 1",
}


def development(folder: Path, base: str = BASE, main: str = MAIN, files: str = "Base Main") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    named = "".join(f"{name}.v\n" for name in files.split())
    (folder / "_CoqProject").write_text(f"-Q . T\n{named}", encoding="utf-8")
    (folder / "Base.v").write_text(base, encoding="utf-8")
    (folder / "Main.v").write_text(main, encoding="utf-8")
    return folder


def behind(folder: Path, base: str = BASE, main: str = MAIN) -> dict[str, tuple[str, tuple[str, ...]]]:
    sources = Sources(development(folder, base, main))
    return {name: sources.behind(text, "Main") for name, text in STATED.items()}


def changed(folder: Path, base: str = BASE, main: str = MAIN) -> set[str]:
    before, after = behind(folder), behind(folder, base, main)
    return {name for name in STATED if before[name][0] != after[name][0]}


def test_the_definitions_behind_a_statement_are_named(tmp_path: Path) -> None:
    found = {name: uses for name, (_, uses) in behind(tmp_path).items()}
    assert found == {
        "grows": ("Base.half", "Base.room"),
        "shown": ("Base.half", "Base.port"),
        "chosen": ("Base.color", "Base.even", "Base.half", "Base.picked"),
        "plain": ("Base.half",),  # the sign +++ may stand anywhere
    }
    assert Sources(tmp_path).theorems() == dict.fromkeys(("grows", "shown", "chosen"), "Main")


EVERY = set(STATED)


@pytest.mark.parametrize(
    ("old", "new", "seen"),
    [
        ("x / 2.", "x / 3.", EVERY),
        ("half x + twice", "half x - twice", {"grows"}),
        ("(2 * rate)", "(3 * rate)", {"grows"}),
        ("exact (rate + 1)", "exact (rate + 2)", {"chosen"}),
        ("(rate : R)", "(rate : nat)", {"grows", "chosen"}),
        ("others : list R", "others : list nat", {"shown"}),
        ("Green (shade : nat)", "Green (shade : bool)", {"chosen"}),
        ("O => false", "O => true", {"chosen"}),
        ("(x + half y)", "(x - half y)", EVERY),
        ("End Port.", "End Port.\nDefinition picked (x : R) := x.", {"chosen"}),
        ("End Port.", "End Port.\n#[global] Coercion INR : nat >-> R.", EVERY),
        ("Open Scope R_scope.", "Open Scope R_scope. Open Scope nat_scope.", EVERY),
        ("Inductive", 'Lemma more : True.\nProof. Notation "x <= y" := (x < y). exact I. Qed.\nInductive', EVERY),
        ("Inductive", "Ltac two := idtac. Lemma more : True. Proof. Ltac one := idtac. exact I. Qed. Inductive", set()),
        # nothing of these can change what is said
        ('(* "half" of x *)', '(* a (* nested *) "*)" comment. *)', set()),
        ("x : R) : R := x / 2", "x:R)\n:   R := x/ 2", set()),
        ("Proof. lra. Qed.", "Proof. - nra. Qed.", set()),
        ("0 < rate.", "1 < rate.", set()),
        ("End Port.", "Definition unused (x : R) := x.\nEnd Port. Axiom magic : False.", set()),
        ("End Port.", "Notation aside := (rate + 1).\nEnd Port.", set()),
        ("End Port.", "End Port. Ltac quick := lra. Check half. Lemma more : True.\nProof. exact I. Qed.", set()),
    ],
)  # fmt: skip
def test_what_changes_the_meaning_shows_and_nothing_else(tmp_path: Path, old: str, new: str, seen: set[str]) -> None:
    assert old in BASE
    assert changed(tmp_path, BASE.replace(old, new)) == seen


@pytest.mark.parametrize(
    ("old", "new", "seen"),
    [
        ("Theorem grows", "Definition room (r x : R) := r.\nTheorem grows", {"grows"}),
        ("Theorem grows", "Require Import ZArith. Theorem grows", set()),
        ("Theorem grows", "Theorem before : 1 = 1. Proof. reflexivity. Qed. Theorem grows", set()),
        ("0 <= x", "0 < x", set()),
    ],
)  # fmt: skip
def test_the_own_file_counts_like_the_others(tmp_path: Path, old: str, new: str, seen: set[str]) -> None:
    assert changed(tmp_path, main=MAIN.replace(old, new, 1)) == seen


def test_an_abbreviation_of_another_file_is_lent_to_a_statement_and_counts(tmp_path: Path) -> None:
    stated = "forall x : real, x = x"
    folder = development(tmp_path, files="Base Main Other Last")
    digests = []
    for other, last in [("R", "R"), ("nat", "R"), ("R", "nat")]:
        (folder / "Other.v").write_text(f"Require Import Reals.\nNotation real := {other}.\n", encoding="utf-8")
        (folder / "Last.v").write_text(f"Require Import Reals.\nNotation real := {last}.\n", encoding="utf-8")
        sources = Sources(folder)
        assert sources.context("Main", [stated]).endswith(f"Open Scope R_scope. Notation real := {other}.")
        assert "real" not in sources.context("Main", ["1 = 1"])
        digests.append(sources.behind(stated, "Main")[0])
    assert digests[0] == digests[2] != digests[1]


def test_the_real_numbers_are_known_through_other_files_too(tmp_path: Path) -> None:
    folder = development(tmp_path, main="From T Require Import Base.\n", files="Base Main Other")
    (folder / "Other.v").write_text("Require Import Arith.\n", encoding="utf-8")
    sources = Sources(folder)
    assert sources.apart_from_reals() == {"Other"}
    assert sources.reals == "Require Import Reals. Open Scope R_scope."
    (folder / "_CoqProject").write_text("-Q . T\nOther.v\n", encoding="utf-8")
    assert (Sources(folder).apart_from_reals(), Sources(folder).reals) == ({"Other"}, "")


@pytest.mark.needs("coq")
class TestPins:
    """Pins do not depend on how Coq prints; what Coq reads is what is proved."""

    @pytest.fixture(autouse=True)
    def builds(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DTMODEL_COQ_BUILD", str(tmp_path / "builds"))

    def test_another_printer_finds_all_as_pinned_and_pins_the_same(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = development(tmp_path / "dev")
        assert coq.main(["--pin", str(folder)]) == 0
        printed = coq_theorems.audit(folder)
        pinned = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
        fake = tmp_path / "bin" / "coqc"
        fake.parent.mkdir()
        options = "-set 'Printing All' -set 'Printing Universes' -unset 'Printing Notations'"
        fake.write_text(
            f'#!/bin/sh\n[ "$1" = --version ] && echo version 8.99.0 || exec {shutil.which("coqc")} {options} "$@"\n',
            encoding="utf-8",
        )
        fake.chmod(0o755)
        monkeypatch.setenv("PATH", str(fake.parent), prepend=os.pathsep)
        monkeypatch.setattr(coq_build, "_coqc_says", coq_build._coqc_says.__wrapped__)
        assert coq.version() == "8.99.0"
        other = coq_theorems.audit(folder)
        assert all(other[name].statement != printed[name].statement for name in printed)
        assert coq.main([str(folder)]) == 0
        assert coq.main(["--pin", str(folder)]) == 0
        assert pinned == {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
        development(folder, main=MAIN.replace("0 <= x ->", "0 < x ->"))
        assert coq.main([str(folder)]) == 1
        assert "grows differs from its pin (changed: its statement" in capsys.readouterr().out
        assert coq.main(["--pin", str(folder)]) == 0
        assert coq.main([str(folder)]) == 0
        expected = (folder / "Main.expected").read_text(encoding="utf-8")
        assert STATED["shown"] in expected
        assert STATED["grows"] not in expected

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (STATED["grows"].replace("0 <= x", "0 < x"), "grows"),
            (STATED["grows"].replace("room r x", "room r"), "room r"),
            ("True. Abort. Goal True", "it is not one sentence"),
            (f"{STATED['grows']} (* so", "it is not one sentence"),
            ("", "it is not one sentence"),
            ("forall x : rom, x = x", "rom was not found"),
        ],
    )
    def test_coq_refuses_a_text_that_is_not_what_is_proved_and_reads_on(
        self, tmp_path: Path, text: str, said: str
    ) -> None:
        read = coq_pins.readings(development(tmp_path / "dev"), STATED | {"grows": text})
        assert said in read["grows"].refused
        assert not read["shown"].refused
        assert not read["chosen"].refused
        assert "plain" not in read

    def test_a_hypothesis_of_a_section_that_a_proof_begins_to_use_is_seen(self, tmp_path: Path) -> None:
        free = "Section S.\nVariable n : nat.\nHypothesis H : n = 1.\nTheorem least : 0 <= n.\nProof. {} Qed.\nEnd S.\n"
        for proof in ("apply le_0_n.", "rewrite H. apply le_0_n."):
            folder = development(tmp_path / "dev", "", free.format(proof))
            if proof.startswith("apply"):
                assert coq.main(["--pin", str(folder)]) == 0
        (said,) = coq.problems(folder)
        assert "least differs from its pin (changed: its statement; Coq refuses the pinned one" in said

    def test_two_theorems_of_one_name_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ProverError, match=r"two theorems are called grows, in Base\.v and Main\.v"):
            coq_theorems.audit(development(tmp_path, BASE + "Theorem grows : True. Proof. exact I. Qed.\n"))
