"""Replaying traces of packets: records a second and policy, and the peak of memory for a trace ten times as long.

Each replay runs in a process of its own; making the trace is not counted.

    python benchmarks/traces.py [MILLISECONDS]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

CODE = """
import resource, sys, time
from dtmodel import DT, EDT, LQD, Switch
from dtmodel.traces import read_batches, replay_trace
policy = {"DT": DT(1), "EDT": EDT(1, "50 KB", "1 ms", "5 ms"), "LQD": LQD()}[sys.argv[2]]
start = time.process_time()
done = replay_trace(read_batches(sys.argv[1], 16), Switch(16, "1 MB", "10 Gbps"), {"one": policy})["one"]
print(sum(done.packets), time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def main() -> None:
    """Print one table."""
    length = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print("| policy | records | records/s | peak MiB |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for milliseconds in (length, 10 * length):
            file = Path(folder) / f"{milliseconds}.parquet"
            make = [sys.executable, "-m", "dtmodel.cli", "make-trace", str(file), "--ports", "16", "--rate", "10Gbps"]
            more = ["--duration", f"{milliseconds}ms", "--load", "0.9", "--sizes", "cache"]
            subprocess.run([*make, *more], check=True, stdout=subprocess.DEVNULL)
            for policy in ("DT", "EDT", "LQD"):
                run = [sys.executable, "-c", CODE, str(file), policy]
                answer = subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()
                print(f"| {policy} | {int(answer[0]):,} | {int(answer[0]) / float(answer[1]):,.0f} | {answer[2]} |")


if __name__ == "__main__":
    main()
