"""A handful of the families that `attack` draws, and that it would notice what is wrong."""

import json
import sys
from dataclasses import replace
from random import Random

import attack
import pytest
from random_families import POLICIES, family

from dtmodel.derive import derive
from dtmodel.derive.algebra.writing import Writer


def drawn(number):
    """Return a family with its source, as `attack` draws it for seed 1."""
    source = Random(f"1/{number}")
    return family(source, POLICIES[number % len(POLICIES)]), source


@pytest.mark.parametrize(
    "number", [0, 3, 5, *(pytest.param(number, marks=pytest.mark.exhaustive) for number in (2, 4, 7, 14, 41))]
)
def test_a_random_family_is_answered_rightly(number):
    outcome, text, compared, _ = attack.outcome_of(*drawn(number), seconds=20)
    assert outcome in {"complete", "seconds", "refused"}, text
    assert compared or outcome != "complete"


def test_families_are_of_every_kind():
    documents = [drawn(number)[0] for number in range(400)]
    assert {len(each["queues"]) for each in documents} == {1, 2, 3}
    assert {key for each in documents for ask in each["ask"] for key in ask} >= {"first_drop", "dropped", "recovered"}
    assert any("until" in each for each in documents)
    assert {key for each in documents for one in each["queues"] for key in one} == {
        "count", "arrivals", "initial", "rate",
    }  # fmt: skip


FAMILY = {
    "symbols": {"B": "> 0", "C": "> 1/2"}, "policy": {"name": "dt", "alpha": 1}, "switch": {"buffer": "B", "rate": "C"},
    "queues": [{"count": 2, "arrivals": [["0", "2*C + 1/2"]]}], "ask": [{"first_drop": 0}],
}  # fmt: skip


def wrong_answer(theorem):
    (case,) = theorem.cases
    return replace(theorem, cases=(replace(case, answers={k: 2 * a for k, a in case.answers.items()}),))


def missing_case(theorem):
    return replace(theorem, cases=())


def unnamed(theorem):
    return replace(theorem, complete=False, open=("something",))


@pytest.mark.parametrize("altered", [wrong_answer, missing_case, unnamed])
def test_a_wrong_theorem_is_a_fault(altered, monkeypatch):
    assert attack.outcome_of(FAMILY, Random(1), 20)[0] == "complete"
    monkeypatch.setattr(attack, "derive", lambda *arguments: altered(derive(*arguments)))
    assert attack.outcome_of(FAMILY, Random(1), 20)[0] == "fault"


def test_a_wrong_text_is_a_fault(monkeypatch):
    written = Writer.ratio
    monkeypatch.setattr(Writer, "ratio", lambda *arguments: f"2*({written(*arguments)})")
    assert "AssertionError: ('2*(2*B/(3*(1 + 2*C)))'" in attack.outcome_of(FAMILY, Random(1), 20)[1]


def test_a_second_implementation_that_says_something_else_is_a_fault(monkeypatch):
    compare = attack.disagreement.__globals__["fluid_comparisons"].compare

    def differs(document):
        ours, other = compare(document)
        return ours, other | {"first": [time and time + 1 for time in other["first"]]}

    monkeypatch.setattr("fluid_comparisons.compare", differs)
    assert "AssertionError" in attack.outcome_of(FAMILY, Random(1), 20)[1]


def test_a_run_goes_on_where_it_was_ended(tmp_path, monkeypatch):
    asked, kept = [], tmp_path / "kept.jsonl"

    def ended(_document, source, seconds):
        asked.append((source, seconds))
        if len(asked) == 3:
            raise KeyboardInterrupt
        return "complete", "1 cases", len(asked), 0

    monkeypatch.setattr(attack, "outcome_of", ended)
    monkeypatch.setattr(sys, "argv", ["attack.py", "--count", "5", "--kept", str(kept)])
    with pytest.raises(KeyboardInterrupt):
        attack.main()
    assert attack.main() == 0
    assert len(asked) == 6  # the third was asked for twice
    assert [json.loads(line)[1:] for line in kept.read_text(encoding="utf-8").splitlines()] == [
        [number, {"complete": 1, "points": points, "again": 0}] for number, points in enumerate((1, 2, 4, 5, 6))
    ]
    other_seed = [*attack.kept(kept, [attack.revision(), 2, 20.0])]
    assert (other_seed, len(attack.kept(kept, [attack.revision(), 1, 20.0]))) == ([], 5)
