"""The motion of queues and of the free buffer between two events, and the search for the next event.

In an exact run lengths and F are lines, by their values at time 0, so that meetings do not depend on present lengths.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from importlib.util import find_spec
from math import inf
from numbers import Rational
from typing import TYPE_CHECKING

from dtmodel.base.errors import ModelError
from dtmodel.fluid.dynamics import OnThreshold, earliest
from dtmodel.fluid.trajectory import FreeBuffer, Queue
from dtmodel.policies.memory import Number, State

if TYPE_CHECKING:
    from dtmodel.fluid.crossings import Crossings

FEW, LOOKS = 4, 1_000
"""An exact run uses `dtmodel.fluid.crossings` once it has checked LOOKS queues beyond the first FEW of each event."""


class Where(Enum):
    """The position of a queue relative to its threshold."""

    EMPTY = "empty"
    RESERVE = "in its reserve"
    BELOW = "below"
    ON = "on"
    ABOVE = "above"


class Motion(State[Number]):
    """The positions and motion of the queues of one part of the buffer, with the arguments of an `Engine`."""

    _looks: float = 0
    _lines: Crossings | None = None

    def __init__(
        self,
        number: type[Number],
        buffer: Number,
        rates: Sequence[Number],
        thresholds: Sequence[tuple[Number, Number] | None],
        initial: Sequence[Number],
        reserves: Sequence[Number],
        counts: Sequence[Number],
    ) -> None:
        self.zero: Number = number(0)
        self.now: Number = self.zero
        self.buffer: Number = buffer
        self.rates: list[Number] = list(rates)
        self.counts: list[Number] = list(counts) or [number(1) for _ in rates]
        sizes = [buffer + reserve for reserve in reserves] or [buffer for _ in rates]
        limits = zip(thresholds, sizes, strict=True)
        self.thresholds: list[tuple[Number, Number]] = [limit or (self.zero, size) for limit, size in limits]
        self.unbounded = {queue for queue, limit in enumerate(thresholds) if limit is None}
        self.lengths: list[Number] = list(initial)
        self.reserves: dict[int, Number] = {queue: reserve for queue, reserve in enumerate(reserves) if reserve > 0}
        self.offered: list[Number] = [self.zero for _ in rates]
        self.fraction: Number | None = None
        self.refusing: Number = self.zero  # 1 - p, the part of the arrivals that a full buffer refuses
        self.refused: Number = self.zero  # its integral from time 0 to now
        self._refused_since: list[Number] = [self.zero for _ in rates]  # and to the instant at which a length was set
        self._refused_pieces: list[tuple[Number, Number, Number]] = []
        self.thinned: list[Number] = [self.zero for _ in rates]  # the arrivals of which a full buffer refuses a part
        self._waiting: set[int] = set()  # queues that stay where they are until a full buffer admits more
        self.changed: set[int] = set()
        self.slopes: list[Number] = [self.zero for _ in rates]
        self.where = [Where.EMPTY for _ in rates]
        self.on: OnThreshold[Number] = OnThreshold(number)
        self.moving: set[int] = set()
        self.reserved: set[int] = set()  # moving within their reserves
        self.free_slope: Number = self.zero
        self.exact = isinstance(self.zero, Rational)  # not a symbol, whose sign may be unknown
        self._lumped = bool(counts)
        self._since: list[Number] = [self.zero for _ in rates]  # in an exact run, when each length was set
        self._origins: dict[int, Number] = {}  # and the value of its line at time 0
        shared = (
            self.counts[i] * (max(q - self.reserves[i], self.zero) if i in self.reserves else q)
            for i, q in enumerate(self.lengths)
        )
        self.free: Number = buffer - sum(shared, self.zero)
        self._free_origin: Number = self.free
        self._free_times: list[Number] = [self.zero]
        self._free_values: list[Number] = [self.free]

    @abstractmethod
    def run(self, until: Number) -> tuple[FreeBuffer[Number], list[Queue[Number]]]:
        """Run from 0 to `until` and return the trajectories."""

    def length(self, queue: int) -> Number:
        """Return the length Q_i of a queue in bytes."""
        if queue in self.on:
            return self._threshold(queue)
        if self.exact and self._since[queue] is not self.now and self.slopes[queue] is not self.zero:
            length, thinned = self._origin(queue) + self.slopes[queue] * self.now, self.thinned[queue]
            return length if thinned is self.zero else length - thinned * self.refused
        return self.lengths[queue]

    def empty(self, queue: int) -> bool:
        """Return True if Q_i = 0; a moving queue can be empty only at the instant at which it was set to 0."""
        where = self.where[queue]
        if where is Where.EMPTY:
            return True
        if self.exact and where is not Where.ON and self._since[queue] != self.now:
            return False
        return self.length(queue) <= 0

    def slope(self, queue: int) -> Number:
        """Return Q_i' in this phase, in bytes per second."""
        if queue in self.on:
            return self.thresholds[queue][0] * self.free_slope
        slope, thinned = self.slopes[queue], self.thinned[queue]
        return slope if self.fraction is None or thinned is self.zero else slope - thinned * self.refusing

    def rejects(self, queue: int) -> bool:
        """Return True if the queue drops some of its arrivals in this phase."""
        where = self.where[queue]
        return where is Where.ON or (where is Where.ABOVE and self.offered[queue] > 0)

    def _fault(self, what: str) -> ModelError:
        return ModelError(f"at {self.now} s {what}")

    def _set(self, queue: int, length: Number) -> None:
        """Restart the line of a queue from a length now."""
        self.lengths[queue], self._since[queue], self._refused_since[queue] = length, self.now, self.refused
        self._origins.pop(queue, None)

    def _origin(self, queue: int) -> Number:
        """Return the value at time 0 of the line on which a queue moves, in an exact run."""
        found = self._origins.get(queue)
        if found is None:
            found = self.lengths[queue] - self.slopes[queue] * self._since[queue]
            if (thinned := self.thinned[queue]) is not self.zero:
                found += thinned * self._refused_since[queue]
            self._origins[queue] = found
        return found

    def _refuse(self, fraction: Number | None) -> None:
        """Note the fraction of the arrivals that a full buffer admits from now on; None for all."""
        self.fraction = fraction
        self.refusing = self.zero if fraction is None else 1 - fraction
        if self._refused_pieces and self._refused_pieces[-1][0] == self.now:
            self._refused_pieces.pop()
        self._refused_pieces.append((self.now, self.refused, self.refusing))

    def _threshold(self, queue: int) -> Number:
        slope, offset = self.thresholds[queue]
        return slope * self.free + offset

    def _free_buffer(self) -> Number:
        if self.fraction is not None and not self.exact:
            return self.zero  # the admitted fraction keeps the buffer full
        lengths = [self.length(queue) for queue in range(len(self.rates))] if self.exact else self.lengths
        used = self._sum(lengths) + self.on.offsets
        if self.reserves:
            used -= self._sum([self.reserves.get(queue, self.zero) for queue in range(len(self.rates))])
        return (self.buffer - used) / (1 + self.on.slopes)

    def _sum(self, each: Sequence[Number] | Mapping[int, Number]) -> Number:
        """Add the values of the moving queues, each multiplied by its count."""
        if not self._lumped:
            return sum((each[queue] for queue in self.moving), self.zero)
        return sum((self.counts[queue] * each[queue] for queue in self.moving), self.zero)

    def _level(self, queue: int) -> Number | None:
        """Return the length at which a moving queue leaves its reserve or becomes empty; None if it reaches neither."""
        slope = self.slopes[queue] if self.fraction is None else self.slope(queue)
        if queue in self.reserved and slope != 0:
            return self.reserves[queue] if slope > 0 else self.zero
        return self.reserves.get(queue, self.zero) if queue in self.moving and slope < 0 else None

    def _next_crossing(
        self, until: Number, events: Sequence[Number] = ()
    ) -> tuple[Number | None, dict[int, Number], set[int]]:
        """Return the next instant at which queues meet a level or threshold, or the first of `events`; the queues."""
        exact, free, free_slope = self.exact, self.free, self.free_slope
        begin = self.zero if exact else self.now  # waits count from here
        if exact:
            free = self._free_origin = free - free_slope * self.now
        refused = self.refused - self.refusing * self.now if self._refused_pieces else self.zero  # its line at time 0
        levels: list[tuple[Number, int, Number]] = []
        meetings: list[tuple[Number, int]] = []
        for queue in self._candidates(until):
            slope = self.slopes[queue] if self.fraction is None else self.slope(queue)
            level = self._level(queue)
            length = self._origin(queue) if exact else self.length(queue)
            if exact and refused is not self.zero:
                length -= self.thinned[queue] * refused
            if level is not None:
                wait = (level - length if self.reserves else -length) / slope
                levels.append((wait, queue, level))
            if queue in self.unbounded or queue in self.reserved:
                continue
            law, offset = self.thresholds[queue]
            closing = slope - law * free_slope
            if closing < 0 if self.where[queue] is Where.ABOVE else closing > 0:
                meetings.append(((law * free + offset - length) / closing, queue))
        waits: list[Number] = [one[0] for one in levels] + [one[0] for one in meetings] + [t - begin for t in events]
        if not waits:
            return None, {}, set()
        nearest: Number = earliest(waits)
        reached = {queue: level for wait, queue, level in levels if wait == nearest}
        touching = {queue for wait, queue in meetings if wait == nearest}
        return nearest if exact else begin + nearest, reached, touching

    def _candidates(self, until: Number) -> Iterable[int]:
        """Return a set of queues that contains every queue that comes next, if one comes before `until`."""
        if self.exact and self._lines is None:
            self._looks += max(0, len(self.moving) - FEW)
            if self._looks > LOOKS and find_spec("numpy") is None:  # then all queues are compared exactly
                self._looks = -inf
            if self._looks > LOOKS:
                from dtmodel.fluid.crossings import Crossings

                self._lines = Crossings(len(self.rates))
                self._draw(range(len(self.rates)))
        if self._lines is not None:
            try:
                bend = (float(self.refused), float(self.refusing)) if self._refused_pieces else ()
                return self._lines.next(float(self.now), float(until), float(self.free), float(self.free_slope), *bend)
            except OverflowError:
                self._lines, self._looks = None, -inf
        return [*self.moving, *self.reserved]

    def _draw(self, queues: Iterable[int]) -> None:
        """Update the lines of these queues in `Crossings`, if the run uses it."""
        if self._lines is None:
            return
        try:
            for queue in queues:
                thinned = self.thinned[queue]
                level = self._level(queue) if thinned is self.zero else self.reserves.get(queue, self.zero)
                bounded = queue in self.moving and queue not in self.unbounded
                side = (-1 if self.where[queue] is Where.ABOVE else 1) if bounded else 0
                line = float(self._since[queue]), float(self.lengths[queue]), float(self.slopes[queue])
                bend = (0.0, 0.0) if thinned is self.zero else (float(thinned), float(self._refused_since[queue]))
                law = float(self.thresholds[queue][0]), float(self.thresholds[queue][1])
                reached = None if level is None else float(level)
                self._lines.draw(queue, line, side=side, law=law, level=reached, bend=bend)
        except OverflowError:
            self._lines, self._looks = None, -inf

    def _bound(self, queues: Sequence[int], law: tuple[Number, Number]) -> None:
        """Update the threshold of moving queues below it in `Crossings`, if the run uses it."""
        if self._lines is not None:
            try:
                self._lines.bound(queues, (float(law[0]), float(law[1])))
            except OverflowError:
                self._lines, self._looks = None, -inf

    def _go(self, time: Number, full: Number | None) -> None:
        """Advance queues and free buffer to a time; the buffer is exactly full if the time is `full`."""
        if self.exact:
            step, self.now, self.free = time - self.now, time, self._free_origin + self.free_slope * time
            if self.fraction is not None:
                self.refused += self.refusing * step
            if len(self._free_times) % (4 * len(self.rates) + 1) == 0:
                self._audit()
        else:
            step, self.now = time - self.now, time
            for queue in (*self.moving, *self.reserved):
                self.lengths[queue] += self.slope(queue) * step
            self.refused += self.refusing * step
            self.free = self.zero if time == full else self._free_buffer()
        if self.exact and self.free < 0:
            raise self._fault(f"the queues hold {-self.free} bytes more than the buffer")
        self._free_times.append(time)
        self._free_values.append(self.free)

    def _audit(self) -> None:
        """In an exact run, check that the free buffer is B less the lengths of the queues."""
        if self.exact and self.free != self._free_buffer():
            raise self._fault("the bytes in the queues are not the admitted bytes less the sent ones")
