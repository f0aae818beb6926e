"""Panels of queue lengths and threshold over time: what Figures 2, 3 and 4 of the DT/EDT paper show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dtmodel import DT, Arrivals, Switch, simulate
from dtmodel.plot.style import PALETTE, Figure

THRESHOLD = "threshold T"


@dataclass(frozen=True)
class Curve:
    """A piecewise-linear trajectory: its corners, times in B/C and lengths in B."""

    label: str
    times: tuple[Fraction, ...]
    lengths: tuple[Fraction, ...]

    def at(self, time: Fraction) -> Fraction:
        """The length at a corner."""
        return self.lengths[self.times.index(time)]


@dataclass(frozen=True)
class Mark:
    """A point that a theorem gives: when, and at which length."""

    label: str
    time: Fraction
    length: Fraction


@dataclass(frozen=True)
class Panel:
    """One panel: the exact engine's trajectories, and the theorem's points."""

    title: str
    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...]

    def curve(self, label: str) -> Curve:
        """Return the curve with this label."""
        return next(curve for curve in self.curves if curve.label == label)

    def meeting(self, label: str) -> Fraction:
        """Return when a curve first reaches the threshold: a corner of both."""
        pairs = zip(self.curve(label).times, self.curve(label).lengths, self.curve(THRESHOLD).lengths, strict=True)
        return next(time for time, length, threshold in pairs if length >= threshold)


def panel(
    title: str,
    alpha: Fraction,
    labels: Mapping[str, Sequence[int]],
    rates: Sequence[Fraction],
    *,
    steady: int,
    until: Fraction,
    marks: Sequence[Mark] = (),
) -> Panel:
    """Run DT with B = C = 1: bursts of the given rates from 0 on, then `steady` ports in steady state.

    `labels` names the curves to show, and the ports that each stands for; those must move alike.
    """
    ports = len(rates) + steady
    arrivals = {port: Arrivals.constant(rate) for port, rate in enumerate(rates)}
    arrivals |= {len(rates) + port: Arrivals.constant(2) for port in range(steady)}
    initial = {len(rates) + port: "steady" for port in range(steady)}
    run = simulate(Switch(ports, 1, 1), DT(alpha), arrivals, initial=initial, until=until)
    times = sorted({*run.free.times, *(t for queue in run.queues for t in queue.breakpoints)})
    curves = [Curve(THRESHOLD, tuple(times), tuple(alpha * run.free.at(t) for t in times))]
    for label, members in labels.items():
        (lengths,) = {tuple(run.queue(port).at(t) for t in times) for port in members}
        curves.append(Curve(label, tuple(times), lengths))
    return Panel(title, tuple(curves), tuple(marks))


def draw_panels(panels: Sequence[Panel], title: str) -> Figure:
    """Draw the panels side by side: the threshold dotted, a line of its own kind for each queue, rings at points."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.2 * len(panels), 4.2), layout="constrained")
    figure.suptitle(title)
    for axes, shown in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        for number, curve in enumerate(shown.curves):
            style = {"color": "0.25", "ls": ":", "lw": 2.5, "zorder": 3} if curve.label == THRESHOLD else {"lw": 2.0}
            color = {} if curve.label == THRESHOLD else {"color": PALETTE[(number - 1) % len(PALETTE)]}
            axes.plot([*map(float, curve.times)], [*map(float, curve.lengths)], label=curve.label, **style, **color)
        for mark in shown.marks:
            at = float(mark.time), float(mark.length)
            said = "the theorem's points" if mark is shown.marks[0] else None
            axes.plot(*at, "o", ms=9, mfc="none", mec="black", zorder=4, label=said)
            axes.annotate(mark.label, at, xytext=(6, 9), textcoords="offset points")
        axes.set(title=shown.title, xlabel="time (B/C)", ylabel="length (B)")
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, loc="upper right")
    return figure
