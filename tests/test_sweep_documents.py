"""Documents of sweeps: errors name field and point, and an example follows the schema, runs and is drawn."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pyarrow import parquet
from sweep_cases import ALPHA, RATE, SCENARIO, exact

from dtmodel import InputError, sweep
from dtmodel.base.documents import read_documents
from dtmodel.cli import run
from dtmodel.plot.heatmaps import heat_map


def test_a_chunk_is_a_table_that_others_read(tmp_path: Path) -> None:
    sweep(exact(arithmetic="float", chunk=2, measure=["dropped"]), tmp_path / "a")
    table = parquet.read_table(tmp_path / "a" / "chunk-000001.parquet")
    assert table.column_names == ["point", "alpha", "rate", "dropped", "rounded"]
    assert table.column("rate").to_pylist() == [4.0, 2.0]
    assert table.schema.field("rate").metadata == {b"unit": b"bytes/s", b"says": b"axis: queues[0].arrivals[0][1]"}


BAD: list[tuple[dict[str, Any], str]] = [
    ({"axes": {"alpha": ALPHA | {"values": ["1/2", 0]}}}, r"^at alpha = 0.0: policy.alpha: got 0"),
    ({"axes": {"alpha": ALPHA | {"values": ["1/2", "0"]}}}, r"^at alpha = 0.0: policy.alpha: got '0'"),
    ({"axes": {"alpha": ALPHA | {"set": "policy.alhpa"}}}, "policy.alhpa"),
    ({"axes": {"alpha": ALPHA | {"set": "polcy.alpha"}}}, "axes.alpha.set: got 'polcy.alpha'"),
    ({"axes": {"alpha": ALPHA | {"set": "queues[2].initial"}}}, r"axes.alpha.set: got 'queues\[2\].initial'"),
    ({"axes": {"alpha": ALPHA | {"set": "a..b"}}}, "axes.alpha.set: got 'a..b'"),
    ({"axes": {"alpha": ALPHA | {"count": 3}}}, "axes.alpha.count: got 3; expected no such key"),
    ({"axes": {"alpha": {"set": "policy.alpha", "from": 1}}}, "axes.alpha.to"),
    ({"axes": {}, "scenario": {**exact()["scenario"], "until": 0}}, "^scenario: until: got 0"),
    ({"axes": {"rate": RATE | {"from": 0, "spacing": "log"}}}, "axes.rate.from: .* ends greater than 0"),
    ({"axes": {"alpha": ALPHA | {"labels": ["a", "a"]}}}, "axes.alpha.labels"),
    ({"axes": {"alpha": ALPHA | {"values": ["1", "1e400"]}}}, "axes.alpha.* within the range of floats"),
    ({"axes": {"rate": RATE | {"from": "1e-400", "spacing": "log"}}}, "axes.rate.from: .* within the range of floats"),
    ({"axes": {"rate": RATE | {"from": "4 ms"}}}, "axes.rate.from: got '4 ms'"),
    ({"axes": {"rate": {"set": "queues[0].rate", "values": ["4 ms"]}}}, r"at rate = 4 ms: queues\[0\].rate"),
    ({"axes": {"queue": ALPHA}}, "axes.queue"),
    ({"axes": {"sample": {"values": [[1], [2]]}}}, "axes.sample.set"),
    ({"axes": {"a b": ALPHA}}, "axes.a b"),
    ({"policies": {"DT": {"name": "dt", "alpha": 1}}}, "scenario.policy"),
    ({"scenario": {"until": 1}}, "scenario.switch"),
    ({"measure": ["drops"]}, "measure: got 'drops'"),
    ({"of": [2]}, "of: got"),
    ({"chunk": 0}, "chunk: got 0"),
    ({"arithmetic": "double"}, "arithmetic: got 'double'"),
    ({"colour": 1}, "colour: got 1"),
    ({"statement": "edt.thm1"}, "one of the keys scenario and statement"),
    ({"version": 2}, "version: got 2"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), BAD)
def test_what_is_not_accepted_is_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        sweep(exact(**change), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"axes": {"Q": {"values": [1]}}}, "axes: got 'Q'"),
        ({"axes": {"R": {"values": ["1 ms"]}}}, r"axes.R: got '1 ms'; expected a number \(bytes/s\)"),
        ({"statement": "edt.thm0"}, "statement: got 'edt.thm0'"),
        ({"given": {"B": "1 MB"}}, "alpha: missing"),
        ({"axes": {}}, "one axis at least"),
    ],
)
def test_what_a_statement_does_not_take_is_named(change: dict[str, Any], message: str) -> None:
    given = {"alpha": 1, "B": "1 MB", "C": "1 Gbps", "M": 1, "N": 2}
    with pytest.raises(InputError, match=message):
        sweep({"statement": "edt.thm1", "given": given, "axes": {"R": {"values": ["2 Gbps"]}}} | change)


@pytest.mark.parametrize("kind", ["scenario", "statement"])
def test_an_example_follows_the_schema_runs_and_is_drawn(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str
) -> None:
    assert run(["sweep", "--example", kind]) == 0
    file, out, picture = tmp_path / "s.toml", tmp_path / "out", tmp_path / "heat.png"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    assert run(["sweep", "--schema"]) == 0
    schema = Draft202012Validator(json.loads(capsys.readouterr().out))
    (document,) = read_documents(str(file))
    schema.validate(document.content)
    schema.validate(exact())
    assert not schema.is_valid(exact(axes={"alpha": ALPHA | {"count": 3}}))
    assert not schema.is_valid(exact(statement="edt.thm1"))
    command = ["sweep", str(file), "-o", str(out), "-j", "1", "--json"]
    assert run([*command, "--plot", str(picture), *(["--at", "alpha=1"] if kind == "scenario" else [])]) == 0
    said = json.loads(capsys.readouterr().out)
    counted = {"rounded": said["rounded"]} if kind == "scenario" else {}
    assert said == {
        "out": str(out), "points": said["points"], "chunks": said["chunks"], "computed": said["chunks"], **counted,
    }  # fmt: skip
    assert said["points"] == {"scenario": 120, "statement": 4900}[kind]
    assert picture.stat().st_size > 0
    assert run([*command, "--plot", str(picture), "--at", "colour=1"]) == 2
    assert "--at: got 'colour'" in capsys.readouterr().err


def test_a_heat_map_has_a_panel_for_each_policy_and_the_numbers_of_the_sweep() -> None:
    policies = {"a": {"name": "dt", "alpha": 1}, "b": {"name": "dt", "alpha": 3}}
    axes = {"until": {"values": [3, 4, 5]}, "rate": RATE}
    queues = [{"arrivals": [[0, 3], [2, 0]]}]
    scenario = {"switch": SCENARIO["switch"], "queues": queues, "until": 4}
    done = sweep(exact(policies=policies, scenario=scenario, axes=axes, arithmetic="float"))
    figure = heat_map(done, "drained", {"queue": "0"})
    assert [axes.get_title() for axes in figure.axes[:2]] == ["policy = a", "policy = b"]
    drawn = figure.axes[1].collections[0].get_array()
    assert drawn.tolist() == done.drained.sel(policy="b", queue=0).values.tolist()
    assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("rate (bytes/s)", "until (s)")
    line = heat_map(done, "drained", {"until": "4", "policy": "a"}).axes[0].lines[0]
    assert line.get_ydata().tolist() == done.drained.sel(policy="a", until=4.0, queue=0).values.tolist()
    for at, message in (({"policy": "c"}, "one of a, b"), ({"rate": "3.5"}, "rate=3.5")):
        with pytest.raises(InputError, match=message):
            heat_map(done, "drained", at)
    with pytest.raises(InputError, match="--show"):
        heat_map(done, "lost")
