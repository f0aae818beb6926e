"""Evaluation of a statement at numbers, symbols or arrays: the type of the values decides the arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dtmodel.base.errors import MISSING, InputError
from dtmodel.theorems.arrays import in_arrays
from dtmodel.theorems.data import StatementData, inputs, results
from dtmodel.theorems.evaluation import Evaluated, exactly, symbolically
from dtmodel.theorems.operations import is_array, is_symbolic
from dtmodel.theorems.quantities import Symbol, only_named


def evaluate_at(statement: StatementData, values: Mapping[str, Any]) -> Evaluated:
    """Evaluate a statement at values by name.

    Raises `InputError` if a name is not a symbol, a symbol has no value or does not accept its value, a hypothesis is
    false, the sign of a SymPy symbol is not declared, an array is not numeric, or shapes do not broadcast.
    """
    symbols = inputs(statement)
    if not symbols:
        raise InputError("evaluate", ", ".join(values) or MISSING, "a statement that has a formula to evaluate")
    only_named(values, symbols, results(statement.computed))
    symbols = tuple(symbol for symbol in symbols if symbol.name in values)
    values = read_once(symbols, values)
    given = [
        item for symbol in symbols for item in _flat(symbol, values[symbol.name]) if type(item) not in (Fraction, int)
    ]
    if any(is_array(item) for item in given):
        return in_arrays(statement, symbols, values)
    if any(is_symbolic(item) and not getattr(item, "is_number", True) for item in given):
        return symbolically(statement, symbols, {s.name: s.symbolic(values[s.name]) for s in symbols})
    return exactly(statement, {symbol.name: symbol.exact(values[symbol.name]) for symbol in symbols})


def read_once(symbols: Sequence[Symbol], values: Mapping[str, Any]) -> dict[str, Any]:
    """Replace each iterator among the values by a list, since an iterator yields its elements only once."""
    return {
        **values,
        **{s.name: s.items(values[s.name]) for s in symbols if s.many and isinstance(values.get(s.name), Iterator)},
    }


def _flat(symbol: Symbol, value: object) -> list[object]:
    return symbol.items(value) if symbol.many and not is_array(value) else [value]
