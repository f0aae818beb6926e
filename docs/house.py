"""The page "The house": a picture of the package's rooms and the imports between them, drawn from the code."""

from collections.abc import Mapping
from html import escape
from importlib import import_module
from pathlib import Path

import grimp

WIDTH, ROW, BOX, HEIGHT = 860, 92, 118, 44
_OWN = ("__init__", "__main__")


def rooms() -> dict[str, set[str]]:
    """Return the rooms of the package, each with the rooms whose modules it imports, lazily or for types included.

    Examples
    --------
    >>> rooms()["ledger"]
    {'base'}
    """
    graph = grimp.build_graph("dtmodel", exclude_type_checking_imports=False, cache_dir=None)
    found: dict[str, set[str]] = {}
    for module in graph.modules:
        if room := _room(module):
            others = {_room(other) for other in graph.find_modules_directly_imported_by(module)}
            found.setdefault(room, set()).update(others - {room, ""})
    return found


def floors(arrows: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the rooms floor by floor from the top: a room stands above every room that it imports.

    Parameters
    ----------
    arrows : mapping
        For each room the rooms that it imports; without a circle.

    Raises
    ------
    ValueError
        If rooms import each other in a circle.

    Examples
    --------
    >>> floors({"cli": {"fluid"}, "fluid": {"base"}, "base": set(), "lab": {"fluid"}})
    [['cli', 'lab'], ['fluid'], ['base']]
    """
    left, found = dict(arrows), list[list[str]]()
    while left:
        ground = sorted(room for room, below in left.items() if not below & left.keys())
        if not ground:
            raise ValueError(f"{', '.join(sorted(left))} import each other in a circle")
        found.insert(0, ground)
        left = {room: below for room, below in left.items() if room not in ground}
    return found


def picture(arrows: Mapping[str, set[str]]) -> str:
    """Return an SVG of the rooms: an arrow for each import that no longer way through other rooms implies.

    Examples
    --------
    >>> drawn = picture({"cli": {"base", "fluid"}, "fluid": {"base"}, "base": set()})
    >>> drawn.count("<rect"), drawn.count("<line")
    (3, 2)
    """
    levels = floors(arrows)
    places = {
        room: (WIDTH * (2 * i + 1) // (2 * len(level)), 30 + ROW * n)
        for n, level in enumerate(levels)
        for i, room in enumerate(level)
    }
    lines = "".join(_line(places[room], places[other]) for room, other in _shown(arrows))
    boxes = "".join(_box(room, *place) for room, place in places.items())
    return (
        f'<svg viewBox="0 0 {WIDTH} {ROW * len(levels)}" role="img" aria-label="The rooms of the package and their '
        'imports, from the top floor down" xmlns="http://www.w3.org/2000/svg" style="max-width: 100%">'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="currentColor"/></marker></defs>'
        f"{lines}{boxes}</svg>"
    )


def page(source: Path) -> str:
    """Return the page: the written guide with the picture and a table of the rooms put in.

    Parameters
    ----------
    source : Path
        The guide, with the lines ``{{picture}}`` and ``{{rooms}}`` where these belong.
    """
    arrows = rooms()
    rows = "\n".join(
        f"| `{room}` | {_summary(room)} | {', '.join(f'`{other}`' for other in sorted(arrows[room]))} |"
        for level in floors(arrows)
        for room in level
    )
    table = f"| room | holds | imports |\n|---|---|---|\n{rows}"
    text = source.read_text(encoding="utf-8")
    return text.replace("{{picture}}", f"```{{raw}} html\n{picture(arrows)}\n```").replace("{{rooms}}", table)


def _room(module: str) -> str:
    name = [*module.split("."), ""][1]
    return "" if name in _OWN else name


def _shown(arrows: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """Return the arrows without those that a way through other rooms implies."""

    def below(room: str) -> set[str]:
        return arrows[room].union(*map(below, arrows[room]))

    return [
        (room, other)
        for room in sorted(arrows)
        for other in sorted(arrows[room])
        if not any(other in below(between) for between in arrows[room])
    ]


def _line(start: tuple[int, int], end: tuple[int, int]) -> str:
    return (
        f'<line x1="{start[0]}" y1="{start[1] + HEIGHT // 2}" x2="{end[0]}" y2="{end[1] - HEIGHT // 2}" '
        'stroke="currentColor" stroke-opacity="0.55" marker-end="url(#tip)"/>'
    )


def _box(room: str, x: int, y: int) -> str:
    return (
        f'<g><title>{escape(_summary(room))}</title><rect x="{x - BOX // 2}" y="{y - HEIGHT // 2}" width="{BOX}" '
        f'height="{HEIGHT}" rx="6" fill="Canvas" stroke="currentColor"/>'
        f'<text x="{x}" y="{y + 5}" text-anchor="middle" fill="CanvasText" font-size="15">{room}</text></g>'
    )


def _summary(room: str) -> str:
    try:
        about = import_module(f"dtmodel.{room}").__doc__ or ""
    except ModuleNotFoundError:  # a test's room
        about = room
    return about.partition("\n")[0].replace("|", "\\|")
