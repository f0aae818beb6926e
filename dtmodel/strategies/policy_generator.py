"""A generator of documents for every policy by its parameters, with weights and timers that tie and extreme ones."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from dtmodel.policies import Hierarchy, Policy, PolicyParameter, SharedPools, find
from dtmodel.strategies.draws import chance, fraction

Document = dict[str, Any]

_ALPHAS = tuple(Fraction(p, q) for p, q in ((1, 1), (2, 1), (1, 2), (8, 1), (1, 8), (4, 1), (1, 4), (3, 1), (1, 3)))
_EXTREME = (Fraction(10**6), Fraction(1, 10**6), Fraction(10**12), Fraction(1, 10**12))


def alpha(random: Random) -> Fraction:
    """Draw a simple weight, or rarely an extreme one from 10**-12 to 10**12."""
    return random.choice(_EXTREME) if chance(random, 12) else random.choice(_ALPHAS)


def _slope(random: Random, parameter: PolicyParameter, buffer: Fraction) -> Fraction:
    del parameter, buffer
    return alpha(random)


def _number(random: Random, parameter: PolicyParameter, buffer: Fraction) -> Fraction:
    if parameter.most is None:
        return _slope(random, parameter, buffer)
    return parameter.most * random.choice((Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(3, 4)))


def _bytes(random: Random, parameter: PolicyParameter, buffer: Fraction) -> Fraction:
    del parameter
    return random.choice((Fraction(1), Fraction(1, 2), Fraction(2), buffer / 2, buffer, buffer + 1, buffer / 16))


def _seconds(random: Random, parameter: PolicyParameter, buffer: Fraction) -> Fraction:
    del buffer
    if parameter.many != "one":
        return fraction(random, 6, 1)
    return random.choice((Fraction(1), Fraction(2), Fraction(1, 2), Fraction(5, 3), Fraction(100)))


_DRAWN: Mapping[str, Callable[[Random, PolicyParameter, Fraction], Fraction]] = {
    "slope": _slope, "number": _number, "bytes": _bytes, "s": _seconds,
}  # fmt: skip
"""The generator of a number by its unit."""


def _value(random: Random, parameter: PolicyParameter, buffer: Fraction) -> Any:
    if parameter.default is None and chance(random, 6):
        return None
    if parameter.words:
        return random.choice(parameter.words)
    return str(_DRAWN[parameter.unit](random, parameter, buffer))


def _parts(random: Random, count: int, buffer: Fraction) -> list[str]:
    """Draw parts of the buffer, of which an unused rest may be left."""
    parts = [random.randint(0, 4) for _ in range(count + chance(random, 8))]
    unused = 0 if chance(random, 2) else random.randint(0, 4)
    whole = max(1, sum(parts) + unused)
    return [str(buffer * part / whole) for part in parts]


def _by_table(kind: type[Policy], random: Random, count: int, buffer: Fraction) -> Document:
    """Draw every parameter of a policy by its unit; sizes of queues are parts of the buffer."""
    priorities = random.randint(1, 3) if any(parameter.unit == "index" for parameter in kind.parameters) else 0
    drawn = Document()
    for parameter in kind.parameters:
        many = count if parameter.many == "each" else priorities
        if parameter.many in ("one", "either"):
            drawn[parameter.name] = _value(random, parameter, buffer)
        elif parameter.unit == "bytes":
            drawn[parameter.name] = _parts(random, count, buffer)
        elif parameter.unit == "index":
            drawn[parameter.name] = [random.randint(0, priorities - 1) for _ in range(count)]
        else:
            drawn[parameter.name] = [_value(random, parameter, buffer) for _ in range(many)]
    return drawn


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
            limits.append({
                "alpha": None if static else str(alpha(random)), "reserved": str(reserves[queue]),
                "cap": str(cap) if static or chance(random, 3) else None,
            })  # fmt: skip
    pools = [{"size": str(size), "queues": list(group)} for group in groups]
    return {"name": "pools", "limits": limits} | ({"pools": pools} if size != room or len(groups) > 1 else {})


def _tree(random: Random, count: int, buffer: Fraction) -> Document:
    """Draw one pool or two slices, up to three ports in them, and queues in ports or directly in a pool."""
    nested, slices, ports = chance(random, 2), random.randint(1, 2), random.randint(0, 3)
    sizes = [buffer * random.choice((Fraction(3, 4), Fraction(1, 2), Fraction(0))) / slices for _ in range(slices)]
    reserve = buffer / 4 / (count + ports + 1)

    def share(parent: str, *, static: bool) -> Document:
        own = {"reserved": str(reserve)} if chance(random, 4) else {}
        cap = {"cap": str(buffer / random.choice((1, 2, 3, 8)))} if static or chance(random, 4) else {}
        return {"parent": parent, "alpha": "inf" if static else str(alpha(random))} | own | cap

    pools = [{"name": f"slice {index}", "size": str(size)} for index, size in enumerate(sizes)]
    groups = [
        {"name": f"port {index}"} | share(random.choice(pools)["name"], static=not nested and chance(random, 4))
        for index in range(ports)
    ]
    limits = [share(random.choice([*pools, *groups])["name"], static=chance(random, 4)) for _ in range(count)]
    follows = "parent" if nested else "pool"
    return {"name": "hierarchy", "follows": follows, "limits": limits, "groups": groups, "pools": pools}


POLICIES = ("dt", "edt", "complete", "static", "weighted", "abm", "l2bm", "pools")
"""The policies of the package that the fluid model runs."""


def draw_policy(random: Random, name: str, queues: int, buffer: Fraction) -> Document:
    """Draw the document of a policy for a number of queues that share a buffer."""
    word, kind = find(name, "name")
    if kind is SharedPools:
        return _pools(random, queues, buffer)
    if kind is Hierarchy:
        return _tree(random, queues, buffer)
    return {"name": word} | _by_table(kind, random, queues, buffer)
