"""The inequalities that make a symbolic trajectory one of the model, phase by phase, in the order of the checker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from dtmodel.derive.algebra.number import Polynomial, Ratio

if TYPE_CHECKING:
    from dtmodel.derive.search.answers import Phase
    from dtmodel.derive.search.counters import Counted


@dataclass(frozen=True)
class Law:
    """A class of queues: its threshold is reserve + min(alpha F, cap); without both, only the buffer bounds it."""

    count: Ratio
    rate: Ratio
    alpha: Ratio | None
    reserve: Ratio
    cap: Ratio | None
    initial: Ratio | None
    arrivals: Sequence[tuple[Ratio, Ratio]]

    def ratios(self) -> Iterator[Ratio]:
        """Yield all numbers of the class."""
        yield from (each for each in (self.count, self.rate, self.alpha, self.reserve, self.cap, self.initial) if each)
        yield from chain.from_iterable(self.arrivals)

    def capped(self, threshold: tuple[Ratio, Ratio]) -> bool:
        """Return True if a threshold (slope, offset) is reserve + cap."""
        return self.cap is not None and (self.alpha is None or threshold[0].top.is_zero())

    def margins(self, phase: Phase, k: int, free: Ratio, length: Ratio, unit: int) -> Iterator[Ratio]:
        """Yield terms that are nonnegative while class k keeps its position of a phase, or with unit 0 their slopes."""
        capped, where = self.capped(phase.thresholds[k]), phase.where[k]
        if where == "in its reserve":
            yield length
            yield self.reserve * unit - length
        elif where in {"below", "above"}:
            yield length - self.reserve * unit
            if self.alpha is not None or self.cap is not None:
                slope, offset = phase.thresholds[k]
                room = slope * free + offset * unit - length
                yield room if where == "below" else -room
        if self.alpha is not None and self.cap is not None:
            turn = self.alpha * free - self.cap * unit
            yield turn if capped else -turn


@dataclass(frozen=True)
class Chosen:
    """The sojourn time that is L2BM's constant in a cell, with the reason."""

    place: int
    goals: Sequence[tuple[Ratio, bool]]


@dataclass(frozen=True)
class Trajectory:
    """The phases of a cell; it ends with a loss of the class in question, at a time, at the end, or never."""

    phases: Sequence[Phase]
    laws: Sequence[Law]
    ends: str
    asked: int
    until: Ratio | None
    away: Sequence[int] | None
    counted: Counted | None = None
    chosen: Chosen | None = None

    def goals(self) -> Iterator[tuple[Ratio, bool]]:
        """Yield terms that must be nonnegative, or positive (True), in the order of the checker."""
        yield from self.chosen.goals if self.chosen else ()
        for phase, after in zip(self.phases, [*self.phases[1:], None], strict=True):
            if after is not None:
                yield after.begin - phase.begin, self.counted is not None
            now = self._margins(phase, phase.free, phase.lengths, 1)
            slopes = self._margins(phase, phase.free_slope, phase.slopes, 0)
            if after is None and self.ends == "loss":
                for value, slope, rising in zip(now, slopes, self.rising(), strict=True):
                    yield value, not rising
                    yield from ((slope, False),) if rising else ()
            else:
                later = slopes if after is None else self._margins(phase, after.free, after.lengths, 1)
                yield from ((value, False) for value in now)
                yield from ((value, False) for value in later if after is not None or self.ends == "never")
            if after is not None or self.ends not in {"time", "until"}:
                yield from self._moves(phase, after)
        yield from self.counted.goals if self.counted else ()
        if self.ends == "loss":
            yield self.phases[-1].losses[self.asked], True
            yield from () if self.until is None else ((self.until - self.phases[-1].begin, True),)
        if self.away is not None:
            last, k = self.away
            apart = self.phases[last].lengths[k] - self.phases[0].lengths[k]
            yield apart * apart, True
            yield self.laws[k].count, True

    def rising(self) -> list[bool]:
        """Return for each margin at the loss whether it needs no proof: it is 0, or its slope is clearly positive."""
        phase = self.phases[-1]
        if self.ends != "loss":
            return []
        now = self._margins(phase, phase.free, phase.lengths, 1)
        slopes = self._margins(phase, phase.free_slope, phase.slopes, 0)
        seen = [all(c > 0 for c in (*slope.top.coeffs(), *slope.bottom.coeffs())) for slope in slopes]
        return [value.top.is_zero() or sure for value, sure in zip(now, seen, strict=True)]

    def _margins(self, phase: Phase, free: Ratio, lengths: Sequence[Ratio], unit: int) -> list[Ratio]:
        each = (law.margins(phase, k, free, lengths[k], unit) for k, law in enumerate(self.laws))
        return [free, *chain.from_iterable(each)]

    def _moves(self, phase: Phase, after: Phase | None) -> Iterator[tuple[Ratio, bool]]:
        """Yield the terms that prove that arrivals are constant in a phase and that queues move as recorded."""
        if phase.fraction is not None:
            yield phase.fraction, False
            yield 1 - phase.fraction, False
        for k, law in enumerate(self.laws):
            piece = phase.pieces[k]
            if piece >= 0:
                yield phase.begin - law.arrivals[piece][0], False
            if piece + 1 < len(law.arrivals):
                yield law.arrivals[piece + 1][0] - (phase if after is None else after).begin, after is None
            admitted = phase.offered[k] if phase.fraction is None else phase.fraction * phase.offered[k]
            if phase.where[k] == "empty":
                yield law.rate - admitted, False
            elif phase.where[k] == "on":
                yield phase.slopes[k] + law.rate, False
                yield admitted - law.rate - phase.slopes[k], False

    def ratios(self, answers: Mapping[str, Ratio | None]) -> Iterator[Ratio]:
        """Yield all functions of a trajectory and its answers."""
        for phase in self.phases:
            yield from (phase.begin, phase.free, *phase.lengths, *phase.slopes)
            yield from () if phase.fraction is None else (phase.fraction,)
        yield from (answer for answer in answers.values() if answer is not None)

    def needed(self) -> Iterator[Polynomial]:
        """Yield polynomials that must not be 0 for all inequalities to hold on boundaries, denominators included."""
        for goal, strict in self.goals():
            yield goal.bottom
            yield from (goal.top,) if strict else ()


def last_away(phases: Sequence[Phase]) -> list[int] | None:
    """Return the last phase that starts with other lengths than at time 0, and a class with another length."""
    first = phases[0].lengths
    apart = [[k for k, q in enumerate(phase.lengths) if q != first[k]] for phase in phases]
    return next(([i, apart[i][0]] for i in range(len(phases) - 1, -1, -1) if apart[i]), None)
