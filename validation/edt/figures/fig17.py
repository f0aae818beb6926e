"""Poisson and lognormal traffic at 16 ports: (a) buffer in use at first losses, (b) lossless bursts, (c) queues.

Packets of 1500 bytes at a load of 20 %, a third of it in bursts of 2 Gbps with a mean of 2 ms; several seeds, with 99 %
confidence intervals. The numbers are those of ``validation/results/edt-stochastic.json`` (``make stochastic``). EDT is
read so that a dropped packet resets C1.
"""

from dataclasses import dataclass
from typing import Any

from dtmodel.plot.style import Figure, policy_style

from ..random_traffic import load_results
from .burst_panels import axes_of, panels

POLICIES = ("DT", "EDT")
Point = tuple[float, float, float]
"""A duration in ms, a mean in %, and the half-width of its confidence interval."""


@dataclass(frozen=True)
class FigureData:
    """For each policy: the curves of (a) and (b), the distributions of (c), and Jain's index of all ports."""

    used: dict[str, list[Point]]
    lossless: dict[str, list[Point]]
    cdf: dict[str, list[list[float]]]
    cuts: list[float]
    fairness: dict[str, list[float]]
    command: str


def points(rows: list[dict[str, Any]], key: str) -> list[Point]:
    """Put the bins that were seen at their middles."""
    return [
        (500 * (row["from"] + min(row["to"], 0.016)), 100 * row[key][0], min(100 * row[key][1], 100.0))
        for row in rows
        if row[key] is not None
    ]


def data() -> FigureData:
    """Read the committed results."""
    stored = load_results()
    found = {name: stored["results"][name] for name in POLICIES}
    return FigureData(
        {name: points(each["bins"], "used") for name, each in found.items()},
        {name: points(each["bins"], "lossless") for name, each in found.items()},
        {name: each["cdf"] for name, each in found.items()},
        found["DT"]["cuts"],
        {name: each["fairness"] for name, each in found.items()},
        stored["command"],
    )


def published(data: FigureData) -> list[tuple[str, object, object]]:
    """Compare with the quoted numbers."""
    late = [mean for duration, mean, _ in data.used["DT"] if duration > 3]
    short = [mean for duration, mean, _ in data.lossless["EDT"] if duration < 5]
    return [
        ("DT: most buffer in use, bursts longer than 3 ms", "at most 60 %", f"{max(late):.0f} %"),
        ("EDT: least part lossless, bursts shorter than 5 ms", "over 85 %", f"{min(short):.0f} %"),
        ("Jain's index of the mean lengths, DT", 0.977, "{:.3f} +- {:.3f}".format(*data.fairness["DT"])),
        ("Jain's index of the mean lengths, EDT", 0.964, "{:.3f} +- {:.3f}".format(*data.fairness["EDT"])),
    ]


def draw(data: FigureData) -> Figure:
    """Draw the three panels."""
    figure, axes = panels(3, "Unresponsive ON/OFF traffic")
    for each, curves, label in zip(
        axes, (data.used, data.lossless), ("buffer in use (%)", "lossless (%)"), strict=False
    ):
        for name, rows in curves.items():
            xs, means, halves = zip(*rows, strict=True)
            each.errorbar(xs, means, yerr=halves, marker="o", capsize=3, label=name, **policy_style(name).drawn)
        axes_of(each, {"xlabel": "duration of burst (ms)", "ylabel": label})
    axes[0].plot([3, 16], [60, 60], color="black", ls=":", label="published: DT at most, from 3 ms")
    axes[1].plot([0, 5], [85, 85], color="black", ls=":", label="published: EDT more, to 5 ms")
    for each, title in zip(axes, ("(a) at first losses", "(b) bursts without a loss", "(c) queues"), strict=True):
        each.set_title(title)
    for name, three in data.cdf.items():
        for port, shares in enumerate(three):
            axes[2].semilogx(
                [cut / 1000 for cut in data.cuts], shares, **policy_style(name).drawn, label=name if port == 0 else None
            )
    axes[2].set(xlabel="length (KB)", ylabel="part of the time")
    for each in axes:
        each.legend(frameon=False, fontsize="small")
    return figure
