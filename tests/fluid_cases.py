"""The documented scenario, random bursts, batches, and engines with the memory of a policy that tests give numbers."""

import random
from fractions import Fraction
from typing import Any

from dtmodel import DT, Arrivals, Scenario, Switch
from dtmodel.fluid.batch import Batch
from dtmodel.fluid.engine import Engine
from dtmodel.fluid.scenario import QueueScenario
from dtmodel.policies.complete import FullBuffer
from dtmodel.policies.edt import CountersAndTimers

F = Fraction
EXAMPLE = {
    "id": "example",
    "switch": {"ports": 2, "buffer": "6", "rate": "1"},
    "policy": {"name": "dt", "alpha": "1"},
    "queues": [{"arrivals": [["0", "3"], ["2", "0"]], "initial": "0"}, {"arrivals": [["0", "2"]], "initial": "steady"}],
    "until": "4",
    "sample": ["1/2", "1"],
}
ANSWER = {
    "id": "example",
    "first_drop": ["1", "0"],
    "free_at_first_drop": ["2", "3"],
    "queues": [["1", "5/2"], ["2", "2"]],
    "dropped": ["2", "4"],
    "drained": ["4", "4"],
}
"""What the documentation shows, and what it answers."""


def document(policy: dict[str, Any], queues: list[dict[str, Any]], until: str = "1", **more: Any) -> dict[str, Any]:
    """A scenario of as many ports as queues, of rate 1, that share 60 bytes."""
    switch = {"ports": len(queues), "buffer": "60", "rate": "1"}
    return {"switch": switch, "policy": policy, "queues": queues, "until": until, **more}


def overloaded(number: int) -> list[dict[str, Any]]:
    """Queues on their thresholds that are offered four times their rate."""
    return [{"arrivals": [["0", "4"]], "initial": "steady"} for _ in range(number)]


def edt_engine(number, buffer, rates, thresholds, offers, initial, *, cn2, tm1, tm2):
    """An engine with EDT's memory."""
    memory = CountersAndTimers([slope for slope, _ in thresholds], cn2, tm1, tm2)
    return Engine(number, buffer, rates, thresholds, offers, initial, memory=memory)


def run_complete(buffer, rates, offers, initial, until):
    """Run complete sharing: no queue has a threshold."""
    number = type(buffer)
    limits = [None for _ in rates]
    return Engine(number, buffer, rates, limits, offers, initial, memory=FullBuffer(number)).run(until)


def batch(*cases: Scenario) -> Batch:
    made = Batch()
    for case in cases:
        made.add(case)
    return made


def on_off(queues: int, bursts: int, seed: int, until: int, parts: int = 10) -> Scenario:
    """Bursts of random lengths whose rates are tenths (or such `parts`), so that slopes tie again and again."""
    rng, made = random.Random(seed), []
    for _ in range(queues):
        now, pieces = F(0), []
        for _ in range(bursts):
            begin, end = (F(rng.randint(1, 10**6), 250_000) for _ in range(2))
            pieces += [(now + begin, F(rng.randint(11 * parts // 10, 4 * parts), parts)), (now + begin + end, F(0))]
            now += begin + end
        made.append(QueueScenario(Arrivals(pieces), F(0), F(1), rng.randint(1, 2)))
    return Scenario(1, Switch(2 * queues, queues, 1), DT(1), tuple(made), F(until), (F(until), F(1), F(until, 2)))
