"""Two DRR queues of the testbed, open loop: throughput in bins, lengths and limits at 1,000 packet times."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dtmodel.packet.dynaq.algorithm import Amount
from dtmodel.packet.dynaq.schemes import Memory, Scheme
from dtmodel.packet.schedulers import DeficitRoundRobin

from ...support.dynaq.ports import serve_until
from ..experiments import BUFFER, QUEUES
from .series import Series, stopping, throughputs

KB = 85 / BUFFER
"""KB of a packet: 85 KB are 56 packets."""
SAMPLES = 1_000


@dataclass(frozen=True)
class Evolution:
    """Lengths of queues 1 and 2 in packets at each of 1,000 packet times, and the limits that hold for them then."""

    lengths: tuple[tuple[int, ...], ...]
    limits: tuple[tuple[float, ...], ...]

    def mean(self, queue: int) -> float:
        """The mean length of a queue in KB."""
        return KB * sum(row[queue] for row in self.lengths) / len(self.lengths)


@dataclass
class _Watched:
    """A scheme that keeps its last memory in view."""

    scheme: Scheme
    memory: Memory = field(init=False)

    def start(self) -> Memory:
        self.memory = self.scheme.start()
        return self.memory

    def admit(self, memory: Memory, lengths: Sequence[Amount], queue: int, size: Amount) -> tuple[bool, Memory]:
        admitted, self.memory = self.scheme.admit(memory, lengths, queue, size)
        return admitted, self.memory


def shared(schemes: Mapping[str, Scheme], loads: tuple[float, float], queues: int, ends: Sequence[float]) -> Series:
    """Return the throughputs of queues 1 and 2 under each scheme; the others stay empty."""
    every = (*loads, *[0.0] * (queues - 2))
    return throughputs(schemes, DeficitRoundRobin((1,) * queues), every, (ends[-1],) * queues, ends)


def evolutions(
    schemes: Mapping[str, Scheme], quotas: Mapping[str, float], loads: tuple[float, float], queues: int = QUEUES
) -> dict[str, Evolution]:
    """Watch both queues from packet time 1,000 on, by scheme; `quotas` are the limits that do not move."""
    every = (*loads, *[0.0] * (queues - 2))
    ends = [SAMPLES + float(time) for time in range(1, SAMPLES + 1)]
    found = {}
    for name, scheme in schemes.items():
        watched = _Watched(scheme)
        arrivals = stopping(1, every, (ends[-1],) * queues)
        lengths, limits = [], []
        for tally in serve_until(watched, DeficitRoundRobin((1,) * queues), arrivals, rate=1, ends=ends, queues=queues):
            lengths.append(tuple(int(held) for held in tally.held[:2]))
            limits.append(tuple(float(limit) for limit in watched.memory[:2]) or (float(quotas[name]),) * 2)
        found[name] = Evolution(tuple(lengths), tuple(limits))
    return found
