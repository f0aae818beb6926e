"""A collection: the claims and the evidence found under one or more roots."""

import hashlib
import importlib
import os
import sys
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Self

from dtmodel.children import Terminated
from dtmodel.errors import InputError, LedgerError
from dtmodel.ledger.claim import Claim, Problem, inherited, read_claims, read_preludes, selects, text_of_form
from dtmodel.ledger.evidence import Aim, Evidence, refuted_by_values, registered
from dtmodel.ledger.index import Index
from dtmodel.ledger.reads import watch


@dataclass(frozen=True)
class Root:
    """A directory with claims and evidence, and the package name under which its files are imported.

    Claims are the tables ``[claim."ID"]`` of ``validation/<paper>/*.toml``, evidence the decorated functions of
    ``proofs/<paper>/*.py`` and ``validation/<paper>/*.py``. A directory that has neither folder is searched whole.

    Parameters
    ----------
    path : Path
        The directory.
    package : str
        The name.

    Examples
    --------
    >>> Root(Path("own"), "own").module_of(Path("own/proofs/abm/thresholds.py"))
    'own.proofs.abm.thresholds'
    """

    path: Path
    package: str

    @classmethod
    def at(cls, path: Path) -> Self:
        """Return the root at a directory, with a package name of its own."""
        resolved = path.resolve()
        return cls(resolved, f"dtmodel_collection_{hashlib.sha256(os.fsencode(resolved)).hexdigest()[:8]}")

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
    """A Python file with evidence: its items, or None if only importing it can tell."""

    root: Root
    path: Path
    items: tuple[Evidence, ...] | None

    @property
    def module(self) -> str:
        """The name under which the file is imported."""
        return self.root.module_of(self.path)

    @property
    def shown(self) -> str:
        """The name of the file in messages and reports."""
        return self.path.relative_to(self.root.path).as_posix()


@dataclass(frozen=True)
class Collection:
    """Claims with their evidence, as `collect` finds them.

    Attributes
    ----------
    roots, homes : tuple of Root, mapping from str to Root
        Where it was looked for them, and where each claim, by its id, was found.
    claims : dict from str to Claim
        By their ids.
    written : tuple of Evidence
        What claims say of theorems, and of numbers at which they are false.
    files : tuple
        The files with other evidence, which are not imported before it is asked for.
    problems : tuple of Problem
        What is wrong beforehand.
    preludes : mapping from str to str
        What executable statements begin with, by name.
    index : Index
        What is read off the files.

    Examples
    --------
    >>> import dtmodel
    >>> found = collect([Root.at(Path(dtmodel.__file__).parent / "examples")])
    >>> [(claim.id, claim.verdict) for claim in found.select(["mine.second"]).values()]
    [('mine.second', 'refuted')]
    """

    roots: tuple[Root, ...]
    claims: dict[str, Claim]
    written: tuple[Evidence, ...]
    files: tuple[EvidenceFile, ...]
    problems: tuple[Problem, ...]
    preludes: Mapping[str, str] = field(default_factory=dict)
    homes: Mapping[str, Root] = field(default_factory=dict)
    index: Index = field(default_factory=Index)

    def select(self, selectors: Sequence[str]) -> dict[str, Claim]:
        """Return the claims that `selectors` name (all of them if there are none).

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
        """Return the evidence for the claims that `selectors` name, and what is wrong with it.

        A file is imported only where its text does not tell.
        """
        found = list(self.written)
        problems: list[Problem] = []
        for file in self.files:
            if file.items is not None:
                found += file.items
                continue
            try:
                module = load_module(file.root, file.module)
            except LedgerError as error:
                problems.append(Problem("", str(error)))
                continue
            found += [item for item in registered(vars(module)) if item.module == file.module]
        twice = [key for key, count in Counter(item.key for item in found).items() if count > 1]
        problems += [Problem("", f"two pieces of evidence are called {key}: rename one") for key in twice]
        wanted = [item for item in found if _concerns((c for aim in item.aims for c in aim.claims), selectors)]
        return wanted, problems + list(self._unknown_claims(wanted, selectors))

    def _unknown_claims(self, items: Iterable[Evidence], selectors: Sequence[str]) -> Iterator[Problem]:
        for item in items:
            for claim in sorted({claim for aim in item.aims for claim in aim.claims}):
                if claim not in self.claims and _concerns([claim], selectors):
                    where = f"{Path(item.file).name}:{item.line}"
                    yield Problem("", f"{item.name} ({where}) is evidence for {claim}, which no file claims: "
                                  "add the claim, or mend the id")  # fmt: skip


def collect(roots: Sequence[Root], index: Index | None = None) -> Collection:
    """Read the claims under some roots and find the files of their evidence; nothing is imported.

    Parameters
    ----------
    roots : sequence of Root
        Where to look.
    index : Index, optional
        What is known of the files already.

    Examples
    --------
    >>> import dtmodel
    >>> list(collect([Root.at(Path(dtmodel.__file__).parent / "examples")]).claims)
    ['mine.first', 'mine.second']
    """
    index = index or Index()
    claims: dict[str, Claim] = {}
    paths: dict[str, Path] = {}
    problems: list[Problem] = []
    preludes: dict[str, str] = {}
    homes: dict[str, Root] = {}
    for root in roots:
        for path in root.claim_files():
            shown = path.relative_to(root.path).as_posix()
            try:
                content = path.read_bytes()
                document = index.tables(content)
            except (OSError, ValueError, RecursionError) as error:
                problems.append(Problem("", f"{shown} cannot be read as TOML ({error}): mend the file"))
                continue
            said, odd = read_preludes(document, shown)
            preludes |= said
            read, faults = read_claims(document, content.decode(), shown)
            problems += odd + faults
            for claim in read:
                if claim.id in claims:
                    first = claims[claim.id]
                    message = f"the id stands twice, in {first.file}:{first.line} and {claim.file}:{claim.line}"
                    problems.append(Problem(claim.id, f"{message}: rename or remove one"))
                else:
                    claims[claim.id] = claim
                    homes[claim.id] = root
                    paths[claim.id] = path
    problems += [
        Problem(claim.id, f"corrected = {claim.corrected!r} names no claim: add it, or mend the id")
        for claim in claims.values()
        if claim.corrected and claim.corrected not in claims
    ]
    written = [
        item for name, claim in claims.items() for item in _written_evidence(claim, paths[name], homes[name], preludes)
    ]
    files = tuple(_evidence_files(roots, index))
    index.save()
    return Collection(tuple(roots), claims, tuple(written), files, tuple(problems), preludes, homes, index)


def _written_evidence(claim: Claim, path: Path, root: Root, preludes: Mapping[str, str]) -> Iterator[Evidence]:
    module, file = root.module_of(path), str(path)
    for item in claim.kernel:
        name = ", ".join(item.theorems)
        aims = (Aim((claim.id,), item.form, "kernel"),)
        with_form = replace(item, says=inherited(text_of_form(claim, item.form), preludes))
        yield Evidence(module, name, aims, item.shows or name, file, claim.line, with_form)
    for each in claim.refuted:
        aims = (Aim((claim.id, *each.also), "printed", each.strength),)
        shown = refuted_by_values(each.values, each.statement, each.says, each.given)
        yield Evidence(module, each.name, aims, each.shows, file, claim.line, refuted=shown)


def load_module(root: Root, name: str) -> ModuleType:
    """Import a module of a root under the root's package, so that relative imports work wherever the root is.

    Raises `LedgerError` if it cannot be imported.
    """
    watch()
    known = sys.modules.get(root.package)
    if known is not None and list(known.__path__) != [str(root.path)]:
        for module in [module for module in sys.modules if module.split(".")[0] == root.package]:
            del sys.modules[module]
    if root.package not in sys.modules:
        spec = ModuleSpec(root.package, None, is_package=True)
        spec.submodule_search_locations = [str(root.path)]
        sys.modules[root.package] = module_from_spec(spec)
    try:
        return importlib.import_module(name)
    except (KeyboardInterrupt, Terminated):
        raise
    except BaseException as error:
        shown = "/".join(name.split(".")[1:])
        said = " ".join(traceback.format_exception_only(error)[-1].split())
        raise LedgerError(f"{shown}.py cannot be imported: {said}: mend it") from error


def _concerns(names: Iterable[str], selectors: Sequence[str]) -> bool:
    return not selectors or any(selects(selector, name) for name in names for selector in selectors)


def _evidence_files(roots: Sequence[Root], index: Index) -> Iterator[EvidenceFile]:
    for root in roots:
        for path in root.python_files():
            try:
                content = path.read_bytes()
            except OSError:
                yield EvidenceFile(root, path, None)  # importing it will say what is wrong
                continue
            if b"evidence(" in content:
                yield EvidenceFile(root, path, index.evidence(content, root.module_of(path), str(path)))


def _suggestion(selector: str, claims: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(selector, list(claims), n=3, cutoff=0.6)
    papers = ", ".join(sorted({claim.split(".")[0] for claim in claims})) or "none is there"
    return f"a claim id, such as {', '.join(near)}" if near else f"a claim id, or a prefix of one such as {papers}"
