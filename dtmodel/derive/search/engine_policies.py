"""The policies of a derive file for the engine: thresholds, initial lengths and the memory of the policy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.derive.search.family import Family
from dtmodel.derive.search.policies import Number
from dtmodel.policies.memory import Memory


@dataclass(frozen=True)
class Laws:
    """The parts of a policy that the engine uses."""

    buffer: Number
    thresholds: list[tuple[Number, Number] | None]
    lengths: list[Number]
    memory: Memory[Any] | None = None
    reserves: list[Number] = field(default_factory=list)


def laws(
    family: Family, counts: Sequence[Number], value: Callable[[Any], Number], number: Callable[..., Number]
) -> Laws:
    """Return a family's policy for the engine, at given numbers."""
    policy, zero, buffer = family.policy, number(0), value(family.buffer)
    given = policy.given(counts, value)
    reserves = [zero if r is None else r for r in given.values.get("reserved", [])]
    for count, reserve in zip(counts, reserves, strict=False):
        buffer = buffer - count * reserve
    thresholds = policy.thresholds(given)
    memory = policy.memory(given)
    if thresholds is None and (memory is None or "admitted" not in memory.heard()):
        raise InputError("policy", policy.name, "a policy with thresholds, or a memory that thins arrivals")
    if thresholds is None:  # no queue is steady: every length is given
        return Laws(buffer, [None for _ in counts], [value(q.initial) for q in family.queues], memory)
    caps = (
        [None if alpha is None else cap for alpha, cap in zip(given["alpha"], given["cap"], strict=True)]
        if reserves
        else []
    )
    lengths = _lengths(family, counts, thresholds, buffer, value, reserves, caps)
    return Laws(buffer, list(thresholds), lengths, memory, reserves)


def _lengths(
    family: Family,
    counts: Sequence[Number],
    thresholds: Sequence[tuple[Number, Number]],
    buffer: Number,
    value: Callable[[Any], Number],
    reserves: Sequence[Number],
    caps: Sequence[Number | None],
) -> list[Number]:
    """Return the initial lengths; steady queues solve Q = a F + b together, or Q = reserve + cap if that is less."""
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
    while True:  # a queue at its cap frees buffer, so that other queues may reach their caps; each does so once
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
