"""Section 4.2, equations (69) to (78): cn2 and TM1, as identities, certificates and SMT obligations."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.provers import slack, smt
from dtmodel.theory import dt_formulas as dt
from dtmodel.theory import edt_formulas as edt

from .dt_common import B, C, M, N, alpha, r, same

P, d, s, idle = sp.symbols("P d s idle", positive=True)
zero_or_more = sp.Symbol("k", nonnegative=True)
cn2, count = sp.symbols("c_n2 t_c2", positive=True)
SLOW = {C: alpha * M * r / (1 + alpha * N) + zero_or_more}
FAST = {r: (1 + alpha * N) * C / (alpha * M) + zero_or_more}
EXAMPLE = {"alpha": "1", "B": "16", "C": "1", "M": "1", "N": "1", "P": "2", "r": "3"}


@evidence("edt.eq69", "edt.sec4.2.rule2", form="printed", strength="symbolic")
def the_counter_is_full_when_the_queue_has_grown_by_it() -> Outcome:
    """A fresh counter is (R - C) t, so it is full at cn2 / (R - C); that time against t_1 and t_2 is (69)."""
    for time in (dt.slow_drop_time(alpha, B, M, N, r), dt.fast_drop_time(alpha, B, C, M, N, r)):
        same(r * (time - cn2 / r), r * time - cn2, "cn2 <= (R - C) t iff cn2 / (R - C) <= t")
    same(edt.growth_at_slow_drop(alpha, B, M, N), r * dt.slow_drop_time(alpha, B, M, N, r), "(R - C) t_1")
    same(edt.growth_at_fast_drop(alpha, B, C, M, N, r), r * dt.fast_drop_time(alpha, B, C, M, N, r), "(R - C) t_2")
    return Proved("both sides differ by the factor R - C > 0", EXAMPLE)


def excess_of_slow_over_fast() -> Any:
    return edt.growth_at_slow_drop(alpha, B, M, N) - edt.growth_at_fast_drop(alpha, B, C, M, N, r)


@evidence("edt.eq70", form="assumed", strength="symbolic")
def the_slow_growth_exceeds_the_fast_one_above_the_bound() -> Outcome:
    """(R - C)(t_1 - t_2) >= 0 for R above the bound, and 0 without steady ports."""
    same(excess_of_slow_over_fast().subs(N, 0), 0, "equality for N = 0")
    return slack.certificate(excess_of_slow_over_fast(), FAST).proved("above the bound on R")


@evidence("edt.eq71.identity", form="printed", strength="symbolic")
def the_growth_is_the_printed_one() -> Outcome:
    """(6) times R - C."""
    printed = alpha * B * r / ((1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C))
    same(edt.growth_at_fast_drop(alpha, B, C, M, N, r), printed, "(71), first line")
    return Proved("an identity", EXAMPLE)


@evidence("edt.eq71.strict", form="assumed", strength="symbolic")
def the_growth_exceeds_its_limit_with_steady_ports() -> Outcome:
    """The difference is positive for N = 1 + k."""
    difference = edt.growth_at_fast_drop(alpha, B, C, M, N, r) - edt.limit_of_growth(alpha, B, M, N)
    written = difference.subs(N, 1 + zero_or_more)
    extra = sp.Symbol("h", nonnegative=True)
    bound = (1 + alpha * (1 + zero_or_more)) * C / (alpha * M) + extra
    return slack.certificate(written, {r: bound}, strict=True).proved("N >= 1 and R above the bound")


@evidence("edt.eq71.limit", form="printed", strength="symbolic")
def the_limit_is_the_printed_one() -> Outcome:
    """Let R - C go to infinity."""
    limit = sp.limit(edt.growth_at_fast_drop(alpha, B, C, M, N, r), r, sp.oo)
    same(limit, edt.limit_of_growth(alpha, B, M, N), "(71), third line")
    return Proved("a limit of a ratio of polynomials in R - C", EXAMPLE)


@evidence("edt.eq71.amgm", form="printed", strength="symbolic")
def the_product_is_largest_for_equal_factors() -> Outcome:
    """(2 + alpha P)^2 - 4 (1 + alpha N)(1 + alpha M) is a square plus what idle ports add; 0 iff M = N = P / 2."""
    unused = sp.Symbol("unused", nonnegative=True)
    gap = (2 + alpha * (M + N + unused)) ** 2 - 4 * (1 + alpha * N) * (1 + alpha * M)
    square = alpha**2 * (M - N) ** 2
    same(gap - square, alpha * unused * (4 + 2 * alpha * (M + N) + alpha * unused), "a square and a rest")
    found = slack.certificate(gap - square, {})
    return found.proved("the gap is alpha^2 (M - N)^2 and terms that are 0 only without idle ports")


@evidence("edt.eq72", form="printed", strength="smt")
@evidence("edt.thm5.before-cn2", form="assumed", strength="smt")
def any_smaller_number_is_reached_before_packets_are_dropped() -> Outcome:
    """cn2 at most (73) and M + N <= P: below both (R - C) t_1 and (R - C) t_2 in their cases."""
    slow, fast = alpha * M * r <= (1 + alpha * N) * C, alpha * M * r > (1 + alpha * N) * C
    lemma = cn2 * (1 + alpha * N) * (1 + alpha * M) <= alpha * B
    u = sp.Symbol("u", positive=True)
    smt.prove([M + N <= P, sp.Eq(u, alpha)], (2 + u * P) ** 2 >= (2 + u * (M + N)) ** 2)
    larger, smaller = sp.symbols("larger smaller", positive=True)
    smt.prove([cn2 * larger <= 4 * alpha * B, larger >= smaller], cn2 * smaller <= 4 * alpha * B)
    mean = (2 + alpha * (M + N)) ** 2 >= 4 * (1 + alpha * N) * (1 + alpha * M)
    smt.prove([cn2 * (2 + alpha * (M + N)) ** 2 <= 4 * alpha * B, mean], lemma)
    smt.prove([lemma, slow], cn2 * (1 + alpha * (M + N)) <= alpha * B)
    return smt.prove(
        [lemma, fast], cn2 * (1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C) <= alpha * B * r
    ).proved("by the mean inequality, in both cases of (69)")


@evidence("edt.eq72.necessary", "edt.eq73", form="assumed", strength="symbolic")
def for_even_ports_nothing_larger_is_safe() -> Outcome:
    """With M = N = P / 2 the growth at the drop tends to (73) from above: a larger number fails for large R."""
    half = sp.Symbol("H", positive=True)
    bound = edt.cn2_paper(alpha, B, 2 * half)
    same(edt.limit_of_growth(alpha, B, half, half), bound, "the limit is (73)")
    same(sp.limit(edt.growth_at_fast_drop(alpha, B, C, half, half, r), r, sp.oo), bound, "the growth tends to it")
    return Proved("a supremum that is not attained: (73) is safe, and nothing above it", {**EXAMPLE, "H": "1"})


@evidence("edt.ours.cn2", "edt.sec4.2.rule3", form="printed", strength="symbolic")
def the_best_whole_numbers_of_ports_are_the_two_halves() -> Outcome:
    """For M + N = P the product (1 + alpha M)(1 + alpha N) falls as M and N move apart; idle ports only lower it."""
    lower, step = sp.symbols("lower step", nonnegative=True)
    # Two whole numbers that differ by 2 + step: bringing each 1 nearer adds alpha^2 (1 + step) to the product.
    far = (1 + alpha * lower) * (1 + alpha * (lower + 2 + step))
    near = (1 + alpha * (lower + 1)) * (1 + alpha * (lower + 1 + step))
    same(near - far, alpha**2 * (1 + step), "the product grows")
    slack.certificate((1 + alpha * lower) * (1 + alpha * (M + 1)) - (1 + alpha * lower) * (1 + alpha * M), {})
    for ports in range(1, 33):
        limits = [
            edt.limit_of_growth(Fraction(1), Fraction(1), m, k)
            for m in range(1, ports + 1)
            for k in range(ports - m + 1)
        ]
        check(min(limits) == edt.cn2_integer(Fraction(1), Fraction(1), ports), f"P = {ports}")
    return slack.certificate(near - far, {}, strict=True).proved("the halves of P give the least limit")


@evidence("edt.eq75", form="printed", strength="symbolic")
def the_condition_on_d_is_one_on_the_rate() -> Outcome:
    """(74) and (75) differ by the positive factor (R - C) / d."""
    left = dt.slow_drop_time(alpha, B, M, N, r) - d
    right = alpha * B / ((1 + alpha * (M + N)) * d) - r
    same(left * r / d, right, "(75)")
    return Proved("multiply (74) by (R - C) / d > 0", EXAMPLE)


@evidence("edt.eq74", form="assumed", strength="symbolic")
def slow_bursts_lose_nothing_before_t1() -> Outcome:
    """Until t_1 the queue (R - C) t is below the threshold, for R up to the bound: t_1 is their only meeting."""
    line = dt.threshold(alpha, B / (1 + alpha * N)) - alpha * M * r / (1 + alpha * N) * d
    factor = r * (1 + alpha * (M + N)) / (1 + alpha * N)
    same(line - r * d, (dt.slow_drop_time(alpha, B, M, N, r) - d) * factor, "T - Q")
    same(excess_of_slow_over_fast().subs(N, 0), 0, "without steady ports both formulas agree")
    return slack.certificate(C - alpha * M * r / (1 + alpha * N), SLOW).proved("T - Q has the sign of t_1 - d")


@evidence("edt.eq76", form="printed", strength="symbolic")
def with_all_ports_the_bound_is_least() -> Outcome:
    """P = M + N + idle ports."""
    unused = sp.Symbol("unused", nonnegative=True)
    gap = 1 / (1 + alpha * (M + N)) - 1 / (1 + alpha * (M + N + unused))
    return slack.certificate(gap, {}).proved("a larger denominator")


@evidence("edt.ours.tm1-safe", form="printed", strength="smt")
@evidence("edt.eq77", "edt.eq78", "edt.sec4.2.tm1.purpose", form="assumed", strength="smt")
def a_slow_rate_is_in_case_a_for_durations_of_at_least_b_over_c() -> Outcome:
    """With x = (R - C) d <= alpha B / (1 + alpha P) and d C >= B the threshold falls at C at most, so (74) applies."""
    u, x, buffer, C_d = sp.symbols("u x B_ C_d", positive=True)
    n = sp.Symbol("n", nonnegative=True)
    rate = [x * (1 + u * P) <= u * buffer, M + n <= P, C_d >= buffer]
    # Case a, multiplied by d: alpha M (R - C) d <= (1 + alpha N) C d, for N >= 1.
    product = u * M * x * (1 + u * P)
    smt.prove([*rate, n >= 1, product <= u * M * u * buffer, M <= P], product <= u * u * P * C_d)
    smt.prove([n >= 1], u * u * P <= (1 + u * n) * (1 + u * P))
    y = sp.Symbol("y", positive=True)
    smt.prove(
        [y * (1 + u * P) <= u * u * P * C_d, u * u * P <= (1 + u * n) * (1 + u * P)],
        y * (1 + u * P) <= (1 + u * n) * (1 + u * P) * C_d,
    )
    # Then (74): (R - C) d (1 + alpha (M + N)) <= alpha B.
    found = smt.prove([x * (1 + u * P) <= u * buffer, M + n <= P], x * (1 + u * (M + n)) <= u * buffer)
    return found.proved("(77) with d >= B / C implies case a (or N = 0) and d <= t_1")


@evidence("edt.eq78.identity", form="printed", strength="symbolic")
def the_default_of_tm1_is_cn2_over_the_rate() -> Outcome:
    """(73) over (77)."""
    same(edt.cn2_paper(alpha, B, P) / edt.growth_limit(alpha, B, P, d), edt.tm1_paper(alpha, P, d), "(78)")
    return Proved("an identity", {**EXAMPLE, "d": "1"})


@evidence("edt.sec4.2.tm1.default", form="repaired", strength="symbolic")
def the_default_is_a_time() -> Outcome:
    """It scales with d and not with B: a time, for the timer TM1."""
    scale = sp.Symbol("lambda", positive=True)
    same(edt.tm1_paper(alpha, P, scale * d), scale * edt.tm1_paper(alpha, P, d), "proportional to d")
    check(B not in edt.tm1_paper(alpha, P, d).free_symbols, "independent of B")
    return Proved("homogeneous of degree 1 in d, independent of B", {**EXAMPLE, "d": "1"})


@evidence("edt.sec4.2.tm1.d", form="printed", strength="symbolic")
def tm1_is_shorter_than_d() -> Outcome:
    """(2 + alpha P)^2 - 4 (1 + alpha P) = (alpha P)^2."""
    return slack.certificate(d - edt.tm1_paper(alpha, P, d), {}, strict=True).proved("d - TM1 > 0")


@evidence("edt.sec4.2.rule1", form="assumed", strength="smt")
def in_the_fluid_model_a_queue_that_grows_is_overloaded() -> Outcome:
    """Q' is R - C below the threshold, at most R - C on it, and not positive above it: Q' > 0 implies R > C."""
    slope, R = sp.symbols("slope R", real=True)
    return smt.prove([sp.Or(slope <= R - C, slope <= 0), slope > 0], R > C).proved("C2 counts growth only")
