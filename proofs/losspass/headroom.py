"""Sections 2.2 and 3.3: equation (5), the headroom that ECN leaves; proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, evidence
from dtmodel.ledger.provers import slack, smt
from dtmodel.ledger.provers.symbolic_execution import PathCondition, any_of

from .arrivals import Arrived, as_tail_drop, holds, k_l, k_p, k_s

D, B, K, N = sp.symbols("D B K N", positive=True)
A, burst, K_0 = sp.symbols("A burst K", nonnegative=True)


@evidence("losspass.eq5", form="assumed", strength="smt")
def what_is_free_at_the_longest_queue() -> Outcome:
    """With K + N <= B a burst x fits at the longest queue iff x <= B - (K + N), and that is at least 0."""
    x = sp.Symbol("x", nonnegative=True)
    smt.prove([K + N <= B], B - (K + N) >= 0)
    smt.prove([K + N <= B, K + N + x <= B], x <= B - (K + N))
    return smt.prove([K + N <= B, x <= B - (K + N)], K + N + x <= B).proved()


@evidence("losspass.eq5.k-dominates", form="printed", strength="smt")
def nine_times_as_many_packets_are() -> Outcome:
    """N/(K + N) is at most a tenth if K >= 9 N, and only then."""
    smt.prove([K < 9 * N], sp.Rational(1, 10) < N / (K + N))
    return smt.prove([K >= 9 * N], sp.Rational(1, 10) >= N / (K + N)).proved("N <= (K + N)/10 iff K >= 9 N")


@evidence("losspass.sec2.2.marks", form="printed", strength="smt")
def a_mark_tells_that_the_length_exceeds_k() -> Outcome:
    """Any thresholds: a buffered packet is marked iff its queue, or the port, is longer than K with it."""

    def marked(a: Arrived) -> PathCondition:
        own = a.own > (k_s if a.kind == "small" else k_l)
        exceeds = any_of(own, a.after.s + a.after.l > k_p)
        return exceeds if a.marked else ~exceeds

    return holds("intended", marked, "marked iff longer than K", marks=(True, True, True), where=lambda a: a.left)


@evidence("losspass.sec2.2.instantaneous", form="printed", strength="smt")
def an_average_lags_behind_a_queue_that_grows() -> Outcome:
    """By induction: from m <= q, a growth by u >= 0 gives (1 - g) m + g (q + u) <= q + u, strictly for u > 0."""
    m, q, u, g = sp.symbols("m q u g", nonnegative=True)
    grown, moved = q + u, (1 - g) * m + g * (q + u)
    model = [m <= q, g > 0, g < 1]
    smt.prove([*model, u > 0], moved < grown)
    smt.prove([*model, moved > K_0], grown > K_0)
    return smt.prove(model, moved <= grown).proved("the average never exceeds the length of a queue that grows")


@evidence("losspass.sec2.2.headroom", form="printed", strength="smt")
def headroom_is_b_minus_k_for_few_flows() -> Outcome:
    """With A = N a the difference A is at most a tenth of the headroom if 11 A <= B - K, and only then."""
    smt.prove([B - K_0 < 11 * A], A > (B - K_0 - A) / 10)
    return smt.prove([B - K_0 >= 11 * A], A <= (B - K_0 - A) / 10).proved("A <= (B - K - A)/10 iff 11 A <= B - K")


@evidence("losspass.sec2.2.fundamental", form="assumed", strength="smt")
def a_burst_longer_than_b_less_the_pipe_excludes_line_rate() -> Outcome:
    """K + A >= D leaves at most B - D; and a burst of B - D is absorbed by K = D - A."""
    smt.prove([A <= D, D <= B, sp.Eq(K_0, D - A)], [K_0 + A >= D, B - D <= B - (K_0 + A)])  # the bound is sharp
    return smt.prove([burst > B - D, K_0 + A >= D], burst > B - (K_0 + A)).proved()


@evidence("losspass.sec2.2.high-k-burst", "losspass.slides.high-k-burst", form="assumed", strength="smt")
def a_high_threshold_loses_a_long_burst() -> Outcome:
    """K >= D and burst > B - D - A leave less than the burst."""
    return smt.prove([K_0 >= D, burst > B - D - A], burst > B - (K_0 + A)).proved()


@evidence("losspass.sec2.2.low-k-burst", "losspass.intro.low-k-burst", form="printed", strength="smt")
def a_low_threshold_absorbs_what_a_high_one_does_and_more() -> Outcome:
    """K < D <= K' leave B - K - A and B - K' - A: what fits into the second fits into the first, which is longer."""
    high = sp.Symbol("high", positive=True)
    given = [K_0 < D, high >= D, high + A <= B]
    smt.prove(given, B - (high + A) < B - (K_0 + A))
    return smt.prove([*given, burst <= B - (high + A)], burst <= B - (K_0 + A)).proved()


@evidence("losspass.sec2.2.before-b", form="assumed", strength="smt")
def one_growth_after_the_mark_stays_below_b() -> Outcome:
    """The last round without a mark has q = W - D <= K; in the next W + A, and then the windows are cut."""
    W, q, after = sp.symbols("W q after", nonnegative=True)
    model = [sp.Eq(q, W - D), q <= K_0, sp.Eq(after, (W + A) - D)]
    return smt.prove([*model, A < B - K_0], after < B).proved()


@evidence("losspass.slides.headroom", form="printed", strength="smt")
def a_port_that_evicts_nothing_takes_what_is_free() -> Outcome:
    """Tail drop enqueues what fits: beside q and x bytes of the burst that stayed, P more do iff x + P <= B - q."""
    holds("droptail-2q", as_tail_drop, "tail drop")
    q, x, P = sp.symbols("q x P", nonnegative=True)
    smt.prove([q + x + P <= B], x + P <= B - q)
    return smt.prove([x + P <= B - q], q + x + P <= B).proved("the burst stays iff it is at most B - q")


@evidence("losspass.slides.low-k-burst", form="printed", strength="symbolic")
def a_smaller_threshold_leaves_more_room() -> Outcome:
    """Lowering the threshold K by x < K raises the headroom B - (K + N) by x."""
    x = sp.Symbol("x", positive=True)
    gain = (B - (K - x + N)) - (B - (K + N))
    return slack.certificate(sp.expand(gain), {}, strict=True).proved()
