"""``dtmodel verify``: run the evidence, print the verdicts, and write the reports."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtmodel.base.errors import InputError
from dtmodel.base.extras import need
from dtmodel.cli.console import console, echo_json
from dtmodel.cli.options import SecondsRange, Word, collection_option
from dtmodel.cli.progress import progress, say

if TYPE_CHECKING:
    from dtmodel.companion.answer_cache import AnswerCache
    from dtmodel.companion.reports import ReportMaker
    from dtmodel.ledger import Collection
    from dtmodel.ledger.ci import Place


@click.command()
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...")
@click.option("--require", multiple=True, type=Word(["coq", "smt", "all"]),
              help="Fail if no result of this engine is used, or one is skipped (repeatable).")  # fmt: skip
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Worker processes (default: one for each core).")
@click.option("--no-cache", is_flag=True, help="Run all evidence, without results of earlier runs.")
@click.option("--limit", type=SecondsRange(min=0, min_open=True), default=120.0, show_default=True,
              help="Time limit for one piece of evidence, in seconds.")  # fmt: skip
@collection_option
@click.option("--only-collection", is_flag=True, help="Select only claims of --collection, not those of the papers.")
@click.option("--junit", metavar="FILE", help="Write JUnit XML with a test for each claim.")
@click.option("--github", is_flag=True, help="Print a GitHub annotation for each fault.")
@click.option("--output", metavar="DIR", help="Folder for the reports.  [default: build/ledger; for a selection, "
              "build/ledger/selection]")  # fmt: skip
@click.option("--certificates", metavar="DIR", help="Write certificates, which proofs/check_certificates.py verifies.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(
    selectors: tuple[str, ...], output: str | None, certificates: str | None, as_json: bool, **options: Any
) -> int:
    """Run the evidence for the claims (all, or those that SELECTOR names) and compare the verdicts.

    A SELECTOR is a claim id or a prefix that ends at a dot: edt, edt.thm1, l2bm.alg1.line14. If the reports cannot be
    written, the command prints a warning, or fails if --output was given.
    """
    with _told(options["junit"], github=options["github"], err=as_json) as told:
        return _verify(told, selectors, output, certificates, as_json=as_json, **options)


def _verify(
    told: _Told, selectors: tuple[str, ...], output: str | None, certificates: str | None, **options: Any
) -> int:
    from dtmodel.companion.answer_cache import AnswerCache
    from dtmodel.companion.reports import ReportMaker, cache_claims
    from dtmodel.companion.roots import load
    from dtmodel.ledger.report import without_certificates

    need("jinja2", "joblib")
    kept = AnswerCache(options["directories"])
    collection = load(options["directories"], faulty=True)
    made = ReportMaker.of(collection)
    selectors = _selected(collection, selectors, own=options["only_collection"])
    chosen = {"limit": options["limit"], "require": options["require"], "cached": not options["no_cache"]}
    chosen["jobs"] = options["jobs"] or 0
    with progress("verify", "pieces of evidence") as heard:
        report = made.report(collection, selectors, progress=heard, say=say, **chosen)
    shown = without_certificates(report)
    told.report, told.place = shown, _places(collection)
    _print(shown, options["as_json"])
    if certificates:
        from dtmodel.companion.witnesses import EXPORTERS
        from dtmodel.ledger.certificates import export

        counts = export(report, Path(certificates), EXPORTERS)
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
        click.echo(f"certificates: {sum(counts.values())} in {certificates} ({kinds or 'none'})", err=True)
    where = Path(output or ("build/ledger/selection" if selectors else "build/ledger"))
    written = _write(shown, where, made, None if selectors else kept, asked=bool(output))
    collection.index.save()
    if not selectors:
        cache_claims(report, kept, collection.claims.keys() - kept.names("claims"))
    if written and not options["as_json"]:
        click.echo(f"report: {written}")
    return 0 if report["as_recorded"] else 1


@dataclass
class _Told:
    """The report for continuous integration; until the run ends, it has the problem that the run did not finish."""

    report: Mapping[str, Any] = field(default_factory=lambda: {"claims": [], "problems": [_UNFINISHED], "seconds": 0.0})
    place: Callable[[Mapping[str, Any]], str] = lambda claim: str(claim["file"])


_UNFINISHED = "this run did not finish"


@contextmanager
def _told(file: str | None, *, github: bool, err: bool) -> Iterator[_Told]:
    """Yield the report that is written at the end as JUnit `file` (a failing test until then) and as annotations."""
    from dtmodel.ledger.ci import github_annotations, junit

    told = _Told()

    def write() -> None:
        if file:
            _write_junit(Path(file), junit(told.report, told.place))

    write()
    try:
        yield told
    except BaseException as error:
        problems = [text for text in told.report["problems"] if text != _UNFINISHED]
        told.report = {**told.report, "problems": [*problems, f"{_UNFINISHED}: {str(error) or type(error).__name__}"]}
        raise
    finally:
        write()
        for line in github_annotations(told.report, told.place) if github else ():
            click.echo(line, err=err)


def _selected(collection: Collection, selectors: tuple[str, ...], *, own: bool) -> tuple[str, ...]:
    """Return the selectors, or with `own` the ids of the selected claims that are not from the papers."""
    named = collection.select(selectors)
    if not own:
        return selectors
    if chosen := tuple(name for name in named if collection.homes[name] != collection.roots[0]):
        return chosen
    unread = [str(problem) for problem in collection.problems if not problem.claim][:1]
    accepted = "; ".join(["--collection FOLDER with such claims", *unread])
    raise InputError("--only-collection", ", ".join(selectors) or "given", accepted)


def _places(collection: Collection) -> Place:
    """Return a function that maps a claim to the path of its file in its repository."""
    folders = {root: _repository(root.path) for root in collection.roots}

    def place(claim: Mapping[str, Any]) -> str:
        root = collection.homes[claim["id"]]
        path = root.path / str(claim["file"])
        folder = next((folder for folder in folders[root] if path.is_relative_to(folder)), Path(path.anchor))
        return path.relative_to(folder).as_posix() if folder != Path(path.anchor) else path.as_posix()

    return place


def _repository(folder: Path) -> list[Path]:
    """Return the checkout that contains a folder, the GitHub workspace, and the working directory, if they exist."""
    from dtmodel.base.workers import git

    named = (git(folder, "rev-parse", "--show-toplevel"), os.environ.get("GITHUB_WORKSPACE", ""))
    return [*(Path(name).resolve() for name in named if name), Path.cwd().resolve()]


def _write_junit(path: Path, text: str) -> None:
    from dtmodel.base.files import write_whole

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
    """Return a report as JSON, one line for each claim (indented JSON takes five times as long to write)."""

    def line(value: object) -> str:
        return json.dumps(value, ensure_ascii=False)

    claims = ",\n".join(map(line, report["claims"]))
    rest = (f"{line(key)}: {line(value)}" for key, value in report.items() if key != "claims")
    return "{" + ",\n".join([*rest, f'"claims": [\n{claims}\n]']) + "}"


def _write(
    report: dict[str, Any], directory: Path, made: ReportMaker, kept: AnswerCache | None, *, asked: bool
) -> Path | None:
    """Write the reports atomically; if that fails, raise `InputError` if the folder was `asked` for, else warn."""
    from dtmodel.base.files import write_whole
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
