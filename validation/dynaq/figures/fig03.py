"""DynaQ paper, Figure 3, open loop: throughput of two active DRR queues of four, with 2 against 16 flows.

A flow offers 0.6 of the link; bins of 50 packet times. The port has 56 packets (85 KB), under PQL 14 a queue. Senders
do not react to drops: who has a packet waiting at each of its turns gets half of the link. The unfairness that the
paper measures under PQL needs windows that react.

Claims: dynaq.sec5.1.1.fig3, dynaq.sec5.1.1.pql-unfair.
"""

from dtmodel.plot.style import PALETTE, Figure

from ..experiments import schemes
from .series import Series
from .two_queues import shared

FLOWS, LOADS = (2, 16), (1.2, 9.6)
SHOWN = ("BestEffort", "PQL", "DynaQ", "DynaQ, recheck")
ENDS = tuple(50.0 * k for k in range(1, 21))


def data() -> Series:
    """Return throughputs by scheme, bin and queue."""
    every = schemes()
    return shared({name: every[name] for name in SHOWN}, LOADS, 4, ENDS)


def published(series: Series) -> list[tuple[str, str, str]]:
    """Compare the share of queue 1 with what the text says of it."""
    said = ("much less than half", "less than half", "half", "")
    rows = []
    for name, words in zip(SHOWN, said, strict=True):
        bins = series.rows[name][1:]
        rows.append(
            (f"{name}: throughput of queue 1 (parts of C)", words, f"{sum(b[0] for b in bins) / len(bins):.2f}")
        )
    return rows


def draw(series: Series) -> Figure:
    """Draw one panel for each scheme, a step for each queue."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for axes, (name, rows) in zip(panels.flat, series.rows.items(), strict=True):
        for queue, flows in enumerate(FLOWS):
            values = [rows[0][queue], *(row[queue] for row in rows)]
            axes.step((0.0, *series.ends), values, color=PALETTE[queue], ls=("-", "--")[queue],
                      label=f"queue {queue + 1}, {flows} flows")  # fmt: skip
        axes.axhline(0.5, color="black", ls=":", lw=1, label="fair share")
        axes.set(title=name, ylim=(0, 1.05))
    for axes in panels[:, 0]:
        axes.set_ylabel("throughput (parts of C)")
    for axes in panels[1]:
        axes.set_xlabel("packet times")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), frameon=False, loc="outside lower center", ncols=3)
    return figure
