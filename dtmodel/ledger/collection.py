"""A collection: the claims and the evidence found under one or more roots."""

from __future__ import annotations

import ast
import hashlib
import importlib
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType

from dtmodel.errors import InputError
from dtmodel.ledger.claim import Claim, Problem, read_claims, read_preludes, selects
from dtmodel.ledger.evidence import Aim, Evidence, registered
from dtmodel.ledger.reads import watch

__all__ = ["Collection", "EvidenceFile", "Root", "collect", "load_module"]


@dataclass(frozen=True)
class Root:
    """A directory with claims and evidence, and the package name under which its files are imported.

    Claims are the ``[[claim]]`` tables of ``validation/<paper>/*.toml``, evidence the decorated functions of
    ``proofs/<paper>/*.py`` and ``validation/<paper>/*.py``. A directory that has neither folder is searched whole.
    """

    path: Path
    package: str

    @classmethod
    def at(cls, path: Path) -> Root:
        """Return the root at a directory, with a package name of its own."""
        resolved = path.resolve()
        return cls(resolved, f"dtmodel_collection_{hashlib.sha256(str(resolved).encode()).hexdigest()[:8]}")

    @property
    def layout(self) -> bool:
        """Whether the directory has the folders proofs/ and validation/."""
        return any((self.path / name).is_dir() for name in ("proofs", "validation"))

    def claim_files(self) -> list[Path]:
        """Return the files that may hold claims."""
        return sorted(self.path.glob("validation/*/**/*.toml") if self.layout else self.path.rglob("*.toml"))

    def python_files(self) -> list[Path]:
        """Return the Python files that may hold evidence."""
        if not self.layout:
            return sorted(self.path.rglob("*.py"))
        return sorted(path for top in ("proofs", "validation") for path in self.path.glob(f"{top}/*/**/*.py"))

    def module_of(self, path: Path) -> str:
        """Return the name under which a file is imported."""
        parts = path.relative_to(self.path).with_suffix("").parts
        return ".".join([self.package, *parts])


@dataclass(frozen=True)
class EvidenceFile:
    """A Python file with evidence; `names` are the claims it names, or None if they cannot be read off its text."""

    root: Root
    path: Path
    names: frozenset[str] | None

    @property
    def module(self) -> str:
        """The name under which it is imported."""
        return self.root.module_of(self.path)

    @property
    def shown(self) -> str:
        """Its name in messages and reports."""
        return self.path.relative_to(self.root.path).as_posix()


@dataclass(frozen=True)
class Collection:
    """Claims by id and their roots, what they say of a kernel, files of other evidence, what is wrong beforehand."""

    roots: tuple[Root, ...]
    claims: dict[str, Claim]
    kernel: tuple[Evidence, ...]
    files: tuple[EvidenceFile, ...]
    problems: tuple[Problem, ...]
    preludes: Mapping[str, str] = field(default_factory=dict)
    homes: Mapping[str, Root] = field(default_factory=dict)

    def select(self, selectors: Sequence[str]) -> dict[str, Claim]:
        """Return the claims that the selectors name (all of them if there are none).

        Raises
        ------
        InputError
            If a selector names no claim.
        """
        for selector in selectors:
            if not any(selects(selector, claim) for claim in self.claims):
                raise InputError("selector", selector, _suggestion(selector, self.claims))
        return {
            name: claim
            for name, claim in self.claims.items()
            if not selectors or any(selects(selector, name) for selector in selectors)
        }

    def evidence(self, selectors: Sequence[str] = ()) -> tuple[list[Evidence], list[Problem]]:
        """Import the files that concern the selected claims and return their evidence, and what is wrong with it."""
        found = list(self.kernel)
        problems: list[Problem] = []
        for file in self.files:
            if selectors and file.names is not None and not _concerns(file.names, selectors):
                continue
            try:
                module = load_module(file.root, file.module)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                problems.append(Problem("", f"{file.shown} cannot be imported: {_last_line(error)}: mend it"))
                continue
            found += [item for item in registered(vars(module)) if item.module == file.module]
        wanted = [item for item in found if _concerns((c for aim in item.aims for c in aim.claims), selectors)]
        return wanted, problems + list(self._unknown_claims(wanted, selectors))

    def _unknown_claims(self, items: Iterable[Evidence], selectors: Sequence[str]) -> Iterator[Problem]:
        for item in items:
            for claim in sorted({claim for aim in item.aims for claim in aim.claims}):
                if claim not in self.claims and _concerns([claim], selectors):
                    where = f"{Path(item.file).name}:{item.line}"
                    yield Problem("", f"{item.name} ({where}) is evidence for {claim}, which no file claims: "
                                  "add the claim, or mend the id")  # fmt: skip


def collect(roots: Sequence[Root]) -> Collection:
    """Read the claims under the roots and find the files of their evidence; nothing is imported."""
    claims: dict[str, Claim] = {}
    kernel: list[Evidence] = []
    problems: list[Problem] = []
    preludes: dict[str, str] = {}
    homes: dict[str, Root] = {}
    for root in roots:
        for path in root.claim_files():
            preludes |= read_preludes(path)
            read, faults = read_claims(path, path.relative_to(root.path).as_posix())
            problems += faults
            for claim in read:
                if claim.id in claims:
                    first = claims[claim.id]
                    message = f"the id stands twice, in {first.file}:{first.line} and {claim.file}:{claim.line}"
                    problems.append(Problem(claim.id, f"{message}: rename or remove one"))
                else:
                    claims[claim.id] = claim
                    homes[claim.id] = root
                    kernel += _kernel_evidence(claim, path, root)
    problems += [
        Problem(claim.id, f"corrected = {claim.corrected!r} names no claim: add it, or mend the id")
        for claim in claims.values()
        if claim.corrected and claim.corrected not in claims
    ]
    files = tuple(_evidence_files(roots))
    return Collection(tuple(roots), claims, tuple(kernel), files, tuple(problems), preludes, homes)


def _kernel_evidence(claim: Claim, path: Path, root: Root) -> Iterator[Evidence]:
    for item in claim.kernel:
        name = ", ".join(item.theorems)
        aims = (Aim((claim.id,), item.form, "kernel"),)
        yield Evidence(root.module_of(path), name, aims, item.shows or name, str(path), claim.line, item)


def load_module(root: Root, name: str) -> ModuleType:
    """Import a module of a root under the root's package, so that relative imports work wherever the root is."""
    watch()
    known = sys.modules.get(root.package)
    if known is not None and list(known.__path__) != [str(root.path)]:
        for module in [module for module in sys.modules if module.split(".")[0] == root.package]:
            del sys.modules[module]
    if root.package not in sys.modules:
        spec = ModuleSpec(root.package, None, is_package=True)
        spec.submodule_search_locations = [str(root.path)]
        sys.modules[root.package] = module_from_spec(spec)
    return importlib.import_module(name)


def _concerns(names: Iterable[str], selectors: Sequence[str]) -> bool:
    return not selectors or any(selects(selector, name) for name in names for selector in selectors)


def _evidence_files(roots: Sequence[Root]) -> Iterator[EvidenceFile]:
    for root in roots:
        for path in root.python_files():
            try:
                text = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                text = "evidence("  # importing it will say what is wrong
            if "evidence(" in text:
                yield EvidenceFile(root, path, _names(text))


@cache
def _names(text: str) -> frozenset[str] | None:
    """Return the claim ids in the calls of `evidence`, or None if one is not a literal."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node.func) == "evidence":
            for argument in node.args:
                if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
                    return None
                names.add(argument.value)
    return frozenset(names)


def _called(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _last_line(error: BaseException) -> str:
    return " ".join(traceback.format_exception_only(error)[-1].split())


def _suggestion(selector: str, claims: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(selector, list(claims), n=3, cutoff=0.6)
    papers = ", ".join(sorted({claim.split(".")[0] for claim in claims})) or "none is there"
    return f"a claim id, such as {', '.join(near)}" if near else f"a claim id, or a prefix of one such as {papers}"
