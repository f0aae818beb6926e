"""A third route to fluid runs: scipy's solve_ivp, used with care, and in floats.

It knows DT, fixed weights, EDT, pools with reserves and caps, and complete sharing. Which queue is empty, below, on or
above its threshold, beyond its reserve, controlled or not, which cap binds and whether the buffer is full are a mode
that the right-hand side does not change; every event that ends the mode is terminal, timers and arrivals end it, too,
and the next mode is found outside the solver. So each mode is a straight line, which the solver follows to within
rounding (1e-16 of the buffer at each event): what is larger than TOLERANCE is an event missed or a mode mistaken, and
not a matter of digits. What lies within EQUAL of an event counts as there, so TOLERANCE is not smaller than a thousand
times that.

It shares no line with `dtmodel.fluid`, nor with what policies remember there: who is on a threshold, how fast the free
buffer falls, what counters and timers do, and when something happens are found in other ways.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtmodel import EDT, CompleteSharing, InputError, Run, Scenario, SharedPools

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Event = tuple[Callable[..., float], int]
"""What is 0 when a mode ends, and the queue that is empty then; -1 if none is."""

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
        accepted = "DT, fixed weights, EDT, SharedPools or CompleteSharing"
        raise InputError("policy", type(case.policy).__name__, accepted)
    return np.array([float(weight) for weight in found])


def slopes(result: Floats, on: Flags, drain: Floats, growth: Floats, alpha: Floats) -> tuple[Floats, float]:
    """Return Q' where the queues off their thresholds have that of `result`, and F'."""
    result, alpha = result.copy(), alpha[on]
    edges = np.sort(np.concatenate([drain[on] / alpha, growth[on] / alpha]))
    others = result[~on].sum()

    def balance(fall: float) -> float:
        return float(fall + others + np.clip(alpha * fall, drain[on], growth[on]).sum())

    high = next((edge for edge in edges if balance(edge) >= 0), 1e9)  # it rises with F'
    low = max((edge for edge in edges if edge < high), default=-1e9)
    middle = (low + high) / 2
    slack = (alpha * middle > drain[on]) & (alpha * middle < growth[on])
    root = min(max(middle - balance(middle) / (1 + alpha[slack].sum()), low), high)
    result[on] = np.clip(alpha * root, drain[on], growth[on])
    return result, root


class Start:
    """A scenario in floats, as both ways of using the solver need it."""

    def __init__(self, case: Scenario, alpha: Floats) -> None:
        self.case = case
        self.buffer = float(case.switch.buffer)
        self.alpha = alpha
        self.rates = np.array([float(q.rate) for q in case.queues])
        self.steady = [i for i, q in enumerate(case.queues) if q.initial is None]
        self.q = np.array([float(q.initial or 0) for q in case.queues])
        share = self.alpha[self.steady]
        self.q[self.steady] = share * (self.buffer - self.q.sum()) / (1 + share.sum())
        self.changes = sorted({t for queue in case.queues for t in queue.arrivals.times} | {case.until})

    def offered(self, begin: Fraction) -> Floats:
        """Return what each queue is offered from an instant on."""
        return np.array([float(queue.arrivals.at(begin)) for queue in self.case.queues])


class _Modes(ABC):
    """The next mode is found at every terminal event."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.q = start.q
        self.near = EQUAL * start.buffer
        self.soon = EQUAL * float(start.case.until)
        self.slow = EQUAL * float(start.rates.max())
        self.first: list[float | None] = [None] * len(self.q)
        self.speed = self.fall = np.zeros(len(self.q))

    def answer(self) -> Answer:
        """Integrate from one terminal event to the next."""
        for begin, end in pairwise(self.start.changes):
            offered, now = self.start.offered(begin), float(begin)
            while now < float(end):
                lost = self.enter(now, offered)
                after = self.go(now, min(float(end), self.wake()))
                if after - now > self.soon:  # what would be lost within rounding of the mode's end is not
                    self.lose(now, lost)
                now = after
        return [float(length) for length in self.q], self.first

    def lose(self, now: float, lost: Flags) -> None:
        """Note who loses bytes from now on."""
        for i in np.flatnonzero(lost):
            self.first[i] = now if self.first[i] is None else self.first[i]

    @abstractmethod
    def laws(self) -> tuple[Floats, Floats]:
        """Return for each queue the slope and the offset of its threshold over what is free for it."""

    def free(self, q: Floats) -> Floats:
        """Return what is free for each queue."""
        return np.full(len(self.q), self.start.buffer - q[: len(self.q)].sum())

    def falls(self, result: Floats, on: Flags, drain: Floats, growth: Floats) -> tuple[Floats, Floats]:
        """Return Q', and for each queue F' of what is free for it."""
        slope, _ = self.laws()
        flat = on & (slope == 0)
        result = np.where(flat, np.clip(0.0, drain, growth), result)
        speed, fall = slopes(result, on & ~flat, drain, growth, slope)
        return speed, np.full(len(self.q), fall)

    def enter(self, now: float, offered: Floats) -> Flags:
        """Find the mode that begins now: Q' and F'; return who loses something in it."""
        del now
        room, rates = self.room(self.q), self.start.rates
        on, self.above = np.abs(room) <= self.near, room < -self.near
        empty = self.q <= 0
        growth = np.where(empty & (offered <= rates), 0.0, offered - rates)
        drain = np.where(empty, 0.0, -rates)
        self.speed, self.fall = self.falls(np.where(self.above, drain, growth), on, drain, growth)
        slope, _ = self.laws()
        fell = on & (slope * self.fall < drain - self.slow)
        self.above |= fell
        self.on = on & ~fell & (slope * self.fall < growth - self.slow)
        return self.on | (self.above & (offered > 0))

    def wake(self) -> float:
        """Return when a timer ends the mode."""
        return inf

    def carried(self) -> tuple[Floats, Floats]:
        """Return what else is integrated, and how fast it changes."""
        return np.zeros(0), np.zeros(0)

    def keep(self, carried: Floats) -> None:
        """Take over what else was integrated."""
        del carried

    def go(self, now: float, end: float) -> float:
        """Integrate the mode to its end, and return when that is."""
        from scipy.integrate import solve_ivp

        events, (others, speed) = list(self.events()), self.carried()
        slope = np.concatenate([self.speed, speed])
        result = solve_ivp(
            lambda _t, _y: slope,
            (now, end),
            np.concatenate([self.q, others]),
            events=[event for event, _ in events],
            rtol=1e-9,
        )
        self.q = np.maximum(result.y[: len(self.q), -1], 0)
        self.keep(result.y[len(self.q) :, -1])
        for (_, queue), times in zip(events, result.t_events, strict=True):
            if len(times) and queue >= 0:
                self.q[queue] = 0.0
        return float(result.t[-1])

    def events(self) -> list[Event]:
        """Return the terminal events of the mode: who runs empty, who meets its threshold from which side."""
        made = []
        slope, _ = self.laws()
        for i in map(int, np.flatnonzero(~self.on)):
            if self.speed[i] < 0:
                made.append((self.terminal(partial(_element, i), -1), i))
            side = -1 if self.above[i] else 1
            if side * (self.speed[i] - slope[i] * self.fall[i]) > self.slow:  # it comes closer
                made.append((self.terminal(partial(self._room_of, i), -side), -1))
        return made

    def terminal(self, event: Callable[..., float], direction: float) -> Callable[..., float]:
        """Make an event end the mode when it has crossed 0 in this direction, by far more than rounding.

        Else the solver does not find, between the ends of a step, what happens at its very end.
        """

        def crossed(time: float, y: Floats) -> float:
            return event(time, y) - direction * 1e-3 * self.near

        crossed.terminal, crossed.direction = True, direction  # type: ignore[attr-defined]  # solve_ivp asks for them
        return crossed

    def _room_of(self, i: int, _time: float, y: Floats) -> float:
        slope, offset = self.laws()
        return float(slope[i] * self.ahead(y)[i] + offset[i] - y[i])

    def room(self, q: Floats) -> Floats:
        """Return how far each queue is below its threshold."""
        slope, offset = self.laws()
        room: Floats = slope * self.free(q) + offset - q
        return room

    def ahead(self, y: Floats) -> Floats:
        """Return what is free for each queue as if the mode did not end: a straight line crosses 0 once."""
        return self.free(y)


class _Fixed(_Modes):
    """DT and fixed weights: nothing is remembered."""

    def laws(self) -> tuple[Floats, Floats]:
        return self.start.alpha, np.zeros(len(self.q))


class _Counted(_Modes):
    """EDT: the counters are integrated beside the queues, timers end a mode."""

    def __init__(self, start: Start, policy: Any) -> None:
        super().__init__(start)
        n = len(self.q)
        self.cn2 = float(policy.cn2)
        self.tm1, self.tm2 = (inf if timer is None else float(timer) for timer in (policy.tm1, policy.tm2))
        self.c2, self.wild = np.zeros(n), np.zeros(n, dtype=bool)
        self.ends1, self.ends2 = np.full(n, inf), np.full(n, inf)

    def laws(self) -> tuple[Floats, Floats]:
        share = self.start.buffer / max(1, self.wild.sum())
        return np.where(self.wild, 0.0, self.start.alpha), np.where(self.wild, share, 0.0)

    def enter(self, now: float, offered: Floats) -> Flags:
        over = offered > self.start.rates
        self.wild &= (offered >= self.start.rates) & (self.ends2 > now + self.soon)
        counted = ~self.wild & (self.c2 >= self.cn2 - self.near) & over
        self.wild |= counted
        self.ends2 = np.where(counted, now + self.tm2, np.where(self.wild, self.ends2, inf))
        self._clear(self.wild | (self.ends1 <= now + self.soon))
        lost = super().enter(now, offered)
        full = self.free(self.q)[0] <= self.near and self.wild.any()
        if full and (self.fall[0] < -self.slow or (lost & self.wild).any()):
            self.lose(now, self.wild)
            self.wild, self.ends2 = np.zeros(len(self.q), dtype=bool), np.full(len(self.q), inf)
            lost = super().enter(now, offered)
        self._clear(lost & ~self.wild)
        begins = ~self.wild & ~lost & (self.speed > 0) & (self.c2 <= 0)
        self.ends1 = np.where(begins, np.minimum(self.ends1, now + self.tm1), self.ends1)
        self.lost = lost
        return lost

    def _clear(self, whom: Flags) -> None:
        self.c2 = np.where(whom, 0.0, self.c2)
        self.ends1 = np.where(whom, inf, self.ends1)

    def wake(self) -> float:
        return float(min(self.ends1.min(), self.ends2.min()))

    def carried(self) -> tuple[Floats, Floats]:
        counting = ~self.wild & ~self.lost & ((self.speed > 0) | (self.c2 > 0))
        return self.c2, np.where(counting, self.speed, 0.0)

    def keep(self, carried: Floats) -> None:
        self.c2 = carried
        self._clear(self.c2 <= 1e-3 * self.near)

    def events(self) -> list[Event]:
        made = super().events()
        _, growth = self.carried()
        for i in map(int, np.flatnonzero(growth)):
            wanted = self.cn2 if growth[i] > 0 else 0.0
            if growth[i] < 0 or self.c2[i] < self.cn2 - self.near:
                made.append((self.terminal(partial(_beyond, len(self.q) + i, wanted), np.sign(growth[i])), -1))
        if self.fall[0] < 0 and self.free(self.q)[0] > self.near:
            made.append((self.terminal(lambda _t, y: float(self.free(y)[0]), -1), -1))
        return made


class _Pooled(_Modes):
    """Reserves, pools and caps: a queue takes from its pool what exceeds its reserve."""

    def __init__(self, case: Scenario, policy: Any) -> None:
        limits = policy.limits
        self.reserved = np.array([float(limit.reserved) for limit in limits])
        self.cap = np.array([inf if limit.cap is None else float(limit.cap) for limit in limits])
        alpha = np.array([0.0 if limit.alpha is None else float(limit.alpha) for limit in limits])
        pools = [(float(pool.size), list(pool.queues)) for pool in policy.pools or ()]
        self.pools = pools or [(float(case.switch.buffer) - self.reserved.sum(), list(range(len(limits))))]
        super().__init__(Start(case, alpha))
        self.capped = alpha == 0
        self.beyond = np.zeros(len(alpha), dtype=bool)
        for size, queues in self.pools:
            steady = [i for i in queues if i in self.start.steady]
            self.q[steady] = 0.0
            self.q[steady] = (self.reserved + self._shared(self._steady_free(size, queues, steady)))[steady]

    def _shared(self, free: Any) -> Floats:
        shared: Floats = np.where(self.start.alpha > 0, np.minimum(self.start.alpha * free, self.cap), self.cap)
        return shared

    def _steady_free(self, size: float, queues: list[int], steady: list[int]) -> float:
        """Return what is free of a pool where some queues are on their thresholds: the root of a rising function."""
        from scipy.optimize import brentq

        others = np.maximum(self.q - self.reserved, 0)[queues].sum()
        return float(brentq(lambda free: free + others + self._shared(free)[steady].sum() - size, 0, size, xtol=1e-15))

    def laws(self) -> tuple[Floats, Floats]:
        slope = np.where(self.capped, 0.0, self.start.alpha)
        return slope, self.reserved + np.where(self.capped, self.cap, 0.0)

    def free(self, q: Floats) -> Floats:
        free = np.zeros(len(self.q))
        for size, queues in self.pools:
            free[queues] = size - np.maximum(q - self.reserved, 0)[queues].sum()
        return free

    def ahead(self, y: Floats) -> Floats:
        free = np.zeros(len(self.q))
        for size, queues in self.pools:
            free[queues] = size - np.where(self.beyond, y - self.reserved, 0.0)[queues].sum()
        return free

    def falls(self, result: Floats, on: Flags, drain: Floats, growth: Floats) -> tuple[Floats, Floats]:
        slope, fall = self.start.alpha, np.zeros(len(self.q))
        turn = np.divide(self.cap, slope, out=np.full(len(slope), inf), where=slope > 0)
        free = self.free(self.q)
        at_turn = np.abs(free - turn) <= self.near
        self.capped = (slope == 0) | (free > turn + self.near)
        for _ in range(2):  # where a cap begins or ceases to bind, the direction decides
            flat = on & self.capped
            still = np.where(flat, np.clip(0.0, drain, growth), result)
            excess = self.q - self.reserved
            self.beyond = (excess > self.near) | ((np.abs(excess) <= self.near) & (still > 0)) | (on & ~flat)
            speed = still.copy()
            for _, queues in self.pools:
                these = on[queues] & ~flat[queues]
                taken = np.where(self.beyond[queues], still[queues], 0.0)
                found, root = slopes(taken, these, drain[queues], growth[queues], np.where(slope > 0, slope, 1)[queues])
                fall[queues] = root
                speed[queues] = np.where(these, found, still[queues])
            if not (at_turn & (fall > 0) & ~self.capped).any():
                break
            self.capped = self.capped | (at_turn & (fall > 0))
        return speed, fall

    def events(self) -> list[Event]:
        made = super().events()
        for i in range(len(self.q)):
            excess = self.q[i] - self.reserved[i]
            if self.reserved[i] > 0 and abs(excess) > self.near and excess * self.speed[i] < 0:
                made.append((self.terminal(partial(_beyond, i, self.reserved[i]), np.sign(self.speed[i])), -1))
            if self.start.alpha[i] > 0 and self.cap[i] < inf and self.fall[i] != 0:
                turn = self.cap[i] / self.start.alpha[i]
                if (self.free(self.q)[i] - turn) * self.fall[i] < 0 and abs(self.free(self.q)[i] - turn) > self.near:
                    made.append((self.terminal(partial(self._free_beyond, i, turn), np.sign(self.fall[i])), -1))
        return made

    def _free_beyond(self, i: int, turn: float, _time: float, y: Floats) -> float:
        return float(self.ahead(y)[i] - turn)


class _Complete(_Modes):
    """Complete sharing: below B everything enters; at B every queue the same share of what it is offered."""

    def laws(self) -> tuple[Floats, Floats]:
        return np.ones(len(self.q)), self.q

    def enter(self, now: float, offered: Floats) -> Flags:
        del now

        def growth(share: float) -> Floats:
            rising: Floats = np.maximum(share * offered - self.start.rates, np.where(self.q <= 0, 0.0, -inf))
            return rising

        low, high = 0.0, 1.0
        if self.free(self.q)[0] <= self.near and growth(1.0).sum() > 0:
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if growth(middle).sum() <= 0 else (low, middle)
            high = low
        self.speed = growth(high)
        return (offered > 0) & (high < 1)

    def events(self) -> list[Event]:
        made = [(self.terminal(partial(_element, i), -1), i) for i in map(int, np.flatnonzero(self.speed < 0))]
        if self.speed.sum() > 0 and self.free(self.q)[0] > self.near:
            made.append((self.terminal(lambda _t, y: float(self.free(y)[0]), -1), -1))
        return made


def _element(i: int, _time: float, y: Floats) -> float:
    return float(y[i])


def _beyond(i: int, least: float, _time: float, y: Floats) -> float:
    return float(y[i] - least)


def integrated(case: Scenario) -> Answer:
    """Integrate a scenario under DT, fixed weights, EDT, pools or complete sharing, mode by mode."""
    return _MODES.get(type(case.policy), _fixed)(case).answer()


def _fixed(case: Scenario) -> _Modes:
    return _Fixed(Start(case, weights(case)))


def _counted(case: Scenario) -> _Counted:
    """Return the modes of a scenario under EDT, all of whose queues begin controlled."""
    controlled = [limit.slope for limit in case.policy.thresholds(len(case.queues)) if limit is not None]
    return _Counted(Start(case, np.array(controlled, dtype=float)), case.policy)


_MODES: dict[type, Callable[[Scenario], _Modes]] = {
    EDT: _counted,
    SharedPools: lambda case: _Pooled(case, case.policy),
    CompleteSharing: lambda case: _Complete(Start(case, np.zeros(len(case.queues)))),
}
"""How each policy changes its modes; others have fixed weights."""


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
