"""The parameter sheet of a switch's buffer configuration: each pool with some queues overloaded, and its profiles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from dtmodel.base.units import brief, plain, show_bytes
from dtmodel.policies.formulas import QueueLimits, power_of_two, resume_threshold, shared_limits
from dtmodel.switches import formulas
from dtmodel.switches.packets import Turns, packet_counts
from dtmodel.theorems.operations import greatest, least
from dtmodel.theorems.writing import searched, tex_of
from dtmodel.theory.sheet import Check, Explanation, Sheet, SheetRow, explained

_SOURCE = "l2bm.ours.pool-steady"
_COUNTING, _CELLS = "l2bm.ours.packet-counts", "l2bm.ours.packet-counts.cells"
READING = "dynamic_th n is alpha = 2^n, size is the queue's reserve, xoff its headroom (SONiC schema)"


@dataclass(frozen=True)
class Group:
    """The overloaded queues of one profile: their number, and limits, headroom and resume threshold of each."""

    name: str
    count: int
    limit: QueueLimits
    headroom: Fraction = Fraction(0)
    resume: Fraction | None = None


@dataclass(frozen=True)
class SharedPool:
    """A pool of `size` bytes with its overloaded queues by profile, and the ports with limits of their own."""

    name: str
    size: Fraction
    groups: tuple[Group, ...]
    ports: tuple[formulas.PortLimits, ...] = ()
    reading: str = READING

    def state(self) -> formulas.PoolSteadyState:
        """Return the steady state with all these queues overloaded."""
        return formulas.pool_steady_state(self.size, [g.limit for g in self.groups for _ in range(g.count)], self.ports)

    def alone(self, index: int) -> formulas.PoolSteadyState:
        """Return the steady state with one queue of a group overloaded alone."""
        port = [replace(port, queues=(0,)) for port in self.ports if self.queue(index) in port.queues]
        return formulas.pool_steady_state(self.size, [self.groups[index].limit], port)

    def queue(self, index: int) -> int:
        """Return the number of the first queue of a group."""
        return sum(group.count for group in self.groups[:index])


@dataclass(frozen=True)
class Packets:
    """Packets whose number is counted, in turn to some queues; each takes cells, with `overhead` bytes beside it."""

    size: Fraction
    cell: Fraction = Fraction(1)
    sources: int = 1
    overhead: Fraction = Fraction(0)


def parameters(pools: Sequence[SharedPool], packets: Packets | None = None, checks: Sequence[Check] = ()) -> Sheet:
    """Compute the sheet: each pool's steady state, each profile's alpha, reserve and threshold, and counted packets."""
    rows: list[SheetRow] = []
    warnings: list[str] = []
    for pool in pools:
        state = pool.state()
        rows += _rows(pool, state, packets)
        if state.free * 20 < pool.size:
            warnings.append(f"{pool.name}: with all these queues overloaded only {show_bytes(state.free)} stay free")
        if pool.size and not state.free:
            warnings.append(f"{pool.name}: the pool is full before all its queues reach their limits, so that the "
                            "division depends on the arrivals; the values are those of equal sources")  # fmt: skip
        for index, group in enumerate(pool.groups):
            limit, held = group.limit, state.thresholds[pool.queue(index)]
            if group.headroom and limit.cap is not None and limit.alpha is None and held < limit.reserved + limit.cap:
                warnings.append(f"{pool.name}: {group.name} never pauses when all are overloaded: the pool is full "
                                f"with {show_bytes(held)} in each, below its limit")  # fmt: skip
        warnings += [
            f"{pool.name}: {group.name} pauses without headroom for the bytes in flight"
            for group in pool.groups
            if group.resume is not None and not group.headroom
        ]
    return Sheet("Buffer configuration, with the queues named overloaded", tuple(rows), tuple(warnings), tuple(checks))


def _rows(pool: SharedPool, state: formulas.PoolSteadyState, packets: Packets | None) -> Iterator[SheetRow]:
    numbers = {"S": brief(show_bytes(pool.size)), "F": brief(show_bytes(state.free))}
    number = sum(group.count for group in pool.groups)
    shared = tex_of(lambda *of: least(*shared_limits(*of)), r"\alpha_i", "c_i", "F")
    free = tex_of(formulas.pool_free, "S", searched(sum, shared, "i"))
    yield from explained(
        (
            SheetRow(f"{pool.name}.size", "S", pool.size, "bytes", "", "BUFFER_POOL", pool.reading),
            SheetRow(f"{pool.name}.queues", "n", number, "", "", "BUFFER_PG or BUFFER_QUEUE"),
            SheetRow(f"{pool.name}.free", "F", state.free, "bytes", free, _SOURCE),
        ),
        _EXPLANATIONS,
        {"S": numbers["S"]},
    )
    for index, group in enumerate(pool.groups):
        limit, alone = group.limit, pool.alone(index)
        own = numbers | {"r": brief(show_bytes(limit.reserved))}
        own |= {} if limit.alpha is None else {r"\alpha": plain(limit.alpha)}
        own |= {} if limit.cap is None else {"c": brief(show_bytes(limit.cap))}
        puts = {"alone": (_threshold(limit), {"F": brief(show_bytes(alone.free))})}
        lengths = state.thresholds[pool.queue(index)], alone.thresholds[0]
        yield from explained(_group(pool, group, *lengths), _EXPLANATIONS, own, own=puts)
        if packets is not None:
            yield from _counts(pool, group, packets, own)


def _threshold(limit: QueueLimits) -> str:
    """Return the threshold as LaTeX, from the reserve, weight and static limit that the queue has."""
    return tex_of(partial(_most, limit), *_LIMITS)


_LIMITS = ("r", "alpha", "F", "c")


def _most(limit: QueueLimits, r: Any, alpha: Any, F: Any, c: Any) -> Any:
    return r + least(*shared_limits(None if limit.alpha is None else alpha, None if limit.cap is None else c, F))


def _group(pool: SharedPool, group: Group, top: Fraction, most: Fraction) -> Iterator[SheetRow]:
    name, limit = f"{pool.name}.{group.name}", group.limit
    if limit.alpha is not None:
        yield SheetRow(
            f"{name}.alpha", r"\alpha", limit.alpha, "", tex_of(power_of_two, r"dynamic\_th"), "BUFFER_PROFILE"
        )
    yield SheetRow(f"{name}.reserved", "r", limit.reserved, "bytes", "", "BUFFER_PROFILE")
    yield SheetRow(f"{name}.threshold", "T", top, "bytes", _threshold(limit), _SOURCE)
    yield SheetRow(f"{name}.alone", "T_1", most, "bytes", _threshold(limit), _SOURCE, "one queue alone")
    if group.headroom:
        yield SheetRow(f"{name}.headroom", "H", group.headroom, "bytes", "xoff", "BUFFER_PROFILE")
    if group.resume is not None:
        resumes = tex_of(partial(resume_threshold, greatest=greatest), "xon", "T", r"xon\_offset")
        yield SheetRow(f"{name}.resume", "X", group.resume, "bytes", resumes, "SONiC schema", "at this threshold")


def _counts(pool: SharedPool, group: Group, packets: Packets, own: dict[str, str]) -> Iterator[SheetRow]:
    """Count the packets of the first queues of a profile in an empty pool."""
    size = packets.size + packets.overhead
    turns = Turns(group.limit, pool.size, size, packets.cell, packets.sources, group.headroom)
    counts, name = packet_counts(turns), f"{pool.name}.{group.name}.packets"
    event = "pause" if group.headroom else "drop"
    under = f"{packets.sources} queue{'s' * (packets.sources > 1)} of the profile, packets in turn, nothing leaves"
    refusal = tex_of(lambda q, s, *of: q + s > _most(group.limit, *of), "q", "s", *_LIMITS)
    left = tex_of(formulas.pool_free, "S", searched(sum, tex_of(formulas.beyond_own, "q_i", "r"), "i"))
    rows = [
        SheetRow(f"{name}.stored", "s", turns.taken, "bytes", tex_of(formulas.whole_cells, "p", "cell"), _COUNTING),
        SheetRow(f"{name}.reserve", "n_r", counts.reserve, "packets",
                  tex_of(formulas.packets_in_each, *"krs"), _COUNTING, under),
        SheetRow(f"{name}.fill_pool", "n_S", counts.pool, "packets", "", _COUNTING, "no threshold refuses any before"),
        SheetRow(f"{name}.before_{event}", "n", counts.limit, "packets",
                  searched(min, rf"\{{n : {refusal}\}}"), _COUNTING, under),
        SheetRow(f"{name}.before_{event}_most", "n", counts.limit_most, "packets", "", _CELLS, _READINGS),
        SheetRow(f"{name}.free", "F", counts.free, "bytes", left, _COUNTING, under),
        SheetRow(f"{name}.fills", "F < s", counts.fills, "", "", _COUNTING, under),
    ]  # fmt: skip
    if group.headroom:
        formula = tex_of(lambda n, k, H, s: n + formulas.packets_in_each(k, H, s), *"nkHs")
        rows += [
            SheetRow(f"{name}.before_drop", "n_d", counts.drop, "packets", formula, _COUNTING,
                      "the senders ignore the pause"),
            SheetRow(f"{name}.before_drop_most", "n_d", counts.drop_most, "packets", "", _CELLS, _READINGS),
        ]  # fmt: skip
    held = counts.limit // turns.queues * turns.taken
    put = {"s": brief(show_bytes(turns.taken)), "k": str(packets.sources), "p": brief(show_bytes(size)),
           "cell": brief(show_bytes(packets.cell)), "n": str(counts.limit), "H": brief(show_bytes(group.headroom)),
           "q": brief(show_bytes(held)), "F": brief(show_bytes(counts.free))}  # fmt: skip
    shown: dict[str, tuple[str, dict[str, str]]] = {f"before_{event}": (refusal, {})}
    shown |= {f"before_{what}_most": ("", {}) for what in ("pause", "drop")}
    yield from explained(rows, _COUNTED, own | put, own=shown)


_READINGS = "the chip compares the length without the packet; rounding to cells stays between the two"
_EXPLANATIONS: dict[str, Explanation] = {
    "size": ("settings", "The bytes that the queues of the pool share.", ""),
    "queues": ("settings", "The number of overloaded queues.", ""),
    "free": ("guarantees", "The bytes of the pool that then stay free.", _SOURCE),
    "alpha": ("settings", "The weight of a queue in the pool.", ""),
    "reserved": ("settings", "The bytes that belong to one queue alone.", "l2bm.eq1.reserved-first"),
    "threshold": ("guarantees", "The length of each queue of the profile then.", _SOURCE),
    "alone": ("guarantees", "The length of a queue that is overloaded alone.", _SOURCE),
    "headroom": ("settings", "The bytes that a paused queue can still admit.", "l2bm.ours.headroom"),
    "resume": ("settings", "The length at which a paused queue resumes.", "l2bm.sec2a.resume"),
}
"""The group, the meaning and the claim of each row."""
_COUNTED: dict[str, Explanation] = {
    name: ("inverse questions", meaning, claim)
    for name, meaning, claim in (
        ("stored", "The bytes that one packet occupies.", ""),
        ("reserve", "The number of packets that do not use the pool.", "l2bm.eq1.reserved-first"),
        ("fill_pool", "The number of packets that fill the pool, if thresholds refuse none.", _COUNTING),
        ("before_pause", "The number of packets before a pause, which the next one causes.", _COUNTING),
        ("before_pause_most", "The largest number on any chip; the row above is the smallest.", _CELLS),
        ("free", "The bytes of the pool that are then free.", _COUNTING),
        ("fills", "True if the pool then has no room for a packet.", _COUNTING),
        ("before_drop", "The number of packets before a drop; the next one is dropped.", _COUNTING),
        ("before_drop_most", "The largest number on any chip; the row above is the smallest.", _CELLS),
    )
}
"""The group, the meaning and the claim of each count of packets."""
