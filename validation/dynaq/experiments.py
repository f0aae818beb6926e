"""Open-loop experiments: shares, fairness, loss and utilisation of the schemes, with seeds and confidence intervals.

One port of the paper's testbed in units of packets: 56 packets of buffer (85 KB), a BDP of 41 (62.5 KB), four equal
queues under WRR, Poisson arrivals. `python -m validation.dynaq.experiments` writes
validation/results/dynaq-open-loop.json.

What open-loop traffic can say: who gets room at a contended port. What it cannot: throughput of senders that react to
drops; one packet of buffer keeps an overloaded link busy, so that utilisation is 1 throughout.
"""

import heapq
import math
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from dtmodel.base.documents import pretty_json
from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.schemes import PMSB, PQL, BestEffort, DynaQScheme, Scheme
from dtmodel.packet.schedulers import WeightedRoundRobin

from ..support.dynaq.ports import Arrival, Tally, jain, serve

BUFFER = 56
BDP = 41
QUEUES = 4

SCENARIOS: Mapping[str, tuple[float, ...]] = {
    "one queue, overload": (1.5, 0, 0, 0),
    "two queues, equal overload": (2.0, 2.0, 0, 0),
    "two queues, 0.6 against 4": (0.6, 4.0, 0, 0),
    "two queues, 0.25 against 4": (0.25, 4.0, 0, 0),
    "three queues, 0.4, 1 and 4": (0.4, 1.0, 4.0, 0),
    "four queues, 0.3, 0.5, 1 and 4": (0.3, 0.5, 1.0, 4.0),
}
"""Offered loads of the four queues, as parts of the link."""


def schemes() -> Mapping[str, Scheme]:
    """Return the schemes by name; PMSB with lambda = 1."""
    equal = (1,) * QUEUES
    quota, part = (BUFFER // QUEUES,) * QUEUES, (BDP // QUEUES,) * QUEUES
    return {
        "BestEffort": BestEffort(BUFFER),
        "PQL": PQL(quota),
        "PMSB, dropping": PMSB(BUFFER, BDP, part),
        "DynaQ": DynaQScheme(DynaQ(BUFFER, equal)),
        "DynaQ, recheck": DynaQScheme(DynaQ(BUFFER, equal, admit="recheck")),
        "DynaQ, repaired, recheck": DynaQScheme(DynaQ(BUFFER, equal, admit="recheck", victims="eligible")),
    }


def poisson(seed: str, load: float, queue: int) -> Iterator[Arrival]:
    """Yield packets of one unit at a Poisson queue."""
    chance, time = random.Random(seed), 0.0
    while load:
        time += chance.expovariate(load)
        yield time, queue, 1


def run(scheme: Scheme, loads: Sequence[float], seed: int, until: float) -> Tally:
    """Simulate one run; the same seed gives every scheme the same arrivals."""
    streams = [poisson(f"{seed}/{queue}", load, queue) for queue, load in enumerate(loads) if load]
    scheduler = WeightedRoundRobin((1,) * QUEUES)
    return serve(scheme, scheduler, heapq.merge(*streams), rate=1, until=until, queues=QUEUES)


@dataclass(frozen=True)
class Estimate:
    """A mean over runs and the half width of its 99 % confidence interval."""

    mean: float
    half: float


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean with a 99 % interval by Student's t."""
    from scipy import stats

    spread = statistics.stdev(values) / math.sqrt(len(values))
    return Estimate(round(statistics.fmean(values), 6), round(float(stats.t.ppf(0.995, len(values) - 1)) * spread, 6))


def measure(scheme: Scheme, loads: Sequence[float], seeds: int, until: float) -> dict[str, Estimate]:
    """Return throughputs, losses, Jain's index of satisfied demand, and utilisation, each over the runs.

    The index is that of throughput divided by the smaller of demand and equal share among the active queues.
    """
    active = [i for i, load in enumerate(loads) if load]
    tallies = [run(scheme, loads, seed, until) for seed in range(seeds)]
    results: dict[str, Estimate] = {}
    for i in active:
        results[f"throughput {i + 1}"] = estimate([float(tally.sent[i]) / until for tally in tallies])
        results[f"loss {i + 1}"] = estimate(
            [float(tally.lost[i]) / max(1, float(tally.offered[i])) for tally in tallies]
        )
    fair = [min(loads[i], 1 / len(active)) for i in active]
    satisfied = [[float(t.sent[i]) / until / f for i, f in zip(active, fair, strict=True)] for t in tallies]
    results["fairness"] = estimate([float(jain([round(10**6 * x) for x in row])) for row in satisfied])
    results["utilisation"] = estimate([1 - float(tally.idle) / until for tally in tallies])
    return results


def experiment(seeds: int = 20, until: float = 1000) -> dict[str, dict[str, dict[str, Estimate]]]:
    """Run every scheme in every scenario."""
    return {
        scenario: {name: measure(scheme, loads, seeds, until) for name, scheme in schemes().items()}
        for scenario, loads in SCENARIOS.items()
    }


def main() -> None:
    """Run all and write the results."""
    results = {
        scenario: {name: {key: asdict(value) for key, value in row.items()} for name, row in rows.items()}
        for scenario, rows in experiment().items()
    }
    command = "python -m validation.dynaq.experiments"
    document = {
        "command": command,
        "buffer": BUFFER,
        "bdp": BDP,
        "queues": QUEUES,
        "runs": 20,
        "until": 1000,
        "results": results,
    }
    path = Path(__file__).parents[1] / "results" / "dynaq-open-loop.json"
    path.write_text(pretty_json(document, width=1000) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
