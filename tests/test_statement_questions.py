"""What one can ask a statement: solve for a symbol, differentiate, take limits, plot."""

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import sympy
import xarray
from refusals import refused
from statement_points import GIVEN, as_list, every, in_floats, placed, points, refusal

from dtmodel import InputError, Switch
from dtmodel.theorems.conclusions import Conclusions
from dtmodel.theorems.limits import tends_to
from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.questions import Sensitivity
from dtmodel.theorems.roots import FloatRoot
from dtmodel.theorems.statement import Evaluated, Formula, Statement
from dtmodel.theory import dt, edt
from dtmodel.theory.dynaq import statements as dynaq_statements
from dtmodel.theory.edt import statements as edt_statements
from dtmodel.theory.l2bm import statements as l2bm_statements
from dtmodel.theory.losspass import statements as losspass_statements
from dtmodel.theory.losspass.formulas import burst_in_packets


def test_design_questions_have_exact_answers() -> None:
    others = {name: value for name, value in GIVEN.items() if name != "alpha"}
    assert dt.theorem1.solve_for("alpha", first_drop="1.5 ms", **others) == (Fraction(3, 7),)
    assert dt.theorem1.evaluate(**{**GIVEN, "alpha": "3/7"}).first_drop == Fraction(3, 2000)
    assert dt.theorem1.solve_for("alpha", first_drop=1, **others) == ()
    roots = edt_statements.counting_number.solve_for("alpha", c_n2=12_000, B="1 MB", P=16)
    assert [
        edt_statements.counting_number.expressions["c_n2"]
        .subs(_at(edt_statements.counting_number, alpha=r, B=10**6, P=16))
        .simplify()
        for r in roots
    ] == [12_000] * 2
    assert len(roots) == 2
    assert not any(isinstance(root, Fraction) for root in roots)  # quadratic surds
    assert roots.missed == ""
    whole = edt_statements.counting_number_corrected
    ports = whole.solve_for("P", c_n2=whole.evaluate(P=5, alpha=1, B=9).c_n2, alpha=1, B=9)
    assert ports == (5,)
    assert "beyond 4096" in ports.missed
    assert losspass_statements.LINE_RATE.solve_for("beta", K=6, D=8, N=2, a=1) == (Fraction(1, 2),)
    below = losspass_statements.LINE_RATE.evaluate(beta="1/2", D=1, N=2, a=1).K
    assert below == -1
    assert losspass_statements.LINE_RATE.solve_for("beta", K=below, D=1, N=2, a=1) == (Fraction(1, 2),)
    capped = l2bm_statements.reserve_first_drop.solve_for("c", first_drop=3, r=4, alpha=1, F_0=9, growth=2, fall=1)
    assert capped == (Fraction(2),)
    second = edt_statements.second_timer.solve_for("R_min", d="8 ms", B="1 MB", C="1 Gbps", d_mb="1 ms")
    assert second == (Fraction(250_000_000),)
    for unknown, values, field in (
        ("colour", {"first_drop": 1}, "unknown"), ("R", {}, "values"), ("d_k", {"first_drop": 1}, "unknown"),
    ):  # fmt: skip
        with refused(field):
            dt.theorem1.solve_for(unknown, **values)


@pytest.mark.parametrize(
    ("unknown", "packets", "wanted"),
    [
        ("B", 390, sympy.Interval.Ropen(490_000, 491_000)), ("Q_s", 330, sympy.Interval.Lopen(159_000, 160_000)),
        ("s", 300, sympy.Interval.Lopen(sympy.Rational(390_000, 301), 1300)),
    ],
)  # fmt: skip
def test_a_result_that_comes_in_steps_is_solved_by_intervals(unknown: str, packets: int, wanted: Any) -> None:
    """At the ends, within and a little outside, `evaluate` agrees with the interval exactly."""
    burst = losspass_statements.BURST_IN_PACKETS
    given = {"B": 490_000, "B_l": 0, "Q_s": 100_000, "m": 40, "v": 1500, "s": 1000}
    del given[unknown]
    point = {unknown: Fraction(int(wanted.start + wanted.end), 2), **given}
    assert burst.sensitivity("packets", unknown, **point).value == 0
    with pytest.raises(InputError, match="jumps"):
        burst.sensitivity("packets", unknown, **given, **{unknown: Fraction(int(wanted.end * 301), 301)})
    found = burst.solve_for(unknown, packets=packets, **given)
    assert found == (wanted,)
    assert "numbers tried" in found.missed
    step = sympy.Rational(1, 10**6)
    for place in (wanted.start, wanted.end, wanted.start + step, wanted.end - step, wanted.start - step):
        value = Fraction(int(place.p), int(place.q))
        assert (burst.evaluate(**given, **{unknown: value}).packets == packets) == (place in wanted)


@every
def test_every_statement_answers_questions_at_what_it_was_evaluated_at(statement: Statement) -> None:
    """Of each result: its NumPy function; and by one symbol the derivative, the limit there, and the way back to it."""
    rng, ((values, exact),) = random.Random(statement.id), points(statement, 1)
    single = [symbol.name for symbol in statement.symbols if symbol.name in values and not symbol.many]
    for name, result in exact.items():
        answer = statement.lambdify(name)(**{key: in_floats({key: v}, 1)[key][0] for key, v in values.items()})
        assert [close(x, y) for x, y in zip(as_list(answer), as_list(result), strict=True)].count(False) == 0, name
        if not single:
            continue
        moved = rng.choice(single)
        others = {key: value for key, value in values.items() if key != moved}
        slope = refusal(statement.sensitivity, name, moved, **values)
        assert getattr(slope, "field", moved) == moved, "only where two cases meet"
        last = max((k for k, x in enumerate(as_list(result)) if x is not None), default=0)
        assert as_list(statement.limit(name, moved, values[moved], **others))[last] == as_list(result)[last]
        if as_list(result)[last] <= 0:
            continue
        asked = [x if k == last else None for k, x in enumerate(result)] if isinstance(result, list) else result
        found = statement.solve_for(moved, **others, **{name: asked})
        value = sympy.Rational(values[moved])
        assert any(one.contains(value) if isinstance(one, sympy.Set) else one == value for one in found), (moved, found)


def close(rounded: Any, exact: Any) -> bool:
    return bool(np.isnan(rounded)) if exact is None else abs(float(rounded) - exact) <= 1e-9 * max(1, abs(exact))


def test_equations_that_are_none_between_polynomials_are_solved_in_floats_and_say_so() -> None:
    x, y = Symbol("x", "a length", "bytes"), Symbol("y", "another", "bytes", "real")
    wave = Formula("y", lambda x: sympy.sin(x) + sympy.sqrt(x))
    law = Statement("x.wave", "A wave", (x, y), bibtex="@misc{here}", formulas=(wave,), given=(lambda x: x < 9,))
    found = law.solve_for("x", y="3/2")
    assert [round(float(root), 9) for root in found] == [
        round(float(sympy.nsolve(sympy.sin(x.sympy) + sympy.sqrt(x.sympy) - 1.5, near)), 9) for near in (0.6, 2.9, 5.0)
    ]
    assert all(isinstance(root, FloatRoot) and root.high - root.low < 1e-14 for root in found)
    assert "two roots between" in found.missed
    for pole in (lambda x: 1 / (sympy.sqrt(x) - 1), lambda x: 1 / (sympy.exp(x) - 5)):
        jump = replace(law, formulas=(Formula("y", pole),))
        assert jump.solve_for("x", y=0) == (), "it changes its sign by a jump"
    share = Symbol("x", "a share", domain="share")
    assert [float(r) for r in replace(law, symbols=(share, y)).solve_for("x", y=0)] == [0.0]
    either = Symbol("x", "any", domain="real")
    cube = Formula("y", lambda x: x * sympy.exp(x))
    assert [round(float(r), 12) for r in replace(law, symbols=(either, y), formulas=(cube,)).solve_for("x", y=0)] == [0]


def test_a_result_that_does_not_depend_on_a_symbol_is_solved_by_a_set() -> None:
    """Slow bursts leave the same buffer free at every rate; the bound is C (1 + 3/1) = 4 C."""
    given = {"alpha": 1, "B": 8, "C": 1, "M": 1, "N": 2}
    assert dt.theorem1.solve_for("R", free_at_first_drop=2, **given) == (sympy.Interval.Lopen(1, 4),)
    assert dt.theorem1.solve_for("R", free_at_first_drop=3, **given) == ()
    assert edt_statements.second_timer.solve_for("d_mb", d=8, B=8, C=1, R_min=2) == (sympy.Interval.Lopen(0, 8),)


def _at(statement: Statement, **values: Any) -> dict[Any, Any]:
    return {symbol.sympy: values[symbol.name] for symbol in statement.symbols if symbol.name in values}


def test_sensitivities_have_units_and_agree_with_difference_quotients() -> None:
    assert dt.theorem1.sensitivity("first_drop", "alpha").unit == "s"
    assert dt.theorem1.sensitivity("first_drop", "R").unit == "s/(bytes/s)"
    assert dt.theorem1.sensitivity("free_at_first_drop", "B").unit == ""
    assert dt.theorem1.sensitivity("free_at_first_drop", "N").unit == "bytes"
    for name, step in (("alpha", Fraction(1, 10**9)), ("B", Fraction(1)), ("R", Fraction(1))):
        slope = dt.theorem1.sensitivity("first_drop", name, **GIVEN).value
        base = {**GIVEN, "alpha": 1, "B": 10**6, "R": 250_000_000}
        ahead, behind = ({**base, name: base[name] + sign * step} for sign in (1, -1))
        quotient = (dt.theorem1.evaluate(**ahead).first_drop - dt.theorem1.evaluate(**behind).first_drop) / (2 * step)
        assert abs(slope - quotient) < abs(slope) / 10**6
    with pytest.raises(InputError, match="inside a case"):
        dt.theorem1.sensitivity("first_drop", "R", **{**GIVEN, "R": "4 Gbps"})
    with pytest.raises(InputError, match="result"):
        dt.theorem1.sensitivity("alpha", "R")
    with pytest.raises(InputError, match="inside a case"):
        dynaq_statements.rate_of_a_queue.sensitivity("mu_i", "lambda_i", lambda_i=2, alpha_i=2)
    assert dynaq_statements.rate_of_a_queue.sensitivity("mu_i", "lambda_i", lambda_i=1, alpha_i=2).value == 1


@every
def test_derivatives_in_symbols_are_those_at_numbers(statement: Statement) -> None:
    """Each result by each input: the expression at a point is the derivative there; symbols as values say it, too."""
    ((values, exact),) = points(statement, 1)
    listed = [name for name, value in values.items() if isinstance(value, list)]
    letters, place = placed(statement, values)
    named = {
        s.written if s.stands else s.sympy: sympy.Rational(values[s.name])
        for s in statement.symbols
        if s.name in set(values) - set(listed)
    }
    for name, moved in product(exact, (name for name in values if name not in listed)):
        slope = told(statement.sensitivity, name, moved, **values)
        if slope is None or (statement.id, moved) == ("losspass.ours.least-k-packets", "D"):
            continue  # two cases meet here; D is whole and comes in steps of itself
        if not listed:
            found = statement.sensitivity(name, moved).value.subs(named)
            assert found == slope.value or sympy.simplify(found - slope.value) == 0, (name, moved)
        asked = as_list(statement.sensitivity(name, moved, **letters).value)
        for symbolic, number in zip(asked, as_list(slope.value), strict=True):
            found = symbolic.subs(place)
            assert found == (sympy.nan if number is None else number), (name, moved)


def told(ask: Callable[..., Any], *arguments: Any, **values: Any) -> Any:
    try:
        return ask(*arguments, **values)
    except InputError:
        return None


def test_beyond_l_theorem_3_has_no_derivative_and_a_symbol_moves_alone() -> None:
    """With these numbers t_1 = 3/2 alpha / (1 + alpha)^2."""
    beyond = dt.theorem3.sensitivity("first_drop", "alpha", alpha=2, B=12, C=1, N=1, R=[9, 2])
    assert beyond.value == [Fraction(3, 2) * (1 - 2) / (1 + 2) ** 3, None]
    x = sympy.Symbol("x", positive=True)
    slope = dt.theorem1.sensitivity("free_at_first_drop", "alpha", **{**GIVEN, "alpha": x, "R": "5 Gbps"}).value
    assert slope.subs(x, 1) == dt.theorem1.sensitivity("free_at_first_drop", "alpha", **{**GIVEN, "R": "5 Gbps"}).value


def test_the_derivative_of_port_k_knows_what_its_sums_are_of() -> None:
    """G_k has C in it; the recursion as printed has the ports before in it, of which nobody knows the derivatives."""
    given: dict[str, Any] = {"alpha": 1, "B": 12, "C": 1, "N": 2, "R": [3, 2]}
    theorem = dt.theorem2_corrected
    at = {symbol.name: symbol.sympy for symbol in theorem.symbols}
    for name in ("alpha", "B", "C", "N"):
        for result in ("first_drop", "free_at_first_drop"):
            slope = theorem.sensitivity(result, name).value.subs(at["M"], 2)
            for k, number in enumerate(theorem.sensitivity(result, name, **given).value, 1):
                rates = {at["R_k"].func(i): rate for i, rate in enumerate(given["R"], 1)}
                found = slope.subs(at["k"], k).doit().subs(rates)
                assert found.subs({at[key]: given[key] for key in ("alpha", "B", "C", "N")}) == number, (result, name)
    for unknown in (dt.theorem2, dt.theorem3, dt.theorem3_corrected):
        with refused("values", match="other results"):
            unknown.sensitivity("first_drop", "alpha")
    for to in ("R", "R_k", "free", "P_k"):
        with pytest.raises(InputError):
            dt.theorem2.sensitivity("first_drop", to)


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        (lambda: dt.theorem2.solve_for("B", first_drop=1, alpha=1, C=1, N=1, R=[2]), "first_drop"),
        (lambda: dt.theorem2.solve_for("B", first_drop=[1, None], alpha=1, C=1, N=1, R=[2]), "first_drop"),
        (lambda: dt.theorem2.solve_for("B", first_drop=[None, 1], alpha=1, C=1, N=1, R=[2]), "first_drop"),
        (lambda: dt.theorem1.solve_for("alpha", first_drop=[1], B=8, C=1, M=1, N=1, R=2), "first_drop"),
        (lambda: dt.theorem1.limit("first_drop", "alpha", np.array([1.0, 2.0])), "alpha"),
        (lambda: dt.theorem1.limit("first_drop", "alpha", False), "alpha"),
        (lambda: dt.theorem1.limit("first_drop", "alpha", None), "alpha"),
        (lambda: dt.theorem2.limit("first_drop", "alpha", sympy.oo), "R"),
        (lambda: dt.theorem2.limit("first_drop", "R", sympy.oo, alpha=1, B=8, C=1, N=1), "symbol"),
        (lambda: losspass_statements.BURST_IN_PACKETS.limit("packets", "s", sympy.oo), "s"),
    ],
)  # fmt: skip
def test_questions_that_have_no_answer_name_what_is_missing(ask: Callable[[], Any], field: str) -> None:
    with refused(field):
        ask()


def test_a_root_whose_sign_is_lost_in_digits_and_a_matrix_are_refused_by_name() -> None:
    given = {"B": 29, "C": 3, "M": 1, "N": 4, "R": 30}
    with refused("c_n2", match="fewer digits"):
        edt_statements.counting_rule.solve_for("alpha", c_n2=Fraction(1, 10**400), **given)
    with refused("B", match="an expression of SymPy"):
        dt.theorem1.limit("first_drop", "alpha", sympy.oo, B=sympy.Matrix([1, 2]), C=1, M=1, N=1, R=2)


def test_where_a_hypothesis_is_false_nothing_is_solved() -> None:
    assert edt_statements.second_timer.solve_for("B", C=1, R_min=1, d_mb=1, d=1) == ()


@pytest.mark.parametrize("run", [None, 3, {"queues": []}])
def test_what_is_no_run_is_not_checked(run: Any) -> None:
    with pytest.raises(InputError, match=r"run: got .*; expected an exact run of the fluid engine"):
        dt.theorem1.check(run)


@pytest.mark.parametrize(
    "value", ["1", None, True, [1, None], 1j, sympy.Symbol("x"), {}, "1 MB", 10**400, sympy.eye(1)]
)
def test_a_lambdified_theorem_names_what_is_no_number(value: Any) -> None:
    with refused("B"):
        dt.theorem1.lambdify()(**{**GIVEN, "alpha": 1, "C": 1, "R": 2, "B": value})


def test_a_lambdified_theorem_computes_in_floats() -> None:
    """Whole numbers of 64 bits would wrap, and a list would be repeated."""
    drop = dt.theorem1.lambdify()
    given = {"M": 1, "N": 0, "C": 1, "R": 2}
    assert drop(alpha=np.array([4]), B=np.array([2**62]), **given) == [4 * 2.0**62 / 5]
    assert drop(alpha=np.int64(4), B=np.int64(2**62), **given) == 4 * 2.0**62 / 5
    assert drop(alpha=2, B=[3.0, 6.0], **given).tolist() == [2.0, 4.0]
    assert np.isinf(drop(alpha=2, B=3, **given | {"R": 1}))
    wide = np.array([6e4, 6e4], dtype=np.float16)
    assert drop(alpha=wide, B=wide, **given).tolist() == [float(wide[0]) ** 2 / (1 + float(wide[0]))] * 2
    masked = np.ma.masked_array([3.0, 6.0], mask=[False, True])
    assert np.array_equal(drop(alpha=2, B=masked, **given), [2.0, np.nan], equal_nan=True)
    rates = xarray.DataArray([2, 3], dims="rate")
    assert drop(alpha=1, B=4, **given | {"C": 1, "R": rates}).tolist() == [2.0, 1.0]


def test_limits_take_the_case_that_applies_there() -> None:
    others = {name: value for name, value in GIVEN.items() if name != "alpha"}
    assert dt.theorem1.limit("free_at_first_drop", "alpha", 0, **others) == 10**6
    assert dt.theorem1.limit("free_at_first_drop", "alpha", sympy.oo, **others) == 0
    assert dt.theorem1.limit("first_drop", "alpha", sympy.oo, **others) == sympy.Rational(1, 375)
    assert dt.theorem1.limit("first_drop", "R", sympy.oo, alpha=1, B=9, C=1, M=1, N=2) == 0
    grown = edt_statements.counting_rule.limit("c_n2", "R", sympy.oo, alpha=1, B=12, C=1, M=1, N=1)
    assert grown == edt_statements.counting_limit.evaluate(alpha=1, B=12, M=1, N=1).c_n2 == 3
    assert dt.theorem1.limit("first_drop", "R", "4 Gbps", alpha=1, B=10**6, C="1 Gbps", M=1, N=2) == sympy.Rational(
        1, 1500
    )
    with pytest.raises(InputError, match="which case"):
        dt.theorem1.limit("first_drop", "alpha", 1)
    with pytest.raises(InputError, match="result"):
        dt.theorem1.limit("P", "alpha", 0, **others)


NO_LIMITS = ("losspass.ours.least-k-packets", "l2bm.ours.bookkeeping", "dynaq.ours.active-satisfied")
"""Statements about lists, steps and whole numbers: no single quantity of theirs tends to anything."""


@every
def test_limits_are_what_values_tend_to(statement: Statement) -> None:
    """By each symbol, to 0, a value and infinity: `evaluate` comes closer and closer, or grows beyond all bounds."""
    ((values, _),) = points(statement, 1)
    rng, told_of = random.Random(statement.id), 0
    for symbol in statement.symbols:
        others = {key: value for key, value in values.items() if key != symbol.name}
        for name, goal in product(statement.results, (0, sympy.oo, values.get(symbol.name))):
            if len(others) == len(values) or symbol.many or (told_of and rng.random() < 0.5):
                continue
            found = told(statement.limit, name, symbol.name, goal, **others)
            tried = [told(statement.evaluate, **others, **{symbol.name: at}) for at in approaching(symbol, goal)]
            if found is None or None in tried:
                continue  # outside the hypotheses, or undefined
            for k, limit in enumerate(as_list(found)):
                told_of += 1
                far, near = (as_list(seen[name])[k] for seen in tried)
                assert tends(far, near, limit), (name, symbol.name, goal, limit)
    assert told_of or statement.id in NO_LIMITS


def approaching(symbol: Symbol, goal: Any) -> list[Fraction]:
    if goal == sympy.oo:
        return [Fraction(10**8), Fraction(10**12)]
    step = 0 if symbol.domain in ("count", "number") else 1
    return [Fraction(goal) + Fraction(step, 10**8), Fraction(goal) + Fraction(step, 10**12)]


def tends(far: Any, near: Any, limit: Any) -> bool:
    if limit is None or near is None:
        return limit is near
    if limit in (sympy.oo, -sympy.oo):
        return bool(abs(near) > 10 and (near > far) == (limit == sympy.oo))
    off, closer = abs(far - limit), abs(near - limit)
    return bool(closer == 0 or (closer < off and closer < Fraction(1, 1000)))


def test_limits_beside_steps_are_exact() -> None:
    """What is rounded stays on a whole number, jumps just beyond it, or is beyond all bounds while it moves."""
    packets = {"B": 24, "B_l": 0, "Q_s": 4, "m": 4, "v": 3, "s": 1}
    wanted = {"B": (20, sympy.oo), "Q_s": (19, None), "B_l": (20, None), "s": (19, 0), "v": (20, None)}
    burst = losspass_statements.BURST_IN_PACKETS
    for moved, (there, beyond) in wanted.items():
        others = {key: value for key, value in packets.items() if key != moved}
        start = Fraction(packets[moved])
        assert told(burst.limit, "packets", moved, start, **others) == there, moved
        assert told(burst.limit, "packets", moved, sympy.oo, **others) == beyond, moved
    small = {key: value for key, value in packets.items() if key != "s"}
    assert burst.limit("packets", "s", 0, **small) == sympy.oo
    x = sympy.Symbol("x", positive=True)
    least_of = sympy.Min(*sympy.symbols("j k", positive=True))
    for formula, goal, limit in (
        (sympy.floor(x) / x, sympy.oo, 1), (x * sympy.floor(1 / x), 0, 1), (sympy.ceiling(x), 3, 4),
        (sympy.floor(3 - x), 1, 1), (sympy.floor(x), sympy.Rational(5, 2), 2), (sympy.ceiling(2 - x / 3), 3, 1),
        (sympy.ceiling(2 - x * (1 / x - sympy.floor(1 / x))), 0, 2), (sympy.Min(x, 3, 1 / x), sympy.oo, 0),
        (sympy.Max(x - sympy.floor(x), sympy.ceiling(x) - x) / x, sympy.oo, 0), (sympy.floor(x) - x, 2, 0),
        (sympy.sqrt(x**2 + x) - x, sympy.oo, sympy.Rational(1, 2)), (sympy.sqrt(x) - x, 0, 0),
        (sympy.sqrt(x), sympy.oo, sympy.oo),
        (sympy.Piecewise((1, sympy.Or(x < 2, x > 5)), (2, sympy.Not(x > 3)), (3, True)), 3, 3),
        (sympy.Piecewise((1, sympy.Or(x < 2, x**2 > 5)), (2, True)), 3, 1),
        (x * least_of / (x + 1), sympy.oo, least_of),
        (sympy.Piecewise((1, sympy.floor(x) <= 2), (2, True)), 2, 1), (sympy.floor(-sympy.floor(x) / x), sympy.oo, -1),
        (sympy.Piecewise((1, x <= 2), (2, True)), 2, 2), (sympy.Piecewise((1, sympy.Eq(x, 2)), (2, True)), 2, 2),
    ):  # fmt: skip
        assert tends_to(formula, x, sympy.sympify(goal)) == limit, (formula, goal)
    for formula, goal in (
        (x - sympy.floor(x), sympy.oo), (x * (x - sympy.floor(x)), sympy.oo), (1 / (x - sympy.floor(x)), sympy.oo),
        (sympy.floor(1 + x * sympy.floor(1 / x)), 0), (sympy.floor(x * sympy.Symbol("k", real=True)), 2),
        (sympy.floor(x * (x - sympy.floor(x))), sympy.oo), (sympy.sqrt(x - sympy.floor(x)), sympy.oo),
        (1 / (x * (x - sympy.floor(x)) + 1), sympy.oo),
        (x - sympy.floor(x) - sympy.Max(x - sympy.floor(x), sympy.ceiling(x) - x), sympy.oo),
        (sympy.Add(*(sympy.sqrt(x + k) for k in range(150))), sympy.oo),
    ):  # fmt: skip
        with refused("x"):
            tends_to(formula, x, sympy.sympify(goal))


def test_limits_in_symbols_are_simplified() -> None:
    pool = l2bm_statements.pool_steady
    assert pool.limit("held", "alpha", 0) == next(s.sympy for s in pool.symbols if s.name == "r")
    rates = {"R": [4, 3]}
    B = next(s.sympy for s in dt.theorem3_corrected.symbols if s.name == "B")
    assert dt.theorem3_corrected.limit("free_at_first_drop", "alpha", 0, **rates) == [B, B]


def test_a_limit_outside_the_hypotheses_is_refused() -> None:
    given = {"alpha": 1, "B": 9, "M": 1, "N": 2, "R": 4}
    for to in (sympy.oo, 4, 5):
        with pytest.raises(InputError, match="within the hypotheses: R > C"):
            dt.theorem1.limit("first_drop", "C", to, **given)
    with pytest.raises(InputError, match="at least 1"):
        dt.theorem1.limit("first_drop", "M", 0, alpha=1, B=9, C=1, N=2, R=4)
    full = {"B": 24, "tau": Fraction(1, 2)}
    assert losspass_statements.BURST_AT.limit("burst", "q", 24, **full) == 12  # the hypothesis holds there, not above


def test_the_answers_are_of_their_types() -> None:
    """What one may call on an answer is what its type says."""
    assert isinstance(dt.theorem1.conclusions, Conclusions)
    assert isinstance(dt.theorem1.evaluate(**GIVEN), Evaluated)
    assert isinstance(dt.theorem1.sensitivity("first_drop", "alpha", **GIVEN), Sensitivity)


def test_lambdified_theorems_plot() -> None:
    function = dt.theorem1.lambdify()
    R = np.array([2.0e8, 2.5e8, 6.0e8])
    answer = dt.theorem1.evaluate(**{**GIVEN, "R": R})
    assert np.allclose(function(alpha=1, B=1e6, C=1.25e8, M=1, N=2, R=R), answer.first_drop, rtol=1e-14)
    assert np.allclose(
        dt.theorem1.lambdify("free_at_first_drop")(alpha=1, B=1e6, C=1.25e8, M=1, N=2, R=R),
        answer.free_at_first_drop,
        rtol=1e-14,
    )
    assert edt.theorem4.lambdify("free_1")(alpha=1, B=12.0, C=1.0, M=1, N=1, A_t1=6.0, t_1=2.0) == 4
    with pytest.raises(InputError, match="alpha"):
        function(B=1)


def test_a_switch_has_the_values_of_buffer_rate_and_ports() -> None:
    switch = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
    named = {"B": "1 MB", "C": "1 Gbps"}
    others: dict[str, Any] = {"M": 1, "N": 2, "R": "2 Gbps"}
    theorem = dt.theorem1
    assert theorem.solve_for("alpha", switch, first_drop="1.5 ms", **others) == (Fraction(3, 7),)
    assert theorem.solve_for("B", switch, first_drop="2 ms", alpha=1, **others) == (1_000_000,)
    assert theorem.solve_for("alpha", switch, C="2 Gbps", first_drop="1 ms", **others | {"R": "3 Gbps"}) == (
        theorem.solve_for("alpha", B="1 MB", C="2 Gbps", first_drop="1 ms", **others | {"R": "3 Gbps"})
    )
    at = others | {"alpha": 1}
    assert theorem.sensitivity("first_drop", "B", switch, **at).value == (
        theorem.sensitivity("first_drop", "B", **named, **at).value
    )
    assert theorem.limit("first_drop", "alpha", sympy.oo, switch, **others) == (
        theorem.limit("first_drop", "alpha", sympy.oo, **named, **others)
    )
    assert theorem.limit("first_drop", "B", 0, switch, **at) == 0
    whole = edt_statements.counting_number
    assert 16 in whole.solve_for("P", switch, c_n2=whole.evaluate(switch, alpha=1).c_n2, alpha=1)
    for wrong in (3, "1 MB", (switch, switch)):
        with pytest.raises(InputError, match=r"^switch: got .*one Switch"):
            theorem.solve_for("alpha", *(wrong if isinstance(wrong, tuple) else (wrong,)), first_drop=1, **others)


@pytest.mark.parametrize(
    ("unknown", "wanted"),
    [
        ("B", sympy.Interval.Ropen(9900, 10_200)), ("B_l", sympy.Interval(0, 1300)), ("Q_s", sympy.Interval(0, 100)),
        ("m", sympy.Range(7)), ("s", sympy.Interval.Lopen(sympy.Rational(5000, 17), sympy.Rational(10_000, 33))),
        ("v", sympy.Interval.Lopen(0, sympy.Rational(100, 3)) + sympy.Interval(300, sympy.Rational(10_000, 3))),
    ],
)  # fmt: skip
def test_steps_are_followed_to_the_ends_of_what_is_asked_for(unknown: str, wanted: Any) -> None:
    """The least value is found although the result does not change down to 0, however packets are evicted there."""
    given = {"B": 10_000, "B_l": 0, "Q_s": 0, "m": 3, "v": 1500, "s": 300}
    del given[unknown]
    (found,) = losspass_statements.BURST_IN_PACKETS.solve_for(unknown, packets=33, **given)
    assert found == wanted
    for step in range(1, 24):
        x = {**given, unknown: Fraction(10_400, step) if unknown != "m" else Fraction(step)}
        if x["B_l"] <= x["B"] and x["Q_s"] + x["m"] * x["v"] <= x["B"]:
            victims = [Fraction(x["v"])] * int(x["m"])
            packets = burst_in_packets(*map(Fraction, (x["B"], x["Q_s"])), victims, *map(Fraction, (x["s"], x["B_l"])))
            assert (packets == 33) == (sympy.Rational(x[unknown]) in wanted)
