"""An output-queued switch with shared memory, packet by packet.

A packet arrives whole, the policy admits or drops it, and it occupies memory until its last bit is sent. If a packet
does not fit into the free memory, the policy may push out waiting packets; otherwise the packet is dropped, and the
policy gets the overflow signal. At one instant, departures come before arrivals. The engine computes in the numbers of
its input: Fractions stay exact.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any, NamedTuple, Protocol, final

from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError
from dtmodel.packet.arrivals import Stream
from dtmodel.packet.compiled import CompiledRun, MergedStreams, UnfitError, compiled_run
from dtmodel.policies.admission import Account, Admission


class Admitting(Protocol):
    """The protocol of a policy in `run_packets`: `dtmodel.policies.Policy` and stateful `Admission` objects satisfy it.

    >>> from dtmodel import DT
    >>> DT(1).admission(2, 10, account=lambda size: 1).admits(0, 4, 5, 0)  # port 0 holds 4, 5 are free, at 0 s
    True
    """

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return the admission control for `ports` that share a `buffer`; a packet occupies `account` of its size."""


class Lost(NamedTuple):
    """A packet that was dropped or pushed out.

    - `time`, `port`, `burst` (number, int, int or None): the time in seconds, the port (from 0) and the number of its
      micro-burst, or in a replayed trace of its record (from 0).
    - `size`, `free`: its size and the free memory, in bytes; after a push-out, `free` includes its place.

    >>> Lost(time=1, port=0, burst=None, size=1500, free=0).size
    1500
    """

    time: Any
    port: int
    burst: int | None
    size: Any
    free: Any


@dataclass
class PacketRun:
    """The result of `run_packets`.

    - `offered`, `sent` (list): bytes of each port.
    - `lost` (list of Lost): in the order of time.
    - `samples` (list): pairs of a time and the queue lengths at that time.
    - `engine`: ``"Python"``, or the native core that ran.

    >>> PacketRun(offered=[3], sent=[3]).lost
    []
    """

    offered: list[Any]
    sent: list[Any]
    lost: list[Lost] = field(default_factory=list)
    samples: list[tuple[Any, tuple[Any, ...]]] = field(default_factory=list)
    engine: str = field(default="Python", compare=False)

    def first_drop(self, port: int) -> Lost | None:
        """Return the first packet that `port` lost."""
        return next((lost for lost in self.lost if lost.port == port), None)

    def dropped(self, port: int) -> Any:
        """Return the bytes that `port` lost."""
        return sum(lost.size for lost in self.lost if lost.port == port)


def run_packets(
    *,
    buffer: Any,
    rates: Sequence[Any],
    policy: Admitting,
    streams: Sequence[Stream],
    until: Any,
    initial: Sequence[Sequence[Any]] = (),
    account: Account | None = None,
    sample: Any = None,
    sample_from: Any = 0,
    engine: str = "python",
) -> PacketRun:
    """Run the switch until a given time.

    Parameters
    ----------
    buffer : number
        The shared memory in bytes (or in the unit of `account`).
    rates : sequence of number
        The rate of each port in bytes/s; 0 if it is blocked.
    policy : Policy or Admission
        DT, EDT, LQD or another. The run changes the state of an `Admission`.
    streams : sequence of Stream
        The arrivals of each port.
    until : number
        The end of the run; events at this instant are included.
    initial : sequence of sequence of number
        The sizes of the packets in each queue at time 0.
    account : callable, optional
        Memory that a packet of a size occupies; default: its bytes. ``lambda size: 1`` counts packets.
    sample : number, optional
        The period of the samples of all queue lengths, which start at `sample_from` and end with the last event.
    engine : {"python", "native"}
        ``"native"`` runs the native core if its results are identical (`dtmodel.packet.compiled`): EDT, LQD or
        stateless thresholds without caps; all numbers floats, or all fractions that fit; no `account`, `sample` or
        `Admission`. Otherwise Python runs, and `PacketRun.engine` gives the reason. All arrivals up to `until` are
        held in memory.
    sample_from : number
        The time of the first sample in seconds.

    Raises
    ------
    InputError
        If there are not as many streams as ports, or a packet is larger than the buffer.

    Examples
    --------
    >>> from dtmodel import DT
    >>> from dtmodel.packet.arrivals import listed
    >>> done = run_packets(buffer=4, rates=[1], policy=DT(1), streams=[listed([(0, 1), (0, 1), (0, 1)])], until=9)
    >>> done.sent, [lost.time for lost in done.lost]
    ([2], [0])
    """
    if len(streams) != len(rates):
        raise InputError("streams", len(streams), f"one stream for each of the {len(rates)} ports")
    count, said = account or (lambda size: size), "Python"
    admission = policy.admission(len(rates), buffer, count)
    if choice(engine, "engine", ("python", "native")) == "native":
        merged = MergedStreams(streams, until)
        try:
            if account is None and sample is None and admission is not policy:
                return _run_of(merged, compiled_run(merged, buffer, rates, admission, until, initial))
            said = "Python (the native core counts bytes, takes no samples and changes no admission object)"
        except UnfitError as error:
            said = f"Python ({error})"
        streams = merged.streams()
    state = _Switch(buffer, rates, admission, count, initial)
    state.result.engine = said
    state.merge_arrivals(streams)
    next_sample = sample_from
    while state.events and state.events[0][0] <= until:
        while sample is not None and next_sample < state.events[0][0]:
            state.result.samples.append((next_sample, tuple(state.lengths)))
            next_sample += sample
        state.step()
    return state.result


def _run_of(merged: MergedStreams, done: CompiledRun) -> PacketRun:
    bursts = [*(packet[3] for packet in merged.packets), None]  # None at -1, the record of an initial packet
    lost = [Lost(time, port, bursts[record], *amounts) for time, port, record, *amounts in done.lost]
    return PacketRun(done.offered, done.sent, lost, engine="native core")


@final
class FedSwitch:
    """The switch of `run_packets`, fed with one packet at a time; it stores only the packets in the buffer.

    - `buffer`, `rates`, `policy`: as in `run_packets`.
    - `heard` (callable): called with every packet that is dropped or pushed out.

    >>> from dtmodel import DT
    >>> lost = []
    >>> switch = FedSwitch(buffer=4, rates=[1], policy=DT(1), heard=lost.append)
    >>> for time in (0, 0, 0):
    ...     switch.arrive(time, 0, 1)
    >>> switch.lengths, [(packet.time, packet.free) for packet in lost]
    ([2], [(0, 2)])
    """

    def __init__(
        self, *, buffer: Any, rates: Sequence[Any], policy: Admitting, heard: Callable[[Lost], object]
    ) -> None:
        def count(size: Any) -> Any:
            return size

        self._state = _Switch(buffer, rates, policy.admission(len(rates), buffer, count), count, ())
        self._state.report = heard

    @property
    def lengths(self) -> list[Any]:
        """The length of each queue in bytes."""
        return self._state.lengths

    @property
    def free(self) -> Any:
        """The free memory in bytes."""
        return self._state.free

    def arrive(self, time: Any, port: int, size: Any, record: int | None = None, mark: int | None = None) -> None:
        """Let a packet of `size` bytes arrive at a `port` at a `time` that is not before the last arrival.

        `record`: its number in the trace, which is the `Lost.burst` of a lost packet. `mark`: its class or prediction.
        """
        state = self._state
        while state.events and state.events[0][0] <= time:
            state.step()
        state._arrive(port, size, record, time, mark)  # noqa: SLF001  # the switch of this module


_DEPART, _ARRIVE = 0, 1


class _Switch:
    """The queues, the packet in transmission at every port, and the calendar of events."""

    def __init__(
        self, buffer: Any, rates: Sequence[Any], policy: Admission, account: Account, initial: Sequence[Sequence[Any]]
    ) -> None:
        self.buffer, self.rates, self.policy, self.account = buffer, rates, policy, account
        self.packets: list[deque[tuple[Any, int | None]]] = [deque() for _ in rates]
        self.lengths: list[Any] = [0 for _ in rates]
        policy.lengths = self.lengths
        self.expels = type(policy).expelled is not Admission.expelled
        self.free = buffer
        self.events: list[tuple[Any, ...]] = []
        self.arrivals: list[Iterator[tuple[Any, ...]]] = []
        self.result = PacketRun([0 for _ in rates], [0 for _ in rates])
        self.report: Callable[[Lost], object] = self.result.lost.append
        for port, sizes in enumerate(initial):
            for size in sizes:
                self._put(port, size, None, 0)

    def merge_arrivals(self, streams: Sequence[Stream]) -> None:
        self.arrivals = [iter(stream) for stream in streams]
        for port in range(len(self.arrivals)):
            self._next_arrival(port)

    def step(self) -> None:
        now, kind, port, size, *about = heappop(self.events)
        if kind == _DEPART:
            self._depart(port, size, now)
        else:
            self._next_arrival(port)
            burst, *mark = about
            self._arrive(port, size, burst, now, *mark)

    def _next_arrival(self, port: int) -> None:
        arrival = next(self.arrivals[port], None)
        if arrival is not None:
            heappush(self.events, (arrival[0], _ARRIVE, port, *arrival[1:]))

    def _arrive(self, port: int, size: Any, burst: int | None, now: Any, mark: int | None = None) -> None:
        taken = self.account(size)
        if taken > self.buffer:
            raise InputError("size", size, f"a packet no larger than the buffer, {self.buffer}")
        self.result.offered[port] += size
        self.policy.arriving, self.policy.mark = taken, mark
        if self.expels:
            self._expel(now)
        if taken > self.free:
            self._make_room(port, taken, now)
        if taken > self.free:
            self.policy.overflowed(now)
        elif self.policy.admits(port, self.lengths[port], self.free, now):
            self._put(port, size, burst, now)
            self.policy.enqueued(port, size, now)
            return
        self._lose(port, size, burst, now)

    def _make_room(self, port: int, taken: Any, now: Any) -> None:
        """Push out the policy's victims, or nothing if the packet would not fit even then."""
        lengths, left, free = list(self.lengths), [len(queue) for queue in self.packets], self.free
        victims = []
        while free < taken:
            candidates = [queue for queue, number in enumerate(left) if number > 1]
            victim = self.policy.victim(port, taken, lengths, candidates)
            if victim is None:
                return
            left[victim] -= 1
            size = self.account(self.packets[victim][left[victim]][0])
            lengths[victim], free = lengths[victim] - size, free + size
            victims.append(victim)
        for victim in victims:
            size, burst = self.packets[victim].pop()
            self._hold(victim, -self.account(size))
            self._lose(victim, size, burst, now)

    def _expel(self, now: Any) -> None:
        """Expel first waiting packets, until the policy names no port."""
        while True:
            waiting = [queue for queue, packets in enumerate(self.packets) if len(packets) > 1]
            port = self.policy.expelled(self.lengths, self.free, waiting)
            if port is None:
                return
            size, burst = self.packets[port][1]
            del self.packets[port][1]
            self._hold(port, -self.account(size))
            self._lose(port, size, burst, now)

    def _lose(self, port: int, size: Any, burst: int | None, now: Any) -> None:
        self.policy.dropped(port, now)
        self.report(Lost(now, port, burst, size, self.free))

    def _hold(self, port: int, amount: Any) -> None:
        self.lengths[port] += amount
        self.free -= amount

    def _put(self, port: int, size: Any, burst: int | None, now: Any) -> None:
        self.packets[port].append((size, burst))
        self._hold(port, self.account(size))
        if len(self.packets[port]) == 1:
            self._send(port, now)

    def _send(self, port: int, now: Any) -> None:
        size, _ = self.packets[port][0]
        if self.rates[port]:
            heappush(self.events, (now + size / self.rates[port], _DEPART, port, size, None))

    def _depart(self, port: int, size: Any, now: Any) -> None:
        self.packets[port].popleft()
        self._hold(port, -self.account(size))
        self.result.sent[port] += size
        self.policy.dequeued(port, size, now)
        if self.packets[port]:
            self._send(port, now)
