"""Buffers as switches have them: a reserve for each queue, shared pools, a weight and a static limit in the pool.

A queue fills its own reserve first. What exceeds it lies in its pool, of which F bytes are free, and may grow to
min(alpha F, cap) there; together reserve + min(alpha F, cap) is the queue's threshold (L2BM paper, Section II-A).
Headroom and other bytes that no queue can use are what the buffer holds beyond reserves and pools.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dtmodel import units
from dtmodel.errors import InputError
from dtmodel.units import Quantity
from dtmodel.weights import pool_limit

__all__ = ["Pool", "QueueLimits", "SharedPools"]


@dataclass(frozen=True)
class Pool:
    """A shared pool: its size in bytes, and the queues (indices) that share it."""

    size: Fraction
    queues: tuple[int, ...]


@dataclass(frozen=True, init=False)
class QueueLimits:
    """What one queue may hold.

    Parameters
    ----------
    alpha : quantity or None
        Its weight in the pool, greater than 0; None: `cap` alone limits it.
    reserved : quantity
        Bytes of its own.
    cap : quantity or None
        The most it may take from the pool in bytes, greater than 0.

    Examples
    --------
    >>> QueueLimits("1/8", reserved="1 KB").reserved
    Fraction(1000, 1)
    """

    alpha: Fraction | None
    reserved: Fraction
    cap: Fraction | None

    def __init__(
        self, alpha: Quantity | None, reserved: Quantity = 0, cap: Quantity | None = None, field: str = "policy"
    ) -> None:
        if alpha is None and cap is None:
            raise InputError(f"{field}.cap", "nothing", "a static limit for a queue without alpha")
        weight = None if alpha is None else units.number(alpha, f"{field}.alpha", positive=True)
        limit = None if cap is None else units.bytes_(cap, f"{field}.cap", positive=True)
        object.__setattr__(self, "alpha", weight)
        object.__setattr__(self, "reserved", units.bytes_(reserved, f"{field}.reserved"))
        object.__setattr__(self, "cap", limit)

    def shared(self, free: Fraction) -> Fraction:
        """Return min(alpha F, cap): the most that it may hold of its pool when `free` bytes of that are free."""
        return pool_limit(free, self.alpha, self.cap)


@dataclass(frozen=True, init=False)
class SharedPools:
    """Reserves, shared pools and static limits.

    Parameters
    ----------
    limits : sequence of QueueLimits
        One for each queue.
    pools : sequence of Pool, optional
        Every queue is in exactly one. Without it: one pool of all that is not reserved.

    Raises
    ------
    InputError
        If a queue is in no pool or in two, or if static limits could overfill a pool: in a pool either all queues have
        an alpha, or their caps add up to at most its size.

    Examples
    --------
    >>> SharedPools([QueueLimits(1, reserved=2), QueueLimits(1)]).partition(Fraction(10))
    (Pool(size=Fraction(8, 1), queues=(0, 1)),)
    """

    limits: tuple[QueueLimits, ...]
    pools: tuple[Pool, ...] | None

    def __init__(self, limits: Sequence[QueueLimits], pools: Sequence[Pool] | None = None) -> None:
        object.__setattr__(self, "limits", tuple(limits))
        object.__setattr__(self, "pools", None if pools is None else tuple(pools))
        if pools is not None:
            members = sorted(queue for pool in pools for queue in pool.queues)
            if members != list(range(len(limits))):
                raise InputError(
                    "policy.pools", members, f"each of the queues 0 to {len(limits) - 1} in exactly one pool"
                )

    def partition(self, buffer: Fraction) -> tuple[Pool, ...]:
        """Return the pools of a buffer of `buffer` bytes.

        Raises
        ------
        InputError
            If reserves and pools exceed the buffer, or static limits could overfill a pool.
        """
        reserved = sum((limit.reserved for limit in self.limits), Fraction(0))
        pools = self.pools or (Pool(buffer - reserved, tuple(range(len(self.limits)))),)
        used = reserved + sum((pool.size for pool in pools), Fraction(0))
        if used > buffer or any(pool.size <= 0 for pool in pools):
            raise InputError(
                "policy.pools", units.plain(used), f"reserves and pools of {units.plain(buffer)} bytes at most"
            )
        for index, pool in enumerate(pools):
            members = [self.limits[queue] for queue in pool.queues]
            static = [limit.shared(pool.size) for limit in members if limit.alpha is None]
            if static and (len(static) < len(pool.queues) or sum(static) > pool.size):
                accepted = "a pool whose queues all have an alpha, or all have caps that fit into it together"
                raise InputError(f"policy.pools[{index}]", units.plain(sum(static, Fraction(0))), accepted)
        return pools

    def steady_free(self, buffer: Fraction, held: Sequence[Fraction | None]) -> list[Fraction]:
        """Return the free part of each pool when the queues with `held` None sit on their thresholds.

        Parameters
        ----------
        buffer : Fraction
            B in bytes.
        held : sequence of Fraction or None
            The lengths of the other queues in bytes.
        """
        return [self._pool_free(pool, held) for pool in self.partition(buffer)]

    def _pool_free(self, pool: Pool, held: Sequence[Fraction | None]) -> Fraction:
        others = [(queue, length) for queue in pool.queues if (length := held[queue]) is not None]
        room = pool.size - sum((max(Fraction(0), q - self.limits[i].reserved) for i, q in others), Fraction(0))
        rest = [self.limits[queue] for queue in pool.queues if held[queue] is None]
        while True:  # capping a queue frees some of the pool, so that more may reach their caps: at most once each
            free = room / (1 + sum((limit.alpha for limit in rest if limit.alpha is not None), Fraction(0)))
            full = [limit for limit in rest if limit.shared(free) == limit.cap]
            if not full:
                return free
            room -= sum(limit.shared(free) for limit in full)
            rest = [limit for limit in rest if limit not in full]
