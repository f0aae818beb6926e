"""Complete sharing in the fluid model: the common fraction, the full buffer, floats beside exact numbers."""

from fractions import Fraction
from itertools import pairwise

import pytest
from fluid_cases import run_complete

from dtmodel import CompleteSharing, Switch, simulate
from dtmodel.fluid.switch import Arrivals
from dtmodel.policies.complete import admitted_fraction


@pytest.mark.parametrize("number", [Fraction, float])
def test_every_number_of_a_run_has_the_type_of_the_run(number):
    rates, offered = [number(1), number(1)], [number(3), number(1)]
    for empty in ([False, False], [True, True]):
        assert type(admitted_fraction(rates, offered, empty)) is number
    offers = [[(number(0), number(3))], [(number(1), number(1))]]
    free, queues = run_complete(number(4), rates, offers, [number(0), number(0)], number(5))
    found = [*free.times, *free.values, *(time for queue in queues for time in queue.breakpoints)]
    for queue in queues:
        found += [queue.dropped(), queue.dropped(number(0)), queue.drained(), queue.drained(number(0))]
        found += [*(queue.at(time) for time in free.times)]
        for segment in queue.segments:
            found += [segment.begin, segment.length, segment.slope, segment.loss, segment.drain]
    assert {type(value) for value in found} == {number}


def test_empty_queues_that_are_offered_no_more_than_their_rates_are_admitted_whole():
    assert admitted_fraction([Fraction(1)], [Fraction(1)], [True]) is None
    assert admitted_fraction([Fraction(1), Fraction(2)], [Fraction(1), Fraction(0)], [True, True]) is None
    assert admitted_fraction([Fraction(1)], [Fraction(0)], [False]) is None


def test_a_full_buffer_stays_full_to_the_last_bit_in_floats():
    """0.1 and 0.2 and 0.3 add up to something else in floats; what is full must not look as if it had room."""
    offers = [[(0.1 * k, 0.3 + 0.1 * (k % 3)) for k in range(40)] for _ in range(3)]
    free, queues = run_complete(0.7, [0.1, 0.2, 0.3], offers, [0.1, 0.0, 0.2], 4.0)
    filled = next(time for time, value in zip(free.times, free.values, strict=True) if value == 0)
    assert 0 < filled < 1
    assert {value for time, value in zip(free.times, free.values, strict=True) if time >= filled} == {0.0}
    assert all(queue.first_drop == filled for queue in queues)


@pytest.mark.parametrize("buffer", [0.7, 1.1, 1.3, 1.7, 2.3])
def test_a_buffer_that_fills_is_full_to_the_last_bit_in_floats(buffer):
    offers = [[(0.0, 0.3)], [(0.0, 0.4)], [(0.0, 0.5)]]
    free, _ = run_complete(buffer, [0.1, 0.2, 0.3], offers, [0.1, 0.0, 0.2], 10.0)
    assert free.values[0] > 0
    assert set(free.values[1:]) == {0.0}


def test_an_idle_queue_that_is_offered_less_than_its_rate_is_no_kink():
    """Two queues, one empty: while it is offered less than it can send it takes nothing from the buffer."""
    half = Fraction(1, 2)
    assert admitted_fraction([Fraction(1), Fraction(1)], [Fraction(4), half], [False, True]) == Fraction(1, 4)
    assert admitted_fraction([Fraction(1), Fraction(1)], [Fraction(1), Fraction(4)], [False, True]) == Fraction(2, 5)


def test_a_full_buffer_whose_queues_drain_admits_everything():
    switch = Switch(2, 4, 1)
    run = simulate(switch, CompleteSharing(), {0: Arrivals([(0, 1), (1, 0)])}, initial={0: 3, 1: 1}, until=3)
    assert (run.dropped(0), run.dropped(1), run.free.at(Fraction(1))) == (0, 0, 1)
    assert all(a < b for a, b in pairwise(run.free.times))
