"""An output-queued switch with shared memory a second time: one list of what comes next, DT or EDT packet by packet.

EDT's ports are those of `reference_edt_packets`; nothing is shared with `dtmodel.packet`.
"""

from __future__ import annotations

from fractions import Fraction

from reference_edt_packets import Machine


class DynamicThreshold(Machine):
    """Ports that stay controlled: no counters, no timers, a threshold for each port."""

    def __init__(self, buffer, alphas):
        super().__init__(len(alphas), buffer, None, None, None, None, None, "circuit")
        self.alphas = alphas

    def threshold(self, port):
        return self.alphas[self.ports.index(port)] * self.free

    def arrive(self, port, size, amount, now):
        del now  # nothing here has a timer
        if amount > self.free or port.length >= self.threshold(port):
            return "drop"
        port.packets.append((size, amount))
        return "enqueue"

    def depart(self, port):
        port.packets.pop(0)


def run(machine, rates, streams, until, amount=lambda size: size, initial=()):
    """Return (offered, sent, lost); a lost packet is (time, port, size, free)."""
    pending = [(time, at, size) for at, rows in enumerate(streams) for time, size in rows]
    pending.sort(key=lambda item: item[0])  # at one instant, the earlier stream first
    offered, sent, lost = [0 * until for _ in rates], [0 * until for _ in rates], []
    done = [None] * len(rates)  # when the packet in service leaves

    def start(at, now):
        packets = machine.ports[at].packets
        done[at] = now + packets[0][0] / rates[at] if packets else None

    for at, sizes in enumerate(initial):
        machine.ports[at].packets.extend((size, amount(size)) for size in sizes)
        start(at, Fraction(0))
    while True:
        leaving = min((time for time in done if time is not None), default=None)
        if leaving is not None and leaving <= until and (not pending or leaving <= pending[0][0]):
            at = done.index(leaving)
            machine.pass_time(leaving)
            sent[at] += machine.ports[at].packets[0][0]
            machine.depart(machine.ports[at])
            start(at, leaving)
            continue
        if not pending or pending[0][0] > until:
            return offered, sent, lost
        now, at, size = pending.pop(0)
        machine.pass_time(now)
        offered[at] += size
        free, idle = machine.free, not machine.ports[at].packets
        if machine.arrive(machine.ports[at], size, amount(size), now) == "drop":
            lost.append((now, at, size, free))
        elif idle:
            start(at, now)
