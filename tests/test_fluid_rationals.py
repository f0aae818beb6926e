"""Exact runs are the same with all kinds of rationals, and leave fractions behind."""

import operator
from fractions import Fraction
from itertools import product
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtmodel import strategies
from dtmodel.fluid import Run, rationals, run_scenario
from dtmodel.fluid.rationals import Quotient
from dtmodel.scenario import Scenario


def _run(scenario: Scenario, number: type, patch: pytest.MonkeyPatch) -> Run[Fraction]:
    patch.setattr(rationals, "EXACT", number)
    return run_scenario(scenario, Fraction)


@settings(max_examples=60, deadline=None)
@given(scenario=strategies.scenarios())
def test_runs_are_equal_and_in_fractions(scenario: Scenario) -> None:
    with pytest.MonkeyPatch.context() as patch:
        own, fast, plain = (_run(scenario, number, patch) for number in (Quotient, rationals.EXACT, Fraction))
    assert own == fast == plain
    numbers = {*own.free.times, *own.free.values, *fast.free.times, *fast.free.values}
    for queue in (*own.queues, *fast.queues):
        numbers |= {value for limit in queue.limits for value in limit}
        for piece in queue.segments:
            numbers |= {piece.begin, piece.length, piece.slope, piece.loss, piece.drain, *(piece.on or ())}
    assert {type(number) for number in numbers} == {Fraction}
    assert {type(part) for number in numbers for part in number.as_integer_ratio()} == {int}


SMALL = st.fractions(-3, 3, max_denominator=12)
LARGE = st.builds(Fraction, st.integers(-(10**400), 10**400), st.integers(1, 10**400))
NUMBERS = SMALL | LARGE
SIMILAR = (
    st.tuples(NUMBERS, NUMBERS) | NUMBERS.map(lambda x: (x, x + Fraction(1, 10**500))) | SMALL.map(lambda x: (x, x))
)
OPERATIONS = (operator.add, operator.sub, operator.mul, operator.truediv)
ORDERS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)


def forms(number: Fraction) -> list[Any]:
    """The number as a quotient, a fraction and, where it is one, a whole number."""
    return [Quotient(number), number, *([number.numerator] if number.denominator == 1 else [])]


@given(pair=SIMILAR)
def test_quotients_compute_as_fractions_do(pair: tuple[Fraction, Fraction]) -> None:
    """With their like, with fractions and with whole numbers, on either side; what comes out is reduced."""
    for one, two in (pair, pair[::-1], (pair[0], Fraction(pair[1].numerator))):
        for x, y in product(forms(one), forms(two)):
            if not isinstance(x, Quotient) and not isinstance(y, Quotient):
                continue
            for order in ORDERS:
                assert order(x, y) is order(one, two)
            for operation in OPERATIONS[: 4 if two else 3]:
                found = operation(x, y)
                assert type(found) is Quotient
                assert (found.numerator, found.denominator) == operation(one, two).as_integer_ratio()
        alone = Quotient(one)
        assert -alone == -one
        assert (bool(alone), hash(alone), str(alone)) == (bool(one), hash(one), str(one))


def test_quotients_beside_floats_and_what_is_no_number() -> None:
    third = Quotient(Fraction(1, 3))
    assert float(third) == 1 / 3
    assert third < inf
    assert third > -inf
    assert not any(order(third, nan) for order in ORDERS[:5])
    assert third < 0.5
    assert third != 1 / 3  # 1/3 is no float
    assert third < 1 / 3 or third > 1 / 3
    assert third != "1/3"
    for operation in OPERATIONS:
        with pytest.raises(TypeError):
            operation(third, "1")
    with pytest.raises(ZeroDivisionError):
        third / Quotient(0)


def test_quotients_that_no_float_holds_are_compared() -> None:
    huge, tiny = Quotient(10**400), Quotient(Fraction(1, 10**400))
    assert tiny < huge
    assert huge < huge + tiny
    assert -huge < tiny < tiny + tiny
    with pytest.raises(OverflowError):
        float(huge)
