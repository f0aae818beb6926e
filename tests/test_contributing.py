"""What CONTRIBUTING.md shows works as it stands there."""

import json
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import dtmodel
from dtmodel import Arrivals, Switch, compare, simulate
from dtmodel.fluid import run_scenario
from dtmodel.fluid.scenario import Scenario
from dtmodel.ledger import Root, collect
from dtmodel.ledger.runner import run_claims

TREE = Path(__file__).parents[1]
TEXT = (TREE / "CONTRIBUTING.md").read_text(encoding="utf-8")
DOCUMENT = {
    "switch": {"ports": 1, "buffer": "10", "rate": "1"},
    "policy": {"name": "cautious", "alpha": "1", "margin": "2"},
    "queues": [{"arrivals": [["0", "2"]]}],
    "until": "8",
}


def blocks(section: str, language: str) -> list[str]:
    """The blocks of code in a section."""
    body = TEXT.split(f"## {section}\n")[1].split("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", body, flags=re.DOTALL)


@pytest.mark.parametrize(("section", "paper"), [("Add a claim", "edt"), ("Add a paper", "abm")])
def test_the_claim_has_the_verdict_that_its_evidence_computes(tmp_path: Path, section: str, paper: str) -> None:
    (claim,), (evidence,) = blocks(section, "toml"), blocks(section, "python")
    for top, name, text in (("validation", "new.toml", claim), ("proofs", "new.py", evidence)):
        (tmp_path / top / paper).mkdir(parents=True)
        (tmp_path / top / paper / name).write_text(text)
    (result,) = run_claims(collect([Root.at(tmp_path)]), (), replayers={}).results
    assert (result.judgement.verdict, result.faults, result.as_recorded) == ("holds", (), True)


def test_the_policy_is_simulated_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One queue grows at 1 to F - 2 = 8 - Q, at 4 s; a document says the same by the entry point."""
    (code,), (entry,) = blocks("Add a policy", "python"), blocks("Add a policy", "toml")
    (tmp_path / "cautious.py").write_text(code)
    info = tmp_path / "cautious-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cautious\nVersion: 1\n")
    line = entry.splitlines()[1].replace('"', "")
    (info / "entry_points.txt").write_text(f"[dtmodel.policies]\n{line}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    from cautious import Cautious  # type: ignore[import-not-found]  # the file was written just now

    done = simulate(Switch(1, 10, 1), Cautious(Fraction(1), Fraction(2)), {0: Arrivals.constant(2)}, until=8)
    assert done.first_drop(0) == 4
    assert run_scenario(Scenario.read(DOCUMENT), Fraction).queues == done.queues
    (outcome,) = compare(Switch(5, 10, 1), among=[Cautious]).outcomes
    assert outcome.first_drop == 4


def test_a_cap_is_the_line_that_the_text_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T = min(F, 3): the queue grows at 1, meets the cap at 3 s and stays there."""
    (code,), (line,) = blocks("Add a policy", "python"), re.findall(r"`(Threshold\(self\.alpha, cap=[^`]*)`", TEXT)
    capped = code.replace("Threshold(self.alpha, -self.margin)", line.replace("self.cap", "self.margin"))
    assert capped != code
    (tmp_path / "bounded.py").write_text(capped)
    monkeypatch.syspath_prepend(str(tmp_path))
    from bounded import Cautious  # type: ignore[import-not-found]  # the file was written just now

    done = simulate(Switch(1, 10, 1), Cautious(Fraction(1), Fraction(3)), {0: Arrivals.constant(2)}, until=8)
    assert [done.queue(0).at(t) for t in (2, 3, 8)] == [2, 3, 3]


def test_the_policy_is_at_home_in_the_package(tmp_path: Path) -> None:
    """In a copy of the package, with the import and the row that the text names, the command line reads it."""
    (code,) = blocks("Add a policy", "python")
    shutil.copytree(Path(dtmodel.__path__[0]), tmp_path / "dtmodel", ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path / "dtmodel" / "policies"
    (folder / "cautious.py").write_text(code)
    registry, row = (folder / "__init__.py").read_text(), '(Cautious, {"cautious": Cautious.read})'
    assert f"`{row}`" in TEXT
    last = '(LQD, {"lqd": LQD.read}),'
    assert last in registry
    beside = "from dtmodel.policies.complete import CompleteSharing\n"
    registry = registry.replace(last, f"{last}\n    {row},").replace(
        beside, f"from dtmodel.policies.cautious import Cautious\n{beside}"
    )
    (folder / "__init__.py").write_text(registry)
    (tmp_path / "one.json").write_text(json.dumps(DOCUMENT))
    done = subprocess.run(
        [sys.executable, "-m", "dtmodel", "simulate", "one.json", "--json"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["first_drop"] == ["4"]
    linted = [sys.executable, "-m", "ruff", "check", "--stdin-filename", "dtmodel/policies/cautious.py", "-"]
    checked = subprocess.run(linted, cwd=TREE, input=code, capture_output=True, text=True, check=False)
    assert (checked.stdout.strip(), checked.returncode) == ("All checks passed!", 0)
