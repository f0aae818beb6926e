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
from dtmodel.fluid.batch import TYPES, UNDECIDED, Batch, columns_of
from dtmodel.fluid.simulation import faithful
from dtmodel.studies.sweeps.grid import ScenarioGrid

_NUMBERS = 1_000_000
"""The approximate number of numbers in one call of the core."""
_ALONE = InputError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError
"""Errors of scenarios that vectors do not suit: their points are made one by one, and raise the error if it is one."""


@final
class Columns:
    """The points of a sweep of scenarios in floats, as columns for the native core.

    `plan`: the sweep.
    """

    def __init__(self, plan: ScenarioGrid) -> None:
        self.plan = plan
        self._vectors: list[Any] = [_vectors(axis.values) for axis in plan.settings.axes]

    def compute(self, begin: int, end: int) -> tuple[Any, dict[str, Any]]:
        """Run the points from `begin` to `end` as far as possible.

        Returns an array that is True for each point that the core decided, and the values of each measure, a row per
        point.
        """
        import numpy as np

        places = np.unravel_index(np.arange(begin, end), self.plan.shape) if self.plan.shape else ()
        decided, groups = np.zeros(end - begin, bool), [(np.arange(end - begin), False)]
        found = {name: np.full((end - begin, self._size(name)), np.nan) for name in self.plan.asked}
        with np.errstate(all="ignore"):
            while groups:
                rows, ties = groups.pop()
                if len(rows) > 1:
                    groups += self._group(rows, [each[rows] for each in places], ties, decided, found)
        return decided, found

    def _size(self, name: str) -> int:
        return len(self.plan.queues) * (len(self.plan.sample) if name == "length" else 1)

    def _group(
        self, rows: Any, places: Sequence[Any], ties: bool, decided: Any, found: dict[str, Any]
    ) -> list[tuple[Any, bool]]:
        """Run the points in some rows; return the groups that are left, with True for those whose ties are decided."""
        values = list[Any]()
        for axis, vectors, at in zip(self.plan.settings.axes, self._vectors, places, strict=True):
            if vectors is None and (at != at[0]).any():
                return [(rows[at == place], ties) for place in sorted({*at.tolist()})]
            values.append(axis.values[at[0]] if vectors is None else _at(vectors, at))
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
        for place, vectors in enumerate(self._vectors):
            if isinstance(refused, Vector) and refused.key in _keys(vectors):
                self._vectors[place] = None
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
                said = said[:, _ranks(self.plan.sample)]
            values[rows] = said[..., list(self.plan.queues)].reshape(n, -1)
        return answers["status"]


def _vectors(values: Sequence[Any]) -> Any:
    """Return documents of one form as one with vectors in place of numbers; None if they differ otherwise."""
    try:
        return _joined(values)
    except (TypeError, InputError, ArithmeticError):
        return None


def _joined(values: Sequence[Any]) -> Any:
    first = values[0]
    if all(type(value) in (Fraction, int, float) for value in values):
        return Vector.of([value if type(value) is Fraction else units.exact(value, "") for value in values])
    if all(isinstance(value, Mapping) and value.keys() == first.keys() for value in values):
        return {key: _joined([value[key] for value in values]) for key in first}
    if all(type(value) is list and len(value) == len(first) for value in values):
        return [*map(_joined, zip(*values, strict=True))]
    if any(value != first for value in values):
        raise TypeError
    return first


def _at(vectors: Any, places: Any) -> Any:
    """Return a document of vectors with their numbers at some places."""
    if isinstance(vectors, Mapping):
        return {key: _at(part, places) for key, part in vectors.items()}
    if isinstance(vectors, list):
        return [_at(part, places) for part in vectors]
    return vectors.at(places) if isinstance(vectors, Vector) else vectors


def _keys(vectors: Any) -> list[Any]:
    """Return the keys of all vectors in a document."""
    if isinstance(vectors, Mapping | list):
        parts = vectors.values() if isinstance(vectors, Mapping) else vectors
        return [key for part in parts for key in _keys(part)]
    return [vectors.key] if isinstance(vectors, Vector) else []


def _stacked(values: Sequence[Any], rows: int, typecode: str) -> Any:
    """Return numbers, or arrays of them, as columns of some rows."""
    import numpy as np

    made = np.empty((rows, len(values)), typecode)
    for place, value in enumerate(values):
        made[:, place] = value
    return made


def _ranks(times: Sequence[Fraction]) -> list[int]:
    """Return the rank of each time, which is its place in the core."""
    order = sorted(range(len(times)), key=times.__getitem__)
    return sorted(order, key=order.__getitem__)
