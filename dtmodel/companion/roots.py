"""The folders with claims and evidence: those of the papers, and those of the user."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dtmodel.base.errors import InputError, LedgerError

if TYPE_CHECKING:
    from dtmodel.base.caches import Store
    from dtmodel.ledger import Collection


def papers_root() -> Path:
    """Return the directory with proofs/ and validation/: the checkout, or the copy in the installed package."""
    package = Path(__file__).resolve().parents[1]
    for root in (package / "_papers", package.parent):
        if (root / "proofs").is_dir() and (root / "validation").is_dir():
            return root
    raise LedgerError("the claims and proofs are not installed: install dtmodel from its wheel or a checkout")


def store() -> Store:
    """Return the store of cached results; under CI, with the environment variable ``CI``, nothing is stored."""
    from dtmodel.base.caches import Store, cache_directory

    return Store(None if os.environ.get("CI") else cache_directory(papers_root()))


def load(folders: Sequence[str | Path] = (), *, faulty: bool = False) -> Collection:
    """Collect the claims of the papers and of further folders; refuse a file with a fault unless `faulty`."""
    from dtmodel.ledger import Root, collect
    from dtmodel.ledger.index import Index

    roots = [Root(papers_root(), "dtmodel_papers")]
    for folder in folders:
        if not Path(folder).is_dir():
            raise InputError("--collection", str(folder), "a directory with claims and evidence")
        roots.append(Root.at(Path(folder)))
    collection = collect(roots, Index(store()))
    if not faulty and (lost := [str(problem) for problem in collection.problems if not problem.claim]):
        raise LedgerError("; ".join(lost))
    return collection
