"""Solve a statement for a symbol: all values for which a result has a given value, or the reason why none exists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from dtmodel.base import units
from dtmodel.base.errors import InputError, one_of
from dtmodel.theorems import data, evaluation
from dtmodel.theorems.data import Branch, Condition, StatementData
from dtmodel.theorems.extents import Extent, beyond, extents
from dtmodel.theorems.placing import letter_of, placed_values, rational, symbol_named, takes
from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.roots import (
    MOST_STEPS,
    MOST_WHOLE,
    Solutions,
    between_steps,
    crossings,
    near_roots,
    placed,
    whole_roots,
)

_STEPS = (sympy.floor, sympy.ceiling)
_MOST_DIGITS = 4000
"""Python refuses to print integers of more than 4,300 digits, which SymPy needs."""
_Piece = tuple[Any, Any, Any]
"""A quotient and its condition: numerator, denominator, condition."""


@dataclass(frozen=True)
class _Question:
    """Solve for one `symbol`, at fixed values of the others (`at`): the result `name` is to be `given`.

    `place`: the index in a list of results, of which one is given. `target`: the given number, in SymPy. `known`: the
    hypotheses that can be tested.
    """

    statement: StatementData
    symbol: Symbol
    name: str
    given: Any
    place: int | None
    target: Any
    at: Mapping[str, Any]
    known: Sequence[Condition]

    def compute(self, branch: Branch, point: Mapping[str, Any]) -> Any:
        """Compute the number that has to equal the target."""
        found = evaluation.computed(branch, point)[self.name]
        if isinstance(found, list) and (self.place is None or len(self.given) != len(found)):
            accepted = f"a list of {len(found)}, of which one is given, the others are None"
            raise InputError(self.name, self.given, accepted)
        if self.place is not None and not isinstance(found, list):
            raise InputError(self.name, self.given, "a number")
        return found if self.place is None else found[self.place]

    def difference(self, branch: Branch) -> Callable[[Fraction], Any]:
        """Return a function of the symbol's value, on fractions: the result less the target."""
        given = {key: _as_fractions(v) for key, v in self.at.items() if isinstance(v, list) or v.is_Rational}
        wanted = Fraction(int(self.target.p), int(self.target.q))
        return lambda number: self.compute(branch, {**given, self.symbol.name: number}) - wanted

    def cases(self) -> Iterator[_Case]:
        """Yield the cases that define the result and satisfy all hypotheses at the values."""
        branches = self.statement.computed
        for index, branch in enumerate(branches):
            if self.name in (formula.of for formula in branch.formulas):
                own = tuple(b.condition for b in (branch,) if callable(b.condition))
                case = _Case(self, branch, own, tuple(b.condition for b in branches[:index] if callable(b.condition)))
                if sympy.false not in case.relations:
                    yield case

    def decided(self, holds: Callable[[], bool]) -> bool:
        """Test a root; raise `InputError` if SymPy cannot find the sign of a nearly cancelling sum of surds."""
        try:
            return holds()
        except TypeError:
            accepted = "a number of fewer digits, for which the signs of roots are found"
            raise InputError(self.name, self.given, accepted) from None


@dataclass(frozen=True)
class _Case:
    """A case of the statement: it applies where its `own` condition holds and no `earlier` condition does."""

    question: _Question
    branch: Branch
    own: tuple[Condition, ...]
    earlier: tuple[Condition, ...]

    @property
    def relations(self) -> list[Any]:
        """The hypotheses and conditions as relations in the symbol alone."""
        at = self.question.at
        held = [sympy.sympify(data.at(test, at)) for test in (*self.question.known, *self.own)]
        return held + [sympy.Not(data.at(test, at)) for test in self.earlier]

    def fits(self, root: Any) -> bool:
        """Return True if the case applies and every hypothesis holds at a value of the symbol."""
        return self.question.decided(lambda: self.applies(root) and self.excluding(root) is None)

    def applies(self, root: Any, *, whole: bool = True) -> bool:
        """Return True if the case applies at a value of the symbol; with `whole`, the value must lie in its domain."""
        question = self.question
        point = {**question.at, question.symbol.name: root}
        return (
            (not whole or takes(question.symbol, root))
            and all(bool(data.at(test, point)) for test in self.own)
            and not any(bool(data.at(test, point)) for test in self.earlier)
        )

    def excluding(self, root: Any) -> Condition | None:
        """Return a hypothesis that is false at a value of the symbol; None if all hold."""
        point = {**self.question.at, self.question.symbol.name: root}
        return next((test for test in self.question.known if not bool(data.at(test, point))), None)

    def pieces(self) -> tuple[list[_Piece], str]:
        """Return the difference to the target in pieces without floors and ceilings, and the search's omissions."""
        symbol, letter = self.question.symbol, letter_of(self.question.symbol)
        difference = sympy.sympify(self.question.compute(self.branch, self.question.at) - self.question.target)
        if symbol.domain in ("count", "number") or not any(a.has(letter) for a in difference.atoms(*_STEPS)):
            return list(_pieces(difference)), ""
        found, missed = list[_Piece](), ""
        plain = [relation for relation in self.relations if not relation.atoms(*_STEPS)]
        for part in _parts(values_where(sympy.And(*plain), symbol)):
            spans, missed = near_roots(self.question.difference(self.branch), symbol, part)
            for span in spans:
                for made, where, more in between_steps(difference, letter, span.intersect(part)):
                    missed += f"; more than {MOST_STEPS} steps" if more and "more than" not in missed else ""
                    here = where.as_relational(letter)
                    found += [(over, under, sympy.And(condition, here)) for over, under, condition in _pieces(made)]
        return found, missed


class _Found:
    """Collects the solutions of a question, and the range of the result for the case that there are none."""

    def __init__(self, question: _Question) -> None:
        self.question = question
        self.exact, self.sets, self.floats = set[Any](), list[Any](), list[Any]()
        self.missed, self.unread = "", False
        self.looked, self.excluded = list[tuple[_Case, _Piece]](), dict[str, None]()

    def add(self, case: _Case) -> None:
        pieces, left_out = case.pieces()
        self.missed = left_out or self.missed
        self.unread |= bool(left_out)
        for piece in pieces:
            self._add_piece(case, piece)

    def _add_piece(self, case: _Case, piece: _Piece) -> None:
        over, under, condition = piece
        symbol, letter = self.question.symbol, letter_of(self.question.symbol)
        if over == 0:
            self.sets += values_where(sympy.And(condition, *case.relations), symbol)
        elif over.is_polynomial(letter) and under.is_polynomial(letter):
            for root in _roots(over, under, condition, letter):
                if case.fits(root):
                    self.exact.add(root)
                elif said := self._excluding(case, root):
                    self.excluded[said] = None
            self.looked.append((case, piece))
        else:
            self.unread = True
            self._search(case, piece)

    def _excluding(self, case: _Case, root: Any) -> str:
        """Return why a root is not a solution, in words; empty if its case does not apply there."""
        symbol = self.question.symbol
        if not takes(symbol, root):
            whole = bool(root > 0) and symbol.domain in ("count", "number") and case.applies(root, whole=False)
            return f"{beyond(symbol, root)} is not whole" if whole else ""
        test = case.excluding(root)
        return f"{beyond(symbol, root)} is excluded by {self.question.statement.shown_condition(test)}" if test else ""

    def _extents(self) -> list[Extent]:
        """Return the range of the result in each piece of each case."""
        symbol, found = self.question.symbol, list[Extent]()
        for case, (over, under, condition) in self.looked:
            value = self.question.target + over / under
            for part in _parts(values_where(sympy.And(condition, *case.relations), symbol, whole=False)):
                found += extents(value, symbol, letter_of(symbol), part)
        return found

    def _search(self, case: _Case, piece: _Piece) -> None:
        """Search numerically, since the equation is not polynomial."""
        over, under, condition = piece
        symbol, letter = self.question.symbol, letter_of(self.question.symbol)
        if symbol.domain in ("count", "number"):
            tried = whole_roots(self.question.difference(case.branch), int(symbol.domain == "number"))
            self.exact |= {n for n in map(sympy.Integer, map(int, tried)) if case.fits(n)}
            self.missed = f"whole numbers beyond {MOST_WHOLE}"
            return
        roots, self.missed = crossings(sympy.lambdify(letter, over / under, "math"), symbol)
        near = [(root, sympy.Rational(root.low)) for root in roots]
        self.floats += [root for root, low in near if bool(condition.subs(letter, low)) and case.fits(low)]

    def solutions(self) -> Solutions:
        union = sympy.Union(*self.sets)
        ordered = sorted(root for root in self.exact if union.contains(root) != sympy.true)
        found = [Fraction(int(x.p), int(x.q)) if x.is_Rational else x for x in ordered]
        found += [*([union] if union is not sympy.S.EmptySet else []), *self.floats]
        write = partial(placed, self.question.symbol.name, self.question.symbol.unit)
        return Solutions(found, self.missed, "" if found else self._why(), write)

    def _why(self) -> str:
        if self.unread:
            return f"not found by a search that leaves out {self.missed}" if self.missed else ""
        try:
            found = self._extents()
        except (InputError, NotImplementedError):  # SymPy does not solve the conditions
            return "; ".join(self.excluded)
        said = _outside(self.question, found) if found else ""
        return "; ".join(filter(None, [said, *self.excluded])) or _contradiction(self.question)


def solutions(statement: StatementData, unknown: str, values: Mapping[str, Any]) -> Solutions:
    """Solve ``result = value`` for a symbol, case by case; `values` holds the result and the other symbols."""
    found = _Found(_question(statement, unknown, values))
    for case in found.question.cases():
        found.add(case)
    return found.solutions()


def _question(statement: StatementData, unknown: str, values: Mapping[str, Any]) -> _Question:
    asked = [name for name in values if name in statement.results]
    if len(asked) != 1:
        accepted = f"one of the results: {', '.join(statement.results) or 'the statement has no results'}"
        raise InputError("values", ", ".join(asked) or "no result", accepted)
    (name,) = asked
    symbol = symbol_named(statement, unknown)
    if unknown not in statement.inputs or symbol.many:
        raise InputError("unknown", unknown, f"{one_of(statement.inputs, unknown)}, a single number")
    place, target = _target(symbol_named(statement, name), values[name])
    at = placed_values(statement, {key: value for key, value in values.items() if key != name}, unknown)
    for key in values:
        if any(getattr(part, "free_symbols", ()) for part in _flat(at.get(key, ())) if key != name):
            raise InputError(key, values[key], "a number: equations are solved at numbers")
        if any(_digits(part) > _MOST_DIGITS for part in _flat(target if key == name else at.get(key, ()))):
            raise InputError(key, values[key], f"a number of at most {_MOST_DIGITS:,} digits")
    known = evaluation.known(statement, {**dict.fromkeys(values), unknown: None})
    return _Question(statement, symbol, name, values[name], place, target, at, known)


def _digits(number: Any) -> float:
    return max(abs(number.p), number.q).bit_length() * 0.302 if getattr(number, "is_Rational", False) else 0


def _flat(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def _target(symbol: Symbol, value: object) -> tuple[int | None, Any]:
    """Return the index of the given number in a list of results (None if the result is a number), and the number."""
    if type(value) in (int, Fraction):  # as `evaluate` returns it: a bound of a size may be negative
        return None, sympy.Rational(value)
    if not units.is_sequence(value):
        return None, rational(symbol, value)
    places = [place for place, one in enumerate(units.sequence(value, symbol.name)) if one is not None]
    if len(places) != 1:
        raise InputError(symbol.name, value, "a list in which one result is given, the others are None")
    return places[0], rational(symbol, value[places[0]])  # type: ignore[index]  # a sequence


def _as_fractions(value: Any) -> Any:
    return [_as_fractions(item) for item in value] if isinstance(value, list) else Fraction(int(value.p), int(value.q))


def _pieces(difference: Any) -> Iterator[_Piece]:
    """Yield the pieces of a piecewise rational function: numerator, denominator, and condition."""
    folded = sympy.piecewise_fold(sympy.sympify(difference).rewrite(sympy.Piecewise))
    before = sympy.false
    for value, condition in folded.args if folded.is_Piecewise else [(folded, sympy.true)]:
        if value is sympy.nan:  # no such result there
            before = sympy.Or(before, condition)
            continue
        over, under = sympy.fraction(sympy.cancel(value) if not value.atoms(sympy.Function) else sympy.together(value))
        yield sympy.expand(over), under, sympy.And(condition, sympy.Not(before))
        before = sympy.Or(before, condition)


def _roots(over: Any, under: Any, condition: Any, symbol: Any) -> Iterator[Any]:
    """Yield the exact real roots of a rational function that satisfy its condition."""
    if over.has(symbol):
        for root in sympy.real_roots(sympy.Poly(over, symbol)):
            if under.subs(symbol, root) != 0 and bool(condition.subs(symbol, root)):
                yield root


def values_where(condition: Any, symbol: Symbol, *, whole: bool = True) -> list[Any]:
    """Return a list with the set of values of a symbol that satisfy a condition; empty if there are none.

    `whole`: restrict the set to whole numbers if the symbol is one.
    """
    free = sympy.Dummy(real=True)
    domain = {"positive": free > 0, "number": free > 0, "real": sympy.true, "share": (free >= 0) & (free <= 1)}
    found = sympy.And(condition.xreplace({letter_of(symbol): free}), domain.get(symbol.domain, free >= 0))
    try:
        holds = found.as_set() if found.free_symbols else sympy.S.Reals if found == sympy.true else sympy.S.EmptySet
    except (NotImplementedError, TypeError):
        raise InputError("unknown", symbol.name, "a symbol for which the conditions can be solved") from None
    if whole and symbol.domain in ("count", "number"):
        holds = sympy.Intersection(holds, sympy.S.Integers)
    return [] if holds is sympy.S.EmptySet else [holds]


def _parts(sets: Sequence[Any]) -> list[Any]:
    return [part for held in sets for part in (held.args if held.is_Union else (held,))]


def _outside(question: _Question, found: Sequence[Extent]) -> str:
    """Describe the bounds of the result that exclude the target."""
    result = symbol_named(question.statement, question.name)
    under = [extent.high for extent in found if bool(extent.high.value <= question.target)]
    over = [extent.low for extent in found if bool(extent.low.value >= question.target)]
    said = []
    if under:
        said.append(max(under, key=lambda end: end.value).told("most", result, question.symbol, question.target))
    if over:
        said.append(min(over, key=lambda end: end.value).told("least", result, question.symbol, question.target))
    return ", or ".join(said) if len(under) + len(over) == len(found) else ""  # else between two whole numbers


def _contradiction(question: _Question) -> str:
    """Name the hypothesis that no value of the symbol satisfies."""
    held = list[Any]()
    for test in question.known:
        held.append(sympy.sympify(data.at(test, question.at)))
        try:
            possible = values_where(sympy.And(*held), question.symbol)
        except InputError:
            return ""
        if not possible:
            return f"no {question.symbol.name} is possible: {question.statement.shown_condition(test)}"
    return f"no value of {question.symbol.name} belongs to a case that has {question.name}"
