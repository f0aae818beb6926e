"""Checking the answers of exercises."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from dtmodel import units
from dtmodel.errors import InputError
from dtmodel.units import Quantity

__all__ = ["check_answers"]


def check_answers(yours: Mapping[int, Quantity | None], expected: Mapping[int, Fraction | int]) -> str:
    """Say of each exercise whether the answer is right; what is right is not shown.

    Parameters
    ----------
    yours : mapping
        For each exercise a number, with its unit if it has one; None: not answered yet.
    expected : mapping
        For each exercise the exact number, in base units.

    Raises
    ------
    InputError
        If there is no such exercise, or an answer is no quantity.

    Examples
    --------
    >>> print(check_answers({1: "2 ms", 2: None, 3: 7}, {1: Fraction(1, 500), 2: 1, 3: 8}))
    1: right
    2: your turn
    3: not yet
    """
    lines = []
    for number, answer in yours.items():
        if number not in expected:
            raise InputError("exercise", number, f"one of {', '.join(map(str, expected))}")
        said = "your turn" if answer is None else "right" if expected[number] in _readings(answer) else "not yet"
        lines.append(f"{number}: {said}")
    return "\n".join(lines)


def _readings(answer: Quantity) -> list[Fraction]:
    """Read a quantity as whatever it can be: a number, bytes, a rate or a time."""
    read = []
    for kind in (units.number, units.bytes_, units.rate, units.seconds):
        try:
            read.append(kind(answer, "answer"))
        except InputError:
            continue
    if not read:
        raise InputError("answer", answer, "a number, or a number with its unit")
    return read
