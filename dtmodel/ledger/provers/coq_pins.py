"""Pins: the statement of each Coq theorem, with every definition that it uses, fixed outside the sources.

``<File>.expected`` has the statements for review; Coq must read each as the theorem that it proved. ``statements.lock``
fixes these texts and the definitions behind their words, since a weakened definition changes no statement.
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
from dtmodel.ledger.provers.coq_theorems import STANDARD_AXIOMS, Theorem, audit, run_within

LOCK = "statements.lock"
"""The file with the hash of every theorem, and the axioms."""

_REPIN = "if that is meant, pin it: python -m dtmodel.ledger.provers.coq --pin proofs/coq"
_INDENT = "  "


@dataclass(frozen=True)
class Pin:
    """The pin of one theorem: file, digests of its statement and of all definitions behind it, and the statement."""

    module: str
    hash: str
    statement: str


@dataclass(frozen=True)
class Pins:
    """The pins of a development: Coq's version, the axioms, the theorems, and the `closed` files without axioms."""

    coq: str = ""
    axioms: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    theorems: Mapping[str, Pin] = field(default_factory=dict)

    def hashes(self) -> dict[str, str]:
        """Return the pinned hash of each theorem."""
        return {name: pin.hash for name, pin in self.theorems.items()}


@dataclass(frozen=True)
class ReadStatement:
    """The present meaning of a statement: digests as in `Pin`, definitions used, and the reason if Coq refuses it."""

    hash: str
    uses: tuple[str, ...]
    refused: str


def read_pins(directory: Path) -> Pins:
    """Read the lock and the pinned statements, empty without a lock; raise `ProverError` if the lock is damaged."""
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
    """Return the meaning of statements of theorems, cached by content; unknown names are left out."""
    found = audit(directory)
    homes = {name: Path(found[name].module).name for name in statements if name in found}
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
    with contextlib.suppress(OSError):  # computed again next time
        write_whole(stored, json.dumps({name: asdict(reading) for name, reading in read.items()}))
    return read


def _refused(
    directory: Path, sources: Sources, statements: Mapping[str, str], homes: Mapping[str, str]
) -> dict[str, str]:
    """Return the reasons why Coq does not read some statements as those of their theorems, by name."""
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


def faults(pins: Pins, audit: Mapping[str, Theorem], read: Mapping[str, ReadStatement]) -> Iterator[str]:
    """Yield the differences between the pins and the development, theorem by theorem."""
    for name in pins.theorems:
        if name not in audit:
            yield f"Coq theorem {name} is pinned, but its proof is missing: restore it; {_REPIN}"
    for name, theorem in audit.items():
        fault = theorem_fault(name, theorem, pins, read)
        if fault:
            yield fault


def theorem_fault(name: str, theorem: Theorem, pins: Pins, read: Mapping[str, ReadStatement]) -> str:
    """Return the fault of one theorem: an axiom, or a statement or definition that differs from the pinned one."""
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
        return f"{theorem.module}.expected does not show the pinned statement of Coq theorem {name}; {_REPIN}"
    if not pin.hash.endswith(behind):
        changed = _suspects(now, pins, read)
    elif now.refused:
        changed = f"its statement; Coq refuses the pinned one: {now.refused}"
    else:
        return ""
    return f"Coq theorem {name} differs from its pin (changed: {changed}): restore it; {_REPIN}"


def write(directory: Path, audit: Mapping[str, Theorem], coq: str) -> Path:
    """Write the statements beside the sources, and the lock, whose path is returned.

    A text of another version of Coq stays if this version reads it as the proved statement.
    """
    known = read_pins(directory)
    texts = {name: _shown(theorem) for name, theorem in audit.items()}
    if known.coq not in ("", coq):
        printed = {name: pin.statement for name, pin in known.theorems.items()}
        texts |= {name: printed[name] for name, read in readings(directory, printed).items() if not read.refused}
        coq = known.coq
    read = readings(directory, texts)
    unread = [f"{name} ({reading.refused})" for name, reading in read.items() if reading.refused]
    if unread:
        raise ProverError(f"Coq cannot read its own output for {', '.join(unread)}: state the theorem in another way")
    by_module: defaultdict[str, list[str]] = defaultdict(list)
    for name, theorem in audit.items():
        by_module[theorem.module].append(name)
    for stale in directory.rglob("*.expected"):
        if stale.relative_to(directory).with_suffix("").as_posix() not in by_module:
            stale.unlink()
    axioms = sorted({axiom for theorem in audit.values() for axiom in theorem.axioms})
    resting = {theorem.module for theorem in audit.values() if theorem.axioms}
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
    """Return the definitions that may have changed: those that no theorem with a matching pin uses."""
    hashes = pins.hashes()
    sound = {use for name, other in read.items() if hashes.get(name) == other.hash for use in other.uses}
    suspects = [use for use in now.uses if use not in sound]
    return f"a definition that it uses, {' or '.join(suspects)}" if suspects else "how its words are read"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _shown(theorem: Theorem) -> str:
    return "\n".join(line.rstrip() for line in theorem.statement.strip().splitlines())


def _statements(path: Path) -> dict[str, str]:
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
