"""The redrawn figures of the LossPass paper: their data, and the published numbers beside them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from validation.losspass.figures import fig01, fig05
from validation.losspass.figures.tradeoff import losspass_point, point


def test_figure_1_shows_line_rate_from_40_packets_on_and_quotes_the_text() -> None:
    data = fig01.data()
    halved = data.curves["ECN* (cut 1/2)"]
    assert [p.K for p in halved if p.throughput < 1] == list(range(40))
    assert all(a.burst - b.burst == 1500 for a, b in pairwise(halved))
    rows = fig01.published(data)
    assert rows[0][1:] == ("607", "at least 855 (halving)")
    assert rows[-1][2] == "40"
    assert len(fig01.draw(data).axes) == 2


def test_the_models_throughput_exceeds_what_the_text_quotes() -> None:
    data = fig01.data()
    assert all(p.throughput > data.quoted[p.K or 0] for p in data.curves["ECN* (cut 1/2)"] if p.K in data.quoted)


def test_figure_5_puts_losspass_to_the_right_and_above() -> None:
    data = fig05.data()
    assert data.losspass == losspass_point()
    assert data.losspass.burst == 121_600
    assert data.losspass.throughput == 1
    assert [row[2] for row in fig05.published(data)] == ["100 %", "yes"]
    assert fig05.draw(data).axes[0].get_xlabel() == "absorbable burst (KB)"
    assert point(5, Fraction(1, 2)) == data.ecn[0]
