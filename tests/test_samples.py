"""Files that one can write: every example runs and follows its schema; pictures and CSV of what was run."""

import csv
import io
import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dtmodel import policies
from dtmodel.cli import run
from dtmodel.cli.simulate import EXAMPLES
from dtmodel.cli.sweep import SWEPT
from dtmodel.packet import ALGORITHMS, trace

FOLDER = files("dtmodel").joinpath("examples")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(list(arguments)) == 0
    return capsys.readouterr().out


def schema(capsys: pytest.CaptureFixture[str], *arguments: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(printed(capsys, *arguments)))


def test_every_policy_that_the_fluid_model_runs_and_every_algorithm_has_an_example() -> None:
    packets_only = {"lqd", "harmonic", "followlqd", "credence", "losspriorities", "reverie", "steps", "occamy"}
    assert set(EXAMPLES) == set(policies.names()) - packets_only
    there = {path.name for path in FOLDER.iterdir()}
    wanted = {f"scenario-{name}.toml" for name in EXAMPLES} | {f"trace-{name}.toml" for name in ALGORITHMS}
    others = {"derive.toml", "claim.toml", "claim.py.txt", "experiment-incast.toml", "explain.csv"}
    assert there == wanted | {f"sweep-{name}.toml" for name in SWEPT} | others


@pytest.mark.parametrize("policy", EXAMPLES)
def test_the_example_of_a_policy_runs_and_follows_the_schema(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, policy: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(printed(capsys, "simulate", "--example", policy), encoding="utf-8")
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    assert document["policy"]["name"] == policy
    schema(capsys, "simulate", "--schema").validate(document)
    answer = json.loads(printed(capsys, "simulate", str(file), "--json"))
    assert answer["first_drop"][0] is None if policy == "edt" else answer["first_drop"][0] is not None
    assert file.read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_example_of_an_algorithm_runs_and_follows_the_schema(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, algorithm: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(printed(capsys, "trace", "--example", algorithm), encoding="utf-8")
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    schema(capsys, "trace", "--schema", algorithm).validate(document)
    answer = json.loads(printed(capsys, "trace", str(file), "--json"))
    assert answer == json.loads(json.dumps(trace(document)))
    decisions = [step["decision"] for step in answer["steps"]]
    assert ("evict" in decisions) == (algorithm == "losspass")


def test_what_the_titles_of_the_examples_say_happens() -> None:
    def example(name: str) -> dict[str, Any]:
        return trace(tomllib.loads(FOLDER.joinpath(f"trace-{name}.toml").read_text(encoding="utf-8")))

    states = [step["ports"][0]["state"] for step in example("edt")["steps"]]
    assert states == ["controlled", *["uncontrolled"] * 4, "controlled", "controlled"]
    assert [step["victim"] for step in example("dynaq")["steps"]] == [None, None, 1, None, None]


def test_the_first_example_is_printed_where_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "simulate", "--example") == printed(capsys, "simulate", "--example", "dt")
    assert printed(capsys, "trace", "--example") == printed(capsys, "trace", "--example", "losspass")
    assert printed(capsys, "derive", "--example") == FOLDER.joinpath("derive.toml").read_text(encoding="utf-8")
    for arguments in (["simulate", "--example", "lqd"], ["trace", "--schema", "dt"], ["simulate"], ["trace"]):
        assert run(arguments) == 2
        assert capsys.readouterr().err.startswith("error: ")


def test_runs_are_saved_as_pictures_and_printed_as_csv(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    names = [str(FOLDER.joinpath(f"scenario-{name}.toml")) for name in ("dt", "static")]
    text = printed(capsys, "simulate", *names, "--csv", "--save", str(tmp_path / "run.svg"))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["id"], row["queue"]) for row in rows[-2:]] == [
        ("a quarter for each", "0"),
        ("a quarter for each", "1"),
    ]
    assert rows[0]["first_drop (s)"] == "0.002"
    assert rows[0]["length at 0.001 s (bytes)"] == "125000"
    assert rows[0]["dropped (bytes)"] == "500000"
    assert rows[-1]["length at 0.006 s (bytes)"] == ""
    for number in (1, 2):
        assert (tmp_path / f"run-{number}.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert float(next(csv.DictReader(io.StringIO(printed(capsys, "simulate", names[0], "--csv", "--float"))))
                 ["first_drop (s)"]) == pytest.approx(0.002)  # fmt: skip
    assert run(["simulate", names[0], "--save", str(tmp_path / "run.nonsense")]) == 2
    assert "--save" in capsys.readouterr().err


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_traces_are_saved_as_pictures_and_printed_as_csv(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, algorithm: str
) -> None:
    name, target = str(FOLDER.joinpath(f"trace-{algorithm}.toml")), tmp_path / "trace.png"
    rows = list(csv.DictReader(io.StringIO(printed(capsys, "trace", name, "--csv", "--save", str(target)))))
    steps = json.loads(printed(capsys, "trace", name, "--json"))["steps"]
    assert [row["decision"] for row in rows] == [step["decision"] for step in steps]
    assert [int(row["step"]) for row in rows] == list(range(len(steps)))
    assert target.read_bytes().startswith(b"\x89PNG")
