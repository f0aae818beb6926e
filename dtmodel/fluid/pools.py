"""The fluid model of shared pools: reserves that fill first, and thresholds min(alpha F, cap) in the pool.

Each pool runs by itself. Inside it the engine sees what every queue holds beyond its reserve. While a reserve fills or
empties, the pool is not touched: the queue counts as empty there, and its port works at full rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtmodel.errors import InputError
from dtmodel.fluid.engine import Engine, Offer, Where
from dtmodel.fluid.trajectory import FreeBuffer, Number, Queue, Segment

__all__ = ["PoolEngine", "total_free"]


class PoolEngine(Engine[Number]):
    """One run of one pool.

    Parameters
    ----------
    number, rates, offers, steady
        As for `Engine`.
    size : Number
        The pool's size.
    alphas : sequence of Number or None
        Weights in the pool; None: a static limit.
    reserves : sequence of Number
        Bytes that each queue fills before it draws on the pool.
    caps : sequence of Number or None
        The most that each queue may take from the pool.
    initial : sequence of Number
        Q_i(0), reserve included.

    Examples
    --------
    >>> from fractions import Fraction as F
    >>> engine = PoolEngine(F, F(4), [F(1)], [F(1)], [F(2)], [None], [[(F(0), F(3))]], [F(0)])
    >>> free, queues = engine.run(F(3))
    >>> queues[0].first_drop, queues[0].at(F(1)), free.at(F(1))  # 2 of its own, then half of 4
    (Fraction(2, 1), Fraction(2, 1), Fraction(4, 1))
    """

    def __init__(
        self,
        number: type[Number],
        size: Number,
        rates: Sequence[Number],
        alphas: Sequence[Number | None],
        reserves: Sequence[Number],
        caps: Sequence[Number | None],
        offers: Sequence[Offer[Number]],
        initial: Sequence[Number],
        steady: Iterable[int] = (),
    ) -> None:
        zero = number(0)
        self.reserves: list[Number] = list(reserves)
        self.own: list[Number] = [min(q, r) for q, r in zip(initial, reserves, strict=True)]
        self.real: list[Number] = [zero for _ in rates]
        shared = [q - own for q, own in zip(initial, self.own, strict=True)]
        # A cap alone is a static limit; a cap beside an alpha binds while F > cap / alpha.
        self.turns: dict[int, tuple[Number, Number, Number]] = {
            i: (cap / alpha, alpha, cap)
            for i, (alpha, cap) in enumerate(zip(alphas, caps, strict=True))
            if alpha and cap
        }
        self.turning: set[int] = set()
        self._done: set[int] = set()
        free = size - sum(shared, zero)
        thresholds = [
            (zero, cap or zero) if alpha is None else (alpha, zero) for alpha, cap in zip(alphas, caps, strict=True)
        ]
        for queue, (turn, _, cap) in self.turns.items():
            if free > turn:
                thresholds[queue] = (zero, cap)
        Engine.__init__(self, number, size, rates, thresholds, offers, shared, steady)
        self.turning.update(queue for queue, (turn, _, _) in self.turns.items() if free == turn)

    def run(self, until: Number) -> tuple[FreeBuffer[Number], list[Queue[Number]]]:
        """Run from 0 to `until`; the queues' lengths and thresholds include their reserves, F is the pool's."""
        free, queues = Engine.run(self, until)
        whole = [
            Queue(queue.segments, [(time, slope, offset + reserve) for time, slope, offset in queue.limits], free)
            for queue, reserve in zip(queues, self.reserves, strict=True)
        ]
        return free, whole

    def policy_time(self, until: Number) -> Number:
        """When a reserve is full or empty, or F passes a point where a cap begins or ceases to bind."""
        first = until
        for time, *_ in self._reserves_ready():
            first = min(first, time)
        for time in self._turn_times().values():
            first = min(first, time)
        return first

    def policy_events(self) -> None:
        """Let the queues whose reserve has just filled or emptied go on."""
        for queue in self._done:
            self._place(queue)
        self._done.clear()

    def _effective(self, queue: int) -> Number:
        """The arrivals that the pool sees: a reserve in motion hides them."""
        real, rate, own = self.real[queue], self.rates[queue], self.own[queue]
        if self.lengths[queue] > 0:
            return real
        moves = own < self.reserves[queue] if real > rate else own > 0
        return rate if moves else real

    def _place(self, queue: int) -> None:
        self.offered[queue] = self._effective(queue)
        super()._place(queue)

    def _change_arrivals(self) -> None:
        for time, queue, piece in self._changes:
            if time <= self.now:
                self.real[queue] = self._offers[queue][piece][1]
        super()._change_arrivals()

    def _own_slope(self, queue: int) -> Number:
        hidden = self.offered[queue] != self.real[queue]
        return self.real[queue] - self.rates[queue] if hidden else self.zero

    def _reserves_ready(self) -> list[tuple[Number, int, Number, Number]]:
        """(When, which queue, full or empty level, slope) for each reserve in motion."""
        ready = []
        for queue, own in enumerate(self.own):
            slope = self._own_slope(queue)
            if slope != 0:
                level = self.reserves[queue] if slope > 0 else self.zero
                ready.append((self.now + (level - own) / slope, queue, level, slope))
        return ready

    def _turn_times(self) -> dict[int, Number]:
        times = {}
        for queue, (turn, _, _) in self.turns.items():
            if self.free_slope != 0 and queue not in self.turning:
                wait = (turn - self.free) / self.free_slope
                if wait > 0:
                    times[queue] = self.now + wait
        return times

    def _settle(self) -> None:
        super()._settle()
        wanted: dict[int, tuple[Number, Number]] = {}
        for queue, (turn, alpha, cap) in self.turns.items():
            capped = self.free_slope > 0 if queue in self.turning else self.free > turn
            threshold = (self.zero, cap) if capped else (alpha, self.zero)
            if self.thresholds[queue] != threshold:
                wanted[queue] = threshold
        for queue, threshold in wanted.items():
            if queue in self.on:
                self._touching.add(queue)
            self.set_threshold(queue, *threshold)
        if wanted:  # F' keeps its sign: at the turning point both thresholds are equal
            super()._settle()

    def _advance(self, until: Number) -> None:
        ready, turns = self._reserves_ready(), self._turn_times()
        before = self.now
        Engine._advance(self, until)  # noqa: SLF001 - its own base class; mypy loses Number through super()
        for time, queue, level, slope in ready:
            if time <= self.now:
                self.own[queue] = level
                self._done.add(queue)
            else:
                self.own[queue] += slope * (self.now - before)
        reached = {queue for queue, time in turns.items() if time <= self.now}
        self.turning = reached | {queue for queue in self.turning if self.free == self.turns[queue][0]}

    def _record(self, queue: int) -> None:
        super()._record(queue)
        last = self._segments[queue].pop()
        if self.where[queue] is Where.EMPTY:
            moved = Segment(last.begin, self.own[queue], self._own_slope(queue), self.zero, last.drain)
        else:
            reserve = self.reserves[queue]
            on = None if last.on is None else (last.on[0], last.on[1] + reserve)
            moved = Segment(last.begin, last.length + reserve, last.slope, last.loss, last.drain, on)
        self._segments[queue].append(moved)


def total_free(parts: Sequence[FreeBuffer[Number]]) -> FreeBuffer[Number]:
    """Add up the free parts of several pools.

    Examples
    --------
    >>> from fractions import Fraction as F
    >>> total_free([FreeBuffer([F(0), F(2)], [F(4), F(0)]), FreeBuffer([F(0), F(1), F(2)], [F(1), F(1), F(0)])]).values
    [Fraction(5, 1), Fraction(3, 1), Fraction(0, 1)]
    """
    if not parts:
        raise InputError("policy.pools", "none", "at least one pool")
    times: list[Number] = sorted({time for part in parts for time in part.times})
    values: list[Number] = [parts[0].at(time) for time in times]
    for part in parts[1:]:
        values = [value + part.at(time) for value, time in zip(values, times, strict=True)]
    return FreeBuffer(times, values)
