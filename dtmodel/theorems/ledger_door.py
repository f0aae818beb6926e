"""Look-up of ledger entries for statements: `dtmodel` registers the functions, so that this room needs no ledger."""

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any, final

from dtmodel.base.errors import LedgerError
from dtmodel.base.mathtext import array_of, badge_of, block_of, latex_of, paragraphs_of

_WAYS: list[tuple[Callable[..., Any], ...]] = []


def lead(entries: Callable[..., Any], verdict: Callable[..., Any], write: Callable[..., Any]) -> None:
    """Register the functions that find entries and verdicts of claims, and write a claim; `dtmodel` calls it."""
    _WAYS[:] = [(entries, verdict, write)]


def write(theorem: Any, claim: str, folder: str | Path) -> list[Path]:
    """Write a derived theorem as a claim into a folder; raise `LedgerError` if no ledger is registered."""
    written: list[Path] = _ways()[2](theorem, claim, folder)
    return written


def verdict(claim: str) -> str:
    """Return the recorded verdict of a claim; empty if the claim or the ledger does not exist."""
    return str(_ways()[1](claim)) if _WAYS else ""


@final
class Entry(dict[str, Any]):
    """The entry of a claim by the names of its parts; a notebook shows its statement as mathematics."""

    def _parts(self) -> list[tuple[str, str]]:
        return [(name, text) for name, text in self.items() if text and name not in ("id", "verdict")]

    def _repr_html_(self) -> str:
        head = f"<p><strong><code>{escape(self['id'])}</code></strong> {badge_of(self['verdict'])}</p>"
        return block_of(head, paragraphs_of(self._parts()))

    def _repr_latex_(self) -> str:
        parts = [f"{self['id']}: {self['verdict']}", *(f"{name}: {text}" for name, text in self._parts())]
        return f"$${array_of(map(latex_of, parts))}$$"


def entry(claim: str) -> Entry:
    """Return the ledger's entry of a claim; raise `LedgerError` if no ledger is registered."""
    return Entry(next(row for row in _ways()[0](claim) if row["id"] == claim))


def _ways() -> tuple[Callable[..., Any], ...]:
    if not _WAYS:
        raise LedgerError("no ledger: import dtmodel")
    return _WAYS[0]
