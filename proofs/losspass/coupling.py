"""LossPass beside another port, step by step, for SMT solvers."""

from collections.abc import Sequence
from typing import Any

import sympy as sp

from dtmodel.ledger import Outcome, Proved
from dtmodel.ledger.provers import smt

B, b, s, l, t, m = sp.symbols("B b s l t m", integer=True)
LOST = sp.symbols("S L T M", integer=True)  # lost so far: small, large under LossPass; small, large under tail drop
S, L, T, M = LOST
PORTS = [B >= 1, b >= 0, b <= B, s >= 0, l >= 0, t >= 0, m >= 0, s + l <= B, t + m <= B, *(x >= 0 for x in LOST)]


def invariant(s: Any, l: Any, t: Any, m: Any, lost: Sequence[Any]) -> list[Any]:
    """Equally long ports; LossPass lost no more small and no fewer large packets, and as many in total."""
    S, L, T, M = lost
    return [sp.Eq(s + l, t + m), S <= T, L >= M, sp.Eq(S + L, T + M)]


BEFORE = [*PORTS, *invariant(s, l, t, m, LOST)]
FREE = s + l < B
FULL = s + l >= B
EVICTS = [FULL, l >= 1, 1 + s <= B - b]


def keeps(hypotheses: Sequence[Any], after: Sequence[Any]) -> smt.Proof:
    """Prove that both ports are possible and the invariant holds afterwards; `after` is (s, l, t, m, S, L, T, M)."""
    s, l, t, m = after[:4]
    possible = [*(x >= 0 for x in after), s + l <= B, t + m <= B]
    return smt.prove([*BEFORE, *hypotheses], [*possible, *invariant(s, l, t, m, after[4:])])


def isolation_is_least() -> Outcome:
    """Any policy X with Q_s = x <= B and J <= T losses of small packets: T + x >= J + i and T >= J are kept."""
    i, x, J = sp.symbols("i x J", integer=True)

    def ordered(i: Any, x: Any, J: Any, T: Any) -> list[Any]:
        return [T + x >= J + i, T >= J]

    state = [B >= 1, i >= 0, i <= B, x >= 0, x <= B, J >= 0, T >= 0, *ordered(i, x, J, T)]
    smt.prove([*state, i < B, x < B], ordered(i + 1, x + 1, J, T))  # both enqueue
    smt.prove([*state, i < B], ordered(i + 1, x, J, T + 1))  # X loses it
    proof = smt.prove([*state, i >= B, x < B], ordered(i, x + 1, J + 1, T))  # the port of its own loses it
    smt.prove([*state, i >= B], ordered(i, x, J + 1, T + 1))  # both lose it
    smt.prove([*state, x >= 1], ordered(i, x - 1, J, T + 1))  # X pushes a small packet out
    smt.prove([*state, i >= 1], ordered(i - 1, x, J, T))  # X serves a large packet, or none
    smt.prove([*state, i >= 1, x >= 1], ordered(i - 1, x - 1, J, T))  # both serve a small one
    smt.prove([*state, sp.Eq(i, 0), x >= 1], ordered(i, x - 1, J, T))  # only X has a small one
    return Proved(
        "every event keeps T + x >= J + i and T >= J: X has lost at least as many small packets", proof.example
    )
