"""Which files are mutated, and which tests and evidence should notice (targets.toml); why a survivor is harmless."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["SCOPE", "Explanation", "Target", "explanations", "in_scope", "targets"]

HERE = Path(__file__).parent
SCOPE = (*("dtmodel/policies/*.py", "dtmodel/fluid/*.py", "dtmodel/packet/*.py", "dtmodel/theory/*.py"),)
"""Where every formula, comparison and statement is altered."""


@dataclass(frozen=True)
class Target:
    """Files that share their tests.

    Attributes
    ----------
    files : tuple of str
        Paths or patterns.
    tests : tuple of str
        Test files; those that do not exist yet are passed over.
    selectors : tuple of str
        Ledger selectors: the evidence for these claims runs too.
    preload : tuple of str
        Libraries that are loaded once for all mutants.
    """

    files: tuple[str, ...]
    tests: tuple[str, ...]
    selectors: tuple[str, ...] = ()
    preload: tuple[str, ...] = ("hypothesis",)

    def in_tree(self, tree: Path) -> list[str]:
        """Return its files in a tree."""
        return sorted({path.relative_to(tree).as_posix() for pattern in self.files for path in tree.glob(pattern)})

    def test_files(self, tree: Path) -> list[str]:
        """Return its test files that are there; the files themselves hold doctests."""
        found = [path for pattern in self.tests for path in sorted(tree.glob(pattern))]
        evidence = ["mutation/evidence_items.py"] if self.selectors else []
        return [*self.in_tree(tree), *(path.relative_to(tree).as_posix() for path in found), *evidence]

    def digest(self, tree: Path) -> str:
        """Digest everything that may notice a mutant."""
        digest = hashlib.sha256(repr(self).encode())
        papers = {selector.split(".")[0] for selector in self.selectors}
        folders = [tree / top / paper for paper in papers for top in ("proofs", "validation")]
        evidence = [path for folder in folders for path in folder.glob("*.py")]
        for path in [*(tree / name for name in self.test_files(tree)), *sorted(evidence)]:
            digest.update(path.read_bytes() if path.exists() else b"")
        return digest.hexdigest()[:16]


@dataclass(frozen=True)
class Explanation:
    """Why some surviving mutants are harmless."""

    ids: tuple[str, ...]
    reason: str


def targets(path: Path = HERE / "targets.toml") -> list[Target]:
    """Read the targets."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))["target"]
    return [Target(**{key: tuple(value) for key, value in table.items()}) for table in tables]


def explanations(path: Path = HERE / "explanations.toml") -> dict[str, str]:
    """Read the reasons, by mutant."""
    tables = tomllib.loads(path.read_text(encoding="utf-8")).get("harmless", [])
    read = [Explanation(tuple(table["ids"]), " ".join(table["reason"].split())) for table in tables]
    return {mutant: item.reason for item in read for mutant in item.ids}


def in_scope(tree: Path, patterns: Sequence[str] = SCOPE) -> list[str]:
    """Return the files that should be mutated; an ``__init__.py`` only names things, and a picture is no formula."""
    found = (path for pattern in patterns for path in tree.glob(pattern))
    return sorted(
        path.relative_to(tree).as_posix()
        for path in found
        if path.name != "__init__.py" and "_picture" not in path.name
    )
