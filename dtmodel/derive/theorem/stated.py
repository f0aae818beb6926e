"""Statements of papers in the algebra of derived theorems: cases whose results are quotients of polynomials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, NoReturn

import sympy

from dtmodel.base.errors import InputError
from dtmodel.derive.algebra.dimensions import LENGTH, PURE, RATE, TIME, Grade
from dtmodel.derive.algebra.domain import Domain, read_domain
from dtmodel.derive.algebra.language import Relation, read_expression, read_relation, read_relations
from dtmodel.derive.algebra.number import Ratio
from dtmodel.derive.search.cases import DerivedCase, point_in, said_case
from dtmodel.derive.search.family import Declared
from dtmodel.derive.theorem.asked import StatedTheorem
from dtmodel.theorems.data import Branch, StatementData, at, inputs, parameter_names
from dtmodel.theorems.evaluation import computed
from dtmodel.theorems.quantities import Symbol

_GRADES: Mapping[str, Grade] = {"bytes": LENGTH, "bytes/s": RATE, "s": TIME}
_BOUNDS = {"positive": "> 0", "nonnegative": ">= 0", "count": ">= 0", "number": ">= 1", "share": ">= 0, <= 1"}
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


@lru_cache(maxsize=256)
def stated(statement: StatementData, named: frozenset[str]) -> StatedTheorem:
    """Return a statement in the algebra of derived theorems; optional symbols and their hypotheses only if `named`.

    The right side of a bound counts as its result. Raises `InputError` if the results are computed port by port, or a
    result or hypothesis is not a quotient of polynomials.
    """
    symbols = _symbols(statement, named)
    letters = {symbol.name: symbol.written for symbol in symbols}
    known = [c for c in statement.conditions if set(parameter_names(c)) <= letters.keys()]
    held = [at(condition, letters) for condition in known]
    several = [each for each in held if isinstance(each, sympy.Or)]
    declared = _declared(statement, symbols, [each for each in held if each not in several])
    domain = _domain(statement, declared)
    cases = tuple(case for branch in statement.computed for case in _cases(statement, branch, letters, several, domain))
    counts = frozenset(symbol.name for symbol in symbols if symbol.domain in {"count", "number"})
    return StatedTheorem(Declared(declared, counts), domain, cases)


def _symbols(statement: StatementData, named: frozenset[str]) -> tuple[Symbol, ...]:
    found = inputs(statement)
    if statement.sequence or any(symbol.many for symbol in found):
        _refuse(statement, "it computes its results port by port")
    if other := [symbol.name for symbol in found if symbol.domain not in _BOUNDS]:
        _refuse(statement, f"{other[0]} is not bounded below")
    return tuple(symbol for symbol in found if not symbol.optional or symbol.name in named)


def _refuse(statement: StatementData, why: str) -> NoReturn:
    raise InputError("statement", statement.id, f"a statement that is a quotient of polynomials in each case: {why}")


def _declared(
    statement: StatementData, symbols: Sequence[Symbol], held: Sequence[Any]
) -> dict[str, tuple[Relation, ...]]:
    """Return the relations of each symbol: a hypothesis stands with the symbol that is alone on a side of it."""
    names = [symbol.name for symbol in symbols]
    found: dict[str, list[Relation]] = {name: [] for name in names}
    for relation in (each for hypothesis in held for each in sympy.And.make_args(hypothesis)):
        left, sign, right = relation.lhs, relation.rel_op, relation.rhs
        if right.is_Symbol and not left.is_Symbol:
            left, sign, right = right, _TURNED[sign], left
        whose = left.name if left.is_Symbol else max(map(str, relation.free_symbols))
        text = f"{_text(statement, left)} {sign} {_text(statement, right)}"
        found[whose].append(read_relation(text, statement.id, names))
    for symbol in symbols:
        found[symbol.name] += read_relations(symbol.name, _BOUNDS[symbol.domain], statement.id, names)
    return {name: tuple(each) for name, each in found.items()}


def _text(statement: StatementData, expression: Any) -> str:
    if not expression.is_rational_function(*expression.free_symbols):
        words = sorted({part.func.__name__ for part in expression.atoms(sympy.Function)})
        _refuse(statement, f"it has {' and '.join(words) or str(expression)}")
    return str(expression)


def _domain(statement: StatementData, declared: Mapping[str, Sequence[Relation]]) -> Domain:
    units = {symbol.name: _GRADES.get(symbol.unit, PURE) for symbol in statement.symbols}
    measured = {name: units[name] for name in (*declared, *statement.results) if units.get(name, PURE) != PURE}
    return replace(read_domain(declared, [], [], [], []), measures=measured)


def _cases(
    statement: StatementData, branch: Branch, letters: Mapping[str, Any], several: Sequence[Any], domain: Domain
) -> Iterator[DerivedCase]:
    """Yield the cases of a branch: minima and maxima have more than one, and so have alternatives in a condition."""
    values = domain.outside()
    here = at(branch.condition, letters) if callable(branch.condition) else True

    def ratio(expression: Any) -> Ratio:
        term = read_expression(_text(statement, expression), statement.id, letters.keys())
        found: Ratio = domain.outer(0) + term.value(values)
        return found

    results = computed(branch, letters)
    for name in statement.results:
        if name not in results:
            _refuse(statement, f"{name} is not defined in each case")
    for row in product(*(_pieces(each) for each in results.values())):
        when = sympy.to_dnf(sympy.And(here, *several, *(condition for _, condition in row)))
        answers = {name: ratio(value) for name, (value, _) in zip(results, row, strict=True)}
        for part in sympy.Or.make_args(when) if when is not sympy.false else ():
            signs = [each for each in sympy.And.make_args(part) if each is not sympy.true]
            relations = [(ratio(each.lhs - each.rhs), each.rel_op) for each in signs]
            case = said_case(domain, relations, answers)
            yield replace(case, example=point_in(domain, case.when))


def _pieces(expression: Any) -> Sequence[tuple[Any, Any]]:
    """Return the values of an expression with minima and maxima, each with its condition."""
    folded = sympy.sympify(expression)
    if not folded.has(sympy.Min, sympy.Max):
        return [(folded, sympy.true)]
    rows = sympy.piecewise_fold(folded.rewrite(sympy.Piecewise)).args
    return [
        (value, sympy.And(here, *(sympy.Not(before) for _, before in rows[:place])))
        for place, (value, here) in enumerate(rows)
    ]
