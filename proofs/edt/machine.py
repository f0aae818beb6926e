"""One step of EDT's state machine on symbols: counters, timers and signals along every path of the code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from dtmodel.ledger import check
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import (
    PathCondition,
    Unknown,
    Unknowns,
    all_of,
    any_of,
    every_path,
    implies,
    same,
    truth,
)
from dtmodel.policies.edt_circuit import READINGS, CircuitSettings, EdtPolicy, EdtPort


class Later:
    """The counting time of a TM1 that runs always: its next expiry belongs to the next step.

    When time passes over several expiries, each of them does the same, and the invariant, which holds after the first,
    says nothing of when TM1 expires.
    """

    def __radd__(self, other: object) -> Later:
        return self

    def __le__(self, other: object) -> bool:
        return False


@dataclass(frozen=True)
class Step:
    """One path of one step.

    Attributes
    ----------
    event : str
        A name in `EVENTS`.
    condition : Truth
        When this path is taken, the invariant before it included.
    before, after : Port
        The state machine.
    """

    event: str
    condition: PathCondition
    before: EdtPort
    after: EdtPort

    @property
    def freed(self) -> bool:
        """Whether the port becomes uncontrolled."""
        return self.before.controlled and not self.after.controlled

    @property
    def returned(self) -> bool:
        """Whether the port becomes controlled."""
        return not self.before.controlled and self.after.controlled

    @property
    def expired(self) -> bool:
        """Whether TM1 expired."""
        return self.event == "tick" and self.before.tm1 is not None and self.after.tm1 is not self.before.tm1


def invariant(port: EdtPort) -> PathCondition:
    """What holds between two events, and says among other things which timers run."""
    settings, reading = port.settings, port.settings.reading
    c1, c2 = counters(port)
    counting = truth(port.tm1 is not None)
    if settings.tm1 is not None and not reading.tm1_runs_always:
        counting = same_truth(c2 > 0, port.tm1 is not None)
    elif settings.tm1 is None:
        counting = ~counting
    return all_of(
        c1 >= 0,
        c1 < settings.cn1,
        c2 < settings.cn2,
        truth(reading.c2_signed) | (c2 >= 0),
        truth(port.controlled) | same(c2, 0),
        counting,
        (port.tm2 is not None) == (settings.tm2 is not None and not port.controlled),
    )


def counters(port: EdtPort) -> tuple[Unknown, Unknown]:
    """C1 and C2 as numbers of a proof, also where they are 0 for certain."""
    return Unknown.of(port.c1), Unknown.of(port.c2)


def same_truth(one: PathCondition, other: bool) -> PathCondition:
    """Whether a statement is as true as another one that is known."""
    return one if other else ~one


def _enqueue(port: EdtPort, machine: Machine) -> None:
    port.arrived()
    port.enqueued(machine.size, machine.now)


def _drop(port: EdtPort, _: Machine) -> None:
    port.arrived()
    port.dropped()


class Machine:
    """One port in a reading, with unknown settings.

    Parameters
    ----------
    reading : str
        A reading of `dtmodel.packet.edt`.
    tm1, tm2 : bool
        Whether the timer exists, that is, ever expires.
    """

    cn1: Any
    size: Unknown
    now: Unknown

    def __init__(self, reading: str = "circuit", *, tm1: bool = True, tm2: bool = True) -> None:
        self.given = Unknowns()
        whole, real = self.given.whole, self.given.real
        self.cn1 = whole("cn1")
        self.cn2, self.size, self.now = real("cn2"), real("size"), real("now")
        self.tm1: Any = None
        self.tm2: Unknown | None = real("TM2") if tm2 else None
        self.hypotheses = [self.cn1 >= 1, self.cn2 > 0, self.size > 0, self.now >= 0]
        self.reading = READINGS[reading]
        if tm1:
            self.tm1 = Later() if self.reading.tm1_runs_always else real("TM1")
        self.hypotheses += [each > 0 for each in (self.tm1, self.tm2) if isinstance(each, Unknown)]
        self.settings = CircuitSettings(1, self.cn1, self.cn2, self.tm1, self.tm2, self.reading)

    def states(self) -> Iterator[Callable[[], EdtPort]]:
        """Yield the shapes of a state: controlled or not, TM2 runs iff it is not, TM1 runs or does not."""
        whole, real = self.given.whole, self.given.real
        for controlled, counting in product((True, False), (True, False)):
            always = self.reading.tm1_runs_always and self.tm1 is not None
            if counting > (self.tm1 is not None) or always > counting:
                continue
            tm1 = real("tm1") if counting else None
            tm2 = None if controlled or self.tm2 is None else real("tm2")

            def state(controlled: bool = controlled, tm1: Any = tm1, tm2: Any = tm2) -> EdtPort:
                return EdtPort(self.settings, controlled, whole("c1"), real("c2"), tm1, tm2)  # type: ignore[arg-type]  # an unknown number

            yield state

    def steps(self, *events: str) -> Iterator[Step]:
        """Yield every path of every event (or of some) from every state that satisfies the invariant."""
        for state in self.states():
            for event in events or EVENTS:

                def run(state: Callable[[], EdtPort] = state, event: str = event) -> EdtPort:
                    port = state()
                    EVENTS[event](port, self)
                    return port

                before = state()
                for path in every_path(run):
                    yield Step(event, all_of(invariant(before), path.condition), before, path.result)

    def prove(
        self, rule: Callable[[Step], PathCondition | bool], *events: str, more: list[PathCondition] | None = None
    ) -> smt.Proof:
        """Prove a rule of every step, in which the rule may name further unknowns of `given`."""
        said = [(step.condition, rule(step)) for step in self.steps(*events)]
        return self.given.prove_each(said, [*self.hypotheses, *(more or [])])


EVENTS: dict[str, Callable[[EdtPort, Machine], None]] = {
    "enqueue": _enqueue,
    "depart": lambda port, machine: port.dequeued(machine.size),
    "drop": _drop,
    "overflow": lambda port, _: port.control(),
    "tick": lambda port, machine: port.tick(machine.now),
}
"""What a port can hear."""


PORTS = 64
"""Ports of the switches whose passing on of signals is recorded."""


class _Heard:
    """A port that records what it hears."""

    tm1 = tm2 = 0

    def __init__(self) -> None:
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> object:
        return lambda *_: self.calls.append(name)


def heard(ports: int) -> list[tuple[str, list[list[str]]]]:
    """Return what each port hears of each event at port 0, as the policy passes it on, the passing of time left out."""
    found = []
    for event in ("enqueue", "depart", "drop", "overflow"):
        policy = EdtPolicy(CircuitSettings(1, 1, 1, None, None), ports, 1)
        listeners = [_Heard() for _ in range(ports)]
        policy.ports[:] = listeners  # type: ignore[assignment]  # they only listen
        if event == "enqueue":
            policy.enqueued(0, 1, 0)
        elif event == "depart":
            policy.dequeued(0, 1, 0)
        elif event == "drop":
            policy.dropped(0, 0)
        else:
            policy.overflowed(0)
        found.append((event, [[call for call in each.calls if call != "tick"] for each in listeners]))
    return found


def check_that_ports_are_separate() -> None:
    """Check that an event reaches its own port only, an overflow all of them, for switches of up to 64 ports."""
    own = {"enqueue": ["enqueued"], "depart": ["dequeued"], "drop": ["arrived", "dropped"], "overflow": ["control"]}
    for ports in range(1, PORTS + 1):
        for event, calls in heard(ports):
            others = ["control"] if event == "overflow" else []
            check(calls == [own[event], *[others] * (ports - 1)], f"{event}: {calls}")


def _growth_of_c2(reading: str) -> tuple[Machine, list[PathCondition]]:
    """Return a machine and what its unknown queue obeys: its lengths at the last reset of C2, the least since, now."""
    machine = Machine(reading)
    first, least, queue = (machine.given.real(name) for name in ("first", "least", "queue"))
    return machine, [least >= 0, least <= first, least <= queue]


def _follows(step: Step, machine: Machine, *, lowest: bool) -> PathCondition:
    """Whether C2 of a controlled port stays its growth since the reset, or above the lowest point since then."""
    queue, mark = machine.given.real("queue"), machine.given.real("least" if lowest else "first")
    length = {"enqueue": queue + machine.size, "depart": queue - machine.size}.get(step.event, queue)
    reset = step.event == "drop" or step.expired or step.before.controlled != step.after.controlled
    (_, c2), (_, counted) = counters(step.before), counters(step.after)
    marks = [length] if reset else [mark, length] if lowest else [mark]
    smallest = [all_of(*(one <= other for other in marks)) for one in marks]
    growth = any_of(*(low & same(counted, length - one) for low, one in zip(smallest, marks, strict=True)))
    freed = truth(True)
    if lowest:
        grown = queue + machine.size - mark >= machine.cn2 if step.event == "enqueue" else truth(False)
        freed = truth(not step.before.controlled) | same_truth(grown, step.freed)
    given = all_of(
        truth(not step.before.controlled) | same(c2, queue - mark), truth(step.event != "depart") | (length >= 0)
    )
    return implies(given, (truth(not step.after.controlled) | growth) & freed)


def policy(given: Unknowns, ports: int, uncontrolled: int) -> EdtPolicy:
    """Return a switch with unknown alpha and buffer, whose last ports are uncontrolled."""
    found = EdtPolicy(CircuitSettings(given.real("alpha"), 3, 1, None, None), ports, given.real("buffer"))
    found.ports[:] = [EdtPort(found.settings, controlled=i < ports - uncontrolled) for i in range(ports)]
    return found
