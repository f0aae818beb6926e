"""Every statement of the registry is mathematics that computes: its routes agree, its formulas are the documents'."""

import random
import re
from dataclasses import replace
from fractions import Fraction
from inspect import signature
from typing import Any

import numpy as np
import pytest
import sympy
from statement_formulas import FORMULAS, SEQUENCES
from statement_points import ALL, as_list, drawn, every, in_floats, placed, points, refusal
from theory_walk import statements as walked

from dtmodel import InputError, claims
from dtmodel.theorems.data import parameter_names
from dtmodel.theorems.statement import Statement
from dtmodel.theory import dt, dynaq, statements
from dtmodel.theory.dt import series
from dtmodel.theory.dt import statements as dt_statements


def test_the_registry_has_every_statement_of_every_module() -> None:
    assert len(ALL) == len(statements()) == 62
    assert {paper: len(statements(paper)) for paper in ("edt", "losspass", "dynaq", "l2bm")} == {
        "edt": 20, "losspass": 14, "dynaq": 15, "l2bm": 13,
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
    assert "<math" in html
    assert statement.id in text
    assert (latex.count("$"), latex.count("{")) == (4, latex.count("}"))
    assert statement.latex() in latex
    assert len(statement.cases) == len(statement.branches)
    for branch in statement.branches:
        for formula in branch.formulas:
            assert any(re.search(rf"\b{formula.of}>", words) for words in branch.says), formula.of
    assumed = (words for words in statement.assumes if isinstance(words, str))
    said = (*assumed, *statement.says, *(w for b in statement.branches for w in b.says))
    shown = " ".join((*said, *(symbol.meaning for symbol in statement.symbols)))
    for formula in (*statement.formulas, *statement.notes):
        named = re.search(rf"\b{formula.of}>", shown)
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
    statement = replace(statement, beyond=None)
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
    optional = {symbol.name for symbol in statement.symbols if symbol.optional}
    conditions = [c for c in statement.conditions if not optional & set(parameter_names(c))]
    assert bool(refused) == bool(conditions), (refused, conditions)


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
                if exact.first_drop[k - 1] is None:
                    break
                known = {**values, **before, "k": k, "R_k": rate, "G_k": G[k - 1]}
                drop, free = theorem.formulas
                known["first_drop"] = drop.at(known)
                assert (known["first_drop"], free.at(known)) == (
                    exact.first_drop[k - 1],
                    exact.free_at_first_drop[k - 1],
                )
                before = {"before": known["first_drop"], "free_before": exact.free_at_first_drop[k - 1]}


def test_the_balance_of_the_buffer_holds_at_every_drop() -> None:
    """Theorem 3, corrected: what the buffer holds when port k meets the threshold is B, at the exact answers."""
    balance = dt.theorem3_corrected.expressions["B"]
    at = {symbol.name: symbol.sympy for symbol in dt.theorem3_corrected.symbols}
    for values, exact in points(dt.theorem3_corrected, 3):
        R = [sympy.Rational(rate) for rate in values["R"]]
        t = [sympy.Rational(time) for time in exact.first_drop]
        alpha, C, B = (sympy.Rational(values[name]) for name in ("alpha", "C", "B"))
        for k in range(1, len(R) + 1):
            placed_ = (
                balance.subs({at["k"]: k, at["G_k"].func(k): sum(r - C for r in R[k - 1 :])}).subs(at["k"], k).doit()
            )
            numbers = {at["R_k"].func(j): R[j - 1] for j in range(1, k + 1)} | {
                at["first_drop"].func(j): t[j - 1] for j in range(1, k + 1)
            }
            numbers |= {
                at["alpha"]: alpha,
                at["C"]: C,
                at["N"]: values["N"],
                at["free_0"]: B / (1 + alpha * values["N"]),
            }
            numbers |= {at["G_k"].func(k): sum(r - C for r in R[k - 1 :])}
            assert placed_.subs(numbers) == B


def test_the_closed_form_of_theorem_3_is_its_recursion_on_256_ports() -> None:
    R = [Fraction(10**6 + 20_000 * k) for k in range(256, 0, -1)]
    given = (Fraction(1, 2), Fraction(10**7), Fraction(1000), Fraction(3), R)
    closed = series.closed_drain_times(*given)
    assert closed == [time for time, _ in series.recursive_drains(*given)]
    answer = dt.theorem3.evaluate(alpha="1/2", B=10**7, C=1000, N=3, R=R)
    assert answer.first_drop == closed


def test_theorem_3_says_nothing_beyond_l_where_its_formula_would_divide_by_zero() -> None:
    """With k = 2 the closing rate r_2 + alpha (G_2 - (N + 1) C) is 1 + 1 - 2 = 0."""
    answer = dt.theorem3.evaluate(alpha=1, B=12, C=1, N=1, R=[9, 2])
    assert answer.first_drop == [Fraction(12, 2) / (8 + 9 - 1), None]
    arrays = dt.theorem3.evaluate(alpha=1, B=12, C=1, N=1, R=np.array([9.0, 2.0]))
    assert np.isnan(arrays.first_drop).tolist() == [False, True]


def test_the_error_of_a_ledger_without_claims_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from dtmodel import LedgerError
    from dtmodel.theorems import ledger_door

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
