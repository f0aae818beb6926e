"""A third route to runs under DT and fixed weights: scipy's solve_ivp, used with care, and in floats.

Which queue is empty, below, on or above its threshold is a mode that the right-hand side does not change; every event
that ends the mode is terminal, and the next mode is found outside the solver. So each mode is a straight line, which
the solver follows to within rounding (1e-16 of the buffer at each event): what is larger than TOLERANCE is an event
missed or a mode mistaken, and not a matter of digits. Queues within EQUAL of their thresholds count as on them, so
TOLERANCE is not smaller than a thousand times that.

It shares no line with `dtmodel.fluid`: who is on a threshold, how fast the free buffer falls, and when something
happens are found in other ways there.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtmodel import InputError, Run, Scenario

Floats = NDArray[np.float64]


EQUAL = 1e-9
TOLERANCE = 1e-6
Answer = tuple[list[float], list[float | None]]
"""How long each queue is in the end, and when it first lost bytes."""


def weights(case: Scenario) -> Floats:
    """Return the alpha of each queue of a scenario: under DT they are equal.

    Raises
    ------
    InputError
        If its thresholds are no fixed multiples of the free buffer.
    """
    found = case.policy.weights_of(case.switch.buffer, len(case.queues))
    if found is None:
        raise InputError("policy", type(case.policy).__name__, "DT, or fixed weights")
    return np.array([float(weight) for weight in found])


def slopes(result: Floats, on: NDArray[np.bool_], drain: Floats, growth: Floats, alpha: Floats) -> tuple[Floats, float]:
    """Return Q' where the queues off their thresholds have that of `result`, and F'."""
    result, alpha = result.copy(), alpha[on]
    edges = np.sort(np.concatenate([drain[on] / alpha, growth[on] / alpha]))
    low = -1e9
    for high in [*edges, 1e9]:
        middle = (low + high) / 2
        follow = np.clip(alpha * middle, drain[on], growth[on])
        slack = (alpha * middle > drain[on]) & (alpha * middle < growth[on])
        root = middle - (middle + result[~on].sum() + follow.sum()) / (1 + alpha[slack].sum())
        if low <= root <= high:
            result[on] = np.clip(alpha * root, drain[on], growth[on])
            return result, root
        low = high
    raise AssertionError


class Start:
    """A scenario in floats, as both ways of using the solver need it."""

    def __init__(self, case: Scenario) -> None:
        self.case = case
        self.buffer = float(case.switch.buffer)
        self.alpha = weights(case)
        self.rates = np.array([float(q.rate) for q in case.queues])
        self.steady = [i for i, q in enumerate(case.queues) if q.initial is None]
        self.q = np.zeros(len(case.queues))
        self.q[self.steady] = self.alpha[self.steady] * self.buffer / (1 + self.alpha[self.steady].sum())
        self.changes = sorted({t for queue in case.queues for t in queue.arrivals.times} | {case.until})

    def offered(self, begin: Fraction) -> Floats:
        """Return what each queue is offered from an instant on."""
        return np.array([float(queue.arrivals.at(begin)) for queue in self.case.queues])


class _Modes:
    """The modes of the queues, found at every terminal event."""

    def __init__(self, case: Scenario) -> None:
        self.start = Start(case)
        self.q = self.start.q
        n = len(self.q)
        self.on, self.above = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
        self.on[self.start.steady] = True
        self.first: list[float | None] = [None] * n

    def answer(self) -> Answer:
        """Integrate from one terminal event to the next."""
        for begin, end in pairwise(self.start.changes):
            offered, now = self.start.offered(begin), float(begin)
            while now < float(end):
                now = self.go(now, float(end), *self.enter(now, offered))
        return [float(length) for length in self.q], self.first

    def enter(self, now: float, offered: Floats) -> tuple[Floats, float]:
        """Return Q' and F' of the mode that begins now."""
        alpha, rates, room = self.start.alpha, self.start.rates, self.room(self.q)
        self.on |= np.abs(room) <= EQUAL * self.start.buffer  # also those that meet it together with the one that ended
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

    def go(self, now: float, end: float, speed: Floats, fall: float) -> float:
        """Integrate the mode to its end, and return when that is."""
        from scipy.integrate import solve_ivp

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

    def events(self, speed: Floats, fall: float) -> list[tuple[Callable[..., float], int, bool]]:
        """Return the terminal events of the mode: who runs empty, who meets its threshold from which side."""
        made = []
        for i in map(int, np.flatnonzero(~self.on)):
            if speed[i] < 0:
                made.append((_terminal(partial(_length, i), -1), i, False))
            side = -1 if self.above[i] else 1
            if side * (speed[i] - self.start.alpha[i] * fall) > 0:  # it comes closer
                made.append((_terminal(partial(self._room_of, i), -side), i, True))
        return made

    def _room_of(self, i: int, _time: float, y: Floats) -> float:
        return float(self.room(y)[i])

    def room(self, y: Floats) -> Floats:
        """Return how far each queue is below its threshold."""
        free: float = self.start.buffer - y.sum()
        room: Floats = self.start.alpha * free - y
        return room


def _length(i: int, _time: float, y: Floats) -> float:
    return float(y[i])


def _terminal(event: Any, direction: int) -> Callable[..., float]:
    """Make an event end the integration when it crosses 0 in this direction."""
    event.terminal, event.direction = True, direction
    crossing: Callable[..., float] = event
    return crossing


def integrated(case: Scenario) -> Answer:
    """Integrate a scenario under DT or fixed weights, mode by mode."""
    return _Modes(case).answer()


def agrees(answer: Answer, truth: Run[Fraction], case: Scenario, tolerance: float = TOLERANCE) -> bool:
    """Tell whether an answer is that of the exact run, to within a part of the buffer and of the end of the run."""
    lengths, drops = answer
    scale, until = float(case.switch.buffer), float(case.until)
    for index, (length, drop) in enumerate(zip(lengths, drops, strict=True)):
        exact = truth.first_drop(index)
        if abs(length - float(truth.queue(index).at(case.until))) > tolerance * scale:
            return False
        if drop is None or exact is None:
            if drop is not None or exact is not None:
                return False
        elif abs(drop - float(exact)) > tolerance * until:
            return False
    return True
