"""Buffers as in real switches: a reserve for each queue, and shared pools with a weight and a static limit per queue.

A queue fills its own reserve first. Bytes beyond the reserve occupy its pool, of which F bytes are free, and may grow
to min(alpha F, cap); the queue's threshold is reserve + min(alpha F, cap) (L2BM paper, Section II-A). The rest of the
buffer beyond reserves and pools is headroom and other bytes that no queue can use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from dtmodel.base import units
from dtmodel.base.documents import only_keys, sequence, table
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.units import Quantity
from dtmodel.policies.admission import Account, Admission
from dtmodel.policies.formulas import QueueLimits
from dtmodel.policies.policy import Configured, Part, Policy, refuse_alphas
from dtmodel.policies.setting import PolicySetting
from dtmodel.policies.threshold import Threshold, free_beside


@final
@dataclass(frozen=True, init=False)
class Pool:
    """A shared pool: its size in bytes, and the indices of its queues.

    Parameters
    ----------
    size : quantity
        The bytes of the pool.
    queues : iterable of int
        The queues that share it.
    field : str
        The field that an error names.

    Examples
    --------
    >>> Pool("1 MB", [0, 1])
    Pool(size=Fraction(1000000, 1), queues=(0, 1))
    """

    size: Fraction
    queues: tuple[int, ...]

    def __init__(self, size: Quantity, queues: Iterable[int], field: str = "pool") -> None:
        members = enumerate(units.sequence(queues, f"{field}.queues"))
        object.__setattr__(self, "size", units.bytes_(size, f"{field}.size"))
        object.__setattr__(self, "queues", tuple(units.count(q, f"{field}.queues[{i}]") for i, q in members))


@final
@dataclass(frozen=True, init=False)
class SharedPools(Policy):
    """Reserves, shared pools and static limits.

    Parameters
    ----------
    limits : sequence of QueueLimits
        One for each queue.
    pools : sequence of Pool, optional
        Every queue is in exactly one pool. By default one pool holds all bytes that are not reserved.

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
        each = _all_are(QueueLimits, limits, "policy.limits", 'such as QueueLimits(1, reserved="1 KB")')
        if 0 in (caps := [limit.cap for limit in each]):
            raise InputError(f"policy.limits[{caps.index(Fraction(0))}].cap", 0, "a size greater than 0")
        shared = None if pools is None else _all_are(Pool, pools, "policy.pools", 'such as Pool("1 MB", [0, 1])')
        object.__setattr__(self, "limits", each)
        object.__setattr__(self, "pools", shared)
        if shared is not None:
            members = sorted(queue for pool in shared for queue in pool.queues)
            if members != list(range(len(each))):
                raise InputError(
                    "policy.pools", members, f"each of the queues 0 to {len(each) - 1} in exactly one pool"
                )

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        """Return the thresholds of `queues` queues, in order."""
        if len(self.limits) != queues:
            raise InputError("policy.limits", len(self.limits), f"one for each of the {queues} queues")
        return tuple(_threshold(limit, limit.reserved) for limit in self.limits)

    def parts(self, buffer: Fraction, queues: int, counts: Sequence[int] = ()) -> tuple[Part, ...]:
        """Return the pools with the reserves of their queues."""
        self.thresholds(queues)
        return tuple(
            Part(pool.size, pool.queues, tuple(self.limits[queue].reserved for queue in pool.queues))
            for pool in self.partition(buffer, counts)
        )

    def start(
        self, buffer: Fraction, held: Sequence[Fraction | None], counts: Sequence[int] = ()
    ) -> tuple[Fraction, ...]:
        """Return the lengths at time 0; a static limit bounds them too, so that no pool overflows."""
        frees: dict[int, Fraction] = {}
        parts = self.parts(buffer, len(held), counts)
        for part, free in zip(parts, self.steady_free(buffer, held, counts), strict=True):
            if free < 0:
                raise InputError("queues.initial", units.plain(-free), "lengths that the pool can hold")
            frees.update(dict.fromkeys(part.queues, free))
        lengths = []
        for index, (limit, length) in enumerate(zip(self.limits, held, strict=True)):
            top = limit.reserved + limit.shared(frees[index])
            if length is not None and limit.alpha is None and length > top:
                accepted = f"at most {units.plain(top)} bytes, the reserve and the cap of this queue"
                raise InputError(f"queues[{index}].initial", units.plain(length), accepted)
            lengths.append(top if length is None else length)
        return tuple(lengths)

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return an admission that compares each queue with its threshold in its pool."""
        del account
        number = float if type(buffer) is float else Fraction
        return _PoolAdmission(self.limits, self.parts(Fraction(buffer), ports), number)

    @classmethod
    def read(cls, document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> SharedPools:
        """Make the policy from ``{"name": "pools", "limits": [...], "pools": [...]}``."""
        refuse_alphas(alphas)
        only_keys(document, ("name", "limits", "pools"), "policy.")
        limits = []
        for index, item in enumerate(sequence(document.get("limits", MISSING), "policy.limits")):
            field = f"policy.limits[{index}]"
            only_keys(table(item, field), ("alpha", "reserved", "cap"), f"{field}.")
            limits.append(QueueLimits(item.get("alpha"), item.get("reserved", 0), item.get("cap"), field))
        if len(limits) != queues:
            raise InputError("policy.limits", len(limits), f"one entry for each of the {queues} queues")
        if document.get("pools") is None:
            return cls(limits)
        pools = []
        for index, item in enumerate(sequence(document["pools"], "policy.pools")):
            field = f"policy.pools[{index}]"
            only_keys(table(item, field), ("size", "queues"), f"{field}.")
            size = units.bytes_(item.get("size", MISSING), f"{field}.size", positive=True)
            pools.append(Pool(size, sequence(item.get("queues", MISSING), f"{field}.queues"), field))
        return cls(limits, pools)

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Reserve a quarter of the buffer, equally for all ports, and share the rest by alpha."""
        reserve = setting.share / 4
        pool = Pool(setting.buffer - setting.ports * reserve, range(setting.queues))
        limits = [QueueLimits(setting.alpha, reserve)] * setting.queues
        said = f"alpha = {units.plain(setting.alpha)}, {units.show_bytes(reserve)} reserved for each port"
        return (Configured("reserves and pool", said, cls(limits, [pool]), "l2bm.ours.reserve-first-drop"),)

    def partition(self, buffer: Fraction, counts: Sequence[int] = ()) -> tuple[Pool, ...]:
        """Return the pools of a buffer of `buffer` bytes; each queue stands for as many as `counts` gives.

        Raises
        ------
        InputError
            If reserves and pools exceed the buffer, or static limits could overfill a pool.
        """
        many = counts or (1,) * len(self.limits)
        reserved = sum((n * limit.reserved for n, limit in zip(many, self.limits, strict=True)), Fraction(0))
        sizes = [pool.size for pool in self.pools] if self.pools else [buffer - reserved]
        used = reserved + sum(sizes, Fraction(0))
        if used > buffer or min(sizes) <= 0:
            raise InputError(
                "policy.pools", units.plain(used), f"reserves and pools of {units.plain(buffer)} bytes at most"
            )
        pools = self.pools or (Pool(buffer - reserved, range(len(self.limits))),)
        for index, pool in enumerate(pools):
            members = [(many[queue], self.limits[queue]) for queue in pool.queues]
            static = [n * limit.shared(pool.size) for n, limit in members if limit.alpha is None]
            if static and (len(static) < len(pool.queues) or sum(static) > pool.size):
                accepted = "a pool whose queues all have an alpha, or all have caps that fit into it together"
                raise InputError(f"policy.pools[{index}]", units.plain(sum(static, Fraction(0))), accepted)
        return pools

    def steady_free(
        self, buffer: Fraction, held: Sequence[Fraction | None], counts: Sequence[int] = ()
    ) -> list[Fraction]:
        """Return the free bytes of each pool if the queues whose `held` is None sit on their thresholds."""
        many = counts or (1,) * len(held)
        return [self._pool_free(pool, held, many) for pool in self.partition(buffer, counts)]

    def _pool_free(self, pool: Pool, held: Sequence[Fraction | None], many: Sequence[int]) -> Fraction:
        others = [(queue, length) for queue in pool.queues if (length := held[queue]) is not None]
        taken = (many[i] * max(Fraction(0), q - self.limits[i].reserved) for i, q in others)
        steady = [(many[i], _threshold(self.limits[i], Fraction(0))) for i in pool.queues if held[i] is None]
        return free_beside(pool.size - sum(taken, Fraction(0)), steady)


@final
class _PoolAdmission(Admission):
    """A packet enters while its queue is shorter than reserve + min(alpha F, cap), F being free in its pool."""

    def __init__(self, limits: Sequence[QueueLimits], parts: Sequence[Part], number: type[Any]) -> None:
        self.limits, self.number = limits, number
        self.part_of = {queue: part for part in parts for queue in part.queues}

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        del free, now
        part, limit = self.part_of[port], self.limits[port]
        taken = sum(max(self.lengths[q] - r, 0) for q, r in zip(part.queues, part.reserves, strict=True))
        return bool(length < self.number(limit.reserved + limit.shared(part.size - Fraction(taken))))


def _threshold(limit: QueueLimits, reserve: Fraction) -> Threshold:
    """Return the threshold of a queue that fills a reserve before it takes bytes of its pool."""
    if limit.alpha is None:
        return Threshold(Fraction(0), reserve + (limit.cap or 0))
    return Threshold(limit.alpha, reserve, None if limit.cap is None else reserve + limit.cap)


def _all_are(kind: type[Any], values: object, field: str, example: str) -> tuple[Any, ...]:
    elements = units.sequence(values, field)
    for index, element in enumerate(elements):
        if type(element) is not kind:
            raise InputError(f"{field}[{index}]", element, f"a {kind.__name__}, {example}")
    return tuple(elements)
