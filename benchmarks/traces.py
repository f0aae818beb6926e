"""Replaying traces of packets: records a second and policy, and the peak of memory for a trace ten times as long.

Each replay runs in a process of its own and its seconds are those of that process, with reading the file and loading
the package; making the trace is not counted. Packets of 64, 576 and 1,500 bytes offer 97 % of the rates of all ports.

    python benchmarks/traces.py [RECORDS]
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

PORTS, PART = 16, 500_000
CODE = """
import resource, sys, time
from dtmodel import DT, EDT, LQD, Switch
from dtmodel.studies.traces import TraceColumns, read_batches, replay_trace
policy = {"DT": DT(1), "EDT": EDT(1, "5 KB", "10 us", "50 us"), "LQD": LQD()}[sys.argv[2]]
batches = read_batches(sys.argv[1], int(sys.argv[3]), TraceColumns(unit="ns"))
done = replay_trace(batches, Switch(int(sys.argv[3]), "128 KB", "10 Gbps"), {"one": policy})["one"]
said = f"{sum(done.lost_packets):,} | {done.engine}"
print(sum(done.packets), time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, said)
"""


def write(file: Path, records: int) -> None:
    """Write a trace of so many records, part by part."""
    rng, now = np.random.default_rng(1), 0.0
    schema = pa.schema([("time", pa.int64()), ("port", pa.int32()), ("bytes", pa.int32())])
    with parquet.ParquetWriter(file, schema) as writer:
        for begin in range(0, records, PART):
            sizes = rng.choice([64, 576, 1500], min(PART, records - begin))
            times = now + np.cumsum(rng.exponential(sizes.mean() / (0.97 * PORTS * 1.25), sizes.size))
            now = times[-1]
            columns = times.astype(int), rng.integers(0, PORTS, sizes.size), sizes
            writer.write_table(pa.table([column.astype(np.int64) for column in columns], schema.names).cast(schema))


def a_row(file: Path, policy: str) -> str:
    """Replay a trace under a policy in a process of its own."""
    run = [sys.executable, "-c", CODE, str(file), policy, str(PORTS)]
    answer = subprocess.run(run, check=True, capture_output=True, text=True).stdout.strip()
    records, seconds, peak, said = answer.split(maxsplit=3)
    return f"| {policy} | {int(records):,} | {int(records) / float(seconds):,.0f} | {peak} | {said} |"


def main() -> None:
    """Print one table."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print("| policy | records | records/s | peak MiB | lost | engine |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for number in (records // 10, records, 10 * records):
            file = Path(folder) / f"{number}.parquet"
            write(file, number)
            for policy in ("DT", "EDT", "LQD"):
                print(a_row(file, policy), flush=True)


if __name__ == "__main__":
    main()
