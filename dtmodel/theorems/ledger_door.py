"""Look-up of ledger entries for statements: `dtmodel` registers the functions, so that this room needs no ledger."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dtmodel.base.errors import LedgerError

_WAYS: list[tuple[Callable[..., Any], ...]] = []


def lead(entries: Callable[..., Any], verdict: Callable[..., Any], write: Callable[..., Any]) -> None:
    """Register the functions that find entries and verdicts of claims, and write a claim; `dtmodel` calls it."""
    _WAYS[:] = [(entries, verdict, write)]


def write(theorem: Any, claim: str, folder: str | Path) -> list[Path]:
    """Write a derived theorem as a claim into a folder; raise `LedgerError` if no ledger is registered."""
    written: list[Path] = _ways()[2](theorem, claim, folder)
    return written


def verdict(claim: str) -> str:
    """Return the recorded verdict of a claim; empty if the claim or the ledger does not exist.

    >>> verdict("edt.thm1"), verdict("edt.nothing")
    ('holds-under-assumption', '')
    """
    return str(_ways()[1](claim)) if _WAYS else ""


def entry(claim: str) -> dict[str, Any]:
    """Return the ledger's entry of a claim; raise `LedgerError` if no ledger is registered."""
    found: dict[str, Any] = next(row for row in _ways()[0](claim) if row["id"] == claim)
    return found


def _ways() -> tuple[Callable[..., Any], ...]:
    if not _WAYS:
        raise LedgerError("no ledger: import dtmodel")
    return _WAYS[0]
