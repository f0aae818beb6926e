"""Check exported certificates with nothing but the standard library.

``dtmodel verify --certificates DIR`` writes small JSON files; ``python check_certificates.py DIR`` verifies them
without the rest of the package, so that whoever doubts it has less to read. Kinds:

``slack``   an expression, substitutions of its symbols by polynomials (or ratios of them) in non-negative slacks, and
            the result: numerator and denominator without a negative coefficient. The substitution is done again here.
``values``  named exact numbers that satisfy every hypothesis and violate the statement.

Polynomials are lists of ``[coefficient, {symbol: exponent}]`` with coefficients ``"p/q"``.
"""

from __future__ import annotations

import ast
import json
import math
import operator
import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

Monomial = tuple[tuple[str, int], ...]
Polynomial = dict[Monomial, Fraction]


class RefusedError(Exception):
    """The certificate does not show what it should."""


def refuse_unless(condition: bool, message: str) -> None:
    """Refuse a certificate that fails a check."""
    if not condition:
        raise RefusedError(message)


def polynomial(terms: Iterable[Any]) -> Polynomial:
    """Read a polynomial."""
    result: Polynomial = {}
    for coefficient, exponents in terms:
        monomial = tuple(sorted((str(name), int(power)) for name, power in exponents.items() if power))
        refuse_unless(all(power > 0 for _, power in monomial), "a negative exponent")
        result[monomial] = result.get(monomial, Fraction(0)) + Fraction(coefficient)
    return {monomial: value for monomial, value in result.items() if value}


def plus(left: Polynomial, right: Polynomial) -> Polynomial:
    """Add two polynomials."""
    result = dict(left)
    for monomial, value in right.items():
        result[monomial] = result.get(monomial, Fraction(0)) + value
    return {monomial: value for monomial, value in result.items() if value}


def times(left: Polynomial, right: Polynomial) -> Polynomial:
    """Multiply two polynomials."""
    result: Polynomial = {}
    for first, a in left.items():
        for second, b in right.items():
            powers = dict(first)
            for name, power in second:
                powers[name] = powers.get(name, 0) + power
            monomial = tuple(sorted(powers.items()))
            result[monomial] = result.get(monomial, Fraction(0)) + a * b
    return {monomial: value for monomial, value in result.items() if value}


ONE: Polynomial = {(): Fraction(1)}


def power_of(base: Polynomial, exponent: int) -> Polynomial:
    """Raise a polynomial to a power."""
    result = ONE
    for _ in range(exponent):
        result = times(result, base)
    return result


Ratio = tuple[Polynomial, Polynomial]


def ratio(document: dict[str, Any]) -> Ratio:
    """Read a ratio of polynomials."""
    top, bottom = polynomial(document["numerator"]), polynomial(document["denominator"])
    refuse_unless(bool(bottom), "a denominator is zero")
    return top, bottom


def substitute(expression: Polynomial, values: dict[str, Ratio]) -> Ratio:
    """Replace symbols by ratios, all at once; the result has one denominator."""
    highest = {name: max((dict(m).get(name, 0) for m in expression), default=0) for name in values}
    bottom = ONE
    for name, (_, below) in values.items():
        bottom = times(bottom, power_of(below, highest[name]))
    top: Polynomial = {}
    for monomial, coefficient in expression.items():
        powers = dict(monomial)
        term: Polynomial = {(): coefficient}
        for name, (above, below) in values.items():
            power = powers.pop(name, 0)
            term = times(term, times(power_of(above, power), power_of(below, highest[name] - power)))
        term = times(term, {tuple(sorted(powers.items())): Fraction(1)})
        top = plus(top, term)
    return top, bottom


def has_sign(poly: Polynomial, positive: set[str], strict: bool, what: str) -> None:
    """Check that no coefficient is negative and, if strict, that some term is positive."""
    refuse_unless(all(value >= 0 for value in poly.values()), f"{what} has a negative coefficient")
    if strict:
        certain = any(all(name in positive for name, _ in monomial) for monomial in poly)
        refuse_unless(certain, f"no term of {what} is certainly positive")


def check_slack(document: dict[str, Any]) -> None:
    """Do the substitution again; compare; look at every coefficient."""
    above, below = ratio(document["expression"])
    values = {name: ratio(value) for name, value in document["substitutions"].items()}
    top_above, top_below = substitute(above, values)
    bottom_above, bottom_below = substitute(below, values)
    top, bottom = times(top_above, bottom_below), times(top_below, bottom_above)
    refuse_unless(bool(bottom), "the denominator vanishes after the substitution")
    numerator, denominator = polynomial(document["numerator"]), polynomial(document["denominator"])
    refuse_unless(times(top, denominator) == times(numerator, bottom), "the expanded form is not the expression")
    slacks, positive = set(document["slacks"]), set(document["positive"])
    names = {name for poly in (numerator, denominator) for monomial in poly for name, _ in monomial}
    refuse_unless(names <= slacks and positive <= slacks, "a symbol is not a slack")
    has_sign(numerator, positive, bool(document["strict"]), "the numerator")
    has_sign(denominator, positive, True, "the denominator")


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


def check_values(document: dict[str, Any]) -> None:
    """Evaluate every hypothesis and the statement."""
    values = {
        name: tuple(Fraction(item) for item in value) if isinstance(value, list) else Fraction(value)
        for name, value in document["values"].items()
    }
    for text in document.get("hypotheses", []):
        refuse_unless(evaluate(text, values) is True, f"the hypothesis {text!r} is not true")
    refuse_unless(evaluate(document["statement"], values) is False, "the statement is not false")


CHECKS = {"slack": check_slack, "values": check_values}


def check(document: dict[str, Any]) -> str:
    """Check one certificate; return what is wrong with it, or the empty string."""
    try:
        refuse_unless(document.get("kind") in CHECKS, f"kind {document.get('kind')!r} is unknown")
        CHECKS[document["kind"]](document)
    except RefusedError as error:
        return str(error)
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError, SyntaxError, IndexError) as error:
        return f"malformed: {type(error).__name__} {error}"
    return ""


def main(arguments: list[str]) -> int:
    """Check the files, or all files in the folders, that are named."""
    paths = [file for name in arguments for file in (sorted(Path(name).rglob("*.json")) or [Path(name)])]
    if not paths:
        print("usage: python check_certificates.py DIR_OR_FILE...")
        return 2
    wrong = 0
    for path in paths:
        try:
            fault = check(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            fault = f"cannot be read: {error}"
        if fault:
            wrong += 1
            print(f"{path}: REFUSED: {fault}")
    print(f"{len(paths) - wrong} of {len(paths)} certificates are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
