"""Every order of arrivals and departures of unit packets at a switch with any policy, as a system to explore.

Time passes only at the label ("wake",): until the policy acts by itself. Ports count from 0.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, final

from dtmodel.policies.admission import Admission
from dtmodel.policies.policy import Policy

Label = tuple[Any, ...]
"""("arrive", port), ("depart", port) or ("wake",)."""


class SwitchState(NamedTuple):
    """The queue `lengths`, and the policy's memory of the past, `remembered`; None for a stateless policy.

    >>> SwitchState((1, 0), None).lengths
    (1, 0)
    """

    lengths: tuple[int, ...]
    remembered: Hashable


@final
@dataclass(frozen=True)
class PolicySwitch:
    """A switch of a few `ports` that share a `buffer`, counted in packets, under a `policy`.

    >>> from dtmodel import DT
    >>> from dtmodel.modelcheck import explore
    >>> result = explore(PolicySwitch(DT(1), ports=2, buffer=6))
    >>> result.complete, result.states
    (True, 15)
    """

    policy: Policy
    ports: int
    buffer: int

    def initial(self) -> Iterable[SwitchState]:
        """Yield the empty switch."""
        yield SwitchState((0,) * self.ports, self._fresh().remembered(0))

    def successors(self, state: SwitchState) -> Iterator[tuple[Label, SwitchState]]:
        """Yield every event that can happen."""
        for port, length in enumerate(state.lengths):
            yield self._step(state, "arrive", port)
            if length:
                yield self._step(state, "depart", port)
        admission = self._fresh()
        admission.recall(state.remembered)
        due = admission.wakes(0)
        if due is not None:
            yield ("wake",), SwitchState(state.lengths, admission.remembered(due))

    def _fresh(self) -> Admission:
        return self.policy.admission(self.ports, self.buffer, lambda size: size)

    def _step(self, state: SwitchState, event: str, port: int) -> tuple[Label, SwitchState]:
        admission, lengths = self._fresh(), list(state.lengths)
        admission.lengths = lengths
        admission.recall(state.remembered)
        if event == "depart":
            lengths[port] -= 1
            admission.dequeued(port, 1, 0)
        else:
            unit_arrival(admission, lengths, port, self.buffer, 0)
        return (event, port), SwitchState(tuple(lengths), admission.remembered(0))


def unit_arrival(admission: Admission, lengths: list[int], port: int, buffer: int, sending: int) -> None:
    """Let a packet of size 1 arrive at time 0; the first `sending` packets of a queue cannot be pushed out."""
    while (queue := admission.expelled(lengths, buffer - sum(lengths), _longer(lengths, 1))) is not None:
        lengths[queue] -= 1
        admission.dropped(queue, 0)
    if sum(lengths) == buffer:
        victim = admission.victim(port, 1, tuple(lengths), _longer(lengths, sending))
        if victim is not None:
            lengths[victim] -= 1
            admission.dropped(victim, 0)
    free = buffer - sum(lengths)
    if free == 0:
        admission.overflowed(0)
    elif admission.admits(port, lengths[port], free, 0):
        lengths[port] += 1
        admission.enqueued(port, 1, 0)
        return
    admission.dropped(port, 0)


def _longer(lengths: list[int], least: int) -> list[int]:
    return [queue for queue, length in enumerate(lengths) if length > least]
