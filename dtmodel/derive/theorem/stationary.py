"""Extrema of an answer along one symbol while other symbols have no value: its direction and its turns in each case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from dtmodel.base.documents import choice
from dtmodel.base.mathtext import MathDisplay, array_of, symbol_of
from dtmodel.derive.algebra.number import Field, Polynomial, Ratio, factors_of
from dtmodel.derive.algebra.writing import Writer
from dtmodel.derive.search.cases import DerivedCase, name_of
from dtmodel.derive.theorem.data import CaseData
from dtmodel.derive.theorem.restricting import restricted, wanted_part
from dtmodel.derive.theorem.slices import refuse_symbol

DIRECTIONS = {1: "rises", -1: "falls", 0: "is constant"}


@final
@dataclass(frozen=True)
class CaseTurns:
    """An answer along one symbol in one case.

    - `case`: the number of the case.
    - `direction`: "rises", "falls" or "is constant" throughout; "turns" where a polynomial is 0; "is never". For a
      wanted value: "has it" where a polynomial is 0, "has it throughout", "does not have it", or "is never".
    - `polynomials` (tuple of str): those at whose zeros the derivative may change sign, or the answer is the wanted.
    - `roots` (tuple of SymPy expressions): their zeros, each where it is real and in the case; for degrees up to 2.
    - `texts`, `formulas` (tuple of str): the zeros as texts, and in LaTeX.

    >>> CaseTurns(0, "rises").document()
    {'case': 0, 'direction': 'rises'}
    """

    case: int
    direction: str
    polynomials: tuple[str, ...] = ()
    roots: tuple[Any, ...] = ()
    texts: tuple[str, ...] = ()
    formulas: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """Return the case in JSON."""
        turns = {"polynomials": list(self.polynomials), "roots": list(self.texts)} if self.polynomials else {}
        return {"case": self.case, "direction": self.direction} | turns


@final
@dataclass(frozen=True, repr=False)
class Turns(MathDisplay):
    """The candidates for an extremum of an answer (`of`) along a symbol (`over`) in each case (`cases`).

    An extremum lies at a zero of a polynomial inside its case, or at an end of a case. If a value is `wanted`, the
    candidates are the places at which the answer has it.

    >>> print(Turns("first_drop", "alpha", (CaseTurns(0, "rises"),)))
    first_drop along alpha: case 0 rises
    """

    of: str
    over: str
    cases: tuple[CaseTurns, ...]
    wanted: str = ""

    def document(self) -> dict[str, Any]:
        """Return the candidates in JSON."""
        wanted = {"wanted": self.wanted} if self.wanted else {}
        return {"of": self.of, **wanted, "over": self.over, "cases": [each.document() for each in self.cases]}

    def latex(self) -> str:
        """Return the zeros at which the answer turns in LaTeX, and its direction in the other cases."""
        symbol = symbol_of(self.over)
        lines = []
        for each in self.cases:
            roots = r"\ \text{or}\ ".join(f"{symbol} = {root}" for root in each.formulas)
            where = rf"\ \text{{at}}\ {roots}" if roots else ""
            lines.append(rf"\text{{case {each.case}: }} {name_of(self.of)}\ \text{{{each.direction}}}{where}")
        return array_of(lines)

    def __repr__(self) -> str:
        head = f"{self.of} = {self.wanted}" if self.wanted else self.of
        return f"{head} along {self.over}: {'; '.join(self._line(each) for each in self.cases)}"

    def _line(self, each: CaseTurns) -> str:
        where = [f"{self.over} = {text}" for text in each.texts] or [f"{text} = 0" for text in each.polynomials]
        return f"case {each.case} {each.direction}" + (f" at {' or '.join(where)}" if where else "")


def turns(theorem: CaseData, key: str, over: str, given: Mapping[str, Any]) -> Turns:
    """Return the directions and turns of an answer, as `DerivedTheorem.maximize` documents."""
    choice(key, "result", theorem.keys)
    part = restricted(theorem, given)
    line = _Line(part.theorem, over)
    cases = zip(part.numbers, part.theorem.cases, strict=True)
    return Turns(key, over, tuple(line.case(number, case, key) for number, case in cases))


def reached(theorem: CaseData, unknown: str, wanted: Any, key: str, given: Mapping[str, Any]) -> Turns:
    """Return the values of a symbol for which an answer has a given value, as formulas of the symbols without a value.

    `wanted` is a number, ``"never"`` or an expression, in which new names are positive symbols.
    """
    refuse_symbol(theorem, unknown, "unknown")
    part, term = wanted_part(theorem, key, wanted, given)
    line = _Line(part.theorem, unknown)
    letters = {name: line.field.symbol(name) for name in line.field.names}
    target: Ratio | None = None if term is None else line.field(0) + term.value(letters)
    cases = zip(part.numbers, part.theorem.cases, strict=True)
    return Turns(key, unknown, tuple(line.solved(number, case, key, target) for number, case in cases), str(wanted))


class _Line:
    """The symbols of a theorem, in which the derivative along one of them is written."""

    def __init__(self, theorem: CaseData, over: str) -> None:
        self.domain, self.over = theorem.domain, over
        self.field = Field(list(theorem.family.symbols))
        self.slacks = self.domain.slack_values({name: self.field.symbol(name) for name in self.field.names})

    def solved(self, number: int, case: DerivedCase, key: str, target: Ratio | None) -> CaseTurns:
        """Return the values of the symbol at which the answer of a case is a target; None is "never"."""
        answer, self.inside = case.answers[key], case.example or None
        if answer is None or target is None:
            return CaseTurns(number, "is never" if answer is None else "is not never")
        difference = (answer.replaced(self.slacks, self.field) - target).top
        if difference.is_zero():
            return CaseTurns(number, "has it throughout")
        unknown = [factor for factor, _ in factors_of(difference)[1] if not self._sign(factor)]
        return self._turning(number, "has it" if unknown else "does not have it", unknown)

    def case(self, number: int, case: DerivedCase, key: str) -> CaseTurns:
        """Return the direction of the answer of a case, or the polynomials at whose zeros it turns."""
        answer, self.inside = case.answers[key], case.example or None
        if answer is None:
            return CaseTurns(number, "is never")
        moved = answer.replaced(self.slacks, self.field)
        top, bottom = moved.top, moved.bottom
        slope = top.derivative(self.over) * bottom - top * bottom.derivative(self.over)
        if slope.is_zero():
            return CaseTurns(number, DIRECTIONS[0])
        content, factors = factors_of(slope)
        sign, unknown = 1 if content > 0 else -1, []
        for factor, power in factors:
            known = self._sign(factor) if power % 2 else 1
            sign *= known or 1
            unknown += [] if known else [factor]
        if not unknown:
            return CaseTurns(number, DIRECTIONS[sign])
        return self._turning(number, "turns", unknown)

    def _turning(self, number: int, direction: str, unknown: Sequence[Polynomial]) -> CaseTurns:
        found = [root for factor in unknown for root in self._roots(factor)]
        moved = (Ratio(self.field, factor, self.field.one).replaced(self.domain.outside(), self.domain.outer)
                 for factor in unknown)  # fmt: skip
        texts = tuple(Writer(self.domain).ratio(each) for each in moved)
        columns = tuple(zip(*found, strict=True)) or ((), (), ())
        return CaseTurns(number, direction, texts, *columns)

    def _sign(self, poly: Polynomial) -> int:
        """Return the sign of a polynomial if its coefficients show it, else 0."""
        signs = {1 if c > 0 else -1 for c in poly.coeffs()}
        if len(signs) == 1:
            return signs.pop()
        outer = Ratio(self.field, poly, self.field.one).replaced(self.domain.outside(), self.domain.outer)
        return next((s for s in (1, -1) if self.domain.positive(outer.top * s)), 0)

    def _roots(self, poly: Polynomial) -> list[tuple[Any, str, str]]:
        """Return the zeros of a polynomial of degree 1 or 2 in the symbol, with their texts and LaTeX."""
        import sympy

        place = self.field.names.index(self.over)
        parts: dict[int, dict[tuple[int, ...], int]] = {}
        for powers, factor in poly.terms():
            row = tuple(map(int, powers))
            parts.setdefault(row[place], {})[(*row[:place], 0, *row[place + 1 :])] = int(factor)
        if max(parts) not in {1, 2}:
            return []
        c, b, a = (Ratio(self.field, self.field.context.from_dict(parts.get(n, {})), self.field.one) for n in range(3))
        if not a:
            root = (-c / b).replaced(self.domain.outside(), self.domain.outer)
            texts = (Writer(self.domain, latex=latex).ratio(root, self.inside) for latex in (False, True))
            return [(self._sympy(-c / b), *texts)]
        if not b:
            text, formula = self._text(-c / a), self._text(-c / a, latex=True)
            return [(sympy.sqrt(self._sympy(-c / a)), f"sqrt({text})", rf"\sqrt{{{formula}}}")]
        half, inside = -b / (2 * a), (b * b - 4 * a * c) / (4 * a * a)
        first, last = (
            rf"{self._text(half, latex=True)} {sign} \sqrt{{{self._text(inside, latex=True)}}}" for sign in "-+"
        )
        texts = (f"{self._text(half)} {sign} sqrt({self._text(inside)})" for sign in "-+")
        roots = (self._sympy(half) + sign * sympy.sqrt(self._sympy(inside)) for sign in (-1, 1))
        return list(zip(roots, texts, (first, last), strict=True))

    def _text(self, ratio: Ratio, *, latex: bool = False) -> str:
        outer = ratio.replaced(self.domain.outside(), self.domain.outer)
        return Writer(self.domain, latex=latex).ratio(outer, self.inside)

    def _sympy(self, ratio: Ratio) -> Any:
        import sympy

        from dtmodel.derive.search.cases import expression

        at = [sympy.Symbol(name, positive=True) for name in self.field.names]
        return sympy.factor(expression(ratio.top, at) / expression(ratio.bottom, at))
