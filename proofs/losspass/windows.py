"""Section 3.3: equations (1) to (4), the largest queue of synchronised windows; proofs."""

from fractions import Fraction

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import slack, smt
from dtmodel.theory.losspass.ecn import largest_queue

D, w, W, B, K, N = sp.symbols("D w W B K N", positive=True)


def printed_queue(windows: sp.Expr) -> sp.Expr:
    """Equation (1): the sum of the windows less D."""
    return windows - D


def first_marked_round() -> Outcome:
    """Derive the peak."""
    N, w, r, K = sp.symbols("N w r K", integer=True)
    crossing = N * w + r - K  # D
    check(sp.expand(N * w - crossing) == K - r, "not marked")
    check(sp.expand(N * (w + 1) - crossing) == K + N - r, "marked")
    example = {"D": "4", "K": "4", "N": "3", "w": "2", "r": "2"}
    return Proved("q = K + N - r with r = (K + D) mod N", example, ["K + D == N*w + r", "r >= 0", "r < N"])


@evidence("losspass.eq1", form="assumed", strength="smt")
@evidence("losspass.eq3", form="assumed", strength="smt")
def what_is_outstanding_is_in_the_pipe_or_in_the_queue() -> Outcome:
    """A busy link keeps the pipe full (p = D); conservation gives q = W - D, a length from 0 to B."""
    q, p = sp.symbols("q p", real=True)
    outstanding = [sp.Eq(W, p + q), q >= 0, q <= B, p <= D, sp.Or(q <= 0, p >= D), W >= D, W <= D + B]
    smt.prove([W >= D, W <= D + B], [printed_queue(W) >= 0, printed_queue(W) <= B])
    return smt.prove(outstanding, sp.Eq(q, printed_queue(W))).proved("with q = 0 or a full pipe, q = W - D")


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
    K = sp.Symbol("K", nonnegative=True)
    check(sp.summation(w, (i, 1, n)) == n * w, "the sum of n windows is n w")
    check(sp.solve(sp.Eq(N * w - D, K), w) == [(K + D) / N], "the crossing is at (K + D)/N")
    return Proved("q = N w - D, and q = K at w = (K + D)/N", {"N": "2", "D": "4", "K": "2", "w": "3"}, ["N*w - D == K"])


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


@evidence("losspass.eq4@packets", form="assumed", strength="symbolic")
def a_dividing_n_reaches_k_plus_n() -> Outcome:
    """For r = 0 the first marked round has K + N packets queued."""
    first_marked_round()
    N, w, K = sp.symbols("N w K", integer=True)
    check(sp.expand(N * (w + 1) - (N * w - K)) == K + N, "K + N")
    return Proved("q = K + N", {"D": "4", "K": "2", "N": "3", "w": "2"}, ["K + D == N*w"])


@evidence("losspass.ours.integer-peak", form="printed", strength="symbolic")
def the_first_marked_round() -> Outcome:
    """With K + D = N w + r, 0 <= r < N: w packets leave the queue at K - r, w + 1 raise it to K + N - r."""
    return first_marked_round()
