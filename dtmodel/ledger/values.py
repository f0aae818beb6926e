"""A safe exact evaluator for the arithmetic and relations that witnesses of kind ``"values"`` are written in."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dtmodel.errors import LedgerError

__all__ = ["Exact", "evaluate", "evaluate_all", "replay_values"]

Exact = Fraction | bool | tuple[Fraction, ...]
"""What an expression evaluates to."""

_LARGEST_EXPONENT = 10_000

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "sum": sum,
    "floor": lambda x: Fraction(math.floor(x)),
    "ceil": lambda x: Fraction(math.ceil(x)),
}


def evaluate(text: str, values: Mapping[str, Exact]) -> Exact:
    """Evaluate an expression or relation exactly.

    Parameters
    ----------
    text : str
        Python-like: ``+ - * / // % **`` (whole exponents), comparisons, ``and or not``, and
        ``min max abs sum floor ceil``; a decimal means what it says.
    values : mapping
        The names.

    Raises
    ------
    LedgerError
        If anything else occurs in the text, or it divides by zero.

    Examples
    --------
    >>> evaluate("alpha * max(R, 2) < 0.1", {"alpha": Fraction(1, 3), "R": Fraction(1)})
    False
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
        result: Exact = _Evaluator(text.strip(), values).visit(tree.body)
    except (SyntaxError, TypeError, ZeroDivisionError, ValueError, OverflowError, IndexError) as error:
        raise LedgerError(f"{text!r} cannot be evaluated ({error}): write exact arithmetic and relations") from error
    return result


def evaluate_all(relations: Sequence[str], values: Mapping[str, Exact]) -> list[str]:
    """Return the relations that are not true at `values`.

    Examples
    --------
    >>> evaluate_all(["x > 0", "x > 1"], {"x": Fraction(1)})
    ['x > 1']
    """
    return [relation for relation in relations if evaluate(relation, values) is not True]


def read_values(values: Mapping[str, Any]) -> dict[str, Exact]:
    """Read named values: numbers, ``"p/q"``, or lists of them."""
    return {
        name: tuple(_number(item) for item in value) if isinstance(value, list | tuple) else _number(value)
        for name, value in values.items()
    }


def replay_values(data: Mapping[str, Any]) -> dict[str, Any]:
    """Replay a witness of kind ``"values"``: which hypotheses hold, and whether the statement does.

    Examples
    --------
    >>> replay_values({"values": {"x": "3"}, "hypotheses": ["x > 0"], "statement": "x < 2"})
    {'hypotheses': [True], 'statement': False}
    """
    unknown = set(data) - {"values", "hypotheses", "statement"}
    if unknown or "values" not in data or "statement" not in data:
        raise LedgerError("a witness of kind 'values' has the keys values, hypotheses and statement")
    values = read_values(data["values"])
    hypotheses = [evaluate(text, values) is True for text in data.get("hypotheses", ())]
    statement = evaluate(data["statement"], values)
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


class _Evaluator(ast.NodeVisitor):
    """Walks the few kinds of node that are allowed."""

    def __init__(self, text: str, values: Mapping[str, Exact]) -> None:
        self.text, self.values = text, values

    def generic_visit(self, node: ast.AST) -> Any:
        raise LedgerError(f"{self.text!r}: {type(node).__name__} is not allowed in exact arithmetic")

    def visit_Constant(self, node: ast.Constant) -> Exact:
        if isinstance(node.value, bool):
            return node.value
        if isinstance(node.value, int | float):
            return Fraction(ast.get_source_segment(self.text, node) or "")
        raise LedgerError(f"{self.text!r}: {node.value!r} is not a number")

    def visit_Name(self, node: ast.Name) -> Exact:
        if node.id not in self.values:
            raise LedgerError(f"{self.text!r}: {node.id!r} has no value; the names are {', '.join(self.values)}")
        return self.values[node.id]

    def visit_Tuple(self, node: ast.Tuple) -> Exact:
        return tuple(self.visit(item) for item in node.elts)

    visit_List = visit_Tuple  # type: ignore[assignment]  # a list is read as a tuple

    def visit_Subscript(self, node: ast.Subscript) -> Exact:
        items: tuple[Fraction, ...] = self.visit(node.value)
        return items[int(self.visit(node.slice))]

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Exact:
        operand = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            return not self._truth(operand)
        if isinstance(node.op, ast.USub):
            return -self._quantity(operand)
        return self._quantity(operand)

    def visit_BinOp(self, node: ast.BinOp) -> Exact:
        left, right = self._quantity(self.visit(node.left)), self._quantity(self.visit(node.right))
        if isinstance(node.op, ast.Pow):
            if right.denominator != 1 or abs(right) > _LARGEST_EXPONENT:
                raise LedgerError(f"{self.text!r}: exponents are whole numbers up to {_LARGEST_EXPONENT}")
            return Fraction(left ** int(right))
        if type(node.op) not in _BINARY:
            return bool(self.generic_visit(node.op))
        return Fraction(_BINARY[type(node.op)](left, right))

    def visit_Compare(self, node: ast.Compare) -> Exact:
        sides = [self.visit(node.left), *(self.visit(item) for item in node.comparators)]
        for side in sides:
            self._quantity(side)
        if any(type(op) not in _COMPARE for op in node.ops):
            raise LedgerError(f"{self.text!r}: only < <= > >= == != compare")
        return all(_COMPARE[type(op)](a, b) for op, a, b in zip(node.ops, sides[:-1], sides[1:], strict=True))

    def visit_BoolOp(self, node: ast.BoolOp) -> Exact:
        truths = [self._truth(self.visit(item)) for item in node.values]
        return all(truths) if isinstance(node.op, ast.And) else any(truths)

    def visit_Call(self, node: ast.Call) -> Exact:
        if not isinstance(node.func, ast.Name) or node.func.id not in _FUNCTIONS or node.keywords:
            raise LedgerError(f"{self.text!r}: the functions are {', '.join(_FUNCTIONS)}")
        result = _FUNCTIONS[node.func.id](*(self.visit(item) for item in node.args))
        return Fraction(result)

    def _quantity(self, value: Exact) -> Fraction:
        if not isinstance(value, Fraction):
            raise LedgerError(f"{self.text!r}: {value!r} stands where a number should")
        return value

    def _truth(self, value: Exact) -> bool:
        if not isinstance(value, bool):
            raise LedgerError(f"{self.text!r}: {value!r} stands where a relation should")
        return value
