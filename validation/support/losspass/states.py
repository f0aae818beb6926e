"""A LossPass port as a finite system that `dtmodel.modelcheck` can visit completely.

A state holds the sizes of the packets of Q_s and Q_l from head to tail; their numbers do not affect later steps. Every
step is made by the arbiter of Algorithm 1, in any of its readings with two class queues.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from dtmodel.base.errors import InputError
from dtmodel.packet.losspass.algorithm import (
    READINGS,
    Arbiter,
    Arrival,
    Class,
    Departure,
    Packet,
    PortSettings,
    QueueName,
    Step,
)

Label = tuple[Any, ...]
"""("arrive", "small" or "large", size) or ("depart", "any", "small" or "large")."""


class LossPassPortState(NamedTuple):
    """The sizes in bytes of the packets of each class queue, from head to tail."""

    small: tuple[int, ...]
    large: tuple[int, ...]


@dataclass(frozen=True)
class LossPassPort:
    """Every order of departures and of arrivals of both classes with the given sizes.

    With strict service, small packets leave first; with free service either queue sends at any time, which contains the
    runs of every scheduler. A reading with one queue for both classes raises `InputError`: its state is their order.

    >>> from dtmodel.modelcheck import explore
    >>> explore(LossPassPort(3, 1, (1, 2)), lambda state: sum(map(sum, state)) > 3).complete
    True
    >>> explore(LossPassPort(3, 1, (1, 2)), lambda state: sum(state.small) > 2).found.labels
    (('arrive', 'small', 1), ('arrive', 'small', 2))
    """

    buffer: int
    reserve: int
    sizes: tuple[int, ...]
    reading: str = "intended"
    service: Literal["strict", "free"] = "strict"

    def __post_init__(self) -> None:
        if self.reading not in READINGS or READINGS[self.reading].fifo:
            accepted = ", ".join(name for name, reading in READINGS.items() if not reading.fifo)
            raise InputError("reading", self.reading, f"one of {accepted}")

    def initial(self) -> Iterable[LossPassPortState]:
        """Yield the empty port."""
        yield LossPassPortState((), ())

    def successors(self, state: LossPassPortState) -> Iterator[tuple[Label, LossPassPortState]]:
        """Yield every arrival and every departure that the scheduler allows."""
        for label in self.labels(state):
            yield label, self.step(state, label)[1]

    def labels(self, state: LossPassPortState) -> Iterator[Label]:
        """Yield the events that can happen in a state; an empty queue has no departure."""
        for kind in ("large", "small"):
            for size in self.sizes:
                yield ("arrive", kind, size)
        if self.service == "free":
            yield from (("depart", kind) for kind, queue in zip(("small", "large"), state, strict=True) if queue)
        elif state.small or state.large:
            yield ("depart", "any")

    def step(self, state: LossPassPortState, label: Label) -> tuple[Step, LossPassPortState]:
        """Return the arbiter's step for an event in a state, and the state after it.

        The packets of the state are numbered from 0, those of Q_s first; an arriving packet has the next number.
        """
        arbiter = self._load(state)
        if label[0] == "arrive":
            kind: Class = label[1]
            step = arbiter.arrive(Arrival(kind, Fraction(label[2])))
        else:
            queue: QueueName = label[1]
            step = arbiter.depart(Departure(queue))
        return step, LossPassPortState(_sizes(arbiter.small), _sizes(arbiter.large))

    def _load(self, state: LossPassPortState) -> Arbiter:
        settings = PortSettings(Fraction(self.buffer), Fraction(self.reserve), reading=READINGS[self.reading])
        first = len(state.small)
        small = deque(Packet(n, "small", Fraction(size)) for n, size in enumerate(state.small))
        large = deque(Packet(n, "large", Fraction(size)) for n, size in enumerate(state.large, first))
        lengths = (Fraction(sum(state.small)), Fraction(sum(state.large)))
        return Arbiter(settings, small, large, set(), *lengths, first + len(state.large))


def as_events(labels: Iterable[Label]) -> list[list[Any]]:
    """Write labels as the events of a trace request.

    >>> as_events([("arrive", "small", 2), ("depart", "any")])
    [['arrive', None, 'small', 2], ['depart', None, 'any']]
    """
    return [[label[0], None, *label[1:]] for label in labels]


def _sizes(queue: Iterable[Packet]) -> tuple[int, ...]:
    return tuple(int(packet.size) for packet in queue)
