"""Every short trace of EDT's state machine."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

from dtmodel.packet.edt.trace import run_trace

F = Fraction
SETTINGS: dict[str, Any] = {"alpha": 1, "buffer": 4, "cn1": 2, "cn2": 2, "tm1": 2, "tm2": 3}
Step = tuple[str, dict[str, Any], dict[str, Any], str]
"""What happened, the port before and after, and the decision."""


def request(events: list[list[Any]], ports: int, **changes: Any) -> dict[str, Any]:
    return {"algorithm": "edt", "ports": ports, **SETTINGS, **changes, "events": events}


def timed(letters: tuple[str, ...]) -> list[list[Any]]:
    """Write a word over a1, d1, a2, d2 (an arrival of size 1, a departure) and t (one second passes) as events."""
    now, events = 0, list[list[Any]]()
    for letter in letters:
        now += letter == "t"
        kind = {"a": "arrive", "d": "depart", "t": "tick"}[letter[0]]
        port_and_size = {"a": [1], "d": []}.get(letter[0])
        events.append([kind, now] if port_and_size is None else [kind, now, int(letter[1]), *port_and_size])
    return events


FRESH: dict[str, Any] = {"state": "controlled", "queue": "0", "threshold": "4", "c1": 0, "c2": "0"}
FRESH |= {"tm1": None, "tm2": None}


@cache
def every_trace(ports: int, length: int, reading: str = "circuit") -> tuple[tuple[tuple[str, Any, str], ...], ...]:
    """Return every trace of a length: for each event, what it was, the ports after it, and the decision."""
    letters = [*(f"{kind}{port}" for port in range(1, ports + 1) for kind in "ad"), "t"]
    traces = []
    for word in product(letters, repeat=length):
        steps = run_trace(request(timed(word), ports, reading=reading))["steps"]
        traces.append(tuple((w, s["ports"], s["decision"]) for w, s in zip(word, steps, strict=True)))
    return tuple(traces)


def steps() -> list[Step]:
    found: list[Step] = []
    for trace in every_trace(1, 6, "circuit"):
        states = [FRESH, *(ports[0] for _, ports, _ in trace)]
        for (event, _, decision), (before, after) in zip(trace, pairwise(states), strict=True):
            found.append((event, before, after, decision))
    return found


DOMAIN = "all traces of 6 events (arrival, departure, a second) of one port with B = 4, cn1 = cn2 = TM1 = 2, TM2 = 3"
TWO = "all traces of 5 events of two ports with B = 4, cn1 = cn2 = TM1 = 2, TM2 = 3"


def lengths_since_reset(reading: str) -> Iterator[tuple[Fraction, list[Fraction]]]:
    """Yield C2 and the queue lengths since it was last reset (a drop, TM1, or a change of state)."""
    for trace in every_trace(1, 6, reading):
        since, last, now = [F(0)], FRESH, 0
        for event, (port,), decision in trace:
            now += event == "t"
            expired = last["tm1"] is not None and F(last["tm1"]) <= now
            if expired or decision == "drop" or port["state"] != last["state"]:
                since = [F(port["queue"])]
            else:
                since.append(F(port["queue"]))
            if port["state"] == "controlled":
                yield F(port["c2"]), list(since)
            last = port


def final_state(reading: str) -> str:
    """Free a port, let two packets leave in succession, and return its state."""
    trace = request(timed(("a1", "a1", "a1", "d1", "d1")), 1, reading=reading, buffer=9)
    return str(run_trace(trace)["final"]["ports"][0]["state"])
