"""The papers' algorithms packet by packet: microseconds an event of each engine in Python, and of whole traces.

Queues of one port get packets of 64, 576 and 1,500 bytes, a little more than depart. DynaQ's port keeps what it ruled
for as long as that holds: it is timed beside one that asks Algorithm 1 anew for every packet, and both decide alike.
A trace reads every number, runs the same engine and writes what each step says.

    python benchmarks/algorithms.py [EVENTS]
"""

import os
import random
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from dtmodel.packet import trace
from dtmodel.packet.dynaq.algorithm import DynaQ, DynaQPort, rule
from dtmodel.packet.losspass.algorithm import Arbiter, Arrival, Departure, PortSettings

SIZES, QUEUES, RUNS = (64, 576, 1500), 8, 3
Drawn = Sequence[tuple[int, int]]
"""Queues, and the size of the packet that arrives there, or 0 where one departs."""


def packets(events: int, queues: int) -> Drawn:
    """Draw arrivals and departures, 11 to 9."""
    rng = random.Random(1)
    return [(rng.randrange(queues), rng.choice(SIZES) if rng.random() < 0.55 else 0) for _ in range(events)]


def timed(run: Callable[[], Any], events: int) -> tuple[float, Any]:
    """Return the microseconds an event of the fastest run, and what it gave."""
    spent, given = [], None
    for _ in range(RUNS):
        begin = time.process_time()
        given = run()
        spent.append(time.process_time() - begin)
    return 1e6 * min(spent) / events, given


def through_the_port(rules: DynaQ, drawn: Drawn) -> list[str]:
    """Return what the port decides."""
    port, decisions = DynaQPort(rules), list[str]()
    for p, size in drawn:
        if size:
            decisions.append(port.arrive(p, size).decision)
        else:
            port.depart(p)
    return decisions


def anew(rules: DynaQ, drawn: Drawn) -> list[str]:
    """Return what Algorithm 1 decides, asked for every packet."""
    T, lengths, decisions = rules.initial, [0] * len(rules.weights), list[str]()
    held: list[deque[int]] = [deque() for _ in rules.weights]
    for p, size in drawn:
        if not size:
            lengths[p] -= held[p].popleft() if held[p] else 0
            continue
        ruling = rule(rules, T, lengths, p, size)
        T = ruling.thresholds
        decisions.append(ruling.decision)
        if ruling.decision == "enqueue":
            held[p].append(size)
            lengths[p] += size
    return decisions


def losspass(drawn: Drawn) -> int:
    """Return how many packets LossPass's port lost."""
    port, lost = Arbiter(PortSettings(96_000, 30_000)), 0
    for p, size in drawn:
        step = port.arrive(Arrival("large" if p else "small", size)) if size else port.depart(Departure())
        lost += step.decision in ("drop", "evict")
    return lost


def requests(drawn: Drawn) -> dict[str, dict[str, Any]]:
    """Return a trace request for each paper, with a time in every event."""
    times = [f"{n}/1000000" for n in range(len(drawn))]
    asked: dict[str, list[Any]] = {"dynaq": [], "losspass": [], "l2bm": []}
    waiting: deque[str] = deque()
    for (p, size), now in zip(drawn, times, strict=True):
        asked["dynaq"].append(["arrive", now, p + 1, size] if size else ["depart", now, p + 1])
        asked["losspass"].append(["arrive", now, "large" if p else "small", size] if size else ["depart", now, "any"])
        if size or not waiting:
            waiting.append(now)
            asked["l2bm"].append(["arrive", now, now, {"queue_out": str(size + 64 * p + 64), "rate": "1250000000"}])
        else:
            asked["l2bm"].append(["depart", now, waiting.popleft()])
    settings: dict[str, dict[str, Any]] = {
        "dynaq": {"buffer": 96_000, "weights": [1] * QUEUES},
        "losspass": {"buffer": 96_000},
        "l2bm": {},
    }
    return {name: {"algorithm": name, **settings[name], "events": events} for name, events in asked.items()}


def main() -> None:
    """Print one table."""
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 40_000
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print("| engine | us an event | beside | us an event | ratio |\n|---|---|---|---|---|")
    for queues, buffer, shares in ((8, 96_000, "shares are whole"), (7, 100_000, "shares are sevenths")):
        rules, drawn = DynaQ(buffer, (1,) * queues), packets(events, queues)
        port, kept = timed(partial(through_the_port, rules, drawn), events)
        asked, fresh = timed(partial(anew, rules, drawn), events)
        assert kept == fresh, "the port and Algorithm 1 decide differently"
        print(
            f"| DynaQ's port, {shares} | {port:.2f} | Algorithm 1 for each packet | {asked:.2f} | {asked / port:.1f} |"
        )
    drawn = packets(events, QUEUES)
    alone = {"dynaq": timed(partial(through_the_port, DynaQ(96_000, (1,) * QUEUES), drawn), events)[0]}
    alone["losspass"] = timed(partial(losspass, drawn), events)[0]
    for name, request in requests(drawn).items():
        whole, _ = timed(partial(trace, request), events)
        engine = f"its engine alone | {alone[name]:.2f} | {whole / alone[name]:.1f}" if name in alone else "| |"
        print(f"| a trace of {name} | {whole:.2f} | {engine} |")


if __name__ == "__main__":
    main()
