"""Pictures of witnesses: the queues of a fluid run, the packets of a LossPass trace, tables of the others."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dtmodel.fluid import run_scenario
from dtmodel.fluid.scenario import Scenario

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def witness_picture(kind: str, data: Mapping[str, Any], answer: Mapping[str, Any]) -> Figure:
    """Draw a witness of `kind` fluid, trace or values; `answer` is the result of its replay."""
    if kind == "fluid":
        from dtmodel import plot

        return plot.run(run_scenario(Scenario.read(data), Fraction))
    if kind == "trace" and data.get("algorithm") == "losspass":
        from dtmodel.packet.losspass import picture as losspass_picture

        return losspass_picture.draw(data)
    return _table(*witness_rows(kind, data, answer))


def witness_rows(kind: str, data: Mapping[str, Any], answer: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a table of a witness of `kind` trace or values."""
    if kind == "trace":
        return ["event", "decision", "reason"], _trace_rows(data, answer)
    return ["symbol", "value"], [[name, str(value)] for name, value in data["values"].items()]


def _trace_rows(data: Mapping[str, Any], answer: Mapping[str, Any]) -> list[list[str]]:
    return [
        [" ".join(map(str, event)), str(step["decision"]), str(step.get("reason", ""))]
        for event, step in zip(data["events"], answer["steps"], strict=True)
    ]


def _table(header: list[str], rows: list[list[str]]) -> Figure:
    from dtmodel.plot.picture import Picture

    figure = Picture(figsize=(8, 0.6 + 0.3 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    table = axes.table(cellText=rows or [[""] * len(header)], colLabels=header, loc="center", cellLoc="left")
    table.auto_set_column_width(list(range(len(header))))
    table.scale(1, 1.3)
    return figure
