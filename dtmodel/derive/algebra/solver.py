"""Questions about the signs of polynomials for z3, each in a new child process with a time limit."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from dtmodel.base.units import plain
from dtmodel.derive.algebra.clock import now
from dtmodel.derive.algebra.number import Polynomial

if TYPE_CHECKING:
    from dtmodel.ledger.provers.solvers import Answer


def term(poly: Polynomial, names: Sequence[str]) -> str:
    """Write a polynomial with whole coefficients in SMT-LIB.

    >>> from dtmodel.derive.algebra.number import Field
    >>> x, y = Field(["x", "y"]).symbols
    >>> term((x * x - 2 * y + 1).top, ["x", "y"])
    '(+ (* 1.0 x x) (* (- 2.0) y) 1.0)'
    """
    parts = []
    for powers, factor in poly.terms():
        number = f"{plain(int(factor))}.0" if factor > 0 else f"(- {plain(-int(factor))}.0)"
        symbols = [name for name, power in zip(names, powers, strict=False) for _ in range(int(power))]
        parts.append(f"(* {number} {' '.join(symbols)})" if symbols else number)
    return parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})" if parts else "0.0"


class Question:
    """A set of polynomial relations, whose satisfiability z3 decides."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = [f"s_{name}" for name in names]
        self._plain = dict(zip(names, self.names, strict=True))
        self._parts: list[str] = []

    def positive(self, name: str, relation: str = ">") -> None:
        """Assert that a symbol is positive."""
        self._parts.append(f"({relation} {self._plain[name]} 0.0)")

    def relation(self, poly: Polynomial, relation: str) -> str:
        """Write a relation of a polynomial to 0."""
        return f"({relation} {term(poly, self.names)} 0.0)"

    def sign(self, poly: Polynomial, relation: str) -> None:
        """Assert a relation of a polynomial to 0."""
        self._parts.append(self.relation(poly, relation))

    def add(self, text: str) -> None:
        """Assert a text in SMT-LIB."""
        self._parts.append(text)

    @property
    def script(self) -> str:
        """The question in SMT-LIB."""
        return self._written(self._parts)

    def _written(self, parts: Sequence[str]) -> str:
        declared = [f"(declare-const {name} Real)" for name in self.names]
        return "\n".join(["(set-logic QF_NRA)", *declared, *(f"(assert {part})" for part in parts)])

    def ask(self, seconds: float, deadline: float = math.inf) -> tuple[str, list[tuple[Fraction, ...]]]:
        """Return ``sat``, ``unsat`` or ``unknown``, and rational points near the model, by the deadline.

        The time of z3 depends on the order of the assertions by factors of hundreds: it is restarted with another
        order.
        """
        mixed = random.Random(len(self._parts)).sample(self._parts, len(self._parts))
        answer = _within(self.script, min(1, seconds), deadline)
        for parts in (sorted(self._parts, key=len, reverse=True), mixed):
            if answer.result == "unknown":
                answer = _within(self._written(parts), seconds / 2, deadline)
        if answer.result != "sat":
            return answer.result, []
        values = {**dict.fromkeys(self.names, Fraction(1)), **answer.model}
        values.update({name: value for name, value in answer.other.items() if value is not None})
        return "sat", _rounded([Fraction(values[name]) for name in self.names])


def _within(script: str, seconds: float, deadline: float) -> Answer:
    """Run the solver for the given time, or until the deadline if that is earlier."""
    from dtmodel.ledger.provers.solvers import BACKSTOP, Answer, ask

    left = (deadline - now()) / BACKSTOP
    return ask("z3", script, min(seconds, left)) if left > 0 else Answer("unknown", reason="the deadline is over")


def _rounded(point: list[Fraction]) -> list[tuple[Fraction, ...]]:
    """Return approximations of the point with increasing denominators, and the point itself."""
    return [tuple(x.limit_denominator(most) for x in point) for most in (4, 64, 1024, 10**6, 10**12)] + [tuple(point)]
