"""Published distributions of flow sizes, from files that simulators share: points in segments, linear between them.

Web search was measured for DCTCP, data mining for VL2, cache and Hadoop in a social network's clusters.
"""

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import final

from dtmodel.base import units
from dtmodel.base.errors import InputError, one_of
from dtmodel.base.units import Quantity

_PUBLISHED = {
    "web-search": "0 0, 6 .15, 13 .2, 19 .3, 33 .4, 53 .53, 133 .6, 667 .7, 1333 .8, 3333 .9, 6667 .97, 20000 1",
    "data-mining": "1 0, 1 .5, 2 .6, 3 .7, 7 .8, 267 .9, 2107 .95, 66667 .99, 666667 1",
    "cache": "1 0, 1 .35, 2 .4, 7 .46, 13 .5, 67 .6, 133 .7, 667 .78, 1333 .8, 2000 .9, 2667 .99, 33333 1",
    "hadoop": "1 0, 24 .1, 30 .2, 33 .4, 50 .5, 53 .6, 67 .7, 120 .8, 160 .9, 200 .95, 667 .96, 6667 .97, 66667 .99, "
    "333333 1",
}


@final
@dataclass(frozen=True)
class FlowSizes:
    """A distribution of flow sizes: `points` (bytes, probability of at most these), linear between them."""

    points: tuple[tuple[Fraction, Fraction], ...]

    @property
    def mean(self) -> Fraction:
        """The mean size of a flow, in bytes."""
        return self._bytes(Fraction(0))

    def above(self, size: Quantity) -> Fraction:
        """Return the fraction of flows that are larger than `size`."""
        bound = units.bytes_(size, "size")
        return sum(((q - p) * _beyond(low, high, bound) for low, p, high, q in self._pieces()), Fraction(0))

    def share_above(self, size: Quantity) -> Fraction:
        """Return the fraction of bytes in flows larger than `size`."""
        return self._bytes(units.bytes_(size, "size")) / self.mean

    def tail(self, size: Quantity) -> Fraction:
        """Return the fraction of bytes that come after the first `size` bytes of their flow."""
        bound = units.bytes_(size, "size")
        return (self._bytes(bound) - bound * self.above(bound)) / self.mean

    def quantile(self, part: float) -> float:
        """Return the size in bytes that a `part` of the flows, from 0 to 1, does not exceed.

        >>> FlowSizes(((Fraction(0), Fraction(0)), (Fraction(100), Fraction(1)))).quantile(0.25)
        25.0
        """
        shares = [float(share) for _, share in self.points]
        place = min(max(bisect_right(shares, part), 1), len(shares) - 1)
        (low, p), (high, q) = self.points[place - 1], self.points[place]
        return float(low) + (part - float(p)) * float(high - low) / float(q - p)

    def _bytes(self, bound: Fraction) -> Fraction:
        """Return the mean of a flow's size, with the sizes up to `bound` counted as 0."""
        found = Fraction(0)
        for low, p, high, q in self._pieces():
            found += (q - p) * _beyond(low, high, bound) * (max(low, bound) + max(high, bound)) / 2
        return found

    def _pieces(self) -> list[tuple[Fraction, Fraction, Fraction, Fraction]]:
        return [(low, p, high, q) for (low, p), (high, q) in pairwise(self.points)]


def _beyond(low: Fraction, high: Fraction, bound: Fraction) -> Fraction:
    """Return the fraction of an interval above a bound; an interval of length 0 is above it entirely or not at all."""
    if low == high:
        return Fraction(low > bound)
    return (high - min(max(low, bound), high)) / (high - low)


def flow_sizes(name: str, segment: Quantity = 1460) -> FlowSizes:
    """Return a published distribution by its `name`, else raise `InputError`; a `segment` is a size in bytes."""
    if name not in _PUBLISHED:
        raise InputError("name", name, one_of(_PUBLISHED, name))
    size = units.bytes_(segment, "segment", positive=True)
    pairs = [point.split() for point in _PUBLISHED[name].split(", ")]
    return FlowSizes(tuple((Fraction(count) * size, Fraction(part)) for count, part in pairs))


FLOW_SIZES = tuple(_PUBLISHED)
"""The names of the published distributions."""
