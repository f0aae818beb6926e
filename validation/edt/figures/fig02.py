"""One overloaded port, alpha = 2: the threshold falls from 2 B, the queue grows, both rest at 2 B / 3.

The rings are the points of Section 2.3's example; the lines are the exact fluid engine's.

Claims: edt.fig2, edt.eq1, edt.sec2.3.example.meets, edt.sec2.3.example.reserved.
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.plot.style import Figure
from dtmodel.theory.dt import formulas

from .threshold_panels import THRESHOLD, Mark, Panel, draw_panels, panel

ALPHA, RATE = Fraction(2), Fraction(2)
QUEUE = "queue $Q_k$"


@dataclass(frozen=True)
class FigureData:
    """The panel, and what stays free at the end (in B)."""

    panels: tuple[Panel, ...]
    free: Fraction


def data() -> FigureData:
    """Compute the trajectories, and where Theorem 1 with M = 1, N = 0 has them meet."""
    one = Fraction(1)
    time = formulas.fast_drop_time(ALPHA, one, one, 1, 0, RATE - 1)
    meeting = Mark("$2B/3$", time, formulas.fast_threshold(ALPHA, one, one, 1, 0, RATE - 1))
    shown = panel("", ALPHA, {QUEUE: [0]}, [RATE], steady=0, until=2 * time, marks=[meeting])
    end = shown.curve(THRESHOLD).times[-1]
    return FigureData((shown,), shown.curve(THRESHOLD).at(end) / ALPHA)


def draw(shown: FigureData) -> Figure:
    """Draw the figure."""
    return draw_panels(shown.panels, r"Queue and threshold of one overloaded port, $\alpha = 2$")


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Return the numbers that Section 2.3 quotes, in B."""
    threshold, queue = (shown.panels[0].curve(label) for label in (THRESHOLD, QUEUE))
    return [
        ("T(0)", "2", str(threshold.at(Fraction(0)))),
        ("queue and threshold at rest", "2/3", str(queue.lengths[-1])),
        ("reserved buffer", "1/3", str(shown.free)),
    ]
