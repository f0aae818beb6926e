"""What Figures 2, 3 and 4 show, checked on the trajectories that the scripts draw."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from dtmodel.ledger import Agrees, Outcome, check, evidence

from . import fig02, fig03, fig04
from .dt_pictures import THRESHOLD, Curve, Panel


def slopes(curve: Curve) -> list[Fraction]:
    """Return the slopes between the corners, with equal neighbours merged."""
    corners = list(zip(curve.times, curve.lengths, strict=True))
    steps = [(y - x) / (t - s) for (s, x), (t, y) in pairwise(corners)]
    return [step for i, step in enumerate(steps) if i == 0 or step != steps[i - 1]]


def meets(shown: Panel, label: str) -> Fraction:
    """Return the first corner at which a curve that starts below the threshold reaches it."""
    threshold, curve = shown.curve(THRESHOLD), shown.curve(label)
    return next(t for t in curve.times if curve.at(t) >= threshold.at(t))


@evidence("edt.fig2", form="printed", strength="exact")
def figure_2_has_its_quoted_numbers() -> Outcome:
    """Both lines are straight until 2 B / 3 and flat after it; the quoted numbers."""
    shown = fig02.data()
    for quantity, quoted, computed in fig02.published(shown):
        check(Fraction(quoted) == Fraction(computed), f"{quantity}: {computed} instead of {quoted}")
    for curve in shown.panels[0].curves:
        check(len(slopes(curve)) == 2 and slopes(curve)[1] == 0, f"{curve.label} is not straight and then flat")
    (mark,) = shown.panels[0].marks
    check(meets(shown.panels[0], fig02.QUEUE) == mark.time, "they do not meet at the ring")
    return Agrees(2, "the two trajectories of the figure")


@evidence("edt.fig3a", form="printed", strength="exact")
def figure_3a_falls_together_and_rests() -> Outcome:
    """Steady queues and threshold are one line; all meet at t_1; then nothing moves."""
    shown = fig03.data().panels[0]
    threshold, bursts, steady = (shown.curve(label) for label in (THRESHOLD, fig03.BURSTS, fig03.STEADY))
    (mark,) = shown.marks
    check(steady.lengths == threshold.lengths, "the steady queues leave the threshold")
    check(
        meets(shown, fig03.BURSTS) == mark.time and bursts.at(mark.time) == mark.length, "they do not meet at the ring"
    )
    check(slopes(threshold)[0] < 0 < slopes(bursts)[0], "the threshold does not fall, or the bursts do not grow")
    check(slopes(threshold)[1:] == [0] == slopes(bursts)[1:], "something moves after t_1")
    return Agrees(3, "the three trajectories of the panel")


@evidence("edt.fig3b", form="printed", strength="exact")
def figure_3b_undershoots_and_comes_back() -> Outcome:
    """The threshold falls faster than C, rises with the bursts after t_2, and all meet the falling steady queues."""
    shown = fig03.data().panels[1]
    threshold, bursts, steady = (shown.curve(label) for label in (THRESHOLD, fig03.BURSTS, fig03.STEADY))
    (mark,) = shown.marks
    check(meets(shown, fig03.BURSTS) == mark.time, "they do not meet at the ring")
    check(steady.at(mark.time) > threshold.at(mark.time), "the steady queues are not above the threshold at t_2")
    fall, rise, rest = slopes(threshold)
    check(fall < -1 and rise > 0 and rest == 0, "the threshold does not fall faster than C, rise and rest")
    check(slopes(bursts)[1:] == [rise, rest], "the bursts do not rise with the threshold")
    check(slopes(steady) == [-1, 0], "the steady queues do not drain at C until all rest")
    check(steady.lengths[-1] == threshold.lengths[-1] == bursts.lengths[-1], "they do not end together")
    return Agrees(3, "the three trajectories of the panel")


@evidence("edt.fig4", form="printed", strength="exact")
def figure_4_flattens_at_each_meeting() -> Outcome:
    """Each queue meets the threshold at its ring; after each the threshold falls more slowly, to rest at the end."""
    shown = fig04.data().panels[0]
    threshold = shown.curve(THRESHOLD)
    for k, mark in enumerate(shown.marks, 1):
        queue = shown.curve(f"$Q_{k}$")
        check(meets(shown, queue.label) == mark.time, f"queue {k} does not meet the threshold at its ring")
        later = [t for t in queue.times if t >= mark.time]
        check(all(queue.at(t) == threshold.at(t) for t in later), f"queue {k} leaves the threshold")
    falls = slopes(threshold)
    check(falls == sorted(falls) and falls[-1] == 0 and len(falls) == 4, "the threshold does not flatten to rest")
    check(shown.curve("$Q_4$ (steady)").lengths == threshold.lengths, "the steady queue leaves the threshold")
    return Agrees(5, "the five trajectories of the figure")
