"""The event engine of the fluid model for trees of limits (`dtmodel.policies.forest`); exact.

Between two events every slope is constant. Let x be the slope of the room that a node's limit follows, and s the
fraction of the arrivals that the nodes above admit. The growth of a node's bytes beyond its reserve is a nondecreasing
piecewise-linear function of either:

- a queue grows at s R - C below its limit and at -C above it, on it at the slope of the limit as far as it can;
- a group below its limit grows as the sum of its children does; their limits follow x, or in a nested tree the slope y
  of the room of the group, the root of y + sum(y) = slope of the limit;
- a group on its limit grows no faster than the limit: its children get the greatest fraction with which it does not,
  and 0 if no room opens below the limit even with 0: all of them are refused until bytes leave.

So the slope of the free buffer of a pool is the root of an increasing function, and it is unique.

A queue with a limit of 0 and no reserve passes on what its output sends at once, as in `dtmodel.fluid.engine`: nothing
waits. Below a group with a limit of 0 it admits nothing, and whole packets, which wait until they are complete, are
refused in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

from dtmodel.base import budgets
from dtmodel.base.curves import Curve, line, total
from dtmodel.fluid.dynamics import earliest
from dtmodel.fluid.trajectory import FreeBuffer, Queue, Segment
from dtmodel.policies.forest import Forest, Level


@dataclass(frozen=True)
class Motion:
    """The phase of one node: slopes of use, bytes beyond the reserve, limit and room, admitted fraction, loss, sent."""

    used: Any
    beyond: Any
    limit: Any
    room: Any
    share: Any
    loss: Any
    sent: Any


@final
class ForestRun:
    """One run of a `forest` in an exact type, `number`: rates C, `offers` (time, rate) and initial lengths of queues.

    `bounds`: the limit of each pool and group at every event, as (time, bytes).
    """

    def __init__(
        self,
        number: type[Any],
        forest: Forest,
        rates: Sequence[Any],
        offers: Sequence[Sequence[tuple[Any, Any]]],
        lengths: Sequence[Any],
    ) -> None:
        self.forest = forest
        self.rates: Sequence[Any] = rates
        self.offers: Sequence[Sequence[tuple[Any, Any]]] = offers
        self.lengths: list[Any] = list(lengths)
        self.one: Any = number(1)
        self.zero: Any = number(0)
        self.now: Any = self.zero
        self.nothing, self.identity, self.all = line(self.zero), line(self.one), line(self.zero, self.one)
        self.levels: list[Level] = []
        self.arriving: list[Any] = [self.zero for _ in rates]
        self.segments: list[list[Segment[Any]]] = [[] for _ in rates]
        self.limits: list[list[tuple[Any, Any, Any]]] = [[] for _ in rates]
        self.times: list[Any] = []
        self.rooms: list[list[Any]] = [[] for _ in forest.nodes]
        self.bounds: list[list[tuple[Any, Any]]] = [[] for _ in range(forest.first_queue)]

    def run(self, until: Any) -> tuple[list[FreeBuffer[Any]], list[Queue[Any]]]:
        """Run from 0 to `until` and return the free buffers of the pools and the queues."""
        budget = budgets.limit("phases")
        for events, motions in enumerate(self.phases(until), 1):
            self._record(motions)
            if events > budget:
                budgets.keep_within("phases", events, "until")
        frees = {node: FreeBuffer(self.times, rooms) for node, rooms in enumerate(self.rooms)}
        followed = [self.forest.followed(self.forest.first_queue + queue) for queue in range(len(self.rates))]
        queues = [Queue(s, t, frees[node]) for s, t, node in zip(self.segments, self.limits, followed, strict=True)]
        return [frees[root] for root in self.forest.roots], queues

    def phases(self, until: Any, stops: Sequence[Any] = ()) -> Iterator[Sequence[Motion]]:
        """Yield the motions of all nodes in each phase from 0 to `until`; each of `stops` ends a phase."""
        self._begin_phase()
        while self.now < until:
            motions = self._motions()
            yield motions
            self._advance(motions, [until, *(time for time in stops if time > self.now)])
            self._begin_phase()

    def changes(self) -> list[Any]:
        """Return the instants after now at which arrivals change."""
        return list(dict.fromkeys(time for offer in self.offers for time, _ in offer if time > self.now))

    def _begin_phase(self) -> None:
        self.levels = self.forest.levels(self.lengths)
        self.times.append(self.now)
        for rooms, level in zip(self.rooms, self.levels, strict=True):
            rooms.append(level.room)
        for bounds, level in zip(self.bounds, self.levels, strict=False):
            bounds.append((self.now, level.limit))
        for queue, offer in enumerate(self.offers):
            self.arriving[queue] = next((rate for time, rate in reversed(offer) if time <= self.now), self.zero)

    # The growth of a node's bytes beyond its reserve

    def _law(self, index: int) -> Curve:
        """Return the slope of a node's limit as a function of the slope of the room that it follows."""
        node, pull = self.forest.nodes[index], self.levels[index].pull
        if pull is None or (node.cap is not None and pull > node.cap):
            return self.nothing
        rising = line(node.factor)
        return rising.lower(self.nothing) if pull == node.cap else rising

    def _growth(self, index: int, reach: Curve, share: Curve) -> Curve:
        """Return the growth of a node, where `reach` and `share` give x and the fraction s of one parameter."""
        level, reserve = self.levels[index], self.forest.nodes[index].reserve
        if level.used < reserve:
            return self.nothing
        if index >= self.forest.first_queue:
            return self._queue_growth(index, reach, share)
        law, full, still = self._law(index).after(reach), level.beyond == level.limit, self.forest.nested
        if level.beyond > level.limit:
            return self._inflow(index, self.nothing if still else reach, self.nothing)
        if still and share.constant:
            inside = self._inflow(index, self.identity, share)
            room = _room_slope(inside, self.one).after(law)
            inflow = inside.after(room.upper(self.nothing) if full else room)
        else:
            inflow = self._inflow(index, self.nothing if still else reach, share)
        if not full:
            return inflow
        return self._inflow(index, self.nothing if still else reach, self.nothing).upper(law.lower(inflow))

    def _queue_growth(self, index: int, reach: Curve, share: Curve) -> Curve:
        level, queue = self.levels[index], index - self.forest.first_queue
        rate, idle = self.rates[queue], level.used == self.forest.nodes[index].reserve
        least = self.nothing if idle else line(self.zero, -rate)
        if level.beyond > level.limit:
            return least
        most = total([(self.arriving[queue], share), (1, line(self.zero, -rate))])
        return least.upper(most.lower(self._law(index).after(reach)) if level.beyond == level.limit else most)

    def _inflow(self, index: int, reach: Curve, share: Curve) -> Curve:
        """Return the growth of a group's bytes beyond its reserve if it admits the fraction `share`."""
        use = self._use(index, reach, share)
        return use.upper(self.nothing) if self.levels[index].used == self.forest.nodes[index].reserve else use

    def _use(self, index: int, reach: Curve, share: Curve) -> Curve:
        forest = self.forest
        parts = ((forest.counts[c], self._growth(c, reach, share)) for c in forest.children[index])
        return total([(1, self.nothing), *parts])

    # The phase that begins now, from the pools down

    def _motions(self) -> list[Motion]:
        found: list[Motion] = []
        for index, node in enumerate(self.forest.nodes):
            x = found[self.forest.followed(index)].room if node.parent is not None else self.zero
            share = found[node.parent].share if node.parent is not None else self.one
            if index < self.forest.first_queue:
                found.append(self._group(index, x, share, node.parent is None or self.forest.nested))
            else:
                found.append(self._queue(index, x, share))
        return found

    def _group(self, index: int, x: Any, share: Any, own: bool) -> Motion:
        """Return the motion of a group or pool; `own`: its children follow its own room, not that of the pool."""
        level, reserve, law = self.levels[index], self.forest.nodes[index].reserve, self._law(index)(x)
        if level.used < reserve:
            inside, share = self.nothing, self.one
        else:
            inside = self._inflow(index, self.identity if own else self._fixed(x), self._fixed(share))
        room = _room_slope(inside, self.one)(law) if own else x
        if own and level.beyond >= level.limit:
            room = max(room, self.zero) if level.beyond == level.limit else self.zero
        if level.used < reserve:
            return self._moving(index, room, law, self.zero, share)
        growth, share = self._admitted(index, room, law, share)
        return self._moving(index, room, law, growth, share)

    def _moving(self, index: int, room: Any, law: Any, growth: Any, share: Any) -> Motion:
        use = self._use(index, self._fixed(room), self._fixed(share))(self.zero)
        return Motion(use, growth, law, room, share, self.zero, self.zero)

    def _admitted(self, index: int, room: Any, law: Any, share: Any) -> tuple[Any, Any]:
        """Return the growth of a group's bytes beyond its reserve, and the fraction of the arrivals that it admits."""
        level, reach = self.levels[index], self._fixed(room)
        growth = self._inflow(index, reach, self._fixed(share))(self.zero)
        if level.beyond >= level.limit:
            least = self._inflow(index, reach, self.nothing)(self.zero)
            if level.beyond > level.limit or least >= law:
                growth, share = least, self.zero
            elif growth > law:
                growth, share = law, self._greatest(index, reach, law, share)
        if level.used == self.forest.nodes[index].reserve > 0 == growth:  # arrivals refill the reserve
            share = self._greatest(index, reach, growth, self.one)
        return growth, share

    def _greatest(self, index: int, reach: Curve, growth: Any, top: Any) -> Any:
        """Return the greatest fraction up to `top` with which the use of a group grows at most at `growth`."""
        use = self._use(index, reach, self.identity)
        return top if use(top) <= growth else use.last(growth)

    def _queue(self, index: int, x: Any, share: Any) -> Motion:
        level, reserve, queue = self.levels[index], self.forest.nodes[index].reserve, index - self.forest.first_queue
        rate, offered, law = self.rates[queue], self.arriving[queue], self._law(index)(x)
        if level.used < reserve or (level.used == reserve > 0 and offered <= rate):
            admitted, growth = offered, self.zero
        else:
            growth = self._queue_growth(index, self._fixed(x), self._fixed(share))(self.zero)
            admitted = growth + rate if level.used > 0 else min(share * offered, growth + rate)
        sent = rate if level.used > 0 else min(admitted, rate)
        return Motion(admitted - sent, growth, law, self.zero, share, offered - admitted, sent)

    def _fixed(self, value: Any) -> Curve:
        return line(self.zero, value)

    # Events

    def _record(self, motions: Sequence[Motion]) -> None:
        """Add a segment and a limit to each queue whose motion or limit changes."""
        first = self.forest.first_queue
        for queue, (segments, limits) in enumerate(zip(self.segments, self.limits, strict=True)):
            motion, x = motions[first + queue], motions[self.forest.followed(first + queue)].room
            told = (motion.used, motion.loss, motion.sent)
            if not segments or (segments[-1].slope, segments[-1].loss, segments[-1].drain) != told:
                segments.append(Segment(self.now, self.lengths[queue], *told))
            limit = self.law_of(first + queue, x)
            if not limits or limits[-1][1:] != limit:
                limits.append((self.now, *limit))

    def law_of(self, index: int, x: Any) -> tuple[Any, Any]:
        """Return slope and offset of a queue's limit in the room that it follows, whose slope is `x`."""
        node, pull = self.forest.nodes[index], self.levels[index].pull
        if pull is None or (node.cap is not None and (pull > node.cap or (pull == node.cap and x > 0))):
            path = [self.forest.nodes[each] for each in self.forest.path(index - self.forest.first_queue)]
            cap, most = node.reserve + node.cap, sum((each.reserve for each in path), path[-1].cap)
            return self.zero, min(cap, most) if node.factor is None else cap
        return node.factor, node.reserve

    def _advance(self, motions: Sequence[Motion], ends: Sequence[Any]) -> None:
        """Go to the next event, or to the first of `ends` if that comes before."""
        waits = [time - self.now for time in (*ends, *self.changes())]
        waits += [-gap / slope for gap, slope in self.gaps(motions) if gap * slope < 0]
        step = earliest(waits)
        self.now += step
        growths = motions[self.forest.first_queue :]
        self.lengths = [length + m.used * step for length, m in zip(self.lengths, growths, strict=True)]

    def gaps(self, motions: Sequence[Motion]) -> Iterator[tuple[Any, Any]]:
        """Yield the distance of each node from each of its borders, and the slope of the distance."""
        for index, (node, level, motion) in enumerate(zip(self.forest.nodes, self.levels, motions, strict=True)):
            yield level.used - node.reserve, motion.used
            yield level.limit - level.beyond, motion.limit - motion.beyond
            if level.pull is not None and node.cap is not None:
                yield level.pull - node.cap, node.factor * motions[self.forest.followed(index)].room
            if index >= self.forest.first_queue:
                yield level.used, motion.used


def _room_slope(inside: Curve, one: Any) -> Curve:
    """Return y, the slope of a group's room, as a function of that of its limit: y + inside(y) = slope of the limit."""
    return total([(1, line(one)), (1, inside)]).inverse()
