"""Exact runs that look only at the queues that may come next, against those that look at all, with either rationals.

Three loads: P/2 ports with random on/off bursts of their own rates; P ports that each drain at a rate of their own and
get one burst; P ports of one rate with one burst each. Runs that look at few queues are timed with the standard
library's rationals and with gmpy2's. Every number of the runs is equal, or this stops. Then the second load under EDT
and complete sharing, beside DT: seconds, the time of an event, and the exponent with which the seconds grow.

    python benchmarks/exact.py [PORTS...]
"""

import random
import sys
import time
from dataclasses import replace
from fractions import Fraction
from math import log2

from _bounds import bounded

from dtmodel import DT, EDT, Arrivals, CompleteSharing, Scenario, Switch
from dtmodel.base import rationals
from dtmodel.fluid import Run, motion, run_scenario
from dtmodel.fluid.scenario import QueueScenario

F = Fraction
USUAL, FAST = motion.LOOKS, rationals.EXACT
LONG = 512
"""With so many ports only those with rates of their own are run: looking at all takes a minute or more."""


def on_off(ports: int) -> Scenario:
    """Half of the ports are on for 1 s and off for 2 s on average, and offered 1.1 to 4 times their rate when on."""
    rng = random.Random(5)
    queues = []
    for _ in range(ports // 2):
        now, rate = F(rng.randint(0, 2000), 1000), F(rng.randint(11, 40), 10)
        entries: list[tuple[Fraction, Fraction]] = []
        while now < 60:
            entries.append((now, rate if len(entries) % 2 == 0 else F(0)))
            now += F(rng.randint(1, 2000 if len(entries) % 2 else 4000), 1000)
        queues.append(QueueScenario(Arrivals(entries), F(0), F(1)))
    return Scenario(1, Switch(ports, ports, 1), DT(1), tuple(queues), F(60))


def bursts(ports: int, *, alike: bool) -> Scenario:
    """Every port gets one burst; ports and bursts have rates of their own, or are alike."""
    rng = random.Random(6)
    queues = []
    for _ in range(ports):
        rate = F(3) if alike else F(rng.randint(1001, 9000), 1000)
        drain = F(1) if alike else F(rng.randint(500, 1500), 1000)
        queues.append(QueueScenario(Arrivals.burst(rate, F(rng.randint(1, 4000), 1000)), F(0), drain))
    return Scenario(1, Switch(ports, ports, 1), DT(F(1, 2)), tuple(queues), F(20))


def timed(scenario: Scenario, looks: float, number: type) -> tuple[float, Run[Fraction]]:
    """Run and return the seconds that it took."""
    motion.LOOKS, rationals.EXACT = looks, number  # type: ignore[assignment]  # infinity is no int
    begin = time.process_time()
    run = run_scenario(scenario, Fraction)
    return time.process_time() - begin, run


def main(sizes: list[int]) -> None:
    """Print microseconds an event."""
    print(f"rationals: {FAST.__module__}; microseconds an event, and how many times fewer than looking at all")
    print(f"{'ports':>6} {'load':24}{'events':>8}{'all':>8}{'few':>8}{'ratio':>7}{'gmpy2':>8}{'ratio':>7}")
    for ports in sizes:
        loads = {
            "on/off, own rates": on_off(ports),
            "bursts, own rates": bursts(ports, alike=False),
            "bursts, one rate": bursts(ports, alike=True),
        }
        for name, scenario in loads.items():
            if ports >= LONG and name != "bursts, own rates":
                continue
            few, run = timed(scenario, USUAL, Fraction)
            every, reference = timed(scenario, float("inf"), Fraction)
            fast, other = timed(scenario, USUAL, FAST)
            assert run == reference == other
            events = len(run.free.times) - 1
            each = "".join(f"{spent / events * 1e6:8.0f}{every / spent:7.1f}" for spent in (few, fast))
            print(f"{ports:6} {name:24}{events:8}{every / events * 1e6:8.0f}{each}", flush=True)


def print_policies(sizes: tuple[int, ...] = (64, 128, 256)) -> None:
    """Print the cost of the policies under bursts of one buffer, beside DT, with gmpy2 where it is installed."""
    policies = {"DT": DT(1), "EDT": EDT(1, F(1, 4), F(1, 2), 2), "complete sharing": CompleteSharing()}
    print("\npolicy: ports, seconds, microseconds an event")
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in policies}
    for name, policy in policies.items():
        for ports in sizes:
            scenario = replace(bursts(ports, alike=False), policy=policy)
            runs = [timed(scenario, USUAL, FAST) for _ in range(3)]
            seconds, events = min(each for each, _ in runs), len(runs[0][1].free.times) - 1
            spent[name].append((seconds, seconds / events * 1e6))
        print(f"{name}: " + "; ".join(f"{p}, {s:.2f}, {e:.0f}" for p, (s, e) in zip(sizes, spent[name], strict=True)))
    first, last = sizes[0], sizes[-1]
    times = [seconds for seconds, _ in spent["complete sharing"]]
    print(bounded("exponent of complete sharing", log2(times[-1] / times[0]) / log2(last / first), 2))
    for name in ("EDT", "complete sharing"):
        ratio = max(own / dt for (_, own), (_, dt) in zip(spent[name], spent["DT"], strict=True))
        print(bounded(f"an event of {name}, in events of DT", ratio, 5), flush=True)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [16, 64, 128, LONG])
    print_policies()
