"""The queue under ECN: equations (1) to (5), the sawtooth, utilisation and line rate (Sections 2.2 and 3.3)."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from dtmodel.ledger import Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.provers import slack, smt
from dtmodel.theory.ecn import headroom, largest_queue, queue, queue_as_printed

D, K, N, B, w, W = sp.symbols("D K N B w W", positive=True)
beta = sp.Symbol("beta", positive=True)


def printed_queue(windows: sp.Expr) -> sp.Expr:
    """Equation (1): the sum of the windows less D."""
    return windows - D


@evidence("losspass.eq1", "losspass.eq3", form="printed", strength="exact")
def windows_below_the_pipe_give_a_negative_queue() -> Outcome:
    """One window of one packet on a pipe of two packets."""
    check(queue_as_printed([Fraction(1)], Fraction(2)) == -1, "the printed queue is -1")
    check(queue([Fraction(1)], Fraction(2)) == 0, "the queue is 0")
    data = {"values": {"N": "1", "w": "1", "D": "2"}, "hypotheses": ["N*w >= 0"], "statement": "N*w - D >= 0"}
    return Counterexample(Witness("values", data, says="a queue of -1 packets"), "q = N w - D = -1")


@evidence("losspass.eq1", form="assumed", strength="smt")
@evidence("losspass.eq3", form="assumed", strength="smt")
def what_is_outstanding_is_in_the_pipe_or_in_the_queue() -> Outcome:
    """A busy link keeps the pipe full (p = D); conservation gives q = W - D, a length from 0 to B."""
    q, p = sp.symbols("q p", real=True)
    outstanding = [sp.Eq(W, p + q), q >= 0, q <= B, p <= D, sp.Or(q <= 0, p >= D), W >= D, W <= D + B]
    smt.prove([W >= D, W <= D + B], [printed_queue(W) >= 0, printed_queue(W) <= B])
    return smt.prove(outstanding, sp.Eq(q, printed_queue(W))).proved("with q = 0 or a full pipe, q = W - D")


@evidence("losspass.eq2", form="printed", strength="exact")
def two_windows_that_start_apart_stay_apart() -> Outcome:
    """Windows 1 and 3, both growing by one a round and halved together, keep a positive difference."""
    one, two = Fraction(1), Fraction(3)
    for _ in range(20):
        one, two = (one + 1, two + 1) if one + two < 12 else (one / 2, two / 2)
    check(one != two, "the windows differ")
    data = {"values": {"w1": "1", "w2": "3"}, "statement": "(w1 + 1)/2 == (w2 + 1)/2"}
    return Counterexample(Witness("values", data, says="after growing and a common cut the windows still differ"))


@evidence("losspass.eq2", form="assumed", strength="smt")
def equal_windows_stay_equal() -> Outcome:
    """Growing by the same amount and being cut by the same share keep two windows equal."""
    x, y, a, c = sp.symbols("x y a c", positive=True)
    smt.prove([sp.Eq(x, y)], sp.Eq(x + a, y + a))
    return smt.prove([sp.Eq(x, y), c < 1], sp.Eq((1 - c) * x, (1 - c) * y)).proved()


@evidence("losspass.eq3.from-1-2", "losspass.sec3.3.crossing", form="printed", strength="symbolic")
def equal_windows_sum_to_n_w() -> Outcome:
    """A sum of N equal terms is N w; N w - D = K is solved by w = (K + D)/N alone."""
    i, n = sp.symbols("i n", integer=True, positive=True)
    check(sp.summation(w, (i, 1, n)) == n * w, "the sum of n windows is n w")
    check(sp.solve(sp.Eq(N * w - D, K), w) == [(K + D) / N], "the crossing is at (K + D)/N")
    return Proved("q = N w - D, and q = K at w = (K + D)/N", {"N": "2", "D": "4", "K": "2", "w": "3"}, ["N*w - D == K"])


@evidence("losspass.sec3.3.k-plus-1", form="printed", strength="exact")
def a_window_in_slow_start_doubles() -> Outcome:
    """One window that exactly meets K = 4 on a pipe of 8 doubles to 24 packets: the queue is 16."""
    data = {
        "values": {"K": "4", "D": "8", "w": "12"},
        "hypotheses": ["w - D == K"],
        "statement": "2*w - D <= K + 1",
    }
    return Counterexample(Witness("values", data, says="a doubled window puts 16 packets into the queue, not 5"))


@evidence("losspass.eq4@slow-start", form="printed", strength="kernel")
def slow_start_overshoots_by_more_than_n() -> Outcome:
    """The same with N = 2 windows of 6 packets: 24 - 8 = 16 > K + N = 6."""
    data = {
        "values": {"K": "4", "N": "2", "D": "8", "w": "6"},
        "hypotheses": ["K >= 0", "N >= 1", "D > 0", "w >= 1", "N*w - D <= K"],
        "statement": "N*(2*w) - D <= K + N",
    }
    return Counterexample(Witness("values", data, says="after one doubling the queue is 16, not at most 6"))


@evidence("losspass.sec3.3.k-plus-1", "losspass.eq4", form="assumed", strength="symbolic")
@evidence("losspass.sec2.2.around-k", "losspass.slides.max-queue", form="assumed", strength="symbolic")
def one_round_trip_of_growth_overshoots_by_n() -> Outcome:
    """w(t) = (K + D)/N + t grows by one in one round trip: q(1) = K + N, and q is increasing up to there."""
    t = sp.Symbol("t", nonnegative=True)
    q = N * ((K + D) / N + t) - D
    check(sp.expand(q.subs(t, 0)) == K, "the crossing is at t = 0")
    check(sp.expand(q.subs(t, 1)) == K + N, "one round trip later the queue is K + N")
    check(sp.diff(q, t) == N, "the queue grows at N packets a round trip")
    check(largest_queue(Fraction(45), 2) == 47, "the numeric formula is the same")
    slack.certificate(sp.expand(K + N - q).subs(t, 1 - w), {})  # t = 1 - w: at most K + N before the cut
    return Proved("max q = K + N for N >= 1 flows; K + 1 for one", {"K": "45", "N": "2", "q": "47"}, ["q == K + N"])


@evidence("losspass.eq4", form="printed", strength="exact")
def a_short_buffer_ends_the_growth() -> Outcome:
    """B = 1, K = 1, N = 1: the queue cannot exceed B."""
    check(largest_queue(Fraction(1), 1, buffer=Fraction(1)) == 1, "the queue ends at B")
    data = {"values": {"B": "1", "K": "1", "N": "1"}, "hypotheses": ["K <= B"], "statement": "K + N <= B"}
    return Counterexample(Witness("values", data, says="K + N = 2 packets do not fit into a buffer of one"))


@evidence("losspass.sec2.2.around-k", "losspass.slides.max-queue", form="printed", strength="exact")
def windows_that_double_exceed_k_by_more_than_n() -> Outcome:
    """Windows in slow start exceed K by K + D at worst, more than N."""
    return slow_start_overshoots_by_more_than_n()


@evidence("losspass.eq5", form="printed", strength="exact")
def headroom_as_printed_can_be_negative() -> Outcome:
    """B = K = N = 1: B - (K + N) = -1, but no burst has a negative size."""
    check(headroom(Fraction(1), Fraction(1), 1) == 0, "the clamped headroom is 0")
    data = {"values": {"B": "1", "K": "1", "N": "1"}, "hypotheses": ["K <= B"], "statement": "B - (K + N) >= 0"}
    return Counterexample(Witness("values", data, says="a headroom of -1 packet"))


@evidence("losspass.eq5", form="assumed", strength="smt")
def what_is_free_at_the_longest_queue() -> Outcome:
    """With K + N <= B a burst x fits at the longest queue iff x <= B - (K + N), and that is at least 0."""
    x = sp.Symbol("x", nonnegative=True)
    smt.prove([K + N <= B], B - (K + N) >= 0)
    smt.prove([K + N <= B, K + N + x <= B], x <= B - (K + N))
    return smt.prove([K + N <= B, x <= B - (K + N)], K + N + x <= B).proved()


@evidence("losspass.eq5.k-dominates", form="printed", strength="exact")
def five_packets_are_not_much_more_than_two_flows() -> Outcome:
    """K = 5 with two background senders (Section 2.2): N is 2/7 of K + N."""
    data = {"values": {"K": "5", "N": "2"}, "statement": "N/(K + N) <= 0.1"}
    return Counterexample(Witness("values", data, says="N makes up 2/7 of K + N"))


@evidence("losspass.eq5.k-dominates", form="assumed", strength="symbolic")
def nine_times_as_many_packets_are() -> Outcome:
    """With K = 9 N + x the share N/(K + N) is at most a tenth."""
    x = sp.Symbol("x", nonnegative=True)
    return slack.certificate(sp.Rational(1, 10) - N / (K + N), {K: 9 * N + x}).proved()


@evidence("losspass.sec2.2.headroom", form="printed", strength="exact")
def headroom_vanishes_while_b_minus_k_does_not() -> Outcome:
    """B = 2, K = 1, N = 1: no headroom, B - K = 1."""
    data = {
        "values": {"B": "2", "K": "1", "N": "1"},
        "hypotheses": ["K + N <= B"],
        "statement": "(B - K) - (B - K - N) <= (B - K - N)/10",
    }
    return Counterexample(Witness("values", data, says="the headroom is 0, B - K is 1"))


@evidence("losspass.sec2.2.headroom", form="assumed", strength="symbolic")
def headroom_is_b_minus_k_for_few_flows() -> Outcome:
    """With B = K + 11 N + x the difference N is at most a tenth of the headroom."""
    x = sp.Symbol("x", nonnegative=True)
    return slack.certificate((B - K - N) / 10 - N, {B: K + 11 * N + x}).proved()


@evidence("losspass.slides.headroom", "losspass.slides.low-k-burst", form="printed", strength="symbolic")
def a_smaller_threshold_leaves_more_room() -> Outcome:
    """Lowering K by x < K raises B - (K + N) by x."""
    x = sp.Symbol("x", positive=True)
    gain = (B - (K - x + N)) - (B - (K + N))
    return slack.certificate(sp.expand(gain), {}, strict=True).proved()
