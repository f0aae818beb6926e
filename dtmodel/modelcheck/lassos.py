"""Lassos: a run from the start into a cycle that can repeat forever.

For example, starvation of queue 1 is a cycle of steps in which it offers, with less bytes than its share.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from dtmodel.modelcheck.search import DEFAULT_BOUND, Exploration, Path, SearchOutcome, System, explore

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)


@dataclass(frozen=True)
class Lasso(Generic[S, A]):
    """A run into a cycle: the last state of `stem` is the first and the last state of `cycle`.

    >>> from dtmodel.modelcheck import Path
    >>> Lasso(stem=Path((0, 1), ("in",)), cycle=Path((1, 1), ("round",))).cycle.labels
    ('round',)
    """

    stem: Path[S, A]
    cycle: Path[S, A]

    def labels(self, rounds: int = 1) -> tuple[A, ...]:
        """Return the labels of the stem, followed by those of `rounds` rounds of the cycle."""
        return self.stem.labels + rounds * self.cycle.labels


@dataclass(frozen=True)
class Graph(Generic[S, A]):
    """Every reachable state with its steps, and for each state the first step of a shortest run to it.

    - `steps`: for each state, in order of its distance from the start, the sequence of (label, next state).
    - `back`: for each state the (label, previous state) of a shortest run; None for a start.
    - `depth`: the distance of each state from the start.

    >>> Graph({0: [("on", 1)], 1: []}, {0: None, 1: ("on", 0)}, {0: 0, 1: 1}).run_to(1).labels
    ('on',)
    """

    steps: Mapping[S, Sequence[tuple[A, S]]]
    back: Mapping[S, tuple[A, S] | None]
    depth: Mapping[S, int]

    def run_to(self, state: S) -> Path[S, A]:
        """Return a shortest run from the start to `state`."""
        states, labels = [state], []
        step = self.back[state]
        while step is not None:
            labels.append(step[0])
            states.append(step[1])
            step = self.back[step[1]]
        return Path(tuple(reversed(states)), tuple(reversed(labels)))


def reachable_graph(system: System[S, A], *, bound: int = DEFAULT_BOUND) -> Graph[S, A]:
    """Return all reachable states and steps, without symmetry reduction.

    Raises `MemoryError` if there are more than `bound` states: a part of the graph cannot prove that no lasso exists.

    >>> from dtmodel import DT
    >>> from dtmodel.modelcheck import PolicySwitch
    >>> max(reachable_graph(PolicySwitch(DT(1), ports=2, buffer=6)).depth.values())
    5
    """
    steps: dict[S, Sequence[tuple[A, S]]] = {}
    back: dict[S, tuple[A, S] | None] = dict.fromkeys(system.initial())
    depth = dict.fromkeys(back, 0)
    queue = list(back)
    for state in queue:  # grows while it is read
        steps[state] = list(system.successors(state))
        for label, successor in steps[state]:
            if successor not in back:
                back[successor], depth[successor] = (label, state), depth[state] + 1
                queue.append(successor)
        if len(queue) > bound:
            raise MemoryError(f"more than {bound} states are reachable")
    return Graph(steps, back, depth)


def shortest_lasso(
    graph: Graph[S, A],
    allowed: Callable[[S, A, S], bool],
    weight: Callable[[S, A, S], int] | None = None,
    *,
    longest: int = 64,
) -> Lasso[S, A] | None:
    """Find the lasso with the fewest steps (stem and cycle together) that satisfies the conditions.

    Parameters
    ----------
    graph : Graph
        All reachable states.
    allowed : callable
        Every step of the cycle, but not of the stem, must satisfy ``allowed(state, label, next state)``.
    weight : callable, optional
        If given, the sum of ``weight(state, label, next state)`` over the cycle must be negative.
    longest : int
        The maximal length of a cycle. A cycle without repeated states has at most as many steps as there are states: if
        `longest` is at least that and the result is None, then no lasso satisfies the conditions.

    Examples
    --------
    >>> class Clock:
    ...     def initial(self): return [0]
    ...     def successors(self, n): return [("tick", (n + 1) % 4), ("reset", 0)]
    >>> graph = reachable_graph(Clock())
    >>> shortest_lasso(graph, lambda s, label, t: s > 0) is None
    True
    >>> shortest_lasso(graph, lambda s, label, t: True, lambda s, label, t: -1 if s == 3 else 0).labels()
    ('tick', 'tick', 'tick', 'tick')
    """
    states = list(graph.steps)
    place = {s: i for i, s in enumerate(states)}  # numbers are compared and hashed faster than states
    steps = {
        place[s]: [
            (label, place[t], 0 if weight is None else weight(s, label, t)) for label, t in out if allowed(s, label, t)
        ]
        for s, out in graph.steps.items()
    }
    core = _core(steps)
    if weight is not None and not _gains(core):
        return None
    best: tuple[int, int, list[tuple[A, int]]] | None = None
    for i in core:
        depth = graph.depth[states[i]]
        room = longest if best is None else min(longest, best[0] - depth - 1)
        if room < 1:
            break  # states come in order of their distance: nothing later can be shorter
        cycle = _cycle_through(i, core, room, free=weight is None)
        if cycle is not None:
            best = (depth + len(cycle), i, cycle)
    if best is None:
        return None
    _, i, cycle = best
    round_ = Path((states[i], *(states[j] for _, j in cycle)), tuple(label for label, _ in cycle))
    return Lasso(graph.run_to(states[i]), round_)


Weights = Mapping[S, Sequence[tuple[A, S, int]]]


def _core(steps: Weights[S, A]) -> dict[S, list[tuple[A, S, int]]]:
    """Remove repeatedly the states that no allowed step leaves or enters: no cycle passes through them."""
    core = {s: list(out) for s, out in steps.items()}
    while True:
        entered = {t for out in core.values() for _, t, _ in out}
        kept = {s: [step for step in out if step[1] in core] for s, out in core.items() if s in entered}
        kept = {s: out for s, out in kept.items() if out}
        if len(kept) == len(core):
            return kept
        core = kept


def _gains(steps: Weights[S, A]) -> bool:
    """Return True if any cycle has a negative weight: otherwise the least sums of runs settle (Bellman, Ford)."""
    least = dict.fromkeys(steps, 0)
    for _ in steps:
        settled = True
        for state, out in steps.items():
            so_far = least[state]
            for _, t, cost in out:
                if so_far + cost < least[t]:
                    least[t], settled = so_far + cost, False
        if settled:
            return False
    return True


def _cycle_through(s: S, steps: Weights[S, A], longest: int, *, free: bool) -> list[tuple[A, S]] | None:
    """Find the shortest cycle from `s` to itself of negative weight (of any weight if `free`)."""
    least: dict[S, int] = {s: 0}
    came: list[dict[S, tuple[A, S]]] = []
    for _ in range(longest):
        following: dict[S, int] = {}
        via: dict[S, tuple[A, S]] = {}
        for state, so_far in least.items():
            for label, t, cost in steps.get(state, ()):
                if t in steps and so_far + cost < following.get(t, so_far + cost + 1):
                    following[t], via[t] = so_far + cost, (label, state)
        came.append(via)
        if s in following and (free or following[s] < 0):
            return _walk_back(s, came)
        least = following
        if not least:
            return None
    return None


def _walk_back(s: S, came: list[dict[S, tuple[A, S]]]) -> list[tuple[A, S]]:
    cycle: list[tuple[A, S]] = []
    state = s
    for via in reversed(came):
        label, previous = via[state]
        cycle.append((label, state))
        state = previous
    return list(reversed(cycle))


def always(system: System[S, A], invariant: Callable[[S], bool], *, bound: int = DEFAULT_BOUND) -> Exploration[S, A]:
    """Prove that `invariant` holds in every reachable state, or find a shortest run to a state that violates it.

    Raises `MemoryError` if the bound is reached before either.

    >>> from dtmodel import DT
    >>> from dtmodel.modelcheck import PolicySwitch
    >>> switch = PolicySwitch(DT(1), ports=2, buffer=6)
    >>> always(switch, lambda state: sum(state.lengths) <= 5).complete
    True
    >>> always(switch, lambda state: max(state.lengths) <= 2).found.states[-1].lengths
    (3, 0)
    """
    result = explore(system, lambda state: not invariant(state), bound=bound)
    if result.outcome not in {SearchOutcome.COMPLETE, SearchOutcome.FOUND}:
        raise MemoryError(f"undecided after {result.states} states, to the depth {result.depth}")
    return result
