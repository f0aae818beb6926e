"""What makes a trajectory of kind ``derived`` one of the fluid model: equations, inequalities and answers."""

from collections.abc import Generator, Iterator
from typing import Any

from .algebra import ONE, Ratio, refuse_unless
from .counters import Counters, share
from .ratios import ZERO, Goal, add, equal, minus, of, product, ratio, same

RESERVE = "in its reserve"

Asked = tuple[str, int, Ratio | None, Ratio | None]
"""A question: its kind, the class, the time that it is about and the end of the family."""


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
        last = kind == "threshold" and not (at and until and equal(at, until))
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
        return of(phase["share"], unit)
    capped = phase["capped"][k]
    refuse_unless(not capped or queue["cap"] is not None, "a queue has no cap")
    if queue["alpha"] is None and queue["cap"] is None:
        return None
    refuse_unless(capped or queue["alpha"] is not None, "a queue has its cap alone")
    top = of(queue["cap"], unit) if capped else product(queue["alpha"], free)
    return add(top, of(queue["reserve"], unit))


def shared(phase: Any, classes: list[Any], lengths: list[Ratio], unit: int) -> Ratio:
    """Return what queues hold beyond their reserves, or with the unit 0 how it grows."""
    total = ZERO
    for where, queue, length in zip(phase["where"], classes, lengths, strict=True):
        if where not in {"empty", RESERVE}:
            own = of(queue["reserve"], unit)
            total = add(total, product(queue["count"], minus(length, own)))
    return total


def margins(phase: Any, classes: list[Any], free: Ratio, lengths: list[Ratio], unit: int) -> list[Ratio]:
    """Return what stays at least 0 while queues lie as in a phase, or with the unit 0 how fast each grows."""
    found = [free]
    for k, (where, queue, length) in enumerate(zip(phase["where"], classes, lengths, strict=True)):
        beyond = minus(length, of(queue["reserve"], unit))
        limit = bound(phase, k, queue, free, unit)
        if where == RESERVE:
            found += [length, minus(ZERO, beyond)]
        elif where in {"below", "above"}:
            refuse_unless(limit is not None or where == "below", "a queue is above no threshold")
            room = None if limit is None else minus(limit, length)
            found += [beyond] if room is None else [beyond, room if where == "below" else minus(ZERO, room)]
        if queue["alpha"] is not None and queue["cap"] is not None:
            turn = minus(product(queue["alpha"], free), of(queue["cap"], unit))
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
        refuse_unless(limit is not None, "there is no threshold")
        same(length, limit or ZERO, "a queue is not on its threshold")
        same(slope, moved or ZERO, "a queue does not move with its threshold")
        yield add(slope, queue["rate"]), False
        yield minus(net, slope), False
        return add(thinner, minus(net, slope))
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
    if at is not None or question in {"length", "threshold"}:
        if at is not None:
            same(last["begin"], at, "the trajectory ends at another time")
        for slope in last["slopes"] if at is None else ():
            same(slope, ZERO, "a queue moves for ever")
        refuse_unless(at is not None or cell["ends"] == "never", "the trajectory has an end")
        for phase, after, lost in zip(phases, phases[1:], losses, strict=False):
            said = add(said, product(lost[k], minus(after["begin"], phase["begin"])))
        limit = bound(last, k, classes[k], last["free"], 1)
        whole = add(last["free"], shared(last, classes, last["lengths"], 1))  # without a threshold it is the buffer
        values = {"dropped": said, "length": last["lengths"][k], "threshold": whole if limit is None else limit}
        expected = {question: values[question]}
    else:
        refuse_unless(question in {"first_drop", "length_at_first_drop"}, "another question")
        for lost in losses[:-1] if cell["ends"] == "loss" else losses:
            same(lost[k], ZERO, "the class loses something before")
        expected = {"first_drop": last["begin"], "free_at_first_drop": last["free"]}
        expected = expected if question == "first_drop" else {question: last["lengths"][k]}
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
