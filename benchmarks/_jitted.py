"""DT in a plain loop that numba compiles where it is installed: every event looks at every queue."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np


def scan(begins: Any, times: Any, rates: Any, buffer: float, alpha: float, until: float, first: Any) -> int:  # noqa: PLR0915  # one loop
    """Run queues of rate 1, which are empty at first, write their first drops, and return the number of events.

    `begins`: the first piece of each queue in `times` and `rates`, and the end of the last.
    """
    n = len(begins) - 1
    length, offered, slope = np.zeros(n), np.zeros(n), np.zeros(n)
    on, place, now, events = np.full(n, -1), begins[:-1].copy(), 0.0, 0
    while now < until:
        left, above = buffer, 1.0
        for i in range(n):
            while place[i] < begins[i + 1] and times[place[i]] <= now:
                offered[i] = rates[place[i]]
                place[i] += 1
            if on[i] == 0:
                above += alpha
            else:
                left -= length[i]
        free = left / above
        low, high, falls = -buffer * n - 1e9, buffer * n + 1e9, 0.0
        for _ in range(100):
            value, steep = falls, 1.0
            for i in range(n):
                least = -1.0 if length[i] > 0 else 0.0
                most = offered[i] - 1.0 if length[i] > 0 else max(offered[i] - 1.0, 0.0)
                slope[i] = most if on[i] < 0 else least
                if on[i] == 0:
                    slope[i] = min(max(alpha * falls, least), most)
                    if least < slope[i] < most:
                        steep += alpha
                value += slope[i]
            if abs(value) < 1e-13:
                break
            if value > 0:
                high = falls
            else:
                low = falls
            falls -= value / steep
            if not low < falls < high:
                falls = (low + high) / 2
        step = until - now
        for i in range(n):
            if place[i] < begins[i + 1]:
                step = min(step, times[place[i]] - now)
            if slope[i] < 0:
                step = min(step, length[i] / -slope[i])
            closing = (alpha * falls - slope[i]) * on[i]
            if closing > 0:
                step = min(step, max((length[i] - alpha * free) * on[i], 0.0) / closing)
        for i in range(n):
            gap, closing = length[i] - alpha * free, alpha * falls - slope[i]
            most = offered[i] - 1.0 if length[i] > 0 else max(offered[i] - 1.0, 0.0)
            if np.isnan(first[i]) and (on[i] > 0 or slope[i] < most - 1e-12) and offered[i] > 0:
                first[i] = now
            if on[i] != 0:
                if closing * on[i] > 0 and (gap - closing * step) * on[i] <= 1e-12 * buffer:
                    on[i] = 0
            elif abs(closing) > 1e-12:
                on[i] = -1 if closing > 0 else 1
            length[i] += slope[i] * step
            if on[i] == 0:
                length[i] = alpha * (free + falls * step)
            elif slope[i] < 0 and length[i] < 1e-12 * buffer:
                length[i] = 0.0
        now += step
        events += 1
    return events


def jitted() -> Any:
    """Return the loop, compiled; None where numba is not installed."""
    return None if find_spec("numba") is None else import_module("numba").njit(scan)
