"""The sawtooth in whole packets, run round by round."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from dtmodel.ledger import Agrees, Outcome, Proved, check, evidence
from dtmodel.provers import smt
from dtmodel.theory.ecn import Sawtooth
from dtmodel.theory.ecn_rounds import Rounds, least_threshold_in_packets

from .common import values
from .sawtooth import tooth

GRID = list(product(range(1, 13), range(13), range(1, 6)))
SIZES = "D from 1 to 12, K up to 12, N from 1 to 5"


def run(D: int, K: int, N: int) -> list[int]:
    """Run halved whole windows for a while and return those of the last period."""
    w, seen = 1, []
    for _ in range(4 * (K + D) + 8):
        seen.append(w)
        w = max(1, w // 2) if max(0, N * w - D) > K else w + 1
    peak = max(seen)
    last = len(seen) - 1 - seen[::-1].index(peak)
    before = max((i for i in range(last) if seen[i] == peak), default=-1)
    return seen[before + 1 : last + 1]


@evidence("losspass.ours.integer-peak", form="printed", strength="exact")
def the_largest_queue_in_whole_packets() -> Outcome:
    """Rounds run one by one: the largest queue is K + N - ((K + D) mod N)."""
    for D, K, N in GRID:
        q = max(max(0, N * w - D) for w in run(D, K, N))
        check(q == Rounds(D, K, N).largest_queue == K + N - (K + D) % N, f"D={D} K={K} N={N}")
        check(q <= K + N and (q > K or N * 1 - D <= K), "between K + 1 and K + N")
    return Agrees(len(GRID), SIZES)


@evidence("losspass.ours.integer-peak", form="printed", strength="symbolic")
def the_first_marked_round() -> Outcome:
    """With K + D = N w + r, 0 <= r < N: w packets leave the queue at K - r, w + 1 raise it to K + N - r."""
    return first_marked_round()


def first_marked_round() -> Outcome:
    """Derive the peak."""
    N, w, r, K = sp.symbols("N w r K", integer=True)
    crossing = N * w + r - K  # D
    check(sp.expand(N * w - crossing) == K - r, "not marked")
    check(sp.expand(N * (w + 1) - crossing) == K + N - r, "marked")
    example = {"D": "4", "K": "4", "N": "3", "w": "2", "r": "2"}
    return Proved("q = K + N - r with r = (K + D) mod N", example, ["K + D == N*w + r", "r >= 0", "r < N"])


@evidence("losspass.eq4@packets", form="assumed", strength="symbolic")
def a_dividing_n_reaches_k_plus_n() -> Outcome:
    """For r = 0 the first marked round has K + N packets queued."""
    first_marked_round()
    N, w, K = sp.symbols("N w K", integer=True)
    check(sp.expand(N * (w + 1) - (N * w - K)) == K + N, "K + N")
    return Proved("q = K + N", {"D": "4", "K": "2", "N": "3", "w": "2"}, ["K + D == N*w"])


@evidence("losspass.eq4@packets", form="printed", strength="exact")
def whole_windows_may_stop_short_of_k_plus_n() -> Outcome:
    """The smallest D + K + N for which the largest queue is not K + N."""
    found = min((D + K + N, D, K, N) for D, K, N in GRID if Rounds(D, K, N).largest_queue != K + N)
    _, D, K, N = found
    check(max(N * w - D for w in run(D, K, N)) != K + N, "round by round")
    return values(
        "N*(floor((K + D)/N) + 1) - D == K + N",
        says="the first marked round has fewer packets queued",
        D=D,
        K=K,
        N=N,
    )


@evidence("losspass.ours.least-k-packets", form="printed", strength="exact")
def line_rate_in_whole_packets() -> Outcome:
    """Rounds run one by one: all of them fill the link iff floor((K + D)/N) >= 2 ceil(D/N) - 1, for D > N."""
    cases = 0
    for D, K, N in GRID:
        fills = all(N * w >= D for w in run(D, K, N))
        check(fills == Rounds(D, K, N).line_rate, f"D={D} K={K} N={N}")
        check(D > N or fills, "one packet a flow fills the link")
        if D > N:
            check(fills == ((K + D) // N >= 2 * -(-D // N) - 1), f"D={D} K={K} N={N}")
            check(fills == (least_threshold_in_packets(D, N) <= K), f"D={D} K={K} N={N}")
            check(least_threshold_in_packets(D, N) == max(0, N * (2 * -(-D // N) - 1) - D), "closed form")
        cases += 1
    return Agrees(cases, SIZES)


@evidence("losspass.ours.least-k-packets", form="printed", strength="smt")
def half_of_a_whole_peak_fills_the_link() -> Outcome:
    """With c = ceil(D/N), h = floor(b/2): N h >= D iff h >= c iff b >= 2 c."""
    D, N, c, h, b = sp.symbols("D N c h b", integer=True)
    base = [N >= 1, D >= 1, c * N >= D, (c - 1) * N < D, 2 * h <= b, b <= 2 * h + 1, b >= 1, c >= 1]
    smt.prove([*base, b >= 2 * c], h >= c)
    smt.prove([*base, b < 2 * c], h <= c - 1)
    below = N * h <= N * (c - 1)  # as h <= c - 1 and N > 0
    smt.prove([N >= 1, h <= c - 1], below)
    smt.prove([*base, below], N * h < D)
    above = N * h >= N * c  # as h >= c and N > 0
    smt.prove([N >= 1, h >= c], above)
    return smt.prove([*base, above], N * h >= D).proved("N floor(b/2) >= D iff b >= 2 ceil(D/N)")


@evidence("losspass.sec3.3.sufficient@packets", form="printed", strength="kernel")
def rounding_down_can_need_more_than_the_pipe() -> Outcome:
    """The smallest D + N for which K = D does not fill the link."""
    _, D, N = min((D + N, D, N) for D, K, N in GRID if K == D and not Rounds(D, K, N).line_rate)
    check(not all(N * w >= D for w in run(D, D, N)), "round by round")
    return values("N*max(1, floor((floor((K + D)/N) + 1)/2)) >= D",
                  ["D > 0", "N >= 1", "K >= D", "floor(D) == D", "floor(N) == N", "floor(K) == K"],
                  "the halved window, rounded down, leaves the link idle", D=D, K=D, N=N)  # fmt: skip


@evidence("losspass.ours.utilisation", form="printed", strength="exact")
def utilisation_is_the_integral_on_a_grid() -> Outcome:
    """The closed form equals the exact integral, for three cuts and both growths."""
    cases = 0
    for D, K, N in GRID:
        for cut in (Fraction(1, 2), Fraction(1, 4), Fraction(9, 10)):
            saw = Sawtooth(Fraction(D), Fraction(K), N, cut)
            base = tooth(saw.bdp, saw.trough, saw.peak, Fraction(N), actual=False)
            check(saw.utilisation("base") == base.carried / base.period, f"base: D={D} K={K} N={N} {cut}")
            actual = tooth(saw.bdp, saw.trough, saw.peak, Fraction(N), actual=True)
            check(saw.utilisation("actual") == actual.carried / actual.period, f"actual: D={D} K={K} N={N} {cut}")
            cases += 2
    return Agrees(cases, SIZES + ", cuts 1/2, 1/4, 9/10")
