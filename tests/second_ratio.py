"""A second program for competitive ratios, which shares no code with the package: reachable pairs, and all words."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

Lengths = tuple[int, ...]
Arrive = Callable[[Lengths, int], Lengths]


def longer(q: Lengths, i: int) -> Lengths:
    return tuple(x + (j == i) for j, x in enumerate(q))


def dt(alpha: Fraction, B: int) -> Arrive:
    return lambda q, i: longer(q, i) if sum(q) < B and q[i] < alpha * (B - sum(q)) else q


def steps(limits: tuple[int, ...], B: int) -> Arrive:
    return lambda q, i: longer(q, i) if sum(q) < B and q[i] < limits[sum(q)] else q


def lqd(B: int) -> Arrive:
    def arrive(q: Lengths, i: int) -> Lengths:
        after = longer(q, i)
        if sum(after) <= B or after[i] == max(after):
            return after if sum(after) <= B else q
        j = after.index(max(after))
        return tuple(x - (k == j) for k, x in enumerate(after))

    return arrive


def sends(q: Lengths) -> tuple[Lengths, int]:
    return tuple(x - (x > 0) for x in q), sum(x > 0 for x in q)


def ratio(arrive: Arrive, N: int, B: int) -> Fraction:
    """The largest ratio of a reachable cycle: while a walk of more edges than pairs gains, take the cycle on it."""
    start = (0,) * N, (0,) * N
    edges: dict[tuple[Lengths, Lengths], list[tuple[tuple[Lengths, Lengths], int, int]]] = {}
    waiting = [start]
    while waiting:
        a, o = pair = waiting.pop()
        if pair not in edges:
            (less, policy), (fewer, optimum) = sends(a), sends(o)
            edges[pair] = [((less, fewer), optimum, policy)]
            for i in range(N):
                edges[pair] += [((arrive(a, i), o), 0, 0)]
                edges[pair] += [((arrive(a, i), longer(o, i)), 0, 0)] if sum(o) < B else []
            waiting += [after for after, _, _ in edges[pair]]
    best = Fraction(1)
    while (better := _better(edges, best)) is not None:
        best = better
    return best


def _better(
    edges: dict[tuple[Lengths, Lengths], list[tuple[tuple[Lengths, Lengths], int, int]]], rho: Fraction
) -> Fraction | None:
    gain = dict.fromkeys(edges, Fraction(0))
    last: dict[tuple[Lengths, Lengths], tuple[tuple[Lengths, Lengths], int, int]] = {}
    for _ in range(len(edges) + 1):
        moved = False
        for pair, each in edges.items():
            for after, optimum, policy in each:
                if gain[pair] + optimum - rho * policy > gain[after]:
                    gain[after], last[after], moved = gain[pair] + optimum - rho * policy, (pair, optimum, policy), True
        if not moved:
            return None
        if (found := _cycle(last)) is not None:
            return found
    raise AssertionError("gains rise without a cycle")


def _cycle(last: dict[tuple[Lengths, Lengths], tuple[tuple[Lengths, Lengths], int, int]]) -> Fraction | None:
    done = set()
    for first in last:
        path, pair = list[tuple[Lengths, Lengths]](), first
        while pair in last and pair not in done:
            done.add(pair)
            path.append(pair)
            pair = last[pair][0]
        if pair in path:
            steps = [last[each][1:] for each in path[path.index(pair) :]]
            return Fraction(sum(step[0] for step in steps), sum(step[1] for step in steps))
    return None


def words(ports: int, length: int) -> Iterator[tuple[int, ...]]:
    """All words of arrivals at ports 0 to N - 1 and departures (N) of a length that begin with an arrival."""
    return (word for word in product(range(ports + 1), repeat=length) if word[0] < ports)


def throughputs(word: tuple[int, ...], arrive: Arrive, N: int, B: int) -> tuple[int, int]:
    """The most packets that any choice sends, and those of the policy, once all queues have drained."""
    a, policy, fillings = (0,) * N, 0, {(0,) * N: 0}
    for event in word:
        if event == N:
            a, sent = sends(a)
            policy += sent
            after: dict[Lengths, int] = {}
            for o, total in fillings.items():
                fewer, sent = sends(o)
                after[fewer] = max(after.get(fewer, 0), total + sent)
        else:
            a, after = arrive(a, event), dict(fillings)
            for o, total in fillings.items():
                if sum(o) < B:
                    after[longer(o, event)] = max(after.get(longer(o, event), 0), total)
        fillings = after
    return max(total + sum(o) for o, total in fillings.items()), policy + sum(a)
