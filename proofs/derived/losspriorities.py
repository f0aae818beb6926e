"""Classes with an alpha each in first-in first-out queues: their thresholds, and their parts of the rate."""

from dtmodel.ledger import Outcome, evidence
from dtmodel.ledger.provers import prove


@evidence("derived.ours.loss-priorities", form="printed", strength="smt")
def each_class_holds_its_threshold_and_sends_its_part() -> Outcome:
    """A queue holds A F and sends C, class p the part of C that it has of the queue; F and S A F fill the buffer."""
    import sympy

    B, C, S, A, a, F, sent = sympy.symbols("B C S A alpha F sent", positive=True)
    full = sympy.Eq(F + S * A * F, B)
    prove([full], sympy.Eq(F * (1 + S * A), B)).proved("F = B / (1 + S A)")
    share = sympy.Eq(sent * (A * F), C * (a * F))
    return prove([full, share, a <= A], sympy.Eq(sent * A, C * a)).proved("class p sends C alpha_p / A")


@evidence("derived.ours.loss-priorities-lockout", form="printed", strength="smt")
def a_queue_on_the_largest_threshold_is_above_the_others() -> Outcome:
    """With q = alpha F and F + S q = B the queue exceeds b F for every b < alpha."""
    import sympy

    B, S, a, b, F, q = sympy.symbols("B S alpha b F q", positive=True)
    state = [sympy.Eq(q, a * F), sympy.Eq(F + S * q, B)]
    prove(state, sympy.Eq(F * (1 + S * a), B)).proved("F = B / (1 + S alpha)")
    return prove([*state, b < a], q > b * F).proved("packets of the other classes are dropped")
