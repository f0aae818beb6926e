"""Workloads: queries that are answered together, flows that arrive by a Poisson process, and flows that last.

All draws are hashes or come from streams of their own, so that compared policies meet the same arrivals.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import ceil
from typing import Any, final

from dtmodel.base import budgets, units
from dtmodel.base.documents import choice, flag, only_keys, required, table
from dtmodel.base.errors import InputError
from dtmodel.network.control import CONTROLS
from dtmodel.network.fabric import Network, Switch, Topology
from dtmodel.network.integers import SECOND, draw, picoseconds
from dtmodel.network.transport import Connection, Request, Transport
from dtmodel.packet.flow_sizes import FlowSizes, flow_sizes

_INCAST, _LONG, _SERVICE = 1_000_003, 1_000_033, 1_000_037
_SPREAD = 10**9
"""Flows that last begin within a millisecond."""


@final
@dataclass(frozen=True)
class Incast:
    """Queries of one host, each answered by all `servers` at once; the next begins after the last answer.

    - `client` (int), `servers` (tuple of int): hosts. `size` (int): bytes of a response.
    - `queries` (int), `threads` (int): queries of a run, and responses of each server to a query.
    - `gap`, `start`: the mean pause between queries, and the time of the first one, in picoseconds.
    - `queue` (int): of the responses.
    """

    client: int
    servers: tuple[int, ...]
    size: int
    queries: int
    threads: int = 1
    gap: int = 10**9
    queue: int = 0
    start: int = 0

    @classmethod
    def read(cls, document: Mapping[str, Any], hosts: int, queues: int) -> Incast:
        """Read a table; raise `InputError` for hosts or queues that do not exist."""
        where = "workload.incast"
        only_keys(document, ("client", "servers", "size", "queries", "threads", "gap", "queue", "start"), f"{where}.")
        required(document, ("servers", "size", "queries"), f"{where}.")
        client = _below(document.get("client", 0), hosts, f"{where}.client")
        servers = units.count(document["servers"], f"{where}.servers", least=1)
        if servers >= hosts:
            raise InputError(f"{where}.servers", servers, f"at most {hosts - 1}, the other hosts")
        others = [host for host in range(hosts) if host != client][:servers]
        queries, threads = (units.count(document.get(k, 1), f"{where}.{k}", least=1) for k in ("queries", "threads"))
        size = ceil(units.bytes_(document["size"], f"{where}.size", positive=True))
        budgets.keep_within("queues", queries * threads * servers, f"{where}.queries")
        gap = picoseconds(document.get("gap", "1 ms"), f"{where}.gap")
        queue = _below(document.get("queue", 0), queues, f"{where}.queue")
        start = picoseconds(document.get("start", 0), f"{where}.start")
        return cls(client, tuple(others), size, queries, threads, gap, queue, start)

    def pause(self, answered: int, seed: int) -> int:
        """Return the time between the end of a query and the next one, after a number of them."""
        return self.gap // 2 + draw(seed, _INCAST, answered) % (self.gap + 1)


@final
@dataclass(frozen=True)
class Poisson:
    """Flows between all pairs of hosts, or to one `target`, that arrive by a Poisson process.

    - `sizes` (tuple of FlowSizes): of the flows, one or one for each service.
    - `load` (Fraction): the mean part of the links to the targets that they use.
    - `flows` (int): of a run. `target` (int or None): the only receiver. `queue` (int): of all flows.
    - `classes` (tuple of int): the sizes in bytes at which a class of flows ends and the next begins.
    - `demote` (tuple of int): the bytes after which a flow goes on in the next queue (PIAS).
    - `services` (tuple of int): the queues of which each flow has one at random, from its last demotion on.
    - `responses` (int): the flows of an arrival, from as many hosts at once; 1 for a flow from a host at random.
    - `uplinks` (bool): True if the load is that of the links between switches, instead of those to the targets.
    """

    sizes: tuple[FlowSizes, ...]
    load: Fraction
    flows: int
    target: int | None = None
    queue: int = 0
    classes: tuple[int, ...] = (100_000, 1_000_000, 10_000_000)
    demote: tuple[int, ...] = ()
    services: tuple[int, ...] = ()
    responses: int = 1
    uplinks: bool = False

    @classmethod
    def read(cls, document: Mapping[str, Any], hosts: int, queues: int) -> Poisson:
        """Read a table; raise `InputError` for a load that is not between 0 and 1, or an empty distribution."""
        where = "workload.poisson"
        known = ("sizes", "load", "flows", "target", "queue", "classes", "demote", "services", "responses", "uplinks")
        only_keys(document, known, f"{where}.")
        required(document, ("sizes", "load", "flows"), f"{where}.")
        load = units.number(document["load"], f"{where}.load", positive=True)
        if load >= 1:
            raise InputError(f"{where}.load", document["load"], "a number below 1")
        flows = units.count(document["flows"], f"{where}.flows", least=1)
        budgets.keep_within("queues", flows, f"{where}.flows")
        ends, demote = (_sizes(document.get(name, ()), f"{where}.{name}") for name in ("classes", "demote"))
        if len(demote) >= queues:
            raise InputError(f"{where}.demote", list(demote), f"at most {queues - 1} sizes for {queues} queues")
        target = _below(document["target"], hosts, f"{where}.target") if "target" in document else None
        queue = _below(document.get("queue", 0), queues, f"{where}.queue")
        named = units.sequence(document.get("services", ()), f"{where}.services")
        services = tuple(_below(each, queues, f"{where}.services") for each in named)
        sizes = _distributions(document["sizes"], f"{where}.sizes", len(services))
        together = units.count(document.get("responses", 1), f"{where}.responses", least=1)
        if together >= hosts or flows % together:
            raise InputError(f"{where}.responses", together, f"a divisor of {flows} flows below {hosts} hosts")
        uplinks = flag(document.get("uplinks", False), f"{where}.uplinks")
        ends = ends or (10**5, 10**6, 10**7)
        return cls(sizes, load, flows, target, queue, ends, demote, services, together, uplinks)

    def kind(self, size: int) -> int:
        """Return the class of a flow."""
        return sum(size >= end for end in self.classes)

    def service(self, flow: int, seed: int) -> int:
        """Return the queue of the packets of a flow that are not in one for its first bytes."""
        if self.services:
            return self.services[self._service(flow, seed)]
        return len(self.demote) or self.queue

    def _service(self, flow: int, seed: int) -> int:
        return draw(seed, _SERVICE, flow) % len(self.services)

    def queue_of(self, flow: int, seed: int) -> Callable[[int], int]:
        """Return the queue of a packet of a flow, given the bytes before it."""
        last, ends = self.service(flow, seed), self.demote
        return lambda sent: next((queue for queue, end in enumerate(ends) if sent < end), last)

    def arrivals(self, size: Topology, seed: int) -> list[tuple[int, int, int, int]]:
        """Return the time, source, target and size of each flow."""
        chance, hosts = random.Random(f"{seed} arrivals"), size.all_hosts
        receivers = 1 if self.target is not None else hosts
        bytes_ = self.responses * sum(sizes.mean for sizes in self.sizes) / len(self.sizes)
        mean = float(bytes_ / (self.load * size.shared_rate(self.uplinks) * receivers))
        now, found = 0.0, list[tuple[int, int, int, int]]()
        while len(found) < self.flows:
            now += chance.expovariate(1 / mean)
            target = chance.randrange(hosts) if self.target is None else self.target
            for after in range(self.responses):
                away = after if self.responses > 1 else chance.randrange(hosts - 1)
                sizes = self.sizes[self._service(len(found), seed) if len(self.sizes) > 1 else 0]
                bytes_of = max(ceil(sizes.quantile(chance.random())), 1)
                found.append((ceil(now * SECOND), (target + 1 + away) % hosts, target, bytes_of))
        return found


@final
@dataclass(frozen=True)
class Long:
    """Flows that last: `flows` of them (for each of `senders` hosts) from `source` to `target`, from `start` to `stop`.

    `control`: the congestion control of these flows, or empty for that of the experiment.
    """

    source: int
    target: int
    flows: int
    queue: int
    start: int
    stop: int | None
    control: str = ""

    @classmethod
    def read(cls, document: Mapping[str, Any], where: str, hosts: int, queues: int) -> tuple[Long, ...]:
        """Read a table; raise `InputError` for hosts or queues that do not exist."""
        only_keys(document, ("source", "senders", "target", "flows", "queue", "start", "stop", "control"), f"{where}.")
        required(document, ("source", "target"), f"{where}.")
        source, target = (_below(document[name], hosts, f"{where}.{name}") for name in ("source", "target"))
        senders = units.count(document.get("senders", 1), f"{where}.senders", least=1)
        if senders > hosts - source:
            raise InputError(f"{where}.senders", senders, f"at most {hosts - source}, the hosts from {source} on")
        if source <= target < source + senders:
            raise InputError(f"{where}.target", target, "a host other than the source")
        flows = units.count(document.get("flows", 1), f"{where}.flows", least=1)
        budgets.keep_within("queues", flows, f"{where}.flows")
        start = picoseconds(document.get("start", 0), f"{where}.start")
        stop = picoseconds(document["stop"], f"{where}.stop") if "stop" in document else None
        control = choice(document["control"], f"{where}.control", CONTROLS) if "control" in document else ""
        queue = _below(document.get("queue", 0), queues, f"{where}.queue")
        return tuple(cls(host, target, flows, queue, start, stop, control) for host in range(source, source + senders))


@final
@dataclass(frozen=True)
class Workload:
    """All traffic of a run; for flows that last its duration and intervals, and True if lengths are sampled."""

    incast: Incast | None = None
    poisson: Poisson | None = None
    long: tuple[Long, ...] = ()
    duration: int = 0
    every: int = 0
    lengths: bool = False

    @classmethod
    def read(cls, document: Mapping[str, Any], hosts: int, queues: int) -> Workload:
        """Read a table with ``incast``, ``poisson`` or ``long``; raise `InputError` if there is none of them."""
        only_keys(document, ("incast", "poisson", "long", "duration", "every", "lengths"), "workload.")
        incast = document.get("incast")
        poisson, groups = document.get("poisson"), document.get("long", ())
        if not (incast or poisson or groups):
            raise InputError("workload", dict(document), "one of incast, poisson and long at least")
        long = tuple(
            each
            for i, group in enumerate(units.sequence(groups, "workload.long"))
            for each in Long.read(table(group, f"workload.long[{i}]"), f"workload.long[{i}]", hosts, queues)
        )
        if long:
            required(document, ("duration",), "workload.")
        duration = picoseconds(document.get("duration", 0), "workload.duration")
        every = picoseconds(document.get("every", document.get("duration", 0)), "workload.every")
        if long and (duration == 0 or every == 0 or duration % every):
            raise InputError("workload.every", document.get("every"), "a part of the duration, greater than 0")
        return cls(
            Incast.read(table(incast, "workload.incast"), hosts, queues) if incast else None,
            Poisson.read(table(poisson, "workload.poisson"), hosts, queues) if poisson else None,
            long, duration, every, bool(long) and flag(document.get("lengths", False), "workload.lengths"),
        )  # fmt: skip

    @property
    def until(self) -> int:
        """The last instant of a run: the duration, or a million seconds."""
        return self.duration or 10**6 * SECOND

    def begins(self, seed: int) -> list[tuple[int, Long]]:
        """Return the instant at which each flow that lasts begins, and its group."""
        return [
            (group.start + draw(seed, _LONG, number, flow) % _SPREAD, group)
            for number, group in enumerate(self.long)
            for flow in range(group.flows)
        ]


def _below(value: object, most: int, name: str) -> int:
    number = units.count(value, name)
    if number >= most:
        raise InputError(name, number, f"a number from 0 to {most - 1}")
    return number


def _sizes(values: object, name: str) -> tuple[int, ...]:
    found = tuple(ceil(units.bytes_(each, name, positive=True)) for each in units.sequence(values, name))
    if any(low >= high for low, high in pairwise(found)):
        raise InputError(name, list(found), "sizes that rise")
    return found


def _distributions(value: object, name: str, services: int) -> tuple[FlowSizes, ...]:
    """Return the distribution of all flows, or one for each service from a list of names."""
    named = isinstance(value, list | tuple) and value and all(isinstance(each, str) for each in value)
    if not named:
        return (_distribution(value, name),)
    found = tuple(flow_sizes(each) for each in units.sequence(value, name))
    if len(found) != services:
        raise InputError(name, value, f"one distribution, or one for each of the {services} services")
    return found


def _distribution(value: object, name: str) -> FlowSizes:
    """Return a published distribution by its name, or one of points: pairs of a size and a probability."""
    if isinstance(value, str):
        return flow_sizes(value)
    pairs = units.sequence(value, name, least=2, accepted="a published name, or two points at least: [size, part]")
    points = []
    for pair in pairs:
        size, part = units.sequence(pair, name, least=2)
        points.append((units.bytes_(size, name), units.number(part, name)))
    rises = all(low[0] <= high[0] and low[1] <= high[1] for low, high in pairwise(points))
    if not rises or points[0][1] != 0 or points[-1][1] != 1 or points[-1][0] <= 0:
        raise InputError(name, value, "points whose sizes and probabilities rise, from 0 to 1")
    return FlowSizes(tuple(points))


@dataclass
class Outcome:
    """The result of one run.

    - `queries` (list): the completion time of each query, in picoseconds.
    - `responses`, `late` (int): responses, and those with a retransmission timeout.
    - `flows` (list): pairs of a size in bytes and a completion time, in the order of arrival; None if not completed.
    - `bytes` (list): for each interval a list with the bytes that each queue sent to the watched port.
    - `held`, `samples` (list): for each interval the sums of the lengths of these queues, over samples after each
      packet that entered or left them, and the number of samples; empty if none are asked for.
    - `sent`, `lost` (list): packets of data that hosts sent and switches lost, a list by queue for each class of flows
      that arrive, and the last for all other traffic.
    - `timeouts`, `resent` (list of int): of each connection, in the order in which they were made.
    - `dropped`, `pushed`, `peak` (list of int): packets dropped and pushed out, and the greatest length in bytes, of
      each queue of each port of each switch.
    - `events` (int): of the run.
    """

    queries: list[int] = field(default_factory=list)
    responses: int = 0
    late: int = 0
    flows: list[tuple[int, int | None]] = field(default_factory=list)
    bytes: list[list[int]] = field(default_factory=list)
    held: list[list[int]] = field(default_factory=list)
    samples: list[int] = field(default_factory=list)
    sent: list[list[int]] = field(default_factory=list)
    lost: list[list[int]] = field(default_factory=list)
    timeouts: list[int] = field(default_factory=list)
    resent: list[int] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    pushed: list[int] = field(default_factory=list)
    peak: list[int] = field(default_factory=list)
    events: int = 0


@final
class Run:
    """One run of a workload in a network."""

    def __init__(self, network: Network, transport: Transport, workload: Workload) -> None:
        self.network, self.transport, self.workload = network, transport, workload
        self.outcome = Outcome()
        self.connections: list[Connection] = []
        self.idle: dict[tuple[int, int], list[Connection]] = {}
        self.left = 0
        self.marks: list[tuple[int, int]] = []

    def finished(self) -> Outcome:
        """Run to the end and return the outcome."""
        work = self.workload
        if work.incast:
            self.network.at(work.incast.start, self._query, work.incast)
        if work.poisson:
            self._announce(work.poisson)
        for begin, group in work.begins(self.network.seed):
            self.network.at(begin, self._begin, group)
        if work.long:
            self._watch(work)
        self.network.run(work.until)
        self._count()
        return self.outcome

    def _count(self) -> None:
        done, switches = self.outcome, self.network.switches
        done.timeouts = [flow.timeouts for flow in self.connections]
        done.resent = [flow.resent for flow in self.connections]
        for name in ("dropped", "pushed", "peak"):
            setattr(done, name, [number for switch in switches for number in getattr(switch, name)])
        done.sent, done.lost, done.events = self.network.sent, self.network.lost, self.network.handled

    # Connections.

    def _connection(
        self, source: int, target: int, queues: Callable[[int], int], group: int = -1,
        transport: Transport | None = None,
    ) -> Connection:  # fmt: skip
        kept = self.idle.get((source, target))
        if kept and transport is None:
            flow = kept.pop()
            flow.queue_of, flow.group = queues, group
            return flow
        number, spoken = len(self.connections), transport or self.transport
        made = Connection(self.network, number, source, target, spoken, queues, group)
        self.connections.append(made)
        return made

    def _release(self, flow: Connection) -> None:
        if self.transport.connections == "persistent":
            self.idle.setdefault((flow.source, flow.target), []).append(flow)

    # Queries.

    def _query(self, incast: Incast, now: int) -> None:
        self.left = len(incast.servers) * incast.threads
        for server in incast.servers * incast.threads:
            flow = self._connection(server, incast.client, lambda _: incast.queue)
            Request(flow, incast.size, now, partial(self._answered, incast, flow, flow.timeouts, now))

    def _answered(self, incast: Incast, flow: Connection, before: int, begin: int, now: int) -> None:
        done = self.outcome
        done.responses += 1
        done.late += flow.timeouts > before
        self._release(flow)
        self.left -= 1
        if self.left:
            return
        done.queries.append(now - begin)
        if len(done.queries) < incast.queries:
            self.network.at(now + incast.pause(len(done.queries), self.network.seed), self._query, incast)

    # Flows that arrive.

    def _announce(self, poisson: Poisson) -> None:
        size = self.network.topology
        arrivals = poisson.arrivals(size, self.network.seed)
        self.outcome.flows = [(flow[3], None) for flow in arrivals]
        for number, (at, *flow) in enumerate(arrivals):
            self.network.at(at, partial(self._fetch, poisson, number), flow)

    def _fetch(self, poisson: Poisson, number: int, flow_of: Sequence[int], now: int) -> None:
        source, target, size = flow_of
        queues = poisson.queue_of(number, self.network.seed)
        flow = self._connection(source, target, queues, poisson.kind(size))
        Request(flow, size, now, lambda at: self._fetched(flow, number, now, at))

    def _fetched(self, flow: Connection, number: int, begin: int, now: int) -> None:
        self.outcome.flows[number] = (self.outcome.flows[number][0], now - begin)
        self._release(flow)

    # Flows that last.

    def _begin(self, group: Long, now: int) -> None:
        transport = self.transport
        if group.control:
            transport = Transport(**{**vars(transport), "control": group.control})
        flow = self._connection(group.source, group.target, lambda _: group.queue, transport=transport)
        flow.push(10**15, now, lambda _: None)
        if group.stop is not None:
            self.network.at(group.stop, flow.stop, None)

    def _watch(self, work: Workload) -> None:
        """Count the bytes that each queue of the target's port sends, in intervals."""
        switch = self.network.switches[0]
        target, every = work.long[0].target, work.every
        rows = [[0] * switch.queues for _ in range(work.duration // every)]
        self.outcome.bytes = rows

        def count(port: int, now: int, packet: Any) -> None:
            if port == target and now < work.duration:
                rows[now // every][packet.queue] += packet.size

        switch.watch = count
        if work.lengths:
            self._sample(work, switch)

    def _sample(self, work: Workload, switch: Switch) -> None:
        """Add the lengths of the queues of the target's port after each change of them."""
        target, every, queues = work.long[0].target, work.every, switch.queues
        held = self.outcome.held = [[0] * queues for _ in self.outcome.bytes]
        samples = self.outcome.samples = [0] * len(held)

        def sample(port: int, now: int) -> None:
            if port == target and now < work.duration:
                lengths = switch.memory.lengths[port * queues : (port + 1) * queues]
                row = now // every
                samples[row] += 1
                held[row] = [sum(pair) for pair in zip(held[row], lengths, strict=True)]

        switch.sample = sample


def quantile(values: Sequence[int], part: Fraction) -> int:
    """Return the smallest value that at least a `part` of the values do not exceed."""
    return sorted(values)[max(ceil(part * len(values)) - 1, 0)]
