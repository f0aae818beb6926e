"""A store of JSON values in SQLite: what is not as it was written is absent, and no trouble with it is an error."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from dtmodel.base import caches
from dtmodel.base.caches import Store


def read(folder: Path) -> object:
    return Store(folder).get("size", "a")


def test_values_are_stored_by_kind_and_name_and_the_last_one_counts(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "folder")
    assert store.get("size", "a", "absent") == "absent"
    store.put("size", {"a": 1, "b": [None, {"é\ud800": "x"}]})
    store.put("size", {"a": 2})
    store.put("other", {"a": None})
    for again in (store, Store(tmp_path / "new" / "folder")):
        assert [again.get("size", name) for name in "abc"] == [2, [None, {"é\ud800": "x"}], None]
        assert again.get("other", "a", "absent") is None
        assert (again.names("size"), again.names("third")) == ({"a", "b"}, set())


def test_a_store_without_a_folder_holds_nothing() -> None:
    store = Store()
    store.put("size", {"a": 1})
    assert (store.get("size", "a"), store.names("size")) == (None, set())


def test_a_value_that_json_cannot_express_is_left_out_alone(tmp_path: Path) -> None:
    Store(tmp_path).put("size", {"a": 1, "b": {1, 2}})
    assert (read(tmp_path), Store(tmp_path).names("size")) == (1, {"a"})


def test_a_name_beyond_unicode_is_absent(tmp_path: Path) -> None:
    Store(tmp_path).put("size", {"\ud800": 1})
    assert Store(tmp_path).get("size", "\ud800") is None


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET text = '2'",
        "UPDATE entries SET text = NULL",
        "UPDATE entries SET text = x'ff'",
        "UPDATE entries SET text = '{'",
        "UPDATE entries SET digest = ''",
        "UPDATE entries SET name = 'b'",
        "UPDATE entries SET kind = 'other'",
    ],
)
def test_a_value_that_is_not_as_it_was_written_is_absent(tmp_path: Path, change: str) -> None:
    Store(tmp_path).put("size", {"a": 1})
    with closing(sqlite3.connect(tmp_path / "store.sqlite")) as database, database:
        database.execute(change)
    assert read(tmp_path) is None
    assert Store(tmp_path).get("size", "b") is Store(tmp_path).get("other", "a") is None
    Store(tmp_path).put("size", {"a": 1})
    assert read(tmp_path) == 1


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"", "text": lambda _: b"null\n", "cut": lambda old: old[: len(old) // 2],
    "zeros": lambda old: b"\0" * len(old), "second page": lambda old: old[:4096] + b"\xff" * (len(old) - 4096),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_counts_as_absent_and_is_replaced(tmp_path: Path, damage: str) -> None:
    Store(tmp_path).put("size", {"a": 1})
    file = tmp_path / "store.sqlite"
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    store = Store(tmp_path)
    assert store.get("size", "a") is None
    for _ in range(2):  # the first may find the damage
        store.put("size", {"a": 2})
    assert (store.get("size", "a"), read(tmp_path)) == (2, 2)


@pytest.mark.parametrize("way", ["folder", "file", "locked", "no SQLite"])
def test_a_store_that_cannot_be_used_is_no_error(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "_PATIENCE", 0.01)
    with closing(sqlite3.connect(tmp_path / "other.sqlite", isolation_level=None)) as other:
        place = tmp_path
        if way == "folder":
            (tmp_path / "store.sqlite").mkdir()
        elif way == "file":
            (place := tmp_path / "file").write_text("")
        elif way == "locked":
            Store(tmp_path).put("size", {"b": 1})
            other.execute("ATTACH ? AS held", (str(tmp_path / "store.sqlite"),))
            other.execute("BEGIN EXCLUSIVE")
        else:
            monkeypatch.setitem(sys.modules, "sqlite3", None)
        Store(place).put("size", {"a": 1})
        assert read(place) is None
    assert way != "locked" or Store(place).get("size", "b") == 1


def test_the_older_half_of_a_large_store_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "_MOST", 100_000)
    store = Store(tmp_path)
    for number in range(100):
        store.put("size", {str(number): "x" * 4000})
    left = sorted(map(int, store.names("size")))
    assert 8 <= len(left) <= 25
    assert left == list(range(100 - len(left), 100))
    assert (tmp_path / "store.sqlite").stat().st_size < 200_000


WRITER = """
import sys
from pathlib import Path
from dtmodel.base.caches import Store
for number in range(50):
    Store(Path(sys.argv[1])).put("size", {f"{sys.argv[2]} {number}": number})
"""


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name]) for name in "abc"]
    assert [writer.wait(120) for writer in writers] == [0, 0, 0]
    assert len(Store(tmp_path).names("size")) == 150


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_uses_the_store_by_itself(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put("size", {"a": 1})
    child = os.fork()
    if not child:
        store.put("size", {"a": (store.get("size", "a") or 0) + 1})
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert store.get("size", "a") == 2
