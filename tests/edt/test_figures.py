"""Figures of the DT/EDT paper: the quoted numbers come out of their data, and they can be drawn."""

from fractions import Fraction
from types import ModuleType

import pytest

from validation.edt.figures import (
    fig01a,
    fig02,
    fig03,
    fig04,
    fig05,
    fig06,
    fig07,
    fig10,
    fig11,
    fig12,
    fig13,
    fig14,
    fig15,
    fig16,
    fig22,
    fig22_tcp,
)
from validation.edt.figures.threshold_panels import THRESHOLD

F = Fraction


@pytest.fixture(
    scope="module",
    params=[fig01a, fig05, fig06, fig07, fig10, fig11, fig12, fig13, fig14, fig15, fig16, fig22, fig22_tcp],
    ids=lambda m: m.__name__[-5:],
)
def figure(request: pytest.FixtureRequest) -> tuple[ModuleType, object]:
    return request.param, request.param.data()


def test_head_of_line_blocking_costs_a_slot_and_every_packet_leaves_once() -> None:
    for sent, last in zip(fig01a.data().sent.values(), (7, 6), strict=True):
        assert max(slot for slot, _ in sent) == last
        assert sorted((source, output) for (_, output), source in sent.items()) == sorted(
            (source, output) for source in range(1, 6) for output in (1, source)
        )


def test_the_port_of_figure_7_leaves_and_returns_when_its_conditions_say() -> None:
    shown = fig07.data()
    assert all(published == computed for _, published, computed in fig07.published(shown))
    assert [len(spans) for spans in shown.uncontrolled.values()] == [1, 1, 1, 0]
    assert {name for name, drop in shown.drops.items() if drop} == {"overflow", "timeout of TM2"}


def test_theorem_4_is_the_engine_in_figure_5() -> None:
    shown = fig05.data()
    assert shown.theorem == shown.engine


def test_figures_3_and_4_draw_the_engine_where_the_theorems_say() -> None:
    for script in (fig03, fig04):
        assert all(F(published) == F(computed) for _, published, computed in script.published(script.data()))


EXPECTED: dict[str, dict[str, object]] = {
    "ig01a": {"outputs without a packet in slot 1": "4", "the same, without blocking": "0"},
    "fig05": {
        "R(t)": "increases, then decreases",
        "first drop: t_2 of (43), and the engine (s)": "61/56",
        "free buffer then: (47), and the engine (bytes)": "13/7",
    },
    "fig07": {"returns, overflow: (80) (ms)": "8", "returns, timeout of TM2: TM2 later (ms)": "332/81"},
    "fig10": {"packets that leave one after the other, overloaded": "1", "the same, changing: C1 reaches cn1 =": "3"},
    "fig06": {"case A: the bursts meet the threshold at": F(5, 3), "case B: t_0 comes before t_1": True},
    "fig11": {"t_2 = B / (M (R - C)), in B / C": 1},
    "fig12": {"DT drops packets of the burst": True, "EDT drops none": 0, "EDT drops none, with packets": 0.0},
    "fig13": {
        "DT: least part in use": "50.0 %",
        "EDT: least part in use": "100.0 %",
        "DT: always less with fewer ports": False,
    },
    "fig14": {"DT loses from (ms)": 2, "EDT loses from (ms)": 8, "additional traffic absorbed": "300 %"},
    "fig15": {"Jain's index, DT": 0.9924, "Jain's index, EDT": 0.9977, "Jain's index, EDT, C1 by the letter": 0.8962},
    "fig22": {"DT loses above (KB)": 64, "EDT at 150 KB": "15 % of the bytes are lost"},
    "2_tcp": {"timeouts under DT at 150 KB": "0 % to 17 % over the readings"},
    "fig16": {"index of EDT less that of DT, 80 ms": -0.0167, "port 3 has more by, 500 ms": "4.6 %"},
}


def test_the_numbers_of_the_figure_are_these(figure: tuple[ModuleType, object]) -> None:
    module, data = figure
    found = {quantity: value for quantity, _, value in module.published(data)}
    expected = EXPECTED[module.__name__[-5:]]
    assert {quantity: found[quantity] for quantity in expected} == expected


def test_the_figure_has_a_caption_and_curves(figure: tuple[ModuleType, object]) -> None:
    module, data = figure
    assert module.__doc__
    drawn = module.draw(data)
    labelled = [axes for axes in drawn.axes if axes.get_xlabel()]
    assert labelled[-1] is drawn.axes[-1]
    assert all(axes.lines or axes.patches for axes in drawn.axes)


def test_figure_15_in_the_fluid_is_the_published_one() -> None:
    exact = fig15.data().fluid
    assert round(float(exact["dt"]), 3) == 0.992
    assert round(float(exact["edt"]), 3) == 0.998


def test_figure_2_quotes_the_published_numbers() -> None:
    assert all(F(published) == F(computed) for _, published, computed in fig02.published(fig02.data()))


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
