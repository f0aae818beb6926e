"""Couplings of two ports with packets of one size: LossPass beside tail drop, and beside a port of small flows alone.

Lengths are counted in packets. Two ports see the same arrivals and the same service opportunities; an inductive
invariant relates them, and z3 and cvc5 prove that every event keeps it. Base: both ports are empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.provers import smt

B, b = sp.symbols("B b", integer=True)  # the buffer and the reserve B_l
s, l, t, m = sp.symbols("s l t m", integer=True)  # Q_s and Q_l under LossPass; under tail drop
LOST = sp.symbols("S L T M", integer=True)  # lost so far: small, large under LossPass; small, large under tail drop
S, L, T, M = LOST
PORTS = [B >= 1, b >= 0, b <= B, s >= 0, l >= 0, t >= 0, m >= 0, s + l <= B, t + m <= B, *(x >= 0 for x in LOST)]


def invariant(s: Any, l: Any, t: Any, m: Any, lost: Sequence[Any]) -> list[Any]:
    """Equally long ports; LossPass lost no more small and no fewer large packets, and as many in total."""
    S, L, T, M = lost
    return [sp.Eq(s + l, t + m), S <= T, L >= M, sp.Eq(S + L, T + M)]


BEFORE = [*PORTS, *invariant(s, l, t, m, LOST)]
FREE, FULL = s + l < B, s + l >= B
EVICTS = [FULL, l >= 1, 1 + s <= B - b]


def keeps(hypotheses: Sequence[Any], after: Sequence[Any]) -> smt.Proof:
    """Prove that both ports are possible and the invariant holds afterwards; `after` is (s, l, t, m, S, L, T, M)."""
    s, l, t, m = after[:4]
    possible = [*(x >= 0 for x in after), s + l <= B, t + m <= B]
    return smt.prove([*BEFORE, *hypotheses], [*possible, *invariant(s, l, t, m, after[4:])])


@evidence("losspass.ours.same-size", form="printed", strength="smt")
@evidence("losspass.sec3.3.lp-line-rate", "losspass.sec3.1.passes", "losspass.slides.passes",
          form="assumed", strength="smt")  # fmt: skip
def one_size_couples_losspass_with_tail_drop() -> Outcome:
    """Every event keeps the invariant, whichever class each scheduler serves; the ports are full together."""
    smt.prove(BEFORE, [sp.Eq(s + l, t + m)])  # so "full" and "not empty" mean the same for both
    keeps([FREE], (s + 1, l, t + 1, m, *LOST))  # a small packet fits in both
    keeps([FREE], (s, l + 1, t, m + 1, *LOST))  # a large packet fits in both
    keeps([FULL], (s, l, t, m, S, L + 1, T, M + 1))  # a large packet is dropped by both
    keeps([FULL], (s, l, t, m, S + 1, L, T + 1, M))  # a small packet without an eviction is dropped by both
    proof = keeps(EVICTS, (s + 1, l - 1, t, m, S, L + 1, T + 1, M))  # tail drop loses it, LossPass a large one
    for one in ((s - 1, l), (s, l - 1)):
        for two in ((t - 1, m), (t, m - 1)):
            served = [x >= 0 for x in (*one, *two)]
            keeps(served, (*one, *two, *LOST))
    return Proved("all events keep s + l = t + m, S <= T, L >= M, S + L = T + M", proof.example)


@evidence("losspass.ours.isolation", "losspass.sec3.2.1.priority", form="printed", strength="smt")
def strict_priority_isolates_small_flows() -> Outcome:
    """Under strict priority, without reserve, Q_s is the queue i of a port of its own; and i loses least."""
    i = sp.Symbol("i", integer=True)
    same = [*PORTS, sp.Eq(b, 0), sp.Eq(s, i)]
    enqueues = sp.Or(FREE, sp.And(l >= 1, 1 + s <= B))
    smt.prove([*same, enqueues], i < B)
    smt.prove([*same, i < B], enqueues)
    smt.prove([*same, s >= 1], i >= 1)  # served by both, or (s = i = 0) by neither
    return isolation_is_least()


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


@evidence("losspass.sec3.3.as-many", "losspass.sec3.1.minimised", form="assumed", strength="smt")
def no_policy_loses_fewer_small_packets() -> Outcome:
    """Under the assumption LossPass is the isolated port, and the isolated port loses least."""
    strict_priority_isolates_small_flows()
    return isolation_is_least()
