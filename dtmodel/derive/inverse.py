"""For which values of one symbol an answer of a derived theorem is as wanted: exact intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dtmodel import units
from dtmodel.derive.number import Field, Polynomial, Ratio
from dtmodel.documents import choice
from dtmodel.errors import InputError

if TYPE_CHECKING:
    from dtmodel.derive.theorem import DerivedTheorem

__all__ = ["Interval", "inverse"]


@dataclass(frozen=True)
class Interval:
    """Values from `low` to `high` (None: without end); an end that is a root, not a rational, is a SymPy number.

    `with_low` and `with_high` say whether the ends belong to it.
    """

    low: Any
    high: Any
    with_low: bool
    with_high: bool

    def __str__(self) -> str:
        """Write it as mathematicians do."""
        low, high = ("oo" if end is None else str(end) for end in (self.low, self.high))
        return f"{'[' if self.with_low else '('}{low}, {high}{']' if self.with_high else ')'}"


def inverse(
    theorem: DerivedTheorem, symbol: str, wanted: Any, at: Sequence[Mapping[str, Any]], key: str
) -> tuple[Interval, ...]:
    """Invert a theorem; `DerivedTheorem.inverse` says how.

    Examples
    --------
    >>> from dtmodel.derive import derive
    >>> theorem = derive({"symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "R": "> C"},
    ...     "policy": {"name": "dt", "alpha": "alpha"}, "switch": {"buffer": "B", "rate": "C"},
    ...     "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}]})
    >>> [str(interval) for interval in theorem.inverse("B", 3, {"alpha": 1, "C": 1, "R": 2})]
    ['[6, oo)']
    """
    import sympy

    choice(symbol, "symbol", tuple(theorem.family.symbols))
    choice(key, "key", theorem.keys)
    if not at:
        raise InputError("at", at, "values of the other symbols")
    least = None if wanted is None else units.exact(wanted, "wanted")
    lines = [_Line(theorem, symbol, least, values, key) for values in at]
    x = sympy.Symbol("x")
    polys = {sympy.Poly(_coefficients(poly), x) for line in lines for poly in line.polys()}
    roots = sorted({root for poly in polys if poly.degree() > 0 for root in poly.real_roots()})
    samples: list[Any] = []
    for index, root in enumerate(roots):
        samples += [_between(roots[index - 1] if index else None, root), root]
    samples.append(_between(roots[-1] if roots else None, None))
    good = [all(line.holds(sample, x) for line in lines) for sample in samples]
    return tuple(_intervals(roots, good))


def _coefficients(poly: Polynomial) -> list[int]:
    """Return the coefficients of a polynomial in one symbol, the highest first."""
    found = {int(powers[0]): int(c) for powers, c in poly.terms()}
    return [found.get(power, 0) for power in range(max(found, default=0), -1, -1)]


def _between(low: Any, high: Any) -> Fraction:
    """Return a rational number between two real ones."""
    if low is None or high is None:
        end = high if low is None else low
        return Fraction(0) if end is None else Fraction(int(end)) + (-2 if low is None else 2)
    places = 20
    while True:  # roots that differ are apart at some precision
        middle = Fraction(str(((low + high) / 2).evalf(places)))
        if low < middle < high:
            return middle
        places *= 2


def _intervals(roots: Sequence[Any], good: Sequence[bool]) -> list[Interval]:
    """Join what holds between roots (even places) and at roots (odd places)."""
    found: list[Interval] = []
    ends = [_plain(root) for root in roots]
    begin: int | None = None
    for place, holds in enumerate([*good, False]):
        if holds and begin is None:
            begin = place
        elif not holds and begin is not None:
            last = place - 1
            low = ends[begin // 2] if begin % 2 else ends[begin // 2 - 1] if begin else None
            high = ends[last // 2] if last // 2 < len(ends) else None
            found.append(Interval(low, high, begin % 2 == 1, last % 2 == 1))
            begin = None
    return found


def _plain(root: Any) -> Any:
    return Fraction(int(root.p), int(root.q)) if root.is_Rational else root


class _Line:
    """A theorem along one symbol, the others being given: conditions and answers in that symbol alone."""

    def __init__(
        self, theorem: DerivedTheorem, symbol: str, least: Fraction | None, given: Mapping[str, Any], key: str
    ) -> None:
        self.field = field = Field(["x"])
        values: dict[str, Ratio] = {}
        for name in theorem.family.symbols:
            if name == symbol:
                values[name] = field.symbol("x")
            elif name not in given:
                raise InputError(f"at.{name}", "nothing", "a value: it is a symbol of the theorem")
            else:
                values[name] = field(units.exact(given[name], f"at.{name}"))
        domain, into = theorem.domain, dict[str, Ratio]()
        for slack in domain.slacks:
            plain = slack.bound is None or slack.symbol in domain.relaxed
            bound = 0 if plain or slack.bound is None else slack.bound.value(values)
            into[slack.symbol if plain else slack.name] = values[slack.symbol] - bound
        self.domain = [
            (self._poly(field(0) + r.left.value(values) - r.right.value(values)), r.sign)
            for relations in theorem.family.symbols.values()
            for r in relations
        ]
        self.cases: list[tuple[list[tuple[Polynomial, str]], Polynomial | None]] = []
        for case in theorem.cases:
            when = [(self._poly(Ratio(domain.outer, c.poly, domain.outer.one).replaced(into, field)), c.relation)
                    for c in case.when]  # fmt: skip
            answer = case.answers[key]
            enough = field.one  # never is enough
            if answer is not None:
                enough = -field.one if least is None else self._poly(answer.replaced(into, field) - least)
            self.cases.append((when, enough))

    @staticmethod
    def _poly(ratio: Ratio) -> Polynomial:
        """Return a polynomial of the sign of a function."""
        return ratio.top * ratio.bottom

    def polys(self) -> list[Polynomial]:
        """Return all on which it depends what holds."""
        found = [poly for poly, _ in self.domain]
        for when, enough in self.cases:
            found += [*(poly for poly, _ in when), enough]
        return [poly for poly in found if poly is not None and not poly.is_zero()]

    def holds(self, value: Any, x: Any) -> bool:
        """Tell whether the answer is as wanted at a value of the symbol."""
        if not all(_true(_sign(poly, value, x), relation) for poly, relation in self.domain):
            return False
        for when, enough in self.cases:
            if all(_true(_sign(poly, value, x), relation) for poly, relation in when):
                return enough is not None and _sign(enough, value, x) >= 0
        return False


def _true(sign: int, relation: str) -> bool:
    return {">": sign > 0, ">=": sign >= 0, "<": sign < 0, "<=": sign <= 0, "==": sign == 0}[relation]


def _sign(poly: Polynomial, value: Any, x: Any) -> int:
    """Return the sign of a polynomial at a rational number or a root."""
    import sympy

    if isinstance(value, Fraction) or value.is_Rational:
        exact = value if isinstance(value, Fraction) else Fraction(int(value.p), int(value.q))
        total = sum((int(c) * exact ** int(powers[0]) for powers, c in poly.terms()), Fraction(0))
        return (total > 0) - (total < 0)
    whole = sympy.Poly(_coefficients(poly), x)
    if whole.is_zero or whole.rem(sympy.Poly(sympy.minimal_polynomial(value, x), x)).is_zero:
        return 0
    return int(sympy.sign(whole.as_expr().subs(x, value).evalf(50)))
