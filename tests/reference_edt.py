"""Fluid EDT a second time, straight from its definition: every queue, counter and timer at every event.

Shares only the scalar equation's plain solver with `reference_fluid`, and nothing with `dtmodel.fluid`.
"""

from fractions import Fraction

from reference_fluid import bounds, clip, free_slope, rate_at

ZERO = Fraction(0)


class Port:
    def __init__(self, length):
        self.q, self.c2 = length, ZERO
        self.uncontrolled = False
        self.tm1 = self.tm2 = None
        self.first = None
        self.dropped = ZERO


def phase(ports, buffer, alphas, rates, offered):
    """Slopes and rejected rates of all ports in the phase that begins now."""
    free = buffer - sum((p.q for p in ports), ZERO)
    n = sum(p.uncontrolled for p in ports)
    laws = [(ZERO, buffer / n) if p.uncontrolled else (a, ZERO) for p, a in zip(ports, alphas, strict=True)]
    limits = [bounds(p.q, c, r) for p, c, r in zip(ports, rates, offered, strict=True)]
    room = [a * free + b - p.q for p, (a, b) in zip(ports, laws, strict=True)]
    fixed = {i: limits[i][1] if room[i] > 0 else limits[i][0] for i in range(len(ports)) if room[i] != 0}
    on = [i for i in range(len(ports)) if room[i] == 0]
    x = free_slope(list(fixed.values()), [(laws[i][0], *limits[i]) for i in on])
    slope = [fixed[i] if i in fixed else clip(laws[i][0] * x, *limits[i]) for i in range(len(ports))]
    lost = [offered[i] if room[i] < 0 else limits[i][1] - slope[i] for i in range(len(ports))]
    drift = [laws[i][0] * x - slope[i] for i in range(len(ports))]
    return free, x, slope, lost, room, drift


def change_states(ports, rates, offered, now, cn2, tm2):
    """Events of one instant after the arrivals: R < C, TM2, c2 = cn2, TM1, in this order."""
    for p, c, r in zip(ports, rates, offered, strict=True):
        if p.uncontrolled and r < c:
            p.uncontrolled, p.tm2 = False, None
    for p in ports:
        if p.uncontrolled and p.tm2 is not None and p.tm2 <= now:
            p.uncontrolled, p.tm2 = False, None
    for p, c, r in zip(ports, rates, offered, strict=True):
        if not p.uncontrolled and p.c2 == cn2 and r > c:
            p.uncontrolled, p.c2, p.tm1 = True, ZERO, None
            p.tm2 = None if tm2 is None else now + tm2
    for p in ports:
        if p.tm1 is not None and p.tm1 <= now:
            p.c2, p.tm1 = ZERO, None


def run(buffer, alphas, rates, offers, initial, until, cn2, tm1, tm2, samples=()):
    ports = [Port(q) for q in initial]
    now, rows = ZERO, {}
    while now < until:
        offered = [rate_at(offer, now) for offer in offers]
        change_states(ports, rates, offered, now, cn2, tm2)
        free, x, slope, lost, room, drift = phase(ports, buffer, alphas, rates, offered)
        freed = any(p.uncontrolled for p in ports)
        if (
            free == 0
            and freed
            and (sum(slope) > 0 or any(p.uncontrolled and k > 0 for p, k in zip(ports, lost, strict=True)))
        ):
            for p in ports:
                if p.uncontrolled:
                    p.uncontrolled, p.tm2 = False, None
                    p.first = now if p.first is None else p.first
            free, x, slope, lost, room, drift = phase(ports, buffer, alphas, rates, offered)
        step = min([until - now, *(t - now for offer in offers for t, _ in offer if t > now)])
        for i, p in enumerate(ports):
            if p.uncontrolled:
                p.c2 = ZERO
            elif lost[i] > 0:
                p.c2, p.tm1 = ZERO, None
            else:
                if p.c2 == 0 and slope[i] <= 0:
                    p.tm1 = None
                elif p.tm1 is None and p.c2 == 0 and tm1 is not None:
                    p.tm1 = now + tm1
                if slope[i] > 0 and p.c2 < cn2:
                    step = min(step, (cn2 - p.c2) / slope[i])
                elif slope[i] < 0 and p.c2 > 0:
                    step = min(step, p.c2 / -slope[i])
            for timer in (p.tm1, p.tm2):
                if timer is not None:
                    step = min(step, timer - now)
            if slope[i] < 0:
                step = min(step, p.q / -slope[i])
            if room[i] * drift[i] < 0:
                step = min(step, -room[i] / drift[i])
        if x < 0 and free > 0:
            step = min(step, free / -x)
        for time in samples:
            if now <= time <= now + step:
                rows[time] = [p.q + s * (time - now) for p, s in zip(ports, slope, strict=True)]
        for i, p in enumerate(ports):
            if lost[i] > 0 and p.first is None:
                p.first = now
            p.dropped += lost[i] * step
            p.q += slope[i] * step
            if not p.uncontrolled and lost[i] == 0:
                p.c2 = max(p.c2 + slope[i] * step, ZERO)
        now += step
    return {
        "first": [p.first for p in ports],
        "dropped": [p.dropped for p in ports],
        "rows": [rows[t] for t in samples],
    }
