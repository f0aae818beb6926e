"""Kind ``slack``: an expression is non-negative since its slacks are.

The certificate gives an expression, substitutions of its symbols by polynomials (or ratios of them) in non-negative
slacks, and the result: numerator and denominator without a negative coefficient. The substitution is done again here.
"""

from typing import Any

from .algebra import Polynomial, Ratio, names, polynomial, refuse_unless, substitute, times

__all__ = ["check"]


def check(document: dict[str, Any]) -> None:
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
    refuse_unless(names(numerator) | names(denominator) <= slacks and positive <= slacks, "a symbol is not a slack")
    has_sign(numerator, positive, bool(document["strict"]), "the numerator")
    has_sign(denominator, positive, True, "the denominator")


def ratio(document: dict[str, Any]) -> Ratio:
    """Read a ratio of polynomials."""
    top, bottom = polynomial(document["numerator"]), polynomial(document["denominator"])
    refuse_unless(bool(bottom), "a denominator is zero")
    return top, bottom


def has_sign(poly: Polynomial, positive: set[str], strict: bool, what: str) -> None:
    """Check that no coefficient is negative and, if strict, that some term is positive."""
    refuse_unless(all(value >= 0 for value in poly.values()), f"{what} has a negative coefficient")
    if strict:
        certain = any(all(name in positive for name, _ in monomial) for monomial in poly)
        refuse_unless(certain, f"no term of {what} is certainly positive")
