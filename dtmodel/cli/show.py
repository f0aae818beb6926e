"""``dtmodel show``: one claim with everything behind its verdict."""

from collections.abc import Sequence
from typing import Any

import click

from dtmodel.cli.console import as_text, console, look
from dtmodel.cli.options import collection_option
from dtmodel.cli.progress import say


@click.command()
@click.argument("claim", metavar="ID")
@collection_option
@click.option("--no-cache", is_flag=True, help="Run the evidence, without results of earlier runs.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(claim: str, directories: tuple[str, ...], no_cache: bool, as_json: bool) -> None:
    """Show the claim ID: statement, source, verdict, code, tests, evidence, witness, figures, Coq statement.

    For an equation that only one paper has, its number suffices: 47 or eq47 for edt.eq47. If ID is an equation whose
    parts are claims, such as dynaq.eq6, the command shows every part (a list in JSON).
    """
    from dtmodel.companion.kept import Kept

    kept = Kept(directories)

    def make() -> str:
        from dtmodel.companion.showing import label, show_claim

        documents = show_claim(claim, directories, kept, say, cached=not no_cache)
        whole = len(documents) == 1 and f".{documents[0]['id']}".endswith(f".{label(claim)}")
        return _written(documents, as_json, whole=whole)

    form = "json" if as_json else look()
    text = make() if no_cache else kept.once("shown", f"{form} {claim}", make)
    click.echo(text, nl=False, color=True)


def _written(documents: Sequence[dict[str, Any]], as_json: bool, *, whole: bool) -> str:
    if as_json:
        return as_text(documents[0] if whole else documents, indent=1) + "\n"
    from dtmodel.ledger.terminal import print_claim

    with (out := console()).capture() as said:
        for number, item in enumerate(documents):
            if number:
                out.print()
            print_claim(out, item, item["coq_statements"])
    return said.get()
