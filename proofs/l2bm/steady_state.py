"""Section III-D: equations (4) to (9), the steady state and bursts; proofs."""

from fractions import Fraction

import sympy

from dtmodel.base.units import plain
from dtmodel.fluid import answer
from dtmodel.ledger import Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.ledger.provers import smt
from dtmodel.theory import threshold_family
from dtmodel.theory.l2bm import formulas as l2bm

from .derivation import POSITIVE, identity, nonnegative, small_switch

S, H, x, y, alpha, tau, n, d, B, W, w, h, k = sympy.symbols("S H x y alpha tau n d B W w h k", positive=True)
Q = sympy.Symbol("Q", real=True)
C_real, alpha_real, H_real, tau_real, n_real, S_real = sympy.symbols("C alpha H tau n S", real=True)


@evidence("l2bm.abstract.absorb", form="printed", strength="symbolic")
def a_larger_weight_delays_the_drop() -> Outcome:
    """T = w F0 / (r + w phi): its derivatives by w and by F0 have no negative coefficient."""
    w, F0, r, phi = sympy.symbols("w F0 r phi", positive=True)
    time = w * F0 / (r + w * phi)
    for symbol in (w, F0):
        slope = sympy.fraction(sympy.factor(sympy.diff(time, symbol)))
        check(all(c > 0 for part in slope for c in sympy.Poly(sympy.expand(part), w, F0, r, phi).coeffs()), f"{symbol}")
    return Proved(
        "dt/dw > 0, dt/dF0 > 0", {"w": "1", "F0": "3", "r": "2", "phi": "1", "t": "1"}, ["t == w*F0 / (r + w*phi)"]
    )


@evidence("l2bm.eq4", form="printed", strength="symbolic")
def the_weight_times_the_free_buffer_is_the_threshold() -> Outcome:
    """Compare w (B - Q) with equation (3) as SymPy expressions of the theory module."""
    equations = {name: l2bm.equations()[name].rhs for name in ("eq3", "eq4")}
    of_any_sign = {symbol: sympy.Symbol(symbol.name, real=True) for symbol in equations["eq3"].free_symbols}
    threshold, weight = (equations[name].xreplace(of_any_sign) for name in ("eq3", "eq4"))
    identity(threshold, weight * (sympy.Symbol("B", real=True) - Q), "equation (4)")
    return Proved(
        "w (B - Q) is equation (3)", {"C": "2", "tau": "1", "alpha": "1/8", "w": "1/4"}, ["w == C / tau * alpha"]
    )


@evidence("l2bm.eq4.normalised", form="printed", strength="symbolic")
def a_factor_on_all_sojourn_times_changes_no_weight() -> Outcome:
    """Scale tau and the sum of the others by c: alpha (tau + others)/tau stays."""
    tau, others, c = sympy.symbols("tau others c", positive=True)
    identity(alpha * (c * tau + c * others) / (c * tau), alpha * (tau + others) / tau, "the weight")
    check(l2bm.weights([2, 6, 10], 1) == l2bm.weights([1, 3, 5], 1), "the package's weights")
    return Proved("w = alpha (1 + others/tau)", {"a": "1", "b": "3", "c": "7"}, ["(a + b)/a == (c*a + c*b)/(c*a)"])


@evidence("l2bm.eq4.normalised@total", form="printed", strength="kernel")
def the_total_weight_depends_on_the_sojourn_times() -> Outcome:
    """Compare sojourn times (1, 1) and (1, 3): the totals are 4 alpha and 16/3 alpha."""
    check(sum(l2bm.weights([1, 3], 1)) != sum(l2bm.weights([1, 1], 1)), "the totals agree")
    statement = "(a + b) * (1/a + 1/b) == (c + d) * (1/c + 1/d)"
    return refuted_by_values({"a": "1", "b": "1", "c": "1", "d": "3"}, statement, "", [f"{x} > 0" for x in "abcd"])


@evidence("l2bm.eq6", form="assumed", strength="symbolic")
def on_their_thresholds_the_sums_are_the_same() -> Outcome:
    """Q_i = T_i for each active queue adds up by induction; then the fluid engine for five sets of weights."""
    Q, T, q = sympy.symbols("Q T q", positive=True)
    check(sympy.expand((Q + q) - (T + q).subs(T, Q)) == 0, "one more queue")
    for sojourns in ([1, 1], [1, 3], [3, 3, 3, 3], [1, 1, 1, 9], [1, 2, 3, 4, 5]):
        state = l2bm.sojourn_steady_state(60, sojourns, "1/8")
        run = small_switch([plain(weight) for weight in l2bm.weights(sojourns, "1/8")], "4", "1", ["1"])
        for queue in run["queues"]:
            queue["initial"] = "steady"
        check(sum(map(Fraction, answer(run, 1)["queues"][0])) == sum(state.thresholds), f"{sojourns}")
    return Proved("sum Q = sum T", {"a": "2", "b": "2", "F": "2"}, ["a == F", "b == F", "a + b == 2 * F"])


@evidence("l2bm.eq7", form="printed", strength="symbolic")
def the_thresholds_sum_to_total_weight_times_free() -> Outcome:
    """Add one queue to a sum that has the form W (B - Q): the form stays (induction over the queues)."""
    identity(W * (B - Q) + w * (B - Q), (W + w) * (B - Q), "one more queue")
    return Proved(
        "sum T = (sum w)(B - Q) by induction", {"W": "1", "w": "2", "B": "4", "Q": "3"}, ["W > 0", "Q == 3 * (B - Q)"]
    )


@evidence("l2bm.eq8", "l2bm.ours.steady-state", form="printed", strength="symbolic")
def equation_8_is_the_only_solution_of_equation_7() -> Outcome:
    """Equation (7) is linear in Q with slope 1 + W > 0: solve it, and place the solution between 0 and B."""
    solutions = sympy.solve(sympy.Eq(Q, W * (B - Q)), Q)
    check(len(solutions) == 1, f"{len(solutions)} solutions")
    identity(solutions[0], B * W / (1 + W), "equation (8)")
    formulas = threshold_family.steady_state_formulas()
    b, total = sympy.symbols("B W", positive=True)
    identity(formulas["occupancy"], b * total / (1 + total), "the theory module")
    nonnegative(solutions[0], strict=True)
    nonnegative(B - solutions[0], strict=True)
    return Proved("unique, and strictly between 0 and B", {"B": "6", "W": "2", "Q": "4"}, ["Q == W * (B - Q)", "Q < B"])


@evidence("l2bm.eq9", "l2bm.ours.steady-state", form="printed", strength="symbolic")
def equation_9_follows_from_equations_8_and_4() -> Outcome:
    """Insert (8) into w (B - Q)."""
    identity(w * (B - B * W / (1 + W)), B * w / (1 + W), "equation (9)")
    return Proved("T = B w / (1 + W)", {"B": "6", "W": "2", "w": "1", "T": "2"}, ["T == B * w / (1 + W)"])


@evidence("l2bm.sec3d.steady", form="assumed", strength="symbolic")
def with_all_on_their_thresholds_the_free_buffer_rests() -> Outcome:
    """Each clip(w_i F', -C_i, R_i - C_i) has the sign of F', as R_i >= C_i: F' = 0 is the only root."""
    slope, drain, surplus = sympy.symbols("slope C r", positive=True)
    # For F' = slope > 0 every clip is min(w F', r) >= 0; for F' = -slope it is -min(w slope, C) <= 0.
    w = sympy.Symbol("w", positive=True)
    for clipped in (w * slope, drain, surplus):
        nonnegative(slope + clipped, strict=True)
    return Proved("the left side is >= F' for F' > 0 and <= F' for F' < 0", {"C": "1", "R": "3"}, ["R >= C"])


@evidence("l2bm.sec3d.no-burst@below-dt", form="assumed", strength="symbolic")
def with_dts_total_the_slowest_weight_is_below_alpha() -> Outcome:
    """C = n/H; the others' 1/tau_j add up to (n - 1)/tau + e, e > 0: w is below alpha, and the free buffer DT's."""
    e = sympy.Symbol("e", positive=True)
    H = 1 / tau + (n - 1) / tau + e
    C = n / H
    identity(alpha - alpha * C / tau, alpha * e * tau / (n + e * tau), "how far it is below, at any occupancy")
    nonnegative(alpha * e * tau / (n + e * tau), strict=True)
    identity(1 / (1 + alpha * C * H), 1 / (1 + alpha * n), "what is free in steady state")
    check(l2bm.compare_with_dt(1, [1, 1, 1, 9], "1/8", "harmonic").below == (3,), "the slowest of four")
    example = {"alpha": "1/8", "C": "9/7", "H": "28/9", "n": "4", "tau": "9"}
    return Proved("w < alpha, and DT's free buffer", example, ["C == n / H", "C < tau"])


@evidence("l2bm.sec3d.burst", form="assumed", strength="symbolic")
def a_burst_that_spares_another_queue_lowers_the_weight() -> Outcome:
    """Tau and the others that are filled, y, by c, the rest from x to c x - e with e > 0: the weight falls.

    So e is what the rest falls short of c; it is positive if no queue exceeds c and one stays below. One factor is
    needed: of queues that are slowed by 2 and by 10 the first gains.
    """
    c, e = sympy.symbols("c e", positive=True)
    for filled in (sympy.Integer(0), y):
        before = alpha * (tau + filled + x) / tau
        after = alpha * (c * (tau + filled) + c * x - e) / (c * tau)
        certificate = nonnegative(before - after, strict=True)
    check(l2bm.weights([2, 10], 1)[0] > l2bm.weights([1, 1], 1)[0], "the queue that is slowed less gains nothing")
    return Proved(certificate, {"a": "1", "b": "1", "c": "5"}, ["(c*a + b)/(c*a) < (a + b)/a"])


@evidence("l2bm.sec3d.burst.overflow", form="assumed", strength="symbolic")
def a_burst_that_spares_another_queue_lowers_its_share() -> Outcome:
    """B / T_i = 1 / w_i + the sum of w_j / w_i, w_j / w_i = tau_i / tau_j: tau_i grows by c, every tau_j by c at most.

    So the sum grows by some r >= 0. The sum of all times grows to c S less e > 0, as one of them grows by less.
    """
    ratios, S_burst, e = sympy.symbols("ratios S_burst e", positive=True)
    r = sympy.Symbol("r", nonnegative=True)
    identity(B * w / (1 + W), B / (1 / w + W / w), "the share")
    c = (S_burst + e) / S
    before, after = tau / (alpha * S) + ratios, c * tau / (alpha * S_burst) + ratios + r
    certificate = nonnegative(after - before, strict=True)
    nonnegative(B - B * W / (1 + W), strict=True)
    calm, hit = (l2bm.sojourn_steady_state(1, times, 1).thresholds[0] for times in ([1, 1, 1], [3, 3, 1]))
    check(hit < calm, f"{calm}, {hit}")
    return Proved(
        certificate, {"B": "1", "w": "2", "W": "4", "T": "2/5"}, ["T == B * w / (1 + W)", "B * W / (1 + W) < B"]
    )


@evidence("l2bm.sec3d.burst.overflow@total", form="assumed", strength="symbolic")
def below_the_geometric_balance_the_total_falls() -> Outcome:
    """From tau to tau + d the total weight falls by alpha d (S / (tau (tau + d)) - H) > 0 if H (tau + d)^2 <= S."""
    spare = sympy.Symbol("spare", nonnegative=True)
    before, after = ((S + time) * (H + 1 / time) for time in (tau, tau + d))
    certificate = nonnegative((alpha * (before - after)).subs(S, H * (tau + d) ** 2 + spare), strict=True)
    example = {"S": "3", "H": "3", "tau": "1/2", "more": "1"}
    return Proved(certificate, example, ["more**2 <= S / H", "(S + more)*(H + 1/more) < (S + tau)*(H + 1/tau)"])


@evidence("l2bm.sec3d.no-burst.rdma@accordingly", form="printed", strength="symbolic")
def a_longer_stay_elsewhere_raises_the_threshold() -> Outcome:
    """Another queue's threshold is alpha S F / tau_j, and in steady state alpha B / (tau_j (1/S + alpha H)).

    S grows by d and H falls by d / (tau (tau + d)): one numerator grows, one denominator falls.
    """
    own, others = sympy.symbols("tau_j H_others", positive=True)
    before, after = ((S + time, 1 / time + others) for time in (tau, tau + d))  # sums with tau, then with tau + d
    nonnegative((after[0] - before[0]) * alpha / own, strict=True)
    steady = [alpha * total / own * B / (1 + alpha * total * inverses) for total, inverses in (before, after)]
    certificate = nonnegative(sympy.together(steady[1] - steady[0]), strict=True)
    example = {"B": "5", "before": "2", "after": "60/19"}
    said = ["before == (1 + 1)*B / (1 + (1 + 1)*(1 + 1))", "after == (1 + 3)*B / (1 + (1 + 3)*(1 + 1/3))"]
    return Proved(certificate, example, [*said, "after > before"])


@evidence("l2bm.sec1.occupancy@same-alpha", form="printed", strength="kernel")
def four_equally_fast_queues_hold_twice_what_dt_holds() -> Outcome:
    """Compare the steady occupancies at alpha = 1/8 for sojourn times (3, 3, 3, 3): 2/3 B against 1/3 B."""
    compared = l2bm.compare_with_dt(1, [3, 3, 3, 3], "1/8")
    check(compared.reduction == -1, f"reduction {compared.reduction}")
    values = {"alpha": "1/8", "n": "2", "W": "1/2"}
    given = ["alpha > 0", "n == 2", "W == alpha * (1 + 1) * (1/1 + 1/1)"]
    return refuted_by_values(
        values, "W / (1 + W) < alpha*n / (1 + alpha*n)", "two queues with equal sojourn times", given
    )


@evidence("l2bm.sec1.unused-free", form="printed", strength="symbolic")
def one_queue_leaves_most_of_the_buffer_free() -> Outcome:
    """The steady state of one queue with weight alpha leaves B / (1 + alpha) > 0."""
    free = threshold_family.steady_state_formulas()["free"].subs(sympy.Symbol("W", positive=True), alpha)
    identity(free, B / (1 + alpha), "the free buffer")
    check(threshold_family.steady_state(9, ["1/8"]).occupancy == 1, "a ninth")
    return Proved(nonnegative(free, strict=True), {"alpha": "1/8", "B": "9"}, ["B / (1 + alpha) == 8"])


@evidence("l2bm.sec4a.equitable@jain", form="printed", strength="kernel")
def unequal_sojourn_times_give_a_lower_jain_index() -> Outcome:
    """Sojourn times (1, 3): Jain's index of the thresholds is 4/5, of DT's 1."""
    index = threshold_family.fairness(l2bm.sojourn_steady_state(1, [1, 3], "1/8").thresholds)
    check(index == Fraction(4, 5), f"index {index}")
    statement = "(a + b)**2 / (2 * (a**2 + b**2)) >= 1"
    return refuted_by_values({"a": "3", "b": "1"}, statement, "", ["a > 0", "b > 0"])


@evidence("l2bm.sec3d.balance", form="assumed", strength="symbolic")
def a_queue_that_gains_reaches_its_threshold() -> Outcome:
    """At gain r > 0 a queue of weight w meets w (B - Q) at t = w B / (r (1 + w)); then two runs of the engine.

    Several that lie on their thresholds stay there in balance, r = 0: F' and every clip(w F', -C, 0) have one sign.
    """
    w, B, r, t = sympy.symbols("w B r t", positive=True)
    (meets,) = sympy.solve(sympy.Eq(r * t, w * (B - r * t)), t)
    check(sympy.simplify(meets - w * B / (r * (1 + w))) == 0, "the time")
    slope, drain = sympy.symbols("slope C", positive=True)
    for clipped in (w * slope, drain, sympy.Integer(0)):
        nonnegative(slope + clipped, strict=True)
    for rate, time in (("2", "30"), ("4", "10")):  # B = 60, weight 1, drained at 1
        final = answer(small_switch(["1"], rate, "40", [time, "40"]), 1)
        check(final["queues"] == [["30"], ["30"]] and final["first_drop"] == [time], f"{final}")
    return Proved("then it stays there", {"w": "1", "B": "60", "r": "1", "t": "30"}, ["r * t == w * (B - r * t)"])


@evidence("l2bm.sec3d.rest", form="assumed", strength="symbolic")
def with_weights_that_rest_the_occupancy_rests() -> Outcome:
    """F' + sum clip(w F', -C, R - C) = 0 with R >= C: its left side has the sign of F', mirrored for F' < 0."""
    slope, w, drain, surplus = sympy.symbols("slope w C r", positive=True)
    for clipped in (w * slope, drain, surplus):  # the three values that one |clip| can take; r = 0 leaves F' alone
        certificate = nonnegative(slope + clipped, strict=True)
    return Proved(certificate, {"w": "4", "B": "5", "Q": "4"}, ["Q == w * (B - Q)"])


@evidence("l2bm.sec4a.rigid@constant", form="printed", strength="kernel")
def dts_threshold_moves_with_the_occupancy() -> Outcome:
    """Equation (1) with alpha = 1/8 and B = 8: the threshold is 1 for an empty buffer and 1/2 for a half full one."""
    weight = threshold_family.dt_weights("1/8", 1)[0]
    check((weight * 8, weight * 4) == (Fraction(1), Fraction(1, 2)), "the worked instance")
    statement = "alpha * (B - before) == alpha * (B - after)"
    given = ["min(alpha, B) > 0", "0 <= before <= B", "0 <= after <= B"]
    return refuted_by_values({"alpha": "1/8", "B": "8", "before": "0", "after": "4"}, statement, "", given)


@evidence("l2bm.ours.first-drop", form="printed", strength="symbolic")
def stated_trajectories_obey_the_law_until_the_drop() -> Outcome:
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


@evidence("l2bm.ours.offsets", form="printed", strength="symbolic")
def steady_state_with_offsets() -> Outcome:
    """Solve F = B - W F - b for the free buffer F."""
    b, total = sympy.symbols("b W", nonnegative=True)
    F = sympy.Symbol("F", real=True)
    check(sympy.solve(sympy.Eq(F, B - total * F - b), F) == [(B - b) / (total + 1)], "F")
    identity(B - (B - b) / (1 + total), (total * B + b) / (1 + total), "the occupancy")
    return Proved("F = (B - b) / (1 + W)", {"B": "8", "b": "2", "W": "2", "F": "2"}, ["F == B - W*F - b"])


@evidence("l2bm.ours.below-dt-steady", form="printed", strength="smt")
def the_condition_is_exact_by_smt() -> Outcome:
    """Alpha C (1 + alpha n) < alpha tau (1 + alpha C H) iff C (1 + alpha n) < tau (1 + alpha C H), both directions."""
    lower = alpha_real * C_real * (1 + alpha_real * n_real) < alpha_real * tau_real * (
        1 + alpha_real * C_real * H_real
    )  # thresholds, denominators cleared
    condition = C_real * (1 + alpha_real * n_real) < tau_real * (1 + alpha_real * C_real * H_real)
    hypotheses = [*POSITIVE[1:], C_real > 0]
    smt.prove([*hypotheses, lower], condition)
    proof = smt.prove([*hypotheses, condition], lower)
    return Proved("z3 and cvc5", proof.example)


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


@evidence("l2bm.ours.not-all-below", form="printed", strength="smt")
def the_fastest_queue_by_smt() -> Outcome:
    """From H <= n / tau, S > tau follows S (1 + alpha n) > tau (1 + alpha S H)."""
    goal = S_real * (1 + alpha_real * n_real) > tau_real * (1 + alpha_real * S_real * H_real)
    proof = smt.prove(
        [tau_real < S_real, H_real > 0, tau_real > 0, alpha_real > 0, n_real >= 2, H_real * tau_real <= n_real], goal
    )
    return Proved("z3 and cvc5", proof.example)


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


@evidence("l2bm.ours.single-egress", form="printed", strength="symbolic")
def a_common_fifo_queue_makes_the_averages_equal() -> Outcome:
    """In a common queue of Q bytes drained at mu, what is left is uniform on (0, Q / mu) for each equal share of it."""
    Q, mu, z = sympy.symbols("Q mu z", positive=True)
    average = sympy.integrate(z / mu, (z, 0, Q)) / Q
    identity(average, Q / (2 * mu), "the average, whichever port the bytes came from")
    identity(alpha * n * average / average, alpha * n, "the weight")
    return Proved("tau = Q / (2 mu) for all", {"Q": "8", "mu": "2", "tau": "2"}, ["tau == Q / (2*mu)"])


@evidence("l2bm.ours.single-egress.in-turn", form="printed", strength="symbolic")
def packets_in_turn_stay_a_packet_time_longer_each() -> Outcome:
    """The packet of queue i in round r leaves as the (n r + i)th, at (n r + i) s / mu; the mean over r."""
    r, rounds, i, size, mu = sympy.symbols("r m i s mu", positive=True)
    leaves = (n * r + i) * size / mu
    longer = sympy.summation(leaves - leaves.subs(i, 1), (r, 0, rounds - 1)) / rounds
    identity(longer, (i - 1) * size / mu, "how much longer queue i's packets stay")
    return Proved("(i - 1) s / mu", {"i": "3", "s": "2", "mu": "4", "d": "1"}, ["d == (i - 1) * s / mu"])


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
