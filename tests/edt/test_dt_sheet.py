"""The parameter sheet of DT, field by field, from the paper's equations worked out by hand."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from refusals import refused

from dtmodel import DT, Arrivals, Switch, simulate
from dtmodel.base.mathtext import text_of
from dtmodel.theorems.writing import tex_of
from dtmodel.theory.dt.sheet import parameters
from dtmodel.theory.sheet import SheetRow

F = Fraction
SMALL: dict[str, Any] = {"ports": 3, "buffer": 30, "rate_": 2, "alpha": 2, "steady": 2}
"""T = 2 * 30 / (1 + 2 * 2) = 12 in steady state, and 6 bytes are free."""

FREE = tex_of(lambda alpha, B, N: B / (1 + alpha * N), "alpha", "B", "N")
THRESHOLD = tex_of(lambda alpha, B, N: alpha * (B / (1 + alpha * N)), "alpha", "B", "N")
OCCUPANCY = r"\frac{N \alpha B}{1 + \alpha N}"
OVERLOADED = "N queues stay offered at least their drain rate, the others are empty"
STEADY = (
    SheetRow("threshold", "T", F(12), "bytes", THRESHOLD, "DT/EDT paper, equation (1)", OVERLOADED),
    SheetRow("occupancy", r"\sum Q", F(24), "bytes", OCCUPANCY, "DT/EDT paper, Section 2"),
    SheetRow("reserve", "F_0", F(6), "bytes", FREE, "DT/EDT paper, Section 2", OVERLOADED),
    SheetRow("alone", "T_1", F(20), "bytes", THRESHOLD, "l2bm.sec1.unused-free", "one queue alone, N = 1"),
)


def first(case: str, time: str, free: str, absorbed: str, fall: int | Fraction, follows: bool) -> tuple[SheetRow, ...]:
    source = f"DT/EDT paper, Theorem 1, case {case}, as corrected (edt.ours.theorem1)"
    lasting = "all bursts last longer than until then"
    sum_of_falls = r"M \left(R - C\right) - N \min\left(C, \alpha \varphi\right)"
    return (
        SheetRow("first_drop", "t", F(time), "seconds", r"\frac{\alpha F_0}{R - C + \alpha \varphi}", source, lasting),
        SheetRow("free_at_first_drop", "F(t)", F(free), "bytes", r"F_0 - \varphi t", source, lasting),
        SheetRow("absorbed", "R t", F(absorbed), "bytes", "", source, "at each burst port, until the first drop"),
        SheetRow("fall", r"\varphi", F(fall), "bytes/s", sum_of_falls, "l2bm.ours.first-drop"),
        SheetRow(
            "steady_ports_follow", r"\alpha \varphi \leq C", follows, "", "", source,
            "whether the steady queues keep up with the falling threshold",
        ),
    )  # fmt: skip


def test_the_sheet_of_a_steady_switch_is_worked_out_by_equation_1():
    sheet = parameters(**SMALL)
    assert sheet.title == "Dynamic Threshold"
    assert sheet.parameters == STEADY
    assert sheet.warnings == ()


def test_a_slow_burst_meets_the_threshold_as_case_a_of_theorem_1_says():
    """R - C = 1: t = 60 / (7 * 1), F = 30 / 7; F falls by phi = 1 - 2 (2 phi) = 1 / 5 a second, T by 2 / 5 <= C."""
    sheet = parameters(**SMALL, burst_rate=3)
    assert sheet.parameters == (*STEADY, *first("a", "60/7", "30/7", "180/7", F(1, 5), True))


def test_a_fast_burst_meets_the_threshold_as_case_b_of_theorem_1_says():
    """A burst with R - C = 7: t = 60 / (5 (3 * 7 - 2 * 2 * 2)) = 12 / 13, F = 42 / 13."""
    sheet = parameters(**SMALL, burst_rate=9)
    assert sheet.parameters == (*STEADY, *first("b", "12/13", "42/13", "108/13", 3, False))


def test_two_bursts_beside_nobody_meet_the_threshold_together():
    """F falls by 2 * 8 = 16, T by 32 a second, and no steady port is there to lag: 60 / (8 + 32) = 3 / 2."""
    sheet = parameters(ports=2, buffer=30, rate_=2, alpha=2, bursts=2, burst_rate=10)
    *drop, follow = first("a", "3/2", "6", "15", 16, True)
    assert sheet.parameters[4:] == (*drop, replace(follow, symbol="", assumption="no port is overloaded before"))
    assert sheet["occupancy"] == 0


def test_a_burst_as_slow_as_its_port_never_loses_a_byte():
    sheet = parameters(**SMALL, burst_rate=2)
    never = SheetRow("first_drop", "t", None, "seconds", "", "DT/EDT paper, Theorem 1", "R <= C: no drop")
    assert sheet.parameters == (*STEADY, never)
    assert sheet.warnings == ("a burst of rate 16 bps does not overload a port of 16 bps: no drop",)


def test_as_many_ports_as_there_are_may_be_busy():
    assert parameters(ports=2, buffer=30, rate_=2, steady=2)["threshold"] == 10
    for beyond in ({"steady": 3}, {"steady": 2, "burst_rate": 3}, {"bursts": 3, "burst_rate": 3}):
        with refused("bursts + steady", 3, "at most 2, the number of ports"):
            parameters(ports=2, buffer=30, rate_=2, **beyond)


def test_the_sheet_agrees_with_the_fluid_engine_in_both_cases() -> None:
    switch = Switch(ports=8, buffer=60, rate=1)
    for rate, steady, bursts in ((2, 2, 1), (9, 2, 1), (2, 0, 3), (5, 3, 2)):
        sheet = parameters(ports=8, buffer=60, rate_=1, alpha="1/2", steady=steady, bursts=bursts, burst_rate=rate)
        arrivals = {port: Arrivals.constant(rate if port < bursts else 2) for port in range(bursts + steady)}
        initial = dict.fromkeys(range(bursts, bursts + steady), "steady")
        run = simulate(switch, DT("1/2"), arrivals, initial=initial, until=100)
        assert run.first_drop(0) == sheet["first_drop"]
        assert run.free_at_first_drop(0) == sheet["free_at_first_drop"]
        if steady:
            assert run.queue(bursts).at(Fraction(0)) == sheet["threshold"]
            assert run.free.at(Fraction(0)) == sheet["reserve"]


def test_a_newcomer_that_finds_a_twentieth_free_is_not_warned_of():
    """1 / (1 + alpha P): a twentieth for alpha P = 19, less for 20."""
    assert parameters(ports=19, buffer=40, rate_=1).warnings == ()
    assert parameters(ports=20, buffer=40, rate_=1).warnings == (
        "with all 20 ports overloaded a newcomer finds 4.8 % of the buffer free",
    )


@pytest.mark.parametrize(
    ("field", "value", "accepted"),
    [
        ("ports", "0", "a whole number of at least 1"),
        ("steady", "-1", "a whole number of at least 0"),
        ("bursts", "0", "a whole number of at least 1"),
        ("buffer", "0", 'a size greater than 0 such as "1 MB" or "64 KiB", in bytes if plain'),
        ("rate", "0", 'a rate greater than 0 such as "10 Gbps" or "5 MB/s", in bytes per second if plain'),
        ("alpha", "0", "a number greater than 0"),
        ("burst_rate", "-1", 'a rate of at least 0 such as "10 Gbps" or "5 MB/s", in bytes per second if plain'),
    ],
)
def test_a_value_that_no_switch_has_is_refused_by_name(field, value, accepted):
    given = {"ports": 4, "buffer": 30, "rate_": 2} | {"rate_" if field == "rate" else field: value}
    with refused(field, value, accepted):
        parameters(**given)


def test_a_sheet_knows_no_other_names():
    with pytest.raises(KeyError, match="cn2"):
        parameters(**SMALL)["cn2"]


def test_what_a_newcomer_finds_is_said_when_it_is_little():
    """alpha = 8, P = 4: 1 / 33 of the buffer; alpha = 4: 1 / 17, more than a twentieth."""
    given = {"ports": 4, "buffer": "1 MB", "rate_": "1 Gbps"}
    assert "3.0 %" in parameters(alpha=8, **given).warnings[0]
    assert parameters(alpha=4, **given).warnings == ()


@pytest.mark.parametrize(
    ("alpha", "N", "R", "follow"),
    [(1, 0, 18, True), (2, 1, 4, True), (2, 1, 5, True), (2, 1, 6, False), (1, 1, 6, True), (1, 1, 7, False)],
)
def test_steady_ports_follow_a_threshold_that_falls_slowly_enough(alpha, N, R, follow):
    """Steady ports follow while alpha fall <= C = 2: for M = 1 up to R - C = (1 + alpha N) C / alpha."""
    sheet = parameters(ports=4, buffer=100, rate_=2, alpha=alpha, steady=N, bursts=1, burst_rate=R)
    assert sheet["steady_ports_follow"] is follow


def test_the_rows_of_a_first_drop_and_of_one_queue_alone_show_their_own_numbers() -> None:
    worked = {row.name: text_of(f"${row.worked}$") for row in parameters(**SMALL, burst_rate=5).parameters}
    assert worked["first_drop"] == "(2 · 6 B)/(40 bps - 16 bps + 2 · 4.8 bps)"
    assert worked["free_at_first_drop"] == "6 B - 4.8 bps · 2.85714 s"
    assert worked["alone"] == "(2 · 30 B)/(1 + 2 · 1)"
