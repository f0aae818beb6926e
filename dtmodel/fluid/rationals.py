"""The rationals that an exact run computes with: gmpy2's where it is installed, else those of the standard library.

Both are exact, so that every run is the same in either; what leaves a run is a `Fraction`.
"""

from fractions import Fraction
from importlib import import_module
from numbers import Rational
from typing import Any, NamedTuple

from dtmodel.fluid.trajectory import FreeBuffer, Queue

try:
    EXACT: Any = import_module("gmpy2").mpq
except ImportError:
    EXACT = Fraction


class _Reduced(NamedTuple):
    """A numerator and a denominator without a common divisor: a fraction of a rational looks for none again."""

    numerator: int
    denominator: int


Rational.register(_Reduced)


def in_fractions(free: FreeBuffer[Any], queues: list[Queue[Any]]) -> tuple[FreeBuffer[Any], list[Queue[Any]]]:
    """Return the trajectories of a run in fractions; a number that occurs many times is made once.

    `free` (FreeBuffer): what the engine kept of the free buffer. `queues` (list of Queue): what it kept of each queue.

    >>> free, queues = in_fractions(FreeBuffer([EXACT(0)], [EXACT(1, 2)]), [])
    >>> free.values
    [Fraction(1, 2)]
    """
    made: dict[int, Fraction] = {}

    def fraction(value: Any) -> Fraction:
        """Return the fraction of a number that the run keeps, so that its identity is its own."""
        found = made.get(id(value))
        if found is None:
            reduced: Any = _Reduced(int(value.numerator), int(value.denominator))
            found = made[id(value)] = Fraction(reduced)
        return found

    plain = free.given_in(fraction)
    return plain, [queue.given_in(fraction, plain) for queue in queues]
