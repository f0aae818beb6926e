"""``python -m mutation``: alter formulas and algorithms on purpose, and see what notices."""

import ast
import hashlib
import sys
import time
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatch
from math import inf
from pathlib import Path

import click

from mutation.changes import changed, commit_before, commit_of
from mutation.mutants import Mutant, mutants
from mutation.server import Job, Result, run
from mutation.targets import explanations, files, noticing

_SHARE = 45.0
"""The least number of seconds in which the tests of a file can be collected and show something."""
_COLUMNS = ("file", "mutants", "killed", "of these by time limit", "harmless", "open", "not run", "score")


@click.command()
@click.option("--since", metavar="REV", help="Only functions that changed since. 'landing': since the commit before.")
@click.option("--seconds", type=float, default=inf, help="Stop then; which mutants come first depends on the commit.")
@click.option("--file", "patterns", multiple=True, metavar="PATTERN", help="Only files that match.")
@click.option("--jobs", type=int, default=2, show_default=True, help="Mutants at a time.")
def main(since: str | None, seconds: float, patterns: tuple[str, ...], jobs: int) -> None:
    """Run mutants, print a table row for each file, and fail if a survivor has no explanation."""
    tree, end = Path.cwd(), time.monotonic() + seconds
    chosen = [file for file in files(tree) if not patterns or any(fnmatch(file, pattern) for pattern in patterns)]
    todo = _todo(tree, chosen, since)
    click.echo(_row(_COLUMNS) + f"\n|{'---|' * len(_COLUMNS)}")
    total: Counter[str] = Counter()
    wrong = 0
    for index, (file, found) in enumerate(todo):
        share = max((end - time.monotonic()) / (len(todo) - index), _SHARE)
        runs = _Runs(tree, file, min(end, time.monotonic() + share), jobs)
        counts = runs.counts(found)
        total += counts
        wrong += runs.wrong
        click.echo(_row([f"`{file}`", *_cells(counts)]))
    click.echo(_row(["**all**", *_cells(total)]))
    sys.exit(wrong > 0)


def _todo(tree: Path, chosen: Sequence[str], since: str | None) -> list[tuple[str, list[Mutant]]]:
    """Return the files with their mutants, both in an order that the commit decides."""
    parts = None
    if since is not None:
        commit = commit_before(tree) if since == "landing" else commit_of(tree, since)
        if since != "landing" and not commit:
            raise click.BadParameter(f"there is no commit {since} here", param_hint="--since")
        if not commit:
            click.echo("this clone holds no earlier commit to compare with: nothing is run", err=True)
            return []
        parts = changed(tree, commit, chosen)
        click.echo(f"{sum(map(len, parts.values()))} functions and statements changed since {commit[:10]}", err=True)
    head = commit_of(tree, "HEAD")

    def order(text: str) -> str:
        return hashlib.sha256(f"{head} {text}".encode()).hexdigest()

    todo = []
    for file in sorted(chosen, key=order):
        if parts is None or parts[file]:
            every = mutants(ast.parse((tree / file).read_text(encoding="utf-8")))
            found = [each for each in every if parts is None or (each.function, each.place) in parts[file]]
            if found:
                todo.append((file, sorted(found, key=lambda mutant: order(mutant.id))))
    return todo


class _Runs:
    """The runs of one file's mutants until a time, and what was wrong: survivors, and tests that fail anyway."""

    def __init__(self, tree: Path, file: str, until: float, jobs: int) -> None:
        self._tree, self._file, self._until, self._jobs = tree, file, until, jobs
        self.wrong = 0

    def counts(self, found: Sequence[Mutant]) -> Counter[str]:
        """Run mutants; those that the tests in one circle do not notice meet those of the next."""
        reasons = explanations()
        left = [mutant for mutant in found if mutant.id not in reasons]
        counts = Counter(harmless=len(found) - len(left))
        for tests, evidence in noticing(self._tree, self._file):
            results = self._run(left, tests, evidence)
            left = [result.mutant for result in results if result.status == "survived"]
            counts.update(result.status for result in results if result.status != "survived")
        for mutant in left:
            self._complain(f"survived: {self._file}:{mutant.line} {mutant.id}")
        counts["survived"] = len(left)
        return counts

    def _run(self, wanted: Sequence[Mutant], tests: Sequence[str], evidence: Sequence[str]) -> list[Result]:
        if not wanted or not (tests or evidence):
            return [Result(mutant, "survived") for mutant in wanted]
        if time.monotonic() >= self._until:
            return [Result(mutant, "not run") for mutant in wanted]
        job = Job(self._tree, self._file, wanted, tests, evidence, self._until, self._jobs)
        return list(run(job, complain=self._complain))

    def _complain(self, text: str) -> None:
        self.wrong += 1
        click.echo(text, err=True)


def _cells(counts: Counter[str]) -> list[str]:
    killed = counts["killed"] + counts["timeout"]
    ran = counts.total() - counts["not run"]
    cells = [counts.total(), killed, counts["timeout"], counts["harmless"], counts["survived"], counts["not run"]]
    return [*map(str, cells), f"{100 * killed / ran:.1f} %" if ran else "-"]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
