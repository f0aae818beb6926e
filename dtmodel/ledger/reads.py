"""The files that evidence reads besides its code, found by an audit hook, and listed by the source file that reads."""

import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

Reads = dict[str, frozenset[str]]
"""For each Python file on the stack of a read, the files that were read."""

_READS: dict[str, set[str]] = {}
_CODE = (".py", ".pyc", ".so", ".pyd")


def reads() -> Reads:
    """Return the files that this process read since `watch`; a cached read counts for importers of the module."""
    return {source: frozenset(found) for source, found in _READS.items()}


@cache
def watch() -> None:
    """Start to record the files that this process opens; the hook is installed once and stays."""
    sys.addaudithook(_hear)


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str) and not arguments[0].endswith(_CODE):
        for source in _sources(sys._getframe(1)):  # noqa: SLF001 - the stack of the code that opens the file
            _READS.setdefault(source, set()).add(os.path.abspath(arguments[0]))  # noqa: PTH100 - nothing is resolved


def _sources(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        if not frame.f_code.co_filename.startswith("<"):
            yield frame.f_code.co_filename
        frame = frame.f_back


def within(path: str, folders: tuple[Path, ...]) -> Path | None:
    """Return the path if it lies in one of the folders."""
    whole = Path(path)
    return whole if any(whole.is_relative_to(folder) for folder in folders) else None
