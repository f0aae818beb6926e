"""z3 and cvc5 agree before anything is proved, and slack certificates carry their own proof."""

import os
import threading
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from dtmodel.base.errors import ProverError
from dtmodel.ledger import EngineMissing
from dtmodel.ledger.provers import slack, smt, solvers
from dtmodel.ledger.provers.smtlib import declarations, formula, logic
from dtmodel.ledger.provers.solvers import Answer

x, y = sp.symbols("x y", real=True)
n = sp.Symbol("n", integer=True)
a = sp.Symbol("a", positive=True)


def test_a_goal_that_follows_is_proved_with_an_example() -> None:
    proof = smt.prove([x > 1, y > x], y**2 > 1)
    assert proof.example["y"] > proof.example["x"] > 1
    assert proof.proved("squares").example == proof.example


def test_declared_signs_are_hypotheses() -> None:
    assert smt.prove([y > 0], a * y > 0).example["a"] > 0
    with pytest.raises(ProverError, match="refuted"):
        smt.prove([], x * 2 > x)


def test_several_goals_are_proved_together() -> None:
    assert smt.prove([x > 1], [x > 0, x**2 > x]).goal == "(x > 0) & (x**2 > x)"


def test_whole_numbers_are_whole() -> None:
    assert smt.prove([n > 0], n >= 1).example["n"] >= 1
    assert smt.prove([n > 0, x >= n], x * n >= 1).example["n"] >= 1
    with pytest.raises(ProverError, match="refuted"):
        smt.prove([x > 0], x >= 1)


def test_denominators_are_cleared_once_their_sign_is_known() -> None:
    assert smt.prove([x > 1], 1 / (x - 1) > 0).example["x"] > 1
    assert smt.prove([x < 1], 1 / (x - 1) < 0).example["x"] < 1
    assert smt.prove([sp.Ne(x, 1)], sp.Eq((x**2 - 1) / (x - 1), x + 1)).example["x"] != 1
    assert smt.prove([x > 1, 1 / x > y], y < 1).example["x"] > 1


def test_case_distinctions_are_understood() -> None:
    cases = sp.Piecewise((x, x > y), (y, True))
    assert smt.prove([], sp.Eq(cases, sp.Max(x, y))).goal
    assert smt.prove([], [sp.Min(x, y) <= x, sp.Abs(x) >= x, sp.floor(x) <= x, sp.floor(n) >= n]).goal
    assert smt.prove([sp.Implies(x > 0, y > 0), x > 1], sp.Or(y > 0, sp.Not(x > 0))).goal
    assert smt.prove([sp.Xor(x > 0, y > 0), sp.Equivalent(x > 0, y < -1)], sp.Or(x > 0, y > 0)).goal
    assert smt.prove([sp.ITE(x > 0, y > 0, y < 0), x > 1], y > 0).goal


@pytest.mark.parametrize("term", [sp.sqrt(x), sp.sin(x), x**65, sp.Piecewise((x, x > 0), (y, x < 0))])
def test_what_a_solver_cannot_read_is_refused(term: sp.Expr) -> None:
    with pytest.raises(ProverError):
        smt.prove([x > 0], term > 0)


@pytest.mark.parametrize(
    ("ask", "hypotheses", "goal", "said"),
    [
        (smt.prove, [x >= 0], x**2 >= x, r"refuted: x\*\*2 >= x is false at x = \d+/\d+"),
        (smt.prove, [x > 1, x < 0], y > 0, "contradictory"),
        (smt.prove, [x > 0], 1 / (x - 1) > 0, "the denominator x - 1 may be zero"),
        (smt.prove, [x > 0], sp.Max(1 / y, x) >= 0, "may be zero"),
        (smt.prove, [x > 0], sp.Symbol("x", positive=True) > 1, "two symbols are called x"),
        (smt.refute, [], sp.Ne(x**2, 2), "no exact rational model"),
        (smt.refute, [x > 1], x > 0, "there is no counterexample"),
    ],
)
def test_why_nothing_is_proved_or_refuted_is_said(ask: Any, hypotheses: list[Any], goal: Any, said: str) -> None:
    with pytest.raises(ProverError, match=said):
        ask(hypotheses, goal)


def test_a_counterexample_is_exact() -> None:
    values = smt.refute([x > 0, y > 0], x * y < x + y)
    assert values["x"] > 0
    assert values["y"] > 0
    assert values["x"] * values["y"] >= values["x"] + values["y"]


def test_an_irrational_counterexample_is_moved_to_a_rational_one() -> None:
    values = smt.refute([x > 0, x**2 > 2], x**2 > 3)
    assert 2 < values["x"] ** 2 <= 3


@settings(max_examples=25)
@given(st.lists(st.fractions(-9, 9, max_denominator=9), min_size=3, max_size=3))
def test_solvers_and_arithmetic_agree_on_numbers(numbers: list[Fraction]) -> None:
    first, second, third = (sp.Rational(q.numerator, q.denominator) for q in numbers)
    goal = sp.Eq(first * x + second, third, evaluate=False)
    point = numbers[0] * numbers[1]
    fixed = [sp.Eq(x, sp.Rational(point.numerator, point.denominator))]
    if numbers[0] * point + numbers[1] == numbers[2]:
        assert smt.prove(fixed, goal).example == {"x": point}
    else:
        assert smt.refute(fixed, goal) == {"x": point}


def test_text_obligations_reach_arrays() -> None:
    declared = "(declare-const T (Array Int Int))(declare-const i Int)(declare-const j Int)"
    goal = "(= (select (store T i 5) j) (select T j))"
    assert smt.prove_text(declared, ["(not (= i j))"], goal, theory="QF_ALIA").goal == goal
    with pytest.raises(ProverError, match="not proved"):
        smt.prove_text(declared, ["(>= i j)"], goal, theory="QF_ALIA")
    with pytest.raises(ProverError, match="not shown satisfiable"):
        smt.prove_text(declared, ["(> i j)", "(< i j)"], goal, theory="QF_ALIA")


def test_malformed_text_is_undecided_and_not_proved() -> None:
    with pytest.raises(ProverError, match="not shown satisfiable"):
        smt.prove_text("(declare-const i", ["(> i 0)"], "(> i 0)")


def test_both_solvers_must_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    real = solvers.ask_both

    def one_doubts(script: str, seconds: float) -> dict[str, Answer]:
        return real(script, seconds) | {"cvc5": Answer("unknown", reason="tired")}

    monkeypatch.setattr(smt, "ask_both", one_doubts)
    with pytest.raises(ProverError, match=r"undecided: .*cvc5: unknown tired"):
        smt.prove([x > 1], x > 0)


def test_solvers_that_contradict_each_other_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"z3": Answer("unsat"), "cvc5": Answer("sat")}
    monkeypatch.setattr(smt, "ask_both", lambda *_: answers)
    with pytest.raises(ProverError, match="cvc5 refutes the goal that z3 proves"):
        smt.prove([x > 1], x > 0)


def test_a_solver_that_hangs_is_killed_and_started_again() -> None:
    variables = " ".join(f"(declare-const v{i} Int)" for i in range(6))
    powers = " ".join(f"(* v{i} v{i} v{i} v{i} v{i})" for i in range(5))
    hard = f"(set-logic QF_NIA){variables}(assert (= (+ {powers}) (+ 7 (* v5 v5 v5 v5 v5))))(assert (> v0 99))"
    assert solvers.ask("cvc5", hard, 0.2).result == "unknown"
    assert solvers.ask("cvc5", "(set-logic QF_LRA)(assert true)", 5).result == "sat"


def test_an_interrupted_question_does_not_answer_the_next_one() -> None:
    solvers._solver("z3").send("(assert false)", 5)
    assert solvers.ask("z3", "(assert true)", 5).result == "sat"


def test_what_a_solver_has_decided_is_not_asked_again_and_what_it_has_not_is() -> None:
    solver = solvers._solver("z3")
    for text, result, asked in (("(declare-const once Real)(assert (> once 1))", "sat", 1), (HARD, "unknown", 3)):
        before = solver._number
        assert [solvers.ask("z3", text, 0.1).result for _ in range(asked)] == [result] * asked
        again = solvers.ask("z3", text, 0.1)
        assert (again.result, solver._number - before) == (result, 1 if result == "sat" else asked + 1)
        solvers.ask("z3", text, 0.2)  # other steps, another question
        assert solver._number - before == (2 if result == "sat" else asked + 2)


def test_a_missing_solver_is_named() -> None:
    with pytest.raises(EngineMissing, match="nothere is not installed"):
        solvers.ask("nothere", "", 1)


def test_smtlib_text_is_sorted_and_typed() -> None:
    assert formula(sp.Eq(n + 1, x / 2)) == "(= (to_real (+ 1 n)) (* (/ 1.0 2.0) x))"
    assert formula(sp.Le(-3, n)) == "(<= (- 3) n)" or formula(sp.Le(-3, n)) == "(>= n (- 3))"
    assert declarations([sp.Symbol("and", real=True), n]) == "(declare-const |and| Real)\n(declare-const n Int)"
    assert [logic(s) for s in ([x], [n], [x, n], [])] == ["QF_NRA", "QF_NIA", "QF_NIRA", "QF_NRA"]


R, C = sp.symbols("R C", real=True)
r, c = sp.symbols("r c", nonnegative=True)
p = sp.Symbol("p", positive=True)


def test_a_certificate_shows_an_inequality() -> None:
    found = slack.certificate(R**2 - C**2, {R: c + r, C: c})
    assert found.numerator.as_expr() == 2 * c * r + r**2
    assert found.example == {"R": 2, "C": 1}
    assert found.proved().certificate is not None


def test_a_ratio_has_a_certificate_for_both_parts() -> None:
    found = slack.certificate(R / (1 + C) - 1, {R: 1 + p + r, C: p})
    assert (found.numerator.as_expr(), found.denominator.as_expr()) == (r, p + 1)


def test_a_negative_coefficient_is_no_certificate() -> None:
    with pytest.raises(ProverError, match="the coefficient of c is -1"):
        slack.certificate(R - 2 * C, {R: c + r, C: c})


def test_a_strict_certificate_needs_a_positive_term() -> None:
    assert slack.certificate(R - C, {R: c + p, C: c}, strict=True).strict
    with pytest.raises(ProverError, match="no term of r is positive"):
        slack.certificate(R - C, {R: c + r, C: c}, strict=True)


@pytest.mark.parametrize(
    ("expression", "said"), [(R - c, "R: write it in slacks"), (sp.sqrt(c), "is not a polynomial"), (1 / c, "no term")]
)
def test_what_cannot_be_certified_is_refused(expression: sp.Expr, said: str) -> None:
    with pytest.raises(ProverError, match=said):
        slack.certificate(expression, {C: c})


def test_a_negative_symbol_is_no_slack() -> None:
    with pytest.raises(ProverError, match="declared negative"):
        slack.certificate(R, {R: sp.Symbol("m", negative=True) ** 2})


def test_a_symbol_that_cancels_is_part_of_the_example() -> None:
    a, b = sp.symbols("a b", positive=True)
    assert slack.certificate(a + b - b, {}, strict=True).example == {"a": 1}
    assert slack.certificate((a * b + b) / b, {}).example == {"a": 1, "b": 1}


HARD = (  # a sum of three cubes that nobody knows
    "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(declare-const z Int)"
    "(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))(assert (> (* x x) 1000))"
)


@pytest.mark.parametrize("name", solvers.SOLVERS)
def test_a_solver_gives_up_after_so_many_steps_on_every_machine(name: str) -> None:
    told = [solvers.ask(name, HARD, 0.1) for _ in range(2)]
    steps = int(0.1 * solvers.STEPS[name])
    assert [answer.result for answer in told] == ["unknown", "unknown"]
    assert {answer.reason for answer in told} == {
        f"undecided after {steps:,} steps of the solver, its limit on every machine"
    }
    assert solvers.ask(name, "(set-logic QF_LRA)(declare-const x Real)(assert (> x 1))", 0.1).result == "sat"


def test_the_clock_is_only_the_backstop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "STEPS", {"z3": 10**9, "cvc5": 10**9})
    for name in solvers.SOLVERS:
        answer = solvers.ask(name, HARD, 0.1)
        assert answer.result == "unknown"
        assert "steps" not in answer.reason


def test_a_solver_that_is_undecided_is_asked_again_without_the_questions_before() -> None:
    hard = """(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(declare-const z Int)
    (assert (= (+ (* x x x) (* y y y) (* z z z)) 42))(assert (> x 1000))(assert (< y (- 1000)))"""
    assert solvers.ask_both("(set-logic QF_LRA)(declare-const a Real)(assert (> a 0))", 1)["z3"].result == "sat"
    before = {name: solvers._solver(name)._process for name in solvers.SOLVERS}
    assert {answer.result for answer in solvers.ask_both(hard, 0.1).values()} == {"unknown"}
    for name in solvers.SOLVERS:
        assert solvers._solver(name)._process is not before[name]
        assert solvers._solver(name).first


def test_a_fork_has_solvers_of_its_own_and_no_thread_prevents_it() -> None:
    """A ledger with many claims is as fast as its workers start: forks, as long as no thread of Python is left."""
    script = "(set-logic QF_LRA)(declare-const fork Real)(assert (> fork {}))"
    threads = threading.active_count()
    assert solvers.ask("z3", script.format(0), 1).result == "sat"
    assert threading.active_count() == threads
    before = solvers._solver("z3")._process
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        try:
            answer = solvers.ask("z3", script.format(1), 1)
            own = solvers._solver("z3")._process is not before
            os.write(writer, b"own" if own and answer.result == "sat" else b"shared")
            solvers._solver("z3").stop()
        finally:
            os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader, "rb") as stream:
        assert stream.read() == b"own"
    assert solvers.ask("z3", script.format(2), 1).result == "sat"
    assert solvers._solver("z3")._process is before
