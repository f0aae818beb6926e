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
@click.option("--all", "everything", is_flag=True, help="Print the tests that name it, too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(claim: str, directories: tuple[str, ...], no_cache: bool, everything: bool, as_json: bool) -> None:
    """Show the claim ID: caption, statement, verdict, what it rests on, source, code, evidence, figures, Coq statement.

    The statement is written from the form that runs: the scenario, variables, hypotheses and conclusion. [+ ... +] is
    what an assumption adds, and [~ old -> new ~] a misprint and its repair. Where the statements of several claims
    share a scenario, a definition or a meaning, it stands above them once, and they name its title after "Given".

    For an equation that only one paper has, its number suffices: 47 or eq47 for edt.eq47. If ID is an equation whose
    parts are claims, such as dynaq.eq6, the command shows every part (a list in JSON).
    """
    from dtmodel.companion.answer_cache import AnswerCache

    kept = AnswerCache(directories)

    def make() -> str:
        from dtmodel.companion.claim_view import label, show_claim

        documents = show_claim(claim, directories, kept, say, cached=not no_cache)
        whole = len(documents) == 1 and f".{documents[0]['id']}".endswith(f".{label(claim)}")
        return _written(documents, as_json, whole=whole, everything=everything)

    form = "json" if as_json else f"{look()}{' all' if everything else ''}"
    text = make() if no_cache else kept.once("shown", f"{form} {claim}", make)
    click.echo(text, nl=False, color=True)


def _written(documents: Sequence[dict[str, Any]], as_json: bool, *, whole: bool, everything: bool) -> str:
    if as_json:
        return as_text(documents[0] if whole else documents, indent=1) + "\n"
    from dtmodel.ledger.settings import Settings
    from dtmodel.ledger.terminal import print_claim, print_settings

    page = Settings([item["statement"] for item in documents if item["caption"]])
    with (out := console()).capture() as said:
        print_settings(out, page)
        for number, item in enumerate(documents):
            if number:
                out.print()
            print_claim(out, item, item["coq_statements"], page, everything=everything)
    return said.get()
