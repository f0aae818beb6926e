"""Thresholds T = min(a F + b, cap) a second time, straight from the definition: every queue at every event.

Shares no code with `dtmodel.fluid` or `dtmodel.policies`; slow and plain on purpose. Where a F + b = cap, T has two
one-sided derivatives: min(a F', 0) is the right one in time.
"""

from itertools import pairwise

from reference_fluid import ZERO, bounds, clip, rate_at


class OverfullError(Exception):
    """Offsets let the queues hold more than the buffer."""


def height(law, free):
    """T for a free buffer."""
    slope, offset, cap = law
    return slope * free + offset if cap is None else min(slope * free + offset, cap)


def drift(law, free, x):
    """T' to the right in time, while F' = x."""
    slope, offset, cap = law
    if cap is None or slope * free + offset < cap:
        return slope * x
    return ZERO if slope * free + offset > cap else min(slope * x, ZERO)


def root(balance, kinks):
    """Solve balance(x) = 0 for a function that increases strictly and is linear between the kinks."""
    reach = max(map(abs, kinks)) + 1
    while balance(-reach) > 0 or balance(reach) < 0:
        reach *= 2
    for low, high in pairwise([-reach, *sorted(kinks), reach]):
        if balance(low) <= 0 <= balance(high):
            rise = balance(high) - balance(low)
            return low if rise == 0 else low - balance(low) * (high - low) / rise
    raise AssertionError("no root")


def run(buffer, rates, laws, offers, initial, until, samples=()):
    """Return first drops, what was dropped, and lengths, thresholds and the free buffer at `samples`."""
    n, now, q = len(rates), ZERO, list(initial)
    first, dropped, rows = [None] * n, [ZERO] * n, {}
    while now < until:
        free = buffer - sum(q, ZERO)
        if free < 0:
            raise OverfullError
        r = [rate_at(offer, now) for offer in offers]
        edges = [bounds(q[i], rates[i], r[i]) for i in range(n)]
        room = [height(law, free) - length for law, length in zip(laws, q, strict=True)]

        def slopes(x, free=free, edges=edges, room=room):
            return [
                high if room[i] > 0 else low if room[i] < 0 else clip(drift(laws[i], free, x), low, high)
                for i, (low, high) in enumerate(edges)
            ]

        kinks = {ZERO, *(edge / law[0] for law, pair in zip(laws, edges, strict=True) if law[0] for edge in pair)}
        x = root(lambda x, slopes=slopes: x + sum(slopes(x), ZERO), kinks)
        slope = slopes(x)
        waits = [until - now, *(t - now for offer in offers for t, _ in offer if t > now)]
        for i, (a, b, cap) in enumerate(laws):
            if slope[i] < 0:
                waits.append(q[i] / -slope[i])
            closing = drift(laws[i], free, x) - slope[i]
            if room[i] * closing < 0:
                waits.append(-room[i] / closing)
            if a and cap is not None and ((cap - b) / a - free) * x > 0:
                waits.append(((cap - b) / a - free) / x)
        step = min(waits)
        for time in samples:
            if now <= time <= now + step:
                left = free + x * (time - now)
                lengths = [q[i] + slope[i] * (time - now) for i in range(n)]
                rows[time] = lengths, [height(law, left) for law in laws], left
        for i in range(n):
            lost = r[i] if room[i] < 0 else edges[i][1] - slope[i]
            if lost > 0 and first[i] is None:
                first[i] = now
            dropped[i] += lost * step
            q[i] += slope[i] * step
        now += step
    if sum(q, ZERO) > buffer:
        raise OverfullError
    return first, dropped, rows
