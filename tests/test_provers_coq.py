"""Coq: what is proved is pinned with its definitions and axioms, and every weakening is caught."""

import os
import time
from pathlib import Path

import pytest

from dtmodel.base.errors import ProverError
from dtmodel.ledger import Kernel, Proved, Skipped
from dtmodel.ledger.provers import coq, coq_build, coq_pins, coq_theorems

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


@pytest.fixture
def builds(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DTMODEL_COQ_BUILD", str(tmp_path_factory.getbasetemp() / "builds"))


def development(folder: Path, base: str = BASE, main: str = MAIN) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "_CoqProject").write_text("-Q . T\n\nBase.v\nMain.v\n", encoding="utf-8")
    (folder / "Base.v").write_text(base, encoding="utf-8")
    (folder / "Main.v").write_text(main, encoding="utf-8")
    return folder


def pin(folder: Path) -> None:
    coq_pins.write(folder, coq_theorems.audit(folder), coq.version())


def one_problem(folder: Path) -> str:
    found = coq.problems(folder)
    assert len(found) == 1, found
    return found[0]


def test_without_coq_a_theorem_is_skipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(coq_build, "_coqc_says", coq_build._coqc_says.__wrapped__)
    outcome = coq.theorem("grows", directory=tmp_path)
    assert isinstance(outcome, Skipped)
    assert "coqc is not on the path" in outcome.reason
    assert coq.problems(tmp_path) == []
    assert coq.main([str(tmp_path)]) == 1


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("sleep 1000", "--version does not work: no answer within"),
        ("sleep 1000 & echo $! > {folder}/child; wait", "--version does not work: no answer within"),
        ("echo The Coq Proof Assistant", "names no version: 'The Coq Proof Assistant'"),
        ("head -c 3000 /dev/urandom", "names no version: "),
        ("exit 3", "names no version: ''"),
        ("echo version 8.16.1", "coqc does not work: it accepts 'Check eq_refl : 1 + 1 = 3.'"),
        ("[ $1 = --version ] && echo version 8.16.1", "coqc does not work: it refuses 'Check eq_refl : 1 + 1 = 2.'"),
        ("[ $1 = --version ] && echo version 8.16.1 || sleep 1000", "coqc does not compile: no answer within"),
    ],
)
def test_a_coqc_that_hangs_or_lies_is_skipped_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, said: str
) -> None:
    development(tmp_path / "proofs" / "coq")
    fake = tmp_path / "coqc"
    fake.write_text(f"#!/bin/sh\n{script.format(folder=tmp_path)}\n", encoding="utf-8")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("DTMODEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(coq_build, "_coqc_says", coq_build._coqc_says.__wrapped__)
    monkeypatch.setattr(coq_build, "_PATIENCE", 0.5)
    (outcome,) = coq.theorems(tmp_path, [Kernel(("grows",))])
    assert isinstance(outcome, Skipped)
    assert said in outcome.reason
    if (tmp_path / "child").exists():
        assert gone(int((tmp_path / "child").read_text()))


def gone(process: int) -> bool:
    """Whether a process ends within ten seconds (a zombie has ended)."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("text", ["", "[]", "{", '{"theorems": {"grows": 1}, "definitions": {}}', '{"theorems": []}'])
@pytest.mark.needs("coq")
@pytest.mark.usefixtures("builds")
def test_a_stored_audit_of_another_shape_is_made_again(tmp_path: Path, text: str) -> None:
    folder = development(tmp_path)
    right = coq_theorems.audit(folder)
    (coq_build.build_directory(folder) / "theorems.json").write_text(text, encoding="utf-8")
    assert coq_theorems.audit(folder) == right
    assert coq_theorems._stored(coq_build.build_directory(folder) / "theorems.json") == right


def test_another_version_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(coq_build, "_coqc_says", lambda: ("8.20.1", ""))
    outcome = coq.theorem("grows", directory=tmp_path)
    assert isinstance(outcome, Skipped)
    assert "coqc 8.20.1 is on the path, 8.16 is known to work; try it: python -m" in outcome.reason


def test_what_coq_says_about_assumptions_is_read_whole() -> None:
    said = "Axioms:\nfoo : 1 = 2\nlong.name\n  : Prop\nbar is assumed to be guarded.\n"
    assert coq_theorems.assumptions(said) == ("bar is assumed to be guarded.", "foo", "long.name")


def test_an_axiom_that_one_file_may_use_is_not_one_for_all() -> None:
    axiom = coq_theorems.STANDARD_AXIOMS[-1]
    hashes = {name: coq_pins.Pin(name.title(), "1-2", "True") for name in ("apart", "real")}
    pins = coq_pins.Pins("8.16", (axiom,), ("Apart",), hashes)
    read = {name: coq_pins.ReadStatement("1-2", (), "") for name in hashes}
    theorems = {name: coq_theorems.Theorem(name.title(), "True", (axiom,)) for name in hashes}
    (said,) = coq_pins.faults(pins, theorems, read)
    assert said.startswith(f"Coq theorem apart rests on the axiom {axiom}, which is not pinned for Apart; ")


@pytest.mark.needs("coq")
@pytest.mark.usefixtures("builds")
class TestDevelopment:
    """A small development, pinned, then spoilt in every way."""

    def test_a_pinned_theorem_is_proved_with_its_instance(self, tmp_path: Path) -> None:
        folder = development(tmp_path / "dev")
        pin(folder)
        outcome = coq.theorem("grows", directory=folder)
        assert isinstance(outcome, Proved)
        assert outcome.example == {"Coq theorem": "grows_instance", "it says": "0 < 1"}
        assert outcome.certificate is not None
        assert outcome.certificate["theorems"] == {"grows": coq_pins.read_pins(folder).hashes()["grows"]}
        read = coq_pins.readings(
            folder, {"grows": "forall x : nat, 0 < x -> 0 < room x", "faster": "forall p : port, 1=1"}
        )
        assert read["grows"].uses == ("Base.half", "Base.room")
        assert not read["grows"].refused
        assert read["faster"].uses == ("Base.port",)
        assert "faster" in read["faster"].refused
        assert coq.is_built(folder)
        assert coq.problems(folder) == []
        assert sorted(path.name for path in folder.iterdir()) == [
            *("Base.v", "Main.expected", "Main.v", "_CoqProject", "statements.lock")
        ]
        assert coq.main([str(folder)]) == 0

    def test_the_statements_beside_a_source_are_what_coq_prints(self, tmp_path: Path) -> None:
        folder = development(tmp_path / "dev")
        pin(folder)
        expected = folder / "Main.expected"
        assert expected.read_text(encoding="utf-8") == (
            "grows:\n  forall x : nat, 0 < x -> 0 < room x\n\ngrows_instance:\n  0 < 1\n\n"
            "faster:\n  forall p : port, rate p < S (rate p)\n"
        )
        assert coq_pins.read_pins(folder).theorems["grows"].statement == "forall x : nat, 0 < x -> 0 < room x"
        expected.write_text(expected.read_text(encoding="utf-8").replace("0 < x", "1 < x"), encoding="utf-8")
        assert "Main.expected does not show the pinned statement of Coq theorem grows" in one_problem(folder)

    def test_statements_of_several_lines_are_read_as_they_were_written(self, tmp_path: Path) -> None:
        long = " -> ".join(f"n + {number} < {number} * n" for number in range(12))
        folder = development(tmp_path / "dev", main=MAIN + f"Theorem long (n : nat) : {long}.\nProof. Admitted.\n")
        pin(folder)
        statement = coq_pins.read_pins(folder).theorems["long"].statement
        assert len(statement.splitlines()) > 1
        assert statement == coq_theorems.audit(folder)["long"].statement.strip()

    def test_statements_of_a_source_that_is_gone_go_with_it(self, tmp_path: Path) -> None:
        folder = development(tmp_path / "dev")
        (folder / "Old.expected").write_text("old:\n  True\n", encoding="utf-8")
        pin(folder)
        assert [path.name for path in folder.glob("*.expected")] == ["Main.expected"]

    def test_a_proof_by_classical_logic_is_refused_pinned_or_not(self, tmp_path: Path) -> None:
        by_cases = PROOF.replace("unfold room.", "destruct (classic (0 < x)); unfold room;").replace(
            "Sm. apply", "Sm; apply"
        )
        by_cases = by_cases.replace("n_S. apply", "n_S; apply")
        folder = development(
            tmp_path / "dev", main="From Coq Require Import Classical.\n" + MAIN.replace(PROOF, by_cases)
        )
        pin(folder)
        assert one_problem(folder) == (
            "Coq theorem grows rests on Classical_Prop.classic: prove it from the axioms of the reals alone"
        )

    def test_a_theorem_that_rested_on_no_axiom_must_not_rest_on_one(self, tmp_path: Path) -> None:
        folder = development(tmp_path / "dev")
        pin(folder)
        assert coq_pins.read_pins(folder).closed == ("Main",)
        known = "assert ((fun y : nat => y) = (fun y => y)) by (apply functional_extensionality; reflexivity)."
        used = MAIN.replace(PROOF, PROOF.replace("intros.", f"intros. {known}"))
        development(folder, main="From Coq Require Import FunctionalExtensionality.\n" + used)
        assert one_problem(folder).startswith(
            "Coq theorem grows rests on the axiom FunctionalExtensionality.functional_extensionality_dep, "
            "which is not pinned for Main; "
        )
        pin(folder)
        assert coq_pins.read_pins(folder).closed == ()
        assert coq.problems(folder) == []

    def test_a_lock_that_is_no_lock_is_named(self, tmp_path: Path) -> None:
        folder = development(tmp_path / "dev")
        (folder / coq_pins.LOCK).write_text("theorems", encoding="utf-8")
        assert "statements.lock cannot be read" in one_problem(folder)

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
            (
                BASE,
                MAIN.replace("0 < x -> 0 < room", "1 < x -> 0 < room"),
                "(changed: its statement; Coq refuses the pinned",
            ),
            (BASE.replace("x - 1", "x - 2"), MAIN, "(changed: a definition that it uses, Base.half or Base.room)"),
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
        assert "Coq theorem faster differs from its pin (changed: a definition" in one_problem(folder)

    @pytest.mark.parametrize(
        ("main", "status", "said"),
        [
            (MAIN, 0, "coqchk agrees; assumed: nothing"),
            (MAIN.replace(PROOF, "Admitted."), 1, "coqchk finds T.Files.Main.grows assumed"),
        ],
    )
    def test_coqchk_says_what_compiled_files_assume(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], main: str, status: int, said: str
    ) -> None:
        folder = development(tmp_path / "dev", main=main)
        assert coq.main(["--recheck", str(folder)]) == status
        assert capsys.readouterr().out == said + "\n"

    def test_coqchk_refuses_a_file_that_was_altered(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = development(tmp_path / "dev", main=MAIN + "(* altered below *)")
        coq_theorems.audit(folder)
        compiled = coq_build.build_directory(folder) / "Files.vo"
        compiled.write_bytes(compiled.read_bytes()[:-1] + b"x")
        assert coq.main(["--recheck", str(folder)]) == 1
        assert "coqchk refuses the development" in capsys.readouterr().err
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(ProverError, match="coqchk does not work"):
            coq_theorems.rechecked(folder)

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


def test_a_project_that_cannot_be_read_is_an_error_of_the_system_and_not_a_missing_one(tmp_path: Path) -> None:
    (tmp_path / "_CoqProject").mkdir()
    with pytest.raises(IsADirectoryError, match="_CoqProject"):
        coq_build.build_directory(tmp_path)
