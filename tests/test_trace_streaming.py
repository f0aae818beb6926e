"""A trace's answer is the same whether it is collected, written as it comes, or told as what changes in a step."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dtmodel.base.errors import BudgetError
from dtmodel.cli import console, run
from dtmodel.packet import ALGORITHMS, stream, trace
from dtmodel.packet.streaming import TraceStream
from dtmodel.strategies import trace_generator

MANY = {"algorithm": "edt", "ports": 1000, "buffer": 4000, "alpha": 1, "cn2": 2, "tm1": 50, "tm2": 90}


def many(steps: int) -> dict[str, Any]:
    random = Random(4)
    return MANY | {"events": [["arrive", n, random.randint(1, 1000), 1] for n in range(steps)]}


def printed(capsys: pytest.CaptureFixture[str], path: Path, document: object, *options: str, status: int = 0) -> str:
    path.write_text(json.dumps(document), encoding="utf-8")
    assert run(["trace", str(path), *options]) == status
    return capsys.readouterr().out


def whole(before: dict[str, Any] | None, step: dict[str, Any]) -> dict[str, Any]:
    """Put together again what `changes` leaves out of a step."""
    result = dict(step)
    for key in {"claims", "ports", "queues", "thresholds"} & set(step):
        known = before[key] if before else {}
        result[key] = {
            number: known.get(number, {}) | new if isinstance(new, dict) else new
            for number, new in (known | step[key]).items()
        }
    return result


def repeated(before: dict[str, Any], step: dict[str, Any]) -> list[Any]:
    """What a step says although it is as it was."""
    told = [(before[key][number], new) for key in {"claims", "ports", "queues", "thresholds"} & set(step)
            for number, new in step[key].items() if isinstance(step[key], dict)]  # fmt: skip
    return [
        (old, new)
        for old, new in told
        if (not new or any(old[k] == new[k] for k in new) if isinstance(new, dict) else old == new)
    ]


def as_collected(step: dict[str, Any]) -> dict[str, Any]:
    result = {key: list(value.values()) if isinstance(value, dict) else value for key, value in step.items()}
    if "threshold" in step:
        del result["threshold"]
        result["ports"] = [port | {"threshold": step["threshold"][port["state"]]} for port in result["ports"]]
    return result


@pytest.mark.parametrize("name", ALGORITHMS)
def test_streamed_collected_and_changes_are_one_answer(name: str) -> None:
    schema = json.loads(files("dtmodel").joinpath("schemas", f"trace-{name}.json").read_text(encoding="utf-8"))
    shape = schema["$defs"].get("changes", schema["$defs"]["answer"])
    changes = Draft202012Validator({**shape, "$defs": schema["$defs"]})
    for seed in range(40):
        document = trace_generator.draw_trace(Random(seed), name)
        expected = trace(document)
        assert stream(document).collect() == expected
        told = stream(document).changes().collect()
        changes.validate(told)
        before: dict[str, Any] | None = None
        for step, full in zip(told["steps"], expected["steps"], strict=True):
            assert before is None or not repeated(before, step)
            before = whole(before, step)
            assert as_collected(before) == full
        assert told["final"] == expected["final"]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_command_line_writes_the_same_answer_in_one_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for held in (10**6, 50):  # in one part, and in many
        monkeypatch.setattr(console, "_HELD", held)
        for seed in range(5):
            document = trace_generator.draw_trace(Random(seed), name)
            said = printed(capsys, tmp_path / "t.json", document, "--json")
            console.echo_json({"id": 1} | trace(document))
            assert said == capsys.readouterr().out
            told = json.loads(printed(capsys, tmp_path / "t.json", document, "--json", "--changes"))
            assert told["steps"] == stream(document).changes().collect()["steps"]


def test_only_changes_are_told_for_people_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = [["arrive", None, 1, 1], ["arrive", None, 2, 1]]
    document = {"algorithm": "dynaq", "buffer": 4, "weights": [1, 1], "events": events}
    said = printed(capsys, tmp_path / "t.json", document, "--changes")
    assert "1=1 2=0" in said
    assert " 2=1 " in said


def test_a_bad_event_leaves_no_short_answer_and_an_unended_long_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = ["arrive", 0, 1, 1]
    short, long = many(3), many(30)
    for document, length in ((short, 0), (long, console._HELD)):
        document["events"].append(bad)
        said = printed(capsys, tmp_path / "t.json", document, "--json", status=2)
        assert len(said) >= length
        assert (said == "") == (length == 0)
        assert not said.endswith("\n")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the peak memory in /proc")
def test_what_is_too_much_to_collect_is_streamed_in_constant_memory(tmp_path: Path) -> None:
    document = many(400)
    with pytest.raises(BudgetError, match="ports, in every step"):
        trace(document)
    (tmp_path / "t.json").write_text(json.dumps(document), encoding="utf-8")
    code = (
        "import sys\nfrom dtmodel.cli import run\n"
        "status = run(sys.argv[1:])\n"
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print(status, peak.split()[1], file=sys.stderr)"
    )
    for options in ([], ["--changes"]):
        done = subprocess.run(
            [sys.executable, "-c", code, "trace", str(tmp_path / "t.json"), "--json", *options],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
        )  # fmt: skip
        status, kilobytes = map(int, done.stderr.split())
        assert status == 0
        assert kilobytes < 80_000  # the answer itself has 40 MB, and 400,000 descriptions of ports


def test_streaming_has_a_budget_of_work() -> None:
    ports = many(1) | {"ports": 10**9}
    weights = {"algorithm": "dynaq", "buffer": 4, "weights": [1] * 5000, "events": [["depart", None, 1]] * 5000}
    for document in (ports, weights):
        with pytest.raises(BudgetError, match="work="):
            stream(document)


def test_steps_are_made_when_they_are_asked_for() -> None:
    """The third step is never made if nobody asks for it; what is as before is left out of changes, by position."""
    made: list[int] = []

    def steps() -> Iterator[dict[str, Any]]:
        for number in range(3):
            made.append(number)
            yield {"decision": "enqueue", "queues": ["1", str(number)]}

    told = TraceStream("a", steps(), dict).changes().steps
    assert [next(told), next(told)] == [
        {"decision": "enqueue", "queues": {"1": "1", "2": "0"}},
        {"decision": "enqueue", "queues": {"2": "1"}},
    ]
    assert made == [0, 1]
