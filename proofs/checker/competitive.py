"""Kind ``ratio``: the competitive ratio of a policy with unit packets, with a potential and a cycle that attains it.

The rows of the potential are the states of the policy, its columns all fillings of the optimum's buffer, by decreasing
sum and then in the order of their lengths. For the ratio p / q an edge weighs q times what the optimum sends less p
times what the policy sends; a potential that no edge raises shows that nothing exceeds the ratio.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from .algebra import refuse_unless

__all__ = ["check"]

Lengths = tuple[int, ...]
Decide = Callable[[Lengths, int], Lengths | None]


def check(document: dict[str, Any]) -> None:
    """Check the policy's table, every edge of the product, the constant, and the arrivals that attain the ratio."""
    N, B = document["ports"], document["buffer"]
    refuse_unless(type(N) is int and type(B) is int and N > 0 and B > 0, "ports and buffer are not whole")
    states = [tuple(lengths) for lengths in document["states"]]
    refuse_unless(all(len(q) == N and min(q) >= 0 and sum(q) <= B for q in states), "a state is not a filling")
    _check_table(document, states, _decide(document["policy"], N, B))
    fillings = sorted((q for q in product(range(B + 1), repeat=N) if sum(q) <= B), key=lambda q: (-sum(q), q))
    _check_edges(document, states, fillings)
    _check_walk(document, states, B)


def _decide(policy: dict[str, Any], N: int, B: int) -> Decide | None:
    """Return the lengths after an arrival, from the policy's definition; None if the table defines the policy."""
    kind = policy["form"]
    if kind == "table":
        return None
    if kind == "thresholds":
        limits = [_threshold(limit) for limit in policy["thresholds"]]
        refuse_unless(len(limits) == N, "there is not one threshold for each port")
        return lambda q, i: _longer(q, i) if sum(q) < B and limits[i](q[i], B - sum(q)) else q
    if kind == "steps":
        refuse_unless(len(policy["levels"]) == len(policy["limits"]), "there is not one limit for each level")
        steps = [*zip(map(Fraction, policy["levels"]), map(Fraction, policy["limits"]), strict=True)]
        return lambda q, i: q if sum(q) == B or any(sum(q) >= x and q[i] >= y for x, y in steps) else _longer(q, i)
    if kind == "occamy":
        alpha = Fraction(policy["alpha"])
        return lambda q, i: _occamy(q, i, B, alpha)
    refuse_unless(kind in FORMS, f"the policy {kind!r} is unknown")
    return lambda q, i: FORMS[kind](q, i, B)


def _threshold(limit: dict[str, Any] | None) -> Callable[[int, int], bool]:
    if limit is None:
        return lambda *_: True
    slope, offset = Fraction(limit["slope"]), Fraction(limit["offset"])
    cap = limit["cap"] if limit["cap"] is None else Fraction(limit["cap"])
    return lambda length, free: length < slope * free + offset and (cap is None or length < cap)


def _longer(q: Lengths, i: int) -> Lengths:
    return (*q[:i], q[i] + 1, *q[i + 1 :])


def _lqd(q: Lengths, i: int, B: int) -> Lengths:
    """The longest queue, the first of several, loses a packet unless the packet's own queue would be as long."""
    if sum(q) < B:
        return _longer(q, i)
    j = q.index(max(q))
    return q if q[j] <= q[i] + 1 else _longer((*q[:j], q[j] - 1, *q[j + 1 :]), i)


def _occamy(q: Lengths, i: int, B: int, alpha: Fraction) -> Lengths:
    """Longest queues above alpha F lose waiting packets, then the packet enters below alpha F."""
    while (waiting := [x for x in q if x > 1]) and max(waiting) > alpha * (B - sum(q)):
        j = q.index(max(waiting))
        q = (*q[:j], q[j] - 1, *q[j + 1 :])
    return _longer(q, i) if q[i] < alpha * (B - sum(q)) else q


def _harmonic(q: Lengths, i: int, B: int) -> Lengths:
    """The m longest queues hold at most B H_m / H_N together."""
    after = sorted(_longer(q, i), reverse=True)
    sums = [sum((Fraction(1, k + 1) for k in range(m)), Fraction(0)) for m in range(1, len(q) + 1)]
    return _longer(q, i) if all(sum(after[: m + 1]) * sums[-1] <= B * sums[m] for m in range(len(q))) else q


FORMS: dict[str, Callable[[Lengths, int, int], Lengths]] = {"lqd": _lqd, "harmonic": _harmonic}


def _check_table(document: dict[str, Any], states: list[Lengths], decide: Decide | None) -> None:
    """Check that the table is closed and that the policy has these successors."""
    arrive, depart, start = document["arrive"], document["depart"], document["start"]
    refuse_unless(len(arrive) == len(depart) == len(states), "a state has no successors")
    successors = [depart, [start], *arrive]
    refuse_unless(all(type(k) is int and 0 <= k < len(states) for row in successors for k in row), "a state is missing")
    refuse_unless(not any(states[start]), "the start is not empty")
    refuse_unless(decide is None or len(set(states)) == len(states), "a state stands twice")
    for s, q in enumerate(states):
        refuse_unless(states[depart[s]] == tuple(max(x - 1, 0) for x in q), f"departures from {q} lead elsewhere")
        refuse_unless(len(arrive[s]) == len(q), f"an arrival at {q} is missing")
        for i, after in enumerate(states[k] for k in arrive[s]):
            right = after == decide(q, i) if decide else _possible(q, i, after)
            refuse_unless(right, f"the policy does not go from {q} to {after} if a packet arrives at port {i}")


def _possible(q: Lengths, i: int, after: Lengths) -> bool:
    """Return True if some policy can go from `q` to `after`: queues lose waiting packets, and queue i may gain one."""
    return all(min(old, 1) <= new <= old + (j == i) for j, (old, new) in enumerate(zip(q, after, strict=True)))


def _check_edges(document: dict[str, Any], states: list[Lengths], fillings: list[Lengths]) -> None:
    """Check that no edge raises a potential, and that each potential is that of an edge."""
    phi, ratio, empty = document["potential"], Fraction(document["ratio"]), len(fillings) - 1
    refuse_unless(len(phi) == len(states) and all(len(row) == len(fillings) for row in phi), "a potential is missing")
    refuse_unless(all(type(value) is int for row in phi for value in row), "a potential is not whole")
    place = {o: k for k, o in enumerate(fillings)}
    drain = [place[tuple(max(x - 1, 0) for x in o)] for o in fillings]
    accept = [[place.get(_longer(o, i)) for i in range(len(o))] for o in fillings]
    gained = [ratio.denominator * sum(x > 0 for x in o) for o in fillings]
    for s, q in enumerate(states):
        cost = ratio.numerator * sum(x > 0 for x in q)

        def edges(o: int, s: int = s, cost: int = cost) -> Iterator[tuple[int, int, int]]:
            yield gained[o] - cost, document["depart"][s], drain[o]
            for i, after in enumerate(document["arrive"][s]):
                yield 0, after, o
                if (taken := accept[o][i]) is not None:
                    yield 0, after, taken

        for o in range(len(fillings)):
            values = [weight + phi[t][p] for weight, t, p in edges(o) if (t, p) != (s, o)]
            drained = o == empty and not any(q)
            refuse_unless(phi[s][o] == max([*values, *[0] * drained]), f"the potential of {q} and {fillings[o]}")
    additive = Fraction(document["additive"])
    refuse_unless(phi[document["start"]][empty] == additive * ratio.denominator, "the potential of the start")


def _check_walk(document: dict[str, Any], states: list[Lengths], B: int) -> None:
    """Check that the prefix leads to a cycle in which the optimum sends `ratio` times as much as the policy."""
    s, o = document["start"], (0,) * document["ports"]

    def follow(events: list[list[int] | None]) -> tuple[int, int]:
        nonlocal s, o
        optimum = policy = 0
        for event in events:
            if event is None:
                optimum, policy = optimum + sum(x > 0 for x in o), policy + sum(x > 0 for x in states[s])
                s, o = document["depart"][s], tuple(max(x - 1, 0) for x in o)
                continue
            port, accepted = event
            refuse_unless(0 <= port < len(o) and accepted in (0, 1), "an event is not an arrival")
            s, o = document["arrive"][s][port], _longer(o, port) if accepted else o
            refuse_unless(sum(o) <= B, "the optimum accepts more than the buffer holds")
        return optimum, policy

    follow(document["prefix"])
    before = s, o
    optimum, policy = follow(document["cycle"])
    refuse_unless((s, o) == before, "the cycle does not return")
    same = policy > 0 and Fraction(optimum, policy) == Fraction(document["ratio"])
    refuse_unless(same, "the cycle has another ratio")
