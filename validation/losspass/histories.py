"""Histories of a LossPass port: all of some length, the smallest that violates something, and witnesses of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from typing import Any, NamedTuple

from dtmodel.ledger import Counterexample, Witness, check
from dtmodel.packet.losspass.algorithm import READINGS, Arbiter, Arrival, Departure, Event, Packet, PortSettings, Step

Letter = tuple[Any, ...]
"""An event without its time: ("arrive", class, size) or ("depart", queue)."""


class Moment(NamedTuple):
    """One event: what the queues held before and after, and what happened; `marked` are all marks so far."""

    event: Event
    before: tuple[tuple[Packet, ...], tuple[Packet, ...]]
    step: Step
    after: tuple[tuple[Packet, ...], tuple[Packet, ...]]
    marked: frozenset[int]

    @property
    def size(self) -> Fraction | int:
        """The size of the arriving packet, 0 for a departure."""
        return self.event.size if isinstance(self.event, Arrival) else 0

    def arrives(self, kind: str) -> bool:
        """Whether a packet of this class arrives."""
        return isinstance(self.event, Arrival) and self.event.kind == kind

    @property
    def small(self) -> Fraction | int:
        """Q_s before the event."""
        return _length(self.before[0])

    @property
    def large(self) -> Fraction | int:
        """Q_l before the event."""
        return _length(self.before[1])

    @property
    def small_after(self) -> Fraction | int:
        """Q_s after the event."""
        return _length(self.after[0])

    @property
    def large_after(self) -> Fraction | int:
        """Q_l after the event."""
        return _length(self.after[1])

    @property
    def left(self) -> bool:
        """Whether the packet of the step is in the port afterwards."""
        return any(p.number == self.step.packet for queue in self.after for p in queue)


@dataclass(frozen=True)
class History:
    """A trace with its settings and its moments."""

    settings: PortSettings
    letters: tuple[Letter, ...]
    moments: tuple[Moment, ...]

    @property
    def buffer(self) -> Fraction | int:
        """The buffer B."""
        return self.settings.buffer

    @property
    def room(self) -> Fraction | int:
        """Return B - B_l, what is not reserved."""
        return self.settings.room

    def overflows(self, moment: Moment) -> bool:
        """Tell whether line 1 of the algorithm holds: the packet does not fit."""
        return moment.size > 0 and moment.size + moment.small + moment.large > self.buffer

    def lost(self, kind: str) -> frozenset[int]:
        """The packets of one class that were dropped or evicted."""
        classes = dict(enumerate(letter[1] for letter in self.letters if letter[0] == "arrive"))
        dropped = {m.step.packet for m in self.moments if m.step.decision in ("drop", "evict+drop")}
        gone = dropped | {m.step.victim for m in self.moments}
        return frozenset(n for n in gone if n is not None and classes[n] == kind)


def history(settings: PortSettings, letters: Sequence[Letter]) -> History:
    """Run a trace and keep every moment."""
    port = Arbiter(settings)
    moments = []
    for letter in letters:
        event = _event(letter)
        before = (tuple(port.small), tuple(port.large))
        step = port.arrive(event) if isinstance(event, Arrival) else port.depart(event)
        after = (tuple(port.small), tuple(port.large))
        moments.append(Moment(event, before, step, after, frozenset(port.marked)))
    return History(settings, tuple(letters), tuple(moments))


@cache
def _event(letter: Letter) -> Event:
    return Arrival(letter[1], Fraction(letter[2])) if letter[0] == "arrive" else Departure(letter[1])


@cache
def settings_of(
    reading: str, B: int, B_l: int = 0, mark: tuple[int | None, int | None, int | None] = (None, None, None)
) -> PortSettings:
    """Return settings from whole numbers."""
    small, large, port = (None if k is None else Fraction(k) for k in mark)
    return PortSettings(Fraction(B), Fraction(B_l), small, large, port, READINGS[reading])


def alphabet(sizes: Sequence[int], departures: Sequence[str] = ("any",)) -> list[Letter]:
    """All events over both classes and the given sizes; arrivals of large packets first."""
    arrivals: list[Letter] = [("arrive", kind, size) for kind in ("large", "small") for size in sizes]
    return [*arrivals, *(("depart", queue) for queue in departures)]


def histories(
    reading: str,
    events: int,
    buffers: Sequence[int],
    *,
    reserves: bool = True,
    mark: tuple[int | None, int | None, int | None] = (None, None, None),
) -> Iterator[History]:
    """Yield every history of exactly `events` events, for the buffers in order and for every reserve (or none)."""
    for B in buffers:
        letters = alphabet(range(1, B + 1))
        for trace in product(letters, repeat=events):
            for B_l in range(B + 1) if reserves else (0,):
                yield history(settings_of(reading, B, B_l, mark), trace)


@cache
def all_histories(reading: str, mark: tuple[int | None, int | None, int | None] = (None, None, None)) -> list[History]:
    """All traces of three events, B up to 3, every size, every reserve: the domain of the exhaustive checks.

    Shorter traces are prefixes of these, so every prefix is checked as well.
    """
    return list(histories(reading, 3, (1, 2, 3), mark=mark))


DOMAIN = "all traces of up to 3 events (arrivals of both classes and all sizes, departures), B up to 3, all reserves"


def find(
    violates: Callable[[History], bool],
    reading: str = "intended",
    *,
    events: int = 3,
    buffer: int = 3,
    mark: tuple[int | None, int | None, int | None] = (None, None, None),
    reserves: bool = True,
) -> History:
    """Return the first history that violates, in the order of events, then buffer; raise if there is none."""
    for count in range(1, events + 1):
        for item in histories(reading, count, range(1, buffer + 1), mark=mark, reserves=reserves):
            if violates(item):
                return item
    raise AssertionError(f"no trace of up to {events} events on up to {buffer} bytes violates the statement")


def refutation(found: History, claimed: dict[str, Any], says: str) -> Counterexample:
    """Make a counterexample of a history: expected is what the engine did; `claimed` what the statement says."""
    settings = found.settings
    mark = {"small": settings.mark_small, "large": settings.mark_large, "port": settings.mark_port}
    last = found.moments[-1]
    request = {
        "algorithm": "losspass",
        "reading": settings.reading.name,
        "buffer": settings.buffer,
        "reserve_large": settings.reserve_large,
        "mark": mark,
        "events": [[letter[0], None, *letter[1:]] for letter in found.letters],
    }
    expected = {
        "steps": [
            {"decision": m.step.decision, "victim": m.step.victim, "packet": m.step.packet} for m in found.moments
        ],
        "final": {
            "small": [[p.number, p.size] for p in last.after[0]],
            "large": [[p.number, p.size] for p in last.after[1]],
            "marked": sorted(last.marked),
        },
    }
    return Counterexample(Witness("trace", request, expected, claimed, says), says)


def last_decision(found: History, decision: str) -> dict[str, Any]:
    """What a statement claims if it says that the last event ends in `decision`."""
    return {"steps": [*({} for _ in found.moments[:-1]), {"decision": decision}]}


def proves(histories: Sequence[History], holds: Callable[[History, Moment], bool], what: str) -> int:
    """Check a statement at every moment of every history; return how many moments there were."""
    cases = 0
    for item in histories:
        for moment in item.moments:
            check(holds(item, moment), f"{what}: {item.letters} on {item.settings}")
            cases += 1
    return cases


def _length(packets: Sequence[Packet]) -> Fraction | int:
    return sum(p.size for p in packets)


def _refused(item: History) -> bool:
    """Whether the last event drops a small packet that meets an overflow."""
    last = item.moments[-1]
    return last.arrives("small") and last.step.decision == "drop"


def _tail_drop(item: History) -> History:
    """Run tail drop with two queues on the same events, once for all reserves, which it has not."""
    return _without_reserve(int(item.buffer), item.letters)


@lru_cache(maxsize=1)
def _without_reserve(B: int, letters: tuple[Letter, ...]) -> History:
    return history(settings_of("droptail-2q", B), letters)
