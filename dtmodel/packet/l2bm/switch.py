"""One output port, packet by packet: when packets really leave, beside what L2BM's recorder expects.

A port sends whole packets at `rate`, one class after the other (round robin over the classes that have a packet and are
not paused), first in, first out within a class. The length of an output queue, which line 8 of Algorithm 1 divides by
the rate, can be counted in three ways: by the byte (``fluid``), or by whole packets that leave the counter when their
transmission starts (``start``) or ends (``end``). Whatever is chosen, with the departure at the end of the transmission

    D - a = (q - q_fluid) / rate - (time the port serves other classes) - (time it is paused or idle meanwhile)

is the exact error of the estimate D (claim ``l2bm.ours.accounting``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel.documents import choice
from dtmodel.errors import InputError
from dtmodel.units import plain

__all__ = ["COUNTERS", "Packet", "Passage", "passages", "trace_events"]

COUNTERS = ("fluid", "start", "end")

Pause = tuple[Fraction, Fraction]
"""From when until when a class may not start a transmission."""


@dataclass(frozen=True)
class Packet:
    """A packet: arrival time in seconds, size in bytes, class (an index)."""

    arrival: Fraction
    size: Fraction
    group: int = 0


@dataclass(frozen=True)
class Passage:
    """What became of a packet.

    Attributes
    ----------
    start, end : Fraction
        When its transmission started and ended.
    queue_out : Fraction
        The length of its class's queue as counted at its arrival, itself included.
    due : Fraction
        Arrival + queue_out / rate, what L2BM expects.
    counted : Fraction
        queue_out minus the bytes of its class still to be sent, itself included.
    others : Fraction
        The time for which the port sent packets of other classes between arrival and end.
    suspended : Fraction
        The time for which it sent nothing between arrival and end.
    """

    start: Fraction
    end: Fraction
    queue_out: Fraction
    due: Fraction
    counted: Fraction
    others: Fraction
    suspended: Fraction


def passages(
    packets: Sequence[Packet],
    rate: Fraction,
    *,
    counter: str = "end",
    pauses: Sequence[tuple[int, Pause]] = (),
) -> list[Passage]:
    """Send packets through the port.

    Parameters
    ----------
    packets : sequence of Packet
        In order of arrival, the first at 0 or later.
    rate : Fraction
        In bytes per second, greater than 0.
    counter : {"fluid", "start", "end"}
        How the queue length is counted.
    pauses : sequence of (class, (from, until))
        When a class may not start a transmission.

    Examples
    --------
    >>> one = Fraction(1)
    >>> first, second = passages([Packet(0 * one, 2 * one), Packet(one, one)], one)
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
    return [_passage(index, packets, starts, rate, counter) for index in range(len(packets))]


def trace_events(packets: Sequence[Packet], through: Sequence[Passage], rate: Fraction) -> list[list[Any]]:
    """The events of a trace request for one ingress queue that receives all these packets; departures first on a tie.

    Examples
    --------
    >>> one = Fraction(1)
    >>> packets = [Packet(0 * one, one)]
    >>> trace_events(packets, passages(packets, one), one)[-1]
    ['depart', '1', 'p0']
    """
    events: list[tuple[Fraction, list[Any]]] = []
    for index, (packet, passage) in enumerate(zip(packets, through, strict=True)):
        details = {"queue_out": plain(passage.queue_out), "rate": plain(rate)}
        events.append((packet.arrival, ["arrive", plain(packet.arrival), f"p{index}", details]))
        events.append((passage.end, ["depart", plain(passage.end), f"p{index}"]))
    # The sort is stable: whoever departs came before whoever arrives just then, and so stands before it.
    return [event for _, event in sorted(events, key=lambda item: item[0])]


def _schedule(packets: Sequence[Packet], rate: Fraction, pauses: Sequence[tuple[int, Pause]]) -> list[Fraction]:
    """Return when each transmission starts: round robin over classes, whole packets, no gap while one may start."""
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


def _ready(now: Fraction, packet: Packet, pauses: Sequence[tuple[int, Pause]]) -> Fraction:
    """Return the first time from `now` on at which the packet is there and its class is not paused."""
    since = max(now, packet.arrival)
    for group, (begin, end) in sorted(pauses):
        if group == packet.group and begin <= since < end:
            since = end
    return since


def _passage(
    index: int, packets: Sequence[Packet], starts: Sequence[Fraction], rate: Fraction, counter: str
) -> Passage:
    packet, arrived = packets[index], packets[index].arrival
    ends = [start + p.size / rate for start, p in zip(starts, packets, strict=True)]
    ahead = [i for i in range(index) if packets[i].group == packet.group]
    fluid = packet.size + sum(
        (min(packets[i].size, max(Fraction(0), rate * (ends[i] - arrived))) for i in ahead), Fraction(0)
    )
    gone = starts if counter == "start" else ends
    whole = packet.size + sum((packets[i].size for i in ahead if gone[i] > arrived), Fraction(0))
    queue_out = fluid if counter == "fluid" else whole
    end = ends[index]
    busy = [max(Fraction(0), min(e, end) - max(b, arrived)) for b, e in zip(starts, ends, strict=True)]
    others = sum((t for t, p in zip(busy, packets, strict=True) if p.group != packet.group), Fraction(0))
    return Passage(
        start=starts[index],
        end=end,
        queue_out=queue_out,
        due=arrived + queue_out / rate,
        counted=queue_out - fluid,
        others=others,
        suspended=end - arrived - sum(busy, Fraction(0)),
    )
