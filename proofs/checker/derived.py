"""Kind ``derived``: the symbolic trajectory of each open cell of a derived theorem.

In a cell all symbols and all conditions are positive. Class k has ``count`` queues of a rate C, with arrivals. Its
threshold is reserve + min(alpha F, cap) (DT laws: alpha alone; a static partition: cap alone; complete sharing: none,
and a full buffer admits the fraction of all arrivals that keeps it full). F is the buffer without the reserves and
without what queues hold beyond them; an empty queue, or one in its reserve, holds none of it. The trajectory must obey
the fluid model: below its threshold a queue moves at R - C, on it with it, above it at -C, in its reserve at R - C. It
ends with the first loss of the asked class, at the time ``at`` that is asked about, where the family ends (``until``),
or never: then the last phase lasts as long as one likes, since nothing in it shrinks. The answers are read off it.
Inequalities are linear in time within a phase, so that both ends of it decide; the phase that begins with the loss
lasts for a while, since each holds strictly at its beginning, or is an equality there and does not fall. That such a
trajectory is the only one is the model's uniqueness. EDT's counters and timers (``counters``) are gone through beside
it (`proofs.checker.counters`). ``coverage`` shows that every point at which no condition is 0 lies in a cell, or in
one whose inequalities rest on a solver (``left_out``): all signs of the conditions are gone through, but for those of
which some are shown to exclude another, or said to by a solver (``"smt"``: not checked here; null: unknown).
``closure`` says so of the cases of the theorem, and of the points at which conditions are 0
(`proofs.checker.closure`). Where a trajectory inside has no limit there, a cell of a face stands in for it: one of the
family in which a symbol has a value (``faces``).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from fractions import Fraction
from typing import Any

from .algebra import (
    ONE,
    Polynomial,
    Ratio,
    impossible,
    names,
    plus,
    polynomial,
    power_of,
    refuse_unless,
    scaled,
    substitute,
    times,
)
from .closure import check_closure
from .counters import Counters, share

__all__ = ["check"]

ZERO: Ratio = ({}, ONE)
RESERVE = "in its reserve"


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


def queue_class(document: Any) -> Any:
    """Read a class of queues."""
    arrivals = [[ratio(time), ratio(rate)] for time, rate in document["arrivals"]]
    numbers = {key: None if value is None else ratio(value) for key, value in document.items() if key != "arrivals"}
    return numbers | {"arrivals": arrivals}


def check(document: dict[str, Any]) -> None:
    """Check every cell, and that no signs of the conditions are left that are those of none; for each question."""
    if "questions" in document:
        first = document["questions"][0]
        for each_asked in document["questions"]:
            same_family = all(each_asked[name] == first[name] for name in ("symbols", "domain", "buffer", "classes"))
            refuse_unless(same_family, "the questions are about different families")
            check(each_asked)
        return
    symbols = set(document["symbols"])
    family = read_family(document)
    faces = [on_face(face, family, symbols) for face in document["faces"]]
    domain = [polynomial(poly) for poly in document["domain"]]
    refuse_unless(bool(document["cells"]), "there is no cell")
    each, closed = [], []
    weak = set(document["closure"]["weak"]) if document["closure"] else set()
    for number, cell in enumerate(document["cells"]):
        own = [polynomial(poly) for poly in cell["conditions"]]
        refuse_unless(all(names(poly) <= symbols for poly in own), "a condition has an unknown symbol")
        if "face" in cell:
            its, whole, zeros, beside = faces[cell["face"]]
        else:
            its, whole, zeros, beside = family, family, [], []
            each.append(own)
        positive = [*beside, *obeying(number, cell, its, document["question"], (own, weak))]
        closed.append({"conditions": own, "zeros": zeros, "positive": positive} | written(cell, whole))
    each += [[polynomial(poly) for poly in conditions] for conditions in document["left_out"]]
    if document["coverage"] is not None:
        covered(each, domain, exclusions(document["coverage"]))
    if document["closure"] is not None:
        check_closure(document, closed)


def obeying(number: int, cell: Any, family: Any, question: str, given: Given) -> list[Polynomial]:
    """Check that a trajectory obeys the model where all conditions are positive; return what it needs not to be 0."""
    at, until = family["at"], family["until"]
    ends = {"time"} if at is not None else {"loss", "never" if until is None else "until"}
    refuse_unless(cell["ends"] in ends, f"cell {number} ends otherwise than is asked")
    chosen, first = constant(cell, family["classes"], family["sojourns"])
    asked = question, family["asked"], at, until
    goals = [*first, *obeyed(cell, chosen, family["buffer"], asked, family["counters"])]
    refuse_unless(len(goals) == len(cell["proofs"]), f"cell {number}: a proof for each inequality")
    positive = []
    for place, ((goal, strict), proof) in enumerate(zip(goals, cell["proofs"], strict=True)):
        where = f"cell {number}, inequality {place}"
        refuse_unless(proof != "smt", f"{where} rests on a solver")
        sign, more = shown(goal, proof, given, where)
        positive += more
        refuse_unless(sign > 0 or (sign == 0 and not strict), f"{where} does not hold")
        positive += [polynomial(factor) for part in proof[0 if strict else 1 :] for factor, _, _ in part["factors"]]
    return positive


def read_family(document: Any) -> dict[str, Any]:
    """Read the family of a certificate."""
    given, sojourns = document.get("counters"), document.get("sojourns")
    return {
        "asked": document["asked"],
        "buffer": ratio(document["buffer"]),
        "classes": [queue_class(queue) for queue in document["classes"]],
        "counters": given and {name: None if value is None else ratio(value) for name, value in given.items()},
        "sojourns": sojourns
        and {"which": sojourns["which"], "alpha": ratio(sojourns["alpha"]), "times": [*map(ratio, sojourns["times"])]},
        **{name: None if document[name] is None else ratio(document[name]) for name in ("at", "until")},
    }


def on_face(face: Any, family: Any, symbols: set[str]) -> tuple[Any, Any, list[Polynomial], list[Polynomial]]:
    """Return a family where a symbol has a value, the family itself, what is 0 there, and what must not be.

    Classes of which there are no queues then may be left out.
    """
    symbol, value, kept = face["symbol"], ratio(face["value"]), face["kept"]
    refuse_unless(symbol in symbols and symbol not in names(value[0]) | names(value[1]), "no face")
    refuse_unless(kept == sorted({k for k in kept if 0 <= k < len(family["classes"])}), "which classes are kept")
    refuse_unless(family["asked"] in kept, "the class that is asked about is left out")

    def there(here: Any) -> Any:
        if isinstance(here, dict):
            return {name: there(each) for name, each in here.items()}
        if isinstance(here, list):
            return [there(each) for each in here]
        if not isinstance(here, tuple):
            return here
        (top, over), (bottom, under) = (substitute(poly, {symbol: value}) for poly in here)
        refuse_unless(bool(bottom), "a denominator is 0 on the face")
        return times(top, under), times(over, bottom)

    for k, queue in enumerate(family["classes"]):
        refuse_unless(k in kept or not there(queue["count"])[0], "a class with queues is left out")
    whole = family | {"asked": kept.index(family["asked"]), "classes": [family["classes"][k] for k in kept]}
    if whole["sojourns"]:
        whole["sojourns"] = whole["sojourns"] | {"times": [whole["sojourns"]["times"][k] for k in kept]}
    zero = plus(times(value[1], {((symbol, 1),): Fraction(1)}), scaled(value[0], Fraction(-1)))
    return there(whole), whole, [zero], [value[1]]


def constant(cell: Any, classes: list[Any], document: Any) -> tuple[list[Any], list[Goal]]:
    """Return the classes with L2BM's alphas if its constant is one of the sojourn times, and what makes it that one."""
    if not document:
        return classes, []
    times_, place = document["times"], cell["chosen"]
    refuse_unless(len(times_) == len(classes) and 0 <= place < len(classes), "a sojourn time for each class")
    turn = {"least": 1, "greatest": -1}.get(document["which"])
    refuse_unless(turn is not None, "which sojourn time")
    own = product(document["alpha"], times_[place])
    each = [
        queue | {"alpha": (times(own[0], t[1]), times(own[1], t[0]))} for queue, t in zip(classes, times_, strict=True)
    ]
    apart = [minus(time, times_[place]) for time in times_]
    return each, [((scaled(top, Fraction(turn or 0)), bottom), False) for top, bottom in apart]


def written(cell: Any, family: Any) -> dict[str, Any]:
    """Return the answers of a cell, and all denominators that its family and its trajectory are written with."""
    answers = {name: None if answer is None else ratio(answer) for name, answer in cell["answers"].items()}
    ratios = [family["buffer"], family["at"], family["until"], *answers.values(), *(family["counters"] or {}).values()]
    if family["sojourns"]:
        each = family["sojourns"]["times"]
        ratios += [family["sojourns"]["alpha"], *each, *((bottom, top) for top, bottom in each)]
    for queue in family["classes"]:
        ratios += [value for name, value in queue.items() if name != "arrivals"]
        ratios += [value for piece in queue["arrivals"] for value in piece]
    for phase in map(read, cell["phases"]):
        ratios += [phase["begin"], phase["free"], phase["fraction"], *phase["lengths"], *phase["slopes"]]
    return {"answers": answers, "bottoms": [value[1] for value in ratios if value is not None]}


Key = frozenset[tuple[Any, Fraction]]
Given = tuple[list[Polynomial], set[str]]
"""Conditions, and the symbols that may be 0."""


def key(poly: Polynomial, sign: int = 1) -> Key:
    """Return what identifies a condition, or with -1 its negation."""
    return frozenset(scaled(poly, Fraction(sign)).items())


def exclusions(documents: Any) -> list[frozenset[Key]]:
    """Return which conditions cannot all be positive."""
    found = []
    for number, document in enumerate(documents):
        each = [polynomial(poly) for poly in document["conditions"]]
        if document["how"] != "smt":  # which is taken on trust, and said
            impossible([(poly, ">") for poly in each], document["how"]["from"], set(), f"exclusion {number}")
        found.append(frozenset(map(key, each)))
    return found


def covered(cells: list[list[Polynomial]], domain: list[Polynomial], apart: list[frozenset[Key]]) -> None:
    """Refuse unless all signs that the conditions can have together are those of a cell."""
    both = [[(key(poly), key(poly, -1)) for poly in cell] for cell in cells]
    waiting = [{key(poly) for poly in domain}]
    while waiting:
        signs = waiting.pop()
        left = [cell for cell in both if not any(negative in signs for _, negative in cell)]
        refuse_unless(bool(left), "the cells do not cover the domain")
        free = next((each for each in left[0] if each[0] not in signs), ())
        waiting += [{*signs, new} for new in free if not any(clause <= {*signs, new} for clause in apart)]


def shown(goal: Ratio, proof: Any, given: Given, where: str) -> tuple[int, list[Polynomial]]:
    """Return the sign of a goal that its factors show, and what must not be 0 where conditions are."""
    parts, sign, needed = [], 1, list[Polynomial]()
    for part in proof:
        number = Fraction(part["number"])
        whole, sign = scaled(ONE, number), sign * ((number > 0) - (number < 0))
        for factor, power, how in part["factors"]:
            refuse_unless(power > 0, f"{where}: a power of a factor")
            read = polynomial(factor)
            needed += signed(read, how, given, where)
            whole, sign = times(whole, power_of(read, power)), sign * how["sign"] ** power
        parts.append(whole)
    refuse_unless(bool(parts[1]), f"{where}: the denominator is 0")
    same(goal, (parts[0], parts[1]), f"{where}: the factors are those of another inequality")
    return sign, needed


def signed(factor: Polynomial, how: dict[str, Any], given: Given, where: str) -> list[Polynomial]:
    """Refuse unless a factor times its sign, g, is positive inside, where all conditions are; return what is needed.

    The sum says g S = T with S and T in terms of what is given and no coefficient below 0; inside neither is 0, since
    both would be. Where conditions are only not negative g is not, either, if one part of S is not 0: the conditions
    and symbols in it, which are returned.
    """
    refuse_unless(how["sign"] in {1, -1}, f"{where}: a sign")
    turned = scaled(factor, Fraction(-how["sign"]))
    if "from" not in how:
        refuse_unless(bool(factor) and all(value < 0 for value in turned.values()), f"{where}: the sign of a factor")
        return []
    conditions, weak = given
    impossible([*((poly, ">") for poly in conditions), (turned, ">")], how["from"], set(), where)
    last = len(conditions)
    parts = [(places, monomial) for places, _, monomial in how["from"] if last in places]
    refuse_unless(bool(turned) and bool(parts), f"{where}: a sum without the factor")
    each = [
        [conditions[place] for place in places if place != last]
        + [polynomial([["1", {name: 1}]]) for name, power in monomial.items() if power and name in weak]
        for places, monomial in parts
    ]
    return min(each, key=len)


Asked = tuple[str, int, Ratio | None, Ratio | None]
"""A question: its kind, the class, the time that it is about and the end of the family."""
Goal = tuple[Ratio, bool]
"""What must not be negative, or must be positive."""


def obeyed(cell: Any, classes: list[Any], buffer: Ratio, asked: Asked, settings: Any = None) -> Iterator[Goal]:
    """Check the equations of a trajectory, and yield its inequalities."""
    phases = [read(phase) for phase in cell["phases"]]
    for phase in phases if settings else ():
        members = [k for k, free in enumerate(phase["uncontrolled"]) if free]
        phase["share"] = share(buffer, classes, members) if members else None
    whole = buffer
    for queue in classes:
        buffer = minus(buffer, product(queue["count"], queue["reserve"]))
    begins(phases[0], classes)
    losses: list[list[Ratio]] = []
    for phase, after in zip(phases, [*phases[1:], None], strict=True):
        growth = minus(ZERO, shared(phase, classes, phase["slopes"], 0))
        same(minus(buffer, shared(phase, classes, phase["lengths"], 1)), phase["free"], "what is free is another")
        if after is not None:
            step = minus(after["begin"], phase["begin"])
            yield step, bool(settings)  # counters hear of a loss or an overflow that lasts for no time
        now = margins(phase, classes, phase["free"], phase["lengths"], 1)
        slopes = margins(phase, classes, growth, phase["slopes"], 0)
        if after is not None:
            yield from ((value, False) for value in now)
            yield from ((value, False) for value in margins(phase, classes, after["free"], after["lengths"], 1))
        elif cell["ends"] == "loss":
            for value, slope, rising in zip(now, slopes, cell["rising"], strict=True):
                yield value, not rising
                if rising:
                    yield slope, False
        else:
            yield from ((value, False) for value in now)
            yield from ((value, False) for value in slopes if cell["ends"] == "never")
        if after is None and cell["ends"] in {"time", "until"}:
            break
        losses.append([])
        yield from thinned(phase, growth)
        for k, queue in enumerate(classes):
            offered = yield from arriving(phase, after, k, queue, cell["ends"])
            if after is not None:
                grown = add(phase["lengths"][k], product(phase["slopes"][k], step))
                same(after["lengths"][k], grown, "a length is not what the slope makes it")
            losses[-1].append((yield from moves(phase, k, queue, offered, growth)))
    if settings:
        kind, _, at, until = asked
        last = kind == "threshold" and not (at and until and times(at[0], until[1]) == times(until[0], at[1]))
        yield from counting(cell["ends"], phases, losses, Counters(settings, whole, classes), last)
    yield from answered(cell, phases, classes, losses, asked)


def counting(
    ends: str, phases: list[Any], losses: list[list[Ratio]], counters: Counters, at_end: bool
) -> Iterator[Goal]:
    """Yield what makes counters and timers act as they are said to; what the last instant does may not matter."""
    for number, phase in enumerate(phases):
        if number == len(losses) and at_end:
            yield from counters.begin(phase, None)
        elif number == len(losses):  # as it was before
            free = phases[number - 1]["uncontrolled"] if number else [False for _ in phase["uncontrolled"]]
            refuse_unless(phase["uncontrolled"] == free, "something happens at the end")
        if number == len(losses):
            return
        yield from counters.begin(phase, losses[number])
        if number + 1 < len(phases) or ends == "never":  # what counters come to after the end does not matter
            yield from counters.settle(phase, losses[number])
        if number + 1 < len(phases):
            yield from counters.go(phase, phases[number + 1]["begin"], losses[number])
    if ends == "never":
        yield from counters.forever(phases[-1], losses[-1])


def read(document: Any) -> Any:
    """Read a phase."""
    lists = {key: [ratio(value) for value in document[key]] for key in ("lengths", "slopes")}
    fraction = None if document["fraction"] is None else ratio(document["fraction"])
    return document | lists | {"fraction": fraction} | {key: ratio(document[key]) for key in ("begin", "free")}


def bound(phase: Any, k: int, queue: Any, free: Ratio, unit: int) -> Ratio | None:
    """Return the threshold of a class as it is in a phase, or with the unit 0 how it moves; None: there is none."""
    if phase.get("share") and phase["uncontrolled"][k]:
        return scaled(phase["share"][0], Fraction(unit)), phase["share"][1]
    capped = phase["capped"][k]
    refuse_unless(not capped or queue["cap"] is not None, "a queue has no cap")
    if queue["alpha"] is None and queue["cap"] is None:
        return None
    refuse_unless(capped or queue["alpha"] is not None, "a queue has its cap alone")
    top = (scaled(queue["cap"][0], Fraction(unit)), queue["cap"][1]) if capped else product(queue["alpha"], free)
    return add(top, (scaled(queue["reserve"][0], Fraction(unit)), queue["reserve"][1]))


def shared(phase: Any, classes: list[Any], lengths: list[Ratio], unit: int) -> Ratio:
    """Return what queues hold beyond their reserves, or with the unit 0 how it grows."""
    total = ZERO
    for where, queue, length in zip(phase["where"], classes, lengths, strict=True):
        if where not in {"empty", RESERVE}:
            own = scaled(queue["reserve"][0], Fraction(unit)), queue["reserve"][1]
            total = add(total, product(queue["count"], minus(length, own)))
    return total


def margins(phase: Any, classes: list[Any], free: Ratio, lengths: list[Ratio], unit: int) -> list[Ratio]:
    """Return what stays at least 0 while queues lie as in a phase, or with the unit 0 how fast each grows."""
    found = [free]
    for k, (where, queue, length) in enumerate(zip(phase["where"], classes, lengths, strict=True)):
        beyond = minus(length, (scaled(queue["reserve"][0], Fraction(unit)), queue["reserve"][1]))
        limit = bound(phase, k, queue, free, unit)
        if where == RESERVE:
            found += [length, minus(ZERO, beyond)]
        elif where in {"below", "above"}:
            refuse_unless(limit is not None or where == "below", "a queue is above no threshold")
            room = None if limit is None else minus(limit, length)
            found += [beyond] if room is None else [beyond, room if where == "below" else minus(ZERO, room)]
        if queue["alpha"] is not None and queue["cap"] is not None:
            turn = minus(product(queue["alpha"], free), (scaled(queue["cap"][0], Fraction(unit)), queue["cap"][1]))
            found.append(turn if phase["capped"][k] else minus(ZERO, turn))
    return found


def begins(phase: Any, classes: list[Any]) -> None:
    """Refuse unless a trajectory begins at 0 with the lengths that are given."""
    same(phase["begin"], ZERO, "the trajectory does not begin at 0")
    for k, (queue, length) in enumerate(zip(classes, phase["lengths"], strict=True)):
        begin = queue["initial"] if queue["initial"] is not None else bound(phase, k, queue, phase["free"], 1)
        refuse_unless(begin is not None, "a queue without a threshold is not steady")
        same(length, begin or ZERO, "a queue has another length at time 0")


def thinned(phase: Any, growth: Ratio) -> Iterator[Goal]:
    """Yield that what is admitted is a fraction; all is admitted unless it keeps a full buffer full."""
    if phase["fraction"] is not None:
        same(phase["free"], ZERO, "a buffer that is not full admits all")
        same(growth, ZERO, "a full buffer does not stay full")
        yield phase["fraction"], False
        yield minus((ONE, ONE), phase["fraction"]), False


def arriving(phase: Any, after: Any, k: int, queue: Any, ends: str) -> Generator[Goal, None, Ratio]:
    """Yield that the arrivals of a class do not change within a phase; return what it is offered."""
    piece = phase["pieces"][k]
    refuse_unless(-1 <= piece < len(queue["arrivals"]), "there are no such arrivals")
    if piece >= 0:
        yield minus(phase["begin"], queue["arrivals"][piece][0]), False
    if piece + 1 < len(queue["arrivals"]):
        refuse_unless(after is not None or ends == "loss", "what lasts for ever has all arrivals")
        last = (phase if after is None else after)["begin"]
        yield minus(queue["arrivals"][piece + 1][0], last), after is None
    offered: Ratio = queue["arrivals"][piece][1] if piece >= 0 else ZERO
    return offered


def moves(phase: Any, k: int, queue: Any, offered: Ratio, growth: Ratio) -> Generator[Goal, None, Ratio]:
    """Check how a queue moves in a phase; yield its inequalities and return what it loses."""
    where, slope, length = phase["where"][k], phase["slopes"][k], phase["lengths"][k]
    admitted = offered if phase["fraction"] is None else product(phase["fraction"], offered)
    thinner, net = minus(offered, admitted), minus(admitted, queue["rate"])
    if where == "empty":
        same(length, ZERO, "an empty queue holds something")
        same(slope, ZERO, "an empty queue moves")
        yield minus(ZERO, net), False
        return thinner
    if where == "on":
        limit, moved = (bound(phase, k, queue, free, unit) for free, unit in ((phase["free"], 1), (growth, 0)))
        refuse_unless(limit is not None and phase["fraction"] is None, "there is no threshold")
        same(length, limit or ZERO, "a queue is not on its threshold")
        same(slope, moved or ZERO, "a queue does not move with its threshold")
        yield add(slope, queue["rate"]), False
        yield minus(net, slope), False
        return minus(net, slope)
    refuse_unless(where in {"below", "above", RESERVE}, f"a queue lies {where}")
    same(slope, minus(ZERO, queue["rate"]) if where == "above" else net, "a queue moves otherwise")
    return offered if where == "above" else thinner


def answered(cell: Any, phases: list[Any], classes: list[Any], losses: list[Any], asked: Asked) -> Iterator[Goal]:
    """Refuse unless the answers of a cell are those of its trajectory; yield what makes them so."""
    (question, k, at, until), last, said = asked, phases[-1], ZERO
    if cell["ends"] == "until":
        same(last["begin"], until or ZERO, "the trajectory ends at another time")
    if question == "recovered":
        yield from recovered(cell, phases, classes)
        return
    if at is not None:
        same(last["begin"], at, "the trajectory ends at another time")
        for phase, after, lost in zip(phases, phases[1:], losses, strict=False):
            said = add(said, product(lost[k], minus(after["begin"], phase["begin"])))
        limit = bound(last, k, classes[k], last["free"], 1)
        whole = add(last["free"], shared(last, classes, last["lengths"], 1))  # without a threshold it is the buffer
        values = {"dropped": said, "length": last["lengths"][k], "threshold": whole if limit is None else limit}
        expected = {question: values[question]}
    else:
        refuse_unless(question == "first_drop", "another question")
        for lost in losses[:-1] if cell["ends"] == "loss" else losses:
            same(lost[k], ZERO, "the class loses something before")
        expected = {"first_drop": last["begin"], "free_at_first_drop": last["free"]}
        if cell["ends"] == "loss":
            yield losses[-1][k], True
            if until is not None:
                yield minus(until, last["begin"]), True
        else:
            expected = dict.fromkeys(expected)
    agree(cell, expected)


def agree(cell: Any, expected: dict[str, Ratio | None]) -> None:
    """Refuse unless a cell says what is expected."""
    refuse_unless(cell["answers"].keys() == expected.keys(), "other questions are answered")
    for name, answer in cell["answers"].items():
        value = expected[name]
        refuse_unless((answer is None) == (value is None), f"the answer {name} is of another end")
        if answer is not None:
            same(ratio(answer), value or ZERO, f"the answer {name} is another")


def recovered(cell: Any, phases: list[Any], classes: list[Any]) -> Iterator[Goal]:
    """Refuse unless all is as at first from the answer on; yield that it is not so before."""
    refuse_unless(cell["ends"] in {"never", "until"}, "the trajectory has an end")
    last, k = (-1, 0) if cell["away"] is None else cell["away"]
    refuse_unless(-1 <= last < len(phases) and (last >= 0 or cell["away"] is None), "there is no such phase")
    for phase in phases[last + 1 :]:
        for now, first in zip(phase["lengths"], phases[0]["lengths"], strict=True):
            same(now, first, "a length is not as it was")
    for slope in phases[-1]["slopes"] if cell["ends"] == "never" else ():
        same(slope, ZERO, "a queue moves for ever")
    agree(cell, {"recovered": phases[last + 1]["begin"] if last + 1 < len(phases) else None})
    if last >= 0:
        apart = minus(phases[last]["lengths"][k], phases[0]["lengths"][k])
        yield product(apart, apart), True
        yield classes[k]["count"], True
