"""Traces for the packet algorithms, as documents: every reading and option, with small whole numbers that tie."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from dtmodel.packet import ALGORITHMS, edt, l2bm, losspass
from dtmodel.packet.dynaq import algorithm as dynaq
from dtmodel.strategies.draws import bump, chance, fraction, written

Document = dict[str, Any]

OPTIONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "losspass": {"reading": tuple(losspass.READINGS)},
    "dynaq": {"tie_break": dynaq.TIE_BREAKS, "admit": dynaq.ADMISSIONS, "victims": dynaq.VICTIMS},
    "l2bm": {"reading": l2bm.READINGS},
    "edt": {"reading": tuple(edt.READINGS), "count": ("bytes", "packets")},
}
"""For each algorithm, the options of a trace and their values."""


def _size(random: Random, most: Fraction) -> Fraction:
    if chance(random, 16):
        return most
    return min(most, fraction(random, 3, 1, (1, 1, 1, 1, 1, 1, 2, 3)))


def _clock(random: Random, *, missing: bool) -> Callable[[], Fraction | None]:
    """Return a function that gives the time of each event: often repeated, on a grid of halves, or always None."""
    now = Fraction(0)
    unknown = missing and chance(random, 2)

    def tell() -> Fraction | None:
        nonlocal now
        now += random.choice((0, 0, 1, 1, 2, 5, Fraction(1, 2)))
        return None if unknown else now

    return tell


def _time(time: Fraction | None) -> str | None:
    return None if time is None else str(time)


def _losspass(random: Random) -> Document:
    buffer = fraction(random, 8, 1, (1, 1, 1, 1, 2))
    levels = ("0", str(buffer), str(buffer / 2), "1", None)
    clock, events = _clock(random, missing=True), []
    for _ in range(random.randint(0, 24)):
        if random.randint(0, 2):
            events.append(["arrive", _time(clock()), random.choice(("large", "small")), str(_size(random, buffer))])
        else:
            events.append(["depart", _time(clock()), random.choice(("any", "small", "large"))])
    document: Document = {"buffer": str(buffer), "events": events}
    if chance(random, 2):
        document["reserve_large"] = str(buffer * random.randint(0, 4) / 4)
    if chance(random, 2):
        document["mark"] = {name: random.choice(levels) for name in ("small", "large", "port") if chance(random, 2)}
    return document


def _dynaq(random: Random) -> Document:
    weights = [random.choice(("1", "1", "1", "2", "3", "1/2")) for _ in range(random.choice((2, 3, 1, 2, 4, 5, 8)))]
    most = random.choice((4, 8, 12, 20))
    buffer = fraction(random, most, 1, (1, 1, 1, 1, 2))
    clock, events = _clock(random, missing=True), []
    favourite = random.randint(1, len(weights))
    for _ in range(random.randint(0, 32)):
        queue = favourite if chance(random, 2) else random.randint(1, len(weights))
        if random.randint(0, 2):
            events.append(["arrive", _time(clock()), queue, str(_size(random, buffer))])
        else:
            events.append(["depart", _time(clock()), queue])
    document: Document = {"buffer": str(buffer), "weights": weights, "events": events}
    return document | ({"patience": random.randint(0, 3)} if chance(random, 2) else {})


def _l2bm(random: Random) -> Document:
    """Draw packets that leave when they are due, earlier or later, and names that are reused."""
    now, events, due, paused = Fraction(0), [], dict[Any, Fraction](), False
    for _ in range(random.randint(0, 24)):
        now += random.choice((0, 0, 1, 1, 2, Fraction(1, 2)))
        kind = random.randint(0, 5)
        name = random.choice(("x", "y", "z", 1, 0, ""))
        if kind <= 2 and name not in due:
            length, rate = fraction(random, 6, 1), random.choice((Fraction(1), Fraction(2), Fraction(1, 3)))
            due[name] = now + length / rate
            events.append(["arrive", str(now), name, {"queue_out": str(length), "rate": str(rate)}])
        elif kind <= 4:
            name = random.choice([*due, name]) if chance(random, 2) else min(due, key=due.__getitem__, default=name)
            now = max(now, bump(random, due.pop(name, now)) if chance(random, 2) else now)
            due.pop(name, None)
            events.append(["depart", str(now), name])
        else:
            events.append(["resume" if paused else "pause", str(now)])
            paused = not paused
    return {"events": events}


def _edt(random: Random) -> Document:
    ports = random.choice((2, 1, 3, 2, 1, 4))
    buffer = Fraction(random.choice((8, 4, 12, 20, 3)))
    timers = (None, Fraction(1), Fraction(2), Fraction(5), Fraction(1, 2), Fraction(3))
    clock, events = _clock(random, missing=False), []
    favourite = random.randint(1, ports)
    for _ in range(random.randint(0, 32)):
        port, kind = favourite if chance(random, 2) else random.randint(1, ports), random.randint(0, 8)
        if kind <= 4:
            events.append(["arrive", _time(clock()), port, str(_size(random, buffer))])
        elif kind <= 7:
            events.append(["depart", _time(clock()), port])
        else:
            events.append(["tick", _time(clock())])
    document: Document = {
        "ports": ports,
        "buffer": str(buffer),
        "alpha": str(random.choice((Fraction(1), Fraction(2), Fraction(1, 2), Fraction(8), Fraction(1, 10**6)))),
        "cn2": str(random.choice((2, 1, 3, Fraction(1, 2), buffer, buffer + 1))),
        **{name: _time(random.choice(timers)) for name in ("tm1", "tm2")},
        "events": events,
    }
    return document | ({"cn1": random.randint(1, 3)} if chance(random, 2) else {})


_ALGORITHMS: Mapping[str, Callable[[Random], Document]] = {
    "losspass": _losspass,
    "dynaq": _dynaq,
    "l2bm": _l2bm,
    "edt": _edt,
}


def draw_trace(random: Random, algorithm: str | None = None) -> Document:
    """Draw a valid trace of an algorithm, by default any, in one of its readings."""
    name = algorithm or random.choice(ALGORITHMS)
    options = {option: random.choice(words) for option, words in OPTIONS[name].items()}
    document = {"id": random.randint(0, 10**6), "algorithm": name, **options, **_ALGORITHMS[name](random)}
    if "buffer" in document and chance(random, 8):
        kind = "number" if document.get("count") == "packets" else "size"
        document["buffer"] = written(random, Fraction(document["buffer"]), kind)
    return document
