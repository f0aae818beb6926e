"""Forked children that do one piece of work each and report in lines of JSON, a few at a time, with hard limits."""

import json
import math
import os
import resource
import select
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

Task = TypeVar("Task")
Report = Callable[[dict[str, Any]], None]
_MEMORY = 4 * 2**30


@dataclass
class _Child:
    pid: int
    pipe: int
    begin: float
    text: bytes = b""
    lines: list[dict[str, Any]] = field(default_factory=list)


def fork_each(
    tasks: Iterable[Task],
    work: Callable[[Task, Report], None],
    *,
    jobs: int,
    wall: float = math.inf,
    until: float = math.inf,
) -> Iterator[tuple[Task, list[dict[str, Any]], bool]]:
    """Run ``work(task, report)`` for each task in a child of its own, at most `jobs` at a time.

    Parameters
    ----------
    tasks : iterable
        Taken one by one, as children become free.
    work : callable
        Runs in the child, whose output is discarded; what it reports comes back.
    jobs : int
        How many children at a time.
    wall : float
        Seconds after which a child and everything that it started are killed.
    until : float
        The time of the monotonic clock at which all are.

    Yields
    ------
    task, reports, finished
        `finished` is False if the child was killed by a limit or died.
    """
    waiting = iter(tasks)
    running: dict[int, tuple[Task, _Child]] = {}
    try:
        while True:
            while len(running) < jobs:
                try:
                    task = next(waiting)
                except StopIteration:
                    break
                child = _start(task, work)
                running[child.pipe] = (task, child)
            if not running:
                return
            ready, _, _ = select.select(list(running), [], [], 0.5)
            for pipe in list(running):
                task, child = running[pipe]
                late = time.monotonic() > min(child.begin + wall, until)
                if (pipe in ready and not _read(child)) or late:
                    del running[pipe]
                    yield task, child.lines, _end(child) and not late
    finally:
        for _, child in running.values():
            _end(child)


def _start(task: Task, work: Callable[[Task, Report], None]) -> _Child:
    receiving, sending = os.pipe()
    pid = os.fork()
    if pid:
        os.close(sending)
        return _Child(pid, receiving, time.monotonic())
    status = 1
    try:
        os.setpgid(0, 0)
        os.close(receiving)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        work(task, lambda line: _write(sending, line))
        status = 0
    except BaseException as error:  # noqa: BLE001 - a child must never return into its parent's code
        _write(sending, {"crash": f"{type(error).__name__}: {error}"[:300]})
    finally:
        os._exit(status)


def _write(pipe: int, line: dict[str, Any]) -> None:
    data = json.dumps(line).encode() + b"\n"
    while data:
        data = data[os.write(pipe, data) :]


def _read(child: _Child) -> bool:
    """Read what has come; whether more may come."""
    data = os.read(child.pipe, 1 << 16)
    *lines, child.text = (child.text + data).split(b"\n")
    child.lines += [json.loads(line) for line in lines]
    return bool(data)


def _end(child: _Child) -> bool:
    """Stop a child with all that it started, and say whether it had ended well by itself."""
    pid, status = os.waitpid(child.pid, os.WNOHANG)
    ended_by_itself = pid != 0
    if not ended_by_itself:
        for _ in range(20):  # the pipe closes a moment before the process is gone
            time.sleep(0.005)
            pid, status = os.waitpid(child.pid, os.WNOHANG)
            if pid:
                ended_by_itself = True
                break
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    if not ended_by_itself:
        os.waitpid(child.pid, 0)
    os.close(child.pipe)
    return ended_by_itself and status == 0
