"""Shared pools a second time, straight from the definition: whole queue lengths, every queue at every event.

A queue without alpha and cap is bounded by the pool alone; what enters a full pool is thinned by one fraction. Shares
no code with `dtmodel.fluid`; slow and plain on purpose.
"""

from itertools import pairwise
from math import inf

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
            if a is not None or c is not None
            else inf
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
        slope, admitted = slopes(x), offered
        if free == 0 and x < 0:  # the pool is full: what enters it is thinned by the largest fraction that fits

            def thinned(p, q=tuple(q), offered=offered):
                each = []
                for i in range(n):
                    through = min(offered[i], rates[i]) if q[i] == reserves[i] > 0 else ZERO
                    each.append(offered[i] if q[i] < reserves[i] else max(p * offered[i], through))
                return each

            def motion(p, q=tuple(q), room=room):
                made = []
                for i, rate in enumerate(thinned(p)):
                    low, high = (-rates[i], rate - rates[i]) if q[i] > 0 else (ZERO, max(rate - rates[i], ZERO))
                    made.append(high if room[i] > 0 else low if room[i] < 0 else min(ZERO, high))
                return made

            def growth(p, q=tuple(q)):
                moves = zip(q, reserves, motion(p), strict=True)
                return sum((s if length > r else max(s, ZERO) if length == r else ZERO for length, r, s in moves), ZERO)

            grid = [ZERO, *sorted({c / o for c, o in zip(rates, offered, strict=True) if o > c}), ZERO + 1]
            low, high = next((a, b) for a, b in reversed(list(pairwise(grid))) if growth(a) <= 0 < growth(b))
            fraction = low - growth(low) * (high - low) / (growth(high) - growth(low))
            assert growth(fraction) == 0
            x, slope, admitted = ZERO, motion(fraction), thinned(fraction)
        waits = [until - now, *(t - now for offer in offers for t, _ in offer if t > now)]
        for i in range(n):
            levels = (ZERO, reserves[i]) if slope[i] < 0 else (reserves[i],)
            waits += [(level - q[i]) / slope[i] for level in levels if slope[i] and (level - q[i]) * slope[i] > 0]
            drift = limit_slope(alphas[i], caps[i], free, x) - slope[i]
            if top[i] != inf and room[i] * drift < 0:
                waits.append(-room[i] / drift)
            if alphas[i] and caps[i] is not None and x and (caps[i] / alphas[i] - free) * x > 0:
                waits.append((caps[i] / alphas[i] - free) / x)
        if x < 0:
            waits += [free / -x] if free > 0 else []
        step = min(waits)
        for time in samples:
            if now <= time <= now + step:
                rows[time] = ([q[i] + slope[i] * (time - now) for i in range(n)], free + x * (time - now))
        for i in range(n):
            sent = rates[i] if q[i] > 0 else min(admitted[i], rates[i])
            lost = offered[i] if room[i] < 0 else offered[i] - sent - slope[i]
            if lost > 0 and first[i] is None:
                first[i] = now
            dropped[i] += lost * step
            q[i] += slope[i] * step
        now += step
    return first, dropped, rows
