"""Interval arithmetic in floats that finds the queues of an exact run that may be next to meet a threshold or level.

A queue off its threshold moves along a line and meets a F + b, where F is a line too, after a wait of (a F + b - q) /
(q' - a F'). While a full buffer refuses the part 1 - p of all arrivals, q bends by R L, where L, the integral of 1 - p,
is a line too. In floats each term has a relative error of a few 2^-53, so numerator and denominator lie in intervals
around their floats, and the wait lies between the quotients of the interval ends. The intervals extend on either side
by `_EACH` times the sizes of their terms, except a F and a F': each of these is at most as large as the other terms and
the whole together, so its error is one of theirs, or relative to the whole and thus to the wait, which is extended by
`_EACH`. This also covers the speed times the line's first instant, which is not after now, and R times the L of that
instant, which is at most L now. A queue whose shortest wait exceeds the longest wait of another queue is not the next.
Exact numbers decide between the few remaining queues, so that the answer is exact.
"""

from collections.abc import Sequence
from typing import final

import numpy as np

_EACH = 2.0**-46
"""A relative error of more than a hundred roundings; at most thirty occur."""

_TINY = 1e-150
"""An absolute error that covers the underflow of a product, and that may still be a divisor."""

_WILD = 1e70
"""Products of a few numbers below this bound do not overflow."""

_NEVER = 1e300


@final
class Crossings:
    """The lines of the queues of a run in floats, and the queues that may meet a threshold or level first."""

    def __init__(self, queues: int) -> None:
        self._queues = queues
        self._terms = np.zeros((7, 2 * queues))  # a column for the threshold of each queue, and one for its level
        self._terms[1] = _NEVER
        self._lines = np.zeros((2, queues))  # value at time 0, and length
        self._factors = np.zeros((4, 7))  # of least and most room, least and most closing speed
        self._factors[:2, 1], self._factors[2:, 2] = 1, 1
        self._factors[:2, 3] = self._factors[2:, 4] = -1, 1

    def draw(
        self,
        queue: int,
        line: tuple[float, float, float],
        *,
        side: int,
        law: tuple[float, float],
        level: float | None = None,
        bend: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Set the motion of a queue from now on; `OverflowError` if a number is too large for floats.

        `line`: an instant, the length then, and its slope. `side`: 1 below the threshold, -1 above it, 0 if the queue
        meets none. `law`: slope and offset of its threshold. `level`: the length at which it stops or bends. `bend`: R
        and, at the first instant, L.
        """
        self._terms[:, queue], self._lines[:, queue] = _terms(line, bend, side, law), (_origin(line, bend), line[1])
        towards = 0 if level is None else -1 if line[2] < 0 or bend[0] > 0 else 1
        self._terms[:, self._queues + queue] = _terms(line, bend, towards, (0.0, level or 0.0))

    def bound(self, queues: Sequence[int], law: tuple[float, float]) -> None:
        """Set the threshold of queues below it, which move on; `OverflowError` if a number is too large for floats."""
        if not max(map(abs, law)) < _WILD:
            raise OverflowError
        origin, length = self._lines[:, queues]
        self._terms[0, queues] = law[0]
        self._terms[1, queues] = law[1] - origin
        self._terms[3, queues] = _EACH * (abs(law[1]) + abs(length)) + _TINY

    def next(
        self, now: float, until: float, free: float, free_slope: float, refused: float = 0.0, refusing: float = 0.0
    ) -> set[int]:
        """Return a set with all queues that come first, if one comes before `until`; L is `refused`, L' `refusing`."""
        if not max(now, until, free, abs(free_slope), refused) < _WILD:
            raise OverflowError
        self._factors[:, 0] = free, free, -free_slope, -free_slope
        self._factors[:2, 2] = -now
        self._factors[:2, 4] = -now, now
        self._factors[:, 5] = refused, refused, -refusing, -refusing
        self._factors[:, 6] = -refused, refused, -refusing, refusing
        room, most_room, least_closing, closing = self._factors.dot(self._terms)
        longest = max(until * (1 + _EACH) - now, _TINY)
        fastest = (least_closing / np.abs(most_room)).max(initial=1 / longest)
        near = room <= (1 + _EACH) / fastest * closing
        return {column % self._queues for column in np.flatnonzero(near).tolist()}


def _origin(line: tuple[float, float, float], bend: tuple[float, float]) -> float:
    return line[1] - line[2] * line[0] + bend[0] * bend[1]


def _terms(
    line: tuple[float, float, float], bend: tuple[float, float], side: int, law: tuple[float, float]
) -> tuple[float, ...]:
    """Return the coefficients of F, 1 and t in the distance to the threshold and the errors of two, then those of L."""
    if not side:
        return 0.0, _NEVER, 0.0, 0.0, 0.0, 0.0, 0.0
    (begin, length, speed), (slope, offset), (thinned, refused) = line, law, bend
    fast = abs(speed)
    size = abs(offset) + abs(length)
    if not max(size, slope, fast, begin, thinned, refused) < _WILD:
        raise OverflowError
    rest = offset - _origin(line, bend)
    errors = _EACH * size + _TINY, _EACH * fast
    return side * slope, side * rest, side * speed, *errors, side * thinned, _EACH * thinned
