"""The inequalities that carry the comparison with DT, a second time: z3 and cvc5 on polynomials."""

from __future__ import annotations

import sympy

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.provers import smt

S, H, tau, n, alpha, C, W = sympy.symbols("S H tau n alpha C W", real=True)
POSITIVE = [S > 0, H > 0, tau > 0, alpha > 0, n >= 1]


@evidence("l2bm.ours.least-weight", form="printed", strength="smt")
def the_step_of_the_induction_by_smt() -> Outcome:
    """From S H >= n^2 follows (S + tau)(H + 1/tau) >= (n + 1)^2; the base case n = 1 is S H = 1."""
    goal = (S + tau) * (H * tau + 1) >= (n + 1) ** 2 * tau
    proof = smt.prove([*POSITIVE[:3], n >= 1, n**2 <= S * H], goal)
    return Proved("z3 and cvc5", proof.example)


@evidence("l2bm.ours.more-than-dt", form="printed", strength="smt")
def more_occupancy_than_dt_by_smt() -> Outcome:
    """From W >= alpha n^2, n >= 2 follows W (1 + alpha n) > alpha n (1 + W)."""
    proof = smt.prove([alpha > 0, n >= 2, alpha * n**2 <= W], W * (1 + alpha * n) > alpha * n * (1 + W))
    return Proved("z3 and cvc5", proof.example)


@evidence("l2bm.ours.not-all-below", form="printed", strength="smt")
def the_fastest_queue_by_smt() -> Outcome:
    """From H <= n / tau, S > tau follows S (1 + alpha n) > tau (1 + alpha S H)."""
    goal = S * (1 + alpha * n) > tau * (1 + alpha * S * H)
    proof = smt.prove([tau < S, H > 0, tau > 0, alpha > 0, n >= 2, H * tau <= n], goal)
    return Proved("z3 and cvc5", proof.example)


@evidence("l2bm.ours.below-dt-steady", form="printed", strength="smt")
def the_condition_is_exact_by_smt() -> Outcome:
    """Alpha C (1 + alpha n) < alpha tau (1 + alpha C H) iff C (1 + alpha n) < tau (1 + alpha C H), both directions."""
    lower = alpha * C * (1 + alpha * n) < alpha * tau * (1 + alpha * C * H)  # thresholds, denominators cleared
    condition = C * (1 + alpha * n) < tau * (1 + alpha * C * H)
    hypotheses = [*POSITIVE[1:], C > 0]
    smt.prove([*hypotheses, lower], condition)
    proof = smt.prove([*hypotheses, condition], lower)
    return Proved("z3 and cvc5", proof.example)
