"""Thresholds that are affine in the free buffer, up to a cap."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final


@final
@dataclass(frozen=True)
class Threshold:
    """A threshold that is affine in the free buffer F up to a cap: T = min(slope F + offset, cap), in bytes.

    If the cap binds for every F >= 0 or for none, the threshold is constant, and is stored as an offset without a cap.

    - `slope`, `offset`: the factor of F, at least 0, and the constant term in bytes.
    - `cap`: the largest value of T, in bytes; None if only F bounds it.

    >>> Threshold(Fraction(1, 2), Fraction(3)).at(Fraction(10))
    Fraction(8, 1)
    >>> Threshold(Fraction(1, 2), Fraction(3), cap=Fraction(5)).at(Fraction(10))
    Fraction(5, 1)
    >>> Threshold(Fraction(0), Fraction(3), cap=Fraction(2)) == Threshold(Fraction(0), Fraction(2))
    True
    """

    slope: Fraction
    offset: Fraction = Fraction(0)
    cap: Fraction | None = None

    def __post_init__(self) -> None:
        if self.cap is None or (self.slope > 0 and self.offset < self.cap):
            return
        for name, value in (("slope", self.slope - self.slope), ("offset", min(self.offset, self.cap)), ("cap", None)):
            object.__setattr__(self, name, value)

    def at(self, free: Fraction) -> Fraction:
        """Return T for a free buffer of `free` bytes."""
        return self.affine(free) if self.cap is None else min(self.affine(free), self.cap)

    def affine(self, free: Fraction) -> Fraction:
        """Return a F + b, which the cap may bound."""
        return self.slope * free + self.offset

    def beyond(self, reserve: Fraction) -> "Threshold":
        """Return the threshold of the bytes beyond a `reserve`."""
        return Threshold(self.slope, self.offset - reserve, None if self.cap is None else self.cap - reserve)

    def given_in(self, number: Callable[[Fraction], Any]) -> "Threshold":
        """Return this threshold in other numbers; `number` makes such a number of a fraction."""
        return Threshold(number(self.slope), number(self.offset), None if self.cap is None else number(self.cap))


def free_beside(room: Fraction, steady: Sequence[tuple[int, Threshold]]) -> Fraction:
    """Return the free buffer F beside steady queues, the root of F + sum n T(F) = room; negative without room."""
    rest = list(steady)
    while True:  # a queue at its cap leaves more room, so another queue may reach its cap: at most one pass per queue
        offsets, slopes = (sum((n * part for n, part in parts), Fraction(0)) for parts in (
            [(n, limit.offset) for n, limit in rest], [(n, limit.slope) for n, limit in rest]))  # fmt: skip
        free = (room - offsets) / (1 + slopes)
        full = [each for each in rest if (cap := each[1].cap) is not None and each[1].affine(free) > cap]
        if not full:
            return free
        room -= sum((n * limit.at(free) for n, limit in full), Fraction(0))
        rest = [each for each in rest if each not in full]
