"""However a command is called, it ends with a line that says what is wrong and the exit status that is documented."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dtmodel import cli
from dtmodel.base import extras
from dtmodel.base.errors import InputError, ModelError
from dtmodel.cli import console, run
from dtmodel.cli.statuses import Status, status_table

SCENARIO = {
    "switch": {"ports": 2, "buffer": "6", "rate": "1"},
    "policy": {"name": "dt", "alpha": "1"},
    "queues": [{"arrivals": [["0", "3"], ["2", "0"]]}],
    "until": "4",
}
LOSSPASS = {"algorithm": "losspass", "buffer": 1, "events": [["arrive", 0, "large", 1]]}
COMMAND = f"{sys.executable} -m dtmodel"


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line in a shell; `dtmodel` in it is the command."""
    variables = {k: v for k, v in os.environ.items() if k not in ("LC_ALL", "PYTHONIOENCODING")} | environment
    text = f"set -o pipefail; {line.replace('dtmodel', COMMAND, 1)}"
    done = subprocess.run(["/bin/bash", "-c", text], capture_output=True, check=False, env=variables, timeout=120)
    return subprocess.CompletedProcess(line, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "s.json"
    path.write_text(json.dumps(SCENARIO), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("simulate {} --json --csv", "--csv: got '--json'; expected one of --json and --csv"),
        ("trace {} --csv --json", "--csv: got '--json'; expected one of --json and --csv"),
        ("sweep {} -o nowhere --at alpha=1", "--plot: missing; expected --plot FILE"),
        ("sweep {} -o nowhere --show first", "--plot: missing; expected --plot FILE"),
    ],
)
def test_options_that_would_have_no_effect_are_refused(
    file: str, command: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command.format(file).split()) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("redirected", "status", "said"),
    [
        ("2>&-", 0, ""), ("<&-", 0, ""),
        ("> /dev/full", 74, "error: No space left on device: while writing the answer\n"),
        (">&-", 74, "error: Bad file descriptor: while writing the answer\n"), (">&- 2>&- <&-", 74, ""),
    ],
)  # fmt: skip
def test_closed_and_full_streams_are_no_accident(file: str, redirected: str, status: int, said: str) -> None:
    for command in (f"simulate {file}", "params dt --ports 4 --buffer 1MB --rate 1Gbps", "ledger edt.eq2", "--help"):
        done = shell(f"dtmodel {command} {redirected}")
        assert (done.returncode, done.stderr) == (status, said), command


@pytest.mark.parametrize(
    "command", ["ledger edt.eq2 --json", "--help", "params dt --ports 4 --buffer 1MB --rate 1Gbps"]
)
@pytest.mark.parametrize("streams", [["stdout"], ["stdout", "stderr"]])
def test_an_answer_that_nobody_reads_is_not_all_as_recorded(tmp_path: Path, command: str, streams: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    arguments = [sys.executable, "-m", "dtmodel", *command.split()]
    both: dict[str, Any] = {"stdout": writer, "stderr": subprocess.PIPE} | dict.fromkeys(streams, writer)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(arguments, check=False, timeout=120, cwd=tmp_path, env=environment, **both)
    os.close(writer)
    assert done.returncode == Status.UNREAD
    assert not done.stderr


def test_a_closed_standard_input_is_an_empty_one() -> None:
    done = shell("dtmodel simulate - <&-")
    assert (done.returncode, done.stdout) == (2, "")
    assert "it is empty" in done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_error_into_a_closed_error_stream_keeps_its_status(unbuffered: str) -> None:
    for redirected in ("2>&-", "2>/dev/full"):
        done = shell(f"dtmodel simulate nowhere.json {redirected}", PYTHONUNBUFFERED=unbuffered)
        assert done.returncode == 2, redirected


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"TERM": "nonsense"},
        {"TERM": "dumb", "COLUMNS": "x"},
        {"COLUMNS": "0"},
        {"COLUMNS": "1"},
        {"HOME": "", "XDG_CACHE_HOME": ""},
        {"LANG": "xx_YY.nothing"},
    ],
)
def test_the_environment_changes_no_answer(file: str, environment: dict[str, str]) -> None:
    for command in (
        "params losspass --rate 1Gbps --rtt 1ms --buffer 1MB --flows 2 --threshold 9 --tau 1",
        f"simulate {file}",
    ):
        done = shell(f"dtmodel {command}", **environment)
        assert (done.returncode, done.stderr) == (0, ""), done
        assert "μ_max" in done.stdout or "scenario 1" in done.stdout


def test_no_home_at_all_changes_no_answer(file: str) -> None:
    answer = shell(f"dtmodel simulate {file} --json").stdout
    without = f"env -u HOME -u XDG_CACHE_HOME -u USER -u LOGNAME {COMMAND} simulate {file} --json"
    done = shell(without.replace(COMMAND, "dtmodel"))
    assert (done.returncode, done.stdout, done.stderr) == (0, answer, "")


def test_text_is_printed_as_it_is_and_never_as_markup(capsys: pytest.CaptureFixture[str]) -> None:
    console.console().print("[bold]x[/nothing] :smile: \x1b[2J\x9b \ud800\u202e")
    assert capsys.readouterr().out == "[bold]x[/nothing] :smile: \\x1b[2J\\x9b \\ud800\\u202e\n"
    console.echo_json({"a": "\ud800é\x1b"})
    assert capsys.readouterr().out == '{"a": "\\ud800é\\u001b"}\n'


def test_hostile_words_in_a_trace_reach_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = [["arrive", 0, "[red]\x1b]0;x\x07\ud800", {"queue_out": "1", "rate": "1"}]]
    path = tmp_path / "t.json"
    path.write_text(json.dumps({"id": "[/bold]", "algorithm": "l2bm", "events": events}), encoding="utf-8")
    assert run(["trace", str(path)]) == 0
    said = capsys.readouterr().out
    assert "l2bm [/bold]" in said
    assert "\x1b" not in said
    assert "[red]" in "".join(said.split())


def test_statuses_are_those_of_the_help_and_of_the_guide(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    guide = Path(__file__).parents[1] / "docs" / "source" / "guides" / "command-line.md"
    written = " ".join(guide.read_text(encoding="utf-8").split())
    for number, meaning in status_table():
        assert f"{number} {meaning}" in said
        assert f"| {number} | {meaning} |" in written
    assert [int(status) for status in Status] == [0, 1, 2, 3, 70, 74, 130, 141]


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (ZeroDivisionError("1\x1b/0"), 70, "internal error: ZeroDivisionError: 1\\x1b/0 (tests/test_cli_edges.py"),
        (ModelError("bytes were lost"), 70, "internal error: ModelError: bytes were lost"),
        (RecursionError(), 70, "This is a fault of dtmodel. Please report it"),
        (MemoryError(), 74, "not enough memory"),
        (PermissionError(13, "Permission denied", "/x"), 74, "error: Permission denied: /x"),
        (OSError(36, "File name too long", "x" * 6000), 2, "error: path: got 'xxx"),
        (FileExistsError(17, "File exists", "/x"), 2, "a place that can be read or written (File exists)"),
        (FileNotFoundError(2, "No such file or directory"), 74, "while writing the answer"),
        (
            ModuleNotFoundError("no", name="jinja2.sandbox"),
            3,
            "this needs jinja2: pip install 'dtmodel-buffers[ledger]'",
        ),
        (ModuleNotFoundError("no", name="nonsense"), 70, "internal error: ModuleNotFoundError"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_whatever_is_raised_ends_in_one_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, status: int, said: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(cli.cli, "main", fail)
    assert run(["simulate"]) == status
    shown = capsys.readouterr().err
    assert said in shown
    assert "Traceback" not in shown
    monkeypatch.setenv("DTMODEL_TRACEBACK", "1")
    run(["simulate"])
    assert ("Traceback" in capsys.readouterr().err) == (status == 70)


@pytest.mark.parametrize(
    ("arguments", "package", "extra"),
    [
        (["verify", "edt.eq2"], "jinja2", "ledger"),
        (["verify", "edt.eq2"], "joblib", "ledger"),
        (["figure", "edt.fig2"], "matplotlib", "plot"),
        (["replay", "edt.eq2", "--save", "x.png"], "matplotlib", "plot"),
        (["lab", "--to", "x"], "jupyterlab", "lab"),
        (["hunt"], "joblib", "ledger"),
    ],
)
def test_a_missing_extra_is_named_before_anything_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    arguments: list[str], package: str, extra: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(extras, "_installed", lambda name: name != package)
    assert run(arguments) == 3
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"error: this needs {package}: pip install 'dtmodel-buffers[{extra}]'\n")
    assert list(tmp_path.iterdir()) == []


def test_an_installed_package_is_found() -> None:
    extras.need("matplotlib", "joblib")
    assert not extras._installed("no_such_package")


def test_an_option_raises_a_budget_for_one_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = ["params", "dt", "--ports", "4", "--buffer", "1e10001", "--rate", "1Gbps"]
    assert run(numbers) == 2
    assert 'DTMODEL_BUDGETS="digits=10001" raises it' in capsys.readouterr().err
    assert run(["--budget", "digits=20000", *numbers]) == 0
    assert run(["--budget", "digits=many", *numbers]) == 2
    assert "--budget: got 'digits=many'" in capsys.readouterr().err
    monkeypatch.setenv("DTMODEL_BUDGETS", "digits=20000")
    assert run(numbers) == 0


@pytest.mark.parametrize("command", ["verify", "ledger list", "show", "replay", "hunt"])
def test_the_help_says_that_a_collection_is_code(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert run([*command.split(), "--help"]) == 0
    assert "this runs the code in it" in " ".join(capsys.readouterr().out.split())


LONG = "9" * 4400


@pytest.mark.parametrize(
    "arguments",
    [
        ["edt", "--ports", "8", "--buffer", "1MB", "--rate", "1Gbps", "--alpha", LONG],
        ["dt", "--ports", "8", "--buffer", "1MB", "--rate", "1Gbps", "--alpha", f"1/{LONG}"],
        ["l2bm", "--buffer", LONG, "--weight", "1/3", "--weight", LONG],
        ["edt", "--ports", "8", "--buffer", "1MB", "--rate", "1Gbps", "--packet", f"1/{LONG}"],
        ["l2bm", "--buffer", "1MB", "--sojourn", "1us", "--normalisation", f"1/{LONG}"],
        ["dynaq", "--buffer", LONG, "--rate", "1Gbps", "--rtt", "1ms", "--weights", "1,3"],
    ],
)
def test_sheets_of_long_numbers_are_printed(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    for form in ([], ["--json"]):
        assert run(["params", *arguments, *form]) == 0
        assert LONG[:100] in "".join(capsys.readouterr().out.split())


def test_a_policy_refuses_long_numbers_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong: list[dict[str, object]] = [
        {"name": "static", "sizes": [LONG, LONG]},
        {"name": "weighted", "weights": [LONG, 1]},
        {"name": "abm", "alphas": [1], "priorities": [0], "drains": [LONG]},
    ]
    for policy in wrong:
        (tmp_path / "s.json").write_text(json.dumps(SCENARIO | {"policy": policy}), encoding="utf-8")
        assert run(["simulate", str(tmp_path / "s.json")]) == 2
        assert "policy." in capsys.readouterr().err


def test_what_an_id_may_be_is_what_the_schemas_say() -> None:
    from importlib.resources import files

    from jsonschema import Draft202012Validator

    from dtmodel.base.documents import identity

    for schema in sorted(files("dtmodel").joinpath("schemas").iterdir(), key=lambda path: path.name):
        if schema.name.startswith(("trace", "scenario")):
            rule = Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))["properties"]["id"])
            for name in ("a", "", "[x]", 3, None, True, "\x1b", "\x7f", "\u2028", "\ud800", []):
                try:
                    identity({"id": name})
                except InputError:
                    assert not rule.is_valid(name), (schema.name, name)
                else:
                    assert rule.is_valid(name), (schema.name, name)


@pytest.mark.parametrize("algorithm", ["losspass", "dynaq", "l2bm", "edt"])
def test_the_schema_of_a_trace_says_what_each_choice_means(algorithm: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["trace", "--schema", algorithm]) == 0
    settings = json.loads(capsys.readouterr().out)["properties"].values()
    choices = [each for each in settings if "enum" in each]
    assert choices
    for each in choices:
        assert set(each["enum"]) <= set(re.findall(r"[\w-]+", each["description"]))


NAME = "x" * 6000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["show", "edt.eq1", "--collection", NAME],
            "expected a place that can be read or written (File name too long)",
        ),
        (["show", "edt.eq1", "--collection", "\udcff"], "--collection: got '\\udcff'"),
        (["hunt", "edt.eq1", "--cases", "1", "--table", "FILE"], "expected a place that can be read or written"),
        (["hunt", "edt.eq1", "--witnesses", "DEEP"], "--witnesses: got"),
        (["hunt", "edt.eq1", "--table", "TABLE"], "--table: got"),
        (["hunt", "edt.eq1", "--seconds", "inf"], "is not a number of seconds up to 1e9"),
        (["hunt", "edt.eq1", "--seconds", "nan"], "is not a number of seconds up to 1e9"),
        (["hunt", "edt.eq1", "--seconds", "0"], "not in the range"),
        (["verify", "edt.eq1", "--limit", "1e10"], "is not a number of seconds up to 1e9"),
        (["derive", "FILE", "--seconds", "inf"], "is not a number of seconds up to 1e9"),
        (["compare", "--plot", "x.gif"], "--plot: got 'x.gif'; expected a file whose name ends in .png, .pdf or .svg"),
        (["simulate", "FILE", "--save", ""], "--save: got ''; expected a file whose name ends in"),
        (
            ["params", "dt", "--ports", "2", "--buffer", "1", "--rate", "1", "--csv", "--json"],
            "--csv: got '--json'; expected one of --json and --csv",
        ),
        (["simulate", "FILE", "--csv", "--json"], "--csv: got '--json'; expected one of --json and --csv"),
        (["params", "dt", "--ports", "9" * 5000, "--buffer", "1", "--rate", "1"], "...99"),
        (
            ["params", "pools", "--buffer", "9", "--queue", "alpha=1,alpha=2"],
            "--queue: alpha: got 'the same key twice'",
        ),
    ],
)
def test_bad_input_is_named_in_a_few_lines(
    tmp_path: Path, file: str, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    (tmp_path / "hunt.json").write_text("[" * 100_000, encoding="utf-8")
    places = {"FILE": file, "DEEP": str(tmp_path / "hunt.json"), "TABLE": str(tmp_path)}
    assert run([places.get(word, word) for word in arguments]) == 2
    shown = capsys.readouterr().err
    assert said in " ".join(shown.split())
    assert len(shown) < 1000


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs Linux, which lists the threads of a process")
def test_numpy_starts_no_threads_in_a_command() -> None:
    """Its threads spin as they start: a sweep of a million points takes an eighth less of the processor without."""
    count = "import numpy, os; print(len(os.listdir('/proc/self/task')))"
    code = f"import atexit, dtmodel.cli; atexit.register(lambda: exec({count!r})); dtmodel.cli.main()"
    variables = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    command = [sys.executable, "-c", code, "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=variables)
    assert done.stdout.split()[-1] == "1"
