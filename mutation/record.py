"""The record of a run: which mutants there are and what became of each, so that a run can be resumed."""

from __future__ import annotations

import json
import sqlite3
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mutation.mutants import Mutant

__all__ = ["Record", "Result"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS mutants (key TEXT PRIMARY KEY, found TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS results (
    id TEXT PRIMARY KEY, source TEXT NOT NULL, tests TEXT NOT NULL,
    status TEXT NOT NULL, killer TEXT NOT NULL, detail TEXT NOT NULL, fresh INTEGER NOT NULL
);
"""


@dataclass(frozen=True)
class Result:
    """What became of a mutant: ``killed`` or ``timeout``, and by what, or ``survived``."""

    id: str
    status: str
    killer: str
    detail: str
    fresh: bool


class Record:
    """An SQLite file; each result is kept as soon as it is known.

    Examples
    --------
    >>> record = Record(":memory:")
    >>> record.put(Result("0123456789", "survived", "", "", False), source="a", tests="b")
    >>> record.valid("0123456789", source="a", tests="b").status
    'survived'
    >>> record.valid("0123456789", source="a", tests="other") is None  # new tests may notice it
    True
    """

    def __init__(self, path: Path | str) -> None:
        if path != ":memory:":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, isolation_level=None, timeout=60)
        self._db.executescript(_SCHEMA)
        weakref.finalize(self, self._db.close)

    def put(self, result: Result, *, source: str, tests: str) -> None:
        """Keep a result, with the digests of the file that was altered and of the tests that ran."""
        values = (result.id, source, tests, result.status, result.killer, result.detail, int(result.fresh))
        self._db.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def valid(self, mutant: str, *, source: str, tests: str | None) -> Result | None:
        """Return the result of a mutant if it still stands: a survivor must meet all tests (None: any)."""
        row = self._db.execute("SELECT * FROM results WHERE id = ?", (mutant,)).fetchone()
        if row is None or row[1] != source or (row[3] == "survived" and tests not in (row[2], None)):
            return None
        return Result(row[0], row[3], row[4], row[5], bool(row[6]))

    def mutants(self, key: str) -> list[Mutant] | None:
        """Return the mutants kept under a key, or None."""
        row = self._db.execute("SELECT found FROM mutants WHERE key = ?", (key,)).fetchone()
        return None if row is None else [Mutant(**_fields(item)) for item in json.loads(row[0])]

    def keep_mutants(self, key: str, mutants: Sequence[Mutant]) -> None:
        """Keep the mutants of a file: to find them takes seconds."""
        text = json.dumps([asdict(mutant) for mutant in mutants])
        self._db.execute("INSERT OR REPLACE INTO mutants VALUES (?, ?)", (key, text))


def _fields(item: Mapping[str, Any]) -> dict[str, Any]:
    return dict(item)
