"""Pins: what each Coq theorem says, with every definition that it uses, fixed outside the sources.

Beside each source stands ``<File>.expected``, the statements of its theorems, for people to review. Coq must read each
as what it proved: which version printed it does not matter. One lock, ``statements.lock``, fixes these texts and, since
weakening a definition leaves them unchanged, what stands behind their words in the sources
(`dtmodel.ledger.provers.coq_source`).
"""

import contextlib
import hashlib
import json
import re
import textwrap
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path

from dtmodel.base.errors import ProverError
from dtmodel.base.files import write_whole
from dtmodel.ledger.provers.coq_build import build_directory
from dtmodel.ledger.provers.coq_project import Project
from dtmodel.ledger.provers.coq_source import Sources, one_sentence
from dtmodel.ledger.provers.coq_theorems import STANDARD_AXIOMS, Audit, Theorem, audit, run_within

LOCK = "statements.lock"
"""The file with the hash of every theorem, and the axioms."""

_REPIN = "if that is meant, pin it: python -m dtmodel.ledger.provers.coq --pin proofs/coq"
_INDENT = "  "


@dataclass(frozen=True)
class Pin:
    """What is fixed of one theorem.

    `module`: the file that it stands in, without suffix. `hash`: the digests, from the lock, of its statement and of
    all that stands behind its words. `statement`: the statement, from the file beside the source; empty if it is not
    there.
    """

    module: str
    hash: str
    statement: str


@dataclass(frozen=True)
class Pins:
    """What is fixed of a development: who printed it, the axioms that it may rest on, and each theorem.

    `closed`: the files, without suffix, whose theorems rest on no axiom at all.
    """

    coq: str = ""
    axioms: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    theorems: Mapping[str, Pin] = field(default_factory=dict)

    def hashes(self) -> dict[str, str]:
        """Return the pinned hash of each theorem."""
        return {name: pin.hash for name, pin in self.theorems.items()}


@dataclass(frozen=True)
class ReadStatement:
    """What a statement beside a source means now.

    `hash`: its digest, and that of what stands behind its words. `uses`: the definitions among that. `refused`: why Coq
    does not read it as what the theorem says; empty if it does.
    """

    hash: str
    uses: tuple[str, ...]
    refused: str


def read_pins(directory: Path) -> Pins:
    """Read the lock of a development and the statements beside its sources; empty if there is no lock.

    Raises `ProverError` if the lock is not what `write` writes.
    """
    try:
        lock = tomllib.loads((directory / LOCK).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Pins()
    except tomllib.TOMLDecodeError as error:
        raise ProverError(f"{LOCK} cannot be read ({error}); {_REPIN}") from error
    theorems: dict[str, Pin] = {}
    for module, hashes in lock.get("theorems", {}).items():
        shown = _statements(directory / f"{module}.expected")
        theorems |= {name: Pin(module, str(digest), shown.get(name, "")) for name, digest in hashes.items()}
    return Pins(str(lock.get("coq", "")), tuple(lock.get("axioms", ())), tuple(lock.get("closed", ())), theorems)


def readings(directory: Path, statements: Mapping[str, str]) -> dict[str, ReadStatement]:
    """Return what statements of theorems mean; Coq is asked once for its content whether it reads them so.

    `directory`: the development; it is built if it is not yet. `statements`: a text for each theorem; names that are
    none are left out.
    """
    found = audit(directory)
    homes = {name: Path(found.theorems[name].module).name for name in statements if name in found.theorems}
    said = json.dumps({name: statements[name] for name in homes})
    stored = build_directory(directory) / f"readings-{_digest(said)}.json"
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        known = json.loads(stored.read_text(encoding="utf-8"))
        return {name: ReadStatement(item["hash"], tuple(item["uses"]), item["refused"]) for name, item in known.items()}
    sources = Sources(directory)
    refused = _refused(directory, sources, {name: " ".join(statements[name].split()) for name in homes}, homes)
    behind = {name: sources.behind(statements[name], module) for name, module in homes.items()}
    read = {
        name: ReadStatement(f"{_digest(' '.join(statements[name].split()))}-{digest[:32]}", uses, refused.get(name, ""))
        for name, (digest, uses) in behind.items()
    }
    with contextlib.suppress(OSError):  # asked again next time
        write_whole(stored, json.dumps({name: asdict(reading) for name, reading in read.items()}))
    return read


def _refused(
    directory: Path, sources: Sources, statements: Mapping[str, str], homes: Mapping[str, str]
) -> dict[str, str]:
    """Return why Coq does not read some statements as what their theorems say, each where its file is imported.

    After one that is refused Coq is asked about those behind it.
    """
    loaded = Project.read(directory).loaded
    refused = {name: "it is not one sentence" for name, text in statements.items() if not one_sentence(text)}
    left = sorted((name for name in statements if name not in refused), key=homes.__getitem__)
    while left:
        lines = [(loaded, ""), (f"{sources.reals}\n", "")]
        for module, group in groupby(left, homes.__getitem__):
            names = list(group)
            context = sources.context(module, [statements[name] for name in names])
            lines.append((f"Module Read{module}. {context}\n", ""))
            lines += [(f"Goal {statements[name]}. exact (@{module}.{name}). Abort.\n", name) for name in names]
            lines.append((f"End Read{module}.\n", ""))
        try:
            run_within(directory, "".join(line for line, _ in lines))
            break
        except ProverError as error:
            place = re.search(r"line (\d+)", str(error))
            name = lines[int(place[1]) - 1][1] if place else ""
            if not name:
                raise
            refused[name] = str(error).partition("Error: ")[2] or str(error)
            left = left[left.index(name) + 1 :]
    return refused


def faults(pins: Pins, audit: Audit, read: Mapping[str, ReadStatement]) -> Iterator[str]:
    """Yield what differs between the pins and the development, theorem by theorem."""
    for name in pins.theorems:
        if name not in audit.theorems:
            yield f"Coq theorem {name} is pinned, but its proof is missing: restore it; {_REPIN}"
    for name, theorem in audit.theorems.items():
        fault = theorem_fault(name, theorem, pins, read)
        if fault:
            yield fault


def theorem_fault(name: str, theorem: Theorem, pins: Pins, read: Mapping[str, ReadStatement]) -> str:
    """Say what is wrong with one theorem: an axiom, or a statement or definition that is not the pinned one."""
    foreign = [axiom for axiom in theorem.axioms if axiom not in STANDARD_AXIOMS]
    allowed = () if theorem.module in pins.closed else pins.axioms
    unpinned = [axiom for axiom in theorem.axioms if axiom not in allowed]
    if foreign:
        return f"Coq theorem {name} rests on {', '.join(foreign)}: prove it from the axioms of the reals alone"
    pin = pins.theorems.get(name)
    if pin is None:
        return f"Coq theorem {name} is not pinned; {_REPIN}"
    if unpinned:
        return (
            f"Coq theorem {name} rests on the axiom {unpinned[0]}, which is not pinned for {theorem.module}; {_REPIN}"
        )
    now = read[name]
    text, _, behind = now.hash.partition("-")
    if pin.module != theorem.module or not pin.hash.startswith(text):
        return f"{theorem.module}.expected does not show what was pinned of Coq theorem {name}; {_REPIN}"
    if not pin.hash.endswith(behind):
        changed = _suspects(now, pins, read)
    elif now.refused:
        changed = f"its statement; Coq refuses the pinned one: {now.refused}"
    else:
        return ""
    return f"Coq theorem {name} is not what was pinned (changed: {changed}): restore it; {_REPIN}"


def write(directory: Path, audit: Audit, coq: str) -> Path:
    """Pin a development as it is now: write the statements beside the sources, and the lock, whose path is returned.

    What another version of Coq printed stays as it is where this one reads it as what is proved.

    Raises `ProverError` if Coq does not read a statement that it prints.
    """
    known = read_pins(directory)
    texts = {name: _shown(theorem) for name, theorem in audit.theorems.items()}
    if known.coq not in ("", coq):
        printed = {name: pin.statement for name, pin in known.theorems.items()}
        texts |= {name: printed[name] for name, read in readings(directory, printed).items() if not read.refused}
        coq = known.coq
    read = readings(directory, texts)
    unread = [f"{name} ({reading.refused})" for name, reading in read.items() if reading.refused]
    if unread:
        raise ProverError(f"Coq does not read what it prints of {', '.join(unread)}: state it otherwise")
    by_module: defaultdict[str, list[str]] = defaultdict(list)
    for name, theorem in audit.theorems.items():
        by_module[theorem.module].append(name)
    for stale in directory.rglob("*.expected"):
        if stale.relative_to(directory).with_suffix("").as_posix() not in by_module:
            stale.unlink()
    axioms = sorted({axiom for theorem in audit.theorems.values() for axiom in theorem.axioms})
    resting = {theorem.module for theorem in audit.theorems.values() if theorem.axioms}
    lines = [
        "# Of each theorem a hash of its statement, which FILE.expected shows, and of what stands behind its words.",
        "# Written when Coq's audit is pinned; review every change of these files.",
        f'coq = "{coq}"',
        f"axioms = [{', '.join(map(_string, axioms))}]",
        f"closed = [{', '.join(_string(module) for module in by_module if module not in resting)}]",
    ]
    for module, names in by_module.items():
        shown = [f"{name}:\n{textwrap.indent(texts[name], _INDENT)}\n" for name in names]
        write_whole(directory / f"{module}.expected", "\n".join(shown))
        lines += ["", f"[theorems.{_string(module)}]"]
        lines += [f"{_key(name)} = {_string(read[name].hash)}" for name in names]
    path = directory / LOCK
    write_whole(path, "\n".join(lines) + "\n")
    return path


def _suspects(now: ReadStatement, pins: Pins, read: Mapping[str, ReadStatement]) -> str:
    """Name what may have changed: the definitions that no theorem that is as pinned uses."""
    hashes = pins.hashes()
    sound = {use for name, other in read.items() if hashes.get(name) == other.hash for use in other.uses}
    suspects = [use for use in now.uses if use not in sound]
    return f"a definition that it uses, {' or '.join(suspects)}" if suspects else "how its words are read"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _shown(theorem: Theorem) -> str:
    return "\n".join(line.rstrip() for line in theorem.statement.strip().splitlines())


def _statements(path: Path) -> dict[str, str]:
    """Read the statements beside a source: each indented below the name of its theorem."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        if line and not line.startswith(_INDENT):
            name = line.removesuffix(":")
        else:
            found[name].append(line.removeprefix(_INDENT))
    return {name: "\n".join(lines).strip() for name, lines in found.items()}


def _key(name: str) -> str:
    return _string(name) if "'" in name else name


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
