"""Every arrival at a LossPass port, along every path of the code."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import Any, Literal, NamedTuple

import sympy as sp

from dtmodel.ledger import Proved
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import (
    CodePath,
    PathCondition,
    Unknowns,
    all_of,
    every_path,
    same,
    truth,
)
from dtmodel.packet.losspass.algorithm import (
    READINGS,
    Arbiter,
    Arrival,
    Class,
    Departure,
    Event,
    Packet,
    PortSettings,
    QueueName,
    Step,
)

PORT = Unknowns()
Size = Any
"""An unknown `Number`, where the engine, and so mypy, has a fraction."""


B: Size
P: Size
B, P = PORT.positive("B", "P")  # the port and the arriving packet
head, tail = PORT.positive("h", "v")  # of Q_l
front, back = PORT.positive("front", "back")  # head and tail of Q_s
b: Size
s: Size
l: Size
b, s, l = PORT.at_least_0("b", "s", "l")  # the reserve B_l and the lengths of Q_s and Q_l
k_s, k_l, k_p = PORT.at_least_0("K_s", "K_l", "K")
thresholds: tuple[Size, Size, Size] = (k_s, k_l, k_p)
GIVEN = [b <= B, s + l <= B]
Shape = Literal["empty", "one", "two", "many"]
SHAPES: tuple[Shape, ...] = ("empty", "one", "two", "many")
ARRIVING = 9
TWO_QUEUES = tuple(name for name, reading in READINGS.items() if not reading.fifo)


class Unseen:
    """Packets between head and tail: nothing about them may be looked at."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("a packet inside a queue was looked at")

    __hash__ = None  # type: ignore[assignment]


class Written(set[int]):
    """The marked packets: the engine may add to them, and must not ask."""

    def __contains__(self, item: object) -> bool:
        raise AssertionError("a decision looked at the marks")


Contents = tuple[Any, ...]
"""What a queue holds, head to tail: packets, and `Unseen`."""


@dataclass(frozen=True)
class Held:
    """The port before or after: contents of both queues and their lengths, as the engine keeps them."""

    small: Contents
    large: Contents
    s: Size
    l: Size


@dataclass(frozen=True)
class Arrived:
    """What one arrival did; `kind` is its class, `shape` that of Q_l before it."""

    kind: Class
    shape: Shape
    before: Held
    after: Held
    step: Step
    marked: frozenset[int]

    @property
    def evicts(self) -> bool:
        """Whether a packet was evicted."""
        return self.step.victim is not None

    @property
    def left(self) -> bool:
        """Whether the arriving packet is in the port at the end."""
        return ARRIVING in map(name_of, (*self.after.small, *self.after.large))

    @property
    def own(self) -> Size:
        """The length of the arriving packet's queue at the end."""
        return self.after.s if self.kind == "small" else self.after.l

    @property
    def overflows(self) -> PathCondition:
        """Tell whether line 1 of the algorithm holds: the packet does not fit."""
        overflow: PathCondition = P + self.before.s + self.before.l > B
        return overflow

    def changes(self, *, enters: bool = False, leaves: int | None = None) -> bool:
        """Whether both queues hold what they held, in order, but for these two changes.

        The arriving packet is now the last of the queue of its class (`enters`), and the packet at this place of Q_l is
        gone (`leaves`, -1 for the tail).
        """
        small, large = (list(map(name_of, side)) for side in (self.before.small, self.before.large))
        if leaves is not None:
            del large[leaves]
        if enters:
            (small if self.kind == "small" else large).append(ARRIVING)
        return [list(map(name_of, side)) for side in (self.after.small, self.after.large)] == [small, large]


def name_of(item: Any) -> int:
    """A packet's number; for what is unseen, its identity (below 0, as no packet's number is)."""
    return item.number if isinstance(item, Packet) else -id(item)


def queue(kind: Class, shape: Shape, first: int) -> deque[Any]:
    """Return a queue of a shape, whose head and tail have the numbers `first` and `first` + 1."""
    sizes: tuple[Size, Size] = (front, back) if kind == "small" else (head, tail)
    if shape == "empty":
        return deque()
    if shape == "one":
        return deque([Packet(first + 1, kind, sizes[1])])
    ends = [Packet(first + i, kind, size) for i, size in enumerate(sizes)]
    return deque(ends if shape == "two" else [ends[0], Unseen(), ends[1]])


def lengths(kind: Class, shape: Shape) -> list[PathCondition]:
    """Return what a shape says about the queue's length."""
    length, (one, two) = (s, (front, back)) if kind == "small" else (l, (head, tail))
    return {
        "empty": [same(length, 0)],
        "one": [same(length, two)],
        "two": [same(length, one + two)],
        "many": [length > one + two],
    }[shape]


Marks = tuple[bool, bool, bool]
"""Which of the thresholds of Q_s, of Q_l and of the port there are."""


@cache
def arrivals(reading: str, marks: Marks = (False, False, False)) -> tuple[CodePath[Arrived], ...]:
    """Return all paths of all arrivals at all ports in a reading."""
    return tuple(_arrivals(reading, marks))


def _arrivals(reading: str, marks: Marks) -> Iterator[CodePath[Arrived]]:
    kinds: tuple[Class, Class] = ("small", "large")
    for kind, *shapes in product(kinds, SHAPES, SHAPES):
        states = [*lengths("small", shapes[0]), *lengths("large", shapes[1])]
        for path in every_path(partial(_arrive, reading, marks, kind, (shapes[0], shapes[1]))):
            yield CodePath((*states, *path.decisions), path.result)


def port_at(
    reading: str, shapes: tuple[Shape, Shape], marks: Marks = (False, False, False), older: Class = "small"
) -> Arbiter:
    """Return a port with queues of these shapes; the packets of one class came before those of the other."""
    own, other, total = ((k if there else None) for k, there in zip(thresholds, marks, strict=True))
    settings = PortSettings(B, b, own, other, total, READINGS[reading])
    port = Arbiter(settings, marked=Written(), arrived=ARRIVING)
    port.small = queue("small", shapes[0], 0 if older == "small" else 4)
    port.large = queue("large", shapes[1], 4 if older == "small" else 0)
    port.length_small, port.length_large = s, l
    return port


def _arrive(reading: str, marks: Marks, kind: Class, shapes: tuple[Shape, Shape]) -> Arrived:
    port = port_at(reading, shapes, marks)
    before = held(port)
    step = port.arrive(Arrival(kind, P))
    return Arrived(kind, shapes[1], before, held(port), step, frozenset(port.marked))


def held(port: Arbiter) -> Held:
    """Return what a port holds."""
    return Held(tuple(port.small), tuple(port.large), port.length_small, port.length_large)


def holds(
    reading: str,
    goal: Callable[[Arrived], PathCondition | bool],
    detail: str,
    *,
    where: Callable[[Arrived], bool] = lambda _: True,
    marks: Marks = (False, False, False),
    given: tuple[PathCondition, ...] = (),
) -> Proved:
    """Prove a statement about every arrival at every port in a reading."""
    return PORT.prove_paths(arrivals(reading, marks), goal, detail, given=[*GIVEN, *given], where=where)


BOTH = ("intended", "literal")


def both(goal: Callable[[Arrived], PathCondition | bool], detail: str, **options: Any) -> Proved:
    """Prove a statement in the intended reading and in the print."""
    _, literal = (holds(reading, goal, detail, **options) for reading in BOTH)
    return literal


def evicts(arrived: Arrived) -> bool:
    """Whether a packet is evicted."""
    return arrived.evicts


def as_tail_drop(a: Arrived) -> PathCondition:
    """Enqueue what fits and drop the rest, nothing else."""
    if a.step.decision == "enqueue":
        return all_of(a.changes(enters=True), ~a.overflows)
    return all_of(a.step.decision == "drop", a.changes(), a.overflows)


FREE = B - s - l


def small(a: Arrived) -> bool:
    """Whether a small packet arrives."""
    return a.kind == "small"


def ruled(a: Arrived) -> PathCondition:
    """Say what becomes of a small packet: enqueued iff F holds it, else in a victim's place, or nothing changes."""
    may = (tail >= P) & (s + P <= B - b) if a.shape != "empty" else truth(False)
    if a.step.decision == "enqueue":
        return all_of(FREE >= P, a.changes(enters=True))
    if a.step.decision == "evict":
        return all_of(FREE < P, may, a.changes(enters=True, leaves=-1))
    return all_of(FREE < P, ~may, a.changes())


def floors() -> Proved:
    """Prove the arithmetic of the induction: the free bytes, and that they are below s exactly at the floor."""
    n = sp.Symbol("n", integer=True)
    F, V, v, size = sp.symbols("F V v s", positive=True)
    free = F + V - n * size
    state = [n >= 0, free >= 0]
    smt.prove([*state, free >= size], free - size >= 0)  # line 12: n + 1
    smt.prove([*state, free < size, v >= size], [F + (V + v) - (n + 1) * size >= 0])  # lines 5 and 6
    smt.prove([*state, free < size], [n * size <= F + V, (n + 1) * size > F + V])  # n is the floor
    return smt.prove([*state, n * size <= F + V, (n + 1) * size > F + V], free < size).proved(
        "f < s iff n is the floor"
    )


Letter = tuple[str, str]
"""An event without its size: ("arrive", class) or ("depart", queue); every arriving packet has P bytes."""


class Ran(NamedTuple):
    """Several events in a row: the port before and after, and the steps."""

    before: Held
    after: Held
    steps: tuple[Step, ...]


def runs(
    reading: str, letters: Sequence[Letter], small: Iterable[Shape], large: Iterable[Shape], older: Class = "small"
) -> list[CodePath[Ran]]:
    """Return all paths of these events from all ports with queues of these shapes."""
    paths = []
    for shapes in product(small, large):
        states = [*lengths("small", shapes[0]), *lengths("large", shapes[1])]
        for path in every_path(partial(_run, reading, letters, shapes, older)):
            paths.append(CodePath((*states, *path.decisions), path.result))
    return paths


def _run(reading: str, letters: Sequence[Letter], shapes: tuple[Shape, Shape], older: Class) -> Ran:
    port = port_at(reading, shapes, older=older)
    before = held(port)
    steps = []
    for letter in letters:
        event = _event(letter)
        steps.append(port.arrive(event) if isinstance(event, Arrival) else port.depart(event))
    return Ran(before, held(port), tuple(steps))


def _event(letter: Letter) -> Event:
    if letter[0] == "arrive":
        kinds: dict[str, Class] = {"small": "small", "large": "large"}
        return Arrival(kinds[letter[1]], P)
    queues: dict[str, QueueName] = {"any": "any", "small": "small", "large": "large"}
    return Departure(queues[letter[1]])


def names(contents: Iterable[Any]) -> list[int]:
    """Return the packets of a queue, head to tail."""
    return list(map(name_of, contents))
