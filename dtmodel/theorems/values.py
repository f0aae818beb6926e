"""Evaluation of a statement at numbers, symbols or arrays: the type of the values decides the arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dtmodel.base.errors import MISSING, InputError
from dtmodel.theorems.data import StatementData, deciding, inputs, parameter_names
from dtmodel.theorems.evaluation import Evaluated, exactly, symbolically
from dtmodel.theorems.operations import is_array, is_symbolic
from dtmodel.theorems.quantities import Symbol, only_named


def evaluate_at(statement: StatementData, values: Mapping[str, Any]) -> Evaluated:
    """Evaluate a statement at values by name.

    Raises `InputError` if a name is not a symbol, a symbol has no value or does not accept its value, a hypothesis is
    false, the sign of a SymPy symbol is not declared, an array is not numeric, or shapes do not broadcast.
    """
    if statement.along and any(symbol.domain == "pieces" and symbol.name in values for symbol in statement.symbols):
        return _in_pieces(statement, statement.along, values)
    symbols = inputs(statement)
    if not symbols:
        raise InputError("evaluate", ", ".join(values) or MISSING, "a statement that has a formula to evaluate")
    only_named(values, (*symbols, *(lasting := deciding(statement))), statement.results)
    symbols, lasting = (tuple([symbol for symbol in some if symbol.name in values]) for some in (symbols, lasting))
    values = read_once(symbols, values)
    each = [item for s in symbols for item in (_flat(s, values[s.name]) if s.many else (values[s.name],))]
    given = [item for item in each if type(item) not in (Fraction, int, float)]
    arrays = any(is_array(item) for item in given)
    symbolic = not arrays and any(is_symbolic(item) and not getattr(item, "is_number", True) for item in given)
    if arrays or symbolic:
        for symbol in lasting:
            raise InputError(symbol.name, values[symbol.name], "exact numbers for all other symbols")
    if arrays:
        from dtmodel.theorems.arrays import in_arrays

        return in_arrays(statement, symbols, values)
    if symbolic:
        return symbolically(statement, symbols, {s.name: s.symbolic(values[s.name]) for s in symbols})
    return exactly(statement, {s.name: s.exact(values[s.name]) for s in (*symbols, *lasting)})


def _in_pieces(statement: StatementData, along: Callable[..., Evaluated], values: Mapping[str, Any]) -> Evaluated:
    """Evaluate a statement for rates that vary in time, at exact numbers."""
    symbols = [symbol for symbol in statement.symbols if symbol.name in parameter_names(along)]
    only_named(values, symbols, ())
    return along(**{s.name: s.exact(values[s.name]) if s.name in values else None for s in symbols})


def read_once(symbols: Sequence[Symbol], values: Mapping[str, Any]) -> dict[str, Any]:
    """Replace each iterator among the values by a list, since an iterator yields its elements only once."""
    return {
        **values,
        **{s.name: s.items(values[s.name]) for s in symbols if s.many and isinstance(values.get(s.name), Iterator)},
    }


def _flat(symbol: Symbol, value: object) -> list[object]:
    return [value] if is_array(value) else symbol.items(value)
