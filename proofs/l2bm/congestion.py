"""What the text says about the congestion factor: proportionality, growth in alpha, bursts, fairness."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy

from dtmodel.ledger import Agrees, Conflict, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.theory import l2bm, threshold_family

from .common import identity, nonnegative

B, F, S, H, alpha, tau, x, y, n, d = sympy.symbols("B F S H alpha tau x y n d", positive=True)

ALPHAS = {"l2bm.sec2a.alpha-default": "1/16", "l2bm.sec3c.alpha-usual": "1/8", "l2bm.sec4.alpha-default": "1/2"}
"""The values that the text calls usual or default, by claim."""


@evidence("l2bm.sec3c.inverse", form="printed", strength="exact")
def doubling_the_sojourn_time_does_not_halve_the_weight() -> Outcome:
    """Sojourn times (1, 1) against (2, 1): the weight goes from 2 alpha to 3/2 alpha."""
    check(l2bm.weights([1, 1], 1)[0] == 2 and l2bm.weights([2, 1], 1)[0] == Fraction(3, 2), "the worked instance")
    return Counterexample(
        Witness(
            "values",
            {"values": {"a": "1", "b": "1", "alpha": "1"}, "hypotheses": ["a > 0", "b > 0"],
             "statement": "alpha * (2*a + b) / (2*a) == alpha * (a + b) / a / 2"},
            says="two queues; the sojourn time of the first doubles",
        )
    )  # fmt: skip


@evidence("l2bm.sec3c.inverse", form="assumed", strength="symbolic")
def at_one_instant_weight_times_sojourn_time_is_the_same_for_all() -> Outcome:
    """w_i tau_i = alpha C for every queue; with C fixed, w(2 tau) = w(tau) / 2."""
    C = sympy.Symbol("C", positive=True)
    identity(alpha * C / tau * tau, alpha * C, "the product")
    identity(alpha * C / (2 * tau), alpha * C / tau / 2, "halving")
    return Proved("w_i tau_i = alpha C", {"a": "1", "b": "3", "C": "4"}, ["C / a * a == C / b * b"])


@evidence("l2bm.sec3c.faster-larger", "l2bm.sec3d.no-burst.rdma", form="printed", strength="symbolic")
def the_faster_of_two_queues_has_the_larger_threshold() -> Outcome:
    """tau_j = tau + d: the difference of the thresholds has no negative coefficient."""
    C = sympy.Symbol("C", positive=True)
    certificate = nonnegative(alpha * C / tau * F - alpha * C / (tau + d) * F, strict=True)
    return Proved(certificate, {"a": "1", "b": "9", "C": "10"}, ["C / a > C / b"])


@evidence("l2bm.sec3c.custom", form="printed", strength="exact")
def five_normalisations_give_five_different_divisions() -> Outcome:
    """Compute the steady states for sojourn times (1, 2, 9) under every normalisation of the theory module."""
    states = {how: l2bm.sojourn_steady_state(1, [1, 2, 9], "1/8", how).occupancy for how in l2bm.NORMALISATIONS}
    check(len(set(states.values())) == len(states), f"two coincide: {states}")
    return Agrees(len(states), "the choices of C named in dtmodel.theory.l2bm")


@evidence("l2bm.sec3c.upper-limit", form="printed", strength="kernel")
def a_threshold_above_the_buffer() -> Outcome:
    """Sojourn times (1, 99), alpha = 1/8, buffer 4, empty: the faster queue may hold 50."""
    check(l2bm.thresholds(4, 0, [1, 99], "1/8")[0] == 50, "the worked instance")
    values = {"alpha": "1/8", "B": "4", "a": "1", "b": "99"}
    return Counterexample(
        Witness(
            "values",
            {
                "values": values,
                "hypotheses": ["min(a, b, B) > 0", "alpha == 1/8"],
                "statement": "alpha * (a + b) / a * B <= B",
            },
        )
    )


def _alphas(claim: str, other: str) -> Outcome:
    check(ALPHAS[claim] != ALPHAS[other], "the values agree")
    return Conflict(
        other, "two different values are called the usual one", {claim: ALPHAS[claim], other: ALPHAS[other]}
    )


@evidence("l2bm.sec3c.alpha-usual", form="printed", strength="exact")
def one_eighth_is_not_one_sixteenth() -> Outcome:
    """Compare the values called usual and default."""
    return _alphas("l2bm.sec3c.alpha-usual", "l2bm.sec2a.alpha-default")


@evidence("l2bm.sec2a.alpha-default", form="printed", strength="exact")
def one_sixteenth_is_not_one_eighth() -> Outcome:
    """Compare the values called default and usual."""
    return _alphas("l2bm.sec2a.alpha-default", "l2bm.sec3c.alpha-usual")


@evidence("l2bm.sec4.alpha-default", form="printed", strength="exact")
def one_half_is_not_one_sixteenth() -> Outcome:
    """Compare the two values called default."""
    return _alphas("l2bm.sec4.alpha-default", "l2bm.sec2a.alpha-default")


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


@evidence("l2bm.sec3d.no-burst", form="printed", strength="exact")
def a_slower_queue_above_dts_threshold() -> Outcome:
    """Sojourn times (3, 3, 3, 4), alpha = 1/8: the slowest queue still gets more than under DT."""
    compared = l2bm.compare_with_dt(1, [3, 3, 3, 4], "1/8")
    check(not compared.below, f"below: {compared.below}")
    statement = "alpha*C/tau / (1 + alpha*C*H) < alpha / (1 + alpha*n)"
    values = {"alpha": "1/8", "n": "2", "tau": "4", "C": "7", "H": "7/12"}
    hypotheses = ["C == 3 + tau", "H == 1/3 + 1/tau", "tau > 3"]
    return Counterexample(Witness("values", {"values": values, "hypotheses": hypotheses, "statement": statement}))


@evidence("l2bm.sec3d.no-burst", form="assumed", strength="symbolic")
def the_condition_puts_it_below() -> Outcome:
    """With C (1 + alpha n) + d = tau (1 + alpha C H), d > 0, the difference to DT is a positive multiple of d."""
    C = sympy.Symbol("C", positive=True)
    difference = alpha / (1 + alpha * n) - (alpha * C / tau) / (1 + alpha * C * H)
    slack = tau * (1 + alpha * C * H) - C * (1 + alpha * n)
    factor = alpha / (tau * (1 + alpha * n) * (1 + alpha * C * H))
    identity(difference, factor * slack, "the difference")
    nonnegative(factor, strict=True)
    example = {"alpha": "1/8", "C": "12", "H": "28/9", "n": "4", "tau": "9"}
    return Proved("the assumption is the exact condition", example, ["C*(1 + alpha*n) < tau*(1 + alpha*C*H)"])


@evidence("l2bm.sec3d.burst", form="printed", strength="exact")
def a_burst_that_slows_everybody_changes_no_weight() -> Outcome:
    """Sojourn times (1, 2) against (5, 10): the weights are the same."""
    check(l2bm.weights([1, 2], "1/8") == l2bm.weights([5, 10], "1/8"), "the weights differ")
    return Counterexample(
        Witness("values", {"values": {"a": "1", "b": "2", "c": "5"}, "hypotheses": ["c > 1"],
                           "statement": "(c*a + c*b)/(c*a) < (a + b)/a"}, says="both queues slow down fivefold")
    )  # fmt: skip


@evidence("l2bm.sec3d.burst", form="assumed", strength="symbolic")
def a_burst_that_spares_another_queue_lowers_the_weight() -> Outcome:
    """Tau and the others that are filled, y, by c + e, the rest, x, by c with e > 0: the weight falls.

    One factor is needed: of queues that are slowed by 2 and by 10 the first gains.
    """
    c, e = sympy.symbols("c e", positive=True)
    for filled in (sympy.Integer(0), y):
        before = alpha * (tau + filled + x) / tau
        after = alpha * ((c + e) * (tau + filled) + c * x) / ((c + e) * tau)
        certificate = nonnegative(before - after, strict=True)
    check(l2bm.weights([2, 10], 1)[0] > l2bm.weights([1, 1], 1)[0], "the queue that is slowed less gains nothing")
    return Proved(certificate, {"a": "1", "b": "1", "c": "5"}, ["(c*a + b)/(c*a) < (a + b)/a"])


@evidence("l2bm.sec3d.burst.overflow", form="printed", strength="exact")
def more_congestion_can_mean_more_occupancy() -> Outcome:
    """Sojourn times (1, 1, 1, 1) against (1, 1, 1, 9): the total weight rises from 16 alpha to 37 1/3 alpha."""
    calm, congested = (l2bm.sojourn_steady_state(1, [1, 1, 1, last], "1/8").occupancy for last in (1, 9))
    check(calm < congested, "the occupancy falls")
    values = {"S": "1", "H": "1", "tau": "1", "more": "2"}
    statement = "(S + more) * (H + 1/more) < (S + tau) * (H + 1/tau)"
    return Counterexample(
        Witness(
            "values",
            {"values": values, "hypotheses": ["more > tau"], "statement": statement},
            says="one of two queues doubles",
        )
    )


@evidence("l2bm.sec3d.burst.overflow", form="assumed", strength="symbolic")
def below_the_geometric_balance_the_total_falls() -> Outcome:
    """dW/dtau = alpha (H tau^2 - S) / tau^2; with S = H tau^2 + d it is -alpha d / tau^2 < 0."""
    slope = sympy.diff(alpha * (S + tau) * (H + 1 / tau), tau)
    certificate = nonnegative((-slope).subs(S, H * tau**2 + d), strict=True)
    return Proved(certificate, {"S": "3", "H": "3", "tau": "1/2"}, ["tau**2 < S / H"])


@evidence("l2bm.sec1.unused-free", form="printed", strength="symbolic")
def one_queue_leaves_most_of_the_buffer_free() -> Outcome:
    """The steady state of one queue with weight alpha leaves B / (1 + alpha) > 0."""
    free = threshold_family.steady_state_formulas()["free"].subs(sympy.Symbol("W", positive=True), alpha)
    identity(free, B / (1 + alpha), "the free buffer")
    check(threshold_family.steady_state(9, ["1/8"]).occupancy == 1, "a ninth")
    return Proved(nonnegative(free, strict=True), {"alpha": "1/8", "B": "9"}, ["B / (1 + alpha) == 8"])


@evidence("l2bm.sec4a.equitable", form="printed", strength="kernel")
def unequal_sojourn_times_give_a_lower_jain_index() -> Outcome:
    """Sojourn times (1, 3): Jain's index of the thresholds is 4/5, of DT's 1."""
    index = threshold_family.fairness(l2bm.sojourn_steady_state(1, [1, 3], "1/8").thresholds)
    check(index == Fraction(4, 5), f"index {index}")
    values = {"a": "3", "b": "1"}
    statement = "(a + b)**2 / (2 * (a**2 + b**2)) >= 1"
    return Counterexample(
        Witness("values", {"values": values, "hypotheses": ["a > 0", "b > 0"], "statement": statement})
    )


@evidence("l2bm.sec1.proportional", form="printed", strength="symbolic")
def dts_threshold_is_proportional_to_the_free_buffer() -> Outcome:
    """Alpha (c F) = c (alpha F)."""
    c = sympy.Symbol("c", positive=True)
    identity(alpha * (c * F), c * (alpha * F), "proportionality")
    return Proved("T = alpha F", {"alpha": "1/8", "F": "8", "T": "1"}, ["T == alpha * F"])


@evidence("l2bm.sec3d.steady", form="assumed", strength="symbolic")
def the_free_buffer_rests_where_every_queue_is_on_its_threshold() -> Outcome:
    """Each clip(w_i F', -C_i, R_i - C_i) has the sign of F', as R_i >= C_i: F' = 0 is the only root."""
    slope, drain, surplus = sympy.symbols("slope C r", positive=True)
    # For F' = slope > 0 every clip is min(w F', r) >= 0; for F' = -slope it is -min(w slope, C) <= 0.
    w = sympy.Symbol("w", positive=True)
    for clipped in (w * slope, drain, surplus):
        nonnegative(slope + clipped, strict=True)
    return Proved("the left side is >= F' for F' > 0 and <= F' for F' < 0", {"C": "1", "R": "3"}, ["R >= C"])


@evidence("l2bm.ours.first-drop", form="printed", strength="symbolic")
def the_stated_trajectories_obey_the_fluid_law_until_the_first_drop() -> Outcome:
    """Insert F = F0 - phi t, Q = w F for followers, Q = w F0 - C t for the others, Q = r t for bursts: bytes add up."""
    F0, phi, t, w_on, w_off, drain, r = sympy.symbols("F0 phi t w_on w_off D r", positive=True)
    free = F0 - phi * t
    held = w_on * free + (w_off * F0 - drain * t) + r * t
    law = {r: phi + w_on * phi + drain}  # the equation that defines phi
    identity((held + free).subs(law), F0 * (1 + w_on + w_off), "conservation: B = F + sum Q")
    # A queue of weight w that cannot follow (w phi = C + d) lies above its threshold from time 0 on, by d t.
    w, C = sympy.symbols("w C", positive=True)
    identity((w * F0 - C * t - w * free).subs(w, (C + d) / phi), d * t, "above its threshold")
    identity(sympy.solve(sympy.Eq(y * t, w * free), t)[0], w * F0 / (y + w * phi), "the drop time")
    return Proved(
        "the only solution of the fluid law, since its equation for F' has one root",
        {"w": "1", "F0": "3", "R": "3", "C": "1", "phi": "1", "t": "1"},
        ["phi + min(w*phi, C) == R - C", "t == w*F0 / (R - C + w*phi)"],
    )


@evidence("l2bm.ours.single-egress", form="printed", strength="symbolic")
def a_common_first_in_first_out_queue_makes_the_averages_equal() -> Outcome:
    """In a common queue of Q bytes drained at mu, what is left is uniform on (0, Q / mu) for each equal share of it."""
    Q, mu, z = sympy.symbols("Q mu z", positive=True)
    average = sympy.integrate(z / mu, (z, 0, Q)) / Q
    identity(average, Q / (2 * mu), "the average, whichever port the bytes came from")
    identity(alpha * n * average / average, alpha * n, "the weight")
    return Proved("tau = Q / (2 mu) for all", {"Q": "8", "mu": "2", "tau": "2"}, ["tau == Q / (2*mu)"])


@evidence("l2bm.sec3d.burst.longer", form="printed", strength="symbolic")
def more_bytes_ahead_mean_a_longer_average() -> Outcome:
    """In one queue of Q bytes the average is Q / (2 mu); with d more it is larger by d / (2 mu)."""
    Q, mu = sympy.symbols("Q mu", positive=True)
    certificate = nonnegative((Q + d) / (2 * mu) - Q / (2 * mu), strict=True)
    return Proved(certificate, {"Q": "4", "more": "6", "mu": "1"}, ["more / (2*mu) > Q / (2*mu)"])


@evidence("l2bm.sec3c.alpha-unfair", form="printed", strength="kernel")
def dt_is_equally_fair_for_every_alpha() -> Outcome:
    """Two overloaded queues at alpha 1/8 and at 8: both times equal thresholds."""
    for each in ("1/8", 8):
        state = threshold_family.steady_state(1, threshold_family.dt_weights(each, 2))
        check(threshold_family.fairness(state.thresholds) == 1, "unequal thresholds")
    values = {"small": "1/8", "large": "8", "n": "2"}
    index = "(n * {0}/(1 + {0}*n))**2 / (n * n * ({0}/(1 + {0}*n))**2)"
    statement = f"{index.format('large')} < {index.format('small')}"
    return Counterexample(
        Witness("values", {"values": values, "hypotheses": ["large > small > 0", "n >= 2"], "statement": statement})
    )


@evidence("l2bm.sec4b.fewer-pauses", form="printed", strength="symbolic")
def higher_thresholds_hold_more() -> Outcome:
    """Any weight raised raises W, and B W / (1 + W) grows with W."""
    W = sympy.Symbol("W", positive=True)
    certificate = nonnegative(B * (W + d) / (1 + W + d) - B * W / (1 + W), strict=True)
    return Proved(certificate, {"B": "6", "W": "1", "more": "2"}, ["B*more/(1 + more) > B*W/(1 + W)"])


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
