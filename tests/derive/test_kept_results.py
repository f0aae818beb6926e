"""Kept results are those that their commands compute: a sample of rows is computed again, tables are of their rows."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import compare
import fuzz
import pytest
from ledger_cases import paper_forms

from dtmodel.companion.words import VOCABULARY
from dtmodel.derive import Limits, derive
from dtmodel.ledger.formal import Instance
from dtmodel.ledger.hunting import Target
from dtmodel.ledger.hunting_table import Table
from validation.dynaq import experiments

KEPT = Path(__file__).parents[2] / "validation" / "results"
DERIVED = {row["family"]: row for row in json.loads((KEPT / "derive.json").read_text(encoding="utf-8"))}
OPEN_LOOP = json.loads((KEPT / "dynaq-open-loop.json").read_text(encoding="utf-8"))
QUICK = sorted(name for name, row in DERIVED.items() if row["complete"] and row["regions"] < 5 and row["seconds"] == 0)
SEED = 35


def hunted() -> Table:
    return Table.read(KEPT)


def test_tables_are_written_from_the_rows_beside_them(tmp_path: Path) -> None:
    assert (KEPT / "derive.md").read_text(encoding="utf-8") == compare.table(DERIVED.values())
    runs = json.loads((KEPT / "fuzz.json").read_text(encoding="utf-8"))
    assert (KEPT / "fuzz.md").read_text(encoding="utf-8") == fuzz.report(runs)
    kept = hunted()
    Table(tmp_path, runs=kept.runs, rows=kept.rows).write()
    for name in ("hunt.json", "hunt.md"):
        assert (tmp_path / name).read_bytes() == (KEPT / name).read_bytes()


def test_counts_of_fuzzed_inputs_add_up() -> None:
    for run in json.loads((KEPT / "fuzz.json").read_text(encoding="utf-8")):
        assert run["inputs"] == sum(run["tried"].values())
        assert len(run["tried"]) > 20


def test_rows_of_random_families_add_up() -> None:
    lines = (KEPT / "derive-random.md").read_text(encoding="utf-8").splitlines()
    rows = [
        [cell.strip().replace(",", "") for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| ")
    ]
    counts = {name: list(map(int, cells)) for name, *cells in rows[1:]}
    assert counts.pop("all") == [sum(column) for column in zip(*counts.values(), strict=True)]
    assert all(families == sum(outcomes) for families, *outcomes, _, _ in counts.values())


def test_open_loop_results_of_a_sample_of_cells_are_computed_again() -> None:
    assert (OPEN_LOOP["buffer"], OPEN_LOOP["bdp"], OPEN_LOOP["queues"]) == (
        experiments.BUFFER, experiments.BDP, experiments.QUEUES,
    )  # fmt: skip
    cells = [(scenario, name) for scenario, row in OPEN_LOOP["results"].items() for name in row]
    assert cells == [(scenario, name) for scenario in experiments.SCENARIOS for name in experiments.schemes()]
    for scenario, name in random.Random(SEED).sample(cells, 2):
        assert OPEN_LOOP["results"][scenario][name] == measured(scenario, name)


@pytest.mark.exhaustive
def test_all_open_loop_results_are_computed_again() -> None:
    for scenario, row in OPEN_LOOP["results"].items():
        assert row == {name: measured(scenario, name) for name in row}


def measured(scenario: str, name: str) -> dict[str, Any]:
    scheme, loads = experiments.schemes()[name], experiments.SCENARIOS[scenario]
    found = experiments.measure(scheme, loads, OPEN_LOOP["runs"], OPEN_LOOP["until"])
    return {key: asdict(value) for key, value in found.items()}


@pytest.mark.parametrize("name", random.Random(SEED).sample(QUICK, 4))
def test_kept_rows_of_derived_theorems_are_derived_again(name: str) -> None:
    theorem = derive(getattr(compare.families, name), Limits(seconds=60))
    now = compare.certified(theorem, 60)
    now |= {"complete": theorem.complete, "cells": theorem.statistics["cells"], "regions": len(theorem.cases)}
    told = ("complete", "cells", "regions", "sums", "smt", "open")
    assert {key: now[key] for key in told} == {key: DERIVED[name][key] for key in told}
    assert DERIVED[name]["boundary"] <= 1000 * now["regions"] >= now["regions"] * DERIVED[name]["inside"]


def witnesses(rows: Mapping[tuple[str, str], Mapping[str, Any]]) -> Iterator[tuple[tuple[str, str], Mapping[str, Any]]]:
    """Yield the hypotheses of the kept hunt for which it has an instance."""
    for key, row in rows.items():
        yield from ((key, need) for need in row["hypotheses"] if need["witness"] is not None)


def test_instances_of_the_kept_hunt_show_again_that_hypotheses_are_needed() -> None:
    known = {(each.claim, each.form): each for each in paper_forms()}
    found = list(witnesses(hunted().rows))
    kinds = Counter(kind_again(known[key], need) == need["kind"] for key, need in random.Random(SEED).sample(found, 60))
    assert kinds == {True: 60}


def kind_again(target: Target, need: Mapping[str, Any]) -> str:
    """Ask an instance that one hypothesis alone excludes whether the rest of the statement holds there."""
    formal = target.formal
    (hypothesis,) = [each for each in formal.hypotheses if each.text == need["hypothesis"]]
    choice = Instance(formal, exact(need["witness"]), VOCABULARY)
    assert choice.supposed()
    told = choice.altered(formal.without(hypothesis)).truth()
    assert told.holds is False
    return "needed for a value" if told.undefined else "needed"


def exact(value: Any) -> Any:
    """Read numbers from texts; other texts are words."""
    match value:
        case dict():
            return {key: exact(item) for key, item in value.items()}
        case list():
            return [exact(item) for item in value]
        case str():
            try:
                return Fraction(value)
            except ValueError:
                return value
    return value
