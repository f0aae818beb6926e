"""Closed loop in the native core beside the engine in Python: events a second of the same networks in one run.

Stars of nine hosts that answer queries at 1 Gbps under policies of the papers and one by callback, and leaf-spines of
16 and 192 hosts with DCTCP and the web-search distribution. Python runs a part of each workload, for which both engines
must have the same outcome. Seconds are those of this process, the best of several runs for the core.

    python benchmarks/network.py [QUERIES]
"""

import os
import sys
import time
from typing import Any

from dtmodel.native.library import status
from dtmodel.network.compiled import run_compiled
from dtmodel.network.experiment import Experiment, Setting
from dtmodel.network.workload import Outcome, Run

RUNS, SHARE = 3, 40
TIMERS = {"cn1": 3, "cn2": "3 KB", "tm1": "1 ms", "tm2": "1 ms"}
POLICIES: dict[str, dict[str, Any]] = {
    "DT": {"name": "dt", "alpha": 1},
    "EDT": {"name": "edt", "alpha": 1, **TIMERS},
    "DynaQ": {"name": "dynaq"},
    "LQD (callback)": {"name": "lqd"},
}


def star(policy: str, queries: int) -> Setting:
    """Return queries that eight servers answer."""
    network = {"hosts": 9, "rate": "1 Gbps", "round_trip": "200 us", "buffer": "256 KB"}
    incast = {"servers": 8, "size": "150 KB", "queries": queries}
    document = {"network": network, "workload": {"incast": incast}, "policies": {policy: POLICIES[policy]}}
    return Experiment.read(document).setting("base", policy, "150 KB")


def leaf_spine(hosts: int, leaves: int, flows: int) -> Setting:
    """Return flows between all hosts under as many spines as leaves, at half of the load."""
    network = {
        "topology": "leaf-spine", "hosts": hosts, "leaves": leaves, "spines": leaves, "rate": "10 Gbps",
        "uplink": "10 Gbps", "round_trip": "85.2 us", "buffer": "4 MB",
    }  # fmt: skip
    poisson = {"sizes": "web-search", "load": "1/2", "flows": flows}
    document = {
        "network": network, "transport": {"control": "dctcp", "min_rto": "10 ms"}, "workload": {"poisson": poisson},
        "policies": {"DT": {"name": "dt", "alpha": 1, "mark": "97500"}},
    }  # fmt: skip
    return Experiment.read(document).setting("base", "DT")


def in_the_core(setting: Setting) -> tuple[Outcome, float]:
    """Return the outcome and the events a second."""
    network = setting.network(1)
    begin = time.process_time()
    done = run_compiled(network, setting.transport, setting.workload)
    assert done is not None
    return done, done.events / (time.process_time() - begin)


def in_python(setting: Setting) -> tuple[Outcome, float]:
    """Return the outcome and the events a second."""
    run = Run(setting.network(1), setting.transport, setting.workload)
    begin = time.process_time()
    done = run.finished()
    return done, done.events / (time.process_time() - begin)


def a_row(name: str, whole: Setting, part: Setting) -> str:
    """Measure a network in both engines."""
    outcome, core = max((in_the_core(whole) for _ in range(RUNS)), key=lambda found: found[1])
    same, python = in_python(part)
    assert same == in_the_core(part)[0], "the engines differ"
    return f"| {name} | {outcome.events:,} | {core / 1e6:.2f} | {python / 1e6:.2f} | {core / python:.0f} |"


def main() -> None:
    """Print one table."""
    queries = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    print(f"engine: {status()}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    if status() != "native core":
        print("There is nothing to compare.")
        return
    print("| network | events | core: million events/s | Python | ratio |")
    print("|---|---|---|---|---|")
    for policy in POLICIES:
        print(a_row(f"star of 9, {policy}", star(policy, queries), star(policy, queries // SHARE + 1)), flush=True)
    for hosts, leaves in ((4, 4), (16, 12)):
        whole, part = (leaf_spine(hosts, leaves, flows) for flows in (queries, queries // SHARE + 1))
        print(a_row(f"leaf-spine of {hosts * leaves}, DT", whole, part), flush=True)


if __name__ == "__main__":
    main()
