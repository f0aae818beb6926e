"""The vocabulary of the packet algorithms: a run over a list of events, and the observables of each step.

Events are lists as in `dtmodel trace`, without times where only the order matters. Steps are numbered from 1; the state
before a step is the final state after the earlier events.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.companion.words.fluid import FluidRun, place, says
from dtmodel.packet.engine import run_packets
from dtmodel.packet.l2bm.switch import PortPacket
from dtmodel.packet.l2bm.switch import passages as through_the_port
from dtmodel.packet.pfc import Egress, Ingress, Pools, run_pools
from dtmodel.policies import Weighted
from dtmodel.policies.admission import Admission

__all__ = ["PACKETS", "PacketLengths", "TraceRun"]


class TraceRun:
    """A finished run of a packet algorithm over timed events; `settings` are the other keys of the request."""

    def __init__(self, algorithm: str, events: Sequence[Sequence[Any]], settings: Mapping[str, Any]) -> None:
        self.events = [list(event) for event in events]
        trace = import_module(f"dtmodel.packet.{algorithm}")
        request = {"algorithm": algorithm, **_plain(settings)}
        self._answer = cache(lambda count: trace.run_trace({**request, "events": _plain(self.events[:count])}))
        self.steps: list[Mapping[str, Any]] = [exact(step) for step in self._answer(len(self.events))["steps"]]

    def __len__(self) -> int:
        return len(self.steps)

    def state(self, count: int) -> Mapping[str, Any]:
        """Return the algorithm's state after the first `count` events."""
        kept: Mapping[str, Any] = exact(self._answer(count)["final"])
        return kept

    def step(self, number: Fraction) -> Mapping[str, Any]:
        """Return the step of event `number`."""
        return self.steps[self.place(number)]

    def place(self, number: Fraction) -> int:
        """Return the index of event `number`, counted from 1."""
        return place(number, len(self.events), "step")


Train = Sequence[Sequence[Fraction]]
"""Packets that arrive back to back at one port, in groups [begin, number of packets, size of each, rate]."""


class PacketLengths(Admission):
    """The queue lengths in a run of the packet engine with one weight and one train of packets for each queue."""

    def __init__(
        self, trains: Sequence[Train], until: Fraction, buffer: Fraction, rate: Fraction, weights: Sequence[Fraction]
    ) -> None:
        self._decides = Weighted(weights).admission(len(trains), buffer, lambda size: size)
        self._steps = [{Fraction(0): Fraction(0)} for _ in trains]
        rates, streams = [rate] * len(trains), [delivered(train) for train in trains]
        run_packets(buffer=buffer, rates=rates, policy=self, streams=streams, until=until)

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        """Return True if the policy admits the packet."""
        return self._decides.admits(port, length, free, now)

    def enqueued(self, port: int, size: Any, now: Any) -> None:
        """Record the length of a queue that became longer, or shorter."""
        del size
        self._steps[port][now] = self.lengths[port]

    dequeued = enqueued

    def steps(self, number: Fraction) -> list[tuple[Fraction, Fraction]]:
        """Return the instants at which queue `number`, counted from 1, changes, each with the new length."""
        return list(self._steps[place(number, len(self._steps), "queue")].items())


def delivered(train: Train) -> list[tuple[Fraction, Fraction, None]]:
    """Return the packets of a train, each with the instant at which its last byte arrives."""
    return [(begin + k * size / rate, size, None) for begin, many, size, rate in train for k in range(1, int(many) + 1)]


def carried(train: Train) -> list[tuple[Fraction, Fraction]]:
    """Return the arrival rate of a train over time, as pairs [time, rate]."""
    rates: dict[Fraction, Fraction] = {}
    for begin, many, size, rate in train:
        rates |= {begin: rate, begin + many * size / rate: Fraction(0)}
    return list(rates.items())


@says(r"\sup_t |Q^{{{0}}}_{{{2}}}(t) - Q^{{{1}}}_{{{2}}}(t)|")
def apart(fluid: FluidRun, packets: PacketLengths, number: Fraction) -> Fraction:
    """Return the greatest distance between the lengths of a queue in the fluid run and in the packet run."""
    queue, steps, until = fluid.queue(number), packets.steps(number), fluid.run.until
    farthest = Fraction(0)
    for (begin, length), (end, _) in pairwise([*steps, (until, Fraction(0))]):
        inside = [time for time in queue.breakpoints if begin < time < end]
        farthest = max(farthest, *(abs(queue.at(time) - length) for time in (begin, *inside, end)))
    return farthest


def clocked(events: Sequence[Sequence[Any]], times: Sequence[Fraction | None]) -> list[list[Any]]:
    """Insert a time into each event."""
    if len(events) != len(times):
        raise InputError("times", len(times), f"one for each of the {len(events)} events")
    return [[event[0], time, *event[1:]] for event, time in zip(events, times, strict=True)]


def in_order(events: Sequence[Sequence[Any]], first: str) -> list[list[Any]]:
    """Sort events by time; at one instant the kind `first` comes first, and the rest keeps its order."""
    return sorted((list(event) for event in events), key=lambda event: (event[1], event[0] != first))


def passages(
    packets: Sequence[Sequence[Fraction]],
    rate: Fraction,
    counter: str = "end",
    pauses: Sequence[Sequence[Fraction]] = (),
) -> list[dict[str, Fraction]]:
    """Send packets [arrival, size, class] through a port with `pauses` [class, begin, end]; return start, end, due."""
    sent = [PortPacket(Fraction(time), Fraction(size), int(group)) for time, size, group in packets]
    stopped = [(int(group), (begin, end)) for group, begin, end in pauses]
    return [asdict(found) for found in through_the_port(sent, rate, counter=counter, pauses=stopped)]


def pfc(
    events: Sequence[Sequence[Any]],
    pools: Sequence[Fraction],
    ingress: Sequence[Mapping[str, Any]],
    egress: Sequence[Fraction | None],
) -> list[dict[str, Any]]:
    """Run shared pools with PFC on events ``["arrive", ingress, egress, size]`` and ``["depart", egress]``.

    `pools` are the sizes of the ingress and the egress pool. `ingress` has a record for each queue: ``lossless``
    (``"yes"`` or ``"no"``) and the numbers of `dtmodel.packet.pfc.Ingress`. `egress` has a weight for each queue, or
    None if the queue has no limit. Queues are numbered from 1.
    """
    numbered = enumerate(ingress, 1)
    queues = {str(i): Ingress(**{**queue, "lossless": queue.get("lossless") == "yes"}) for i, queue in numbered}
    inwards, outwards = pools
    switch = Pools(inwards, outwards, queues, {str(i): Egress(alpha) for i, alpha in enumerate(egress, 1)})
    named = [(event[0], *(str(name) for name in event[1:3]), *event[3:]) for event in events]
    return [
        {name: list(value.values()) if isinstance(value, Mapping) else value for name, value in vars(step).items()}
        | {"paused": [Fraction(name) for name in sorted(step.paused)]}
        for step in run_pools(switch, named)
    ]


def record(**members: Any) -> dict[str, Any]:
    """Return an object of a request, such as the thresholds of ``mark``."""
    return members


def _runs(algorithm: str, *, timed: bool = True) -> Callable[..., TraceRun]:
    """Return the word that runs an algorithm; without times (see `clocked`) only the order of events matters."""

    def word(events: Sequence[Sequence[Any]], **settings: Any) -> TraceRun:
        return TraceRun(algorithm, events if timed else clocked(events, [None] * len(events)), settings)

    return word


def because(run: TraceRun, step: Fraction, words: str) -> bool:
    """Return True if the reason of a step begins with `words`, such as ``"line 3"``."""
    return bool(run.step(step)["reason"].startswith(words))


def machine(run: TraceRun, step: Fraction, port: Fraction) -> Mapping[str, Any]:
    """Return the state, the counters and the timers of a port of EDT after a step."""
    own = run.step(step)["ports"][int(port) - 1]
    return {key: own[key] for key in ("state", "c1", "c2", "tm1", "tm2")}


def held(queue: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return the total bytes of a queue, given as pairs [packet, size]."""
    return sum((size for _, size in queue), Fraction(0))


def _plain(value: Any) -> Any:
    """Replace exact numbers by their form in requests: integers as numbers, other fractions as texts."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    return value


def exact(value: Any) -> Any:
    """Replace the numbers of an answer by fractions; other texts stay."""
    if isinstance(value, Mapping):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [exact(item) for item in value]
    try:
        return value if isinstance(value, bool) else Fraction(value)
    except (TypeError, ValueError):
        return value


_OF_STEPS: Mapping[str, Callable[[TraceRun, Fraction], Any]] = {
    "answered": lambda x, k: x.step(k),
    "decision": lambda x, k: x.step(k)["decision"],
    "event": lambda x, k: x.events[x.place(k)],
    "before": lambda x, k: x.state(x.place(k)),
    "after": lambda x, k: x.state(x.place(k) + 1),
}
"""Observables of a step k of a run x: the answer, its decision, the timed event, and the states around it."""
_WORDS = (carried, apart, clocked, in_order, passages, pfc, record, because, machine, held)
PACKETS: Mapping[str, Callable[..., Any]] = {word.__name__: word for word in _WORDS} | {
    **_OF_STEPS, "packet_by_packet": PacketLengths, "losspass": _runs("losspass", timed=False),
    "dynaq": _runs("dynaq", timed=False), "l2bm": _runs("l2bm"), "edt_packets": _runs("edt"),
}  # fmt: skip
