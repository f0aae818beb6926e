"""Child processes that end with the process that started them: on a time limit, an interrupt or a kill."""

import contextlib
import gc
import math
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dtmodel.base.errors import LedgerError

_RUNNING: set[subprocess.Popen[str]] = set()
_PER_CORE = 8
"""The largest useful number of processes per core."""
_ENDED = "a worker process was ended (out of memory?): try --jobs 1"
_GRACE = 30.0
"""The seconds beyond its limit after which a silent child process is killed."""


class Terminated(SystemExit):
    """The process received SIGTERM."""


def run_child(
    command: Sequence[str], seconds: float, where: Path | None = None, defaults: Mapping[str, str] | None = None
) -> tuple[int, str, str]:
    """Run a command in a process group of its own; return its status, output and errors.

    `defaults`: environment variables, unless set. Raises `TimeoutError` (the group is killed) or `OSError` (no start).
    """
    child = subprocess.Popen(
        command, cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        encoding="utf-8", errors="replace", start_new_session=True, env={**(defaults or {}), **os.environ},
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


def kill_running() -> None:
    """Kill every command that `run_child` is running, in any thread; those calls then return its status."""
    for child in [*_RUNNING]:
        _kill_group(child.pid)


def in_workers(jobs: int, tasks: Iterable[Any], **options: Any) -> Generator[Any, None, None]:
    """Yield the results of tasks (`joblib.delayed`) from workers, which end with this process."""
    from joblib import Parallel
    from joblib.externals.loky import get_reusable_executor
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    parallel = Parallel(n_jobs=useful(jobs), initializer=_begin, initargs=(os.getpid(), gc.get_threshold()), **options)
    try:
        yield from parallel(tasks)
    except TerminatedWorkerError as error:
        raise LedgerError(_ENDED) from error
    except BaseException:
        get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)
        raise


def can_copy() -> bool:
    """Return True if this process may fork: a fork would lose further threads of Python."""
    return sys.platform == "linux" and threading.active_count() == 1


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def useful(jobs: int) -> int:
    """Return the number of worker processes to start for `jobs` jobs: at most a few per core."""
    return min(jobs, _PER_CORE * cores())


@dataclass(frozen=True)
class Work:
    """Items for one child process: `answer` is called with each in turn, within the `seconds` of that item."""

    items: Sequence[Any]
    answer: Callable[[Any], Any]
    seconds: Callable[[Any], float]


@dataclass(frozen=True)
class Ended:
    """The answer for an item whose child process ended without an answer."""

    why: str


def answers(jobs: int, works: Sequence[Work]) -> Generator[tuple[Any, Any], None, None]:
    """Yield each item of all works with its answer, from child processes in which any code may run.

    If a child ends, its item gets an `Ended`, and another child continues. A child's standard output is standard error,
    its input is empty. A browser has no processes: the answers are computed in turn, without a limit.
    """
    if sys.platform == "emscripten":
        yield from ((item, work.answer(item)) for work in works for item in work.items)
        return
    from multiprocessing.connection import wait

    todo = deque((number, 0) for number, work in enumerate(works) if work.items)
    children: list[_Child] = []
    try:
        while todo or any(child.busy for child in children):
            while len(children) < jobs and len(todo) > sum(not child.busy for child in children):
                children.append(_Child(works))
            for child in children:
                if todo and not child.busy:
                    child.give(*todo.popleft())
            wait([child.pipe for child in children if child.busy], timeout=0.5)
            for child in [child for child in children if child.busy]:
                answer = child.answer()
                if answer is None:
                    continue
                yield child.item, answer
                child.next()
                if isinstance(answer, Ended):
                    children.remove(child)
                    child.end()
                    todo += [(child.number, child.place)] if child.busy else []
    finally:
        for child in children:
            child.end()


def in_copies(jobs: int, work: Callable[[Any], object], tasks: Iterable[Any]) -> Generator[Any, None, None]:
    """Yield each task once a child process has done it; `LedgerError` if a child is killed, or any error of `work`."""

    def done(task: Any) -> tuple[Exception | None]:
        try:
            work(task)
        except Exception as error:  # noqa: BLE001 -- the parent process raises it again
            return (error,)
        return (None,)

    for task, answer in answers(useful(jobs), [Work([task], done, lambda _: math.inf) for task in tasks]):
        if isinstance(answer, Ended):
            raise LedgerError(_ENDED)
        if answer[0] is not None:
            raise answer[0]
        yield task


class _Child:
    """A child process that answers for the items of works, with its present work and item."""

    def __init__(self, works: Sequence[Work]) -> None:
        self.works, self.number, self.place = works, 0, len(works[0].items)
        context = _context()
        self.pipe, there = context.Pipe()
        self.process = context.Process(target=_serve, args=(os.getpid(), gc.get_threshold(), works, there))
        with warnings.catch_warnings():  # Python 3.12 also counts the threads of BLAS, which survive a fork
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        there.close()

    @property
    def busy(self) -> bool:
        return self.place < len(self.works[self.number].items)

    @property
    def item(self) -> Any:
        return self.works[self.number].items[self.place]

    def give(self, number: int, place: int) -> None:
        """Give the child a work, from the item at `place` on."""
        self.number, self.place = number, place
        with contextlib.suppress(OSError):  # `answer` detects a child that has ended
            self.pipe.send((number, place))
        self._set_limit()

    def next(self) -> None:
        """Advance to the next item."""
        self.place += 1
        if self.busy:
            self._set_limit()

    def _set_limit(self) -> None:
        self.limit = self.works[self.number].seconds(self.item) + _GRACE
        self.late = time.monotonic() + self.limit

    def answer(self) -> Any:
        """Return the answer for the present item; None if there is none yet."""
        alive = self.process.is_alive()
        try:
            if self.pipe.poll():
                return self.pipe.recv()
        except Exception:  # noqa: BLE001 -- a closed pipe or a truncated message: the child cannot continue
            self._ended_within(1)
            alive = False
        if alive and time.monotonic() > self.late:
            return Ended(f"it gave no answer within {self.limit:g} s, so its process was killed")
        return None if alive else Ended(_how_it_ended(self.process.exitcode))

    def _ended_within(self, seconds: float) -> None:
        """Wait for the end of the child; `join` would also wait for processes that inherited its pipes."""
        late = time.monotonic() + seconds
        while self.process.is_alive() and time.monotonic() < late:
            time.sleep(0.01)

    def end(self) -> None:
        """End the child and all its descendants."""
        self.process.terminate()
        self._ended_within(1)
        _kill_group(self.process.pid)
        self.process.join()
        self.pipe.close()


def _how_it_ended(status: int | None) -> str:
    if status is None:
        return "it closed the pipe of the process that ran it"
    if status < 0:
        return f"its process was killed by {signal.Signals(-status).name} (a crash, out of memory, or from outside)"
    return f"it ended the process that ran it, with status {status}"


def _context() -> Any:
    """Return the start method of child processes: fork if this process may fork, else new interpreters."""
    if can_copy():
        from multiprocessing import get_context

        return get_context("fork")
    from joblib.externals.loky.backend import context

    return context.get_context("loky")


def _serve(parent: int, threshold: tuple[int, int, int], works: Sequence[Work], pipe: Any) -> None:
    """Answer for the items that the parent process requests, until it ends this process."""
    me, place, variables = os.getpid(), Path.cwd(), dict(os.environ)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends its children
    _begin(parent, threshold)
    if hasattr(os, "setsid"):
        os.setsid()
    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    try:
        with end_on_sigterm():
            while True:
                number, begin = pipe.recv()
                for item in works[number].items[begin:]:
                    answer = _answer(works[number], item)
                    if os.getpid() != me:  # a fork that the work made and did not end
                        return
                    pipe.send(answer)
                    _restore(place, variables)
    finally:
        os._exit(1)


def _answer(work: Work, item: Any) -> Any:
    sys.stdout = sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    try:
        return work.answer(item)
    except Exception as error:  # noqa: BLE001 -- the other items still get answers
        return Ended(f"it ended in {type(error).__name__}: {error}")
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()


def _restore(place: Path, variables: Mapping[str, str]) -> None:
    """Restore the working folder and the environment of the child's start."""
    with contextlib.suppress(OSError):
        os.chdir(place)
    if dict(os.environ) != variables:
        os.environ.clear()
        os.environ.update(variables)


def git(folder: Path, *words: str) -> str:
    """Return the output of a git command in a checkout; empty without a checkout or without git."""
    with contextlib.suppress(OSError):
        asked = ["git", "-C", str(folder), *words]
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return ""


def _begin(parent: int, threshold: tuple[int, int, int]) -> None:
    """Set up a worker: the parent's thresholds of garbage collection, and an end with the parent."""
    gc.set_threshold(*threshold)
    _end_with_parent(parent)


def _end_with_parent(parent: int) -> None:
    """End this worker and its commands as soon as its parent process is gone."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        for child in [*_RUNNING]:
            _kill(child)
        if hasattr(os, "getpgrp") and os.getpgrp() == os.getpid():
            _kill_group(os.getpid())
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def end_on_sigterm() -> Iterator[None]:
    """Let SIGTERM unwind the main thread, so that workers end and files stay whole."""
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
    """Kill a child and its process group, and reap it."""
    _kill_group(child.pid)
    child.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.communicate(timeout=5)


def _kill_group(number: int) -> None:
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(number, signal.SIGKILL)
