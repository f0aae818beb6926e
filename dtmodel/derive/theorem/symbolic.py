"""A derived theorem in SymPy: its answers at expressions, its conclusions, and derivatives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy

from dtmodel.base.errors import InputError
from dtmodel.base.mathtext import symbol_of
from dtmodel.derive.algebra.dimensions import UNIT_NAMES, read_value
from dtmodel.derive.algebra.domain import RELATION, Domain, refuse_names
from dtmodel.derive.search.cases import DerivedCase
from dtmodel.derive.search.family import Declared, Family
from dtmodel.derive.theorem.data import CaseData
from dtmodel.theorems.evaluation import Evaluated
from dtmodel.theorems.operations import is_symbolic
from dtmodel.theorems.quantities import Domain as Values
from dtmodel.theorems.quantities import Symbol

_TRUE, _FALSE = (True, sympy.true), (False, sympy.false)


def outer_letters(family: Family | Declared, domain: Domain) -> list[Any]:
    """Return the symbols of the outer field of a domain in SymPy."""
    named = {symbol.name: symbol.sympy for symbol in declared_symbols(family, domain)}
    slacks = domain.slack_values(named)
    return [slacks[name] for name in domain.outer.names]


def symbols_of(theorem: CaseData) -> tuple[Symbol, ...]:
    """Return the symbols with their declarations, units and signs; a count is a whole number."""
    return declared_symbols(theorem.family, theorem.domain)


def declared_symbols(family: Family | Declared, domain: Domain) -> tuple[Symbol, ...]:
    """Return the declared symbols of a family, as `symbols_of` does for those of a theorem."""
    known, found = domain.outside(), list[Symbol]()
    for name, relations in family.symbols.items():
        signs: tuple[Values, Values] = ("number", "count") if name in family.counts else ("positive", "nonnegative")
        values = "real" if name not in known else signs[not domain.positive(known[name].top)]
        declared = ", ".join(f"{r.sign} {r.right.text}" for r in relations)
        grade = domain.measures.get(name)
        found.append(Symbol(symbol_of(name), declared, UNIT_NAMES.get(grade, "") if grade else "", values, name))
    return tuple(found)


def letters(theorem: CaseData) -> dict[str, Any]:
    """Return the SymPy symbol of each symbol by name."""
    return {symbol.name: symbol.sympy for symbol in symbols_of(theorem)}


def symbolically(theorem: CaseData, values: Mapping[str, Any]) -> Evaluated:
    """Return the answers at SymPy expressions and numbers; raise `InputError` if a declaration is certainly false."""
    refuse_names(theorem.family.symbols, values)
    exact = {name: _read(theorem, name, value) for name, value in values.items()}
    exact |= {name: _rational(term.value(exact)) for name, term in theorem.family.defined.items() if name not in exact}
    undecided = []
    for name, relations in theorem.family.symbols.items():
        for r in relations:
            said = RELATION[r.sign](exact[name] - _rational(r.right.value(exact)), 0)
            if said in _FALSE:
                raise InputError(name, str(exact[name]), f"{name} {r.sign} {r.right.text}")
            undecided += [] if said in _TRUE else [said]
    slacks = theorem.domain.slack_values(exact)
    at = [slacks[name] for name in theorem.domain.outer.names]
    cases = [(case, case.condition_at(at)) for case in theorem.cases]
    possible = [(case, when) for case, when in cases if when not in _FALSE]
    return Evaluated({key: _joined(possible, key, at) for key in theorem.keys}, hypotheses=tuple(undecided))


def _read(theorem: CaseData, name: str, value: Any) -> Any:
    symbolic = is_symbolic(value) and not value.is_number
    return value if symbolic else _rational(read_value(value, name, theorem.domain.measures.get(name)))


def _rational(value: Any) -> Any:
    return sympy.Rational(value.numerator, value.denominator) if hasattr(value, "denominator") else value


def _joined(cases: list[tuple[DerivedCase, Any]], key: str, at: list[Any]) -> Any:
    """Return an answer as one expression: a Piecewise if several cases are possible."""
    pieces = [(case.answer_at(key, at), when) for case, when in cases]
    if not pieces:
        raise InputError("values", key, "values for which a case is proved")
    return pieces[0][0] if len({value for value, _ in pieces}) == 1 else sympy.Piecewise(*pieces)


def in_letters(theorem: CaseData) -> Evaluated:
    """Return the answers in the theorem's own symbols."""
    return symbolically(theorem, {n: s for n, s in letters(theorem).items() if n not in theorem.family.defined})


def conclusions(theorem: CaseData) -> tuple[Any, ...]:
    """Return the answers as SymPy equations in the theorem's symbols, as `DerivedTheorem.conclusions` documents."""
    answers = in_letters(theorem).items()
    return tuple(sympy.Eq(sympy.Symbol(key), value, evaluate=False) for key, value in answers)
