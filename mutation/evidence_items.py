"""The evidence of the ledger as tests, so that it can notice a mutant: one for each piece of evidence.

Which evidence is chosen by the environment variable ``MUTATION_SELECTORS``. A piece of evidence notices a mutant if it
raises, if its witness or example no longer replays, or if it comes to another kind of outcome than on the unaltered
program (`EXPECTED`).
"""

from __future__ import annotations

import os

import pytest

from dtmodel.cli._collection import REPLAYERS, load
from dtmodel.ledger.evidence import Evidence
from dtmodel.ledger.runner import run_one

EXPECTED: dict[str, str] = {}
"""The kind of outcome of each piece of evidence on the unaltered program."""

_COLLECTION = load() if os.environ.get("MUTATION_SELECTORS") else None
_ROOTS = {root.package: root for root in _COLLECTION.roots} if _COLLECTION else {}


def _chosen() -> list[Evidence]:
    """Return the selected evidence that runs Python (the kernel does not depend on the package)."""
    if _COLLECTION is None:
        return []
    found, _ = _COLLECTION.evidence(os.environ["MUTATION_SELECTORS"].split())
    return [item for item in found if any(aim.strength != "kernel" for aim in item.aims)]


@pytest.mark.parametrize("evidence", _chosen(), ids=lambda item: f"{item.module.split('.', 1)[1]}:{item.name}")
def test_evidence(evidence: Evidence) -> None:
    """It comes to the outcome that it came to on the unaltered program."""
    ran = run_one(_ROOTS[evidence.module.split(".", 1)[0]], evidence, REPLAYERS, 60.0)
    assert not ran.fault, ran.fault
    kind = type(ran.outcome).__name__
    assert EXPECTED.setdefault(evidence.key, kind) == kind
