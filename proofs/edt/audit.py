"""Sentences of Sections 3.3 to 6 that were claimed late: certificates and identities."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.theory import dt_formulas as dt
from dtmodel.theory import edt_formulas as edt

from .dt_common import B, C, M, N, alpha, positive, r, same

EXAMPLE = {"alpha": "1", "B": "16", "C": "1", "M": "1", "N": "1", "r": "2"}


@evidence("edt.intro.as-much-as-possible", "edt.fig13.inevitable", form="assumed", strength="symbolic")
def the_bursts_hold_all_there_is_at_the_overflow() -> Outcome:
    """Bytes that must be queued at the first loss of EDT: B by the bursts if slow, B with the least of the rest if not.

    Until t every policy sends at most C t from each port. Slow bursts have left M (R - C) t = B then, so any later
    loss is every policy's. For fast ones a policy that keeps what it admitted still holds N (Q_0 - C t) beside them.
    """
    slow = edt.slow_overflow(B, M, r)
    same(M * r * slow, B, "the bursts hold the whole buffer")
    same(edt.fast_overflow(alpha, B, C, M, 0, r), slow, "without steady ports there is one overflow time")
    fast = edt.fast_overflow(alpha, B, C, M, N, r)
    steady = dt.threshold(alpha, dt.initial_free(alpha, B, N)) - C * fast
    same(M * r * fast + N * steady, B, "bursts and draining steady ports hold the whole buffer")
    return Proved("nothing more fits", EXAMPLE, ["alpha * M * r <= (1 + alpha * N) * C"])


@evidence("edt.sec6.small-burst", form="printed", strength="symbolic")
def all_bursts_together_bring_as_little_as_one_likes() -> Outcome:
    """M R t_1 / B for slow bursts of R = 2 C, M = 1 tends to 0 as N grows, and decreases in N."""
    part = M * (C + r) * dt.slow_drop_time(alpha, B, M, N, r) / B
    one = part.subs({M: 1, r: C})
    check(sp.limit(one, N, sp.oo) == 0, "the limit for many steady ports")
    positive(one - one.subs(N, N + 1))
    return Proved("less than any part of B", {**EXAMPLE, "part": "2/3"}, ["part < 1"])


@evidence("edt.sec4.3.alpha-efficiency", form="assumed", strength="symbolic")
def slow_bursts_are_absorbed_longer_with_a_larger_alpha() -> Outcome:
    """(2) grows with alpha; R <= C (1 + N / M) is slow for every alpha; without steady ports (6) is (2)."""
    more = sp.Symbol("more", positive=True)
    time = dt.slow_drop_time(alpha, B, M, N, r)
    positive(time.subs(alpha, alpha + more) - time)
    positive(dt.rate_bound(alpha, C, M, N) - C * (1 + N / M))
    same(dt.fast_drop_time(alpha, B, C, M, 0, r), time.subs(N, 0), "one formula for N = 0")
    return Proved("t_1 grows with alpha", {**EXAMPLE, "r": "1"}, ["M * r <= N * C"])


@evidence("edt.sec4.4.either@sec5.2", form="printed", strength="symbolic")
def few_bursts_are_longer_than_the_buffer_is_deep() -> Outcome:
    """Cantelli: P(X - mean >= x) <= var / (var + x^2), for every distribution; the lognormal tail besides."""
    mean, deviation = Fraction(2), Fraction(2)
    bound = Fraction(8 * 10**6) * 1000 / (2 * 10**9 - 10**9)
    check(bound == 8, f"B / (R_min - C) is {bound} ms")
    x = bound - mean
    check(deviation**2 / (deviation**2 + x**2) == Fraction(1, 10), "Cantelli's bound")
    sigma = sp.sqrt(sp.log(2))
    tail = sp.erfc((sp.log(4) + sigma**2 / 2) / (sigma * sp.sqrt(2))) / 2
    check(sp.Rational(1, 100) < tail < sp.Rational(2, 100) + sp.Rational(1, 1000), f"lognormal tail {sp.N(tail)}")
    return Proved("at most 1/10, and 2 % for the lognormal", {"B": "8", "mean": "2", "tail": "1/10"}, ["mean < B"])
