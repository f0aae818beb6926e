"""Questions about a statement: for which values, how sensitive, in the limit, as a function of arrays.

The functions are asked by

- ``statement``, any of `dtmodel.theory.statements`, ``result``, the name of one of its results, ``symbol``,
  ``unknown`` or ``to``, the name of one of its symbols (of a limit, ``to`` is where it goes), and ``values`` of the
  others, by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from dtmodel import units
from dtmodel.errors import MISSING, InputError, one_of
from dtmodel.theory import evaluation
from dtmodel.theory.limits import fails, tends_to
from dtmodel.theory.operations import is_array
from dtmodel.theory.quantities import Symbol, in_floats
from dtmodel.theory.roots import MOST_STEPS, MOST_WHOLE, Solutions, between_steps, crossings, near_roots, whole_roots
from dtmodel.theory.values import evaluate_at, read_once

if TYPE_CHECKING:
    from dtmodel.theory.statement import Branch, Statement

_STEPS = (sympy.floor, sympy.ceiling)


@dataclass(frozen=True)
class Sensitivity:
    """A derivative: its value, an exact number or an expression, and its unit.

    Parameters
    ----------
    value : Fraction or expression
        The derivative.
    unit : str
        Its unit.

    Examples
    --------
    >>> from dtmodel.theory import dt
    >>> found = sensitivity(dt.theorem1, "first_drop", "R", {"alpha": 1, "B": 6, "C": 1, "M": 1, "N": 2, "R": 2})
    >>> str(found.value), found.unit
    ('-3/2', 's/(bytes/s)')
    """

    value: Any
    unit: str


def lambdified(statement: Statement, result: str) -> Callable[..., Any]:
    """Return a NumPy function of keywords that computes a result, a list where the result is one.

    Examples
    --------
    >>> from dtmodel.theory import dt
    >>> first_drop = lambdified(dt.theorem1, "first_drop")
    >>> print(float(first_drop(alpha=1, B=6, C=1, M=1, N=2, R=3)))
    0.75
    """
    name = result or next(iter(statement.results), "")
    if name not in statement.results:
        raise InputError("result", name, f"one of {', '.join(statement.results) or 'none: it has no formula'}")
    many = [symbol.name for symbol in statement.symbols if symbol.many and symbol.name in statement.inputs]
    made: dict[tuple[int, ...], tuple[Callable[..., Any], list[str]]] = {}

    def function(**values: Any) -> Any:
        values = {key: _floats(key, value) for key, value in values.items()}
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
    """Return a number or an array in float64: products of NumPy's other numbers wrap, and lists are repeated."""
    if type(value) in (int, float, Fraction):
        try:
            return np.float64(float(value))
        except OverflowError:
            raise InputError(name, value, "a number that floats hold") from None
    array = value if is_array(value) and hasattr(value, "dtype") else np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise InputError(name, value, "a number or an array of numbers, in base units")
    return in_floats(array)


def _compiled(statement: Statement, name: str, sizes: Mapping[str, int]) -> tuple[Callable[..., Any], list[str]]:
    """Return a result as a function of symbols in their order, and their names."""
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
    """Return the SymPy symbol, or for a list as many as it has elements."""
    if symbol.name not in sizes:
        return symbol.sympy
    return [sympy.Symbol(f"{symbol.name}_{place}", positive=True) for place in range(1, sizes[symbol.name] + 1)]


def _result(statement: Statement, name: str, values: Mapping[str, Any]) -> Any:
    """Return a result in SymPy at values by name: numbers or symbols."""
    found = [evaluation.computed(branch, values) for branch in statement.computed]
    return evaluation.joined(statement.computed, name, found, values)


def solutions(statement: Statement, unknown: str, values: Mapping[str, Any]) -> Solutions:
    """Solve ``result = value`` for a symbol, case by case.

    Examples
    --------
    >>> from dtmodel.theory import dt
    >>> found = solutions(dt.theorem1, "R", {"first_drop": 1, "alpha": 1, "B": 6, "C": 1, "M": 1, "N": 2})
    >>> [str(R) for R in found]
    ['5/2']
    """
    asked = [name for name in values if name in statement.results]
    if len(asked) != 1:
        raise InputError(
            "values", ", ".join(asked) or "no result", f"one of the results: {', '.join(statement.results)}"
        )
    (name,) = asked
    symbol = _symbol(statement, unknown)
    if unknown not in statement.inputs or symbol.many:
        raise InputError("unknown", unknown, f"one of {', '.join(statement.inputs)}, a single number")
    place, target = _target(_symbol(statement, name), values[name])
    at = _placed(statement, {key: value for key, value in values.items() if key != name}, unknown)
    known = evaluation.known(statement, {**dict.fromkeys(values), unknown: None})
    exact, sets, floats, missed = set[Any](), list[Any](), list[Any](), ""
    for index, branch in enumerate(statement.computed):
        if name not in (formula.of for formula in branch.formulas):
            continue
        own = [branch.condition] if callable(branch.condition) else []
        earlier = [other.condition for other in statement.computed[:index] if callable(other.condition)]

        def compute(point: Mapping[str, Any], branch: Branch = branch) -> Any:
            return _asked_of(evaluation.computed(branch, point)[name], place, name, values[name])

        def fits(root: Any, tests: Any = (*known, *own), earlier: Any = earlier) -> bool:
            point = {**at, unknown: root}
            return _decided(
                lambda: (
                    _takes(symbol, root)
                    and all(bool(evaluation.at(test, point)) for test in tests)
                    and not any(bool(evaluation.at(test, point)) for test in earlier)
                ),
                name,
                values[name],
            )

        relations = [sympy.sympify(evaluation.at(test, at)) for test in (*known, *own)]
        relations += [sympy.Not(evaluation.at(test, at)) for test in earlier]
        if sympy.false in relations:
            continue
        stepwise, left_out = _stepwise(
            compute(at) - target, _difference(compute, at, symbol, target), symbol, relations
        )
        missed = left_out or missed
        for over, under, condition in stepwise:
            if over == 0:
                sets += _everywhere(sympy.And(condition, *relations), symbol)
            elif over.is_polynomial(_letter(symbol)) and under.is_polynomial(_letter(symbol)):
                exact |= {root for root in _roots(over, under, condition, _letter(symbol)) if fits(root)}
            elif symbol.domain in ("count", "number"):
                tried = whole_roots(_difference(compute, at, symbol, target), int(symbol.domain == "number"))
                exact |= {n for n in map(sympy.Integer, map(int, tried)) if fits(n)}
                missed = f"whole numbers beyond {MOST_WHOLE}"
            else:
                roots, missed = crossings(sympy.lambdify(_letter(symbol), over / under, "math"), symbol)
                floats += [
                    root
                    for root in roots
                    if bool(condition.subs(_letter(symbol), sympy.Rational(root.low)))
                    and fits(sympy.Rational(root.low))
                ]
    union = sympy.Union(*sets)
    ordered = sorted(root for root in exact if union.contains(root) != sympy.true)
    found = [Fraction(int(x.p), int(x.q)) if x.is_Rational else x for x in ordered]
    return Solutions([*found, *([union] if union is not sympy.S.EmptySet else []), *floats], missed)


def _decided(holds: Callable[[], bool], name: str, value: object) -> bool:
    """Tell whether a root fits; SymPy does not find the sign of a surd whose parts agree in hundreds of digits."""
    try:
        return holds()
    except TypeError:
        raise InputError(name, value, "a number of fewer digits, for which the signs of roots are found") from None


def _target(symbol: Symbol, value: object) -> tuple[int | None, Any]:
    """Return the place of the one number that a list of results has, None for a result that is no list, and it."""
    if type(value) in (int, Fraction):  # as `evaluate` gives it: what bounds a size may be less than 0
        return None, sympy.Rational(value)
    if not units.is_sequence(value):
        return None, _rational(symbol, value)
    places = [place for place, one in enumerate(units.sequence(value, symbol.name)) if one is not None]
    if len(places) != 1:
        raise InputError(symbol.name, value, "a list in which one result is given, the others are None")
    return places[0], _rational(symbol, value[places[0]])  # type: ignore[index]  # a sequence


def _asked_of(found: Any, place: int | None, name: str, value: Any) -> Any:
    """Return the one number of a result that is asked about; a list is asked with a list of its length."""
    if isinstance(found, list) and (place is None or len(value) != len(found)):
        raise InputError(name, value, f"a list of {len(found)}, of which one is given, the others are None")
    if place is not None and not isinstance(found, list):
        raise InputError(name, value, "a number")
    return found if place is None else found[place]


def _difference(
    compute: Callable[[Mapping[str, Any]], Any], at: Mapping[str, Any], symbol: Symbol, target: Any
) -> Callable[[Fraction], Any]:
    """Return what a formula gives for a value of a symbol, less the target, on fractions."""
    given = {name: _as_fractions(value) for name, value in at.items() if isinstance(value, list) or value.is_Rational}
    wanted = Fraction(int(target.p), int(target.q))
    return lambda number: compute({**given, symbol.name: number}) - wanted


def _as_fractions(value: Any) -> Any:
    return [_as_fractions(item) for item in value] if isinstance(value, list) else Fraction(int(value.p), int(value.q))


def _stepwise(
    difference: Any, exactly: Callable[[Fraction], Any], symbol: Symbol, relations: Sequence[Any]
) -> tuple[list[tuple[Any, Any, Any]], str]:
    """Return the pieces of a function, where it has floors or ceilings those near its roots, and what is left out."""
    letter, difference = _letter(symbol), sympy.sympify(difference)
    if symbol.domain in ("count", "number") or not any(a.has(letter) for a in difference.atoms(*_STEPS)):
        return list(_pieces(difference)), ""
    found, missed = [], ""
    plain = [relation for relation in relations if not relation.atoms(*_STEPS)]
    for held in _everywhere(sympy.And(*plain), symbol):
        for part in held.args if held.is_Union else (held,):
            spans, missed = near_roots(exactly, symbol, part)
            for span in spans:
                for made, where, more in between_steps(difference, letter, span.intersect(part)):
                    missed += f"; more than {MOST_STEPS} steps" if more and "more than" not in missed else ""
                    here = where.as_relational(letter)
                    found += [(over, under, sympy.And(condition, here)) for over, under, condition in _pieces(made)]
    return found, missed


def _pieces(difference: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the pieces of a function of one symbol: numerator, denominator, and where each applies."""
    folded = sympy.piecewise_fold(sympy.sympify(difference).rewrite(sympy.Piecewise))
    before = sympy.false
    for value, condition in folded.args if folded.is_Piecewise else [(folded, sympy.true)]:
        if value is sympy.nan:  # no such result there
            before = sympy.Or(before, condition)
            continue
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
    if symbol.domain != "real" and not symbol.within(root):
        return False
    if symbol.domain in ("count", "number") and not root.is_integer:
        return False
    return symbol.domain != "share" or bool(root <= 1)


def sensitivity(statement: Statement, result: str, to: str, values: Mapping[str, Any]) -> Sensitivity:
    """Differentiate a result by a symbol.

    Examples
    --------
    >>> from dtmodel.theory import dt
    >>> at = {"alpha": 1, "B": 6, "C": 1, "M": 1, "N": 2, "R": 2}
    >>> str(sensitivity(dt.theorem1, "first_drop", "B", at).value)
    '1/4'
    """
    over, under = _symbol(statement, result), _symbol(statement, to)
    unit = _quotient(over.unit, under.unit)
    if under.many or to not in statement.inputs:
        single = [symbol.name for symbol in evaluation.inputs(statement) if not symbol.many]
        raise InputError("to", to, f"a single number that results are computed from: {', '.join(single)}")
    letter = _letter(under)
    if not values:
        return Sensitivity(_derivative(_of_inputs(statement, result), letter), unit)
    values = read_once(statement.symbols, values)
    evaluate_at(statement, values)
    at = _placed(statement, values)
    made = _result(statement, result, {**at, to: letter})
    parts = list(map(sympy.sympify, made if isinstance(made, list) else [made]))
    if at[to].free_symbols or any(part.free_symbols - {letter} for part in parts):
        slopes = [_derivative(part, letter).subs(letter, at[to]) for part in parts]
    else:
        slopes = [_slope(part, to, letter, at[to]) for part in parts]
    return Sensitivity(slopes if isinstance(made, list) else slopes[0], unit)


def _derivative(expression: Any, letter: Any) -> Any:
    """Differentiate: what is undefined stays so, and between its steps a floor or a ceiling does not move."""
    folded = sympy.piecewise_fold(expression) if expression.has(sympy.nan) else expression
    if folded.is_Piecewise:
        return sympy.Piecewise(*((_derivative(value, letter), condition) for value, condition in folded.args))
    if folded is sympy.nan:
        return folded
    steps = {step: sympy.Dummy() for step in folded.atoms(*_STEPS)}
    return folded.xreplace(steps).diff(letter).xreplace({dummy: step for step, dummy in steps.items()})


def _of_inputs(statement: Statement, result: str) -> Any:
    """Return a result as an expression in inputs alone; where one is a list, in its element k."""
    if result not in statement.results:
        raise InputError("result", result, f"one of {', '.join(statement.results) or 'none: it has no formula'}")
    if not any(symbol.many for symbol in evaluation.inputs(statement)):
        return _result(statement, result, {symbol.name: _letter(symbol) for symbol in statement.symbols})
    sums = {relation.lhs: relation.rhs for relation in statement.relations() if relation.lhs.free_symbols}
    made = statement.expressions.get(result, sympy.nan).subs(sums)
    elements = {one.func.__name__ for one in made.atoms(sympy.core.function.AppliedUndef)}
    if made is sympy.nan or not elements <= set(statement.inputs):
        accepted = f"a value of each of {', '.join(statement.inputs)}: port k's {result} is computed from other results"
        raise InputError("values", MISSING, accepted)
    return made


def _letter(symbol: Symbol) -> Any:
    """Return what moves: a symbol of SymPy, also where it stands for an integral."""
    return symbol.written if symbol.stands else symbol.sympy


def _slope(expression: Any, to: str, letter: Any, at: Any) -> Any:
    pieces = [_between(value, to, letter, at) for value in _meeting(expression, {letter: at})]
    found = [_derivative(value, letter).subs({letter: at}) for value in pieces]
    slopes = {value if value.is_Rational else sympy.nsimplify(value) for value in found}
    if len(slopes) > 1:
        raise InputError(to, at, "a point inside a case: the derivatives from both sides differ here")
    (slope,) = slopes
    return None if slope is sympy.nan else Fraction(int(slope.p), int(slope.q)) if slope.is_Rational else slope


def _between(value: Any, to: str, letter: Any, at: Any) -> Any:
    """Put in what floors and ceilings are around a point; on a step there is no derivative."""
    while steps := [step for step in value.atoms(*_STEPS) if step.has(letter) and not step.args[0].atoms(*_STEPS)]:
        rounded = {step: step.args[0].subs(letter, at) for step in steps}
        if any(number.is_integer for number in rounded.values()):
            raise InputError(to, at, "a point between two steps: the result jumps here, or may")
        value = value.xreplace({step: step.func(number) for step, number in rounded.items()})
    return value


def _meeting(expression: Any, point: Mapping[Any, Any]) -> list[Any]:
    """Return the expressions of the cases that apply at a point; several where it lies on a border."""
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


def limit_of(statement: Statement, result: str, symbol: str, to: Any, values: Mapping[str, Any]) -> Any:
    """Return the limit of a result, in the case that applies near there.

    Examples
    --------
    >>> from dtmodel.theory import dt
    >>> from sympy import oo
    >>> str(limit_of(dt.theorem1, "first_drop", "alpha", oo, {"B": 6, "C": 1, "M": 1, "N": 2, "R": 2}))
    '2'
    """
    moving = _symbol(statement, symbol)
    if symbol in values:
        raise InputError(symbol, values[symbol], "no value: it tends to one")
    if moving.many:
        raise InputError("symbol", symbol, "a single number")
    for other in evaluation.inputs(statement):
        if other.many and other.name not in values:
            raise InputError(other.name, MISSING, "a list")
    goal = _goal(moving, to)
    if result not in statement.results:
        raise InputError("result", result, one_of(statement.results, result))
    placed = _placed(statement, values, symbol, partly=True)
    letter = _letter(moving)
    for condition in evaluation.known(statement, {**values, symbol: goal}):
        there = goal != sympy.oo and _takes(moving, goal) and evaluation.at(condition, {**placed, symbol: goal})
        if there not in (True, sympy.true) and fails(evaluation.at(condition, placed), letter, goal):
            raise InputError(symbol, to, f"a limit within the hypotheses: {statement.shown_condition(condition)}")
    if moving.domain in ("count", "number") and goal != sympy.oo:
        placed[symbol] = goal
    made = _result(statement, result, placed)
    return [tends_to(part, letter, goal) for part in made] if isinstance(made, list) else tends_to(made, letter, goal)


def _goal(symbol: Symbol, to: object) -> Any:
    """Return what a symbol tends to: infinity, 0, or a value that it takes."""
    if symbol.domain != "number" and isinstance(to, Real | sympy.Expr) and not isinstance(to, bool) and to == 0:
        return sympy.Integer(0)
    if isinstance(to, Real | sympy.Expr) and to == sympy.oo:
        return sympy.oo
    return _rational(symbol, to)


def _symbol(statement: Statement, name: str) -> Symbol:
    for symbol in statement.symbols:
        if symbol.name == name:
            return symbol
    raise InputError("symbol", name, one_of((symbol.name for symbol in statement.symbols), name))


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
            placed[symbol.name] = _letter(symbol)
        else:
            raise InputError(symbol.name, MISSING, f"a value: {symbol.accepted}")
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
