"""Progress of long work: a bar on a terminal, or a line every five seconds elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from dtmodel.cli.console import console


def say(text: str) -> None:
    """Print a remark on standard error."""
    click.echo(text, err=True)


@contextmanager
def progress(command: str, pieces: str) -> Iterator[Callable[[int, int, str], None]]:
    """Yield a function that shows progress: the number of finished pieces, of all pieces, and the last name."""
    if not sys.stderr.isatty():
        yield _plain(command, pieces)
        return
    from rich.progress import Progress

    bar = Progress(console=console(stderr=True), transient=True)
    task = bar.add_task(pieces, total=None)

    def report(done: int, total: int, name: str) -> None:
        bar.start()  # not earlier: it starts a thread, and a process must have only one to be forked
        bar.update(task, completed=done, total=total, description=name[:40])

    try:
        yield report
    finally:
        bar.stop()


def _plain(command: str, pieces: str) -> Callable[[int, int, str], None]:
    last = time.monotonic()

    def report(done: int, total: int, name: str) -> None:
        nonlocal last
        del name
        if time.monotonic() - last > 5:
            last = time.monotonic()
            say(f"{command}: {done} of {total} {pieces}")

    return report
