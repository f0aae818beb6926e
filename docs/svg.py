"""Pictures of matplotlib for the site: SVG with text as text, and with no more digits than a screen can show."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from dtmodel.cli._pictures import save_as

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PLACES = re.compile(r'\s(?:d|x|y)="[^"]*')
_NUMBER = re.compile(r"-?\d+\.\d{3,}")


def save(path: Path, figure: "Figure") -> None:
    """Save a figure as SVG, a third as large as matplotlib writes it."""
    from matplotlib import rc_context

    with rc_context({"svg.fonttype": "none"}):
        save_as(path, [figure], metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    path.write_text(slim(path.read_text(encoding="utf-8")), encoding="utf-8")


def slim(svg: str) -> str:
    r"""Round coordinates to hundredths of a point, and take away the breaks of lines.

    Examples
    --------
    >>> slim('<path d="M 43.088521 -54.996152 \nL 44.5 1"/>\n<use x="1.0000001"/>')
    '<path d="M 43.09 -55 L 44.5 1"/> <use x="1"/>'
    """
    rounded = _PLACES.sub(lambda places: _NUMBER.sub(_rounded, places[0]), svg)
    return re.sub(r"\s*\n\s*", " ", rounded)


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
