"""A picture of a LossPass trace: the packets of the port after every event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dtmodel.packet.losspass.algorithm import Arbiter, Arrival, Packet, Step
from dtmodel.packet.losspass.trace import read_request

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = {"small": "#4c72b0", "large": "#dd8452"}
_LABEL = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}


@dataclass(frozen=True)
class Column:
    """The port after one event: event, decision, and each buffered packet with the bytes below it and its mark."""

    event: str
    step: Step
    stack: tuple[tuple[Packet, Fraction, bool], ...]


def columns(request: Mapping[str, Any]) -> tuple[Column, ...]:
    """Run a trace request and return one column for each event."""
    trace = read_request(request)
    port = Arbiter(trace.settings)
    result = []
    for event in trace.events:
        step = port.arrive(event) if isinstance(event, Arrival) else port.depart(event)
        words = f"+{event.kind} {event.size}" if isinstance(event, Arrival) else f"-{event.queue}"
        below = Fraction(0)
        stack = []
        for packet in (*port.large, *port.small):
            stack.append((packet, below, packet.number in port.marked))
            below += packet.size
        result.append(Column(words, step, tuple(stack)))
    return tuple(result)


def draw(request: Mapping[str, Any], title: str = "") -> Figure:
    """Draw a trace `request`: a column for each event, a box for each packet, the buffer and the reserve as lines.

    Large packets are orange, small ones blue, a marked packet is hatched; the decision stands above its column, and
    `title` above the picture.

    >>> figure = draw({"buffer": 1, "events": [["arrive", None, "large", 1], ["arrive", None, "small", 1]]})
    >>> len(figure.axes[0].patches)
    2
    """
    from dtmodel.plot.picture import Picture

    trace = read_request(request)
    drawn = columns(request)
    limit, room = trace.settings.buffer, trace.settings.room
    figure = Picture(figsize=(max(4.0, 1.2 * len(drawn) + 1.5), 3.2), layout="constrained")
    axes = figure.add_subplot()
    for at, column in enumerate(drawn):
        for packet, below, marked in column.stack:
            axes.bar(
                at, float(packet.size), bottom=float(below), width=0.7, color=_COLOURS[packet.kind], edgecolor="black",
                hatch="//" if marked else None,
            )  # fmt: skip
            axes.text(at, float(below + packet.size / 2), str(packet.number), ha="center", va="center", bbox=_LABEL)
        said = " ".join(str(part) for part in (column.step.decision, column.step.victim) if part is not None)
        axes.text(at, float(limit) * 1.03, said, ha="center", va="bottom", fontsize="small")
    axes.axhline(float(limit), color="black", label="B")
    if room < limit:
        axes.axhline(float(room), color="grey", linestyle="--", label="without the reserve")
    axes.set_xticks(range(len(drawn)), [column.event for column in drawn])
    axes.set(
        xlim=(-0.6, len(drawn) - 0.4),
        ylim=(0, float(limit) * 1.25),
        ylabel="bytes",
        title=title or trace.settings.reading.name,
    )
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return figure
