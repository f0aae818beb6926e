"""MQ-ECN on packets: rounds of a scheduler, and marks of queues that hold more than their share of them.

A turn of a queue ends when it has sent its quantum or another queue sends, and begins with its next packet; the time
between the beginnings of two turns, between which the queue was never empty, is a sample of T_round. T_round is a
moving average of the samples of a port (three quarters of the old value), and unknown while nothing waits there.
"""

from __future__ import annotations

from fractions import Fraction
from typing import final

from dtmodel.base.errors import InputError
from dtmodel.network.integers import SECOND
from dtmodel.packet.schedulers import DeficitRoundRobin, Scheduler, WeightedRoundRobin


def quanta_of(scheduler: Scheduler | None, packet: int) -> tuple[Fraction | int, ...]:
    """Return the bytes of each queue in a round with packets of a size; raise `InputError` if there are no rounds.

    >>> quanta_of(WeightedRoundRobin((1, 2)), 1500)
    (1500, 3000)
    """
    if isinstance(scheduler, WeightedRoundRobin):
        return tuple(packet * weight for weight in scheduler.weights)
    if isinstance(scheduler, DeficitRoundRobin):
        return scheduler.quanta
    raise InputError("network.scheduler", "strict", "drr or wrr, without strict queues, with mark_rounds (MQ-ECN)")


@final
class Rounds:
    """Rounds of a port: `quanta` of its queues in bytes, its `rate`, and `trip`, RTT times lambda in picoseconds."""

    def __init__(self, quanta: tuple[Fraction | int, ...], rate: Fraction, trip: int) -> None:
        self.quanta, self.rate, self.trip = quanta, rate, trip
        self.time, self.turn, self.sent = 0, -1, 0
        self.begun = [-1] * len(quanta)

    def serve(self, queue: int, size: int, now: int, last: bool) -> None:
        """Note a packet that a queue sends; `last` if none waits behind it."""
        if queue != self.turn or self.sent >= self.quanta[queue]:
            self._begin(queue, now)
        self.sent += size
        if last:
            self.begun[queue] = -1

    def _begin(self, queue: int, now: int) -> None:
        if self.begun[queue] >= 0:
            sample = now - self.begun[queue]
            self.time = (3 * self.time + sample) // 4 if self.time else sample
        self.turn, self.sent, self.begun[queue] = queue, 0, now

    def marks(self, queue: int, length: int) -> bool:
        """Return True if a length is above K = min(quantum / T_round, C) RTT lambda."""
        of_round = self.time and length * self.time > self.quanta[queue] * self.trip
        return bool(of_round) or length * SECOND > self.rate * self.trip
