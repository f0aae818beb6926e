"""Look-up of a statement's symbols by name, and values for them in SymPy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dtmodel.base.errors import MISSING, InputError, one_of
from dtmodel.theorems.data import StatementData
from dtmodel.theorems.quantities import Symbol


def symbol_named(statement: StatementData, name: object) -> Symbol:
    """Return a symbol of a statement by its name."""
    for symbol in statement.symbols:
        if symbol.name == name:
            return symbol
    raise InputError("symbol", name, one_of((symbol.name for symbol in statement.symbols), name))


def result_named(statement: StatementData, name: object) -> str:
    """Return the name of a result; raise `InputError` if the statement does not have it."""
    if name not in statement.results:
        accepted = (
            one_of(statement.results, name) if statement.results else "no result, since the statement has no formula"
        )
        raise InputError("result", name, accepted)
    return str(name)


def letter_of(symbol: Symbol) -> Any:
    """Return the SymPy symbol to differentiate or solve by, also for a symbol that stands for an expression."""
    return symbol.written if symbol.stands else symbol.sympy


def placed_values(
    statement: StatementData, values: Mapping[str, Any], unknown: str = "", *, partly: bool = False
) -> dict[str, Any]:
    """Read values as SymPy rationals; the unknown, and with `partly` every symbol without a value, remains a symbol."""
    for name in values:
        symbol_named(statement, name)
    placed = {}
    for symbol in statement.symbols:
        if symbol.name in values:
            placed[symbol.name] = symbol.symbolic(values[symbol.name])
        elif symbol.name == unknown or partly or symbol.optional or symbol.name not in statement.inputs:
            placed[symbol.name] = letter_of(symbol)
        else:
            raise InputError(symbol.name, MISSING, f"a value: {symbol.accepted}")
    return placed


def rational(symbol: Symbol, value: object) -> Any:
    """Read a value of a symbol as a SymPy rational."""
    import sympy

    read = symbol.one(value, symbol.name)
    return sympy.Rational(read.numerator, read.denominator)


def takes(symbol: Symbol, value: Any) -> bool:
    """Return True if an exact SymPy number lies in the domain of the symbol."""
    if symbol.domain != "real" and not symbol.within(value):
        return False
    if symbol.domain in ("count", "number") and not value.is_integer:
        return False
    return symbol.domain != "share" or bool(value <= 1)
