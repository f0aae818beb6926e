"""The fluid model a second time, straight from its definition: every queue at every event, break points sorted.

Shares no code with `dtmodel.fluid`; slow and plain on purpose.
"""

from fractions import Fraction
from itertools import pairwise

ZERO = Fraction(0)


def clip(value, low, high):
    return max(low, min(high, value))


def bounds(length, rate, offered):
    low, high = -rate, offered - rate
    return (max(low, ZERO), max(high, ZERO)) if length == 0 else (low, high)


def free_slope(off_slopes, on):
    """Solve x + sum(off) + sum clip(a x, l, u) = 0 over the sorted break points; `on` holds (a, l, u)."""

    def balance(x):
        return x + sum(off_slopes, ZERO) + sum((clip(a * x, low, high) for a, low, high in on), ZERO)

    points = sorted({edge / a for a, low, high in on if a > 0 for edge in (low, high)})
    if not points:
        return -balance(ZERO)
    left = points[0] - 1
    while balance(left) > 0:
        left -= 2 * abs(balance(left)) + 1
    right = points[-1] + 1
    while balance(right) < 0:
        right += 2 * abs(balance(right)) + 1
    grid = [left, *points, right]
    for low, high in pairwise(grid):
        if balance(low) <= 0 <= balance(high):
            return low - balance(low) * (high - low) / (balance(high) - balance(low))
    raise AssertionError("no root")


def rate_at(offer, time):
    return next((rate for begin, rate in reversed(offer) if begin <= time), ZERO)


def run(buffer, rates, thresholds, offers, initial, until, samples=()):
    """Return first drops, free buffers there, dropped, drained and the lengths at `samples`."""
    n = len(rates)
    now, q = ZERO, list(initial)
    first, free_then = [None] * n, [None] * n
    dropped, drained = [ZERO] * n, [ZERO] * n
    rows = {}
    while now < until:
        free = buffer - sum(q, ZERO)
        r = [rate_at(offer, now) for offer in offers]
        limits = [bounds(q[i], rates[i], r[i]) for i in range(n)]
        room = [a * free + b - q[i] for i, (a, b) in enumerate(thresholds)]
        on = [i for i in range(n) if room[i] == 0]
        off = [limits[i][1] if room[i] > 0 else limits[i][0] for i in range(n) if room[i] != 0]
        x = free_slope(off, [(thresholds[i][0], *limits[i]) for i in on])
        slope = [
            clip(thresholds[i][0] * x, *limits[i]) if room[i] == 0 else limits[i][1] if room[i] > 0 else limits[i][0]
            for i in range(n)
        ]
        step = until - now
        for i in range(n):
            if slope[i] < 0:
                step = min(step, q[i] / -slope[i])
            drift = thresholds[i][0] * x - slope[i]
            if room[i] * drift < 0:
                step = min(step, -room[i] / drift)
            step = min([step, *(t - now for t, _ in offers[i] if t > now)])
        for time in samples:
            if now <= time <= now + step:
                rows[time] = [q[i] + slope[i] * (time - now) for i in range(n)]
        for i in range(n):
            lost = r[i] if room[i] < 0 else limits[i][1] - slope[i]
            if room[i] < 0 and q[i] == 0:
                raise AssertionError("an empty queue above its threshold")
            if lost > 0 and first[i] is None:
                first[i], free_then[i] = now, free
            dropped[i] += lost * step
            drained[i] += (r[i] - lost - slope[i]) * step
            q[i] += slope[i] * step
        now += step
    return {
        "first": first,
        "free": free_then,
        "dropped": dropped,
        "drained": drained,
        "rows": [rows[t] for t in samples],
        "final": q,
    }


def run_complete(buffer, rates, offers, initial, until, samples=()):
    """Complete sharing from its definition: the admitted fraction by bisection between the kinks, in exact numbers."""
    n = len(rates)
    now, q = ZERO, list(initial)
    first, dropped, drained, rows = [None] * n, [ZERO] * n, [ZERO] * n, {}
    while now < until:
        r = [rate_at(offer, now) for offer in offers]

        def slopes(p, q=q, r=r):
            return [max(p * r[i] - rates[i], ZERO) if q[i] == 0 else p * r[i] - rates[i] for i in range(n)]

        p = Fraction(1)
        if sum(q, ZERO) == buffer and sum(slopes(p), ZERO) > 0:
            kinks = sorted({ZERO, Fraction(1), *(rates[i] / r[i] for i in range(n) if q[i] == 0 and r[i] > rates[i])})
            low = max(k for k in kinks if sum(slopes(k), ZERO) <= 0)
            high = min(k for k in kinks if sum(slopes(k), ZERO) > 0)
            at_low, at_high = sum(slopes(low), ZERO), sum(slopes(high), ZERO)
            p = low + (high - low) * at_low / (at_low - at_high)
        slope = slopes(p)
        step = min([until - now, *(q[i] / -slope[i] for i in range(n) if slope[i] < 0)])
        step = min([step, *(t - now for offer in offers for t, _ in offer if t > now)])
        if sum(slope, ZERO) > 0:
            step = min(step, (buffer - sum(q, ZERO)) / sum(slope, ZERO))
        for time in samples:
            if now <= time <= now + step:
                rows[time] = [q[i] + slope[i] * (time - now) for i in range(n)]
        for i in range(n):
            lost = (1 - p) * r[i]
            if lost > 0 and first[i] is None:
                first[i] = now
            dropped[i] += lost * step
            drained[i] += (r[i] - lost - slope[i]) * step
            q[i] += slope[i] * step
        now += step
    return {"first": first, "dropped": dropped, "drained": drained, "rows": [rows[t] for t in samples]}
