"""The door through which policies decide on packets: a packet arrives and enters, is dropped, or pushes others out.

A `Door` decides for one switch. `arrive` returns `DROP`, `ENTER` or `ENTER_MARKED`; the door puts a packet that enters
into the `Memory`, and pushes packets out of it. `sent` reports that the memory of a packet was freed. Places
count from 0: port times queues plus queue. Adapters open the door to the three kinds of policies of the package: an
`Admission` (shared memory), a `Scheme` (queues of one port, DynaQ's among them) and LossPass's `Arbiter`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, final

from dtmodel import policies
from dtmodel.base import units
from dtmodel.base.documents import flag, only_keys, required
from dtmodel.base.errors import InputError, one_of
from dtmodel.network.integers import SECOND, picoseconds
from dtmodel.network.transport import Packet
from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.schemes import PQL, BestEffort, DynaQScheme, Scheme
from dtmodel.packet.losspass.algorithm import Arbiter, Arrival, Departure, PortSettings
from dtmodel.policies.admission import Admission
from dtmodel.policies.edt_circuit import CircuitSettings, EdtPolicy

DROP, ENTER, ENTER_MARKED = range(3)


@final
class Memory:
    """The memory of a switch: lengths and packets of each place, free bytes; `lost` gets packets pushed out."""

    def __init__(self, buffer: int, places: int, lost: Callable[[int, Packet], None]) -> None:
        self.buffer = self.free = buffer
        self.lengths = [0] * places
        self.waiting: list[deque[Packet]] = [deque() for _ in range(places)]
        self.lost = lost

    def enter(self, place: int, size: int) -> None:
        """Hold the bytes of a packet."""
        self.lengths[place] += size
        self.free -= size

    def leave(self, place: int, size: int) -> None:
        """Free the bytes of a packet."""
        self.lengths[place] -= size
        self.free += size

    def push_out(self, place: int, rank: int) -> None:
        """Remove the waiting packet with a rank in its queue: 0 is the first one, -1 the last."""
        packet = self.waiting[place][rank]
        del self.waiting[place][rank]
        self.leave(place, packet.size)
        self.lost(place, packet)


class Door(ABC):
    """The decisions of a policy on the packets of one switch, whose `memory` the switch sets."""

    memory: Memory
    own_buffers = False
    """True if every port has a buffer of its own."""
    longest: int | None = None
    """The wait in picoseconds from which on a packet is marked when its transmission starts (TCN); None if none is."""
    rounds: int | None = None
    """RTT times lambda of MQ-ECN in picoseconds, by which the switch marks packets; None if it does not."""

    def open(self, memory: Memory) -> None:
        """Begin with an empty memory."""
        self.memory = memory

    @abstractmethod
    def arrive(self, now: int, place: int, size: int) -> int:
        """Return `DROP`, `ENTER` or `ENTER_MARKED` for a packet of `size` bytes; one that enters is in the memory."""

    def sent(self, now: int, place: int, size: int) -> None:  # noqa: B027 - a policy may ignore the event
        """Note that the memory of a packet was freed."""


@final
class AdmissionDoor(Door):
    """An `Admission` of shared memory, with times in picoseconds if it counts in ticks, else in seconds."""

    def __init__(self, admission: Admission) -> None:
        counted = admission.in_ticks(SECOND)
        self.policy, self.ticks = counted or admission, counted is not None
        self.expels = type(self.policy).expelled is not Admission.expelled

    def open(self, memory: Memory) -> None:
        """Begin with an empty memory."""
        super().open(memory)
        self.policy.lengths = memory.lengths

    def arrive(self, now: int, place: int, size: int) -> int:
        """Decide as `dtmodel.packet.engine` does: expel, make room, signal an overflow, admit."""
        memory, policy = self.memory, self.policy
        instant: Any = now if self.ticks else Fraction(now, SECOND)
        policy.arriving = size
        if self.expels:
            self._expel(instant)
        if size > memory.free:
            self._make_room(place, size, instant)
        if size > memory.free:
            policy.overflowed(instant)
        elif policy.admits(place, memory.lengths[place], memory.free, instant):
            memory.enter(place, size)
            policy.enqueued(place, size, instant)
            return ENTER
        policy.dropped(place, instant)
        return DROP

    def sent(self, now: int, place: int, size: int) -> None:
        """Tell the policy that a packet was sent."""
        self.policy.dequeued(place, size, now if self.ticks else Fraction(now, SECOND))

    def _make_room(self, place: int, size: int, instant: Any) -> None:
        lengths, free = list(self.memory.lengths), self.memory.free
        left = [len(waiting) for waiting in self.memory.waiting]
        victims = []
        while free < size:
            candidates = [queue for queue, number in enumerate(left) if number]
            victim = self.policy.victim(place, size, lengths, candidates)
            if victim is None:
                return
            left[victim] -= 1
            taken = self.memory.waiting[victim][left[victim]].size
            lengths[victim], free = lengths[victim] - taken, free + taken
            victims.append(victim)
        for victim in victims:
            self.memory.push_out(victim, -1)
            self.policy.dropped(victim, instant)

    def _expel(self, instant: Any) -> None:
        while True:
            waiting = [queue for queue, packets in enumerate(self.memory.waiting) if packets]
            place = self.policy.expelled(self.memory.lengths, self.memory.free, waiting)
            if place is None:
                return
            self.memory.push_out(place, 0)
            self.policy.dropped(place, instant)


@final
class SchemeDoor(Door):
    """A `Scheme` for each port, with `queues` service queues; the buffer of the port alone limits the `first` ones."""

    own_buffers = True

    def __init__(self, scheme: Scheme, ports: int, queues: int, first: int = 0) -> None:
        self.scheme, self.ports, self.queues, self.first = scheme, ports, queues, first
        self.memories = [scheme.start() for _ in range(ports)]

    def arrive(self, now: int, place: int, size: int) -> int:
        """Ask the scheme of the port."""
        del now
        port, queue = divmod(place, self.queues)
        lengths = self.memory.lengths[port * self.queues : (port + 1) * self.queues]
        enters, first = True, self.first
        if queue >= first:
            memory = self.memories[port]
            enters, self.memories[port] = self.scheme.admit(memory, lengths[first:], queue - first, size)
        if not enters or (first and sum(lengths) + size > self.memory.buffer // self.ports):
            return DROP
        self.memory.enter(place, size)
        return ENTER


@final
class ArbiterDoor(Door):
    """LossPass: an `Arbiter` of waiting packets for each port, with queue 0 for small flows and 1 for large ones."""

    own_buffers = True

    def __init__(self, settings: PortSettings, ports: int) -> None:
        self.arbiters = [Arbiter(settings) for _ in range(ports)]

    def arrive(self, now: int, place: int, size: int) -> int:
        """Run Algorithm 1 of LossPass."""
        del now
        port, queue = divmod(place, 2)
        arbiter = self.arbiters[port]
        step = arbiter.arrive(Arrival("large" if queue else "small", size))
        if step.victim is not None:
            self.memory.push_out(2 * port + 1, -1 if arbiter.settings.reading.victim == "tail" else 0)
        if step.decision in ("drop", "evict+drop"):
            return DROP
        self.memory.enter(place, size)
        if step.packet in arbiter.marked:
            arbiter.marked.clear()
            return ENTER_MARKED
        return ENTER

    def sent(self, now: int, place: int, size: int) -> None:
        """Remove the packet at the head of its queue."""
        del now, size
        self.arbiters[place // 2].depart(Departure("large" if place % 2 else "small"))


@final
class PortThreshold(Door):
    """DT for ports: the queues of a port together are below `alpha` times the free memory; small may evict large."""

    def __init__(self, alpha: Fraction, queues: int, evicts: bool) -> None:
        self.alpha, self.queues, self.evicts = alpha, queues, evicts

    def arrive(self, now: int, place: int, size: int) -> int:
        """Compare the length of the port with the threshold."""
        del now
        memory, first = self.memory, place - place % self.queues
        below = sum(memory.lengths[first : first + self.queues]) < self.alpha * memory.free
        if not (below and size <= memory.free) and not (self.evicts and self._evict(place, first, size)):
            return DROP
        memory.enter(place, size)
        return ENTER

    def _evict(self, place: int, first: int, size: int) -> bool:
        victims = self.memory.waiting[first + 1]
        if place != first or not victims or size > victims[-1].size:
            return False
        self.memory.push_out(first + 1, -1)
        return True


@final
class Marking(Door):
    """Another door, with marks: the queue or the port of a marked packet (or `both`) is longer than its threshold K."""

    def __init__(self, inner: Door, queues: int, queue: int | None, port: int | None, both: bool = False) -> None:
        self.inner, self.queues, self.queue, self.port, self.both = inner, queues, queue, port, both
        self.own_buffers = inner.own_buffers

    def open(self, memory: Memory) -> None:
        """Begin with an empty memory."""
        super().open(memory)
        self.inner.open(memory)

    def arrive(self, now: int, place: int, size: int) -> int:
        """Ask the other door, and compare the lengths with the thresholds once the packet is in."""
        decision = self.inner.arrive(now, place, size)
        if decision != ENTER:
            return decision
        lengths, first = self.memory.lengths, place - place % self.queues
        of_queue = self.queue is not None and lengths[place] > self.queue
        of_port = self.port is not None and sum(lengths[first : first + self.queues]) > self.port
        return ENTER_MARKED if (of_queue and of_port if self.both else of_queue or of_port) else ENTER

    def sent(self, now: int, place: int, size: int) -> None:
        """Tell the other door."""
        self.inner.sent(now, place, size)


_MARKS = ("mark", "mark_port", "mark_after", "mark_rounds", "mark_both")
_KEYS = {
    "best-effort": (),
    "pql": ("weights", "strict"),
    "dynaq": ("weights", "strict", "tie_break", "admit", "victims"),
}
"""The policies of one port's queues, with the keys of each."""


def read_door(document: Mapping[str, Any], buffer: int, ports: int, queues: int, where: str = "policy") -> Door:
    """Return the door of a policy of a table, on a switch with a `buffer` in bytes, shared or of each port.

    A table has the keys of a policy of scenario files (`edt` has `cn1` besides), or is one of a port's queues:
    ``best-effort``, ``pql``, ``dynaq`` (with `weights`, and without limits for the `strict` first queues) and
    ``losspass``; ``port-dt`` (with `alpha` and `evict`) limits whole ports. `mark` (a threshold in bytes for each
    queue), `mark_port`, `mark_after` (the sojourn time of TCN) and `mark_rounds` (RTT times lambda of MQ-ECN) add ECN;
    if `mark_both`, a packet is marked above both of the first two (PMSB).
    """
    required(document, ("name",), f"{where}.")
    content = {name: value for name, value in document.items() if not name.startswith("mark")}
    if odd := [name for name in document if name.startswith("mark") and name not in _MARKS]:
        raise InputError(f"{where}.{odd[0]}", document[odd[0]], one_of(_MARKS, odd[0]))

    def mark(name: str, read: Callable[[Any, str], int]) -> int | None:
        return read(document[name], f"{where}.{name}") if name in document else None

    of_queue, of_port = (mark(name, lambda *given: int(units.whole_bytes(*given))) for name in _MARKS[:2])
    both = flag(document.get("mark_both", False), f"{where}.mark_both")
    if both and (None in (of_queue, of_port) or document["name"] == "losspass"):
        raise InputError(f"{where}.mark_both", both, "mark and mark_port besides, and not with losspass")
    if document["name"] == "losspass":
        door: Door = _losspass(content, buffer, ports, queues, [of_queue, of_port], where)
    else:
        door = _port_door(content, buffer, ports, queues, where) or _shared_door(content, buffer, ports * queues, where)
        door = door if of_queue is of_port is None else Marking(door, queues, of_queue, of_port, both)
    door.longest, door.rounds = (mark(name, picoseconds) for name in _MARKS[2:4])
    return door


def _losspass(
    content: Mapping[str, Any], buffer: int, ports: int, queues: int, marks: list[int | None], where: str
) -> Door:
    only_keys(content, ("name", "reserve_large"), f"{where}.")
    if queues != 2:
        raise InputError(f"{where}.name", "losspass", "two queues at each port, for small and for large flows")
    kept = int(units.bytes_(content.get("reserve_large", 0), f"{where}.reserve_large"))
    return ArbiterDoor(PortSettings(buffer, kept, marks[0], marks[0], marks[1]), ports)


def _port_door(content: Mapping[str, Any], buffer: int, ports: int, queues: int, where: str) -> Door | None:
    name = content["name"]
    if name == "port-dt":
        return _port_threshold(content, queues, where)
    if not isinstance(name, str) or name not in _KEYS:
        return None
    only_keys(content, ("name", *_KEYS[name]), f"{where}.")
    first = strict_queues(content, queues, f"{where}.strict")
    given = units.sequence(content.get("weights", [1] * (queues - first)), f"{where}.weights")
    weights = tuple(units.number(weight, f"{where}.weights", positive=True) for weight in given)
    if len(weights) != queues - first:
        accepted = f"one weight for each of the {queues - first} queues"
        raise InputError(f"{where}.weights", list(map(str, weights)), accepted)
    scheme: Scheme = BestEffort(buffer)
    if name == "pql":
        scheme = PQL(DynaQ(buffer, weights).initial)
    elif name == "dynaq":
        known = {key: content[key] for key in ("tie_break", "admit", "victims") if key in content}
        scheme = DynaQScheme(DynaQ(buffer, weights, **known))
    return SchemeDoor(scheme, ports, queues, first)


def _port_threshold(content: Mapping[str, Any], queues: int, where: str) -> PortThreshold:
    only_keys(content, ("name", "alpha", "evict"), f"{where}.")
    required(content, ("alpha",), f"{where}.")
    alpha, evicts = units.number(content["alpha"], f"{where}.alpha", positive=True), content.get("evict", False)
    if flag(evicts, f"{where}.evict") and queues != 2:
        raise InputError(f"{where}.evict", True, "two queues at each port, for small and for large flows")
    return PortThreshold(alpha, queues, evicts)


def strict_queues(content: Mapping[str, Any], queues: int, field: str) -> int:
    """Return the number of first queues with strict priority over others; raise `InputError` if no other is left."""
    first = units.count(content.get("strict", 0), field)
    if first >= queues:
        raise InputError(field, first, f"a number from 0 to {queues - 1}, fewer than the queues")
    return first


def _shared_door(content: Mapping[str, Any], buffer: int, places: int, where: str) -> Door:
    if content["name"] == "edt" and "cn1" in content:
        return AdmissionDoor(_circuit(content, buffer, places, where))
    return AdmissionDoor(policies.read(content, {}, places).admission(places, Fraction(buffer), lambda size: size))


def _circuit(content: Mapping[str, Any], buffer: int, places: int, where: str) -> EdtPolicy:
    only_keys(content, ("name", "alpha", "cn1", "cn2", "tm1", "tm2"), f"{where}.")
    required(content, ("alpha", "cn2", "tm1", "tm2"), f"{where}.")
    cn1 = units.count(content["cn1"], f"{where}.cn1", least=1)
    cn2 = units.bytes_(content["cn2"], f"{where}.cn2", positive=True)
    tm1, tm2 = (units.seconds(content[name], f"{where}.{name}", positive=True) for name in ("tm1", "tm2"))
    alpha = units.number(content["alpha"], f"{where}.alpha", positive=True)
    return EdtPolicy(CircuitSettings(alpha, cn1, cn2, tm1, tm2), places, Fraction(buffer))
