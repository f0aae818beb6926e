"""Lines of scenarios in floats: `dtmodel simulate --float --json` on JSON Lines, milliseconds of the processor a line.

Each line has three queues, two of them steady except under "pools" and "complete". "one number": buffers differ; "all
numbers": buffers, alphas, rates, times and ends do, as in the kinds named after policies; "64 forms": each queue has
one to four pieces of traffic, too. The first time includes the import of NumPy. In the last column each line is read
by itself; the answers are equal, or this stops. Garbage is collected as rarely as the command line lets it be.

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

Line = dict[str, Any]
POOLS = {"name": "pools", "limits": [{"alpha": 1, "reserved": "10 KB"}, {"alpha": 2}, {"alpha": 1, "cap": "200 KB"}]}
COMPLETE = {"name": "complete"}
EDT = {"name": "edt", "alpha": 1, "cn2": "12 KB", "tm1": "2.1 ms", "tm2": "10 ms"}


def all_numbers(rng: random.Random, policy: Line | None = None) -> Line:
    """Return a line whose numbers are drawn."""
    burst = [["0", f"{rng.randint(1001, 9000)} Mbps"], [f"{rng.randint(1, 5000)} us", "0"]]
    held = 0 if policy in (POOLS, COMPLETE) else "steady"
    steady = {"arrivals": [["0", f"{rng.randint(1001, 3000)} Mbps"]], "initial": held}
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


def many_forms(rng: random.Random) -> Line:
    """Return a line whose queues have one to four pieces of traffic."""
    line = all_numbers(rng)
    queues = []
    for queue in line["queues"]:
        times = sorted(rng.sample(range(5001, 11000), rng.randint(0, 3)))
        more = [[f"{time} us", f"{rng.randint(100, 3000)} Mbps"] for time in times]
        queues.append(queue | {"arrivals": queue["arrivals"][:1] + more})
    return line | {"queues": queues}


def timed(file: Path, lines: int) -> tuple[list[float], str]:
    """Return milliseconds a line of three times, and what is printed."""
    took, out = list[float](), io.StringIO()
    for _ in range(3):
        out, begin = io.StringIO(), time.process_time()
        with contextlib.redirect_stdout(out):
            command.main(["--float", "--json", str(file)], standalone_mode=False)
        took.append((time.process_time() - begin) * 1e3 / lines)
    return took, out.getvalue()


def main(lines: int) -> None:
    """Print a row for each kind of line."""
    gc.set_threshold(50_000, 20, 20)
    kinds = {"one number": one_number, "all numbers": all_numbers}
    kinds |= {"EDT": lambda rng: all_numbers(rng, EDT), "pools": lambda rng: all_numbers(rng, POOLS)}
    kinds |= {"complete": lambda rng: all_numbers(rng, COMPLETE), "64 forms": many_forms}
    print(f"{f'{lines:,} lines':25}{'ms a line':>12}{'first time':>12}{'one by one':>12}")
    ratios = {}
    for name, kind in kinds.items():
        rng = random.Random(7)
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "lines.jsonl"
            file.write_text("".join(f"{json.dumps(kind(rng))}\n" for _ in range(lines)), encoding="utf-8")
            took, told = timed(file, lines)
            with patch("dtmodel.fluid.lines._found", return_value={}):
                alone, again = timed(file, lines)
        assert told == again
        ratios[name] = min(took) / min(alone)
        print(f"{name:25}{min(took):12.3f}{took[0]:12.3f}{min(alone):12.3f}", flush=True)
    for name, ratio in ratios.items():
        print(bounded(f"{name}, in times of lines that are read one by one", ratio, 0.7))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4000)
