"""Section 5.2.1: Poisson background and lognormal bursts at 16 ports, in the packet engine; Figures 17 and 18.

Run ``python -m validation.edt.random_traffic`` to simulate every setting for several seeds on all cores and write
``validation/results/edt-stochastic.json``; ``--seeds`` and ``--seconds`` (simulated, for each seed) make it shorter.
"""

import json
import random
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from dtmodel import DT, __version__
from dtmodel.base.documents import pretty_json
from dtmodel.packet.arrivals import TimedPacket, merge, poisson
from dtmodel.packet.engine import Admitting, run_packets
from dtmodel.policies.edt_circuit import READINGS, CircuitSettings, EdtPolicy

from ..support.edt.on_off import lognormal_on_off

RESULTS = Path(__file__).parents[1] / "results" / "edt-stochastic.json"
PORTS, BUFFER, RATE, SIZE = 16, 1_000_000.0, 125e6, 1500.0
BURST, ON, OFF, BACKGROUND = 250e6, 0.002, 0.058, 16.625e6
BINS = (0.0, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.008, 0.012, 0.05)
"""Durations of bursts in seconds: the edges of the bins."""


@dataclass(frozen=True)
class Case:
    """A policy with its settings: DT, or EDT with d (TM2 = d, TM1 by (78)), cn1 and a reading."""

    name: str
    d: float | None = None
    cn1: int = 3
    reading: str = "arrivals"

    def policy(self) -> Admitting:
        """Make the policy, with fresh counters."""
        if self.d is None:
            return DT(1)
        cn2 = 4 * BUFFER / (2 + PORTS) ** 2
        tm1 = 4 * (1 + PORTS) / (2 + PORTS) ** 2 * self.d
        settings = CircuitSettings(1.0, self.cn1, cn2, tm1, self.d, READINGS[self.reading])
        return EdtPolicy(settings, PORTS, BUFFER)


SETTINGS = (
    Case("DT"),
    Case("EDT", 0.01),
    Case("EDT, C1 by the letter", 0.01, reading="circuit"),
    Case("d = 100 ms", 0.1),
    Case("d = 1 ms", 0.001),
    Case("cn1 = 10", 0.01, cn1=10),
    Case("cn1 = 100", 0.01, cn1=100),
)


def stream(rng: random.Random, seconds: float, packets: dict[int, int]) -> Iterator[TimedPacket]:
    """Make the traffic of one port, counting the packets of every burst."""

    def counted() -> Iterator[TimedPacket]:
        for time, size, burst in lognormal_on_off(BURST, SIZE, ON, OFF, rng, stop=seconds):
            if burst is not None:
                packets[burst] = packets.get(burst, 0) + 1
            yield time, size, burst

    return merge(poisson(BACKGROUND, SIZE, random.Random(rng.random()), stop=seconds), counted())


def simulate_seed(case: Case, seed: int, seconds: float) -> dict[str, Any]:
    """Run one setting with one seed; return, by bin, bursts, lossless bursts and the buffer in use at first losses."""
    rng = random.Random(seed)
    packets: list[dict[int, int]] = [{} for _ in range(PORTS)]
    streams = [stream(random.Random(rng.random()), seconds, counts) for counts in packets]
    result = run_packets(
        buffer=BUFFER, rates=[RATE] * PORTS, policy=case.policy(), streams=streams, until=seconds + 1, sample=0.001
    )
    used: dict[tuple[int, int], float] = {}
    for lost in result.lost:
        if lost.burst is not None:
            used.setdefault((lost.port, lost.burst), 1 - lost.free / BUFFER)
    bursts, lossless, utilisation = ([0.0] * (len(BINS) - 1) for _ in range(3))
    for port, counts in enumerate(packets):
        for burst, count in counts.items():
            place = bin_of(count * SIZE / BURST)
            bursts[place] += 1
            lossless[place] += (port, burst) not in used
            utilisation[place] += used.get((port, burst), 0.0)
    means = [sum(lengths[port] for _, lengths in result.samples) / len(result.samples) for port in range(PORTS)]
    cuts = [1_500 * 2**k for k in range(10)]
    shares = [
        [sum(lengths[port] <= cut for _, lengths in result.samples) / len(result.samples) for cut in cuts]
        for port in range(3)
    ]
    return {"bursts": bursts, "lossless": lossless, "used": utilisation, "means": means, "cdf": shares, "cuts": cuts}


def bin_of(duration: float) -> int:
    """Return the bin of a duration; the last one has no upper end."""
    return min(sum(duration >= edge for edge in BINS[1:]), len(BINS) - 2)


def jain(values: Sequence[float]) -> float:
    """Jain's index of fairness."""
    return sum(values) ** 2 / (len(values) * sum(value * value for value in values))


def confidence(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the half-width of its 99 % confidence interval (Student's t)."""
    from scipy import stats

    n, mean = len(values), sum(values) / len(values)
    if n < 2:
        return mean, float("inf")
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / (n - 1))
    return mean, float(stats.t.ppf(0.995, n - 1)) * deviation / sqrt(n)


def summarise(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Put the seeds of one setting together: means with confidence intervals, None where nothing was seen."""
    rows = []
    for place in range(len(BINS) - 1):
        seen = [each for each in runs if each["bursts"][place]]
        lossy = [each for each in seen if each["bursts"][place] > each["lossless"][place]]
        ratios = [each["lossless"][place] / each["bursts"][place] for each in seen]
        used = [each["used"][place] / (each["bursts"][place] - each["lossless"][place]) for each in lossy]
        rows.append(
            {
                "from": BINS[place],
                "to": BINS[place + 1],
                "bursts": sum(each["bursts"][place] for each in runs),
                "lossless": confidence(ratios) if len(ratios) > 1 else None,
                "used": confidence(used) if len(used) > 1 else None,
            }
        )
    fairness = [jain(each["means"]) for each in runs]
    three = [jain(each["means"][:3]) for each in runs]
    cdf = [[sum(each["cdf"][p][k] for each in runs) / len(runs) for k in range(10)] for p in range(3)]
    found = {"bins": rows, "fairness": confidence(fairness), "fairness of three ports": confidence(three)}
    return {**found, "cdf": cdf, "cuts": runs[0]["cuts"]}


def load_results() -> dict[str, Any]:
    """Read the committed results."""
    found: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return found


def commit() -> str:
    """Return the commit of the checkout that this file lies in; empty if it lies in none."""
    git = Path(__file__).parents[2] / ".git"
    head = git / "HEAD"
    if not head.is_file():
        return ""
    text = head.read_text(encoding="utf-8").strip()
    reference = git / text.removeprefix("ref: ")
    return reference.read_text(encoding="utf-8").strip() if reference.is_file() else text


def main() -> None:
    """Simulate all settings and write the results."""
    from joblib import Parallel, delayed

    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=4.0)
    options = parser.parse_args()
    tasks = [(case, seed) for case in SETTINGS for seed in range(1, options.seeds + 1)]
    done = Parallel(n_jobs=-1, verbose=5)(delayed(simulate_seed)(case, seed, options.seconds) for case, seed in tasks)
    runs = dict(zip(tasks, done, strict=True))
    summary = {case.name: summarise([runs[case, seed] for seed in range(1, options.seeds + 1)]) for case in SETTINGS}
    command = f"python -m validation.edt.random_traffic --seeds {options.seeds} --seconds {options.seconds:g}"
    about = {
        "command": command,
        "commit": commit(),
        "dtmodel": __version__,
        "python": sys.version.split()[0],
        "seeds": options.seeds,
    }
    text = pretty_json({**about, "seconds": options.seconds, "results": summary}, width=1000)
    RESULTS.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
