"""Run the mutants of one file, each in a forked copy of a session whose tests have been collected once.

The altered function's code is exchanged in place in the copy, and of the tests those run that call the function, first
those that have killed its neighbours; the first failure ends it. Starting Python and loading SymPy for each mutant, as
mutation tools do, takes seconds; this takes about a tenth of one. A mutant that cannot be exchanged so (it lies outside
functions, or its function had already run while the tests were collected) gets a copy of the state before, in which the
altered file is imported. No file is altered on disk.
"""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import gc
import importlib
import os
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

from mutation.forks import Report, fork_each
from mutation.mutants import Mutant, mutants

_CALLED = "_mutation_called"
"""The name under which instrumented functions find whom to tell."""
_EVIDENCE = "mutation.evidence_items"
_REWRITE = "ignore::pytest.PytestAssertRewriteWarning"
"""Hypothesis is loaded before pytest on purpose: its assertions need no rewriting."""
_WALL = 180.0
"""Seconds of wall time that one mutant may take."""
_GRACE = 10.0
"""Seconds after the end in which the tests may still be being collected."""


@dataclass(frozen=True)
class Job:
    """What to run: mutants of a file in this order, the tests and evidence that may notice them, until when."""

    tree: Path
    file: str
    wanted: Sequence[Mutant]
    tests: Sequence[str]
    evidence: Sequence[str]
    until: float
    jobs: int


@dataclass(frozen=True)
class Result:
    """What became of a mutant: ``killed`` or ``timeout``, and by what; ``survived``; ``not run`` in the time given."""

    mutant: Mutant
    status: str
    killer: str = ""


def run(job: Job, *, complain: Callable[[str], None]) -> Iterator[Result]:
    """Yield what becomes of each mutant, and complain of tests that fail on the unaltered program."""
    group = _Group(job)
    by_id = {mutant.id: mutant for mutant in job.wanted}
    served = fork_each([0], lambda _, report: group.collect_and_run(report), jobs=1, until=job.until + _GRACE)
    for _, lines, _ in served:
        for line in lines:
            if "complaint" in line or "crash" in line:
                complain(line.get("complaint") or f"{job.file}: {line['crash']}")
            elif "state" in line:
                group.seconds, group.expected, group.complete = line["state"]
                group.fresh = [by_id[name] for name in line["fresh"]]
            elif "result" in line:
                name, *what = line["result"]
                yield Result(by_id.pop(name), *what)
    for mutant, status, killer in group.run_fresh():
        yield Result(by_id.pop(mutant.id), status, killer)
    yield from (Result(mutant, "not run") for mutant in by_id.values())


@dataclass(eq=False)
class _Plugin:
    """A pytest plugin that takes over when the tests have been collected."""

    then: Callable[[pytest.Session, _Plugin], None]
    failed: str = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Let Hypothesis stop at its first failure, and keep nothing."""
        from hypothesis import HealthCheck, Phase, settings

        # Before pytest imports files inside the package: it would import them and their parents a second time.
        for path in ("dtmodel", *(each for each in session.config.args if each.startswith("dtmodel/"))):
            importlib.import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        quick = {"phases": (Phase.explicit, Phase.generate), "report_multiple_bugs": False, "database": None}
        settings.register_profile("mutation", settings.default, suppress_health_check=list(HealthCheck), **quick)
        settings.load_profile("mutation")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do what the session is for, in place of running the tests."""
        self.then(session, self)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember a failure."""
        if report.failed and not self.failed:
            text = str(getattr(getattr(report.longrepr, "reprcrash", None), "message", report.longrepr))
            self.failed = " ".join(text.split())[:200] or "failed"

    def run(self, session: pytest.Session, items: Sequence[pytest.Item], limits: Mapping[str, float]) -> Iterator[str]:
        """Run the items, with CPU limits, and yield the reason of each one's failure or an empty string."""
        for item, following in zip(items, [*items, None][1:], strict=True):
            self.failed = ""
            signal.setitimer(signal.ITIMER_PROF, limits.get(item.nodeid, 0))
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            yield self.failed


@dataclass
class _Group:
    """The mutants of one file, and what is known about the tests."""

    job: Job
    seconds: dict[str, float] = field(default_factory=dict)
    calls: dict[str, set[str]] = field(default_factory=dict)
    expected: dict[str, str] = field(default_factory=dict)
    complete: bool = True
    fresh: list[Mutant] = field(default_factory=list)
    kills: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.path = str((self.job.tree / self.job.file).resolve())
        self.module = ast.parse(Path(self.path).read_text(encoding="utf-8"))
        evidence = [str(Path(__file__).with_name("evidence_items.py"))] if self.job.evidence else []
        self.arguments = [*self.job.tests, *evidence]
        os.environ["MUTATION_EVIDENCE"] = " ".join(self.job.evidence)
        for library in ("hypothesis", "sympy"):  # loaded once for all copies
            importlib.import_module(library)
        wanted = {mutant.id for mutant in self.job.wanted}
        self.codes = {mutant.id: self._compile(mutant) for mutant in mutants(self.module) if mutant.id in wanted}

    def _compile(self, mutant: Mutant) -> CodeType:
        """Compile the module as it is altered now; of a mutant inside a function the statement around it is enough."""
        parts = [self.module.body[mutant.place]] if mutant.body else self.module.body
        return _compiled(parts, self.path)

    # the collected session

    def collect_and_run(self, report: Report) -> None:
        """Collect the tests once, and run the mutants whose code can be exchanged."""
        early: set[str] = set()

        def note(frame: FrameType, event: str, _: object) -> None:
            if event == "call" and frame.f_code.co_filename == self.path:
                early.add(_name(frame.f_code))

        def serve(session: pytest.Session, plugin: _Plugin) -> None:
            importlib.import_module(self.job.file.removesuffix(".py").replace("/", "."))
            sys.setprofile(None)
            if session.testsfailed:
                report({"complaint": f"{self.job.file}: its tests cannot be collected ({' '.join(self.job.tests)})"})
                return
            _clear(caches := _caches())
            self._baseline(session, plugin, report, caches)
            live = _live_functions(self.path)
            gc.freeze()
            fast = [m for m in self.job.wanted if m.body and m.function in live and m.function not in early]
            left = [mutant.id for mutant in self.job.wanted if mutant not in fast]
            report({"fresh": left, "state": [self.seconds, self.expected, self.complete]})

            def work(mutant: Mutant, send: Report) -> None:
                _exchange(live[mutant.function], mutant.function, self.codes[mutant.id])
                calling = [item for item in session.items if mutant.function in self.calls[item.nodeid]]
                self._try(session, plugin, calling, mutant, send)

            for mutant, status, killer in self._run(fast, work):
                report({"result": [mutant.id, status, killer]})

        sys.setprofile(note)
        code = pytest.main(_arguments(self.arguments), plugins=[_Plugin(serve)])
        sys.setprofile(None)
        if code not in (0, 1, 5):
            report({"complaint": f"{self.job.file}: pytest ends with {code} on {' '.join(self.job.tests)}"})

    def _baseline(self, session: pytest.Session, plugin: _Plugin, report: Report, caches: Sequence[Any]) -> None:
        """Run everything once on the unaltered program: which functions each test calls, and how long it takes.

        Half of the time is for this. Tests that it does not suffice for are left out; then nothing surely survives.
        """

        def work(_: int, send: Report) -> None:
            calls: set[str] = set()
            self._instrument(calls)
            begin = time.monotonic()
            for item, failure in zip(session.items, plugin.run(session, session.items, {}), strict=True):
                send({"test": item.nodeid, "seconds": time.monotonic() - begin, "calls": sorted(calls), "why": failure})
                calls.clear()
                _clear(caches)  # so that each test calls what it depends on
                begin = time.monotonic()
            send({"expected": getattr(sys.modules.get(_EVIDENCE), "EXPECTED", {})})

        half = time.monotonic() + (self.job.until - time.monotonic()) / 2
        for _, lines, self.complete in fork_each([1], work, jobs=1, until=half):
            for line in lines:
                if "crash" in line:
                    report({"complaint": f"{self.job.file}: its tests do not end well: {line['crash']}"})
                elif line.get("why"):
                    report({"complaint": f"{line['test']} fails on the unaltered program: {line['why']}"})
                elif "test" in line:
                    self.seconds[line["test"]], self.calls[line["test"]] = line["seconds"], set(line["calls"])
                self.expected = line.get("expected", self.expected)
        session.items[:] = [item for item in session.items if item.nodeid in self.seconds]
        self._expect()

    def _instrument(self, calls: set[str]) -> None:
        """Let the functions of the file say when they are called: a profiler would slow everything down."""
        setattr(builtins, _CALLED, lambda code: calls.add(_name(code)))
        code = _compiled([_Instrumented().visit(copy.deepcopy(part)) for part in self.module.body], self.path)
        for name, functions in _live_functions(self.path).items():
            _exchange(functions, name, code)

    # fresh copies

    def run_fresh(self) -> Iterator[tuple[Mutant, str, str]]:
        """Run mutants by importing the altered file in a copy of the state before."""

        def work(mutant: Mutant, report: Report) -> None:
            code = self.codes[mutant.id] if not mutant.body else self._whole(mutant)
            _import_altered(self.path, code)

            def serve(session: pytest.Session, plugin: _Plugin) -> None:
                self._expect()
                if session.testsfailed:
                    report({"killed": "while the tests were collected"})
                    return
                items = [item for item in session.items if item.nodeid in self.seconds]
                self._try(session, plugin, items, mutant, report)

            ends = (0, 1) if self.seconds else (5,)  # 5: there are no tests
            if pytest.main(_arguments(self.arguments), plugins=[_Plugin(serve)]) not in ends:
                report({"killed": "while the tests were collected"})

        yield from self._run(self.fresh, work)

    def _whole(self, mutant: Mutant) -> CodeType:
        for each in mutants(self.module):
            if each.id == mutant.id:
                return _compiled(self.module.body, self.path)
        raise LookupError(mutant.id)

    # both

    def _run(self, todo: Sequence[Mutant], work: Callable[[Mutant, Report], None]) -> Iterator[tuple[Mutant, str, str]]:
        """Yield what becomes of each, until there is no more time."""
        in_time = (mutant for mutant in todo if time.monotonic() < self.job.until)
        for mutant, lines, finished in fork_each(in_time, work, jobs=self.job.jobs, wall=_WALL, until=self.job.until):
            killer = next((line["killed"] for line in lines if "killed" in line), "")
            last = next((line["begins"] for line in reversed(lines) if "begins" in line), "while it was imported")
            if killer or any("crash" in line for line in lines):
                status, killer = "killed", killer or last
            elif finished:
                status, killer = "survived" if self.complete else "not run", ""
            elif time.monotonic() >= self.job.until:
                status, killer = "not run", ""
            else:
                status, killer = "timeout", last
            self.kills[mutant.function, killer] += 1
            yield mutant, status, killer

    def _try(
        self, session: pytest.Session, plugin: _Plugin, items: Sequence[pytest.Item], mutant: Mutant, report: Report
    ) -> None:
        """Run the tests until one fails, first what is likely to fail in little time."""
        near = self.kills

        def promise(item: pytest.Item) -> float:
            return (near[mutant.function, item.nodeid] + 0.1) / (self.seconds[item.nodeid] + 0.01)

        ordered = sorted(items, key=promise, reverse=True)
        limits = {item.nodeid: 0.5 + 3 * self.seconds[item.nodeid] for item in ordered}
        failures = plugin.run(session, ordered, limits)
        for item in ordered:
            report({"begins": item.nodeid})
            if next(failures):
                report({"killed": item.nodeid})
                return

    def _expect(self) -> None:
        if _EVIDENCE in sys.modules:
            sys.modules[_EVIDENCE].EXPECTED.update(self.expected)


_FUTURE = annotations.compiler_flag
"""What the first line of some modules asks for: a statement is compiled without that line."""


def _arguments(tests: Sequence[str]) -> list[str]:
    # Plain assertions: pytest would import files named here, the mutated one among them, in a way of its own.
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--capture=no", "--assert=plain", "-W", _REWRITE)
    return [*options, *tests]


def _compiled(body: list[ast.stmt], path: str) -> CodeType:
    code: CodeType = compile(ast.Module(body, []), path, "exec", flags=_FUTURE, dont_inherit=True)
    return code


def _name(code: CodeType) -> str:
    """Name a function by its outermost function."""
    return code.co_qualname.split(".<locals>")[0]


def _live_functions(path: str) -> dict[str, list[FunctionType]]:
    """Return the function objects made from a file; one name may have several (a property and its setter)."""
    found: dict[str, list[FunctionType]] = defaultdict(list)
    for thing in gc.get_objects():
        code = thing.__code__ if type(thing) is FunctionType else None
        if code is not None and code.co_filename == path and "<locals>" not in code.co_qualname:
            found[_name(code)].append(thing)
    return found


def _exchange(functions: Sequence[FunctionType], name: str, module: CodeType) -> None:
    """Give live function objects the code that they have in another version of the module."""
    codes = {code.co_firstlineno: code for code in _codes(module) if code.co_qualname == name}
    for function in functions:
        if function.__code__.co_firstlineno in codes:
            function.__code__ = codes[function.__code__.co_firstlineno]


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _import_altered(path: str, code: CodeType) -> None:
    original = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        return code if self.path == path else original(self, fullname)

    setattr(SourceFileLoader, "get_code", get_code)  # noqa: B010 - mypy would rightly object to the assignment


def _caches() -> list[Any]:
    """Return the project's caches of function values."""
    kind = type(functools.lru_cache(len))
    ours = ("dtmodel", "tests", "test_", "mutation")
    return [thing for thing in gc.get_objects() if type(thing) is kind and str(thing.__module__).startswith(ours)]


def _clear(caches: Sequence[Any]) -> None:
    for cache in caches:
        cache.cache_clear()


class _Instrumented(ast.NodeTransformer):
    """Lets every outermost function and method say that it has been called."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Put a call of `_CALLED` before the first statement."""
        call = ast.parse(f"{_CALLED}(__import__('sys')._getframe().f_code)").body[0]
        for part in ast.walk(call):
            ast.copy_location(part, node.body[0])
        node.body.insert(0, call)
        return node
