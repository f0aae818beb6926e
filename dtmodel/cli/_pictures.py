"""Saving pictures that a command has drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dtmodel.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def save_as(path: Path, figures: Sequence[Figure], option: str = "--save") -> None:
    """Save figures; several are numbered. `option` names the path in errors.

    Raises `InputError` if a file cannot be written, or its name does not end as a picture's.
    """
    for number, figure in enumerate(figures, 1):
        target = path if len(figures) == 1 else path.with_stem(f"{path.stem}-{number}")
        try:
            figure.savefig(target)
        except (OSError, ValueError) as error:
            raise InputError(option, str(target), f"a PNG, PDF or SVG file that can be written ({error})") from error
        click.echo(f"drawn: {target}", err=True)
