"""``dtmodel trace``: run packet-level algorithms on lists of events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtmodel.base.documents import read_documents
from dtmodel.base.errors import InputError
from dtmodel.base.extras import need
from dtmodel.base.tables import csv_of
from dtmodel.cli import _pictures
from dtmodel.cli.console import as_text, console, echo_parts
from dtmodel.cli.options import one_form, picture_option
from dtmodel.cli.samples import sample_options
from dtmodel.packet import ALGORITHMS, stream, trace

if TYPE_CHECKING:
    from rich.console import Console

    from dtmodel.packet import TraceStream

_COMMON = ("decision", "packet", "victim")


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@sample_options("trace", ALGORITHMS, "trace-{}", "ALGORITHM")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one line for each trace, written in parts if long.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV, a row for each step.")
@picture_option("--save", "Draw the traces into PNG, PDF or SVG files, numbered if several.")
@click.option("--changes", is_flag=True, help="Print only the values that differ from the step before.")
def command(files: tuple[str, ...], as_json: bool, as_csv: bool, save: Path | None, changes: bool) -> None:
    """Run LossPass, DynaQ, L2BM or EDT on the events in FILE (JSON, JSON Lines or TOML; "-" is standard input)."""
    one_form(json=as_json, csv=as_csv)
    if save:
        need("matplotlib")
    rows: list[dict[str, str]] = []
    figures = []
    for document in (document for file in files for document in read_documents(file)):
        request = {"id": document.number, **document.content}
        try:
            if as_csv:
                rows += _rows(request, changes)
            else:
                _answer(request, as_json, changes)
            if save:
                from dtmodel.companion.witness_pictures import witness_picture

                figures.append(witness_picture("trace", request, trace(request)))
        except InputError as error:
            raise error.within(document.where) from error
    if as_csv:
        headings = list(dict.fromkeys(name for row in rows for name in row))
        click.echo(csv_of(headings, [[row.get(heading, "") for heading in headings] for row in rows]), nl=False)
    if save:
        _pictures.draw_into(save, figures)


def _answer(request: dict[str, Any], as_json: bool, changes: bool) -> None:
    if as_json:
        answer = stream(request)
        echo_parts(_parts(answer.changes() if changes else answer))
    else:
        whole = _whole(request, changes)
        out = console()
        out.print(f"{request['algorithm']} {whole['id']}", style="bold")
        print_steps(out, request["events"], whole)


def _whole(request: dict[str, Any], changes: bool) -> dict[str, Any]:
    return stream(request).changes().collect() if changes else trace(request)


def _rows(request: dict[str, Any], changes: bool) -> Iterator[dict[str, str]]:
    whole = _whole(request, changes)
    for number, (event, step) in enumerate(zip(request["events"], whole["steps"], strict=True)):
        said = {key: "" if value is None else _cell(value) for key, value in step.items()}
        yield {"id": str(whole["id"]), "step": str(number), "event": _cell(event)} | said


def _parts(answer: TraceStream) -> Iterator[str]:
    yield f'{{"id": {as_text(answer.id)}, "steps": ['
    for number, step in enumerate(answer.steps):
        yield (", " if number else "") + as_text(step)
    yield f'], "final": {as_text(answer.final())}}}\n'


def print_steps(out: Console, events: Sequence[Any], answer: Mapping[str, Any]) -> None:
    """Print the steps of a trace as a table, then its final state."""
    from rich.table import Table
    from rich.text import Text

    steps = answer["steps"]
    extra = [key for key in (steps[0] if steps else {}) if key not in (*_COMMON, "reason")]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right")
    for title in ("event", *_COMMON, *extra, "reason"):
        table.add_column(title, overflow="fold")
    for number, (event, step) in enumerate(zip(events, steps, strict=True)):
        cells = [_cell(step.get(key)) for key in (*_COMMON, *extra, "reason")]
        table.add_row(str(number), *(Text(cell) for cell in (_cell(event), *cells)))
    out.print(table)
    for key, value in answer["final"].items():
        out.print(Text.assemble((f"final {key}: ", "dim"), _cell(value) or "none"))


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, Mapping):
        return " ".join(f"{key}={_cell(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return " ".join(
            f"({_cell(item)})" if isinstance(item, list | tuple | Mapping) else _cell(item) for item in value
        )
    return str(value)
