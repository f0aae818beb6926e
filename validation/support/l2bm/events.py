"""Passages of packets through a port, written as a trace request for L2BM's recorder."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dtmodel.base.units import plain
from dtmodel.packet.l2bm.switch import Passage, PortPacket


def trace_events(packets: Sequence[PortPacket], through: Sequence[Passage], rate: Fraction) -> list[list[Any]]:
    """Return the events of a trace request for one ingress queue that receives all packets; departures first on a tie.

    >>> from dtmodel.packet.l2bm.switch import passages
    >>> one = Fraction(1)
    >>> packets = [PortPacket(0 * one, one)]
    >>> trace_events(packets, passages(packets, one), one)[-1]
    ['depart', '1', 'p0']
    """
    events: list[tuple[Fraction, list[Any]]] = []
    for index, (packet, passage) in enumerate(zip(packets, through, strict=True)):
        details = {"queue_out": plain(passage.queue_out), "rate": plain(rate)}
        events.append((packet.arrival, ["arrive", plain(packet.arrival), f"p{index}", details]))
        events.append((passage.end, ["depart", plain(passage.end), f"p{index}"]))
    # The sort is stable: a packet that departs at an instant arrived before those that arrive then, so it comes first.
    return [event for _, event in sorted(events, key=lambda item: item[0])]
