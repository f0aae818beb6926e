"""``dtmodel simulate``: run fluid scenarios, exactly or in floats."""

from __future__ import annotations

from typing import Any

import click

from dtmodel import units
from dtmodel.cli.console import echo_json
from dtmodel.documents import Document, read_documents
from dtmodel.errors import InputError
from dtmodel.fluid import answer
from dtmodel.fluid.simulation import Arithmetic

__all__ = ["command"]


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON answer a line, quantities as exact fractions.")
@click.option("--float", "in_floats", is_flag=True, help="Run in floats, within 1e-9 of the exact answer.")
def command(files: tuple[str, ...], as_json: bool, in_floats: bool) -> None:
    """Run fluid scenarios: first drops, queue lengths, bytes dropped and drained.

    FILE is TOML, JSON or JSON Lines; "-" is standard input. Runs are exact. With --float lengths are within 1e-9 of the
    buffer, bytes lost and sent within 1e-9 of the buffer or what is offered, times within 1e-9 of the end of the run.
    """
    for file in files:
        for document in read_documents(file):
            result = _answer(document, "float" if in_floats else "exact")
            if as_json:
                echo_json(result)
            else:
                click.echo(_readable(result, document))


def _answer(document: Document, arithmetic: Arithmetic) -> dict[str, Any]:
    try:
        return answer(document.content, document.number, arithmetic)
    except InputError as error:
        raise error.within(document.where) from error


def _readable(result: dict[str, Any], document: Document) -> str:
    lines = [f"scenario {result['id']}"]
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


def _bytes(value: str | float) -> str:
    return f"{value:.10g} B" if isinstance(value, float) else units.show_bytes(units.exact(value, "bytes"))


def _seconds(value: str | float) -> str:
    return f"{value:.10g} s" if isinstance(value, float) else units.show_seconds(units.exact(value, "seconds"))
