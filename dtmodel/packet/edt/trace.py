"""Trace requests for EDT: reading and checking the request, and the JSON-ready answer.

A trace request::

    {"id": "a", "algorithm": "edt", "reading": "circuit", "ports": 2, "buffer": 8, "alpha": 1, "cn1": 3, "cn2": 2,
     "tm1": "5", "tm2": "9", "count": "bytes",
     "events": [["arrive", "0", 1, 1], ["depart", "1", 1], ["tick", "2"]]}

Ports count from 1; `count` is the unit of queues, buffer and C2 (``"bytes"``, the default, or ``"packets"``); a timer
of null never expires; a ``"tick"`` only lets time pass. The answer has a step for each event, ``{"decision", "reason",
"victim", "packet", "ports"}``, where ``ports`` lists ``{"state", "queue", "threshold", "c1", "c2", "tm1", "tm2"}`` of
every port after the event (the timers as the instants of their expiry), and ``final``: ``queues`` (the sizes, head
first) and ``ports``. The form with changes only has one ``threshold`` for each state, and for each port, by its number,
the entries that differ from the step before.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dtmodel.base import budgets
from dtmodel.base.documents import choice, identity, required, sequence
from dtmodel.base.errors import InputError
from dtmodel.base.units import bytes_, count, number, plain, seconds
from dtmodel.packet.streaming import TraceStream, check_head, in_order, numbered, outcome
from dtmodel.policies.admission import Account
from dtmodel.policies.edt_circuit import READINGS, CircuitSettings, EdtPolicy

_PORT = 80
"""The least number of characters in which a step describes a port."""
_STATES = {True: "controlled", False: "uncontrolled"}


def run_trace(request: Mapping[str, Any]) -> dict[str, Any]:
    """Run the events of a `request` through the state machines and return every step.

    Raises `InputError` if a key, reading, port, size, timer or counter is not accepted, or the events are not in the
    order of time.

    >>> answer = run_trace({"algorithm": "edt", "ports": 1, "buffer": 8, "alpha": 1, "cn2": 2,
    ...                     "events": [["arrive", 0, 1, 1], ["arrive", 1, 1, 1], ["depart", 2, 1]]})
    >>> [step["ports"][0]["state"] for step in answer["steps"]], answer["final"]["queues"]
    (['controlled', 'uncontrolled', 'uncontrolled'], [['1']])
    """
    _check(request, "output", _PORT)
    return stream_trace(request).collect()


def stream_trace(request: Mapping[str, Any]) -> TraceStream:
    """Answer a trace `request`, as `run_trace` does, step by step."""
    check_head(request, "edt")
    _check(request, "work", 1)
    trace = _Trace(request)
    brief = (trace.step(index, event) for index, event in enumerate(request["events"]))
    return TraceStream(identity(request), map(_whole, brief), trace.final, brief)


def _whole(step: dict[str, Any]) -> dict[str, Any]:
    """Replace the thresholds by state with the threshold of each port."""
    thresholds = step.pop("threshold")
    return {**step, "ports": [_with_threshold(port, thresholds) for port in step["ports"]]}


def _with_threshold(port: Mapping[str, Any], thresholds: Mapping[str, str]) -> dict[str, Any]:
    return {"state": port["state"], "queue": port["queue"], "threshold": thresholds[port["state"]], **port}


def _check(request: Mapping[str, Any], budget: str, each: int) -> None:
    """Raise an error if a key is missing or the steps would describe more ports than the budget allows."""
    required(request, ("ports", "buffer", "alpha", "cn2", "events"), "")
    steps = len(sequence(request["events"], "events")) + 1
    budgets.keep_within(budget, each * count(request["ports"], "ports", least=1) * steps, "ports, in every step")


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
        settings = CircuitSettings(alpha, cn1, cn2, tm1, tm2, READINGS[reading])
        self.policy = EdtPolicy(settings, ports, self.buffer, self.account)
        self.queues: list[list[Fraction]] = [[] for _ in range(ports)]
        self.numbers: list[list[int]] = [[] for _ in range(ports)]
        self.lengths = [Fraction(0)] * ports
        self.held = Fraction(0)
        self.now = Fraction(0)
        self.arrivals = 0
        self._seen: list[Any] = [None] * ports
        self._rows: list[dict[str, Any]] = [{}] * ports

    def step(self, index: int, event: object) -> dict[str, Any]:
        where = f"events[{index}]"
        row = sequence(event, where)
        kind = choice(row[0] if row else None, f"{where}[0]", ("arrive", "depart", "tick"))
        if len(row) != {"arrive": 4, "depart": 3, "tick": 2}[kind]:
            raise InputError(where, row, '["arrive", time, port, size], ["depart", time, port] or ["tick", time]')
        self.now = in_order(row[1], f"{where}[1]", self.now)
        self.policy.tick(self.now)
        decision, reason, packet = "idle", "time passes", None
        if kind != "tick":
            port = numbered(row[2], f"{where}[2]", "port", len(self.queues))
            decision, reason, packet = self._arrive(port, row[3], where) if kind == "arrive" else self._depart(port)
        return {**outcome(decision, reason, packet), **self.states()}

    def final(self) -> dict[str, Any]:
        queues = [[plain(size) for size in queue] for queue in self.queues]
        return {"queues": queues, **_whole(self.states())}

    def states(self) -> dict[str, Any]:
        """Describe the threshold in each state, and the state, counters and timers of every port."""
        one_of = {port.controlled: index for index, port in enumerate(self.policy.ports)}
        thresholds = {_STATES[state]: plain(self.policy.threshold(one_of[state], self._free())) for state in one_of}
        for index, port in enumerate(self.policy.ports):
            now = (port.controlled, self.lengths[index], port.c1, port.c2, port.tm1, port.tm2)
            if now != self._seen[index]:
                self._seen[index], self._rows[index] = now, _described(*now)
        return {"threshold": thresholds, "ports": list(self._rows)}

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


def _described(controlled: bool, length: Any, c1: int, c2: Any, tm1: Any, tm2: Any) -> dict[str, Any]:
    expiries = {"tm1": None if tm1 is None else plain(tm1), "tm2": None if tm2 is None else plain(tm2)}
    return {"state": _STATES[controlled], "queue": plain(length), "c1": c1, "c2": plain(c2), **expiries}
