"""Evidence that follows all paths of an engine: an altered engine or statement fails it."""

from dataclasses import replace
from typing import Any

import pytest
from altering import Alteration, fails_altered

from dtmodel.packet.dynaq import algorithm as dynaq_engine
from dtmodel.packet.dynaq.schemes import PMSB, PQL, BestEffort
from dtmodel.packet.losspass.algorithm import READINGS, Arbiter
from dtmodel.packet.schedulers import WeightedRoundRobin
from proofs.dynaq import algorithm as algorithm_proofs
from proofs.dynaq import hardware as hardware_proofs
from proofs.dynaq import isolation as isolation_proofs
from proofs.dynaq import requirement as requirement_proofs
from proofs.dynaq import schemes as schemes_proofs
from proofs.dynaq import testbed as testbed_proofs
from proofs.losspass import absorption as packet_bursts
from proofs.losspass import algorithm as losspass_proofs
from proofs.losspass import alternatives as alternatives_proofs
from proofs.losspass import arbiter as arbiter_proofs
from proofs.losspass import eviction as eviction_proofs
from proofs.losspass import headroom as headroom_proofs
from proofs.losspass import loss_counts as loss_counts_proofs
from proofs.losspass import marking as marking_proofs
from proofs.losspass import reserve as reserve_proofs
from proofs.losspass import simulation as simulation_proofs
from proofs.losspass import testbed as losspass_testbed
from validation.losspass import senders as ack_clock


def altered(**changes: Any) -> dict[str, Any]:
    return dict(READINGS) | {"intended": replace(READINGS["intended"], **changes)}


def as_intended(name: str) -> dict[str, Any]:
    return dict(READINGS) | {name: READINGS["intended"]}


def refuses_nothing(self: Arbiter, packet: Any) -> str:
    return "" if self.large and packet.kind == "small" else "refused"


def marks_by_the_other_length(self: Arbiter, packet: Any) -> None:
    if self.settings.mark_small is not None and self.length_large > self.settings.mark_small:
        self.marked.add(packet.number)


def marks_always(self: Arbiter, packet: Any) -> None:
    self.marked.add(packet.number)


ALTERATIONS: list[Alteration] = [
    (eviction_proofs.the_one_victim_is_the_tail, "READINGS", altered(victim="head")),
    (losspass_proofs.whoever_evicts_is_small, "READINGS", altered(victim="none")),
    (
        losspass_proofs.with_line_10_mended_no_packet_is_enqueued_and_dropped,
        "READINGS",
        altered(line10_otherwise=False),
    ),
    (loss_counts_proofs.dropped_packets_were_never_buffered, "READINGS", altered(line10_otherwise=False)),
    (marking_proofs.with_line_15_mended_every_marked_packet_is_buffered, "READINGS", altered(line15_enqueued=False)),
    (losspass_proofs.whatever_fits_is_enqueued, "READINGS", altered(line12_limited=True)),
    (simulation_proofs.only_small_packets_at_a_full_port_differ, "READINGS", altered(line12_limited=True)),
    (packet_bursts.the_burst_is_the_floor_at_the_first_victim_that_stays, "READINGS", altered(line4_at_most=False)),
    (arbiter_proofs.lines_2_to_4_write_nothing, "READINGS", altered(line10_otherwise=False)),
    (reserve_proofs.with_a_reserve_of_a_packet_the_head_stays, "READINGS", altered(line4_at_most=False)),
    (reserve_proofs.a_port_full_of_small_packets_never_buffers_a_large_one, "READINGS", altered(line12_limited=True)),
    (marking_proofs.marks_are_set_at_the_tail_and_leave_from_it, "READINGS", altered(victim="head")),
    (reserve_proofs.the_limited_reading_keeps_what_the_reserve_holds, "READINGS", as_intended("limited")),
    (alternatives_proofs.struck_out_lines_leave_tail_drop, "READINGS", as_intended("droptail-2q")),
    (headroom_proofs.a_port_that_evicts_nothing_takes_what_is_free, "READINGS", as_intended("droptail-2q")),
    (losspass_testbed.what_a_reserve_lets_in_is_let_in_without_one, "READINGS", altered(line12_limited=True)),
    (losspass_proofs.every_printed_path_ends_in_the_marking_step, "READINGS", as_intended("literal")),
    (losspass_proofs.whoever_meets_an_overflow_in_the_print_is_lost, "READINGS", as_intended("literal")),
    (losspass_proofs.no_arrival_carries_a_port_beyond_its_buffer, (Arbiter, "_lines_2_to_4"), refuses_nothing),
    (loss_counts_proofs.refused_by_line_3_is_longer_than_the_tail, (Arbiter, "_lines_2_to_4"), refuses_nothing),
    (packet_bursts.a_full_port_with_a_short_tail_refuses_every_packet, (Arbiter, "_lines_2_to_4"), refuses_nothing),
    (headroom_proofs.a_mark_tells_that_the_length_exceeds_k, (Arbiter, "_mark"), marks_by_the_other_length),
    (marking_proofs.with_k_s_at_b_no_path_marks_a_small_packet, (Arbiter, "_mark"), marks_always),
    (losspass_proofs.no_packet_is_lost_from_the_books, (Arbiter, "_enqueue"), lambda *_: None),
    (reserve_proofs.starving_takes_a_small_packet_for_each_service, (Arbiter, "_served"), lambda self, _: self.large),
    (
        algorithm_proofs.line_4_returns_the_thresholds_that_it_was_given,
        "settle",
        lambda rules, T, q, queues, s: dynaq_engine.settle(rules, T, q, queues, s + s),
    ),
    (
        algorithm_proofs.line_1_alone_ends_the_algorithm_within_the_threshold,
        "algorithm1",
        lambda rules, T, q, p, s: dynaq_engine.algorithm1(rules, T, q, p, s + s),
    ),
    (
        algorithm_proofs.line_2_finds_the_largest_extra_of_any_queues,
        "find_victim",
        lambda _S, T, candidates, _tie="low": max(candidates, key=lambda i: T[i]),
    ),
    (
        hardware_proofs.the_masked_tournament_of_four_finds_line_2s_victim,
        "find_victim",
        lambda S, T, _, tie_break="low": dynaq_engine.find_victim(S, T, range(4), tie_break),
    ),
    (hardware_proofs.the_victim_is_not_the_sender, (dynaq_engine, "find_victim"), lambda *_: 0),
    (schemes_proofs.pql_looks_at_one_queue_only, (PQL, "admit"), BestEffort.admit),
    (schemes_proofs.pmsb_acts_on_both_conditions_only, (PMSB, "admit"), BestEffort.admit),
    (requirement_proofs.a_best_effort_buffer_belongs_to_whoever_fills_it, (BestEffort, "admit"), lambda *_: (True, ())),
    (
        isolation_proofs.every_round_serves_each_queue_by_its_weight,
        (WeightedRoundRobin, "pick"),
        lambda _, memory, __: (0, memory),
    ),
    (testbed_proofs.the_priority_queue_is_always_served_first, "PriorityOver", lambda _first, rest: rest),
    (eviction_proofs.the_worst_search_looks_at_every_packet, "look_ups", len),
    (
        arbiter_proofs.the_walk_to_the_tail_reads_n_minus_1_pointers,
        "remove_singly",
        lambda packets: arbiter_proofs.remove_doubly(arbiter_proofs.Memory.of(packets)),
    ),
    (
        arbiter_proofs.the_walk_to_the_tail_reads_n_minus_1_pointers,
        "remove_doubly",
        lambda _: arbiter_proofs.remove_singly(2),
    ),
]


@pytest.mark.parametrize("alteration", ALTERATIONS)
def test_an_altered_engine_fails_the_evidence(alteration: Alteration, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fails_altered(monkeypatch, alteration)


def acknowledges_with_ten(self: ack_clock.Sender, _number: int, _marked: bool) -> None:
    self.outstanding, self.window = self.outstanding - 1, 10


def test_a_run_of_the_packet_clock_that_exceeds_k_plus_n_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    ack_clock.observe.cache_clear()
    monkeypatch.setattr(ack_clock.Sender, "acknowledge", acknowledges_with_ten)
    with pytest.raises(AssertionError):
        ack_clock.observe(2, 2, 1)
    ack_clock.observe.cache_clear()
