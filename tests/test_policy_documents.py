"""A policy writes the document from which it can be read again."""

import json
from typing import Any

import pytest
from hypothesis import given

from dtmodel import DT, LQD, lab, policies, strategies
from dtmodel.cli import run
from dtmodel.policies import Hierarchy, Policy, Share


@given(strategies.policies(queues=3))
def test_a_policy_is_read_from_what_it_writes(policy: Policy) -> None:
    document = policies.written(policy)
    assert policies.read(json.loads(json.dumps(document)), {}, 3) == policy


@pytest.mark.parametrize(
    "policy",
    [LQD(), Hierarchy([Share("inf", parent="a"), Share(2, "1", 3, "a")], {"a": Share(1)}, {"slice": 9}, "pool")],
)
def test_a_policy_that_is_not_drawn_is_read_from_what_it_writes(policy: Policy) -> None:
    assert policies.read(policies.written(policy), {}, 2) == policy


def test_a_ratio_names_its_policy_as_option_policy_reads_it(capsys: Any) -> None:
    asked = ["ratio", "--ports", "2", "--buffer", "4", "--json", "--policy"]
    assert run([*asked, "dt:alpha=1/2"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["policy"] == "dt:alpha=1/2"
    assert run([*asked, json.dumps({"name": "dt", "alpha": "1/2"})]) == 0
    assert json.loads(capsys.readouterr().out) == first


def test_a_game_names_its_policy() -> None:
    assert lab.adversary(DT(1), buffer=3).answer({})["name"] == "DT, alpha = 1 with 2 ports and 3 packets"
