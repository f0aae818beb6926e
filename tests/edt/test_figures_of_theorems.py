"""Figures 2, 3 and 4: the scripts compute what they show, draw it, and quote the published numbers."""

from fractions import Fraction

from validation.edt.figures import fig02, fig03, fig04
from validation.edt.figures.threshold_panels import THRESHOLD


def test_figure_2_quotes_the_published_numbers() -> None:
    assert all(Fraction(published) == Fraction(computed) for _, published, computed in fig02.published(fig02.data()))


def test_figure_4_shows_the_number_of_bursts_of_its_caption() -> None:
    assert fig04.published(fig04.data()) == [("M", "3", "3")]


def test_the_figures_draw_every_curve_and_ring() -> None:
    for script, panels in ((fig02, 1), (fig03, 2), (fig04, 1)):
        data = script.data()
        axes = script.draw(data).axes
        assert len(axes) == len(data.panels) == panels
        for drawn, shown in zip(axes, data.panels, strict=True):
            assert len(drawn.lines) == len(shown.curves) + len(shown.marks)
            assert drawn.get_xlabel() == "time (B/C)"


def test_rings_lie_on_the_threshold() -> None:
    for script in (fig02, fig03, fig04):
        for panel in script.data().panels:
            for mark in panel.marks:
                assert panel.curve(THRESHOLD).at(mark.time) == mark.length
