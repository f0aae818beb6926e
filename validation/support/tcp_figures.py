"""Pictures of experiments with senders that react: medians with the ranges of the readings of TCP and of the seeds.

A mark or line is the median over the readings of the medians over the seeds; a thick bar or a band is the range of the
readings, a thin bar the range of all seeds in all readings. The table has the published results that the experiment
decides.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import fmean, median
from typing import Any

from dtmodel.companion.experiments import experiment_document
from dtmodel.ledger import check
from dtmodel.ledger.evidence import Repeated, registered, registered_function
from dtmodel.network.integers import SECOND, picoseconds
from dtmodel.plot.style import PALETTE, Figure

from .experiments import Kept

VALIDATION = Path(__file__).parents[1]
DECIDING = {
    "dynaq": ("completion", "fabric", "requirement", "simulation", "testbed"),
    "edt": ("responsive", "testbed"),
    "losspass": ("completion", "fabric", "loss_counts", "testbed"),
}
"""The modules of each paper whose evidence reads kept results."""
_DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (5, 2, 1, 2)), (0, (1, 1.5)))
_WIDE = 20  # a ratio of the ends of an axis from which on its scale is logarithmic
Value = Callable[[Mapping[str, Sequence[Any]], int], float | None]
"""A number of a run or None, given the measures of all seeds and the index of one."""


@dataclass(frozen=True)
class Spread:
    """Least seed, least median of a reading, median of them, greatest median of a reading, greatest seed."""

    low: float
    least: float
    middle: float
    most: float
    high: float

    @classmethod
    def of(cls, readings: Sequence[Sequence[float | None]]) -> "Spread":
        """Return the spread of numbers by reading and seed; None where no flow of a class was completed."""
        known = [[value for value in each if value is not None] for each in readings]
        medians, seeds = [median(each) for each in known if each], [value for each in known for value in each]
        return cls(min(seeds), min(medians), median(medians), max(medians), max(seeds))


@dataclass(frozen=True)
class Panel:
    """Axes: `x` are numbers or names, and each curve has a spread at each of them."""

    title: str
    xlabel: str
    ylabel: str
    x: Sequence[Any]
    curves: Mapping[str, Sequence[Spread]]


@dataclass(frozen=True)
class TcpFigure:
    """The panels of the experiment of a figure."""

    name: str
    panels: Sequence[Panel]


def of_class(measure: str, number: int | None = None, factor: float = 1000) -> Value:
    """Return a measure of a class of flows, or one without classes, in units of which a second has `factor`."""

    def value(rows: Mapping[str, Sequence[Any]], seed: int) -> float | None:
        found = rows[measure][seed] if number is None else rows[measure][seed][number]
        return None if found is None else factor * found

    return value


def throughput(queue: int | None = None) -> Value:
    """Return the throughput of a queue, or of all, over the whole run in Gbps."""

    def rate(rows: Mapping[str, Sequence[Any]], seed: int) -> float:
        return fmean(sum(row) if queue is None else row[queue] for row in rows["throughput"][seed]) * 8 / 1e9

    return rate


def length(queue: int) -> Value:
    """Return the mean length of a queue in KB."""
    return lambda rows, seed: rows["length"][seed][0][queue] / 1000


FLOWS = {
    "mean, below 0.1 MB (ms)": of_class("flow_mean", 0),
    "99th percentile, below 0.1 MB (ms)": of_class("flow_p99", 0),
    "mean, the largest flows (ms)": of_class("flow_mean", -1),
}
ALL_FLOWS = {"mean of all flows (ms)": of_class("all_mean"), **FLOWS}
LENGTHS = {f"queue {queue + 1} (KB)": length(queue) for queue in range(2)}
QUERIES = {
    "mean of queries (ms)": of_class("query_mean"),
    "99th percentile of queries (ms)": of_class("query_p99"),
    "throughput (Gbps)": throughput(),
}


def over_time(name: str) -> TcpFigure:
    """Return a panel for each policy, with the throughput of each queue in each interval in Gbps."""
    kept = Kept.read(name)
    every = picoseconds(experiment_document(name)["workload"]["every"], "every") / SECOND
    panels = []
    for policy in policies(kept):
        first = kept.of(kept.readings[0], policy, 1, "throughput")
        intervals, queues = len(first), len(first[0])

        def spread(at: int, queue: int, policy: str = policy) -> Spread:
            runs = (kept.rows[reading, policy, 0.0]["throughput"] for reading in kept.readings)
            return Spread.of([[seed[at][queue] * 8 / 1e9 for seed in run] for run in runs])

        curves = {f"queue {queue + 1}": [spread(at, queue) for at in range(intervals)] for queue in range(queues)}
        panels.append(Panel(policy, "time (s)", "Gbps", [every * (at + 0.5) for at in range(intervals)], curves))
    return TcpFigure(name, panels)


def policies(kept: Kept) -> list[str]:
    """Return the policies in the order of the file."""
    return [*dict.fromkeys(policy for _, policy, _ in kept.rows)]


def compared(kept: Kept, measures: Mapping[str, Value]) -> TcpFigure:
    """Return a panel for each measure: curves of the policies over the loads, or a mark for each policy."""
    loads = [*dict.fromkeys(load for _, _, load in kept.rows)]

    def spread(value: Value, policy: str, load: float) -> Spread:
        runs = (kept.rows[reading, policy, load] for reading in kept.readings)
        return Spread.of([[value(run, seed - 1) for seed in kept.numbers] for run in runs])

    def panel(title: str, value: Value) -> Panel:
        names = policies(kept)
        if len(loads) > 1:
            return Panel(
                title, "load", "", loads, {each: [spread(value, each, load) for load in loads] for each in names}
            )
        return Panel(title, "", "", names, {"": [spread(value, each, loads[0]) for each in names]})

    return TcpFigure(kept.name, [panel(title, value) for title, value in measures.items()])


def published(data: TcpFigure) -> list[tuple[str, object, object]]:
    """Return the claims that the experiment decides, their published numbers, and how often they come out."""
    paper = data.name.partition(".")[0]
    rules = tomllib.loads((VALIDATION / "decisions.toml").read_text(encoding="utf-8"))["rule"]
    rows: list[tuple[str, object, object]] = []
    for module in DECIDING[paper]:
        namespace = vars(import_module(f"..{paper}.{module}", __package__))
        for item in registered(namespace):
            ids = [id_ for id_ in item.aims[0].claims if rules.get(id_, {}).get("by", "").startswith(data.name)]
            if ids and rules[ids[0]]["by"] in (data.name, f"{data.name}-throughput"):
                rows.append(
                    (ids[0], numbers_of(rules[ids[0]]), readings_of(registered_function(namespace, item.name)()))
                )
    return rows


def numbers_of(rule: Mapping[str, Any]) -> str:
    """Return the published numbers of a rule; a comparison has none."""
    numbers = rule.get("published", "a comparison")
    return ", ".join(map(str, numbers)) if isinstance(numbers, list) else str(numbers)


def readings_of(outcome: object) -> str:
    """Return the number of readings in which a result comes out."""
    check(isinstance(outcome, Repeated), "the result of an experiment is decided by readings")
    assert isinstance(outcome, Repeated)
    count, all_ = len(outcome.reproduced), len(outcome.reproduced) + len(outcome.missed)
    return f"in {count or 'none'} of {all_} readings"


def draw(data: TcpFigure) -> Figure:
    """Draw the panels side by side."""
    from matplotlib.figure import Figure as Canvas

    many = len(data.panels)
    figure = Canvas(figsize=(max(3.2 * many, 6), 3.4), layout="constrained")
    for axes, panel in zip(figure.subplots(1, many, squeeze=False)[0], data.panels, strict=True):
        axes.set(title=panel.title, xlabel=panel.xlabel, ylabel=panel.ylabel)
        for index, (name, spreads) in enumerate(panel.curves.items()):
            (bars if isinstance(panel.x[0], str) else band)(axes, panel, name, spreads, index)
        ends = [(each.low, each.high) for spreads in panel.curves.values() for each in spreads]
        if 0 < _WIDE * min(low for low, _ in ends) < max(high for _, high in ends):
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
        if any(panel.curves):
            axes.legend(fontsize=7)
    return figure


def band(axes: Any, panel: Panel, name: str, spreads: Sequence[Spread], index: int) -> None:
    """Draw a curve with the range of the readings as a band, and that of the seeds as a lighter one."""
    colour, dashes = PALETTE[index % len(PALETTE)], _DASHES[index % len(_DASHES)]
    middle, mark = [each.middle for each in spreads], "s" if index >= len(_DASHES) else ""
    axes.plot(
        panel.x, middle, color=colour, label=name, ls=dashes, marker=mark, ms=3, markevery=max(len(middle) // 8, 1)
    )
    for low, high, alpha in (("low", "high", 0.12), ("least", "most", 0.25)):
        axes.fill_between(
            panel.x, [getattr(each, low) for each in spreads], [getattr(each, high) for each in spreads],
            color=colour, alpha=alpha, lw=0,
        )  # fmt: skip


def bars(axes: Any, panel: Panel, name: str, spreads: Sequence[Spread], index: int) -> None:
    """Draw a mark for each name, with bars of the range of the readings and of that of the seeds."""
    del name
    places, colour = range(len(panel.x)), PALETTE[index]
    axes.vlines(places, [each.low for each in spreads], [each.high for each in spreads], color=colour, lw=1)
    axes.vlines(places, [each.least for each in spreads], [each.most for each in spreads], color=colour, lw=4)
    axes.plot(places, [each.middle for each in spreads], "o", color="white", mec=colour)
    axes.set_xticks(places, panel.x, rotation=60, ha="right", fontsize=7)
