"""The redrawn figures of the LossPass paper: their data, and the published numbers beside them."""

from fractions import Fraction
from itertools import pairwise

from validation.losspass.figures import fig01, fig05, fig08, fig11, fig_timeout
from validation.losspass.figures.open_loop import RESPONSE, SERVERS, arrivals, losses
from validation.losspass.figures.tradeoff import losspass_point, point


def test_figure_1_shows_line_rate_from_40_packets_on_and_quotes_the_text() -> None:
    data = fig01.data()
    halved = data.curves["ECN* (cut 1/2)"]
    assert [p.K for p in halved if p.throughput < 1] == list(range(40))
    assert all(a.burst - b.burst == 1500 for a, b in pairwise(halved))
    rows = fig01.published(data)
    assert rows[0][1:] == ("607", "855")
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


def test_open_loop_arrivals_are_whole_queries_at_the_share_that_is_said() -> None:
    slots = list(arrivals(0.8, 6000))
    assert slots == list(arrivals(0.8, 6000))
    small, large = (sum(column) for column in zip(*slots, strict=True))
    assert small % (SERVERS * RESPONSE) == 0
    assert abs(small / 6000 - 0.23 * 0.8) < 0.01
    assert abs(large / 6000 - 0.77 * 0.8) < 0.02


def test_figures_8_and_11_count_each_lost_packet_once_and_draw_both_classes() -> None:
    runs = {reading: losses(reading, 0.9, slots=900) for reading in ("droptail", "droptail-2q", "intended")}
    queues, losspass = runs["droptail-2q"], runs["intended"]
    assert runs["droptail"] == queues
    assert losspass.lost["small"] < queues.lost["small"]
    assert sum(losspass.lost.values()) == sum(queues.lost.values()) > 0
    assert losses("intended", 0.9, 85, slots=900) == queues  # a reserve of the whole port
    points = (losspass,) * len(fig11.LOADS)
    shown = fig11.FigureData({"Droptail": points, "Droptail-2Q": points, "LossPass": points})
    panels = {axes.get_title(): axes.get_legend().get_texts() for axes in fig11.draw(shown).axes}
    assert [text.get_text() for text in panels["small flows"]][1::2] == [
        "published, Droptail-2Q: 0.16 to 0.22 %",
        "published, LossPass: 0.09 to 0.10 %",
    ]
    assert [text.get_text() for text in panels["large flows"]][1::2] == [
        "published, Droptail-2Q: 0.20 %",
        "published, LossPass: 0.64 %",
    ]
    small, large = (f"{losspass.percent(kind):.2f}" for kind in ("small", "large"))
    assert [row[1:] for row in fig11.published(shown)][1:3] == [
        ("0.09 to 0.10", f"{small} to {small}"),
        ("0.20", large),
    ]
    assert [row[2] for row in fig11.published(shown)][-2:] == ["the same losses", "equally many"]
    bursts = (Fraction(128_000),) * 5 + (Fraction(60_500),)
    by_alpha = fig08.FigureData((losspass,) * 6, queues, bursts, bursts, Fraction(57_500))
    assert [row[2] for row in fig08.published(by_alpha)][2:] == ["60.5", "57.5"]
    assert len(fig08.draw(by_alpha).axes) == 2


def test_a_timeout_lengthens_small_flows_most() -> None:
    data = fig_timeout.data()
    assert all(a > b > 1 for factors in data.factors.values() for a, b in pairwise(factors))
    assert [row[2] for row in fig_timeout.published(data)][:2] == ["18.2 times as long", "1.12 times as long"]
    assert fig_timeout.draw(data).axes[0].get_xscale() == "log"
