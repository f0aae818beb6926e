"""The streams of packets: constant, Poisson, on and off, merged; with gaps that are known."""

import random
from collections.abc import Iterable
from fractions import Fraction
from math import exp, sqrt

import pytest

from dtmodel.packet.arrivals import constant, listed, merge, poisson
from validation.support.edt.on_off import lognormal_on_off

F = Fraction


class Told(random.Random):
    """A source of randomness that returns what it is told, and remembers what it was asked for."""

    def __init__(self, durations: Iterable[float] = ()) -> None:
        super().__init__(0)
        self.durations = list(durations)
        self.asked: list[tuple[float, float]] = []

    def expovariate(self, lambd: float = 1.0) -> float:
        """Every exponential gap is its mean."""
        return 1 / lambd

    def lognormvariate(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """Each duration is the next one of the list."""
        self.asked.append((mu, sigma))
        return self.durations.pop(0)


def test_a_stream_starts_and_stops_when_it_is_told_to() -> None:
    assert list(constant(F(1), F(1), start=F(2), stop=F(4), burst=7)) == [(3, 1, 7), (4, 1, 7)]


def test_a_poisson_stream_whose_gaps_are_their_mean_is_a_constant_stream() -> None:
    assert list(poisson(4.0, 2.0, Told(), stop=2.0)) == [(t, 2.0, None) for t in (0.5, 1.0, 1.5, 2.0)]


def test_on_and_off_periods_take_turns_beginning_with_off() -> None:
    """OFF until 1, ON until 3, OFF until 6, ON until 7, OFF until 9, where the stream ends: nothing more is drawn."""
    rng = Told([1, 2, 3, 1, 2])
    packets = list(lognormal_on_off(2.0, 1.0, 4.0, 5.0, rng, stop=9.0))
    assert packets == [(t, 1.0, 0) for t in (1.5, 2.0, 2.5, 3.0)] + [(t, 1.0, 1) for t in (6.5, 7.0)]
    assert rng.durations == []


def test_a_burst_is_cut_off_where_the_stream_ends() -> None:
    assert list(lognormal_on_off(1.0, 1.0, 4.0, 5.0, Told([1, 9, 9]), stop=3.5)) == [(2.0, 1.0, 0), (3.0, 1.0, 0)]


@pytest.mark.parametrize(("keywords", "spread"), [({}, 1.0), ({"spread": 2.0}, 2.0), ({"spread": 0.5}, 0.5)])
def test_the_durations_have_the_means_and_the_spread_that_are_asked_for(
    keywords: dict[str, float], spread: float
) -> None:
    """exp(N(mu, sigma^2)) has the mean exp(mu + sigma^2/2), and the deviation sqrt(exp(sigma^2) - 1) times as large."""
    rng = Told([1, 2, 9])
    list(lognormal_on_off(2.0, 1.0, 4.0, 5.0, rng, stop=6.0, **keywords))
    moments = [(exp(mu + sigma**2 / 2), sqrt(exp(sigma**2) - 1)) for mu, sigma in rng.asked]
    assert moments == [pytest.approx((mean, spread)) for mean in (5.0, 4.0, 5.0)]


def test_streams_are_merged_by_time_and_not_by_size() -> None:
    one, other = [(0, 9), (2, 1), (3, 8)], [(1, 5), (3, 2)]
    assert [size for _, size, _ in merge(listed(one), listed(other))] == [9, 5, 1, 8, 2]
