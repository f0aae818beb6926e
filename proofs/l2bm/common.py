"""What the derivations about L2BM share: certificates by non-negative coefficients, and small trace requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from dtmodel.ledger import check

__all__ = ["arrive", "depart", "identity", "nonnegative", "request"]


def nonnegative(expression: sympy.Expr, slacks: Sequence[sympy.Symbol], *, strict: bool = False) -> str:
    """Certify that an expression is >= 0 (> 0 if strict) for positive symbols: a ratio of polynomials with no minus.

    Returns the expanded numerator as text, which is the certificate.
    """
    numerator, denominator = sympy.fraction(sympy.together(expression))
    above, below = sympy.Poly(numerator, *slacks), sympy.Poly(denominator, *slacks)
    if all(c <= 0 for c in below.coeffs()):
        above, below = -above, -below
    check(all(c >= 0 for c in below.coeffs()) and not below.is_zero, f"the denominator {below} has mixed signs")
    check(all(c >= 0 for c in above.coeffs()), f"the numerator {above} has a negative coefficient")
    check(not strict or not above.is_zero, "the expression is 0")
    return str(above.as_expr())


def identity(left: sympy.Expr, right: sympy.Expr, what: str) -> None:
    """Check that two rational expressions are the same."""
    check(sympy.simplify(sympy.together(left - right)) == 0, f"{what}: {left} is not {right}")


def arrive(time: str, name: str, queue_out: str, rate: str = "1") -> list[Any]:
    """An arrival event of a trace request."""
    return ["arrive", time, name, {"queue_out": queue_out, "rate": rate}]


def depart(time: str, name: str) -> list[Any]:
    """A departure event of a trace request."""
    return ["depart", time, name]


def request(*events: list[Any], reading: str = "literal") -> dict[str, Any]:
    """A trace request for `dtmodel.packet.l2bm.run_trace`."""
    return {"id": "witness", "algorithm": "l2bm", "reading": reading, "events": list(events)}
