"""Throughput against the absorbable burst on the paper's testbed, by the model: ECN's thresholds and LossPass.

To the right and up is better. Each point of ECN* is a K in packets; LossPass is asked at a full port of which large
flows hold 95 %. The paper's figure shows measured latency where this one shows the burst that causes it.

Claims: losspass.eq5, losspass.eq6.
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.plot.style import Figure, policy_style

from .tradeoff import Point, losspass_point, point


@dataclass(frozen=True)
class FigureData:
    """ECN's points in the order of K, and LossPass's."""

    ecn: tuple[Point, ...]
    losspass: Point


def data() -> FigureData:
    """Compute the points for K = 5, 10, ..., 60 packets."""
    return FigureData(tuple(point(K, Fraction(1, 2)) for K in range(5, 61, 5)), losspass_point())


def draw(shown: FigureData) -> Figure:
    """Draw the figure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(
        [float(p.burst / 1000) for p in shown.ecn],
        [float(100 * p.throughput) for p in shown.ecn],
        marker="o",
        **policy_style("ECN").drawn,
        label="ECN*",
    )
    for p in shown.ecn[::2]:
        axes.annotate(f"K = {p.K}", (float(p.burst / 1000), float(100 * p.throughput)), xytext=(-6, -10), ha="right",
                      textcoords="offset points", fontsize="small")  # fmt: skip
    axes.plot(float(shown.losspass.burst / 1000), float(100 * shown.losspass.throughput), "*", ms=14, mec="black",
              color=policy_style("LossPass").colour, label="LossPass")  # fmt: skip
    axes.set(xlabel="absorbable burst (KB)", ylabel="throughput (% of C)", xlim=(0, 140), ylim=(80, 102))
    axes.legend(frameon=False, loc="lower left")
    return figure


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Return what the text says about LossPass's point."""
    best = all(p.throughput <= shown.losspass.throughput and p.burst <= shown.losspass.burst for p in shown.ecn)
    return [
        ("throughput of LossPass", "nearly 100 %", f"{float(100 * shown.losspass.throughput):.0f} %"),
        ("best in both, against K = 5 to 60", "yes", "yes" if best else "no"),
    ]
