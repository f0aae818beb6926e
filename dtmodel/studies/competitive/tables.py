"""The states of a policy and of the optimum with unit packets, by decreasing occupancy, and tables of successors."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
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
    """The reachable states from `start`, and successors; `before`: a shortest path's last step, None for departures."""

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

    def after(self, key: Key, event: int | None) -> Key:
        """Return the state after a packet arrives at a port, or for None after departures, which end the slot."""
        admission, lengths = self._fresh(), list(key[0])
        admission.lengths = lengths
        admission.recall(key[1])
        if event is not None:
            unit_arrival(admission, lengths, event, self.buffer, 1)  # the first packet of a queue is in transmission
            return tuple(lengths), admission.remembered(0)
        for port, length in enumerate(key[0]):
            if length:
                lengths[port] -= 1
                admission.dequeued(port, 1, 1)
        return tuple(lengths), admission.remembered(1)

    def _fresh(self) -> Admission:
        return self.policy.admission(self.ports, self.buffer, lambda size: size)


def policy_table(policy: Policy, ports: int, buffer: int, cost: int) -> PolicyTable:
    """Return the table of a `policy`; `BudgetError` if its states exceed the budget, with `cost` pairs for each."""
    slots, events = Slots(policy, ports, buffer), (*range(ports), None)
    start = slots.start()
    found: dict[Key, tuple[Key, ...]] = {start: ()}
    before = dict[Key, tuple[Key, int | None]]()
    waiting = [start]
    for key in waiting:  # grows while it is read: states that few events reach come first
        found[key] = tuple(slots.after(key, event) for event in events)
        for event, after in zip(events, found[key], strict=True):
            if after not in found:
                found[after], before[after] = (), (key, event)
                waiting.append(after)
        budgets.keep_within("product", len(found) * cost, "buffer")
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
    """All queue lengths of the optimum, with the successors after a packet at each port and after departures."""

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
