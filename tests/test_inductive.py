"""Inductive invariants are proved by identities, or refused by the name of the transition and the fact."""

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from dtmodel.base.errors import ProverError
from dtmodel.ledger.evidence import recorded_certificates
from dtmodel.ledger.provers.farkas import Fact, find_proof, model, terms
from dtmodel.ledger.provers.inductive import InductiveInvariant, Transition
from proofs.check_certificates import check

x, y, z = sp.symbols("x y z", real=True)
n, m = sp.symbols("n m", integer=True)
ADD = Transition("add", [n < m], {n: n + 1}, [n + 1 <= m])


def system(**changes: Any) -> InductiveInvariant:
    """A counter up to m, with parts replaced."""
    parts: dict[str, Any] = {
        "says": "n stays within m", "initial": {n: 0}, "invariant": [n >= 0, n <= m], "transitions": [ADD],
        "assumptions": [m >= 1],
    }  # fmt: skip
    return InductiveInvariant(**{**parts, **changes})


def shown(known: list[Any], goal: Any, *whole: str) -> bool:
    return find_proof([Fact.of(item) for item in known], Fact.of(goal), set(whole)) is not None


def test_a_certificate_is_found_recorded_and_accepted() -> None:
    with recorded_certificates() as found:
        certificate = system().certificate()
    assert found == [certificate.document]
    assert check(dict(certificate.document)) == ""
    proved = certificate.proved()
    assert proved.detail == "n stays within m"
    assert proved.certificate == certificate.document
    assert 0 <= certificate.example["n"] < certificate.example["m"]
    assert certificate.proved("said").detail == "said"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"transitions": [Transition("add", [n <= m], {n: n + 1})]}, r"add: .* n <= m"),
        ({"transitions": [ADD, Transition("fall", [], {n: n - 1})]}, r"fall: .* n >= 0"),
        ({"transitions": [Transition("add", [n < m], {n: n + 1}, [n + 1 < m])]}, r"add: .* n \+ 1 < m"),
        ({"initial": {n: m + 1}}, r"the initial state: .* n <= m"),
        ({"assumptions": []}, r"the initial state: .* n <= m"),
        ({"transitions": [Transition("never", [n < 0])]}, "never: no state allows it"),
        ({"transitions": [Transition("add", [], {x: x + 1})]}, "add updates x, which is not a variable"),
        ({"assumptions": [m >= n]}, "the assumption m >= n is not about parameters alone"),
        ({"initial": {n: n}}, "the initial value n is not about parameters alone"),
        ({"assumptions": [m >= 1, sp.Symbol("a", positive=True) > n]}, "a is declared with a sign"),
        ({"assumptions": [sp.Symbol("n") >= 0]}, "two symbols have one name"),
        ({"assumptions": [sp.true]}, "True is not a relation"),
        ({"invariant": [sp.sqrt(m) >= n]}, "is not a polynomial"),
    ],
)  # fmt: skip
def test_what_is_not_kept_is_named(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ProverError, match=said):
        system(**changes).certificate()


@pytest.mark.parametrize(
    ("known", "goal"),
    [
        ([x >= 1], x >= 0),
        ([x >= 1], 2 * x > 1),
        ([x > 0, y >= 0], x + y > 0),
        ([sp.Eq(x, y), y >= 1], x >= 1),
        ([sp.Eq(x, y)], sp.Eq(x + 1, y + 1)),
        ([x >= 0, y >= 0], x * y >= 0),
        ([x > 0, y > 0], x * y > 0),
        ([sp.Eq(x, y)], sp.Eq(x * z, y * z)),
        ([sp.Or(x >= 1, x >= 2)], x >= 1),
        ([sp.Or(x <= 0, y >= z), x > 0], y >= z),
        ([sp.Or(x <= 0, y <= 0)], sp.Or(x <= 1, y <= 1)),
        ([x >= 1], sp.Or(x >= 0, y >= 0)),
        ([x >= y], sp.Or(x >= 0, y < 0)),
        ([x > 0, x < 0], y > 0),
        ([x >= 0], x + 1 > 0),
    ],
)
def test_what_follows_is_shown(known: list[Any], goal: Any) -> None:
    assert shown(known, goal)


@pytest.mark.parametrize(
    ("known", "goal"),
    [
        ([x >= 0], x > 0),
        ([x >= 0], x >= 1),
        ([x >= 0], sp.Eq(x, 0)),
        ([sp.Or(x >= 1, y >= 1)], x >= 1),
        ([x >= 0], sp.Or(x >= 1, y >= 1)),
        ([x > 0], x >= 1),
        ([x >= 0, y >= 0], x * y > 0),
        ([], x >= 0),
    ],
)
def test_what_does_not_follow_is_not_shown(known: list[Any], goal: Any) -> None:
    assert not shown(known, goal)


def test_whole_numbers_have_nothing_between_them() -> None:
    assert shown([n > 0], n >= 1, "n")
    assert not shown([n > 0], n >= 1)
    assert shown([n < m], n + 1 <= m, "n", "m")
    assert not shown([2 * n > x], 2 * n - 1 >= x, "n")


def test_a_model_satisfies_the_facts_and_there_is_none_of_a_contradiction() -> None:
    found = model([Fact.of(2 * x > 3), Fact.of(sp.Or(x <= 0, sp.Eq(n, 7))), Fact.of(x * n < 14)], {"n"})
    assert found is not None
    assert Fraction(3, 2) < found["x"] < 2
    assert found["n"] == 7
    assert model([Fact.of(n > 0), Fact.of(n < 1)], {"n"}) is None


@given(st.lists(st.tuples(st.fractions(max_denominator=9), st.integers(0, 2), st.integers(0, 2)), max_size=5))
def test_a_polynomial_is_written_with_its_coefficients(parts: list[tuple[Fraction, int, int]]) -> None:
    poly = sp.Add(*(sp.Rational(c.numerator, c.denominator) * x**i * y**j for c, i, j in parts))
    written = terms(poly)
    again = sp.Add(*(sp.Rational(c) * sp.Mul(*({"x": x, "y": y}[k] ** e for k, e in p.items())) for c, p in written))
    assert sp.expand(again - poly) == 0
    assert all(powers.get(name, 1) > 0 for _, powers in written for name in "xy")
