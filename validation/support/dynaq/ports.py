"""One port with service queues: DynaQ as a scheme of admission, and an open-loop simulation of any scheme.

The other schemes of the DynaQ paper are in `dtmodel.packet.dynaq.schemes`. Queues count from 0.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from dtmodel.packet.dynaq.algorithm import Amount
from dtmodel.packet.dynaq.schemes import Scheme
from dtmodel.packet.schedulers import Scheduler


@dataclass(frozen=True)
class Tally:
    """Bytes that each queue offered, sent, lost and holds at the end, and the seconds for which the link was idle.

    For each queue, offered = sent + lost + held.
    """

    offered: tuple[Amount, ...]
    sent: tuple[Amount, ...]
    lost: tuple[Amount, ...]
    held: tuple[Amount, ...]
    idle: Fraction | float | int

    def shares(self) -> tuple[Fraction, ...]:
        """Return each queue's fraction of all sent bytes."""
        total = sum(self.sent)
        return tuple(Fraction(0) if not total else Fraction(sent) / Fraction(total) for sent in self.sent)


def jain(values: Sequence[Amount]) -> Fraction:
    r"""Return Jain's fairness index :math:`(\sum x)^2 / (n \sum x^2)`; 1 if all are zero.

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

    A packet occupies the buffer until its last bit has left. At one instant a departure comes before an arrival: a
    packet that departs at `until` has been sent, and an arrival at `until` is not counted.

    >>> from dtmodel.packet.dynaq.schemes import BestEffort
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
    """Serve as `serve` does, and yield the tally at each of the ascending times `ends`.

    >>> from dtmodel.packet.dynaq.schemes import BestEffort
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
    """Yield the arrivals before each end, and the end as an arrival without a queue."""
    coming = iter(arrivals)
    ahead = next(coming, None)
    for end in ends:
        while ahead is not None and ahead[0] < end:
            yield ahead
            ahead = next(coming, None)
        yield end, None, None
