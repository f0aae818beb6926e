"""Pictures of fluid runs: what is drawn is what the run says, and it can be read with two ports and with 4,096."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from math import isclose, isnan
from typing import Any

import pytest
import xarray
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from dtmodel import DT, EDT, Arrivals, CompleteSharing, InputError, StaticPartition, Switch, compare, figure, simulate
from dtmodel.fluid import Run, run_scenario
from dtmodel.fluid.scenario import Scenario
from dtmodel.fluid.trajectory import Queue
from dtmodel.plot.heatmaps import heat_map
from dtmodel.plot.published import difference, write_below
from dtmodel.plot.runs import length_points, lost_points, threshold_pieces
from dtmodel.plot.style import PALETTE, policy_style
from dtmodel.policies import QueueLimits, SharedPools, Weighted

POLICIES = {
    "dt": DT(1),
    "edt": EDT(1, 12_000, "2.1 ms", "1 ms"),  # TM2 ends before the burst does, twice: four jumps
    "complete": CompleteSharing(),
    "static": StaticPartition(["250 KB", "375 KB", "375 KB"]),
    "weighted": Weighted([1, "1/2", "1/4"]),
    "pools": SharedPools([QueueLimits(1, "50 KB", "300 KB"), QueueLimits("1/2", "50 KB"), QueueLimits(2, 0, "250 KB")]),
}


def burst_beside_steady_ports(
    policy: Any, steady: int = 2, start: Any = "steady", buffer: str = "1 MB"
) -> Run[Fraction]:
    arrivals = {0: Arrivals.burst("2 Gbps", "6 ms")}
    arrivals |= {port: Arrivals.constant("2 Gbps") for port in range(1, steady + 1)}
    initial = dict.fromkeys(range(1, steady + 1), start)
    switch = Switch(ports=steady + 1, buffer=buffer, rate="1 Gbps")
    return simulate(switch, policy, arrivals, initial=initial, until="12 ms")


def run_under(name: str) -> Run[Fraction]:
    return burst_beside_steady_ports(POLICIES[name], start="100 KB" if name == "complete" else "steady")


def drawn(run: Run[Any], gid: str) -> list[Line2D]:
    return [line for line in run.plot().axes[0].lines if line.get_gid() == gid]


def points_of(line: Line2D) -> list[tuple[float, float]]:
    times: Any = line.get_xdata()
    levels: Any = line.get_ydata()
    return [(float(time), float(level)) for time, level in zip(times, levels, strict=True)]


def drawn_pieces(line: Line2D) -> list[list[tuple[float, float]]]:
    """The drawn points in ms and KB, cut where the line has a gap."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for time, level in points_of(line):
        if isnan(time):
            pieces.append([])
        else:
            pieces[-1].append((time, level))
    return pieces


def from_the_left(queue: Queue[Fraction], time: Fraction, events: list[Fraction]) -> Fraction:
    """The limit of the threshold as `time` is approached: its values at two earlier instants, drawn on."""
    step = (time - max(event for event in events if event < time)) / 4
    return 2 * queue.threshold_at(time - step) - queue.threshold_at(time - 2 * step)


def jumps(queue: Queue[Fraction]) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Every instant inside the run at which the threshold jumps, with its limit from the left and its value."""
    end = queue.free.times[-1]
    events = sorted({*queue.free.times, *(begin for begin, _, _ in queue.limits)})
    sides = [(t, from_the_left(queue, t, events), queue.threshold_at(t)) for t in events if 0 < t < end]
    return [(time, left, right) for time, left, right in sides if left != right]


def draws_the_threshold(line: Line2D, queue: Queue[Fraction]) -> bool:
    pieces = drawn_pieces(line)
    sides = jumps(queue)
    if len(pieces) != len(sides) + 1:
        return False
    for (time, left, right), (before, after) in zip(sides, pairwise(pieces), strict=True):
        at = float(time) * 1e3
        if not (close(before[-1], (at, float(left) / 1e3)) and close(after[0], (at, float(right) / 1e3))):
            return False
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for piece in pieces for a, b in pairwise(piece)]
    return bool(middles) and all(
        isclose(level, float(queue.threshold_at(Fraction(time) / 1000)) / 1e3, rel_tol=1e-9) for time, level in middles
    )


def close(point: tuple[float, float], other: tuple[float, float]) -> bool:
    return all(isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(point, other, strict=True))


@pytest.mark.parametrize("name", POLICIES)
def test_a_drawn_threshold_is_the_threshold_on_both_sides_of_every_jump(name: str) -> None:
    run = run_under(name)
    lines = drawn(run, "threshold")
    assert len(lines) >= 1
    for queue in run.queues:
        assert any(draws_the_threshold(line, queue) for line in lines)
    assert all(any(draws_the_threshold(line, queue) for queue in run.queues) for line in lines)


def test_the_threshold_of_a_burst_under_edt_jumps_and_the_one_under_dt_does_not() -> None:
    assert [len(jumps(run_under(name).queue(0))) for name in ("dt", "edt")] == [0, 4]


@pytest.mark.parametrize("name", POLICIES)
def test_a_drawn_length_is_the_length(name: str) -> None:
    run = run_under(name)
    lines = [points_of(line) for line in drawn(run, "length")]
    for queue in run.queues:
        points = [(float(time) * 1e3, float(length) / 1e3) for time, length in length_points(queue)]
        assert any(len(line) == len(points) and all(map(close, line, points)) for line in lines)
        assert all(queue.at(time) == length for time, length in length_points(queue))
        assert {time for time, _ in length_points(queue)} >= set(queue.breakpoints)


def test_pieces_of_a_float_run_are_those_of_the_exact_run() -> None:
    exact = run_under("edt")
    fast = run_scenario(exact.scenario, float)
    for queue, other in zip(exact.queues, fast.queues, strict=True):
        for piece, same in zip(threshold_pieces(queue), threshold_pieces(other), strict=True):
            assert all(close((float(a), float(b)), point) for (a, b), point in zip(piece, same, strict=True))


def test_no_first_drop_is_marked_at_the_start_for_ports_that_were_busy_before() -> None:
    run = burst_beside_steady_ports(DT(1), steady=31)
    assert run.first_drop(1) == 0
    (mark,) = drawn(run, "first drop")
    assert close(points_of(mark)[0], (8 / 33, 1000 / 33))


def test_a_drop_at_the_start_of_a_port_that_was_idle_is_marked() -> None:
    run = simulate(Switch(2, 4, 1), CompleteSharing(), {0: Arrivals.constant(3)}, initial={1: 4}, until=2)
    assert run.first_drop(0) == 0
    assert [points_of(line) for line in drawn(run, "first drop")] == [[(0, 0)]]


def test_a_run_without_a_drop_explains_no_cross() -> None:
    assert explained(run_under("dt")) == ["free buffer", "lost so far", "first drop"]
    idle = simulate(Switch(2, 4, 1), DT(1), {}, until=2)
    assert explained(idle) == ["free buffer"]
    assert len(idle.plot().axes[0].lines) == 0


def explained(run: Run[Fraction]) -> list[str]:
    (legend,) = run.plot().legends
    return [text.get_text() for text in legend.get_texts()]


def test_what_is_hatched_is_what_the_port_has_lost() -> None:
    run = run_under("dt")
    rows = lost_points(run.queue(0))
    assert rows[0][0] == run.first_drop(0)
    assert rows[-1][2] == run.dropped(0)
    assert all(lost == run.queue(0).dropped(time) for time, _, lost in rows)
    assert lost_points(burst_beside_steady_ports(DT(1), steady=0, buffer="10 MB").queue(0)) == []
    _, hatched = run.plot().axes[0].collections
    corners = hatched.get_paths()[0].vertices
    assert max(height for _, height in corners) == pytest.approx(float(rows[-1][1] + rows[-1][2]) / 1e3)


def test_losses_of_several_queues_are_lines_of_their_colours_and_hatch_nothing() -> None:
    arrivals = {port: Arrivals.constant(rate) for port, rate in enumerate((13, 3, 2))}
    run = simulate(Switch(4, 8, 1), DT(1), arrivals, until=24)
    lengths, lost = run.plot().axes
    assert [line.get_color() for line in lost.lines] == list(PALETTE[:3])
    assert [points_of(line)[-1][1] for line in lost.lines] == [float(run.dropped(port)) for port in range(3)]
    assert [area for axes in (lost, lengths) for area in axes.collections if area.get_hatch()] == []


@pytest.mark.parametrize("rate", ["1.01 Gbps", "2 Gbps", "4 Gbps", "20 Gbps", "1 Tbps"])
@pytest.mark.parametrize("name", ["dt", "edt", "complete", "counts"])
def test_no_axes_cut_off_what_a_port_has_lost(rate: str, name: str) -> None:
    queues = [{"count": 3 if name == "counts" else 1, "arrivals": [["0", rate], ["6 ms", "0"]]}]
    queues += [{"count": 2, "arrivals": [["0", "2 Gbps"]], "initial": "100 KB"}]
    switch = {"ports": 9, "buffer": "1 MB", "rate": "1 Gbps"}
    document = {"switch": switch, "policy": {"name": "dt", "alpha": 1}, "queues": queues, "until": "12 ms"}
    run = run_scenario(replace(Scenario.read(document), policy=POLICIES[name if name != "counts" else "dt"]), Fraction)
    *_, (_, held, lost) = lost_points(run.queue(0)) or [(0, Fraction(0), Fraction(0))]
    figure_ = run.plot()
    areas = [(axes, area) for axes in figure_.axes for area in axes.collections if area.get_label() == "lost so far"]
    assert len(areas) == (lost > 0)
    for axes, area in areas:
        tops = area.get_paths()[0].vertices[:, 1]
        assert max(tops) < axes.get_ylim()[1]
        assert (axes is figure_.axes[0]) == (float(held + lost) / 1e3 == pytest.approx(max(tops)))


def test_what_a_theorem_predicts_is_marked_on_the_curve() -> None:
    run = run_under("dt")
    (mark,) = [line for line in run.plot(predicted={0: "2 ms"}).axes[0].lines if line.get_gid() == "predicted"]
    assert close(points_of(mark)[0], (2, 250))
    with pytest.raises(InputError, match="predicted"):
        run.plot(predicted={0: "2 MB"})


def test_a_policy_has_one_colour_and_one_kind_of_line_everywhere() -> None:
    compared = compare(Switch(16, "1 MB", "1 Gbps"), steady=2, burst_rate="4 Gbps")
    for axes in compared.plot().axes:
        if axes.lines:
            colours = {line.get_color() for line in axes.lines if line.get_label().startswith("queue")}
            assert colours == {policy_style(axes.get_title()).colour}
    names = ("DT", "EDT", "ABM", "L2BM", "static partition", "complete sharing", "reserves and pool")
    styles = [policy_style(name) for name in names]
    assert len({style.colour for style in styles}) == len({style.dashes for style in styles}) == len(names)
    curves = {line.get_label(): line for line in figure("edt.fig14").axes[0].lines}
    assert [curves[name].get_color() for name in ("DT", "EDT")] == [style.colour for style in styles[:2]]


@pytest.mark.parametrize(
    ("run", "labels"),
    [
        (lambda: burst_beside_steady_ports(DT(1), steady=1), {"port 0", "steady port 1", "threshold"}),
        (lambda: burst_beside_steady_ports(DT(1), steady=31), {"port 0", "31 steady ports", "threshold"}),
        (lambda: burst_beside_steady_ports(DT("1/8"), steady=4095), {"port 0", "4,095 steady ports", "threshold"}),
        (lambda: run_under("edt"), {"port 0", "2 steady ports", "threshold, port 0", "threshold, ports 1-2"}),
        (lambda: run_under("weighted"), {*(f"{p}port {i}" for i, p in enumerate(("", "steady ", "steady "))),
                                 *(f"threshold, port {i}" for i in range(3))}),
    ],
)  # fmt: skip
def test_ports_are_grouped_by_role_and_labelled_where_their_lines_end(
    run: Callable[[], Run[Fraction]], labels: set[str]
) -> None:
    figure = run().plot()
    axes = figure.axes[0]
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer: Any = canvas.get_renderer()
    assert {text.get_text() for text in axes.texts} == labels
    assert axes.get_legend() is None
    boxes = [Text.get_window_extent(text, renderer) for text in axes.texts]  # without the leader line
    assert all(box.x0 > axes.bbox.x1 for box in boxes)  # beside the data, never on them
    assert all(figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1 for box in boxes)
    assert all(a.y1 <= b.y0 or b.y1 <= a.y0 for a, b in combinations(boxes, 2))
    assert axes.bbox.width > 0.6 * figure.bbox.width


def test_of_many_different_lines_those_from_the_lowest_to_the_highest_are_drawn() -> None:
    ports = range(100)
    document = {
        "switch": {"ports": 100, "buffer": 10**6, "rate": 1},
        "policy": {"name": "dt", "alpha": 1},
        "queues": [{"arrivals": [[0, 1]], "initial": 10 * port} for port in ports],
        "until": 1,
    }
    run = run_scenario(Scenario.read(document), Fraction)
    lines = drawn(run, "length")
    peaks = sorted(max(level for _, level in points_of(line)) for line in lines)
    assert (len(lines), peaks[0], peaks[-1]) == (40, 0.01, 0.99)
    assert [text.get_text() for text in run.plot().axes[0].texts] == ["99 steady ports\n(40 of 99 lines)", "threshold"]


def test_the_table_below_a_figure_covers_neither_legend_nor_panel() -> None:
    figure_ = Figure(figsize=(6, 3), layout="constrained")
    axes = figure_.add_subplot()
    axes.plot([0, 1], [0, 1], label="line")
    axes.set_xlabel("time (s)")
    legend = figure_.legend(loc="outside lower center")
    write_below(figure_, [("a", "1", "2", difference("1", "2"))] * 3)
    FigureCanvasAgg(figure_).draw()
    top = max(text.get_window_extent().y1 for text in figure_.texts)
    assert top <= legend.get_window_extent().y0
    assert legend.get_window_extent().y1 <= axes.xaxis.label.get_window_extent().y0 + 1
    assert figure_.get_size_inches()[1] > 3


GRIDS = {
    "few": [1.0, 2.0, 5.0],
    "many": [float(value) for value in range(1, 41)],
    "powers": [2.0**power for power in range(-7, 8)],
    "uneven": [1.0, 1.001, 1.002, 7.0, 7.001],
    "one": [3.0],
}


@pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)
def test_a_heat_map_is_ticked_at_values_of_the_grid_whose_labels_leave_room(grid: list[float]) -> None:
    numbers = [[value + other for other in grid] for value in (1.0, 2.0, 4.0)]
    coordinates = {"alpha": [1.0, 2.0, 4.0], "duration": grid}
    table = xarray.DataArray(numbers, coordinates, attrs={"units": "bytes"})
    table["duration"].attrs["units"] = "s"
    figure_ = heat_map(xarray.Dataset({"lost": table}))
    canvas = FigureCanvasAgg(figure_)
    canvas.draw()
    axes = figure_.axes[0]
    across = ("alpha", axes.xaxis) if axes.get_xlabel() == "alpha" else ("duration", axes.xaxis)
    for name, axis in (across, ("duration" if across[0] == "alpha" else "alpha", axes.yaxis)):
        factor = {"duration (us)": 1e6, "duration (ms)": 1e3}.get(axis.get_label().get_text(), 1)
        ticks = [float(tick) for tick in axis.get_ticklocs()]
        assert {round(tick / factor, 9) for tick in ticks} <= {round(value, 9) for value in coordinates[name]}
        assert ticks[0] == pytest.approx(coordinates[name][0] * factor)
        assert len(axis.get_ticklocs(minor=True)) == 0
        boxes = [label.get_window_extent(canvas.get_renderer()) for label in axis.get_ticklabels()]
        assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
        texts = [label.get_text().replace(",", "") for label in axis.get_ticklabels()]
        assert [float(text) for text in texts] == pytest.approx(ticks, rel=1e-5)


def test_without_matplotlib_a_run_is_drawn_as_svg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dtmodel.fluid.simulation.find_spec", lambda _: None)
    shown = run_under("dt").plot()._repr_html_()
    assert shown.startswith("<figure")
    assert "first drop at 2 ms" in shown
    assert shown.count("l8,8m0,-8l-8,8") == 1  # steady ports dropped before time 0, too
