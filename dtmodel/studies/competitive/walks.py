"""The worst arrivals as slots, with the decisions of the policy beside those of the optimum.

A cycle of the product need not be reachable from two empty buffers. The optimum can still follow it: it rejects every
packet until the policy is on the cycle, and then accepts exactly the packets that the cycle accepts. Its queues are
never longer than those of the cycle, so every packet fits, and they grow from round to round until a round repeats; in
such a round it sends as many packets as on the cycle. So the largest ratio of all cycles is that of the reachable ones.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

from dtmodel.studies.competitive.search import Event
from dtmodel.studies.competitive.tables import Lengths, OptimumTable, PolicyTable


class UnitArrival(NamedTuple):
    """A packet with the decisions on it.

    - `port` (int): the port at which it arrives.
    - `admitted`, `accepted` (bool): True if the policy, and the optimum, take it.
    - `pushed_out` (int or None): the port whose last packet the policy pushes out for it.

    >>> UnitArrival(port=0, admitted=True, accepted=False).pushed_out is None
    True
    """

    port: int
    admitted: bool
    accepted: bool
    pushed_out: int | None = None


class Slot(NamedTuple):
    """The arrivals of a slot, and the queue lengths after them; then every port with a packet sends one.

    - `arrivals` (tuple of UnitArrival): in their order, which matters across ports, too.
    - `policy`, `optimum` (tuple of int): the queue lengths.

    >>> Slot((UnitArrival(1, True, True),), policy=(0, 1), optimum=(0, 1)).arrivals[0].port
    1
    """

    arrivals: tuple[UnitArrival, ...]
    policy: Lengths
    optimum: Lengths

    def document(self) -> dict[str, object]:
        """Return the slot as JSON has it."""
        arrivals = [arrival._asdict() for arrival in self.arrivals]
        return {"arrivals": arrivals, "policy": list(self.policy), "optimum": list(self.optimum)}


@final
@dataclass(frozen=True)
class Walk:
    """A walk in the product: the events from two empty buffers to a cycle, and those of the cycle."""

    prefix: tuple[Event, ...]
    cycle: tuple[Event, ...]

    def slots(self, policy: PolicyTable, optimum: OptimumTable) -> tuple[tuple[Slot, ...], tuple[Slot, ...]]:
        """Return the slots of the prefix and those of the cycle."""
        follow = _Follower(policy, optimum)
        return tuple(follow.slots(self.prefix)), tuple(follow.slots(self.cycle))


def worst_walk(policy: PolicyTable, optimum: OptimumTable, state: int, cycle: Sequence[Event]) -> Walk:
    """Return a walk from two empty buffers into a `cycle` of the product that begins at a `state` of the policy."""
    paths = [(place, _into(policy, before)) for place, before in _departures(policy, state, cycle)]
    least = min(len(path) for _, path in paths)
    turns = (((*cycle[first:], *cycle[:first]), path) for first, path in paths if len(path) == least)
    return min((_walk(policy, optimum, turned, path) for turned, path in turns), key=lambda walk: len(walk.prefix))


def _walk(policy: PolicyTable, optimum: OptimumTable, turned: tuple[Event, ...], path: list[int | None]) -> Walk:
    """Return the walk along a `path` of the policy and then round the cycle, which begins where the path ends."""
    prefix: list[Event] = [None if port is None else (port, False) for port in path]
    follow, seen = _Follower(policy, optimum), list[tuple[int, int]]()
    follow.run(prefix)
    while (place := (follow.state, follow.optimal)) not in seen:
        seen.append(place)
        follow.run(turned)
    rounds = seen.index(place)
    return Walk((*prefix, *turned * rounds), turned * (len(seen) - rounds))


def _departures(policy: PolicyTable, state: int, cycle: Sequence[Event]) -> Iterator[tuple[int, int]]:
    """Yield the places of a cycle at which a slot begins, each with the policy's state before the departures there."""
    for place, event in enumerate(cycle, 1):
        if event is None:
            yield place % len(cycle), state
        state = policy.depart[state] if event is None else policy.arrive[state][event[0]]


def _into(policy: PolicyTable, before: int) -> list[int | None]:
    """Return a path from two empty buffers that ends with the departures in a state: the slots of a walk are whole."""
    return [] if policy.depart[before] == policy.start else [*policy.path_to(before), None]


@final
class _Follower:
    """The policy and the optimum, from two empty buffers on."""

    def __init__(self, policy: PolicyTable, optimum: OptimumTable) -> None:
        self.policy, self.optimum = policy, optimum
        self.state, self.optimal = policy.start, len(optimum.states) - 1

    def run(self, events: Iterable[Event]) -> None:
        for event in events:
            self.step(event)

    def step(self, event: Event) -> None:
        if event is None:
            self.state, self.optimal = self.policy.depart[self.state], self.optimum.drain[self.optimal]
            return
        port, accepted = event
        self.state = self.policy.arrive[self.state][port]
        if accepted:
            self.optimal = self.optimum.accept[port][self.optimal]

    def slots(self, events: Iterable[Event]) -> Iterator[Slot]:
        """Yield the slots of some events, which end with departures."""
        arrivals = list[UnitArrival]()
        for event in events:
            before = self.policy.states[self.state][0]
            if event is None:
                yield Slot(tuple(arrivals), before, self.optimum.states[self.optimal])
                arrivals = []
            self.step(event)
            if event is not None:
                arrivals.append(_arrival(*event, before, self.policy.states[self.state][0]))


def _arrival(port: int, accepted: bool, before: Lengths, after: Lengths) -> UnitArrival:  # an event
    shorter = [queue for queue, (old, new) in enumerate(zip(before, after, strict=True)) if new < old]
    return UnitArrival(port, after[port] > before[port], accepted, shorter[0] if shorter else None)
