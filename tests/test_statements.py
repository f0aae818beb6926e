"""Every statement of the registry can be computed with: in SymPy, exactly, and on arrays; the routes agree."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from inspect import signature
from typing import Any

import numpy as np
import pytest
import sympy
import xarray
from statement_formulas import FORMULAS, SEQUENCES
from theory_walk import statements as walked

from dtmodel import DT, EDT, Arrivals, InputError, Switch, claims, simulate, trace
from dtmodel.policies import Pool, QueueLimits, SharedPools, StaticPartition, Weighted
from dtmodel.theory import dt, dynaq, edt, statements
from dtmodel.theory.conclusions import Conclusions
from dtmodel.theory.dt import series
from dtmodel.theory.dt import statements as dt_statements
from dtmodel.theory.dynaq import statements as dynaq_statements
from dtmodel.theory.edt import statements as edt_statements
from dtmodel.theory.evaluation import Evaluated, Formula
from dtmodel.theory.l2bm import statements as l2bm_statements
from dtmodel.theory.losspass import statements as losspass_statements
from dtmodel.theory.quantities import Symbol
from dtmodel.theory.questions import Sensitivity
from dtmodel.theory.roots import FloatRoot
from dtmodel.theory.rounding import Rounded
from dtmodel.theory.statement import Statement

ALL = {statement.id: statement for statement in statements()}
every = pytest.mark.parametrize("statement", ALL.values(), ids=ALL)


def drawn(symbol: Symbol, rng: random.Random) -> Any:
    """A small dyadic number, which floats hold exactly; small so that ties and borders come up."""
    if symbol.many:
        return sorted(
            (drawn(replace(symbol, many=False), rng) for _ in range(rng.randint(symbol.least, 4))), reverse=True
        )
    if symbol.domain == "share":
        return Fraction(rng.randint(0, 8), 8)
    if symbol.domain in ("count", "number"):
        return rng.randint(0 if symbol.domain == "count" else 1, 4)
    least = 0 if symbol.domain in ("nonnegative", "real") else 1
    return Fraction(rng.randint(least, rng.choice((4, 40))), rng.choice((1, 1, 2, 4)))


def points(statement: Statement, wanted: int) -> list[tuple[dict[str, Any], Any]]:
    """Points within the hypotheses, and what is exact there."""
    rng, found = random.Random(statement.id), []
    symbols = [symbol for symbol in statement.symbols if symbol.name in statement.inputs and not symbol.optional]
    for _ in range(4000):
        values = {symbol.name: drawn(symbol, rng) for symbol in symbols}
        try:
            found.append((values, statement.evaluate(**values)))
        except (InputError, ZeroDivisionError):
            continue
        if len(found) == wanted:
            return found
    raise AssertionError(f"{statement.id}: {len(found)} points")


def placed(statement: Statement, values: dict[str, Any]) -> tuple[dict[str, Any], dict[Any, Any]]:
    """The symbols in place of the values, and what to substitute for them."""
    symbols, back = {}, {}
    for symbol in statement.symbols:
        if symbol.name in values and symbol.many:
            letters = sympy.symbols(f"{symbol.name}_1:{len(values[symbol.name]) + 1}", positive=True)
            symbols[symbol.name] = list(letters)
            back |= {letter: sympy.Rational(value) for letter, value in zip(letters, values[symbol.name], strict=True)}
        elif symbol.name in values:
            symbols[symbol.name] = symbol.written
            back[symbol.written] = sympy.Rational(values[symbol.name])
    return symbols, back


def as_list(value: Any) -> list[Any]:
    return list(value) if np.ndim(value) else [value]


def test_the_registry_has_every_statement_of_every_module() -> None:
    assert len(ALL) == len(statements()) == 57
    assert {paper: len(statements(paper)) for paper in ("edt", "losspass", "dynaq", "l2bm")} == {
        "edt": 19, "losspass": 12, "dynaq": 14, "l2bm": 12,
    }  # fmt: skip
    assert all(statement.inputs for statement in ALL.values())
    assert walked() == ALL
    with pytest.raises(InputError, match="paper"):
        statements("pie")


@pytest.mark.parametrize("paper", ["edt", "losspass", "dynaq", "l2bm"])
def test_every_statement_is_of_a_claim_with_a_verdict(paper: str) -> None:
    known = {row["id"]: row for row in claims(paper)}
    for statement in statements(paper):
        assert known[statement.id]["verdict"] in ("holds", "holds-under-assumption", "misprint"), statement.id
    assert statements(paper)[0].claim == known[statements(paper)[0].id]


@every
def test_conclusions_are_sympy(statement: Statement) -> None:
    """Substitute, differentiate, solve, lambdify and typeset: each of the conclusions of each statement."""
    assert isinstance(statement.conclusions, sympy.Tuple)
    assert len(statement.conclusions) >= 1
    assert len(statement.conclusions.diff(sympy.Symbol("x"))) == len(statement.conclusions)
    for relation in statement.conclusions:
        assert isinstance(relation, sympy.core.relational.Relational)
        free = sorted(relation.free_symbols, key=str)
        if not free:
            assert str(relation) == "Eq(t(0), 0)"
            continue
        gone, new = free[0], sympy.Dummy(positive=True)
        assert not relation.subs(gone, new).has(gone)
        for symbol in free:
            sympy.diff(relation.rhs, symbol)
        target = next(iter(sorted(relation.lhs.free_symbols or relation.rhs.free_symbols, key=str)))
        if relation.lhs.is_Symbol:
            assert sympy.solve(sympy.Eq(relation.lhs, relation.rhs), target)
        assert sympy.latex(relation)
        bound = relation.atoms(sympy.core.function.AppliedUndef) | relation.atoms(sympy.Indexed)
        if not bound and not relation.atoms(sympy.Integral):
            numbers = [np.array([2.0, 3.0]) / (5 * place + 7) for place in range(len(free))]
            assert np.shape(sympy.lambdify(free, relation.rhs, "numpy")(*numbers)) in ((2,), ())
        else:
            names = {
                function.func.__name__: (lambda *_: 1.0) for function in bound if hasattr(function.func, "__name__")
            }
            assert callable(sympy.lambdify(free, relation.rhs, [names, "scipy"]))


@every
def test_a_statement_shows_what_it_says(statement: Statement) -> None:
    html, text, latex = statement._repr_html_(), str(statement), statement._repr_latex_()
    assert not any(sign in text for sign in ("$", "\\", "<", ">") if sign in ("$", "\\"))
    assert "$" not in html
    assert latex.count("{") == latex.count("}")
    assert statement.latex() in latex
    assert len(statement.cases) == len(statement.branches)
    for branch in statement.branches:
        for formula in branch.formulas:
            assert any(f"<{formula.of}>" in words for words in branch.says), formula.of
    for formula in (*statement.formulas, *statement.notes):
        shown = " ".join(
            (*statement.says, *(w for b in statement.branches for w in b.says), *(s.meaning for s in statement.symbols))
        )
        named = f"<{formula.of}>" in shown
        assert named or formula.of in HIDDEN.get(statement.id, ()), formula.of


HIDDEN = {
    "dynaq.eq4": ("extra",),  # shown as T_i - S_i
    "losspass.ours.utilisation": ("base", "actual"),  # shown with W and m
    "losspass.ours.reserve-burst": ("burst_at_rate",),  # shown with mu
    "edt.eq81": ("TM_2",),  # TM_2 = d
    "l2bm.ours.first-drop": ("drop",),  # shown with phi and F_0
    "l2bm.ours.pool-steady": ("held",),  # shown with F
}
"""Results that the words show by way of other results."""


@every
def test_symbols_numbers_and_arrays_agree(statement: Statement) -> None:
    for values, exact in points(statement, 4):
        symbols, back = placed(statement, values)
        symbolic = statement.evaluate(**symbols)
        for name, value in exact.items():
            for one, other in zip(as_list(value), as_list(symbolic[name]), strict=True):
                found = other.subs(back)
                wanted = sympy.nan if one is None else sympy.Rational(one)
                assert found is wanted or found == wanted or sympy.simplify(found - wanted) == 0, name
        arrays = statement.evaluate(**in_floats(values, 2))
        assert arrays.valid.all()
        errors = arrays.errors()
        for name, value in exact.items():
            for one, other, error in zip(
                as_list(value), as_list(arrays[name][0]), as_list(errors[name][0]), strict=True
            ):
                if one is None:
                    assert np.isnan(other)
                else:
                    assert abs(Fraction(float(other)) - Fraction(one)) <= Fraction(float(error)), (name, values)
                    assert error <= 1e-9 * max(1, abs(float(one))) or statement.id == "losspass.ours.burst-in-packets"


@every
def test_a_point_outside_the_hypotheses_is_refused_by_name_and_is_nan_in_arrays(statement: Statement) -> None:
    rng, refused = random.Random(statement.title), 0
    symbols = [symbol for symbol in statement.symbols if symbol.name in statement.inputs and not symbol.optional]
    for _ in range(60):
        values = {symbol.name: drawn(symbol, rng) for symbol in symbols}
        error = refusal(statement.evaluate, **values)
        if error is not None:
            refused += 1
            assert error.field in values
            answer = statement.evaluate(**in_floats(values, 1))
            assert not answer.valid.any()
            assert all(np.isnan(value).all() for value in answer.values())
    conditions = [c for c in statement.conditions if "P" not in c.__code__.co_varnames]
    assert bool(refused) == bool(conditions), (refused, conditions)


def refusal(ask: Callable[..., Any], *arguments: Any, **values: Any) -> Any:
    try:
        ask(*arguments, **values)
    except InputError as error:
        return error
    return None


def in_floats(values: dict[str, Any], times: int) -> dict[str, Any]:
    return {
        name: np.array([[float(x) for x in v]] * times if isinstance(v, list) else [float(v)] * times)
        for name, v in values.items()
    }


@every
def test_the_formulas_are_those_of_the_documents(statement: Statement) -> None:
    """Compare with formulas that are written a second time in the tests."""
    if statement.id not in FORMULAS:
        for name, again in SEQUENCES.items():
            for values, exact in points(statement, 8):
                R, arguments = values["R"], {k: Fraction(v) for k, v in values.items() if k != "R"}
                expected = again(R=[Fraction(rate) for rate in R], **arguments)
                told = [(a, b) for a, b in zip(exact[name], expected, strict=True) if a is not None]
                assert told
                assert all(a == b for a, b in told)
        return
    expected = FORMULAS[statement.id]
    assert set(expected) == set(statement.results)
    for values, exact in points(statement, 12):
        for name, again in expected.items():
            keywords = signature(again).parameters
            given = {
                key: [Fraction(x) for x in value] if isinstance(value, list) else Fraction(value)
                for key, value in values.items()
                if key in keywords or {"_", "v"} & set(keywords)
            }
            assert exact[name] == again(**given), (name, values)


def test_a_formula_that_is_altered_is_noticed() -> None:
    """Double what each formula computes: the comparison with the second writing fails every time."""
    for statement in ALL.values():
        for branch in statement.computed:
            for formula in branch.formulas:
                wrong = replace(formula, compute=_doubled(formula), symbols=" ".join(formula.names))
                branches = tuple(
                    replace(b, formulas=tuple(wrong if f is formula else f for f in b.formulas))
                    for b in statement.computed
                )
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(Statement, "computed", property(lambda _, made=branches: made))
                    with pytest.raises(AssertionError):
                        test_the_formulas_are_those_of_the_documents(statement)


def _doubled(formula: Any) -> Any:
    def compute(*values: Any) -> Any:
        found = formula.compute(*values)
        return [None if x is None else 2 * x + 1 for x in found] if isinstance(found, list) else 2 * found + 1

    return compute


def test_recursions_unroll_to_what_is_evaluated() -> None:
    """The element k of a recursion, from the elements before it, is what `evaluate` answers for port k."""
    for theorem in (dt.theorem2, dt.theorem2_corrected, dt.theorem3):
        for values, exact in points(theorem, 6):
            R, C = [Fraction(rate) for rate in values["R"]], Fraction(values["C"])
            G = series.growth_sums(C, R)
            before = {"before": Fraction(0), "free_before": Fraction(values["B"]) / (1 + values["alpha"] * values["N"])}
            for k, rate in enumerate(R, 1):
                if exact.drop[k - 1] is None:
                    break
                known = {**values, **before, "k": k, "R_k": rate, "G_k": G[k - 1]}
                drop, free = theorem.formulas
                known["drop"] = drop.at(known)
                assert (known["drop"], free.at(known)) == (exact.drop[k - 1], exact.free[k - 1])
                before = {"before": known["drop"], "free_before": exact.free[k - 1]}


def test_the_balance_of_the_buffer_holds_at_every_drop() -> None:
    """Theorem 3, corrected: what the buffer holds when port k meets the threshold is B, at the exact answers."""
    balance = dt.theorem3_corrected.expressions["B"]
    at = {symbol.name: symbol.sympy for symbol in dt.theorem3_corrected.symbols}
    for values, exact in points(dt.theorem3_corrected, 3):
        R = [sympy.Rational(rate) for rate in values["R"]]
        t = [sympy.Rational(time) for time in exact.drop]
        alpha, C, B = (sympy.Rational(values[name]) for name in ("alpha", "C", "B"))
        for k in range(1, len(R) + 1):
            placed_ = (
                balance.subs({at["k"]: k, at["G_k"].func(k): sum(r - C for r in R[k - 1 :])}).subs(at["k"], k).doit()
            )
            numbers = {at["R_k"].func(j): R[j - 1] for j in range(1, k + 1)} | {
                at["drop"].func(j): t[j - 1] for j in range(1, k + 1)
            }
            numbers |= {
                at["alpha"]: alpha,
                at["C"]: C,
                at["N"]: values["N"],
                at["free_0"]: B / (1 + alpha * values["N"]),
            }
            numbers |= {at["G_k"].func(k): sum(r - C for r in R[k - 1 :])}
            assert placed_.subs(numbers) == B


SWITCH = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
GIVEN = {"alpha": 1, "B": "1 MB", "C": "1 Gbps", "M": 1, "N": 2, "R": "2 Gbps"}


def test_one_question_in_every_form() -> None:
    asked = dt.theorem1.evaluate(SWITCH, alpha=1, steady=2, bursts=1, burst_rate="2 Gbps")
    named = dt.theorem1.evaluate(SWITCH, alpha=1, N=2, M=1, R="2 Gbps")
    assert (named.first_drop, named.free_buffer, named.case) == (asked.time, asked.free_buffer, 0)
    assert dt.theorem1.evaluate(**GIVEN) == named
    x = sympy.Symbol("x", positive=True)
    assert dt.theorem1.evaluate(**{**GIVEN, "alpha": x}).free_buffer == 10**6 / (1 + 3 * x)
    with pytest.raises(AttributeError):
        named.colour  # noqa: B018 - reading it is the test
    with pytest.raises(InputError, match="bursts"):
        edt.theorem5.evaluate(edt.Bursts(Fraction(1), Fraction(9), Fraction(1), 5, 0, Fraction(2)))


def test_symbols_decide_what_they_can_and_leave_the_rest_open() -> None:
    R = sympy.Symbol("R", positive=True)
    open_ = dt.theorem1.evaluate(**{**GIVEN, "R": R})
    assert open_.case is None
    assert open_.hypotheses == (R > 125_000_000,)
    assert isinstance(open_.first_drop, sympy.Piecewise)
    with pytest.raises(InputError, match="R > C") as error:
        dt.theorem1.evaluate(**{**GIVEN, "R": 1, "alpha": R})
    assert error.value.field == "R"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"alpha": sympy.Symbol("x")}, "alpha"), ({"alpha": sympy.Symbol("x", nonnegative=True)}, "alpha"),
        ({"N": sympy.Symbol("x", positive=True)}, "N"), ({"alpha": sympy.sqrt(2)}, "alpha"),
        ({"alpha": sympy.Float(0.5)}, "alpha"), ({"alpha": 0}, "alpha"), ({"M": 0}, "M"), ({"N": "1/2"}, "N"),
        ({"alpha": np.array([1, "x"], dtype=object)}, "alpha"), ({"alpha": np.array([True])}, "alpha"),
        ({"alpha": np.array([1j])}, "alpha"), ({"alpha": np.ones(1, dtype=np.longdouble)}, "alpha"),
        ({"B": np.array([2**62])}, "B"), ({"B": np.array([-(2**63)])}, "B"),
        ({"alpha": np.ones(2), "R": np.ones(3)}, "shapes"),
        ({"colour": 1}, "colour"), ({"first_drop": 1}, "first_drop"),
        ({"R": "1 Gbps"}, "R"), ({"M": 15, "P": 16}, "M"),
    ],
)  # fmt: skip
def test_bad_values_are_named(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as error:
        dt.theorem1.evaluate(**{**GIVEN, **changes})
    assert error.value.field == field


@every
def test_every_statement_names_what_it_cannot_take(statement: Statement) -> None:
    """A symbol of either sign, an array of objects, whole numbers beyond 2**53, shapes that do not broadcast."""
    ((values, _),) = points(statement, 1)
    symbols = [symbol for symbol in statement.symbols if symbol.name in values]
    bad = (sympy.Symbol("x"), sympy.Symbol("x", real=True), sympy.I, np.array([1, None]), np.array([2**62]),
           np.array([True]), np.array(["1"]), np.array([1j]), None, True, float("nan"), {}, "x")  # fmt: skip
    for symbol in symbols:
        for value in bad:
            listed = [value] if symbol.many and not isinstance(value, np.ndarray) else value
            with pytest.raises(InputError) as error:
                statement.evaluate(**{**values, symbol.name: listed})
            assert error.value.field in (symbol.name, f"{symbol.name}[0]")
        masked = np.ma.array([[1.0]] if symbol.many else [1.0], mask=[[True]] if symbol.many else [True])
        assert not statement.evaluate(**{**values, symbol.name: masked}).valid.any()
    if len(values) > 1:
        ill = {
            name: np.ones((2 + place, 2) if isinstance(v, list) else 2 + place)
            for place, (name, v) in enumerate(values.items())
        }
        with pytest.raises(InputError) as error:
            statement.evaluate(**ill)
        assert error.value.field == "shapes"


@every
def test_whole_numbers_of_64_bits_do_not_wrap(statement: Statement) -> None:
    """NumPy's whole numbers, of which a product has more than 64 bits, are read as Python's."""
    ((values, _),) = points(statement, 1)
    sizes = {symbol.name for symbol in statement.symbols if symbol.domain in ("positive", "nonnegative", "real")}

    def large(make: Callable[[int], Any]) -> Any:
        grown = {
            name: [make((int(x) + 1) * 10**16) for x in v] if isinstance(v, list) else make((int(v) + 1) * 10**16)
            for name, v in values.items()
            if name in sizes
        }
        found = refusal(statement.evaluate, **{**values, **grown})
        return found.field if found else statement.evaluate(**{**values, **grown})

    assert large(np.int64) == large(int)


def test_a_missing_value_and_a_statement_of_words_are_named() -> None:
    with pytest.raises(InputError) as error:
        dt.theorem1.evaluate(**{name: value for name, value in GIVEN.items() if name not in ("M", "B")})
    assert error.value.field == "B"
    with pytest.raises(InputError) as error:
        Statement("x.y", "Words", bibtex="@misc{here}").evaluate(alpha=1)
    assert error.value.field == "evaluate"
    with pytest.raises(InputError, match=r"R\[1\]"):
        dt.theorem2.evaluate(alpha=1, B=12, C=1, N=1, R=[2, sympy.Symbol("x")])
    with pytest.raises(InputError, match="list"):
        dt.theorem2.evaluate(alpha=1, B=12, C=1, N=1, R=[])
    with pytest.raises(InputError, match="last axis"):
        dt.theorem2.evaluate(alpha=np.ones(2), B=12, C=1, N=1, R=np.ones((2, 0)))


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


def test_large_arrays_are_computed_in_chunks_and_say_the_same() -> None:
    rng = np.random.default_rng(1)
    R = rng.uniform(1e8, 9e8, size=(7, 5001))
    whole = dt.theorem1.evaluate(**{**GIVEN, "R": R, "alpha": np.linspace(0.1, 3, 5001)})
    rows = [dt.theorem1.evaluate(**{**GIVEN, "R": row, "alpha": np.linspace(0.1, 3, 5001)}) for row in R]
    for name in whole:
        assert np.array_equal(whole[name], np.stack([row[name] for row in rows]), equal_nan=True)
    assert np.array_equal(whole.valid, np.stack([row.valid for row in rows]))


def test_the_error_bound_covers_rounding_on_numbers_that_floats_do_not_hold() -> None:
    rng = random.Random(4)
    for _ in range(200):
        alpha, R = Fraction(rng.randint(1, 60), 7), Fraction(rng.randint(4, 90), 3)
        exact = dt.theorem1.evaluate(alpha=alpha, B="1/3", C=1, M=2, N=3, R=R)
        answer = dt.theorem1.evaluate(alpha=np.full(1, float(alpha)), B="1/3", C=1, M=2, N=3, R=np.full(1, float(R)))
        again = dt.theorem1.evaluate(alpha=Fraction(float(alpha)), B="1/3", C=1, M=2, N=3, R=Fraction(float(R)))
        if exact.case == again.case:
            assert abs(Fraction(answer.first_drop[0]) - again.first_drop) <= Fraction(answer.errors()["first_drop"][0])


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
    with pytest.raises(InputError, match="in steps"):
        losspass_statements.BURST_IN_PACKETS.solve_for("B", packets=3, B_l=1, Q_s=1, m=1, v=2, s=2)
    assert losspass_statements.LINE_RATE.solve_for("beta", K=6, D=8, N=2, a=1) == (Fraction(1, 2),)
    capped = l2bm_statements.reserve_first_drop.solve_for("c", first_drop=3, r=4, alpha=1, F_0=9, growth=2, fall=1)
    assert capped == (Fraction(2),)
    second = edt_statements.second_timer.solve_for("R_min", d="8 ms", B="1 MB", C="1 Gbps", d_mb="1 ms")
    assert second == (Fraction(250_000_000),)
    for unknown, values, field in (
        ("R", {"first_drop": 1}, "alpha"), ("colour", {"first_drop": 1}, "symbol"), ("R", {}, "values"),
        ("P", {"first_drop": 1}, "unknown") if False else ("d_k", {"first_drop": 1}, "unknown"),
    ):  # fmt: skip
        with pytest.raises(InputError) as error:
            dt.theorem1.solve_for(unknown, **values)
        assert error.value.field == field


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
        if statement.id == "losspass.ours.burst-in-packets" or as_list(result)[last] <= 0:
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
    assert dt.theorem1.solve_for("R", free_buffer=2, **given) == (sympy.Interval.Lopen(1, 4),)
    assert dt.theorem1.solve_for("R", free_buffer=3, **given) == ()
    assert edt_statements.second_timer.solve_for("d_mb", d=8, B=8, C=1, R_min=2) == (sympy.Interval.Lopen(0, 8),)


def _at(statement: Statement, **values: Any) -> dict[Any, Any]:
    return {symbol.sympy: values[symbol.name] for symbol in statement.symbols if symbol.name in values}


def test_sensitivities_have_units_and_agree_with_difference_quotients() -> None:
    assert dt.theorem1.sensitivity("first_drop", "alpha").unit == "s"
    assert dt.theorem1.sensitivity("first_drop", "R").unit == "s/(bytes/s)"
    assert dt.theorem1.sensitivity("free_buffer", "B").unit == ""
    assert dt.theorem1.sensitivity("free_buffer", "N").unit == "bytes"
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


def test_limits_take_the_case_that_applies_there() -> None:
    others = {name: value for name, value in GIVEN.items() if name != "alpha"}
    assert dt.theorem1.limit("free_buffer", "alpha", 0, **others) == 10**6
    assert dt.theorem1.limit("free_buffer", "alpha", sympy.oo, **others) == 0
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


def test_the_answers_are_of_their_types() -> None:
    """What one may call on an answer is what its type says."""
    assert isinstance(dt.theorem1.conclusions, Conclusions)
    assert isinstance(dt.theorem1.evaluate(**GIVEN), Evaluated)
    assert isinstance(dt.theorem1.sensitivity("first_drop", "alpha", **GIVEN), Sensitivity)


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


def test_lambdified_theorems_plot() -> None:
    function = dt.theorem1.lambdify()
    R = np.array([2.0e8, 2.5e8, 6.0e8])
    answer = dt.theorem1.evaluate(**{**GIVEN, "R": R})
    assert np.allclose(function(alpha=1, B=1e6, C=1.25e8, M=1, N=2, R=R), answer.first_drop, rtol=1e-14)
    assert np.allclose(
        dt.theorem1.lambdify("free_buffer")(alpha=1, B=1e6, C=1.25e8, M=1, N=2, R=R), answer.free_buffer, rtol=1e-14
    )
    assert edt.theorem4.lambdify("free_1")(alpha=1, B=12.0, C=1.0, M=1, N=1, A_t1=6.0, t_1=2.0) == 4
    with pytest.raises(InputError, match="alpha"):
        function(B=1)


@pytest.mark.parametrize(
    "rates", [["2 Gbps"] * 2, ["8 Gbps"] * 2, ["4 Gbps", "3 Gbps"], ["1.5 Gbps"] * 2, ["9 Gbps", "2 Gbps"]]
)
def test_a_run_obeys_the_theorems_that_speak_of_it(rates: list[str]) -> None:
    steady = Arrivals.constant("9 Gbps")
    arrivals = {0: steady, **{k: Arrivals.constant(rate) for k, rate in enumerate(rates, 1)}}
    run = simulate(SWITCH, DT(alpha=1), arrivals, initial={0: "steady"}, until="90 ms")
    assert dt.theorem3_corrected.check(run)
    if len(set(rates)) == 1:
        assert dt.theorem1.check(run)
        assert dt.theorem1_corrected.check(run)
    else:
        with pytest.raises(InputError, match="one rate"):
            dt.theorem1.check(run)


class Late:
    """A run that says that every queue dropped a second later, or not at all, and held a byte more in the end."""

    def __init__(self, run: Any, *, never: bool = False) -> None:
        self.run, self.never = run, never

    def __getattr__(self, name: str) -> Any:
        return getattr(self.run, name)

    def first_drop(self, index: int) -> Fraction | None:
        drop = self.run.first_drop(index)
        return None if drop is None or self.never else Fraction(drop + 1)

    def queue(self, index: int) -> Any:
        return Longer(self.run.queue(index))

    def drained(self, index: int) -> Fraction:
        return Fraction(self.run.drained(index) + 1)


class Longer:
    def __init__(self, queue: Any) -> None:
        self.breakpoints, self.real = queue.breakpoints, queue

    def at(self, time: Fraction) -> Fraction:
        return Fraction(self.real.at(time) + (self.real.at(time) > 0))


def runs_that_obey() -> dict[str, tuple[Any, tuple[Statement, ...]]]:
    """Small runs of the exact engine, and the statements that speak of each."""
    switch, busy = Switch(8, 12, 1), Arrivals.constant
    fast = simulate(
        switch, DT(alpha=1), {0: busy(3), 1: busy(13), 2: busy(3), 3: busy(2)}, initial={0: "steady"}, until=40
    )
    rising = Arrivals([(0, 2), (1, 5), (2, 2), (8, 0)])
    phases = simulate(Switch(8, 6, 1), DT(alpha=1), {0: busy(9), 1: rising}, initial={0: "steady"}, until=9)
    short = Arrivals([(0, "3/2"), (1, 0)])
    spared = simulate(switch, DT(alpha=1), {0: busy(9), 1: short, 2: short}, initial={0: "steady"}, until=9)
    weights = Weighted([1, 2, "1/2", 1])
    settled = simulate(switch, weights, {0: busy(3), 1: busy(4), 2: busy(2), 3: busy("1/2")}, until=200)
    begun, begun_1 = {0: "steady", 1: "steady"}, {1: "steady"}
    weighed = simulate(switch, weights, {0: busy(9), 1: busy(9), 2: busy(4), 3: busy(9)}, initial=begun, until=9)
    limits = [QueueLimits(1, reserved=2, cap=2), QueueLimits(1), QueueLimits("1/2", reserved=1, cap=50)]
    pool = simulate(Switch(3, 12, 1), SharedPools(limits), {0: busy(3), 1: busy(4), 2: busy(2)}, until=400)
    varying = edt_statements.varying_rates
    crowd = simulate(Switch(3, 12, 1), DT(alpha=1), dict.fromkeys(range(3), busy(2)), initial={0: "steady"}, until=40)
    freed = simulate(
        switch, EDT(alpha=2, cn2=1), dict.fromkeys(range(4), busy(2)), initial={0: "steady", 1: "steady"}, until=40
    )
    alone = simulate(switch, EDT(alpha=1, cn2="1/2"), {0: busy(2)}, until=40)
    static = simulate(switch, StaticPartition([5, 4, 3]), {0: busy(3), 1: busy(2), 2: busy("1/2")}, until=40)
    spare = [QueueLimits(1, reserved=2), QueueLimits(1, reserved=1), QueueLimits("1/2")]
    reserve = simulate(
        Switch(3, 12, 1), SharedPools(spare), {0: busy(3), 1: busy(9), 2: busy(0)}, initial=begun_1, until=40
    )
    tight = [QueueLimits(1, reserved=2, cap=1), QueueLimits(1, reserved=1)]
    capped = simulate(Switch(3, 12, 1), SharedPools(tight), {0: busy(3), 1: busy(9)}, initial=begun_1, until=40)
    return {
        "crowd": (crowd, (edt_statements.counting_rule, edt_statements.slow_rate, edt_statements.first_timer)),
        "freed": (freed, (edt.theorem5, edt.theorem5_corrected)),
        "alone": (alone, (edt_statements.second_timer,)),
        "static": (static, (dynaq_statements.pql, dynaq_statements.rate_of_a_queue)),
        "reserve": (reserve, (l2bm_statements.reserve_first_drop,)),
        "capped": (capped, (l2bm_statements.reserve_first_drop,)),
        "fast": (
            fast,
            (dt.theorem3, dt.theorem3_corrected, varying, l2bm_statements.ingress_threshold),
        ),
        "phases": (phases, (edt.theorem4, edt.theorem4_corrected, varying)),
        "spared": (spared, (edt.theorem4_corrected, varying)),
        "settled": (settled, (l2bm_statements.steady_thresholds,)),
        "weighed": (weighed, (l2bm_statements.first_drop_under_weights,)),
        "pool": (pool, (l2bm_statements.pool_steady,)),
    }


@pytest.mark.parametrize(
    "name",
    ["fast", "phases", "spared", "settled", "weighed", "pool", "crowd", "freed", "alone", "static", "reserve",
     "capped"],
)  # fmt: skip
def test_statements_about_the_fluid_model_check_runs(name: str) -> None:
    run, told = runs_that_obey()[name]
    assert told
    for statement in told:
        assert statement.check(run), statement.id
        assert not (name != "spared" and statement.check(Late(run))), statement.id
    if name in ("phases", "fast"):
        assert not edt_statements.varying_rates.check(Late(run, never=True))


def test_statements_about_other_things_than_fluid_runs_say_so() -> None:
    told = {statement.id for _, each in runs_that_obey().values() for statement in each}
    told |= {s.id for s in (dt.theorem1, dt.theorem1_corrected, dt.theorem2, dt.theorem2_corrected)}
    assert {name for name, statement in ALL.items() if statement.observe} == told
    run = runs_that_obey()["phases"][0]
    for name, statement in ALL.items():
        assert bool(statement.observe) != bool(statement.no_run), name
        if statement.no_run:
            with pytest.raises(InputError) as error:
                statement.check(run)
            assert statement.no_run in str(error.value)


def test_a_run_is_refused_by_name_where_a_statement_does_not_speak_of_it() -> None:
    runs, switch, busy = runs_that_obey(), Switch(8, 12, 1), Arrivals.constant
    weights = Weighted([1, 2])
    several = {0: Arrivals([(0, 2), (1, 3)]), 1: busy(3)}
    unlike = simulate(
        switch, DT(alpha=1), {0: busy(3), 1: busy(4), 2: busy(2)}, initial={0: "steady", 1: "steady"}, until=9
    )
    two_pools = SharedPools([QueueLimits(1), QueueLimits(1)], [Pool(6, [0]), Pool(6, [1])])
    for statement, wrong, field in (
        (dt.theorem1, simulate(switch, DT(alpha=1), {0: busy(3)}, until=9, arithmetic="float"), "run"),
        (edt.theorem4_corrected, simulate(switch, DT(alpha=1), several, until=9), "run"),
        (edt.theorem4_corrected, unlike, "run"),
        (edt.theorem4, runs["spared"][0], "t3"),
        (
            edt_statements.varying_rates,
            simulate(switch, DT(alpha=1), {0: busy(3)}, initial={0: 2}, until=9),
            "queues[0].initial",
        ),
        (l2bm_statements.steady_thresholds, simulate(switch, weights, {0: busy(3), 1: busy(3)}, until=1), "run"),
        (l2bm_statements.steady_thresholds, runs["pool"][0], "run"),
        (l2bm_statements.pool_steady, runs["settled"][0], "run"),
        (l2bm_statements.pool_steady, simulate(switch, two_pools, {0: busy(3), 1: busy(3)}, until=99), "run"),
        (l2bm_statements.first_drop_under_weights, simulate(switch, weights, several, until=9), "queues[0]"),
        (
            l2bm_statements.first_drop_under_weights,
            simulate(switch, weights, {0: busy(1), 1: busy(3)}, until=9),
            "queues[0]",
        ),
        (
            l2bm_statements.first_drop_under_weights,
            simulate(switch, weights, {0: busy(3), 1: busy(3)}, until="1/9"),
            "run",
        ),
        (l2bm_statements.ingress_threshold, simulate(switch, DT(alpha=1), {0: busy(1)}, until=9), "run"),
        (l2bm_statements.reserve_first_drop, runs["pool"][0], "run"),
        (
            l2bm_statements.reserve_first_drop,
            simulate(Switch(3, 12, 1), runs["capped"][0].scenario.policy, {0: busy(3), 1: busy(0)}, until="1/2"),
            "run",
        ),
        (edt_statements.slow_rate, simulate(switch, DT(alpha=1), {0: busy(2)}, until=40), "run"),
        (edt_statements.second_timer, runs["freed"][0], "run"),
        (dynaq_statements.pql, runs["crowd"][0], "run"),
        (dynaq_statements.pql, simulate(switch, StaticPartition([5, 4, 3]), {0: busy(1)}, until=9), "run"),
        (dynaq_statements.rate_of_a_queue, simulate(switch, DT(alpha=1), {0: several[0]}, until=9), "run"),
        (dt.theorem1, simulate(switch, DT(alpha=1), {0: busy(3)}, counts={0: 2}, until=40), "queues[0]"),
    ):
        with pytest.raises(InputError) as error:
            statement.check(wrong)
        assert error.value.field == field


def test_a_run_that_is_altered_does_not_obey() -> None:
    run = simulate(SWITCH, DT(alpha=1), {0: Arrivals.constant("2 Gbps")}, until="90 ms")
    assert dt.theorem2.check(run)
    assert not dt.theorem2.check(Late(run))
    for wrong, field in (
        (simulate(SWITCH, DT(alpha=[1, 2]), dict.fromkeys(range(2), Arrivals.constant("2 Gbps")), until=1), "run"),
        (simulate(SWITCH, DT(alpha=1), {0: Arrivals([(0, "2 Gbps"), (1, 0)])}, until=2), "queues[0]"),
        (simulate(SWITCH, DT(alpha=1), {0: Arrivals.constant("2 Gbps")}, initial={0: 5}, until=2), "queues[0].initial"),
        (simulate(SWITCH, DT(alpha=1), {0: Arrivals.constant("2 Gbps")}, until="1 us"), "run"),
    ):
        with pytest.raises(InputError) as error:
            dt.theorem1.check(wrong)
        assert error.value.field == field
    busy = Arrivals.constant("2 Gbps")
    begun = {1: "steady", 2: "steady"}
    freed = simulate(SWITCH, EDT(alpha=1, cn2=12_000), dict.fromkeys(range(3), busy), initial=begun, until="20 ms")
    assert edt.theorem5_corrected.check(freed)
    assert not edt.theorem5_corrected.check(Late(freed))
    timed = simulate(
        SWITCH, EDT(alpha=1, cn2=12_000, tm2=1), dict.fromkeys(range(3), busy), initial=begun, until="20 ms"
    )
    for statement, wrong in ((edt.theorem5_corrected, run), (edt.theorem5_corrected, timed), (dt.theorem1, freed)):
        with pytest.raises(InputError, match="run under"):
            statement.check(wrong)


def test_the_closed_form_of_theorem_3_is_its_recursion_on_256_ports() -> None:
    R = [Fraction(10**6 + 20_000 * k) for k in range(256, 0, -1)]
    given = (Fraction(1, 2), Fraction(10**7), Fraction(1000), Fraction(3), R)
    closed = series.closed_drain_times(*given)
    assert closed == [time for time, _ in series.recursive_drains(*given)]
    answer = dt.theorem3.evaluate(alpha="1/2", B=10**7, C=1000, N=3, R=R)
    assert answer.drop == closed


def test_theorem_3_says_nothing_beyond_l_where_its_formula_would_divide_by_zero() -> None:
    """With k = 2 the closing rate r_2 + alpha (G_2 - (N + 1) C) is 1 + 1 - 2 = 0."""
    answer = dt.theorem3.evaluate(alpha=1, B=12, C=1, N=1, R=[9, 2])
    assert answer.drop == [Fraction(12, 2) / (8 + 9 - 1), None]
    arrays = dt.theorem3.evaluate(alpha=1, B=12, C=1, N=1, R=np.array([9.0, 2.0]))
    assert np.isnan(arrays.drop).tolist() == [False, True]


def test_the_error_of_a_ledger_without_claims_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from dtmodel import LedgerError
    from dtmodel.theory import ledger_door

    monkeypatch.setattr(ledger_door, "_WAYS", [])
    with pytest.raises(LedgerError, match="import dtmodel"):
        dt.theorem1.claim  # noqa: B018 - reading it is the test


def test_symbols_of_a_statement_are_named_once_and_all_explained() -> None:
    for statement in ALL.values():
        names = [symbol.name for symbol in statement.symbols]
        assert len(names) == len(set(names)), statement.id
        assert all(symbol.meaning for symbol in statement.symbols)
    assert dynaq.__all__
    assert dt_statements.SYMBOLS


def test_statements_about_packets_hold_on_traces() -> None:
    """What three theorems compute is what the printed algorithms keep, hold and lose on random traces."""
    rng = random.Random(5)
    for _ in range(60):
        told_by_l2bm(rng)
        told_by_losspass(rng)
        told_by_dynaq(rng)


def told_by_l2bm(rng: random.Random) -> None:
    events, due, left = list[list[Any]](), dict[int, Fraction](), list[Fraction]()
    now, last = Fraction(0), Fraction(0)
    gone: list[Fraction] = []
    for number in range(6):
        now += Fraction(rng.randint(0, 3), 2)
        if due and rng.random() < 0.5:
            name = rng.choice(list(due))
            events.append(["depart", str(now), name])
            gone, left = [*gone, due.pop(name)], [*left, now]
        else:
            size, last = rng.randint(1, 5), now
            events.append(["arrive", str(now), number, {"queue_out": size, "rate": 2}])
            due[number] = now + Fraction(size, 2)
    kept = trace({"algorithm": "l2bm", "reading": "literal", "events": events})["final"]["total"]
    told = l2bm_statements.bookkeeping.evaluate(D=[*gone, *due.values()], a=left, t_prev=last)
    assert told.t_total == Fraction(kept)


def told_by_losspass(rng: random.Random) -> None:
    kinds = [rng.choice(["small", "large", None]) for _ in range(12)]
    events = [["depart", k, "any"] if kind is None else ["arrive", k, kind, 1] for k, kind in enumerate(kinds)]
    lost, held = {}, {}
    for reading in ("intended", "droptail-2q"):
        answer = trace({"algorithm": "losspass", "reading": reading, "buffer": 3, "reserve_large": 1, "events": events})
        arrived = [kind for kind in kinds if kind]
        gone = [step["packet"] for step in answer["steps"] if step["decision"] == "drop"]
        gone += [step["victim"] for step in answer["steps"] if step["decision"] == "evict"]
        lost[reading] = [[arrived[packet] for packet in gone].count(kind) for kind in ("small", "large")]
        held[reading] = len(answer["final"]["small"]) + len(answer["final"]["large"])
    (ours, theirs), (kept, other) = lost.values(), held.values()
    told = losspass_statements.SAME_SIZE.evaluate(
        held_TD=other, small_TD=theirs[0], large_TD=theirs[1], saved=theirs[0] - ours[0]
    )
    assert [told.held_LP, told.small_LP, told.large_LP] == [kept, *ours]


def told_by_dynaq(rng: random.Random) -> None:
    events = [
        [rng.choice(["arrive", "arrive", "depart"]), None, rng.randint(1, 3), rng.randint(1, 4)] for _ in range(12)
    ]
    events = [event[:3] if event[0] == "depart" else event for event in events]
    satisfied, lengths = [Fraction(6)] * 3, [Fraction(0)] * 3
    thresholds = satisfied
    for step in trace({"algorithm": "dynaq", "buffer": 18, "weights": [1, 1, 1], "events": events})["steps"]:
        told = dynaq_statements.invariants.evaluate(T=thresholds, S=satisfied)
        thresholds = [Fraction(x) for x in step["thresholds"]]
        assert told.B == sum(thresholds) == 18
        assert all(t >= least for t, least, q in zip(thresholds, told.after, lengths, strict=True) if q)
        lengths = [Fraction(x) for x in step["queues"]]
