"""Random bursts for the stochastic figures of the EDT paper, as a stream of `dtmodel.packet.arrivals`."""

import random
from collections.abc import Iterator
from math import log, sqrt

from dtmodel.packet.arrivals import TimedPacket, constant


def lognormal_on_off(
    rate: float, size: float, on: float, off: float, rng: random.Random, *, stop: float, spread: float = 1.0
) -> Iterator[TimedPacket]:
    """Yield bursts at `rate`; the ON and OFF periods are lognormal.

    Parameters
    ----------
    on, off : float
        The mean durations in seconds.
    spread : float
        The standard deviation of both durations divided by their mean.

    Examples
    --------
    >>> packets = list(lognormal_on_off(250e6, 1500, 0.002, 0.058, random.Random(1), stop=1.0))
    >>> packets[0][2], packets[-1][2] > 5
    (0, True)
    """
    time, burst = _lognormal(off, spread, rng), 0
    while time < stop:
        duration = _lognormal(on, spread, rng)
        yield from constant(rate, size, start=time, stop=min(time + duration, stop), burst=burst)
        time += duration + _lognormal(off, spread, rng)
        burst += 1


def _lognormal(mean: float, spread: float, rng: random.Random) -> float:
    sigma = sqrt(log(1 + spread * spread))
    return rng.lognormvariate(log(mean) - sigma * sigma / 2, sigma)
