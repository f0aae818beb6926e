"""Every region of derived theorems against the exact engine, at many points inside and on boundaries, with ``==``.

Run with ``python tests/derive/compare.py --points 1000 --output validation/results/derive.json [NAME...]``, which
``make derived`` does: rows of families that are compared anew replace those that the file has. The families are those
of the tests.
"""

import argparse
import json
import platform
import random
import sys
import time
from importlib.metadata import version
from pathlib import Path

import families

from dtmodel import __version__
from dtmodel.base.documents import pretty_json
from dtmodel.base.workers import git
from dtmodel.derive import Limits, derive
from dtmodel.derive.theorem.check import check_case
from proofs.check_certificates import check

ROOT = Path(__file__).resolve().parents[2]
NAMES = [name for name, value in vars(families).items() if name.isupper() and "queues" in value]
COLUMNS = (
    "family",
    "complete",
    "cells",
    "regions",
    "inside",
    "boundary",
    "sums",
    "smt",
    "open",
    "seconds",
    "seed",
    "commit",
    "python",
    "dtmodel",
    "flint",
)


def revision():
    """Return the commit whose code is running: to be asked before it runs."""
    changed = git(ROOT, "status", "--porcelain", "--untracked-files=no", "--", "dtmodel", "tests/derive")
    return git(ROOT, "rev-parse", "--short", "HEAD") + (" with changes" if changed else "")


def compared(name, points, seed, seconds, commit):
    """Derive a theorem and compare it; return its row. `inside` is the least number of points of any region."""
    theorem = derive(getattr(families, name), Limits(seconds=seconds))
    source = random.Random(seed)
    each = [check_case(theorem, case, points, source) for case in theorem.cases]
    return {
        "family": name,
        "complete": theorem.complete,
        "cells": theorem.statistics["cells"],
        "regions": len(each),
        "inside": min((inside for inside, _ in each), default=0),
        "boundary": sum(boundary for _, boundary in each),
        **certified(theorem, seconds),
        "seed": seed,
        "commit": commit,
        "python": platform.python_version(),
        "dtmodel": __version__,
        "flint": version("python-flint"),
    }


def certified(theorem, seconds):
    """Return what the certificate of a theorem rests on, which the checker that stands alone must accept."""
    begin = time.process_time()
    document = json.loads(json.dumps(theorem.certificate(seconds)))
    spent = time.process_time() - begin
    assert check(document) == ""
    closure, covering = document["closure"], document["coverage"]
    apart = [*(covering or ()), *(closure["apart"] if closure else ())]
    hows = [how for how in _how(document["cells"]) if "from" in how]
    return {
        "sums": len({json.dumps(how) for how in hows}) + sum(each["how"] != "smt" for each in apart),
        "smt": len(document["left_out"]) + sum(each["how"] == "smt" for each in apart),
        "open": "all" if covering is None else "boundaries" if closure is None else _open(closure["tree"]),
        "seconds": round(spent, 1),
    }


def _how(cells):
    proofs = (proof for cell in cells for proof in cell["proofs"])
    return (how for proof in proofs for part in proof for _, _, how in part["factors"])


def _open(tree):
    """Count the sets of signs of which nothing is shown."""
    if tree[0] == "split":
        return sum(_open(below) for _, below in tree[2])
    return int(tree[0] in {"open", "left out"})


HEAD = """# Derived theorems compared with the exact engine

Made by `python tests/derive/compare.py --points 1000 --output validation/results/derive.json`, which `make derived`
runs. All answers were equal with `==`: those of the theorem, of the engine on the family, and, where all counts are
whole, of `dtmodel.simulate`. *inside* is the least number of random points inside any region of the theorem (a thin
region may have fewer than were asked for; families whose runs take long were asked for fewer with `--points`),
*boundary* the number of points on the boundaries of all regions. Of the certificate, which the stand-alone checker
accepted: *sums* counts the different identities in it, *smt* what rests on a solver (cells, and signs that exclude each
other), *open* the sets of signs, boundaries among them, of which it shows nothing, and *seconds* are those of the
processor that it took to make, without those of the solver; they are empty where none was made. A theorem that is not
complete, because timers may expire any number of times, was compared where it says something. *commit* is that of the
comparison.

"""


def table(rows):
    """Write rows as Markdown."""
    lines = [
        f"| {' | '.join(COLUMNS)} |",
        f"|---|---{'|--:' * (len(COLUMNS) - 2)}|",
        *(f"| {' | '.join(shown(row.get(column, '')) for column in COLUMNS)} |" for row in rows),
    ]
    return HEAD + "\n".join(lines) + "\n"


def shown(value):
    """Write a cell."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def keep(row, path):
    """Put a row into a file in place of the one of the same family, and write the table next to it."""
    rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    rows = sorted([*(r for r in rows if r["family"] != row["family"]), row], key=lambda r: NAMES.index(r["family"]))
    path.write_text(pretty_json(rows, width=1000) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(table(rows), encoding="utf-8")


def main():
    """Compare the families that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*NAMES, []])
    parser.add_argument(
        "--points", type=int, default=1000, help="inside every region, and as many at most on boundaries"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300, help="limit of each derivation")
    parser.add_argument("--output", type=Path, help="put the rows into this JSON file and write its table beside it")
    options = parser.parse_args()
    commit = revision()
    for name in options.names or NAMES:
        begin = time.monotonic()
        row = compared(name, options.points, options.seed, options.seconds, commit)
        print(*(shown(row[column]) for column in COLUMNS[:10]), f"{time.monotonic() - begin:.0f} s", flush=True)
        if options.output:
            keep(row, options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
