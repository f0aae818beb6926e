"""``dtmodel params``: one command for each system, and how their answers are printed."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from dtmodel import units
from dtmodel.cli import LazyGroup
from dtmodel.cli.console import console, echo_json

if TYPE_CHECKING:
    from dtmodel.theory.sheet import Parameter, Sheet

__all__ = ["command", "show"]

_SYSTEMS = {
    "dt": "Dynamic Threshold: when it drops, how much is free, the burst it absorbs.",
    "edt": "Enhanced Dynamic Threshold: cn2, TM1, TM2.",
    "losspass": "LossPass: absorbable bursts, the reserve B_l, the least K.",
    "dynaq": "DynaQ: thresholds and guarantees of the service queues.",
    "l2bm": "L2BM: weights, thresholds and reserves.",
    "profile": "A switch's buffer configuration (SONiC): thresholds, reserves, headroom.",
}


@click.group(cls=LazyGroup, lazy=_SYSTEMS, prefix="params_")
def command() -> None:
    """Work out the parameters for a given switch, with formula, assumptions, source and warnings."""


def show(sheet: Sheet, as_json: bool) -> None:
    """Print a parameter sheet: a table for people, or JSON with exact values in base units.

    Parameters
    ----------
    sheet : Sheet
        The values, their formulas and sources, and the warnings.
    as_json : bool
        Print ``{"title", "parameters": {name: {"value", "unit", "formula", "source", "assumption"}}, "warnings"}``.
    """
    if as_json:
        echo_json(_document(sheet))
        return
    from rich.table import Table
    from rich.text import Text

    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 3, 0, 0))
    for title in ("", "value", "formula", "source"):
        table.add_column(title, overflow="fold")
    for item in sheet.parameters:
        formula = _plain(f"${item.symbol} = {item.formula}$" if item.formula else f"${item.symbol}$")
        table.add_row(Text(item.name), Text(_shown(item), "bold"), Text(formula), Text(_plain(item.source), "dim"))
    out.print(Text(_plain(sheet.title), "bold"))
    out.print(table)
    for item in sheet.parameters:
        if item.assumption:
            out.print(Text.assemble((f"{item.name} assumes: ", "dim"), _plain(item.assumption)))
    for warning in sheet.warnings:
        out.print(Text.assemble(("warning: ", "bold yellow"), _plain(warning)))


def _document(sheet: Sheet) -> dict[str, Any]:
    return {
        "title": sheet.title,
        "parameters": {
            item.name: {
                "value": _json(item.value),
                "unit": item.unit,
                "formula": item.formula,
                "source": item.source,
                "assumption": item.assumption,
            }
            for item in sheet.parameters
        },
        "warnings": list(sheet.warnings),
    }


def _json(value: object) -> object:
    """Write a quantity as text; a count stays a number unless it has more digits than JSON's readers take."""
    if isinstance(value, Fraction) or (isinstance(value, int) and value.bit_length() > 10_000):
        return units.plain(value)
    return value


def _plain(text: str) -> str:
    from dtmodel.mathtext import text_of

    return text_of(text)


def _shown(item: Parameter) -> str:
    value = item.value
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return _plain(value)
    show_unit = {"bytes": units.show_bytes, "seconds": units.show_seconds, "bytes/s": units.show_rate}.get(item.unit)
    if show_unit is not None:
        return show_unit(Fraction(value))
    return f"{units.show_number(value)} {item.unit}".strip()
