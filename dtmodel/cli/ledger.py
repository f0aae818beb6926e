"""``dtmodel ledger``: list the claims, pin the reviewed content, or compare two reports."""

from pathlib import Path

import click

from dtmodel.cli.console import as_text, console, echo_json, look
from dtmodel.cli.options import collection_option


class _ListByDefault(click.Group):
    """A group that runs ``list`` if no command is named, as in ``dtmodel ledger edt.thm1``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert ``list`` before selectors and options."""
        if not args or args[0] not in (*self.commands, "--help", "-h"):
            args = ["list", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_ListByDefault)
def command() -> None:
    """List claims (dtmodel ledger [SELECTOR]...), pin reviewed content, or compare reports (ledger diff OLD NEW)."""


@command.command("list")
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...")
@collection_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_claims(selectors: tuple[str, ...], directories: tuple[str, ...], as_json: bool) -> None:
    """List the claims: id, source, kind, caption or statement, verdict on record, strength, correcting claim."""
    from dtmodel.companion.answer_cache import AnswerCache

    form = "json" if as_json else look()
    text = AnswerCache(directories).once(
        "listed", f"{form} {selectors}", lambda: _listed(selectors, directories, as_json)
    )
    click.echo(text, nl=False, color=True)


def _listed(selectors: tuple[str, ...], directories: tuple[str, ...], as_json: bool) -> str:
    from dtmodel.companion.reports import with_statements
    from dtmodel.companion.roots import load
    from dtmodel.companion.running import rows
    from dtmodel.ledger.terminal import print_claims

    collection = with_statements(load(directories))
    claims = rows(collection, selectors)
    if as_json:
        return as_text(claims, indent=1) + "\n"
    with (out := console()).capture() as said:
        print_claims(out, claims, collection.index.words)
    collection.index.save()
    return said.get()


@command.command("pin")
@collection_option
def pin_claims(directories: tuple[str, ...]) -> None:
    """Pin the reviewed claims and files in validation/; dtmodel verify reports every later difference.

    The file manifest.txt has the claims. The file files.txt has the hashes of stored results, published numbers and Coq
    sources.
    """
    from dtmodel.companion.reports import with_statements
    from dtmodel.companion.roots import load
    from dtmodel.ledger.manifest import manifest_of, pin

    collection = with_statements(load(directories))
    for root in collection.roots[1:] or collection.roots:
        console().print(f"{pin(collection, root)} claims in {manifest_of(root)}", soft_wrap=True)
    collection.index.save()


@command.command("diff")
@click.argument("old")
@click.argument("new")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def diff(old: str, new: str, as_json: bool) -> int:
    """Compare two JSON reports: list changed verdicts, strengths, statements and pins (exit status 1 if any)."""
    from dtmodel.ledger.diff import print_changes, report_changes
    from dtmodel.ledger.report import read_report

    changes = report_changes(read_report(Path(old), "OLD"), read_report(Path(new), "NEW"))
    if as_json:
        echo_json(changes, indent=1)
    else:
        print_changes(console(), changes)
    return 1 if any(changes.values()) else 0
