"""The ECN queue, its sawtooth and utilisation, in fluid and in whole packets."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

from dtmodel.base.errors import InputError
from dtmodel.theory.losspass.ecn import (
    Growth,
    Sawtooth,
    headroom,
    largest_queue,
    least_threshold,
    overshoot,
    total_less,
)
from dtmodel.theory.losspass.statements import DCTCP_LINE_RATE
from validation.losspass.senders import tooth
from validation.support.losspass.dctcp import crossing_window, dctcp_alpha, dctcp_line_rate
from validation.support.losspass.rounds import Rounds, least_threshold_in_packets

F = Fraction
SIZE = st.fractions(min_value="1/8", max_value=50, max_denominator=12)
CUT = st.sampled_from([F(1, 2), F(1, 4), F(1, 3), F(2, 3), F(1), F(9, 100)])


def test_the_printed_queue_goes_negative_below_the_pipe() -> None:
    assert [total_less(F(windows), F(4)) for windows in (3, 5)] == [-1, 1]


def test_the_crossing_window_puts_the_queue_on_the_threshold() -> None:
    assert total_less(crossing_window(F(4), F(9), 5) * 5, F(9)) == 4


@settings(max_examples=200, deadline=None)
@given(SIZE, SIZE, st.integers(1, 9), CUT, SIZE)
def test_utilisation_equals_the_exact_integral_of_the_sawtooth(D: F, K: F, N: int, cut: F, a: F) -> None:
    saw = Sawtooth(D, K, N, cut, a)
    modes: list[tuple[Growth, bool]] = [("base", False), ("actual", True)]
    for growth, actual in modes:
        whole = tooth(D, saw.trough, saw.peak, N * a, actual=actual)
        assert saw.utilisation(growth) == whole.carried / whole.period
        assert saw.period(growth) == whole.period


@settings(max_examples=200, deadline=None)
@given(SIZE, SIZE, st.integers(1, 9), CUT, SIZE)
def test_the_link_is_busy_iff_the_threshold_is_at_least_the_least_one(D: F, K: F, N: int, cut: F, a: F) -> None:
    saw = Sawtooth(D, K, N, cut, a)
    assert saw.line_rate == (saw.utilisation("base") == 1) == (saw.utilisation("actual") == 1)
    if cut < 1:
        assert saw.line_rate == (least_threshold(D, N, cut, a) <= K)
    assert saw.largest_queue == largest_queue(K, N, segment=a)


def test_without_a_queue_halving_uses_three_quarters_and_the_cut_of_a_full_buffer_is_at_b() -> None:
    assert Sawtooth(F(8), F(0), 1, segment=F(1, 10**9), buffer=F(0)).utilisation("base") == F(3, 4)
    assert Sawtooth(F(8), F(20), 1, buffer=F(8)).peak == 16
    assert headroom(F(8), F(20), 1) == 0


def test_utilisation_scales_with_the_unit_of_length() -> None:
    one = Sawtooth(F(8), F(2), 3)
    two = Sawtooth(F(8 * 1500), F(2 * 1500), 3, segment=F(1500))
    assert one.utilisation() == two.utilisation() < 1


def test_whole_windows_agree_with_the_rounds_run_one_by_one() -> None:
    for D, K, N, cut in product(range(1, 14), range(16), range(1, 6), (F(1, 2), F(1, 4), F(1))):
        rounds = Rounds(D, K, N, cut)
        windows = rounds.windows()
        assert windows == list(range(rounds.trough_window, rounds.peak_window + 1))
        assert rounds.largest_queue == max(max(0, N * w - D) for w in windows)
        assert rounds.utilisation == F(sum(N * w for w in windows), sum(max(D, N * w) for w in windows))
        assert rounds.line_rate == (rounds.utilisation == 1)


def test_the_least_threshold_in_packets_is_exact() -> None:
    for D, N, cut in product(range(1, 20), range(1, 7), (F(1, 2), F(1, 4))):
        least = least_threshold_in_packets(D, N, cut)
        busy = [Rounds(D, K, N, cut).line_rate for K in range(3 * D + 3 * N)]
        assert all(busy[least:])
        assert least == 0 or not busy[least - 1]


def test_whole_windows_can_need_more_than_the_bandwidth_delay_product() -> None:
    assert least_threshold_in_packets(4, 3) == 5
    assert not Rounds(4, 4, 3).line_rate
    with pytest.raises(InputError):
        least_threshold_in_packets(4, 3, F(1))


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 80), st.integers(0, 60), st.integers(1, 9))
def test_the_exact_dctcp_condition_agrees_with_an_isolating_interval(D: int, K: int, N: int) -> None:
    low, high = dctcp_alpha(F(D), F(K), N)
    assert 0 < low <= high <= 1
    assert high - low <= F(1, 10**9)
    queue_after_the_cut = [(1 - alpha / 2) * (D + K + N) - D for alpha in (high, low)]
    assert queue_after_the_cut[0] <= 0 or dctcp_line_rate(F(D), F(K), N)
    assert queue_after_the_cut[1] >= 0 or not dctcp_line_rate(F(D), F(K), N)


def test_dctcp_reaches_line_rate_exactly_where_its_alpha_is_1() -> None:
    assert dctcp_line_rate(F(5), F(0), 5)
    assert not dctcp_line_rate(F(5), F(0), 4)
    assert dctcp_alpha(F(5), F(0), 5) == dctcp_alpha(F(1), F(0), 9) == (1, 1)
    for D, K, N in product(range(1, 12), range(12), range(1, 12)):
        if K + N >= D:
            assert dctcp_line_rate(F(D), F(K), N)


def test_the_interval_of_alpha_is_as_wide_as_asked_for() -> None:
    low, high = dctcp_alpha(F(60), F(20), 2, F(1, 4))
    assert (low, high) == (0, F(1, 4))
    low, high = dctcp_alpha(F(60), F(20), 2)
    assert F(5, 10**10) < high - low <= F(1, 10**9)


def test_the_overshoot_is_what_all_windows_grow_by_until_marks_are_obeyed() -> None:
    assert overshoot(3, F(2), F(1, 2)) == 3
    assert overshoot(3, F(2), F(4)) == 24


def test_no_threshold_is_needed_where_the_overshoot_fills_the_pipe() -> None:
    assert least_threshold(F(1), 9) == 0
    assert least_threshold_in_packets(3, 3) == 0


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"bdp": F(0)}, "bdp"),
        ({"threshold": F(-1)}, "threshold"),
        ({"flows": 0}, "flows"),
        ({"cut": F(0)}, "cut"),
        ({"cut": F(3, 2)}, "cut"),
        ({"segment": F(0)}, "segment"),
        ({"buffer": F(-1)}, "buffer"),
    ],
)
def test_bad_sawtooth_parameters_are_named(changes: dict[str, Any], field: str) -> None:
    with refused(field):
        Sawtooth(**({"bdp": F(8), "threshold": F(2), "flows": 2} | changes))


@pytest.mark.parametrize(
    ("field", "value"),
    [("bdp", 0), ("threshold", -1), ("flows", 0), ("cut", F(-1, 2)), ("cut", F(0)), ("cut", F(3, 2))],
)
def test_bad_round_parameters_are_named(field: str, value: Any) -> None:
    with refused(field):
        Rounds(**({"bdp": 8, "threshold": 2, "flows": 2} | {field: value}))


def test_the_search_for_the_alpha_of_dctcp_begins_with_0_to_1():
    assert dctcp_alpha(F(60), F(20), 2, tolerance=F(2)) == (0, 1)
    assert dctcp_alpha(F(60), F(20), 2, tolerance=F(1, 2)) == (0, F(1, 2))


def test_the_least_threshold_of_dctcp_is_found_from_the_margin() -> None:
    at = {"D": 400, "N": 117, "a": 1}
    (least,) = DCTCP_LINE_RATE.solve_for("K", margin=0, **at)
    assert [dctcp_line_rate(F(400), F(K), 117) for K in (76, 77)] == [False, True]
    assert 76 < float(least) < 77
    (busy,) = DCTCP_LINE_RATE.inverse("K", 0, at, "margin")
    assert (float(busy.low), busy.high) == (float(least), None)
    assert not DCTCP_LINE_RATE.solve_for("K", margin=0, D=5, N=6, a=1)  # busy without a threshold


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 80), st.integers(0, 60), st.integers(1, 9), st.sampled_from([F(1), F(3, 2), F(1500)]))
def test_the_margin_is_the_exact_condition_of_dctcp_in_packets_of_any_size(D: int, K: int, N: int, a: Fraction) -> None:
    found = DCTCP_LINE_RATE.evaluate(D=D * a, K=K * a, N=N, a=a)
    assert (found.margin >= 0) == dctcp_line_rate(F(D), F(K), N)
    assert found.share == F(2 * (K + N), D + K + N)
