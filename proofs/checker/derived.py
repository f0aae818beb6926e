"""Kind ``derived``: the symbolic trajectory of each open cell of a derived theorem under DT laws.

In a cell all symbols and all conditions are positive. Class k has ``count`` queues of rate C, alpha a and arrivals;
with F = B - sum of counts and lengths, the trajectory must obey the fluid model (below its threshold a F a queue moves
at R - C, on it with it, above it at -C). It ends with the first loss of the asked class, at the time ``at`` that is
asked about, or never: then the last phase lasts as long as one likes, since nothing in it shrinks. The answers are
read off it. Inequalities are linear in time within a phase, so that both ends of it decide. That such a trajectory is
the only one is the model's uniqueness. ``coverage`` shows that every point at which no condition is 0 lies in a cell,
or in one whose inequalities rest on a solver (``left_out``): all signs of the conditions are gone through, but for
those of which some are shown to exclude another, or said to by a solver (``"smt"``: not checked here; null: unknown).
What holds where a condition is 0 is not checked here.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from fractions import Fraction
from typing import Any

from .algebra import ONE, Polynomial, Ratio, names, plus, polynomial, power_of, refuse_unless, times

__all__ = ["check"]

ZERO: Ratio = ({}, ONE)


def scaled(poly: Polynomial, number: Fraction) -> Polynomial:
    """Multiply a polynomial by a number."""
    return {monomial: value * number for monomial, value in poly.items() if number}


def ratio(document: Any) -> Ratio:
    """Read a quotient of polynomials."""
    top, bottom = map(polynomial, document)
    refuse_unless(bool(bottom), "a denominator is 0")
    return top, bottom


def add(left: Ratio, right: Ratio) -> Ratio:
    """Add two quotients of polynomials."""
    return plus(times(left[0], right[1]), times(right[0], left[1])), times(left[1], right[1])


def minus(left: Ratio, right: Ratio) -> Ratio:
    """Subtract a quotient from another."""
    return add(left, (scaled(right[0], Fraction(-1)), right[1]))


def product(left: Ratio, right: Ratio) -> Ratio:
    """Multiply two quotients of polynomials."""
    return times(left[0], right[0]), times(left[1], right[1])


def same(left: Ratio, right: Ratio, what: str) -> None:
    """Refuse unless both are one function."""
    refuse_unless(times(left[0], right[1]) == times(right[0], left[1]), what)


def check(document: dict[str, Any]) -> None:
    """Check every cell, and that no signs of the conditions are left that are those of none."""
    symbols = set(document["symbols"])
    classes = [
        {key: None if value is None else ratio(value) for key, value in queue.items() if key != "arrivals"}
        | {"arrivals": [(ratio(time), ratio(rate)) for time, rate in queue["arrivals"]]}
        for queue in document["classes"]
    ]
    domain = [polynomial(poly) for poly in document["domain"]]
    refuse_unless(bool(document["cells"]), "there is no cell")
    each = []
    for number, cell in enumerate(document["cells"]):
        own = [polynomial(poly) for poly in cell["conditions"]]
        each.append(own)
        conditions = own + domain
        refuse_unless(all(names(poly) <= symbols for poly in conditions), "a condition has an unknown symbol")
        at = None if document["at"] is None else ratio(document["at"])
        refuse_unless((cell["ends"] == "time") == (at is not None), f"cell {number} ends otherwise than is asked")
        goals = list(obeyed(cell, classes, ratio(document["buffer"]), document["asked"], at))
        refuse_unless(len(goals) == len(cell["proofs"]), f"cell {number}: a proof for each inequality")
        for place, (goal, proof) in enumerate(zip(goals, cell["proofs"], strict=True)):
            where = f"cell {number}, inequality {place}"
            refuse_unless(proof != "smt", f"{where} rests on a solver")
            sign, last = shown(goal, proof, conditions, where), cell["ends"] == "loss" and place == len(goals) - 1
            refuse_unless(sign > 0 or (sign == 0 and not last), f"{where} does not hold")
    each += [[polynomial(poly) for poly in conditions] for conditions in document["left_out"]]
    if document["coverage"] is not None:
        covered(each, domain, exclusions(document["coverage"]))


Key = frozenset[tuple[Any, Fraction]]


def key(poly: Polynomial, sign: int = 1) -> Key:
    """Return what identifies a condition, or with -1 its negation."""
    return frozenset(scaled(poly, Fraction(sign)).items())


def exclusions(documents: Any) -> list[frozenset[Key]]:
    """Return which conditions cannot all be positive: the others, if they are, show the first one to be negative."""
    found = []
    for number, document in enumerate(documents):
        first, *others = map(polynomial, document["conditions"])
        if document["how"] != "smt":  # which is taken on trust, and said
            refuse_unless(document["how"]["sign"] == -1, f"exclusion {number}: a sign")
            signed(first, document["how"], others, f"exclusion {number}")
        found.append(frozenset({key(first), *map(key, others)}))
    return found


def covered(cells: list[list[Polynomial]], domain: list[Polynomial], apart: list[frozenset[Key]]) -> None:
    """Refuse unless all signs that the conditions can have together are those of a cell."""
    waiting = [{key(poly) for poly in domain}]
    while waiting:
        signs = waiting.pop()
        left = [cell for cell in cells if not any(key(poly, -1) in signs for poly in cell)]
        refuse_unless(bool(left), "the cells do not cover the domain")
        free = [poly for poly in left[0] if key(poly) not in signs]
        for new in (key(free[0]), key(free[0], -1)) if free else ():
            if not any(clause <= {*signs, new} for clause in apart):
                waiting.append({*signs, new})


def shown(goal: Ratio, proof: Any, conditions: list[Polynomial], where: str) -> int:
    """Return the sign of a goal that its factors show."""
    parts, sign = [], 1
    for part in proof:
        number = Fraction(part["number"])
        whole, sign = scaled(ONE, number), sign * ((number > 0) - (number < 0))
        for factor, power, how in part["factors"]:
            refuse_unless(power > 0, f"{where}: a power of a factor")
            read = polynomial(factor)
            signed(read, how, conditions, where)
            whole, sign = times(whole, power_of(read, power)), sign * how["sign"] ** power
        parts.append(whole)
    refuse_unless(bool(parts[1]), f"{where}: the denominator is 0")
    same(goal, (parts[0], parts[1]), f"{where}: the factors are those of another inequality")
    return sign


def signed(factor: Polynomial, how: dict[str, Any], conditions: list[Polynomial], where: str) -> None:
    """Refuse unless a factor times its sign is positive where all symbols and conditions are."""
    refuse_unless(how["sign"] in {1, -1}, f"{where}: a sign")
    rest, used = scaled(factor, Fraction(how["sign"])), False
    for place, number, monomial in how.get("from", ()):
        refuse_unless(Fraction(number) > 0 and place >= 0, f"{where}: a multiple of a condition")
        given = times(polynomial([[number, monomial]]), conditions[place])
        rest, used = plus(rest, scaled(given, Fraction(-1))), used or bool(given)
    refuse_unless(used or bool(rest), f"{where}: nothing is positive")
    refuse_unless(all(value > 0 for value in rest.values()), f"{where}: a factor has not the sign that is said")


def obeyed(cell: Any, classes: list[Any], buffer: Ratio, asked: int, at: Ratio | None) -> Iterator[Ratio]:
    """Check the equations of a trajectory, and yield what must not be negative; a last loss must be positive."""
    read = [phase | {key: [ratio(value) for value in phase[key]] for key in ("lengths", "slopes")}
            | {key: ratio(phase[key]) for key in ("begin", "free")} for phase in cell["phases"]]  # fmt: skip
    begins(read[0], classes)
    loss = dropped = ZERO
    for phase, after in zip(read, [*read[1:], None], strict=True):
        held, growth = buffer, ZERO
        for queue, length, slope in zip(classes, phase["lengths"], phase["slopes"], strict=True):
            held = minus(held, product(queue["count"], length))
            growth = minus(growth, product(queue["count"], slope))
        same(held, phase["free"], "the free buffer is not what the queues leave")
        if after is not None:
            step = minus(after["begin"], phase["begin"])
            yield step
        elif at is not None:
            break
        for k, queue in enumerate(classes):
            piece, slope, length = phase["pieces"][k], phase["slopes"][k], phase["lengths"][k]
            refuse_unless(-1 <= piece < len(queue["arrivals"]), "there are no such arrivals")
            if piece >= 0:
                yield minus(phase["begin"], queue["arrivals"][piece][0])
            if piece + 1 < len(queue["arrivals"]):
                refuse_unless(after is not None or cell["ends"] == "loss", "what lasts for ever has all arrivals")
                yield minus(queue["arrivals"][piece + 1][0], (phase if after is None else after)["begin"])
            if after is not None:
                same(after["lengths"][k], add(length, product(slope, step)), "a length is not what the slope makes it")
            offered = queue["arrivals"][piece][1] if piece >= 0 else ZERO
            lost = yield from moves(phase["where"][k], queue, (phase, after, k), offered, growth)
            if after is None and cell["ends"] == "never":
                yield from lasting(phase["where"][k], queue, slope, growth)
            if k == asked:
                loss = lost
                if after is not None:
                    dropped = add(dropped, product(lost, step))
                if at is None and (after is not None or cell["ends"] == "never"):
                    same(lost, ZERO, "the class loses something before")
    if cell["ends"] == "loss":
        yield loss
    threshold = product(classes[asked]["alpha"], read[-1]["free"])
    answered(cell, read[-1], {"dropped": dropped, "length": read[-1]["lengths"][asked], "threshold": threshold}, at)


def begins(phase: Any, classes: list[Any]) -> None:
    """Refuse unless a trajectory begins at 0 with the lengths that are given."""
    same(phase["begin"], ZERO, "the trajectory does not begin at 0")
    for queue, length in zip(classes, phase["lengths"], strict=True):
        begin = product(queue["alpha"], phase["free"]) if queue["initial"] is None else queue["initial"]
        same(length, begin, "a queue has another length at time 0")


def lasting(where: str, queue: Any, slope: Ratio, growth: Ratio) -> Iterator[Ratio]:
    """Yield what makes a queue move for ever as it does."""
    refuse_unless(where != "above", "no queue is above its threshold for ever")
    if where != "empty":
        yield slope
        yield minus(product(queue["alpha"], growth), slope)


def answered(cell: Any, last: Any, said: dict[str, Ratio], at: Ratio | None) -> None:
    """Refuse unless the answers of a cell are those of its trajectory, which ends with this phase."""
    if at is None:
        said = {"first_drop": last["begin"], "free_at_first_drop": last["free"]}
    else:
        same(last["begin"], at, "the trajectory ends at another time")
    refuse_unless(bool(cell["answers"]) and cell["answers"].keys() <= said.keys(), "other questions are answered")
    for name, answer in cell["answers"].items():
        refuse_unless((answer is None) == (cell["ends"] == "never"), f"the answer {name} is of another end")
        if answer is not None:
            same(ratio(answer), said[name], f"the answer {name} is another")


def moves(where: str, queue: Any, place: Any, offered: Ratio, growth: Ratio) -> Generator[Ratio, None, Ratio]:
    """Check how a queue moves in a phase; yield its inequalities and return what it loses."""
    phase, after, k = place
    slope, length, net = phase["slopes"][k], phase["lengths"][k], minus(offered, queue["rate"])
    room = minus(product(queue["alpha"], phase["free"]), length)
    if where == "empty":
        same(length, ZERO, "an empty queue holds something")
        same(slope, ZERO, "an empty queue moves")
        yield minus(ZERO, net)
        return ZERO
    if where == "on":
        same(room, ZERO, "a queue is not on its threshold")
        same(slope, product(queue["alpha"], growth), "a queue does not move with its threshold")
        yield add(slope, queue["rate"])
        yield minus(net, slope)
        return minus(net, slope)
    refuse_unless(where in {"below", "above"}, f"a queue lies {where}")
    below = where == "below"
    same(slope, net if below else minus(ZERO, queue["rate"]), "a queue moves otherwise")
    yield room if below else minus(ZERO, room)
    if after is not None:
        later = minus(product(queue["alpha"], after["free"]), after["lengths"][k])
        yield later if below else minus(ZERO, later)
        yield after["lengths"][k]
    return ZERO if below else offered
