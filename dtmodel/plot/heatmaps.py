"""Heat maps of sweeps: two numeric axes, and a panel for each value of the others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product
from math import log
from typing import TYPE_CHECKING, Any

from dtmodel.base import units
from dtmodel.base.errors import InputError, one_of
from dtmodel.plot.style import BYTES, TIMES, unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PANELS, _TICKS = 12, 5
_RATES = ((1.25e8, "Gbps", 8e-9), (1.25e5, "Mbps", 8e-6), (0.0, "bytes/s", 1.0))
_SCALES = {"s": TIMES, "bytes": BYTES, "bytes/s": _RATES}


def heat_map(dataset: Any, variable: str | None = None, at: Mapping[str, str] | None = None) -> Figure:
    """Draw a variable of a sweep over its two longest numeric axes (or a line), `at` coordinates of the others."""
    from dtmodel.plot.picture import Picture

    name = variable if variable is not None else next(iter(dataset.data_vars))
    if name not in dataset.data_vars:
        raise InputError("--show", name, one_of(dataset.data_vars, name))
    values = _selected(dataset[name], at or {})
    factor, told = _scale(values)
    values = values.astype(float) * factor
    along = sorted((d for d in values.dims if values[d].dtype.kind == "f"), key=lambda d: -values.sizes[d])[:2]
    drawn = [dim for dim in values.dims if dim in along]
    others = [dim for dim in values.dims if dim not in along]
    places = list(product(*(range(values.sizes[dim]) for dim in others)))
    if not drawn or len(places) > _PANELS:
        accepted = f"an axis of numbers, and at most {_PANELS} panels: choose a value of {', '.join(others) or 'none'}"
        raise InputError("--at", f"{len(places)} panels", accepted)
    columns = min(len(places), 4)
    rows = -(-len(places) // columns)
    figure = Picture(figsize=(1.2 + 3.6 * columns, 0.6 + 3.0 * rows), layout="constrained")
    panels = list(figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).flat)
    for spare in panels[len(places) :]:
        spare.set_axis_off()
    for panel, place in zip(panels, places, strict=False):
        here = values.isel(dict(zip(others, place, strict=True)))
        panel.set_title(", ".join(f"{dim} = {here[dim].item()}" for dim in others), fontsize="medium")
        drawing = _draw(panel, here.transpose(*drawn), drawn, told, (float(values.min()), float(values.max())))
    if len(drawn) == 2:
        figure.colorbar(drawing, ax=panels[: len(places)], label=told)
    return figure


def _selected(values: Any, at: Mapping[str, str]) -> Any:
    chosen = {dim: text for dim, text in (("queue", None), ("time", None)) if dim in values.dims} | dict(at)
    for dim, text in chosen.items():
        if dim not in values.dims:
            raise InputError("--at", dim, f"{one_of(values.dims, dim)}, the axes")
        last = -1 if dim == "time" else 0
        values = values.isel({dim: last if text is None else _place(dim, text, values[dim])})
    return values


def _place(dim: str, text: str, axis: Any) -> int:
    """Return the index of a value on an axis; the text may have a unit: ``"2 Gbps"``."""
    coordinates: list[Any] = axis.values.tolist()
    if text in coordinates:
        return coordinates.index(text)
    if not isinstance(coordinates[0], str):
        read = units.READERS.get(axis.attrs.get("units", ""), partial(units.number, signed=True))
        number = float(read(text, f"--at {dim}"))
        near = min(range(len(coordinates)), key=lambda place: abs(coordinates[place] - number))
        if abs(coordinates[near] - number) <= 1e-9 * abs(number):
            return near
    raise InputError("--at", f"{dim}={text}", one_of(coordinates[:20], text))


def _scale(values: Any) -> tuple[float, str]:
    """Return the factor from base units to the drawn values, and their label."""
    base = values.attrs.get("units", "")
    if base not in _SCALES:
        return 1.0, f"{values.name} ({base})" if base else str(values.name)
    name, factor = unit(abs(float(values.astype(float).max())), _SCALES[base])
    return factor, f"{values.name} ({name})"


def _draw(panel: Any, values: Any, dims: list[Any], told: str, bounds: tuple[float, float]) -> Any:
    scales = [_scale(values[dim]) for dim in dims]
    *down, across = [values[dim].values * factor for dim, (factor, _) in zip(dims, scales, strict=True)]
    panel.set_xlabel(scales[-1][1])
    panel.set_ylabel(scales[0][1] if down else told)
    panel.set_xscale(_kind(across))
    _tick(panel.xaxis, across)
    if not down:
        return panel.plot(across, values)
    panel.set_yscale(_kind(down[0]))
    _tick(panel.yaxis, down[0])
    return panel.pcolormesh(across, down[0], values, shading="nearest", vmin=bounds[0], vmax=bounds[1])


def _tick(axis: Any, values: Any) -> None:
    """Tick an axis at values of the grid that are far enough apart for their labels."""
    from matplotlib.ticker import NullLocator

    place = log if _kind(values) == "log" else float
    ordered = sorted(values.tolist())
    apart = 0.999 * (place(ordered[-1]) - place(ordered[0])) / _TICKS
    kept = ordered[:1]
    for value in ordered[1:]:
        kept += [value] if place(value) - place(kept[-1]) >= apart else []
    axis.set_ticks(kept, [f"{value:,.6g}" for value in kept])
    axis.set_minor_locator(NullLocator())


def _kind(values: Any) -> str:
    """Return a logarithmic scale for values in geometric progression, else a linear one."""
    ratios = values[1:] / values[:-1] if (values > 0).all() else values[:0]
    return "log" if len(ratios) > 1 and ratios.max() - ratios.min() < 1e-6 * ratios.max() else "linear"
