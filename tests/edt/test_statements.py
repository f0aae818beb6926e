"""Theorems 1 to 3 as objects: what they answer, what they refuse, how they read."""

import random
import re
from fractions import Fraction
from typing import Any

import pytest
from dt_cases import case, fraction, run
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from dtmodel import Switch
from dtmodel.theorems.statement import Evaluated, Statement, never
from dtmodel.theory import dt
from dtmodel.theory.dt import formulas
from dtmodel.theory.dt.meetings import exact_meetings
from dtmodel.theory.dt.series import draining

SWITCH = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
SMALL = Switch(ports=4, buffer=12, rate=1)
POSITIVE = st.fractions(Fraction(1, 50), 50, max_denominator=50)
RATES = st.lists(POSITIVE, min_size=1, max_size=5)


def first(**changes: object) -> Evaluated:
    arguments: dict[str, object] = {"alpha": 1, "steady": 2, "bursts": 1, "burst_rate": "2 Gbps"}
    return dt.theorem1.evaluate(SWITCH, **{**arguments, **changes})


def every(**given: Any) -> Evaluated:
    return dt.theorem3_corrected.evaluate(SMALL, **{"alpha": 1, "steady": 1, **given})


def test_theorem_1_answers_the_design_example() -> None:
    answer = first()
    assert (answer.first_drop, answer.free_at_first_drop, answer.case) == (Fraction(1, 500), Fraction(250_000), "a")
    assert str(answer) == "first_drop = 2 ms (1/500 s), free_at_first_drop = 250 KB, case a"


def test_theorem_1_names_the_case() -> None:
    assert [first(burst_rate=f"{rate} Gbps").case for rate in ("1.1", "4", "4.1")] == ["a", "a", "b"]


def test_bursts_at_the_port_rate_never_drop() -> None:
    def quiet(bursts: int = 1, **durations: Any) -> Evaluated:
        return dt.theorem1_corrected.evaluate(SWITCH, alpha=1, N=2, M=bursts, R="1 Gbps", **durations)

    assert quiet(durations=[100]) == Evaluated({"first_drop": never, "free_at_first_drop": None}, "never", (False,))
    assert "first_drop = never" in str(quiet())
    assert (quiet().drops, quiet(2, durations=[1, 2]).drops) == ((), (False, False))
    with refused("durations", match="a list of 2"):
        quiet(2, durations=[1])
    with refused("M", match=r"M \+ N"):
        quiet(15)


def test_quiet_bursts_stand_beside_others() -> None:
    answer = every(burst_rates=[1, 2], durations=[9, 9])
    assert answer.results == {"first_drop": [never, 4], "free_at_first_drop": [None, 4]}
    assert (answer.case, answer.drops) == (("never", "follow"), (False, True))
    none = every(burst_rates=["1/2", 1], durations=[9, 9])
    assert none.results == {"first_drop": [never] * 2, "free_at_first_drop": [None] * 2}
    assert (none.case, none.drops) == (("never", "never"), (False, False))
    assert every(burst_rates=["1/2"]).drops == ()


def test_a_printed_theorem_and_its_correction_agree_where_the_print_speaks() -> None:
    rates = [9, 5, 2]
    printed = dt.theorem3.evaluate(SMALL, alpha=1, steady=1, burst_rates=rates)
    assert printed.first_drop == [*every(R=rates).first_drop[:2], None]  # L = 2
    assert printed.free_at_first_drop == [*every(R=rates).free_at_first_drop[:2], None]
    assert printed.case == ("drain", "drain", None)
    slow = {"alpha": 1, "steady": 1, "burst_rates": ["5/2", "3/2"]}
    assert dt.theorem2.evaluate(SMALL, **slow) == dt.theorem2_corrected.evaluate(SMALL, **slow) == every(**slow)
    one = dt.theorem1_corrected.evaluate(SMALL, alpha=1, steady=1, bursts=2, burst_rate=3)
    assert one.first_drop == Fraction(6, 5)


@pytest.mark.parametrize(
    ("theorem", "rates", "assumed"),
    [
        (dt.theorem2, [13, 3, 2], "exceed C by at most (1 + alpha N) C / alpha in sum"),
        (dt.theorem2_corrected, [13, 3, 2], "exceed C by at most (1 + alpha N) C / alpha in sum"),
        (dt.theorem3, [2, 2], "exceed C by more than (1 + alpha N) C / alpha in sum"),
        (dt.theorem2, ["3/2", 2], "R_1 >= ... >= R_M"),
        (dt.theorem3, [3, 13], "R_1 >= ... >= R_M"),
        (dt.theorem2, [2, 1], "R_k > C"),
        (dt.theorem3, [13, "1/2"], "R_k > C"),
        (dt.theorem3_corrected, [13, 4, 3, 2], "at most P - N ports"),
        (dt.theorem3_corrected, [1, 4, 3, 2], "at most P - N ports"),
    ],
)  # fmt: skip
def test_a_theorem_refuses_what_it_does_not_speak_of(theorem: Statement, rates: list[object], assumed: str) -> None:
    with refused("burst_rates", match=re.escape(assumed)):
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
    said = dt.theorem2.evaluate(SMALL, alpha=1, steady=1, burst_rates=[2, "3/2"], durations=[t[1], t[2] + 1])
    assert (said.first_drop, said.free_at_first_drop) == (t[1:], F[1:])
    assert said.drops == (None, True)  # "if d_k > t_k": nothing is said of d_1 = t_1


def test_theorem_3_speaks_of_the_first_ports_only() -> None:
    said = dt.theorem3.evaluate(SMALL, alpha=1, steady=1, burst_rates=[13, 5, 2], durations=[1, 1, 9])
    second = Fraction(6, 28) * Fraction(28 - 13, 28) * Fraction(28, 4 + 5 - 2)
    assert said.first_drop == [Fraction(6, 28), second, None]
    assert (said.case, said.drops) == (("drain", "drain", None), (True, True, None))


def test_the_print_says_that_a_port_drops_where_it_does_not() -> None:
    given = {"alpha": 1, "steady": 0, "bursts": 2, "burst_rate": "3/2", "durations": [9, 2]}
    assert dt.theorem1.evaluate(SMALL, **given).drops == (True, None)
    assert dt.theorem1_corrected.evaluate(SMALL, **given).drops == (None, False)


def test_rates_may_come_in_any_order() -> None:
    answer = every(burst_rates=[2, 9, 5], durations=[9, 1, "1/4"])
    assert answer.first_drop == [2, Fraction(3, 10), Fraction(33, 70)]
    assert (
        answer.drops
        == every(burst_rates=[9, 5, 2], durations=[1, "1/4", 9]).drops[2:]
        + every(burst_rates=[9, 5, 2], durations=[1, "1/4", 9]).drops[:2]
    )
    slow = {"alpha": 1, "steady": 1}
    assert dt.theorem2_corrected.evaluate(SMALL, **slow, R=["3/2", "5/2"]) == every(R=["3/2", "5/2"])
    with refused("durations", match="a list of 3"):
        every(burst_rates=[2, 9, 5], durations=[9, 1])


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"alpha": 0}, "alpha"), ({"alpha": "-1"}, "alpha"), ({"alpha": float("nan")}, "alpha"),
        ({"alpha": "x"}, "alpha"),
        ({"bursts": 0}, "bursts"), ({"bursts": "1/2"}, "bursts"), ({"steady": -1}, "steady"),
        ({"steady": 1.5}, "steady"),
        ({"steady": 16}, "bursts"), ({"bursts": 15}, "bursts"), ({"burst_rate": -1}, "burst_rate"),
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
        ({"burst_rates": [2, -1]}, "burst_rates[1]"), ({"burst_rates": [2] * 4}, "burst_rates"),
        ({"alpha": 0}, "alpha"), ({"steady": -1}, "steady"), ({"durations": [1, 2, 3]}, "durations"),
    ],
)  # fmt: skip
def test_bad_input_of_theorems_2_and_3_is_named(changes: dict[str, object], field: str) -> None:
    with refused(field):
        every(**{"burst_rates": [2, 3], **changes})


class Broken:
    """A switch that was not validated."""

    def __init__(self, ports: object = 4, buffer: object = 12, rate: object = 1) -> None:
        self.ports, self.buffer, self.rate = ports, buffer, rate


@pytest.mark.parametrize(
    ("broken", "field"),
    [
        ({"buffer": 0}, "B"), ({"rate": -1}, "C"), ({"rate": 0}, "C"), ({"ports": 0}, "P"),
    ],
)  # fmt: skip
def test_a_bad_switch_is_named(broken: dict[str, object], field: str) -> None:
    with refused(field):
        dt.theorem1_corrected.evaluate(Broken(**broken), alpha=1, steady=0, bursts=1, burst_rate=2)


def test_durations_decide_where_the_theorem_speaks() -> None:
    def decide(*durations: int) -> tuple[bool | None, ...]:
        answer = dt.theorem1_corrected.evaluate(SMALL, alpha=1, steady=0, bursts=2, R="3/2", durations=durations)
        assert answer.first_drop == 8
        return answer.drops

    assert decide(9, 9) == (True, True)
    assert decide(9, 8) == (None, False)  # the second ends exactly at its drop time, which may save the first
    assert decide(9, 7) == (None, False)
    assert decide(7, 7) == (False, False)


def test_a_burst_may_end_after_its_own_drop_while_all_drain() -> None:
    times = every(burst_rates=[13, 5, 2]).first_drop
    assert times[0] < times[1]
    assert every(burst_rates=[13, 5, 2], durations=[times[0], 9, 9]).drops == (False, True, None)


def test_decided_durations_agree_with_the_engine() -> None:
    rng = random.Random(5)
    decided = 0
    for _ in range(300):
        drawn = case(rng)
        given = {"alpha": drawn.alpha, "steady": drawn.N, "burst_rates": drawn.rates}
        times = dt.theorem3_corrected.evaluate(drawn.switch, **given).first_drop
        ends = [rng.choice([*times, *(t * fraction(rng, 9) / 4 for t in times), 3 * max(times)]) for _ in times]
        answers = dt.theorem3_corrected.evaluate(drawn.switch, **given, durations=ends).drops
        found = run(drawn, 2 * max(*ends, *times) + 1, ends)
        dropped = [found.first_drop(k) for k in range(len(times))]
        assert all(time is None or time >= times[0] for time in dropped), "edt.ours.no-earlier-drop"
        for drops, told, time, end in zip(answers, times, dropped, ends, strict=True):
            if drops is not None:
                decided += 1
                assert drops == (time is not None)
            if drops:
                assert time == told < end
    assert decided > 300


def lasting(alpha: Fraction, B: Fraction, C: Fraction, N: int, rates: list[Fraction]) -> Evaluated:
    return dt.theorem3_corrected.evaluate(alpha=alpha, B=B, C=C, N=N, R=rates)


@given(POSITIVE, POSITIVE, st.integers(0, 4), RATES)
def test_scaling_the_buffer_scales_times_and_free_buffer(
    alpha: Fraction, scale: Fraction, N: int, growths: list[Fraction]
) -> None:
    rates = sorted((1 + growth for growth in growths), reverse=True)
    one, other = (lasting(alpha, 12 * by, Fraction(1), N, rates) for by in (1, scale))
    assert [time * scale for time in one.first_drop] == other.first_drop
    assert [free * scale for free in one.free_at_first_drop] == other.free_at_first_drop
    assert one.case == other.case


@given(POSITIVE, POSITIVE, st.integers(0, 4), RATES)
def test_scaling_all_rates_scales_time_back(alpha: Fraction, scale: Fraction, N: int, growths: list[Fraction]) -> None:
    rates = sorted((1 + growth for growth in growths), reverse=True)
    one = lasting(alpha, Fraction(12), Fraction(1), N, rates)
    other = lasting(alpha, Fraction(12), scale, N, [rate * scale for rate in rates])
    assert [time / scale for time in one.first_drop] == other.first_drop
    assert (one.free_at_first_drop, one.case) == (other.free_at_first_drop, other.case)


@given(POSITIVE, st.integers(0, 4), RATES)
def test_ports_meet_the_threshold_in_the_order_of_their_rates(alpha: Fraction, N: int, growths: list[Fraction]) -> None:
    rates = sorted((1 + growth for growth in growths), reverse=True)
    times = lasting(alpha, Fraction(12), Fraction(1), N, rates).first_drop
    for before, after, fast, slow in zip(times, times[1:], rates, rates[1:], strict=False):
        assert (before == after) == (fast == slow)
        assert before <= after


@given(POSITIVE, st.integers(0, 4), RATES)
def test_the_closed_forms_agree_with_the_general_theorem(alpha: Fraction, N: int, growths: list[Fraction]) -> None:
    B, growths = Fraction(12), sorted(growths, reverse=True)
    rates = [1 + growth for growth in growths]
    F_0, factors = formulas.initial_free(alpha, B, N), ()
    answer, L = lasting(alpha, B, Fraction(1), N, rates), sum(draining(alpha, 1, N, rates))
    met = exact_meetings(alpha, B, Fraction(1), N, rates)
    for k, (time, (_, above), rate) in enumerate(zip(answer.first_drop, met, rates, strict=True), 1):
        n, G = N + k - 1, sum(growths[k - 1 :])
        D = formulas.closing_rate(alpha, 1, n, rate - 1, G)
        assert answer.case[k - 1] == ("drain" if k <= L else "mixed" if above else "follow")
        if k <= L:
            assert time == formulas.drain_drop_time(alpha, F_0, D, factors)
            assert above == n - answer.first_drop[: k - 1].count(time)
        elif not above:
            assert time == formulas.follow_drop_time(alpha, B, n, rate - 1, G)
        factors = (*factors, formulas.drain_factor(alpha, rate, D))
