"""Kind ``fluid``: a trajectory of the fluid model under DT or EDT in which a statement is false.

The certificate gives the switch and its arrivals (piecewise constant, right-continuous rates) and the trajectory:
times, and the length of every queue at each, linear between. Checked on every piece, with T = alpha F, or T = B / n
for the n queues that EDT has left uncontrolled, F what is free of the buffer: a queue below its threshold grows at
R - C, one above it drains at C, one on it moves with it at a rate from -C to R - C and rejects the rest; an empty queue
does not drain. The lengths tell what is rejected: the first drops and the bytes lost. What EDT remembers is computed
anew.
"""

from abc import ABC, abstractmethod
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .algebra import refuse_unless
from .answers import number, show

__all__ = ["check"]

ZERO = Fraction(0)
Threshold = tuple[Fraction, Fraction]


class Policy(ABC):
    """What gives the thresholds, piece by piece."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.buffer = Fraction(document["buffer"])
        self.rates = [Fraction(queue["rate"]) for queue in document["queues"]]
        self.alphas = [Fraction(queue["alpha"]) for queue in document["queues"]]

    @abstractmethod
    def thresholds(self, now: Fraction, lengths: list[Fraction], offered: list[Fraction]) -> list[Threshold]:
        """Return (a, b) of the thresholds a F + b from now on."""

    def passed(self, begin: Fraction, end: Fraction, slopes: list[Fraction], rejected: list[Fraction]) -> None:
        """Hear how the queues moved from one time to the next."""
        del begin, end, slopes, rejected


class Dt(Policy):
    """Dynamic Threshold, which remembers nothing."""

    def thresholds(self, now: Fraction, lengths: list[Fraction], offered: list[Fraction]) -> list[Threshold]:
        """Return alpha F for each queue, whatever has happened."""
        del now, lengths, offered
        return [(alpha, ZERO) for alpha in self.alphas]


class Edt(Policy):
    """Enhanced DT: a counter and two timers for each queue, and the set of uncontrolled queues."""

    def __init__(self, document: dict[str, Any]) -> None:
        Policy.__init__(self, document)
        policy = document["policy"]
        self.cn2, self.tm1, self.tm2 = Fraction(policy["cn2"]), number(policy["tm1"]), number(policy["tm2"])
        self.free: set[int] = set()
        self.c2 = [ZERO] * len(self.rates)
        self.ends1: dict[int, Fraction] = {}
        self.ends2: dict[int, Fraction] = {}

    def thresholds(self, now: Fraction, lengths: list[Fraction], offered: list[Fraction]) -> list[Threshold]:
        """Let queues return (R < C, TM2), be freed (c2), TM1 expire and the buffer overflow, in this order."""
        spare = [offered[i] - rate for i, rate in enumerate(self.rates)]
        back = {i for i in self.free if spare[i] < 0 or self.ends2.get(i, now + 1) <= now}
        counted = {i for i, c2 in enumerate(self.c2) if i not in self.free and c2 >= self.cn2 and spare[i] > 0}
        self.uncontrol((self.free - back) | counted, now)
        for i in [i for i, end in self.ends1.items() if end <= now]:
            self.reset(i)
        if self.free and sum(lengths) == self.buffer and self.overflows(lengths, offered, spare):
            self.uncontrol(set(), now)
        constant = self.buffer / max(len(self.free), 1)
        return [(ZERO, constant) if i in self.free else (alpha, ZERO) for i, alpha in enumerate(self.alphas)]

    def overflows(self, lengths: list[Fraction], offered: list[Fraction], spare: list[Fraction]) -> bool:
        """Whether a full buffer would be overrun: an uncontrolled queue rejects, or more comes than goes."""
        share, net = self.buffer / len(self.free), ZERO
        for i, length in enumerate(lengths):
            if i in self.free and ((length > share and offered[i] > 0) or (length == share and spare[i] > 0)):
                return True
            if length > 0:
                net += spare[i] if i in self.free and length <= share else -self.rates[i]
            elif i in self.free:
                net += max(spare[i], ZERO)
        return net > 0

    def uncontrol(self, queues: set[int], now: Fraction) -> None:
        """Let exactly these queues be uncontrolled."""
        for i in queues - self.free:
            self.reset(i)
            if self.tm2 is not None:
                self.ends2[i] = now + self.tm2
        self.ends2 = {i: end for i, end in self.ends2.items() if i in queues}
        self.free = queues

    def reset(self, i: int) -> None:
        """Set c2 to 0 and stop TM1."""
        self.c2[i] = ZERO
        self.ends1.pop(i, None)

    def passed(self, begin: Fraction, end: Fraction, slopes: list[Fraction], rejected: list[Fraction]) -> None:
        """Count growth; whoever rejects something counts from 0 again; TM1 may expire several times in a piece."""
        refuse_unless(all(begin >= stop or stop >= end for stop in self.ends2.values()), "TM2 expires inside a piece")
        for i, slope in enumerate(slopes):
            if rejected[i] > 0:
                self.reset(i)
            now = end if rejected[i] > 0 or i in self.free else begin
            while now < end:
                if slope > 0 and self.tm1 is not None:
                    self.ends1.setdefault(i, now + self.tm1)
                stop = min(end, self.ends1.get(i, end))
                self.c2[i] = max(self.c2[i] + slope * (stop - now), ZERO)
                inside = self.c2[i] > self.cn2 or (self.c2[i] == self.cn2 and stop < end)
                refuse_unless(slope <= 0 or not inside, "c2 reaches its number inside a piece")
                if stop < end or self.c2[i] == 0:
                    self.reset(i)
                now = stop


def move(queue: tuple[Fraction, Fraction], gaps: tuple[Fraction, Fraction], low: Fraction, high: Fraction,
         offered: Fraction, lasting: Fraction) -> tuple[Fraction, Fraction]:  # fmt: skip
    """Return slope and rejected rate of a queue on a piece, given its lengths and distances from its threshold."""
    slope = (queue[1] - queue[0]) / lasting
    if queue == (ZERO, ZERO):
        low, high = max(low, ZERO), max(high, ZERO)
    if gaps == (ZERO, ZERO):
        refuse_unless(low <= slope <= high, "a queue cannot stay on its threshold")
        return slope, high - slope
    refuse_unless(max(gaps) <= 0 or min(gaps) >= 0, "a queue crosses its threshold inside a piece")
    above = max(gaps) > 0
    refuse_unless(slope == (low if above else high), "a queue does not move as it should")
    return slope, offered if above else ZERO


def rate_at(arrivals: list[list[Any]], time: Fraction) -> Fraction:
    """Return the rate that is offered from a time on."""
    return next((Fraction(rate) for begin, rate in reversed(arrivals) if Fraction(begin) <= time), ZERO)


def check(document: dict[str, Any]) -> None:
    """Follow the trajectory piece by piece, and read off it what is expected and claimed."""
    queues, times = document["queues"], [Fraction(time) for time in document["times"]]
    lengths = [[Fraction(length) for length in row] for row in document["lengths"]]
    policy = {"dt": Dt, "edt": Edt}[document["policy"]["name"]](document)
    refuse_unless(times[0] == 0 and times[-1] == Fraction(document["until"]), "the trajectory is not the whole run")
    refuse_unless(all(a < b for a, b in pairwise(times)), "the times are not in order")
    refuse_unless(all(min(row) >= 0 and sum(row) <= policy.buffer for row in lengths), "a length is impossible")
    changes = [[Fraction(begin) for begin, _ in queue["arrivals"]] for queue in queues]
    refuse_unless(all(a < b for change in changes for a, b in pairwise(change)), "the arrivals are not in order")
    inside = {begin for change in changes for begin in change if 0 < begin < times[-1]}
    refuse_unless(inside <= set(times), "arrivals change inside a piece")
    initially = policy.buffer - sum(lengths[0])
    for length, alpha, queue in zip(lengths[0], policy.alphas, queues, strict=True):
        wanted = alpha * initially if queue["initial"] == "steady" else Fraction(queue["initial"])
        refuse_unless(length == wanted, "the initial lengths are others")
    drops: list[tuple[Fraction, Fraction] | None] = [None] * len(queues)
    lost = [ZERO] * len(queues)
    spans = zip(pairwise(times), pairwise(lengths), strict=True)
    for (begin, end), (first, last) in spans:
        offered = [rate_at(queue["arrivals"], begin) for queue in queues]
        limits = policy.thresholds(begin, first, offered)
        before, after = policy.buffer - sum(first), policy.buffer - sum(last)
        moves = [
            move((q0, q1), (q0 - a * before - b, q1 - a * after - b), -rate, offer - rate, offer, end - begin)
            for q0, q1, (a, b), rate, offer in zip(first, last, limits, policy.rates, offered, strict=True)
        ]
        policy.passed(begin, end, [slope for slope, _ in moves], [rejected for _, rejected in moves])
        for i, (_, rejected) in enumerate(moves):
            drops[i] = drops[i] or ((begin, before) if rejected > 0 else None)
            lost[i] += rejected * (end - begin)
    samples = [[at(times, [row[i] for row in lengths], Fraction(time)) for i in range(len(queues))]
               for time in document["sample"]]  # fmt: skip
    answer = {"first_drop": [drop and drop[0] for drop in drops], "queues": samples, "dropped": lost,
              "free_at_first_drop": [drop and drop[1] for drop in drops]}  # fmt: skip
    show(document, answer)


def at(times: list[Fraction], values: list[Fraction], time: Fraction) -> Fraction:
    """Interpolate between the breakpoints around a time."""
    for (begin, end), (first, last) in zip(pairwise(times), pairwise(values), strict=True):
        if begin <= time <= end:
            return first + (last - first) * (time - begin) / (end - begin)
    raise ValueError(f"{time} is not within the run")
