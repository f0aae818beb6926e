"""Admission to one port with service queues by the schemes with which the DynaQ paper compares DynaQ.

They are the best-effort shared buffer, the static per-queue limit (PQL) and PMSB turned into a dropping scheme; DynaQ
has the same form. A scheme is a frozen configuration with two pure functions, `start()` and `admit(memory, lengths,
queue, size)`. Queues count from 0; ``memory`` is the result of `start` or of the last `admit`, and ``lengths`` are
those of all queues in bytes.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dtmodel.base.errors import InputError
from dtmodel.packet.dynaq.algorithm import Amount, DynaQ, rule

Memory = tuple[Any, ...]


class Scheme(Protocol):
    """The protocol of a buffer management scheme."""

    def start(self) -> Memory:
        """Return the memory before the first packet."""

    @abstractmethod
    def admit(self, memory: Memory, lengths: Sequence[Amount], queue: int, size: Amount) -> tuple[bool, Memory]:
        """Return True if the packet is enqueued, and the memory afterwards."""


class _WithoutMemory(Scheme):
    def start(self) -> Memory:
        """Return the empty memory."""
        return ()


@dataclass(frozen=True)
class BestEffort(_WithoutMemory):
    """A packet enters while the port has room, regardless of its queue."""

    buffer: Amount

    def admit(self, memory: Memory, lengths: Sequence[Amount], queue: int, size: Amount) -> tuple[bool, Memory]:
        """Admit while the port has room."""
        del queue
        return sum(lengths) + size <= self.buffer, memory


@dataclass(frozen=True)
class PQL(_WithoutMemory):
    """Per-queue buffer limit: a packet enters while its queue stays within a fixed quota in bytes."""

    quotas: tuple[Amount, ...]

    def __post_init__(self) -> None:
        if not self.quotas or min(self.quotas) <= 0:
            raise InputError("quotas", list(self.quotas), "a size greater than 0 for each queue")

    def admit(self, memory: Memory, lengths: Sequence[Amount], queue: int, size: Amount) -> tuple[bool, Memory]:
        """Admit while the queue stays within its quota."""
        return lengths[queue] + size <= self.quotas[queue], memory


@dataclass(frozen=True)
class DynaQScheme:
    """DynaQ; its memory is the thresholds."""

    rules: DynaQ

    def __post_init__(self) -> None:
        if self.rules.patience:
            raise InputError("patience", self.rules.patience, "0: a scheme does not observe departures")

    def start(self) -> Memory:
        """Return the initial thresholds, equation (2)."""
        return self.rules.initial

    def admit(self, memory: Memory, lengths: Sequence[Amount], queue: int, size: Amount) -> tuple[bool, Memory]:
        """Run Algorithm 1 and the admission check."""
        if lengths[queue] + size <= memory[queue] and sum(lengths) + size <= self.rules.buffer:
            return True, memory  # line 1, in every reading
        ruling = rule(self.rules, memory, lengths, queue, size)
        return ruling.decision == "enqueue", ruling.thresholds


@dataclass(frozen=True)
class PMSB(_WithoutMemory):
    """PMSB with drops for marks: a packet is dropped if port and queue both exceed their thresholds K and K_i."""

    buffer: Amount
    port_threshold: Amount
    queue_thresholds: tuple[Amount, ...]

    def admit(self, memory: Memory, lengths: Sequence[Amount], queue: int, size: Amount) -> tuple[bool, Memory]:
        """Admit unless both thresholds would be exceeded, or the port has no room."""
        total = sum(lengths) + size
        both = total > self.port_threshold and lengths[queue] + size > self.queue_thresholds[queue]
        return not both and total <= self.buffer, memory
