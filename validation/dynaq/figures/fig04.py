"""DynaQ paper, Figure 4, open loop: lengths and limits of two active DRR queues of four, with 2 against 16 flows.

The traffic of Figure 3, at 1,000 successive packet times. Dotted is what limits a queue: the port's 85 KB under
BestEffort, a quarter of them under PQL, and under DynaQ the dropping thresholds, which change over time.

Claims: dynaq.sec5.1.1.best-effort-dominated, dynaq.sec5.1.1.pql-occupies-more, dynaq.sec5.1.1.enough-buffer.
"""

from dtmodel.plot.style import PALETTE, Figure

from ..experiments import BUFFER, QUEUES, schemes
from .fig03 import FLOWS, LOADS, SHOWN
from .two_queues import KB, Evolution, evolutions

LIMITS = {"BestEffort": BUFFER, "PQL": BUFFER // QUEUES}


def data() -> dict[str, Evolution]:
    """Return the lengths and limits by scheme."""
    every = schemes()
    return evolutions({name: every[name] for name in SHOWN}, LIMITS, LOADS)


def published(shown: dict[str, Evolution]) -> list[tuple[str, str, str]]:
    """Compare the mean lengths with what the text says of them."""
    best, pql, dynaq = (shown[name] for name in SHOWN[:3])
    most = max(row[1] for row in pql.lengths) * KB
    return [
        ("BestEffort: queue 1, queue 2 (KB)", "small, dominates", f"{best.mean(0):.0f}, {best.mean(1):.0f}"),
        ("PQL: most of queue 2 (KB)", "21.25", f"{most:.2f}"),
        ("PQL: queue 2 has more than under BestEffort", "yes", "yes" if pql.mean(1) > best.mean(1) else "no"),
        ("DynaQ: queue 1, queue 2 (KB)", "enough for both", f"{dynaq.mean(0):.0f}, {dynaq.mean(1):.0f}"),
    ]


def draw(shown: dict[str, Evolution]) -> Figure:
    """Draw one panel for each scheme, lengths as lines, limits dotted and dash-dotted."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5.4), layout="constrained")
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for axes, (name, found) in zip(panels.flat, shown.items(), strict=True):
        for queue, flows in enumerate(FLOWS):
            style = {"color": PALETTE[queue], "lw": 0.9, "ls": ("-", "--")[queue]}
            axes.plot([KB * row[queue] for row in found.lengths], label=f"queue {queue + 1}, {flows} flows", **style)
            limits = [KB * row[queue] for row in found.limits]
            limit = {"color": ("black", "0.5")[queue], "ls": (":", (0, (6, 2, 1, 2, 1, 2)))[queue], "lw": 1.4}
            axes.plot(limits, label=f"limit of queue {queue + 1}", **limit)
        axes.set(title=name, ylim=(0, 90))
    for axes in panels[:, 0]:
        axes.set_ylabel("length (KB)")
    for axes in panels[1]:
        axes.set_xlabel("sample")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), frameon=False, loc="outside lower center", ncols=4)
    return figure
