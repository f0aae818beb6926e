"""Where the ledger's entry of a statement comes from: whoever knows the claims puts the way to them here."""

from collections.abc import Callable
from typing import Any

from dtmodel.base.errors import LedgerError

_WAYS: list[Callable[..., list[dict[str, Any]]]] = []
_VERDICTS: list[Callable[[str], str]] = []


def lead(way: Callable[..., list[dict[str, Any]]], verdicts: Callable[[str], str]) -> None:
    """Say how the entries of claims, and their verdicts on record, are found; `dtmodel` does."""
    _WAYS[:] = [way]
    _VERDICTS[:] = [verdicts]


def verdict(claim: str) -> str:
    """Return the verdict on record of a claim; empty if there is no such claim, or no ledger.

    >>> verdict("edt.thm1"), verdict("edt.nothing")
    ('holds-under-assumption', '')
    """
    return _VERDICTS[0](claim) if _VERDICTS else ""


def entry(claim: str) -> dict[str, Any]:
    """Return the ledger's entry of one claim.

    Raises `LedgerError` if nobody has said where the claims are.

    >>> entry("edt.thm1")["verdict"]
    'holds-under-assumption'
    """
    if not _WAYS:
        raise LedgerError("no ledger: import dtmodel")
    return next(row for row in _WAYS[0](claim) if row["id"] == claim)
