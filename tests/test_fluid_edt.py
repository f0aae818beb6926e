"""Fluid EDT against a plain second implementation of its definition."""

from __future__ import annotations

from fractions import Fraction

import reference_edt
from fluid_cases import ZERO, cases, edt_engine
from hypothesis import given, settings
from hypothesis import strategies as st

from dtmodel.fluid import answer

timers = st.none() | st.builds(Fraction, st.integers(1, 8), st.sampled_from([1, 2]))
counts = st.builds(Fraction, st.integers(1, 8), st.sampled_from([1, 2, 4]))


@given(cases(static=False), counts, timers, timers)
@settings(max_examples=500)
def test_the_edt_engine_equals_the_definition(case, cn2, tm1, tm2):
    grid = sorted({case.until * Fraction(k, 7) for k in range(8)})
    alphas = [alpha for alpha, _ in case.thresholds]
    expected = reference_edt.run(
        case.buffer, alphas, case.rates, case.offers, case.initial, case.until, cn2, tm1, tm2, grid
    )
    engine = edt_engine(
        Fraction,
        case.buffer,
        case.rates,
        case.thresholds,
        case.offers,
        case.initial,
        steady=case.steady,
        cn2=cn2,
        tm1=tm1,
        tm2=tm2,
    )
    free, queues = engine.run(case.until)
    assert [q.first_drop for q in queues] == [t if t is None or t < case.until else None for t in expected["first"]]
    assert [q.dropped() for q in queues] == expected["dropped"]
    assert [[q.at(t) for q in queues] for t in grid] == expected["rows"]
    assert all(free.at(t) >= ZERO for t in free.times)


def test_the_burst_of_figure_12_fits_an_edt_switch():
    """One burst of 2 Gbps for 6 ms beside two steady ports: lossless under EDT, lost from 2 ms on under DT."""
    two = {"arrivals": [[0, "2 Gbps"]], "initial": "steady"}
    document = {
        "switch": {"ports": 16, "buffer": "1 MB", "rate": "1 Gbps"},
        "queues": [{"arrivals": [[0, "2 Gbps"], ["6 ms", 0]]}, two, two],
        "until": "20 ms",
    }
    edt = {"name": "edt", "alpha": 1, "cn2": 12000, "tm1": "2.1 ms", "tm2": "10 ms"}
    assert answer(document | {"policy": edt})["first_drop"][0] is None
    assert answer(document | {"policy": {"name": "dt", "alpha": 1}})["first_drop"][0] == "1/500"


def test_a_timer_that_always_expires_first_makes_edt_dt_however_short_it_is():
    document = {
        "switch": {"ports": 2, "buffer": 6, "rate": 1},
        "queues": [{"arrivals": [[0, 3], [2, 0]]}, {"arrivals": [[0, 2]]}],
        "until": 4,
        "sample": ["1/3", 2, 3],
    }
    edt = {"name": "edt", "alpha": 1, "cn2": 1}
    expected = answer(document | {"policy": {"name": "dt", "alpha": 1}})
    for tm1 in ("1/3", "1e-9", "1e-400"):
        assert answer(document | {"policy": edt | {"tm1": tm1}}) == expected


def test_a_timer_that_expired_many_times_leaves_the_count_of_its_last_period():
    """TM1 = 3/4 s at a growth of 1: at 2 s c2 has counted since 3/2 s; the growth of 2 then reaches cn2 = 1 first."""
    document = {
        "switch": {"ports": 1, "buffer": 100, "rate": 1},
        "policy": {"name": "edt", "alpha": "1/8", "cn2": 1, "tm1": "3/4"},
        "queues": [{"arrivals": [[0, 2], [2, 3]]}],
        "until": 60,
    }
    assert answer(document)["first_drop"] == ["51"]
    assert answer(document | {"policy": {"name": "dt", "alpha": "1/8"}})["first_drop"] == ["59/9"]
