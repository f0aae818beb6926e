"""Many points of a sweep in one call of the native core, from one scenario whose numbers are vectors.

Axes of anything but numbers, such as names and seeds, divide points into groups, as conditions do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any, final

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.base.vectors import Spaced, Vector, holds
from dtmodel.fluid.batch import UNDECIDED, order_of
from dtmodel.fluid.columns import in_groups, run_rows, stacked
from dtmodel.studies.sweeps.axes import put, unit_in
from dtmodel.studies.sweeps.grid import ScenarioGrid

_NUMBERS = 1_000_000
"""The approximate number of numbers in one call of the core."""
_FEW = 100
"""The largest number of values of an axis that are read one by one."""


@final
class Columns:
    """The points of a sweep of scenarios in floats, `plan`, as columns for the native core."""

    def __init__(self, plan: ScenarioGrid) -> None:
        self.plan = plan
        self._leaves = [_leaves_of(axis.numbers or axis.values) for axis in plan.settings.axes]

    def compute(self, begin: int, end: int) -> tuple[Any, dict[str, Any]]:
        """Run points as far as possible; return True for each that is decided, and each measure in a row per point."""
        import numpy as np

        places = np.unravel_index(np.arange(begin, end), self.plan.shape) if self.plan.shape else ()
        found = {m.name: np.full((end - begin, m.size), np.nan) for m in self.plan.measures if m.along}
        status = np.full(end - begin, -1)

        def run(rows: Any, ties: bool = False) -> None:
            built = self._built(len(rows), [each[rows] for each in places], ties) if len(rows) > 1 else {}
            step = max(1, _NUMBERS // sum((values.shape[1] for values in built.values()), 1))
            for first in range(0, len(rows) if built else 0, step):
                part = slice(first, first + step)
                own = {name: values[part] for name, values in built.items()}
                status[rows[part]] = self._run(own, rows[part], found)

        in_groups(np.arange(end - begin), run)
        in_groups(np.flatnonzero(status >= UNDECIDED), partial(run, ties=True))
        return status == 0, found

    def _built(self, rows: int, places: Sequence[Any], ties: bool) -> dict[str, Any]:
        """Return the columns of points that are alike in all conditions; raise `Divided` if they are not."""
        values = list[Any]()
        for axis, leaves, at in zip(self.plan.settings.axes, self._leaves, places, strict=True):
            alike = (at == at[0]).all() if leaves else holds(at == at[0])  # without vectors points are divided
            values.append(_filled(axis.values[at[0]], [] if alike else leaves, at))
        try:
            scenario = self.plan.made(values)
        except InputError as error:
            if not self._taken_apart(error.value):
                raise
            return self._built(rows, places, ties)
        return stacked(scenario, rows, ties=ties)

    def _taken_apart(self, refused: object) -> bool:
        """Let an axis with a vector that was refused divide the points from now on; False if there is none."""
        for place, leaves in enumerate(self._leaves):
            if isinstance(refused, Vector) and refused.key in [vector.key for _, vector in leaves]:
                self._leaves[place] = []
                return True
        return False

    def _run(self, built: Mapping[str, Any], rows: Any, found: dict[str, Any]) -> Any:
        """Run points in the core, write its results into the rows of these points, and return its status of each."""
        results = run_rows(built, order_of(self.plan.sample))
        for name, values in found.items():
            values[rows] = results(name)[..., list(self.plan.queues)].reshape(len(rows), -1)
        return results("status")


def unread(plan: ScenarioGrid, first: Sequence[Any], number: int, values: Sequence[Any]) -> list[int]:
    """Read many values of an axis, beside the `first` values of others; return the places that must be read alone.

    Of values that differ in their numbers only, the first is read alone, as it is written.
    """
    axis = plan.settings.axes[number]
    forms, exact, alone = dict[Any, list[int]](), axis.numbers or axis.values, list[int]()

    def read(one: int, leaves: Any, rows: Any) -> None:
        plan.made([*first[:number], _filled(exact[one], leaves, rows), *first[number + 1 :]])

    for place, (written, value) in enumerate(zip(values, exact, strict=True)):
        forms.setdefault(_form(written, value), []).append(place)
    for one, *more in forms.values():
        leaves = _leaves_of([exact[place] for place in more]) if len(more) > _FEW else []
        left = in_groups(range(len(more)), partial(read, one, leaves)) if leaves else range(len(more))
        alone += [one, *(more[row] for row in left)]
    return sorted(alone)[1:]


def _filled(value: Any, leaves: Any, rows: Any) -> Any:
    """Return a value with the numbers at some rows in the places of its numbers."""
    for path, vector in leaves:
        value = put(value, path, vector.at(rows)) if path else vector.at(rows)
    return value


def _form(written: Any, value: Any) -> Any:
    """Return a value that was read, with the unit and the type in which a number is written in its place."""
    if type(value) is dict:
        return tuple((key, _form(written[key], item)) for key, item in value.items())
    if type(value) is list:
        return list, *map(_form, written, value)
    return value if type(value) is str else (type(written), unit_in(written) if type(written) is str else "")


def _leaves_of(values: Sequence[Any]) -> list[tuple[tuple[str | int, ...], Vector]]:
    """Return the places of the numbers in documents of one form, with a vector for each; none if the forms differ."""
    with suppress(TypeError, InputError, ArithmeticError):
        return [*_leaves(values)]
    return []


def _leaves(values: Sequence[Any], *path: str | int) -> Iterator[tuple[tuple[str | int, ...], Vector]]:
    kinds = {Fraction} if isinstance(values, Spaced) else {*map(type, values)}
    if kinds == {Fraction}:
        yield path, Vector.of(values)
    elif kinds <= {Fraction, int, float}:
        yield path, Vector.of([Fraction(value) if type(value) is int else units.exact(value, "") for value in values])
    elif kinds in ({dict}, {list}) and len(keys := {tuple(v) if dict in kinds else range(len(v)) for v in values}) == 1:
        for key in keys.pop():
            yield from _leaves([value[key] for value in values], *path, key)
    elif any(value != values[0] for value in values):
        raise TypeError
