"""Solutions of a derived theorem for one symbol: all values for which an answer equals, exceeds or keeps a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.derive.algebra.dimensions import Grade, read_value
from dtmodel.derive.algebra.reals import Real, Univariate, compare_at
from dtmodel.derive.theorem.data import CaseData
from dtmodel.derive.theorem.intervals import Interval, joined, placed, whole_within, with_unit
from dtmodel.derive.theorem.optimum import measures_of, optimum, order
from dtmodel.derive.theorem.slices import Answer, Piece, Restriction, Slice, pieces
from dtmodel.theorems.evaluation import never
from dtmodel.theorems.roots import Solutions


def inverse(
    theorem: CaseData, symbol: str, wanted: Any, at: Sequence[Mapping[str, Any]], key: str, *, most: bool = False
) -> Solutions:
    """Invert a theorem, as `DerivedTheorem.inverse` documents."""
    if not at:
        raise InputError("at", at, "values of the other symbols")
    limit = read_wanted(wanted, "wanted", theorem.grade(key))
    if most and limit is never:
        raise InputError("wanted", wanted, 'a number, since every answer is at most "never"')
    slices = [Restriction(theorem, key, symbol, values, where="at.", name="symbol").only() for values in at]
    good = {0, -1 if most else 1}

    def enough(piece: Piece) -> bool:
        return all(_side(case.answer, limit, piece.place) in good for case in piece.cases if case is not None)

    found = _where(slices, limit, enough)
    if found:
        return Solutions(found, write=_writing(theorem, symbol))
    return Solutions([], why=optimum(theorem, slices, key, symbol, most=not most).bound(limit))


def solve(theorem: CaseData, symbol: str, wanted: Any, key: str, given: Mapping[str, Any]) -> Solutions:
    """Solve a theorem for a symbol, as `DerivedTheorem.solve_for` documents."""
    limit, whole = read_wanted(wanted, key, theorem.grade(key)), symbol in theorem.family.counts
    slices = [Restriction(theorem, key, symbol, given, name="unknown").only()]

    def equal(piece: Piece) -> bool:
        return all(_side(case.answer, limit, piece.place) == 0 for case in piece.cases if case is not None)

    real = _where(slices, limit, equal)
    parts = joined([part for each in real for part in whole_within(each, whole=whole)], whole=whole)
    if parts:
        found = [each.low if each.low is not None and each.low == each.high else each for each in parts]
        return Solutions(found, write=_writing(theorem, symbol))
    if real:
        inside = " and ".join(str(each.low) if each.low == each.high else str(each) for each in real)
        return Solutions([], why=f"{symbol} is a whole number, and the solution is {inside}")
    for most in (True, False):
        best = optimum(theorem, slices, key, symbol, most=most)
        if (order(best.value) <= order(limit)) if most else (order(best.value) >= order(limit)):
            return Solutions([], why=best.bound(limit))
    return Solutions([], why=f"{key} jumps over {with_unit(limit, best.measures[0])}")


def _writing(theorem: CaseData, symbol: str) -> Callable[..., str]:
    return partial(placed, symbol, measures_of(theorem, "", symbol)[1])


def read_wanted(value: Any, field: str, grade: Grade) -> Any:
    """Read the value that an answer should have; None and ``"never"`` are `never`."""
    return never if value is None or value is never or value == "never" else read_value(value, field, grade)


def _where(slices: Sequence[Slice], limit: Any, holds: Callable[[Piece], bool]) -> list[Interval]:
    """Return the intervals of the pieces in which a test holds and a case of every slice is proved."""
    answers = [case.answer for each in slices for case in each.cases if case.answer is not None]
    more = [] if limit is never else [_difference(answer, limit) for answer in answers]
    found = [piece for piece in pieces(slices, more) if None not in piece.cases and holds(piece)]
    return list(joined([Interval(each.low, each.high, each.point, each.point) for each in found]))


def _difference(answer: tuple[Univariate, Univariate], limit: Any) -> Univariate:
    return answer[0] * limit.denominator - answer[1] * limit.numerator


def _side(answer: Answer, limit: Any, place: Real) -> int:
    """Return the sign of an answer less a number at a place."""
    if answer is None or limit is never:
        return 0 if answer is None and limit is never else 1 if answer is None else -1
    return compare_at(*answer, place, limit)


def as_interval(solution: Real | Interval) -> Interval:
    """Return a solution as an interval, which may be a point."""
    return solution if isinstance(solution, Interval) else Interval(solution, solution, True, True)


def interval_document(solution: Real | Interval) -> dict[str, Any]:
    """Return a solution as ``--json`` has it.

    >>> from fractions import Fraction
    >>> interval_document(Fraction(1, 3))
    {'low': '1/3', 'high': '1/3', 'with_low': True, 'with_high': True}
    """
    return as_interval(solution).document()


def shown_solutions(found: Solutions) -> str:
    """Write solutions as text: numbers, intervals, or the reason if there are none.

    >>> from fractions import Fraction
    >>> shown_solutions(Solutions([Fraction(1, 3), Interval(Fraction(2), None, True, False)]))
    '1/3, [2, oo)'
    """
    return ", ".join(map(str, found)) if found else repr(found)
