"""Theorem 5, its proof, the comparison with DT, and the rules for the parameters (Sections 4.3 and 4.4)."""

from __future__ import annotations

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.provers import slack, smt
from dtmodel.theory import dt_formulas as dt
from dtmodel.theory import edt_formulas as edt

from .dt_common import B, C, M, N, alpha, r, same, t

rest = sp.Symbol("k", nonnegative=True)
SLOW = {C: alpha * M * r / (1 + alpha * N) + rest}
FAST = {r: (1 + alpha * N) * C / (alpha * M) + rest}
EXAMPLE = {"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"}


def certify_slow_overflow() -> slack.Certificate:
    """With the steady queues on the threshold F = (B - M (R - C) t) / (1 + alpha N), which they can follow."""
    F = sp.Symbol("F")
    (free,) = sp.solve(sp.Eq(F, B - M * r * t - N * alpha * F), F)
    same(free.subs(t, edt.slow_overflow(B, M, r)), 0, "F at (80)")
    return slack.certificate(C - alpha * M * r / (1 + alpha * N), SLOW)


def certify_fast_overflow() -> slack.Certificate:
    """With them draining at C, F = B - M (R - C) t - N (Q_0 - C t) reaches 0 before they are empty, for fast bursts."""
    held = alpha * B / (1 + alpha * N)
    time = edt.fast_overflow(alpha, B, C, M, N, r)
    same((B - M * r * t - N * (held - C * t)).subs(t, time), 0, "F at the overflow")
    slack.certificate(held / C - time, FAST)
    return slack.certificate(edt.slow_overflow(B, M, r) - time, FAST)


@evidence("edt.ours.theorem5", form="printed", strength="symbolic")
@evidence("edt.eq80", "edt.fig11", "edt.sec4.1.adv1", "edt.intro.edt-advantage-1", form="assumed", strength="symbolic")
@evidence("edt.sec4.1.adv1.every-piece", "edt.intro.no-drop-until-full", form="assumed", strength="symbolic")
@evidence("edt.thm5.proof.overflow", form="printed", strength="symbolic")
def the_buffer_is_full_at_the_time_given() -> Outcome:
    """In each case F is 0 at the time given, and the steady queues can do what the case says until then."""
    certify_slow_overflow()
    same(edt.fast_overflow(alpha, B, C, M, 0, r), edt.slow_overflow(B, M, r), "no steady ports: one formula")
    return certify_fast_overflow().proved("F = 0 first at these times; the fast overflow is the earlier one")


@evidence("edt.thm5", "edt.eq79", form="assumed", strength="smt")
def bursts_that_last_that_long_bring_more_than_the_buffer_holds() -> Outcome:
    """Without a loss the bursts' queues hold M (R - C) d > B together: no policy can avoid the loss."""
    d, held = sp.symbols("d held", positive=True)
    found = smt.prove([M * r * d > B, sp.Eq(held, M * r * d)], held > B)
    return found.proved("M (R - C) d > B contradicts sum Q <= B; equal bursts lose together")


@evidence("edt.thm5.proof.start", form="printed", strength="symbolic")
def at_first_the_queues_grow_and_the_threshold_falls() -> Outcome:
    """T' is -alpha M (R - C) / (1 + alpha N), or -alpha (M (R - C) - N C): both are negative."""
    slack.certificate(alpha * M * r / (1 + alpha * N), {}, strict=True)
    return slack.certificate(alpha * (M * r - N * C), FAST, strict=True).proved("-T' > 0 in both cases")


@evidence("edt.thm5.proof.counting", form="repaired", strength="symbolic")
def they_have_grown_by_cn2() -> Outcome:
    """By (73) the growth is at most what the queue holds at the drop of DT, so that the counter does reach it."""
    unused = sp.Symbol("unused", nonnegative=True)
    gap = (2 + alpha * (M + N + unused)) ** 2 - 4 * (1 + alpha * N) * (1 + alpha * M) - alpha**2 * (M - N) ** 2
    return slack.certificate(gap, {}).proved("cn2 is at most the limit of (R - C) t_2")


@evidence("edt.thm5.proof.jump", form="assumed", strength="symbolic")
def the_threshold_rises_to_b_over_m_with_enough_steady_ports() -> Outcome:
    """B / M - alpha F >= 0, for F is at most B / (1 + alpha N), if alpha M <= 1 + alpha N."""
    highest = alpha * B / (1 + alpha * N)
    m = sp.Symbol("m", positive=True)
    gap = (1 + alpha * N) - alpha * m
    same(B / m - highest, B * gap / (m * (1 + alpha * N)), "the gap")
    u, n = sp.symbols("u n", positive=True)
    return smt.prove([u * m <= 1 + u * n], (1 + u * n) - u * m >= 0).proved("B / M - alpha F has that sign")


@evidence("edt.eq80", "edt.sec4.3.additional", "edt.fig7.leave", form="assumed", strength="smt")
def bursts_that_fill_the_counter_within_tm1_are_free_before_dt_drops() -> Outcome:
    """The counter is full at cn2 / (R - C): within TM1, by Rule 2 not after DT's drop; then Q <= T_2 until (80)."""
    most = edt.growth_at_slow_drop(alpha, B, M, N)
    same(r * dt.slow_drop_time(alpha, B, M, N, r), most, "what a queue holds when DT drops")
    same(most.subs(N, 0), edt.growth_at_fast_drop(alpha, B, C, M, 0, r), "the same for every rate if N = 0")
    same(r * edt.slow_overflow(B, M, r), B / M, "what it holds at (80) is T_2")
    cn2, held, free, drop, tm1 = sp.symbols("cn2 held free drop tm1", positive=True)
    known = [r * tm1 >= cn2, cn2 <= held, sp.Eq(r * free, cn2), sp.Eq(r * drop, held)]
    found = smt.prove(known, sp.And(free <= tm1, free <= drop))
    return found.proved("free before anything is lost, and until the buffer is full if TM2 does not expire")


@evidence("edt.sec4.3.additional", form="assumed", strength="symbolic")
def the_additional_part_is_the_printed_one() -> Outcome:
    """(80) over t_1, less 1."""
    ratio = edt.slow_overflow(B, M, r) / dt.slow_drop_time(alpha, B, M, N, r)
    same(ratio - 1, edt.additional_traffic(alpha, M, N), "1 / (alpha M) + N / M")
    return Proved("an identity", EXAMPLE)


@evidence("edt.ours.edt-absorbs-more", form="printed", strength="symbolic")
def edt_absorbs_more_in_both_cases() -> Outcome:
    """The two ratios, and that the additional parts are positive."""
    slow = edt.slow_overflow(B, M, r) / dt.slow_drop_time(alpha, B, M, N, r) - 1
    fast = edt.fast_overflow(alpha, B, C, M, N, r) / dt.fast_drop_time(alpha, B, C, M, N, r) - 1
    same(slow, edt.additional_traffic(alpha, M, N), "slow bursts")
    same(fast, edt.additional_traffic_fast(alpha, C, M, N, r), "fast bursts")
    slack.certificate(slow, {}, strict=True)
    return slack.certificate(fast, FAST, strict=True).proved("both additional parts are positive")


@evidence("edt.sec4.3.alpha-infinity", form="assumed", strength="symbolic")
def in_the_limit_a_part_of_n_over_m_remains() -> Outcome:
    """The limit of 1 / (alpha M) + N / M is N / M; the bound on R tends to C (1 + N / M), and from above."""
    same(sp.limit(edt.additional_traffic(alpha, M, N), alpha, sp.oo), N / M, "the limit")
    bound = dt.rate_bound(alpha, C, M, N)
    same(sp.limit(bound, alpha, sp.oo), C * (1 + N / M), "the bound")
    slack.certificate(bound - C * (1 + N / M), {})
    return slack.certificate(((1 + rest) / M), {}, strict=True).proved("N / M > 0 for N = 1 + k")


@evidence("edt.sec4.3.unfair-duration", form="printed", strength="symbolic")
def the_phase_is_shorter_than_the_time_to_the_overflow() -> Outcome:
    """t_1 > 0, and the overflow of fast bursts is earlier still."""
    begin = sp.Symbol("t_1", positive=True)
    certify_fast_overflow()
    time = edt.slow_overflow(B, M, r)
    return slack.certificate(time - edt.duration_of_unfairness(B, M, r, begin), {}, strict=True).proved("t_1 > 0")


@evidence("edt.ours.unfairness", form="printed", strength="symbolic")
def the_bursts_drain_to_the_common_length() -> Outcome:
    """From B / M at C to alpha B / (1 + alpha (M + N)); then T = alpha F with all M + N queues equal."""
    common = alpha * B / (1 + alpha * (M + N))
    same((B / M - common) / C, B * (1 + alpha * N) / (M * C * (1 + alpha * (M + N))), "the duration")
    passed = sp.Symbol("tau", nonnegative=True)
    F = sp.Symbol("F")
    (free,) = sp.solve(sp.Eq(F, B - M * (B / M - C * passed) - N * alpha * F), F)
    same(free, M * C * passed / (1 + alpha * N), "F while the steady queues follow the threshold")
    same((alpha * free).subs(passed, (B / M - common) / C), common, "the threshold then")
    return slack.certificate(B / M - common, {}, strict=True).proved("the queues of the bursts fall to it")


@evidence("edt.ours.bytes-lost.dt", "edt.ours.bytes-lost.edt", "edt.ours.recovery", form="printed", strength="symbolic")
def the_slopes_after_the_first_loss_solve_the_fluid_equation() -> Outcome:
    """With n queues on the threshold and m draining, F' = m C / (1 + alpha n), and a queue on it can follow."""
    draining, on = sp.symbols("m n", positive=True)
    slope = sp.Symbol("Fdot")
    (solved,) = sp.solve(sp.Eq(slope, draining * C - on * alpha * slope), slope)
    same(alpha * solved, alpha * draining * C / (1 + alpha * on), "T'")
    # Fast bursts under DT: N drain, M follow; their rate R - C exceeds what the threshold rises.
    slack.certificate(r - alpha * N * C / (1 + alpha * M), FAST)
    # While all drain no queue follows; the shorter ones meet the threshold after Q / (C (1 + alpha (M + N))).
    queue, passed = sp.symbols("Q tau", positive=True)
    meeting = sp.solve(sp.Eq(queue - C * passed, alpha * (M + N) * C * passed), passed)[0]
    same(meeting, queue / (C * (1 + alpha * (M + N))), "the meeting")
    # When the bursts are gone: N steady queues that can follow M draining ones, and are no longer than at first, are
    # on the threshold, so that all is as before; a burst without a loss is gone at d + (R - C) d / C.
    offered = C * (1 + alpha * M / (1 + alpha * N))
    same((alpha * solved).subs({draining: M, on: N}), offered - C, "what a steady port must gain to follow")
    held = sp.Symbol("held", positive=True)
    smt.prove([held * (1 + alpha * N) <= alpha * B], held <= alpha * (B - N * held))
    same(passed + r * passed / C, (C + r) * passed / C, "R d / C")
    # What is lost is what arrived less what was sent and what is left: R d - C d - Q(d).
    return Proved("the pieces of Q(d); the bytes lost follow by conservation", EXAMPLE)


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


@evidence("edt.ours.drop-time", "edt.sec4.2.c2.too-large", "edt.abstract.edt-absorbs-more",
          form="printed", strength="smt")  # fmt: skip
def a_controlled_burst_loses_when_its_queue_is_at_the_threshold_or_above() -> Outcome:
    """Q - T of DT's law increases until the overflow, whatever the states were, so it is >= 0 exactly from t_DT on.

    Then the first instant from t_DT on at which the port is controlled, in a cycle of tau controlled and TM2 not.
    """
    slow, fast = alpha * M * r <= (1 + alpha * N) * C, alpha * M * r > (1 + alpha * N) * C
    first_controlled_instant()
    smt.prove([slow], r * (1 + alpha * N) + alpha * M * r > 0)
    return smt.prove([fast], r + alpha * (M * r - N * C) > 0).proved(
        "until its first loss the queue is (R - C) t; it is controlled in [k L, k L + tau), and at (k + 1) L again"
    )


@evidence("edt.eq81", form="printed", strength="smt")
def tm2_outlasts_the_filling_of_the_buffer() -> Outcome:
    """A burst of a rate of at least R_min alone fills B in B / (R - C) <= B / (R_min - C) <= d; it is freed after 0."""
    slowest, d, begin = sp.symbols("r_min d begin", positive=True)
    filled = sp.Symbol("filled", positive=True)
    known = [r >= slowest, d * slowest >= B, sp.Eq(filled * r, B), begin > 0]
    return smt.prove(known, filled < begin + d).proved("more bursts, or steady queues, only fill it earlier")


@evidence("edt.sec4.4.r-min", form="assumed", strength="smt")
def two_full_inputs_make_twice_the_rate() -> Outcome:
    """K >= 2 inputs of rate C bring K C >= 2 C, and B / (2 C - C) = B / C."""
    inputs, R = sp.symbols("K R", positive=True)
    same(edt.d_bound(B, C, 2 * C), B / C, "d >= B / C")
    return smt.prove([inputs >= 2, sp.Eq(R, inputs * C)], R >= 2 * C).proved("R_min = 2 C is a lower bound")


@evidence("edt.sec4.4.d-simple", form="assumed", strength="smt")
def with_twice_the_rate_the_bound_is_b_over_c() -> Outcome:
    """B / (2 C - C) is B / C; if d_mb is not more, d >= B / C is all that the maximum asks for."""
    d, longest = sp.symbols("d d_mb", positive=True)
    same(edt.d_bound(B, C, 2 * C), B / C, "d >= B / C")
    return smt.prove([longest * C <= B, d * C >= B], d >= longest).proved("the maximum is B / C")


@evidence("edt.sec4.4.cn1.one-departure", "edt.sec4.4.cn1.three", "edt.sec5.1.cn1", "edt.sec5.3.cn1",
          form="printed", strength="smt")  # fmt: skip
def between_two_arrivals_at_most_one_packet_leaves() -> Outcome:
    """Two departures are s / C apart, two arrivals s / R <= s / C: both departures cannot fall between the arrivals."""
    gap, service, first, second, arrival = sp.symbols("gap service first second arrival", real=True)
    known = [gap > 0, gap <= service, second >= first + service, first > arrival]
    found = smt.prove(known, second > arrival + gap)
    in_succession = sp.Symbol("in_succession", integer=True)
    for number in (3, 10):  # Sections 4.4 and 5.1; the testbed
        smt.prove([in_succession >= 0, in_succession < 2], in_succession < number)
    return found.proved("so C1 is at most 1, which is less than 3 and 10")


@evidence("edt.sec4.4.three-parameters", form="printed", strength="symbolic")
def the_settings_follow_from_three_parameters_and_the_switch() -> Outcome:
    """The formulas of cn2 and TM1 have no other symbols; TM2 is d."""
    P, d = sp.symbols("P d", positive=True)
    symbols = edt.cn2_paper(alpha, B, P).free_symbols | edt.tm1_paper(alpha, P, d).free_symbols
    check(symbols == {alpha, B, P, d}, f"the symbols are {symbols}")
    return Proved("cn2 from alpha, B, P; TM1 from alpha, P, d; TM2 = d", {**EXAMPLE, "P": "2", "d": "6"})


@evidence("edt.sec4.1.recognition", form="assumed", strength="smt")
def a_queue_below_its_threshold_grows_and_loses_nothing() -> Outcome:
    """Below the threshold Q' = R - C > 0, and a distance to the threshold takes a positive time to close."""
    slope, room, speed, time = sp.symbols("slope room speed time", real=True)
    smt.prove([sp.Eq(slope, r)], slope > 0)
    return smt.prove([room > 0, speed > 0, sp.Eq(time * speed, room)], time > 0).proved("no loss for a while")


@evidence("edt.sec4.1.larger-alpha", form="printed", strength="symbolic")
def the_free_buffer_falls_with_alpha() -> Outcome:
    """B / (1 + alpha n) less the same with a larger alpha."""
    more = sp.Symbol("more", positive=True)
    free = B / (1 + alpha * M)
    return slack.certificate(free - free.subs(alpha, alpha + more), {}, strict=True).proved("F falls")


@evidence("edt.sec4.1.large-alpha-unfair", form="printed", strength="symbolic")
def a_large_alpha_starves_a_second_port() -> Outcome:
    """The limits of alpha B / (1 + alpha) and of alpha B / (1 + alpha)^2, for alpha to infinity."""
    same(sp.limit(alpha * B / (1 + alpha), alpha, sp.oo), B, "one port holds B")
    same(sp.limit(edt.limit_of_growth(alpha, B, 1, 1), alpha, sp.oo), 0, "the second one nothing")
    return Proved("two limits", {"alpha": "99", "B": "100", "first": "99", "second": "99/100"})


@evidence("edt.sec4.1.timeout-scenario", form="printed", strength="symbolic")
def at_exactly_c_a_queue_below_its_threshold_stands_still() -> Outcome:
    """Q' = R - C = 0 below T_2; controlled and above T_1 it drains at C."""
    same(((C + r) - C).subs(r, 0), 0, "Q' at R = C")
    return slack.certificate(C, {}, strict=True).proved("once controlled, above the DT threshold, it falls at C")
