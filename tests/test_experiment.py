"""Experiments: from a file or the id of a figure to runs on paired draws, answers and a table."""

import hashlib
import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dtmodel.base.errors import InputError
from dtmodel.cli import run
from dtmodel.companion.experiments import experiment_document, experiments, narrowed
from dtmodel.network.experiment import Experiment, measured
from dtmodel.network.workload import Workload
from dtmodel.studies.sweeps import sweep
from dtmodel.studies.sweeps.experiments import read_experiment_plan
from validation.support.experiments import Kept, result_of

ROOT = Path(__file__).parents[1]
SCHEMA = json.loads(files("dtmodel").joinpath("schemas", "experiment.json").read_text(encoding="utf-8"))
SMALL: dict[str, Any] = {
    "title": "Small",
    "seeds": 2,
    "network": {"hosts": 3, "rate": "1 Gbps", "round_trip": "200 us", "buffer": "64 KB"},
    "workload": {"incast": {"servers": 2, "size": ["8 KB", "20 KB"], "queries": 2}},
    "policies": {"DT": {"name": "dt", "alpha": "1"}, "complete": {"name": "complete"}},
    "readings": {"NewReno": {}, "SACK": {"sack": "rfc6675"}},
}


def answered(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run(["experiment", *arguments, "--json", "-j", "1"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def small(tmp_path: Path) -> str:
    file = tmp_path / "small.json"
    file.write_text(json.dumps(SMALL), encoding="utf-8")
    return str(file)


def test_an_answer_has_every_reading_policy_size_and_seed(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = answered(capsys, small)
    rows = [(row["reading"], row["policy"], row["size"]) for row in answer["rows"]]
    assert rows == [(r, p, s) for r in SMALL["readings"] for p in SMALL["policies"] for s in (8000, 20000)]
    assert {len(values) for row in answer["rows"] for values in row["measures"].values()} == {2}
    case = Experiment.read(SMALL).setting("SACK", "DT", "20 KB")
    expected = [measured(case, case.run(seed))["query_mean"][0] for seed in (1, 2)]
    (row,) = [row for row in answer["rows"] if (row["reading"], row["policy"], row["size"]) == ("SACK", "DT", 20000)]
    assert row["measures"]["query_mean"] == [float(f"{value:.6g}") for value in expected]


def test_policies_of_one_seed_are_paired(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is lost under either policy, so equal draws give equal times; other seeds give others."""
    rows = answered(capsys, small, "--reading", "NewReno")["rows"]
    times = {(row["policy"], row["size"]): row["measures"]["query_mean"] for row in rows}
    assert times["DT", 8000] == times["complete", 8000]
    assert len(set(times["DT", 8000])) == 2


def test_an_interrupted_experiment_continues(small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    whole = answered(capsys, small, "-o", str(out))
    (out / "chunk-000003.parquet").unlink()
    kept = (out / "chunk-000002.parquet").stat().st_mtime_ns
    assert answered(capsys, small, "-o", str(out)) == whole
    assert (out / "chunk-000002.parquet").stat().st_mtime_ns == kept


def test_an_experiment_is_a_dataset_in_python() -> None:
    found = sweep(narrowed(SMALL, ["SACK"], ["DT"], 1))
    assert dict(found.sizes) == {"reading": 1, "policy": 1, "size": 2, "seed": 1}
    assert found.query_mean.units == "s"


def test_flows_that_last_have_a_throughput_for_each_queue_and_interval() -> None:
    long = [{"source": 1, "target": 0, "queue": 0}, {"source": 2, "target": 0, "queue": 1, "stop": "4 ms"}]
    document = {
        "network": {**SMALL["network"], "queues": 2, "scheduler": "drr"},
        "workload": {"long": long, "duration": "8 ms", "every": "2 ms"},
        "policies": {"DynaQ": {"name": "dynaq"}},
    }
    found = sweep(document).throughput.squeeze()
    assert dict(found.sizes) == {"time": 4, "queue": 2}
    assert 0.4e9 < float(found[1].sum()) * 8 <= 1e9
    alone, stopped = (8 * float(found[3][queue]) for queue in (0, 1))
    assert (alone > 0.9e9, stopped < 0.1e9) == (True, True)


def test_loads_are_an_axis_with_equal_flows_for_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    poisson = {"sizes": [[1000, 0], [90_000, 1]], "load": ["0.2", "0.9"], "flows": 9, "classes": ["50 KB"]}
    document = {**SMALL, "workload": {"poisson": poisson}}
    Draft202012Validator(SCHEMA).validate(document)
    found = sweep(document)
    assert dict(found.sizes) == {"reading": 2, "policy": 2, "load": 2, "seed": 2, "class": 2, "queue": 1}
    assert "units" not in found["load"].attrs
    case = Experiment.read(document).setting("SACK", "DT", "0.9")
    picked = found.sel(reading="SACK", policy="DT", load=0.9, seed=2)
    assert picked.flow_p99.values.tolist() == measured(case, case.run(2))["flow_p99"]
    file = tmp_path / "loads.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    assert [row["load"] for row in answered(capsys, str(file))["rows"]] == [0.2, 0.9] * 4
    assert run(["experiment", str(file), "-j", "1"]) == 0
    heads = [line.split()[:3] for line in capsys.readouterr().out.splitlines() if line.startswith("reading")]
    assert heads == [["reading", "policy", "load"]]


def test_senders_are_groups_from_hosts_in_a_row() -> None:
    long = [{"source": 1, "senders": 3, "target": 0, "flows": 2}]
    work = Workload.read({"long": long, "duration": "1 s"}, 4, 1)
    assert [(group.source, group.flows) for group in work.long] == [(1, 2), (2, 2), (3, 2)]
    for change, field in (({"senders": 4}, "senders"), ({"source": 0, "target": 2}, "target")):
        with pytest.raises(InputError, match=rf"long\[0\]\.{field}"):
            Workload.read({"long": [long[0] | change], "duration": "1 s"}, 4, 1)


def test_the_sample_is_an_experiment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment", "--example"]) == 0
    file = tmp_path / "e.toml"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    assert run(["experiment", str(file), "--seeds", "1", "--reading", "NewReno", "-j", "1"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in told[1:]] == [
        ["reading", "policy", "size"], ["NewReno", "DT", "100000"], ["NewReno", "EDT", "100000"]]  # fmt: skip


@pytest.mark.parametrize("name", [*experiments()])
def test_the_experiment_of_a_figure_has_the_readings_of_its_paper_and_the_hash_of_the_rules(name: str) -> None:
    document = experiment_document(name)
    rules, own = ROOT / "validation" / "readings.toml", experiments()[name]
    readings = tomllib.loads(own.read_text(encoding="utf-8")).get("readings")
    hashed = rules.read_bytes() + (own.read_bytes() if readings else b"")
    assert document["rules"] == hashlib.sha256(hashed).hexdigest()
    shared = tomllib.loads(rules.read_text(encoding="utf-8"))["reading"][name.partition(".")[0]]
    assert document["readings"] == (readings or shared)
    assert 2 <= len(document["readings"]) <= 10
    assert Experiment.read(document).document["id"] == name
    Draft202012Validator(SCHEMA).validate(document)


def test_without_a_file_the_figures_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [*experiments()]
    assert run(["experiment", "--json"]) == 0
    assert [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()] == [*experiments()]


def test_a_class_without_flows_has_no_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    poisson = {"sizes": [[1000, 0], [2000, 1]], "load": "0.1", "flows": 3, "classes": ["5 KB"]}
    file = tmp_path / "flows.json"
    document = {"network": SMALL["network"], "workload": {"poisson": poisson}, "policies": {"DT": {"name": "dt"}}}
    file.write_text(json.dumps(document), encoding="utf-8")
    (small, large), *_ = answered(capsys, str(file))["rows"][0]["measures"]["flow_mean"]
    assert 0 < small < 0.01
    assert large is None
    assert run(["experiment", str(file), "-j", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[-1] == "-"


def test_a_fault_of_a_file_is_told_with_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad.json"
    file.write_text(json.dumps({**SMALL, "transport": {"initial_window": 0}}), encoding="utf-8")
    assert run(["experiment", str(file)]) == 2
    assert "bad.json: transport.initial_window: got 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"seeds": 10**308}, "seeds"),
        ({"workload": {"incast": {"servers": 2, "queries": 1, "size": "9" * 5000}}}, "size"),
    ],
)
def test_numbers_that_no_run_ends_with_are_refused(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as fault:
        read_experiment_plan({**SMALL, **change})
    assert fault.value.field == field


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["edt.fig222"], "did you mean 'edt.fig22'"),
        (["edt.fig22", "--reading", "SACk"], "did you mean 'SACK'"),
        (["edt.fig22", "--policy", "EDTT"], "did you mean 'EDT'"),
        (["edt.fig22", "--seeds", "0"], "--seeds"),
    ],
)
def test_a_name_that_is_mistyped_is_refused(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["experiment", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_reading_replaces_any_setting_and_leaves_the_others() -> None:
    nested = {"network": {"hosts": 5}, "workload": {"incast": {"queries": 7}}, "policies": {"DT": {"alpha": "2"}}}
    made = Experiment.read({**SMALL, "readings": {"base": {}, "other": nested}})
    base, other = (made.setting(reading, "DT", 8000) for reading in made.readings)
    doors = (each.door(4, 10**6).policy.thresholds[0].slope for each in (base, other))
    queries = (each.workload.incast and each.workload.incast.queries for each in (base, other))
    assert (base.topology.hosts, other.topology.hosts, *queries, *doors) == (3, 5, 2, 7, 1, 2)
    assert made.setting("other", "complete", 8000).workload == other.workload


def test_the_schema_and_the_reader_refuse_the_same() -> None:
    validator = Draft202012Validator(SCHEMA)
    validator.validate(SMALL)
    for change in ({"policies": {}}, {"workload": {}}, {"network": {"hosts": 3}}, {"readings": {"x": {"hosts": 4}}}):
        assert not validator.is_valid({**SMALL, **change})
        with pytest.raises(InputError):
            Experiment.read({**SMALL, **change})


def kept(counts: dict[str, int]) -> Kept:
    """A result in which the first policy has less than the second in some seeds of each reading, and more in others."""
    rows = {}
    for reading, less in counts.items():
        rows[reading, "new", 1.0] = {"query_mean": [1.0] * less + [3.0] * (20 - less)}
        rows[reading, "old", 1.0] = {"query_mean": [2.0] * 20}
    return Kept("edt.fig22", rows, 20)


def test_a_direction_needs_nineteen_of_twenty_seeds_in_each_reading() -> None:
    found = kept({"a": 20, "b": 19, "c": 18}).direction("query_mean", [1.0], "new", "old")
    assert (found.reproduced, found.missed, found.samples) == (["a", "b"], ["c"], 20)


def test_a_size_lies_between_the_medians_of_the_readings() -> None:
    result = kept({"a": 20, "b": 0})
    assert result.size("query_mean", "new", 1.0, 2.2, 1).missed == []
    assert result.size("query_mean", "new", 1.0, 3.2, 1).reproduced == []


def test_a_kept_result_counts_by_its_own_rules_alone_and_to_the_last_digit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = Kept.read("edt.fig22")
    result.run_again("SACK", "EDT", 2, 100000)
    row = result.rows["SACK", "EDT", 100000.0]["query_mean"]
    assert isinstance(row, list)
    row[1] += 1e-8
    with pytest.raises(AssertionError, match="query_mean was"):
        result.run_again("SACK", "EDT", 2, 100000)
    document = json.loads(result_of("edt.fig22").read_text(encoding="utf-8"))
    (tmp_path / result_of("edt.fig22").name).write_text(json.dumps(document | {"rules": "0" * 64}), encoding="utf-8")
    monkeypatch.setattr("validation.support.experiments.RESULTS", tmp_path)
    with pytest.raises(AssertionError, match="other tolerances"):
        Kept.read("edt.fig22")
