"""The fluid model of Enhanced Dynamic Threshold (DT/EDT paper, Section 4): counters, timers and the overflow signal.

Every queue is controlled (the DT law T_1 = alpha F) or uncontrolled (T_2 = B / n, n the number of uncontrolled queues).
A controlled queue counts its growth in c2 while it loses nothing; the events of one instant happen in this order:

1. arrivals change; 2. an uncontrolled queue with R < C returns; 3. TM2 expires; 4. c2 = cn2 with R > C makes a queue
uncontrolled and starts TM2; 5. TM1 expires and resets c2; 6. the buffer overflows, and every queue returns; 7. queues
meet their thresholds, and a controlled queue that loses something resets its c2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtmodel.fluid.engine import Engine, Offer, Where
from dtmodel.fluid.trajectory import Number

__all__ = ["EdtEngine"]


class EdtEngine(Engine[Number]):
    """One run of the fluid model under EDT.

    Parameters
    ----------
    number, buffer, rates, thresholds, offers, initial, steady
        As for `Engine`; `thresholds` are those of the controlled state.
    cn2 : Number
        The counting number of C2, in bytes.
    tm1, tm2 : Number or None
        What the timers TM1 and TM2 count down from, in seconds; None: the timer never expires.

    Examples
    --------
    >>> from fractions import Fraction as F
    >>> engine = EdtEngine(F, F(4), [F(1)], [(F(1), F(0))], [[(F(0), F(2))]], [F(0)], cn2=F(1), tm1=None, tm2=None)
    >>> free, queues = engine.run(F(5))
    >>> queues[0].first_drop, free.at(F(4))
    (Fraction(4, 1), Fraction(0, 1))
    """

    def __init__(
        self,
        number: type[Number],
        buffer: Number,
        rates: Sequence[Number],
        thresholds: Sequence[tuple[Number, Number]],
        offers: Sequence[Offer[Number]],
        initial: Sequence[Number],
        *,
        steady: Iterable[int] = (),
        cn2: Number,
        tm1: Number | None,
        tm2: Number | None,
    ) -> None:
        Engine.__init__(self, number, buffer, rates, thresholds, offers, initial, steady)
        self.cn2: Number = cn2
        self.tm1: Number | None = tm1
        self.tm2: Number | None = tm2
        self.controlled_thresholds: list[tuple[Number, Number]] = list(thresholds)
        self.uncontrolled: set[int] = set()
        self.c2: list[Number] = [self.zero for _ in rates]
        self.tm1_ends: dict[int, Number] = {}
        self.tm2_ends: dict[int, Number] = {}
        self.overflows: list[Number] = []

    def policy_time(self, until: Number) -> Number:
        """When a timer expires, a counter reaches cn2, or the buffer is full: whichever is first."""
        first, vain = until, self._vain()
        for queue, end in self.tm1_ends.items():
            first = first if queue in vain else min(first, end)
        for ends in (self.tm2_ends, self._counts()):
            for end in ends.values():
                first = min(first, end)
        full = self._full()
        return first if full is None else min(first, full)

    def policy_events(self) -> None:
        """Events 2 to 5 of an instant, then the thresholds that follow from them."""
        expired = {queue for queue, end in self.tm2_ends.items() if end <= self.now}
        ended = {queue for queue in self.uncontrolled if self.offered[queue] < self.rates[queue]}
        counted = {
            queue
            for queue, count in enumerate(self.c2)
            if count >= self.cn2 and self.offered[queue] > self.rates[queue] and queue not in self.uncontrolled
        }
        if ended or expired or counted:
            self._change_state((self.uncontrolled - ended - expired) | counted)
        for queue in [queue for queue, end in self.tm1_ends.items() if end <= self.now]:
            self._reset(queue)

    def _settle(self) -> None:
        super()._settle()
        if self._overflows():
            self.overflows.append(self.now)
            self._change_state(set())
            super()._settle()
        for queue in range(len(self.rates)):
            if queue not in self.uncontrolled:
                self._count(queue)

    def _advance(self, until: Number) -> None:
        begin, counts, full, vain = self.now, self._counts(), self._full(), self._vain()
        Engine._advance(self, until)  # noqa: SLF001 - super() would lose the number type
        for queue, count in enumerate(self.c2):
            if queue in self.uncontrolled or self._rejects(queue):
                continue
            self.c2[queue] = max(count + self.slopes[queue] * (self.now - begin), self.zero)
            if queue in vain and self.now > self.tm1_ends[queue]:
                self._restart(queue)
            if counts.get(queue) == self.now:
                self.c2[queue] = self.cn2
            elif self.c2[queue] <= 0:
                self._reset(queue)
        if full == self.now:  # in floats the sum of the queues may miss B by a rounding error
            self.free = self._free_values[-1] = self.zero

    def _rising(self) -> dict[int, Number]:
        """When each counter that runs upwards would reach cn2 if TM1 did not expire."""
        return {
            queue: self.now + (self.cn2 - count) / self.slopes[queue]
            for queue, count in enumerate(self.c2)
            if queue not in self.uncontrolled and self.where[queue] is Where.BELOW and self.slopes[queue] > 0
        }

    def _counts(self) -> dict[int, Number]:
        """When each counter that runs upwards will reach cn2."""
        vain = self._vain()
        return {queue: time for queue, time in self._rising().items() if queue not in vain}

    def _vain(self) -> set[int]:
        """Queues that grow too slowly to be counted in this phase: their TM1 expires again and again, and no more."""
        return {
            queue
            for queue, time in self._rising().items()
            if self.tm1 is not None
            and queue in self.tm1_ends
            and time > self.tm1_ends[queue]
            and self.slopes[queue] * self.tm1 < self.cn2
        }

    def _restart(self, queue: int) -> None:
        """Bring c2 and TM1 of a queue that grows in vain to where they are now, after some expiries."""
        assert self.tm1 is not None
        since = (self.now - self.tm1_ends[queue]) % self.tm1
        self.c2[queue] = self.slopes[queue] * since
        self.tm1_ends[queue] = self.now + self.tm1 - since

    def _full(self) -> Number | None:
        """When the buffer will be full, if the uncontrolled queues are filling it."""
        if not self.uncontrolled or self.free_slope >= 0:
            return None
        return self.now + self.free / -self.free_slope

    def _overflows(self) -> bool:
        if self.free > 0 or not self.uncontrolled:
            return False
        return self.free_slope < 0 or any(self._rejects(queue) for queue in self.uncontrolled)

    def _rejects(self, queue: int) -> bool:
        where = self.where[queue]
        return where is Where.ON or (where is Where.ABOVE and self.offered[queue] > 0)

    def _count(self, queue: int) -> None:
        """A rejection resets c2; otherwise TM1 starts when c2 leaves 0."""
        if self._rejects(queue):
            self._reset(queue)
        elif self.tm1 is not None and self.slopes[queue] > 0 and queue not in self.tm1_ends:
            self.tm1_ends[queue] = self.now + self.tm1

    def _reset(self, queue: int) -> None:
        self.c2[queue] = self.zero
        self.tm1_ends.pop(queue, None)

    def _change_state(self, uncontrolled: set[int]) -> None:
        """Let exactly these queues be uncontrolled from now on."""
        for queue in self.uncontrolled - uncontrolled:
            self.tm2_ends.pop(queue, None)
            self._replace_threshold(queue, *self.controlled_thresholds[queue])
        for queue in uncontrolled - self.uncontrolled:
            self._reset(queue)
            if self.tm2 is not None:
                self.tm2_ends[queue] = self.now + self.tm2
        self.uncontrolled = uncontrolled
        for queue in sorted(uncontrolled):
            self._replace_threshold(queue, self.zero, self.buffer / len(uncontrolled))

    def _replace_threshold(self, queue: int, slope: Number, offset: Number) -> None:
        self._touching.discard(queue)  # that it has just met its old threshold no longer counts
        self.set_threshold(queue, slope, offset)
