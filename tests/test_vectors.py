"""Vectors of rational numbers: every result is the one that fractions give, whatever rounding leaves open."""

import operator
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtmodel.base import vectors
from dtmodel.base.vectors import Divided, Vector, distinct, floats, holds, key_of, vector

F = Fraction
NUMBERS = st.one_of(
    st.fractions(-1000, 1000, max_denominator=10**9), st.integers(-(10**12), 10**12).map(F),
    st.floats(-1e12, 1e12).filter(lambda x: not 0 < abs(x) < 1e-140).map(F),
    st.fractions(-1, 1, max_denominator=10**40),
)  # fmt: skip
"""No quotient of two is beyond the floats."""
LISTS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=6)
OPERATIONS = (operator.add, operator.sub, operator.mul, operator.truediv)
COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)


def encloses(made: Vector, exact: list[Fraction]) -> None:
    for high, low, error, value in zip(made.high, made.low, made.error, exact, strict=True):
        if np.isfinite(error + high):  # a number that is not finite decides nothing
            assert high == high + low
            assert not 0 < error < 2.0**-52 * abs(low)
            assert abs(F(float(high)) + F(float(low)) - value) <= F(float(error))


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with np.errstate(all="ignore"):
        yield


@given(LISTS, st.sampled_from(OPERATIONS))
def test_an_operation_encloses_the_numbers_and_computes_them_exactly(
    pairs: list[tuple[F, F]], operation: Callable[[Any, Any], Any]
) -> None:
    a, b = ([pair[place] or F(1, 7) for pair in pairs] for place in (0, 1))
    for one, two in ((a, b), (a, [b[0]] * len(a)), ([a[0]] * len(b), b)):
        encloses(Vector.of(one), one)
        made, exact = (
            operation(*(x[0] if x not in (a, b) else Vector.of(x) for x in (one, two))),
            [*map(operation, one, two)],
        )
        if isinstance(made, Vector):
            encloses(made, exact)
            assert made.exact(range(len(a))) == exact
            assert made.floats().tolist() == [*map(float, exact)]


@given(st.lists(st.tuples(*[st.integers(2**52, 2**53 - 1)] * 4, st.integers(-40, 40)), min_size=4, max_size=4))
def test_bounds_hold_for_operands_that_are_sums_of_two_floats(rows: list[tuple[int, ...]]) -> None:
    highs, lows = ([[float(row[k]) for row in rows] for k in places] for places in ((0, 1), (2, 3)))
    halves = [[(low - 2.0**52) * 2.0**-54 for low in each] for each in lows]
    operands = []
    for high, low in zip(highs, halves, strict=True):
        exact = [F(x) + F(y) for x, y in zip(high, low, strict=True)]
        parts = (np.array(high), np.array(low), np.zeros(len(high)))
        operands.append((Vector(parts, id(exact), lambda rows, exact=exact: [exact[row] for row in rows]), exact))
    (one, a), (two, b) = operands
    units = (2.0**-104, 2.0**-104, 2.0**-102, 2.0**-101)
    for operation, unit in zip(OPERATIONS, units, strict=True):
        made = operation(one, two)
        encloses(made, [*map(operation, a, b)])
        own = operator.add if operation is operator.sub else operation
        sizes = [float(own(x, y)) for x, y in zip(a, b, strict=True)]  # all are greater than 0
        np.testing.assert_allclose(made.error, [unit * size * (1 + 2.0**-20) for size in sizes], rtol=1e-12)


@given(st.sampled_from(OPERATIONS), *[st.floats(1, 64)] * 2, *[st.sampled_from([0.0, 2.0**-30, 2.0**-3, 0.5])] * 2)
def test_errors_of_operands_reach_results(
    operation: Callable[[Any, Any], Any], one: float, two: float, off: float, away: float
) -> None:
    parts = ([np.array([x]) for x in (near, 0.0, error)] for near, error in ((one, off), (two, away)))
    a, b = (Vector(own, key, list) for key, own in enumerate(parts))
    made = operation(a, b)
    for x in (F(one) - F(off), F(one) + F(off)):
        for y in (F(two) - F(away), F(two) + F(away)):
            encloses(made, [operation(x, y)])


@given(LISTS, st.sampled_from(COMPARISONS))
def test_comparisons_are_exact_where_floats_and_bounds_decide_nothing(
    pairs: list[tuple[F, F]], compare: Callable[[Any, Any], Any]
) -> None:
    a = [pair[0] for pair in pairs]
    for b in ([pair[1] for pair in pairs], [x + F(1, 10**60) for x in a], [*a]):
        assert compare(Vector.of(a), Vector.of(b)).rows.tolist() == [*map(compare, a, b)]
        assert compare(Vector.of(a), b[0]).rows.tolist() == [compare(x, b[0]) for x in a]
    third = Vector.of(a) / 3
    assert compare(third + third + third, Vector.of(a)).rows.tolist() == [compare(x, x) for x in a]
    assert compare(third, third).rows.tolist() == [compare(x, x) for x in a]


def test_a_condition_of_some_points_divides_them() -> None:
    vector = Vector.of([F(1), F(2), F(3)])
    with pytest.raises(Divided) as found:
        bool(vector > 1)
    assert found.value.rows.tolist() == [False, True, True]
    assert [bool(vector > 0), bool(vector > 3), bool(vector), bool(vector - vector)] == [True, False, True, False]
    with pytest.raises(Divided):
        bool(vector - 2)
    assert max(vector, F(9)) == 9
    near = Vector([np.array([x]) for x in (1e-30, 0.0, 1e-20)], "near", lambda _: [F(-1)])
    assert near < 0


def test_a_vector_is_no_key_of_a_cache_but_has_one() -> None:
    vector = Vector.of([F(1), F(3)])
    with pytest.raises(TypeError, match="unhashable"):
        hash(vector)
    assert key_of(vector / 2) == key_of(vector / 2) != key_of(vector / 3)
    assert key_of(vector.at(np.array([1, 1]))) == key_of(vector)
    assert key_of(F(1, 2)) == F(1, 2)
    assert (vector == None, vector != "a") == (False, True)  # noqa: E711 -- as `in` compares
    assert vector.at(np.array([1, 0, 1])).exact([0, 1]) == [3, 1]


@pytest.mark.parametrize(("one", "two"), [(F(-1), F(-2)), (F(1, 2), F(2**60)), (F(1), F(2**61))])
def test_numbers_with_equal_hashes_are_not_taken_for_each_other(one: Fraction, two: Fraction) -> None:
    vector = Vector.of([F(1, 3), F(2)])
    assert hash(one) == hash(two)
    for operation in (operator.add, operator.mul, operator.truediv):
        first, second = operation(vector, one), operation(vector, two)
        assert key_of(first) != key_of(second)
        assert first != second
        assert (first - second).exact([0]) == [operation(F(1, 3), one) - operation(F(1, 3), two)]


@pytest.mark.parametrize(
    "value", [F(2**53 + 1), F(2**53 + 3), 1 + F(1, 2**53), 1 + F(3, 2**53), F(1, 3) + F(1, 10**40)]
)
def test_the_nearest_float_is_that_of_the_fraction_between_two_floats_too(value: F) -> None:
    for shift in (F(0), F(1, 10**50), -F(1, 10**50)):
        made = Vector.of([value / 2 + shift]) + Vector.of([value / 2])
        assert floats(made).tolist() == [float(value + shift)]
        assert floats(value + shift) == float(value + shift)


@given(st.lists(st.fractions(0, 1), min_size=1, max_size=8), st.integers(0, 60))
def test_whole_numbers_of_ticks_are_rounded_exactly(values: list[F], exponent: int) -> None:
    expected = [round(value * 2**exponent) for value in values]
    assert Vector.of(values).whole(exponent).tolist() == expected
    halves = [F(2 * k + 1, 2 ** (exponent + 1)) for k in range(4)]
    assert Vector.of(halves).whole(exponent).tolist() == [round(value * 2**exponent) for value in halves]
    assert (Vector.of(halves) / 3 * 3).whole(exponent).tolist() == [0, 2, 2, 4]
    each = np.arange(len(values)) * 7
    wanted = [round(value * 2 ** (7 * place)) for place, value in enumerate(values)]
    assert Vector.of(values).whole(each).tolist() == wanted
    assert vector(values[0]).whole(each).tolist() == [
        round(values[0] * 2 ** (7 * place)) for place in range(len(values))
    ]
    halves = [F(2 * k + 1, 2 ** (k + 1)) for k in range(4)]
    assert Vector.of(halves).whole(np.arange(4)).tolist() == [0, 2, 2, 4]
    assert Vector.of([F(1, 2) + F(1, 10**40), F(1, 2) - F(1, 10**40)]).whole(0).tolist() == [1, 0]
    assert Vector([np.array([x]) for x in (0.25, 0.0, 0.45)], 0, lambda _: [F(7, 10)]).whole(0).tolist() == [1]


def test_numbers_out_of_the_range_of_floats_are_refused_or_computed_exactly() -> None:
    with pytest.raises(OverflowError):
        Vector.of([F(10) ** 400])
    with pytest.raises(ZeroDivisionError):
        1 / Vector.of([F(1), F(0)])
    small = Vector.of([F(1, 10**200), F(3)])
    assert (small * small > 0).rows.tolist() == [True, True]
    assert floats(small * small * small / small).tolist() == [0.0, 9.0]
    large = Vector.of([F(10) ** 300, F(3)])
    assert (large * large > large).rows.tolist() == [True, True]


def test_two_numbers_that_are_rounded_to_one_are_refused() -> None:
    near = [F(1), F(1) + F(1, 10**30), F(2)]
    one, other = Vector.of([F(1), F(3)]), Vector.of([F(4), F(3)])
    distinct([F(1), F(2), F(1)], [1.0, 2.0, 1.0], "two")
    with pytest.raises(ArithmeticError, match="two"):
        distinct(near, [*map(float, near)], "two")
    distinct([one, other, F(3)], [one.floats(), other.floats(), 3.0], "two")
    shifted = other + F(1, 10**30)
    for numbers in ([one, shifted], [shifted, F(3)]):
        with pytest.raises(Divided) as found:
            distinct(numbers, [*map(floats, numbers)], "two")
        assert found.value.rows.tolist() == [False, True]
    with pytest.raises(ArithmeticError, match="two"):
        distinct([shifted, F(4), F(3)], [np.array([4.0, 4.0]), 4.0, 3.0], "two")
    distinct([F(1), F(2), F(1)], [np.array([1, 2]), np.array([2, 4]), np.array([1, 2])], "two")
    with pytest.raises(Divided) as found:
        distinct([F(1), F(2), F(1)], [np.array([1, 2]), np.array([2, 2]), np.array([1, 2])], "two")
    assert found.value.rows.tolist() == [False, True]


def test_rows_that_are_sorted_apart_are_the_rows_that_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_AT_ONCE", 6)
    ones, others = (Vector.of([F(k * n + 1, n) for n in range(1, 10)]) for k in (1, 2))
    near = [ones.floats(), others.floats()]
    distinct([ones, others], near, "two")
    near[1] = np.where(np.arange(9) == 7, near[0], near[1])
    with pytest.raises(Divided) as found:
        distinct([ones, others], near, "two")
    assert found.value.rows.nonzero()[0].tolist() == [7]


def test_a_condition_on_floats_is_that_of_all_points() -> None:
    assert [holds(True), holds(np.array([False, False])), holds(np.array([True, True]))] == [True, False, True]
    with pytest.raises(Divided):
        holds(np.array([False, True]))
