"""``dtmodel verify``: run the evidence, print the verdicts, write the reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from dtmodel.cli.console import console, echo_json
from dtmodel.cli.options import collection_option
from dtmodel.cli.progress import progress, say
from dtmodel.extras import need

__all__ = ["command"]


@click.command()
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...")
@click.option(
    "--require",
    multiple=True,
    type=click.Choice(["coq", "smt", "all"]),
    help="Fail if no result of it is used, or one is skipped.",
)
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Worker processes (default: one for each core).")
@click.option("--no-cache", is_flag=True, help="Run everything, whatever an earlier run found.")
@click.option("--limit", type=click.FloatRange(min=0, min_open=True), default=120.0, show_default=True,
              help="Seconds that one piece of evidence may take.")  # fmt: skip
@collection_option
@click.option("--output", metavar="DIR", help="Where the reports go.  [default: build/ledger; for a selection, "
              "build/ledger/selection]")  # fmt: skip
@click.option("--certificates", metavar="DIR", help="Write certificates that check_certificates.py verifies.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(
    selectors: tuple[str, ...], output: str | None, certificates: str | None, as_json: bool, **options: Any
) -> int:
    """Run the evidence for the claims (all, or those that SELECTOR names) and compare the verdicts.

    A SELECTOR is a claim id or a prefix that ends at a dot: edt, edt.thm1, l2bm.alg1.line14. The verdicts are printed
    first; a report that cannot be written is a warning, unless --output names its folder.
    """
    from dtmodel.ledger.report import without_certificates
    from dtmodel.papers import running
    from dtmodel.papers.roots import load

    need("jinja2", "joblib")
    collection = load(options["directories"])
    collection.select(selectors)
    chosen = {"limit": options["limit"], "require": options["require"], "cached": not options["no_cache"]}
    with progress() as heard:
        report = running.report(collection, selectors, jobs=options["jobs"] or 0, progress=heard, say=say, **chosen)
    shown = without_certificates(report)
    _print(shown, as_json)
    if certificates:
        from dtmodel.ledger.certificates import export
        from dtmodel.papers.witnesses import EXPORTERS

        counts = export(report, Path(certificates), EXPORTERS)
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
        click.echo(f"certificates: {sum(counts.values())} in {certificates} ({kinds or 'none'})", err=True)
    written = _write(shown, Path(output or ("build/ledger/selection" if selectors else "build/ledger")), bool(output))
    if written and not as_json:
        click.echo(f"report: {written}")
    return 0 if report["as_recorded"] else 1


def _print(report: dict[str, Any], as_json: bool) -> None:
    if as_json:
        echo_json(report, indent=1)
        return
    from dtmodel.ledger.terminal import print_report

    print_report(console(), report)


def _write(report: dict[str, Any], directory: Path, asked: bool) -> Path | None:
    """Write the reports, each whole or not at all; only a folder that was asked for must be writable."""
    from dtmodel.errors import InputError
    from dtmodel.ledger.files import write_whole
    from dtmodel.ledger.html import html_report

    text = json.dumps(report, indent=1, ensure_ascii=False)
    try:
        write_whole(directory / "report.json", text + "\n")
        write_whole(directory / "report.html", html_report(report))
    except OSError as error:
        if asked:
            accepted = f"a directory that can be written ({error.strerror})"
            raise InputError("--output", str(directory), accepted) from error
        click.echo(f"warning: no report in {directory} ({error.strerror}); --output names another folder", err=True)
        return None
    return directory / "report.html"
