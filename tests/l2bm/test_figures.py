"""The redrawn figure of L2BM: its data, not its pixels."""

from itertools import pairwise

from validation.l2bm.figures import fig02, fig04, fig07


def test_figure_7_shows_table_ii_and_who_has_the_fewest_pause_frames() -> None:
    found = fig07.data()
    assert found.fewest == (("DT2",), ("L2BM",), ("L2BM",), ("L2BM",), ("L2BM",))
    lines = fig07.draw(found).axes[0].lines
    assert [line.get_label() for line in lines] == ["ABM", "DT", "DT2", "L2BM", "here: no pause frame"]
    assert list(lines[1].get_ydata()) == [1548, 2597, 7316, 9083, 10775]
    assert ("DT2 at load 0.8", "about 500", "418") in fig07.published(found)


def test_figure_2_loses_nothing_lossless_and_resumes_below_the_second_threshold() -> None:
    shown = fig02.data()
    assert shown.lost == {"lossless": 0, "lossy": 12}
    for before, slot in pairwise(shown.slots):
        assert slot.headroom == 0 or slot.paused
        if before.paused and not slot.paused:
            assert slot.lossless <= slot.threshold - fig02.BELOW
        assert slot.lossless - slot.headroom <= max(slot.threshold, before.lossless)
    assert max(slot.headroom for slot in shown.slots) == 5
    assert len(fig02.draw(shown).axes[0].lines) == 4


def test_figure_4_has_equal_queues_that_empty_at_different_times_and_l2bm_tells_them_apart() -> None:
    shown = fig04.data()
    assert shown.empty == (6, 18)
    dt, l2bm = ([shown.moments[name][queue][0].threshold for queue in (0, 1)] for name in ("DT", "L2BM"))
    assert dt[0] - dt[1] == fig04.ALPHA  # between the two arrivals of an instant one packet has been admitted
    assert l2bm[0] > 2 * l2bm[1]
    assert all(moment.decision == "enqueue" for moments in shown.moments.values() for moment in moments[1])
    assert [len(axes.lines) for axes in fig04.draw(shown).axes] == [2, 2, 4]
