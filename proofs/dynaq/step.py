"""One step of DynaQ's Algorithm 1 for SMT solvers: any thresholds, queues and weights."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sympy as sp

from dtmodel.ledger import Proved, check
from dtmodel.ledger.provers import smt

W, whole, w, K = sp.symbols("W whole w K", positive=True)
X = sp.Symbol("X", nonnegative=True)
T_p, T_v, T_o, R, S_p, S_v, S_o, q_p, q_v, q_o, s = sp.symbols("T_p T_v T_o R S_p S_v S_o q_p q_v q_o s", real=True)


def parts_add_up(amount: sp.Expr) -> None:
    """Check amount W_k / W + amount w / W = amount (W_k + w) / W: so all parts add up to amount W / W."""
    so_far = sp.Symbol("so_far", nonnegative=True)
    check(sp.cancel(amount * so_far / whole + amount * w / whole - amount * (so_far + w) / whole) == 0, str(amount))
    check(sp.cancel(amount * whole / whole - amount) == 0, "all weights")
    check((amount * w / whole).is_positive, "each part is positive")


QUEUES = (2, 3, 4, 5)
"""The numbers of queues for which each obligation is given to both solvers."""


@dataclass(frozen=True)
class Step:
    """Thresholds before (T) and after (T_new) a packet of s bytes for queue 0, and the conditions of the lines.

    `largest` is line 2, `refused` line 3 and `may_give` its negation; `legal` says that thresholds, lengths and sizes
    are what they should be before the step, the sum of the thresholds being B = sum S.
    """

    M: int
    T: tuple[sp.Symbol, ...]
    q: tuple[sp.Symbol, ...]
    S: tuple[sp.Symbol, ...]
    s: sp.Symbol

    @property
    def T_new(self) -> tuple[sp.Expr, ...]:
        """Lines 6 and 7."""
        return (self.T[0] + self.s, self.T[1] - self.s, *self.T[2:])

    @property
    def largest(self) -> list[sp.Basic]:
        """Line 2: the victim has the largest extra of the others."""
        first = self.T[1] - self.S[1]
        return [first >= self.T[i] - self.S[i] for i in range(2, self.M)]

    @property
    def may_give(self) -> list[sp.Basic]:
        """Line 3 lets the victim give."""
        lowered = self.T[1] - self.s
        return [lowered >= 0, sp.Or(self.q[1] <= 0, lowered >= self.S[1])]

    @property
    def refused(self) -> sp.Basic:
        """Line 3 drops the packet."""
        lowered = self.T[1] - self.s
        return sp.Or(lowered < 0, sp.And(self.q[1] > 0, lowered < self.S[1]))

    @property
    def legal(self) -> list[sp.Basic]:
        """What holds before the step."""
        everyone = range(self.M)
        signs = [item >= 0 for i in everyone for item in (self.T[i], self.q[i])]
        positive = [self.s > 0, *(self.S[i] > 0 for i in everyone)]
        return [*signs, *positive, sp.Eq(sum(self.T), sum(self.S))]


def step(M: int) -> Step:
    """Return the step for M queues."""

    def family(name: str) -> tuple[sp.Symbol, ...]:
        return tuple(sp.symbols(f"{name}0:{M}", real=True))

    return Step(M, family("T"), family("q"), family("S"), sp.Symbol("s", real=True))


def weights(M: int) -> tuple[sp.Symbol, ...]:
    """Return M positive symbols."""
    return tuple(sp.symbols(f"w1:{M + 1}", positive=True))


def identity(left: sp.Expr, right: sp.Expr) -> None:
    """Check an identity of rational functions."""
    check(sp.cancel(sp.together(left - right)) == 0, f"{left} is not {right}")


LEGAL = [T_p >= 0, T_v >= 0, T_o >= 0, R >= 0, S_p > 0, S_v > 0, S_o > 0, q_p >= 0, q_v >= 0, q_o >= 0, s > 0]
LARGEST = [T_v - S_v >= T_o - S_o]
MAY_GIVE = [T_v - s >= 0, sp.Or(q_v <= 0, T_v - s >= S_v)]
AFTER = {"p": (T_p, T_p + s, S_p, q_p), "v": (T_v, T_v - s, S_v, q_v), "o": (T_o, T_o, S_o, q_o)}
"""For each role: the threshold before and after the step, S and q."""


def for_each_role(goals: Sequence[sp.Basic], hypotheses: Sequence[sp.Basic], detail: str) -> Proved:
    """Prove one goal for each of the three roles."""
    proofs = [smt.prove([*LEGAL, *LARGEST, *MAY_GIVE, *hypotheses], goal) for goal in goals]
    return proofs[0].proved(f"{detail}, for the sender, the victim and any other queue: for every M >= 2")


Obligation = Callable[[Step], tuple[Sequence[sp.Basic], sp.Basic]]


def for_each_number_of_queues(obligation: Obligation, detail: str) -> Proved:
    """Prove the obligation for M = 2 to 5; the example is that of M = 3."""
    examples = {M: smt.prove(*obligation(step(M))).example for M in QUEUES}
    return Proved(f"{detail} (M = {QUEUES[0]} to {QUEUES[-1]})", {str(k): str(v) for k, v in examples[3].items()})
