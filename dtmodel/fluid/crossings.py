"""Which queues of an exact run may be the next to meet their thresholds or levels, told from intervals of floats.

A queue off its threshold moves along a line and meets a F + b, where F is a line too, after a wait of
(a F + b - q) / (q' - a F'). In floats each term has a relative error of a few 2^-53, so that numerator and denominator
lie in intervals about what floats make of them, and the wait between the quotients of their ends. On either side they
are `_EACH` times the sizes of their terms wide, but for a F and a F': each is at most as large as the other terms and
the whole together, so that its error is one of theirs, or relative to the whole and thus to the wait, which is taken
for longer by `_EACH`. So is the speed times the line's first instant, which is not after now. A queue that is not there
before another one must be is not the next. Exact numbers decide between the few that are left, so that the answer is
the exact one.
"""

from typing import final

import numpy as np

_EACH = 2.0**-46
"""Relative: more than a hundred roundings, where thirty are made."""

_TINY = 1e-150
"""Absolute: more than is lost where a product is smaller than every normal float, and still a divisor."""

_WILD = 1e70
"""Below it, products of a few numbers are floats."""

_NEVER = 1e300


@final
class Crossings:
    """The lines of the queues of a run in floats, and which of them may come first.

    `queues`: how many there are.

    >>> lines = Crossings(2)
    >>> for queue, length in enumerate((0.0, 1.0)):
    ...     lines.draw(queue, (0.0, length, 2.0), side=1, law=(1.0, 0.0))
    >>> lines.next(0.0, 9.0, free=5.0, free_slope=-4.0)  # after 5/6 s and 4/6 s
    {1}
    """

    def __init__(self, queues: int) -> None:
        self._queues = queues
        self._terms = np.zeros((5, 2 * queues))  # a column for the threshold of each queue, and one for its level
        self._terms[1] = _NEVER
        self._factors = np.zeros((4, 5))  # of least and most room, least and most closing speed
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
    ) -> None:
        """Say how a queue moves from now on.

        `queue`: which one. `line` ((float, float, float)): an instant, the length then, and the rate at which it
        changes. `side`: 1 below its threshold, -1 above it; 0: it meets none. `law` ((float, float)): slope and offset
        of its threshold. `level`: the length at which it stops or goes on differently; it moves towards it. Raises
        `OverflowError` if a number is too large for floats to say anything of what follows from it.
        """
        self._terms[:, queue] = _terms(line, side, law)
        towards = 0 if level is None else -1 if line[2] < 0 else 1
        self._terms[:, self._queues + queue] = _terms(line, towards, (0.0, level or 0.0))

    def next(self, now: float, until: float, free: float, free_slope: float) -> set[int]:
        """Return queues among which are all that are the next, if one comes before `until`.

        Raises `OverflowError` if a number is too large for floats to say anything of what follows from it.
        """
        if not max(now, until, free, abs(free_slope)) < _WILD:
            raise OverflowError
        self._factors[:, 0] = free, free, -free_slope, -free_slope
        self._factors[:2, 2] = -now
        self._factors[:2, 4] = -now, now
        room, most_room, least_closing, closing = self._factors.dot(self._terms)
        longest = max(until * (1 + _EACH) - now, _TINY)
        fastest = (least_closing / np.abs(most_room)).max(initial=1 / longest)
        near = room <= (1 + _EACH) / fastest * closing
        return {column % self._queues for column in np.flatnonzero(near).tolist()}


def _terms(line: tuple[float, float, float], side: int, law: tuple[float, float]) -> tuple[float, ...]:
    """What F, 1 and t are multiplied with in the room that is left to the threshold, and how wide 1 and t make it."""
    if not side:
        return 0.0, _NEVER, 0.0, 0.0, 0.0
    (begin, length, speed), (slope, offset) = line, law
    fast = abs(speed)
    size = abs(offset) + abs(length)
    if not max(size, slope, fast, begin) < _WILD:
        raise OverflowError
    rest = offset - length + speed * begin
    return side * slope, side * rest, side * speed, _EACH * size + _TINY, _EACH * fast
