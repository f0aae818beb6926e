"""Kind ``samples``: no motion of queues under DT gives two samples of their counters and has certain margins between.

A queue i has a reserve r, a weight alpha and an output of rate C that sends whenever the queue holds bytes. The queues
share B; T = r + alpha (B - sum max(q - r, 0)) is the threshold, and T - q the margin. A ``visit`` names a queue, a
relation and a number for its margin at some instant; ``reached`` says that a queue has the length ``most`` at some
instant. Between two such instants each queue may receive all bytes at the end, in the order of falling
max(q - r, 0) / alpha: then no queue is longer meanwhile, and none grows beyond its threshold. So as many phases as
there are instants, and one more, are all motions.

The rows (an expression >= 0, or > 0) and the alternatives (cases, each a list of rows) of these phases are made here.
A proof is ``{"split": k, "cases": [...]}``, with a proof for each case of alternative k, or ``{"multiples": [[row,
multiplier], ...]}``: the sum of rows (``[number]`` of a fact, ``[alternative, case, number]``) with these positive
multipliers has no variable, and is below 0, or 0 with a row that says > 0.
"""

from fractions import Fraction
from typing import Any

from .algebra import ONE, Polynomial, plus, refuse_unless, scaled

__all__ = ["check"]

Row = tuple[Polynomial, bool]


def check(document: dict[str, Any]) -> None:
    """Make the rows of each interval again, and check that the proofs refute them."""
    refuse_unless(bool(document["intervals"]), "no interval")
    for interval in document["intervals"]:
        refuse_unless(bool(interval["refutations"]), "no refutation")
        for refutation in interval["refutations"]:
            visits = [(int(i), str(relation), Fraction(bound)) for i, relation, bound in refutation["visits"]]
            refuse_unless(_shows(refutation["verdict"], visits), "the visits do not show the verdict")
            system = System(Fraction(document["buffer"]), interval["queues"])
            system.motion(Fraction(interval["seconds"]), visits)
            system.refute(refutation["proof"], {(n,): row for n, row in enumerate(system.facts)})


def _shows(verdict: str, visits: list[tuple[int, str, Fraction]]) -> bool:
    """Return True if a motion against the verdict would have these margins."""
    if verdict == "must":
        return len(visits) == 1 and visits[0][1] == ">" and visits[0][2] <= 0
    return verdict == "cannot" and all((relation, bound > 0) in (("<", True), ("<=", False)) and bound >= 0
                                       for _, relation, bound in visits)  # fmt: skip


def _variable(name: str) -> Polynomial:
    return {((name, 1),): Fraction(1)}


def _number(value: Any) -> Polynomial:
    return scaled(ONE, Fraction(value)) if value else {}


def _minus(left: Polynomial, right: Polynomial) -> Polynomial:
    return plus(left, scaled(right, Fraction(-1)))


class System:
    """Rows and alternatives of the motions in one interval."""

    def __init__(self, size: Fraction, queues: list[dict[str, Any]]) -> None:
        self.size, self.queues = _number(size), queues
        self.alphas = [Fraction(queue["alpha"]) for queue in queues]
        refuse_unless(size > 0 and all(alpha > 0 for alpha in self.alphas), "a size or a weight is not positive")
        self.facts: list[Row] = []
        self.splits: list[list[list[Row]]] = []
        self.greatest: dict[frozenset[Any], Polynomial] = {}

    def fact(self, row: Polynomial, strict: bool = False) -> None:
        """Add a row that holds."""
        self.facts.append((row, strict))

    def positive(self, x: Polynomial) -> Polynomial:
        """Return max(x, 0)."""
        if set(x) <= {()}:
            return _number(max(x.get((), Fraction(0)), Fraction(0)))
        if frozenset(x.items()) in self.greatest:
            return self.greatest[frozenset(x.items())]
        y = self.greatest[frozenset(x.items())] = _variable(f"max{len(self.splits)}")
        self.fact(y)
        self.fact(_minus(y, x))
        self.splits.append([[(_minus({}, y), False)], [(_minus(x, y), False)]])
        return y

    def motion(self, time: Fraction, visits: list[tuple[int, str, Fraction]]) -> None:
        """Add the phases, and the margins and watermarks that are reached."""
        of, every = self.queues, range(len(self.queues))
        raised = [i for i in every if of[i]["reached"]]
        count = len(visits) + len(raised)
        before, ends = ([_number(Fraction(queue[end])) for queue in of] for end in ("start", "end"))
        rates = [Fraction(queue["rate"]) for queue in of]
        idle = [_number(Fraction(queue["out"]) - rate * time) for queue, rate in zip(of, rates, strict=True)]
        for unsent in idle:
            self.fact(_minus({}, unsent))
        total, states = _number(-time), []
        for phase in range(count + 1):
            wait = _variable(f"wait{phase}")
            after = ends if phase == count else [_variable(f"q{phase}_{i}") for i in every]
            self.fact(wait)
            kept = [_minus(q, scaled(wait, rate)) for q, rate in zip(before, rates, strict=True)]
            left = [self.positive(x) for x in kept]
            idle = [plus(idle[i], _minus(left[i], kept[i])) for i in every]
            self.burst(left, after)
            total = plus(total, wait)
            states.append(after)
            before = after
        for row in (total, _minus({}, total), *idle):
            self.fact(row)
        for number, visit in enumerate(visits):
            self.visit(_variable(f"gap{number}"), visit, states[:count])
        for i in raised:
            most = _number(Fraction(of[i]["most"]))
            self.splits.append([[(_minus(state[i], most), False)] for state in states[:count]])

    def visit(self, gap: Polynomial, visit: tuple[int, str, Fraction], states: list[list[Polynomial]]) -> None:
        """Add the margin of a queue at one of the instants."""
        i, relation, bound = visit
        beyond = _minus(gap, _number(bound)) if relation == ">" else _minus(_number(bound), gap)
        self.fact(beyond, relation != "<=")
        cases = []
        for state in states:
            free = self.size
            for shared in self.shared(state):
                free = _minus(free, shared)
            own = _minus(_number(Fraction(self.queues[i]["reserve"])), state[i])
            margin = plus(own, scaled(free, self.alphas[i]))
            cases.append([(_minus(gap, margin), False), (_minus(margin, gap), False)])
        self.splits.append(cases)

    def shared(self, lengths: list[Polynomial]) -> list[Polynomial]:
        """Return the bytes of each queue beyond its reserve."""
        reserves = [_number(Fraction(queue["reserve"])) for queue in self.queues]
        return [self.positive(_minus(q, r)) if r else q for q, r in zip(lengths, reserves, strict=True)]

    def burst(self, old: list[Polynomial], new: list[Polynomial]) -> None:
        """Add growth at one instant: each queue that grows ends at most at its threshold."""
        start, end = self.shared(old), self.shared(new)
        levels = [scaled(x, 1 / alpha) for x, alpha in zip(end, self.alphas, strict=True)]
        free = self.size
        for x in end:
            free = _minus(free, x)
        self.fact(free)
        for i, queue in enumerate(self.queues):
            self.fact(_minus(new[i], old[i]))
            if queue["most"] is not None:
                self.fact(_minus(_number(Fraction(queue["most"])), new[i]))
            room = _minus(_minus(self.size, end[i]), levels[i])
            for j in range(len(self.queues)):
                if j != i:
                    other = _variable(f"other{len(self.splits)}")
                    self.fact(_minus(other, start[j]))
                    self.splits.append([[(_minus(other, end[j]), False)], [(_minus(levels[i], levels[j]), True)]])
                    room = _minus(room, other)
            self.splits.append([[(_minus(start[i], end[i]), False)], [(room, False)]])

    def refute(self, proof: dict[str, Any], known: dict[tuple[int, ...], Row]) -> None:
        """Check a proof from known rows."""
        if "split" in proof:
            split = proof["split"]
            refuse_unless(type(split) is int and 0 <= split < len(self.splits), "an alternative is missing")
            refuse_unless(len(proof["cases"]) == len(self.splits[split]), "a case is missing")
            for case, (part, rows) in enumerate(zip(proof["cases"], self.splits[split], strict=True)):
                self.refute(part, known | {(split, case, n): row for n, row in enumerate(rows)})
            return
        total: Polynomial = {}
        strict = False
        for key, multiple in proof["multiples"]:
            refuse_unless(
                tuple(key) in known and Fraction(multiple) > 0, "a row does not hold, or a multiplier is not > 0"
            )
            row, sharp = known[tuple(key)]
            total, strict = plus(total, scaled(row, Fraction(multiple))), strict or sharp
        below = total.get((), Fraction(0))
        refuse_unless(set(total) <= {()}, "the variables do not cancel")
        refuse_unless(below < 0 or (strict and below == 0), "the sum is not a contradiction")
