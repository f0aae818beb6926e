"""A small sweep that several files of tests share."""

from fractions import Fraction
from typing import Any

F = Fraction


SCENARIO = {
    "switch": {"ports": 3, "buffer": 6, "rate": 1},
    "queues": [{"arrivals": [[0, 3], [2, 0]]}, {"arrivals": [[0, 2]], "initial": "steady"}],
    "until": 4,
    "sample": [1, "5/2"],
}


ALPHA = {"set": "policy.alpha", "values": ["1/2", 2]}


RATE = {"set": "queues[0].arrivals[0][1]", "from": 2, "to": 4, "count": 3}


def exact(**changes: Any) -> dict[str, Any]:
    scenario = {**SCENARIO, "policy": {"name": "dt", "alpha": 1}}
    return {"arithmetic": "exact", "axes": {"alpha": ALPHA, "rate": RATE}, "scenario": scenario} | changes
