"""The folder of caches, and a store of JSON values in it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, final

if TYPE_CHECKING:
    from sqlite3 import Connection

_Answer = TypeVar("_Answer")
_MOST = 2**28  # bytes of a store; the older half of a larger one is removed
_PATIENCE = 5.0  # seconds to wait for another process that writes
_TABLE = "CREATE TABLE IF NOT EXISTS entries (kind TEXT, name TEXT, digest TEXT, text TEXT, PRIMARY KEY (kind, name))"
_SIZE = (
    "SELECT (page_count - freelist_count) * page_size "
    "FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()"
)
_OLDER = "DELETE FROM entries WHERE rowid <= (SELECT (min(rowid) + max(rowid)) / 2 FROM entries)"


@final
class Store:
    """JSON values by kind and name, in an SQLite file in `folder` that several processes may use; nothing without one.

    A value with a wrong digest counts as absent; a file that is not a database is removed.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._connection: Connection | None = None
        self._process = 0

    def get(self, kind: str, name: str, absent: Any = None) -> Any:
        """Return the stored value, or `absent` if there is none."""
        query = "SELECT digest, text FROM entries WHERE kind = ? AND name = ?"
        for digest, text in self._use(lambda database: database.execute(query, (kind, name)).fetchall()) or ():
            if digest == _digest(kind, name, text):
                return json.loads(text)
        return absent

    def names(self, kind: str) -> set[str]:
        """Return the names of the stored values of a kind."""
        query = "SELECT name FROM entries WHERE kind = ?"
        return {name for (name,) in self._use(lambda database: database.execute(query, (kind,)).fetchall()) or ()}

    def put(self, kind: str, values: Mapping[str, Any]) -> None:
        """Store values by name, except for those that JSON cannot express."""
        texts = ((name, text) for name, value in values.items() if (text := _json(value)) is not None)
        rows = [(kind, name, _digest(kind, name, text), text) for name, text in texts]

        def write(database: Connection) -> None:
            with database:
                database.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)
                if database.execute(_SIZE).fetchone()[0] > _MOST:
                    database.execute(_OLDER)

        if rows:
            self._use(write)

    def _use(self, work: Callable[[Connection], _Answer]) -> _Answer | None:
        """Return the result of `work` with the database; None if the database cannot be used."""
        if self.folder is None:
            return None
        try:
            import sqlite3
        except ImportError:  # Python was built without SQLite
            return None
        try:
            return work(self._opened(self.folder))
        except (sqlite3.OperationalError, OSError, ValueError):  # not writable, full, locked, or a name beyond Unicode
            return None
        except sqlite3.DatabaseError:
            self._process = 0
            with contextlib.suppress(OSError):
                (self.folder / _FILE).unlink()
            return None

    def _opened(self, folder: Path) -> Connection:
        """Return the connection of this process: a forked process may not use that of its parent."""
        import sqlite3

        if self._connection is None or self._process != os.getpid():
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(folder / _FILE, timeout=_PATIENCE, check_same_thread=False)
            self._process = os.getpid()
            weakref.finalize(self, self._connection.close)
            self._connection.execute("PRAGMA synchronous = OFF")  # digests tell if the machine lost power
            self._connection.execute(_TABLE)
        return self._connection


_FILE = "store.sqlite"


def _digest(kind: str, name: str, text: str) -> str:
    return hashlib.sha256(f"{kind}\n{name}\n{text}".encode(errors="surrogatepass")).hexdigest()


def _json(value: Any) -> str | None:
    try:
        return json.dumps(value, separators=(",", ":"))
    except TypeError:  # TOML has dates, JSON has none
        return None


def cache_directory(checkout: Path) -> Path:
    """Return the first writable folder of $DTMODEL_CACHE, the checkout's .cache, the user's, and a temporary one."""
    if chosen := os.environ.get("DTMODEL_CACHE"):
        return Path(chosen)
    places = [checkout / ".cache"] if (checkout / "pyproject.toml").is_file() else []
    if given := os.environ.get("XDG_CACHE_HOME"):
        places.append(Path(given))
    with contextlib.suppress(RuntimeError):  # a user without a home folder
        places.append(Path.home() / ".cache")
    found = next((place for place in places if _writable(place)), None)
    if found is None:
        return Path(tempfile.gettempdir()) / f"dtmodel-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"
    return found / "dtmodel"


def _writable(path: Path) -> bool:
    """Return True if a folder can be written, or created."""
    above = next(folder for folder in (path.absolute(), *path.absolute().parents) if folder.exists())
    return above.is_dir() and os.access(above, os.W_OK | os.X_OK)
