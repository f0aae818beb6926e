"""An output-queued switch with shared memory, packet by packet.

A packet arrives whole, is admitted or dropped by the policy, and holds its memory until its last bit is sent. A packet
that does not fit into the free memory is dropped whatever the policy says, and that is the overflow signal. At one
instant packets depart before others arrive. The engine computes in the numbers that it is given: Fractions stay exact.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any, Protocol

from dtmodel.errors import InputError
from dtmodel.packet.arrivals import Arrival, Stream

__all__ = ["Lost", "Policy", "Result", "run"]


class Policy(Protocol):
    """What decides on packets, and hears what becomes of them; lengths and free memory are in the accounting unit."""

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        """Whether a packet that fits may enter the queue of `port`, which holds `length`, beside `free`."""

    def enqueued(self, port: int, size: Any, now: Any) -> None:
        """Hear that a packet entered."""

    def dequeued(self, port: int, size: Any, now: Any) -> None:
        """Hear that a packet was sent."""

    def dropped(self, port: int, now: Any) -> None:
        """Hear that a packet was dropped."""

    def overflowed(self, now: Any) -> None:
        """Hear that a packet found too little free memory."""


@dataclass(frozen=True)
class Lost:
    """A dropped packet: when, where, its burst, its size, and the free memory then."""

    time: Any
    port: int
    burst: int | None
    size: Any
    free: Any


@dataclass
class Result:
    """What a run leaves behind: bytes by port, the lost packets, and the samples of the queue lengths."""

    offered: list[Any]
    sent: list[Any]
    lost: list[Lost] = field(default_factory=list)
    samples: list[tuple[Any, tuple[Any, ...]]] = field(default_factory=list)

    def first_drop(self, port: int) -> Lost | None:
        """The first packet that `port` lost."""
        return next((lost for lost in self.lost if lost.port == port), None)

    def dropped(self, port: int) -> Any:
        """Bytes that `port` lost."""
        return sum(lost.size for lost in self.lost if lost.port == port)


def run(
    *,
    buffer: Any,
    rates: Sequence[Any],
    policy: Policy,
    streams: Sequence[Stream],
    until: Any,
    initial: Sequence[Sequence[Any]] = (),
    account: Callable[[Any], Any] | None = None,
    sample: Any = None,
    sample_from: Any = 0,
) -> Result:
    """Run the switch until a given time.

    Parameters
    ----------
    buffer : number
        The shared memory, in bytes (or in what `account` returns).
    rates : sequence of number
        The rate of each port in bytes/s.
    policy : Policy
        DT, EDT, or another; it is changed by the run.
    streams : sequence of Stream
        The arrivals of each port.
    until : number
        The end; what happens at that instant still counts.
    initial : sequence of sequence of number
        The sizes of the packets that the queues hold at time 0.
    account : callable, optional
        What a packet of a size takes up; default: its bytes. ``lambda size: 1`` counts packets.
    sample : number, optional
        The period at which to note the lengths of all queues, from `sample_from` on, as long as an event follows.

    Raises
    ------
    InputError
        If there are not as many streams as ports, or a packet is larger than the buffer.

    Examples
    --------
    >>> from dtmodel.packet.arrivals import listed
    >>> from dtmodel.packet.dt import DtPolicy
    >>> done = run(buffer=4, rates=[1], policy=DtPolicy([1]), streams=[listed([(0, 1), (0, 1), (0, 1)])], until=9)
    >>> done.sent, [lost.time for lost in done.lost]
    ([2], [0])
    """
    if len(streams) != len(rates):
        raise InputError("streams", len(streams), f"one stream for each of the {len(rates)} ports")
    state = _Switch(buffer, rates, policy, account or (lambda size: size), initial)
    state.merge_arrivals(streams)
    next_sample = sample_from
    while state.events and state.events[0][0] <= until:
        while sample is not None and next_sample < state.events[0][0]:
            state.result.samples.append((next_sample, tuple(state.lengths)))
            next_sample += sample
        state.step()
    return state.result


_DEPART, _ARRIVE = 0, 1


class _Switch:
    """The queues, the packet in transmission at every port, and the calendar of events."""

    def __init__(
        self,
        buffer: Any,
        rates: Sequence[Any],
        policy: Policy,
        account: Callable[[Any], Any],
        initial: Sequence[Sequence[Any]],
    ) -> None:
        self.buffer, self.rates, self.policy, self.account = buffer, rates, policy, account
        self.packets: list[deque[Any]] = [deque() for _ in rates]
        self.lengths = [0 for _ in rates]
        self.free = buffer
        self.events: list[tuple[Any, int, int, Any, int | None]] = []
        self.arrivals: list[Iterator[Arrival]] = []
        self.result = Result([0 for _ in rates], [0 for _ in rates])
        for port, sizes in enumerate(initial):
            for size in sizes:
                self._put(port, size, 0)

    def merge_arrivals(self, streams: Sequence[Stream]) -> None:
        self.arrivals = [iter(stream) for stream in streams]
        for port in range(len(self.arrivals)):
            self._next_arrival(port)

    def step(self) -> None:
        now, kind, port, size, burst = heappop(self.events)
        if kind == _DEPART:
            self._depart(port, size, now)
        else:
            self._next_arrival(port)
            self._arrive(port, size, burst, now)

    def _next_arrival(self, port: int) -> None:
        arrival = next(self.arrivals[port], None)
        if arrival is not None:
            heappush(self.events, (arrival[0], _ARRIVE, port, arrival[1], arrival[2]))

    def _arrive(self, port: int, size: Any, burst: int | None, now: Any) -> None:
        taken = self.account(size)
        if taken > self.buffer:
            raise InputError("size", size, f"a packet no larger than the buffer, {self.buffer}")
        self.result.offered[port] += size
        if taken > self.free:
            self.policy.overflowed(now)
        elif self.policy.admits(port, self.lengths[port], self.free, now):
            self._put(port, size, now)
            self.policy.enqueued(port, size, now)
            return
        self.policy.dropped(port, now)
        self.result.lost.append(Lost(now, port, burst, size, self.free))

    def _put(self, port: int, size: Any, now: Any) -> None:
        self.packets[port].append(size)
        self.lengths[port] += self.account(size)
        self.free -= self.account(size)
        if len(self.packets[port]) == 1:
            self._send(port, now)

    def _send(self, port: int, now: Any) -> None:
        size = self.packets[port][0]
        heappush(self.events, (now + size / self.rates[port], _DEPART, port, size, None))

    def _depart(self, port: int, size: Any, now: Any) -> None:
        self.packets[port].popleft()
        self.lengths[port] -= self.account(size)
        self.free += self.account(size)
        self.result.sent[port] += size
        self.policy.dequeued(port, size, now)
        if self.packets[port]:
            self._send(port, now)
