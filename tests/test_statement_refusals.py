"""Every question to every statement ends in an answer or in a named error, whatever it is asked with."""

import random
import warnings
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from statement_points import ALL, every, points

from dtmodel.base.errors import DtmodelError, InputError
from dtmodel.theorems.extents import extents
from dtmodel.theorems.placing import rational, takes
from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.solving import values_where
from dtmodel.theorems.statement import Statement
from dtmodel.theory import dt
from dtmodel.theory.dynaq import statements as dynaq
from dtmodel.theory.losspass import statements as losspass

X, P, Q = sympy.Symbol("x"), sympy.Symbol("x", positive=True), sympy.Symbol("q", positive=True)
N = sympy.Symbol("n", integer=True, positive=True)
ODD: tuple[Any, ...] = (
    X, P, Q, N, -P, P * Q, sympy.sqrt(P), 1 / P, sympy.exp(P), sympy.floor(P), sympy.Symbol("m", negative=True),
    sympy.Symbol("i", imaginary=True), sympy.I, sympy.pi, sympy.sqrt(2), sympy.oo, sympy.zoo, sympy.nan, sympy.true,
    sympy.Float(0.1), sympy.Rational(1, 3), sympy.Piecewise((P, P < 1), (2, True)), sympy.Matrix([1, 2]),
    sympy.MatrixSymbol("A", 2, 2), sympy.Interval(0, 1), sympy.Eq(P, Q), P < Q, sympy.Max(P, Q),
    sympy.Function("f", positive=True)(P), sympy.Integral(P, (P, 0, 1)), sympy.O(P), sympy.Poly(P**2, P),
    "x", "", "alpha", "1 MB", "oo", "nan", "-1", "1e400", "1e999999", "1 Gbps", "\ud800", "9" * 5000,
    None, True, 0, -1, 1, 2, 10**400, -0.0, 0.1, 5e-324, float("nan"), float("inf"), 1j, Fraction(-1, 3), b"1",
    object(), len, [], {}, set(), [1], [2, 1], [[1, 2], [3, 4]], [P, Q], [sympy.oo], [None, 1], range(3), iter([1, 2]),
    np.array([1.0, 2.0]), np.array([]), np.array([1j]), np.array(["a"]), np.array([P], dtype=object), np.float32(1.5),
    np.bool_(True), np.datetime64("2020"), np.ma.masked, np.array(3.0), np.ones((2, 3)),
)  # fmt: skip
EACH = 12


def asked(statement: Statement, rng: random.Random) -> Callable[[], Any]:
    """Return a question with a few odd words and values in it."""
    ((values, exact),) = points(statement, 1)
    values, names = dict(values), [*(symbol.name for symbol in statement.symbols), *statement.results, "colour"]
    result, symbol = rng.choice((*statement.results, rng.choice(names))), rng.choice(names)
    for _ in range(rng.choice((0, 1, 1, 2))):
        values[rng.choice((*values, rng.choice(names)))] = rng.choice(ODD)
    switch = () if rng.random() < 0.9 else (rng.choice(ODD),)
    others = {name: value for name, value in values.items() if name != symbol}
    target = rng.choice((exact.get(result), Fraction(1, 7), rng.choice(ODD)))
    return rng.choice(
        (
            lambda: statement.evaluate(*switch, **values),
            lambda: repr(statement.solve_for(symbol, *switch, **{**others, result: target})),
            lambda: statement.sensitivity(result, symbol, *switch, **values),
            lambda: statement.limit(result, symbol, rng.choice((sympy.oo, 0, rng.choice(ODD))), *switch, **others),
            lambda: statement.lambdify(result)(**values),
            lambda: statement.check(rng.choice(ODD)),
        )
    )


@every
def test_whatever_a_statement_is_asked_with_only_named_errors_come_out(statement: Statement) -> None:
    rng = random.Random(f"odd {statement.id}")
    for _ in range(EACH):
        question = asked(statement, rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with suppress(DtmodelError):
                question()


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        (lambda: dynaq.rate_of_a_queue.solve_for("lambda_i", alpha_i=sympy.exp(P), mu_i="3/4"), "alpha_i"),
        (lambda: ALL["l2bm.eq1"].solve_for("Q", B=16, alpha=sympy.sqrt(P), limit=4), "alpha"),
        (lambda: dt.theorem1.solve_for("B", alpha=2, C=1, M="9" * 5000, N=4, R=16, first_drop=1), "M"),
        (lambda: dt.theorem1.solve_for("B", alpha=2, C=1, M=1, N=4, R=16, first_drop="9" * 5000), "first_drop"),
        (lambda: dt.theorem1.solve_for("B", B=9, alpha=2, C=1, M=1, N=4, R=16, first_drop=1), "B"),
        (lambda: dt.theorem1.maximize("first_drop", over=["B", "alpha"], B=9, C=1, M=1, N=4, R=16), "B"),
    ],
)
def test_a_value_that_cannot_be_used_is_named(ask: Callable[[], Any], field: str) -> None:
    with pytest.raises(InputError) as error:
        ask()
    assert error.value.field == field


GIVEN: dict[str, Any] = {"alpha": 1, "B": "1 MB", "C": "1 Gbps", "M": 1, "N": 2, "R": "2 Gbps"}


@pytest.mark.parametrize(
    ("unknown", "first_drop", "why"),
    [
        ("alpha", "1 s", "none: at most 2.66667 ms (1/375 s), as alpha tends to infinity"),
        ("C", "1 us", "none: at least 666.667 us (1/1500 s), as C tends to 0 bps"),
        ("M", "1 s", "none: at most 2 ms (1/500 s), at M = 1"),
        ("N", "427 us", "none: N = 16.7354 (7146/427) is not whole"),
        ("alpha", "1/375", "none: less than 2.66667 ms (1/375 s), as alpha tends to infinity"),
    ],
)
def test_a_question_without_an_answer_says_why(unknown: str, first_drop: str, why: str) -> None:
    values = {name: value for name, value in GIVEN.items() if name != unknown}
    found = dt.theorem1.solve_for(unknown, first_drop=first_drop, **values)
    assert (repr(found), str(found), f"{found.why}") == (why, why, why.removeprefix("none: "))
    assert found == ()


def test_a_hypothesis_that_excludes_every_value_is_named() -> None:
    small = {"alpha": 1, "B": 8, "C": 3, "M": 1, "N": 2}
    assert "at most 2 B, as R tends to" in repr(dt.theorem1.solve_for("R", free_at_first_drop=3, **small))
    never = dt.theorem1.solve_for("alpha", first_drop=1, B=8, C=3, M=1, N=2, R=2)
    assert never.why == "no alpha is possible: R > C"
    many = losspass.BURST_IN_PACKETS.solve_for("Q_s", packets=10**6, B=9000, B_l=0, m=4, v=1500, s=1000)
    assert many.why == f"not found by a search that leaves out {many.missed}"


@pytest.mark.parametrize("seed", range(12))
def test_the_extent_of_a_rational_function_is_reached_or_approached_and_never_passed(seed: int) -> None:
    rng = random.Random(seed)
    over, under = (sum(rng.randint(-3, 3) * X**k for k in range(3)) for _ in range(2))
    whole = seed % 3 == 0
    symbol = Symbol("x", "a number", "", "count" if whole else "real")
    value = sympy.cancel(over / (under + 1))
    left = sympy.Rational(rng.randint(0, 9), 2)
    where = sympy.Interval(left, left + rng.randint(1, 9), rng.random() < 0.5, rng.random() < 0.5)
    found = list(extents(value, symbol, X, where))
    _, below = sympy.fraction(value)
    for step in range(201):
        at = where.inf + (where.sup - where.inf) * sympy.Rational(step, 200)
        if at in where and below.subs(X, at) != 0 and (at.is_integer or not whole):
            assert any(extent.low.value <= value.subs(X, at) <= extent.high.value for extent in found), (value, at)
    for end in (end for extent in found for end in (extent.low, extent.high)):
        assert not end.has or (end.at in where and sympy.simplify(value.subs(X, end.at) - end.value) == 0)
        assert end.has or end.value in {sympy.limit(value, X, end.at, side) for side in "+-"}


def test_values_of_a_condition_lie_in_the_domain_of_the_symbol() -> None:
    length, count = Symbol("x", "a length", "bytes"), Symbol("n", "a number of ports", domain="count")
    assert values_where(length.sympy <= 3, length) == [sympy.Interval.Lopen(0, 3)]
    assert values_where(length.sympy < -1, length) == []
    assert values_where(count.sympy <= 2, count) == [sympy.Range(0, 3)]
    assert takes(count, sympy.Integer(3))
    assert not takes(count, sympy.Rational(1, 2))
    assert rational(length, Fraction(1, 3)) == sympy.Rational(1, 3)
