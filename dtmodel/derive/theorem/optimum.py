"""Exact extrema of an answer along one symbol: the values of the symbol that attain them, or the limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.mathtext import MathDisplay, symbol_of
from dtmodel.derive.algebra.dimensions import UNIT_NAMES
from dtmodel.derive.algebra.reals import Algebraic, Real, shown_real, sign_at, value_at
from dtmodel.derive.search.cases import name_of
from dtmodel.derive.theorem.data import CaseData
from dtmodel.derive.theorem.intervals import Extreme, Interval, joined, latex_extreme, placed, whole_within, with_unit
from dtmodel.derive.theorem.slices import Answer, Piece, Restriction, Slice, pieces, refuse_symbol, slope
from dtmodel.theorems.evaluation import never

_FEW = 4
_PROVING = 20
"""The seconds for the proof that an answer is best at an end of a symbol."""


@final
@dataclass(frozen=True)
class Approach:
    """A limit of an answer in the `case` with this number, as a symbol tends `to` a number, ``"oo"`` or ``"-oo"``.

    `above`: whether it tends to the number from above.

    >>> Approach("oo", 1).document()
    {'to': 'oo', 'case': 1}
    """

    to: Any
    case: int
    above: bool = False

    def document(self) -> dict[str, Any]:
        """Return the limit as ``--json`` has it."""
        return {"to": shown_extreme(self.to), "case": self.case}


@final
@dataclass(frozen=True, repr=False)
class Optimum(MathDisplay):
    """The largest (`kind`: "maximum") or smallest ("minimum") value of an answer along one symbol.

    - `of`, `over`: the answer and the symbol.
    - `value`: a fraction, an `Algebraic` number, `never`, or ``"oo"`` if the answer is unbounded.
    - `attained`: whether the answer has the value at some value of the symbol.
    - `at` (tuple of Interval): all values of the symbol at which the answer has it, each with its case.
    - `approached` (tuple of Approach): if the value is not attained: limits at which the answer tends to it.
    - `open` (tuple of Interval): values of the symbol for which no case is proved; the optimum is that of the others.
    - `where` (tuple of dict): for questions about several numbers of ports: the numbers that determine the value; along
      several symbols: the ends of the others, which are approached if the value is not attained.
    - `measures`: the units of the value and of the symbol.

    >>> print(Optimum("maximum", "first_drop", "alpha", Fraction(1, 250), False, (), (Approach("oo", 0),)))
    maximum of first_drop: 0.004 (1/250), approached as alpha tends to infinity (case 0)
    """

    kind: str
    of: str
    over: str
    value: Extreme
    attained: bool
    at: tuple[Interval, ...]
    approached: tuple[Approach, ...]
    open: tuple[Interval, ...] = ()
    where: tuple[Mapping[str, Any], ...] = ()
    measures: tuple[str, str] = ("", "")

    def document(self) -> dict[str, Any]:
        """Return the answer of ``dtmodel derive --maximize`` or ``--minimize`` in JSON."""
        more: dict[str, Any] = {"open": [each.document() for each in self.open]} if self.open else {}
        if self.where:
            more["where"] = [
                {n: v if isinstance(v, int) else shown_extreme(v) for n, v in e.items()} for e in self.where
            ]
        return {
            "of": self.of,
            "over": self.over,
            "value": shown_extreme(self.value),
            "attained": self.attained,
            "at": [each.document() for each in self.at],
            "approached": [each.document() for each in self.approached],
        } | more

    def __repr__(self) -> str:
        places = [f"at {self._place(each)}" for each in self.at]
        places += [f"approached as {self._tends(each)} (case {each.case})" for each in self.approached]
        lines = [f"{self.kind} of {self.of}: {with_unit(self.value, self.measures[0])}, {' and '.join(places)}"]
        first = [_said(each) for each in self.where[:_FEW]]
        more = [f"{len(self.where) - _FEW} more"] if len(self.where) > _FEW else []
        lines += [f"with {' or '.join(first + more)}"] if self.where else []
        lines += [f"not proved for {self.over} in {', '.join(map(str, self.open))}"] if self.open else []
        return "; ".join(lines)

    def latex(self) -> str:
        r"""Return the optimum in LaTeX.

        >>> limits = (Approach("oo", 0),)
        >>> Optimum("maximum", "first_drop", "alpha", Fraction(1, 250), False, (), limits).latex()
        '\\sup_{\\alpha} t = \\frac{1}{250},\\quad \\alpha \\to \\infty'
        """
        word = {"maximum": ("sup", "max"), "minimum": ("inf", "min")}[self.kind][self.attained]
        symbol = symbol_of(self.over)
        value, place = self.measures
        places = [placed(self.over, place, each, latex=True) for each in self.at]
        places += [rf"{symbol} \to {latex_extreme(each.to, place)}" for each in self.approached]
        parts = [rf"\{word}_{{{symbol}}} {name_of(self.of)} = {latex_extreme(self.value, value)}"]
        parts.append(r"\ \text{or}\ ".join(places))
        ends = [*map(_latex_said, self.where[:_FEW]), rf"\text{{{len(self.where) - _FEW} more}}"]
        parts += [r"\ \text{or}\ ".join(ends[: len(self.where)])] if self.where else []
        unproved = ", ".join(map(str, self.open))
        parts += [rf"\text{{not proved for }}{symbol}\text{{ in {unproved}}}"] if unproved else []
        return r",\quad ".join(parts)

    def _tends(self, each: Approach) -> str:
        return f"{self.over} tends to {with_unit(each.to, self.measures[1])}"

    def _place(self, each: Interval) -> str:
        return f"{placed(self.over, self.measures[1], each, latex=False)} (case {each.case})"

    def bound(self, wanted: Any) -> str:
        """Write the value as a bound of the answer, which `wanted` violates, with the place at which it is attained."""
        strict = not self.attained and self.value == wanted
        words = {"maximum": ("at most", "less than"), "minimum": ("at least", "more than")}[self.kind][strict]
        if self.approached:
            where = f"as {self._tends(self.approached[0])}"
        else:
            where = f"at {self._place(self.at[0]).partition(' (case')[0]}"
        return f"{words} {with_unit(self.value, self.measures[0])}, {where}"


def shown_extreme(value: Extreme) -> Any:
    """Write an extreme, or None, for JSON."""
    return shown_real(value) if is_number(value) else None if value is None else str(value)


def is_number(value: Extreme) -> bool:
    """Return True for a fraction or an `Algebraic` number."""
    return isinstance(value, Fraction | Algebraic)


def _said(counts: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in counts.items())


def _latex_said(counts: Mapping[str, Any]) -> str:
    shown = {name: str(value) if isinstance(value, int) else latex_extreme(value, "") for name, value in counts.items()}
    return r",\ ".join(f"{symbol_of(name)} = {value}" for name, value in shown.items())


def measures_of(theorem: CaseData, key: str, symbol: str) -> tuple[str, str]:
    """Return the names of the units of an answer and of a symbol."""
    grade = theorem.domain.measures.get(symbol)
    return UNIT_NAMES.get(theorem.grade(key), ""), UNIT_NAMES.get(grade, "") if grade else ""


@dataclass(frozen=True)
class _Candidate:
    value: Extreme
    place: Interval | Approach


def optimum(theorem: CaseData, slices: Sequence[Slice], key: str, symbol: str, *, most: bool) -> Optimum:
    """Return the largest or smallest worst answer of some slices: the worst is the other extreme of them.

    Raises `InputError` if no value of the symbol is in the domain, or no case is proved for any.
    """
    whole, kind = symbol in theorem.family.counts, "maximum" if most else "minimum"
    turns = [poly for each in slices for poly in each.slopes()]
    turns += [poly for i, one in enumerate(slices) for other in slices[:i] for poly in _crossings(one, other)]
    found, unknown = list[_Candidate](), list[Interval]()
    for piece in pieces(slices, turns):
        if None in piece.cases:
            unknown += whole_within(Interval(piece.low, piece.high, piece.point, piece.point), whole=whole)
        else:
            found += _candidates(piece, most=most, whole=whole)
    if not found:
        raise InputError(symbol, "every value", "a symbol with a value in the domain for which a case is proved")
    best = (max if most else min)((each.value for each in found), key=order)
    tops = [each.place for each in found if each.value == best]
    at = joined([each for each in tops if isinstance(each, Interval)], whole=whole)
    limits = () if at else tuple(dict.fromkeys(each for each in tops if isinstance(each, Approach)))
    shown = tuple(replace(each, case=None) for each in joined(unknown, whole=whole))
    return Optimum(kind, key, symbol, best, bool(at), at, limits, shown, measures=measures_of(theorem, key, symbol))


def optimum_of_several(
    theorem: CaseData, key: str, over: Sequence[str], given: Mapping[str, Any], *, most: bool
) -> Optimum:
    """Return an optimum along the last of some symbols, each other one at an end of its values that is proved best.

    Raises `InputError` if the answer is not best at an end of a symbol, or another symbol has no value.
    """
    from dtmodel.derive.theorem.comparing import compare_theorems
    from dtmodel.derive.theorem.restricting import ends, restricted

    for name in over:
        refuse_symbol(theorem, name, "over")
        if name in given:
            raise InputError(name, given[name], "no value: the optimum is sought along it")
    free = [n for n in theorem.family.symbols if n not in (*given, *over, *theorem.family.defined)]
    if free:
        raise InputError(free[0], MISSING, "a value: an optimum along several symbols is that at numbers")
    part, where, attained = restricted(theorem, given), dict[str, Any](), True
    for name in over[:-1]:
        for end, value, there in ends(part.theorem, name):
            compared = compare_theorems(there.theorem, part.theorem, key, _PROVING)
            if compared.complete and not (compared.less if most else compared.greater):
                where, attained = where | {name: end}, attained and value
                part = replace(there, numbers=tuple(part.numbers[n] for n in there.numbers))
                break
        else:
            kind = "largest" if most else "smallest"
            raise InputError("over", name, f"symbols at an end of which {key} is {kind}, before {over[-1]}")
    best = optimum(part.theorem, [Restriction(part.theorem, key, over[-1], {}).only()], key, over[-1], most=most)
    at = [replace(each, case=part.numbers[each.case or 0]) for each in best.at]
    limits = [replace(each, case=part.numbers[each.case]) for each in best.approached]
    if not attained:
        limits += [Approach("oo" if each.low is None else each.low, each.case or 0) for each in at]
    places, others = tuple(at if attained else ()), (where,) if where else ()
    return replace(best, attained=bool(places), at=places, approached=tuple(limits), where=others)


def order(value: Extreme) -> tuple[int, Any]:
    """Return a sort key: numbers, then infinity, then `never`."""
    if value is never:
        return (2, 0)
    return {"oo": (1, 0), "-oo": (-1, 0)}.get(value, (0, value)) if isinstance(value, str) else (0, value)


def answer_at(answer: Answer, place: Real) -> Extreme:
    """Return the exact value of an answer."""
    return never if answer is None else value_at(*answer, place)


def _crossings(one: Slice, other: Slice) -> Iterator[Any]:
    for first in one.cases:
        for second in other.cases:
            if first.answer is not None and second.answer is not None:
                yield first.answer[0] * second.answer[1] - second.answer[0] * first.answer[1]


def _candidates(piece: Piece, *, most: bool, whole: bool) -> Iterator[_Candidate]:
    """Yield the values of the worst answer in a piece that may be extreme: those at its ends, or of all of it."""
    place = piece.place
    worst = (min if most else max)(piece.cases, key=lambda case: order(answer_at(case.answer, place)))  # type: ignore[union-attr]  # every case is known here
    assert worst is not None
    answer, number = worst.answer, worst.number
    rising = sign_at(slope(answer), place)
    if piece.point or rising == 0:
        for each in whole_within(Interval(piece.low, piece.high, piece.point, piece.point, number), whole=whole):
            yield _Candidate(answer_at(answer, place), each)
        return
    end = piece.high if (rising > 0) == most else piece.low
    if whole and end is not None:
        for each in whole_within(Interval(piece.low, piece.high, False, False), whole=True):
            last = each.high if (rising > 0) == most else each.low
            assert last is not None  # the interval ends there
            yield _Candidate(answer_at(answer, last), Interval(last, last, True, True, number))
        return
    assert answer is not None
    to = end if end is not None else "oo" if (rising > 0) == most else "-oo"
    yield _Candidate(
        limit_of(answer, end, "oo" if most else "-oo"), Approach(to, number, end is not None and end == piece.low)
    )


def limit_of(answer: tuple[Any, Any], end: Real | None, unbounded: str) -> Extreme:
    """Return the limit of an answer at an end of its interval (None is infinity), or `unbounded`."""
    top, bottom = answer
    if end is not None:
        return unbounded if sign_at(bottom, end) == 0 else value_at(top, bottom, end)
    if top.degree() > bottom.degree():
        return unbounded
    return Fraction(int(top[bottom.degree()]), int(bottom[bottom.degree()]))
