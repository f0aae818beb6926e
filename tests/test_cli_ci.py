"""What continuous integration of others needs: JUnit, annotations, a collection alone, a claim to begin with."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

import dtmodel
from dtmodel.cli import run
from dtmodel.ledger.ci import github_annotations, junit
from dtmodel.ledger.terminal import print_report


def claim(name: str, verdict: str = "holds", recorded: str = "holds", **more: Any) -> dict[str, Any]:
    return {
        "id": name, "paper": name[0], "file": "folder/claims.toml", "line": 7, "verdict": verdict, "recorded": recorded,
        "as_recorded": verdict in (recorded, "not run"), "faults": [], "skipped": [],
        "strength": "exact", "rests_on": ["first"], "fallback_from": "", "reason": "",
        "evidence": [{"seconds": 0.25, "cached": False}, {"seconds": 9.0, "cached": True}],
    } | more  # fmt: skip


REPORT: dict[str, Any] = {
    "claims": [
        claim("a.eq1"),
        claim("a.eq2", "refuted", faults=["<mend> it", "50% & \x1b\nmore"]),
        claim("b.eq1", "not run", skipped=["no coq here", "none there"]),
        claim("b.eq2", "misprint", "refuted"),
    ],
    "problems": ["a.py cannot be imported"],
    "seconds": 2.0,
}


def test_junit_has_a_test_for_each_claim_and_says_what_failed_and_what_was_skipped() -> None:
    top = ET.fromstring(junit(REPORT, lambda claim: f"here/{claim['file']}"))  # noqa: S314  # our own text
    counts = {"tests": "5", "failures": "3", "skipped": "1", "time": "2.000"}
    assert {key: top.get(key) for key in counts} == counts
    assert [(s.get("name"), s.get("tests"), s.get("failures"), s.get("skipped")) for s in top] == [
        ("a", "2", "1", "0"),
        ("b", "2", "1", "1"),
        ("collection", "1", "1", "0"),
    ]
    cases = {case.get("name"): case for case in top.iter("testcase")}
    assert cases["a.eq1"].attrib == {
        "classname": "a", "name": "a.eq1", "file": "here/folder/claims.toml", "line": "7", "time": "0.250",
    }  # fmt: skip
    assert len(cases["a.eq1"]) == 0
    assert [item.get("message") for item in cases["a.eq2"]] == ["<mend> it", r"50% & \x1b\nmore"]
    assert [(item.tag, item.get("message")) for item in cases["b.eq1"]] == [("skipped", "no coq here; none there")]
    assert cases["b.eq2"][0].get("message") == "the computed verdict is misprint, recorded is refuted"
    assert cases["problems"][0].get("message") == "a.py cannot be imported"


def test_annotations_name_the_place_and_cannot_be_broken_out_of() -> None:
    lines = list(github_annotations(REPORT, lambda _: "a,b:c.toml"))
    assert lines == [
        "::error title=dtmodel verify::a.py cannot be imported",
        "::error file=a%2Cb%3Ac.toml,line=7,title=a.eq2::<mend> it",
        "::error file=a%2Cb%3Ac.toml,line=7,title=a.eq2::50%25 & \x1b%0Amore",
        "::warning file=a%2Cb%3Ac.toml,line=7,title=b.eq1::not run: no coq here; none there",
        "::error file=a%2Cb%3Ac.toml,line=7,title=b.eq2::the computed verdict is misprint, recorded is refuted",
    ]
    assert list(github_annotations({"claims": [claim("a.eq1")], "problems": []})) == []


def test_the_table_of_verdicts_is_never_cut_in_a_pipe() -> None:
    names = [f"a_piece_of_evidence_with_a_long_name_{number}" for number in range(9)]
    report = REPORT | {
        "claims": [claim("a.eq1", rests_on=names)], "problems": [], "summary": {}, "skipped": [], "engines": {},
        "as_recorded": True, "selectors": [],
    }  # fmt: skip
    for terminal in (False, True):
        out = io.StringIO()
        print_report(Console(file=out, width=100, force_terminal=terminal), report)
        (line,) = [line for line in out.getvalue().splitlines() if line.startswith("a.eq1")]
        assert (", ".join(names) in line) == (not terminal)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    assert run(["new-claim", "own", "--prefix", "ours9"]) == 0
    assert "dtmodel verify --collection own --only-collection" in capsys.readouterr().out
    return tmp_path / "own"


def verified(capsys: pytest.CaptureFixture[str], status: int, *options: str) -> str:
    found = run(["verify", "--collection", "own", "--only-collection", "--jobs", "1", *options])
    text = capsys.readouterr().out
    assert found == status, text
    return text


def test_the_claims_to_begin_with_are_as_recorded_and_a_wrong_verdict_is_noticed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = verified(capsys, 0, "--junit", "out/junit.xml", "--github")
    assert re.search(r"^ours9\.first +holds +smt +more_steady", text, re.MULTILINE)
    assert re.search(r"^ours9\.second +refuted +exact +a_burst_loses", text, re.MULTILINE)
    assert "all as recorded" in text
    assert "::" not in text
    top = ET.parse("out/junit.xml").getroot()  # noqa: S314  # our own file
    assert (top.get("tests"), top.get("failures")) == ("2", "0")
    assert next(top.iter("testcase")).get("file") == "own/claims.toml"
    claims = folder / "claims.toml"
    claims.write_text(claims.read_text().replace('verdict = "refuted"', 'verdict = "holds"'))
    text = verified(capsys, 1, "--junit", "junit.xml", "--github")
    (line,) = [line for line in text.splitlines() if line.startswith("::")]
    assert re.match(
        r"::error file=own/claims\.toml,line=\d+,title=ours9\.second::the computed verdict is refuted", line
    )
    assert ET.parse("junit.xml").getroot().get("failures") == "1"  # noqa: S314  # our own file


@pytest.mark.usefixtures("folder")
def test_bad_input_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, field in (
        (["verify", "--only-collection"], "--only-collection"),
        (["verify", "edt.eq2", "--collection", "own", "--only-collection"], "--only-collection"),
        (["verify", "nonsense", "--collection", "own", "--only-collection"], "selector"),
        (["new-claim", "own"], "folder"),
        (["new-claim", "elsewhere", "--prefix", "Not.this"], "--prefix"),
        (["new-claim", "/proc/nowhere"], "path"),
    ):
        assert run(arguments) == 2
        assert capsys.readouterr().err.startswith(f"error: {field}: ")
    assert not Path("elsewhere").exists()
    Path("file").write_text("")
    assert run(["verify", "ours9.second", "--collection", "own", "--only-collection", "--jobs", "1",
                "--junit", "file/x.xml"]) == 2  # fmt: skip
    assert "--junit" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_a_reader_that_leaves_does_not_make_verify_end_with_0() -> None:
    code = "from dtmodel.cli import main; main()"
    arguments = ["verify", "--collection", "own", "--only-collection", "--jobs", "1"]
    here = os.environ | {"PYTHONPATH": str(Path(dtmodel.__file__).parents[1])}
    with subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, env=here) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait() == 141
