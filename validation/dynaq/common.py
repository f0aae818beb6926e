"""Trace requests and witnesses for DynaQ, from the labels that an exploration returns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from dtmodel.ledger import Counterexample, Witness, check
from dtmodel.packet.dynaq import Amount, DynaQ, Port, run_trace
from dtmodel.packet.dynaq_systems import Label, as_events
from dtmodel.units import plain

__all__ = ["changed", "refuted_by", "request", "steps_of", "worst_deficit_run"]


def request(rules: DynaQ, labels: Iterable[Label]) -> dict[str, Any]:
    """Return the trace request of a run."""
    return {
        "algorithm": "dynaq",
        "buffer": plain(rules.buffer),
        "weights": [plain(weight) for weight in rules.weights],
        "tie_break": rules.tie_break,
        "admit": rules.admit,
        **({} if rules.victims == "printed" else {"victims": rules.victims}),
        "events": as_events(labels),
    }


def steps_of(asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the steps of the answer."""
    steps: list[dict[str, Any]] = run_trace(asked)["steps"]
    return steps


def changed(steps: list[dict[str, Any]], index: int, **values: object) -> list[dict[str, Any]]:
    """Return the decisions and victims of the steps, with some values of one step replaced."""
    kept = [{key: step[key] for key in ("decision", "victim")} for step in steps]
    kept[index] |= values
    return kept


def refuted_by(rules: DynaQ, labels: Iterable[Label], detail: str, **claimed: object) -> Counterexample:
    """Refute a claim about the last arrival of a run: `claimed` is what the claim says of that step."""
    asked = request(rules, labels)
    steps = steps_of(asked)
    last = max(i for i, event in enumerate(asked["events"]) if event[0] == "arrive")
    check(any(steps[last][key] != value for key, value in claimed.items()), f"the run does not show it: {steps[last]}")
    expected = {"steps": changed(steps, last, **{key: steps[last][key] for key in claimed})}
    return Counterexample(Witness("trace", asked, expected, {"steps": changed(steps, last, **claimed)}, detail), detail)


def worst_deficit_run(rules: DynaQ, L: Amount, g: Amount) -> tuple[Port, list[Label]]:
    """Drive a port to the worst deficit of queue 0, (M - 1)(L - g), in which a packet of L bytes is refused.

    Queue 1 sends packets of L - g bytes until it has taken (M - 1)(L - g) from every other queue, all of them idle.
    Queue 0 wakes up, and each of the others takes from queue 1 until its extra is L - g: then no victim has a whole L
    to spare.
    """
    port, M = Port(rules), len(rules.weights)
    S, size = rules.satisfaction, L - g
    labels: list[Label] = []

    def arrive(i: int, amount: Amount) -> None:
        labels.append(("arrive", i, amount))
        port.arrive(i, amount)

    def drain(i: int) -> None:
        while len(port.packets[i]) > 1:
            labels.append(("depart", i))
            port.depart(i)

    while any(port.thresholds[i] - S[i] > -(M - 1) * size for i in range(M) if i != 1):
        arrive(1, size)
    drain(1)
    arrive(0, size)
    for k in range(2, M):
        while port.thresholds[k] - S[k] < size:
            arrive(k, size)
        drain(k)
    while port.lengths[0] + L <= port.thresholds[0]:
        arrive(0, L)
    arrive(0, L)
    check(port.thresholds[0] == Fraction(S[0]) - (M - 1) * size, f"queue 1 ended at {port.thresholds[0]}")
    return port, labels
