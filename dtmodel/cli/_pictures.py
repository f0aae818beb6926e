"""Files for the pictures that a command has drawn."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtmodel.base.files import whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def save_as(path: Path, figures: Sequence[Figure], **style: Any) -> list[Path]:
    """Save figures and return their files, numbered if several; the suffix is the kind of picture."""
    targets = [path] if len(figures) == 1 else [path.with_stem(f"{path.stem}-{n + 1}") for n in range(len(figures))]
    for figure, target in zip(figures, targets, strict=True):
        picture = BytesIO()  # Matplotlib raises other errors than OSError if a PDF cannot be written
        figure.savefig(picture, format=target.suffix[1:].lower(), **style)
        with whole_file(target) as file:
            file.write(picture.getvalue())
    return targets


def draw_into(path: Path, figures: Sequence[Figure]) -> None:
    """Save figures and print the names of their files."""
    for target in save_as(path, figures):
        click.echo(f"drawn: {target}", err=True)
