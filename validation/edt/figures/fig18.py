"""Lossless bursts under EDT with other settings: (a) d = 10, 100 and 1 ms, (b) cn1 = 3, 10 and 100.

The traffic of Figure 17; d sets both timers. The numbers are those of ``validation/results/edt-stochastic.json``.
"""

from dataclasses import dataclass

from dtmodel.plot.style import PALETTE, Figure, policy_style

from ..random_traffic import load_results
from .burst_panels import axes_of, panels
from .fig17 import Point, points

PANELS = {
    "(a) d": {"EDT": "d = 10 ms", "d = 100 ms": "d = 100 ms", "d = 1 ms": "d = 1 ms", "DT": "DT"},
    "(b) cn1": {"EDT": "cn1 = 3", "cn1 = 10": "cn1 = 10", "cn1 = 100": "cn1 = 100", "DT": "DT"},
}

STYLES = {label: {**policy_style("EDT").drawn, "marker": "o"} for label in ("d = 10 ms", "cn1 = 3")}
"""The setting of Figure 17."""
VARIANTS = {
    **{label: {"color": PALETTE[2], "ls": "-.", "marker": "^"} for label in ("d = 100 ms", "cn1 = 10")},
    **{label: {"color": PALETTE[3], "ls": ":", "marker": "s"} for label in ("d = 1 ms", "cn1 = 100")},
    "DT": {**policy_style("DT").drawn, "marker": "D"},
}


@dataclass(frozen=True)
class FigureData:
    """For each panel and setting: durations, parts that are lossless, and confidence."""

    lossless: dict[str, dict[str, list[Point]]]
    command: str


def data() -> FigureData:
    """Read the committed results."""
    stored = load_results()
    lossless = {
        panel: {label: points(stored["results"][name]["bins"], "lossless") for name, label in names.items()}
        for panel, names in PANELS.items()
    }
    return FigureData(lossless, stored["command"])


def mean_part(rows: list[Point], low: float, high: float) -> float:
    """The mean of the parts between two durations in ms."""
    found = [mean for duration, mean, _ in rows if low < duration < high]
    return sum(found) / len(found)


def published(data: FigureData) -> list[tuple[str, object, object]]:
    """Compare with the text, for bursts of 2 to 5 ms."""
    means = {label: mean_part(rows, 2, 5) for curves in data.lossless.values() for label, rows in curves.items()}
    return [
        ("lossless, d = 10 ms", "", f"{means['d = 10 ms']:.0f} %"),
        ("lossless, d = 100 ms", "slightly less", f"{means['d = 100 ms']:.0f} %"),
        ("lossless, d = 1 ms", "much less", f"{means['d = 1 ms']:.0f} %"),
        ("lossless, cn1 = 10", "as with 3", f"{means['cn1 = 10']:.0f} %"),
        ("lossless, cn1 = 100", "less", f"{means['cn1 = 100']:.0f} %"),
    ]


def draw(data: FigureData) -> Figure:
    """Draw both panels."""
    figure, axes = panels(2, "EDT with other settings")
    for each, (panel, curves) in zip(axes, data.lossless.items(), strict=True):
        for label, rows in curves.items():
            xs, means, halves = zip(*rows, strict=True)
            each.errorbar(xs, means, yerr=halves, capsize=3, label=label, **STYLES.get(label, VARIANTS.get(label, {})))
        axes_of(each, {"title": panel, "xlabel": "duration of burst (ms)", "ylabel": "lossless (%)"})
    return figure
