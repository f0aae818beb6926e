"""A policy that no paper has is derived with what one class says of it."""

from fractions import Fraction
from typing import ClassVar

import pytest
from families import BURSTS, STEADY, family

from dtmodel import InputError, Weighted
from dtmodel.derive import derive
from dtmodel.derive.algebra.dimensions import PURE
from dtmodel.derive.search.policies import DERIVABLE, PolicyTerms


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


def test_a_static_limit_lies_above_the_reserve():
    """A queue with a reserve of 2 and a cap of 3 grows at R - 1 to 5, and then loses R - 1 a second until 10."""
    limits = {"name": "pools", "limits": [{"reserved": 2, "cap": 3}]}
    given = {"symbols": {"R": "> 2"}, "switch": {"buffer": 12, "rate": 1}, "policy": limits}
    theorem = derive(
        {**given, "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}, {"dropped": 0, "by": 10}]}
    )
    assert theorem.complete
    for R in (3, Fraction(7, 2), 11):
        said = theorem.evaluate(R=R)
        assert (said["first_drop"], said["dropped"]) == (Fraction(5) / (R - 1), 10 * (R - 1) - 5)
