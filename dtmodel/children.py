"""Child processes that end with whoever started them: when time is up, when it is interrupted, when it is killed."""

import contextlib
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dtmodel.errors import LedgerError

_RUNNING: set[subprocess.Popen[str]] = set()
_PER_CORE = 8
"""More processes than this for each core gain nothing."""
_ENDED = "a worker process was ended (out of memory?): try --jobs 1"


class Terminated(SystemExit):
    """A process was asked to end: it received SIGTERM."""


def run_child(
    command: Sequence[str], seconds: float, where: Path | None = None, defaults: Mapping[str, str] | None = None
) -> tuple[int, str, str]:
    """Run a command in a process group of its own; return its status, output and errors.

    `defaults`: variables of its environment, if ours does not have them.

    Raises `TimeoutError` if it does not end in time (its group is killed), and `OSError` if it cannot be started.
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


def in_workers(jobs: int, tasks: Iterable[Any], **options: Any) -> Generator[Any, None, None]:
    """Yield what tasks (`joblib.delayed`) return, from workers that end with this process or when it is interrupted.

    Those that were never given a job end, too.

    Raises `LedgerError` if a worker is ended from outside.
    """
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
    """Whether this process may be copied with what it has loaded: no thread of Python's own would be missing then."""
    return sys.platform == "linux" and threading.active_count() == 1


def cores() -> int:
    """Return how many cores this process may use, as far as the system says."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def useful(jobs: int) -> int:
    """Return how many worker processes are worth having if `jobs` are asked for: some for each core at most.

    >>> useful(1), useful(10**9) <= 8 * cores()
    (1, True)
    """
    return min(jobs, _PER_CORE * cores())


def in_copies(jobs: int, work: Callable[[Any], object], tasks: Sequence[Any]) -> Generator[Any, None, None]:
    """Yield each task as soon as `work` is done with it, in copies of this process, which end with it.

    They share what this process has loaded and made, so they begin at once; each takes the next task when it is free.

    Raises `LedgerError` if a copy is ended from outside, and what `work` raises.
    """
    from multiprocessing import get_context
    from multiprocessing.connection import wait

    context = get_context("fork")
    taken, copies, pipes = context.Value("q", 0), list[Any](), list[Any]()
    try:
        for _ in range(useful(jobs)):
            here, there = context.Pipe(duplex=False)
            copy = context.Process(target=_copy, args=(os.getpid(), work, tasks, taken, there), daemon=True)
            with warnings.catch_warnings():  # Python 3.12 counts the threads of BLAS, too, which expect to be copied
                warnings.simplefilter("ignore", DeprecationWarning)
                copy.start()
            there.close()
            copies.append(copy)
            pipes.append(here)
        while pipes:
            pipe: Any
            for pipe in wait(pipes):
                try:
                    task, error = pipe.recv()
                except EOFError as ended:
                    raise LedgerError(_ENDED) from ended
                if error is not None:
                    raise error
                if task is None:
                    pipes.remove(pipe)
                else:
                    yield task
    finally:
        for copy in copies:
            copy.kill()
            copy.join()


def _copy(parent: int, work: Callable[[Any], object], tasks: Sequence[Any], taken: Any, pipe: Any) -> None:
    """Do tasks until none is left, or one fails."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _end_with_parent(parent)
    while True:
        with taken.get_lock():
            number, taken.value = taken.value, taken.value + 1
        if number >= len(tasks):
            pipe.send((None, None))
            return
        try:
            work(tasks[number])
        except Exception as error:  # noqa: BLE001 -- it is raised again where it is heard of
            pipe.send((None, error))
            return
        pipe.send((tasks[number], None))


def git(folder: Path, *words: str) -> str:
    """Ask git about a checkout; empty where there is none, or no git."""
    with contextlib.suppress(OSError):
        asked = ["git", "-C", str(folder), *words]
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return ""


def _begin(parent: int, threshold: tuple[int, int, int]) -> None:
    """Set up a worker: it looks for garbage as seldom as the process that started it, and ends with that."""
    gc.set_threshold(*threshold)
    _end_with_parent(parent)


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
