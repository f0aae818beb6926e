"""Kind ``values``: named exact numbers that satisfy every hypothesis and violate the statement."""

import ast
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .algebra import RefusedError, refuse_unless

__all__ = ["check"]

FUNCTIONS: dict[str, Callable[..., Any]] = {"min": min, "max": max, "abs": abs, "sum": sum,
                                            "floor": math.floor, "ceil": math.ceil}  # fmt: skip
BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip


def evaluate(text: str, values: dict[str, Any]) -> Any:
    """Evaluate exact arithmetic and relations; anything else is refused."""
    source = text.strip()

    def of(node: ast.AST) -> Any:
        match node:
            case ast.Constant(value=bool()):
                return node.value
            case ast.Constant(value=int() | float()):
                return Fraction(ast.get_source_segment(source, node) or "")
            case ast.Name() if node.id in values:
                return values[node.id]
            case ast.Tuple() | ast.List():
                return tuple(of(item) for item in node.elts)
            case ast.Subscript():
                return of(node.value)[int(of(node.slice))]
            case ast.UnaryOp(op=ast.Not()):
                return not of(node.operand)
            case ast.UnaryOp(op=ast.USub()):
                return -of(node.operand)
            case ast.UnaryOp(op=ast.UAdd()):
                return of(node.operand)
            case ast.BinOp(op=ast.Pow()):
                exponent = Fraction(of(node.right))
                refuse_unless(exponent.denominator == 1 and abs(exponent) <= 10_000, "an exponent is not whole")
                return Fraction(of(node.left)) ** int(exponent)
            case ast.BinOp() if type(node.op) in BINARY:
                return Fraction(BINARY[type(node.op)](of(node.left), of(node.right)))
            case ast.Compare() if all(type(op) in COMPARE for op in node.ops):
                sides = [of(side) for side in (node.left, *node.comparators)]
                pairs = zip(node.ops, sides[:-1], sides[1:], strict=True)
                return all(COMPARE[type(op)](a, b) for op, a, b in pairs)
            case ast.BoolOp(op=ast.And()):
                return all(of(item) is True for item in node.values)
            case ast.BoolOp():
                return any(of(item) is True for item in node.values)
            case ast.Call(func=ast.Name(id=name), keywords=[]) if name in FUNCTIONS:
                return Fraction(FUNCTIONS[name](*(of(item) for item in node.args)))
        raise RefusedError(f"{source!r}: {ast.dump(node)[:60]} is not exact arithmetic")

    return of(ast.parse(source, mode="eval").body)


def check(document: dict[str, Any]) -> None:
    """Evaluate every hypothesis and the statement."""
    values = {
        name: tuple(Fraction(item) for item in value) if isinstance(value, list) else Fraction(value)
        for name, value in document["values"].items()
    }
    for text in document.get("hypotheses", []):
        refuse_unless(evaluate(text, values) is True, f"the hypothesis {text!r} is not true")
    refuse_unless(evaluate(document["statement"], values) is False, "the statement is not false")
