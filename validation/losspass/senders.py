"""Senders under ECN in whole packets and rounds."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from dtmodel.ledger import check

DELAYS = range(1, 9)
THRESHOLDS = range(13)
FLOWS = (1, 2, 3)
DOMAIN = "D from 1 to 8, K up to 12, N up to 3, each run until its state repeats"


@dataclass
class Sender:
    """One window: its size, acknowledgements since it grew, packets outstanding, and where the last cut ends.

    It `rests` after a cut until all that was sent before is acknowledged; else these make it grow, too.
    """

    rests: bool = True
    window: int = 1
    acknowledged: int = 0
    outstanding: int = 0
    sent: int = 0
    cut_until: int = -1

    def acknowledge(self, number: int, marked: bool) -> None:
        """Grow by one packet a window, or halve once a window."""
        self.outstanding -= 1
        before = number <= self.cut_until
        if before and self.rests:
            return
        if marked and not before:
            self.window, self.acknowledged, self.cut_until = max(1, self.window // 2), 0, self.sent - 1
            return
        self.acknowledged += 1
        if self.acknowledged >= self.window:
            self.window, self.acknowledged = self.window + 1, 0


@dataclass
class Bottleneck:
    """A queue that marks a packet when its length with it exceeds K, and the acknowledgements under way."""

    threshold: int
    queue: deque[tuple[int, int, bool]] = field(default_factory=deque)
    returning: deque[tuple[int, int, int, bool]] = field(default_factory=deque)

    def fill(self, senders: list[Sender]) -> None:
        """Let the senders in turn send one packet each until all windows are full."""
        while any(s.outstanding < s.window for s in senders):
            for flow, s in enumerate(senders):
                if s.outstanding < s.window:
                    self.queue.append((flow, s.sent, len(self.queue) + 1 > self.threshold))
                    s.sent, s.outstanding = s.sent + 1, s.outstanding + 1


State = tuple[object, ...]


def state_of(senders: list[Sender], link: Bottleneck, slot: int) -> State:
    """Return all that decides the slots to come: numbers of packets and slots are counted from now."""
    windows = []
    for s in senders:
        cut = s.cut_until - s.sent
        windows.append((s.window, s.acknowledged, s.outstanding, cut if cut >= -s.outstanding else None))
    queue = tuple((flow, number - senders[flow].sent, marked) for flow, number, marked in link.queue)
    returning = tuple((at - slot, flow, n - senders[flow].sent, marked) for at, flow, n, marked in link.returning)
    return (*windows, queue, returning)


@cache
def observe(D: int, K: int, N: int, *, rests: bool = True) -> tuple[int, bool]:
    """Return the largest queue and whether the link is always busy, in the period that the run ends in for ever.

    The model has no chance in it: once a state comes back, everything repeats, and one period is the whole future.
    """
    senders, link = [Sender(rests) for _ in range(N)], Bottleneck(K)
    seen: dict[State, int] = {}
    lengths: list[int] = []
    while True:
        slot = len(lengths)
        while link.returning and link.returning[0][0] <= slot:
            _, flow, number, marked = link.returning.popleft()
            senders[flow].acknowledge(number, marked)
        link.fill(senders)
        state = state_of(senders, link, slot)
        if state in seen:
            check(max(lengths) <= K + N, "the start exceeds K + N")
            period = lengths[seen[state] :]
            return max(period), all(period)
        seen[state] = slot
        lengths.append(len(link.queue))
        if link.queue:
            link.returning.append((slot + D, *link.queue.popleft()))


GRID = list(product(range(1, 13), range(13), range(1, 6)))


def run(D: int, K: int, N: int) -> list[int]:
    """Run halved whole windows for a while and return those of the last period."""
    w, seen = 1, []
    for _ in range(4 * (K + D) + 8):
        seen.append(w)
        w = max(1, w // 2) if max(0, N * w - D) > K else w + 1
    peak = max(seen)
    last = len(seen) - 1 - seen[::-1].index(peak)
    before = max((i for i in range(last) if seen[i] == peak), default=-1)
    return seen[before + 1 : last + 1]


class Tooth(NamedTuple):
    """One period in base RTTs, and what the link carried meanwhile in units of C RTT."""

    period: Fraction
    carried: Fraction


def integrate(f: Callable[[Fraction], Fraction], a: Fraction, b: Fraction) -> Fraction:
    """Integrate a polynomial of degree three or less exactly."""
    return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))


def tooth(D: Fraction, trough: Fraction, peak: Fraction, step: Fraction, *, actual: bool) -> Tooth:
    """Integrate time and carried bytes over the sum of the windows W, from trough to peak.

    A round trip lasts max(1, W/D) base RTTs and in it W grows by `step` (with `actual`; else once a base RTT). The link
    carries min(W, D) per base RTT.
    """

    def pace(W: Fraction) -> Fraction:
        return (max(Fraction(1), W / D) if actual else Fraction(1)) / step

    def carried(W: Fraction) -> Fraction:
        return pace(W) * min(W, D) / D

    corner = min(max(D, trough), peak)
    parts = [(trough, corner), (corner, peak)]
    return Tooth(
        sum((integrate(pace, *p) for p in parts), Fraction(0)),
        sum((integrate(carried, *p) for p in parts), Fraction(0)),
    )
