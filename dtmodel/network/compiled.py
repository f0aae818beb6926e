"""Runs of the network in the native core (``native/network.cpp``), with results identical to those in Python.

DT and other thresholds without a memory, DT for ports, EDT's circuit, complete sharing, best effort, PQL, DynaQ and
LossPass decide in the core. Any other `Door` decides in Python: the core calls it for each packet that arrives, starts
or was sent, and the packets that wait in its `Memory` have a size and no connection.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from math import floor, lcm
from typing import Any, final

from dtmodel.base.errors import InputError
from dtmodel.native.library import loaded
from dtmodel.network.control import CONTROLS
from dtmodel.network.doors import DROP, AdmissionDoor, ArbiterDoor, Door, Marking, Memory, PortThreshold, SchemeDoor
from dtmodel.network.fabric import Network, Switch
from dtmodel.network.transport import DATA, SACKS, Packet, Transport
from dtmodel.network.workload import Incast, Outcome, Poisson, Workload
from dtmodel.packet.core import whole_numbers
from dtmodel.packet.dynaq.algorithm import ADMISSIONS, TIE_BREAKS, VICTIMS, DynaQ
from dtmodel.packet.dynaq.schemes import PQL, BestEffort, DynaQScheme
from dtmodel.packet.losspass.algorithm import READINGS, PortSettings
from dtmodel.packet.schedulers import DeficitRoundRobin, PriorityOver, Scheduler, StrictPriority, WeightedRoundRobin

_INTERFACE = 4
_RUNNING, _DONE, _STOPPED, _TOO_LATE, _NO_MEMORY = range(5)
_CALLBACK, _THRESHOLDS, _CIRCUIT, _BEST_EFFORT, _QUOTAS, _DYNAQ, _LOSSPASS, _PORTS = range(8)
_ARRIVES, _SENT, _STARTS = range(3)
_SLICE = 10_000_000
"""Events between two instants at which Python can interrupt a run."""

_Callback = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 6)


def _numbers(*names: str) -> list[tuple[str, Any]]:
    return [(name, ctypes.c_int64) for name in names]


def _pointers(*names: str) -> list[tuple[str, Any]]:
    return [(name, ctypes.c_void_p) for name in names]


class _Rule(ctypes.Structure):
    """The decisions of a policy, laid out as ``dtmodel_network_rule`` of the core."""

    _fields_ = [
        *_numbers("kind", "count", "cn1", "buffer", "before", "mark_queue", "mark_port", "mark_both"),
        *_numbers("longest", "rounds"),
        *_pointers("numbers"),
    ]


class _Form(ctypes.Structure):
    """The network and its flows, laid out as ``dtmodel_network_form`` of the core."""

    _fields_ = [
        *_numbers("hosts", "leaves", "spines", "delay", "jitter", "seed", "queues", "scheduler", "strict", "at_start"),
        *[(name, ctypes.c_int64 * 2) for name in ("rate", "uplink")],
        *_numbers("sack", "window", "min_rto", "delayed", "persistent", "handshake_sample", "syn_timeout", "segment"),
        *_numbers("control"),
        *_numbers("client", "responses", "response_size", "queries", "response_queue", "start"),
        *_numbers("flows", "classes", "demotions", "groups", "watched", "every", "rows", "lengths", "until"),
        *_pointers("shares", "quanta", "servers", "pauses"),
        ("arrivals", ctypes.c_void_p * 6),
        *_pointers("demote"),
        ("lasting", ctypes.c_void_p * 6),
        ("rules", ctypes.POINTER(_Rule)),
        ("callback", _Callback),
    ]


class _Result(ctypes.Structure):
    """The counters of a run, laid out as ``dtmodel_network_result`` of the core."""

    _fields_ = [
        *_pointers("queries", "flows", "timeouts", "resent", "dropped", "pushed", "peak", "bytes", "held", "samples"),
        *_pointers("sent", "lost"),
        *_numbers("answered", "responses", "late", "connections", "events"),
    ]


@cache
def _library() -> Any:
    """Return the functions of the core; None if it is missing or was compiled from other sources."""
    library, _ = loaded()
    if library is None or not hasattr(library, "dtmodel_network_interface"):
        return None
    if library.dtmodel_network_interface() != _INTERFACE:
        return None
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    for name, result, arguments in (
        ("make", pointer, [pointer]),
        ("run", ctypes.c_int32, [pointer, number]),
        ("push_out", None, [pointer, number, number, number]),
        ("read", None, [pointer, pointer]),
        ("forget", None, [pointer]),
    ):
        function = getattr(library, f"dtmodel_network_{name}")
        function.restype, function.argtypes = result, arguments
    return library


def run_compiled(
    network: Network, transport: Transport, workload: Workload, *, callbacks: bool = False
) -> Outcome | None:
    """Run a workload in the core; None if there is no core, or a number is too large. `InputError` for memory.

    `network`: before its first event; its switches are not used again. `callbacks`: True if policies decide in Python.
    """
    library = _library()
    if library is None:
        return None
    try:
        run = _Run(library, network, callbacks)
        run.fill(_topology(network) | _transport(transport) | _workload(workload, network, transport))
    except ArithmeticError:
        return None
    return run.outcome()


@final
class _Doors:
    """Switches whose doors decide in Python, with memories that follow those of the core."""

    def __init__(self, switches: Sequence[Switch]) -> None:
        self.switches = switches
        self.error: BaseException | None = None

    def called(self, event: int, number: int, now: int, place: int, size: int, packet: int) -> int:
        """Decide on a packet, or note that it starts or was sent; -1 after an error, which `error` then has."""
        try:
            return self._decide(self.switches[number], event, now, place, size, packet)
        except BaseException as error:  # noqa: BLE001 - raised again when the core has returned
            self.error = error
            return -1

    def _decide(self, switch: Switch, event: int, now: int, place: int, size: int, packet: int) -> int:
        memory, door = switch.memory, switch.door
        if event == _ARRIVES:
            decision = door.arrive(now, place, size)
            if decision != DROP:
                memory.waiting[place].append(Packet(None, DATA, packet, size, 0, 0, now))
            return decision
        if event == _STARTS or switch.at_start:
            memory.waiting[place].popleft()
        if event == _SENT:
            memory.leave(place, size)
            door.sent(now, place, size)
        return 0


@final
class _Run:
    """The numbers of a run, and the arrays that stay while it lasts."""

    def __init__(self, library: Any, network: Network, callbacks: bool) -> None:
        self.library, self.network = library, network
        self.kept: list[Any] = []
        self.doors = _Doors(network.switches)
        self.form = _Form(callback=_Callback(self.doors.called))
        rules = [self._rule(switch, callbacks) for switch in network.switches]
        self.form.rules = (_Rule * len(rules))(*rules)

    def fill(self, values: dict[str, Any]) -> None:
        """Set the fields of the form."""
        self.sizes = values["arrivals"][3] if "arrivals" in values else []
        for name, value in values.items():
            setattr(self.form, name, self._given(value))
        self.form.seed = self.network.seed

    def outcome(self) -> Outcome | None:
        """Run all events; None if a number does not fit."""
        made = self.library.dtmodel_network_make(ctypes.byref(self.form))
        if not made:
            return None
        for number, switch in enumerate(self.network.switches):
            switch.memory.lost = partial(self._push_out, made, number)
        try:
            state = _RUNNING
            while state == _RUNNING:
                state = self.library.dtmodel_network_run(made, _SLICE)
            if self.doors.error is not None:
                raise self.doors.error
            if state == _NO_MEMORY:
                raise InputError("workload", "its flows and packets", "what the memory of this machine holds")
            return self._read(made) if state == _DONE else None
        finally:
            self.library.dtmodel_network_forget(made)

    def _push_out(self, made: Any, number: int, place: int, packet: Packet) -> None:
        self.library.dtmodel_network_push_out(made, number, place, packet.seq)

    def _read(self, made: Any) -> Outcome:
        form = self.form
        places = sum(self.network.topology.ports) * form.queues
        most = form.queries * form.responses + form.flows + form.groups
        all_bytes, counts = form.rows * form.queues, (form.classes + 1) * form.queues
        lengths = (form.queries, form.flows, most, most, places, places, places, all_bytes, all_bytes, form.rows)
        queries, flows, timeouts, resent, dropped, pushed, peak, bytes_, held, samples, sent, lost = room = [
            array("q", bytes(8 * length)) for length in (*lengths, counts, counts)
        ]
        found = _Result(*(each.buffer_info()[0] for each in room))
        self.library.dtmodel_network_read(made, ctypes.byref(found))

        def by_queue(numbers: array[int]) -> list[list[int]]:
            return [numbers[at : at + form.queues].tolist() for at in range(0, len(numbers), form.queues)]

        return Outcome(
            queries[: found.answered].tolist(), found.responses, found.late,
            [(size, None if time < 0 else time) for size, time in zip(self.sizes, flows, strict=True)],
            by_queue(bytes_), by_queue(held) if form.lengths else [], samples.tolist() if form.lengths else [],
            by_queue(sent), by_queue(lost),
            timeouts[: found.connections].tolist(), resent[: found.connections].tolist(),
            dropped.tolist(), pushed.tolist(), peak.tolist(), found.events,
        )  # fmt: skip

    def _given(self, value: Any) -> Any:
        if isinstance(value, tuple):  # a fraction, or columns
            whole = [self._given(each) for each in value]
            return ((ctypes.c_void_p if isinstance(value[0], list) else ctypes.c_int64) * len(whole))(*whole)
        return self._array(value) if isinstance(value, list) else _fitting(value)

    def _array(self, values: Iterable[int]) -> int:
        """Return the address of numbers."""
        self.kept.append(array("q", values))
        return int(self.kept[-1].buffer_info()[0])

    def _rule(self, switch: Switch, callbacks: bool) -> _Rule:
        """Return the policy of a switch: its numbers, or a callback if only Python has it."""
        rule = (None if callbacks else _compiled(switch.door, switch)) or _Numbers(_CALLBACK, [])
        buffer, numbers = _fitting(switch.memory.buffer), self._array(rule.numbers)
        marks, waits = ([*map(_mark, each)] for each in (rule.marks, (switch.longest, switch.door.rounds)))
        return _Rule(rule.kind, len(rule.numbers), rule.cn1, buffer, rule.before, *marks, rule.both, *waits, numbers)


def _fitting(value: Any) -> int:
    if not -(2**61) <= value <= 2**61:
        raise OverflowError("a number of the network")
    return int(value)


def _mark(threshold: int | None) -> int:
    return -1 if threshold is None else _fitting(threshold)


def _topology(network: Network) -> dict[str, Any]:
    size, (switch, *_) = network.topology, network.switches
    whole = switch.scheduler
    first, rest = (whole.first, whole.rest) if isinstance(whole, PriorityOver) else (0, whole)
    kind, shares = _scheduling(rest, switch.queues - first)
    return {
        "hosts": size.hosts, "leaves": size.leaves, "spines": size.spines, "jitter": size.jitter,
        "delay": network.uplinks[0].delay, "rate": size.rate.as_integer_ratio(),
        "uplink": size.uplink.as_integer_ratio(), "queues": switch.queues, "scheduler": kind, "shares": shares,
        "strict": first, "quanta": [*map(int, switch.quanta)] or [0] * switch.queues, "at_start": switch.at_start,
    }  # fmt: skip


def _scheduling(scheduler: Scheduler | None, queues: int) -> tuple[int, list[int]]:
    if scheduler is None or isinstance(scheduler, StrictPriority):
        return 0, [1] * queues
    if isinstance(scheduler, WeightedRoundRobin):
        return 1, [*scheduler.weights]
    if isinstance(scheduler, DeficitRoundRobin) and all(quantum.denominator == 1 for quantum in scheduler.quanta):
        return 2, [*map(int, scheduler.quanta)]
    raise ArithmeticError("a scheduler that only Python has")


def _transport(spoken: Transport) -> dict[str, Any]:
    return {
        "sack": SACKS.index(spoken.sack), "control": CONTROLS.index(spoken.control), "window": spoken.initial_window,
        "min_rto": spoken.min_rto, "delayed": spoken.delayed_ack, "persistent": spoken.connections == "persistent",
        "syn_timeout": spoken.syn_timeout, "segment": spoken.segment, "handshake_sample": spoken.handshake_sample,
    }  # fmt: skip


def _workload(work: Workload, network: Network, transport: Transport) -> dict[str, Any]:
    values: dict[str, Any] = {"until": work.until, "watched": -1}
    if work.incast:
        values |= _queries(work.incast, network.seed)
    if work.poisson:
        values |= _arriving(work.poisson, network)
    return values | (_lasting(work, transport.control, network.seed) if work.long else {})


def _queries(incast: Incast, seed: int) -> dict[str, Any]:
    servers = [*incast.servers * incast.threads]
    pauses = [incast.pause(answered, seed) for answered in range(1, incast.queries)]
    return {
        "client": incast.client, "responses": len(servers), "servers": servers, "response_size": incast.size,
        "queries": incast.queries, "response_queue": incast.queue, "start": incast.start, "pauses": pauses,
    }  # fmt: skip


def _arriving(poisson: Poisson, network: Network) -> dict[str, Any]:
    size = network.topology
    columns = [*zip(*poisson.arrivals(size, network.seed), strict=True)]
    last = [poisson.service(flow, network.seed) for flow in range(poisson.flows)]
    return {
        "flows": poisson.flows, "arrivals": (*map(list, columns), last, [*map(poisson.kind, columns[3])]),
        "demote": [*poisson.demote], "demotions": len(poisson.demote), "classes": len(poisson.classes) + 1,
    }  # fmt: skip


def _lasting(work: Workload, control: str, seed: int) -> dict[str, Any]:
    flows = work.begins(seed)
    groups = [group for _, group in flows]
    columns = [[getattr(group, name) for group in groups] for name in ("source", "target", "queue")]
    stops = [-1 if group.stop is None else group.stop for group in groups]
    controls = [CONTROLS.index(group.control or control) for group in groups]
    return {
        "groups": len(flows), "lasting": ([begin for begin, _ in flows], *columns, stops, controls),
        "watched": work.long[0].target, "every": work.every, "rows": work.duration // work.every,
        "lengths": work.lengths,
    }  # fmt: skip


@dataclass(frozen=True)
class _Numbers:
    """A policy in the numbers of ``native/rules.hpp``, with marks of a queue and a port (`both`: above both)."""

    kind: int
    numbers: list[int]
    cn1: int = 0
    before: int = 0
    marks: tuple[int | None, int | None] = (None, None)
    both: bool = False


def _compiled(door: Door, switch: Switch) -> _Numbers | None:
    """Return the numbers with which the core decides like a door; None if only Python can."""
    if isinstance(door, Marking):
        inner = _compiled(door.inner, switch)
        return inner and replace(inner, marks=(door.queue, door.port), both=door.both)
    if isinstance(door, AdmissionDoor) and door.ticks:
        return _admission(door, switch.memory)
    if isinstance(door, SchemeDoor):
        inner = _scheme(door.scheme)
        return inner and replace(inner, before=door.first)
    if isinstance(door, PortThreshold):
        return _Numbers(_PORTS, [*door.alpha.as_integer_ratio(), door.evicts])
    return _arbiter(door.arbiters[0].settings) if isinstance(door, ArbiterDoor) else None


def _admission(door: AdmissionDoor, memory: Memory) -> _Numbers | None:
    form = door.policy.form()
    if form is None or form.pushes:
        return None
    numbers = whole_numbers(memory.buffer, [1] * len(memory.lengths), form, 1, 1)
    kind, cn1 = (_CIRCUIT, form.circuit[0]) if form.circuit else (_THRESHOLDS, 0)
    return _Numbers(kind, [*map(_fitting, numbers)], cn1)


def _scheme(scheme: Any) -> _Numbers | None:
    if isinstance(scheme, BestEffort):
        return _Numbers(_BEST_EFFORT, [floor(scheme.buffer)])
    if isinstance(scheme, PQL):
        return _Numbers(_QUOTAS, [*map(floor, scheme.quotas)])
    return _dynaq(scheme.rules) if isinstance(scheme, DynaQScheme) and scheme.rules.bdp is None else None


def _dynaq(rules: DynaQ) -> _Numbers:
    """Return DynaQ's thresholds in parts of a byte, in which they are whole."""
    parts = lcm(*(share.denominator for share in rules.initial))
    reading = TIE_BREAKS.index(rules.tie_break), ADMISSIONS.index(rules.admit), VICTIMS.index(rules.victims)
    return _Numbers(
        _DYNAQ, [parts, *reading, floor(rules.buffer), *(_fitting(share * parts) for share in rules.initial)]
    )


def _arbiter(settings: PortSettings) -> _Numbers | None:
    if settings.reading != READINGS["intended"]:
        return None
    marks = settings.mark_small, settings.mark_large, settings.mark_port
    limits = [-1 if mark is None else floor(mark) for mark in marks]
    return _Numbers(_LOSSPASS, [floor(settings.buffer), floor(settings.room), *limits])
