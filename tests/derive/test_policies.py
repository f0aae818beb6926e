"""A policy that no paper has is derived from its class alone."""

from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace

import pytest
from families import BURSTS, STEADY, family

from dtmodel import InputError, policies
from dtmodel.derive import derive
from dtmodel.policies import Memory, Policy, PolicyParameter, Threshold
from proofs.check_certificates import check


@dataclass(frozen=True)
class Square(Policy):
    """Thresholds by the square of a weight."""

    weights: tuple[Fraction, ...]
    parameters = (PolicyParameter("weights", "number", many="each"),)

    def thresholds(self, queues):
        return tuple(Threshold(weight**2) for weight in self.each("weights", queues))


@dataclass(frozen=True)
class Cautious(Policy):
    """T = alpha F - margin."""

    alpha: Fraction
    margin: Fraction
    parameters = (PolicyParameter("alpha"), PolicyParameter("margin", "bytes"))

    def thresholds(self, queues):
        return (Threshold(self.alpha, -self.margin),) * queues


@dataclass(frozen=True)
class Later(Policy):
    """T = F, and twice as much from a time on."""

    change: Fraction
    parameters = (PolicyParameter("change", "s"),)

    def thresholds(self, queues):
        return (Threshold(Fraction(1)),) * queues

    def memory(self, part, number):
        return Timer(number(self.change), number(2), number(0), len(part.queues))


class Timer(Memory):
    """Waits for the change."""

    def __init__(self, change, slope, offset, queues):
        self.change, self.law, self.queues = change, (slope, offset), queues

    def wakes(self, state):
        return [self.change] if state.now < self.change else []

    def act(self, state):
        return {} if state.now < self.change else dict.fromkeys(range(self.queues), self.law)


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    """Make the policies known by entry points."""
    points = [SimpleNamespace(name=kind.__name__.lower(), load=lambda kind=kind: kind) for kind in KINDS]
    monkeypatch.setattr(policies, "entry_points", lambda **_: points)


KINDS = (Square, Cautious, Later)
SQUARE = {"policy": {"name": "square", "weights": ["w", 2]}}
ALONE = {"symbols": {"B": "> 0", "C": "> 0", "R": "> C"}, "switch": {"buffer": "B", "rate": "C"},
         "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}]}  # fmt: skip


def test_one_class_makes_a_policy_derivable():
    squares = derive(family([BURSTS, STEADY], {"first_drop": 0}, {"w": "> 0"}, **SQUARE))
    given = {"policy": {"name": "weighted", "weights": ["w**2", 4]}}
    weights = derive(family([BURSTS, STEADY], {"first_drop": 0}, {"w": "> 0"}, **given))
    assert squares.complete
    assert squares.check_points(points=10) >= 10
    assert squares.document()["cases"] == weights.document()["cases"]
    assert squares.family.policy.name == "square"
    assert squares.certificate()["cells"] == weights.certificate()["cells"]


def test_its_parameters_are_read_like_those_of_others():
    for weights, where in (([1], "policy.weights"), ([1, "w*"], r"policy.weights\[1\]")):
        with pytest.raises(InputError, match=where):
            derive(family([BURSTS, STEADY], {"first_drop": 0}, policy={**SQUARE["policy"], "weights": weights}))
    with pytest.raises(InputError, match=r"policy\.wieghts.*did you mean 'weights'"):
        derive(family([BURSTS, STEADY], {"first_drop": 0}, policy={"name": "square", "wieghts": [1, 1]}))
    with pytest.raises(InputError, match="positive everywhere"):
        derive(family([BURSTS, STEADY], {"first_drop": 0}, {"w": "> 0"}, policy={"name": "square", "weights": "w - 1"}))


def test_a_threshold_with_an_offset_is_derived():
    """Q = (R - C) t meets alpha (B - Q) - margin at (alpha B - margin)/((1 + alpha)(R - C))."""
    symbols = {**ALONE["symbols"], "alpha": "> 0", "m": "> 0, <= alpha*B"}
    theorem = derive({**ALONE, "symbols": symbols, "policy": {"name": "cautious", "alpha": "alpha", "margin": "m"}})
    assert theorem.complete
    assert theorem.check_points(points=20) >= 20
    for B, margin, expected in ((10, 2, 4), (10, 10, 0)):
        assert theorem.exact(B=B, C=1, R=2, alpha=1, m=margin)["first_drop"] == expected
    with pytest.raises(InputError, match=r"policy\.name: got 'cautious'.*certificates"):
        theorem.certificate()


def test_a_steady_queue_below_0_is_refused():
    symbols = {**ALONE["symbols"], "m": "> 0"}
    queues = [{"arrivals": [["0", "R"]], "initial": "steady"}]
    asked = {**ALONE, "symbols": symbols, "queues": queues, "policy": {"name": "cautious", "alpha": 1, "margin": "m"}}
    with pytest.raises(InputError, match=r"queues\[0\]\.initial: got 'steady'.*at least 0"):
        derive(asked)
    assert derive({**asked, "symbols": {**symbols, "m": "> 0, < B"}}).exact(B=9, C=1, R=2, m=1)["first_drop"] == 0


def test_a_policy_with_a_timer_is_derived():
    """Q meets F at B/(2 (R - C)), or 2 F at 2 B/(3 (R - C)) if the change comes before."""
    symbols = {**ALONE["symbols"], "t": "> 0"}
    theorem = derive({**ALONE, "symbols": symbols, "policy": {"name": "later", "change": "t"}})
    assert theorem.check_points(points=20) >= 20
    for change, expected in ((4, 3), (2, 4)):
        assert theorem.exact(B=6, C=1, R=2, t=change)["first_drop"] == expected
    with pytest.raises(InputError, match="certificates"):
        theorem.certificate()


@pytest.mark.parametrize("name", ["lqd", "longest queue drop"])
def test_a_policy_without_a_fluid_model_is_refused_by_name(name):
    with pytest.raises(InputError, match=rf"policy\.name: got '{name}'.*dtmodel replay-trace"):
        derive(family([BURSTS, STEADY], {"first_drop": 0}, policy={"name": name}))
    with pytest.raises(InputError, match=r"policy\.name: got 'tail'; expected one of dt, edt"):
        derive(family([BURSTS, STEADY], {"first_drop": 0}, policy={"name": "tail"}))


def test_a_static_limit_lies_above_the_reserve():
    """A queue with a reserve of 2 and a cap of 3 grows at R - 1 to 5, and then loses R - 1 a second until 10."""
    limits = {"name": "pools", "limits": [{"reserved": 2, "cap": 3}]}
    given = {"symbols": {"R": "> 2"}, "switch": {"buffer": 12, "rate": 1}, "policy": limits}
    theorem = derive(
        {**given, "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}, {"dropped": 0, "by": 10}]}
    )
    assert theorem.complete
    for R in (3, Fraction(7, 2), 11):
        said = theorem.exact(R=R)
        assert (said["first_drop"], said["dropped"]) == (Fraction(5) / (R - 1), 10 * (R - 1) - 5)


MIXED = {
    "symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "R": "> C", "S": "> C"},
    "switch": {"buffer": "B", "rate": "C"},
    "queues": [{"arrivals": [["0", "R"]]}, {"arrivals": [["0", "S"]]}],
}


def mixed(limits, asked, **symbols):
    policy = {"name": "pools", "limits": limits}
    return derive(MIXED | {"symbols": MIXED["symbols"] | symbols, "policy": policy, "ask": asked})


def test_dt_beside_a_static_limit_that_can_fill_the_pool_is_derived_and_agrees_with_the_engine():
    theorem = mixed([{"alpha": "alpha"}, {"alpha": "oo", "cap": "L"}], [{"first_drop": 0}], L="> 0")
    assert theorem.complete
    assert theorem.check_points(points=5) >= 10
    at = {"alpha": 1, "B": 12, "C": 1, "R": 3, "S": 2}
    assert theorem.evaluate(**at, L=2).first_drop == Fraction(5, 2), "with the limit reached at 2 s"
    assert theorem.evaluate(**at, L=20).first_drop == Fraction(12, 5)


def test_what_a_full_pool_loses_beside_dt_is_derived_and_its_certificate_is_right():
    theorem = mixed([{"alpha": 1}, {"alpha": "oo"}], [{"dropped": 1, "by": "2*B/C"}])
    assert theorem.complete
    assert theorem.check_points(points=3) >= 9
    assert check(theorem.certificate()) == ""
    reserved = mixed([{"alpha": 1, "reserved": "B/4"}, {"alpha": "oo"}], [{"dropped": 1, "by": "2*B/C"}])
    with pytest.raises(InputError, match="certificates"):
        reserved.certificate()


def test_a_steady_queue_whose_static_limit_the_pool_cannot_hold_is_refused():
    queues = [{"arrivals": [["0", "R"]]}, {"arrivals": [["0", "S"]], "initial": "steady"}]
    policy = {"name": "pools", "limits": [{"alpha": 1}, {"cap": "2*B"}]}
    with pytest.raises(
        InputError, match=r"^queues\[1\].initial: got 'steady'; expected lengths that the pool can hold"
    ):
        derive(MIXED | {"queues": queues, "policy": policy, "ask": [{"first_drop": 0}]})


def test_a_theorem_about_a_mixed_pool_becomes_a_claim_in_which_no_limit_is_never(tmp_path):
    theorem = mixed([{"alpha": "alpha"}, {"alpha": "oo", "cap": "L"}], [{"first_drop": 0}], L="> 0")
    claims, *_ = theorem.to_claim("mine.mixed", tmp_path)
    assert "alphas = list(i, 1..1 + 1, alpha if i <= 1 else never)" in claims.read_text(encoding="utf-8")
