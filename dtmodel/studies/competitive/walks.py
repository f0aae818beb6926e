"""The worst arrivals as slots, with the decisions of the policy beside those of the optimum.

A cycle of the product need not be reachable from two empty buffers. The optimum can still follow it: it rejects every
packet until the policy is on the cycle, and then accepts exactly the packets that the cycle accepts. Its queues are
never longer than those of the cycle, so every packet fits, and they grow from round to round until a round repeats; in
such a round it sends as many packets as on the cycle. So the largest ratio of all cycles is that of the reachable ones.
"""

from collections.abc import Iterator, Sequence
from functools import partial, reduce
from typing import NamedTuple

from dtmodel.studies.competitive.search import Event
from dtmodel.studies.competitive.tables import Lengths, OptimumTable, PolicyTable

Walk = tuple[tuple[Event, ...], tuple[Event, ...]]
"""The events from two empty buffers to a cycle of the product, and those of the cycle."""
Place = tuple[int, int]
"""A state of the policy and one of the optimum."""


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


def worst_walk(policy: PolicyTable, optimum: OptimumTable, state: int, cycle: Sequence[Event]) -> Walk:
    """Return the walk of shortest prefix round a `cycle` from a `state` of the policy, or round a turn of it."""
    departures = _departures(policy, state, cycle)
    turns = (_round(policy, optimum, (*cycle[first:], *cycle[:first]), before) for first, before in departures)
    return min(turns, key=lambda walk: len(walk[0]))


def _departures(policy: PolicyTable, state: int, cycle: Sequence[Event]) -> Iterator[tuple[int, int]]:
    """Yield the places of a cycle at which a slot begins, each with the policy's state before the departures there."""
    for place, event in enumerate(cycle, 1):
        if event is None:
            yield place % len(cycle), state
        state = policy.depart[state] if event is None else policy.arrive[state][event[0]]


def _round(policy: PolicyTable, optimum: OptimumTable, turned: tuple[Event, ...], before: int) -> Walk:
    """Return the walk by whole slots to departures in the state `before` of the policy, and then round a cycle."""
    path = [] if policy.depart[before] == policy.start else [*policy.path_to(before), None]
    prefix = tuple(None if port is None else (port, False) for port in path)
    step, seen = partial(_after, policy, optimum), list[Place]()
    place = reduce(step, prefix, (policy.start, len(optimum.states) - 1))
    while place not in seen:
        seen.append(place)
        place = reduce(step, turned, place)
    rounds = seen.index(place)
    return (*prefix, *turned * rounds), turned * (len(seen) - rounds)


def _after(policy: PolicyTable, optimum: OptimumTable, place: Place, event: Event) -> Place:
    state, filling = place
    if event is None:
        return policy.depart[state], optimum.drain[filling]
    port, accepted = event
    return policy.arrive[state][port], optimum.accept[port][filling] if accepted else filling


def slots(policy: PolicyTable, optimum: OptimumTable, events: Sequence[Event]) -> Iterator[Slot]:
    """Yield the slots of events that begin with two empty buffers and end with departures."""
    place, arrivals = (policy.start, len(optimum.states) - 1), list[UnitArrival]()
    for event in events:
        before, place = place, _after(policy, optimum, place, event)
        held = policy.states[before[0]][0]
        if event is None:
            yield Slot(tuple(arrivals), held, optimum.states[before[1]])
            arrivals = []
        else:
            arrivals.append(_arrival(*event, held, policy.states[place[0]][0]))


def _arrival(port: int, accepted: bool, before: Lengths, after: Lengths) -> UnitArrival:  # an event
    shorter = [queue for queue, (old, new) in enumerate(zip(before, after, strict=True)) if new < old]
    return UnitArrival(port, after[port] > before[port], accepted, shorter[0] if shorter else None)
