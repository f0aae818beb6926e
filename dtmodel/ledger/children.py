"""Child processes that end with whoever started them: when time is up, when it is interrupted, when it is killed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

__all__ = ["Terminated", "end_on_sigterm", "run_child", "workers"]

_RUNNING: set[subprocess.Popen[str]] = set()


class Terminated(SystemExit):
    """SIGTERM was received."""


def run_child(command: Sequence[str], seconds: float, where: Path | None = None) -> tuple[int, str, str]:
    """Run a command in a process group of its own; return its status, output and errors.

    Raises
    ------
    TimeoutError
        If it does not end in time; its group is killed.
    OSError
        If it cannot be started.
    """
    child = subprocess.Popen(
        command, cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        encoding="utf-8", errors="replace", start_new_session=True,
    )  # fmt: skip
    _RUNNING.add(child)
    try:
        out, err = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"no answer within {seconds:g} s") from error
    finally:
        _RUNNING.discard(child)
        _kill(child)
    return child.returncode, out, err


def workers(jobs: int, **options: Any) -> Any:
    """Return a `joblib.Parallel` whose workers end with this process, those included that were never given a job."""
    from joblib import Parallel

    return Parallel(n_jobs=jobs, initializer=_end_with_parent, initargs=(os.getpid(),), **options)


def _end_with_parent(parent: int) -> None:
    """End this worker, and what it runs, as soon as the process that started it is gone."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        for child in [*_RUNNING]:
            _kill(child)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def end_on_sigterm() -> Iterator[None]:
    """Let SIGTERM unwind the main thread, so that workers are ended and files are whole."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise Terminated(128 + signal.SIGTERM)

    old = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, old)


def _kill(child: subprocess.Popen[str]) -> None:
    """Kill a child's group, also what the child has left there; forget it."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.communicate(timeout=5)
