"""Which engines are installed here, and what is pinned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["engine_versions", "pins", "theorem_statements"]


def engine_versions() -> dict[str, str]:
    """Return the version of each engine that is installed."""
    from dtmodel.ledger.cache import engine_versions as libraries
    from dtmodel.provers import coq

    found = coq.version()
    return libraries() | ({"coq": found} if found else {})


def pins() -> dict[str, str]:
    """Return the pinned hashes of the Coq development, by theorem."""
    from dtmodel.cli._collection import papers_root
    from dtmodel.provers import coq_pins

    return coq_pins.hashes(papers_root() / "proofs" / "coq")


def theorem_statements() -> dict[str, str]:
    """Return the pinned Coq statements with their files, by theorem."""
    from dtmodel.cli._collection import papers_root
    from dtmodel.provers import coq_pins

    theorems = coq_pins.read(papers_root() / "proofs" / "coq").get("theorem", {})
    return {name: _told(item) for name, item in theorems.items()}


def _told(theorem: Mapping[str, Any]) -> str:
    """Say where a theorem stands, what it says, and in whose words."""
    uses = ", ".join(theorem["uses"])
    return f"in proofs/coq/{theorem['file']}\n{theorem['statement']}" + (
        f"\nwith the definitions {uses}" if uses else ""
    )
