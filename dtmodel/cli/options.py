"""Options that several commands have."""

from __future__ import annotations

import click

__all__ = ["collection_option"]

collection_option = click.option(
    "--collection",
    "directories",
    multiple=True,
    metavar="FOLDER",
    help="Add the claims in FOLDER; this runs the code in it.",
)
