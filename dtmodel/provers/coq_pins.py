"""Pins: what each Coq theorem says, with every definition that it uses, fixed outside the sources.

The manifest ``pins.toml`` stands beside the sources. Weakening a definition leaves a statement's own text unchanged; so
a theorem's hash covers its elaborated statement and those of all definitions of ours that it uses, transitively.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dtmodel.provers.coq_build import STANDARD_AXIOMS, Audit, Theorem

__all__ = ["MANIFEST", "faults", "hashes", "read", "statements", "theorem_fault", "write"]

MANIFEST = "pins.toml"

_REPIN = "if that is meant, pin it: python -m dtmodel.provers.coq --pin proofs/coq"


def read(directory: Path) -> dict[str, Any]:
    """Read the manifest of a development; empty if there is none."""
    try:
        return tomllib.loads((directory / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}


def hashes(directory: Path) -> dict[str, str]:
    """Return the pinned hash of each theorem."""
    return {name: str(entry["hash"]) for name, entry in read(directory).get("theorem", {}).items()}


def statements(directory: Path) -> dict[str, str]:
    """Return the pinned statement of each theorem."""
    return {name: str(entry["statement"]) for name, entry in read(directory).get("theorem", {}).items()}


def faults(manifest: Mapping[str, Any], audit: Audit) -> Iterator[str]:
    """Yield what differs between the pins and the development, theorem by theorem."""
    pinned = manifest.get("theorem", {})
    for name in pinned:
        if name not in audit.theorems:
            yield f"Coq theorem {name} is pinned, but its proof is missing: restore it; {_REPIN}"
    for name, theorem in audit.theorems.items():
        fault = theorem_fault(name, theorem, manifest, audit)
        if fault:
            yield fault


def theorem_fault(name: str, theorem: Theorem, manifest: Mapping[str, Any], audit: Audit) -> str:
    """Say what is wrong with one theorem: an axiom, or a statement or definition that is not the pinned one."""
    foreign = [axiom for axiom in theorem.axioms if axiom not in STANDARD_AXIOMS]
    unpinned = [axiom for axiom in theorem.axioms if axiom not in manifest.get("axioms", [])]
    if foreign:
        return f"Coq theorem {name} rests on {', '.join(foreign)}: prove it from the axioms of the reals alone"
    entry = manifest.get("theorem", {}).get(name)
    if entry is None:
        return f"Coq theorem {name} is not pinned; {_REPIN}"
    if unpinned:
        return f"Coq theorem {name} rests on the axiom {unpinned[0]}, which is not pinned; {_REPIN}"
    if entry["hash"] == theorem.hash:
        return ""
    before = manifest.get("definition", {})
    changed = [u for u in theorem.uses if before.get(u) != audit.definitions[u]]
    lost = [u for u in entry["uses"] if u not in theorem.uses]
    what = f"the definitions {', '.join(changed + lost)}" if changed or lost else "its statement"
    return f"Coq theorem {name} is not what was pinned (changed: {what}): restore it; {_REPIN}"


def write(directory: Path, audit: Audit, coq: str) -> Path:
    """Write the manifest of a development as it is now."""
    used = {name for theorem in audit.theorems.values() for name in theorem.uses}
    axioms = sorted({axiom for theorem in audit.theorems.values() for axiom in theorem.axioms})
    lines = [
        "# What the theorems say: the hash of each elaborated statement with all definitions that it uses.",
        "# Written by python -m dtmodel.provers.coq --pin; review every change of this file.",
        "",
        f'coq = "{coq}"',
        f"axioms = [{', '.join(_string(axiom) for axiom in axioms)}]",
        "",
        "[definition]",
        *(f"{_string(name)} = {_string(audit.definitions[name])}" for name in sorted(used)),
    ]
    for name, theorem in audit.theorems.items():
        lines += [
            "",
            f"[theorem.{name}]" if "'" not in name else f"[theorem.{_string(name)}]",
            f"file = {_string(theorem.module + '.v')}",
            f"hash = {_string(theorem.hash)}",
            f"uses = [{', '.join(_string(use) for use in theorem.uses)}]",
            f"statement = {_text(theorem.statement)}",
        ]
    path = directory / MANIFEST
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _text(text: str) -> str:
    body = "\n".join(line.rstrip() for line in text.strip().splitlines())
    if "'''" not in body and not body.endswith("'"):
        return f"'''\n{body}\n'''"
    escaped = body.replace("\\", "\\\\").replace('"', '\\"')
    return f'"""\n{escaped}\n"""'
