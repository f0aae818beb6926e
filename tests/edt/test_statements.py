"""Theorems 1 to 3 as objects: what they answer, what they refuse, how they read."""

import random
import re
from fractions import Fraction

import pytest
from dt_cases import case, fraction, run
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from dtmodel import Switch
from dtmodel.theorems.statement import Statement
from dtmodel.theory.dt import formulas
from dtmodel.theory.dt import statements as dt
from dtmodel.theory.dt.stages import Setting, drain_stages, first_hits

SWITCH = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
SMALL = Switch(ports=4, buffer=12, rate=1)
POSITIVE = st.fractions(Fraction(1, 50), 50, max_denominator=50)
RATES = st.lists(POSITIVE, min_size=1, max_size=5)


def first(**changes: object) -> dt.FirstDrop:
    arguments: dict[str, object] = {"alpha": 1, "steady": 2, "bursts": 1, "burst_rate": "2 Gbps"}
    return dt.theorem1.evaluate(SWITCH, **{**arguments, **changes})  # type: ignore[arg-type]  # bad input is the point


def test_theorem_1_answers_the_design_example() -> None:
    answer = first()
    assert (answer.time, answer.free_buffer, answer.case) == (Fraction(1, 500), Fraction(250_000), "a")
    assert str(answer) == "first drop at 2 ms (1/500 s), free buffer 250 KB, case a"


def test_theorem_1_names_the_case() -> None:
    assert [first(burst_rate=f"{rate} Gbps").case for rate in ("1.1", "4", "4.1")] == ["a", "a", "b"]


def test_bursts_at_the_port_rate_never_drop() -> None:
    def quiet(bursts: int = 1, durations: list[int] | None = None) -> dt.FirstDrop:
        return dt.first_drop(SWITCH, alpha=1, steady=2, bursts=bursts, burst_rate="1 Gbps", durations=durations)

    assert quiet(durations=[100]) == dt.FirstDrop(None, None, "none", (False,))
    assert "no drop" in str(quiet())
    assert (quiet().drops, quiet(2, [1, 2]).drops) == ((), (False, False))
    slow, fast = dt.first_drops(SMALL, alpha=1, steady=1, burst_rates=[1, 2], durations=[9, 9])
    assert (slow.time, slow.regime, slow.drops) == (None, "none", False)
    assert (fast.time, fast.drops) == (4, True)


def test_a_printed_theorem_and_its_correction_agree_where_the_print_speaks() -> None:
    rates = [9, 5, 2]
    every = dt.theorem3_corrected.evaluate(SMALL, alpha=1, steady=1, burst_rates=rates)
    assert dt.theorem3.evaluate(SMALL, alpha=1, steady=1, burst_rates=rates) == every[:2]  # L = 2
    slow = {"alpha": 1, "steady": 1, "burst_rates": ["5/2", "3/2"]}
    assert dt.theorem2.evaluate(SMALL, **slow) == dt.theorem2_corrected.evaluate(SMALL, **slow)
    assert dt.theorem2.evaluate(SMALL, **slow) == dt.theorem3_corrected.evaluate(SMALL, **slow)
    assert dt.theorem1_corrected.evaluate(SMALL, alpha=1, steady=1, bursts=2, burst_rate=3).time == Fraction(6, 5)


@pytest.mark.parametrize(
    ("theorem", "rates", "field", "assumed"),
    [
        (dt.theorem2, [13, 3, 2], "burst_rates", "at most (1 + alpha N) C / alpha = 2 bytes/s in sum"),
        (dt.theorem2_corrected, [13, 3, 2], "burst_rates", "at most (1 + alpha N) C / alpha = 2 bytes/s in sum"),
        (dt.theorem3, [2, 2], "burst_rates", "more than (1 + alpha N) C / alpha = 2 bytes/s in sum"),
        (dt.theorem2, ["3/2", 2], "burst_rates", "R_1 >= R_2 >= ... >= R_M"),
        (dt.theorem2_corrected, ["3/2", 2], "burst_rates", "R_1 >= R_2 >= ... >= R_M"),
        (dt.theorem3, [3, 13], "burst_rates", "R_1 >= R_2 >= ... >= R_M"),
        (dt.theorem2, [2, 1], "burst_rates[1]", "R > C"),
        (dt.theorem3, [13, "1/2"], "burst_rates[1]", "R > C"),
    ],
)  # fmt: skip
def test_a_theorem_refuses_what_it_does_not_speak_of(
    theorem: Statement, rates: list[object], field: str, assumed: str
) -> None:
    with refused(field, match=re.escape(assumed)):
        theorem.evaluate(SMALL, alpha=1, steady=1, burst_rates=rates)


def test_theorem_1_refuses_bursts_that_do_not_overload_their_ports() -> None:
    for rate in (1, "1/2"):
        with refused("burst_rate", match="R > C"):
            dt.theorem1.evaluate(SMALL, alpha=1, steady=1, bursts=1, burst_rate=rate)


def test_theorem_2_computes_the_recursion_that_it_shows_and_not_its_correction() -> None:
    growth, F_0 = [Fraction(1), Fraction(1, 2)], Fraction(12, 2)
    t = [Fraction(0)]
    F = [F_0]
    for k, r_k in enumerate(growth, 1):
        n, G = 1 + k - 1, sum(growth[k - 1 :])
        t.append((F[-1] + F[-1] * n + G * t[-1]) / (r_k * (1 + n) + G))
        F.append(F[-1] - G * (t[-1] - t[-2]) / (1 + n))
    drops = dt.theorem2.evaluate(SMALL, alpha=1, steady=1, burst_rates=[2, "3/2"], durations=[t[1], t[2] + 1])
    assert [(drop.time, drop.free_buffer) for drop in drops] == list(zip(t, F, strict=True))[1:]
    assert [drop.drops for drop in drops] == [None, True]  # "if d_k > t_k": nothing is said of d_1 = t_1


def test_theorem_3_speaks_of_the_first_ports_only() -> None:
    drops = dt.theorem3.evaluate(SMALL, alpha=1, steady=1, burst_rates=[13, 5, 2], durations=[1, 1, 9])
    assert [(drop.time, drop.above, drop.drops) for drop in drops] == [
        (Fraction(6, 28), 1, True),
        (Fraction(6, 28) * Fraction(28 - 13, 28) * Fraction(28, 4 + 5 - 2), 2, True),
    ]


def test_the_print_says_that_a_port_drops_where_it_does_not() -> None:
    given = {"alpha": 1, "steady": 0, "bursts": 2, "burst_rate": "3/2", "durations": [9, 2]}
    assert dt.theorem1.evaluate(SMALL, **given).drops == (True, None)
    assert dt.theorem1_corrected.evaluate(SMALL, **given).drops == (None, False)


def test_rates_may_come_in_any_order() -> None:
    answers = dt.first_drops(SMALL, alpha=1, steady=1, burst_rates=[2, 9, 5])
    assert [drop.time for drop in answers] == [2, Fraction(3, 10), Fraction(33, 70)]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"alpha": 0}, "alpha"), ({"alpha": "-1"}, "alpha"), ({"alpha": float("nan")}, "alpha"),
        ({"alpha": "x"}, "alpha"),
        ({"bursts": 0}, "bursts"), ({"bursts": "1/2"}, "bursts"), ({"steady": -1}, "steady"),
        ({"steady": 1.5}, "steady"),
        ({"steady": 16}, "bursts + steady"), ({"bursts": 15}, "bursts + steady"), ({"burst_rate": -1}, "burst_rate"),
        ({"burst_rate": "inf"}, "burst_rate"), ({"burst_rate": "1 MB"}, "burst_rate"),
        ({"durations": [1, 2]}, "durations"),
        ({"durations": "1"}, "durations"), ({"durations": 1}, "durations"), ({"durations": {1}}, "durations"),
        ({"durations": [-1]}, "durations[0]"),
    ],
)  # fmt: skip
def test_bad_input_of_theorem_1_is_named(changes: dict[str, object], field: str) -> None:
    with refused(field):
        first(**changes)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"burst_rates": []}, "burst_rates"), ({"burst_rates": "2"}, "burst_rates"),
        ({"burst_rates": 2}, "burst_rates"),
        ({"burst_rates": [2, -1]}, "burst_rates[1]"), ({"burst_rates": [2] * 4}, "bursts + steady"),
        ({"alpha": 0}, "alpha"), ({"steady": -1}, "steady"), ({"durations": [1, 2, 3]}, "durations"),
    ],
)  # fmt: skip
def test_bad_input_of_theorems_2_and_3_is_named(changes: dict[str, object], field: str) -> None:
    arguments: dict[str, object] = {"alpha": 1, "steady": 1, "burst_rates": [2, 3]}
    with refused(field):
        dt.first_drops(SMALL, **{**arguments, **changes})  # type: ignore[arg-type]  # bad input is the point


class Broken:
    """A switch that was not validated."""

    def __init__(self, ports: object = 4, buffer: object = 12, rate: object = 1) -> None:
        self.ports, self.buffer, self.rate = ports, buffer, rate


@pytest.mark.parametrize(
    ("broken", "field"),
    [
        ({"buffer": 0}, "switch.buffer"), ({"rate": -1}, "switch.rate"), ({"rate": 0}, "switch.rate"),
        ({"ports": 0}, "switch.ports"),
    ],
)  # fmt: skip
def test_a_bad_switch_is_named(broken: dict[str, object], field: str) -> None:
    with refused(field):
        dt.first_drop(Broken(**broken), alpha=1, steady=0, bursts=1, burst_rate=2)  # type: ignore[arg-type]  # the point


def test_durations_decide_where_the_theorem_speaks() -> None:
    def decide(*durations: int) -> tuple[bool | None, ...]:
        answer = dt.first_drop(SMALL, alpha=1, steady=0, bursts=2, burst_rate="3/2", durations=durations)
        assert answer.time == 8
        return answer.drops

    assert decide(9, 9) == (True, True)
    assert decide(9, 8) == (None, False)  # the second ends exactly at its drop time, which may save the first
    assert decide(9, 7) == (None, False)
    assert decide(7, 7) == (False, False)


def test_a_burst_may_end_after_its_own_drop_while_all_drain() -> None:
    setting = {"alpha": 1, "steady": 1, "burst_rates": [13, 5, 2]}
    times = [drop.time for drop in dt.theorem3_corrected.evaluate(SMALL, **setting)]
    assert times[0] < times[1]
    drops = dt.theorem3_corrected.evaluate(SMALL, **setting, durations=[times[0], 9, 9])
    assert [drop.drops for drop in drops] == [False, True, None]


def test_decided_durations_agree_with_the_engine() -> None:
    rng = random.Random(5)
    decided = 0
    for _ in range(300):
        drawn = case(rng)
        times = [
            d.time for d in dt.first_drops(drawn.switch, alpha=drawn.alpha, steady=drawn.N, burst_rates=drawn.rates)
        ]
        ends = [rng.choice([*times, *(t * fraction(rng, 9) / 4 for t in times), 3 * max(times)]) for _ in times]
        answers = dt.first_drops(
            drawn.switch, alpha=drawn.alpha, steady=drawn.N, burst_rates=drawn.rates, durations=ends
        )
        found = run(drawn, 2 * max(*ends, *times) + 1, ends)
        dropped = [found.first_drop(k) for k in range(len(times))]
        assert all(time is None or time >= times[0] for time in dropped), "edt.ours.no-earlier-drop"
        for answer, time, end in zip(answers, dropped, ends, strict=True):
            if answer.drops is not None:
                decided += 1
                assert answer.drops == (time is not None)
            if answer.drops:
                assert time == answer.time < end
    assert decided > 300


@given(POSITIVE, POSITIVE, st.integers(0, 4), RATES)
def test_scaling_the_buffer_scales_times_and_free_buffer(
    alpha: Fraction, scale: Fraction, N: int, growths: list[Fraction]
) -> None:
    rates = sorted((1 + growth for growth in growths), reverse=True)
    one = first_hits(Setting(alpha, Fraction(12), Fraction(1), N), rates)
    other = first_hits(Setting(alpha, 12 * scale, Fraction(1), N), rates)
    assert [(h.time * scale, h.free * scale, h.regime) for h in one] == [(h.time, h.free, h.regime) for h in other]


@given(POSITIVE, POSITIVE, st.integers(0, 4), RATES)
def test_scaling_all_rates_scales_time_back(alpha: Fraction, scale: Fraction, N: int, growths: list[Fraction]) -> None:
    rates = sorted((1 + growth for growth in growths), reverse=True)
    one = first_hits(Setting(alpha, Fraction(12), Fraction(1), N), rates)
    other = first_hits(Setting(alpha, Fraction(12), scale, N), [rate * scale for rate in rates])
    assert [(h.time / scale, h.free, h.regime) for h in one] == [(h.time, h.free, h.regime) for h in other]


@given(POSITIVE, st.integers(0, 4), RATES)
def test_ports_meet_the_threshold_in_the_order_of_their_rates(alpha: Fraction, N: int, growths: list[Fraction]) -> None:
    rates = sorted((1 + growth for growth in growths), reverse=True)
    hits = first_hits(Setting(alpha, Fraction(12), Fraction(1), N), rates)
    for (before, fast), (after, slow) in zip(
        zip(hits, rates, strict=True), list(zip(hits, rates, strict=True))[1:], strict=False
    ):
        assert (before.time == after.time) == (fast == slow)
        assert before.time <= after.time


@given(POSITIVE, st.integers(0, 4), RATES)
def test_the_closed_forms_agree_with_the_general_theorem(alpha: Fraction, N: int, growths: list[Fraction]) -> None:
    setting = Setting(alpha, Fraction(12), Fraction(1), N)
    growths = sorted(growths, reverse=True)
    rates = [1 + growth for growth in growths]
    L, factors = drain_stages(setting, rates), ()
    for k, (hit, rate) in enumerate(zip(first_hits(setting, rates), rates, strict=True), 1):
        n, G = N + k - 1, sum(growths[k - 1 :])
        D = formulas.closing_rate(alpha, 1, n, rate - 1, G)
        if k <= L:
            assert hit.time == formulas.drain_drop_time(alpha, setting.F_0, D, factors)
            assert hit.above == n - sum(other.time == hit.time for other in first_hits(setting, rates)[: k - 1])
        elif hit.regime == "follow":
            assert hit.time == formulas.follow_drop_time(alpha, setting.B, n, rate - 1, G)
        else:
            assert hit.above > 0
        factors = (*factors, formulas.drain_factor(alpha, rate, D))
