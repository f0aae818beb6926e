"""Copies of this process: they take what is left, say what failed, and end with who made them."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from contextlib import closing

import pytest

from dtmodel import InputError
from dtmodel.base.errors import LedgerError
from dtmodel.base.workers import in_copies


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")
def test_copies_take_what_is_left_say_what_failed_and_are_missed() -> None:
    def work(task: int) -> None:
        made.append(task)
        if task == 7:
            raise InputError("field", task, "another")
        if task == 8:
            os.kill(os.getpid(), signal.SIGKILL)

    made = list[int]()
    assert sorted(in_copies(3, work, range(7))) == list(range(7))
    assert made == []
    with pytest.raises(InputError, match="field: got 7; expected another"):
        list(in_copies(2, work, range(8)))
    with pytest.raises(LedgerError, match="a worker process was ended"):
        list(in_copies(2, work, [1, 2, 8, 3, 4]))
    with closing(in_copies(2, time.sleep, [0, 1000, 1000])) as some:
        assert next(some) == 0
    assert [one.name for one in multiprocessing.active_children() if one.name.startswith("ForkProcess")] == []


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")
def test_copies_end_with_who_made_them() -> None:
    code = (
        "import os, signal, time; from dtmodel.base.workers import in_copies\n"
        "for _ in in_copies(2, time.sleep, [0, 1000, 1000]): os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=False, timeout=60)
    assert killed.returncode == -signal.SIGKILL  # and nobody has its output open
