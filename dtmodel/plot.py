"""Pictures of fluid runs: a function takes a finished run and returns a matplotlib figure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dtmodel.fluid import Run

__all__ = ["run"]

_TIMES = ((1e-3, "ms", 1e3), (1e-6, "us", 1e6), (0.0, "ns", 1e9))
_BYTES = ((2e6, "MB", 1e-6), (1e3, "KB", 1e-3), (0.0, "B", 1.0))


def run(result: Run[Any], title: str = "") -> Figure:
    """Draw the queue lengths and thresholds of a fluid run, with a mark at every first drop.

    Parameters
    ----------
    result : Run
        A finished run, exact or fast.
    title : str, optional
        The title of the figure.

    Returns
    -------
    matplotlib.figure.Figure
        One axis: length against time. Queues with the same trajectory share one line.
    """
    from matplotlib.figure import Figure

    until = float(result.until)
    time_unit, time_scale = _unit(until, _TIMES) if until < 1 else ("s", 1.0)
    longest = max((float(q.at(t)) for q in result.queues for t in q.breakpoints), default=1.0)
    byte_unit, byte_scale = _unit(longest, _BYTES)
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    instants = list(result.free.times)
    for names, index in _groups(result, lambda q: (q.breakpoints, tuple(map(q.at, q.breakpoints)))).items():
        queue = result.queue(index)
        times = [float(t) * time_scale for t in queue.breakpoints]
        (line,) = axes.plot(times, [float(queue.at(t)) * byte_scale for t in queue.breakpoints], label=names, lw=2)
        if queue.first_drop is not None:
            at = float(queue.first_drop) * time_scale, float(queue.at(queue.first_drop)) * byte_scale
            axes.plot(*at, marker="x", ms=9, mew=2, ls="", color=line.get_color(), label=f"first drop, {names}")
    for names, index in _groups(result, lambda q: tuple(map(q.threshold_at, instants))).items():
        queue = result.queue(index)
        levels = [float(queue.threshold_at(t)) * byte_scale for t in instants]
        label = "threshold" if len(names.split(",")) == len(result.queues) else f"threshold, {names}"
        axes.plot([float(t) * time_scale for t in instants], levels, color="0.2", ls=":", lw=1.5, label=label)
    axes.set(xlabel=f"time ({time_unit})", ylabel=f"length ({byte_unit})", title=title)
    axes.set_xlim(0, until * time_scale)
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize="small")
    return figure


def _unit(size: float, scales: tuple[tuple[float, str, float], ...]) -> tuple[str, float]:
    return next((unit, factor) for least, unit, factor in scales if size >= least)


def _groups(result: Run[Any], key: Callable[[Any], object]) -> dict[str, int]:
    """Names of the groups of queues with equal `key`, and one member of each."""
    groups: dict[object, list[int]] = {}
    for index, queue in enumerate(result.queues):
        groups.setdefault(key(queue), []).append(index)
    return {
        ("queue " if len(members) == 1 else "queues ") + ", ".join(map(str, members)): members[0]
        for members in groups.values()
    }
