"""Trace requests for L2BM's recorder: reading and checking the request, and the JSON-ready answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel.base.documents import choice, identity, only_keys, sequence, table
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.rationals import EXACT
from dtmodel.base.schemas import declared
from dtmodel.base.units import bytes_, plain, rate
from dtmodel.packet.l2bm.algorithm import READINGS, Recorder, dequeue, enqueue, mean
from dtmodel.packet.streaming import TraceStream, check_head, in_order, outcome

_ARRIVE_LENGTH = 4
_ARRIVAL = ("properties", "events", "items", "oneOf", 0, "prefixItems", 3)
"""The place of an arrival's entries in the schema."""

_REASONS = {
    "literal": "line 14 removes the time since the last arrival once; t_prev stays",
    "current": "line 14 removes the time since the last arrival once; t_prev stays",
    "clocked": "the time since the last event is removed for every packet; t_prev is now",
    "reset": "the time since the last event is removed for every packet; an empty queue starts from 0",
    "stamped": "the time since the last event is removed for every packet, and the time that this packet had left",
    "pause-aware": "the running time since the last event is removed for every packet; t_prev is now",
}


@dataclass
class _Run:
    """The state of the run: the recorder, the queued packets, and the clock of the reading."""

    reading: str
    recorder: Recorder
    present: dict[str, tuple[int, Fraction]]
    arrivals: int = 0
    last: Fraction = Fraction(0)
    paused_since: Fraction | None = None
    suspended: Fraction = Fraction(0)

    def clock(self, now: Fraction) -> Fraction:
        """Return the time; for the pause-aware reading, the time without the pauses so far."""
        if self.reading != "pause-aware":
            return now
        return (self.paused_since if self.paused_since is not None else now) - self.suspended


def run_trace(request: Mapping[str, Any]) -> dict[str, Any]:
    """Execute Algorithm 1 on the list of events of a `request`.

    The request is ``{"id", "algorithm": "l2bm", "reading", "events"}``; ``reading`` is one of `READINGS`, by default
    ``literal``. An event is ``["arrive", time, name, {"queue_out": bytes, "rate": bytes per second}]`` (``queue_out``
    includes the packet), ``["depart", time, name]``, ``["pause", time]`` or ``["resume", time]`` (PFC suspends the
    output queue; only ``pause-aware`` reacts). Raises `InputError` for anything else, a decreasing time, a name that is
    queued already, and a ``queue_out`` or ``rate`` that is not positive.

    The answer has ``id``, ``steps`` (one for each event: ``decision``, ``reason``, ``victim``, ``packet``, ``total``,
    ``packets``, ``updated``, ``mean``) and ``final`` (the last state). The departure of a packet that is not queued is
    idle and changes nothing. Before the first arrival ``updated`` is 0, and Algorithm 1 does not read it.

    >>> arrive = ["arrive", "0", "x", {"queue_out": "1", "rate": "1"}]
    >>> run_trace({"id": "c", "algorithm": "l2bm", "events": [arrive, ["depart", "2", "x"]]})["final"]
    {'total': '-1', 'packets': 0, 'updated': '0', 'mean': None}
    """
    return stream_trace(request).collect()


def stream_trace(request: Mapping[str, Any]) -> TraceStream:
    """Answer a trace `request`, as `run_trace` does, step by step."""
    check_head(request, "l2bm")
    run = _Run(choice(request.get("reading", "literal"), "reading", READINGS), Recorder(EXACT(0), 0, EXACT(0)), {})
    events = enumerate(sequence(request.get("events", MISSING), "events"))
    steps = (_step(run, event, f"events[{i}]") for i, event in events)
    return TraceStream(identity(request), steps, lambda: _state(run, run.last))


def _step(run: _Run, event: object, field: str) -> dict[str, Any]:
    parts = sequence(event, field)
    verb = choice(parts[0] if parts else None, f"{field}[0]", ("arrive", "depart", "pause", "resume"))
    length = {"arrive": _ARRIVE_LENGTH, "depart": 3}.get(verb, 2)
    if len(parts) != length:
        raise InputError(field, event, f"{length} entries for {verb!r}")
    run.last = now = in_order(parts[1], f"{field}[1]", run.last)
    if verb in ("pause", "resume"):
        answer = _suspend(run, verb, now, field)
    else:
        name = parts[2]
        if not isinstance(name, str | int) or isinstance(name, bool):
            raise InputError(f"{field}[2]", name, "a packet's name, a string")
        answer = _arrive(run, now, str(name), parts[3], field) if verb == "arrive" else _depart(run, now, str(name))
    return {**answer, **_state(run, now)}


def _arrive(run: _Run, now: Fraction, name: str, details: object, field: str) -> dict[str, Any]:
    if name in run.present:
        raise InputError(f"{field}[2]", name, "a name that no queued packet has")
    given = table(details, f"{field}[3]")
    only_keys(given, declared("trace-l2bm", *_ARRIVAL).allowed, f"{field}[3].")
    queue_out = EXACT(bytes_(given.get("queue_out", MISSING), f"{field}[3].queue_out", positive=True))
    drain = EXACT(rate(given.get("rate", MISSING), f"{field}[3].rate", positive=True))
    number, run.arrivals = run.arrivals, run.arrivals + 1
    moment = run.clock(now)
    run.recorder = enqueue(run.recorder, moment, queue_out, drain)
    run.present[name] = (number, moment + queue_out / drain)
    return outcome(
        "enqueue", "lines 3 to 11: its sojourn time is added, the time that the others waited removed", number
    )


def _depart(run: _Run, now: Fraction, name: str) -> dict[str, Any]:
    if name not in run.present:
        return outcome("idle", "the packet is not queued")
    number, due = run.present.pop(name)
    run.recorder = dequeue(run.recorder, run.clock(now), due, reading=run.reading)
    return outcome("depart", _REASONS[run.reading], number)


def _suspend(run: _Run, verb: str, now: Fraction, field: str) -> dict[str, Any]:
    if (verb == "pause") == (run.paused_since is not None):
        raise InputError(field, verb, "pause and resume in turn, pause first")
    if verb == "pause":
        run.paused_since = now
    elif run.paused_since is not None:
        run.suspended += now - run.paused_since
        run.paused_since = None
    reason = "the clock stops or starts" if run.reading == "pause-aware" else "Algorithm 1 has no line for it"
    return outcome("idle", reason)


def _state(run: _Run, now: Fraction) -> dict[str, Any]:
    average = mean(run.recorder, run.clock(now), reading=run.reading)
    return {
        "total": plain(run.recorder.total),
        "packets": run.recorder.packets,
        "updated": plain(run.recorder.updated),
        "mean": None if average is None else plain(average),
    }


def arrive(time: str, name: str, queue_out: str, rate: str = "1") -> list[Any]:
    """Return an arrival event of a trace request; in seconds, bytes (`queue_out`) and bytes per second (`rate`)."""
    return ["arrive", time, name, {"queue_out": queue_out, "rate": rate}]


def depart(time: str, name: str) -> list[Any]:
    """Return a departure event of a trace request, at a time in seconds."""
    return ["depart", time, name]


def request(*events: list[Any], reading: str = "literal") -> dict[str, Any]:
    """Return a trace request for `dtmodel.packet.l2bm.run_trace`."""
    return {"id": "witness", "algorithm": "l2bm", "reading": reading, "events": list(events)}
