"""Trees whose queues are unlike, drawn from a seed: each theorem against the exact engine of trees, ties included."""

from random import Random
from typing import Any

import pytest

from dtmodel.derive import Limits, derive
from dtmodel.derive.theorem.check import check_case

ALPHAS = ("1/2", "1", "1", "2")
SOME = (4, 16, 19, 24, 29)
"""Seeds of small theorems: a few seconds for all."""


class Draw:
    """A seeded source that may put a symbol in the place of a number."""

    def __init__(self, seed: int) -> None:
        self.source, self.symbols = Random(seed), {"R": "> 1"}
        self.left = self.source.choice((1, 1, 2))

    def one(self, name: str, domain: str, *numbers: str) -> str:
        """Return a symbol, if there may be another one, or a number."""
        if name not in self.symbols and self.left and self.source.random() < 0.3:
            self.left -= 1
            self.symbols[name] = domain
        return name if name in self.symbols and self.source.random() < 0.5 else self.source.choice(numbers)

    def limit(self, parent: str, follows: str) -> dict[str, str]:
        """Return the limit of a queue or group."""
        found = {"alpha": self.one("a", "> 0", *ALPHAS), "parent": parent}
        if self.source.random() < 0.25:
            found["reserved"] = self.one("r", ">= 0, <= 1", "1/2", "1")
        if self.source.random() < 0.25:
            found["cap"] = self.one("c", "> 0", "1", "2", "3")
            if follows == "pool" and self.source.random() < 0.5:
                found["alpha"] = "inf"
        return found


def family(seed: int) -> dict[str, Any]:
    """Return a family on a buffer of 12 bytes and ports of 1 byte/s, in which one group has two classes of queues."""
    draw, source = Draw(seed), Random(-seed)
    follows = source.choice(("parent", "parent", "pool"))
    pools = source.choice(([], [], [{"name": "x", "size": "5", "count": "2"}],
                           [{"name": "x", "size": draw.one("X", "> 0, <= 6", "4", "6")}, {"name": "y", "size": "2"}]))  # fmt: skip
    root = "x" if pools else "pool"
    groups = [{"name": "port", **draw.limit(root, follows)}]
    if source.random() < 0.4:
        groups.append({"name": "in", **draw.limit(source.choice(("port", root)), follows)})
    if source.random() < 0.3:
        groups[-1]["count"] = draw.one("N", ">= 1", "1", "2")
    limits = [draw.limit("port", follows), draw.limit(source.choice(("port", groups[-1]["name"])), follows)]
    if source.random() < 0.3:
        limits.append(draw.limit(pools[-1]["name"] if pools else root, follows))
    queues = []
    for index, _ in enumerate(limits):
        rate = "R" if not index else draw.one("S", "> 0", "1/2", "1", "2", "2", "R")
        queues.append({"count": draw.one("n", ">= 1", "1", "1", "2"), "arrivals": [["0", rate]]})
        if source.random() < 0.3:
            queues[-1]["arrivals"].append([draw.one("T", "> 0", "1", "2"), source.choice(("0", "1", "3"))])
        if source.random() < 0.2:
            queues[-1]["rate"] = source.choice(("1/2", "2"))
    if follows == "parent" and source.random() < 0.3:
        queues[1] |= {"initial": "steady", "arrivals": [["0", source.choice(("2", "3"))]]}
    ask = source.choice(({"first_drop": 0}, {"first_drop": 0}, {"first_drop": [0, 1]}, {"length_at_first_drop": 0},
                         {"dropped": 0, "at": "3"}, {"length": 1, "at": "2"}, {"threshold": 0, "at": "2"}))  # fmt: skip
    policy = {"name": "hierarchy", "limits": limits, "groups": groups, "pools": pools, "follows": follows}
    return {"symbols": draw.symbols, "policy": policy, "switch": {"buffer": "12", "rate": "1"}, "queues": queues,
            "ask": [ask]}  # fmt: skip


def agrees(seed: int, points: int) -> None:
    """Derive a family and compare each case with the engine at points inside it and on its boundaries."""
    theorem, source = derive(family(seed), Limits(seconds=120)), Random(seed)
    assert theorem.complete
    for case in theorem.cases:
        check_case(theorem, case, points, source)


@pytest.mark.parametrize("seed", SOME)
def test_a_theorem_about_unlike_queues_agrees_with_the_exact_engine_of_trees(seed: int) -> None:
    agrees(seed, 20)
