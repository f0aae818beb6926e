"""The states of a policy and of the optimum with unit packets, and their successors, as tables of indices.

In a slot any number of packets arrive, one after another; then every port with a packet sends one. The states of both
tables are sorted by decreasing occupancy.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
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
    """The states that arrivals and departures reach from the empty switch, `start`: queue lengths and memory.

    `arrive` has for each state its successors if a packet arrives at port 0, 1, and so on, and `depart` its successor
    if every port with a packet sends one. `before` has the last step of a shortest path to each state: the state
    before it, and the port, or None for departures.
    """

    states: tuple[Key, ...]
    start: int
    arrive: tuple[tuple[int, ...], ...]
    depart: tuple[int, ...]
    before: Mapping[int, tuple[int, int | None]]

    def path_to(self, state: int) -> list[int | None]:
        """Return shortest events from the start to a `state`: the port of an arrival, or None for departures."""
        events = []
        while state != self.start:
            state, event = self.before[state]
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
    start = slots.start()
    found: dict[Key, tuple[Key, ...]] = {start: ()}
    before = dict[Key, tuple[Key, int | None]]()
    waiting = [start]
    for key in waiting:  # grows while it is read: states that few events reach come first
        found[key] = (*(slots.arrive(key, port) for port in range(ports)), slots.depart(key))
        for event, after in zip((*range(ports), None), found[key], strict=True):
            if after not in found:
                found[after], before[after] = (), (key, event)
                waiting.append(after)
        if len(found) > most:
            budgets.keep_within("product", len(found) * comb(ports + buffer, ports), "buffer")
    states = sorted(found, key=lambda key: (-sum(key[0]), key[0], repr(key[1])))
    place = {key: index for index, key in enumerate(states)}
    rows = [tuple(place[next_] for next_ in found[key]) for key in states]
    return PolicyTable(
        tuple(states), place[start], tuple(row[:-1] for row in rows), tuple(row[-1] for row in rows),
        {place[after]: (place[key], event) for after, (key, event) in before.items()},
    )  # fmt: skip


@final
@dataclass(frozen=True)
class OptimumTable:
    """All queue lengths with which the optimum may fill the buffer; a full buffer accepts nothing.

    `accept` has for each port the successor of every state, the state itself if it is full; `drain` has that after
    departures.
    """

    states: tuple[Lengths, ...]
    accept: tuple[tuple[int, ...], ...]
    drain: tuple[int, ...]


@cache
def optimum_table(ports: int, buffer: int) -> OptimumTable:
    """Return the table of the optimum."""
    chosen = combinations_with_replacement(range(ports + 1), buffer)  # the place of each packet; the last is outside
    fillings = [tuple(map(places.count, range(ports))) for places in chosen]
    states = sorted(fillings, key=lambda lengths: (-sum(lengths), lengths))
    place = {lengths: index for index, lengths in enumerate(states)}
    longer = [[(*q[:port], q[port] + 1, *q[port + 1 :]) for q in states] for port in range(ports)]
    accept = tuple(tuple(place.get(q, index) for index, q in enumerate(column)) for column in longer)
    return OptimumTable(tuple(states), accept, tuple(place[tuple(max(x - 1, 0) for x in q)] for q in states))
