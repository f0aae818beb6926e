"""What the derivations about ECN and LossPass share."""

import sympy as sp

D, beta = sp.symbols("D beta", positive=True)


def utilisation(W: sp.Expr, m: sp.Expr, growth: str) -> sp.Expr:
    """Return the closed form for peak W and trough m < D."""
    lasted = 2 * D * (W - m) if growth == "base" else W**2 + D**2 - 2 * D * m
    return 1 - (D - m) ** 2 / lasted
