"""SymPy relations as SMT-LIB text: reals and integers, polynomials, min, max, abs, floor, case distinctions."""

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import pairwise

import sympy as sp
from sympy.core.relational import Relational

from dtmodel.base.errors import ProverError

_RELATIONS = {sp.Gt: ">", sp.Ge: ">=", sp.Lt: "<", sp.Le: "<="}
_SIGNS = {"positive": sp.Gt, "negative": sp.Lt, "nonnegative": sp.Ge, "nonpositive": sp.Le, "nonzero": sp.Ne}
_CONNECTIVES = {
    sp.And: "and", sp.Or: "or", sp.Not: "not", sp.Implies: "=>", sp.Xor: "xor", sp.Equivalent: "=", sp.ITE: "ite",
}  # fmt: skip


class Symbols:
    """The symbols of an obligation with a sort alone: SymPy would evaluate ``a > 0`` for a positive ``a``.

    Declarations become relations, in `assumptions`; `plain` rewrites an expression in the bare symbols.
    """

    def __init__(self, expressions: Iterable[sp.Basic]) -> None:
        declared = sorted({s for e in expressions for s in e.free_symbols}, key=str)
        names = [str(symbol) for symbol in declared]
        for first, second in pairwise(names):
            if first == second:
                raise ProverError(f"two symbols are called {first}: declare it once")
        self._bare = {s: sp.Symbol(str(s), **({"integer": True} if s.is_integer else {"real": True})) for s in declared}
        known = ((s, [relation for sign, relation in _SIGNS.items() if getattr(s, f"is_{sign}")]) for s in declared)
        self.assumptions = [relations[0](self._bare[symbol], 0) for symbol, relations in known if relations]

    @property
    def bare(self) -> list[sp.Symbol]:
        """The bare symbols, by name."""
        return list(self._bare.values())

    def plain(self, expression: sp.Basic) -> sp.Basic:
        """Rewrite an expression in the bare symbols."""
        return expression.xreplace(self._bare)


def declarations(symbols: Sequence[sp.Symbol]) -> str:
    """Return the declarations of symbols in SMT-LIB."""
    return "\n".join(f"(declare-const {_name(s)} {'Int' if s.is_integer else 'Real'})" for s in symbols)


def logic(symbols: Sequence[sp.Symbol]) -> str:
    """Return the narrowest logic for the symbols; cvc5 decides polynomials over the reals only there."""
    sorts = {bool(s.is_integer) for s in symbols}
    return {frozenset({True}): "QF_NIA", frozenset({True, False}): "QF_NIRA"}.get(frozenset(sorts), "QF_NRA")


def formula(expression: sp.Basic) -> str:
    """Write a relation or a Boolean combination of relations."""
    if expression in (sp.true, sp.false):
        return "true" if expression == sp.true else "false"
    for kind, word in _CONNECTIVES.items():
        if isinstance(expression, kind):
            ordered = kind in (sp.Implies, sp.Equivalent, sp.ITE)
            arguments = expression.args if ordered else sorted(expression.args, key=sp.default_sort_key)
            return f"({word} {' '.join(map(formula, arguments))})"
    if isinstance(expression, Relational):
        left, right = _same_sort([_term(expression.lhs), _term(expression.rhs)])
        if isinstance(expression, sp.Ne):
            return f"(not (= {left} {right}))"
        return f"({'=' if isinstance(expression, sp.Eq) else _RELATIONS[type(expression)]} {left} {right})"
    raise ProverError(f"{expression} is not a relation that a solver can read")


_Term = tuple[str, bool]


def _term(expression: sp.Basic) -> _Term:
    if isinstance(expression, sp.Symbol):
        return _name(expression), bool(expression.is_integer)
    if isinstance(expression, sp.Integer):
        return str(expression) if expression >= 0 else f"(- {-expression})", True
    if isinstance(expression, sp.Rational):
        return f"(/ {_real(expression.p)} {expression.q}.0)", False
    if isinstance(expression, sp.Pow):
        return _power(expression)
    if isinstance(expression, sp.Add | sp.Mul | sp.Max | sp.Min):
        terms = [_term(item) for item in sorted(expression.args, key=sp.default_sort_key)]
        texts, whole = _same_sort(terms), all(whole for _, whole in terms)
        if isinstance(expression, sp.Add | sp.Mul):
            return f"({'+' if isinstance(expression, sp.Add) else '*'} {' '.join(texts)})", whole
        sign = ">=" if isinstance(expression, sp.Max) else "<="
        return reduce(lambda a, b: f"(ite ({sign} {a} {b}) {a} {b})", texts), whole
    if isinstance(expression, sp.Abs | sp.floor):
        text, whole = _term(expression.args[0])
        if isinstance(expression, sp.floor):
            return text if whole else f"(to_int {text})", True
        return f"(ite (>= {text} {'0' if whole else '0.0'}) {text} (- {text}))", whole
    if isinstance(expression, sp.Piecewise):
        return _cases(expression)
    raise ProverError(f"{expression} ({type(expression).__name__}) is not a term that a solver can read")


def _power(expression: sp.Pow) -> _Term:
    base, exponent = expression.as_base_exp()
    if not isinstance(exponent, sp.Integer) or abs(int(exponent)) > 64:
        raise ProverError(
            f"{expression}: name a root s and assert s >= 0 and s**2 = ... (exponents are whole, up to 64)"
        )
    text, whole = _term(base)
    times = abs(int(exponent))
    product = text if times == 1 else f"(* {' '.join([text] * times)})"
    if exponent > 0:
        return product, whole
    return f"(/ 1.0 {f'(to_real {product})' if whole else product})", False


def _cases(expression: sp.Piecewise) -> _Term:
    pairs = [(_term(value), condition) for value, condition in expression.args]
    if pairs[-1][1] != sp.true:
        raise ProverError(f"{expression}: end the cases with one that is always true")
    texts = _same_sort([term for term, _ in pairs])
    result = texts[-1]
    for text, (_, condition) in reversed(list(zip(texts[:-1], pairs[:-1], strict=True))):
        result = f"(ite {formula(condition)} {text} {result})"
    return result, all(whole for (_, whole), _ in pairs)


def _same_sort(terms: Sequence[_Term]) -> list[str]:
    if all(whole for _, whole in terms):
        return [text for text, _ in terms]
    return [_as_real(text) if whole else text for text, whole in terms]


def _as_real(text: str) -> str:
    digits = text.removeprefix("(- ").removesuffix(")") if text.startswith("(- ") else text
    return text.replace(digits, f"{digits}.0", 1) if digits.isdigit() else f"(to_real {text})"


def _real(value: int) -> str:
    return f"{value}.0" if value >= 0 else f"(- {-value}.0)"


def _name(symbol: sp.Symbol) -> str:
    name = str(symbol)
    plain = name.replace("_", "").isalnum() and name.isascii() and not name[0].isdigit()
    return name if plain and name not in _RESERVED else f"|{name}|"


_RESERVED = {"and", "or", "not", "true", "false", "let", "ite", "par", "exists", "forall", "as", "div", "mod", "abs",
             "distinct", "select", "store", "xor", "Int", "Real", "Bool", "Array", "is", "match", "sin", "cos", "tan",
             "exp", "sqrt", "pi"}  # fmt: skip
