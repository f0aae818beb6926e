"""The clock of a derivation: Ctrl-C ends the time that it has, and what is found by then remains and is reported."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_INTERRUPTED = threading.Event()
_WATCHERS: list[Callable[[int, int, str], None]] = []


def now() -> float:
    """Return the time in seconds as `time.monotonic` does, or infinity after an interruption."""
    return math.inf if _INTERRUPTED.is_set() else time.monotonic()


@contextmanager
def ended_by_interrupt() -> Iterator[threading.Event]:
    """Let the first Ctrl-C end the time; a second one raises `KeyboardInterrupt`. The event is set if it happened."""
    _INTERRUPTED.clear()
    if threading.current_thread() is not threading.main_thread():
        yield _INTERRUPTED
        return
    before = signal.getsignal(signal.SIGINT)

    def end(_signal: int, _frame: object) -> None:
        _INTERRUPTED.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, end)
    try:
        yield _INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, before)
        _INTERRUPTED.clear()


@contextmanager
def watched(heard: Callable[[int, int, str], None]) -> Iterator[None]:
    """Call a function after each path: with the numbers of finished and of known paths, and the answers found last."""
    _WATCHERS.append(heard)
    try:
        yield
    finally:
        _WATCHERS.remove(heard)


def tell(done: int, known: int, found: Callable[[], str]) -> None:
    """Report progress to the functions of `watched`."""
    for heard in _WATCHERS:
        heard(done, known, found())
