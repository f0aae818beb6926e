"""Pictures of fluid runs: a function takes a finished run and returns a matplotlib figure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dtmodel.base import units
from dtmodel.plot.curves import QueueCurve, RunCurves
from dtmodel.plot.style import BYTES, FREE_AREA, GREY, LOST_AREA, PALETTE, TIMES, policy_style, unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dtmodel.policies import PolicySetting

_LINES = 40
"""The largest number of trajectories drawn per role; of more, a selection from the lowest to the highest peak."""
_LABELLED = 8
"""The largest number of lines with labels of their own; of more, each role has one label."""

_STEADY = "steady port"
_COLOURS = {"port": PALETTE[0], _STEADY: PALETTE[1]}
_BESIDE = 4
"""The largest ratio of losses to lengths that share one pair of axes."""
_GAP = 0.055  # between two lines of labels, as a part of the axes' height

Points = list[tuple[Any, Any]]


@dataclass(frozen=True)
class _Line:
    """Ports with equal trajectories or thresholds, and their line."""

    ports: tuple[int, ...]
    pieces: tuple[Points, ...]
    colour: str
    label: str = ""

    @property
    def end(self) -> float:
        return float(self.pieces[-1][-1][1])


def length_points(queue: QueueCurve) -> Points:
    """List the points (time, length) at which the length of a `queue` bends, from 0 to the end of the run."""
    return [(time, queue.at(time)) for time in queue.breakpoints]


def threshold_pieces(queue: QueueCurve) -> list[Points]:
    """List the continuous pieces of the threshold of a `queue`, each as points (time, threshold), cut at its jumps."""
    pieces: list[Points] = []
    for (begin, slope, offset), end in _spans(queue.limits, [limit[0] for limit in queue.limits], queue):
        piece = _along(queue, (slope, offset), begin, end)
        if pieces and pieces[-1][-1] == piece[0]:
            pieces[-1] += piece[1:]
        else:
            pieces.append(piece)
    return pieces


def lost_points(queue: QueueCurve) -> list[tuple[Any, Any, Any]]:
    """List (time, length, bytes lost so far) of a `queue`, from its first drop to its last, if it loses anything."""
    first = queue.first_drop
    if first is None:
        return []
    times = sorted({first, *(time for time, _ in length_points(queue) if time >= first)})
    rows = [(time, queue.at(time), queue.dropped(time)) for time in times]
    end = next(place for place, row in enumerate(rows) if row[2] == rows[-1][2])
    return rows[: end + 1]


def run(result: RunCurves, title: str = "", predicted: Mapping[int, Any] | None = None) -> Figure:
    """Draw queue lengths, thresholds, free buffer, losses and first drops of a fluid run.

    Ports with equal trajectories share one line, which is labelled at its end. Ports whose queues stay empty are not
    drawn. A port that holds bytes at time 0 is called steady.

    Parameters
    ----------
    result : Run
        A finished run, exact or in floats.
    title : str, optional
        The title of the figure.
    predicted : mapping from int to time, optional
        The first drop of some ports according to a theorem: a circle on the curve.

    Returns
    -------
    matplotlib.figure.Figure
        Lengths against time; thresholds are dotted, with gaps at jumps, and the limits of ports and pools in a tree of
        limits dash-dotted. The grey area is the free buffer; the hatched area above a queue that was empty at first is
        its loss so far. Losses of several queues, or much larger than the lengths, have a panel of their own above
        them, as lines in the colours of the queues if they are several.

    Examples
    --------
    >>> from dtmodel import DT, Arrivals, Switch, simulate
    >>> figure = run(simulate(Switch(1, 6, 1), DT(1), {0: Arrivals.constant(3)}, until=4), "one port", {0: "3/2"})
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['time (s)']
    """
    from dtmodel.plot.picture import Picture

    lengths, bounds = _length_lines(result), _bound_lines(result)
    thresholds = _threshold_lines(result, lengths)
    if bounds:
        lengths, thresholds = _of_queues(lengths), [*_of_queues(thresholds), *bounds]
    time_unit, time_scale = unit(float(result.until), TIMES)
    highest = max((float(y) for line in (*lengths, *thresholds) for piece in line.pieces for _, y in piece), default=1)
    byte_unit, byte_scale = unit(highest, BYTES)
    scales = time_scale, byte_scale
    few = len(lengths) <= _LABELLED
    bursts = [line for line in lengths if few and _role(result.queues[line.ports[0]]) != _STEADY]
    losing = [line for line in bursts if lost_points(result.queues[line.ports[0]])]
    figure = Picture(figsize=(7, 4), layout="constrained")
    axes, highest = _filled_axes(figure, result, losing, highest or 1, scales)
    for line in thresholds:
        _draw(axes, line, scales, gid="threshold", ls=":" if line.ports else "-.", lw=1.5, zorder=2.5)
    for line in lengths:
        steady = _role(result.queues[line.ports[0]]) == _STEADY
        _draw(axes, line, scales, gid="length", lw=2 if few else 0.6, ls="--" if steady and few else "-")
    for line in lengths:
        _mark_first_drop(axes, result, line, scales, size=9 if few else 4)
    for port, time in (predicted or {}).items():
        at = units.seconds(time, f"predicted[{port}]")
        _mark(axes, result.queue(port), at, scales, marker="o", mfc="none", mec="black", ms=13, mew=1.5, zorder=4,
              gid="predicted", label="as the theorem says")  # fmt: skip
    axes.set(xlabel=f"time ({time_unit})", ylabel=f"length ({byte_unit})", title=title)
    axes.set_xlim(0, float(result.until) * time_scale)
    axes.set_ylim(0, 1.05 * highest * byte_scale)
    for panel in figure.axes:
        panel.spines[["top", "right"]].set_visible(False)
    _explain(figure, figure.axes)
    _label_ends(axes, [line for line in (*lengths, *thresholds) if line.label], byte_scale, len(figure.axes))
    return figure


def policy_panels(title: str, runs: Sequence[tuple[str, RunCurves]], setting: PolicySetting) -> Figure:
    """Draw one run of each policy in a panel of its own, all to one scale.

    Parameters
    ----------
    title : str
        The title of the figure.
    runs : sequence of (name, Run)
        The run of each policy; the queues of the bursts come first.
    setting : PolicySetting
        The number of bursts, and their duration.

    Returns
    -------
    matplotlib.figure.Figure
        Each panel shows the queue of a burst, the queue of a steady port, the free buffer as a grey area, a cross
        at the first drop of the bursts, and a line at their end.

    Examples
    --------
    >>> from dtmodel import Switch, compare
    >>> switch = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
    >>> made = compare(switch, steady=2, burst_rate="2 Gbps", among=["DT", "EDT"])
    >>> runs = [(outcome.name, outcome.run) for outcome in made.outcomes]
    >>> [axes.get_title() for axes in policy_panels("two", runs, made.setting).axes]
    ['DT', 'EDT']
    """
    from dtmodel.plot.picture import Picture

    end = float(setting.duration) + max([_back(run, setting) for _, run in runs], default=0.0)
    time_unit, time_scale = unit(end, TIMES)
    byte_unit, byte_scale = unit(float(setting.buffer), BYTES)
    highest = max([float(setting.buffer), *(_highest_lost(run.queues[0]) for _, run in runs)])
    columns = min(len(runs), 4) or 1
    figure = Picture(figsize=(2.6 * columns + 0.6, 2.1 * -(-len(runs) // columns) + 0.9), layout="constrained")
    grid = figure.subplots(-(-len(runs) // columns) or 1, columns, sharex=True, sharey=True, squeeze=False)
    panels = list(grid.flat)
    for axes in panels[len(runs) :]:
        axes.set_visible(False)
    for axes, (name, run) in zip(panels, runs, strict=False):
        _panel(axes, name, run, setting, (time_scale, byte_scale))
        axes.set_title(name, fontsize="medium")
        axes.set_xlim(0, end * time_scale)
        axes.set_ylim(0, 1.02 * highest * byte_scale)
        axes.spines[["top", "right"]].set_visible(False)
    _explain(figure, panels, f"time ({time_unit})")
    figure.supylabel(f"bytes ({byte_unit})", fontsize="medium")
    figure.suptitle(title, fontsize="medium", wrap=True)
    return figure


def _back(run: RunCurves, setting: PolicySetting) -> float:
    """Return the time after the bursts until which the panels extend: a little beyond the last change."""
    moving = (float(points[-2][0]) for queue in run.queues if len(points := length_points(queue)) > 1)
    return 1.1 * max(max(moving, default=0.0) - float(setting.duration), 0.1 * float(setting.duration))


def _explain(figure: Figure, panels: Sequence[Axes], title: str = "") -> None:
    """Add a legend of marks, areas and line styles below the panels."""
    known = {label: handle for axes in panels for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    if known:
        small = {"frameon": False, "fontsize": "small", "title": title, "title_fontsize": "medium"}
        legend = figure.legend(known.values(), known, loc="outside lower center", ncols=min(len(known), 4), **small)
        for handle in legend.get_lines():  # the legend explains line styles, not the colours of policies
            handle.set_color(GREY)


def _fill_free(axes: Axes, run: RunCurves, scales: tuple[float, float]) -> None:
    times = [float(time) * scales[0] for time in run.free.times]
    frees = [float(free) * scales[1] for free in run.free.values]
    axes.fill_between(times, frees, **FREE_AREA, label="free buffer")


def _filled_axes(
    figure: Figure, run: RunCurves, losing: Sequence[_Line], highest: float, scales: tuple[float, float]
) -> tuple[Axes, float]:
    """Fill the free buffer and draw losses; return the axes of lengths (apart if these are small) and their top."""
    queues = [run.queues[line.ports[0]] for line in losing]
    top = max(map(_highest_lost, queues), default=0.0)
    apart = len(losing) > 1 or top > _BESIDE * highest
    grid = figure.add_gridspec(2, 1, height_ratios=(2, 3)) if apart else figure.add_gridspec(1, 1)
    axes = figure.add_subplot(grid[-1, 0])
    _fill_free(axes, run, scales)
    if apart:
        _draw_lost(figure.add_subplot(grid[0], sharex=axes), losing, queues, scales[0])
        return axes, highest
    for queue in queues:
        _shade_lost(axes, queue, scales)
    return axes, max(highest, top)


def _draw_lost(axes: Axes, losing: Sequence[_Line], queues: Sequence[QueueCurve], per_second: float) -> None:
    """Draw the losses so far of some queues: one is hatched, several are lines in the colours of the queues."""
    rows = [lost_points(queue) for queue in queues]
    top = max(float(lost) for points in rows for _, _, lost in points)
    name, scale = unit(top, BYTES)
    if len(queues) == 1:
        _shade_lost(axes, queues[0], (per_second, scale), on_queue=False)
    else:
        for line, points in zip(losing, rows, strict=True):
            _draw(axes, replace(line, pieces=([(time, lost) for time, _, lost in points],)), (per_second, scale), lw=2)
    axes.set(ylabel=f"lost ({name})", ylim=(0, 1.05 * top * scale))
    axes.tick_params(labelbottom=False)


def _highest_lost(queue: QueueCurve) -> float:
    """Return the top of the losses that are stacked on a queue, in bytes."""
    return max((float(size + lost) for _, size, lost in lost_points(queue)), default=0.0)


def _shade_lost(axes: Axes, queue: QueueCurve, scales: tuple[float, float], *, on_queue: bool = True) -> None:
    """Hatch the losses of a queue so far, above its length or above zero."""
    if rows := lost_points(queue):
        times = [float(time) * scales[0] for time, _, _ in rows]
        feet = [float(size) * scales[1] * on_queue for _, size, _ in rows]
        tops = [foot + float(lost) * scales[1] for foot, (_, _, lost) in zip(feet, rows, strict=True)]
        axes.fill_between(times, feet, tops, **LOST_AREA, label="lost so far")


def _panel(axes: Axes, name: str, run: RunCurves, setting: PolicySetting, scales: tuple[float, float]) -> None:
    """Draw one run: the free buffer, the first steady port behind, the first burst before it."""
    _fill_free(axes, run, scales)
    _shade_lost(axes, run.queues[0], scales)
    lines = [(0, 2.5, "-", "queue of a burst")]
    lines += [(setting.bursts, 1.5, "--", "queue of a steady port")] if setting.steady else []
    for index, width, style, label in reversed(lines):
        line = _Line((index,), (length_points(run.queues[index]),), policy_style(name).colour)
        _draw(axes, line, scales, lw=width, ls=style, label=label)
    axes.axvline(float(setting.duration) * scales[0], color=GREY, lw=0.8, ls=":", label="the bursts end")
    if (time := run.queues[0].first_drop) is not None:
        _mark(axes, run.queues[0], time, scales, marker="x", color="k", ms=8, mew=2, zorder=3, gid="first drop",
              label="its first drop")  # fmt: skip


def _spans(parts: Sequence[Any], begins: Sequence[Any], queue: QueueCurve) -> Iterator[tuple[Any, Any]]:
    """Pair each part that lasts with its end."""
    ends = [*begins[1:], queue.free.times[-1]]
    return ((part, end) for part, begin, end in zip(parts, begins, ends, strict=True) if begin < end)


def _along(queue: QueueCurve, threshold: tuple[Any, Any], begin: Any, end: Any) -> Points:
    """List the points of a threshold, given by its slope and offset in F, from `begin` to `end`."""
    slope, offset = threshold
    times, values = queue.free.times, queue.free.values
    inside = range(bisect_right(times, begin), bisect_left(times, end))
    free = [(begin, queue.free.at(begin)), *((times[i], values[i]) for i in inside), (end, queue.free.at(end))]
    return [(time, slope * room + offset) for time, room in free]


def _length_lines(result: RunCurves) -> list[_Line]:
    each = enumerate(result.queues)
    holding = (port for port, queue in each if any(length > 0 for _, length in length_points(queue)))
    alike = _alike(result, holding, length_points)
    roles = _groups((ports[0] for ports in alike), lambda port: _role(result.queues[port]))
    members = {ports[0]: ports for ports in alike}
    lines: list[_Line] = []
    for firsts in roles:
        role = _role(result.queues[firsts[0]])
        drawn = _spread(firsts, lambda port: max(length for _, length in length_points(result.queues[port])))
        for place, port in enumerate(drawn):
            if len(alike) <= _LABELLED:
                colour, label = PALETTE[len(lines) % len(PALETTE)], _name(role, members[port], alone=len(firsts) == 1)
            else:
                colour = _COLOURS[role]
                label = _role_label(role, [members[p] for p in firsts], len(drawn)) if place == len(drawn) // 2 else ""
            lines.append(_Line(members[port], (length_points(result.queues[port]),), colour, label))
    return lines


def _threshold_lines(result: RunCurves, lengths: Sequence[_Line]) -> list[_Line]:
    colours = {port: line.colour for line in lengths for port in line.ports}
    alike = _alike(result, colours, lambda queue: queue.limits)
    lines: list[_Line] = []
    for ports in alike:
        own = {colours[port] for port in ports}
        colour = _darker(own.pop()) if len(own) == 1 and len(alike) > 1 else GREY
        label = "threshold" if len(alike) == 1 else f"threshold, {_ports(ports)}"
        if len(alike) > _LABELLED // 2:
            label = "" if lines else f"{len(alike):,} thresholds"
        lines.append(_Line(ports, tuple(threshold_pieces(result.queues[ports[0]])), colour, label))
    return lines


def _bound_lines(result: RunCurves) -> list[_Line]:
    """Return the limits of pools and groups as grey lines; equal ones share a line."""
    alike: dict[tuple[Any, ...], list[str]] = {}
    for name, points in getattr(result, "limits", {}).items():
        alike.setdefault(tuple(points), []).append(name)
    few = len(alike) <= _LABELLED
    return [
        _Line((), (list(points),), _darker(GREY), f"limit of {', '.join(names)}" if few else "")
        for points, names in alike.items()
    ]


def _of_queues(lines: Sequence[_Line]) -> list[_Line]:
    """Return lines whose labels call a queue by its own name, since a port has several."""
    return [replace(line, label=line.label.replace("port", "queue")) for line in lines]


def _darker(colour: str) -> str:
    """Return a shade of a colour that shows on a line of that colour."""
    from matplotlib.colors import to_hex, to_rgb

    return to_hex([0.6 * part for part in to_rgb(colour)])


def _groups(ports: Iterable[int], key: Callable[[int], Hashable]) -> list[tuple[int, ...]]:
    groups: dict[Hashable, list[int]] = {}
    for port in ports:
        groups.setdefault(key(port), []).append(port)
    return [tuple(members) for members in groups.values()]


def _spread(ports: tuple[int, ...], height: Callable[[int], Any]) -> list[int]:
    """Choose at most `_LINES` of these ports, evenly from the lowest to the highest."""
    if len(ports) <= _LINES:
        return list(ports)
    ranked = sorted(ports, key=height)
    return [ranked[(len(ranked) - 1) * place // (_LINES - 1)] for place in range(_LINES)]


def _alike(result: RunCurves, ports: Iterable[int], rows: Callable[[QueueCurve], Any]) -> list[tuple[int, ...]]:
    """Group ports of one part of the buffer whose queues have the same `rows` of numbers, to nine digits."""

    def key(port: int) -> Hashable:
        queue = result.queues[port]
        return id(queue.free), tuple(tuple(f"{float(number):.9g}" for number in row) for row in rows(queue))

    return _groups(ports, key)


def _role(queue: QueueCurve) -> str:
    return _STEADY if queue.segments[0].length > 0 else "port"


def _name(role: str, ports: tuple[int, ...], *, alone: bool) -> str:
    """Name ports of one role: by their number if no others have the role, else by their indices."""
    return f"{len(ports):,} {role}s" if alone and len(ports) > 1 else _ports(ports, role)


def _ports(ports: Sequence[int], role: str = "port") -> str:
    """Name ports by their indices, consecutive ones as ranges, or by their number if that is too long.

    >>> _ports([3]), _ports([1, 2, 3, 7]), _ports(range(0, 4096, 2))
    ('port 3', 'ports 1-3, 7', '2,048 ports from 0')
    """
    if len(ports) == 1:
        return f"{role} {ports[0]}"
    runs = [[ports[0], ports[0]]]
    for port in ports[1:]:
        if port == runs[-1][1] + 1:
            runs[-1][1] = port
        else:
            runs.append([port, port])
    if len(runs) > 3:
        return f"{len(ports):,} {role}s from {ports[0]}"
    return f"{role}s " + ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def _role_label(role: str, groups: Sequence[tuple[int, ...]], drawn: int) -> str:
    label = f"{sum(map(len, groups)):,} {role}s"
    return label if drawn == len(groups) else f"{label}\n({drawn} of {len(groups):,} lines)"


def _draw(axes: Axes, line: _Line, scales: tuple[float, float], **style: Any) -> None:
    times: list[float] = []
    levels: list[float] = []
    for piece in line.pieces:
        times += [*(float(time) * scales[0] for time, _ in piece), float("nan")]
        levels += [*(float(level) * scales[1] for _, level in piece), float("nan")]
    axes.plot(times[:-1], levels[:-1], color=line.colour, **style)


def _mark_first_drop(axes: Axes, result: RunCurves, line: _Line, scales: tuple[float, float], size: float) -> None:
    """Mark a first drop, but not of ports that were steady and dropping before time 0."""
    queue = result.queues[line.ports[0]]
    time = queue.first_drop
    if time is not None and (time > 0 or _role(queue) != _STEADY):
        _mark(axes, queue, time, scales, marker="x", color=line.colour, ms=size, mew=size / 4, zorder=3,
              gid="first drop", label="first drop")  # fmt: skip


def _mark(axes: Axes, queue: QueueCurve, time: Any, scales: tuple[float, float], **style: Any) -> None:
    """Mark the length of a queue at an instant."""
    axes.plot(float(time) * scales[0], float(queue.at(time)) * scales[1], ls="", clip_on=False, **style)


def _label_ends(axes: Axes, lines: Sequence[_Line], scale: float, panels: int) -> None:
    """Write each label beside the end of its line, and move overlapping labels apart."""
    top = axes.get_ylim()[1]
    ordered = sorted(lines, key=lambda line: line.end)
    rows = [panels * (1 + line.label.count("\n")) for line in ordered]
    places = _apart([line.end * scale / top for line in ordered], rows)
    for line, place in zip(ordered, places, strict=True):
        axes.annotate(
            line.label, (1, line.end * scale / top), (1.04, place), xycoords="axes fraction",
            textcoords="axes fraction", color=line.colour, fontsize="small", va="center", annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": line.colour, "lw": 0.5, "shrinkA": 1, "shrinkB": 1,
                        "relpos": (0, 0.5)},
        )  # fmt: skip


def _apart(wanted: Sequence[float], rows: Sequence[int]) -> list[float]:
    """Move heights (ascending, of labels with so many rows) as little as needed so that no two labels overlap.

    >>> [round(place, 2) for place in _apart([0.5, 0.5, 0.9], [1, 1, 1])]
    [0.47, 0.53, 0.9]
    """
    blocks: list[tuple[float, list[float]]] = []  # the middle of each block of labels, and the labels' heights
    for want, row in zip(wanted, rows, strict=True):
        middle, heights = want, [row * _GAP]
        while blocks and middle - sum(heights) / 2 < blocks[-1][0] + sum(blocks[-1][1]) / 2:
            low, below = blocks.pop()
            middle = (low * len(below) + middle * len(heights)) / (len(below) + len(heights))
            heights = below + heights
            middle = max(middle, (sum(heights) - _GAP) / 2)
        blocks.append((middle, heights))
    places: list[float] = []
    for middle, heights in blocks:
        foot = middle - sum(heights) / 2
        for height in heights:
            places.append(foot + height / 2)
            foot += height
    return places
