"""Obligations for SMT solvers: proved only if z3 and cvc5 agree, refuted only by a model that is re-evaluated.

- ``hypotheses`` are assumed, ``goal`` is proved: relations of SymPy, or their texts in SMT-LIB; there may be several
  goals.
- ``timeout`` is in seconds for each solver and question, counted in steps of the solver (`solvers.ask`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from dtmodel.base.errors import ProverError
from dtmodel.ledger.evidence import Proved
from dtmodel.ledger.provers.smtlib import Symbols, declarations, formula, logic
from dtmodel.ledger.provers.solvers import SOLVERS, Answer, ask, ask_both

_Formula = Any  # a SymPy relation or Boolean; SymPy has no types
_DENOMINATORS = (1, 2, 4, 10, 100, 10_000)


@dataclass(frozen=True)
class Proof:
    """A goal that z3 and cvc5 both derive from the hypotheses.

    - `example`: exact rationals at which every hypothesis holds: the proof is not vacuous.
    - `script`: the SMT-LIB text that both solvers found unsatisfiable.

    >>> x = sp.Symbol("x", positive=True)
    >>> prove([x > 1], x**2 > x).proved().detail
    'z3 and cvc5 derive x**2 > x'
    """

    hypotheses: tuple[str, ...]
    goal: str
    example: Mapping[str, Fraction | bool]
    script: str

    def proved(self, detail: str = "") -> Proved:
        """Return the outcome for the ledger."""
        return Proved(detail or f"z3 and cvc5 derive {self.goal}", self.example or {"(no symbols)": "true"})


def prove(hypotheses: Sequence[_Formula], goal: _Formula | Sequence[_Formula], timeout: float = 10) -> Proof:
    """Prove that the goal follows from the hypotheses, over the reals (over the integers for symbols declared so).

    The declared signs of symbols are further hypotheses. Denominators are cleared after each is shown non-zero by the
    hypotheses without denominators. Raises `ProverError` if the goal is refuted (the model is in the message) or
    undecided, or the hypotheses are contradictory.

    >>> x = sp.Symbol("x", positive=True)
    >>> prove([x > 1], x**2 > x).example["x"] > 1
    True
    """
    task = _Obligation(hypotheses, goal, timeout)
    example = task.model(task.hypotheses, "the hypotheses")
    if example is None:
        raise ProverError(f"the hypotheses are contradictory, so they prove anything: {task.shown}")
    script = task.script([*task.cleared, f"(not {task.cleared_goal})"])
    answers = ask_both(script, timeout)
    if all(answer.result == "unsat" for answer in answers.values()):
        return Proof(tuple(map(str, task.hypotheses)), str(task.goal), example, script)
    refuting = [name for name, answer in answers.items() if answer.result == "sat"]
    doubting = [name for name, answer in answers.items() if answer.result == "unsat"]
    if refuting:
        model = task.model([*task.hypotheses, sp.Not(task.goal)], "a counterexample")
        if doubting and model is None:
            raise ProverError(f"{refuting[0]} refutes the goal that {doubting[0]} proves: {task.goal}")
        raise ProverError(f"refuted: {task.goal} is false at {_shown(model or {})}")
    reasons = "; ".join(f"{name}: {answer.result} {answer.reason}" for name, answer in answers.items())
    raise ProverError(f"undecided: {task.goal} ({reasons})")


def refute(
    hypotheses: Sequence[_Formula], goal: _Formula | Sequence[_Formula], timeout: float = 10
) -> dict[str, Fraction]:
    """Find exact rationals at which the hypotheses hold and the goal does not, and evaluate both there again.

    Raises `ProverError` if none is found.

    >>> x = sp.Symbol("x", real=True)
    >>> value = refute([x >= 0], x**2 >= x)["x"]
    >>> value >= 0 and value**2 < value
    True
    """
    task = _Obligation(hypotheses, goal, timeout)
    model = task.model([*task.hypotheses, sp.Not(task.goal)], "a counterexample")
    if model is None:
        raise ProverError(f"there is no counterexample: the hypotheses imply {task.goal}")
    return model


def prove_text(
    declared: str,
    hypotheses: Sequence[str],
    goal: str,
    *,
    possible: str = "true",
    theory: str = "ALL",
    timeout: float = 10,
) -> Proof:
    """Prove an obligation written in SMT-LIB (arrays, integers, functions).

    Parameters
    ----------
    declared : str
        Declarations and definitions.
    possible : str
        The case that the goal speaks of; it must be satisfiable together with the hypotheses.
    theory : str
        The SMT-LIB logic; name the narrowest one, since cvc5 does not decide polynomials over the reals in ``ALL``.

    Raises
    ------
    ProverError
        If the goal is refuted or undecided, or one of the two solvers does not find the hypotheses satisfiable together
        with `possible`.
    """
    head = f"(set-logic {theory})\n{declared}\n"
    given = head + "\n".join(f"(assert {text})" for text in hypotheses)
    models = ask_both(f"{given}\n(assert {possible})", timeout)
    if any(answer.result != "sat" for answer in models.values()):
        said = ", ".join(f"{name}: {answer.result} {answer.reason}" for name, answer in models.items())
        raise ProverError(f"the hypotheses are not shown satisfiable ({said}): {' '.join(hypotheses)}")
    script = f"{given}\n(assert (not {goal}))"
    answers = ask_both(script, timeout)
    if any(answer.result != "unsat" for answer in answers.values()):
        said = ", ".join(f"{n}: {a.result} {a.reason} {_shown(a.model)}" for n, a in answers.items())
        raise ProverError(f"not proved: {goal} ({said})")
    return Proof(tuple(hypotheses), goal, dict(models["z3"].model), script)


class _Obligation:
    """Hypotheses and goal in bare symbols, with and without denominators."""

    def __init__(self, hypotheses: Sequence[_Formula], goal: _Formula | Sequence[_Formula], timeout: float) -> None:
        parts = list(goal) if isinstance(goal, list | tuple) else [goal]
        given = [sp.sympify(item) for item in hypotheses]
        wanted = sp.And(*map(sp.sympify, parts), evaluate=False) if len(parts) > 1 else sp.sympify(parts[0])
        symbols = Symbols([*given, wanted])
        self.symbols, self.timeout = symbols.bare, timeout
        self.hypotheses = [*symbols.assumptions, *(symbols.plain(item) for item in given)]
        self.goal = symbols.plain(wanted)
        self._nonzero: dict[sp.Basic, str] = {}
        self._known = [formula(item) for item in self.hypotheses if not _denominators(item)]
        self.cleared = [formula(self._clear(item)) for item in self.hypotheses]
        self.cleared_goal = formula(self._clear(self.goal))

    @property
    def shown(self) -> str:
        return "; ".join(map(str, self.hypotheses))

    def script(self, assertions: Sequence[str]) -> str:
        head = f"(set-logic {logic(self.symbols)})\n{declarations(self.symbols)}\n"
        return head + "\n".join(f"(assert {text})" for text in assertions)

    def model(self, relations: Sequence[sp.Basic], what: str) -> dict[str, Fraction] | None:
        """Find exact rationals at which the relations hold; None if a solver proves that there are none."""
        texts = [formula(self._clear(item)) for item in relations]
        said = []
        for name in SOLVERS:
            answer = ask(name, self.script(texts), self.timeout)
            if answer.result == "unsat":
                return None
            said.append(f"{name}: {answer.result} {answer.reason}")
            values = self._rational(name, texts, answer) if answer.result == "sat" else None
            if values is not None and self._holds(relations, values):
                return {str(symbol): values[str(symbol)] for symbol in self.symbols}
        raise ProverError(f"undecided: no exact rational model of {what} ({'; '.join(said)}): {list(relations)}")

    def _holds(self, relations: Sequence[sp.Basic], values: Mapping[str, Fraction]) -> bool:
        point = {s: sp.Rational(values[str(s)].numerator, values[str(s)].denominator) for s in self.symbols}
        return all(relation.xreplace(point).doit() == sp.true for relation in relations)

    def _rational(self, name: str, texts: Sequence[str], answer: Answer) -> dict[str, Fraction] | None:
        """Complete a model; fix an irrational value to a rational one near it, and run the solver again."""
        if not answer.other:
            return {str(s): Fraction(answer.model.get(str(s), Fraction(0))) for s in self.symbols}
        known = [(key, near) for key, near in answer.other.items() if near is not None]
        for (key, near), largest in product(known[:1], _DENOMINATORS):
            guess = near.limit_denominator(largest)
            symbol = next(s for s in self.symbols if str(s) == key)
            equation = formula(sp.Eq(symbol, sp.Rational(guess.numerator, guess.denominator), evaluate=False))
            again = ask(name, self.script([*texts, equation]), self.timeout)
            if again.result == "sat":
                return self._rational(name, [*texts, equation], again)
        return None

    def _clear(self, expression: sp.Basic) -> sp.Basic:
        """Multiply every relation by its denominators, after each is shown non-zero."""
        if not _denominators(expression):
            return expression
        if not isinstance(expression, Relational):
            return expression.func(*(self._clear(item) for item in expression.args))
        difference = expression.lhs - expression.rhs
        if difference.has(sp.Min, sp.Max, sp.Abs, sp.Piecewise, sp.floor):
            for denominator in _denominators(expression):
                self._sign(denominator)
            return expression
        numerator, denominator = sp.fraction(sp.together(difference))
        for factor, power in sp.factor_list(denominator)[1]:
            sign = self._sign(factor)
            if power % 2 and sign != ">":
                numerator *= -1 if sign == "<" else factor
        constant = sp.factor_list(denominator)[0]
        return expression.func(numerator if constant > 0 else -numerator, 0)

    def _sign(self, denominator: sp.Basic) -> str:
        """Prove the sign of a denominator, or that it is non-zero, from the hypotheses without denominators."""
        if denominator not in self._nonzero:
            for word, relation in ((">", denominator > 0), ("<", denominator < 0), ("!=", sp.Ne(denominator, 0))):
                script = self.script([*self._known, f"(not {formula(relation)})"])
                if all(answer.result == "unsat" for answer in ask_both(script, self.timeout).values()):
                    self._nonzero[denominator] = word
                    break
            else:
                raise ProverError(f"the denominator {denominator} may be zero: assume its sign, or clear it")
        return self._nonzero[denominator]


def _denominators(expression: sp.Basic) -> set[sp.Basic]:
    return {
        power.base
        for power in expression.atoms(sp.Pow)
        if power.exp.is_negative and power.base.free_symbols and power.exp.is_integer
    }


def _shown(values: Mapping[str, Fraction | bool]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())
