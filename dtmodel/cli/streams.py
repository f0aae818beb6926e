"""Standard input, output and error: open, in UTF-8, and without errors if the reader closes the output."""

import contextlib
import os
import sys
from collections.abc import Iterator
from io import BufferedWriter, RawIOBase, TextIOWrapper
from typing import TextIO


class UnreadError(Exception):
    """The reader closed the output; not an `OSError`, because click turns that into the exit status 1."""


@contextlib.contextmanager
def until_reader_leaves() -> Iterator[None]:
    """Raise `UnreadError` if the reader closes the output within the block."""
    try:
        yield
    except BrokenPipeError as error:
        raise UnreadError from error


def prepare() -> None:
    """Open closed streams (a closed output fails on writing), and set UTF-8 for all streams in every locale.

    Lone surrogates are written as escapes. An output without a buffer gets one, because without it Python does not
    notice that the reader left in a long answer.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # this takes the lowest free number, which is `number`
            os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)
    sys.stdin = sys.stdin or os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)
    if isinstance(sys.stdout, TextIOWrapper) and isinstance(sys.stdout.buffer, RawIOBase):
        sys.stdout = TextIOWrapper(BufferedWriter(sys.stdout.detach()))
    _reconfigure(sys.stdin, "utf-8-sig", "strict")
    _reconfigure(sys.stdout, "utf-8", "backslashreplace")
    _reconfigure(sys.stderr, "utf-8", "backslashreplace")


def flush() -> None:
    """Flush the output and the errors; if a stream fails, discard the rest of it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            close(stream)


def close(stream: TextIO) -> None:
    """Redirect a stream to the null device: if the last flush of the interpreter failed, the status would be 120."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _reconfigure(stream: object, encoding: str, errors: str) -> None:
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding=encoding, errors=errors)
