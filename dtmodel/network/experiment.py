"""Experiments as documents: a network, a workload, policies side by side on paired draws, seeds, and readings.

A reading is a table of settings that replace those of the document: of the transport, or `freed`, `round_trip`,
`jitter` and `buffer` of the network, or any in tables `network`, `workload` and `policies`. A policy may name the
`control` of its senders, as DCTCP with a threshold, and one `queue` for all traffic. One run has one reading, one
policy, one seed and, for queries, one size of the responses, or one of the loads that are listed; equal seeds have
equal jitter and arrivals for all policies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from math import inf, nan
from typing import Any, final

from dtmodel.base import budgets, units
from dtmodel.base.documents import choice, only_keys, required, table
from dtmodel.base.errors import InputError, one_of
from dtmodel.network.compiled import run_compiled
from dtmodel.network.doors import read_door, strict_queues
from dtmodel.network.fabric import TOPOLOGIES, Network, Topology
from dtmodel.network.integers import SECOND, picoseconds
from dtmodel.network.transport import Transport
from dtmodel.network.workload import Outcome, Poisson, Run, Workload, quantile
from dtmodel.packet.schedulers import DeficitRoundRobin, PriorityOver, Scheduler, StrictPriority, WeightedRoundRobin

_NETWORK = ("topology", "hosts", "leaves", "spines", "rate", "uplink", "round_trip", "jitter", "buffer",
            "spine_buffer", "freed", "queues", "scheduler", "strict", "weights")  # fmt: skip
_OPEN = ("freed", "round_trip", "jitter", "buffer")
_TABLES = ("network", "workload", "policies")
NETWORK_SCHEDULERS = ("strict", "drr", "wrr")
_QUANTUM = 1500
BASE = "base"


@final
@dataclass(frozen=True)
class Experiment:
    """An experiment that is ready to run: its `document`, `policies` and `readings` by name, the number of `seeds`.

    `along` is ``"size"`` of responses to queries, ``"load"`` of flows that arrive, or empty, and `sizes` are its
    values.
    """

    document: Mapping[str, Any]
    policies: Mapping[str, Mapping[str, Any]]
    readings: Mapping[str, Mapping[str, Any]]
    along: str
    sizes: tuple[Any, ...]
    seeds: int

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Experiment:
        """Read a document and try every reading and policy; raise `InputError` naming the field."""
        known = ("id", "version", "title", "network", "transport", "workload", "policies", "readings", "seeds", "rules")
        only_keys(document, known, "")
        required(document, ("network", "workload", "policies"), "")
        policies, readings = (_tables(document.get(name, {}), name) for name in ("policies", "readings"))
        if not policies:
            raise InputError("policies", {}, "one policy at least")
        seeds = units.count(document.get("seeds", 1), "seeds", least=1)
        made = cls(document, policies, readings or {BASE: {}}, *_listed(document["workload"]), seeds)
        for reading in made.readings:
            for policy in made.policies:
                for each in made.sizes or (None,):
                    made.setting(reading, policy, each).network(1)
        return made

    def setting(self, reading: str, policy: str, size: Any = None) -> Setting:
        """Return the settings of the runs with a reading, a policy and a size of responses or a load."""
        if reading not in self.readings:
            raise InputError("reading", reading, one_of(self.readings, reading))
        if policy not in self.policies:
            raise InputError("policy", policy, one_of(self.policies, policy))
        names = {field.name for field in fields(Transport)}
        network, workload, policies = (dict(table(self.document[name], name)) for name in _TABLES)
        transport = dict(table(self.document.get("transport", {}), "transport"))
        for name, value in self.readings[reading].items():
            if name in _TABLES:
                _replace((network, workload, policies)[_TABLES.index(name)], value, f"readings.{reading}.{name}")
            elif name not in names and name not in _OPEN:
                raise InputError(f"readings.{reading}", name, one_of([*names, *_OPEN, *_TABLES], name))
            else:
                (transport if name in names else network)[name] = value
        if size is not None:
            kind = ALONG[self.along]
            workload[kind] = {**workload[kind], self.along: size}
        chosen = dict(policies[policy])
        if "control" in chosen:
            transport["control"] = chosen.pop("control")
        if "queue" in chosen:
            workload = _in_queue(workload, chosen.pop("queue"))
        return Setting.read(network, transport, workload, chosen, f"policies.{policy}")


@final
@dataclass(frozen=True)
class Setting:
    """The settings of a run, but for the seed."""

    topology: Topology
    transport: Transport
    workload: Workload
    door: Callable[[int, int], Any]
    buffer: int
    queues: int
    scheduler: Scheduler | None
    freed: str

    @classmethod
    def read(
        cls, network: Mapping[str, Any], transport: Mapping[str, Any], workload: Mapping[str, Any],
        policy: Mapping[str, Any], where: str,
    ) -> Setting:  # fmt: skip
        """Read the tables; raise `InputError` naming the field."""
        only_keys(network, _NETWORK, "network.")
        required(network, ("hosts", "rate", "round_trip", "buffer"), "network.")
        topology, queues = _topology(network), units.count(network.get("queues", 1), "network.queues", least=1)
        buffer = int(units.bytes_(network["buffer"], "network.buffer", positive=True))
        freed = choice(network.get("freed", "end"), "network.freed", ("end", "start"))
        if policy.get("name") == "losspass" and freed == "end":
            raise InputError("network.freed", freed, "start with losspass, whose queues hold the packets that wait")
        spoken = Transport.read(transport)
        if buffer < spoken.segment + 40:
            raise InputError("network.buffer", network["buffer"], "room for one segment at least")
        topology.delay(spoken.segment + 40)

        def door(ports: int, room: int) -> Any:
            return read_door(policy, room, ports, queues, where)

        traffic = Workload.read(workload, topology.all_hosts, queues)
        if traffic.poisson and traffic.poisson.uplinks and topology.leaves < 2:
            raise InputError("workload.poisson.uplinks", True, "two leaves at least")
        return cls(topology, spoken, traffic, door, buffer, queues, _scheduler(network, queues), freed)

    def network(self, seed: int) -> Network:
        """Return the network before the first event."""
        return Network(
            self.topology, self.door, self.buffer, seed=seed, queues=self.queues, scheduler=self.scheduler,
            freed=self.freed, segment=self.transport.segment,
            classes=len(self.workload.poisson.classes) + 1 if self.workload.poisson else 0,
        )  # fmt: skip

    def run(self, seed: int) -> Outcome:
        """Run the workload with a seed: in the native core if there is one, with equal results."""
        done = run_compiled(self.network(seed), self.transport, self.workload)
        return done or Run(self.network(seed), self.transport, self.workload).finished()


def _replace(whole: dict[str, Any], changes: object, where: str) -> None:
    """Replace settings in nested tables; raise `InputError` for a table that is not there."""
    for key, value in table(changes, where).items():
        if isinstance(value, Mapping):
            if key not in whole:
                raise InputError(where, key, one_of(whole, key))
            whole[key] = dict(table(whole[key], f"{where}.{key}"))
            _replace(whole[key], value, f"{where}.{key}")
        else:
            whole[key] = value


def _tables(value: object, name: str) -> Mapping[str, Mapping[str, Any]]:
    return {str(key): table(item, f"{name}.{key}") for key, item in table(value, name).items()}


ALONG = {"size": "incast", "load": "poisson"}


def _listed(workload: object) -> tuple[str, tuple[Any, ...]]:
    """Return the name and the values of the sizes of responses, or of a list of loads."""
    work = table(workload, "workload")
    for name, kind in ALONG.items():
        value = table(work.get(kind, {}), f"workload.{kind}").get(name)
        if value == [] or (isinstance(value, list) and name == "load" and "incast" in work):
            raise InputError(f"workload.{kind}.{name}", value, f"a {name}, or (one of size and load) a list of them")
        if isinstance(value, list | tuple) or (name == "size" and value is not None):
            return name, tuple(value) if isinstance(value, list | tuple) else (value,)
    return "", ()


def _in_queue(workload: Mapping[str, Any], queue: object) -> dict[str, Any]:
    """Return traffic whose packets all take one queue."""

    def moved(part: Any) -> Any:
        if isinstance(part, list | tuple):
            return [*map(moved, part)]
        if not isinstance(part, Mapping):
            return part
        return {key: value for key, value in part.items() if key not in ("demote", "services")} | {"queue": queue}

    return {kind: moved(part) for kind, part in workload.items()}


def _topology(network: Mapping[str, Any]) -> Topology:
    tree = choice(network.get("topology", "star"), "network.topology", TOPOLOGIES) == "leaf-spine"
    if tree:
        required(network, ("leaves", "spines", "uplink"), "network.")
    hosts = units.count(network["hosts"], "network.hosts", least=1 if tree else 2)
    leaves, spines = (units.count(network[k], f"network.{k}", least=1) if tree else 0 for k in ("leaves", "spines"))
    budgets.keep_within("queues", max(hosts, spines) * max(leaves, 1), "network.hosts")
    rate = units.rate(network["rate"], "network.rate", positive=True)
    uplink = units.rate(network["uplink"], "network.uplink", positive=True) if tree else Fraction(0)
    spine = int(units.bytes_(network.get("spine_buffer", network["buffer"]), "network.spine_buffer", positive=True))
    times = {key: picoseconds(network.get(key, "2 us"), f"network.{key}") for key in ("round_trip", "jitter")}
    if times["jitter"] > 60 * SECOND:
        raise InputError("network.jitter", network["jitter"], "at most 60 s, the longest timeout of a sender")
    return Topology(hosts, rate, times["round_trip"], times["jitter"], leaves, spines, uplink, spine)


def _scheduler(network: Mapping[str, Any], queues: int) -> Scheduler | None:
    if queues == 1:
        return None
    name = choice(network.get("scheduler", "strict"), "network.scheduler", NETWORK_SCHEDULERS)
    first = strict_queues(network, queues, "network.strict")
    weights = units.sequence(network.get("weights", [1] * (queues - first)), "network.weights")
    if len(weights) != queues - first:
        raise InputError("network.weights", weights, f"one weight for each of the {queues - first} queues")
    counts = tuple(units.count(weight, "network.weights", least=1) for weight in weights)
    if name == "strict":
        return StrictPriority()
    rest = DeficitRoundRobin(tuple(_QUANTUM * each for each in counts)) if name == "drr" else WeightedRoundRobin(counts)
    return PriorityOver(first, rest) if first else rest


def measured(setting: Setting, outcome: Outcome) -> dict[str, list[float]]:
    """Return the measures of a run, in seconds, parts and bytes per second.

    Queries: the mean and the 99th percentile of their completion times, and the part of the responses with a timeout.
    Flows: mean and 99th percentile of completion times in each class, infinite if one was not completed, the mean of
    all, and the lost part of the packets of data of each class and of each queue. Flows that last: the throughput of
    each queue in each interval, and its mean length.
    """
    found: dict[str, list[float]] = {}
    work = setting.workload
    if work.incast:
        found["query_mean"] = [_mean(outcome.queries)]
        found["query_p99"] = [_tail(outcome.queries)]
        found["timeouts"] = [outcome.late / outcome.responses if outcome.responses else nan]
    if work.poisson:
        for name, of in (("flow_mean", _mean), ("flow_p99", _tail)):
            found[name] = [of(times) for times in _by_class(work.poisson, outcome)]
        found["all_mean"] = [_mean([inf if time is None else time for _, time in outcome.flows])]
        columns = (zip(*counts, strict=True) for counts in (outcome.sent, outcome.lost))
        found["loss"] = [*map(_part, outcome.lost[:-1], outcome.sent[:-1])]
        found["loss_of_queue"] = [_part(lost, sent) for sent, lost in zip(*columns, strict=True)]
    if work.lengths:
        rows = zip(outcome.held, outcome.samples, strict=True)
        found["length"] = [sum_ / number if number else nan for row, number in rows for sum_ in row]
    if work.long:
        found["throughput"] = [bytes_ * SECOND / work.every for row in outcome.bytes for bytes_ in row]
    return found


def _by_class(poisson: Poisson, outcome: Outcome) -> list[list[float]]:
    """Return the completion times of each class, in picoseconds."""
    classes: list[list[float]] = [[] for _ in range(len(poisson.classes) + 1)]
    for size, time in outcome.flows:
        classes[poisson.kind(size)].append(inf if time is None else time)
    return classes


def _part(lost: Sequence[int], sent: Sequence[int]) -> float:
    return sum(lost) / sum(sent) if any(sent) else nan


def _mean(times: Any) -> float:
    return sum(times) / len(times) / SECOND if times else nan


def _tail(times: Any) -> float:
    return quantile(times, Fraction(99, 100)) / SECOND if times else nan


EXAMPLE: Mapping[str, Any] = {
    "network": {"hosts": 4, "rate": "1 Gbps", "round_trip": "200 us", "buffer": "256 KB"},
    "workload": {"incast": {"servers": 3, "size": "150 KB", "queries": 2}},
    "policies": {"DT": {"name": "dt", "alpha": "1"}},
}
"""A small experiment: three servers answer together."""
