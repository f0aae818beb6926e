"""``dtmodel trace``: run packet-level algorithms on lists of events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from dtmodel.cli.console import console, echo_json
from dtmodel.documents import Document, read_documents
from dtmodel.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["command", "print_steps"]

_COMMON = ("decision", "packet", "victim")


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON answer a line.")
def command(files: tuple[str, ...], as_json: bool) -> None:
    """Run LossPass, DynaQ, L2BM or EDT on the events in FILE: JSON, JSON Lines or TOML; "-" is standard input."""
    for file in files:
        for document in read_documents(file):
            answer = _answer(document)
            if as_json:
                echo_json(answer)
            else:
                out = console()
                out.print(f"{document.content['algorithm']} {answer['id']}", style="bold")
                print_steps(out, document.content.get("events", []), answer)


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


def _answer(document: Document) -> dict[str, Any]:
    from dtmodel.packet import trace

    try:
        request = dict(document.content)
        request.setdefault("id", document.number)
        return trace(request)
    except InputError as error:
        raise error.within(document.where) from error


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
