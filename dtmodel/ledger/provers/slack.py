"""Slack certificates: an inequality proved by writing it in non-negative slacks with non-negative coefficients."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from dtmodel.base.errors import ProverError
from dtmodel.ledger.evidence import Proved, record_certificate


@dataclass(frozen=True)
class Certificate:
    """A proof that an expression is non-negative (positive, if `strict`).

    - `expression` (SymPy expression): the expression that is non-negative.
    - `slacks`: each replaced symbol, written in the slacks.
    - `numerator`, `denominator` (sympy.Poly): the expression after the replacement; every coefficient of both is
      non-negative.
    - `strict`: True if the expression is positive.
    - `example`: values of the original symbols (all slacks equal to 1) at which the hypotheses hold.

    >>> R, C, r = sp.symbols("R C r", positive=True)
    >>> certificate(R - C, {R: C + r}, strict=True).proved().detail
    '-C + R > 0: every coefficient is non-negative in the slacks'
    """

    expression: sp.Expr
    slacks: Mapping[sp.Symbol, sp.Expr]
    numerator: sp.Poly
    denominator: sp.Poly
    strict: bool
    example: Mapping[str, Fraction]

    def proved(self, detail: str = "") -> Proved:
        """Return the outcome for the ledger, with the certificate in the exported form."""
        relation = ">" if self.strict else ">="
        said = detail or f"{self.expression} {relation} 0: every coefficient is non-negative in the slacks"
        return Proved(said, self.example or {"(no symbols)": "true"}, certificate=self.document())

    def document(self) -> dict[str, Any]:
        """Write the certificate as data: polynomials are lists of ``[coefficient, {symbol: exponent}]``."""
        return {
            "kind": "slack",
            "expression": _rational_function(self.expression),
            "substitutions": {str(symbol): _rational_function(value) for symbol, value in self.slacks.items()},
            "slacks": [str(symbol) for symbol in self.numerator.gens],
            "positive": [str(symbol) for symbol in self.numerator.gens if symbol.is_positive],
            "numerator": _terms(self.numerator),
            "denominator": _terms(self.denominator),
            "strict": self.strict,
        }

    def _repr_latex_(self) -> str:
        relation = ">" if self.strict else r"\ge"
        written = self.numerator.as_expr() / self.denominator.as_expr()
        return rf"${sp.latex(self.expression)} = {sp.latex(written)} {relation} 0$"


def certificate(expression: sp.Expr, slacks: Mapping[sp.Symbol, sp.Expr], *, strict: bool = False) -> Certificate:
    """Certify that an expression is non-negative wherever the slacks are.

    Parameters
    ----------
    expression : SymPy expression
        A polynomial, or a ratio of polynomials.
    slacks : mapping of symbols to expressions
        Each symbol in terms of slack symbols, all of them non-negative: ``{R: C + r}`` means R >= C. Symbols that are
        not replaced must be declared non-negative.
    strict : bool
        Certify positivity: some term must be positive, being constant or having only symbols declared positive.

    Raises
    ------
    ProverError
        If a coefficient is negative, or a symbol's sign is unknown.

    Examples
    --------
    >>> R, C, r = sp.symbols("R C r", nonnegative=True)
    >>> certificate(R**2 - C**2, {R: C + r}).numerator.as_expr()
    2*C*r + r**2
    """
    free = {sp.sympify(s): sp.sympify(e) for s, e in slacks.items()}
    expression = sp.sympify(expression)
    signed = {symbol for value in free.values() for symbol in value.free_symbols}
    unknown = [str(s) for s in expression.free_symbols - set(free) - signed if not s.is_nonnegative]
    if unknown:
        raise ProverError(f"{', '.join(sorted(unknown))}: write it in slacks, or declare it non-negative")
    negative = sorted(str(symbol) for symbol in signed if symbol.is_negative)
    if negative:
        raise ProverError(f"{', '.join(negative)} is declared negative and cannot be a slack")
    written = sp.together(expression.xreplace(free))
    top, bottom = sp.fraction(sp.cancel(written))
    gens = sorted(written.free_symbols, key=str) or [sp.Symbol("_")]
    numerator, denominator = _polynomial(top, gens), _polynomial(bottom, gens)
    if all(coefficient <= 0 for coefficient in denominator.coeffs()):
        numerator, denominator = -numerator, -denominator
    for poly, needs in ((numerator, strict), (denominator, True)):
        _check(poly, needs, expression)
    point = dict.fromkeys({*gens, *signed, *expression.free_symbols}, sp.Integer(1))  # symbols may have cancelled
    originals = sorted({*free, *(expression.free_symbols - set(free))}, key=str)
    example = {str(s): _fraction(free.get(s, s).xreplace(point)) for s in originals}
    found = Certificate(expression, free, numerator, denominator, strict, example)
    record_certificate(found.document)
    return found


def _polynomial(expression: sp.Expr, gens: list[sp.Symbol]) -> sp.Poly:
    try:
        return sp.Poly(expression, *gens, domain="QQ")
    except sp.PolynomialError as error:
        raise ProverError(f"{expression} is not a polynomial in {', '.join(map(str, gens))}") from error


def _check(poly: sp.Poly, strict: bool, expression: sp.Expr) -> None:
    for exponents, coefficient in poly.terms():
        if coefficient < 0:
            monomial = sp.Mul(*(g**e for g, e in zip(poly.gens, exponents, strict=True)))
            raise ProverError(f"no certificate for {expression}: the coefficient of {monomial} is {coefficient}")
    if strict and not any(
        coefficient > 0 and all(g.is_positive for g, e in zip(poly.gens, exponents, strict=True) if e)
        for exponents, coefficient in poly.terms()
    ):
        raise ProverError(f"{expression}: no term of {poly.as_expr()} is positive by its symbols' declarations")


def _rational_function(expression: sp.Expr) -> dict[str, Any]:
    gens = sorted(expression.free_symbols, key=str) or [sp.Symbol("_")]
    top, bottom = sp.fraction(sp.together(expression))
    return {"numerator": _terms(_polynomial(top, gens)), "denominator": _terms(_polynomial(bottom, gens))}


def _terms(poly: sp.Poly) -> list[list[Any]]:
    return [
        [str(_fraction(c)), {str(g): e for g, e in zip(poly.gens, exponents, strict=True) if e}]
        for exponents, c in poly.terms()
    ]


def _fraction(value: sp.Expr) -> Fraction:
    rational = sp.Rational(value)
    return Fraction(int(rational.p), int(rational.q))
