"""Picture of a theorem: a map of its cases over two symbols, with the boundaries as the curves that they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from dtmodel.base import extras, units
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.mathtext import html_of, symbol_of
from dtmodel.derive.algebra.dimensions import Grade, read_value
from dtmodel.derive.theorem.data import CaseData
from dtmodel.derive.theorem.printing import printed
from dtmodel.derive.theorem.slices import Restriction, pieces

_DEPTH = 6
"""The number of times that a strip is halved where regions meet."""
_COARSE, _LEFT, _WIDE, _TALL = 25, 80, 320, 200


def regions(
    theorem: CaseData, x: tuple[str, Any, Any], y: tuple[str, Any, Any], at: Mapping[str, Any], points: int
) -> Any:
    """Draw the cases over two symbols, as `DerivedTheorem.regions` documents."""
    extras.need("matplotlib")
    from matplotlib import colormaps
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Patch

    from dtmodel.plot.picture import Picture

    across, up, areas = _areas(theorem, x, y, at, points)
    figure = Picture(figsize=(7, 4.5), layout="constrained")
    axes, colours = figure.add_subplot(), colormaps["tab10"]
    for number, corners in areas.items():
        colour = colours(number % 10)
        axes.add_collection(
            PolyCollection(corners, facecolor=colour, edgecolor=colour, linewidth=0.7, label=number, snap=False)
        )
    axes.set(xlim=across, ylim=up)
    axes.set_xlabel(f"${symbol_of(x[0])}$")
    axes.set_ylabel(f"${symbol_of(y[0])}$")
    handles = [Patch(color=colours(number % 10), label=label) for number, label in _labels(theorem, areas).items()]
    figure.legend(handles=handles, loc="outside lower center", fontsize="small")
    return figure


def region_map(theorem: CaseData, x: tuple[str, Any, Any], y: tuple[str, Any, Any], at: Mapping[str, Any]) -> str:
    """Draw the cases as a figure in HTML without Matplotlib; the parameters are those of `DerivedTheorem.regions`."""
    across, up, areas = _areas(theorem, x, y, at, _COARSE)

    def outline(area: Iterable[tuple[float, float]]) -> str:
        places = (
            _place((one - across[0]) / (across[1] - across[0]), (two - up[0]) / (up[1] - up[0])) for one, two in area
        )
        return f"M{'L'.join(f'{left:.1f},{top:.1f}' for left, top in places)}Z"

    shapes = [
        f'<path class="dtm-case-{number}" d="{"".join(map(outline, corners))}"/>' for number, corners in areas.items()
    ]
    texts = [
        f'<text x="{_LEFT}" y="{_TALL + 16}">{x[1]}</text>',
        f'<text x="{_LEFT + _WIDE / 2}" y="{_TALL + 16}" text-anchor="middle">{x[0]}</text>',
        f'<text x="{_LEFT + _WIDE}" y="{_TALL + 16}" text-anchor="end">{x[2]}</text>',
        *(f'<text x="{_LEFT - 6}" y="{height}" text-anchor="end">{said}</text>'
          for height, said in ((14, y[2]), (_TALL / 2, y[0]), (_TALL, y[1]))),
    ]  # fmt: skip
    legend = "".join(
        f'<li class="dtm-key-{number}">{html_of(label)}</li>' for number, label in _labels(theorem, areas).items()
    )
    box = f'viewBox="0 0 {_LEFT + _WIDE + 8} {_TALL + 24}" role="img" aria-label="the case at each {x[0]} and {y[0]}"'
    drawn = "".join([*shapes, *texts])
    return f'<figure class="dtm-regions"><svg {box}>{drawn}</svg><ul>{legend}</ul></figure>'


def marked(figure: str, across: float, up: float) -> str:
    """Add a point to a figure of `region_map`, at these shares of its axes.

    >>> marked("<svg></svg>", 0, 0.5)
    '<svg><circle class="dtm-here" cx="80.0" cy="100.0" r="6"/></svg>'
    """
    left, top = _place(across, up)
    return figure.replace("</svg>", f'<circle class="dtm-here" cx="{left:.1f}" cy="{top:.1f}" r="6"/></svg>')


def _place(across: float, up: float) -> tuple[float, float]:
    return _LEFT + across * _WIDE, _TALL * (1 - up)


def _areas(
    theorem: CaseData, x: tuple[str, Any, Any], y: tuple[str, Any, Any], at: Mapping[str, Any], points: int
) -> tuple[tuple[float, float], tuple[float, float], dict[int, list[Any]]]:
    """Return the ends of both axes and the quadrilaterals of each case."""
    points = units.count(points, "points", least=2)
    measures = theorem.domain.measures
    across, up = (_grid(axis, name, points, measures) for axis, name in ((x, "x"), (y, "y")))
    at = {name: read_value(value, f"at.{name}", measures.get(name)) for name, value in at.items()}
    if x[0] == y[0]:
        raise InputError("y", y[0], f"another symbol than {x[0]}")
    ends = float(up[0]), float(up[-1])
    line = _Columns(theorem, x[0], y[0], at, ends)
    areas: dict[int, list[Any]] = {}
    for pair in pairwise(across):
        for number, corners in line.strips(*pair):
            areas.setdefault(number, []).append(corners)
    return (float(across[0]), float(across[-1])), ends, areas


def _labels(theorem: CaseData, areas: Iterable[int]) -> dict[int, str]:
    shown = printed(theorem, None, latex=True, every=True).rows
    return {number: ", ".join(f"${each}$" for each in shown[number][0]) or "always" for number in sorted(areas)}


Column = Sequence[tuple[int, float, float]]
"""The cases along a vertical line, each with its lower and upper end."""


class _Columns:
    """The exact boundaries of cases along the vertical lines of a picture.

    `line` (x, y, at): the symbols of the axes and values of the others. `ends`: the least and largest value of y.
    """

    def __init__(
        self, theorem: CaseData, x: str, y: str, at: Mapping[str, Fraction], ends: tuple[float, float]
    ) -> None:
        self.theorem, self.x, self.y, self.at, self.ends = theorem, x, y, at, ends
        self.column = cache(self._column)

    def strips(self, left: Fraction, right: Fraction, depth: int = _DEPTH) -> Iterator[tuple[int, Any]]:
        """Yield quadrilaterals with their cases; a strip in which the order of the cases changes is halved."""
        one, other = self.column(left), self.column(right)
        alike = [number for number, *_ in one] == [number for number, *_ in other]
        if not alike and depth:
            middle = (left + right) / 2
            yield from self.strips(left, middle, depth - 1)
            yield from self.strips(middle, right, depth - 1)
            return
        for (number, a, b), (_, c, d) in zip(one, other if alike else one, strict=True):
            yield number, [(float(left), a), (float(left), b), (float(right), d), (float(right), c)]

    def _column(self, place: Fraction) -> Column:
        try:
            line = Restriction(self.theorem, self.theorem.keys[0], self.y, {**self.at, self.x: place}).only()
        except InputError as error:
            if error.field not in self.theorem.family.symbols or error.value == MISSING:
                raise
            return []  # outside the domain
        found = list[tuple[int, float, float]]()
        for piece in pieces([line]):
            (case,) = piece.cases
            low = self.ends[0] if piece.low is None else max(self.ends[0], float(piece.low))
            high = self.ends[1] if piece.high is None else min(self.ends[1], float(piece.high))
            if piece.point or case is None or low >= high:
                continue
            if found and found[-1][0] == case.number:
                low = found.pop()[1]
            found.append((case.number, low, high))
        return found


def _grid(axis: Any, field: str, points: int, measures: Mapping[str, Grade]) -> list[Fraction]:
    if not isinstance(axis, tuple | list) or len(axis) != 3 or not isinstance(axis[0], str):
        raise InputError(field, axis, "a symbol with its least and largest value")
    low, high = (read_value(end, f"{field}.{axis[0]}", measures.get(axis[0])) for end in axis[1:])
    if low >= high:
        raise InputError(f"{field}.{axis[0]}", list(axis[1:]), "a least value below the largest")
    return [low + (high - low) * step / (points - 1) for step in range(points)]
