"""What the derivations about L2BM share: certificates by non-negative coefficients, symbols and identities."""

from collections.abc import Sequence
from typing import Any

import sympy

from dtmodel.ledger import check
from dtmodel.ledger.provers import slack

S_real, H_real, tau_real, n_real, alpha_real = sympy.symbols("S H tau n alpha", real=True)


def nonnegative(expression: sympy.Expr, *, strict: bool = False) -> str:
    """Certify that an expression is >= 0 (> 0 if strict) by its symbols' signs; return the expanded numerator."""
    return str(slack.certificate(expression, {}, strict=strict).numerator.as_expr())


def identity(left: sympy.Expr, right: sympy.Expr, what: str) -> None:
    """Check that two rational expressions are the same."""
    check(sympy.simplify(sympy.together(left - right)) == 0, f"{what}: {left} is not {right}")


def small_switch(weights: Sequence[str], rate: str, until: str, sample: Sequence[str]) -> dict[str, Any]:
    """A switch of buffer 60 and rate 1 whose queues, of these weights, are all offered one rate."""
    return {
        "switch": {"ports": len(weights), "buffer": "60", "rate": "1"},
        "policy": {"name": "dt", "alpha": "1"},
        "queues": [{"alpha": weight, "arrivals": [["0", rate]]} for weight in weights],
        "until": until,
        "sample": list(sample),
    }


POSITIVE = [S_real > 0, H_real > 0, tau_real > 0, alpha_real > 0, n_real >= 1]
