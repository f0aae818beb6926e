"""The redrawn figure of L2BM: its data, not its pixels."""

from __future__ import annotations

from validation.l2bm.figures import fig07


def test_figure_7_shows_table_ii_and_who_has_the_fewest_pause_frames() -> None:
    found = fig07.data()
    assert found.fewest == (("DT2",), ("L2BM",), ("L2BM",), ("L2BM",), ("L2BM",))
    lines = fig07.draw(found).axes[0].lines
    assert [line.get_label() for line in lines] == ["ABM", "DT", "DT2", "L2BM"]
    assert list(lines[1].get_ydata()) == [1548, 2597, 7316, 9083, 10775]
    assert ("DT2 at load 0.8", "about 500", "418") in fig07.published(found)
