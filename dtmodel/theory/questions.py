"""Questions about a statement: for which values, how sensitive, in the limit, as a function of arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from dtmodel.errors import InputError
from dtmodel.theory import evaluation
from dtmodel.theory.quantities import Symbol

if TYPE_CHECKING:
    from dtmodel.theory.statement import Statement

__all__ = ["Sensitivity", "lambdified", "limit_of", "sensitivity", "solutions"]


@dataclass(frozen=True)
class Sensitivity:
    """A derivative: its value, an exact number or an expression, and its unit."""

    value: Any
    unit: str


def lambdified(statement: Statement, result: str) -> Callable[..., Any]:
    """Return a NumPy function of keywords that computes a result."""
    name = result or next(iter(statement.results), "")
    expression = _expression(statement, name)
    known = {symbol.name: symbol.sympy for symbol in statement.symbols}
    used = [key for key, symbol in known.items() if expression.has(symbol)]
    letters = {known[key]: sympy.Symbol(key) for key in used}
    compiled = sympy.lambdify(list(letters.values()), expression.xreplace(letters), "numpy")

    def function(**values: Any) -> Any:
        for key in used:
            if key not in values:
                raise InputError(key, "nothing", f"a value; {name} depends on {', '.join(used)}")
        with np.errstate(all="ignore"):  # every case is computed, also where it does not apply
            return compiled(*(values[key] for key in used))

    return function


def solutions(statement: Statement, unknown: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
    """Solve ``result = value`` for a symbol, case by case."""
    asked = [name for name in values if name in statement.results]
    if len(asked) != 1:
        raise InputError(
            "values", ", ".join(asked) or "no result", f"one of the results: {', '.join(statement.results)}"
        )
    (name,) = asked
    symbol = _symbol(statement, unknown)
    if unknown not in statement.inputs or symbol.many:
        raise InputError("unknown", unknown, f"one of {', '.join(statement.inputs)}, a single number")
    target = _rational(_symbol(statement, name), values[name])
    others = {key: value for key, value in values.items() if key != name}
    at = _placed(statement, others, unknown)
    found: set[Any] = set()
    for branch in statement.shown:
        formula = next((formula for formula in branch.formulas if formula.of == name), None)
        if formula is not None:
            tests = [
                *evaluation.known(statement, {**others, unknown: None}),
                *([branch.condition] if callable(branch.condition) else []),
            ]
            earlier = _earlier(statement, branch)
            for root in _roots(formula.at(at) - target, symbol.sympy, unknown):
                point = {**at, unknown: root}
                fits = _takes(symbol, root) and all(bool(evaluation.at(test, point)) for test in tests)
                if fits and not any(bool(evaluation.at(test, point)) for test in earlier):
                    found.add(root)
    ordered = sorted(found)
    return tuple(Fraction(int(x.p), int(x.q)) if x.is_Rational else x for x in ordered)


def _earlier(statement: Statement, branch: Any) -> list[Any]:
    before = statement.shown[: statement.shown.index(branch)]
    return [other.condition for other in before if callable(other.condition)]


def _roots(difference: Any, symbol: Any, unknown: str) -> Iterator[Any]:
    """Yield the real roots of a piecewise rational function, each an exact number."""
    pieces = sympy.piecewise_fold(sympy.sympify(difference).rewrite(sympy.Piecewise))
    each = [(value, condition) for value, condition in pieces.args] if pieces.is_Piecewise else [(pieces, sympy.true)]
    for value, condition in each:
        over, under = sympy.fraction(sympy.together(value))
        if not over.is_polynomial(symbol) or not under.is_polynomial(symbol):
            raise InputError("unknown", unknown, "a symbol in which the equation is one between polynomials")
        if not over.has(symbol):
            continue
        for root in sympy.real_roots(sympy.Poly(over, symbol)):
            here = condition.subs(symbol, root)
            if under.subs(symbol, root) != 0 and bool(here):
                yield root


def _takes(symbol: Symbol, root: Any) -> bool:
    if symbol.domain in ("positive", "number") and not root > 0:
        return False
    if symbol.domain != "real" and not root >= 0:
        return False
    if symbol.domain in ("count", "number") and not root.is_integer:
        return False
    return symbol.domain != "share" or bool(root <= 1)


def sensitivity(statement: Statement, result: str, to: str, values: Mapping[str, Any]) -> Sensitivity:
    """Differentiate a result by a symbol."""
    over, under = _symbol(statement, result), _symbol(statement, to)
    unit = _quotient(over.unit, under.unit)
    expression = _expression(statement, result)
    if not values:
        return Sensitivity(expression.diff(under.sympy), unit)
    at = _placed(statement, values)
    point = {s.sympy: at[s.name] for s in statement.symbols if s.name in at}
    evaluation.evaluate(statement, values)
    slopes = {_at(value.diff(under.sympy), point) for value in _meeting(statement, result, point)}
    if len(slopes) > 1:
        raise InputError(to, at[to], "a point inside a case: the derivatives from both sides differ here")
    (slope,) = slopes
    return Sensitivity(Fraction(int(slope.p), int(slope.q)) if slope.is_Rational else slope, unit)


def _meeting(statement: Statement, result: str, point: Mapping[Any, Any]) -> list[Any]:
    """Return the expressions of the cases that apply at a point; several where it lies on a border."""
    expression = sympy.piecewise_fold(_expression(statement, result).rewrite(sympy.Piecewise))
    if not expression.is_Piecewise:
        return [expression]
    found = []
    for value, condition in expression.args:
        if all(_touches(relation, point) for relation in condition.atoms(sympy.core.relational.Relational)):
            found.append(value)
            continue
        if bool(condition.subs(point)):
            return [*found, value]
    return found


def _touches(relation: Any, point: Mapping[Any, Any]) -> bool:
    return bool(sympy.simplify((relation.lhs - relation.rhs).subs(point)) == 0)


def _at(expression: Any, point: Mapping[Any, Any]) -> Any:
    return sympy.nsimplify(expression.subs(point)) if not expression.subs(point).is_Rational else expression.subs(point)


def limit_of(statement: Statement, result: str, symbol: str, to: Any, values: Mapping[str, Any]) -> Any:
    """Return the limit of a result, in the case that applies near there."""
    moving = _symbol(statement, symbol)
    if symbol in values:
        raise InputError(symbol, values[symbol], "no value: it tends to one")
    goal = to if to in (sympy.oo, 0) else _rational(moving, to)
    at = _placed(statement, values, symbol, partly=True)
    for branch in statement.shown:
        condition = branch.condition
        last = branch is statement.shown[-1]
        if last or not callable(condition) or _near(evaluation.at(condition, at), moving.sympy, goal):
            formula = next((formula for formula in branch.formulas if formula.of == result), None)
            if formula is None:
                raise InputError("result", result, f"one of {', '.join(statement.results)}")
            return sympy.limit(formula.at(at), moving.sympy, goal, "+")
    raise AssertionError  # the last case applies where no other does


def _near(relation: Any, symbol: Any, goal: Any) -> bool:
    """Tell whether a relation holds close to a value of a symbol, above it."""
    if relation in (sympy.true, sympy.false):
        return bool(relation)
    gap = sympy.limit(relation.lhs - relation.rhs, symbol, goal, "+")
    if gap == 0:
        gap = sympy.limit(
            (relation.lhs - relation.rhs) * (symbol if goal == sympy.oo else 1 / (symbol - goal)), symbol, goal, "+"
        )
    sign = sympy.sign(gap)
    if sign not in (1, -1):
        raise InputError(str(symbol), str(relation), "values that decide which case applies near the limit")
    return bool(relation.func(sign, 0))


def _expression(statement: Statement, result: str) -> Any:
    made = statement.expressions
    if result not in made:
        raise InputError("result", result, f"one of {', '.join(made) or 'none: it has no formula'}")
    return made[result]


def _symbol(statement: Statement, name: str) -> Symbol:
    for symbol in statement.symbols:
        if symbol.name == name:
            return symbol
    raise InputError("symbol", name, f"one of {', '.join(symbol.name for symbol in statement.symbols)}")


def _placed(
    statement: Statement, values: Mapping[str, Any], unknown: str = "", *, partly: bool = False
) -> dict[str, Any]:
    """Read values as rationals, and let the unknown, and what is not given if `partly`, stand for itself."""
    for name in values:
        _symbol(statement, name)
    placed = {}
    for symbol in statement.symbols:
        if symbol.name in values:
            placed[symbol.name] = symbol.symbolic(values[symbol.name])
        elif symbol.name == unknown or partly or symbol.optional or symbol.name not in statement.inputs:
            placed[symbol.name] = symbol.sympy
        else:
            raise InputError(symbol.name, "nothing", f"a value: {symbol.accepted}")
    return placed


def _rational(symbol: Symbol, value: object) -> Any:
    read = symbol.one(value, symbol.name)
    return sympy.Rational(read.numerator, read.denominator)


def _quotient(over: str, under: str) -> str:
    if over == under:
        return ""
    if not under:
        return over
    return f"{over or '1'}/({under})" if "/" in under else f"{over or '1'}/{under}"
