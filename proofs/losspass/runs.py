# ruff: noqa: SIM300 - upper-case names are symbols of the paper, not constants
"""Several events at any port, along all paths of the packet engine: loops for ever, the balance of packets, marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.packet.losspass_arbiter import READINGS, Arrival, Class, Departure, Event, Packet, Queue, Step
from dtmodel.provers import smt
from dtmodel.provers.every_path import Path, Truth, all_of, every_path, same

from .arrivals import (
    ARRIVING,
    GIVEN,
    PORT,
    SHAPES,
    TWO_QUEUES,
    Arrived,
    B,
    Held,
    P,
    Shape,
    arrivals,
    b,
    back,
    front,
    held,
    holds,
    k_l,
    k_s,
    l,
    lengths,
    name_of,
    port_at,
    s,
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
) -> list[Path[Ran]]:
    """Return all paths of these events from all ports with queues of these shapes."""
    paths = []
    for shapes in product(small, large):
        states = [*lengths("small", shapes[0]), *lengths("large", shapes[1])]
        for path in every_path(partial(_run, reading, letters, shapes, older)):
            paths.append(Path((*states, *path.decisions), path.result))
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
    queues: dict[str, Queue] = {"any": "any", "small": "small", "large": "large"}
    return Departure(queues[letter[1]])


def decisions(ran: Ran) -> list[str]:
    """Return what each event ended in."""
    return [step.decision for step in ran.steps]


def names(contents: Iterable[Any]) -> list[int]:
    """Return the packets of a queue, head to tail."""
    return list(map(name_of, contents))


@evidence("losspass.ours.locked-out", form="printed", strength="smt")
def a_port_full_of_small_packets_never_buffers_a_large_one() -> Outcome:
    """Any B, B_l and number of packets of one size: large packet dropped, service, small packet; as it was before."""
    loop = [("arrive", "large"), ("depart", "any"), ("arrive", "small")]

    def returns(ran: Ran) -> Truth:
        turned = decisions(ran) == ["drop", "depart", "enqueue"] and not ran.after.large
        turned = turned and names(ran.after.small) == [*names(ran.before.small)[1:], ARRIVING + 1]
        return all_of(turned, same(ran.after.s, B), same(ran.after.l, 0))

    one_size = [same(front, P), same(back, P), same(s, B)]
    holds("intended", lambda a: True if a.step.decision == "enqueue" else a.overflows, "small packets fill the port")
    paths = runs("intended", loop, ("one", "two", "many"), ("empty",))
    return PORT.prove_paths(
        paths, returns, "a full Q_s is full again and no large packet is in", given=[*GIVEN, *one_size]
    )


def starves(reading: str) -> Proved:
    """Prove the loop of a small packet and a service beside a large packet that waits."""

    def waits(ran: Ran) -> Truth:
        served = decisions(ran) == ["enqueue", "depart"] and ran.steps[1].packet == ARRIVING and not ran.after.small
        return all_of(served and names(ran.after.large) == names(ran.before.large), same(ran.after.l, l))

    paths = runs(reading, [("arrive", "small"), ("depart", "any")], ("empty",), ("one", "two", "many"))
    room = [l + P <= B, *([P <= B - b] if READINGS[reading].line12_limited else [])]
    return PORT.prove_paths(paths, waits, "one small packet a service, and Q_l waits as it was", given=[*GIVEN, *room])


@evidence("losspass.ours.starvation-load", form="printed", strength="smt")
def a_loop_that_starves_needs_a_small_packet_for_each_service() -> Outcome:
    """Every reading with two queues, any port: the loop of one packet a service; and services <= small packets.

    While Q_l waits unserved every service takes a packet from Q_s, and only a small packet that arrives adds one: over
    a loop the number in Q_s does not change, so that at least as many small packets arrive as are served.
    """
    outcomes = [starves(reading) for reading in TWO_QUEUES]
    for reading in TWO_QUEUES:
        for path in arrivals(reading):
            a = path.result
            more = len(a.after.small) - len(a.before.small)
            check(more == (a.kind == "small" and a.left), f"{reading}: {a.step}")
        for departed in runs(reading, [("depart", "any")], SHAPES, ("one", "two", "many")):
            before, after, _ = departed.result
            fewer = len(before.small) - len(after.small)
            check(fewer == bool(before.small) and (bool(fewer) or len(after.large) < len(before.large)), reading)
    arrived, enqueued, served = sp.symbols("arrived enqueued served", integer=True)
    smt.prove([enqueued <= arrived, sp.Eq(enqueued - served, 0), enqueued >= 0], served <= arrived)
    return outcomes[0]


def accounted(a: Arrived) -> Truth:
    """Say that a packet is buffered, dropped, or in the place of its victim, and that the lengths are the bytes."""
    place = None if a.step.victim is None else -1 if a.before.large[-1].number == a.step.victim else 0
    victim = next((p for p in a.before.large if isinstance(p, Packet) and p.number == a.step.victim), None)
    dropped = a.step.decision in ("drop", "evict+drop")
    small, large = (P if a.left and a.kind == kind else 0 for kind in ("small", "large"))
    lost: Any = victim.size if victim is not None else 0
    lengths_fit = all_of(same(a.after.s, s + small), same(a.after.l, l + large - lost))
    return all_of(a.changes(enters=a.left, leaves=place), dropped != a.left, lengths_fit)


@evidence("losspass.ours.balance", form="printed", strength="smt")
def no_packet_is_lost_from_the_books() -> Outcome:
    """Inductive, every reading: an arrival adds its packet or drops it, a victim leaves; a service takes one head."""
    orders: tuple[Class, Class] = ("small", "large")
    for reading in READINGS:
        outcome = holds(reading, accounted, "each packet is in one place, and the lengths are the sums of the sizes")
        for letter, older in product((("depart", q) for q in ("any", "small", "large")), orders):
            for path in runs(reading, [letter], SHAPES, SHAPES, older):
                before, after, (step,) = path.result
                kept = [[n for n in names(queue) if n != step.packet] for queue in (before.small, before.large)]
                check([names(after.small), names(after.large)] == kept, f"{reading}: {step}")
                heads = [names(queue)[0] for queue in (before.small, before.large) if queue]
                check(step.packet in heads if step.decision == "depart" else kept == _names(before), f"{step}")
    return outcome


def _names(port: Held) -> list[list[int]]:
    return [names(port.small), names(port.large)]


@evidence("losspass.ours.evicts-marks", form="printed", strength="smt")
def marks_are_set_at_the_tail_and_leave_from_it() -> Outcome:
    """Inductive: with packets of a bytes the j-th of Q_l is marked iff j a > K_l, as long as Q_l is not served.

    A large packet enters as the last and is marked iff the length with it exceeds K_l; a small one is never marked
    (K_s = B); an eviction takes the last. So the marked packets are the last ones, and leave first.
    """

    def at_the_tail(a: Arrived) -> Truth:
        if a.kind == "small":
            return all_of(not a.marked, a.changes(enters=a.left, leaves=-1 if a.evicts else None))
        if not a.left:
            return all_of(not a.marked, a.changes())
        exceeds = l + P > k_l
        return all_of(a.changes(enters=True), exceeds if a.marked else ~exceeds)

    step = holds("intended", at_the_tail, "marks are set and lost at the tail of Q_l", marks=(True, True, False),
                 given=(same(k_s, B),))  # fmt: skip
    j, i, n = sp.symbols("j i n", integer=True)
    a = sp.Symbol("a", positive=True)
    length, threshold = sp.symbols("l K_l", nonnegative=True)

    def place(k: Any) -> Any:
        return k * a > threshold

    smt.prove([j >= 1, i >= j, n >= i, place(j)], place(i))
    smt.prove([n >= 0, sp.Eq(length, n * a), length + a > threshold], place(n + 1))
    smt.prove([n >= 0, sp.Eq(length, n * a), length + a <= threshold], sp.Not(place(n + 1)))
    return step
