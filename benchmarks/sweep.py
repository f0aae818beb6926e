"""Sweeps: points a second for a theorem and for scenarios, one worker against two, and the peak of memory.

Each sweep is a command `dtmodel sweep` of its own, from the document to the last file, start of Python included; the
peak is that of the process that writes. A hundred times the points show that memory does not grow with them. Few points
have no second worker: there the ratio is 1.

One worker and two take turns, and the seconds are the shortest of each: what else runs on the machine only ever adds to
them. Beside each ratio stands what two processes gain that share nothing, at those moments and counted in the same way:
each runs a batch in the native core, alone and while the other one does. Where that is below 1.7 it is the machine that
does not let two workers gain 1.7. The ratio "by work" looks at seconds of the processor only, which others on the
machine change less: all that one worker needs, over what the process that starts two needs and half of what they need.
It has a bound where two workers compute.

Last, as many points with traffic of their own in four shapes, with one worker: seconds of the processor. The long axis
of the last one is alpha, on which the steady lengths depend.

    python benchmarks/sweep.py [POINTS [TURNS]]
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from _bounds import bounded

CODE = """
import resource, sys
from dtmodel.cli import main
try:
    main()
finally:
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    print(own.ru_maxrss // 1024, own.ru_utime + own.ru_stime, others.ru_utime + others.ru_stime, file=sys.stderr)
"""

ALONE = """
import sys, time
sys.path.insert(0, sys.argv[1])
from native import batch_of, burst_beside_two
batch = batch_of([burst_beside_two(number) for number in range(1_000)])
print(flush=True)
input()
begin = time.perf_counter()
for _ in range(2_000):
    batch.run()
print(time.perf_counter() - begin)
"""


def theorem(points: int) -> dict[str, Any]:
    """Return a sweep of Theorem 1 over alpha and the rate of the bursts."""
    axes = {
        "alpha": {"from": "1/8", "to": 8, "count": points // 1000},
        "R": {"from": "1.1 Gbps", "to": "8 Gbps", "count": 1000},
    }
    return {"statement": "edt.thm1", "given": {"B": "1 MB", "C": "1 Gbps", "M": 1, "N": 2}, "axes": axes}


def scenarios(points: int, arithmetic: str) -> dict[str, Any]:
    """Return a sweep of a burst beside two busy ports."""
    busy = {"arrivals": [[0, "2 Gbps"]], "initial": "steady"}
    scenario = {
        "switch": {"ports": 16, "buffer": "1 MB", "rate": "1 Gbps"}, "policy": {"name": "dt", "alpha": 1},
        "queues": [{"arrivals": [[0, "2 Gbps"], ["6 ms", 0]]}, busy, busy], "until": "12 ms",
    }  # fmt: skip
    axes = {
        "alpha": {"set": "policy.alpha", "from": "1/8", "to": 8, "count": points // 1000},
        "burst": {"set": "queues[0].arrivals[0][1]", "from": "1.5 Gbps", "to": "8 Gbps", "count": 1000},
    }
    return {"scenario": scenario, "axes": axes, "arithmetic": arithmetic}


def shaped(counts: tuple[int, int, int]) -> dict[str, Any]:
    """Return a sweep over alpha, the rate of the burst and its end, whose axes have so many values."""
    document, (alphas, rates, ends) = scenarios(1000, "float"), counts
    document["axes"]["alpha"]["count"], document["axes"]["burst"]["count"] = alphas, rates
    end = {"set": "queues[0].arrivals[1][0]", "from": "2 ms", "to": "8 ms", "count": ends}
    return document | {"axes": document["axes"] | {"end": end}}


def print_shapes(points: int, turns: int) -> None:
    """Print the seconds of the processor of sweeps that differ in shape alone, and the largest ratio."""
    cube = round(points ** (1 / 3))
    shapes = ((cube, cube, points // cube**2), (10, points // 100, 10), (2, 2, points // 4), (points // 4, 2, 2))
    found = [min(measured(shaped(shape), 1).here for _ in range(turns)) for shape in shapes]
    print("\nalphas x rates x ends: seconds of the processor")
    for shape, seconds in zip(shapes, found, strict=True):
        print(f"{' x '.join(f'{n:,}' for n in shape)}: {seconds:.1f}")
    print(bounded("slowest over fastest shape", max(found) / min(found), 1.5), flush=True)


class Cost(NamedTuple):
    """What a sweep takes: seconds, MiB at the peak, and seconds of the processor here and in copies."""

    seconds: float
    peak: int
    here: float
    copies: float


def measured(document: dict[str, Any], jobs: int) -> Cost:
    """Return what a sweep takes."""
    with tempfile.TemporaryDirectory() as folder:
        (file := Path(folder) / "sweep.json").write_text(json.dumps(document), encoding="utf-8")
        options = ["-o", str(Path(folder) / "out"), "-j", str(jobs)]
        command = [sys.executable, "-c", CODE, "sweep", str(file), *options]
        start = time.perf_counter()
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        seconds, (peak, here, copies) = time.perf_counter() - start, done.stderr.split()[-3:]
        return Cost(seconds, int(peak), float(here), float(copies))


def at_once(number: int) -> float:
    """Return the seconds that the slowest of some processes takes for a batch that all run from the same moment on."""
    command = [sys.executable, "-c", ALONE, str(Path(__file__).parent)]
    children = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(number)
    ]
    for child in children:
        assert child.stdout is not None
        child.stdout.readline()
    for child in children:
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
    return max(float(child.communicate()[0]) for child in children)


def main() -> None:
    """Print one table."""
    points = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    rows = [(f"theorem, {n:,} points", n, theorem(n)) for n in (10 * points, 100 * points)]
    swept = (("float", points), ("float", 100 * points), ("exact", points))
    rows += [(f"scenarios in {a}, {n:,} points", n, scenarios(n, a)) for a, n in swept]
    works = dict[str, float]()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    titles = "sweep | 1 worker: points/s | s | 2 workers: points/s | s | ratio | at most | by work | peak MiB"
    print(f"| {titles} |\n" + "|---" * (titles.count("|") + 1) + "|")
    for name, number, document in rows:
        turn = [(measured(document, 1), measured(document, 2), at_once(1), at_once(2)) for _ in range(turns)]
        ones, twos, alone, beside = zip(*turn, strict=True)
        one, two = min(ones), min(twos)
        work = min(each.here for each in ones) / min(each.here + each.copies / 2 for each in twos)
        if any(each.copies for each in twos):
            works[name] = 1 / work
        rates = f"{number / one.seconds:,.0f} | {one.seconds:.1f} | {number / two.seconds:,.0f} | {two.seconds:.1f}"
        ratios = f"{one.seconds / two.seconds:.2f} | {2 * min(alone) / min(beside):.2f} | {work:.2f}"
        print(f"| {name} | {rates} | {ratios} | {max(each.peak for each in ones)} |", flush=True)
    print()
    for name, work in works.items():
        print(bounded(f"{name}: work with two workers over work with one", work, 1 / 1.6))
    print_shapes(100 * points, min(turns, 2))


if __name__ == "__main__":
    main()
