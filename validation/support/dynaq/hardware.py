"""Algorithm 1 as in hardware: a tournament of MaxIdx units, comparators side by side, one register write.

The module shares no code with `dtmodel.packet.dynaq`; the evidence compares the two on every arrival in every reachable
state of small ports. Queues count from 0.

Source: DynaQ paper, Sections 3.2.2 ("without loops") and 4.1.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

__all__ = ["Ruled", "algorithm1", "tournament"]

Pick = Callable[[int, int], int]
Amount = Fraction | int
Ruled = tuple[str, int | None, tuple[Amount, ...]]
"""(decision, victim, thresholds)."""


def tournament(leaves: Sequence[int], max_idx: Pick) -> tuple[int, int, int]:
    """Return the winner, the rounds and the comparisons of a knock-out in which `max_idx` picks one of two.

    >>> extras = [3, 1, 4, 1, 5]
    >>> tournament(range(5), lambda a, b: b if extras[b] > extras[a] else a)
    (4, 3, 4)
    """
    row, rounds, comparisons = list(leaves), 0, 0
    while len(row) > 1:
        pairs = [tuple(row[i : i + 2]) for i in range(0, len(row), 2)]
        comparisons += sum(len(pair) == 2 for pair in pairs)
        row = [max_idx(pair[0], pair[1]) if len(pair) == 2 else pair[0] for pair in pairs]
        rounds += 1
    return row[0], rounds, comparisons


def algorithm1(S: Sequence[Amount], T: Sequence[Amount], q: Sequence[Amount], p: int, *, size: Amount) -> Ruled:
    """Return (decision, victim, thresholds): queue p enters the tournament masked, and ties go to the lower index.

    >>> algorithm1((2, 2), (2, 2), (2, 0), 0, size=1)
    ('enqueue', 1, (3, 1))
    """
    keys = [(i != p, t - s) for i, (t, s) in enumerate(zip(T, S, strict=True))]
    v, _, _ = tournament(range(len(T)), lambda a, b: b if keys[b] > keys[a] else a)
    over = T[p] < q[p] + size
    if not over:
        return "enqueue", None, tuple(T)
    if v == p:  # a port with one queue
        return "drop", None, tuple(T)
    short, busy, below = T[v] < size, q[v] > 0, T[v] - size < S[v]
    if short | (busy & below):
        return "drop", v, tuple(T)
    return "enqueue", v, tuple(t + size * (i == p) - size * (i == v) for i, t in enumerate(T))
