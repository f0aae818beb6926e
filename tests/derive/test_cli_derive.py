"""``dtmodel derive`` as a user runs it."""

import json
import tomllib

import families
import pytest
from test_forms import ANSWER, FILE

import dtmodel
from dtmodel.base.errors import InputError
from dtmodel.cli import run

TOML = """
symbols = { alpha = "> 0", beta = "> 0", B = "> 0", C = "> 0", M = ">= 1", N = ">= 0", R = "> C", R_b = ">= C" }
policy = { name = "dt", alpha = ["alpha", "beta"] }
switch = { buffer = "B", rate = "C" }
until = "1000*B/C"
[[queues]]
count = "M"
arrivals = [["0", "R"]]
[[queues]]
count = "N"
initial = "steady"
arrivals = [["0", "R_b"]]
[[ask]]
first_drop = 0
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "two.toml"
    path.write_text(TOML.replace('until = "1000*B/C"\n', ""))
    return str(path)


def test_it_prints_one_line_of_json(file, capsys):
    assert run(["derive", file, "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    answer = json.loads(line)
    ANSWER.validate(answer)
    assert answer["complete"] is True
    assert answer["cases"][0]["when"] == ["C*(1 + beta*N) - beta*M*(R - C) >= 0"]
    assert answer["cases"][0]["first_drop"] == "alpha*B/((R - C)*(1 + alpha*M + beta*N))"
    assert {case["strength"] for case in answer["cases"]} <= {"certificate", "smt"}


def test_it_prints_the_theorem_and_checks_it(file, capsys):
    assert run(["derive", file, "--check", "5"]) == 0
    shown = capsys.readouterr().out
    assert "If R > C*(1 + (1 + beta*N)/(beta*M)):" in shown
    assert "the exact engine agrees at" in shown


SWITCHES = {
    "a real one": ({"buffer": "64000000", "rate": "12500000000"}, [["0", "R"]]),
    "forty digits": ({"buffer": "1" * 40, "rate": "3"}, [["0", "R"]]),
    "begins after all that is tried": ({"buffer": "1", "rate": "1"}, [["10**60", "R"]]),
    "fills slowly": ({"buffer": "10**60", "rate": "1"}, [["0", "R"]]),
}


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_of_numbers_of_any_size_has_its_theorem(tmp_path, capsys, name):
    switch, arrivals = SWITCHES[name]
    steady = {"count": 6, "initial": "steady", "arrivals": [["0", f"2*{switch['rate']}"]]}
    document = {
        "symbols": {"alpha": "> 0", "R": f"> {switch['rate']}"},
        "policy": {"name": "dt", "alpha": "alpha"},
        "switch": switch,
        "queues": [{"arrivals": arrivals}, steady],
        "ask": [{"first_drop": 0}],
    }
    path = tmp_path / "numbers.json"
    path.write_text(json.dumps(document))
    assert run(["derive", str(path), "--check", "3", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["complete"] is True
    B = switch["buffer"].replace("10**60", str(10**60))
    assert f"{B}/(1 + 7*alpha)" in {case["free_at_first_drop"] for case in answer["cases"]}


def _documents(switch, arrivals, end, initial):
    return {
        "symbols": {"alpha": "> 0", "R": "> 12500000000"},
        "policy": {"name": "pools", "limits": [{"alpha": "alpha", "cap": initial}]},
        "switch": dict(zip(("buffer", "rate"), switch, strict=True)),
        "until": end,
        "queues": [{"count": 2, "arrivals": arrivals, "initial": initial, "rate": switch[1]}],
        "ask": [{"first_drop": 0}, {"length": 0, "at": end}],
    }


def test_numbers_have_units_where_a_scenario_has_them():
    plain = _documents(("64000000", "12500000000"), [["0", "R"], ["1/1000", "12500000000"]], "1/500", "500")
    given = _documents(("64 MB", "100Gbps"), [["0 ms", "R"], ["1ms", "1E2 Gbps"]], "+2 ms", "1/2 KB")
    assert dtmodel.derive(given).document()["cases"] == dtmodel.derive(plain).document()["cases"]


@pytest.mark.parametrize("wrong", ["2 ms", "64 Mb/s", "64 mb of", "64 alpha", "e3 MB"])
def test_a_unit_of_something_else_is_refused(wrong):
    with pytest.raises(InputError, match=r"^switch\.buffer: got "):
        dtmodel.derive(_documents((wrong, "100 Gbps"), [["0", "R"]], "1", "0"))


def test_schema_and_example_are_printed(tmp_path, capsys):
    assert run(["derive", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["$id"] == "urn:dtmodel:derive:1"
    assert run(["derive", "--schema", "answer"]) == 0
    assert json.loads(capsys.readouterr().out)["$id"] == "urn:dtmodel:derive-answer:1"
    assert run(["derive", "--example"]) == 0
    example = capsys.readouterr().out
    FILE.validate(tomllib.loads(example))
    path = tmp_path / "example.toml"
    path.write_text(example)
    assert run(["derive", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["complete"] is True


def test_it_prints_latex(file, capsys):
    assert run(["derive", file, "--latex"]) == 0
    assert capsys.readouterr().out.startswith("\\begin{array}{l}\nt = \\begin{cases}")


def test_bad_input_names_the_file_and_the_field(tmp_path, capsys):
    path = tmp_path / "bad.toml"
    path.write_text(TOML.replace('"> C"', '"> D"'))
    assert run(["derive", str(path)]) == 2
    error = capsys.readouterr().err
    assert "bad.toml" in error
    assert "symbols.R" in error


def test_the_package_derives():
    assert dtmodel.derive(families.THEOREM1).complete
    with pytest.raises(AttributeError):
        dtmodel.nothing  # noqa: B018 - that it is looked up is the point


def test_what_identities_show_is_as_strong_as_its_certificate(tmp_path, capsys, monkeypatch):
    path = tmp_path / "until.toml"
    path.write_text(TOML)
    theorem = dtmodel.derive(tomllib.loads(TOML))
    assert {case.strength for case in theorem.cases} == {"smt"}

    def strengths(*arguments):
        assert run(["derive", str(path), "--json", *arguments]) == 0
        return {case["strength"] for case in json.loads(capsys.readouterr().out)["cases"]}

    assert strengths() == strengths("--certificate", str(tmp_path / "shown.json")) == {"certificate"}
    weaker = json.loads((tmp_path / "shown.json").read_text())
    weaker["closure"]["tree"] = ["open"]
    assert theorem.strengthened(weaker) is theorem
    monkeypatch.setattr(dtmodel.derive.DerivedTheorem, "certificate", lambda *_: weaker)
    assert strengths() == {"smt"}


def test_answers_are_printed_as_they_are_found_once_some_seconds_are_over(file, capsys, monkeypatch):
    monkeypatch.setattr("dtmodel.cli.derive._PATIENCE", 10**9)
    assert run(["derive", file]) == 0
    assert "found: " not in capsys.readouterr().err
    monkeypatch.setattr("dtmodel.cli.derive._PATIENCE", -1)
    assert run(["derive", file]) == 0
    shown = capsys.readouterr()
    found = [line.removeprefix("found: ") for line in shown.err.splitlines() if not line.startswith("derive: ")]
    assert len(found) == len({*found}) > 0
    assert all(line.startswith("first_drop = ") for line in found)
