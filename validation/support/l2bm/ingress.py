"""L2BM on a whole switch: recorders, weights and thresholds of the ingress queues, packet by packet.

Every packet belongs to an ingress queue, whose threshold decides its admission, and waits in an egress queue that sends
whole packets first in, first out. Each ingress queue has a recorder (`dtmodel.packet.l2bm`), and at each arrival

    T_i = alpha C / tau_i (B - Q),   C the sum of the averages of the queues that hold packets.

The paper does not define the average of an empty queue: here it is the estimate of the arriving packet. The length of
an egress queue includes the whole packet in service, so that no packet leaves later than its estimate, and every
reading's averages are greater than 0. ``policy="dt"`` uses alpha (B - Q) for the same packets.

Bytes and seconds are counted in units that make all numbers of a run whole, unless these units are too small.

Source: L2BM paper, Section III.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from math import lcm
from typing import Any, NamedTuple

from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError
from dtmodel.base.units import plain
from dtmodel.packet.l2bm.algorithm import READINGS, Recorder, dequeue, join, summed


@dataclass(frozen=True)
class IngressPacket:
    """A packet that arrives at an ingress queue.

    - `time`, `size`: in seconds and in bytes.
    - `ingress`, `egress`: queues, from 0.

    >>> IngressPacket(Fraction(0), ingress=0, egress=1, size=Fraction(1500)).egress
    1
    """

    time: Fraction
    ingress: int
    egress: int
    size: Fraction


_WIDEST = 2**256
"""The largest number of units in a byte or second; with smaller units, fractions are faster than whole numbers."""


class Moment(NamedTuple):
    """The state of the switch at one arrival.

    - `time`: in seconds.
    - `decision`: ``enqueue`` or ``drop``.
    - `threshold`: T of the packet's ingress queue in bytes; if it exceeds the buffer, the buffer is the limit.
    - `recorded`, `true`: the recorded average of the ingress queue before the packet, and the average remaining sojourn
      time of its packets, both in seconds; None if the queue is empty.
    - `lengths`: the ingress queues afterwards, in bytes.

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
    """The queues and running sums over their packets.

    The numbers are fractions, or whole multiples of units, with `byte` and `second` units in a byte and in a second.
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
        self.shown: list[Fraction | None] = [None] * queues  # the lengths in bytes, if computed
        self.ends = [0] * queues  # of each ingress queue: sum of the ends of its packets
        self.behind, self.idle = [0] * len(rates), [0] * len(rates)  # by egress queue: bytes, last end
        self.waiting: list[tuple[Any, int, int, Any, Any]] = []  # by end and egress queue

    def count_in(self, byte: int, second: int) -> None:
        self.byte, self.second, self.buffer = byte, second, _whole(self.buffer, byte)
        self.pace = [_whole(pace / byte, second) for pace in self.pace]

    def admit(self, now: Any, ingress: int, egress: int, size: Any) -> None:
        """Admit a packet: it leaves at `end`, and L2BM expects it to leave when it is due."""
        end = self.idle[egress] = max(self.idle[egress], now) + size * self.pace[egress]
        self.behind[egress] += size
        stay = self.behind[egress] * self.pace[egress]
        heappush(self.waiting, (end, egress, ingress, size, now + stay))
        self._change(ingress, size)
        self.ends[ingress] += end
        self.recorders[ingress] = join(self.recorders[ingress], now, stay)

    def depart_until(self, now: Any) -> None:
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
        """Return T of an ingress queue in bytes and its recorded average; `stay` is the average of an empty queue."""
        own, packets = summed(self.recorders[ingress], now, reading=self.reading), self.recorders[ingress].packets
        recorded = Fraction(own, packets * self.second) if packets else None
        free = self.alpha.numerator * (self.buffer - self.stored)
        parts = self.alpha.denominator * self.byte
        if self.policy == "dt":
            return Fraction(free, parts), recorded
        alike: dict[int, Any] = {}  # for each number of packets, the sum of N tau over the queues that hold so many
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
        """Return the average remaining sojourn time of the packets of an ingress queue, in seconds."""
        number = self.recorders[ingress].packets
        return Fraction(self.ends[ingress] - number * now, number * self.second) if number else None

    def shown_lengths(self) -> tuple[Fraction, ...]:
        """Return the lengths of the ingress queues, in bytes."""
        for k, shown in enumerate(self.shown):
            if shown is None:
                self.shown[k] = Fraction(self.lengths[k], self.byte)
        return tuple(self.shown)  # type: ignore[arg-type]  # every length is known now


def _whole(number: Any, unit: int) -> Any:
    """Return a number in units, as a whole number if it is one."""
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
    arrivals : sequence of IngressPacket
        In order of time; at one instant departures come first.
    ingress_queues : int
        The number of ingress queues.
    policy : {"l2bm", "dt"}
        The policy that sets the thresholds.
    reading : str
        The reading of Algorithm 1, one of `dtmodel.packet.l2bm.READINGS`.

    Raises
    ------
    InputError
        If a size is not positive, times are out of order, or a queue, policy or reading is unknown.

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
    """Return constant arrivals from ingress queue i to egress queue i, for each i, until the time `until` in seconds.

    `sizes`, `rates`: the packet size of each queue in bytes, and its arrival rate in bytes per second.

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
    """Return a common denominator, or None if it is too large."""
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
