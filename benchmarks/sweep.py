"""Sweeps: points a second for a theorem and for scenarios, one worker against two, and the peak of memory.

Each sweep runs in a process of its own, from the document to the last file, start of Python included; the peak is that
of the process that writes. A hundred times the points show that memory does not grow with them.

Beside each ratio stands what two processes of this machine gain at that moment: each runs the same batch in the native
core, which shares nothing with the other, while the other one does and alone. No sweep gains more; below 1.7 it is the
machine, or what else runs there, that two workers cannot gain 1.7.

    python benchmarks/sweep.py [POINTS]
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CODE = """
import json, resource, sys
from pathlib import Path
from dtmodel.sweeps.running import read_plan, run_plan
run_plan(read_plan(json.loads(sys.argv[1])), Path(sys.argv[2]), int(sys.argv[3]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
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


def measured(document: dict[str, Any], jobs: int) -> tuple[float, int]:
    """Return the seconds that a sweep takes and the peak of memory in MiB."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", CODE, json.dumps(document), str(Path(folder) / "out"), str(jobs)]
        start = time.perf_counter()
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return time.perf_counter() - start, int(done.stdout)


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
    rows = [(f"theorem, {n:,} points", n, theorem(n)) for n in (10 * points, 100 * points)]
    swept = (("float", 100 * points), ("float", points), ("exact", points))
    rows += [(f"scenarios in {a}, {n:,} points", n, scenarios(n, a)) for a, n in swept]
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print("| sweep | 1 worker: points/s | s | 2 workers: points/s | ratio | at most | peak MiB |\n" + "|---" * 7 + "|")
    for name, number, document in rows:
        (one, peak), (two, _) = measured(document, 1), measured(document, 2)
        most = 2 * at_once(1) / at_once(2)
        rates = f"{number / one:,.0f} | {one:.1f} | {number / two:,.0f}"
        print(f"| {name} | {rates} | {one / two:.2f} | {most:.2f} | {peak} |", flush=True)


if __name__ == "__main__":
    main()
