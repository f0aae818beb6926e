"""Servers answer a query: (a) when each does, (b) the rate at the port, which rises and falls, (c) what DT makes of it.

Five servers answer at the rate of the port, one after the other, beside one steady port; alpha = 1, B = 6, C = 1, times
in s. Above the bound C (1 + (1 + alpha N) / (alpha M)) = 3 C the threshold outruns the steady queue, from d_1 to d_2.
The ring in (c) is Theorem 4's t_2; the lines are the exact fluid engine's.

Claims: edt.fig5.shape, edt.eq42, edt.eq43.t2, edt.eq47, edt.thm4.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from dtmodel import DT, Arrivals, Switch, simulate
from dtmodel.plot.style import PALETTE, Figure
from dtmodel.theory.edt import varying_formulas as formulas
from dtmodel.theory.edt.varying_rates import Shared, arrived, theorem4_roots

F = Fraction
ALPHA, B, C, M, N = F(1), F(6), F(1), 1, 1
ANSWERS = tuple((F(k, 4), F(k, 4) + F(3, 2)) for k in range(5))
"""When each server begins and ends its answer."""
Points = list[tuple[Fraction, Fraction]]


@dataclass(frozen=True)
class FigureData:
    """The rate as steps (time, rate), the bound, d_1 to d_3, the curves; first drop and free buffer, in both ways."""

    rate: Points
    bound: Fraction
    phases: tuple[Fraction, Fraction, Fraction]
    curves: dict[str, Points]
    theorem: tuple[Fraction, Fraction]
    engine: tuple[Fraction | None, Fraction | None]


def total_rate() -> Points:
    """Add up the answers: each brings the port's rate while it lasts."""
    times = sorted({time for answer in ANSWERS for time in answer})
    return [(t, C * sum(begin <= t < end for begin, end in ANSWERS)) for t in times]


def data() -> FigureData:
    """Run the answers beside a steady port, and solve (43) for t_2."""
    rate = total_rate()
    bound = C * (1 + (1 + ALPHA * N) / (ALPHA * M))
    fast = [(begin, end) for (begin, r), (end, _) in pairwise(rate) if r > bound]
    d1, d2, d3 = fast[0][0], fast[-1][1], rate[-1][0]
    steady = {1: "steady"}
    arrivals = {0: Arrivals(rate), 1: Arrivals.constant(2 * C)}
    run = simulate(Switch(2, B, C), DT(ALPHA), arrivals, until=d3, initial=steady)
    times = sorted({*run.queue(0).breakpoints, *run.queue(1).breakpoints, *run.free.times})
    curves = {
        "burst": [(t, run.queue(0).at(t)) for t in times],
        "steady port": [(t, run.queue(1).at(t)) for t in times],
        "threshold": [(t, ALPHA * run.free.at(t)) for t in times],
    }
    t2 = next(t for t in theorem4_roots(Shared(ALPHA, B, C, N), M, rate, d1, d3).t2 if t > d1)
    free = formulas.free_when_left_behind(ALPHA, B, C, M, N, arrived(rate, t2), arrived(rate, d1), d1, t2)
    return FigureData(rate, bound, (d1, d2, d3), curves, (t2, free), (run.first_drop(0), run.free_at_first_drop(0)))


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Compare Theorem 4 with the engine, and the shape with the text."""
    rates = [rate for _, rate in shown.rate]
    peak = rates.index(max(rates))
    rises = rates == sorted(rates[: peak + 1]) + sorted(rates[peak + 1 :], reverse=True)
    return [
        ("R(t)", "increases, then decreases", "increases, then decreases" if rises else "turns more often"),
        ("first drop: t_2 of (43), and the engine (s)", str(shown.theorem[0]), str(shown.engine[0])),
        ("free buffer then: (47), and the engine (bytes)", str(shown.theorem[1]), str(shown.engine[1])),
    ]


def draw(shown: FigureData) -> Figure:
    """Draw the answers as bars, the rate as steps, the queues as lines."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 7), layout="constrained")
    bars, rate, queues = figure.subplots(3, 1, sharex=True, height_ratios=(1, 1.2, 1.8))
    for server, (begin, end) in enumerate(ANSWERS, 1):
        bars.barh(server, float(end - begin), left=float(begin), height=0.6, color=PALETTE[5], ec="black")
    bars.set(title="(a) answers", ylabel="server", yticks=range(1, len(ANSWERS) + 1))
    rate.step(*_floats(shown.rate), where="post", color=PALETTE[0], lw=2, label="R(t)")
    rate.axhline(float(shown.bound), color=PALETTE[1], ls="--", label=r"$C(1 + \frac{1 + \alpha N}{\alpha M})$")
    rate.set(title="(b) rate at the port", ylabel="R(t) (C)", ylim=(0, None))
    for number, (label, points) in enumerate(shown.curves.items()):
        style = {"color": ("0.25" if label == "threshold" else PALETTE[number]), "ls": ("-", "--", ":")[number]}
        queues.plot(*_floats(points), lw=2, label=label, **style)
    drop = shown.theorem[0]
    length = next(length for time, length in shown.curves["burst"] if time == drop)
    queues.plot(float(drop), float(length), "o", ms=9, mfc="none", mec="black", label="$t_2$, Theorem 4")
    queues.set(title="(c) queues under DT", xlabel="time (s)", ylabel="length (bytes)", ylim=(0, None), xlim=(0, None))
    for axes in (rate, queues):
        for label, time in zip(("$d_1$", "$d_2$", "$d_3$"), shown.phases, strict=True):
            axes.axvline(float(time), color="0.7", lw=0.8, zorder=0)
            axes.annotate(label, (float(time), 0.04), xycoords=("data", "axes fraction"), xytext=(3, 0),
                          textcoords="offset points")  # fmt: skip
        axes.legend(frameon=False, fontsize="small", loc="upper right")
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
    figure.align_ylabels()
    return figure


def _floats(points: Points) -> tuple[list[float], list[float]]:
    return [float(time) for time, _ in points], [float(value) for _, value in points]
