"""The ledger's executable statements: each is read, shown, and comes out of a short hunt as it is recorded."""

from __future__ import annotations

import json

import pytest

from dtmodel.cli import run
from dtmodel.ledger.formal_text import sentences
from dtmodel.ledger.hunting import expanded, hunt, hunt_summary, targets
from dtmodel.papers.roots import load
from dtmodel.vocabulary import VOCABULARY

COLLECTION = load()
TARGETS = list(targets(COLLECTION.claims.values(), COLLECTION.preludes))


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: f"{target.claim}-{target.form}")
def test_a_short_hunt_comes_out_as_recorded(target):
    found = hunt(target, VOCABULARY, cases=10, seed=1)
    assert (found.attack.counterexample is None) == target.recorded, found.fault


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: f"{target.claim}-{target.form}")
def test_every_statement_can_be_shown(target):
    written = dict(sentences(target.formal, VOCABULARY))
    assert {"for all", "then"} <= set(written)
    assert all(text.count("$") % 2 == 0 for text in written.values())


def test_every_prelude_is_inherited_by_a_claim():
    texts = [claim.formal for claim in COLLECTION.claims.values()] + list(COLLECTION.preludes.values())
    used = {line.split()[1] for text in texts for line in text.splitlines() if line.startswith("use ")}
    assert used == set(COLLECTION.preludes)


def test_a_prelude_that_is_not_there_is_named():
    with pytest.raises(Exception, match=r"sec9\.9"):
        expanded("use sec9.9", COLLECTION.preludes)


def test_a_statement_inverted_is_caught():
    target = next(target for target in TARGETS if target.claim == "edt.ours.theorem1")
    inverted = target.formal.text.replace("d[k] > t10 else", "d[k] <= t10 else")
    assert inverted != target.formal.text
    from dtmodel.ledger.formal import read_formal

    found = hunt(type(target)(target.claim, target.form, read_formal(inverted), True), VOCABULARY, cases=60)
    assert "recorded as true" in found.fault


def test_the_command_prints_a_line_a_form_and_fails_with_a_fault(capsys, tmp_path):
    assert run(["hunt", "edt.ours.continuity", "--cases", "20", "--hypotheses", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["claim"], document["recorded"], document["fault"]) == ("edt.ours.continuity", True, "")
    assert {need["kind"] for need in document["hypotheses"]} <= {
        "needed",
        "needed for a value",
        "not known to be needed",
    }
    (tmp_path / "own.toml").write_text(
        '[[claim]]\nid = "own.one"\nsource = "here"\nkind = "ours"\nverdict = "holds"\nstatement = "One."\n'
        "formal = '''\nfor x >= 0\nthen x > 0'''\n"
    )
    assert run(["hunt", "own", "--cases", "20", "--collection", str(tmp_path)]) == 1
    assert "NOT AS RECORDED" in capsys.readouterr().out


def test_a_selection_without_executable_statements_is_refused(capsys):
    assert run(["hunt", "losspass.slides.testbed", "--cases", "1"]) == 2
    assert "executable" in capsys.readouterr().err


def test_a_summary_counts_forms_and_faults():
    found = [hunt(target, VOCABULARY, cases=5) for target in TARGETS[:3]]
    assert hunt_summary(found)["forms"] == 3
