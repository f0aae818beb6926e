"""A long-lived flow joins two others: (a, b) how long the queues are, (c) Jain's index by the flow's duration.

Ports 1 and 2 in steady state, port 3 offered 2 Gbps from 0 on, for 10 ms to 1 s; all exact fluid. EDT lets port 3 take
the buffer once, in its first 8 ms; after 14 ms all three are equal, and the index tends to 1 as the flow goes on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from dtmodel.base import units
from dtmodel.plot.style import Figure, policy_style

from .burst_panels import MS, Traffic, axes_of, fluid, jain, mean_length, panels

DURATIONS = tuple(k * MS for k in (10, 20, 40, 60, 80, 100, 200, 500, 1000))
TRAFFIC = (Traffic(), Traffic(steady=True), Traffic(steady=True))


@dataclass(frozen=True)
class FigureData:
    """Jain's index by policy and duration, and port 3's corners (ms, KB) under EDT for the distribution."""

    index: dict[str, list[Fraction]]
    excess: dict[str, list[Fraction]]
    corners: dict[int, list[tuple[float, float]]]


def data() -> FigureData:
    """Run DT and EDT once, to the longest duration, and take means up to each."""
    runs = {name: fluid(name, TRAFFIC, DURATIONS[-1]) for name in ("dt", "edt")}
    means = {
        name: [[mean_length(run, port, Fraction(0), d) for port in range(3)] for d in DURATIONS]
        for name, run in runs.items()
    }
    index = {name: [jain(row) for row in rows] for name, rows in means.items()}
    excess = {name: [row[0] / row[1] - 1 for row in rows] for name, rows in means.items()}
    queue = {port: runs["edt"].queue(port) for port in (0, 1)}
    corners = {
        port: [(float(t / MS), float(each.at(t)) / 1000) for t in each.breakpoints] for port, each in queue.items()
    }
    return FigureData(index, excess, corners)


def published(data: FigureData) -> list[tuple[str, object, object]]:
    """Compare with the text: the same index from 80 ms on, a little more buffer for port 3."""
    at = {d: k for k, d in enumerate(DURATIONS)}
    rows: list[tuple[str, object, object]] = [
        (
            f"index of EDT less that of DT, {int(d / MS)} ms",
            0,
            round(float(data.index["edt"][at[d]] - data.index["dt"][at[d]]), 4),
        )
        for d in (60 * MS, 80 * MS, 100 * MS, 500 * MS)
    ]
    for d in (500 * MS, 1000 * MS):
        more = units.show_percent(data.excess["edt"][at[d]])
        rows.append((f"port 3 has more by, {int(d / MS)} ms", "a little", more))
    return rows


def length_at(corners: Sequence[tuple[float, float]], time: float) -> float:
    """Interpolate between corners; beyond the last one the length stays."""
    for (begin, low), (end, high) in pairwise(corners):
        if begin <= time < end:
            return low + (high - low) * (time - begin) / (end - begin)
    return corners[-1][1]


def draw(data: FigureData) -> Figure:
    """Draw the distributions at 500 ms and 1 s, and the indices."""
    figure, axes = panels(3, "Fairness of long-lived flows")
    for each, letter, end in zip(axes, "ab", (500.0, 1000.0), strict=False):
        for port, label in ((0, "port 3"), (1, "ports 1 and 2")):
            lengths = sorted(length_at(data.corners[port], end * (k + 0.5) / 4000) for k in range(4000))
            each.plot(lengths, [(k + 1) / 4000 for k in range(4000)], label=label)
        axes_of(each, {"title": f"({letter}) EDT, {end:.0f} ms", "xlabel": "length (KB)", "ylabel": "part of the time"})
    for name, values in data.index.items():
        axes[2].semilogx([float(d / MS) for d in DURATIONS], [float(v) for v in values], marker="o", label=name.upper(),
                         **policy_style(name.upper()).drawn)  # fmt: skip
    axes[2].axvline(80, color="0.4", lw=1, ls=":", label="published: equal from 80 ms on")
    axes[2].set(title="(c) fairness", xlabel="duration (ms)", ylabel="Jain's index")
    axes[2].legend(frameon=False)
    return figure
