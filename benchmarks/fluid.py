"""The fluid engine against scipy's solve_ivp, used naively and with care, on the same scenarios in one run.

All get N steady queues and bursts of random rates and lengths. The truth is the exact engine; an answer counts as right
when every queue length at the end and every first drop is within 1e-3 of the truth (relative to the buffer and to the
end of the run): a generous bound, so that what fails is an event missed and not a matter of digits.

Naively: the right-hand side looks at the queues and finds out for itself who is on a threshold (within 1e-4; without
that band it chatters and is slower still). With care: which queue is empty, below, on or above its threshold is a mode
that the right-hand side does not change; every event that ends the mode is terminal, and the next mode is found outside
the solver. This leaves the solver nothing but straight lines.

    python benchmarks/fluid.py [SCENARIOS]
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import compress, pairwise

import numpy as np
from scipy.integrate import solve_ivp

from dtmodel import DT, Arrivals, Scenario, Switch
from dtmodel.fluid import Run, run_scenario
from dtmodel.scenario import QueueScenario

TOLERANCE = 1e-3
CLOSE = 1e-4
EQUAL = 1e-9


def scenario(rng: random.Random) -> Scenario:
    """Return a random switch: 0 to 4 steady queues, 1 to 6 bursts that end within the run."""
    steady, bursts = rng.randint(0, 4), rng.randint(1, 6)
    alpha = rng.choice([Fraction(1, 2), Fraction(1), Fraction(2), Fraction(8)])
    queues = [QueueScenario(Arrivals.constant(2), None, Fraction(1)) for _ in range(steady)]
    for _ in range(bursts):
        burst = Arrivals.burst(Fraction(rng.randint(3, 40), 2), Fraction(rng.randint(1, 40), 10))
        queues.append(QueueScenario(burst, Fraction(0), Fraction(1)))
    return Scenario(1, Switch(16, 10, 1), DT(alpha), tuple(queues), Fraction(10))


def slopes(
    result: np.ndarray, on: np.ndarray, drain: np.ndarray, growth: np.ndarray, alpha: float
) -> tuple[np.ndarray, float]:
    """Return Q' where the queues off their thresholds have that of `result`, and F'."""
    result = result.copy()
    edges = np.sort(np.concatenate([drain[on], growth[on]])) / alpha
    low = -1e9
    for high in [*edges, 1e9]:
        middle = (low + high) / 2
        follow = np.clip(alpha * middle, drain[on], growth[on])
        slack = (alpha * middle > drain[on]) & (alpha * middle < growth[on])
        root = middle - (middle + result[~on].sum() + follow.sum()) / (1 + alpha * slack.sum())
        if low <= root <= high:
            result[on] = np.clip(alpha * root, drain[on], growth[on])
            return result, root
        low = high
    raise AssertionError


def chattering(q: np.ndarray, offered: np.ndarray, rates: np.ndarray, alpha: float, buffer: float) -> np.ndarray:
    """Return Q' at the lengths q; a queue within CLOSE of its threshold counts as on it."""
    growth = np.where((q <= 0) & (offered <= rates), 0.0, offered - rates)
    drain = np.where(q <= 0, 0.0, -rates)
    room = alpha * (buffer - q.sum()) - q
    return slopes(np.where(room > 0, growth, drain), np.abs(room) <= CLOSE * buffer, drain, growth, alpha)[0]


class Start:
    """A scenario in floats, as both ways of using the solver need it."""

    def __init__(self, case: Scenario) -> None:
        self.case = case
        self.alpha, self.buffer = float(case.policy.alpha), float(case.switch.buffer)
        self.rates = np.array([float(q.rate) for q in case.queues])
        self.steady = [i for i, q in enumerate(case.queues) if q.initial is None]
        self.q = np.zeros(len(case.queues))
        self.q[self.steady] = self.alpha * self.buffer / (1 + self.alpha * len(self.steady))
        self.changes = sorted({t for queue in case.queues for t in queue.arrivals.times} | {case.until})

    def offered(self, begin: Fraction) -> np.ndarray:
        """Return what each queue is offered from an instant on."""
        return np.array([float(queue.arrivals.at(begin)) for queue in self.case.queues])


def naively(case: Scenario) -> tuple[list[float], list[float | None]]:
    """Integrate the same dynamics adaptively, with one event for each queue that meets its threshold."""
    start = Start(case)
    n, q, alpha, buffer, rates = len(start.q), start.q, start.alpha, start.buffer, start.rates
    first: list[float | None] = [0.0 if i in start.steady else None for i in range(n)]

    def meets(index: int) -> Callable[[float, np.ndarray], float]:
        def event(_time: float, y: np.ndarray) -> float:
            return alpha * (buffer - y.sum()) - y[index]

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


class Careful:
    """The modes of the queues, found at every terminal event."""

    def __init__(self, case: Scenario) -> None:
        self.start = Start(case)
        self.q = self.start.q
        n = len(self.q)
        self.on, self.above = np.zeros(n, bool), np.zeros(n, bool)
        self.on[self.start.steady] = True
        self.first: list[float | None] = [None] * n

    def answer(self) -> tuple[list[float], list[float | None]]:
        """Integrate from one terminal event to the next."""
        for begin, end in pairwise(self.start.changes):
            offered, now = self.start.offered(begin), float(begin)
            while now < float(end):
                now = self.go(now, float(end), *self.enter(now, offered))
        return list(self.q), self.first

    def enter(self, now: float, offered: np.ndarray) -> tuple[np.ndarray, float]:
        """Return Q' and F' of the mode that begins now."""
        alpha, rates, room = self.start.alpha, self.start.rates, self.room(self.q)
        self.on |= (np.abs(room) <= EQUAL * self.start.buffer) & (offered > rates)
        self.above &= ~self.on
        empty = self.q <= 0
        growth = np.where(empty & (offered <= rates), 0.0, offered - rates)
        drain = np.where(empty, 0.0, -rates)
        speed, fall = slopes(np.where(self.above, drain, growth), self.on, drain, growth, alpha)
        fell = self.on & (alpha * fall < drain)
        self.above |= fell
        self.on &= ~fell & (alpha * fall < growth)
        for i in np.flatnonzero(self.on | (self.above & (offered > 0))):
            self.first[i] = now if self.first[i] is None else self.first[i]
        return speed, fall

    def go(self, now: float, end: float, speed: np.ndarray, fall: float) -> float:
        """Integrate the mode to its end, and return when that is."""
        events = self.events(speed, fall)
        result = solve_ivp(
            lambda _t, _y: speed, (now, end), self.q, events=[event for event, _, _ in events], rtol=1e-9
        )
        self.q = np.maximum(result.y[:, -1], 0)
        for (_, queue, meets), times in zip(events, result.t_events, strict=True):
            if len(times) and meets:
                self.on[queue], self.above[queue] = True, False
            elif len(times):
                self.q[queue] = 0.0
        return float(result.t[-1])

    def events(self, speed: np.ndarray, fall: float) -> list[tuple[Callable[..., float], int, bool]]:
        """Return the terminal events of the mode: who runs empty, who meets its threshold from which side."""
        made = []
        for i in np.flatnonzero(~self.on):
            if speed[i] < 0:
                made.append((terminal(lambda _t, y, i=i: y[i], -1), i, False))
            side = -1 if self.above[i] else 1
            if side * (speed[i] - self.start.alpha * fall) > 0:  # it comes closer
                made.append((terminal(lambda _t, y, i=i: self.room(y)[i], -side), i, True))
        return made

    def room(self, y: np.ndarray) -> np.ndarray:
        """Return how far each queue is below its threshold."""
        return self.start.alpha * (self.start.buffer - y.sum()) - y


def terminal(event: Callable[..., float], direction: int) -> Callable[..., float]:
    """Make an event end the integration when it crosses 0 in this direction."""
    event.terminal, event.direction = True, direction
    return event


def carefully(case: Scenario) -> tuple[list[float], list[float | None]]:
    """Integrate mode by mode."""
    return Careful(case).answer()


Answer = tuple[list[float], list[float | None]]


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


def right(lengths: list[float], drops: list[float | None], truth: Run[Fraction], case: Scenario) -> bool:
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
    for name, solve in (("float engine", engine), ("solve_ivp, with care", carefully), ("solve_ivp, naively", naively)):
        spent, answers = spend(solve, cases)
        own = own or spent
        judged = zip(answers, truths, cases, strict=True)
        good = sum(answer is not None and right(*answer, truth, case) for answer, truth, case in judged)
        sure, own_sure = (sum(compress(times, decided)) for times in (spent, own))
        print(
            f"{name:22}{sum(spent) / count:8.2f} ms a scenario,{sum(spent) / sum(own):5.0f} times the engine "
            f"({sure / own_sure:.0f} times where floats decide); right: {good} of {count}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
