"""Fault injection as SQLite does it: in a block the n-th operation on a file fails, as on a full or broken disk."""

import builtins
import errno
import io
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, final
from unittest.mock import patch

import dtmodel

PACKAGE = str(Path(dtmodel.__file__).parent)

ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES)
CALLS = ("replace", "rename", "fsync", "mkdir")
"""The functions of `os` that fail, besides opening a file and what is done with one that is written."""

Kind = tuple[str, str, tuple[tuple[str, int], ...]]
"""An operation, the suffix of the file, and the lines of the package that are being executed."""
Place = tuple[Kind, int]
"""A kind of operation, and which of this kind it is, from 1."""


@final
class Faults:
    """Counts operations on files, and lets the one with the number or at the place `fails` fail; 0 lets none fail."""

    def __init__(self, fails: int | Place = 0) -> None:
        self.fails, self.count = fails, 0
        self.failed = ""
        self.kinds = Counter[Kind]()

    def __call__(self, operation: str, name: object = None) -> None:
        """Count an operation, and raise an error if its turn has come."""
        self.count += 1
        kind = _kind(operation, name)
        self.kinds[kind] += 1
        if self.fails in (self.count, (kind, self.kinds[kind])):
            self.failed = f"{operation} {name}"
            number = ERRORS[self.count % len(ERRORS)]
            raise OSError(number, os.strerror(number), *([] if name is None else [str(name)]))


def _kind(operation: str, name: object) -> Kind:
    lines, frame = [], sys._getframe(1)
    while frame := frame.f_back:
        if frame.f_code.co_filename.startswith(PACKAGE):
            lines.append((frame.f_code.co_filename, frame.f_lineno))
    return operation, Path(str(name)).suffix, tuple(lines)


@final
class FaultyFile:
    """A file that is written, whose operations are counted; a write that fails has written the first half."""

    def __init__(self, file: Any, faults: Faults) -> None:
        self._file, self._faults = file, faults

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, content: Any) -> int:
        try:
            self._faults("write")
        except OSError:
            self._file.write(content[: len(content) // 2])
            raise
        return int(self._file.write(content))

    def flush(self) -> None:
        self._file.flush()
        self._faults("flush")

    def close(self) -> None:
        if not self._file.closed:
            self._file.close()
            self._faults("close")

    def __enter__(self) -> "FaultyFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _counted(call: Callable[..., Any], operation: str, faults: Faults) -> Callable[..., Any]:
    def counted(*arguments: Any, **options: Any) -> Any:
        faults(operation, None if isinstance(arguments[0], int) else arguments[0])
        return call(*arguments, **options)

    return counted


def _opening(faults: Faults) -> Callable[..., Any]:
    really = io.open

    def opened(file: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        faults("open", file)
        made = really(file, mode, *arguments, **options)
        return FaultyFile(made, faults) if set(mode) & set("wax+") else made

    return opened


@contextmanager
def failing(fails: int | Place = 0) -> Iterator[Faults]:
    """Let the operation with this number or at this place fail in a block (0: none), and count them all."""
    faults = Faults(fails)
    calls = {name: _counted(getattr(os, name), name, faults) for name in CALLS}
    opened = _opening(faults)
    with patch.multiple(os, **calls), patch.object(io, "open", opened), patch.object(builtins, "open", opened):
        yield faults
