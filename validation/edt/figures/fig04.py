"""Three bursts of different rates beside a steady port, slow in sum: the queues meet the threshold one after the other.

The rings are Theorem 2's t_k; the lines are the exact fluid engine's. The caption of the published figure says M = 3,
the text that refers to it M = 4.

Claims: edt.fig4, edt.fig4.caption, edt.sec3.2.fig4, edt.thm2, edt.eq14.t.
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.plot.style import Figure
from dtmodel.theory.dt import formulas

from .threshold_panels import Mark, Panel, draw_panels, panel

ALPHA, N = Fraction(1), 1
RATES = (Fraction(2), Fraction(8, 5), Fraction(13, 10))


@dataclass(frozen=True)
class FigureData:
    """The panel, and Theorem 2's drop times (in B/C)."""

    panels: tuple[Panel, ...]
    times: tuple[Fraction, ...]


def data() -> FigureData:
    """Compute the trajectories, and Theorem 2's points without recursion."""
    growths = [rate - 1 for rate in RATES]
    marks = []
    for k, growth in enumerate(growths, 1):
        time = formulas.follow_drop_time(ALPHA, Fraction(1), N + k - 1, growth, sum(growths[k - 1 :]))
        marks.append(Mark(f"$t_{k}$", time, growth * time))
    labels = {f"$Q_{k}$": [k - 1] for k in range(1, len(RATES) + 1)}
    labels["$Q_4$ (steady)"] = [len(RATES)]
    until = Fraction(6, 5) * marks[-1].time
    shown = panel("", ALPHA, labels, RATES, steady=N, until=until, marks=marks)
    return FigureData((shown,), tuple(mark.time for mark in marks))


def draw(shown: FigureData) -> Figure:
    """Draw the figure."""
    return draw_panels(shown.panels, r"Theorem 2: three bursts, one steady port, $\alpha = 1$")


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Compare M with the caption, and Theorem 2's times with the engine."""
    (panel_,) = shown.panels
    rows = [("M", "3", str(len(shown.times)))]
    for k, time in enumerate(shown.times, 1):
        rows.append((f"queue {k} meets the threshold: Theorem 2 (B/C)", str(time), str(panel_.meeting(f"$Q_{k}$"))))
    return rows
