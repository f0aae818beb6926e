"""Exact numbers at a positive irrational root of a polynomial, for boundary points without rational coordinates.

A number is a polynomial in the root, of lower degree than the minimal polynomial (which makes it unique), and in the
end, which is later than everything. The fluid engine computes with it as with fractions, and all comparisons are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import prod
from typing import Any

import flint

from dtmodel.derive.algebra.domain import ONE
from dtmodel.derive.algebra.number import LimitError, Operators, Polynomial, Ratio
from dtmodel.derive.algebra.reals import Algebraic, Univariate, real_roots, sign_at
from dtmodel.derive.search.paths import FamilyProblem, Limits
from dtmodel.derive.search.run import run_family

_Plain = Any  # flint.fmpq_poly; python-flint has no types


class AtRoot(Operators):
    """A number: the coefficients of the powers of the end, each a polynomial in the root."""

    __slots__ = ("parts", "root")

    def __init__(self, root: Algebraic, parts: Sequence[_Plain]) -> None:
        reduced = [part % _minimal(root) for part in parts]
        while reduced and reduced[-1] == 0:
            reduced.pop()
        self.root, self.parts = root, tuple(reduced)

    @classmethod
    def of(cls, root: Algebraic, value: Fraction | int) -> AtRoot:
        """Return a rational number."""
        exact = Fraction(value)
        return cls(root, [flint.fmpq_poly([flint.fmpq(exact.numerator, exact.denominator)])])

    @classmethod
    def end(cls, root: Algebraic) -> AtRoot:
        """Return a number that is greater than all others."""
        return cls(root, [flint.fmpq_poly([0]), flint.fmpq_poly([1])])

    def _constant(self, value: Fraction | int) -> AtRoot:
        return AtRoot.of(self.root, value)

    def _plus(self, right: AtRoot) -> AtRoot:
        short, long = sorted((self.parts, right.parts), key=len)
        return AtRoot(self.root, [a + b for a, b in zip(short, long, strict=False)] + list(long[len(short) :]))

    def _negative(self) -> AtRoot:
        return AtRoot(self.root, [-part for part in self.parts])

    def _by(self, right: AtRoot) -> AtRoot:
        parts = [flint.fmpq_poly([0])] * (len(self.parts) + len(right.parts))
        for i, one in enumerate(self.parts):
            for j, two in enumerate(right.parts):
                parts[i + j] = parts[i + j] + one * two
        return AtRoot(self.root, parts)

    def _over(self, right: AtRoot) -> AtRoot:
        if not right.parts:
            raise ZeroDivisionError("a number at a root divided by 0")
        if len(right.parts) > 1:
            raise LimitError("a number that depends on the end divides")
        _, inverse, _ = right.parts[0].xgcd(_minimal(self.root))  # the greatest common divisor is 1
        return AtRoot(self.root, [part * inverse for part in self.parts])

    def __mod__(self, other: AtRoot) -> AtRoot:
        """Return the remainder of the division of a nonnegative number by a positive one."""
        if len(self.parts) > 1:
            raise LimitError("a timer that expires until the end")
        rest = self
        while rest >= other:
            step = other
            while step * 2 <= rest:
                step = step * 2
            rest = rest - step
        return rest

    def __pow__(self, exponent: int) -> AtRoot:
        base = self if exponent >= 0 else 1 / self
        return prod([base] * abs(exponent), start=AtRoot.of(self.root, 1))

    def sign(self) -> int:
        """Return the sign: that of the highest power of the end."""
        return sign_at(self.parts[-1].numer(), self.root) if self.parts else 0

    def __eq__(self, other: object) -> bool:
        right = self._read(other)
        return right is not None and self.parts == right.parts

    def __hash__(self) -> int:
        return hash(tuple(tuple((int(c.p), int(c.q)) for c in part.coeffs()) for part in self.parts))

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __repr__(self) -> str:
        return " + ".join(f"({part}){f'*end^{i}' if i else ''}" for i, part in enumerate(self.parts)) or "0"

    def polynomial(self) -> _Plain:
        """Return the polynomial in the root; raise `LimitError` if the number depends on the end."""
        if len(self.parts) > 1:
            raise LimitError("an answer that depends on the end")
        return self.parts[0] if self.parts else flint.fmpq_poly([0])


@lru_cache(4096)
def _minimal(root: Algebraic) -> _Plain:
    return flint.fmpq_poly(list(root.coefficients))


def roots_of(poly: Polynomial, problem: FamilyProblem) -> list[Algebraic]:
    """Return the irrational roots of a polynomial in a problem of one symbol that lie in the domain, in order."""
    found = (root for root in real_roots([of_one_symbol(poly)]) if isinstance(root, Algebraic) and root > Fraction(0))
    return [root for root in found if _lies_in(root, problem)]


def answers_at(root: Algebraic, problem: FamilyProblem, limits: Limits) -> dict[str, Ratio | None]:
    """Run a family of one symbol at a root: answers as functions of it, `LimitError`, or `ZeroDivisionError`."""

    def at(ratio: Ratio) -> AtRoot:
        top, bottom = (AtRoot(root, [flint.fmpq_poly(of_one_symbol(poly))]) for poly in (ratio.top, ratio.bottom))
        return top / bottom

    def function(number: AtRoot) -> Ratio:
        (symbol,) = problem.ring.symbols[1:]
        terms = enumerate(number.polynomial().coeffs())
        return sum((symbol**power * Fraction(int(c.p), int(c.q)) for power, c in terms), problem.ring(0))

    values = {name: at(value) for name, value in problem.values.items()}
    one = values[ONE]
    seen = run_family(
        problem.family, values, partial(AtRoot.of, root), AtRoot.end(root), one, limits.events, limits.expiries
    )
    return {key: None if answer is None else function(answer) for key, answer in seen.answers.items()}


def _lies_in(root: Algebraic, problem: FamilyProblem) -> bool:
    signs = [(sign_at(of_one_symbol(poly), root), strict) for poly, strict in problem.bounds]
    return all(sign > 0 or (sign == 0 and not strict) for sign, strict in signs)


def of_one_symbol(poly: Polynomial) -> Univariate:
    """Convert a polynomial in the end and one symbol, which does not contain the end, to one in the symbol.

    >>> from dtmodel.derive.algebra.number import Field
    >>> end, x = Field(["_end", "x"]).symbols
    >>> of_one_symbol((x * x - 2).top)
    x^2 + (-2)
    """
    coefficients = {int(powers[1]): int(factor) for powers, factor in poly.terms()}
    return flint.fmpz_poly([coefficients.get(power, 0) for power in range(max(coefficients, default=0) + 1)])
