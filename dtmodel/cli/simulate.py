"""``dtmodel simulate``: run fluid scenarios, exactly or in floats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from dtmodel.base import units
from dtmodel.base.documents import Document, read_documents
from dtmodel.base.errors import InputError
from dtmodel.base.extras import need
from dtmodel.base.tables import csv_of, decimal_text
from dtmodel.cli import _pictures
from dtmodel.cli.console import echo_json
from dtmodel.cli.options import one_form, picture_option
from dtmodel.cli.samples import sample_options

EXAMPLES = ("dt", "edt", "complete", "static", "weighted", "abm", "l2bm", "pools", "hierarchy")
"""The policies with an example; the fluid model does not run the other ones."""
_TOGETHER = 20_000
"""The approximate number of queues of the lines of a file that are answered together."""


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@sample_options("scenario", EXAMPLES, "scenario", "POLICY")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one line for each scenario, with exact fractions.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV, a row for each queue, decimals in base units.")
@picture_option("--save", "Draw the runs into PNG, PDF or SVG files, numbered if several.")
@click.option("--float", "in_floats", is_flag=True, help="Compute in floats, within 1e-9 of the exact answer.")
def command(files: tuple[str, ...], as_json: bool, as_csv: bool, save: Path | None, in_floats: bool) -> None:
    """Run fluid scenarios: first drops, queue lengths, bytes dropped and drained.

    FILE is TOML, JSON or JSON Lines; "-" is standard input. Runs are exact by default. With --float, errors of lengths
    are within 1e-9 of the buffer, those of dropped and drained bytes within 1e-9 of the buffer or of the arrivals, and
    those of times within 1e-9 of the end of the run, unless a rate would fill the buffer more than 2^18 times until
    then; the answer says if an exact run was rounded instead.
    """
    one_form(json=as_json, csv=as_csv)
    if save:
        need("matplotlib")
    table = _Table()
    figures = []
    for document, result in _answers(files, in_floats):
        if as_csv:
            table.add(result, document)
        elif as_json:
            echo_json(result)
        else:
            click.echo(_readable(result, document))
        if save:
            from dtmodel.companion.witness_pictures import witness_picture

            figures.append(witness_picture("fluid", {"id": document.number, **document.content}, result))
    if as_csv:
        click.echo(table.text(), nl=False)
    if save:
        _pictures.draw_into(save, figures)


class _Table:
    """The answers as rows, one for each queue, with a column for each sample time."""

    def __init__(self) -> None:
        self.rows: list[dict[str, str]] = []
        self.times: dict[str, None] = {}

    def add(self, result: dict[str, Any], document: Document) -> None:
        times = [f"length at {_decimal(time)} s (bytes)" for time in document.content.get("sample", [])]
        self.times.update(dict.fromkeys(times))
        for queue, first in enumerate(result["first_drop"]):
            numbers = {
                "first_drop (s)": first, "free_at_first_drop (bytes)": result["free_at_first_drop"][queue],
                "dropped (bytes)": result["dropped"][queue], "drained (bytes)": result["drained"][queue],
            } | {time: lengths[queue] for time, lengths in zip(times, result["queues"], strict=True)}  # fmt: skip
            row = {name: "" if number is None else _decimal(number) for name, number in numbers.items()}
            self.rows.append({"id": str(result["id"]), "queue": str(queue)} | row)

    def text(self) -> str:
        names = ("id", "queue", "first_drop (s)", "free_at_first_drop (bytes)", "dropped (bytes)", "drained (bytes)")
        headings = [*names, *self.times]
        return csv_of(headings, [[row.get(heading, "") for heading in headings] for row in self.rows])


def _decimal(value: str | float) -> str:
    return repr(value) if isinstance(value, float) else decimal_text(units.seconds(value, "a number"))


def _answers(files: Sequence[str], in_floats: bool) -> Iterator[tuple[Document, dict[str, Any]]]:
    """Yield all documents with their answers; many lines of a file in floats are few calls of the core."""
    from dtmodel.fluid.lines import answers
    from dtmodel.fluid.scenario import Scenario
    from dtmodel.fluid.simulation import exact_answer

    for group, wrong in _groups(files, _TOGETHER if in_floats and "-" not in files else 0):
        if in_floats:
            found = answers([(each.content, each.number) for each in group])
        else:
            found = (exact_answer(Scenario.read(each.content, each.number)) for each in group)
        for document in group:
            try:
                yield document, next(found)
            except InputError as error:
                raise error.within(document.where) from error
        if wrong:
            raise wrong


def _groups(files: Sequence[str], most: int) -> Iterator[tuple[list[Document], InputError | None]]:
    """Yield documents together until they have `most` queues, and the error that ends them, if one does."""
    group, size = list[Document](), 0
    try:
        for document in (document for file in files for document in read_documents(file)):
            group.append(document)
            queues = document.content.get("queues")
            size += 1 + (len(queues) if isinstance(queues, list) else 0)
            if size >= most:
                yield group, None
                group, size = [], 0
    except InputError as error:
        yield group, error
        return
    yield group, None


def _readable(result: dict[str, Any], document: Document) -> str:
    lines = [f"scenario {result['id']}{_how(result)}"]
    for port, first in enumerate(result["first_drop"]):
        lost, sent = (_bytes(result[key][port]) for key in ("dropped", "drained"))
        if first is None:
            drop = "no drop"
        else:
            drop = f"first drop at {_seconds(first)} with {_bytes(result['free_at_first_drop'][port])} free"
        lines.append(f"  queue {port}: {drop}; dropped {lost}, drained {sent}")
    for time, lengths in zip(document.content.get("sample", []), result["queues"], strict=True):
        row = ", ".join(map(_bytes, lengths))
        lines.append(f"  at {units.show_seconds(units.seconds(time, 'sample'))}: {row}")
    return "\n".join(lines)


def _how(result: dict[str, Any]) -> str:
    """Return the arithmetic and the engine of a run in floats; empty if the run is exact."""
    if "engine" not in result:
        return ""
    if result["arithmetic"] == "rounded":
        return " (exact, rounded: the native core is missing or does not decide)"
    return f" (floats within {result['error_bound']:.0e}, native core)"


def _bytes(value: str | float) -> str:
    return f"{value:.10g} B" if isinstance(value, float) else units.show_bytes(units.exact(value, "bytes"))


def _seconds(value: str | float) -> str:
    return f"{value:.10g} s" if isinstance(value, float) else units.show_seconds(units.exact(value, "seconds"))
