"""The whole of L2BM on one switch: recorders, weights and thresholds of the ingress queues, packet by packet.

Every packet belongs to an ingress queue, whose threshold decides whether it is admitted, and waits in an egress queue
that sends whole packets first in, first out. Each ingress queue has a recorder (`dtmodel.packet.l2bm`), and at each
arrival

    T_i = alpha C / tau_i (B - Q),   C the sum of the averages of the queues that hold packets.

The text leaves open what an empty queue's average is: here the estimate of the packet that arrives. The length of an
egress queue counts the packet in service whole, so that none leaves later than its estimate, and every average that
any reading of the recorder gives is greater than 0. ``policy="dt"`` uses alpha (B - Q) for the same packets.

Bytes and seconds are counted in units so small that all numbers of a run are whole, unless these would be too many.

Source: L2BM paper, Section III.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from math import lcm
from typing import Any, NamedTuple

from dtmodel.documents import choice
from dtmodel.errors import InputError
from dtmodel.packet.l2bm.algorithm import READINGS, Recorder, dequeue, join, summed
from dtmodel.units import plain


@dataclass(frozen=True)
class IngressPacket:
    """A packet: time in seconds, ingress and egress queue (indices), size in bytes.

    Attributes
    ----------
    time : Fraction
        In seconds.
    ingress, egress : int
        Queues, from 0.
    size : Fraction
        In bytes.

    Examples
    --------
    >>> IngressPacket(Fraction(0), ingress=0, egress=1, size=Fraction(1500)).egress
    1
    """

    time: Fraction
    ingress: int
    egress: int
    size: Fraction


_WIDEST = 2**256
"""Units that are not finer than this part of a byte, or of a second: in finer ones fractions are faster."""


class Moment(NamedTuple):
    """What an arrival met.

    Attributes
    ----------
    time : Fraction
    decision : str
        ``enqueue`` or ``drop``.
    threshold : Fraction
        T of its ingress queue in bytes; it can exceed the buffer, which limits it then.
    recorded, true : Fraction or None
        The recorded average of its ingress queue before the packet, and the average of what its packets still have to
        stay, both in seconds; None if it is empty.
    lengths : tuple of Fraction
        The ingress queues afterwards, in bytes.

    Examples
    --------
    >>> one = Fraction(1)
    >>> (met,) = ingress_moments(4 * one, one, [one], [IngressPacket(0 * one, 0, 0, one)], ingress_queues=1)
    >>> met.decision, met.recorded, met.lengths
    ('enqueue', None, (Fraction(1, 1),))
    """

    time: Fraction
    decision: str
    threshold: Fraction
    recorded: Fraction | None
    true: Fraction | None
    lengths: tuple[Fraction, ...]


class _Switch:
    """The queues, and sums over their packets, which change with a packet and are never added up again.

    Its numbers are whole, of units of which `byte` and `second` say how many there are, or are fractions.
    """

    def __init__(
        self, buffer: Fraction, alpha: Fraction, rates: Sequence[Fraction], policy: str, reading: str, queues: int
    ) -> None:
        zero: Any = 0  # whole until a fraction is added
        self.alpha, self.policy, self.reading = alpha, policy, reading
        self.byte = self.second = 1
        self.buffer: Any = buffer
        self.pace: list[Any] = [1 / Fraction(rate) for rate in rates]  # of each egress queue: time for a size of 1
        self.recorders = [Recorder(zero, 0, zero) for _ in range(queues)]
        self.lengths, self.stored = [0] * queues, 0
        self.shown: list[Fraction | None] = [None] * queues  # the lengths in bytes, where they are known
        self.ends = [0] * queues  # of each ingress queue: when its packets leave, together
        self.behind, self.idle = [0] * len(rates), [0] * len(rates)  # of each egress queue: what is there, until when
        self.waiting: list[tuple[Any, int, int, Any, Any]] = []  # by end and egress queue

    def count_in(self, byte: int, second: int) -> None:
        """Count in units in which everything is whole."""
        self.byte, self.second, self.buffer = byte, second, _whole(self.buffer, byte)
        self.pace = [_whole(pace / byte, second) for pace in self.pace]

    def admit(self, now: Any, ingress: int, egress: int, size: Any) -> None:
        """Take a packet in: it leaves at its end, and L2BM expects it to leave when it is due."""
        end = self.idle[egress] = max(self.idle[egress], now) + size * self.pace[egress]
        self.behind[egress] += size
        stay = self.behind[egress] * self.pace[egress]
        heappush(self.waiting, (end, egress, ingress, size, now + stay))
        self._change(ingress, size)
        self.ends[ingress] += end
        self.recorders[ingress] = join(self.recorders[ingress], now, stay)

    def depart_until(self, now: Any) -> None:
        """Let all packets leave that have been sent by `now`, in order of time."""
        while self.waiting and self.waiting[0][0] <= now:
            end, egress, ingress, size, due = heappop(self.waiting)
            self.behind[egress] -= size
            self._change(ingress, -size)
            self.ends[ingress] -= end
            self.recorders[ingress] = dequeue(self.recorders[ingress], end, due, reading=self.reading)

    def _change(self, ingress: int, size: Any) -> None:
        self.lengths[ingress] += size
        self.stored += size
        self.shown[ingress] = None

    def threshold(self, ingress: int, stay: Any, now: Any) -> tuple[Fraction, Fraction | None]:
        """T of an ingress queue in bytes, whose average is `stay` if it is empty, and what is recorded of it."""
        own, packets = summed(self.recorders[ingress], now, reading=self.reading), self.recorders[ingress].packets
        recorded = Fraction(own, packets * self.second) if packets else None
        free = self.alpha.numerator * (self.buffer - self.stored)
        parts = self.alpha.denominator * self.byte
        if self.policy == "dt":
            return Fraction(free, parts), recorded
        alike: dict[int, Any] = {}  # of the queues of so many packets, what their averages are quotients of
        for k, each in enumerate(self.recorders):
            if each.packets and k != ingress:
                alike[each.packets] = alike.get(each.packets, 0) + summed(each, now, reading=self.reading)
        if not packets:
            own, packets = stay, 1
        alike[packets] = alike.get(packets, 0) + own
        common = lcm(*alike)
        together = sum(total * (common // number) for number, total in alike.items())
        return Fraction(free * together * packets, parts * common * own), recorded

    def still(self, ingress: int, now: Any) -> Fraction | None:
        """The average of what the packets of an ingress queue still have to stay, in seconds."""
        number = self.recorders[ingress].packets
        return Fraction(self.ends[ingress] - number * now, number * self.second) if number else None

    def shown_lengths(self) -> tuple[Fraction, ...]:
        """The ingress queues, in bytes."""
        for k, shown in enumerate(self.shown):
            if shown is None:
                self.shown[k] = Fraction(self.lengths[k], self.byte)
        return tuple(self.shown)  # type: ignore[arg-type]  # none is unknown now


def _whole(number: Any, unit: int) -> Any:
    """A number in units of which it holds a whole number, or where there are none, itself."""
    return number.numerator * (unit // number.denominator) if unit % number.denominator == 0 else number * unit


def ingress_moments(
    buffer: Fraction,
    alpha: Fraction,
    rates: Sequence[Fraction],
    arrivals: Sequence[IngressPacket],
    *,
    ingress_queues: int,
    policy: str = "l2bm",
    reading: str = "literal",
) -> list[Moment]:
    """Run the switch and report every arrival.

    Parameters
    ----------
    buffer, alpha : Fraction
        B in bytes and alpha.
    rates : sequence of Fraction
        The rate of each egress queue in bytes per second.
    arrivals : sequence of Arrival
        In order of time; at one instant departures come first.
    ingress_queues : int
        How many ingress queues there are.
    policy : {"l2bm", "dt"}
    reading : str
        How Algorithm 1 is read, one of `dtmodel.packet.l2bm.READINGS`.

    Raises
    ------
    InputError
        For a size that is not positive, times out of order, or an unknown queue, policy or reading.

    Examples
    --------
    >>> one = Fraction(1)
    >>> packets = [IngressPacket(0 * one, 0, 0, one)] * 4
    >>> [moment.decision for moment in ingress_moments(4 * one, one, [one], packets, ingress_queues=1)]
    ['enqueue', 'enqueue', 'drop', 'drop']
    """
    choice(policy, "policy", ("l2bm", "dt"))
    choice(reading, "reading", READINGS)
    for name, value in (("buffer", buffer), ("alpha", alpha), *((f"rates[{i}]", rate) for i, rate in enumerate(rates))):
        if value <= 0:
            raise InputError(name, plain(value), "a number greater than 0")
    state = _Switch(buffer, alpha, rates, policy, reading, ingress_queues)
    byte = _common([buffer, *(arrival.size for arrival in arrivals)])
    second = _common([*(arrival.time for arrival in arrivals), *(pace / (byte or 1) for pace in state.pace)])
    if byte and second:
        state.count_in(byte, second)
    return [
        _arrive(state, arrival, f"arrivals[{i}]", arrivals[i - 1] if i else None) for i, arrival in enumerate(arrivals)
    ]


def steady_arrivals(sizes: Sequence[Fraction], rates: Sequence[Fraction], until: Fraction) -> list[IngressPacket]:
    """Ingress queue i sends packets of sizes[i] to egress queue i at rates[i] bytes per second, from 0 to `until`.

    Parameters
    ----------
    sizes : sequence of Fraction
        In bytes.
    rates : sequence of Fraction
        In bytes per second.
    until : Fraction
        In seconds.

    Examples
    --------
    >>> one = Fraction(1)
    >>> [str(arrival.time) for arrival in steady_arrivals([one], [2 * one], 2 * one)]
    ['0', '1/2', '1', '3/2']
    """
    return sorted(_stream(sizes, rates, until), key=lambda arrival: (arrival.time, arrival.ingress))


def _stream(sizes: Sequence[Fraction], rates: Sequence[Fraction], until: Fraction) -> Iterator[IngressPacket]:
    for index, (size, rate) in enumerate(zip(sizes, rates, strict=True)):
        time = Fraction(0)
        while time < until:
            yield IngressPacket(time, index, index, size)
            time += size / rate


def _common(numbers: Sequence[Fraction]) -> int | None:
    """A common denominator; None: it is too large."""
    found = 1
    for number in numbers:
        found = lcm(found, number.denominator)
        if found > _WIDEST:
            return None
    return found


def _arrive(state: _Switch, arrival: IngressPacket, field_name: str, before: IngressPacket | None) -> Moment:
    i, j = arrival.ingress, arrival.egress
    if arrival.size <= 0 or (before is not None and arrival.time < before.time):
        raise InputError(field_name, str(arrival), "a positive size, and arrivals in order")
    if not (0 <= i < len(state.lengths) and 0 <= j < len(state.pace)):
        raise InputError(field_name, str(arrival), "ingress and egress queues that the switch has")
    now, size = _whole(arrival.time, state.second), _whole(arrival.size, state.byte)
    state.depart_until(now)
    threshold, recorded = state.threshold(i, (size + state.behind[j]) * state.pace[j], now)
    true, decision, length = state.still(i, now), "drop", state.lengths[i] + size
    below = length * threshold.denominator <= state.byte * threshold.numerator
    if below and state.stored + size <= state.buffer:
        decision = "enqueue"
        state.admit(now, i, j, size)
    return Moment(arrival.time, decision, threshold, recorded, true, state.shown_lengths())
