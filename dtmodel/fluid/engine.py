"""The event engine of the fluid model, for thresholds that are affine in the free buffer.

Between two events every slope is constant. An event is a change of an arrival rate, a queue that becomes empty or
leaves its reserve, a queue that meets its threshold, a full buffer, or an instant that the policy's memory requests.
Empty queues cost nothing; queues on their thresholds cost the logarithm of their number (`dtmodel.fluid.dynamics`);
every other queue is checked at each event (`dtmodel.fluid.motion`), in a long run only those that may come first
(`dtmodel.fluid.crossings`). Runs in floats are those of the native core (`dtmodel.native`).

A buffer without a free byte from which no byte leaves, since all its bytes belong to queues of rate 0, admits nothing,
not even what an empty queue could send at once: no packet fits, however small, so this is the limit of small packets.
"""

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from math import inf
from typing import final

from dtmodel.base import budgets
from dtmodel.fluid.dynamics import earliest
from dtmodel.fluid.motion import Motion, Where
from dtmodel.fluid.trajectory import FreeBuffer, Queue, Segment
from dtmodel.policies.memory import Changes, Memory, Number, Total

Offer = Sequence[tuple[Number, Number]]
"""The arrivals of one queue: pairs (time, rate)."""


@final
class Engine(Motion[Number]):
    """One run of the fluid model on one part of the buffer, in an exact type, `number`, for all arguments.

    `buffer`: B without the reserves. `thresholds`: the pairs (a_i, b_i) of a_i F + b_i; None if only the buffer bounds
    the queue. `offers`: the arrivals, as (time, rate). `initial`: Q_i(0). `steady`: queues that start on their
    thresholds. `reserves`: bytes that each queue fills before it takes bytes of B. `counts`: the identical queues that
    each stands for.
    """

    def __init__(
        self,
        number: type[Number],
        buffer: Number,
        rates: Sequence[Number],
        thresholds: Sequence[tuple[Number, Number] | None],
        offers: Sequence[Offer[Number]],
        initial: Sequence[Number],
        steady: Iterable[int] = (),
        *,
        memory: Memory[Number] | None = None,
        reserves: Sequence[Number] = (),
        counts: Sequence[Number] = (),
    ) -> None:
        # With super(), mypy would require both types of numbers at once.
        Motion.__init__(self, number, buffer, rates, thresholds, initial, reserves, counts)
        self.memory: Memory[Number] | None = memory
        self._together: Total[Number] = Total(number)
        self._thinned: Total[Number] = Total(number)
        self._recent: set[int] = set()  # queues placed at this instant
        self._idle = self._made = 0
        self._some_blocked = not all(self.rates)
        self._offers: list[list[tuple[Number, Number]]] = [list(offer) for offer in offers]
        self._changes: list[tuple[float, Number, int, int]] = [
            (self._about(offer[0][0]), offer[0][0], queue, 0) for queue, offer in enumerate(self._offers) if offer
        ]
        heapify(self._changes)
        self._touching: set[int] = set(steady)
        self._reached: dict[int, Number] = {}
        self._dirty = set(range(len(self.rates)))
        self._segments: list[list[Segment[Number]]] = [[] for _ in rates]
        self._limits: list[list[tuple[Number, Number, Number]]] = [
            [(self.zero, slope, offset)] for slope, offset in self.thresholds
        ]
        for queue in range(len(self.rates)):
            self._place(queue)

    def loss(self, queue: int) -> Number:
        """Return the bytes per second that the queue loses in this phase."""
        if self.where[queue] is Where.ABOVE:
            return self.offered[queue]
        if self.where[queue] is Where.EMPTY:
            return self.zero if queue in self.reserves else self.offered[queue] * self.refusing
        return self.offered[queue] - self.rates[queue] - self.slope(queue)

    def _about(self, time: Number) -> float:
        """Return a float that orders exact times, except equal floats; it is much faster to compare."""
        if not self.exact:
            return 0.0
        try:
            return float(time)
        except OverflowError:
            return inf

    def next_change(self) -> Number | None:
        """Return the next instant at which arrivals change; None if there is no further change."""
        return self._changes[0][1] if self._changes else None

    def piece(self, queue: int) -> int:
        """Return the index of the present piece of a queue's arrivals; -1 before the first."""
        return next((piece for *_, other, piece in self._changes if other == queue), len(self._offers[queue])) - 1

    def run(self, until: Number) -> tuple[FreeBuffer[Number], list[Queue[Number]]]:
        """Run from 0 to `until` and return the trajectories."""
        events, budget, most = 0, budgets.limit("phases"), budgets.limit("segments")
        while True:
            self._change_arrivals()
            self._find_phase()
            self._advance(until)
            if self.now >= until:
                break
            events += 1
            if events > budget:
                budgets.keep_within("phases", events, "until")
            if self._made > most:
                budgets.keep_within("segments", self._made, "until")
        self._audit()
        free = FreeBuffer(self._free_times, self._free_values, self._refused_pieces)
        queues = [Queue(s, limit, free) for s, limit in zip(self._segments, self._limits, strict=True)]
        return free, queues

    def _find_phase(self) -> None:
        """Solve the phase that begins now; the memory may change thresholds before and after."""
        if self.memory is not None:
            self.changed = {*self._dirty} if self.exact else {*range(len(self.rates))}
            self._apply(self.memory.act(self))
        self._thin(self._common_fraction())
        self._settle()
        for _ in range(len(self.rates) + 2):
            changes = self.memory.settled(self) if self.memory else {}
            if not changes:
                return
            self._apply(changes)
            self._settle()
        raise self._fault("the policy changes its thresholds again and again")

    def _common_fraction(self) -> Number | None:
        """Return the fraction of all arrivals that is admitted; 0 if the buffer is full and no byte leaves it."""
        fraction = self.memory.admitted(self) if self.memory else None
        if not self._some_blocked or self.free > 0:
            return fraction
        served = (queue for queue, rate in enumerate(self.rates) if rate > 0)
        return fraction if any(self.length(q) > self.reserves.get(q, self.zero) for q in served) else self.zero

    def _apply(self, changes: Changes[Number]) -> None:
        """Set new thresholds; a queue on its threshold stays there if the new threshold is equal at this instant."""
        kept: dict[tuple[Number, Number], list[int]] = {}
        for queue, (slope, offset) in changes.items():
            if self.exact and self._keeps(queue, slope, offset):
                kept.setdefault((slope, offset), []).append(queue)
                continue
            met, before = queue in self.on or queue in self._touching, self._threshold(queue)
            self._leave_threshold(queue)
            self._touching.discard(queue)
            self._limit(queue, slope, offset)
            jump = self._threshold(queue) - before
            if met and jump == 0:
                self._touching.add(queue)
            self._place(queue)
        for law, queues in kept.items():
            for queue in queues:
                self._limit(queue, *law)
            self._made += len(queues)
            self._bound([queue for queue in queues if queue in self.moving], law)

    def _keeps(self, queue: int, slope: Number, offset: Number) -> bool:
        """Return True if a queue below its threshold, or empty, moves on as before under a new threshold."""
        if queue in self._touching or queue in self.reserves or queue in self.unbounded:
            return False
        if self.where[queue] is Where.EMPTY:
            return True
        if self.where[queue] is not Where.BELOW:
            return False
        before, least = self.thresholds[queue]
        return (slope == before and offset >= least) or self.length(queue) < slope * self.free + offset

    def _limit(self, queue: int, slope: Number, offset: Number) -> None:
        """Note the new threshold of a queue."""
        self.thresholds[queue] = (slope, offset)
        self.unbounded.discard(queue)
        if self._limits[queue][-1][0] == self.now:
            self._limits[queue].pop()
        self._limits[queue].append((self.now, slope, offset))

    def _thin(self, fraction: Number | None) -> None:
        """Admit this fraction of all arrivals from now on (all if None); lines stay, since `refused` bends them."""
        if fraction == self.fraction:
            return
        again = self._decided(fraction) if self.exact and self._refused_pieces else range(len(self.rates))
        self._refuse(fraction)
        for queue in again:
            if self.offered[queue] > 0:
                self._leave_threshold(queue)
                self._place(queue)

    def _decided(self, fraction: Number | None) -> list[int]:
        """Return the queues whose place may depend on the fraction that a full buffer admits from now on."""
        rates, offered = self.rates, self.offered
        grow = {queue for queue in self._waiting if fraction is None or fraction * offered[queue] > rates[queue]}
        bound = grow | self._recent | self._dirty
        return [queue for queue, where in enumerate(self.where) if where is Where.ON or queue in bound]

    def _admitted(self, queue: int) -> Number:
        """Return the rate of the arrivals that a full buffer admits: all that a reserve takes, and p R beyond it."""
        offered = self.offered[queue]
        if self.fraction is None:
            return offered
        thinned = self.fraction * offered
        room = self.reserves[queue] - self.length(queue) if queue in self.reserves else self.zero - 1
        if room > 0 or (room == 0 and offered <= self.rates[queue]):
            return offered
        return self.rates[queue] if room == 0 and thinned <= self.rates[queue] else thinned

    def _leave_threshold(self, queue: int) -> None:
        if queue in self.on:
            self._set(queue, self._threshold(queue))
            self.on.remove(queue)
            self._touching.add(queue)

    def _place(self, queue: int) -> None:
        """Classify a queue that is not on its threshold by its length, admitted arrivals and threshold."""
        self._set(queue, self.length(queue))
        growth = self._admitted(queue) - self.rates[queue]
        if queue in self.reserves and self._place_in_reserve(queue, growth):
            return
        if self.lengths[queue] <= 0 and growth <= 0:
            self._move(queue, Where.EMPTY, self.zero)
            return
        if queue in self.unbounded:
            self._grow(queue)
            return
        room = self._threshold(queue) - self.lengths[queue]
        if room < 0 and queue not in self._touching:
            sent = self.rates[queue] if self.lengths[queue] > 0 else self.zero  # an empty queue may have T < 0
            self._move(queue, Where.ABOVE, -sent)
        else:
            self._grow(queue)
            if room == 0:
                self._touching.add(queue)

    def _place_in_reserve(self, queue: int, growth: Number) -> bool:
        """Return True if a queue stays within its reserve, which the shared buffer does not see."""
        length, reserve = self.lengths[queue], self.reserves[queue]
        self.reserved.discard(queue)
        if length > reserve or (length == reserve and growth > 0) or (length <= 0 and growth <= 0):
            return False
        self._move(queue, Where.RESERVE, growth)
        return True

    def _move(self, queue: int, where: Where, slope: Number, thinned: Number | None = None) -> None:
        """Let a queue change at a rate, of which a full buffer refuses a part of the rate `thinned`."""
        self._dirty.add(queue)
        self.where[queue], self.slopes[queue] = where, slope
        self.thinned[queue] = self.zero if thinned is None else thinned
        (self.moving.add if where in (Where.BELOW, Where.ABOVE) else self.moving.discard)(queue)
        (self.reserved.add if where is Where.RESERVE else self.reserved.discard)(queue)
        if self.exact and self._refused_pieces:
            held = where in (Where.EMPTY, Where.RESERVE) and slope == 0 and self.offered[queue] > self.rates[queue]
            (self._waiting.add if held else self._waiting.discard)(queue)

    def _grow(self, queue: int) -> None:
        """Let a queue below its threshold admit its arrivals, thinned while the buffer is full."""
        offered = self.offered[queue]
        self._move(queue, Where.BELOW, offered - self.rates[queue], offered if self._refused_pieces else None)

    def _change_arrivals(self) -> None:
        """Release queues that reached a level, and apply the arrival changes that are due."""
        for queue, level in self._reached.items():
            self._set(queue, level)
            self._place(queue)
        self._reached.clear()
        while self._changes and self._changes[0][1] <= self.now:
            _, _, queue, piece = heappop(self._changes)
            self.offered[queue] = self._offers[queue][piece][1]
            if piece + 1 < len(self._offers[queue]):
                time = self._offers[queue][piece + 1][0]
                heappush(self._changes, (self._about(time), time, queue, piece + 1))
            self._leave_threshold(queue)
            self._place(queue)

    def _settle(self) -> None:
        """Solve the phase that begins now: F', and where every queue lies."""
        touching = self._touching & self.moving
        self._touching = set()
        for queue in touching:
            self._put_on_threshold(queue)
        others = self._slopes_together()
        fell: list[int]
        rose: list[int]
        self.free_slope, fell, rose = self.on.settle(others)
        self._let_go(fell, Where.ABOVE)
        self._let_go(rose, Where.BELOW)
        if self.fraction is not None:
            self.free_slope = self.zero
        for queue in self._dirty:
            self._record(queue)
            self._count(queue)
        self._draw(self._dirty)
        self._made += len(self._dirty)
        self.changed |= self._dirty
        self._recent |= self._dirty
        self._dirty.clear()

    def _slopes_together(self) -> Number:
        """Return the total slope of the moving queues; an exact run updates it for changed queues only."""
        if not self.exact:
            return self._sum({queue: self.slope(queue) for queue in self.moving})
        for queue in self._dirty:
            self._count(queue)
        together = self._together.value
        return together if self.fraction is None else together - self.refusing * self._thinned.value

    def _count(self, queue: int) -> None:
        if not self.exact:
            return
        moves, count = queue in self.moving, self.counts[queue]
        share, thinned = (self.slopes[queue], self.thinned[queue]) if moves else (self.zero, self.zero)
        self._together.put(queue, count * share if self._lumped else share)
        if self._refused_pieces:
            self._thinned.put(queue, count * thinned if self._lumped else thinned)

    def _put_on_threshold(self, queue: int) -> None:
        slope, offset = self.thresholds[queue]
        self._set(queue, self.length(queue))
        growth = self._admitted(queue) - self.rates[queue]
        if slope == 0 and growth <= 0:
            self._grow(queue)
            if growth == 0:
                self._waiting.add(queue)
            return
        self._move(queue, Where.ON, self.zero)
        shared = offset - self.reserves[queue] if queue in self.reserves else offset
        self.on.add(queue, slope, shared, -self.rates[queue], growth, self.counts[queue])

    def _let_go(self, queues: list[int], where: Where) -> None:
        for queue in queues:
            self._set(queue, self._threshold(queue))
            if where is Where.ABOVE:
                self._move(queue, where, -self.rates[queue])
            else:
                self._grow(queue)

    def _record(self, queue: int) -> None:
        rate, offered, where = self.rates[queue], self.offered[queue], self.where[queue]
        on = self.thresholds[queue] if where is Where.ON else None
        loss = offered - rate if on else offered if where is Where.ABOVE else self.zero
        if where is Where.RESERVE:
            loss = offered - rate - self.slopes[queue]
        drain = offered if where is Where.EMPTY else -self.slopes[queue] if where is Where.ABOVE else rate
        thin = self.thinned[queue] if where is not Where.EMPTY or queue in self.reserves else offered
        thinned = thin if self._refused_pieces and thin is not self.zero else None
        segment = Segment(self.now, self.lengths[queue], self.slopes[queue], loss, drain, on, thinned)
        segments = self._segments[queue]
        if segments and segments[-1].begin == self.now:
            segments.pop()
        segments.append(segment)

    def _advance(self, until: Number) -> None:
        """Go to the next event, or to `until` if that comes first."""
        begin: Number = self.now
        full: Number | None = None
        wakes: list[Number] = []
        change = self.next_change()
        events: list[Number] = [until] if change is None else [until, change]
        if self.memory is not None:
            wakes.extend(self.memory.wakes(self))
            if self.memory.hears_overflow and self.free_slope < 0 < self.free:
                full = begin + self.free / -self.free_slope
                events.append(full)
            events.extend(wakes)
        together = () if self.exact or not wakes else events  # symbols: one case distinction for all events
        time: Number = until if together else earliest(events)
        crossing, reached, touching = self._next_crossing(time, together)
        if crossing is not None and (together or crossing <= time):
            time = crossing
            self._reached = reached
            self._touching |= touching
        self._idle = self._idle + 1 if time <= begin else 0
        if time < begin or self._idle > 8 * len(self.rates) + 64:
            raise self._fault("time does not go on")
        if time > begin:
            self._recent.clear()
        self._go(time, full)
        if self.memory is not None:
            self.memory.passed(self, begin)
