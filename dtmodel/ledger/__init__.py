"""The ledger: claims as data, evidence as functions, verdicts computed from the outcomes of the evidence.

The ledger imports no model: the roots of a collection and the engines that replay witnesses are arguments.

- ``claim`` is the id of a claim, and ``detail`` the result, in words.
"""

from dtmodel.ledger.claim import Claim, Kernel, Problem
from dtmodel.ledger.collection import Collection, Root, collect
from dtmodel.ledger.evidence import (
    Agrees,
    Conflict,
    Counterexample,
    EngineMissing,
    Evidence,
    Outcome,
    Proved,
    Repeated,
    Skipped,
    Witness,
    check,
    evidence,
    refuted_by_values,
)
from dtmodel.ledger.index import Index
from dtmodel.ledger.refuted_at import RefutedAt

__all__ = ["Agrees", "Claim", "Collection", "Conflict", "Counterexample", "EngineMissing", "Evidence", "Index",
           "Kernel", "Outcome", "Problem", "Proved", "RefutedAt", "Repeated", "Root", "Skipped", "Witness", "check",
           "collect", "evidence", "refuted_by_values"]  # fmt: skip
