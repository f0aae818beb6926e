"""What CONTRIBUTING.md shows works as it stands there."""

import json
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies
from refusals import refused

import dtmodel
from dtmodel import Arrivals, Switch, compare, derive, policies, simulate
from dtmodel.cli.replay_trace import policy_named
from dtmodel.companion.words import vocabulary
from dtmodel.fluid import run_scenario
from dtmodel.fluid.scenario import Scenario
from dtmodel.ledger import Claim, Root, collect
from dtmodel.ledger.hunting import hunt_target, targets
from dtmodel.ledger.runner import run_claims
from dtmodel.modelcheck import PolicySwitch, always
from dtmodel.packet.engine import run_packets
from dtmodel.strategies.scenario_generator import draw_scenario

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


@pytest.fixture
def cautious(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the class of the text, installed with its entry point."""
    (code,), (entry,) = blocks("Add a policy", "python"), blocks("Add a policy", "toml")
    (tmp_path / "cautious.py").write_text(code)
    info = tmp_path / "cautious-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cautious\nVersion: 1\n")
    line = entry.splitlines()[1].replace('"', "")
    (info / "entry_points.txt").write_text(f"[dtmodel.policies]\n{line}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    from cautious import Cautious  # type: ignore[import-not-found]  # the file was written just now

    return Cautious


def test_the_policy_is_simulated_and_read(cautious: Any) -> None:
    """One queue grows at 1 to F - 2 = 8 - Q, at 4 s; a document says the same by the entry point."""
    done = simulate(Switch(1, 10, 1), cautious("1", "2 B"), {0: Arrivals.constant(2)}, until=8)
    assert done.first_drop(0) == 4
    assert run_scenario(Scenario.read(DOCUMENT), Fraction).queues == done.queues
    assert run_scenario(Scenario.read(DOCUMENT), float).first_drop(0) == 4.0
    (outcome,) = compare(Switch(5, 10, 1), among=[cautious]).outcomes
    assert outcome.first_drop == 4
    assert policy_named("cautious:alpha=1,margin=2", Switch(1, 10, 1)) == cautious(1, 2)
    with refused("policy.margin", "-2"):
        policies.read({**DOCUMENT["policy"], "margin": "-2"}, {}, 1)  # type: ignore[dict-item]  # an object


def test_packets_and_the_explorer_have_the_policy(cautious: Any) -> None:
    """A fifth packet finds 4 in the queue and F - 2 = 4; of two queues with 5 places one holds at most 2."""
    streams = [[(Fraction(k, 4), Fraction(1), None) for k in range(32)]]
    done = run_packets(buffer=Fraction(10), rates=[Fraction(1)], policy=cautious(1, 2), streams=streams, until=8)
    assert (done.lost[0].time, done.lost[0].free) == (Fraction(5, 4), 6)
    assert always(PolicySwitch(cautious(1, 2), ports=2, buffer=5), lambda state: max(state.lengths) <= 2).complete


@pytest.mark.usefixtures("cautious")
def test_a_theorem_about_the_policy_is_derived() -> None:
    symbols = {"alpha": "> 0", "m": ">= 0, <= alpha*B", "B": "> 0", "C": "> 0", "R": "> C"}
    asked = {"symbols": symbols, "switch": {"buffer": "B", "rate": "C"}, "ask": [{"first_drop": 0}],
             "queues": [{"arrivals": [["0", "R"]]}]}  # fmt: skip
    theorem = derive({**asked, "policy": {"name": "cautious", "alpha": "alpha", "margin": "m"}})
    assert theorem.complete
    assert theorem.evaluate(alpha=1, m=2, B=10, C=1, R=2)["first_drop"] == 4


@pytest.mark.usefixtures("cautious")
def test_a_claim_about_the_policy_is_hunted() -> None:
    text = """
    for alpha > 0; B > 0; C > 0; R > C; 0 <= m <= alpha*B
    let t = (alpha*B - m)/((1 + alpha)*(R - C))
    run x = cautious(bursts(1, R), until = t + 1, alpha = alpha, margin = m)
    then drop(x, 1) == {}
    """
    for said, holds in (("t", True), ("2*t", False)):
        claim = Claim("own.eq1", "here", "ours", "One.", "holds", formal=text.format(said))
        (target,) = targets([claim], words=vocabulary)
        found = hunt_target(target, vocabulary(target.formal), cases=60, seed=1)
        assert found.attack.tried > 0
        assert (found.attack.counterexample is None) is holds


@pytest.mark.usefixtures("cautious")
@settings(max_examples=5, deadline=None)
@given(strategies.randoms(use_true_random=False))
def test_scenarios_of_the_policy_are_drawn(random: Random) -> None:
    document = draw_scenario(random, "cautious")
    assert set(document["policy"]) == {"name", "alpha", "margin"}
    assert run_scenario(Scenario.read(document), Fraction).until > 0


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
    registry, row = (folder / "__init__.py").read_text(), '"cautious": Cautious,'
    assert f"`{row}`" in TEXT
    last = '"occamy": Occamy,'
    assert last in registry
    beside = "from dtmodel.policies.complete import CompleteSharing\n"
    registry = registry.replace(last, f"{last}\n    {row}").replace(
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
