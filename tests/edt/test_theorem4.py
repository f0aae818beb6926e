"""The first loss for rates that vary in time: functional, roots, surds and bounds against the engine."""

import math
import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy
from mpmath import iv
from refusals import refused

from dtmodel import DT, Arrivals, InputError, Switch, simulate
from dtmodel.theory.edt.drops import EdtSettings
from dtmodel.theory.edt.varying_rates import (
    Drop,
    Pieces,
    Shared,
    arrived,
    keeps_up,
    queue_path,
    theorem4_roots,
    threshold_path,
    varying_first_drop,
)
from dtmodel.theory.edt.varying_statements import integrated, theorem4, theorem4_corrected
from validation.support.edt.curved_rates import Surd, first_drop_bounds, first_drop_linear
from validation.support.edt.smooth_rates import smooth_first_drop

F = Fraction
ALPHAS = [F(1, 4), F(1, 2), F(1), F(2), F(4)]
ONE = F(1)
RATES = [ONE, F(1, 2), F(3)]


def some_pattern(rng: random.Random, least: int, C: Fraction = ONE) -> list[tuple[Fraction, Fraction]]:
    time, pieces = F(0), []
    for _ in range(rng.randint(1, 5)):
        pieces.append((time, C * F(rng.choice([least, rng.randint(least, 16)]), 2)))
        time += F(rng.randint(1, 6), rng.randint(1, 3))
    return pieces


def engine_drop(shared: Shared, bursts: list[Pieces], background: Pieces, until: Fraction) -> Drop | None:
    M, N = len(bursts), shared.N
    offered = {i: Arrivals(pieces) for i, pieces in enumerate(bursts)}
    offered |= {M + i: Arrivals(background) for i in range(N)}
    steady = dict.fromkeys(range(M, M + N), "steady")
    run = simulate(Switch(M + N, shared.B, shared.C), DT(shared.alpha), offered, until=until, initial=steady)
    drops = [drop for i in range(M) if (drop := run.first_drop(i)) is not None]
    return Drop(min(drops), run.free.at(min(drops))) if drops else None


def check_pattern(rng: random.Random) -> set[str]:
    """Random bursts with dips below C beside steady ports that may be too slow for a rising threshold."""
    shared_alpha, B, C, N = rng.choice(ALPHAS), F(rng.randint(4, 30)), rng.choice(RATES), rng.randint(0, 3)
    bursts: list[Pieces] = [some_pattern(rng, 0, C) for _ in range(rng.randint(1, 3))]
    background = some_pattern(rng, 2, C)
    shared = Shared(shared_alpha, B, C, N, background)
    found = varying_first_drop(shared, bursts, F(15))
    assert found == engine_drop(shared, bursts, background, F(15)), (shared, bursts)
    slow = N > 0 and not keeps_up(shared, len(bursts), min(rate for _, rate in background))
    dips = any(rate < C for pieces in bursts for _, rate in pieces)
    return {name for name, is_so in (("slow", slow), ("dips", dips), ("drops", found is not None)) if is_so}


@pytest.mark.parametrize("patterns", [200, pytest.param(5000, marks=pytest.mark.exhaustive)])
def test_the_functional_is_the_engine_on_random_patterns_with_dips_and_slow_ports(patterns: int) -> None:
    rng = random.Random(11)
    seen = [check_pattern(rng) for _ in range(patterns)]
    assert all(sum(kind in each for each in seen) > patterns / 5 for kind in ("slow", "dips", "drops"))


def test_ports_that_keep_up_need_no_rate_of_their_own() -> None:
    rng = random.Random(13)
    for _ in range(100):
        C = rng.choice(RATES)
        bursts: list[Pieces] = [some_pattern(rng, 0, C) for _ in range(2)]
        shared = Shared(rng.choice(ALPHAS), F(rng.randint(4, 30)), C, rng.randint(0, 3))
        rate = shared.C * (1 + shared.alpha * 2 / (1 + shared.alpha * shared.N))
        assert keeps_up(shared, 2, rate)
        assert varying_first_drop(shared, bursts, F(15)) == engine_drop(shared, bursts, [(F(0), rate)], F(15))


def test_a_threshold_that_is_touched_but_not_crossed_loses_nothing() -> None:
    touching: Pieces = [(F(0), F(2)), (F(2), F(1))]
    shared = Shared(F(1), F(6), F(1), 1)
    assert theorem4_roots(shared, 1, touching, F(9), F(9)).t1[0] == 2
    assert varying_first_drop(shared, [touching], F(9)) is None


def test_a_queue_above_a_falling_threshold_loses_nothing_while_nothing_arrives() -> None:
    silent: Pieces = [(F(0), F(3)), (F(1), F(0))]
    fast: Pieces = [(F(1), F(10))]
    shared = Shared(F(1), F(6), F(1), 0)
    found = varying_first_drop(shared, [silent, fast], F(9))
    assert found == engine_drop(shared, [silent, fast], [], F(9))
    queues = [queue_path(pieces, F(1), F(9)) for pieces in (silent, fast)]
    assert max(q for _, q in queues[0]) > min(t for _, t in threshold_path(shared, queues))


def test_paths_say_what_they_are() -> None:
    queue = queue_path([(F(0), F(2))], F(1), F(3))
    threshold = threshold_path(Shared(F(1), F(6), F(1), 1), [queue])
    assert queue == ((0, 0), (3, 3))
    assert threshold[0] == (0, 3)
    assert threshold[-1] == (3, F(3, 2))


def test_arrivals_are_the_integral_of_the_rate() -> None:
    rate = [(F(1), F(3)), (F(2), F(0)), (F(4), F(5))]
    assert [arrived(rate, F(t)) for t in ("0", "1", "3/2", "3", "4", "5")] == [0, 0, F(3, 2), 3, 3, 8]
    assert arrived([], F(3)) == 0


def test_a_queue_drains_at_c_runs_empty_and_fills_again() -> None:
    """C = 2: from 1 it is empty at 1/2; from 1 to 2 it grows by 3; it is empty again 3/2 later."""
    path = queue_path([(F(1), F(5)), (F(2), F(0))], F(2), F(5), initial=F(1))
    assert path == ((0, 1), (F(1, 2), 0), (1, 0), (2, 3), (F(7, 2), 0), (5, 0))
    assert queue_path([(F(1), F(5)), (F(2), F(0))], F(2), F(2), initial=F(2)) == ((0, 2), (1, 0), (2, 3))
    assert queue_path([(F(0), F(5)), (F(9), F(0))], F(2), F(2)) == ((0, 0), (2, 6))


def test_the_threshold_turns_where_the_steady_port_meets_it_again() -> None:
    """alpha = 2, B = 30, C = 2, N = 1, a burst of rate 6 until 2: the queue is 8 at 2, and empty at 6.

    The steady port drains from 20 to 16 by then, 4 above T = 2/3 (30 - 8 - 4); both are 76/5 at 12/5.
    """
    burst = queue_path([(F(0), F(6)), (F(2), F(0))], F(2), F(8))
    quick = threshold_path(Shared(F(2), F(30), F(2), 1), [burst])
    assert quick == ((0, 20), (2, 12), (F(12, 5), F(76, 5)), (6, 20), (8, 20))


def test_a_steady_port_lags_behind_a_threshold_that_rises_faster_than_it_can() -> None:
    """Offered 3 it rises by 1 a second from 76/5 at 12/5: to 94/5 at 6, 18/5 below T, and meets it at 36/5."""
    burst = queue_path([(F(0), F(6)), (F(2), F(0))], F(2), F(8))
    slow = threshold_path(Shared(F(2), F(30), F(2), 1, [(F(0), F(3))]), [burst])
    assert slow == ((0, 20), (2, 12), (F(12, 5), F(76, 5)), (6, F(112, 5)), (F(36, 5), 20), (8, 20))
    # It lags by 3/5 at 3; offered 5 from then on it rises by 3, T falls by 2, and they meet 3/25 later.
    change = threshold_path(Shared(F(2), F(30), F(2), 1, [(F(0), F(3)), (F(3), F(5))]), [burst])
    assert change == (*slow[:3], (3, F(82, 5)), (F(78, 25), F(404, 25)), (6, 20), (8, 20))


def test_a_steady_port_is_on_the_threshold_at_time_0_whatever_the_bursts_have_queued() -> None:
    """alpha = 2, B = 30, C = 2, N = 1: a queue of 1 that stays so leaves T = 2/3 (30 - 1)."""
    queue = queue_path([(F(0), F(2))], F(2), F(3), initial=F(1))
    assert threshold_path(Shared(F(2), F(30), F(2), 1), [queue]) == ((0, F(58, 3)), (3, F(58, 3)))


def test_what_is_offered_to_nobody_or_after_the_end_turns_nothing() -> None:
    burst = queue_path([(F(0), F(6)), (F(2), F(0))], F(2), F(8))
    nobody = threshold_path(Shared(F(2), F(30), F(2), 0, [(F(0), F(3))]), [burst])
    assert {(0, 60), (2, 44), (6, 60), (8, 60)} <= set(nobody)
    assert max(value for _, value in nobody) == 60
    late = threshold_path(Shared(F(2), F(30), F(2), 1, [(F(0), F(9)), (F(20), F(3))]), [burst])
    assert late == ((0, 20), (2, 12), (F(12, 5), F(76, 5)), (6, 20), (8, 20))


def test_a_path_has_one_point_for_each_time() -> None:
    assert queue_path([(F(0), F(2)), (F(1), F(0)), (F(2), F(0))], F(1), F(3)) == ((0, 0), (1, 1), (2, 0), (3, 0))


def test_a_queue_that_is_known_for_a_shorter_time_stays_as_it_was() -> None:
    """alpha = 1, B = 30: 6 and 4 bytes are queued at 4."""
    short, long = queue_path([(F(0), F(4)), (F(1), F(4))], F(1), F(2)), queue_path([(F(0), F(2))], F(1), F(4))
    assert threshold_path(Shared(F(1), F(30), F(1), 0), [short, long]) == ((0, 30), (1, 26), (2, 22), (4, 20))


def test_a_queue_above_the_threshold_loses_as_soon_as_something_arrives() -> None:
    """One queue just meets T = 3 at 1; the other takes 9/10 until 11/10, T = 6 - 19/5 then, and the queue is 29/10."""
    bursts: list[Pieces] = [[(F(0), F(4)), (F(1), F(0)), (F(11, 10), F(2))], [(F(1), F(10)), (F(11, 10), F(0))]]
    shared = Shared(F(1), F(6), F(1), 0)
    assert (
        varying_first_drop(shared, bursts, F(9)) == engine_drop(shared, bursts, [], F(9)) == Drop(F(11, 10), F(11, 5))
    )


def test_how_fast_a_port_must_be_offered_to_keep_up() -> None:
    """Three bursts that drain at C = 3 raise the threshold of alpha = 2, N = 2 by 2 * 3 * 3 / 5 a second."""
    shared = Shared(F(2), F(30), F(3), 2)
    assert keeps_up(shared, 3, F(33, 5))
    assert not keeps_up(shared, 3, F(65, 10))


@pytest.mark.parametrize(("R", "drop"), [(3, Drop(F(12), F(6))), (6, Drop(F(5, 2), F(5))), (5, Drop(F(4), F(6)))])
def test_a_constant_burst_is_theorem_1(R: int, drop: Drop) -> None:
    """alpha = 2, B = 30, C = 2, N = 1: 60 / (5 r) up to R = 5, F = 6; 60 / (3 (3 r - 4)) beyond it, F = r t / 2."""
    assert varying_first_drop(Shared(F(2), F(30), F(2), 1), [[(F(0), F(R))]], F(20)) == drop
    assert varying_first_drop(Shared(F(2), F(30), F(2), 1), [[(F(0), F(R))]], drop.time) is None
    assert varying_first_drop(Shared(F(2), F(30), F(2), 1), [[(F(0), F(2))], [(F(0), F(R))]], F(20)) == drop


def test_the_roots_of_theorem_4_for_a_rate_that_rises() -> None:
    """alpha = 2, B = 30, C = 2, N = 3, M = 2, R = 3 until d_1 = 4, then 12, so that A(4) = 12.

    11 (A - 2 t) = 60 where 4 + 10 h = 60/11. 5 A - 22 t = (60 + 6 (4 * 12 - 11 * 8)) / 7 = -180/7 where 7 t = 180/7,
    and again where -28 + 38 h = -180/7.
    """
    rate = [(F(0), F(3)), (F(4), F(12))]
    roots = theorem4_roots(Shared(F(2), F(30), F(2), 3), 2, rate, F(4), F(20))
    assert roots == ((4 + F(8, 55),), (F(180, 49), 4 + F(8, 133)))
    assert theorem4_roots(Shared(F(2), F(30), F(2), 3), 2, rate, F(4), F(4)) == ((), (F(180, 49),))
    assert theorem4_roots(Shared(F(2), F(30), F(2), 3), 2, rate, F(4), F(3)) == ((), ())


def test_a_root_of_theorem_4_may_lie_before_anything_arrives() -> None:
    """From 3 on at rate 3, A(4) = 3: -22 t = (2 * 180 + 6 (4 * 3 - 11 * 8)) / 7 = -96 / 7; d_1 is no root."""
    roots = theorem4_roots(Shared(F(2), F(180), F(2), 3), 2, [(F(3), F(3))], F(4), F(9))
    assert roots == ((), (F(48, 77),))


def test_an_interval_of_roots_is_given_by_its_two_ends() -> None:
    """A queue of 2 on its threshold at rate C from 2 on: 3 (A - t) = 6; d_1 = 5 lies within and is no end."""
    roots = theorem4_roots(Shared(F(1), F(6), F(1), 1), 1, [(F(0), F(2)), (F(2), F(1))], F(5), F(9))
    assert roots.t1 == (2, 9)


def test_roots_are_found_in_a_small_buffer_too() -> None:
    """2 t = 1/100 for both equations where N = 0."""
    roots = theorem4_roots(Shared(F(1), F(1, 100), F(1), 0), 1, [(F(0), F(2))], F(1, 50), F(1, 50))
    assert roots == ((F(1, 200),), (F(1, 200),))


@pytest.mark.parametrize(
    ("background", "value", "accepted"),
    [
        ([(F(0), F(1, 2))], "1/2 from 0 s on", "at least the port's rate, 1"),
        ([(F(0), F(2)), (F(3), F(9, 10))], "9/10 from 3 s on", "at least the port's rate, 1"),
        ([], "[]", "a rate from time 0 on: the ports are in steady state"),
        ([(F(1), F(2))], "[(Fraction(1, 1), Fraction(2, 1))]", "a rate from time 0 on: the ports are in steady state"),
    ],
)
def test_what_steady_ports_are_offered_keeps_them_steady(background: Pieces, value: str, accepted: str) -> None:
    with refused("background", value, accepted):
        Shared(F(1), F(6), F(1), 1, background)


def test_a_port_offered_just_its_rate_is_steady_and_where_none_is_nothing_need_be_offered() -> None:
    assert Shared(F(1), F(6), F(1), 1, [(F(0), F(1))]).background == [(0, 1)]
    assert Shared(F(1), F(6), F(1), 0, [(F(1), F(2))]).N == Shared(F(1), F(6), F(1), 0, []).N == 0
    assert varying_first_drop(Shared(F(1), F(6), F(1), 0, []), [[(F(0), F(2))]], F(9)) == Drop(F(3), F(3))


def step(rate: Pieces) -> list[tuple[Fraction, Fraction, Fraction]]:
    return [(time, value, F(0)) for time, value in rate]


def test_a_piecewise_linear_rate_without_slope_is_the_piecewise_constant_one() -> None:
    rng = random.Random(14)
    for _ in range(200):
        C = rng.choice(RATES)
        pattern = some_pattern(rng, 2, C)
        shared = Shared(rng.choice(ALPHAS), F(rng.randint(4, 30)), C, rng.randint(0, 3))
        M = rng.randint(1, 3)
        exact = varying_first_drop(shared, [pattern] * M, F(15))
        found = first_drop_linear(shared, M, step(pattern), F(15))
        assert (exact is None) == (found is None)
        assert exact is None or found == Surd(exact.time)


def test_surds_lie_between_the_drops_of_staircases_around_the_ramp() -> None:
    rng = random.Random(15)
    for _ in range(12):
        shared = Shared(rng.choice(ALPHAS), F(rng.randint(4, 30)), F(1), rng.randint(0, 3))
        slope, M = F(rng.randint(1, 8), 2), rng.randint(1, 3)
        exact = first_drop_linear(shared, M, [(F(0), F(1), slope)], F(15))
        assert exact is not None
        below, above = (
            varying_first_drop(shared, [[(F(k, 4), 1 + slope * F(k + up, 4)) for k in range(60)]] * M, F(15))
            for up in (0, 1)
        )
        assert below is not None
        assert above is not None
        assert Surd(above.time) < exact
        assert exact < Surd(below.time)


def test_bounds_for_any_rate_enclose_the_exact_time() -> None:
    rng = random.Random(16)
    for _ in range(5):
        shared = Shared(rng.choice(ALPHAS), F(rng.randint(4, 30)), F(1), rng.randint(0, 3))
        slope = F(rng.randint(1, 8), 2)
        exact = first_drop_linear(shared, 1, [(F(0), F(1), slope)], F(20))
        bounds = first_drop_bounds(shared, 1, lambda t, k=slope: 1 + t * int(2 * k) / 2, F(20), cells=500)
        assert exact is not None
        assert bounds.latest is not None
        assert float(bounds.earliest) <= float(exact) <= float(bounds.latest)
        assert bounds.latest - bounds.earliest < 1


def test_surds_compare_exactly() -> None:
    assert Surd(F(1), 1, F(2)) < Surd(F(3), -1, F(1, 4))
    assert not Surd(F(1), 1, F(2)) < Surd(F(1), 1, F(2))
    assert Surd(F(0), -1, F(2)).bounds(8)[1] < 0


def test_a_linear_rate_below_c_is_refused() -> None:
    with pytest.raises(InputError, match="at least C"):
        first_drop_linear(Shared(F(1), F(6), F(1), 1), 1, [(F(0), F(2), F(-1))], F(9))


def test_a_rate_that_falls_meets_the_threshold_once_or_touches_it() -> None:
    falling = [(F(0), F(3), F(-1))]
    assert first_drop_linear(Shared(F(1), F(3), F(1), 0), 1, falling, F(2)) == Surd(F(1))
    assert first_drop_linear(Shared(F(1), F(7, 2), F(1), 0), 1, falling, F(2)) == Surd(F(2), -1, F(1, 2))
    assert first_drop_linear(Shared(F(1), F(4), F(1), 0), 1, falling, F(2)) is None, "touched at 2, where R = C"


def test_without_bursts_or_cells_there_is_nothing_to_find() -> None:
    shared = Shared(F(1), F(4), F(1), 1)
    assert varying_first_drop(shared, [], F(2)) is None
    assert first_drop_bounds(shared, 1, lambda t: 1 + t * 0, F(2), cells=8).latest is None
    with pytest.raises(InputError, match="cells"):
        first_drop_bounds(shared, 1, lambda t: t, F(2), cells=0)


def test_the_threshold_bends_where_the_steady_ports_are_offered_more() -> None:
    """The burst drains at 1/2 from 2 s on; the steady port, offered C, lags by 1/2 a second until 5 s, then catches up.

    T = (B - Q - e)/2 with Q = 5/2 and e = -3/2 at 5 s; from then on e grows at 7/2, and is 0 again at 38/7 s.
    """
    shared = Shared(F(1), F(24), F(1), 1, ((F(0), F(1)), (F(5), F(3))))
    path = threshold_path(shared, [((F(0), F(0)), (F(2), F(4)), (F(10), F(0)))])
    assert dict(path)[F(5)] == F(23, 2)
    assert dict(path)[F(38, 7)] == F(76, 7)
    assert path[-1] == (10, 12)


def test_the_roots_of_theorem_4_for_a_constant_rate():
    """alpha = 2, B = 30, C = 2, N = 3, M = 2, R = 3: 11 t = 60, and 15 t - 22 t = (60 + 6 (4 * 12 - 11 * 8)) / 7."""
    assert theorem4_roots(Shared(F(2), F(30), F(2), 3), 2, [(F(0), F(3))], F(4), F(20)) == ((F(60, 11),), (F(180, 49),))


PHASES = [(F(0), F(2)), (F(1), F(5)), (F(2), F(2))]
ENDS = (F(1), F(2), F(3))
ONE_STEADY = Shared(F(1), F(6), F(1), 1)


def test_theorem_4_evaluates_the_case_that_applies() -> None:
    late = Shared(F(1), F(11), F(1), 1)
    touching = [(F(0), F(2)), (F(1), F(5)), (F(3, 2), F(2))]
    assert theorem4.evaluate(ONE_STEADY, 1, PHASES, ENDS) == (F(17, 14), F(13, 7))  # b)
    assert theorem4.evaluate(ONE_STEADY, 1, [(F(0), F(2))], (F(3), F(3), F(3))) == (F(2), F(2))  # a)
    said = [(0, "2 Gbps"), ("1 ms", "5 Gbps"), ("2 ms", 250_000_000)]
    drop = theorem4.evaluate(Shared(1, "1 MB", "1 Gbps", 1), 1, said, ("1 ms", "2 ms", "3 ms"))
    assert (
        drop
        == (F(19, 14_000), F(2_125_000, 7))
        == theorem4_corrected.evaluate(
            Shared(1, "1 MB", "1 Gbps", 1, [(0, "1 Gbps")]), 1, said, ("1 ms", "2 ms", "3 ms")
        )
    )
    wrong = [
        ([said[1], said[0]], "a time after 1/1000 s"),
        ([(0, 1, 2)], "pairs of a time and a rate"),
        ("2 Gbps", "a list"),
    ]
    for rate, accepted in wrong:
        with pytest.raises(InputError, match=accepted):
            theorem4.evaluate(Shared(1, "1 MB", "1 Gbps", 1), 1, rate, ("1 ms", "2 ms", "3 ms"))
    with pytest.raises(InputError, match="d_1, d_2 and d_3"):
        theorem4.evaluate(Shared(1, "1 MB", "1 Gbps", 1), 1, said, ("1 ms", "2 ms"))
    ends = (F(1), F(3, 2), F(9))
    assert theorem4.evaluate(late, 1, touching, ends, t3=F(9)) == (F(13, 6), F(11, 3))  # d)
    with refused("t3"):
        theorem4.evaluate(late, 1, touching, ends)


def test_theorem_4_refuses_rates_that_are_not_as_in_42() -> None:
    for rates, ends in (
        ([(F(0), F(4)), (F(1), F(5)), (F(2), F(2))], ENDS),  # fast at once
        ([(F(0), F(2)), (F(1), F(3)), (F(2), F(2))], ENDS),  # never fast
        (PHASES, (F(1), F(3), F(4))),  # slow before d_2
        (PHASES, (F(1), F(3, 2), F(3))),  # fast after d_2
    ):
        for theorem in (theorem4, theorem4_corrected):
            with refused("rate", match=r"\(42\)"):
                theorem.evaluate(ONE_STEADY, 1, rates, ends)
    with refused("ends"):
        theorem4.evaluate(ONE_STEADY, 1, PHASES, (F(2), F(1), F(3)))


def test_theorem_4_refuses_rates_for_which_43_has_several_roots() -> None:
    with pytest.raises(InputError, match="determines t_1"):
        theorem4.evaluate(ONE_STEADY, 1, [(F(0), F(2)), (F(2), F(1))], (F(5), F(5), F(5)))


def test_the_corrected_theorem_4_needs_bursts_that_overload_and_the_printed_one_does_not() -> None:
    touching, ends = [(F(0), F(2)), (F(2), F(0))], (F(5), F(5), F(5))
    with pytest.raises(InputError, match="R\\(t\\) >= C"):
        theorem4_corrected.evaluate(ONE_STEADY, 1, touching, ends)
    assert theorem4.evaluate(ONE_STEADY, 1, touching, ends) == (F(2), F(2))  # nothing is lost then: edt.thm4


def test_the_corrected_theorem_4_is_the_functional_on_a_grid_and_the_print_with_t3_after_the_meeting() -> None:
    compared = 0
    for slow, fast, last, B in product((1, 2, 3), (4, 5, 8), (2, 3), (4, 6, 9)):
        shared, rates = Shared(F(1), F(B), F(1), 1), [(F(0), F(slow)), (F(1, 2), F(fast)), (F(5, 4), F(last))]
        said = theorem4_corrected.evaluate(shared, 1, rates, (F(1, 2), F(5, 4), F(9)))
        assert said == varying_first_drop(shared, [rates], F(9))
        roots = theorem4_roots(shared, 1, rates, F(1, 2), F(9))
        if len(roots.t2) == len(roots.t1) == 1 and roots.t2[0] > F(1, 2):
            assert theorem4.evaluate(shared, 1, rates, (F(1, 2), F(5, 4), F(9)), t3=roots.t2[0]) == said
            compared += 1
    assert compared > 20


@pytest.mark.parametrize(("M", "N", "B"), [(1, 1, 3), (2, 0, 5), (1, 3, 9), (3, 2, 30)])
def test_smooth_rates_meet_surds_proven_bounds_and_the_integrals_of_43(M: int, N: int, B: int) -> None:
    """On a ramp, in both regimes, the surd; on a sine the rigorous bounds; the root of (43) where SymPy integrates."""
    shared = Shared(F(1), F(B), F(1), N)
    for slope in (1, 9):
        exact = first_drop_linear(shared, M, [(F(0), F(1), F(slope))], F(9))
        found = smooth_first_drop(shared, M, lambda t, k=slope: 1 + k * t, F(9), cells=24)
        assert exact is not None
        assert found is not None
        assert abs(found.time - float(exact)) <= found.error <= 1e-11
        assert abs(found.free - float(exact) ** 2 * slope / 2) < 1e-10, "F is T / alpha, and the queue is k t^2 / 2"
    low, high = first_drop_bounds(shared, M, lambda t: 2 + iv.sin(t), F(9), cells=128)
    waved = smooth_first_drop(shared, M, lambda t: 2 + math.sin(t), F(9), cells=24)
    assert high is not None
    assert waved is not None
    assert float(low) - 1e-11 <= waved.time <= float(high) + 1e-11
    time = sympy.Symbol("t")
    said = integrated(theorem4, 2 + sympy.sin(time), time)
    at = {
        symbol.name: symbol.sympy for symbol in theorem4.symbols if symbol.name in ("alpha", "B", "C", "M", "N", "t_1")
    }
    numbers = {at["alpha"]: 1, at["B"]: B, at["C"]: 1, at["M"]: M, at["N"]: N, at["t_1"]: waved.time}
    if (M, N) == (1, 1) or not N:  # the steady ports keep up throughout
        assert abs(float(said[2].lhs.subs(numbers))) < 1e-10


def test_smooth_rates_that_are_none_are_refused_and_losses_may_stay_away() -> None:
    shared = Shared(F(1), F(60), F(1), 1)
    assert smooth_first_drop(shared, 1, lambda t: 1 + t / 100, F(9), cells=8) is None
    spline = smooth_first_drop(shared, 1, lambda t: np.array(2 + t), "9000 ms")  # an array without a dimension
    assert spline == smooth_first_drop(shared, 1, lambda t: 2 + t, 9)
    assert spline is not None
    for given, field in (
        ({"cells": 0}, "cells"),
        ({"M": 0}, "M"),
        ({"rate": lambda t: 2 - t}, "rate"),
        ({"rate": lambda t: math.inf * (1 + t)}, "rate"),
        ({"rate": lambda t: 1j * t}, "rate"),
        ({"rate": lambda t: str(2 + t)}, "rate"),
        ({"rate": lambda t: t > -1}, "rate"),
        ({"rate": lambda t: np.array([2 + t, 2 + t])}, "rate"),
        ({"rate": lambda t: np.array(2 + 1j * t)}, "rate"),
        ({"rate": 2}, "rate"),
        ({"until": 0}, "until"),
        ({"until": "9 KB"}, "until"),
        ({"cells": 10**7}, "cells"),
    ):
        with refused(field):
            smooth_first_drop(**{"shared": shared, "M": 1, "rate": lambda t: 2 + t, "until": F(9), **given})


@pytest.mark.parametrize(
    ("field", "make"),
    [
        ("alpha", lambda: Shared(F(-1), F(6), F(1), 1)),
        ("N", lambda: Shared(F(1), F(6), F(1), -1)),
        ("cn2", lambda: EdtSettings(F(0))),
        ("tm1", lambda: EdtSettings(F(1), F(0))),
        ("M", lambda: theorem4.evaluate(Shared(F(1), F(6), F(1), 1), 0, [(F(0), F(2))], (F(1), F(1), F(1)))),
    ],
)
def test_a_switch_or_setting_that_cannot_be_is_named(field, make):
    with pytest.raises(InputError, match=rf"^{field}: "):
        make()


def test_the_switch_reads_quantities_with_units():
    assert Shared("1/2", "1 MB", "1 Gbps", 1) == Shared(F(1, 2), F(10**6), F(125 * 10**6), 1)
