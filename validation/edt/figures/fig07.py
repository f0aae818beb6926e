"""The two states of EDT: a burst that grows by cn2 sets its port free, and three events bring the port back.

(a) The diagram. (b) Four runs of the exact fluid engine, 16 ports of 1 Gbps, 1 MB, alpha = 1, two steady ports and a
burst of 2 Gbps to one more; the bar says when the burst's port is uncontrolled, the cross when it loses its first byte.

Claims: edt.fig7.initial, edt.fig7.leave, edt.fig7.return.underloaded, edt.fig7.return.overflow,
edt.fig7.return.timeout.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from dtmodel import EDT, Arrivals, Switch, simulate
from dtmodel.fluid import Run
from dtmodel.plot.style import PALETTE, Axes, Figure
from dtmodel.theory.edt.formulas import slow_overflow

from .burst_panels import ALPHA, CN2, MS, TM1, TM2, B, C, P

R, UNTIL = 2 * C, 12 * MS
RISES = CN2 / (R - C)
"""How long the queue grows until C2 is full."""
CASES: dict[str, tuple[Fraction, Fraction, Fraction]] = {
    "underloaded": (R, 5 * MS, TM2),
    "overflow": (R, UNTIL, TM2),
    "timeout of TM2": (R, UNTIL, 4 * MS),
    "never left: C2 too slow for TM1": (C + CN2 / (2 * TM1), UNTIL, TM2),
}
"""By what brings the port back: the burst's rate, how long it lasts, and TM2."""

UNCONTROLLED = {"facecolor": PALETTE[4], "edgecolor": "black", "hatch": "//"}


@dataclass(frozen=True)
class FigureData:
    """By case: when the port is uncontrolled, when it is expected to be, and its first drop."""

    uncontrolled: dict[str, list[tuple[Fraction, Fraction]]]
    expected: dict[str, Fraction | None]
    drops: dict[str, Fraction | None]


def data() -> FigureData:
    """Run the four cases."""
    runs = {}
    for name, (rate, lasts, tm2) in CASES.items():
        arrivals = {0: Arrivals.burst(rate, lasts), **{port: Arrivals.constant(2 * C) for port in (1, 2)}}
        steady = {1: "steady", 2: "steady"}
        policy = EDT(ALPHA, CN2, TM1, tm2)
        runs[name] = simulate(Switch(P, B, C), policy, arrivals, until=UNTIL, initial=steady)
    expected = dict(zip(CASES, (5 * MS, slow_overflow(B, 1, R - C), RISES + 4 * MS, None), strict=True))
    return FigureData(
        {name: spans(run) for name, run in runs.items()},
        expected,
        {name: run.first_drop(0) for name, run in runs.items()},
    )


def spans(run: Run[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """When the burst's port is uncontrolled: its threshold does not follow the free buffer."""
    limits = [*run.queue(0).limits, (run.until, ALPHA, Fraction(0))]
    return [(begin, end) for (begin, slope, _), (end, _, _) in pairwise(limits) if slope == 0]


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Compare when the port leaves and returns with what the conditions say."""
    rows = [("leaves the controlled state: cn2 / (R - C) (ms)", ms(RISES), ms(shown.uncontrolled["underloaded"][0][0]))]
    for name, said in zip(CASES, ("the burst ends", "(80)", "TM2 later"), strict=False):
        rows.append((f"returns, {name}: {said} (ms)", ms(shown.expected[name]), ms(shown.uncontrolled[name][0][1])))
    return rows


def ms(time: Fraction | None) -> str:
    """Write a time in ms, exactly."""
    return "never" if time is None else str(time / MS)


def draw(shown: FigureData) -> Figure:
    """Draw the diagram, and a strip for each run."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4), layout="constrained")
    diagram, strips = figure.subplots(1, 2, width_ratios=(1, 1.25))
    draw_diagram(diagram)
    for row, (name, times) in enumerate(shown.uncontrolled.items()):
        strips.barh(row, float(UNTIL / MS), height=0.5, color="0.93", ec="0.6")
        spans_ms = [(float(begin / MS), float((end - begin) / MS)) for begin, end in times]
        strips.broken_barh(spans_ms, (row - 0.25, 0.5), **UNCONTROLLED)
        drop = shown.drops[name]
        if drop is not None:
            strips.plot(float(drop / MS), row, "kx", ms=9, mew=2, zorder=4)
    strips.barh([0], [0], **UNCONTROLLED, label="uncontrolled")
    strips.barh([0], [0], color="0.93", ec="0.6", label="controlled")
    strips.plot([], [], "kx", ms=9, mew=2, ls="", label="first drop of the burst")
    strips.set(title="(b) runs", xlabel="time since the burst began (ms)", xlim=(0, float(UNTIL / MS)))
    strips.set_yticks(range(len(CASES)), [name.replace(": ", ":\n") for name in CASES])
    strips.set_ylim(len(CASES) - 0.4, -0.6)
    strips.legend(frameon=False, fontsize="small", ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.14))
    return figure


def draw_diagram(axes: Axes) -> None:
    """Draw two states, the arrow between them, and three arrows back."""
    from matplotlib.patches import Ellipse

    for x, text in ((0.0, "controlled\n$T_1 = \\alpha F$"), (4.0, "uncontrolled\n$T_2 = B/n$")):
        axes.add_patch(Ellipse((x, 0), 2.0, 1.1, fc="white", ec="black", lw=1.5))
        axes.annotate(text, (x, 0), ha="center", va="center", fontsize="small")
    curve = {"arrowstyle": "-|>", "color": "black", "lw": 1.2}
    axes.annotate("", (3.4, 0.45), (0.6, 0.45), arrowprops={**curve, "connectionstyle": "arc3,rad=-0.35"})
    axes.annotate(
        "C2 = cn2 before TM1 expires\nand nothing is dropped", (2, 1.0), ha="center", va="bottom", fontsize="small"
    )
    low = -0.45
    for bend, text in ((0.0, "underloaded"), (-0.32, "overflow"), (-0.66, "TM2 expires")):
        (begin, end), y = ((3.0, 1.0), 0.0) if not bend else ((3.6, 0.4), low)
        axes.annotate("", (end, y), (begin, y), arrowprops={**curve, "connectionstyle": f"arc3,rad={bend}"})
        sag = y + bend * (begin - end) / 2
        axes.annotate(text, (2, sag), ha="center", va="center", fontsize="small", bbox={"fc": "white", "ec": "none"})
    axes.annotate("start", (-0.7, 0.42), (-1.2, 1.1), ha="center", fontsize="small", arrowprops=curve)
    axes.set(title="(a) states of a port", xlim=(-1.6, 5.2), ylim=(-1.8, 1.7), aspect="equal")
    axes.set_axis_off()
