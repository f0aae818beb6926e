"""Bounds on the rounding errors of a run in floats, and checks that they cannot change an event.

In floats every event rounds each length a few times, relatively by 2^-53, and errors are not fed back: F is solved for
anew at each event. After k events of n queues the error of a length is below 2^-49 (32 + n k) B plus the change of
lengths during the error of the event times, and that of a threshold a F + b below 1 + a times this, as long as every
event came in its true order. So a run in floats continues only if each decision differs from a tie by more than these
bounds: the first among crossings, arrivals, the memory's instants and the end; the side of the threshold on which a
queue lies; and the queues that follow their thresholds. Otherwise the run ends with `UndecidedError`, and an exact run
replaces it. Queues of one kind may tie, because they round alike. At the end the bytes of every queue must balance.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, final

from dtmodel.fluid.trajectory import Queue

_CERTAIN = 2.0**-36
"""A relative difference larger than the sum of many rounding errors."""

_EACH = 2.0**-49


class UndecidedError(Exception):
    """Rounding errors could change the next event of a run in floats; an exact run decides."""


@final
class Rounding:
    """The error bounds of one run in floats.

    `buffer`: B. `queues`: n. `bound`: the present bound on the error of a length, in bytes.
    """

    def __init__(self, buffer: float, queues: int) -> None:
        self._one, self._queues, self._events = buffer * _EACH, queues, 0
        self._churn = self._speed = self._late = 0.0
        self._near: list[tuple[float, float, Hashable]] = []
        self.bound = 0.0
        self.count()

    def count(self, time: float = 0.0) -> None:
        """Count one more event, whose rounded time adds to the errors."""
        self._events += 1
        self._late += time * self._speed * 2.0**-52
        self.bound = self._late + self._one * (32 + self._queues * self._events)

    def decide(self, difference: float, scale: float) -> None:
        """Check that the sign of a difference of numbers of the size `scale` is certain."""
        if abs(difference) <= _CERTAIN * abs(scale):
            raise UndecidedError("a difference")

    def side(self, room: float, slope: float) -> None:
        """Check that a queue with this distance to its threshold, of this slope, is not on it."""
        if abs(room) <= self.bound * (1 + slope):
            raise UndecidedError("on which side of its threshold a queue lies")

    def phase(self, borders: Iterable[tuple[float, float]], free_slope: float, slopes: float, weights: float) -> None:
        """Check that the set of queues on their thresholds is certain.

        `slopes`: the sum of the absolute slopes of the other queues. `weights`: 1 + the sum of a of the queues on
        theirs.
        """
        self._churn = abs(free_slope) + slopes / weights  # F' is a quotient of these sums, with an error relative to it
        self._speed = self._churn * weights
        for border, slope in borders:
            blur = _CERTAIN * (abs(border) + self._churn)
            if blur > 0 and abs(border - slope) <= blur:
                raise UndecidedError("whether a queue follows its threshold")

    def note(self, instant: float, wait: float, speed: float, what: Hashable, *, slope: float, law: float) -> None:
        """Record that a queue of slope `slope` meets a level, or a threshold of slope `law`, at a closing speed."""
        blur = self.bound * (1 + law)
        slack = blur / abs(speed) + wait * _CERTAIN * (1 + (abs(slope) + law * self._churn) / abs(speed))
        self._near.append((instant, slack, what))

    def note_memory(self, wakes: Sequence[float], full: float | None, speeds: Iterable[float]) -> None:
        """Record the instants of the memory, whose counters may move as slowly as the slowest queue."""
        moving = [abs(speed) for speed in speeds if speed != 0]
        slack = self.bound / min(moving) if moving else 0.0
        self._near += [(instant, slack, ("memory", place)) for place, instant in enumerate(wakes)]
        self._near += [] if full is None else [(full, slack, "full")]

    def first(self, time: float, given: Iterable[float]) -> None:
        """Check that exactly one event happens at `time`; the instants `given` are exact."""
        near, self._near = [*self._near, *((instant, 0.0, "given") for instant in given)], []
        now = [(slack, what) for instant, slack, what in near if instant == time]
        if not now:  # its instant was computed with other roundings
            raise UndecidedError("which event comes first")
        latest, names = time * (1 + _CERTAIN) + max(slack for slack, _ in now), {what for _, what in now}
        if len(names) > 1 or any(instant - slack <= latest for instant, slack, _ in near if instant != time):
            raise UndecidedError("which event comes first")

    def balance(self, queue: Queue[Any], offered: float) -> None:
        """Check that a queue's initial and offered bytes are its lost, sent and held bytes."""
        lost, sent = queue.totals
        rest = queue.segments[0].length + offered - lost - sent - queue.at(queue.free.times[-1])
        slack = self.bound + offered * _CERTAIN
        if abs(rest) > slack or any(segment.length < -slack for segment in queue.segments):
            raise UndecidedError("bytes that are neither held nor lost nor sent")
