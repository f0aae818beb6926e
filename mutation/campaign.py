"""A run over many mutants: take a snapshot, hand each group of files to a server, record what comes back."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from mutation.mutants import Mutant, enumerate_mutants
from mutation.operators import catalogue
from mutation.record import Record, Result
from mutation.targets import HERE, Target, in_scope, targets

__all__ = ["Choice", "Found", "find", "run", "snapshot", "unit_digests"]

_MAKERS = b"".join((HERE / name).read_bytes() for name in ("operators.py", "mutants.py"))
"""What decides which mutants there are: those of a file are kept until this or the file changes."""
_COPIED = ("dtmodel", "proofs", "validation", "tests", "mutation", "notebooks", "benchmarks", "pyproject.toml")


@dataclass(frozen=True)
class Choice:
    """Which mutants: of the files that match a pattern (all if there is none), and how many, drawn with a seed."""

    files: tuple[str, ...] = ()
    sample: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class Found:
    """A mutant with its target and the digests under which its result stands."""

    mutant: Mutant
    target: Target
    source: str
    tests: str

    def result(self, record: Record) -> Result | None:
        """Return what became of it, if that is known and still stands."""
        return record.valid(self.mutant.id, source=self.source, tests=self.tests)

    def last_result(self, record: Record) -> Result | None:
        """Return what became of it when it was last run; a survivor may not have met the newest tests yet."""
        return record.valid(self.mutant.id, source=self.source, tests=None)


def find(tree: Path, record: Record, choice: Choice) -> list[Found]:
    """Return the chosen mutants of a tree."""
    groups = {file: target for target in reversed(targets()) for file in target.in_tree(tree)}
    found = []
    digests: dict[Target, str] = {}
    for file in in_scope(tree):
        if file not in groups or (choice.files and not any(fnmatch(file, pattern) for pattern in choice.files)):
            continue
        source = (tree / file).read_text(encoding="utf-8")
        digest = hashlib.sha256(source.encode()).hexdigest()[:16]
        key = hashlib.sha256(_MAKERS + f"{file}{digest}".encode()).hexdigest()
        mutants = record.mutants(key)
        if mutants is None:
            mutants = enumerate_mutants(file, source, catalogue())
            record.keep_mutants(key, mutants)
        tests = digests.setdefault(groups[file], groups[file].digest(tree))
        unit = unit_digests(source)
        found += [Found(mutant, groups[file], unit(mutant), tests) for mutant in mutants]
    if choice.sample is not None and choice.sample < len(found):
        drawn = set(random.Random(choice.seed).sample(range(len(found)), choice.sample))
        found = [item for number, item in enumerate(found) if number in drawn]
    return found


def unit_digests(source: str) -> Callable[[Mutant], str]:
    """Return what digests the outermost function around a mutant, or the statement at module level.

    A result stands while this does not change: what else the file holds matters little to it.
    """
    lines = source.splitlines(keepends=True)
    tree = ast.parse(source)
    definitions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]

    def digest(mutant: Mutant) -> str:
        around: list[ast.stmt] = [node for node in definitions if node.lineno <= mutant.line <= (node.end_lineno or 0)]
        around = around or [node for node in tree.body if node.lineno <= mutant.line <= (node.end_lineno or 0)]
        widest = max(around, key=lambda node: (node.end_lineno or 0) - node.lineno)
        text = "".join(lines[widest.lineno - 1 : widest.end_lineno])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    return digest


@contextmanager
def snapshot(tree: Path) -> Iterator[Path]:
    """Copy what the tests need to a temporary directory: the tree may be worked on meanwhile."""
    with tempfile.TemporaryDirectory(prefix="dtmodel-mutation-") as name:
        copy = Path(name).resolve()
        for item in _COPIED:
            source = tree / item
            if source.is_dir():
                shutil.copytree(source, copy / item, ignore=shutil.ignore_patterns("__pycache__", ".*", "mutants.md"))
            elif source.exists():
                shutil.copy2(source, copy / item)
        if not (copy / "mutation").exists():
            shutil.copytree(HERE, copy / "mutation", ignore=shutil.ignore_patterns("__pycache__"))
        yield copy


def run(
    copy: Path,
    todo: Sequence[Found],
    record: Record,
    *,
    jobs: int,
    examples: int | None = None,
    quick: bool = False,
    say: Callable[[str], None],
) -> list[str]:
    """Run mutants in a snapshot and record the results; return what went wrong with the tests themselves."""
    progress = _Progress(len(todo), say)
    limits = {"jobs": jobs, "examples": examples, "quick": quick}
    wrong: list[str] = []
    for target in dict.fromkeys(item.target for item in todo):
        mine = {item.mutant.id: item for item in todo if item.target == target}
        for line in _serve(copy, target, [item.mutant for item in mine.values()], limits):
            if "result" in line:
                item = mine.pop(line["result"]["id"])
                result = Result(**line["result"])
                record.put(result, source=item.source, tests=item.tests)
                progress.add(item.mutant.file, result.status)
            elif "baseline" in line:
                tests = f"{line['baseline']} tests, {line['seconds']:.0f} s"
                say(f"{len(mine)} mutants of {', '.join(target.files)}: {tests}")
            elif "broken" in line:
                wrong.append(f"{line['broken']} fails on the unaltered program and was left out: {line['why']}")
            elif "fatal" in line:
                wrong.append(line["fatal"])
        if mine and not quick:
            wrong.append(f"{len(mine)} mutants of {', '.join(target.files)} were not run")
    progress.end()
    return wrong


def _serve(copy: Path, target: Target, mutants: Sequence[Mutant], limits: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Start a server in the snapshot, with the snapshot's dtmodel, and yield what it reports."""
    files = target.in_tree(copy)
    job = {
        "files": files,
        "tests": target.test_files(copy),
        "preload": ["pytest", *target.preload],
        **limits,
        "mutants": [asdict(m) | {"path": str(copy / m.file)} for m in mutants],
    }
    (copy / "job.json").write_text(json.dumps(job), encoding="utf-8")
    environment = os.environ | {
        "PYTHONPATH": str(copy),
        "MUTATION_SELECTORS": " ".join(target.selectors),
        "DTMODEL_CACHE": str(copy / ".cache"),
    }
    command = [sys.executable, "-m", "mutation.server", "job.json"]
    with subprocess.Popen(command, cwd=copy, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield from map(json.loads, process.stdout)
        finally:
            process.terminate()


class _Progress:
    def __init__(self, total: int, say: Callable[[str], None]) -> None:
        self._total, self._say = total, say
        self._counts: Counter[str] = Counter()
        self._begin = self._last = time.monotonic()

    def add(self, file: str, status: str) -> None:
        self._counts[status] += 1
        now = time.monotonic()
        if now - self._last >= 10:
            self._last = now
            done = self._counts.total()
            left = (now - self._begin) / done * (self._total - done)
            self._say(f"{done}/{self._total} {self._text()}, about {left / 60:.0f} min left, in {file}")

    def end(self) -> None:
        self._say(f"{self._counts.total()}/{self._total} {self._text()}, {time.monotonic() - self._begin:.0f} s")

    def _text(self) -> str:
        return ", ".join(f"{self._counts[status]} {status}" for status in ("killed", "timeout", "survived"))
