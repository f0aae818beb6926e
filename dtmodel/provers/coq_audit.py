"""Asking Coq what the theorems of a development say, and what they rest on."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from dtmodel.errors import ProverError
from dtmodel.files import write_whole
from dtmodel.ledger.children import run_child
from dtmodel.ledger.evidence import EngineMissing
from dtmodel.provers.coq_build import build, build_directory, coqc, run_coqc
from dtmodel.provers.coq_project import Project

STANDARD_AXIOMS = (
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "Classical_Prop.classic",
    "FunctionalExtensionality.functional_extensionality_dep",
)
"""The axioms behind the real numbers of Coq's standard library; no proof may rest on another one."""

_RECHECK = 7200.0
"""Seconds for coqchk."""

_MARK = "dtmodel-question"

_DEFINED = {"def", "ind", "rec", "proj", "constr", "coe", "inst", "canonstruc"}

_WORD = re.compile(r"[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*")


@dataclass(frozen=True)
class Theorem:
    """A theorem as Coq sees it.

    Parameters
    ----------
    module : str
        The file that it stands in, below the development, without suffix; no two files have the same last name.
    statement : str
        The statement as Coq prints it for people.
    hash : str
        The digest of the elaborated statement and of every definition of ours that it uses.
    uses : tuple of str
        Those definitions, transitively.
    axioms : tuple of str
        The axioms that the proof rests on; an admitted proof is its own axiom.
    """

    module: str
    statement: str
    hash: str
    uses: tuple[str, ...]
    axioms: tuple[str, ...]


@dataclass(frozen=True)
class Audit:
    """What Coq says about a development: its theorems, and the digest of each definition."""

    theorems: Mapping[str, Theorem]
    definitions: Mapping[str, str]


def audit(directory: Path) -> Audit:
    """Build a development (once for its content, whoever asks first) and return what Coq says about it.

    Raises
    ------
    ProverError
        If a file does not compile.
    EngineMissing
        If what calls itself coqc compiles nothing, or there is no place to build.
    """
    target = build_directory(directory)
    stored = target / "audit.json"
    known = _stored(stored)
    if known:
        return known
    try:
        target.mkdir(parents=True, exist_ok=True)
        with _locked(target / "lock"):
            known = _stored(stored)
            if known:
                return known
            project = Project.read(directory)
            build(project, directory, target)
            found = _ask(project, directory, target)
            write_whole(stored, json.dumps(asdict(found)))
    except OSError as error:
        raise EngineMissing(f"Coq cannot build in {target}: {error.strerror or error}") from error
    return found


def _stored(path: Path) -> Audit | None:
    """Return what an earlier build found; a file of another shape counts as absent."""
    try:
        return _read(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def dependencies(directory: Path) -> dict[str, list[str]]:
    """Return for each theorem of a development those that its statement or proof uses, through lemmas.

    Empty if the development was not built as it is now. Coq writes down, for each file, what is declared and what is
    referred to, in the order of the text.
    """
    target, project = build_directory(directory), Project.read(directory)
    stored = target / "dependencies.json"
    with contextlib.suppress(OSError, ValueError):
        known: dict[str, list[str]] = json.loads(stored.read_text(encoding="utf-8"))
        return known
    if not (target / "audit.json").is_file():
        return {}
    uses: dict[str, set[str]] = {}
    for text in project.texts(directory):
        _references(target / f"{text.name}.glob", project.library, uses)
    theorems = {f"{module}.{name}": name for name, module in _homes(project, directory).items()}
    found = {theorems[own]: sorted(_reached(own, uses, theorems)) for own in theorems}
    with contextlib.suppress(OSError):
        write_whole(stored, json.dumps(found))
    return found


def _references(glob: Path, library: str, uses: dict[str, set[str]]) -> None:
    """Add what the declarations of a folder's files refer to, each by its file and name."""
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
    """Return a name below its file, whatever section it stands in."""
    return f"{place.partition('.')[0]}.{name}"


def _reached(name: str, uses: Mapping[str, set[str]], theorems: Mapping[str, str]) -> Iterator[str]:
    """Yield the theorems that one reaches without passing through another."""
    seen, todo = {name}, [name]
    while todo:
        for word in uses.get(todo.pop(), set()) - seen:
            seen.add(word)
            if word in theorems:
                yield theorems[word]
            else:
                todo.append(word)


def run_within(directory: Path, text: str) -> str:
    """Return what coqc says to a text that uses a development, which is built first if it is not yet.

    Raises
    ------
    ProverError
        If it does not compile, or not in time.
    """
    audit(directory)
    with TemporaryDirectory() as folder:
        (Path(folder) / "Text.v").write_text(text, encoding="utf-8")
        library = Project.read(directory).library
        return run_coqc(["-Q", str(build_directory(directory).resolve()), library, "Text.v"], Path(folder))


def rechecked(directory: Path) -> list[str]:
    """Let coqchk check all that was compiled, and what it loads, anew; return what it finds assumed.

    Raises
    ------
    ProverError
        If coqchk refuses a proof, cannot be started or does not end.
    """
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


def _homes(project: Project, directory: Path) -> dict[str, str]:
    """Return for each theorem of a development the module that it stands in."""
    home: dict[str, str] = {}
    for file, module in zip(project.files, project.modules, strict=True):
        for name in _theorems_of((directory / file).read_text(encoding="utf-8")):
            if name in home:
                raise ProverError(f"two theorems are called {name}, in {home[name]}.v and {module}.v: rename one")
            home[name] = module
    return home


def _ask(project: Project, directory: Path, target: Path) -> Audit:
    home = _homes(project, directory)
    files = dict(zip(project.modules, project.files, strict=True))
    defined = [name for text in project.texts(directory) for name in _defined(target / f"{text.name}.glob")]
    exact, shown, axioms = _answers(project, directory, target, defined, home)
    uses = {name: {w for w in _WORD.findall(exact[name]) if w in exact and w != name} for name in exact}
    uses = {name: {w for w in words if w not in home} for name, words in uses.items()}
    digests = {name: hashlib.sha256(exact[name].encode()).hexdigest() for name in exact}
    theorems = {}
    for name, module in home.items():
        used = sorted(_closure(name, uses))
        digest = hashlib.sha256("\n".join([digests[name], *(f"{u} {digests[u]}" for u in used)]).encode())
        statement = re.sub(r"(?m)^ {7}", "", re.sub(r"\A\S+\s*:\s*", "", shown[name].strip()))
        theorems[name] = Theorem(
            files[module].removesuffix(".v"), statement, digest.hexdigest(), tuple(used), axioms[name]
        )
    return Audit(theorems, {name: digests[name] for name in defined})


def _answers(
    project: Project, directory: Path, target: Path, defined: Sequence[str], home: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str], dict[str, tuple[str, ...]]]:
    """Return every definition and statement in full, every statement for people, and the axioms of every theorem.

    Before anything is imported and with ``Printing All`` each name is printed with its module and no notation hides
    anything. One ``Print Assumptions`` over all theorems costs what one costs; each is asked about by itself only if
    there is a doubt.
    """
    exactly = {name: f"Print {name}." for name in defined} | {t: f"Check {m}.{t}." for t, m in home.items()}
    names = [f"{module}.{name}" for name, module in home.items()]
    real = any("Reals" in (directory / name).read_text(encoding="utf-8") for name in project.files)
    head = f"{project.loaded}Set Printing Depth 1000000.\n"
    said = _query(
        project,
        target,
        f"{head}Set Printing Width 1000000.\nSet Printing All.",
        *_asked("exact", exactly),
        *_asked("axioms", {"all": assumptions_of(names)}),
        f"Unset Printing All.\nSet Printing Width 100.\nImport {' '.join(project.modules)}.",
        "Require Import Reals.\nOpen Scope R_scope." if real else "",
        *_asked("shown", {name: f"Check {module}.{name}." for name, module in home.items()}),
    )
    found = assumptions(said["axioms"]["all"])
    axioms = dict.fromkeys(home, found)
    if not set(found) <= set(STANDARD_AXIOMS):
        each = _asked("axioms", {name: f"Print Assumptions {module}.{name}." for name, module in home.items()})
        answers = _query(project, target, f"{head}Set Printing Width 1000.", *each)["axioms"]
        axioms = {name: assumptions(answers[name]) for name in home}
    exact = {name: " ".join(text.split()) for name, text in said["exact"].items()}
    return exact, said.get("shown", {}), axioms


def _asked(kind: str, questions: Mapping[str, str]) -> Iterator[str]:
    for name, question in questions.items():
        yield f'Goal True. idtac "{_MARK} {kind} {name}". Abort.\n{question}'


def _query(project: Project, target: Path, *lines: str) -> dict[str, dict[str, str]]:
    """Put questions to Coq in one file and return its answers, by kind and name."""
    (target / "Audit.v").write_text("\n".join(lines), encoding="utf-8")
    answers: dict[str, dict[str, str]] = {}
    for part in coqc(project, target, "Audit.v").split(f"{_MARK} ")[1:]:
        title, _, answer = part.partition("\n")
        kind, name = title.split()
        answers.setdefault(kind, {})[name] = answer
    return answers


def assumptions_of(names: Iterable[str]) -> str:
    """Write the question what some theorems rest on together, which costs what one of them costs.

    They are put beside each other, not into a tuple: its type would be checked again with each of them.
    """
    stated = "".join(f"let _ := {name} in\n" for name in names)
    return f"Definition everything : unit :=\n{stated}tt.\nPrint Assumptions everything.\n"


def assumptions(answer: str) -> tuple[str, ...]:
    r"""Read what ``Print Assumptions`` says: the names of axioms, and any other line that is not a type.

    Examples
    --------
    >>> assumptions("Axioms:\nfoo : 1 = 2\nlong.name\n  : Prop\n")
    ('foo', 'long.name')
    >>> assumptions("Closed under the global context")
    ()
    """
    lines = [line for line in answer.splitlines() if line.strip() and not line.startswith(" ")]
    kept = [line for line in lines if line.strip() not in ("Axioms:", "Closed under the global context")]
    return tuple(sorted({line.split(" :")[0].strip() for line in kept}))


def _theorems_of(source: str) -> list[str]:
    """Return the names declared by ``Theorem``: the statements that stand for themselves."""
    return re.findall(r"(?m)^\s*Theorem\s+([A-Za-z_][\w']*)", _without_comments(source))


def _without_comments(source: str) -> str:
    kept, depth = [], 0
    for part in re.split(r"(\(\*|\*\))", source):
        if part == "(*":
            depth += 1
        elif part == "*)":
            depth -= 1
        elif depth == 0:
            kept.append(part)
    return " ".join(kept)


def _defined(glob: Path) -> Iterator[str]:
    for line in glob.read_text(encoding="utf-8").splitlines():
        parts = line.split()
        if len(parts) == 4 and parts[0] in _DEFINED:
            yield _in_file(*parts[2:])


def _closure(name: str, uses: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    todo: Sequence[str] = list(uses[name])
    while todo:
        seen |= set(todo)
        todo = [word for item in todo for word in uses[item] if word not in seen]
    return seen


@lru_cache(1)
def _read(text: str) -> Audit:
    document = json.loads(text)
    theorems = {
        name: Theorem(item["module"], item["statement"], item["hash"], tuple(item["uses"]), tuple(item["axioms"]))
        for name, item in document["theorems"].items()
    }
    return Audit(theorems, document["definitions"])


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock file, so that several processes do not build at once (where the system has such locks)."""
    with path.open("w") as lock:
        try:
            import fcntl
        except ImportError:
            yield
            return
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
