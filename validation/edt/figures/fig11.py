"""Queues and thresholds under EDT: a burst rises through the threshold of DT and takes the buffer, until it is full.

One burst of rate 2 C beside one steady port, alpha = 1, times in B / C and lengths in B. At t_1 the burst has grown by
cn2 and its threshold jumps from alpha F to B; at t_2 the buffer is full and it falls back to alpha F = 0.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel import EDT, Arrivals, Switch, simulate
from dtmodel.plot.style import PALETTE, Figure

from .burst_panels import axes_of, panels

CN2 = Fraction(1, 9)
STYLES: tuple[dict[str, Any], ...] = (
    {"color": PALETTE[0]},
    {"color": PALETTE[1], "ls": "--"},
    {"color": "black", "ls": ":"},
    {"color": PALETTE[3], "ls": "-."},
)


@dataclass(frozen=True)
class FigureData:
    """Corners of the queues and of both thresholds, and t_1 and t_2."""

    times: list[Fraction]
    curves: dict[str, list[Fraction]]
    t1: Fraction
    t2: Fraction


def data() -> FigureData:
    """Run EDT until after the overflow."""
    arrivals = {0: Arrivals.constant(2), 1: Arrivals.constant(4)}
    run = simulate(Switch(2, 1, 1), EDT(1, CN2), arrivals, until=Fraction(9, 5), initial={1: "steady"})
    drop = run.first_drop(0)
    if drop is None:
        raise AssertionError("the burst lasts beyond the overflow")
    corners = {*run.queue(0).breakpoints, *run.queue(1).breakpoints}
    times = sorted(corners | {t - Fraction(1, 10**6) for t in (CN2, drop)})
    curves = {
        "burst": [run.queue(0).at(t) for t in times],
        "steady port": [run.queue(1).at(t) for t in times],
        "threshold of the burst": [run.queue(0).threshold_at(t) for t in times],
        "threshold of the steady port": [run.queue(1).threshold_at(t) for t in times],
    }
    return FigureData(times, curves, CN2, drop)


def published(data: FigureData) -> list[tuple[str, object, object]]:
    """Compare t_2 with (80)."""
    return [("t_2 = B / (M (R - C)), in B / C", Fraction(1), data.t2)]


def draw(data: FigureData) -> Figure:
    """Draw queues as lines and thresholds dashed."""
    figure, (axes,) = panels(1, "EDT: one burst beside one steady port")
    for style, (label, lengths) in zip(STYLES, data.curves.items(), strict=True):
        axes.plot([float(t) for t in data.times], [float(q) for q in lengths], lw=2, label=label, **style)
    for label, time in (("$t_1$", data.t1), ("$t_2$", data.t2)):
        axes.axvline(float(time), color="0.7", lw=0.8)
        axes.annotate(label, (float(time), 0.02), xytext=(3, 0), textcoords="offset points")
    axes_of(axes, {"xlabel": "time (B/C)", "ylabel": "length (B)"})
    axes.legend(frameon=False, fontsize="small", ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.14))
    return figure
