"""The closed forms of the threshold family and of L2BM: laws that hold for every member."""

from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from dtmodel.fluid.switch import Switch
from dtmodel.theory import threshold_family as family
from dtmodel.theory.dt import statements as dt
from dtmodel.theory.l2bm import formulas as l2bm
from dtmodel.theory.threshold_family import Burst, Held, SteadyState

F = Fraction
ONE = F(1)
positive = st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=50)
several = st.lists(positive, min_size=1, max_size=6)


@given(several, positive)
def test_the_steady_state_solves_its_equations(weights: list[Fraction], buffer: Fraction) -> None:
    state = family.steady_state(buffer, weights)
    assert state.occupancy == sum(state.thresholds) == buffer - state.free
    assert list(state.thresholds) == [w * state.free for w in weights]
    assert state.occupancy == buffer * family.occupancy(sum(weights))


@given(several, positive, positive)
def test_lengths_scale_with_the_buffer(weights: list[Fraction], buffer: Fraction, scale: Fraction) -> None:
    small, large = family.steady_state(buffer, weights), family.steady_state(buffer * scale, weights)
    assert [t * scale for t in small.thresholds] == list(large.thresholds)


@given(several, positive)
def test_splitting_a_queue_into_two_of_half_its_weight_keeps_the_total(
    weights: list[Fraction], buffer: Fraction
) -> None:
    first, *rest = weights
    split = family.steady_state(buffer, [first / 2, first / 2, *rest])
    assert split.occupancy == family.steady_state(buffer, weights).occupancy


@given(several, positive, positive)
def test_the_fall_rate_is_the_root_of_its_equation(weights: list[Fraction], rate: Fraction, inflow: Fraction) -> None:
    held = [Held(w, rate * (i + 1)) for i, w in enumerate(weights)]
    phi = family.fall_rate(held, inflow)
    assert phi + sum(min(q.weight * phi, q.rate) for q in held) == inflow


@given(several, positive, positive)
def test_the_first_drop_scales_with_the_buffer_and_with_time(
    weights: list[Fraction], rate: Fraction, scale: Fraction
) -> None:
    held = [Held(w, ONE) for w in weights[1:]]
    plain = family.weighted_first_drop(60, held, [Burst(weights[0], ONE, 1 + rate)])
    large = family.weighted_first_drop(60 * scale, held, [Burst(weights[0], ONE, 1 + rate)])
    fast = family.weighted_first_drop(
        60, [Held(q.weight, scale) for q in held], [Burst(weights[0], scale, scale * (1 + rate))]
    )
    assert (large.time, large.free) == (scale * plain.time, scale * plain.free)
    assert (fast.time, fast.free) == (plain.time / scale, plain.free)


@given(several, positive, st.randoms(use_true_random=False))
def test_the_order_of_the_queues_does_not_matter(weights: list[Fraction], rate: Fraction, random: Any) -> None:
    held = [Held(w, ONE * (i + 1)) for i, w in enumerate(weights)]
    before = family.weighted_first_drop(60, held, [Burst(ONE, ONE, 1 + rate)])
    random.shuffle(held)
    assert family.weighted_first_drop(60, held, [Burst(ONE, ONE, 1 + rate)]) == before


def test_the_first_drop_of_dt_in_both_cases() -> None:
    follow = family.weighted_first_drop(60, [Held(ONE, ONE)], [Burst(ONE, ONE, Fraction(2))])
    drain = family.weighted_first_drop(60, [Held(ONE, ONE)], [Burst(ONE, ONE, Fraction(9))])
    assert (follow.time, follow.fall) == (20, ONE / 2)
    assert (drain.time, drain.fall) == (2, 7)


@given(
    st.lists(st.integers(2, 12), min_size=1, max_size=4), st.integers(0, 4), st.sampled_from(["1/8", "1/2", "1", "3"])
)
def test_with_equal_weights_the_first_drop_is_that_of_the_theorems_of_dt(
    rates: list[int], steady: int, alpha: str
) -> None:
    a = Fraction(alpha)
    drop = family.weighted_first_drop(60, [Held(a, ONE)] * steady, [Burst(a, ONE, Fraction(rate)) for rate in rates])
    every = dt.first_drops(Switch(8, 60, 1), alpha=alpha, steady=steady, burst_rates=rates)
    assert drop.time == min(port.time for port in every if port.time is not None)
    if len(set(rates)) == 1:
        one = dt.first_drop(Switch(8, 60, 1), alpha=alpha, steady=steady, bursts=len(rates), burst_rate=rates[0])
        assert (drop.time, drop.free) == (one.time, one.free_buffer)


def test_several_bursts_drop_in_the_order_of_their_own_times() -> None:
    drop = family.weighted_first_drop(60, [], [Burst(ONE, ONE, Fraction(3)), Burst(ONE, ONE, Fraction(9), initial=ONE)])
    assert (drop.burst, len(drop.times)) == (1, 2)
    assert drop.time == drop.times[1] < drop.times[0]


@given(several, positive)
def test_no_weight_is_below_alpha_and_the_total_at_least_alpha_n_squared(
    sojourns: list[Fraction], alpha: Fraction
) -> None:
    weights = l2bm.weights(sojourns, alpha)
    n = len(sojourns)
    assert min(weights) >= alpha
    assert sum(weights) >= l2bm.least_sum(alpha, n)
    assert (sum(weights) == alpha * n**2) == (len(set(sojourns)) == 1)


@given(several, positive)
def test_every_normalisation_keeps_its_bound(sojourns: list[Fraction], alpha: Fraction) -> None:
    n = len(sojourns)
    totals = {how: sum(l2bm.weights(sojourns, alpha, how)) for how in l2bm.NORMALISATIONS}
    assert totals["least"] <= totals["harmonic"] == alpha * n <= totals["mean"] <= totals["greatest"] <= totals["sum"]
    assert totals["least"] >= alpha
    assert totals["sum"] >= alpha * n**2


@given(several, positive, positive)
def test_one_factor_on_all_sojourn_times_changes_nothing(
    sojourns: list[Fraction], alpha: Fraction, factor: Fraction
) -> None:
    for how in l2bm.NORMALISATIONS:
        assert l2bm.weights([t * factor for t in sojourns], alpha, how) == l2bm.weights(sojourns, alpha, how)


@given(several, positive)
def test_the_comparison_with_dt(sojourns: list[Fraction], alpha: Fraction) -> None:
    n, compared = len(sojourns), l2bm.compare_with_dt(60, sojourns, alpha)
    assert (compared.reduction < 0) == (n >= 2)
    assert compared.l2bm.occupancy == compared.dt_same_weight.occupancy
    S, H = sum(sojourns), sum(1 / t for t in sojourns)
    below = tuple(i for i, tau in enumerate(sojourns) if S * (1 + alpha * n) < tau * (1 + alpha * S * H))
    assert compared.below == below
    assert n == 1 or sojourns.index(min(sojourns)) not in below


def test_the_issue_s_two_examples() -> None:
    unequal, equal = (l2bm.compare_with_dt(34, times, "1/8") for times in ([1, 1, 1, 9], [3, 3, 3, 3]))
    assert [str(t) for t in unequal.l2bm.thresholds] == ["9", "9", "9", "1"]
    assert set(equal.ratios) == {Fraction(2)}
    assert l2bm.thresholds(60, 30, [1, 1, 1, 9], "1/8")[3] == 5


def test_abm_counts_the_queues_of_each_priority() -> None:
    assert family.abm_weights([1], [0] * 7, [1] * 7) == (Fraction(1, 7),) * 7
    assert sum(family.abm_weights(["1/2", 3], [0, 1, 1, 0], ["1/2", 1, 1, 1])) == Fraction(27, 8)


def test_fairness_is_between_one_over_n_and_1() -> None:
    assert family.fairness([ONE] * 4) == 1
    assert family.fairness([ONE, 0 * ONE]) == Fraction(1, 2)


def test_offsets_shift_thresholds_and_reserve() -> None:
    state = family.steady_state(8, [1, 1], [2, 0])
    assert (state.free, state.thresholds) == (2, (4, 2))


def test_the_steady_state_in_sympy() -> None:
    B, W, w = sympy.symbols("B W w", positive=True)
    placed = {name: form.subs({B: 12, W: 3, w: 2}) for name, form in family.steady_state_formulas().items()}
    assert placed == {"occupancy": 9, "free": 3, "threshold": 6}


BURST = Burst(ONE, ONE, Fraction(3))


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: family.steady_state(6, []), "weights"),
        (lambda: family.steady_state(6, [0]), "weights[0]"),
        (lambda: family.steady_state(0, [1]), "buffer"),
        (lambda: family.steady_state(6, [1], [7]), "offsets"),
        (lambda: family.steady_state(6, [1, 1], [1]), "offsets"),
        (lambda: family.abm_weights([1], [], []), "priorities"),
        (lambda: family.abm_weights([1], [1], [1]), "priorities[0]"),
        (lambda: family.abm_weights([1], [0], [2]), "drains[0]"),
        (lambda: family.abm_weights([0], [0], [1]), "alphas[0]"),
        (lambda: family.weighted_first_drop(6, [], []), "bursts"),
        (lambda: family.weighted_first_drop(6, [], [Burst(ONE, ONE, ONE)]), "bursts[0].arrival"),
        (lambda: family.weighted_first_drop(6, [], [Burst(ONE, ONE, 3 * ONE, initial=9 * ONE)]), "bursts[0].initial"),
        (lambda: family.weighted_first_drop(6, [Held(ONE, 0 * ONE)], [BURST]), "held[0].rate"),
        (lambda: family.weighted_first_drop(6, [Held(-ONE, ONE)], [BURST]), "held[0].weight"),
        (
            lambda: family.weighted_first_drop(6, [Held(ONE, ONE / 9)], [Burst(ONE, ONE, 9 * ONE, offset=9 * ONE)]),
            "offsets",
        ),
        (lambda: family.fairness([0 * ONE]), "shares"),
        (lambda: l2bm.weights([], 1), "sojourns"),
        (lambda: l2bm.weights([1, 0], 1), "sojourns[1]"),
        (lambda: l2bm.weights(["-1"], 1), "sojourns[0]"),
        (lambda: l2bm.weights([1], 0), "alpha"),
        (lambda: l2bm.weights([1], 1, "best"), "normalisation"),
        (lambda: l2bm.weights([1], 1, Fraction(0)), "normalisation"),
        (lambda: l2bm.thresholds(4, 5, [1], 1), "occupied"),
        (lambda: family.weighted_first_drop(0, [], [BURST]), "buffer"),
        (lambda: family.weighted_first_drop(6, [], [Burst(-ONE, ONE, F(3))]), "bursts[0].weight"),
        (lambda: family.weighted_first_drop(6, [], [BURST, Burst(ONE, F(0), F(3))]), "bursts[1].rate"),
        (lambda: family.weighted_first_drop(6, [], [Burst(ONE, ONE, F(3), offset=-ONE)]), "bursts[0].offset"),
        (lambda: family.weighted_first_drop(6, [], [Burst(ONE, ONE, F(3), initial=-ONE)]), "bursts[0].initial"),
        (lambda: family.weighted_first_drop(6, [Held(ONE, ONE, offset=-ONE)], [BURST]), "held[0].offset"),
        (lambda: family.dt_weights(0, 2), "alpha"),
        (lambda: family.dt_weights(1, 0), "queues"),
        (lambda: family.abm_weights([1], [0, 0], [1]), "priorities"),
        (lambda: family.abm_weights([1], [-1], [1]), "priorities[0]"),
        (lambda: family.abm_weights([1], [0], [0]), "drains[0]"),
        (lambda: l2bm.self_consistent(6, [1, 1], 0), "alpha"),
        (lambda: l2bm.self_consistent(6, [1, 0], 1), "roots[1]"),
        (lambda: l2bm.self_consistent(6, [1, "x"], 1), "roots[1]"),
        (lambda: l2bm.thresholds(0, 0, [1], 1), "buffer"),
        (lambda: l2bm.compare_weights(6, [1, 0], 1), "weights[1]"),
        (lambda: l2bm.compare_weights(6, [1], 0), "alpha"),
    ],
)
def test_bad_input_is_refused_by_name(call: Any, field: str) -> None:
    with refused(field):
        call()


def test_a_queue_of_weight_0_drains_at_nothing_and_the_others_follow_or_drain():
    """phi + min(2 phi, 3) + min(phi, 9) = 8 has the root 5/2: the first drains at its 3, the second follows."""
    held = [Held(F(0), ONE), Held(F(2), F(3)), Held(ONE, F(9))]
    assert family.fall_rate(held, F(8)) == F(5, 2)
    assert family.fall_rate(held, F(6)) == F(3, 2)  # the border: 2 phi = 3
    assert family.fall_rate([], F(8)) == 8


def test_the_first_drop_counts_what_bursts_hold_and_what_offsets_take():
    """F_0 = (40 - 4 - 6) / 3 = 10. phi + min(2 phi, 3) = 2 + 6 has the root 5.

    Burst 0 has the room 10 + 1 - 4 = 7 and closes in at 2 + 5; burst 1 has the room 30 and closes in at 6 + 15.
    """
    bursts = [Burst(ONE, ONE, F(3), offset=ONE, initial=F(4)), Burst(F(3), F(2), F(8))]
    drop = family.weighted_first_drop(40, [Held(F(2), F(3), offset=F(6))], bursts)
    assert drop == family.WeightedDrop(time=ONE, burst=0, free=F(5), fall=F(5), times=(ONE, F(10, 7)))


def test_a_burst_that_begins_on_its_threshold_drops_at_once():
    """The threshold of alpha 1 is what is free, F_0 = 6 - 3 = 3."""
    drop = family.weighted_first_drop(6, [], [Burst(ONE, ONE, F(3), initial=F(3))])
    assert (drop.time, drop.free) == (0, 3)
    with refused("bursts[0].initial"):
        family.weighted_first_drop(6, [], [Burst(ONE, ONE, F(3), initial=F(13, 4))])


def test_a_threshold_that_is_met_just_when_the_buffer_is_full_is_met():
    """F = 6 - 2 t; the burst's 2 t meets F / 2 + b at t = 3 for b = 6, when F = 0, and later for a larger b."""
    drop = family.weighted_first_drop(6, [], [Burst(F(1, 2), ONE, F(3), offset=F(6))])
    assert (drop.time, drop.free) == (3, 0)
    with refused("offsets"):
        family.weighted_first_drop(6, [], [Burst(F(1, 2), ONE, F(3), offset=F(25, 4))])


def test_offsets_may_fill_the_buffer():
    assert family.steady_state(6, [1, 2], [2, 4]) == SteadyState(F(0), F(6), (F(2), F(4)))


@pytest.mark.parametrize("module", [l2bm, family])
def test_sympy_is_imported_when_it_is_needed_and_not_before(module):
    assert "sympy" not in vars(module)
