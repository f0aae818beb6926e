"""One phase of the fluid model: which queues stay on their thresholds."""

from fractions import Fraction
from itertools import product

import pytest

from dtmodel.fluid.dynamics import OnThreshold

QUEUES = list(product([Fraction(1, 3), Fraction(2)], [1, 2], [-2, -1, 0, 1]))
"""(alpha, C, R - C) of a queue on its threshold, R - C never below -C."""


class Unordered(Fraction):
    """A number as symbols are: whoever wants the least asks it, and nothing else is put in order."""

    earliest_of = staticmethod(min)


NUMBERS = pytest.mark.parametrize("number", [Fraction, Unordered])


@NUMBERS
@pytest.mark.parametrize("others", range(-4, 5, 2))
def test_the_queues_that_leave_their_thresholds_are_those_that_cannot_follow(others, number):
    """For every pair and some triples: the slope solves the equation, and exactly the clipped queues leave."""
    pairs = list(product(QUEUES, repeat=2))
    for chosen in [*pairs, *((a, b, QUEUES[0]) for a, b in pairs), *((a, b, QUEUES[-1]) for a, b in pairs)]:
        on = OnThreshold(number)
        for index, (alpha, rate, growth) in enumerate(chosen):
            on.add(index, alpha, Fraction(0), Fraction(-rate), Fraction(max(growth, -rate)), Fraction(1))
        slope, fell, rose = on.settle(Fraction(others))
        follow = [alpha * slope for alpha, _, _ in chosen]
        least, most = [-rate for _, rate, _ in chosen], [max(growth, -rate) for _, rate, growth in chosen]
        clipped = [max(low, min(high, f)) for f, low, high in zip(follow, least, most, strict=True)]
        assert slope + others + sum(clipped) == 0
        assert set(fell) == {i for i, f in enumerate(follow) if f < least[i]}
        assert set(rose) == {i for i, f in enumerate(follow) if f >= least[i] and f >= most[i]}
        staying = set(range(len(chosen))) - set(fell) - set(rose)
        assert on.slopes == sum((chosen[i][0] for i in staying), Fraction(0))
        assert all(i in on for i in staying)


@NUMBERS
def test_a_queue_that_could_follow_is_not_let_go_for_one_that_falls(number):
    """At F' = -25/7 queues 1 and 2 drain at their rates and queue 0 follows; the first guess has it rise."""
    on = OnThreshold(number)
    for index, (alpha, least, most) in enumerate([(Fraction(2, 5), -5, -1), (Fraction(3, 2), -3, -2), (6, -8, -8)]):
        on.add(index, Fraction(alpha), Fraction(0), Fraction(least), Fraction(most), Fraction(1))
    slope, fell, rose = on.settle(Fraction(16))
    assert (slope, set(fell), rose) == (Fraction(-25, 7), {1, 2}, [])


@NUMBERS
def test_a_queue_that_was_removed_or_added_again_leaves_as_it_is_now(number):
    on = OnThreshold(number)
    for index, most in enumerate((1, 2, 3)):
        on.add(index, Fraction(1), Fraction(0), Fraction(-1), Fraction(most), Fraction(1))
    on.remove(1)
    on.remove(2)
    on.add(2, Fraction(1), Fraction(0), Fraction(-4), Fraction(3), Fraction(1))
    assert on.settle(Fraction(6)) == (Fraction(-5, 2), [0], [])
    assert [index in on for index in range(3)] == [False, False, True]
