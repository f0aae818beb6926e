"""The open-loop counterparts of Figures 5 and 11: their data and their pictures."""

from math import isclose

import pytest

from validation.dynaq.figures import fig01, fig03, fig04, fig05, fig06, fig11


@pytest.fixture(scope="module")
def sharing():
    return fig05.data()


def test_the_link_is_shared_by_whoever_is_active_and_never_idle(sharing):
    for name in fig05.SHOWN:
        assert len(sharing.rows[name]) == len(fig05.ENDS)
        assert all(0.98 <= sum(row) <= 1.02 for row in sharing.rows[name]), name


def test_pql_and_dynaq_share_equally_and_best_effort_does_not(sharing):
    for name in ("PQL", "DynaQ", "DynaQ, recheck"):
        assert all(isclose(x, 0.25, abs_tol=0.03) for x in sharing.rows[name][1])
    assert sharing.rows["BestEffort"][1][0] < 0.1
    assert sharing.rows["BestEffort"][1][3] > 0.4


def test_the_picture_of_figure_5_has_a_panel_for_each_scheme(sharing):
    figure = fig05.draw(sharing)
    assert [axes.get_title() for axes in figure.axes] == list(fig05.SHOWN)
    assert [len(axes.lines) for axes in figure.axes] == [5, 5, 4, 4]  # the thick ones are published
    assert len(fig05.published(sharing)) == 2


def test_the_fairness_of_figure_11_is_1_for_pql_and_worse_for_best_effort():
    shown = fig11.data()
    assert min(shown.index["PQL"]) > 0.99
    assert min(shown.index["BestEffort"]) < 0.9
    assert all(1 / 8 <= index <= 1 for row in shown.index.values() for index in row)
    assert all(total == pytest.approx(1, abs=0.02) for row in shown.total.values() for total in row)
    left, right = fig11.draw(shown).axes
    assert [len(axes.lines) for axes in (left, right)] == [5, 5]  # and what the text quotes
    assert [[*line[-1].get_ydata()] for line in (left.lines, right.lines)] == [[0.67], [0.85, 0.85]]
    assert [row[1:] for row in fig11.published(shown)] == [("0.67", "0.72"), ("near 1", "0.87"), ("0.85", "1.00")]


def test_figure_6_shares_by_weight_where_room_is_kept_and_by_arrivals_where_not():
    shown = fig06.data()
    assert [row[2] for row in fig06.published(shown)] == ["0.57", *["0.40, 0.30, 0.20, 0.10"] * 2]
    assert all(sum(fig06.shares(shown, name)) == pytest.approx(1) for name in shown.rows)
    assert [axes.get_title() for axes in fig06.draw(shown).axes] == list(shown.rows)


def test_figure_1_starves_queue_1_of_its_share_and_of_room():
    shown = fig01.data()
    assert [row[2] for row in fig01.published(shown)] == ["0.25", "0.8", "84.1"]
    assert all(sum(row) <= 56 for row in shown.lengths.lengths)
    assert [len(axes.lines) for axes in fig01.draw(shown).axes] == [3, 3]


def test_figures_3_and_4_share_by_turns_where_room_is_kept():
    series = fig03.data()
    assert [row[2] for row in fig03.published(series)] == ["0.12", "0.50", "0.50", "0.50"]
    assert [axes.get_title() for axes in fig03.draw(series).axes] == list(fig03.SHOWN)
    shown = fig04.data()
    assert [row[2] for row in fig04.published(shown)] == ["0, 85", "21.25", "no", "60, 25"]
    assert len(set(shown["DynaQ"].limits)) > 1
    assert set(shown["PQL"].limits) == {(14.0, 14.0)}
    assert all(sum(limits) <= 56 for limits in shown["DynaQ"].limits)
    assert all(len(axes.lines) == 4 for axes in fig04.draw(shown).axes)
