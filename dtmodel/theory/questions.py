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
from dtmodel.theory.roots import MOST_WHOLE, Solutions, crossings, whole_roots

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


def solutions(statement: Statement, unknown: str, values: Mapping[str, Any]) -> Solutions:
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
    at = _placed(statement, {key: value for key, value in values.items() if key != name}, unknown)
    known = evaluation.known(statement, {**dict.fromkeys(values), unknown: None})
    exact, sets, floats, missed = set[Any](), list[Any](), list[Any](), ""
    for index, branch in enumerate(statement.shown):
        formula = next((formula for formula in branch.formulas if formula.of == name), None)
        if formula is None:
            continue
        own = [branch.condition] if callable(branch.condition) else []
        earlier = [other.condition for other in statement.shown[:index] if callable(other.condition)]

        def fits(root: Any, tests: Any = (*known, *own), earlier: Any = earlier) -> bool:
            point = {**at, unknown: root}
            holds = _takes(symbol, root) and all(bool(evaluation.at(test, point)) for test in tests)
            return holds and not any(bool(evaluation.at(test, point)) for test in earlier)

        relations = [sympy.sympify(evaluation.at(test, at)) for test in (*known, *own)]
        relations += [sympy.Not(evaluation.at(test, at)) for test in earlier]
        for over, under, condition in _pieces(formula.at(at) - target):
            if over == 0:
                sets += _everywhere(sympy.And(condition, *relations), symbol)
            elif over.is_polynomial(symbol.sympy) and under.is_polynomial(symbol.sympy):
                exact |= {root for root in _roots(over, under, condition, symbol.sympy) if fits(root)}
            elif symbol.domain in ("count", "number"):
                exact |= {n for n in _whole(formula, at, symbol, target) if fits(n)}
                missed = f"whole numbers beyond {MOST_WHOLE}"
            else:
                if over.atoms(sympy.floor, sympy.ceiling):
                    raise InputError("unknown", unknown, "a symbol that the result does not depend on in steps")
                roots, missed = crossings(sympy.lambdify(symbol.sympy, over / under, "math"), symbol)
                floats += [
                    root
                    for root in roots
                    if bool(condition.subs(symbol.sympy, sympy.Rational(root.low))) and fits(sympy.Rational(root.low))
                ]
    union = sympy.Union(*sets)
    ordered = sorted(root for root in exact if union.contains(root) != sympy.true)
    found = [Fraction(int(x.p), int(x.q)) if x.is_Rational else x for x in ordered]
    return Solutions([*found, *([union] if union is not sympy.S.EmptySet else []), *floats], missed)


def _whole(formula: evaluation.Formula, at: Mapping[str, Any], symbol: Symbol, target: Any) -> list[Any]:
    """Return the whole numbers for which a formula gives a value, as numbers of SymPy."""
    given = {name: Fraction(int(value.p), int(value.q)) for name, value in at.items() if value.is_Rational}
    wanted = Fraction(int(target.p), int(target.q))

    def difference(number: Fraction) -> Any:
        return formula.at({**given, symbol.name: number}) - wanted

    return [sympy.Integer(int(n)) for n in whole_roots(difference, int(symbol.domain == "number"))]


def _pieces(difference: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the pieces of a function of one symbol: numerator, denominator, and where each applies."""
    folded = sympy.piecewise_fold(sympy.sympify(difference).rewrite(sympy.Piecewise))
    before = sympy.false
    for value, condition in folded.args if folded.is_Piecewise else [(folded, sympy.true)]:
        over, under = sympy.fraction(sympy.cancel(value) if not value.atoms(sympy.Function) else sympy.together(value))
        yield sympy.expand(over), under, sympy.And(condition, sympy.Not(before))
        before = sympy.Or(before, condition)


def _everywhere(condition: Any, symbol: Symbol) -> list[Any]:
    """Return the set of all values of a symbol for which a condition holds, if there are any."""
    free = sympy.Dummy(real=True)
    domain = {"positive": free > 0, "number": free > 0, "real": sympy.true, "share": (free >= 0) & (free <= 1)}
    found = sympy.And(condition.xreplace({symbol.sympy: free}), domain.get(symbol.domain, free >= 0))
    try:
        holds = found.as_set() if found.free_symbols else sympy.S.Reals if found == sympy.true else sympy.S.EmptySet
    except (NotImplementedError, TypeError):
        raise InputError("unknown", symbol.name, "a symbol for which the conditions can be solved") from None
    if symbol.domain in ("count", "number"):
        holds = sympy.Intersection(holds, sympy.S.Integers)
    return [] if holds is sympy.S.EmptySet else [holds]


def _roots(over: Any, under: Any, condition: Any, symbol: Any) -> Iterator[Any]:
    """Yield the real roots of a rational function where it applies, each an exact number."""
    if over.has(symbol):
        for root in sympy.real_roots(sympy.Poly(over, symbol)):
            if under.subs(symbol, root) != 0 and bool(condition.subs(symbol, root)):
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
