"""Breadth-first exploration of every state that a finite system can reach.

A system yields its initial states and the steps from each state; optionally it maps symmetric states to one
representative. The exploration visits each state once, in the order of its distance from the start, so that it reaches
the first state with a property by a shortest path. The outcome says if the search was complete, at the bound on states,
or stopped.
"""

import sys
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Protocol, TypeVar

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)
A_co = TypeVar("A_co", bound=Hashable, covariant=True)

DEFAULT_BOUND = 1_000_000


class System(Protocol[S, A_co]):
    """The protocol of a system to explore: hashable states, and hashable labels on the steps between them.

    An optional method ``canonical(state) -> state`` maps every state to the representative of the states that are equal
    up to a symmetry of the system. States should be small: numbers, or tuples of them.

    >>> class Counter:
    ...     def initial(self): return [0]
    ...     def successors(self, n): return [("add 1", (n + 1) % 8), ("add 3", (n + 3) % 8)]
    >>> explore(Counter()).states
    8
    """

    def initial(self) -> Iterable[S]:
        """Yield the initial states."""
        ...

    def successors(self, state: S) -> Iterable[tuple[A_co, S]]:
        """Yield each step from `state`: its label and the state after it."""
        ...


class SearchOutcome(Enum):
    """The way in which an exploration ended.

    >>> SearchOutcome.COMPLETE.value
    'every reachable state was visited'
    """

    COMPLETE = "every reachable state was visited"
    FOUND = "a state with the property was found, at the smallest possible distance"
    BOUND = "the bound on the number of states was reached; nothing is proved beyond the complete depth"
    STOPPED = "it was stopped; nothing is proved beyond the complete depth"


@dataclass(frozen=True)
class Path(Generic[S, A]):
    """A run of the system: ``states[0]`` is initial, and ``labels[k]`` leads from ``states[k]`` to ``states[k + 1]``.

    The states are real states of the system even if the exploration used representatives.

    - `states`, `labels` (tuple): the states, one more than there are labels of steps.

    >>> Path(states=(0, 1), labels=("count",)).labels
    ('count',)
    """

    states: tuple[S, ...]
    labels: tuple[A, ...]

    def __len__(self) -> int:
        """Return the number of steps."""
        return len(self.labels)


@dataclass(frozen=True)
class Progress:
    """The progress of an exploration: the number of `states` visited, of states `waiting`, and the current `depth`.

    >>> Progress(states=3, waiting=1, depth=2).waiting
    1
    """

    states: int
    waiting: int
    depth: int


@dataclass(frozen=True)
class Exploration(Generic[S, A]):
    """The result of `explore`.

    - `outcome` (SearchOutcome): the way in which it ended.
    - `states`, `steps`: the number of states found, and of steps computed between them.
    - `depth`: every state within this distance from the start has been found and examined.
    - `found` (Path or None): a shortest run to a state with the property.
    - `bytes_per_state`: the memory of the visited set, the frontier and the back pointers, divided by the number of
      states.

    >>> from dtmodel import DT
    >>> from dtmodel.modelcheck import PolicySwitch
    >>> result = explore(PolicySwitch(DT(1), ports=2, buffer=6), find=lambda state: max(state.lengths) == 3)
    >>> result.outcome.name, result.found.labels
    ('FOUND', (('arrive', 0), ('arrive', 0), ('arrive', 0)))
    """

    outcome: SearchOutcome
    states: int
    steps: int
    depth: int
    found: Path[S, A] | None
    bytes_per_state: float

    @property
    def complete(self) -> bool:
        """True if every reachable state was visited, so that absence is a proof."""
        return self.outcome is SearchOutcome.COMPLETE


def explore(
    system: System[S, A],
    find: Callable[[S], bool] | None = None,
    *,
    bound: int = DEFAULT_BOUND,
    progress: Callable[[Progress], bool | None] | None = None,
    every: int = 10_000,
) -> Exploration[S, A]:
    """Visit every reachable state, or as many as `bound` allows, until `find` holds in one.

    An invariant I is proved by ``explore(system, find=lambda state: not I(state)).complete``.

    Parameters
    ----------
    find : callable, optional
        The property to look for.
    progress : callable, optional
        Called with a `Progress`; the exploration stops if it returns False, or at Ctrl-C.
    every : int
        The number of states between two calls of `progress`.

    Examples
    --------
    >>> class Counter:
    ...     def initial(self): return [0]
    ...     def successors(self, n): return [("add 1", (n + 1) % 8), ("add 3", (n + 3) % 8)]
    >>> explore(Counter(), find=lambda n: n == 6).found.labels
    ('add 3', 'add 3')
    >>> explore(Counter(), find=lambda n: n > 7).complete
    True
    """
    return _Search(system, find, bound, progress, every).run()


class _Search(Generic[S, A]):
    """The mutable state of one exploration."""

    def __init__(
        self,
        system: System[S, A],
        find: Callable[[S], bool] | None,
        bound: int,
        progress: Callable[[Progress], bool | None] | None,
        every: int,
    ) -> None:
        self.system, self.find, self.bound = system, find, bound
        self.progress, self.every = progress, every
        self.canonical: Callable[[S], S] = getattr(system, "canonical", None) or (lambda state: state)
        self.number: dict[S, int] = {}  # in order of discovery; the keys are also the list of states
        self.parents = array("q")
        self.steps = 0
        self.depth = -1

    def run(self) -> Exploration[S, A]:
        try:
            return self._levels()
        except KeyboardInterrupt:
            return self._result(SearchOutcome.STOPPED, None)

    def _levels(self) -> Exploration[S, A]:
        frontier: list[S] = []
        for state in self.system.initial():
            new = self._discover(self.canonical(state), -1)
            if new is not None:
                frontier.append(new)
                if self._is_found(new):
                    return self._result(SearchOutcome.FOUND, new)
        while frontier:
            self.depth += 1
            following: list[S] = []
            for state in frontier:
                for new in self._expand(state):
                    following.append(new)
                    if self._is_found(new):
                        return self._result(SearchOutcome.FOUND, new)
                    if len(self.number) >= self.bound:
                        return self._result(SearchOutcome.BOUND, None)
                    if self._stop(len(following)):
                        return self._result(SearchOutcome.STOPPED, None)
            frontier = following
        return self._result(SearchOutcome.COMPLETE, None)

    def _expand(self, state: S) -> Iterator[S]:
        here = self.number[state]
        for _, successor in self.system.successors(state):
            self.steps += 1
            new = self._discover(self.canonical(successor), here)
            if new is not None:
                yield new

    def _discover(self, state: S, parent: int) -> S | None:
        n = len(self.number)
        if self.number.setdefault(state, n) != n:
            return None
        self.parents.append(parent)
        return state

    def _is_found(self, state: S) -> bool:
        return self.find is not None and self.find(state)

    def _stop(self, waiting: int) -> bool:
        if self.progress is None or len(self.number) % self.every:
            return False
        return self.progress(Progress(len(self.number), waiting, self.depth + 1)) is False

    def _result(self, outcome: SearchOutcome, goal: S | None) -> Exploration[S, A]:
        found = None if goal is None else self._path(goal)
        return Exploration(outcome, len(self.number), self.steps, max(self.depth, 0), found, self._bytes_per_state())

    def _path(self, goal: S) -> Path[S, A]:
        states = list(self.number)
        n = self.number[goal]
        representatives: list[S] = [goal]
        while self.parents[n] >= 0:
            n = self.parents[n]
            representatives.append(states[n])
        return self._lift(representatives[::-1])

    def _lift(self, representatives: list[S]) -> Path[S, A]:
        """Return a run of the system through states with these representatives, with the labels of its real steps."""
        state = next(s for s in self.system.initial() if self.canonical(s) == representatives[0])
        run, labels = [state], []
        for wanted in representatives[1:]:
            label, state = next((a, s) for a, s in self.system.successors(state) if self.canonical(s) == wanted)
            run.append(state)
            labels.append(label)
        return Path(tuple(run), tuple(labels))

    def _bytes_per_state(self) -> float:
        """Measure the containers exactly, and the states by an even sample of at most a thousand."""
        if not self.number:
            return 0.0
        n = len(self.number)
        sample = [_deep_size(state) for i, state in enumerate(self.number) if i % max(1, n // 1000) == 0]
        containers = sys.getsizeof(self.number) + sys.getsizeof(self.parents)
        index = 32 * n  # the whole number that each entry of the dictionary points to
        return (containers + index) / n + sum(sample) / len(sample)


def _deep_size(value: object) -> int:
    """Return the bytes of a state; the interpreter shares None and numbers up to 256, which count 0."""
    if isinstance(value, tuple):
        return sys.getsizeof(value) + sum(map(_deep_size, value))
    if value is None or (isinstance(value, int) and -5 <= value <= 256):
        return 0
    return sys.getsizeof(value)
