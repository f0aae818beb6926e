"""A cache of answers about claims, valid as long as no file of the package, the papers or the folders changes."""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dtmodel.companion import roots


class AnswerCache:
    """A cache of answers by kind and name, under the metadata of all files it may depend on; off in ``CI``."""

    def __init__(self, folders: Sequence[str | Path] = ()) -> None:
        root, package = roots.papers_root(), Path(__file__).resolve().parents[1]
        tests = [package.parent / "tests"] if root == package.parent else []
        papers = [root / name for name in ("proofs", "validation", "notebooks", "docs/source/guides")]
        watched = [package, *papers, *tests, *map(Path.absolute, map(Path, folders))]
        files = [line for folder in watched for line in _below(str(folder))]
        libraries = [path for path in sys.path if Path(path).name.endswith("-packages")]
        beside = [_stamp(place) for place in (*libraries, shutil.which("coqc") or "")]
        self.state = hashlib.sha256(repr((sys.version, watched, files, beside)).encode()).hexdigest()
        self._store = roots.store()

    def get(self, kind: str, name: str = "") -> Any:
        """Return the cached entry; None if it is absent."""
        return self._store.get(f"{kind} {self.state}", name)

    def put(self, kind: str, entries: Mapping[str, Any]) -> None:
        """Add entries to the cache; if it cannot be written, continue."""
        self._store.put(f"{kind} {self.state}", entries)

    def once(self, kind: str, name: str, make: Callable[[], str]) -> str:
        """Return the cached text of a name; make and cache it if it is absent."""
        key = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()
        text = self.get(kind, key)
        if text is None:
            text = make()
            self.put(kind, {key: text})
        return str(text)

    def names(self, kind: str) -> set[str]:
        """Return the names of the cached entries of a kind."""
        return self._store.names(f"{kind} {self.state}")


def _below(folder: str) -> Iterator[str]:
    """Yield a stamp of each file below a folder, without hidden folders and ``__pycache__``."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except (OSError, ValueError):  # ValueError: not a valid path
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if entry.name != "__pycache__" and not entry.name.startswith("."):
                yield from _below(entry.path)
        else:
            yield _stamp(entry.path)


def _stamp(path: str) -> str:
    try:
        found = os.stat(path)  # noqa: PTH116 - a Path for each of a thousand files is slow
    except OSError:
        return f"{path} absent"
    return f"{path} {found.st_size} {found.st_ino} {found.st_mtime_ns} {found.st_ctime_ns}"
