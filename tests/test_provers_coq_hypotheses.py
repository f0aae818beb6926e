"""Each hypothesis of a theorem about runs has a partner in the form of the claim that names it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dtmodel.papers.roots import load, papers_root
from dtmodel.provers import coq_pins
from dtmodel.provers.coq_hypotheses import hypotheses, unpaired

TABLES = sorted(papers_root().glob("validation/*/hypotheses.toml"))


@pytest.mark.parametrize("file", TABLES, ids=lambda file: file.parent.name)
def test_every_hypothesis_of_the_reviewed_claims_has_a_partner(file: Path) -> None:
    table: Mapping[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    pins, reviewed = coq_pins.read_pins(papers_root() / "proofs" / "coq"), set(table["reviewed"]["claims"])
    wrong, supposed, found = [], set(), set()
    for item in load().kernel:
        claim = item.aims[0].claims[0]
        for name in item.kernel.theorems if item.kernel and claim in reviewed else ():
            found.add(claim)
            supposed |= set(hypotheses(pins.theorems[name].statement))
            fault = unpaired(
                pins.theorems[name].statement, table["hypotheses"], item.kernel.says if item.kernel else ""
            )
            wrong += [f"{claim}, {name}: {fault}"] if fault else []
    assert not wrong
    assert found == reviewed
    assert set(table["hypotheses"]) == supposed, "the table has what no theorem supposes any longer"


def test_what_stands_in_the_conclusion_is_no_hypothesis() -> None:
    assert hypotheses("forall x : R, 0 < x -> (x <= 1 -> x < 2) /\\ (1 < x -> 0 < 1)") == ["0 < x"]
    assert hypotheses("forall x : R, 0 < x /\\ x < 1 -> x < 2") == ["0 < x /\\ x < 1"]
    assert hypotheses("forall x y : R, x < y <-> 0 < y - x") == []
    assert hypotheses("(exists x : R, 0 < x) -> 0 < 1") == ["(exists x : R, 0 < x)"]


@pytest.mark.parametrize(
    ("statement", "says", "fault"),
    [
        ("forall x : R, 0 < x -> x < 2", "for x > 0; x < 1; then x < 2", ""),
        ("forall x : R, 0 < x -> 1 < x -> x < 2", "for x > 0; then x < 2", "1 < x is not in the table"),
        ("forall x : R, 0 < x -> x < 2", "for x : rat; then x < 2", "0 < x has no partner: x > 0 does not stand"),
    ],
)
def test_a_planted_hypothesis_is_found(statement: str, says: str, fault: str) -> None:
    assert unpaired(statement, {"0 < x": ["x > 0"]}, says).startswith(fault)
