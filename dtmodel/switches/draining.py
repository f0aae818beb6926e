"""Packets that both sides of a switch count while outputs send: flows filled one after another, or all at once.

From its turn on a source offers a packet each ``packet / rate`` seconds. An output sends one each ``packet / drain``
seconds, of its queues in turn, and of one queue in the order of arrival; at one instant packets leave before others
arrive. A packet that would cause a pause or a drop is not sent, so that a flow that was refused stays at its limit.
When all flows had their turns, the sources of the paused groups ignore the pause, in a second turn of each.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple, final

from dtmodel.base import budgets, units
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.units import Quantity, plain
from dtmodel.switches.sides import Held, Sides

_LEAVE, _ARRIVE = 0, 1


def drains_of(drain: Quantity | Sequence[Quantity], ports: Sequence[str]) -> dict[str, Fraction]:
    """Return the rate of each output that sends, from ``"Ethernet8=50Gbps"`` or one rate for all other `ports`."""
    found = dict[str, Fraction]()
    given: Any = drain if units.is_sequence(drain) else [drain]
    for each in sorted(given, key=lambda rate: "=" in str(rate)):
        port, equals, value = str(each).rpartition("=")
        if equals and port.strip() not in ports:
            raise InputError("drain", each, f"a rate, or one of the outputs {', '.join(ports)} with its rate")
        rate = units.rate(value.strip() if equals else each, "drain")
        found |= dict.fromkeys([port.strip()] if equals else ports, rate)
    return {port: rate for port, rate in found.items() if rate}


def drained(
    sides: Sides, fill: str, rates: Sequence[Fraction | None], drains: Mapping[str, Fraction], packet: Fraction
) -> list[dict[str, Any]]:
    """Fill the flows as `dtmodel.switches.sides.filled` does, while outputs send at `drains`; None if never refused.

    `rates`: the rate of each source; None if the file has none. `packet`: the bytes of a packet.
    """
    for (group, _), rate in zip(sides.flows, rates, strict=True):
        if rate is None:
            raise InputError("rate", MISSING, f"the rate of the source of {sides.groups[group]}, or PORT.speed")
    run = _Run(sides, [packet / rate for rate in rates if rate], {port: packet / rate for port, rate in drains.items()})
    every = range(len(sides.flows))
    first = run.fill(every, "shared", fill)
    paused = [flow for flow in every if first[flow][0] == "headroom"]
    last = run.fill(paused, "headroom", fill)
    return [_row(sides, flow, first[flow], last.get(flow)) for flow in every]


class _Stop(NamedTuple):
    """The end of a flow's turn: the next packet's `place`, the limits that refuse it, packets sent, the time."""

    place: str
    by: str
    turn: int
    sent: int
    stored: int
    time: Fraction | None


def _row(sides: Sides, flow: int, first: _Stop, last: _Stop | None) -> dict[str, Any]:
    group, queue = sides.flows[flow]
    end = first if last is None else last
    return {
        "group": sides.groups[group], "queue": sides.queues[queue],
        "packets": None if first.time is None else first.turn,
        "event": {"headroom": "pause", "drop": "drop"}.get(first.place, "none"), "refused_by": first.by,
        "headroom": 0 if last is None else None if last.time is None else last.turn,
        "first_dropped": end.sent + 1 if end.place == "drop" else None, "dropped_by": end.by,
        "stored": first.stored, "time": None if first.time is None else plain(first.time),
    }  # fmt: skip


@final
class _Run:
    """The packets in the switch; `periods` and `sending`: seconds between two packets of a flow and of an output."""

    def __init__(self, sides: Sides, periods: Sequence[Fraction], sending: Mapping[str, Fraction]) -> None:
        self.sides, self.periods, self.sending = sides, periods, sending
        self.held, self.now, self.events_so_far = sides.empty, Fraction(0), 0
        self.sent, self.turn = [0] * len(periods), [0] * len(periods)
        self.ignores = [False] * len(periods)
        self.full = set[int]()  # flows that were refused after the last packet left
        self.events: list[tuple[Fraction, int, int]] = []
        self.lines: dict[str, deque[int]] = {queue: deque() for queue in sides.queues}
        self.outputs = list(dict.fromkeys(queue.rpartition("|")[0] for queue in sides.queues))
        self.waiting: dict[str, deque[str]] = {port: deque() for port in self.outputs}

    def fill(self, flows: Sequence[int], place: str, fill: str) -> dict[int, _Stop]:
        """Let flows send until a packet of each would have another place than `place` or, at the end, be dropped."""
        stops = dict[int, _Stop]()
        for turn in [list(flows)] if fill == "together" else [[flow] for flow in flows]:
            for flow in turn:
                self.turn[flow], self.ignores[flow] = 0, place == "headroom"
            started = {flow for _, kind, flow in self.events if kind == _ARRIVE}
            self.events += [(self.now, _ARRIVE, flow) for flow in turn if flow not in started]
            heapify(self.events)
            stops |= self._until(set(turn))
        return stops

    def _until(self, turn: set[int]) -> dict[int, _Stop]:
        """Run until each flow of a turn is refused, or the state repeats, so that the others never are."""
        stops, steps, before = dict[int, _Stop](), 0, None
        while turn:
            flow, place, by = self._step()
            if flow not in turn:
                continue
            if place not in self._accepted(flow):
                stops[flow] = self._stop(flow, place, by, self.now)
                turn.remove(flow)
                steps, before = 0, None
            elif flow == min(turn):
                steps += 1
                if before and before[0] == self.held and before == self._state():
                    stops |= {each: self._stop(each, "", "", None) for each in turn}
                    break
                before = self._state() if steps & (steps - 1) == 0 else before
        return stops

    def _accepted(self, flow: int) -> tuple[str, ...]:
        return ("shared", "headroom") if self.ignores[flow] else ("shared",)

    def _stop(self, flow: int, place: str, by: str, time: Fraction | None) -> _Stop:
        stored = self.held.taken[flow] // self.sides.cells
        return _Stop(place, by, self.turn[flow], self.sent[flow], stored, time)

    def _state(self) -> tuple[Held, Any, Any]:
        events = sorted((time - self.now, kind, index) for time, kind, index in self.events)
        return self.held, events, [list(map(list, each.values())) for each in (self.lines, self.waiting)]

    def _step(self) -> tuple[int, str, str]:
        """Let the next packet leave or arrive; return the flow, the place and the limits of one that arrives."""
        self.events_so_far += 1
        if self.events_so_far > budgets.limit("events"):
            budgets.keep_within("events", self.events_so_far, "drain")
        self.now, kind, index = heappop(self.events)
        if kind == _LEAVE:
            self._leave(self.outputs[index])
            return -1, "", ""
        heappush(self.events, (self.now + self.periods[index], _ARRIVE, index))
        if index in self.full and not self.ignores[index]:
            return -1, "", ""
        place, by = self.sides.decision(index, self.held)
        if place in self._accepted(index):
            self._enter(index, place)
        else:
            self.full.add(index)
        return index, place, by

    def _enter(self, flow: int, place: str) -> None:
        self.held = self.sides.after(self.held, [flow], 1, place)
        self.sent[flow], self.turn[flow] = self.sent[flow] + 1, self.turn[flow] + 1
        queue = self.sides.queues[self.sides.flows[flow][1]]
        port, line = queue.rpartition("|")[0], self.lines[queue]
        line.append(flow)
        if len(line) == 1:
            self.waiting[port].append(queue)
            if len(self.waiting[port]) == 1:
                self._send(port)

    def _send(self, port: str) -> None:
        if port in self.sending:
            heappush(self.events, (self.now + self.sending[port], _LEAVE, self.outputs.index(port)))

    def _leave(self, port: str) -> None:
        """Let the packet that a port sent leave, its headroom first, and send one of the next queue in turn."""
        self.full.clear()
        queues = self.waiting[port]
        queue = queues.popleft()
        flow = self.lines[queue].popleft()
        beyond = self.held.beyond[self.sides.flows[flow][0]]
        self.held = self.sides.after(self.held, [flow], -1, "headroom" if beyond else "shared")
        if self.lines[queue]:
            queues.append(queue)
        if queues:
            self._send(port)
