"""z3 and cvc5 as child processes: each serves many obligations, and is killed and restarted if one takes too long."""

import atexit
import contextlib
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from multiprocessing.connection import wait
from typing import Any

from dtmodel.base.errors import ExtraError
from dtmodel.ledger.evidence import EngineMissing
from dtmodel.ledger.provers import _child

SOLVERS = ("z3", "cvc5")

STEPS = {"z3": 200_000, "cvc5": 60_000}
"""The solver's steps in one second of a limit, as on a quiet machine; the hardest evidence needs a fifth of 10 s."""

BACKSTOP = 6
"""The seconds of the clock for each second of a limit, after which the solver is stopped in any case."""

_GRACE = 1.0
_START = 20.0


@dataclass(frozen=True)
class Answer:
    """The answer of a solver: ``"sat"`` with a model, ``"unsat"``, or ``"unknown"``; `other`: values not rational."""

    result: str
    model: Mapping[str, Fraction | bool] = field(default_factory=dict)
    other: Mapping[str, Fraction | None] = field(default_factory=dict)
    reason: str = ""


def ask(name: str, script: str, seconds: float) -> Answer:
    """Return a solver's answer to an SMT-LIB text; raise `EngineMissing` if the solver is not installed.

    The limit is counted in the solver's steps (`STEPS`), whatever the load; after six times `seconds` it is stopped.
    """
    solver = _solver(name)
    with solver.lock:
        solver.send(script, seconds)
        return solver.receive(seconds)


def ask_both(script: str, seconds: float) -> dict[str, Answer]:
    """Run z3 and cvc5 in parallel, and an undecided one again, restarted, since earlier questions affect it."""
    solvers = [_solver(name) for name in SOLVERS]
    with solvers[0].lock, solvers[1].lock:
        for solver in solvers:
            solver.send(script, seconds)
        answers = {solver.name: solver.receive(seconds) for solver in solvers}
        for solver in solvers:
            if answers[solver.name].result == "unknown" and not solver.first:
                solver.stop()
                solver.send(script, seconds)
                answers[solver.name] = solver.receive(seconds)
        return answers


@cache
def _solver(name: str) -> "_Solver":
    if importlib.util.find_spec(name) is None:
        raise EngineMissing(f"{name} is not installed: {ExtraError(name, 'ledger').install}")
    solver = _Solver(name)
    atexit.register(solver.stop)
    return solver


class _Solver:
    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._unread = b""
        self._fresh = self.first = True
        self._number = 0
        self._asked: tuple[bytes, float] = (b"", 0)
        self._decided: dict[tuple[bytes, float], Answer] = {}

    def send(self, script: str, seconds: float) -> None:
        """Send an obligation to the child, unless it was decided before: many goals have the same hypotheses."""
        self._asked = (hashlib.sha256(script.encode()).digest(), seconds)
        if self._asked in self._decided:
            return
        if sys.platform == "emscripten":  # a browser has no processes
            document = _child.answered(self.name, self._request(script, seconds))
            self._unread = json.dumps(document).encode() + b"\n"
            return
        process = self._running()
        self.first = self._fresh  # true if this is the child's first answer
        self._number += 1
        if process.stdin is not None:
            try:
                process.stdin.write(json.dumps(self._request(script, seconds)).encode() + b"\n")
                process.stdin.flush()
            except OSError:
                self.stop()

    def _request(self, script: str, seconds: float) -> dict[str, Any]:
        steps = max(1, int(seconds * STEPS[self.name]))
        return {"number": self._number, "script": script, "steps": steps, "seconds": seconds * BACKSTOP}

    def receive(self, seconds: float) -> Answer:
        """Wait for the answer; kill a child process that is late."""
        if self._asked in self._decided:
            return self._decided[self._asked]
        limit = seconds * BACKSTOP + _GRACE + (_START if self._fresh else 0)
        while True:
            line = self._line(limit)
            if not line:
                self.stop()
                late = f"no answer within {seconds * BACKSTOP:g} s by the clock"
                return Answer("unknown", reason=late if line is None else "the solver ended without an answer")
            self._fresh = False
            document = json.loads(line)
            if document["number"] == self._number:  # an interrupted question may be answered late
                answer = _read(document)
                if answer.result != "unknown":
                    self._decided[self._asked] = answer
                return answer

    def _line(self, seconds: float) -> bytes | None:
        """Return the child's next line; None if late. A thread could not wait for it: the ledger forks this process."""
        late = time.monotonic() + seconds
        while b"\n" not in self._unread:
            stream = self._process.stdout if self._process is not None else None
            if stream is not None and not wait([stream.fileno()], max(0.0, late - time.monotonic())):
                return None
            more = b"" if stream is None else os.read(stream.fileno(), 1 << 16)
            if not more:
                return b""
            self._unread += more
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def stop(self) -> None:
        """End the child process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
            self._process = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:  # in a fork, the solver counts as ended
            return self._process
        self.stop()
        command = [sys.executable, "-m", _child.__name__, self.name]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self._process, self._unread, self._fresh = process, b"", True
        return process


def _read(document: Mapping[str, Any]) -> Answer:
    values = document["model"].items()
    other = {name: value.get("near") for name, value in values if isinstance(value, Mapping)}
    near = {name: Fraction(text) if text else None for name, text in other.items()}
    model = {name: value if isinstance(value, bool) else Fraction(value) for name, value in values if name not in near}
    return Answer(document["result"], model, near, document["reason"])
