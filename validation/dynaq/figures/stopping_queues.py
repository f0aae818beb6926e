"""Eight WRR queues that stop one after the other, open loop: what Figures 11, 12 and 13 show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.schemes import PQL, BestEffort, DynaQScheme, Scheme
from dtmodel.packet.schedulers import WeightedRoundRobin
from dtmodel.plot.style import PALETTE, Figure

from .series import fairness, throughputs

M = 8
STOPS = (700.0, *(100.0 + 50 * i for i in range(2, M + 1)))
ENDS = tuple(50.0 * n for n in range(1, 13))
"""In the paper's ms; `sharing` is told how many packet times one stands for."""


@dataclass(frozen=True)
class Sharing:
    """Jain's index of the active queues and the sum of the throughputs, in each bin that ends at `ends`, by scheme."""

    ends: tuple[float, ...]
    index: Mapping[str, tuple[float, ...]]
    total: Mapping[str, tuple[float, ...]]

    def least(self, scheme: str, before: float) -> float:
        """The least index of a scheme in the bins that end by `before`, but for the first, in which the queues fill."""
        bins = zip(self.ends[1:], self.index[scheme][1:], strict=True)
        return min(index for end, index in bins if end <= before)


@dataclass(frozen=True)
class Quoted:
    """A number that the text quotes: in which panel, what of, its value, and when, in the paper's ms: from, to."""

    panel: str
    label: str
    value: float
    when: tuple[float, float]


def sharing(buffer: int, loads: tuple[float, ...], scale: float = 2.0) -> Sharing:
    """Serve the queues under each scheme; `buffer` in packets, `loads` as parts of the link."""
    stops, ends = ([scale * time for time in times] for times in (STOPS, ENDS))
    schemes: dict[str, Scheme] = {
        "BestEffort": BestEffort(buffer),
        "PQL": PQL((buffer // M,) * M),
        "DynaQ": DynaQScheme(DynaQ(buffer, (1,) * M)),
        "DynaQ, recheck": DynaQScheme(DynaQ(buffer, (1,) * M, admit="recheck")),
    }
    series = throughputs(schemes, WeightedRoundRobin((1,) * M), loads, stops, ends)
    total = {name: tuple(sum(row) for row in rows) for name, rows in series.rows.items()}
    return Sharing(ENDS, fairness(series, stops), total)


def draw(shown: Sharing, quoted: Sequence[Quoted]) -> Figure:
    """Draw both panels, a step for each scheme; what is quoted is a bar, black or grey, or a star at an instant."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    for axes, found in ((left, shown.index), (right, shown.total)):
        for number, (name, values) in enumerate(found.items()):
            style = {"color": PALETTE[number], "ls": ("-", "--", "-.", ":")[number], "lw": (1.5, 1.5, 1.5, 2.2)[number]}
            axes.step((0.0, *shown.ends), (values[0], *values), label=name, **style)
        axes.set(xlabel="time (the paper's ms)", ylim=(0, 1.05), xlim=(0, shown.ends[-1]))
        axes.spines[["top", "right"]].set_visible(False)
    for number, quote in enumerate(quoted):
        axes = {"fairness": left, "utilisation": right}[quote.panel]
        first, last = quote.when
        if first == last:
            axes.plot(first, quote.value, "*", color="black", ms=12, label=f"published: {quote.label}")
        else:
            bar = {"color": ("black", "0.7")[number % 2], "lw": (4, 6)[number % 2]}
            axes.plot(quote.when, (quote.value,) * 2, label=f"published: {quote.label}", **bar)
    left.set(title="(a) fairness", ylabel="Jain's index of active queues")
    right.set(title="(b) utilisation", ylabel="throughput of all (parts of C)")
    told = {
        label: line for axes in (right, left) for line, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(told.values(), told.keys(), frameon=False, loc="outside lower center", ncols=4)
    return figure
