"""The piecewise-linear trajectories of a fluid run: the free buffer and every queue.

- ``number`` converts numbers, such as `float`; ``time`` is in seconds, from 0 to the end of the run.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from numbers import Rational
from operator import attrgetter, itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.policies.memory import Number

Other = TypeVar("Other", Fraction, float)


@dataclass(frozen=True)
class FreeBuffer(Generic[Number]):
    """F(t), continuous and piecewise linear, given by its values at the instants where its slope may change.

    - `times`, `values` (sequence of Number): the instants in seconds, and F at each of them in bytes.
    - `refused` (sequence of (Number, Number, Number)): while the buffer is full it may refuse the part 1 - p of each
      queue's arrivals; each piece of the integral of 1 - p, as (first instant, integral until then, 1 - p). Empty if
      the buffer never does.

    >>> from fractions import Fraction
    >>> free = FreeBuffer([Fraction(0), Fraction(2), Fraction(3)], [Fraction(6), Fraction(2), Fraction(2)])
    >>> [str(slope) for slope in free.slopes], str(free.at(Fraction(1)))
    (['-2', '0'], '4')
    """

    times: Sequence[Number]
    values: Sequence[Number]
    refused: Sequence[tuple[Number, Number, Number]] = ()

    @cached_property
    def slopes(self) -> Sequence[Number]:
        """F' between each instant and the next; 0 if the two are equal."""
        spans = zip(pairwise(self.times), pairwise(self.values), strict=True)
        return [(high - low) / (end - begin) if begin < end else end - begin for (begin, end), (low, high) in spans]

    def bends(self, begin: Number, end: Number) -> Sequence[Number]:
        """Return the instants between `begin` and `end` at which the slope of F may change."""
        return self.times[bisect_right(self.times, begin) : bisect_left(self.times, end)]

    def given_in(self, number: Callable[[Number], Other]) -> FreeBuffer[Other]:
        """Return this trajectory in other numbers."""
        refused = [(number(time), number(value), number(part)) for time, value, part in self.refused]
        return FreeBuffer([number(time) for time in self.times], [number(value) for value in self.values], refused)

    def refused_at(self, time: Number) -> Number:
        """Return the integral of the refused part of the arrivals, from 0 to `time`, in seconds."""
        index = bisect_right(self.refused, time, key=itemgetter(0)) - 1
        if index < 0:
            return time - time
        begin, value, part = self.refused[index]
        return value + part * (time - begin)

    def refuses(self, begin: Number, end: Number) -> Iterator[tuple[Number, Number, Number]]:
        """Cut the time from `begin` to `end` where the refused part changes: (first instant, last instant, part)."""
        index = bisect_right(self.refused, begin, key=itemgetter(0))
        part: Number = self.refused[index - 1][2] if index else begin - begin
        while index < len(self.refused) and self.refused[index][0] < end:
            yield begin, self.refused[index][0], part
            begin, _, part = self.refused[index]
            index += 1
        yield begin, end, part

    def at(self, time: Number | str | int) -> Number:
        """F in bytes at `time` (seconds, or with a unit), which lies within the run."""
        instant = self.instant(time)
        index = bisect_right(self.times, instant) - 1
        if instant == self.times[index]:
            return self.values[index]
        begin, end = self.times[index], self.times[index + 1]
        return self.values[index] + (self.values[index + 1] - self.values[index]) * (instant - begin) / (end - begin)

    def instant(self, time: Number | str | int) -> Number:
        """Return a `time` within the run (seconds, or with a unit) as a number of the run."""
        end = self.times[-1]
        kind = type(end)
        instant = time if isinstance(time, kind) else kind(units.seconds(time, "time"))
        if not 0 <= instant <= end:
            raise InputError("time", str(time), f"a time from 0 to {end} s, where the run ends")
        return instant


@dataclass(frozen=True, slots=True)
class Segment(Generic[Number]):
    """The motion of one queue from `begin` until its next segment.

    Off its threshold the queue changes at the rate `slope`, loses `loss` and sends `drain` bytes per second. On its
    threshold (`on` is its slope and offset in F) the queue loses `loss`, here R - C, times the time, less its growth.
    Where a full buffer thins the arrivals (`thinned`, R), the queue loses R times the growth of the integral in
    `FreeBuffer.refused`; a nonempty queue grows by so much less, an empty one sends so much less.
    """

    begin: Number
    length: Number
    slope: Number
    loss: Number
    drain: Number
    on: tuple[Number, Number] | None = None
    thinned: Number | None = None

    @property
    def empty(self) -> bool:
        """True if the queue stays empty."""
        return self.on is None and self.length == 0 == self.slope

    def given_in(self, number: Callable[[Number], Other]) -> Segment[Other]:
        """Return this segment in other numbers."""
        on = None if self.on is None else (number(self.on[0]), number(self.on[1]))
        thinned = None if self.thinned is None else number(self.thinned)
        begin, length, slope, loss, drain = map(number, (self.begin, self.length, self.slope, self.loss, self.drain))
        return Segment(begin, length, slope, loss, drain, on, thinned)


@dataclass(frozen=True)
class Queue(Generic[Number]):
    """The trajectory of one queue.

    - `segments` (sequence of Segment): the motion between events, in order.
    - `limits` (sequence of (Number, Number, Number)): the threshold T = slope F + offset, as (first instant, slope,
      offset) of each piece.
    - `free` (FreeBuffer): the free buffer that the threshold follows.

    >>> from dtmodel import DT, Arrivals, Switch, simulate
    >>> queue = simulate(Switch(1, 6, 1), DT(1), {0: Arrivals.constant(3)}, until=4).queue(0)
    >>> str(queue.at("1/2")), str(queue.first_drop), str(queue.dropped())
    ('1', '3/2', '5')
    """

    segments: Sequence[Segment[Number]]
    limits: Sequence[tuple[Number, Number, Number]]
    free: FreeBuffer[Number]

    def given_in(self, number: Callable[[Number], Other], free: FreeBuffer[Other]) -> Queue[Other]:
        """Return this trajectory in other numbers of equal precision, with the free buffer `free` in them."""
        limits = [(number(time), number(slope), number(offset)) for time, slope, offset in self.limits]
        return Queue([segment.given_in(number) for segment in self.segments], limits, free)

    def rounded(self, free: FreeBuffer[float]) -> Queue[float]:
        """Return the trajectory in floats, with the free buffer `free` in floats.

        On its threshold a queue is rounded piece by piece: a steep threshold of a rounded F would be far off.
        """
        segments = [piece.given_in(float) for segment, end in self._spans() for piece in self._pieces(segment, end)]
        return Queue(segments, [(float(t), float(a), float(b)) for t, a, b in self.limits], free)

    def _pieces(self, segment: Segment[Number], end: Number) -> Iterator[Segment[Number]]:
        """Cut a segment on the threshold or of thinned arrivals, where it bends, into equivalent plain segments."""
        if segment.on is None:
            yield from self._plain(segment, end)
            return
        law, offset = segment.on
        times, begin = self.free.times, segment.begin
        for index in range(bisect_right(times, begin) - 1, len(times) - 1):
            until = min(times[index + 1], end)
            if begin < until:
                slope = law * self.free.slopes[index]
                height = self.free.values[index] if begin == times[index] else self.free.at(begin)
                yield Segment(begin, law * height + offset, slope, segment.loss - slope, segment.drain)
            begin = until
            if begin == end:
                return

    def _plain(self, segment: Segment[Number], end: Number) -> Iterator[Segment[Number]]:
        """Cut a segment of thinned arrivals where the refused part changes."""
        if not segment.thinned:
            yield replace(segment, thinned=None)
            return
        for begin, _, part in self.free.refuses(segment.begin, end):
            lost, length = segment.thinned * part, self._length(segment, begin)
            slower = (segment.slope, segment.drain - lost) if segment.empty else (segment.slope - lost, segment.drain)
            yield Segment(begin, length, slower[0], segment.loss + lost, slower[1])

    @property
    def breakpoints(self) -> tuple[Number, ...]:
        """The instants between which the length is linear, from 0 to the end of the run."""
        times = {segment.begin for segment in self.segments} | {self.free.times[-1]}
        for segment, end in self._spans():
            if segment.on is not None:
                times.update(self.free.bends(segment.begin, end))
            elif segment.thinned:
                times.update(begin for begin, _, _ in self.free.refuses(segment.begin, end))
        return tuple(sorted(times))

    @property
    def first_drop(self) -> Number | None:
        """The instant from which on the queue loses bytes; None if it loses none."""
        for segment, end in self._spans():
            if segment.loss > 0 or segment.on is not None:
                return segment.begin
            if segment.thinned and self._refused(segment, end) > 0:
                return next(begin for begin, _, part in self.free.refuses(segment.begin, end) if part > 0)
        return None

    def at(self, time: Number | str | int) -> Number:
        """The length in bytes at `time` (seconds, or with a unit)."""
        instant = self.free.instant(time)
        return self._length(self.segments[self._place(instant)], instant)

    def threshold_at(self, time: Number | str | int) -> Number:
        """The threshold in bytes at `time`."""
        instant = self.free.instant(time)
        index = bisect_right(self.limits, instant, key=itemgetter(0)) - 1
        _, slope, offset = self.limits[index]
        return slope * self.free.at(instant) + offset

    @property
    def totals(self) -> tuple[Number, Number]:
        """The bytes lost and the bytes sent in the whole run."""
        return self._summed()

    def dropped(self, until: Number | str | int | None = None) -> Number:
        """The bytes lost from 0 to `until` (default: the whole run)."""
        return self._summed(until)[0]

    def drained(self, until: Number | str | int | None = None) -> Number:
        """The bytes sent from 0 to `until` (default: the whole run)."""
        return self._summed(until)[1]

    @cached_property
    def _sums(self) -> list[tuple[Number, Number]]:
        """The bytes lost and sent before each segment, and in the whole run."""
        zero = self.free.times[-1] * 0
        sums = [(zero, zero)]
        for segment, end in self._spans():
            sums.append(self._grown(sums[-1], segment, end))
        return sums

    def _summed(self, until: Number | str | int | None = None) -> tuple[Number, Number]:
        if until is None:
            return self._sums[-1]
        stop = self.free.instant(until)
        place = self._place(stop)
        return self._grown(self._sums[place], self.segments[place], stop)

    def _grown(self, sums: tuple[Number, Number], segment: Segment[Number], stop: Number) -> tuple[Number, Number]:
        """Add the bytes lost and sent from the beginning of a segment until an instant in it."""
        lost, sent = sums[0] + segment.loss * (stop - segment.begin), sums[1] + segment.drain * (stop - segment.begin)
        if segment.on is not None:
            lost -= self._length(segment, stop) - self._length(segment, segment.begin)
        if not segment.thinned:
            return lost, sent
        refused = self._refused(segment, stop)
        return lost + refused, sent - refused if segment.empty else sent

    def _refused(self, segment: Segment[Number], stop: Number) -> Number:
        """Return the bytes that a full buffer refuses from the beginning of a segment of thinned arrivals on."""
        until: Number = self.free.refused_at(stop) - self.free.refused_at(segment.begin)
        return until * segment.thinned if segment.thinned else until - until

    def _spans(self) -> list[tuple[Segment[Number], Number]]:
        ends = [segment.begin for segment in self.segments[1:]] + [self.free.times[-1]]
        return list(zip(self.segments, ends, strict=True))

    def _place(self, time: Number) -> int:
        return bisect_right(self.segments, time, key=attrgetter("begin")) - 1

    def _length(self, segment: Segment[Number], time: Number) -> Number:
        if segment.on is None:
            length = segment.length + segment.slope * (time - segment.begin)
            return length if segment.empty or not segment.thinned else length - self._refused(segment, time)
        slope, offset = segment.on
        return slope * self.free.at(time) + offset


def total_free(parts: Sequence[FreeBuffer[Number]]) -> FreeBuffer[Number]:
    """Add the free buffers of the `parts` of a buffer."""
    if len(parts) == 1:
        return parts[0]
    times: list[Number] = sorted({time for part in parts for time in part.times})
    values: list[Number] = [parts[0].at(time) for time in times]
    for part in parts[1:]:
        values = [value + part.at(time) for value, time in zip(values, times, strict=True)]
    return FreeBuffer(times, values)


class _Reduced(NamedTuple):
    """A numerator and a denominator without a common divisor, which a `Fraction` does not reduce again."""

    numerator: int
    denominator: int


Rational.register(_Reduced)


def in_fractions(free: FreeBuffer[Any], queues: list[Queue[Any]]) -> tuple[FreeBuffer[Any], list[Queue[Any]]]:
    """Return the free buffer `free` and the trajectories `queues` of a run in fractions."""
    made: dict[int, Fraction] = {}

    def fraction(value: Any) -> Fraction:
        """Convert a number that the run keeps alive, so that its `id` stays unique."""
        found = made.get(id(value))
        if found is None:
            reduced: Any = _Reduced(int(value.numerator), int(value.denominator))
            found = made[id(value)] = Fraction(reduced)
        return found

    plain = free.given_in(fraction)
    return plain, [queue.given_in(fraction, plain) for queue in queues]
