"""Integer arithmetic of the network: picoseconds, cube roots, and draws that depend on nothing but their keys."""

from fractions import Fraction
from math import ceil

from dtmodel.base import units
from dtmodel.base.units import Quantity

SECOND = 10**12
"""Picoseconds in a second: 64 bytes at 10 Gbps are 51,200."""

_MASK = 2**64 - 1


def picoseconds(value: Quantity, field: str) -> int:
    """Return a time of at least 0 in picoseconds, rounded up."""
    return ceil(units.seconds(value, field) * SECOND)


def transmission(size: int, rate: Fraction) -> int:
    """Return the picoseconds that `size` bytes take at a `rate` in bytes per second, rounded up."""
    return ceil(Fraction(size * SECOND) / rate)


def cube_root(number: int) -> int:
    """Return the integer part of the cube root of a number; 0 for a number below 1."""
    if number < 1:
        return 0
    root = 1 << -(-number.bit_length() // 3)
    while True:
        lower = (2 * root + number // (root * root)) // 3
        if lower >= root:
            return root
        root = lower


def draw(*keys: int) -> int:
    """Return 64 bits that are hashed from integer keys (SplitMix64): the same for the same keys, whatever else runs."""
    state = 0
    for key in keys:
        state = (state + key + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return state
