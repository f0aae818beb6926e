"""A generator of documents for every policy, with weights and timers that tie and extreme ones."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from dtmodel.strategies.draws import chance, fraction

Document = dict[str, Any]

_ALPHAS = tuple(Fraction(p, q) for p, q in ((1, 1), (2, 1), (1, 2), (8, 1), (1, 8), (4, 1), (1, 4), (3, 1), (1, 3)))
_EXTREME = (Fraction(10**6), Fraction(1, 10**6), Fraction(10**12), Fraction(1, 10**12))


def alpha(random: Random) -> Fraction:
    """Draw a simple weight, or rarely an extreme one from 10**-12 to 10**12."""
    return random.choice(_EXTREME) if chance(random, 12) else random.choice(_ALPHAS)


def _dt(random: Random, count: int, buffer: Fraction) -> Document:
    del count, buffer
    return {"name": "dt", "alpha": str(alpha(random))}


def _edt(random: Random, count: int, buffer: Fraction) -> Document:
    timers = (None, Fraction(1), Fraction(2), Fraction(1, 2), Fraction(5, 3), Fraction(100))
    cn2 = random.choice((Fraction(1), Fraction(1, 2), Fraction(2), buffer / 2, buffer, buffer + 1, buffer / 16))
    timed = {name: None if (t := random.choice(timers)) is None else str(t) for name in ("tm1", "tm2")}
    return {**_dt(random, count, buffer), "name": "edt", "cn2": str(cn2), **timed}


def _complete(random: Random, count: int, buffer: Fraction) -> Document:
    del random, count, buffer
    return {"name": "complete"}


def _static(random: Random, count: int, buffer: Fraction) -> Document:
    parts = [random.randint(0, 4) for _ in range(count + chance(random, 8))]
    unused = 0 if chance(random, 2) else random.randint(0, 4)
    whole = max(1, sum(parts) + unused)
    return {"name": "static", "sizes": [str(buffer * part / whole) for part in parts]}


def _weighted(random: Random, count: int, buffer: Fraction) -> Document:
    del buffer
    return {"name": "weighted", "weights": [str(alpha(random)) for _ in range(count)]}


def _abm(random: Random, count: int, buffer: Fraction) -> Document:
    del buffer
    priorities = random.randint(1, 3)
    return {
        "name": "abm",
        "alphas": [str(alpha(random)) for _ in range(priorities)],
        "priorities": [random.randint(0, priorities - 1) for _ in range(count)],
        "drains": [random.choice(("1", "1/2", "1/3", "3/4")) for _ in range(count)],
    }


def _l2bm(random: Random, count: int, buffer: Fraction) -> Document:
    del buffer
    normalisation = random.choice(("sum", "mean", "harmonic", "least", "greatest"))
    sojourns = [str(fraction(random, 6, 1)) for _ in range(count)]
    return {"name": "l2bm", "alpha": str(alpha(random)), "sojourns": sojourns, "normalisation": normalisation}


def _pools(random: Random, count: int, buffer: Fraction) -> Document:
    """Draw reserves that leave free buffer, and one pool or two, whose queues have alphas or fitting caps."""
    part = buffer / max(1, 2 * count)
    reserves = [part * Fraction(random.randint(0, 4), 4) if chance(random, 2) else Fraction(0) for _ in range(count)]
    room = buffer - sum(reserves)
    split = random.randint(1, count - 1) if count > 1 and chance(random, 3) else count
    groups = [group for group in (range(split), range(split, count)) if group]
    share = Fraction(random.randint(2, 4), 4 * max(1, len(groups)))
    size = room if len(groups) <= 1 and not chance(random, 3) else room * share
    limits: list[Document] = []
    for group in groups:
        static = chance(random, 5)
        for queue in group:
            cap = size * random.choice((Fraction(1), Fraction(1, 2), Fraction(1, 8))) / (len(group) if static else 1)
            limits.append(
                {
                    "alpha": None if static else str(alpha(random)),
                    "reserved": str(reserves[queue]),
                    "cap": str(cap) if static or chance(random, 3) else None,
                }
            )
    pools = [{"size": str(size), "queues": list(group)} for group in groups]
    return {"name": "pools", "limits": limits} | ({"pools": pools} if size != room or len(groups) > 1 else {})


_POLICIES: Mapping[str, Callable[[Random, int, Fraction], Document]] = {
    "dt": _dt,
    "edt": _edt,
    "complete": _complete,
    "static": _static,
    "weighted": _weighted,
    "abm": _abm,
    "l2bm": _l2bm,
    "pools": _pools,
}
POLICIES = tuple(_POLICIES)
"""The names of the policies that have a generator."""


def draw_policy(random: Random, name: str, queues: int, buffer: Fraction) -> Document:
    """Draw the document of a policy for a number of queues that share a buffer.

    >>> draw_policy(Random(1), "complete", 2, Fraction(6))
    {'name': 'complete'}
    """
    return _POLICIES[name](random, queues, buffer)
