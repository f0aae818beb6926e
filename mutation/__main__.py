"""``python -m mutation``: run the mutants, write the table, look at one of them."""

from __future__ import annotations

import difflib
import platform
import signal
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import click

from mutation.campaign import Choice, Found, find, run, snapshot
from mutation.record import Record, Result
from mutation.table import markdown, open_survivors
from mutation.targets import HERE, explanations, in_scope, targets

ROOT = HERE.parent
RECORD = ROOT / ".cache" / "mutation.sqlite"
TABLE = ROOT / "validation" / "results" / "mutants.md"
GOAL = 0.95

_tree = click.option("--tree", type=click.Path(exists=True, file_okay=False, path_type=Path), default=ROOT,
                     help="The project to mutate (default: this checkout); a copy is altered.")  # fmt: skip
_file = click.option("--file", "files", multiple=True, metavar="PATTERN", help="Only files that match.")


@click.group()
def main() -> None:
    """Alter formulas and algorithms on purpose, and see what notices."""


@main.command("run")
@_tree
@_file
@click.option("--sample", type=int, help="Only so many, drawn at random.")
@click.option("--seed", type=int, default=0, help="The seed of the sample.")
@click.option("--jobs", type=int, default=2, show_default=True, help="Mutants at a time.")
@click.option("--examples", type=int, help="Let Hypothesis try at most so many examples a test: quicker, kills less.")
@click.option("--quick", is_flag=True, help="Only the quick tests; what they do not kill remains to be run.")
@click.option("--survivors", is_flag=True, help="Only survivors without an explanation, again.")
@click.option("--again", is_flag=True, help="Run what the record already knows, too.")
def run_command(
    tree: Path,
    files: tuple[str, ...],
    sample: int | None,
    seed: int,
    jobs: int,
    examples: int | None,
    quick: bool,
    survivors: bool,
    again: bool,
) -> None:
    """Run the mutants that the record does not know, write the table, and fail if a survivor is unexplained."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped; what is done is recorded"))
    record = Record(RECORD)
    unmapped = set(in_scope(tree)) - {file for target in targets() for file in target.in_tree(tree)}
    if unmapped:
        raise click.UsageError(f"name the tests of {', '.join(sorted(unmapped))} in mutation/targets.toml")
    with snapshot(tree) as copy:
        found = find(copy, record, Choice(files, sample, seed))
        reasons = explanations()
        open_ids = {item.mutant.id for item in open_survivors(found, _results(found, record), reasons)}
        explained = {item.mutant.id for item in found if item.mutant.id in reasons and item.last_result(record)}
        known = set() if again else explained | {item.mutant.id for item in found if item.result(record)}
        wanted = open_ids if survivors else {item.mutant.id for item in found} - known
        todo = [item for item in found if item.mutant.id in wanted]
        click.echo(f"{len(found)} mutants, {len(todo)} of them to run", err=True)
        wrong = (
            run(
                copy,
                todo,
                record,
                jobs=jobs,
                examples=examples,
                quick=quick,
                say=lambda text: click.echo(text, err=True),
            )
            if todo
            else []
        )
        whole = find(copy, record, Choice())
    for message in wrong:
        click.echo(f"warning: {message}", err=True)
    _write(whole, record)
    sys.exit(_verdict(found, record) or bool(wrong))


@main.command("table")
@_tree
def table_command(tree: Path) -> None:
    """Write the table again from the record."""
    record = Record(RECORD)
    _write(find(tree, record, Choice()), record)


@main.command("list")
@_tree
@_file
@click.option("--survived", is_flag=True, help="Only survivors without an explanation.")
def list_command(tree: Path, files: tuple[str, ...], survived: bool) -> None:
    """List mutants and what became of them."""
    record = Record(RECORD)
    reasons = explanations()
    for item in find(tree, record, Choice(files)):
        result = item.last_result(record)
        status = result.status if result else "not run"
        if not survived or (status == "survived" and item.mutant.id not in reasons):
            mutant = item.mutant
            click.echo(f"{mutant.id} {mutant.file}:{mutant.line} {mutant.function} {status}: {mutant.change}")


@main.command("show")
@click.argument("mutant")
@_tree
def show_command(mutant: str, tree: Path) -> None:
    """Show one mutant as a difference, and what became of it."""
    record = Record(RECORD)
    item = next((item for item in find(tree, record, Choice()) if item.mutant.id == mutant), None)
    if item is None:
        raise click.BadParameter(f"{mutant} is no mutant of this tree: `python -m mutation list` lists them")
    source = (tree / item.mutant.file).read_text(encoding="utf-8")
    before, after = source.splitlines(keepends=True), item.mutant.apply(source).splitlines(keepends=True)
    click.echo("".join(difflib.unified_diff(before, after, item.mutant.file, f"mutant {mutant}", n=4)))
    result = item.last_result(record)
    click.echo(f"{result.status} {result.killer} {result.detail}" if result else "not run")
    click.echo(explanations().get(mutant, ""))


def _results(found: list[Found], record: Record) -> dict[str, Result]:
    return {item.mutant.id: result for item in found if (result := item.last_result(record))}


def _write(found: list[Found], record: Record) -> None:
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    reasons = explanations()
    text = markdown(found, _results(found, record), reasons, made_with=_made_with(ROOT))
    TABLE.write_text(text, encoding="utf-8")
    stale = sorted(set(reasons) - {item.mutant.id for item in found})
    if stale:
        click.echo(f"warning: no mutant is called {', '.join(stale)}: remove them from explanations.toml", err=True)
    click.echo(f"wrote {TABLE.relative_to(ROOT)}", err=True)


def _made_with(tree: Path) -> str:
    """Name the commit on which the table was written, and the versions of what made it."""
    asked = ["git", "-C", str(tree), "rev-parse", "HEAD"]
    commit = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() or "unknown"
    versions = ", ".join(f"{name} {version(name)}" for name in ("cosmic-ray", "pytest", "hypothesis"))
    made = f"Python {platform.python_version()}, {versions}; commit {commit}."
    return f"{made} A result stands until the function that it is in changes."


def _verdict(found: list[Found], record: Record) -> int:
    """Report the score; 1 if it is below the goal or a survivor has no explanation."""
    results = _results(found, record)
    survivors = sum(result.status == "survived" for result in results.values())
    left = open_survivors(found, results, explanations())
    score = 1 - survivors / len(results) if results else 1.0
    click.echo(f"{len(results) - survivors} of {len(results)} killed ({100 * score:.1f} %), {len(left)} survivors open")
    return int(score < GOAL or bool(left))


if __name__ == "__main__":
    if find_spec("cosmic_ray") is None:
        sys.exit("cosmic-ray is missing: pip install --require-hashes -r requirements/mutation.txt")
    main()
