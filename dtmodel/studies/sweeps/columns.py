"""Many points of a sweep in one call of the native core, from one scenario whose numbers are vectors.

Axes of anything but numbers, such as names and seeds, divide points into groups, as conditions do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, final

from dtmodel.base.vectors import holds
from dtmodel.fluid.batch import UNDECIDED, order_of
from dtmodel.fluid.columns import Form, form_of, forms_of, in_groups, in_vectors, run_rows, stacked
from dtmodel.fluid.scenario import Scenario
from dtmodel.studies.sweeps.axes import Axis
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
        self._forms = [form_of(axis.numbers or axis.values) for axis in plan.settings.axes]

    def compute(self, begin: int, end: int) -> tuple[Any, dict[str, Any]]:
        """Run points as far as possible; return True for each that is decided, and each measure in a row per point."""
        import numpy as np

        places = np.unravel_index(np.arange(begin, end), self.plan.shape) if self.plan.shape else ()
        found = {m.name: np.full((end - begin, m.size), np.nan) for m in self.plan.measures if m.along}
        status = np.full(end - begin, -1)

        def run(rows: Any, ties: bool = False) -> None:
            built = self._built([each[rows] for each in places], ties) if len(rows) > 1 else {}
            step = max(1, _NUMBERS // sum((values.shape[1] for values in built.values()), 1))
            for first in range(0, len(rows) if built else 0, step):
                part = slice(first, first + step)
                own = {name: values[part] for name, values in built.items()}
                status[rows[part]] = self._run(own, rows[part], found)

        in_groups(np.arange(end - begin), run)
        in_groups(np.flatnonzero(status >= UNDECIDED), partial(run, ties=True))
        return status == 0, found

    def _built(self, places: Sequence[Any], ties: bool) -> dict[str, Any]:
        """Return the columns of points that are alike in all conditions; raise `Divided` if they are not."""

        def made() -> Scenario:
            return self.plan.made([*map(_value, self.plan.settings.axes, self._forms, places)])

        return stacked(in_vectors(made, *self._forms), len(places[0]), ties=ties)

    def _run(self, built: Mapping[str, Any], rows: Any, found: dict[str, Any]) -> Any:
        """Run points in the core, write its results into the rows of these points, and return its status of each."""
        results = run_rows(built, order_of(self.plan.sample))
        for name, values in found.items():
            values[rows] = results(name)[..., list(self.plan.queues)].reshape(len(rows), -1)
        return results("status")


def _value(axis: Axis, form: Form | None, places: Any) -> Any:
    """Return the value of an axis at some places, in vectors if it has one form; raise `Divided` if it has not."""
    if form and (places != places[0]).any():
        return form.at(places)
    holds(places == places[0])
    return axis.values[places[0]]


def unread(plan: ScenarioGrid, first: Sequence[Any], number: int, values: Sequence[Any]) -> list[int]:
    """Read many values of an axis, beside the `first` values of others; return the places that must be read alone.

    Of values that differ in their numbers only, the first is read alone.
    """
    if len(values) <= _FEW:
        return [*range(1, len(values))]
    axis, alone = plan.settings.axes[number], list[int]()
    numbers = form_of(axis.numbers) if len(axis.places) == 1 else None  # their unit is that of the first place
    for form in [numbers] if numbers else forms_of(values):

        def read(rows: Any, form: Form = form) -> None:
            in_vectors(lambda: plan.made([*first[:number], form.at(rows), *first[number + 1 :]]), form)

        left = in_groups(range(1, len(form.places)), read)
        alone += [form.places[row] for row in (0, *left)]
    return sorted(alone)[1:]
