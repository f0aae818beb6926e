"""The optimum for given arrivals: with hindsight it accepts the packets with which most are sent."""

from collections.abc import Sequence
from typing import Any, NamedTuple, final

from dtmodel.studies.competitive.tables import Lengths

Arrivals = Sequence[int | None]
"""Packets by their ports, from 0, in order; None where every port with a packet sends one."""


@final
class Plan(NamedTuple):
    """A plan of the optimum: for each event whether it accepts the packet, and its queue lengths after the event."""

    accepted: tuple[bool, ...]
    lengths: tuple[Lengths, ...]


def best_plan(ports: int, buffer: int, arrivals: Arrivals) -> Plan:
    """Return a plan that accepts as many of the `arrivals` as a buffer allows; of several one that accepts early."""
    most: dict[Lengths, tuple[int, Any]] = {(0,) * ports: (0, None)}  # packets, and the last step with those before it
    for event in arrivals:
        step: dict[Lengths, tuple[int, Any]] = {}
        for lengths, (count, before) in most.items():
            for after, gain in _ways(lengths, event, buffer):
                if after not in step or count + gain > step[after][0]:
                    step[after] = count + gain, (gain, after, before)
        most = step
    _, last = max(most.values(), key=lambda found: found[0])
    accepted, visited = list[bool](), list[Lengths]()
    while last is not None:
        gain, lengths, last = last
        accepted.append(gain)
        visited.append(lengths)
    return Plan(tuple(accepted[::-1]), tuple(visited[::-1]))


def _ways(lengths: Lengths, event: int | None, buffer: int) -> list[tuple[Lengths, bool]]:
    """Return the queue lengths that can follow an event, each with True if its packet is accepted."""
    if event is None:
        return [(tuple(max(length - 1, 0) for length in lengths), False)]
    if sum(lengths) == buffer:
        return [(lengths, False)]
    longer = (*lengths[:event], lengths[event] + 1, *lengths[event + 1 :])
    return [(longer, True), (lengths, False)]
