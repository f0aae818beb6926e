"""Try seeded inputs of every kind for a while, count them by kind, and write the table: ``make fuzz``.

Every input has a kind and a number; ``python tests/fuzz.py --seed S --only KIND NUMBER`` tries one again.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from random import Random

from fuzz_kinds import KINDS, small_budgets

ROOT = Path(__file__).resolve().parent.parent
CPU_SECONDS = 60  # for one input; the slowest takes about a second


class TooLongError(BaseException):
    """An input that does not end; no handler of the package may take it for its own."""


def attempt(kind, seed, number):
    """Try one input: True, False where its law does not apply, or the text of what went wrong."""
    try:
        return bool(KINDS[kind][0](Random(f"{seed}/{kind}/{number}")))
    except (Exception, TooLongError):  # noqa: BLE001  # whatever is raised is what is looked for
        return traceback.format_exc()


def rounds(seed, seconds, inputs):
    """Yield (kind, number, outcome), round after round, until the time is over or enough inputs are tried."""
    begin, tried, turn = time.monotonic(), 0, 0
    while (not seconds or time.monotonic() - begin < seconds) and (not inputs or tried < inputs):
        for kind, (_, share) in KINDS.items():
            for number in range(turn * share, (turn + 1) * share):
                outcome = attempt(kind, seed, number)
                tried += outcome is not False
                yield kind, number, outcome
        turn += 1


@contextmanager
def limited():
    """Stop an input that uses more than `CPU_SECONDS`: the clock starts again with `tick`."""

    def stop(_signal, _frame):
        raise TooLongError(f"{CPU_SECONDS} s of CPU time")

    signal.signal(signal.SIGPROF, stop)
    try:
        yield lambda: signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def fuzz(seed, seconds=0, inputs=0, heard=lambda *_: None):
    """Return the numbers of inputs tried by kind, and the findings: [kind, number, text]."""
    tried, findings = Counter(dict.fromkeys(KINDS, 0)), []
    with small_budgets(), limited() as tick:
        tick()
        for kind, number, outcome in rounds(seed, seconds, inputs):
            tried[kind] += outcome is not False
            if isinstance(outcome, str):
                findings.append([kind, number, outcome])
            heard(tried, findings)
            tick()
    return tried, findings


def git(*arguments):
    command = [shutil.which("git") or "git", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def report(tried, findings, command, minutes):
    """Write the table as Markdown."""
    found = Counter(kind for kind, *_ in findings)
    rows = [f"| {kind} | {count:,} | {found[kind]} |" for kind, count in tried.items()]
    used = f"Python {platform.python_version()}, dtmodel {version('dtmodel')}, Hypothesis {version('hypothesis')}"
    dirty = " with changes" if git("status", "--porcelain", "--untracked-files=no", "--", "dtmodel", "tests") else ""
    mended = (Path(__file__).parent / "fuzz_mended.md").read_text(encoding="utf-8")
    lines = [
        "# Inputs tried in process",
        "",
        f"Made by `{command}` in {minutes:.0f} minutes; {used}; commit {git('rev-parse', '--short', 'HEAD')}{dirty}.",
        "An input is counted if it was tried: a law that does not apply to a drawn scenario is not counted.",
        "",
        "| kind | inputs | findings |",
        "|---|--:|--:|",
        *rows,
        f"| all | {sum(tried.values()):,} | {len(findings)} |",
        "",
        mended,
    ]
    return "\n".join(lines)


def main():
    """Run the fuzzer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0, help="stop after so many seconds")
    parser.add_argument("--inputs", type=int, default=0, help="stop after so many inputs")
    parser.add_argument("--output", type=Path, help="write the table to this file")
    parser.add_argument("--only", nargs=2, metavar=("KIND", "NUMBER"), help="try one input again")
    options = parser.parse_args()
    if options.only:
        with small_budgets():
            print(attempt(options.only[0], options.seed, int(options.only[1])))
        return 0
    begin = last = time.monotonic()

    def heard(tried, findings):
        nonlocal last
        if time.monotonic() - last > 30:
            last = time.monotonic()
            print(f"{sum(tried.values()):,} inputs, {len(findings)} findings, {last - begin:.0f} s", flush=True)

    tried, findings = fuzz(options.seed, options.seconds or (0 if options.inputs else 300), options.inputs, heard)
    for kind, number, text in findings[:20]:
        print(f"{kind}, {number}:\n{text}")
    limits = "".join(f" --{key} {value:g}" for key in ("seconds", "inputs") if (value := getattr(options, key)))
    command = f"python tests/fuzz.py --seed {options.seed}{limits}"
    table = report(tried, findings, command, (time.monotonic() - begin) / 60)
    if options.output:
        options.output.write_text(table, encoding="utf-8")
        found = json.dumps(findings, indent=1) if findings else None
        if found:
            options.output.with_suffix(".findings.json").write_text(found, encoding="utf-8")
    print(table)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
