"""The trade-off of Section 2.2 for one burst, premises of Sections 1 and 3.3, a dedicated half, the good deal."""

from __future__ import annotations

from dtmodel.ledger import Counterexample, Witness


def values(statement: str, hypotheses: list[str], says: str, **named: object) -> Counterexample:
    """Make a counterexample of named values."""
    data = {"values": {k: str(v) for k, v in named.items()}, "hypotheses": hypotheses, "statement": statement}
    return Counterexample(Witness("values", data, says=says), says)
