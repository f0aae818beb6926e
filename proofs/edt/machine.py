"""Every step of EDT's state machine from every state: what the steps in `machine_steps` are proved about.

The state machine of `dtmodel.packet.edt` is run on unknown counters, timers, packet sizes and settings. A step begins
in any state that satisfies the invariant (`invariant`), which every step is proved to keep, so that what is proved of
a step holds in runs of any length, with any settings. Other ports do not appear: a port hears of its own packets and
of overflows only (`machine_steps.heard`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from dtmodel.packet.edt import READINGS, Port, Settings
from dtmodel.provers import smt
from dtmodel.provers.every_path import Number, Truth, Unknowns, all_of, every_path, same, truth

__all__ = ["EVENTS", "Machine", "Step", "counters", "invariant", "same_truth"]


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
    condition: Truth
    before: Port
    after: Port

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


def invariant(port: Port) -> Truth:
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


def counters(port: Port) -> tuple[Number, Number]:
    """C1 and C2 as numbers of a proof, also where they are 0 for certain."""
    return Number.of(port.c1), Number.of(port.c2)


def same_truth(one: Truth, other: bool) -> Truth:
    """Whether a statement is as true as another one that is known."""
    return one if other else ~one


def _enqueue(port: Port, machine: Machine) -> None:
    port.arrived()
    port.enqueued(machine.size, machine.now)


def _drop(port: Port, _: Machine) -> None:
    port.arrived()
    port.dropped()


EVENTS: dict[str, Callable[[Port, Machine], None]] = {
    "enqueue": _enqueue,
    "depart": lambda port, machine: port.dequeued(machine.size),
    "drop": _drop,
    "overflow": lambda port, _: port.control(),
    "tick": lambda port, machine: port.tick(machine.now),
}
"""What a port can hear."""


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
    size: Number
    now: Number

    def __init__(self, reading: str = "circuit", *, tm1: bool = True, tm2: bool = True) -> None:
        self.given = Unknowns()
        whole, real = self.given.whole, self.given.real
        self.cn1 = whole("cn1")
        self.cn2, self.size, self.now = real("cn2"), real("size"), real("now")
        self.tm1: Any = None
        self.tm2: Number | None = real("TM2") if tm2 else None
        self.hypotheses = [self.cn1 >= 1, self.cn2 > 0, self.size > 0, self.now >= 0]
        self.reading = READINGS[reading]
        if tm1:
            self.tm1 = Later() if self.reading.tm1_runs_always else real("TM1")
        self.hypotheses += [each > 0 for each in (self.tm1, self.tm2) if isinstance(each, Number)]
        self.settings = Settings(1, self.cn1, self.cn2, self.tm1, self.tm2, self.reading)

    def states(self) -> Iterator[Callable[[], Port]]:
        """Yield the shapes of a state: controlled or not, TM2 runs iff it is not, TM1 runs or does not."""
        whole, real = self.given.whole, self.given.real
        for controlled, counting in product((True, False), (True, False)):
            always = self.reading.tm1_runs_always and self.tm1 is not None
            if counting > (self.tm1 is not None) or always > counting:
                continue
            tm1 = real("tm1") if counting else None
            tm2 = None if controlled or self.tm2 is None else real("tm2")

            def state(controlled: bool = controlled, tm1: Any = tm1, tm2: Any = tm2) -> Port:
                return Port(self.settings, controlled, whole("c1"), real("c2"), tm1, tm2)  # type: ignore[arg-type]  # an unknown number

            yield state

    def steps(self, *events: str) -> Iterator[Step]:
        """Yield every path of every event (or of some) from every state that satisfies the invariant."""
        for state in self.states():
            for event in events or EVENTS:

                def run(state: Callable[[], Port] = state, event: str = event) -> Port:
                    port = state()
                    EVENTS[event](port, self)
                    return port

                before = state()
                for path in every_path(run):
                    yield Step(event, all_of(invariant(before), path.condition), before, path.result)

    def prove(self, rule: Callable[[Step], Truth | bool], *events: str, more: list[Truth] | None = None) -> smt.Proof:
        """Prove a rule of every step, in which the rule may name further unknowns of `given`."""
        said = [(step.condition, rule(step)) for step in self.steps(*events)]
        return self.given.prove_each(said, [*self.hypotheses, *(more or [])])
