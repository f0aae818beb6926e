"""The cache of evidence outcomes, keyed by the content of everything that the evidence imports."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from dtmodel.ledger.collection import Root
from dtmodel.ledger.evidence import Evidence, Outcome, outcome_document, read_outcome
from dtmodel.ledger.files import write_whole

__all__ = ["Cache", "engine_versions"]

_SOLVERS = ("sympy", "z3-solver", "cvc5")


def engine_versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that evidence rests on; those not installed are left out."""
    found = {"python": platform.python_version()}
    for name in _SOLVERS:
        try:
            found[name.removesuffix("-solver")] = version(name)
        except PackageNotFoundError:
            continue
    return found


@dataclass(frozen=True)
class _Source:
    """A Python file: its digest, the files of ours that it imports, and the packages that these lie in."""

    digest: str
    imports: frozenset[Path]
    packages: frozenset[Path]


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
    _sources: dict[Path, _Source] = field(default_factory=dict)
    _data: dict[Path, str] = field(default_factory=dict)

    def get(self, root: Root, item: Evidence) -> Outcome | None:
        """Return the stored outcome, or None: a file that is not as it was written counts as absent."""
        try:
            stored = json.loads(self._file(root, item).read_text(encoding="utf-8"))
            if set(stored) != {"outcome", "digest"} or stored["digest"] != _digest(stored["outcome"]):
                return None
            return read_outcome(stored["outcome"])
        except (OSError, ValueError, TypeError, RecursionError):
            return None

    def put(self, root: Root, item: Evidence, outcome: Outcome) -> None:
        """Store an outcome; a cache that cannot be written is no cache, and no error."""
        document = outcome_document(outcome)
        with contextlib.suppress(OSError):
            write_whole(self._file(root, item), json.dumps({"outcome": document, "digest": _digest(document)}))

    @cached_property
    def _versions(self) -> str:
        return json.dumps([engine_versions(), dict(self.versions), sys.version])

    def _file(self, root: Root, item: Evidence) -> Path:
        digest = hashlib.sha256(f"{self._versions}\n{item.key}\n".encode())
        closure = self._closure(Path(item.file), root)
        for path in sorted(closure):
            digest.update(f"{path.name}:{self._source(path, root).digest}\n".encode())
        data = [*_data_folders(Path(item.file), root)]
        if any(path.name.startswith("coq") for path in closure):
            data.append(root.path / "proofs" / "coq")
        for folder in data:
            digest.update(self._data_digest(folder).encode())
        return self.directory / "evidence" / f"{digest.hexdigest()}.json"

    def _data_digest(self, folder: Path) -> str:
        """Digest what evidence may read besides Python: reference data, Coq sources, pins."""
        if folder not in self._data:
            digest = hashlib.sha256()
            for path in sorted(folder.rglob("*")):
                claims = path.suffix == ".toml" and path.is_file() and _holds_claims(path)
                if path.is_file() and path.suffix not in (".py", ".pyc") and not claims:
                    digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
            self._data[folder] = digest.hexdigest()
        return self._data[folder]

    def _closure(self, path: Path, root: Root) -> set[Path]:
        """Return the files whose content counts: what is imported, transitively, and the packages above it."""
        seen: set[Path] = set()
        above: set[Path] = set()
        todo = [path]
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                source = self._source(one, root)
                todo += source.imports
                above |= source.packages
        return seen | above

    def _source(self, path: Path, root: Root) -> _Source:
        if path not in self._sources:
            content = path.read_bytes()
            found = [self._find(name, root) for name in set(_imports(content, self._module(path, root)))]
            imports = frozenset(files[-1] for files in found if files)
            packages = frozenset(file for files in found for file in files[:-1])
            self._sources[path] = _Source(hashlib.sha256(content).hexdigest(), imports - {path}, packages)
        return self._sources[path]

    def _module(self, path: Path, root: Root) -> str:
        for name, directory in {**self.packages, root.package: root.path}.items():
            if path.is_relative_to(directory):
                return ".".join([name, *path.relative_to(directory).with_suffix("").parts])
        return path.stem

    def _find(self, name: str, root: Root) -> list[Path]:
        """Return the files of a dotted name: the packages on the way, and last what it names."""
        top, *rest = name.split(".")
        directory = {**self.packages, root.package: root.path}.get(top)
        if directory is None:
            return []
        bases = [directory.joinpath(*rest[:depth]) for depth in range(len(rest) + 1)]
        candidates = [file for base in bases for file in (base / "__init__.py", base.with_suffix(".py"))]
        return [file for file in candidates if file.is_file()]


def _digest(document: object) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def _data_folders(path: Path, root: Root) -> list[Path]:
    """Return the folders of a paper, or the whole root if it has no such folders."""
    if not root.layout:
        return [root.path]
    paper = path.relative_to(root.path).parts[1]
    return [folder for top in ("proofs", "validation") if (folder := root.path / top / paper).is_dir()]


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
