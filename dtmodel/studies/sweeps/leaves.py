"""The traffic of a queue at many points of a sweep, where each of its times and rates depends on at most one axis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.fluid.batch import BESIDE, Ticks
from dtmodel.studies.sweeps.axes import steps
from dtmodel.studies.sweeps.grid import ScenarioGrid

Clashes = Callable[[object, Iterable[tuple[float, Fraction]]], list[bool]]
"""Tells for each float or tick of a kind if it stands for another exact number as well."""


class Leaf(NamedTuple):
    """A time or rate of the traffic: the axis that sets it (None if none does), and its values.

    `numbers`: ticks or floats. `apart`: True for each value that its number does not distinguish from another.
    """

    axis: int | None
    exact: Sequence[Fraction]
    numbers: Any
    apart: Any

    def at(self, places: Sequence[Any], values: Any) -> Any:
        """Return those of the `values`, one for each value of the leaf, that some points have."""
        return values[0] if self.axis is None else values[places[self.axis]]

    def beside(self, rate: Fraction) -> Any:
        """Return True for each value that is close to a rate, but not equal to it."""
        import numpy as np

        near = abs(self.numbers - float(rate)) * BESIDE < float(rate)
        for place in np.flatnonzero(near).tolist():
            near[place] = self.exact[place] != rate
        return near


def leaves_of(plan: ScenarioGrid, queue: int, clashes: Clashes) -> tuple[list[Leaf], list[Leaf]] | None:
    """Return the times and the rates of the traffic of a queue; None if they are not numbers that axes set one by one.

    Numbers that are not accepted are left to the scenario at their point, whose error names it.
    """
    given, axes = plan.tree["queues"][queue].get("arrivals", []), _setters(plan, queue)
    if axes is None or not isinstance(given, list) or any(not isinstance(p, list) or len(p) != 2 for p in given):
        return None
    if any(piece >= len(given) for piece, _ in axes):
        return None
    try:
        until = units.seconds(plan.tree["until"], "until", positive=True)
        clashes(until, zip(map(Ticks(until).rounded, named := [until, Fraction(0), *plan.sample]), named, strict=True))
        clashes("time", [(float(until), until)])
        found: tuple[list[Leaf], list[Leaf]] = ([], [])
        for piece, pair in enumerate(given):
            for part, own in enumerate(pair):
                axis = axes.get((piece, part))
                values = [own] if axis is None else plan.settings.axes[axis].values
                found[part].append(_leaf(axis, values, until if part == 0 else None, clashes))
    except (InputError, ArithmeticError, LookupError):
        return None
    return found


def _setters(plan: ScenarioGrid, queue: int) -> dict[tuple[int, int], int] | None:
    """Return the axis of each piece and part of the traffic that has one; None if an axis sets more than a number."""
    found = dict[tuple[int, int], int]()
    for axis, places in enumerate(each.places for each in plan.settings.axes):
        for head, *rest in map(steps, places):
            if head == "until":
                return None
            if head != "queues" or (rest and rest[0] != queue) or (len(rest) > 1 and rest[1] != "arrivals"):
                continue
            if len(rest) != 4 or not isinstance(rest[2], int) or rest[3] not in (0, 1):
                return None
            found[rest[2], int(rest[3])] = axis
    return found


def _leaf(axis: int | None, values: Sequence[Any], until: Fraction | None, clashes: Clashes) -> Leaf:
    """Read the values of a time before the end of the run, or without an end of a rate."""
    import numpy as np

    read = units.rate if until is None else units.seconds
    exact = [value if type(value) is Fraction and value.numerator >= 0 else read(value, "") for value in values]
    floats = [float(value) for value in exact]
    apart = np.array(clashes("rate" if until is None else "time", zip(floats, exact, strict=True)))
    if until is None:
        return Leaf(axis, exact, np.array(floats), apart)
    counted = [*map(Ticks(until).rounded, exact)]
    apart |= np.array(clashes(until, zip(counted, exact, strict=True)))
    return Leaf(axis, exact, np.array(counted, np.int64), apart)
