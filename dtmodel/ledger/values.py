"""Named exact numbers and relations between them, for witnesses of kind ``"values"``."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from dtmodel.base import expressions
from dtmodel.base.errors import InputError, LedgerError

Exact = Fraction | bool | tuple[Fraction, ...]
"""The type of the value of an expression."""


class _Numbered(tuple[Fraction, ...]):
    """A list of a witness: its items count from 0, or from the end if negative, as in the checker of certificates."""

    __slots__ = ()

    def __call__(self, index: Fraction) -> Fraction:
        if index.denominator != 1 or not -len(self) <= index < len(self):
            raise IndexError(f"the index {index} is not one of 0..{len(self) - 1}")
        return self[int(index)]


def evaluate_text(text: str, values: Mapping[str, Exact]) -> Exact:
    """Evaluate an expression or relation exactly (lists count from 0); raise `LedgerError` if it is not one."""
    scope = {name: _Numbered(value) if isinstance(value, tuple) else value for name, value in values.items()}
    try:
        result = expressions.evaluate(expressions.parse(text), scope)
    except (InputError, expressions.Undefined) as error:
        raise LedgerError(f"{text!r} cannot be evaluated ({error}): write exact arithmetic and relations") from error
    if not isinstance(result, bool | Fraction | _Numbered):
        raise LedgerError(f"{text!r} is neither a number nor a relation: write exact arithmetic and relations")
    return result


def evaluate_all(relations: Sequence[str], values: Mapping[str, Exact]) -> list[str]:
    """Return the relations that are not true at `values`."""
    return [relation for relation in relations if evaluate_text(relation, values) is not True]


def read_values(values: Mapping[str, Any]) -> dict[str, Exact]:
    """Read named values: numbers, ``"p/q"``, or lists of them."""
    return {
        name: tuple(_number(item) for item in value) if isinstance(value, list | tuple) else _number(value)
        for name, value in values.items()
    }


def replay_values(data: Mapping[str, Any]) -> dict[str, Any]:
    """Replay a witness of kind ``"values"``: the truth of each hypothesis, and of the statement."""
    unknown = set(data) - {"values", "hypotheses", "statement"}
    if unknown or "values" not in data or "statement" not in data:
        raise LedgerError("a witness of kind 'values' has the keys values, hypotheses and statement")
    values = read_values(data["values"])
    hypotheses = [evaluate_text(text, values) is True for text in data.get("hypotheses", ())]
    statement = evaluate_text(data["statement"], values)
    if not isinstance(statement, bool):
        raise LedgerError(f"statement {data['statement']!r} is not a relation")
    return {"hypotheses": hypotheses, "statement": statement}


def _number(value: object) -> Fraction:
    if isinstance(value, bool | float) or not isinstance(value, int | str | Fraction):
        raise LedgerError(f"value {value!r}: write an exact number such as '1/3'")
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError) as error:
        raise LedgerError(f"value {value!r}: write an exact number such as '1/3'") from error
