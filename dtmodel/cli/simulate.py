"""``dtmodel simulate``: run fluid scenarios exactly."""

from __future__ import annotations

from typing import Any

import click

from dtmodel import units
from dtmodel.cli.console import echo_json
from dtmodel.documents import Document, read_documents
from dtmodel.errors import InputError
from dtmodel.fluid import answer

__all__ = ["command"]


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON answer a line, quantities as exact fractions.")
def command(files: tuple[str, ...], as_json: bool) -> None:
    """Run fluid scenarios exactly: first drops, queue lengths, bytes dropped and drained.

    FILE is TOML, JSON or JSON Lines; "-" is standard input.
    """
    for file in files:
        for document in read_documents(file):
            result = _answer(document)
            if as_json:
                echo_json(result)
            else:
                click.echo(_readable(result, document))


def _answer(document: Document) -> dict[str, Any]:
    try:
        return answer(document.content, document.number)
    except InputError as error:
        raise error.within(document.where) from error


def _readable(result: dict[str, Any], document: Document) -> str:
    lines = [f"scenario {result['id']}"]
    for port, first in enumerate(result["first_drop"]):
        lost, sent = (units.show_bytes(units.exact(result[key][port], key)) for key in ("dropped", "drained"))
        if first is None:
            drop = "no drop"
        else:
            free = units.show_bytes(units.exact(result["free_at_first_drop"][port], "free"))
            drop = f"first drop at {units.show_seconds(units.exact(first, 'first_drop'))} with {free} free"
        lines.append(f"  queue {port}: {drop}; dropped {lost}, drained {sent}")
    for time, lengths in zip(document.content.get("sample", []), result["queues"], strict=True):
        row = ", ".join(units.show_bytes(units.exact(length, "queues")) for length in lengths)
        lines.append(f"  at {units.show_seconds(units.seconds(time, 'sample'))}: {row}")
    return "\n".join(lines)
