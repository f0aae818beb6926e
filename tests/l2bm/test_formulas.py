"""Break it on purpose: when a formula of L2BM is altered, some piece of its evidence fails."""

from fractions import Fraction
from typing import Any

import pytest
from altering import Alteration, alter, fails, fails_altered

from dtmodel.base.errors import ProverError
from dtmodel.packet import pfc
from dtmodel.packet.l2bm import algorithm as recorder
from dtmodel.theory import threshold_family
from dtmodel.theory.l2bm import formulas as l2bm
from proofs.l2bm import derivation as common
from proofs.l2bm import headroom as pools
from proofs.l2bm import incast as incast_proofs
from proofs.l2bm import pools as configurations
from proofs.l2bm import recorder as bookkeeping
from proofs.l2bm import sojourn as sojourn_proofs
from proofs.l2bm import steady_state as steady_state_proofs
from proofs.l2bm import thresholds as thresholds_proofs
from validation.l2bm import incast as incast_runs
from validation.l2bm import mixed_traffic as mixed_traffic_runs
from validation.l2bm import pools as pools_runs
from validation.l2bm import published as printed
from validation.l2bm import setup as setup_runs
from validation.l2bm import steady_state as fluid_checks
from validation.l2bm import steady_state as steady_state_runs
from validation.l2bm import thresholds as congestion

ENQUEUE, DEQUEUE, MEAN = recorder.enqueue, recorder.dequeue, recorder.mean


def without_elapsed(state: Any, now: Any, queue_out: Any, rate: Any) -> Any:
    return ENQUEUE(state, now, queue_out, rate)._replace(total=state.total + queue_out / rate)


def twice(state: Any, now: Any, due: Any = None, *, reading: str = "literal") -> Any:
    after = DEQUEUE(state, now, due, reading=reading)
    return after._replace(total=after.total - (now - state.updated))


def clocked_always(state: Any, now: Any, due: Any = None, *, reading: str = "literal") -> Any:
    return DEQUEUE(state, now, due, reading=reading)._replace(updated=now)


def stale_mean(state: Any, now: Any, **_reading: str) -> Any:
    return MEAN(state, now)


ALTERATIONS: list[Alteration] = [
    (bookkeeping.the_printed_total_by_induction, "enqueue", without_elapsed),
    (bookkeeping.the_printed_total_by_induction, "dequeue", twice),
    (bookkeeping.the_clocked_total_by_induction, "dequeue", twice),
    (bookkeeping.the_stamped_total_by_induction, "dequeue", twice),
    (bookkeeping.the_reset_total_by_induction, "dequeue", twice),
    (bookkeeping.counters_and_clock_step_by_step, "dequeue", clocked_always),
    (bookkeeping.the_corrected_reading_is_the_clocked_average, "mean", stale_mean),
    (steady_state_proofs.steady_threshold_below_dt_iff, (l2bm, "normaliser"), lambda times, _how="sum": min(times)),
    (thresholds_proofs.weights_depend_on_ratios_only, (l2bm, "normaliser"), lambda _times, _how="sum": Fraction(1)),
    (
        congestion.five_normalisations_give_five_different_divisions,
        (l2bm, "normaliser"),
        lambda times, _how="sum": sum(times),
    ),
    (
        fluid_checks.the_fluid_engine_drops_when_the_closed_form_says,
        (threshold_family, "fall_rate"),
        lambda _held, inflow: inflow,
    ),
    (congestion.queues_above_their_thresholds, "run_pools", lambda given, events: pfc.run_pools(given, events[:1])),
    (pools.no_more_than_the_headroom_arrives, "pfc_headroom", lambda link: pfc.pfc_headroom(link) - 1),
]


@pytest.mark.parametrize("alteration", ALTERATIONS)
def test_an_altered_formula_fails_its_evidence(monkeypatch: pytest.MonkeyPatch, alteration: Alteration) -> None:
    assert not fails(alteration[0])
    assert fails_altered(monkeypatch, alteration)


def test_altered_numbers_fail_their_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(printed.PAUSES, "L2BM", (6, 9, 800, 4, 60))
    monkeypatch.setitem(printed.REDUCTIONS, "sec4b.average.DT2", 56)  # rounded, as DT's 55 may be
    monkeypatch.setitem(printed.REDUCTIONS, "sec4b.tail15.DT2", 51)
    monkeypatch.setitem(printed.TOPOLOGY, "tor", 3)
    for evidence in (
        mixed_traffic_runs.from_load_0_5_on_l2bm_pauses_least,
        mixed_traffic_runs.l2bm_pauses_less_than_a_tenth_of_dt,
        incast_runs.dt2_is_worse_than_dt,
        mixed_traffic_runs.delay_headline_is_the_number_against_dt2,
        mixed_traffic_runs.tail_reduction_is_the_headline_against_dt_and_dt2,
        setup_runs.ten_switches,
        setup_runs.one_hundred_and_twenty_eight_servers,
    ):
        assert fails(evidence), evidence


def test_a_reserve_that_delays_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    alter(monkeypatch, "l2bm", "burst_first_drop", lambda *_args: Fraction(1))
    assert fails(configurations.a_reserve_fills_before_the_pool_is_touched)


def test_certificates_refuse_a_minus_sign_and_a_false_identity() -> None:
    import sympy

    x, y = sympy.symbols("x y", positive=True)
    assert common.nonnegative(x + y, strict=True)
    for bad in (x - y, (x + y) / (x - y), x - x):
        with pytest.raises(ProverError):
            common.nonnegative(bad, strict=True)
    with pytest.raises(AssertionError):
        common.identity(x, y, "no identity")


def test_an_altered_latency_or_pool_fails_its_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(
        map(
            fails,
            (
                incast_runs.the_bound_on_the_average_latency_grows_sevenfold,
                steady_state_proofs.a_queue_that_gains_reaches_its_threshold,
            ),
        )
    )
    monkeypatch.setitem(incast_runs.AVERAGES, 15, Fraction("0.5"))
    alter(monkeypatch, "l2bm", "answer", lambda *_args: {"queues": [["29"], ["30"]], "first_drop": ["30"]})
    alter(monkeypatch, "l2bm", "_egress_drop", lambda: ("enqueue", "enqueue"))
    assert fails(incast_runs.the_bound_on_the_average_latency_grows_sevenfold)
    assert fails(steady_state_proofs.a_queue_that_gains_reaches_its_threshold)
    assert fails(pools_runs.the_egress_threshold_discards_a_lossless_packet)


def test_an_altered_recorder_or_normalisation_fails_its_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = (sojourn_proofs.one_packet_makes_the_average_long, steady_state_runs.a_new_average_moves_the_occupancy,
               incast_proofs.a_burst_takes_buffer_from_the_queue_that_it_hits)  # fmt: skip
    assert not any(map(fails, checked))
    monkeypatch.setattr(l2bm, "normaliser", lambda times, _how="sum": min(times))
    alter(monkeypatch, "l2bm", "run_trace", lambda _request: {"final": {"mean": "1"}})
    assert all(map(fails, checked))
