"""Lines of scenarios in floats: `dtmodel simulate --float --json` on JSON Lines, milliseconds of the processor a line.

Each line has three queues, two of them steady. "one number": buffers differ; "all numbers": buffers, alphas, rates,
times and ends do; "EDT" and "pools" are such lines under these policies. The second column is that of the careful
reader alone, which reads lines under pools in any case; the answers are equal, or this stops. Garbage is collected as
rarely as the command line lets it be.

    python benchmarks/lines.py [LINES]
"""

import contextlib
import gc
import io
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

from _bounds import bounded

from dtmodel.cli.simulate import command
from dtmodel.fluid import lines

Line = dict[str, Any]
POOLS = {"name": "pools", "limits": [{"alpha": 1, "reserved": "10 KB"}, {"alpha": 2}, {"alpha": 1, "cap": "200 KB"}]}
EDT = {"name": "edt", "alpha": 1, "cn2": "12 KB", "tm1": "2.1 ms", "tm2": "10 ms"}


def all_numbers(rng: random.Random, policy: Line | None = None) -> Line:
    """Return a line whose numbers are drawn."""
    burst = [["0", f"{rng.randint(1001, 9000)} Mbps"], [f"{rng.randint(1, 5000)} us", "0"]]
    steady = {"arrivals": [["0", f"{rng.randint(1001, 3000)} Mbps"]], "initial": 0 if policy == POOLS else "steady"}
    return {
        "switch": {"ports": 16, "buffer": f"{rng.randint(500, 4000)} KB", "rate": "1 Gbps"},
        "policy": policy or {"name": "dt", "alpha": rng.randint(1, 4000) / 1000},
        "queues": [{"arrivals": burst}, steady, steady],
        "until": f"{rng.randint(6000, 30000) / 1000} ms",
        "sample": ["1 ms", "0.5 ms"],
    }


def one_number(rng: random.Random) -> Line:
    """Return a line that differs from others in its buffer alone."""
    same = all_numbers(random.Random(1))
    return same | {"switch": same["switch"] | {"buffer": f"{rng.randint(1, 10**6)} B"}}


def timed(file: Path, lines: int) -> tuple[float, str]:
    """Return milliseconds a line, the least of three times, and what is printed."""
    least, out = float("inf"), io.StringIO()
    for _ in range(3):
        out, begin = io.StringIO(), time.process_time()
        with contextlib.redirect_stdout(out):
            command.main(["--float", "--json", str(file)], standalone_mode=False)
        least = min(least, time.process_time() - begin)
    return least * 1e3 / lines, out.getvalue()


def main(lines: int) -> None:
    """Print a row for each kind of line."""
    gc.set_threshold(50_000, 20, 20)
    kinds = {"one number": one_number, "all numbers": all_numbers}
    kinds |= {"EDT": lambda rng: all_numbers(rng, EDT), "pools": lambda rng: all_numbers(rng, POOLS)}
    print(f"{f'{lines:,} lines':30}{'ms a line':>15}{'careful, ms':>15}")
    ratios = {}
    for name, kind in kinds.items():
        rng = random.Random(7)
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "lines.jsonl"
            file.write_text("".join(f"{json.dumps(kind(rng))}\n" for _ in range(lines)), encoding="utf-8")
            took, told = timed(file, lines)
            with patch.object(lines, "_forms", return_value=()):
                careful, again = timed(file, lines)
        assert told == again
        ratios[name] = took / careful
        print(f"{name:30}{took:15.3f}{careful:15.3f}", flush=True)
    print(bounded("all numbers, in times of the careful reader", ratios["all numbers"], 0.7))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4000)
