r"""Whole packets against a buffer configuration: the number, sent in turn to blocked queues, until a refusal.

k queues of one profile (reserve r, weight alpha, static limit) share a pool of S bytes that no other queue uses, and
no packet leaves. They receive packets in turn, each of which occupies c bytes, its size rounded up to cells. After n
packets

.. math:: F = S - \sum_i \max(0, c n_i - r), \qquad n_i = \lfloor (n + k - i) / k \rfloor,

and the next packet, at a queue that holds q, is refused iff q + c > r + min(alpha F, limit), or if the pool has no room
for it. q never falls and F never rises, so bisection finds the first refusal. A lossless queue pauses there and admits
floor(H / c) more packets into its headroom of H bytes.

Chips differ in the length that they compare, and in the rounding of the threshold: `CHIP_READINGS`. The answer is that
of the packet model, the least of all readings, beside the greatest. Claim ``l2bm.ours.packet-counts.cells``.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Literal

from dtmodel.base.errors import InputError
from dtmodel.base.units import plain
from dtmodel.policies.formulas import QueueLimits
from dtmodel.switches.formulas import beyond_own, in_cells, packets_in_each, pool_free

_MOST = 10**15


@dataclass(frozen=True)
class ChipReading:
    """The comparison of a chip with the threshold, and its rounding of the threshold to cells.

    `compares`: the length "after" the packet, which may equal the threshold; or "before" it, which must be below it.
    """

    compares: Literal["after", "before"]
    rounds: Literal["exactly", "down", "up"]


CHIP_READINGS = tuple(
    ChipReading(compares, rounds) for compares in ("after", "before") for rounds in ("exactly", "down", "up")
)
"""All readings; the first is that of the packet model."""


@dataclass(frozen=True)
class Turns:
    """Packets in turn to k queues of one profile (limits, headroom H) in a pool of S bytes, stored in cells."""

    limit: QueueLimits
    pool: Fraction
    packet: Fraction
    cell: Fraction = Fraction(1)
    queues: int = 1
    headroom: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for name, size in (("packet", self.packet), ("pool", self.pool)):
            if size <= 0:
                raise InputError(name, plain(size), "a size greater than 0")
        if self.queues < 1:
            raise InputError("sources", self.queues, "a whole number of at least 1")
        for name, value, queues in (("packet", plain(self.packet), 1), ("sources", self.queues, self.queues)):
            if queues * max(self.taken, self.pool + self.limit.reserved) > _MOST * self.taken:
                raise InputError(name, value, f"one with which at most {_MOST} packets can come in")

    @property
    def taken(self) -> Fraction:
        """The c bytes that a packet occupies."""
        return in_cells(self.packet, self.cell)

    def beyond(self, packets: int) -> Fraction:
        """Return the bytes of the pool that a queue of so many `packets` uses."""
        return Fraction(beyond_own(packets * self.taken, self.limit.reserved))

    def free(self, total: int) -> Fraction:
        """Return F in bytes after `total` packets, none of which was refused."""
        each, more = divmod(total, self.queues)
        taken = more * self.beyond(each + 1) + (self.queues - more) * self.beyond(each)
        return Fraction(pool_free(self.pool, taken))

    def fits(self, total: int) -> bool:
        """Return True if the pool has room for one more packet after `total` admitted ones."""
        each = total // self.queues
        return self.beyond(each + 1) - self.beyond(each) <= self.free(total)


@dataclass(frozen=True)
class PacketCounts:
    """Numbers of packets that are admitted before an event, which the next packet causes.

    `reserve`: use of the pool. `pool`: the pool is too full, without thresholds. `limit`, `limit_most`: a refusal by
    the pool, in the packet model and the greatest of `CHIP_READINGS`; then `free` bytes are left, and `fills` if too
    few for a packet. `drop`, `drop_most`: a drop, if senders ignore pauses.
    """

    reserve: int
    pool: int
    limit: int
    limit_most: int
    drop: int
    drop_most: int
    free: Fraction
    fills: bool


def refused(turns: Turns, total: int, reading: ChipReading = CHIP_READINGS[0]) -> bool:
    """Return True if the pool refuses the packet after `total` admitted ones, as a chip compares and rounds."""
    free, held, c = turns.free(total), total // turns.queues * turns.taken, turns.taken
    threshold = turns.limit.reserved + turns.limit.shared(free)
    if reading.rounds != "exactly":
        threshold = turns.cell * (floor if reading.rounds == "down" else ceil)(threshold / turns.cell)
    return not turns.fits(total) or (held + c > threshold if reading.compares == "after" else held >= threshold)


def packet_counts(turns: Turns) -> PacketCounts:
    """Count the packets of `turns` until the reserves are full, the first refusal, and the first drop."""
    c, k = turns.taken, turns.queues
    counts = [_first(turns, partial(refused, turns, reading=reading)) for reading in CHIP_READINGS]
    full = _first(turns, lambda n: not turns.fits(n))
    headroom = packets_in_each(k, turns.headroom, c)
    first, most = counts[0], max(counts)
    left = turns.free(first)
    return PacketCounts(
        packets_in_each(k, turns.limit.reserved, c), full, first, most,
        first + headroom, most + headroom, left, left < c,
    )  # fmt: skip


def _first(turns: Turns, ends: Callable[[int], bool]) -> int:
    """Bisect for the first number of packets after which a condition holds for good; it holds if the pool is full."""
    most = turns.queues * (floor((turns.limit.reserved + turns.pool) / turns.taken) + 1)
    return bisect_left(range(most), True, key=ends)  # the key
