"""Sections 3.4 and 6: other schemes; proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, evidence
from dtmodel.ledger.provers import slack, smt

from . import step
from .arrivals import as_tail_drop, holds
from .step import LINE_3, P, l, s, v

B = sp.Symbol("B", positive=True)


@evidence("losspass.sec3.2.existing", form="printed", strength="smt")
def struck_out_lines_leave_tail_drop() -> Outcome:
    """Without lines 2 to 9 every path enqueues what fits and drops the rest."""
    return holds("droptail-2q", as_tail_drop, "tail drop")


@evidence("losspass.sec3.4.aeolus", "losspass.sec3.4.dedicated", form="printed", strength="smt")
def a_reserved_part_bounds_the_burst() -> Outcome:
    """If others hold B - D of the buffer, an instant burst x without loss has x <= D (D = B/2, B - T)."""
    x, D, held = sp.symbols("x D held", nonnegative=True)
    smt.prove([sp.Eq(held, B / 2), x + held <= B], x <= B / 2)
    return smt.prove([D <= B, sp.Eq(held, B - D), x + held <= B], x <= D).proved()


@evidence("losspass.sec3.4.afd.trade-off", form="printed", strength="symbolic")
def utilisation_and_headroom_move_against_each_other() -> Outcome:
    """Both growths, peaks W = D + T and W + h, D = c (W + h) + y, c = 1 - beta: the lost share does not grow."""
    h, y = sp.symbols("h y", nonnegative=True)
    c, k, W = sp.symbols("c k W", positive=True)  # k = 1 - c^2, positive for every cut
    slack.certificate((y + c * h) ** 2 / W - y**2 / (W + h), {})
    found = slack.certificate((y + c * h) ** 2 / ((y + c * h) ** 2 + k * W**2) - y**2 / (y**2 + k * (W + h) ** 2), {})
    return found.proved("a longer T loses no larger share of the link, and leaves less headroom")


@evidence("losspass.sec3.4.deep.delay", form="printed", strength="smt")
def a_full_port_delays_by_its_buffer() -> Outcome:
    """(R - C) t <= B up to t = B/(R - C), with equality there; then the queue is B, and B bytes ahead take B/C."""
    rate, offered, t, q = sp.symbols("C R t q", positive=True)
    smt.prove([offered > rate, t * (offered - rate) <= B, sp.Eq(q, (offered - rate) * t)], q / rate <= B / rate)
    full = [offered > rate, sp.Eq(t * (offered - rate), B), sp.Eq(q, (offered - rate) * t)]
    return smt.prove(full, sp.Eq(q / rate, B / rate)).proved("the wait is q/C <= B/C, and B/C at a full port")


@evidence("losspass.sec6.fab@weighted-dt", form="printed", strength="smt")
def overloaded_queues_share_by_their_weights() -> Outcome:
    """On both thresholds F = B - (w_s + w_l) F has one solution, and Q_s w_l = Q_l w_s."""
    small, large, F, one, two = sp.symbols("w_s w_l F Q_s Q_l", positive=True)
    steady = [sp.Eq(one, small * F), sp.Eq(two, large * F), sp.Eq(F, B - one - two), small > large]
    smt.prove(steady, sp.Eq(F * (1 + small + large), B))
    return smt.prove(steady, [sp.Eq(one * large, two * small), one > two]).proved("Q_s / Q_l = w_s / w_l")


@evidence("losspass.sec3.4.dedicated.50", form="assumed", strength="smt")
def losspass_absorbs_at_least_a_dedicated_half() -> Outcome:
    """With one size, which is the unit, LossPass holds n whole packets, n > B - 1, and the dedicated half h <= B/2."""
    s, n, h = sp.symbols("s n h", integer=True)
    return smt.prove([s >= 0, n + 1 > B, h <= B / 2], n - s >= h - s).proved()


@evidence("losspass.sec3.4.dedicated.regardless", form="printed", strength="smt")
def the_dedicated_half_does_not_look_at_large_flows() -> Outcome:
    """Large flows within B/2 and small ones within B/2 fit together."""
    s, l, x = sp.symbols("s l x", nonnegative=True)
    return smt.prove([l <= B / 2, s + x <= B / 2], s + l + x <= B).proved()


@evidence("losspass.sec6.pfabric", form="printed", strength="smt")
def a_tree_of_depth_d_takes_d_comparisons() -> Outcome:
    """Induction over d: the changed half took d comparisons and knows its largest key, the other half's is kept.

    The root compares the two once more. A tree of depth d has room for n keys iff n <= 2^d, so the least d is
    ceil(log2 n).
    """
    left, right, key, old = sp.symbols("left right key old", real=True)
    compared, d = sp.symbols("compared d", integer=True)
    halves = [key <= left, old <= right]  # any key of the changed half, any of the other one
    smt.prove([d >= 0, sp.Eq(compared, d)], sp.Eq(compared + 1, d + 1))
    smt.prove(halves, [key <= sp.Max(left, right), old <= sp.Max(left, right)])
    return smt.prove(
        [left <= right], sp.Or(sp.Eq(sp.Max(left, right), left), sp.Eq(sp.Max(left, right), right))
    ).proved("one comparison a level, and the root holds the largest key")


@evidence("losspass.sec6.complementary", form="assumed", strength="smt")
def a_new_buffer_size_that_holds_the_port_keeps_every_line() -> Outcome:
    """With B replaced by any A >= s + l (and A >= P), lines 1 and 3 still make room by one eviction."""
    A = sp.Symbol("A", real=True)
    hypotheses = [s >= 0, v > 0, v <= l, P > 0, s + l <= step.B, s + l <= A, P <= A, P + s + l > A, LINE_3]
    return smt.prove(hypotheses, s + l - v + P <= A).proved()
