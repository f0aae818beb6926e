"""A change of a number in kept results, published figures and tables, or of a source in Coq, is a fault of verify."""

import json
import random
import re
import shutil
from pathlib import Path

import pytest
from ledger_cases import PROVED, claim, evidence, papers, root

from dtmodel.base.errors import InputError
from dtmodel.ledger import Root, collect
from dtmodel.ledger.manifest import pin
from dtmodel.ledger.reviewed_files import changed, digest, digests, list_of
from dtmodel.ledger.runner import run_claims

PAPERS = papers().roots[0]
ALL = sorted(digests(PAPERS))
RESULTS = [name for name in ALL if name.startswith("validation/results/")]
PUBLISHED = [name for name in ALL if "/figures/" in name or "/published." in name]
NUMBER = re.compile(rb"\d+")


def altered(content: bytes, place: re.Match[bytes]) -> bytes:
    """The content with one number raised by 1."""
    return content[: place.start()] + b"%d" % (int(place[0]) + 1) + content[place.end() :]


@pytest.fixture
def copy(tmp_path: Path) -> Root:
    """A copy of all that is listed, with its list."""
    for name in [*ALL, "validation/files.txt"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PAPERS.path / name, tmp_path / name)
    return Root(tmp_path, "dtmodel_copy")


def test_every_kept_result_every_figure_and_every_source_of_coq_is_listed_as_it_is() -> None:
    assert list(changed(PAPERS)) == []
    for folder, pattern in (("validation/results", "*"), ("proofs/coq", "**/*.v"), ("validation", "*/figures/*.py")):
        there = {path.relative_to(PAPERS.path).as_posix() for path in (PAPERS.path / folder).glob(pattern)}
        assert there <= set(ALL)
    assert {"proofs/coq/_CoqProject", "proofs/coq/statements.lock", "validation/losspass/published.toml"} <= set(ALL)


@pytest.mark.parametrize("name", [*RESULTS, *PUBLISHED])
def test_every_number_of_a_kept_result_and_of_a_published_figure_or_table_is_pinned(name: str) -> None:
    content = (PAPERS.path / name).read_bytes()
    places = list(NUMBER.finditer(content))
    asked = places if len(places) < 3_000 else random.Random(35).sample(places, 300)
    as_it_is = digest(name, content)
    assert [at.start() for at in asked if digest(name, altered(content, at)) == as_it_is] == []


def test_a_changed_number_in_any_kept_result_figure_or_source_of_coq_is_a_fault(copy: Root) -> None:
    source = random.Random(35)
    assert list(changed(copy)) == []
    names = [name for name in ALL if NUMBER.search((copy.path / name).read_bytes())]
    assert {*RESULTS, *(name for name in ALL if name.endswith(".v"))} <= set(names)
    for name in names:
        content = (copy.path / name).read_bytes()
        (copy.path / name).write_bytes(altered(content, source.choice(list(NUMBER.finditer(content)))))
    assert [str(fault) for fault in changed(copy)] == [
        f"{name} is not the one that was reviewed: review it, then run dtmodel ledger pin" for name in names
    ]


def test_open_loop_results_that_are_zero_are_a_fault(copy: Root) -> None:
    path = copy.path / "validation/results/dynaq-open-loop.json"
    path.write_text(re.sub(r"\d+\.\d+", "0.0", path.read_text()))
    assert len(list(changed(copy))) == 1


def test_a_figure_with_another_published_number_is_a_fault(copy: Root) -> None:
    path = copy.path / "validation/edt/figures/fig14.py"
    path.write_text(path.read_text().replace("PUBLISHED = (2, 8)", "PUBLISHED = (2, 9)"))
    assert len(list(changed(copy))) == 1


def test_files_that_come_or_go_are_faults_and_restyled_code_is_not(copy: Root) -> None:
    (copy.path / "validation/results/new.md").write_text("9\n")
    (copy.path / "validation/results/bench.md").unlink()
    figure = copy.path / "validation/edt/figures/fig14.py"
    figure.write_text(figure.read_text().replace("def data()", "def  data( )"))
    assert [str(fault) for fault in changed(copy)] == [
        "validation/results/bench.md was reviewed, and is not there: restore it, or run dtmodel ledger pin",
        "validation/results/new.md is not in validation/files.txt: review it, then run dtmodel ledger pin",
    ]
    list_of(copy).unlink()
    assert len(list(changed(copy))) == len(ALL)


def test_verify_fails_when_a_listed_file_was_changed_and_passes_once_it_is_pinned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = root(tmp_path / "one", [claim()], [evidence(PROVED)])
    kept = place.path / "validation" / "results" / "kept.json"
    kept.parent.mkdir(parents=True)
    kept.write_text('{"loss": 8}\n')
    source = place.path / "proofs" / "coq" / "One.v"
    source.parent.mkdir(parents=True)
    source.write_text("Lemma one : True.\n")
    assert pin(collect([place]), place) == 1
    monkeypatch.setenv("PATH", "")  # no Coq
    for path, text in ((kept, '{"loss": 9}\n'), (source, "Lemma one : 1 = 1.\n")):
        was = path.read_text()
        path.write_text(text)
        done = run_claims(collect([place]), replayers={})
        name = path.relative_to(place.path).as_posix()
        assert [str(fault) for fault in done.problems] == [
            f"{name} is not the one that was reviewed: review it, then run dtmodel ledger pin"
        ]
        assert not done.as_recorded
        path.write_text(was)
    assert run_claims(collect([place]), replayers={}).as_recorded


def test_a_list_of_another_shape_is_named(copy: Root) -> None:
    list_of(copy).write_text("validation/results/bench.md 0a1b2c3d4e5f\n")
    with pytest.raises(InputError, match=r"files.txt:1"):
        list(changed(copy))


@pytest.mark.parametrize("name", RESULTS)
def test_every_kept_result_says_by_which_command_it_was_made(name: str) -> None:
    text = (PAPERS.path / name).read_text(encoding="utf-8")
    by_its_table = (PAPERS.path / name).with_suffix(".md")
    said = text if name.endswith(".md") or not by_its_table.exists() else by_its_table.read_text(encoding="utf-8")
    assert re.search(r"[Mm]ade by\s+`|\"command\": \"python -m |`python -m mutation`", said)
    assert name.endswith(".md") or json.loads(text)
