"""The states of a policy and of the optimum with unit packets, and their successors, as tables of indices.

In a slot any number of packets arrive, one after another; then every port with a packet sends one. The states of both
tables are sorted by decreasing occupancy.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from typing import final

from dtmodel.base import budgets
from dtmodel.modelcheck.switch import unit_arrival
from dtmodel.policies.admission import Admission
from dtmodel.policies.policy import Policy

Lengths = tuple[int, ...]
Key = tuple[Lengths, Hashable]
"""The queue lengths, and the policy's memory of the past."""


@final
@dataclass(frozen=True)
class PolicyTable:
    """The states of a policy that arrivals and departures reach from the empty switch.

    - `states` (tuple): the queue lengths and the memory of each state.
    - `start` (int): the empty switch.
    - `arrive` (tuple of tuple of int): for each state its successor if a packet arrives at port 0, 1, and so on.
    - `depart` (tuple of int): for each state its successor if every port with a packet sends one.
    """

    states: tuple[Key, ...]
    start: int
    arrive: tuple[tuple[int, ...], ...]
    depart: tuple[int, ...]

    @property
    def sent(self) -> list[int]:
        """The number of packets that each state sends in a slot."""
        return [_busy(lengths) for lengths, _ in self.states]

    @cached_property
    def _before(self) -> dict[int, tuple[int, int | None]]:
        """The last step of a shortest path to each state: the state before it, and the port or None for departures."""
        back: dict[int, tuple[int, int | None]] = {}
        waiting = [self.start]
        for here in waiting:  # grows while it is read
            for event, there in [*enumerate(self.arrive[here]), (None, self.depart[here])]:
                if there not in back and there != self.start:
                    back[there] = here, event
                    waiting.append(there)
        return back

    def path_to(self, state: int) -> list[int | None]:
        """Return shortest events from the start to a `state`: the port of an arrival, or None for departures."""
        events = []
        while state != self.start:
            state, event = self._before[state]
            events.append(event)
        return events[::-1]


@final
@dataclass(frozen=True)
class Slots:
    """A switch with unit packets that a `policy` admits, one event after another."""

    policy: Policy
    ports: int
    buffer: int

    def start(self) -> Key:
        """Return the empty switch."""
        return (0,) * self.ports, self._fresh().remembered(0)

    def arrive(self, key: Key, port: int) -> Key:
        """Return the state after a packet arrives at a `port`."""
        admission, lengths = self._at(key)
        unit_arrival(admission, lengths, port, self.buffer, 1)  # the first packet of a queue is in transmission
        return tuple(lengths), admission.remembered(0)

    def depart(self, key: Key) -> Key:
        """Return the state after every port with a packet has sent one, which takes until the next slot."""
        admission, lengths = self._at(key)
        for port, length in enumerate(key[0]):
            if length:
                lengths[port] -= 1
                admission.dequeued(port, 1, 1)
        return tuple(lengths), admission.remembered(1)

    def _at(self, key: Key) -> tuple[Admission, list[int]]:
        admission, lengths = self._fresh(), list(key[0])
        admission.lengths = lengths
        admission.recall(key[1])
        return admission, lengths

    def _fresh(self) -> Admission:
        return self.policy.admission(self.ports, self.buffer, lambda size: size)


def policy_table(policy: Policy, ports: int, buffer: int, most: int) -> PolicyTable:
    """Return the table of a `policy`; `BudgetError` if it has more than `most` states."""
    slots = Slots(policy, ports, buffer)
    found: dict[Key, tuple[Key, ...]] = {slots.start(): ()}
    waiting = [*found]
    for key in waiting:  # grows while it is read: states that few events reach come first
        found[key] = (*(slots.arrive(key, port) for port in range(ports)), slots.depart(key))
        new = dict.fromkeys(next_ for next_ in found[key] if next_ not in found)
        found |= dict.fromkeys(new, ())
        waiting += new
        if len(found) > most:
            budgets.keep_within("product", len(found) * optima(ports, buffer), "buffer")
    states = sorted(found, key=lambda key: (-sum(key[0]), key[0], repr(key[1])))
    place = {key: index for index, key in enumerate(states)}
    rows = [tuple(place[next_] for next_ in found[key]) for key in states]
    return PolicyTable(
        tuple(states), place[slots.start()], tuple(row[:-1] for row in rows), tuple(row[-1] for row in rows)
    )


@final
@dataclass(frozen=True)
class OptimumTable:
    """All queue lengths with which the optimum may fill the buffer; a full buffer accepts nothing.

    - `states` (tuple): the queue lengths.
    - `accept` (tuple of tuple of int): for each port the successor of every state; the state itself if it is full.
    - `drain` (tuple of int): the successor of each state after departures.
    """

    states: tuple[Lengths, ...]
    accept: tuple[tuple[int, ...], ...]
    drain: tuple[int, ...]

    @property
    def gained(self) -> list[int]:
        """The number of packets that each state sends in a slot."""
        return [*map(_busy, self.states)]


@cache
def optimum_table(ports: int, buffer: int) -> OptimumTable:
    """Return the table of the optimum."""
    states = sorted(_fillings(ports, buffer), key=lambda lengths: (-sum(lengths), lengths))
    place = {lengths: index for index, lengths in enumerate(states)}
    longer = [[(*q[:port], q[port] + 1, *q[port + 1 :]) for q in states] for port in range(ports)]
    accept = tuple(tuple(place.get(q, index) for index, q in enumerate(column)) for column in longer)
    return OptimumTable(tuple(states), accept, tuple(place[tuple(max(x - 1, 0) for x in q)] for q in states))


def _fillings(ports: int, buffer: int) -> Iterator[Lengths]:
    if not ports:
        yield ()
        return
    for first in range(buffer + 1):
        yield from ((first, *rest) for rest in _fillings(ports - 1, buffer - first))


def optima(ports: int, buffer: int) -> int:
    """Return the number of states of the optimum."""
    return comb(ports + buffer, ports)


def _busy(lengths: Lengths) -> int:
    return sum(length > 0 for length in lengths)
