"""Statements of the registry, and numbers within and outside their hypotheses."""

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from dtmodel import InputError, Switch
from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.statement import Statement
from dtmodel.theory import statements

ALL = {statement.id: statement for statement in statements()}
every = pytest.mark.parametrize("statement", ALL.values(), ids=ALL)
SWITCH = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
GIVEN = {"alpha": 1, "B": "1 MB", "C": "1 Gbps", "M": 1, "N": 2, "R": "2 Gbps"}


def drawn(symbol: Symbol, rng: random.Random) -> Any:
    """A small dyadic number, which floats hold exactly; small so that ties and borders come up."""
    if symbol.many:
        return sorted(
            (drawn(replace(symbol, many=False), rng) for _ in range(rng.randint(symbol.least, 4))), reverse=True
        )
    if symbol.domain == "share":
        return Fraction(rng.randint(0, 8), 8)
    if symbol.domain in ("count", "number"):
        return rng.randint(0 if symbol.domain == "count" else 1, 4)
    least = 0 if symbol.domain in ("nonnegative", "real") else 1
    return Fraction(rng.randint(least, rng.choice((4, 40))), rng.choice((1, 1, 2, 4)))


def points(statement: Statement, wanted: int) -> list[tuple[dict[str, Any], Any]]:
    """Points within the hypotheses, and what is exact there."""
    rng, found, within = random.Random(statement.id), [], replace(statement, beyond=None)
    symbols = [symbol for symbol in statement.symbols if symbol.name in statement.inputs and not symbol.optional]
    for _ in range(4000):
        values = {symbol.name: drawn(symbol, rng) for symbol in symbols}
        try:
            found.append((values, within.evaluate(**values)))
        except (InputError, ZeroDivisionError):
            continue
        if len(found) == wanted:
            return found
    raise AssertionError(f"{statement.id}: {len(found)} points")


def placed(statement: Statement, values: dict[str, Any]) -> tuple[dict[str, Any], dict[Any, Any]]:
    """The symbols in place of the values, and what to substitute for them."""
    symbols, back = {}, {}
    for symbol in statement.symbols:
        if symbol.name in values and symbol.many:
            letters = sympy.symbols(f"{symbol.name}_1:{len(values[symbol.name]) + 1}", positive=True)
            symbols[symbol.name] = list(letters)
            back |= {letter: sympy.Rational(value) for letter, value in zip(letters, values[symbol.name], strict=True)}
        elif symbol.name in values:
            symbols[symbol.name] = symbol.written
            back[symbol.written] = sympy.Rational(values[symbol.name])
    return symbols, back


def as_list(value: Any) -> list[Any]:
    return list(value) if np.ndim(value) else [value]


def refusal(ask: Callable[..., Any], *arguments: Any, **values: Any) -> Any:
    try:
        ask(*arguments, **values)
    except InputError as error:
        return error
    return None


def in_floats(values: dict[str, Any], times: int) -> dict[str, Any]:
    return {
        name: np.array([[float(x) for x in v]] * times if isinstance(v, list) else [float(v)] * times)
        for name, v in values.items()
    }
