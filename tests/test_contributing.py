"""What CONTRIBUTING.md shows works as it stands there."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from dtmodel import Arrivals, Switch, simulate
from dtmodel.fluid import run_scenario
from dtmodel.ledger import Root, collect
from dtmodel.ledger.runner import run_claims
from dtmodel.scenario import Scenario

TEXT = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")


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
    document = {
        "switch": {"ports": 1, "buffer": "10", "rate": "1"},
        "policy": {"name": "cautious", "alpha": "1", "margin": "2"},
        "queues": [{"arrivals": [["0", "2"]]}],
        "until": "8",
    }
    assert run_scenario(Scenario.read(document), Fraction).queues == done.queues
