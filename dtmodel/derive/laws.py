"""The policies of a derive file as the engine takes them: thresholds, initial lengths and what the policy remembers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dtmodel import weights
from dtmodel.derive.family import Family, PolicyTerms
from dtmodel.policies.complete import FullBuffer
from dtmodel.policies.edt import CountersAndTimers
from dtmodel.policies.memory import Memory
from dtmodel.policies.pools import Caps

Number = Any  # a Fraction or a Ratio
Each = dict[str, list[Number | None]]


@dataclass(frozen=True)
class Laws:
    """What the engine needs of a policy."""

    buffer: Number
    thresholds: list[tuple[Number, Number] | None]
    lengths: list[Number]
    memory: Memory[Any] | None = None
    reserves: list[Number] = field(default_factory=list)


def laws(
    family: Family, counts: Sequence[Number], value: Callable[[Any], Number], number: Callable[..., Number]
) -> Laws:
    """Return the laws of a family's policy for these numbers."""
    policy, zero, buffer = family.policy, number(0), value(family.buffer)
    each: Each = {key: [None if v is None else value(v) for v in values] for key, values in policy.each.items()}
    common = {key: None if v is None else value(v) for key, v in policy.common.items()}
    reserves = [zero if r is None else r for r in each.get("reserved", [])]
    for count, reserve in zip(counts, reserves, strict=False):
        buffer = buffer - count * reserve
    if policy.name == "complete":  # no queue is steady, so that every length is given
        return Laws(buffer, [None for _ in counts], [value(q.initial) for q in family.queues], FullBuffer())
    thresholds = _thresholds(policy, each, common, counts, zero)
    memory: Memory[Any] | None = None
    if policy.name == "edt":
        memory = CountersAndTimers([a for a, _ in thresholds], common["cn2"], common["tm1"], common["tm2"])
    if policy.name == "pools":
        bound = zip(each["alpha"], reserves, each["cap"], strict=True)
        both = {i: (a, r, c) for i, (a, r, c) in enumerate(bound) if a is not None and c is not None}
        memory = Caps(both) if both else None
    caps = [cap if a is not None else None for a, cap in zip(each.get("alpha", []), each.get("cap", []), strict=False)]
    lengths = _lengths(family, counts, thresholds, buffer, value, reserves, caps)
    return Laws(buffer, list(thresholds), lengths, memory, reserves)


def _thresholds(
    policy: PolicyTerms, each: Each, common: dict[str, Number | None], counts: Sequence[Number], zero: Number
) -> list[tuple[Number, Number]]:
    """Return slope and offset of the threshold of each class."""
    name = policy.name
    if name in {"dt", "edt"}:
        return [(alpha, zero) for alpha in each["alpha"]]
    if name == "weighted":
        return [(weight, zero) for weight in each["weights"]]
    if name == "static":
        return [(zero, size) for size in each["sizes"]]
    if name == "l2bm":
        constant = weights.sojourn_constant(each["sojourns"], policy.normalisation, counts)
        return [(weights.l2bm_weight(common["alpha"], constant, tau), zero) for tau in each["sojourns"]]
    if name == "abm":
        return [
            (weights.abm_weight(alpha, share, _congested(counts, policy.priorities, priority, zero)), zero)
            for alpha, share, priority in zip(each["alphas"], each["drains"], policy.priorities, strict=True)
        ]
    laws = zip(each["alpha"], each["reserved"], each["cap"], strict=True)
    return [((zero, (r or zero) + c) if a is None else (a, r or zero)) for a, r, c in laws]


def _congested(counts: Sequence[Number], priorities: Sequence[int], priority: int, zero: Number) -> Number:
    """Return how many queues have a priority."""
    return sum((n for n, other in zip(counts, priorities, strict=True) if other == priority), zero)


def _lengths(
    family: Family,
    counts: Sequence[Number],
    thresholds: Sequence[tuple[Number, Number]],
    buffer: Number,
    value: Callable[[Any], Number],
    reserves: Sequence[Number],
    caps: Sequence[Number | None],
) -> list[Number]:
    """Return the initial lengths; steady queues solve Q = a F + b together, or Q = reserve + cap where that is less."""
    zero = counts[0] - counts[0]
    own, bounds = list(reserves) or [zero for _ in counts], list(caps) or [None for _ in counts]
    given = [None if queue.initial is None else value(queue.initial) for queue in family.queues]
    room, following = buffer, []
    for index, (count, length) in enumerate(zip(counts, given, strict=True)):
        if length is None:
            following.append(index)
            room = room - count * (thresholds[index][1] - own[index])
        else:
            room = room - count * (max(length - own[index], zero) if reserves else length)
    capped: list[int] = []
    while True:  # a queue at its cap frees some of the buffer, so that more may reach theirs: at most once each
        free = room / sum((counts[i] * thresholds[i][0] for i in following), zero + 1)
        full = [i for i in following if (cap := bounds[i]) is not None and thresholds[i][0] * free > cap]
        if not full:
            break
        room = room - sum((counts[i] * bounds[i] for i in full), zero)
        following = [i for i in following if i not in full]
        capped += full
    return [
        length
        if length is not None
        else own[index] + bounds[index]
        if index in capped
        else thresholds[index][0] * free + thresholds[index][1]
        for index, length in enumerate(given)
    ]
