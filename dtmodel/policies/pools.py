"""Buffers as in real switches: a reserve for each queue, and shared pools with a weight and a static limit per queue.

A queue fills its own reserve first. Bytes beyond the reserve occupy its pool, of which F bytes are free, and may grow
to min(alpha F, cap); the queue's threshold is reserve + min(alpha F, cap) (L2BM paper, Section II-A). This is one law
for DT (alpha), a static limit (an infinite alpha and a cap), and complete sharing (an infinite alpha alone), which
queues of one pool may mix. The rest of the buffer beyond reserves and pools is headroom and other bytes that no queue
can use.

A pool in which a queue has an infinite alpha can be full. Then a queue with a finite alpha has T = reserve, and of the
bytes that would enter the pool beyond reserves each queue admits the same fraction p, the largest one for which the
pool does not grow (0 if no byte leaves it); reserves admit all that they can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, final

from dtmodel.base import units
from dtmodel.base.documents import only_keys, sequence, table
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.units import Quantity
from dtmodel.policies.admission import Account, Admission
from dtmodel.policies.caps import Caps, laws_of
from dtmodel.policies.complete import admitted_fraction
from dtmodel.policies.formulas import NO_LIMIT, QueueLimits, endless
from dtmodel.policies.memory import Memory, Number, State
from dtmodel.policies.parameters import PolicyParameter, call, in_json
from dtmodel.policies.policy import Configured, Part, Policy
from dtmodel.policies.setting import PolicySetting
from dtmodel.policies.threshold import Threshold

_EDT_ALONE = "alpha, reserved and cap: EDT beside other policies in one switch is not defined"


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
        If a queue is in no pool or in two.

    Examples
    --------
    >>> SharedPools([QueueLimits(1, reserved=2), QueueLimits(1)]).partition(Fraction(10))
    (Pool(size=Fraction(8, 1), queues=(0, 1)),)
    """

    limits: tuple[QueueLimits, ...]
    pools: tuple[Pool, ...] | None
    parameters = (
        PolicyParameter("alpha", many="each", default=None, positive=False, spoken="alphas"),
        PolicyParameter("reserved", "bytes", many="each", default=0, positive=False, spoken="reserves"),
        PolicyParameter("cap", "bytes", many="each", default=None, spoken="caps"),
    )
    also: ClassVar = {"reserves and pool": {}}

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
                accepted = f"each of the queues 0 to {len(each) - 1} in exactly one pool"
                raise InputError("policy.pools", members, accepted)

    def thresholds(self, queues: int) -> tuple[Threshold | None, ...]:
        """Return the thresholds of `queues` queues, in order; None if only the pool bounds the queue."""
        if len(self.limits) != queues:
            raise InputError("policy.limits", len(self.limits), f"one for each of the {queues} queues")
        return tuple(_threshold(limit) for limit in self.limits)

    def owned(self, queue: int) -> tuple[Any, Any]:
        """Return the reserve of the queue, and None: its pool may be full before the queue is at its limit."""
        return self.limits[queue].reserved, None

    def parts(self, buffer: Fraction, queues: int, counts: Sequence[int] = ()) -> tuple[Part, ...]:
        """Return the pools with the reserves of their queues."""
        self.thresholds(queues)
        reserved = sum(self._reserved(counts), Fraction(0))
        pools = [(pool.size, pool.queues) for pool in self.pools or ()]
        pools = pools or [(buffer - reserved, tuple(range(queues)))]
        return tuple(Part(size, of, tuple(self.limits[queue].reserved for queue in of)) for size, of in pools)

    def _reserved(self, counts: Sequence[int]) -> list[Fraction]:
        return [n * limit.reserved for n, limit in zip(counts or (1,) * len(self.limits), self.limits, strict=True)]

    def start(
        self, buffer: Fraction, held: Sequence[Fraction | None], counts: Sequence[int] = ()
    ) -> tuple[Fraction, ...]:
        """Return the lengths at time 0."""
        self.partition(buffer, counts)
        for free in self.steady_free(buffer, held, counts):
            if free < 0:
                raise InputError("queues.initial", units.plain(-free), "lengths that the pool can hold")
        return self.steady(buffer, held, counts)

    def memory(self, part: Part, number: type[Number]) -> Memory[Number] | None:
        """Return the memory that thins the arrivals of a full pool; None if every queue has a finite alpha."""
        own = [self.limits[queue] for queue in part.queues]
        if all(limit.alpha is not None for limit in own):
            return None
        return Caps(laws_of([_threshold(limit) for limit in own], number), partial(_full, own, part.reserves, number))

    def unbounded(self, buffer: Fraction, queues: int, counts: Sequence[int] = ()) -> str:
        """Return an empty text: the memory of a pool bounds the queues without a threshold."""
        return ""

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return an admission that compares each queue with its threshold in its pool."""
        number = float if type(buffer) is float else Fraction
        self.partition(Fraction(buffer))
        return _PoolAdmission(self.limits, self.parts(Fraction(buffer), ports), number)

    @classmethod
    def columns(cls, document: Mapping[str, Any], queues: int) -> Mapping[str, Any]:
        """Return the parameters of the queues in the list ``limits`` of a document."""
        only_keys(document, ("name", "limits"), "policy.")
        rows = sequence(document.get("limits", MISSING), "policy.limits")
        if len(rows) != queues:
            raise InputError("policy.limits", rows, f"one entry for each of the {queues} queues")
        for index, row in enumerate(rows):
            where = f"policy.limits[{index}]"
            if edt := sorted({"cn2", "tm1", "tm2"} & table(row, where).keys()):
                raise InputError(f"{where}.{edt[0]}", row[edt[0]], _EDT_ALONE)
            only_keys(row, tuple(parameter.name for parameter in cls.parameters), f"{where}.")
        given = {p.name: [row.get(p.name) for row in rows] for p in cls.parameters}
        for index, (alpha, cap) in enumerate(zip(given["alpha"], given["cap"], strict=True)):
            if alpha is None and cap is None:
                raise InputError(cls.place("cap", index), MISSING, NO_LIMIT)
        given["alpha"] = [None if endless(alpha) else alpha for alpha in given["alpha"]]
        return {p.name: [p.default if value is None else value for value in given[p.name]] for p in cls.parameters}

    @classmethod
    def place(cls, name: str, queue: int) -> str:
        """Return the field of a document that has a parameter of one queue."""
        return f"policy.limits[{queue}].{name}"

    @classmethod
    def of(cls, values: Mapping[str, Any], make: Callable[..., Any] = call) -> SharedPools:
        """Make the policy from the alpha, reserve and cap of each queue, in one pool."""
        limits = []
        for index, each in enumerate(zip(values["alpha"], values["reserved"], values["cap"], strict=True)):
            limit = dict(zip(("alpha", "reserved", "cap"), each, strict=True))
            limit |= {"alpha": "oo"} if make is call and each[0] is None else {}
            limits.append(make(QueueLimits, **limit, field=f"policy.limits[{index}]"))
        policy: SharedPools = make(cls, limits=tuple(limits), pools=None)
        return policy

    def document(self) -> dict[str, Any]:
        """Return the policy's document without its name."""
        made = {name: in_json(value) for name, value in asdict(self).items()}
        for limit in made["limits"]:
            limit["alpha"] = "oo" if limit["alpha"] is None else limit["alpha"]
        return made

    @classmethod
    def read(cls, document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> SharedPools:
        """Make the policy from ``{"name": "pools", "limits": [...], "pools": [...]}``."""
        only_keys(document, ("name", "limits", "pools"), "policy.")
        policy = super().read({key: value for key, value in document.items() if key != "pools"}, alphas, queues)
        if document.get("pools") is None:
            return policy
        pools = []
        for index, item in enumerate(sequence(document["pools"], "policy.pools")):
            field = f"policy.pools[{index}]"
            only_keys(table(item, field), ("size", "queues"), f"{field}.")
            size = units.bytes_(item.get("size", MISSING), f"{field}.size", positive=True)
            pools.append(Pool(size, sequence(item.get("queues", MISSING), f"{field}.queues"), field))
        return cls(policy.limits, pools)

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

        Raises `InputError` if reserves and pools exceed the buffer.
        """
        parts = self.parts(buffer, len(self.limits), counts)
        reserved, shared = sum(self._reserved(counts), Fraction(0)), sum((part.size for part in parts), Fraction(0))
        if shared > buffer - reserved or min(part.size for part in parts) <= 0:
            accepted = f"reserves and pools of {units.plain(buffer)} bytes at most"
            raise InputError("policy.pools", units.plain(reserved + shared), accepted)
        return tuple(Pool(part.size, part.queues) for part in parts)


@final
class _PoolAdmission(Admission):
    """A packet enters while its queue is below reserve + min(alpha F, cap); if alpha is infinite, if it fits F."""

    def __init__(self, limits: Sequence[QueueLimits], parts: Sequence[Part], number: type[Any]) -> None:
        self.limits, self.number = limits, number
        self.part_of = {queue: part for part in parts for queue in part.queues}

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        part, limit = self.part_of[port], self.limits[port]
        taken = sum(max(self.lengths[q] - r, 0) for q, r in zip(part.queues, part.reserves, strict=True))
        left = part.size - Fraction(taken)
        if limit.alpha is None and max(length + self.arriving - max(length, self.number(limit.reserved)), 0) > left:
            return False
        return (limit.alpha, limit.cap) == (None, None) or bool(
            length < self.number(limit.reserved + limit.shared(left))
        )


def _full(
    limits: Sequence[QueueLimits], reserves: Sequence[Any], number: Callable[..., Number], state: State[Number]
) -> Number | None:
    """Return the fraction of the bytes beyond reserves that a full pool admits up to thresholds; None for all."""
    zero = state.free - state.free
    rates, offered, empty, full = list[Number](), list[Number](), list[bool](), list[bool]()
    for queue, limit in enumerate(limits):
        reserve, unlimited = zero + number(reserves[queue] if reserves else 0), limit.alpha is None
        top = None if limit.cap is None else reserve + number(limit.cap)
        length, count = state.length(queue), state.counts[queue]
        if length < reserve or (length == reserve and not unlimited):
            continue
        above = not unlimited or (top is not None and length > top)
        rates.append(count * state.rates[queue])
        offered.append(zero if above else count * state.offered[queue])
        empty.append(bool(length == reserve))
        full.append(bool(not above and top is not None and length == top))
    return admitted_fraction(rates, offered, empty, full) if rates else None


def _threshold(limit: QueueLimits) -> Threshold | None:
    """Return the threshold of a queue that fills its reserve before it takes bytes of its pool; None if it has none."""
    reserve = limit.reserved
    if limit.alpha is None:
        return None if limit.cap is None else Threshold(Fraction(0), reserve + limit.cap)
    return Threshold(limit.alpha, reserve, None if limit.cap is None else reserve + limit.cap)


def _all_are(kind: type[Any], values: object, field: str, example: str) -> tuple[Any, ...]:
    elements = units.sequence(values, field)
    for index, element in enumerate(elements):
        if type(element) is not kind:
            raise InputError(f"{field}[{index}]", element, f"a {kind.__name__}, {example}")
    return tuple(elements)
