"""The package as a whole: its public names, what an import costs, and what a wheel holds."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import dtmodel

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = {
    "DT",
    "EDT",
    "LQD",
    "Arrivals",
    "CompleteSharing",
    "DtmodelError",
    "InputError",
    "LedgerError",
    "ModelError",
    "Pool",
    "ProverError",
    "QueueLimits",
    "Run",
    "Scenario",
    "SharedPools",
    "StaticPartition",
    "Switch",
    "Weighted",
    "simulate",
}


def test_the_public_names_are_these():
    assert set(dtmodel.__all__) == PUBLIC
    assert all(getattr(dtmodel, name).__doc__ for name in PUBLIC)


def test_an_import_loads_nothing_heavy():
    code = "import sys, dtmodel; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"sympy", "numpy", "matplotlib", "z3", "cvc5", "rich", "click"} & set(loaded)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return a folder with the unpacked wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run_from(site, *arguments):
    code = f"import sys; sys.path.insert(0, {str(site)!r}); from dtmodel.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-I", "-c", code, *arguments], capture_output=True, text=True, check=False, cwd=site
    )


def test_an_installed_wheel_has_every_claim_of_the_checkout(installed):
    here = subprocess.run(
        [sys.executable, "-c", "from dtmodel.cli import main; main()", "ledger", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    there = run_from(installed, "ledger", "--json")
    assert json.loads(there.stdout) == json.loads(here.stdout)
    assert len(json.loads(here.stdout)) > 0


def test_an_installed_wheel_runs_evidence(installed, tmp_path):
    done = run_from(installed, "verify", "edt.eq2", "--no-cache", "--json", "--output", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["as_recorded"] is True


def test_the_wheel_carries_proofs_notebooks_and_schemas(installed):
    for pattern in ("_papers/proofs/coq/*.v", "_papers/notebooks/*.ipynb", "schemas/*.json", "py.typed"):
        assert list((installed / "dtmodel").glob(pattern)), pattern
