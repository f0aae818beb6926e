"""Outcomes are kept by the content of all that they rest on: code, data, versions."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from ledger_cases import CLAIMS, PROVED, claim, evidence, papers, pieces_of_each_kind, root, verify

import dtmodel
from dtmodel.base.caches import Store, cache_directory
from dtmodel.companion import reports
from dtmodel.companion.reports import ReportMaker
from dtmodel.companion.running import REPLAYERS
from dtmodel.ledger import Root, collect
from dtmodel.ledger.cache import Cache
from dtmodel.ledger.index import Index
from dtmodel.ledger.runner import LedgerRun

PIECES = pieces_of_each_kind()


def test_unchanged_evidence_is_not_run_again(tmp_path: Path) -> None:
    cache = Cache(Store(tmp_path / "cache"), {})
    verify(tmp_path / "one", CLAIMS, PIECES, cache=cache)
    again = verify(tmp_path / "one", CLAIMS, PIECES, cache=Cache(Store(tmp_path / "cache"), {}))
    assert [item.ran[0].cached for item in again.results] == [True, True, False]
    assert again.results[1].ran[0].replay is not None
    assert again.as_recorded


@pytest.mark.parametrize("name", ["common.py", "data.json"])
def test_evidence_is_run_again_when_what_it_uses_changes(tmp_path: Path, name: str) -> None:
    pieces = ["from .common import ONE\n", evidence(PROVED)]
    folder = tmp_path / "one" / "proofs" / "edt"
    folder.mkdir(parents=True)
    (folder / "common.py").write_text("from . import deeper\nONE = deeper.ONE\n")
    (folder / "deeper.py").write_text("ONE = 1\n")
    root(tmp_path / "one", [claim()], pieces)
    collection = collect([root(tmp_path / "one", [claim()], pieces)])
    item = collection.evidence()[0][0]

    def key() -> str:
        return Cache(Store(tmp_path), {}).key(collection.roots[0], item)

    first = key()
    assert key() == first
    (folder / name).write_text("ONE = 1  # changed\n")
    second = key()
    assert second != first
    (folder / "deeper.py").write_text("ONE = 2\n")
    assert (key() == second) is (name == "common.py")


@pytest.mark.parametrize(("imports", "keys"), [("", 1), ("from dtmodel.ledger.provers import coq\n", 2)])
def test_the_version_of_coq_is_part_of_the_key_of_evidence_that_imports_it(
    tmp_path: Path, imports: str, keys: int
) -> None:
    collection = collect([root(tmp_path, [claim()], [imports, evidence(PROVED)])])
    item, package = collection.evidence()[0][0], {"dtmodel": Path(dtmodel.__file__).parent}
    found = {Cache(Store(tmp_path), package, {"coq": v}).key(collection.roots[0], item) for v in ("8.16", "8.17")}
    assert len(found) == keys


def test_faults_are_never_cached(tmp_path: Path) -> None:
    cache = Cache(Store(tmp_path / "cache"), {})
    verify(tmp_path / "one", [claim()], [evidence("assert False")], cache=cache)
    assert Store(tmp_path / "cache").names("evidence") == set()


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert verify(
        tmp_path / "one", [claim()], [evidence(PROVED)], cache=Cache(Store(tmp_path / "file"), {})
    ).as_recorded


def test_the_cache_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DTMODEL_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory(tmp_path / "installed") == tmp_path / "dtmodel"
    (tmp_path / "pyproject.toml").write_text("")
    assert cache_directory(tmp_path) == tmp_path / ".cache" / "dtmodel"
    monkeypatch.setenv("DTMODEL_CACHE", "chosen")
    assert cache_directory(tmp_path) == Path("chosen")


READER = """
from functools import cache
from pathlib import Path

@cache
def number():
    return int((Path(__file__).parents[2] / "validation" / "results" / "x.txt").read_text())
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_data_that_was_altered_is_found_under_a_warm_cache(tmp_path: Path, jobs: int) -> None:
    """The second piece of evidence gets what the first one read and kept; both rest on the file."""
    folder, data = tmp_path / "one", tmp_path / "one" / "validation" / "results" / "x.txt"
    (folder / "proofs" / "edt").mkdir(parents=True)
    data.parent.mkdir(parents=True)
    (folder / "proofs" / "edt" / "reader.py").write_text(READER)
    asks = "from .reader import number\nassert number() == 1\nreturn Proved('read', {'x': '1'}, ['x == 1'])"
    claims = [claim("edt.eq1"), claim("edt.eq2")]
    pieces = [evidence(asks, "edt.eq1", name="first"), evidence(asks, "edt.eq2", name="second")]

    def again() -> LedgerRun:
        return verify(folder, claims, pieces, cache=Cache(Store(tmp_path / "cache"), {}), jobs=jobs)

    data.write_text("1")
    assert again().as_recorded
    assert [item.ran[0].cached for item in again().results] == [True, True]
    data.write_text("0")
    assert [item.ran[0].cached for item in again().results] == [False, False]


def test_a_stored_outcome_is_compared_with_a_new_one_where_it_is_doubted(tmp_path: Path) -> None:
    """Evidence that depends on what the cache cannot see: a variable of the environment."""
    asks = "import os\nreturn Proved('x', EXAMPLE) if os.environ.get('SEEN') else Agrees(1, 'one')"
    folder, claims, pieces = tmp_path / "one", [claim()], [evidence(asks)]

    def run(**more: bool) -> LedgerRun:
        return verify(folder, claims, pieces, cache=Cache(Store(tmp_path / "cache"), {}), again=lambda _: bool(more))

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEEN", "1")
        assert run().as_recorded
        assert run(doubted=True).as_recorded
    assert run().as_recorded
    assert "the cache held Proved, now Agrees" in run(doubted=True).results[0].faults[0]


def test_what_a_report_shows_is_made_again_when_its_code_or_content_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def write(text: str) -> str:
        said.append(text)
        return f"<b>{len(said)}</b>"

    monkeypatch.setattr(reports, "html_of", write)
    index = Index(Store(tmp_path))
    maker = ReportMaker(index, lambda: "old")
    assert [maker.maths(text) for text in ("x", "y", "x")] == ["<b>1</b>", "<b>2</b>", "<b>1</b>"]
    index.save()
    assert [ReportMaker(Index(Store(tmp_path)), code).maths("x") for code in (lambda: "old", lambda: "new")] == [
        "<b>1</b>",
        "<b>3</b>",
    ]
    assert said == ["x", "y", "x"]


def test_answers_of_engines_are_kept_for_policies_of_the_package_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(data: Mapping[str, Any]) -> dict[str, Any]:
        asked.append(data["policy"]["name"])
        return {"drop": "1"}

    monkeypatch.setitem(REPLAYERS, "fluid", answer)
    replay = ReportMaker(Index(Store(tmp_path)), lambda: "code").replayers["fluid"]
    for name in ("dt", "another", "dt", "another"):
        assert replay({"policy": {"name": name}}) == {"drop": "1"}
    assert asked == ["dt", "another", "another"]
    kept_nowhere = ReportMaker(Index(), lambda: pytest.fail("nothing is kept")).replayers["fluid"]
    assert kept_nowhere({"policy": {"name": "dt"}}) == {"drop": "1"}


def test_the_code_of_what_is_made_is_that_of_engines_mathematics_and_words(monkeypatch: pytest.MonkeyPatch) -> None:
    collection, package = papers(), Path(reports.__file__).parents[1]
    digested: set[Path] = set()
    closure = Cache._closure

    def note(self: Cache, path: Path, root: Root) -> set[Path]:
        digested.update(closure(self, path, root))
        return closure(self, path, root)

    monkeypatch.setattr(Cache, "_closure", note)
    assert len(ReportMaker.of(collection).code()) == 64
    needed = (
        "base/mathtext",
        "companion/words/fluid",
        "fluid/simulation",
        "packet/dynaq/algorithm",
        "policies/edt",
        "ledger/formal",
    )
    assert {package / f"{name}.py" for name in needed} <= digested


def test_what_is_imported_by_a_name_that_is_computed_belongs_to_the_key(tmp_path: Path) -> None:
    package = Path(reports.__file__).parents[1]
    where = root(tmp_path, [claim()], ["from dtmodel.packet import trace\n", evidence(PROVED)])
    closure = Cache(Store(tmp_path), {"dtmodel": package})._closure(where.path / "proofs" / "edt" / "proofs.py", where)
    assert {package / "packet" / name / "algorithm.py" for name in ("dynaq", "losspass", "l2bm")} <= closure
    assert package / "cli" / "trace.py" not in closure


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('import_module(f"dtmodel.packet.{name}")', (0, "dtmodel.packet", ["*"])),
        (
            'homes = {"dt": "dtmodel.theory.dt.sheet:parameters"}\nimport_module(homes[name])',
            (0, "dtmodel.theory.dt.sheet", []),
        ),
        ('import_module(f"{__name__}.{name}")', (1, "", ["*"])),
    ],
)
def test_names_that_import_module_is_given_are_imports(text: str, found: object) -> None:
    assert Index().imports(text.encode()) == [found]
    assert Index().imports(text.replace("import_module", "print").encode()) == []
