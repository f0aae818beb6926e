"""The expressions of a derive file: + - * / ** ( ), whole numbers and symbols; read, never run as Python."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel.errors import InputError

__all__ = ["RELATIONS", "Relation", "Term", "read_expression", "read_relation", "read_relations"]

RELATIONS = ("<=", ">=", "==", "<", ">")
_ACCEPTED = "an expression of + - * / ** ( ), whole numbers and the declared symbols"
_LONGEST = 2000
_HIGHEST = 64


@dataclass(frozen=True)
class Term:
    """An expression that was read; `value` puts numbers or rational functions in for the symbols.

    Examples
    --------
    >>> read_expression("2*(a + 1)**2/3", "x", {"a"}).value({"a": Fraction(2)})
    Fraction(6, 1)
    """

    text: str
    field: str
    tree: ast.expr

    @property
    def names(self) -> set[str]:
        """The symbols in it."""
        return {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}

    def value(self, symbols: Mapping[str, Any]) -> Any:
        """Return its value.

        Raises
        ------
        InputError
            If it divides by 0.
        """
        try:
            return _value(self.tree, symbols)
        except ZeroDivisionError as error:
            raise InputError(self.field, self.text, "an expression that does not divide by 0") from error


@dataclass(frozen=True)
class Relation:
    """A relation between two expressions."""

    left: Term
    sign: str
    right: Term


def read_expression(text: object, field: str, symbols: set[str]) -> Term:
    """Read an expression.

    Raises
    ------
    InputError
        If it is anything else than + - * / ** ( ), whole numbers and the symbols; exponents are whole numbers.

    Examples
    --------
    >>> read_expression("alpha**N", "x", {"alpha", "N"})
    Traceback (most recent call last):
    dtmodel.errors.InputError: x: got 'alpha**N'; expected exponents that are whole numbers of at most 64
    """
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise InputError(field, text, _ACCEPTED)
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(field, text, _ACCEPTED) from error
    _check(tree, text, field, symbols)
    return Term(text.strip(), field, tree)


def read_relation(text: str, field: str, symbols: set[str]) -> Relation:
    """Read one relation, such as ``"R - C >= 0"``."""
    for sign in RELATIONS:
        left, found, right = text.partition(sign)
        if found:
            return Relation(read_expression(left, field, symbols), sign, read_expression(right, field, symbols))
    raise InputError(field, text, f"a relation with one of {', '.join(RELATIONS)}")


def read_relations(name: str, text: object, field: str, symbols: set[str]) -> list[Relation]:
    """Read what a symbol is declared with: ``"> 0"``, ``">= C"``, ``"> 0, <= 1"``."""
    if not isinstance(text, str) or not text.strip():
        raise InputError(field, text, 'relations, such as "> 0" or ">= C, < 2*C"')
    return [read_relation(f"{name} {part.strip()}", field, symbols) for part in text.split(",")]


def _check(node: ast.AST, text: str, field: str, symbols: set[str]) -> None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
        _check(node.left, text, field, symbols)
        _check(node.right, text, field, symbols)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        _check(node.left, text, field, symbols)
        if _whole(node.right) is None:
            raise InputError(field, text, f"exponents that are whole numbers of at most {_HIGHEST}")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        _check(node.operand, text, field, symbols)
    elif isinstance(node, ast.Name):
        if node.id not in symbols:
            raise InputError(field, text, f"declared symbols; {node.id} is not one ({', '.join(sorted(symbols))})")
    elif not (isinstance(node, ast.Constant) and type(node.value) is int):
        raise InputError(field, text, _ACCEPTED)


def _whole(node: ast.expr) -> int | None:
    turned = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if isinstance(node, ast.UnaryOp) and turned else node
    if isinstance(inner, ast.Constant) and type(inner.value) is int and inner.value <= _HIGHEST:
        return -inner.value if turned else inner.value
    return None


def _value(node: ast.expr, symbols: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Constant):
        return Fraction(str(node.value))
    if isinstance(node, ast.Name):
        return symbols[node.id]
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, symbols)
        return -inner if isinstance(node.op, ast.USub) else inner
    assert isinstance(node, ast.BinOp)
    left = _value(node.left, symbols)
    if isinstance(node.op, ast.Pow):
        exponent = _whole(node.right)
        assert exponent is not None
        return left**exponent
    right = _value(node.right, symbols)
    if isinstance(node.op, ast.Add):
        return left + right
    if isinstance(node.op, ast.Sub):
        return left - right
    if isinstance(node.op, ast.Mult):
        return left * right
    return left / right
