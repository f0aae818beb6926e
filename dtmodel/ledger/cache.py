"""The cache of evidence outcomes, keyed by the content of all modules that the evidence imports."""

import contextlib
import hashlib
import json
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

from dtmodel.base.caches import Store
from dtmodel.ledger.collection import Root
from dtmodel.ledger.evidence import Evidence, Outcome, outcome_document, read_outcome
from dtmodel.ledger.index import Index
from dtmodel.ledger.reads import Reads, within

_SOLVERS = ("sympy", "z3-solver", "cvc5")


def library_versions() -> dict[str, str]:
    """Return the versions of Python, and of SymPy and the solvers as far as they are installed."""
    found = {"python": platform.python_version()}
    for name in _SOLVERS:
        try:
            found[name.removesuffix("-solver")] = version(name)
        except PackageNotFoundError:
            continue
    return found


@dataclass(frozen=True)
class _Source:
    """A Python file: its digest, the files and packages of ours that it imports, and other libraries."""

    digest: str
    imports: frozenset[Path]
    packages: frozenset[Path]
    libraries: frozenset[str]


@dataclass
class Cache:
    """Outcomes by the content of all imports of the evidence in `packages`, and by `versions` of libraries and engines.

    An outcome counts only while the files that the evidence read are unchanged.
    """

    store: Store
    packages: Mapping[str, Path]
    versions: Mapping[str, str] = field(default_factory=dict)
    index: Index = field(default_factory=Index)
    _sources: dict[Path, _Source] = field(default_factory=dict)
    _data: dict[Path, str] = field(default_factory=dict)
    _contents: dict[str, str] = field(default_factory=dict)
    _libraries: dict[str, str] = field(default_factory=dict)
    _found: dict[tuple[str, str], list[Path]] = field(default_factory=dict)
    _folders: dict[str, frozenset[str]] = field(default_factory=dict)
    _keys: dict[Path, str] = field(default_factory=dict)
    _closures: dict[Path, set[Path]] = field(default_factory=dict)

    def get(self, root: Root, item: Evidence) -> Outcome | None:
        """Return the stored outcome, or None if there is none."""
        try:
            stored = self.store.get("evidence", self.key(root, item))
            if stored is None or any(self._content(path) != was for path, was in stored["reads"].items()):
                return None
            return read_outcome(stored["outcome"])
        except (OSError, ValueError):
            return None

    def put(self, root: Root, item: Evidence, outcome: Outcome, reads: Reads) -> None:
        """Store an outcome and the files that were read for it; if they cannot be stored, continue."""
        with contextlib.suppress(OSError):
            read = {str(path): self._content(str(path)) for path in sorted(self._read_by(root, item, reads))}
            self.store.put("evidence", {self.key(root, item): {"outcome": outcome_document(outcome), "reads": read}})

    def _read_by(self, root: Root, item: Evidence, reads: Reads) -> set[Path]:
        """Return the files of the root and the packages that the imported modules of the evidence read."""
        tops = [root.path / "proofs", root.path / "validation"] if root.layout else [root.path]
        folders = (*tops, *self.packages.values())
        found = (within(path, folders) for source in self._closure(Path(item.file), root)
                 for path in reads.get(str(source), ()))  # fmt: skip
        cached = self.store.folder
        return {path for path in found if path and not (cached and path.is_relative_to(cached))}

    def _content(self, name: str) -> str:
        if name not in self._contents:
            path = Path(name)
            self._contents[name] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "absent"
        return self._contents[name]

    @cached_property
    def _versions(self) -> str:
        return json.dumps([library_versions(), sys.version])

    def code(self, path: Path, root: Root) -> str:
        """Digest a Python file with all its imports and the versions of libraries."""
        digest = hashlib.sha256()
        closure = self._closure(path, root)
        for file in sorted(closure):
            digest.update(f"{file.name}:{self._source(file, root).digest}\n".encode())
        for library in sorted({name for file in closure for name in self._source(file, root).libraries}):
            digest.update(f"{library} {self._version(library)}\n".encode())
        return digest.hexdigest()

    def key(self, root: Root, item: Evidence) -> str:
        """Digest everything on which a piece of evidence depends, except for the files that it reads."""
        path = Path(item.file)
        if path not in self._keys:
            data, engines = [*_data_folders(path, root)], ""
            if any(file.name.startswith("coq") for file in self._closure(path, root)):
                data.append(root.path / "proofs" / "coq")
                engines = json.dumps(dict(self.versions))
            self._keys[path] = " ".join([engines, self.code(path, root), *map(self._data_digest, data)])
        return hashlib.sha256(f"{self._versions} {item.key} {self._keys[path]}".encode()).hexdigest()

    def _version(self, library: str) -> str:
        if library not in self._libraries:
            found = "none"
            for name in (library, *self._distributions.get(library, ())):
                with contextlib.suppress(PackageNotFoundError):
                    found = version(name)
                    break
            self._libraries[library] = found
        return self._libraries[library]

    @cached_property
    def _distributions(self) -> Mapping[str, list[str]]:
        """The distributions that each installed top-level package comes from."""
        installed = {
            path: [name for name in sorted(self._names(path or ".")) if name.endswith("-info")] for path in sys.path
        }
        found: Mapping[str, list[str]] = self.index.of(
            "distributions", json.dumps([sys.version, installed]).encode(), lambda _: dict(packages_distributions())
        )
        return found

    def _data_digest(self, folder: Path) -> str:
        if folder not in self._data:
            digest = hashlib.sha256()
            for path in sorted(folder.rglob("*")):
                if path.suffix in (".py", ".pyc") or not path.is_file():
                    continue
                content = path.read_bytes()
                if path.suffix != ".toml" or b"[claim." not in content:
                    digest.update(path.relative_to(folder).as_posix().encode() + content)
            self._data[folder] = digest.hexdigest()
        return self._data[folder]

    def _closure(self, path: Path, root: Root) -> set[Path]:
        """Return the files whose content counts: the imported ones, transitively, and the packages above them."""
        if path not in self._closures:
            seen, above, todo = set[Path](), set[Path](), {path}
            while todo:
                seen.add(one := todo.pop())
                source = self._source(one, root)
                todo |= source.imports - seen
                above |= source.packages
            self._closures[path] = seen | above
        return self._closures[path]

    def _source(self, path: Path, root: Root) -> _Source:
        if path not in self._sources:
            content = path.read_bytes()
            names = set(_absolute(self.index.imports(content), self._module(path, root)))
            found = [self._find(name, root) for name in names]
            imports = frozenset(files[-1] for files in found if files)
            imports |= frozenset(file for name in names if name.endswith(".*") for file in self._below(name, root))
            packages = frozenset(file for files in found for file in files[:-1])
            libraries = frozenset(name.split(".")[0] for name in names) - {*self.packages, root.package, ""}
            libraries -= sys.stdlib_module_names
            self._sources[path] = _Source(hashlib.sha256(content).hexdigest(), imports - {path}, packages, libraries)
        return self._sources[path]

    def _module(self, path: Path, root: Root) -> str:
        for name, directory in {**self.packages, root.package: root.path}.items():
            if path.is_relative_to(directory):
                return ".".join([name, *path.relative_to(directory).with_suffix("").parts])
        return path.stem

    def _below(self, name: str, root: Root) -> Iterator[Path]:
        for package in self._find(name, root)[-1:]:
            yield from package.parent.rglob("*.py")

    def _find(self, name: str, root: Root) -> list[Path]:
        if (root.package, name) not in self._found:
            top, *rest = name.split(".")
            files = self._found[root.package, name] = []
            package = {**self.packages, root.package: root.path}.get(top)
            folder = str(package)
            for part in ("", *rest) if package else ():
                files += [Path(folder, f"{part}.py")] if f"{part}.py" in self._names(folder) else []
                folder = f"{folder}/{part}" if part else folder
                files += [Path(folder, "__init__.py")] if "__init__.py" in self._names(folder) else []
        return self._found[root.package, name]

    def _names(self, folder: str) -> frozenset[str]:
        if folder not in self._folders:
            self._folders[folder] = frozenset()
            with contextlib.suppress(OSError):
                self._folders[folder] = frozenset(os.listdir(folder))  # noqa: PTH208 - names alone, no paths
        return self._folders[folder]


def _data_folders(path: Path, root: Root) -> list[Path]:
    parts = path.relative_to(root.path).parts
    if not root.layout or len(parts) < 3:
        return [root.path]
    paper = parts[1]
    return [folder for top in ("proofs", "validation") if (folder := root.path / top / paper).is_dir()]


def _absolute(imports: Iterable[tuple[int, str, list[str]]], module: str) -> Iterator[str]:
    """Yield the absolute names of all imports of a module, ``from x import y`` as ``x.y``."""
    parts = module.split(".")
    base = parts if parts[-1] == "__init__" else parts[:-1]
    base = [part for part in base if part != "__init__"]
    for level, imported, names in imports:
        start = base[: len(base) - level + 1] if level else []
        name = ".".join([*start, *([imported] if imported else [])])
        yield from (f"{name}.{alias}" for alias in names)
        if not names:
            yield name
