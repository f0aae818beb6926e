"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import click

AnswerForm = Literal["json", "csv", "markdown"] | None
"""How an answer is printed; None: for a person at a terminal."""

collection_option = click.option(
    "--collection",
    "directories",
    multiple=True,
    metavar="FOLDER",
    help="Add the claims in FOLDER; this runs the code in it.",
)


def answer_forms(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options ``--json``, ``--csv`` and ``--markdown``, and the argument `form` that they set."""
    for option in (
        click.option("--markdown", "form", flag_value="markdown", help="Print tables in Markdown."),
        click.option("--csv", "form", flag_value="csv", help="Print CSV, quantities as decimals in base units."),
        click.option("--json", "form", flag_value="json", help="Print JSON, quantities as exact fractions."),
    ):
        command = option(command)
    return command
