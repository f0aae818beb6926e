"""Whatever operation on a file fails, no half file stands under a final name, and the next run is right."""

import ast
import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from random import Random

import file_faults
import pytest

import dtmodel
from docs.build import lay
from dtmodel.base import files
from dtmodel.cli import run as command
from dtmodel.cli.statuses import Status

PACKAGE = Path(dtmodel.__file__).parent
EXAMPLES = PACKAGE / "examples"
TRACE = "time,port,bytes\n" + "".join(f"0.{number:03},{number % 2},1500\n" for number in range(400))
SWEEP = {
    "statement": "edt.thm1", "given": {"alpha": 1, "B": 6, "C": 1, "M": 1, "N": 0},
    "axes": {"R": {"values": [2, 3]}}, "chunk": 1,
}  # fmt: skip
COMMANDS = {
    "make-trace, CSV": "make-trace OUT/t.csv --ports 2 --rate 1Gbps --duration 20us",
    "make-trace, Parquet": "make-trace OUT/t.parquet --ports 2 --rate 1Gbps --duration 20us",
    "replay-trace": "replay-trace IN/trace.csv --ports 2 --buffer 3000 --rate 10kbps --policy dt:alpha=1 --losses OUT",
    "sweep": "sweep IN/sweep.json --output OUT/sweep",
    "sweep, drawn": "sweep IN/sweep.json --output IN/done --plot OUT/map.svg",
    "simulate": "simulate EXAMPLES/scenario-dt.toml --save OUT/run.png",
    "trace": "trace EXAMPLES/trace-losspass.toml --save OUT/run.pdf",
    "compare": "compare --ports 4 --buffer 1MB --rate 1Gbps --plot OUT/all.png",
    "figure": "figure edt.fig3 --output OUT",
    "new-claim": "new-claim OUT/mine",
    "hunt": "hunt edt.eq1 --cases 2 --table OUT",
    "derive": "derive EXAMPLES/derive.toml --certificate OUT/theorem.json",
    "verify": "verify --collection IN/claims --only-collection --jobs 1 --output OUT/report --junit OUT/junit.xml "
              "--certificates OUT/certificates",
    "lab": "lab --copy-only --to OUT/notebooks",
}  # fmt: skip
QUICK = ("make-trace, CSV", "make-trace, Parquet", "replay-trace", "sweep", "new-claim")
"""The commands of which operations of every kind fail in the ordinary run."""
DRAWN_SLOWLY = ("compare", "figure")
"""In the ordinary run other commands write with the function that writes their pictures."""
OFTEN = 2
"""How many operations of each other command fail in the ordinary run. In the full-size run the first and the last of
each kind do: where one line reads hundreds of files, the same code reports the faults of all."""


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    monkeypatch.setenv("DTMODEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "1000")  # a path stands in one line
    (folder / "trace.csv").write_text(TRACE)
    (folder / "sweep.json").write_text(json.dumps(SWEEP))
    assert command(["new-claim", str(folder / "claims")]) == 0
    capsys.readouterr()
    return folder


def arguments(name: str, inputs: Path, out: Path) -> list[str]:
    places = {"OUT": str(out), "IN": str(inputs), "EXAMPLES": str(EXAMPLES)}
    return [re.sub("OUT|IN|EXAMPLES", lambda found: places[found[0]], word) for word in COMMANDS[name].split()]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def see_that_it_is_whole(name: str, content: bytes) -> None:
    """Fail if a file has lost its end; one of records is compared with what it should hold, besides."""
    match Path(name).suffix:
        case ".json" | ".ipynb":
            json.loads(content)
        case ".toml":
            tomllib.loads(content.decode())
        case ".py":
            compile(content, name, "exec")
        case ".parquet":
            assert content.endswith(b"PAR1")
        case ".csv" | ".md" | ".sha256":
            assert content.endswith(b"\n")
        case other:
            ends = {".png": b"IEND\xaeB`\x82", ".svg": b"</svg>", ".pdf": b"%%EOF", ".html": b"</html>", ".xml": b">"}
            assert content.rstrip(b"\n").endswith(ends[other]), name


def sizes(found: dict[str, bytes]) -> dict[str, int]:
    """The number of lines of each text, of which some say how long a run took."""
    return {
        name: content.count(b"\n") if Path(name).suffix in (".csv", ".xml") else 0 for name, content in found.items()
    }


@pytest.mark.parametrize(
    ("name", "before", "often"),
    [
        *(
            pytest.param(name, True, OFTEN, id=f"{name}-some")
            for name in COMMANDS
            if name not in (*QUICK, *DRAWN_SLOWLY)
        ),
        *(
            pytest.param(
                name, before, None, marks=[pytest.mark.exhaustive] * (name not in QUICK), id=f"{name}-every-{before}"
            )
            for name in COMMANDS
            for before in (False, True)
        ),
    ],
)
def test_an_operation_that_fails_leaves_whole_files_a_named_error_and_a_next_run_that_is_right(
    name: str, before: bool, often: int | None, inputs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = before and name not in ("new-claim", "lab")  # which write over nothing

    def attempt(out: Path, fails: int | file_faults.Place = 0) -> tuple[int, str, file_faults.Faults]:
        files.remove_parts.cache_clear()
        with file_faults.failing(fails) as faults:
            status = command(arguments(name, inputs, out))
        report, said = capsys.readouterr()
        if status == Status.DIFFERS:  # the report of verify names the file that a collection has lost
            said += re.sub("(?m)^ +", "error: ", report)
        return status, said, faults

    def fresh(number: int) -> Path:
        out = tmp_path / f"out{number}"
        if before:
            shutil.copytree(reference, out)
        else:
            out.mkdir()
        return out

    reference = tmp_path / "reference"
    reference.mkdir()
    assert attempt(reference)[0] == 0, capsys.readouterr()
    right = contents(reference)
    assert right
    out = fresh(0)
    status, _, counted = attempt(out)  # what is read once in a process has been read
    shutil.rmtree(out)
    assert status == 0
    places = [(kind, which) for kind, most in counted.kinds.items() for which in sorted({1, most})]
    drawn = places if often is None else Random(name).sample(places, min(often, len(places)))
    statuses, kinds = set(), set()
    for number, place in enumerate(drawn, 1):
        out = fresh(number)
        status, said, faults = attempt(out, place)
        context = (place, faults.failed, status, said)
        statuses.add(status)
        kinds |= {place[0]} if faults.failed else set()
        unread = Status.DIFFERS if "cannot be read" in said else 0
        assert status in (0, unread, Status.BAD_INPUT, Status.SYSTEM), context
        assert "internal error" not in said, context
        named = len(re.findall("^error: .*/", said, re.MULTILINE))
        assert named == (status != 0) or (named and status == unread), context
        found = contents(out)
        assert set(found) <= set(right), context
        assert set(found) == set(right) or (status and not before), context
        for file, content in found.items():
            see_that_it_is_whole(file, content)
        begun = {"junit.xml"} if status else set()  # written as failing first, and replaced at the end
        assert sizes(found).items() - sizes(right).items() <= {
            (file, sizes(found)[file]) for file in begun & set(found)
        }
        if status or name != "new-claim":
            status, said, _ = attempt(out)
            assert status == 0, (context, said)
        assert sizes(contents(out)) == sizes(right), context
        shutil.rmtree(out)
    assert often or (statuses >= {Status.SYSTEM} and kinds == counted.kinds.keys())


def writes(source: str) -> list[int]:
    """The lines of a module that write a file by themselves; `file` is one that is open."""
    lines = []
    named = any(name in source for name in (*WRITERS, "open(", "savefig("))  # to parse every module takes a second
    for node in ast.walk(ast.parse(source if named else "")):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        words = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
        opened = name == "open" and "file" not in [getattr(argument, "id", "") for argument in node.args]
        writing = opened and any(re.fullmatch("[rwaxbt+]*[wax+][rwaxbt+]*", str(word)) for word in words)
        drawn = name == "savefig" and getattr(node.args[0], "id", "") != "picture"
        if writing or drawn or name in WRITERS:
            lines.append(node.lineno)
    return lines


WRITERS = {
    "write_text", "write_bytes", "touch", "to_csv", "to_parquet", "copy2", "copyfile", "copytree", "rename",
    "OSFile", "output_stream",
}  # fmt: skip
ALLOWED = {"base/files.py": 2, "ledger/provers/coq_theorems.py": 1}
"""The home of writing, and a lock file, which has no content."""


def test_every_file_of_the_package_is_written_by_one_module() -> None:
    assert writes("path.open('wb')\nopen(x, 'a')\np.write_text(t)\nfigure.savefig(path)") == [1, 2, 3, 4]
    assert writes("path.open()\nopen(x, 'rb')\nlzma.open(file, 'wb')\nfigure.savefig(picture)\nfile.write(t)") == []
    found = {path.relative_to(PACKAGE).as_posix(): writes(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}
    assert {name: len(lines) for name, lines in found.items() if lines} == ALLOWED


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_trace_that_is_interrupted_is_not_there(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "trace.csv"
    path.write_text("old")
    options = f"make-trace {path} --ports 16 --rate 10Gbps --duration 1s".split()
    child = subprocess.Popen([sys.executable, "-m", "dtmodel", *options], stderr=subprocess.DEVNULL)
    while child.poll() is None and not any(part.stat().st_size for part in tmp_path.glob(".*.dtmodel-part")):
        time.sleep(0.05)
    child.send_signal(number)
    assert child.wait(60) == 128 + number
    assert contents(tmp_path) == {"trace.csv": b"old"}


def test_a_link_is_followed_and_a_device_takes_what_comes(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    files.write_whole(tmp_path / "link", "new")
    files.write_whole(Path("/dev/null"), "gone")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    assert not Path("/dev/null").is_file()


def test_pages_of_the_site_are_whole_or_old(tmp_path: Path) -> None:
    for number in range(1, 12):
        lay(tmp_path, {"a.html": b"old"})
        with file_faults.failing(number) as faults:
            try:
                lay(tmp_path, {"a.html": b"new, and longer"})
                right = b"new, and longer"
            except OSError:
                right = b"old"
        assert contents(tmp_path) == {"a.html": right}
    assert faults.count < number


def test_a_source_that_cannot_be_read_is_not_a_fault_of_the_witness_that_needs_it_first(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(arguments("verify", inputs, tmp_path / "before")) == 0
    capsys.readouterr()
    really, reads = Path.read_bytes, list[str]()

    def read(path: Path) -> bytes:
        reads.append(path.name)
        if path.name == "witness_svg.py" and reads.count(path.name) == 1:
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return really(path)

    monkeypatch.setattr(Path, "read_bytes", read)
    assert command(arguments("verify", inputs, tmp_path / "out")) == Status.SYSTEM
    report, said = capsys.readouterr()
    assert re.search(r"^error: Input/output error: .*witness_svg\.py$", said, re.MULTILINE)
    assert "does not replay" not in report + said
