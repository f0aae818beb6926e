"""The claims about LossPass: what they cover, that they are as recorded, and that altered formulas fail evidence."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from altering import Alteration, fails_altered
from ledger_cases import papers

from dtmodel.packet.losspass.algorithm import READINGS
from dtmodel.packet.losspass.picture import columns, draw
from dtmodel.theory.losspass import ecn
from dtmodel.theory.losspass import formulas as losspass
from proofs.losspass import algorithm as algorithm_proofs
from proofs.losspass import coupling as coupling_proofs
from proofs.losspass import derivation as derivation_proofs
from proofs.losspass import eviction as eviction_proofs
from proofs.losspass import reserve as reserve_proofs
from proofs.losspass import step as step_proofs
from proofs.losspass import utilisation as utilisation_proofs
from proofs.losspass import windows as windows_proofs
from validation import printed
from validation.losspass import absorption as absorption_runs
from validation.losspass import algorithm as algorithm_runs
from validation.losspass import eviction as eviction_runs
from validation.losspass import headroom as headroom_runs
from validation.losspass import histories as common
from validation.losspass import loss_counts as loss_counts_runs
from validation.losspass import marking as marking_runs
from validation.losspass import published as published_runs
from validation.losspass import reserve as reserve_runs
from validation.losspass import simulation as simulation_runs
from validation.losspass import testbed as testbed_runs
from validation.losspass import utilisation as utilisation_runs
from validation.support.losspass import rounds as losspass_rounds

CLAIMS = {name: claim for name, claim in papers().claims.items() if name.startswith("losspass.")}


def altered_reading(**changes: Any) -> dict[str, Any]:
    return dict(READINGS) | {"intended": replace(READINGS["intended"], **changes)}


TRUE_BURST = losspass.burst_in_packets

ALTERATIONS: list[Alteration] = [
    (reserve_runs.evictions_respect_the_reserve, "READINGS", altered_reading(line4_at_most=False)),
    (algorithm_runs.with_line_10_mended_the_packet_stays, "READINGS", altered_reading(line10_otherwise=False)),
    (eviction_runs.losses_packet_for_packet, "READINGS", altered_reading(line10_otherwise=False)),
    (
        marking_runs.with_line_15_mended_only_buffered_packets_are_marked,
        "READINGS",
        altered_reading(line15_enqueued=False),
    ),
    (algorithm_runs.only_small_packets_evict_and_only_the_tail, "READINGS", altered_reading(victim="head")),
    (eviction_runs.small_flows_lose_what_they_would_lose_alone, "READINGS", altered_reading(victim="none")),
    (utilisation_runs.losspass_evicts_where_ecn_at_b_drops, "READINGS", altered_reading(victim="none")),
    (reserve_runs.small_packets_fill_the_reserve, "READINGS", altered_reading(line12_limited=True)),
    (reserve_runs.strict_priority_starves_whatever_the_reserve, "READINGS", altered_reading(fifo=True)),
    (algorithm_proofs.one_victim_that_is_large_enough_makes_room, "LINE_3", step_proofs.v + 1 >= step_proofs.P),
    (
        reserve_proofs.an_eviction_needs_more_than_the_reserve,
        "LINE_4",
        step_proofs.P + step_proofs.s <= step_proofs.B - step_proofs.b + 1,
    ),
    (
        reserve_proofs.an_eviction_needs_more_than_the_reserve,
        "OVERFLOW",
        step_proofs.P + step_proofs.s + step_proofs.l >= step_proofs.B,
    ),
    (
        algorithm_proofs.printed_line_4_asks_for_a_victim_of_the_same_size,
        "LINE_4_PRINTED",
        step_proofs.P + step_proofs.s >= step_proofs.B - step_proofs.b - 1,
    ),
    (eviction_proofs.one_size_couples_losspass_with_tail_drop, "EVICTS", [coupling_proofs.FULL]),
    (
        windows_proofs.what_is_outstanding_is_in_the_pipe_or_in_the_queue,
        "printed_queue",
        lambda W: W - 2 * windows_proofs.D,
    ),
    (windows_proofs.one_round_trip_of_growth_overshoots_by_n, "largest_queue", lambda K, N, **_: K + N + 1),
    (headroom_runs.headroom_as_printed_can_be_negative, "headroom", lambda B, K, N: B - K - N),
    (
        utilisation_proofs.the_closed_form_is_the_integral_of_the_sawtooth,
        "utilisation",
        lambda W, m, _growth: 1 - (derivation_proofs.D - m) ** 2 / W**2,
    ),
    (utilisation_proofs.the_trough_fills_the_pipe_iff_k_is_large_enough, "least_threshold", lambda D, _N: D),
    (utilisation_runs.windows_of_four_packets_need_more_than_0_17, "dctcp_line_rate", lambda _D, _K, _N: True),
    (absorption_runs.the_burst_at_any_length_on_a_grid, "room_at", lambda B, q, tau: B - tau * q),
    (absorption_runs.the_burst_at_any_length_on_a_grid, "room_with_reserve", lambda B, s, _l: B - s + 1),
    (absorption_runs.the_burst_in_packets_is_the_count, "burst_in_packets", lambda *a: TRUE_BURST(*a[:4])),
    (absorption_runs.the_burst_with_service_is_the_count, "burst_in_slots", lambda mu, _r: mu),
    (utilisation_runs.line_rate_in_whole_packets, "least_threshold_in_packets", lambda D, N: max(0, D - N)),
    (
        simulation_runs.the_simulations_pipe_and_84_packets,
        "SIMULATION",
        testbed_runs.SIMULATION | {"RTT": Fraction(1, 10**4)},
    ),
    (simulation_runs.the_ratio_to_droptail_2q_is_3_20, "LOSS", published_runs.LOSS | {"large, quoted ratio": "3.20"}),
    (simulation_runs.the_ratio_to_droptail_is_2_90, "LOSS", published_runs.LOSS | {"large, Droptail": "0.20"}),
    (
        loss_counts_runs.more_losses_without_ecn,
        "TABLE_1",
        published_runs.TABLE_1 | {"with": {"dropped": 9999, "evicted": 4522, "missed": 26}},
    ),
    (headroom_runs.a_port_with_room_for_pipe_and_burst_has_no_trade_off, "least_threshold", lambda D, *_, **__: 2 * D),
    (headroom_runs.a_high_threshold_can_leave_enough, "headroom", lambda *_: Fraction(0)),
    (headroom_runs.a_low_threshold_can_leave_too_little, "headroom", lambda B, *_: B),
    (headroom_runs.a_threshold_just_below_the_buffer_marks_too_late, "largest_queue", lambda K, *_, **__: K),
    (
        simulation_runs.loss_moves_from_small_to_large_flows,
        "LOSS",
        published_runs.LOSS | {"small, LossPass, most": "0.16"},
    ),
    (
        simulation_runs.the_simulations_turn_the_result_for_large_flows_round,
        "QUOTED",
        published_runs.QUOTED | {"large-against-ecn": {"testbed": "0.93", "simulation": "0.97"}},
    ),
    (eviction_runs.what_can_be_evicted_is_what_large_flows_hold, "full_port", lambda B, _tau: B),
    (marking_runs.a_mark_can_survive_the_burst, "READINGS", altered_reading(victim="none")),
]


@pytest.mark.parametrize("alteration", ALTERATIONS)
def test_an_altered_formula_fails_its_evidence(alteration: Alteration, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fails_altered(monkeypatch, alteration)


def test_the_ledger_runs_unaltered_what_is_altered_here() -> None:
    run = {item.name for item in papers().evidence()[0]}
    assert {evidence.__name__ for evidence, *_ in ALTERATIONS} <= run


def test_every_equation_line_and_table_has_a_claim() -> None:
    wanted = [f"losspass.eq{n}" for n in range(1, 7)]
    wanted += [f"losspass.alg1.line{n}" for n in (1, 2, 3, 4, 5, 6, 10, 12, 14, 15)]
    wanted += ["losspass.table1", "losspass.table2.loss-small", "losspass.fn1", "losspass.slides.clocks"]
    assert set(wanted) <= set(CLAIMS)
    assert len(CLAIMS) >= 250


def test_refuted_claims_are_corrected_or_say_why() -> None:
    for claim in CLAIMS.values():
        if claim.verdict == "refuted":
            assert claim.corrected or claim.note, claim.id
        if claim.corrected:
            assert CLAIMS[claim.corrected].verdict == "holds"


def test_the_smallest_trace_is_the_smallest() -> None:
    found = common.find(lambda h: h.moments[-1].step.decision == "evict", events=3, buffer=2)
    assert found.letters == (("arrive", "large", 1), ("arrive", "small", 1))
    with pytest.raises(AssertionError, match="no trace"):
        common.find(lambda _h: False, events=1, buffer=1)


def test_rounding_intervals_contain_what_rounds_to_them() -> None:
    assert printed.interval("66") == (Fraction(131, 2), Fraction(133, 2))
    assert printed.names("2.90", Fraction("2.895"))
    assert not printed.names("2.90", Fraction("2.905"))


def test_the_picture_shows_every_packet_and_mark() -> None:
    events = [["arrive", None, "large", 2], ["arrive", None, "small", 1], ["depart", None, "any"]]
    request = {"buffer": 3, "reserve_large": 1, "mark": {"large": 1}, "events": events}
    shown = [[(p.number, below, marked) for p, below, marked in c.stack] for c in columns(request)]
    assert shown == [[(0, 0, True)], [(0, 0, True), (1, 2, False)], [(0, 0, True)]]
    axes = draw(request).axes[0]
    assert len(axes.patches) == 4
    assert [label.get_text() for label in axes.get_xticklabels()] == ["+large 2", "+small 1", "-any"]
    assert len(axes.lines) == 2
    assert len(draw(request | {"reserve_large": 0}).axes[0].lines) == 1


def test_the_sawtooth_and_the_rounds_agree_where_sizes_divide() -> None:
    for N in range(1, 5):
        for whole in range(1, 6):
            D, K = whole * N, (whole + 1) * N
            assert losspass_rounds.Rounds(D, K, N).largest_queue == ecn.largest_queue(Fraction(K), N)
            assert losspass_rounds.Rounds(D, K, N).line_rate
