"""EDT's state machine with whole packets, for the kind ``trace``: the counters C1 and C2, the timers TM1 and TM2."""

from fractions import Fraction
from typing import Any

from .algebra import refuse_unless
from .answers import number

__all__ = ["run"]

ZERO = Fraction(0)


class Switch:
    """Ports that share a buffer; `always` is the reading in which TM1 runs all the time."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.always = {"circuit": False, "free-running": True}[request.get("reading", "circuit")]
        refuse_unless(request.get("count", "bytes") == "bytes", "only bytes are counted")
        self.buffer, self.alpha = Fraction(request["buffer"]), Fraction(request["alpha"])
        self.cn1, self.cn2 = int(request.get("cn1", 3)), Fraction(request["cn2"])
        self.tm1, self.tm2 = number(request.get("tm1")), number(request.get("tm2"))
        ports = range(int(request["ports"]))
        self.packets: list[list[Fraction]] = [[] for _ in ports]
        self.controlled, self.c1, self.c2 = [True for _ in ports], [0 for _ in ports], [ZERO for _ in ports]
        self.end1 = [self.tm1 if self.always else None for _ in ports]
        self.end2: list[Fraction | None] = [None for _ in ports]

    def free(self) -> Fraction:
        """What is free of the buffer."""
        return self.buffer - sum(map(sum, self.packets))

    def threshold(self, i: int) -> Fraction:
        """Return alpha F, or the share of an uncontrolled port."""
        return self.alpha * self.free() if self.controlled[i] else self.buffer / self.controlled.count(False)

    def pass_time(self, now: Fraction) -> None:
        """Let timers expire: TM2 returns the port, TM1 resets C2."""
        for i, end in enumerate(self.end2):
            if end is not None and end <= now:
                self.control(i)
        for i in range(len(self.packets)):
            while (end := self.end1[i]) is not None and end <= now:
                self.c2[i] = ZERO
                self.end1[i] = end + self.tm1 if self.always and self.tm1 else None

    def control(self, i: int) -> None:
        """Return an uncontrolled port."""
        if not self.controlled[i]:
            self.controlled[i], self.c2[i], self.end2[i] = True, ZERO, None

    def zero(self, i: int) -> None:
        """Stop TM1 if C2 is 0."""
        if self.c2[i] == 0 and not self.always:
            self.end1[i] = None

    def arrive(self, i: int, size: Fraction, now: Fraction) -> str:
        """A packet arrives: it overflows the buffer, or enters below the threshold, or is dropped."""
        if size > self.free():
            for port in range(len(self.packets)):
                self.control(port)
        elif sum(self.packets[i]) < self.threshold(i):
            self.packets[i].append(size)
            self.c1[i] = 0
            if self.controlled[i]:
                self.count(i, size, now)
            return "enqueue"
        if self.controlled[i]:
            self.c2[i] = ZERO
            self.zero(i)
        return "drop"

    def count(self, i: int, size: Fraction, now: Fraction) -> None:
        """Let C2 hear of an enqueued packet; at its number it frees the port."""
        self.c2[i] += size
        if self.c2[i] >= self.cn2:
            self.controlled[i], self.c2[i] = False, ZERO
            self.end2[i] = None if self.tm2 is None else now + self.tm2
            self.end1[i] = now + self.tm1 if self.always and self.tm1 else None
        elif self.end1[i] is None and self.tm1 is not None:
            self.end1[i] = now + self.tm1

    def depart(self, i: int) -> str:
        """The head of a queue is sent; C1 counts departures in a row and returns the port at its number."""
        if not self.packets[i]:
            return "idle"
        size = self.packets[i].pop(0)
        if self.controlled[i]:
            self.c2[i] = max(self.c2[i] - size, ZERO)
            self.zero(i)
        self.c1[i] += 1
        if self.c1[i] >= self.cn1:
            self.c1[i] = 0
            self.control(i)
        return "depart"

    def ports(self) -> list[dict[str, Any]]:
        """Describe every port."""
        return [
            {"state": "controlled" if self.controlled[i] else "uncontrolled", "queue": sum(queue, ZERO),
             "threshold": self.threshold(i), "c1": self.c1[i], "c2": self.c2[i], "tm1": self.end1[i],
             "tm2": self.end2[i]}
            for i, queue in enumerate(self.packets)
        ]  # fmt: skip


def run(request: dict[str, Any]) -> dict[str, Any]:
    """Run a request."""
    switch, steps = Switch(request), []
    for event in request["events"]:
        now, decision = Fraction(event[1]), "idle"
        switch.pass_time(now)
        if event[0] == "arrive":
            decision = switch.arrive(event[2] - 1, Fraction(event[3]), now)
        elif event[0] == "depart":
            decision = switch.depart(event[2] - 1)
        steps.append({"decision": decision, "ports": switch.ports()})
    return {"steps": steps, "final": {"queues": switch.packets, "ports": switch.ports()}}
