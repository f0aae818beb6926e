"""The cost of Algorithm 1 of DynaQ in hardware (Sections 3.2.2 and 4.1): comparisons in rounds, and clock cycles."""

from dataclasses import dataclass
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.theorems.operations import is_symbolic, rounded_up
from dtmodel.theorems.written import Written


def tournament_depth(M: Any) -> Any:
    r"""Return :math:`\lceil \log_2 M \rceil`, the rounds of pairwise comparisons that find the largest of M."""
    if isinstance(M, Written):
        return rounded_up(M.log2())
    if is_symbolic(M):
        from sympy.codegen.cfunctions import log2

        return rounded_up(log2(M))
    if M < 1:
        raise InputError("queues", M, "a whole number of at least 1")
    return (M - 1).bit_length()


@dataclass(frozen=True)
class Cycles:
    """Clock cycles of Algorithm 1 by the paper's accounting: line 1, line 2, line 3, lines 6 and 7."""

    line1: int
    line2: int
    line3: int
    lines67: int

    @property
    def total(self) -> int:
        """The worst case: every line is executed."""
        return self.line1 + self.line2 + self.line3 + self.lines67


def cycles(M: Any) -> Cycles:
    """Return the clock cycles for M queues: one for line 1, a tournament, two for line 3, one for lines 6 and 7."""
    return Cycles(1, tournament_depth(M), 2, 1)
