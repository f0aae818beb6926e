"""The expressions of a derive file: `dtmodel.base.expressions` restricted to + - * / ** ( ), numbers and symbols."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

from dtmodel.base import units
from dtmodel.base.errors import InputError, one_of
from dtmodel.base.expressions import Expression, Undefined, evaluate, free_names, parse

RELATIONS = ("<=", ">=", "==", "<", ">")
_ACCEPTED = "an expression of + - * / ** ( ), exact numbers and the declared symbols"
_ARITHMETIC = (ast.BinOp, ast.UnaryOp, ast.Name, ast.Constant, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.USub,
               ast.UAdd, ast.Load)  # fmt: skip
_LONGEST = 2000
_HIGHEST = 64
_DEEPEST = 100
_MOST_DEGREE = 2 * _HIGHEST
_MOST_TERMS = 5000
_MOST_TERMS_OF_A_POWER = 300  # (x + y + 5)**24 - y**2 takes a second to factor, **30 far too long
_MOST_BITS = 2**16


@dataclass(frozen=True)
class Term:
    """A parsed expression; `value` substitutes numbers or rational functions for the symbols."""

    expression: Expression
    field: str

    @property
    def text(self) -> str:
        """The source text of the expression."""
        return self.expression.text

    @property
    def names(self) -> frozenset[str]:
        """The symbols in the expression."""
        return free_names(self.expression)

    def denominator(self) -> Term | None:
        """Return the denominator of the expression as it is written, if it contains symbols."""
        node = self.expression.tree
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
            return None
        below = Term(Expression(ast.unparse(node.right), node.right), self.field)
        return below if below.names else None

    def value(self, symbols: Mapping[str, Any]) -> Any:
        """Return the value of the expression at values of the symbols; raise `InputError` on a division by 0."""
        try:
            return evaluate(self.expression, symbols)
        except Undefined as error:
            raise InputError(self.field, self.text, "an expression that does not divide by 0") from error


@dataclass(frozen=True)
class Relation:
    """A relation between two expressions."""

    left: Term
    sign: str
    right: Term


class _Definitions(ast.NodeTransformer):
    """Replaces defined symbols by their definitions."""

    def __init__(self, definitions: Mapping[str, Term | None]) -> None:
        self.definitions = definitions

    def visit_Name(self, node: ast.Name) -> ast.expr:
        defined = self.definitions[node.id]
        return node if defined is None else defined.expression.tree


def read_expression(text: object, field: str, symbols: Collection[str]) -> Term:
    """Read an expression of + - * / ** (whole) ( ), numbers and `symbols` (or definitions), else `InputError`."""
    if not isinstance(text, str):
        text = units.plain(units.exact(text, field, _ACCEPTED))
    if len(text) > _LONGEST:
        raise InputError(field, text[:40] + "...", _ACCEPTED)
    expression = parse(text, field, _ACCEPTED)
    for node in ast.walk(expression.tree):
        if not isinstance(node, _ARITHMETIC) or (isinstance(node, ast.Constant) and not _number(node)):
            raise InputError(field, text, _ACCEPTED)
        if isinstance(node, ast.Name) and node.id not in symbols:
            raise InputError(field, text, f"declared symbols; {node.id} is not {one_of(sorted(symbols), node.id)}")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _whole(node.right):
            raise InputError(field, text, f"exponents that are whole numbers of at most {_HIGHEST}")
    _refuse_depth(expression, field)
    if isinstance(symbols, Mapping):
        own = deepcopy(expression.tree)  # the parsed tree is cached and shared
        expression = Expression(expression.text, _Definitions(symbols).visit(own))
        _refuse_depth(expression, field)
    known: dict[int, _Size] = {}
    size = _size(expression.tree, known)
    powers = (
        node for node in ast.walk(expression.tree) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)
    )
    if any(max(known[id(node)].top.terms, known[id(node)].bottom.terms) > _MOST_TERMS_OF_A_POWER for node in powers):
        raise InputError(field, text, f"powers of at most {_MOST_TERMS_OF_A_POWER} terms once multiplied out")
    if size.bits > _MOST_BITS or any(p.degree > _MOST_DEGREE or p.terms > _MOST_TERMS for p in (size.top, size.bottom)):
        accepted = f"at most degree {_MOST_DEGREE}, {_MOST_TERMS} terms and {_MOST_BITS} bits once multiplied out"
        raise InputError(field, text, accepted)
    return Term(expression, field)


def _refuse_depth(expression: Expression, field: str) -> None:
    """Raise `InputError` if operations are nested too deeply for the parser."""
    level: list[ast.AST] = [expression.tree]
    for _ in range(_DEEPEST):
        level = list({id(node): node for each in level for node in ast.iter_child_nodes(each)}.values())
        if not level:
            return
    raise InputError(field, expression.text[:40] + "...", f"at most {_DEEPEST} operations one inside another")


class _Terms(NamedTuple):
    """A lower bound on the number of terms of a polynomial, and its degree."""

    terms: int
    degree: int

    def __mul__(self, other: Any) -> _Terms:
        return _Terms(self.terms * other.terms, self.degree + other.degree)

    def __or__(self, other: _Terms) -> _Terms:
        return _Terms(self.terms + other.terms, max(self.degree, other.degree))

    def __pow__(self, power: int) -> _Terms:
        return _Terms(comb(min(self.terms, _MOST_TERMS) + power - 1, power) if power else 1, self.degree * power)


class _Size(NamedTuple):
    """Lower bounds on the size of a numerator and a denominator, and on the bits of a coefficient."""

    top: _Terms
    bottom: _Terms
    bits: int


_ONE = _Terms(1, 0)


def _size(node: ast.expr, known: dict[int, _Size]) -> _Size:
    """Estimate the size of an expression after expansion; shared definitions are visited once."""
    if id(node) not in known:
        known[id(node)] = _size_of(node, known)
    return known[id(node)]


def _size_of(node: ast.expr, known: dict[int, _Size]) -> _Size:
    match node:
        case ast.Constant(value=value):
            exact = Fraction(value)  # type: ignore[arg-type]  # a number: all else was refused
            return _Size(_ONE, _ONE, max(abs(exact.numerator), exact.denominator).bit_length())
        case ast.UnaryOp(operand=operand):
            return _size(operand, known)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            power, base = int(ast.literal_eval(right)), _size(left, known)
            top, bottom = (base.top, base.bottom) if power >= 0 else (base.bottom, base.top)
            bits = (base.bits + max(top.terms, bottom.terms).bit_length()) * abs(power)
            return _Size(top ** abs(power), bottom ** abs(power), bits)
        case ast.BinOp(left=left, op=op, right=right):
            one, other = _size(left, known), _size(right, known)
            if isinstance(op, ast.Div):
                other = _Size(other.bottom, other.top, other.bits)
            product = isinstance(op, ast.Mult | ast.Div)
            top = one.top * other.top if product else one.top * other.bottom | other.top * one.bottom
            return _Size(top, one.bottom * other.bottom, one.bits + other.bits + (top.terms > 1))
    return _Size(_Terms(1, 1), _ONE, 1)


def read_symbols(declared: Mapping[str, object]) -> tuple[dict[str, tuple[Relation, ...]], dict[str, Term | None]]:
    """Read the declarations of symbols; return their relations, and the definition by ``==`` of each symbol or None.

    Raises `InputError` if a symbol is defined twice, or by itself.
    """
    plain = {name: read_relations(name, text, f"symbols.{name}", set(declared)) for name, text in declared.items()}
    defined: dict[str, Term | None] = dict.fromkeys(declared)
    waiting = {name: each for name, found in plain.items() if (each := [r.right for r in found if r.sign == "=="])}
    while waiting:
        ready = [name for name, terms in waiting.items() if not terms[0].names & waiting.keys()]
        if not ready or any(len(waiting[name]) > 1 for name in ready):
            name = next((name for name in waiting if len(waiting[name]) > 1), next(iter(waiting)))
            raise InputError(f"symbols.{name}", declared[name], "one definition (==), which is not circular")
        for name in ready:
            (term,) = waiting.pop(name)
            defined[name] = read_expression(term.text, term.field, dict(defined))
    read = {name: read_relations(name, text, f"symbols.{name}", defined) for name, text in declared.items()}
    return {name: tuple(found) for name, found in read.items()}, defined


def read_relation(text: str, field: str, symbols: Collection[str]) -> Relation:
    """Read one relation, such as ``"R - C >= 0"``."""
    for sign in RELATIONS:
        left, found, right = text.partition(sign)
        if found:
            sides = (read_expression(side.strip(), field, symbols) for side in (left, right))
            return Relation(next(sides), sign, next(sides))
    raise InputError(field, text, f"a relation with one of {', '.join(RELATIONS)}")


def read_relations(name: str, text: object, field: str, symbols: Collection[str]) -> list[Relation]:
    """Read the declaration of a symbol: ``"> 0"``, ``">= C"``, ``"> 0, <= 1"``."""
    if not isinstance(text, str) or not text.strip():
        raise InputError(field, text, 'relations, such as "> 0" or ">= C, < 2*C"')
    return [read_relation(f"{name} {part.strip()}", field, symbols) for part in text.split(",")]


def _number(node: ast.Constant) -> bool:
    return not isinstance(node.value, str | bool) and node.value is not None


def _whole(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and type(inner.value) is int and inner.value <= _HIGHEST
