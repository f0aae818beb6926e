"""Scenarios for checks against the exact fluid engine, and counterexamples whose expected values the engine gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from dtmodel.fluid import answer
from dtmodel.ledger import Counterexample, Witness, check

__all__ = ["ONE_SIXTH", "Number", "Pieces", "against", "pieces", "refutes", "scenario"]

Number = int | Fraction | str
Pieces = Sequence[tuple[Number, Number]]

ONE_SIXTH: Mapping[str, Number] = {"alpha": 1, "buffer": 6, "rate": 1}
"""The small switch of the witnesses: with one steady port its queue is 3, and bursts are slow up to a rate of 3."""


def pieces(rates: Pieces) -> list[list[str]]:
    """Write arrivals as a scenario has them."""
    return [[str(time), str(rate)] for time, rate in rates]


def scenario(
    bursts: Sequence[Pieces],
    steady: Sequence[Pieces] = (),
    *,
    switch: Mapping[str, Number] = ONE_SIXTH,
    until: Number = 9,
    sample: Sequence[Number] = (),
    policy: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Ports with bursts, empty at time 0, then ports in steady state; DT unless a policy is given."""
    queues: list[dict[str, Any]] = [{"arrivals": pieces(each)} for each in bursts]
    queues += [{"arrivals": pieces(each), "initial": "steady"} for each in steady]
    return {
        "switch": {"ports": len(queues), "buffer": str(switch["buffer"]), "rate": str(switch["rate"])},
        "policy": {"name": "dt", "alpha": str(switch["alpha"]), **(policy or {})},
        "queues": queues,
        "until": str(until),
        "sample": [str(time) for time in sample],
    }


def against(request: Mapping[str, Any], claimed: Mapping[str, Any], says: str) -> Counterexample:
    """Return the counterexample in which the engine's answer differs from what is claimed."""
    found = answer(request)
    expected = {key: found[key] for key in claimed}
    check(expected != dict(claimed), f"the engine agrees with what is claimed: {claimed}")
    return Counterexample(Witness("fluid", request, expected, dict(claimed), says), says)


def refutes(values: Mapping[str, Number], hypotheses: Sequence[str], statement: str, says: str) -> Counterexample:
    """Return the counterexample with these values; the runner evaluates the hypotheses and the statement."""
    data = {"values": {key: str(value) for key, value in values.items()}, "hypotheses": list(hypotheses)}
    return Counterexample(Witness("values", {**data, "statement": statement}, says=says), says)
