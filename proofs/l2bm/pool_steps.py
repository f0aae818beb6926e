"""Pools, PFC and headroom in runs of any length: every path of an arrival and a departure on unknown numbers.

The switch of `dtmodel.packet.pfc` is run from a state with unknown counters, sizes, weights and limits: queue "x",
whose packet arrives or leaves, and "y", which stands for all others, as they enter only through the sum of what they
take from the shared pool. The invariant of a state: 0 <= headroom bytes of a queue <= its headroom and its length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from types import SimpleNamespace
from typing import Any

from dtmodel.ledger import Agrees, Outcome, check, evidence
from dtmodel.packet.l2bm_switch import Packet, _ready
from dtmodel.packet.pfc import Egress, Event, Ingress, Pools, _arrive, _depart, _resume, _State, run
from dtmodel.provers import smt
from dtmodel.provers.every_path import (
    Number,
    Truth,
    Unknowns,
    all_of,
    every_path,
    implies,
    largest,
    same,
    truth,
)

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Switch:
    """The unknowns of a switch: "x" is lossless or lossy, with a static limit or none, its egress queue likewise."""

    lossless: bool
    capped: bool
    egress_limited: bool
    given: Unknowns

    def real(self, *names: str) -> list[Number]:
        """Return unknowns by their names."""
        return [self.given.real(name) for name in names]

    def state(self) -> _State:
        """Build the state; x has the packets of egress queue "a", y those of "b"."""
        given: Any = self.given.real
        x = Ingress(
            given("alpha"),
            self.lossless,
            given("reserved"),
            given("headroom") if self.lossless else Fraction(0),
            given("resume_below") if self.lossless else Fraction(0),
            given("cap") if self.capped else None,
        )
        pools: Any = SimpleNamespace(
            ingress_pool=given("pool"),
            egress_pool=given("egress_pool"),
            ingress={"x": x, "y": Ingress(given("alpha_y"))},
            egress={"a": Egress(given("alpha_a") if self.egress_limited else None), "b": Egress(ONE)},
            cell=None,
        )
        beyond = given("beyond") if self.lossless else Fraction(0)
        return _State(
            pools,
            {"x": given("Q"), "y": given("Y")},
            {"a": given("A"), "b": given("E")},
            {"x": beyond, "y": Fraction(0)},
            {"a": [("x", given("size")), ("x", given("rest"))], "b": []},
            {"x"} if self.lossless else set(),
        )

    def hypotheses(self) -> list[Truth]:
        """Say what the settings and the state satisfy."""
        known: list[Truth] = []
        if self.capped:
            known.append(self.given.real("cap") >= 0)
        if self.egress_limited:
            known.append(self.given.real("alpha_a") > 0)
        if self.lossless:
            beyond, headroom, Q, below = self.real("beyond", "headroom", "Q", "resume_below")
            known += [beyond >= 0, beyond <= headroom, beyond <= Q, below > 0]
        return known

    def not_overdrawn(self) -> list[Truth]:
        """Say that the pools hold what is taken from them, which every event keeps (`_pool_suffices`)."""
        Y, A, E, pool, egress_pool = self.real("Y", "A", "E", "pool", "egress_pool")
        return [_shared(self.state()) + Y <= pool, egress_pool >= A + E]


def switches() -> Iterator[Switch]:
    for lossless, capped, limited in product((True, False), repeat=3):
        given = Unknowns()
        given.positive("alpha", "alpha_y", "pool", "egress_pool", "size")
        given.at_least_0("reserved", "Q", "Y", "A", "E", "rest")
        yield Switch(lossless, capped, limited, given)


@dataclass(frozen=True)
class Step:
    """One path of an event: its condition, the decision, and the state before and after."""

    condition: Truth
    decision: str
    before: _State
    after: _State


def arrivals(switch: Switch) -> Iterator[Step]:
    """Yield every path of the arrival of a packet of unknown size at ingress x, egress a."""
    size: Any = switch.given.real("size")

    def event() -> tuple[str, _State]:
        state = switch.state()
        return _arrive(state, "x", "a", size, "event"), state

    yield from _steps(switch, event)


def departures(switch: Switch) -> Iterator[Step]:
    """Yield every path of the departure of the packet at the head of egress a."""

    def event() -> tuple[str, _State]:
        state = switch.state()
        return _depart(state, "a"), state

    yield from _steps(switch, event)


def _steps(switch: Switch, event: Callable[[], tuple[str, _State]]) -> Iterator[Step]:
    before = switch.state()
    for path in every_path(event, switch.given.signs):  # a packet without bytes is refused
        yield Step(path.condition, path.result[0], before, path.result[1])


def prove(switch: Switch, steps: Iterator[Step], rule: Callable[[Step], Truth | bool], *more: Truth) -> smt.Proof:
    """Prove a rule of every step."""
    said = [(step.condition, rule(step)) for step in steps]
    return switch.given.prove_each(said, [*switch.hypotheses(), *more], "QF_NRA")


def unchanged(step: Step) -> Truth:
    """Whether no counter has moved."""
    return moved(step, Number.of(Fraction(0)))


def moved(step: Step, by: Number) -> Truth:
    """Whether the counters of x and a and the bytes in the memory moved by an amount, and those of y and b did not."""
    old, new = step.before, step.after
    own = [(new.ingress["x"], old.ingress["x"]), (new.egress["a"], old.egress["a"]), (stored(new), stored(old))]
    others = [(new.ingress["y"], old.ingress["y"]), (new.egress["b"], old.egress["b"])]
    return all_of(*(same(a, b + by) for a, b in own), *(same(a, b) for a, b in others))


def _counted(by: Number, step: Step) -> Truth:
    return unchanged(step) if step.decision == "drop" else moved(step, by)


def stored(state: _State) -> Number:
    """The bytes that wait for egress a."""
    return Number.of(sum((size for _, size in state.waiting["a"]), Fraction(0)))


@evidence("l2bm.ours.pools-agree", "l2bm.eq5", "l2bm.sec2a.counters", "l2bm.tab1.Q", "l2bm.tab1.Qout", "l2bm.tab1.Qin",
          form="printed", strength="smt")  # fmt: skip
def each_packet_is_counted_once_at_its_ingress_and_once_at_its_egress() -> Outcome:
    """Every arrival adds its size to one ingress counter, one egress counter and the memory, or to none; so leaves it.

    Three sums that start at 0 and always move together are equal.
    """
    for switch in switches():
        size = switch.given.real("size")
        prove(switch, arrivals(switch), partial(_counted, size))
        found = prove(switch, departures(switch), partial(_counted, 0 - size))
    return found.proved("sum of ingress = sum of egress = bytes stored, after every event of every run")


@evidence("l2bm.sec2a.lossy-drop", "l2bm.sec2a.headroom-lossy", form="printed", strength="smt")
def a_lossy_packet_beyond_a_threshold_is_dropped_and_changes_nothing() -> Outcome:
    """For a lossy x: beyond a threshold, or what is free, it is dropped; never into headroom."""
    for switch in switches():
        if switch.lossless:
            continue
        Q, size, pool, reserved, alpha, Y = switch.real("Q", "size", "pool", "reserved", "alpha", "Y")
        A, E, egress_pool, alpha_a = switch.real("A", "E", "egress_pool", "alpha_a")
        free = switch.given.real("free")
        taken = ((reserved >= Q) & same(free, pool - Y)) | ((reserved < Q) & same(free, pool - Y - (Q - reserved)))
        grows = ((reserved >= Q) & (Q + size - reserved > free)) | ((reserved < Q) & (size > free))
        over = (Q + size > reserved + alpha * free) | grows
        if switch.capped:
            over |= Q + size > reserved + switch.given.real("cap")
        if switch.egress_limited:
            over |= (A + size > alpha_a * (egress_pool - A - E)) | (size > egress_pool - A - E)

        def rule(step: Step, over: Truth = over) -> Truth:
            dropped = step.decision == "drop"
            kept = unchanged(step) if dropped else truth(step.decision == "enqueue")
            return all_of(implies(over, dropped), implies(dropped, over), kept, not step.after.paused)

        found = prove(switch, arrivals(switch), rule, taken, *switch.not_overdrawn())
    return found.proved("dropped exactly beyond a threshold, and then no counter moves")


@evidence("l2bm.sec2a.resume", form="printed", strength="smt")
def no_arrival_ends_a_pause() -> Outcome:
    """A paused x is longer than its second threshold after every event; an arrival lengthens it and lowers that.

    The arrival is x's own, or y's, which only takes from the pool; the second threshold is below the pausing one.
    """
    for switch in switches():
        if not switch.lossless:
            continue
        waiting = list(every_path(partial(_still_paused, switch)))
        above = [(path.condition, _second_threshold(switch, *path.result)) for path in waiting]
        switch.given.prove_each(above, switch.hypotheses(), "QF_NRA")
        paused = all_of(*(implies(path.condition, path.result[0]) for path in waiting))
        prove(switch, arrivals(switch), _longer_and_still_paused)
        more: list[Any] = switch.real("x_more", "x_beyond_more", "y_more")
        longer = [*(number >= 0 for number in more), more[1] <= more[0]]
        others = every_path(partial(_still_paused, switch, more))
        later = [(path.condition, path.result[0]) for path in others]
        found = switch.given.prove_each(later, [*switch.hypotheses(), paused, *longer], "QF_NRA")
    return found.proved("a queue that is paused before an arrival is paused after it")


def _longer_and_still_paused(step: Step) -> Truth:
    """Whether the arrival itself leaves x paused, and lengthens it by no less than it adds to its headroom."""
    old, new = step.before, step.after
    longer = Number.of(new.ingress["x"]) - old.ingress["x"]
    beyond = Number.of(new.beyond["x"]) - old.beyond["x"]
    return all_of("x" in new.paused, longer >= beyond, beyond >= 0, same(new.ingress["y"], old.ingress["y"]))


def _still_paused(switch: Switch, more: Sequence[Any] = (ZERO, ZERO, ZERO)) -> tuple[bool, Any]:
    """Whether the rule that ends pauses leaves x paused, with more in x, its headroom, and y; and x's threshold."""
    state = switch.state()
    state.ingress["x"] += more[0]
    state.beyond["x"] += more[1]
    state.ingress["y"] += more[2]
    _resume(state)
    return "x" in state.paused, state.threshold("x")


def _second_threshold(switch: Switch, still: bool, threshold: Any) -> Truth:
    """Whether x stays paused exactly above its pausing threshold less the distance, and above 0."""
    Q, below = switch.real("Q", "resume_below")
    above = all_of(Q > 0, threshold - below < Q)
    return above if still else ~above


@evidence("l2bm.sec2a.static", form="printed", strength="smt")
def a_packet_within_its_reserve_is_admitted_whatever_the_others_hold() -> Outcome:
    """For Q + s <= reserve, no headroom in use and an egress without a limit: every path admits it, at any Y <= pool.

    The free part of the pool does not contain the reserve: without shared bytes of anybody it is the whole pool.
    """
    for switch in switches():
        if switch.egress_limited:
            continue
        Q, size, reserved, pool, Y = switch.real("Q", "size", "reserved", "pool", "Y")
        within = [Q + size <= reserved, pool >= Y]
        if switch.lossless:
            within.append(same(switch.given.real("beyond"), 0))
        found = prove(switch, arrivals(switch), lambda step: step.decision == "enqueue", *within)
    return found.proved("nobody else can take it, also while it is empty")


@evidence("l2bm.sec2a.three-parts", form="printed", strength="smt")
def every_byte_lies_in_one_of_three_parts() -> Outcome:
    """Q = own part <= reserve, plus shared part >= 0, plus headroom part in [0, headroom]: kept by every event.

    The shared parts of all queues stay within the pool, too.
    """
    for switch in switches():
        if not switch.lossless:
            continue
        Q, size, rest = switch.real("Q", "size", "rest")
        prove(switch, arrivals(switch), _three_parts)
        prove(switch, departures(switch), _three_parts, size + rest <= Q)
        found = prove(switch, arrivals(switch), _pool_suffices, *switch.not_overdrawn())
    return found.proved("reserve, service pool and headroom hold all that is stored, each byte in one of them")


def _three_parts(step: Step) -> Truth:
    state = step.after
    limits, beyond, Q = state.pools.ingress["x"], Number.of(state.beyond["x"]), Number.of(state.ingress["x"])
    static, shared = Q - beyond, _shared(state)
    inside = all_of(beyond >= 0, beyond <= limits.headroom, beyond <= Q, shared >= 0)
    return inside & (static - shared <= limits.reserved) & ((shared <= 0) | same(static - shared, limits.reserved))


def _pool_suffices(step: Step) -> Truth:
    ingress, egress, pools = step.after.ingress, step.after.egress, step.after.pools
    egress_fits = Number.of(egress["a"]) + egress["b"] <= pools.egress_pool
    limited = pools.egress["a"].alpha is not None
    return (_shared(step.after) + ingress["y"] <= pools.ingress_pool) & (egress_fits if limited else True)


def _shared(state: _State) -> Number:
    """What x takes from the shared pool, max(0, Q - headroom bytes - reserve), as one term."""
    over = Number.of(state.ingress["x"]) - state.beyond["x"] - state.pools.ingress["x"].reserved
    return largest(ZERO, over)


@evidence("l2bm.eq1.reserved-first", form="printed", strength="smt")
@evidence("l2bm.eq1.reserved-count", form="assumed", strength="smt")
def within_its_reserve_a_queue_takes_nothing_from_the_pool() -> Outcome:
    """Every path of the accounting: the shared part is 0 up to the reserve, and no other threshold has Q there."""
    for switch in switches():
        Q, other, reserved = switch.real("Q", "Q_other", "reserved")
        held = Q - switch.given.real("beyond") if switch.lossless else Q
        lengths = []
        for length in (Q, other):

            def thresholds(switch: Switch = switch, length: Any = length) -> tuple[Any, Any]:
                state = switch.state()
                state.ingress["x"] = length
                return state.threshold("y"), state.shared("x")

            lengths.append(list(every_path(thresholds)))
        mine, changed = lengths
        nothing = [(path.condition & (held <= reserved), same(path.result[1], 0)) for path in mine]
        within = [other <= reserved, held <= reserved, reserved >= Q]
        equal = [
            (one.condition & two.condition, same(one.result[0], two.result[0])) for one, two in product(mine, changed)
        ]
        switch.given.prove_each(nothing, [*switch.hypotheses(), other >= 0], "QF_NRA")
        found = switch.given.prove_each(equal, [*switch.hypotheses(), other >= 0, *within], "QF_NRA")
    return found.proved("the reserve first, and no other threshold moves until it is used up")


@evidence("l2bm.abstract.lossless", "l2bm.sec2b.dual-guarantee", form="assumed", strength="smt")
def headroom_that_is_free_at_the_pause_takes_all_that_comes_after() -> Outcome:
    """Headroom bytes <= arrived since the pause <= headroom: every path admits it and keeps the first relation."""
    for switch in switches():
        if not switch.lossless or switch.egress_limited:
            continue
        arrived, size, beyond, headroom = switch.real("arrived", "size", "beyond", "headroom")
        enough = [beyond <= arrived, arrived + size <= headroom]

        def rule(step: Step, arrived: Number = arrived, size: Number = size) -> Truth:
            return (step.after.beyond["x"] <= arrived + size) & (step.decision != "drop")

        found = prove(switch, arrivals(switch), rule, *enough)
        prove(switch, departures(switch), partial(_no_more_than, arrived), beyond <= arrived)
    return found.proved("no packet is dropped at the ingress while no more than the headroom has come")


def _no_more_than(arrived: Number, step: Step) -> Truth:
    return Number.of(step.after.beyond["x"]) <= arrived


@evidence("l2bm.ours.headroom-in-use", form="printed", strength="exact")
def a_queue_that_resumes_with_bytes_in_its_headroom_loses_a_packet_later() -> Outcome:
    """Run TCP 4 bytes, RDMA until it is paused, TCP's departure, RDMA again: the headroom of 1 is still in use."""
    rdma = Ingress(ONE, lossless=True, headroom=ONE, resume_below=ONE / 2)
    pools = Pools(8 * ONE, 99 * ONE, {"rdma": rdma, "tcp": Ingress(ONE)}, {"a": Egress(), "b": Egress()})
    events: list[Event] = [("arrive", "tcp", "b", 4 * ONE), *[("arrive", "rdma", "a", ONE)] * 3, ("depart", "b")]
    events += [("arrive", "rdma", "a", ONE)] * 3
    steps = run(pools, events)
    paused = [sorted(step.paused) for step in steps[3:5]]
    check(paused == [["rdma"], []] and steps[3].decision == "headroom", f"{paused}")
    decisions = [step.decision for step in steps[5:]]
    check(decisions == ["enqueue", "enqueue", "drop"], f"{decisions}")
    check(
        steps[6].paused == frozenset() and "rdma" in steps[7].paused,
        "the pause is asked for by the packet that is lost",
    )
    return Agrees(1, "an existence statement: one packet arrives after the pause was asked for, headroom for one")


@evidence("l2bm.sec2a.separately", form="printed", strength="smt")
def the_port_takes_a_paused_class_for_one_that_is_not_there() -> Outcome:
    """Every path of the port's rule: until the pause ends the class is never ready, and other classes are when alone.

    The port serves one of the classes that are ready, and waits for the first to be, so the paused one changes nothing.
    """
    given = Unknowns()
    now: Any = given.real("now")
    arrival: Any = given.real("arrival")
    begin, end = given.real("begin"), given.real("end")
    pauses: Any = [(0, (begin, end))]
    wanted = []
    for group in (0, 1):
        for path in every_path(partial(_ready, now, Packet(arrival, ONE, group), pauses)):
            ready: Any = path.result
            late = implies((begin <= now) & (now < end), ready >= end)
            alone = ((ready <= now) | same(ready, arrival)) & (ready >= now) & (ready >= arrival)
            wanted.append((path.condition, late if group == 0 else alone))
    found = given.prove_each(wanted, [begin >= 0, end > begin, now >= 0, arrival >= 0])
    return found.proved("not ready before the pause ends; the other class is ready at max(now, arrival), as alone")
