"""Expressions that become LaTeX when a formula computes with them, without SymPy; parts keep the order of the code."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from dtmodel.base.mathtext import symbol_of


@final
@dataclass(frozen=True, eq=False)
class Written:
    r"""An expression in LaTeX: a sum of `terms`, or the product of the factors `over`, divided by those `under`.

    An expression without such parts, such as a symbol, is its own only factor.
    """

    latex: str
    terms: tuple[Written, ...] = ()
    over: tuple[Written, ...] = ()
    under: tuple[Written, ...] = ()

    @staticmethod
    def symbol(name: str) -> Written:
        r"""Return a symbol: a Greek word as its letter, any other name literally."""
        greek = symbol_of(name) == f"\\{name}"
        return Written(f"\\{name}" if greek else name)

    def __add__(self, other: Any) -> Written:
        return _sum(self, of(other))

    def __radd__(self, other: Any) -> Written:
        return _sum(of(other), self)

    def __sub__(self, other: Any) -> Written:
        return _sum(self, -of(other))

    def __rsub__(self, other: Any) -> Written:
        return _sum(of(other), -self)

    def __neg__(self) -> Written:
        return Written(f"-{self.factor()}", over=(Written("-1"), *(self.over or (self,))), under=self.under)

    def __mul__(self, other: Any) -> Written:
        return _product(self, of(other))

    def __rmul__(self, other: Any) -> Written:
        return _product(of(other), self)

    def __truediv__(self, other: Any) -> Written:
        divisor = of(other)
        whole = (divisor,) if divisor.under else divisor.over or (divisor,)
        return _quotient(self.over or (self,), self.under + whole)

    def __rtruediv__(self, other: Any) -> Written:
        return of(other) / self

    def __floordiv__(self, other: Any) -> Written:
        return (self / of(other)).floor()

    def __rfloordiv__(self, other: Any) -> Written:
        return of(other) // self

    def __pow__(self, other: Any) -> Written:
        plain = not (self.terms or self.over or "^" in self.latex)
        return Written(f"{self.latex if plain else self._wrapped()}^{{{of(other).latex}}}")

    def __rpow__(self, other: Any) -> Written:
        return of(other) ** self

    def __abs__(self) -> Written:
        return Written(rf"\left|{{{self.latex}}}\right|")

    def __le__(self, other: Any) -> Written:
        return self._related(r"\leq", other)

    def __lt__(self, other: Any) -> Written:
        return self._related("<", other)

    def __ge__(self, other: Any) -> Written:
        return self._related(r"\geq", other)

    def __gt__(self, other: Any) -> Written:
        return self._related(">", other)

    def _related(self, sign: str, other: Any) -> Written:
        return Written(f"{self.latex} {sign} {of(other).latex}")

    def floor(self) -> Written:
        """Return the floor, for `dtmodel.theorems.operations.rounded_down`."""
        return Written(rf"\left\lfloor{{{self.latex}}}\right\rfloor")

    def ceil(self) -> Written:
        """Return the ceiling, for `dtmodel.theorems.operations.rounded_up`."""
        return Written(rf"\left\lceil{{{self.latex}}}\right\rceil")

    def log2(self) -> Written:
        """Return the logarithm to base 2."""
        return Written(rf"\log_{{2}}{self._wrapped()}")

    def minimum(self, values: Any) -> Written:
        """Return the minimum of several `values`, for `dtmodel.theorems.operations.least`."""
        return _listed(r"\min", values)

    def maximum(self, values: Any) -> Written:
        """Return the maximum of several `values`, for `dtmodel.theorems.operations.greatest`."""
        return _listed(r"\max", values)

    def _wrapped(self) -> str:
        return rf"\left({self.latex}\right)"

    def factor(self) -> str:
        """Return the expression as a part of a product."""
        return self._wrapped() if self.terms or self.latex.startswith("-") else self.latex


def of(value: Any) -> Written:
    """Return an expression, or a number as one."""
    if isinstance(value, Written):
        return value
    number = Fraction(value)
    if number < 0:
        return -of(-number)
    whole = Written(str(number.numerator))
    return whole if number.denominator == 1 else whole / number.denominator


def _sum(left: Written, right: Written) -> Written:
    terms = (left.terms or (left,)) + (right.terms or (right,))
    first, *rest = (term.latex for term in terms)
    return Written(first + "".join(f" - {each[1:]}" if each[0] == "-" else f" + {each}" for each in rest), terms)


def _product(left: Written, right: Written) -> Written:
    return _quotient((left.over or (left,)) + (right.over or (right,)), left.under + right.under)


def _quotient(over: tuple[Written, ...], under: tuple[Written, ...]) -> Written:
    sign = "-" if over[0].latex == "-1" else ""
    factors = tuple(each for each in over[bool(sign) :] if each.latex != "1") or (Written("1"),)
    negative = (over[0], *factors) if sign else factors
    if not under and len(factors) == 1:
        return -factors[0] if sign else factors[0]
    line = rf"\frac{{{_line(factors)}}}{{{_line(under)}}}" if under else _line(factors)
    return Written(sign + line, over=negative, under=under)


def _line(factors: tuple[Written, ...]) -> str:
    """Return a product, with a dot before a number that follows a number."""
    if len(factors) == 1:
        return factors[0].latex
    line = ""
    for factor in (each.factor() for each in factors):
        line += (r" \cdot " if line[-1:].isdigit() and factor[0].isdigit() else " ") + factor
    return line[1:]


def _listed(name: str, values: Any) -> Written:
    """Return a minimum or a maximum, with sums and products after single symbols and numbers."""
    first, *rest = sorted(map(of, values), key=lambda value: bool(value.terms or value.over))
    return Written(rf"{name}\left({', '.join(part.latex for part in (first, *rest))}\right)") if rest else first
