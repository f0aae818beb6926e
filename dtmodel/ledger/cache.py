"""The cache of evidence outcomes, keyed by the content of everything that the evidence imports."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from dtmodel.ledger.collection import Root
from dtmodel.ledger.evidence import Evidence, Outcome, outcome_document, read_outcome

__all__ = ["Cache", "default_directory", "engine_versions"]

_SOLVERS = ("sympy", "z3-solver", "cvc5")


def default_directory(root: Path) -> Path:
    """Return where outcomes are kept: $DTMODEL_CACHE, else the checkout's .cache, else the user's cache folder."""
    if chosen := os.environ.get("DTMODEL_CACHE"):
        return Path(chosen)
    if (root / "pyproject.toml").is_file():
        return root / ".cache" / "dtmodel"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dtmodel"


def engine_versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that evidence rests on; those not installed are left out."""
    found = {"python": platform.python_version()}
    for name in _SOLVERS:
        try:
            found[name.removesuffix("-solver")] = version(name)
        except PackageNotFoundError:
            continue
    return found


@dataclass
class Cache:
    """Outcomes by the content of the evidence's module and of everything it imports, transitively.

    Parameters
    ----------
    directory : Path
        Where they are kept.
    packages : mapping of str to Path
        The packages whose modules count, with their directories: ``{"dtmodel": ...}``; roots are added as they come.
    versions : mapping
        Versions of further engines; outcomes of another version are not used.
    """

    directory: Path
    packages: Mapping[str, Path]
    versions: Mapping[str, str] = field(default_factory=dict)
    _imports: dict[Path, tuple[str, frozenset[Path]]] = field(default_factory=dict)
    _data: dict[Path, str] = field(default_factory=dict)

    def get(self, root: Root, item: Evidence) -> Outcome | None:
        """Return the stored outcome, or None."""
        try:
            return read_outcome(json.loads(self._file(root, item).read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, root: Root, item: Evidence, outcome: Outcome) -> None:
        """Store an outcome; a cache that cannot be written is no cache, and no error."""
        path = self._file(root, item)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(f".{os.getpid()}")
            part.write_text(json.dumps(outcome_document(outcome)), encoding="utf-8")
            part.replace(path)
        except OSError:
            return

    @cached_property
    def _versions(self) -> str:
        return json.dumps([engine_versions(), dict(self.versions), sys.version])

    def _file(self, root: Root, item: Evidence) -> Path:
        digest = hashlib.sha256(f"{self._versions}\n{item.key}\n{self._data_digest(root)}\n".encode())
        for path in sorted(self._closure(Path(item.file), root)):
            digest.update(f"{path.name}:{self._imported(path, root)[0]}\n".encode())
        return self.directory / "evidence" / f"{digest.hexdigest()}.json"

    def _data_digest(self, root: Root) -> str:
        """Digest what evidence may read besides Python: reference data, Coq sources, pins."""
        if root.path not in self._data:
            digest = hashlib.sha256()
            tops = [root.path / "proofs", root.path / "validation"] if root.layout else [root.path]
            files = (path for top in tops for path in sorted(top.rglob("*")) if path.is_file())
            for path in files:
                if path.suffix not in (".py", ".pyc") and not (path.suffix == ".toml" and _holds_claims(path)):
                    digest.update(path.relative_to(root.path).as_posix().encode() + path.read_bytes())
            self._data[root.path] = digest.hexdigest()
        return self._data[root.path]

    def _closure(self, path: Path, root: Root) -> set[Path]:
        seen: set[Path] = set()
        todo = [path]
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                todo += self._imported(one, root)[1]
        return seen

    def _imported(self, path: Path, root: Root) -> tuple[str, frozenset[Path]]:
        """Return the digest of a file and the files of ours that it imports."""
        if path not in self._imports:
            content = path.read_bytes()
            files = {file for name in _imports(content, self._module(path, root)) for file in self._find(name, root)}
            self._imports[path] = (hashlib.sha256(content).hexdigest(), frozenset(files - {path}))
        return self._imports[path]

    def _module(self, path: Path, root: Root) -> str:
        for name, directory in {**self.packages, root.package: root.path}.items():
            if path.is_relative_to(directory):
                return ".".join([name, *path.relative_to(directory).with_suffix("").parts])
        return path.stem

    def _find(self, name: str, root: Root) -> Iterator[Path]:
        """Yield the files of a dotted name, the packages on the way included."""
        top, *rest = name.split(".")
        directory = {**self.packages, root.package: root.path}.get(top)
        if directory is None:
            return
        for depth in range(len(rest) + 1):
            base = directory.joinpath(*rest[:depth])
            yield from (file for file in (base / "__init__.py", base.with_suffix(".py")) if file.is_file())


def _holds_claims(path: Path) -> bool:
    return b"[[claim]]" in path.read_bytes()


def _imports(content: bytes, module: str) -> Iterator[str]:
    """Yield the absolute names that a module imports anywhere in its text, ``from x import y`` as ``x.y``."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return
    parts = module.split(".")
    base = parts if parts[-1] == "__init__" else parts[:-1]
    base = [part for part in base if part != "__init__"]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = base[: len(base) - node.level + 1] if node.level else []
            name = ".".join([*start, *([node.module] if node.module else [])])
            yield from (f"{name}.{alias.name}" for alias in node.names)
