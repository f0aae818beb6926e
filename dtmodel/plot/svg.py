"""Drawings of fluid runs as inline SVG, without matplotlib: queues, thresholds and first drops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any, final

from dtmodel.base import units
from dtmodel.plot.curves import QueueCurve, RunCurves
from dtmodel.plot.runs import length_points, threshold_pieces
from dtmodel.plot.style import PALETTE

_WIDE, _TALL, _LEFT, _TOP = 320, 130, 76, 8
_ROOM = Fraction(23, 20)
"""The height of the picture, as a multiple of the highest peak."""
_LINES = 6
"""The largest number of trajectories in a picture."""
_LONGEST = 400
"""The largest number of bends in a trajectory."""
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 2", "1 2")
_WORDS = ("solid", "dashed", "dotted", "dash-dotted", "short dashes", "fine dots")
Points = Sequence[tuple[Any, Any]]


@final
@dataclass(frozen=True)
class SvgPicture:
    """A picture for notebooks and browsers without matplotlib; `html` has its SVG and its caption."""

    html: str

    def _repr_html_(self) -> str:
        return self.html


def run_svg(run: RunCurves) -> str:
    """Draw a finished fluid run as a figure in HTML, or return a paragraph with the reason against it."""
    alike: dict[tuple[Any, ...], list[int]] = {}
    for port, queue in enumerate(run.queues):
        alike.setdefault(tuple(length_points(queue)), []).append(port)
    moving = {points: ports for points, ports in alike.items() if any(length for _, length in points)}
    if not moving:
        return '<p class="dim">not drawn: every queue is empty all the time</p>'
    if any(len(points) > _LONGEST for points in moving):
        return f'<p class="dim">not drawn: a queue has more than {_LONGEST} bends</p>'
    return _figure(run, list(moving.items())[:_LINES], len(moving))


def _figure(run: RunCurves, lines: Sequence[tuple[Points, list[int]]], total: int) -> str:
    peak = max(max(length for _, length in points) for points, _ in lines)
    top = peak * _ROOM
    until = run.until

    def path(points: Points) -> str:
        places = [f"{float(t / until) * _WIDE:.1f},{_TALL - float(min(q / top, 9)) * _TALL:.1f}" for t, q in points]
        return "M" + "L".join(places)

    curves, marks = [], []
    for number, (points, ports) in enumerate(lines):
        dash = f' stroke-dasharray="{_DASHES[number]}"' if _DASHES[number] else ""
        curves.append(f'<path d="{path(points)}" fill="none" stroke="{PALETTE[number]}" stroke-width="2"{dash}/>')
        queue = run.queues[ports[0]]
        if (time := _marked_drop(queue)) is not None:
            x, y = (float(part) for part in path([(time, queue.at(time))])[1:].split(","))
            marks.append(f'<path d="M{x - 4:.1f},{y - 4:.1f}l8,8m0,-8l-8,8" stroke="currentColor" stroke-width="2"/>')
    limits = dict.fromkeys(path(piece) for _, ports in lines for piece in threshold_pieces(run.queues[ports[0]]))
    dotted = f'<path d="{"".join(limits)}" fill="none" stroke="currentColor" stroke-dasharray="1 3"/>'
    told, described = _told(run, lines, total), _described(run, lines)
    inside = f'<svg x="{_LEFT}" y="{_TOP}" width="{_WIDE}" height="{_TALL}">{dotted}{"".join(curves)}</svg>'
    crosses = f'<g transform="translate({_LEFT},{_TOP})" fill="none">{"".join(marks)}</g>'
    return (
        f'<figure class="witness"><svg viewBox="0 0 {_LEFT + _WIDE + 12} {_TOP + _TALL + 22}" role="img" width="408">'
        f"<title>Queue lengths over time</title><desc>{escape(described)}</desc>"
        f"{_axes(peak, until)}{inside}{crosses}</svg><figcaption>{escape(told)}</figcaption></figure>"
    )


def _marked_drop(queue: QueueCurve) -> Any:
    """Return the first drop, which a cross marks; None also for a queue that was dropping before time 0."""
    return None if queue.first_drop == 0 and queue.at(0) > 0 else queue.first_drop


def _axes(peak: Fraction, until: Fraction) -> str:
    foot, right = _TOP + _TALL, _LEFT + _WIDE
    high = units.brief(units.show_bytes(peak))
    end = units.brief(units.show_seconds(until))
    return (
        f'<path d="M{_LEFT},{_TOP}V{foot}H{right}" fill="none" stroke="currentColor"/>'
        f'<g font-size="11" fill="currentColor">'
        f'<text x="{_LEFT - 4}" y="{foot + 4}" text-anchor="end">0</text>'
        f'<text x="{_LEFT - 4}" y="{foot - float(_TALL / _ROOM) + 4:.1f}" text-anchor="end">{high}</text>'
        f'<text x="{_LEFT}" y="{foot + 15}" text-anchor="middle">0</text>'
        f'<text x="{right}" y="{foot + 15}" text-anchor="end">{end}</text></g>'
    )


def _told(run: RunCurves, lines: Sequence[tuple[Points, list[int]]], total: int) -> str:
    """Return the caption, which names the ports of each line."""
    names = [f"{_ports(ports)} ({_WORDS[number]})" for number, (_, ports) in enumerate(lines)]
    more = f"; {total - len(lines)} more lines are not drawn" if total > len(lines) else ""
    drops = (
        "; crosses: first drops" if any(_marked_drop(run.queues[ports[0]]) is not None for _, ports in lines) else ""
    )
    return f"Lengths of {', '.join(names)}; thresholds in fine dots{drops}{more}."


def _described(run: RunCurves, lines: Sequence[tuple[Points, list[int]]]) -> str:
    """Return the text alternative of the picture: peaks and first drops."""
    said = []
    for points, ports in lines:
        peak = units.brief(units.show_bytes(max(length for _, length in points)))
        time = run.queues[ports[0]].first_drop
        drop = "no drop" if time is None else f"first drop at {units.brief(units.show_seconds(time))}"
        said.append(f"{_ports(ports)}: at most {peak}, {drop}")
    return "; ".join(said)


def _ports(ports: Sequence[int]) -> str:
    if len(ports) == 1:
        return f"port {ports[0]}"
    if len(ports) <= 3:
        return "ports " + ", ".join(map(str, ports))
    return f"{len(ports)} ports like port {ports[0]}"
