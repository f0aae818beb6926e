"""Bursts of one rate meet steady ports: (a) the steady queues follow the threshold, (b) it outruns them.

The rings are Theorem 1's times and thresholds; the lines are the exact fluid engine's. In (b) threshold and bursts rise
again after the first drop, until the steady queues have come down to them.

Claims: edt.fig3a, edt.fig3b, edt.thm1, edt.eq2, edt.eq4, edt.eq6, edt.eq8.
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.plot.style import Figure
from dtmodel.theory.dt import formulas

from .threshold_panels import Mark, Panel, draw_panels, panel

ALPHA, M, N = Fraction(1), 2, 2
SLOW, FAST = Fraction(2), Fraction(8)
BURSTS, STEADY = r"$Q_1, \dots, Q_M$", r"$Q_{M+1}, \dots, Q_{M+N}$"


@dataclass(frozen=True)
class FigureData:
    """Panels a and b."""

    panels: tuple[Panel, ...]


def data() -> FigureData:
    """Compute the trajectories of two bursts beside two steady ports, in both cases."""
    one = Fraction(1)
    slow = formulas.slow_drop_time(ALPHA, one, M, N, SLOW - 1), formulas.slow_threshold(ALPHA, one, M, N)
    fast = (
        formulas.fast_drop_time(ALPHA, one, one, M, N, FAST - 1),
        formulas.fast_threshold(ALPHA, one, one, M, N, FAST - 1),
    )
    labels = {BURSTS: range(M), STEADY: range(M, M + N)}
    resting = all_rest_from(fast[0])
    return FigureData(
        (
            panel(r"(a) $R \leq C(1 + \frac{1 + \alpha N}{\alpha M})$", ALPHA, labels, [SLOW] * M, steady=N,
                  until=Fraction(8, 5) * slow[0], marks=[Mark("$t_1$", *slow)]),
            panel(r"(b) $R > C(1 + \frac{1 + \alpha N}{\alpha M})$", ALPHA, labels, [FAST] * M, steady=N,
                  until=Fraction(5, 4) * resting, marks=[Mark("$t_2$", *fast)]),
        )
    )  # fmt: skip


def all_rest_from(meeting: Fraction) -> Fraction:
    """Return when the steady queues, draining at C, have come down to their share of all M + N ports."""
    start = formulas.threshold(ALPHA, formulas.initial_free(ALPHA, Fraction(1), N))
    share = formulas.slow_threshold(ALPHA, Fraction(1), M, N)
    return max(meeting, Fraction(start - share))


def draw(shown: FigureData) -> Figure:
    """Draw the figure."""
    return draw_panels(shown.panels, r"Theorem 1: two bursts, two steady ports, $\alpha = 1$")


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Compare Theorem 1 with the engine: when the bursts meet the threshold, and how long they are then."""
    rows = []
    for case, drawn, equations in zip("ab", shown.panels, (("(2)", "(4)"), ("(6)", "(8)")), strict=True):
        (mark,), time = drawn.marks, drawn.meeting(BURSTS)
        rows.append((f"({case}) bursts meet the threshold: {equations[0]} (B/C)", str(mark.time), str(time)))
        rows.append(
            (f"({case}) their length then: {equations[1]} (B)", str(mark.length), str(drawn.curve(BURSTS).at(time)))
        )
    return rows
