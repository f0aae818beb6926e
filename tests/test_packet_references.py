"""Every packet algorithm agrees with a second implementation, written from the papers and the interface alone."""

from collections import Counter
from fractions import Fraction
from random import Random

import packet_cases
import packet_comparisons
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtmodel.base.units import bytes_
from dtmodel.strategies import trace_generator, traces

ENGINES = {
    "switch": packet_cases.switch,
    "edt_switch": packet_cases.switch,
    "priority_flow_control": packet_cases.priority_flow_control,
    "service": packet_cases.service,
}


@pytest.mark.parametrize("algorithm", trace_generator.ALGORITHMS)
@settings(max_examples=300)
@given(data=st.data())
def test_two_implementations_agree_on_traces(algorithm, data):
    ours, other = packet_comparisons.trace(data.draw(traces(algorithm)))
    assert ours == other


def test_two_implementations_agree_on_satisfaction_thresholds_that_are_not_shares_of_the_buffer():
    changed = 0
    for seed in range(80):
        drawn = trace_generator.draw_trace(Random(seed), "dynaq")
        document = drawn | {"bdp": str(bytes_(drawn["buffer"], "buffer") * Fraction(seed % 7 + 1, 5))}
        ours, other = packet_comparisons.trace(document)
        assert ours == other
        changed += ours != packet_comparisons.trace(drawn)[0]
    assert changed > 8


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=100)
@given(data=st.data())
def test_two_implementations_agree_on_engines(engine, data):
    case = data.draw(st.randoms(use_true_random=False).map(ENGINES[engine]))
    ours, other = getattr(packet_comparisons, engine)(case)
    assert ours == other


@pytest.mark.parametrize(
    ("algorithm", "expected"),
    [
        ("losspass", {"enqueue", "drop", "depart", "idle", "evict", "evict+drop"}),
        ("dynaq", {"enqueue", "drop", "depart", "idle"}),
        ("l2bm", {"enqueue", "depart", "idle"}),
        ("edt", {"enqueue", "drop", "depart", "idle"}),
    ],
)
def test_traces_make_every_decision_often(algorithm, expected):
    seen = Counter()
    for seed in range(200):
        ours, _ = packet_comparisons.trace(trace_generator.draw_trace(Random(seed), algorithm))
        seen.update(step[0] for step in (ours[0] if algorithm == "losspass" else ours))
    assert set(seen) == expected
    assert min(seen.values()) >= 8


def test_pools_make_every_decision_often():
    seen = Counter()
    for seed in range(200):
        ours, _ = packet_comparisons.priority_flow_control(packet_cases.priority_flow_control(Random(seed)))
        seen.update(step[0] for step in ours)
    assert set(seen) == {"enqueue", "headroom", "drop", "depart", "idle"}
    assert min(seen.values()) >= 8
