"""Files with data that no evidence computes, pinned by hash in ``validation/files.txt``: ``PATH | HASH`` in each line.

They are kept results, published numbers (of a Python file the hash covers only these) and Coq's sources, because the
lock of their statements must hold without Coq, too.
"""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from dtmodel.base.errors import InputError
from dtmodel.base.files import write_whole
from dtmodel.ledger.claim import Problem
from dtmodel.ledger.collection import Root

__all__: list[str] = []

_PATTERNS = (
    "proofs/coq/_CoqProject", "proofs/coq/statements.lock", "proofs/coq/**/*.v", "proofs/coq/**/*.expected",
    "validation/results/*", "validation/*/published.*", "validation/*.py", "validation/*/*.py",
    "validation/*/figures/*.py",
)  # fmt: skip
_NUMBER = re.compile(rb"-?\d[\w.]*")
_HEAD = """\
# Kept results, published numbers and Coq's sources as reviewed: file | hash (of the numbers, in Python files).
# Written by: dtmodel ledger pin
"""


def list_of(root: Root) -> Path:
    return root.path / "validation" / "files.txt"


def digest(name: str, content: bytes) -> str:
    """Return the hash of a file."""
    told = b"\n".join(_NUMBER.findall(content)) if name.endswith(".py") else content
    return hashlib.sha256(told).hexdigest()[:12]


def digests(root: Root) -> dict[str, str]:
    """Return the hashes of all files of a collection that are to be reviewed."""
    found = {path for pattern in _PATTERNS for path in root.path.glob(pattern) if path.is_file()}
    return {path.relative_to(root.path).as_posix(): digest(path.name, path.read_bytes()) for path in sorted(found)}


def changed(root: Root) -> Iterator[Problem]:
    """Yield the differences between the files of a collection and the reviewed ones."""
    reviewed, now = _read(list_of(root)), digests(root)
    for name in sorted(reviewed.keys() | now.keys()):
        if name not in now:
            yield Problem("", f"{name} was reviewed, and is not there: restore it, or run dtmodel ledger pin")
        elif reviewed.get(name) != now[name]:
            was = "is not the one that was reviewed" if name in reviewed else "is not in validation/files.txt"
            yield Problem("", f"{name} {was}: review it, then run dtmodel ledger pin")


def pin_files(root: Root) -> None:
    """Write the list of a collection's files as they are now, or remove it if there are no such files."""
    lines = [f"{name} | {found}" for name, found in digests(root).items()]
    if lines:
        write_whole(list_of(root), _HEAD + "\n".join(lines) + "\n")
    else:
        list_of(root).unlink(missing_ok=True)


def rows(field: str, path: Path, columns: str) -> dict[str, list[str]]:
    """Return the cells of each line ``name | cell | cell`` of a text file by the name, one for each of the `columns`.

    Raises `InputError`, with `field` if the file cannot be read, else for a line with other cells or a name of before.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise InputError(field, str(path), f"a text file that can be read ({error})") from error
    found: dict[str, list[str]] = {}
    for number, line in enumerate(lines, 1):
        if line and not line.startswith("#"):
            name, *cells = (cell.strip() for cell in line.split("|"))
            if len(cells) != columns.count("|") or name in found:
                raise InputError(f"{path.name}:{number}", line, columns)
            found[name] = cells
    return found


def _read(path: Path) -> dict[str, str]:
    found = rows("list of files", path, "file | hash") if os.path.lexists(path) else {}
    return {name: was for name, (was,) in found.items()}
