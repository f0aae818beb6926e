"""The weights of L2BM for every number of queues: inductions over the queues, and certificates without a minus sign."""

from __future__ import annotations

from fractions import Fraction

import sympy

from dtmodel.ledger import Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.theory import l2bm, threshold_family

from .common import identity, nonnegative

B, S, H, alpha, tau, x, y, h, k, n = sympy.symbols("B S H alpha tau x y h k n", positive=True)


def _extended() -> sympy.Expr:
    """(S + tau)(H + 1/tau): the product for one more queue."""
    return (S + tau) * (H + 1 / tau)


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


@evidence("l2bm.ours.never-below-dt", form="printed", strength="symbolic")
def no_weight_is_below_alpha() -> Outcome:
    """Write C = tau_i + x, x the sum of the others: w_i - alpha = alpha x / tau_i > 0."""
    identity(alpha * (tau + x) / tau - alpha, alpha * x / tau, "the excess")
    certificate = nonnegative(alpha * x / tau, strict=True)
    return Proved(
        certificate, {"alpha": "1/8", "tau": "9", "x": "3", "w": "1/6"}, ["w == alpha * (tau + x) / tau", "w >= alpha"]
    )


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


@evidence("l2bm.sec1.occupancy", form="printed", strength="kernel")
def four_equally_fast_queues_hold_twice_what_dt_holds() -> Outcome:
    """Compare the steady occupancies at alpha = 1/8 for sojourn times (3, 3, 3, 3): 2/3 B against 1/3 B."""
    compared = l2bm.compare_with_dt(1, [3, 3, 3, 3], "1/8")
    check(compared.reduction == -1, f"reduction {compared.reduction}")
    values = {"alpha": "1/8", "n": "2", "W": "1/2"}
    return Counterexample(
        Witness(
            "values",
            {
                "values": values,
                "hypotheses": ["alpha > 0", "n == 2", "W == alpha * (1 + 1) * (1/1 + 1/1)"],
                "statement": "W / (1 + W) < alpha*n / (1 + alpha*n)",
            },
            says="two queues with equal sojourn times",
        )
    )


@evidence("l2bm.ours.below-dt-steady", form="printed", strength="symbolic")
def steady_threshold_below_dt_iff() -> Outcome:
    """DT's threshold minus L2BM's is a positive multiple of tau_i (1 + alpha C H) - C (1 + alpha n)."""
    C = sympy.Symbol("C", positive=True)
    difference = alpha * B / (1 + alpha * n) - B * (alpha * C / tau) / (1 + alpha * C * H)
    factor = alpha * B / (tau * (1 + alpha * n) * (1 + alpha * C * H))
    identity(difference, factor * (tau * (1 + alpha * C * H) - C * (1 + alpha * n)), "the difference")
    nonnegative(factor, strict=True)
    compared = l2bm.compare_with_dt(1, [1, 1, 1, 9], "1/8")
    check(compared.below == (3,) and compared.l2bm.thresholds[3] == Fraction(1, 34), "the worked instance")
    return Proved(
        str(factor),
        {"alpha": "1/8", "C": "12", "H": "28/9", "n": "4", "tau": "9"},
        ["C*(1 + alpha*n) < tau*(1 + alpha*C*H)"],
    )


@evidence("l2bm.ours.not-all-below", form="printed", strength="symbolic")
def the_fastest_queue_lies_above_dt() -> Outcome:
    """For the least tau, H <= n / tau and S >= n tau: S (1 + alpha n) - tau (1 + alpha S H) >= S - tau > 0."""
    # H = n/tau - h and S = n tau + x with h, x >= 0 and n = 2 + k.
    above = S * (1 + alpha * n) - tau * (1 + alpha * S * (n / tau - h))
    certificate = nonnegative(above.subs(S, n * tau + x).subs(n, 2 + k), strict=True)
    return Proved(
        certificate,
        {"a": "1", "b": "9", "alpha": "1/8", "n": "2"},
        ["(a + b)*(1 + alpha*n) > a*(1 + alpha*(a + b)*(1/a + 1/b))"],
    )


@evidence("l2bm.ours.harmonic", form="printed", strength="symbolic")
def only_the_harmonic_mean_keeps_the_total() -> Outcome:
    """Solve alpha C H = alpha n for C."""
    C = sympy.Symbol("C", positive=True)
    check(sympy.solve(sympy.Eq(alpha * C * H, alpha * n), C) == [n / H], "another C")
    return Proved("C = n / H", {"C": "3/2", "H": "4/3", "n": "2"}, ["C == n / H"])


@evidence("l2bm.ours.mean", form="printed", strength="symbolic")
def the_arithmetic_mean_gives_at_least_dts_total() -> Outcome:
    """Divide S H >= n^2 (l2bm.ours.least-weight) by n: with S H = n^2 + h the excess is alpha h / n."""
    identity(alpha * (n**2 + h) / n - alpha * n, alpha * h / n, "the excess")
    return Proved(nonnegative(alpha * h / n), {"a": "1", "b": "3"}, ["(a + b)/2 * (1/a + 1/b) >= 2"])


@evidence("l2bm.ours.least", form="printed", strength="symbolic")
def the_least_sojourn_time_keeps_every_weight_at_most_alpha() -> Outcome:
    """tau_i = least + x gives 0 < w_i <= alpha, queue by queue; the fastest queue contributes alpha itself."""
    least = sympy.Symbol("least", positive=True)
    nonnegative(alpha - alpha * least / (least + x))
    certificate = nonnegative(alpha * least / (least + x), strict=True)
    return Proved(
        certificate, {"alpha": "1/8", "least": "1", "tau": "9"}, ["alpha * least / tau <= alpha", "tau >= least"]
    )


@evidence("l2bm.ours.greatest", form="printed", strength="symbolic")
def the_greatest_sojourn_time_keeps_every_weight_at_least_alpha() -> Outcome:
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


@evidence("l2bm.ours.own-sojourn", form="printed", strength="symbolic")
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
def the_total_weight_has_its_minimum_at_the_geometric_balance() -> Outcome:
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
    """Each queue of a priority adds alpha_p gamma / n_p <= alpha_p / n_p, n_p of them at most alpha_p."""
    gamma, rest = sympy.symbols("gamma rest", positive=True)  # 1 = gamma + rest
    nonnegative((alpha / n - alpha * gamma / n).subs(gamma, 1 / (1 + rest)))
    identity(n * (alpha / n), alpha, "n_p queues")
    W = sympy.Symbol("W", positive=True)
    nonnegative(B / (1 + W) - B / (1 + W + rest))  # W + rest is the sum of the alphas
    weights = threshold_family.abm_weights(["1/2", 1], [0, 0, 1], [1, 1, "1/2"])
    check(sum(weights) == 1, "the worked instance")
    return Proved("sum w <= sum alpha_p", {"a": "1/2", "b": "1", "W": "1"}, ["W <= a + b"])


@evidence("l2bm.ours.offsets", form="printed", strength="symbolic")
def steady_state_with_offsets() -> Outcome:
    """Solve F = B - W F - b for F."""
    b, total, F = sympy.symbols("b W F", positive=True)
    check(sympy.solve(sympy.Eq(F, B - total * F - b), F) == [(B - b) / (total + 1)], "F")
    identity(B - (B - b) / (1 + total), (total * B + b) / (1 + total), "the occupancy")
    return Proved("F = (B - b) / (1 + W)", {"B": "8", "b": "2", "W": "2", "F": "2"}, ["F == B - W*F - b"])


@evidence("l2bm.ours.square-root", form="printed", strength="symbolic")
def the_queues_are_as_the_roots_of_their_drain_rates() -> Outcome:
    """Q^2 = 2 mu alpha F sum tau gives Q = kappa m with mu = m^2; inserted, w = alpha m sum 1/m."""
    Q, m, F, total, kappa, inverse = sympy.symbols("Q m F total kappa inverse", positive=True)
    fixed = sympy.solve(sympy.Eq(Q, alpha * total / (Q / (2 * m**2)) * F), Q)
    check(len(fixed) == 1, f"{len(fixed)} positive solutions")
    identity(fixed[0] / m, sympy.sqrt(2 * alpha * total * F), "Q / m is the same for all")
    sojourn = (kappa * m) / (2 * m**2)  # of each queue; their sum is kappa inverse / 2, inverse = sum 1/m
    identity(alpha * (kappa * inverse / 2) / sojourn, alpha * m * inverse, "the weight")
    identity((alpha * m * inverse * F).subs(F, kappa / (alpha * inverse)), kappa * m, "on its threshold")
    state = l2bm.self_consistent(22, [2, 1], 1)
    check([str(t) for t in state.thresholds] == ["12", "6"], "the worked instance")
    values = {"B": "22", "q": "12", "p": "6", "F": "4", "s": "3/2", "t": "3"}
    return Proved(
        "w = alpha m sum 1/m", values, ["s == q / (2*4)", "t == p / (2*1)", "q == (s + t)/s * F", "p == (s + t)/t * F"]
    )
