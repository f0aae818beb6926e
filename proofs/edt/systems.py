"""EDT's counters and timers as transition systems, for proofs by induction."""

from typing import Any

import sympy as sp

from dtmodel.ledger.provers.inductive import InductiveInvariant, Transition

c1, cn1, u, t1, t2 = sp.symbols("c1 cn1 u t1 t2", integer=True)
c2, cn2, a = sp.symbols("c2 cn2 a", real=True)
CONTROLLED = u <= 0
UNCONTROLLED = u >= 1
LAST = c1 + 1 >= cn1  # this departure is C1's number


def departures(*, signed: bool, resets_c2: bool) -> list[Transition]:
    """Each departure: C2 falls while the port is controlled, C1 counts it, and acts at its number."""
    falls = {"": ([CONTROLLED], c2 - a)} if signed else {
        "": ([CONTROLLED, c2 - a > 0], c2 - a), " to 0": ([CONTROLLED, c2 - a <= 0], 0)
    }  # fmt: skip
    pulse = {c1: 0, c2: 0} if resets_c2 else {c1: 0, c2: 0, u: 0, t2: 0}
    stopped = {**pulse, t1: 0} if resets_c2 else pulse
    found = [
        Transition("a departure while uncontrolled", [a > 0, UNCONTROLLED, c1 + 1 < cn1], {c1: c1 + 1}),
        Transition("C1 reaches its number while uncontrolled", [UNCONTROLLED, LAST], stopped),
    ]
    for how, (guards, left) in falls.items():
        fall = {c2: left, t1: 0} if how else {c2: left}
        found += [
            Transition(f"a departure, C2 falls{how}", [a > 0, *guards, c1 + 1 < cn1], {c1: c1 + 1, **fall}),
            Transition(f"C1 reaches its number, C2 falls{how}", [a > 0, *guards, LAST],
                       {c1: 0, c2: 0, t1: 0} if resets_c2 else {c1: 0, **fall}),
        ]  # fmt: skip
    return found


def events(*, signed: bool = False, resets_c2: bool = False) -> list[Transition]:
    """All events of one port, with the timers of the reading `circuit`."""
    heard: list[dict[sp.Symbol, Any]] = [{}, {c1: 0}]  # a dropped packet resets C1 in the reading `arrivals`
    return [
        Transition("a packet enters below C2's number", [a > 0, CONTROLLED, c2 + a > 0, c2 + a < cn2],
                   {c1: 0, c2: c2 + a, t1: 1}),
        *([Transition("a packet enters, C2 is not above 0", [a > 0, CONTROLLED, c2 + a <= 0], {c1: 0, c2: c2 + a})]
          if signed else []),
        Transition("C2 reaches its number", [a > 0, CONTROLLED, c2 + a >= cn2], {c1: 0, c2: 0, u: 1, t1: 0, t2: 1}),
        Transition("a packet enters while uncontrolled", [a > 0, UNCONTROLLED], {c1: 0}),
        *departures(signed=signed, resets_c2=resets_c2),
        *(Transition(f"a packet is dropped{' and C1 hears it' if more else ''}", [], {**more, c2: 0, t1: 0})
          for more in heard),
        Transition("TM1 expires", [t1 >= 1], {c2: 0, t1: 0}),
        Transition("TM2 expires", [t2 >= 1], {c2: 0, u: 0, t2: 0}),
        Transition("an overflow returns the port", [UNCONTROLLED], {c2: 0, u: 0, t2: 0}),
    ]  # fmt: skip


def without_timers(transitions: list[Transition]) -> list[Transition]:
    """Let every timer expire whenever it likes: for statements about counters in every reading and for all timers."""
    free = []
    for transition in transitions:
        guards = [guard for guard in transition.guards if not guard.free_symbols & {t1, t2}]
        updates = {variable: value for variable, value in transition.updates.items() if variable not in (t1, t2)}
        free.append(Transition(transition.name, guards, updates))
    return free


def counters(*, signed: bool = False, resets_c2: bool = False) -> InductiveInvariant:
    """The ranges of C1 and C2, in the readings `circuit`, `arrivals`, `free-running`, or with the flags the others."""
    ranges = [c1 >= 0, c1 < cn1, c2 < cn2, u >= 0, u <= 1, sp.Or(u <= 0, sp.Eq(c2, 0))]
    return InductiveInvariant(
        f"0 <= C1 < cn1, C2 < cn2, C2 = 0 while uncontrolled{'' if signed else ', C2 >= 0'}",
        dict.fromkeys((c1, c2, u), 0),
        ranges if signed else [*ranges, c2 >= 0],
        without_timers(events(signed=signed, resets_c2=resets_c2)),
        [cn1 >= 1, cn2 > 0],
    )


def timers() -> InductiveInvariant:
    """TM1 runs exactly while C2 > 0, TM2 exactly while the port is uncontrolled; both have finite numbers."""
    kept = [c1 >= 0, c1 < cn1, c2 >= 0, u >= 0, u <= 1, sp.Or(u <= 0, sp.Eq(c2, 0)), t1 >= 0, t1 <= 1, sp.Eq(t2, u),
            sp.Or(t1 <= 0, c2 > 0), sp.Or(t1 >= 1, c2 <= 0), t1 + t2 <= 1]  # fmt: skip
    says = "TM1 runs iff C2 > 0, TM2 iff the port is uncontrolled, and never both"
    return InductiveInvariant(says, dict.fromkeys((c1, c2, u, t1, t2), 0), kept, events(), [cn1 >= 1, cn2 > 0])
