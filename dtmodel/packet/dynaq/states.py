"""DynaQ ports as finite systems that `dtmodel.modelcheck` can visit completely.

`AnyOrder` lets packets arrive and depart in every order: it contains the runs of every scheduler. `Scheduled` serves
one packet at a time in the order of a scheduler, with free arrivals, and observes one queue. Sizes and thresholds are
exact; queues count from 0, labels are ("arrive", queue, size) and ("depart", queue).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, final

from dtmodel.packet.dynaq.algorithm import Amount, Claims, DynaQ, Ruling, claims_after, claims_later, rule
from dtmodel.packet.schedulers import Scheduler

Label = tuple[Any, ...]
Contents = tuple[tuple[Amount, ...], ...]


class PortState(NamedTuple):
    """The state of a port.

    - `thresholds`, `contents` (tuple): T_i in bytes, and the packet sizes of each queue from head to tail.
    - `claims` (tuple): the departures that each claim still lasts; empty without a patience.

    >>> PortState(thresholds=(2, 4), contents=((1,), ())).contents
    ((1,), ())
    """

    thresholds: tuple[Amount, ...]
    contents: Contents
    claims: Claims = ()

    @property
    def lengths(self) -> tuple[Amount, ...]:
        """The queue lengths q_i in bytes."""
        return tuple(map(sum, self.contents))


@final
@dataclass(frozen=True)
class AnyOrder:
    """Every order of arrivals (of the given sizes, at the given queues) and departures.

    - `busy`: queues that start with a packet and always hold at least one: they are active forever.
    - `silent`: queues without arrivals.

    >>> from dtmodel.modelcheck import explore
    >>> system = AnyOrder(DynaQ(4, (1, 1)), sizes=(1,))
    >>> explore(system, lambda state: sum(state.thresholds) != 4).complete
    True
    """

    rules: DynaQ
    sizes: tuple[Amount, ...]
    busy: tuple[int, ...] = ()
    silent: tuple[int, ...] = ()

    def initial(self) -> Iterable[PortState]:
        """Yield the empty port; queues that are always active start with one packet of the smallest size."""
        first = min(self.sizes)
        contents = tuple((first,) if i in self.busy else () for i in range(len(self.rules.weights)))
        yield PortState(self.rules.initial, contents, self.rules.no_claims)

    def successors(self, state: PortState) -> Iterator[tuple[Label, PortState]]:
        """Yield every arrival and every departure."""
        lengths = state.lengths
        for p in range(len(lengths)):
            if p not in self.silent:
                for size in self.sizes:
                    yield ("arrive", p, size), after_arrival(self.rules, state, lengths, p, size)
        for i, packets in enumerate(state.contents):
            if len(packets) > (1 if i in self.busy else 0):
                yield ("depart", i), departed(state, i)


@dataclass(frozen=True)
class ServedState:
    """A `port`, its scheduler's `memory`, and `waiting`, the services since the last arrival at the watched queue.

    >>> ServedState(PortState((2, 4), ((), ())), memory=(0,), waiting=1).waiting
    1
    """

    port: PortState
    memory: tuple[Any, ...]
    waiting: int


class Scheduled:
    """A port whose scheduler serves one packet after the other, with free arrivals in between, and one watched queue.

    In a run in which every service begins with ``waiting < period``, the watched queue offers at least one packet in
    every `period` services. If the port is empty, a service time passes: ("depart", None).

    - `scheduler` (Scheduler): the scheduler of the port.
    - `watched`: the queue that is observed.
    - `period`: the number of services within which the watched queue offers a packet.

    >>> from dtmodel.modelcheck import explore
    >>> from dtmodel.packet.schedulers import StrictPriority
    >>> system = Scheduled(DynaQ(2, (1, 1)), (1,), StrictPriority())
    >>> len(next(iter(system.initial())).port.contents)
    2
    """

    def __init__(
        self, rules: DynaQ, sizes: Sequence[Amount], scheduler: Scheduler, watched: int = 0, period: int = 1
    ) -> None:
        self.rules, self.sizes, self.scheduler = rules, tuple(sizes), scheduler
        self.watched, self.period = watched, period

    def initial(self) -> Iterable[ServedState]:
        """Yield the empty port."""
        empty = PortState(self.rules.initial, ((),) * len(self.rules.weights), self.rules.no_claims)
        yield ServedState(empty, self.scheduler.start(), 0)

    def successors(self, state: ServedState) -> Iterator[tuple[Label, ServedState]]:
        """Yield every arrival, and the one service that the scheduler chooses."""
        lengths = state.port.lengths
        for p in range(len(lengths)):
            waiting = 0 if p == self.watched else state.waiting
            for size in self.sizes:
                after = after_arrival(self.rules, state.port, lengths, p, size)
                yield ("arrive", p, size), ServedState(after, state.memory, waiting)
        queue, memory = self.scheduler.pick(state.memory, state.port.contents)
        port = state.port if queue is None else departed(state.port, queue)
        yield ("depart", queue), ServedState(port, memory, min(state.waiting + 1, self.period))

    def offers(self, state: ServedState, label: Label, after: ServedState) -> bool:
        """Return True if this step lets the watched queue offer one packet in each period."""
        del after
        return label[0] == "arrive" or state.waiting < self.period


def after_arrival(rules: DynaQ, state: PortState, lengths: Sequence[Amount], p: int, size: Amount) -> PortState:
    """Return the port after a packet arrived, enqueued or not."""
    ruling = rule(rules, state.thresholds, lengths, p, size, state.claims)
    claims = claims_after(rules, state.claims, lengths, p, size, ruling.decision)
    return enqueued(state, ruling, p, size)._replace(claims=claims)


def enqueued(state: PortState, ruling: Ruling, p: int, size: Amount) -> PortState:
    """Return the port after a ruling on a packet for queue p."""
    contents = state.contents
    if ruling.decision == "enqueue":
        contents = (*contents[:p], (*contents[p], size), *contents[p + 1 :])
    return PortState(ruling.thresholds, contents, state.claims)


def departed(state: PortState, queue: int) -> PortState:
    """Return the port after the head of a queue departed."""
    contents = state.contents
    left = (*contents[:queue], contents[queue][1:], *contents[queue + 1 :])
    return PortState(state.thresholds, left, claims_later(state.claims))


def as_events(labels: Iterable[Label]) -> list[list[Any]]:
    """Write the `labels` of a path as the events of a trace request: queues count from 1, an idle service is left out.

    >>> as_events([("arrive", 0, 2), ("depart", 0), ("depart", None)])
    [['arrive', None, 1, 2], ['depart', None, 1]]
    """
    return [
        ["arrive", None, label[1] + 1, label[2]] if label[0] == "arrive" else ["depart", None, label[1] + 1]
        for label in labels
        if label[1] is not None
    ]
