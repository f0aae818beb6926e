"""Sections II-A and III-C: equations (1) and (3), thresholds and their weights; proofs."""

from fractions import Fraction
from itertools import product

import sympy

from dtmodel.ledger import Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.ledger.provers import prove, smt
from dtmodel.policies import DT
from dtmodel.policies.threshold import Threshold
from dtmodel.theory import threshold_family
from dtmodel.theory.dt import formulas as dt
from dtmodel.theory.l2bm import formulas as l2bm

from .derivation import POSITIVE, identity, nonnegative
from .induction import recorded, traces, waiting

F, alpha, tau, d, B, n, C, y, H, S, h, x, k = sympy.symbols("F alpha tau d B n C y H S h x k", positive=True)
W_real, H_real, tau_real, n_real, S_real, alpha_real = sympy.symbols("W H tau n S alpha", real=True)


def _extended() -> sympy.Expr:
    """(S + tau)(H + 1/tau): the product for one more queue."""
    return (S + tau) * (H + 1 / tau)


@evidence("l2bm.tab1.B", form="printed", strength="symbolic")
def the_buffer_holds_the_steady_state() -> Outcome:
    """What the steady state leaves free, B - B W / (1 + W), is B / (1 + W) > 0."""
    B, W = sympy.symbols("B W", positive=True)
    return Proved(nonnegative(B - B * W / (1 + W), strict=True), {"B": "4", "W": "1"}, ["B * W / (1 + W) < B"])


@evidence("l2bm.tab1.alpha", "l2bm.tab1.T", form="printed", strength="symbolic")
def equation_3_is_one_value_for_each_active_queue() -> Outcome:
    """For positive tau, C and F it is a single positive number, linear in alpha."""
    threshold = alpha * C / tau * F
    check(sympy.degree(threshold, alpha) == 1, "not linear")
    example = {"alpha": "1/8", "C": "2", "tau": "1", "F": "4", "T": "1"}
    return Proved(nonnegative(threshold, strict=True), example, ["T == alpha * C / tau * F"])


@evidence("l2bm.eq1", form="printed", strength="symbolic")
def the_threshold_of_dt_lies_within_alpha_b() -> Outcome:
    """Write B = sum Q + free: the threshold alpha free and its distance to alpha B have no negative coefficient."""
    free, held = sympy.symbols("free held", positive=True)
    threshold = alpha * ((held + free) - held)
    below = nonnegative(threshold)
    above = nonnegative(alpha * (held + free) - threshold)
    example = {"alpha": "1/16", "B": "4", "held": "3", "T": "1/16"}
    return Proved(f"T = {below} and alpha B - T = {above}", example, ["T == alpha * (B - held)", "held <= B"])


@evidence("l2bm.eq3", form="assumed", strength="symbolic")
def packets_that_are_not_late_have_a_positive_average() -> Outcome:
    """The total is what present packets had left at t_prev and what gone ones left too early: no term is negative.

    One is positive: that of the last arrival, if it is present or left at t_prev; else it left after t_prev, and a
    packet that is present leaves no earlier. Then C alpha (B - Q) / tau has no negative coefficient.
    """
    estimate, stayed, free = sympy.symbols("estimate stayed free", positive=True)
    wait, early, prev = sympy.symbols("wait early t_prev", nonnegative=True)
    nonnegative((prev + estimate) - prev, strict=True)  # of the last arrival
    nonnegative((prev + stayed + wait + early) - prev, strict=True)  # of a packet that it leaves behind
    for log in traces():
        gone = [due >= now for what, now, due in log if what == "depart"]
        if waiting(log) and all(gone) and min(waiting(log)) >= log[-1][1]:
            check(recorded(log).total > 0, f"trace {log}")
    certificate = nonnegative(C / tau * alpha * free)
    return Proved(
        certificate, {"C": "2", "tau": "1", "alpha": "1/8", "free": "8", "T": "2"}, ["T == C / tau * alpha * free"]
    )


@evidence("l2bm.sec3c.inverse", form="assumed", strength="symbolic")
@evidence("l2bm.sec3c.C-constant", form="printed", strength="symbolic")
def weight_times_sojourn_time_is_one_constant() -> Outcome:
    """w_i tau_i = alpha C for every queue; with C fixed, w(2 tau) = w(tau) / 2."""
    C = sympy.Symbol("C", positive=True)
    identity(alpha * C / tau * tau, alpha * C, "the product")
    identity(alpha * C / (2 * tau), alpha * C / tau / 2, "halving")
    products = {weight * stay for weight, stay in zip(l2bm.weights([1, 3, 5], "1/8"), (1, 3, 5), strict=True)}
    check(products == {Fraction(9, 8)}, f"the package's weights: {products}")
    return Proved("w_i tau_i = alpha C", {"a": "1", "b": "3", "C": "4"}, ["C / a * a == C / b * b"])


@evidence("l2bm.sec3c.faster-larger", "l2bm.sec3d.no-burst.rdma", form="printed", strength="symbolic")
def the_faster_of_two_queues_has_the_larger_threshold() -> Outcome:
    """tau_j = tau + d: the difference of the thresholds has no negative coefficient."""
    C = sympy.Symbol("C", positive=True)
    certificate = nonnegative(alpha * C / tau * F - alpha * C / (tau + d) * F, strict=True)
    return Proved(certificate, {"a": "1", "b": "9", "C": "10"}, ["C / a > C / b"])


@evidence("l2bm.sec3c.upper-limit@within-buffer", form="printed", strength="kernel")
def a_threshold_above_the_buffer() -> Outcome:
    """Sojourn times (1, 99), alpha = 1/8, buffer 4, empty: the faster queue may hold 50."""
    check(l2bm.thresholds(4, 0, [1, 99], "1/8")[0] == 50, "the worked instance")
    values = {"alpha": "1/8", "B": "4", "a": "1", "b": "99"}
    return refuted_by_values(values, "alpha * (a + b) / a * B <= B", "", ["min(a, b, B) > 0", "alpha == 1/8"])


@evidence(
    "l2bm.sec3c.alpha-larger", "l2bm.sec3c.alpha-delay", "l2bm.sec4.dt.alpha", form="printed", strength="symbolic"
)
def thresholds_grow_with_alpha_and_the_reserve_shrinks() -> Outcome:
    """Write the weights as alpha v, V = sum v: differences for alpha + d have no negative coefficient."""
    v, V = sympy.symbols("v V", positive=True)
    nonnegative((alpha + d) * v * F - alpha * v * F, strict=True)
    steady, free = B * alpha * v / (1 + alpha * V), B / (1 + alpha * V)
    nonnegative(steady.subs(alpha, alpha + d) - steady, strict=True)
    certificate = nonnegative(free - free.subs(alpha, alpha + d), strict=True)
    return Proved(certificate, {"alpha": "1/8", "more": "1/2", "n": "4"}, ["1/(1 + alpha*n) > 1/(1 + more*n)"])


@evidence("l2bm.sec1.proportional", "l2bm.sec4a.rigid", form="printed", strength="symbolic")
def dts_threshold_is_proportional_to_the_free_buffer() -> Outcome:
    """Scale the free buffer by c: the formula scales by c; the policy's slope is alpha and its offset 0."""
    c = sympy.Symbol("c", positive=True)
    identity(dt.threshold(alpha, c * F), c * dt.threshold(alpha, F), "proportionality")
    check(set(DT("1/8").thresholds(5)) == {Threshold(Fraction(1, 8), Fraction(0))}, "the policy's thresholds")
    return Proved("T = alpha F", {"alpha": "1/8", "F": "8", "T": "1"}, ["T == alpha * F"])


@evidence("l2bm.sec3c.alpha-unfair", form="printed", strength="smt")
def beyond_alpha_one_a_newcomer_finds_less_than_its_part() -> Outcome:
    """What one of n queues holds, alpha F, and what is left, F, against B/(n + 1), with F (1 + alpha n) = B."""
    given = [sympy.Eq(F * (1 + alpha * n), B), n >= 1]
    for more, held in ((alpha > 1, True), (alpha <= 1, False)):
        equal = B / (n + 1)
        smt.prove([*given, more], alpha * F > equal if held else alpha * F <= equal)
        proof = smt.prove([*given, more], equal > F if held else equal <= F)
    state = threshold_family.steady_state(6, threshold_family.dt_weights(2, 1))
    check((*state.thresholds, state.free) == (Fraction(4), Fraction(2)), "one queue of alpha = 2 holds two thirds")
    return proof.proved("held > B/(n + 1) > free iff alpha > 1")


@evidence("l2bm.sec3c.alpha-unfair@among-overloaded", form="printed", strength="kernel")
def dt_is_equally_fair_for_every_alpha() -> Outcome:
    """Two overloaded queues at alpha 1/8 and at 8: both times equal thresholds."""
    for each in ("1/8", 8):
        state = threshold_family.steady_state(1, threshold_family.dt_weights(each, 2))
        check(threshold_family.fairness(state.thresholds) == 1, "unequal thresholds")
    index = "(n * {0}/(1 + {0}*n))**2 / (n * n * ({0}/(1 + {0}*n))**2)"
    statement = f"{index.format('large')} < {index.format('small')}"
    return refuted_by_values({"small": "1/8", "large": "8", "n": "2"}, statement, "", ["large > small > 0", "n >= 2"])


@evidence("l2bm.sec4.abm-rule", form="printed", strength="symbolic")
def abm_weights_change_with_count_and_rate_only() -> Outcome:
    """The threshold alpha_p gamma F / n_p grows with the rate and falls with the count; nothing else stands in it.

    The implementation is compared on all ports of up to 3 queues, 2 priorities and 2 rates: the count is that of the
    priority, the rate the queue's own, and the order, which is where a queue comes from, does not matter.
    """
    gamma = sympy.Symbol("gamma", positive=True)
    threshold = alpha / n * gamma * F
    check(threshold.free_symbols == {alpha, n, gamma, F}, "something else stands in it")
    nonnegative(threshold.subs(gamma, gamma + d) - threshold, strict=True)
    certificate = nonnegative(threshold - threshold.subs(n, n + d), strict=True)
    alphas = (Fraction(1), Fraction(3))
    for queues in (1, 2, 3):
        for priorities in product((0, 1), repeat=queues):
            for rates in product((Fraction(1, 2), Fraction(1)), repeat=queues):
                expected = [alphas[p] / priorities.count(p) * r for p, r in zip(priorities, rates, strict=True)]
                found = threshold_family.abm_weights(list(alphas), list(priorities), list(rates))
                check(list(found) == expected, f"{priorities}, {rates}: {found}")
    return Proved(certificate, {"alpha": "1", "n": "2", "more": "3", "F": "6"}, ["alpha / n * F > alpha / more * F"])


@evidence("l2bm.sec4.abm-isolates", form="printed", strength="symbolic")
def how_many_queues_a_priority_has_changes_no_other() -> Outcome:
    """Queues of weight b h / n weigh b h together, whatever their number n; the n + m queues of DT weigh a (n + m).

    The implementation's weights of one to three queues of a priority beside two of another add up alike.
    """
    a, b, g, h, m, N = sympy.symbols("a b g h m N", positive=True)
    total = m * (a * g / m) + N * (b * h / N)
    identity(total, a * g + b * h, "the total weight")
    own = a * g / m * B / (1 + total)
    check(not own.simplify().has(N), f"{own}")
    under_dt = a * B / (1 + a * (N + m))
    certificate = nonnegative(sympy.together(under_dt - under_dt.subs(N, N + d)), strict=True)
    for count in (1, 2, 3):
        found = threshold_family.abm_weights([1, 3], [0, 0, *[1] * count], [Fraction(1, 2)] * 2 + [Fraction(1)] * count)
        check((found[0], sum(found)) == (Fraction(1, 4), Fraction(7, 2)), f"{count}: {found}")
    return Proved(certificate, {"a": "1", "B": "6", "n": "2", "more": "5"}, ["a*B/(1 + a*more) < a*B/(1 + a*n)"])


@evidence("l2bm.sec3c.alpha-priority", form="printed", strength="symbolic")
def an_alpha_for_each_priority_changes_no_equation() -> Outcome:
    """Two priorities with alpha_1, alpha_2: (7) has the one solution (8), on which w F is (9); more by induction."""
    a1, a2, t1, t2, C, B = sympy.symbols("alpha_1 alpha_2 tau_1 tau_2 C B", positive=True)
    Q = sympy.Symbol("Q", real=True)
    w1, w2 = a1 * C / t1, a2 * C / t2
    (occupancy,) = sympy.solve(sympy.Eq(Q, (w1 + w2) * (B - Q)), Q)
    identity(occupancy, B * (w1 + w2) / (1 + w1 + w2), "equation (8)")
    identity(w1 * (B - occupancy), B * w1 / (1 + w1 + w2), "equation (9)")
    rest, weight = sympy.symbols("W w", positive=True)  # one more queue: B w / (1 + W + w) beside the W of the others
    identity((rest + weight) * B / (1 + rest + weight), B - B / (1 + rest + weight), "one more queue")
    example = {"a1": "1/8", "a2": "1/2", "tau": "1", "C": "2", "B": "9", "Q": "5"}
    return Proved("the weights are arbitrary in (7)", example, ["Q == (a1*C/tau + a2*C/tau) * (B - Q)"])


@evidence("l2bm.sec3c.alpha-priority.order", form="assumed", strength="symbolic")
def with_no_smaller_alpha_the_faster_queue_has_more() -> Outcome:
    """Alpha + e against alpha, tau against tau + d: the difference has no negative coefficient."""
    alpha, e, tau, d, C, F = sympy.symbols("alpha e tau d C F", positive=True)
    certificate = nonnegative((alpha + e) * C / tau * F - alpha * C / (tau + d) * F, strict=True)
    equal = nonnegative(alpha * C / tau * F - alpha * C / (tau + d) * F, strict=True)
    example = {"a1": "1/2", "a2": "1/2", "tau1": "1", "tau2": "2", "C": "3"}
    return Proved(f"{certificate}; {equal}", example, ["a1 >= a2", "a1*C/tau1 > a2*C/tau2"])


@evidence("l2bm.sec1.emptied-faster-larger", "l2bm.sec3b.emptied-faster", form="assumed", strength="smt")
def of_one_distribution_the_greatest_follows_the_average() -> Outcome:
    """Any number of packets: times f times as long have f times the sum and f times the greatest.

    The greatest: of those so far and of one more, as the larger of both times f is the larger of both f-fold.
    """
    average, most, f, one, free = sympy.symbols("average most f one F", positive=True)
    smt.prove([one <= most], f * one <= f * most)
    identity(f * average + f * one, f * (average + one), "the sum with one more")
    smt.prove([average < f * average], most < f * most)
    smt.prove([most < f * most], average < f * average)
    return smt.prove([most < f * most], alpha * C / average * free > alpha * C / (f * average) * free).proved(
        "f > 1 either way"
    )


@evidence("l2bm.sec1.emptied-faster-larger", form="printed", strength="kernel")
def the_first_to_empty_gets_the_smaller_threshold() -> Outcome:
    """Residual times (1, 1, 1, 10) average 13/4, (4) averages 4: the second is empty first and has the lower weight."""
    slow, fast = l2bm.weights(["13/4", 4], "1/8")
    check(slow > fast, "the queue that empties first has the larger weight")
    hypotheses = ["min(slow) > 0", "min(fast) > 0", "alpha > 0", "max(fast) < max(slow)"]
    hypotheses += ["C == sum(slow) / 4 + sum(fast)"]
    statement = "alpha * C / sum(fast) > alpha * C / (sum(slow) / 4)"
    values = {"slow": ["1", "1", "1", "10"], "fast": ["4"], "C": "29/4", "alpha": "1/8"}
    return refuted_by_values(values, statement, "", hypotheses)


@evidence("l2bm.ours.never-below-dt", form="printed", strength="symbolic")
def no_weight_is_below_alpha() -> Outcome:
    """Write C = tau_i + x, x the sum of the others: w_i - alpha = alpha x / tau_i > 0."""
    identity(alpha * (tau + x) / tau - alpha, alpha * x / tau, "the excess")
    certificate = nonnegative(alpha * x / tau, strict=True)
    return Proved(
        certificate, {"alpha": "1/8", "tau": "9", "x": "3", "w": "1/6"}, ["w == alpha * (tau + x) / tau", "w >= alpha"]
    )


@evidence("l2bm.ours.least-weight", form="printed", strength="smt")
def the_step_of_the_induction_by_smt() -> Outcome:
    """From S H >= n^2 follows (S + tau)(H + 1/tau) >= (n + 1)^2; the base case n = 1 is S H = 1."""
    goal = (S_real + tau_real) * (H_real * tau_real + 1) >= (n_real + 1) ** 2 * tau_real
    proof = smt.prove([*POSITIVE[:3], n_real >= 1, n_real**2 <= S_real * H_real], goal)
    return Proved("z3 and cvc5", proof.example)


@evidence("l2bm.ours.least-weight", form="printed", strength="symbolic")
def total_weight_is_at_least_alpha_n_squared() -> Outcome:
    """Induct on n: with H = n^2 / S + h, h >= 0, the step is ((S - n tau)^2 + h S (S + tau) tau) / (S tau)."""
    identity(S * H.subs(H, 1 / S), sympy.Integer(1), "one queue: S H = 1")
    excess = _extended().subs(H, n**2 / S + h) - (n + 1) ** 2
    square = (S - n * tau) ** 2 / (S * tau)
    identity(excess, square + h * (S + tau), "the step")
    nonnegative(h * (S + tau), strict=True)  # h > 0: strict
    # h = 0: all n earlier times equal S / n by hypothesis; the square vanishes only if tau does, too.
    check(sympy.solve(sympy.Eq(S - n * tau, 0), tau) == [S / n], "equality at another tau")
    return Proved(
        "S H >= n^2 by induction; equality iff every tau is S / n",
        {"a": "1", "b": "2", "c": "4", "n": "3"},
        ["(a + b + c) * (1/a + 1/b + 1/c) >= n**2"],
    )


@evidence("l2bm.ours.more-than-dt", form="printed", strength="smt")
def more_occupancy_than_dt_by_smt() -> Outcome:
    """From W >= alpha n^2, n >= 2 follows W (1 + alpha n) > alpha n (1 + W)."""
    proof = smt.prove(
        [alpha_real > 0, n_real >= 2, alpha_real * n_real**2 <= W_real],
        W_real * (1 + alpha_real * n_real) > alpha_real * n_real * (1 + W_real),
    )
    return Proved("z3 and cvc5", proof.example)


@evidence("l2bm.ours.more-than-dt", "l2bm.ours.reserve", form="printed", strength="symbolic")
def steady_occupancy_exceeds_dt() -> Outcome:
    """Write W = alpha n^2 + h and n = 2 + k: W / (1 + W) grows with W, and alpha n^2 > alpha n."""
    occupied = threshold_family.steady_state_formulas()["occupancy"]
    total = sympy.Symbol("W", positive=True)
    least = occupied.subs(total, alpha * n**2)
    nonnegative(occupied.subs(total, alpha * n**2 + h) - least, strict=True)
    certificate = nonnegative((least - occupied.subs(total, alpha * n)).subs(n, 2 + k), strict=True)
    return Proved(
        certificate,
        {"alpha": "1/8", "n": "4", "W": "14/3"},
        ["W >= alpha * n**2", "W / (1 + W) > alpha*n / (1 + alpha*n)"],
    )


@evidence("l2bm.ours.mean", form="printed", strength="symbolic")
def the_arithmetic_mean_gives_at_least_dts_total() -> Outcome:
    """Divide S H >= n^2 (l2bm.ours.least-weight) by n: with S H = n^2 + h the excess is alpha h / n."""
    identity(alpha * (n**2 + h) / n - alpha * n, alpha * h / n, "the excess")
    return Proved(nonnegative(alpha * h / n), {"a": "1", "b": "3"}, ["(a + b)/2 * (1/a + 1/b) >= 2"])


@evidence("l2bm.ours.least", form="printed", strength="symbolic")
def c_as_the_least_time_keeps_weights_at_most_alpha() -> Outcome:
    """tau_i = least + x gives 0 < w_i <= alpha, queue by queue; the fastest queue contributes alpha itself."""
    least = sympy.Symbol("least", positive=True)
    nonnegative(alpha - alpha * least / (least + x))
    certificate = nonnegative(alpha * least / (least + x), strict=True)
    return Proved(
        certificate, {"alpha": "1/8", "least": "1", "tau": "9"}, ["alpha * least / tau <= alpha", "tau >= least"]
    )


@evidence("l2bm.ours.greatest", form="printed", strength="symbolic")
def c_as_the_greatest_time_keeps_weights_from_alpha_up() -> Outcome:
    """C = tau_i + x gives w_i - alpha = alpha x / tau_i >= 0, queue by queue."""
    certificate = nonnegative(alpha * (tau + x) / tau - alpha)
    return Proved(certificate, {"alpha": "1/8", "greatest": "9", "tau": "1"}, ["alpha * greatest / tau >= alpha"])


@evidence("l2bm.ours.scale-free", "l2bm.ours.equal", "l2bm.ours.one-queue", form="printed", strength="symbolic")
def weights_depend_on_ratios_only() -> Outcome:
    """Scale tau_i and the sum of the others by c; set the others to (n - 1) tau; set n = 1."""
    c = sympy.Symbol("c", positive=True)
    weight = alpha * (tau + x) / tau
    identity(weight.subs({tau: c * tau, x: c * x}, simultaneous=True), weight, "scaling")
    identity(weight.subs(x, (n - 1) * tau), alpha * n, "equal sojourn times")
    identity(weight.subs(x, 0), alpha, "one queue")
    for how in ("sum", "mean", "harmonic", "least", "greatest"):
        check(l2bm.weights([1, 3], 1, how) == l2bm.weights([7, 21], 1, how), f"{how} is not scale-free")
    return Proved("w = alpha (1 + x / tau)", {"a": "1", "b": "3", "c": "7"}, ["(a + b) / a == (c*a + c*b) / (c*a)"])


@evidence("l2bm.ours.own-sojourn", "l2bm.sec3d.no-burst", form="printed", strength="symbolic")
def a_queues_own_threshold_falls_with_its_own_sojourn_time() -> Outcome:
    """Differentiate w_i and B w_i / (1 + W) by tau_i; minus the derivative has no negative coefficient."""
    weight = alpha * (tau + S) / tau  # S and H are the sums over the other queues, S H >= 1
    total = alpha * (tau + S) * (1 / tau + H)
    nonnegative(-sympy.diff(weight, tau), strict=True)
    steady = B * weight / (1 + total)
    certificate = nonnegative(sympy.factor(-sympy.diff(steady, tau)), strict=True)
    return Proved(certificate[:200], {"tau": "1", "S": "2", "H": "2", "alpha": "1/8"}, ["S * H >= 1"])


@evidence("l2bm.ours.others-rise", form="printed", strength="symbolic")
def the_others_weights_grow_with_one_queues_sojourn_time() -> Outcome:
    """Alpha (S + delta) / tau_j exceeds alpha S / tau_j."""
    certificate = nonnegative(alpha * (S + x) / tau - alpha * S / tau, strict=True)
    return Proved(certificate, {"alpha": "1", "S": "4", "x": "1", "tau": "1"}, ["alpha*(S + x)/tau > alpha*S/tau"])


@evidence("l2bm.ours.newcomer-raises", form="printed", strength="symbolic")
def a_newcomer_raises_every_weight() -> Outcome:
    """The total grows by alpha (1 + tau H + S / tau), of which the newcomer's own weight is a part."""
    identity(alpha * (S + tau) / y - alpha * S / y, alpha * tau / y, "another queue")
    identity(alpha * _extended() - alpha * S * H, alpha * (1 + tau * H + S / tau), "the total")
    certificate = nonnegative(alpha * (tau * H + S / tau), strict=True)
    return Proved(certificate, {"alpha": "1", "S": "2", "H": "2", "tau": "1"}, ["(S + tau) * (H + 1/tau) - S*H > 1"])


@evidence("l2bm.ours.total-turns", form="printed", strength="symbolic")
def the_total_weight_is_least_at_the_balance() -> Outcome:
    """D W / d tau = alpha (H - S / tau^2): negative iff tau^2 < S / H."""
    identity(sympy.diff(alpha * _extended(), tau), alpha / tau**2 * (H * tau**2 - S), "the derivative")
    nonnegative(alpha / tau**2, strict=True)
    return Proved("sign(dW/dtau) = sign(H tau^2 - S)", {"tau": "1", "S": "3", "H": "3"}, ["H * tau**2 == S"])


@evidence("l2bm.ours.unbounded", form="printed", strength="symbolic")
def a_small_sojourn_time_gives_any_weight() -> Outcome:
    """Tau = alpha x / M gives w = alpha + M > M, and leaves B / (1 + W) < B / M since W > w."""
    M = sympy.Symbol("M", positive=True)
    identity((alpha * (tau + x) / tau).subs(tau, alpha * x / M), alpha + M, "the weight")
    nonnegative(B / M - B / (1 + alpha + M + y), strict=True)
    return Proved("w = alpha + M", {"alpha": "1/8", "x": "1", "M": "100", "tau": "1/800"}, ["alpha*(tau + x)/tau > M"])


@evidence("l2bm.ours.against-dt2", form="printed", strength="symbolic")
def l2bm_at_an_eighth_against_dt_at_a_half() -> Outcome:
    """Equal sojourn times: n^2 / 8 - n / 2 = n (n - 4) / 8, and occupancy grows with the total weight."""
    identity(n**2 / 8 - n / 2, n * (n - 4) / 8, "the totals")
    low, gap = sympy.symbols("low gap", positive=True)
    nonnegative(
        threshold_family.steady_state_formulas()["occupancy"].subs(sympy.Symbol("W", positive=True), low + gap)
        - threshold_family.steady_state_formulas()["occupancy"].subs(sympy.Symbol("W", positive=True), low),
        strict=True,
    )
    return Proved("n^2/8 < n/2 iff n < 4", {"n": "3"}, ["n**2 / 8 < n / 2"])


@evidence("l2bm.ours.abm-bound", form="printed", strength="symbolic")
def abm_weights_add_up_to_at_most_the_sum_of_the_alphas() -> Outcome:
    """Each queue of a priority adds alpha_p gamma / n_p <= alpha_p / n_p, n_p of them at most alpha_p, none 0."""
    gamma, rest, some = sympy.symbols("gamma rest n_p", positive=True)  # 1 = gamma + rest
    nonnegative((alpha / some - alpha * gamma / some).subs(gamma, 1 / (1 + rest)))
    identity(some * (alpha / some), alpha, "n_p queues")
    nonnegative(alpha)  # of a priority without queues
    W = sympy.Symbol("W", positive=True)
    nonnegative(B / (1 + W) - B / (1 + W + rest))  # W + rest is the sum of the alphas
    weights = threshold_family.abm_weights(["1/2", 1], [0, 0, 1], [1, 1, "1/2"])
    check(sum(weights) == 1, "the worked instance")
    return Proved("sum w <= sum alpha_p", {"a": "1/2", "b": "1", "W": "1"}, ["W <= a + b"])


@evidence("l2bm.ours.abm-drain", form="printed", strength="smt")
def the_drain_rate_cancels_in_the_drain_time_of_abm() -> Outcome:
    """A queue of w F = alpha g F / n bytes that drains at g C needs alpha F / (n C), and F is at most B."""
    T, g, t = sympy.symbols("T g t", positive=True)
    state = [sympy.Eq(T * n, alpha * g * F), sympy.Eq(t * g * C, T)]
    prove(state, sympy.Eq(t * n * C, alpha * F)).proved("one time for all queues of the priority")
    return prove([*state, F <= B], t * n * C <= alpha * B).proved("at most alpha B / (n C)")


@evidence("l2bm.ours.abm-burst", form="printed", strength="smt")
def a_burst_under_abm_keeps_its_tolerance() -> Outcome:
    """The free buffer is at least B / (1 + A - w) before, and falls by at most r while the queue grows by r."""
    B, W, A, w, r, t, F = sympy.symbols("B W A w r t F", positive=True)
    phi = sympy.Symbol("phi", nonnegative=True)
    state = [sympy.Eq(F * (1 + W), B), W + w <= A, phi <= r, sympy.Eq(t * (r + w * phi), w * F)]
    return prove(state, r * t * (1 + w) * (1 + A - w) >= w * B).proved("r t >= w B / ((1 + w)(1 + A - w))")
