"""Evidence that follows all paths of an engine: an altered engine or statement fails it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dtmodel.errors import ProverError
from dtmodel.ledger import Outcome
from dtmodel.packet import dynaq as dynaq_engine
from dtmodel.packet.losspass_arbiter import READINGS, Arbiter
from dtmodel.packet.schedulers import WeightedRoundRobin
from dtmodel.packet.service_queues import PMSB, PQL, BestEffort
from proofs.dynaq import any_number, line_by_line
from proofs.dynaq import rounds as dynaq_rounds
from proofs.losspass import arrivals, lines, packet_bursts, runs, structures
from validation.losspass import ack_clock

Evidence = Callable[[], Outcome]


def fails(evidence: Evidence) -> bool:
    arrivals.arrivals.cache_clear()
    try:
        evidence()
    except (AssertionError, ProverError, AttributeError, line_by_line.BeyondError):
        return True
    finally:
        arrivals.arrivals.cache_clear()
    return False


def altered(**changes: Any) -> dict[str, Any]:
    return dict(READINGS) | {"intended": replace(READINGS["intended"], **changes)}


READ: list[tuple[dict[str, Any], Evidence]] = [
    (altered(victim="head"), lines.the_one_victim_is_the_tail),
    (altered(victim="none"), lines.whoever_evicts_is_small),
    (altered(line10_otherwise=False), lines.with_line_10_mended_no_packet_is_enqueued_and_dropped),
    (altered(line10_otherwise=False), lines.dropped_packets_were_never_buffered),
    (altered(line15_enqueued=False), lines.with_line_15_mended_every_marked_packet_is_buffered),
    (altered(line12_limited=True), lines.whatever_fits_is_enqueued),
    (altered(line12_limited=True), lines.only_small_packets_at_a_full_port_are_treated_differently),
    (altered(line4_at_most=False), packet_bursts.the_burst_is_the_floor_at_the_first_victim_that_stays),
    (altered(line10_otherwise=False), lines.lines_2_to_4_write_nothing),
    (altered(line4_at_most=False), lines.with_a_reserve_of_a_packet_the_head_stays),
    (altered(line12_limited=True), runs.a_port_full_of_small_packets_never_buffers_a_large_one),
    (altered(victim="head"), runs.marks_are_set_at_the_tail_and_leave_from_it),
    (dict(READINGS) | {"limited": READINGS["intended"]},
     lines.the_reading_limited_admits_and_keeps_a_packet_within_the_reserve),
    (dict(READINGS) | {"droptail-2q": READINGS["intended"]}, lines.struck_out_lines_leave_tail_drop),
    (dict(READINGS) | {"literal": READINGS["intended"]}, lines.every_printed_path_ends_in_the_marking_step),
    (dict(READINGS) | {"literal": READINGS["intended"]}, lines.whoever_meets_an_overflow_in_the_print_is_lost),
]  # fmt: skip


@pytest.mark.parametrize(("readings", "evidence"), READ)
def test_another_reading_fails_the_evidence(
    readings: dict[str, Any], evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "READINGS", readings)
    assert fails(evidence)


def refuses_nothing(self: Arbiter, packet: Any) -> str:
    return "" if self.large and packet.kind == "small" else "refused"


def marks_by_the_other_length(self: Arbiter, packet: Any) -> None:
    if self.settings.mark_small is not None and self.length_large > self.settings.mark_small:
        self.marked.add(packet.number)


def marks_always(self: Arbiter, packet: Any) -> None:
    self.marked.add(packet.number)


def looks_at_marks(self: Arbiter, packet: Any) -> str:
    return "marked" if 0 in self.marked else refuses_nothing(self, packet)


ENGINE: list[tuple[Any, str, Any, Evidence]] = [
    (Arbiter, "_lines_2_to_4", refuses_nothing, lines.no_arrival_carries_a_port_beyond_its_buffer),
    (Arbiter, "_lines_2_to_4", refuses_nothing, lines.refused_by_line_3_is_longer_than_the_tail),
    (Arbiter, "_lines_2_to_4", refuses_nothing, packet_bursts.a_full_port_with_a_short_tail_refuses_every_packet),
    (Arbiter, "_lines_2_to_4", looks_at_marks, lines.nothing_but_the_queues_decides),
    (Arbiter, "_mark", marks_by_the_other_length, lines.a_mark_tells_that_the_length_exceeds_k),
    (Arbiter, "_mark", marks_always, lines.with_k_s_at_b_no_path_marks_a_small_packet),
    (Arbiter, "_enqueue", lambda *_: None, runs.no_packet_is_lost_from_the_books),
    (Arbiter, "_served", lambda self, _: self.large, runs.a_loop_that_starves_needs_a_small_packet_for_each_service),
    (line_by_line, "settle", lambda rules, T, q, queues, s: dynaq_engine.settle(rules, T, q, queues, s + s),
     line_by_line.line_4_returns_the_thresholds_that_it_was_given),
    (line_by_line, "algorithm1", lambda rules, T, q, p, s: dynaq_engine.algorithm1(rules, T, q, p, s + s),
     line_by_line.line_1_alone_ends_the_algorithm_within_the_threshold),
    (line_by_line, "find_victim", lambda _S, T, candidates, _tie="low": max(candidates, key=lambda i: T[i]),
     line_by_line.line_2_finds_the_largest_extra_among_any_number_of_queues),
    (line_by_line, "find_victim", lambda S, T, _, tie_break="low": dynaq_engine.find_victim(S, T, range(4), tie_break),
     line_by_line.the_masked_tournament_of_four_finds_line_2s_victim),
    (dynaq_engine, "find_victim", lambda *_: 0, line_by_line.the_victim_is_not_the_sender),
    (PQL, "admit", BestEffort.admit, line_by_line.pql_looks_at_one_queue_only),
    (PMSB, "admit", BestEffort.admit, line_by_line.pmsb_acts_on_both_conditions_only),
    (BestEffort, "admit", lambda *_: (True, ()),
     line_by_line.a_best_effort_buffer_of_any_size_belongs_to_whoever_fills_it),
    (WeightedRoundRobin, "pick", lambda _, memory, __: (0, memory),
     dynaq_rounds.every_round_serves_each_queue_by_its_weight),
    (dynaq_rounds, "PriorityOver", lambda _first, rest: rest,
     dynaq_rounds.the_scheduler_below_is_not_asked_while_the_priority_queue_holds_a_packet),
    (structures, "look_ups", len, structures.the_worst_search_looks_at_every_packet),
    (structures, "remove_singly", structures.remove_doubly,
     structures.the_walk_to_the_last_but_one_packet_reads_n_minus_1_pointers),
    (any_number, "jain", lambda _: 1, any_number.equal_shares_have_the_index_one_for_any_number),
]  # fmt: skip


@pytest.mark.parametrize(("owner", "name", "instead", "evidence"), ENGINE)
def test_an_altered_engine_fails_the_evidence(
    owner: Any, name: str, instead: Any, evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, instead)
    assert fails(evidence)


def acknowledges_with_ten(self: ack_clock.Sender, _number: int, _marked: bool) -> None:
    self.outstanding, self.window = self.outstanding - 1, 10


def test_a_run_of_the_packet_clock_that_exceeds_k_plus_n_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    ack_clock.observe.cache_clear()
    monkeypatch.setattr(ack_clock.Sender, "acknowledge", acknowledges_with_ten)
    with pytest.raises(AssertionError):
        ack_clock.observe(2, 2, 1)
    ack_clock.observe.cache_clear()
