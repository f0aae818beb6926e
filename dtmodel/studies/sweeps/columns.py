"""Many points of a sweep in one call of the native core, from one scenario whose numbers are vectors.

The numbers on an axis are a vector with an element for each point, and the scenario is read and started with vectors as
with numbers. Where a condition holds at some points only, these are a group of their own. Axes of anything else, such
as names and seeds, divide points into groups, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, final

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.base.vectors import Divided, Vector
from dtmodel.fluid.batch import TYPES, UNDECIDED, Batch, columns_of, order_of
from dtmodel.fluid.simulation import faithful
from dtmodel.studies.sweeps.axes import put
from dtmodel.studies.sweeps.grid import ScenarioGrid

_NUMBERS = 1_000_000
"""The approximate number of numbers in one call of the core."""
_FEW = 100
"""The largest number of values of an axis that are read one by one."""
_ALONE = InputError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError
"""Errors of scenarios that vectors do not suit: their points are made one by one, and raise the error if it is one."""


@final
class Columns:
    """The points of a sweep of scenarios in floats, as columns for the native core.

    `plan`: the sweep.
    """

    def __init__(self, plan: ScenarioGrid) -> None:
        self.plan = plan
        self._leaves = list[list[tuple[tuple[str | int, ...], Vector]] | None]()  # None: values of several forms
        for axis in plan.settings.axes:
            try:
                self._leaves.append(_leaves(axis.values))
            except (TypeError, InputError, ArithmeticError):
                self._leaves.append(None)

    def compute(self, begin: int, end: int) -> tuple[Any, dict[str, Any]]:
        """Run the points from `begin` to `end` as far as possible.

        Returns an array that is True for each point that the core decided, and the values of each measure, a row per
        point.
        """
        import numpy as np

        places = np.unravel_index(np.arange(begin, end), self.plan.shape) if self.plan.shape else ()
        decided, groups = np.zeros(end - begin, bool), [(np.arange(end - begin), False)]
        found = {m.name: np.full((end - begin, m.size), np.nan) for m in self.plan.measures if m.along}
        with np.errstate(all="ignore"):
            while groups:
                rows, ties = groups.pop()
                if len(rows) > 1:
                    groups += self._group(rows, [each[rows] for each in places], ties, decided, found)
        return decided, found

    def _group(
        self, rows: Any, places: Sequence[Any], ties: bool, decided: Any, found: dict[str, Any]
    ) -> list[tuple[Any, bool]]:
        """Run the points in some rows; return the groups that are left, with True for those whose ties are decided."""
        values = list[Any]()
        for axis, leaves, at in zip(self.plan.settings.axes, self._leaves, places, strict=True):
            if leaves is None and (at != at[0]).any():
                return [(rows[at == place], ties) for place in sorted({*at.tolist()})]
            values.append(axis.values[at[0]])
            for path, vector in leaves or ():
                values[-1] = put(values[-1], path, vector.at(at)) if path else vector.at(at)
        try:
            scenario = self.plan.made(values)
            faithful(scenario)
            columns = columns_of(scenario, ties=ties)
        except Divided as by:
            return [(rows[by.rows], ties), (rows[~by.rows], ties)]
        except _ALONE as error:
            return [(rows, ties)] if self._taken_apart(getattr(error, "value", None)) else []
        built = {name: _stacked(values, len(rows), TYPES.get(name, "d")) for name, values in columns.items()}
        step, left = max(1, _NUMBERS // sum(values.shape[1] for values in built.values())), list[tuple[Any, bool]]()
        for first in range(0, len(rows), step):
            part = slice(first, first + step)
            status = self._run({name: values[part] for name, values in built.items()}, rows[part], found)
            decided[rows[part]] = status == 0
            left += [] if ties else [(rows[part][status >= UNDECIDED], True)]
        return left

    def _taken_apart(self, refused: object) -> bool:
        """Let an axis with a vector that was refused divide the points from now on; False if there is none."""
        for place, leaves in enumerate(self._leaves):
            if isinstance(refused, Vector) and refused.key in [vector.key for _, vector in leaves or ()]:
                self._leaves[place] = None
                return True
        return False

    def _run(self, built: Mapping[str, Any], rows: Any, found: dict[str, Any]) -> Any:
        """Run points in the core, write its results into the rows of these points, and return its status of each."""
        import numpy as np

        n, batch, begins = len(rows), Batch(), np.arange(len(rows) + 1)
        queues, samples, pieces = (built[name].shape[1] for name in ("rate", "sample_time", "piece_time"))
        ends = (begins[:-1, None] * pieces + built["piece_begin"]).ravel()
        columns = {**built, "piece_begin": np.append(0, ends), "queue_begin": begins * queues}
        columns |= {"sample_begin": begins * samples, "length_begin": begins * queues * samples}
        columns |= {"number_begin": begins * (built["high"].shape[1] if "high" in built else 0)}
        for name, values in columns.items():
            array = batch.arrays[name]
            del array[:]
            array.frombytes(np.ascontiguousarray(values, array.typecode).tobytes())
        batch.run()
        answers = {name: np.frombuffer(batch.arrays[name], batch.arrays[name].typecode) for name in ("status", *found)}
        for name, values in found.items():
            said = answers[name].reshape(n, -1, queues)
            if name == "length":  # the core sorts the times
                said = said[:, order_of(order_of(self.plan.sample))]
            values[rows] = said[..., list(self.plan.queues)].reshape(n, -1)
        return answers["status"]


def unread(plan: ScenarioGrid, first: Sequence[Any], number: int, values: Sequence[Any]) -> list[int]:
    """Return the places of values of an axis to be read one by one: few values, or such as vectors do not suit.

    The others are read as a vector, beside the `first` values of the other axes.
    """
    left = [*range(1, len(values))]
    if len(values) <= _FEW or not all(str(value)[-1:].isdigit() for value in values):  # a unit does not end so
        return left
    try:
        ((_, vector),) = _leaves(plan.settings.axes[number].values)
    except (TypeError, InputError, ArithmeticError):
        return left
    import numpy as np

    groups, left = [np.array(left)], []
    while groups:
        rows = groups.pop()
        try:
            plan.made([*first[:number], vector.at(rows), *first[number + 1 :]])
        except Divided as by:
            groups += [rows[by.rows], rows[~by.rows]]
        except _ALONE:
            left += rows.tolist()
    return sorted(left)


def _leaves(values: Sequence[Any], *path: str | int) -> list[tuple[tuple[str | int, ...], Vector]]:
    """Return the places of the numbers in documents of one form, with a vector for each; TypeError if the forms differ.

    >>> [(path, vector.floats().tolist()) for path, vector in _leaves([{"alpha": [1, "a"]}, {"alpha": [2, "a"]}])]
    [(('alpha', 0), [1.0, 2.0])]
    """
    first = values[0]
    if all(type(value) in (Fraction, int, float) for value in values):
        return [(path, Vector.of([v if type(v) is Fraction else units.exact(v, "") for v in values]))]
    if isinstance(first, Mapping) and all(isinstance(v, Mapping) and v.keys() == first.keys() for v in values):
        return [leaf for key in first for leaf in _leaves([value[key] for value in values], *path, key)]
    if type(first) is list and all(type(value) is list and len(value) == len(first) for value in values):
        return [leaf for key, own in enumerate(zip(*values, strict=True)) for leaf in _leaves(own, *path, key)]
    if any(value != first for value in values):
        raise TypeError
    return []


def _stacked(values: Sequence[Any], rows: int, typecode: str) -> Any:
    """Return numbers, or arrays of them, as columns of some rows."""
    import numpy as np

    made = np.empty((rows, len(values)), typecode)
    for place, value in enumerate(values):
        made[:, place] = value
    return made
