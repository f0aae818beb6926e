"""Thresholds that are affine in the free buffer: what engines compare a queue with."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Threshold:
    """A threshold that is affine in the free buffer F: T = slope F + offset (bytes).

    Parameters
    ----------
    slope, offset : Fraction
        What F is multiplied by, and what is added, in bytes.

    Examples
    --------
    >>> Threshold(Fraction(1, 2), Fraction(3)).at(Fraction(10))
    Fraction(8, 1)
    """

    slope: Fraction
    offset: Fraction = Fraction(0)

    def at(self, free: Fraction) -> Fraction:
        """T for a free buffer of `free` bytes."""
        return self.slope * free + self.offset
