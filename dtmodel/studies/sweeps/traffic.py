"""Random traffic of a fluid queue: ON and OFF periods of exponential lengths, determined by a seed."""

import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dtmodel.base import budgets, units
from dtmodel.base.schemas import only_declared

_TICK = 10**9


def on_off(
    document: Mapping[str, Any], seed: int, queue: int, until: Fraction, where: str
) -> list[tuple[Fraction, Fraction]]:
    """Return arrivals up to a time: pairs (time, rate), times in whole nanoseconds.

    `document`: ``on`` and ``off``, the mean lengths of the periods, and ``rate``, the rate while ON. `seed`, `queue`:
    the seeds of the traffic. `until`: the end of the run. `where`: the name of the document in errors.

    >>> pieces = on_off({"on": "1 ms", "off": "3 ms", "rate": "2 Gbps"}, 1, 0, Fraction(1), "arrivals")
    >>> busy = sum(end - begin for (begin, rate), (end, _) in zip(pieces, pieces[1:]) if rate)
    >>> len(pieces) > 300, round(float(busy), 1)
    (True, 0.2)
    """
    only_declared(document, f"{where}.", "sweep", "$defs", "traffic")
    rate = units.rate(document["rate"], f"{where}.rate", positive=True)
    on, off = (float(units.seconds(document[key], f"{where}.{key}", positive=True)) for key in ("on", "off"))
    budgets.keep_within("events", int(2 * float(until) / (on + off)), f"{where}, its periods until the end")
    rng = random.Random(f"{seed} {queue}")
    pieces, time, end = list[tuple[Fraction, Fraction]](), 0, until * _TICK
    while time < end:
        time += 1 + round(rng.expovariate(1 / off) * _TICK)
        finish = time + 1 + round(rng.expovariate(1 / on) * _TICK)
        pieces += [(Fraction(time, _TICK), rate), (Fraction(finish, _TICK), Fraction(0))]
        time = finish
    return pieces
