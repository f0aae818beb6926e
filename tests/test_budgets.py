"""Budgets: what they are, how they are raised, and what an error says."""

import os
import pickle
import subprocess
import sys

import pytest

from dtmodel.base import budgets
from dtmodel.base.errors import BudgetError, InputError


def test_every_budget_has_a_meaning():
    assert set(budgets.DEFAULTS) == set(budgets.MEANINGS)


def test_a_block_raises_a_budget_and_gives_it_back():
    with budgets.raised(events=5), budgets.raised(digits=7):
        assert (budgets.limit("events"), budgets.limit("digits")) == (5, 7)
    assert budgets.limit("events") == budgets.DEFAULTS["events"]


def in_a_process(words: str, program: str) -> subprocess.CompletedProcess[str]:
    begin = f"from dtmodel.base import budgets; {program}"
    environment = os.environ | {"DTMODEL_BUDGETS": words}
    return subprocess.run([sys.executable, "-c", begin], env=environment, check=False, capture_output=True, text=True)


def test_the_environment_sets_the_budgets_of_a_process():
    limits = "print(*map(budgets.limit, ['events', 'digits', 'work']))"
    done = in_a_process("events=5 digits=7", f"{limits}\nwith budgets.raised(events=6): {limits}")
    assert done.stdout.splitlines() == [f"5 7 {budgets.DEFAULTS['work']}", f"6 7 {budgets.DEFAULTS['work']}"]


def test_the_environment_raises_a_budget_while_the_process_runs(monkeypatch):
    monkeypatch.delenv("DTMODEL_BUDGETS", raising=False)
    with pytest.raises(BudgetError, match='DTMODEL_BUDGETS="events=1000001" raises it'):
        budgets.keep_within("events", 1_000_001, "until")
    monkeypatch.setenv("DTMODEL_BUDGETS", "events=1000001")
    budgets.keep_within("events", 1_000_001, "until")
    monkeypatch.delenv("DTMODEL_BUDGETS")
    with pytest.raises(BudgetError):
        budgets.keep_within("events", 1_000_002, "until")


@pytest.mark.parametrize("words", ["event=5", "events", "events=", "events=-1", "events=0", "events=1e6", "events=٣"])
def test_a_budget_that_is_no_number_is_refused(words):
    done = in_a_process(words, "budgets.limit('events')")
    assert done.returncode
    assert "InputError: DTMODEL_BUDGETS" in done.stderr


def test_a_block_takes_whole_numbers_of_known_budgets():
    with pytest.raises(InputError, match="whole number"), budgets.raised(events=True):
        pass
    with pytest.raises(InputError, match="one of events"), budgets.raised(event=5):
        pass


def test_what_is_within_a_budget_passes_and_more_is_named():
    with budgets.raised(events=5):
        budgets.keep_within("events", 5, "until")
        with pytest.raises(BudgetError) as error:
            budgets.keep_within("events", 6, "until")
    assert str(error.value) == (
        "until: got 6; expected at most 5 events of one run, or cases of one sheet "
        '(a budget: DTMODEL_BUDGETS="events=6" raises it)'
    )
    assert isinstance(pickle.loads(pickle.dumps(error.value)), BudgetError)  # noqa: S301  # our own pickle
    assert isinstance(error.value.within("line 3"), BudgetError)
    assert str(error.value.within("line 3")).startswith("line 3: until: got 6")
