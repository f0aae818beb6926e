"""An output-queued switch with shared memory a second time: one list of what comes next, every policy packet by packet.

EDT's ports are those of `reference_edt_packets`; nothing is shared with `dtmodel.packet`.
"""

from fractions import Fraction

from reference_edt_packets import Machine


class Thresholds(Machine):
    """Ports without counters and timers; `limit(place, lengths, free)` is the threshold of a port, or None.

    `fits(place, lengths, amount)` is False if the port's pool has no room for a packet.
    """

    def __init__(self, buffer, ports, limit, fits=lambda _place, _lengths, _amount: True):
        super().__init__(ports, buffer, None, None, None, None, None, "circuit")
        self.limit, self.fits, self.pushed = limit, fits, []

    @property
    def lengths(self):
        return [port.length for port in self.ports]

    def arrive(self, port, size, amount, now):
        del now  # nothing here has a timer
        place = self.ports.index(port)
        threshold = self.limit(place, self.lengths, self.free)
        if amount > self.free or not self.fits(place, self.lengths, amount):
            return "drop"
        if threshold is not None and port.length >= threshold:
            return "drop"
        port.packets.append((size, amount))
        return "enqueue"

    def depart(self, port):
        port.packets.pop(0)


class LongestQueueDrop(Thresholds):
    """Everything enters; what does not fit pushes out the last waiting packet of the longest queue, again and again."""

    def __init__(self, buffer, ports):
        super().__init__(buffer, ports, lambda _place, _lengths, _free: None)

    def arrive(self, port, size, amount, now):
        self.pushed = []
        kept = [list(other.packets) for other in self.ports]
        while amount > self.free:
            waiting = [other for other in self.ports if len(other.packets) > 1]
            longest = max((other.length for other in waiting), default=None)
            if longest is None or port.length + amount >= longest:
                self.pushed = []
                for other, packets in zip(self.ports, kept, strict=True):
                    other.packets = packets
                return "drop"
            victim = next(other for other in waiting if other.length == longest)
            self.pushed.append((self.ports.index(victim), victim.packets.pop()[0], self.free))
        return super().arrive(port, size, amount, now)


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
        decision = machine.arrive(machine.ports[at], size, amount(size), now)
        lost += [(now, *packet) for packet in getattr(machine, "pushed", [])]
        if decision == "drop":
            lost.append((now, at, size, free))
        elif idle:
            start(at, now)
