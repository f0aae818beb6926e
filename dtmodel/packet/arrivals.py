"""Packet arrivals for one port: streams of (time, size, burst), in the order of time.

``burst`` is the number of the packet's micro-burst, None for other traffic. A fourth element, ``mark``, is the class or
prediction that a policy may read. Times and sizes keep their kind of number:
Fractions for exact runs, floats for fast ones.

- ``rate`` is in bytes per second, ``size`` the size of every packet in bytes.
- ``rng`` is the source of randomness (one seed gives one stream), ``stop`` the end of the stream in seconds.
"""

import random
from collections.abc import Iterable, Iterator
from heapq import merge as merge_sorted
from typing import Any

TimedPacket = tuple[Any, Any, int | None]
"""(time, size, burst)."""

Stream = Iterable[TimedPacket | tuple[Any, Any, int | None, int]]


def listed(pairs: Iterable[tuple[Any, Any]]) -> Iterator[TimedPacket]:
    """Return packets at listed times, from `pairs` (time, size) in the order of time.

    >>> list(listed([(0, 1500)]))
    [(0, 1500, None)]
    """
    return ((time, size, None) for time, size in pairs)


def constant(
    rate: Any, size: Any, *, start: Any = 0, stop: Any = None, burst: int | None = None
) -> Iterator[TimedPacket]:
    """Yield packets of one size at one rate: the first is complete after size / rate.

    `start`, `stop`: the time of the first byte, and the latest time of a last byte; without `stop` the stream is
    endless. `burst`: the micro-burst that the packets belong to.

    >>> [str(time) for time, _, _ in constant(2, 1, stop=2)]
    ['0.5', '1.0', '1.5', '2.0']
    """
    gap, number = size / rate, 1
    while stop is None or start + number * gap <= stop:
        yield start + number * gap, size, burst
        number += 1


def poisson(rate: float, size: float, rng: random.Random, *, stop: float) -> Iterator[TimedPacket]:
    """Yield Poisson arrivals of packets of one size, with the mean rate `rate`.

    >>> sum(size for _, size, _ in poisson(1000, 10, random.Random(1), stop=100)) // 10_000
    10
    """
    time = rng.expovariate(rate / size)
    while time <= stop:
        yield time, size, None
        time += rng.expovariate(rate / size)


def merge(*streams: Iterable[TimedPacket]) -> Iterator[TimedPacket]:
    """Merge `streams` in the order of time; at one instant, the earlier stream comes first.

    >>> [size for _, size, _ in merge(listed([(0, 1), (2, 3)]), listed([(1, 2)]))]
    [1, 2, 3]
    """
    return merge_sorted(*streams, key=lambda arrival: arrival[0])
