"""Section 4.3: Theorem 5, equations (79) and (80), and footnote 9; proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.ledger.provers import slack, smt
from dtmodel.theory.dt import formulas as dt
from dtmodel.theory.edt import formulas as edt

from .derivation import FAST_BURSTS, B, C, M, N, alpha, certify_fast_overflow, positive, r, same, t

rest = sp.Symbol("k", nonnegative=True)
EXAMPLE = {"alpha": "1", "B": "16", "C": "1", "M": "1", "N": "1", "r": "2"}
SLOW = {C: alpha * M * r / (1 + alpha * N) + rest}
OVERFLOWING = {"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"}


def certify_slow_overflow() -> slack.Certificate:
    """With the steady queues on the threshold F = (B - M (R - C) t) / (1 + alpha N), which they can follow."""
    F = sp.Symbol("F")
    (free,) = sp.solve(sp.Eq(F, B - M * r * t - N * alpha * F), F)
    same(free.subs(t, edt.slow_overflow(B, M, r)), 0, "F at (80)")
    return slack.certificate(C - alpha * M * r / (1 + alpha * N), SLOW)


def first_controlled_instant() -> None:
    """Prove when a port is first controlled at or after t_DT = k + s, in units of L = tau + TM2; and when it always is.

    From j on a controlled port counts from 0 (it has lost nothing), is freed at j + tau, and returns at j + 1 = j + tau
    + TM2, for j = 0, 1, ...; uncontrolled it holds at most T_2 = B / M until the overflow. If TM1 ends first, C2 never
    reaches its number.
    """
    k, j, s, tau, t = sp.symbols("k j s tau t", real=True)
    cycle = [k >= 0, j >= 0, tau > 0, tau <= 1, s >= 0, s < 1]
    smt.prove([*cycle, s < tau], [k + s >= k, k + s < k + tau])
    controlled = [t >= j, t < j + tau, t >= k + s]  # some instant at which it is, not before t_DT
    smt.prove([*cycle, s >= tau, *controlled], j > k)
    whole_k, whole_j = sp.symbols("k j", integer=True)
    smt.prove([whole_j > whole_k], whole_j >= whole_k + 1)
    smt.prove([j >= k + 1, t >= j], t >= k + 1)
    time, cn2, tm1 = sp.symbols("time cn2 tm1", positive=True)
    smt.prove([r * tm1 < cn2, time <= tm1], r * time < cn2)
    same(r * edt.slow_overflow(B, M, r), B / M, "what a queue holds at the slow overflow, the later one, is T_2")
    certify_fast_overflow()


@evidence("edt.thm5", "edt.eq79", form="assumed", strength="smt")
def longer_bursts_bring_more_than_the_buffer_holds() -> Outcome:
    """Without a loss the bursts' queues hold M (R - C) d > B together: no policy can avoid the loss."""
    d, held = sp.symbols("d held", positive=True)
    found = smt.prove([M * r * d > B, sp.Eq(held, M * r * d)], held > B)
    return found.proved("M (R - C) d > B contradicts sum Q <= B; equal bursts lose together")


@evidence("edt.ours.theorem5", form="printed", strength="symbolic")
@evidence("edt.eq80", "edt.fig11", "edt.sec4.1.adv1", "edt.intro.edt-advantage-1", form="assumed", strength="symbolic")
@evidence("edt.sec4.1.adv1.every-piece", "edt.intro.no-drop-until-full", form="assumed", strength="symbolic")
@evidence("edt.thm5.proof.overflow", form="printed", strength="symbolic")
def the_buffer_is_full_at_the_time_given() -> Outcome:
    """In each case F is 0 at the time given, and the steady queues can do what the case says until then."""
    certify_slow_overflow()
    same(edt.fast_overflow(alpha, B, C, M, 0, r), edt.slow_overflow(B, M, r), "no steady ports: one formula")
    return certify_fast_overflow().proved("F = 0 first at these times; the fast overflow is the earlier one")


@evidence("edt.eq80", "edt.sec4.3.additional", "edt.fig7.leave", form="assumed", strength="smt")
def a_counter_filled_within_tm1_precedes_the_drop_of_dt() -> Outcome:
    """The counter is full at cn2 / (R - C): within TM1, by Rule 2 not after DT's drop; then Q <= T_2 until (80)."""
    most = edt.growth_at_slow_drop(alpha, B, M, N)
    same(r * dt.slow_drop_time(alpha, B, M, N, r), most, "what a queue holds when DT drops")
    same(most.subs(N, 0), edt.growth_at_fast_drop(alpha, B, C, M, 0, r), "the same for every rate if N = 0")
    same(r * edt.slow_overflow(B, M, r), B / M, "what it holds at (80) is T_2")
    cn2, held, free, drop, tm1 = sp.symbols("cn2 held free drop tm1", positive=True)
    known = [r * tm1 >= cn2, cn2 <= held, sp.Eq(r * free, cn2), sp.Eq(r * drop, held)]
    found = smt.prove(known, sp.And(free <= tm1, free <= drop))
    return found.proved("free before anything is lost, and until the buffer is full if TM2 does not expire")


@evidence("edt.thm5.proof.start", form="printed", strength="symbolic")
def at_first_the_queues_grow_and_the_threshold_falls() -> Outcome:
    """T' is -alpha M (R - C) / (1 + alpha N), or -alpha (M (R - C) - N C): both are negative."""
    slack.certificate(alpha * M * r / (1 + alpha * N), {}, strict=True)
    return slack.certificate(alpha * (M * r - N * C), FAST_BURSTS, strict=True).proved("-T' > 0 in both cases")


@evidence("edt.thm5.proof.counting", form="repaired", strength="symbolic")
def they_have_grown_by_cn2() -> Outcome:
    """By (73) the growth is at most what the queue holds at the drop of DT, so that the counter does reach it."""
    unused = sp.Symbol("unused", nonnegative=True)
    gap = (2 + alpha * (M + N + unused)) ** 2 - 4 * (1 + alpha * N) * (1 + alpha * M) - alpha**2 * (M - N) ** 2
    return slack.certificate(gap, {}).proved("cn2 is at most the limit of (R - C) t_2")


@evidence("edt.sec4.3.additional", form="assumed", strength="symbolic")
def the_additional_part_is_the_printed_one() -> Outcome:
    """(80) over t_1, less 1."""
    ratio = edt.slow_overflow(B, M, r) / dt.slow_drop_time(alpha, B, M, N, r)
    same(ratio - 1, edt.additional_traffic(alpha, M, N), "1 / (alpha M) + N / M")
    return Proved("an identity", OVERFLOWING)


@evidence("edt.sec4.3.alpha-infinity", form="assumed", strength="symbolic")
def in_the_limit_a_part_of_n_over_m_remains() -> Outcome:
    """The limit of 1 / (alpha M) + N / M is N / M; the bound on R tends to C (1 + N / M), and from above."""
    same(sp.limit(edt.additional_traffic(alpha, M, N), alpha, sp.oo), N / M, "the limit")
    bound = dt.rate_bound(alpha, C, M, N)
    same(sp.limit(bound, alpha, sp.oo), C * (1 + N / M), "the bound")
    slack.certificate(bound - C * (1 + N / M), {})
    return slack.certificate(((1 + rest) / M), {}, strict=True).proved("N / M > 0 for N = 1 + k")


@evidence("edt.sec4.3.alpha-efficiency", form="assumed", strength="symbolic")
def slow_bursts_are_absorbed_longer_with_a_larger_alpha() -> Outcome:
    """(2) grows with alpha; R <= C (1 + N / M) is slow for every alpha; without steady ports (6) is (2)."""
    more = sp.Symbol("more", positive=True)
    time = dt.slow_drop_time(alpha, B, M, N, r)
    positive(time.subs(alpha, alpha + more) - time)
    positive(dt.rate_bound(alpha, C, M, N) - C * (1 + N / M))
    same(dt.fast_drop_time(alpha, B, C, M, 0, r), time.subs(N, 0), "one formula for N = 0")
    return Proved("t_1 grows with alpha", {**EXAMPLE, "r": "1"}, ["M * r <= N * C"])


@evidence("edt.ours.drop-time", "edt.sec4.2.c2.too-large", "edt.abstract.edt-absorbs-more",
          form="printed", strength="smt")  # fmt: skip
def a_controlled_burst_loses_at_or_above_the_threshold() -> Outcome:
    """Q - T of DT's law increases until the overflow, whatever the states were, so it is >= 0 exactly from t_DT on.

    Then the first instant from t_DT on at which the port is controlled, in a cycle of tau controlled and TM2 not.
    """
    slow, fast = alpha * M * r <= (1 + alpha * N) * C, alpha * M * r > (1 + alpha * N) * C
    first_controlled_instant()
    smt.prove([slow], r * (1 + alpha * N) + alpha * M * r > 0)
    return smt.prove([fast], r + alpha * (M * r - N * C) > 0).proved(
        "until its first loss the queue is (R - C) t; it is controlled in [k L, k L + tau), and at (k + 1) L again"
    )


@evidence("edt.ours.edt-absorbs-more", form="printed", strength="symbolic")
def edt_absorbs_more_in_both_cases() -> Outcome:
    """The two ratios, and that the additional parts are positive."""
    slow = edt.slow_overflow(B, M, r) / dt.slow_drop_time(alpha, B, M, N, r) - 1
    fast = edt.fast_overflow(alpha, B, C, M, N, r) / dt.fast_drop_time(alpha, B, C, M, N, r) - 1
    same(slow, edt.additional_traffic(alpha, M, N), "slow bursts")
    same(fast, edt.additional_traffic_fast(alpha, C, M, N, r), "fast bursts")
    slack.certificate(slow, {}, strict=True)
    return slack.certificate(fast, FAST_BURSTS, strict=True).proved("both additional parts are positive")
