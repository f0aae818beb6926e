"""Published numbers beside computed ones: their difference, and the table below a redrawn figure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = tuple[str, str, str, str]
"""Quantity, published, computed, difference."""

_HEADS: Row = ("quantity", "published", "computed", "difference")
_NUMBER = re.compile(r"(?:about |almost |nearly )?([+-]?\d+(?:\.\d+)?(?:/\d+)?)(?: \+- [\d.]+)?(\s?[%A-Za-z].*)?")
_BOUND = re.compile(r"(over|more than|at least|at most|below|less than) (.*)")
_LINE = 0.17  # inches between two lines of the table
_LETTER = 0.075  # the approximate width of a letter in inches, at 8 points


def difference(published: str, computed: str) -> str:
    """Return `computed` minus `published` exactly, if numbers in one unit or ranges; beside a bound, the excess."""
    if bound := _BOUND.fullmatch(published.strip()):
        missed = _difference(bound[2], computed)
        return "as published" if missed and _keeps(bound[1], missed) else missed
    ends = [text.split(" to ") for text in (published, computed)]
    if [len(each) for each in ends] == [2, 2]:
        apart = [difference(*pair) for pair in zip(*ends, strict=True)]
        return " to ".join(apart) if all(apart) else ""
    return _difference(published, computed)


def _difference(published: str, computed: str) -> str:
    found = [_NUMBER.fullmatch(text.strip()) for text in (published, computed)]
    if found[0] is None or found[1] is None:
        return ""
    units = [(match[2] or "").strip() for match in found if match]
    if units[0] != units[1]:
        return ""
    apart = _number(found[1][1]) - _number(found[0][1])
    digits = max(len(text.partition(".")[2]) for text in (found[0][1], found[1][1]))
    written = f"{float(apart):+.{digits}f}" if "/" not in found[0][1] + found[1][1] else f"{'+' * (apart > 0)}{apart}"
    return f"{written if apart else '0'} {units[0]}".strip()


def _keeps(bound: str, apart: str) -> bool:
    """Tell whether a number that is `apart` from a bound keeps it; the sign of the difference decides."""
    if apart[0] not in "+-":
        return bound in ("at least", "at most")
    return (apart[0] == "+") == (bound in ("over", "more than", "at least"))


def _number(text: str) -> Fraction:
    over, _, under = text.partition("/")
    return Fraction(over) / Fraction(under or 1)


def write_below(figure: Figure, rows: Sequence[Row]) -> None:
    """Extend a `figure` downwards by a table of published and computed values and their difference, in `rows`."""
    if not rows:
        return
    lines = [_HEADS, *rows]
    wide, tall = figure.get_size_inches()
    foot = _LINE * (len(lines) + 1)
    whole = tall + foot
    figure.set_size_inches(wide, whole)
    below = foot
    for legend in figure.legends:  # legends outside the panels are placed above the table
        legend.set_bbox_to_anchor((0, below / whole, 1, 1 - below / whole), figure.transFigure)
        below += legend.get_window_extent().height / figure.dpi + _LINE
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.set(rect=(0, below / whole, 1, 1 - below / whole))  # type: ignore[call-arg]  # every layout engine has it
    needs = [_LETTER * (2 + max(len(line[column]) for line in lines)) for column in range(len(_HEADS))]
    points = 8 * min(1.0, (wide - 0.4) / sum(needs))
    for number, line in enumerate(lines):
        across = max(0.2, (wide - sum(needs)) / 2)
        for text, need in zip(line, needs, strict=True):
            weight = "normal" if number else "bold"
            place = across / wide, (foot - _LINE * (number + 0.8)) / whole
            figure.text(*place, text, fontsize=points, weight=weight, va="center", parse_math=False)
            across += need * points / 8
