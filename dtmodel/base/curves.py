"""Nondecreasing piecewise-linear functions of an exact number, by their points and the slopes at both ends."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import merge
from itertools import groupby, pairwise
from typing import Any, final


@final
@dataclass(frozen=True)
class Curve:
    """A continuous, nondecreasing, piecewise-linear function of all real numbers.

    - `points`: pairs (x, value) with increasing x, at least one.
    - `left`, `right`: the slopes before the first point and after the last.
    """

    points: Sequence[tuple[Any, Any]]
    left: Any
    right: Any

    @cached_property
    def places(self) -> list[Any]:
        """The x of each point."""
        return [x for x, _ in self.points]

    @cached_property
    def slopes(self) -> list[Any]:
        """The slopes before, between and after the points."""
        steps = zip(self.points, self.points[1:], strict=False)
        return [self.left, *((high - low) / (end - begin) for (begin, low), (end, high) in steps), self.right]

    @property
    def constant(self) -> bool:
        """True if the function has the same value everywhere."""
        return not any(self.slopes)

    def __call__(self, x: Any) -> Any:
        """Return the value at x."""
        place = bisect_right(self.places, x)
        begin, value = self.points[max(place - 1, 0)]
        return value + self.slopes[place] * (x - begin)

    def last(self, value: Any) -> Any:
        """Return the greatest x at which the function is at most `value`; None if there is no greatest one."""
        place = bisect_right([height for _, height in self.points], value)
        slope, (begin, height) = self.slopes[place], self.points[max(place - 1, 0)]
        return begin + (value - height) / slope if slope else None

    def after(self, inner: Curve) -> Curve:
        """Return the function that maps x to this function at `inner`(x).

        >>> line(2).lower(line(0, 3)).after(line(1, 1))(0)
        2.0
        """
        turns = [turn for x in self.places if (turn := inner.last(x)) is not None]
        ends = (self.left * inner.left, self.right * inner.right)
        return _bent([(x, self(inner(x))) for x in _merged(turns, inner.places)], *ends)

    def inverse(self) -> Curve:
        """Return the inverse of a function whose slopes are all greater than 0."""
        return Curve([(value, x) for x, value in self.points], 1 / self.left, 1 / self.right)

    def lower(self, other: Curve) -> Curve:
        """Return the lesser of two functions at every x."""
        return self._bound(other, min)

    def upper(self, other: Curve) -> Curve:
        """Return the greater of two functions at every x."""
        return self._bound(other, max)

    def _bound(self, other: Curve, choose: Any) -> Curve:
        places = _merged(self.places, other.places)
        gap = [self(x) - other(x) for x in places]
        before, behind = self.left - other.left, self.right - other.right
        meet = [places[0] - gap[0] / before] if gap[0] * before > 0 else []
        meet += [
            low - g * (high - low) / (h - g)
            for low, high, g, h in zip(places, places[1:], gap, gap[1:], strict=False)
            if g * h < 0
        ]
        meet += [places[-1] - gap[-1] / behind] if gap[-1] * behind < 0 else []
        found = _merged(places, meet)
        outer = (found[0] - 1, found[-1] + 1)
        ends = [
            (choose(self(x), other(x)) - choose(self(y), other(y))) / (x - y)
            for x, y in zip(outer, (found[0], found[-1]), strict=True)
        ]
        return _bent([(x, choose(self(x), other(x))) for x in found], *ends)


def _merged(first: Sequence[Any], second: Sequence[Any]) -> list[Any]:
    """Return the different numbers of two lists in order."""
    return [x for x, _ in groupby(merge(first, second))]


def _bent(points: Sequence[tuple[Any, Any]], left: Any, right: Any) -> Curve:
    """Return a curve without the points at which its slope does not change, except the first if none does."""
    full = Curve(points, left, right)
    kept = [
        point for point, before, after in zip(points, full.slopes, full.slopes[1:], strict=False) if before != after
    ]
    return Curve(kept or points[:1], left, right)


def line(slope: Any, value: Any = 0) -> Curve:
    """Return the function slope x + value."""
    return Curve([(slope * 0, value)], slope, slope)


def total(curves: Iterable[tuple[Any, Curve]]) -> Curve:
    """Return the sum of count times curve over pairs (count, curve)."""
    parts = list(curves) or [(1, line(0))]
    turns: dict[Any, Any] = defaultdict(int)
    for count, curve in parts:
        for x, before, behind in zip(curve.places, curve.slopes, curve.slopes[1:], strict=False):
            turns[x] += count * (behind - before)
    places = sorted(x for x, turn in turns.items() if turn != 0) or list(turns)[:1]
    slope = left = sum(count * curve.left for count, curve in parts)
    points = [(places[0], sum(count * curve(places[0]) for count, curve in parts))]
    for begin, end in pairwise(places):
        slope += turns[begin]
        points.append((end, points[-1][1] + slope * (end - begin)))
    return Curve(points, left, slope + turns[places[-1]])
