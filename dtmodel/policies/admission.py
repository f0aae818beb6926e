"""The packet side of a policy: it admits or drops each packet, and the engine reports every packet event to it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, final

from dtmodel.base.errors import InputError
from dtmodel.base.units import whole
from dtmodel.policies.memory import Memory, State
from dtmodel.policies.threshold import Threshold

Account = Callable[[Any], Any]
"""The amount that a packet of a given size occupies: its bytes, or 1 if the switch counts packets."""


@dataclass(frozen=True)
class PacketForm:
    """Parameters with which compiled code admits the same packets.

    - `thresholds` (tuple of Threshold or None): the threshold of each port in its controlled state.
    - `circuit` (tuple): cn1, cn2, TM1 and TM2 of EDT, with 0 for a missing timer; None if the policy has thresholds
      only.
    - `pushes` (bool): True if a packet that does not fit pushes others out of the longest queue, as `LQD` says.

    >>> from dtmodel.policies import DT
    >>> form = DT(2).admission(1, 9.0, lambda size: size).form()
    >>> form.thresholds[0].slope, form.circuit
    (2.0, None)
    """

    thresholds: tuple[Threshold | None, ...]
    circuit: tuple[int, Any, Any, Any] | None = None
    pushes: bool = False


class Admission(ABC):
    """Decides on the packets of one switch; lengths and free memory are in the accounting unit of the engine.

    - `lengths` (sequence): the queue lengths, which the engine updates.
    - `arriving`, `mark`: the amount that the arriving packet occupies, and the whole number that the trace gives it, a
      class or a prediction; None without one. The engine sets them before it calls `admits`.

    >>> class Never(Admission):
    ...     def admits(self, port, length, free, now):
    ...         return False
    >>> Never().admits(0, 1, 6, 0)
    False
    """

    lengths: Sequence[Any] = ()
    arriving: Any = 1
    mark: int | None = None

    def marked(self, most: int, meaning: str) -> int:
        """Return the mark of the arriving packet; `InputError` with its `meaning` unless it is from 0 to `most`."""
        if self.mark is None or not 0 <= self.mark <= most:
            accepted = f"{meaning}, from 0 to {most}, for every packet (replay-trace --columns time,port,bytes,NAME)"
            raise InputError("mark", self.mark, accepted)
        return self.mark

    @abstractmethod
    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        """Return True if a packet that fits may enter the queue of `port`, of length `length`, with `free` free."""

    def victim(self, port: int, size: Any, lengths: Sequence[Any], candidates: Sequence[int]) -> int | None:
        """Return one of `candidates` whose last packet is pushed out for one of `size` at `port`; None if none is."""
        return None

    def expelled(self, lengths: Sequence[Any], free: Any, candidates: Sequence[int]) -> int | None:
        """Return the port that loses its first waiting packet before another one arrives; None if no port does.

        The engine asks again with the new `lengths` and the new `free` memory until no port loses a packet.
        `candidates`: as for `victim`.
        """
        return None

    def enqueued(self, port: int, size: Any, now: Any) -> None:  # noqa: B027 - a subclass may ignore the event
        """Note that a packet entered."""

    def dequeued(self, port: int, size: Any, now: Any) -> None:  # noqa: B027 - a subclass may ignore the event
        """Note that a packet was sent."""

    def dropped(self, port: int, now: Any) -> None:  # noqa: B027 - a subclass may ignore the event
        """Note that a packet was dropped or pushed out."""

    def overflowed(self, now: Any) -> None:  # noqa: B027 - a subclass may ignore the event
        """Note that a packet found too little free memory."""

    def wakes(self, now: Any) -> Any:
        """Return the next instant at which the policy acts by itself; None if it never does."""
        del now

    def remembered(self, now: Any) -> Hashable:
        """Return the part of the past that decides the future, with times as distances from `now`."""
        return ()

    def recall(self, remembered: Any) -> None:
        """Restore a state that `remembered` returned; the time is 0."""
        del remembered

    def admission(self, ports: int, buffer: Any, account: Account) -> "Admission":
        """Return itself, so that an engine accepts a policy or an admission."""
        return self

    def form(self) -> PacketForm | None:
        """Return the parameters with which compiled code admits the same packets; None if only Python can.

        >>> from dtmodel.policies import Occamy
        >>> Occamy().admission(1, 9.0, lambda size: size).form() is None
        True
        """
        return None

    def in_ticks(self, second: int) -> "Admission | None":
        """Return an equal admission in ticks, `second` of them in a second, before the first event; else None."""
        return None


@final
class ThresholdAdmission(Admission):
    """A packet enters while its queue is shorter than its threshold; a memory acts when it is due.

    - `thresholds` (sequence of Threshold or None): one for each port; None if the port has no threshold.
    - `memory` (Memory): it can read the time, lengths and free memory, but no rates, which exist in the fluid model
      only.

    >>> from fractions import Fraction
    >>> dt = ThresholdAdmission([Threshold(Fraction(2))])
    >>> dt.admits(0, 5, 3, 0), dt.admits(0, 6, 3, 0)
    (True, False)
    """

    def __init__(self, thresholds: Sequence[Threshold | None], memory: Memory[Any] | None = None) -> None:
        self.thresholds = list(thresholds)
        self.memory = memory
        self.since: Any = 0
        self.fresh = deepcopy(vars(memory)) if memory else {}

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        """Return True if the queue of `port` is below its threshold."""
        if self.memory is not None:
            for queue, (slope, offset) in self.memory.act(self._state(now, free)).items():
                self.thresholds[queue] = Threshold(slope, offset)
        threshold = self.thresholds[port]
        return threshold is None or bool(length < threshold.at(free))

    def form(self) -> PacketForm | None:
        """Return the thresholds; None if a port has a cap, or if there is a memory."""
        capped = any(limit and limit.cap is not None for limit in self.thresholds)
        return None if capped or self.memory is not None else PacketForm(tuple(self.thresholds))

    def in_ticks(self, second: int) -> Admission | None:
        """Return thresholds in ints; None if there is a memory, which may use the time or divide."""
        if self.memory is not None:
            return None
        return ThresholdAdmission([limit and limit.given_in(whole) for limit in self.thresholds])

    def wakes(self, now: Any) -> Any:
        """Return the instant at which the memory acts by itself."""
        if self.memory is None:
            return None
        instant = min(self.memory.wakes(self._state(now, 0)), default=None)
        return None if instant is None else instant - self.since

    def remembered(self, now: Any) -> Hashable:
        """Return the thresholds in force and the time, for a memory; `InputError` if it stores more than that."""
        if self.memory is None:
            return ()
        if changed := [name for name, value in vars(self.memory).items() if value != self.fresh.get(name)]:
            accepted = f"one with an admission of its own: its memory keeps {', '.join(changed)} beside the time"
            raise InputError("policy", type(self.memory).__name__, accepted)
        return (tuple(self.thresholds), self.since + now)

    def recall(self, remembered: Any) -> None:
        """Restore thresholds and a time."""
        if self.memory is not None:
            thresholds, self.since = remembered
            self.thresholds = list(thresholds)

    def _state(self, now: Any, free: Any) -> State[Any]:
        return _Packets(self.since + now, free, self.lengths)


class _Packets(State[Any]):
    """The state of a switch with packets, as a memory reads it."""

    def __init__(self, now: Any, free: Any, lengths: Sequence[Any]) -> None:
        self.now, self.free, self.free_slope = now, free, now * 0
        self.buffer = free + sum(lengths)
        self.rates = self.offered = [now * 0] * len(lengths)
        self.lengths = lengths
        self.counts = [now * 0 + 1] * len(lengths)
        self.changed = range(len(lengths))

    def length(self, queue: int) -> Any:
        return self.lengths[queue]

    def slope(self, queue: int) -> Any:
        return self.rates[queue]

    def rejects(self, queue: int) -> bool:
        return False
