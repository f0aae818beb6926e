"""A time limit for a piece of work, by a signal."""

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator


@contextlib.contextmanager
def ended_within(seconds: float, late: BaseException) -> Iterator[None]:
    """Raise `late` in the running work after some seconds (where signals exist, and in a main thread only).

    A nearer limit set outside holds. An error that the interrupted code raises instead counts as `late` (gmpy2's does).
    """
    signals = hasattr(signal, "setitimer") and sys.platform != "emscripten"
    if not signals or threading.current_thread() is not threading.main_thread():
        yield
        return

    rang = False

    def stop(*_: object) -> None:
        nonlocal rang
        rang = True
        raise late

    outer, begin = signal.getitimer(signal.ITIMER_REAL)[0], time.monotonic()
    if 0 < outer <= seconds:
        yield
        return
    old = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))  # 0 would be no limit
    try:
        yield
    except Exception as error:
        if rang and error is not late:
            raise late from error
        raise
    else:
        if rang:
            raise late
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
        if outer:
            signal.setitimer(signal.ITIMER_REAL, max(outer - (time.monotonic() - begin), 1e-6))
