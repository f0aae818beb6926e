"""A cache of answers about claims, valid as long as no file of the package, the papers or the folders changes."""

import contextlib
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dtmodel.base.caches import cache_directory
from dtmodel.base.files import write_whole
from dtmodel.companion import roots


class Kept:
    """A cache of answers by kind and name; it is disabled if the environment variable ``CI`` is set.

    The key covers size, inode and times of every file of the package, the papers and `folders`, and the stamps of
    Python, of the installed packages and of Coq. No file is read for it.
    """

    def __init__(self, folders: Sequence[str | Path] = ()) -> None:
        root = roots.papers_root()
        self._place = None if os.environ.get("CI") else cache_directory(root) / "answers"
        package = Path(__file__).resolve().parents[1]
        tests = [package.parent / "tests"] if root == package.parent else []
        self._watched = [package, root / "proofs", root / "validation", *tests, *map(Path.absolute, map(Path, folders))]
        files = [line for folder in self._watched for line in _below(str(folder))]
        libraries = [path for path in sys.path if Path(path).name.endswith("-packages")]
        beside = [_stamp(place) for place in (*libraries, shutil.which("coqc") or "")]
        self.state = hashlib.sha256(repr((sys.version, files, beside)).encode()).hexdigest()

    def get(self, kind: str, name: str = "") -> Any:
        """Return the cached entry; None if it is absent or damaged."""
        text = self._text(kind)
        begin = text.find(f"\n{name}\t".encode(errors="surrogatepass")) + 1
        if not begin:
            return None
        _, digest, content = text[begin : text.find(b"\n", begin)].split(b"\t", 2)
        return json.loads(content) if digest == self._digest(content) else None

    def put(self, kind: str, entries: Mapping[str, Any]) -> None:
        """Add entries to the cache; if the cache cannot be written, continue without it."""
        if not self._place or not entries:
            return
        lines = [self._text(kind) or f"{self.state}\n".encode()]
        for name, entry in entries.items():
            content = json.dumps(entry).encode()
            lines.append(b"%s\t%s\t%s\n" % (name.encode(), self._digest(content), content))
        with contextlib.suppress(OSError):
            write_whole(self._file(kind), b"".join(lines).decode())

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
        return {line.split(b"\t")[0].decode() for line in self._text(kind).split(b"\n")[1:-1]}

    def _text(self, kind: str) -> bytes:
        """Return the cache file of a kind; empty if its first line is not the present state."""
        with contextlib.suppress(OSError):
            if self._place and (text := self._file(kind).read_bytes()).startswith(self.state.encode()):
                return text
        return b""

    def _file(self, kind: str) -> Path:
        said = hashlib.sha256(repr(self._watched).encode()).hexdigest()[:16]
        return Path(f"{self._place}", f"{kind}-{said}")

    def _digest(self, content: bytes) -> bytes:
        return hashlib.sha256(self.state.encode() + content).hexdigest().encode()


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
