"""DynaQ paper, Figure 6, open loop: shares of four DRR queues of weights 4, 3, 2 and 1, the lightest with most flows.

Queue i offers 0.6 x 2^i times the link, as it has 2^i flows in the paper. The port has 56 packets (85 KB); PQL divides
them by weight. Senders here do not react to drops: what shows is who gets room at the port. Dotted are the shares that
the weights give.
"""

from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.schemes import PQL, BestEffort, DynaQScheme, Scheme
from dtmodel.packet.schedulers import DeficitRoundRobin
from dtmodel.plot.style import Figure

from ..experiments import BUFFER
from .series import Series, throughputs

WEIGHTS, QUOTAS = (4, 3, 2, 1), (22, 17, 11, 6)
LOADS = (1.2, 2.4, 4.8, 9.6)
ENDS = (100.0, 200.0, 300.0, 400.0)
_WEIGHTS_LINE = (0, (1, 5))


def data() -> Series:
    """Return throughputs by scheme, bin and queue."""
    schemes: dict[str, Scheme] = {
        "BestEffort": BestEffort(BUFFER),
        "PQL": PQL(QUOTAS),
        "DynaQ": DynaQScheme(DynaQ(BUFFER, WEIGHTS)),
        "DynaQ, recheck": DynaQScheme(DynaQ(BUFFER, WEIGHTS, admit="recheck")),
    }
    return throughputs(schemes, DeficitRoundRobin(WEIGHTS), LOADS, (ENDS[-1],) * 4, ENDS)


def shares(series: Series, name: str) -> tuple[float, ...]:
    """Return each queue's part of what a scheme sent in all bins but the first, in which the queues fill."""
    sent = [sum(row[queue] for row in series.rows[name][1:]) for queue in range(len(WEIGHTS))]
    return tuple(amount / sum(sent) for amount in sent)


def published(series: Series) -> list[tuple[str, str, str]]:
    """Compare with the share that the text quotes, and with those of the weights."""
    found = {name: ", ".join(f"{share:.2f}" for share in shares(series, name)) for name in series.rows}
    return [
        ("BestEffort, share of queue 4", "0.35", f"{shares(series, 'BestEffort')[3]:.2f}"),
        ("PQL, shares", "4:3:2:1", found["PQL"]),
        ("DynaQ, shares", "4:3:2:1", found["DynaQ"]),
    ]


def draw(series: Series) -> Figure:
    """Draw one panel for each scheme, a step for each queue."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for axes, (name, rows) in zip(panels.flat, series.rows.items(), strict=True):
        for queue, weight in enumerate(WEIGHTS):
            values = [row[queue] / sum(row) for row in rows]
            (line,) = axes.step((0.0, *series.ends), [values[0], *values], label=f"queue {queue + 1}")
            axes.axhline(weight / sum(WEIGHTS), color=line.get_color(), ls=_WEIGHTS_LINE, lw=1)
        axes.set(title=name, ylim=(0, None))
    panels[0, 0].plot([], [], color="black", ls=_WEIGHTS_LINE, lw=1, label="by the weights")
    panels[0, 0].plot([0, series.ends[-1]], [0.35, 0.35], color="black", lw=3, label="published: queue 4")
    for axes in panels[:, 0]:
        axes.set_ylabel("share of the throughput")
    for axes in panels[1]:
        axes.set_xlabel("packet times")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), frameon=False, loc="outside lower center", ncols=6)
    return figure
