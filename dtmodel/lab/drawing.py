"""Pictures of the course beside those of runs: curves, and a map of the best of several functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def curves(
    lines: Mapping[str, tuple[Any, Any]], x: str, y: str, *, marked: Sequence[tuple[Any, Any]] = (), title: str = ""
) -> Figure:
    """Draw curves over one axis.

    Parameters
    ----------
    lines : mapping from str to (xs, ys)
        The curves by their labels; one with an empty label is not in the legend.
    x, y : str
        The labels of the axes.
    marked : sequence of (x, y)
        Points with a circle.
    title : str
        The title of the picture.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> axes = curves({"N = 2": ([1, 2], [0, 4])}, "alpha", "first drop (ms)", marked=[(1, 0)]).axes[0]
    >>> axes.get_xlabel(), len(axes.lines)
    ('alpha', 2)
    """
    from dtmodel.plot.picture import Picture
    from dtmodel.plot.style import styled

    figure = Picture(figsize=(6, 3), layout="constrained")
    with styled():
        axes = figure.add_subplot()
        for label, (xs, ys) in lines.items():
            axes.plot([*map(float, xs)], [*map(float, ys)], label=label)
    for point in marked:
        axes.plot(*map(float, point), "o", color="black", ms=8, mfc="none", mew=1.5)
    axes.set(xlabel=x, ylabel=y, title=title)
    axes.spines[["top", "right"]].set_visible(False)
    if any(lines):
        axes.legend(frameon=False, fontsize="small")
    return figure


def best_of(xs: Any, ys: Any, values: Mapping[str, Any], x: str, y: str) -> Figure:
    """Draw two maps of the function that is largest at each point: of all, and without the first.

    Parameters
    ----------
    xs, ys : numpy.ndarray
        A grid of points; the y axis is logarithmic.
    values : mapping from str to numpy.ndarray
        The values of each function on the grid.
    x, y : str
        The labels of the axes.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import numpy as np
    >>> xs, ys = np.meshgrid([1, 2, 3], [1, 2, 4])
    >>> [axes.get_title() for axes in best_of(xs, ys, {"x": xs, "y": ys, "2": 0 * xs + 2}, "x", "y").axes]
    ['all', 'without x']
    """
    import numpy as np
    from matplotlib.patches import Patch

    from dtmodel.plot.picture import Picture
    from dtmodel.plot.style import PALETTE

    names = list(values)
    figure = Picture(figsize=(9, 3.5), layout="constrained")
    for axes, first in zip(figure.subplots(1, 2, sharey=True), (0, 1), strict=True):
        best = first + np.argmax([values[name] for name in names[first:]], axis=0)
        here = np.unique(best)
        axes.contourf(xs, ys, best, levels=np.arange(-0.5, len(names)), colors=PALETTE[: len(names)])
        axes.set(yscale="log", xlabel=x, title=f"without {names[0]}" if first else "all")
        axes.legend(
            handles=[Patch(color=PALETTE[n], label=names[n]) for n in here], loc="lower right", fontsize="small"
        )
    figure.axes[0].set_ylabel(y)
    return figure
