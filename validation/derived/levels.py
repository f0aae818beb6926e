"""Several levels and sides: the statements in runs, and every regime of an instance on three sides."""

from fractions import Fraction
from itertools import product

from dtmodel.companion.hunting import agree_in_runs
from dtmodel.ledger import Agrees, Outcome, Proved, check, evidence

POOLS = ((0, 1, 1, 1, 1, 1, 1), (0, 0, 0, 0, 1, 0, 0), (0, 0, 0, 1, 1, 0, 1))
FOLLOWS = (2, 1, 1, 0, 2, 1, 0)
SEEN = [[j for j in range(7) if POOLS[s][j] == POOLS[s][i]] for i, s in enumerate(FOLLOWS)]
"""For each queue those in the pool, on the side on which it is on its threshold, that it follows."""


def solved(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """Solve linear equations, each a row of coefficients and a right side; None if they have no unique solution."""
    size = len(rows)
    for column in range(size):
        pivot = next((row for row in rows[column:] if row[column]), None)
        if pivot is None:
            return None
        rows.remove(pivot)
        scaled = [value / pivot[column] for value in pivot]
        rows = [[a - row[column] * b for a, b in zip(row, scaled, strict=True)] for row in rows]
        rows.insert(column, scaled)
    return [row[size] for row in rows]


def growth(state: tuple[int, ...]) -> tuple[Fraction, ...] | None:
    """Return slopes of queues of which those with state 0 follow their pools and the others change at -1 or 1."""
    free = [i for i, kind in enumerate(state) if kind == 0]
    rows = [
        [Fraction((i == j) + (j in SEEN[i])) for j in free] + [Fraction(-sum(state[j] for j in SEEN[i]))] for i in free
    ]
    found = solved(rows)
    if found is None:
        return None
    slopes = [Fraction(kind) for kind in state]
    for i, slope in zip(free, found, strict=True):
        slopes[i] = slope
    return tuple(slopes)


@evidence("derived.ours.levels-three-sides", form="printed", strength="exact")
def seven_queues_on_three_sides_have_three_slopes() -> Outcome:
    """Enumerate the regimes of seven queues: three slopes follow the rule, and they differ in the free buffers, too."""
    found = set()
    for state in product((-1, 0, 1), repeat=7):
        slopes = growth(state)
        if slopes and all(
            slope == max(Fraction(-1), min(Fraction(1), -sum((slopes[j] for j in SEEN[i]), Fraction(0))))
            for i, slope in enumerate(slopes)
        ):
            found.add(slopes)
    check(len(found) == 3, f"{len(found)} solutions")
    pools = {tuple(-sum(e for e, q in zip(slopes, side, strict=True) if q) for side in POOLS) for slopes in found}
    check(len(pools) == 3, "the free buffers have equal slopes")
    return Proved("three solutions", {"solutions": str(len(found))}, ["solutions == 3"])


@evidence(
    "derived.ours.levels",
    "derived.ours.levels-pool",
    "derived.ours.levels-first-drop",
    "derived.ours.levels-shield",
    "derived.ours.levels-newcomer",
    "derived.ours.levels-in-turn",
    "derived.ours.levels-settings",
    form="printed",
    strength="sampled",
)
def relations_on_levels_hold_in_runs() -> Outcome:
    """Draw instances of the executable forms, on bounds and ties, and run trees of limits on them."""
    tried = agree_in_runs(globals(), "relations_on_levels_hold_in_runs", cases=12)
    return Agrees(tried, "instances of the forms, drawn with a fixed seed")
