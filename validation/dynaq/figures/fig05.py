"""DynaQ paper, Figure 5, open loop: throughput of four equal DRR queues that stop one after the other.

Queue i offers 0.6 x 2^i times the link, as it has 2^i flows in the paper; queues 4, 3, 2 and 1 stop at 400, 600, 800
and 1,000 packet times (10, 15, 20 and 25 s). The port has 56 packets (85 KB). Senders here do not react to drops: what
shows is who gets room at the port. That a single queue under PQL loses throughput, 0.78 Gbps in the paper, needs
windows that react.
"""

from dtmodel.packet.schedulers import DeficitRoundRobin
from dtmodel.plot.style import Figure

from ..experiments import schemes
from .series import Series, throughputs

LOADS = (1.2, 2.4, 4.8, 9.6)
STOPS = (1000.0, 800.0, 600.0, 400.0)
ENDS = (200.0, 400.0, 450.0, 600.0, 650.0, 800.0, 850.0, 1000.0)  # backlogs of stopped queues leave in 50
SHOWN = ("BestEffort", "PQL", "DynaQ", "DynaQ, recheck")


def data() -> Series:
    """Return throughputs by scheme, bin and queue."""
    every = schemes()
    return throughputs({name: every[name] for name in SHOWN}, DeficitRoundRobin((1,) * 4), LOADS, STOPS, ENDS)


def published(series: Series) -> list[tuple[str, str, str]]:
    """Compare with what the text quotes."""
    best, pql = series.rows["BestEffort"], series.rows["PQL"]
    return [
        ("BestEffort, queue 1 of 4 active (Gbps)", "0.14", f"{best[0][0]:.2f}"),
        ("PQL, queue 1 alone (Gbps); no sender slows down", "0.78", f"{pql[-1][0]:.2f}"),
    ]


def draw(series: Series) -> Figure:
    """Draw one panel for each scheme, a step for each queue."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for axes, (name, rows) in zip(panels.flat, series.rows.items(), strict=True):
        for queue in range(4):
            values = [rows[0][queue], *(row[queue] for row in rows)]
            axes.step((0.0, *series.ends), values, label=f"queue {queue + 1}")
        axes.set_title(name)
    panels[0, 0].plot([0, 400], [0.14, 0.14], color="black", lw=3, label="published: queue 1")
    panels[0, 1].plot([800, 1000], [0.78, 0.78], color="black", lw=3)
    for axes in panels[:, 0]:
        axes.set_ylabel("throughput (parts of C)")
    for axes in panels[1]:
        axes.set_xlabel("packet times")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), frameon=False, loc="outside lower center", ncols=5)
    return figure
