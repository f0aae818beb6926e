"""The fluid engine: its scalar equation, documented examples, and what it refuses."""

from fractions import Fraction
from itertools import pairwise

import pytest
from fluid_cases import ANSWER, EXAMPLE
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from dtmodel import DT, Arrivals, CompleteSharing, InputError, Scenario, StaticPartition, Switch, simulate
from dtmodel.fluid import answer, run_scenario
from dtmodel.fluid.dynamics import OnThreshold


def test_floats_that_fill_the_buffer_and_more_by_rounding_run_to_the_end():
    """In floats 5/7 + 1/7 exceeds 6/7: the burst gets what the two long queues give back."""
    held, burst = ({"arrivals": [], "initial": q} for q in ("5/7", "1/7")), {"arrivals": [["0", "2"]]}
    switch = {"ports": 3, "buffer": "6/7", "rate": "1"}
    document = {"switch": switch, "policy": {"name": "dt", "alpha": "1"}, "queues": [*held, burst], "until": "3"}
    exact, fast = (run_scenario(Scenario.read(document), number) for number in (Fraction, float))
    assert 5 / 7 + 1 / 7 > 6 / 7
    for queue, quick in zip(exact.queues, fast.queues, strict=True):
        for place in range(8):
            assert quick.at(3.0 * place / 7) == pytest.approx(float(queue.at(Fraction(3 * place, 7))), abs=1e-9)


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(-3, 9)), min_size=1, max_size=6),
    st.integers(-9, 9),
)
def test_the_slope_of_the_free_buffer_solves_its_equation(queues, others):
    on = OnThreshold(Fraction)
    for index, (alpha, rate, growth) in enumerate(queues):
        on.add(index, Fraction(alpha, 3), Fraction(0), Fraction(-rate), Fraction(max(growth, -rate)), Fraction(1))
    slope, fell, rose = on.settle(Fraction(others))
    clipped = [
        max(Fraction(-rate), min(Fraction(max(growth, -rate)), Fraction(alpha, 3) * slope))
        for alpha, rate, growth in queues
    ]
    assert slope + others + sum(clipped) == 0
    for index, (alpha, rate, growth) in enumerate(queues):
        follows = Fraction(alpha, 3) * slope
        assert (index in fell) == (follows < -rate)
        assert (index in rose) == (-rate <= follows and follows >= max(growth, -rate))


def test_the_documented_example_has_the_documented_answer():
    assert answer(EXAMPLE) == ANSWER


def test_a_queue_of_its_own_rate_and_alpha_is_served_and_bounded_by_them():
    document = EXAMPLE | {"queues": [{"arrivals": [[0, 5]], "rate": 2, "alpha": "1/2"}], "sample": [1], "until": 10}
    assert answer(document)["queues"] == [["2"]]
    assert answer(document)["first_drop"] == ["2/3"]


def test_a_static_partition_drops_at_its_own_size():
    run = simulate(Switch(2, 10, 1), StaticPartition([4, 6]), {0: Arrivals.constant(3)}, until=5)
    assert (run.first_drop(0), run.free_at_first_drop(0), run.dropped(0)) == (2, 6, 6)
    assert run.queue(0).threshold_at(1) == 4


def test_complete_sharing_drops_only_when_the_buffer_is_full():
    run = simulate(Switch(2, 4, 1), CompleteSharing(), {0: Arrivals.constant(3), 1: Arrivals.constant(1)}, until=4)
    assert (run.first_drop(0), run.first_drop(1)) == (2, 2)
    assert run.free_at_first_drop(0) == 0


def test_breakpoints_delimit_linear_pieces():
    run = simulate(
        Switch(2, 6, 1), DT(1), {0: Arrivals.burst(3, 2), 1: Arrivals.constant(2)}, initial={1: "steady"}, until=4
    )
    for port in (0, 1):
        points = run.queue(port).breakpoints
        for left, right in pairwise(points):
            middle = (run.queue(port).at(left) + run.queue(port).at(right)) / 2
            assert run.queue(port).at((left + right) / 2) == middle


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"switch": {"ports": 0, "buffer": 6, "rate": 1}}, "switch.ports"),
        ({"switch": {"ports": 2, "buffer": 0, "rate": 1}}, "switch.buffer"),
        ({"switch": {"ports": 2, "buffer": 6, "rate": "0"}}, "switch.rate"),
        ({"switch": {"ports": 2, "buffer": 6}}, "switch.rate"),
        ({"switch": {"ports": 2, "buffer": 6, "rate": 1, "speed": 1}}, "switch.speed"),
        ({"switch": {"ports": 1, "buffer": 6, "rate": 1}}, "queues"),
        ({"policy": {"name": "dt", "alpha": "-1"}}, "policy.alpha"),
        ({"policy": {"name": "dt", "alpha": 0}}, "policy.alpha"),
        ({"policy": {"name": "dtt", "alpha": 1}}, "policy.name"),
        ({"policy": {"name": "static", "sizes": [1]}}, "policy.sizes"),
        ({"policy": {"name": "static", "sizes": [4, 4]}}, "policy.sizes"),
        ({"policy": {"name": "complete", "alpha": 1}}, "policy.alpha"),
        ({"policy": {"name": "complete"}}, "queues[1].initial"),
        ({"queues": [{"arrivals": [[0, -1]]}]}, "queues[0].arrivals[0][1]"),
        ({"queues": [{"arrivals": [[1, 1], [1, 2]]}]}, "queues[0].arrivals[1][0]"),
        ({"queues": [{"arrivals": [[0, "NaN"]]}]}, "queues[0].arrivals[0][1]"),
        ({"queues": [{"arrivals": [["Infinity", 1]]}]}, "queues[0].arrivals[0][0]"),
        ({"queues": [{"arrivals": [[0]]}]}, "queues[0].arrivals[0]"),
        ({"queues": [{"arrivals": "all"}]}, "queues[0].arrivals"),
        ({"queues": [{"initial": 7}]}, "queues.initial"),
        ({"queues": [{"initial": "steady"}]}, "queues[0]"),
        ({"queues": [{"color": 1}]}, "queues[0].color"),
        ({"queues": {}}, "queues"),
        ({"until": 0}, "until"),
        ({"until": "4 GB"}, "until"),
        ({"sample": [5]}, "sample"),
        ({"id": True}, "id"),
        ({"extra": 1}, "extra"),
    ],
)
def test_bad_scenarios_name_the_field(change, field):
    with refused(field):
        answer(EXAMPLE | change)


@pytest.mark.parametrize("missing", ["switch", "policy", "queues", "until"])
def test_a_missing_part_of_a_scenario_is_named(missing):
    with pytest.raises(InputError, match="missing"):
        answer({key: value for key, value in EXAMPLE.items() if key != missing})


def test_ports_outside_the_switch_are_refused():
    with pytest.raises(InputError, match="a port from 0 to 1"):
        simulate(Switch(2, 6, 1), DT(1), {2: Arrivals.constant(1)}, until=1)


def test_times_outside_the_run_are_refused():
    run = simulate(Switch(2, 6, 1), DT(1), {0: Arrivals.constant(1)}, until=1)
    with pytest.raises(InputError, match="where the run ends"):
        run.queue(0).at(2)


@pytest.mark.parametrize("arithmetic", ["exact", "float"])
def test_the_free_buffer_and_a_queue_take_times_alike(arithmetic: str) -> None:
    run = simulate(Switch(2, 10, 1), DT(1), {0: Arrivals.constant(3)}, until=5, arithmetic=arithmetic)
    for time in ("1000 ms", "1/2", 2, 0.25, Fraction(3, 4)):
        assert run.free.at(time) == 10 - run.queue(0).at(time)
    for time in ("-1", "6 s", "noon", float("nan"), None):
        for each in (run.free, run.queue(0)):
            with refused("time"):
                each.at(time)
