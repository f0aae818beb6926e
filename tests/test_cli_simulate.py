"""``dtmodel simulate`` as a user runs it."""

import json
import subprocess
import sys
from fractions import Fraction

import pytest
from fluid_cases import ANSWER, EXAMPLE

from dtmodel.native import library

TOML = """
until = "4 s"
sample = [0.5, 1]
queues = [{ arrivals = [[0, 3], [2, 0]] }, { arrivals = [[0, 2]], initial = "steady" }]
[switch]
ports = 2
buffer = "6 B"
rate = 1
[policy]
name = "dt"
alpha = 1.0
"""


def dtmodel(*arguments, stdin=""):
    return subprocess.run(
        [sys.executable, "-c", "from dtmodel.cli import main; main()", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def write(tmp_path):
    def make(text, name="scenario.json"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return make


def test_one_scenario_in_json(write):
    done = dtmodel("simulate", "--json", write(json.dumps(EXAMPLE)))
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, ANSWER, "")


def test_one_scenario_in_toml(write):
    done = dtmodel("simulate", "--json", write(TOML, "scenario.toml"))
    assert json.loads(done.stdout) == ANSWER | {"id": 1}


def test_json_lines_by_the_hundred_on_standard_input():
    scenario = {key: value for key, value in EXAMPLE.items() if key != "id"}
    done = dtmodel("simulate", "--json", "-", stdin=f"{json.dumps(scenario)}\n" * 200)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [ANSWER | {"id": n} for n in range(1, 201)]


def test_a_table_for_people(write):
    done = dtmodel("simulate", write(json.dumps(EXAMPLE)))
    assert "queue 0: first drop at 1 s with 2 B free; dropped 2 B, drained 4 B" in done.stdout


def test_floats_are_numbers_with_their_bound(write):
    burst = EXAMPLE | {"queues": [{"arrivals": [["0", "7"]]}, {"arrivals": [["0", "9/2"]]}]}
    done = dtmodel("simulate", "--json", "--float", write(json.dumps(burst)))
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert (told.pop("arithmetic"), told.pop("error_bound")) == ("float", 1e-9)
    engine = "native" if library.status() == "native core" else "python"
    assert told.pop("engine") == engine
    exact = json.loads(dtmodel("simulate", "--json", write(json.dumps(burst))).stdout)
    assert told.keys() == exact.keys()
    for key in ("first_drop", "free_at_first_drop", "dropped", "drained"):
        assert told[key] == pytest.approx([float(Fraction(value)) for value in exact[key]], rel=1e-9)
    readable = dtmodel("simulate", "--float", write(json.dumps(burst))).stdout
    assert "queue 0: first drop at 0.3870967742 s with 2.322580645 B free; dropped 22 B" in readable
    said = {"native": "native core", "python": "Python"}[engine]
    assert readable.startswith(f"scenario example (floats within 1e-09, {said})\n")


def test_where_floats_cannot_decide_they_are_the_rounded_exact_answer(write):
    """The burst ends 10^-40 s before it meets its threshold."""
    burst = EXAMPLE | {
        "queues": [{"arrivals": [["0", "3"], [str(Fraction(3, 2) - Fraction(1, 10**40)), "0"]]}],
        "sample": ["1/3"],
    }
    told = json.loads(dtmodel("simulate", "--json", "--float", write(json.dumps(burst))).stdout)
    assert (told["arithmetic"], told["first_drop"], told["queues"]) == ("rounded", [None], [[2 / 3]])
    readable = dtmodel("simulate", "--float", write(json.dumps(burst))).stdout
    assert "(exact, rounded: the native core is missing or does not decide)" in readable


@pytest.mark.parametrize("name", [None, "exact", "float"])
def test_a_bad_line_among_many_is_named_and_the_answers_before_it_are_kept(write, name):
    lines = [json.dumps(EXAMPLE)] * 6 + [json.dumps(EXAMPLE | {"until": "-1"})] + [json.dumps(EXAMPLE)]
    text = "\n".join(lines)
    given = write(text, f"{name}.jsonl") if name else "-"
    done = dtmodel("simulate", "--json", *(["--float"] if name == "float" else []), given, stdin="" if name else text)
    assert done.returncode == 2
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [[answer["id"], len(answer["first_drop"])] for answer in told] == [[ANSWER["id"], 2]] * 6
    assert name == "float" or told == [ANSWER] * 6
    assert "line 7" in done.stderr
    assert "until" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1, 2]",
        json.dumps(EXAMPLE | {"colour": 1}),
        json.dumps(EXAMPLE | {"policy": {"name": "dt", "alpha": "nan"}}),
        json.dumps(EXAMPLE | {"switch": {"ports": 2, "buffer": "6 GHz", "rate": 1}}),
        json.dumps(EXAMPLE | {"queues": [{"arrivals": [[1, 1], [0, 1]]}]}),
        json.dumps(EXAMPLE).replace('"6"', "NaN"),
        pytest.param(json.dumps(EXAMPLE).replace('"6"', "9" * 20_000), id="many digits"),
        json.dumps(EXAMPLE).replace('"until"', '"id": 2, "until"'),
        pytest.param("[" * 100_000, id="deep arrays"),
        pytest.param('{"a":' * 100_000, id="deep objects"),
        "[]",
    ],
)
def test_bad_input_is_one_clear_line_and_exit_status_2(write, text):
    done = dtmodel("simulate", "--json", write(text))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert "expected" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_file_and_a_missing_argument_exit_with_2(tmp_path):
    assert dtmodel("simulate", str(tmp_path / "none.json")).returncode == 2
    assert dtmodel("simulate").returncode == 2
    assert dtmodel("simulat").returncode == 2


def test_a_wrong_option_is_one_clear_line():
    done = dtmodel("params", "dt", "--ports", "1.5", "--buffer", "1MB", "--rate", "1Gbps")
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_reader_that_leaves_early_is_told_apart_and_nothing_is_printed():
    code = "from dtmodel.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "ledger"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        run.stdout.readline()
        run.stdout.close()
        assert run.wait() == 141
        assert run.stderr.read() == b""


def test_numbers_beyond_floats_are_shown_to_people_too(write):
    for until in ("1e400", "9" * 6000):
        done = dtmodel("simulate", write(json.dumps(EXAMPLE | {"until": until})))
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("arguments", [["--help"], ["simulate", "--help"], ["--version"]])
def test_help_exits_with_0(arguments):
    assert dtmodel(*arguments).returncode == 0


def test_a_simulation_loads_nothing_heavy(write):
    code = "import sys; from dtmodel.cli import run; run(sys.argv[1:]); print(sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code, "simulate", write(json.dumps(EXAMPLE))], capture_output=True, text=True, check=True
    )
    for heavy in ("sympy", "numpy", "scipy", "matplotlib", "z3", "cvc5", "rich", "jinja2", "joblib"):
        assert f"'{heavy}'" not in done.stderr
