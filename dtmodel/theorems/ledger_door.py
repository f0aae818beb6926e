"""Look-up of ledger entries for statements: `dtmodel` registers the functions, so that this room needs no ledger."""

from collections.abc import Callable
from typing import Any

from dtmodel.base.errors import LedgerError

_WAYS: list[Callable[..., list[dict[str, Any]]]] = []
_VERDICTS: list[Callable[[str], str]] = []


def lead(way: Callable[..., list[dict[str, Any]]], verdicts: Callable[[str], str]) -> None:
    """Register the functions that find the entries of claims and their recorded verdicts; `dtmodel` calls it."""
    _WAYS[:] = [way]
    _VERDICTS[:] = [verdicts]


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
