"""The evidence of the ledger as tests, so that it can notice a mutant: one for each piece of evidence.

Which files of evidence is said by the environment variable ``MUTATION_EVIDENCE``. A piece of evidence notices a mutant
if it raises, if its witness or example no longer replays, or if it comes to another kind of outcome than on the
unaltered program (`EXPECTED`).
"""

import os
from collections.abc import Iterator

import pytest

from dtmodel.companion.roots import load
from dtmodel.companion.running import REPLAYERS
from dtmodel.ledger.collection import Root, load_module
from dtmodel.ledger.evidence import Evidence, registered
from dtmodel.ledger.runner import run_one

EXPECTED: dict[str, str] = {}
"""The kind of outcome of each piece of evidence on the unaltered program."""


def _chosen() -> Iterator[tuple[Root, Evidence]]:
    """Yield the evidence that runs Python (the kernel does not depend on the package)."""
    modules = os.environ.get("MUTATION_EVIDENCE", "").split()
    for file in load().files if modules else ():
        if file.module in modules:
            found = registered(vars(load_module(file.root, file.module)))
            mine = (item for item in found if item.module == file.module)
            yield from ((file.root, item) for item in mine if any(aim.strength != "kernel" for aim in item.aims))


@pytest.mark.parametrize(("root", "evidence"), [pytest.param(*pair, id=pair[1].key) for pair in _chosen()])
def test_evidence(root: Root, evidence: Evidence) -> None:
    """A piece of evidence comes to the outcome that it came to on the unaltered program."""
    ran = run_one(root, evidence, REPLAYERS, 60.0)
    assert not ran.fault, ran.fault
    kind = type(ran.outcome).__name__
    assert EXPECTED.setdefault(evidence.key, kind) == kind
