"""Pins: what each Coq theorem says, with every definition that it uses, fixed outside the sources.

Beside each source stands ``<File>.expected``, the statements of its theorems as Coq prints them, for people to review.
One lock, ``statements.lock``, fixes them: a theorem's hash covers its elaborated statement and those of all definitions
of ours that it uses, transitively, because weakening a definition leaves a statement's own text unchanged.
"""

from __future__ import annotations

import textwrap
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dtmodel.errors import ProverError
from dtmodel.provers.coq_audit import STANDARD_AXIOMS, Audit, Theorem

LOCK = "statements.lock"
"""The file with the hash of every theorem, and the axioms."""

_REPIN = "if that is meant, pin it: python -m dtmodel.provers.coq --pin proofs/coq"
_INDENT = "  "


@dataclass(frozen=True)
class Pin:
    """What is fixed of one theorem.

    Parameters
    ----------
    module : str
        The file that it stands in, without suffix.
    hash : str
        The digest of its statement and of every definition that it uses, from the lock.
    statement : str
        The statement as Coq prints it, from the file beside the source; empty if it is not there.
    """

    module: str
    hash: str
    statement: str


@dataclass(frozen=True)
class Pins:
    """What is fixed of a development: the axioms that its theorems may rest on, and each theorem."""

    axioms: tuple[str, ...] = ()
    theorems: Mapping[str, Pin] = field(default_factory=dict)

    def hashes(self) -> dict[str, str]:
        """Return the pinned hash of each theorem."""
        return {name: pin.hash for name, pin in self.theorems.items()}


def read_pins(directory: Path) -> Pins:
    """Read the lock of a development and the statements beside its sources; empty if there is no lock.

    Raises
    ------
    ProverError
        If the lock is not what `write` writes.
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
    return Pins(tuple(lock.get("axioms", ())), theorems)


def faults(pins: Pins, audit: Audit) -> Iterator[str]:
    """Yield what differs between the pins and the development, theorem by theorem."""
    for name in pins.theorems:
        if name not in audit.theorems:
            yield f"Coq theorem {name} is pinned, but its proof is missing: restore it; {_REPIN}"
    for name, theorem in audit.theorems.items():
        fault = theorem_fault(name, theorem, pins, audit)
        if fault:
            yield fault


def theorem_fault(name: str, theorem: Theorem, pins: Pins, audit: Audit) -> str:
    """Say what is wrong with one theorem: an axiom, or a statement or definition that is not the pinned one."""
    foreign = [axiom for axiom in theorem.axioms if axiom not in STANDARD_AXIOMS]
    unpinned = [axiom for axiom in theorem.axioms if axiom not in pins.axioms]
    if foreign:
        return f"Coq theorem {name} rests on {', '.join(foreign)}: prove it from the axioms of the reals alone"
    pin = pins.theorems.get(name)
    if pin is None:
        return f"Coq theorem {name} is not pinned; {_REPIN}"
    if unpinned:
        return f"Coq theorem {name} rests on the axiom {unpinned[0]}, which is not pinned; {_REPIN}"
    reads_alike = (pin.module, pin.statement) == (theorem.module, _shown(theorem))
    if pin.hash != theorem.hash:
        what = _suspects(theorem, pins, audit) if reads_alike else "its statement"
        return f"Coq theorem {name} is not what was pinned (changed: {what}): restore it; {_REPIN}"
    if not reads_alike:
        return f"{theorem.module}.expected does not show what Coq theorem {name} says; {_REPIN}"
    return ""


def write(directory: Path, audit: Audit, coq: str) -> Path:
    """Pin a development as it is now: write the statements beside the sources, and the lock, whose path is returned."""
    by_module: defaultdict[str, dict[str, Theorem]] = defaultdict(dict)
    for name, theorem in audit.theorems.items():
        by_module[theorem.module][name] = theorem
    for stale in directory.rglob("*.expected"):
        if stale.relative_to(directory).with_suffix("").as_posix() not in by_module:
            stale.unlink()
    axioms = sorted({axiom for theorem in audit.theorems.values() for axiom in theorem.axioms})
    lines = [
        "# The hash of each theorem with all definitions that it uses, file by file; FILE.expected shows what it says.",
        "# Written by python -m dtmodel.provers.coq --pin; review every change of these files.",
        f'coq = "{coq}"',
        f"axioms = [{', '.join(map(_string, axioms))}]",
    ]
    for module, theorems in by_module.items():
        shown = [f"{name}:\n{textwrap.indent(_shown(theorem), _INDENT)}\n" for name, theorem in theorems.items()]
        (directory / f"{module}.expected").write_text("\n".join(shown), encoding="utf-8")
        lines += ["", f"[theorems.{_string(module)}]"]
        lines += [f"{_key(name)} = {_string(theorem.hash)}" for name, theorem in theorems.items()]
    path = directory / LOCK
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _suspects(theorem: Theorem, pins: Pins, audit: Audit) -> str:
    """Name what may have changed although the statement reads alike: what no theorem that is as pinned uses."""
    hashes = pins.hashes()
    sound = {use for name, other in audit.theorems.items() if hashes.get(name) == other.hash for use in other.uses}
    suspects = [use for use in theorem.uses if use not in sound]
    return f"a definition that it uses, {' or '.join(suspects)}" if suspects else "how Coq elaborates its statement"


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
