"""The fluid engine against scipy's solve_ivp with events, on the same scenarios in one run.

Both get N steady queues and bursts of random rates and lengths. The truth is the exact engine; an answer of either
contender counts as right when every queue length at the end and every first drop is within 1e-3 of the truth
(relative to the buffer and to the end of the run): a generous bound, so that what fails is an event missed and not a
matter of digits. The solver, too, treats a queue within 1e-4 of its threshold as being on it; without that band it
chatters and is slower still.

    python benchmarks/fluid.py [SCENARIOS]
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
from scipy.integrate import solve_ivp

from dtmodel import DT, Arrivals, Scenario, Switch
from dtmodel.fluid import run_scenario
from dtmodel.scenario import QueueScenario

TOLERANCE = 1e-3
CLOSE = 1e-4


def scenario(rng: random.Random) -> Scenario:
    """Return a random switch: 0 to 4 steady queues, 1 to 6 bursts that end within the run."""
    steady, bursts = rng.randint(0, 4), rng.randint(1, 6)
    alpha = rng.choice([Fraction(1, 2), Fraction(1), Fraction(2), Fraction(8)])
    queues = [QueueScenario(Arrivals.constant(2), None, Fraction(1)) for _ in range(steady)]
    for _ in range(bursts):
        burst = Arrivals.burst(Fraction(rng.randint(3, 40), 2), Fraction(rng.randint(1, 40), 10))
        queues.append(QueueScenario(burst, Fraction(0), Fraction(1)))
    return Scenario(1, Switch(16, 10, 1), DT(alpha), tuple(queues), Fraction(10))


def slopes(q: np.ndarray, offered: np.ndarray, rates: np.ndarray, alpha: float, buffer: float) -> np.ndarray:
    """Return Q' at the lengths q; a queue within CLOSE of its threshold counts as on it."""
    growth = np.where((q <= 0) & (offered <= rates), 0.0, offered - rates)
    drain = np.where(q <= 0, 0.0, -rates)
    room = alpha * (buffer - q.sum()) - q
    on = np.abs(room) <= CLOSE * buffer
    result = np.where(room > 0, growth, drain)
    edges = np.sort(np.concatenate([drain[on], growth[on]])) / alpha
    low = -1e9
    for high in [*edges, 1e9]:
        middle = (low + high) / 2
        follow = np.clip(alpha * middle, drain[on], growth[on])
        slack = (alpha * middle > drain[on]) & (alpha * middle < growth[on])
        root = middle - (middle + result[~on].sum() + follow.sum()) / (1 + alpha * slack.sum())
        if low <= root <= high:
            result[on] = np.clip(alpha * root, drain[on], growth[on])
            return result
        low = high
    raise AssertionError


def by_solve_ivp(case: Scenario) -> tuple[list[float], list[float | None]]:
    """Integrate the same dynamics adaptively, with one event for each queue that meets its threshold."""
    n = len(case.queues)
    alpha, buffer, until = float(case.policy.alpha), float(case.switch.buffer), float(case.until)
    rates = np.array([float(q.rate) for q in case.queues])
    steady = [i for i, q in enumerate(case.queues) if q.initial is None]
    q = np.zeros(n)
    q[steady] = alpha * buffer / (1 + alpha * len(steady))
    first: list[float | None] = [0.0 if i in steady else None for i in range(n)]
    changes = sorted({float(t) for queue in case.queues for t in queue.arrivals.times} | {until})

    def meets(index: int) -> Callable[[float, np.ndarray], float]:
        def event(_time: float, y: np.ndarray) -> float:
            return alpha * (buffer - y.sum()) - y[index]

        return event

    for begin, end in pairwise(changes):
        offered = np.array([float(queue.arrivals.at(Fraction(begin))) for queue in case.queues])
        result = solve_ivp(
            lambda _t, y, offered=offered: slopes(y, offered, rates, alpha, buffer),
            (begin, end),
            q,
            events=[meets(i) for i in range(n)],
            max_step=(end - begin) / 10,
            rtol=1e-4,
        )
        q = np.maximum(result.y[:, -1], 0)
        for i, hits in enumerate(result.t_events):
            if first[i] is None and len(hits) and offered[i] > 0:
                first[i] = float(hits[0])
    return list(q), first


def attempt(case: Scenario) -> tuple[list[float], list[float | None]] | None:
    """Return the solver's answer, or None if its event search gives up."""
    try:
        return by_solve_ivp(case)
    except ValueError:
        return None


def right(lengths: list[float], drops: list[float | None], truth: object, case: Scenario) -> bool:
    """Whether an answer agrees with the exact run."""
    scale, until = float(case.switch.buffer), float(case.until)
    for index, (length, drop) in enumerate(zip(lengths, drops, strict=True)):
        exact_drop = truth.first_drop(index)
        if abs(length - float(truth.queue(index).at(case.until))) > TOLERANCE * scale:
            return False
        if (drop is None) != (exact_drop is None):
            return False
        if drop is not None and abs(drop - float(exact_drop)) > TOLERANCE * until:
            return False
    return True


def main(count: int) -> None:
    """Time and judge both contenders on `count` scenarios."""
    rng = random.Random(1)
    cases = [scenario(rng) for _ in range(count)]
    truths = [run_scenario(case, Fraction) for case in cases]
    begin = time.perf_counter()
    fast = [run_scenario(case, float) for case in cases]
    engine_time = time.perf_counter() - begin
    begin = time.perf_counter()
    solved = [attempt(case) for case in cases]
    solver_time = time.perf_counter() - begin
    fast_right = sum(
        right([q.at(float(c.until)) for q in f.queues], [q.first_drop for q in f.queues], t, c)
        for f, t, c in zip(fast, truths, cases, strict=True)
    )
    solver_right = sum(s is not None and right(*s, t, c) for s, t, c in zip(solved, truths, cases, strict=True))
    print(f"{count} scenarios, {engine_time / count * 1e3:.3f} ms each with the float engine")
    print(f"solve_ivp takes {solver_time / engine_time:.0f} times as long")
    print(f"right: engine {fast_right} of {count}, solve_ivp {solver_right} of {count}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
