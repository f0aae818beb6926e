"""Pins: what each Coq theorem says, with every definition that it uses, fixed outside the sources.

The manifest ``pins.toml`` stands beside the sources. Weakening a definition leaves a statement's own text unchanged; so
a theorem's hash covers its elaborated statement and those of all definitions of ours that it uses, transitively.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

__all__ = ["MANIFEST", "hashes", "read", "statements"]

MANIFEST = "pins.toml"


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
