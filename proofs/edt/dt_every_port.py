"""The drop time of every port in every mixture of regimes (edt.ours.theorem3), from the fluid equation.

Why the theorem is true. Let the bursts last, V = T + C t, and let x = T' where `on` queues sit on the threshold,
`above` queues are longer and G is the growth of the queues that have not met it. Until t_L the threshold outruns the
queues that have met it: V falls, each of them drains on its own line V_j - C t, and the lines lie in the order in which
they met it. After t_L always -C <= x, so V rises: the queues come back to the threshold in the opposite order, the
steady ones last, and stay on it, since x < R_k - C. So every queue that has met the threshold is max(T, V_j - C t),
every other one is (R_i - C) t, and the buffer being accounted for is one equation for T, which queue k meets at
T = (R_k - C) t.
"""

from __future__ import annotations

import sympy as sp

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.provers import smt
from dtmodel.theory import dt_formulas as formulas

from .dt_common import B, C, G, N, alpha, free_slope, n, nonnegative, positive, r_k, same, surplus, t

on, above, back = sp.symbols("on above back", nonnegative=True)
x = sp.Symbol("x", real=True)
EXAMPLE = {"alpha": "1", "B": "12", "C": "1", "N": "1", "R_1": "13", "R_2": "3", "R_3": "2"}
WITHIN = ("R_1 >= R_2", "R_2 >= R_3", "R_3 > C", "alpha * (R_1 + R_2 + R_3 - 3 * C) > (1 + alpha * N) * C")


@evidence("edt.ours.theorem3.slopes", form="printed", strength="symbolic")
def whether_a_stage_drains_does_not_depend_on_who_is_where() -> Outcome:
    """(1 + alpha on)(T' + C) = (1 + alpha n) C - alpha G for every split n = on + above."""
    slope = alpha * free_slope(G, above, on)
    same((slope + C) * (1 + alpha * on), (1 + alpha * (on + above)) * C - alpha * G, "T' + C for every split")
    nonnegative((slope + C).xreplace({C: (alpha * G + surplus) / (1 + alpha * n)}), {n: on + above})
    fast = {G: ((1 + alpha * n) * C + sp.Symbol("e", positive=True)) / alpha}
    positive((-C - slope).xreplace(fast), {n: on + above})
    return Proved("the sign of T' + C is that of (1 + alpha n) C - alpha G", EXAMPLE, WITHIN)


@evidence("edt.ours.theorem3.rise", form="printed", strength="symbolic")
def the_slope_stays_between_minus_C_and_the_last_growth() -> Outcome:
    """What a meeting and a return do to x = T': identities, and signs by slack."""
    start = alpha * free_slope(G, above, on)
    met = alpha * free_slope(G - r_k, above, on + 1)
    returned = alpha * free_slope(G, above - back, on + back)
    weight, more, all_back = 1 + alpha * on, 1 + alpha * (on + 1), 1 + alpha * (on + back)
    same(r_k - met, weight * (r_k - start) / more, "R_k - C - T' after port k met the threshold")
    same(met + C, (weight * (start + C) + alpha * (r_k + C)) / more, "T' + C after port k met the threshold")
    same(returned + C, weight * (start + C) / all_back, "T' + C after `back` queues came back")
    same(start - returned, alpha * back * (start + C) / all_back, "T' falls when queues come back")
    # Hence: x < r_k before a meeting (queue k comes up to T) gives x < r_k after it; -C <= x is kept by both; a return
    # lowers x. At t_L itself x < -C before, but stage L + 1 does not drain, so -C <= x after it (slopes, above).
    steady = alpha * free_slope(G, 0, on)  # the steady queues come back last: then none is above
    nonnegative(-steady)
    return Proved("meetings and returns keep -C <= T' < R_k - C", EXAMPLE, WITHIN)


@evidence("edt.ours.theorem3.lines", form="printed", strength="symbolic")
def a_queue_that_met_the_threshold_is_the_longer_of_it_and_its_line() -> Outcome:
    """Above T it drains at C on its line; T less the line moves at T' + C: down until t_L, up after it."""
    slope = alpha * free_slope(G, above, on)
    distance = slope - (-C)
    fast = {G: ((1 + alpha * n) * C + sp.Symbol("e", positive=True)) / alpha}
    positive(-distance.xreplace(fast), {n: on + above})  # until t_L the line stays above T: Q is the line
    nonnegative(
        distance.xreplace({C: (alpha * G + surplus) / (1 + alpha * n)}), {n: on + above}
    )  # then T comes up to it
    room = sp.Symbol("room", positive=True)
    lost_on = (C + r_k) - (C + (r_k - room))  # on T: offered R_j, admitted C + T', T' < R_k - C <= R_j - C
    positive(lost_on)
    positive(C + r_k)  # above T all that is offered is lost
    return Proved("Q_j = max(T, V_j - C t), with losses at every instant", EXAMPLE, WITHIN)


@evidence("edt.ours.theorem3.one-root", form="printed", strength="smt")
def the_equation_has_one_root_and_it_is_the_earliest_of_the_rising_lines() -> Outcome:
    """A maximum of lines, below B before, crosses B for good, and the first line to cross rises; z3 and cvc5."""
    a, b, p, q, begin, first, later = sp.symbols("a b p q t_0 t_1 t_2", real=True)

    def highest(time: sp.Expr) -> sp.Expr:
        return sp.Max(a + b * time, p + q * time)

    # Two lines; of more than two the maximum of all but one plays the first line's part, being convex like it.
    below = highest(begin) < B
    proof = smt.prove([below, begin < first, first < later, sp.Eq(highest(first), B)], highest(later) > B)
    smt.prove([a + b * begin < B, begin < first, a + b * first >= B], b > 0)
    smt.prove([p <= a, sp.Max(p - C * t, x) > x], a - C * t > x)  # the sets of lines above are nested by V_j
    slope = r_k / alpha + on * r_k + G - above * C
    same(slope, (1 + alpha * on) * (r_k - alpha * free_slope(G, above, on)) / alpha, "slope of the line that applies")
    # It is positive where T' < R_k - C, so with a tie (equality at t_{k-1}) the root is t_{k-1} itself, and alone.
    return Proved("the left side is convex: one root", {**proof.example})


@evidence("edt.ours.theorem3", form="printed", strength="symbolic")
def the_buffer_is_accounted_for_when_a_queue_meets_the_threshold() -> Outcome:
    """Put T = (R_k - C) t into F = B - sum Q; each mixture gives its line, the pure ones Theorems 2 and 3."""
    V, length = sp.Symbol("V", positive=True), r_k * t
    queues = on * length + (V - above * C * t) + G * t  # on the threshold, above it (V in sum), below it
    free = formulas.free_of_queues(B, queues)
    (time,) = sp.solve(sp.Eq(formulas.threshold(alpha, free), length), t)
    same(time, formulas.mixed_drop_time(alpha, B, C, r_k, G, on, (above, V)), "t_k for a mixture")
    same(time.subs({above: 0, V: 0, on: n}), formulas.follow_drop_time(alpha, B, n, r_k, G), "all follow")
    S = sp.Symbol("S", positive=True)  # B less the lines' sum: F_0 - sum of R_j t_j
    all_drain = time.subs({on: 0, above: n, V: B - S})
    same(all_drain, alpha * S / formulas.closing_rate(alpha, C, n, r_k, G), "all drain")
    same(B - N * alpha * formulas.initial_free(alpha, B, N), formulas.initial_free(alpha, B, N), "S = F_0 at k = 1")
    same(formulas.free_at_drop(alpha, r_k, t), length / alpha, "F = T / alpha")
    growth, start = sp.symbols("R_j t_j", positive=True)
    same((growth - C) * start - C * (t - start), growth * start - C * t, "the line of port j")
    return Proved(f"t_k = {time}", EXAMPLE, WITHIN)


@evidence("edt.ours.steady-rate", form="printed", strength="symbolic")
def the_rates_of_the_steady_ports_do_not_matter() -> Outcome:
    """On the threshold T' <= 0 <= R - C, so the upper clip never binds; above it nothing is admitted anyway."""
    spare = sp.Symbol("spare", nonnegative=True)  # R - C of a steady port
    slope = alpha * free_slope(G, 0, on)
    nonnegative(spare - slope)
    nonnegative(-alpha * free_slope(0, 0, on))  # when all have met the threshold
    return Proved("min(T', R - C) = T' for every R >= C", EXAMPLE, WITHIN)


@evidence("edt.ours.no-earlier-drop", form="printed", strength="symbolic")
def bursts_that_end_early_never_bring_the_first_drop_forward() -> Outcome:
    """Compare V = T + C t and X = (steady queue) + C t with what they are, V* and X*, if all bursts last.

    Before a drop the lasting bursts hold delta >= 0 bytes more than the others, and delta does not shrink (they grow at
    R_i - C, the fastest possible). Balances: (V - V*) / alpha + N (X - X*) = delta. X does not shrink, grows only while
    X <= V, and X* >= V*. Let s <= t be the last time with X <= V: there X = V, and X has not changed since.
    """
    delta_s, more, e, h, p, q = sp.symbols("delta_s more e h p q", nonnegative=True)
    # V_t - V*_t from the balance at t, for X_t <= X*_t: X*_t = X_t + q
    nonnegative(alpha * ((delta_s + more) + N * q))
    # and for X_t = X*_t + p: X*_t = X*_s + e, X*_s = V*_s + h, X_s = X_t = V_s
    V_star_s = sp.Symbol("V_s", real=True)
    X_star_s = V_star_s + h
    X_t = X_star_s + e + p
    balance_at_s = ((X_t - V_star_s) + alpha * N * (X_t - X_star_s)) / alpha
    difference = alpha * (balance_at_s + more) - alpha * N * p
    nonnegative(sp.expand(difference))
    # So T >= T* > (R_1 - C) t >= Q_i before t_1: no port can have met the threshold.
    gap = sp.Symbol("gap", nonnegative=True)  # R_1 - R_i
    nonnegative(sp.expand((r_k + gap) * t - r_k * t))
    return Proved(f"T - T* = {sp.expand(difference)} >= 0", {**EXAMPLE, "d_1": "1/13"}, WITHIN)
