"""Scenarios of the fluid model, as documents: every policy, with ties and boundaries, also from a first exact run."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.fluid import Run, run_scenario
from dtmodel.fluid.scenario import Scenario
from dtmodel.policies import find
from dtmodel.strategies.draws import bump, chance, fraction, grid_times, written
from dtmodel.strategies.policy_generator import POLICIES, alpha, draw_policy

Document = dict[str, Any]

_SCALES = (Fraction(1), Fraction(10**9), Fraction(1, 10**9), Fraction(125_000_000), Fraction(1, 7))

_MOST_EXPIRIES = 100
"""The approximate limit of timer expiries in a run: longer runs show nothing new."""


def draw_switch(random: Random, queues: int = 1) -> Document:
    """Draw the document of a switch with at least `queues` ports."""
    ports = max(1, queues) + (random.choice((1, 3, 60)) if chance(random, 4) else 0)
    buffer = fraction(random, 12, 1)
    rate = random.choice((Fraction(1), Fraction(1), Fraction(2), Fraction(1, 2), buffer))
    return {"ports": ports, "buffer": str(buffer), "rate": str(rate)}


def _rate(random: Random, rate: Fraction, buffer: Fraction) -> Fraction:
    """Draw an arrival rate: zero, the rate of the queue, close to it, a multiple, arbitrary, or extreme."""
    kind = random.randint(0, 8)
    if kind <= 3:
        return (Fraction(0), rate * 2, rate, rate * 3)[kind]
    if kind == 4:
        return bump(random, rate)
    if kind == 5:
        return random.choice((rate / 2, rate + buffer, buffer, rate * 10**6, rate / 10**6))
    return fraction(random, 6)


def draw_arrivals(random: Random, rate: Fraction = Fraction(1), buffer: Fraction = Fraction(6)) -> list[list[str]]:
    """Draw the traffic of one queue that is served at `rate`: pairs of a time and a rate."""
    kind = random.randint(0, 5)
    if kind == 0:
        return []
    if kind <= 2:
        return [["0", str(_rate(random, rate, buffer))]]
    if kind == 3:
        start, length = Fraction(random.randint(0, 4), 2), random.choice((1, 2, Fraction(1, 2), Fraction(1, 10**9)))
        return [[str(start), str(_rate(random, rate, buffer))], [str(start + length), "0"]]
    return [[str(time), str(_rate(random, rate, buffer))] for time in grid_times(random, 5)]


def draw_scenario(random: Random, name: str | None = None, *, plain: bool = False) -> Document:
    """Draw a valid scenario (`plain`: base units); in one of three, events coincide with those of a first run."""
    name = name or random.choice(POLICIES)
    kind = find(name, "policy")[1]
    least = int(any(parameter.many == "each" and parameter.positive for parameter in kind.parameters))
    count = max(least, random.choice((1, 2, 3, 2, 3, 4, 5, 1, 2, 3, 4, 8, 0, 16)))
    document: Document = {"id": random.randint(0, 10**6), "switch": draw_switch(random, count)}
    buffer, rate = (Fraction(document["switch"][key]) for key in ("buffer", "rate"))
    document["policy"] = draw_policy(random, name, count, buffer)
    own_alphas = any(parameter.name == "alpha" and parameter.many == "either" for parameter in kind.parameters)
    document["queues"] = _queues(random, count, buffer, rate, own_alphas=own_alphas)
    document["until"] = str(random.choice((Fraction(4), Fraction(1), Fraction(8), Fraction(16), Fraction(1, 3))))
    _start(random, document)
    if chance(random, 3):
        document = coincide(random, document)
        if chance(random, 3):
            document = coincide(random, document)
    until = Fraction(document["until"])
    document["sample"] = sorted({"0", str(until), str(until / 3), str(until * random.randint(0, 8) / 8)}, key=Fraction)
    document = _scaled(random, document)
    if name not in POLICIES and not _accepted(document):  # its thresholds may be negative, so that no queue is steady
        document["queues"] = [{k: v for k, v in queue.items() if k != "initial"} for queue in document["queues"]]
    return document if plain else _written(random, document)


def _queues(random: Random, count: int, buffer: Fraction, rate: Fraction, *, own_alphas: bool) -> list[Document]:
    """Draw the traffic of the queues: often equal, so that they meet their thresholds together."""
    queues: list[Document] = []
    alike = chance(random, 4)
    for _ in range(count):
        if queues and (alike or chance(random, 4)):
            queues.append(dict(queues[-1]))
            continue
        own = rate * random.choice((2, Fraction(1, 2), 3)) if chance(random, 6) else rate
        queue: Document = {"arrivals": draw_arrivals(random, own, buffer)}
        if own != rate:
            queue["rate"] = str(own)
        if own_alphas and chance(random, 6):
            queue["alpha"] = str(alpha(random))
        queues.append(queue)
    return queues


def _start(random: Random, document: Document) -> None:
    """Draw initial lengths: empty, arbitrary, steady, exactly on the threshold, or filling the buffer."""
    name, buffer = document["policy"]["name"], Fraction(document["switch"]["buffer"])
    rate, left = Fraction(document["switch"]["rate"]), buffer
    for place, queue in enumerate(document["queues"]):
        kind = random.randint(0, 6)
        first = queue["arrivals"][0] if queue["arrivals"] else ["1", "0"]
        busy = Fraction(first[0]) == 0 and Fraction(first[1]) >= Fraction(queue.get("rate", rate))
        if kind >= 5 and busy and name != "complete":
            queue["initial"] = "steady"
        elif kind >= 3:
            most = min(left, _most(document, place))
            weight = Fraction(document["policy"].get("alpha", 1))
            on_threshold = weight * left / (1 + weight)
            length = random.choice((fraction(random, 6), most, most / 2, on_threshold, bump(random, on_threshold)))
            queue["initial"] = str(max(Fraction(0), min(most, length)))
            left -= Fraction(queue["initial"])


def _accepted(document: Document) -> bool:
    try:
        return bool(Scenario.read(document))
    except InputError:
        return False


def _most(document: Document, place: int) -> Fraction:
    """Return the largest valid initial length of a queue for any lengths of the others."""
    buffer, rules = Fraction(document["switch"]["buffer"]), document["policy"]
    if rules["name"] == "static":
        return Fraction(rules["sizes"][place])
    if rules["name"] == "pools":
        limit = rules["limits"][place]
        pools = rules.get("pools", [])
        reserved = sum((Fraction(each["reserved"]) for each in rules["limits"]), Fraction(0))
        size = next((Fraction(pool["size"]) for pool in pools if place in pool["queues"]), buffer - reserved)
        members = next((len(pool["queues"]) for pool in pools if place in pool["queues"]), len(rules["limits"]))
        cap = size if limit["cap"] is None else min(size, Fraction(limit["cap"]))
        return Fraction(limit["reserved"]) + cap / members
    return buffer


def coincide(random: Random, document: Document) -> Document:
    """Change a scenario so that one of its parameters coincides with an event of its exact run."""
    try:
        run = run_scenario(Scenario.read(document), Fraction)
    except InputError:
        return document
    times = sorted({time for queue in run.queues for time in queue.breakpoints})
    if len(times) < 2:
        return document
    changes = [_end_traffic, _end_traffic, _end_traffic, _end_run, _restart]
    if document["policy"]["name"] == "edt":
        changes += [_time_timer, _time_timer, _fit_counter, partial(_fit_counter, timed=True)]
    changed = random.choice(changes)(random, dict(document), run, times)
    return changed if _accepted(changed) else document


def _end_traffic(random: Random, document: Document, run: Run[Fraction], times: list[Fraction]) -> Document:
    """Change the traffic of a queue at the instant of another event."""
    del run
    time = abs(bump(random, random.choice(times[1:])))
    place = random.randrange(len(document["queues"]))
    queues = [dict(queue) for queue in document["queues"]]
    earlier = [piece for piece in queues[place]["arrivals"] if Fraction(piece[0]) < time]
    now = Fraction(earlier[-1][1]) if earlier else Fraction(0)
    rate = Fraction(queues[place].get("rate", document["switch"]["rate"]))
    queues[place]["arrivals"] = [*earlier, [str(time), str(random.choice((Fraction(0), rate, now, now * 2, 2 * rate)))]]
    return document | {"queues": queues}


def _end_run(random: Random, document: Document, run: Run[Fraction], times: list[Fraction]) -> Document:
    del run
    return document | {"until": str(random.choice(times[1:]))}


def _restart(random: Random, document: Document, run: Run[Fraction], times: list[Fraction]) -> Document:
    """Begin with the lengths at an event: on thresholds, with a full buffer, with an empty queue."""
    time = random.choice(times)
    queues = [dict(queue) for queue in document["queues"]]
    for place, queue in enumerate(queues):
        queue["initial"] = str(run.queue(place).at(time))
    return document | {"queues": queues}


def _time_timer(random: Random, document: Document, run: Run[Fraction], times: list[Fraction]) -> Document:
    """Let a timer last from one event to another."""
    del run
    begin, end = sorted((random.choice(times[:-1]), random.choice(times[1:])))
    if end - begin < times[-1] / _MOST_EXPIRIES:
        return document
    return document | {"policy": document["policy"] | {random.choice(("tm1", "tm2")): str(end - begin)}}


def _fit_counter(
    random: Random, document: Document, run: Run[Fraction], times: list[Fraction], *, timed: bool = False
) -> Document:
    """Let a counter be full exactly at an event; if `timed`, TM1 expires then, too."""
    place, time = random.randrange(len(document["queues"])), random.choice(times[1:])
    growth = run.queue(place).at(time) - run.queue(place).at(Fraction(0))
    fitted = {"cn2": str(growth)} | ({"tm1": str(max(time, run.until / _MOST_EXPIRIES))} if timed else {})
    least = run.scenario.switch.buffer / _MOST_EXPIRIES
    return document | {"policy": document["policy"] | fitted} if growth > least else document


def _scaled(random: Random, document: Document) -> Document:
    """Rarely, use other units of bytes and of time, which must not change any result."""
    if not chance(random, 6):
        return document
    size, time = random.choice(_SCALES), random.choice(_SCALES)
    return rescaled(document, size, time)


def rescaled(document: Document, size: Fraction, time: Fraction) -> Document:
    """Return a scenario with every byte made `size` bytes and every second `time` seconds."""
    kinds = {"size": size, "rate": size / time, "time": time}
    changed: Document = _mapped(document, lambda value, kind: str(value * kinds.get(kind, 1)))
    return changed


_KIND = {
    "buffer": "size",
    "rate": "rate",
    "cn2": "size",
    "tm1": "time",
    "tm2": "time",
    "sizes": "size",
    "sojourns": "time",
    "reserved": "size",
    "cap": "size",
    "size": "size",
    "initial": "size",
    "until": "time",
    "sample": "time",
    "alpha": "number",
    "alphas": "number",
    "weights": "number",
    "drains": "number",
}


def _mapped(document: Any, change: Callable[[Fraction, str], Any], kind: str = "") -> Any:
    """Apply a function to every quantity of a scenario."""
    if isinstance(document, Mapping):
        return {key: _mapped(value, change, _KIND.get(str(key), str(key))) for key, value in document.items()}
    if kind == "arrivals":
        return [[change(Fraction(time), "time"), change(Fraction(rate), "rate")] for time, rate in document]
    if isinstance(document, list):
        return [_mapped(item, change, kind) for item in document]
    if kind in {"size", "rate", "time", "number"} and document not in {None, "steady", "inf"}:
        return change(Fraction(document), kind)
    return document


def _written(random: Random, document: Document) -> Document:
    if not chance(random, 6):
        return document
    changed: Document = _mapped(document, lambda value, kind: written(random, value, kind))
    return changed
