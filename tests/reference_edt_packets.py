"""The state machines of EDT a second time, with whole packets: from Figures 7 to 9 and the named readings.

A plain description of every port; the timers are instants, and what is due by an event happens before it.
"""

from fractions import Fraction


class Port:
    def __init__(self, tm1, reading):
        self.packets, self.free_state = [], False  # (size, amount); uncontrolled?
        self.c1, self.c2, self.tm2 = 0, Fraction(0), None
        self.tm1 = tm1 if reading == "free-running" else None

    @property
    def length(self):
        return sum((amount for _, amount in self.packets), Fraction(0))


class Machine:
    """All ports of one switch; `now` is the time of the event that is handled."""

    def __init__(self, ports, buffer, alpha, cn1, cn2, tm1, tm2, reading):
        self.buffer, self.alpha, self.cn1, self.cn2 = buffer, alpha, cn1, cn2
        self.tm1, self.tm2, self.reading = tm1, tm2, reading
        self.ports = [Port(tm1, reading) for _ in range(ports)]

    @property
    def free(self):
        return self.buffer - sum((port.length for port in self.ports), Fraction(0))

    def threshold(self, port):
        if port.free_state:
            return self.buffer / sum(other.free_state for other in self.ports)
        return self.alpha * self.free

    def pass_time(self, now):
        for port in self.ports:
            while port.tm1 is not None and port.tm1 <= now:
                if not port.free_state:
                    port.c2 = Fraction(0)
                port.tm1 = port.tm1 + self.tm1 if self.reading == "free-running" else None
            if port.tm2 is not None and port.tm2 <= now:
                self.control(port)

    def control(self, port):
        if port.free_state:
            port.free_state, port.tm2 = False, None
            self.count(port, Fraction(0))

    def count(self, port, value):
        """Set C2; TM1 stops where C2 is not above 0."""
        port.c2 = value
        if port.c2 <= 0 and self.reading != "free-running":
            port.tm1 = None

    def arrive(self, port, size, amount, now):
        if self.reading == "arrivals":
            port.c1 = 0
        if amount > self.free:  # the overflow signal
            for other in self.ports:
                self.control(other)
            self.count(port, Fraction(0))
            return "drop"
        if port.length >= self.threshold(port):
            self.count(port, Fraction(0))
            return "drop"
        port.packets.append((size, amount))
        port.c1 = 0
        if not port.free_state:
            if port.c2 <= 0 < port.c2 + amount and self.tm1 is not None and self.reading != "free-running":
                port.tm1 = now + self.tm1
            port.c2 += amount
            if port.c2 >= self.cn2:
                port.free_state = True
                port.tm2 = None if self.tm2 is None else now + self.tm2
                self.count(port, Fraction(0))
                if self.reading == "free-running" and self.tm1 is not None:
                    port.tm1 = now + self.tm1
        return "enqueue"

    def depart(self, port):
        if not port.packets:
            return "idle"
        _, amount = port.packets.pop(0)
        if not port.free_state:
            self.count(port, port.c2 - amount if self.reading == "signed" else max(Fraction(0), port.c2 - amount))
        port.c1 += 1
        if port.c1 == self.cn1:
            port.c1 = 0
            if self.reading == "c1-resets-c2":
                self.count(port, Fraction(0))
            else:
                self.control(port)
        return "depart"


def optional(value):
    return None if value is None else Fraction(value)


def run(document):
    """Return the steps: (decision, packet, [(state, queue, threshold, c1, c2, tm1, tm2) of each port])."""
    machine = Machine(
        document["ports"],
        Fraction(document["buffer"]),
        Fraction(document["alpha"]),
        document.get("cn1", 3),
        Fraction(document["cn2"]),
        optional(document.get("tm1")),
        optional(document.get("tm2")),
        document.get("reading", "circuit"),
    )
    steps, number, numbers = [], 0, [[] for _ in machine.ports]
    for event in document["events"]:
        now = Fraction(event[1])
        machine.pass_time(now)
        decision, packet = "idle", None
        if event[0] == "arrive":
            size = Fraction(event[3])
            amount = Fraction(1) if document.get("count") == "packets" else size
            decision, packet = machine.arrive(machine.ports[event[2] - 1], size, amount, now), number
            if decision == "enqueue":
                numbers[event[2] - 1].append(number)
            number += 1
        elif event[0] == "depart":
            decision = machine.depart(machine.ports[event[2] - 1])
            packet = numbers[event[2] - 1].pop(0) if decision == "depart" else None
        steps.append(
            (
                decision,
                packet,
                [
                    (
                        "uncontrolled" if port.free_state else "controlled",
                        port.length,
                        machine.threshold(port),
                        port.c1,
                        port.c2,
                        port.tm1,
                        port.tm2,
                    )
                    for port in machine.ports
                ],
            )
        )
    return steps
