"""The closed forms of EDT against the exact fluid engine, and the laws that they obey."""

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from refusals import refused

from dtmodel import DT, EDT, Arrivals, InputError, Switch, simulate
from dtmodel.fluid.simulation import Run
from dtmodel.policies import Policy
from dtmodel.theory.edt import formulas as edt_formulas
from dtmodel.theory.edt.drops import (
    Bursts,
    EdtSettings,
    dt_lost,
    dt_queue,
    edt_drop_time,
    edt_lost,
    edt_queue,
    recovery_time,
)
from dtmodel.theory.edt.statements import theorem5, theorem5_corrected

F = Fraction
ALPHAS = [F(1, 4), F(1, 3), F(1, 2), F(1), F(2), F(4), F(8)]


def some_bursts(rng: random.Random) -> Bursts:
    C = rng.choice([F(1), F(1, 2), F(3)])
    rate = C + F(rng.randint(1, 40), rng.randint(1, 8))
    return Bursts(rng.choice(ALPHAS), F(rng.randint(4, 40)), C, rng.randint(1, 4), rng.randint(0, 4), rate)


def run_bursts(s: Bursts, policy: Policy, arrivals: Arrivals, background: F, until: F) -> Run[F]:
    offered = dict.fromkeys(range(s.M), arrivals) | dict.fromkeys(range(s.M, s.M + s.N), Arrivals.constant(background))
    steady = dict.fromkeys(range(s.M, s.M + s.N), "steady")
    return simulate(Switch(s.M + s.N, s.B, s.C), policy, offered, until=until, initial=steady)


def check_drop_time(rng: random.Random) -> str:
    s = some_bursts(rng)
    cn2, *timers = (F(rng.randint(1, 30), rng.randint(1, 12)) for _ in range(3))
    tm1, tm2 = (rng.choice([None, timer]) for timer in timers)
    background = s.C + F(rng.randint(0, 40), rng.randint(1, 4))
    run = run_bursts(s, EDT(s.alpha, cn2, tm1, tm2), Arrivals.constant(s.R), background, 2 * s.overflow)
    predicted = edt_drop_time(s, EdtSettings(cn2, tm1, tm2))
    assert run.first_drop(0) == predicted, s
    return {s.dt_drop: "dt", s.overflow: "overflow"}.get(predicted, "timer")


def check_losses(rng: random.Random) -> bool:
    s = some_bursts(rng)
    background = s.C + F(rng.randint(1, 40), rng.randint(1, 4))
    if not s.follows(background):
        return False
    duration = s.overflow * F(rng.randint(1, 60), 20)
    cn2 = s.r * s.dt_drop * F(rng.randint(1, 10), 10)
    for policy, queue, lost in ((EDT(s.alpha, cn2), edt_queue, edt_lost), (DT(s.alpha), dt_queue, dt_lost)):
        end = recovery_time(s, queue(s, duration), duration)
        run = run_bursts(s, policy, Arrivals.burst(s.R, duration), background, end + 1)
        assert run.dropped(0) == lost(s, duration), (s, policy)
        assert run.queue(0).at(duration) == queue(s, duration)
        assert run.queue(0).at(end) == 0 < run.queue(0).at(end - F(1, 10**9))
        before = s.alpha * s.B / (1 + s.alpha * s.N)
        assert all(run.queue(s.M + i).at(t) == before for i in range(s.N) for t in (end, end + 1))
    return True


def test_the_drop_time_for_any_counter_and_timers_is_the_engines() -> None:
    rng = random.Random(1)
    kinds = [check_drop_time(rng) for _ in range(250)]
    assert set(kinds) == {"dt", "overflow", "timer"}


def test_the_bytes_lost_and_the_recovery_are_the_engines() -> None:
    rng = random.Random(2)
    assert sum(check_losses(rng) for _ in range(120)) > 60


@pytest.mark.exhaustive
def test_the_closed_forms_are_the_engines_in_five_thousand_cases() -> None:
    rng = random.Random(3)
    for _ in range(5000):
        check_drop_time(rng)
        check_losses(rng)


def test_edt_never_loses_before_dt_does() -> None:
    rng = random.Random(4)
    for _ in range(500):
        s = some_bursts(rng)
        assert s.overflow > s.dt_drop
        cn2 = F(rng.randint(1, 30), rng.randint(1, 12))
        assert s.dt_drop <= edt_drop_time(s, EdtSettings(cn2, None, F(rng.randint(1, 9)))) <= s.overflow


def test_after_the_overflow_edt_loses_bytes_that_dt_would_have_kept() -> None:
    s = Bursts.of(alpha=1, buffer="1 MB", rate="1 Gbps", bursts=1, steady=2, burst_rate="2 Gbps")
    assert edt_lost(s, F(8, 1000)) == 0 < dt_lost(s, F(8, 1000))
    assert edt_lost(s, F(20, 1000)) == dt_lost(s, F(20, 1000)), "both end in the same steady state"


def test_a_queue_that_meets_its_threshold_when_it_becomes_uncontrolled_grows_on() -> None:
    s = Bursts(F(8), F(10), F(1), 2, 2, F(7, 3))
    run = run_bursts(s, EDT(8, s.r * s.dt_drop), Arrivals.constant(s.R), F(20), F(6))
    assert run.first_drop(0) == s.overflow
    assert run.queue(0).at(s.dt_drop) == s.r * s.dt_drop


def test_a_steady_port_that_just_keeps_up_is_not_said_to_follow() -> None:
    """The port loses nothing while the threshold rises, so its own counter runs, and sets it free."""
    s = Bursts(F(1), F(12), F(1), 1, 1, F(2))
    limit = s.C + s.alpha * s.M * s.C / (1 + s.alpha * s.N)
    assert not s.follows(limit)
    assert s.follows(limit + F(1, 100))
    run = run_bursts(s, EDT(1, F(1, 2)), Arrivals.burst(2, 2), limit, F(9))
    assert run.queue(1).at(8) > s.alpha * s.B / (1 + s.alpha * s.N)


def test_a_threshold_rises_at_alpha_m_c_over_1_plus_alpha_n_beside_n_ports() -> None:
    """alpha = 2, M = 3, N = 2, C = 5: by 2 * 3 * 5 / (1 + 2 * 2) = 6 bytes a second, so 11 keep up only just."""
    s = Bursts(F(2), F(30), F(5), 3, 2, F(9))
    assert not s.follows(F(11))
    assert s.follows(F(111, 10))
    assert Bursts(F(2), F(30), F(5), 3, 0, F(9)).follows(F(5)), "no port is there to lag"


def test_the_lengths_of_one_setting_are_those_of_the_equations() -> None:
    """alpha = 2, B = 30, C = 5, M = 1, N = 2: slow up to R = 5 (1 + 5/2) = 35/2, on steady lengths of 60/7 or 12."""
    slow, fast = (Bursts(F(2), F(30), F(5), 1, 2, F(R)) for R in (9, 25))
    assert (slow.slow, fast.slow) == (True, False)
    assert (slow.dt_drop, slow.overflow) == (F(60, 7) / 4, F(30, 4))
    assert (fast.dt_drop, fast.overflow) == (F(60) / (5 * (3 * 20 - 4 * 5)), F(30) / (5 * (20 - 10)))
    assert slow.steady_length == fast.steady_length == F(60, 7)
    # The burst holds 12 at 3/5, a steady port 12 - 3 = 9: it drains from 12 to 60/7 at C = 5.
    assert [edt_queue(fast, F(3, 5) + F(k, 10)) for k in (0, 1, 5, 6, 7)] == [12, F(23, 2), F(19, 2), 9, F(60, 7)]
    # Under DT it meets the threshold at 3/10 with 6; the threshold rises by 2 * 2 * 5 / 3 a second until 60/7.
    assert [dt_queue(fast, F(3, 10) + t) for t in (F(0), F(3, 10), F(1))] == [6, 8, F(60, 7)]


def test_ties_go_as_the_order_of_events_has_it() -> None:
    s = Bursts(F(1), F(12), F(1), 1, 0, F(2))
    assert edt_drop_time(s, EdtSettings(F(2), tm1=F(2))) == s.overflow, "c2 = cn2 comes before TM1"
    assert edt_drop_time(s, EdtSettings(s.r * s.dt_drop)) == s.overflow, "and before a rejection"
    cycle = EdtSettings(F(2), tm2=F(1))
    assert edt_drop_time(Bursts(F(1), F(10), F(1), 1, 0, F(2)), cycle) == 6, "t_DT = 5 at the end of counting: freed"


def test_the_formulas_scale_with_the_buffer_and_with_time() -> None:
    rng = random.Random(5)
    for _ in range(100):
        s, k = some_bursts(rng), F(rng.randint(1, 9), rng.randint(1, 9))
        larger, faster = Bursts(s.alpha, k * s.B, s.C, s.M, s.N, s.R), Bursts(s.alpha, s.B, k * s.C, s.M, s.N, k * s.R)
        assert (larger.overflow, larger.dt_drop) == (k * s.overflow, k * s.dt_drop)
        assert (faster.overflow, faster.dt_drop) == (s.overflow / k, s.dt_drop / k)


def test_the_integer_counting_number_is_the_least_over_all_whole_ports() -> None:
    for P in range(1, 40):
        for alpha in ALPHAS:
            limits = [
                edt_formulas.limit_of_growth(alpha, F(1), M, N) for M in range(1, P + 1) for N in range(P - M + 1)
            ]
            best, paper = edt_formulas.cn2_integer(alpha, F(1), P), edt_formulas.cn2_paper(alpha, F(1), P)
            assert best == min(limits)
            assert (best == paper) == (P % 2 == 0)
            assert best >= paper


@pytest.mark.parametrize(
    ("key", "value", "accepted"),
    [
        ("alpha", "0", "a number greater than 0"),
        ("buffer", "0 MB", 'a size greater than 0 such as "1 MB" or "64 KiB", in bytes if plain'),
        ("rate", "0 Gbps", 'a rate greater than 0 such as "10 Gbps" or "5 MB/s", in bytes per second if plain'),
        ("bursts", "0", "a whole number of at least 1"),
        ("steady", "-1", "a whole number of at least 0"),
        ("burst_rate", "0 Gbps", 'a rate greater than 0 such as "10 Gbps" or "5 MB/s", in bytes per second if plain'),
    ],
)
def test_bursts_name_the_value_as_it_was_written(key: str, value: str, accepted: str) -> None:
    good = {"alpha": 1, "buffer": "1 MB", "rate": "1 Gbps", "bursts": 1, "steady": 2, "burst_rate": "2 Gbps"}
    with refused(key, value, accepted):
        Bursts.of(**(good | {key: value}))


@pytest.mark.parametrize(
    ("change", "field"),
    [({"alpha": F(0)}, "alpha"), ({"B": F(0)}, "buffer"), ({"C": F(0)}, "rate"), ({"M": 0}, "bursts"),
     ({"N": -1}, "steady"), ({"R": F(1)}, "burst_rate")],
)  # fmt: skip
def test_bursts_made_of_numbers_are_bursts_too(change: dict[str, Any], field: str) -> None:
    good: dict[str, Any] = {"alpha": F(1), "B": F(9), "C": F(1), "M": 1, "N": 0, "R": F(2)}
    with refused(field):
        Bursts(**(good | change))


def test_unfairness_ends_when_the_buffer_is_full() -> None:
    """2 bursts fill 12 bytes at 3 bytes a second each by t = 2; P = 4 do so by t = 1."""
    assert edt_formulas.duration_of_unfairness(F(12), 2, F(3), F(1, 2)) == F(3, 2)


@pytest.mark.parametrize(("alpha", "N", "M"), [*product([F(1, 2), F(1), F(2)], [0, 1, 3], [1, 2])])
def test_the_queues_of_bursts_are_those_of_the_fluid_engine(alpha, N, M):
    for R in (F(3), F(8), F(24)):
        bursts = Bursts(alpha, F(24), F(2), M, N, R)
        traffic = {i: Arrivals.constant(R if i < M else 100) for i in range(M + N)}
        steady = dict.fromkeys(range(M, M + N), "steady")
        ends = 3 * bursts.overflow
        times = sorted({*(ends * F(k, 16) for k in range(17)), bursts.overflow, bursts.dt_drop})
        for policy, queue in ((DT(alpha), dt_queue), (EDT(alpha, cn2="1/1000"), edt_queue)):
            run = simulate(Switch(M + N, 24, 2), policy, traffic, initial=steady, until=ends)
            assert [run.queue(0).at(time) for time in times] == [queue(bursts, time) for time in times]


def test_theorem_5_as_printed_refuses_what_footnote_9_excludes() -> None:
    bursts = Bursts(F(1), F(12), F(1), 4, 2, F(2))
    given = {"B": 12, "C": 1, "N": 2, "R": 2}
    said = theorem5.evaluate(bursts=4, **given).first_drop  # M = N R / (R - C): allowed, and false
    assert said == 3 > bursts.overflow
    with refused("bursts", 5, match="M"):
        theorem5.evaluate(bursts=5, **given)


def test_theorem_5_as_corrected_is_the_first_loss_inside_its_assumptions() -> None:
    for M, N, R, alpha in product((1, 2, 3), (0, 1, 3), (2, 5), (1, 2)):
        bursts = Bursts(F(alpha), F(12), F(1), M, N, F(R))
        cn2 = bursts.r * bursts.dt_drop
        tight = EdtSettings(cn2, bursts.dt_drop, bursts.overflow - bursts.dt_drop)
        given = {"alpha": alpha, "B": 12, "C": 1, "M": M, "N": N, "R": R, "cn2": cn2}
        for settings, timers in ((EdtSettings(cn2), {}), (tight, {"tm1": tight.tm1, "tm2": tight.tm2})):
            told = theorem5_corrected.evaluate(**given, **timers).first_drop
            assert told == edt_drop_time(bursts, settings) == bursts.overflow


@pytest.mark.parametrize(("change", "field"), [({"cn2": F(5)}, "cn2"), ({"tm1": F(3)}, "tm1"), ({"tm2": F(7)}, "tm2")])
def test_theorem_5_as_corrected_names_the_setting_that_violates_an_assumption(
    change: dict[str, Fraction], field: str
) -> None:
    given = {"alpha": 1, "B": 12, "C": 1, "M": 1, "N": 1, "R": 2}  # DT drops at 4 s, the buffer is full at 12 s
    assert theorem5_corrected.evaluate(**given, cn2=4, tm1=4, tm2=8).first_drop == 12
    with refused(field):
        theorem5_corrected.evaluate(**{**given, "cn2": F(4), "tm1": F(4), "tm2": F(8), **change})


def test_quantities_are_read_and_times_before_the_bursts_refused():
    s = Bursts("1", "1 MB", "1 Gbps", 1, 2, "2 Gbps")
    assert s == Bursts.of(alpha=1, buffer=10**6, rate="1 Gbps", bursts=1, steady=2, burst_rate="2 Gbps")
    assert edt_lost(s, "10 ms") == 500_000
    for read in (dt_lost, edt_lost, dt_queue, edt_queue):
        with pytest.raises(InputError, match="at least 0"):
            read(s, F(-1))
    with refused("queue"):
        recovery_time(s, F(-1), F(1))
