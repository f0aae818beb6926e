"""One step of Algorithm 1 in symbols, for M queues; queue p is 0 and the victim is 1, without loss of generality.

Everything that is proved about a step is symmetric in the queues, so that the names of p and of the victim do not
matter, nor does the tie-break: any queue with the largest extra may be queue 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

__all__ = ["QUEUES", "Step", "step"]

QUEUES = (2, 3, 4, 5)
"""The numbers of queues for which each obligation is given to both solvers."""


@dataclass(frozen=True)
class Step:
    """Thresholds before (T) and after (T_new) a packet of s bytes for queue 0, and the conditions of the lines.

    `largest` is line 2, `refused` line 3 and `may_give` its negation; `legal` says that thresholds, lengths and sizes
    are what they should be before the step, the sum of the thresholds being B = sum S.
    """

    M: int
    T: tuple[sympy.Symbol, ...]
    q: tuple[sympy.Symbol, ...]
    S: tuple[sympy.Symbol, ...]
    s: sympy.Symbol

    @property
    def T_new(self) -> tuple[sympy.Expr, ...]:
        """Lines 6 and 7."""
        return (self.T[0] + self.s, self.T[1] - self.s, *self.T[2:])

    @property
    def largest(self) -> list[sympy.Basic]:
        """Line 2: the victim has the largest extra of the others."""
        first = self.T[1] - self.S[1]
        return [first >= self.T[i] - self.S[i] for i in range(2, self.M)]

    @property
    def may_give(self) -> list[sympy.Basic]:
        """Line 3 lets the victim give."""
        lowered = self.T[1] - self.s
        return [lowered >= 0, sympy.Or(self.q[1] <= 0, lowered >= self.S[1])]

    @property
    def refused(self) -> sympy.Basic:
        """Line 3 drops the packet."""
        lowered = self.T[1] - self.s
        return sympy.Or(lowered < 0, sympy.And(self.q[1] > 0, lowered < self.S[1]))

    @property
    def legal(self) -> list[sympy.Basic]:
        """What holds before the step."""
        everyone = range(self.M)
        signs = [item >= 0 for i in everyone for item in (self.T[i], self.q[i])]
        positive = [self.s > 0, *(self.S[i] > 0 for i in everyone)]
        return [*signs, *positive, sympy.Eq(sum(self.T), sum(self.S))]


def step(M: int) -> Step:
    """Return the step for M queues."""

    def family(name: str) -> tuple[sympy.Symbol, ...]:
        return tuple(sympy.symbols(f"{name}0:{M}", real=True))

    return Step(M, family("T"), family("q"), family("S"), sympy.Symbol("s", real=True))
