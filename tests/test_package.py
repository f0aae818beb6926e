"""The package as a whole: its public names, what an import costs, and what a wheel holds."""

import ast
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import dtmodel
from dtmodel.base import extras

pytestmark = pytest.mark.xdist_group("package")
ROOT = Path(__file__).resolve().parent.parent
PUBLIC = """
DT EDT LQD Arrivals BudgetError CompleteSharing DtmodelError ExtraError InputError LedgerError ModelError Pool
ProverError QueueLimits Run Scenario SharedPools StaticPartition Switch Weighted claims compare figure hunt
ratio replay search sheet simulate sweep theorem trace verify
"""


def test_the_public_names_are_these() -> None:
    assert sorted(dtmodel.__all__) == sorted(PUBLIC.split())
    assert all(getattr(dtmodel, name).__doc__ for name in dtmodel.__all__)


def test_an_import_loads_nothing_heavy() -> None:
    code = "import sys, dtmodel; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"sympy", "numpy", "matplotlib", "z3", "cvc5", "rich", "click"} & set(loaded)
    code = "import sys, dtmodel.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {*extras.EXTRAS, "sympy", "numpy", "rich", "latex2mathml"} & set(loaded)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the unpacked wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run_from(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.path.insert(0, {str(site)!r}); from dtmodel.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-I", "-c", code, *arguments], capture_output=True, text=True, check=False, cwd=site
    )


def test_an_installed_wheel_has_every_claim_of_the_checkout(installed: Path) -> None:
    here = subprocess.run(
        [sys.executable, "-c", "from dtmodel.cli import main; main()", "ledger", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    there = run_from(installed, "ledger", "--json")
    assert json.loads(there.stdout) == json.loads(here.stdout)
    assert len(json.loads(here.stdout)) > 0


def test_an_installed_wheel_runs_evidence(installed: Path, tmp_path: Path) -> None:
    done = run_from(installed, "verify", "dynaq.sec2.1.servers", "--no-cache", "--json", "--output", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["as_recorded"] is True


def test_the_wheel_carries_proofs_notebooks_and_schemas(installed: Path) -> None:
    for pattern in (
        "_papers/proofs/coq/EDT/Drops/*.v",
        "_papers/notebooks/*.ipynb",
        "schemas/*.json",
        "examples/*.toml",
        "py.typed",
    ):
        assert list((installed / "dtmodel").glob(pattern)), pattern


def test_a_plain_install_brings_what_the_commands_need_and_no_more(installed: Path) -> None:
    (metadata,) = installed.glob("*.dist-info/METADATA")
    lines = metadata.read_text(encoding="utf-8").splitlines()
    needed = [line.split(": ")[1] for line in lines if "Requires-Dist" in line]
    base = {re.split(r"[<>=]", line)[0] for line in needed if "extra ==" not in line}
    assert base == {"click", "latex2mathml", "numpy", "rich", "sympy"}
    for package, extra in extras.EXTRAS.items():
        name = {"z3": "z3-solver", "flint": "python-flint"}.get(package, package)
        brings = [line for line in needed if line.startswith(f"{name}>=")]
        assert any(line.endswith(f"extra == '{extra}'") for line in brings), package


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["params", "dynaq", "--preset", "testbed"], 0),
        (["params", "edt", "--ports", "4", "--buffer", "1MB", "--rate", "1Gbps"], 0),
        (["ledger", "edt.eq2"], 0),
        (["show", "edt.eq2"], 0),
        (["search", "fairness"], 0),
        (["replay", "edt.fn9"], 0),
        (["figure"], 0),
        (["lab", "--copy-only", "--to", "n"], 0),
        (["verify", "edt.eq2"], 3),
        (["figure", "edt.fig2"], 3),
        (["lab"], 3),
        (["sweep", "s.toml", "-o", "out"], 3),
        (["experiment", "edt.fig22"], 3),
        (["experiment"], 0),
        (["make-trace", "t.csv", "--ports", "4", "--rate", "1Gbps", "--duration", "1ms"], 3),
    ],
)
def test_a_plain_install_answers_or_says_what_to_install(
    installed: Path, tmp_path: Path, arguments: list[str], status: int
) -> None:
    missing = f"sys.modules.update(dict.fromkeys({sorted(extras.EXTRAS)!r}))"
    code = f"import sys; {missing}; sys.path.insert(0, {str(installed)!r}); from dtmodel.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, *arguments], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == status, done.stderr
    assert bool(done.stdout) == (status == 0)
    assert ("pip install 'dtmodel-buffers[" in done.stderr) == (status == 3)


def test_the_lab_extra_has_all_that_the_notebooks_import() -> None:
    brought = {"dtmodel", "matplotlib", "ipywidgets", "IPython", "numpy", "sympy", *sys.stdlib_module_names}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            lines = [line for line in cell["source"] if cell["cell_type"] == "code" and not line.startswith("%")]
            for node in ast.walk(ast.parse("".join(lines))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                assert {name.split(".")[0] for name in names} <= brought, path
