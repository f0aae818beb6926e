"""Many scenarios of one form in one call of the native core, from one scenario whose numbers are vectors.

The scenario is read and started with vectors as with numbers. Where a condition holds at some points only, these are a
group of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.base.vectors import Divided
from dtmodel.fluid.batch import TYPES, Batch, columns_of, order_of
from dtmodel.fluid.scenario import Scenario

_ALONE = InputError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError
"""Errors of scenarios that vectors do not suit: their points are made one by one, and raise the error if it is one."""


def in_groups(rows: Any, work: Callable[[Any], object], least: int = 1) -> list[int]:
    """Work on groups of rows that are alike in all conditions, and return the rows that vectors do not suit.

    Groups of fewer rows than `least` are returned, too.
    """
    import numpy as np

    groups, left = [np.asarray(rows)], list[int]()
    with np.errstate(all="ignore"):
        while groups:
            own = groups.pop()
            try:
                if len(own) < least:
                    raise LookupError
                work(own)
            except Divided as by:
                groups += [own[by.rows], own[~by.rows]]
            except _ALONE:
                left += own.tolist()
    return sorted(left)


def stacked(scenario: Scenario, rows: int, *, ties: bool = False) -> dict[str, Any]:
    """Return the columns of a scenario of vectors of `rows` points, a row for each point."""
    import numpy as np

    found = {}
    for name, values in columns_of(scenario, ties=ties).items():
        made = found[name] = np.empty((rows, len(values)), TYPES.get(name, "d"))
        for place, value in enumerate(values):
            made[:, place] = value
    return found


def run_rows(built: Mapping[str, Any], sample: Sequence[int]) -> Callable[[str], Any]:
    """Run rows of columns in the core; return a function that gives its results of a name, by row and queue.

    `sample` are the places of the times to sample in ascending order; lengths are in the order of the scenario's.
    """
    import numpy as np

    n, queues = built["rate"].shape
    samples, pieces = (built[name].shape[1] for name in ("sample_time", "piece_time"))
    batch, begins = Batch(), np.arange(n + 1)
    ends = (begins[:-1, None] * pieces + built["piece_begin"]).ravel()
    columns = {**built, "piece_begin": np.append(0, ends), "queue_begin": begins * queues}
    columns["sample_time"] = built["sample_time"][:, sample]  # the core takes times in order
    columns |= {"sample_begin": begins * samples, "length_begin": begins * queues * samples}
    columns |= {"number_begin": begins * (built["high"].shape[1] if "high" in built else 0)}
    for name, values in columns.items():
        array = batch.arrays[name]
        del array[:]
        array.frombytes(np.ascontiguousarray(values, array.typecode).tobytes())
    batch.run()

    def results(name: str) -> Any:
        said = np.frombuffer(batch.arrays[name], batch.arrays[name].typecode)
        if name == "length":
            return said.reshape(n, -1, queues)[:, order_of(sample)]
        return said if name == "status" else said.reshape(n, queues)

    return results
