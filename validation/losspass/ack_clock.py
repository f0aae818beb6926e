"""The sawtooth packet by packet: whole windows clocked by acknowledgements, marks on packets, one bottleneck.

Time runs in slots of one packet. In a slot acknowledgements arrive, senders fill their windows in turn, and the link
serves one packet, whose acknowledgement arrives D slots later. So an empty bottleneck holds D packets in flight, and
the length of its queue, which counts the packet in service, is one more than the sum of the windows less D. A window
grows by one packet a window of unmarked acknowledgements, and is halved (rounded down) once a window.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from dtmodel.ledger import Agrees, Outcome, check, evidence

from .common import values

DELAYS, THRESHOLDS, FLOWS = range(1, 9), range(13), (1, 2, 3)
DOMAIN = "D from 1 to 8, K up to 12, N up to 3, each run until its state repeats"


@dataclass
class Sender:
    """One window: its size, acknowledgements since it grew, packets outstanding, and where the last cut ends."""

    window: int = 1
    acknowledged: int = 0
    outstanding: int = 0
    sent: int = 0
    cut_until: int = -1

    def acknowledge(self, number: int, marked: bool) -> None:
        """Grow by one packet a window, or halve once a window."""
        self.outstanding -= 1
        if number <= self.cut_until:
            return
        if marked:
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
def observe(D: int, K: int, N: int) -> tuple[int, bool]:
    """Return the largest queue and whether the link is always busy, in the period that the run ends in for ever.

    The model has no chance in it: once a state comes back, everything repeats, and one period is the whole future.
    """
    senders, link = [Sender() for _ in range(N)], Bottleneck(K)
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


@evidence("losspass.eq4@ack-clocked", form="assumed", strength="exact")
def the_largest_queue_is_k_plus_n() -> Outcome:
    """Every K above N: exactly K + N."""
    cases = [(D, K, N) for D, K, N in product(DELAYS, THRESHOLDS, FLOWS) if K > N]
    for case in cases:
        check(observe(*case)[0] == case[1] + case[2], f"{case}")
    return Agrees(len(cases), DOMAIN + ", K > N")


@evidence("losspass.eq4@ack-clocked", form="printed", strength="exact")
def small_thresholds_stop_short_of_k_plus_n() -> Outcome:
    """The smallest D + K + N for which it is not K + N."""
    every = product(DELAYS, THRESHOLDS, FLOWS)
    _, D, K, N = min((D + K + N, D, K, N) for D, K, N in every if observe(D, K, N)[0] != K + N)
    q = observe(D, K, N)[0]
    return values("q == K + N", ["q <= K + N", "D > 0"], "the largest queue of the simulation", D=D, K=K, N=N, q=q)


@evidence("losspass.ours.ack-clocked", form="printed", strength="exact")
def the_largest_queue_and_line_rate_packet_by_packet() -> Outcome:
    """At most K + N from the start on; in the period, busy iff K >= N (ceil(D/N) - 1) + 1, for D > N."""
    cases = 0
    for D, K, N in product(DELAYS, THRESHOLDS, FLOWS):
        largest, busy = observe(D, K, N)
        check(largest <= K + N, f"queue: D={D} K={K} N={N}")
        check(busy == (D <= N or N * (-(-D // N) - 1) + 1 <= K), f"line rate: D={D} K={K} N={N}")
        cases += 1
    return Agrees(cases, DOMAIN)
