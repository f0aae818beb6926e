"""What formulas are written with says the same of numbers, symbols and arrays."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from dtmodel.theorems import operations

POINTS = [(Fraction(5, 2), Fraction(1)), (Fraction(1), Fraction(5, 2)), (Fraction(-3, 2), Fraction(-3, 2))]
OPERATIONS: list[tuple[Callable[[Any, Any], Any], list[Any]]] = [
    (operations.least, [1, 1, Fraction(-3, 2)]),
    (operations.greatest, [Fraction(5, 2), Fraction(5, 2), Fraction(-3, 2)]),
    (lambda a, b: operations.rounded_down(a) - 3 * operations.rounded_up(b), [-1, -8, 1]),
    (
        lambda a, b: operations.first_of([(a + b, a > b), (a - b, a < b)], 7 * a),
        [Fraction(7, 2), Fraction(-3, 2), Fraction(-21, 2)],
    ),
]


@pytest.mark.parametrize(("operation", "expected"), OPERATIONS)
def test_numbers_symbols_and_arrays_get_one_answer(operation: Callable[[Any, Any], Any], expected: list[Any]) -> None:
    a, b = sympy.symbols("a b", real=True)
    written = operation(a, b)
    assert [operation(x, y) for x, y in POINTS] == expected
    assert [written.subs({a: x, b: y}) for x, y in POINTS] == [sympy.sympify(answer) for answer in expected]
    assert operation(*np.array(POINTS, dtype=float).T).tolist() == expected


def test_a_value_is_defined_where_its_condition_holds() -> None:
    x = sympy.Symbol("x", real=True)
    assert [operations.defined(2, n > 1) for n in (1, 2)] == [None, 2]
    assert [operations.defined(x + 1, x > 1).subs(x, n) for n in (1, 2)] == [sympy.nan, 3]
    values = operations.defined(np.array([2.0, 3.0]), np.array([False, True]))
    assert np.isnan(values[0])
    assert values[1] == 3.0


@pytest.mark.parametrize(
    ("condition", "some", "every"),
    [([True, False], True, False), ([False] * 2, False, False), ([True] * 2, True, True)],
)
def test_what_holds_somewhere_need_not_hold_everywhere(condition: list[bool], some: bool, every: bool) -> None:
    assert operations.somewhere(np.array(condition)) is some
    assert operations.everywhere(np.array(condition)) is every
