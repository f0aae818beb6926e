"""An instance that a hunt found, and a point of a sweep, become claims that the ledger accepts and changes refute."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from refusals import refused

import dtmodel
from dtmodel.cli import run
from dtmodel.companion import counterexample_claim, hunt, sweep_claim, to_claim
from dtmodel.ledger.replay import replay_witness

GRID: dict[str, Any] = {
    "scenario": {
        "switch": {"ports": 2, "buffer": "6 KB", "rate": 1000},
        "policy": {"name": "dt", "alpha": 1},
        "queues": [{"arrivals": [[0, 3000]]}, {"arrivals": [["1/2", 3000]]}],
        "until": 9,
    },
    "axes": {
        "alpha": {"set": "policy.alpha", "values": ["1/3", 1, 2]},
        "buffer": {"set": "switch.buffer", "from": "1 KB", "to": "2 KB", "count": 2},
    },
    "measure": ["first_drop", "dropped"],
}
STATEMENT = {"statement": "edt.thm1", "given": {"B": 12, "C": 1, "M": 1, "N": 0, "R": 3},
             "axes": {"alpha": {"values": [1, 2]}}}  # fmt: skip


def claims(folder: Path) -> dict[str, Any]:
    return dict(tomllib.loads((folder / "claims.toml").read_text(encoding="utf-8"))["claim"])


@pytest.mark.parametrize("claim", ["edt.fn9", "edt.eq33", "dynaq.alg1.line2.exists"])
def test_a_counterexample_becomes_a_refuted_claim_with_its_witness(claim: str, tmp_path: Path) -> None:
    row = next(row for row in hunt(claim, cases=300) if row["counterexample"])
    to_claim(row, "mine.found", tmp_path)
    written = claims(tmp_path)["mine.found"]
    assert (written["verdict"], claim in written["source"]) == ("refuted", True)
    outcome = counterexample_claim("mine.found", str(tmp_path / "evidence.py"))
    assert replay_witness(outcome.witness, {}).fault == ""
    assert written["formal_witness"] in outcome.detail
    kept = dict(outcome.witness.data["values"])
    assert kept.pop("true") == "0"
    assert {name: row["counterexample"][name] for name in kept} == kept != {}


def test_an_instance_in_which_the_statement_is_true_refutes_nothing(tmp_path: Path) -> None:
    (row,) = hunt("edt.fn9", cases=50)
    to_claim(row, "mine.found", tmp_path)
    path = tmp_path / "claims.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("M = 2", "M = 1"), encoding="utf-8")
    with pytest.raises(AssertionError, match="the statement is not false there"):
        counterexample_claim("mine.found", str(tmp_path / "evidence.py"))


@pytest.mark.parametrize(("grid", "at"), [(GRID, {"alpha": "1/3", "buffer": "2 KB"}), (STATEMENT, {"alpha": 2})])
def test_a_point_of_a_sweep_becomes_a_claim_with_its_exact_results(
    grid: dict[str, Any], at: dict[str, Any], tmp_path: Path
) -> None:
    to_claim(grid, "mine.point", tmp_path, at=at)
    file = str(tmp_path / "evidence.py")
    assert sweep_claim("mine.point", file).cases == 1
    kept = tmp_path / "mine.point.sweep.json"
    document = json.loads(kept.read_text(encoding="utf-8"))
    assert all(type(value) is not float for each in document["results"].values() for value in each)
    document["results"]["first_drop"][0] = "1"
    kept.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(AssertionError, match="and the claim states"):
        sweep_claim("mine.point", file)


def test_the_results_of_a_point_are_those_of_a_run(tmp_path: Path) -> None:
    to_claim(GRID, "mine.point", tmp_path, at={"alpha": 1, "buffer": 1000})
    found = json.loads((tmp_path / "mine.point.sweep.json").read_text(encoding="utf-8"))["results"]
    scenario = GRID["scenario"] | {"switch": GRID["scenario"]["switch"] | {"buffer": 1000}}
    answer = dtmodel.fluid.answer(scenario)
    assert found["first_drop"] == answer["first_drop"]
    assert found["dropped"] == answer["dropped"]


def test_the_commands_write_claims_that_verify_accepts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "mine")
    assert run(["hunt", "edt.fn9", "--cases", "50", "--claim", folder, "--id", "mine.found"]) == 0
    file = tmp_path / "grid.json"
    file.write_text(json.dumps(GRID), encoding="utf-8")
    sweep = ["sweep", str(file), "-o", str(tmp_path / "out"), "-j", "1", "--claim", folder]
    assert run([*sweep, "--id", "mine.point", "--at", "alpha=1/3", "--at", "buffer=2 KB"]) == 0
    assert {name: claim["verdict"] for name, claim in claims(tmp_path / "mine").items()} == {
        "mine.found": "refuted", "mine.point": "holds"}  # fmt: skip
    assert run(["verify", "--collection", folder, "--only-collection", "--output", str(tmp_path / "r")]) == 0
    capsys.readouterr()
    for arguments in (
        ["hunt", "edt.eq2", "--cases", "5", "--claim", folder, "--id", "mine.none"],  # no counterexample is found
        ["hunt", "edt.fn9", "--cases", "50", "--claim", folder],
        [*sweep, "--id", "mine.point", "--at", "alpha=1", "--at", "buffer=2 KB"],
        [*sweep, "--id", "mine.other", "--at", "alpha=1"],
        [*sweep, "--id", "mine.other", "--at", "alpha=7", "--at", "buffer=2 KB"],
    ):
        assert run(arguments) == 2, arguments
    assert list(claims(tmp_path / "mine")) == ["mine.found", "mine.point"]


@pytest.mark.parametrize(
    ("found", "at", "field"),
    [({"claim": "edt.eq2", "counterexample": None}, None, "found"), (3, None, "found"), (GRID, None, "at"),
     (GRID, {"alpha": 1}, "at"), (GRID, {"alpha": 1, "buffer": "2 KB", "x": 1}, "at"),
     (GRID, {"alpha": 7, "buffer": "2 KB"}, "at.alpha")],
)  # fmt: skip
def test_what_cannot_be_a_claim_is_refused_by_name(found: Any, at: Any, field: str, tmp_path: Path) -> None:
    with refused(field):
        to_claim(found, "mine.x", tmp_path, at=at)
    with refused("claim" if field == "" else "id"):
        to_claim(found, "X", tmp_path, at=at)
    assert list(tmp_path.iterdir()) == []
