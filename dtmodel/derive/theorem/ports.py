"""Two questions of a designer who does not know the numbers of ports: the worst optimum, and the best worst case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from dtmodel.base import units
from dtmodel.base.errors import InputError, one_of
from dtmodel.derive.algebra.reals import Algebraic, Univariate, between, compare_at, sign_at, sign_beside
from dtmodel.derive.theorem.data import CaseData
from dtmodel.derive.theorem.intervals import Interval
from dtmodel.derive.theorem.optimum import Approach, Optimum, answer_at, is_number, limit_of, optimum, order
from dtmodel.derive.theorem.slices import Restriction, Sign, Slice, SliceCase, pieces, refuse_symbol
from dtmodel.theorems.evaluation import never

Ports = tuple[int, ...]
Place = Any
"""A number, or an `Approach`."""


class PortCounts:
    """A theorem along one symbol for all numbers of ports with a sum of at most `most`.

    - `theorem`, `key`, `over`: the theorem, the answer and the symbol.
    - `counts`: the symbols that are numbers of ports.
    - `given`: values of all other symbols.
    """

    def __init__(
        self, theorem: CaseData, key: str, over: str, counts: Sequence[str], most: Any, given: Mapping[str, Any]
    ) -> None:
        self.theorem, self.key, self.over, self.counts = theorem, key, over, tuple(counts)
        refuse_symbol(theorem, over, "over")
        known = sorted(theorem.family.counts - {over})
        for name in self.counts:
            if name not in known:
                raise InputError("counts", name, one_of(known, name) if known else "no symbol: none is a count")
        limit = units.count(most, "ports", least=1)
        restriction = Restriction(theorem, key, over, given, self.counts)
        each = (n for n in product(range(limit + 1), repeat=len(self.counts)) if sum(n) <= limit)
        slices = ((ports, restriction.at(dict(zip(self.counts, ports, strict=True)))) for ports in each)
        self.slices = {ports: found for ports, found in slices if found is not None}
        if not self.slices:
            raise InputError("ports", most, f"a number for which {' + '.join(self.counts)} can be as declared")

    def worst_optimum(self) -> Optimum:
        """Return the smallest of the maxima; the answers at a few values of the symbol show that most are larger."""
        low = dict.fromkeys(self.slices, order("-oo"))
        exact: dict[Ports, Optimum] = {}
        while True:
            ports = min(low, key=lambda each: (low[each], each in exact))
            if ports in exact or (exact and low[ports] == order(never)):  # nothing is greater than "never"
                break
            found = exact[ports] = optimum(self.theorem, [self.slices[ports]], self.key, self.over, most=True)
            near = (place.low if isinstance(place, Algebraic) else place for place in tried(found))
            places = [place for place in near if not isinstance(place, Approach)]
            for other, each in self.slices.items():
                for place in places if other not in exact else ():
                    low[other] = max(low[other], order(self._value(each, place)))
            low[ports] = order(found.value)
        worst = [each for each in low if low[each] == low[ports]]
        found = next(exact[each] for each in worst if each in exact)
        return replace(found, where=tuple(dict(zip(self.counts, each, strict=True)) for each in worst))

    def maximin(self) -> Optimum:
        """Return the largest worst answer of a few numbers of ports; those that are worse there are added."""
        active = {max(self.slices), min(self.slices)}
        while True:
            found = optimum(
                self.theorem, [self.slices[each] for each in sorted(active)], self.key, self.over, most=True
            )
            more = next((ports for ports in self._worse(found) if ports not in active), None)
            if more is None:
                place = next(tried(found))
                binding = [each for each in self.slices if self._side(self.slices[each], place, found.value) == 0]
                return replace(found, where=tuple(dict(zip(self.counts, each, strict=True)) for each in binding))
            active.add(more)

    def _worse(self, found: Optimum) -> Iterator[Ports]:
        """Yield numbers of ports whose answer is worse than an optimum where the symbol attains it."""
        for place in tried(found):
            below = [ports for ports, each in self.slices.items() if self._side(each, place, found.value) < 0]
            near = place.low if isinstance(place, Algebraic) else place
            if below:
                yield min(below, key=lambda ports: order(self._value(self.slices[ports], near)))
        for interval in found.at:
            if interval.low is None or interval.low != interval.high:
                yield from (ports for ports, each in self.slices.items() if _dips(each, interval, found.value))

    def _value(self, each: Slice, place: Place) -> Any:
        """Return the answer at a number, or its limit; the least of all where there is none."""
        case, sign = _case(each, place)
        if case is None:
            return "-oo"
        if case.answer is None or not isinstance(place, Approach):
            return answer_at(case.answer, place)
        rising = sign(case.answer[0]) * sign(case.answer[1]) > 0
        return limit_of(case.answer, None if isinstance(place.to, str) else place.to, "oo" if rising else "-oo")

    def _side(self, each: Slice, place: Place, value: Any) -> int:
        """Return the sign of the answer at a number, or of its limit, less a value."""
        case, _ = _case(each, place)
        if case is not None and case.answer is not None and not isinstance(place, Approach) and is_number(value):
            return compare_at(*case.answer, place, value)
        found, other = order(self._value(each, place)), order(value)
        return (found > other) - (found < other)


def _case(each: Slice, place: Place) -> tuple[SliceCase | None, Sign]:
    """Return the case at a place of the symbol, and the signs of polynomials there."""
    sign: Sign = partial(_beside, place) if isinstance(place, Approach) else partial(_at, place)
    return each.case(sign) if each.inside(sign) else None, sign


def tried(found: Optimum) -> Iterator[Place]:
    """Yield values of the symbol at which the optimum is attained: one inside each interval, and its ends."""
    yield from found.approached
    for each in found.at:
        low, high = each.low, each.high
        if low is not None and low == high:
            yield low
            continue
        yield from (end for end, has in ((low, each.with_low), (high, each.with_high)) if has and end is not None)
        yield between(low, high)


def _dips(each: Slice, interval: Interval, value: Any) -> bool:
    """Return True if an answer is less than a value, or is not known, somewhere in an interval."""
    answers = [case.answer for case in each.cases if case.answer is not None]
    more = []
    if isinstance(value, Fraction):
        more = [top * value.denominator - bottom * value.numerator for top, bottom in answers]
    for piece in pieces([each], more):
        if piece.place in interval or _meet(piece.low, piece.high, interval):
            (case,) = piece.cases
            if case is None or (case.answer is not None and not _at_least(case.answer, piece.place, value)):
                return True
    return False


def _at_least(answer: tuple[Univariate, Univariate], place: Place, value: Any) -> bool:
    return bool(compare_at(*answer, place, value) >= 0 if is_number(value) else value == "-oo")


def _meet(low: Any, high: Any, interval: Interval) -> bool:
    below = interval.low is None or high is None or high > interval.low
    return bool(below and (interval.high is None or low is None or low < interval.high) and low != high)


def _at(place: Any, poly: Any) -> int:
    return sign_at(poly, place)


def _beside(place: Approach, poly: Any) -> int:
    return sign_beside(poly, place.to, above=place.above)
