"""``dtmodel show``: one claim with everything behind its verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from dtmodel.cli.console import console, echo_json
from dtmodel.cli.options import collection_option
from dtmodel.cli.progress import say
from dtmodel.errors import InputError

if TYPE_CHECKING:
    from dtmodel.ledger import Collection

__all__ = ["command"]

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
    from dtmodel.ledger.report import claim_document, with_blueprint
    from dtmodel.papers.engines import theorem_statements, theorem_uses
    from dtmodel.papers.places import equation_code, equation_tests
    from dtmodel.papers.roots import load
    from dtmodel.papers.running import run_selected

    collection = load(directories)
    parts = [claim] if claim in collection.claims else list(collection.select([claim]))
    if len(parts) > _PARTS or ("." not in claim and parts != [claim]):
        raise InputError("ID", claim, f"the id of one claim; below it are {', '.join(parts[:6])}, ...")
    needed = dict.fromkeys(each for part in parts for each in _below(part, collection))
    done = run_selected(collection, list(needed), cached=not no_cache, say=say)
    shown = with_blueprint([claim_document(result, collection) for result in done.results], theorem_uses())
    documents = [
        item | {"code": _shown(equation_code(item["id"])), "tests": _shown(equation_tests(item["id"]))}
        for item in sorted(shown, key=lambda item: item["id"])
        if item["id"] in parts
    ]
    statements = theorem_statements() if as_json or any(item["coq"] for item in documents) else {}
    if as_json:
        for item in documents:
            item["coq_statements"] = {name: statements.get(name, "") for name in item["coq"]}
        echo_json(documents if parts != [claim] else documents[0], indent=1)
    else:
        from dtmodel.ledger.terminal import print_claim

        for number, item in enumerate(documents):
            if number:
                console().print()
            print_claim(console(), item, statements)


def _below(claim: str, collection: Collection) -> Iterator[str]:
    """Yield a claim, the one that corrects it, and so on."""
    seen = {""}
    while claim not in seen:
        yield claim
        seen.add(claim)
        claim = collection.claims[claim].corrected


def _shown(places: Iterable[tuple[str, int, str]]) -> list[str]:
    return [f"{file}:{line} ({name})" for file, line, name in places]
