"""Kind ``derived``: the symbolic trajectory of each open cell of a derived theorem about the first drop under DT laws.

In a cell all symbols and all conditions are positive. Class k has ``count`` queues of rate C, alpha a and arrivals;
with F = B - sum of counts and lengths, the trajectory must obey the fluid model (below its threshold a F a queue moves
at R - C, on it with it, above it at -C), lose nothing of the asked class before the last phase, and lose there.
Inequalities are linear in time within a phase, so that both ends of it decide. That such a trajectory is the only one
is the model's uniqueness, and that the cells cover the domain is not checked here.
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
    """Check every cell."""
    symbols = set(document["symbols"])
    classes = [
        {key: None if value is None else ratio(value) for key, value in queue.items() if key != "arrivals"}
        | {"arrivals": [(ratio(time), ratio(rate)) for time, rate in queue["arrivals"]]}
        for queue in document["classes"]
    ]
    domain = [polynomial(poly) for poly in document["domain"]]
    refuse_unless(bool(document["cells"]), "there is no cell")
    for number, cell in enumerate(document["cells"]):
        conditions = [polynomial(poly) for poly in cell["conditions"]] + domain
        refuse_unless(all(names(poly) <= symbols for poly in conditions), "a condition has an unknown symbol")
        goals = list(obeyed(cell["phases"], classes, ratio(document["buffer"]), document["asked"]))
        refuse_unless(len(goals) == len(cell["proofs"]), f"cell {number}: a proof for each inequality")
        for place, (goal, proof) in enumerate(zip(goals, cell["proofs"], strict=True)):
            where = f"cell {number}, inequality {place}"
            refuse_unless(proof != "smt", f"{where} rests on a solver")
            sign = shown(goal, proof, conditions, where)
            refuse_unless(sign > 0 or (sign == 0 and place < len(goals) - 1), f"{where} does not hold")


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
    rest = scaled(factor, Fraction(how["sign"]))
    if "condition" in how:
        number, monomial = how.get("times", ["1", {}])
        refuse_unless(Fraction(number) >= 0 and how["condition"] >= 0, f"{where}: a factor of a condition")
        given = times(polynomial([[number, monomial]]), conditions[how["condition"]])
        rest = plus(rest, scaled(given, Fraction(-1)))
        refuse_unless(bool(given) or bool(rest), f"{where}: nothing is positive")
    else:
        refuse_unless(bool(rest), f"{where}: a factor is 0")
    refuse_unless(all(value > 0 for value in rest.values()), f"{where}: a factor has not the sign that is said")


def obeyed(phases: Any, classes: list[Any], buffer: Ratio, asked: int) -> Iterator[Ratio]:
    """Check the equations of a trajectory, and yield what must not be negative; the last must be positive."""
    read = [phase | {key: [ratio(value) for value in phase[key]] for key in ("lengths", "slopes")}
            | {key: ratio(phase[key]) for key in ("begin", "free")} for phase in phases]  # fmt: skip
    same(read[0]["begin"], ZERO, "the trajectory does not begin at 0")
    for queue, length in zip(classes, read[0]["lengths"], strict=True):
        begin = product(queue["alpha"], read[0]["free"]) if queue["initial"] is None else queue["initial"]
        same(length, begin, "a queue has another length at time 0")
    loss = ZERO
    for phase, after in zip(read, [*read[1:], None], strict=True):
        held, growth = buffer, ZERO
        for queue, length, slope in zip(classes, phase["lengths"], phase["slopes"], strict=True):
            held = minus(held, product(queue["count"], length))
            growth = minus(growth, product(queue["count"], slope))
        same(held, phase["free"], "the free buffer is not what the queues leave")
        if after is not None:
            step = minus(after["begin"], phase["begin"])
            yield step
        for k, queue in enumerate(classes):
            piece, slope, length = phase["pieces"][k], phase["slopes"][k], phase["lengths"][k]
            refuse_unless(-1 <= piece < len(queue["arrivals"]), "there are no such arrivals")
            if piece >= 0:
                yield minus(phase["begin"], queue["arrivals"][piece][0])
            if piece + 1 < len(queue["arrivals"]):
                yield minus(queue["arrivals"][piece + 1][0], (phase if after is None else after)["begin"])
            if after is not None:
                same(after["lengths"][k], add(length, product(slope, step)), "a length is not what the slope makes it")
            offered = queue["arrivals"][piece][1] if piece >= 0 else ZERO
            lost = yield from moves(phase["where"][k], queue, (phase, after, k), offered, growth)
            if k == asked:
                loss = lost
                if after is not None:
                    same(lost, ZERO, "the class loses something before")
    yield loss


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
