"""Trees whose queues are unlike, drawn from a seed: each theorem against the exact engine of trees, ties included."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from refusals import refused

from dtmodel.derive import Limits, derive
from dtmodel.derive.theorem.check import check_case

F = Fraction
ALPHAS = ("1/2", "1", "1", "2")
SOME = (1, 10, 11, 18)
"""Seeds of theorems that are derived and checked in about a second each."""
CURVED = {28}
"""Seeds of theorems that leave a part of a curve open, on which no symbol is a rational function of the others."""


class Draw:
    """A seeded source that may put a symbol in the place of a number."""

    def __init__(self, seed: int) -> None:
        self.source, self.symbols = Random(seed), {"R": "> 1"}
        self.left = self.source.choice((1, 1, 2))
        self.counted = True  # no reserve, so that queues can be as many as a symbol says

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
            found["reserved"] = self.one("r", ">= 0, <= 1/2", "1/4", "1/2")
            self.counted = False
        if self.source.random() < 0.25:
            found["cap"] = self.one("c", "> 0", "1", "2", "3")
            if follows == "pool" and self.source.random() < 0.5:
                found["alpha"] = "inf"
        return found


def family(seed: int) -> dict[str, Any]:
    """Return a family on a buffer of 12 bytes and ports of 1 byte/s, in which one group has two classes of queues."""
    draw, source = Draw(seed), Random(-seed)
    follows = source.choice(("parent", "parent", "pool"))
    two = [{"name": "x", "size": draw.one("X", "> 0, <= 6", "4", "5")}, {"name": "y", "size": "2"}]
    pools = source.choice(([], [], [{"name": "x", "size": "4", "count": "2"}], two))
    root = "x" if pools else "pool"
    groups = [{"name": "port", **draw.limit(root, follows)}]
    if source.random() < 0.4:
        groups.append({"name": "in", **draw.limit(source.choice(("port", root)), follows)})
    if source.random() < 0.3:
        groups[-1]["count"] = draw.one("N", ">= 1", "1", "2") if draw.counted else "2"
    limits = [draw.limit("port", follows), draw.limit(source.choice(("port", groups[-1]["name"])), follows)]
    if source.random() < 0.3:
        limits.append(draw.limit(pools[-1]["name"] if pools else root, follows))
    queues = []
    for index, _ in enumerate(limits):
        rate = "R" if not index else draw.one("S", "> 0", "1/2", "1", "2", "2", "R")
        queues.append(
            {"count": draw.one("n", ">= 1", "1", "1", "2") if draw.counted else "1", "arrivals": [["0", rate]]}
        )
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


def agrees(seed: int) -> None:
    """Derive a family and compare each case with the engine at points inside it and on its boundaries."""
    theorem, source = derive(family(seed)), Random(seed)
    assert theorem.complete == (seed not in CURVED)
    for case in theorem.cases:
        check_case(theorem, case, 20, source)


@pytest.mark.parametrize("seed", SOME)
def test_a_theorem_about_unlike_queues_agrees_with_the_exact_engine_of_trees(seed: int) -> None:
    agrees(seed)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(31))
def test_many_theorems_about_unlike_queues_agree_with_the_exact_engine_of_trees(seed: int) -> None:
    agrees(seed)


SWITCH = {"symbols": {"a": "> 0", "p": "> 0", "q": "> 0", "B": "> 0", "C": "> 0", "R": "> C"},
          "switch": {"buffer": "B", "rate": "C"}}  # fmt: skip
PORT = [{"name": "port", "alpha": "a"}]
BURST, STEADY = {"arrivals": [["0", "R"]]}, {"arrivals": [["0", "C"]], "initial": "steady"}


def of_a_port(*asks: Any, **policy: Any) -> dict[str, Any]:
    """Return a burst beside a steady queue of another factor in the same port."""
    limits = [{"alpha": "p", "parent": "port"}, {"alpha": "q", "parent": "port"}]
    rules = {"name": "hierarchy", "limits": limits, "groups": PORT, **policy}
    return SWITCH | {"policy": rules, "queues": [BURST, STEADY], "ask": list(asks)}


def test_a_slow_burst_and_a_steady_queue_divide_a_port_by_their_factors() -> None:
    theorem, source = derive(of_a_port({"length_at_first_drop": 0})), Random(3)
    assert theorem.complete
    for _ in range(40):
        a, p, q, B, C = (F(source.randint(1, 24), source.randint(1, 4)) for _ in range(5))
        factors, slow = p + q, (1 + q * (1 + a)) * C / (q * (1 + a))
        port = a * factors / (1 + factors)
        length = p / factors * port * B / (1 + port)
        assert theorem.exact(a=a, p=p, q=q, B=B, C=C, R=C + slow / 2)["length_at_first_drop"] == length


def test_each_of_several_slices_is_a_buffer_of_its_own() -> None:
    slices = of_a_port({"first_drop": 0}, pools=[{"name": "slice", "size": "B/k", "count": "k"}])
    slices["symbols"] = slices["symbols"] | {"k": ">= 1"}
    theorem, whole, source = derive(slices), derive(of_a_port({"first_drop": 0})), Random(5)
    assert theorem.complete
    for _ in range(40):
        values = {name: F(source.randint(1, 24), source.randint(1, 4)) for name in "apqBC"}
        k, R = source.randint(1, 5), values["C"] + F(source.randint(1, 24), 4)
        small = whole.exact(**values | {"B": values["B"] / k}, R=R)
        assert theorem.exact(**values, R=R, k=k) == small | {"free_at_first_drop": k * small["free_at_first_drop"]}


def test_reserves_of_all_queues_and_groups_are_taken_out_of_the_buffer() -> None:
    document = of_a_port({"length": 0, "at": "B/(8*C)"}, groups=[{**PORT[0], "reserved": "B/30", "count": 2}])
    document["policy"]["limits"][0]["reserved"] = "B/24"
    document["queues"] = [BURST | {"count": 3}, {"arrivals": [["0", "3*C"]]}]
    document["symbols"] = {"B": "> 0", "C": "> 0", "R": "> C", "a": "== 1", "p": "== 1", "q": "== 2"}
    theorem = derive(document)
    assert theorem.complete
    assert theorem.check_points(points=4) >= 4


def test_two_unlike_queues_of_a_port_have_six_cases_if_their_limits_follow_the_pool() -> None:
    document = of_a_port({"first_drop": 0}, follows="pool")
    document["symbols"] = document["symbols"] | {"S": "> C"}
    theorem = derive(document | {"queues": [BURST, {"arrivals": [["0", "S"]]}]}, Limits(seconds=90))
    assert theorem.complete
    assert len(theorem.cases) == 6


def test_limits_of_groups_have_no_certificate() -> None:
    with refused("policy.limits", match="one expression each"):
        derive(of_a_port({"first_drop": 0})).certificate()


def test_a_steady_queue_whose_port_may_be_full_before_it_is_refused() -> None:
    with refused("queues[1].initial", "steady", match="group above the queue is full"):
        derive(of_a_port({"first_drop": 0}, follows="pool"))


def test_a_steady_queue_whose_port_has_room_is_not_refused() -> None:
    document = of_a_port({"first_drop": 0}, follows="pool")
    document["symbols"] = document["symbols"] | {"a": "> p + q"}
    theorem = derive(document)
    assert theorem.complete
    assert theorem.check_points(points=4) >= 4


def test_lengths_beyond_a_pool_are_refused() -> None:
    document = of_a_port({"first_drop": 0}, pools=[{"name": "slice", "size": "B/2"}])
    document["queues"] = [BURST | {"initial": "B"}, STEADY | {"initial": "0"}]
    with refused("queues.initial", "more"):
        derive(document)
