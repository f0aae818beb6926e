"""Shared pools a second time, straight from the definition: whole queue lengths, every queue at every event.

Shares no code with `dtmodel.fluid`; slow and plain on purpose.
"""

from itertools import pairwise

from reference_fluid import ZERO, clip, rate_at


def limit_slope(alpha, cap, free, x):
    """The derivative of min(alpha F, cap) while F' = x."""
    if alpha is None or (cap is not None and alpha * free > cap):
        return ZERO
    return min(alpha * x, ZERO) if alpha * free == cap else alpha * x


def run(size, rates, alphas, reserves, caps, offers, initial, until, samples=()):
    """Return first drops, what was dropped, and the lengths and free pool at `samples`."""
    n, now, q = len(rates), ZERO, list(initial)
    first, dropped, rows = [None] * n, [ZERO] * n, {}
    while now < until:
        free = size - sum((max(ZERO, a - b) for a, b in zip(q, reserves, strict=True)), ZERO)
        top = [
            r + (c if a is None else a * free if c is None else min(a * free, c))
            for a, r, c in zip(alphas, reserves, caps, strict=True)
        ]
        room = [t - length for t, length in zip(top, q, strict=True)]
        offered = [rate_at(offer, now) for offer in offers]
        bounds = [
            (-rates[i], offered[i] - rates[i]) if q[i] > 0 else (ZERO, max(offered[i] - rates[i], ZERO))
            for i in range(n)
        ]

        def slopes(x, free=free, room=room, bounds=bounds):
            return [
                high
                if room[i] > 0
                else low
                if room[i] < 0
                else clip(limit_slope(alphas[i], caps[i], free, x), low, high)
                for i, (low, high) in enumerate(bounds)
            ]

        def balance(x, q=tuple(q), slopes=slopes):
            moves = zip(q, reserves, slopes(x), strict=True)
            return x + sum((s if length > r else max(s, ZERO) if length == r else ZERO for length, r, s in moves), ZERO)

        kinks = {edge / a for a, edges in zip(alphas, bounds, strict=True) if a for edge in edges} | {ZERO}
        reach = max(map(abs, kinks)) + sum(rates, ZERO) + sum(offered, ZERO) + 1
        grid = [-2 * reach, *sorted(kinks), 2 * reach]
        x = next(
            (low if balance(low) == 0 else low - balance(low) * (high - low) / (balance(high) - balance(low)))
            for low, high in pairwise(grid)
            if balance(low) <= 0 <= balance(high)
        )
        slope = slopes(x)
        waits = [until - now, *(t - now for offer in offers for t, _ in offer if t > now)]
        for i in range(n):
            levels = (ZERO, reserves[i]) if slope[i] < 0 else (reserves[i],)
            waits += [(level - q[i]) / slope[i] for level in levels if slope[i] and (level - q[i]) * slope[i] > 0]
            drift = limit_slope(alphas[i], caps[i], free, x) - slope[i]
            if room[i] * drift < 0:
                waits.append(-room[i] / drift)
            if alphas[i] is not None and caps[i] is not None and x and (caps[i] / alphas[i] - free) * x > 0:
                waits.append((caps[i] / alphas[i] - free) / x)
        step = min(waits)
        for time in samples:
            if now <= time <= now + step:
                rows[time] = ([q[i] + slope[i] * (time - now) for i in range(n)], free + x * (time - now))
        for i in range(n):
            lost = offered[i] if room[i] < 0 else bounds[i][1] - slope[i]
            if lost > 0 and first[i] is None:
                first[i] = now
            dropped[i] += lost * step
            q[i] += slope[i] * step
        now += step
    return first, dropped, rows
