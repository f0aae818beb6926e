"""ECN on the paper's testbed: what a threshold K costs in throughput and leaves as headroom, by the model.

Left: throughput with two background flows, for halved windows (ECN*) and for a cut of a quarter (DCTCP at alpha = 1/2).
The crosses are the two throughputs that the text quotes for DCTCP; the model cannot reach so low. Right: the headroom.

Claims: losspass.eq5.
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.plot.style import Figure

from .tradeoff import PIPE, Point, point

CUTS = {"ECN* (cut 1/2)": Fraction(1, 2), "DCTCP at $\\alpha = 1/2$ (cut 1/4)": Fraction(1, 4)}
QUOTED = {5: Fraction(607, 1000), 10: Fraction(620, 1000)}
"""K and DCTCP's measured share of 1 Gbps: 1000 - 393 Mbps in Section 2.2, 620 Mbps in Section 5.1.1."""


@dataclass(frozen=True)
class FigureData:
    """The curves of throughput and headroom by label, and the quoted throughputs by K."""

    curves: dict[str, tuple[Point, ...]]
    quoted: dict[int, Fraction]


def data() -> FigureData:
    """Compute both curves for K up to 60 packets."""
    return FigureData({label: tuple(point(K, cut) for K in range(61)) for label, cut in CUTS.items()}, QUOTED)


def draw(shown: FigureData) -> Figure:
    """Draw the figure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    for label, points in shown.curves.items():
        left.plot([p.K for p in points], [float(100 * p.throughput) for p in points], label=label)
    left.plot(list(shown.quoted), [float(100 * v) for v in shown.quoted.values()], "kx", label="quoted for DCTCP")
    left.axvline(float(PIPE / 1500), color="grey", linestyle=":", label=r"$C \cdot RTT$")
    left.set(xlabel="K (packets)", ylabel="throughput (% of C)", ylim=(55, 102))
    figure.legend(frameon=False, fontsize="small", loc="outside lower center", ncols=4)
    points = next(iter(shown.curves.values()))
    right.plot([p.K for p in points], [float(p.burst / 1000) for p in points], color="black")
    right.set(xlabel="K (packets)", ylabel="headroom (KB)", ylim=(0, None))
    return figure


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Return the throughputs that the text quotes, beside the model's lower one."""
    points = shown.curves["ECN* (cut 1/2)"]
    rows = []
    for K, quoted in shown.quoted.items():
        model = f"{float(1000 * points[K].throughput):.0f}"
        rows.append(
            (f"throughput of DCTCP at K = {K} (Mbps); at least, if halved", f"{float(1000 * quoted):.0f}", model)
        )
    first = next(p.K for p in points if p.throughput == 1)
    return [*rows, ("least K for line rate (packets); C RTT in the text", "41.7", str(first))]
