"""Drawings of fluid witnesses as inline SVG for the report."""

from collections.abc import Mapping
from fractions import Fraction
from html import escape
from typing import Any

from dtmodel.base.errors import DtmodelError
from dtmodel.fluid import run_scenario
from dtmodel.fluid.scenario import Scenario
from dtmodel.plot.svg import run_svg


def fluid_svg(scenario: Mapping[str, Any]) -> str:
    """Draw the `scenario` of a fluid witness as a figure in HTML, or return a paragraph with the reason against it.

    >>> burst = {"arrivals": [["0", "3"]]}
    >>> one = {"switch": {"ports": 1, "buffer": "6", "rate": "1"}, "policy": {"name": "dt", "alpha": "1"}, "until": "4"}
    >>> "first drop at 1.5 s" in fluid_svg(one | {"queues": [burst]})
    True
    >>> fluid_svg({"switch": 7})[:37]
    '<p class="dim">not drawn: policy: mis'
    """
    try:
        return run_svg(run_scenario(Scenario.read(dict(scenario)), Fraction))
    except DtmodelError as error:
        return f'<p class="dim">not drawn: {escape(str(error))}</p>'
