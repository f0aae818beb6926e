"""Budgets: what they are, how they are raised, and what an error says."""

import pickle

import pytest

from dtmodel import budgets
from dtmodel.errors import BudgetError, InputError


def test_every_budget_has_a_meaning():
    assert set(budgets.DEFAULTS) == set(budgets.MEANINGS)


def test_a_block_raises_a_budget_and_gives_it_back():
    with budgets.raised(events=5), budgets.raised(digits=7):
        assert (budgets.limit("events"), budgets.limit("digits")) == (5, 7)
    assert budgets.limit("events") == budgets.DEFAULTS["events"]


def test_the_environment_raises_a_budget(monkeypatch):
    monkeypatch.setenv("DTMODEL_BUDGETS", "events=5 digits=7")
    assert (budgets.limit("events"), budgets.limit("digits")) == (5, 7)
    assert budgets.limit("work") == budgets.DEFAULTS["work"]
    with budgets.raised(events=6):
        assert budgets.limit("events") == 6


@pytest.mark.parametrize("words", ["event=5", "events", "events=", "events=-1", "events=0", "events=1e6", "events=٣"])
def test_a_budget_that_is_no_number_is_refused(monkeypatch, words):
    monkeypatch.setenv("DTMODEL_BUDGETS", words)
    with pytest.raises(InputError, match="DTMODEL_BUDGETS"):
        budgets.limit("events")


def test_a_block_takes_whole_numbers_of_known_budgets():
    with pytest.raises(InputError, match="whole number"), budgets.raised(events=True):
        pass
    with pytest.raises(InputError, match="one of the budgets"), budgets.raised(event=5):
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
