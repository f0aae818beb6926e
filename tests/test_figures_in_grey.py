"""Every redrawn figure is read without colour, and the published numbers below it are those that claims quote.

No two entries of a legend differ in their hue alone.
"""

import re
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from ledger_cases import papers
from matplotlib.colors import to_rgb
from matplotlib.container import Container
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from dtmodel.companion.figures import Redrawn, paths, redraw
from dtmodel.plot.style import PALETTE, policy_style

FIGURES = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in paths()]
"""Each with its own group, so that one process draws it once for all tests."""
FOLLOWS = {
    "dynaq.fig12": "the part of 100 Gbps that is left where the text says that 9.2 Gbps are lost",
    "edt.fig7": "times that follow from the paper's rules, and that it does not print",
}
"""Figures beside whose computed numbers stand some that the paper does not print."""
APART = 0.25
"""Of the way from black to white: two greys, in areas, that are told apart."""


def grey(colour: Any) -> float:
    red, green, blue = to_rgb(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def look(handle: Any) -> tuple[Any, ...]:
    """Return how an entry of a legend is drawn, how wide and how grey: what tells two apart without their hues."""
    drawn = handle[0] if isinstance(handle, Container) else handle
    if isinstance(drawn, Line2D):
        dashes = str(drawn.get_linestyle()), drawn._unscaled_dash_pattern[1]  # type: ignore[attr-defined]  # no getter
        inside = drawn.get_markerfacecolor()
        kind = dashes, drawn.get_marker(), inside == "none" or grey(inside) > 1 - APART
        return "line", kind, drawn.get_linewidth(), grey(drawn.get_color())
    shade = np.atleast_2d(drawn.get_facecolor() if len(drawn.get_facecolor()) else drawn.get_edgecolor())
    return "area", drawn.get_hatch(), 0.0, grey(shade[0][:3])


def entries(figure: Figure) -> list[dict[str, Any]]:
    """Return what is explained together: what each panel's legend names, or that of the figure."""
    panels = [dict(zip(*axes.get_legend_handles_labels()[::-1], strict=True)) for axes in figure.axes]
    if not figure.legends:
        return [panel for panel, axes in zip(panels, figure.axes, strict=True) if axes.get_legend()]
    named = {text.get_text() for legend in figure.legends for text in legend.get_texts()}
    return [{label: handle for panel in panels for label, handle in panel.items() if label in named}]


def confused(figure: Figure) -> list[tuple[str, str]]:
    return [
        (one, other)
        for together in entries(figure)
        for (one, a), (other, b) in combinations([(label, look(handle)) for label, handle in together.items()], 2)
        if a[:2] == b[:2] and abs(a[2] - b[2]) < 1 and abs(a[3] - b[3]) < APART
    ]


@cache
def drawn(name: str) -> Redrawn:
    return redraw(name)


@cache
def quoted(paper: str) -> frozenset[float]:
    """Return the numbers in what is claimed of a paper; one in per cent is a part of 1, too."""
    parts = (
        "source",
        "statement",
        "assumption",
        "repair",
        "reason",
        "formal",
        "formal_assumption",
        "formal_repair",
        "note",
    )
    claims = [claim for claim in papers().claims.values() if claim.paper == paper]
    text = " ".join(f"{claim.id} " + " ".join(str(getattr(claim, part)) for part in parts) for claim in claims)
    numbers = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]
    return frozenset([*numbers, *(round(number / 100, 9) for number in numbers)])


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_read_without_colour(name: str) -> None:
    assert confused(drawn(name).figure) == []


@pytest.mark.parametrize("name", FIGURES)
def test_the_published_numbers_below_a_figure_are_quoted_by_claims_of_its_paper(name: str) -> None:
    numbers = {float(number) for _, told, *_ in drawn(name).rows for number in re.findall(r"\d+(?:\.\d+)?", told)}
    assert (numbers <= quoted(name.partition(".")[0])) is (name not in FOLLOWS)


def test_two_curves_that_differ_in_hue_alone_are_noticed() -> None:
    figure = Figure()
    axes = figure.subplots()
    for colour, style in ((PALETTE[0], "-"), (PALETTE[1], "-"), (PALETTE[2], "--")):
        axes.plot([0, 1], color=colour, ls=style, label=f"{colour} {style}")
    axes.legend()
    assert confused(figure) == [(f"{PALETTE[0]} -", f"{PALETTE[1]} -")]


def test_policies_differ_in_their_dashes_where_they_are_compared() -> None:
    together = ("DT", "EDT", "ABM", "L2BM", "static partition", "complete sharing", "reserves and pool")
    assert len({policy_style(name).dashes for name in together}) == len(together)
    assert len({policy_style(name).dashes for name in ("LossPass", "DynaQ", "ECN", "DT")}) == 4
