"""The ledger's commands: what they print, where they write, and how they end."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from ledger_cases import claim, evidence, root

from dtmodel.base.units import exact
from dtmodel.cli import COMMANDS, GROUPS, run
from dtmodel.companion import roots
from dtmodel.companion.answer_cache import AnswerCache
from dtmodel.ledger import html
from dtmodel.theory.sheet import Sheet, SheetRow

TRACE = {"algorithm": "losspass", "buffer": 1, "events": [["arrive", 0, "large", 1], ["arrive", 1, "small", 1]]}
CLAIMS = [claim(), claim("edt.eq2", "refuted", corrected="edt.eq1"), claim("edt.eq3", "refuted")]
PIECES = [
    evidence("return Proved('by $x$', EXAMPLE)"),
    evidence("return Counterexample(FALSE, 'three')", "edt.eq2", name="second"),
    evidence(
        f"return Counterexample(Witness('trace', {TRACE!r}, {{'final': {{'small': [[1, '1']]}}}}, "
        "{'final': {'small': []}}, says='it is kept'))",
        "edt.eq3",
        name="third",
    ),
]


@pytest.fixture
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small collection in the place of the papers, and an empty working directory."""
    root(tmp_path / "papers", CLAIMS, PIECES)
    monkeypatch.setattr(roots, "papers_root", lambda: tmp_path / "papers")
    monkeypatch.setenv("DTMODEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    forget()
    yield tmp_path / "papers"
    forget()


def forget() -> None:
    """Forget the evidence that was imported, so that what a test writes is read."""
    for name in [name for name in sys.modules if name.split(".")[0] == "dtmodel_papers"]:
        del sys.modules[name]


pytestmark = pytest.mark.usefixtures("papers")


def out(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """Run a command; its standard output."""
    assert run([*arguments]) == status, capsys.readouterr()
    return capsys.readouterr().out


def error(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 2) -> str:
    """Run a command that fails; its standard error."""
    assert run([*arguments]) == status
    said = capsys.readouterr().err
    assert "Traceback" not in said
    return said


def test_verify_prints_the_table_and_writes_both_reports(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = " ".join(out(capsys, "verify", "--jobs", "1").split())
    assert "edt.eq1 holds symbolic first" in text
    assert "edt.eq2 refuted symbolic second" in text
    assert "edt 3 0 1 holds, 2 refuted 3 symbolic" in text
    assert "all as recorded; " in text
    assert (tmp_path / "build" / "ledger" / "report.html").is_file()
    assert json.loads((tmp_path / "build" / "ledger" / "report.json").read_text())["as_recorded"]


def test_verify_prints_a_report_that_follows_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(out(capsys, "verify", "--json", "--jobs", "1"))
    schema = json.loads(files("dtmodel").joinpath("schemas", "ledger-report.json").read_text())
    Draft202012Validator(schema).validate(report)
    assert {"python", "sympy"} <= set(report["engines"])


def test_verify_fails_when_a_verdict_differs(capsys: pytest.CaptureFixture[str], papers: Path) -> None:
    root(papers, [claim(verdict="refuted")], PIECES[:1])
    text = " ".join(out(capsys, "verify", "--jobs", "1", status=1).split())
    assert "edt.eq1 holds !" in text
    assert "1 thing is wrong:" in text
    assert "the computed verdict is holds, recorded is refuted" in text
    assert "NOT as recorded" in text


def test_verify_runs_only_what_a_selector_names(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(out(capsys, "verify", "edt.eq2", "--json", "--jobs", "1"))
    assert [item["id"] for item in report["claims"]] == ["edt.eq2"]


def test_verify_adds_a_collection_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "claims.toml").write_text(claim("mine.eq1"), encoding="utf-8")
    piece = "from dtmodel.ledger import Agrees, evidence\n" + evidence(
        "return Agrees(1, 'the only case')", "mine.eq1", strength="exact"
    )
    (folder / "checks.py").write_text(piece, encoding="utf-8")
    text = " ".join(out(capsys, "verify", "mine", "--collection", str(folder), "--jobs", "1").split())
    assert "mine.eq1 holds exact first" in text


def test_verify_exports_certificates_that_the_checker_accepts(capsys: pytest.CaptureFixture[str]) -> None:
    out(capsys, "verify", "--certificates", "certificates", "--jobs", "1")
    checker = Path(__file__).parents[1] / "proofs" / "check_certificates.py"
    done = subprocess.run(
        [sys.executable, "-I", str(checker), "certificates"], capture_output=True, text=True, check=False
    )
    assert done.stdout == "2 of 2 certificates are right\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verify", "nope"], "selector: got 'nope'; expected a claim id"),
        (["verify", "--require", "lean"], "Invalid value for '--require'"),
        (["verify", "--collection", "nowhere"], "--collection: got 'nowhere'; expected a directory"),
        (["verify", "--output", "papers/validation/edt/claims.toml"], "a directory that can be written"),
        (["show", "edt"], "the id of one claim; below it are edt.eq1"),
        (["show", "edt.eq9"], "a claim id, such as edt.eq"),
        (["show", "\udcff"], "selector: got '\\udcff'; expected a claim id"),
        (["replay", "edt.eq1"], "a claim with a counterexample; this one is holds"),
        (["replay", "edt"], "the id of one claim, not a prefix"),
        (["replay", "edt.eq2", "--save", "x.png"], "a witness with queues"),
        (["ledger", "nope"], "selector: got 'nope'"),
        (["ledger", "diff", "old.json", "new.json"], "OLD: got 'old.json'; expected a readable report"),
        (["trace", "nowhere.json"], "expected a readable file"),
        (["nope"], "No such command 'nope'"),
    ],
)
def test_bad_input_is_one_clear_error(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert said in error(capsys, *arguments)


def test_ledger_lists_the_claims(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(out(capsys, "ledger", "edt.eq2", "--json"))
    assert rows == [
        {
            "id": "edt.eq2",
            "source": "a paper, equation (1)",
            "kind": "equation",
            "caption": "",
            "statement": "$x < 2$",
            "verdict": "refuted",
            "strength": "symbolic",
            "corrected": "edt.eq1",
        }
    ]
    assert "edt.eq2  refuted  symbolic  equation  -> edt.eq1" in out(capsys, "ledger")


def test_ledger_diff_names_what_changed(capsys: pytest.CaptureFixture[str], papers: Path, tmp_path: Path) -> None:
    out(capsys, "verify", "--output", "old", "--jobs", "1")
    root(papers, [claim(), claim("edt.eq2", "refuted", statement="$x < 1$")], PIECES[:2])
    forget()
    out(capsys, "verify", "--output", "new", "--jobs", "1")
    old, new = str(tmp_path / "old" / "report.json"), str(tmp_path / "new" / "report.json")
    changes = json.loads(out(capsys, "ledger", "diff", old, new, "--json", status=1))
    assert changes["removed"] == [{"id": "edt.eq3", "verdict": "refuted"}]
    assert [item["field"] for item in changes["changed"]] == ["statement", "corrected"]
    assert "edt.eq3  removed" in out(capsys, "ledger", "diff", old, new, status=1)
    assert out(capsys, "ledger", "diff", old, old) == "nothing changed\n"
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    assert "a JSON report of dtmodel verify" in error(capsys, "ledger", "diff", old, str(tmp_path / "other.json"))


def test_show_prints_everything_about_a_claim(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "show", "edt.eq2")
    for piece in ("refuted (symbolic)", "corrected", "validation/edt/claims.toml:7", "proofs/edt/proofs.py:"):
        assert piece in text
    assert "(slow_drop_time)" in re.sub(r"\s+", " ", text.partition("computed in")[2].partition("tested in")[0])
    assert json.loads(out(capsys, "show", "edt.eq2", "--json"))["evidence"][0]["outcome"]["type"] == "counterexample"


def test_show_finds_an_equation_by_its_number_where_one_paper_has_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder, names = tmp_path / "mine", ("mine.eq47", "mine.eq48.a", "mine.thm9", "edt.eq47x", "other.eq2")
    folder.mkdir()
    (folder / "claims.toml").write_text("\n".join(map(claim, names)), encoding="utf-8")
    piece = evidence("return Agrees(1, 'the only case')", *names, strength="exact")
    (folder / "checks.py").write_text("from dtmodel.ledger import Agrees, evidence\n" + piece, encoding="utf-8")
    shown = {
        typed: json.loads(out(capsys, "show", typed, "--collection", str(folder), "--json"))
        for typed in ("mine.eq47", "47", "eq47", "(47)", "thm9", "48")
    }
    assert {shown[typed]["id"] for typed in ("mine.eq47", "47", "eq47", "(47)")} == {"mine.eq47"}
    assert shown["thm9"]["id"] == "mine.thm9"
    assert [item["id"] for item in shown["48"]] == ["mine.eq48.a"]
    assert "got '2'; expected one of edt.eq2, other.eq2" in error(capsys, "show", "2", "--collection", str(folder))
    assert "expected a claim id" in error(capsys, "show", "49", "--collection", str(folder))


def test_show_of_an_equation_in_parts_shows_them_all(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder, names = tmp_path / "mine", ("mine.eq1.a", "mine.eq1.b")
    folder.mkdir()
    (folder / "claims.toml").write_text("\n".join([*map(claim, names), claim("mine.eq2")]), encoding="utf-8")
    piece = evidence("return Agrees(1, 'the only case')", *names, strength="exact")
    (folder / "checks.py").write_text("from dtmodel.ledger import Agrees, evidence\n" + piece, encoding="utf-8")
    found = json.loads(out(capsys, "show", "mine.eq1", "--collection", str(folder), "--json"))
    assert [(item["id"], item["verdict"]) for item in found] == [(name, "holds") for name in names]
    assert re.findall(r"(?m)^mine\S+", out(capsys, "show", "mine.eq1", "--collection", str(folder))) == [*names]
    many = "\n".join(claim(f"mine.eq3.{number}") for number in range(9))
    (folder / "claims.toml").write_text(many, encoding="utf-8")
    assert "the id of one claim" in error(capsys, "show", "mine.eq3", "--collection", str(folder))


def test_what_verify_found_is_shown_at_once_until_a_file_differs(
    capsys: pytest.CaptureFixture[str], papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    asked = [
        ["show", "edt.eq2"],
        ["show", "edt.eq2", "--json"],
        ["replay", "edt.eq3"],
        ["ledger"],
        ["ledger", "--json"],
    ]
    answers = [out(capsys, *words) for words in asked]
    out(capsys, "verify", "--jobs", "1")
    with monkeypatch.context() as nothing:
        nothing.setattr(roots, "load", None)
        assert [out(capsys, *words) for words in asked] == answers
        assert json.loads(out(capsys, "show", "edt.eq1", "--json"))["verdict"] == "holds"
        with pytest.raises(TypeError):
            roots.load()
    kept = tmp_path / "cache" / "store.sqlite"
    kept.write_bytes(kept.read_bytes().replace(b'"verdict":"refuted"', b'"verdict":"holdsss"'))
    assert '"holdsss"' not in out(capsys, "show", "edt.eq3", "--json")
    root(papers, [claim(statement="Another one."), *CLAIMS[1:]], PIECES)
    assert "Another one." in out(capsys, "ledger", "edt.eq1")
    assert json.loads(out(capsys, "show", "edt.eq1", "--json"))["statement"] == "Another one."


def test_the_page_is_made_once_for_what_it_shows(
    capsys: pytest.CaptureFixture[str], papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    for _ in range(2):
        out(capsys, "verify", "--jobs", "1")
    page = Path("build/ledger/report.html").read_text(encoding="utf-8")
    monkeypatch.setattr(html, "html_report", lambda *_: "made anew")
    out(capsys, "verify", "--jobs", "1")
    assert Path("build/ledger/report.html").read_text(encoding="utf-8") == page
    root(papers, [claim(statement="Another one."), *CLAIMS[1:]], PIECES)
    out(capsys, "verify", "--jobs", "1")
    assert Path("build/ledger/report.html").read_text(encoding="utf-8") == "made anew"


def test_what_is_wrong_is_not_kept(
    capsys: pytest.CaptureFixture[str], papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    root(papers, [claim(verdict="refuted"), *CLAIMS[1:]], PIECES)
    out(capsys, "verify", "--jobs", "1", status=1)
    assert AnswerCache().names("claims") == {"edt.eq2", "edt.eq3"}


def test_replay_shows_what_happens_beside_what_is_claimed(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "replay", "edt.eq3")
    assert "evict" in text
    assert "differs" in text
    replayed = json.loads(out(capsys, "replay", "edt.eq3", "--json"))
    assert replayed[0]["answer"]["final"]["small"] == [[1, "1"]]
    assert "x < 2: false" in out(capsys, "replay", "edt.eq2")


def test_replay_draws_a_witness(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out(capsys, "replay", "edt.eq3", "--save", str(tmp_path / "x.png"))
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_trace_answers_line_by_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(json.dumps(TRACE) + "\n" + json.dumps(TRACE | {"id": "b"}) + "\n", encoding="utf-8")
    answers = [json.loads(line) for line in out(capsys, "trace", str(file), "--json").splitlines()]
    assert [item["id"] for item in answers] == [1, "b"]
    assert answers[0]["final"]["small"] == [[1, "1"]]
    assert "final small: (1 1)" in out(capsys, "trace", str(file))


@pytest.mark.parametrize("bad", ['{"algorithm": "losspas"}', "{", '{"algorithm": "losspass", "buffer": 1}'])
def test_a_bad_line_is_named_after_the_good_answers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, bad: str
) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(json.dumps(TRACE) + "\n" + bad + "\n" + json.dumps(TRACE) + "\n", encoding="utf-8")
    assert run(["trace", str(file), "--json"]) == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1
    assert f"{file}, line 2" in said.err


def sheet() -> Sheet:
    values: list[tuple[Any, Any]] = [
        (exact("1/500", "x"), "seconds"),
        (exact("250000", "x"), "bytes"),
        (exact("1/3", "x"), ""),
        (True, ""),
        (3, "packets"),
        (None, "bytes"),
        ("edt", ""),
    ]
    parameters = tuple(
        SheetRow(f"p{i}", "t_1", value, unit, r"\frac{1}{2}", "equation (1)", "all is well")
        for i, (value, unit) in enumerate(values)
    )
    return Sheet("What it needs", parameters, ("mind the gap",))


def test_parameters_are_shown_in_units_or_as_exact_json(capsys: pytest.CaptureFixture[str]) -> None:
    from dtmodel.cli.params import print_sheet

    print_sheet(sheet())
    text = capsys.readouterr().out
    for piece in (
        "2 ms (1/500 s)",
        "250 KB",
        "0.333333 (1/3)",
        "yes",
        "3 packets",
        "none",
        "t_1 = 1/2",
        "mind the gap",
    ):
        assert piece in text
    print_sheet(sheet(), "json")
    document = json.loads(capsys.readouterr().out)
    assert [item["value"] for item in document["parameters"].values()] == [
        "1/500",
        "250000",
        "1/3",
        True,
        3,
        None,
        "edt",
    ]
    assert document["warnings"] == ["mind the gap"]


def test_the_help_names_every_command_with_its_own_help(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "--help")
    for name, line in COMMANDS.items():
        assert re.search(rf"^  {name} +{line.split()[0]} ", text, re.MULTILINE)
    assert [text.index(f"\n{heading}:\n") for heading in GROUPS] == sorted(
        text.index(f"\n{name}:\n") for name in GROUPS
    )


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    from dtmodel import __version__

    assert out(capsys, "--version") == f"dtmodel {__version__}\n"


def test_help_imports_nothing_heavy() -> None:
    heavy = "{'sympy', 'numpy', 'rich', 'matplotlib', 'joblib', 'jinja2', 'z3', 'cvc5'}"
    code = f"import sys, dtmodel.cli as c; c.run(['--help']); sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_a_closed_pipe_is_quiet() -> None:
    code = "import sys, dtmodel.cli as c; sys.exit(c.run(['params', '--help']))"
    command = f"{sys.executable} -c {json.dumps(code)} | true"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_a_missing_package_is_named_with_what_brings_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert "this needs jinja2: pip install 'dtmodel-buffers[ledger]'" in error(capsys, "verify", "edt.eq2", status=3)


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(roots, "load", interrupted)
    assert run(["ledger"]) == 130


def test_the_verdicts_are_printed_before_the_reports_are_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(html, "html_report", killed)
    assert run(["verify", "-j", "1"]) == 130
    assert "all as recorded" in capsys.readouterr().out
