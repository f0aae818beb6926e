"""The fluid engine against scipy's solve_ivp, used naively and with care, on the same scenarios in one run.

All get N steady queues and bursts of random rates and lengths. The truth is the exact engine; an answer counts as right
when every queue length at the end and every first drop is within 1e-3 of the truth (relative to the buffer and to the
end of the run): a generous bound, so that what fails is an event missed and not a matter of digits.

Naively: the right-hand side looks at the queues and finds out for itself who is on a threshold (within 1e-4; without
that band it chatters and is slower still). With care: `validation.edt.integrated`, with modes and terminal events,
which leaves the solver nothing but straight lines.

    python benchmarks/fluid.py [SCENARIOS]
"""

import random
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import compress, pairwise

import numpy as np
from scipy.integrate import solve_ivp

from dtmodel import DT, Arrivals, Scenario, Switch
from dtmodel.fluid import run_scenario
from dtmodel.fluid.scenario import QueueScenario
from validation.edt.integrated import Answer, Start, agrees, integrated, slopes, weights

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


def chattering(q: np.ndarray, offered: np.ndarray, rates: np.ndarray, alpha: np.ndarray, buffer: float) -> np.ndarray:
    """Return Q' at the lengths q; a queue within CLOSE of its threshold counts as on it."""
    growth = np.where((q <= 0) & (offered <= rates), 0.0, offered - rates)
    drain = np.where(q <= 0, 0.0, -rates)
    room = alpha * (buffer - q.sum()) - q
    return slopes(np.where(room > 0, growth, drain), np.abs(room) <= CLOSE * buffer, drain, growth, alpha)[0]


def naively(case: Scenario) -> tuple[list[float], list[float | None]]:
    """Integrate the same dynamics adaptively, with one event for each queue that meets its threshold."""
    start = Start(case, weights(case))
    n, q, alpha, buffer, rates = len(start.q), start.q, start.alpha, start.buffer, start.rates
    first: list[float | None] = [0.0 if i in start.steady else None for i in range(n)]

    def meets(index: int) -> Callable[[float, np.ndarray], float]:
        def event(_time: float, y: np.ndarray) -> float:
            room: float = alpha[index] * (buffer - y.sum()) - y[index]
            return room

        return event

    for begin, end in pairwise(start.changes):
        offered = start.offered(begin)
        result = solve_ivp(
            lambda _t, y, offered=offered: chattering(y, offered, rates, alpha, buffer),
            (float(begin), float(end)),
            q,
            events=[meets(i) for i in range(n)],
            max_step=float(end - begin) / 10,
            rtol=1e-4,
        )
        q = np.maximum(result.y[:, -1], 0)
        for i, hits in enumerate(result.t_events):
            if first[i] is None and len(hits) and offered[i] > 0:
                first[i] = float(hits[0])
    return list(q), first


def attempt(solve: Callable[[Scenario], Answer], case: Scenario) -> Answer | None:
    """Return the solver's answer, or None if its event search gives up."""
    try:
        return solve(case)
    except ValueError:
        return None


def engine(case: Scenario) -> Answer:
    """Run the scenario in floats."""
    run = run_scenario(case, float)
    return [queue.at(float(case.until)) for queue in run.queues], [queue.first_drop for queue in run.queues]


def spend(solve: Callable[[Scenario], Answer], cases: list[Scenario]) -> tuple[list[float], list[Answer | None]]:
    """Return the milliseconds that each scenario takes, and the answers."""
    spent, answers = [], []
    for case in cases:
        begin = time.process_time()
        answers.append(attempt(solve, case))
        spent.append((time.process_time() - begin) * 1e3)
    return spent, answers


def main(count: int) -> None:
    """Time and judge all on `count` scenarios."""
    rng = random.Random(1)
    cases = [scenario(rng) for _ in range(count)]
    truths = [run_scenario(case, Fraction) for case in cases]
    decided = [run_scenario(case, float).arithmetic == "float" for case in cases]
    print(f"{count} scenarios; in {sum(decided)} floats decide, in the others the engine runs exactly as well")
    own: list[float] = []
    for name, solve in (
        ("float engine", engine),
        ("solve_ivp, with care", integrated),
        ("solve_ivp, naively", naively),
    ):
        spent, answers = spend(solve, cases)
        own = own or spent
        judged = zip(answers, truths, cases, strict=True)
        good = sum(answer is not None and agrees(answer, truth, case, TOLERANCE) for answer, truth, case in judged)
        sure, own_sure = (sum(compress(times, decided)) for times in (spent, own))
        print(
            f"{name:22}{sum(spent) / count:8.2f} ms a scenario,{sum(spent) / sum(own):5.0f} times the engine "
            f"({sure / own_sure:.0f} times where floats decide); right: {good} of {count}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
