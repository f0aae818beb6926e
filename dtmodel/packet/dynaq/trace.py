"""Trace requests for DynaQ's port: reading and checking the request, and the JSON-ready answer."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dtmodel.base import budgets
from dtmodel.base.documents import choice, identity, sequence
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.units import bytes_, count, number, plain
from dtmodel.packet.dynaq.algorithm import Amount, DynaQ, DynaQPort
from dtmodel.packet.streaming import TraceStream, check_head, in_order, numbered, outcome

_QUEUE = 10
"""The least number of characters in which a step describes a queue."""


def run_trace(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a trace `request` for ``"algorithm": "dynaq"``.

    The request has ``buffer`` and packet sizes in bytes; ``weights``, one for each queue; optionally ``tie_break``,
    ``admit``, ``victims``, ``patience``, ``bdp`` (see `dtmodel.packet.dynaq.DynaQ`) and ``id``; and ``events``:
    ``["arrive", time, queue, size]`` and ``["depart", time, queue]``, queues counted from 1, a time that may be null. A
    departure from an empty queue changes nothing and is ``"idle"``. Raises `InputError` for anything else.

    The answer has ``id``, ``steps`` (one for each event: decision, reason, victim, packet, and the thresholds and queue
    lengths after it) and ``final`` (thresholds and queue lengths).

    >>> answer = run_trace({"buffer": 4, "weights": [1, 1], "events": [["arrive", None, 1, 3], ["depart", None, 2]]})
    >>> [(step["decision"], step["victim"], step["packet"]) for step in answer["steps"]]
    [('drop', 2, 0), ('idle', None, None)]
    >>> answer["final"]
    {'thresholds': ['2', '2'], 'queues': ['0', '0']}
    """
    stream = stream_trace(request)
    described = len(request["weights"]) * (len(request["events"]) + 1)
    budgets.keep_within("output", _QUEUE * described, "weights, in every step")
    return stream.collect()


def stream_trace(request: Mapping[str, Any]) -> TraceStream:
    """Answer a trace `request`, as `run_trace` does, step by step."""
    check_head(request, "dynaq")
    events = sequence(request.get("events", MISSING), "events")
    weights = sequence(request.get("weights", MISSING), "weights")
    budgets.keep_within("work", len(weights) * (len(events) + 1), "weights, in every step")
    port = DynaQPort(_configuration(request, weights))
    return TraceStream(identity(request), _steps(port, events), lambda: _kept(port))


def _steps(port: DynaQPort, events: list[Any]) -> Iterator[dict[str, Any]]:
    clock = Fraction()
    said = lru_cache(plain)
    for n, item in enumerate(events):
        where = f"events[{n}]"
        event = sequence(item, where)
        if len(event) > 1 and event[1] is not None:
            clock = in_order(event[1], f"{where}[1]", clock)
        yield _step(port, event, where) | _kept(port, said)


def _configuration(request: Mapping[str, Any], weights: list[Any]) -> DynaQ:
    return DynaQ(
        buffer=bytes_(request.get("buffer", MISSING), "buffer", positive=True),
        weights=tuple(number(weight, f"weights[{i}]", positive=True) for i, weight in enumerate(weights)),
        tie_break=request.get("tie_break", "low"),
        admit=request.get("admit", "port"),
        victims=request.get("victims", "printed"),
        patience=count(request.get("patience", 0), "patience"),
        bdp=bytes_(request["bdp"], "bdp") if "bdp" in request else None,
    )


def _step(port: DynaQPort, event: list[Any], where: str) -> dict[str, Any]:
    kind = choice(event[0] if event else None, f"{where}[0]", ("arrive", "depart"))
    length = 4 if kind == "arrive" else 3
    if len(event) != length:
        shape = '["arrive", time, queue, size]' if kind == "arrive" else '["depart", time, queue]'
        raise InputError(where, event, f"{shape}")
    queue = numbered(event[2], f"{where}[2]", "queue", len(port.lengths))
    if kind == "depart":
        packet = port.depart(queue)
        if packet is None:
            return outcome("idle", f"queue {queue + 1} is empty")
        return outcome("depart", f"the head of queue {queue + 1}", packet)
    size = bytes_(event[3], f"{where}[3]", positive=True)
    if size > port.rules.buffer:
        accepted = f"a packet no larger than the buffer, {plain(port.rules.buffer)} bytes"
        raise InputError(f"{where}[3]", event[3], accepted)
    ruling = port.arrive(queue, size)
    victim = None if ruling.victim is None else ruling.victim + 1
    return outcome(ruling.decision, ruling.reason, port.arrived - 1, victim)


def _kept(port: DynaQPort, said: Callable[[Amount], str] = plain) -> dict[str, Any]:
    kept: dict[str, Any] = {"thresholds": [*map(said, port.thresholds)], "queues": [*map(said, port.lengths)]}
    return kept | ({"claims": list(port.claims)} if port.rules.patience else {})
