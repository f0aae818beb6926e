"""Drawings of fluid witnesses as inline SVG for the report."""

from collections.abc import Mapping
from fractions import Fraction
from html import escape
from typing import Any

from dtmodel.base.errors import DtmodelError
from dtmodel.companion.witness_pictures import witness_rows
from dtmodel.fluid import run_scenario
from dtmodel.fluid.scenario import Scenario
from dtmodel.plot.svg import run_svg


def witness_html(kind: str, data: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    """Draw a witness of `kind` fluid, trace or values for a page; `answer` is the result of its replay.

    >>> witness_html("values", {"values": {"x": "1/3"}}, {})
    '<table><tr><th>symbol</th><th>value</th></tr><tr><td>x</td><td>1/3</td></tr></table>'
    """
    if kind == "fluid":
        return fluid_svg(data)
    header, rows = witness_rows(kind, data, answer)
    lines = ["".join(f"<th>{escape(cell)}</th>" for cell in header)]
    lines += ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def fluid_svg(scenario: Mapping[str, Any]) -> str:
    """Draw the `scenario` of a fluid witness as a figure in HTML, or return a paragraph with the reason against it."""
    try:
        return run_svg(run_scenario(Scenario.read(dict(scenario)), Fraction))
    except DtmodelError as error:
        return f'<p class="dim">not drawn: {escape(str(error))}</p>'
