"""Small scenarios of the DT fluid model, in the form of ``dtmodel simulate``, and what the exact engine answers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dtmodel.fluid import answer
from dtmodel.ledger import Counterexample, Witness

__all__ = ["answer", "burst", "dt", "refutes", "steady"]

Queue = dict[str, Any]


def burst(rate: str, end: str | None = None) -> Queue:
    """Return an empty queue that is offered `rate` from time 0 to `end`, or for ever."""
    return {"arrivals": [["0", rate], *([[end, "0"]] if end else [])]}


def steady(rate: str = "2") -> Queue:
    """Return a queue in steady state that is offered `rate`."""
    return {"arrivals": [["0", rate]], "initial": "steady"}


def dt(
    queues: Sequence[Queue], *, buffer: str, until: str, alpha: str = "1", sample: Sequence[str] = (), ports: int = 0
) -> dict[str, Any]:
    """Return a scenario of a DT switch whose ports send 1 byte each second."""
    return {
        "switch": {"ports": ports or len(queues), "buffer": buffer, "rate": "1"},
        "policy": {"name": "dt", "alpha": alpha},
        "queues": list(queues),
        "until": until,
        "sample": list(sample),
    }


def refutes(scenario: dict[str, Any], claimed: dict[str, Any], says: str) -> Counterexample:
    """Run a scenario; what the statement claims must not be what happens."""
    found = answer(scenario)
    expected = {key: found[key] for key in claimed}
    return Counterexample(Witness("fluid", scenario, expected, claimed, says))


def times(values: Sequence[Fraction | None]) -> list[str | None]:
    """Write drop times as the engine does."""
    return [None if value is None else str(value) for value in values]
