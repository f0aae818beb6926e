"""L2BM's bookkeeping of sojourn times: Algorithm 1 line by line, in its printed reading and in named repairs.

One recorder belongs to one ingress queue (port i, priority p). It stores three numbers: ``total`` (the printed
t_total), ``packets`` (N) and ``updated`` (t_prev). A packet that is enqueued at time t behind ``queue_out`` bytes
(itself included) of an output queue that drains at ``rate`` is expected to leave at its due time D = t + queue_out /
rate.

Source: L2BM paper, Section III-B, Algorithm 1 and equation (2).

On every trace, the printed lines compute exactly (checked by `tests/l2bm/test_recorder.py`)::

    total = sum over packets present of (D - t_prev)  +  sum over packets departed of (D - departure time)

where t_prev is the time of the last *arrival*: line 14 subtracts the sojourn time that the packet had left at t_prev if
it departs on time, and no line moves t_prev at a departure. So the total is exact as of the last arrival while packets
leave when due, and is never corrected otherwise. The readings differ from the print as follows.

================  ====================================================================================================
reading           difference
================  ====================================================================================================
``literal``       nothing
``current``       the mean is taken as of now: total / N - (now - t_prev)
``clocked``       a departure subtracts the elapsed time of all N packets and sets t_prev
``reset``         ``clocked``, and the total starts from 0 again whenever the queue empties
``stamped``       ``clocked``, and a departure subtracts the packet's remaining time until its own due time
``pause-aware``   ``clocked``, on a clock that stands still between the events ``pause`` and ``resume``
================  ====================================================================================================
"""

from fractions import Fraction
from typing import NamedTuple

from dtmodel.base.errors import InputError

READINGS = ("literal", "current", "clocked", "reset", "stamped", "pause-aware")


class Recorder(NamedTuple):
    """The state of Algorithm 1 for one ingress queue, in seconds; the total, at first 0 (line 1), may be negative."""

    total: Fraction = Fraction(0)
    packets: int = 0
    updated: Fraction = Fraction(0)


def enqueue(recorder: Recorder, now: Fraction, queue_out: Fraction, rate: Fraction) -> Recorder:
    """Enqueue a packet (lines 2 to 11) whose output queue holds `queue_out` bytes, the packet included."""
    return join(recorder, now, queue_out / rate)


def join(recorder: Recorder, now: Fraction, stay: Fraction) -> Recorder:
    """Enqueue a packet with a given expected stay (lines 3 to 11), in any unit of time."""
    if recorder.packets > 0:  # lines 3-7
        stay -= recorder.packets * (now - recorder.updated)  # line 8
    return Recorder(recorder.total + stay, recorder.packets + 1, now)  # lines 9-11


def dequeue(recorder: Recorder, now: Fraction, due: Fraction | None = None, *, reading: str = "literal") -> Recorder:
    """Remove a departing packet (lines 12 to 14, or a repair); ``stamped`` needs its expected departure, `due`."""
    elapsed = now - recorder.updated
    if reading in ("literal", "current"):
        return Recorder(recorder.total - elapsed, recorder.packets - 1, recorder.updated)  # lines 13-14
    total = recorder.total - recorder.packets * elapsed
    if reading == "stamped":
        if due is None:
            raise InputError("due", due, "the time at which the packet was expected to leave")
        total -= due - now
    if reading == "reset" and recorder.packets == 1:
        total *= 0
    return Recorder(total, recorder.packets - 1, now)


def mean(recorder: Recorder, now: Fraction, *, reading: str = "literal") -> Fraction | None:
    """Return the average sojourn time tau of equation (2), or None if no packet is queued."""
    if recorder.packets == 0:
        return None
    return summed(recorder, now, reading=reading) / recorder.packets


def summed(recorder: Recorder, now: Fraction, *, reading: str = "literal") -> Fraction:
    """Return N tau at time `now`, in the recorder's unit of time."""
    if reading != "current":
        return recorder.total
    return recorder.total - recorder.packets * (now - recorder.updated)
