"""Statements at arrays: shapes, labels and masks, and floats that keep to their bounds."""

import operator
import random
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import xarray
from refusals import refused
from statement_points import GIVEN, as_list, drawn, every, points, refusal

from dtmodel import InputError
from dtmodel.base import budgets
from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.rounding import _SLACK, Relative, Rounded, doubts
from dtmodel.theorems.statement import Formula, Statement, never
from dtmodel.theory import dt


def test_arrays_broadcast_and_have_nan_and_a_mask_outside() -> None:
    alpha, R = np.array([[0.5], [1.0], [-1.0]]), np.array([1.25e8, 2.5e8, np.nan, np.inf])
    answer = dt.theorem1.evaluate(**{**GIVEN, "alpha": alpha, "R": R})
    assert answer.valid.tolist() == [[False, True, False, False], [False, True, False, False], [False] * 4]
    assert (np.isnan(answer.first_drop) == ~answer.valid).all()
    assert (np.isnan(answer.errors()["first_drop"]) == ~answer.valid).all()
    assert answer.first_drop[1, 1] == 0.002
    assert dt.theorem1.evaluate(**{**GIVEN, "M": np.array([1, 2]), "N": np.array([1.0, 1.5])}).valid.tolist() == [
        True,
        False,
    ]


@every
def test_what_arrays_of_two_dimensions_say_is_what_each_place_says(statement: Statement) -> None:
    """Two inputs in turn along a dimension of its own each, two values or three: no place takes another one's case."""
    if not statement.inputs:
        return
    rng = random.Random(statement.id)
    (first, _), (second, _), (third, _) = points(statement, 3)
    names = [name for name in first if not isinstance(first[name], list)]
    for down, across in [rng.sample(names, 2) for _ in range(6)] if len(names) > 1 else []:
        rows, columns = ([float(point[name]) for point in (first, second, third)] for name in (down, across))
        answer = statement.evaluate(**first | {down: np.array(rows)[:, None], across: np.array(columns)})
        errors = answer.errors()
        for place in np.ndindex(3, 3):
            values = first | {down: Fraction(rows[place[0]]), across: Fraction(columns[place[1]])}
            assert answer.valid[place] == (refusal(statement.evaluate, **values) is None)
            for name in statement.results if answer.valid[place] else ():
                told, near = as_list(answer[name][place]), as_list(errors[name][place])
                for x, error, exact in zip(told, near, as_list(statement.evaluate(**values)[name]), strict=True):
                    if exact is None or exact is never:
                        assert np.isnan(x) if exact is None else np.isinf(x)
                    else:
                        assert abs(Fraction(float(x)) - exact) <= Fraction(float(error))


def test_an_array_in_a_hypothesis_alone_repeats_what_is_said_of_every_port() -> None:
    given = {"alpha": 1, "B": 6, "C": 1, "N": 1, "R": [5, 4, 3]}
    for ports in ([2, 9, 9], [2, 9]):
        answer = dt.theorem3_corrected.evaluate(**given, P=np.array(ports))
        assert answer.valid.tolist() == [P == 9 for P in ports]
        assert np.isnan(answer.first_drop[0]).all()
        assert answer.first_drop[1].tolist() == [float(t) for t in dt.theorem3_corrected.evaluate(**given).first_drop]
        assert answer.first_drop.shape == answer.errors()["first_drop"].shape == (len(ports), 3)


def test_labelled_arrays_broadcast_by_the_names_of_their_dimensions() -> None:
    rates = xarray.DataArray([1.5e8, 2.5e8, 1e8], dims="rate", coords={"rate": [1, 2, 3]})
    alphas = xarray.DataArray([0.5, 1.0], dims="alpha")
    answer = dt.theorem1.evaluate(**{**GIVEN, "alpha": alphas, "R": rates})
    assert answer.first_drop.dims == answer.valid.dims == answer.errors()["first_drop"].dims == ("alpha", "rate")
    assert answer.first_drop.coords["rate"].values.tolist() == [1, 2, 3]
    plain = dt.theorem1.evaluate(**{**GIVEN, "alpha": alphas.values[:, None], "R": rates.values})
    assert np.array_equal(answer.first_drop.values, plain.first_drop, equal_nan=True)
    with pytest.raises(InputError, match="named dimensions"):
        dt.theorem1.evaluate(**{**GIVEN, "alpha": alphas.values, "R": rates})


@every
def test_labelled_lists_keep_the_dimension_of_the_list(statement: Statement) -> None:
    ((values, _),) = points(statement, 1)
    bare: Values = {k: np.array([v, v], dtype=float) for k, v in values.items()}
    named = {k: xarray.DataArray(v, dims=("point", f"of {k}")[: v.ndim]) for k, v in bare.items()}
    plain, answer = statement.evaluate(**bare), statement.evaluate(**named)
    for name, errors in answer.errors().items():
        assert np.array_equal(answer[name].values, plain[name], equal_nan=True)
        assert answer[name].dims == errors.dims
        assert answer[name].dims[0] == "point"


def test_labels_that_cannot_be_aligned_are_named() -> None:
    given = {"alpha": 1, "B": 12, "C": 1, "N": 1, "R": xarray.DataArray([13.0, 4.0], dims="port")}
    drop = dt.theorem3.evaluate(**given).first_drop
    assert (drop.dims, drop.values.tolist()[0], np.isnan(drop.values[1])) == (("port",), 3 / 13, True)
    for changes, field in (
        ({"alpha": xarray.DataArray([1.0, 2.0], dims="port")}, "alpha"),
        ({"alpha": xarray.DataArray([1.0, 2.0], dims="p"), "B": xarray.DataArray(np.ones(3), dims="p")}, "shapes"),
    ):
        with refused(field):
            dt.theorem3.evaluate(**{**given, **changes})


def test_large_arrays_are_computed_in_chunks_and_say_the_same() -> None:
    rng = np.random.default_rng(1)
    R = rng.uniform(1e8, 9e8, size=(7, 10001))
    whole = dt.theorem1.evaluate(**{**GIVEN, "R": R, "alpha": np.linspace(0.1, 3, 10001)})
    rows = [dt.theorem1.evaluate(**{**GIVEN, "R": row, "alpha": np.linspace(0.1, 3, 10001)}) for row in R]
    for name in whole:
        assert np.array_equal(whole[name], np.stack([row[name] for row in rows]), equal_nan=True)
    assert np.array_equal(whole.valid, np.stack([row.valid for row in rows]))


def test_one_element_that_floats_do_not_decide_is_decided_among_others() -> None:
    """The float nearest to 1/10 is greater than 1/10."""
    x, y = Symbol("x", "a number"), Symbol("y", "a number")
    law = Statement(
        "x.y", "A law", (x, y), given=(lambda x, y: x > y,), formulas=(Formula("F", lambda x: x),), bibtex="@"
    )
    assert law.evaluate(x=np.array([0.05, 0.1, 0.2]), y="0.1").valid.tolist() == [False, True, True]


Values = dict[str, Any]


def _exactly(statement: Statement, values: Values) -> Any:
    """What holds at these floats, exactly; None outside the hypotheses."""
    try:
        return statement.evaluate(
            **{k: [Fraction(x) for x in as_list(v)] if np.ndim(v) else Fraction(v) for k, v in values.items()}
        )
    except InputError:
        return None


def _held_to_its_bound(statement: Statement, values: Values) -> None:
    """An array of one point has its mask right, and each float is as near to the exact result as it says."""
    exact = _exactly(statement, values)
    answer = statement.evaluate(**{name: np.array([value]) for name, value in values.items()})
    assert answer.valid.tolist() == [exact is not None], values
    errors = answer.errors()
    for name in answer:
        wanted = as_list(exact[name]) if exact else [None] * answer[name][0].size
        for one, found, error in zip(wanted, as_list(answer[name][0]), as_list(errors[name][0]), strict=True):
            assert np.isnan(found) == np.isnan(error) == (one is None), (name, values)
            if one is not None and np.isfinite(error):
                assert abs(Fraction(float(found)) - one) <= Fraction(float(error)), (name, values)


@every
def test_the_error_bound_is_true_where_floats_overflow_underflow_and_cancel(statement: Statement) -> None:
    rng = random.Random(statement.id)
    symbols = [symbol for symbol in statement.symbols if symbol.name in statement.inputs and not symbol.optional]

    def one(symbol: Symbol) -> float:
        if symbol.domain in ("share", "count", "number"):
            return rng.choice([1.0, 1.0, 5e-324, rng.random()] if symbol.domain == "share" else [1.0, 3.0, 2.0**53 - 1])
        size = rng.random() * 10.0 ** rng.choice([-300, -160, -30, 0, 0, 0, 9, 30, 160, 290])
        return rng.choice([size, float(rng.randint(1, 99)), float(2**60 + 2**8)])

    for _ in range(8):
        values: Values = {
            s.name: sorted((one(s) for _ in range(3)), reverse=True) if s.many else one(s) for s in symbols
        }
        _held_to_its_bound(statement, values)


@every
def test_cases_and_hypotheses_are_decided_exactly_where_neighbouring_floats_differ(statement: Statement) -> None:
    """Between two points of which another case is true, or none, lie two neighbours; there floats alone were wrong."""
    rng = random.Random(statement.id)
    symbols = [symbol for symbol in statement.symbols if symbol.name in statement.inputs and not symbol.optional]
    moving = [symbol for symbol in symbols if symbol.domain in ("positive", "nonnegative", "real") and not symbol.many]

    def told(values: Values) -> Any:
        exact = _exactly(statement, values)
        return exact and (exact.case, [[x is None for x in as_list(value)] for value in exact.values()])

    for _ in range(8 if moving else 0):
        drawn_ = {s.name: drawn(s, rng) for s in symbols}
        values: Values = {n: [float(x) / 7 for x in v] if isinstance(v, list) else float(v) for n, v in drawn_.items()}
        values |= {s.name: values[s.name] * rng.random() for s in moving if values[s.name]}
        name = rng.choice(moving).name
        left, right = values[name], values[name] * 10.0 ** rng.choice((-3, 3))
        if told(values) == told({**values, name: right}):
            continue
        begun = told(values)
        while (middle := (left + right) / 2) not in (left, right):
            left, right = (middle, right) if told({**values, name: middle}) == begun else (left, middle)
        for place in (left, right):
            _held_to_its_bound(statement, {**values, name: place})


def test_a_quotient_that_a_product_only_rounds_back_to_is_not_exact() -> None:
    over, under = 2.0**91 + 2.0**60, 2.0**60 + 2.0**8
    found = Rounded(np.array(over)) / Rounded(np.array(under))
    assert abs(Fraction(float(found.value)) - Fraction(over) / Fraction(under)) <= Fraction(float(found.error))
    assert (Rounded(np.array(3.0)) / Rounded(np.array(8.0))).error == 0


@pytest.mark.parametrize(
    "formula",
    [
        lambda x, y: (x + y) * (x - y),
        lambda x, y: x / y - y / x,
        lambda x, y: (x - 1) ** 3 / (y + x),
        lambda x, y: 1 - x * (2 - 3 * y),
    ],
)
def test_rounding_stays_within_its_bound(formula: Any) -> None:
    """On tenths, which floats do not hold, against exact arithmetic; the bound is small, too."""
    for a in range(1, 40, 7):
        for b in range(3, 60, 11):
            found = formula(*(Rounded(np.array(n / 10), np.array(2.0**-53 * n / 10)) for n in (a, b)))
            exact = formula(Fraction(a, 10), Fraction(b, 10))
            assert abs(Fraction(float(found.value)) - exact) <= Fraction(float(found.error)) <= Fraction(1, 10**12)


@pytest.mark.parametrize("operation", [operator.add, operator.mul, operator.truediv])
def test_a_relative_bound_covers_those_of_both_operands_and_the_rounding(operation: Any) -> None:
    for a, b, x, y in product((0.1, 7.0, 1e9), (0.3, 5.0), (0.0, 2.0**-50), (0.0, 2.0**-48)):
        found = operation(Relative(np.float64(a), x), Relative(np.float64(b), y))
        near, bound = Fraction(float(found.value)), Fraction(found.relative)
        for one, other in product((1 - Fraction(x), 1 + Fraction(x)), (1 - Fraction(y), 1 + Fraction(y))):
            assert abs(near - operation(Fraction(a) * one, Fraction(b) * other)) <= bound * near
        assert bound < (x + y + 2.0**-53) * 1.01


def test_a_relative_bound_exists_for_whole_numbers_of_at_least_0() -> None:
    assert [(Relative.of(number).value, Relative.of(number).relative) for number in (0, 3)] == [(0, 0), (3, 0)]
    with pytest.raises(FloatingPointError):
        Relative.of(-1)


@pytest.mark.parametrize("kind", [Relative, Rounded])
def test_numbers_with_bounds_are_compared_one_by_one_and_doubted_near_each_other(
    kind: type[Relative | Rounded],
) -> None:
    thirds = kind(np.array([1.0, 3.0])) / 10 * 10 / 3
    with doubts() as found:
        assert [(thirds == 1).tolist(), (thirds < 1).tolist(), (thirds >= 1).tolist()] == [
            [False, True],
            [True, False],
            [False, True],
        ]
    assert [doubt.tolist() for doubt in found] == [[False, True]] * 3


def _doubted(one: Relative | Rounded, other: Relative | Rounded) -> bool:
    with doubts() as found:
        assert (one <= other) == (one.value <= other.value)
    return any(bool(doubt) for doubt in found)


@pytest.mark.parametrize(
    ("apart", "error", "doubted"),
    [(0, 0, False), (1, 0, False), (1, 1, True), (_SLACK, 1, True), (np.nextafter(_SLACK, 2), 1, False), (1, 2, True)],
)
def test_two_numbers_are_doubted_within_the_sum_of_their_bounds(apart: float, error: float, doubted: bool) -> None:
    one, other = Rounded(np.float64(0), error / 4), Rounded(np.float64(apart), error * 3 / 4)
    assert _doubted(one, other) is _doubted(other, one) is doubted


@pytest.mark.parametrize(
    ("values", "relative", "doubted"),
    [
        ((3, 3), 0, False),
        ((1, 3), 0.5 / _SLACK, True),
        ((1, 3), 0.5, True),
        ((1, np.nextafter(3, 4)), 0.5 / _SLACK, False),
        ((1, np.nextafter(3, 4)), 0.5, True),
        ((1, 5), 0.5, False),
    ],
)
def test_two_numbers_are_doubted_within_the_larger_bound_of_their_sum(
    values: tuple[float, float], relative: float, doubted: bool
) -> None:
    one, other = (Relative(np.float64(value), bound) for value, bound in zip(values, (relative, 0.0), strict=True))
    assert _doubted(one, other) is _doubted(other, one) is doubted
    assert (one == other) == (values[0] == values[1])  # outside of ``doubts`` nothing is noted


def test_a_number_that_was_read_before_keeps_its_type_and_the_budget_of_digits() -> None:
    given = {"alpha": 1, "B": 10**6, "C": 1, "N": 0, "R": np.array([2.0, 3.0])}
    expected = dt.theorem1.evaluate(**given, M=1).first_drop
    for one in (1, 1.0, "1", Fraction(1)):
        assert (dt.theorem1.evaluate(**given, M=one).first_drop == expected).all()
    for wrong in (True, np.True_):
        with pytest.raises(InputError, match="M"):
            dt.theorem1.evaluate(**given, M=wrong)
    with budgets.raised(digits=5), pytest.raises(InputError, match="B"):
        dt.theorem1.evaluate(**given, M=1)


def test_cases_of_many_elements_are_chosen_as_those_of_few() -> None:
    R = np.random.default_rng(3).uniform(0.5, 9, 3000)
    given = {"alpha": 1, "B": 10, "C": 1, "M": 1, "N": 2}
    whole = dt.theorem1.evaluate(**given, R=R)
    parts = [dt.theorem1.evaluate(**given, R=part) for part in np.split(R, 30)]
    for name in whole:
        np.testing.assert_array_equal(whole[name], np.concatenate([part[name] for part in parts]))
    assert not whole.valid.all()
