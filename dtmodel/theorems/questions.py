"""Questions about a statement: sensitivities, limits, and fast functions of arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any

import sympy

from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.mathtext import MathDisplay
from dtmodel.theorems import data, evaluation
from dtmodel.theorems.data import StatementData
from dtmodel.theorems.limits import fails, tends_to
from dtmodel.theorems.operations import is_array
from dtmodel.theorems.placing import letter_of, placed_values, rational, result_named, symbol_named, takes
from dtmodel.theorems.quantities import Symbol, in_floats
from dtmodel.theorems.values import evaluate_at, read_once

__all__ = ["Sensitivity"]

_STEPS = (sympy.floor, sympy.ceiling)


@dataclass(frozen=True)
class Sensitivity(MathDisplay):
    """A derivative (`value`: a Fraction or an expression, exact) with its `unit`.

    >>> from dtmodel.theory import dt
    >>> found = sensitivity(dt.theorem1, "first_drop", "R", {"alpha": 1, "B": 6, "C": 1, "M": 1, "N": 2, "R": 2})
    >>> str(found.value), found.unit
    ('-3/2', 's/(bytes/s)')
    >>> print(found)
    -1.5 (-3/2) s/(bytes/s)
    """

    value: Any
    unit: str

    def __str__(self) -> str:
        parts = self.value if isinstance(self.value, list) else [self.value]
        shown = [evaluation.shown(part, "") if isinstance(part, Fraction) else str(part) for part in parts]
        return f"{shown[0] if parts is not self.value else '[' + ', '.join(shown) + ']'} {self.unit}".rstrip()

    def latex(self) -> str:
        """Return the derivative with its unit in LaTeX."""
        return evaluation.latex_of(self.value, "") + (rf"\ \text{{{self.unit}}}" if self.unit else "")


def lambdified(statement: StatementData, result: str) -> Callable[..., Any]:
    """Return a NumPy function of keywords that computes a result, or a list if the result is one."""
    import numpy as np

    name = result_named(statement, result or next(iter(statement.results), ""))
    many = [symbol.name for symbol in statement.symbols if symbol.many and symbol.name in statement.inputs]
    made: dict[tuple[int, ...], tuple[Callable[..., Any], list[str]]] = {}

    def function(**values: Any) -> Any:
        values = {statement.aliases.get(key, key): _floats(key, value) for key, value in values.items()}
        for key in many:
            if key not in values or not np.shape(values[key]):
                raise InputError(key, values.get(key, MISSING), "a list")
        values |= {key: list(np.moveaxis(np.asarray(values[key]), -1, 0)) for key in many}
        sizes = tuple(len(values[key]) for key in many)
        if sizes not in made:
            made[sizes] = _compiled(statement, name, dict(zip(many, sizes, strict=True)))
        compiled, used = made[sizes]
        for key in used:
            if key not in values:
                raise InputError(key, MISSING, f"a value; {name} depends on {', '.join(used)}")
        with np.errstate(all="ignore"):  # every case is computed, also where it does not apply
            return compiled(*(values[key] for key in used))

    return function


def _floats(name: str, value: Any) -> Any:
    """Convert a number or an array to float64: integers of NumPy overflow, and `*` repeats a list."""
    import numpy as np

    if type(value) in (int, float, Fraction):
        try:
            return np.float64(float(value))
        except OverflowError:
            raise InputError(name, value, "a number that floats hold") from None
    array = value if is_array(value) and hasattr(value, "dtype") else np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise InputError(name, value, "a number or an array of numbers, in base units")
    return in_floats(array)


def _compiled(statement: StatementData, name: str, sizes: Mapping[str, int]) -> tuple[Callable[..., Any], list[str]]:
    """Compile a result to a function of its symbols; return it with their names, in order."""
    letters = {symbol.name: _letters(symbol, sizes) for symbol in statement.symbols}
    expression = _result(statement, name, letters)
    parts = expression if isinstance(expression, list) else [expression]
    plain: dict[Any, Any] = {}
    for key, letter in letters.items():
        if isinstance(letter, list) or any(part.has(letter) for part in parts):
            plain[key] = letter if isinstance(letter, list) else sympy.Symbol(key)
    named = {letters[key]: letter for key, letter in plain.items() if not isinstance(letter, list)}
    written = [part.xreplace(named) for part in parts]
    shown = written if isinstance(expression, list) else written[0]
    return sympy.lambdify(list(plain.values()), shown, "numpy"), list(plain)


def _letters(symbol: Symbol, sizes: Mapping[str, int]) -> Any:
    """Return the SymPy symbol, or one symbol for each element of a list."""
    if symbol.name not in sizes:
        return symbol.sympy
    return [sympy.Symbol(f"{symbol.name}_{place}", positive=True) for place in range(1, sizes[symbol.name] + 1)]


def _result(statement: StatementData, name: str, values: Mapping[str, Any]) -> Any:
    found = [evaluation.computed(branch, values) for branch in statement.computed]
    return evaluation.joined(statement.computed, name, found, values)


def sensitivity(statement: StatementData, result: str, to: str, values: Mapping[str, Any]) -> Sensitivity:
    """Differentiate a result by the symbol `to`."""
    over, under = symbol_named(statement, result), symbol_named(statement, to)
    unit = _quotient(over.unit, under.unit)
    if under.many or to not in statement.inputs:
        single = [symbol.name for symbol in data.inputs(statement) if not symbol.many]
        raise InputError("to", to, f"a single number that results are computed from: {', '.join(single)}")
    letter = letter_of(under)
    if not values:
        return Sensitivity(_derivative(_of_inputs(statement, result), letter), unit)
    values = read_once(statement.symbols, values)
    evaluate_at(statement, values)
    at = placed_values(statement, values)
    made = _result(statement, result, {**at, to: letter})
    parts = list(map(sympy.sympify, made if isinstance(made, list) else [made]))
    if at[to].free_symbols or any(part.free_symbols - {letter} for part in parts):
        slopes = [_derivative(part, letter).subs(letter, at[to]) for part in parts]
    else:
        slopes = [_slope(part, to, letter, at[to]) for part in parts]
    return Sensitivity(slopes if isinstance(made, list) else slopes[0], unit)


def _derivative(expression: Any, letter: Any) -> Any:
    """Differentiate; undefined parts stay undefined, and floors and ceilings are constants."""
    folded = sympy.piecewise_fold(expression) if expression.has(sympy.nan) else expression
    if folded.is_Piecewise:
        return sympy.Piecewise(*((_derivative(value, letter), condition) for value, condition in folded.args))
    if folded is sympy.nan:
        return folded
    steps = {step: sympy.Dummy() for step in folded.atoms(*_STEPS)}
    return folded.xreplace(steps).diff(letter).xreplace({dummy: step for step, dummy in steps.items()})


def _of_inputs(statement: StatementData, result: str) -> Any:
    """Return a result as an expression in inputs alone; if an input is a list, in its element k."""
    result_named(statement, result)
    if not any(symbol.many for symbol in data.inputs(statement)):
        return _result(statement, result, {symbol.name: letter_of(symbol) for symbol in statement.symbols})
    sums = {relation.lhs: relation.rhs for relation in statement.relations() if relation.lhs.free_symbols}
    made = evaluation.expressions(statement, statement.shown).get(result, sympy.nan).subs(sums)
    elements = {one.func.__name__ for one in made.atoms(sympy.core.function.AppliedUndef)}
    if made is sympy.nan or not elements <= set(statement.inputs):
        accepted = f"a value of each of {', '.join(statement.inputs)}: port k's {result} is computed from other results"
        raise InputError("values", MISSING, accepted)
    return made


def _slope(expression: Any, to: str, letter: Any, at: Any) -> Any:
    pieces = [_between(value, to, letter, at) for value in _meeting(expression, {letter: at})]
    found = [_derivative(value, letter).subs({letter: at}) for value in pieces]
    slopes = {value if value.is_Rational else sympy.nsimplify(value) for value in found}
    if len(slopes) > 1:
        raise InputError(to, at, "a point inside a case: the derivatives from both sides differ here")
    (slope,) = slopes
    return None if slope is sympy.nan else Fraction(int(slope.p), int(slope.q)) if slope.is_Rational else slope


def _between(value: Any, to: str, letter: Any, at: Any) -> Any:
    """Replace floors and ceilings by their values around a point; raise `InputError` if the point lies on a step."""
    while steps := [step for step in value.atoms(*_STEPS) if step.has(letter) and not step.args[0].atoms(*_STEPS)]:
        rounded = {step: step.args[0].subs(letter, at) for step in steps}
        if any(number.is_integer for number in rounded.values()):
            raise InputError(to, at, "a point between two steps: the result jumps here, or may")
        value = value.xreplace({step: step.func(number) for step, number in rounded.items()})
    return value


def _meeting(expression: Any, point: Mapping[Any, Any]) -> list[Any]:
    """Return the expressions of all cases that apply at a point; several if it lies on a border."""
    expression = sympy.piecewise_fold(sympy.sympify(expression).rewrite(sympy.Piecewise))
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


def limit_of(statement: StatementData, result: str, symbol: str, to: Any, values: Mapping[str, Any]) -> Any:
    """Return the limit of a result as a symbol tends to a value, in the case that applies close to it."""
    moving = symbol_named(statement, symbol)
    if symbol in values:
        raise InputError(symbol, values[symbol], "no value for the symbol of the limit")
    if moving.many:
        raise InputError("symbol", symbol, "a single number")
    for other in data.inputs(statement):
        if other.many and other.name not in values:
            raise InputError(other.name, MISSING, "a list")
    goal = _goal(moving, to)
    result_named(statement, result)
    placed = placed_values(statement, values, symbol, partly=True)
    letter = letter_of(moving)
    for condition in evaluation.known(statement, {**values, symbol: goal}):
        there = goal != sympy.oo and takes(moving, goal) and data.at(condition, {**placed, symbol: goal})
        if there not in (True, sympy.true) and fails(data.at(condition, placed), letter, goal):
            raise InputError(symbol, to, f"a limit within the hypotheses: {statement.shown_condition(condition)}")
    if moving.domain in ("count", "number") and goal != sympy.oo:
        placed[symbol] = goal
    made = _result(statement, result, placed)
    return [tends_to(part, letter, goal) for part in made] if isinstance(made, list) else tends_to(made, letter, goal)


def _goal(symbol: Symbol, to: object) -> Any:
    """Return the value that a symbol tends to: infinity, 0, or a value in its domain."""
    if symbol.domain != "number" and isinstance(to, Real | sympy.Expr) and not isinstance(to, bool) and to == 0:
        return sympy.Integer(0)
    if isinstance(to, Real | sympy.Expr) and to == sympy.oo:
        return sympy.oo
    return rational(symbol, to)


def _quotient(over: str, under: str) -> str:
    if over == under:
        return ""
    if not under:
        return over
    return f"{over or '1'}/({under})" if "/" in under else f"{over or '1'}/{under}"
