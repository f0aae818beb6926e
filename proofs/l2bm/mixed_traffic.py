"""Sections IV-A and V: RDMA and TCP together, Table II and Figures 7 to 9; proofs."""

import sympy

from dtmodel.ledger import Outcome, Proved, check, evidence

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
