"""Options that several commands have."""

from collections.abc import Callable
from typing import Any, Literal, final

import click

AnswerForm = Literal["json", "csv", "markdown"] | None
"""How an answer is printed; None: for a person at a terminal."""


@final
class SecondsRange(click.FloatRange):
    """A range of seconds up to a thousand million: more than that no clock is asked to wait."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return a value that is a number and in the range."""
        seconds: float = super().convert(value, param, ctx)
        if not seconds <= 1e9:
            self.fail(f"{value!r} is not a number of seconds up to 1e9.", param, ctx)
        return seconds


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
