"""Units of the expressions in a derive file: a grade has the exponents of the units of buffer, time and length.

The rate is a length per time, and the slope of a threshold converts free bytes to lengths.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.derive.algebra.language import Term, read_expression

Grade = tuple[int, int, int]
FREE: Grade = (1, 0, 0)
TIME: Grade = (0, 1, 0)
LENGTH: Grade = (0, 0, 1)
COUNT: Grade = (1, 0, -1)
SLOPE: Grade = (-1, 0, 1)
RATE: Grade = (0, -1, 1)
PURE: Grade = (0, 0, 0)

UNIT_NAMES: Mapping[Grade, str] = {FREE: "bytes", LENGTH: "bytes", TIME: "s", RATE: "bytes/s"}
"""The name of the base unit of each grade that has one."""
_UNITS = {FREE: units.bytes_, LENGTH: units.bytes_, TIME: units.seconds, RATE: units.rate}


def read_value(value: Any, field: str, grade: Grade | None) -> Fraction:
    """Read a number with the unit of its grade, such as ``"1 MB"`` for a buffer."""
    reader = _UNITS.get(grade) if grade and units.has_unit(value) else None
    return units.exact(value, field) if reader is None else reader(value, field)


def read_term(value: Any, field: str, names: Mapping[str, Term | None], grade: Grade) -> Term:
    """Read an expression, or a number with the unit of its grade: ``"1/2 MB"``, ``"100 Gbps"``, ``"2 ms"``."""
    if grade in _UNITS and units.has_unit(value):
        value = _UNITS[grade](value, field)
    return read_expression(value, field, names)


def read_count(document: Mapping[str, Any], field: str, names: Mapping[str, Term | None]) -> Term:
    """Read the number `count` of queues, groups or pools, which is 1 by default and a whole number without symbols."""
    count = read_expression(document.get("count", 1), f"{field}.count", names)
    if not count.names and Fraction(count.value({})).denominator != 1:
        raise InputError(f"{field}.count", units.plain(count.value({})), "a whole number, or one with symbols")
    return count
