"""Picture of a derived theorem: a map of its cases over two symbols."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dtmodel.base import extras, units
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.mathtext import symbol_of
from dtmodel.derive.algebra.dimensions import Grade, read_value
from dtmodel.derive.theorem.data import CaseData


def regions(
    theorem: CaseData, x: tuple[str, Any, Any], y: tuple[str, Any, Any], at: Mapping[str, Any], points: int
) -> Any:
    """Draw the cases over two symbols, as `DerivedTheorem.regions` documents."""
    extras.need("matplotlib")
    import numpy as np
    from matplotlib.patches import Patch

    from dtmodel.plot.picture import Picture

    points = units.count(points, "points", least=2)
    measures = theorem.domain.measures
    across, up = (_grid(axis, name, points, measures) for axis, name in ((x, "x"), (y, "y")))
    at = {name: read_value(value, f"at.{name}", measures.get(name)) for name, value in at.items()}
    if x[0] == y[0]:
        raise InputError("y", y[0], f"another symbol than {x[0]}")
    places = np.full((points, points), np.nan)
    for row, above in enumerate(up):
        for column, beside in enumerate(across):
            try:
                case = theorem.case_at(**{**at, x[0]: beside, y[0]: above})
            except InputError as error:
                if error.field not in theorem.family.symbols or error.value == MISSING:
                    raise
                continue  # outside the domain
            places[row, column] = np.nan if case is None else theorem.cases.index(case)
    figure = Picture(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    ends = (float(across[0]), float(across[-1]), float(up[0]), float(up[-1]))
    axes.imshow(places, origin="lower", extent=ends, aspect="auto", cmap="tab10", vmin=-0.5, vmax=9.5,
                interpolation="nearest")  # fmt: skip
    axes.set_xlabel(f"${symbol_of(x[0])}$")
    axes.set_ylabel(f"${symbol_of(y[0])}$")
    colours = axes.images[0].cmap
    found = sorted({int(place) for place in places[~np.isnan(places)]})
    labels = [" and ".join(f"${c.latex}$" for c in theorem.cases[place].when) or "always" for place in found]
    handles = [Patch(color=colours(place % 10), label=label) for place, label in zip(found, labels, strict=True)]
    figure.legend(handles=handles, loc="outside lower center", fontsize="small")
    return figure


def _grid(axis: Any, field: str, points: int, measures: Mapping[str, Grade]) -> list[Fraction]:
    if not isinstance(axis, tuple | list) or len(axis) != 3 or not isinstance(axis[0], str):
        raise InputError(field, axis, "a symbol with its least and largest value")
    low, high = (read_value(end, f"{field}.{axis[0]}", measures.get(axis[0])) for end in axis[1:])
    if low >= high:
        raise InputError(f"{field}.{axis[0]}", list(axis[1:]), "a least value below the largest")
    return [low + (high - low) * step / (points - 1) for step in range(points)]
