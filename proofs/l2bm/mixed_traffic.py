"""Sections IV-A and V: RDMA and TCP together, Table II and Figures 7 to 9; proofs."""

import sympy

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.theory.l2bm import formulas as l2bm

from .derivation import nonnegative


@evidence("l2bm.sec4a.burst-tolerance", form="repaired", strength="symbolic")
def less_held_by_queues_that_follow_delays_the_drop() -> Outcome:
    """F0 = B / (1 + V) and phi = r / (1 + V): T = w F0 / (r + w phi) is w B / (r (1 + V + w)), which falls with V."""
    w, B, V, r, less = sympy.symbols("w B V r less", positive=True)

    def first_drop(total: sympy.Expr) -> sympy.Expr:
        return w * (B / (1 + total)) / (r + w * r / (1 + total))

    check(sympy.cancel(first_drop(V) - w * B / (r * (1 + V + w))) == 0, "the closed form")
    certificate = nonnegative(first_drop(V) - first_drop(V + less), strict=True)
    return Proved(certificate, {"w": "1", "V": "1", "v": "2"}, ["w / (1 + V + w) > w / (1 + v + w)", "V < v"])


@evidence("l2bm.sec4a.occupancy13.steady", form="printed", strength="symbolic")
def two_queues_on_their_thresholds_hold_a_fifth() -> Outcome:
    """W = alpha n^2 + w (l2bm.ours.least-weight), n = 2 + k: W / (1 + W) - 1/5 for alpha = 1/16 + a; likewise 13 %."""
    k, w, a = sympy.symbols("k w a", nonnegative=True)

    def held(alpha: sympy.Expr) -> sympy.Expr:
        total = l2bm.least_sum(alpha, 2 + k) + w
        return total / (1 + total)

    certificate = nonnegative(sympy.together(held(sympy.Rational(1, 16) + a) - sympy.Rational(1, 5)))
    above = sympy.Symbol("a", positive=True)
    nonnegative(sympy.together(held(sympy.Rational(13, 348) + above) - sympy.Rational(13, 100)), strict=True)
    state = l2bm.sojourn_steady_state(100, [1, 1], "1/16")
    check(state.occupancy == 20, f"{state}")
    return Proved(certificate, {"alpha": "1/16", "W": "1/4"}, ["W == alpha * 2**2", "W / (1 + W) == 1/5"])
