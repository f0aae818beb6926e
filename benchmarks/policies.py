"""The core for every policy beside a compiled reference, careful solve_ivp, numba and the exact engine, in one run.

The reference (`reference.cpp`) is written from the model alone: one version for all policies that looks at every queue
at every event. It is built when this runs, if there is a compiler. Random bursts hit half of the ports; few or many of
them, so few or many events. A row is a batch of at least four scenarios, of 16,384 ports one. A scenario that the core
leaves undecided counts with the time of both of its runs. Answers of core and reference are equal within 1e-6 of the
buffer and of the run, or this stops. An event of a policy is compared with one of DT at each size. All times are
microseconds of the processor for one scenario, the best of several runs.

    python benchmarks/policies.py [PORTS]
"""

import os
import sys
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate
from math import inf, log, nan
from typing import Any

import numpy as np
from _bounds import bounded
from _jitted import jitted
from _reference import Reference, built

from dtmodel import Scenario
from dtmodel.base import rationals
from dtmodel.fluid import run_scenario
from dtmodel.fluid.batch import Batch
from dtmodel.native.library import status
from native import best, of_policy
from validation.edt.integrated import integrated

POLICIES = ("dt", "edt", "reserves", "caps", "complete")
PORTS = (4, 16, 64, 256, 1024, 4096, 16_384)
BURSTS = {"few": 1, "many": 16}
_GENERIC, _MANY, _LOTS = 10**6, 1024, 4096
"""The denominator of generic numbers, the most ports of growth exponents, and those up to which a row has four runs."""
_SOLVED, _EXACT, _LOOPED, _SCANNED, _LONG = 16, 64, 256, 15_000_000, 0.5
"""The most ports for solve_ivp, for exact runs and for numba, the most looks at a queue for the
reference, and the seconds of a run beyond which no larger switch is tried."""


def batch_of(cases: Sequence[Scenario], *, ties: bool) -> Batch:
    """Return scenarios as the core reads them."""
    batch = Batch(ties=ties)
    for case in cases:
        batch.add(case)
    return batch


def in_core(cases: Sequence[Scenario]) -> tuple[float, Batch]:
    """Return the seconds of the core, with the second runs of what the first leaves undecided, and the answers."""
    batch = batch_of(cases, ties=False)
    batch.run()
    spent = best(batch.run, 30)
    if again := [case for case, status in zip(cases, batch.arrays["status"], strict=True) if status]:
        spent += best(batch_of(again, ties=True).run, 3)
    return spent, batch


def agree(batch: Batch, reference: Reference, cases: Sequence[Scenario]) -> bool:
    """Return True if core and reference lose the same bytes at the same times."""
    for number, (case, found) in enumerate(zip(cases, batch.outcomes(), strict=True)):
        until, buffer = float(case.until), float(case.switch.buffer)
        for queue, (first, dropped, _) in enumerate(reference.answer(number)):
            own = found and found.first_drop[queue]
            if found and ((own is None) != (first is None) or abs(found.dropped[queue] - dropped) > 1e-6 * buffer):
                return False
            if first is not None and own is not None and abs(own - first) > 1e-6 * until:
                return False
    return True


def exactly(case: Scenario, number: type[Fraction]) -> float:
    """Return the seconds of an exact run with one kind of rationals."""
    kept, rationals.EXACT = rationals.EXACT, number
    try:
        return best(lambda: run_scenario(case, Fraction), 1)
    finally:
        rationals.EXACT = kept


def solved(name: str, case: Scenario) -> float | None:
    """Return the seconds of solve_ivp with modes and terminal events, which knows DT alone; None if it gives up."""
    if name != "dt":
        return None
    try:
        return best(lambda: integrated(case), 1)
    except ValueError:
        return None


@cache
def loop() -> Any:
    """Return the loop that numba compiles; None where it is not installed."""
    return jitted()


def looped(case: Scenario) -> float:
    """Return the seconds of numba's loop, which knows DT alone."""
    traffic = [queue.arrivals for queue in case.queues]
    begins = np.array([0, *accumulate(len(each.times) for each in traffic)])
    times, rates = (
        np.array([float(number) for each in traffic for number in getattr(each, kind)]) for kind in ("times", "rates")
    )
    run = partial(loop(), begins, times, rates, float(case.switch.buffer), 1.0, float(case.until))
    run(np.full(len(traffic), nan))  # compiles it
    return best(lambda: run(np.full(len(traffic), nan)), 3)


def written(seconds: float | None, count: int = 1) -> str:
    """Write microseconds for one of some scenarios."""
    return "" if seconds is None else f"{seconds / count * 1e6:,.4g}"


def a_row(name: str, ports: int, size: str, library: Any) -> tuple[str, float, float | None]:
    """Measure one policy; return a row of the table, the core's seconds an event, and core over reference."""
    count = 1 if ports > _LOTS else max(4, 1024 // ports)
    cases = [of_policy(name, ports, _GENERIC, seed, BURSTS[size]) for seed in range(count)]
    core, batch = in_core(cases)
    events, ratio, reference = sum(batch.arrays["events"]), None, None
    if library is not None and events // count * ports // 2 <= _SCANNED:
        scan = Reference(library, cases)
        reference = best(scan.run, 30 if ports <= _LOOPED and size == "few" else 1)
        ratio = core / reference
        if not agree(batch, scan, cases):
            sys.exit(f"core and reference differ: {name}, {ports} ports, {size} events")
    slow = ports <= _SOLVED and size == "few"
    small = ports <= _EXACT and size == "few"
    rest = [
        written(looped(cases[0]) if loop() and name == "dt" and ports <= _LOOPED else None),
        written(solved(name, cases[0]) if slow else None),
        written(exactly(cases[0], rationals.EXACT) if small else None),
        written(exactly(cases[0], Fraction) if small else None),
    ]
    said = [written(core, count), written(reference, count), f"{ratio:.2f}" if ratio else "", *rest]
    return f"| {name} | {ports:,} | {events // count:,} | {' | '.join(said)} |", core / events, ratio


def main() -> None:
    """Print the table, and the numbers that have bounds."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else PORTS[-1]
    library = built()
    print(f"engine: {status()}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    compiled, there = "compiled" if library else "no compiler", "installed" if loop() else "not installed"
    print(f"reference: {compiled}; numba: {there}")
    if status() != "native core":
        print("There is nothing to compare.")
        return
    rational = rationals.EXACT.__module__.partition(".")[0]
    print(f"\nmicroseconds a scenario\n\n| policy | ports | events | core | reference | core / reference | numba "
          f"| solve_ivp | exact, {rational} | exact, fractions |\n" + "|---" * 10 + "|")  # fmt: skip
    costs, ratios = dict[tuple[str, str, int], float](), dict[tuple[str, int], float]()
    for size in BURSTS:
        for name in POLICIES:
            for ports in PORTS:
                if ports > most or (size == "many" and ports > _LOOPED):
                    break
                row, costs[name, size, ports], ratio = a_row(name, ports, size, library)
                print(row, flush=True)
                if ratio is not None and size == "few":
                    ratios[name, ports] = ratio
                if costs[name, size, ports] * 2 * ports > _LONG:  # about two events a port
                    break
    print_bounds(costs, ratios, most)


def print_bounds(costs: dict[tuple[str, str, int], float], ratios: dict[tuple[str, int], float], most: int) -> None:
    """Print the costs of an event beside those of DT, growth exponents, and small scenarios beside the reference.

    An exponent is infinite if no switch of so many ports was tried, because a smaller one took too long.
    """
    print()
    ports = [ports for ports in PORTS if ("dt", "few", ports) in costs]
    for name in POLICIES[1:]:
        beside = [(n, costs[name, "few", n] / costs["dt", "few", n]) for n in ports if (name, "few", n) in costs]
        print(bounded(f"an event of {name} in events of dt, at most", max(ratio for _, ratio in beside), 3))
        print("  at each size: " + ", ".join(f"{n:,}: {ratio:.2g}" for n, ratio in beside))
    for name in POLICIES:
        if most >= _MANY:
            exponent = log(costs.get((name, "few", _MANY), inf) / costs.get((name, "few", 64), 1)) / log(_MANY / 64)
            print(bounded(f"exponent of an event of {name} from 64 to {_MANY:,} ports", exponent, 1))
    for name in POLICIES:
        small = [ratio for (policy, n), ratio in ratios.items() if policy == name and n <= 16]
        if small:
            print(bounded(f"small scenarios of {name}, core over reference", max(small), 2.5), flush=True)


if __name__ == "__main__":
    main()
