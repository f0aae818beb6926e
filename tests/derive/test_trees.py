"""Theorems about trees of limits, against the exact engine of trees and closed forms."""

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from refusals import refused

from dtmodel.base.schemas import schema_text
from dtmodel.derive import derive
from dtmodel.derive.search.trees import Tree
from dtmodel.derive.theorem.check import check_case
from proofs.check_certificates import check

F = Fraction
KNOWN = {"a": "> 0", "p": "> 0", "B": "> 0", "C": "> 0", "R": "> C"}
STEADY = {"initial": "steady", "arrivals": [["0", "C"]]}
PORT = [{"name": "port", "alpha": "a"}]


def family(limits: Any, groups: Any, queues: Any, *asks: Any, symbols: Any = None, **policy: Any) -> dict[str, Any]:
    rules = {"name": "hierarchy", "limits": limits, "groups": groups, **policy}
    return {"symbols": KNOWN | (symbols or {}), "policy": rules, "switch": {"buffer": "B", "rate": "C"},
            "queues": queues, "ask": list(asks)}  # fmt: skip


def ports(follows: str) -> dict[str, Any]:
    """A burst over k queues of an empty port, beside N ports with n steady queues each."""
    groups = [{"name": "burst", "alpha": "a"}, {"name": "steady", "alpha": "a", "count": "N"}]
    queues = [{"count": "k", "rate": "C/k", "arrivals": [["0", "R/k"]]},
              {"count": "n", "rate": "C/n", "initial": "steady", "arrivals": [["0", "C/n"]]}]  # fmt: skip
    limits = [{"alpha": "p", "parent": "burst"}, {"alpha": "p", "parent": "steady"}]
    symbols = {"k": ">= 1", "n": ">= 1", "N": ">= 0"}
    return family(limits, groups, queues, {"first_drop": 0}, symbols=symbols, follows=follows)


@pytest.mark.parametrize(("follows", "cases"), [("parent", 2), ("pool", 8)])
def test_the_first_drop_beside_steady_ports_is_theorem_1_with_the_weights_of_ports(follows: str, cases: int) -> None:
    theorem = derive(ports(follows))
    assert theorem.complete
    assert len(theorem.cases) == cases
    source = Random(7)
    for case in theorem.cases:
        inside, edge = check_case(theorem, case, 20, source)
        assert inside == edge == 20
    for _ in range(40):
        a, p, B, C, r = (F(source.randint(1, 24), source.randint(1, 4)) for _ in range(5))
        k, n, N = (source.randint(1, 4) for _ in range(3))
        A_n, A_k = (a * m * p / (1 + m * p) if follows == "parent" else min(a, m * p) for m in (n, k))
        fall = r / (1 + N * A_n) if A_n * r <= C * (1 + N * A_n) else r - N * C
        drop = A_k * B / (1 + N * A_n) / (r + A_k * fall)
        assert theorem.exact(a=a, p=p, B=B, C=C, R=C + r, k=k, n=n, N=N)["first_drop"] == drop


TREES: dict[str, dict[str, Any]] = {
    "three levels": family(
        [{"alpha": "p", "parent": "group"}, {"alpha": "a"}],
        [{"name": "port", "alpha": "a", "count": 2}, {"name": "group", "alpha": "q", "parent": "port", "count": "m"}],
        [{"count": 2, "arrivals": [["0", "R"]]}, STEADY], {"first_drop": 0}, symbols={"q": "> 0", "m": ">= 1"}),
    "endless queues": family([{"alpha": "inf", "parent": "port"}, {"alpha": "p"}], PORT,
                             [{"count": "k", "arrivals": [["0", "R"]]}, STEADY], {"first_drop": 0},
                             symbols={"k": ">= 1"}),
    "an endless group": family([{"alpha": "p", "parent": "port", "cap": "c"}], [{"name": "port", "alpha": "inf"}],
                               [{"count": "k", "arrivals": [["0", "R"]]}], {"first_drop": 0},
                               symbols={"k": ">= 1", "c": "> 0"}),
    "losses": family([{"alpha": "p", "parent": "port"}], PORT, [{"count": "k", "arrivals": [["0", "R"], ["T", "0"]]}],
                     {"dropped": 0, "by": "2*T"}, symbols={"k": ">= 1", "T": "> 0"}),
    "the long run": family([{"alpha": "p", "parent": "port"}], [{**PORT[0], "count": "N"}],
                           [{"count": "k", "arrivals": [["0", "R"]]}], {"threshold": 0, "at": "steady"},
                           {"buffer_share": 0}, symbols={"k": ">= 1", "N": ">= 1"}),
    "a static group": family([{"alpha": "p", "parent": "port"}], [{"name": "port", "cap": "c"}],
                             [{"count": 2, "arrivals": [["0", "R"]]}], {"first_drop": 0}, symbols={"c": "> 0"},
                             follows="pool"),
    "caps and reserves": family(
        [{"alpha": "p", "cap": "c", "reserved": "r", "parent": "port"}], [{**PORT[0], "cap": "d"}],
        [{"count": 2, "arrivals": [["0", "R"]]}], {"first_drop": 0},
        symbols={"r": ">= 0", "c": "> 0", "d": "> 0", "B": "> 2*r"}),
    "a length": family([{"alpha": "p", "cap": "c", "parent": "port"}], PORT, [{"count": "k", "arrivals": [["0", "R"]]}],
                       {"length": 0, "at": "T"}, symbols={"c": "> 0", "k": ">= 1", "T": "> 0"}, follows="pool"),
}  # fmt: skip


@pytest.mark.parametrize("name", TREES)
def test_a_theorem_about_a_tree_agrees_with_the_exact_engine_of_trees(name: str) -> None:
    Draft202012Validator(json.loads(schema_text("derive"))).validate(TREES[name])
    theorem = derive(TREES[name])
    assert theorem.complete
    assert theorem.check_points(points=8) >= 8


@pytest.mark.parametrize("name", ["three levels", "losses"])
def test_a_theorem_about_a_tree_has_a_certificate(name: str) -> None:
    assert check(json.loads(json.dumps(derive(TREES[name]).certificate()))) == ""


def test_limits_that_are_the_least_of_several_have_no_certificate() -> None:
    with refused("policy.limits", match="one expression each"):
        derive(TREES["a length"]).certificate()


def test_another_weight_of_a_port_is_seen_by_the_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    law = Tree.law
    monkeypatch.setattr(Tree, "law", lambda tree, index: ([f"2*({law(tree, index)[0][0]})"], []))
    with pytest.raises(AssertionError, match="simulate says"):
        derive(TREES["losses"]).check_points(points=8)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown parent": ({"limits": [{"alpha": "p", "parent": "prot"}, {"alpha": "p"}]}, "policy.limits[0].parent"),
    "too few limits": ({"limits": [{"alpha": "p"}]}, "policy.limits"),
    "no limit": ({"limits": [{}, {"alpha": "p"}]}, "policy.limits[0].cap"),
    "a pool without a size": ({"pools": [{"name": "pool"}]}, "policy.pools[0].size"),
    "a queue in neither of two pools": (
        {"pools": [{"name": "x", "size": "B/2"}, {"name": "y", "size": "B/2"}]}, "policy.groups[0].parent"),
    "pools beyond the buffer": ({"pools": [{"name": "pool", "size": "B + C"}]}, "switch.buffer"),
    "a pool and a reserve beyond the buffer": (
        {"pools": [{"name": "pool", "size": "B"}], "groups": [{**PORT[0], "reserved": "p"}]}, "switch.buffer"),
    "reserves of groups beyond the buffer": ({"groups": [{**PORT[0], "reserved": "B/2", "count": 2}]}, "switch.buffer"),
    "two pools beyond the buffer": ({"pools": [{"name": "pool", "size": "2*B/3", "count": 2}]}, "switch.buffer"),
    "a negative number of pools": ({"pools": [{"name": "pool", "size": "B/2", "count": -1}]}, "policy.pools[0].count"),
    "a port without a limit above 0": ({"groups": [{**PORT[0], "alpha": "z"}]}, "policy.groups[0].alpha"),
    "half a group": ({"groups": [{**PORT[0], "count": "1/2"}]}, "policy.groups[0].count"),
    "a static group below a room": ({"groups": [{"name": "port", "cap": "B"}]}, "policy.groups[0].alpha"),
    "two groups of one name": ({"groups": PORT * 2}, "policy.groups[1].name"),
    "another room": ({"follows": "port"}, "policy.follows"),
    "an unknown key": ({"limits": [{"beta": "p"}, {"alpha": "p"}]}, "policy.limits[0].beta"),
    "an unknown symbol": ({"limits": [{"alpha": "y"}, {"alpha": "p"}]}, "policy.limits[0].alpha"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_tree_that_has_no_theorem_is_refused_with_the_field(name: str) -> None:
    change, field = BAD[name]
    queues = [{"arrivals": [["0", "R"]]}, STEADY]
    document = family([{"alpha": "p", "parent": "port"}, {"alpha": "p"}], PORT, queues, {"first_drop": 0})
    document["symbols"] = document["symbols"] | {"z": ">= 0"}
    document["policy"] |= change
    with refused(field):
        derive(document)


@pytest.mark.parametrize("follows", ["parent", "pool"])
def test_the_limit_of_a_queue_below_a_port_is_that_of_its_level(follows: str) -> None:
    document = TREES["a length"] | {"ask": [{"threshold": 0, "at": "T"}]}
    document["policy"] = document["policy"] | {"follows": follows}
    theorem = derive(document)
    assert theorem.complete
    assert theorem.check_points(points=4) >= 8


def test_a_rate_within_a_quotient_has_the_unit_of_the_rate_that_it_is_compared_with() -> None:
    document = family([{"alpha": "p", "parent": "port"}], PORT,
                      [{"count": 2, "rate": "C/2", "arrivals": [["0", "R/2"]]}], {"first_drop": 0})  # fmt: skip
    theorem = derive(document)
    values = {"a": 1, "p": 1, "B": "5 MB", "C": "8 Gbps", "R": "16 Gbps"}
    assert theorem.evaluate(**values)["first_drop"] == F(2 * 5 * 10**6, 5 * 10**9)
    with refused("R", "2 ms"):
        theorem.evaluate(**values | {"R": "2 ms"})
