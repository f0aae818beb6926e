r"""Whole packets against a buffer configuration: how many, sent in turn to blocked queues, until one is refused.

k queues of one profile (reserve r, weight alpha, static limit) share a pool of S bytes that nobody else uses, and
nothing leaves. They get packets in turn, each of which takes c bytes, its size rounded up to cells. After n packets

.. math:: F = S - \sum_i \max(0, c n_i - r), \qquad n_i = \lfloor (n + k - i) / k \rfloor,

and the next one, at the queue that holds q, is refused iff q + c > r + min(alpha F, limit), or if the pool has not the
room for it. q never falls and F never rises, so the first refusal is found by bisection. A lossless queue pauses there
and takes floor(H / c) packets more into its headroom of H bytes.

Chips differ in what they compare, and round the threshold: `CHIP_READINGS`. The answer is that of the packet model,
which is the least of all readings, with the greatest beside it. Claim ``l2bm.ours.packet-counts``.
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
    """What a chip compares with the threshold, and how it rounds the threshold to cells.

    Attributes
    ----------
    compares : {"after", "before"}
        The length with the packet, which may equal the threshold; or the length before it, which must be below it.
    rounds : {"exactly", "down", "up"}

    Examples
    --------
    >>> [reading.rounds for reading in CHIP_READINGS[:2]]
    ['exactly', 'down']
    """

    compares: Literal["after", "before"]
    rounds: Literal["exactly", "down", "up"]


CHIP_READINGS = tuple(
    ChipReading(compares, rounds) for compares in ("after", "before") for rounds in ("exactly", "down", "up")
)
"""All readings; the first is that of the packet model."""


@dataclass(frozen=True)
class Turns:
    """Packets in turn to k queues of one profile.

    Attributes
    ----------
    limit : QueueLimits
        Of each queue.
    pool : Fraction
        S in bytes.
    packet, cell : Fraction
        The size of every packet, and of the cells in which it is stored, in bytes; 1 counts bytes.
    queues : int
        k, at least 1.
    headroom : Fraction
        H of each queue in bytes; 0 for a lossy one.

    Examples
    --------
    >>> str(Turns(QueueLimits(1), pool=Fraction(1000), packet=Fraction(65), cell=Fraction(64)).taken)
    '128'
    """

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
        """What a packet takes: c bytes."""
        return in_cells(self.packet, self.cell)

    def beyond(self, packets: int) -> Fraction:
        """What a queue of so many `packets` takes from the pool, in bytes."""
        return Fraction(beyond_own(packets * self.taken, self.limit.reserved))

    def free(self, total: int) -> Fraction:
        """F after `total` packets, none of which was refused, in bytes."""
        each, more = divmod(total, self.queues)
        taken = more * self.beyond(each + 1) + (self.queues - more) * self.beyond(each)
        return Fraction(pool_free(self.pool, taken))

    def fits(self, total: int) -> bool:
        """Whether the pool has room for the packet that follows `total` packets that were taken in."""
        each = total // self.queues
        return self.beyond(each + 1) - self.beyond(each) <= self.free(total)


@dataclass(frozen=True)
class PacketCounts:
    """Counts of packets that are taken in before something happens; the next packet makes it happen.

    Attributes
    ----------
    reserve : int
        Before one takes anything of the pool.
    pool : int
        Before the pool has no room for one, if no threshold refused any.
    limit, limit_most : int
        Before one is refused the pool (a lossless queue pauses, a lossy one drops): in the packet model, and the
        greatest of `CHIP_READINGS`.
    drop, drop_most : int
        Before one is dropped; the senders ignore pauses.
    free : Fraction
        What of the pool is free when the first packet is refused it, in bytes.
    fills : bool
        Whether the pool has no room for a packet then.

    Examples
    --------
    >>> counts = packet_counts(Turns(QueueLimits(1, reserved=2), pool=Fraction(10), packet=Fraction(1)))
    >>> counts.reserve, counts.limit
    (2, 7)
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
    """Tell whether the pool refuses the packet that follows `total` packets that were taken in.

    Parameters
    ----------
    turns : Turns
        The packets and the queues.
    total : int
        How many were taken in.
    reading : ChipReading
        When a chip compares, and how it rounds.

    Examples
    --------
    >>> turns = Turns(QueueLimits(1, reserved=2), pool=Fraction(10), packet=Fraction(1))
    >>> [refused(turns, n) for n in (6, 7)]  # 7 <= 2 + 1 (10 - 4), and 8 > 2 + 1 (10 - 5)
    [False, True]
    """
    free, held, c = turns.free(total), total // turns.queues * turns.taken, turns.taken
    threshold = turns.limit.reserved + turns.limit.shared(free)
    if reading.rounds != "exactly":
        threshold = turns.cell * (floor if reading.rounds == "down" else ceil)(threshold / turns.cell)
    return not turns.fits(total) or (held + c > threshold if reading.compares == "after" else held >= threshold)


def packet_counts(turns: Turns) -> PacketCounts:
    """Count the packets until the reserves are full, until the first is refused, and until the first is dropped.

    Parameters
    ----------
    turns : Turns
        The packets and the queues.

    Examples
    --------
    >>> limit = QueueLimits(1, reserved=2)
    >>> counts = packet_counts(Turns(limit, Fraction(10), Fraction(1), headroom=Fraction(3)))
    >>> counts.reserve, counts.limit, counts.drop, str(counts.free)
    (2, 7, 10, '5')
    """
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
    """Bisect for the first number of packets after which something holds that goes on to hold; a full pool does."""
    most = turns.queues * (floor((turns.limit.reserved + turns.pool) / turns.taken) + 1)
    return bisect_left(range(most), True, key=ends)  # the key
