"""One thing has one home: what belongs to a topic carries its name, and strength decides the folder."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import grimp
import pytest

from dtmodel.ledger import Collection, RefutedAt, Root, collect
from dtmodel.ledger.evidence import Evidence

ROOT = Path(__file__).parents[1]
PAPERS = ("edt", "losspass", "dynaq", "l2bm")
FOLDERS = (*PAPERS, "derived")
STRENGTHS = {"proofs": {"kernel", "smt", "symbolic"}, "validation": {"exact", "sampled"}}
"""proofs/ is for all; validation/ is against runs and published numbers."""
MOODS = ("audit", "quote", "remark", "tension", "reading", "sentence", "survivor", "ours", "witness", "misc", "checks")
LONGEST = 55
ALONE = re.compile(r"(?!The same\b|Likewise|As above|This\b)(?=.*[A-Za-z]{3,} [a-z]+).{20,}")
"""Words, not a bare formula, and nothing that leans on the line before."""


@cache
def collection() -> Collection:
    return collect([Root(ROOT, "dtmodel_house")])


@cache
def evidence() -> list[Evidence]:
    found, problems = collection().evidence()
    assert problems == []
    return [item for item in found if (ROOT / item.file).suffix == ".py"]


def topics(paper: str) -> set[str]:
    files = (ROOT / "validation" / paper).glob("*.toml")
    return {path.stem for path in files if "claim" in tomllib.loads(path.read_text(encoding="utf-8"))}


def topic_of(claim: str) -> str:
    return Path(collection().claims[claim].file).stem


def functions(paper: str) -> Iterator[tuple[Path, ast.FunctionDef, list[dict[str, Any]]]]:
    """Yield every function of the paper's folders that is decorated as evidence, with the arguments."""
    for top in STRENGTHS:
        for path in sorted((ROOT / top / paper).glob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                calls = [d for d in getattr(node, "decorator_list", []) if isinstance(d, ast.Call)]
                aims = [
                    {k.arg: ast.literal_eval(k.value) for k in call.keywords}
                    | {"claims": [ast.literal_eval(a) for a in call.args]}
                    for call in calls
                    if getattr(call.func, "id", "") == "evidence"
                ]
                if isinstance(node, ast.FunctionDef) and aims:
                    yield path, node, aims


def refuted(paper: str) -> list[RefutedAt]:
    """Return what the claims of a paper say of numbers at which they are false."""
    return [each for claim in collection().claims.values() if claim.paper == paper for each in claim.refuted]


@pytest.mark.parametrize("paper", FOLDERS)
def test_strength_decides_the_folder(paper):
    wrong = [
        (path.relative_to(ROOT).as_posix(), node.name, aim["strength"])
        for path, node, aims in functions(paper)
        for aim in aims
        if aim["strength"] not in STRENGTHS[path.parts[-3]]
    ]
    assert wrong == []


@pytest.mark.parametrize("paper", FOLDERS)
def test_evidence_stands_in_the_topic_of_one_of_its_claims(paper):
    wrong = [
        (path.relative_to(ROOT).as_posix(), node.name)
        for path, node, aims in functions(paper)
        if path.stem not in {topic_of(claim) for aim in aims for claim in aim["claims"]}
    ]
    assert wrong == []


@pytest.mark.parametrize("paper", PAPERS)
def test_a_coq_file_begins_with_a_topic(paper):
    (folder,) = [path for path in (ROOT / "proofs" / "coq").iterdir() if path.name.lower() == paper]
    words = tuple(topic.title().replace("_", "") for topic in topics(paper))
    assert [path.name for path in folder.rglob("*.v") if not path.name.startswith(words)] == []


@pytest.mark.parametrize("paper", FOLDERS)
def test_files_are_named_by_subjects(paper):
    folders = [ROOT / top / paper for top in ("proofs", "validation", "tests", "dtmodel/theory", "dtmodel/packet")]
    named = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".toml")]
    assert named
    assert [path for path in named if any(mood in path.stem for mood in MOODS)] == []


@pytest.mark.parametrize("paper", FOLDERS)
def test_claims_of_a_paper_stand_in_its_folder(paper):
    files = {Path(c.file).parts[1] for c in collection().claims.values() if c.paper == paper}
    assert files == {paper}


def test_the_source_of_a_claim_names_no_file_or_module_of_the_package():
    found = {claim.id: claim.source for claim in collection().claims.values()}
    assert {name: source for name, source in found.items() if re.search(r"dtmodel|\w\.py\b", source)} == {}


@pytest.mark.parametrize("paper", FOLDERS)
def test_the_name_of_evidence_is_short(paper):
    names = [node.name for _, node, _ in functions(paper)] + [each.name for each in refuted(paper)]
    assert [name for name in names if len(name) > LONGEST] == []


@pytest.mark.parametrize("paper", FOLDERS)
def test_the_first_line_of_evidence_stands_alone(paper):
    first = [(ast.get_docstring(node) or "").split("\n")[0] for _, node, _ in functions(paper)]
    shown = [each.shows for each in refuted(paper)]
    assert [line for line in first + shown if not ALONE.match(line)] == []


def test_no_modules_need_each_other_however_far_around_and_lazily_or_for_types_either():
    graph = grimp.build_graph("dtmodel", "proofs", "validation", cache_dir=None)
    needed = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(needed) > 500
    while free := {module for module, others in needed.items() if not others & needed.keys()}:
        needed = {module: others for module, others in needed.items() if module not in free}
    assert sorted(needed) == []


def test_every_slow_case_is_of_a_test_that_exists() -> None:
    listed = {line.partition("[")[0] for line in (ROOT / "tests" / "slow.txt").read_text("utf-8").splitlines()[1:]}
    tests = [line.split("::") for line in listed if line.startswith("tests/")]
    assert [name for file, *_, name in tests if f"def {name}(" not in (ROOT / file).read_text("utf-8")] == []
    assert len(tests) > 100
