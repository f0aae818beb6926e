"""Standard input, output and error as the commands need them: open, in UTF-8, and quiet when nobody reads."""

import contextlib
import os
import sys
from collections.abc import Iterator
from io import BufferedWriter, RawIOBase, TextIOWrapper
from typing import TextIO


class UnreadError(Exception):
    """Whoever read the answer has left: not an `OSError`, of which click would make the status 1."""


@contextlib.contextmanager
def until_reader_leaves() -> Iterator[None]:
    """Say so if whoever reads what a block prints leaves."""
    try:
        yield
    except BrokenPipeError as error:
        raise UnreadError from error


def prepare() -> None:
    """Open what the caller closed, and read and write UTF-8 whatever the locale says.

    A closed input is an empty one; into a closed output nothing can be written: an answer is not lost in silence.
    What has no text in UTF-8 (lone surrogates) is written as its escape, which in JSON means the same. Python's output
    without buffers (PYTHONUNBUFFERED) gets one: it takes no notice of a long answer of which only a part was read.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(
                os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY
            )  # the lowest free number, which is this one
    sys.stdin = sys.stdin or os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)
    if isinstance(sys.stdout, TextIOWrapper) and isinstance(sys.stdout.buffer, RawIOBase):
        sys.stdout = TextIOWrapper(BufferedWriter(sys.stdout.detach()))
    _reconfigure(sys.stdin, "utf-8-sig", "strict")
    _reconfigure(sys.stdout, "utf-8", "backslashreplace")
    _reconfigure(sys.stderr, "utf-8", "backslashreplace")


def flush() -> None:
    """Write the rest of the output and of the errors; give up the rest of a stream that takes no more."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            close(stream)


def close(stream: TextIO) -> None:
    """Send the rest of a stream nowhere: if the interpreter's last flush fails, the exit status becomes 120."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _reconfigure(stream: object, encoding: str, errors: str) -> None:
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding=encoding, errors=errors)
