"""Filtered lengths of Reverie: their order, their lag behind a queue that grows, and their limit."""

from dtmodel.ledger import Outcome, evidence
from dtmodel.ledger.provers import prove


@evidence("derived.ours.reverie-first-loss", form="printed", strength="smt")
def a_larger_factor_keeps_a_smaller_filtered_length() -> Outcome:
    """One departure keeps M <= L for factors h >= g, and L <= Q; a packet that L admits is then one that M admits."""
    import sympy

    g, h, Q = sympy.symbols("g h Q", positive=True)
    L, M, F, held = sympy.symbols("L M F held", nonnegative=True)
    ordered = [g <= h, h <= 1, M <= L]
    filtered, other = g * L + (1 - g) * Q, h * M + (1 - h) * Q
    prove([*ordered, L <= Q], other <= filtered).proved("both below the queue")
    prove([*ordered, L > Q, M <= Q], other <= Q).proved("the smaller one below the queue")
    prove([g <= 1, L <= Q], filtered <= Q).proved("a filtered length is at most its queue")
    return prove([M <= L, held >= L, held < F], M < F).proved("what DT admits, or the smaller factor, is admitted")


@evidence("derived.ours.reverie-lag", form="printed", strength="smt")
def the_lag_of_a_filtered_length_is_a_geometric_sum() -> Outcome:
    """With x = gamma^k the formula is kept by a departure; from L = alpha F and F = B - Q the queue follows."""
    import sympy

    y, g, k, B, a = sympy.symbols("y g k B alpha", positive=True)
    x, Q, lag = sympy.symbols("x Q lag", positive=True)
    before, after = k - y * (1 - x) / (1 - y), k + 1 - y * (1 - x * y) / (1 - y)
    step = sympy.Eq(y * before + (1 - y) * (k + 1), after)
    prove([y < 1, x <= 1], step).proved("one more departure")
    prove([y < 1, x <= 1, sympy.Eq(lag * (1 - y), y * g * (1 - x))], lag * (1 - y) < y * g).proved("the lag")
    held = sympy.Symbol("held", positive=True)
    lost = [held <= Q, held - lag >= a * (B - Q)]
    return prove(lost, Q * (1 + a) >= a * B + lag).proved(
        "the queue at a loss, which held so much at its last departure"
    )


@evidence("derived.ours.reverie-steady", form="printed", strength="smt")
def a_constant_queue_is_the_limit_of_its_filtered_length() -> Outcome:
    """A departure that leaves Q multiplies Q - L by gamma."""
    import sympy

    y, Q = sympy.symbols("y Q", positive=True)
    L, x = sympy.symbols("L x", nonnegative=True)
    held = Q - x * (Q - L)
    prove([y < 1, L <= Q, x <= 1], held <= Q).proved("the filtered length is at most the queue")
    return prove([y < 1, L <= Q], sympy.Eq(y * held + (1 - y) * Q, Q - y * x * (Q - L))).proved("one more departure")
