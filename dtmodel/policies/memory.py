"""The memory of a policy during one fluid run, and the state that the engine shows to it.

At each event the engine calls, in this order: `Memory.act`, after arrivals have changed, which may change thresholds;
`Memory.admitted`, which may thin the arrivals at a full buffer; `Memory.settled`, once the phase that begins is solved,
which may change thresholds again (the engine then solves the phase anew); `Memory.wakes`, which returns the next
instants at which the memory must act; and `Memory.passed`, when the phase is over.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from math import inf
from numbers import Rational
from typing import Generic, Literal, TypeVar

Number = TypeVar("Number", Fraction, float)
"""The number type of a run: exact fractions or floats."""

Changes = Mapping[int, tuple[Number, Number]]
"""The slope in the free buffer and the offset (bytes) of each new threshold, by queue."""


@dataclass(frozen=True)
class Form:
    """Parameters of a memory that compiled code can run.

    - `name`: the kind of memory: EDT's counters and timers, complete sharing, caps and reserves, or no memory
      ("plain").
    - `cn2`, `tm1`, `tm2`: the parameters of the counters and timers, in bytes and seconds; infinite if a timer never
      expires.

    >>> Form("plain").name
    'plain'
    """

    name: Literal["counters", "complete", "caps", "plain"]
    cn2: Fraction | float = 1.0
    tm1: Fraction | float = inf
    tm2: Fraction | float = inf


class State(ABC, Generic[Number]):
    """The state of a run that a memory may read, but not write.

    - `now`: the instant in seconds.
    - `buffer`, `free`, `free_slope`: B, F and F' (bytes, bytes per second); F' is that of the phase in which the engine
      calls the memory.
    - `rates`, `offered` (sequence of Number): C_i and R_i in bytes per second.
    - `counts` (sequence of Number): the number of identical queues that each queue stands for.
    - `changed` (collection of int): the queues whose arrivals, slope or losses may have changed since the previous
      phase; the slopes of queues that stay on their thresholds change with F' alone.

    >>> class Empty(State):
    ...     now = 2
    ...     def length(self, queue):
    ...         return 0
    ...     rejects = slope = length
    >>> Empty().now, Empty().length(0)
    (2, 0)
    """

    now: Number
    buffer: Number
    free: Number
    free_slope: Number
    rates: Sequence[Number]
    offered: Sequence[Number]
    counts: Sequence[Number]
    changed: Collection[int]

    @abstractmethod
    def length(self, queue: int) -> Number:
        """Return the length Q_i of a queue in bytes."""

    def empty(self, queue: int) -> bool:
        """Return True if a queue is empty, Q_i = 0."""
        return self.length(queue) <= 0

    @abstractmethod
    def slope(self, queue: int) -> Number:
        """Return Q_i' in this phase, in bytes per second."""

    @abstractmethod
    def rejects(self, queue: int) -> bool:
        """Return True if the queue drops some of its arrivals in this phase."""


class Total(Generic[Number]):
    """An exact sum of shares that are replaced one at a time."""

    def __init__(self, number: type[Number]) -> None:
        self._zero: Number = number(0)
        self._shares: dict[int, Number] = {}
        self.value: Number = self._zero

    def put(self, queue: int, share: Number) -> None:
        """Replace the share of a queue."""
        before: Number = self._shares.get(queue, self._zero)
        if share is not before:
            self.value += share - before
            self._shares[queue] = share


class Alarms(Generic[Number]):
    """One instant for each of some queues; the first exact one is found in the logarithm of their number."""

    def __init__(self, times: Mapping[int, Number] | None = None) -> None:
        self._times: dict[int, Number] = {}
        self._heap: list[tuple[Number, int]] = []
        for queue, instant in (times or {}).items():
            self[queue] = instant

    def __contains__(self, queue: int) -> bool:
        return queue in self._times

    def __setitem__(self, queue: int, instant: Number) -> None:
        self._times[queue] = instant
        if isinstance(instant, Rational):  # symbols have no order
            heappush(self._heap, (instant, queue))

    def get(self, queue: int) -> Number | None:
        """Return the instant of a queue; None if it has none."""
        return self._times.get(queue)

    def pop(self, queue: int) -> Number | None:
        """Remove and return the instant of a queue; None if it has none."""
        return self._times.pop(queue, None)

    def next(self) -> int | None:
        """Return the queue of the first exact instant; None if there is none."""
        while self._heap and self._times.get(self._heap[0][1]) is not self._heap[0][0]:
            heappop(self._heap)
        return self._heap[0][1] if self._heap else None

    def instants(self) -> list[Number]:
        """Return the first exact instant, or all symbolic ones."""
        queue = self.next()
        return list(self._times.values()) if queue is None else [self._times[queue]]

    def taken(self, now: Number) -> list[int]:
        """Remove and return the queues whose instants are not after `now`."""
        if self.next() is None:
            found = [queue for queue, instant in self._times.items() if instant <= now]
        else:
            found = list[int]()
            while (queue := self.next()) is not None and self._times[queue] <= now:
                found.append(queue)
                del self._times[queue]
        for queue in found:
            self.pop(queue)
        return found


class Memory(ABC, Generic[Number]):
    """The memory of a policy: counters, timers, states.

    - `continuous`: True if a threshold changes only at instants at which its old and its new value are equal.

    >>> class Later(Memory[Fraction]):
    ...     def act(self, state):
    ...         return {0: (Fraction(0), Fraction(1))} if state.now >= 2 else {}
    ...     def wakes(self, state):
    ...         return [Fraction(2)] if state.now < 2 else []
    """

    continuous: bool = False

    hears_overflow = True
    """True if the memory must act when the buffer becomes full; DT's thresholds never let it fill."""

    def heard(self) -> tuple[str, ...]:
        """Name the calls besides `act` and `wakes` that the memory defines.

        >>> from dtmodel import EDT
        >>> from dtmodel.policies import Part
        >>> EDT(1, 3).memory(Part(Fraction(6), (0, 1)), Fraction).heard()
        ('settled',)
        """
        return tuple(name for name in ("admitted", "settled", "passed") if name in _defined(type(self)))

    def form(self) -> Form | None:
        """Return the parameters with which compiled code runs this memory; None if only Python can."""
        return None

    @abstractmethod
    def wakes(self, state: State[Number]) -> Iterable[Number]:
        """Return all instants at which the memory must act if this phase lasts: a run in floats orders them surely."""

    @abstractmethod
    def act(self, state: State[Number]) -> Changes[Number]:
        """Return the thresholds that change now: arrivals have changed, queues have emptied or timers have expired."""

    def admitted(self, state: State[Number]) -> Number | None:
        """Return the fraction of all arrivals that a full buffer admits from now on; None if it admits everything."""
        return None

    def settled(self, state: State[Number]) -> Changes[Number]:
        """Return the thresholds that change once growth, drops and overflow of the new phase are known."""
        return {}

    def passed(self, state: State[Number], begin: Number) -> None:
        """Note that the phase which began at `begin` is over; slopes and rejections are still those of that phase."""


def _defined(kind: type) -> set[str]:
    """Return the names that a memory defines itself or inherits from another memory."""
    return {name for each in kind.__mro__[: kind.__mro__.index(Memory)] for name in vars(each)}
