"""The theorems of a development as Coq states them, and the axioms and lemmas that they rest on."""

import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from dtmodel.base.errors import ProverError
from dtmodel.base.files import write_whole
from dtmodel.base.workers import run_child
from dtmodel.ledger.evidence import EngineMissing
from dtmodel.ledger.provers.coq_build import build, build_directory, coqc, run_coqc
from dtmodel.ledger.provers.coq_project import Project
from dtmodel.ledger.provers.coq_source import Sources

STANDARD_AXIOMS = (
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
)
"""The axioms of the real numbers in Coq's standard library; no theorem may rest on another one."""

LOADED_AXIOMS = (*STANDARD_AXIOMS, "Classical_Prop.classic")
"""The axioms that the library of the real numbers loads; none of our theorems rests on the last one."""

_RECHECK = 7200.0  # seconds for coqchk

_MARK = "dtmodel-question"

_DEFINED = {"def", "ind", "rec", "proj", "constr", "coe", "inst", "canonstruc"}


@dataclass(frozen=True)
class Theorem:
    """A theorem as this version of Coq prints it, with its file and axioms; an admitted proof counts as an axiom."""

    module: str
    statement: str
    axioms: tuple[str, ...]


def audit(directory: Path) -> Mapping[str, Theorem]:
    """Build a development once for its content and return its theorems; raise `ProverError` or `EngineMissing`."""
    target = build_directory(directory)
    stored = target / "theorems.json"
    if (known := _stored(stored)) is not None:
        return known
    try:
        target.mkdir(parents=True, exist_ok=True)
        with _locked(target / "lock"):
            if (known := _stored(stored)) is not None:
                return known
            project = Project.read(directory)
            build(project, directory, target)
            found = _ask(project, directory, target)
            write_whole(stored, json.dumps({"theorems": {name: asdict(theorem) for name, theorem in found.items()}}))
    except OSError as error:
        raise EngineMissing(f"Coq cannot build in {target}: {error.strerror or error}") from error
    return found


def _stored(path: Path) -> Mapping[str, Theorem] | None:
    try:
        return _read(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def dependencies(directory: Path) -> dict[str, list[str]]:
    """Return for each theorem those that its proof uses, from Coq's glob files; empty if it is not built."""
    target, project = build_directory(directory), Project.read(directory)
    stored = target / "dependencies.json"
    with contextlib.suppress(OSError, ValueError):
        known: dict[str, list[str]] = json.loads(stored.read_text(encoding="utf-8"))
        return known
    if not (target / "theorems.json").is_file():
        return {}
    uses: dict[str, set[str]] = {}
    for text in project.texts(directory):
        _references(target / f"{text.name}.glob", project.library, uses)
    theorems = {f"{module}.{name}": name for name, module in Sources(directory).theorems().items()}
    found = {theorems[own]: sorted(_reached(own, uses, theorems)) for own in theorems}
    with contextlib.suppress(OSError):
        write_whole(stored, json.dumps(found))
    return found


def _references(glob: Path, library: str, uses: dict[str, set[str]]) -> None:
    """Add the references of each declaration in a folder's files, by file and name."""
    own = ""
    for line in glob.read_text(encoding="utf-8").splitlines():
        kind, *parts = line.split()
        if kind == "mod":
            own = ""
        elif kind in ("prf", *_DEFINED):
            own = _in_file(*parts[1:])
            uses.setdefault(own, set())
        elif own and len(parts) == 4 and parts[0].startswith(f"{library}."):
            uses[own].add(_in_file(*parts[1:3]))


def _in_file(place: str, name: str) -> str:
    return f"{place.partition('.')[0]}.{name}"


def _reached(name: str, uses: Mapping[str, set[str]], theorems: Mapping[str, str]) -> Iterator[str]:
    seen, todo = {name}, [name]
    while todo:
        for word in uses.get(todo.pop(), set()) - seen:
            seen.add(word)
            if word in theorems:
                yield theorems[word]
            else:
                todo.append(word)


def run_within(directory: Path, text: str) -> str:
    """Return coqc's output for a text that uses a development; raise `ProverError` if it does not compile in time."""
    audit(directory)
    with TemporaryDirectory() as folder:
        write_whole(Path(folder) / "Text.v", text, synced=False)
        library = Project.read(directory).library
        return run_coqc(
            ["-w", "none", "-Q", str(build_directory(directory).resolve()), library, "Text.v"], Path(folder)
        )


def rechecked(directory: Path) -> list[str]:
    """Check the compiled files with coqchk and return their assumptions; raise `ProverError` if a check fails."""
    audit(directory)
    project, target = Project.read(directory), build_directory(directory).resolve()
    names = [f"{project.library}.{text.name}" for text in project.texts(directory)]
    try:
        status, out, err = run_child(["coqchk", "-silent", "-o", "-Q", str(target), project.library, *names], _RECHECK)
    except OSError as error:  # a TimeoutError, too
        raise ProverError(f"coqchk does not work: {error}") from error
    if status or "Set is predicative" not in out + err:
        raise ProverError(f"coqchk refuses the development: {' '.join((err or out).split())[-600:]}")
    return [line.strip() for line in (out + err).splitlines() if re.match(r"    \S", line)]


def _ask(project: Project, directory: Path, target: Path) -> dict[str, Theorem]:
    """Return every statement, and the axioms of every theorem.

    ``Print Assumptions`` takes as long over many theorems as over one; each theorem is asked only if the joint axioms
    differ.
    """
    sources = Sources(directory)
    home = sources.theorems()
    files = dict(zip(project.modules, project.files, strict=True))
    apart = sources.apart_from_reals()
    groups = {"reals": STANDARD_AXIOMS, "apart": ()}
    group = {name: "apart" if module in apart else "reals" for name, module in home.items()}
    together = {
        which: assumptions_of(which, [f"{module}.{name}" for name, module in home.items() if group[name] == which])
        for which in groups
    }
    head = f"{project.loaded}Set Printing Depth 1000000.\nSet Printing Width 100.\n"
    said = _query(
        project,
        target,
        head,
        *_asked("axioms", together),
        f"{sources.importing(project.modules)} {sources.reals}",
        *_asked("shown", {name: f"Check {module}.{name}." for name, module in home.items()}),
    )
    found = {which: assumptions(answer) for which, answer in said["axioms"].items()}
    doubtful = {name for name, which in group.items() if not set(found[which]) <= set(groups[which])}
    each = {name: f"Print Assumptions {home[name]}.{name}." for name in home if name in doubtful}
    answers = _query(project, target, f"{head}Set Printing Width 1000.\n", *_asked("axioms", each)) if each else {}
    axioms = {name: found[which] for name, which in group.items()}
    axioms |= {name: assumptions(answer) for name, answer in answers.get("axioms", {}).items()}
    texts = {name: re.sub(r"\A\S+\s*:\s*", "", said["shown"][name].strip()) for name in home}
    return {
        name: Theorem(files[module].removesuffix(".v"), re.sub(r"(?m)^ {7}", "", texts[name]), axioms[name])
        for name, module in home.items()
    }


def _asked(kind: str, questions: Mapping[str, str]) -> Iterator[str]:
    for name, question in questions.items():
        yield f'Goal True. idtac "{_MARK} {kind} {name}". Abort.\n{question}'


def _query(project: Project, target: Path, *lines: str) -> dict[str, dict[str, str]]:
    write_whole(target / "Audit.v", "\n".join(lines), synced=False)
    answers: dict[str, dict[str, str]] = {}
    for part in coqc(project, target, "Audit.v").split(f"{_MARK} ")[1:]:
        title, _, answer = part.partition("\n")
        kind, name = title.split()
        answers.setdefault(kind, {})[name] = answer
    return answers


def assumptions_of(together: str, names: Iterable[str]) -> str:
    """Write a question for the joint axioms of theorems; a tuple would be checked again for each of them."""
    stated = "".join(f"let _ := {name} in\n" for name in names)
    return f"Definition {together} : unit :=\n{stated}tt.\nPrint Assumptions {together}.\n"


def assumptions(answer: str) -> tuple[str, ...]:
    """Read the answer of ``Print Assumptions``: the names of axioms, and any other line that is not a type."""
    lines = [line for line in answer.splitlines() if line.strip() and not line.startswith(" ")]
    kept = [line for line in lines if line.strip() not in ("Axioms:", "Closed under the global context")]
    return tuple(sorted({line.split(" :")[0].strip() for line in kept}))


@lru_cache(1)
def _read(text: str) -> Mapping[str, Theorem]:
    return {
        name: Theorem(item["module"], item["statement"], tuple(item["axioms"]))
        for name, item in json.loads(text)["theorems"].items()
    }


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("a") as lock:
        try:
            import fcntl
        except ImportError:
            yield
            return
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
