"""Sections 5.1.1 and 5.1.2: the testbed, Figures 4 to 7; proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, check, evidence
from dtmodel.ledger.provers import slack, smt

from . import step
from .arrivals import as_tail_drop, holds, ruled, small
from .derivation import utilisation

W, D = sp.symbols("W D", positive=True)
h = sp.Symbol("h", nonnegative=True)


@evidence("losspass.intro.one-rtt", form="assumed", strength="smt")
def seven_segments_hold_10_kb() -> Outcome:
    """7 * 1460 = 10,220 bytes; 6 would not do."""
    check(6 * 1460 < 10_000, "6 are too few")
    W = sp.Symbol("W", integer=True)
    return smt.prove([W >= 7], 1460 * W >= 10_000).proved()


@evidence("losspass.sec2.1.batching", form="assumed", strength="smt")
def two_batches_at_once_make_a_queue() -> Outcome:
    """In the time b / C the n batches bring n b bytes and C b / C = b leave: (n - 1) b > 0 stay."""
    n = sp.Symbol("n", integer=True)
    size, rate, time = sp.symbols("size rate time", positive=True)
    return smt.prove([n >= 2, sp.Eq(rate * time, size)], n * rate * time - rate * time > 0).proved()


@evidence("losspass.sec2.1.spike", form="printed", strength="smt")
def answers_at_once_leave_all_but_one_in_the_queue() -> Outcome:
    """With net = (n - 1) C the queue is net t up to b / C, where it is spike = (n - 1) b: beyond B iff spike > B."""
    n = sp.Symbol("n", integer=True)
    size, rate, net, spike, time, end, B = sp.symbols("size rate net spike time end B", positive=True)
    smt.prove([n >= 2, sp.Eq(rate * end, size)], sp.Eq((n * rate - rate) * end, (n - 1) * size))
    model = [sp.Eq(net * end, spike), time <= end]
    smt.prove([*model, spike <= B], net * time <= B)
    return smt.prove([*model, spike > B], net * end > B).proved("a spike of (n - 1) b")


@evidence("losspass.sec5.1.classes", form="printed", strength="smt")
def the_classes_partition_the_sizes() -> Outcome:
    """Every size is in exactly one of (0, 100 KB], (100 KB, 10 MB], (10 MB, infinity)."""
    x = sp.Symbol("x", positive=True)
    low, high = 100_000, 10_000_000
    classes = [x <= low, sp.And(x > low, x <= high), x > high]
    for k, one in enumerate(classes):
        smt.prove([one], [sp.Not(other) for j, other in enumerate(classes) if j != k])
    return smt.prove([x > 0], sp.Or(*classes)).proved()


@evidence("losspass.sec5.1.tau-t", form="printed", strength="smt")
def few_flows_may_exceed_the_demoting_threshold() -> Outcome:
    """0.05 >= T p/E with T = 1 MB and E = 1.58 MB (at most 1.585) gives p <= 0.0793."""
    p, mean, small = sp.symbols("p mean small", nonnegative=True)  # of a flow, in T: its bytes and the small ones
    low, high = sp.Rational(1575, 1000), sp.Rational(1585, 1000)
    hypotheses = [mean >= low, mean < high, sp.Eq(mean - small, sp.Rational(95, 100) * mean), small >= p]
    return smt.prove(hypotheses, p <= sp.Rational(8, 100)).proved()


@evidence("losspass.sec5.1.reserve-0", form="printed", strength="smt")
def what_a_reserve_lets_in_is_let_in_without_one() -> Outcome:
    """Every decision of every port asks for B_l in line 4 only, and what line 4 lets pass it lets pass with B_l = 0.

    So both ports hold the same packets until the one with the reserve loses a small one.
    """
    holds("intended", ruled, "enqueue, evict or refuse", where=small)
    holds("intended", as_tail_drop, "large packets", where=lambda a: a.kind == "large")
    lines = [*step.STATE, step.OVERFLOW, step.LINE_3, step.LINE_4]
    return smt.prove(lines, step.P + step.s <= step.B).proved()


@evidence("losspass.sec5.1.1.query", form="printed", strength="smt")
def the_slowest_response_ends_the_query() -> Outcome:
    """The end is one that no response exceeds and that one of them has: with t + T among them it is later than T."""
    T, one, end = sp.symbols("T one end", positive=True)
    others = sp.symbols("others:15", positive=True)
    ends = [*others, one + T]
    greatest = [*(end >= each for each in ends), sp.Or(*(sp.Eq(end, each) for each in ends))]
    return smt.prove(greatest, end > T).proved()


@evidence("losspass.sec5.1.1.lower-k", form="printed", strength="symbolic")
def a_gentler_cut_needs_a_smaller_threshold() -> Outcome:
    """K + N a >= beta/(1 - beta) D: alpha/(2 - alpha) < 1 for alpha = 1/(1 + x) < 1, and equal for alpha = 1."""
    alpha, more = sp.symbols("alpha more", positive=True)
    check((alpha / (2 - alpha)).subs(alpha, 1) == 1, "alpha = 1 halves as ECN* does")
    return slack.certificate(1 - alpha / (2 - alpha), {alpha: 1 / (1 + more)}, strict=True).proved()


@evidence("losspass.sec2.2.dctcp-better", form="printed", strength="symbolic")
def a_gentler_cut_uses_more_of_the_link() -> Outcome:
    """Raising the trough m by h lowers the lost share, for both growths: D = m + h + z, W = D + x."""
    m, z, w = sp.symbols("m z w", positive=True)
    for growth in ("base", "actual"):
        gain = utilisation(W, m + h, growth) - utilisation(W, m, growth)
        proof = slack.certificate(gain.subs(W, D + w), {D: m + h + z})
    return proof.proved("the lost share falls as the trough rises")
