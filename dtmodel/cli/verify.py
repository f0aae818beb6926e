"""``dtmodel verify``: run the evidence, print the verdicts, write the reports."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtmodel.cli.console import console, echo_json
from dtmodel.cli.options import SecondsRange, Word, collection_option
from dtmodel.cli.progress import progress, say
from dtmodel.errors import InputError
from dtmodel.extras import need

if TYPE_CHECKING:
    from dtmodel.ledger import Collection
    from dtmodel.papers.kept import Kept
    from dtmodel.papers.made import Made


@click.command()
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...")
@click.option(
    "--require",
    multiple=True,
    type=Word(["coq", "smt", "all"]),
    help="Fail if no result of it is used, or one is skipped.",
)
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Worker processes (default: one for each core).")
@click.option("--no-cache", is_flag=True, help="Run everything, whatever an earlier run found.")
@click.option("--limit", type=SecondsRange(min=0, min_open=True), default=120.0, show_default=True,
              help="Seconds that one piece of evidence may take.")  # fmt: skip
@collection_option
@click.option("--only-collection", is_flag=True, help="Only the claims of --collection, not the papers'.")
@click.option("--junit", metavar="FILE", help="Write JUnit XML: a test for each claim.")
@click.option("--github", is_flag=True, help="Print an annotation of GitHub for everything that is wrong.")
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
    from dtmodel.ledger.ci import github_annotations, junit
    from dtmodel.ledger.report import without_certificates
    from dtmodel.papers.kept import Kept
    from dtmodel.papers.made import Made, keep
    from dtmodel.papers.roots import load

    need("jinja2", "joblib")
    kept = Kept(options["directories"])
    collection = load(options["directories"])
    made = Made.of(collection)
    selectors = _selected(collection, selectors, own=options["only_collection"])
    chosen = {"limit": options["limit"], "require": options["require"], "cached": not options["no_cache"]}
    chosen["jobs"] = options["jobs"] or 0
    with progress("verify", "pieces of evidence") as heard:
        report = made.report(collection, selectors, progress=heard, say=say, **chosen)
    shown = without_certificates(report)
    _print(shown, as_json)
    if certificates:
        from dtmodel.ledger.certificates import export
        from dtmodel.papers.witnesses import EXPORTERS

        counts = export(report, Path(certificates), EXPORTERS)
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
        click.echo(f"certificates: {sum(counts.values())} in {certificates} ({kinds or 'none'})", err=True)
    place = _places(collection)
    if options["github"]:
        for line in github_annotations(shown, place):
            click.echo(line, err=as_json)
    if options["junit"]:
        _write_junit(Path(options["junit"]), junit(shown, place))
    where = Path(output or ("build/ledger/selection" if selectors else "build/ledger"))
    written = _write(shown, where, made, None if selectors else kept, asked=bool(output))
    collection.index.save()
    if not selectors:
        keep(report, kept, collection.claims.keys() - kept.names("claims"))
    if written and not as_json:
        click.echo(f"report: {written}")
    return 0 if report["as_recorded"] else 1


def _selected(collection: Collection, selectors: tuple[str, ...], *, own: bool) -> tuple[str, ...]:
    """Return the selectors, or with `own` the ids of those claims they name that stand outside the papers."""
    from dtmodel.ledger import collect

    named = collection.select(selectors)
    if not own:
        return selectors
    ids = collect(collection.roots[1:]).claims
    if chosen := tuple(name for name in named if name in ids):
        return chosen
    raise InputError("--only-collection", ", ".join(selectors) or "given", "--collection FOLDER with such claims")


def _places(collection: Collection) -> Callable[[str], str]:
    """Return what names a claim's file from here."""

    def place(file: str) -> str:
        found = (root.path / file for root in reversed(collection.roots) if (root.path / file).is_file())
        path = next(found, Path(file))
        return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.as_posix()

    return place


def _write_junit(path: Path, text: str) -> None:
    from dtmodel.files import write_whole

    try:
        write_whole(path, text + "\n")
    except OSError as error:
        raise InputError("--junit", str(path), f"a file that can be written ({error.strerror})") from error


def _print(report: dict[str, Any], as_json: bool) -> None:
    if as_json:
        echo_json(report, indent=1)
        return
    from dtmodel.ledger.terminal import print_report

    print_report(console(), report)


def _lines(report: Mapping[str, Any]) -> str:
    """Write a report as JSON, a line for each claim: an indented one takes five times as long."""

    def line(value: object) -> str:
        return json.dumps(value, ensure_ascii=False)

    claims = ",\n".join(map(line, report["claims"]))
    rest = (f"{line(key)}: {line(value)}" for key, value in report.items() if key != "claims")
    return "{" + ",\n".join([*rest, f'"claims": [\n{claims}\n]']) + "}"


def _write(report: dict[str, Any], directory: Path, made: Made, kept: Kept | None, *, asked: bool) -> Path | None:
    """Write the reports, each whole or not at all; only a folder that was asked for must be writable.

    The page, which does not say how long all took, is made once for what it shows where it can be kept.
    """
    from dtmodel.files import write_whole
    from dtmodel.ledger.html import html_report

    def page() -> str:
        return html_report(report, made.drawing, made.maths)

    try:
        write_whole(directory / "report.json", _lines(report) + "\n")
        html = kept.once("page", _lines(report | {"seconds": 0}), page) if kept else page()
        write_whole(directory / "report.html", html)
    except OSError as error:
        if asked:
            accepted = f"a directory that can be written ({error.strerror})"
            raise InputError("--output", str(directory), accepted) from error
        click.echo(f"warning: no report in {directory} ({error.strerror}); --output names another folder", err=True)
        return None
    return directory / "report.html"
