"""Try seeded inputs of every kind for a while, count them by kind, and write the table: ``make fuzz``.

Every input has a kind and a number; ``python tests/fuzz.py --seed S --only KIND NUMBER`` tries one again.
"""

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

from dtmodel import __version__
from dtmodel.base.documents import pretty_json

ROOT = Path(__file__).resolve().parent.parent
MENDED = Path(__file__).resolve().parent / "fuzz_mended.md"
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


def described(seed, tried, findings, minutes):
    """A run, with enough to repeat it; of each finding the error alone, since a traceback names places of a machine."""
    dirty = git("status", "--porcelain", "--untracked-files=no", "--", "dtmodel", "tests")
    return {
        "seed": seed,
        "inputs": sum(tried.values()),
        "minutes": round(minutes),
        "python": platform.python_version(),
        "dtmodel": __version__,
        "hypothesis": version("hypothesis"),
        "commit": git("rev-parse", "--short", "HEAD") + (" with changes" if dirty else ""),
        "tried": dict(tried),
        "findings": [[kind, number, text.strip().splitlines()[-1]] for kind, number, text in findings],
    }


def report(runs):
    """Write the table of some runs as Markdown, and beside it what has been found and mended."""
    tried, found = Counter(), Counter()
    for run in runs:
        tried.update(run["tried"])
        found.update(kind for kind, *_ in run["findings"])
    columns = ("seed", "inputs", "minutes", "commit", "python", "dtmodel", "hypothesis")
    lines = [
        "# Inputs tried in process",
        "",
        "Made by `python tests/fuzz.py --seed SEED --inputs INPUTS --output validation/results/fuzz.json`, which",
        "`make fuzz` runs. Every input has a kind and a number and can be tried again; one to which a law does not",
        "apply is not counted.",
        "",
        f"| {' | '.join(columns)} |",
        f"|{'--:|' * len(columns)}",
        *(f"| {' | '.join(str(run[column]) for column in columns)} |" for run in runs),
        "",
        "| kind | inputs | findings |",
        "|---|--:|--:|",
        *(f"| {kind} | {count:,} | {found[kind]} |" for kind, count in tried.items()),
        f"| all | {sum(tried.values()):,} | {sum(found.values())} |",
        "",
    ]
    return "\n".join(lines) + "\n" + MENDED.read_text(encoding="utf-8")


def keep(run, path):
    """Put a run beside those that a file has, and write their table next to it."""
    runs = [*(json.loads(path.read_text(encoding="utf-8")) if path.exists() else []), run]
    path.write_text(pretty_json(runs, width=1000) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(report(runs), encoding="utf-8")


def main():
    """Run the fuzzer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0, help="stop after so many seconds")
    parser.add_argument("--inputs", type=int, default=0, help="stop after so many inputs")
    parser.add_argument("--output", type=Path, help="put the run into this JSON file and write its table beside it")
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
    run = described(options.seed, tried, findings, (time.monotonic() - begin) / 60)
    if options.output:
        keep(run, options.output)
    print(report([run]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
