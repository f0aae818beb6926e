"""The counters of EDT's ports as finite systems that `dtmodel.modelcheck` can visit completely.

All packets have size 1, ports count from 0, and every step is made by the state machine of `dtmodel.packet.edt`, in any
of its readings. Time passes in one of three ways (`Time`):

- "free": a running timer may expire at any instant, so that a proof holds for every TM1 and TM2. Labels are
  ("arrive", port), ("depart", port), ("tm1", port), ("tm2", port).
- "ticks": the timers are whole numbers of ticks; packets arrive and depart in any order. Labels are ("arrive", port),
  ("depart", port) and ("tick",).
- "served": as "ticks", but each tick sends one packet of every port that holds one (rate C). Labels are
  ("arrive", port) and ("tick",).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from dtmodel.policies.edt_circuit import READINGS, CircuitSettings, EdtPolicy, EdtPort

Label = tuple[Any, ...]
Time = Literal["free", "ticks", "served"]


class EdtPortState(NamedTuple):
    """One port: queue length, state and counters in packets, and the steps left on its timers (None if stopped)."""

    length: int = 0
    controlled: bool = True
    c1: int = 0
    c2: int = 0
    tm1: int | None = None
    tm2: int | None = None


PortStates = tuple[EdtPortState, ...]


@dataclass(frozen=True)
class EdtSwitch:
    """Every order of arrivals and departures at the ports of one buffer, which holds `buffer` packets.

    A timer of None never expires. With free time, the values of `tm1` and `tm2` do not matter otherwise.

    >>> from dtmodel.modelcheck import explore
    >>> explore(EdtSwitch(1, 4), lambda state: not state[0].controlled).found.labels
    (('arrive', 0), ('arrive', 0))
    """

    ports: int
    buffer: int
    cn1: int = 2
    cn2: int = 2
    tm1: int | None = 1
    tm2: int | None = 1
    alpha: int = 1
    reading: str = "circuit"
    time: Time = "free"

    def initial(self) -> Iterable[PortStates]:
        """Yield the empty switch."""
        yield self._unload(self._policy(), [0] * self.ports)

    def successors(self, state: PortStates) -> Iterator[tuple[Label, PortStates]]:
        """Yield every event that can happen."""
        for label in self.labels(state):
            yield label, self.step(state, label)[1]

    def labels(self, state: PortStates) -> Iterator[Label]:
        """Yield the events that can happen in a state; a port with no packet has no departure."""
        for i, port in enumerate(state):
            yield ("arrive", i)
            if port.length and self.time != "served":
                yield ("depart", i)
            if port.tm1 is not None and self.time == "free":
                yield ("tm1", i)
            if port.tm2 is not None and self.time == "free":
                yield ("tm2", i)
        if self.time != "free":
            yield ("tick",)

    def step(self, state: PortStates, label: Label) -> tuple[str, PortStates]:
        """Return the decision (enqueue, drop, depart, or idle if only time passes) and the state after an event."""
        policy, lengths = self._load(state), [port.length for port in state]
        if label[0] == "tick":
            return "idle", self._tick(policy, lengths)
        decision = "idle"
        if label[0] == "arrive":
            decision = self._arrive(policy, lengths, label[1])
        elif label[0] == "depart":
            decision = _depart(policy, lengths, label[1], 0)
        else:
            setattr(policy.ports[label[1]], label[0], 0)  # due now
            policy.tick(0)
        return decision, self._unload(policy, lengths)

    def _arrive(self, policy: EdtPolicy, lengths: list[int], i: int) -> str:
        free = self.buffer - sum(lengths)
        if free < 1:
            policy.overflowed(0)
        elif policy.admits(i, lengths[i], free, 0):
            lengths[i] += 1
            policy.enqueued(i, 1, 0)
            return "enqueue"
        policy.dropped(i, 0)
        return "drop"

    def _tick(self, policy: EdtPolicy, lengths: list[int]) -> PortStates:
        policy.tick(1)
        if self.time == "served":
            for i, length in enumerate(lengths):
                if length:
                    _depart(policy, lengths, i, 1)
        return self._unload(policy, lengths, now=1)

    def _policy(self) -> EdtPolicy:
        tm1, tm2 = self.tm1, self.tm2
        if self.time == "free":
            tm1, tm2 = (None if timer is None else 1 for timer in (tm1, tm2))
        settings = CircuitSettings(self.alpha, self.cn1, self.cn2, tm1, tm2, READINGS[self.reading])
        return EdtPolicy(settings, self.ports, Fraction(self.buffer))

    def _load(self, state: PortStates) -> EdtPolicy:
        """Return the policy in a state, with the time at 0."""
        policy = self._policy()
        policy.ports = [EdtPort(policy.settings, *port[1:]) for port in state]
        return policy

    def _unload(self, policy: EdtPolicy, lengths: list[int], now: int = 0) -> PortStates:
        return tuple(
            EdtPortState(length, port.controlled, port.c1, port.c2, _left(port.tm1, now), _left(port.tm2, now))
            for length, port in zip(lengths, policy.ports, strict=True)
        )


class WatchedState(NamedTuple):
    """A switch, and the memory of an observer of each port's packets.

    `first`: queue length at the last reset of C2 (a drop, the expiry of TM1, a change of state). `least`: the shortest
    length since then. `quiet`: packets sent since the last arrival or drop, at most cn1.

    >>> (start,) = Watched(EdtSwitch(2, 4, reading="arrivals")).initial()
    >>> start.first, start.least, start.quiet
    ((0, 0), (0, 0), (0, 0))
    """

    switch: PortStates
    first: tuple[int, ...]
    least: tuple[int, ...]
    quiet: tuple[int, ...]


@dataclass(frozen=True)
class Watched:
    """A switch in free time with an observer that sees queue lengths, losses and expiries, but no counter.

    >>> from dtmodel.modelcheck import always
    >>> system = Watched(EdtSwitch(1, 4, reading="arrivals"))
    >>> always(system, lambda state: state.switch[0].c1 <= state.quiet[0]).complete
    True
    """

    system: EdtSwitch

    def initial(self) -> Iterable[WatchedState]:
        """Yield the empty switch with an observer that has seen nothing."""
        zeros = (0,) * self.system.ports
        for switch in self.system.initial():
            yield WatchedState(switch, zeros, zeros, zeros)

    def successors(self, state: WatchedState) -> Iterator[tuple[Label, WatchedState]]:
        """Yield every event with the state and the observer's memory after it."""
        for label in self.system.labels(state.switch):
            decision, after = self.system.step(state.switch, label)
            yield label, self._see(state, label, decision, after)

    def _see(self, state: WatchedState, label: Label, decision: str, after: PortStates) -> WatchedState:
        first, least, quiet = list(state.first), list(state.least), list(state.quiet)
        for i, (old, new) in enumerate(zip(state.switch, after, strict=True)):
            here = label[1] == i
            if old.controlled != new.controlled or (here and (decision == "drop" or label[0] == "tm1")):
                first[i] = least[i] = new.length
            least[i] = min(least[i], new.length)
        if label[0] == "arrive":
            quiet[label[1]] = 0
        elif label[0] == "depart":
            quiet[label[1]] = min(quiet[label[1]] + 1, self.system.cn1)
        return WatchedState(after, tuple(first), tuple(least), tuple(quiet))


def as_events(system: EdtSwitch, labels: Iterable[Label]) -> list[list[Any]]:
    """Write labels as the events of a trace request for `system`; ports count from 1.

    Labels of free time have no instant: all events get the instant 0, and the expiry of a timer raises `ValueError`.

    >>> as_events(EdtSwitch(1, 4, time="ticks"), [("arrive", 0), ("tick",), ("depart", 0)])
    [['arrive', 0, 1, 1], ['tick', 1], ['depart', 1, 1]]
    """
    now, events = 0, list[list[Any]]()
    state = next(iter(system.initial()))
    for label in labels:
        if label[0] in {"tm1", "tm2"}:
            raise ValueError(f"{label} has no instant")
        if label[0] == "tick":
            now += 1
            events.append(["tick", now])
            if system.time == "served":
                events += [["depart", now, i + 1] for i, port in enumerate(state) if port.length]
        else:
            events.append([label[0], now, label[1] + 1, *([1] if label[0] == "arrive" else [])])
        state = system.step(state, label)[1]
    return events


def _depart(policy: EdtPolicy, lengths: list[int], i: int, now: int) -> str:
    lengths[i] -= 1
    policy.dequeued(i, 1, now)
    return "depart"


def _left(timer: int | None, now: int) -> int | None:
    return None if timer is None else timer - now
