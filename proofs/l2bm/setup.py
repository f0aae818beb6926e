"""Section IV: the switches, the schemes compared and the network; proofs."""

from fractions import Fraction

import sympy

from dtmodel.ledger import Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.ledger.provers import smt
from dtmodel.theory.dt import formulas as dt
from dtmodel.theory.l2bm import formulas as l2bm

from .derivation import identity, nonnegative


@evidence("l2bm.sec4.incast-split", form="printed", strength="symbolic")
def the_parts_of_a_request_add_up() -> Outcome:
    """Add up the N parts x / N of a request of x bytes."""
    N, x = sympy.symbols("N x", positive=True)
    identity(N * (x / N), x, "the request")
    return Proved("N (x / N) = x", {"N": "5", "x": "1000000"}, ["N * (x / N) == x"])


@evidence("l2bm.sec4.response", form="printed", strength="symbolic")
def a_maximum_is_at_least_the_average() -> Outcome:
    """N greatest = sum + gaps with gaps >= 0."""
    N, total, gaps = sympy.symbols("N total gaps", positive=True)
    certificate = nonnegative((total + gaps) / N - total / N)
    return Proved(certificate, {"a": "1", "b": "3"}, ["max(a, b) >= (a + b) / 2"])


@evidence("l2bm.sec4.slowdown", form="printed", strength="smt")
def other_traffic_lets_no_packet_leave_earlier() -> Outcome:
    """Induction over a flow's packets: alone each starts when it is there and the one before has left, else no earlier.

    The whole flow takes ideal > 0 alone, and ends no earlier beside others: the slowdown is 1 or more.
    """
    come, sends, alone, beside, start = sympy.symbols("come sends alone beside start", nonnegative=True)
    earlier = [beside >= alone, start >= come, start >= beside, sends > 0]
    smt.prove(earlier, start + sends >= sympy.Max(come, alone) + sends)
    return smt.prove([beside >= alone, alone > come], (beside - come) >= (alone - come)).proved("actual >= ideal > 0")


@evidence("l2bm.sec4.dt.alpha@later", form="assumed", strength="symbolic")
def bursts_that_are_followed_meet_their_thresholds_later() -> Outcome:
    """The drop times of Theorem 1 of the DT/EDT paper grow with alpha: the slow one always, the fast one if N = 0.

    Bursts that are slow with the larger alpha are slow with the smaller one, too.
    """
    alpha, d, B, M, r = sympy.symbols("alpha d B M r", positive=True)
    N = sympy.Symbol("N", nonnegative=True)
    C, more, rate = sympy.symbols("C more rate", positive=True)  # rate = M (R - C)
    smt.prove([more > alpha, more * rate <= C * (1 + more * N)], alpha * rate <= C * (1 + alpha * N))
    times = [dt.slow_drop_time(alpha, B, M, N, r), dt.fast_drop_time(alpha, B, C, M, 0, r)]
    found = [nonnegative(sympy.together(time.subs(alpha, alpha + d) - time), strict=True) for time in times]
    return Proved("; ".join(found), {"r": "3", "x": "1/8", "y": "1/2"}, ["x / (r * (1 + x)) < y / (r * (1 + y))"])


@evidence("l2bm.sec4c.only-recorder@own-queue", form="printed", strength="kernel")
def the_same_recorder_gives_two_weights() -> Outcome:
    """Sojourn times (1, 1) and (1, 3): the first queue's recorder is the same, its weight 2 alpha and 4 alpha."""
    pair = tuple(l2bm.weights(times, 1)[0] for times in ([1, 1], [1, 3]))
    check(pair == (Fraction(2), Fraction(4)), f"{pair}")
    statement = "alpha * (own + other) / own == alpha * (own + later) / own"
    given = ["min(own, other, later, alpha) > 0"]
    return refuted_by_values({"own": "1", "other": "1", "later": "3", "alpha": "1"}, statement, "", given)
