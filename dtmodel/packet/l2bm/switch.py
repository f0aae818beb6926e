"""One output port, packet by packet: real departure times beside the estimates of L2BM's recorder.

A port sends whole packets at `rate`, one class after the other (round robin over the classes that have a packet and are
not paused), first in, first out within a class. The length of an output queue, which line 8 of Algorithm 1 divides by
the rate, can be counted in three ways: by the byte (``fluid``), or by whole packets that leave the counter when their
transmission starts (``start``) or ends (``end``). In all three, with the departure at the end of the transmission,

    D - a = (q - q_fluid) / rate - (time the port serves other classes) - (time it is paused or idle meanwhile)

is the exact error of the estimate D (claim ``l2bm.ours.accounting``).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import final

from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError
from dtmodel.base.units import plain

COUNTERS = ("fluid", "start", "end")

Pause = tuple[Fraction, Fraction]
"""The interval in which a class may not start a transmission: (begin, end)."""


@dataclass(frozen=True)
class PortPacket:
    """A packet that arrives at the port.

    - `arrival`, `size`: in seconds and in bytes.
    - `group`: the index of its class.

    >>> PortPacket(Fraction(0), Fraction(1500)).group
    0
    """

    arrival: Fraction
    size: Fraction
    group: int = 0


@dataclass(frozen=True)
class Passage:
    """The way of one packet through the port.

    - `start`, `end`: start and end of its transmission.
    - `queue_out`: the length of its class's queue as counted at its arrival, the packet included.
    - `due`: L2BM's estimate: arrival + queue_out / rate.
    - `counted`: queue_out minus the bytes of its class still to be sent, the packet included.
    - `others`, `suspended`: the time between arrival and end for which the port sent packets of other classes, and for
      which it sent nothing.

    >>> (passage,) = passages([PortPacket(Fraction(0), Fraction(3))], Fraction(2))
    >>> passage.start, passage.end, passage.queue_out
    (Fraction(0, 1), Fraction(3, 2), Fraction(3, 1))
    """

    start: Fraction
    end: Fraction
    queue_out: Fraction
    due: Fraction
    counted: Fraction
    others: Fraction
    suspended: Fraction


def passages(
    packets: Sequence[PortPacket], rate: Fraction, *, counter: str = "end", pauses: Sequence[tuple[int, Pause]] = ()
) -> list[Passage]:
    """Send packets through the port.

    Parameters
    ----------
    packets : sequence of PortPacket
        In order of arrival, the first at 0 or later.
    rate : Fraction
        In bytes per second, greater than 0.
    counter : {"fluid", "start", "end"}
        The way in which the queue length is counted.
    pauses : sequence of (class, (begin, end))
        The intervals in which a class may not start a transmission.

    Examples
    --------
    >>> one = Fraction(1)
    >>> first, second = passages([PortPacket(0 * one, 2 * one), PortPacket(one, one)], one)
    >>> second.due, second.end  # the counter still holds the whole first packet: the estimate is 1 s late
    (Fraction(4, 1), Fraction(3, 1))
    """
    choice(counter, "counter", COUNTERS)
    if rate <= 0:
        raise InputError("rate", plain(rate), "a rate greater than 0")
    for index, packet in enumerate(packets):
        if packet.size <= 0 or packet.arrival < (packets[index - 1].arrival if index else 0):
            raise InputError(f"packets[{index}]", str(packet), "a positive size, and arrivals in order, from 0 on")
    starts = _schedule(packets, rate, pauses)
    port = _Sent([(start, packet.size / rate) for start, packet in zip(starts, packets, strict=True)])
    through: dict[int, Passage] = {}
    for group in {packet.group for packet in packets}:
        members = [index for index, packet in enumerate(packets) if packet.group == group]
        through |= _passages_of_class(members, packets, starts, rate, counter, port)
    return [through[index] for index in range(len(packets))]


def _schedule(packets: Sequence[PortPacket], rate: Fraction, pauses: Sequence[tuple[int, Pause]]) -> list[Fraction]:
    """Return the start of each transmission: round robin over classes, whole packets, no gap while one may start."""
    queues = {
        group: [i for i, p in enumerate(packets) if p.group == group] for group in sorted({p.group for p in packets})
    }
    starts: dict[int, Fraction] = {}
    now, last = Fraction(0), -1
    while any(queues.values()):
        ready = {group: _ready(now, packets[queue[0]], pauses) for group, queue in queues.items() if queue}
        now = max(now, min(ready.values()))
        able = [group for group, since in ready.items() if since <= now]
        last = min(able, key=lambda group: (group <= last, group))  # the next class after the one served last
        index = queues[last].pop(0)
        starts[index] = now
        now += packets[index].size / rate
    return [starts[index] for index in range(len(packets))]


def _ready(now: Fraction, packet: PortPacket, pauses: Sequence[tuple[int, Pause]]) -> Fraction:
    """Return the first time from `now` on at which the packet has arrived and its class is not paused."""
    since = max(now, packet.arrival)
    for group, (begin, end) in sorted(pauses):
        if group == packet.group and begin <= since < end:
            since = end
    return since


@final
class _Sent:
    """The total duration, up to a time, of transmissions that do not overlap."""

    def __init__(self, spans: Iterable[tuple[Fraction, Fraction]]) -> None:
        ordered = sorted(spans)
        self.starts = [start for start, _ in ordered]
        self.lasting = [time for _, time in ordered]
        self.before = list(accumulate(self.lasting, initial=Fraction(0)))

    def until(self, time: Fraction) -> Fraction:
        place = bisect_left(self.starts, time)
        if not place:
            return Fraction(0)
        return self.before[place - 1] + min(self.lasting[place - 1], time - self.starts[place - 1])

    def between(self, begin: Fraction, end: Fraction) -> Fraction:
        return self.until(end) - self.until(begin)


def _passages_of_class(
    members: Sequence[int],
    packets: Sequence[PortPacket],
    starts: Sequence[Fraction],
    rate: Fraction,
    counter: str,
    port: _Sent,
) -> dict[int, Passage]:
    """Return the passages of one class, whose packets leave in the order of arrival."""
    own = _Sent([(starts[index], packets[index].size / rate) for index in members])
    ends = [starts[index] + packets[index].size / rate for index in members]
    gone = [starts[index] for index in members] if counter == "start" else ends
    sizes = list(accumulate((packets[index].size for index in members), initial=Fraction(0)))
    through = {}
    for place, index in enumerate(members):
        arrived, end = packets[index].arrival, ends[place]
        fluid = sizes[place + 1] - rate * own.until(arrived)
        queue_out = fluid if counter == "fluid" else sizes[place + 1] - sizes[min(bisect_right(gone, arrived), place)]
        busy = port.between(arrived, end)
        through[index] = Passage(
            start=starts[index],
            end=end,
            queue_out=queue_out,
            due=arrived + queue_out / rate,
            counted=queue_out - fluid,
            others=busy - own.between(arrived, end),
            suspended=end - arrived - busy,
        )
    return through
