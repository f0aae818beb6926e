"""The weighted policies in the fluid engine, against closed forms."""

from fractions import Fraction
from typing import Any

import pytest
from fluid_cases import document, overloaded
from refusals import refused

from dtmodel.fluid import answer
from dtmodel.theory import threshold_family
from dtmodel.theory.l2bm import formulas as l2bm
from dtmodel.theory.threshold_family import Burst, Held

ONE = Fraction(1)

MEMBERS: list[tuple[dict[str, Any], tuple[Fraction, ...]]] = [
    ({"name": "dt", "alpha": "1/2"}, threshold_family.dt_weights("1/2", 3)),
    ({"name": "weighted", "weights": ["1", "2", "1/3"]}, (ONE, 2 * ONE, ONE / 3)),
    (
        {"name": "abm", "alphas": ["1/2", "2"], "priorities": [0, 0, 1], "drains": ["1", "1/2", "1"]},
        threshold_family.abm_weights(["1/2", 2], [0, 0, 1], [1, "1/2", 1]),
    ),
    *(
        (
            {"name": "l2bm", "alpha": "1/8", "sojourns": ["1", "2", "9"], "normalisation": how},
            l2bm.weights([1, 2, 9], "1/8", how),
        )
        for how in l2bm.NORMALISATIONS
    ),
]


@pytest.mark.parametrize(("policy", "weights"), MEMBERS)
def test_the_steady_state_of_every_member_equals_the_closed_form(
    policy: dict[str, Any], weights: tuple[Fraction, ...]
) -> None:
    result = answer(document(policy, overloaded(3), sample=["0", "1"]))
    closed = threshold_family.steady_state(60, weights)
    for row in result["queues"]:
        assert [Fraction(length) for length in row] == list(closed.thresholds)


@pytest.mark.parametrize(("policy", "weights"), MEMBERS)
@pytest.mark.parametrize("rate", [2, 5, 40])
def test_the_first_drop_of_every_member_equals_the_closed_form(
    policy: dict[str, Any], weights: tuple[Fraction, ...], rate: int
) -> None:
    for steady in (0, 1, 2):
        bursts = [Burst(w, ONE, Fraction(rate)) for w in weights[steady:]]
        closed = threshold_family.weighted_first_drop(60, [Held(w, ONE) for w in weights[:steady]], bursts)
        queues = overloaded(steady) + [{"arrivals": [["0", str(rate)]]} for _ in bursts]
        result = answer(document(policy, queues, until=str(closed.time + 1)))
        assert Fraction(result["first_drop"][steady + closed.burst]) == closed.time
        assert Fraction(result["free_at_first_drop"][steady + closed.burst]) == closed.free
        assert all(first is None or Fraction(first) >= closed.time for first in result["first_drop"][steady:])


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        ({"name": "weighted"}, "policy.weights"),
        ({"name": "weighted", "weights": ["1"]}, "policy.weights"),
        ({"name": "weighted", "weights": ["0", "1"]}, "policy.weights[0]"),
        ({"name": "weighted", "weights": []}, "policy.weights"),
        ({"name": "l2bm", "alpha": "1", "sojourns": ["1", "0"]}, "policy.sojourns[1]"),
        ({"name": "l2bm", "alpha": "1", "sojourns": []}, "policy.sojourns"),
        ({"name": "l2bm", "alpha": "1", "sojourns": ["1", "1"], "normalisation": "best"}, "policy.normalisation"),
        ({"name": "abm", "alphas": ["1"], "priorities": [0, 1], "drains": ["1", "1"]}, "policy.priorities[1]"),
        ({"name": "abm", "alphas": ["1"], "priorities": [0, 0], "drains": ["1", "2"]}, "policy.drains[1]"),
        ({"name": "abm", "alphas": ["1"], "priorities": [0, 0], "drains": ["1"]}, "policy.drains"),
    ],
)
def test_bad_policies_are_refused_by_name(policy: dict[str, Any], field: str) -> None:
    with refused(field):
        answer(document(policy, [{}, {}]))
