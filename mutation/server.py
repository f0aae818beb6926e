"""Run the mutants of one group of files: ``python -m mutation.server JOB``, in a snapshot of the project.

The tests are collected once, and each mutant runs in a forked copy of the collected session: the altered function's
code is exchanged in place, and the tests that call it run, those that have killed its neighbours first. A mutant that
cannot be exchanged so (it lies outside functions, or its function had already run while the tests were collected) gets
a fresh interpreter state in which the altered file is imported instead of the original. No file is altered on disk.
"""

from __future__ import annotations

import ast
import builtins
import functools
import gc
import importlib
import json
import os
import signal
import sys
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import SourceFileLoader
from itertools import accumulate, chain, count
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

from mutation.forks import Report, fork_each

__all__ = ["main"]

_REWRITE = "ignore::pytest.PytestAssertRewriteWarning"
"""Hypothesis is loaded before pytest on purpose: its assertions need no rewriting."""
_SETTINGS = "_hypothesis_internal_use_settings"
"""Where Hypothesis keeps a test's settings; they cannot be set twice in a public way."""
_CALLED = "_mutation_called"
"""The name under which instrumented functions find whom to tell."""
_QUICK = 1.0
"""Seconds of tests that every mutant meets before any mutant meets the slower ones."""
_EVIDENCE = "mutation/evidence_items.py"
"""To import it is expensive: a fresh interpreter does so only if nothing else kills its mutant."""
_WALL = 180.0
"""Seconds of wall time that one mutant may take."""


class Session:
    """A pytest plugin that takes over when the tests have been collected."""

    def __init__(self, then: Callable[[pytest.Session], None], examples: int | None) -> None:
        self._then = then
        self._examples = examples
        self.failed = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Let Hypothesis stop at its first failure: shrinking it is of no use here."""
        from hypothesis import HealthCheck, Phase, settings

        settings.register_profile(
            "mutation",
            settings.default,
            phases=(Phase.explicit, Phase.generate),
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        )
        settings.load_profile("mutation")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do what the session is for, in place of running the tests."""
        if self._examples:
            _fewer_examples(session.items, self._examples)
        self._then(session)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember a failure."""
        if report.failed and not self.failed:
            text = str(getattr(getattr(report.longrepr, "reprcrash", None), "message", report.longrepr))
            self.failed = " ".join(text.split())[:300] or "failed"

    def run(self, session: pytest.Session, items: Sequence[pytest.Item], limits: dict[str, float]) -> Iterator[str]:
        """Run the items, with CPU limits, and yield the reason of each one's failure or an empty string."""
        for item, following in zip(items, [*items, None][1:], strict=True):
            self.failed = ""
            limit = limits.get(item.nodeid)
            if limit:
                signal.setitimer(signal.ITIMER_PROF, limit)
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            yield self.failed


class Group:
    """The mutants of the files that share their tests."""

    def __init__(self, job: dict[str, Any], report: Report) -> None:
        self.job = job
        self.report = report
        self.sources = {str(Path(file).resolve()): Path(file).read_text(encoding="utf-8") for file in job["files"]}
        self.seconds: dict[str, float] = {}
        self.calls: dict[str, set[str]] = {}
        self.expected: dict[str, str] = {}
        self.early: set[str] = set()
        self.passed: dict[str, set[str]] = {}
        self.kills: Counter[str] = Counter()
        self.kills_in: defaultdict[str, Counter[str]] = defaultdict(Counter)

    # the collected session

    def collect_and_run(self) -> None:
        """Collect the tests once, and run the mutants whose code can be exchanged."""
        self._note_calls(self.early)
        session = Session(self._serve, self.job["examples"])
        code = pytest.main(_arguments(self.job), plugins=[session])
        sys.setprofile(None)
        if code not in (0, 1, 5):
            self.report({"fatal": f"the tests {' '.join(self.job['tests'])} cannot be collected (pytest exit {code})"})

    def _serve(self, session: pytest.Session) -> None:
        for file in self.job["files"]:
            importlib.import_module(file.removesuffix(".py").replace("/", "."))
        sys.setprofile(None)
        _cache_clearer()()
        plugin = next(p for p in session.config.pluginmanager.get_plugins() if isinstance(p, Session))
        if not session.items or session.testsfailed:
            self.report({"fatal": f"{session.testsfailed} errors while collecting {' '.join(self.job['tests'])}"})
            return
        self._baseline(session, plugin)
        live = _live_functions(set(self.sources))
        gc.freeze()
        fast = [mutant for mutant in self.job["mutants"] if self._exchangeable(mutant, live)]
        chosen = {mutant["id"] for mutant in fast}
        state = {"seconds": self.seconds, "expected": self.expected}
        self.report({"fresh": [m for m in self.job["mutants"] if m["id"] not in chosen], "state": state})

        def work(mutant: dict[str, Any], report: Report) -> None:
            _exchange(mutant, self._altered(mutant), live)
            passed = self.passed.get(mutant["id"])
            calling = [item for item in session.items if self._function(mutant) in self.calls.get(item.nodeid, ())]
            items = self._order([item for item in calling if item.nodeid not in (passed or ())], mutant)
            if passed is None:
                quick = self._quick(items)
                self._try(session, plugin, quick, report, more=len(quick) < len(items))
            else:
                self._try(session, plugin, items, report)

        self._run(fast, work, fresh=False)

    def _baseline(self, session: pytest.Session, plugin: Session) -> None:
        """Run everything once on the unaltered program: which functions each test calls, and how long it takes."""

        def work(_: int, report: Report) -> None:
            calls: set[str] = set()
            self._instrument(calls)
            clear_caches = _cache_clearer()
            begin = time.monotonic()
            for item, failure in zip(session.items, plugin.run(session, session.items, {}), strict=True):
                seconds = time.monotonic() - begin
                report({"test": item.nodeid, "seconds": seconds, "calls": sorted(calls), "failure": failure})
                calls.clear()
                clear_caches()
                begin = time.monotonic()
            evidence = sys.modules.get("mutation.evidence_items")
            report({"expected": getattr(evidence, "EXPECTED", {})})

        broken = set()
        for _, lines, _ in fork_each([1], work, jobs=1, wall=1800):
            for line in lines:
                if "expected" in line:
                    self.expected = line["expected"]
                elif "test" in line and line["failure"]:
                    broken.add(line["test"])
                    self.report({"broken": line["test"], "why": line["failure"]})
                elif "test" in line:
                    self.seconds[line["test"]] = line["seconds"]
                    self.calls[line["test"]] = set(line["calls"])
        session.items[:] = [item for item in session.items if item.nodeid in self.seconds]
        self._expect()
        self.report({"baseline": len(self.seconds), "seconds": sum(self.seconds.values())})

    # fresh interpreters

    def run_fresh(self, mutants: Sequence[dict[str, Any]], state: dict[str, Any]) -> None:
        """Run mutants by importing the altered file in a fresh state."""
        self.seconds, self.expected = state["seconds"], state["expected"]

        def work(mutant: dict[str, Any], report: Report) -> None:
            _import_altered(mutant["path"], self._altered(mutant))
            tests = [test for test in self.job["tests"] if test != _EVIDENCE]
            first = mutant["id"] not in self.passed and len(tests) < len(self.job["tests"])

            def serve(session: pytest.Session) -> None:
                self._expect()
                if session.testsfailed:
                    report({"killed": "while the tests were collected", "why": ""})
                    return
                passed = self.passed.get(mutant["id"], ())
                items = [i for i in session.items if i.nodeid in self.seconds and i.nodeid not in passed]
                self._try(session, plugin, self._order(items, mutant), report, more=first)

            plugin = Session(serve, self.job["examples"])
            code = pytest.main(_arguments(self.job | {"tests": tests} if first else self.job), plugins=[plugin])
            if code not in (0, 1):
                report({"killed": "while the tests were collected", "why": f"pytest exit {code}"})

        self._run(mutants, work, fresh=True)

    # both

    def _run(
        self, mutants: Sequence[dict[str, Any]], work: Callable[[dict[str, Any], Report], None], *, fresh: bool
    ) -> None:
        again: deque[dict[str, Any]] = deque()
        tasks = chain(mutants, (again.popleft() if again else None for _ in count()))
        for mutant, lines, finished in fork_each(tasks, work, jobs=self.job["jobs"], wall=_WALL):
            if any("more" in line for line in lines):
                self.passed[mutant["id"]] = {line["begins"] for line in lines if "begins" in line}
                if not self.job["quick"]:
                    again.append(mutant)
                continue
            killed = next((line for line in lines if "killed" in line), None)
            crash = next((line["crash"] for line in lines if "crash" in line), "")
            result = {"id": mutant["id"], "status": "survived", "killer": "", "detail": "", "fresh": fresh}
            last = next((line["begins"] for line in reversed(lines) if "begins" in line), "while it was imported")
            if killed:
                result |= {"status": "killed", "killer": killed["killed"], "detail": killed["why"]}
            elif crash:
                result |= {"status": "killed", "killer": last, "detail": crash}
            elif not finished:
                result |= {"status": "timeout", "killer": last, "detail": "it did not end in time"}
            if result["killer"]:
                self.kills[result["killer"]] += 1
                self.kills_in[self._function(mutant)][result["killer"]] += 1
            self.report({"result": result})

    def _quick(self, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        """Return the first of the items that take little time together: most mutants are killed by these."""
        totals = accumulate(self.seconds[item.nodeid] for item in items)
        return [item for item, total in zip(items, totals, strict=True) if total <= _QUICK]

    def _try(
        self,
        session: pytest.Session,
        plugin: Session,
        items: Sequence[pytest.Item],
        report: Report,
        *,
        more: bool = False,
    ) -> None:
        limits = {item.nodeid: 0.5 + 3 * self.seconds[item.nodeid] for item in items}
        if items:
            report({"begins": items[0].nodeid})
        following = [*(item.nodeid for item in items), ""][1:]
        for item, after, failure in zip(items, following, plugin.run(session, items, limits), strict=True):
            if failure:
                report({"killed": item.nodeid, "why": failure})
                return
            report({"begins": after})
        if more:
            report({"more": True})

    def _order(self, items: Sequence[pytest.Item], mutant: dict[str, Any]) -> list[pytest.Item]:
        """Put first what is likely to kill in little time."""
        near = self.kills_in[self._function(mutant)]

        def promise(item: pytest.Item) -> float:
            return (3 * near[item.nodeid] + 0.1 * self.kills[item.nodeid] + 0.2) / (self.seconds[item.nodeid] + 0.01)

        return sorted(items, key=promise, reverse=True)

    def _expect(self) -> None:
        evidence = sys.modules.get("mutation.evidence_items")
        if evidence is not None:
            evidence.EXPECTED.update(self.expected)

    def _altered(self, mutant: dict[str, Any]) -> str:
        source = self.sources[mutant["path"]]
        return source[: mutant["start"]] + str(mutant["replacement"]) + source[mutant["end"] :]

    def _function(self, mutant: dict[str, Any]) -> str:
        return f"{mutant['path']}:{mutant['outer']}"

    def _exchangeable(self, mutant: dict[str, Any], live: dict[str, list[FunctionType]]) -> bool:
        name = self._function(mutant)
        return mutant["body"] and name in live and name not in self.early

    def _instrument(self, calls: set[str]) -> None:
        """Let the functions of the files say when they are called: a profiler would slow everything down."""
        setattr(builtins, _CALLED, lambda code: calls.add(_name(code)))
        live = _live_functions(set(self.sources))
        for path, source in self.sources.items():
            module = compile(_Instrumented().visit(ast.parse(source)), path, "exec", dont_inherit=True)
            for code in _codes(module):
                for function in live.get(_name(code), []):
                    if function.__code__.co_firstlineno == code.co_firstlineno and "<locals>" not in code.co_qualname:
                        function.__code__ = code

    def _note_calls(self, calls: set[str]) -> None:
        files = self.sources

        def note(frame: FrameType, event: str, _: object) -> None:
            if event == "call" and frame.f_code.co_filename in files:
                calls.add(_name(frame.f_code))

        sys.setprofile(note)


def _arguments(job: dict[str, Any]) -> list[str]:
    # Plain assertions: pytest would import files named here, the mutated ones among them, in a way of its own.
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--capture=no", "--assert=plain", "-W", _REWRITE]
    return [*options, *job["tests"]]


def _name(code: CodeType) -> str:
    """Name a function by its file and its outermost function."""
    return f"{code.co_filename}:{code.co_qualname.split('.<locals>')[0]}"


def _fewer_examples(items: Sequence[pytest.Item], most: int) -> None:
    """Let Hypothesis try at most so many examples a test."""
    from hypothesis import is_hypothesis_test, settings

    for item in items:
        test = getattr(getattr(item, "obj", None), "__func__", getattr(item, "obj", None))
        if test is not None and is_hypothesis_test(test):
            own: settings = getattr(test, _SETTINGS)
            setattr(test, _SETTINGS, settings(own, max_examples=min(own.max_examples, most)))


def _live_functions(files: set[str]) -> dict[str, list[FunctionType]]:
    """Return the function objects made from the files; one name may have several (a property and its setter)."""
    found: dict[str, list[FunctionType]] = defaultdict(list)
    for thing in gc.get_objects():
        code = thing.__code__ if type(thing) is FunctionType else None
        if code is not None and code.co_filename in files and "<locals>" not in code.co_qualname:
            found[_name(code)].append(thing)
    return found


def _exchange(mutant: dict[str, Any], source: str, live: dict[str, list[FunctionType]]) -> None:
    """Give the live function objects their altered code."""
    name = f"{mutant['path']}:{mutant['outer']}"
    codes = {code.co_firstlineno: code for code in _codes(compile(source, mutant["path"], "exec", dont_inherit=True))
             if _name(code) == name and "<locals>" not in code.co_qualname}  # fmt: skip
    for function in live[name]:
        function.__code__ = codes[function.__code__.co_firstlineno]


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _import_altered(path: str, source: str) -> None:
    original = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        if self.path == path:
            return compile(source, path, "exec", dont_inherit=True)
        return original(self, fullname)

    setattr(SourceFileLoader, "get_code", get_code)  # noqa: B010 - mypy would rightly object to the assignment


def _cache_clearer() -> Callable[[], None]:
    """Return a function that empties the project's caches, so that each test calls what it depends on."""
    kind = type(functools.lru_cache(len))
    ours = ("dtmodel", "tests", "test_", "mutation")
    caches = [thing for thing in gc.get_objects() if type(thing) is kind and str(thing.__module__).startswith(ours)]

    def clear() -> None:
        for cache in caches:
            cache.cache_clear()

    return clear


class _Instrumented(ast.NodeTransformer):
    """Lets every outermost function and method say that it has been called."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Put a call of `_CALLED` before the first statement."""
        call = ast.parse(f"{_CALLED}(__import__('sys')._getframe().f_code)").body[0]
        for part in ast.walk(call):
            ast.copy_location(part, node.body[0])
        node.body.insert(0, call)
        return node


def main() -> None:
    """Read the job, run it, and write the reports to standard output, one JSON object a line."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    out = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.path.insert(0, str(Path.cwd()))
    for module in job["preload"]:
        importlib.import_module(module)
    left: list[dict[str, Any]] = []

    def report(line: dict[str, Any]) -> None:
        os.write(out, json.dumps(line).encode() + b"\n")

    def collected(_: int, send: Report) -> None:
        Group(job, send).collect_and_run()

    state: dict[str, Any] = {}
    for line in _relay(collected):
        if "fresh" in line:
            left, state = line["fresh"], line["state"]
        else:
            report(line)
    if left:
        Group(job, report).run_fresh(left, state)


def _relay(work: Callable[[int, Report], None]) -> Iterator[dict[str, Any]]:
    """Run the work in a child that may have children of its own, and yield its reports as they come."""
    receiving, sending = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(receiving)
        with os.fdopen(sending, "w") as pipe:
            work(0, lambda line: print(json.dumps(line), file=pipe, flush=True))
        os._exit(0)
    os.close(sending)
    with os.fdopen(receiving) as pipe:
        yield from map(json.loads, pipe)
    os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
