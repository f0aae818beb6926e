"""The claims about LossPass: what they cover, that they are as recorded, and that altered formulas fail evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dtmodel.errors import DtmodelError
from dtmodel.ledger import Counterexample, Outcome, Root, collect
from dtmodel.ledger.replay import replay_witness
from dtmodel.packet.losspass import READINGS, run_trace
from dtmodel.packet.losspass_picture import columns, draw
from dtmodel.theory import ecn, ecn_rounds, losspass
from proofs.losspass import bursts, coupling, headroom, step, utilisation, windows
from validation.losspass import (
    burst_counts,
    common,
    exploration,
    numbers,
    quotes,
    rounds,
    same_size,
    tensions,
    witnesses,
)

CLAIMS = {
    name: claim
    for name, claim in collect([Root.at(Path(__file__).parent.parent)]).claims.items()
    if name.startswith("losspass.")
}

Evidence = Callable[[], Outcome]


def fails(evidence: Evidence) -> bool:
    common.all_histories.cache_clear()
    try:
        outcome = evidence()
    except (AssertionError, DtmodelError, ZeroDivisionError, IndexError, ValueError):
        return True
    finally:
        common.all_histories.cache_clear()
    return isinstance(outcome, Counterexample) and bool(replay_witness(outcome.witness, {"trace": run_trace}).fault)


def altered_reading(**changes: Any) -> dict[str, Any]:
    return dict(READINGS) | {"intended": replace(READINGS["intended"], **changes)}


TRUE_BURST = losspass.burst_in_packets

ALTERATIONS: list[tuple[Any, str, Any, Evidence]] = [
    (common, "READINGS", altered_reading(line4_at_most=False), exploration.evictions_respect_the_reserve),
    (common, "READINGS", altered_reading(line10_otherwise=False), exploration.with_line_10_mended_the_packet_stays),
    (common, "READINGS", altered_reading(line10_otherwise=False), same_size.losses_packet_for_packet),
    (common, "READINGS", altered_reading(line15_enqueued=False),
     exploration.with_line_15_mended_only_buffered_packets_are_marked),
    (common, "READINGS", altered_reading(victim="head"), exploration.only_small_packets_evict_and_only_the_tail),
    (common, "READINGS", altered_reading(victim="none"), same_size.small_flows_lose_what_they_would_lose_alone),
    (common, "READINGS", altered_reading(victim="none"), witnesses.losspass_evicts_where_ecn_at_b_drops),
    (common, "READINGS", altered_reading(line12_limited=True), witnesses.small_packets_fill_the_reserve),
    (common, "READINGS", altered_reading(fifo=True), witnesses.strict_priority_starves_whatever_the_reserve),
    (step, "LINE_3", step.v + 1 >= step.P, step.one_victim_that_is_large_enough_makes_room),
    (step, "LINE_4", step.P + step.s <= step.B - step.b + 1, step.an_eviction_needs_more_than_the_reserve),
    (step, "OVERFLOW", step.P + step.s + step.l >= step.B, step.an_eviction_needs_more_than_the_reserve),
    (step, "LINE_4_PRINTED", step.P + step.s >= step.B - step.b - 1,
     step.the_printed_line_4_asks_for_one_last_packet_of_the_same_size),
    (coupling, "EVICTS", [coupling.FULL], coupling.one_size_couples_losspass_with_tail_drop),
    (windows, "printed_queue", lambda W: W - 2 * windows.D, windows.what_is_outstanding_is_in_the_pipe_or_in_the_queue),
    (windows, "largest_queue", lambda K, N, **_: K + N + 1, windows.one_round_trip_of_growth_overshoots_by_n),
    (windows, "headroom", lambda B, K, N: B - K - N, windows.headroom_as_printed_can_be_negative),
    (utilisation, "utilisation", lambda W, m, _growth: 1 - (utilisation.D - m) ** 2 / W**2,
     utilisation.the_closed_form_is_the_integral_of_the_sawtooth),
    (utilisation, "least_threshold", lambda D, _N: D,
     utilisation.the_trough_fills_the_pipe_iff_the_threshold_is_large_enough),
    (utilisation, "dctcp_line_rate", lambda _D, _K, _N: True, utilisation.windows_of_four_packets_need_more_than_0_17),
    (bursts, "burst_at", lambda B, q, tau: B - tau * q, bursts.the_burst_at_any_length_on_a_grid),
    (bursts, "burst_with_reserve", lambda B, s, _l: B - s + 1, bursts.the_burst_at_any_length_on_a_grid),
    (burst_counts, "burst_in_packets", lambda *a: TRUE_BURST(*a[:4]), burst_counts.the_burst_in_packets_is_the_count),
    (burst_counts, "burst_in_slots", lambda mu, _r: mu, burst_counts.the_burst_with_service_is_the_count),
    (rounds, "least_threshold_in_packets", lambda D, N: max(0, D - N), rounds.line_rate_in_whole_packets),
    (numbers, "SIMULATION", numbers.SIMULATION | {"RTT": Fraction(1, 10**4)},
     numbers.the_simulations_pipe_and_84_packets),
    (quotes, "LOSS", quotes.LOSS | {"large, quoted ratio": "3.20"}, quotes.the_ratio_to_droptail_2q_is_3_20),
    (quotes, "LOSS", quotes.LOSS | {"large, Droptail": "0.20"}, quotes.the_ratio_to_droptail_is_2_90),
    (quotes, "TABLE_1", quotes.TABLE_1 | {"with": {"dropped": 9999, "evicted": 4522, "missed": 26}},
     quotes.more_losses_without_ecn),
    (headroom, "least_threshold", lambda D, *_, **__: 2 * D,
     headroom.a_port_with_room_for_pipe_and_burst_has_no_trade_off),
    (headroom, "headroom", lambda *_: Fraction(0), headroom.a_high_threshold_can_leave_enough),
    (headroom, "headroom", lambda B, *_: B, headroom.a_low_threshold_can_leave_too_little),
    (headroom, "largest_queue", lambda K, *_, **__: K, headroom.a_threshold_just_below_the_buffer_marks_too_late),
    (tensions, "LOSS", tensions.LOSS | {"small, LossPass, most": "0.16"},
     tensions.loss_moves_from_small_to_large_flows),
    (tensions, "QUOTED", tensions.QUOTED | {"large-against-ecn": {"testbed": "0.93", "simulation": "0.97"}},
     tensions.the_simulations_turn_the_result_for_large_flows_round),
    (tensions, "largest_burst", lambda B, _tau: B, tensions.what_can_be_evicted_is_what_large_flows_hold),
    (common, "READINGS", altered_reading(victim="none"), tensions.a_mark_can_survive_the_burst),
]  # fmt: skip


@pytest.mark.parametrize(("module", "name", "altered", "evidence"), ALTERATIONS)
def test_an_altered_formula_fails_its_evidence(
    module: Any, name: str, altered: Any, evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, altered)
    assert fails(evidence)


@pytest.mark.parametrize("evidence", sorted({item[3] for item in ALTERATIONS}, key=str))
def test_the_same_evidence_passes_unaltered(evidence: Evidence) -> None:
    assert not fails(evidence)


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
    assert common.interval("66") == (Fraction(131, 2), Fraction(133, 2))
    assert common.names("2.90", Fraction("2.895"))
    assert not common.names("2.90", Fraction("2.905"))


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
            assert ecn_rounds.Rounds(D, K, N).largest_queue == ecn.largest_queue(Fraction(K), N)
            assert ecn_rounds.Rounds(D, K, N).line_rate
