"""Packet schedulers of one port: strict priority, weighted and deficit round robin, and strict priority over another.

A scheduler is a frozen configuration with two pure functions: `start()` returns its initial memory, and `pick(memory,
queues)` returns the queue to serve and the memory afterwards. Queues are first-in first-out sequences of packet sizes,
counted from 0. All schedulers are work conserving: they pick None only if every queue is empty. A memory is a tuple of
numbers, so that it can be part of an explored state.

- ``memory`` is the result of `start` or of the last `pick`, ``queues`` the packets that wait in each queue.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from dtmodel.base.errors import InputError

__all__ = ["DeficitRoundRobin", "PriorityOver", "Scheduler", "StrictPriority", "WeightedRoundRobin"]

Queues = Sequence[Sequence[Fraction | int]]
Memory = tuple[Any, ...]


class Scheduler(Protocol):
    """The protocol of a scheduler.

    >>> scheduler: Scheduler = StrictPriority()
    >>> scheduler.pick(scheduler.start(), [[], [1]])[0]
    1
    """

    def start(self) -> Memory:
        """Return the memory before the first packet."""
        ...

    def pick(self, memory: Memory, queues: Queues) -> tuple[int | None, Memory]:
        """Return the queue whose head departs (None if all are empty) and the memory afterwards."""
        ...


@dataclass(frozen=True)
class StrictPriority:
    """Strict priority queueing: the first queue that is not empty is served.

    >>> StrictPriority().pick((), [[], [3], [1]])
    (1, ())
    """

    def start(self) -> Memory:
        """Return the empty memory."""
        return ()

    def pick(self, memory: Memory, queues: Queues) -> tuple[int | None, Memory]:
        """Pick the first queue that is not empty."""
        return next((i for i, queue in enumerate(queues) if queue), None), memory


@dataclass(frozen=True)
class WeightedRoundRobin:
    """Weighted round robin: up to `weights[i]` packets of queue i in each round; an empty queue loses its turn.

    All `weights` are positive.

    >>> wrr, queues = WeightedRoundRobin((2, 1)), [[1] * 9, [1] * 9]
    >>> memory, order = wrr.start(), []
    >>> for _ in range(6):
    ...     queue, memory = wrr.pick(memory, queues)
    ...     order.append(queue)
    >>> order
    [0, 0, 1, 0, 0, 1]
    """

    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        _all_positive("weights", self.weights)

    def start(self) -> Memory:
        """Return the initial memory: (queue in turn, packets that it may still send)."""
        return (0, self.weights[0])

    def pick(self, memory: Memory, queues: Queues) -> tuple[int | None, Memory]:
        """Serve the queue in turn while it has packets and credit, then the next."""
        if len(queues) != len(self.weights):
            raise _one_each(self.weights, queues)
        turn, credit = memory
        for _ in range(len(self.weights) + 1):
            if queues[turn] and credit > 0:
                return turn, (turn, credit - 1)
            turn = (turn + 1) % len(self.weights)
            credit = self.weights[turn]
        return None, memory


@dataclass(frozen=True)
class DeficitRoundRobin:
    """Deficit round robin: each turn adds the queue's quantum to its deficit, and each packet sent takes its size off.

    All `quanta` are positive, in bytes. A queue loses the rest of its deficit when its last packet is picked.

    >>> drr, queues = DeficitRoundRobin((2, 2)), [[3, 3], [1, 1, 1, 1]]
    >>> memory, order = drr.start(), []
    >>> for _ in range(5):
    ...     queue, memory = drr.pick(memory, queues)
    ...     order.append((queue, queues[queue].pop(0)))
    >>> order
    [(1, 1), (1, 1), (0, 3), (1, 1), (1, 1)]
    """

    quanta: tuple[Fraction | int, ...]

    def __post_init__(self) -> None:
        _all_positive("quanta", self.quanta)

    def start(self) -> Memory:
        """Return the initial memory: (queue in turn, True if its quantum was added, deficits)."""
        return (0, False, (0,) * len(self.quanta))

    def pick(self, memory: Memory, queues: Queues) -> tuple[int | None, Memory]:
        """Serve the queue in turn while its deficit covers its head, then the next."""
        if len(queues) != len(self.quanta):
            raise _one_each(self.quanta, queues)
        if not any(queues):
            return None, memory
        turn, added, deficits = memory
        left = list(deficits)
        while True:
            if queue := queues[turn]:
                deficit = left[turn] if added else left[turn] + self.quanta[turn]
                left[turn] = deficit - queue[0]
                if left[turn] >= 0:
                    if len(queue) == 1:
                        left[turn] = 0
                    return turn, (turn, True, tuple(left))
                left[turn] = deficit
            turn, added = (turn + 1) % len(self.quanta), False


@dataclass(frozen=True)
class PriorityOver:
    """Strict priority for the `first` queues; the scheduler `rest` serves the others when these are empty.

    >>> scheduler = PriorityOver(1, WeightedRoundRobin((1, 1)))
    >>> scheduler.pick(scheduler.start(), [[5], [1], [1]])[0], scheduler.pick(scheduler.start(), [[], [], [1]])[0]
    (0, 2)
    """

    first: int
    rest: Scheduler

    def start(self) -> Memory:
        """Return the initial memory of `rest`."""
        return self.rest.start()

    def pick(self, memory: Memory, queues: Queues) -> tuple[int | None, Memory]:
        """Pick by priority among the first queues, otherwise with `rest`."""
        urgent, _ = StrictPriority().pick((), queues[: self.first])
        if urgent is not None:
            return urgent, memory
        queue, memory = self.rest.pick(memory, queues[self.first :])
        return (None if queue is None else queue + self.first), memory


def _all_positive(field: str, values: tuple[Fraction | int, ...]) -> None:
    if not values or min(values) <= 0:
        raise InputError(field, list(values), "a number greater than 0 for each queue")


def _one_each(values: tuple[Fraction | int, ...], queues: Queues) -> InputError:
    return InputError("queues", len(queues), f"{len(values)} queues, one for each weight")
