"""The output of the commands: tables and text for people, JSON for programs."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    from dtmodel.base.tables import Cells

_SAY = ("COLUMNS", "LINES", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
"""The environment variables that describe a terminal."""
_HELD = 1_000_000
"""The characters of an answer in parts that are held back, in case an error follows."""
_BLOCK = 100_000
"""The characters that are printed at once after that."""
_IN_ONE_LINE = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def console(*, stderr: bool = False) -> Console:
    """Return a console that prints no markup and escapes control characters; without a terminal it has 120 columns."""
    from rich.console import Console
    from rich.segment import Segment

    from dtmodel.base.errors import printable

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            for part in super().render(renderable, options):
                lines = part.text.split("\n")
                yield part if part.control else Segment("\n".join(map(printable, lines)), part.style)

    stream = sys.stderr if stderr else sys.stdout
    columns = os.environ.get("COLUMNS", "")
    chosen = int(columns) if columns.isdecimal() and len(columns) < 5 else 0
    width = max(40, chosen) if chosen else None if stream.isatty() else 120
    return Plain(file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def look() -> str:
    """Return the properties of the terminal that decide how tables are printed, as a key for cached output."""
    terminal = os.get_terminal_size(sys.stdout.fileno()) if sys.stdout.isatty() else None
    return repr((terminal, {name: os.environ.get(name) for name in _SAY}))


def print_cells(out: Console, cells: Cells) -> None:
    """Print a table of text under its title; if it is too wide, gaps shrink, then quantities break, then words."""
    from rich.table import Table
    from rich.text import Text

    columns = list(zip(cells.headings, *cells.rows, strict=True))
    gap, widths = next(
        (gap, widths)
        for whole, gap in ((True, 2), (True, 1), (False, 2), (False, 1), (False, 0))
        if (widths := _widths(columns, out.width - gap * (len(columns) - 1), whole)) or not gap
    )
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, gap or 2, 0, 0))
    for index, column in enumerate(columns):
        table.add_column(column[0], overflow="fold", width=widths[index] if widths else None)
    for first, *rest in cells.rows:
        table.add_row(Text(first, "bold"), *map(Text, rest))
    out.print(Text(cells.title, "bold"))
    out.print(table)


def _widths(columns: Sequence[Sequence[str]], room: int, whole: bool = False) -> list[int] | None:
    """Return column widths within `room`: each the longest word, and the rest shared evenly; None if impossible.

    With `whole` a quantity and its unit are one word.

    >>> _widths([["name", "static partition"], ["lost", "5 MB"]], 13), _widths([["name"]], 3)
    ([9, 4], None)
    >>> _widths([["lost", "12 MB"]], 4), _widths([["lost", "12 MB"]], 4, whole=True)
    ([4], None)
    """
    part = r"(?<!\d) | (?![A-Za-z]+$)" if whole else " "
    least = [max(len(word) for cell in column for word in re.split(part, cell)) for column in columns]
    wanted = [max(map(len, column)) for column in columns]
    if sum(least) > room:
        return None
    left, widths = room - sum(least), list(least)
    for waiting, index in enumerate(sorted(range(len(columns)), key=lambda i: wanted[i] - least[i])):
        more = min(wanted[index] - least[index], left // (len(columns) - waiting))
        widths[index], left = least[index] + more, left - more
    return widths


def echo_json(document: Any, indent: int | None = None) -> None:
    """Print a document as JSON, on one line unless `indent` is given; a lone surrogate is printed as an escape."""
    print(as_text(document, indent), flush=True)


def as_text(document: Any, indent: int | None = None) -> str:
    """Write a document as JSON."""
    text = _IN_ONE_LINE(document) if indent is None else json.dumps(document, indent=indent, ensure_ascii=False)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def echo_parts(parts: Iterable[str]) -> None:
    """Print a text that is computed in parts: a short one only if all parts succeed, a long one in blocks."""
    held, size, most = [], 0, _HELD
    for part in parts:
        held.append(part)
        size += len(part)
        if size > most:
            click.echo("".join(held), nl=False)
            held, size, most = [], 0, _BLOCK
    click.echo("".join(held), nl=False)
