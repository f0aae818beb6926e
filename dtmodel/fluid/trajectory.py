"""What a fluid run leaves behind: piecewise-linear trajectories of the free buffer and of every queue."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from dtmodel.errors import InputError

__all__ = ["FreeBuffer", "Number", "Queue", "Segment"]

Number = TypeVar("Number", Fraction, float)
"""The number type of a run: exact or fast."""


@dataclass(frozen=True)
class FreeBuffer(Generic[Number]):
    """F(t), continuous and piecewise linear, given by its values at the instants where its slope may change."""

    times: Sequence[Number]
    values: Sequence[Number]

    def at(self, time: Number) -> Number:
        """F(time) in bytes, for a time within the run."""
        index = bisect_right(self.times, time) - 1
        if index < 0 or time > self.times[-1]:
            raise InputError("time", str(time), f"a time from 0 to {self.times[-1]} s, where the run ends")
        if time == self.times[index]:
            return self.values[index]
        begin, end = self.times[index], self.times[index + 1]
        return self.values[index] + (self.values[index + 1] - self.values[index]) * (time - begin) / (end - begin)


@dataclass(frozen=True, slots=True)
class Segment(Generic[Number]):
    """How one queue moves from `begin` until its next segment.

    Off its threshold the queue changes at the rate `slope`, loses `loss` and sends `drain` bytes per second. On its
    threshold (`on` is the threshold's slope and offset in F) the length is read off the free buffer, and what
    the queue loses is `loss`, here R - C, times the time less its growth.
    """

    begin: Number
    length: Number
    slope: Number
    loss: Number
    drain: Number
    on: tuple[Number, Number] | None = None


@dataclass(frozen=True)
class Queue(Generic[Number]):
    """The trajectory of one queue.

    Examples
    --------
    >>> from dtmodel import DT, Arrivals, Switch, simulate
    >>> queue = simulate(Switch(1, 6, 1), DT(1), {0: Arrivals.constant(3)}, until=4).queue(0)
    >>> str(queue.at("1/2")), str(queue.first_drop), str(queue.dropped())
    ('1', '3/2', '5')
    """

    segments: Sequence[Segment[Number]]
    limits: Sequence[tuple[Number, Number, Number]]
    free: FreeBuffer[Number]

    @property
    def breakpoints(self) -> tuple[Number, ...]:
        """The instants between which the length is linear, from 0 to the end of the run."""
        times = {segment.begin for segment in self.segments} | {self.free.times[-1]}
        for segment, end in self._spans():
            if segment.on is not None:
                times.update(t for t in self.free.times if segment.begin < t < end)
        return tuple(sorted(times))

    @property
    def first_drop(self) -> Number | None:
        """The infimum of the instants from which on the queue loses something; None if it loses nothing."""
        for segment, end in self._spans():
            if (segment.loss > 0 or segment.on is not None) and end > segment.begin:
                return segment.begin
        return None

    def at(self, time: Number | str | int) -> Number:
        """The length in bytes at `time` (seconds, or with a unit)."""
        instant = self._instant(time)
        return self._length(self._segment(instant), instant)

    def threshold_at(self, time: Number | str | int) -> Number:
        """The threshold in bytes at `time`."""
        instant = self._instant(time)
        index = bisect_right([begin for begin, _, _ in self.limits], instant) - 1
        _, slope, offset = self.limits[index]
        return slope * self.free.at(instant) + offset

    def dropped(self, until: Number | str | int | None = None) -> Number:
        """Bytes lost from 0 to `until` (default: the whole run)."""
        stop = self._stop(until)
        total = stop * 0
        for segment, end in self._spans():
            if segment.begin < stop:
                last = min(end, stop)
                total += segment.loss * (last - segment.begin)
                if segment.on is not None:
                    total -= self._length(segment, last) - self._length(segment, segment.begin)
        return total

    def drained(self, until: Number | str | int | None = None) -> Number:
        """Bytes sent from 0 to `until` (default: the whole run)."""
        stop = self._stop(until)
        return sum(
            (s.drain * (min(end, stop) - s.begin) for s, end in self._spans() if s.begin < stop),
            stop * 0,
        )

    def _spans(self) -> list[tuple[Segment[Number], Number]]:
        ends = [segment.begin for segment in self.segments[1:]] + [self.free.times[-1]]
        return list(zip(self.segments, ends, strict=True))

    def _segment(self, time: Number) -> Segment[Number]:
        return self.segments[bisect_right([segment.begin for segment in self.segments], time) - 1]

    def _length(self, segment: Segment[Number], time: Number) -> Number:
        if segment.on is None:
            return segment.length + segment.slope * (time - segment.begin)
        slope, offset = segment.on
        return slope * self.free.at(time) + offset

    def _stop(self, until: Number | str | int | None) -> Number:
        return self.free.times[-1] if until is None else self._instant(until)

    def _instant(self, time: Number | str | int) -> Number:
        end = self.free.times[-1]
        kind = type(end)
        if isinstance(time, kind):
            instant = time
        else:
            from dtmodel import units

            instant = kind(units.seconds(time, "time"))
        if not 0 <= instant <= end:
            raise InputError("time", str(time), f"a time from 0 to {end} s, where the run ends")
        return instant
