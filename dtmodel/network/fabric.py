"""Hosts, links and switches, and one heap of events in integer picoseconds.

A packet that a host sends leaves its link in order, and arrives at the switch up to `jitter` later, by a hash of the
seed, the host and the number of the packet: without jitter deterministic senders lock queues out. A switch holds a
packet until its transmission ends (`freed` = ``"end"``) or starts (``"start"``). At one instant departures come before
arrivals, and both in the order in which they were scheduled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from typing import Any, final

from dtmodel.base.errors import InputError
from dtmodel.network.doors import DROP, ENTER_MARKED, Door, Memory
from dtmodel.network.integers import draw, transmission
from dtmodel.network.rounds import Rounds, quanta_of
from dtmodel.network.transport import ACK, ACK_BYTES, CONTROL, DATA, HEADER, Packet
from dtmodel.packet.schedulers import Scheduler, StrictPriority

DEPART, ARRIVE = range(2)
TOPOLOGIES = ("star", "leaf-spine")
Handler = Callable[[Any, int], None]


@final
@dataclass(frozen=True)
class Topology:
    """Hosts around one switch, or under the leaves of a leaf-spine.

    - `hosts` (int): of the star, or under each leaf. `leaves`, `spines` (int): 0 for a star.
    - `rate`, `uplink` (Fraction): of the links of hosts and between switches, in bytes per second.
    - `round_trip`: the time of a full segment there and its acknowledgement back between two hosts of different
      leaves, with no queue, in picoseconds.
    - `jitter`: the most by which a packet of a host is late, in picoseconds.
    - `spine_buffer` (int): the bytes of a spine if they are not those of a leaf, else 0.
    """

    hosts: int
    rate: Fraction
    round_trip: int
    jitter: int = 2_000_000
    leaves: int = 0
    spines: int = 0
    uplink: Fraction = Fraction(0)
    spine_buffer: int = 0

    @property
    def all_hosts(self) -> int:
        """The number of hosts."""
        return self.hosts * max(self.leaves, 1)

    @property
    def ports(self) -> list[int]:
        """The number of ports of each switch: of the leaves, then of the spines."""
        return [self.hosts + self.spines] * max(self.leaves, 1) + [self.leaves] * self.spines

    def buffers(self, buffer: int) -> list[int]:
        """Return the bytes of each switch, in the order of `ports`, given those of a leaf."""
        return [buffer] * max(self.leaves, 1) + [self.spine_buffer or buffer] * self.spines

    def shared_rate(self, uplinks: bool) -> Fraction:
        """Return the rate of a host's link, or that at which flows between all hosts fill the uplinks of the leaves."""
        if not uplinks:
            return self.rate
        return self.uplink * self.spines / self.hosts * Fraction(self.all_hosts - 1, self.all_hosts - self.hosts)

    def delay(self, size: int) -> int:
        """Return the delay of each link in picoseconds; raise `InputError` if the round trip leaves less than none."""
        hops = [self.rate] * 2 + [self.uplink] * (2 if self.leaves else 0)
        sending = sum(transmission(size, rate) + transmission(ACK_BYTES, rate) for rate in hops)
        left = (self.round_trip - sending) // (2 * len(hops))
        if left < 0:
            most = f"at least {sending} ps, in which the links send a segment and its acknowledgement"
            raise InputError("network.round_trip", f"{self.round_trip} ps", f"{most} (a link has a negative delay)")
        return left


class Link:
    """A link that sends packets one after the other: its rate, its delay, and its far end."""

    def __init__(self, network: Network, rate: Fraction, delay: int, far: Handler, number: int, jitter: int) -> None:
        self.network, self.rate, self.delay, self.far, self.number = network, rate, delay, far, number
        self.jitter, self.free, self.last, self.packets = jitter, 0, 0, 0
        self.time = cache(lambda size: transmission(size, rate))

    def send(self, packet: Packet, now: int) -> None:
        """Send a packet after those that were given before it."""
        self.free = max(now, self.free) + self.time(packet.size)
        self.packets += 1
        late = draw(self.network.seed, self.number, self.packets) % (self.jitter + 1) if self.jitter else 0
        self.last = max(self.last, self.free + self.delay + late)
        self.network.schedule(self.last, ARRIVE, self.far, packet)


class Switch:
    """A switch: a door that decides on packets, and at each port queues, a scheduler and a link."""

    def __init__(
        self, network: Network, ports: int, queues: int, buffer: int, door: Door, scheduler: Scheduler | None,
        freed: str, packet: int,
    ) -> None:  # fmt: skip
        self.network, self.door, self.queues, self.scheduler = network, door, queues, scheduler
        self.memory = Memory(buffer * (ports if door.own_buffers else 1), ports * queues, self._pushed_out)
        door.open(self.memory)
        self.at_start, self.longest = freed == "start", door.longest
        self.quanta = quanta_of(scheduler, packet) if door.rounds is not None else ()
        self.rounds: list[Rounds] = []
        self.sending: list[Packet | None] = [None] * ports
        self.links: list[Link] = []
        self.turns = [scheduler.start() if scheduler else () for _ in range(ports)]
        self.route: Callable[[Packet], int]
        self.dropped, self.pushed, self.peak = ([0] * (ports * queues) for _ in range(3))
        self.watch: Callable[[int, int, Packet], None] | None = None
        self.sample: Callable[[int, int], None] | None = None

    def arrive(self, packet: Packet, now: int) -> None:
        """Let the door decide on a packet."""
        port = self.route(packet)
        place = port * self.queues + packet.queue
        decision = self.door.arrive(now, place, packet.size)
        if decision == DROP:
            self.dropped[place] += 1
            self.network.count(self.network.lost, packet)
            return
        if decision == ENTER_MARKED and packet.kind == DATA:
            packet.marked = True
        if self.rounds and packet.kind == DATA and self.rounds[port].marks(packet.queue, self.memory.lengths[place]):
            packet.marked = True
        self.peak[place] = max(self.peak[place], self.memory.lengths[place])
        packet.entered = now
        self.memory.waiting[place].append(packet)
        if self.sample is not None:
            self.sample(port, now)
        if self.sending[port] is None:
            self._start(port, now)

    def _start(self, port: int, now: int) -> None:
        queue = self._pick(port)
        if queue is None:
            if self.rounds:
                self.rounds[port].time = 0  # it is unknown while nothing waits
            return
        place = port * self.queues + queue
        packet = self.memory.waiting[place].popleft()
        self.sending[port] = packet
        if self.longest is not None and packet.kind == DATA and now - packet.entered > self.longest:
            packet.marked = True
        if self.rounds:
            self.rounds[port].serve(queue, packet.size, now, not self.memory.waiting[place])
        if self.at_start:
            self._free(place, packet, now)
        link = self.links[port]
        self.network.schedule(now + link.time(packet.size), DEPART, self._depart, port)

    def _pick(self, port: int) -> int | None:
        if self.scheduler is None:
            return 0 if self.memory.waiting[port] else None
        waiting = self.memory.waiting[port * self.queues : (port + 1) * self.queues]
        if not any(waiting):
            return None
        sizes = [[packet.size for packet in (queue if len(queue) < 2 else (queue[0], queue[1]))] for queue in waiting]
        queue, self.turns[port] = self.scheduler.pick(self.turns[port], sizes)
        return queue

    def _free(self, place: int, packet: Packet, now: int) -> None:
        self.memory.leave(place, packet.size)
        self.door.sent(now, place, packet.size)
        if self.sample is not None:
            self.sample(place // self.queues, now)

    def _depart(self, port: int, now: int) -> None:
        packet, self.sending[port] = self.sending[port], None
        if packet is None:
            raise AssertionError("a packet departs from a port that sends none")
        if not self.at_start:
            self._free(port * self.queues + packet.queue, packet, now)
        if self.watch is not None:
            self.watch(port, now, packet)
        link = self.links[port]
        self.network.schedule(now + link.delay, ARRIVE, link.far, packet)
        self._start(port, now)

    def _pushed_out(self, place: int, packet: Packet) -> None:
        self.pushed[place] += 1
        self.network.count(self.network.lost, packet)


class Network:
    """A topology with its switches, and the events of one run.

    `doors` returns a door for a switch, given its ports and buffer; `seed` is that of jitter and ECMP. `sent`, `lost`:
    packets of data by the class of their flows (last: without a class) and by queue.
    """

    def __init__(
        self, topology: Topology, doors: Callable[[int, int], Door], buffer: int, *, seed: int = 1, queues: int = 1,
        scheduler: Scheduler | None = None, freed: str = "end", segment: int = 1460, classes: int = 0,
    ) -> None:  # fmt: skip
        self.topology, self.seed = topology, seed
        self.events: list[tuple[int, int, int, Handler, Any]] = []
        self.scheduled = self.now = 0
        self.sent, self.lost = ([[0] * queues for _ in range(classes + 1)] for _ in range(2))
        delay = topology.delay(segment + HEADER)
        kept = scheduler or (StrictPriority() if queues > 1 else None)

        self.switches = [
            Switch(self, ports, queues, room, doors(ports, room), kept, freed, segment + HEADER)
            for ports, room in zip(topology.ports, topology.buffers(buffer), strict=True)
        ]
        _connect(self, delay)
        for switch in self.switches:
            if switch.door.rounds is not None:
                switch.rounds = [Rounds(switch.quanta, link.rate, switch.door.rounds) for link in switch.links]
        self.uplinks = [
            Link(self, topology.rate, delay, self.switches[host // topology.hosts].arrive, host, topology.jitter)
            for host in range(topology.all_hosts)
        ]

    @property
    def handled(self) -> int:
        """The number of events so far."""
        return self.scheduled - len(self.events)

    def schedule(self, instant: int, rank: int, handler: Handler, argument: Any) -> None:
        """Call `handler` with an argument and the instant."""
        self.scheduled += 1
        heappush(self.events, (instant, rank, self.scheduled, handler, argument))

    def at(self, instant: int, handler: Handler, argument: Any) -> None:
        """Call `handler` at an instant, among the arrivals."""
        self.schedule(instant, ARRIVE, handler, argument)

    def send(self, host: int, packet: Packet, now: int) -> None:
        """Send a packet over the link of a host."""
        self.count(self.sent, packet)
        self.uplinks[host].send(packet, now)

    def count(self, counters: list[list[int]], packet: Packet) -> None:
        """Count a packet of data in `sent` or `lost`."""
        if packet.kind == DATA:
            counters[packet.group][packet.queue] += 1

    def run(self, until: int) -> None:
        """Run all events up to an instant, included."""
        events = self.events
        while events and events[0][0] <= until:
            instant, _, _, handler, argument = heappop(events)
            self.now = instant
            handler(argument, instant)


def deliver(packet: Packet, now: int) -> None:
    """Hand a packet to its connection or request at the host."""
    if packet.kind == DATA:
        packet.flow.receive(packet, now)
    elif packet.kind == ACK:
        packet.flow.acknowledge(packet, now)
    elif packet.kind == CONTROL:
        packet.flow.handle(packet, now)


def _connect(network: Network, delay: int) -> None:
    """Connect the leaves, whose last ports go up, and the spines, with a port for each leaf; a star is one leaf."""
    size = network.topology
    leaves = network.switches[: max(size.leaves, 1)]
    spines = network.switches[len(leaves) :]
    for number, leaf in enumerate(leaves):
        down = [Link(network, size.rate, delay, deliver, -1, 0) for _ in range(size.hosts)]
        leaf.links = down + [Link(network, size.uplink, delay, spine.arrive, -1, 0) for spine in spines]
        leaf.route = _up_or_down(network, number)
    for spine in spines:
        spine.links = [Link(network, size.uplink, delay, leaf.arrive, -1, 0) for leaf in leaves]
        spine.route = lambda packet: packet.target // size.hosts


def _up_or_down(network: Network, leaf: int) -> Callable[[Packet], int]:
    """Return the route at a leaf: down to its own hosts, else up by ECMP, a hash of the seed and the connection."""
    size = network.topology

    def route(packet: Packet) -> int:
        home, port = divmod(packet.target, size.hosts)
        if home == leaf:
            return port
        return size.hosts + draw(network.seed, packet.flow.number, packet.target) % size.spines

    return route
