"""The exhaustive checks of Algorithm 1 on a larger domain than the ledger's: four events, and longer coupled traces."""

from functools import cache
from itertools import product
from typing import Any

import pytest
from altering import alter

from dtmodel.ledger import Agrees
from validation.losspass import absorption as absorption_runs
from validation.losspass import algorithm as algorithm_runs
from validation.losspass import arbiter as arbiter_runs
from validation.losspass import eviction as eviction_runs
from validation.losspass import eviction as same_size
from validation.losspass import histories as common
from validation.losspass import marking as marking_runs
from validation.losspass import reserve as reserve_runs
from validation.losspass import simulation as simulation_runs

Mark = tuple[int | None, int | None, int | None]

WIDER = [
    algorithm_runs.overflow_is_what_does_not_fit,
    algorithm_runs.only_small_packets_evict_and_only_the_tail,
    algorithm_runs.what_fits_is_enqueued,
    algorithm_runs.with_line_10_mended_the_packet_stays,
    algorithm_runs.in_the_print_every_packet_reaches_the_marking_step,
    marking_runs.with_line_15_mended_only_buffered_packets_are_marked,
    algorithm_runs.the_print_saves_nothing,
    absorption_runs.with_small_packets_only_it_is_tail_drop,
    simulation_runs.losspass_and_droptail_2q_differ_at_a_full_port_only,
    eviction_runs.the_decision_depends_on_the_queues_only,
    eviction_runs.a_missed_chance_is_a_refusal_of_line_3,
    arbiter_runs.evicting_the_head_makes_room_as_well,
    reserve_runs.the_limited_reading_keeps_the_limit,
    reserve_runs.evictions_respect_the_reserve,
]


@cache
def wider(reading: str, mark: Mark = (None, None, None)) -> list[common.History]:
    return list(common.histories(reading, 4, (1, 2, 3), mark=mark))


@pytest.mark.exhaustive
@pytest.mark.parametrize("evidence", WIDER)
def test_the_ledgers_exhaustive_checks_hold_for_four_events(evidence: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    alter(monkeypatch, "losspass", "all_histories", wider)
    outcome = evidence()
    assert isinstance(outcome, Agrees)
    assert outcome.cases > 10_000


@pytest.mark.exhaustive
@pytest.mark.parametrize("B", [1, 2, 3, 4])
def test_the_same_size_theorem_holds_for_seven_events(B: int) -> None:
    for trace in product(same_size.LETTERS, repeat=7):
        for B_l in {0, 1, B}:
            same_size.compare_losses(B, B_l, trace, "droptail-2q")
