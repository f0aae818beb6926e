"""A collection: the claims and the evidence under one or more roots."""

import hashlib
import importlib
import os
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Self

from dtmodel.base.errors import InputError, LedgerError
from dtmodel.base.workers import Ended, Terminated, Work, answers
from dtmodel.ledger.captions import twice
from dtmodel.ledger.claim import Claim, Problem, inherited, read_claims, read_preludes, selects, text_of_form
from dtmodel.ledger.evidence import Aim, Evidence, refuted_by_values, registered
from dtmodel.ledger.index import Index
from dtmodel.ledger.reads import watch
from dtmodel.ledger.statement import statement_of
from dtmodel.ledger.ties import tie_faults


@dataclass(frozen=True)
class Root:
    """A directory with claims and evidence, and the package name under which its files are imported.

    Claims are the tables ``[claim."ID"]`` of its TOML files, evidence the decorated functions of its Python files:
    those below ``proofs/`` and ``validation/``, and beside them. A directory that has neither folder is searched whole,
    except for virtual environments, ``.git`` and ``node_modules``; symbolic links are followed.

    - `path` (Path): the directory.
    - `package`: the package name.

    >>> Root(Path("own"), "own").module_of(Path("own/proofs/abm/thresholds.py"))
    'own.proofs.abm.thresholds'
    """

    path: Path
    package: str

    @classmethod
    def at(cls, path: Path) -> Self:
        """Return the root at a directory, with a package name derived from its path."""
        resolved = path.resolve()
        return cls(resolved, f"dtmodel_collection_{hashlib.sha256(os.fsencode(resolved)).hexdigest()[:8]}")

    @property
    def layout(self) -> bool:
        """True if the directory has one of the folders proofs/ and validation/."""
        return bool(self._tops)

    @property
    def _tops(self) -> list[Path]:
        return [top for name in ("proofs", "validation") if (top := self.path / name).is_dir()]

    def files(self) -> list[Path]:
        """Return the TOML and Python files of the collection, and directories that cannot be listed."""
        found = (path for top in self._tops or [self.path] for path in _below(top, (top.resolve(),)))
        beside = self.path.iterdir() if self.layout else ()
        return sorted({*found, *(path for path in beside if path.suffix.lower() in _KINDS)})

    def module_of(self, path: Path) -> str:
        """Return the name under which a file is imported."""
        parts = path.relative_to(self.path).with_suffix("").parts
        return ".".join([self.package, *parts])


_KINDS = (".toml", ".py")
_ELSEWHERE = {".git", "node_modules", "__pycache__"}


def _below(folder: Path, above: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the TOML and Python files below a folder, and unreadable directories; `above` ends circles of links."""
    try:
        entries = [*folder.iterdir()]
    except OSError:
        yield folder  # reading it raises the error
        return
    if folder / "pyvenv.cfg" in entries:
        return
    for entry in entries:
        if entry.suffix.lower() in _KINDS:
            yield entry
        try:
            inside = entry.name not in _ELSEWHERE and entry.is_dir()
        except OSError:
            yield entry
            continue
        if inside and (real := entry.resolve()) not in above:
            yield from _below(entry, (*above, real))


@dataclass(frozen=True)
class EvidenceFile:
    """A Python file with evidence; `items` is None if the file must be imported to find them."""

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


StatementOf = Callable[[Claim, Mapping[str, str]], str]
"""The function that writes the statement of a claim from its forms, given the preludes."""


@dataclass(frozen=True)
class Collection:
    """Claims with their evidence, as `collect` finds them.

    - `roots`, `homes` (tuple of Root, mapping from str to Root): the searched roots, and the root of each claim by its
      id.
    - `claims` (dict from str to Claim): the claims by their ids.
    - `written` (tuple of Evidence): the evidence in claims: theorems, and numbers at which claims are false.
    - `files` (tuple): the files with other evidence.
    - `problems` (tuple of Problem): the faults of files and claims.
    - `preludes` (mapping from str to str): lines that executable statements share, by name.
    - `index` (Index): the cached facts about files.
    - `tell`: writes the statement of a claim from its forms; by default without the phrases of a vocabulary.

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
    tell: StatementOf = field(default_factory=lambda: statement_of)

    def statement(self, claim: Claim) -> str:
        """Return the statement of a claim: written from its forms, or its sentence with the meaning of its symbols."""
        return self.tell(claim, self.preludes)

    def select(self, selectors: Sequence[str]) -> dict[str, Claim]:
        """Return the claims that `selectors` name, or all; raise `InputError` if a selector names no claim."""
        for selector in selectors:
            if not any(selects(selector, claim) for claim in self.claims):
                unread = [problem.message for problem in self.problems if not problem.claim][:1]
                raise InputError("selector", selector, "; ".join([_suggestion(selector, self.claims), *unread]))
        return {name: claim for name, claim in self.claims.items() if _concerns([name], selectors)}

    def evidence(self, selectors: Sequence[str] = ()) -> tuple[list[Evidence], list[Problem]]:
        """Return the evidence for the claims that `selectors` name (imported where its text is unclear), and faults."""
        items, problems = self._evidence
        return [item for item in items if _concerns((c for aim in item.aims for c in aim.claims), selectors)], problems

    @cached_property
    def _evidence(self) -> tuple[list[Evidence], list[Problem]]:
        found = [*self.written, *(item for file in self.files for item in file.items or ())]
        problems: list[Problem] = []
        untold = Work([file for file in self.files if file.items is None], _imported, lambda _: _IMPORT)
        for file, answer in answers(1, [untold]):
            if isinstance(answer, Ended):
                problems.append(Problem("", f"{file.shown} cannot be imported: {answer.why}: mend it"))
            elif isinstance(answer, str):
                problems.append(Problem("", answer))
            else:
                found += answer
        twice = [key for key, count in Counter(item.key for item in found).items() if count > 1]
        problems += [Problem("", f"two pieces of evidence are called {key}: rename one") for key in twice]
        return found, problems + list(self._unknown_claims(found))

    def _unknown_claims(self, items: Iterable[Evidence]) -> Iterator[Problem]:
        for item in items:
            for claim in sorted({claim for aim in item.aims for claim in aim.claims} - self.claims.keys()):
                yield Problem("", f"{item.where} is evidence for {claim}, which no file claims: "
                              "add the claim, or mend the id")  # fmt: skip


_IMPORT = 120.0  # seconds that importing a file of evidence may take


def _imported(file: EvidenceFile) -> list[Evidence] | str:
    try:
        module = load_module(file.root, file.module)
    except (LedgerError, KeyboardInterrupt) as error:
        return str(error) or f"{file.shown} cannot be imported: it raised KeyboardInterrupt: mend it"
    return [item for item in registered(vars(module)) if item.module == file.module]


def collect(roots: Sequence[Root], index: Index | None = None) -> Collection:
    """Read the claims under `roots` and find the files of their evidence, without importing any.

    `index`: cached facts about files.

    >>> import dtmodel
    >>> list(collect([Root.at(Path(dtmodel.__file__).parent / "examples")]).claims)
    ['mine.first', 'mine.second']
    """
    index = index or Index()
    found = _Found(index)
    for root in dict.fromkeys(roots):
        found.read(root)
    claims = found.claims
    problems = found.problems + [
        Problem(claim.id, f"corrected = {claim.corrected!r} names no claim: add it, or mend the id")
        for claim in claims.values()
        if claim.corrected and claim.corrected not in claims
    ]
    problems += tie_faults(claims, found.preludes)
    problems += [
        Problem(one, f"its caption is that of {other}, too: say how they differ")
        for one, other in twice((claim.id, claim.paper, claim.caption) for claim in claims.values())
    ]
    written = tuple(
        item for name, claim in claims.items() for item in _written_evidence(claim, found.homes[name], found.preludes)
    )
    index.save()
    own, files = tuple(dict.fromkeys(roots)), tuple(found.files)
    return Collection(own, claims, written, files, tuple(problems), found.preludes, found.homes, index)


@dataclass
class _Found:
    index: Index
    claims: dict[str, Claim] = field(default_factory=dict)
    homes: dict[str, Root] = field(default_factory=dict)
    preludes: dict[str, str] = field(default_factory=dict)
    files: list[EvidenceFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def read(self, root: Root) -> None:
        """Read all files of a root; a file that cannot be read, or a root without claims, is a problem."""
        before = len(self.claims), len(self.problems)
        for path in root.files():
            shown = path.relative_to(root.path).as_posix()
            try:
                content = _content(path)
                if path.suffix.lower() == ".py":
                    self._python(root, path, content)
                else:
                    self._toml(root, content, shown)
            except (OSError, ValueError, RecursionError) as error:
                kind = " as TOML" if path.suffix.lower() == ".toml" else ""
                self.problems.append(Problem("", f"{shown} cannot be read{kind} ({error}): mend the file"))
        if before == (len(self.claims), len(self.problems)):
            self.problems.append(Problem("", f"{root.path} has no claims: restore them, or name another folder"))

    def _python(self, root: Root, path: Path, content: bytes) -> None:
        items = self.index.evidence(content, root.module_of(path), str(path))
        if items is None or items:
            self.files.append(EvidenceFile(root, path, items))

    def _toml(self, root: Root, content: bytes, shown: str) -> None:
        document = self.index.tables(content)
        preludes, odd = read_preludes(document, shown)
        claims, faults = read_claims(document, content.decode("utf-8-sig"), shown)
        twice = [Problem("", f"{shown}: the prelude {name} stands twice") for name in preludes if name in self.preludes]
        self.problems += [*odd, *faults, *twice]
        self.preludes |= preludes
        for claim in claims:
            first = self.claims.setdefault(claim.id, claim)
            if first is not claim:
                message = f"the id stands twice, in {first.file}:{first.line} and {claim.file}:{claim.line}"
                self.problems.append(Problem(claim.id, f"{message}: rename or remove one"))
            self.homes.setdefault(claim.id, root)


def _written_evidence(claim: Claim, root: Root, preludes: Mapping[str, str]) -> Iterator[Evidence]:
    path = root.path / claim.file
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


def _content(path: Path) -> bytes:
    """Return the content of a file; a pipe or a device may have no end."""
    if path.exists() and not path.is_file():
        raise OSError("it is not a file, or a folder that cannot be listed")
    return path.read_bytes()


def load_module(root: Root, name: str) -> ModuleType:
    """Import a module under the root's package (for relative imports); raise `LedgerError` if it cannot be imported."""
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
        file = "/".join(name.split(".")[1:]) + ".py"
        raise LedgerError(f"{file} cannot be imported: {error_line(error, str(root.path / file))}: mend it") from error


def error_line(error: BaseException, file: str) -> str:
    """Return an error as one line, with its line number if it arose in the file."""
    own = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    try:
        text = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - an error of somebody's evidence may do anything
        text = "(its text cannot be read)"
    where = f" (line {own[-1]} of {Path(file).name})" if own else ""
    return f"{type(error).__name__}{': ' if text else ''}{text[:600]}{where}"


def _concerns(names: Iterable[str], selectors: Sequence[str]) -> bool:
    return not selectors or any(selects(selector, name) for name in names for selector in selectors)


def _suggestion(selector: str, claims: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(str(selector), list(claims), n=3, cutoff=0.6)
    papers = ", ".join(sorted({claim.split(".")[0] for claim in claims})) or "none is there"
    return f"a claim id, such as {', '.join(near)}" if near else f"a claim id, or a prefix of one such as {papers}"
