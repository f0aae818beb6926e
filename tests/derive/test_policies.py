"""A policy that no paper has is derived with what one class says of it."""

from typing import ClassVar

import pytest
from families import BURSTS, STEADY, family

from dtmodel import InputError, Weighted
from dtmodel.derive import derive
from dtmodel.derive.grades import PURE
from dtmodel.derive.policies import DERIVABLE, PolicyTerms


class SquareTerms(PolicyTerms):
    """Thresholds by the square of a weight."""

    EACH: ClassVar = {"weights": PURE}

    def slopes(self, given):
        return [weight * weight for weight in given["weights"]]

    def exact(self, given):
        return Weighted(self.slopes(given))


@pytest.fixture
def square(monkeypatch):
    """Make the policy known."""
    monkeypatch.setitem(DERIVABLE, "square", SquareTerms)
    return {"policy": {"name": "square", "weights": ["w", 2]}}


def test_one_class_makes_a_policy_derivable(square):
    squares = derive(family([BURSTS, STEADY], {"first_drop": 0}, {"w": "> 0"}, **square))
    given = {"policy": {"name": "weighted", "weights": ["w**2", 4]}}
    weights = derive(family([BURSTS, STEADY], {"first_drop": 0}, {"w": "> 0"}, **given))
    assert squares.complete
    assert squares.check(points=10) >= 10
    assert squares.document()["cases"] == weights.document()["cases"]
    assert squares.family.policy.name == "square"


def test_its_parameters_are_read_like_those_of_others(square):
    for weights, where in (([1], "policy.weights"), ([1, "w*"], r"policy.weights\[1\]")):
        with pytest.raises(InputError, match=where):
            derive(family([BURSTS, STEADY], {"first_drop": 0}, policy={**square["policy"], "weights": weights}))


def test_a_policy_that_nothing_derives_is_refused_with_those_that_are_there():
    with pytest.raises(InputError, match=r"policy\.name: got 'lqd'; expected one of dt, edt"):
        derive(family([BURSTS, STEADY], {"first_drop": 0}, policy={"name": "lqd"}))
