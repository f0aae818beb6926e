"""Section 3.1: equation (12), the free buffer at the first drop; proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.ledger.provers import smt
from dtmodel.theory.dt import formulas
from dtmodel.theory.dt import formulas as dt

from .derivation import (
    FAST,
    SLOW,
    B,
    C,
    M,
    N,
    alpha,
    drain,
    follow,
    free_slope,
    nonnegative,
    positive,
    r,
    same,
    threshold_line,
)

EXAMPLE = {"alpha": "1", "B": "16", "C": "1", "M": "1", "N": "1", "r": "2"}
EXAMPLE_A = {"alpha": "1", "B": "12", "C": "1", "M": "1", "N": "1", "R": "2"}
EXAMPLE_B = {"alpha": "1", "B": "12", "C": "1", "M": "1", "N": "1", "R": "4"}
IN_A = ("R > C", "R <= C * (1 + (1 + alpha * N) / (alpha * M))")
IN_B = ("R > C * (1 + (1 + alpha * N) / (alpha * M))",)
SLOW_FREE = formulas.slow_free(alpha, B, M, N)
FAST_FREE = formulas.fast_free(alpha, B, C, M, N, r)
SLOW_TIME = formulas.slow_drop_time(alpha, B, M, N, r)
FAST_TIME = formulas.fast_drop_time(alpha, B, C, M, N, r)
AT_LEAST_ONE = {M: 1 + sp.Symbol("m", nonnegative=True)}
FREE_FAST = "r * B / ((1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C))"


@evidence("edt.abstract.not-fully-used", form="printed", strength="symbolic")
def buffer_is_free_at_the_first_drop() -> Outcome:
    """F > 0 in both cases."""
    positive(SLOW_FREE)
    positive(FAST_FREE, FAST)
    return Proved("F > 0", EXAMPLE_A, IN_A)


@evidence("edt.intro.fewest-waste-most", "edt.intro.half-unused", "edt.abstract.free-buffer-large",
          form="printed", strength="symbolic")  # fmt: skip
def most_is_free_with_one_overloaded_port() -> Outcome:
    """F <= B / (1 + alpha (M + N)) in both cases, and that is at most B / (1 + alpha) = F for M = 1, N = 0."""
    nonnegative(SLOW_FREE - FAST_FREE, FAST)
    nonnegative(B / (1 + alpha) - SLOW_FREE, AT_LEAST_ONE)
    same(SLOW_FREE.subs({M: 1, N: 0}), B / (1 + alpha), "F with one port, case a")
    same(FAST_FREE.subs({M: 1, N: 0}), B / (1 + alpha), "F with one port, case b")
    same((B / (1 + alpha)).subs(alpha, 1), B / 2, "the largest F for alpha = 1")
    same(B / (1 + alpha) - B / 2, (1 - alpha) * B / (2 * (1 + alpha)), "more than half iff alpha < 1")
    nonnegative(B / (1 + alpha) - (1 - alpha) * B)
    return Proved(
        "F <= B / (1 + alpha)", {**EXAMPLE_A, "F": "4"}, [*IN_A, "F == B/(1+alpha*(M+N))", "F <= B/(1+alpha)"]
    )


@evidence("edt.abstract.small-burst-drops", "edt.sec3.1.remark.far-smaller@case-a", form="printed", strength="symbolic")
def a_drop_after_any_small_part_of_the_buffer() -> Outcome:
    """With alpha = 1, M = 1, R at the bound of case a: all bytes of the burst until t_1 are B / (N + 1)."""
    at_bound = formulas.rate_bound(alpha, C, M, N).subs({alpha: 1, M: 1})
    brought = at_bound * SLOW_TIME.subs({alpha: 1, M: 1}).subs(r, at_bound - C)
    same(brought, B / (N + 1), "bytes until t_1")
    epsilon = sp.Symbol("epsilon", positive=True)
    positive(epsilon * B - brought.subs(N, 1 / epsilon))  # already less than epsilon B at N = 1/epsilon, and falling
    positive(brought.subs(N, sp.Symbol("N_1")) - 0, {sp.Symbol("N_1"): sp.Symbol("N_1", nonnegative=True)})
    nonnegative(-sp.diff(brought, N))
    return Proved(
        "B / (N + 1) < epsilon B for N >= 1 / epsilon", {"alpha": "1", "M": "1", "N": "9", "R": "11", "C": "1"}
    )


@evidence("edt.intro.negative-correlation", form="assumed", strength="symbolic")
def in_case_a_every_further_port_leaves_less_free() -> Outcome:
    """From case a one more steady port leads to case a, one more burst to a or b; F falls each time."""
    bound = formulas.rate_bound(alpha, C, M, N)
    positive(bound.subs(N, N + 1) - bound)  # with one more steady port it still is case a
    positive(SLOW_FREE - SLOW_FREE.subs(N, N + 1))
    positive(SLOW_FREE - SLOW_FREE.subs(M, M + 1))
    into_b = {r: ((1 + alpha * N) * C + sp.Symbol("s", positive=True)) / (alpha * (M + 1))}
    positive(SLOW_FREE - FAST_FREE.subs(M, M + 1), into_b)
    return Proved("F falls with every port that is added in case a", EXAMPLE_A, IN_A)


@evidence("edt.intro.extra-traffic", form="assumed", strength="symbolic")
def the_gain_is_one_over_alpha_M() -> Outcome:
    """The time to fill F at M (R - C), over the drop time, in both cases; between 1/2 and 1 iff 1 <= alpha M <= 2."""
    for free, time in ((SLOW_FREE, SLOW_TIME), (FAST_FREE, FAST_TIME)):
        more = free / (M * r)
        same((C + r) * more / ((C + r) * time), 1 / (alpha * M), "more bytes over bytes until the drop")
    product = sp.Symbol("p", positive=True)  # alpha M
    proof = smt.prove([product >= 1, product <= 2], [1 / product >= sp.Rational(1, 2), 1 / product <= 1])
    smt.prove([1 / product >= sp.Rational(1, 2), 1 / product <= 1], [product >= 1, product <= 2])
    return Proved("1 / (alpha M)", {**proof.example})


@evidence("edt.intro.same-restriction", form="printed", strength="symbolic")
def a_share_of_the_buffer_is_out_of_reach() -> Outcome:
    """Show alpha B / (1 + alpha n) < B / n; and a burst brings at most R / (R - C) times alpha F <= that."""
    n_1 = sp.Symbol("n_1", positive=True)
    share = formulas.threshold(alpha, formulas.initial_free(alpha, B, n_1))
    positive(B / n_1 - share)
    same(share, alpha * B / (1 + alpha * n_1), "the share of a steady port")
    slow, fast = (C + r) * SLOW_TIME, (C + r) * FAST_TIME
    ratio, most = (C + r) / r, alpha * SLOW_FREE
    same(slow, ratio * most, "bytes until t_1")
    nonnegative(ratio * most - fast, FAST)
    check(sp.limit(most.subs(N, n_1), n_1, sp.oo) == 0, "the bound does not vanish for large N")
    return Proved("both tend to 0 as n grows", EXAMPLE_A, IN_A)


@evidence("edt.eq12", form="printed", strength="symbolic")
def equation_12_is_equation_10_multiplied_out() -> Outcome:
    """For R > C, d > t_1 and (R - C) d > (R - C) t_1 are the same, and (R - C) t_1 is the right side of (12)."""
    d = sp.Symbol("d_k", positive=True)
    bound = alpha * B / (1 + alpha * (M + N))
    same((d - formulas.slow_drop_time(alpha, B, M, N, r)) * r, ((C + r) * d - C * d) - bound, "(10) times R - C")
    return Proved("the two sides differ by the positive factor R - C", {**EXAMPLE_A, "d": "5"}, [*IN_A, "d > 4"])


@evidence("edt.sec3.1.remark.small-d", "edt.sec3.1.remark.large-R", form="printed", strength="symbolic")
def a_faster_burst_of_one_size_drops_sooner() -> Outcome:
    """S - C d falls in d, and d = S / R falls in R."""
    S, d, less = sp.symbols("S d less", positive=True)
    positive((S - C * d) - (S - C * (d + less)))
    R = sp.Symbol("R", positive=True)
    positive(S / R - S / (R + less))
    return Proved("the left side of (12) grows as d shrinks", {"S": "8", "d": "2", "C": "1"}, ["S - C * d > 0"])


@evidence("edt.sec3.1.remark.explains", form="assumed", strength="symbolic")
def a_larger_burst_drops_if_fast_enough() -> Outcome:
    """With S = bound + extra every d < extra / C meets (12)."""
    extra, x = sp.symbols("extra x", positive=True)
    bound = alpha * B / (1 + alpha * (M + N))
    d = extra / C / (1 + x)  # any duration below extra / C
    positive((bound + extra) - C * d - bound)
    beyond = sp.limit((C + r) * FAST_TIME, r, sp.oo)
    same(beyond, alpha * B / ((1 + alpha * N) * (1 + alpha * M)), "R d in case b as R grows")
    return Proved("S - C d > bound for d < (S - bound) / C", {"S": "8", "C": "1", "d": "1"}, ["d > 0"])


@evidence("edt.sec3.1.remark.negative@case-a", "edt.sec3.1.remark.large-for-few", form="printed", strength="symbolic")
def in_case_a_more_ports_leave_less_free() -> Outcome:
    """F is B / (1 + alpha K) of K = M + N alone, strictly decreasing; at least x B iff K <= (1 - x) / (alpha x)."""
    K, part, more = sp.symbols("K part more", positive=True)
    of_K = B / (1 + alpha * K)
    same(SLOW_FREE, of_K.subs(K, M + N), "F as a function of M + N")
    positive(of_K - of_K.subs(K, K + more))
    limit = (1 - part) / (alpha * part)
    same(
        (of_K - part * B) * (1 + alpha * K), B * part * alpha * (limit - K), "F - x B has the sign of the limit less K"
    )
    return Proved("decreasing in M + N", EXAMPLE_A, IN_A)


@evidence("edt.sec3.1.remark.negative@case-b", form="printed", strength="kernel")
def in_case_b_a_steady_port_can_leave_more_free() -> Outcome:
    """Four bursts, alpha = 1, N = 1: search R by the solver, with case b before and after."""
    later = FAST_FREE.subs(N, N + 1)
    fixed = [sp.Eq(alpha, 1), sp.Eq(M, 4), sp.Eq(N, 1), sp.Eq(C, 1), sp.Eq(B, 1)]
    case_b = alpha * M * r > (1 + alpha * (N + 1)) * C
    model = smt.refute([*fixed, case_b], later <= FAST_FREE)
    values = {str(name): str(value) for name, value in model.items()}
    free = FREE_FAST.replace("N", "(N + 1)")
    given = ["min(alpha, B, C, r) > 0", "M >= 1", "N >= 0", "alpha * M * r > (1 + alpha * (N + 1)) * C"]
    return refuted_by_values(values, f"{free} <= {FREE_FAST}", "the steady queues that drain free buffer", given)


@evidence("edt.sec3.1.remark.half", form="printed", strength="symbolic")
def half_is_free_with_one_port_and_alpha_one() -> Outcome:
    """Equations (5) and (9) give half of the buffer for M = 1, N = 0, alpha = 1."""
    for free in (SLOW_FREE, FAST_FREE):
        same(free.subs({M: 1, N: 0, alpha: 1}), B / 2, "F")
    return Proved("F = B / 2", {"alpha": "1", "M": "1", "N": "0", "B": "2", "F": "1"}, ["F == B / 2"])


@evidence("edt.sec3.1.remark.cushion", form="printed", strength="symbolic")
def a_new_port_finds_room() -> Outcome:
    """T > 0 = Q beside n steady ports, and both cases' drop times are positive."""
    positive(formulas.threshold(alpha, formulas.initial_free(alpha, B, N)))
    positive(SLOW_TIME)
    positive(FAST_TIME, FAST)
    return Proved("T(0) > 0 and t > 0", EXAMPLE_A, IN_A)


@evidence("edt.sec3.1.remark.notify", form="printed", strength="symbolic")
def a_change_of_occupancy_changes_the_threshold() -> Outcome:
    """T' = alpha F' = -alpha times the sum of the queues' slopes."""
    total, moves = sp.symbols("total moves", real=True)
    time = sp.Symbol("t", positive=True)
    line = formulas.threshold(alpha, formulas.free_of_queues(B, total + moves * time))
    same(sp.diff(line, time), -alpha * moves, "T'")
    return Proved("T' = -alpha sum Q', not 0 unless the sum is", {"alpha": "1", "moves": "1"}, ["alpha * moves != 0"])


@evidence("edt.sec3.1.remark.shift-register", form="printed", strength="smt")
@evidence("edt.sec3.1.remark.shift-register@counter", form="assumed", strength="smt")
def shifting_left_is_exact() -> Outcome:
    """2^j F is whole for j >= 0, so nothing is lost; and Q 2^j < F decides for alpha = 2^-j; z3 and cvc5."""
    Q, F, power = sp.symbols("Q F power", integer=True, nonnegative=True)
    proof = smt.prove([power >= 1, power * F > Q], power * F >= Q + 1)  # Q < T_s and Q < alpha F are one condition
    smt.prove([power >= 1, power * F >= Q + 1], power * F > Q)
    smt.prove([power >= 1, Q * power < F], F / power > Q)
    smt.prove([power >= 1, F / power > Q], Q * power < F)
    return Proved("shifting left is multiplication", {**proof.example})


@evidence("edt.sec3.1.remark.counter", form="printed", strength="symbolic")
def counting_packets_in_and_out_keeps_the_free_buffer() -> Outcome:
    """The invariant counter = B - sum Q, at the start and over each event, for any packet size."""
    counter, total, size = sp.symbols("counter total size", real=True)
    invariant = {counter: B - total}
    same(formulas.free_of_queues(B, 0), B, "at the start")
    same((counter - size).xreplace(invariant), formulas.free_of_queues(B, total + size), "a packet enters")
    same((counter + size).xreplace(invariant), formulas.free_of_queues(B, total - size), "a packet leaves")
    return Proved("by induction over events", {"B": "3", "total": "1", "counter": "2"}, ["counter == B - total"])


@evidence("edt.sec3.1.remark.reach@case-a", form="printed", strength="symbolic")
def in_case_a_drops_begin_at_the_length_of_the_others() -> Outcome:
    """Until t_1 the steady queues are T and the bursts are below; at t_1 both are T."""
    x = sp.Symbol("x", positive=True)
    start = formulas.initial_free(alpha, B, N)
    t = sp.Symbol("t", nonnegative=True)
    steady = threshold_line(start, follow)
    same((steady - r * t).subs(t, SLOW_TIME), 0, "at t_1")
    positive((steady - r * t).subs(t, SLOW_TIME * x / (1 + x)) * (1 + x))
    nonnegative(alpha * follow + C, SLOW)
    return Proved("steady queue = T = burst queue at t_1", EXAMPLE_A, IN_A)


@evidence("edt.sec3.1.remark.far-smaller@case-b", form="printed", strength="symbolic")
def in_case_b_it_is_smaller_still() -> Outcome:
    """With alpha = 1, M = 1, R - C = 2 (N + 1) C: the bytes until t_2 are less than B / (N + 1)."""
    rate = 2 * (N + 1) * C
    positive(alpha * M * rate.subs(N, N) - (1 + alpha * N) * C, {alpha: sp.Integer(1), M: sp.Integer(1)})  # case b
    brought = (C + rate) * FAST_TIME.subs({alpha: 1, M: 1}).subs(r, rate)
    positive(B / (N + 1) - brought)
    epsilon = sp.Symbol("epsilon", positive=True)
    positive(epsilon * B - (B / (N + 1)).subs(N, 1 / epsilon))
    return Proved(f"{sp.factor(brought)} < B / (N + 1)", {"alpha": "1", "M": "1", "N": "9", "R": "21", "C": "1"})


@evidence("edt.sec3.1.remark.fast", form="printed", strength="symbolic")
def in_case_b_a_shorter_burst_of_the_same_size_drops_too() -> Outcome:
    """(10) times its denominator is linear and decreasing in d at R = S / d; case b stays case b."""
    S, d, less = sp.symbols("S d less", positive=True)
    margin = d * ((1 + alpha * M) * (S / d - C) - alpha * N * C) * (1 + alpha * N) - alpha * B
    same((d - FAST_TIME.subs(r, S / d - C)) * margin / margin, d - FAST_TIME.subs(r, S / d - C), "no change")
    denominator = (1 + alpha * N) * ((1 + alpha * M) * (S / d - C) - alpha * N * C)
    same((d - FAST_TIME.subs(r, S / d - C)) * denominator, margin, "(10) times its denominator")
    shorter = sp.expand(margin).subs(d, d) - sp.expand(margin).subs(d, d + less)
    positive(sp.expand(shorter))
    positive(S / d - S / (d + less))  # the rate grows: still case b
    return Proved("the margin falls in d", EXAMPLE_B, IN_B)


@evidence("edt.sec6.small-burst", form="printed", strength="symbolic")
def all_bursts_together_bring_as_little_as_one_likes() -> Outcome:
    """M R t_1 / B for slow bursts of R = 2 C, M = 1 tends to 0 as N grows, and decreases in N."""
    part = M * (C + r) * dt.slow_drop_time(alpha, B, M, N, r) / B
    one = part.subs({M: 1, r: C})
    check(sp.limit(one, N, sp.oo) == 0, "the limit for many steady ports")
    positive(one - one.subs(N, N + 1))
    return Proved("less than any part of B", {**EXAMPLE, "part": "2/3"}, ["part < 1"])


@evidence("edt.ours.free-buffer-monotone", form="printed", strength="smt")
def exactly_when_one_more_port_leaves_more_free() -> Outcome:
    """Differences of the formulas as identities, and the existence of such R by z3 and cvc5."""
    plus = {N: N + 1}
    # one more burst
    positive(SLOW_FREE - SLOW_FREE.subs(M, M + 1))
    positive(FAST_FREE - FAST_FREE.subs(M, M + 1), FAST)
    into_b = {r: ((1 + alpha * N) * C + sp.Symbol("s", positive=True)) / (alpha * (M + 1))}  # case b with M + 1
    positive(SLOW_FREE - FAST_FREE.subs(M, M + 1), into_b)
    # one more steady port: within a; from b to a; within b
    positive(SLOW_FREE - SLOW_FREE.xreplace(plus))
    before, after = (1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C), 1 + alpha * (M + N + 1)
    to_a = alpha * ((alpha * M * N - 1) * r - N * C * (1 + alpha * N))
    same((SLOW_FREE.xreplace(plus) - FAST_FREE) * before * after, B * to_a, "from b to a")
    then = before.xreplace(plus)
    in_b = alpha * ((1 + alpha * (2 * N + 1)) * C - (1 + alpha * M) * r)
    same((FAST_FREE.xreplace(plus) - FAST_FREE) * before * then, r * B * in_b, "within b")
    positive(before, FAST)
    # some R does it iff alpha^2 M N > 1 + alpha (N + 1)
    was_b, is_a = alpha * M * r > (1 + alpha * N) * C, alpha * M * r <= (1 + alpha * (N + 1)) * C
    room = alpha**2 * M * N > 1 + alpha * (N + 1)
    proof = smt.prove([was_b, is_a, to_a > 0], room)
    smt.prove([was_b, sp.Not(is_a), in_b > 0], room)
    largest = {r: (1 + alpha * (N + 1)) * C / (alpha * M)}  # the largest rate of case a with N + 1
    same(
        to_a.xreplace(largest) * M, alpha * C * (alpha**2 * M * N - 1 - alpha * (N + 1)) / alpha, "at the largest rate"
    )
    return Proved("the signs of the differences", {**proof.example})


@evidence("edt.ours.reserve", "edt.sec2.3.reserves@equal-bursts", form="printed", strength="symbolic")
def the_free_buffer_is_smallest_at_the_first_drop() -> Outcome:
    """F falls before it, rests or rises after it; there F >= B / ((1 + alpha N)(1 + alpha M)), the limit."""
    reserve = B / ((1 + alpha * N) * (1 + alpha * M))
    positive(-follow)
    positive(-drain, FAST)
    nonnegative(free_slope(0, N, M))  # after the drop in case b, until all rest
    same(free_slope(0, 0, M + N), 0, "F' when all rest")
    nonnegative(SLOW_FREE - reserve)
    nonnegative(FAST_FREE - reserve, FAST)
    same(sp.limit(FAST_FREE, r, sp.oo), reserve, "the limit for large R")
    positive(
        (FAST_FREE - reserve).subs(N, 1 + N),
        {r: ((1 + alpha * (1 + N)) * C + sp.Symbol("s", positive=True)) / (alpha * M)},
    )
    positive((SLOW_FREE - reserve).subs(N, 1 + N))
    same(FAST_FREE.subs(N, 0), reserve.subs(N, 0), "N = 0: exactly the reserve")
    return Proved("F >= B / ((1 + alpha N)(1 + alpha M))", EXAMPLE_B, IN_B)


@evidence("edt.ours.extremes", form="printed", strength="symbolic")
def the_limits_for_small_and_large_alpha() -> Outcome:
    """Limits of the formulas of Theorem 1."""
    slow = formulas.slow_drop_time(alpha, B, M, N, r), formulas.slow_free(alpha, B, M, N)
    fast = formulas.fast_drop_time(alpha, B, C, M, N, r), formulas.fast_free(alpha, B, C, M, N, r)
    same(sp.limit(slow[0], alpha, 0), 0, "t_1 for alpha to 0")  # small alpha: always case a
    same(sp.limit(slow[1], alpha, 0), B, "F for alpha to 0")
    same(sp.limit(slow[1], alpha, sp.oo), 0, "F in case a for alpha to infinity")
    same(sp.limit(slow[0], alpha, sp.oo), B / ((M + N) * r), "t_1 for alpha to infinity")
    steady, x = sp.symbols("N_1 x", positive=True)
    beyond = {r: (steady * C + x) / M, N: steady}  # case b for every large alpha: M r > N C
    same(sp.limit(fast[0].xreplace(beyond), alpha, sp.oo), 0, "t_2 for alpha to infinity")
    same(sp.limit(fast[1].xreplace(beyond), alpha, sp.oo), 0, "F in case b for alpha to infinity")
    alone = tuple(each.subs(N, 0) for each in fast)
    same(sp.limit(alone[0], alpha, sp.oo), B / (M * r), "t_2 with N = 0 for alpha to infinity")
    same(sp.limit(alone[1], alpha, sp.oo), 0, "F in case b with N = 0 for alpha to infinity")
    return Proved("limits", EXAMPLE_A, IN_A)
