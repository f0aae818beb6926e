"""``dtmodel search``: claims, theorems, figures, notebooks, guides and commands by topic."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from dtmodel.cli.console import as_text, console
from dtmodel.cli.options import Word, collection_option
from dtmodel.companion.searching import KINDS

_LONGEST = 240
"""The most characters of a statement that are printed."""


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@click.option("--kind", "kinds", multiple=True, type=Word(KINDS), help="Only this kind (repeatable).")
@click.option("-n", "--most", default=10, show_default=True, type=click.IntRange(min=1),
              help="Largest number of results.")  # fmt: skip
@collection_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    words: tuple[str, ...], kinds: tuple[str, ...], most: int, directories: tuple[str, ...], as_json: bool
) -> None:
    """Find claims, theorems, figures, notebooks, guides and commands about WORDS, the best match first.

    Forms of a word, common synonyms and words that are nearly spelt so match, too. Without options every kind is
    searched. To read what is found, type the line below it.
    """
    from dtmodel.companion import search

    found = search(" ".join(words), kinds, most, directories)
    if as_json:
        click.echo(as_text(found, indent=1))
    else:
        _show(found)
    if not found:
        click.echo(f"nothing matches {' '.join(words)}; dtmodel ledger lists every claim", err=True)


def _show(found: Sequence[Mapping[str, Any]]) -> None:
    from textwrap import TextWrapper

    from rich.text import Text

    from dtmodel.base.mathtext import text_of
    from dtmodel.ledger.terminal import STYLES

    out = console()
    wrap = TextWrapper(out.width, "  ", "  ", break_on_hyphens=False).fill
    for row in found:
        text, verdict = text_of(row["text"]), row["verdict"] or ""
        short = text if len(text) <= _LONGEST else f"{text[:_LONGEST].rpartition(' ')[0]} ..."
        marks: list[str | tuple[str, str]] = [(verdict, STYLES.get(verdict, "")), "  "] if verdict else []
        out.print(Text.assemble((row["id"], "bold"), "  ", *marks, (row["kind"], "dim")), soft_wrap=True)
        out.print(Text(wrap(short)), soft_wrap=True)
        out.print(Text(wrap("; ".join(row["see"])), "dim"), soft_wrap=True)
