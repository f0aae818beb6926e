"""Pictures of runs and of witnesses. Every function takes exact results and returns a matplotlib figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dtmodel.fluid import Run

__all__ = ["run", "witness"]

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


def witness(kind: str, data: Mapping[str, Any], answer: Mapping[str, Any]) -> Figure:
    """Draw a witness: a fluid scenario as its queues, a packet trace step by step, values as a table.

    Parameters
    ----------
    kind : {"fluid", "trace", "values"}
        What the witness is.
    data : mapping
        The scenario, the trace request or the named values.
    answer : mapping
        What the replay computed.

    Returns
    -------
    matplotlib.figure.Figure
    """
    if kind == "fluid":
        from fractions import Fraction

        from dtmodel.fluid import run_scenario
        from dtmodel.scenario import Scenario

        return run(run_scenario(Scenario.read(data), Fraction))
    if kind == "trace" and data.get("algorithm") == "losspass":
        from dtmodel.packet import losspass_picture

        return losspass_picture.draw(data)
    rows = _trace_rows(data, answer) if kind == "trace" else [[k, str(v)] for k, v in data["values"].items()]
    header = ["event", "decision", "reason"] if kind == "trace" else ["symbol", "value"]
    return _table(header, rows)


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


def _trace_rows(data: Mapping[str, Any], answer: Mapping[str, Any]) -> list[list[str]]:
    return [
        [" ".join(map(str, event)), str(step["decision"]), str(step.get("reason", ""))]
        for event, step in zip(data["events"], answer["steps"], strict=True)
    ]


def _table(header: list[str], rows: list[list[str]]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 0.6 + 0.3 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    table = axes.table(cellText=rows or [[""] * len(header)], colLabels=header, loc="center", cellLoc="left")
    table.auto_set_column_width(list(range(len(header))))
    table.scale(1, 1.3)
    return figure
