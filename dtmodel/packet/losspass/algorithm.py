"""LossPass, Algorithm 1: the arbiter of one output port executed line by line, packet by packet.

The port's class queues, Q_s (small flows) and Q_l (large flows), share the buffer B completely. Each reading of the
text is a named variant of the same code (`READINGS`); tail drop is the arbiter without lines 2 to 9. Source: LossPass
paper, Section 3.2 and Algorithm 1; the alternative victim is Section 4.1's.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple

from dtmodel.base.units import whole

Class = Literal["small", "large"]
QueueName = Literal["any", "small", "large"]
Decision = Literal["enqueue", "evict", "evict+drop", "drop", "depart", "idle"]


@dataclass(frozen=True)
class EvictionReading:
    """One way to read Algorithm 1.

    `name`: in requests. `says`: the difference from the print.

    - `line4_at_most`: line 4 tests P.len + Q_s.len <= B - B_l (the prose) instead of >= (the print).
    - `line10_otherwise`: line 10 is reached only if nothing was enqueued; in the print it follows line 6.
    - `line15_enqueued`: line 15 is reached only if the packet was enqueued; in the print every packet reaches it.
    - `line12_limited`: line 12 too keeps Q_s within B - B_l, as the sentence of Section 3.2.3 says.
    - `victim`: the packet of Q_l that line 3 compares and line 5 evicts; "none" omits lines 2 to 9.
    - `fifo`: one queue for both classes, so that "any" departs in the order of arrival.
    """

    name: str
    says: str
    line4_at_most: bool = True
    line10_otherwise: bool = True
    line15_enqueued: bool = True
    line12_limited: bool = False
    victim: Literal["tail", "head", "none"] = "tail"
    fifo: bool = False


READINGS: Mapping[str, EvictionReading] = {
    reading.name: reading
    for reading in (
        EvictionReading(
            "intended",
            "line 4 tests <=; line 10 runs only if nothing was enqueued, line 15 only if the packet was enqueued",
        ),
        EvictionReading("literal", "as printed", line4_at_most=False, line10_otherwise=False, line15_enqueued=False),
        EvictionReading("mend-line4", "as printed except line 4", line10_otherwise=False, line15_enqueued=False),
        EvictionReading("mend-line10", "as printed except line 10", line4_at_most=False, line15_enqueued=False),
        EvictionReading(
            "mend-lines-4-10", "lines 4 and 10 mended; a dropped packet is still marked", line15_enqueued=False
        ),
        EvictionReading(
            "limited", "intended, and line 12 too keeps Q_s within B - B_l (Section 3.2.3)", line12_limited=True
        ),
        EvictionReading("head", "intended, with the head of Q_l as the victim (Section 4.1)", victim="head"),
        EvictionReading("droptail-2q", "lines 2 to 9 struck out: tail drop with two class queues", victim="none"),
        EvictionReading("droptail", "tail drop with one first-in first-out queue", victim="none", fifo=True),
    )
}
"""The readings of Algorithm 1 by name."""


@dataclass(frozen=True)
class PortSettings:
    """The settings of a port, in bytes, and the reading of Algorithm 1.

    - `buffer`, `reserve_large`: B and B_l.
    - `mark_small`, `mark_large`, `mark_port`: the marking threshold K of Q_s, of Q_l and of both; None never marks.
    - `reading` (EvictionReading): the reading of Algorithm 1.

    >>> PortSettings(Fraction(3)).reading.name
    'intended'
    """

    buffer: Fraction | int
    reserve_large: Fraction | int = 0
    mark_small: Fraction | int | None = None
    mark_large: Fraction | int | None = None
    mark_port: Fraction | int | None = None
    reading: EvictionReading = READINGS["intended"]

    def __post_init__(self) -> None:
        for name in ("buffer", "reserve_large", "mark_small", "mark_large", "mark_port"):
            amount = getattr(self, name)
            object.__setattr__(self, name, amount if amount is None else whole(amount))

    @cached_property
    def room(self) -> Fraction | int:
        """B - B_l, the bytes available to small flows."""
        return self.buffer - self.reserve_large


class Packet(NamedTuple):
    """A packet: its number in the order of arrival, from 0, its class, and its size in bytes."""

    number: int
    kind: Class
    size: Fraction | int


class Arrival(NamedTuple):
    """The arrival of a packet of class `kind` and `size` bytes.

    >>> Arrival("small", Fraction(1)).kind
    'small'
    """

    kind: Class
    size: Fraction | int


class Departure(NamedTuple):
    """The departure of the head of a `queue`.

    The queue "any" means strict priority, small packets first; with one FIFO queue, the oldest packet.

    >>> Departure().queue
    'any'
    """

    queue: QueueName = "any"


Event = Arrival | Departure


class Step(NamedTuple):
    """The result of one event: the decision, the line that made it, and the numbers of the packet and the victim."""

    decision: Decision
    reason: str
    packet: int | None = None
    victim: int | None = None


@dataclass(frozen=True)
class ArbiterRun:
    """The result of a whole trace.

    - `steps` (tuple of Step): one for each event.
    - `small`, `large` (tuple of Packet): the final queues, from head to tail.
    - `marked`: the numbers of all packets that were marked.

    >>> run_arbiter(PortSettings(Fraction(3)), [Arrival("small", Fraction(1))]).steps[0].decision
    'enqueue'
    """

    steps: tuple[Step, ...]
    small: tuple[Packet, ...]
    large: tuple[Packet, ...]
    marked: tuple[int, ...]

    def count(self, *decisions: Decision) -> int:
        """Return the number of steps with one of the `decisions`."""
        return sum(step.decision in decisions for step in self.steps)

    @property
    def lost(self) -> frozenset[int]:
        """The numbers of the packets that were dropped on arrival or evicted."""
        dropped = {step.packet for step in self.steps if step.decision in ("drop", "evict+drop")}
        return frozenset(n for n in dropped | {step.victim for step in self.steps} if n is not None)


@dataclass
class Arbiter:
    """The state of one port during a trace: queues from head to tail, their lengths in bytes, packets so far."""

    settings: PortSettings
    small: deque[Packet] = field(default_factory=deque)
    large: deque[Packet] = field(default_factory=deque)
    marked: set[int] = field(default_factory=set)
    length_small: Fraction | int = 0
    length_large: Fraction | int = 0
    arrived: int = 0

    @property
    def length(self) -> Fraction | int:
        """The sum of both queue lengths in bytes."""
        return self.length_small + self.length_large

    def arrive(self, arrival: Arrival) -> Step:
        """Run Algorithm 1 for the next packet."""
        packet = Packet(self.arrived, arrival.kind, whole(arrival.size))
        self.arrived += 1
        enqueued, victim, reason = self._lines_1_to_9(packet)
        reading = self.settings.reading
        dropped = not enqueued
        if victim is not None and not reading.line10_otherwise:
            self._remove(packet)
            dropped, reason = True, reason + "; line 10 drops it again"
        if not dropped or not reading.line15_enqueued:
            self._mark(packet)
        if victim is not None:
            return Step("evict+drop" if dropped else "evict", reason, packet.number, victim.number)
        return Step("drop" if dropped else "enqueue", reason, packet.number)

    def depart(self, departure: Departure) -> Step:
        """Send the packet at the head of a queue."""
        queue = self._served(departure)
        if not queue:
            return Step("idle", f"nothing to serve in {departure.queue!r}")
        packet = queue[0]
        self._remove(packet)
        return Step("depart", f"head of the {packet.kind} queue", packet.number)

    def _lines_1_to_9(self, packet: Packet) -> tuple[bool, Packet | None, str]:
        """Return True if the packet was enqueued, the evicted packet, and the reason."""
        total, limit = packet.size + self.length, self.settings.buffer
        if total <= limit:  # line 1 is false
            return self._line_12(packet)
        overflow = f"line 1: {total} > {limit}"
        refused = self._lines_2_to_4(packet)
        if refused:
            return False, None, f"{overflow}; {refused}; line 10"
        victim = self.large[-1] if self.settings.reading.victim == "tail" else self.large[0]
        self._remove(victim)  # line 5
        self._enqueue(packet)  # line 6
        return True, victim, f"{overflow}; lines 2-4 hold; line 5 evicts {victim.number}, line 6 enqueues"

    def _line_12(self, packet: Packet) -> tuple[bool, Packet | None, str]:
        room = self.settings.room
        if self.settings.reading.line12_limited and packet.kind == "small" and packet.size + self.length_small > room:
            return False, None, f"Q_s would exceed B - B_l = {room}"
        self._enqueue(packet)
        return True, None, "line 1 is false; line 12 enqueues"

    def _lines_2_to_4(self, packet: Packet) -> str:
        """Return the line that prevents an eviction, or an empty text."""
        reading = self.settings.reading
        if reading.victim == "none":
            return "no eviction"
        if packet.kind != "small":
            return "line 2: not a small flow"
        if not self.large:
            return "line 3: Q_l is empty"
        victim = self.large[-1] if reading.victim == "tail" else self.large[0]
        if packet.size > victim.size:
            return f"line 3: {packet.size} > {victim.size}"
        claimed, room = packet.size + self.length_small, self.settings.room
        if reading.line4_at_most and claimed > room:
            return f"line 4: {claimed} > {room}"
        if not reading.line4_at_most and claimed < room:
            return f"line 4: {claimed} < {room}"
        return ""

    def _mark(self, packet: Packet) -> None:
        """Lines 14 to 16: mark the packet if its queue or the port, at its current length, exceeds its threshold."""
        settings = self.settings
        length = self.length_small if packet.kind == "small" else self.length_large
        threshold = settings.mark_small if packet.kind == "small" else settings.mark_large
        if (threshold is not None and length > threshold) or (
            settings.mark_port is not None and self.length > settings.mark_port
        ):
            self.marked.add(packet.number)

    def _served(self, departure: Departure) -> deque[Packet]:
        if departure.queue == "small":
            return self.small
        if departure.queue == "large" or not self.small:
            return self.large
        if self.settings.reading.fifo and self.large and self.large[0].number < self.small[0].number:
            return self.large
        return self.small

    def _enqueue(self, packet: Packet) -> None:
        if packet.kind == "small":
            self.small.append(packet)
            self.length_small += packet.size
        else:
            self.large.append(packet)
            self.length_large += packet.size

    def _remove(self, packet: Packet) -> None:
        queue = self.small if packet.kind == "small" else self.large
        if queue[0] is packet:
            queue.popleft()
        else:
            queue.pop()
        if packet.kind == "small":
            self.length_small -= packet.size
        else:
            self.length_large -= packet.size


def run_arbiter(settings: PortSettings, events: Iterable[Event]) -> ArbiterRun:
    """Run `events`, arrivals and departures in order, through an empty port with `settings`.

    >>> one, two = Fraction(1), Fraction(2)
    >>> trace = [Arrival("large", two), Arrival("small", one), Arrival("small", one)]
    >>> [step.decision for step in run_arbiter(PortSettings(Fraction(3)), trace).steps]
    ['enqueue', 'enqueue', 'evict']
    """
    arbiter = Arbiter(settings)
    steps = [arbiter.arrive(event) if isinstance(event, Arrival) else arbiter.depart(event) for event in events]
    return ArbiterRun(tuple(steps), tuple(arbiter.small), tuple(arbiter.large), tuple(sorted(arbiter.marked)))
