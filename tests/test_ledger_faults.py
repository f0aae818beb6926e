"""What goes wrong around a run costs at most the report: the verdicts are the same, and nothing half is left."""

import ctypes
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from joblib import delayed
from ledger_cases import PROVED, claim, evidence, root, verify

from dtmodel.base.caches import Store, cache_directory
from dtmodel.base.files import write_whole
from dtmodel.base.workers import in_workers
from dtmodel.cli.statuses import Status
from dtmodel.companion.reports import ReportMaker
from dtmodel.ledger import Root, collect
from dtmodel.ledger.cache import Cache
from dtmodel.ledger.evidence import Agrees, Counterexample, Proved, Witness, outcome_document, read_outcome
from dtmodel.ledger.index import Index

CHECKOUT = Path(__file__).parents[1]
SMT = (
    "import sympy\nfrom dtmodel.ledger.provers import smt\nx = sympy.Symbol('x', real=True)\n"
    "return smt.prove([x > 1], x > 0).proved()"
)
NAMES = ("a", "b", "c", "d")
CLAIMS = [claim(f"mine.{name}") for name in NAMES]
PIECES = [evidence(f"import time\ntime.sleep(0.1)\n{PROVED}", f"mine.{name}", name=name) for name in NAMES]

needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="finds processes in /proc")


@cache
def read_once() -> bytes:
    """What is read off the papers' files, for the caches of all places."""
    with tempfile.TemporaryDirectory() as folder:
        collection = collect([Root(CHECKOUT, "dtmodel_papers")], Index(Store(Path(folder))))
        assert ReportMaker.of(collection).code()
        collection.index.save()
        return (Path(folder) / "store.sqlite").read_bytes()


class Place:
    """A collection in a folder of its own, and `verify` on it in a process of its own."""

    def __init__(self, folder: Path, claims: list[str] = CLAIMS, pieces: list[str] = PIECES) -> None:
        self.folder = folder
        root(folder / "mine", claims, pieces)
        self.output = folder / "here" / "build" / "ledger" / "selection"
        (folder / "here").mkdir()
        (folder / "cache").mkdir()
        (folder / "cache" / "store.sqlite").write_bytes(read_once())
        self.environment = {**os.environ, "DTMODEL_CACHE": str(folder / "cache"), "PYTHONPATH": str(CHECKOUT)}

    def start(self, *options: str, before: Callable[[], None] | None = None, prefix: str = "") -> subprocess.Popen[str]:
        code = f"import sys\n{prefix}\nfrom dtmodel.cli import main\nmain()"
        command = [sys.executable, "-c", code, "verify", "mine", "--collection", str(self.folder / "mine"), *options]
        return subprocess.Popen(
            command, cwd=self.folder / "here", env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, encoding="utf-8", preexec_fn=before,  # noqa: PLW1509 - the tests start no threads
            start_new_session=True,
        )  # fmt: skip

    def run(self, *options: str, status: int = 0, **how: Any) -> tuple[str, str]:
        process = self.start(*options, **how)
        out, err = process.communicate(timeout=120)
        assert process.returncode == status, out + err
        assert "Traceback" not in err
        return out, err

    def verdicts(self, *options: str, **how: Any) -> list[tuple[str, str, str]]:
        out, _ = self.run("--json", *options, **how)
        return [(item["id"], item["verdict"], item["strength"]) for item in json.loads(out)["claims"]]

    def processes(self) -> list[str]:
        """The processes that were started for this place and have not ended."""
        mark, found = f"DTMODEL_CACHE={self.folder / 'cache'}".encode(), []
        for entry in Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in entry.read_bytes() and entry.parent.name != str(os.getpid()):
                    found.append(entry.parent.joinpath("cmdline").read_text(encoding="utf-8"))
            except OSError:
                continue
        return [line for line in found if line and "resource_tracker" not in line]

    def everything_ends(self) -> bool:
        for _ in range(200):
            if not self.processes():
                return True
            time.sleep(0.1)
        return False


RIGHT = [(f"mine.{name}", "holds", "symbolic") for name in NAMES]


def test_a_reader_that_leaves_does_not_make_a_failure_a_success(tmp_path: Path) -> None:
    place = Place(tmp_path, [claim("mine.a", verdict="refuted")], PIECES[:1])
    for options in ([], ["--json"]):
        process = place.start(*options)
        assert process.stdout is not None
        process.stdout.close()
        _, said = process.communicate(timeout=120)
        assert (process.returncode, said.count("Error")) == (Status.UNREAD, 0)
        assert "Traceback" not in place.run(*options, status=Status.DIFFERS)[1]


@needs_proc
def test_a_run_killed_anywhere_leaves_no_worker_and_no_half_file(tmp_path: Path) -> None:
    place = Place(tmp_path)
    start = time.monotonic()
    assert place.verdicts("-j", "2") == RIGHT
    whole = time.monotonic() - start
    shutil.rmtree(tmp_path / "cache")
    for point in range(5):
        process = place.start("-j", "2")
        time.sleep(whole * (point + 0.5) / 5)
        process.kill()
        process.communicate(timeout=60)
        assert place.everything_ends(), place.processes()
        report = place.output / "report.json"
        assert json.loads(report.read_text(encoding="utf-8"))["claims"]
    assert place.verdicts("-j", "2") == RIGHT
    assert sorted(path.name for path in place.output.iterdir()) == ["report.html", "report.json"]


@needs_proc
def test_a_worker_that_was_never_given_a_job_ends_with_its_parent(tmp_path: Path) -> None:
    place = Place(tmp_path)
    one_job = (
        "import os, signal\nfrom joblib import delayed\nfrom dtmodel.base.workers import in_workers\n"
        "list(in_workers(3, [delayed(os.kill)(os.getpid(), signal.SIGKILL)]))"
    )
    process = place.start(prefix=one_job)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert place.everything_ends(), place.processes()


@needs_proc
@pytest.mark.parametrize(("sign", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_run_ends_its_workers_and_writes_nothing(
    tmp_path: Path, sign: signal.Signals, status: int, jobs: str
) -> None:
    body = f"import pathlib, time\npathlib.Path({str(tmp_path / 'started')!r}).touch()\ntime.sleep(1000)\n{PROVED}"
    place = Place(tmp_path, CLAIMS, [evidence(body, "mine.a", name="slow"), *PIECES[1:]])
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # a background job ignores it
    process = place.start("-j", jobs, prefix=heard)
    while not (tmp_path / "started").exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(sign)
    _, err = process.communicate(timeout=500)
    assert process.returncode == status
    assert "Traceback" not in err
    assert place.everything_ends(), place.processes()
    assert not place.output.exists()


def test_two_runs_at_once_agree(tmp_path: Path) -> None:
    place = Place(tmp_path)
    runs = [place.start("-j", "2", "--json") for _ in range(2)]
    answers = [json.loads(process.communicate(timeout=120)[0]) for process in runs]
    assert [process.returncode for process in runs] == [0, 0]
    assert [[item["verdict"] for item in answer["claims"]] for answer in answers] == [["holds"] * 4] * 2
    assert json.loads((place.output / "report.json").read_text(encoding="utf-8"))["as_recorded"]


def small_files() -> None:
    """Let no file grow beyond 500 bytes, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))


def test_a_full_disk_costs_the_report_and_not_the_table(tmp_path: Path) -> None:
    place = Place(tmp_path)
    out, err = place.run("-j", "1", before=small_files)
    assert "all as recorded" in out
    assert "warning: no report in build/ledger/selection (File too large)" in err
    assert "report:" not in out
    assert list(place.output.iterdir()) == []


def test_a_full_disk_is_an_error_for_what_was_asked_for(tmp_path: Path) -> None:
    place = Place(tmp_path)
    out, err = place.run("-j", "1", "--output", str(tmp_path / "reports"), before=small_files, status=2)
    assert "all as recorded" in out
    assert "--output" in err


def test_an_old_report_survives_a_full_disk(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.run("-j", "1")
    old = (place.output / "report.html").read_bytes()
    place.run("-j", "1", before=small_files)
    assert (place.output / "report.html").read_bytes() == old


def obey_permissions() -> None:
    """Give up root's right to write where the permissions forbid it (CAP_DAC_OVERRIDE)."""
    if os.geteuid() == 0 and ctypes.CDLL(None).prctl(24, 1, 0, 0, 0):
        os._exit(77)


@pytest.mark.parametrize(
    ("cache", "home"),
    [
        ("DTMODEL_CACHE", "locked"),
        ("XDG_CACHE_HOME", "unset"),
        *(pytest.param("DTMODEL_CACHE", home, marks=pytest.mark.exhaustive) for home in ("unset", "empty")),
        *(pytest.param("XDG_CACHE_HOME", home, marks=pytest.mark.exhaustive) for home in ("empty", "locked")),
    ],
)
def test_a_read_only_tree_costs_the_report_and_not_the_table(tmp_path: Path, cache: str, home: str) -> None:
    place = Place(tmp_path)
    locked = tmp_path / "locked"
    locked.mkdir()
    for name in ("DTMODEL_CACHE", "HOME"):
        del place.environment[name]
    place.environment |= {cache: str(locked / "cache"), "TMPDIR": str(locked)}
    place.environment |= {"unset": {}, "empty": {"HOME": ""}, "locked": {"HOME": str(locked)}}[home]
    for folder in (locked, place.folder / "here"):
        folder.chmod(0o555)
    process = subprocess.Popen([sys.executable, "-c", f"open({str(locked / 'x')!r}, 'w')"], preexec_fn=obey_permissions,  # noqa: PLW1509 - no threads
                               stderr=subprocess.DEVNULL)  # fmt: skip
    if process.wait() != 1:
        pytest.skip("permissions do not bite here")
    out, err = place.run("-j", "2", before=obey_permissions)
    assert "all as recorded" in out
    assert "warning: no report in build/ledger/selection (Permission denied)" in err
    assert list((place.folder / "here").iterdir()) == list(locked.iterdir()) == []
    for folder in (locked, place.folder / "here"):
        folder.chmod(0o755)


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_without_a_solver_claims_are_not_run_and_say_why(tmp_path: Path, solver: str) -> None:
    place = Place(tmp_path, [claim("mine.a")], [evidence(SMT, "mine.a", strength="smt")])
    missing = f"sys.modules[{solver!r}] = None"
    out, _ = place.run("-j", "1", prefix=missing)
    assert "not run" in out
    assert f"{solver} is not installed: pip install" in " ".join(out.split())
    out, err = place.run("-j", "1", "--require", "smt", prefix=missing, status=Status.MISSING_EXTRA)
    assert (out, err) == ("", f"error: this needs {solver}: pip install 'dtmodel-buffers[ledger]'\n")


def test_without_coq_claims_are_not_run_and_say_why(tmp_path: Path) -> None:
    place = Place(tmp_path, [claim("mine.a") + 'kernel = [{ theorems = ["theorem1"] }]\n'], [])
    place.environment["PATH"] = str(tmp_path)
    out, _ = place.run("-j", "1")
    assert "not run" in out
    assert "coqc is not on the path" in " ".join(out.split())
    out, err = place.run("-j", "1", "--require", "coq", status=Status.MISSING_EXTRA)
    assert (out, err[:46]) == ("", "error: this needs Coq: coqc is not on the path")


def test_hash_seeds_change_nothing(tmp_path: Path) -> None:
    place = Place(tmp_path)
    found = []
    for seed in ("0", "1", "4711"):
        place.environment["PYTHONHASHSEED"] = seed
        document = json.loads(place.run("-j", "1", "--no-cache", "--json")[0])
        for item in (part for each in document["claims"] for part in each["evidence"]):
            del item["seconds"]
        found.append(json.dumps(document["claims"]))
    assert len(set(found)) == 1


@pytest.mark.parametrize("locale", ["C", "POSIX", "tr_TR.UTF-8", "nonsense"])
def test_locales_change_nothing(tmp_path: Path, locale: str) -> None:
    place = Place(tmp_path, [claim("mine.a", statement=r"$\\alpha \\leq 2$")], [evidence(PROVED, "mine.a")])
    place.environment["LC_ALL"] = locale
    assert place.verdicts("-j", "1") == [("mine.a", "holds", "symbolic")]
    assert "α" not in (place.output / "report.html").read_text(encoding="utf-8").split("<math")[0]


def test_a_damaged_cache_is_ignored_and_rewritten(tmp_path: Path) -> None:
    def again() -> Any:
        return verify(tmp_path / "one", CLAIMS, PIECES, cache=Cache(Store(tmp_path / "cache"), {}))

    again()
    file = tmp_path / "cache" / "store.sqlite"
    file.write_bytes(b"null" + file.read_bytes()[4:])
    done = again()
    assert done.as_recorded
    assert not any(item.ran[0].cached for item in done.results)
    assert all(item.ran[0].cached for item in again().results)


OUTCOMES = [
    Proved("so", {"x": "1"}, ["x > 0"], {"kind": "slack"}),
    Agrees(3),
    Counterexample(Witness("values", {"x": "1"}, says="it is")),
]


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_an_outcome_is_read_as_it_was_written_and_in_no_other_shape(outcome: Any) -> None:
    document = outcome_document(outcome)
    assert read_outcome(json.loads(json.dumps(document))) == outcome
    for key in document:
        for wrong in (None, 1.5, True, [1], {"a": 1}, "text", 7):
            if type(wrong) is not type(document[key]) or key in {"witness", "type"}:
                with pytest.raises(ValueError, match=r".+"):
                    read_outcome({**document, key: wrong})
    for wrong in (None, [], "x", {}, {"type": []}, {**document, "more": "x"}):
        with pytest.raises(ValueError, match=r".+"):
            read_outcome(wrong)


def test_no_number_of_jobs_is_too_large() -> None:
    assert list(in_workers(10**9, [delayed(abs)(-1), delayed(abs)(-2)])) == [1, 2]


def test_a_file_is_whole_or_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "folder" / "file.txt"
    path.parent.mkdir()
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    others = path.with_name(f".file.txt.{os.getppid()}.dtmodel-part"), path.with_name(f".notes.{dead.pid}.part")
    for left in (path.with_name(f".other.txt.{dead.pid}.dtmodel-part"), *others):
        left.write_text("half")

    write_whole(path, "old")
    with path.open(encoding="utf-8") as reader:
        write_whole(path, "older")
        assert reader.read() == "old"  # whoever reads has the old file, not a half one
    write_whole(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert {*path.parent.iterdir()} == {path, *others}  # what is being written stays, and what is not ours
    write_whole(path, "new", synced=False)
    assert path.read_text() == "new"


def test_a_cache_stands_where_it_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DTMODEL_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    (tmp_path / "pyproject.toml").write_text("")
    assert cache_directory(tmp_path) == tmp_path / ".cache" / "dtmodel"
    (tmp_path / ".cache").write_text("a file is in the way")
    assert cache_directory(tmp_path) == tmp_path / "user" / "dtmodel"
    (tmp_path / "user").write_text("a file is in the way")
    assert cache_directory(tmp_path) not in (tmp_path / "user" / "dtmodel", tmp_path / ".cache" / "dtmodel")


def test_without_a_home_a_cache_is_temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("DTMODEL_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nobody)
    assert cache_directory(tmp_path).parent == Path(tempfile.gettempdir())


def test_make_clean_removes_every_cache_of_the_checkout() -> None:
    from dtmodel.ledger.provers import coq_build

    text = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    removed = text.partition("\nclean:")[2].partition("rm -rf")[2].split()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("DTMODEL_")}
    code = "from dtmodel.ledger.provers.coq_build import coq_cache_directory; print(coq_cache_directory())"
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, env=environment, check=True, capture_output=True, text=True
    ).stdout.strip()
    assert coq_build.coq_cache_directory().name == "coq"
    assert Path(said).relative_to(CHECKOUT).parts[0] in removed
    assert {"build", "dist", ".cache", "$(VENV)"} <= set(removed)
