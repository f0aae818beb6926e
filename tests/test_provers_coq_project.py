"""The files of a Coq development are compiled folder by folder, and what Coq says still names the file and its line."""

from pathlib import Path

import pytest

from dtmodel.base.errors import ProverError
from dtmodel.ledger.provers import coq_build, coq_theorems
from dtmodel.ledger.provers.coq_project import Project

FILES = {
    "Base/One.v": "Definition one := 1.\n",
    "Base/Two.v": "From T Require Import\n  One.\nTheorem two : one = 1. Proof. reflexivity. Qed.\n",
    "Top/Three.v": "From T Require Import Two One.\nFrom T Require Two.\n"
    "Theorem three : one = 1.\nProof. exact two. Qed.\n",
}


def development(folder: Path, **changed: str) -> Path:
    """Write the files, the last first in the project; a file may be changed by its name."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(changed.get(Path(name).stem, text), encoding="utf-8")
    (folder / "_CoqProject").write_text("\n".join(["-Q . T", *reversed(FILES)]) + "\n", encoding="utf-8")
    return folder


def test_a_folder_is_one_text_with_its_files_as_modules(tmp_path: Path) -> None:
    folder = development(tmp_path)
    base, top = Project.read(folder).texts(folder)
    assert (base.name, base.needs, base.starts) == ("Files_Base", (), ((1, "Base/One.v"), (4, "Base/Two.v")))
    assert base.text == (
        "Module One.\nDefinition one := 1.\nEnd One.\n"
        "Module Two.\nImport One.\n\nTheorem two : one = 1. Proof. reflexivity. Qed.\nEnd Two.\n"
    )
    assert (top.name, top.needs) == ("Files_Top", ("Files_Base",))
    assert top.text.startswith("From T Require Import Files_Base.\nModule Three.\nImport Two One.\n\nTheorem three")


def test_libraries_that_all_files_of_a_folder_begin_with_are_imported_once(tmp_path: Path) -> None:
    one = "(* 1 *)\nRequire Import Arith Lia.\n" + FILES["Base/One.v"]
    two = "Require Import Arith Lia Bool.\n" + FILES["Base/Two.v"]
    folder = development(tmp_path, One=one, Two=two)
    base, _ = Project.read(folder).texts(folder)
    assert base.text.startswith("Require Import Arith Lia.\nModule One.\n(* 1 *)\n\nDefinition one")
    assert "Module Two.\nRequire Import Bool.\nImport One.\n" in base.text
    assert base.starts == ((2, "Base/One.v"), (7, "Base/Two.v"))
    for other in ("Require Import Lia Arith.\n", ""):
        folder = development(tmp_path, One=one, Two=other + FILES["Base/Two.v"])
        base, _ = Project.read(folder).texts(folder)
        assert base.text.startswith("Module One.\n(* 1 *)\nRequire Import Arith Lia.\nDefinition one")
        assert f"Module Two.\n{other}Import One.\n" in base.text


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"One": "From T Require Import Two.\n"}, "Base/.*need each other"),
        ({"One": "From T Require Import Three.\n", "Three": "", "Two": "From T Require Import One.\n"}, None),
        (
            {"One": "From T Require Import Three.\n", "Three": "From T Require Import Two.\n", "Two": ""},
            "Files_.*other",
        ),
    ],
)
def test_files_and_folders_that_need_each_other_are_named(
    tmp_path: Path, changed: dict[str, str], said: str | None
) -> None:
    folder = development(tmp_path, **changed)
    if said is None:
        assert [text.name for text in Project.read(folder).texts(folder)] == ["Files_Top", "Files_Base"]
        return
    with pytest.raises(ProverError, match=said):
        coq_build.build_directory(folder)


@pytest.mark.needs("coq")
def test_a_fault_is_found_in_its_file_and_an_axiom_of_any_theorem_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DTMODEL_COQ_BUILD", str(tmp_path / "builds"))
    with pytest.raises(ProverError, match=r'File "Base/Two\.v", line 3, characters'):
        coq_theorems.audit(development(tmp_path / "wrong", Two=FILES["Base/Two.v"].replace("reflexivity", "exact 1")))
    late = FILES["Base/One.v"] + "Theorem late : one = 2. Admitted.\n"
    found = coq_theorems.audit(development(tmp_path / "admitted", One=late))
    assert {name: theorem.axioms for name, theorem in found.items()} == {"three": (), "two": (), "late": ("One.late",)}
    assert coq_theorems.dependencies(tmp_path / "admitted") == {"two": [], "three": ["two"], "late": []}


def test_coq_gathers_memory_rarely_unless_its_user_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "coqc").write_text('#!/bin/sh\necho "$OCAMLRUNPARAM"\n', encoding="utf-8")
    (tmp_path / "coqc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.delenv("OCAMLRUNPARAM", raising=False)
    assert coq_build.run_coqc(["Any.v"], tmp_path) == "s=32M,o=1000\n"
    monkeypatch.setenv("OCAMLRUNPARAM", "o=80")
    assert coq_build.run_coqc(["Any.v"], tmp_path) == "o=80\n"


def test_a_folder_that_does_not_compile_ends_the_compilation_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "project"
    for name in ("Slow", "Wrong"):
        (folder / name).mkdir(parents=True)
        (folder / name / "One.v").write_text(f"(* {name} *)\n", encoding="utf-8")
    (folder / "_CoqProject").write_text("-Q . T\n\nSlow/One.v\nWrong/One.v\n", encoding="utf-8")
    (tmp_path / "coqc").write_text(
        '#!/bin/sh\ncase "$*" in *Slow*) touch "$0.slow"; exec sleep 3600;; '
        '*) while [ ! -e "$0.slow" ]; do sleep 0.1; done; exit 1;; esac\n',
        encoding="utf-8",
    )
    (tmp_path / "coqc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setattr(coq_build, "_probe", lambda: None)
    monkeypatch.setattr(coq_build.os, "cpu_count", lambda: 2)
    (tmp_path / "built").mkdir()
    with pytest.raises(ProverError, match="Wrong"):
        coq_build.build(Project.read(folder), folder, tmp_path / "built")
