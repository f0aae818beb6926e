"""What a policy remembers during one fluid run, and what the engine shows and asks it.

The engine asks at every instant at which something happens, in this order: arrivals change; `Memory.act` may change
thresholds; `Memory.admitted` may thin what arrives at a full buffer; the phase that begins is solved, and
`Memory.settled` hears it and may change thresholds once more (then it is solved again); `Memory.wakes` says when the
memory wants to be asked next, should nothing else happen before; and when the phase is over, `Memory.passed` hears it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Generic, Literal, TypeVar

Number = TypeVar("Number", Fraction, float)
"""The number type of a run: exact or fast."""

Changes = Mapping[int, tuple[Number, Number]]
"""New thresholds: for each queue that gets one, its slope and offset (bytes) in the free buffer."""


@dataclass(frozen=True)
class Form:
    """What a memory that others know, too, remembers: for compiled code, and for what reads a run.

    Attributes
    ----------
    name : str
        Which one: counters and timers, a full buffer, caps and reserves, or nothing to remember.
    cn2, tm1, tm2 : number
        Those of the counters and timers, in bytes and seconds; infinite: it never expires.

    Examples
    --------
    >>> Form("plain").name
    'plain'
    """

    name: Literal["counters", "complete", "caps", "plain"]
    cn2: Fraction | float = 1.0
    tm1: Fraction | float = inf
    tm2: Fraction | float = inf


class State(ABC, Generic[Number]):
    """What a memory sees of a run; it reads and never writes.

    Attributes
    ----------
    now : Number
        The instant in seconds.
    buffer, free, free_slope : Number
        B, F and F' (bytes, bytes per second); F' is that of the phase in which `Memory` is asked.
    rates, offered : sequence of Number
        C_i and R_i in bytes per second.
    counts : sequence of Number
        How many identical queues each one stands for.
    kinds : sequence of int
        In floats, equal for queues that have been alike so far: rate, initial length, thresholds, traffic.

    Examples
    --------
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
    kinds: Sequence[int]

    @abstractmethod
    def length(self, queue: int) -> Number:
        """Return the length Q_i of a queue in bytes."""

    def empty(self, queue: int) -> bool:
        """Tell whether a queue is empty, Q_i = 0."""
        return self.length(queue) <= 0

    @abstractmethod
    def slope(self, queue: int) -> Number:
        """Q_i' in this phase, in bytes per second."""

    @abstractmethod
    def rejects(self, queue: int) -> bool:
        """Whether the queue loses something of what arrives in this phase."""

    def decide(self, difference: Number, scale: Number) -> Number:
        """Return `difference`, whose sign decides what happens next, if rounding cannot have made that sign.

        Exact numbers decide always. In floats a difference that is tiny beside `scale`, the size of what was
        subtracted, ends the run, which is then done exactly.
        """
        del scale
        return difference


class Memory(ABC, Generic[Number]):
    """The memory of a policy: counters, timers, states.

    Attributes
    ----------
    continuous : bool
        Whether a threshold changes only where the old one and the new one are equal.

    Examples
    --------
    >>> class Later(Memory[Fraction]):
    ...     def act(self, state):
    ...         return {0: (Fraction(0), Fraction(1))} if state.now >= 2 else {}
    ...     def wakes(self, state):
    ...         return [Fraction(2)] if state.now < 2 else []
    """

    continuous: bool = False

    hears_overflow = True
    """Whether the instant at which the buffer is full matters to it; the thresholds of DT never let it fill."""

    def heard(self) -> tuple[str, ...]:
        """Name what it hears of a fluid run besides the time.

        Examples
        --------
        >>> from dtmodel import EDT
        >>> from dtmodel.policies import Part
        >>> EDT(1, 3).memory(Part(Fraction(6), (0, 1)), Fraction).heard()
        ('settled', 'passed')
        """
        return tuple(name for name in ("admitted", "settled", "passed") if name in _defined(type(self)))

    def form(self) -> Form | None:
        """Return what others have to know to remember the same, in the numbers of the run; None: no others do."""
        return None

    @abstractmethod
    def wakes(self, state: State[Number]) -> Iterable[Number]:
        """The instants at which something happens in the memory itself if this phase lasts; it is asked at the first.

        All of them, so that floats can tell whether it is clear which is the first.
        """

    @abstractmethod
    def act(self, state: State[Number]) -> Changes[Number]:
        """Return the thresholds that change now: arrivals have changed, queues have run empty, timers are due."""

    def admitted(self, state: State[Number]) -> Number | None:
        """Return the fraction of all arrivals that a full buffer admits from now on; None: everything."""
        del state
        return None

    def settled(self, state: State[Number]) -> Changes[Number]:
        """Hear who grows, who rejects and whether the buffer overflows; return thresholds that this changes at once."""
        del state
        return {}

    def passed(self, state: State[Number], begin: Number) -> None:
        """Hear that the phase which began at `begin` is over; slopes and rejections are still those of that phase."""


def _defined(kind: type) -> set[str]:
    """Return the names of what a memory defines itself, or inherits from another one."""
    return {name for each in kind.__mro__[: kind.__mro__.index(Memory)] for name in vars(each)}
