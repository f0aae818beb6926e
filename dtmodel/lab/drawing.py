"""Pictures of the course beside those of runs: curves, and a map of the best of several functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_POINTS = 200
"""The number of points of a curve, or of a side of a map."""


def curves(
    lines: Mapping[str, Any],
    x: str,
    y: str,
    *,
    over: tuple[float, float] = (0, 1),
    marked: Sequence[tuple[Any, Any]] = (),
    title: str = "",
) -> Figure:
    """Draw curves over one axis.

    Parameters
    ----------
    lines : mapping from str to callable or (xs, ys)
        The curves by their labels, as functions of one number or as points; one with an empty label is not in the
        legend.
    x, y : str
        The labels of the axes.
    over : (float, float)
        The ends of the interval over which functions are drawn.
    marked : sequence of (x, y)
        Points with a circle.
    title : str
        The title of the picture.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> drawn = curves({"N = 2": ([1, 2], [0, 4]), "N = 0": lambda t: t**2}, "t", "Q", over=(1, 3), marked=[(1, 0)])
    >>> [line.get_xdata()[-1].item() for line in drawn.axes[0].lines]
    [2.0, 3.0, 1.0]
    """
    from dtmodel.plot.picture import Picture
    from dtmodel.plot.style import styled

    figure = Picture(figsize=(6, 3), layout="constrained")
    with styled():
        axes = figure.add_subplot()
        for label, line in lines.items():
            xs, ys = _sampled(line, over) if callable(line) else line
            axes.plot([*map(float, xs)], [*map(float, ys)], label=label)
    for point in marked:
        axes.plot(*map(float, point), "o", color="black", ms=8, mfc="none", mew=1.5)
    axes.set(xlabel=x, ylabel=y, title=title)
    axes.spines[["top", "right"]].set_visible(False)
    if any(lines):
        axes.legend(frameon=False, fontsize="small")
    return figure


def _sampled(line: Callable[[float], Any], over: tuple[float, float]) -> tuple[list[float], list[Any]]:
    first, last = over
    xs = [first + (last - first) * n / (_POINTS - 1) for n in range(_POINTS)]
    return xs, [line(x) for x in xs]


_EQUAL = 1e-12


def best_of(
    functions: Mapping[str, Callable[[Any, Any], Any]], x: tuple[str, float, float], y: tuple[str, float, float]
) -> Figure:
    """Draw two maps of the function that is largest at each point: of all, and without the first.

    Parameters
    ----------
    functions : mapping from str to callable
        The functions of arrays of x and y by their names.
    x, y : (str, float, float)
        The label and the ends of each axis; the y axis is logarithmic.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> maps = {"x": lambda x, y: x, "y": lambda x, y: y}
    >>> [axes.get_title() for axes in best_of(maps, ("x", 1, 3), ("y", 1, 4)).axes]
    ['all', 'without x']
    """
    import numpy as np
    from matplotlib.patches import Patch

    from dtmodel.plot.picture import Picture
    from dtmodel.plot.style import PALETTE

    names = list(functions)
    xs, ys = np.meshgrid(np.linspace(*x[1:], _POINTS), np.geomspace(*y[1:], _POINTS))
    values = np.array([functions[name](xs, ys) for name in names], dtype=float)
    figure = Picture(figsize=(9, 3.5), layout="constrained")
    for axes, first in zip(figure.subplots(1, 2, sharey=True), (0, 1), strict=True):
        best = first + np.argmax(values[first:], axis=0)
        key = [Patch(color=PALETTE[n], label=names[n]) for n in np.unique(best)]
        axes.set_facecolor(PALETTE[len(names) - 1])
        for n in reversed(range(first, len(names) - 1)):  # each is painted over those that come later
            ahead = values[n] - np.max(values[n + 1 :], axis=0)
            axes.contourf(xs, ys, ahead, levels=[-_EQUAL, max(_EQUAL, ahead.max())], colors=PALETTE[n : n + 1])
        axes.set(yscale="log", xlabel=x[0], title=f"without {names[0]}" if first else "all")
        axes.legend(handles=key, loc="lower right", fontsize="small")
    figure.axes[0].set_ylabel(y[0])
    return figure
