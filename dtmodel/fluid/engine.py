"""The event engine of the fluid model, for thresholds that are affine in the free buffer; exact or fast.

Between two events every slope is constant. An event is a change of an arrival rate, a queue that runs empty, or a
queue that meets its threshold. Empty queues cost nothing; queues on their thresholds cost the logarithm of their
number (`dtmodel.fluid.dynamics`); the others are looked at once an event.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from heapq import heapify, heappop, heappush
from typing import Generic

from dtmodel.fluid.dynamics import OnThreshold
from dtmodel.fluid.trajectory import FreeBuffer, Number, Queue, Segment

__all__ = ["Engine", "Offer"]

Offer = Sequence[tuple[Number, Number]]
"""The arrivals of one queue: pairs (time, rate)."""


class Where(Enum):
    """Where a queue lies against its threshold."""

    EMPTY = "empty"
    BELOW = "below"
    ON = "on"
    ABOVE = "above"


class Engine(Generic[Number]):
    """One run of the fluid model. A policy with a memory overrides `policy_time` and `policy_events`.

    Parameters
    ----------
    number : type
        ``Fraction`` or ``float``; everything else is given in it.
    buffer : Number
        B.
    rates : sequence of Number
        C_i.
    thresholds : sequence of (Number, Number)
        (a_i, b_i) of the thresholds a_i F + b_i.
    offers : sequence of sequence of (Number, Number)
        The arrivals: times, strictly increasing, and rates.
    initial : sequence of Number
        Q_i(0), together at most B.
    steady : iterable of int
        Queues whose initial lengths are their thresholds, whatever rounding says.
    """

    def __init__(
        self,
        number: type[Number],
        buffer: Number,
        rates: Sequence[Number],
        thresholds: Sequence[tuple[Number, Number]],
        offers: Sequence[Offer[Number]],
        initial: Sequence[Number],
        steady: Iterable[int] = (),
    ) -> None:
        self.zero: Number = number(0)
        self.now: Number = self.zero
        self.buffer: Number = buffer
        self.rates: list[Number] = list(rates)
        self.thresholds: list[tuple[Number, Number]] = list(thresholds)
        self.lengths: list[Number] = list(initial)
        self.offered: list[Number] = [self.zero for _ in rates]
        self.slopes: list[Number] = [self.zero for _ in rates]
        self.where = [Where.EMPTY for _ in rates]
        self.on: OnThreshold[Number] = OnThreshold(number)
        self.moving: set[int] = set()
        self.free_slope: Number = self.zero
        self._offers: list[list[tuple[Number, Number]]] = [list(offer) for offer in offers]
        self._changes: list[tuple[Number, int, int]] = [
            (offer[0][0], queue, 0) for queue, offer in enumerate(self._offers) if offer
        ]
        heapify(self._changes)
        self._touching: set[int] = set(steady)
        self._emptied: set[int] = set()
        self._dirty = set(range(len(self.rates)))
        self._segments: list[list[Segment[Number]]] = [[] for _ in rates]
        self._limits: list[list[tuple[Number, Number, Number]]] = [[] for _ in rates]
        self.free: Number = max(self.zero, buffer - sum(initial, self.zero))  # rounded floats can exceed the buffer
        self._free_times: list[Number] = [self.zero]
        self._free_values: list[Number] = [self.free]
        for queue in range(len(self.rates)):
            self.set_threshold(queue, *self.thresholds[queue])

    def run(self, until: Number) -> tuple[FreeBuffer[Number], list[Queue[Number]]]:
        """Run from 0 to `until` and return the trajectories."""
        self._change_arrivals()
        while True:
            self.policy_events()
            self._settle()
            self._advance(until)
            if self.now >= until:
                break
            self._change_arrivals()
        free = FreeBuffer(self._free_times, self._free_values)
        queues = [Queue(s, limit, free) for s, limit in zip(self._segments, self._limits, strict=True)]
        return free, queues

    def policy_time(self, until: Number) -> Number:
        """When the policy's memory changes next; `until` if not before."""
        return until

    def policy_events(self) -> None:
        """Let the policy change thresholds at the current instant."""

    def set_threshold(self, queue: int, slope: Number, offset: Number) -> None:
        """Give `queue` the threshold slope F + offset from now on."""
        self._leave_threshold(queue)
        self.thresholds[queue] = (slope, offset)
        limit = (self.now, slope, offset)
        if self._limits[queue] and self._limits[queue][-1][0] == self.now:
            self._limits[queue][-1] = limit
        else:
            self._limits[queue].append(limit)
        self._place(queue)

    def _threshold(self, queue: int) -> Number:
        slope, offset = self.thresholds[queue]
        return slope * self.free + offset

    def _free_buffer(self) -> Number:
        # Never recompute a T as alpha (B - sum Q) while queues sit on it: in floats that diverges.
        used = sum((self.lengths[queue] for queue in self.moving), self.zero) + self.on.offsets
        return (self.buffer - used) / (1 + self.on.slopes)

    def _leave_threshold(self, queue: int) -> None:
        if queue in self.on:
            self.lengths[queue] = self._threshold(queue)
            self.on.remove(queue)

    def _place(self, queue: int) -> None:
        """Classify a queue that is not on its threshold by its length, offered rate and threshold."""
        self._dirty.add(queue)
        growth = self.offered[queue] - self.rates[queue]
        if self.lengths[queue] <= 0 and growth <= 0:
            self.moving.discard(queue)
            self.where[queue], self.slopes[queue] = Where.EMPTY, self.zero
            return
        self.moving.add(queue)
        room = self._threshold(queue) - self.lengths[queue]
        if room < 0:
            self.where[queue], self.slopes[queue] = Where.ABOVE, -self.rates[queue]
        else:
            self.where[queue], self.slopes[queue] = Where.BELOW, growth
            if room == 0:
                self._touching.add(queue)

    def _change_arrivals(self) -> None:
        while self._changes and self._changes[0][0] <= self.now:
            _, queue, piece = heappop(self._changes)
            self.offered[queue] = self._offers[queue][piece][1]
            if piece + 1 < len(self._offers[queue]):
                heappush(self._changes, (self._offers[queue][piece + 1][0], queue, piece + 1))
            self._leave_threshold(queue)
            self._place(queue)

    def _settle(self) -> None:
        """Find the phase that begins now: F', and where every queue lies."""
        for queue in self._emptied:
            self.lengths[queue] = self.zero
            self._place(queue)
        self._emptied.clear()
        touching = {queue for queue in self._touching | self._met() if queue in self.moving}
        self._touching.clear()
        for queue in touching:
            self._put_on_threshold(queue)
        others = sum((self.slopes[queue] for queue in self.moving), self.zero)
        self.free_slope, fell, rose = self.on.settle(others)
        self._let_go(fell, Where.ABOVE)
        self._let_go(rose, Where.BELOW)
        for queue in self._dirty:
            self._record(queue)
        self._dirty.clear()

    def _met(self) -> set[int]:
        """Moving queues that are on their thresholds now (in floats: or have stepped over them by a rounding error)."""
        met = set()
        for queue in self.moving:
            room = self._threshold(queue) - self.lengths[queue]
            if (room >= 0) if self.where[queue] is Where.ABOVE else (room <= 0):
                met.add(queue)
        return met

    def _put_on_threshold(self, queue: int) -> None:
        slope, offset = self.thresholds[queue]
        growth = self.offered[queue] - self.rates[queue]
        self._dirty.add(queue)
        if slope == 0 and growth <= 0:
            self.where[queue], self.slopes[queue] = Where.BELOW, growth
            return
        self.moving.discard(queue)
        self.where[queue] = Where.ON
        self.on.add(queue, slope, offset, -self.rates[queue], growth)

    def _let_go(self, queues: list[int], where: Where) -> None:
        for queue in queues:
            self.lengths[queue] = self._threshold(queue)
            self.moving.add(queue)
            self.where[queue] = where
            above = where is Where.ABOVE
            self.slopes[queue] = -self.rates[queue] if above else self.offered[queue] - self.rates[queue]
            self._dirty.add(queue)

    def _record(self, queue: int) -> None:
        rate, offered, where = self.rates[queue], self.offered[queue], self.where[queue]
        on = self.thresholds[queue] if where is Where.ON else None
        loss = {Where.ABOVE: offered, Where.ON: offered - rate}.get(where, self.zero)
        drain = offered if where is Where.EMPTY else rate
        slope = self.zero if where is Where.ON else self.slopes[queue]
        segment = Segment(self.now, self.lengths[queue], slope, loss, drain, on)
        segments = self._segments[queue]
        if segments and segments[-1].begin == self.now:
            segments.pop()
        segments.append(segment)

    def _next_crossings(self) -> tuple[Number | None, set[int], set[int]]:
        """How long until a moving queue runs empty or meets its threshold, and which queues then do so."""
        nearest: Number | None = None
        emptied: set[int] = set()
        touching: set[int] = set()
        for queue in self.moving:
            slope, length = self.slopes[queue], self.lengths[queue]
            waits = [(length / -slope, emptied)] if slope < 0 else []
            closing = slope - self.thresholds[queue][0] * self.free_slope
            if closing < 0 if self.where[queue] is Where.ABOVE else closing > 0:
                waits.append((max((self._threshold(queue) - length) / closing, self.zero), touching))
            for wait, kind in waits:
                if nearest is None or wait < nearest:
                    nearest = wait
                    emptied.clear()
                    touching.clear()
                if wait == nearest:
                    kind.add(queue)
        return nearest, emptied, touching

    def _advance(self, until: Number) -> None:
        """Go to the next event, or to `until` if that comes first."""
        time = min(until, self.policy_time(until), self._changes[0][0] if self._changes else until)
        wait, emptied, touching = self._next_crossings()
        if wait is not None and self.now + wait <= time:
            time = self.now + wait
            self._emptied, self._touching = emptied, touching
        step = time - self.now
        for queue in self.moving:
            self.lengths[queue] += self.slopes[queue] * step
        self.now = time
        self.free = self._free_buffer()
        self._free_times.append(time)
        self._free_values.append(self.free)
