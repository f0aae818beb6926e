"""The expression language of claims, witnesses and derived theorems: parsed as a tree, never run as Python.

Numbers and decimals are exact. Besides arithmetic and relations there are ranges (``1..M``), binders
(``each(i, 1..M, d[i] > t)``), conditional values (``x if k == 1 else y``), and functions of the caller.

- ``expression`` is a parsed expression; ``field`` names it in an error, ``accepted`` are the accepted values there.
"""

import ast
import math
import operator
import re
from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, total_ordering
from itertools import pairwise
from typing import Any, Final, Self, final

from dtmodel.base.errors import InputError

_LARGEST_EXPONENT = 10_000
_LONGEST_RANGE = 100_000


class Undefined(Exception):  # noqa: N818 - a possible value of an expression, often not an error
    """An expression has no value at an instance: it divides by zero, or an engine refuses its arguments."""


@final
@total_ordering
class Never:
    """The time of an event that does not happen: greater than every number, infinite as a float and in SymPy.

    It is false, so that ``if answer.first_drop:`` asks for an event.

    >>> never > Fraction(3), never == never, Fraction(2) * never == never, float(never), bool(never), max(3, never)
    (True, True, True, inf, False, never)
    """

    def __repr__(self) -> str:
        return "never"

    def __reduce__(self) -> str:
        return "never"

    def __eq__(self, other: object) -> bool:
        return self is other

    def __lt__(self, other: object) -> bool:
        return False

    def __gt__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return hash(math.inf)

    def __bool__(self) -> bool:
        return False

    def __float__(self) -> float:
        return math.inf

    def _sympy_(self) -> Any:
        import sympy

        return sympy.oo

    def __add__(self, other: object) -> Self:
        return self

    __radd__ = __add__

    def __sub__(self, other: object) -> Self:
        if self is other:
            raise Undefined("never - never")
        return self

    def __mul__(self, other: Any) -> Self:
        if isinstance(other, Fraction) and other <= 0:
            raise Undefined("never times a number that is not positive")
        return self

    __rmul__ = __mul__


never: Final = Never()
"""The time of an event that does not happen."""


@dataclass(frozen=True)
class Expression:
    """A parsed expression: its `text`, and the `tree` of Python's parser, which is walked to evaluate or print it."""

    text: str
    tree: ast.expr

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"


_GRAMMAR = "an expression with + - * / ** ( ), relations, and or not, a..b, names and exact numbers"


def parse(text: str, field: str = "expression", accepted: str = _GRAMMAR) -> Expression:
    """Parse an expression without evaluating it.

    The `text` may have ``+ - * / // % **``, comparisons (also chained), ``and or not``, ``x if c else y``, ``a[i]``,
    ``f(x, n = y)``, lists, simple texts in quotes, and the range ``a..b`` of whole numbers. `InputError` is raised for
    anything else.
    """
    if (found := _read(text)) is None:
        raise InputError(field, text, accepted)
    return found


@cache
def _read(text: str) -> Expression | None:
    """Parse an expression, with a cache; None if it is not an expression. Nothing may alter its tree."""
    # The bar has the precedence of a range: below + and above relations.
    prepared = re.sub(r"\.\.", "|", " ".join(text.split()))
    try:
        tree = ast.parse(prepared, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        if not isinstance(node, _ALLOWED) or (isinstance(node, ast.Constant) and not _constant(node)):
            return None
        if isinstance(node, ast.Call) and not isinstance(node.func, ast.Name):
            return None
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            written = ast.get_source_segment(prepared, node) or ""
            if abs(int(written.lower().partition("e")[2] or 0)) > _LARGEST_EXPONENT:
                return None
            node.value = Fraction(written.replace("_", ""))  # type: ignore[assignment]  # exact, as it is written
    return Expression(" ".join(text.split()), tree)


@cache
def free_names(expression: Expression) -> frozenset[str]:
    """Return the names that an expression takes from outside, without functions and bound names."""
    return frozenset(_free(expression.tree))


@cache
def calls(expression: Expression) -> tuple[ast.Call, ...]:
    """Return the calls of functions that are not part of the language.

    >>> [ast.unparse(call) for call in calls(parse("max(drop(x, 1), each(i, 1..3, Q(x, i, t) > 0))"))]
    ['drop(x, 1)', 'Q(x, i, t)']
    """
    own = {*_FUNCTIONS, *_BINDERS}
    found = [node for node in ast.walk(expression.tree) if isinstance(node, ast.Call)]
    return tuple(call for call in found if isinstance(call.func, ast.Name) and call.func.id not in own)


def relations(expression: Expression) -> list[tuple[Expression, Expression]]:
    """Return the two sides of every comparison in an expression outside binders.

    >>> [(a.text, b.text) for a, b in relations(parse("a < b and (c == 2*d or not e >= 1)"))]
    [('a', 'b'), ('c', '2 * d'), ('e', '1')]
    """
    found: list[tuple[Expression, Expression]] = []

    def walk(node: ast.expr) -> None:
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for left, right in pairwise(sides):
                found.append((Expression(ast.unparse(left), left), Expression(ast.unparse(right), right)))
        elif isinstance(node, ast.BoolOp):
            for value in node.values:
                walk(value)
        elif isinstance(node, ast.UnaryOp):
            walk(node.operand)

    walk(expression.tree)
    return found


_SIGNS: Mapping[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def bound(expression: Expression, name: str) -> tuple[str, Expression] | None:
    """Read an inequality as a bound of a `name` that is alone on one of its sides; None if it is not one.

    >>> sign, value = bound(parse("2*C <= R"), "R")
    >>> sign, value.text
    ('>=', '2 * C')
    >>> bound(parse("C + R <= 2"), "R")
    """
    match expression.tree:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _SIGNS:
            sign = _SIGNS[type(op)]
        case _:
            return None
    if isinstance(right, ast.Name) and right.id == name:
        left, right = right, left
        sign = sign.translate({ord("<"): ">", ord(">"): "<"})
    if not (isinstance(left, ast.Name) and left.id == name):
        return None
    return sign, Expression(ast.unparse(right), right)


def evaluate(
    expression: Expression,
    scope: Mapping[str, Any],
    functions: Mapping[str, Callable[..., Any]] | None = None,
    slacks: list[Fraction] | None = None,
) -> Any:
    """Evaluate an expression exactly in a `scope` of names, with further `functions` of evaluated arguments.

    `slacks` receives, for each inequality that must be true, its margin relative to its sides (negative if false).
    Raises `InputError` for an unknown name or a wrong type, and `Undefined` for a division by zero.
    """
    try:
        return _Walk(functions or {}, slacks).value(expression.tree, scope)
    except ZeroDivisionError as error:
        raise Undefined(f"{expression.text} divides by zero") from error
    except (TypeError, ValueError, IndexError, OverflowError, RecursionError, AttributeError) as error:
        raise InputError("expression", expression.text, f"values that fit ({error})") from error


_ALLOWED = (
    ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.keyword, ast.Name, ast.Load,
    ast.Constant, ast.List, ast.Tuple, ast.Subscript, ast.Attribute, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv,
    ast.Mod, ast.Pow, ast.BitOr, ast.USub, ast.UAdd, ast.Not, ast.And, ast.Or, ast.Lt, ast.LtE, ast.Gt, ast.GtE,
    ast.Eq, ast.NotEq, ast.In, ast.NotIn,
)  # fmt: skip


def _power(base: Any, exponent: Any) -> Any:
    if not isinstance(exponent, Fraction) or exponent.denominator != 1 or abs(exponent) > _LARGEST_EXPONENT:
        raise ValueError(f"the exponent {exponent} is not a whole number of at most {_LARGEST_EXPONENT}")
    return base ** int(exponent)


def _range(first: Any, last: Any) -> list[Fraction]:
    low, high = math.ceil(first), math.floor(last)
    if high - low > _LONGEST_RANGE:
        raise ValueError(f"the range {first}..{last} has more than {_LONGEST_RANGE} numbers")
    return [Fraction(number) for number in range(low, high + 1)]


_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: lambda a, b: Fraction(a // b),
    ast.Mod: operator.mod,
    ast.Pow: _power,
    ast.BitOr: _range,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


def _rounds_to(value: Fraction, printed: str) -> bool:
    """Return True if an exact value rounds to a decimal numeral, halves either way."""
    digits = printed.partition(".")[2]
    return abs(value - Fraction(printed)) <= Fraction(1, 2 * 10 ** len(digits))


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "sum": lambda values: sum(values, Fraction(0)),
    "floor": lambda x: Fraction(math.floor(x)),
    "ceil": lambda x: Fraction(math.ceil(x)),
    "len": lambda values: Fraction(len(values)),
    "approx": _rounds_to,
}
_BINDERS: Mapping[str, Callable[[Any], Any]] = {
    "each": all,
    "some": any,
    "count": lambda values: Fraction(sum(bool(value) for value in values)),
    "sum": lambda values: sum(values, Fraction(0)),
    "prod": lambda values: math.prod(values, start=Fraction(1)),
    "min": min,
    "max": max,
    "list": list,
}
"""Binders, with three arguments (a name, a range or list, and a body), and the function of the body's values."""


class _Walk:
    """One walk over a tree."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]], slacks: list[Fraction] | None) -> None:
        self.functions, self.slacks = functions, slacks

    def value(self, node: ast.expr, scope: Mapping[str, Any]) -> Any:
        match node:
            case ast.Constant(value=value):
                return Fraction(value) if isinstance(value, int | Fraction) and not isinstance(value, bool) else value
            case ast.Name(id=name):
                return self._named(name, scope)
            case ast.BinOp(left=left, op=op, right=right):
                return _BINARY[type(op)](self.value(left, scope), self.value(right, scope))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not _Walk(self.functions, None).truth(operand, scope)
            case ast.UnaryOp(op=op, operand=operand):
                inner = self.value(operand, scope)
                return -inner if isinstance(op, ast.USub) else inner
            case ast.BoolOp(op=op, values=values):
                inside = self if isinstance(op, ast.And) else _Walk(self.functions, None)
                each = (inside.truth(value, scope) for value in values)
                return all(each) if isinstance(op, ast.And) else any(each)
            case ast.Compare():
                return self._compare(node, scope)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                chosen = body if _Walk(self.functions, None).truth(test, scope) else orelse
                return self.value(chosen, scope)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [self.value(item, scope) for item in items]
            case ast.Subscript(value=value, slice=index):
                return _item(self.value(value, scope), self.value(index, scope))
            case ast.Attribute(value=value, attr=name):
                return _member(self.value(value, scope), name)
            case ast.Call():
                return self._call(node, scope)
        raise ValueError(f"{ast.unparse(node)} has no meaning here")

    def _named(self, name: str, scope: Mapping[str, Any]) -> Any:
        if name == "never":
            return never
        try:
            return scope[name]
        except KeyError:
            raise ValueError(f"the name {name} is not declared") from None

    def truth(self, node: ast.expr, scope: Mapping[str, Any]) -> bool:
        value = self.value(node, scope)
        if not isinstance(value, bool):
            raise TypeError(f"{ast.unparse(node)} is not a relation")
        return value

    def _compare(self, node: ast.Compare, scope: Mapping[str, Any]) -> bool:
        inside = _Walk(self.functions, None)  # a relation inside another comparison need not be true
        left = inside.value(node.left, scope)
        for op, side in zip(node.ops, node.comparators, strict=True):
            right = inside.value(side, scope)
            if self.slacks is not None:
                self.slacks += _slack(type(op), left, right)
            if not _COMPARE[type(op)](left, right):
                return False
            left = right
        return True

    def _call(self, node: ast.Call, scope: Mapping[str, Any]) -> Any:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if bound := binds(node):
            domain, body = self.value(node.args[1], scope), node.args[2]
            inside = self if name == "each" else _Walk(self.functions, None)  # all of each must be true, not of some
            return _BINDERS[name](inside.value(body, ChainMap({bound: item}, scope)) for item in domain)  # type: ignore[arg-type]  # a scope may compute its names
        function = self.functions.get(name) or _FUNCTIONS.get(name)
        if function is None:
            raise ValueError(f"the function {name} is unknown")
        arguments = [self.value(argument, scope) for argument in node.args]
        named = {keyword.arg: self.value(keyword.value, scope) for keyword in node.keywords if keyword.arg}
        return function(*arguments, **named)


def _slack(op: type[ast.cmpop], left: Any, right: Any) -> list[Fraction]:
    if not isinstance(left, Fraction) or not isinstance(right, Fraction) or left == right == 0:
        return []
    sign = {ast.Lt: 1, ast.LtE: 1, ast.Gt: -1, ast.GtE: -1}.get(op, 0)
    return [sign * (right - left) / (abs(left) + abs(right))] if sign else []


def _item(value: Any, index: Any) -> Any:
    """Return an element of a list, counted from 1, or a value of a sequence that is given by a formula."""
    if callable(value):
        return value(index)
    if not isinstance(index, Fraction) or index.denominator != 1 or not 1 <= index <= len(value):
        raise IndexError(f"the index {index} is not one of 1..{len(value)}")
    return value[int(index) - 1]


def _member(value: Any, name: str) -> Any:
    """Return a member of a record; other values have none."""
    if not isinstance(value, Mapping) or name not in value:
        raise ValueError(f"there is no {name}")
    return value[name]


def _constant(node: ast.Constant) -> bool:
    if isinstance(node.value, str):
        return not set(node.value) & set('"$\\{}')
    return isinstance(node.value, int | float) or node.value is None


def binds(node: ast.Call) -> str:
    """Return the name that a call (`node`) binds; empty if it binds none, as ``min(a, b, c)`` of three numbers."""
    if not isinstance(node.func, ast.Name) or node.func.id not in _BINDERS or len(node.args) != 3 or node.keywords:
        return ""
    first, domain, _ = node.args
    if not isinstance(first, ast.Name) or (node.func.id in ("min", "max") and not _is_list(domain)):
        return ""
    return "" if first.id == "never" else first.id


def _is_list(node: ast.expr) -> bool:
    """Return True if an expression is written as a range or a list."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "list"
    return isinstance(node, ast.List | ast.Tuple) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr))


def _free(node: ast.AST, bound: frozenset[str] = frozenset({"never"})) -> set[str]:
    if isinstance(node, ast.Name):
        return set() if node.id in bound else {node.id}
    if isinstance(node, ast.Call):
        if name := binds(node):  # a range or list is outside of the binder
            return _free(node.args[1], bound) | _free(node.args[2], bound | {name})
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        return set().union(*(_free(argument, bound) for argument in arguments))
    return set().union(*(_free(child, bound) for child in ast.iter_child_nodes(node)), set())
