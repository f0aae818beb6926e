"""``dtmodel params``: one command for each system, and the printing of parameter sheets."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from dtmodel.base import units
from dtmodel.base.tables import Cells, csv_of, decimal_text
from dtmodel.cli import LazyGroup
from dtmodel.cli.console import console, echo_json
from dtmodel.cli.options import AnswerForm, answer_forms, sheet_options

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from dtmodel.theory.sheet import Check, Sheet, SheetRow

_SYSTEMS = {
    "dt": "Dynamic Threshold: first drop, free buffer, absorbable burst.",
    "edt": "Enhanced Dynamic Threshold: cn2, TM1, TM2.",
    "losspass": "LossPass: absorbable bursts, the reserve B_l, the least K.",
    "dynaq": "DynaQ: thresholds and guarantees of the service queues.",
    "l2bm": "L2BM: weights, thresholds and reserves.",
    "abm": "ABM: weights, thresholds, free buffer, first drop of a burst.",
    "pools": "Shared pool: reserves, weights and limits; packets until a pause or a drop.",
    "profile": "SONiC buffer configuration: checks, thresholds, packets until a pause or a drop.",
    "pfc": "PFC headroom of a cable, by the plain formula and by a vendor's rule.",
}


@click.group(cls=LazyGroup, groups={"Commands": _SYSTEMS}, prefix="params_")
def command() -> None:
    """Compute the parameters for a switch, each with formula, assumptions and source; with warnings."""


def sheet_command(system: str, says: str, **helps: str) -> click.Command:
    """Return a command that prints the sheet of a system, with the help `says` and an option for each setting."""

    @sheet_options(system, **helps)
    @answer_forms
    def command(form: AnswerForm, **given: Any) -> None:
        from dtmodel.studies.parameter_sheets import sheet

        print_sheet(sheet(system, **given), form)

    return click.command(help=says)(command)


def print_sheet(sheet: Sheet, form: AnswerForm = None) -> None:
    """Print a parameter sheet as text, or in another form; JSON has exact values in base units."""
    if form == "json":
        echo_json(_document(sheet))
    elif form == "csv":
        rows = [*map(_csv_row, sheet.parameters), *map(_csv_check, sheet.checks)]
        click.echo(csv_of(_HEADINGS, rows), nl=False)
    elif form == "markdown":
        click.echo(_markdown(sheet))
    else:
        _print(sheet)


def _print(sheet: Sheet) -> None:
    from rich.text import Text

    out, notes = console(), _notes(sheet)
    out.print(Text(_plain(sheet.title), "bold"))
    names, values = (max(len(text) for text in texts) for texts in
                     zip(("", ""), *((item.name, item.shown) for item in sheet.parameters), strict=True))  # fmt: skip
    beside = names <= _NAME and out.width - names - min(values, _VALUE) - 4 >= _MEANING
    for group in sheet.groups():
        if group:
            out.print(Text(f"\n{group}", "bold"))
        rows = [(Text(item.name), Text(item.shown, "bold"), Text(_plain(item.meaning)) + _behind(item, notes))
                for item in sheet.parameters if item.group == group]  # fmt: skip
        _print_rows(out, rows, beside=beside)
    _print_checks(out, sheet)
    if notes:
        out.print()
    for assumption, mark in notes.items():
        out.print(Text.assemble((f"{mark} ", "bold"), ("if: ", "dim"), _plain(assumption)))
    for warning in sheet.warnings:
        out.print(Text.assemble(("warning: ", "bold yellow"), _plain(warning)))


_NAME, _VALUE, _MEANING = 44, 26, 34
"""The largest widths of names and values, and the least width of meanings, for a table in columns."""


def _print_rows(out: Console, rows: list[tuple[Text, Text, Text]], *, beside: bool) -> None:
    """Print each meaning beside its value, or below it if names are long or lines are short."""
    from rich.padding import Padding
    from rich.table import Table

    if beside:
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
        for width in (_NAME, _VALUE, None):
            table.add_column(overflow="fold", max_width=width)
        for row in rows:
            table.add_row(*row)
        out.print(table)
        return
    for name, value, meaning in rows:
        out.print(name + "  " + value)
        out.print(Padding(meaning, (0, 0, 0, 4), expand=False))


def _print_checks(out: Console, sheet: Sheet) -> None:
    from rich.text import Text

    for check in sheet.checks:
        style = {"PASS": "green", "WARN": "yellow", "FAIL": "bold red"}[check.verdict]
        said = (
            f" {check.name}: {check.sentence} ({check.numbers})"
            if check.numbers
            else f" {check.name}: {check.sentence}"
        )
        out.print(Text.assemble((check.verdict, style), said, (f" [{check.claim}]" if check.claim else "", "dim")))


def _notes(sheet: Sheet) -> dict[str, str]:
    said = dict.fromkeys(item.assumption for item in sheet.parameters if item.assumption)
    return {assumption: f"({number})" for number, assumption in enumerate(said, 1)}


def _behind(item: SheetRow, notes: dict[str, str]) -> Text:
    """Return the formula with numbers, the worst case, the source, and the number of the assumption."""
    from rich.text import Text

    lines = ["\n" if item.meaning else "", _equation(item)]
    ends = [_plain(item.source), *([item.claim] if item.claim and item.claim not in item.source else [])]
    if item.worst:
        ends.insert(0, "worst: M = {}, N = {}".format(*item.worst))
    where = "; ".join(end for end in ends if end)
    return Text.assemble(*lines, (f"\n{where}" if where else "", "dim"), f" {notes.get(item.assumption, '')}")


def _equation(item: SheetRow) -> str:
    return _plain(f"${item.equation}$") if item.equation else ""


_HEADINGS = ("group", "name", "value", "unit", "meaning", "formula", "with numbers", "worst M", "worst N", "source",
             "claim", "assumption")  # fmt: skip


def _csv_row(item: SheetRow) -> tuple[object, ...]:
    value = item.value
    number = decimal_text(value) if isinstance(value, int | Fraction) and not isinstance(value, bool) else item.shown
    formula, worked = (_plain(f"${text}$") if text else "" for text in (item.formula, item.worked))
    worst = item.worst or (None, None)
    meaning, source, assumption = map(_plain, (item.meaning, item.source, item.assumption))
    return item.group, item.name, number, item.unit, meaning, formula, worked, *worst, source, item.claim, assumption


def _csv_check(check: Check) -> tuple[object, ...]:
    numbers = (None, check.numbers, None, None, None)
    return "checks", check.name, check.verdict, None, check.sentence, *numbers, check.claim, None


def _markdown(sheet: Sheet) -> str:
    notes, parts = _notes(sheet), [f"# {_plain(sheet.title)}"]
    for group in sheet.groups():
        rows = tuple(
            (item.name, item.shown, _plain(item.meaning), _equation(item),
             "M = {}, N = {}".format(*item.worst) if item.worst else "", _plain(item.source), item.claim,
             notes.get(item.assumption, ""))
            for item in sheet.parameters if item.group == group
        )  # fmt: skip
        parts.append(Cells(group or "values", _COLUMNS, rows).without_empty().markdown())
    if sheet.checks:
        checked = tuple((c.verdict, c.name, c.sentence, c.numbers, c.claim) for c in sheet.checks)
        parts.append(Cells("checks", ("", "check", "reason", "numbers", "claim"), checked).without_empty().markdown())
    lines = [f"- {mark} if: {_plain(assumption)}" for assumption, mark in notes.items()]
    lines += [f"- warning: {_plain(warning)}" for warning in sheet.warnings]
    return "\n\n".join([*parts, "\n".join(lines)]).rstrip()


_COLUMNS = ("name", "value", "meaning", "formula", "worst case", "source", "claim", "if")


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
        **({"checks": [vars(check) for check in sheet.checks]} if sheet.checks else {}),
        **sheet.more,
    }


def _json(value: object) -> object:
    """Return a quantity as text; a count stays a number unless it is too long for readers of JSON."""
    if isinstance(value, Fraction) or (isinstance(value, int) and value.bit_length() > 10_000):
        return units.plain(value)
    return value


def _plain(text: str) -> str:
    from dtmodel.base.mathtext import text_of

    return text_of(text)
