"""``dtmodel show``: one claim with everything behind its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from dtmodel.cli.console import as_text, console, look
from dtmodel.cli.options import collection_option
from dtmodel.cli.progress import say
from dtmodel.errors import InputError

if TYPE_CHECKING:
    from dtmodel.ledger import Collection
    from dtmodel.papers.kept import Kept

_PARTS = 8
"""Of how many claims at the most one page is made."""


@click.command()
@click.argument("claim", metavar="ID")
@collection_option
@click.option("--no-cache", is_flag=True, help="Run the evidence again.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(claim: str, directories: tuple[str, ...], no_cache: bool, as_json: bool) -> None:
    """Show the claim ID: statement, source, verdict, code, tests, evidence, witness, figures, Coq statement.

    Of an equation whose parts are claims, such as dynaq.eq6, it shows every part; in JSON they are a list.
    """
    from dtmodel.papers.kept import Kept

    kept = Kept(directories)

    def make() -> str:
        known = None if no_cache else kept.get("claims", claim)
        found = [known] if known else _made(claim, directories, kept, cached=not no_cache)
        return _shown(found, as_json, whole=[item["id"] for item in found] == [claim])

    form = "json" if as_json else look()
    text = make() if no_cache else kept.once("shown", f"{form} {claim}", make)
    click.echo(text, nl=False, color=True)


def _shown(claims: Sequence[dict[str, Any]], as_json: bool, *, whole: bool) -> str:
    """Write what is known of a claim, or of the parts of one, with where they are computed and tested."""
    from dtmodel.papers.places import equation_code, equation_tests

    places = (("code", equation_code), ("tests", equation_tests))
    documents = [
        item | {name: [f"{file}:{line} ({word})" for file, line, word in find(item["id"])] for name, find in places}
        for item in claims
    ]
    if as_json:
        return as_text(documents[0] if whole else documents, indent=1) + "\n"
    from dtmodel.ledger.terminal import print_claim

    with (out := console()).capture() as said:
        for number, item in enumerate(documents):
            if number:
                out.print()
            print_claim(out, item, item["coq_statements"])
    return said.get()


def _made(claim: str, directories: tuple[str, ...], kept: Kept, *, cached: bool) -> list[dict[str, Any]]:
    """Run the evidence for a claim, or its parts, and all that it rests on; keep what is as recorded."""
    from dtmodel.papers.made import Made, keep
    from dtmodel.papers.roots import load

    collection = load(directories)
    parts = [claim] if claim in collection.claims else list(collection.select([claim]))
    if len(parts) > _PARTS or ("." not in claim and parts != [claim]):
        raise InputError("ID", claim, f"the id of one claim; below it are {', '.join(parts[:6])}, ...")
    ids = list(_below(parts, collection))
    report = Made.of(collection).report(collection, ids, cached=cached, say=say)
    return sorted(keep(report, kept, parts), key=lambda item: str(item["id"]))


def _below(claims: Sequence[str], collection: Collection) -> Iterator[str]:
    """Yield claims, those that correct them and those that their words name, and so on."""
    todo, seen = list(claims), {""}
    while todo:
        name = todo.pop()
        if name not in seen and name in collection.claims:
            yield name
            seen.add(name)
            todo += [collection.claims[name].corrected, *collection.claims[name].named]
