"""Seeded traces of packets: flows of published sizes with random arrivals, ON and OFF periods, incast."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, islice
from math import inf
from typing import TypeAlias

from dtmodel.base import budgets, units
from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity
from dtmodel.fluid.switch import Switch, checked_switch
from dtmodel.packet.flow_sizes import FLOW_SIZES, flow_sizes

PATTERNS = ("poisson", "on-off", "incast")
"""Single flows; ports that alternate between ON and OFF; many senders that start together towards one port."""

Flow: TypeAlias = tuple[float, int, int]
"""A flow: its start, its port and its bytes."""


def generated_packets(
    switch: Switch,
    *,
    pattern: str = "poisson",
    sizes: str = "web-search",
    load: Quantity = "1/2",
    duration: Quantity,
    senders: int = 16,
    packet: int = 1460,
    seed: int = 0,
) -> Iterator[tuple[float, int, int]]:
    """Yield packets (time, port, bytes) in the order of time; only active flows are in memory.

    Parameters
    ----------
    switch : Switch
        The ports and their rate, at which senders send, too.
    pattern : {"poisson", "on-off", "incast"}
        ``"poisson"``: flows begin as a Poisson process, each towards a random port. ``"on-off"``: each port gets one
        flow after the other, with an exponential pause between them. ``"incast"``: the flows of `senders` senders begin
        together towards one port, as a Poisson process of such events.
    sizes : {"web-search", "data-mining", "cache", "hadoop"}
        The distribution of flow sizes.
    load : quantity
        The mean arrival rate relative to the rate of all ports, greater than 0; less than 1 if on-off.
    duration : quantity
        Flows begin before it, in seconds.
    senders : int
        The number of flows of an incast.
    packet : int
        The bytes of a full packet.
    seed : int
        Equal seeds give equal packets.

    Raises
    ------
    BudgetError
        If there are more packets than the budget ``packets`` allows: at once if the load implies more on average, else
        after so many packets.

    Examples
    --------
    >>> packets = list(generated_packets(Switch(4, "1 MB", "1 Gbps"), sizes="cache", duration="1 s", seed=1))
    >>> packets == sorted(packets, key=lambda packet: packet[0]), {port for _, port, _ in packets} == {0, 1, 2, 3}
    (True, True)
    """
    checked_switch(switch)
    budgets.keep_within("queues", switch.ports, "ports")
    choice(pattern, "pattern", PATTERNS)
    choice(sizes, "sizes", FLOW_SIZES)
    part = units.as_float(units.number(load, "load", positive=True), "load")
    end = units.as_float(units.seconds(duration, "duration", positive=True), "duration")
    full = units.count(packet, "packet", least=1)
    together = units.count(senders, "senders", least=1)
    budgets.keep_within("queues", together, "senders")
    if pattern == "on-off" and part >= 1:
        raise InputError("load", load, "a number less than 1 where ports pause between flows")
    rng, drawn = random.Random(units.count(seed, "seed")), flow_sizes(sizes)
    mean, rate = float(drawn.mean), units.as_float(switch.rate, "rate")
    offered = part * rate * switch.ports

    def size() -> int:
        return max(1, round(drawn.quantile(rng.random())))

    if pattern == "on-off":
        pause = _told(mean / rate * (1 / part - 1))
        flows = _alternating(switch.ports, rate, pause, end, rng, size)
    else:
        each = together if pattern == "incast" else 1
        gap = _told(offered and each * mean / offered)
        flows = _begun(switch.ports, each, gap, end, rng, size)
    whole = units.as_float(Fraction(full), "packet")
    budgets.keep_within("packets", int(min(1e18, offered * end / whole)), "duration")
    return _within_budget(_packets(flows, full, rate))


def _within_budget(packets: Iterator[tuple[float, int, int]]) -> Iterator[tuple[float, int, int]]:
    """Yield packets until the budget is exhausted."""
    most = budgets.limit("packets")
    yield from islice(packets, most)
    if next(packets, None):
        budgets.keep_within("packets", most + 1, "duration")


def _told(time: float) -> float:
    """Return a time that is neither 0 nor infinite in floats."""
    if not 0 < time < inf:
        raise InputError("load", time, "a load and a rate with which the mean time between flows is within floats")
    return time


def _begun(
    ports: int, each: int, gap: float, end: float, rng: random.Random, size: Callable[[], int]
) -> Iterator[Flow]:
    time = rng.expovariate(1 / gap)
    while time < end:
        port = rng.randrange(ports)
        for _ in range(each):
            yield time, port, size()
        time += rng.expovariate(1 / gap)


def _alternating(
    ports: int, rate: float, pause: float, end: float, rng: random.Random, size: Callable[[], int]
) -> Iterator[Flow]:
    waiting = sorted((rng.expovariate(1 / pause), port) for port in range(ports))
    while waiting:
        time, port = heappop(waiting)
        if time < end:
            flow = size()
            yield time, port, flow
            heappush(waiting, (time + flow / rate + rng.expovariate(1 / pause), port))


def _packets(flows: Iterator[Flow], full: int, rate: float) -> Iterator[tuple[float, int, int]]:
    """Send every flow packet by packet at a rate; a packet arrives whole with its last byte."""
    order, active = count(), list[tuple[float, int, int, int, int]]()
    upcoming = next(flows, None)
    while active or upcoming:
        while upcoming and (not active or upcoming[0] <= active[0][0]):
            time, port, left = upcoming
            size = min(full, left)
            heappush(active, (time + size / rate, next(order), port, size, left - size))
            upcoming = next(flows, None)
        time, number, port, size, left = heappop(active)
        yield time, port, size
        if left:
            size = min(full, left)
            heappush(active, (time + size / rate, number, port, size, left - size))
