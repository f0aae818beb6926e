"""The fluid engine against a plain second implementation, and the laws that every run obeys."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest
import reference_fluid
from fluid_cases import ZERO, Case, cases, rate_at, run_complete
from hypothesis import given, settings
from hypothesis import strategies as st

from dtmodel import DT, Arrivals, CompleteSharing, InputError, StaticPartition, Switch, simulate
from dtmodel.fluid import answer
from dtmodel.fluid.dynamics import OnThreshold
from dtmodel.fluid.engine import Engine

EXAMPLE = {
    "id": "example",
    "switch": {"ports": 2, "buffer": "6", "rate": "1"},
    "policy": {"name": "dt", "alpha": "1"},
    "queues": [
        {"arrivals": [["0", "3"], ["2", "0"]], "initial": "0"},
        {"arrivals": [["0", "2"]], "initial": "steady"},
    ],
    "until": "4",
    "sample": ["1/2", "1"],
}


def run(case: Case, number=Fraction):
    def convert(values):
        return [number(value) for value in values]

    engine = Engine(
        number,
        number(case.buffer),
        convert(case.rates),
        [(number(a), number(b)) for a, b in case.thresholds],
        [[(number(t), number(r)) for t, r in offer] for offer in case.offers],
        convert(case.initial),
        case.steady,
    )
    return engine.run(number(case.until))


def summary(case: Case, samples):
    free, queues = run(case)
    return {
        "first": [q.first_drop for q in queues],
        "free": [None if q.first_drop is None else free.at(q.first_drop) for q in queues],
        "dropped": [q.dropped() for q in queues],
        "drained": [q.drained() for q in queues],
        "rows": [[q.at(t) for q in queues] for t in samples],
    }


def grid(case: Case):
    return sorted({case.until * Fraction(k, 7) for k in range(8)})


@given(cases())
@settings(max_examples=400)
def test_the_engine_equals_the_definition(case):
    expected = reference_fluid.run(
        case.buffer, case.rates, case.thresholds, case.offers, case.initial, case.until, grid(case)
    )
    del expected["final"]
    assert summary(case, grid(case)) == expected


@given(cases(static=False))
@settings(max_examples=200)
def test_complete_sharing_equals_its_definition(case):
    free, queues = run_complete(case.buffer, case.rates, case.offers, case.initial, case.until)
    expected = reference_fluid.run_complete(case.buffer, case.rates, case.offers, case.initial, case.until, grid(case))
    assert [q.first_drop for q in queues] == expected["first"]
    assert [q.dropped() for q in queues] == expected["dropped"]
    assert [q.drained() for q in queues] == expected["drained"]
    assert [[q.at(t) for q in queues] for t in grid(case)] == expected["rows"]
    assert all(free.at(t) == case.buffer - sum(q.at(t) for q in queues) for t in grid(case))


@given(cases())
def test_bytes_are_conserved_in_every_queue(case):
    _, queues = run(case)
    for queue, offer, initial in zip(queues, case.offers, case.initial, strict=True):
        offered = Arrivals(offer).offered(case.until)
        assert initial + offered == queue.drained() + queue.dropped() + queue.at(case.until)


@given(cases())
def test_queues_are_never_negative_and_fit_the_buffer(case):
    free, queues = run(case)
    for time in {*grid(case), *free.times}:
        lengths = [q.at(time) for q in queues]
        assert min(lengths) >= 0
        assert sum(lengths) + free.at(time) == case.buffer
        assert free.at(time) >= 0


@given(cases(), st.sampled_from([Fraction(2), Fraction(1, 3), Fraction(10**6)]))
def test_scaling_the_bytes_scales_lengths_and_keeps_times(case, k):
    scaled = Case(
        case.buffer * k,
        [rate * k for rate in case.rates],
        [(a, b * k) for a, b in case.thresholds],
        [[(t, r * k) for t, r in offer] for offer in case.offers],
        [q * k for q in case.initial],
        case.steady,
        case.until,
    )
    before, after = summary(case, grid(case)), summary(scaled, grid(case))
    assert after["first"] == before["first"]
    assert after["dropped"] == [k * d for d in before["dropped"]]
    assert after["rows"] == [[k * q for q in row] for row in before["rows"]]


@given(cases(), st.sampled_from([Fraction(2), Fraction(1, 3), Fraction(1, 10**6)]))
def test_scaling_the_time_scales_times_and_keeps_lengths(case, k):
    scaled = Case(
        case.buffer,
        [rate / k for rate in case.rates],
        case.thresholds,
        [[(t * k, r / k) for t, r in offer] for offer in case.offers],
        case.initial,
        case.steady,
        case.until * k,
    )
    before, after = summary(case, grid(case)), summary(scaled, grid(scaled))
    assert after["first"] == [None if t is None else k * t for t in before["first"]]
    assert after["dropped"] == before["dropped"]
    assert after["rows"] == before["rows"]


@given(cases(), st.randoms(use_true_random=False))
def test_permuting_the_queues_permutes_the_results(case, rng):
    order = list(range(len(case.rates)))
    rng.shuffle(order)
    permuted = Case(
        case.buffer,
        [case.rates[i] for i in order],
        [case.thresholds[i] for i in order],
        [case.offers[i] for i in order],
        [case.initial[i] for i in order],
        [order.index(i) for i in case.steady],
        case.until,
    )
    before, after = summary(case, grid(case)), summary(permuted, grid(case))
    for key in ("first", "free", "dropped", "drained"):
        assert after[key] == [before[key][i] for i in order]


@given(cases(), st.integers(1, 6))
def test_splitting_the_time_axis_changes_nothing(case, seventh):
    """Restarting at any instant from the lengths reached there continues the same run."""
    cut = case.until * Fraction(seventh, 7)
    _, whole = run(case)
    rest = [[(ZERO, rate_at(offer, cut)), *((t - cut, r) for t, r in offer if t > cut)] for offer in case.offers]
    second = Case(case.buffer, case.rates, case.thresholds, rest, [q.at(cut) for q in whole], [], case.until - cut)
    _, after = run(second)
    for queue, later in zip(whole, after, strict=True):
        assert later.at(second.until) == queue.at(case.until)
        assert queue.dropped(cut) + later.dropped() == queue.dropped()
        assert queue.drained(cut) + later.drained() == queue.drained()


@given(cases())
def test_an_extra_idle_queue_changes_nothing(case):
    more = Case(
        case.buffer,
        [*case.rates, Fraction(1)],
        [*case.thresholds, (Fraction(1), ZERO)],
        [*case.offers, []],
        [*case.initial, ZERO],
        case.steady,
        case.until,
    )
    before, after = summary(case, grid(case)), summary(more, grid(case))
    assert [row[:-1] for row in after["rows"]] == before["rows"]
    assert after["first"] == [*before["first"], None]


def test_floats_that_fill_the_buffer_and_more_by_rounding_run_to_the_end():
    """In floats 5/7 + 1/7 exceeds 6/7: the burst gets what the two long queues give back."""
    full = Case(
        Fraction(6, 7),
        [Fraction(1)] * 3,
        [(Fraction(1), ZERO)] * 3,
        [[], [], [(ZERO, Fraction(2))]],
        [Fraction(5, 7), Fraction(1, 7), ZERO],
        [],
        Fraction(3),
    )
    _, exact = run(full)
    _, fast = run(full, float)
    assert sum(map(float, full.initial)) > float(full.buffer)
    for queue, quick in zip(exact, fast, strict=True):
        for time in grid(full):
            assert quick.at(float(time)) == pytest.approx(float(queue.at(time)), abs=1e-9)


@given(cases())
def test_the_float_engine_agrees_with_the_exact_one(case):
    """To 1e-9 of the buffer (of the larger of bytes offered and buffer for totals): rounding, not physics."""
    _, exact = run(case)
    _, fast = run(case, float)
    for queue, quick, offer in zip(exact, fast, case.offers, strict=True):
        scale = max(case.buffer, Arrivals(offer).offered(case.until))
        for time in grid(case):
            assert quick.at(float(time)) == pytest.approx(float(queue.at(time)), abs=1e-9 * float(case.buffer))
        assert quick.dropped() == pytest.approx(float(queue.dropped()), abs=1e-9 * float(scale))
        assert quick.drained() == pytest.approx(float(queue.drained()), abs=1e-9 * float(scale))


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(-3, 9)), min_size=1, max_size=6),
    st.integers(-9, 9),
)
def test_the_slope_of_the_free_buffer_solves_its_equation(queues, others):
    on = OnThreshold(Fraction)
    for index, (alpha, rate, growth) in enumerate(queues):
        on.add(index, Fraction(alpha, 3), ZERO, Fraction(-rate), Fraction(max(growth, -rate)), Fraction(1))
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
    assert answer(EXAMPLE) == {
        "id": "example",
        "first_drop": ["1", "0"],
        "free_at_first_drop": ["2", "3"],
        "queues": [["1", "5/2"], ["2", "2"]],
        "dropped": ["2", "4"],
        "drained": ["4", "4"],
    }


def test_a_queue_of_its_own_rate_and_alpha_is_served_and_bounded_by_them():
    document = EXAMPLE | {
        "queues": [{"arrivals": [[0, 5]], "rate": 2, "alpha": "1/2"}],
        "sample": [1],
        "until": 10,
    }
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
        ({"policy": {"name": "dt"}}, "policy.alpha"),
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
    with pytest.raises(InputError) as error:
        answer(EXAMPLE | change)
    assert error.value.field == field


@pytest.mark.parametrize("missing", ["switch", "policy", "queues", "until"])
def test_a_missing_part_of_a_scenario_is_named(missing):
    with pytest.raises(InputError, match="required"):
        answer({key: value for key, value in EXAMPLE.items() if key != missing})


def test_ports_outside_the_switch_are_refused():
    with pytest.raises(InputError, match="a port from 0 to 1"):
        simulate(Switch(2, 6, 1), DT(1), {2: Arrivals.constant(1)}, until=1)


def test_times_outside_the_run_are_refused():
    run = simulate(Switch(2, 6, 1), DT(1), {0: Arrivals.constant(1)}, until=1)
    with pytest.raises(InputError, match="where the run ends"):
        run.queue(0).at(2)


@pytest.mark.exhaustive
def test_the_engine_equals_the_definition_on_many_large_scenarios():
    rng = random.Random(1)
    for _ in range(300):
        n = rng.randint(10, 30)
        case = Case(
            Fraction(100),
            [Fraction(rng.randint(1, 3)) for _ in range(n)],
            [(Fraction(rng.randint(1, 9), rng.randint(1, 9)), ZERO) for _ in range(n)],
            [[(Fraction(t), Fraction(rng.randint(0, 6))) for t in range(0, 12, rng.randint(1, 4))] for _ in range(n)],
            [ZERO] * n,
            [],
            Fraction(12),
        )
        expected = reference_fluid.run(
            case.buffer, case.rates, case.thresholds, case.offers, case.initial, case.until, grid(case)
        )
        del expected["final"]
        assert summary(case, grid(case)) == expected
