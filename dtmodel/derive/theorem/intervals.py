"""Intervals of exact numbers in which a question about a theorem has its answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dtmodel.base.mathtext import symbol_of
from dtmodel.base.units import brief
from dtmodel.derive.algebra.reals import Algebraic, Real, shown_real
from dtmodel.theorems.evaluation import number_latex, shown


@dataclass(frozen=True)
class Interval:
    """An interval of numbers.

    - `low`, `high` (Fraction, Algebraic or None): the ends; None means that the interval is unbounded.
    - `with_low`, `with_high`: whether the interval contains its ends.
    - `case`: the number of the case that holds in it, if there is one.

    >>> print(Interval(low=Fraction(6), high=None, with_low=True, with_high=False))
    [6, oo)
    """

    low: Real | None
    high: Real | None
    with_low: bool
    with_high: bool
    case: int | None = None

    def __str__(self) -> str:
        low, high = (sign if end is None else str(end) for sign, end in (("-oo", self.low), ("oo", self.high)))
        return f"{'[' if self.with_low else '('}{low}, {high}{']' if self.with_high else ')'}"

    def document(self) -> dict[str, Any]:
        """Return the interval as ``--json`` has it; an infinite end is ``"oo"`` or ``"-oo"``."""
        return {
            "low": "-oo" if self.low is None else shown_real(self.low),
            "high": "oo" if self.high is None else shown_real(self.high),
            "with_low": self.with_low,
            "with_high": self.with_high,
        } | ({} if self.case is None else {"case": self.case})

    def __contains__(self, value: Real) -> bool:
        above = self.low is None or value > self.low or (self.with_low and value == self.low)
        return above and (self.high is None or value < self.high or (self.with_high and value == self.high))


Extreme = Any
"""A fraction, an `Algebraic` number, `never`, or ``"oo"``, ``"-oo"`` as a limit."""


def with_unit(value: Extreme, unit: str) -> str:
    """Write a number with its unit.

    >>> with_unit(Fraction(1, 500), "s"), with_unit("oo", "s")
    ('2 ms (1/500 s)', 'infinity')
    """
    if isinstance(value, Fraction):
        return shown(value, unit)
    if isinstance(value, Algebraic):
        return f"about {brief(shown(Fraction(float(value)), unit))} ({value.exactly})" if unit else str(value)
    return {"oo": "infinity", "-oo": "-infinity"}.get(value, str(value))


def latex_extreme(value: Extreme, unit: str) -> str:
    r"""Write an extreme with its unit in LaTeX; "never" is infinity.

    >>> latex_extreme(Fraction(2), ""), latex_extreme(Fraction(2), "s"), latex_extreme("oo", "s")
    ('2', '\\text{2 s}', '\\infty')
    """
    if isinstance(value, Algebraic):
        written = value.latex()
        bracketed = rf"\left({written}\right)" if re.search(r"\} [+-] ", written) else written
        return rf"{bracketed}\ \text{{{unit}}}" if unit else written
    if not isinstance(value, Fraction):
        return r"-\infty" if value == "-oo" else r"\infty"
    return number_latex(value, unit)


def placed(name: str, unit: str, found: Real | Interval, *, latex: bool) -> str:
    r"""Write a number as a value of a symbol with this `name` and `unit`, or an interval in which the symbol lies.

    >>> parts = [Fraction(1, 3), Interval(Fraction(2), None, True, False)]
    >>> [placed("d", "s", each, latex=False) for each in parts]
    ['d = 333.333 ms (1/3 s)', 'd in [2 s, oo)']
    >>> placed("alpha", "", parts[1], latex=True)
    '\\alpha \\in [2, \\infty)'
    """
    symbol = symbol_of(name) if latex else name
    if not isinstance(found, Interval):
        return f"{symbol} = {latex_extreme(found, unit) if latex else with_unit(found, unit)}"
    if found.low is not None and found.low == found.high:
        return placed(name, unit, found.low, latex=latex)
    ends = [sign if end is None else end for sign, end in (("-oo", found.low), ("oo", found.high))]
    low, high = (latex_extreme(end, unit) if latex else str(end) for end in ends)
    if unit and not latex:
        low, high = (end if isinstance(end, str) else with_unit(end, unit) for end in ends)
    inside = f"{'[' if found.with_low else '('}{low}, {high}{']' if found.with_high else ')'}"
    return rf"{symbol} \in {inside}" if latex else f"{symbol} in {inside}"


def joined(parts: Sequence[Interval], *, whole: bool = False) -> tuple[Interval, ...]:
    """Join neighbouring intervals of one case, in order; `whole`: of whole numbers.

    A point on the border of two cases, in which answers agree, joins the interval that it ends.
    """
    alike = _folded(parts, lambda one, other: one.case == other.case, step=int(whole))
    return alike if whole else _folded(alike, lambda one, other: _is_point(one) or _is_point(other), step=0)


def _folded(parts: Sequence[Interval], may: Callable[[Interval, Interval], bool], step: int) -> tuple[Interval, ...]:
    """Join intervals that touch, or are a `step` apart, where they may be joined."""
    found: list[Interval] = []
    for part in parts:
        last = found[-1] if found else None
        if last is not None and last.high is not None and part.low is not None and may(last, part):
            touch = last.high == part.low and (last.with_high or part.with_low)
            if touch or (step and part.low - last.high == step):  # type: ignore[operator]  # whole numbers
                case = part.case if _is_point(last) else last.case
                found[-1] = replace(last, high=part.high, with_high=part.with_high, case=case)
                continue
        found.append(part)
    return tuple(found)


def _is_point(interval: Interval) -> bool:
    return interval.low is not None and interval.low == interval.high


def whole_within(interval: Interval, *, whole: bool) -> Iterator[Interval]:
    """Yield the interval, or, for a symbol that is `whole`, that from its least to its greatest whole number."""
    if not whole:
        yield interval
        return
    low = None if interval.low is None else _next_whole(interval.low, 1, itself=interval.with_low)
    high = None if interval.high is None else _next_whole(interval.high, -1, itself=interval.with_high)
    if low is None or high is None or low <= high:
        yield replace(interval, low=low, high=high, with_low=low is not None, with_high=high is not None)


def _next_whole(end: Real, step: int, *, itself: bool) -> Fraction:
    """Return the nearest whole number above (`step` 1) or below (-1) an end of an interval, or the end."""
    if isinstance(end, Algebraic):
        while end.low.__floor__() != end.high.__floor__() and end.low.__ceil__() != end.high.__ceil__():
            end = end.refined()
        return Fraction(end.high.__ceil__() if step > 0 else end.low.__floor__())
    if end.denominator == 1:
        return end if itself else end + step
    return Fraction(end.__ceil__() if step > 0 else end.__floor__())
