"""Look-up of ledger entries for statements: `dtmodel` registers the functions, so that this room needs no ledger."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dtmodel.base.errors import LedgerError

_WAYS: list[Callable[..., list[dict[str, Any]]]] = []
_VERDICTS: list[Callable[[str], str]] = []
_WRITERS: list[Callable[[Any, str, str | Path], list[Path]]] = []


def lead(
    way: Callable[..., list[dict[str, Any]]],
    verdicts: Callable[[str], str],
    writer: Callable[[Any, str, str | Path], list[Path]],
) -> None:
    """Register the functions that find entries and verdicts of claims, and write a claim; `dtmodel` calls it."""
    _WAYS[:], _VERDICTS[:], _WRITERS[:] = [way], [verdicts], [writer]


def write(theorem: Any, claim: str, folder: str | Path) -> list[Path]:
    """Write a derived theorem as a claim into a folder; raise `LedgerError` if no ledger is registered.

    >>> from dtmodel.base.errors import InputError
    >>> try:
    ...     write(None, "Mine", "nowhere")
    ... except InputError as error:
    ...     print(error.field)
    id
    """
    if not _WRITERS:
        raise LedgerError("no ledger: import dtmodel")
    return _WRITERS[0](theorem, claim, folder)


def verdict(claim: str) -> str:
    """Return the recorded verdict of a claim; empty if the claim or the ledger does not exist.

    >>> verdict("edt.thm1"), verdict("edt.nothing")
    ('holds-under-assumption', '')
    """
    return _VERDICTS[0](claim) if _VERDICTS else ""


def entry(claim: str) -> dict[str, Any]:
    """Return the ledger's entry of a claim; raise `LedgerError` if no ledger is registered.

    >>> entry("edt.thm1")["verdict"]
    'holds-under-assumption'
    """
    if not _WAYS:
        raise LedgerError("no ledger: import dtmodel")
    return next(row for row in _WAYS[0](claim) if row["id"] == claim)
