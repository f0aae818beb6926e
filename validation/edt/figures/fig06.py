"""Rates that rise and fall: (a) the bursts meet the threshold first, (b) the steady queue does, and the bursts later.

One burst beside one steady port with B = 6, C = 1 and alpha = 1: slow until d_1, fast until d_2, slow again. The
upright lines are the meetings of Theorem 4: t_2 in (a); t_0 and t_1 in (b). The curves are the exact fluid engine's.

Claims: edt.eq43.t1, edt.eq43.t2, edt.thm4.
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel import DT, Arrivals, Switch, simulate
from dtmodel.plot.style import Figure
from dtmodel.theory.edt.varying_rates import Shared, theorem4_roots

from .burst_panels import axes_of, panels

F = Fraction
RATES = {
    "(a) case A": [(F(0), F(1)), (F(1), F(5)), (F(5, 4), F(3))],
    "(b) case B": [(F(0), F(1)), (F(1), F(5)), (F(5, 4), F(2))],
}


@dataclass(frozen=True)
class FigureData:
    """For each case: the times, the queues of burst and steady port, the threshold, and the marked times."""

    times: dict[str, list[Fraction]]
    curves: dict[str, dict[str, list[Fraction]]]
    marks: dict[str, dict[str, Fraction]]


def data() -> FigureData:
    """Run both rates, and find t_2, t_0 and t_1."""
    times, curves, marks = {}, {}, {}
    for name, rate in RATES.items():
        run = simulate(
            Switch(2, 6, 1), DT(1), {0: Arrivals(rate), 1: Arrivals.constant(2)}, until=3, initial={1: "steady"}
        )
        at = sorted({*run.queue(0).breakpoints, *run.queue(1).breakpoints})
        roots = theorem4_roots(Shared(F(1), F(6), F(1), 1), 1, rate, F(1), F(3))
        times[name] = at
        curves[name] = {
            "burst": [run.queue(0).at(t) for t in at],
            "steady port": [run.queue(1).at(t) for t in at],
            "threshold": [run.free.at(t) for t in at],
        }
        marks[name] = {"$t_2$": roots.t2[-1]} if name == "(a) case A" else {"$t_0$": F(7, 4), "$t_1$": roots.t1[-1]}
    return FigureData(times, curves, marks)


def published(data: FigureData) -> list[tuple[str, object, object]]:
    """Compare the order of the meetings with the figure's."""
    first = data.marks["(a) case A"]["$t_2$"]
    t0, t1 = data.marks["(b) case B"].values()
    return [
        ("case A: the bursts meet the threshold at", "t_2", first),
        ("case B: t_0 comes before t_1", "t_0 < t_1", t0 < t1),
    ]


def draw(data: FigureData) -> Figure:
    """Draw both cases."""
    figure, axes = panels(2, "Theorem 4: who meets the threshold first")
    for each, name in zip(axes, data.times, strict=True):
        times = [float(t) for t in data.times[name]]
        for style, (label, lengths) in zip(("-", "--", "k:"), data.curves[name].items(), strict=True):
            each.plot(times, [float(q) for q in lengths], style, lw=2, label=label)
        for label, time in data.marks[name].items():
            each.axvline(float(time), color="0.7", lw=0.8)
            each.annotate(label, (float(time), 0.1), xytext=(3, 0), textcoords="offset points")
        axes_of(each, {"title": name, "xlabel": "time (s)", "ylabel": "length (bytes)"})
    return figure
