"""``dtmodel replay``: replay the witness of a claim, and compare the result with the claim."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtmodel.base.errors import InputError
from dtmodel.base.extras import need
from dtmodel.cli.console import console, echo_json
from dtmodel.cli.options import collection_option, picture_option

if TYPE_CHECKING:
    from rich.console import Console


@click.command()
@click.argument("claim", metavar="ID")
@collection_option
@picture_option("--save", "Draw the replay into FILE (PNG, PDF or SVG).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(claim: str, directories: tuple[str, ...], save: Path | None, as_json: bool) -> int:
    """Replay the witness of the claim ID, and compare the result with the claim."""
    from dtmodel.companion import replay

    if save:
        need("matplotlib")
    replays = replay(claim, directories)
    if as_json:
        echo_json(replays, indent=1)
    else:
        for item in replays:
            _print(console(), item)
    if save:
        _draw(replays, save)
    return 1 if any(item["fault"] for item in replays) else 0


def _print(out: Console, item: Mapping[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    from dtmodel.base.mathtext import text_of
    from dtmodel.cli.trace import print_steps

    out.print(Text.assemble((item["claim"], "bold"), f"  {item['evidence']}"))
    if item["says"]:
        out.print(Text(text_of(item["says"])))
    if item["kind"] == "values":
        _print_values(out, item)
    else:
        if item["kind"] == "trace":
            print_steps(out, item["data"].get("events", []), item["answer"])
        else:
            out.print(Text("scenario: " + json.dumps(item["data"]), "dim"))
        table = Table(box=None, pad_edge=False, header_style="bold")
        for title in ("", "engine answers", "claim says", ""):
            table.add_column(title, overflow="fold")
        for path, claimed, found in _leaves(item["claimed"], item["answer"]):
            mark = "" if found == claimed else "differs"
            table.add_row(*(Text(_text(cell)) for cell in (path, found, claimed)), Text(mark, "red"))
        out.print(table)
    if item["fault"]:
        out.print(Text(item["fault"], "bold red"))
    out.print()


def _print_values(out: Console, item: Mapping[str, Any]) -> None:
    from rich.text import Text

    data, answer = item["data"], item["answer"]
    out.print(Text("at " + ", ".join(f"{name} = {_text(value)}" for name, value in data["values"].items())))
    for text, holds in zip(data.get("hypotheses", []), answer.get("hypotheses", []), strict=False):
        out.print(Text.assemble(f"  {text}: ", ("true", "green") if holds else ("FALSE", "bold red")))
    holds = answer.get("statement")
    out.print(Text.assemble(f"  statement {data['statement']}: ", ("true", "bold red") if holds else ("false", "red")))


def _leaves(claimed: object, found: object, path: str = "") -> list[tuple[str, Any, Any]]:
    """Return the path, the claimed and the computed value of each number."""
    if isinstance(claimed, Mapping) and isinstance(found, Mapping):
        return [leaf for key in claimed for leaf in _leaves(claimed[key], found.get(key), f"{path}.{key}".strip("."))]
    if isinstance(claimed, list) and isinstance(found, list) and len(claimed) == len(found):
        pairs = enumerate(zip(claimed, found, strict=True))
        return [leaf for n, (a, b) in pairs for leaf in _leaves(a, b, f"{path}[{n}]")]
    return [(path, claimed, found)]


def _text(value: object) -> str:
    return "-" if value is None else value if isinstance(value, str) else json.dumps(value)


def _draw(replays: list[dict[str, Any]], path: Path) -> None:
    from dtmodel.cli import _pictures
    from dtmodel.companion.witness_pictures import witness_picture

    drawable = [item for item in replays if item["kind"] != "values"]
    if not drawable:
        raise InputError("--save", str(path), "a witness with queues; this one is a set of numbers")
    _pictures.draw_into(path, [witness_picture(item["kind"], item["data"], item["answer"]) for item in drawable])
