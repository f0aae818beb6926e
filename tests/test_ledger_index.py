"""What is read off files without importing them is what importing them would tell, and is read once."""

import sys
from io import StringIO
from pathlib import Path

import pytest
from ledger_cases import PROVED, claim, evidence, root
from rich.console import Console

from dtmodel.base.caches import Store
from dtmodel.companion.roots import load
from dtmodel.ledger import collect
from dtmodel.ledger import index as reader
from dtmodel.ledger.collection import load_module
from dtmodel.ledger.evidence import registered
from dtmodel.ledger.index import Index, evidence_in
from dtmodel.ledger.terminal import print_claims

TEXT = (
    b"from dtmodel.ledger import evidence\n"
    b"@evidence('edt.eq1', form='printed', strength='exact')\ndef one():\n    ...\n"
)


def test_the_text_of_the_papers_evidence_tells_what_importing_it_does() -> None:
    files = load().files
    assert len(files) > 90
    for file in files:
        namespace = vars(load_module(file.root, file.module))
        assert file.items == tuple(item for item in registered(namespace) if item.module == file.module), file.shown


def test_collecting_imports_nothing(tmp_path: Path) -> None:
    collection = collect([root(tmp_path, [claim()], ["\n1/0\n", evidence(PROVED)])])
    (item,), problems = collection.evidence()
    assert (item.name, item.aims[0].claims, problems) == ("first", ("edt.eq1",), [])
    assert item.module not in sys.modules


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"'printed'", b"'unheard'"),
        (b"'exact'", b"'certain'"),
        (b"'edt.eq1'", b"NAME"),
        (b"'edt.eq1', ", b""),
        (b"form='printed', ", b""),
        (b"form='printed', strength='exact'", b"**HOW"),
        (b"import evidence", b"import check"),
        (b"@evidence", b"@cache\n@evidence"),
        (b"    ...", b"    evidence('edt.eq2', form='printed', strength='exact')(one)"),
        (b"def one():\n    ...\n", b"def one():\n    ...\n" + TEXT),
        (b"def one():", b"def one(:"),
    ],
)
def test_what_a_text_does_not_tell_is_left_to_the_import(old: bytes, new: bytes) -> None:
    assert evidence_in(TEXT) == [["one", 2, "one", [[["edt.eq1"], "printed", "exact"]]]]
    assert old in TEXT
    assert evidence_in(TEXT.replace(old, new)) is None


def test_evidence_that_only_importing_tells_is_imported(tmp_path: Path) -> None:
    literal = evidence(PROVED)
    computed = literal.replace("'edt.eq1'", "'edt.' + 'eq1'")
    assert computed != literal
    collection = collect([root(tmp_path, [claim()], [computed])])
    (item,), problems = collection.evidence()
    assert (item.aims[0].claims, problems) == (("edt.eq1",), [])
    assert item.module not in sys.modules  # a child process has imported it


def test_a_content_is_read_once_and_kept(tmp_path: Path) -> None:
    asked: list[bytes] = []

    def read(content: bytes) -> int:
        asked.append(content)
        return len(content)

    for _ in range(2):
        index = Index(Store(tmp_path))
        assert [index.of("size", content, read) for content in (b"a", b"bc", b"a")] == [1, 2, 1]
        assert index.of("other", b"a", lambda _: "x") == "x"
        index.save()
    assert asked == [b"a", b"bc"]


def test_what_another_reader_wrote_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index(Store(tmp_path))
    assert index.of("size", b"a", len) == 1
    index.save()
    monkeypatch.setattr(reader, "_reader", lambda: "a later version")
    assert Index(Store(tmp_path)).of("size", b"a", lambda _: 2) == 2


def test_an_index_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place, date in ((tmp_path / "file", False), (tmp_path, True)):
        index = Index(Store(place))
        assert set(index.tables(b"[claim.x]\nx = " + (b"1979-05-27" if date else b"1"))) == {"claim"}
        index.save()
        asked: list[bytes] = []
        again = Index(Store(place)).of("tables", b"[claim.x]\nx = 1979-05-27", asked.append)
        assert (again, len(asked)) == (None, 1)


def test_a_fact_that_is_null_is_stored_too(tmp_path: Path) -> None:
    index = Index(Store(tmp_path))
    assert index.of("evidence", b"x", lambda _: None) is None
    index.save()
    assert Index(Store(tmp_path)).of("evidence", b"x", lambda _: pytest.fail("it is stored")) is None


def test_words_are_written_once_for_what_writes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index(Store(tmp_path))
    assert index.words(r"$\alpha F$ is left") == "α F is left"
    index.save()
    monkeypatch.setattr(reader, "text_of", lambda text: f"later {text}")
    assert [Index(Store(tmp_path)).words(text) for text in (r"$\alpha F$ is left", "one")] == [
        "α F is left",
        "later one",
    ]
    monkeypatch.setattr(reader, "_writer", lambda: "a later version")
    assert Index(Store(tmp_path)).words("$F$") == "later $F$"


def test_a_list_of_claims_is_the_same_in_a_file_and_at_a_terminal() -> None:
    row = {"id": "edt.a", "verdict": "holds", "strength": "smt", "kind": "ours", "corrected": "edt.b", "source": "own"}
    row |= {"caption": "", "statement": "All that is told here is longer than a line and goes on below it, indented."}
    said = []
    for terminal in (True, False):
        file = StringIO()
        print_claims(Console(file=file, width=40, force_terminal=terminal, color_system=None), [row, row])
        said.append(file.getvalue())
    assert said[0] == said[1]
    lines = ["  own", "  All that is told here is longer than a", "  line and goes on below it, indented."]
    assert said[0].splitlines()[:4] == ["edt.a  holds  smt  ours  -> edt.b", *lines]
    print_claims(
        Console(file=(file := StringIO())), [row | {"statement": "a \x1b[31m b"}, row | {"caption": "A title"}]
    )
    assert "\x1b" not in file.getvalue()
    assert file.getvalue().splitlines()[-1] == "  A title"


@pytest.mark.parametrize(
    "around",
    [
        "if x:\n    pass\nelif y:\n    {}", "for i in x:\n    pass\nelse:\n    {}", "while x:\n    {}",
        "try:\n    {}\nfinally:\n    pass", "try:\n    pass\nexcept OSError:\n    {}",
        "try:\n    pass\nexcept* OSError:\n    pass\nelse:\n    {}", "try:\n    pass\nfinally:\n    {}",
        "with x:\n    {}", "match x:\n    case 1:\n        {}", "class A:\n    def f(self):\n        {}",
        "async def f():\n    async with x:\n        {}",
    ],
)  # fmt: skip
def test_an_import_is_found_wherever_it_stands(around: str) -> None:
    assert Index().imports(around.format("from dtmodel import units").encode()) == [(0, "dtmodel", ["units"])]
