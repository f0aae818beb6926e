"""Draws shared by the generators (functions of a ``random.Random``): numbers that tie, and ways to write them."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any


def chance(random: Random, one_in: int) -> bool:
    """Return True once in `one_in` draws on average."""
    return random.randint(1, one_in) == one_in


def fraction(random: Random, greatest: int, least: int = 0, parts: Sequence[int] = (1, 1, 2, 4, 3)) -> Fraction:
    """Return a number from `least` to `greatest` with a small denominator, so that ties are frequent."""
    part = random.choice(parts)
    return Fraction(random.randint(least * part, greatest * part), part)


def bump(random: Random, value: Fraction) -> Fraction:
    """Return `value`, most often exactly, otherwise a billionth above or below it."""
    return value + random.choice((0, 0, 0, 0, 0, 0, Fraction(1, 10**9), -Fraction(1, 10**9)))


def grid_times(random: Random, most: int) -> list[Fraction]:
    """Return increasing times on a grid of halves, so that the events of several queues coincide."""
    times, now = [], Fraction(0)
    for place in range(random.randint(0, most)):
        now += Fraction(random.randint(1 if place else 0, 5), 2)
        times.append(now)
    return times


_UNITS = {
    "size": (("B", 1), ("KB", 1000), ("KiB", 1024), ("bits", Fraction(1, 8))),
    "rate": (("B/s", 1), ("bps", Fraction(1, 8)), ("Kbps", 125)),
    "time": (("s", 1), ("ms", Fraction(1, 1000)), ("us", Fraction(1, 10**6))),
}


def written(random: Random, value: Fraction, kind: str = "number") -> Any:
    """Write a number of a `kind` as a document may: ``"p/q"``, a whole number, a decimal, or with a unit."""
    form = random.randint(0, 7)
    if form == 5 and value.denominator == 1:
        return int(value)
    if form == 6 and 10**6 % value.denominator == 0 and 0 <= value < 10**9:
        whole, rest = divmod(value * 10**6, 10**6)
        return f"{whole}.{int(rest):06d}"
    if form == 7 and kind in _UNITS:
        name, factor = random.choice(_UNITS[kind])
        return f"{value / factor} {name}"
    return str(value)
