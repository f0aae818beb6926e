"""Trace requests for LossPass: reading and checking the request, and the JSON-ready answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from dtmodel.base.documents import choice, identity, only_keys, sequence, table
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.schemas import declared
from dtmodel.base.units import bytes_, plain, whole
from dtmodel.packet.losspass.algorithm import (
    READINGS,
    Arrival,
    Class,
    Departure,
    Event,
    Packet,
    PortSettings,
    QueueName,
    run_arbiter,
)
from dtmodel.packet.streaming import TraceStream, check_head, in_order, outcome


@dataclass(frozen=True)
class Trace:
    """A checked trace request for LossPass."""

    id: str | int
    settings: PortSettings
    events: tuple[Event, ...]


def read_request(request: Mapping[str, Any]) -> Trace:
    """Check a request against the form of ``dtmodel/schemas/trace-losspass.json``."""
    check_head(request, "losspass")
    settings = _settings(request)
    rows = sequence(request.get("events", MISSING), "events")
    return Trace(identity(request), settings, _events(rows, settings.buffer))


def _settings(request: Mapping[str, Any]) -> PortSettings:
    reading = choice(request.get("reading", "intended"), "reading", tuple(READINGS))
    buffer = whole(bytes_(request.get("buffer", MISSING), "buffer", positive=True))
    reserve = bytes_(request.get("reserve_large", 0), "reserve_large")
    if reserve > buffer:
        raise InputError("reserve_large", request["reserve_large"], f"at most the buffer, {plain(buffer)} bytes")
    given = request.get("mark")
    mark = {} if given is None else table(given, "mark")
    thresholds = declared("trace-losspass", "properties", "mark").allowed
    only_keys(mark, thresholds, "mark.")
    small, large, port = (None if mark.get(key) is None else bytes_(mark[key], f"mark.{key}") for key in thresholds)
    return PortSettings(buffer, reserve, small, large, port, READINGS[reading])


def _events(rows: list[Any], buffer: Fraction | int) -> tuple[Event, ...]:
    events: list[Event] = []
    last = Fraction()
    for index, row in enumerate(rows):
        where = f"events[{index}]"
        parts = sequence(row, where)
        what = choice(parts[0] if parts else None, f"{where}[0]", ("arrive", "depart"))
        if len(parts) != (4 if what == "arrive" else 3):
            raise InputError(where, row, '["arrive", time, class, size] or ["depart", time, queue]')
        if parts[1] is not None:
            last = in_order(parts[1], f"{where}[1]", last)
        if what == "arrive":
            events.append(_arrival(parts, where, buffer))
        else:
            events.append(Departure(cast("QueueName", choice(parts[2], f"{where}[2]", ("any", "small", "large")))))
    return tuple(events)


def _arrival(parts: list[Any], where: str, buffer: Fraction | int) -> Arrival:
    kind = cast("Class", choice(parts[2], f"{where}[2]", ("small", "large")))
    size = whole(bytes_(parts[3], f"{where}[3]", positive=True))
    if size > buffer:
        raise InputError(f"{where}[3]", parts[3], f"a packet no larger than the buffer, {plain(buffer)} bytes")
    return Arrival(kind, size)


def _rows(packets: tuple[Packet, ...]) -> list[list[int | str]]:
    return [[packet.number, plain(packet.size)] for packet in packets]


def run_trace(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a LossPass `request` of `dtmodel trace`.

    The request needs ``buffer`` and ``events``; ``reading`` defaults to "intended", ``reserve_large`` to 0, and the
    thresholds of ``mark`` (``small``, ``large``, ``port``) to null, which never marks. An event is ``["arrive", time,
    class, size]`` or ``["depart", time, queue]``. Raises `InputError` for anything else.

    The answer has ``id``; ``steps``, one for each event (``decision``, ``reason``, ``victim``, ``packet``); ``final``:
    ``small`` and ``large`` as lists of [packet, size] from head to tail, and ``marked``. Marking (line 15) compares the
    current lengths, which include the packet unless line 10 has dropped it before, as in the reading "literal".

    >>> request = {"id": "a", "buffer": 1, "events": [["arrive", None, "large", 1], ["arrive", None, "small", 1]]}
    >>> run_trace(request)["final"]
    {'small': [[1, '1']], 'large': [], 'marked': []}
    """
    trace = read_request(request)
    run = run_arbiter(trace.settings, trace.events)
    steps = [outcome(step.decision, step.reason, step.packet, step.victim) for step in run.steps]
    final = {"small": _rows(run.small), "large": _rows(run.large), "marked": list(run.marked)}
    return {"id": trace.id, "steps": steps, "final": final}


def stream_trace(request: Mapping[str, Any]) -> TraceStream:
    """Answer a trace `request` step by step; all steps are computed before the first is returned."""
    whole = run_trace(request)
    return TraceStream(whole["id"], iter(whole["steps"]), lambda: whole["final"])
