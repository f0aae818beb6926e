"""Claims that need more than one theorem of the Coq development."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dtmodel.ledger import Outcome, Skipped
from dtmodel.provers import coq


def several(*names: str, example: Mapping[str, Any] | str | None = None) -> Outcome:
    """Check several theorems, of which the last one is shown; skipped if any of them is.

    Parameters
    ----------
    *names : str
        The theorems; those before the last must have an instance of their own, or share the given example.
    example : mapping or str, optional
        As in `coq.theorem`.

    Returns
    -------
    Outcome
        That of the last theorem, with the names of all.

    Raises
    ------
    ProverError
        As `coq.theorem`.
    """
    *first, last = names
    for name in first:
        outcome = coq.theorem(name, example=example)
        if isinstance(outcome, Skipped):
            return outcome
    return coq.theorem(last, example=example, detail=f"Coq theorems {', '.join(first)} and {last}")
