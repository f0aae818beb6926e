"""One step of the shared memory with pools and headroom, along every path of the code."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import (
    PathCondition,
    Unknown,
    Unknowns,
    all_of,
    every_path,
    largest,
    same,
)
from dtmodel.packet.pfc import Egress, Ingress, _arrive, _depart, _State

ZERO = Fraction(0)
ONE = Fraction(1)


@dataclass(frozen=True)
class Switch:
    """The unknowns of a switch: "x" is lossless or lossy, with a static limit or none, its egress queue likewise."""

    lossless: bool
    capped: bool
    egress_limited: bool
    given: Unknowns

    def real(self, *names: str) -> list[Unknown]:
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

    def hypotheses(self) -> list[PathCondition]:
        """Say what the settings and the state satisfy."""
        known: list[PathCondition] = []
        if self.capped:
            known.append(self.given.real("cap") >= 0)
        if self.egress_limited:
            known.append(self.given.real("alpha_a") > 0)
        if self.lossless:
            beyond, headroom, Q, below = self.real("beyond", "headroom", "Q", "resume_below")
            known += [beyond >= 0, beyond <= headroom, beyond <= Q, below > 0]
        return known

    def not_overdrawn(self) -> list[PathCondition]:
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

    condition: PathCondition
    decision: str
    before: _State
    after: _State


def arrivals(switch: Switch, *, asked: bool = True) -> Iterator[Step]:
    """Yield every path of the arrival of a packet of unknown size at ingress x, egress a; a lossless x has `asked`."""
    size: Any = switch.given.real("size")

    def event() -> tuple[str, _State]:
        state = switch.state()
        if not asked:
            state.paused.clear()
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


def prove(
    switch: Switch, steps: Iterator[Step], rule: Callable[[Step], PathCondition | bool], *more: PathCondition
) -> smt.Proof:
    """Prove a rule of every step."""
    said = [(step.condition, rule(step)) for step in steps]
    return switch.given.prove_each(said, [*switch.hypotheses(), *more], "QF_NRA")


def unchanged(step: Step) -> PathCondition:
    """Whether no counter has moved."""
    return moved(step, Unknown.of(Fraction(0)))


def moved(step: Step, by: Unknown) -> PathCondition:
    """Whether the counters of x and a and the bytes in the memory moved by an amount, and those of y and b did not."""
    old, new = step.before, step.after
    own = [(new.ingress["x"], old.ingress["x"]), (new.egress["a"], old.egress["a"]), (stored(new), stored(old))]
    others = [(new.ingress["y"], old.ingress["y"]), (new.egress["b"], old.egress["b"])]
    return all_of(*(same(a, b + by) for a, b in own), *(same(a, b) for a, b in others))


def stored(state: _State) -> Unknown:
    """The bytes that wait for egress a."""
    return Unknown.of(sum((size for _, size in state.waiting["a"]), Fraction(0)))


def _shared(state: _State) -> Unknown:
    """What x takes from the shared pool, max(0, Q - headroom bytes - reserve), as one term."""
    over = Unknown.of(state.ingress["x"]) - state.beyond["x"] - state.pools.ingress["x"].reserved
    return largest(ZERO, over)
