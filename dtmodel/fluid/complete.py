"""The fluid model of complete sharing: everything is admitted until the buffer is full.

While sum Q < B every queue moves at R_i - C_i. While sum Q = B every queue admits the same fraction p of its arrivals,
the largest p in [0, 1] for which the total does not grow.
"""

from __future__ import annotations

from collections.abc import Sequence

from dtmodel.fluid.trajectory import FreeBuffer, Number, Queue, Segment

__all__ = ["admitted_fraction", "run_complete"]


def admitted_fraction(rates: Sequence[Number], offered: Sequence[Number], empty: Sequence[bool]) -> Number:
    """The largest p in [0, 1] for which the queues, admitting p R_i each, do not grow in total.

    Examples
    --------
    >>> from fractions import Fraction as F
    >>> admitted_fraction([F(1), F(1)], [F(3), F(1)], [False, False])
    Fraction(1, 2)
    """
    one: Number = rates[0] * 0 + 1

    def growth(p: Number) -> Number:
        slopes = (
            max(p * r - c, one * 0) if idle else p * r - c for c, r, idle in zip(rates, offered, empty, strict=True)
        )
        return sum(slopes, one * 0)

    if growth(one) <= 0:
        return one
    # growth is convex and piecewise linear in p with kinks at C_i / R_i of the empty queues: walk down to its root.
    kinks: list[Number] = sorted(
        {c / r for c, r, idle in zip(rates, offered, empty, strict=True) if idle and r > c}, reverse=True
    )
    upper = one
    kinks.append(one * 0)
    for lower in kinks:
        if growth(lower) <= 0:
            low, high = growth(lower), growth(upper)
            return lower + (upper - lower) * (-low) / (high - low)
        upper = lower
    return one * 0


def run_complete(
    buffer: Number,
    rates: Sequence[Number],
    offers: Sequence[Sequence[tuple[Number, Number]]],
    initial: Sequence[Number],
    until: Number,
) -> tuple[FreeBuffer[Number], list[Queue[Number]]]:
    """Run complete sharing from 0 to `until` and return the trajectories of the free buffer and the queues."""
    zero: Number = until * 0
    now: Number = zero
    lengths = list(initial)
    times, values = [zero], [buffer - sum(lengths, zero)]
    segments: list[list[Segment[Number]]] = [[] for _ in rates]
    changes: list[Number] = sorted({time for offer in offers for time, _ in offer if time < until})
    changes.append(until)
    while now < until:
        offered = [_rate_at(offer, now, zero) for offer in offers]
        empty = [length == 0 for length in lengths]
        full = values[-1] <= 0
        p = admitted_fraction(rates, offered, empty) if full else zero + 1
        slopes = [max(p * r - c, zero) if idle else p * r - c for c, r, idle in zip(rates, offered, empty, strict=True)]
        for queue, (slope, rate, demand) in enumerate(zip(slopes, rates, offered, strict=True)):
            drain = min(p * demand, rate) if empty[queue] else rate
            segments[queue].append(Segment(now, lengths[queue], slope, (1 - p) * demand, drain))
        end = next(time for time in changes if time > now)
        stops: dict[int, Number] = {q: now + lengths[q] / -s for q, s in enumerate(slopes) if s < 0}
        total = sum(slopes, zero)
        filled = now + values[-1] / total if total > 0 and not full else end
        then = min(end, filled, min(stops.values(), default=end))
        lengths = [
            zero if stops.get(q) == then else length + slope * (then - now)
            for q, (length, slope) in enumerate(zip(lengths, slopes, strict=True))
        ]
        stays_full = p < 1 or (total > 0 and then == filled)
        now = then
        times.append(now)
        values.append(zero if stays_full else buffer - sum(lengths, zero))
    free = FreeBuffer(times, values)
    limits = [(zero, zero, buffer)]
    return free, [Queue(s, limits, free) for s in segments]


def _rate_at(offer: Sequence[tuple[Number, Number]], time: Number, zero: Number) -> Number:
    return next((rate for begin, rate in reversed(offer) if begin <= time), zero)
