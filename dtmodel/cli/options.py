"""Options that several commands have."""

from __future__ import annotations

import click

from dtmodel.errors import InputError

__all__ = ["collection_option", "csv_option", "markdown_option", "one_form"]

collection_option = click.option(
    "--collection",
    "directories",
    multiple=True,
    metavar="FOLDER",
    help="Add the claims in FOLDER; this runs the code in it.",
)
csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV, quantities as decimals in base units.")
markdown_option = click.option("--markdown", "as_markdown", is_flag=True, help="Print a table in Markdown.")


def one_form(**asked: bool) -> None:
    """Refuse more than one form of the answer.

    Raises
    ------
    InputError
        Naming the second.

    Examples
    --------
    >>> one_form(csv=True, json=False)
    """
    chosen = [name for name, wanted in asked.items() if wanted]
    if len(chosen) > 1:
        raise InputError(f"--{chosen[1]}", "given", f"one form of the answer; --{chosen[0]} is another")
