"""A job cannot pass by losing something: each tamper fails every documented command, and the job's files say why."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from ledger_cases import PROVED, claim, evidence, root

import dtmodel
from dtmodel.base import workers as children
from dtmodel.cli import run
from dtmodel.companion import new_claims, roots
from dtmodel.ledger import Root, collect

HEADER = "from dtmodel.ledger import Agrees, Conflict, Counterexample, Proved, Skipped, Witness, evidence\n"
EXAMPLE = "EXAMPLE = {'x': '1'}\n"
GOOD, OTHER = claim("ours9.good"), claim("ours9.other")
COMMANDS = (
    (),
    ("--only-collection",),
    ("--only-collection", "--json"),
    ("ours9.good",),
    ("ours9.good", "--only-collection", "--no-cache", "-j", "2"),
)
"""The documented ways to verify a collection: all, the collection alone, one claim."""

Tamper = Callable[[Path], object]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A collection of two claims in files of their own, beside a small one in the place of the papers'."""
    monkeypatch.chdir(tmp_path)
    small = root(tmp_path / "papers", [claim("edt.thm1")], [evidence(PROVED, "edt.thm1")])
    monkeypatch.setattr(roots, "papers_root", lambda: small.path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "good.toml").write_text(GOOD)
    (folder / "other.toml").write_text(OTHER)
    (folder / "good.py").write_text(HEADER + EXAMPLE + evidence(PROVED, "ours9.good"))
    (folder / "other.py").write_text(HEADER + EXAMPLE + evidence(PROVED, "ours9.other", name="second"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def verified(*options: str) -> tuple[int, list[str], list[str]]:
    """Run verify on the collection; return the status, the failures in the JUnit file and its tests."""
    arguments = ["verify", *options, "--collection", "own", "--junit", "x.xml", "--github"]
    status = run(arguments if any("-j" in option for option in options) else [*arguments, "-j", "1"])
    top = ET.parse("x.xml").getroot()  # noqa: S314  # our own file
    return status, [item.get("message", "") for item in top.iter("failure")], [
        case.get("name", "") for case in top.iter("testcase")
    ]  # fmt: skip


def fails(capsys: pytest.CaptureFixture[str], said: str, commands: Sequence[tuple[str, ...]]) -> None:
    """Every documented command fails and says so, in the JUnit file and in an annotation."""
    for command in commands:
        capsys.readouterr()
        status, failures, _ = verified(*command)
        text = capsys.readouterr()
        assert status in (1, 2), (command, status, text)
        assert any(said in failure for failure in failures), (command, failures)
        assert any(said in line for line in (text.out + text.err).splitlines() if line.startswith("::error")), command


def written(content: str | bytes, name: str = "other.toml") -> Tamper:
    data = content.encode() if isinstance(content, str) else content
    return lambda folder: (folder / name).write_bytes(data)


def replaced(old: str, new: str, name: str = "other.toml") -> Tamper:
    def tamper(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))

    return tamper


def folder_in_place(folder: Path) -> None:
    (folder / "other.toml").unlink()
    (folder / "other.toml").mkdir()


def pipe_in_place(folder: Path) -> None:
    (folder / "other.toml").unlink()
    os.mkfifo(folder / "other.toml")


def link_to_itself(folder: Path) -> None:
    (folder / "other.toml").unlink()
    (folder / "other.toml").symlink_to("other.toml")


LOST: dict[str, tuple[Tamper, str]] = {
    "no TOML": (written("this is no TOML"), "other.toml cannot be read as TOML"),
    "binary": (written(bytes(range(256))), "other.toml cannot be read as TOML"),
    "UTF-16": (written(OTHER.encode("utf-16")), "other.toml cannot be read as TOML"),
    "Latin-1": (written(OTHER.replace("paper", "papér").encode("latin-1")), "other.toml cannot be read as TOML"),
    "cut": (written(OTHER[:-9]), "other.toml cannot be read as TOML"),
    "empty": (written(""), "other.toml: it is empty"),
    "comments": (written("# " + OTHER.replace("\n", "\n# ")), "other.toml: it is empty"),
    "folder": (folder_in_place, "other.toml cannot be read as TOML"),
    "pipe": (pipe_in_place, "other.toml cannot be read as TOML"),
    "link": (link_to_itself, "other.toml cannot be read as TOML"),
    "claims": (replaced("[claim.", "[claims."), "the table 'claims' is unknown (did you mean 'claim'?)"),
    "Claim": (replaced("[claim.", "[Claim."), "(did you mean 'claim'?)"),
    "calm": (replaced("[claim.", "[clm."), "(did you mean 'claim'?)"),
    "another word": (replaced("[claim.", "[theorem."), "the table 'theorem' is unknown, but has a claim"),
    "no word": (replaced("[claim.", "["), "is unknown, but has a claim"),
    "one misspelt table of two": (written(OTHER + GOOD.replace("[claim.'ours9.good", "[claime.'ours9.x")), "'claime'"),
    "sorce": (replaced("source =", "sorce ="), "key 'sorce' is unknown or not a string (did you mean 'source'?)"),
    "verdikt": (replaced("verdict =", "verdikt ="), "(did you mean 'verdict'?)"),
    "a number": (replaced("verdict = 'holds'", "verdict = 1"), "key 'verdict' is unknown or not a string"),
    "unquoted id": (replaced("[claim.'ours9.other']", "[claim.ours9.other]"), "between quotes"),
    "id in capitals": (replaced("ours9.other", "Ours9.other"), "write an id such as"),
    "id of another form": (replaced("ours9.other", "ours9.o\u0308ther"), "write an id such as"),
    "id of another claim": (replaced("ours9.other", "ours9.good"), "the id stands twice"),
    "id of a claim of the papers": (replaced("ours9.other", "edt.thm1"), "the id stands twice"),
    "another id": (replaced("ours9.other", "ours9.othr"), "is evidence for ours9.other, which no file claims"),
    "no file": (lambda folder: (folder / "other.toml").unlink(), "is evidence for ours9.other, which no file claims"),
    "prelude": (written(OTHER + "[prelude.'a']\nformel = 'for x > 0'\n"), "prelude a: write one text, formal"),
    "glossary": (written(OTHER + "[prelude.'a.symbols']\nformal = 'x: a rate'\n"), "write one text, symbols"),
    "no Python": (written("def (", "other.py"), "other.py cannot be imported: SyntaxError"),
    "Python in UTF-16": (written(HEADER.encode("utf-16"), "other.py"), "other.py cannot be imported"),
    "evidence that ends its import": (written(HEADER + "import os\nevidence\nos._exit(0)\n", "other.py"),
                                      "other.py cannot be imported: it ended the process that ran it, with status 0"),
    "evidence of an unknown form": (replaced("'printed'", "'print'", "other.py"), "'print'"),
    "evidence without arguments": (written(HEADER + "@evidence\ndef f(): pass\n", "other.py"), "line 2 of other.py"),
    "evidence of a class": (
        written(HEADER + "@evidence('ours9.other', form='printed', strength='exact')\nclass A: pass\n", "other.py"),
        "decorate a function (line 2 of other.py)"),
}  # fmt: skip


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", LOST)
def test_a_claim_or_evidence_that_is_lost_fails_every_command(
    own: Path, capsys: pytest.CaptureFixture[str], name: str, every: bool
) -> None:
    index, (tamper, said) = [*LOST].index(name), LOST[name]
    tamper(own)
    fails(capsys, said, COMMANDS if every else COMMANDS[index % 5 :][:1])
    assert run(["ledger", "pin", "--collection", "own"]) in (1, 2)
    assert not (own / "manifest.txt").exists()


def test_the_untouched_collection_passes_every_command(own: Path) -> None:
    (own / "pyproject.toml").write_text("[project]\nname = 'own'\n[tool.ruff]\nline-length = 99\n")
    (own / "scenario.toml").write_text("statement = 'edt.thm1'\n[switch]\nports = 4\n")
    (own / ".venv").mkdir()
    (own / ".venv" / "pyvenv.cfg").write_text("")
    (own / ".venv" / "broken.toml").write_text("of somebody else")
    (own / "helper.py").write_text("'A text about evidence of a strength.'\n")
    (own / "loop").symlink_to(".")
    (own / "good.toml").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    for command in COMMANDS:
        status, failures, tests = verified(*command)
        assert (status, failures) == (0, []), command
        assert tests[:1] == (["ours9.good"] if command else ["edt.thm1"])
        assert ("ours9.other" in tests) == ("ours9.good" not in command)


def test_a_tamper_fails_the_run_of_the_papers_with_a_collection(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "other.toml").write_text("[claims.'ours9.other']\n")
    fails(capsys, "did you mean 'claim'", (("edt.thm1",), ("edt.thm1", "--json")))


@pytest.mark.parametrize("make", [shutil.rmtree, lambda own: [file.unlink() for file in own.iterdir()]])
def test_a_folder_that_is_missing_or_empty_fails_every_command(
    own: Path, capsys: pytest.CaptureFixture[str], make: Tamper
) -> None:
    make(own)
    fails(capsys, "own", (*COMMANDS[1:4:2], ("edt.thm1",)))


def test_files_beside_the_two_folders_belong_to_the_collection(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "validation").mkdir()
    assert verified("--only-collection")[::2] == (0, ["ours9.good", "ours9.other"])
    (own / "validation" / "loose.toml").write_text("")
    fails(capsys, "validation/loose.toml: it is empty", COMMANDS[3:4])


def test_a_folder_behind_a_link_belongs_to_the_collection(own: Path, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "third.toml").write_text(claim("ours9.third", "not-checkable", reason="no numbers"))
    (own / "near").symlink_to(tmp_path / "far")
    assert list(collect([Root.at(own)]).claims) == ["ours9.good", "ours9.third", "ours9.other"]


def test_a_lost_line_of_a_manifest_fails_every_command(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "other.py").write_text(
        HEADER + EXAMPLE + evidence(PROVED, "ours9.other") + evidence(PROVED, "ours9.other", name="b")
    )
    assert run(["ledger", "pin", "--collection", "own"]) == 0
    assert verified("ours9.good", "--only-collection")[0] == 0
    (own / "other.py").write_text(HEADER + EXAMPLE + evidence(PROVED, "ours9.other"))
    fails(capsys, "evidence was reviewed and is lost: b", COMMANDS[3:4])
    fails(capsys, "its evidence was 'b (printed, symbolic); first", COMMANDS[:1])
    (own / "other.py").unlink()
    (own / "other.toml").unlink()
    fails(capsys, "ours9.other was reviewed, and no file claims it", COMMANDS[1:4:2])


ENDS: dict[str, tuple[str, str]] = {
    "_exit": ("import os; os._exit(0)", "it ended the process that ran it, with status 0"),
    "exit": ("import sys; sys.exit(0)", "it raised SystemExit: 0"),
    "killed": ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "its process was killed by SIGKILL"),
    "terminated": ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", "it ended the process that ran it"),
    "abort": ("import os; os.abort()", "its process was killed by SIGABRT"),
    "crash": ("import ctypes; ctypes.string_at(0)", "its process was killed by SIGSEGV"),
    "interrupt": ("raise KeyboardInterrupt", "it raised KeyboardInterrupt (line 7 of other.py)"),
    "base": ("class E(BaseException): pass\nraise E('x')", "it raised E: x (line 8 of other.py)"),
    "unprintable": ("class E(Exception):\n    def __str__(self): raise ValueError\nraise E",
                    "it raised E: (its text cannot be read) (line 9 of other.py)"),
    "recursion": ("return second()", "it raised RecursionError"),
    "memory": ("raise MemoryError", "it raised MemoryError"),
    "closed pipe": ("import os, time; os.closerange(3, 256); time.sleep(999)", "it closed the pipe"),
    "limit": ("while True: pass", "it took longer than 3 s"),
    "limit swallowed": ("try:\n    while True: pass\nexcept BaseException: pass\n" + PROVED, "it took longer than 3 s"),
    "never": ("import signal; signal.setitimer(signal.ITIMER_REAL, 0)\nwhile True: pass", "it gave no answer"),
    "stopped": ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", "it gave no answer within"),
    "a text": ("return Agrees('text')", "it returned Agrees with a wrong field: cases of a Agrees is 'text'"),
    "nothing": ("return None", "it returned NoneType: return Proved"),
    "another type": ("return 1", "it returned int: return Proved"),
    "a generator": ("yield 1", "it returned generator"),
    "witness": ("return Counterexample('x')", "it returned Counterexample with a wrong"),
    "conflict": ("return Conflict(3, 'x')", "it returned Conflict with a wrong field"),
    "example": ("return Proved('x', 3)", "it returned Proved with a wrong field"),
    "patched": ("import dtmodel.ledger.runner as r\nr._settled = None\n" + PROVED, "it ended in TypeError"),
}  # fmt: skip


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", ENDS)
def test_evidence_that_ends_its_process_is_named_and_the_run_goes_on(
    own: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, every: bool
) -> None:
    monkeypatch.setattr(children, "_GRACE", 3.0)
    body, said = ENDS[name]
    third = evidence(PROVED, "ours9.third", name="third")
    (own / "other.py").write_text(HEADER + EXAMPLE + evidence(body, "ours9.other", name="second") + third)
    (own / "other.toml").write_text(OTHER + claim("ours9.third"))
    for command in COMMANDS[1:3] if every else COMMANDS[1 + [*ENDS].index(name) % 2 :][:1]:
        capsys.readouterr()
        status, failures, tests = verified(*command, "--limit", "3")
        text = capsys.readouterr()
        assert (status, tests) == (1, ["ours9.good", "ours9.other", "ours9.third"]), text
        (failure,) = failures
        assert failure.startswith("second (other.py:4): "), failure
        assert said in failure
        assert "dtmodel itself" not in text.err
        if "--json" in command:
            assert [item["as_recorded"] for item in json.loads(text.out)["claims"]] == [True, False, True]


@pytest.mark.parametrize(
    "body",
    [
        "print('::stop-commands::x' * 9)",
        "import sys; sys.stdout.close()",
        "import os; os.close(1)",
        "import os; os.chdir('/')",
        "import os; os.environ.clear()",
        "import os; os.fork()",
        "import threading; threading.Thread(target=threading.Event().wait).start()",
        "import signal; signal.signal(signal.SIGALRM, signal.SIG_IGN)",
        "import json; json.dumps = json.loads = None",
    ],
)
def test_evidence_cannot_spoil_the_report_or_the_evidence_after_it(
    own: Path, capsys: pytest.CaptureFixture[str], body: str
) -> None:
    after = "import os, pathlib\nprint('heard')\nassert pathlib.Path('own').is_dir() and os.environ['PATH']\n" + PROVED
    pieces = evidence(f"{body}\n{PROVED}", "ours9.other", name="second") + evidence(after, "ours9.other", name="third")
    (own / "other.py").write_text(HEADER + EXAMPLE + pieces)
    status, failures, _ = verified("--only-collection", "--json")
    text = capsys.readouterr().out
    assert (status, failures) == (0, [])
    assert json.loads(text)["as_recorded"]


def test_a_mistake_in_the_number_of_parameters_is_of_the_evidence(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replaced("def second():", "def second(x):", "other.py")(own)
    fails(capsys, "second (other.py:4): it raised TypeError: second() missing 1 required", COMMANDS[1:2])


@pytest.mark.parametrize("workspace", [pytest.param("git", marks=pytest.mark.needs("git")), "GITHUB_WORKSPACE", "here"])
def test_paths_are_relative_to_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], workspace: str
) -> None:
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    for folder in ("a", "b"):
        new_claims(tmp_path / "sub" / folder, f"ours{folder}")
    claims = tmp_path / "sub" / "a" / "claims.toml"
    claims.write_text(claims.read_text().replace("refuted", "holds"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path if workspace == "here" else tmp_path / "elsewhere")
    if workspace == "git":
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)  # noqa: S607 - wherever git is
    elif workspace == "GITHUB_WORKSPACE":
        monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    both = [word for folder in "ab" for word in ("--collection", str(tmp_path / "sub" / folder))]
    assert run(["verify", *both, "--only-collection", "--github", "--junit", "x.xml", "-j", "1"]) == 1
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("::")]
    assert line.startswith("::error file=sub/a/claims.toml,line=")
    cases = ET.parse("x.xml").getroot().iter("testcase")  # noqa: S314  # our own file
    assert sorted({case.get("file") for case in cases}) == ["sub/a/claims.toml", "sub/b/claims.toml"]


def test_a_report_that_cannot_be_written_is_in_the_files_of_the_job(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own.parent / "file").write_text("")
    for option in ("--output", "--certificates"):
        status, failures, tests = verified("--only-collection", option, "file/x")
        assert status == 2, option
        assert any("this run did not finish" in failure for failure in failures)
        assert "ours9.good" in tests
        assert "::error title=dtmodel verify::this run did not finish" in capsys.readouterr().out


@pytest.mark.parametrize("sign", ["SIGTERM", "SIGINT", "SIGKILL"])
def test_a_run_that_is_ended_leaves_a_file_that_fails(own: Path, sign: str) -> None:
    Path("x.xml").write_text("<testsuites tests='0' failures='0'/>")
    body = "import pathlib, time\npathlib.Path('begun').touch()\ntime.sleep(1000)\n" + PROVED
    (own / "other.py").write_text(HEADER + EXAMPLE + evidence(body, "ours9.other"))
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from dtmodel.cli import main; main()"
    )
    command = [sys.executable, "-c", code, "verify", "--collection", "own", "--only-collection", "--junit", "x.xml"]
    here = os.environ | {"PYTHONPATH": str(Path(dtmodel.__file__).parents[1])}
    with subprocess.Popen([*command, "--github"], env=here, stdout=subprocess.PIPE, text=True) as process:
        while not Path("begun").exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(getattr(signal, sign))
        out, _ = process.communicate(timeout=60)
    assert process.returncode != 0
    failures = [item.get("message", "") for item in ET.parse("x.xml").getroot().iter("failure")]  # noqa: S314
    assert len(failures) == 1
    assert failures[0].startswith("this run did not finish")
    assert ("::error" in out) == (sign != "SIGKILL")


def test_children_are_new_interpreters_where_this_process_cannot_be_copied(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "can_copy", lambda: False)
    body = "import os; os._exit(0)"
    (own / "other.py").write_text(HEADER + EXAMPLE + evidence(body, "ours9.other", name="second"))
    status, failures, _ = verified("--only-collection")
    assert status == 1
    assert failures == ["second (other.py:4): it ended the process that ran it, with status 0"]
