"""What the mutants of the packet engine and its arrivals taught: whole runs by hand, and streams with known gaps."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from math import exp, sqrt
from typing import Any

import pytest

from dtmodel.packet.arrivals import constant, listed, lognormal_on_off, merge, poisson
from dtmodel.packet.dt import DtPolicy
from dtmodel.packet.engine import Lost, Result, run

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


def test_each_port_has_its_own_alpha() -> None:
    policy = DtPolicy([1, 3])
    assert [policy.admits(port, 2, 2, 0) for port in (0, 1)] == [False, True]


class Recorded:
    """A policy that admits all but what arrives at `refused`, and writes down what it is asked and told."""

    def __init__(self, refused: frozenset[Any] = frozenset()) -> None:
        self.refused = refused
        self.said: list[tuple[Any, ...]] = []

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        self.said.append(("admits", now, port, length, free))
        return now not in self.refused

    def enqueued(self, port: int, size: Any, now: Any) -> None:
        self.said.append(("enqueued", now, port, size))

    def dequeued(self, port: int, size: Any, now: Any) -> None:
        self.said.append(("dequeued", now, port, size))

    def dropped(self, port: int, now: Any) -> None:
        self.said.append(("dropped", now, port))

    def overflowed(self, now: Any) -> None:
        self.said.append(("overflowed", now))


def test_two_ports_followed_by_hand() -> None:
    """Port 0 (1 byte/s) holds 1 and 2 bytes at first, port 1 (2 bytes/s) gets 4; all share 10 bytes.

    At 2 a packet of 4 does not fit beside 2 + 4 + 3; at 3 the policy refuses one.
    """
    policy = Recorded(refused=frozenset({F(3)}))
    streams = [[(F(1, 2), F(3), None), (F(2), F(4), 5)], [(F(1, 4), F(4), 6), (F(3), F(1), 7), (F(99), F(1), None)]]
    done = run(buffer=F(10), rates=[F(1), F(2)], policy=policy, streams=streams, until=F(9), initial=[[F(1), F(2)], []])
    quarter = F(1, 4)
    assert policy.said == [
        ("admits", quarter, 1, 0, 7), ("enqueued", quarter, 1, 4),
        ("admits", F(1, 2), 0, 3, 3), ("enqueued", F(1, 2), 0, 3),
        ("dequeued", 1, 0, 1),
        ("overflowed", 2), ("dropped", 2, 0),
        ("dequeued", 2 + quarter, 1, 4),
        ("dequeued", 3, 0, 2), ("admits", 3, 1, 0, 7), ("dropped", 3, 1),
        ("dequeued", 6, 0, 3),
    ]  # fmt: skip
    lost = [Lost(F(2), 0, 5, F(4), F(1)), Lost(F(3), 1, 7, F(1), F(7))]
    assert done == Result(offered=[F(7), F(5)], sent=[F(6), F(4)], lost=lost, samples=[])
    assert (done.first_drop(0), done.first_drop(1)) == tuple(lost)
    assert [done.dropped(port) for port in (0, 1)] == [4, 1]


def test_what_happens_at_the_end_still_counts_and_what_comes_later_does_not() -> None:
    streams = [[(F(0), F(1), None), (F(2), F(1), None)]]
    runs = [run(buffer=9, rates=[1], policy=Recorded(), streams=streams, until=end) for end in (F(1), F(3, 2), F(2))]
    assert [done.sent for done in runs] == [[1], [1], [1]]
    assert [done.offered for done in runs] == [[1], [1], [2]]


def test_a_sample_shows_the_lengths_after_all_that_happens_at_its_instant() -> None:
    """Port 0 gets 2 bytes at 0 and 1, and sends until 2 and 4; port 1 gets 3 bytes at 1/2, and sends until 7/2."""
    streams = [[(F(0), F(2), None), (F(1), F(2), None)], [(F(1, 2), F(3), None), (F(9), F(1), None)]]
    done = run(buffer=99, rates=[1, 1], policy=Recorded(), streams=streams, until=F(9), sample=1)
    assert done.samples[:5] == [(0, (2, 0)), (1, (4, 3)), (2, (2, 3)), (3, (2, 3)), (4, (0, 0))]
    assert [time for time, _ in done.samples] == list(range(9))
    late = run(buffer=99, rates=[1, 1], policy=Recorded(), streams=streams, until=F(9), sample=2, sample_from=F(1))
    assert late.samples[:2] == [(1, (4, 3)), (3, (2, 3))]


def test_without_a_period_nothing_is_sampled() -> None:
    assert run(buffer=9, rates=[1], policy=Recorded(), streams=[[(0, 1, None)]], until=5).samples == []
