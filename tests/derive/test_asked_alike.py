"""A derived theorem is asked in the words of a paper's statement, and the guide's table says which words both have."""

import re
from fractions import Fraction
from pathlib import Path

import families
import numpy as np
import pytest
import sympy

from dtmodel import DT, Arrivals, InputError, Switch, simulate
from dtmodel.derive import DerivedTheorem, derive
from dtmodel.theorems import asking
from dtmodel.theorems.evaluation import never
from dtmodel.theorems.statement import Statement
from dtmodel.theorems.theorem import Case, Theorem
from dtmodel.theory import dt, statements

GUIDE = Path(__file__).parents[2] / "docs" / "source" / "guides" / "researcher.md"
HERE = {"alpha": 1, "B": 12, "C": 1, "M": 1, "N": 2, "R": 3}


@pytest.fixture(scope="module")
def theorem1():
    return derive(families.THEOREM1)


def test_the_table_of_the_guide_is_true(theorem1):
    rows = re.findall(
        r"^\| `(\w+)` \| (yes|no) \| (yes|no) \| (.*?) ?\|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE
    )
    named = {name for name, *_ in rows}
    public = {name for name in dir(DerivedTheorem) if not name.startswith("_")} & {
        name for name in dir(Statement) if not name.startswith("_")
    }
    assert public <= named
    kinds = {"statement": dt.theorem1, "derived": theorem1}
    for name, *given, reason in rows:
        assert bool(reason) == ("no" in given), name
        for has, theorem in zip(given, kinds.values(), strict=True):
            assert hasattr(type(theorem), name) or name in theorem.__dataclass_fields__, name
            if has == "no":
                with pytest.raises(InputError, match=f"^{name}: "):
                    getattr(theorem, name)(*("a.b", "nowhere")[: 2 * (name == "to_claim")])


def test_a_statement_is_asked_in_the_algebra_of_derived_theorems():
    there, given = asking.in_algebra(dt.theorem1, ()), {name: v for name, v in HERE.items() if name != "alpha"}
    best = [of.maximize("first_drop", over="alpha", **given) for of in (there, dt.theorem1)]
    assert best[0].value == best[1].value
    assert set(there.family.symbols) == set(dt.theorem1.inputs) - {"P"}  # which is optional


def test_statements_and_derived_theorems_are_of_one_class(theorem1):
    for theorem in (*statements(), theorem1):
        assert isinstance(theorem, Theorem)
        assert theorem.keys == theorem.results
        assert theorem.citation() == theorem.bibtex != ""
    assert dt.theorem1.claim["id"] == "edt.thm1"


def test_cases_of_statements_and_of_derived_theorems_are_of_one_type(theorem1):
    values = {"alpha": 1, "B": 12, "C": 1, "M": 1, "N": 2, "R_b": 2}
    for stated, derived in zip(dt.theorem1_corrected.cases, theorem1.cases, strict=True):
        assert isinstance(stated, Case)
        assert isinstance(derived, Case)
        for rate in (2, 4, 5):
            held, results = [], []
            for case in (stated, derived):
                at = {symbol: (values | {"R": rate})[symbol.name] for symbol in case.condition.free_symbols}
                held.append(bool(case.condition.subs(at)))
                rights = [equation.rhs for equation in case.conclusions]
                at = [{symbol: (values | {"R": rate})[symbol.name] for symbol in each.free_symbols} for each in rights]
                results.append([each.subs(here) for each, here in zip(rights, at, strict=True)])
            assert held[0] == held[1]
            assert results[0] == results[1]
    with pytest.raises(InputError, match=r"^case: "):
        assert theorem1.case([], {"first_drop": None}).condition


def test_the_derived_theorem_is_the_corrected_one_in_numbers_and_in_symbols(theorem1):
    printed = dt.theorem1_corrected
    letters = {name: sympy.Symbol(name, positive=True) for name in ("alpha", "C", "R")}
    derived = theorem1.evaluate(**HERE | {"alpha": letters["alpha"]}, R_b=2).first_drop
    stated = printed.evaluate(**HERE | {"alpha": letters["alpha"]}).first_drop
    for value in (Fraction(1, 7), Fraction(1, 2), 1, 3):
        assert derived.subs(letters["alpha"], value) == stated.subs(letters["alpha"], value)
        given = HERE | {"alpha": value}
        assert theorem1.evaluate(**given, R_b=2).first_drop == printed.evaluate(**given).first_drop
        point = {"result": "first_drop", "to": "alpha"}
        assert (
            theorem1.sensitivity(**point, **given, R_b=2).value
            == printed.sensitivity("first_drop", "alpha", **given).value
        )
    rest = {name: value for name, value in HERE.items() if name != "alpha"}
    for to in (0, "oo"):
        ours = theorem1.limit("first_drop", "alpha", to, **rest, R_b=2)
        assert ours == printed.limit("first_drop", "alpha", sympy.oo if to == "oo" else to, **rest)
    assert theorem1.solve_for("alpha", first_drop="6/5", **rest, R_b=2) == printed.solve_for(
        "alpha", first_drop="6/5", **rest
    )


def test_the_conclusions_are_equations_and_hypotheses_are_what_signs_do_not_say(theorem1):
    assert {each.name: each.domain for each in theorem1.symbols} == {
        "alpha": "positive", "B": "positive", "C": "positive", "M": "number", "N": "count", "R": "positive",
        "R_b": "positive",
    }  # fmt: skip
    first, free = theorem1.conclusions
    values = HERE | {"R_b": 2}
    assert (str(first.lhs), str(free.lhs)) == ("first_drop", "free_at_first_drop")
    at = {symbol: values[symbol.name] for symbol in first.rhs.free_symbols}
    assert first.rhs.subs(at) == theorem1.evaluate(**values).first_drop
    assert [str(each) for each in theorem1.hypotheses] == ["-C + R > 0", "-C + R_b >= 0"]
    slope = theorem1.sensitivity("first_drop", "alpha").value
    assert slope.subs(at) == theorem1.sensitivity("first_drop", "alpha", **values).value


def test_never_is_a_value_and_an_answer_that_does_not_exist_is_none():
    theorem = derive(families.ANY_RATE)
    answer = theorem.evaluate(**HERE | {"R": "1/2"}, R_b=2)
    assert answer.first_drop is never
    assert answer.free_at_first_drop is None
    each = theorem.evaluate(**{n: np.array([v, v], dtype=object) for n, v in (HERE | {"R": 1, "R_b": 2}).items()})
    assert each.first_drop.tolist() == [never, never]
    rest = {name: value for name, value in HERE.items() if name != "R"}
    assert theorem.limit("first_drop", "R", 0, **rest, R_b=2) is never
    letter = sympy.Symbol("R", positive=True)
    assert theorem.evaluate(**HERE | {"R": letter}, R_b=2).first_drop.subs(letter, Fraction(1, 2)) == sympy.oo


def test_a_result_with_symbols_is_short_and_keeps_its_hypotheses(theorem1):
    alpha, R = sympy.Symbol("alpha", positive=True), sympy.Symbol("R", positive=True)
    given = {"B": "64 MB", "C": "100 Gbps", "M": 1, "N": 2, "R_b": "100 Gbps"}
    assert str(theorem1.evaluate(alpha=alpha, R="200 Gbps", **given).first_drop) == "16*alpha/(3125*(3*alpha + 1))"
    assert theorem1.evaluate(alpha=1, R=R, **given).hypotheses == (R - 12500000000 > 0,)
    with pytest.raises(InputError, match=r"^R: got '12500000000'; expected R > C"):
        theorem1.evaluate(alpha=alpha, R="100 Gbps", **given)


def test_a_run_is_checked_at_the_values_of_its_symbols(theorem1):
    run = simulate(Switch(3, 12, 1), DT(1), {0: Arrivals.constant(3), 1: Arrivals.constant(2), 2: Arrivals.constant(2)},
                   initial={1: "steady", 2: "steady"}, until=9)  # fmt: skip
    assert theorem1.check(run, **HERE, R_b=2)
    assert not theorem1.check(run, **HERE | {"B": 11}, R_b=2)
    for wrong, values in ((run, {"N": 3}), (3, {}), (run, {"M": "1/2"})):
        with pytest.raises(InputError):
            theorem1.check(wrong, **HERE | values, R_b=2)


def test_a_point_without_a_derivative_and_a_limit_that_nothing_approaches_are_refused(theorem1):
    corner = HERE | {"R": 4}
    with pytest.raises(InputError, match=r"^alpha: got '1'; expected a point at which first_drop has a derivative"):
        theorem1.sensitivity("first_drop", "alpha", **corner, R_b=2)
    rest = {name: value for name, value in HERE.items() if name != "R"}
    with pytest.raises(InputError, match=r"^to: got '1/2'; expected a value from above which R can come near"):
        theorem1.limit("first_drop", "R", "1/2", **rest, R_b=2)
    assert theorem1.limit("first_drop", "R", 1, **rest, R_b=2) == sympy.oo
    assert theorem1.citation().startswith("@misc{dtmodel")
