"""Trace requests for EDT: validation of what comes in, and the JSON-ready form of what goes out.

A trace request::

    {"id": "a", "algorithm": "edt", "reading": "circuit", "ports": 2, "buffer": 8, "alpha": 1, "cn1": 3, "cn2": 2,
     "tm1": "5", "tm2": "9", "count": "bytes",
     "events": [["arrive", "0", 1, 1], ["depart", "1", 1], ["tick", "2"]]}

Ports count from 1; `count` says what queues, buffer and C2 count (``"bytes"``, the default, or ``"packets"``); a timer
of null never expires; a ``"tick"`` only lets time pass. The answer has a step for each event, ``{"decision", "reason",
"victim", "packet", "ports"}``, where ``ports`` lists ``{"state", "queue", "threshold", "c1", "c2", "tm1", "tm2"}`` of
every port after the event (the timers as the instants of their expiry), and ``final``: ``queues`` (the sizes, head
first) and ``ports``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dtmodel import budgets
from dtmodel.documents import choice, collected, identity, only_keys, sequence, version
from dtmodel.errors import InputError
from dtmodel.policies.admission import Account
from dtmodel.policies.edt_circuit import READINGS, EdtPolicy, Settings
from dtmodel.units import bytes_, count, number, plain, seconds

__all__ = ["run_trace"]


_PORT = 80
"""The least number of characters in which a step describes a port."""


_KEYS = (
    *("id", "algorithm", "version", "reading", "ports", "buffer", "alpha"),
    *("cn1", "cn2", "tm1", "tm2", "count", "events"),
)


def run_trace(request: Mapping[str, Any]) -> dict[str, Any]:
    """Run a list of events through the state machines and return every step.

    Parameters
    ----------
    request : mapping
        In the form that the module describes.

    Raises
    ------
    InputError
        If a key, reading, port, size, timer or counter is not accepted, or the events are not in the order of time.

    Examples
    --------
    >>> answer = run_trace({"algorithm": "edt", "ports": 1, "buffer": 8, "alpha": 1, "cn2": 2,
    ...                     "events": [["arrive", 0, 1, 1], ["arrive", 1, 1, 1], ["depart", 2, 1]]})
    >>> [step["ports"][0]["state"] for step in answer["steps"]], answer["final"]["queues"]
    (['controlled', 'uncontrolled', 'uncontrolled'], [['1']])
    """
    only_keys(request, _KEYS, "")
    version(request)
    choice(request.get("algorithm", "edt"), "algorithm", ("edt",))
    for key in ("ports", "buffer", "alpha", "cn2", "events"):
        if key not in request:
            raise InputError(key, "nothing", "a value: it is required")
    events = sequence(request["events"], "events")
    budgets.check(
        "output", _PORT * count(request["ports"], "ports", least=1) * (len(events) + 1), "ports, in every step"
    )
    trace = _Trace(request)
    steps = collected((trace.step(index, event) for index, event in enumerate(events)), "events")
    queues = [[plain(size) for size in queue] for queue in trace.queues]
    return {"id": identity(request), "steps": steps, "final": {"queues": queues, "ports": trace.states()}}


class _Trace:
    """The queues and state machines that the events of a trace change."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        reading = choice(request.get("reading", "circuit"), "reading", tuple(READINGS))
        counted = choice(request.get("count", "bytes"), "count", ("bytes", "packets"))
        self.account: Account = (lambda _: Fraction(1)) if counted == "packets" else Fraction
        tm1, tm2 = (
            None if request.get(key) is None else seconds(request[key], key, positive=True) for key in ("tm1", "tm2")
        )
        cn1, cn2 = count(request.get("cn1", 3), "cn1", least=1), bytes_(request["cn2"], "cn2", positive=True)
        alpha = number(request["alpha"], "alpha", positive=True)
        ports = count(request["ports"], "ports", least=1)
        self.buffer = bytes_(request["buffer"], "buffer", positive=True)
        settings = Settings(alpha, cn1, cn2, tm1, tm2, READINGS[reading])
        self.policy = EdtPolicy(settings, ports, self.buffer, self.account)
        self.queues: list[list[Fraction]] = [[] for _ in range(ports)]
        self.numbers: list[list[int]] = [[] for _ in range(ports)]
        self.lengths = [Fraction(0)] * ports
        self.held = Fraction(0)
        self.now = Fraction(0)
        self.arrivals = 0

    def step(self, index: int, event: object) -> dict[str, Any]:
        """Make one event happen, and describe it."""
        where = f"events[{index}]"
        row = sequence(event, where)
        kind = choice(row[0] if row else None, f"{where}[0]", ("arrive", "depart", "tick"))
        if len(row) != {"arrive": 4, "depart": 3, "tick": 2}[kind]:
            raise InputError(where, row, '["arrive", time, port, size], ["depart", time, port] or ["tick", time]')
        now = seconds(row[1], f"{where}[1]")
        if now < self.now:
            raise InputError(f"{where}[1]", row[1], f"a time of at least {plain(self.now)}: events come in time order")
        self.now = now
        self.policy.tick(now)
        decision, reason, packet = "idle", "time passes", None
        if kind != "tick":
            port = self._port(row[2], f"{where}[2]")
            decision, reason, packet = self._arrive(port, row[3], where) if kind == "arrive" else self._depart(port)
        return {"decision": decision, "reason": reason, "victim": None, "packet": packet, "ports": self.states()}

    def states(self) -> list[dict[str, Any]]:
        """Describe the state, counters and timers of every port."""
        free = self._free()
        freed = next((index for index, port in enumerate(self.policy.ports) if not port.controlled), None)
        shared = "" if freed is None else plain(self.policy.threshold(freed, free))  # B / n: one for all of them
        return [
            {
                "state": "controlled" if port.controlled else "uncontrolled",
                "queue": plain(self.lengths[index]),
                "threshold": plain(self.policy.threshold(index, free)) if port.controlled else shared,
                "c1": port.c1,
                "c2": plain(port.c2),
                "tm1": None if port.tm1 is None else plain(port.tm1),
                "tm2": None if port.tm2 is None else plain(port.tm2),
            }
            for index, port in enumerate(self.policy.ports)
        ]

    def _port(self, value: object, field: str) -> int:
        port = count(value, field, least=1)
        if port > len(self.queues):
            raise InputError(field, value, f"a port from 1 to {len(self.queues)}")
        return port - 1

    def _free(self) -> Fraction:
        return self.buffer - self.held

    def _grow(self, port: int, size: Fraction) -> None:
        self.lengths[port] += size
        self.held += size

    def _arrive(self, port: int, value: object, where: str) -> tuple[str, str, int]:
        size = bytes_(value, f"{where}[3]", positive=True)
        if self.account(size) > self.buffer:
            raise InputError(f"{where}[3]", value, f"a packet no larger than the buffer, {plain(self.buffer)}")
        packet, self.arrivals = self.arrivals, self.arrivals + 1
        if self.account(size) > self._free():
            self.policy.overflowed(self.now)
            reason = "the buffer overflows: every port returns to the controlled state"
        elif self.policy.admits(port, self.lengths[port], self._free(), self.now):
            self.queues[port].append(size)
            self.numbers[port].append(packet)
            self._grow(port, self.account(size))
            self.policy.enqueued(port, size, self.now)
            return "enqueue", "the queue is below its threshold", packet
        else:
            reason = "the queue is not below its threshold"
        self.policy.dropped(port, self.now)
        return "drop", reason, packet

    def _depart(self, port: int) -> tuple[str, str, int | None]:
        if not self.queues[port]:
            return "idle", "the queue is empty", None
        size = self.queues[port].pop(0)
        self._grow(port, -self.account(size))
        self.policy.dequeued(port, size, self.now)
        return "depart", "the packet at the head is sent", self.numbers[port].pop(0)
