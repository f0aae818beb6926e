"""The native core against the exact engine, on the same scenarios in one run.

First nanoseconds an event at 4 to 4,096 ports: half of the ports get random on/off bursts under DT, without the
trajectories in the core, and with them in the exact engine, which always keeps them and runs a quarter of the time,
or less. Where the core does not decide, it stops: `simulate` would then run exactly; a table shows how many of some
random runs of each policy it leaves undecided, at up to 1,024 ports. Then the cost of an event where it has most queues
to look at. Then scenarios a second in one batch of 16 ports: one burst beside two busy ports. All times are of this
process (user and system), those of the core the best of several runs; a busy machine makes them longer, so the load is
printed.

    python benchmarks/native.py [EVENTS]
"""

import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from _bounds import bounded

from dtmodel import DT, EDT, Arrivals, QueueLimits, Scenario, SharedPools, Switch, Weighted
from dtmodel.fluid import run_scenario
from dtmodel.fluid.batch import Batch
from dtmodel.fluid.scenario import QueueScenario
from dtmodel.native.library import status
from dtmodel.policies import Policy
from dtmodel.policies.complete import CompleteSharing
from dtmodel.policies.static import StaticPartition

PORTS = (4, 16, 64, 256, 1024, 4096)
LONG = (16, 64)
"""The bursts a port of long runs: what decides ties becomes less certain with each event that follows from others."""


def on_off(ports: int, events: int) -> Scenario:
    """Return random bursts at half of the ports, with about so many events (four a burst)."""
    rng, queues = random.Random(1), []
    bursts = max(2, events * 2 // (4 * ports))
    for _ in range(ports // 2):
        now, pieces = Fraction(0), []
        for _ in range(bursts):
            begin = now + Fraction(rng.randint(1, 10**9), 250_000_000)
            now = begin + Fraction(rng.randint(1, 10**9), 250_000_000)
            pieces += [(begin, Fraction(rng.randint(1_100_000, 4_000_000), 10**6)), (now, Fraction(0))]
        queues.append(QueueScenario(Arrivals(pieces), Fraction(0), Fraction(1)))
    return Scenario(1, Switch(ports, ports, 1), DT(1), tuple(queues), Fraction(4 * bursts))


def passed(ports: int) -> Scenario:
    """Return queues of lengths of their own that hardly grow, which the free buffer passes one after the other."""
    rng, one = random.Random(3), Fraction(1)
    stay = [
        QueueScenario(
            Arrivals.constant(1 + Fraction(rng.randint(1, 99), 200)), Fraction(rng.randint(1, 999), 2000), one
        )
        for _ in range(ports - 1)
    ]
    grows = QueueScenario(Arrivals.constant(Fraction(ports, 2)), Fraction(0), one)
    buffer = sum((queue.initial or Fraction(0) for queue in stay), Fraction(3, 5))
    policy = Weighted((one,) * (ports - 1) + (Fraction(4 * ports),))
    return Scenario(1, Switch(ports, buffer, 1), policy, (*stay, grows), Fraction(64))


def burst_beside_two(number: int) -> Scenario:
    """Return a burst of a rate of its own beside two busy ports of 16."""
    busy = QueueScenario(Arrivals.constant(2), None, Fraction(1))
    burst = QueueScenario(Arrivals.burst(Fraction(2_000 + number % 977, 700), 3), Fraction(0), Fraction(1))
    return Scenario(number, Switch(16, 16, 1), DT(1), (burst, busy, busy), Fraction(10))


def of_policy(name: str, ports: int, parts: int, seed: int, bursts: int = 4) -> Scenario:
    """Return random bursts at half of the ports under a policy; all numbers are multiples of 1 / `parts`."""
    rng, n = random.Random(f"{ports} {seed}"), ports // 2

    def between(least: Fraction | int, most: int) -> Fraction:
        return Fraction(rng.randint(max(1, int(least * parts)), most * parts), parts)

    queues = []
    for _ in range(n):
        now, pieces = Fraction(0), []
        for _ in range(bursts):
            begin = now + between(0, 4)
            now = begin + between(0, 4)
            pieces += [(begin, between(Fraction(5, 4), 4)), (now, Fraction(0))]
        queues.append(QueueScenario(Arrivals(pieces), Fraction(0), Fraction(1)))
    sizes, half = [(between(Fraction(1, 4), 4), between(Fraction(1, 2), 3)) for _ in range(n)], Fraction(1, 2)
    nothing = Fraction(0)
    limits = dict[str, tuple[Fraction, int | None]](reserves=(half, None), caps=(nothing, 1), pools=(half, 1))
    policies: dict[str, Callable[[], Policy]] = {
        "dt": lambda: DT(1),
        "weighted": lambda: Weighted(tuple(alpha for alpha, _ in sizes)),
        "edt": lambda: EDT(1, between(Fraction(1, 4), 2), between(half, 3), between(half, 6)),
        "static": lambda: StaticPartition(tuple(size * ports / (3 * n) for _, size in sizes)),
        "complete": CompleteSharing,
    }
    if name in limits:
        own, cap = limits[name]
        rows = [QueueLimits(alpha, own * size / 3, None if cap is None else cap * size) for alpha, size in sizes]
        policies[name] = lambda: SharedPools(rows)
    return Scenario(1, Switch(ports, ports, 1), policies[name](), tuple(queues), Fraction(4 * bursts))


def undecided(name: str, ports: int, parts: int, bursts: int = 4) -> tuple[int, int]:
    """Return how many of some runs the core does not decide, and the number of runs."""
    runs = max(4, min(100, 6_400 // ports))
    batch = Batch()
    for seed in range(runs):
        batch.add(of_policy(name, ports, parts, seed, bursts))
    return batch.outcomes().count(None), runs


def print_undecided() -> None:
    """Print the share of undecided runs: generic numbers, and a grid of quarters on which events tie."""
    sizes = [(10**6, ports) for ports in PORTS[:5]] + [(4, ports) for ports in PORTS[:3]]
    shares = list[tuple[str, float, float]]()
    heads = [f"{ports:,}" if parts > 4 else f"{ports}, round" for parts, ports in sizes]
    print("\n| undecided, at ports | " + " | ".join(heads) + " |\n" + "|---" * (len(sizes) + 1) + "|")
    for name in ("dt", "weighted", "edt", "reserves", "caps", "pools", "complete", "static"):
        counts = [undecided(name, ports, parts) for parts, ports in sizes]
        print(f"| {name} | " + " | ".join(f"{left} of {runs}" for left, runs in counts) + " |", flush=True)
        for kind, chosen, most in (
            ("generic", counts[: len(PORTS) - 1], 0.01),
            ("round", counts[len(PORTS) - 1 :], 0.1),
        ):
            shares.append((f"{name}, {kind}", sum(left for left, _ in chosen) / sum(runs for _, runs in chosen), most))
    print()
    for share in shares:
        print(bounded("undecided share of " + share[0], *share[1:]), flush=True)


def print_long() -> None:
    """Print how many of long runs are undecided: generic numbers, and a grid of quarters on which events tie."""
    for bursts in LONG:
        print(f"\nundecided of runs of {bursts} bursts a port")
        for parts, kind, most in ((10**6, "generic", 0.01), (4, "round", 0.1)):
            for name in ("dt", "edt", "reserves", "pools", "complete"):
                counts = [undecided(name, ports, parts, bursts) for ports in PORTS[1:3]]
                left, runs = map(sum, zip(*counts, strict=True))
                print(bounded(f"{bursts} bursts, undecided share of {name}, {kind}", left / runs, most), flush=True)


def best(work: Callable[[], object], times: int) -> float:
    """Return the seconds of this process that the fastest of some runs takes."""
    spent = []
    for _ in range(times):
        begin = time.process_time()
        work()
        spent.append(time.process_time() - begin)
    return min(spent)


def _all(cases: list[Scenario]) -> None:
    for case in cases:
        run_scenario(case, Fraction)


def batch_of(cases: list[Scenario]) -> Batch:
    """Return the scenarios as the core reads them, run once."""
    batch = Batch()
    for case in cases:
        batch.add(case)
    batch.run()
    return batch


def in_python(scenario: Scenario, core: float) -> str:
    """Say how many nanoseconds an event takes in Python, and how many times the core's."""
    begin = time.process_time()
    events = len(run_scenario(scenario, Fraction).free.times)
    spent = (time.process_time() - begin) / events * 1e9
    return f"{spent:,.0f} ({spent / core:,.0f}x)"


def a_row(ports: int, events: int) -> str:
    """Measure all engines at so many ports."""
    scenario = on_off(ports, events)
    batch = batch_of([scenario])
    seen, state = batch.arrays["events"][0], batch.arrays["status"][0]
    core = best(batch.run, 60) / seen * 1e9
    bound = batch.arrays["bound"][0] / float(scenario.switch.buffer)
    short = replace(scenario, until=scenario.until / max(4, ports // 8))
    exact = in_python(short, core)
    said = "yes" if state == 0 else f"no ({state})"
    return f"| {ports:,} | {seen:,} | {core:,.0f} | {exact} | {bound:.0e} | {said} |"


def main() -> None:
    """Print the tables."""
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print(f"engine: {status()}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    if status() != "native core":
        print("There is nothing to compare.")
        return
    print("| ports | events | core: ns/event | exact | bound/B | core decides |")
    print("|---|---|---|---|---|---|")
    for ports in PORTS:
        print(a_row(ports, events), flush=True)
    print_undecided()
    print_long()
    print("\nF passes all queues, and nothing else changes: ports and ns/event in the core", end="")
    for ports in PORTS[2:]:
        batch = batch_of([passed(ports)])
        print(f", {ports:,}: {best(batch.run, 5) / batch.arrays['events'][0] * 1e9:,.0f}", end="")
    print()
    count = 20_000
    batch = batch_of([burst_beside_two(number) for number in range(count)])
    core = count / best(batch.run, 20)
    few = [burst_beside_two(number) for number in range(50)]
    exact = len(few) / best(partial(_all, few), 3)
    print(
        f"\n16 ports, one burst, scenarios a second: core {core:,.0f} (a batch of {count:,}), "
        f"exact {exact:,.0f} ({core / exact:,.0f}x)"
    )


if __name__ == "__main__":
    main()
