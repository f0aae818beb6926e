"""``dtmodel figure``: redraw a published figure beside the published numbers."""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtmodel.base import units
from dtmodel.cli._pictures import save_as
from dtmodel.cli.console import console, echo_json
from dtmodel.companion import figures

if TYPE_CHECKING:
    from dtmodel.plot.published import Row


@click.command()
@click.argument("names", nargs=-1, metavar="ID...")
@click.option("--output", "-o", "folder", default="build/figures", show_default=True, help="Folder for the pictures.")
@click.option("--json", "as_json", is_flag=True, help="Print the data as JSON, one line for each figure.")
def command(names: tuple[str, ...], folder: str, as_json: bool) -> None:
    """Redraw published figures as PNG and SVG (ID such as edt.fig13; without an ID, list all figures)."""
    if not names:
        _list(as_json=as_json)
    for name in names:
        figures.script(name)
    for name in names:
        made = figures.redraw(name)
        pictures = _save(made.figure, Path(folder), name)
        if as_json:
            shown = {"id": name, "caption": made.caption, "data": _jsonable(made.data), "published": made.rows}
            echo_json(shown | {"pictures": list(map(str, pictures))})
        else:
            _show(name, made.caption, made.rows, pictures)


def _list(*, as_json: bool) -> None:
    captions, undrawn = figures.captions(), figures.undrawn()
    if as_json:
        for name, caption in captions.items():
            echo_json({"id": name, "caption": caption})
        for name, why in undrawn.items():
            echo_json({"id": name, "not_drawn": why})
        return
    for name, caption in captions.items():
        click.echo(f"{name}  {caption.partition(chr(10))[0]}")
    click.echo("\nNot drawn:")
    for name, why in undrawn.items():
        click.echo(f"{name}  {why}")


def _save(figure: Any, folder: Path, name: str) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    return [path for kind in ("png", "svg") for path in save_as(folder / f"{name}.{kind}", [figure], dpi=150)]


def _show(name: str, caption: str, rows: list[Row], pictures: list[Path]) -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    out.print(Text.assemble((name, "bold"), f"  {caption}"))
    if rows:
        table = Table("quantity", "published", "computed", "difference")
        for row in rows:
            table.add_row(*row)
        out.print(table)
    for path in pictures:
        out.print(f"wrote {path}")


def _jsonable(value: Any) -> Any:
    if isinstance(value, Fraction):
        return units.plain(value)
    if is_dataclass(value) and not isinstance(value, type):
        return _jsonable(asdict(value))
    if isinstance(value, dict):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in value]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return str(value)
