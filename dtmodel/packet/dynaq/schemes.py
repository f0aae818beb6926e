"""One port with service queues: how each buffer management scheme admits packets, and an open-loop simulation of it.

The schemes are those that the DynaQ paper compares: DynaQ itself, the best-effort shared buffer, the static per-queue
limit (PQL) and PMSB turned into a dropping scheme. A scheme is a frozen configuration with two pure functions,
`start()` and `admit(memory, lengths, queue, size)`; queues count from 0.

- ``memory`` is what `start` or the last `admit` gave, ``lengths`` are those of all queues in bytes.
- ``queue`` is the one at which a packet arrives, ``size`` its bytes.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, cast

from dtmodel.errors import InputError
from dtmodel.packet.dynaq.algorithm import Amount, DynaQ, rule
from dtmodel.packet.schedulers import Scheduler

__all__ = ["PMSB", "PQL", "BestEffort", "DynaQScheme", "Scheme", "Tally", "jain", "serve", "serve_until"]

Memory = tuple[Any, ...]


class Scheme(Protocol):
    """What a port asks of its buffer management.

    Examples
    --------
    >>> scheme: Scheme = BestEffort(10)
    >>> type(scheme).__name__
    'BestEffort'
    """

    def start(self) -> Memory:
        """Return the memory before the first packet."""
        ...

    def admit(self, memory: Memory, lengths: Sequence[Amount], queue: int, size: Amount) -> tuple[bool, Memory]:
        """Return whether the packet is enqueued, and the memory afterwards."""
        ...


@dataclass(frozen=True)
class BestEffort:
    """A packet enters while the port has room, whatever its queue.

    Parameters
    ----------
    buffer
        Of the port, in bytes.

    Examples
    --------
    >>> BestEffort(4).admit((), (3, 0), 1, 1), BestEffort(4).admit((), (3, 0), 1, 2)
    ((True, ()), (False, ()))
    """

    buffer: Amount

    def start(self) -> Memory:
        """Return the memory at the start: this scheme keeps none."""
        return ()

    def admit(self, memory: Memory, lengths: Sequence[Amount], queue: int, size: Amount) -> tuple[bool, Memory]:
        """Admit while the port has room."""
        del queue
        return sum(lengths) + size <= self.buffer, memory


@dataclass(frozen=True)
class PQL:
    """Per-queue buffer limit: a packet enters while its queue stays within a fixed quota.

    Parameters
    ----------
    quotas : tuple
        One for each queue, in bytes.

    Examples
    --------
    >>> PQL((2, 2)).admit((), (2, 0), 0, 1), PQL((2, 2)).admit((), (2, 0), 1, 2)
    ((False, ()), (True, ()))
    """

    quotas: tuple[Amount, ...]

    def __post_init__(self) -> None:
        if not self.quotas or min(self.quotas) <= 0:
            raise InputError("quotas", list(self.quotas), "a size greater than 0 for each queue")

    def start(self) -> Memory:
        """Return the memory at the start: this scheme keeps none."""
        return ()

    def admit(self, memory: Memory, lengths: Sequence[Amount], queue: int, size: Amount) -> tuple[bool, Memory]:
        """Admit while the queue stays within its quota."""
        return lengths[queue] + size <= self.quotas[queue], memory


@dataclass(frozen=True)
class PMSB:
    """PMSB with drops in the place of marks: dropped when the port and the queue both exceed their thresholds.

    Parameters
    ----------
    buffer : Fraction or int
        The port's buffer, in bytes.
    port_threshold : Fraction or int
        K, in bytes.
    queue_thresholds : tuple of Fraction or int
        K_i, in bytes.

    Examples
    --------
    >>> pmsb = PMSB(8, 4, (2, 2))
    >>> [pmsb.admit((), lengths, 0, 1)[0] for lengths in [(3, 0), (4, 0), (1, 4), (2, 4)]]
    [True, False, True, False]
    """

    buffer: Amount
    port_threshold: Amount
    queue_thresholds: tuple[Amount, ...]

    def start(self) -> Memory:
        """Return the memory at the start: this scheme keeps none."""
        return ()

    def admit(self, memory: Memory, lengths: Sequence[Amount], queue: int, size: Amount) -> tuple[bool, Memory]:
        """Admit unless both thresholds would be exceeded, or the port has no room."""
        total = sum(lengths) + size
        both = total > self.port_threshold and lengths[queue] + size > self.queue_thresholds[queue]
        return not both and total <= self.buffer, memory


@dataclass(frozen=True)
class DynaQScheme:
    """DynaQ; its memory is the thresholds.

    Parameters
    ----------
    rules : DynaQ
        How a packet is judged.

    Examples
    --------
    >>> scheme = DynaQScheme(DynaQ(4, (1, 1)))
    >>> scheme.admit(scheme.start(), (2, 0), 0, 1)
    (True, (3, 1))
    """

    rules: DynaQ

    def __post_init__(self) -> None:
        if self.rules.patience:
            raise InputError("patience", self.rules.patience, "0: a scheme is not told of departures")

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
class Tally:
    """What each queue offered, sent, lost, and still holds at the end, in bytes; and for how long the link was idle.

    Bytes balance: offered = sent + lost + held, for each queue.

    Attributes
    ----------
    offered, sent, lost, held : tuple
        Of each queue, in bytes.
    idle : number
        In seconds.

    Examples
    --------
    >>> Tally(offered=(3,), sent=(1,), lost=(2,), held=(0,), idle=0).lost
    (2,)
    """

    offered: tuple[Amount, ...]
    sent: tuple[Amount, ...]
    lost: tuple[Amount, ...]
    held: tuple[Amount, ...]
    idle: Fraction | float | int

    def shares(self) -> tuple[Fraction, ...]:
        """Return the part of all sent bytes that each queue sent."""
        total = sum(self.sent)
        return tuple(Fraction(0) if not total else Fraction(sent) / Fraction(total) for sent in self.sent)


def jain(values: Sequence[Amount]) -> Fraction:
    r"""Return Jain's fairness index :math:`(\sum x)^2 / (n \sum x^2)`; 1 if all are zero.

    Parameters
    ----------
    values : sequence
        What each has.

    Examples
    --------
    >>> jain([1, 1, 0])
    Fraction(2, 3)
    """
    squares = len(values) * sum(Fraction(x) ** 2 for x in values)
    return Fraction(sum(values)) ** 2 / squares if squares else Fraction(1)


Arrival = tuple[Any, int, Any]
"""(time, queue, size in bytes), in order of time."""


def serve(
    scheme: Scheme,
    scheduler: Scheduler,
    arrivals: Iterable[Arrival],
    *,
    rate: Fraction | float,
    until: Any,
    queues: int,
) -> Tally:
    """Serve open-loop arrivals at `rate` bytes per second until the time `until`, store and forward.

    A packet occupies the buffer until its last bit has left; a departure at the instant of an arrival comes first.
    What departs at `until` has been sent; what arrives then is not counted.
    Numbers may be exact or floats: the arithmetic is theirs.

    Parameters
    ----------
    scheme : Scheme
        Says which packets enter.
    scheduler : Scheduler
        Says which queue is served next.
    arrivals : iterable of Arrival
        In the order of time.
    rate : number
        Of the link, in bytes per second.
    until : number
        In seconds.
    queues : int
        How many.

    Examples
    --------
    >>> from dtmodel.packet.schedulers import WeightedRoundRobin
    >>> arrivals = [(t, i, 1) for t in range(10) for i in (0, 1)]
    >>> tally = serve(BestEffort(4), WeightedRoundRobin((1, 1)), arrivals, rate=1, until=10, queues=2)
    >>> tally.sent, tally.lost, tally.held, tally.idle
    ((7, 3), (0, 7), (3, 0), 0)
    """
    return next(serve_until(scheme, scheduler, arrivals, rate=rate, ends=[until], queues=queues))


def serve_until(
    scheme: Scheme,
    scheduler: Scheduler,
    arrivals: Iterable[Arrival],
    *,
    rate: Fraction | float,
    ends: Sequence[Any],
    queues: int,
) -> Iterator[Tally]:
    """Serve as `serve` does, and yield the tally at each of the times `ends`, which ascend.

    Parameters
    ----------
    scheme, scheduler, arrivals, rate, queues
        As for `serve`.
    ends : sequence
        Ascending times in seconds.

    Examples
    --------
    >>> from dtmodel.packet.schedulers import WeightedRoundRobin
    >>> arrivals = [(t, i, 1) for t in range(10) for i in (0, 1)]
    >>> port = serve_until(BestEffort(4), WeightedRoundRobin((1, 1)), arrivals, rate=1, ends=[5, 10], queues=2)
    >>> [(tally.sent, tally.held) for tally in port]
    [((3, 2), (2, 1)), ((7, 3), (3, 0))]
    """
    admit, pick, memory, turn = scheme.admit, scheduler.pick, scheme.start(), scheduler.start()
    packets: list[deque[Any]] = [deque() for _ in range(queues)]
    lengths, offered, sent, lost = ([0] * queues for _ in range(4))
    sending, free_at, idle = None, cast("Any", 0), cast("Any", 0)
    for time, queue, size in _with_ends(arrivals, ends):
        while sending is not None and free_at <= time:
            gone = packets[sending].popleft()
            lengths[sending] -= gone
            sent[sending] += gone
            sending, turn = pick(turn, packets)
            if sending is not None:
                free_at += packets[sending][0] / rate
        if queue is None:
            now_idle = idle if sending is not None else idle + time - free_at
            yield Tally(tuple(offered), tuple(sent), tuple(lost), tuple(lengths), now_idle)
            continue
        offered[queue] += size
        admitted, memory = admit(memory, lengths, queue, size)
        if not admitted:
            lost[queue] += size
            continue
        packets[queue].append(size)
        lengths[queue] += size
        if sending is None:
            idle += time - free_at
            sending, turn = pick(turn, packets)
            free_at = time + size / rate


def _with_ends(arrivals: Iterable[Arrival], ends: Sequence[Any]) -> Iterator[tuple[Any, int | None, Any]]:
    """Yield the arrivals before each end, and the end as one at no queue."""
    coming = iter(arrivals)
    ahead = next(coming, None)
    for end in ends:
        while ahead is not None and ahead[0] < end:
            yield ahead
            ahead = next(coming, None)
        yield end, None, None
