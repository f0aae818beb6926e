"""DynaQ's thresholds as transition systems, for proofs by induction."""

from itertools import permutations
from typing import Any

import sympy as sp

from dtmodel.ledger.provers.inductive import InductiveInvariant, Transition

s, d, T, q, S, e, a = sp.symbols("s d T q S e a", real=True)


def may_give(T: Any, q: Any, S: Any) -> list[Any]:
    """Line 3 lets a queue give s bytes of its threshold."""
    return [T - s >= 0, sp.Or(q <= 0, T - s >= S)]


def all_queues(M: int) -> InductiveInvariant:
    """Every queue of a port with M queues, from T = S and q = 0 on (equations (2) and (4))."""
    T, q, S = (sp.symbols(f"{name}1:{M + 1}", real=True) for name in "TqS")
    transitions = [Transition("the packet is dropped", [s > 0])]
    for i in range(M):
        transitions += [
            Transition(f"line 1 admits to queue {i + 1}", [s > 0, q[i] + s <= T[i]], {q[i]: q[i] + s}),
            Transition(f"queue {i + 1} sends", [d > 0, d <= q[i]], {q[i]: q[i] - d}),
        ]
    for p, v in permutations(range(M), 2):
        line_2 = [T[v] - S[v] >= T[o] - S[o] for o in range(M) if o not in (p, v)]
        guards = [s > 0, q[p] + s > T[p], *line_2, *may_give(T[v], q[v], S[v])]
        lines_6_7 = {T[v]: T[v] - s, T[p]: T[p] + s}
        said = f"queue {v + 1} gives to queue {p + 1}"
        transitions += [
            Transition(f"{said}, which grows", guards, {**lines_6_7, q[p]: q[p] + s}),
            Transition(f"{said}, and the port is full", guards, lines_6_7),
        ]
    return InductiveInvariant(
        f"{M} thresholds keep their sum, and thresholds and lengths stay non-negative",
        {**dict(zip(T, S, strict=True)), **dict.fromkeys(q, 0)},
        [sp.Eq(sum(T), sum(S)), *(x >= 0 for x in (*T, *q))],
        transitions,
        [x > 0 for x in S],
    )


def two_active_queues(M: int) -> InductiveInvariant:
    """Queues 1 and 2 of M are active from the start, the others idle; no packet is larger than L."""
    T, S = (sp.symbols(f"{name}1:{M + 1}", real=True) for name in "TS")
    q, start = sp.symbols("q1:3", real=True), sp.symbols("a1:3", real=True)
    L = sp.Symbol("L", real=True)
    transitions = [Transition("the packet is dropped", [s > 0])]
    for p in range(2):
        transitions += [
            Transition(f"line 1 admits to queue {p + 1}", [s > 0, q[p] + s <= T[p]], {q[p]: q[p] + s}),
            Transition(f"queue {p + 1} sends and stays active", [d > 0, d < q[p]], {q[p]: q[p] - d}),
        ]
        for v in (v for v in range(M) if v != p):
            line_2 = [T[v] - S[v] >= T[o] - S[o] for o in range(M) if o not in (p, v)]
            line_3 = [T[v] - s >= 0, *([T[v] - s >= S[v]] if v < 2 else [])]
            guards, said = [s > 0, s <= L, *line_2, *line_3], f"queue {v + 1} gives to queue {p + 1}"
            transitions += [
                Transition(f"{said}, which grows", guards, {T[v]: T[v] - s, T[p]: T[p] + s, q[p]: q[p] + s}),
                Transition(f"{said}, and the port is full", guards, {T[v]: T[v] - s, T[p]: T[p] + s}),
            ]
    kept = [sp.Eq(sum(T), sum(S)), *(T[i] >= S[i] for i in range(2)), *(T[i] >= S[i] - L for i in range(2, M))]
    return InductiveInvariant(
        f"of {M} queues two are active: each idle one lends at most L, so that they get at most {M - 2} L together",
        {**dict(zip(T, S, strict=True)), **dict(zip(q, start, strict=True))},
        [*kept, T[0] + T[1] <= S[0] + S[1] + (M - 2) * L, *(x > 0 for x in q)],
        transitions,
        [L > 0, *(x > 0 for x in (*S, *start))],
    )


def the_sum_by_roles() -> InductiveInvariant:
    """The sender, the victim, and the sum R of the other thresholds; who is who may change at any time."""
    T_p, T_v, R, B, x, y, T_i, T_j = sp.symbols("T_p T_v R B x y T_i T_j", real=True)
    transitions = [
        Transition("lines 6 and 7", [s > 0, T_v - s >= 0], {T_p: T_p + s, T_v: T_v - s}),
        Transition("others become sender and victim", [], {T_p: T_i, T_v: T_j, R: T_p + T_v + R - T_i - T_j}),
    ]
    start = {T_p: x, T_v: y, R: B - x - y}
    return InductiveInvariant("the sum of M thresholds stays B", start, [sp.Eq(T_p + T_v + R, B)], transitions)


def one_queue(initial: dict[Any, Any], invariant: list[Any], assumptions: list[Any], says: str, *, active: bool,
              while_it_is: list[Any] | None = None) -> InductiveInvariant:  # fmt: skip
    """One queue among M, whichever role it has in a step: sender, victim, or neither; `active`: as long as q > 0."""
    guards = [s > 0, *(while_it_is or [])]
    over = [*guards, q + s > T]
    sending = [d > 0, d < q if active else d <= q, *(while_it_is or [])]
    transitions = [
        Transition("line 1 admits", [*guards, q + s <= T], {q: q + s}),
        Transition("it is given threshold and grows", over, {T: T + s, q: q + s}),
        Transition("it is given threshold, and the port is full", over, {T: T + s}),
        Transition("its packet is dropped, or others are concerned", while_it_is or []),
        Transition("it sends", sending, {q: q - d}),
    ]
    if while_it_is:
        transitions.append(Transition("line 3 refuses it as the victim", guards, {}, [q > 0, T - s < S]))
    else:
        transitions.append(Transition("it gives", [*guards, *may_give(T, q, S)], {T: T - s}))
    return InductiveInvariant(says, initial, invariant, transitions, assumptions)


def non_negative_queue() -> InductiveInvariant:
    """Threshold and length of any queue from T = S, q = 0 on."""
    says = "threshold and length of each of M queues stay non-negative"
    return one_queue({T: S, q: 0}, [T >= 0, q >= 0], [S > 0], says, active=False)


def satisfied_queue() -> InductiveInvariant:
    """Any queue from the moment on at which it is active and satisfied, as long as it is active."""
    says = "as long as it is active, a satisfied queue stays satisfied, whichever victim line 3 accepts"
    return one_queue({T: S + e, q: a}, [T >= S, q > 0], [S > 0, e >= 0, a > 0], says, active=True)


def unsatisfied_queue() -> InductiveInvariant:
    """Any queue from a moment on at which it is active and not satisfied, as long as it is both."""
    says = "as long as it is active and unsatisfied, a queue's threshold does not fall"
    start = {T: S - e, q: a}
    return one_queue(start, [S - e <= T, q > 0], [e <= S, e > 0, a > 0], says, active=True, while_it_is=[T < S])
