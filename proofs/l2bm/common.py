"""What the derivations about L2BM share: certificates by non-negative coefficients, and small trace requests."""

from __future__ import annotations

from typing import Any

import sympy

from dtmodel.ledger import check
from dtmodel.provers import slack

__all__ = ["arrive", "depart", "identity", "nonnegative", "request"]


def nonnegative(expression: sympy.Expr, *, strict: bool = False) -> str:
    """Certify that an expression is >= 0 (> 0 if strict) by its symbols' signs; return the expanded numerator."""
    return str(slack.certificate(expression, {}, strict=strict).numerator.as_expr())


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
