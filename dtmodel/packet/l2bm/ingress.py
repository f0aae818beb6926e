"""The whole of L2BM on one switch: recorders, weights and thresholds of the ingress queues, packet by packet.

Every packet belongs to an ingress queue, whose threshold decides whether it is admitted, and waits in an egress queue
that sends whole packets first in, first out. Each ingress queue has a recorder (`dtmodel.packet.l2bm`), and at each
arrival

    T_i = alpha C / tau_i (B - Q),   C the sum of the averages of the queues that hold packets.

The text leaves open what an empty queue's average is: here the estimate of the packet that arrives. The length of an
egress queue counts the packet in service whole, so that none leaves later than its estimate, and every average that
any reading of the recorder gives is greater than 0. ``policy="dt"`` uses alpha (B - Q) for the same packets.

Source: L2BM paper, Section III.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dtmodel.documents import choice
from dtmodel.errors import InputError
from dtmodel.packet.l2bm.algorithm import READINGS, Recorder, dequeue, enqueue, mean
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


@dataclass(frozen=True)
class Moment:
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
    """The queues, and sums over their packets, which change with a packet and are never added up again."""

    def __init__(
        self, buffer: Fraction, alpha: Fraction, rates: Sequence[Fraction], policy: str, reading: str, queues: int
    ) -> None:
        zero = Fraction(0)
        self.buffer, self.alpha, self.rates, self.policy, self.reading = buffer, alpha, rates, policy, reading
        self.recorders = [Recorder() for _ in range(queues)]
        self.lengths, self.stored = [zero] * queues, zero
        self.present, self.ends = [0] * queues, [zero] * queues  # of each ingress queue: packets, and when they leave
        self.behind = [zero for _ in rates]  # of each egress queue: bytes
        self.waiting: list[deque[tuple[Fraction, int, Fraction, Fraction]]] = [deque() for _ in rates]

    def admit(self, now: Fraction, ingress: int, egress: int, size: Fraction) -> None:
        """Take a packet in: it leaves at its end, and L2BM expects it to leave when it is due."""
        queue, rate = self.waiting[egress], self.rates[egress]
        end = (queue[-1][0] if queue else now) + size / rate
        self.behind[egress] += size
        queue.append((end, ingress, size, now + self.behind[egress] / rate))
        self.lengths[ingress] += size
        self.stored += size
        self.present[ingress] += 1
        self.ends[ingress] += end
        self.recorders[ingress] = enqueue(self.recorders[ingress], now, self.behind[egress], rate)

    def depart_until(self, now: Fraction) -> None:
        """Let all packets leave that have been sent by `now`, in order of time."""
        while heads := [
            (queue[0][0], egress) for egress, queue in enumerate(self.waiting) if queue and queue[0][0] <= now
        ]:
            _, egress = min(heads)
            end, ingress, size, due = self.waiting[egress].popleft()
            self.behind[egress] -= size
            self.lengths[ingress] -= size
            self.stored -= size
            self.present[ingress] -= 1
            self.ends[ingress] -= end
            self.recorders[ingress] = dequeue(self.recorders[ingress], end, due, reading=self.reading)

    def threshold(self, ingress: int, estimate: Fraction, now: Fraction) -> tuple[Fraction, Fraction | None]:
        """T of an ingress queue, whose average is `estimate` if it is empty, and what is recorded of it."""
        share, recorded = self.alpha, mean(self.recorders[ingress], now, reading=self.reading)
        if self.policy == "l2bm":
            others = (mean(each, now, reading=self.reading) for k, each in enumerate(self.recorders) if k != ingress)
            own = estimate if recorded is None else recorded
            share *= sum((average for average in others if average is not None), own) / own
        return share * (self.buffer - self.stored), recorded

    def still(self, ingress: int, now: Fraction) -> Fraction | None:
        """The average of what the packets of an ingress queue still have to stay."""
        number = self.present[ingress]
        return self.ends[ingress] / number - now if number else None


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


def _arrive(state: _Switch, arrival: IngressPacket, field_name: str, before: IngressPacket | None) -> Moment:
    now, i, j, size = arrival.time, arrival.ingress, arrival.egress, arrival.size
    if size <= 0 or (before is not None and now < before.time):
        raise InputError(field_name, str(arrival), "a positive size, and arrivals in order")
    if not (0 <= i < len(state.lengths) and 0 <= j < len(state.waiting)):
        raise InputError(field_name, str(arrival), "ingress and egress queues that the switch has")
    state.depart_until(now)
    threshold, recorded = state.threshold(i, (size + state.behind[j]) / state.rates[j], now)
    true, decision = state.still(i, now), "drop"
    if state.stored + size <= state.buffer and state.lengths[i] + size <= threshold:
        decision = "enqueue"
        state.admit(now, i, j, size)
    return Moment(now, decision, threshold, recorded, true, tuple(state.lengths))
