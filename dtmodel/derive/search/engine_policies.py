"""The policies of a derive file for the engine: thresholds, initial lengths and the memory of the policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.derive.search.answers import Given
from dtmodel.derive.search.policies import Number
from dtmodel.policies import Threshold
from dtmodel.policies.caps import Caps, caps_of
from dtmodel.policies.memory import Memory


@dataclass(frozen=True)
class Laws:
    """The parts of a policy that the engine uses."""

    buffer: Number
    limits: list[Threshold | None]
    lengths: Sequence[Number]
    memory: Memory[Any] | None
    reserves: Sequence[Number]

    @property
    def thresholds(self) -> list[tuple[Number, Number] | None]:
        """The slope and offset of each threshold without its cap, which the memory holds."""
        return [limit and (limit.slope, limit.offset) for limit in self.limits]


def laws(given: Given) -> Laws:
    """Return a family's policy for the engine, at given numbers."""
    family, counts = given.family, given.counts

    def convert(exact: Number) -> Number:
        return given.number(0) + exact

    policy, queues, buffer = family.policy.at(counts, given.value), len(counts), given.value(family.buffer)
    (part,) = policy.parts(buffer, queues, counts)
    limits = [limit and limit.given_in(convert) for limit in policy.thresholds(queues)]
    kind: Any = convert
    memory: Memory[Any] | None = policy.memory(part, kind) or caps_of(limits, kind)
    held = given.held()
    made = Laws(part.size, limits, policy.steady(buffer, held, counts), memory, list(map(convert, part.reserves)))
    _check_steady(made, held)
    if isinstance(memory, Caps) and memory.full and None in held and min(policy.steady_free(buffer, held, counts)) < 0:
        raise InputError(f"queues[{held.index(None)}].initial", "steady", "lengths that the pool can hold")
    return made


def _check_steady(law: Laws, held: Sequence[Number | None]) -> None:
    """Refuse steady queues whose length is negative, which an offset of the threshold makes possible."""
    for k, (limit, length) in enumerate(zip(law.limits, law.lengths, strict=True)):
        reserve = law.reserves[k] if law.reserves else 0
        if held[k] is None and limit and limit.slope and limit.offset != reserve and length < 0:
            accepted = "thresholds of at least 0 that the buffer can hold beside the other queues"
            raise InputError(f"queues[{k}].initial", "steady", accepted)
