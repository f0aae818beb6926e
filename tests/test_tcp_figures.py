"""Pictures of experiments with senders that react."""

import pytest

from dtmodel.companion.figures import paths, redraw
from validation.support.tcp_figures import Spread, numbers_of

FIGURES = sorted(name for name in paths() if name.endswith("_tcp") and name != "edt.fig22_tcp")


def test_a_spread_has_the_medians_of_readings_between_those_of_seeds() -> None:
    assert Spread.of([[3, 1, None, 2], [7, 6, 5], [None]]) == Spread(low=1, least=2, middle=4, most=6, high=7)


def test_published_numbers_are_printed_as_in_the_rule() -> None:
    assert [numbers_of(rule) for rule in ({"published": 0.14}, {"published": [2.1, 6.6]}, {})] == [
        "0.14", "2.1, 6.6", "a comparison",
    ]  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_over_tcp_has_ordered_ranges_and_the_claims_that_its_experiment_decides(name: str) -> None:
    drawn = redraw(name)
    spreads = [each for panel in drawn.data.panels for curve in panel.curves.values() for each in curve]
    assert len(spreads) > 1
    assert all(each.low <= each.least <= each.middle <= each.most <= each.high for each in spreads)
    assert drawn.rows
    assert all(computed.startswith("in ") for _, _, computed, _ in drawn.rows)
    assert len(drawn.figure.axes) == len(drawn.data.panels)
