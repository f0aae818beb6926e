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


@click.command()
@click.argument("claim", metavar="ID")
@collection_option
@click.option("--no-cache", is_flag=True, help="Run the evidence again.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(claim: str, directories: tuple[str, ...], no_cache: bool, as_json: bool) -> None:
    """Show the claim ID: statement, source, verdict, code, tests, evidence, witness, figures, Coq statement."""
    from dtmodel.ledger.report import claim_document, with_blueprint
    from dtmodel.papers.engines import theorem_statements, theorem_uses
    from dtmodel.papers.places import equation_code, equation_tests
    from dtmodel.papers.roots import load
    from dtmodel.papers.running import run_selected

    collection = load(directories)
    if claim not in collection.claims:
        collection.select([claim])
        below = ", ".join(list(collection.select([claim]))[:6])
        raise InputError("ID", claim, f"the id of one claim; below it are {below}, ...")
    done = run_selected(collection, list(_below(claim, collection)), cached=not no_cache, say=say)
    shown = with_blueprint([claim_document(result, collection) for result in done.results], theorem_uses())
    document = next(item for item in shown if item["id"] == claim) | {
        "code": _shown(equation_code(claim)), "tests": _shown(equation_tests(claim))
    }  # fmt: skip
    if as_json:
        statements = theorem_statements()
        document["coq_statements"] = {name: statements.get(name, "") for name in document["coq"]}
        echo_json(document, indent=1)
    else:
        from dtmodel.ledger.terminal import print_claim

        print_claim(console(), document, theorem_statements() if document["coq"] else {})


def _below(claim: str, collection: Collection) -> Iterator[str]:
    """Yield a claim, the one that corrects it, and so on."""
    seen = {""}
    while claim not in seen:
        yield claim
        seen.add(claim)
        claim = collection.claims[claim].corrected


def _shown(places: Iterable[tuple[str, int, str]]) -> list[str]:
    return [f"{file}:{line} ({name})" for file, line, name in places]
