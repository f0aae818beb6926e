"""DynaQ paper, Figure 1, open loop: two DRR queues of equal weight, 8 against 24 flows, one best-effort buffer.

A flow offers 0.15 of the link, so that both queues offer more than half of it. The port has 56 packets (85 KB). Left:
throughput in bins of 50 packet times. Right: queue lengths at 1,000 successive packet times; queue 1 stays below
WBDP_1. Senders do not react to drops: who gets room is decided by arrivals alone.

Claims: dynaq.sec2.1.fig1, dynaq.sec2.1.fig1-sampling.
"""

from dataclasses import dataclass

from dtmodel.packet.dynaq.schemes import BestEffort
from dtmodel.plot.style import PALETTE, Figure

from ..experiments import BUFFER
from .series import Series
from .two_queues import KB, Evolution, evolutions, shared

FLOWS, OFFERED = (8, 24), 0.15
ENDS = tuple(50.0 * k for k in range(1, 41))
WBDP = 62.5 / 2
"""Half of the BDP, in KB."""


@dataclass(frozen=True)
class FigureData:
    """Throughputs in bins, and the lengths of both queues."""

    series: Series
    lengths: Evolution


def data() -> FigureData:
    """Serve 24 flows beside 8."""
    schemes, loads = {"BestEffort": BestEffort(BUFFER)}, (OFFERED * FLOWS[0], OFFERED * FLOWS[1])
    lengths = evolutions(schemes, {"BestEffort": BUFFER}, loads, 2)["BestEffort"]
    return FigureData(shared(schemes, loads, 2, ENDS), lengths)


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Compare with the fair share, and with the weighted BDP that queue 1 does not get."""
    rows = shown.series.rows["BestEffort"][1:]
    return [
        ("throughput of queue 1 (parts of C)", "less than 0.5", f"{sum(row[0] for row in rows) / len(rows):.2f}"),
        ("mean length of queue 1 (KB)", "less than 31.25 (WBDP_1)", f"{shown.lengths.mean(0):.1f}"),
        ("mean length of queue 2 (KB)", "", f"{shown.lengths.mean(1):.1f}"),
    ]


def draw(shown: FigureData) -> Figure:
    """Draw throughput and lengths side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    rows = shown.series.rows["BestEffort"]
    for queue, flows in enumerate(FLOWS):
        style = {"color": PALETTE[queue], "ls": ("-", "--")[queue], "label": f"queue {queue + 1}, {flows} flows"}
        left.step((0.0, *ENDS), [rows[0][queue], *(row[queue] for row in rows)], **style)
        right.plot([KB * row[queue] for row in shown.lengths.lengths], lw=0.9, **style)
    left.axhline(0.5, color="black", ls=":", lw=1, label="fair share")
    left.set(title="(a) throughput", xlabel="packet times", ylabel="throughput (parts of C)", ylim=(0, 1))
    right.axhline(WBDP, color="black", ls=":", lw=1, label="$WBDP_1$")
    right.set(title="(b) queue lengths", xlabel="sample", ylabel="length (KB)", ylim=(0, 95))
    for axes in (left, right):
        axes.legend(frameon=False, fontsize="small", ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.16))
    return figure
