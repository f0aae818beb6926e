"""L2BM's recorder on symbols: one event, before and after."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from dtmodel.packet.l2bm.algorithm import Recorder, dequeue, enqueue

from .derivation import identity

LENGTH = 4
"""Events of each exhaustive trace: gaps of 0 or 1, sojourn times of 1 or 2, any packet may leave at any time."""


Log = tuple[tuple[str, Fraction, Fraction], ...]
"""(what, time, due time of the packet) for each event."""


def traces(length: int = LENGTH, log: Log = (), *, on_time: bool = False) -> Iterator[Log]:
    """Every trace of up to `length` events; on time: packets leave when due, and no packet outstays its due time."""
    yield log
    if len(log) == length:
        return
    now = log[-1][1] if log else Fraction(0)
    queued = waiting(log)
    for gap in (0, 1):
        if on_time and any(due < now + gap for due in queued):
            continue
        for sojourn in (1, 2):
            yield from traces(length, (*log, ("arrive", now + gap, now + gap + sojourn)), on_time=on_time)
        for due in sorted(set(queued)):
            if not on_time or due == now + gap:
                yield from traces(length, (*log, ("depart", now + gap, due)), on_time=on_time)


def waiting(log: Log) -> list[Fraction]:
    """The due times of the packets that are queued after the events of a log."""
    queued: list[Fraction] = []
    for what, _, due in log:
        if what == "arrive":
            queued.append(due)
        else:
            queued.remove(due)
    return queued


def recorded(log: Log, reading: str = "literal") -> Recorder:
    """What the implementation keeps after the events of a log."""
    recorder = Recorder()
    for what, now, due in log:
        if what == "arrive":
            recorder = enqueue(recorder, now, due - now, Fraction(1))
        else:
            recorder = dequeue(recorder, now, due, reading=reading)
    return recorder


def unknowns() -> tuple[Any, ...]:
    """Sum of the due times, deviation so far, t_prev, now, a packet's length ahead, its rate, a due time."""
    return tuple(sympy.symbols("D E t_prev t_now q mu d", real=True))


def before(packets: Any, *, deviates: bool) -> Recorder:
    """The recorder of any state with `packets` packets, as the identity has it; without packets nothing is due."""
    due_sum, dev, prev, *_ = unknowns()
    total = (due_sum if packets != 0 else 0) - packets * prev + (dev if deviates else 0)
    return Recorder(total, packets, prev)


def agrees(recorder: Recorder, total: Any, packets: Any, updated: Any) -> None:
    """Check the total, the count and the clock of a recorder as expressions."""
    identity(recorder.total, total, "total")
    identity(sympy.sympify(recorder.packets), packets, "packets")
    identity(sympy.sympify(recorder.updated), updated, "t_prev")


def induction(reading: str = "literal") -> None:
    """Run the implementation on symbols: (sum of due - N t_prev) + deviation survives both kinds of event, always.

    The deviation is the sum of due minus departure times; a stamped departure leaves none, a reset one only that of the
    present busy period.
    """
    due_sum, dev, prev, now, length, mu, due = unknowns()
    k = sympy.Symbol("k", integer=True, positive=True)
    deviates = reading != "stamped"
    for n in (0, 1, 1 + k):
        after = enqueue(before(n, deviates=deviates), now, length, mu)
        others = due_sum if n != 0 else 0
        agrees(after, others + now + length / mu - (n + 1) * now + (dev if deviates else 0), sympy.sympify(n + 1), now)
    clock = prev if reading in ("literal", "current") else now
    for n in (1, 1 + k):
        # The only packet is the one that leaves: its due time is the whole sum.
        leaving = due_sum if n == 1 else due
        after = dequeue(before(n, deviates=deviates), now, leaving, reading=reading)
        left_over = dev + leaving - now if deviates else 0
        if reading == "reset" and n == 1:
            left_over = 0
        agrees(after, (due_sum - leaving) - (n - 1) * clock + left_over, sympy.sympify(n - 1), clock)
