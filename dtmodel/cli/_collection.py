"""What the ledger commands share: the collection, the engines that replay witnesses, the options of a run."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from dtmodel.cli.console import console
from dtmodel.documents import choice
from dtmodel.errors import InputError, LedgerError

if TYPE_CHECKING:
    from dtmodel.ledger import Collection, Kernel, Outcome
    from dtmodel.ledger.replay import Negation
    from dtmodel.ledger.runner import Run

__all__ = ["ALGORITHMS", "REPLAYERS", "load", "papers_root", "run_selected", "trace"]

ALGORITHMS = ("losspass", "dynaq", "l2bm", "edt")


def papers_root() -> Path:
    """Return the directory with proofs/ and validation/: the checkout, or the installed package's copy."""
    package = Path(__file__).resolve().parents[1]
    for root in (package / "_papers", package.parent):
        if (root / "proofs").is_dir() and (root / "validation").is_dir():
            return root
    raise LedgerError("the claims and proofs are not installed: install dtmodel from its wheel or a checkout")


def load(directories: Sequence[str] = ()) -> Collection:
    """Collect the papers' claims and those under further directories."""
    from dtmodel.ledger import Root, collect

    roots = [Root(papers_root(), "dtmodel_papers")]
    for directory in directories:
        path = Path(directory)
        if not path.is_dir():
            raise InputError("--collection", directory, "a directory with claims and evidence")
        roots.append(Root.at(path))
    return collect(roots)


def trace(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a packet trace request with the algorithm that it names."""
    name = choice(request.get("algorithm"), "algorithm", ALGORITHMS)
    answer: dict[str, Any] = import_module(f"dtmodel.packet.{name}").run_trace(request)
    return answer


def fluid(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a fluid scenario exactly."""
    from dtmodel.fluid import answer

    return answer(dict(scenario))


REPLAYERS = {"fluid": fluid, "trace": trace}


def run_selected(
    collection: Collection,
    selectors: Sequence[str],
    *,
    jobs: int = 0,
    limit: float = 120.0,
    require: Sequence[str] = (),
    cached: bool = True,
) -> Run:
    """Run the evidence for the selected claims, with progress on standard error."""
    from dtmodel.ledger import Problem
    from dtmodel.ledger.cache import Cache
    from dtmodel.ledger.files import cache_directory
    from dtmodel.ledger.runner import Options, run

    package = Path(__file__).resolve().parents[1]
    start = time.perf_counter()
    trusted = cached and not os.environ.get("CI")
    with _coq(collection, selectors, trusted) as (found, pins), _progress() as report:
        where = cache_directory(collection.roots[0].path)
        cache = Cache(where, {"dtmodel": package}, {"coq": found}) if trusted else None
        options = Options(jobs or os.cpu_count() or 1, limit, tuple(require), cache, report, _negations, _theorems)
        done = run(collection, selectors, replayers=REPLAYERS, options=options)
        problems = [Problem("", text) for text in [*pins(), *_missing(require)]]
        return replace(done, problems=(*done.problems, *problems), seconds=time.perf_counter() - start)


def _negations(witnesses: Sequence[Mapping[str, Any]]) -> Sequence[Negation]:
    from dtmodel.provers.coq_negation import negations

    return negations(witnesses)


def _theorems(root: Path, asked: Sequence[Kernel]) -> Sequence[Outcome | str]:
    from dtmodel.provers.coq import theorems

    return theorems(root, asked)


def _missing(require: Sequence[str]) -> list[str]:
    """Say which required engines are missing here, whether or not any evidence asked for them."""
    from importlib.util import find_spec

    from dtmodel.provers import coq

    wrong = []
    if {"coq", "all"} & set(require) and coq.unavailable():
        wrong.append(f"coq is required: {coq.unavailable()}")
    if {"smt", "all"} & set(require):
        wrong += [f"{name} is required, and is not installed" for name in ("z3", "cvc5") if find_spec(name) is None]
    return wrong


@contextmanager
def _coq(
    collection: Collection, selectors: Sequence[str], trusted: bool
) -> Iterator[tuple[str, Callable[[], list[str]]]]:
    """Yield Coq's version and what tells, after the run, how its development differs from its pins.

    The evidence that asks first builds it, afresh if no cache is trusted. A selected claim checks its own theorems.
    """
    items = collection.evidence(selectors)[0]
    needed = any(aim.strength == "kernel" for item in items for aim in item.aims)
    if selectors and not needed:
        yield "", list
        return
    from dtmodel.provers import coq

    where = collection.roots[0].path / "proofs" / "coq"
    with TemporaryDirectory() as fresh:
        if not trusted:
            os.environ["DTMODEL_COQ_BUILD"] = fresh  # for the worker processes, too
        if not coq.unavailable() and not coq.is_built(where):
            click.echo("building the Coq development (once for its present content)", err=True)
        try:
            yield coq.version(), lambda: [] if selectors else coq.problems(where)
        finally:
            if not trusted:
                del os.environ["DTMODEL_COQ_BUILD"]


@contextmanager
def _progress() -> Iterator[Callable[[int, int, str], None]]:
    if not sys.stderr.isatty():
        yield _plain_progress()
        return
    from rich.progress import Progress

    with Progress(console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("evidence", total=None)
        yield lambda done, total, name: bar.update(task, completed=done, total=total, description=name[:40])


def _plain_progress() -> Callable[[int, int, str], None]:
    last = time.monotonic()

    def report(done: int, total: int, name: str) -> None:
        nonlocal last
        del name
        if time.monotonic() - last > 5:
            last = time.monotonic()
            click.echo(f"verify: {done} of {total} pieces of evidence", err=True)

    return report
