"""Which engines are installed here, and what is pinned."""

from __future__ import annotations

__all__ = ["engine_versions", "pins", "theorem_statements"]


def engine_versions() -> dict[str, str]:
    """Return the version of each engine that is installed."""
    from dtmodel.ledger.cache import library_versions as libraries
    from dtmodel.provers import coq

    found = coq.version()
    return libraries() | ({"coq": found} if found else {})


def pins() -> dict[str, str]:
    """Return the pinned hashes of the Coq development, by theorem."""
    from dtmodel.papers.roots import papers_root
    from dtmodel.provers import coq_pins

    return coq_pins.read_pins(papers_root() / "proofs" / "coq").hashes()


def theorem_statements() -> dict[str, str]:
    """Return the pinned Coq statements with their files, by theorem."""
    from dtmodel.papers.roots import papers_root
    from dtmodel.provers import coq_pins

    theorems = coq_pins.read_pins(papers_root() / "proofs" / "coq").theorems
    return {name: f"in proofs/coq/{pin.module}.v\n{pin.statement}" for name, pin in theorems.items()}
