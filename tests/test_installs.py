"""The package as pip installs it into a new environment: compiled, without a compiler, from a wheel; on a cluster."""

import json
import os
import subprocess
import sys
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
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


def checkout(folder: Path) -> Path:
    """Copy what a clone has: nothing compiled, nothing made."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout  # noqa: S607
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


def run(*command: object, **more: object) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DTMODEL"))}
    environment |= {name.upper(): str(value) for name, value in more.items() if name != "cwd"}
    done = subprocess.run(
        [*map(str, command)], cwd=more.get("cwd"), env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_wheel_built_without_a_compiler_is_for_every_platform(tmp_path: Path) -> None:
    source = checkout(tmp_path / "source")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=source, cxx="")
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert "dtmodel/native/core.library" not in archive.namelist()


@pytest.mark.exhaustive
@pytest.mark.parametrize("how", ["without a compiler", "with a compiler", "of the wheel"])
def test_pip_installs_into_a_new_environment(tmp_path: Path, how: str) -> None:
    """Each says which engine runs, and all answer alike. pip needs an index of packages."""
    source, python = checkout(tmp_path / "source"), tmp_path / "venv" / "bin" / "python"
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    what, cxx = source, "" if how == "without a compiler" else "c++"
    if how == "of the wheel":
        run(python, "-m", "pip", "wheel", "--no-deps", "-w", tmp_path, source)
        (what,), cxx = tmp_path.glob("*.whl"), ""
    run(python, "-m", "pip", "install", what, cxx=cxx)
    status = run(python, "-c", "import dtmodel.native; print(dtmodel.native.status())", cwd=tmp_path)
    assert ("no native core" in status) is (how == "without a compiler"), status
    simulate = (tmp_path / "venv" / "bin" / "dtmodel", "simulate", DT, "--json")
    exact, rounded = (json.loads(run(*simulate, *more, cwd=tmp_path)) for more in ((), ("--float",)))
    assert rounded["engine"] == ("python" if how == "without a compiler" else "native")
    for name in ("first_drop", "dropped"):
        assert [float(Fraction(value)) for value in exact[name]] == pytest.approx(
            rounded[name], rel=rounded["error_bound"]
        )


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
