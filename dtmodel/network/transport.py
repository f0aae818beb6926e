"""The transport of senders that react: readings of TCP, and one connection with its windows, timers and receiver.

All numbers are ints: windows and sequence numbers in segments, times in picoseconds. A reading (`Transport`) names
every choice that measurements seldom state. The rules are those of RFC 5681, 6298, 6582 (NewReno) and 6675 (SACK). An
acknowledgement carries the newest segment as its block, and the instant at which that segment was sent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol, final

from dtmodel.base import units
from dtmodel.base.documents import choice, flag, only_keys
from dtmodel.network.control import CONTROLS, MADE
from dtmodel.network.integers import picoseconds

SACKS = ("none", "rfc6675", "without-rule-3")
CONNECTIONS = ("new", "persistent")
DATA, ACK, CONTROL = range(3)
HEADER, ACK_BYTES = 40, 64
LARGEST_WINDOW = 4_000
_MOST_RTO = 60 * 10**12
_DELAYED = 40 * 10**9


@final
@dataclass(frozen=True)
class Transport:
    """A named reading of the transport.

    - `control`: ``"newreno"``, ``"dctcp"``, ``"ecn*"`` or ``"cubic"``.
    - `sack`: ``"none"``, ``"rfc6675"``, or ``"without-rule-3"``: RFC 6675 that does not send a
      segment again before it is known to be lost.
    - `initial_window` (int): in segments.
    - `min_rto`, `syn_timeout`: the least retransmission timeout, and that of a lost SYN or request, in picoseconds.
    - `delayed_ack`: True if every second segment is acknowledged, or one after 40 ms.
    - `connections`: ``"new"`` (a handshake before each response) or ``"persistent"``.
    - `handshake_sample`: True if the handshake of a connection is the first sample of its round trip; else the timeout
      is a second until a segment is acknowledged.
    - `segment` (int): payload of a segment in bytes; 40 bytes of headers are added.
    """

    control: str = "newreno"
    sack: str = "none"
    initial_window: int = 10
    min_rto: int = 200 * 10**9
    delayed_ack: bool = False
    connections: str = "new"
    syn_timeout: int = 10**12
    handshake_sample: bool = False
    segment: int = 1460

    @classmethod
    def read(cls, document: Mapping[str, Any], where: str = "transport") -> Transport:
        """Read a reading from a table; raise `InputError` for an unknown key or a window below one segment."""
        only_keys(document, tuple(field.name for field in fields(cls)), f"{where}.")
        read: dict[str, Callable[[Any, str], Any]] = {
            "control": lambda value, name: choice(value, name, CONTROLS),
            "sack": lambda value, name: choice(value, name, SACKS),
            "connections": lambda value, name: choice(value, name, CONNECTIONS),
            "initial_window": lambda value, name: units.count(value, name, least=1),
            "segment": lambda value, name: units.count(value, name, least=1),
            "min_rto": picoseconds,
            "syn_timeout": picoseconds,
            "delayed_ack": flag,
            "handshake_sample": flag,
        }
        return cls(**{name: read[name](value, f"{where}.{name}") for name, value in document.items()})


class Packet:
    """A packet on its way: its connection, kind, sequence number, size in bytes, queue, class, and its ECN bit."""

    __slots__ = ("block", "entered", "flow", "group", "kind", "marked", "queue", "seq", "size", "stamp", "target")

    def __init__(self, flow: Any, kind: int, seq: int, size: int, target: int, queue: int, stamp: int) -> None:
        self.flow, self.kind, self.seq, self.size = flow, kind, seq, size
        self.target, self.queue, self.stamp = target, queue, stamp
        self.marked, self.block, self.entered, self.group = False, -1, 0, -1


class Wire(Protocol):
    """The network as a connection sees it."""

    def send(self, host: int, packet: Packet, now: int) -> None:
        """Send a packet over the link of a host."""

    def at(self, instant: int, handler: Callable[[Any, int], None], argument: Any) -> None:
        """Call a handler with an argument and the instant."""


class Connection:
    """Connection `number`: a sender at host `source`, a receiver at host `target`, and messages of class `group`.

    `queue_of` returns the service queue of a packet, given the bytes of the message that were sent before it.
    """

    def __init__(
        self, network: Wire, number: int, source: int, target: int, transport: Transport,
        queue_of: Callable[[int], int], group: int = -1,
    ) -> None:  # fmt: skip
        self.network, self.number, self.source, self.target = network, number, source, target
        self.transport, self.queue_of, self.group = transport, queue_of, group
        self.control = MADE[transport.control]()
        self.sacks, self.rule3 = transport.sack != "none", transport.sack == "rfc6675"
        self.window, self.threshold, self.credit = transport.initial_window, LARGEST_WINDOW, 0
        self.una = self.next = self.high = self.limit = 0
        self.duplicates, self.recover, self.recovering, self.reduced_until = 0, -1, False, -1
        self.limited = 0  # segments sent beyond the window (RFC 3042): a reduction does not count them (RFC 5681)
        self.sacked: set[int] = set()
        self.again: set[int] = set()
        self.top: list[int] = []
        self.scan, self.rescued = 0, -1
        self.srtt = self.deviation = 0
        self.least_trip = _MOST_RTO
        self.rto = max(10**12, transport.min_rto)
        self.deadline, self.armed, self.last_sent = -1, -1, 0
        self.timeouts = self.resent = 0
        self.short: dict[int, int] = {}
        self.begin = 0
        self.expected, self.pending, self.said, self.ack_timer = 0, 0, False, -1
        self.ahead: set[int] = set()
        self.messages: deque[tuple[int, Callable[[int], None]]] = deque()
        self.stopped = False

    # The sender.

    def push(self, size: int, now: int, done: Callable[[int], None]) -> None:
        """Send a message of `size` bytes; `done` is called with the instant at which all of it has arrived."""
        segments, rest = divmod(size, self.transport.segment)
        self.begin = self.limit
        self.limit += segments + (rest > 0)
        if rest:
            self.short[self.limit - 1] = rest
        self.messages.append((self.limit, done))
        if self.una == self.next and now - self.last_sent > self.rto:
            self.window = min(self.window, self.transport.initial_window)
        self.fill(now)

    def stop(self, nothing: object, now: int) -> None:
        """Stop sending: segments that are on their way arrive, no other follows."""
        del nothing, now
        self.limit, self.stopped = self.next, True

    def fill(self, now: int) -> None:
        """Send all that the window allows."""
        if self.sacks and (self.recovering or self.sacked):
            self._fill_by_pipe(now)
        else:
            room = self.window + (0 if self.recovering else min(self.duplicates, 2))
            most = min(self.limit, self.una + min(room, LARGEST_WINDOW))
            while self.next < most:
                self._send(self.next, now)
                self.next += 1

    def _fill_by_pipe(self, now: int) -> None:
        while self._pipe() < self.window:
            seq = self._next_segment()
            if seq < 0:
                return
            if seq == self.next:
                self.next += 1
            else:
                self.again.add(seq)
            self._send(seq, now)

    def _pipe(self) -> int:
        """Return the segments that are in the network by RFC 6675: not SACKed and not lost, or sent again."""
        lost = self.top[0] - self.una - (len(self.sacked) - 3) if len(self.top) == 3 and self.recovering else 0
        return self.next - self.una - len(self.sacked) - max(lost, 0) + len(self.again)

    def _next_segment(self) -> int:
        """Return the segment that rules 1 to 4 of NextSeg choose, or -1."""
        if self.recovering:
            seq = self._hole(self.top[0] if len(self.top) == 3 else self.una)
            if seq >= 0:
                return seq
        if self.next < self.limit:
            return self.next
        seq = self._hole(self.top[-1]) if self.recovering and self.rule3 and self.top else -1
        return seq if seq >= 0 else self._rescue()

    def _rescue(self) -> int:
        """Return the last segment that is not SACKed, once in each recovery (rule 4), or -1."""
        if not self.recovering or self.una <= self.rescued:
            return -1
        self.rescued = self.recover
        return next((seq for seq in range(self.next - 1, self.una - 1, -1) if seq not in self.sacked), -1)

    def _hole(self, end: int) -> int:
        """Return the first segment before `end` that is neither SACKed nor sent again, or -1."""
        seq = max(self.scan, self.una)
        while seq < end and (seq in self.sacked or seq in self.again):
            seq += 1
        self.scan = max(seq, self.scan)
        return seq if seq < min(end, self.next) else -1

    def _send(self, seq: int, now: int) -> None:
        size = self.short.get(seq, self.transport.segment) + HEADER
        if seq < self.high:
            self.resent += 1
        else:
            self.high = seq + 1
        self.limited += seq >= self.una + self.window and not self.recovering
        before = (seq - self.begin) * self.transport.segment
        packet = Packet(self, DATA, seq, size, self.target, self.queue_of(before), now)
        packet.group = self.group
        self.network.send(self.source, packet, now)
        self.last_sent = now
        if self.deadline < 0:
            self._arm(now)

    def _arm(self, now: int) -> None:
        self.deadline = now + self.rto
        if self.armed < 0 or self.deadline < self.armed:
            self._watch()

    def _watch(self) -> None:
        self.armed = self.deadline
        self.network.at(self.deadline, self.expire, None)

    def expire(self, nothing: object, now: int) -> None:
        """Handle the timer: wait for a later deadline, or go back to the first segment that is not acknowledged."""
        del nothing
        if now != self.armed:
            return
        self.armed = -1
        if self.deadline > now:
            self._watch()
        elif self.deadline >= 0:
            self._time_out(now)

    def _time_out(self, now: int) -> None:
        self.timeouts += 1
        self.threshold = self.control.reduced(self, max(self.next - self.una, 1))
        self.window, self.credit, self.duplicates, self.limited = 1, 0, 0, 0
        self.recovering, self.recover = False, self.high - 1
        self._forget()
        self.next, self.rto = self.una, min(2 * self.rto, _MOST_RTO)
        self._arm(now)
        self.fill(now)

    def acknowledge(self, packet: Packet, now: int) -> None:
        """Advance and grow the window, detect losses, and send new segments, after an acknowledgement."""
        newly = packet.seq - self.una
        if packet.block >= 0 and self.sacks:
            self._note_block(packet.block)
        if newly > 0:
            self._advance(packet, newly, now)
        elif newly == 0 and self.next > self.una and packet.block >= 0:
            self._duplicate()
        held = self.control.echoed(self, max(newly, 0), packet.marked)
        if newly > 0 and not (self.recovering or held):
            self.control.grow(self, newly, now)
        self._maybe_recover(now)
        self.fill(now)

    def _advance(self, packet: Packet, newly: int, now: int) -> None:
        self.measure(now - packet.stamp)
        if self.sacked or self.again:
            for seq in range(self.una, packet.seq):
                self.sacked.discard(seq)
                self.again.discard(seq)
        self.una, self.limited = packet.seq, 0
        self.next = max(self.next, self.una)
        self.top = [seq for seq in self.top if seq >= self.una] if self.sacked else []
        if self.una < self.next or self.una < self.limit:
            self._arm(now)
        else:
            self.deadline = -1
        if not self.recovering:
            self.duplicates = 0
        elif self.una > self.recover:
            self.window, self.recovering, self.duplicates, self.credit = self.threshold, False, 0, 0
            self._forget()
        elif not self.sacks:
            self.window = max(self.window - newly + 1, 1)
            self._send(self.una, now)

    def measure(self, trip: int) -> None:
        """Take a sample of the round trip: RFC 6298."""
        self.least_trip = min(self.least_trip, trip)
        if self.srtt:
            self.deviation += (abs(self.srtt - trip) - self.deviation) // 4
            self.srtt += (trip - self.srtt) // 8
        else:
            self.srtt, self.deviation = trip, trip // 2
        self.rto = max(self.transport.min_rto, self.srtt + 4 * self.deviation)

    def _note_block(self, seq: int) -> None:
        if not self.una <= seq < self.next or seq in self.sacked:
            return
        self.sacked.add(seq)
        self.again.discard(seq)
        self.top = sorted([*self.top, seq])[-3:]

    def _duplicate(self) -> None:
        self.duplicates += 1
        if self.recovering and not self.sacks:
            self.window += 1

    def _maybe_recover(self, now: int) -> None:
        lost = self.duplicates >= 3 or (len(self.top) == 3 and self.top[0] > self.una)
        if self.recovering or not lost or self.una <= self.recover:
            return
        self.recovering, self.recover = True, self.high - 1
        self.threshold = self.control.reduced(self, self.next - self.una - self.limited)
        self.window, self.credit, self.scan = self.threshold, 0, self.una
        if self.sacks:
            self.again.add(self.una)
        else:
            self.window += 3
        self._send(self.una, now)

    def _forget(self) -> None:
        self.sacked.clear()
        self.again.clear()
        self.top, self.scan = [], 0

    # The receiver.

    def receive(self, packet: Packet, now: int) -> None:
        """Take a segment and acknowledge it, at once or later."""
        seq, fresh = packet.seq, packet.seq == self.expected
        if fresh:
            self.expected += 1
            while self.expected in self.ahead:
                self.ahead.remove(self.expected)
                self.expected += 1
        elif seq > self.expected:
            self.ahead.add(seq)
        complete = self.messages and self.expected >= self.messages[0][0]
        self.pending += 1
        now_or_never = not fresh or self.ahead or complete or packet.marked != self.said
        if not self.transport.delayed_ack or self.pending >= 2 or now_or_never:
            self._answer(packet, now)
        else:
            self.ack_timer = now
            self.network.at(now + _DELAYED, self._late, packet)
        if complete:
            self.messages.popleft()[1](now)

    def _late(self, packet: Packet, now: int) -> None:
        if self.pending and self.ack_timer == now - _DELAYED:
            self._answer(packet, now)

    def _answer(self, packet: Packet, now: int) -> None:
        self.pending, self.said = 0, packet.marked
        said = Packet(self, ACK, self.expected, ACK_BYTES, self.source, packet.queue, packet.stamp)
        said.marked = packet.marked
        if packet.seq >= self.expected or packet.seq < self.expected - 1:
            said.block = packet.seq
        self.network.send(self.target, said, now)


@final
class Request:
    """A request of the receiver for a message: a handshake if the connection is new, then the request itself.

    A lost step is sent again after `Transport.syn_timeout`. An answered request is a sample of the round trip.
    """

    def __init__(self, flow: Connection, size: int, now: int, done: Callable[[int], None]) -> None:
        self.flow, self.size, self.done, self.served = flow, size, done, False
        self.number = flow.number
        self.step = 0 if flow.transport.connections == "new" else 2
        self._send(self.step, flow.target, now)
        self._watch(now)

    def _send(self, step: int, host: int, now: int, stamp: int = -1) -> None:
        flow = self.flow
        other = flow.source if host == flow.target else flow.target
        flow.network.send(host, Packet(self, CONTROL, step, ACK_BYTES, other, flow.queue_of(0), stamp), now)

    def _watch(self, now: int) -> None:
        self.flow.network.at(now + self.flow.transport.syn_timeout, self._again, None)

    def _again(self, nothing: object, now: int) -> None:
        del nothing
        if not self.served:
            self._send(self.step, self.flow.target, now)
            self._watch(now)

    def handle(self, packet: Packet, now: int) -> None:
        """Process a packet of the handshake, or the request."""
        if packet.seq == 0:
            self._send(1, self.flow.source, now, now)
        elif packet.seq == 1 and self.step == 0:
            self.step = 2
            self._send(2, self.flow.target, now, packet.stamp)
        elif packet.seq == 2 and not self.served:
            self.served = True
            if packet.stamp >= 0 and self.flow.transport.handshake_sample:
                self.flow.measure(now - packet.stamp)
            self.flow.push(self.size, now, self.done)
